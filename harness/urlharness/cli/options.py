"""Options shared by commands, passed in groups, and their defaults from the configuration."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
from click.core import ParameterSource
from msgspec import structs

from urlharness.adapters.catalogue import clients
from urlharness.adapters.registry import BUNDLED, Adapter, UnknownAdapter, find
from urlharness.cli.output import print_stderr
from urlharness.cli.reports import is_stdout, report_targets
from urlharness.config import (
    PLACES,
    ConfigurationError,
    ConfigurationFile,
    find_configuration,
    gate_option_words,
)
from urlharness.corpus.model import COMPLIANCE, LEVELS, Case, Tier
from urlharness.corpus.selection import ORIGINS, Selection, spec_name
from urlharness.gate.policy import Policy, PolicyError, make_policy
from urlharness.protocol.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS, USUAL, Limits
from urlharness.shell import option_words
from urlharness.text import logged
from urlharness.wording import did_you_mean

Command = Callable[..., int]
_Option = Callable[[Command], Command]

#: The key, in `meta` of a click context, of the folder of a configuration that names the adapters.
_FOLDER = "urlharness.cli.options.folder"


class Seconds(click.FloatRange):
    """The type of options in seconds: from a millisecond to a million seconds."""

    def __init__(self) -> None:
        super().__init__(min=LEAST_SECONDS, max=MOST_SECONDS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Reject nan, which click accepts as a number in any range."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


class ExistingPath(click.Path):
    """The type of a path that must exist.

    For a missing file, commands print the same message as for any other missing file.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raise OSError if there is no file or folder."""
        Path(value).stat()  # raises it
        return super().convert(value, param, ctx)


class CaseOptions(NamedTuple):
    """The options that select cases. `vectors` is the path of the corpus, or None for the installed one."""

    selection: Selection
    tiers: tuple[str, ...]
    vectors: Path | None


class TableOptions(NamedTuple):
    """The tables to print. `implementations` are those to show (empty: the first eight).

    If `quiet`, nothing is printed on stdout, which a report can then have for itself.
    """

    implementations: tuple[str, ...]
    sections: bool
    components: bool
    quiet: bool

    def check_implementations(self, names: Collection[str]) -> None:
        """Raise a usage error if an implementation to show is not one of `names`."""
        for name in self.implementations:
            if name not in names:
                hint = did_you_mean(name, names)
                why = f"{name!r} is not in this run, which has {', '.join(names)}. {hint}"
                raise click.BadParameter(why, param_hint="-a")


class GateOptions(NamedTuple):
    """The options that decide what fails the gate. `settings` are the pairs (key, answer) of `--policy`."""

    settings: tuple[tuple[str, str], ...]
    levels: tuple[str, ...]
    strict: bool

    def policy(self, cases: Sequence[Case]) -> Policy:
        """Return the policy for a corpus with these cases.

        Raise PolicyError if an option does not fit the corpus.
        """
        return make_policy(self.settings, cases, self.levels, strict=self.strict)


# ---- groups of options: each adds its options to a command, and passes their values as one argument


def _option_group(argument: str, make: Callable[..., NamedTuple], options: Sequence[_Option]) -> _Option:
    """Return a decorator that adds options to a command.

    It passes their values to `make`, whose parameters have the names of the options, and what `make` returns
    to the command as `argument`.
    """
    option_names = list(signature(make).parameters)

    def decorate(command: Command) -> Command:
        """Add the options to a command."""

        @wraps(command)
        def with_group(**arguments: Any) -> int:
            values = {name: arguments.pop(name) for name in option_names}
            arguments[argument] = make(**values)
            return command(**arguments)

        grouped: Command = with_group
        for option in reversed(options):
            grouped = option(grouped)
        return grouped

    return decorate


def _make_case_options(
    spec: tuple[str, ...],
    section: tuple[str, ...],
    rule: tuple[str, ...],
    k: tuple[str, ...],
    flag: tuple[str, ...],
    origin: tuple[str, ...],
    tier: tuple[str, ...],
    vectors: Path | None,
) -> CaseOptions:
    """Return the options that select cases. The parameters have the names of the options, so also `-k`."""
    specs = tuple(map(spec_name, spec))
    return CaseOptions(Selection(specs, section, rule, k, flag, origin), tier, vectors)


def _make_gate_options(policy: tuple[str, ...], fail_on: tuple[str, ...], strict: bool) -> GateOptions:
    """Return the options of the gate. Raise a usage error if a setting of `--policy` is not KEY=ANSWER."""
    settings = []
    for setting in policy:
        key, _, answer = setting.partition("=")
        if not key or not answer:
            raise click.BadParameter(f"{setting!r} is not KEY=ANSWER", param_hint="--policy")
        settings.append((key, answer))
    return GateOptions(tuple(settings), fail_on, strict)


def _make_limits(timeout: float, start_timeout: float, total_timeout: float | None, jobs: int) -> Limits:
    """Return the limits, in seconds, and the number of processes for each adapter."""
    return Limits(start=start_timeout, case=timeout, total=total_timeout, jobs=jobs)


#: Options that select cases, passed as `case_options`.
with_case_options = _option_group(
    "case_options",
    _make_case_options,
    (
        click.option("--spec", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986."),
        click.option(
            "--section", multiple=True, metavar="N", help="Only this section and everything below it."
        ),
        click.option(
            "--rule",
            multiple=True,
            metavar="RULE",
            help="Only `validate` vectors, and only those of this rule.",
        ),
        click.option(
            "--tier",
            type=click.Choice(["core", *get_args(Tier)]),
            multiple=True,
            default=["core"],
            show_default=True,
            help="The tiers to ask: core is the stored corpus, all others are generated.",
        ),
        click.option(
            "--flag", multiple=True, metavar="FLAG", help="Only cases with this flag: security, basic, …"
        ),
        click.option(
            "--origin",
            type=click.Choice(ORIGINS),
            multiple=True,
            help="Only human vectors (twins included), witnesses of mutants, twins, or derived ones.",
        ),
        click.option("-k", multiple=True, metavar="WORD", help="Only cases whose id contains this word."),
        click.option(
            "--vectors",
            type=ExistingPath(path_type=Path),
            metavar="PATH",
            help="Use the corpus in this directory, or the foreign corpus in this file.",
        ),
    ),
)


#: Options that decide what fails the gate, passed as `gate_options`.
with_gate_options = _option_group(
    "gate_options",
    _make_gate_options,
    (
        click.option(
            "--strict/--no-strict",
            help="Partial answers also fail, and so do unsupported cases of claimed operations.",
        ),
        click.option(
            "--fail-on",
            type=click.Choice([*LEVELS, COMPLIANCE]),
            multiple=True,
            help="Only vectors of this level fail the gate (default: every level).",
        ),
        click.option(
            "--policy",
            multiple=True,
            metavar="KEY=ANSWER",
            help="Answers to accept if an RFC admits several; KEY is a binding, a class, a ruling or an id, "
            "as in permitted-set=listed or excess-dotdot=error.",
        ),
    ),
)


def timeout_option(purpose: str) -> _Option:
    """Return the option that limits the seconds for `purpose`, such as one case."""
    return click.option(
        "--timeout",
        type=Seconds(),
        default=USUAL.case,
        show_default=True,
        metavar="S",
        help=f"Seconds for {purpose}.",
    )


def start_timeout_option(default: float = USUAL.start, remark: str = "") -> _Option:
    """Return the option that limits the seconds until an adapter says hello. Its help ends with `remark`."""
    return click.option(
        "--start-timeout",
        type=Seconds(),
        default=default,
        show_default=True,
        metavar="S",
        help=f"Seconds for an adapter to say hello{remark}.",
    )


def sarif_location_option(subject: str) -> _Option:
    """Return the option that names a file of the user's sources, in which code scanners show the `subject`.

    A file that the user names must exist.
    """
    return click.option(
        "--sarif-location",
        default="pyproject.toml",
        show_default=True,
        metavar="FILE",
        callback=_check_named_location,
        help=f"The file in which code scanners show {subject}.",
    )


def _check_named_location(context: click.Context, parameter: click.Parameter, location: str) -> str:
    """Return the file. Raise a usage error if the user has named it and it does not exist.

    The default need not exist, because only some of the commands and reports need the file.
    """
    assert parameter.name is not None
    if context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT:
        check_sarif_location(location)
    return location


def check_sarif_location(location: str) -> None:
    """Raise a usage error if there is no such file, because code scanners show nothing in a missing one."""
    if not Path(location).is_file():
        raise click.UsageError(f"no file {location}: name one of your sources by --sarif-location")


#: Timeouts and number of processes of an adapter, passed as `limits`.
with_limits = _option_group(
    "limits",
    _make_limits,
    (
        timeout_option("one case"),
        start_timeout_option(),
        click.option(
            "--total-timeout",
            type=Seconds(),
            metavar="S",
            help="Seconds for all cases of an adapter; cases without a result by then are aborted.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1, max=MOST_JOBS),
            default=1,
            show_default=True,
            metavar="N",
            help="Divide the cases of each adapter among N processes.",
        ),
    ),
)


#: Options that choose the tables to print, passed as `table_options`.
with_table_options = _option_group(
    "table_options",
    TableOptions,
    (
        click.option(
            "-a",
            "implementations",
            multiple=True,
            metavar="ADAPTER",
            help="Show this implementation in the tables; repeat it for others.",
        ),
        click.option("--sections", is_flag=True, help="Also print a table of the sections of each RFC."),
        click.option("--components", is_flag=True, help="Also print a table of the components of each RFC."),
        click.option("--quiet", is_flag=True, help="Print nothing on stdout but reports to /dev/stdout."),
    ),
)


def repeated_options(case_options: CaseOptions, gate_options: GateOptions, limits: Limits) -> list[str]:
    """Return the words of the running command that select cases, set limits and decide what fails.

    A default is included only if the command line gives it, because the configuration may set another value.
    """
    context = click.get_current_context()
    typed = set()
    for name in (*context.params, "no_config"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            typed.add(name)
    words = gate_option_words(
        case_options.selection,
        tiers=case_options.tiers,
        vectors=case_options.vectors,
        policy=gate_options.settings,
        levels=gate_options.levels,
        strict=gate_options.strict,
        limits=limits,
        typed=typed,
    )
    is_typed_lenient = "strict" in typed and not gate_options.strict
    words += option_words(no_strict=is_typed_lenient, no_config="no_config" in typed)
    return words


# ---- the configuration


class ConfiguredCommand(click.Command):
    """A command whose options default to the values in the configuration of the project."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params.append(click.Option(["--no-config"], is_flag=True, help=f"Ignore {PLACES}."))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Parameters that the command line does not set come from the configuration.

        Raise ConfigurationError if the configuration is invalid, also if its policy does not fit the corpus.
        Raise a usage error if the command needs a `source` and none is given.
        """
        ignores_configuration = ctx.params.pop("no_config")
        file = None if ignores_configuration else find_configuration()
        if file is not None:
            _apply_configuration(file, ctx)
        if "source" in ctx.params and ctx.params["source"] is None:
            why = "no adapter and no results file is given, and no configuration names exactly one adapter"
            raise click.UsageError(why, ctx)
        try:
            return super().invoke(ctx)
        except PolicyError as error:  # not raised earlier, because the command loads the corpus
            if file is None or not _is_configurable("policy", ctx):
                raise
            raise ConfigurationError(f"{file.heading} policy: {error}") from None


def _apply_configuration(file: ConfigurationFile, ctx: click.Context) -> None:
    """Set the parameters that the command line does not set.

    If the configuration names the adapters, note its folder in `ctx.meta`. If that folder is not the current
    one, print the path of the configuration on stderr.
    """
    for name, setting in _configured_values(file, ctx).items():
        if not _is_configurable(name, ctx) or setting in (None, (), ""):
            continue
        ctx.params[name] = setting
        if name in ("names", "source"):
            ctx.meta[_FOLDER] = file.path.parent
            _print_file_above(file)


def _is_configurable(name: str, ctx: click.Context) -> bool:
    """Return True if the command has this parameter and the command line does not set it."""
    if name not in ctx.params:
        return False
    # arguments that can be repeated are from the command line for click, even if there are none
    is_empty = ctx.params[name] == ()
    return is_empty or ctx.get_parameter_source(name) != ParameterSource.COMMANDLINE


def _print_file_above(file: ConfigurationFile) -> None:
    """Print the path of the configuration that names the adapters, if it is not in the current folder."""
    if file.path.parent != Path.cwd().resolve():
        print_stderr(logged(f"urlconform: the adapters are those of {file.location}"))


def _configured_values(file: ConfigurationFile, ctx: click.Context) -> dict[str, Any]:
    """Map parameters to their configured values. Raise ConfigurationError if one is invalid.

    The keys are those of the configuration, and `names` and `source`, which name adapters. Keys without a
    setting have an empty value or None. The baselines are those of the adapters of the command.
    """
    configuration = file.configuration
    adapters = configuration.adapters
    vectors = _configured_vectors(file)
    _check_configured_adapters(file)
    names = ctx.params.get("names") or adapters
    policy = [f"{key}={answer}" for key, answer in configuration.policy.items()]
    baselines = [f"{name}={path}" for name, path in file.baseline_paths().items() if name in names]
    only_adapter = adapters[0] if len(adapters) == 1 else None
    # a command without reports shall not fail because of one
    reports = _configured_reports(file) if "report" in ctx.params else ()
    values = structs.asdict(configuration)
    values["names"] = adapters
    values["source"] = only_adapter
    values["vectors"] = vectors
    values["report"] = reports
    values["policy"] = tuple(policy)
    values["baseline"] = tuple(baselines)
    return values


def _check_configured_adapters(file: ConfigurationFile) -> None:
    """Raise ConfigurationError if the configuration names an adapter that does not exist."""
    for name in file.configuration.adapters:
        try:
            find(name)
        except UnknownAdapter as error:
            raise ConfigurationError(f"{file.heading} adapters: {error}") from None


def _configured_vectors(file: ConfigurationFile) -> Path | None:
    """Return the configured path of the corpus, or None. Raise ConfigurationError if nothing is there."""
    vectors = file.configuration.vectors
    if vectors is None:
        return None
    path = Path(file.resolve(vectors))
    if not path.exists():
        raise ConfigurationError(f"{file.heading} vectors: {path}: no such file or directory")
    return path


def _configured_reports(file: ConfigurationFile) -> tuple[str, ...]:
    """Return the configured reports as `FORMAT=FILE`. Raise ConfigurationError if a file is not allowed."""
    reports = []
    try:
        for name, path in file.configuration.report.items():
            # stdout is no file in a folder
            target = path if is_stdout(Path(path)) else file.output_path(path)
            end = "/" if path.endswith("/") else ""  # it says that the report is a folder
            reports.append(f"{name}={target}{end}")
        report_targets(reports)  # called only for its errors
    except ConfigurationError as error:
        raise ConfigurationError(f"{file.heading} report: {error}") from None
    except click.BadParameter as error:
        raise ConfigurationError(f"{file.heading} report: {error.message}") from None
    return tuple(reports)


def folder_of_configured_adapters() -> Path | None:
    """Return the folder of the configuration if it names the adapters of the running command, or None."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_FOLDER)


def adapter_named(name: str) -> Adapter:
    """Return the adapter of this name. Raise UnknownAdapter if there is none.

    Names from the configuration are relative to its folder, others to the current directory.
    """
    return find(name, folder_of_configured_adapters())


def library_named(name: str) -> Adapter:
    """Return the adapter of a URL library. Raise UnknownAdapter if it is that of an HTTP client, or none."""
    adapter = adapter_named(name)
    if adapter.name not in BUNDLED and adapter.name in clients():  # to read the catalogue takes a while
        raise UnknownAdapter(f"{name} is an HTTP client: it answers only as --fetch of `urlconform compare`")
    return adapter
