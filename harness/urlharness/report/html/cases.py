"""The case data for the page script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.model import SPECS, Case, Decoded, Expected, explanations
from urlharness.protocol.messages import Components
from urlharness.report.html.tables import columns
from urlharness.report.summary import KIND_OF
from urlharness.report.terminal import HEAD, WORD, labels
from urlharness.results.agreement import Likeness, likeness
from urlharness.results.model import AskedVector, Header, Participant, Result, Results
from urlharness.results.scores import place
from urlharness.results.verdict import Outcome, Verdict, compare_components, compare_decoded
from urlharness.shell import option_words, quote

# -------------------- report.answers: Answers of a run for the HTML report: equal ones are stored once, and what differs in one is marked.


#: Numbers that a script would read as others: of so many digits, or with an exponent.
_INEXACT = re.compile(rb"\d{16}|\d[eE]")


_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"')


#: What a reply says besides its answer.
_ASIDE = frozenset(("id", "message", "also", "rules", "rulings", "may_reject", "layer", "section"))


class Marks(NamedTuple):
    """The number of the nearest admissible answer, the parts that differ from it, and those it leaves untold.

    Untold is a part that the library does not expose, or of which it cannot tell absent from empty.
    """

    nearest: int
    wrong: list[str]
    untold: list[str]


class Answers:
    """Answers interned by value: a row `[outcome, variant, detail, got, stderr, marks, raw]` for each.

    `raw` is the reply as JSON text where a script could not read its numbers, else empty.  `likeness` has
    for each row what it is compared by: two answers are alike where that is the same, and None compares
    with nothing.
    """

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self.likeness: list[bytes | None] = []
        self._known: dict[tuple[bytes, bytes, tuple[str, ...]], int] = {}
        self._numbers: dict[bytes, int] = {}
        self._encode = msgspec.json.Encoder().encode

    def number(self, case: Case, result: Result, features: tuple[str, ...]) -> int:
        """The number of an answer, stored when it is new."""
        got = {name: value for name, value in result.got.items() if name != "id"}  # differs in every reply
        octets = self._encode((result.outcome, result.variant, result.detail, got, result.stderr))
        parts = _has_parts(case) and result.outcome in _COMPARED
        key = (octets, self._encode(case.vector.expect), features) if parts else (octets, b"", ())
        found = self._known.get(key)
        if found is None:
            marks = component_marks(case, result, features) if parts else None
            raw = self._encode(got)
            exact = raw.decode() if _INEXACT.search(_STRINGS.sub(b"", raw)) else ""
            row = [result.outcome, result.variant, result.detail, got, result.stderr, marks, exact]
            found = self._known[key] = self._numbers.setdefault(self._encode(row), len(self.rows))
            if found == len(self.rows):
                self.rows.append(row)
                self.likeness.append(self._compared(result, got))
        return found

    def _compared(self, result: Result, got: Mapping[str, Any]) -> bytes | None:
        """The right answer, a refusal, a death and each wrong answer, without what is said around it."""
        kind = KIND_OF[result.outcome]
        if kind == "unsupported":
            return None
        if result.outcome is Outcome.PASS or kind == "abnormal":
            return result.outcome.encode()
        if got.get("status") == "reject":
            return b"reject"
        return self._encode({name: value for name, value in got.items() if name not in _ASIDE})


_COMPARED = (Outcome.FAIL, Outcome.PARTIAL, Outcome.VARIANT)


def _has_parts(case: Case) -> bool:
    return case.vector.op in ("parse", "decode")


def component_marks(case: Case, result: Result, features: tuple[str, ...]) -> Marks | None:
    """Which parts differ from the nearest admissible answer, and which of them it leaves untold.

    Parts are components, or those of a decoded view; None where neither is asked for.
    """
    if result.outcome not in _COMPARED:
        return None
    best: Marks | None = None
    for number, expected in enumerate(case.vector.expect.alternatives):
        try:
            verdicts = _part_by_part(case, expected, result, features)
        except msgspec.ValidationError:
            return None  # a reply of any shape may stand here
        if verdicts is None:
            continue
        wrong = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL]
        untold = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.PARTIAL]
        if best is None or len(wrong) < len(best.wrong):
            best = Marks(number, wrong, untold)
    return best


def _part_by_part(
    case: Case, expected: Expected, result: Result, features: tuple[str, ...]
) -> dict[str, Verdict] | None:
    """The verdict on each part that is expected; None for an expectation without parts."""
    if isinstance(expected.components, dict):
        got = msgspec.convert(result.got.get("components"), Components)
        return {
            name: compare_components(case.spec, {name: value}, got, features)
            for name, value in expected.components.items()
        }
    if isinstance(expected.decoded, dict):
        view = msgspec.convert(result.got.get("decoded"), Decoded)
        return {
            name: compare_decoded({name: value}, view, features) for name, value in expected.decoded.items()
        }
    return None


# -------------------- report.casedata: The cases of the HTML report as data for its script: what the list needs, and what a case view adds.


#: Cases that are stored, not generated.
CORE = "core"


#: No answer in a pattern or a partition; others are characters counted from `a` and from `0`.
NONE = "."


def spec_name(spec: str) -> str:
    """A specification as readers call it: RFC 1738."""
    return f"RFC {spec.removeprefix('rfc')}"


class Blocks(NamedTuple):
    """The two data blocks as JSON, and who answers like whom."""

    listed: bytes
    details: bytes
    likeness: Likeness


def blocks(results: Results) -> Blocks:
    """The data of a run: the list of its cases, and the details of each."""
    shown = columns(results)
    made = _Tables(shown)
    for asked, tier, answers in _cases(results, shown):
        made.add(asked, tier, answers)
    names = [participant.name for participant in shown]
    alike = likeness(names, made.compared)
    listed = {
        "implementations": names,
        "heads": labels(names, HEAD),
        "words": labels(names, WORD),
        "order": alike.order,
        "specs": {spec: spec_name(spec) for spec in SPECS},
        "sections": made.sections.values,
        "outcomes": list(KIND_OF),
        "kinds": KIND_OF,
        "failing": sorted(outcome for outcome in Outcome if outcome.failing),
        "flags": {name: entry.effect for name, entry in explanations().items()},
        "flagsets": made.flagsets.values,
        "patterns": made.patterns.values,
        "again": ("", *_repro_options(results.header)),
        "cases": made.listed,
    }
    details = {
        "requirements": made.requirements.values,
        "partitions": made.partitions.values,
        "answers": made.answers.rows,
        "cases": made.details,
    }
    return Blocks(msgspec.json.encode(listed), msgspec.json.encode(details), alike)


def _repro_options(header: Header) -> tuple[str, str]:
    """Return the options of `urlconform repro` for a stored case alone, and those for every case."""
    corpus = option_words(vectors=header.vectors)
    seconds = option_words(timeout=header.timeout, start_timeout=header.start_timeout)
    stored, every = ("".join(f" {quote(word)}" for word in words) for words in (corpus, seconds))
    return stored, every


def _cases(
    results: Results, shown: list[Participant]
) -> Iterator[tuple[AskedVector, str, list[Result | None]]]:
    """Every stored case in the order of the RFCs with its answers, then the generated ones that were kept."""
    found = [results.of(participant.name) for participant in shown]
    for asked in sorted(results.vectors.values(), key=lambda asked: place(asked.case)):
        yield asked, CORE, [answers.get(asked.case.vector.id) for answers in found]
    tiers = {tally.part: tally.tier for tally in results.tallies}
    kept: dict[str, tuple[AskedVector, dict[str, Result]]] = {}
    for example in results.examples:
        _, answers = kept.setdefault(example.asked.case.vector.id, (example.asked, {}))
        answers[example.result.implementation] = example.result
    for asked, answers in sorted(kept.values(), key=lambda each: place(each[0].case)):
        tier = tiers.get(asked.case.file, "generated")
        yield asked, tier, [answers.get(participant.name) for participant in shown]


class _Interned:
    """Values by number, each stored once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, key: Any, value: Any = None) -> int:
        """The number of what has this key; stored as `value`, or as the key itself, when it is new."""
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(key if value is None else value)
        return self._numbers[key]


@dataclass
class _Tables:
    """The tables of both blocks while they are filled; `compared` is what `likeness` takes."""

    shown: list[Participant]
    listed: list[list[Any]] = field(default_factory=list)
    details: list[list[Any]] = field(default_factory=list)
    compared: list[list[bytes | None]] = field(default_factory=list)
    answers: Answers = field(default_factory=Answers)
    sections: _Interned = field(default_factory=_Interned)
    requirements: _Interned = field(default_factory=_Interned)
    flagsets: _Interned = field(default_factory=_Interned)
    patterns: _Interned = field(default_factory=_Interned)
    partitions: _Interned = field(default_factory=_Interned)

    def add(self, asked: AskedVector, tier: str, answers: list[Result | None]) -> None:
        """One case with the answer of each implementation."""
        case, vector = asked.case, asked.case.vector
        place = (case.spec, case.section)
        numbers = [
            None if result is None else self.answers.number(case, result, participant.features)
            for participant, result in zip(self.shown, answers, strict=True)
        ]
        letters = (NONE if result is None else _LETTERS[result.outcome] for result in answers)
        partition, classes = _partition(numbers)
        self.listed.append(
            [
                self.sections.number(place, [*place, asked.title if tier == CORE else ""]),
                vector.id,
                vector.op,
                vector.level,
                vector.binding,
                vector.class_ or "",
                self.flagsets.number(case.flags),
                tier,
                vector.inputs,
                self.patterns.number("".join(letters)),
            ]
        )
        self.details.append(
            [
                self.requirements.number(asked.requirement.id, asked.requirement),
                vector.expect,
                vector.ruling or "",
                vector.comment or "",
                asked.title if tier == CORE else case.file,
                self.partitions.number(partition),
                *classes,
            ]
        )
        if tier == CORE:
            likeness = self.answers.likeness
            self.compared.append([None if number is None else likeness[number] for number in numbers])


_LETTERS: Mapping[str, str] = {outcome: chr(ord("a") + number) for number, outcome in enumerate(KIND_OF)}


def _partition(numbers: list[int | None]) -> tuple[str, list[int]]:
    """Which implementations gave the same answer, a character for each; and the answer of each class."""
    classes: dict[int, str] = {}
    letters = [
        NONE if number is None else classes.setdefault(number, chr(ord("0") + len(classes)))
        for number in numbers
    ]
    return "".join(letters), list(classes)
