"""The headline of a run, and scores as figures and bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement, exit_code
from urlharness.report.failures import failing_count
from urlharness.results.coverage import Place
from urlharness.results.model import Results
from urlharness.results.scores import MINUS, NOTHING, Mean, Rate, Score, youden
from urlharness.results.verdict import Outcome
from urlharness.text import counted

#: Kinds of outcome, in the order of the segments of a bar.
KINDS: Mapping[str, tuple[Outcome, ...]] = {
    "passed": (Outcome.PASS, Outcome.VARIANT),
    "partial": (Outcome.PARTIAL,),
    "failed": (Outcome.FAIL,),
    "abnormal": tuple(outcome for outcome in Outcome if outcome.abnormal),
    "unsupported": (Outcome.UNSUPPORTED,),
}

#: The kind of each outcome.
KIND_OF = {outcome: kind for kind, outcomes in KINDS.items() for outcome in outcomes}


class Headline(NamedTuple):
    """The result of a run in one line; `name` is the implementation it is about, or empty."""

    passed: bool
    name: str
    text: str


class Figure(NamedTuple):
    """A figure of a score; `exact` has the counts or the formula."""

    name: str
    text: str
    exact: str


class Segment(NamedTuple):
    """A part of a bar; start and width are percentages for CSS."""

    kind: str
    start: str
    width: str


class Bar(NamedTuple):
    """Outcomes as a bar, and the same in words."""

    segments: list[Segment]
    words: str


def headline(results: Results, judgements: Sequence[Judgement] = ()) -> Headline:
    """Return the gate's decision; without a gate, say which implementations fail required cases."""
    if not results.complete and not results.stopped:
        how = "interrupted" if results.interrupted else "cut short"
        name = results.participants[0].name if len(results.participants) == 1 else ""
        return Headline(False, name, f"the run was {how}, and nothing was decided")
    if not judgements:
        return _headline_without_gate(results)
    passed = exit_code(judgements) == Exit.PASSED and results.complete
    first, count = judgements[0], len(judgements)
    if count < len(results.participants):  # a survey, of which only the reference is judged
        passes = "passes" if first.code == Exit.PASSED else "does not pass"
        return Headline(
            passed, first.name, f"{passes}; in the whole survey, {_headline_without_gate(results).text}"
        )
    if count == 1:
        return Headline(passed, first.name, gate_reason(first) or "the gate is passed")
    failed = sum(one.code != Exit.PASSED for one in judgements)
    some = f"{failed} of {count} implementations do not pass the gate"
    return Headline(passed, "", some if failed else f"all {count} implementations pass the gate")


def gate_reason(judgement: Judgement) -> str:
    """Return the reason of a judgement without the name of the implementation."""
    return judgement.reason.removeprefix(f"{judgement.name}: ")


def _headline_without_gate(results: Results) -> Headline:
    dead = [one for one in results.participants if one.state == "dead"]
    ran = [one for one in results.participants if one.state == "ran"]
    if not ran and not dead:
        return Headline(False, "", "nothing ran")
    counts = [failing_count(results, one) for one in ran]
    failed = sum(1 for count in counts if count) + len(dead)
    if not failed:
        name, text = ran[0].name if len(ran) == 1 else "", "no required case fails"
        mute = sum(_all_unsupported(results, one.name) for one in ran)
        if mute:
            text = "it answered nothing" if name else f"{mute} of {len(ran)} implementations answered nothing"
        return Headline(results.complete and not mute, name, text)
    if len(results.participants) > 1:
        text = f"{failed} of {len(results.participants)} implementations fail required cases"
        return Headline(False, "", f"{text} or did not start" if dead else text)
    (one,) = results.participants
    text = "it did not start" if dead else counted(counts[0], "required case fails", "required cases fail")
    return Headline(False, one.name, text)


def _all_unsupported(results: Results, name: str) -> bool:
    outcomes = {outcome for _, outcome in results.counted.get(name, {})}
    tallies = (tally for tally in results.tallies if tally.implementation == name)
    return outcomes.union(*(tally.outcomes for tally in tallies)) <= {Outcome.UNSUPPORTED}


def percent(rate: Rate | Mean) -> str:
    """Format a rate in percent, rounded down: only a full rate is 100 %."""
    tenths = rate.floor(1000)
    if tenths is None:
        return NOTHING
    if not tenths and rate.value:
        return "<0.1 %"
    return f"{tenths // 10} %" if tenths in (0, 1000) else f"{tenths // 10}.{tenths % 10} %"


def score_figures(score: Score) -> list[Figure]:
    """Return every figure of a score, in the order of the tables."""
    found = [
        Figure(name, percent(mean), f"mean of {counted(mean.count, 'statement')}")
        for name, mean in score.means.items()
    ]
    found.insert(2, Figure("J", youden(score), f"accepted rate + rejected rate {MINUS} 1"))
    rate = score.coverage
    return [*found, Figure("coverage", percent(rate), f"{rate.passed} of {rate.total}")]


def section_figures(score: Score) -> list[Figure]:
    """Return the figures of a section, without empty figures and full coverage."""
    full = score.coverage.passed == score.coverage.total
    return [
        figure
        for figure in score_figures(score)
        if figure.text != NOTHING and not (full and figure.name == "coverage")
    ]


def total_score(scores: Iterable[Score]) -> Score:
    """Add up the scores of several sections."""
    total = Score()
    for score in scores:
        total.include(score)
    return total


def kinds_by_section(results: Results, name: str, *, tolerate: bool = False) -> dict[Place, Counter[str]]:
    """Count the results of an implementation in each section by kind of outcome.

    With `tolerate`, wrong answers that fail no gate are of the kind `tolerated`.
    """
    found: dict[Place, Counter[str]] = {}
    for (case, outcome), count in results.counted.get(name, {}).items():
        tolerated = tolerate and outcome.failing and case.binding != "required"
        kind = "tolerated" if tolerated else KIND_OF[outcome]
        found.setdefault((case.spec, case.section), Counter())[kind] += count
    return found


def outcome_bar(counts: Counter[str], total: int) -> Bar:
    """Return the bar of the outcomes of `total` cases, counted by kind."""
    segments, words, done = [], [], 0
    for kind in KINDS:
        if counts[kind]:
            segments.append(Segment(kind, f"{100 * done / total:.2f}%", f"{100 * counts[kind] / total:.2f}%"))
            words.append(f"{counts[kind]} {kind}")
            done += counts[kind]
    if done < total:
        words.append(f"{total - done} without an outcome")
    return Bar(segments, ", ".join(words))
