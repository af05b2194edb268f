"""A case of the bundle has its question, every admitted answer, and what the harness would look up."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import structs

from urlharness.bundle.cases import case_document, count_answers
from urlharness.corpus.lock import vector_digest
from urlharness.corpus.model import Case, Requirement, Vector

REQUIREMENT = Requirement("rfc3986-1-y", "1", 1, "", "must", "A statement.")
INPUTS = {
    "validate": {"rule": "URI", "url": "a:b"},
    "parse": {"url": "a:b"},
    "resolve": {"base": "a://h/p", "reference": "q"},
    "normalize": {"url": "a:b"},
    "extract": {"text": "<a:b>"},
    "decode": {"url": "ftp://h/a"},
    "base": {"embedded": "a:b"},
    "to_uri": {"url": "a:b"},
}


def case_of(op, expect, spec="rfc3986", binding="required", **fields):
    vector = {
        "id": f"{spec}-1-x",
        "requirement": f"{spec}-1-y",
        "level": "must",
        "op": op,
        "expect": expect,
        "binding": binding,
        **INPUTS[op],
        **fields,
    }
    return Case(spec, "1.2", msgspec.convert(vector, Vector), "1-x.json", ("edge",))


def document_of(op, expect, spec="rfc3986", binding="required", **fields):
    return case_document(case_of(op, expect, spec, binding, **fields), REQUIREMENT)


@pytest.mark.parametrize(
    ("paragraph", "paragraphs"),
    [
        pytest.param(3, [3], id="one"),
        pytest.param((2, 3), [2, 3], id="two"),
        pytest.param(0, [], id="unknown"),
    ],
)
def test_a_case_has_the_paragraphs_of_its_statement(paragraph, paragraphs):
    requirement = structs.replace(REQUIREMENT, paragraph=paragraph)
    document = case_document(case_of("validate", {"valid": True}), requirement)
    assert document["paragraphs"] == paragraphs


def test_a_case_has_every_field():
    case = case_of("validate", {"valid": True}, **{"class": "dots"})
    assert case_document(case, REQUIREMENT) == {
        "id": "rfc3986-1-x",
        "digest": vector_digest(case),
        "spec": "rfc3986",
        "section": "1.2",
        "requirement": "rfc3986-1-y",
        "statement": "A statement.",
        "paragraphs": [1],
        "level": "must",
        "binding": "required",
        "class": "dots",
        "flags": ["edge"],
        "op": "validate",
        "rule": "URI",
        "profile": "generic",
        "mode": None,
        "question": {"url": "a:b"},
        "answers": [{"variant": "", "kind": "accept"}],
        "may_reject": False,
        "unlisted": "fail",
        "ignore_case": False,
    }


@pytest.mark.parametrize(
    ("op", "spec", "fields", "name", "default"),
    [
        ("parse", "rfc1808", {}, "rule", "URL"),
        ("parse", "rfc1808", {"rule": "absoluteURL"}, "rule", "absoluteURL"),
        ("to_uri", "rfc3987", {}, "rule", None),
        ("parse", "rfc1738", {}, "profile", "scheme-specific"),
        ("validate", "rfc1738", {"rule": "httpurl"}, "profile", "generic"),
        ("validate", "rfc1738", {"rule": "url", "profile": "prose"}, "profile", "prose"),
        ("parse", "rfc3986", {}, "profile", "generic"),
        ("to_uri", "rfc3987", {}, "profile", None),
        ("normalize", "rfc3986", {}, "mode", "syntax"),
        ("normalize", "rfc3986", {"mode": "scheme"}, "mode", "scheme"),
        ("parse", "rfc3986", {}, "mode", None),
    ],
    ids=[
        "default-rule",
        "rule",
        "no-rule",
        "profile-of-schemes",
        "profile-of-a-rule",
        "profile",
        "generic-profile",
        "no-profile",
        "default-mode",
        "mode",
        "no-mode",
    ],
)
def test_defaults_of_a_question_are_written_out(op, spec, fields, name, default):
    expect = {"valid": True} if op in ("validate", "parse") else {"result": "a:b"}
    assert document_of(op, expect, spec, **fields)[name] == default


@pytest.mark.parametrize(
    ("fields", "question"),
    [
        ({"url": {"hex": "61ff"}}, {"url": {"hex": "61ff"}}),
        ({"url": ""}, {"url": ""}),
    ],
    ids=["bytes", "empty"],
)
def test_a_question_has_the_texts_of_the_protocol(fields, question):
    assert document_of("parse", {"valid": True}, **fields)["question"] == question


def test_a_question_has_only_the_layers_that_have_a_base():
    document = document_of("base", {"base": "a:b"}, embedded="", retrieval="a:b", default=None)
    assert document["question"] == {"embedded": "", "retrieval": "a:b"}


@pytest.mark.parametrize(
    ("op", "expect", "answer"),
    [
        ("validate", {"valid": True}, {"kind": "accept"}),
        ("validate", {"valid": False}, {"kind": "reject", "at": None, "rules": []}),
        (
            "validate",
            {"valid": False, "at": 3, "rules": ["URI"]},
            {"kind": "reject", "at": 3, "rules": ["URI"]},
        ),
        ("resolve", {"result": "a:b"}, {"kind": "url", "url": "a:b"}),
        ("resolve", {"same_document": True}, {"kind": "same_document"}),
        ("extract", {"urls": [["a:b", "a:c"]]}, {"kind": "urls", "urls": [["a:b", "a:c"]]}),
        ("base", {"base": None}, {"kind": "base", "base": None, "empty": []}),
        ("base", {"base": ""}, {"kind": "base", "base": "", "empty": ["base"]}),
    ],
    ids=["accept", "reject", "reject-at", "url", "same-document", "urls", "no-base", "empty-base"],
)
def test_an_answer_has_its_kind_and_a_field_of_this_name(op, expect, answer):
    assert document_of(op, expect)["answers"] == [{"variant": "", **answer}]


def test_every_admitted_answer_has_its_variant():
    admitted = {"any": [{"result": "a"}, {"result": "b", "variant": "later"}]}
    answers = document_of("normalize", admitted, binding="permitted-set")["answers"]
    assert [(answer["url"], answer["variant"]) for answer in answers] == [("a", ""), ("b", "later")]


COMPONENTS = {"scheme": "a", "path": "", "params": None, "query": "", "fragment": None}


@pytest.mark.parametrize(
    ("spec", "empty", "or_empty"),
    [
        ("rfc3986", ["query"], []),
        ("rfc1808", ["query"], ["fragment", "params"]),
        ("rfc1738", ["path", "query"], []),
    ],
    ids=["rfc3986", "rfc1808", "rfc1738"],
)
def test_an_answer_names_components_that_are_empty_or_may_be(spec, empty, or_empty):
    (answer,) = document_of("parse", {"components": COMPONENTS}, spec)["answers"]
    assert answer["components"] == COMPONENTS
    assert answer["empty"] == empty
    assert answer["or_empty"] == or_empty


def test_an_empty_request_is_not_among_the_empty_parts():
    decoded = {"scheme": "gopher", "selector": "", "request": ""}
    (answer,) = document_of("decode", {"decoded": decoded}, "rfc1738")["answers"]
    assert answer["empty"] == ["selector"]


@pytest.mark.parametrize(
    ("binding", "outcome"),
    [
        ("required", "fail"),
        ("permitted-set", "fail"),
        ("literal-only", "fail"),
        ("impl-defined", "variant"),
        ("unspecified", "variant"),
    ],
)
def test_the_binding_decides_about_unlisted_answers(binding, outcome):
    assert document_of("normalize", {"result": "a"}, binding=binding)["unlisted"] == outcome


def test_a_case_says_that_a_rejection_is_admitted():
    admitted = {"any": [{"result": "a"}, {"valid": False, "variant": "error"}]}
    assert document_of("normalize", admitted, binding="permitted-set")["may_reject"]


@pytest.mark.parametrize(
    ("op", "fields", "ignores"),
    [
        ("resolve", {"base": "HTTP://h/"}, True),
        ("resolve", {"base": "http://h/", "reference": "//H"}, True),
        ("resolve", {"base": "http://h/P"}, False),
        ("normalize", {"url": "HTTP://h/"}, False),
    ],
    ids=["scheme", "host", "path", "operation"],
)
def test_a_case_says_if_the_case_of_scheme_and_host_does_not_count(op, fields, ignores):
    assert document_of(op, {"result": "http://h/"}, **fields)["ignore_case"] is ignores


@pytest.mark.parametrize(
    ("expect", "count"),
    [
        ({"urls": []}, 1),
        ({"urls": [["a", "b"], ["c", "d", "e"]]}, 6),
        ({"any": [{"urls": [["a", "b"]]}, {"urls": [["c"]], "variant": "later"}]}, 3),
        ({"any": [{"result": "a"}, {"result": "b", "variant": "later"}]}, 2),
    ],
    ids=["no-url", "readings", "readings-of-answers", "answers"],
)
def test_each_choice_of_readings_is_an_answer(expect, count):
    op = "extract" if "urls" in str(expect) else "normalize"
    assert count_answers(case_of(op, expect, binding="permitted-set").vector) == count
