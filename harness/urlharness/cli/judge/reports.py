"""`report`, --report FORMAT=FILE; never write over an input."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from urlharness.adapters.registry import BUNDLED, Adapter, InProcess, Program, ProgramPerCase
from urlharness.cli.errors import may_leave
from urlharness.exitcodes import Exit

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results


# -------------------- adapters.files: The files of an adapter of one's own, as far as its name tells: what must not be written over.


def files_of(adapter: Adapter) -> Iterator[Path]:
    """Files that are there: those that a command has among its words, or the module of a function.

    What a program opens besides, and what a module imports, is not known.  A bundled adapter has none.
    """
    if BUNDLED.get(adapter.name) is adapter:
        return
    match adapter:
        case Program():
            yield from _of_command(adapter.command(), adapter.folder or Path())
        case ProgramPerCase():
            yield from _of_command(adapter.command, adapter.folder or Path())
        case InProcess(apart=True):  # of the others no name leads to a module
            yield from _of_module(adapter.name.split(":")[1], adapter.folder or Path())


def _of_command(command: Sequence[str], folder: Path) -> Iterator[Path]:
    program, *words = command
    if "/" not in program:  # it is looked for on the PATH, and nowhere else
        if found := shutil.which(program):
            yield Path(found)
    else:
        words.insert(0, program)
    for word in words:
        for part in _parts(word):
            if os.path.isfile(path := folder / part):  # noqa: PTH113 - False for a name that none can have
                yield path


def _parts(word: str) -> Iterator[str]:
    """What may be a file of a word: itself, what an option is set to, the words of `bash -c '…'`."""
    yield word
    yield word.rpartition("=")[2]
    try:
        within = shlex.split(word)
    except ValueError:
        return
    if len(within) > 1:
        for inner in within:
            yield from (inner, inner.rpartition("=")[2])


def _of_module(name: str, folder: Path) -> Iterator[Path]:
    """The file of a module and those of its packages, found without running any of them."""
    place = [str(folder.resolve()), *sys.path]
    for part in name.split("."):  # a name without its package wants none that is loaded
        spec = _found(part, place)
        if spec is None:
            return
        if spec.has_location and spec.origin is not None:
            yield Path(spec.origin)
        place = list(spec.submodule_search_locations or ())


def _found(name: str, place: list[str]) -> ModuleSpec | None:
    try:
        return PathFinder.find_spec(name, place)
    except (ImportError, ValueError):
        return None


# -------------------- cli.reports: The reports of a run: which formats there are, and where each is written.


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
    from urlharness.config import files_above

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
        module = import_module(
            "urlharness.report.html.page" if name == "html" else f"urlharness.report.{name}"
        )
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


# -------------------- cli.report: `urlconform report`: the results of an earlier run, printed and rendered again.


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE",
              help=f"Write a report: {', '.join(RENDERED)}.")  # fmt: skip
def report(file: Path, reports: tuple[str, ...]) -> int:
    """Render the results of a run, a results.jsonl FILE, again.

    It prints the tables of the run, and where one adapter alone was asked the first of its failures.  It
    judges nothing: what a gate found is in the reports of the run.
    """
    from urlharness.cli.output import busy, console
    from urlharness.report.terminal import failures, render
    from urlharness.results.model import read_results
    from urlharness.text import plain

    if str(file) == "-":
        raise click.BadParameter("a pipe is read from /dev/stdin, not from -", param_hint="FILE")
    targets = check_reports(reports, RENDERED)
    keep_inputs(targets, [("the results that it is made of", file)])
    with busy(f"reading {plain(file.name)}"):
        results = read_results(file)
    out = console()
    render(out, results)
    if len(results.participants) == 1:
        out.print(failures(results, results.participants[0].name), soft_wrap=True)
    write_reports(results, targets)
    return Exit.PASSED
