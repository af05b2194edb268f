"""Formats of generated texts: lines, JSON Lines, vectors, fuzzer corpus, dictionary, pytest module."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from urlharness.corpus.export import canonical_text
from urlharness.corpus.model import Text, Vector, VectorFile, encoded_text
from urlharness.generate.kinds import Pair, Sample, text_bytes
from urlharness.generate.requests import GeneratedText, SpecAnswer
from urlharness.generate.tiers import Part, requirement
from urlharness.generate.tiers.labels import Labeller
from urlharness.jsonio import WholeFile, ascii_line
from urlharness.words.dictionary import dictionary_entries
from urlharness.words.mutation import Edit
from urloracle.specification import Specification

Format = Literal["lines", "jsonl", "vectors", "corpus", "dict", "pytest", "parquet"]

#: Characters that some readers treat as the end of a line.
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


class _Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sample as JSON. `broken` is the rule that the text breaks at `offset`."""

    spec: str
    rule: str
    kind: str
    text: Text
    valid: bool
    offset: int | None = None
    broken: str | None = None
    class_: str | None = msgspec.field(name="class", default=None)
    edit: dict[str, Any] | None = None
    difference: str | None = None
    specs: Mapping[str, SpecAnswer] | None = None


def write_lines(cases: Iterable[GeneratedText], stream: BinaryIO) -> int:
    """Write each text as a line, and each pair as base, tab, reference.

    Leave out texts that contain a line end. Return how many were left out.
    """
    omitted = 0
    for case in cases:
        content = case.content
        text = content.text if isinstance(content, Sample) else f"{content.base}\t{content.reference}"
        if _LINE_ENDS.isdisjoint(text):
            stream.write(text_bytes(text) + b"\n")
        else:
            omitted += 1
    return omitted


def write_jsonl(spec: Specification, rule: str, cases: Iterable[GeneratedText], stream: BinaryIO) -> None:
    """Write each case as a line of ASCII JSON."""
    stream.writelines(ascii_line(_record(spec, rule, case)) for case in cases)


def _record(spec: Specification, rule: str, case: GeneratedText) -> object:
    """Return a record that can be written as JSON."""
    if isinstance(case.content, Pair):
        return _pair_record(spec, case.kind, case.content)
    return _sample_record(spec, rule, case.kind, case.content)


def _sample_record(spec: Specification, rule: str, kind: str, sample: Sample) -> _Record:
    """Return the record of a text with its label."""
    return _Record(
        spec=spec.id,
        rule=rule,
        kind=kind,
        text=encoded_text(sample.text),
        valid=sample.valid,
        offset=sample.offset,
        broken=sample.broken,
        class_=sample.class_,
        edit=_edit_record(sample.edit),
        difference=sample.difference,
        specs=sample.answers,
    )


def _pair_record(spec: Specification, kind: str, pair: Pair) -> dict[str, Any]:
    """Return the record of a pair to resolve, without the fields that say nothing."""
    fields = {
        "spec": spec.id,
        "kind": kind,
        "base": pair.base,
        "reference": pair.reference,
        **pair.label._asdict(),
        "difference": pair.difference,
        "specs": pair.answers,
    }
    return {name: content for name, content in fields.items() if content is not None}


def _edit_record(edit: Edit | None) -> dict[str, Any] | None:
    """Return the edit that made a text invalid as JSON data, or None if there is none."""
    if edit is None:
        return None
    record: dict[str, Any] = {"kind": edit.kind, "at": edit.at}
    if edit.removed:
        record["removed"] = encoded_text(edit.removed)
    if edit.inserted:
        record["inserted"] = encoded_text(edit.inserted)
    return record


def vector_file(spec: Specification, rule: str, cases: Iterable[GeneratedText]) -> str:
    """Return the cases as a vector file with every answer that a ruling admits.

    The cases must be all samples or all pairs.
    """
    labeller = Labeller(spec, rule)
    vectors: list[Vector] = []
    kinds: dict[str, None] = {}  # in the order in which they come
    part = Part("complete", spec.id, rule)
    for kind, number, content in cases:
        kinds[kind] = None
        if isinstance(content, Pair):
            part = Part("resolution", spec.id)
            label = content.label
        else:
            label = labeller.verdict(content.text)
        tested = requirement(part)
        rule_words = (part.rule or "").lower().replace("_", "-")
        words = [spec.id, tested.section, kind, rule_words, f"{number:06}"]
        vector = Vector(
            id="-".join(filter(None, words)),  # a part of a resolution has no rule
            requirement=tested.id,
            level=tested.level,
            **_question(rule, content),
            **label._asdict(),
        )
        vectors.append(vector)
    title = f"Generated: {', '.join(kinds)}"
    section = requirement(part).section
    document = VectorFile("urlvectors-1", part.spec, section, title, tuple(vectors))
    return canonical_text(msgspec.to_builtins(document))


def _question(rule: str, content: Sample | Pair) -> dict[str, Any]:
    """Return the fields of a vector that ask for the label of a sample or pair."""
    if isinstance(content, Pair):
        return {"op": "resolve", "base": content.base, "reference": content.reference}
    return {"op": "validate", "rule": rule, "url": encoded_text(content.text)}


def write_corpus(cases: Iterable[GeneratedText], folder: Path) -> None:
    """Write each text, without a line end, to a file named after its SHA-1.

    If that fails or is interrupted, remove the files that were not there before.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    new_files: list[Path] = []
    try:
        for case in cases:
            assert isinstance(case.content, Sample)  # a corpus of pairs has no meaning to a fuzzer
            content = text_bytes(case.content.text)
            path = folder / hashlib.sha1(content, usedforsecurity=False).hexdigest()
            if not path.exists():
                new_files.append(path)
            with WholeFile(path) as stream:
                stream.write(content)
    except BaseException:
        for path in new_files:
            path.unlink(missing_ok=True)
        if is_new:
            folder.rmdir()
        raise


def dictionary_lines(spec: Specification, rule: str) -> Iterator[str]:
    """Yield the lines of a dictionary for libFuzzer and AFL++."""
    yield f"# {spec.title}, rule {rule}: literals, delimiters, percent-encoded triplets, boundary numbers"
    numbers: dict[str, int] = {}
    for kind, text in dictionary_entries(spec.grammar, rule):
        numbers[kind] = numbers.get(kind, 0) + 1
        escaped = "".join(map(_escaped, text_bytes(text)))
        yield f'{kind}_{numbers[kind]}="{escaped}"'


def _escaped(byte: int) -> str:
    """Return a byte as dictionaries spell it between quotation marks."""
    char = chr(byte)
    if char in '"\\':
        return f"\\{char}"
    return char if " " <= char <= "~" else f"\\x{byte:02X}"


def pytest_lines(spec: Specification, rule: str, cases: Iterable[GeneratedText]) -> Iterator[str]:
    """Yield the lines of a Python module with a list of `pytest.param`."""
    yield f'"""Texts for rule {rule} of {spec.title}, with labels, from `urlconform generate`.'
    yield ""
    yield "A text: text, valid or not, offset of the first wrong character or None."
    yield "A pair: base, reference, the admissible results; None is a refusal."
    yield '"""'
    yield ""
    yield "import pytest"
    yield ""
    yield "CASES = ["
    for kind, number, content in cases:
        if isinstance(content, Sample):
            arguments = f"{content.text!a}, {content.valid}, {content.offset}"
        else:
            arguments = f"{content.base!a}, {content.reference!a}, {content.targets!a}"
        yield f'    pytest.param({arguments}, id="{kind}-{number:06}"),'
    yield "]"
