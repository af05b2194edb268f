"""Tests of the formats `uri`, `uri-reference`, `iri` and `iri-reference` for the JSON Schema Test Suite.

JSON Schema defines the formats by the rules URI and URI-reference of RFC 3986, and by IRI and IRI-reference
of RFC 3987 (Validation, section 7.3.5). The tests of URIs are the required `validate` vectors of these rules,
of absolute-URI and of relative-ref, and the required `parse` vectors, as far as they decide whether a text is
a URI or a URI-reference. A relative reference is also asked after a scheme, so that the tests of URIs show
every mistake that those of references show. The tests of IRIs are made of the vectors of RFC 3987 in the same
way.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.export import ExportError, checked_lock, prepare_target, write_sums
from urlharness.corpus.foreign import FORMATS, load_foreign
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import Spec, facts
from urlharness.system.files import write_below
from urlharness.wording import enumerated, rfc, section_place


class FormatPair(NamedTuple):
    """The two formats of an RFC: of texts with a scheme, and of references."""

    whole: str
    reference: str


#: The formats of the specifications whose vectors become tests.
PAIRS: Mapping[Spec, FormatPair] = {
    "rfc3986": FormatPair("uri", "uri-reference"),
    "rfc3987": FormatPair("iri", "iri-reference"),
}

#: The names of the formats in the descriptions of the suite.
_TITLES = {
    "uri": "URIs",
    "uri-reference": "URI References",
    "iri": "IRIs",
    "iri-reference": "IRI References",
}
#: The suite allows fewer than 70 characters in the description of a test.
_WIDTH = 69
#: The width of a number in parentheses, with a blank before it.
_NUMBER_WIDTH = 7
#: Where the first clause of a statement ends.
_CLAUSE_END = re.compile("[:;] ")

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
#: The scheme that makes a URI of a relative reference.
_ADDED_SCHEME = "x:"
_COLON_IN_FIRST_SEGMENT = re.compile("[^/?#]*:")
#: The parts of a URI-reference (RFC 3986 appendix B).
_PARTS = re.compile(
    r"(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)


@dataclass(frozen=True, eq=False)
class SchemaDraft:
    """A version of JSON Schema in the suite.

    `folder` is that of its tests of formats. `dialect` is its meta-schema, which the tests of the first
    versions leave out. `sections` maps each format that it has to the section that defines it, as (document,
    section) in the words of the suite.
    """

    folder: str
    dialect: str | None
    sections: Mapping[str, tuple[str, str]]


_RESOURCE_IDENTIFIERS = dict.fromkeys(FORMATS, ("validation", "7.3.5"))

#: The versions of JSON Schema that have tests of formats, the latest first.
DRAFTS = (
    SchemaDraft("tests/v1/format", "https://json-schema.org/v1", _RESOURCE_IDENTIFIERS),
    SchemaDraft(
        "tests/draft2020-12/optional/format",
        "https://json-schema.org/draft/2020-12/schema",
        _RESOURCE_IDENTIFIERS,
    ),
    SchemaDraft(
        "tests/draft2019-09/optional/format",
        "https://json-schema.org/draft/2019-09/schema",
        _RESOURCE_IDENTIFIERS,
    ),
    SchemaDraft("tests/draft7/optional/format", None, _RESOURCE_IDENTIFIERS),
    SchemaDraft(
        "tests/draft6/optional/format",
        None,
        {"uri": ("validation", "8.3.6"), "uri-reference": ("validation", "8.3.7")},
    ),
    SchemaDraft("tests/draft4/optional/format", None, {"uri": ("validation", "7.3.6")}),
    SchemaDraft("tests/draft3/optional/format", None, {"uri": ("core", "5.23")}),
)


class SuiteFile(NamedTuple):
    """A file of the suite: a version of JSON Schema, and the name of a format."""

    draft: SchemaDraft
    name: str

    @property
    def path(self) -> str:
        """The path of the file in the suite."""
        return f"{self.draft.folder}/{self.name}.json"


#: The files that an export can write.
SUITE_FILES = tuple(SuiteFile(draft, name) for draft in DRAFTS for name in FORMATS if name in draft.sections)


class BesideTests(NamedTuple):
    """The file with the tests that the suite has, and its verdict on each text."""

    path: Path
    verdicts: Mapping[str, bool]


class FormatTest(NamedTuple):
    """A text, the verdict of a format on it, and the case that decides it.

    `shift` is the number of characters before the text of the case, because a scheme was put before it.
    """

    case: Case
    text: str
    valid: bool
    shift: int = 0


class FormatTests(NamedTuple):
    """Tests by format, and how many vectors are left out, by reason."""

    tests: Mapping[str, tuple[FormatTest, ...]]
    left_out: Mapping[str, int]

    @property
    def counts(self) -> dict[str, int]:
        """The number of tests by format."""
        return {name: len(tests) for name, tests in self.tests.items()}


class SuiteBatch(NamedTuple):
    """Tests that are proposed together: the folder of their files, or "", and the tests by file."""

    folder: str
    files: Mapping[SuiteFile, Sequence[FormatTest]]

    @property
    def tests(self) -> list[FormatTest]:
        """The tests, one for each text, in the order in which the files have them."""
        by_text: dict[str, FormatTest] = {}
        for tests in self.files.values():
            for test in tests:
                by_text.setdefault(test.text, test)
        return list(by_text.values())


def select_tests(corpus: Corpus, selection: Selection) -> FormatTests:
    """Return the tests that the selected cases decide. Raise ExportError if there are none."""
    cases = selection.pick(corpus.cases)
    if not cases:
        raise ExportError(selection.no_match_message(corpus.cases))
    tests = format_tests(cases)
    if not any(tests.counts.values()):
        raise ExportError(
            "no vector in the selection decides whether a text is a URI or a URI-reference, or of IRIs"
        )
    return tests


def read_beside(folder: Path) -> dict[SuiteFile, BesideTests]:
    """Return the tests that a folder has: a checkout of the suite, or a folder with `uri.json` and the other.

    Raise ExportError if it has none of the files, and CorpusError if a file is invalid.
    """
    beside = {}
    for file in SUITE_FILES:
        in_suite = folder / file.path
        path = in_suite if in_suite.is_file() else folder / f"{file.name}.json"
        if path.is_file():
            beside[file] = BesideTests(path, _verdicts_in_file(path, file.name))
    if not beside:
        names = enumerated([f"{name}.json" for name in FORMATS])
        raise ExportError(f"{folder} has no tests of these formats: {names}, or the folders of the suite")
    return beside


def _verdicts_in_file(path: Path, name: str) -> dict[str, bool]:
    """Return the verdict of a file of tests on each text. Tests of other formats than `name` are left out."""
    verdicts = {}
    for case in load_foreign(path).corpus.cases:
        text = case.vector.url
        if isinstance(text, str) and (case.spec, case.vector.rule) == FORMATS[name]:
            verdicts[text] = case.vector.expect.valid is True
    return verdicts


def split_into_batches(files: Mapping[SuiteFile, Sequence[FormatTest]], size: int) -> list[SuiteBatch]:
    """Divide tests into batches of one statement each, with at most `size` texts."""
    whole = SuiteBatch("", files)
    texts: dict[str, list[str]] = defaultdict(list)
    for test in whole.tests:
        texts[test.case.vector.requirement].append(test.text)
    parts = []
    for requirement, texts_of_statement in texts.items():
        for start in range(0, len(texts_of_statement), size):
            some_texts = texts_of_statement[start : start + size]
            parts.append((requirement, some_texts))
    digits = len(str(len(parts)))
    batches = []
    for number, (requirement, some_texts) in enumerate(parts, 1):
        tests_by_file = {file: _tests_of_texts(tests, some_texts) for file, tests in files.items()}
        batches.append(SuiteBatch(f"{number:0{digits}}-{requirement}/", tests_by_file))
    return batches


def _tests_of_texts(tests: Iterable[FormatTest], texts: Collection[str]) -> list[FormatTest]:
    return [test for test in tests if test.text in texts]


def write_format_tests(
    root: Path, corpus: Corpus, target: Path, batches: Sequence[SuiteBatch], *, force: bool
) -> None:
    """Write batches of tests into `target`, in the folders of the suite. A file without tests is left out.

    Like `write_export`, raise ExportError if `target` must not be overwritten, and LockError if the corpus
    differs from its lock.
    """
    checked_lock(root, corpus)
    prepare_target(root, target, force=force)
    for batch in batches:
        for file, tests in batch.files.items():
            if tests:
                text = json.dumps(groups_of_file(corpus, file, tests), indent=4) + "\n"
                write_below(target, batch.folder + file.path, text)
    if any(batch.folder for batch in batches):
        write_below(target, "README.md", _table_of_batches(corpus, batches))
    version = f"corpus {corpus.version}\ndigest {corpus.digest}\n"
    write_below(target, "VERSION", version)
    write_sums(target)


def _table_of_batches(corpus: Corpus, batches: Sequence[SuiteBatch]) -> str:
    """Return a table of the batches in Markdown: folder, section, number of texts and statement."""
    lines = ["| batch | section | texts | statement |", "|---|---|---:|---|"]
    for batch in batches:
        tests = batch.tests
        case = tests[0].case
        statement = corpus.requirements[case.vector.requirement].statement
        lines.append(f"| {batch.folder} | {case.section} | {len(tests)} | {statement} |")
    return "\n".join(lines) + "\n"


def format_tests(cases: Iterable[Case]) -> FormatTests:
    """Return the tests that the cases decide, one for each text and format.

    Texts that are not Unicode or longer than 1 KiB are left out, and so are texts that repeat an earlier one.
    Raise ExportError if two cases contradict each other.
    """
    candidates: list[_Candidate] = []
    left_out: Counter[str] = Counter()
    for case in cases:
        verdicts = _verdicts(case)
        if not verdicts:
            continue
        text = case.vector.url
        if not isinstance(text, str):
            left_out["not Unicode"] += 1
        elif len(text.encode("utf-8")) > MAX_WHOLE_LENGTH:
            left_out["longer than 1 KiB"] += 1
        else:
            candidates.append(_Candidate(case, text, verdicts))
    tests = {name: _tests_of_format(name, candidates) for name in FORMATS}
    tested_ids = {test.case.vector.id for test in chain.from_iterable(tests.values())}
    for candidate in candidates:
        if candidate.case.vector.id not in tested_ids:
            left_out["repeated"] += 1
    return FormatTests(tests, left_out)


class _Candidate(NamedTuple):
    """A case that may become a test, its text, and the verdict on it by format."""

    case: Case
    text: str
    verdicts: Mapping[str, bool]


def _tests_of_format(name: str, candidates: Sequence[_Candidate]) -> tuple[FormatTest, ...]:
    """Return the tests of a format, one for each text, in the order of the candidates.

    Raise ExportError if two cases contradict each other.
    """
    defined_by = FORMATS[name]
    reference = PAIRS[defined_by.spec].reference
    tests: dict[str, FormatTest] = {}
    # of equal texts, the first one in this order becomes the test
    candidates_of_rfc = [candidate for candidate in candidates if candidate.case.spec == defined_by.spec]
    preferred = sorted(candidates_of_rfc, key=lambda candidate: _preference(candidate, defined_by.rule))
    for case, text, verdicts in preferred:
        if name in verdicts:
            _add(tests, FormatTest(case, text, verdicts[name]))
    for case, text, verdicts in preferred:
        if reference in verdicts and _keeps_verdict_after_scheme(case, text):
            with_scheme = _ADDED_SCHEME + text
            _add(tests, FormatTest(case, with_scheme, verdicts[reference], len(_ADDED_SCHEME)))
    order = {candidate.case.vector.id: number for number, candidate in enumerate(candidates)}
    return tuple(sorted(tests.values(), key=lambda test: order[test.case.vector.id]))


def _keeps_verdict_after_scheme(case: Case, text: str) -> bool:
    """Return True if a reference is valid if and only if it is a valid URI with a scheme before it.

    The rules of a relative reference and those of what follows a scheme differ only in a colon in the first
    segment of the path (RFC 3986 sections 3, 3.3 and 4.2). So there must be none, or none up to the error.
    """
    at = case.vector.expect.at
    up_to_error = text[: at + 1] if isinstance(at, int) else text
    return _COLON_IN_FIRST_SEGMENT.match(up_to_error) is None


def _preference(candidate: _Candidate, rule: str) -> tuple[bool, bool]:
    """Return a sort key: first the vectors that ask for a verdict, and of these first those of the rule."""
    vector = candidate.case.vector
    return vector.op != "validate", vector.rule != rule


def _add(tests: dict[str, FormatTest], test: FormatTest) -> None:
    """Add a test unless its text is tested. Raise ExportError if the verdicts contradict each other."""
    earlier = tests.setdefault(test.text, test)
    if earlier.valid is not test.valid:
        raise ExportError(f"{earlier.case.vector.id} and {test.case.vector.id} contradict each other")


def _verdicts(case: Case) -> dict[str, bool]:
    """Return the verdict on the text of a case by format. Formats that the case does not decide are missing.

    A URI-reference is either a URI or a relative reference. It is a URI if it begins with a scheme and a
    colon (RFC 3986 section 4.1). A text with components is valid. The same holds of IRIs (RFC 3987 section
    2.2).
    """
    vector = case.vector
    if case.spec not in PAIRS or vector.binding != "required" or vector.profile is not None:
        return {}
    whole, reference = PAIRS[case.spec]
    rules = facts(case.spec)
    valid = vector.expect.valid
    rule = vector.rule
    if vector.op == "parse":
        rule = rule or rules.default_rule
        valid = True if vector.expect.components is not msgspec.UNSET else valid
    elif vector.op != "validate":
        return {}
    if rule == rules.default_rule and valid is not msgspec.UNSET:
        has_scheme = isinstance(vector.url, str) and _SCHEME.match(vector.url) is not None
        return {whole: valid and has_scheme, reference: valid}
    if rule == FORMATS[whole].rule and valid is False:
        return {whole: False}
    if rule in (FORMATS[whole].rule, rules.absolute_rule) and valid is True:
        return {whole: True, reference: True}
    if rule == rules.relative_rule and valid is True:
        return {whole: False, reference: True}
    return {}


def groups_of_file(corpus: Corpus, file: SuiteFile, tests: Sequence[FormatTest]) -> list[dict[str, Any]]:
    """Return the groups of a file of the suite as JSON data, one for each section of the RFC."""
    spec = FORMATS[file.name].spec
    sections: dict[str, list[FormatTest]] = defaultdict(list)
    for test in tests:
        sections[test.case.section].append(test)
    document, section_of_format = file.draft.sections[file.name]
    dialect = {} if file.draft.dialect is None else {"$schema": file.draft.dialect}
    groups = []
    for section, tests_of_section in sections.items():
        title = corpus.titles.get((spec, section), "")
        section_words = section_place(section, title)
        group = {
            "description": f"validation of {_TITLES[file.name]}, {rfc(spec)} {section_words}",
            "specification": [{document: section_of_format}, {spec: section}],
            "schema": {**dialect, "format": file.name},
            "tests": _documents(corpus, tests_of_section),
        }
        groups.append(group)
    return groups


def _documents(corpus: Corpus, tests: Sequence[FormatTest]) -> list[dict[str, Any]]:
    """Return the tests of a section as JSON data."""
    statements = []
    for test in tests:
        requirement = corpus.requirements.get(test.case.vector.requirement)
        statements.append("" if requirement is None else requirement.statement.rstrip("."))
    documents = []
    descriptions = _descriptions(tests, statements)
    for test, statement, description in zip(tests, statements, descriptions, strict=True):
        origin = f"urlconform vector {test.case.vector.id}"
        if test.shift:
            origin = f"with a scheme before it, {origin}"
        document = {
            "description": description,
            "comment": origin if description.startswith(statement) else f"{statement}; {origin}",
            "data": test.text,
            "valid": test.valid,
        }
        documents.append(document)
    return documents


def _descriptions(tests: Sequence[FormatTest], statements: Sequence[str]) -> Iterator[str]:
    """Yield a description of each test, which no other of these tests has.

    This is the statement of its vector with a fact about the text, or its first clause with a fact, or the
    statement, or a fact: the first of these that is short. If an earlier test has it, the first clause with
    the longest fact distinguishes the two, or a number.
    """
    used: set[str] = set()
    for test, statement in zip(tests, statements, strict=True):
        facts = _facts(test)
        with_statement: list[str] = []
        with_clause: list[str] = []
        if _is_fact(statement):
            clause = _CLAUSE_END.split(statement)[0]
            with_clause = [f"{clause}; {fact}" for fact in facts]
            with_statement = [f"{statement}; {fact}" for fact in facts]
            with_statement += [*with_clause, statement]
        description = _first_short([*with_statement, *facts])
        if description in used:
            description = _first_short([*with_clause, *facts], _WIDTH - _NUMBER_WIDTH)
        if description in used:
            numbered = (f"{description} ({number})" for number in count(2))
            description = next(text for text in numbered if text not in used)
        used.add(description)
        yield description


def _first_short(texts: Iterable[str], width: int = _WIDTH) -> str:
    """Return the first text with at most so many characters. There must be one."""
    return next(text for text in texts if len(text) <= width)


def _is_fact(statement: str) -> bool:
    """Return True if a statement can be a description. The suite allows no "should" and no "test that"."""
    return statement != "" and re.search(r"\bshould\b|test that", statement.lower()) is None


def _facts(test: FormatTest) -> tuple[str, ...]:
    """Return facts about the text of a test in words: the longest first, then shorter ones."""
    expect = test.case.vector.expect
    text = test.text
    if test.valid:
        present = [name for name, part in _split(text).items() if part is not None]
        return f"valid: {_listed(present)}", "valid"
    is_valid_by_its_rule = expect.valid or expect.components is not msgspec.UNSET
    if is_valid_by_its_rule:  # but the format asks for a URI
        return "invalid: relative reference", "invalid: relative"
    if not isinstance(expect.at, int):
        return ("invalid",)
    rules = []
    if expect.rules and not test.shift:  # the rules are those of a relative reference
        rules = [" or ".join(expect.rules), expect.rules[0]]
    offset = expect.at + test.shift
    if offset >= len(text):
        facts_with_rule = [f"invalid: ends inside {rule}" for rule in rules]
        return (*facts_with_rule, "invalid: ends too early", "invalid")
    error = f"invalid: {_char_in_words(text[offset])} at offset {offset}"
    facts_with_rule = [f"{error} cannot continue {rule}" for rule in rules]
    return (*facts_with_rule, error, "invalid")


def _split(text: str) -> dict[str, str | None]:
    """Return the parts of a valid text. An empty path is absent, because it has no character."""
    match = _PARTS.fullmatch(text)
    assert match is not None  # the pattern matches every text
    return {**match.groupdict(), "path": match["path"] or None}


def _listed(parts: Sequence[str]) -> str:
    """Join the names of parts as in a sentence. No part is an empty text."""
    return enumerated(parts) if parts else "empty text"


def _char_in_words(char: str) -> str:
    """Return a character in ASCII characters: quoted, as a number of ABNF, or as a code point."""
    if not char.isascii():
        return f"U+{ord(char):04X}"
    if char == '"' or not char.isprintable():
        return f"%x{ord(char):02X}"
    return f'"{char}"'
