"""The cases of a run as data for the script of the page, with each different answer stored once.

The data include the paragraphs that requirements cite, if the texts of the RFCs are installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from urlharness.compare.families import Likeness, likeness
from urlharness.compare.matrix import Disagreement, Matrix, make_matrix
from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.model import Case, Decoded, load_flags
from urlharness.corpus.rfctext import quoted, texts_at_hand
from urlharness.corpus.specifications import SPECS
from urlharness.panel.answer import harm
from urlharness.panel.spelling import contradicts
from urlharness.protocol.messages import ReplyComponents
from urlharness.report.html.tables import columns
from urlharness.report.summary import KIND_OF
from urlharness.results.model import AskedVector, Header, Participant, Result, Results
from urlharness.results.scores import report_order
from urlharness.results.verdict import Outcome, compare_decoded, judge_components
from urlharness.shell import option_words, quote
from urlharness.text import short_names
from urlharness.wording import rfc

#: The tier of stored cases.
CORE = "core"

#: The query for the cases that any implementation fails.
FAILING = "outcome:failing"

#: The sign for no answer, in patterns (one letter per outcome) and in partitions (one digit per answer).
NONE = "."

#: The maximum length of a name at the head of a column, and in a sentence.
HEAD_LIMIT, _WORD_LIMIT = 20, 80

#: Numbers that JavaScript may round: many digits, or an exponent.
_INEXACT = re.compile(rb"\d{16}|\d[eE]")

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"')

#: The outcomes of answers to compare with the expected answer, part by part.
_COMPARED = frozenset((Outcome.FAIL, Outcome.PARTIAL, Outcome.VARIANT))

#: Fields of a reply that are not part of its answer.
_ASIDE = frozenset(("id", "message", "also", "rules", "rulings", "may_reject", "layer", "section"))

_LETTERS: Mapping[str, str] = {outcome: chr(ord("a") + number) for number, outcome in enumerate(KIND_OF)}


class DataBlocks(NamedTuple):
    """The two JSON blocks of the page, as `data_blocks` makes them, and the clusters of implementations."""

    listed: bytes
    details: bytes
    likeness: Likeness


class Marks(NamedTuple):
    """The differences between an answer and the closest admissible answer.

    `nearest` is the index of the closest admissible answer. `wrong` are the parts that differ. `unclear` are
    the parts that the library does not expose, and those that it shows without telling absent from empty.
    """

    nearest: int
    wrong: list[str]
    unclear: list[str]


def data_blocks(
    results: Results,
    components: Mapping[str, Sequence[str]],
    scores: Sequence[float] = (),
    matrix: Matrix | None = None,
    start: str = FAILING,
) -> DataBlocks:
    """Return the list of cases, which the page reads first, and the details of each case.

    `components` contains the names of the components of each RFC, in order. `scores` contains the share of
    held statements of each implementation, by which users can sort columns. If `matrix` does not compare all
    implementations, a new one is made. `start` is the query of the page at first.
    """
    shown = columns(results)
    if matrix is None or len(matrix.names) < sum(one.state == "ran" for one in results.participants):
        matrix = make_matrix(results)
    tables = _Tables(shown, {one.case.vector.id: one for one in matrix.disagreements})
    for asked in sorted(results.vectors.values(), key=lambda asked: report_order(asked.case)):
        tables.section(asked.case, asked.title)  # number sections in the order of reports
    for asked, tier, answers in _cases(results, shown):
        tables.add(asked, tier, answers)
    implementations = [participant.name for participant in shown]
    alike = likeness(implementations, tables.compared)
    listed = {
        "implementations": implementations,
        "heads": list(short_names(implementations, HEAD_LIMIT).values()),
        "words": list(short_names(implementations, _WORD_LIMIT).values()),
        "order": alike.order,
        "tells": ["absent-vs-empty" in participant.features for participant in shown],
        "scores": scores or [0.0] * len(shown),
        "specs": {spec: rfc(spec) for spec in SPECS},
        "sections": tables.sections.values,
        "outcomes": list(KIND_OF),
        "kinds": KIND_OF,
        "failing": sorted(outcome for outcome in Outcome if outcome.failing),
        "flags": {name: entry.effect for name, entry in load_flags().items()},
        "terms": {name: meaning for entries in terms().values() for name, meaning in entries.items()},
        "components": components,
        "flagsets": tables.flagsets.values,
        "patterns": tables.patterns.values,
        "again": _repro_options(results.header),
        "start": start,
        "cases": tables.listed,
    }
    details = {
        "requirements": tables.requirements.values,
        "paragraphs": tables.paragraphs(),
        "rulings": {one: _ruling(one) for one in sorted(tables.rulings)},
        "partitions": tables.partitions.values,
        "answers": tables.answers.rows,
        "contradicting": tables.answers.contradicting(),
        "cases": tables.details,
        "differences": {
            "parts": tables.parts.values,
            "classes": tables.classes.values,
            "causes": tables.causes.values,
            "cases": tables.differences,
        },
    }
    return DataBlocks(msgspec.json.encode(listed), msgspec.json.encode(details), alike)


def _ruling(name: str) -> list[str]:
    """Return [chosen reading, title, text] of a ruling. The texts are empty if the ruling is unknown."""
    found = load_ruling_texts().get(name)
    return [load_rulings().get(name, ""), found.title if found else "", found.text if found else ""]


def _repro_options(header: Header) -> list[str]:
    """Return two strings of options of `urlconform repro`, one for stored cases only, one for all cases."""
    stored = option_words(vectors=header.vectors)
    every = option_words(timeout=header.timeout, start_timeout=header.start_timeout)
    return ["".join(f" {quote(word)}" for word in words) for words in (stored, every)]


@cache
def terms() -> Mapping[str, Mapping[str, str]]:
    """Return the terms of the page with their meanings, by heading."""
    text = (resources.files("urlharness.report.html") / "assets" / "terms.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, str]])


def component_marks(case: Case, result: Result, features: tuple[str, ...]) -> Marks | None:
    """Return how a reply differs from the closest admissible answer.

    Return None if the reply has no parts, or if no admissible answer has.
    """
    kind, shape = ("components", ReplyComponents) if case.vector.op == "parse" else ("decoded", Decoded)
    try:
        got: Any = msgspec.convert(result.got.get(kind), shape)
    except msgspec.ValidationError:
        return None  # a reply may have any shape
    best: Marks | None = None
    for number, expected in enumerate(case.vector.expect.alternatives):
        parts = getattr(expected, kind)
        if isinstance(parts, dict):
            if kind == "components":
                verdicts = judge_components(case.spec, parts, got, features)
            else:
                verdicts = {
                    name: compare_decoded({name: part}, got, features) for name, part in parts.items()
                }
            wrong = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL]
            unclear = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.PARTIAL]
            if best is None or len(wrong) < len(best.wrong):
                best = Marks(number, wrong, unclear)
    return best


def _cases(
    results: Results, shown: list[Participant]
) -> Iterator[tuple[AskedVector, str, list[Result | None]]]:
    """Yield (case, tier, answers of the implementations): stored cases by RFC, then generated ones.

    Witnesses are the last of the stored cases, and also the last of the generated ones.
    """
    found = [results.of(participant.name) for participant in shown]
    for asked in sorted(results.vectors.values(), key=lambda asked: _listed_order(asked.case)):
        yield asked, CORE, [answers.get(asked.case.vector.id) for answers in found]
    tiers = {tally.part: tally.tier for tally in results.tallies}
    kept: dict[str, tuple[AskedVector, dict[str, Result]]] = {}
    for example in results.examples:
        _, answers = kept.setdefault(example.asked.case.vector.id, (example.asked, {}))
        answers[example.result.implementation] = example.result
    for asked, answers in sorted(kept.values(), key=lambda each: _listed_order(each[0].case)):
        tier = tiers.get(asked.case.file, "generated")
        yield asked, tier, [answers.get(participant.name) for participant in shown]


def _listed_order(case: Case) -> tuple[object, ...]:
    return case.vector.origin == "mutant", *report_order(case)


class Answers:
    """Stores each different answer once, as a row `[outcome, variant, detail, got, stderr, marks, raw]`.

    `raw` is the reply as JSON text if JavaScript would round its numbers, otherwise empty. `likeness`
    contains a key for each row. Answers with equal keys count as equal. An answer with the key None is not
    compared.
    """

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self.likeness: list[bytes | None] = []
        self._known: dict[tuple[bytes, bytes, tuple[str, ...]], int] = {}
        self._numbers: dict[bytes, int] = {}
        self._encode = msgspec.json.Encoder().encode

    def number(self, case: Case, result: Result, features: tuple[str, ...]) -> int:
        """Return the number of the row of an answer. If the answer is new, add a row."""
        got = {name: value for name, value in result.got.items() if name != "id"}  # differs in every reply
        encoded = self._encode((result.outcome, result.variant, result.detail, got, result.stderr))
        parts = case.vector.op in ("parse", "decode") and result.outcome in _COMPARED
        key = (encoded, self._encode(case.vector.expect), features) if parts else (encoded, b"", ())
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

    def contradicting(self) -> list[int]:
        """Return the numbers of the rows in which the authority contradicts its parts."""
        return [number for number, row in enumerate(self.rows) if _contradicts(row[3].get("components"))]

    def _compared(self, result: Result, got: Mapping[str, Any]) -> bytes | None:
        """Return the key of an answer in `likeness`, or None for an unsupported question.

        All passes have the same key. So do all rejections, and all results with the same abnormal outcome.
        """
        kind = KIND_OF[result.outcome]
        if kind == "unsupported":
            return None
        if result.outcome == Outcome.PASS or kind == "abnormal":
            return result.outcome.encode()
        if got.get("status") == "reject":
            return b"reject"
        return self._encode({name: value for name, value in got.items() if name not in _ASIDE})


def _contradicts(parts: object) -> bool:
    if not isinstance(parts, Mapping) or not all(isinstance(one, str | None) for one in parts.values()):
        return False
    return contradicts(parts)


class _Interned:
    """A list of values without duplicates. Each value has a key."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, key: Any, value: Any = None) -> int:
        """Return the number of the value with this key.

        If the key is new, add `value`, or the key itself if `value` is None.
        """
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(key if value is None else value)
        return self._numbers[key]


class _Tables:
    """The tables of both JSON blocks. `compared` is the input of `likeness`."""

    def __init__(self, shown: list[Participant], disagreements: Mapping[str, Disagreement]) -> None:
        self._shown, self.answers = shown, Answers()
        self._disagreements = disagreements
        self._places = {participant.name: number for number, participant in enumerate(shown)}
        self.differences: list[list[int]] = []
        self.parts, self.classes, self.causes = _Interned(), _Interned(), _Interned()
        self.rulings, self.specs = set[str](), dict[int, str]()
        self.listed: list[list[Any]] = []
        self.details: list[list[Any]] = []
        self.compared: list[list[bytes | None]] = []
        self.sections, self.requirements, self.flagsets = _Interned(), _Interned(), _Interned()
        self.patterns, self.partitions = _Interned(), _Interned()

    def add(self, asked: AskedVector, tier: str, answers: list[Result | None]) -> None:
        """Add one case with the answer of each implementation."""
        case, vector = asked.case, asked.case.vector
        stored = tier == CORE
        numbers = [
            None if result is None else self.answers.number(case, result, participant.features)
            for participant, result in zip(self._shown, answers, strict=True)
        ]
        letters = (NONE if result is None else _LETTERS[result.outcome] for result in answers)
        partition, classes = _partition(numbers)
        section = self.section(case, asked.title if stored else "")
        fields = (vector.id, vector.op, vector.level, vector.binding, vector.class_ or "")
        flags, pattern = self.flagsets.number(case.flags), self.patterns.number("".join(letters))
        witness = int(vector.origin == "mutant")
        self.listed.append([section, *fields, flags, tier, vector.inputs, witness, pattern])
        requirement = self.requirements.number(asked.requirement.id, asked.requirement)
        self.specs.setdefault(requirement, case.spec)
        self.rulings.update(filter(None, (vector.ruling, asked.requirement.ruling)))
        notes = (vector.ruling or "", vector.comment or "", asked.title if stored else case.file)
        numbered = self.partitions.number(partition)
        self.details.append([requirement, vector.expect, *notes, numbered, *classes])
        self.differences.append(self._difference(self._disagreements.get(vector.id) if stored else None))
        if stored:
            keys = self.answers.likeness
            self.compared.append([None if number is None else keys[number] for number in numbers])

    def _difference(self, found: Disagreement | None) -> list[int]:
        """Return how the answers to a case differ, or an empty list if they do not.

        The list holds, as numbers, the components that differ by more than spelling, the class and the worst
        cause of the difference, and the implementations that give their answer alone.
        """
        if found is None:
            return []
        alarms = {name for contrast in found.contrasts for name in contrast.alarms}
        parts = tuple(sorted(alarms, key=lambda name: (harm(name), name)))
        alone = [self._places[group.names[0]] for group in found.groups if len(group.names) == 1]
        return [
            self.parts.number(parts),
            self.classes.number(found.entry or "none"),
            self.causes.number(str(found.cause)),
            *alone,
        ]

    def section(self, case: Case, title: str) -> int:
        """Return the number of the section of a case."""
        return self.sections.number((case.spec, case.section), [case.spec, case.section, title])

    def paragraphs(self) -> list[list[str]]:
        """Return the paragraphs that each requirement cites, or none if the text of the RFC is missing."""
        texts = texts_at_hand()
        found = ((texts.get(self.specs[number]), one) for number, one in enumerate(self.requirements.values))
        return [quoted(text, one) if text is not None else [] for text, one in found]


def _partition(numbers: list[int | None]) -> tuple[str, list[int]]:
    """Return (one sign per implementation, number of the answer of each sign).

    Implementations with equal answers have the same sign. NONE is the sign for no answer.
    """
    classes: dict[int, str] = {}
    letters = [
        NONE if number is None else classes.setdefault(number, chr(ord("0") + len(classes)))
        for number in numbers
    ]
    return "".join(letters), list(classes)
