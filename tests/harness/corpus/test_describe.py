"""Questions and answers in words, and the reports that show them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import msgspec
import pytest
from rich.console import Console

from urlharness.corpus.describe import describe_expected, describe_inputs, ruling_of_answer, show_value
from urlharness.corpus.loader import load
from urlharness.corpus.model import Expected, Hex
from urlharness.report import junit, terminal
from urlharness.report.html.answers import reply_marks
from urlharness.report.html.cases import data_blocks
from urlharness.results.model import Participant, Result

TEXT = {"op": "extract", "text": "see\n<a:b>", "expect": {"urls": [["a:b", "a:-b"], ["c:d"]]}}
PAIR = {"op": "equivalent", "url": "a:b", "other": "A:b", "mode": "scheme", "expect": {"equal": True}}
VIEW = {"op": "decode", "url": "ftp://h/a/%FF", "expect": {"decoded": {"cwd": ["a"], "name": {"hex": "ff"}}}}
LAYERS = {"op": "base", "embedded": "", "default": "a:b", "expect": {"base": None}}
HEADER = {"op": "base", "header": "Base: <URL:a:b>", "expect": {"valid": False, "at": 3}}

#: A question, its inputs and its expectation in words.
QUESTIONS = [
    pytest.param(TEXT, "text <see\n<a:b>>", "'a:b' or 'a:-b', 'c:d'", id="extract"),
    pytest.param(PAIR, "mode <scheme>, url <a:b>, other <A:b>", "equivalent", id="equivalent"),
    pytest.param(VIEW, "url <ftp://h/a/%FF>", "cwd ['a'], name bytes '\\xff'", id="decode"),
    pytest.param(LAYERS, "embedded <>, default <a:b>", "no base", id="base"),
    pytest.param(HEADER, "header <Base: <URL:a:b>>", "invalid at 3", id="header"),
    pytest.param(
        {"op": "base", "expect": {"base": ""}}, "layers none has a base", "the empty base", id="no-layers"
    ),
    pytest.param(
        {"op": "recompose", "components": {"path": "", "query": None}, "expect": {"result": ""}},
        "components path empty, query absent",
        "''",
        id="recompose",
    ),
    pytest.param(
        {"op": "extract", "text": {"hex": "ff"}, "expect": {"urls": []}},
        "text bytes '\\xff'",
        "no URL",
        id="extract-nothing",
    ),
    pytest.param(
        {**PAIR, "expect": {"any": [{"equal": False}, {"equal": True, "variant": "apart"}]}},
        "mode <scheme>, url <a:b>, other <A:b>",
        "different or equivalent (apart)",
        id="one-of-two-answers",
    ),
]


@pytest.fixture
def case_with(make_case):
    """Return a function that makes a case with these fields, and with no other rule or url."""

    def make(fields, identifier="rfc3986-3.3-x"):
        case = make_case(identifier, op="validate")
        vector = msgspec.to_builtins(case.vector)
        for name in ("rule", "url"):
            del vector[name]
        return msgspec.structs.replace(case, vector=msgspec.convert(vector | fields, type(case.vector)))

    return make


@pytest.mark.parametrize(("fields", "inputs", "expected"), QUESTIONS)
def test_a_question_is_described_by_its_inputs_and_its_expectation(case_with, fields, inputs, expected):
    vector = case_with(fields).vector
    assert ", ".join(f"{name} {text}" for name, text in describe_inputs(vector)) == inputs
    assert describe_expected(vector.expect) == expected


@pytest.mark.parametrize(
    ("component", "words"),
    [
        (None, "absent"),
        ("", "empty"),
        ([], "empty list"),
        ([""], "['']"),
        (["a", Hex("ff")], "['a', bytes '\\xff']"),
        ([("x=", "/"), ("y", Hex("00"))], "['x='='/', 'y'=bytes '\\u{0}']"),
        (True, "true"),
        (Hex("ff"), "bytes '\\xff'"),
        (Hex("c3bc"), "bytes 'ü'"),
    ],
)
def test_a_component_is_described_in_words(component, words):
    assert show_value(component) == words


#: An expectation of each kind, and its words.
EXPECTATIONS = {
    "valid": (Expected(valid=True), "valid"),
    "components": (Expected(components={"path": "", "query": None}), "path empty, query absent"),
    "result": (Expected(result="a"), "'a'"),
    "same_document": (Expected(same_document=True), "the same document"),
    "urls": (Expected(urls=(("a:b", "a:-b"), ("c:d",))), "'a:b' or 'a:-b', 'c:d'"),
    "equal": (Expected(equal=False), "different"),
    "decoded": (Expected(decoded={"name": "a", "type": None}), "name 'a', type absent"),
    "base": (Expected(base=None), "no base"),
}


def test_the_kinds_of_expectations_are_fields():
    fields_beside_an_answer = {"at", "rules", "variant", "any"}
    assert EXPECTATIONS.keys() == set(Expected.__struct_fields__) - fields_beside_an_answer


@pytest.mark.parametrize(("expected", "words"), EXPECTATIONS.values(), ids=EXPECTATIONS)
def test_every_kind_of_expectation_is_described(expected, words):
    assert describe_expected(expected) == words


@pytest.mark.parametrize("field", EXPECTATIONS)
def test_the_kind_of_an_expectation_is_the_field_that_it_has(field):
    expected, _ = EXPECTATIONS[field]
    assert expected.kind == field


class FailingAnswer(NamedTuple):
    """A question, a wrong answer, the detail of the verdict, and the question as it is printed."""

    fields: Mapping[str, Any]
    answer: Mapping[str, Any]
    detail: str
    printed: str


FAILING = [
    pytest.param(
        FailingAnswer(
            TEXT, {"urls": []}, detail="0 URLs found, not 2: no URL", printed="text <see\\u{a}<a:b>>"
        ),
        id="extract",
    ),
    pytest.param(
        FailingAnswer(PAIR, {"equal": False}, detail="got different", printed="other <A:b>"), id="equivalent"
    ),
    pytest.param(
        FailingAnswer(
            VIEW,
            {"decoded": {"cwd": [], "name": ""}},
            detail="cwd is empty list",
            printed="url <ftp://h/a/%FF>",
        ),
        id="decode",
    ),
    pytest.param(
        FailingAnswer(LAYERS, {"base": "c:d"}, detail="got 'c:d'", printed="embedded <>"), id="base"
    ),
]


@pytest.fixture
def results_of_failure(case_with, record):
    """Return a function that returns results in which one case fails, and the case."""

    def make(fields, answer, detail):
        case = case_with(fields)
        failure = Result(case.vector.id, "lib", "fail", detail=detail, got={"status": "ok", **answer})
        return record([case], Participant("lib", "ran"), failure), case

    return make


@pytest.mark.parametrize("row", FAILING)
def test_the_terminal_shows_question_expectation_and_answer(results_of_failure, row):
    """The question on one line."""
    results, case = results_of_failure(row.fields, row.answer, row.detail)
    stream = io.StringIO()
    terminal.print_first_failures(Console(file=stream, width=200), results, "lib")
    output = stream.getvalue()
    assert row.printed in output
    assert f"{describe_expected(case.vector.expect)}\n" in output
    assert row.detail.removeprefix("got ") in output


@pytest.mark.parametrize("row", FAILING)
def test_junit_shows_question_expectation_and_answer(results_of_failure, row):
    """The question on one line."""
    results, case = results_of_failure(row.fields, row.answer, row.detail)
    (failure,) = ET.fromstring(junit.render(results)).iter("failure")
    output = failure.text
    assert row.printed in output
    assert f"{describe_expected(case.vector.expect)}\n" in output
    assert row.detail.removeprefix("got ") in output


@pytest.mark.parametrize("row", FAILING)
def test_the_page_has_the_detail_of_a_failure(results_of_failure, row):
    results, _ = results_of_failure(row.fields, row.answer, row.detail)
    assert row.detail in data_blocks(results, {}).details.decode()


#: A decoded view; then the number of the nearest alternative, the wrong parts and the hidden ones.
MARKS = [
    pytest.param({"cwd": ["b"], "name": {"hex": "ff"}}, (0, ["cwd"], []), id="wrong"),
    pytest.param({"cwd": [{"hex": "61"}]}, (0, [], ["name"]), id="hidden"),
    pytest.param({"cwd": "a", "name": 5}, None, id="other-shape"),
]


@pytest.mark.parametrize(("decoded", "marks"), MARKS)
def test_parts_of_a_decoded_view_are_marked(case_with, decoded, marks):
    case = case_with(VIEW)
    answer = Result(case.vector.id, "lib", "fail", got={"decoded": decoded})
    assert reply_marks(case, answer, ("absent-vs-empty",)) == marks


@pytest.mark.parametrize("fields", [TEXT, PAIR, LAYERS], ids=lambda fields: fields["op"])
def test_answers_without_parts_have_no_marks(case_with, fields):
    case = case_with(fields)
    assert reply_marks(case, Result(case.vector.id, "lib", "fail"), ()) is None


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("identifier", "ruling"),
    [
        pytest.param("rfc3986-3.2.2-reg-name-underscore-twin", None, id="a-host-that-is-not-empty"),
        pytest.param("rfc3986-A-port-large", None, id="a-port-that-is-not-normalized"),
        pytest.param("rfc3986-2-pair-001", None, id="an-ascii-character"),
        pytest.param("rfc3986-2-pair-006", "G-07", id="a-character-outside-ascii"),
        pytest.param("rfc3986-5.2.2-absolute-ipv4-address-and-port", None, id="a-rooted-path"),
        pytest.param("rfc3986-3.2.2-pair-063", None, id="an-address-without-zeros"),
        pytest.param("rfc3986-3.2.2-pair-632", "R-3986-03", id="an-octet-with-a-zero"),
        pytest.param("rfc3986-7.6-misleading-encoded-at", None, id="a-user-without-a-password"),
        pytest.param("rfc3986-6.2.2.2-pair-022", "R-3986-45", id="a-default-port-with-zeros"),
        pytest.param("rfc3986-6.2.3-ex-mailto", "R-3986-30", id="a-mail-address"),
        pytest.param("rfc3986-A-uri-bracket-path", None, id="refused-by-every-rule"),
        pytest.param("rfc3986-1.1-uri-not-uri", "R-3986-28", id="refused-by-one-rule"),
        pytest.param("rfc3986-5-result-uri-empty-authority", None, id="two-slashes-after-an-authority"),
        pytest.param("rfc3986-5.2.1-scheme-only-empty", None, id="nothing-is-merged"),
        pytest.param("rfc3986-5.2.1-scheme-only-path", "R-3986-07", id="paths-are-merged"),
        pytest.param("rfc3986-D.1-brackets-brace", "R-2732-05", id="a-ruling-on-all-answers"),
    ],
)
def test_an_answer_names_only_the_rulings_on_which_it_rests(identifier, ruling):
    corpus = load()
    (vector,) = [case.vector for case in corpus.cases if case.vector.id == identifier]
    assert ruling_of_answer(vector, corpus.requirements[vector.requirement]) == ruling
