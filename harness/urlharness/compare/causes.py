"""Causes of the differences between the answer of a library and the answer of an RFC.

A cause says how far a library is to blame. The harmless ones are tried first: the RFC leaves the choice, only
the spelling differs, another RFC says so, browsers do so. What remains is a defect. A cause excuses an answer
only where it is wrong, so an answer with two faults needs one reading that has both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import msgspec

from urlharness.compare.browsers import (
    ADA,
    ONLY_WITH_BASE,
    BrowserReading,
    accepts_on_page,
    most_parsers_agree,
    refuses_on_page,
    whole_browser_reading,
)
from urlharness.compare.rfc_answers import (
    AdmittedAnswer,
    RfcAnswers,
    open_resolutions,
    rfc_answers,
)
from urlharness.compare.whole_questions import whole_case, whole_result, whole_vector
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import AUTHORITY, Case, Expected, Vector
from urlharness.corpus.specifications import SPECS, facts
from urlharness.explain.generic_parts import split_generic
from urlharness.panel.answer import (
    Answer,
    agree_on_dots,
    differing_components,
    hidden_differences,
    parts_of,
    recorded_answer,
    without_empty,
    without_spelling,
)
from urlharness.panel.severity import OTHER, VERDICT
from urlharness.panel.spelling import (
    COMPONENTS,
    have_similar_beginnings,
    joined_authority,
    normal_form,
    split,
)
from urlharness.protocol.messages import TELLS_EMPTY
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome


class Cause(StrEnum):
    """A reason why an answer is not the one that the RFC recommends, the most harmless first."""

    ALLOWED = "allowed by the RFC"
    OTHER_RFC = "right under another RFC"
    BROWSER = "browser behaviour"
    BROWSERS_DISAGREE = "browsers disagree"
    SPELLING = "decoding or case only"
    ABBREVIATED = "unknown, as a text is abbreviated"
    DEFECT = "defect"

    @property
    def rank(self) -> int:
        """The place in the order of causes. Of two causes, reports show the one with the higher rank."""
        return _RANKS[self]

    @property
    def meaning(self) -> str:
        """The cause in one sentence, for readers who see it for the first time."""
        return _MEANINGS[self]


_MEANINGS = {
    Cause.ALLOWED: "The RFC lists this answer, too, or leaves open just what differs.",
    Cause.OTHER_RFC: "Another RFC, an older one as a rule, admits the answer, or leaves it open.",
    Cause.BROWSER: "Browsers do the same, by Ada, the parser of Node.js.",
    Cause.BROWSERS_DISAGREE: "Ada or most parsers of browsers do the same, but not all of those parsers.",
    Cause.SPELLING: "Only the spelling differs: case, a decoded triplet, dot segments, a default port.",
    Cause.ABBREVIATED: "The results keep only the beginning of a long text, so nobody can say.",
    Cause.DEFECT: "None of these explains the answer: it is wrong.",
}


_RANKS = {cause: rank for rank, cause in enumerate(Cause)}

#: The cause that is worse than every other one.
WORST_CAUSE = max(Cause, key=lambda cause: cause.rank)

#: The outcomes of answers that have no cause: nothing in them differs from the recommended answer.
WITHOUT_CAUSE = frozenset((Outcome.PASS, Outcome.PARTIAL, Outcome.UNSUPPORTED))


def cause_of(
    case: Case,
    result: Result,
    answer: Answer,
    browsers: Sequence[BrowserReading],
    *,
    tells_empty: bool = True,
    claims: Collection[str] = (),
) -> Cause | None:
    """Return the cause of the difference from the recommended answer, or None if there is no difference.

    `browsers` contains the different readings of the browsers; see `browser_readings`. An answer is excused
    by the first, that of Ada, or by those of most of the parsers. `claims` are the RFCs that the library
    claims. If `tells_empty` is False, the library cannot tell empty components from absent ones, so losing
    one is not held against it. Otherwise an empty component is more than spelling: RFC 3986, section 6.2.3,
    keeps its delimiter, except that of an empty port.
    """
    if result.outcome in WITHOUT_CAUSE:
        return None
    expected = expected_answers(case.vector.expect)
    if result.outcome is Outcome.VARIANT:
        listed = result.variant != "other"  # the name of an answer that no vector lists
        if listed or _differs_in_open_components(case, answer, expected):
            return Cause.ALLOWED
    if not answer.answered:
        return Cause.ALLOWED if _may_fail(case, result, expected) else Cause.DEFECT
    # a URL in an answer shows whether the delimiter of an empty component is there
    keep_empty = tells_empty or answer.kind == "url"
    if _differs_in_spelling(case, result, answer, keep_empty=keep_empty):
        return Cause.SPELLING
    whole = _whole_question_and_result(case, result)
    if whole is not None:
        whole_answer = recorded_answer(whole.judgement.got, tells_empty=tells_empty)
        if _differs_in_spelling(whole.case, whole.judgement, whole_answer, keep_empty=keep_empty):
            return Cause.SPELLING
    wrong = _differences_from_recommended(case, result, answer)
    excusing = _excusing_specs(case)
    excuses = _excuses_by_rfc(
        case, result, answer, wrong, claims=claims, specs=excusing, tells_empty=tells_empty
    )
    if any(excuses):
        return Cause.OTHER_RFC
    browser_cause = _browser_cause(case, result, answer, browsers, wrong, keep_empty=keep_empty)
    if browser_cause is not None:
        return browser_cause
    recommended = expected[0]
    known_whole = whole is not None or not _may_be_excused(case, answer, recommended, wrong)
    return Cause.DEFECT if known_whole else Cause.ABBREVIATED


def _differs_in_spelling(case: Case, judgement: Result, answer: Answer, *, keep_empty: bool) -> bool:
    """Return True if an answer differs from an admissible one only in spelling.

    The verdict `judgement` has the authority of the answer, which may show no more than its parts. Empty
    components are no spelling if `keep_empty`.
    """
    keep_dots = case.vector.op == "resolve"  # section 5.2.4 removes them there, and normalization elsewhere
    normal = without_spelling(answer, keep_empty=keep_empty, keep_dots=keep_dots)
    for expectation in case.vector.expect.alternatives:
        admissible = _expected_answer(expectation)
        normal_admissible = without_spelling(admissible, keep_empty=keep_empty, keep_dots=keep_dots)
        if differing_components(_with_path_of(normal_admissible, normal, answer), normal_admissible):
            continue
        agree_on_host = _agree_on_ascii_host(answer, admissible) and _agree_on_authority(
            expectation, judgement
        )
        if agree_on_host and agree_on_dots(answer, admissible):
            return True
    return False


class _WholeQuestion(NamedTuple):
    """A question and the result of a library, of which no text is abbreviated."""

    case: Case
    judgement: Result


def _whole_question_and_result(case: Case, judgement: Result) -> _WholeQuestion | None:
    """Return an abbreviated question, and the result of a library, with whole texts.

    Return None if the question is not abbreviated, or if a text is not known; see `whole_result`.
    """
    long_case = whole_case(case)
    if long_case is None:
        return None
    vector = long_case.vector
    answers = expected_answers(vector.expect)
    reading = whole_browser_reading(long_case)
    if reading is not None:
        answers = [*answers, reading]
    texts: list[object] = [vector.url, vector.other, vector.base, vector.reference]
    for answer in answers:
        texts += [answer.text, *answer.components.values()]
    present_texts = [text for text in texts if isinstance(text, str)]  # others are bytes, or absent
    whole_judgement = whole_result(judgement, present_texts)
    return None if whole_judgement is None else _WholeQuestion(long_case, whole_judgement)


def _browser_cause(
    case: Case,
    judgement: Result,
    answer: Answer,
    browsers: Sequence[BrowserReading],
    wrong: frozenset[str],
    *,
    keep_empty: bool,
) -> Cause | None:
    """Return the cause of an answer that is that of browsers where it is `wrong`, or None if it is not.

    Of parsers that disagree, Ada or most of them must do the same: a single one may have a fault of its own.
    """
    wrong_parts = _wrong_parts(wrong, answer)
    alike = _alike_readings(case, judgement, answer, browsers, wrong_parts, keep_empty=keep_empty)
    if browsers and browsers[0] in alike:
        return Cause.BROWSERS_DISAGREE if _dissenters(browsers, wrong_parts) else Cause.BROWSER
    if alike and most_parsers_agree(alike, browsers):
        return Cause.BROWSERS_DISAGREE
    return Cause.BROWSER if _do_browsers_on_page(case, answer) else None


def _do_browsers_on_page(case: Case, answer: Answer) -> bool:
    """Return True if browsers accept or refuse a relative reference on a page as the library does.

    Without a base, they have no reading of one. A library that accepts it must have been given a base, too.
    """
    if not answer.accepts:
        return refuses_on_page(case)
    return answer.message == ONLY_WITH_BASE and accepts_on_page(case)


def _alike_readings(
    case: Case,
    judgement: Result,
    answer: Answer,
    browsers: Sequence[BrowserReading],
    wrong: frozenset[str],
    *,
    keep_empty: bool,
) -> Sequence[BrowserReading]:
    """Return the readings of browsers that are the same as an answer where it is `wrong`."""
    # if what is wrong hides behind dot segments, those do not count as spelling
    right_answers = expected_answers(case.vector.expect)
    has_right_host = wrong.isdisjoint(("host", VERDICT))
    keep_dots = has_right_host and any(not agree_on_dots(answer, right) for right in right_answers)
    alike = []
    for browser in browsers:
        reading = browser.answer
        is_excused = _is_excused_by_browser(
            answer, reading, wrong, keep_empty=keep_empty, keep_dots=keep_dots
        )
        if is_excused and _has_authority_of_reading(judgement, reading):
            alike.append(browser)
    return alike


def _may_fail(case: Case, judgement: Result, expected: Sequence[Answer]) -> bool:
    """Return True if a library fails where the RFC lets it refuse a text or not, or leaves the text open.

    How a library signals that it has no answer is not for the RFC to say. A crash and a time-out are never
    allowed.
    """
    if judgement.outcome is not Outcome.ERROR:
        return False
    if case.vector.binding in ("impl-defined", "unspecified"):
        return True
    return len({admissible.accepts for admissible in expected}) > 1


def dissenting_parsers(
    case: Case,
    judgement: Result,
    answer: Answer,
    browsers: Sequence[BrowserReading],
    *,
    tells_empty: bool = True,
) -> Sequence[str]:
    """Return the parsers of browsers that disagree with an answer where it is wrong, sorted.

    If Ada does the same as the library, these are the ones that do not read the text as Ada does. Otherwise
    they are Ada and the parsers that do not read it as the library does.
    """
    if not browsers:
        return []
    wrong = _wrong_parts(_differences_from_recommended(case, judgement, answer), answer)
    keep_empty = tells_empty or answer.kind == "url"
    alike = _alike_readings(case, judgement, answer, browsers, wrong, keep_empty=keep_empty)
    if browsers[0] in alike:
        return sorted(_dissenters(browsers, wrong))
    unlike = [reading for reading in browsers if reading not in alike]
    dissenters = [name for reading in unlike for name in reading.names]
    return [ADA, *sorted(dissenters)]


def _wrong_parts(wrong: frozenset[str], answer: Answer) -> frozenset[str]:
    """Return what is wrong, with the parts of an authority in its place if it only repeats them.

    Browsers show the parts of an authority alone.
    """
    if "authority" not in wrong or "authority" in answer.components:
        return wrong
    return wrong - {"authority"} or frozenset(AUTHORITY)


def _has_authority_of_reading(judgement: Result, reading: Answer) -> bool:
    """Return True if the authority of an answer has the parts that a browser shows, up to spelling.

    Of an abbreviated authority, what is kept need not show all parts. The answer shows them separately.
    """
    parts = reading.components
    host = parts.get("host")
    authority = judgement.got.get("components", {}).get("authority")
    if host is None or is_abbreviation(authority):
        return True
    # browsers do not tell an empty part from an absent one
    authority_of_reading = joined_authority(parts.get("userinfo") or None, host, parts.get("port") or None)
    expectation = Expected(components={"scheme": parts.get("scheme"), "authority": authority_of_reading})
    return _agree_on_authority(expectation, judgement)


def _dissenters(browsers: Sequence[BrowserReading], wrong: frozenset[str]) -> Sequence[str]:
    """Return the parsers whose reading differs from the first one in a component of `wrong`.

    If what is wrong is no single component, any difference counts.
    """
    ada, *others = browsers
    normal_ada = without_spelling(ada.answer)
    are_components_wrong = wrong <= frozenset(COMPONENTS)
    names: list[str] = []
    for reading in others:
        differing = differing_components(normal_ada, without_spelling(reading.answer))
        if not are_components_wrong or not differing.isdisjoint({VERDICT, *wrong}):
            names += reading.names
    return names


def _differences_from_recommended(case: Case, judgement: Result, answer: Answer) -> frozenset[str]:
    """Return the components in which an answer differs from the one that the RFC recommends."""
    recommended = case.vector.expect.alternatives[0]
    components = differing_components(answer, _expected_answer(recommended))
    if _agree_on_authority(recommended, judgement):
        return components
    return components | {"authority"}


def _agree_on_authority(expectation: Expected, judgement: Result) -> bool:
    """Return True if the authority of an answer differs at most in spelling, or if only one side shows it.

    An answer does not show an authority that only repeats its parts, so this looks at what was recorded. Its
    text has the delimiters of empty components, even if the library shows no difference between the parts.
    """
    expected = expectation.components
    if not isinstance(expected, Mapping):
        return True
    expected_authority = expected.get("authority")
    authority = judgement.got.get("components", {}).get("authority")
    if not isinstance(expected_authority, str) or not isinstance(authority, str):
        return True
    scheme = f"{expected['scheme']}:" if expected.get("scheme") else ""
    expected_url = Answer("url", text=f"{scheme}//{expected_authority}")
    url = Answer("url", text=f"{scheme}//{authority}")
    normal_expected = without_spelling(expected_url, keep_empty=True)
    normal = without_spelling(url, keep_empty=True)
    return not differing_components(normal_expected, normal) and _agree_on_ascii_host(expected_url, url)


def _with_path_of(reading: Answer, normal: Answer, answer: Answer) -> Answer:
    """Return the normal form of an answer, with the path of a reading if one is a slash, the other empty.

    After an authority, these are one path (RFC 3986, section 6.2.3). Normalization sees no authority in an
    answer that shows none, or one without a host. If the reading shows none, that of the answer counts. A
    path that only normalization makes empty or a slash, by removing dot segments, stays as it is.
    """
    path = reading.components.get("path")
    if {path, normal.components.get("path")} != {"", "/"} or parts_of(answer).get("path") not in ("", "/"):
        return normal
    shows_authority = not reading.components.keys().isdisjoint(("host", "authority"))
    parts = reading.components if shows_authority else normal.components
    has_authority = parts.get("host") is not None or parts.get("authority") is not None
    return _with_component(normal, "path", path) if has_authority else normal


def _with_dots_of_path(normal: Answer, answer: Answer, *, keep_empty: bool) -> Answer:
    """Return the normal form of an answer, with the dot segments of its path if it has components."""
    if answer.kind != "parsed" or "path" not in answer.components:
        return normal
    with_dots = normal_form(answer.components, keep_empty=keep_empty, keep_dots=True)
    return _with_component(normal, "path", with_dots["path"])


def _with_component(answer: Answer, name: str, text: str | None) -> Answer:
    return msgspec.structs.replace(answer, components={**answer.components, name: text})


def _is_excused_by_browser(
    answer: Answer, reading: Answer, wrong: frozenset[str], *, keep_empty: bool, keep_dots: bool
) -> bool:
    """Return True if a browser reads the `wrong` components as the library does, up to spelling.

    Dot segments in a URL are no spelling here: both must have removed the same ones. Neither are those of a
    component if `keep_dots`. The interface of browsers shows no difference between an empty host and an
    absent one, so an answer need not, either.
    """
    normal = without_spelling(answer, keep_empty=keep_empty, keep_dots=True)
    normal_reading = without_spelling(reading, keep_empty=keep_empty, keep_dots=True)
    if keep_dots:
        normal = _with_dots_of_path(normal, answer, keep_empty=keep_empty)
        normal_reading = _with_dots_of_path(normal_reading, reading, keep_empty=keep_empty)
    normal = _with_path_of(normal_reading, normal, answer)
    if answer.kind == "parsed" and "host" not in wrong:
        normal = _with_host_of(normal_reading, normal)
    if not _excuses(normal_reading, normal, wrong):
        return False
    # of a text that the RFC refuses, no component is right, so the host has to be that of browsers, too
    is_about_host = not wrong.isdisjoint(("host", VERDICT))
    return not is_about_host or _agree_on_ascii_host(answer, reading)


def _with_host_of(normal_reading: Answer, normal: Answer) -> Answer:
    """Return an answer with the host of a reading if one is empty, the other absent."""
    host = normal_reading.components.get("host")
    if "host" not in normal.components or normal.components["host"] or host:
        return normal
    return _with_component(normal, "host", host)


def _may_be_excused(case: Case, answer: Answer, right: Answer, wrong: frozenset[str]) -> bool:
    """Return True if results do not keep enough of long texts to tell why an answer is wrong.

    Either the whole text of the question is not known, so that no other RFC and no browser can be asked. Or
    the answers agree in what is kept of them, so that the difference may be one of spelling.
    """
    if whole_vector(case) is None:
        return True
    if not wrong or wrong != hidden_differences(answer, right):
        return False
    keep_dots = case.vector.op == "resolve"  # which has to remove them
    if wrong == {OTHER}:
        return have_similar_beginnings(answer.text, right.text, keep_dots=keep_dots)
    parts = parts_of(answer)
    right_parts = parts_of(right)
    return all(
        have_similar_beginnings(parts[name] or "", right_parts[name] or "", keep_dots=keep_dots)
        for name in wrong
    )


def _agree_on_ascii_host(answer: Answer, reading: Answer) -> bool:
    """Return True unless the host of only one answer is ASCII: a host that IDNA maps is another text.

    A host that is not shown, or not whole, is no other one.
    """
    parts = parts_of(answer)
    host = parts.get("host") or ""
    host_of_reading = parts_of(reading).get("host") or ""
    if "host" not in parts or is_abbreviation(host) or is_abbreviation(host_of_reading):
        return True
    return host.isascii() is host_of_reading.isascii()


def is_right_under_claimed_rfc(case: Case, result: Result, participant: Participant) -> bool:
    """Return True if a failed answer is right under another RFC that the library claims."""
    other_specs = [spec for spec in _excusing_specs(case) if spec in participant.specs]
    if not other_specs:
        return False
    tells_empty = TELLS_EMPTY in participant.features
    answer = recorded_answer(result.got, tells_empty=tells_empty)
    if not answer.answered:
        return False
    wrong = _differences_from_recommended(case, result, answer)
    return any(
        _excuses_by_rfc(
            case, result, answer, wrong, claims=other_specs, specs=other_specs, tells_empty=tells_empty
        )
    )


class Excuse(NamedTuple):
    """Another RFC under which an answer is right, and the rulings on which that rests.

    `is_open` is True if the RFC does not say what the answer is.
    """

    spec: str
    rulings: Sequence[str]
    is_open: bool = False


def excuses_of(case: Case, judgement: Result, answer: Answer, participant: Participant) -> Sequence[Excuse]:
    """Return the other RFCs under which a wrong answer of a library is right."""
    wrong = _differences_from_recommended(case, judgement, answer)
    excuses = _excuses_by_rfc(
        case,
        judgement,
        answer,
        wrong,
        claims=participant.specs,
        specs=_excusing_specs(case),
        tells_empty=TELLS_EMPTY in participant.features,
    )
    return list(excuses)


def unclaimed_open_specs(
    case: Case, judgement: Result, answer: Answer, participant: Participant
) -> Sequence[str]:
    """Return the RFCs that leave a wrong answer open, but excuse nothing as the library claims others."""
    if not participant.specs:
        return []
    wrong = _differences_from_recommended(case, judgement, answer)
    tells_empty = TELLS_EMPTY in participant.features
    unclaimed = [spec for spec in _excusing_specs(case) if spec not in participant.specs]
    excuses = _excuses_by_rfc(
        case, judgement, answer, wrong, claims=(), specs=unclaimed, tells_empty=tells_empty
    )
    return [excuse.spec for excuse in excuses if excuse.is_open]


def _excusing_specs(case: Case) -> Sequence[str]:
    """Return the other RFCs that may excuse an answer to a case.

    No RFC on URLs excuses an answer about IRIs, or vice versa.
    """
    iris = facts(case.spec).iris
    return [spec for spec, entry in SPECS.items() if entry.iris is iris and spec != case.spec]


def _excuses_by_rfc(
    case: Case,
    judgement: Result,
    answer: Answer,
    wrong: frozenset[str],
    *,
    claims: Collection[str],
    specs: Collection[str],
    tells_empty: bool,
) -> Iterator[Excuse]:
    """Yield an excuse for each RFC of `specs` under which an answer is right where it is `wrong`.

    An answer that differs from that of the RFC in spelling is right, too. An RFC that leaves an answer open
    says nothing for it. So it excuses only a library that claims the RFC, or that `claims` none.
    """
    answers = _rfc_answers_as_shown(case, judgement, specs, tells_empty=tells_empty)
    open_rulings = open_resolutions(case, specs)
    spelled = _SpelledAnswer(case, judgement, answer, tells_empty=tells_empty)
    for spec in specs:
        admitted = _excusing_answer(answers.get(spec, ()), answer, wrong, spelled)
        if admitted is not None:
            yield Excuse(spec, admitted.rulings)
            continue
        may_be_open = spec in open_rulings and (not claims or spec in claims)
        if may_be_open and not _invents_authority(case.vector, answer):
            yield Excuse(spec, (open_rulings[spec],), is_open=True)


def _excusing_answer(
    admitted_answers: Sequence[AdmittedAnswer],
    answer: Answer,
    wrong: frozenset[str],
    spelled: _SpelledAnswer,
) -> AdmittedAnswer | None:
    """Return the first answer of an RFC that excuses the answer of a library, or None.

    `spelled` is the answer of the library, too. What equals it comes before what has another spelling, which
    takes longer to find.
    """
    for admitted in admitted_answers:
        if _excuses(admitted.answer, answer, wrong):
            return admitted
    return next(filter(spelled.is_excused_by, admitted_answers), None)


class _SpelledAnswer:
    """A wrong answer in normal form, and the components in which it is wrong by more than spelling.

    Both are computed when they are first needed: an answer that equals one of an RFC needs neither. Dot
    segments are no spelling here: RFCs differ in which of them resolution removes, and in a component they
    hide what precedes them.
    """

    def __init__(self, case: Case, judgement: Result, answer: Answer, *, tells_empty: bool) -> None:
        self._recommended = case.vector.expect.alternatives[0]
        self._judgement = judgement
        self._answer = answer
        self._keep_empty = tells_empty or answer.kind == "url"

    @cached_property
    def _own_normal(self) -> Answer:
        """The answer in normal form."""
        return self._normal(self._answer)

    @cached_property
    def _wrong(self) -> frozenset[str]:
        """The components in which the answer is wrong by more than spelling."""
        right = _expected_answer(self._recommended)
        wrong = set(differing_components(self._own_normal, self._normal(right)))
        if not _agree_on_ascii_host(self._answer, right):
            wrong.add("host")
        if not _agree_on_authority(self._recommended, self._judgement):
            wrong.add("authority")
        return frozenset(wrong)

    def _normal(self, answer: Answer) -> Answer:
        return _with_dots_of_path(
            without_spelling(answer, keep_empty=self._keep_empty, keep_dots=True),
            answer,
            keep_empty=self._keep_empty,
        )

    def is_excused_by(self, admitted: AdmittedAnswer) -> bool:
        """Return True if an answer of another RFC is the same where this one is wrong, up to spelling."""
        has_spelling = self._answer.kind in ("parsed", "url")
        if not (has_spelling and admitted.answer.accepts and self._wrong):
            return False
        reading = self._normal(admitted.answer)
        with_path = _with_path_of(reading, self._own_normal, self._answer)
        if not _excuses(reading, with_path, self._wrong):
            return False
        return "host" not in parts_of(reading) or _agree_on_ascii_host(self._answer, admitted.answer)


def _rfc_answers_as_shown(
    case: Case, judgement: Result, specs: Collection[str], *, tells_empty: bool
) -> RfcAnswers:
    """Return the answers of each RFC as the library can show them.

    They have no authority if it shows none, and no empty component if it cannot tell one from an absent one.
    A library that shows a host, but no authority, does not show an authority of RFC 1808 that goes on after a
    question mark (section 2.4.3), so such an answer is left out.
    """
    answers = rfc_answers(case, specs)
    shown_components = judgement.got.get("components", {})
    shows_authority = "authority" in shown_components
    shows_host = "host" in shown_components
    if shows_authority and tells_empty:
        return answers
    if shows_host and not shows_authority:
        answers = {
            spec: [entry for entry in admitted if not _has_question_mark_in_authority(entry.answer)]
            for spec, admitted in answers.items()
        }
    answers_as_shown = {}
    for spec, admitted in answers.items():
        entries = []
        for entry in admitted:
            answer = entry.answer
            if not shows_authority:
                answer = _without_authority(answer)
            if not tells_empty:
                answer = without_empty(answer)
            entries.append(entry._replace(answer=answer))
        answers_as_shown[spec] = entries
    return answers_as_shown


def _has_question_mark_in_authority(answer: Answer) -> bool:
    return "?" in (answer.components.get("authority") or "")


def _without_authority(answer: Answer) -> Answer:
    components = {name: text for name, text in answer.components.items() if name != "authority"}
    return msgspec.structs.replace(answer, components=components)


def _differs_in_open_components(case: Case, answer: Answer, expected: Sequence[Answer]) -> bool:
    """Return True if an answer that no vector lists differs from the listed ones only in what is left open.

    If no vector lists a URL, or the RFC does not say what a relative reference becomes against the base, the
    answer must only have no scheme and no host that the texts do not have. If the answer is no URL, or the
    operation makes none, nothing is fixed. The scheme, the authority, the path and the query of a target are
    fixed (RFC 3986, section 5.2.2). Only how a path begins that would read as an authority is left open
    (sections 3.3 and 5.3), and whether a reference without a fragment gets that of the base (section 5.1). Of
    a normal form the spelling is fixed, too.
    """
    vector = case.vector
    listed = [admissible.text for admissible in expected if admissible.kind == "url"]
    if not listed or case.spec in open_resolutions(case, (case.spec,)):
        return not _invents_authority(vector, answer)
    if answer.kind != "url" or vector.op not in ("resolve", "normalize"):
        return True
    target = _with_one_slash(answer.text)
    listed_targets = [_with_one_slash(text) for text in listed]
    if vector.op == "normalize":
        return target in listed_targets
    normal = without_spelling(Answer("url", text=target), keep_empty=True)
    left_open = {"fragment"} if _has_open_fragment(vector, normal) else set()
    for listed_target in listed_targets:
        normal_listed = without_spelling(Answer("url", text=listed_target), keep_empty=True)
        if differing_components(normal, normal_listed) <= left_open:
            return True
    return False


def _has_open_fragment(vector: Vector, target: Answer) -> bool:
    """Return True if the reference has no fragment, and a target has none or that of the base.

    A base of which not the whole text is known may have any fragment. The target must be in normal form.
    """
    if isinstance(vector.reference, str) and "#" in vector.reference:
        return False
    fragment = target.components.get("fragment")
    if fragment is None or not isinstance(vector.base, str) or is_abbreviation(vector.base):
        return True
    base = without_spelling(Answer("url", text=vector.base), keep_empty=True)
    return fragment == base.components.get("fragment")


def _invents_authority(vector: Vector, answer: Answer) -> bool:
    """Return True if an answer to an invalid text has a scheme or a host that none of the texts has.

    The RFC leaves open what becomes of such a text, but nothing in it comes from elsewhere. The components of
    a text are those of the expression in RFC 3986, appendix B.
    """
    texts = [text for text in (vector.url, vector.base, vector.reference) if isinstance(text, str)]
    if any(map(is_abbreviation, texts)):
        return False
    parts = parts_of(answer)
    for name in ("scheme", "host"):
        component = parts.get(name)
        components_of_texts = [(split(text)[name] or "").lower() for text in texts]
        if component and component.lower() not in components_of_texts:
            return True
    return False


#: The beginning of a path with two slashes, with what libraries put there so that no authority is read.
_SLASHES_AND_GUARDS = re.compile("/(?:/|[.](?=/))*")


def _with_one_slash(url: str) -> str:
    """Return a URL with one slash for all the slashes, and guards between them, before the path."""
    scheme, authority, path, query, fragment = split_generic(url)
    hierarchy = path if authority is None else f"//{authority}{path}"
    if hierarchy.startswith("/"):
        hierarchy = _SLASHES_AND_GUARDS.sub("/", hierarchy, count=1)
    before = "" if scheme is None else f"{scheme}:"
    query_part = "" if query is None else f"?{query}"
    fragment_part = "" if fragment is None else f"#{fragment}"
    return before + hierarchy + query_part + fragment_part


def _excuses(reading: Answer, answer: Answer, wrong: frozenset[str]) -> bool:
    """Return True if a reading of another RFC or of a browser shows the `wrong` components and agrees."""
    has_login = any(answer.components.get(name) for name in AUTHORITY)
    is_about_login = has_login and not wrong.isdisjoint((VERDICT, *AUTHORITY))
    if is_about_login and reading.kind == "parsed" and "host" not in reading.components:
        return False  # its RFC does not divide authorities
    if "authority" in wrong and "authority" not in answer.components:
        return False  # the answer shows the parts of its authority only
    if differing_components(reading, answer):
        return False
    shows_all = reading.kind in ("url", "rejected", "other") or is_abbreviation(reading.text)
    shown_components = (OTHER, *COMPONENTS) if shows_all else reading.components
    return wrong <= {VERDICT, *shown_components}


def expected_answers(expect: Expected) -> Sequence[Answer]:
    """Return the admissible answers to a case, the recommended one first."""
    return [_expected_answer(alternative) for alternative in expect.alternatives]


def _expected_answer(expect: Expected) -> Answer:
    """Return one alternative as an answer of a library that gives it would be recorded."""
    remembered = _EXPECTED_ANSWERS.get(id(expect))
    if remembered is not None:
        return remembered.answer
    if len(_EXPECTED_ANSWERS) >= _MOST_EXPECTED:
        _EXPECTED_ANSWERS.clear()
    answer = _make_expected_answer(expect)
    _EXPECTED_ANSWERS[id(expect)] = _ExpectedAnswer(expect, answer)
    return answer


class _ExpectedAnswer(NamedTuple):
    """An expectation of a vector, and the answer that it admits.

    It keeps the expectation alive, because an id is unique among living objects only.
    """

    expect: Expected
    answer: Answer


#: What vectors expect, by the id of the expectation. Each is compared with the answers of all libraries.
_EXPECTED_ANSWERS: dict[int, _ExpectedAnswer] = {}

#: The number of answers in `_EXPECTED_ANSWERS` at which it begins anew.
_MOST_EXPECTED = 65536


def _make_expected_answer(expect: Expected) -> Answer:
    """Return one alternative as an answer; see `_expected_answer`."""
    if expect.valid is not msgspec.UNSET:
        return Answer("valid" if expect.valid else "rejected")
    fields = msgspec.to_builtins(expect)
    if "result" in fields:
        fields["url"] = fields.pop("result")
    return recorded_answer({"status": "ok", **fields}, tells_empty=True)
