"""Long texts: files give them in generated form, and abbreviations keep what distinguishes them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlharness.corpus.export import canonical_text, schema_of, write_export
from urlharness.corpus.foreign import load_foreign
from urlharness.corpus.loader import load
from urlharness.corpus.lock import abbreviated_case, locked_vector, locked_vectors, vector_digest
from urlharness.corpus.longtext import abbreviated, abbreviation, expanded, has_generated, is_abbreviation
from urlharness.corpus.model import CorpusError, VectorFile, convert_document
from urlharness.corpus.selection import Selection

REGISTRY = Resource.from_contents(schema_of("vectors")) @ Registry()
SCHEMAS = {
    number: Draft202012Validator(schema_of(name), registry=REGISTRY)
    for number, name in ((1, "vectors"), (2, "vectors-2"))
}
UPS = ["http://h/", {"repeat": "../", "times": 3}, "g"]

#: A generated form, and its text.
FORMS = {
    "one": ([{"repeat": "ab", "times": 3}], "ababab"),
    "between-strings": (UPS, "http://h/../../../g"),
    "two": ([{"repeat": "a", "times": 2}, {"repeat": "b", "times": 1}], "aab"),
    "repeated-itself": ([{"repeat": ["/", {"repeat": "a", "times": 2}], "times": 2}], "/aa/aa"),
    "not-ascii": ([{"repeat": "\u00e9", "times": 2}], "\u00e9\u00e9"),
    "component": (
        {"components": {"path": UPS, "query": None}},
        {"components": {"path": "http://h/../../../g", "query": None}},
    ),
    "reading": ({"urls": [[UPS, "a:b"]]}, {"urls": [["http://h/../../../g", "a:b"]]}),
    "value-of-a-pair": ([["f", [{"repeat": "v", "times": 2}]]], [["f", "vv"]]),
    "plain-list": ({"rules": ["URI", "path"]}, {"rules": ["URI", "path"]}),
    "hex": ([{"hex": "ff"}, "a"], [{"hex": "ff"}, "a"]),
}

#: What is no form, and words of the error.
NO_FORMS = {
    "no-times": ([{"repeat": "a", "times": 0}], "strings and objects"),
    "negative": ([{"repeat": "a", "times": -1}], "strings and objects"),
    "true": ([{"repeat": "a", "times": True}], "strings and objects"),
    "times-a-string": ([{"repeat": "a", "times": "2"}], "strings and objects"),
    "times-missing": ([{"repeat": "a"}], "strings and objects"),
    "repeat-a-number": ([{"repeat": 1, "times": 2}], "strings and objects"),
    "unknown-field": ([{"repeat": "a", "times": 2, "by": 1}], "strings and objects"),
    "null": ([None, {"repeat": "a", "times": 2}], "strings and objects"),
    "too-long": ([{"repeat": "a", "times": 10**15}], "at most 1,000,000"),
    "too-long-together": (["b", {"repeat": "a", "times": 10**6}], "at most 1,000,000"),
}


@pytest.mark.parametrize(("form", "text"), FORMS.values(), ids=FORMS)
def test_a_form_is_expanded(form, text):
    assert expanded(form) == text


#: The forms that are the text itself.
PLAIN = {"plain-list", "hex"}


@pytest.mark.parametrize("name", [name for name in FORMS if name not in PLAIN])
def test_a_generated_form_is_recognised(name):
    form, _ = FORMS[name]
    assert has_generated(form)


@pytest.mark.parametrize("name", FORMS)
def test_an_expanded_text_is_no_generated_form(name):
    _, text = FORMS[name]
    assert not has_generated(text)


@pytest.mark.parametrize(("form", "why"), NO_FORMS.values(), ids=NO_FORMS)
def test_what_is_no_form_is_an_error(form, why):
    with pytest.raises(ValueError, match=why):
        expanded({"url": form})


# ---- files


def file_with(schema=2, **fields):
    """Return a file with one vector, with these fields."""
    vector = {
        "id": "rfc3986-3.3-x",
        "requirement": "rfc3986-3.3-y",
        "level": "must",
        "op": "validate",
        "rule": "URI",
        "url": "a:b",
        "expect": {"valid": True},
        "binding": "required",
    }
    entry = {name: field for name, field in (vector | fields).items() if field is not ...}
    head = {"schema": f"urlvectors-{schema}", "spec": "rfc3986", "section": "3.3", "title": "Path"}
    return {**head, "vectors": [entry]}


RESOLVE = {"op": "resolve", "rule": ..., "url": ...}
PARSE = {"op": "parse", "rule": ..., "url": "a:b"}

FIELDS = [
    pytest.param({"url": UPS}, id="url"),
    pytest.param({**RESOLVE, "base": UPS, "reference": UPS, "expect": {"result": UPS}}, id="resolve"),
    pytest.param({**PARSE, "expect": {"components": {"path": UPS, "pairs": [["a", UPS]]}}}, id="components"),
    pytest.param(
        {**PARSE, "op": "decode", "expect": {"decoded": {"name": UPS, "cwd": [UPS, "a"]}}}, id="decoded"
    ),
    pytest.param(
        {**PARSE, "op": "extract", "url": ..., "text": UPS, "expect": {"urls": [[UPS]]}}, id="extract"
    ),
    pytest.param({**PARSE, "op": "equivalent", "other": UPS, "expect": {"equal": True}}, id="other"),
    pytest.param({**PARSE, "op": "base", "url": ..., "embedded": UPS, "expect": {"base": UPS}}, id="layer"),
    pytest.param({**PARSE, "op": "base", "url": ..., "header": UPS, "expect": {"valid": False}}, id="header"),
    pytest.param(
        {**PARSE, "op": "recompose", "url": ..., "components": {"path": UPS}, "expect": {"result": "a"}},
        id="recompose",
    ),
    pytest.param(
        {
            **RESOLVE,
            "base": "a:b",
            "reference": "c",
            "binding": "permitted-set",
            "ruling": "G-01",
            "expect": {"any": [{"result": UPS}, {"result": "x", "variant": "y"}]},
        },
        id="any",
    ),
]


@pytest.mark.parametrize("fields", FIELDS)
def test_every_text_may_be_generated_by_the_second_schema(fields):
    assert SCHEMAS[2].is_valid(file_with(2, **fields))


@pytest.mark.parametrize("fields", FIELDS)
def test_every_text_may_be_written_out_by_the_second_schema(fields):
    assert SCHEMAS[2].is_valid(expanded(file_with(2, **fields)))


@pytest.mark.parametrize("fields", FIELDS)
def test_every_generated_text_is_read_as_its_expansion(fields):
    document = expanded(file_with(2, **fields))
    assert "http://h/../../../g" in json.dumps(document)
    assert convert_document(file_with(2, **fields), VectorFile) == msgspec.convert(document, VectorFile)


@pytest.mark.parametrize("fields", FIELDS)
def test_no_text_may_be_generated_by_the_first_schema(fields):
    assert not SCHEMAS[1].is_valid(file_with(1, **fields))


@pytest.mark.parametrize("fields", FIELDS)
def test_a_generated_text_in_a_file_of_the_first_schema_is_an_error(fields):
    with pytest.raises(
        msgspec.ValidationError, match=r"needs the schema urlvectors-2 - at `\$.vectors\[0\]`"
    ):
        convert_document(file_with(1, **fields), VectorFile)


@pytest.mark.parametrize("field", ["id", "rule", "ruling", "comment", "binding"])
def test_what_is_no_text_is_never_generated(field):
    document = file_with(2, **{field: [{"repeat": "a", "times": 2}]})
    assert not SCHEMAS[2].is_valid(document)


#: A schema has no limit for the length of an expanded text.
FORMS_THAT_A_SCHEMA_REFUSES = [name for name in NO_FORMS if not name.startswith("too-long")]


@pytest.mark.parametrize("name", FORMS_THAT_A_SCHEMA_REFUSES)
def test_schema_and_reader_refuse_the_same_forms(name):
    form, _ = NO_FORMS[name]
    assert not SCHEMAS[2].is_valid(file_with(2, url=form))
    with pytest.raises(msgspec.ValidationError, match="a generated text consists of"):
        convert_document(file_with(2, url=form), VectorFile)


class GeneratedText(NamedTuple):
    """A corpus with a generated text: its folder, and file and id of the vector."""

    root: Path
    path: Path
    id: str


#: The texts that the fixtures below write as generated texts.
REFERENCE = "./" * 600 + "g"
TARGET = "http://a/b/c/" + "g" * 1100


@pytest.fixture
def generate_text(part):
    """Return a function that puts a generated text into the first vector of RFC 1808, under a schema."""

    def write(schema):
        path = part / "rfc1808" / "5.1-normal.json"
        document = json.loads(path.read_bytes())
        vector = document["vectors"][0]
        vector["reference"] = [{"repeat": "./", "times": 600}, "g"]
        vector["expect"] = {"result": ["http://a/b/c/", {"repeat": "g", "times": 1100}]}
        path.write_text(canonical_text(document | {"schema": schema}), "ascii")
        return GeneratedText(part, path, vector["id"])

    return write


@pytest.fixture
def generated_text(generate_text):
    """A corpus with a generated text."""
    return generate_text("urlvectors-2")


@pytest.fixture
def text_of_first_schema(generate_text):
    """A corpus with a generated text in a file of the first schema, which has none."""
    return generate_text("urlvectors-1")


def case_of(corpus, identifier):
    """Return the case of a corpus that has this id."""
    (case,) = [case for case in corpus.cases if case.vector.id == identifier]
    return case


def test_the_loader_expands_generated_texts(generated_text):
    vector = case_of(load(generated_text.root), generated_text.id).vector
    assert vector.reference == REFERENCE
    assert vector.expect.result == TARGET


def test_the_digest_of_a_text_does_not_depend_on_how_it_is_written(generated_text):
    locked = locked_vectors(load(generated_text.root))
    document = expanded(json.loads(generated_text.path.read_bytes()))
    generated_text.path.write_text(canonical_text(document | {"schema": "urlvectors-1"}), "ascii")
    corpus = load(generated_text.root)
    assert locked_vectors(corpus) == locked
    assert locked[generated_text.id] == locked_vector(case_of(corpus, generated_text.id))


#: Why a generated text is refused in a file of the first schema.
NEEDS_SECOND_SCHEMA = "a generated text (`repeat`) needs the schema urlvectors-2"


def test_a_form_in_a_file_of_the_first_schema_names_file_and_case(text_of_first_schema):
    with pytest.raises(CorpusError) as caught:
        load(text_of_first_schema.root)
    assert f"5.1-normal.json: {NEEDS_SECOND_SCHEMA} " in str(caught.value)
    assert str(caught.value).endswith(f"('{text_of_first_schema.id}')")


def test_a_form_in_a_foreign_file_of_the_first_schema_names_the_file(text_of_first_schema):
    with pytest.raises(CorpusError) as caught:
        load_foreign(text_of_first_schema.path)
    assert f"5.1-normal.json: {NEEDS_SECOND_SCHEMA}" in str(caught.value)


def test_a_file_alone_is_expanded(generated_text):
    vector = case_of(load_foreign(generated_text.path).corpus, generated_text.id).vector
    assert vector.reference == REFERENCE
    assert vector.expect.result == TARGET


@pytest.fixture
def export_folder(generated_text, tmp_path):
    """The folder of an export of the corpus with a generated text."""
    (generated_text.root / "vectors.lock").unlink()
    write_export(generated_text.root, load(generated_text.root), tmp_path / "out", Selection(), force=False)
    return tmp_path / "out"


def test_an_export_has_the_texts_written_out_by_the_first_schema(export_folder, generated_text):
    document = json.loads((export_folder / "rfc1808" / generated_text.path.name).read_bytes())
    assert document["schema"] == "urlvectors-1"
    assert not has_generated(document)
    assert SCHEMAS[1].is_valid(document)


def test_an_export_has_the_cases_of_the_corpus_with_a_generated_text(export_folder, generated_text):
    exported = load(export_folder)
    assert exported.cases == load(generated_text.root).cases
    assert case_of(exported, generated_text.id).vector.reference == REFERENCE


# ---- abbreviations


def test_a_text_of_1024_characters_is_kept():
    assert abbreviation("\u00e9" * 1024) == "\u00e9" * 1024


def test_a_text_of_1024_characters_is_no_abbreviation():
    assert not is_abbreviation("a" * 1024)


def test_a_longer_text_keeps_beginning_length_and_digest():
    text = "http://h/" + "a" * 70_000 + "\u00e9"
    short = abbreviation(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert short == text[:80] + f"\u2026 (70,010 characters, SHA-256 {digest})"


def test_an_abbreviation_is_recognised_and_kept():
    short = abbreviation("a" * 2000)
    assert is_abbreviation(short)
    assert abbreviation(short) == short


@pytest.mark.parametrize(
    "other_text", ["a" * 69_999 + "b", "a" * 70_001, "b" + "a" * 69_999], ids=["last", "one-more", "first"]
)
def test_different_texts_have_different_abbreviations(other_text):
    assert abbreviation(other_text) != abbreviation("a" * 70_000)


LONG = "a" * 2000


@pytest.mark.parametrize(
    ("answer", "shortened"),
    [
        pytest.param({"url": LONG}, {"url": abbreviation(LONG)}, id="url"),
        pytest.param(
            {"components": {"path": LONG, "query": None}},
            {"components": {"path": abbreviation(LONG), "query": None}},
            id="component",
        ),
        pytest.param({"f": [("n", LONG)]}, {"f": [["n", abbreviation(LONG)]]}, id="part-of-a-pair"),
    ],
)
def test_a_long_text_is_abbreviated_wherever_it_stands(answer, shortened):
    assert abbreviated({**answer, "at": 3}) == {**shortened, "at": 3}


def test_long_bytes_are_abbreviated_as_hex_digits():
    digest = hashlib.sha256(b"\x00\xff" * 1000).hexdigest()
    answer = abbreviated({"name": {"hex": "00ff" * 1000}})
    assert answer == {"name": f"hex {'00ff' * 20}\u2026 (2,000 bytes, SHA-256 {digest})"}


@pytest.mark.parametrize("digits", ["zz" * 1000, "0" * 2001], ids=["letters", "half-a-byte"])
def test_long_text_under_the_name_hex_that_is_no_hex_is_abbreviated_as_text(digits):
    assert abbreviated({"hex": digits}) == {"hex": abbreviation(digits)}


def test_an_answer_without_long_texts_stays_the_same_object():
    shortened = abbreviated({"url": LONG})
    assert abbreviated(shortened) is shortened


def test_an_abbreviated_case_keeps_its_digest(make_case):
    long_case = make_case("rfc3986-3-x", url="a:" + "b" * 2000)
    short_case = abbreviated_case(long_case)
    digest = vector_digest(long_case)
    assert is_abbreviation(short_case.vector.url)
    assert short_case.digest == digest
    assert vector_digest(short_case) == digest
    assert locked_vector(long_case).digest == digest


def test_an_abbreviated_case_is_not_abbreviated_again(make_case):
    short_case = abbreviated_case(make_case("rfc3986-3-x", url="a:" + "b" * 2000))
    assert abbreviated_case(short_case) == short_case


def test_a_case_with_short_texts_is_not_abbreviated(make_case):
    case = make_case("rfc3986-3-x")
    assert abbreviated_case(case) is case
