"""Options of the commands that ask the oracle, their answers in JSON, and the exit codes of its errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from urlharness.corpus.selection import spec_name
from urlharness.exitcodes import Exit
from urlharness.text import escaped_json, without_commands
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.nearest import zone_in_words
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import PROFILES, Profile, Specification, Unsupported

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

#: The values of `--spec` and `--profile`, for a command that imports nothing from the oracle itself.
SpecValue = Specification
ProfileValue = Profile

#: What users are told who expect that a command reads stdin for `-`, as `ask` and `check` do.
_DASH_NOTE = (
    "urlconform: `-` is a URL here, not stdin; "
    "lines of stdin are read by `urlconform ask -` and `urlconform check - --spec rfc3986`"
)


def spec_option(
    *,
    required: bool = False,
    default: str | None = None,
    text: str = "Only this RFC, such as rfc3986 (default: all RFCs, side by side).",
) -> Decorator:
    """Return the option `--spec`. Its value is a Specification, or None if the option is not given.

    `default` is the RFC that it has then instead, and `text` its help.
    """
    # click takes a default of None for a value, so that a required option could be left out
    shown_default: dict[str, Any] = {} if default is None else {"default": default, "show_default": True}
    return click.option(
        "--spec",
        metavar="SPEC",
        required=required,
        callback=_find_specification,
        help=text,
        **shown_default,
    )


def _find_specification(
    _context: click.Context, _parameter: click.Parameter, name: str | None
) -> Specification | None:
    """Return the specification that a user names, or None without a name. Raise a usage error if unknown."""
    if name is None:
        return None
    try:
        return specification(spec_name(name))
    except UnknownSpecification as unknown:
        raise click.BadParameter(str(unknown)) from None


def url_argument(name: str, metavar: str | None = None) -> Decorator:
    """Return an argument that is a URL. If it is `-`, a note on stderr says that this is not stdin."""
    return click.argument(name, metavar=metavar, callback=_note_dash)


def _note_dash(_context: click.Context, _parameter: click.Parameter, url: str) -> str:
    """Return the URL that a user gives. Print a note on stderr if it is `-`."""
    if url == "-":
        click.echo(_DASH_NOTE, err=True)
    return url


json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
rule_option: Decorator = click.option(
    "--rule", metavar="RULE", help="The rule of the grammar of the RFC (default: the rule of whole URLs)."
)
profile_option: Decorator = click.option(
    "--profile",
    type=click.Choice(PROFILES),
    help="What counts as valid: the rules of schemes, the generic form, or rules and prose.",
)


def print_json(answer: object) -> None:
    """Print an answer as one line of JSON. No text in it is a command to a build server."""
    click.echo(escaped_json(json.dumps(answer)))


def _print_invalid(problem: InvalidURL) -> None:
    """Print on stdout why a text is invalid, and a line on the zone of an address if that is the reason."""
    click.echo(without_commands(str(problem)))
    zone = zone_in_words(problem)
    if zone:
        click.echo(without_commands(zone))


def reports_oracle_errors(command: Command) -> Command:
    """Return a function that runs a command and turns the errors of the oracle into exit codes.

    If the command raises InvalidURL, the error is printed, and the exit code is 1. An unknown rule is a usage
    error, and so is a question that the RFC does not answer. If the command raises UnknownRule, its argument
    `spec` must be the RFC.
    """

    @wraps(command)
    def with_exit_codes(**arguments: Any) -> Any:
        try:
            return command(**arguments)
        except InvalidURL as problem:
            _print_invalid(problem)
            return Exit.FAILED
        except UnknownRule as unknown:
            choices = ", ".join(unknown.known)
            why = f"{arguments['spec'].title} has {unknown}; choose from {choices}"
            raise click.BadParameter(why, param_hint="--rule") from None
        except Unsupported as unsupported:
            raise click.UsageError(str(unsupported)) from None

    return with_exit_codes


def oracle_command(*options: Decorator) -> Callable[[Command], click.Command]:
    """Return a decorator that makes a command with these options and `--json`.

    The errors of the command become exit codes: see `reports_oracle_errors`.
    """

    def decorate(command: Command) -> click.Command:
        """Make a command of a function."""
        decorated: Command = json_option(reports_oracle_errors(command))
        for option in reversed(options):
            decorated = option(decorated)
        return click.command()(decorated)

    return decorate
