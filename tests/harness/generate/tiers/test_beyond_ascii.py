"""URLs whose letters are replaced by characters beyond ASCII."""

from __future__ import annotations

import pytest

from urlharness.generate.tiers.beyond_ascii import with_letters_beyond_ascii
from urloracle.rfcs import specification

URLS = [
    pytest.param("http://h/b/c", "http://\u00fc/\u65e5/c", id="host-and-path"),
    pytest.param("http://Host.Example:80/", "http://Host.Exam\u05d0le:80/", id="port-stays"),
    pytest.param("gopher:b", "gopher:\u65e5", id="scheme-stays"),
    pytest.param("http://localhost/index.html", "http://localhost/index.html", id="names-stay"),
    pytest.param("//[::b]/%7b", "//[::b]/%7b", id="addresses-and-triplets-stay"),
    pytest.param("?q#s", "?\ue000#\uffef", id="private-character-in-a-query"),
    pytest.param("", "", id="empty"),
]


@pytest.mark.parametrize(("url", "iri"), URLS)
def test_letters_are_replaced(url, iri):
    assert with_letters_beyond_ascii(url) == iri


@pytest.mark.parametrize(("url", "iri"), URLS)
def test_the_text_is_an_iri_if_it_was_a_url(url, iri):
    assert specification("rfc3986").problem(url) is None
    assert specification("rfc3987").problem(iri) is None
