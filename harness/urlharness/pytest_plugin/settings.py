"""The settings of a pytest run.

The command line takes precedence over the ini file, and the ini file over `[tool.urlconform]`.
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

#: The adapter name that means the adapter in `[tool.urlconform]`.
PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a pytest run with one adapter.

    `folder` is the folder in which the adapter is looked up, or None for the current directory. `generated`
    are the generated tiers in the configuration. The plugin does not ask them. `pytest_options` are the
    options on the command line that a command for a single vector must repeat. With `all_operations`, vectors
    of operations that the adapter does not offer get items too.
    """

    adapter: str
    folder: Path | None
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
        terms = (self.policy, self.levels, self.strict)
        return gate_option_words(self.selection, ("core",), self.vectors, *terms, self.limits)


def settings(config: pytest.Config, adapter: str) -> Settings:
    """Return the settings of a run with an adapter. Raise pytest.UsageError if a setting is invalid."""
    try:
        # the file that the command `urlconform` would use, otherwise the one of the rootdir
        found = find_configuration(config.invocation_params.dir) or find_configuration(config.rootpath)
        project = Configuration() if found is None else found.configuration
        name = _adapter(found, config) if adapter == PROJECT else adapter
        selection = Selection(
            specs=tuple(map(spec_name, _several(config, "spec", project.spec))),
            sections=_several(config, "section", project.section),
            rules=project.rule,
            flags=_several(config, "flag", project.flag),
            origins=project.origin,
        )
    except (ConfigurationError, SelectionError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    given = [option.partition("=") for option in _several(config, "policy", ())]
    if wrong := next(("".join(parts) for parts in given if not parts[1]), None):
        raise pytest.UsageError(f"urlconform: policy {wrong!r} is not KEY=ANSWER")
    names = ("spec", "section", "flag", "timeout", "start_timeout")
    options = {f"urlconform_{option}": config.getoption(f"urlconform_{option}") for option in names}
    return Settings(
        adapter=name,
        folder=found.path.parent if found is not None and adapter == PROJECT else None,
        selection=selection,
        vectors=None if found is None or project.vectors is None else Path(found.resolve(project.vectors)),
        baseline=_baseline(config, name, found),
        limits=Limits(
            start=_seconds(config, "start_timeout", project.start_timeout or USUAL.start),
            case=_seconds(config, "timeout", project.timeout or USUAL.case),
        ),
        levels=_several(config, "fail_on", project.fail_on),
        policy=tuple((key, value) for key, _, value in given) or tuple(project.policy.items()),
        strict=bool(_given(config, "strict")) or bool(project.strict),
        all_operations=bool(_given(config, "all_operations")),
        generated=tuple(tier for tier in project.tier if tier != "core"),
        pytest_options=tuple(option_words(**options)),
    )


def _adapter(found: ConfigurationFile | None, config: pytest.Config) -> str:
    """Return the only adapter of the configuration. Raise ConfigurationError unless it names exactly one."""
    if found is None:
        places = " or ".join(dict.fromkeys(map(str, (config.invocation_params.dir, config.rootpath))))
        why = f"{PROJECT} needs a {FILE} with [{TABLE}]"
        raise ConfigurationError(f"{why}, but there is none in {places} or above")
    adapters = found.configuration.adapters
    if len(adapters) != 1:
        why = f"names {len(adapters)} adapters, but {PROJECT} needs one"
        raise ConfigurationError(f"{found.path}: [{TABLE}] {why}")
    return adapters[0]


def _given(config: pytest.Config, name: str) -> Any:
    """Return the value of an option. If it is not given, return the value of the ini option."""
    option = config.getoption(f"urlconform_{name}")
    return config.getini(f"urlconform_{name}") if option is None else option


def _several(config: pytest.Config, name: str, otherwise: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str, _given(config, name))) or tuple(otherwise)


def _baseline(config: pytest.Config, adapter: str, found: ConfigurationFile | None) -> Path | None:
    """Return the path of the baseline, or None if there is no baseline.

    A relative path on the command line is relative to the current directory. Any other path is relative to
    the folder of the file that contains it.
    """
    if option := config.getoption("urlconform_baseline"):
        return Path(config.invocation_params.dir, option)
    if ini := config.getini("urlconform_baseline"):
        return Path(config.rootpath if config.inipath is None else config.inipath.parent, ini)
    file = None if found is None else found.baselines().get(adapter)
    return None if file is None else Path(file)


def _seconds(config: pytest.Config, name: str, standard: float) -> float:
    given = _given(config, name)
    try:
        return msgspec.convert(given, Seconds, strict=False) if given else standard
    except msgspec.ValidationError:
        message = f"urlconform: {name}: {given!r} is not a number of seconds"
        raise pytest.UsageError(message) from None
