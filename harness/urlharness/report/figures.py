"""Figures of all reports: rates and J, rounded down so that no report flatters, and outcomes as bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import NamedTuple

from urlharness.scores import Rate, Score
from urlharness.verdict import Outcome

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
