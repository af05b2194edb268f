"""How long an examination takes where each start or answer is slow: said first, and kept within bounds."""

from __future__ import annotations

from collections.abc import Sequence

from urlharness.doctor.findings import Check, Finding
from urlharness.doctor.subjects import PerCase, Subject

#: Starts and answers of a check, about; of one that repeats its questions there are many more.
_OF_ONE = (1, 4)
_OF_MANY = (3, 80)
_MINUTE = 60.0


def left_out(subject: Subject, others: Sequence[Check]) -> Finding | None:
    """Of the checks that are still to come, those that would take too long; None where all are done soon."""
    many = [check for check in others if check.repeats]
    few = len(others) - len(many)
    start, answer = subject.pace.start, subject.pace.answer
    more = _seconds(subject, len(many), _OF_MANY)
    rest = _seconds(subject, few, _OF_ONE)
    if not many or more + rest <= subject.patience.lengthy:
        return None
    by_starts = _OF_MANY[0] * start > _OF_MANY[1] * answer
    slow = f"a start takes {start:.1f} s" if by_starts else f"an answer takes {answer:.1f} s"
    names = ", ".join(check.name for check in many)
    said = (
        f"{slow}: left out are {names}, which would take about {_duration(more)}, `--check NAME` does one; "
        f"the {few} others take about {_duration(rest)}"
    )
    return Finding("repetitions", "skipped", said)


def _seconds(subject: Subject, count: int, each: tuple[int, int]) -> float:
    """How long so many checks take."""
    starts, answers = each
    if isinstance(subject, PerCase):
        starts = 0
    return count * (starts * subject.pace.start + answers * subject.pace.answer)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} minutes"
