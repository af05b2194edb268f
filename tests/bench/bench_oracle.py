"""Speed of the oracle as ratios against `urllib.parse`, both measured in this run; nothing here can fail."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from rich.console import Console
from rich.table import Table

from urlharness.corpus import load
from urloracle import SPECIFICATIONS, InvalidURL, parse, resolve, specification
from urloracle.grammar import load as load_grammar
from urloracle.language import Languages

_ROUNDS = 5


def best(work: Callable[[], object]) -> float:
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def urls(count: int = 20_000) -> list[str]:
    """Distinct URLs of everyday shapes, all valid under RFC 3986."""
    hosts = ("example.com", "www.example.org:8080", "192.0.2.7", "user@host.example", "[2001:db8::7]")
    tails = ("/", "/a/b/c", "/index.html?q=%20x&y=1", "/~user/#top", "")
    return [
        f"http{'s' * (n % 2)}://{hosts[n % 5]}{tails[n // 5 % 5]}{'' if n // 5 % 5 == 4 else n}"
        for n in range(count)
    ]


def main() -> None:
    """Measure and print."""
    console = Console()
    texts = urls()
    split = urlsplit.__wrapped__ if hasattr(urlsplit, "__wrapped__") else urlsplit
    table = Table("what", "K/s", "times urllib", title=f"{len(texts)} URLs, Python {sys.version.split()[0]}")
    base = best(lambda: [split(text) for text in texts])
    table.add_row("urllib.parse.urlsplit, uncached", f"{len(texts) / base / 1000:.0f}", "1.00")
    for spec in SPECIFICATIONS.values():
        valid = [text for text in texts if spec.problem(text) is None]
        if not valid:
            continue
        unit = best(lambda valid=valid: [split(text) for text in valid])
        for name, work in (
            ("validate", lambda valid=valid, spec=spec: [spec.problem(text) for text in valid]),
            ("parse", lambda valid=valid, spec=spec: [parse(text, spec) for text in valid]),
        ):
            taken = best(work)
            table.add_row(f"{spec.id} {name}", f"{len(valid) / taken / 1000:.0f}", f"{unit / taken:.2f}")
    rfc3986 = specification("rfc3986")
    joined = best(lambda: [urljoin(text, "../g?y") for text in texts])
    table.add_row("urllib.parse.urljoin", f"{len(texts) / joined / 1000:.0f}", "1.00")
    taken = best(lambda: [resolve(text, "../g?y", rfc3986) for text in texts])
    table.add_row("rfc3986 resolve", f"{len(texts) / taken / 1000:.0f}", f"{joined / taken:.2f}")
    console.print(table)

    table = Table("grammar file to minimal automaton", "states", "ms")
    for spec in SPECIFICATIONS.values():
        taken = best(lambda spec=spec: Languages(load_grammar(*spec.files))[spec.default_rule].automaton)
        states = len(spec.language(spec.default_rule).automaton.table)
        table.add_row(f"{spec.id} {spec.default_rule}", str(states), f"{taken * 1000:.1f}")
    console.print(table)

    table = Table("command", "s")
    corpus = load()
    for command in (["--help"], ["--version"], ["run", "reference", "urllib"]):
        line = [sys.executable, "-m", "urlharness.cli", *command]
        taken = best(lambda line=line: subprocess.run(line, capture_output=True, check=False))
        table.add_row(f"urlconform {' '.join(command)}", f"{taken:.3f}")
    console.print(table, f"{len(corpus.cases)} vectors")


if __name__ == "__main__":
    try:
        main()
    except InvalidURL as problem:
        sys.exit(str(problem))
