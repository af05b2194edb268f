"""The record types of classes and differences refuse what the published schemas refuse."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.differences import ClassFile, DifferenceFile, load_differences
from urlharness.corpus.export import schema_of
from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import CorpusError, corpus_dir

TABLE = json.loads((corpus_dir() / "classes.json").read_bytes())
FILE = json.loads((corpus_dir() / "differences" / "query-only.json").read_bytes())


#: The place of a class that has rulings.
WITH_RULINGS = 1


def accepting(document: Any, name: str, kind: type) -> list[str]:
    """Return which of the two accept a document: the record types, and the published schema."""
    names = []
    with suppress(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(document), type=kind)
        names.append("types")
    if Draft202012Validator(schema_of(name)).is_valid(document):
        names.append("schema")
    return names


#: The fields of the file of classes, and of a class; a class may have no rulings.
CLASS_FIELDS = ["schema", "classes", *TABLE["classes"][WITH_RULINGS]]


def part_with(document, field, entry):
    """Return the document if it has the field, otherwise its entry."""
    return document if field in document else entry


@pytest.mark.parametrize("field", [field for field in CLASS_FIELDS if field != "rulings"])
def test_a_class_without_a_field_is_refused(field):
    document = copy.deepcopy(TABLE)
    del part_with(document, field, document["classes"][WITH_RULINGS])[field]
    assert accepting(document, "classes", ClassFile) == []


def test_a_class_may_have_no_rulings():
    document = copy.deepcopy(TABLE)
    del document["classes"][WITH_RULINGS]["rulings"]
    assert accepting(document, "classes", ClassFile) == ["types", "schema"]


@pytest.mark.parametrize("field", CLASS_FIELDS)
def test_a_class_with_a_field_of_another_type_is_refused(field):
    document = copy.deepcopy(TABLE)
    part_with(document, field, document["classes"][WITH_RULINGS])[field] = 0.5
    assert accepting(document, "classes", ClassFile) == []


#: The fields of a file of differences, and of a difference.
DIFFERENCE_FIELDS = ["schema", "class", "differences", "id", "op", "answers"]


@pytest.mark.parametrize("field", DIFFERENCE_FIELDS)
def test_a_difference_without_a_field_is_refused(field):
    document = copy.deepcopy(FILE)
    del part_with(document, field, document["differences"][0])[field]
    assert accepting(document, "differences", DifferenceFile) == []


@pytest.mark.parametrize("field", DIFFERENCE_FIELDS)
def test_a_difference_with_a_field_of_another_type_is_refused(field):
    document = copy.deepcopy(FILE)
    part_with(document, field, document["differences"][0])[field] = 0.5
    assert accepting(document, "differences", DifferenceFile) == []


SIDES = [
    pytest.param({"section": "5"}, id="no-answer"),
    pytest.param({"expect": {"valid": True}}, id="no-section"),
    pytest.param({"section": "5", "undefined": True}, id="no-reason"),
    pytest.param({"section": "5", "expect": {"valid": True}, "reason": "x"}, id="reason-of-an-answer"),
    pytest.param(
        {"section": "5", "expect": {"valid": True}, "undefined": True, "reason": "x"}, id="answer-and-none"
    ),
    pytest.param({"section": "5", "expect": {"any": [{"valid": True}]}}, id="any-of-one"),
    pytest.param({"section": "5", "expect": {"valid": True, "result": "x"}}, id="two-answers"),
    pytest.param({"section": "5", "expect": {"valid": True}, "more": 1}, id="unknown-field"),
]


@pytest.mark.parametrize("side", SIDES)
def test_schema_and_types_refuse_a_wrong_side(side):
    document = copy.deepcopy(FILE)
    document["differences"][0]["answers"]["rfc3986"] = side
    assert accepting(document, "differences", DifferenceFile) == []


def test_a_missing_file_of_classes_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"classes\.json: no such file"):
        load_classes(tmp_path)


def test_a_cut_file_of_classes_is_named(tmp_path):
    (tmp_path / "classes.json").write_text("{", "ascii")
    with pytest.raises(CorpusError, match=r"classes\.json: Input data was truncated"):
        load_classes(tmp_path)


def test_a_corpus_may_have_no_differences(tmp_path):
    assert load_differences(tmp_path) == {}
