"""Every file of the corpus meets its published schema and its record type."""

from __future__ import annotations

import json

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlharness.corpus.export import schema_of
from urlharness.corpus.longtext import GENERATED_SCHEMA, has_generated
from urlharness.corpus.model import (
    VECTOR_SCHEMAS,
    RequirementFile,
    VectorFile,
    convert_document,
    corpus_dir,
    vector_files,
)

REGISTRY = Resource.from_contents(schema_of("vectors")) @ Registry()
VECTORS = {
    schema: Draft202012Validator(schema_of(name), registry=REGISTRY)
    for schema, name in zip(VECTOR_SCHEMAS, ("vectors", "vectors-2"), strict=True)
}
REQUIREMENTS = Draft202012Validator(schema_of("requirements"))


@pytest.mark.parametrize(
    "path", vector_files(corpus_dir()), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_file_of_vectors_is_of_its_schema(path):
    document = json.loads(path.read_bytes())
    assert VECTORS[document["schema"]].is_valid(document)


@pytest.mark.parametrize(
    "path", vector_files(corpus_dir()), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_file_of_vectors_names_the_schema_of_generated_texts_exactly_if_it_has_some(path):
    document = json.loads(path.read_bytes())
    names_generated_schema = document["schema"] == GENERATED_SCHEMA
    assert has_generated(document) == names_generated_schema


@pytest.mark.parametrize(
    "path", vector_files(corpus_dir()), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_file_of_vectors_is_converted_to_its_record(path):
    document = json.loads(path.read_bytes())
    assert len(convert_document(document, VectorFile).vectors) == len(document["vectors"])


@pytest.mark.parametrize(
    "path", sorted((corpus_dir() / "requirements").iterdir()), ids=lambda path: path.stem
)
def test_a_catalogue_is_of_its_schema(path):
    assert REQUIREMENTS.is_valid(json.loads(path.read_bytes()))


@pytest.mark.parametrize(
    "path", sorted((corpus_dir() / "requirements").iterdir()), ids=lambda path: path.stem
)
def test_a_catalogue_is_converted_to_its_record(path):
    document = json.loads(path.read_bytes())
    record = msgspec.convert(document, RequirementFile)
    assert len(record.requirements) == len(document["requirements"])
