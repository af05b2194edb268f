"""Commands whose options have defaults in `[tool.urlconform]` of pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from urlharness.adapters.registry import Adapter, UnknownAdapter, find
from urlharness.cli.judge.reports import check_reports
from urlharness.cli.options import on_command_line
from urlharness.config import TABLE, ConfigurationError, Found, files_above, find_configuration
from urlharness.gate.policy import PolicyError

#: Where a click context keeps the configuration, and its folder if it named the adapters.
_FOUND, _FOLDER = "urlharness.cli.config.found", "urlharness.cli.config.folder"

#: The keys whose value is that of a parameter, by the name of the parameter.
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
            ctx.meta[_FOUND] = found
            _apply(found, ctx)
        if ctx.params.get("source", "") is None:
            why = f"no adapter and no results file is given, and [{TABLE}] does not have exactly one adapter"
            raise click.UsageError(why, ctx)
        try:
            return super().invoke(ctx)
        except PolicyError as error:  # a policy is checked against the corpus, which the command loads
            if found is None or not _configurable("settings", ctx):
                raise
            raise ConfigurationError(f"{found.path}: [{TABLE}] policy: {error}") from None


def adapter_named(name: str) -> Adapter:
    """Return the adapter of a name; raises UnknownAdapter.

    If the configuration names it, it is looked up and run in the folder of that pyproject.toml, otherwise in
    the current directory.
    """
    return find(name, configured_folder())


def configured_folder() -> Path | None:
    """Return the folder of the configuration if that named the adapters of the running command."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_FOLDER)


def where_no_adapter_is() -> str:
    """Say where the running command looked for configured adapters and found none."""
    context = click.get_current_context()
    found: Found | None = context.meta.get(_FOUND)
    if found is not None:
        return f"{found.path}: [{TABLE}] has no adapters"
    if on_command_line("no_config"):
        return f"--no-config ignores [{TABLE}]"
    read = ", ".join(map(str, files_above()))
    return f"no [{TABLE}] in {read}" if read else f"no pyproject.toml in {Path.cwd()} or above it"


def _apply(found: Found, ctx: click.Context) -> None:
    for name, value in _values(found, ctx.params).items():
        if name in ctx.params and _configurable(name, ctx) and value not in (None, ()):
            ctx.params[name] = value
            if name in ("names", "source"):
                ctx.meta[_FOLDER] = found.path.parent


def _configurable(name: str, ctx: click.Context) -> bool:
    """Return True if the command line leaves a parameter to the configuration."""
    return ctx.get_parameter_source(name) != ParameterSource.COMMANDLINE or ctx.params.get(name) == ()


def _values(found: Found, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configured value of each parameter; raises ConfigurationError."""
    configuration = found.configuration
    values: dict[str, Any] = {name: getattr(configuration, key) for name, key in _PLAIN.items()}
    reports = tuple(f"{name}={found.resolve(file)}" for name, file in configuration.report.items())
    try:
        for name in configuration.adapters:
            find(name)
        if "reports" in given:  # only some commands write reports
            check_reports(reports)
    except UnknownAdapter as error:
        raise ConfigurationError(f"{found.path}: [{TABLE}] adapters: {error}") from None
    except click.BadParameter as error:
        raise ConfigurationError(f"{found.path}: [{TABLE}] report: {error.message}") from None
    names = given.get("names") or configuration.adapters
    values["names"] = configuration.adapters
    values["source"] = configuration.adapters[0] if len(configuration.adapters) == 1 else None
    values["reports"] = reports
    values["settings"] = tuple(f"{key}={value}" for key, value in configuration.policy.items())
    values["baselines"] = tuple(f"{name}={file}" for name, file in found.baselines().items() if name in names)
    values["vectors"] = _vectors(found)
    return values


def _vectors(found: Found) -> Path | None:
    if found.configuration.vectors is None:
        return None
    path = Path(found.resolve(found.configuration.vectors))
    if not path.exists():
        raise ConfigurationError(f"{found.path}: [{TABLE}] vectors: {path}: no such file or directory")
    return path
