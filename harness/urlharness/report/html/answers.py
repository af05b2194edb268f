"""The answers of a run as data for the script of the page, each different answer stored once.

The script computes nothing about an answer. A row says which expected parts it gets wrong, which components
it shows and in which order, and with which other rows it counts as equal.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from urlharness.compare.matrix import Disagreement, judged_answer
from urlharness.corpus.model import Case, Decoded, Expected
from urlharness.panel.answer import (
    Answer,
    AnswerGroup,
    absent_authority,
    differing_components,
    grouped,
    parts_of,
    present_components,
)
from urlharness.panel.severity import BY_HARM
from urlharness.protocol.messages import TELLS_EMPTY, ReplyComponents
from urlharness.report.comparison import expected_in_words
from urlharness.report.html.comparison import harm_shade
from urlharness.report.summary import KIND_OF
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome, Verdict, compare_decoded, judge_components
from urlharness.text import clipped
from urlharness.wording import counted, rfc

#: Numbers that JavaScript may round: many digits, or an exponent.
_INEXACT = re.compile(rb"\d{16}|\d[eE]")

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"')

#: The outcomes of answers to compare with the expected answer, part by part.
_COMPARED = frozenset((Outcome.FAIL, Outcome.PARTIAL, Outcome.VARIANT))

#: Fields of a reply that do not count when answers are clustered by equality.
_NOT_COMPARED = frozenset(("id", "message", "also", "rules", "rulings", "may_reject", "layer", "section"))

#: The maximum number of characters of an answer in a row, and of different answers.
_BRIEF, _MOST_BRIEFS = 80, 4

#: The maximum number of libraries that a row names for an answer, and of characters of their names.
_NAMED, _NAMES_WIDTH = 2, 40

_encode = msgspec.json.Encoder().encode

_T = TypeVar("_T")


class Marks(NamedTuple):
    """The differences between an answer and the closest admissible answer, read by position in the script.

    `nearest` is the index of the closest admissible answer. `wrong` are the parts that differ. `unclear` are
    the parts that the library does not expose, and those for which it cannot tell absent from empty.
    """

    nearest: int
    wrong: list[str]
    unclear: list[str]


class ShownComponents(msgspec.Struct, frozen=True, omit_defaults=True):
    """The components that an answer shows; their values are in the reply.

    `order` are the names of the components that are not absent, in the order of display. `absent` is "no
    host" or "no authority" if the answer says so, otherwise empty.
    """

    order: tuple[str, ...] = ()
    absent: str = ""


class AnswerRow(NamedTuple):
    """An answer as the page gets it: an array, whose members its script reads by position.

    `raw` is the reply as JSON text if JavaScript would round its numbers, otherwise empty. `shown` is the
    number of its `ShownComponents`, or None if it has no components.
    """

    outcome: Outcome
    variant: str
    detail: str
    got: Mapping[str, Any]
    stderr: str
    marks: Marks | None
    raw: str
    shown: int | None


class Interned(Generic[_T]):
    """A list of values without duplicates, so that a row can name a value by its number."""

    def __init__(self) -> None:
        self.values: list[_T] = []
        self._numbers: dict[Hashable, int] = {}

    def add(self, entry: _T) -> int:
        """Add a hashable value unless it is in the list, and return its number."""
        return self.add_with_key(entry, entry)

    def add_with_key(self, key: Hashable, entry: _T) -> int:
        """Add a value unless one with this key is in the list, and return the number of the value in it."""
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(entry)
        return self._numbers[key]


class AnswerTable:
    """The rows of all answers, and what they show.

    For each row, `answers` contains the answer as libraries are compared by it, and `likeness` a key: answers
    with equal keys count as equal, and an answer with the key None is not compared.
    """

    def __init__(self) -> None:
        self.rows: list[AnswerRow] = []
        self.answers: list[Answer] = []
        self.likeness: list[bytes | None] = []
        self.shown = Interned[ShownComponents]()
        self._row_by_reply: dict[tuple[object, ...], int] = {}
        # as long as a reply is alive, no other one has its id
        self._known_replies: list[Mapping[str, Any]] = []
        self._row_by_content: dict[bytes, int] = {}

    def add(self, case: Case, result: Result, features: tuple[str, ...]) -> int:
        """Add the row of an answer unless the table has it, and return its number.

        `features` are those of the implementation that answers. Most answers of a run are in the table
        already, and results that were read from a file share equal replies, so a reply is known by its id.
        """
        tells_empty = TELLS_EMPTY in features
        is_compared = case.vector.op in ("parse", "decode") and result.outcome in _COMPARED
        reply = (id(result.got), result.outcome, result.variant, result.detail, result.stderr)
        # only the row of an answer that is compared depends on the question, and on all features
        key = (*reply, case.vector.id, features) if is_compared else (*reply, tells_empty)
        number = self._row_by_reply.get(key)
        if number is None:
            marks = reply_marks(case, result, features) if is_compared else None
            number = self._add_row(result, marks, tells_empty=tells_empty)
            self._row_by_reply[key] = number
            self._known_replies.append(result.got)
        return number

    def _add_row(self, case_result: Result, marks: Marks | None, *, tells_empty: bool) -> int:
        """Add a row with these contents unless there is one, and return its number.

        `tells_empty` says whether the implementation tells an empty component from an absent one.
        """
        # the id differs in each reply
        got = {name: field for name, field in case_result.got.items() if name != "id"}
        answer = judged_answer(case_result, tells_empty=tells_empty).answer
        reply = _encode(got)
        has_inexact_number = _INEXACT.search(_STRINGS.sub(b"", reply)) is not None
        row = AnswerRow(
            outcome=case_result.outcome,
            variant=case_result.variant,
            detail=case_result.detail,
            got=got,
            stderr=case_result.stderr,
            marks=marks,
            raw=reply.decode() if has_inexact_number else "",
            shown=self.add_shown(answer),
        )
        number = self._row_by_content.setdefault(_encode(row), len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
            self.answers.append(answer)
            self.likeness.append(_likeness_key(case_result.outcome, got))
        return number

    def add_shown(self, answer: Answer) -> int | None:
        """Add what an answer shows unless the table has it, and return its number.

        Return None if the answer has no components.
        """
        if answer.kind != "parsed":
            return None
        order = tuple(present_components(answer.components))
        components = ShownComponents(order, absent_authority(answer.components))
        return self.shown.add(components)


class Brief(NamedTuple):
    """Who gives an answer, and the answer in a few words."""

    label: str
    words: str


class Briefs:
    """The answers to each question, so short that a row of the list has room for them.

    The answer of the library `first`, if it is named, comes before the others.
    """

    def __init__(self, first: str = "") -> None:
        self._first = first
        self._texts = Interned[str]()
        self._severities = Interned[str]()
        self._rows: list[list[int]] = []

    def add(self, case: Case, answers: Mapping[str, Answer], disagreement: Disagreement | None) -> None:
        """Add the row of a question. `answers` has the answer of each library that answered.

        `disagreement` is None if all of them answer alike.
        """
        severity = "" if disagreement is None else disagreement.component
        groups = grouped(answers.items()) if disagreement is None else disagreement.groups
        briefs = [Brief(rfc(case.spec), expected_in_words(case, severity))]
        briefs += self._briefs_of_groups(groups, severity)
        row = [self._severities.add(severity)]
        for brief in briefs:
            row += [self._texts.add(brief.label), self._texts.add(clipped(brief.words, _BRIEF))]
        self._rows.append(row)

    def _briefs_of_groups(self, groups: Iterable[AnswerGroup], severity: str) -> Iterator[Brief]:
        """Yield the answers of the largest groups, and how many more there are.

        `severity` is the most harmful component that differs, or empty.
        """
        in_order = sorted(groups, key=lambda group: self._first not in group.names)
        shown_groups = in_order[:_MOST_BRIEFS]
        answers = [group.answer for group in shown_groups]
        for group, words in zip(shown_groups, _distinct_words(answers, severity), strict=True):
            yield Brief(self._label_of_group(group), words)
        left_out = len(in_order) - _MOST_BRIEFS
        if left_out > 0:
            yield Brief(counted(left_out, "more answer"), words="")

    def _label_of_group(self, group: AnswerGroup) -> str:
        """Return the names of the libraries in a group if there is room for them, else their number."""
        names = ", ".join(group.names)
        if len(group.names) <= _NAMED and len(names) <= _NAMES_WIDTH:
            return names
        if self._first in group.names:
            return f"{self._first} and {counted(len(group.names) - 1, 'other')}"
        return counted(len(group.names), "library", "libraries")

    def contents(self) -> Mapping[str, Any]:
        """Return the rows for the script of the page, which reads them by position in `rows.js`.

        Each row has the number of its severity, then for each answer the numbers of its label and its words.
        `lines` is the maximum number of answers in a row.
        """
        lines = max((len(row) // 2 for row in self._rows), default=0)
        return {
            "texts": self._texts.values,
            "severities": self._severities.values,
            "shades": [harm_shade(name) for name in self._severities.values],
            "cases": self._rows,
            "lines": lines,
        }


def _distinct_words(answers: Sequence[Answer], severity: str) -> list[str]:
    """Return each answer in a few words: the component `severity`, if it has one.

    Answers with the same words also have the most harmful component in which they differ.
    """
    answers_by_words: dict[str, list[Answer]] = {}
    for answer in answers:
        answers_by_words.setdefault(answer.part_in_words(severity), []).append(answer)
    distinct_words = []
    for answer in answers:
        words = answer.part_in_words(severity)
        difference = _difference_in_words(answer, answers_by_words[words])
        distinct_words.append(f"{words}  {difference}" if difference else words)
    return distinct_words


def _difference_in_words(answer: Answer, answers_to_compare: Iterable[Answer]) -> str:
    """Return the most harmful component in which an answer differs from one of several, in words.

    Return an empty string if it differs in no component that it has.
    """
    differing: set[str] = set()
    for answer_to_compare in answers_to_compare:
        differing |= differing_components(answer, answer_to_compare)
    parts = parts_of(answer)
    for name in BY_HARM:
        if name in differing and name in parts:
            return answer.part_in_words(name)
    return ""


def _likeness_key(outcome: Outcome, got: Mapping[str, Any]) -> bytes | None:
    """Return the key by which answers are clustered, or None for an unsupported question.

    All passes have the same key. So do all rejections, and all results with the same abnormal outcome.
    """
    kind = KIND_OF[outcome]
    if kind == "unsupported":
        return None
    if outcome is Outcome.PASS or kind == "abnormal":
        return outcome.encode()
    if got.get("status") == "reject":
        return b"reject"
    return _encode({name: field for name, field in got.items() if name not in _NOT_COMPARED})


def reply_marks(case: Case, result: Result, features: tuple[str, ...]) -> Marks | None:
    """Return how a reply to `parse` or `decode` differs from the closest admissible answer.

    This is the first of those with the fewest wrong parts. Return None if the reply has no parts, or if no
    admissible answer has.
    """
    all_marks = []
    for number, expected in enumerate(case.vector.expect.alternatives):
        try:
            verdicts = _part_verdicts(case, expected, result, features)
        except msgspec.ValidationError:
            return None  # the reply has no such field, or one of another shape
        if verdicts is not None:
            wrong = _names_with_outcome(Outcome.FAIL, verdicts)
            unclear = _names_with_outcome(Outcome.PARTIAL, verdicts)
            all_marks.append(Marks(number, wrong, unclear))
    return min(all_marks, key=lambda marks: len(marks.wrong), default=None)


def _part_verdicts(
    case: Case, expected: Expected, case_result: Result, features: tuple[str, ...]
) -> Mapping[str, Verdict] | None:
    """Return the verdict on each component of a reply to `parse`, or on each part of one to `decode`.

    Return None if no part is expected. Raise msgspec.ValidationError if the reply has no parts.
    """
    if case.vector.op == "parse":
        if not isinstance(expected.components, dict):  # unset
            return None
        components = msgspec.convert(case_result.got.get("components"), ReplyComponents)
        return judge_components(case.spec, expected.components, components, features)
    if not isinstance(expected.decoded, dict):  # unset
        return None
    decoded = msgspec.convert(case_result.got.get("decoded"), Decoded)
    return {name: compare_decoded({name: part}, decoded, features) for name, part in expected.decoded.items()}


def _names_with_outcome(outcome: Outcome, verdicts: Mapping[str, Verdict]) -> list[str]:
    """Return the names of the parts on which the verdict is this outcome."""
    return [name for name, verdict in verdicts.items() if verdict.outcome is outcome]
