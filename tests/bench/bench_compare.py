"""Speed of `compare --results`: processor time beside that of `json.loads` on the same lines, and memory.

    python tests/bench/bench_compare.py [--quick]

The results are of made-up libraries, most of which give one of few answers to a question, as real ones do.
Each measurement is a process of its own. A goal that is missed is shown and fails nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from urlharness.corpus.loader import load
from urlharness.corpus.model import Case
from urlharness.protocol.messages import TELLS_EMPTY, Implementation, Reply
from urlharness.results.model import AskedVector, Header, Participant, Result, ResultsWriter
from urlharness.results.verdict import judge

_HEADER = Header("urlresults-1", "bench", "bench", (), "2026-01-01T00:00:00+00:00", "bench", "3")
_FEATURES = (TELLS_EMPTY,)
_OPERATIONS = ("parse", "validate")

#: Read all lines of a file as JSON.
_PEER = "import json, sys; [json.loads(line) for line in open(sys.argv[1], 'rb')]"


class Way(NamedTuple):
    """A command to measure, and the most times as long as the peer that it may take."""

    title: str
    arguments: Sequence[str]
    most: float


WAYS = (
    Way("the page of one library", ("library-1",), 3.0),
    Way("two libraries", ("library-1", "library-2"), 3.0),
    Way("all libraries", (), 5.0),
)


class Cost(NamedTuple):
    """Seconds of processor time, and megabytes of memory at most."""

    seconds: float
    megabytes: float


def replies_to(case: Case) -> list[dict[str, Any]]:
    """Return what libraries may reply to a question: the right answer, another host, a refusal."""
    refusal = {"status": "reject"}
    expected = case.vector.expect.alternatives[0]
    if not isinstance(expected.components, dict):
        replies = [{"status": "ok"}, refusal]
        return replies if expected.valid is True else replies[::-1]
    right = {"status": "ok", "components": dict(expected.components)}
    wrong = {"status": "ok", "components": {**expected.components, "host": "other.example", "port": "1"}}
    return [right, wrong, refusal]


def results_of(name: str, number: int, cases: Sequence[Case]) -> Iterator[Result]:
    """Yield the results of a library, which answers rightly more often the greater its number is."""
    dice = random.Random(number)
    for case in cases:
        right, *others = replies_to(case)
        reply = right if dice.randrange(10) < 4 + number % 6 else dice.choice(others)
        outcome, variant, detail = judge(case, Reply(id=0, **reply), _FEATURES)
        yield Result(case.vector.id, name, outcome, variant, detail, reply)


def write_results(path: Path, libraries: int, questions: int) -> int:
    """Write the results of so many libraries and questions of RFC 3986, and return the number of lines."""
    corpus = load()
    cases_of_rfc = [case for case in corpus.cases if case.spec == "rfc3986" and case.vector.op in _OPERATIONS]
    cases = cases_of_rfc[:questions]
    writer = ResultsWriter(path.open("wb"), _HEADER)
    for case in cases:
        writer.write(AskedVector(case, corpus.requirements[case.vector.requirement]))
    for number in range(1, libraries + 1):
        name = f"library-{number}"
        about = Implementation(name, "1")
        writer.write(Participant(name, "ran", about, _OPERATIONS, ("rfc3986",), _FEATURES))
        for answer in results_of(name, number, cases):
            writer.write(answer)
    writer.close()
    return path.read_bytes().count(b"\n")


def cost(command: Sequence[str]) -> Cost:
    """Run a command, and return what it cost. Raise RuntimeError if it fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command}: exit code {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def main() -> None:
    """Measure each way beside the peer, by turns, and print the best of each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one round")
    rounds = 1 if parser.parse_args().quick else 5
    table = Table("compare --results", "seconds", "times json.loads", "at most", "MB", "")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "results.jsonl"
        lines = write_results(path, libraries=60, questions=2_000)
        costs: dict[str, list[Cost]] = {way.title: [] for way in WAYS}
        peers: list[Cost] = []
        for _ in range(rounds):
            peers.append(cost([sys.executable, "-c", _PEER, str(path)]))
            for way in WAYS:
                command = [sys.executable, "-m", "urlharness.cli", "compare", *way.arguments]
                costs[way.title].append(cost([*command, "--results", str(path)]))
    peer = min(peers)
    for way in WAYS:
        best = min(costs[way.title])
        ratio = best.seconds / peer.seconds
        cells = (f"{best.seconds:.2f}", f"{ratio:.1f}", f"{way.most:.0f}", f"{best.megabytes:.0f}")
        table.add_row(way.title, *cells, "met" if ratio <= way.most else "missed")
    console = Console(width=None if sys.stdout.isatty() else 100)
    console.print(table)
    console.print(f"{lines:,} lines, of which json.loads takes {peer.seconds:.2f} seconds")


if __name__ == "__main__":
    main()
