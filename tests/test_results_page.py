"""docs/results.py: a question that timed out is asked again, and nothing published rests on a time."""

from __future__ import annotations

import importlib
import sys
from itertools import chain
from pathlib import Path

import pytest

from urlharness.adapters.registry import find
from urlharness.protocol.limits import Limits
from urlharness.results.model import Participant, Result, read_results

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))
results_page = importlib.import_module("results")
sys.path.remove(str(DOCS))

#: A library that takes a while for one text, and for ever for another one.
LIB = """
import time

def answer(question):
    if question["url"] == "a:slow":
        time.sleep(0.1)
    if question["url"] == "a:never":
        time.sleep(3600)
    return {"status": "ok"}

answer.hello = {"ops": ["validate"], "specs": ["rfc3986"]}
"""
NAME = "python:lib:answer"


@pytest.fixture
def ask_again_after_timeout(tmp_path, monkeypatch, make_case, record):
    """Return a function that asks a text again that timed out.

    It returns the results, and the questions that no library has answered.
    """
    (tmp_path / "lib.py").write_text(LIB, "utf-8")
    monkeypatch.chdir(tmp_path)

    def ask_again(url):
        case = make_case("rfc3986-3-x", url=url)
        record([case], Participant(NAME, "ran"), Result(case.vector.id, NAME, "timeout"))
        (path,) = tmp_path.glob("*.jsonl")
        limits = Limits(start=60.0, case=60.0 if url == "a:slow" else 0.2)
        silent = results_page.decide_timeouts(path, {case.vector.id: case}, limits)
        return read_results(path), silent

    return ask_again


def test_the_second_try_decides(ask_again_after_timeout):
    results, silent = ask_again_after_timeout("a:slow")
    assert results.of(NAME)["rfc3986-3-x"].outcome == "pass"
    assert silent == []


def test_a_question_without_an_answer_is_left_out(ask_again_after_timeout):
    results, _ = ask_again_after_timeout("a:never")
    assert results.of(NAME) == {}
    assert results.complete


def test_a_question_without_an_answer_is_named(ask_again_after_timeout):
    _, silent = ask_again_after_timeout("a:never")
    assert silent == [(NAME, "rfc3986-3-x")]


def test_the_note_on_unanswered_questions_names_the_library_and_the_vector():
    assert results_page.unanswered_in_words([(NAME, "rfc3986-3-x")]) == (
        "\nNo answer within 3,600 s, so these count nowhere: python:lib:answer to `rfc3986-3-x`.\n"
    )


def test_the_note_on_unanswered_questions_is_empty_if_all_had_an_answer():
    assert results_page.unanswered_in_words([]) == ""


#: What a reply says in words, and whether the published results keep it.
MESSAGES = [
    pytest.param("only with a base", True, id="decides-about-a-cause"),
    pytest.param("no scheme in /home/u/x", False, id="words-of-a-library"),
]


@pytest.mark.parametrize(("message", "is_kept"), MESSAGES)
def test_published_results_keep_only_the_words_that_decide(message, is_kept):
    fields = {"type": "case", "outcome": "fail", "got": {"status": "ok", "message": message}}
    results_page._remove_messages(fields)
    assert ("message" in fields["got"]) is is_kept


#: An RFC, and whether all libraries are asked about it, or only those that claim it.
ASKED = [
    pytest.param("rfc3986", [], id="of-urls"),
    pytest.param("rfc3987", ["iri-string"], id="of-iris"),
]


@pytest.mark.parametrize(("spec", "names"), ASKED)
def test_only_claiming_libraries_are_asked_about_iris(monkeypatch, spec, names):
    monkeypatch.setattr(results_page, "available_adapters", lambda: [find("urllib"), find("iri-string")])
    assert results_page.libraries_to_name(spec) == names


def test_a_library_has_one_page():
    names = list(chain.from_iterable(results_page.NEAR.values()))
    assert len(set(names)) == len(names)


def test_the_first_page_links_to_the_pages_of_libraries(monkeypatch):
    monkeypatch.setattr(results_page, "NEAR", {"rfc3987": ("oxiri", "iref")})
    assert results_page._rows_of_libraries() == (
        "| [oxiri](libraries/oxiri.md), [iref](libraries/iref.md) |"
        " they nearly do what RFC 3987 says: every wrong answer, by class |"
    )
