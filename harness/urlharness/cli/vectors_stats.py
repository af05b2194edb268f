"""`urlconform vectors stats`: what the corpus covers, by section and by rule, and what it does not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from urlharness.exitcodes import Exit

if TYPE_CHECKING:
    from urlharness.authoring.stats import Stats

#: Names of our own in a grammar, for what an RFC spells out in words (R-2732-08) or leaves to its reader.
_OWN_NAMES = {("rfc2732", "tail"), ("rfc1808", "lwsp")}
_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("stats")
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--uncovered", is_flag=True, help="Print only what is uncovered; 1 where that is anything.")
def stats(directory: Path | None, specs: tuple[str, ...], as_json: bool, uncovered: bool) -> int:
    """Show what the corpus covers by RFC, section, rule, level, binding, class and flag.

    Uncovered is a statement that a library could violate and no vector tests, a grammar statement without an
    accepting or without a rejecting vector where it has both sides, and a rule that is not asked from both.
    """
    from urlharness.authoring.stats import measure
    from urlharness.corpus import load

    figures = measure(load(directory), grammar_rules())
    wanted = _chosen(specs)
    figures = figures._replace(
        specs={spec: found for spec, found in figures.specs.items() if spec in wanted},
        uncovered=[hole for hole in figures.uncovered if hole.spec in wanted],
    )
    if uncovered:
        plain = figures.plain()["uncovered"]
        lines = [json.dumps(plain)] if as_json else [str(hole) for hole in figures.uncovered]
        for line in lines:
            click.echo(line)
        return Exit.FAILED if figures.uncovered else Exit.PASSED
    if as_json:
        click.echo(json.dumps(figures.plain()))
    else:
        _print(figures)
    return Exit.PASSED


def grammar_rules() -> dict[str, list[str]]:
    """The rules of each grammar that vectors have to ask; of RFC 2732 those that it adds or changes."""
    from urloracle import SPECIFICATIONS

    older = SPECIFICATIONS["rfc2396"].grammar
    found = {}
    for spec, specification in SPECIFICATIONS.items():
        grammar = specification.grammar
        inherited = spec == "rfc2732"
        found[spec] = [
            rule
            for rule in grammar
            if (spec, rule) not in _OWN_NAMES
            and not (inherited and rule in older and grammar[rule] == older[rule])
        ]
    return found


def _chosen(specs: tuple[str, ...]) -> tuple[str, ...]:
    from urlharness.corpus import SPECS
    from urlharness.selection import Selection, spec_name

    return Selection(tuple(map(spec_name, specs))).specs or SPECS


def _print(stats: Stats) -> None:
    from rich import box
    from rich.table import Table

    from urlharness.authoring.sides import KINDS
    from urlharness.cli.output import console

    out = console()
    for spec, totals in stats.specs.items():
        table = Table(
            title=f"RFC {spec[3:]}: requirements by testability, vectors by kind",
            title_justify="left",
            box=box.SIMPLE,
            pad_edge=False,
        )
        table.add_column("section")
        for name in ("library", "client", "no", *KINDS):
            table.add_column(name, justify="right")
        rows = [(section, found) for (of, section), found in stats.sections.items() if of == spec]
        for section, found in [*rows, ("all", totals)]:
            if section == "all":
                table.add_section()
            numbers = [found.requirements[name] for name in ("library", "client", "no")]
            numbers += [found.vectors[name] for name in KINDS]
            table.add_row(section, *(str(number) if number else "." for number in numbers))
        out.print(table)
        for label, counts in (
            ("levels", totals.levels),
            ("bindings", totals.bindings),
            ("flags", totals.flags),
            ("classes", totals.classes),
        ):
            out.print(f"{label:10}{_listed(counts)}", soft_wrap=True)
        rules = stats.rules.get(spec, {})
        out.print(f"{'rules':10}asked from both sides, and open where a text is refused:")
        for rule, asked in rules.items():
            out.print(f"  {rule:24}{asked.accepting:5}{asked.rejecting:5}{asked.open:5}")
        out.print()
    out.print(f"uncovered: {len(stats.uncovered)}")
    for hole in stats.uncovered:
        out.print(f"  {hole}", soft_wrap=True)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"
