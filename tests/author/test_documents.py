"""Corpus files: what is refused, and where each error is."""

from __future__ import annotations

import json

import pytest

from urlauthor.documents import LintError, read_document, read_table
from urlharness.corpus.export import canonical_text
from urlharness.corpus.model import VectorFile

NAME = "rfc1808/5.1-normal.json"


@pytest.fixture
def read_part(part):
    """Return a function that replaces the file by some bytes, and returns what is read and the errors."""

    def run(content: bytes) -> tuple[VectorFile | None, list[LintError]]:
        (part / NAME).write_bytes(content)
        errors: list[LintError] = []
        return read_document(part / NAME, part, VectorFile, errors), errors

    return run


@pytest.fixture
def document(part):
    """The content of the file."""
    return json.loads((part / NAME).read_bytes())


def test_a_canonical_file_is_read_without_errors(read_part, document):
    content, errors = read_part(canonical_text(document).encode())
    assert errors == []
    assert [vector.id for vector in content.vectors] == [vector["id"] for vector in document["vectors"]]


BROKEN = [
    pytest.param(lambda text: text[:-20], "not JSON", id="cut"),
    pytest.param(lambda text: text.replace(b"title", b"t\xfftle"), "not JSON", id="not-utf-8"),
    pytest.param(lambda _: b"[" * 100_000, "not JSON", id="too-deep"),
    pytest.param(lambda _: b"[]\n", "$: [] is not of type 'object'", id="a-list"),
    pytest.param(lambda text: text.replace(b'"spec": ', b'"specs": '), "$: ", id="unknown-field"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_a_broken_file_is_not_read(part, read_part, change, message):
    content, errors = read_part(change((part / NAME).read_bytes()))
    assert content is None
    assert errors[0].file == NAME
    assert errors[0].message.startswith(message)


def test_a_schema_error_names_its_entry(read_part, document):
    """The entry is named by its id, or by its index if it has none."""
    first, second = document["vectors"][:2]
    first["op"] = "guess"
    del second["id"]
    content, errors = read_part(canonical_text(document).encode())
    assert content is None
    assert {error.case for error in errors} == {first["id"], "vectors[1]"}
    assert str(errors[0]).startswith(f"{NAME}: {errors[0].case}: $.vectors[")


def test_a_lone_surrogate_is_refused(read_part, document):
    document["vectors"][1]["reference"] = "\ud800"
    content, (error,) = read_part(canonical_text(document).encode())
    assert content is None
    assert error.case == document["vectors"][1]["id"]
    assert "lone surrogate" in error.message


GENERATED = ["g", {"repeat": "/g", "times": 300}]
NEEDED = "a generated text (`repeat`) needs the schema urlvectors-2"


def test_generated_texts_are_expanded(read_part, document):
    document["vectors"][1]["reference"] = GENERATED
    content, errors = read_part(canonical_text(document | {"schema": "urlvectors-2"}).encode())
    assert errors == []
    assert content.vectors[1].reference == "g" + "/g" * 300


REFUSED = [
    pytest.param("urlvectors-1", GENERATED, NEEDED, id="first-schema"),
    pytest.param("urlvectors-2", [{"repeat": "a", "times": 0}], "is not valid under any", id="no-times"),
    pytest.param("urlvectors-2", [{"repeat": "a", "times": 10**7}], "at most 1,000,000", id="too-long"),
]


@pytest.mark.parametrize(("schema", "text", "message"), REFUSED)
def test_a_generated_text_that_is_refused_names_its_vector(read_part, document, schema, text, message):
    document["vectors"][1]["reference"] = text
    content, errors = read_part(canonical_text(document | {"schema": schema}).encode())
    assert content is None
    assert message in str(errors[0])
    assert document["vectors"][1]["id"] in str(errors[0])


OTHER_FORMS = [
    pytest.param(json.dumps, id="one-line"),
    pytest.param(lambda document: canonical_text(document).rstrip("\n"), id="no-end-of-line"),
    pytest.param(lambda document: json.dumps(dict(reversed(document.items())), indent=1), id="order-of-keys"),
]


@pytest.mark.parametrize("write", OTHER_FORMS)
def test_a_file_in_no_canonical_form_is_an_error_but_is_read(read_part, document, write):
    content, errors = read_part(write(document).encode())
    assert [error.message for error in errors] == ["not in canonical form; run `urlconform vectors fmt`"]
    assert content is not None


def test_a_missing_table_is_one_error(tmp_path):
    errors: list[LintError] = []
    assert read_table(tmp_path / "table.json", dict[str, str], "no table", errors) is None
    assert [(error.file, error.message.partition(":")[0]) for error in errors] == [("table.json", "no table")]


@pytest.mark.parametrize("content", [b"{", b"[]\n"], ids=["cut", "a-list"])
def test_a_file_that_is_no_table_is_one_error(tmp_path, content):
    (tmp_path / "table.json").write_bytes(content)
    errors: list[LintError] = []
    assert read_table(tmp_path / "table.json", dict[str, str], "no table", errors) is None
    assert [(error.file, error.message.partition(":")[0]) for error in errors] == [("table.json", "no table")]
