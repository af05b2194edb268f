"""Speed of the Hypothesis strategies: examples a second, beside `from_regex` at about the same mean length.

    python tests/bench/bench_strategies.py

Both are drawn by `@given` from the rule URI of RFC 3986, by turns; time is that of the process.
"""

from __future__ import annotations

import argparse
import time
from statistics import mean, median

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy, from_regex
from rich.console import Console

from urlharness.strategies import urls
from urloracle.rfcs import SPECIFICATIONS

#: Times `from_regex` at equal mean length.
GOAL = 10.0


def drawn(strategy: SearchStrategy[str], count: int) -> tuple[float, float]:
    """Return how many examples are drawn in a second, and their mean length."""
    lengths: list[int] = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def test(text: str) -> None:
        lengths.append(len(text))

    start = time.process_time()
    test()
    return len(lengths) / (time.process_time() - start), mean(lengths)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer examples")
    console = Console(soft_wrap=True, highlight=False)
    count = 100 if parser.parse_args().quick else 400
    peer = from_regex(SPECIFICATIONS["rfc3986"].languages["URI"].pattern.regex, fullmatch=True)
    _, length = drawn(peer, count)
    strategy = min(
        (urls(max_size=size) for size in range(40, 200, 8)),
        key=lambda candidate: abs(drawn(candidate, count)[1] - length),
    )
    ratios = []
    for _ in range(5):
        theirs, their_length = drawn(peer, count)
        ours, our_length = drawn(strategy, 5 * count)
        ratios.append(ours / theirs)
        console.print(
            f"{strategy}: {ours:,.0f} a second of mean length {our_length:.0f}; "
            f"from_regex: {theirs:,.0f} of {their_length:.0f}"
        )
    ratio = median(ratios)
    console.print(
        f"median: {ratio:.1f} times from_regex (goal: {GOAL:.0f}) {'reached' if ratio >= GOAL else 'MISSED'}"
    )


if __name__ == "__main__":
    main()
