"""Options filled from the configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from urlharness.adapters.registry import BUNDLED
from urlharness.cli.options import said
from urlharness.config import ConfigurationError, find_configuration
from urlharness.shell import Place

if TYPE_CHECKING:
    from urlharness.adapters.registry import Adapter
    from urlharness.config import Found


# -------------------- cli.configured: Commands that take what is not said on the command line from the configuration of the project.


_TABLE = "tool.urlconform"


#: Where a context keeps the configuration, and its folder where it named the adapters.
_FOUND, _FOLDER = "urlharness.cli.configured.found", "urlharness.cli.configured.folder"


#: The keys that are the value of an option as they stand, by the name of its parameter.
_PLAIN = {
    "specs": "spec",
    "sections": "section",
    "rules": "rule",
    "flags": "flag",
    "tiers": "tier",
    "levels": "fail_on",
    "strict": "strict",
    "maxfail": "maxfail",
    "timeout": "timeout",
    "start_timeout": "start_timeout",
    "total_timeout": "total_timeout",
    "jobs": "jobs",
}


class ConfiguredCommand(click.Command):
    """A command whose options have the values of the configuration where the command line gives none."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params.append(
            click.Option(["--no-config"], is_flag=True, help=f"Leave [{_TABLE}] of pyproject.toml alone.")
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, the configured values put in first."""
        from urlharness.config import ConfigurationError, find_configuration
        from urlharness.gate.policy import PolicyError

        found = None if ctx.params.pop("no_config") else find_configuration()
        if found is not None:
            ctx.meta[_FOUND] = found
            _apply(found, ctx)
        if ctx.params.get("source", "") is None:
            why = f"no adapter and no results are named, and [{_TABLE}] has not one adapter to take instead"
            raise click.UsageError(why, ctx)
        try:
            return super().invoke(ctx)
        except PolicyError as error:  # it is checked by the corpus, which the command loads
            if found is None or not _configured("settings", ctx):
                raise
            raise ConfigurationError(f"{found.path}: [{_TABLE}] policy: {error}") from None


def adapter_named(name: str) -> Adapter:
    """The adapter of a name; raises UnknownAdapter.

    One that the configuration names lives in the folder of its pyproject.toml, from wherever it is run, and
    one of the command line in the current directory.
    """
    from urlharness.adapters.registry import find

    return find(name, configured_folder())


def configured_folder() -> Path | None:
    """The folder of the configuration that named the adapters; None where the command line did."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_FOLDER)


def where_no_adapter_is() -> str:
    """Where the command at hand looked for an adapter that it was not given, and found none."""
    from urlharness.config import files_above

    context = click.get_current_context()
    found: Found | None = context.meta.get(_FOUND)
    if found is not None:
        return f"{found.path}: [{_TABLE}] has no adapters"
    if context.get_parameter_source("no_config") is ParameterSource.COMMANDLINE:
        return f"--no-config leaves [{_TABLE}] alone"
    read = ", ".join(map(str, files_above()))
    return f"no [{_TABLE}] in {read}" if read else f"no pyproject.toml in {Path.cwd()} or above it"


def _apply(found: Found, ctx: click.Context) -> None:
    for name, value in _values(found, ctx.params).items():
        if name in ctx.params and _configured(name, ctx) and value not in (None, ()):
            ctx.params[name] = value
            if name in ("names", "source"):
                ctx.meta[_FOLDER] = found.path.parent


def _configured(name: str, ctx: click.Context) -> bool:
    """True where the command line leaves a parameter to the configuration."""
    return ctx.get_parameter_source(name) != ParameterSource.COMMANDLINE or ctx.params.get(name) == ()


def _values(found: Found, given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each parameter that is configured; raises ConfigurationError.

    Reports are those of a command that writes some.
    """
    from urlharness.adapters.registry import UnknownAdapter, find
    from urlharness.cli.judge.reports import check_reports
    from urlharness.config import ConfigurationError

    configuration = found.configuration
    values: dict[str, Any] = {name: getattr(configuration, key) for name, key in _PLAIN.items()}
    reports = tuple(f"{name}={found.resolve(file)}" for name, file in configuration.report.items())
    try:
        for name in configuration.adapters:
            find(name)
        if "reports" in given:
            check_reports(reports)
    except UnknownAdapter as error:
        raise ConfigurationError(f"{found.path}: [{_TABLE}] adapters: {error}") from None
    except click.BadParameter as error:
        raise ConfigurationError(f"{found.path}: [{_TABLE}] report: {error.message}") from None
    names = given.get("names") or configuration.adapters
    values["names"] = configuration.adapters
    values["source"] = configuration.adapters[0] if len(configuration.adapters) == 1 else None
    values["reports"] = reports
    values["settings"] = tuple(f"{key}={value}" for key, value in configuration.policy.items())
    values["baselines"] = tuple(f"{name}={file}" for name, file in found.baselines().items() if name in names)
    values["vectors"] = _vectors(found)
    return values


def _vectors(found: Found) -> Path | None:
    from urlharness.config import ConfigurationError

    if found.configuration.vectors is None:
        return None
    path = Path(found.resolve(found.configuration.vectors))
    if not path.exists():
        raise ConfigurationError(f"{found.path}: [{_TABLE}] vectors: {path}: no such file or directory")
    return path


# -------------------- cli.elsewhere: An adapter that is not found here, and that the configuration of a folder above has: the line to paste.


def elsewhere(name: str) -> str:
    """Where an adapter is that could not be asked by its name, and the command at hand as it is run there.

    An adapter of the command line is looked up in the current folder, and one of the configuration beside
    it.  Empty where the configuration does not name it, or is in the current folder.
    """
    try:
        found = find_configuration()
    except ConfigurationError:
        return ""
    if found is None or name in BUNDLED or name not in found.configuration.adapters:
        return ""
    if found.path.parent == Path.cwd():
        return ""
    place = Place(relpath(found.path.parent))
    line = place.line(["urlconform", *_again(place)])
    return f"[tool.urlconform] of {relpath(found.path)} has this adapter: {line}"


def _again(place: Place) -> Iterator[str]:
    """The words of the command at hand, its files as seen from that place."""
    context = click.get_current_context()
    yield from context.command_path.split()[1:]
    for parameter in context.command.params:
        if not said(str(parameter.name)):
            continue
        given = context.params[str(parameter.name)]
        for value in given if isinstance(given, tuple) else (given,):
            if isinstance(parameter, click.Option):
                yield parameter.opts[0]
            if value is not True:
                yield place.seen(value) if isinstance(value, Path) else _word(value)


def _word(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
