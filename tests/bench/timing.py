"""Ratios of speed: a contender runs right beside its baseline, on the same items, again and again.

A round takes other items than the one before and alternates between both, so what else the machine does hits
both; of each the best run of the round counts.  Time is that of the thread, without what others took of the
processor.  The collector of cycles is off, as it is in `timeit`.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from time import thread_time
from typing import Any

Call = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Effort:
    """The extent of a measurement: rounds, runs per round, items of a run, seconds that a run may take."""

    rounds: int = 15
    runs: int = 3
    items: int = 6_000
    seconds: float = 0.03


QUICK = Effort(rounds=5, items=3_000, seconds=0.015)

#: So many items at least: no cache of a peer holds what it takes to keep them.
_FEWEST = 400


@dataclass(frozen=True, slots=True)
class Contender:
    """A call to measure on items: texts for a call of one argument, pairs for a call of two.

    `last` is one more argument, the same for all; `silent` says that the call answers None to what it
    accepts.  `baseline` is measured on `against` where that is given, on the same items otherwise.
    """

    name: str
    call: Call
    items: Sequence[Any]
    baseline: Call
    last: str | None = None
    silent: bool = False
    against: Sequence[Any] | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """The result of a measurement: best thousands per second, ratios of the rounds, share of refused items.

    `ratio` is the median over the rounds, `low` and `high` the first and the last of nine deciles.
    """

    name: str
    items: int
    thousands: float
    baseline_thousands: float
    ratio: float
    low: float
    high: float
    refused: float
    raised: dict[str, int]

    def asdict(self) -> dict[str, Any]:
        return asdict(self)


#: Each kind of call has its own loop, so that none pays for another's arguments.
_LOOP = """
def loop(call, items, last):
    start = thread_time()
    for {variables} in items:
        try:
            call({arguments})
        except Exception:
            pass
    return thread_time() - start
"""


def _loop(variables: str, arguments: str) -> Callable[[Call, Sequence[Any], str | None], float]:
    names: dict[str, Any] = {"thread_time": thread_time}
    exec(_LOOP.format(variables=variables, arguments=arguments), names)
    loop: Callable[[Call, Sequence[Any], str | None], float] = names["loop"]
    return loop


_LOOPS = {
    (False, False): _loop("text", "text"),
    (False, True): _loop("text", "text, last"),
    (True, False): _loop("left, right", "left, right"),
    (True, True): _loop("left, right", "left, right, last"),
}


def seconds(call: Call, items: Sequence[Any], last: str | None = None) -> float:
    """Return the seconds to call once for each item, the refusals included."""
    return _LOOPS[isinstance(items[0], tuple), last is not None](call, items, last)


def refusals(contender: Contender, items: Sequence[Any]) -> tuple[float, dict[str, int]]:
    """Return the share of refused items (an exception, None, False), and the exceptions by name."""
    refused = 0
    raised: Counter[str] = Counter()
    last = () if contender.last is None else (contender.last,)
    for texts in items:
        arguments = texts if isinstance(texts, tuple) else (texts,)
        try:
            answer = contender.call(*arguments, *last)
        except Exception as problem:  # noqa: BLE001 - every peer refuses in its own way
            raised[type(problem).__name__] += 1
            refused += 1
        else:
            refused += answer is False or (answer is None and not contender.silent)
    return refused / len(items), dict(raised.most_common())


def measure(contender: Contender, effort: Effort) -> Figure:
    """Alternate baseline and contender, round by round."""
    call, last = contender.call, contender.last
    refused, raised = refusals(contender, contender.items[:2000])
    probe = contender.items[:200]
    seconds_of_call = min(seconds(call, probe, last) for _ in range(3)) / len(probe)
    size = min(effort.items, len(contender.items), max(_FEWEST, int(effort.seconds / seconds_of_call)))
    against = contender.items if contender.against is None else contender.against
    starts = range(0, len(contender.items) - size + 1, size)
    best, best_baseline = [], []
    gc.collect()
    gc.disable()
    try:
        for number in range(effort.rounds):
            start = starts[number % len(starts)]
            items, baseline_items = contender.items[start : start + size], against[start : start + size]
            runs = [
                (seconds(contender.baseline, baseline_items), seconds(call, items, last))
                for _ in range(effort.runs)
            ]
            best_baseline.append(min(baseline for baseline, _ in runs))
            best.append(min(ours for _, ours in runs))
    finally:
        gc.enable()
    ratios = [baseline / ours for ours, baseline in zip(best, best_baseline, strict=True)]
    deciles = quantiles(ratios, n=10, method="inclusive")
    return Figure(
        name=contender.name,
        items=size,
        thousands=size / min(best) / 1000,
        baseline_thousands=size / min(best_baseline) / 1000,
        ratio=median(ratios),
        low=deciles[0],
        high=deciles[-1],
        refused=refused,
        raised=raised,
    )
