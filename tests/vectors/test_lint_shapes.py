"""Each shape of entry is shown to jsonschema once; what is found is what jsonschema finds in the whole."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from urlauthor.documents import Shapes
from urlharness.corpus.export import ENTRIES
from urlharness.corpus.model import corpus_dir, vector_files

pytestmark = pytest.mark.once


@cache
def schema(kind: str) -> dict[str, Any]:
    return json.loads((corpus_dir() / "schemas" / f"{kind}.schema.json").read_bytes())


@cache
def documents(kind: str) -> list[dict[str, Any]]:
    """A few files of a kind, in which every operation and every field occurs."""
    root = corpus_dir()
    if kind == "vectors":
        names = (
            "rfc1738/3.10-files", "rfc1808/3.1-base-header", "rfc2396/C.2-abnormal", "rfc3986/6.2.3-scheme",
            "rfc3986/C-context", "rfc3986/A-mutants", "rfc3986/3.2-authority", "rfc3986/5.3-recompose",
        )  # fmt: skip
        paths = [root / f"{name}.json" for name in names]
    elif kind in ("requirements", "differences"):
        paths = sorted((root / kind).glob("*.json"))[:4]
    else:
        paths = [root / f"{kind}.json"]
    return [json.loads(path.read_bytes()) for path in paths]


@cache
def seasoned(kind: str) -> Shapes:
    """Shapes that have seen good documents, as those of later files are."""
    shapes = Shapes(schema(kind), kind)
    for document in documents(kind):
        assert shapes.problems(document) == []
    return shapes


BAD = {"valid": False}
VECTOR = {
    "id": "rfc3986-3.1-x",
    "requirement": "rfc3986-3.1-bnf-scheme",
    "level": "grammar",
    "op": "validate",
    "rule": "scheme",
    "url": "a*",
    "expect": BAD | {"at": 1},
    "binding": "required",
}


def without(keyword: str, value: Any) -> Any:
    """A schema without a keyword, at every depth."""
    if isinstance(value, list):
        return [without(keyword, inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {name: without(keyword, inner) for name, inner in value.items() if name != keyword}


def said(problems: Any) -> list[tuple[str, str]]:
    return [(problem.json_path, problem.message) for problem in problems]


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where something stands in a document, at every depth."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for name, inner in inside for place in places(inner, (*path, name)))]


ODD = [
    None, True, False, 0, 1, -1, 7, 0.5, 1.0, [], {}, [{}], [[]], [1], [0, 1], [1, 2],
    "", "x", "no id", "R-1", "G-01", "G-01\n", "0" * 12, "x" * 81, "x" * 201, "x" * 301, "edge", "mutant",
    "base", "rfc3986", "rfc3986-3.3-x", "validate", "A", "ff", "FF", "\ud800",
    ["x"], ["x", "x"], ["basic", "edge"], ["edge", "edge"], [["a"]], [["a", "b"]], [["a", "b", "c"]],
    {"hex": "ff"}, {"hex": "f"}, {"x": 1}, {"valid": True}, {"valid": 1}, {"valid": False, "at": 1.0},
    {"result": ""}, {"any": [{"valid": True}, {"result": ""}]}, {"any": [{"valid": True}]},
]  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """A document of the corpus with up to three places changed, dropped or added."""
    whole = draw(st.sampled_from(documents(kind)))
    first = draw(st.integers(0, len(whole[kind]) - 1))
    document = copy.deepcopy(whole | {kind: whole[kind][first : first + 2]})
    for _ in range(draw(st.integers(1, 3))):
        if not document:
            break
        path = draw(st.sampled_from(places(document)[1:]))
        inside = document
        for name in path[:-1]:
            inside = inside[name]
        what = draw(st.sampled_from(["set", "drop", "add"]))
        if what == "set":
            inside[path[-1]] = copy.deepcopy(draw(st.sampled_from(ODD)))
        elif what == "drop":
            del inside[path[-1]]
        elif isinstance(inside, dict):
            name = draw(st.sampled_from(["surplus", "header", "rules", "variant", "class", "reason", "note"]))
            inside[name] = copy.deepcopy(draw(st.sampled_from(ODD)))
        else:
            inside.append(copy.deepcopy(draw(st.sampled_from([*ODD, inside[0]]))))
    return document


@pytest.mark.parametrize("kind", ENTRIES)
def test_both_say_the_same(kind):
    validator = Draft202012Validator(schema(kind))
    outcomes = set()

    @settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(spoiled(kind))
    def check(document: dict[str, Any]) -> None:
        found = said(seasoned(kind).problems(document))
        assert found == said(validator.iter_errors(document))
        outcomes.add(bool(found))

    check()
    assert outcomes == {True, False}


TWICE = {"any": [{"valid": True}, {"valid": True}]}

# a keyword, and two vectors: one that is good, and one that only this keyword tells from it
KEPT = [
    pytest.param("pattern", {}, {"id": "no id"}, id="pattern"),
    pytest.param("maxLength", {"comment": "xx"}, {"comment": "x" * 201}, id="length"),
    pytest.param("minimum", {"expect": BAD | {"at": 1}}, {"expect": BAD | {"at": -1}}, id="bound"),
    pytest.param("enum", {}, {"level": "perhaps"}, id="word"),
    pytest.param("const", {"origin": "mutant"}, {"origin": "person"}, id="only-word"),
    pytest.param("minItems", {"expect": TWICE}, {"expect": {"any": [{"valid": True}]}}, id="count"),
]


@pytest.mark.parametrize("blind", [False, True], ids=["sighted", "blind"])
@pytest.mark.parametrize(("keyword", "good", "bad"), KEPT)
def test_a_shape_keeps_what_the_schema_asks(keyword, good, bad, blind):
    """Without any one thing that it keeps a bad vector has the shape of a good one, and is missed."""
    shapes = Shapes(schema("vectors"), "vectors")
    if blind:
        shapes._entry = Shapes(without(keyword, schema("vectors")), "vectors")._entry
    head = documents("vectors")[0]
    assert shapes.problems(head | {"vectors": [VECTOR | good]}) == []
    assert (shapes.problems(head | {"vectors": [VECTOR | good, VECTOR | good | bad]}) == []) is blind


@pytest.mark.parametrize("document", [None, [], "x", {}, {"vectors": None}, {"vectors": []}, {"vectors": {}}])
def test_what_has_no_entries(document):
    expected = said(Draft202012Validator(schema("vectors")).iter_errors(document))
    assert said(seasoned("vectors").problems(document)) == expected != []


def test_a_bad_shape_is_found_each_time():
    shapes = Shapes(schema("vectors"), "vectors")
    document = copy.deepcopy(documents("vectors")[0])
    document["vectors"][0]["level"] = "perhaps"
    assert said(shapes.problems(document)) == said(shapes.problems(document)) != []


def test_there_are_few_shapes():
    """What makes it worth while: an eighth of the vectors, or less, is looked at."""
    shapes = Shapes(schema("vectors"), "vectors")
    vectors = [one for path in vector_files(corpus_dir()) for one in json.loads(path.read_bytes())["vectors"]]
    assert len({shapes.shape(vector) for vector in vectors}) < len(vectors) / 4


REFUSED = [
    pytest.param({"format": "uri"}, id="format"),
    pytest.param({"multipleOf": 2}, id="multiple"),
    pytest.param({"enum": [1, 2]}, id="numbers-by-name"),
    pytest.param({"const": {"hex": "ff"}}, id="object-by-name"),
    pytest.param({"patternProperties": {"x": {}}}, id="names-by-pattern"),
]


@pytest.mark.parametrize("keyword", REFUSED)
def test_a_keyword_that_a_shape_does_not_keep_is_refused(keyword):
    """Anywhere in the schema, for the shape is made of what the schema asks there."""
    entry = {
        "type": "object",
        "properties": {"a": {"allOf": [{"type": "object", "properties": {"b": keyword}}]}},
    }
    with pytest.raises(ValueError, match="a shape does not keep"):
        Shapes({"properties": {"vectors": {"items": entry}}}, "vectors").shape({"a": {"b": 1}})


def test_only_texts_are_asked_to_be_unique():
    """A shape tells equal texts in a list, and no other equal items."""

    def lists(value: Any) -> list[dict[str, Any]]:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        own = [value] if isinstance(value, dict) and value.get("uniqueItems") else []
        return [*own, *(one for inner in inside for one in lists(inner))]

    found = [one for kind in ENTRIES for one in lists(schema(kind))]
    assert len(found) >= 4
    assert all(one["items"].get("type") == "string" or "enum" in one["items"] for one in found)
