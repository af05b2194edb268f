"""The reports of a run: which formats there are, and where each is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path

import click

from urlharness.results import Results

#: Formats rendered from results; json is the results file itself.
_FORMATS = {"junit": "urlharness.report.junit", "html": "urlharness.report.html"}


def check_reports(wanted: Iterable[str]) -> dict[str, Path]:
    """The file of each format in `FORMAT=FILE`; raises a usage error before anything has run."""
    targets: dict[str, Path] = {}
    for item in wanted:
        name, equals, file = item.partition("=")
        if name not in ("json", *_FORMATS) or not equals or not file:
            formats = ", ".join(("json", *_FORMATS))
            raise click.BadParameter(
                f"{item!r} is not FORMAT=FILE with a format of {formats}", param_hint="--report"
            )
        path = Path(file)
        if not path.parent.is_dir():
            raise click.BadParameter(f"{path.parent}: no such directory", param_hint="--report")
        if path.is_dir():
            raise click.BadParameter(f"{path}: is a directory", param_hint="--report")
        if file == "-":
            raise click.BadParameter("- is no file; /dev/stdout is one", param_hint="--report")
        if path in targets.values():
            raise click.BadParameter(f"{path}: already taken by another report", param_hint="--report")
        targets[name] = path
    return targets


def results_file(targets: Mapping[str, Path], scratch: Path) -> Path:
    """Where the run writes its results: the file that was asked for, if it can be read back from there."""
    wanted = targets.get("json")
    readable = wanted is not None and (wanted.is_file() or not wanted.exists())
    return wanted if wanted is not None and readable else scratch / "results.jsonl"


def write_reports(results: Results, targets: Mapping[str, Path]) -> None:
    """Write every report but the results file, unless that goes to a pipe or a device."""
    for name, path in targets.items():
        if name in _FORMATS:
            render: Callable[[Results], str] = import_module(_FORMATS[name]).render
            text = render(results)
            try:
                path.write_text(text, encoding="utf-8")
            except OSError as error:  # a full disk, for one, does not say where it is
                raise OSError(error.errno, error.strerror, str(path)) from None
