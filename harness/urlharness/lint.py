"""Checks of the corpus against itself and against the RFC texts: everything a schema cannot say.

Each finding is one line that names the file and the case.  Nothing here asks the oracle for an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from urlharness.corpus import SPECS, IndexedSection, vector_files
from urlharness.documents import Finding, read_document
from urlharness.locked import question_key
from urlharness.operations import INPUTS, OPERATIONS
from urlharness.rfctext import Citations

#: For each specification and section its heading and the digests of its paragraphs.
Index = Mapping[str, Mapping[str, Mapping[str, Any]]]

_SEVERAL = {"permitted-set", "impl-defined", "literal-only"}


def lint(root: Path, texts: Mapping[str, Citations]) -> list[Finding]:
    """All findings in the corpus at `root`; paragraph digests are recomputed for the RFCs in `texts`."""
    findings: list[Finding] = []
    index = _read_index(root, findings)
    findings += _lint_index(index, texts)
    requirements = _lint_catalogues(root, texts, index, findings)
    ids: dict[str, str] = {}
    questions: dict[str, str] = {}
    for path in vector_files(root):
        document = read_document(path, root, "vectors", findings)
        if document is None:
            continue
        name = path.relative_to(root).as_posix()
        findings += _lint_place(document, path, name)
        for vector in document["vectors"]:
            messages = list(lint_vector(document, vector, requirements))
            if vector["id"] in ids:
                messages.append(f"id already used in {ids[vector['id']]}")
            question = question_key(document["spec"], vector)
            if question in questions:
                messages.append(f"asks the same as {questions[question]}")
            ids[vector["id"]] = name
            questions.setdefault(question, vector["id"])
            findings += [Finding(name, vector["id"], message) for message in messages]
    return findings


def _lint_catalogues(
    root: Path, texts: Mapping[str, Citations], index: Index, findings: list[Finding]
) -> dict[str, dict[str, Any]]:
    """Every requirement by its id; what is wrong with the catalogues is added to the findings."""
    requirements: dict[str, dict[str, Any]] = {}
    for spec in SPECS:
        name = f"requirements/{spec}.json"
        if not (root / name).is_file():
            findings.append(Finding(name, "", "the catalogue is missing"))
            continue
        document = read_document(root / name, root, "requirements", findings)
        if document is None:
            continue
        findings += _lint_catalogue(document, name, texts.get(spec), index)
        for requirement in document["requirements"]:
            if requirement["id"] in requirements:
                findings.append(Finding(name, requirement["id"], "id used twice"))
            requirements[requirement["id"]] = requirement
    return requirements


def paragraph_index(texts: Mapping[str, Citations]) -> Index:
    """For each specification and section its heading and the digests of its paragraphs, in order."""
    return {
        spec: {
            section: {"title": title, "digests": citations.digests(section)}
            for section, title in citations.titles.items()
        }
        for spec, citations in texts.items()
    }


def _read_index(root: Path, findings: list[Finding]) -> Index:
    """The paragraph index; an empty one, and a finding, where there is none that can be read."""
    path = root / "paragraphs.json"
    try:
        octets = path.read_bytes()
        msgspec.json.decode(octets, type=dict[str, dict[str, IndexedSection]])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        findings.append(Finding(path.name, "", f"no paragraph index: {error}"))
        return {}
    index: Index = json.loads(octets)
    return index


def _lint_index(index: Index, texts: Mapping[str, Citations]) -> Iterator[Finding]:
    """Whether the index says what the texts say."""
    for spec, sections in paragraph_index(texts).items() if index else ():
        found = index.get(spec, {})
        for section in dict.fromkeys((*sections, *found)):
            if found.get(section) != sections.get(section):
                yield Finding("paragraphs.json", f"{spec} {section}", "does not say what the RFC text says")


def _lint_catalogue(
    document: Mapping[str, Any],
    name: str,
    citations: Citations | None,
    index: Index,
) -> Iterator[Finding]:
    spec = document["spec"]
    for requirement in document["requirements"]:
        section, place = requirement["section"], requirement["paragraph"]
        numbers = place if isinstance(place, list) else [place]
        if not requirement["id"].startswith(f"{spec}-{section}-"):
            yield Finding(name, requirement["id"], f"the id does not begin with {spec}-{section}-")
        if requirement.get("testable") == "no" and "reason" not in requirement:
            yield Finding(name, requirement["id"], "untestable, and no reason given")
        if numbers == [0]:
            continue
        known = citations.digests(section) if citations else _digests(index, spec, section)
        if (citations or index) and not all(1 <= number <= len(known) for number in numbers):
            yield Finding(name, requirement["id"], f"no paragraph {place} in section {section}")
            continue
        if citations is not None:
            actual = citations.digest(section, numbers)
        elif index and len(numbers) == 1:
            actual = known[numbers[0] - 1]  # of several, the index cannot tell the digest
        else:
            continue
        if actual != requirement["digest"]:
            yield Finding(
                name,
                requirement["id"],
                f"section {section} paragraph {place} has digest {actual}, not {requirement['digest']}",
            )


def _digests(index: Index, spec: str, section: str) -> Sequence[str]:
    found: Sequence[str] = index.get(spec, {}).get(section, {}).get("digests", ())
    return found


def _lint_place(document: Mapping[str, Any], path: Path, name: str) -> Iterator[Finding]:
    if path.parent.name != document["spec"]:
        yield Finding(name, "", f"the folder is not that of {document['spec']}")
    if path.stem.split("-", 1)[0] != document["section"]:
        yield Finding(name, "", f"the file name does not begin with section {document['section']}")


def lint_vector(
    document: Mapping[str, Any],
    vector: Mapping[str, Any],
    requirements: Mapping[str, Mapping[str, Any]],
) -> Iterator[str]:
    """What is wrong with one vector of a document, as clauses; `requirements` are all of the corpus by id."""
    spec, section, op = document["spec"], document["section"], vector["op"]
    if not vector["id"].startswith(f"{spec}-{section}-"):
        yield f"the id does not begin with {spec}-{section}-"
    requirement = requirements.get(vector["requirement"])
    if requirement is None:
        yield f"unknown requirement {vector['requirement']}"
    elif requirement["section"] != section or not requirement["id"].startswith(spec):
        yield f"requirement {requirement['id']} belongs to section {requirement['section']}"
    elif requirement.get("testable") == "no":
        yield f"requirement {requirement['id']} is marked untestable"
    for name in INPUTS:
        if name in vector and name not in OPERATIONS[op].takes:
            yield f"operation {op} takes no {name}"
    alternatives = vector["expect"].get("any", [vector["expect"]])
    for answer in alternatives:
        if not OPERATIONS[op].answers & answer.keys():
            yield f"operation {op} cannot be answered by {sorted(answer)}"
    yield from _lint_binding(vector, alternatives)
    if op == "validate":
        yield from _lint_rejection(vector, alternatives)


def _lint_binding(vector: Mapping[str, Any], alternatives: list[Any]) -> Iterator[str]:
    binding = vector["binding"]
    if len(alternatives) > 1 and binding not in _SEVERAL:
        yield f"several answers, but binding {binding}"
    if len(alternatives) == 1 and binding in {"permitted-set", "literal-only"}:
        yield f"binding {binding}, but one answer"
    if binding != "required" and "ruling" not in vector:
        yield f"binding {binding} needs a ruling"
    if "variant" in alternatives[0]:
        yield "the first answer is the recommended one and carries no variant name"
    if binding == "literal-only" and not any(a.get("variant") == "literal" for a in alternatives):
        yield "binding literal-only, but no answer is the variant literal"


def _lint_rejection(vector: Mapping[str, Any], alternatives: list[Any]) -> Iterator[str]:
    text = vector["url"]
    length = len(text) if isinstance(text, str) else len(text["hex"]) // 2
    for answer in alternatives:
        if answer.get("valid") is False and "at" not in answer:
            yield "an invalid text needs the offset of its first bad character"
        if answer.get("at", 0) > length:
            yield f"offset {answer['at']} lies behind the text"
        if answer.get("valid") and "at" in answer:
            yield "a valid text has no bad character"
