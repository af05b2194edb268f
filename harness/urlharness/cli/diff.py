"""`urlconform diff`: two rules as languages, compared exactly."""

from __future__ import annotations

import dataclasses
import json
from typing import get_args

import click
from rich import box
from rich.table import Table
from rich.text import Text

from urlharness.cli.output import console
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urlharness.selection import spec_name
from urloracle import specification
from urloracle.answers import Profile, UnknownRule, UnknownSpecification
from urloracle.automaton import Automaton
from urloracle.relation import Relation, relate

_SENTENCES = {
    "equal": "{left} and {right} are the same language.",
    "included": "{left} is a proper subset of {right}.",
    "includes": "{left} is a proper superset of {right}.",
    "overlapping": "{left} and {right} overlap; neither includes the other.",
    "disjoint": "{left} and {right} have no word in common.",
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("left", metavar="SPEC[:RULE[:PROFILE]]")
@click.argument("right", metavar="SPEC[:RULE[:PROFILE]]")
@click.option(
    "--length",
    type=click.IntRange(0, 64),
    default=8,
    show_default=True,
    metavar="N",
    help="Count the words up to this length.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")  # fmt: skip
def diff(left: str, right: str, length: int, as_json: bool) -> int:
    """Decide how two languages relate: equal, included, or different, with shortest witnesses both ways.

    Without a RULE the language of whole URLs is meant; 1 where the two are not equal.
    """
    relation = relate(_automaton(left), _automaton(right), range(length + 1))
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(relation)))
    else:
        _print(left, right, relation)
    return Exit.PASSED if relation.verdict == "equal" else Exit.FAILED


def _automaton(name: str) -> Automaton:
    """The automaton of `SPEC`, `SPEC:RULE` or `SPEC:RULE:PROFILE`; raises a usage error."""
    spec, *rest = name.split(":")
    rule = rest[0] if rest and rest[0] else None
    profile = next((known for known in get_args(Profile) if rest[1:] == [known]), None)
    if len(rest) > 1 and profile is None:
        profiles = ", ".join(get_args(Profile))
        raise click.BadParameter(f"{name!r} is not SPEC[:RULE[:PROFILE]] with a profile of {profiles}")
    try:
        chosen = specification(spec_name(spec))
        found: Automaton = chosen.automaton(rule or chosen.default_rule, profile)
    except (UnknownSpecification, UnknownRule) as unknown:
        raise click.BadParameter(f"{name}: {unknown}") from None
    return found


def _print(left: str, right: str, relation: Relation) -> None:
    out = console()
    out.print(Text(_SENTENCES[relation.verdict].format(left=left, right=right), style="bold"))
    for title, word in (
        (f"shortest in {left} alone", relation.only_left),
        (f"shortest in {right} alone", relation.only_right),
        ("shortest in both", relation.both),
    ):
        out.print(Text(f"  {title}: {'none' if word is None else f'<{plain(word)}>'}"), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("length", left, right, f"{left} alone", f"{right} alone"):
        table.add_column(heading, justify="right", overflow="fold")
    for row in relation.counts:
        table.add_row(*(f"{number:,}" for number in dataclasses.astuple(row)))
    out.print(table)
