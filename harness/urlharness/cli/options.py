"""Shared options, and the options of a run as words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import click
from click.core import ParameterSource

from urlharness.corpus.model import COMPLIANCE, LEVELS
from urlharness.corpus.selection import Selection, Tier, spec_name
from urlharness.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS, Limits
from urlharness.shell import Place

if TYPE_CHECKING:
    from urlharness.corpus.model import Case
    from urlharness.gate.policy import Policy


# -------------------- cli.seconds: The type of options that are seconds, as many as a limit may have; nan is none.


class Seconds(click.FloatRange):
    """From a millisecond to a million seconds."""

    def __init__(self) -> None:
        super().__init__(min=LEAST_SECONDS, max=MOST_SECONDS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Compare by its bounds, which nan passes; it is refused as what it is."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


# -------------------- cli.options: Options that several commands share, each group handed to its command as one value.


Command = Callable[..., int]


_Option = Callable[[Command], Command]


class Chosen(NamedTuple):
    """What to ask: the conditions on the cases, the tiers, and another corpus."""

    selection: Selection
    tiers: tuple[str, ...]
    vectors: Path | None


class Terms(NamedTuple):
    """What fails the gate, as it was given: pairs of a policy, levels, and whether partial answers do."""

    settings: tuple[tuple[str, str], ...]
    levels: tuple[str, ...]
    strict: bool

    def policy(self, cases: Sequence[Case]) -> Policy:
        """The policy over a corpus; raises PolicyError."""
        from urlharness.gate.policy import policy

        return policy(self.settings, cases, self.levels, strict=self.strict)


def _group(name: str, make: Callable[..., Any], options: Sequence[_Option]) -> _Option:
    """A decorator that adds the options, and gives the command what `make` makes of their values."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def wrapped(**given: Any) -> int:
            own = {key: given.pop(key) for key in keys}
            return command(**given, **{name: make(**own)})

        grouped: Command = wrapped
        before = {parameter.name for parameter in _parameters(grouped)}
        for option in reversed(options):
            grouped = option(grouped)
        keys = [str(parameter.name) for parameter in _parameters(grouped) if parameter.name not in before]
        return grouped

    return decorate


def _parameters(command: Command) -> list[click.Parameter]:
    return list(getattr(command, "__click_params__", ()))


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


#: `chosen`: which cases.
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


#: `terms`: what fails the gate.
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


#: `limits`: how long an adapter may take, and in how many processes.
limited = _group(
    "limits",
    _limits,
    (
        click.option("--timeout", type=Seconds(), default=5.0, show_default=True,
                     metavar="S", help="Seconds for one case."),
        click.option("--start-timeout", type=Seconds(), default=30.0, show_default=True,
                     metavar="S", help="Seconds for an adapter to say hello."),
        click.option("--total-timeout", type=Seconds(), metavar="S",
                     help="Seconds for all cases of an adapter; what is not settled by then is aborted."),
        click.option("--jobs", type=click.IntRange(min=1, max=MOST_JOBS), default=1, show_default=True,
                     metavar="N", help="How many processes of an adapter share its cases."),
    ),
)  # fmt: skip


# -------------------- cli.repeated: What a run was given, as words of another command that is to ask and judge the same.


class Repeated(NamedTuple):
    """The options of a run, and the place where a command with them is run."""

    words: list[str]
    place: Place


def repeated(chosen: Chosen, terms: Terms, limits: Limits, place: Place) -> Repeated:
    """The options of the run at hand that decide what is asked, for how long, and what fails.

    A default is left out, unless the command line has it: the configuration may have something else.
    """
    selection = chosen.selection
    pairs = [
        *(("--spec", spec) for spec in selection.specs),
        *(("--section", section) for section in selection.sections),
        *(("--rule", rule) for rule in selection.rules),
        *(("--flag", flag) for flag in selection.flags),
        *(("-k", word) for word in selection.words),
        *(("--tier", tier) for tier in chosen.tiers if chosen.tiers != ("core",) or said("tiers")),
        *((("--vectors", place.seen(chosen.vectors)),) if chosen.vectors is not None else ()),
        *(("--policy", f"{key}={value}") for key, value in terms.settings),
        *(("--fail-on", level) for level in terms.levels if {*terms.levels} != {*LEVELS} or said("levels")),
        *_repeated_limits(limits),
    ]
    strict = ["--strict"] if terms.strict else ["--no-strict"] if said("strict") else []
    alone = ["--no-config"] if said("no_config") else []
    return Repeated([*(word for pair in pairs for word in pair), *strict, *alone], place)


def _repeated_limits(limits: Limits) -> Iterator[tuple[str, str]]:
    usual = Limits()
    for name, value, default in (
        ("timeout", limits.case, usual.case),
        ("start_timeout", limits.start, usual.start),
        ("total_timeout", limits.total, usual.total),
        ("jobs", limits.jobs, usual.jobs),
    ):
        if value is not None and (value != default or said(name)):
            yield f"--{name.replace('_', '-')}", f"{value:.15g}"


def said(name: str) -> bool:
    """True for a parameter that the command line has."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE
