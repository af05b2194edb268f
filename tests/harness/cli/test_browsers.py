"""The answer of browsers: in words, and as JSON."""

from __future__ import annotations

import os

import pytest

from urlharness.cli.browsers import browser_answer
from urlharness.compare.browsers import ada_version

BYTES = os.fsdecode(b"http://a/\xff")
NO_UNICODE = "read characters only, and the text has bytes that are no UTF-8"


@pytest.mark.parametrize(
    ("text", "base", "words"),
    [
        pytest.param("http://a\\@b/", None, "accept: host a  scheme http  path /@b/", id="backslash"),
        pytest.param(
            "http://a/b?c[]=d", None, "accept: host a  scheme http  path /b  query c[]=d", id="bracket"
        ),
        pytest.param("HTTP://A:80", None, "accept: host a  scheme http  path /", id="normalized"),
        pytest.param("mailto:a@b", None, "accept: no host  scheme mailto  path a@b", id="no-host"),
        pytest.param("http://[::1/", None, "refuse", id="refused"),
        pytest.param("a/b", None, "need a base to read a reference", id="reference"),
        pytest.param("//a/b", None, "need a base to read a reference", id="network-reference"),
        pytest.param("", None, "need a base to read a reference", id="empty"),
        pytest.param("\\\\h/c", "http://a/b", "http://h/c", id="target"),
        pytest.param("c", "a/b", "refuse", id="relative-base"),
        pytest.param(BYTES, None, NO_UNICODE, id="bytes"),
    ],
)
def test_the_answer_of_browsers_is_put_in_words(text, base, words):
    assert browser_answer(text, base).words == words


def test_the_label_names_the_standard_and_the_version_of_the_parser():
    major, minor, *_ = ada_version().split(".")
    assert browser_answer("x:").label == f"browsers (WHATWG, ada {major}.{minor})"


@pytest.mark.parametrize(
    ("text", "base", "answer"),
    [
        pytest.param("http://[::1/", None, {"accepts": False}, id="refused"),
        pytest.param("a/b", None, {"unsupported": "need a base to read a reference"}, id="reference"),
        pytest.param(BYTES, None, {"unsupported": NO_UNICODE}, id="bytes"),
    ],
)
def test_json_says_why_browsers_have_no_components(text, base, answer):
    document = {"standard": "WHATWG", "parser": f"ada {ada_version()}", **answer}
    assert browser_answer(text, base).json == document


def test_json_has_components():
    document = browser_answer("http://a\\@b/").json
    assert document["accepts"] is True
    assert document["components"]["host"] == "a"
    assert document["components"]["userinfo"] is None


def test_json_has_the_target_and_its_components():
    document = browser_answer("../c", "http://a/b/").json
    assert document["url"] == "http://a/c"
    assert document["components"]["path"] == "/c"
