"""The reports of a run: which formats there are, and where each is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from urlharness.cli.readers import may_leave

if TYPE_CHECKING:
    from urlharness.judgement import Judgement
    from urlharness.results import Results

#: Formats rendered from results, each by the module of its name; json is the results file itself.
RENDERED = ("html", "junit", "markdown", "badge", "github")
FORMATS = ("json", *RENDERED)
#: Of these the ones that say what the gate judged.
_GATED = frozenset(("junit", "markdown", "github"))
#: Names of the standard output, which other lines go to as well.
_STDOUT = frozenset(("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"))


def check_reports(wanted: Iterable[str], formats: Sequence[str] = FORMATS) -> dict[str, Path]:
    """The file of each format in `FORMAT=FILE`; raises a usage error before anything has run."""
    targets: dict[str, Path] = {}
    for item in wanted:
        name, equals, file = item.partition("=")
        if name not in formats or not equals or not file:
            why = f"{item!r} is not FORMAT=FILE with a format of {', '.join(formats)}"
            json = name == "json" and name not in formats
            raise _refused(f"{why}; json is the results themselves, which `run` writes" if json else why)
        path = Path(file)
        if name in targets:
            raise _refused(f"{item!r}: a report of that format is written already")
        if not path.parent.is_dir():
            raise _refused(f"{path.parent}: no such directory")
        if path.is_dir() and (name != "badge" or path.suffix == ".json"):
            raise _refused(f"{path}: is a directory")
        if name == "badge" and path.is_file() and path.suffix != ".json" and file not in _STDOUT:
            raise _refused(f"{path}: is a file; badges are written to a folder, or to a file named *.json")
        if file == "-":
            raise _refused("- is no file; /dev/stdout is one")
        if file not in _STDOUT and any(same_file(path, other) for other in targets.values()):
            raise _refused(f"{path}: already taken by another report")
        targets[name] = path
    return targets


def keep_inputs(targets: Mapping[str, Path], inputs: Iterable[tuple[str, Path]]) -> None:
    """Raises a usage error where a report would overwrite a file that is read; `inputs` says what each is.

    What a project is configured by is kept in any case.
    """
    read = [*inputs, *project_files()] if targets else []
    for name, path in targets.items():
        for what, file in read:
            if same_file(path, file):
                raise _refused(f"{f'{name}={path}'!r} would be written over {what}")


def project_files() -> Iterator[tuple[str, Path]]:
    """Every pyproject.toml from here upwards, whether a table of it is read or not, and what it is."""
    from urlharness.configuration import files_above

    return (("the configuration of the project", path) for path in files_above())


def same_file(one: Path, other: Path) -> bool:
    """Do two paths lead to one file, however they are spelled?  Of devices and pipes the spelling counts."""
    if one.exists() and other.exists():
        return one == other or (one.is_file() and other.is_file() and one.samefile(other))
    return os.path.realpath(one) == os.path.realpath(other)


def results_file(targets: Mapping[str, Path], scratch: Path) -> Path:
    """Where the run writes its results: the file that was asked for, if it can be read back from there."""
    wanted = targets.get("json")
    readable = wanted is not None and (wanted.is_file() or not wanted.exists())
    return wanted if wanted is not None and readable else scratch / "results.jsonl"


def write_reports(
    results: Results,
    targets: Mapping[str, Path],
    judgements: Sequence[Judgement] = (),
    baselines: Mapping[str, Path] = MappingProxyType({}),
) -> None:
    """Write every report but the results file; a reader that goes away is told on stderr.

    `judgements` are those of the gate, of a run that was gated; `baselines` has the file of each adapter that
    was judged by one.
    """
    for name, path in targets.items():
        if name not in RENDERED:
            continue
        module = import_module(f"urlharness.report.{name}")
        try:
            with may_leave(path):
                if name == "badge" and str(path) not in _STDOUT:
                    module.write(results, path)
                elif name in _GATED:
                    _write(module.render(results, judgements, baselines), path)
                else:
                    _write(module.render(results), path)
        except OSError as error:  # a full disk, for one, does not say where it is
            raise OSError(error.errno, error.strerror, error.filename or str(path)) from None


def _write(text: str, path: Path) -> None:
    """Write a file; the standard output is not opened anew, which would lose what it has already."""
    if str(path) in _STDOUT:
        sys.stdout.flush()
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        path.write_text(text, encoding="utf-8")


def _refused(why: str) -> click.BadParameter:
    return click.BadParameter(why, param_hint="--report")
