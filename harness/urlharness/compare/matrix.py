"""Disagreements of libraries: by question, by pair of libraries, and by class.

Libraries with equal answers to a question are a side. Two sides that differ are a contrast, which has the
worse of their causes. A disagreement has the class of one contrast: in the most harmful component, and beside
a right answer if there is one.

The module also finds clusters of similar libraries, and harmless habits of libraries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

import msgspec

from urlharness.compare.browsers import browser_readings, is_browser
from urlharness.compare.causes import Cause, cause_of, expected_answers
from urlharness.compare.classes import class_of
from urlharness.compare.families import Likeness, cluster_by_likeness
from urlharness.corpus.model import AUTHORITY, Case, Expected
from urlharness.panel.answer import (
    VERDICT,
    Answer,
    AnswerGroup,
    beyond_spelling,
    consensus,
    differing_components,
    grouped,
    harm_rank,
    hidden_differences,
    recorded_answer,
    without_spelling,
)
from urlharness.protocol.messages import TELLS_EMPTY, ReplyComponents
from urlharness.results.model import Participant, Result, Results
from urlharness.results.verdict import Outcome, judge_components


class Side(NamedTuple):
    """Libraries that give the same answer to a question.

    `cause` is None if the answer is the recommended one. `is_wrong` is what the verdict says: an answer that
    no vector lists may be a defect although it passes, because the RFC leaves most of it open.
    """

    answer: Answer
    cause: Cause | None
    names: tuple[str, ...]
    is_wrong: bool


class Contrast(NamedTuple):
    """The difference between two sides: the components that differ, and the worse of the two causes.

    `first` and `second` are the indexes of the sides. `alarms` are the components that differ by more than
    spelling; see `beyond_spelling`.
    """

    first: int
    second: int
    components: frozenset[str]
    alarms: frozenset[str]
    cause: Cause


@dataclass(frozen=True)
class Disagreement:
    """A question that libraries answer differently.

    `sides` has the most common answer first, and `contrasts` the pairs of sides that differ. `entry` is the
    id of the class of difference, or None.
    """

    case: Case
    sides: tuple[Side, ...]
    contrasts: tuple[Contrast, ...]
    entry: str | None

    @cached_property
    def component(self) -> str:
        """The most harmful component that differs by more than spelling.

        If there is none, it is the most harmful component that differs in spelling.
        """
        alarms = frozenset[str]().union(*(contrast.alarms for contrast in self.contrasts))
        components = frozenset[str]().union(*(contrast.components for contrast in self.contrasts))
        return min(sorted(alarms or components), key=harm_rank)

    @cached_property
    def cause(self) -> Cause:
        """The worst cause among the contrasts."""
        return max((contrast.cause for contrast in self.contrasts), key=lambda cause: cause.rank)

    @property
    def alarming(self) -> bool:
        """True if two answers differ by more than spelling."""
        return any(contrast.alarms for contrast in self.contrasts)

    @cached_property
    def side_of(self) -> Mapping[str, Side]:
        """The side of each library that answered."""
        return {name: side for side in self.sides for name in side.names}

    @cached_property
    def groups(self) -> list[AnswerGroup]:
        """The groups of equal answers; see `grouped`."""
        return grouped((name, side.answer) for side in self.sides for name in side.names)

    @property
    def consensus(self) -> AnswerGroup | None:
        """The largest group, if it is at least two libraries larger than every other."""
        return consensus(self.groups)

    @property
    def text(self) -> str:
        """The text or the reference of the question."""
        return _text_of(self.case)

    def is_lone_answer(self, name: str) -> bool:
        """Return True if no other library gives the same answer as the library `name`."""
        return any(group.names == (name,) for group in self.groups)

    def classified(self) -> Disagreement:
        """Return the disagreement with its class: that of the contrast of the most common answers.

        Of the contrasts in the most harmful component, those with a right answer come first.
        """
        component = self.component
        worst = [contrast for contrast in self.contrasts if component in contrast.alarms]
        differing_there = worst or [
            contrast for contrast in self.contrasts if component in contrast.components
        ]
        contrast = min(differing_there, key=self._has_no_right_answer)
        first, second = (side.answer for side in self._sides_of(contrast))
        if not first.answered or not second.answered:
            return replace(self, entry=None)  # without an answer, there is no reading of the text
        scheme = "scheme" in contrast.alarms
        entry = class_of(self.case.vector, component, scheme=scheme, answers=(first, second))
        return replace(self, entry=entry)

    def _sides_of(self, contrast: Contrast) -> tuple[Side, Side]:
        return self.sides[contrast.first], self.sides[contrast.second]

    def _has_no_right_answer(self, contrast: Contrast) -> bool:
        return all(side.cause is not None for side in self._sides_of(contrast))

    def differs_in(self, components: Collection[str]) -> bool:
        """Return True if two answers differ in one of these components by more than spelling."""
        return any(not contrast.alarms.isdisjoint(components) for contrast in self.contrasts)


class PairCount(NamedTuple):
    """Counts of the questions that two libraries both answer (`shared`) or answer differently (`different`).

    `alarms` counts the questions to which the answers differ by more than spelling. `hosts` counts the
    questions to which the hosts in the answers differ by more than spelling.
    """

    shared: int
    different: int
    alarms: int
    hosts: int


@dataclass(frozen=True)
class Matrix:
    """All answers of all libraries to the questions of a run.

    `answers` maps the id of a case to the answers by library. `browsers` are the libraries that follow the
    browsers' standard, and `split_browsers` counts the questions on which they or Ada disagree.
    """

    results: Results
    names: tuple[str, ...]
    answers: Mapping[str, Mapping[str, Answer]]
    disagreements: tuple[Disagreement, ...]
    browsers: tuple[str, ...]
    split_browsers: int

    def participant(self, name: str) -> Participant:
        """Return the participant of this name."""
        return self.results.participant(name)

    def likeness(self) -> Likeness:
        """Return the clusters of libraries by shares of equal answers, and an order of the libraries."""
        codes: dict[object, bytes] = {}
        rows = []
        for answers in self.answers.values():
            replies = (answers.get(name) for name in self.names)
            rows.append(
                [_add_code(codes, answer) if answer and answer.answered else None for answer in replies]
            )
        return cluster_by_likeness(list(self.names), rows)

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], PairCount]:
        """The number of disagreements for each pair of libraries, in the order of `names`."""
        return _count_pairs(self)

    def lone_disagreements(self, name: str) -> list[Disagreement]:
        """Return the disagreements in which only this library gives its answer."""
        return [disagreement for disagreement in self.disagreements if disagreement.is_lone_answer(name)]

    def differences_from_rfc(self, name: str) -> list[Disagreement]:
        """Return, for each wrong answer of a library, its difference from the answer of the RFC.

        It has the components in which the answer is wrong, and no others: a right answer of another library
        may differ from this one in spelling, too.
        """
        sides_of = {
            disagreement.case.vector.id: disagreement.sides
            for disagreement in self.disagreements
            if name in disagreement.side_of
        }
        wrong = []
        for identifier, judgement in self.results.of(name).items():
            if judgement.outcome.failing:
                sides = sides_of.get(identifier) or (self._only_side(name, judgement),)
                wrong.append(self._beside_the_rfc(name, judgement, sides).classified())
        return wrong

    def _only_side(self, name: str, judgement: Result) -> Side:
        """Return the side of a library in a question about which libraries do not disagree.

        Either all of them give its answer, or no other library answers.
        """
        case = self.results.vectors[judgement.id].case
        answers = self.answers[judgement.id]
        answer = answers[name]
        tells_empty = TELLS_EMPTY in self.participant(name).features
        readings = browser_readings(case, answers)
        cause = cause_of(case, judgement, answer, readings, tells_empty=tells_empty)
        alike = [library for library, reply in answers.items() if _answer_key(reply) == _answer_key(answer)]
        return Side(answer, cause, tuple(alike), is_wrong=judgement.outcome.failing)

    def _beside_the_rfc(self, name: str, judgement: Result, sides: tuple[Side, ...]) -> Disagreement:
        """Return the difference of a wrong answer from the admissible answer that is closest to it."""
        case = self.results.vectors[judgement.id].case
        answer = self.answers[judgement.id][name]
        features = self.participant(name).features
        admissible, components = _closest_admissible(case, answer, judgement, features)
        all_sides = (Side(admissible, cause=None, names=(), is_wrong=False), *sides)
        number = next(number for number, side in enumerate(all_sides) if name in side.names)
        parts = differing_components(without_spelling(admissible), without_spelling(answer))
        alarms = beyond_spelling(admissible, answer, parts) & components
        cause = all_sides[number].cause or Cause.DEFECT
        contrast = Contrast(first=0, second=number, components=components, alarms=alarms, cause=cause)
        return Disagreement(case, all_sides, (contrast,), entry=None)


class _AdmissibleCandidate(NamedTuple):
    """An admissible answer, and the components in which the answer of a library is wrong beside it."""

    admissible: Answer
    components: frozenset[str]


def _closest_admissible(
    case: Case, answer: Answer, judgement: Result, features: Collection[str]
) -> _AdmissibleCandidate:
    """Return the admissible answer with the fewest wrong components, and the components wrong beside it.

    Of several such answers, return the first.
    """
    expected = case.vector.expect
    candidates = []
    for admissible, expectation in zip(expected_answers(expected), expected.alternatives, strict=True):
        wrong = _wrong_components(case, expectation, admissible, answer, judgement, features)
        candidates.append(_AdmissibleCandidate(admissible, wrong))
    return min(candidates, key=lambda candidate: len(candidate.components))


def _wrong_components(
    case: Case,
    expectation: Expected,
    admissible: Answer,
    answer: Answer,
    judgement: Result,
    features: Collection[str],
) -> frozenset[str]:
    """Return the components that make an answer wrong, as the verdict on it judges them.

    The verdict ignores the case of scheme and host, and empty components if the library cannot tell them.
    """
    components = differing_components(admissible, answer)
    if VERDICT in components:
        return frozenset({VERDICT})
    if answer.kind == "parsed" and expectation.components is not msgspec.UNSET:
        reply = msgspec.convert(judgement.got["components"], ReplyComponents)
        verdicts = judge_components(case.spec, expectation.components or {}, reply, features)
        failing = frozenset(name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL)
        if not failing.isdisjoint(AUTHORITY):
            failing -= {"authority"}
        return failing or components or frozenset({VERDICT})
    if not components:  # it crashed
        return frozenset({VERDICT})
    if answer.kind == "url" and case.vector.op != "normalize":
        parts = without_spelling(admissible, keep_empty=True)
        more_than_case = differing_components(parts, without_spelling(answer, keep_empty=True))
        in_case_only = {"scheme", "host"} - more_than_case
        return components - in_case_only or components
    return components


class JudgedAnswer(NamedTuple):
    """The answer of a library to a question, and the verdict on it.

    `tells_empty` says whether the library can tell empty components from absent ones.
    """

    answer: Answer
    result: Result
    tells_empty: bool


def judged_answer(result: Result, *, tells_empty: bool) -> JudgedAnswer:
    """Return the answer in a result. If the library ended without one, its kind is `none`."""
    answer = recorded_answer(result.got, tells_empty=tells_empty)
    if result.outcome.abnormal:
        answer = Answer("none", text=result.outcome, message=result.detail)
    return JudgedAnswer(answer, result, tells_empty)


def wrongly_answered_ids(results: Results, name: str) -> Collection[str]:
    """Return the ids of the questions that a library answers wrongly, or does not answer properly."""
    return {identifier for identifier, judgement in results.of(name).items() if judgement.outcome.failing}


def make_matrix(
    results: Results, names: Sequence[str] = (), questions: Collection[str] | None = None
) -> Matrix:
    """Compare the answers of the libraries `names` in a run, by default of all that ran.

    If `questions` are given by their ids, compare only the answers to these. This saves most of the time if
    only `Matrix.differences_from_rfc` of one library is needed.
    """
    ran = [participant for participant in results.ran if not names or participant.name in names]
    tells_empty = {participant.name: TELLS_EMPTY in participant.features for participant in ran}
    answers: dict[str, dict[str, Answer]] = {}
    disagreements = []
    split_browsers = 0
    for identifier, question in results.vectors.items():
        if questions is not None and identifier not in questions:
            continue
        judged = {}
        for name, can_tell in tells_empty.items():
            judgement = results.of(name).get(identifier)
            if judgement is not None:
                judged[name] = judged_answer(judgement, tells_empty=can_tell)
        answers[identifier] = {name: judged_reply.answer for name, judged_reply in judged.items()}
        readings = browser_readings(question.case, answers[identifier])
        if len(readings) > 1:
            split_browsers += 1
        differing_answers = find_disagreement(question.case, judged, readings)
        if differing_answers is not None:
            disagreements.append(differing_answers)
    compared = tuple(tells_empty)
    browsers = tuple(filter(is_browser, compared))
    return Matrix(results, compared, answers, tuple(disagreements), browsers, split_browsers)


def find_disagreement(
    case: Case, answers: Mapping[str, JudgedAnswer], browsers: Sequence[Answer]
) -> Disagreement | None:
    """Return the disagreement of libraries about one question, or None if there is none.

    There is none if no two answers differ in a component that both show. Libraries without an answer do not
    count. `answers` has the answer of each library by its name. The answers that are right stand in the
    vector of `case`. `browsers` are the readings of the browsers; see `browser_readings`.
    """
    answers_of_sides: dict[_SideKey, dict[str, JudgedAnswer]] = {}
    for name, judged in answers.items():
        if judged.answer.answered:
            answers_of_sides.setdefault(_side_key(judged), {})[name] = judged
    if len({key.answer for key in answers_of_sides}) < 2:
        return None
    sides = [_side_of_answers(case, alike, browsers) for alike in answers_of_sides.values()]
    sides.sort(key=lambda side: -len(side.names))
    contrasts = tuple(_contrasts(sides))
    if not contrasts:
        return None
    return Disagreement(case, tuple(sides), contrasts, entry=None).classified()


class _SideKey(NamedTuple):
    """An answer and its outcome, with what else decides about its cause.

    What another RFC says of an authority excuses only a library that shows none, and the loss of an empty
    component only one that cannot tell it from an absent one.
    """

    answer: object
    outcome: Outcome
    shows_authority: bool
    tells_empty: bool


def _side_key(judged: JudgedAnswer) -> _SideKey:
    """Return the key of the side to which the answer of a library belongs."""
    shows_authority = "authority" in judged.result.got.get("components", {})
    return _SideKey(_answer_key(judged.answer), judged.result.outcome, shows_authority, judged.tells_empty)


def _side_of_answers(case: Case, answers: Mapping[str, JudgedAnswer], browsers: Sequence[Answer]) -> Side:
    """Return the side of libraries that give the same answer, and were judged alike."""
    first = next(iter(answers.values()))
    cause = cause_of(case, first.result, first.answer, browsers, tells_empty=first.tells_empty)
    return Side(first.answer, cause, tuple(answers), is_wrong=first.result.outcome.failing)


def _answer_key(answer: Answer) -> object:
    """Return what is equal for equal answers: all of an answer but its message."""
    components = tuple((name, answer.components[name]) for name in sorted(answer.components))
    return answer.kind, answer.text, components


def _contrasts(sides: Sequence[Side]) -> Iterable[Contrast]:
    """Yield the pairs of sides that differ."""
    # made once for each side, not for each pair
    plain = [without_spelling(side.answer) for side in sides]
    with_empty = [without_spelling(side.answer, keep_empty=True) for side in sides]
    for first, second in combinations(range(len(sides)), 2):
        answer = sides[first].answer
        other_answer = sides[second].answer
        components = differing_components(answer, other_answer)
        if not components:
            continue
        in_normal_form = differing_components(plain[first], plain[second])
        # `without_spelling` gives a path a slash only if the answer shows a host
        alarms = beyond_spelling(answer, other_answer, in_normal_form) & components
        causes = [side.cause for side in (sides[first], sides[second]) if side.cause is not None]
        is_spelling = not alarms and not hidden_differences(answer, other_answer)
        if is_spelling:
            # an empty component is more than spelling (RFC 3986, section 6.2.3)
            is_spelling = not differing_components(with_empty[first], with_empty[second])
        worst = max(causes, key=lambda cause: cause.rank, default=Cause.ALLOWED)
        yield Contrast(first, second, components, alarms, Cause.SPELLING if is_spelling else worst)


def _count_pairs(matrix: Matrix) -> dict[tuple[str, str], PairCount]:
    """Count the questions for each pair of libraries.

    Most of the time of a large comparison is spent here. So libraries are numbers, the counts are lists of
    lists, and what a library answers is a bit for each question.
    """
    numbers = {name: number for number, name in enumerate(matrix.names)}
    different, alarming, with_hosts = (_square_of_zeros(len(numbers)) for _ in range(3))
    for disagreement in matrix.disagreements:
        sides = [list(map(numbers.__getitem__, side.names)) for side in disagreement.sides]
        for contrast in disagreement.contrasts:
            counts = [different]
            if contrast.alarms:
                counts.append(alarming)
            if not contrast.alarms.isdisjoint(("host", "net_loc")):
                counts.append(with_hosts)
            pairs = list(product(sides[contrast.first], sides[contrast.second]))
            for count in counts:
                for row, column in pairs:
                    count[row][column] += 1
                    count[column][row] += 1
    answered = _answered_questions(matrix)
    pair_counts = {}
    for name, other_name in combinations(matrix.names, 2):
        row = numbers[name]
        column = numbers[other_name]
        shared = (answered[name] & answered[other_name]).bit_count()
        pair_counts[name, other_name] = PairCount(
            shared, different[row][column], alarming[row][column], with_hosts[row][column]
        )
    return pair_counts


def _square_of_zeros(size: int) -> list[list[int]]:
    return [[0] * size for _ in range(size)]


def _answered_questions(matrix: Matrix) -> dict[str, int]:
    """Map each library to an integer in which each question that it answers has a bit."""
    answered = dict.fromkeys(matrix.names, 0)
    for number, answers in enumerate(matrix.answers.values()):
        for name, answer in answers.items():
            if answer.answered:
                answered[name] |= 1 << number
    return answered


def _add_code(codes: dict[object, bytes], answer: Answer) -> bytes:
    """Return the code of an answer in normal form, which is added to `codes` if it is new."""
    key = _answer_key(without_spelling(answer))
    return codes.setdefault(key, len(codes).to_bytes(4))


def _text_of(case: Case) -> str:
    """Return the text that a case is about, or its id if it has only bytes or components."""
    vector = case.vector
    for string in (vector.reference, vector.url, vector.text, vector.header):
        if isinstance(string, str):
            return string
    return vector.id


# ---- traits


class Trait(NamedTuple):
    """A harmless habit: its name, the libraries with it and the libraries without it."""

    words: str
    having: tuple[str, ...]
    lacking: tuple[str, ...]


class Probe(NamedTuple):
    """A question that shows a habit: a library with the habit returns one of `values` for the component."""

    words: str
    text: str
    component: str
    values: frozenset[str | None]


#: Probes for habits.
PROBES: Sequence[Probe] = (
    Probe("folds the case of the scheme", "HTTP://h/p", "scheme", frozenset({"http"})),
    Probe("folds the case of the host", "http://H/p", "host", frozenset({"h"})),
    Probe("drops the default port", "http://h:80/p", "port", frozenset({None, ""})),
    Probe("decodes %7E", "http://h/%7Ep", "path", frozenset({"/~p"})),
    Probe("turns %7e into %7E", "http://h/%7ep", "path", frozenset({"/%7Ep"})),
    Probe("makes an empty path /", "http://h", "path", frozenset({"/"})),
    Probe("loses an empty ?", "http://h/p?", "query", frozenset({None})),
    Probe("removes .. from paths", "http://h/a/../p", "path", frozenset({"/p"})),
)


def probe_texts() -> list[str]:
    """Return the texts of the probes, in their order."""
    return [probe.text for probe in PROBES]


def traits(answers: Mapping[str, Sequence[Answer]]) -> list[Trait]:
    """Return the habits of libraries, found by their answers to the texts of `PROBES`.

    A library that refuses a text, or does not show the component, is on neither side of the habit.
    """
    habits = []
    for number, probe in enumerate(PROBES):
        component = probe.component
        having: list[str] = []
        lacking: list[str] = []
        for name, replies in answers.items():
            answer = replies[number]
            if answer.kind == "parsed" and component in answer.components:
                if answer.components[component] in probe.values:
                    having.append(name)
                else:
                    lacking.append(name)
        habits.append(Trait(probe.words, tuple(having), tuple(lacking)))
    return habits


# ---- what stands out


class ClassCount(NamedTuple):
    """The disagreements of one class in one component: either all of them are alarming, or none.

    `entry` is the id of the class, or None.
    """

    entry: str | None
    component: str
    alarming: bool
    disagreements: Sequence[Disagreement]

    @property
    def witness(self) -> Disagreement:
        """The disagreement with the shortest text."""
        return min(self.disagreements, key=lambda disagreement: (len(disagreement.text), disagreement.text))


def by_class(disagreements: Iterable[Disagreement]) -> list[ClassCount]:
    """Return the classes of disagreements, each divided by the component that differs.

    Those with the most harmful component come first, and of equally harmful ones, the larger. Differences in
    spelling only are separate, and come last. Disagreements without a class have nothing in common but the
    component.
    """
    groups: dict[tuple[str | None, str, bool], list[Disagreement]] = {}
    for disagreement in disagreements:
        key = (disagreement.entry, disagreement.component, disagreement.alarming)
        groups.setdefault(key, []).append(disagreement)
    classes = [ClassCount(*key, disagreements=members) for key, members in groups.items()]
    return sorted(classes, key=_class_order)


def _class_order(class_count: ClassCount) -> tuple[bool, int, bool, int]:
    """Return the sort key of a class; see `by_class`."""
    is_spelling = not class_count.alarming
    is_unnamed = class_count.entry is None
    return is_spelling, harm_rank(class_count.component), is_unnamed, -len(class_count.disagreements)


def count_causes(disagreements: Iterable[Disagreement]) -> Counter[Cause]:
    """Count disagreements by cause."""
    return Counter(disagreement.cause for disagreement in disagreements)


def disagreements_in(
    disagreements: Iterable[Disagreement], components: Collection[str]
) -> list[Disagreement]:
    """Return the disagreements in which one of these components differs by more than spelling."""
    return [disagreement for disagreement in disagreements if disagreement.differs_in(components)]
