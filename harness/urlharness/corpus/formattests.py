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
from urlharness.wording import rfc, section_place

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
        return {name: sum(len(group["tests"]) for group in some) for name, some in self.groups.items()}


def write_format_tests(
    root: Path, corpus: Corpus, target: Path, selection: Selection, *, force: bool
) -> FormatTests:
    """Write the selected tests into `target`, one file for each format, and return them.

    Like `write_export`, raise ExportError if `target` must not be overwritten or nothing is selected, and
    LockError if the corpus differs from its lock.
    """
    chosen = selection.pick(corpus.cases)
    if not chosen:
        raise ExportError(selection.nothing_selected(corpus.cases))
    found = format_tests(corpus, chosen)
    if not any(found.counts.values()):
        raise ExportError("no vector in the selection decides whether a text is a URI or a URI-reference")
    checked_lock(root, corpus)
    prepare_target(root, target, force=force)
    for name, groups in found.groups.items():
        if groups:
            text = json.dumps(groups, indent=4) + "\n"
            write_below(target, f"{_FOLDER}/{name}.json", text)
    version = f"corpus {corpus.version}\ndigest {corpus.digest}\n"
    write_below(target, "VERSION", version)
    write_sums(target)
    return found


def format_tests(corpus: Corpus, cases: Iterable[Case]) -> FormatTests:
    """Return the tests that the cases decide, in a group for each section.

    Texts that are not Unicode or longer than 1 KiB are left out, and so are texts that repeat an earlier one.
    Raise ExportError if two cases contradict each other.
    """
    asked: list[tuple[Case, str, dict[str, bool]]] = []
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
            asked.append((case, text, verdicts))
    kept: dict[str, dict[str, tuple[Case, bool]]] = {name: {} for name in FORMATS}
    used: set[str] = set()
    for name, rule in FORMATS.items():
        # stable: the vectors of the rule itself come first
        for case, text, verdicts in sorted(asked, key=lambda one: one[0].vector.rule != rule):
            if name not in verdicts:
                continue
            earlier, valid = kept[name].setdefault(text, (case, verdicts[name]))
            if valid is not verdicts[name]:
                raise ExportError(f"{earlier.vector.id} and {case.vector.id} contradict each other")
            if earlier is case:
                used.add(case.vector.id)
    left_out["repeated"] = sum(case.vector.id not in used for case, _, _ in asked)
    order = {case.vector.id: number for number, (case, _, _) in enumerate(asked)}
    groups = {
        name: _groups(corpus, name, sorted(texts.values(), key=lambda one: order[one[0].vector.id]))
        for name, texts in kept.items()
    }
    return FormatTests(groups, +left_out)


def _verdicts(case: Case) -> dict[str, bool]:
    """Return by format the verdict on the text of a case. It lacks a format that the case does not decide.

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


def _groups(corpus: Corpus, name: str, tests: Sequence[tuple[Case, bool]]) -> list[dict[str, Any]]:
    """Return the groups of a format, one for each section."""
    sections: dict[str, list[tuple[Case, bool]]] = defaultdict(list)
    for case, valid in tests:
        sections[case.section].append((case, valid))
    return [
        {
            "description": f"validation of {_TITLES[name]}, {rfc(SPEC)} {place}",
            "schema": {"$schema": _DIALECT, "format": name},
            "tests": [
                {
                    "description": description,
                    "comment": f"urlconform vector {case.vector.id}",
                    "data": case.vector.url,
                    "valid": valid,
                }
                for description, (case, valid) in zip(_descriptions(some), some, strict=True)
            ],
        }
        for section, some in sections.items()
        for place in (section_place(section, corpus.titles.get((SPEC, section), "")),)
    ]


def _descriptions(tests: Sequence[tuple[Case, bool]]) -> Iterator[str]:
    """Yield a description of each test; a fact that several texts share is followed by the end of the id."""
    facts = [_facts(case, valid) for case, valid in tests]
    shared = Counter(longest for longest, *_ in facts)
    for (case, _), (longest, *shorter) in zip(tests, facts, strict=True):
        if shared[longest] == 1 and len(longest) <= _WIDTH:
            yield longest
            continue
        name = case.vector.id.removeprefix(f"{SPEC}-")
        described = (f"{fact} ({name})" for fact in (longest, *shorter))
        yield next((text for text in described if len(text) <= _WIDTH), name)


def _facts(case: Case, valid: bool) -> tuple[str, ...]:
    """Return what the vector says about its text, in words: long first, then shorter."""
    expect, text = case.vector.expect, case.vector.url
    assert isinstance(text, str)
    if valid:
        found = [name for name, part in _split(text).items() if part is not None]
        return f"valid: {_listed(found)}", "valid"
    if expect.valid:
        return "invalid: relative reference", "invalid: relative"
    if not isinstance(expect.at, int):
        return ("invalid",)
    rules = [" or ".join(expect.rules[:number]) for number in (len(expect.rules), 1) if expect.rules]
    if expect.at >= len(text):
        return *(f"invalid: ends inside {rule}" for rule in rules), "invalid: ends too early", "invalid"
    where = f"invalid: {_named(text[expect.at])} at offset {expect.at}"
    return *(f"{where} cannot continue {rule}" for rule in rules), where, "invalid"


def _split(text: str) -> dict[str, str | None]:
    """Return the parts of a valid text. An empty path is absent, because it has no character."""
    match = _PARTS.fullmatch(text)
    assert match is not None  # the pattern matches every text
    return {**match.groupdict(), "path": match["path"] or None}


def _listed(parts: Sequence[str]) -> str:
    if not parts:
        return "empty text"
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _named(char: str) -> str:
    """Return a character in ASCII: in quotation marks, as a number of ABNF, or as a code point."""
    if not char.isascii():
        return f"U+{ord(char):04X}"
    return f"%x{ord(char):02X}" if char == '"' or not char.isprintable() else f'"{char}"'
