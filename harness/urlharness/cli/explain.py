"""`urlconform explain`: a text under each RFC side by side, its derivation, or how a reference resolves."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from urlharness.cli.ask import component, describe, spec_option
from urlharness.cli.output import console
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urloracle import SPECIFICATIONS, InvalidURL
from urloracle.answers import Derivation, Specification, Step
from urloracle.explanation import derive, resolution_steps

Answer = dict[str, Any] | InvalidURL


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("url")
@spec_option(required=False)
@click.option("--base", metavar="BASE", help="Resolve URL against this base, step by step.")
@click.option("--tree", is_flag=True, help="Show the derivation too; implied by --spec.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, derivation included.")
def explain(url: str, spec: Specification | None, base: str | None, tree: bool, as_json: bool) -> int:
    """Show what each RFC says of URL: valid or not, its components, and where an invalid one goes wrong.

    With --base, URL is a reference, and each step of the resolution of each RFC is shown.  Exits with 0
    whatever the verdicts are.
    """
    specs = [spec] if spec else list(SPECIFICATIONS.values())
    if base is not None:
        return _explain_resolution(base, url, specs, as_json=as_json)
    answers = {one.id: _answer(url, one) for one in specs}
    trees = {one.id: derive(url, one) for one in specs if isinstance(answers[one.id], dict)}
    if as_json:
        found = {name: _json(answer, trees.get(name)) for name, answer in answers.items()}
        click.echo(json.dumps(found))
        return Exit.PASSED
    out = console()
    out.print(Text(plain(url), style="bold"), soft_wrap=True)
    out.print(_table(answers))
    if tree or spec is not None:
        for name, derivation in trees.items():
            out.print(_tree(SPECIFICATIONS[name].title, derivation), soft_wrap=True)
    _print_problems(out, url, answers)
    return Exit.PASSED


def _explain_resolution(base: str, reference: str, specs: list[Specification], *, as_json: bool) -> int:
    found: dict[str, list[Step] | InvalidURL] = {}
    for spec in specs:
        if spec.resolver is not None:
            try:
                found[spec.id] = resolution_steps(base, reference, spec)
            except InvalidURL as problem:
                found[spec.id] = problem
    if as_json:
        click.echo(json.dumps({name: _steps_json(steps) for name, steps in found.items()}))
        return Exit.PASSED
    out = console()
    for name, steps in found.items():
        out.print(Text(SPECIFICATIONS[name].title, style="bold"))
        if isinstance(steps, InvalidURL):
            out.print(Text(f"refused: {steps}"), soft_wrap=True)
            continue
        width = max(len(step.label) for step in steps)
        for step in steps:
            line = Text(f"  {step.label:{width}}  {plain(step.what)}")
            if step.value:
                line.append(f"  {plain(step.value)}", style="green")
            out.print(line, soft_wrap=True)
    return Exit.PASSED


def _answer(url: str, spec: Specification) -> Answer:
    try:
        return spec.asdict(spec.parse(url))
    except InvalidURL as problem:
        return problem


def _json(answer: Answer, tree: Derivation | None) -> dict[str, Any]:
    if isinstance(answer, InvalidURL):
        return {"valid": False, **describe(answer)}
    derivation = None if tree is None else dataclasses.asdict(tree)
    return {"valid": True, "components": answer, "derivation": derivation}


def _steps_json(steps: list[Step] | InvalidURL) -> Any:
    if isinstance(steps, InvalidURL):
        return {"invalid": steps.text, **describe(steps)}
    return [step._asdict() for step in steps]


def _table(answers: Mapping[str, Answer]) -> Table:
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


def _verdict(answer: Answer) -> Text:
    if isinstance(answer, InvalidURL):
        return Text(f"invalid at {answer.position}", style="red")
    return Text("valid", style="green")


def _cell(answer: Answer, name: str) -> Text:
    if isinstance(answer, InvalidURL) or name not in answer:
        return Text("")
    value = answer[name]
    return Text(component(value), style="dim" if value in (None, "") else "")


def _tree(title: str, root: Derivation) -> Tree:
    """The derivation but for single characters, which their rules would only repeat."""
    tree = Tree(_node(root, f"{title}: "))
    _grow(tree, root)
    return tree


def _grow(tree: Tree, node: Derivation) -> None:
    for child in node.children:
        if len(child.text) != 1 or not child.bounded:
            _grow(tree.add(_node(child)), child)


def _node(node: Derivation, prefix: str = "") -> Text:
    label = Text(f"{prefix}{node.rule}", style="bold")
    label.append(f"  {plain(node.text) or '(empty)'}", style="not bold green")
    return label.append(f"  {node.section}", style="not bold dim")


def _print_problems(out: Console, url: str, answers: Mapping[str, Answer]) -> None:
    if isinstance(answers.get("rfc1738"), InvalidURL):
        generic = SPECIFICATIONS["rfc1738"].problem(url, profile="generic")
        if generic is None:
            out.print(
                Text("The generic form of RFC 1738 derives it; the rule of its scheme does not (R-1738-01).")
            )
    for answer in answers.values():
        if isinstance(answer, InvalidURL):
            out.print(Text(str(answer)), soft_wrap=True)
