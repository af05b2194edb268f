"""The defaults of a project: the table `[tool.urlconform]` of pyproject.toml, or the file urlconform.toml.

The nearest one from the current folder upwards counts. A folder that has both is an error, because a reader
of one of them would not see that the other counts.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

import msgspec

from urlharness.corpus.model import COMPLIANCE, FLAGS, LEVELS, Tier
from urlharness.corpus.selection import ORIGINS, Selection, spec_name
from urlharness.corpus.specifications import SPECS
from urlharness.gate.policy import ACTIONS, OPEN
from urlharness.protocol.limits import USUAL, AtLeastOne, Jobs, Limits, Seconds
from urlharness.shell import option_words
from urlharness.system.files import OutsideError, path_below
from urlharness.wording import os_reason, parse_reason

FILE = "pyproject.toml"
TABLE = "tool.urlconform"

#: The file that has the keys of the table at its top level, for projects without pyproject.toml.
OWN_FILE = "urlconform.toml"

#: Where a configuration can be, in words.
PLACES = f"[{TABLE}] of {FILE}, or {OWN_FILE}"


class ConfigurationError(ValueError):
    """The configuration cannot be used. The message names the file, the key and the allowed values."""


class Configuration(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The keys of the table.

    The value of a key that is not set is None or empty. For such a key, each command uses its own default.
    `baseline` maps adapters to the files of their baselines. If there is only one adapter, `baseline` may be
    a file. `report` maps formats to files.
    """

    adapters: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    rule: tuple[str, ...] = ()
    flag: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    tier: tuple[str, ...] = ()
    vectors: str | None = None
    baseline: str | dict[str, str] = ""
    policy: dict[str, str] = {}
    fail_on: tuple[str, ...] = ()
    strict: bool | None = None
    maxfail: AtLeastOne | None = None
    timeout: Seconds | None = None
    start_timeout: Seconds | None = None
    total_timeout: Seconds | None = None
    jobs: Jobs | None = None
    report: dict[str, str] = {}


class ConfigurationFile(msgspec.Struct, frozen=True):
    """A configuration and the path of its file.

    Paths in the configuration are relative to the folder of this file.
    """

    path: Path
    configuration: Configuration

    @property
    def heading(self) -> str:
        """The path and, in pyproject.toml, the table, for the beginning of a message."""
        return _heading(self.path)

    @property
    def location(self) -> str:
        """The path and, in pyproject.toml, the table, for the middle of a message."""
        return str(self.path) if self.path.name == OWN_FILE else f"[{TABLE}] in {self.path}"

    def resolve(self, file: str) -> str:
        """Return a path in the configuration as one from the current folder, unless it is absolute."""
        if Path(file).is_absolute():
            return file
        return os.path.relpath(self.path.parent / file)

    def output_path(self, file: str) -> str:
        """Return the path of a file to write, like `resolve`.

        Raise ConfigurationError if the file is not below the folder of the configuration, or if its path
        leads through a symbolic link. A configuration may come from someone else, as part of a clone.
        """
        folder = self.path.parent
        name = os.path.relpath(folder / file, folder)
        try:
            if name != ".":  # the folder itself, which only badges are written to
                path_below(folder, name)
        except OutsideError:
            why = f"{file!r}: a configured report is written below {folder}, and through no symbolic link"
            raise ConfigurationError(why) from None
        return self.resolve(file)

    def baseline_paths(self) -> dict[str, str]:
        """Map each adapter to the path of its baseline, relative to the current folder."""
        baseline = self.configuration.baseline
        if baseline == "":
            return {}
        if isinstance(baseline, str):
            (adapter,) = self.configuration.adapters  # `read_configuration` has refused several
            return {adapter: self.resolve(baseline)}
        return {name: self.resolve(file) for name, file in baseline.items()}


def find_configuration(start: Path | None = None) -> ConfigurationFile | None:
    """Return the nearest configuration, or None.

    The search begins in the folder `start` (default: the current folder) and continues in its parents. Raise
    ConfigurationError if a file that the search reads is invalid, or if a folder has two configurations.
    """
    nearest: ConfigurationFile | None = None
    for path in files_above(start):
        if nearest is not None and path.parent != nearest.path.parent:
            return nearest
        configuration = read_configuration(path)
        if configuration is None:
            continue
        if nearest is not None:
            why = f"and {nearest.path.name} configure the same folder; keep one of them"
            raise ConfigurationError(f"{_heading(path)} {why}")
        nearest = ConfigurationFile(path, configuration)
    return nearest


def files_above(start: Path | None = None) -> Iterator[Path]:
    """Yield every file in `start` (default: the current folder) and its parents that may be a configuration.

    The nearest ones come first.
    """
    lowest = (start or Path.cwd()).resolve()
    for folder in (lowest, *lowest.parents):
        for name in (OWN_FILE, FILE):
            path = folder / name
            if path.is_file():
                yield path


def read_configuration(path: Path) -> Configuration | None:
    """Return the configuration in a file, or None if a pyproject.toml does not contain the table.

    Raise ConfigurationError if the file cannot be read, or if the file or the table is invalid.
    """
    table = _read_table(path)
    if table is None:
        return None
    heading = _heading(path)
    if not isinstance(table, dict):
        raise ConfigurationError(f"{heading} must be a table")
    if path.name == OWN_FILE and _has_table(table):
        why = f"the keys stand at top level in this file, not below [{TABLE}], which is for {FILE}"
        raise ConfigurationError(f"{heading}: {why}")
    keys = [field.encode_name for field in msgspec.structs.fields(Configuration)]
    for key in table:
        if key not in keys:
            raise ConfigurationError(f"{heading}: unknown key {key!r}; the keys are {', '.join(keys)}")
    try:
        configuration = msgspec.convert(table, Configuration)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{heading}: {error}") from None
    _refuse_unknown_names(configuration, heading)
    return configuration


def _read_table(path: Path) -> object:
    """Return what a file has in place of the table, or None if a pyproject.toml has nothing there.

    Raise ConfigurationError if the file cannot be read, or if it is no TOML.
    """
    try:
        content = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise ConfigurationError(f"{path}: {os_reason(error)}") from None
    except (ValueError, RecursionError) as error:  # not TOML, or not UTF-8
        raise ConfigurationError(f"{path}: {parse_reason(error)}") from None
    if path.name == OWN_FILE:
        return content
    tools = content.get("tool")
    return tools.get("urlconform") if isinstance(tools, dict) else None


def _has_table(content: dict[str, object]) -> bool:
    """Return True if a TOML file contains the table of pyproject.toml."""
    tools = content.get("tool")
    return isinstance(tools, dict) and "urlconform" in tools


def _heading(path: Path) -> str:
    """Return the path of a configuration and, in pyproject.toml, its table."""
    return str(path) if path.name == OWN_FILE else f"{path}: [{TABLE}]"


def _refuse_unknown_names(configuration: Configuration, heading: str) -> None:
    """Raise ConfigurationError if the configuration contains a name that the commands do not know.

    Also raise it for a single baseline if there is not exactly one adapter.
    Names of sections, rules and formats of reports are left to the commands, which know the corpus.
    """
    spec_ids = [spec_name(spec) for spec in configuration.spec]
    tiers = ("core", *get_args(Tier))
    levels = (*LEVELS, COMPLIANCE)
    _check_names(configuration.spec, SPECS, f"{heading} spec", spec_ids)
    _check_names(configuration.flag, FLAGS, f"{heading} flag")
    _check_names(configuration.origin, ORIGINS, f"{heading} origin")
    _check_names(configuration.tier, tiers, f"{heading} tier")
    _check_names(configuration.fail_on, levels, f"{heading} fail-on")
    for key in configuration.policy.keys() & set(OPEN):
        action = configuration.policy[key]
        _check_names([action], ACTIONS, f"{heading} policy.{key}")
    baseline = configuration.baseline
    if not isinstance(baseline, str):
        _check_names([*baseline], configuration.adapters, f"{heading} baseline")
    elif baseline and len(configuration.adapters) != 1:
        raise ConfigurationError(
            f"{heading} baseline: a single file is allowed only with one adapter; "
            "for several, use { NAME = FILE, … }"
        )


def _check_names(
    names: Collection[str], allowed: Collection[str], heading: str, ids: Collection[str] | None = None
) -> None:
    """Raise ConfigurationError, which names the key, if a name is not allowed.

    `ids` are the names in canonical spelling, which are compared with the allowed names (default: `names`).
    """
    for name, identifier in zip(names, ids or names, strict=True):
        if identifier not in allowed:
            # only the baselines, which name adapters, may have no allowed name
            hint = f"expected one of {', '.join(allowed)}" if allowed else "no adapter is configured"
            raise ConfigurationError(f"{heading}: unknown {name!r}; {hint}")


#: The settings whose defaults `option_words` would not leave out.
_DEFAULTS: Mapping[str, object] = {
    "tier": ("core",),
    "timeout": USUAL.case,
    "start_timeout": USUAL.start,
    "jobs": USUAL.jobs,
}


def gate_option_words(
    selection: Selection,
    *,
    tiers: Sequence[str],
    vectors: Path | None,
    policy: Sequence[tuple[str, str]],
    levels: Sequence[str],
    strict: bool,
    limits: Limits,
    typed: Collection[str] = (),
) -> list[str]:
    """Return the command-line options of `urlconform` with these settings.

    A command with these options selects the same cases and fails on the same outcomes. Options with default
    values are left out, unless `typed` names them.
    """
    terms = [f"{key}={answer}" for key, answer in policy]
    settings = {
        "spec": selection.specs,
        "section": selection.sections,
        "rule": selection.rules,
        "flag": selection.flags,
        "origin": selection.origins,
        "k": selection.words,
        "tier": tiers,
        "vectors": vectors,
        "policy": terms,
        "fail_on": levels,
        "strict": strict,
        "timeout": limits.case,
        "start_timeout": limits.start,
        "total_timeout": limits.total,
        "jobs": limits.jobs,
    }
    for name, default in _DEFAULTS.items():
        if settings[name] == default and name not in typed:
            del settings[name]
    return option_words(**settings)
