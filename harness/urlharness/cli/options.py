"""Options that several commands share, each group passed to its command as one value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
from click.core import ParameterSource

from urlharness.corpus.model import COMPLIANCE, LEVELS, Case, Tier
from urlharness.corpus.selection import Selection, spec_name
from urlharness.gate.policy import Policy, make_policy
from urlharness.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS, Limits
from urlharness.shell import option_words

Command = Callable[..., int]
_Option = Callable[[Command], Command]


class Seconds(click.FloatRange):
    """The type of options in seconds: from a millisecond to a million seconds."""

    def __init__(self) -> None:
        super().__init__(min=LEAST_SECONDS, max=MOST_SECONDS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; nan, which passes every comparison with the bounds, is an error."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


class Chosen(NamedTuple):
    """Which cases to ask: conditions, tiers, and the path of another corpus."""

    selection: Selection
    tiers: tuple[str, ...]
    vectors: Path | None


class Terms(NamedTuple):
    """What fails the gate: pairs of `--policy`, levels of `--fail-on`, and `--strict`."""

    settings: tuple[tuple[str, str], ...]
    levels: tuple[str, ...]
    strict: bool

    def policy(self, cases: Sequence[Case]) -> Policy:
        """Return the policy for a corpus; raises PolicyError."""
        return make_policy(self.settings, cases, self.levels, strict=self.strict)


def _group(name: str, make: Callable[..., Any], options: Sequence[_Option]) -> _Option:
    """Return a decorator that adds options to a command and passes it `make(values)` as one argument."""
    keys = list(signature(make).parameters)

    def decorate(command: Command) -> Command:
        @wraps(command)
        def wrapped(**given: Any) -> int:
            own = {key: given.pop(key) for key in keys}
            return command(**given, **{name: make(**own)})

        grouped: Command = wrapped
        for option in reversed(options):
            grouped = option(grouped)
        return grouped

    return decorate


def _chosen(
    specs: tuple[str, ...],
    sections: tuple[str, ...],
    rules: tuple[str, ...],
    words: tuple[str, ...],
    flags: tuple[str, ...],
    tiers: tuple[str, ...],
    vectors: Path | None,
) -> Chosen:
    return Chosen(Selection(tuple(map(spec_name, specs)), sections, rules, words, flags), tiers, vectors)


def _terms(settings: tuple[str, ...], levels: tuple[str, ...], strict: bool) -> Terms:
    pairs = []
    for item in settings:
        key, equals, value = item.partition("=")
        if not key or not equals or not value:
            raise click.BadParameter(f"{item!r} is not KEY=ANSWER", param_hint="--policy")
        pairs.append((key, value))
    return Terms(tuple(pairs), levels, strict)


def _limits(timeout: float, start_timeout: float, total_timeout: float | None, jobs: int) -> Limits:
    return Limits(start=start_timeout, case=timeout, total=total_timeout, jobs=jobs)


#: Passes `chosen`: which cases.
selecting = _group(
    "chosen",
    _chosen,
    (
        click.option("--spec", "specs", multiple=True, metavar="SPEC",
                     help="Only this RFC, such as rfc3986."),
        click.option("--section", "sections", multiple=True, metavar="N",
                     help="Only this section and everything below it."),
        click.option("--rule", "rules", multiple=True, metavar="RULE",
                     help="Only validate vectors of this rule."),
        click.option("--tier", "tiers", type=click.Choice(["core", *get_args(Tier)]), multiple=True,
                     default=["core"], show_default=True,
                     help="Which tiers: the corpus as stored (core), or generated ones."),
        click.option("--flag", "flags", multiple=True, metavar="FLAG",
                     help="Only cases with this flag: security, basic, …"),
        click.option("-k", "words", multiple=True, metavar="WORD", help="Only ids that contain this."),
        click.option("--vectors", "vectors", type=click.Path(path_type=Path, exists=True), metavar="PATH",
                     help="Use the corpus in this directory, or a foreign one in this file."),
    ),
)  # fmt: skip


#: Passes `terms`: what fails the gate.
gated = _group(
    "terms",
    _terms,
    (
        click.option("--strict/--no-strict",
                     help="Partial answers fail the gate too, and unsupported ones of a claimed operation."),
        click.option("--fail-on", "levels", type=click.Choice([*LEVELS, COMPLIANCE]), multiple=True,
                     help="Only vectors of this level fail the gate; without it, every level."),
        click.option("--policy", "settings", multiple=True, metavar="KEY=ANSWER",
                     help="Which answers are accepted where an RFC admits several: permitted-set=listed, "
                     "or excess-dotdot=error for a class, a ruling or an id."),
    ),
)  # fmt: skip


#: Passes `limits`: how long an adapter may take, and in how many processes.
limited = _group(
    "limits",
    _limits,
    (
        click.option("--timeout", type=Seconds(), default=5.0, show_default=True,
                     metavar="S", help="Seconds for one case."),
        click.option("--start-timeout", type=Seconds(), default=30.0, show_default=True,
                     metavar="S", help="Seconds for an adapter to say hello."),
        click.option("--total-timeout", type=Seconds(), metavar="S",
                     help="Seconds for all cases of an adapter; those without a result by then are aborted."),
        click.option("--jobs", type=click.IntRange(min=1, max=MOST_JOBS), default=1, show_default=True,
                     metavar="N", help="How many processes of an adapter share its cases."),
    ),
)  # fmt: skip


def repeated_options(chosen: Chosen, terms: Terms, limits: Limits) -> list[str]:
    """Return the options of the running command that decide what is asked, for how long, and what fails.

    Defaults are left out, unless the command line has them: the configuration may say something else.
    """
    selection = chosen.selection
    return option_words(
        spec=selection.specs,
        section=selection.sections,
        rule=selection.rules,
        flag=selection.flags,
        k=selection.words,
        tier=chosen.tiers if chosen.tiers != ("core",) or on_command_line("tiers") else (),
        vectors=chosen.vectors,
        policy=[f"{key}={value}" for key, value in terms.settings],
        fail_on=terms.levels if {*terms.levels} != {*LEVELS} or on_command_line("levels") else (),
        **_repeated_limits(limits),
        strict=terms.strict,
        no_strict=not terms.strict and on_command_line("strict"),
        no_config=on_command_line("no_config"),
    )


def _repeated_limits(limits: Limits) -> dict[str, float | None]:
    default = Limits()
    values = {
        "timeout": (limits.case, default.case),
        "start_timeout": (limits.start, default.start),
        "total_timeout": (limits.total, default.total),
        "jobs": (limits.jobs, default.jobs),
    }
    return {name: value for name, (value, usual) in values.items() if value != usual or on_command_line(name)}


def on_command_line(name: str) -> bool:
    """Return True if the command line of the running command has a parameter."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE
