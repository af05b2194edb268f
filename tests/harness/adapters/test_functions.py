"""The functions of libraries that their adapters ask."""

from __future__ import annotations

import pytest

from urlharness.adapters.functions import asked_functions, normalizing_functions, omits_brackets
from urlharness.adapters.registry import BUNDLED
from urlharness.adapters.urllib_parse import hello

#: Adapters, an operation, and the function that the adapter asks.
ASKED = [
    pytest.param("urllib", "resolve", "urllib.parse.urljoin", id="bundled"),
    pytest.param("rfc3986", "parse", "uri_reference", id="of-the-catalogue"),
    pytest.param("rfc3986@cache", "parse", "uri_reference", id="from-the-cache"),
]


@pytest.mark.parametrize(("name", "operation", "function"), ASKED)
def test_the_function_of_an_operation_is_known(name, operation, function):
    assert asked_functions(name)[operation] == function


def test_urllib_has_other_functions_under_rfc_1808():
    assert asked_functions("urllib")["parse"] == "urllib.parse.urlsplit, or urlparse under RFC 1808"


def test_every_operation_of_urllib_has_its_function():
    assert set(asked_functions("urllib")) == set(hello()["ops"])


@pytest.mark.parametrize("name", sorted(set(BUNDLED) - {"reference"}))
def test_every_bundled_adapter_has_functions(name):
    assert asked_functions(name)


def test_the_functions_of_an_adapter_of_a_user_are_not_known():
    assert asked_functions("python:conformance:adapter") == {}


def test_the_normalizing_functions_of_a_library_are_those_of_its_catalogue():
    assert normalizing_functions("network-uri").startswith("network-uri")


def test_an_adapter_outside_the_catalogue_cites_no_normalizing_function():
    assert normalizing_functions("urllib") == ""


#: Adapters, and whether the library's function that gives the host omits the brackets of `[v1.a]`.
BRACKETS = [
    pytest.param("urllib", True, id="bundled"),
    pytest.param("node-url", False, id="bundled-that-refuses"),
    pytest.param("luasocket", True, id="of-the-catalogue"),
    pytest.param("luasocket@cache", True, id="from-the-cache"),
    pytest.param("furl", False, id="with-brackets"),
    pytest.param("python:conformance:adapter", False, id="of-a-user"),
]


@pytest.mark.parametrize(("name", "omits"), BRACKETS)
def test_it_is_known_which_libraries_omit_brackets(name, omits):
    assert omits_brackets(name) is omits
