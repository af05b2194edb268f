"""Headline, figures, bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement, code_of
from urlharness.report.failures import failing
from urlharness.results.model import Results
from urlharness.results.scores import Rate, Score
from urlharness.results.verdict import Outcome
from urlharness.text import counted

# -------------------- report.figures: Figures of all reports: rates and J, rounded down so that no report flatters, and outcomes as bars.


#: The kinds of outcome that share a colour in the bars, in their order from left to right.
KINDS: Mapping[str, tuple[Outcome, ...]] = {
    "passed": ("pass", "variant"),
    "partial": ("partial",),
    "failed": ("fail",),
    "abnormal": ("error", "timeout", "crash", "garbage", "no-answer", "aborted"),
    "unsupported": ("unsupported",),
}


KIND_OF = {outcome: kind for kind, outcomes in KINDS.items() for outcome in outcomes}


#: What stands for a rate over nothing, and the sign of a negative J.
NOTHING, MINUS = "\u2013", "\u2212"


class Figure(NamedTuple):
    """A number with its name; `exact` says it in full."""

    name: str
    text: str
    exact: str


def percent(rate: Rate) -> str:
    """A rate in percent, cut and never rounded up: only a full rate reads 100 %."""
    tenths = rate.cut(1000)
    if tenths is None:
        return NOTHING
    if not tenths and rate.passed:
        return "<0.1 %"
    return f"{tenths // 10} %" if tenths in (0, 1000) else f"{tenths // 10}.{tenths % 10} %"


def youden(score: Score) -> str:
    """J with two digits, rounded down; a minus sign where the adapter is worse than a coin."""
    if not score.accepted.total or not score.rejected.total:
        return NOTHING
    accepted = Fraction(score.accepted.passed, score.accepted.total)
    rejected = Fraction(score.rejected.passed, score.rejected.total)
    hundredths = floor((accepted + rejected - 1) * 100)
    sign = MINUS if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def figures(score: Score) -> list[Figure]:
    """Every figure of a score, in the order of the tables."""
    rates = {
        "accepted": score.accepted,
        "rejected": score.rejected,
        "components": score.components,
        "results": score.results,
        "coverage": score.coverage,
    }
    found = [Figure(name, percent(rate), f"{rate.passed} of {rate.total}") for name, rate in rates.items()]
    found.insert(2, Figure("J", youden(score), f"accepted rate + rejected rate {MINUS} 1"))
    return found


def fractions(score: Score) -> list[Figure]:
    """The figures of a section: counts, not rates, and only those that say something."""
    full = score.coverage.passed == score.coverage.total
    return [
        figure if figure.name == "J" else figure._replace(text=figure.exact.replace(" of ", "/"))
        for figure in figures(score)
        if figure.text != NOTHING and not (full and figure.name == "coverage")
    ]


class Segment(NamedTuple):
    """A part of a bar: where it starts and how wide it is, in percent."""

    kind: str
    start: str
    width: str


class Bar(NamedTuple):
    """Outcomes as a bar, and the same in words."""

    segments: list[Segment]
    words: str


def bar(counts: Counter[str], total: int) -> Bar:
    """The bar of so many outcomes of each kind among so many cases."""
    segments, words, done = [], [], 0
    for kind in KINDS:
        if counts[kind]:
            segments.append(Segment(kind, f"{100 * done / total:.2f}%", f"{100 * counts[kind] / total:.2f}%"))
            words.append(f"{counts[kind]} {kind}")
            done += counts[kind]
    if done < total:
        words.append(f"{total - done} without an outcome")
    return Bar(segments, ", ".join(words))


# -------------------- report.headline: The outcome of a run in one line: what a reader who reads no more has to know.


class Headline(NamedTuple):
    """Whether all is well, the one implementation that the line speaks of (empty for several), the line."""

    well: bool
    name: str
    text: str


def headline(results: Results, judgements: Sequence[Judgement] = ()) -> Headline:
    """What came out: as the gate judged, and without a gate which implementations fail required cases.

    Of half a run nothing came out, but where `--maxfail` stopped it there are failures to tell of.
    """
    if not results.complete and not results.stopped:
        how = "interrupted" if results.interrupted else "cut short"
        return Headline(False, _only(results), f"the run was {how}, and nothing was decided")
    if not judgements:
        return _unjudged(results)
    well = code_of(judgements) == Exit.PASSED and results.complete
    if len(judgements) < len(results.participants):  # a survey, of which only the reference is judged
        well_or_not = "passes" if judgements[0].code == Exit.PASSED else "does not pass"
        return Headline(well, judgements[0].name, f"{well_or_not}; of all {_unjudged(results).text}")
    if len(judgements) == 1:
        (one,) = judgements
        return Headline(well, one.name, reason(one) or "the gate is passed")
    failed = sum(one.code != Exit.PASSED for one in judgements)
    if not failed:
        return Headline(well, "", f"all {len(judgements)} implementations pass the gate")
    return Headline(well, "", f"{failed} of {len(judgements)} implementations do not pass the gate")


def reason(judgement: Judgement) -> str:
    """What the gate says of an adapter, without its name."""
    return judgement.reason.removeprefix(f"{judgement.name}: ")


def _only(results: Results) -> str:
    """The name of the implementation, where there is one alone."""
    return results.participants[0].name if len(results.participants) == 1 else ""


def _mute(results: Results, name: str) -> bool:
    """True where all that an implementation was asked is unsupported."""
    outcomes = {outcome for _, outcome in results.counted.get(name, {})}
    tallies = (tally for tally in results.tallies if tally.implementation == name)
    return outcomes.union(*(tally.outcomes for tally in tallies)) <= {"unsupported"}


def _unjudged(results: Results) -> Headline:
    silent = [one for one in results.participants if one.state == "dead"]
    ran = [one for one in results.participants if one.state == "ran"]
    if not ran and not silent:
        return Headline(False, "", "nothing ran")
    counts = [failing(results, one) for one in ran]
    failed = sum(1 for count in counts if count) + len(silent)
    if not failed:
        name, text = ran[0].name if len(ran) == 1 else "", "no required case fails"
        mute = sum(_mute(results, one.name) for one in ran)
        if mute:  # what was not answered is no failure, and nothing to be content with
            text = "it answered nothing" if name else f"{mute} of {len(ran)} implementations answered nothing"
        return Headline(results.complete and not mute, name, text)
    if len(results.participants) > 1:
        text = f"{failed} of {len(results.participants)} implementations fail required cases or did not start"
        return Headline(False, "", text if silent else text.removesuffix(" or did not start"))
    (one,) = results.participants
    text = "it did not start" if silent else counted(counts[0], "required case fails", "required cases fail")
    return Headline(False, one.name, text)
