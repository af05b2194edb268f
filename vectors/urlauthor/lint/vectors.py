"""Checks of vectors and requirement catalogues that a schema cannot express."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from urlauthor.documents import LintError, read_document
from urlauthor.lint.citations import (
    RULINGS_FILE,
    Index,
    corpus_specs,
    lint_citation,
    lint_index,
    read_index,
    read_rulings,
    unknown_rulings,
)
from urlharness.corpus.lock import question_key
from urlharness.corpus.model import (
    OPERATIONS,
    Expected,
    Hex,
    Requirement,
    RequirementFile,
    Text,
    Vector,
    VectorFile,
    vector_files,
)
from urlharness.corpus.rfctext import Citations
from urlharness.corpus.specifications import facts
from urloracle.grammar.grammar import Grammar, load
from urloracle.rfcs import SPECIFICATIONS

#: The names of files with witnesses of mutants end with MUTANTS.  The slugs in the ids begin with MUTANT.
MUTANTS = "-mutants.json"
MUTANT = "mutant-"

#: The names of files with twins end with TWINS.  The id of a twin is the id of its original and TWIN.
TWINS = "-twins.json"
TWIN = "-twin"

#: The names of files with vectors that follow from those of another RFC end with DERIVED.  Their slugs begin
#: with DERIVED_SLUG.
DERIVED = "-derived.json"
DERIVED_SLUG = "derived-"

#: The names of files with vectors that combine parts of URLs end with PAIRS.  Their slugs begin with PAIR.
PAIRS = "-combined.json"
PAIR = "pair-"

_OPEN_OFFSETS = frozenset(("R-2732-08",))

#: Bindings of vectors with several answers.
_SEVERAL = {"permitted-set", "impl-defined", "literal-only"}

#: Words that no text may contain: hedges, empty emphasis, appeals to the reader, and to-do notes.
NOWHERE = (
    "apparently",
    "arguably",
    "basically",
    "clearly",
    "hopefully",
    "I think",
    "likely",
    "maybe",
    "obviously",
    "of course",
    "presumably",
    "probably",
    "roughly",
    "seem",
    "seemingly",
    "seems",
    "simply",
    "somewhat",
    "sort of",
    "supposedly",
    "surely",
    "unclear",
    "unsure",
    "make sure",
    "our",
    "please",
    "we",
    "you",
    "your",
    "FIXME",
    "TBD",
    "TODO",
    "XXX",
    "ensures? that",
    "(?:it|that|this|vector|case) (?:asserts|checks|ensures|tests|verifies)",
    "(?:checks|tests|verif(?:y|ies)) (?:if|that|whether)",
)

#: Words of obligation and of doubt, which only statements of an RFC may contain.
NOT_IN_EXPLANATIONS = (
    "expect",
    "expected",
    "expects",
    "just",
    "must",
    "ought",
    "perhaps",
    "possibly",
    "shall",
    "should",
    "supposed",
)

#: Imperatives; no sentence of an explanation may begin with one.
ORDERS = (
    "Accept",
    "Assert",
    "Check",
    "Do not",
    "Ensure",
    "Expect",
    "Make",
    "Never",
    "Note",
    "Parse",
    "Refuse",
    "Reject",
    "Remember",
    "Resolve",
    "Return",
    "Test",
    "Try",
    "Verify",
)

#: The changed rule in the comment of a witness.
_CHANGED = re.compile(r"Shows a slip in (\S+)")
_WORD = re.compile(r"[A-Za-z][\w+-]*")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")
_ORDER = re.compile(rf"(?:^|[.;:!?] )({'|'.join(ORDERS)})\b")
_EMPHASIS = re.compile(r"[A-Za-z]{2}(!)(?=\s|$)")
_STATED = re.compile(rf"\b({'|'.join(NOWHERE)})\b", re.IGNORECASE)
_EXPLAINED = re.compile(rf"\b({'|'.join(NOWHERE + NOT_IN_EXPLANATIONS)})\b", re.IGNORECASE)


class Citable(NamedTuple):
    """The existing requirements, by id, and the existing rulings.

    `rulings` is None if the table of rulings cannot be read.
    """

    requirements: Mapping[str, Requirement]
    rulings: Collection[str] | None


def lint_vectors(root: Path, texts: Mapping[str, Citations]) -> list[LintError]:
    """Check vectors, catalogues, paragraph index and rulings of the corpus at `root`.

    Paragraph digests are recomputed for the RFCs in `texts`.
    """
    errors: list[LintError] = []
    index = read_index(root, errors)
    if index is not None:
        errors += lint_index(index, texts, corpus_specs(root, index))
    rulings = read_rulings(root, errors)
    for ruling, reading in (rulings or {}).items():
        for message in lint_words("reading", reading, explains=False):
            errors.append(LintError(RULINGS_FILE, ruling, message))
    citable = Citable(_lint_catalogues(root, texts, index, rulings, errors), rulings)
    files_by_id: dict[str, str] = {}
    ids_by_question: dict[str, str] = {}
    for path in vector_files(root):
        content = read_document(path, root, VectorFile, errors)
        if content is None:
            continue
        name = path.relative_to(root).as_posix()
        errors += [LintError(name, "", message) for message in _lint_head(content, path)]
        for vector in content.vectors:
            messages = list(lint_vector(content.spec, content.section, path.name, vector, citable))
            if vector.id in files_by_id:
                messages.append(f"id already used in {files_by_id[vector.id]}")
            question = question_key(content.spec, msgspec.to_builtins(vector))
            if question in ids_by_question:
                messages.append(f"asks the same as {ids_by_question[question]}")
            files_by_id[vector.id] = name
            ids_by_question.setdefault(question, vector.id)
            errors += [LintError(name, vector.id, message) for message in messages]
    return errors


def lint_vector(spec: str, section: str, file: str, vector: Vector, citable: Citable) -> Iterator[str]:
    """Yield the errors in one vector of a section; `file` is the name of its file."""
    prefix = f"{spec}-{section}-"
    if not (vector.id.startswith(prefix) or _names_another_section(spec, section, vector.id, citable)):
        yield f"the id does not begin with {prefix}"
    requirement = citable.requirements.get(vector.requirement)
    if requirement is None:
        yield f"unknown requirement {vector.requirement}"
    elif requirement.section != section or not requirement.id.startswith(spec):
        yield f"requirement {requirement.id} belongs to section {requirement.section}"
    elif requirement.testable == "no":
        yield f"requirement {requirement.id} is marked untestable"
    yield from unknown_rulings([vector.ruling], citable.rulings)
    yield from _lint_open_rules(spec, vector)
    yield from lint_words("comment", vector.comment or "", explains=True)
    yield from _lint_rule_names(spec, vector)
    yield from _lint_origin(vector, file, vector.id.removeprefix(prefix))
    for name in vector.inputs:
        if name not in OPERATIONS[vector.op].takes:
            yield f"operation {vector.op} takes no {name}"
    yield from _lint_binding(vector)
    for answer in vector.expect.alternatives:
        yield from lint_answer(vector.op, answer)
    if vector.op == "validate":
        yield from lint_offsets(vector.url, vector.expect, required=not _is_offset_optional(vector))


def _is_offset_optional(vector: Vector) -> bool:
    """Return True for a twin, or if a ruling leaves open which character is the first bad one."""
    return vector.origin == "twin" or vector.ruling in _OPEN_OFFSETS


def _names_another_section(spec: str, section: str, vector_id: str, citable: Citable) -> bool:
    """Return True if a vector in the grammar's section has kept an id that names another section."""
    if section != facts(spec).grammar_section:
        return False
    requirements = citable.requirements.values()
    sections = {requirement.section for requirement in requirements if requirement.spec == spec}
    section_in_id = vector_id.removeprefix(f"{spec}-").partition("-")[0]
    return section_in_id in sections


def lint_answer(op: str, answer: Expected) -> Iterator[str]:
    """Yield a message if the operation does not allow this kind of answer."""
    if answer.kind not in OPERATIONS[op].answers:
        yield f"operation {op} cannot be answered by {answer.kind}"


def lint_offsets(url: Text | msgspec.UnsetType, expect: Expected, *, required: bool = True) -> Iterator[str]:
    """Yield the errors in the offsets of rejections.  If `required`, each rejection needs an offset."""
    # an offset counts the characters of a text, or the bytes of what is given as hex
    length = len(url.hex) // 2 if isinstance(url, Hex) else len(url or "")
    for answer in expect.alternatives:
        if required and answer.valid is False and answer.at is msgspec.UNSET:
            yield "an invalid text needs the offset of its first bad character"
        if isinstance(answer.at, int) and answer.at > length:
            yield f"offset {answer.at} is after the end of the text"
        if answer.valid is True and answer.at is not msgspec.UNSET:
            yield "a valid text has no bad character; remove the offset"


def lint_recommended(alternatives: Sequence[Expected]) -> Iterator[str]:
    """Yield a message if the first answer, which is the recommended one, names a variant."""
    if alternatives[0].variant is not None:
        yield "the first answer is the recommended one and must not name a variant"


def lint_words(field: str, text: str, *, explains: bool) -> Iterator[str]:
    """Yield messages for unsuitable words in a field: hedges, appeals to the reader and imperatives.

    If `explains` is true, the text is an explanation, which may not contain words of obligation.  Statements
    of an RFC and readings of rulings may contain them.  Quotations, in quotation marks or backticks, are not
    checked.
    """
    unquoted = _QUOTED.sub("``", text)
    unsuitable = _EXPLAINED if explains else _STATED
    word = unsuitable.search(unquoted)
    if word:
        yield f"{field}: {word[1]!r} is not a statement of fact (hedge, appeal to the reader or note)"
    if _EMPHASIS.search(unquoted):
        yield f"{field} contains '!'; state facts without emphasis"
    order = _ORDER.search(unquoted)
    if explains and order:
        yield f"{field}: {order[1]!r} is an order, not a statement of fact"


def _lint_catalogues(
    root: Path,
    texts: Mapping[str, Citations],
    index: Index | None,
    rulings: Collection[str] | None,
    errors: list[LintError],
) -> dict[str, Requirement]:
    """Return all requirements by id, and add the errors in the catalogues to `errors`."""
    requirements: dict[str, Requirement] = {}
    for spec in corpus_specs(root, index):
        name = f"requirements/{spec}.json"
        if not (root / name).is_file():
            errors.append(LintError(name, "", "the catalogue is missing"))
            continue
        content = read_document(root / name, root, RequirementFile, errors)
        if content is None:
            continue
        if content.spec != spec:
            errors.append(LintError(name, "", f"the file contains the catalogue of {content.spec}"))
        for entry in content.requirements:
            messages = list(_lint_requirement(content.spec, entry, rulings))
            messages += lint_citation(content.spec, entry, texts.get(content.spec), index)
            if entry.id in requirements:
                messages.append("id used twice")
            requirements[entry.id] = entry
            errors += [LintError(name, entry.id, message) for message in messages]
    return requirements


def _lint_requirement(spec: str, entry: Requirement, rulings: Collection[str] | None) -> Iterator[str]:
    """Yield the errors in one requirement of a catalogue, apart from its citation."""
    prefix = f"{spec}-{entry.section}-"
    if not entry.id.startswith(prefix):
        yield f"the id does not begin with {prefix}"
    if entry.testable == "no" and entry.reason is None:
        yield "untestable, but `reason` is missing"
    yield from unknown_rulings([entry.ruling], rulings)
    yield from lint_words("statement", entry.statement, explains=False)
    yield from lint_words("reason", entry.reason or "", explains=True)


def _lint_head(content: VectorFile, path: Path) -> Iterator[str]:
    """Check the title, and that folder and file name agree with RFC and section."""
    yield from lint_words("title", content.title, explains=True)
    if path.parent.name != content.spec:
        yield f"a file of {content.spec} must be in the folder {content.spec}"
    if path.stem.split("-", 1)[0] != content.section:
        yield f"the file name does not begin with section {content.section}"


def _lint_open_rules(spec: str, vector: Vector) -> Iterator[str]:
    """Yield the errors in the asked rule of a vector and in the rules that its answers call open.

    An open rule must be reachable from the asked rule.  If no rule is asked, it must be reachable from the
    rule of a whole URL or of an absolute URL.
    """
    prose = vector.profile == "prose"
    grammar = _grammar(spec, prose=prose)
    if vector.rule is not None:
        yield from _lint_spelling(grammar, spec, vector.rule)
        if vector.rule not in grammar:
            return
    reachable = _reachable(spec, vector.rule, prose=prose)
    open_rules = [rule for answer in vector.expect.alternatives for rule in answer.rules]
    for rule in open_rules:
        yield from _lint_spelling(grammar, spec, rule)
        if rule in grammar and rule.lower() not in reachable:
            yield f"rule {rule} is never open in {vector.rule or 'a whole URL'}"


def _lint_rule_names(spec: str, vector: Vector) -> Iterator[str]:
    """Yield a message for each open rule, and for each rule in the comment, that is not a rule of the RFC.

    In the comment of a witness, only the changed rule is checked.  In other comments, only words with `-` or
    `_` are checked, because a word such as `tail` need not be the name of a rule.
    """
    replacements = facts(spec).added_rules
    comment = vector.comment or ""
    open_rules = {rule for answer in vector.expect.alternatives for rule in answer.rules}
    for rule in sorted(open_rules & replacements.keys()):
        yield f"{rule} is not a rule of {spec}; use {replacements[rule]} instead"
    words = [word for word in _WORD.findall(comment) if "-" in word or "_" in word]
    slip = _CHANGED.match(comment) if vector.origin == "mutant" else None
    if slip is not None:
        changed = slip[1]
        words = [changed]
        if changed not in replacements and changed not in _grammar(spec, prose=False):
            yield f"comment: {spec} has no rule {changed}"
    for rule in sorted(replacements.keys() & words):
        yield f"comment: {rule} is not a rule of {spec}; use {replacements[rule]} instead"


def _lint_spelling(grammar: Grammar, spec: str, rule: str) -> Iterator[str]:
    """Yield a message if there is no such rule, or if the RFC spells it in another way."""
    if rule not in grammar:
        yield f"{spec} has no rule {rule}"
    elif grammar.canonical_name(rule) != rule:
        yield f"rule {rule} is spelled {grammar.canonical_name(rule)}"


@cache
def _grammar(spec: str, *, prose: bool) -> Grammar:
    """Return the grammar of an RFC, with the rules of profile `prose` if `prose` is true."""
    specification = SPECIFICATIONS[spec]
    if prose:
        return load(*specification.files, *specification.prose_files)
    return specification.grammar


@cache
def _reachable(spec: str, rule: str | None, *, prose: bool) -> frozenset[str]:
    """Return the lower-case names of the rules that may be open, including rules for unknown schemes.

    `rule` is the rule that a vector asks for, or None if it asks for a whole URL.
    """
    specification = SPECIFICATIONS[spec]
    root = rule or specification.default_rule
    roots = {root}
    if rule is None and specification.absolute is not None:
        roots.add(specification.absolute)
    if specification.unknown_scheme and root.lower() == (specification.by_scheme or "").lower():
        roots.add(specification.unknown_scheme)
    grammar = _grammar(spec, prose=prose)
    reachable: set[str] = set()
    for name in roots:
        reachable |= grammar.reachable(name)
    return frozenset(reachable)


def _lint_origin(vector: Vector, file: str, slug: str) -> Iterator[str]:
    """Check that origin, file and id agree on whether a vector is a witness, a twin, or derived."""
    is_witness = vector.origin == "mutant"
    origin = "mutant" if is_witness else "not mutant"
    if is_witness is not file.endswith(MUTANTS):
        yield f"`origin` is {origin}, but the file is {file}"
    if is_witness and not slug.startswith(MUTANT):
        yield f"`origin` is mutant, but the slug in the id does not begin with `{MUTANT}`"
    if not is_witness and slug.startswith(MUTANT):
        yield "the id is that of a mutant's witness, but `origin` is not mutant"
    is_twin = vector.origin == "twin"
    if not is_twin == file.endswith(TWINS) == slug.endswith(TWIN):
        yield f"`origin` twin, a file `*{TWINS}` and an id that ends with `{TWIN}` must be used together"
    is_derived = vector.origin == "derived"
    if not is_derived == file.endswith(DERIVED) == slug.startswith(DERIVED_SLUG):
        yield f"`origin` derived, a file `*{DERIVED}` and a slug `{DERIVED_SLUG}…` must be used together"


def _lint_binding(vector: Vector) -> Iterator[str]:
    """Yield a message if the binding does not suit the number and names of answers, or has no ruling."""
    binding = vector.binding
    alternatives = vector.expect.alternatives
    if len(alternatives) > 1 and binding not in _SEVERAL:
        yield f"binding {binding} does not allow several answers"
    if len(alternatives) == 1 and binding in {"permitted-set", "literal-only"}:
        yield f"binding {binding} needs several answers"
    if binding != "required" and vector.ruling is None:
        yield f"binding {binding} needs a ruling"
    yield from lint_recommended(alternatives)
    if binding == "literal-only" and "literal" not in [answer.variant for answer in alternatives]:
        yield "binding literal-only needs an answer with the variant name literal"
