"""The figures in the page on performance: what stands between its marks is written anew from result files.

    python tests/bench/page.py docs/performance.md 3.11.json 3.12.json … harness.json

A mark is `<!-- figures: NAME -->`, its end `<!-- end of figures -->`; the rest of the page is left as it is.
The first file gives the thousands a second, and every file a column of ratios.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bench_harness
from goals import Judged, judge

Figures = dict[str, Any]
Lines = Iterator[str]

_MARKED = re.compile(r"(<!-- figures: ([a-z ]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def row(*cells: object) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(*cells: str, words: int = 1) -> Lines:
    """The first two lines of a table: so many columns of words, the others of numbers."""
    yield row(*cells)
    yield row(*("---" if number < words else "---:" for number in range(len(cells))))


def python(figures: Figures) -> str:
    """The version of a run, short."""
    return ".".join(figures["machine"]["python"].split(".")[:2])


def conditions(runs: list[Figures]) -> Lines:
    """What the figures hold for."""
    yield from head(
        "Python", "date", "processor", "rounds, runs in each, texts of a run", "`urlsplit` uncached", words=5
    )
    for run in runs:
        made, effort = run["machine"], run["effort"]
        rounds = f"{effort['rounds']}, {effort['runs']}, {effort['items']:,}"
        yield row(
            f"{made['implementation']} {made['python']}", made["date"], made["cpu"], rounds, made["uncached"]
        )
    yield ""
    versions = ", ".join(
        f"{name} {found or 'not installed'}" for name, found in runs[0]["machine"]["peers"].items()
    )
    mix = runs[0]["mix"]
    yield f"Peers: {versions}. Texts: {mix['texts']:,}, {mix['mean']:.1f} characters in the mean."


def goals(runs: list[Figures]) -> Lines:
    """Each goal and every row that it speaks of; a miss is bold."""
    found = [{judged[:3]: judged for judged in judge(run)} for run in runs]
    yield from head("goal", "where", *map(python, runs), words=2)
    for key in found[0]:
        cells = [_reached(judged.get(key)) for judged in found]
        yield row(f"{key[0]}: {key[2]}", key[1] or "", *cells)


def _reached(judged: Judged | None) -> str:
    if judged is None:
        return ""
    short = judged.measured.partition(" (")[0]
    return short if judged.met else f"**{short}**"


def tables(wanted: Callable[[str], bool]) -> Callable[[list[Figures]], Lines]:
    """The tables whose titles are wanted, one after the other."""

    def lines(runs: list[Figures]) -> Lines:
        for place, table in enumerate(runs[0]["tables"]):
            if wanted(table["title"]):
                yield from _table(table, [run["tables"][place]["rows"] for run in runs], runs)
                yield ""

    return lines


def _table(table: Figures, columns: list[list[Figures]], runs: list[Figures]) -> Lines:
    first = f"{table['title']}, {table['texts']}"
    ratios = [f"times {table['baseline']}, {python(run)}" for run in runs]
    yield from head(first, f"K/s, {python(runs[0])}", *ratios, "refused")
    for number, made in enumerate(table["rows"]):
        name = made["name"].replace("|", "\\|")
        if made.get("missing"):
            yield row(name, "not installed", *("" for _ in runs), "")
            continue
        cells = [_ratio(rows[number]) for rows in columns]
        yield row(name, f"{made['thousands']:,.0f}", *cells, f"{made['refused']:.1%}")


def _ratio(made: Figures) -> str:
    if made.get("missing"):
        return "not installed"
    return f"{made['ratio']:.2f} ({made['low']:.2f} to {made['high']:.2f})"


def once(runs: list[Figures]) -> Lines:
    """What is paid once, in milliseconds."""
    yield from head("once, ms of the processor", *map(python, runs))
    for name in runs[0]["imports"]:
        yield row(f"`{name}`" if "import" in name else name, *(f"{run['imports'][name]:.1f}" for run in runs))
    for number, made in enumerate(runs[0]["grammars"]):
        for key, title in (("automaton", "minimal automaton"), ("pattern", "compiled pattern")):
            states = f" ({made['states']} states)" if key == "automaton" else ""
            cells = (f"{run['grammars'][number][key]:.1f}" for run in runs)
            yield row(f"{made['rfc']} `{made['rule']}`, grammar file to {title}{states}", *cells)
    for command in runs[0]["commands"]:
        yield row(f"`{command}`", *(f"{run['commands'][command]:.0f}" for run in runs))
    yield ""
    yield f"`urlconform run reference` asks {runs[0]['vectors']:,} vectors."


def harness(runs: list[Figures]) -> Lines:
    """The ways to ask an adapter, then the goals."""
    first = runs[0]
    compared = [f"times one at a time, {python(run)}" for run in runs]
    yield from head("how it is asked", "cases/s", "own µs a case", *compared)
    for number, made in enumerate(first["harness"]):
        cells = [_compared(run["harness"][number]) for run in runs]
        yield row(made["name"], f"{made['best']:,.0f}", f"{made['own']:.1f}", *cells)
    yield ""
    found = [bench_harness.goals(run["harness"]) for run in runs]
    yield from head("goal", *map(python, runs))
    for number, (what, least, _, _) in enumerate(found[0]):
        judged = [goals[number] for goals in found]
        yield row(f"{what}: {least}", *(got if met else f"**{got}**" for _, _, got, met in judged))
    yield ""
    made = first["machine"]
    yield (
        f"{made['implementation']} {made['python']}, {made['cpu']}, {made['date']}; "
        f"load of the machine before: {made['load']:.1f}; {first['rounds']} rounds."
    )


def _compared(made: Figures) -> str:
    if not made["against"]:
        return ""
    ratio, low, high = (bench_harness.times(made[name]) for name in ("ratio", "low", "high"))
    return f"{ratio} ({low} to {high})"


BLOCKS: dict[str, Callable[[list[Figures]], Lines]] = {
    "conditions": conditions,
    "goals": goals,
    "peers": tables(lambda title: title == "peers"),
    "by rfc": tables(lambda title: title.startswith("RFC") and "resolution" not in title),
    "resolution": tables(lambda title: "resol" in title),
    "normal forms": tables(lambda title: title == "peers that normalize"),
    "once": once,
    "harness": harness,
}


def written(page: str, runs: list[Figures]) -> str:
    """The page with the figures of the runs; raises KeyError for a mark that names no block.

    What stands between the marks of a benchmark of which no run is given is left as it is.
    """

    def block(match: re.Match[str]) -> str:
        measured = "harness" if match[2] == "harness" else "tables"
        some = [run for run in runs if measured in run]
        if not some:
            return match[0]
        lines = "\n".join(BLOCKS[match[2]](some)).strip()
        return f"{match[1]}\n{lines}\n\n{match[3]}"

    return _MARKED.sub(block, page)


def main() -> None:
    """Write the page anew."""
    path, *files = map(Path, sys.argv[1:])
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    path.write_text(written(path.read_text(encoding="utf-8"), runs), encoding="utf-8")


if __name__ == "__main__":
    main()
