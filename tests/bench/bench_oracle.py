"""Speed of the oracle as ratios against its peers, all measured in this run; nothing here can fail.

python tests/bench/bench_oracle.py [--quick] [--json FILE] [--only TEXT] [--spec RFC] [--count N]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import costs
import ours
import peers
from goals import judge
from rich.console import Console
from rich.table import Table
from timing import QUICK, Contender, Effort, measure
from urlmix import COUNT, urls

from urloracle import engine
from urloracle.rfcs import SPECIFICATIONS

SCHEMA = 1


def machine() -> dict[str, Any]:
    """Return the processor, the Python, the libraries and the date that the figures belong to."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line
        ]
        cpu = f"{names[0]}, {len(names)} cores" if names else cpu
    return {
        "cpu": cpu,
        "system": platform.system(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "engine": engine(),
        "date": datetime.now(UTC).date().isoformat(),
        "uncached": peers.HOW_UNCACHED,
        "peers": peers.versions(),
    }


def library_rows(
    libraries: Iterable[peers.Peer], items: list[Any], baseline: Any
) -> Iterator[Contender | str]:
    """Yield a contender for each library, its name alone where it is not installed."""
    for peer in libraries:
        call = peers.call(peer)
        yield peer.name if call is None else Contender(peer.name, call, items, baseline, silent=peer.silent)


def tables(texts: list[str], specs: list[str]) -> Iterator[tuple[str, str, str, list[Contender | str]]]:
    """Title, texts, baseline and contenders of each table, in the order of print."""
    whole = f"all {len(texts):,}"
    yield (
        "peers",
        whole,
        "urlsplit",
        [
            Contender("urllib.parse.urlsplit, uncached", peers.URLSPLIT, texts, peers.URLSPLIT),
            Contender("an empty call of a function in C", peers.FLOOR, texts, peers.URLSPLIT),
            *library_rows(peers.SPLITTING, texts, peers.URLSPLIT),
        ],
    )
    rfc3986 = SPECIFICATIONS["rfc3986"]
    bases = ours.pairs(rfc3986, texts, "both")
    yield (
        "peers that resolve",
        f"{len(bases):,} distinct bases",
        "urljoin",
        [
            Contender("urllib.parse.urljoin", peers.URLJOIN, bases, peers.URLJOIN),
            *library_rows(peers.JOINING, bases, peers.URLJOIN),
        ],
    )
    for name in specs:
        spec = SPECIFICATIONS[name]
        valid = ours.valid_texts(spec, texts)
        for label, portion in ((whole, texts), (f"the {len(valid):,} valid", valid)):
            rows = [
                *ours.verdicts(spec, portion),
                *ours.splits(spec, portion),
                *ours.components(spec, portion),
                *ours.normal_forms(spec, portion),
                *(ours.comparisons(spec, portion) if portion is valid else ()),
            ]
            yield spec.title, label, "urlsplit", [*rows]
        resolving = ours.resolutions(spec, valid)
        if resolving:
            label = f"{len(resolving[0].items):,} distinct bases"
            yield f"{spec.title}, resolution", label, "urljoin", [*resolving]
    yield (
        "peers that normalize",
        whole,
        "urlsplit",
        [*library_rows(peers.NORMALIZING, texts, peers.URLSPLIT)],
    )


def run(options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Measure, printing each table as it is done."""
    effort = QUICK if options.quick else Effort()
    texts = urls(options.count)
    figures: dict[str, Any] = {
        "schema": SCHEMA,
        "machine": machine(),
        "effort": {**asdict(effort), "quick": options.quick},
        "mix": {"texts": len(texts), "mean": sum(map(len, texts)) / len(texts)},
        "tables": [],
    }
    for title, label, baseline, rows in tables(texts, options.spec or list(SPECIFICATIONS)):
        selected = [
            row for row in rows if options.only in f"{title} {row if isinstance(row, str) else row.name}"
        ]
        if not selected:
            continue
        with console.status(f"{title}, {label}"):
            done = [
                {"name": row, "missing": True} if isinstance(row, str) else measure(row, effort).asdict()
                for row in selected
            ]
        table = {"title": title, "texts": label, "baseline": baseline, "rows": done}
        figures["tables"].append(table)
        console.print(show(table))
    if not options.only:
        rounds = 5 if options.quick else 15
        with console.status("import, grammars, commands"):
            figures["imports"] = costs.imports(rounds)
            figures["grammars"] = costs.grammars(rounds)
            figures["commands"] = costs.commands(3 if options.quick else 7)
            figures["first screen"] = costs.first_screen(3 if options.quick else 7)
            figures["vectors"] = costs.vectors()
        console.print(*show_costs(figures))
    console.print(show_goals(figures))
    return figures


def show(table: dict[str, Any]) -> Table:
    """Return a table of contenders."""
    contenders = Table(
        f"{table['title']}, {table['texts']}",
        "K/s",
        f"times {table['baseline']}",
        "80 % of the rounds",
        "refused",
        "items",
    )
    for row in table["rows"]:
        if row.get("missing"):
            contenders.add_row(row["name"], "not installed")
            continue
        contenders.add_row(
            row["name"],
            f"{row['thousands']:,.0f}",
            f"{row['ratio']:.2f}",
            f"{row['low']:.2f} to {row['high']:.2f}",
            f"{row['refused']:.1%}",
            f"{row['items']:,}",
        )
    return contenders


def show_costs(figures: dict[str, Any]) -> list[Table]:
    """Return the tables of what is paid once."""
    loads = Table("import", "ms of the processor")
    for name, milliseconds in figures["imports"].items():
        loads.add_row(name, f"{milliseconds:.1f}")
    grammars = Table("grammar", "rule", "states", "read, ms", "automaton, ms", "pattern, ms")
    for row in figures["grammars"]:
        times = (f"{row[name]:.1f}" for name in ("read", "automaton", "pattern"))
        grammars.add_row(row["rfc"], row["rule"], str(row["states"]), *times)
    commands = Table(f"command ({figures['vectors']:,} vectors)", "ms of the processor")
    for name, milliseconds in figures["commands"].items():
        commands.add_row(name, f"{milliseconds:.0f}")
    return [loads, grammars, commands]


def show_goals(figures: dict[str, Any]) -> Table:
    """Return the goals, met or missed."""
    goals = Table("goal", "where", "limit", "measured", "")
    for judged in judge(figures):
        goals.add_row(
            judged.title, judged.where, judged.goal, judged.measured, "met" if judged.met else "missed"
        )
    return goals


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a run of about a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose table and name hold the text")
    parser.add_argument("--spec", action="append", choices=list(SPECIFICATIONS), help="this RFC (repeatable)")
    parser.add_argument("--count", type=int, default=COUNT, help="how many texts")
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 150)
    figures = run(options, console)
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
