"""Disagreements of libraries: by question, by pair of libraries, and by class.

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
from urlharness.compare.causes import Cause, cause_of, class_of, expected_answers
from urlharness.compare.families import Likeness, likeness
from urlharness.corpus.model import AUTHORITY, Case, Expected
from urlharness.panel.answer import (
    VERDICT,
    Answer,
    AnswerGroup,
    beyond_spelling,
    consensus,
    differing_components,
    grouped,
    harm,
    hidden_differences,
    recorded_answer,
    without_spelling,
)
from urlharness.panel.spelling import COMPONENTS
from urlharness.protocol.messages import ReplyComponents
from urlharness.results.model import Participant, Result, Results
from urlharness.results.verdict import Outcome, judge_components
from urloracle.rfcs import SPECIFICATIONS


class Side(NamedTuple):
    """Libraries that give the same answer to a question. `cause` is None if the answer is right."""

    answer: Answer
    cause: Cause | None
    names: tuple[str, ...]


class Contrast(NamedTuple):
    """The difference between two sides: the components that differ, and the worse of the two causes.

    `one` and `other` are the indexes of the sides. `alarms` are the components that differ by more than
    spelling; see `beyond_spelling`.
    """

    one: int
    other: int
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
        alarms = {name for one in self.contrasts for name in one.alarms}
        return min(alarms or {name for one in self.contrasts for name in one.components}, key=harm)

    @cached_property
    def cause(self) -> Cause:
        """The worst cause among the contrasts."""
        return max((one.cause for one in self.contrasts), key=lambda cause: cause.rank)

    @property
    def alarming(self) -> bool:
        """True if two answers differ by more than spelling."""
        return any(one.alarms for one in self.contrasts)

    @property
    def other_section(self) -> str | None:
        """The section on the component that differs, or None unless the question is about another one."""
        sections = SPECIFICATIONS[self.case.spec].grammar.sections
        section = sections.get(self.component)
        asked = self.case.section
        if section is None or section.startswith(asked) or asked.startswith(section):
            return None
        of_components = {sections[name] for name in ("authority", *COMPONENTS) if name in sections}
        return section if asked in of_components else None

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
        return _text(self.case)

    def only(self, name: str) -> bool:
        """Return whether no other library gives the same answer as the library `name`."""
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
        answers = self.sides[contrast.one].answer, self.sides[contrast.other].answer
        if not (answers[0].answered and answers[1].answered):
            return replace(self, entry=None)  # a crash is no reading of the text
        scheme = "scheme" in contrast.alarms
        entry = class_of(self.case.vector, component, scheme=scheme, answers=answers)
        return replace(self, entry=entry)

    def _has_no_right_answer(self, contrast: Contrast) -> bool:
        return None not in (self.sides[contrast.one].cause, self.sides[contrast.other].cause)

    def differs_in(self, components: Collection[str]) -> bool:
        """Return whether two answers differ in one of these components by more than spelling."""
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
        return next(one for one in self.results.participants if one.name == name)

    def likeness(self) -> Likeness:
        """Return the clusters of libraries by shares of equal answers, and an order of the libraries."""
        codes: dict[object, bytes] = {}
        rows = [
            [
                _code(codes, one) if (one := answers.get(name)) and one.answered else None
                for name in self.names
            ]
            for answers in self.answers.values()
        ]
        return likeness(list(self.names), rows)

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], PairCount]:
        """The number of disagreements for each pair of libraries, in the order of `names`."""
        return _count_pairs(self)

    def alone(self, name: str) -> list[Disagreement]:
        """Return the disagreements in which only this library gives its answer."""
        return [one for one in self.disagreements if one.only(name)]

    def wrong(self, name: str) -> list[Disagreement]:
        """Return, for each wrong answer of a library, its difference from the answer of the RFC.

        It has the components in which the answer is wrong, and no others: a right answer of another library
        may differ from this one in spelling, too.
        """
        known = {one.case.vector.id: one for one in self.disagreements if name in one.side_of}
        wrong = []
        for identifier, result in self.results.of(name).items():
            if result.outcome.failing:
                disagreement = known.get(identifier)
                sides = disagreement.sides if disagreement is not None else ()
                wrong.append(self._beside_the_rfc(name, result, sides).classified())
        return wrong

    def _beside_the_rfc(self, name: str, result: Result, sides: tuple[Side, ...]) -> Disagreement:
        """Return the difference of a wrong answer from the admissible answer that is closest to it."""
        case, answers = self.results.vectors[result.id].case, self.answers[result.id]
        answer = answers[name]
        if not sides:
            alike = tuple(other for other, one in answers.items() if _key(one) == _key(answer))
            sides = (Side(answer, cause_of(case, result, answer, browser_readings(case, answers)), alike),)
        features = self.participant(name).features
        closest, components = _closest_admissible(case, answer, result, features)
        sides = (Side(closest, None, ()), *sides)
        place = next(number for number, side in enumerate(sides) if name in side.names)
        parts = differing_components(without_spelling(closest), without_spelling(answer))
        alarms = beyond_spelling(closest, answer, parts) & components
        cause = sides[place].cause or Cause.DEFECT
        return Disagreement(case, sides, (Contrast(0, place, components, alarms, cause),), None)


def _closest_admissible(
    case: Case, answer: Answer, result: Result, features: Collection[str]
) -> tuple[Answer, frozenset[str]]:
    """Return the admissible answer with the fewest wrong components, and the components wrong beside it."""
    expectations = case.vector.expect.alternatives
    admissible = expected_answers(case.vector.expect)
    candidates = [
        (one, _wrong_components(case, expectation, one, answer, result, features))
        for one, expectation in zip(admissible, expectations, strict=True)
    ]
    return min(candidates, key=lambda candidate: len(candidate[1]))


def _wrong_components(
    case: Case,
    expectation: Expected,
    admissible: Answer,
    answer: Answer,
    result: Result,
    features: Collection[str],
) -> frozenset[str]:
    """Return the components that make an answer wrong, as the verdict on it judges them.

    The verdict ignores the case of scheme and host, and empty components if the library cannot tell them.
    """
    components = differing_components(admissible, answer)
    if VERDICT in components or not components:  # without a difference, it crashed
        return frozenset({VERDICT})
    if answer.kind == "parsed" and expectation.components is not msgspec.UNSET:
        reply = msgspec.convert(result.got["components"], ReplyComponents)
        verdicts = judge_components(case.spec, expectation.components or {}, reply, features)
        failing = frozenset(name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL)
        if not failing.isdisjoint(AUTHORITY):
            failing -= {"authority"}
        return failing or components
    if answer.kind == "url" and case.vector.op != "normalize":
        parts = without_spelling(admissible, keep_empty=True)
        more_than_case = differing_components(parts, without_spelling(answer, keep_empty=True)) & {
            "scheme",
            "host",
        }
        return components - ({"scheme", "host"} - more_than_case) or components
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


def wrong_answers(results: Results, name: str) -> Collection[str]:
    """Return the ids of the questions that a library answers wrongly."""
    return {identifier for identifier, result in results.of(name).items() if result.outcome.failing}


def make_matrix(
    results: Results, names: Sequence[str] = (), questions: Collection[str] | None = None
) -> Matrix:
    """Compare the answers of the libraries `names` in a run, by default of all that ran.

    If `questions` are given by their ids, compare only the answers to these. This saves most of the time if
    only `Matrix.wrong` of one library is needed.
    """
    ran = [
        participant
        for participant in results.participants
        if participant.state == "ran" and (not names or participant.name in names)
    ]
    tells_empty = {participant.name: "absent-vs-empty" in participant.features for participant in ran}
    names = tuple(tells_empty)
    answers: dict[str, dict[str, Answer]] = {}
    disagreements = []
    split_browsers = 0
    for identifier, asked in results.vectors.items():
        if questions is not None and identifier not in questions:
            continue
        judged = {}
        for name in names:
            result = results.of(name).get(identifier)
            if result is not None:
                judged[name] = judged_answer(result, tells_empty=tells_empty[name])
        answers[identifier] = {name: judgement.answer for name, judgement in judged.items()}
        readings = browser_readings(asked.case, answers[identifier])
        split_browsers += len(readings) > 1
        differing_answers = disagreement(asked.case, judged, readings)
        if differing_answers is not None:
            disagreements.append(differing_answers)
    browsers = tuple(filter(is_browser, names))
    return Matrix(results, names, answers, tuple(disagreements), browsers, split_browsers)


def disagreement(
    case: Case, answers: Mapping[str, JudgedAnswer], browsers: Sequence[Answer]
) -> Disagreement | None:
    """Return the disagreement of libraries about one question, or None if all answers are equal.

    `answers` has the answer of each library by its name. The answers that are right stand in the vector of
    `case`. `browsers` are the readings of the browsers; see `browser_readings`.
    """
    names_by_answer: dict[tuple[object, Outcome, bool], list[str]] = {}
    for name, judged in answers.items():
        if judged.answer.answered:
            # what another RFC says of an authority excuses only a library that shows none
            shows_authority = "authority" in judged.result.got.get("components", {})
            key = _key(judged.answer), judged.result.outcome, shows_authority
            names_by_answer.setdefault(key, []).append(name)
    if len({answer for answer, _, _ in names_by_answer}) < 2:
        return None
    sides = [
        _side(case, {name: answers[name] for name in names}, browsers) for names in names_by_answer.values()
    ]
    sides.sort(key=lambda side: -len(side.names))
    contrasts = tuple(_contrasts(sides))
    if not contrasts:
        return None
    return Disagreement(case, tuple(sides), contrasts, None).classified()


def _side(case: Case, answers: Mapping[str, JudgedAnswer], browsers: Sequence[Answer]) -> Side:
    """Return the side of libraries that give the same answer, and were judged alike."""
    first = next(iter(answers.values()))
    tells_empty = all(judged.tells_empty for judged in answers.values())
    cause = cause_of(case, first.result, first.answer, browsers, tells_empty=tells_empty)
    return Side(first.answer, cause, tuple(answers))


def _key(answer: Answer) -> object:
    return answer.kind, answer.text, tuple(sorted(answer.components.items(), key=lambda item: item[0]))


def _contrasts(sides: Sequence[Side]) -> Iterable[Contrast]:
    plain = [without_spelling(side.answer) for side in sides]
    spelled = [without_spelling(side.answer, keep_empty=True) for side in sides]
    for one, other in combinations(range(len(sides)), 2):
        if components := differing_components(sides[one].answer, sides[other].answer):
            parts = differing_components(plain[one], plain[other])
            # `without_spelling` gives a path a slash only if the answer shows a host
            alarms = beyond_spelling(sides[one].answer, sides[other].answer, parts) & components
            causes = [cause for cause in (sides[one].cause, sides[other].cause) if cause is not None]
            hidden = hidden_differences(sides[one].answer, sides[other].answer)
            if (
                not alarms
                and not hidden
                and not (causes and differing_components(spelled[one], spelled[other]))
            ):
                causes = [Cause.SPELLING]
            worst = max(causes, key=lambda cause: cause.rank, default=Cause.ALLOWED)
            yield Contrast(one, other, components, alarms, worst)


def _count_pairs(matrix: Matrix) -> dict[tuple[str, str], PairCount]:
    place = {name: number for number, name in enumerate(matrix.names)}
    size = len(place)
    counts = [[[0] * size for _ in range(size)] for _ in range(3)]
    for one in matrix.disagreements:
        own = [[place[name] for name in side.names] for side in one.sides]
        for contrast in one.contrasts:
            hosts = {"host", "net_loc"} & contrast.alarms
            for kind in counts[: 3 if hosts else 2 if contrast.alarms else 1]:
                for left, right in product(own[contrast.one], own[contrast.other]):
                    kind[left][right] += 1
                    kind[right][left] += 1
    answered = dict.fromkeys(matrix.names, 0)
    for number, answers in enumerate(matrix.answers.values()):
        for name, answer in answers.items():
            if answer.answered:
                answered[name] |= 1 << number
    return {
        (one, other): PairCount(
            (answered[one] & answered[other]).bit_count(),
            *(kind[place[one]][place[other]] for kind in counts),
        )
        for one, other in combinations(matrix.names, 2)
    }


def _code(codes: dict[object, bytes], answer: Answer) -> bytes:
    key = _key(without_spelling(answer))
    return codes.setdefault(key, len(codes).to_bytes(4))


def _text(case: Case) -> str:
    vector = case.vector
    for value in (vector.reference, vector.url, vector.text, vector.header):
        if isinstance(value, str):
            return value
    return vector.id


# ---- traits


class Trait(NamedTuple):
    """A harmless habit: its name, the libraries with it and the libraries without it."""

    words: str
    having: tuple[str, ...]
    lacking: tuple[str, ...]


#: Probes for habits: (name, text, component, its values in libraries with the habit).
PROBES: Sequence[tuple[str, str, str, frozenset[str | None]]] = (
    ("folds the case of the scheme", "HTTP://h/p", "scheme", frozenset({"http"})),
    ("folds the case of the host", "http://H/p", "host", frozenset({"h"})),
    ("drops the default port", "http://h:80/p", "port", frozenset({None, ""})),
    ("decodes %7E", "http://h/%7Ep", "path", frozenset({"/~p"})),
    ("turns %7e into %7E", "http://h/%7ep", "path", frozenset({"/%7Ep"})),
    ("makes an empty path /", "http://h", "path", frozenset({"/"})),
    ("loses an empty ?", "http://h/p?", "query", frozenset({None})),
    ("removes .. from paths", "http://h/a/../p", "path", frozenset({"/p"})),
)


def probe_texts() -> list[str]:
    """Return the texts of the probes, in their order."""
    return [text for _, text, _, _ in PROBES]


def traits(answers: Mapping[str, Sequence[Answer]]) -> list[Trait]:
    """Return the habits of libraries, found by their answers to the texts of `PROBES`."""
    found = []
    for number, (words, _, component, values) in enumerate(PROBES):
        shown = {
            name: own[number].components[component] in values
            for name, own in answers.items()
            if own[number].kind == "parsed" and component in own[number].components
        }
        having = tuple(name for name, value in shown.items() if value)
        found.append(Trait(words, having, tuple(name for name in shown if name not in having)))
    return found


# ---- what stands out


@dataclass(frozen=True)
class ClassCount:
    """The disagreements of one class. `entry` is the id of the class, or None."""

    entry: str | None
    disagreements: tuple[Disagreement, ...]

    @cached_property
    def alarming(self) -> tuple[Disagreement, ...]:
        """The disagreements in which answers differ by more than spelling. If there are none, all of them."""
        return tuple(one for one in self.disagreements if one.alarming) or self.disagreements

    @cached_property
    def component(self) -> str:
        """The most harmful component that differs."""
        return min((one.component for one in self.alarming), key=harm)

    @cached_property
    def witness(self) -> Disagreement:
        """The disagreement with the shortest text among those in the most harmful component."""
        worst = [one for one in self.alarming if one.component == self.component]
        return min(worst, key=lambda one: (len(one.text), one.text))


def by_class(found: Iterable[Disagreement]) -> list[ClassCount]:
    """Return the classes of disagreements. Those with the most harmful component come first.

    Of equally harmful classes, the larger ones come first. Classes with differences in spelling only come
    last.
    """
    classes: dict[str | None, list[Disagreement]] = {}
    for one in found:
        classes.setdefault(one.entry, []).append(one)
    counted = [ClassCount(entry, tuple(own)) for entry, own in classes.items()]

    def order(one: ClassCount) -> tuple[bool, int, bool, int]:
        worst = sum(each.component == one.component for each in one.alarming)
        return not one.alarming[0].alarming, harm(one.component), one.entry is None, -worst

    return sorted(counted, key=order)


def causes(found: Iterable[Disagreement]) -> Counter[Cause]:
    """Count disagreements by cause."""
    return Counter(one.cause for one in found)


def only_in(found: Iterable[Disagreement], components: Collection[str]) -> list[Disagreement]:
    """Return the disagreements in which one of these components differs by more than spelling."""
    return [one for one in found if one.differs_in(components)]
