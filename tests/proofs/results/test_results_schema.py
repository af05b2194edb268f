"""The types and the published schema of a results file accept the same lines, whatever is changed in one."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import inspect
from referencing import Registry, Resource

from urlharness.corpus.model import Vector, corpus_dir
from urlharness.results.model import Line

_REGISTRY = Registry().with_resources(
    (content["$id"], Resource.from_contents(content))
    for content in (json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir())
)
_SCHEMA = Draft202012Validator({"$ref": "urn:urlconform:schema:urlresults-1"}, registry=_REGISTRY)
_DECODE = msgspec.json.Decoder(Line).decode

VECTOR = {
    "type": "vector",
    "case": {
        "spec": "rfc3986",
        "section": "5.4",
        "file": "x.json",
        "flags": ["security"],
        "digest": "0123456789ab",
        "vector": {
            "id": "rfc3986-5.4-g",
            "requirement": "rfc3986-5.4-y",
            "level": "example",
            "op": "resolve",
            "base": "http://a/",
            "reference": {"hex": "ff"},
            "expect": {"any": [{"result": "http://a/g", "variant": "x"}, {"valid": False}]},
            "binding": "permitted-set",
            "class": "strict-scheme",
            "flags": ["edge"],
            "ruling": "R-3986-01",
            "origin": "mutant",
            "comment": "as it is",
        },
    },
    "requirement": {
        "id": "rfc3986-5.4-y",
        "section": "5.4",
        "paragraph": [1, 2],
        "digest": "0123456789ab",
        "level": "example",
        "statement": "g is http://a/g.",
        "ruling": "G-01",
        "testable": "library",
        "side": "accepting",
        "reason": "no",
    },
    "title": "Reference Resolution Examples",
}
PARTS = {"scheme": None, "path": "", "fieldspecs": [["a", "b"]]}
#: What else a vector may ask and expect: with these a field of each name stands in some line.
QUESTIONS: dict[str, dict[str, Any]] = {
    "validate": {
        "rule": "URI",
        "profile": "prose",
        "url": "a:b",
        "expect": {"valid": False, "at": 1, "rules": ["URI"]},
    },
    "parse": {"url": "a:b", "expect": {"components": PARTS}},
    "recompose": {"components": PARTS, "expect": {"result": ""}},
    "extract": {"text": "a b", "expect": {"urls": [["a:b", "a:c"], ["d:e"]]}},
    "equivalent": {"url": "a:b", "other": {"hex": "ff"}, "mode": "scheme", "expect": {"equal": True}},
    "decode": {"url": "a:b", "expect": {"decoded": {"user": None, "cwd": ["", {"hex": "ff"}, ["a", "b"]]}}},
    "base": {"embedded": "", "encapsulating": "a:b", "expect": {"base": "a:b"}},
    "base-outside": {"retrieval": {"hex": "ff"}, "default": "a:b", "expect": {"base": None}},
    "base-header": {"header": "Base: a:b", "expect": {"base": "a:b"}},
    "resolve": {"base": "a:b", "reference": "", "expect": {"same_document": True}},
}


def asking(name: str) -> dict[str, Any]:
    """Return a vector line with one of the questions; its requirement is that of a foreign corpus."""
    line = copy.deepcopy(VECTOR)
    fixed = {
        "id": "x",
        "requirement": "y",
        "level": "note",
        "op": name.partition("-")[0],
        "binding": "required",
    }
    line["case"]["vector"] = {**fixed, **QUESTIONS[name]}
    line["requirement"] |= {"id": "mini", "paragraph": 0, "digest": ""}
    return line


CASE = {
    "type": "case",
    "id": "rfc3986-5.4-g",
    "implementation": "urllib",
    "outcome": "variant",
    "variant": "other",
    "detail": "got it",
    "got": {"status": "ok", "url": "http://a/g"},
    "stderr": "warning",
    "seconds": 0.02,
}
#: Good lines of each kind, which together have every field; a test below holds them to it.
GOOD: dict[str, dict[str, Any]] = {
    "header": {
        "type": "header",
        "schema": "urlresults-1",
        "urlconform": "1",
        "corpus": "0123456789ab",
        "argv": ["run", "--tier", "k1"],
        "started": "2024-01-01T00:00:00+00:00",
        "platform": "Linux",
        "python": "3.11.0",
        "protocol": 1,
        "seed": 7,
        "tiers": {"k1-rfc3986-URI": "0" * 64, "k1-rfc3986-URI-reference": ""},
        "sizes": {"rfc1808": 1, "rfc3986": 2},
        "folder": "..",
        "vectors": "corpus",
        "timeout": 7.5,
        "start_timeout": 60,
    },
    "vector": VECTOR,
    **{f"vector of {name}": asking(name) for name in QUESTIONS},
    "implementation": {
        "type": "implementation",
        "name": "urllib",
        "state": "ran",
        "implementation": {
            "name": "urllib",
            "version": "3",
            "language": "python",
            "runtime": "CPython 3.13",
            "homepage": "https://example.com/",
        },
        "ops": ["parse"],
        "specs": ["rfc3986"],
        "features": ["absent-vs-empty"],
        "modes": ["syntax"],
        "message": "",
    },
    "case": CASE,
    "tally": {
        "type": "tally",
        "implementation": "urllib",
        "part": "k1-rfc3986-URI",
        "tier": "k1",
        "spec": "rfc3986",
        "outcomes": {"pass": 3, "fail": 1},
        "required": {"fail": 1},
        "rates": {"accepted": [3, 4]},
        "rule": "URI",
        "digest": "0" * 64,
        "answered": {"parse": 3},
        "failing_digest": "0" * 64,
    },
    "example": {"type": "example", "asked": VECTOR, "result": CASE},
    "footer": {
        "type": "footer",
        "stopped": {"lib": 3},
        "counts": {"urllib": {"pass": 3}},
        "digest": "0123456789ab",
        "interrupted": True,
        "restarts": {"urllib": 2},
    },
}
#: The values that are put into every place of a line.
REPLACEMENTS: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    1.5,
    "",
    "x",
    [],
    [1],
    ["x"],
    [1, 2, 3],
    {},
    {"x": 1},
    {"x": "y"},
)
#: The records of which a field is left out in a test below.
HOLDERS = ("AskedVector", "Vector", "Requirement")
#: Where the schema says more than the types: the tags of what stands within a line.
STRICTER = ("asked/type", "result/type")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside a line."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


def changed(line: dict[str, Any], path: tuple[Any, ...], change: Any) -> dict[str, Any]:
    """Return a line with a change made to the object or the list that holds the value at a path."""
    mutant = copy.deepcopy(line)
    holder: Any = mutant
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return mutant


def with_value(line: dict[str, Any], path: tuple[Any, ...], replacement: Any) -> dict[str, Any]:
    """Return a line with another value at a path."""
    return changed(line, path, lambda holder, key: holder.__setitem__(key, replacement))


def mutants(line: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a line with each value left out or replaced, and with an unknown field; each with its name."""
    for path in places(line):
        name = "/".join(map(str, path))
        yield f"{name} left out", changed(line, path, lambda holder, key: holder.pop(key))
        for replacement in REPLACEMENTS:
            yield f"{name} is {replacement!r}", with_value(line, path, replacement)
    yield "unknown field", {**line, "later": 1}


def is_typed(line: dict[str, Any]) -> bool:
    """Return True if the types accept a line."""
    try:
        _DECODE(json.dumps(line).encode())
    except msgspec.ValidationError:
        return False
    return True


def disagreements(line: dict[str, Any], schema: Draft202012Validator = _SCHEMA) -> list[str]:
    """Return the mutants of a line that only the types or only the schema accepts."""
    problems = []
    for name, mutant in mutants(line):
        by_types = is_typed(mutant)
        by_schema = schema.is_valid(mutant)
        if by_types and not by_schema and not any(words in name for words in STRICTER):
            problems.append(f"{name}: types only")
        if by_schema and not by_types:
            problems.append(f"{name}: schema only")
    return problems


@pytest.mark.parametrize("kind", GOOD)
def test_types_and_schema_accept_a_good_line(kind):
    assert is_typed(GOOD[kind])
    assert list(_SCHEMA.iter_errors(GOOD[kind])) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", GOOD)
def test_schema_and_types_say_the_same_of_every_mutant(kind):
    """Only a wrong tag of `STRICTER` is refused by the schema alone."""
    assert disagreements(GOOD[kind]) == []


def structs(kind: Any) -> set[type]:
    """Return every record that a kind of value may hold."""
    types: set[type] = set()

    def walk(info: inspect.Type | inspect.Field) -> None:
        if isinstance(info, inspect.StructType):
            if info.cls in types:
                return
            types.add(info.cls)
        for name in info.__struct_fields__:
            inner = getattr(info, name)
            for member in inner if isinstance(inner, tuple) else (inner,):
                if isinstance(member, (inspect.Type, inspect.Field)):
                    walk(member)

    walk(inspect.type_info(kind))
    return types


def objects(value: Any) -> Iterator[frozenset[str]]:
    """Yield the names of the fields of a value, if it is an object, and of each object inside it."""
    if isinstance(value, dict):
        yield frozenset(value)
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


def unseen_fields(kind: type, lines: Any) -> set[str]:
    """Return the fields of a record that are in none of the objects whose names fit the record."""
    config = inspect.type_info(kind)
    fields = {field.encode_name for field in config.fields}
    needed = {field.encode_name for field in config.fields if field.required}
    tagged = fields | ({config.tag_field} if config.tag_field else set())
    return fields - frozenset().union(*(names for names in objects(lines) if needed <= names <= tagged))


def test_the_good_lines_have_every_field():
    """Otherwise nothing would compare types and schema for a new field."""
    lines = list(GOOD.values())
    kinds = structs(Line)
    assert kinds >= {*get_args(Line), Vector}  # the lines, and what is inside a line
    assert {kind.__name__ for kind in kinds if unseen_fields(kind, lines)} == set()


@pytest.mark.parametrize(
    "path", [("case", "vector", "comment"), ("requirement", "side"), ("title",)], ids="/".join
)
def test_a_field_that_no_line_has_is_noticed(path):
    lines = [changed(VECTOR, path, lambda holder, key: holder.pop(key))]
    fields = set()
    for kind in structs(Line):
        if kind.__name__ in HOLDERS:
            fields |= unseen_fields(kind, lines)
    assert path[-1] in fields


def test_a_schema_that_accepts_everything_is_noticed():
    problems = disagreements(GOOD["footer"], Draft202012Validator({}))
    assert "digest left out: schema only" in problems


def test_a_schema_that_refuses_everything_is_noticed():
    problems = disagreements(GOOD["footer"], Draft202012Validator({"not": {}}))
    assert "restarts left out: types only" in problems


def test_ids_of_a_foreign_corpus_may_have_another_form():
    """The pattern of our ids applies only to our own files."""
    line = with_value(VECTOR, ("case", "vector", "id"), "mini-2-validate")
    assert is_typed(line)
    assert _SCHEMA.is_valid(line)


def test_the_schema_of_our_own_vectors_refuses_an_id_of_another_form():
    schema = Draft202012Validator(
        {"$ref": "urn:urlconform:schema:urlvectors-1#/$defs/vector"}, registry=_REGISTRY
    )
    vector = VECTOR["case"]["vector"]
    assert schema.is_valid(vector)
    assert not schema.is_valid(vector | {"id": "mini-2-validate"})
