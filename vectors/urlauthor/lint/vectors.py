"""Vectors, requirements, bindings, names of rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from urlauthor.documents import LintError, read_document
from urlauthor.lint.citations import Index, digests, lint_index, made_up, read_index, read_rulings
from urlauthor.lint.wording import lint_words
from urlauthor.rfctext import Citations, digest
from urlharness.corpus.lock import question_key
from urlharness.corpus.model import INPUTS, OPERATIONS, SPECS, vector_files
from urloracle.grammar.grammar import Grammar, load
from urloracle.rfcs import SPECIFICATIONS

# -------------------- lint_rules: Checks of the names of rules: each is one of the grammar of its RFC, and open where it can be.


def has_rule(spec: str, rule: str) -> bool:
    """True where the RFC has a rule of that name, which the RFCs spell in either case."""
    return rule in SPECIFICATIONS[spec].grammar


def lint_rules(spec: str, vector: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the rules that a vector names, as clauses.

    An open rule is one that derives a part of what the asked rule derives; where no rule is asked, of what
    a whole URL or an absolute one is.
    """
    prose = vector.get("profile") == "prose"
    grammar = _grammar(spec, prose=prose)
    asked = vector.get("rule")
    if asked is not None:
        yield from _lint_name(grammar, spec, asked)
        if asked not in grammar:
            return
    reachable = _reachable(spec, asked, prose=prose)
    for answer in vector["expect"].get("any", [vector["expect"]]):
        for rule in answer.get("rules", ()):
            yield from _lint_name(grammar, spec, rule)
            if rule in grammar and rule.lower() not in reachable:
                yield f"rule {rule} is never open in {asked or 'a whole URL'}"


def _lint_name(grammar: Grammar, spec: str, rule: str) -> Iterator[str]:
    if rule not in grammar:
        yield f"{spec} has no rule {rule}"
    elif grammar.canonical_name(rule) != rule:
        yield f"rule {rule} is spelled {grammar.canonical_name(rule)}"


@cache
def _grammar(spec: str, *, prose: bool) -> Grammar:
    found = SPECIFICATIONS[spec]
    return load(*found.files, *found.prose_files) if prose else found.grammar


@cache
def _reachable(spec: str, asked: str | None, *, prose: bool) -> frozenset[str]:
    """Folded names of the rules that may be open: with that of unknown schemes where schemes decide."""
    found = SPECIFICATIONS[spec]
    roots = {asked or found.default_rule}
    if asked is None and found.absolute is not None:
        roots.add(found.absolute)
    if found.unknown_scheme is not None and (asked or found.default_rule).lower() == found.by_scheme:
        roots.add(found.unknown_scheme)
    grammar = _grammar(spec, prose=prose)
    return frozenset().union(*(grammar.reachable(root) for root in roots))


# -------------------- lint: Checks of the corpus against itself and against the RFC texts: everything a schema cannot say.


#: What the name of a file of witnesses of mutants ends with, and what the ends of their ids begin with.
MUTANTS = "-mutants.json"


MUTANT = "mutant-"


_SEVERAL = {"permitted-set", "impl-defined", "literal-only"}


class Citable(NamedTuple):
    """What a vector may cite: every requirement by its id, and the rulings; None where none could be read."""

    requirements: Mapping[str, Mapping[str, Any]]
    rulings: Collection[str] | None


def lint(root: Path, texts: Mapping[str, Citations]) -> list[LintError]:
    """All findings in the corpus at `root`; paragraph digests are recomputed for the RFCs in `texts`."""
    findings: list[LintError] = []
    index = read_index(root, findings)
    if index is not None:
        findings += lint_index(index, texts)
    rulings = read_rulings(root, findings)
    for ruling, reading in (rulings or {}).items():
        findings += [
            LintError("rulings.json", ruling, m) for m in lint_words("reading", reading, explains=False)
        ]
    known = Citable(_lint_catalogues(root, texts, index, rulings, findings), rulings)
    ids: dict[str, str] = {}
    questions: dict[str, str] = {}
    for path in vector_files(root):
        document = read_document(path, root, "vectors", findings)
        if document is None:
            continue
        name = path.relative_to(root).as_posix()
        findings += _lint_place(document, path, name)
        for vector in document["vectors"]:
            messages = list(lint_vector(document, path.name, vector, known))
            if vector["id"] in ids:
                messages.append(f"id already used in {ids[vector['id']]}")
            question = question_key(document["spec"], vector)
            if question in questions:
                messages.append(f"asks the same as {questions[question]}")
            ids[vector["id"]] = name
            questions.setdefault(question, vector["id"])
            findings += [LintError(name, vector["id"], message) for message in messages]
    return findings


def _lint_catalogues(
    root: Path,
    texts: Mapping[str, Citations],
    index: Index | None,
    rulings: Collection[str] | None,
    findings: list[LintError],
) -> dict[str, dict[str, Any]]:
    """Every requirement by its id; what is wrong with the catalogues is added to the findings."""
    requirements: dict[str, dict[str, Any]] = {}
    for spec in SPECS:
        name = f"requirements/{spec}.json"
        if not (root / name).is_file():
            findings.append(LintError(name, "", "the catalogue is missing"))
            continue
        document = read_document(root / name, root, "requirements", findings)
        if document is None:
            continue
        if document["spec"] != spec:
            findings.append(LintError(name, "", f"it is the catalogue of {document['spec']}"))
        for requirement in document["requirements"]:
            messages = list(_lint_requirement(document["spec"], requirement, rulings))
            messages += _lint_citation(document["spec"], requirement, texts.get(document["spec"]), index)
            if requirement["id"] in requirements:
                messages.append("id used twice")
            requirements[requirement["id"]] = requirement
            findings += [LintError(name, requirement["id"], message) for message in messages]
    return requirements


def _lint_requirement(
    spec: str, requirement: Mapping[str, Any], rulings: Collection[str] | None
) -> Iterator[str]:
    if not requirement["id"].startswith(f"{spec}-{requirement['section']}-"):
        yield f"the id does not begin with {spec}-{requirement['section']}-"
    if requirement.get("testable") == "no" and "reason" not in requirement:
        yield "untestable, and no reason given"
    yield from made_up([requirement.get("ruling")], rulings)
    yield from lint_words("statement", requirement["statement"], explains=False)
    yield from lint_words("reason", requirement.get("reason", ""), explains=True)


def _lint_citation(
    spec: str, requirement: Mapping[str, Any], citations: Citations | None, index: Index | None
) -> Iterator[str]:
    """Whether the paragraph is there and has the digest, by the text or else the index."""
    section, place = requirement["section"], requirement["paragraph"]
    numbers = place if isinstance(place, list) else [place]
    known: Sequence[str] | None
    if citations is not None:
        known = citations.digests(section) if section in citations.titles else None
    elif index is not None and index.get(spec):
        known = digests(index, spec, section)
    else:
        return  # the lack of an index was found already
    if known is None or not all(number <= len(known) for number in numbers):
        yield f"no paragraph {place} in section {section}"
        return
    if numbers == [0]:
        actual = digest("")  # the statement cites the section and no text of it
    elif citations is not None:
        actual = citations.digest(section, numbers)
    elif len(numbers) == 1:
        actual = known[numbers[0] - 1]
    else:
        return  # of several, the index cannot tell the digest
    if actual != requirement["digest"]:
        yield f"section {section} paragraph {place} has digest {actual}, not {requirement['digest']}"


def _lint_place(document: Mapping[str, Any], path: Path, name: str) -> Iterator[LintError]:
    for message in lint_words("title", document["title"], explains=True):
        yield LintError(name, "", message)
    if path.parent.name != document["spec"]:
        yield LintError(name, "", f"the folder is not that of {document['spec']}")
    if path.stem.split("-", 1)[0] != document["section"]:
        yield LintError(name, "", f"the file name does not begin with section {document['section']}")


def lint_vector(
    document: Mapping[str, Any], file: str, vector: Mapping[str, Any], known: Citable
) -> Iterator[str]:
    """What is wrong with one vector of a document, as clauses; `file` is the name of its file."""
    spec, section, op = document["spec"], document["section"], vector["op"]
    if not vector["id"].startswith(f"{spec}-{section}-"):
        yield f"the id does not begin with {spec}-{section}-"
    requirement = known.requirements.get(vector["requirement"])
    if requirement is None:
        yield f"unknown requirement {vector['requirement']}"
    elif requirement["section"] != section or not requirement["id"].startswith(spec):
        yield f"requirement {requirement['id']} belongs to section {requirement['section']}"
    elif requirement.get("testable") == "no":
        yield f"requirement {requirement['id']} is marked untestable"
    yield from made_up([vector.get("ruling")], known.rulings)
    yield from lint_rules(spec, vector)
    yield from lint_words("comment", vector.get("comment", ""), explains=True)
    yield from _lint_origin(vector, file, vector["id"].removeprefix(f"{spec}-{section}-"))
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


def _lint_origin(vector: Mapping[str, Any], file: str, slug: str) -> Iterator[str]:
    """Whether origin, file and id say alike that a vector is the witness of a mutant, or that it is none."""
    witness = vector.get("origin") == "mutant"
    if witness is not file.endswith(MUTANTS):
        yield f"origin mutant in {file}" if witness else f"no origin mutant, but it stands in {file}"
    if witness is not slug.startswith(MUTANT):
        yield "origin mutant, but not its id" if witness else "the id is that of a mutant, the origin is not"


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
