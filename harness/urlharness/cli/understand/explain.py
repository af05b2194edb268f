"""The commands `explain` and `diff`."""

from __future__ import annotations

import dataclasses
import json

import click
from rich import box
from rich.table import Table
from rich.text import Text

from urlharness.cli.output import console
from urlharness.cli.understand.answers import json_option, spec_option
from urlharness.corpus.selection import spec_name
from urlharness.exitcodes import Exit
from urlharness.text import plain
from urloracle.automata.dfa import Automaton
from urloracle.grammar.grammar import UnknownRule
from urloracle.language import Relation, relate
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import PROFILES, Specification

_SENTENCES = {
    "equal": "{left} and {right} are the same language.",
    "included": "{left} is a proper subset of {right}.",
    "includes": "{left} is a proper superset of {right}.",
    "overlapping": "{left} and {right} overlap; neither includes the other.",
    "disjoint": "{left} and {right} have no word in common.",
}


@click.command()
@click.argument("left", metavar="SPEC[:RULE[:PROFILE]]")
@click.argument("right", metavar="SPEC[:RULE[:PROFILE]]")
@click.option("--length", type=click.IntRange(0, 64), default=8, show_default=True, metavar="N",
              help="Count the texts of each length up to N.")  # fmt: skip
@json_option
def diff(left: str, right: str, length: int, as_json: bool) -> int:
    """Decide whether two rules derive the same texts; if not, print the shortest text that only one derives.

    Without RULE it is the rule of whole URLs. Exit with 1 if the two languages are not equal.
    """
    relation = relate(_automaton(left), _automaton(right), range(length + 1))
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(relation)))
    else:
        _print(left, right, relation)
    return Exit.PASSED if relation.verdict == "equal" else Exit.FAILED


def _automaton(name: str) -> Automaton:
    """Return the automaton of `SPEC`, `SPEC:RULE` or `SPEC:RULE:PROFILE`; raises a usage error."""
    spec, rule, named, *rest = [*name.split(":"), "", ""]
    profile = next((known for known in PROFILES if known == named), None)
    if any(rest) or (named and profile is None):
        raise click.BadParameter(
            f"{name!r} is not SPEC[:RULE[:PROFILE]]; the profiles are {', '.join(PROFILES)}"
        )
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


@click.command()
@click.argument("url")
@spec_option(text="Only this RFC, such as rfc3986; its derivation is shown too.")
@click.option("--base", metavar="BASE", help="Resolve URL against this base, step by step.")
@click.option("--tree", is_flag=True, help="Also show the derivations (implied by --spec).")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, which includes the derivations.")
def explain(url: str, spec: Specification | None, base: str | None, tree: bool, as_json: bool) -> int:
    """Show the verdict of each RFC on URL, where and why the RFCs differ, and where an invalid text fails.

    With --base, URL is a reference, and each step of its resolution by each RFC is shown. The verdicts do not
    affect the exit code.
    """
    from urlharness.explain import gather

    if spec is not None and base is not None and spec.resolver is None:
        raise click.UsageError(f"{spec.title} does not define relative references")
    explained = gather.gather(url, [spec.id] if spec else list(SPECIFICATIONS), base)
    if as_json:
        click.echo(json.dumps(gather.as_json(explained)))
        return Exit.PASSED
    from urlharness.explain.page import show_explanation

    show_explanation(console(), explained, tree=tree or (spec is not None and base is None))
    return Exit.PASSED
