"""Write texts to add to tests, in the format of the tests.

Each text says that its answer comes from the minimal DFA of the rule, or from the algorithm of the RFC. It is
no vector of the corpus, whose answers come from the texts of the RFCs.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple

from urlharness.adequacy.additions import Addition
from urlharness.adequacy.readers import RESOLUTION_COLUMNS, VERDICT_COLUMNS, Form, resolved
from urlharness.corpus.foreign import FORMATS
from urlharness.jsonio import ascii_lines
from urlharness.wording import counted, rfc

#: The number of changed rules that a text names.
_NAMED_RULES = 3
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class AddedTexts(NamedTuple):
    """The texts to add for one rule of an RFC, or the pairs for its resolution if `rule` is empty."""

    spec: str
    rule: str
    additions: Sequence[Addition]

    @property
    def source(self) -> str:
        """The source of the answers, in words."""
        return "automata" if self.rule else "the resolution algorithm"

    @property
    def answered_by(self) -> str:
        """The source of the answers, with the RFC and the rule."""
        if self.rule:
            return f"minimal DFA of {rfc(self.spec)}, rule {self.rule}"
        return f"resolution algorithm of {rfc(self.spec)}"


class UnsuitableFormat(ValueError):
    """The format has no place for these texts."""


def notices_in_words(addition: Addition) -> str:
    """Return what a text notices, such as `notices 12 more kinds of mistakes (in port and host)`."""
    names = [*addition.rules]
    rules = ", ".join(names[:_NAMED_RULES])
    if len(names) > _NAMED_RULES:
        rules += f" and {counted(len(names) - _NAMED_RULES, 'more rule')}"
    return f"notices {counted(addition.kinds, 'more kind')} of mistakes (in {rules})"


def additions_text(form: Form, texts: Sequence[AddedTexts]) -> str:
    """Return the content of a file with texts to add. Its format is that of the tests.

    Recorded calls have no right answers of their own, so texts to add to them are plain JSON Lines.
    Raise UnsuitableFormat if the format has no place for a rule or for resolution.
    """
    match form:
        case "format-tests":
            groups = [group for added in texts for group in _format_groups(added)]
            return json.dumps(groups, indent=4) + "\n"
        case "urls":
            entries = [entry for added in texts for entry in _url_entries(added)]
            return json.dumps(entries, indent=2) + "\n"
        case "vectors":
            return _text_of_vector_file(texts)
        case "case-lines":
            return ascii_lines([*_vectors(texts)]).decode("ascii")
        case "csv":
            return _csv(texts)
        case "lines" | "recording":
            rows = [row for added in texts for row in _rows(added)]
            return ascii_lines(rows).decode("ascii")


def _remark(added: AddedTexts, addition: Addition) -> str:
    """Return section, source of the answer, and what a text notices."""
    section = f"{rfc(added.spec)}, section {addition.section}"
    return f"{section}; {notices_in_words(addition)}; answer from the {added.answered_by}"


def _format_groups(added: AddedTexts) -> Iterator[dict[str, Any]]:
    """Yield a group of the JSON-Schema-Test-Suite for each section.

    Raise UnsuitableFormat if no format of JSON Schema is defined by the rule of the texts.
    """
    defined_by = (added.spec, added.rule)
    format_name = next((name for name, rule in FORMATS.items() if rule == defined_by), None)
    if format_name is None:
        subject = f"rule {added.rule}" if added.rule else "resolution"
        raise UnsuitableFormat(f"tests of JSON Schema formats have no format for {subject}")
    by_section: dict[str, list[Addition]] = {}
    for addition in added.additions:
        by_section.setdefault(addition.section, []).append(addition)
    for section, additions in by_section.items():
        tests = []
        for number, addition in enumerate(additions, 1):
            tests.append(_format_test(added, addition, f"{format_name} {number}"))
        yield {
            "description": f"{format_name}: {rfc(added.spec)}, section {section}",
            "specification": [{added.spec: section}],
            "schema": {"$schema": _DRAFT, "format": format_name},
            "tests": tests,
        }


def _format_test(added: AddedTexts, addition: Addition, name: str) -> dict[str, Any]:
    """Return a test of the JSON-Schema-Test-Suite, described by the first rules that it distinguishes."""
    verdict = "valid" if addition.answer else "invalid"
    rules = ", ".join([*addition.rules][:_NAMED_RULES])
    return {
        "description": f"{verdict} {name} ({rules})",
        "comment": _remark(added, addition),
        "data": addition.inputs[0],
        "valid": addition.answer,
    }


def _url_entries(added: AddedTexts) -> Iterator[dict[str, Any]]:
    """Yield entries as `urltestdata.json` has them; their results are those of the RFC."""
    for addition in added.additions:
        remark = _remark(added, addition)
        if not added.rule:
            base, reference = addition.inputs
            href = addition.answer
        else:
            (reference,) = addition.inputs
            base = None
            href = resolved(added.spec, reference, reference) if addition.answer else None
        entry: dict[str, Any] = {"comment": remark, "input": reference, "base": base}
        if href is None:
            entry["failure"] = True
        else:
            entry["href"] = href
        yield entry


def _vectors(texts: Sequence[AddedTexts]) -> Iterator[dict[str, Any]]:
    """Yield the fields of vectors, after RFC and section. Their requirements are none of the corpus."""
    for added in texts:
        for number, addition in enumerate(added.additions, 1):
            name = f"added-{added.spec}-{added.rule or 'resolve'}-{number}".lower()
            yield {
                "spec": added.spec,
                "section": addition.section,
                "id": name,
                "requirement": name,
                "level": "note",
                "binding": "required",
                **_question(added, addition),
                "comment": _remark(added, addition),
            }


def _question(added: AddedTexts, addition: Addition) -> dict[str, Any]:
    """Return the operation, the inputs and the expected answer of a vector."""
    if added.rule:
        expect = {"valid": addition.answer}
        return {"op": "validate", "rule": added.rule, "url": addition.inputs[0], "expect": expect}
    base, reference = addition.inputs
    target = {"valid": False} if addition.answer is None else {"result": addition.answer}
    return {"op": "resolve", "base": base, "reference": reference, "expect": target}


def _text_of_vector_file(texts: Sequence[AddedTexts]) -> str:
    """Return the text of a file of vectors. Raise UnsuitableFormat if the texts are of several RFCs.

    The file is of one section, so each comment names the section of its text.
    """
    specs = {added.spec for added in texts}
    if len(specs) > 1:
        raise UnsuitableFormat("a file of vectors is of one RFC: choose it with --spec")
    vectors = [*_vectors(texts)]
    document = {
        "schema": "urlvectors-1",
        "spec": vectors[0]["spec"],
        "section": vectors[0]["section"],
        "title": "Texts that notice mistakes",
        "vectors": [_without_place(vector) for vector in vectors],
    }
    return json.dumps(document, indent=1) + "\n"


def _without_place(vector: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a vector without RFC and section, which its file has."""
    return {name: content for name, content in vector.items() if name not in ("spec", "section")}


def _rows(added: AddedTexts) -> Iterator[Mapping[str, Any]]:
    """Yield the columns of each text: inputs and answer, RFC, rule and section, and a remark."""
    columns = VERDICT_COLUMNS if added.rule else RESOLUTION_COLUMNS
    for addition in added.additions:
        row: dict[str, Any] = dict(zip(columns, (*addition.inputs, addition.answer), strict=True))
        row |= {"spec": added.spec, "section": addition.section}
        if added.rule:
            row["rule"] = added.rule
        row |= {"notices": addition.kinds, "in": " ".join(addition.rules)}
        row["answered_by"] = added.answered_by
        yield row


def _csv(texts: Sequence[AddedTexts]) -> str:
    """Return CSV with the columns of `_rows`.

    Raise UnsuitableFormat if verdicts and resolutions are mixed.
    """
    if len({bool(added.rule) for added in texts}) > 1:
        raise UnsuitableFormat("a CSV file has either texts with verdicts or references with results")
    rows = [row for added in texts for row in _rows(added)]
    if not rows:
        return ""
    written = StringIO(newline="")
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(content) for name, content in row.items()})
    return written.getvalue()


def _cell(content: object) -> object:
    """Return the text of a cell: `true` or `false` for a verdict."""
    return str(content).lower() if isinstance(content, bool) else content
