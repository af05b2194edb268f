"""Options of several commands, each group passed as one value, and their defaults in `[tool.urlconform]`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
from click.core import ParameterSource
from msgspec import structs

from urlharness.adapters.registry import Adapter, UnknownAdapter, find
from urlharness.config import TABLE, ConfigurationError, Found, find_configuration, gate_options
from urlharness.corpus.model import COMPLIANCE, LEVELS, Case, Tier
from urlharness.corpus.selection import Selection, spec_name
from urlharness.gate.policy import Policy, PolicyError, make_policy
from urlharness.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS, Limits
from urlharness.shell import option_words

Command = Callable[..., int]
_Option = Callable[[Command], Command]

#: Where a click context keeps the folder of the configuration if that named the adapters.
_FOLDER = "urlharness.cli.options.folder"


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
    spec: tuple[str, ...],
    section: tuple[str, ...],
    rule: tuple[str, ...],
    k: tuple[str, ...],
    flag: tuple[str, ...],
    tier: tuple[str, ...],
    vectors: Path | None,
) -> Chosen:
    return Chosen(Selection(tuple(map(spec_name, spec)), section, rule, k, flag), tier, vectors)


def _terms(policy: tuple[str, ...], fail_on: tuple[str, ...], strict: bool) -> Terms:
    pairs = []
    for item in policy:
        key, _, value = item.partition("=")
        if not key or not value:
            raise click.BadParameter(f"{item!r} is not KEY=ANSWER", param_hint="--policy")
        pairs.append((key, value))
    return Terms(tuple(pairs), fail_on, strict)


def _limits(timeout: float, start_timeout: float, total_timeout: float | None, jobs: int) -> Limits:
    return Limits(start=start_timeout, case=timeout, total=total_timeout, jobs=jobs)


#: Passes `chosen`: which cases.
selecting = _group(
    "chosen",
    _chosen,
    (
        click.option("--spec", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986."),
        click.option("--section", multiple=True, metavar="N",
                     help="Only this section and everything below it."),
        click.option("--rule", multiple=True, metavar="RULE", help="Only validate vectors of this rule."),
        click.option("--tier", type=click.Choice(["core", *get_args(Tier)]), multiple=True,
                     default=["core"], show_default=True,
                     help="Which tiers: the corpus as stored (core), or generated ones."),
        click.option("--flag", multiple=True, metavar="FLAG",
                     help="Only cases with this flag: security, basic, …"),
        click.option("-k", multiple=True, metavar="WORD", help="Only ids that contain this."),
        click.option("--vectors", type=click.Path(path_type=Path, exists=True), metavar="PATH",
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
        click.option("--fail-on", type=click.Choice([*LEVELS, COMPLIANCE]), multiple=True,
                     help="Only vectors of this level fail the gate; without it, every level."),
        click.option("--policy", multiple=True, metavar="KEY=ANSWER",
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
    context = click.get_current_context()
    sources = {name: context.get_parameter_source(name) for name in (*context.params, "no_config")}
    typed = {name for name, source in sources.items() if source is ParameterSource.COMMANDLINE}
    more = option_words(no_strict=not terms.strict and "strict" in typed, no_config="no_config" in typed)
    return [*gate_options(*chosen, *terms, limits, typed), *more]


class ConfiguredCommand(click.Command):
    """A command that takes from the configuration what the command line does not say."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params.append(
            click.Option(["--no-config"], is_flag=True, help=f"Ignore [{TABLE}] of pyproject.toml.")
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Put in the configured values and run the command."""
        found = None if ctx.params.pop("no_config") else find_configuration()
        if found is not None:
            for name, value in _configured_values(found, ctx).items():
                if _configurable(name, ctx) and value not in (None, (), ""):
                    ctx.params[name] = value
                    if name in ("names", "source"):
                        ctx.meta[_FOLDER] = found.path.parent
        if ctx.params.get("source", "") is None:
            why = f"no adapter and no results file is given, and [{TABLE}] does not have exactly one adapter"
            raise click.UsageError(why, ctx)
        try:
            return super().invoke(ctx)
        except PolicyError as error:  # a policy is checked against the corpus, which the command loads
            if found is None or not _configurable("policy", ctx):
                raise
            raise ConfigurationError(f"{found.path}: [{TABLE}] policy: {error}") from None


def configured_folder() -> Path | None:
    """Return the folder of the configuration if that named the adapters of the running command."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_FOLDER)


def adapter_named(name: str) -> Adapter:
    """Return the adapter of a name; raises UnknownAdapter.

    If the configuration names it, it is looked up and run in the folder of that pyproject.toml, otherwise in
    the current directory.
    """
    return find(name, configured_folder())


def _configurable(name: str, ctx: click.Context) -> bool:
    """Return True if a parameter of the command is left to the configuration."""
    if name not in ctx.params:
        return False
    return ctx.get_parameter_source(name) != ParameterSource.COMMANDLINE or ctx.params[name] == ()


def _configured_values(found: Found, ctx: click.Context) -> dict[str, Any]:
    """Return the configured value of each parameter; raises ConfigurationError."""
    configuration, where = found.configuration, f"{found.path}: [{TABLE}]"
    adapters = configuration.adapters
    names = ctx.params.get("names") or adapters
    reports = tuple(f"{name}={found.resolve(file)}" for name, file in configuration.report.items())
    vectors = None if configuration.vectors is None else Path(found.resolve(configuration.vectors))
    if vectors is not None and not vectors.exists():
        raise ConfigurationError(f"{where} vectors: {vectors}: no such file or directory")
    try:
        for name in adapters:
            find(name)
        if "report" in ctx.params:
            from urlharness.cli.judge.reports import check_reports

            check_reports(reports)
    except UnknownAdapter as error:
        raise ConfigurationError(f"{where} adapters: {error}") from None
    except click.BadParameter as error:
        raise ConfigurationError(f"{where} report: {error.message}") from None
    return {
        **structs.asdict(configuration),
        "names": adapters,
        "source": adapters[0] if len(adapters) == 1 else None,
        "vectors": vectors,
        "report": reports,
        "policy": tuple(f"{key}={value}" for key, value in configuration.policy.items()),
        "baseline": tuple(f"{name}={file}" for name, file in found.baselines().items() if name in names),
    }
