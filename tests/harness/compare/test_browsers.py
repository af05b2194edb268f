"""The reading of the browsers: who follows their standard, and what Ada makes of a question."""

from __future__ import annotations

import pytest
from answer_samples import BASE, parts, url
from msgspec import structs

from urlharness.adapters.catalogue import catalogue
from urlharness.compare.browsers import browser_reading, is_browser
from urlharness.corpus.longtext import abbreviation
from urlharness.panel.answer import Answer

HOST_H = parts("http", "h", "/")


def test_libraries_that_follow_the_browsers_are_known():
    followers = [name for name, library in catalogue().items() if library.whatwg]
    assert followers != []
    names = [*followers, *(f"{name}@cache" for name in followers), "node-url"]
    assert [name for name in names if not is_browser(name)] == []


@pytest.mark.parametrize("name", ["urllib", "python:whatwg:url"], ids=["another-library", "a-function"])
def test_an_adapter_that_does_not_follow_the_browsers_is_no_browser(name):
    assert not is_browser(name)


READINGS = [
    pytest.param(
        "HTTP://U@H:80/a/../b?#f",
        None,
        "host h  userinfo U  scheme http  path /b  query (empty)  fragment f",
        id="url",
    ),
    pytest.param("\tht\ntp://h", None, "host h  scheme http  path /", id="blanks"),
    pytest.param("mailto:a@b", None, "no host  scheme mailto  path a@b", id="no-authority"),
    pytest.param("http://h:x/", None, "reject", id="refused"),
    pytest.param("../g?", BASE, "http://a/b/g?", id="target"),
    pytest.param("g", "a/b", "reject", id="relative-base"),
]


@pytest.mark.parametrize(("text", "base", "words"), READINGS)
def test_browsers_have_their_reading_of_a_text(question, text, base, words):
    right_answer = url("x:y") if base else HOST_H  # the browsers have theirs without it
    case = question(text, right_answer, base=base)
    assert browser_reading(case).in_words() == words


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [("http://H:80", "http://h/", "true"), ("http://h/", "http://h/a", "false")],
    ids=["equal", "different"],
)
def test_browsers_have_their_reading_of_two_urls(question, first, second, equal):
    case = question(first, HOST_H)
    vector = structs.replace(case.vector, op="equivalent", other=second)
    assert browser_reading(structs.replace(case, vector=vector)) == Answer("other", text=equal)


UNREAD = [
    pytest.param({"url": "//h/"}, id="relative"),
    pytest.param({"op": "validate", "rule": "absolute-URI", "url": "a:b"}, id="rule"),
    pytest.param({"op": "validate", "rule": "host", "url": "a:b"}, id="part"),
    pytest.param({"op": "extract", "text": "http://h/"}, id="operation"),
    pytest.param({"op": "equivalent", "url": "http://h/", "other": "/"}, id="relative-other"),
    pytest.param({"url": abbreviation("http://h/" + "a" * 9000)}, id="abbreviated"),
    pytest.param({"url": "http://h/\ud800"}, id="lone-surrogate"),
]


@pytest.mark.parametrize("fields", UNREAD)
def test_browsers_have_no_reading_of_questions_outside_their_standard(question, fields):
    case = question("http://h/", HOST_H)
    other_case = structs.replace(case, vector=structs.replace(case.vector, **fields))
    assert browser_reading(other_case) is None
