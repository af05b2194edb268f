"""Texts of a class of difference: each shows the class, and every class has texts."""

from __future__ import annotations

import re

import pytest

from urlharness.corpus.loader import load_classes
from urlharness.generate.classes import of_class, shows
from urlharness.generate.kinds import Generator, Pair, RequestError
from urlharness.generate.requests import Request, Texts
from urlharness.words.shards import random_of
from urloracle.rfcs import specification

#: What the statement of a class says, read once more.
FORMS = {
    "backslash": r"\\",
    "several-ats": "//[^/?#]*@",
    "second-hash": "#.*#",
    "tilde": "~",
    "empty-port": "//[^/?#]*:(/|$)",
    "zone-id": r"//\[[^]]*%",
    "url-wrapper": "^<.*>$|^(?i:url):",
    "ipv6-literal": r"[\[:]",
    "scheme-case": "[A-Z].*:",
    "non-ascii": "[^\x00-\x7f]",
}


@pytest.mark.parametrize("name", load_classes())
def test_every_class_has_texts(name):
    """Variations that differ; RFC 3986 has some of each class."""
    texts = Texts(Request(spec="rfc3986", difference=name, number=12))
    contents = [case.content for case in texts]
    assert len(contents) == (2 if name == "mailto-address" else 12)
    for pair in contents:
        assert pair.difference == name
        if isinstance(pair, Pair):
            assert shows(name, pair.reference, pair.base)
        else:
            assert shows(name, pair.text)
            assert specification("rfc3986").automaton("URI-reference").accepts(pair.text) is pair.valid
            assert re.search(FORMS.get(name, ""), pair.text)


#: Texts that look like a class and are not of it.
NOT = [
    ("backslash", "http://h/a%5Cb"),
    ("second-hash", "http://h/a#b%23"),
    ("bad-escape", "http://h/%41"),
    ("zone-id", "http://h/[%25"),
    ("default-port", "http://h:443/"),
    ("default-port", "http://80/"),
    ("foreign-port", "telnet://h:23/"),
    ("unknown-scheme", "HTTPS://h/"),
    ("unknown-scheme", "1x:y"),
    ("encoded-dots", "http://h/%2eg/"),
    ("encoded-delimiter", "http://h/%41"),
    ("escaped-unreserved", "http://h/%2F"),
    ("empty-path", "http://h/"),
    ("empty-path", "h:"),
    ("dots-elsewhere", "http://h/a/../b"),
    ("several-ats", "http://u@h/"),
    ("tilde", "http://h/%7E"),
]


@pytest.mark.parametrize(("name", "text"), NOT)
def test_a_text_without_its_class_is_not_drawn(name, text):
    assert not shows(name, text)


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [("f:/a", ".//g", True), ("http://h/a", ".//g", False), ("f:/a", "./g", False), ("f:/a", "//g", False)],
)
def test_a_result_that_begins_with_two_slashes_shows_its_class(base, reference, expected):
    assert shows("double-slash", reference, base) is expected


@pytest.mark.parametrize(
    ("spec", "name", "pairs", "message"),
    [
        ("rfc3986", "several-at", True, "named 'several-at'; Did you mean 'several-ats'"),
        ("rfc3986", "same-scheme", False, "pairs to resolve, not texts"),
        ("rfc1738", "same-scheme", True, "RFC 1738 has no texts of class same-scheme: the class is about"),
    ],
)
def test_a_class_that_cannot_be_met_is_an_error(spec, name, pairs, message):
    with pytest.raises(RequestError, match=message):
        of_class(
            Generator(specification(spec), "url" if spec == "rfc1738" else "URI", range(9)), name, pairs=pairs
        )


def test_texts_of_a_class_have_the_length_asked_for():
    texts = Texts(Request(spec="rfc3986", difference="backslash", number=40, length=range(60, 81)))
    assert all(len(case.content.text) >= 60 for case in texts)


def test_a_class_without_texts_of_the_length_has_none():
    source = of_class(Generator(specification("rfc3986"), "URI", range(5)), "backslash", pairs=True)
    assert list(source.first(random_of(0, "", 0))) == []
