"""The record types: what they refuse, as the published schemas do; operations; flags."""

from __future__ import annotations

import copy
import io
import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

from urlharness.adapters import reference
from urlharness.adapters.registry import InProcess
from urlharness.corpus import model
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load, load_classes
from urlharness.corpus.model import (
    FLAGS,
    INPUTS,
    LAYERS,
    OPERATIONS,
    Corpus,
    CorpusError,
    FlagFile,
    RequirementFile,
    Vector,
    VectorFile,
    corpus_dir,
    derive_flags,
    explain_flags,
    load_flags,
)
from urlharness.protocol import messages
from urlharness.protocol.limits import Limits
from urlharness.report import junit, terminal
from urlharness.report.html import cases, page
from urlharness.results.model import AskedVector, Header, Participant, Result, ResultsWriter, read_results
from urlharness.results.scores import scores_by_spec
from urlharness.runner import run

SCHEMAS = sorted(path.name.partition(".")[0] for path in (corpus_dir() / "schemas").iterdir())


def schema(name: str) -> dict[str, Any]:
    """Return the published schema of this name."""
    return json.loads((corpus_dir() / "schemas" / f"{name}.schema.json").read_bytes())


VECTORS = Draft202012Validator(schema("vectors"))
REQUIREMENTS = Draft202012Validator(schema("requirements"))

VECTOR = {
    "id": "rfc3986-3.3-x",
    "requirement": "rfc3986-3.3-y",
    "level": "grammar",
    "op": "validate",
    "rule": "URI",
    "url": "a:b",
    "expect": {"valid": True},
    "binding": "required",
}
REQUIREMENT = {
    "id": "rfc3986-3.3-y",
    "section": "3.3",
    "paragraph": 1,
    "digest": "0123456789ab",
    "level": "must",
    "statement": "A path has segments.",
}
FILE = {"schema": "urlvectors-1", "spec": "rfc3986", "section": "3.3", "title": "Path", "vectors": [VECTOR]}
CATALOGUE = {"schema": "urlrequirements-1", "spec": "rfc3986", "requirements": [REQUIREMENT]}


def with_vector(**fields: Any) -> dict[str, Any]:
    """Return the sample file, its vector with other fields; `...` takes one away."""
    entry = {name: field for name, field in (VECTOR | fields).items() if field is not ...}
    return FILE | {"vectors": [entry]}


def with_requirement(**fields: Any) -> dict[str, Any]:
    """Return the sample catalogue, its requirement with other fields; `...` takes one away."""
    entry = {name: field for name, field in (REQUIREMENT | fields).items() if field is not ...}
    return CATALOGUE | {"requirements": [entry]}


def decodes(document: object, kind: type) -> bool:
    """Tell whether the loader reads a document as a file of this kind."""
    try:
        msgspec.json.decode(json.dumps(document), type=kind)
    except msgspec.ValidationError:
        return False
    return True


def test_schemas_are_published():
    assert {"protocol", "requirements", "results", "vectors"} <= set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_of_draft_2020_12(name):
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_valid(name):
    schema_of_schemas = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert [error.message for error in schema_of_schemas.iter_errors(schema(name))] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_has_its_name_and_version_as_id(name):
    """A file without a number has the first version of its schema."""
    name_and_version = name if name[-1].isdigit() else f"{name}-1"
    assert schema(name)["$id"] == f"urn:urlconform:schema:url{name_and_version}"


VIEW = {"user": None, "cwd": ["", {"hex": "ff"}], "fields": [["a", {"hex": "00"}]], "local": True}


def asks(op: str, expect: object, **fields: Any) -> dict[str, Any]:
    """Return the sample file with another question: neither rule nor url but those given."""
    return with_vector(**{"op": op, "rule": ..., "url": ..., "expect": expect, **fields})


COMPONENTS = {"scheme": None, "path": "", "fieldspecs": [["a", "b"]]}
ANY = [{"result": "a"}, {"same_document": True, "variant": "same-document"}, {"valid": False}]

VALID_DOCUMENTS = [
    pytest.param(FILE, id="sample"),
    pytest.param(with_vector(expect={"valid": False, "at": 0, "rules": ["URI"]}), id="rejection"),
    pytest.param(with_vector(url={"hex": "00ff"}), id="octets"),
    pytest.param(with_vector(profile="prose", comment="x", **{"class": "y"}, ruling="G-06"), id="all-fields"),
    pytest.param(with_vector(op="parse", rule=..., expect={"components": COMPONENTS}), id="components"),
    pytest.param(with_vector(op="normalize", rule=..., mode="scheme", expect={"result": ""}), id="normalize"),
    pytest.param(
        with_vector(op="resolve", rule=..., url=..., base="a:b", reference="", expect={"any": ANY}), id="any"
    ),
    pytest.param(
        with_vector(op="recompose", rule=..., url=..., components=COMPONENTS, expect={"result": ""}),
        id="recompose",
    ),
    pytest.param(asks("extract", {"urls": [["a:b", "a:-b"], ["c:d"]]}, text="a\nb"), id="extract"),
    pytest.param(asks("extract", {"urls": []}, text={"hex": "ff"}), id="extract-nothing"),
    pytest.param(
        asks("equivalent", {"any": [{"equal": True}, {"equal": False, "variant": "x"}]}, url="", other="a:b"),
        id="equivalent",
    ),
    pytest.param(asks("decode", {"decoded": VIEW}, url="a:b"), id="decode"),
    pytest.param(asks("decode", {"valid": False, "at": 1}, url="a:b"), id="decode-invalid"),
    pytest.param(asks("base", {"base": "a:b"}, embedded="", default={"hex": "00"}), id="base"),
    pytest.param(asks("base", {"base": None}, retrieval=None), id="base-of-null-layers"),
    pytest.param(asks("base", {"base": ""}), id="base-of-no-layers"),
    pytest.param(asks("base", {"base": "a:b"}, header="Base:", embedded=None), id="base-of-a-header"),
]

INVALID_DOCUMENTS = [
    pytest.param([], id="list"),
    pytest.param("file", id="text"),
    pytest.param(FILE | {"schema": "urlvectors-3"}, id="other-version"),
    pytest.param(FILE | {"spec": "1"}, id="other-spec"),
    pytest.param(FILE | {"extra": 1}, id="unknown-field-of-file"),
    pytest.param(FILE | {"vectors": []}, id="no-vectors"),
    pytest.param(FILE | {"vectors": [3]}, id="vector-that-is-a-number"),
    pytest.param({name: field for name, field in FILE.items() if name != "section"}, id="no-section"),
    pytest.param(with_vector(extra=1), id="unknown-field"),
    pytest.param(with_vector(id=...), id="no-id"),
    pytest.param(with_vector(id=7), id="id-that-is-a-number"),
    pytest.param(with_vector(level="maybe"), id="unknown-level"),
    pytest.param(with_vector(op="guess"), id="unknown-operation"),
    pytest.param(asks("extract", {"urls": []}), id="extract-without-text"),
    pytest.param(asks("extract", {"urls": []}, text=None), id="extract-of-null"),
    pytest.param(asks("extract", {"urls": [[]]}, text=""), id="url-without-reading"),
    pytest.param(asks("extract", {"urls": ["a:b"]}, text=""), id="url-that-is-a-text"),
    pytest.param(asks("extract", {"urls": None}, text=""), id="null-urls"),
    pytest.param(asks("equivalent", {"equal": True}, url="a:b"), id="equivalent-to-nothing"),
    pytest.param(asks("equivalent", {"equal": 1}, url="a:b", other="a:b"), id="equal-that-is-a-number"),
    pytest.param(asks("decode", {"decoded": VIEW}), id="decode-without-url"),
    pytest.param(asks("decode", {"decoded": {"port": 80}}, url=""), id="decoded-number"),
    pytest.param(asks("decode", {"decoded": {"cwd": [None]}}, url=""), id="null-in-a-decoded-list"),
    pytest.param(asks("decode", {"decoded": {"fields": [["a"]]}}, url=""), id="half-a-decoded-pair"),
    pytest.param(asks("decode", {"decoded": {"name": {"hex": "f"}}}, url=""), id="half-a-decoded-octet"),
    pytest.param(asks("base", {"base": {"hex": "00"}}), id="expected-base-in-octets"),
    pytest.param(asks("base", {"base": None, "valid": True}), id="base-and-verdict"),
    pytest.param(asks("base", {"base": None}, header="Base:", default=""), id="header-and-layer"),
    pytest.param(asks("base", {"base": None}, header=None), id="null-header"),
    pytest.param(asks("base", {"base": None}, embedded=1), id="layer-that-is-a-number"),
    pytest.param(with_vector(binding="profile"), id="unknown-binding"),
    pytest.param(with_vector(profile="loose"), id="unknown-profile"),
    pytest.param(with_vector(mode="loose"), id="unknown-mode"),
    pytest.param(with_vector(rule=...), id="validate-without-rule"),
    pytest.param(with_vector(url=...), id="validate-without-url"),
    pytest.param(with_vector(op="parse", url=..., expect={"result": ""}), id="parse-without-url"),
    pytest.param(
        with_vector(op="resolve", base="a:b", expect={"result": ""}), id="resolve-without-reference"
    ),
    pytest.param(with_vector(op="recompose", expect={"result": ""}), id="recompose-without-components"),
    pytest.param(with_vector(url=None), id="null-url"),
    pytest.param(with_vector(url={"hex": "0"}), id="half-an-octet"),
    pytest.param(with_vector(url={"hex": "FF"}), id="upper-case-hex"),
    pytest.param(with_vector(url={"hex": ""}), id="no-octets"),
    pytest.param(with_vector(url={"hex": "00", "x": 1}), id="hex-and-more"),
    pytest.param(with_vector(expect=True), id="bare-verdict"),
    pytest.param(with_vector(expect={}), id="no-answer"),
    pytest.param(with_vector(expect={"valid": 1}), id="verdict-that-is-a-number"),
    pytest.param(with_vector(expect={"valid": True, "result": "a"}), id="two-answers"),
    pytest.param(with_vector(expect={"valid": False, "at": -1}), id="negative-offset"),
    pytest.param(with_vector(expect={"valid": False, "at": 0.5}), id="broken-offset"),
    pytest.param(with_vector(expect={"result": "a", "at": 1}), id="offset-without-verdict"),
    pytest.param(with_vector(expect={"valid": False, "rules": ["URI"]}), id="rules-without-offset"),
    pytest.param(with_vector(expect={"result": None}), id="null-result"),
    pytest.param(with_vector(expect={"components": {"port": 80}}), id="component-that-is-a-number"),
    pytest.param(with_vector(expect={"components": {"fieldspecs": [["a"]]}}), id="half-a-pair"),
    pytest.param(with_vector(expect={"components": {"fieldspecs": [["a", "b", "c"]]}}), id="a-triple"),
    pytest.param(with_vector(expect={"any": [{"valid": True}]}), id="any-of-one"),
    pytest.param(with_vector(expect={"any": ANY, "valid": True}), id="any-and-more"),
    pytest.param(with_vector(expect={"any": [{"any": ANY}, {"valid": True}]}), id="any-in-any"),
    pytest.param(with_vector(expect={"variant": "x"}), id="variant-alone"),
]

#: What only the published schema refuses: spellings, which lint keeps and the loader does not need.
SPELLINGS = [
    pytest.param(with_vector(id="no id of ours"), id="id"),
    pytest.param(with_vector(requirement="rfc1"), id="requirement"),
    pytest.param(with_vector(rule=""), id="rule"),
    pytest.param(with_vector(ruling="R-1"), id="ruling"),
    pytest.param(with_vector(comment="x" * 201), id="comment"),
    pytest.param(with_vector(**{"class": "No Class"}), id="class"),
    pytest.param(FILE | {"title": "x" * 81}, id="title"),
    pytest.param(with_vector(expect={"components": {}}), id="components"),
    pytest.param(with_vector(expect={"decoded": {}}), id="decoded"),
    pytest.param(with_vector(expect={"valid": False, "at": 1, "rules": []}), id="rules"),
]

INVALID_CATALOGUES = [
    pytest.param(CATALOGUE | {"schema": "urlvectors-1"}, id="other-schema"),
    pytest.param(CATALOGUE | {"requirements": []}, id="empty"),
    pytest.param(CATALOGUE | {"extra": 1}, id="unknown-field-of-file"),
    pytest.param(with_requirement(extra=1), id="unknown-field"),
    pytest.param(with_requirement(digest=...), id="no-digest"),
    pytest.param(with_requirement(paragraph="1"), id="paragraph-that-is-a-text"),
    pytest.param(with_requirement(paragraph=-1), id="negative-paragraph"),
    pytest.param(with_requirement(paragraph=[1, "2"]), id="paragraphs-not-numbers"),
    pytest.param(with_requirement(level="maybe"), id="unknown-level"),
    pytest.param(with_requirement(testable="maybe"), id="unknown-testable"),
    pytest.param(with_requirement(statement=None), id="null-statement"),
]


@pytest.mark.parametrize("document", VALID_DOCUMENTS)
def test_schema_and_types_accept_a_document(document):
    assert VECTORS.is_valid(document)
    assert decodes(document, VectorFile)


@pytest.mark.parametrize("document", INVALID_DOCUMENTS)
def test_schema_and_types_refuse_a_document(document):
    assert not VECTORS.is_valid(document)
    assert not decodes(document, VectorFile)


@pytest.mark.parametrize("document", SPELLINGS)
def test_only_the_schema_refuses_a_wrong_spelling(document):
    assert not VECTORS.is_valid(document)
    assert decodes(document, VectorFile)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(CATALOGUE, id="sample"),
        pytest.param(
            with_requirement(paragraph=[2, 3], testable="no", reason="why", ruling="G-01"), id="all-fields"
        ),
    ],
)
def test_schema_and_types_accept_a_catalogue(document):
    assert REQUIREMENTS.is_valid(document)
    assert decodes(document, RequirementFile)


@pytest.mark.parametrize("document", INVALID_CATALOGUES)
def test_schema_and_types_refuse_a_catalogue(document):
    assert not REQUIREMENTS.is_valid(document)
    assert not decodes(document, RequirementFile)


@pytest.mark.parametrize("name", list(VECTOR))
def test_schema_and_types_refuse_a_vector_without_a_field(name):
    document = copy.deepcopy(FILE)
    del document["vectors"][0][name]
    assert not VECTORS.is_valid(document)
    assert not decodes(document, VectorFile)


HELLO = {"implementation": {"name": "x", "version": "1"}, "protocol": 1, "specs": []}


def test_the_table_of_operations_names_every_operation():
    assert set(OPERATIONS) == set(get_args(model.Operation))


def test_inputs_are_fields_of_vectors_and_questions():
    assert set(INPUTS) <= set(model.Vector.__struct_fields__)
    assert set(INPUTS) <= set(messages.Question.__struct_fields__)


def test_the_table_of_operations_names_every_kind_of_answer():
    answers = frozenset().union(*(operation.answers for operation in OPERATIONS.values()))
    fields_beside_an_answer = {"at", "rules", "variant", "any"}
    assert answers == set(model.Expected.__struct_fields__) - fields_beside_an_answer


def test_the_layers_of_a_base_are_inputs():
    assert set(LAYERS) < set(INPUTS)


def test_the_schema_of_vectors_names_every_operation():
    assert set(schema("vectors")["$defs"]["vector"]["properties"]["op"]["enum"]) == set(OPERATIONS)


@pytest.mark.parametrize(("name", "kind"), [("vectors", "vector"), ("protocol", "question")])
def test_a_schema_has_every_input(name, kind):
    assert set(INPUTS) <= schema(name)["$defs"][kind]["properties"].keys()


#: The inputs that are conditions of a question; the others are its texts.
CONDITIONS = ["rule", "profile", "mode"]


def test_the_inputs_begin_with_the_conditions_of_a_question():
    assert list(INPUTS)[: len(CONDITIONS)] == CONDITIONS


def test_the_page_names_the_conditions_of_a_question():
    """Its script takes every other input for a text."""
    listed = re.search(r"const CONDITIONS = (\[[^]]*\])", page.script_source())
    assert json.loads(listed[1]) == CONDITIONS


def test_what_an_operation_needs_is_a_text_but_for_the_rule():
    needed = set().union(*(operation.needs for operation in OPERATIONS.values()))
    assert needed.isdisjoint({*CONDITIONS} - {"rule"})
    assert needed <= set(INPUTS)


def examples() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the questions of the page on the protocol, each with the reply printed below it."""
    text = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")
    conversation = re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]
    _, *lines = re.split(r"^(?:->|<-) ", conversation, flags=re.MULTILINE)
    printed = [json.loads(line) for line in lines]
    replies = {message["id"]: message for message in printed if "status" in message}
    questions = [message for message in printed if message.get("type") == "run"]
    return [(question, replies[question["id"]]) for question in questions]


@pytest.mark.parametrize(("question", "reply"), examples(), ids=lambda message: str(message.get("op", "")))
def test_the_reference_answers_as_the_page_on_the_protocol_shows(question, reply):
    answer = reference.answer(question)
    expected_answer = {name: field for name, field in reply.items() if name not in ("id", "message")}
    assert {name: answer.get(name) for name in expected_answer} == expected_answer


#: The field of a reply with what a vector expects, if it has another name.
FIELDS_OF_REPLIES = {"result": "url", "valid": "status"}


@pytest.mark.parametrize("op", OPERATIONS)
def test_the_examples_show_some_answer_to_each_operation(op):
    shown_fields = set()
    for _, reply in examples():
        shown_fields |= reply.keys()
    kinds = OPERATIONS[op].answers - {"same_document"}  # which only the reference answers
    assert {FIELDS_OF_REPLIES.get(kind, kind) for kind in kinds} <= shown_fields


GOPHER = "gopher://h/1sel%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A"


#: RFC 1738, section 3.4.9 leaves out the tab that section 3.4.3 puts before an empty search string.
GOPHER_QUESTION = {"op": "decode", "spec": "rfc1738", "url": GOPHER}


def test_the_other_request_of_a_gopher_form_has_one_tab_and_no_line_end():
    """R-1738-44."""
    reply = reference.answer(GOPHER_QUESTION)
    (other_view,) = reply["also"]
    assert reply["decoded"]["request"] == "sel\t\t+\t1\r\n+-1\r\none\r\n.\r\n"
    assert other_view["request"] == "sel\t+\t1\r\n+-1\r\none\r\n."


def test_the_other_view_of_a_gopher_form_differs_only_in_its_request():
    reply = reference.answer(GOPHER_QUESTION)
    (other_view,) = reply["also"]
    assert {**other_view, "request": ""} == {**reply["decoded"], "request": ""}


def test_other_views_are_in_the_reply_and_not_in_the_view():
    reply = reference.answer(GOPHER_QUESTION)
    assert "also" in reply
    assert "also" not in reply["decoded"]


def test_a_reply_with_other_views_is_one_of_the_protocol():
    reply = msgspec.convert({**reference.answer(GOPHER_QUESTION), "id": 1}, messages.Reply)
    assert reply.status == "ok"


#: For each operation a question, its expectation, and a wrong answer.
OPERATION_CASES = {
    "rfc3986-C-extract": (
        {"op": "extract", "text": "see <http://a/>\nand <b:c>", "expect": {"urls": [["http://a/"], ["b:c"]]}},
        {"urls": [["b:c"], ["http://a/"]]},
    ),
    "rfc3986-6.2-equivalent": (
        {"op": "equivalent", "url": "A:b", "other": "a:b", "expect": {"equal": True}},
        {"equal": False},
    ),
    "rfc1738-3.2-decode": (
        {"op": "decode", "url": "ftp://h/%2Fa/%FF", "expect": {"decoded": {"cwd": ["/a"], "port": None}}},
        {"decoded": {"cwd": ["a"], "port": None}},
    ),
    "rfc3986-5.1-base": (
        {"op": "base", "embedded": "x", "default": "http://a/b", "expect": {"base": "http://a/x"}},
        {"base": "x"},
    ),
    "rfc1808-3.1-header": (
        {"op": "base", "header": "Base: <URL:a:b>", "expect": {"base": "a:b"}},
        {"base": None},
    ),
    "rfc1808-3.1-no-header": (
        {"op": "base", "header": "Base: <a:b>", "expect": {"valid": False, "at": 7}},
        {"base": "a:b"},
    ),
}


@pytest.fixture
def results_of_answers(tmp_path):
    """Return a function that puts the cases to a function, and returns their results."""

    def call(answer, ops=tuple(OPERATIONS), name="mine"):
        cases = []
        for identifier, (fields, _) in OPERATION_CASES.items():
            spec, section, _ = identifier.split("-", 2)
            fixed = {"id": identifier, "requirement": "rfc1-1-x", "level": "must", "binding": "required"}
            vector = msgspec.convert({**fixed, **fields}, model.Vector)
            cases.append(model.Case(spec, section, vector, "x.json"))
        path = tmp_path / "r.jsonl"
        header = Header("urlresults-1", "1", "0", (), "2026-01-01T00:00:00+00:00", "here", "3")
        writer = ResultsWriter(path.open("wb"), header)
        requirement = model.Requirement("rfc1-1-x", "1", 1, "0" * 12, "must", "It is so.")
        for case in cases:
            writer.write(AskedVector(case, requirement))
        run(
            InProcess(name, lambda: ({**HELLO, "ops": list(ops), "features": ["absent-vs-empty"]}, answer)),
            cases,
            writer,
            Limits(),
        )
        writer.close()
        return read_results(path)

    return call


def outcomes(results) -> set[str]:
    """Return the outcomes that the adapter `mine` has in these results."""
    return {answer.outcome for answer in results.of("mine").values()}


@pytest.fixture
def results_of_reference(results_of_answers):
    """The results of the reference adapter."""
    return results_of_answers(reference.answer, name="reference")


def test_the_reference_passes_every_operation(results_of_reference):
    assert {answer.outcome for answer in results_of_reference.of("reference").values()} == {"pass"}


def test_the_reference_has_the_best_score_under_every_rfc(results_of_reference):
    scores = [row["reference"] for row in scores_by_spec(results_of_reference).values()]
    assert {score.results.value for score in scores} == {1}


def test_the_reference_complies_with_every_rfc(results_of_reference):
    scores = [row["reference"] for row in scores_by_spec(results_of_reference).values()]
    assert {score.complies for score in scores} == {True}


def wrong_answer(question: dict[str, Any]) -> dict[str, Any]:
    """Return the wrong answer to each question."""
    for fields, answer in OPERATION_CASES.values():
        if all(question.get(name) == fields.get(name) for name in INPUTS):
            return {"status": "ok", **answer}
    raise AssertionError(question)


def test_a_wrong_answer_to_every_operation_fails(results_of_answers):
    assert outcomes(results_of_answers(wrong_answer)) == {"fail"}


def test_an_adapter_of_wrong_answers_has_the_lowest_score_under_every_rfc(results_of_answers):
    scores = [row["mine"] for row in scores_by_spec(results_of_answers(wrong_answer)).values()]
    assert {score.results.value for score in scores} == {0}


def test_an_operation_with_wrong_answers_is_covered(results_of_answers):
    scores = [row["mine"] for row in scores_by_spec(results_of_answers(wrong_answer)).values()]
    assert {score.coverage.value for score in scores} == {1}


ANSWERS_OF_ANOTHER_SHAPE = {
    "extract": {"urls": ["a:b"]},
    "equivalent": {"equal": 1},
    "decode": {"decoded": []},
    "base": {"base": 1},
}


def test_answers_of_another_shape_are_garbage(results_of_answers):
    results = results_of_answers(
        lambda question: {"status": "ok", **ANSWERS_OF_ANOTHER_SHAPE[question["op"]]}
    )
    assert outcomes(results) == {"garbage"}


@pytest.fixture
def results_without_operations(results_of_answers):
    """The results of an adapter that offers none of the operations that are asked."""
    return results_of_answers(wrong_answer, ops=("validate", "parse", "resolve", "recompose", "normalize"))


def test_an_operation_that_is_not_offered_is_unsupported(results_without_operations):
    """The wrong answers are not given, so it is not asked."""
    assert outcomes(results_without_operations) == {"unsupported"}


def test_operations_that_are_not_offered_have_no_score(results_without_operations):
    scores = [row["mine"] for row in scores_by_spec(results_without_operations).values()]
    assert {score.results.value for score in scores} == {None}


def test_operations_that_are_not_offered_are_not_covered(results_without_operations):
    scores = [row["mine"] for row in scores_by_spec(results_without_operations).values()]
    assert {score.coverage.value for score in scores} == {0}


NORMAL = "rfc1808/5.1-normal.json"
CLASSES = {"rare": ("interop", "edge"), "hostile": ("security",), "plain": ("basic",)}


def vector_with(**fields: object) -> Vector:
    """Return the sample vector with other fields."""
    return msgspec.convert({**VECTOR, **fields}, Vector)


FLAG_RULE = [
    pytest.param({}, "", id="a-plain-statement"),
    pytest.param({"level": "example"}, "basic", id="printed-by-the-rfc"),
    pytest.param({"binding": "impl-defined"}, "edge", id="no-single-answer"),
    pytest.param({"binding": "permitted-set", "level": "example"}, "edge", id="binding-before-level"),
    pytest.param({"origin": "mutant"}, "edge", id="witness"),
    pytest.param({"origin": "mutant", "class": "hostile"}, "security edge", id="witness-and-class"),
    pytest.param({"class": "rare"}, "interop edge", id="class"),
    pytest.param({"class": "rare", "level": "example"}, "interop edge", id="class-before-level"),
    pytest.param({"class": "hostile", "level": "example"}, "security", id="hostile-example-is-not-basic"),
    pytest.param({"class": "hostile", "binding": "unspecified"}, "security edge", id="class-and-binding"),
    pytest.param({"class": "plain", "binding": "unspecified"}, "basic", id="basic-stays"),
    pytest.param({"flags": ["legacy"]}, "legacy", id="own"),
    pytest.param({"flags": ["legacy"], "level": "example"}, "legacy basic", id="own-and-level"),
    pytest.param({"flags": ["edge"], "level": "example"}, "edge", id="own-before-level"),
    pytest.param({"flags": ["basic"], "class": "hostile"}, "security basic", id="own-and-class"),
    pytest.param({"class": "unknown"}, "", id="class-without-flags"),
]


@pytest.mark.parametrize(("fields", "flags"), FLAG_RULE)
def test_flags_follow_from_class_binding_and_level(fields, flags):
    assert derive_flags(vector_with(**fields), CLASSES) == tuple(flags.split())


def test_an_unknown_flag_is_refused():
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value 'odd'"):
        vector_with(flags=["odd"])


def test_every_flag_is_explained():
    assert list(load_flags()) == list(FLAGS)


def test_every_flag_is_used(corpus: Corpus):
    used_flags = set()
    for case in corpus.cases:
        used_flags.update(case.flags)
    assert used_flags == set(FLAGS)


def test_a_case_has_the_flags_of_its_vector(corpus: Corpus):
    cases = [case for case in corpus.cases if case.vector.flags]
    assert cases != []
    assert [case.vector.id for case in cases if not set(case.flags).issuperset(case.vector.flags)] == []


def test_a_case_has_the_flags_of_its_class(corpus: Corpus):
    classes = load_classes()
    cases = [case for case in corpus.cases if case.vector.class_]
    assert cases != []
    for case in cases:
        assert set(case.flags).issuperset(classes[case.vector.class_].flags), case.vector.id


def test_no_case_is_both_basic_and_edge(corpus: Corpus):
    assert [case.vector.id for case in corpus.cases if {"basic", "edge"} <= set(case.flags)] == []


FLAG_TABLE = corpus_dir() / "flags.json"


def test_the_table_of_flags_meets_its_schema():
    assert Draft202012Validator(schema("flags")).is_valid(json.loads(FLAG_TABLE.read_bytes()))


def test_the_table_of_flags_has_every_flag_in_order():
    document = json.loads(FLAG_TABLE.read_bytes())
    assert [entry.id for entry in msgspec.convert(document, FlagFile).flags] == list(FLAGS)


def test_the_table_of_flags_is_written_canonically():
    assert FLAG_TABLE.read_text("ascii") == canonical_text(json.loads(FLAG_TABLE.read_bytes()))


@pytest.mark.parametrize("name", ["vectors", "classes", "flags"])
def test_schemas_and_types_know_the_same_flags(name):
    text = (corpus_dir() / "schemas" / f"{name}.schema.json").read_text("utf-8")
    assert json.dumps(list(FLAGS)) in text


def test_a_corpus_without_classes_has_flags_of_its_own(part, change):
    name = change(part / NORMAL, flags=["security"])
    (part / "classes.json").unlink()
    cases = {case.vector.id: case for case in load(part).cases}
    assert cases[name].flags == ("security", "basic")


def test_classes_that_cannot_be_read_are_one_error(part):
    (part / "classes.json").write_text('{"classes": [{"id": "x", "flags": ["odd"]}]}')
    with pytest.raises(
        CorpusError, match=r"/classes\.json: Invalid enum value 'odd' - at `\$\.classes\[0\]\.flags"
    ):
        load(part)


def test_a_flag_is_explained_by_its_effect():
    assert explain_flags(["basic"]) == [f"basic: {load_flags()['basic'].effect}"]


def test_an_unknown_flag_is_not_explained():
    assert explain_flags(["odd"]) == ["odd"]


@pytest.fixture
def failing_results(make_case, record, tmp_path):
    """The path of results in which a case with the flags `security` and `edge` fails."""
    case = msgspec.structs.replace(make_case("rfc3986-3.3-x"), flags=("security", "edge"))
    record([case], Participant("made-up", "ran"), Result(case.vector.id, "made-up", "fail", detail="no"))
    return tmp_path / "results.jsonl"


def test_a_results_file_has_the_flags_of_a_case(failing_results):
    _header, vector_line, *_ = failing_results.read_bytes().splitlines()
    assert json.loads(vector_line)["case"]["flags"] == ["security", "edge"]


def test_results_have_the_flags_of_a_case(failing_results):
    assert read_results(failing_results).vectors["rfc3986-3.3-x"].case.flags == ("security", "edge")


def test_junit_has_the_flags_of_a_failing_case(failing_results):
    assert "flags: security, edge\n" in junit.render(read_results(failing_results))


def test_the_terminal_explains_the_flags_of_a_failing_case(failing_results):
    stream = io.StringIO()
    terminal.print_first_failures(Console(file=stream, width=200), read_results(failing_results), "made-up")
    assert "  flags      security, edge\n" in stream.getvalue()
    assert f"security: {load_flags()['security'].effect}\n" in stream.getvalue()


def test_the_data_of_the_page_explain_the_flags_of_a_failing_case(failing_results):
    document = json.loads(cases.data_blocks(read_results(failing_results), {}).listed)
    (row,) = document["cases"]
    assert document["flagsets"][cases.ListedCase(*row).flags] == ["security", "edge"]
    assert document["flags"]["security"] == load_flags()["security"].effect


def test_results_without_flags_are_read(failing_results):
    """Results that an earlier version wrote."""
    head, vector_line, *_ = failing_results.read_bytes().splitlines(keepends=True)
    record = json.loads(vector_line)
    del record["case"]["flags"]
    failing_results.write_bytes(head + json.dumps(record).encode() + b"\n")
    assert [vector.case.flags for vector in read_results(failing_results).vectors.values()] == [()]


def test_a_file_that_is_nested_too_deeply_is_an_error(tmp_path):
    (tmp_path / "a.json").write_bytes(b'{"vectors":[{"expect":' + b'{"any":[' * 100_000)
    with pytest.raises(CorpusError, match=r"a\.json: nested too deeply"):
        model.decode_file(tmp_path / "a.json", VectorFile)
