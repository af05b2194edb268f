"""The command `export`, which writes a rule as a regular expression or as an automaton."""

from __future__ import annotations

import click

from urlharness.cli.oracle_options import (
    SpecValue,
    json_option,
    print_json,
    reports_oracle_errors,
    rule_option,
    spec_option,
)
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.exitcodes import Exit
from urlharness.patterns.automata import export_automaton
from urlharness.patterns.export import ExportedPattern, export_pattern
from urlharness.patterns.flavours import FLAVOUR_NAMES, CannotSay, FlavourName
from urlharness.wording import enumerated, rfc

_spec_option = spec_option(default=DEFAULT_SPEC, text="The RFC, such as rfc3987.")


@click.group()
def export() -> None:
    """Write a rule as a regular expression or as an automaton, for other programs."""


@export.command(short_help="Print a regular expression of a rule.")
@_spec_option
@rule_option
@click.option(
    "--flavour",
    type=click.Choice(FLAVOUR_NAMES),
    default="pcre2",
    show_default=True,
    help="The flavour of the pattern.",
)
@click.option("--groups", "with_groups", is_flag=True, help="Put each component into a group.")
@json_option
@reports_oracle_errors
def regex(
    spec: SpecValue, rule: str | None, flavour: FlavourName, *, with_groups: bool, as_json: bool
) -> int:
    """Print a regular expression that matches what a rule derives, and nothing else.

    The pattern is written from the rule of the grammar, and tests prove that it is equal to the minimal
    automaton. It matches whole texts only, and none with a line feed at its end. Its length, and how long a
    match can take, are printed on stderr. What the flavour cannot say is refused with its limit.

    With --groups, each component of a whole URL or reference has a group with its name, and a number after
    the name if the component stands at several places of the pattern. At most one of these groups matches.
    """
    try:
        exported = export_pattern(spec, rule or spec.default_rule, flavour, with_groups=with_groups)
    except CannotSay as limit:
        raise click.UsageError(str(limit)) from None
    if as_json:
        print_json(exported._asdict())
        return Exit.PASSED
    click.echo(exported.pattern)
    for line in _remarks(exported):
        click.echo(line, err=True)
    return Exit.PASSED


def _remarks(exported: ExportedPattern) -> list[str]:
    """Return the lines about a pattern: its rule, length and cost, its use, and its groups."""
    source = f"{rfc(exported.spec)}, section {exported.section}, {exported.rule}"
    lines = [f"{source}: {exported.length:,} characters, {exported.complexity}", f"use: {exported.use}"]
    if exported.groups:
        groups = []
        for component, names in exported.groups.items():
            groups.append(component if names == [component] else f"{component} ({', '.join(names)})")
        lines.append(f"groups: {enumerated(groups)}")
    return lines


@export.command()
@_spec_option
@rule_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "dot"]),
    default="json",
    show_default=True,
    help="json: states and transitions; dot: a graph for Graphviz.",
)
@reports_oracle_errors
def dfa(spec: SpecValue, rule: str | None, form: str) -> int:
    """Print the minimal automaton of a rule.

    The states are numbered from the start, which is 0. A text is refused where there is no transition.
    """
    automaton = export_automaton(spec, rule or spec.default_rule)
    click.echo(automaton.as_dot() if form == "dot" else automaton.as_json())
    return Exit.PASSED
