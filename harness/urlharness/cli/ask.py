"""`urlconform validate`, `parse`, `resolve` and `normalize`: one question to the oracle."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import click
from rich.text import Text

from urlharness.cli.output import console
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urlharness.selection import spec_name
from urloracle import SPECIFICATIONS, InvalidURL, Unsupported, normal_forms, specification
from urloracle import resolve as resolve_reference
from urloracle.answers import Resolution, Specification, UnknownRule, UnknownSpecification
from urloracle.explanation import nearest

_PROFILES = click.Choice(["scheme-specific", "generic", "prose"])
_HELP = {"help_option_names": ["-h", "--help"]}

Command = Callable[..., Any]
P = ParamSpec("P")


def spec_option(*, required: bool) -> Callable[[Command], Command]:
    """The option `--spec`, whose value is a specification."""
    return click.option(
        "--spec", metavar="SPEC", required=required, callback=_specification, help="The RFC, such as rfc3986."
    )


def _specification(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> Specification | None:
    if value is None:
        return None
    try:
        return specification(spec_name(value))
    except UnknownSpecification as unknown:
        raise click.BadParameter(str(unknown)) from None


_rule_option = click.option("--rule", metavar="RULE", help="The rule of its grammar; default: a whole URL.")
_profile_option = click.option(
    "--profile", type=_PROFILES, help="Grammar alone, schemes apart, or prose too."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def refusals(command: Callable[P, int]) -> Callable[P, int]:
    """The command, for which an invalid text is an answer (exit code 1), an unsupported question misuse."""

    @wraps(command)
    def answered(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except InvalidURL as problem:
            click.echo(str(problem))
            return Exit.FAILED
        except Unsupported as unsupported:
            raise click.UsageError(str(unsupported)) from None

    return answered


@click.command(context_settings=_HELP)
@click.argument("url")
@spec_option(required=True)
@_rule_option
@_profile_option
@json_option
def validate(url: str, spec: Specification, rule: str | None, profile: Any, as_json: bool) -> int:
    """Say whether a rule of an RFC derives URL; 1 where it does not."""
    problem = _problem(url, spec, rule, profile)
    if as_json:
        repair = nearest(url, spec, rule, profile)
        found = {"nearest": repair._asdict() if repair else None}
        click.echo(
            json.dumps({"valid": problem is None, **({**problem.asdict(), **found} if problem else {})})
        )
    elif problem is None:
        click.echo(f"valid {rule or spec.default_rule} of {spec.title}")
    else:
        click.echo(str(problem))
        repair = nearest(url, spec, rule, profile)
        if repair is not None:
            done = f"{repair.edit} {repair.character!r} at offset {repair.offset}"
            click.echo(f"nearest: {plain(repair.text) or '(the empty text)'}  ({plain(done)})")
    return Exit.PASSED if problem is None else Exit.FAILED


@click.command(context_settings=_HELP)
@click.argument("url")
@spec_option(required=True)
@_rule_option
@_profile_option
@json_option
@refusals
def parse(url: str, spec: Specification, rule: str | None, profile: Any, as_json: bool) -> int:
    """Print the components of URL; 1 where it is not valid."""
    problem = _problem(url, spec, rule, profile)
    if problem is not None:
        click.echo(json.dumps({"valid": False, **problem.asdict()}) if as_json else str(problem))
        return Exit.FAILED
    parts = spec.asdict(spec.parse(url, rule, profile))
    if as_json:
        click.echo(json.dumps(parts))
        return Exit.PASSED
    width = max(map(len, parts))
    for name, value in parts.items():
        click.echo(f"{name:{width}}  {component(value)}")
    return Exit.PASSED


@click.command(context_settings=_HELP)
@click.argument("base")
@click.argument("reference")
@spec_option(required=False)
@json_option
def resolve(base: str, reference: str, spec: Specification | None, as_json: bool) -> int:
    """Resolve REFERENCE against BASE under each RFC, or under one.

    Where an RFC admits several results the recommended one comes first; 1 where no RFC gives any.
    """
    if spec is not None and spec.resolver is None:
        raise click.UsageError(f"{spec.title} does not define relative references")
    specs = [spec] if spec else [one for one in SPECIFICATIONS.values() if one.resolver]
    answers = {one.id: _resolve(base, reference, one) for one in specs}
    if as_json:
        click.echo(json.dumps({name: _resolution_json(answer) for name, answer in answers.items()}))
    else:
        out = console()
        for name, answer in answers.items():
            out.print(_resolution_text(SPECIFICATIONS[name].title, answer), soft_wrap=True)
    resolved = any(isinstance(answer, Resolution) for answer in answers.values())
    return Exit.PASSED if resolved else Exit.FAILED


@click.command(context_settings=_HELP)
@click.argument("url")
@spec_option(required=False)
@click.option("--mode", type=click.Choice(["syntax", "scheme"]), default="syntax", show_default=True,
              help="By the generic syntax alone, or with what is known of the scheme.")  # fmt: skip
@json_option
@refusals
def normalize(url: str, spec: Specification | None, mode: Any, as_json: bool) -> int:
    """Print URL in normal form (RFC 3986 unless another is named); 1 where it is not valid.

    Where the RFC admits other normal forms they follow, each with the ruling that says so.
    """
    found = normal_forms(url, spec or SPECIFICATIONS["rfc3986"], mode)
    if as_json:
        also = [other._asdict() for other in found.also]
        click.echo(json.dumps({"url": found.text, "also": also}))
        return Exit.PASSED
    click.echo(plain(found.text))
    for other in found.also:
        shown = "refusing it" if other.text is None else plain(other.text)
        click.echo(f"  or {shown}  ({other.variant}, {other.ruling})")
    return Exit.PASSED


def component(value: Any) -> str:
    """A component for a reader: absent and empty are words of their own."""
    if value is None:
        return "(absent)"
    if value == "":
        return "(empty)"
    if isinstance(value, list):
        return ", ".join(f"{name}={text}" for name, text in value)
    return plain(str(value))


def _problem(url: str, spec: Specification, rule: str | None, profile: Any) -> InvalidURL | None:
    try:
        return spec.problem(url, rule, profile)
    except UnknownRule as unknown:
        names = ", ".join(unknown.known)
        raise click.BadParameter(
            f"{spec.title} has {unknown}; there are {names}", param_hint="--rule"
        ) from None


def _resolve(base: str, reference: str, spec: Specification) -> Resolution | InvalidURL | Unsupported:
    try:
        return resolve_reference(base, reference, spec)
    except (InvalidURL, Unsupported) as refused:
        return refused


def _resolution_json(answer: Resolution | InvalidURL | Unsupported) -> dict[str, Any]:
    match answer:
        case Resolution():
            also = [
                {"url": other.text, "variant": other.variant, "ruling": other.ruling} for other in answer.also
            ]
            return {"url": answer.text, "same_document": answer.same_document, "also": also}
        case InvalidURL():
            return {"invalid": answer.text, **answer.asdict()}
        case Unsupported():
            return {"unsupported": str(answer)}


def _resolution_text(title: str, answer: Resolution | InvalidURL | Unsupported) -> Text:
    text = Text(f"{title}  ", style="bold")
    match answer:
        case Resolution():
            note = "  (same document, R-2396-06)" if answer.same_document else ""
            text.append(plain(answer.text), style="not bold green").append(note, style="not bold dim")
            for other in answer.also:
                shown = "refusing it" if other.text is None else plain(other.text)
                text.append(f"\n       or  {shown}", style="not bold")
                text.append(f"  ({other.variant}, {other.ruling})", style="not bold dim")
        case InvalidURL():
            text.append("refused: ", style="not bold red").append(str(answer), style="not bold")
        case Unsupported():
            text.append(str(answer), style="not bold dim")
    return text
