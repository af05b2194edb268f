"""Formats: each is read back by what it is for."""

from __future__ import annotations

import ast
import hashlib
import io
import json

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.model import Expected, VectorFile, corpus_dir, decode_document
from urlharness.generate import formats
from urlharness.generate.kinds import Sample
from urlharness.generate.requests import GeneratedText, Request, Texts
from urlharness.words.mutation import Edit
from urloracle.rfcs import specification

RFC3986 = specification("rfc3986")

#: A text of every sort: valid, no UTF-8, with a line end, beyond ASCII, ended too early.
SAMPLES = [
    Sample("http://a/", True),
    Sample("a:\udcff", False, 2, "path-rootless", "no UTF-8", Edit("append", 2, "", "\udcff")),
    Sample("a:\n", False, 2, "path-rootless", "control"),
    Sample("a:\u3002\"\\'", False, 2, "path-rootless", "beyond ASCII", Edit("replace", 2, ".", "\u3002")),
    Sample("", False, 0, "URI"),
]
CASES = [
    GeneratedText("valid" if sample.valid else "invalid", number, sample)
    for number, sample in enumerate(SAMPLES, 1)
]


@pytest.fixture(scope="module")
def pair_cases():
    """Cases of pairs of a base and a reference."""
    return list(Texts(Request(spec="rfc3986", resolution=True, number=40)))


def written(write, *arguments):
    """Return the octets that a function writes."""
    stream = io.BytesIO()
    write(*arguments, stream)
    return stream.getvalue()


def test_a_text_with_a_line_end_has_no_line():
    *lines, after_last = written(formats.write_lines, CASES).split(b"\n")
    assert [line.decode("utf-8", "surrogateescape") for line in lines] == [
        sample.text for sample in SAMPLES if "\n" not in sample.text
    ]
    assert after_last == b""


def test_texts_that_have_no_line_are_counted():
    """One of the samples has a line end."""
    number_without_line = formats.write_lines(CASES, io.BytesIO())
    assert number_without_line == 1


def test_a_line_of_a_pair_has_base_and_reference(pair_cases):
    lines = written(formats.write_lines, pair_cases).decode().splitlines()
    assert [tuple(line.split("\t")) for line in lines] == [
        (case.content.base, case.content.reference) for case in pair_cases
    ]


def json_lines(cases):
    """Return the objects of the JSON Lines of cases."""
    return [json.loads(line) for line in written(formats.write_jsonl, RFC3986, "URI", cases).splitlines()]


def test_a_json_line_has_rule_text_and_verdict():
    valid, *_ = json_lines(CASES)
    assert valid == {"spec": "rfc3986", "rule": "URI", "kind": "valid", "text": "http://a/", "valid": True}


def test_a_json_line_of_a_text_that_is_not_utf_8_has_hex_digits():
    _, not_utf_8, *_ = json_lines(CASES)
    assert not_utf_8 == {
        "spec": "rfc3986",
        "rule": "URI",
        "kind": "invalid",
        "text": {"hex": "613aff"},
        "valid": False,
        "offset": 2,
        "broken": "path-rootless",
        "class": "no UTF-8",
        "edit": {"kind": "append", "at": 2, "inserted": {"hex": "ff"}},
    }


def test_a_json_line_has_the_edit_of_its_text():
    (beyond_ascii,) = [line for line in json_lines(CASES) if line.get("class") == "beyond ASCII"]
    assert beyond_ascii["edit"] == {"kind": "replace", "at": 2, "removed": ".", "inserted": "\u3002"}


def test_a_json_line_has_line_ends_and_characters_beyond_ascii_as_text():
    _, _, *others = json_lines(CASES)
    assert [line["text"] for line in others] == [sample.text for sample in SAMPLES[2:]]


def test_the_json_line_of_a_text_that_ends_too_early_has_neither_class_nor_edit():
    *_, too_short = json_lines(CASES)
    assert too_short == {
        "spec": "rfc3986",
        "rule": "URI",
        "kind": "invalid",
        "text": "",
        "valid": False,
        "offset": 0,
        "broken": "URI",
    }


def test_a_json_line_of_a_pair_has_base_reference_and_target(pair_cases):
    lines = json_lines(pair_cases)
    pairs = [case.content for case in pair_cases]
    assert pairs != []
    assert [line["base"] for line in lines] == [pair.base for pair in pairs]
    assert [line["reference"] for line in lines] == [pair.reference for pair in pairs]
    expectations = [msgspec.convert(line["expect"], Expected) for line in lines]
    assert expectations == [pair.label.expect for pair in pairs]


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize(
    ("spec", "rule"),
    [("rfc3986", "URI"), ("rfc1738", "ftpurl"), ("rfc2396", "URI-reference"), ("rfc3987", "IRI")],
)
def test_generated_vectors_meet_the_schema(spec, rule):
    cases = Texts(Request(spec=spec, rule=rule, valid=True, invalid=True, number=60))
    document = json.loads(formats.vector_file(specification(spec), rule, list(cases)))
    schema = json.loads((corpus_dir() / "schemas" / "vectors.schema.json").read_bytes())
    assert list(Draft202012Validator(schema).iter_errors(document)) == []


@pytest.mark.parametrize(
    ("spec", "rule"),
    [("rfc3986", "URI"), ("rfc1738", "ftpurl"), ("rfc2396", "URI-reference"), ("rfc3987", "IRI")],
)
def test_a_generated_vector_expects_first_the_label_of_its_text(spec, rule):
    """Other verdicts are added by rulings."""
    cases = list(Texts(Request(spec=spec, rule=rule, valid=True, invalid=True, number=60)))
    document = formats.vector_file(specification(spec), rule, cases)
    vectors = decode_document(document.encode(), VectorFile).vectors
    first_alternatives = [vector.expect.alternatives[0] for vector in vectors]
    assert [first.valid for first in first_alternatives] == [case.content.valid for case in cases]
    offsets = [first.at for first in first_alternatives if first.valid is False]
    assert offsets == [case.content.offset for case in cases if not case.content.valid]


def test_the_id_of_a_generated_vector_has_its_kind_rule_and_number():
    cases = list(Texts(Request(spec="rfc1738", rule="ftpurl", valid=True, number=2)))
    document = formats.vector_file(specification("rfc1738"), "ftpurl", cases)
    first, second = decode_document(document.encode(), VectorFile).vectors
    assert first.id.endswith("-valid-ftpurl-000001")
    assert second.id.endswith("-valid-ftpurl-000002")


def test_vectors_of_pairs_are_resolutions(pair_cases):
    content = decode_document(formats.vector_file(RFC3986, "URI", pair_cases).encode(), VectorFile)
    assert content.section == "5.2"
    assert {vector.op for vector in content.vectors} == {"resolve"}
    assert [vector.expect for vector in content.vectors] == [case.content.label.expect for case in pair_cases]


def test_a_corpus_for_fuzzers_has_a_file_for_each_text(tmp_path):
    """One raw file a text, without a line end, named as libFuzzer names it."""
    formats.write_corpus(CASES, tmp_path / "new" / "corpus")
    files = {path.name: path.read_bytes() for path in (tmp_path / "new" / "corpus").iterdir()}
    assert set(files.values()) == {sample.text.encode("utf-8", "surrogateescape") for sample in SAMPLES}
    assert [name for name, content in files.items() if hashlib.sha1(content).hexdigest() != name] == []


@pytest.fixture(scope="module")
def dictionary_lines():
    """The lines of the dictionary of RFC 1738, as AFL reads it: a comment, then names with quoted texts."""
    return list(formats.dictionary_lines(specification("rfc1738"), "url"))


@pytest.fixture
def dictionary_entries(dictionary_lines):
    """The name and the text of each entry of the dictionary."""
    _, *lines = dictionary_lines
    pairs = [line.split("=", 1) for line in lines]
    return [(name, ast.literal_eval(f"b{quoted}")) for name, quoted in pairs]


def test_a_dictionary_begins_with_a_comment_that_names_the_rule(dictionary_lines):
    comment, *_ = dictionary_lines
    assert comment.startswith("# RFC 1738, rule url")


#: The entry of a character beyond ASCII in a dictionary.
BEYOND_ASCII = 'character_1="\\xC3\\xA9"'


def test_a_dictionary_has_characters_beyond_ascii_if_the_rule_has_some():
    assert BEYOND_ASCII in formats.dictionary_lines(specification("rfc3987"), "IRI")


@pytest.mark.parametrize(("spec", "rule"), [("rfc3987", "port"), ("rfc3986", "URI")], ids=["port", "URI"])
def test_a_dictionary_of_a_rule_in_ascii_has_no_characters_beyond_it(spec, rule):
    assert BEYOND_ASCII not in formats.dictionary_lines(specification(spec), rule)


def test_names_of_a_dictionary_are_different_identifiers(dictionary_entries):
    names = [name for name, _ in dictionary_entries]
    assert names != []
    assert [name for name in names if not name.isidentifier()] == []
    assert len(set(names)) == len(names)


def test_texts_of_a_dictionary_differ(dictionary_entries):
    texts = [text for _, text in dictionary_entries]
    assert texts
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("text", [b"ftp://", b"gopher://", b"\\", b"%2F", b"65536"])
def test_a_dictionary_has_schemes_delimiters_triplets_and_numbers(dictionary_entries, text):
    assert text in {entry_text for _, entry_text in dictionary_entries}


def test_a_dictionary_escapes_quotes_and_controls(monkeypatch):
    monkeypatch.setattr(formats, "dictionary_entries", lambda *_: iter([("literal", '"\\\t\xe9')]))
    _comment, entry = formats.dictionary_lines(RFC3986, "URI")
    assert entry == r'literal_1="\"\\\x09\xC3\xA9"'


@pytest.fixture
def module_text(pair_cases):
    """The module for pytest, with texts and pairs."""
    return "\n".join(formats.pytest_lines(RFC3986, "URI", [*CASES, *pair_cases]))


@pytest.fixture
def module_rows(module_text):
    """The rows of the table in the module: first those of texts, then those of pairs."""
    names = {}
    exec(compile(module_text, "cases", "exec"), names)
    return names["CASES"]


def test_the_pytest_module_has_the_labels_of_texts(module_rows):
    rows = module_rows[: len(SAMPLES)]
    assert [row.values for row in rows] == [(sample.text, sample.valid, sample.offset) for sample in SAMPLES]


def test_a_row_of_the_pytest_module_has_an_id(module_rows):
    assert [row.id for row in module_rows[:2]] == ["valid-000001", "invalid-000002"]


def test_the_pytest_module_has_the_targets_of_pairs(module_rows, pair_cases):
    rows_of_pairs = [row.values for row in module_rows[len(SAMPLES) :]]
    pairs = [case.content for case in pair_cases]
    assert [(base, reference) for base, reference, _ in rows_of_pairs] == [
        (pair.base, pair.reference) for pair in pairs
    ]
    first_targets = [targets[0] for _, _, targets in rows_of_pairs]
    assert first_targets == [pair.label.expect.alternatives[0].result for pair in pairs]


def test_the_pytest_module_is_ascii(module_text):
    assert module_text.isascii()
