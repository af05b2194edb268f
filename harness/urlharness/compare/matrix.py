"""Disagreements of libraries: by question, by pair of libraries, and by class.

Libraries with equal answers to a question are a side. Two sides that differ are a contrast, which has the
worse of their causes. A disagreement has the class of one contrast: in the most harmful component, and beside
a right answer if there is one.

The module also finds clusters of similar libraries, and harmless habits of libraries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import combinations
from typing import NamedTuple

import msgspec

from urlharness.compare.browsers import ONLY_WITH_BASE, BrowserReading, browser_readings, is_browser
from urlharness.compare.causes import (
    WITHOUT_CAUSE,
    WORST_CAUSE,
    Cause,
    cause_of,
    dissenting_parsers,
    expected_answers,
)
from urlharness.compare.classes import (
    ClassForm,
    SchemeForm,
    class_of,
    classes_of_seen_scheme,
    form_of_class,
    scheme_form,
)
from urlharness.compare.families import Likeness, cluster_by_likeness
from urlharness.compare.rfc_answers import open_resolutions
from urlharness.corpus.model import AUTHORITY, Case, Expected, Vector
from urlharness.panel.answer import (
    Answer,
    AnswerGroup,
    beyond_spelling,
    differing_components,
    grouped,
    hidden_differences,
    parts_of,
    recorded_answer,
    without_spelling,
)
from urlharness.panel.severity import VERDICT, harm_rank
from urlharness.panel.spelling import COMPONENTS
from urlharness.protocol.messages import TELLS_EMPTY, ReplyComponents
from urlharness.results.model import Participant, Result, Results
from urlharness.results.verdict import Outcome, judge_components
from urloracle.rfcs import SPECIFICATIONS

#: The number of bits of a count of questions in `_PackedCounts`.
_COUNT_BITS = 32


def _no_cause() -> None:
    """Return the cause of the recommended answer."""


def _is_never_accepted(_entry: str) -> bool:
    """Return False, as nothing is known of other questions."""
    return False


def _no_classes() -> frozenset[str]:
    """Return no class, as nothing is known of other questions."""
    return frozenset()


@dataclass(frozen=True)
class Side:
    """Libraries that give the same answer to a question.

    `is_wrong` is what the verdict says: an answer that no vector lists may be a defect although it passes,
    because the RFC leaves most of it open. `find_cause` returns the cause. It is called once, and only if the
    cause is read: the page of one library needs no causes of the others, and each takes long to find.
    `is_recommended` is True if the cause is None, which is known before it is looked for.
    """

    answer: Answer
    names: tuple[str, ...]
    is_wrong: bool
    find_cause: Callable[[], Cause | None] = field(default=_no_cause, compare=False, repr=False)
    is_recommended: bool = True

    @cached_property
    def cause(self) -> Cause | None:
        """The cause of the answer, or None if it is the recommended one."""
        return None if self.is_recommended else self.find_cause()


class Contrast(NamedTuple):
    """The difference between two sides: the components that differ.

    `first` and `second` are the indexes of the sides. `alarms` are the components that differ by more than
    spelling; see `beyond_spelling`. An empty component is more than spelling (RFC 3986, section 6.2.3), so
    there need be no alarm if not `is_spelling`.
    """

    first: int
    second: int
    components: frozenset[str]
    alarms: frozenset[str]
    is_spelling: bool


@dataclass(frozen=True)
class Disagreement:
    """A question that libraries answer differently.

    `sides` has the most common answer first, and `contrasts` the pairs of sides that differ. `is_accepted`
    says of a class whether the refusing library accepts other questions with it, so that it is no reason to
    refuse. `find_seen_classes` returns the classes for which the library does not lose the scheme, as its
    answers to other questions show.
    """

    case: Case
    sides: tuple[Side, ...]
    contrasts: tuple[Contrast, ...]
    is_accepted: Callable[[str], bool] = field(default=_is_never_accepted, compare=False, repr=False)
    find_seen_classes: Callable[[], frozenset[str]] = field(default=_no_classes, compare=False, repr=False)

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
        worst = Cause.ALLOWED
        # the rarest answers come first, as most defects are among them, and no cause is worse than a defect
        for contrast in reversed(self.contrasts):
            cause = self.cause_of_contrast(contrast)
            if cause is WORST_CAUSE:
                return cause
            worst = max(worst, cause, key=lambda cause: cause.rank)
        return worst

    def cause_of_contrast(self, contrast: Contrast) -> Cause:
        """Return the worse of the causes of two sides, unless they differ in spelling only."""
        if contrast.is_spelling:
            return Cause.SPELLING
        first, second = self._sides_of(contrast)
        if second.cause is WORST_CAUSE:
            return WORST_CAUSE
        return _worse_cause(first.cause, second.cause)

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
    def text(self) -> str:
        """The text or the reference of the question."""
        return _text_of(self.case)

    @cached_property
    def lone_names(self) -> frozenset[str]:
        """The libraries whose answer no other library gives."""
        return frozenset(group.names[0] for group in self.groups if len(group.names) == 1)

    def is_lone_answer(self, name: str) -> bool:
        """Return True if no other library gives the same answer as the library `name`."""
        return name in self.lone_names

    @cached_property
    def entry(self) -> str | None:
        """The id of the class of difference, or None: that of the contrast of the most common answers.

        Of the contrasts in the most harmful component, those with a right answer come first.
        """
        contrast = self._contrast_of_class()
        first_side, second_side = self._sides_of(contrast)
        first = first_side.answer
        second = second_side.answer
        if not first.answered or not second.answered:
            return None  # without an answer, there is no reading of the text
        loses_scheme = self.component == "scheme" and "scheme" in contrast.alarms
        entry = class_of(
            self.case.vector,
            self.component,
            scheme="scheme" in contrast.alarms,
            answers=(first, second),
            subject=_subject(self.case),
            excluded=self.find_seen_classes() if loses_scheme else frozenset(),
        )
        is_refusal = self.component == VERDICT and first.accepts and not second.accepts
        if entry is not None and is_refusal and self.is_accepted(entry):
            return None
        return entry

    def _contrast_of_class(self) -> Contrast:
        """Return the contrast whose class is that of the disagreement; see `entry`."""
        component = self.component
        differing_there = [contrast for contrast in self.contrasts if component in contrast.alarms]
        if not differing_there:
            differing_there = [contrast for contrast in self.contrasts if component in contrast.components]
        # of equal ones, `min` returns the first
        return min(differing_there, key=self._has_no_right_answer)

    def _sides_of(self, contrast: Contrast) -> tuple[Side, Side]:
        return self.sides[contrast.first], self.sides[contrast.second]

    def _has_no_right_answer(self, contrast: Contrast) -> bool:
        first, second = self._sides_of(contrast)
        return not (first.is_recommended or second.is_recommended)

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
    browsers' standard. What is made of the answers is made when it is first read.
    """

    results: Results
    names: tuple[str, ...]
    answers: Mapping[str, Mapping[str, Answer]]
    browsers: tuple[str, ...]

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The questions that the libraries answer differently, in the order of the questions."""
        disagreements = []
        for identifier in self.answers:
            disagreement = _disagreement(
                self.results.vectors[identifier].case, self._sides_of_question(identifier)
            )
            if disagreement is not None:
                disagreements.append(disagreement)
        return tuple(disagreements)

    def _sides_of_question(self, identifier: str) -> Sequence[Side]:
        """Return the sides of a question; see `_sides`.

        All disagreements on the question share them, so that the cause of a side is looked for once.
        """
        sides = self._known_sides.get(identifier)
        if sides is None:
            case = self.results.vectors[identifier].case
            read_browsers = partial(self.browser_readings, identifier)
            sides = _sides(case, self._judged_answers(identifier), read_browsers)
            self._known_sides[identifier] = sides
        return sides

    @cached_property
    def _known_sides(self) -> dict[str, Sequence[Side]]:
        """The sides that were needed so far, by the id of the case."""
        return {}

    @property
    def split_browsers(self) -> int:
        """The number of questions on which libraries of browsers, or one of them and Ada, disagree."""
        return sum(len(self.browser_readings(identifier)) > 1 for identifier in self.answers)

    @cached_property
    def dissents_of_browsers(self) -> Counter[str]:
        """The number of questions on which each library of browsers does not read the text as Ada does."""
        dissents: Counter[str] = Counter()
        for identifier in self.answers:
            for reading in self.browser_readings(identifier)[1:]:
                dissents.update(reading.names)
        return dissents

    def dissenting_parsers(self, name: str, disagreement: Disagreement) -> Sequence[str]:
        """Return the parsers of browsers that disagree with a wrong answer; see `dissenting_parsers`."""
        identifier = disagreement.case.vector.id
        judgement = self.results.of(name)[identifier]
        answer = self.answers[identifier][name]
        readings = self.browser_readings(identifier)
        tells_empty = name in self._telling_empty
        return dissenting_parsers(disagreement.case, judgement, answer, readings, tells_empty=tells_empty)

    @cached_property
    def _known_readings(self) -> dict[str, Sequence[BrowserReading]]:
        """The readings of the browsers that were needed so far, by the id of the case."""
        return {}

    def browser_readings(self, identifier: str) -> Sequence[BrowserReading]:
        """Return the readings of the browsers of a question; see `browser_readings`."""
        readings = self._known_readings.get(identifier)
        if readings is None:
            answers = self.answers[identifier]
            answers_of_browsers = {name: answers[name] for name in self.browsers if name in answers}
            readings = browser_readings(self.results.vectors[identifier].case, answers_of_browsers)
            self._known_readings[identifier] = readings
        return readings

    @cached_property
    def _telling_empty(self) -> frozenset[str]:
        """The libraries that can tell empty components from absent ones."""
        return frozenset(name for name in self.names if TELLS_EMPTY in self.participant(name).features)

    def _judged_answers(self, identifier: str) -> dict[str, JudgedAnswer]:
        """Return the answers of all libraries to a question with the verdicts on them.

        Libraries that share an answer share the reply, too, so one verdict stands for theirs; see
        `make_matrix`.
        """
        results = self.results.results
        telling_empty = self._telling_empty
        # what a library claims decides about its answer only if an RFC leaves the answer open
        claims_matter = bool(open_resolutions(self.results.vectors[identifier].case))
        judged_by_answer: dict[tuple[int, tuple[str, ...]], JudgedAnswer] = {}
        judged_answers = {}
        for name, answer in self.answers[identifier].items():
            claims = self.participant(name).specs if claims_matter else ()
            key = (id(answer), claims)
            judged = judged_by_answer.get(key)
            if judged is None:
                judged = JudgedAnswer(answer, results[name][identifier], name in telling_empty, claims)
                judged_by_answer[key] = judged
            judged_answers[name] = judged
        return judged_answers

    def participant(self, name: str) -> Participant:
        """Return the participant of this name."""
        return self.results.participant(name)

    def likeness(self) -> Likeness:
        """Return the clusters of libraries by shares of equal answers, and an order of the libraries."""
        codes = _Codes()
        rows = []
        for answers in self.answers.values():
            row: list[bytes | None] = []
            for name in self.names:
                answer = answers.get(name)
                row.append(codes.code(answer) if answer is not None and answer.answered else None)
            rows.append(row)
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
        return [
            self._difference_from_rfc(name, judgement)
            for judgement in self.results.of(name).values()
            if judgement.outcome.failing
        ]

    def _difference_from_rfc(self, name: str, judgement: Result) -> Disagreement:
        """Return the difference of a wrong answer from the admissible answer that is closest to it.

        The first of its sides is that of the admissible answer, which has no libraries.
        """
        case = self.results.vectors[judgement.id].case
        answer = self.answers[judgement.id][name]
        features = self.participant(name).features
        admissible, components = _closest_admissible(case, answer, judgement, features)
        sides = (Side(admissible, names=(), is_wrong=False), *self._sides_with(name, judgement))
        number = next(number for number, side in enumerate(sides) if name in side.names)
        parts = differing_components(without_spelling(admissible), without_spelling(answer))
        alarms = beyond_spelling(admissible, answer, parts) & components
        contrast = Contrast(first=0, second=number, components=components, alarms=alarms, is_spelling=False)
        is_accepted = partial(self._accepts_class, name, case)
        find_seen_classes = partial(self._classes_of_seen_scheme, name, case)
        return Disagreement(case, sides, (contrast,), is_accepted, find_seen_classes)

    def _sides_with(self, name: str, judgement: Result) -> Sequence[Side]:
        """Return the sides of a question on which libraries disagree with each other, else that of one only.

        It is the side of the library `name`, whose wrong answer was judged. A library without an answer takes
        part in no disagreement. Which contrasts there are does not matter here.
        """
        if self.answers[judgement.id][name].answered:
            sides = self._sides_of_question(judgement.id)
            answers = [side.answer for side in sides]
            if any(differing_components(first, second) for first, second in combinations(answers, 2)):
                return sides
        case = self.results.vectors[judgement.id].case
        judged_answers = self._judged_answers(judgement.id)
        judged = judged_answers[name]
        read_browsers = partial(self.browser_readings, judgement.id)
        key = _answer_key(judged.answer)
        alike = [library for library, reply in judged_answers.items() if _answer_key(reply.answer) == key]
        return [_side_of_answers(case, judged._replace(result=judgement), alike, read_browsers)]

    def _accepts_class(self, name: str, case: Case, entry: str) -> bool:
        """Return True if a library accepts another valid text that has a class in the same form as a case."""
        form = form_of_class(case.vector, entry)
        if form is None:
            return False
        key = (name, entry)
        if key not in self._known_forms:
            self._known_forms[key] = self._accepted_forms(name, entry)
        return form in self._known_forms[key]

    def _accepted_forms(self, name: str, entry: str) -> Collection[ClassForm]:
        """Return the forms of a class that a library accepts in valid texts."""
        forms = set()
        for vector, _ in self._accepted_valid_texts(name):
            form = form_of_class(vector, entry)
            if form is not None:
                forms.add(form)
        return forms

    def _accepted_valid_texts(self, name: str) -> Iterator[tuple[Vector, Result]]:
        """Yield the questions about valid texts that a library accepts, with its judged answers.

        An invalid text may be accepted because the library reads it as something else.
        """
        for judgement in self.results.of(name).values():
            vector = self.results.vectors[judgement.id].case.vector
            is_valid = vector.expect.alternatives[0].valid is not False
            if is_valid and judgement.got.get("status") == "ok":
                yield vector, judgement

    def _classes_of_seen_scheme(self, name: str, case: Case) -> frozenset[str]:
        """Return the classes for which a library does not lose the scheme of a case."""
        form = scheme_form(case.vector)
        if form is None:
            return frozenset()
        if name not in self._seen_scheme_forms:
            self._seen_scheme_forms[name] = self._forms_of_seen_schemes(name)
        return classes_of_seen_scheme(form, self._seen_scheme_forms[name])

    def _forms_of_seen_schemes(self, name: str) -> Collection[SchemeForm]:
        """Return the forms of schemes that a library shows in its answers to valid questions."""
        forms = set()
        for vector, judgement in self._accepted_valid_texts(name):
            if vector.op not in ("parse", "resolve", "normalize"):
                continue
            form = scheme_form(vector)
            # a right answer may have another scheme, where the RFC leaves the target open
            if form is not None and self._shown_scheme(judgement) == form.scheme:
                forms.add(form)
        return forms

    def _shown_scheme(self, judgement: Result) -> str:
        """Return the scheme of a right answer in lower case, or an empty text."""
        if judgement.outcome.failing:
            return ""
        answer = recorded_answer(judgement.got, tells_empty=True)
        return (parts_of(answer).get("scheme") or "").lower()

    @cached_property
    def _seen_scheme_forms(self) -> dict[str, Collection[SchemeForm]]:
        """The forms of schemes that were needed so far, by library; see `_forms_of_seen_schemes`."""
        return {}

    @cached_property
    def _known_forms(self) -> dict[tuple[str, str], Collection[ClassForm]]:
        """The forms that were needed so far, by library and class; see `_accepted_forms`."""
        return {}


class _AdmissibleCandidate(NamedTuple):
    """An admissible answer, and the components in which the answer of a library is wrong beside it."""

    admissible: Answer
    components: frozenset[str]


def _closest_admissible(
    case: Case, answer: Answer, judgement: Result, features: Collection[str]
) -> _AdmissibleCandidate:
    """Return the admissible answer with the fewest wrong components, and the components wrong beside it.

    An answer with the same verdict is closer than any other: a library that gives a wrong target does not
    fail to refuse the text. Of several such answers, return the first of those with the most harmless
    difference.
    """
    expected = case.vector.expect
    candidates = []
    for admissible, expectation in zip(expected_answers(expected), expected.alternatives, strict=True):
        wrong = _wrong_components(case, expectation, admissible, answer, judgement, features)
        candidates.append(_AdmissibleCandidate(admissible, wrong))
    return min(candidates, key=_distance_from_answer)


def _distance_from_answer(candidate: _AdmissibleCandidate) -> tuple[bool, int, int]:
    """Return whether the verdict is wrong, the number of wrong components, and how harmful the worst is."""
    worst_rank = min(map(harm_rank, candidate.components), default=0)
    return VERDICT in candidate.components, len(candidate.components), -worst_rank


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
        failing = _failing_components(case, expectation, judgement, features)
        return failing or components or frozenset({VERDICT})
    if not components:  # it crashed
        return frozenset({VERDICT})
    if answer.kind == "url" and case.vector.op != "normalize":
        normal_admissible = without_spelling(admissible, keep_empty=True)
        normal = without_spelling(answer, keep_empty=True)
        in_case_only = {"scheme", "host"} - differing_components(normal_admissible, normal)
        return components - in_case_only or components
    return components


def _failing_components(
    case: Case, expectation: Expected, judgement: Result, features: Collection[str]
) -> frozenset[str]:
    """Return the components of a reply that fail. The authority is not among them if one of its parts is."""
    reply = msgspec.convert(judgement.got["components"], ReplyComponents)
    verdicts = judge_components(case.spec, expectation.components or {}, reply, features)
    failing = frozenset(name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL)
    return failing if failing.isdisjoint(AUTHORITY) else failing - {"authority"}


class JudgedAnswer(NamedTuple):
    """The answer of a library to a question, and the verdict on it.

    `tells_empty` says whether the library can tell empty components from absent ones, and `claims` are the
    RFCs that it claims. They may be left out if no RFC leaves the answer open.
    """

    answer: Answer
    result: Result
    tells_empty: bool
    claims: tuple[str, ...] = ()


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
    answers: dict[str, dict[str, Answer]] = {
        identifier: {} for identifier in results.vectors if questions is None or identifier in questions
    }
    shared_answers = _SharedAnswers()
    for participant in ran:
        tells_empty = TELLS_EMPTY in participant.features
        judgements = results.of(participant.name)
        for identifier, answers_to_question in answers.items():
            judgement = judgements.get(identifier)
            if judgement is not None:
                answers_to_question[participant.name] = shared_answers.answer_in(
                    judgement, tells_empty=tells_empty
                )
    compared = tuple(participant.name for participant in ran)
    return Matrix(results, compared, answers, tuple(filter(is_browser, compared)))


class _SharedAnswers:
    """The answers in results. Equal replies, which results that were read from a file share, share one."""

    def __init__(self) -> None:
        #: The answers by the id of the reply, the outcome, and whether the library can tell empty components.
        self._by_reply: dict[tuple[int, Outcome, bool], Answer] = {}

    def answer_in(self, judgement: Result, *, tells_empty: bool) -> Answer:
        """Return the answer in a result, whose reply must stay alive as long as this object."""
        reply = (id(judgement.got), judgement.outcome, tells_empty)
        answer = self._by_reply.get(reply)
        if answer is None:
            answer = judged_answer(judgement, tells_empty=tells_empty).answer
            if not judgement.outcome.abnormal:  # else it is not made of the reply alone
                self._by_reply[reply] = answer
        return answer


def find_disagreement(
    case: Case, answers: Mapping[str, JudgedAnswer], browsers: Sequence[BrowserReading]
) -> Disagreement | None:
    """Return the disagreement of libraries about one question, or None if there is none.

    There is none if no two answers differ in a component that both show. Libraries without an answer do not
    count. `answers` has the answer of each library by its name. The answers that are right stand in the
    vector of `case`. `browsers` are the readings of the browsers; see `browser_readings`.
    """
    return _disagreement(case, _sides(case, answers, lambda: browsers))


#: A function that returns the readings of the browsers of a question.
_ReadBrowsers = Callable[[], Sequence[BrowserReading]]


def _disagreement(case: Case, sides: Sequence[Side]) -> Disagreement | None:
    """Return the disagreement of the sides of one question, or None; see `find_disagreement`."""
    contrasts = tuple(_contrasts(sides))
    return Disagreement(case, tuple(sides), contrasts) if contrasts else None


def _sides(case: Case, answers: Mapping[str, JudgedAnswer], read_browsers: _ReadBrowsers) -> list[Side]:
    """Return the sides of a question, those with the most libraries first.

    Libraries without an answer are on no side.
    """
    names_by_side: dict[_SideKey, list[str]] = {}
    names_by_judged: dict[int, list[str]] = {}
    for name, judged in answers.items():
        # of libraries that share an answer, only the first needs a key, which takes long to make
        alike = names_by_judged.get(id(judged))
        if alike is None:
            if not judged.answer.answered:
                continue
            alike = names_by_side.setdefault(_side_key(judged), [])
            names_by_judged[id(judged)] = alike
        alike.append(name)
    sides = [
        _side_of_answers(case, answers[alike[0]], alike, read_browsers) for alike in names_by_side.values()
    ]
    sides.sort(key=lambda side: -len(side.names))
    return sides


class _SideKey(NamedTuple):
    """An answer and its outcome, with what else decides about its cause.

    What another RFC says of an authority excuses only a library that shows none, the loss of an empty
    component only one that cannot tell it from an absent one, and what another RFC leaves open only one that
    claims that RFC, or none. What browsers do with a base excuses only a library that was given one, and what
    they do with an authority only one that shows the same.
    """

    answer: object
    outcome: Outcome
    shows_authority: bool
    authority: str | None
    tells_empty: bool
    claims: tuple[str, ...]
    was_given_base: bool


def _side_key(judged: JudgedAnswer) -> _SideKey:
    """Return the key of the side to which the answer of a library belongs."""
    components = judged.result.got.get("components", {})
    return _SideKey(
        answer=_answer_key(judged.answer),
        outcome=judged.result.outcome,
        shows_authority="authority" in components,
        authority=components.get("authority"),
        tells_empty=judged.tells_empty,
        claims=judged.claims,
        was_given_base=judged.answer.message == ONLY_WITH_BASE,
    )


def _side_of_answers(
    case: Case, judged: JudgedAnswer, names: Iterable[str], read_browsers: _ReadBrowsers
) -> Side:
    """Return the side of libraries that give the same answer, and were judged alike."""
    outcome = judged.result.outcome
    return Side(
        judged.answer,
        tuple(names),
        is_wrong=outcome.failing,
        find_cause=partial(_find_cause, case, judged, read_browsers),
        is_recommended=outcome in WITHOUT_CAUSE,
    )


def _find_cause(case: Case, judged: JudgedAnswer, read_browsers: _ReadBrowsers) -> Cause | None:
    """Return the cause of a judged answer; see `cause_of`. The browsers read the text only now."""
    return cause_of(
        case,
        judged.result,
        judged.answer,
        read_browsers(),
        tells_empty=judged.tells_empty,
        claims=judged.claims,
    )


def _answer_key(answer: Answer) -> object:
    """Return what is equal for equal answers: all of an answer but its message."""
    components = tuple((name, answer.components[name]) for name in sorted(answer.components))
    return answer.kind, answer.text, components


def _contrasts(sides: Sequence[Side]) -> Iterable[Contrast]:
    """Yield the pairs of sides that differ."""
    # what differs is found once for two answers, which may be those of several sides
    answers: list[Answer] = []
    number_by_answer: dict[object, int] = {}
    numbers_of_sides: list[int] = []
    for side in sides:
        key = _answer_key(side.answer)
        if key not in number_by_answer:
            number_by_answer[key] = len(answers)
            answers.append(side.answer)
        numbers_of_sides.append(number_by_answer[key])
    differences = _differences(answers)
    for first, second in combinations(range(len(sides)), 2):
        difference = differences.get((numbers_of_sides[first], numbers_of_sides[second]))
        if difference is not None:
            components, alarms, is_spelling = difference
            yield Contrast(first, second, components, alarms, is_spelling)


class _Difference(NamedTuple):
    """The difference between two answers, with the fields of a `Contrast`."""

    components: frozenset[str]
    alarms: frozenset[str]
    is_spelling: bool


#: The difference between an answer that accepts a text and one that does not.
_OTHER_VERDICT = _Difference(frozenset({VERDICT}), frozenset({VERDICT}), is_spelling=False)


def _differences(answers: Sequence[Answer]) -> Mapping[tuple[int, int], _Difference]:
    """Return how answers differ, for the indexes of each two that do, in both orders."""
    if len(answers) < 2:
        return {}  # the common case
    # made once for each answer, not for each pair
    plain = [without_spelling(answer) for answer in answers]
    accepting = [answer.accepts for answer in answers]
    differences = {}
    for first, second in combinations(range(len(answers)), 2):
        if accepting[first] is not accepting[second]:
            difference: _Difference | None = _OTHER_VERDICT
        else:
            difference = _difference(answers[first], answers[second], plain[first], plain[second])
        if difference is not None:
            differences[first, second] = difference
            differences[second, first] = difference
    return differences


def _difference(
    answer: Answer, other_answer: Answer, plain: Answer, other_plain: Answer
) -> _Difference | None:
    """Return how two answers with one verdict differ, or None. The plain ones are their normal forms."""
    components = differing_components(answer, other_answer)
    if not components:
        return None
    in_normal_form = differing_components(plain, other_plain)
    # `without_spelling` gives a path a slash only if the answer shows a host
    alarms = beyond_spelling(answer, other_answer, in_normal_form) & components
    is_spelling = (
        not alarms
        and not hidden_differences(answer, other_answer)
        # a component that is empty in only one of them is more than spelling
        and not differing_components(
            without_spelling(answer, keep_empty=True), without_spelling(other_answer, keep_empty=True)
        )
    )
    return _Difference(_shared_set(components), _shared_set(alarms), is_spelling)


@cache
def _shared_set(names: frozenset[str]) -> frozenset[str]:
    """Return an equal set, always the same. There are few different ones, but a million of sets."""
    return names


@cache
def _worse_cause(first: Cause | None, second: Cause | None) -> Cause:
    """Return the worse of the causes of two answers, of which None stands for no cause."""
    causes = [cause for cause in (first, second) if cause is not None]
    return max(causes, key=lambda cause: cause.rank, default=Cause.ALLOWED)


def _count_pairs(matrix: Matrix) -> dict[tuple[str, str], PairCount]:
    """Count the questions for each pair of libraries.

    There are millions of pairs that differ. So what a library answers is a bit for each question, and the
    counts of a library are one integer; see `_PackedCounts`.
    """
    different = _PackedCounts(matrix.names)
    alarms = _PackedCounts(matrix.names)
    hosts = _PackedCounts(matrix.names)
    for disagreement in matrix.disagreements:
        names_of_sides = [side.names for side in disagreement.sides]
        alarming = [contrast for contrast in disagreement.contrasts if contrast.alarms]
        with_hosts = [
            contrast for contrast in alarming if not contrast.alarms.isdisjoint(("host", "net_loc"))
        ]
        different.add(names_of_sides, disagreement.contrasts)
        alarms.add(names_of_sides, alarming)
        hosts.add(names_of_sides, with_hosts)
    answered = _answered_questions(matrix)
    pair_counts = {}
    for name, other_name in combinations(matrix.names, 2):
        pair_counts[name, other_name] = PairCount(
            shared=(answered[name] & answered[other_name]).bit_count(),
            different=different.count(name, other_name),
            alarms=alarms.count(name, other_name),
            hosts=hosts.count(name, other_name),
        )
    return pair_counts


class _PackedCounts:
    """Counts of questions for each pair of libraries.

    The counts of a library beside all others are the digits of one integer, a digit of `_COUNT_BITS` bits for
    each other library. So one addition counts a library beside all libraries of other sides.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._shifts = {name: number * _COUNT_BITS for number, name in enumerate(names)}
        self._counts = dict.fromkeys(names, 0)

    def add(self, sides: Sequence[Sequence[str]], contrasts: Iterable[Contrast]) -> None:
        """Count a question in which the libraries of two sides differ, for each of these contrasts.

        `sides` are the names of the libraries of each side, to which the indexes in the contrasts refer.
        """
        # by side: a one in the digit of each of its libraries, and in those of all that differ from it
        units = [sum(1 << self._shifts[name] for name in names) for names in sides]
        units_beside = [0] * len(sides)
        for contrast in contrasts:
            units_beside[contrast.first] += units[contrast.second]
            units_beside[contrast.second] += units[contrast.first]
        for names, units_to_add in zip(sides, units_beside, strict=True):
            for name in names:
                self._counts[name] += units_to_add

    def count(self, name: str, other_name: str) -> int:
        """Return the number of questions in which two libraries differ."""
        largest_count = (1 << _COUNT_BITS) - 1
        return (self._counts[name] >> self._shifts[other_name]) & largest_count


def _answered_questions(matrix: Matrix) -> dict[str, int]:
    """Map each library to an integer in which each question that it answers has a bit."""
    answered = dict.fromkeys(matrix.names, 0)
    for number, answers in enumerate(matrix.answers.values()):
        for name, answer in answers.items():
            if answer.answered:
                answered[name] |= 1 << number
    return answered


class _Codes:
    """A code for each answer. Answers that differ in spelling only have the same code."""

    def __init__(self) -> None:
        self._by_content: dict[object, bytes] = {}
        #: The answers, which must be alive while their ids are keys, with their codes.
        self._by_identity: dict[int, tuple[Answer, bytes]] = {}

    def code(self, answer: Answer) -> bytes:
        """Return the code of an answer, which is a new one if no answer in this normal form has a code."""
        if id(answer) in self._by_identity:
            _, code = self._by_identity[id(answer)]
            return code
        key = _answer_key(without_spelling(answer))
        new_code = len(self._by_content).to_bytes(4)
        code = self._by_content.setdefault(key, new_code)
        self._by_identity[id(answer)] = (answer, code)
        return code


def _subject(case: Case) -> str | None:
    """Return the component that the section of a question is about, or None if it is about no single one."""
    sections = SPECIFICATIONS[case.spec].grammar.sections
    components = [name for name in COMPONENTS if sections.get(name) == case.section]
    return components[0] if len(components) == 1 else None


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
        answers_to_probe = {name: replies[number] for name, replies in answers.items()}
        habits.append(_trait(probe, answers_to_probe))
    return habits


def _trait(probe: Probe, answers: Mapping[str, Answer]) -> Trait:
    """Return the habit that a probe shows. `answers` are those of the libraries to its text, by name."""
    having: list[str] = []
    lacking: list[str] = []
    for name, answer in answers.items():
        if answer.kind != "parsed" or probe.component not in answer.components:
            continue
        if answer.components[probe.component] in probe.values:
            having.append(name)
        else:
            lacking.append(name)
    return Trait(probe.words, tuple(having), tuple(lacking))


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
