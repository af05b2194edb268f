"""Every file of the corpus meets its published schema and its record type."""

from __future__ import annotations

import json

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.export import schema_of
from urlharness.corpus.model import RequirementFile, VectorFile, corpus_dir, vector_files

VECTORS = Draft202012Validator(schema_of("vectors"))
REQUIREMENTS = Draft202012Validator(schema_of("requirements"))


@pytest.mark.parametrize(
    "path", vector_files(corpus_dir()), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_vector_file_meets_schema_and_types(path):
    document = json.loads(path.read_bytes())
    assert VECTORS.is_valid(document)
    msgspec.convert(document, VectorFile)


@pytest.mark.parametrize(
    "path", sorted((corpus_dir() / "requirements").iterdir()), ids=lambda path: path.stem
)
def test_catalogue_meets_schema_and_types(path):
    document = json.loads(path.read_bytes())
    assert REQUIREMENTS.is_valid(document)
    msgspec.convert(document, RequirementFile)
