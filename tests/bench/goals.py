"""The goals, and whether the figures meet them; a goal that is missed is shown and fails nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import costs


class Goal(NamedTuple):
    """A ratio to reach by the rows of this name, in the tables whose title and texts contain `where`."""

    title: str
    row: str
    least: float
    where: str = ""


RATIOS = (
    Goal("compiled verdict, times urlsplit", "verdict: compiled pattern", 3.5),
    Goal("split to a plain tuple, times urlsplit", "split: plain tuple", 2.5),
    *(
        Goal(
            "parse() of valid texts, times urlsplit",
            "parse()",
            1.95 if rfc == 2396 else 2.0,
            f"RFC {rfc}, the",
        )
        for rfc in (1738, 1808, 2396, 2732, 3986)
    ),
    Goal("parse() of all texts, times urlsplit", "parse()", 1.7, ", all"),
    Goal("resolve() on distinct bases, times urljoin", "resolve(), both", 2.5),
)

#: The same with the C engine, on valid texts.
NATIVE = (
    Goal("verdict by the engine, times urlsplit", "verdict: the reader inside", 24, "valid"),
    Goal("validate(), times urlsplit", "verdict: validate()", 15, "valid"),
    Goal("parse() to components, times urlsplit", "parse()", 8, "valid"),
    Goal("view by the engine, times urlsplit", "view: the reader inside", 18, "valid"),
    Goal("resolve() on distinct bases, times urljoin", "resolve(), both", 18, "RFC 3986, resolution"),
    Goal("resolve() on distinct bases, times urljoin", "resolve(), both", 12, "resolution"),
)

#: What must stay under so many milliseconds.
IMPORT, AUTOMATON, HELP = 60.0, 200.0, 150.0

#: At most how many milliseconds of the processor a command takes.
COMMANDS = {costs.ONE_CASE: 200.0, costs.COMPARE: 350.0}

#: At most how many seconds of the clock the first screen takes on two cores.
FIRST_SCREEN = 2.6

#: At most how many times as long `urlconform validate` takes as a Python that validates the same text.
VALIDATE = 1.8


class Judged(NamedTuple):
    """A goal with what was measured for it, and where."""

    title: str
    where: str
    goal: str
    measured: str
    met: bool


def _ratios(figures: dict[str, Any]) -> Iterator[Judged]:
    for goal in NATIVE if figures.get("machine", {}).get("engine") == "native" else RATIOS:
        for table in figures["tables"]:
            heading = f"{table['title']}, {table['texts']}"
            if goal.where not in heading:
                continue
            for row in table["rows"]:
                if row.get("missing") or not row["name"].startswith(goal.row):
                    continue
                name = heading + row["name"].removeprefix(goal.row)
                measured = f"{row['ratio']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
                yield Judged(goal.title, name, f"at least {goal.least}", measured, row["ratio"] >= goal.least)


def judge(figures: dict[str, Any]) -> Iterator[Judged]:
    """Yield each goal for each row that it speaks of, then the goals for what is paid once."""
    yield from _ratios(figures)
    if "imports" in figures:
        yield _under("import urloracle", "best", IMPORT, figures["imports"]["import urloracle"])
    for row in figures.get("grammars", ()):
        yield _under("grammar file to automaton", row["rfc"], AUTOMATON, row["automaton"])
    commands = figures.get("commands", {})
    for command, milliseconds in commands.items():
        if command.endswith("--help"):
            yield _under("help of a command", command, HELP, milliseconds)
    if "first screen" in figures:
        seconds = figures["first screen"]
        yield Judged(
            "first screen",
            "urlconform",
            f"at most {FIRST_SCREEN} s",
            f"{seconds:.1f} s",
            seconds <= FIRST_SCREEN,
        )
    if commands:
        for arguments, limit in COMMANDS.items():
            name = " ".join(("urlconform", *arguments))
            if name in commands:
                yield _under("processor time of a command", name, limit, commands[name])
        command = " ".join(("urlconform", *costs.VALIDATE))
        times = commands[command] / commands[costs.PEER]
        title = "command, times a Python that validates"
        yield Judged(title, command, f"at most {VALIDATE}", f"{times:.2f}", times <= VALIDATE)


def _under(title: str, name: str, limit: float, milliseconds: float) -> Judged:
    return Judged(title, name, f"under {limit:.0f} ms", f"{milliseconds:.1f} ms", milliseconds < limit)
