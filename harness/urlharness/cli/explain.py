"""`urlconform explain`: verdict and components of a text under each RFC, side by side."""

from __future__ import annotations

import json
from typing import Any

import click
from rich import box
from rich.table import Table
from rich.text import Text

from urlharness.cli.ask import component, describe
from urlharness.cli.output import console
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urloracle import SPECIFICATIONS, InvalidURL, Specification


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def explain(url: str, as_json: bool) -> int:
    """Show what each RFC says of URL: valid or not, its components, and where an invalid one goes wrong.

    Exits with 0 whatever the verdicts are.
    """
    answers = {spec.id: _answer(url, spec) for spec in SPECIFICATIONS.values()}
    if as_json:
        click.echo(json.dumps({name: _json(answer) for name, answer in answers.items()}))
        return Exit.PASSED
    out = console()
    out.print(Text(plain(url), style="bold"), soft_wrap=True)
    out.print(_table(answers))
    generic = SPECIFICATIONS["rfc1738"].problem(url, profile="generic")
    if isinstance(answers["rfc1738"], InvalidURL) and generic is None:
        out.print(
            Text("The generic form of RFC 1738 derives it; the rule of its scheme does not (R-1738-01).")
        )
    for answer in answers.values():
        if isinstance(answer, InvalidURL):
            out.print(Text(str(answer)), soft_wrap=True)
    return Exit.PASSED


def _answer(url: str, spec: Specification) -> dict[str, Any] | InvalidURL:
    try:
        return spec.asdict(spec.parse(url))
    except InvalidURL as problem:
        return problem


def _json(answer: dict[str, Any] | InvalidURL) -> dict[str, Any]:
    if isinstance(answer, InvalidURL):
        return {"valid": False, **describe(answer)}
    return {"valid": True, "components": answer}


def _table(answers: dict[str, dict[str, Any] | InvalidURL]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in answers:
        table.add_column(SPECIFICATIONS[name].title, overflow="fold")
    table.add_row("verdict", *(_verdict(answer) for answer in answers.values()))
    names = dict.fromkeys(name for answer in answers.values() if isinstance(answer, dict) for name in answer)
    for name in names:
        cells = [_cell(answer, name) for answer in answers.values()]
        table.add_row(name, *cells)
    return table


def _verdict(answer: dict[str, Any] | InvalidURL) -> Text:
    if isinstance(answer, InvalidURL):
        return Text(f"invalid at {answer.position}", style="red")
    return Text("valid", style="green")


def _cell(answer: dict[str, Any] | InvalidURL, name: str) -> Text:
    if isinstance(answer, InvalidURL) or name not in answer:
        return Text("")
    value = answer[name]
    return Text(component(value), style="dim" if value in (None, "") else "")
