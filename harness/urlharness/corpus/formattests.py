"""Tests of the formats `uri` and `uri-reference`, in the form of the JSON Schema Test Suite.

JSON Schema defines the two formats by the rules URI and URI-reference of RFC 3986 (Validation, section
7.3.5). The tests are the required `validate` vectors of these rules, of absolute-URI and of relative-ref, as
far as they decide whether a text is a URI or a URI-reference.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from urlharness.corpus.export import ExportError, checked_lock, prepare_target, write_sums
from urlharness.corpus.foreign import FORMATS
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import Spec
from urlharness.system.files import write_below
from urlharness.wording import enumerated, rfc, section_place

#: The specification whose vectors become tests.
SPEC: Spec = "rfc3986"

_FOLDER = "tests/draft2020-12/optional/format"
#: The names of the formats in the descriptions of the suite.
_TITLES = {"uri": "URIs", "uri-reference": "URI References"}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: The suite allows fewer than 70 characters in the description of a test.
_WIDTH = 69

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
#: The parts of a URI-reference (RFC 3986 appendix B).
_PARTS = re.compile(
    r"(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)


class FormatTests(NamedTuple):
    """Groups of tests by format, as JSON data, and how many vectors are left out, by reason."""

    groups: Mapping[str, list[dict[str, Any]]]
    left_out: Mapping[str, int]

    @property
    def counts(self) -> dict[str, int]:
        """The number of tests by format."""
        return {name: sum(len(group["tests"]) for group in groups) for name, groups in self.groups.items()}


def write_format_tests(
    root: Path, corpus: Corpus, target: Path, selection: Selection, *, force: bool
) -> FormatTests:
    """Write the selected tests into `target`, one file for each format, and return them.

    Like `write_export`, raise ExportError if `target` must not be overwritten or nothing is selected, and
    LockError if the corpus differs from its lock.
    """
    vectors = selection.pick(corpus.cases)
    if not vectors:
        raise ExportError(selection.no_match_message(corpus.cases))
    tests = format_tests(corpus, vectors)
    if not any(tests.counts.values()):
        raise ExportError("no vector in the selection decides whether a text is a URI or a URI-reference")
    checked_lock(root, corpus)
    prepare_target(root, target, force=force)
    for name, groups in tests.groups.items():
        if groups:
            text = json.dumps(groups, indent=4) + "\n"
            write_below(target, f"{_FOLDER}/{name}.json", text)
    version = f"corpus {corpus.version}\ndigest {corpus.digest}\n"
    write_below(target, "VERSION", version)
    write_sums(target)
    return tests


def format_tests(corpus: Corpus, cases: Iterable[Case]) -> FormatTests:
    """Return the tests that the cases decide, in a group for each section.

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
    groups: dict[str, list[dict[str, Any]]] = {}
    tested_ids: set[str] = set()
    for name in FORMATS:
        tests = _tests_of_format(name, candidates)
        groups[name] = _groups(corpus, name, tests)
        tested_ids.update(test.case.vector.id for test in tests)
    left_out["repeated"] = sum(candidate.case.vector.id not in tested_ids for candidate in candidates)
    return FormatTests(groups, +left_out)  # without counts of 0


class _Candidate(NamedTuple):
    """A case that may become a test, its text, and the verdict on it by format."""

    case: Case
    text: str
    verdicts: Mapping[str, bool]


class _Test(NamedTuple):
    """A case, and the verdict of a format on its text."""

    case: Case
    valid: bool


def _tests_of_format(name: str, candidates: Sequence[_Candidate]) -> list[_Test]:
    """Return the tests of a format, one for each text, in the order of the candidates.

    Raise ExportError if two cases contradict each other.
    """
    rule = FORMATS[name]
    tests: dict[str, _Test] = {}
    # of equal texts, a vector of the rule itself is preferred
    of_rule = [candidate for candidate in candidates if candidate.case.vector.rule == rule]
    of_others = [candidate for candidate in candidates if candidate.case.vector.rule != rule]
    for case, text, verdicts in of_rule + of_others:
        if name not in verdicts:
            continue
        test = tests.setdefault(text, _Test(case, verdicts[name]))
        if test.valid is not verdicts[name]:
            raise ExportError(f"{test.case.vector.id} and {case.vector.id} contradict each other")
    order = {candidate.case.vector.id: number for number, candidate in enumerate(candidates)}
    return sorted(tests.values(), key=lambda test: order[test.case.vector.id])


def _verdicts(case: Case) -> dict[str, bool]:
    """Return the verdict on the text of a case by format. Formats that the case does not decide are missing.

    A URI-reference is either a URI or a relative reference. It is a URI if it begins with a scheme and a
    colon (RFC 3986 section 4.1).
    """
    vector = case.vector
    valid = vector.expect.valid
    if case.spec != SPEC or vector.op != "validate" or not isinstance(valid, bool):
        return {}
    if vector.binding != "required" or vector.profile is not None:
        return {}
    match vector.rule, valid:
        case ("URI" | "absolute-URI", True):
            return {"uri": True, "uri-reference": True}
        case ("URI", False):
            return {"uri": False}
        case ("relative-ref", True):
            return {"uri": False, "uri-reference": True}
        case ("URI-reference", True):
            has_scheme = isinstance(vector.url, str) and _SCHEME.match(vector.url) is not None
            return {"uri": has_scheme, "uri-reference": True}
        case ("URI-reference", False):
            return {"uri": False, "uri-reference": False}
        case _:
            return {}


def _groups(corpus: Corpus, name: str, tests: Sequence[_Test]) -> list[dict[str, Any]]:
    """Return the groups of a format, one for each section."""
    sections: dict[str, list[_Test]] = defaultdict(list)
    for test in tests:
        sections[test.case.section].append(test)
    groups = []
    for section, tests_of_section in sections.items():
        title = corpus.titles.get((SPEC, section), "")
        section_words = section_place(section, title)
        group = {
            "description": f"validation of {_TITLES[name]}, {rfc(SPEC)} {section_words}",
            "schema": {"$schema": _DIALECT, "format": name},
            "tests": _documents(tests_of_section),
        }
        groups.append(group)
    return groups


def _documents(tests: Sequence[_Test]) -> list[dict[str, Any]]:
    """Return the tests of a section as JSON data."""
    documents = []
    for test, description in zip(tests, _descriptions(tests), strict=True):
        vector = test.case.vector
        document = {
            "description": description,
            "comment": f"urlconform vector {vector.id}",
            "data": vector.url,
            "valid": test.valid,
        }
        documents.append(document)
    return documents


def _descriptions(tests: Sequence[_Test]) -> Iterator[str]:
    """Yield a description of each test.

    A fact that several texts share is followed by the end of the id. If it is too long, a shorter fact is, or
    the description is the end of the id alone.
    """
    facts = [_facts(test) for test in tests]
    shared = Counter(longest for longest, *_ in facts)
    for test, (longest, *shorter) in zip(tests, facts, strict=True):
        if shared[longest] == 1 and len(longest) <= _WIDTH:
            yield longest
            continue
        name = test.case.vector.id.removeprefix(f"{SPEC}-")
        descriptions = (f"{fact} ({name})" for fact in (longest, *shorter))
        yield next((text for text in descriptions if len(text) <= _WIDTH), name)


def _facts(test: _Test) -> tuple[str, ...]:
    """Return facts about the text of a test in words: the longest first, then shorter ones."""
    expect = test.case.vector.expect
    text = test.case.vector.url
    assert isinstance(text, str)
    if test.valid:
        present = [name for name, part in _split(text).items() if part is not None]
        return f"valid: {_listed(present)}", "valid"
    if expect.valid:  # valid by its own rule, but the format asks for a URI
        return "invalid: relative reference", "invalid: relative"
    if not isinstance(expect.at, int):
        return ("invalid",)
    rules = []
    if expect.rules:
        rules = [" or ".join(expect.rules), expect.rules[0]]
    if expect.at >= len(text):
        facts_with_rule = [f"invalid: ends inside {rule}" for rule in rules]
        return (*facts_with_rule, "invalid: ends too early", "invalid")
    error = f"invalid: {_char_in_words(text[expect.at])} at offset {expect.at}"
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
