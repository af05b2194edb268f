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
def pairs():
    return list(Texts(Request(spec="rfc3986", resolution=True, number=40)))


def written(write, *arguments):
    stream = io.BytesIO()
    write(*arguments, stream)
    return stream.getvalue()


def test_lines_leave_out_line_ends():
    stream = io.BytesIO()
    assert formats.write_lines(CASES, stream) == 1
    texts = [line.decode("utf-8", "surrogateescape") for line in stream.getvalue().split(b"\n")]
    assert texts == [sample.text for sample in SAMPLES if "\n" not in sample.text] + [""]


def test_a_line_of_a_pair_has_base_and_reference(pairs):
    lines = written(formats.write_lines, pairs).decode().splitlines()
    assert [tuple(line.split("\t")) for line in lines] == [
        (case.content.base, case.content.reference) for case in pairs
    ]


def test_a_json_line_has_text_verdict_and_offset():
    lines = [json.loads(line) for line in written(formats.write_jsonl, RFC3986, "URI", CASES).splitlines()]
    assert lines[0] == {
        "spec": "rfc3986", "rule": "URI", "kind": "valid", "text": "http://a/", "valid": True,
    }  # fmt: skip
    assert lines[1] == {
        "spec": "rfc3986", "rule": "URI", "kind": "invalid", "text": {"hex": "613aff"}, "valid": False,
        "offset": 2, "broken": "path-rootless", "class": "no UTF-8",
        "edit": {"kind": "append", "at": 2, "inserted": {"hex": "ff"}},
    }  # fmt: skip
    assert lines[3]["edit"] == {"kind": "replace", "at": 2, "removed": ".", "inserted": "\u3002"}
    assert [line["text"] for line in lines[2:]] == [sample.text for sample in SAMPLES[2:]]
    assert lines[4]["offset"] == 0
    assert "class" not in lines[4]


def test_a_json_line_of_a_pair_has_base_reference_and_target(pairs):
    lines = [json.loads(line) for line in written(formats.write_jsonl, RFC3986, "URI", pairs).splitlines()]
    for line, case in zip(lines, pairs, strict=True):
        assert line["base"] == case.content.base
        assert line["reference"] == case.content.reference
        assert msgspec.convert(line["expect"], Expected) == case.content.label.expect


@pytest.mark.parametrize(
    ("spec", "rule"), [("rfc3986", "URI"), ("rfc1738", "ftpurl"), ("rfc2396", "URI-reference")]
)
def test_generated_vectors_meet_the_schema_and_pass(spec, rule):
    """They meet the schema; the verdict asked for is the label, or one that a ruling adds."""
    texts = Texts(Request(spec=spec, rule=rule, valid=True, invalid=True, number=60))
    samples = list(texts)
    document = formats.vector_file(specification(spec), rule, samples)
    schema = json.loads((corpus_dir() / "schemas" / "vectors.schema.json").read_bytes())
    assert list(Draft202012Validator(schema).iter_errors(json.loads(document))) == []
    vectors = decode_document(document.encode(), VectorFile).vectors
    assert vectors[0].id.endswith(f"-valid-{rule.lower()}-000001")
    for case, vector in zip(samples, vectors, strict=True):
        first = vector.expect.alternatives[0]
        assert first.valid == case.content.valid
        assert case.content.valid or first.at == case.content.offset


def test_vectors_of_pairs_are_resolutions(pairs):
    content = decode_document(formats.vector_file(RFC3986, "URI", pairs).encode(), VectorFile)
    assert content.section == "5.2"
    assert {vector.op for vector in content.vectors} == {"resolve"}
    assert [vector.expect for vector in content.vectors] == [case.content.label.expect for case in pairs]


def test_a_corpus_for_fuzzers_has_a_file_for_each_text(tmp_path):
    """One raw file a text, without a line end, named as libFuzzer names it."""
    formats.write_corpus(CASES, tmp_path / "new" / "corpus")
    files = {path.name: path.read_bytes() for path in (tmp_path / "new" / "corpus").iterdir()}
    assert set(files.values()) == {sample.text.encode("utf-8", "surrogateescape") for sample in SAMPLES}
    assert all(hashlib.sha1(content).hexdigest() == name for name, content in files.items())


def test_a_dictionary_has_names_and_quoted_values():
    """Each line is a comment, or a name and a quoted value, as AFL reads it."""
    comment, *lines = formats.dictionary(specification("rfc1738"), "url")
    assert comment.startswith("# RFC 1738, rule url")
    values = {}
    for line in lines:
        name, _, value = line.partition("=")
        assert name.isidentifier()
        values[name] = ast.literal_eval(f"b{value}")
    assert len(values) == len(lines) == len(set(values.values()))
    assert {b"ftp://", b"gopher://", b"\\", b"%2F", b"65536"} <= set(values.values())


def test_a_dictionary_escapes_quotes_and_controls(monkeypatch):
    monkeypatch.setattr(formats, "entries", lambda *_: iter([("literal", '"\\\t\xe9')]))
    assert list(formats.dictionary(RFC3986, "URI"))[1] == r'literal_1="\"\\\x09\xC3\xA9"'


def test_the_pytest_module_has_the_cases(pairs):
    names = {}
    module = "\n".join(formats.pytest_module(RFC3986, "URI", [*CASES, *pairs]))
    exec(compile(module, "cases", "exec"), names)
    cases = names["CASES"]
    assert [case.values for case in cases[:5]] == [
        (sample.text, sample.valid, sample.offset) for sample in SAMPLES
    ]
    assert [case.id for case in cases[:2]] == ["valid-000001", "invalid-000002"]
    base, reference, results = cases[5].values
    assert base == pairs[0].content.base
    assert reference == pairs[0].content.reference
    assert results[0] == pairs[0].content.label.expect.alternatives[0].result
    assert module.isascii()
