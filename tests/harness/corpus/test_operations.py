"""Every operation from the vector to the verdict: the table of them, the wire, right and wrong adapters."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.adapters.registry import InProcess
from urlharness.corpus import model
from urlharness.corpus.model import INPUTS, LAYERS, OPERATIONS
from urlharness.limits import Limits
from urlharness.protocol import messages
from urlharness.report.html import page
from urlharness.results.model import AskedVector, Header, ResultsWriter, read_results
from urlharness.results.scores import by_spec
from urlharness.runner import run

HELLO = {"implementation": {"name": "x", "version": "1"}, "protocol": 1, "specs": []}


def test_the_table_names_what_the_types_know():
    assert set(OPERATIONS) == set(get_args(model.Operation))
    assert set(INPUTS) <= set(model.Vector.__struct_fields__)
    assert set(INPUTS) <= set(messages.Question.__struct_fields__)
    answers = frozenset().union(*(operation.answers for operation in OPERATIONS.values()))
    assert answers == set(model.Expected.__struct_fields__) - {"at", "rules", "variant", "any"}
    assert set(LAYERS) < set(INPUTS)


def test_the_schemas_name_the_same():
    def schema(name: str) -> dict[str, Any]:
        return json.loads((model.corpus_dir() / "schemas" / f"{name}.schema.json").read_bytes())["$defs"]

    vector = schema("vectors")["vector"]["properties"]
    assert set(vector["op"]["enum"]) == set(OPERATIONS)
    assert set(INPUTS) <= set(vector)
    assert set(INPUTS) <= set(schema("protocol")["question"]["properties"])


def test_the_page_shows_every_input():
    """The script takes every input for a text of the question, but for the conditions that it names."""
    script = page.source()
    listed = re.search(r"const CONDITIONS = (\[[^]]*\])", script)
    assert json.loads(listed[1]) == list(INPUTS[:3])
    needed = {name for operation in OPERATIONS.values() for name in operation.needs}
    assert set(INPUTS[3:]) >= needed - {"rule"}


def examples() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The questions of the page on the protocol, each with the reply printed below it."""
    page = Path(__file__).parents[2] / "docs" / "protocol.md"
    block = re.search(r"```text\n(.*?)```", page.read_text("utf-8"), re.DOTALL)[1]
    messages = [json.loads(line) for line in re.split(r"^(?:->|<-) ", block, flags=re.MULTILINE)[1:]]
    replies = {message["id"]: message for message in messages if "status" in message}
    asked = [message for message in messages if message.get("type") == "run"]
    return [(message, replies[message["id"]]) for message in asked]


@pytest.mark.parametrize(("question", "reply"), examples(), ids=lambda message: str(message.get("op", "")))
def test_the_examples_of_the_protocol_are_true(question, reply):
    found = reference.answer(question)
    wanted = {name: value for name, value in reply.items() if name not in ("id", "message")}
    assert {name: found.get(name) for name in wanted} == wanted


def test_the_examples_show_every_new_kind_of_answer():
    shown = {name for _, reply in examples() for name in reply}
    assert {"components", "url", "urls", "equal", "decoded", "base"} <= shown


GOPHER = "gopher://h/1sel%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A"


def test_the_other_request_of_a_form_is_another_view():
    """RFC 1738, section 3.4.9 leaves out the tab that section 3.4.3 puts before an empty search string."""
    reply = reference.answer({"op": "decode", "spec": "rfc1738", "url": GOPHER})
    (other,) = reply["also"]
    assert "also" not in reply["decoded"]
    assert reply["decoded"]["request"].replace("\t\t", "\t") == other["request"]
    assert {**other, "request": ""} == {**reply["decoded"], "request": ""}
    msgspec.convert({**reply, "id": 1}, messages.Reply)


#: For each operation a question, its expectation, and a wrong answer.
CASES = {
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
def judged(tmp_path):
    """Puts the cases to a function and gives the results."""

    def call(answer, ops=tuple(OPERATIONS), name="mine"):
        cases = []
        for identifier, (fields, _) in CASES.items():
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
    return {result.outcome for result in results.of("mine").values()}


def test_the_reference_is_right_strictly(judged):
    results = judged(reference.answer, name="reference")
    assert {result.outcome for result in results.of("reference").values()} == {"pass"}
    for score in by_spec(results).values():
        assert score["reference"].results.value == 1
        assert score["reference"].complies


def planted(question: dict[str, Any]) -> dict[str, Any]:
    """The wrong answer to each question."""
    for fields, answer in CASES.values():
        if all(question.get(name) == fields.get(name) for name in INPUTS):
            return {"status": "ok", **answer}
    raise AssertionError(question)


def test_a_planted_wrong_adapter_fails_everywhere(judged):
    results = judged(planted)
    assert outcomes(results) == {"fail"}
    for score in by_spec(results).values():
        assert score["mine"].results.value == 0
        assert score["mine"].coverage.value == 1


SHAPES = {
    "extract": {"urls": ["a:b"]},
    "equivalent": {"equal": 1},
    "decode": {"decoded": []},
    "base": {"base": 1},
}


def test_answers_of_another_shape_are_garbage(judged):
    assert outcomes(judged(lambda question: {"status": "ok", **SHAPES[question["op"]]})) == {"garbage"}


def test_an_operation_that_is_not_offered_is_not_asked(judged):
    results = judged(planted, ops=("validate", "parse", "resolve", "recompose", "normalize"))
    assert outcomes(results) == {"unsupported"}
    for score in by_spec(results).values():
        assert score["mine"].results.value is None
        assert score["mine"].coverage.value == 0
