"""Direct programs: programs that call a library by its documentation and know nothing of its adapter.

The README in this folder describes the programs and their tables. This module reads the tables, and builds
and runs the programs. `comparison` compares what they print with the replies of adapters.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from urlharness.adapters.builds import command, manager_folder, status
from urlharness.adapters.catalogue import PROGRAMS, Implementation, Language, Manager, catalogue

HERE = Path(__file__).parent

#: Adapters that are not in the catalogue, by name, with the programs that they need.
BUNDLED: Mapping[str, tuple[str, ...]] = {
    "urllib": (),
    "node-url": ("node",),
    "java-net-uri": ("java", "javac"),
}

#: The time limits in seconds of a build command, and of a program that answers all questions.
BUILD_TIMEOUT = 600
ANSWER_TIMEOUT = 120

#: The number of hexadecimal digits at the end of the name of a build.
_KEY_LENGTH = 16


class DirectProgram(NamedTuple):
    """A direct program, from a table `LANGUAGE/direct*.toml`.

    `name` is the name of the table, such as `rust-full`. `run` and `build` are commands with the placeholders
    of the catalogue. `manifests` are files that the build takes from the folder of the adapter, so that both
    have the same versions of the libraries. `manager` has the libraries for the build.
    """

    name: str
    folder: Path
    run: tuple[str, ...]
    build: tuple[tuple[str, ...], ...] = ()
    manifests: tuple[str, ...] = ()
    manager: Manager = "none"
    needs: tuple[str, ...] = ()


class DirectLibrary(NamedTuple):
    """A library that a direct program calls.

    `argument` is the argument of the program. `components` has for each component of the wire protocol the
    rule that reads it from the accessors; see `comparison.component`. `unchecked` has the components that are
    not compared, with the reason. `modes` are the modes of normalization that the documentation describes.
    `references` is false if the library parses absolute URLs only. `validates` is true if it only validates:
    then it is asked to validate what others are asked to parse. `iris` is true if it reads or converts IRIs.
    """

    name: str
    program: DirectProgram
    argument: str
    run: tuple[str, ...]
    documentation: str = ""
    components: Mapping[str, Any] = {}
    unchecked: Mapping[str, str] = {}
    modes: tuple[str, ...] = ()
    references: bool = True
    validates: bool = False
    iris: bool = False


@cache
def libraries() -> Mapping[str, DirectLibrary]:
    """Return the libraries of all tables by name."""
    by_name: dict[str, DirectLibrary] = {}
    for path in sorted(HERE.glob("*/direct*.toml")):
        table = tomllib.loads(path.read_text("utf-8"))
        program = _program(path, table)
        for name, row in table["library"].items():
            shared = table["library"][row["like"]] if "like" in row else {}
            by_name[name] = _library(name, {**shared, "argument": name, **row}, program)
    return by_name


def _program(path: Path, table: Mapping[str, Any]) -> DirectProgram:
    return DirectProgram(
        name=path.parent.name + path.stem.removeprefix("direct"),
        folder=path.parent,
        run=tuple(table["run"]),
        build=tuple(tuple(words) for words in table.get("build", ())),
        manifests=tuple(table.get("manifests", ())),
        manager=table.get("manager", "none"),
        needs=tuple(table.get("needs", ())),
    )


def _library(name: str, row: Mapping[str, Any], program: DirectProgram) -> DirectLibrary:
    return DirectLibrary(
        name=name,
        program=program,
        argument=row["argument"],
        run=tuple(row.get("run", program.run)),
        documentation=row["documentation"],
        components=row.get("components", {}),
        unchecked=row.get("unchecked", {}),
        modes=tuple(row.get("modes", ())),
        references=row.get("references", True),
        validates=row.get("validates", False),
        iris=row.get("iris", False),
    )


def missing(library: DirectLibrary) -> str:
    """Return why a library cannot be asked here, or an empty string."""
    program = library.program
    if library.name in BUNDLED:
        for needed in BUNDLED[library.name]:
            if shutil.which(needed) is None:
                return f"{needed} is not on the PATH"
    else:
        state = status(catalogue()[library.name])
        if state.state != "installed":
            return f"{library.name} is {state.state}: {state.reason}"
    if program.manager != "none" and not manager_folder(program.manager).is_dir():
        return f"{program.name} needs libraries of {program.manager}"
    return ""


# ---- builds


def build(program: DirectProgram, folder: Path) -> Path:
    """Build a program in a folder, unless the same build is there, and return the folder with the result.

    Several test processes may call this at the same time: the first one builds.
    """
    if not program.build:
        return program.folder
    target = folder / f"{program.name}-{_key(program)}"
    with (folder / f"{program.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.is_dir():
            _build(program, folder, target)
    return target


def _build(program: DirectProgram, folder: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        work = Path(name)
        source = work / "source"
        shutil.copytree(program.folder, source)
        for manifest in _manifests(program):
            shutil.copy(manifest, source)
        (work / "out").mkdir()
        placeholders = {
            "{source}": source,
            "{out}": work / "out",
            "{scratch}": folder / f"{program.name}-scratch",  # it stays, so that the next build is quick
            "{libraries}": manager_folder(program.manager),
        }
        for words in program.build:
            filled = [_filled(word, placeholders) for word in words]
            done = subprocess.run(
                filled, cwd=source, capture_output=True, text=True, timeout=BUILD_TIMEOUT, check=False
            )
            assert done.returncode == 0, f"{' '.join(filled)}\n{done.stdout}{done.stderr}"
        (work / "out").replace(target)


def _manifests(program: DirectProgram) -> list[Path]:
    return [PROGRAMS / program.folder.name / name for name in program.manifests]


def _key(program: DirectProgram) -> str:
    """Return a digest of everything that a build depends on."""
    digest = hashlib.sha256(repr((program.build, str(manager_folder(program.manager)))).encode())
    files = sorted(path for path in program.folder.rglob("*") if path.is_file() and path.suffix != ".toml")
    for path in [*files, *_manifests(program)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for needed in program.needs:
        digest.update(os.fsencode(shutil.which(needed) or ""))
    return digest.hexdigest()[:_KEY_LENGTH]


def _filled(word: str, placeholders: Mapping[str, object]) -> str:
    filled = word
    for placeholder, content in placeholders.items():
        filled = filled.replace(placeholder, str(content))
    return filled


# ---- answers


def ask(library: DirectLibrary, questions: Sequence[Mapping[str, str]], folder: Path) -> list[dict[str, Any]]:
    """Return what the direct program prints for each question. `folder` is the folder of the builds.

    If the program ends before it has answered a question, the answer is `{"crashed": stderr}`, and the
    program is started again for the questions after it.
    """
    words = command_of(library, build(library.program, folder))
    answers: list[dict[str, Any]] = []
    while len(answers) < len(questions):
        rest = questions[len(answers) :]
        done = _run(words, rest)
        # not splitlines: strings of JSON may contain other line separators than "\n"
        printed = [json.loads(line) for line in done.stdout.split("\n") if line]
        assert len(printed) <= len(rest), f"more answers than questions: {done.stdout[-500:]}"
        answers.extend(printed)
        if len(printed) < len(rest):
            answers.append({"crashed": done.stderr[-2000:]})
    return answers


def _run(words: Sequence[str], questions: Sequence[Mapping[str, str]]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as empty:
        return subprocess.run(
            words,
            input="".join(json.dumps(question) + "\n" for question in questions),
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",  # libraries may print bytes that are no UTF-8
            timeout=ANSWER_TIMEOUT,
            cwd=empty,
            check=False,
        )


def command_of(library: DirectLibrary, out: Path) -> list[str]:
    """Return the command of a direct program, with the interpreter and the libraries of the adapter.

    `out` is the folder of its build, or of its source if nothing is built.
    """
    row = catalogue().get(library.name)
    if row is None:
        language = Language(library.program.folder.name, out, (), (), (), ())
        row = Implementation(library.name, language, "", "none", (), "", "", default=True, distinct=True)
    # the commands and the folder of the direct program take the place of those of the adapter
    language = row.language._replace(folder=out, build=(), run=library.run)
    filled = row._replace(language=language, library=library.argument, run=())
    return command(filled, cached=is_cached(row))


def is_cached(row: Implementation) -> bool:
    """Return whether a Python library is in the install cache.

    That library is tested, because it has the version of the catalogue. This Python may have another one.
    """
    return row.manager == "pip" and status(row, cached=True).state == "installed"
