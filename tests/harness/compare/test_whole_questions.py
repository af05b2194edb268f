"""Tests of `urlharness.compare.whole_questions`: the whole texts of abbreviated questions."""

from __future__ import annotations

import hashlib
import re

import pytest
from msgspec import structs

from urlharness.compare.browsers import browser_reading
from urlharness.compare.questions import parse_cases
from urlharness.compare.rfc_answers import rfc_answers
from urlharness.compare.whole_questions import abbreviated_answer, whole_result, whole_vector
from urlharness.corpus.lock import abbreviated_case
from urlharness.corpus.longtext import abbreviation
from urlharness.panel.answer import Answer
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome

LONG = "http://h/" + "a" * 2000


@pytest.fixture
def long_case(corpus):
    """A case whose URL results abbreviate."""
    parsed = (case for case in corpus.cases if case.vector.op == "parse" and case.spec == "rfc3986")
    return next(case for case in parsed if abbreviated_case(case) is not case)


def test_an_abbreviated_question_is_found_in_the_corpus(long_case):
    assert whole_vector(abbreviated_case(long_case)) == long_case.vector


def test_a_question_of_another_digest_is_not_known(long_case):
    other_case = structs.replace(abbreviated_case(long_case), digest="0" * 64)
    assert whole_vector(other_case) is None


def test_a_long_text_to_parse_is_found_in_the_question_that_validates_it(corpus):
    validated = next(case for case in corpus.cases if case.vector.id == "rfc3986-3.2.2-refused-1000-groups")
    (parsed,) = parse_cases([validated])
    assert whole_vector(abbreviated_case(parsed)) == parsed.vector


def test_rfcs_answer_an_abbreviated_question_as_the_whole_one(long_case):
    answers = rfc_answers(abbreviated_case(long_case))
    assert answers["rfc3986"]
    assert answers == rfc_answers(long_case)


def test_no_rfc_answers_a_question_that_is_not_known(long_case):
    assert rfc_answers(structs.replace(abbreviated_case(long_case), digest="")) == {}


def test_browsers_read_an_abbreviated_question_as_the_whole_one(long_case):
    assert browser_reading(abbreviated_case(long_case)) == browser_reading(long_case)


def test_long_texts_of_an_answer_are_abbreviated():
    answer = abbreviated_answer(Answer("url", text=LONG))
    digest = hashlib.sha256(LONG.encode()).hexdigest()
    assert re.fullmatch(rf"http://h/a+… \(2,009 characters, SHA-256 {digest}\)", answer.text)


def test_short_texts_of_an_answer_stay():
    answer = Answer("parsed", {"host": "h", "query": None})
    assert abbreviated_answer(answer) == answer


def test_bytes_beside_a_long_component_stay():
    not_utf8 = {"hex": "ff"}
    path = "/" + "a" * 2000
    got = {"status": "ok", "components": {"host": not_utf8, "path": abbreviation(path)}}
    judgement = Result("a-vector", "a-library", Outcome.FAIL, got=got)
    whole = whole_result(judgement, [LONG])
    assert whole.got["components"] == {"host": not_utf8, "path": path}
