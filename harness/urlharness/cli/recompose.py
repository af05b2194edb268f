"""`urlconform recompose`: components back to a text."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from urlharness.cli.ask import spec_option
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urloracle import recompose as recompose_components
from urloracle.answers import Specification


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("components", nargs=-1, required=True, metavar="NAME=VALUE...")
@spec_option(required=True)
def recompose(components: tuple[str, ...], spec: Specification) -> int:
    """Print the text of components, by the names that `urlconform parse` prints.

    A component that is not named is absent, and `query=` is an empty one.  `-` reads them from stdin as the
    JSON object that `urlconform parse --json` prints.  1 for components that the RFC has no place for.
    """
    given = _from_stdin() if components == ("-",) else dict(map(_pair, components))
    try:
        click.echo(plain(recompose_components(given, spec)))
    except (TypeError, ValueError) as error:
        click.echo(plain(str(error)))
        return Exit.FAILED
    return Exit.PASSED


def _pair(argument: str) -> tuple[str, Any]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"{argument!r} is not of the form NAME=VALUE")
    if name == "fieldspecs":  # the one component that is a list: name=value pairs, separated by semicolons
        return name, [field.partition("=")[::2] for field in value.split(";")]
    return name, value


def _from_stdin() -> dict[str, Any]:
    try:
        given = json.load(sys.stdin)
    except ValueError as error:
        raise click.UsageError(f"stdin is not JSON: {error}") from None
    if not isinstance(given, dict) or not all(map(_is_component, given.values())):
        raise click.UsageError("stdin is not an object of components, as `urlconform parse --json` prints it")
    return given


def _is_component(value: Any) -> bool:
    pairs = isinstance(value, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in value)
    return value is None or isinstance(value, str) or pairs
