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


# Each test reads all files and names those that are wrong: to collect a test for each file takes long.


@pytest.fixture(scope="module")
def documents():
    """The files of vectors, by their paths in the corpus."""
    paths = vector_files(corpus_dir())
    return {str(path.relative_to(corpus_dir())): json.loads(path.read_bytes()) for path in paths}


@pytest.fixture(scope="module")
def catalogues():
    """The catalogues of requirements, by their names."""
    paths = sorted((corpus_dir() / "requirements").iterdir())
    return {path.name: json.loads(path.read_bytes()) for path in paths}


@pytest.mark.long  # `urlconform vectors lint` validates the same files
def test_a_file_of_vectors_is_of_its_schema(documents):
    invalid = [
        path for path, document in documents.items() if not VECTORS[document["schema"]].is_valid(document)
    ]
    assert invalid == []


def test_a_file_of_vectors_names_the_schema_of_generated_texts_exactly_if_it_has_some(documents):
    naming = {path for path, document in documents.items() if document["schema"] == GENERATED_SCHEMA}
    generated = {path for path, document in documents.items() if has_generated(document)}
    assert naming == generated


def test_a_file_of_vectors_is_converted_to_its_record(documents):
    counts = {path: len(document["vectors"]) for path, document in documents.items()}
    converted = {
        path: len(convert_document(document, VectorFile).vectors) for path, document in documents.items()
    }
    assert converted == counts


def test_a_catalogue_is_of_its_schema(catalogues):
    invalid = [name for name, document in catalogues.items() if not REQUIREMENTS.is_valid(document)]
    assert invalid == []


def test_a_catalogue_is_converted_to_its_record(catalogues):
    counts = {name: len(document["requirements"]) for name, document in catalogues.items()}
    converted = {
        name: len(msgspec.convert(document, RequirementFile).requirements)
        for name, document in catalogues.items()
    }
    assert converted == counts
