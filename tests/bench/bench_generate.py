"""Speed of generated texts: labelled texts a second, and characters a second beside other generators.

grammarinator gets our grammar in ANTLR's notation; `hypothesis.from_regex` gets the pattern of the rule. Both
give valid texts without labels. All are measured in turns in one process, so they share busy moments.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from urlharness.generate.compiled import CompiledSampler
from urlharness.generate.requests import Request, Texts
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import SPECIFICATIONS, specification

#: Texts of these lengths have a mean length of 40.
_LENGTHS = range(1, 80)
_ROUNDS = 5

#: Texts a second: plain Python by weights and exactly uniform, with the batch extra by weights.
GOALS = {"weights": 50_000, "uniform": 20_000, "batch": 500_000}
#: Times as many characters a second as the others.
RATIOS = {"grammarinator": 50, "from_regex": 100}


class Measured(NamedTuple):
    """The best round: texts a second, and their mean length."""

    texts: float
    length: float

    @property
    def characters(self) -> float:
        return self.texts * self.length


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", action="append", choices=SPECIFICATIONS, help="this RFC (repeatable)")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, metavar="N", help="the best of so many rounds")
    options = parser.parse_args()
    console = Console()
    table = Table("RFC", "texts", "a second", "mean length", "goal", title=f"Python {sys.version.split()[0]}")
    for spec in options.spec or SPECIFICATIONS:
        for name, measured in measure(ours(spec), options.rounds).items():
            goal = next((goal for key, goal in GOALS.items() if name.startswith(key)), None)
            table.add_row(spec, name, *_cells(measured), _met(measured.texts, goal))
    console.print(table)
    with tempfile.TemporaryDirectory() as folder:
        others = {"grammarinator": grammarinator(Path(folder)), "from_regex": from_regex}
        works = {"weights, valid": plain("rfc3986", "URI"), "batch, valid": batch("rfc3986", "URI")}
        best = measure(works | others, options.rounds)
    table = Table("RFC 3986, URI", "texts a second", "mean length", "times characters of", "", "goal")
    for name in others:
        table.add_row(name, *_cells(best[name]))
    for name in works:
        for peer, goal in RATIOS.items():
            ratio = best[name].characters / best[peer].characters
            table.add_row(name, *_cells(best[name]), peer, f"{ratio:,.0f}", _met(ratio, goal))
    console.print(table)


def _cells(measured: Measured) -> tuple[str, str]:
    return f"{measured.texts:,.0f}", f"{measured.length:.1f}"


def _met(measured: float, goal: int | None) -> str:
    return "" if goal is None else f"{goal:,} {'met' if measured >= goal else 'MISSED'}"


#: Yields the lengths of some texts after each other; the sum of the time between them is measured.
Work = Callable[[int], Iterator[tuple[int, int]]]


def measure(works: dict[str, Work], rounds: int) -> dict[str, Measured]:
    """Measure each work in turns; a round takes other texts than the one before."""
    best: dict[str, Measured] = {}
    for number in range(rounds):
        for name, work in works.items():
            texts = characters = 0
            portions = work(number)
            next(portions)  # what is paid once
            start = time.thread_time()
            for some, length in portions:
                texts += some
                characters += length
            measured = Measured(texts / (time.thread_time() - start), characters / texts)
            best[name] = max(best.get(name, measured), measured)
    return best


def ours(spec: str) -> dict[str, Work]:
    """Return the works that draw labelled texts of the default rule of an RFC."""
    return {
        "weights, valid": plain(spec),
        "weights, invalid": plain(spec, kind="invalid"),
        "uniform, valid": plain(spec, uniform=True),
        "batch, valid": batch(spec),
        "batch, invalid": batch(spec, kind="invalid"),
        "exactly uniform with batch, valid": batch(spec, uniform=True),
        "Python objects with batch, valid": batch(spec, objects=True),
        "all RFCs, valid": plain(spec, number=1500, all_specs=True),
    }


def plain(
    spec: str, rule: str | None = None, *, kind: str = "valid", number: int = 25_000, **asked: Any
) -> Work:
    """Draw samples without the batch extra."""
    seeds = count()

    def work(_: int) -> Iterator[tuple[int, int]]:
        warm = min(5000, number)
        extras = {kind: True, **asked}
        request = Request(
            spec=spec, rule=rule, number=number + warm, length=_LENGTHS, seed=next(seeds), **extras
        )
        chunks = Texts(request).chunks(kind)
        for _ in range(warm // 1000):
            next(chunks)
        yield 0, 0
        for chunk in chunks:
            yield len(chunk), sum(len(sample.text) for sample in chunk)

    return work


def batch(
    spec: str, rule: str | None = None, *, kind: str = "valid", objects: bool = False, **asked: Any
) -> Work:
    """Draw columns of samples, or Python objects, with the batch extra; the first round fills its tables."""

    def work(number: int) -> Iterator[tuple[int, int]]:
        extras = {kind: True, **asked}
        request = Request(spec=spec, rule=rule, number=400_000, length=_LENGTHS, seed=number, **extras)
        chunks = Texts(request, fast_sampler=CompiledSampler).chunks(kind)
        for _ in range(30):
            next(chunks)
        yield 0, 0
        for chunk in chunks:
            if objects:
                list(chunk)
            yield len(chunk), int(chunk.offsets[-1] - chunk.offsets[0])

    return work


def from_regex(number: int) -> Iterator[tuple[int, int]]:
    """Draw valid texts by `hypothesis.from_regex`, as a property test does."""
    pattern = specification("rfc3986").languages["URI"].pattern.regex
    yield 0, 0
    lengths: list[int] = []

    @settings(
        max_examples=300,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.from_regex(pattern, fullmatch=True))
    def draw(text: str) -> None:
        lengths.append(len(text))

    draw()
    yield len(lengths), sum(lengths)


def grammarinator(folder: Path) -> Work:
    """Make a generator of grammarinator from our grammar, and draw valid texts with it."""
    from grammarinator.runtime import DefaultModel
    from grammarinator.tool import ProcessorTool

    (folder / "Url.g4").write_text("\n".join(antlr(specification("rfc3986").grammar, "URI")), "ascii")
    tool = ProcessorTool("py", str(folder))
    tool.process([str(folder / "Url.g4")], default_rule="r_uri")
    sys.path.insert(0, str(folder))
    generator = importlib.import_module("UrlGenerator").UrlGenerator

    def work(number: int) -> Iterator[tuple[int, int]]:
        import random

        random.seed(number)
        yield 0, 0
        for _ in range(2000):
            text = str(generator(model=DefaultModel()).r_uri())
            yield 1, len(text)

    return work


def antlr(grammar: Grammar, top: str) -> Iterator[str]:  # noqa: C901 - a case for each kind
    """Yield the lines of a grammar in ANTLR's notation: sets of characters are tokens."""
    yield "grammar Url;"
    tokens: dict[frozenset[str], str] = {}

    def text(expression: Expression) -> str:
        match expression:
            case Characters(members):
                return tokens.setdefault(members, f"T{len(tokens)}")
            case Reference(name):
                return _name(name)
            case Capture(_, captured):
                return text(captured)
            case Sequence(items):
                return "(" + " ".join(map(text, items)) + ")"
            case Alternation(items):
                return "(" + " | ".join(map(text, items)) + ")"
            case Repetition(repeated, minimum, None):
                return " ".join([text(repeated)] * minimum + [f"{text(repeated)}*"])
            case Repetition(repeated, minimum, maximum):
                optional = [f"{text(repeated)}?"] * (maximum - minimum)
                return "(" + " ".join([text(repeated)] * minimum + optional) + ")"
        raise AssertionError(expression)

    for rule in sorted(grammar.reachable(top)):
        yield f"{_name(rule)} : {text(grammar[rule])} ;"
    for members, token in tokens.items():
        codes = "".join(f"\\u{ord(char):04X}" for char in sorted(members))
        yield f"{token} : [{codes}] ;"


def _name(rule: str) -> str:
    return "r_" + rule.lower().replace("-", "_")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
