"""The settings of a pytest run.

The command line takes precedence over the ini file, and the ini file over the configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from urlharness.config import (
    FILE,
    OWN_FILE,
    TABLE,
    Configuration,
    ConfigurationError,
    ConfigurationFile,
    find_configuration,
    gate_option_words,
)
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.protocol.limits import USUAL, Limits, Seconds
from urlharness.shell import option_words

#: The adapter name that means the adapter in the configuration.
PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a pytest run with one adapter.

    `folder` is the folder in which the adapter is looked up, or None for the current directory. `location` is
    the configuration that names the adapter, or empty. `generated` are the generated tiers in the
    configuration. The plugin does not ask them. `pytest_options` are the options on the command line that a
    command for a single vector must repeat. With `all_operations`, vectors of operations that the adapter
    does not offer get items too.
    """

    adapter: str
    folder: Path | None
    location: str
    selection: Selection
    vectors: Path | None
    baseline: Path | None
    limits: Limits
    levels: tuple[str, ...]
    policy: tuple[tuple[str, str], ...]
    strict: bool
    all_operations: bool
    generated: tuple[str, ...]
    pytest_options: tuple[str, ...]

    @property
    def gate_options(self) -> list[str]:
        """The options of `urlconform` that select the same vectors and fail on the same outcomes."""
        return gate_option_words(
            self.selection,
            tiers=("core",),
            vectors=self.vectors,
            policy=self.policy,
            levels=self.levels,
            strict=self.strict,
            limits=self.limits,
        )


def read_settings(config: pytest.Config, adapter: str) -> Settings:
    """Return the settings of a run with an adapter. Raise pytest.UsageError if a setting is invalid.

    Options of pytest come before the configuration file, which may be missing. Either can set `strict`.
    """
    try:
        # the file that the command `urlconform` would use, otherwise the one of the rootdir
        file = find_configuration(config.invocation_params.dir) or find_configuration(config.rootpath)
        project = Configuration() if file is None else file.configuration
        name = _project_adapter(file, config) if adapter == PROJECT else adapter
        selection = _selection(config, project)
    except (ConfigurationError, SelectionError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    baseline = _baseline_path(config, name, file)
    limits = _limits(config, project)
    levels = _repeatable_option(config, "fail_on", project.fail_on)
    policy = _policy(config) or tuple(project.policy.items())
    is_strict = bool(_option(config, "strict") or project.strict)
    all_operations = bool(_option(config, "all_operations"))
    generated = tuple(tier for tier in project.tier if tier != "core")
    folder = None
    location = ""
    if file is not None and adapter == PROJECT:
        folder = file.path.parent
        location = file.location
    vectors = None
    if file is not None and project.vectors is not None:
        vectors = Path(file.resolve(project.vectors))
    return Settings(
        adapter=name,
        folder=folder,
        location=location,
        selection=selection,
        vectors=vectors,
        baseline=baseline,
        limits=limits,
        levels=levels,
        policy=policy,
        strict=is_strict,
        all_operations=all_operations,
        generated=generated,
        pytest_options=_repeated_options(config),
    )


def _selection(config: pytest.Config, project: Configuration) -> Selection:
    """Return the selection of the vectors. Raise SelectionError if it names something that does not exist."""
    specs = _repeatable_option(config, "spec", project.spec)
    sections = _repeatable_option(config, "section", project.section)
    flags = _repeatable_option(config, "flag", project.flag)
    return Selection(
        specs=tuple(map(spec_name, specs)),
        sections=sections,
        rules=project.rule,
        flags=flags,
        origins=project.origin,
    )


def _limits(config: pytest.Config, project: Configuration) -> Limits:
    """Return the limits of time. Raise pytest.UsageError if one is not a number of seconds."""
    start = _seconds(config, "start_timeout", project.start_timeout or USUAL.start)
    case = _seconds(config, "timeout", project.timeout or USUAL.case)
    return Limits(start=start, case=case)


def _repeated_options(config: pytest.Config) -> tuple[str, ...]:
    """Return the options on the command line that a command for a single vector must repeat."""
    names = [f"urlconform_{name}" for name in ("spec", "section", "flag", "timeout", "start_timeout")]
    options = {name: config.getoption(name) for name in names}
    return tuple(option_words(**options))


def _project_adapter(file: ConfigurationFile | None, config: pytest.Config) -> str:
    """Return the only adapter of the configuration. Raise ConfigurationError unless it names exactly one."""
    if file is None:
        # the folders that were searched, which are often one
        folders = dict.fromkeys((str(config.invocation_params.dir), str(config.rootpath)))
        searched = " or ".join(folders)
        why = f"{PROJECT} needs a {FILE} with [{TABLE}], or a {OWN_FILE}"
        raise ConfigurationError(f"{why}, but there is none in {searched} or above")
    adapters = file.configuration.adapters
    if len(adapters) != 1:
        why = f"names {len(adapters)} adapters, but {PROJECT} needs one"
        raise ConfigurationError(f"{file.heading} {why}")
    return adapters[0]


def _option(config: pytest.Config, name: str) -> Any:
    """Return an option of the command line. If it is not set, return the ini option.

    An ini option that is not set is empty or False, never None.
    """
    full_name = f"urlconform_{name}"
    option = config.getoption(full_name)
    return config.getini(full_name) if option is None else option


def _repeatable_option(config: pytest.Config, name: str, default: Sequence[str]) -> tuple[str, ...]:
    """Return the values of a repeatable option, or `default` if it has none."""
    return tuple(map(str, _option(config, name))) or tuple(default)


def _policy(config: pytest.Config) -> tuple[tuple[str, str], ...]:
    """Return the options of the policy as pairs. Raise pytest.UsageError if one is not KEY=ANSWER."""
    pairs = []
    for option in _repeatable_option(config, "policy", ()):
        key, equals_sign, answer = option.partition("=")
        if not equals_sign:
            raise pytest.UsageError(f"urlconform: policy {option!r} is not KEY=ANSWER")
        pairs.append((key, answer))
    return tuple(pairs)


def _baseline_path(config: pytest.Config, adapter: str, file: ConfigurationFile | None) -> Path | None:
    """Return the path of the baseline, or None if there is no baseline.

    A relative path on the command line is relative to the current directory. Any other path is relative to
    the folder of the file that contains it.
    """
    option = config.getoption("urlconform_baseline")
    if option:
        return Path(config.invocation_params.dir, option)
    ini = config.getini("urlconform_baseline")
    if ini:
        folder = config.rootpath if config.inipath is None else config.inipath.parent
        return Path(folder, ini)
    path = None if file is None else file.baseline_paths().get(adapter)
    return None if path is None else Path(path)


def _seconds(config: pytest.Config, name: str, default: float) -> float:
    """Return an option in seconds, or `default`. Raise pytest.UsageError if it is not a number of seconds."""
    option = _option(config, name)
    if not option:
        return default
    try:
        seconds: float = msgspec.convert(option, Seconds, strict=False)
    except msgspec.ValidationError:
        message = f"urlconform: {name}: {option!r} is not a number of seconds"
        raise pytest.UsageError(message) from None
    return seconds
