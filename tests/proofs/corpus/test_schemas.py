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
def test_vector_file_meets_schema_and_types(path):
    document = json.loads(path.read_bytes())
    assert VECTORS[document["schema"]].is_valid(document)
    assert has_generated(document) is (document["schema"] == GENERATED_SCHEMA)
    convert_document(document, VectorFile)


@pytest.mark.parametrize(
    "path", sorted((corpus_dir() / "requirements").iterdir()), ids=lambda path: path.stem
)
def test_catalogue_meets_schema_and_types(path):
    document = json.loads(path.read_bytes())
    assert REQUIREMENTS.is_valid(document)
    msgspec.convert(document, RequirementFile)
