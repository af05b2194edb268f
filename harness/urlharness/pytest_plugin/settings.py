"""What a pytest run was asked for: the command line first, then its ini file, then `[tool.urlconform]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from urlharness.config import FILE, TABLE, Configuration, ConfigurationError, Found, find_configuration
from urlharness.corpus.model import LEVELS
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.limits import LEAST_SECONDS, MOST_SECONDS, Limits
from urlharness.shell import patience

#: What stands for the adapter of `[tool.urlconform]`.
PROJECT = "project"


#: The tier that is the corpus as it is stored.
STORED = "core"


@dataclass(frozen=True, slots=True)
class Settings:
    """The adapter by its name, what it is asked, its baseline, and what fails: see `urlharness.policy`.

    `folder` is where the adapter is looked up and run, None for the current directory; `generated` are tiers
    that the project names and no item is made of; `narrowed` are the options of the command line that select,
    and those that say how long an adapter may take.
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
    generated: tuple[str, ...]
    narrowed: tuple[str, ...]

    @property
    def deciding(self) -> list[str]:
        """What decides which vectors are asked and what fails, as options of `urlconform`."""
        chosen = self.selection
        pairs = [
            *(("--spec", spec) for spec in chosen.specs),
            *(("--section", section) for section in chosen.sections),
            *(("--rule", rule) for rule in chosen.rules),
            *(("--flag", flag) for flag in chosen.flags),
            *(("--policy", f"{key}={value}") for key, value in self.policy),
            *(("--fail-on", level) for level in self.levels if {*self.levels} != {*LEVELS}),
        ]
        words = [word for pair in pairs for word in pair] + ["--strict"] * self.strict
        return [*words, *patience(*self.limits.unusual)]


def settings(config: pytest.Config, adapter: str) -> Settings:
    """The settings of a run for the adapter that was named; raises pytest.UsageError."""
    try:
        # as the command finds it; what is asked of a folder elsewhere may have its own
        found = find_configuration(config.invocation_params.dir) or find_configuration(config.rootpath)
        project = Configuration() if found is None else found.configuration
        name = _adapter(found, config) if adapter == PROJECT else adapter
        selection = Selection(
            specs=tuple(map(spec_name, _several(config, "spec", project.spec))),
            sections=_several(config, "section", project.section),
            rules=project.rule,
            flags=_several(config, "flag", project.flag),
        )
    except (ConfigurationError, SelectionError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    standard = Limits()
    policy = tuple(map(_pair, _several(config, "policy", ())))
    return Settings(
        adapter=name,
        folder=found.path.parent if found is not None and adapter == PROJECT else None,
        selection=selection,
        vectors=None if found is None or project.vectors is None else found.path.parent / project.vectors,
        baseline=_baseline(config, name, found),
        limits=standard._replace(
            start=_seconds(config, "start_timeout", project.start_timeout or standard.start),
            case=_seconds(config, "timeout", project.timeout or standard.case),
        ),
        levels=_several(config, "fail_on", project.fail_on),
        policy=policy or tuple(project.policy.items()),
        strict=bool(_given(config, "strict")) or bool(project.strict),
        generated=tuple(tier for tier in project.tier if tier != STORED),
        narrowed=tuple(_narrowed(config)),
    )


def _adapter(found: Found | None, config: pytest.Config) -> str:
    """The adapter of the project, where it has one."""
    if found is None:
        places = " or ".join(dict.fromkeys(map(str, (config.invocation_params.dir, config.rootpath))))
        raise ConfigurationError(
            f"no {FILE} with [{TABLE}] in {places} or above, and {PROJECT} is its adapter"
        )
    adapters = found.configuration.adapters
    if len(adapters) != 1:
        what = f"names {len(adapters)} adapters, and {PROJECT} is for one"
        raise ConfigurationError(f"{found.path}: [{TABLE}] {what}")
    return adapters[0]


def _given(config: pytest.Config, name: str) -> Any:
    """The option, or the ini option of that name."""
    option = config.getoption(f"urlconform_{name}")
    return config.getini(f"urlconform_{name}") if option is None else option


def _several(config: pytest.Config, name: str, otherwise: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str, _given(config, name))) or tuple(otherwise)


def _narrowed(config: pytest.Config) -> Iterator[str]:
    """The words of the command line without which a vector it selects may not be asked, or not as long."""
    for name in ("spec", "section", "flag"):
        for value in config.getoption(f"urlconform_{name}") or ():
            yield from (f"--urlconform-{name}", value)
    for name in ("timeout", "start-timeout"):
        if value := config.getoption(f"urlconform_{name.replace('-', '_')}"):
            yield from (f"--urlconform-{name}", value)


def _pair(given: str) -> tuple[str, str]:
    key, equals, value = given.partition("=")
    if not equals:
        raise pytest.UsageError(f"urlconform: policy {given!r} is not KEY=ANSWER")
    return key, value


def _baseline(config: pytest.Config, adapter: str, found: Found | None) -> Path | None:
    """The path of the baseline, relative to the caller, to the ini file, or to the configuration."""
    option = config.getoption("urlconform_baseline")
    if option:
        return Path(config.invocation_params.dir, option)
    ini = config.getini("urlconform_baseline")
    if ini:
        return Path(config.rootpath if config.inipath is None else config.inipath.parent, ini)
    file = None if found is None else found.baselines().get(adapter)
    return None if file is None else Path(file)


def _seconds(config: pytest.Config, name: str, standard: float) -> float:
    given = _given(config, name)
    if not given:
        return standard
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise pytest.UsageError(f"urlconform: {name} is {given!r}, and no number of seconds")
    return seconds
