"""The published schemas of the corpus and the types that load it accept and refuse the same documents."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.model import RequirementFile, VectorFile, corpus_dir, vector_files

SCHEMAS = sorted(path.name.partition(".")[0] for path in (corpus_dir() / "schemas").iterdir())


def schema(name: str) -> dict[str, Any]:
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
    """The sample file, its vector with other fields; `...` takes one away."""
    entry = {name: value for name, value in (VECTOR | fields).items() if value is not ...}
    return FILE | {"vectors": [entry]}


def with_requirement(**fields: Any) -> dict[str, Any]:
    entry = {name: value for name, value in (REQUIREMENT | fields).items() if value is not ...}
    return CATALOGUE | {"requirements": [entry]}


def decodes(document: object, kind: type) -> bool:
    try:
        msgspec.json.decode(json.dumps(document), type=kind)
    except msgspec.ValidationError:
        return False
    return True


def test_schemas_are_published():
    assert {"protocol", "requirements", "results", "vectors"} <= set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_one(name):
    content = schema(name)
    Draft202012Validator.check_schema(content)
    assert content["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert content["$id"] == f"urn:urlconform:schema:url{name}-1"


@pytest.mark.parametrize(
    "path", vector_files(corpus_dir()), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_vector_file_meets_schema_and_types(path):
    document = json.loads(path.read_bytes())
    assert VECTORS.is_valid(document)
    assert decodes(document, VectorFile)


@pytest.mark.parametrize(
    "path", sorted((corpus_dir() / "requirements").iterdir()), ids=lambda path: path.stem
)
def test_catalogue_meets_schema_and_types(path):
    document = json.loads(path.read_bytes())
    assert REQUIREMENTS.is_valid(document)
    assert decodes(document, RequirementFile)


VIEW = {"user": None, "cwd": ["", {"hex": "ff"}], "fields": [["a", {"hex": "00"}]], "local": True}


def asks(op: str, expect: object, **fields: Any) -> dict[str, Any]:
    """The sample file with another question: neither rule nor url but those given."""
    return with_vector(**{"op": op, "rule": ..., "url": ..., "expect": expect, **fields})


COMPONENTS = {"scheme": None, "path": "", "fieldspecs": [["a", "b"]]}
ANY = [{"result": "a"}, {"same_document": True, "variant": "same-document"}, {"valid": False}]

GOOD = [
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

BAD = [
    pytest.param([], id="list"),
    pytest.param("file", id="text"),
    pytest.param(FILE | {"schema": "urlvectors-2"}, id="other-version"),
    pytest.param(FILE | {"spec": "rfc1"}, id="other-spec"),
    pytest.param(FILE | {"extra": 1}, id="unknown-field-of-file"),
    pytest.param(FILE | {"vectors": []}, id="no-vectors"),
    pytest.param(FILE | {"vectors": [3]}, id="vector-that-is-a-number"),
    pytest.param({name: value for name, value in FILE.items() if name != "section"}, id="no-section"),
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

BAD_CATALOGUES = [
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


@pytest.mark.parametrize("document", GOOD)
def test_both_accept(document):
    assert VECTORS.is_valid(document)
    assert decodes(document, VectorFile)


@pytest.mark.parametrize("document", BAD)
def test_both_refuse(document):
    assert not VECTORS.is_valid(document)
    assert not decodes(document, VectorFile)


@pytest.mark.parametrize("document", SPELLINGS)
def test_the_schema_alone_minds_spellings(document):
    assert not VECTORS.is_valid(document)
    assert decodes(document, VectorFile)


def test_both_accept_a_catalogue():
    for document in (
        CATALOGUE,
        with_requirement(paragraph=[2, 3], testable="no", reason="why", ruling="G-01"),
    ):
        assert REQUIREMENTS.is_valid(document)
        assert decodes(document, RequirementFile)


@pytest.mark.parametrize("document", BAD_CATALOGUES)
def test_both_refuse_a_catalogue(document):
    assert not REQUIREMENTS.is_valid(document)
    assert not decodes(document, RequirementFile)


@pytest.mark.parametrize("name", list(VECTOR))
def test_every_field_of_the_sample_counts(name):
    """Without any one of its fields the sample is refused by both."""
    document = copy.deepcopy(FILE)
    del document["vectors"][0][name]
    assert not VECTORS.is_valid(document)
    assert not decodes(document, VectorFile)
