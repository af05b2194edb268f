"""The files that a command reads and writes: an output never replaces an input."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.config import files_above

#: The file that the name `-` stands for.
_STDIN = Path("/dev/stdin")


def refuse_overwriting(option: str, outputs: Iterable[Path], inputs: Mapping[str, Path | str | None]) -> None:
    """Raise a usage error if an output is an input, or a configuration that the command may read.

    `option` is the option that names the outputs. `inputs` maps words such as "the results file" to the file
    or folder that the command reads: `-` is stdin, and None is no file.
    """
    output_paths = list(outputs)
    if not output_paths:
        return
    input_paths = [(words, Path(file)) for words, file in inputs.items() if file is not None]
    input_paths += [("the configuration of the project", file) for file in files_above()]
    for words, path in input_paths:
        input_path = _STDIN if str(path) == "-" else path
        for output in output_paths:
            if _replaces(output, input_path):
                raise click.BadParameter(f"'{output}' would overwrite {words}", param_hint=option)


def _replaces(output: Path, file: Path) -> bool:
    """Return True if an output is a file that the command reads, or a file in a folder that it reads.

    `file` may be such a folder. The output need not exist.
    """
    if file.is_dir() and output.is_file():
        return any(same_file(output, inner) for inner in file.rglob("*"))
    return same_file(output, file)


def same_file(first: Path, second: Path) -> bool:
    """Return True if two paths lead to the same file. Devices and pipes are compared by name."""
    if not (first.exists() and second.exists()):
        return os.path.realpath(first) == os.path.realpath(second)
    if first == second:
        return True
    are_files = first.is_file() and second.is_file()
    return are_files and first.samefile(second)


def program_files(adapters: Sequence[Adapter]) -> dict[str, Path]:
    """Map words to the files that the names of adapters contain: a module, a program, or an argument of it.

    The keys are for `refuse_overwriting`.
    """
    files = {}
    for adapter in adapters:
        for file in _possible_files(adapter):
            if file.is_file():
                files[f"{file.name}, a file of the adapter {adapter.name}"] = file
    return files


def _possible_files(adapter: Adapter) -> Iterator[Path]:
    """Yield the paths that the name of an adapter may mean. Not all of them are files.

    The name is `python:MODULE:FUNCTION`, `jsonl:COMMAND` or `exec:COMMAND`. The name of a bundled adapter
    means no file.
    """
    kind, _, rest = adapter.name.partition(":")
    folder = adapter.folder or Path()
    match adapter:
        case InProcess() if kind == "python":
            dotted_name, _, _ = rest.partition(":")
            module = folder.joinpath(*dotted_name.split("."))
            yield module.with_name(f"{module.name}.py")
            yield module / "__init__.py"
        case Program() | ProgramPerCase() if kind in ("jsonl", "exec"):
            for word in shlex.split(rest):
                yield folder / word
