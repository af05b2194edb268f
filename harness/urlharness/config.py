"""The defaults of a project: the table `[tool.urlconform]` of the nearest pyproject.toml."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from os.path import relpath
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec

from urlharness.corpus.model import COMPLIANCE, FLAGS, LEVELS, SPECS
from urlharness.corpus.model import Tier
from urlharness.corpus.selection import spec_name
from urlharness.gate.policy import ACTIONS, OPEN
from urlharness.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS

FILE = "pyproject.toml"


TABLE = "tool.urlconform"


_Seconds = Annotated[float, msgspec.Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]


_Count = Annotated[int, msgspec.Meta(ge=1)]


_Jobs = Annotated[int, msgspec.Meta(ge=1, le=MOST_JOBS)]


class ConfigurationError(ValueError):
    """A configuration that cannot be used; the message names the file, the key and what it may be."""


class Configuration(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The keys of the table; what is not set is None or empty, and left to the command.

    `baseline` is one file where one adapter is configured, or a file for the name of each.
    """

    adapters: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    rule: tuple[str, ...] = ()
    flag: tuple[str, ...] = ()
    tier: tuple[str, ...] = ()
    vectors: str | None = None
    baseline: str | dict[str, str] = ""
    policy: dict[str, str] = {}
    fail_on: tuple[str, ...] = ()
    strict: bool | None = None
    maxfail: _Count | None = None
    timeout: _Seconds | None = None
    start_timeout: _Seconds | None = None
    total_timeout: _Seconds | None = None
    jobs: _Jobs | None = None
    report: dict[str, str] = {}


class Found(msgspec.Struct, frozen=True):
    """A configuration and the file it stands in; paths in it are relative to that file's directory."""

    path: Path
    configuration: Configuration

    def resolve(self, file: str) -> str:
        """A path of the configuration as seen from the current directory."""
        return file if Path(file).is_absolute() else relpath(self.path.parent / file)

    def baselines(self) -> dict[str, str]:
        """The baseline of each adapter, by its name, as seen from the current directory."""
        value = self.configuration.baseline
        if isinstance(value, str):
            value = {self.configuration.adapters[0]: value} if value else {}
        return {name: self.resolve(file) for name, file in value.items()}


def find_configuration(start: Path | None = None) -> Found | None:
    """The configuration of the nearest pyproject.toml that has the table, from `start` or here upwards.

    Raises ConfigurationError.
    """
    for path in files_above(start):
        configuration = read_configuration(path)
        if configuration is not None:
            return Found(path, configuration)
    return None


def files_above(start: Path | None = None) -> Iterator[Path]:
    """Every pyproject.toml from `start` or here upwards, the nearest first."""
    start = (start or Path.cwd()).resolve()
    return (path for directory in (start, *start.parents) if (path := directory / FILE).is_file())


def read_configuration(path: Path) -> Configuration | None:
    """The configuration in a file, None where it has no such table; raises ConfigurationError."""
    try:
        content = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # of TOML, or of UTF-8
        raise ConfigurationError(f"{path}: {error}") from None
    tools = content.get("tool")
    table = tools.get("urlconform") if isinstance(tools, dict) else None
    if table is None:
        return None
    where = f"{path}: [{TABLE}]"
    if not isinstance(table, dict):
        raise ConfigurationError(f"{where}: it is no table")
    _refuse_unknown(table, where)
    try:
        configuration = msgspec.convert(table, Configuration)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{where} {_named(str(error))}") from None
    _check(configuration, where)
    return configuration


def _refuse_unknown(table: Mapping[str, Any], where: str) -> None:
    keys = [field.encode_name for field in msgspec.structs.fields(Configuration)]
    for key in table:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
            raise ConfigurationError(f"{where}: no key {key!r}; {hint}")


#: What the types are called in TOML.
_TOML = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "",
    "object": "a table",
    "str": "a text",
}


def _named(message: str) -> str:
    """An error of a conversion in the words of TOML, the key in front."""
    what, _, place = message.partition(" - at `$")

    def types(found: re.Match[str]) -> str:
        return " or ".join(filter(None, (_TOML.get(one, one) for one in found[1].split(" | "))))

    key = place.rstrip("`").removeprefix(".")
    return f"{key}: {re.sub('`([^`]+)`', types, what[:1].lower() + what[1:])}"


def _check(configuration: Configuration, where: str) -> None:
    """Refuse values that the commands do not know, before anything runs."""
    _check_each(configuration.spec, SPECS, f"{where} spec", spec_name)
    _check_each(configuration.flag, FLAGS, f"{where} flag")
    _check_each(configuration.tier, ("core", *get_args(Tier)), f"{where} tier")
    _check_each(configuration.fail_on, (*LEVELS, COMPLIANCE), f"{where} fail-on")
    for key in configuration.policy.keys() & set(OPEN):
        _check_each([configuration.policy[key]], ACTIONS, f"{where} policy.{key}")
    baseline = configuration.baseline
    if isinstance(baseline, str) and baseline and len(configuration.adapters) != 1:
        raise ConfigurationError(f"{where} baseline: one file is for one adapter; {{ NAME = FILE }} for more")
    if not isinstance(baseline, str):
        _check_each(baseline, configuration.adapters, f"{where} baseline")


def _check_each(values: Collection[str], allowed: Collection[str], where: str, read: Any = str) -> None:
    for value in values:
        if read(value) not in allowed:
            known = f"there are {', '.join(allowed)}" if allowed else "there are none"
            raise ConfigurationError(f"{where}: no {value!r}; {known}")
