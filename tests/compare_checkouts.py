"""Run the same calls on two checkouts, and print what differs.

usage: python tests/compare_checkouts.py BEFORE AFTER [--only WORD] [--jobs N]
                                         [--before-python PYTHON] [--after-python PYTHON]

BEFORE and AFTER are folders of checkouts. Each gets a virtual environment of its own in a temporary folder,
unless the Python of a ready environment is given. The calls are

- every command, by the lines of checkouts/calls.py: exit code, stdout, stderr and the files that it writes,
- what adapters are sent, by an adapter that writes it down (checkouts/files/recorder.py),
- every operation of the Python interface (checkouts/operations.py).

Outputs are compared as data, without what varies by nature (the rules of checkouts/reading.py). Expected
differences, each with its reason, stand in checkouts/expected.py; one that does not occur is reported. So is
a command or an option of either checkout that no call uses, by the program's own `--help`. The exit code is 0
if all differences are expected and all options are used, else 1.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from checkouts.calls import ADAPTERS, NOT_CALLED, SCENES
from checkouts.differences import Difference, compare, unexpected
from checkouts.expected import EXPECTED, REWORDINGS
from checkouts.reading import read

HERE = Path(__file__).parent / "checkouts"
EXAMPLE = Path(__file__).parents[1] / "examples" / "tinyurl"
#: The scene whose calls are refused, so that an option in it is not used.
REFUSED = "bad input"
#: Seconds after which a call is taken to hang.
TIMEOUT = 600
#: How much is printed: characters of a text, calls that differ in the same way, differences of one call.
LONGEST_TEXT = 300
MOST_CALLS = 3
MOST_DIFFERENCES = 20

OPTION_NAME = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*")

#: What each call wrote: from the call and the output, such as `stdout`, to its data.
Recording = dict[str, dict[str, Any]]


class Program(NamedTuple):
    """The installed program of a checkout."""

    python: Path
    #: The folder of its calls.
    folder: Path
    #: Texts that its outputs contain by nature, by their names in the rules.
    facts: dict[str, str]

    def run(self, words: Sequence[str], folder: Path, stdin: bytes = b"") -> dict[str, bytes]:
        """Run a command of the environment in a folder, and return exit code, stdout and stderr."""
        process = subprocess.run(
            [str(self.python.with_name(words[0])), *words[1:]],
            cwd=folder,
            env=self._variables(),
            input=stdin,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
        return {
            "exit code": str(process.returncode).encode(),
            "stdout": process.stdout,
            "stderr": process.stderr,
        }

    def _variables(self) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join((str(self.python.parent), os.environ["PATH"])),
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }


class Command(NamedTuple):
    """A command of the program, by its help."""

    words: tuple[str, ...]
    help: str
    options: tuple[str, ...]
    subcommands: tuple[str, ...]


def main() -> int:
    """Print what differs, and return the exit code."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="checkouts-") as scratch:
        # The names of the two folders are equally long, so that lines with a path break at the same place.
        old = install(options.before, options.before_python, Path(scratch, "old"))
        new = install(options.after, options.after_python, Path(scratch, "new"))
        with ThreadPoolExecutor(options.jobs) as executor:
            recordings = [start_recording(program, options.only, executor) for program in (old, new)]
            before, after = (merged(recording) for recording in recordings)
        missing = []
        if not options.only:
            old_commands, new_commands = find_commands(old), find_commands(new)
            before |= help_texts(old_commands, old)
            after |= help_texts(new_commands, new)
            missing = unused_options([*old_commands, *new_commands])
    calls = list(dict.fromkeys([*before, *after]))
    differences = [
        difference
        for call in calls
        for difference in compare(call, before.get(call, {}), after.get(call, {}))
    ]
    unexplained, occurrences = unexpected(differences, EXPECTED, REWORDINGS)
    print_differences(unexplained, show_all=options.all)
    print_occurrences(occurrences, with_missing=not options.only)
    for option in missing:
        print(f"no call uses {option}")
    count = len(differences) - len(unexplained)
    print(f"{len(calls):,} calls, {count:,} expected differences, {len(unexplained):,} that nothing explains")
    return 1 if unexplained or missing else 0


def _options() -> argparse.Namespace:
    description = (__doc__ or "").replace("\nusage: ", "\n")
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE", help="the older checkout")
    parser.add_argument("after", type=Path, metavar="AFTER", help="the newer checkout")
    parser.add_argument(
        "--before-python", type=Path, metavar="PYTHON", help="the Python of an environment of BEFORE"
    )
    parser.add_argument(
        "--after-python", type=Path, metavar="PYTHON", help="the Python of an environment of AFTER"
    )
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only scenes whose name contains this word"
    )
    parser.add_argument(
        "--all", action="store_true", help="print every difference, and every call that has it"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), metavar="N", help="scenes at the same time"
    )
    return parser.parse_args()


def install(checkout: Path, python: Path | None, folder: Path) -> Program:
    """Make an environment with the program of a checkout, unless a Python is given."""
    folder.mkdir()
    if python is None:
        environment = folder / "environment"
        python = environment / "bin" / "python"
        requirements = [f"{checkout.resolve()}[batch,hypothesis]", "pytest"]
        if shutil.which("uv"):
            _succeed("uv", "venv", "--quiet", "--python", sys.executable, str(environment))
            # Without this option, uv takes a wheel of this checkout that it built before.
            options = ("--quiet", "--reinstall-package", "urlconform", "--python", str(python))
            _succeed("uv", "pip", "install", *options, *requirements)
        else:
            _succeed(sys.executable, "-m", "venv", str(environment))
            _succeed(str(python), "-m", "pip", "install", "--quiet", *requirements)
    facts = {
        "folder": str(folder),
        "environment": str(python.parent.parent),
        "checkout": str(checkout.resolve()),
    }
    program = Program(python.absolute(), folder, facts)
    versions = program.run(["urlconform", "--version"], folder)["stdout"].decode()
    named = re.match(r"urlconform (\S+), corpus \S+ (\S+) ", versions)
    if not named:
        sys.exit(f"{checkout}: urlconform --version prints {versions!r}")
    facts["version"], facts["corpus"] = named.groups()
    return program


def _succeed(*words: str) -> None:
    subprocess.run(words, check=True)


def start_recording(program: Program, only: str, executor: Executor) -> list[Future[Recording]]:
    """Start every scene, and the operations of the Python interface."""
    recordings = [
        executor.submit(record_scene, program, name, lines) for name, lines in SCENES.items() if only in name
    ]
    if only in "python":
        recordings.append(executor.submit(record_operations, program))
    return recordings


def merged(recordings: Iterable[Future[Recording]]) -> Recording:
    """Return all that was recorded."""
    recording: Recording = {}
    for future in recordings:
        recording |= future.result()
    return recording


def record_scene(program: Program, name: str, lines: str) -> Recording:
    """Run the calls of a scene one after the other in a folder of their own."""
    folder = program.folder / name.replace(" ", "-")
    write_files(program, folder)
    facts = {**program.facts, "scene": str(folder)}
    recording: Recording = {}
    files = file_stamps(folder)
    for number, line in enumerate(filter(None, map(str.strip, lines.splitlines())), start=1):
        words, stdin = split_line(line)
        outputs = program.run(words, folder, (folder / stdin).read_bytes() if stdin else b"")
        files_before, files = files, file_stamps(folder)
        for path, stamp in files.items():
            if files_before.get(path) != stamp:
                outputs[str(path.relative_to(folder))] = path.read_bytes()
        recording[f"{name} {number}: {line}"] = {
            output: read(output, content, facts) for output, content in outputs.items()
        }
    return recording


def write_files(program: Program, folder: Path) -> None:
    """Write the files that each scene begins with."""
    shutil.copytree(HERE / "files", folder)
    for name in ("tinyurl.py", "conformance.py", "pyproject.toml"):
        shutil.copy(EXAMPLE / name, folder)
    # This baseline belongs to one corpus; the calls make another one.
    configuration = folder.joinpath("pyproject.toml")
    configuration.write_text(re.sub("(?m)^baseline = .*\n", "", configuration.read_text()))
    code = "from urlharness.corpus import corpus_dir; print(corpus_dir())"
    corpus = program.run(["python", "-c", code], folder)["stdout"].decode().strip()
    shutil.copytree(corpus, folder / "corpus", ignore=shutil.ignore_patterns("__pycache__"))


def file_stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return for each file when it was changed, and its size."""
    stamps = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            status = path.stat()
            stamps[path] = (status.st_mtime_ns, status.st_size)
    return stamps


def split_line(line: str) -> tuple[list[str], str | None]:
    """Return the words of a call, and the file that is its stdin."""
    for name, adapter in ADAPTERS.items():
        line = line.replace(f"{{{name}}}", adapter)
    words = shlex.split(line)
    stdin = None
    if "<" in words:
        stdin = words[-1]
        words = words[: words.index("<")]
    return words if words[0] == "pytest" else ["urlconform", *words], stdin


def record_operations(program: Program) -> Recording:
    """Return the answer of each operation of the Python interface."""
    folder = program.folder / "python"
    folder.mkdir()
    outputs = program.run(["python", str(HERE / "operations.py")], folder)
    if outputs["stderr"]:
        sys.exit(outputs["stderr"].decode())
    # What names the corpus is compared here, and only here.
    facts = {name: fact for name, fact in program.facts.items() if name != "corpus"}
    return {
        f"python: {call['call']}": {"answer": call["answer"]}
        for call in read("stdout", outputs["stdout"], facts)
    }


def find_commands(program: Program) -> list[Command]:
    """Return every command of the program, from the help of the commands above it."""
    commands = []
    queue: list[tuple[str, ...]] = [()]
    while queue:
        words = queue.pop(0)
        command = parse_help(
            words, program.run(["urlconform", *words, "--help"], program.folder)["stdout"].decode()
        )
        commands.append(command)
        queue.extend((*words, name) for name in command.subcommands)
    return commands


def parse_help(words: tuple[str, ...], text: str) -> Command:
    """Read the options and the subcommands of a command in its help."""
    has_subcommands = re.match(r"Usage:.*\bCOMMAND\b", text) is not None
    options: list[str] = []
    subcommands: list[str] = []
    section = ""
    for line in text.splitlines():
        if re.match(r"\S.*:$", line):
            section = line
        elif section == "Options:" and (signature := re.match(r"  (-.*?)(  |$)", line)):
            # `-o, --out DIR` is one option with two names; `--fold / --no-fold` are two options.
            options.extend(", ".join(OPTION_NAME.findall(option)) for option in signature[1].split(" / "))
        elif section and has_subcommands and (entry := re.match(r"  ([a-z][a-z-]*)(  |$)", line)):
            subcommands.append(entry[1])
    return Command(words, text, tuple(options), tuple(subcommands))


def help_texts(commands: Iterable[Command], program: Program) -> Recording:
    """Return the help of each command."""
    return {
        f"help: {' '.join(command.words)}": {"stdout": read("stdout", command.help.encode(), program.facts)}
        for command in commands
    }


def unused_options(commands: Iterable[Command]) -> list[str]:
    """Return the commands and the options that no line of the scenes uses."""
    lines = [
        split_line(line)[0][1:]
        for name, scene in SCENES.items()
        if name != REFUSED
        for line in filter(None, map(str.strip, scene.splitlines()))
    ]
    unused: dict[str, None] = {}
    for command in commands:
        calls = [words for words in lines if tuple(words[: len(command.words)]) == command.words]
        used = {word.partition("=")[0] for words in calls for word in words}
        name = " ".join(command.words)
        if not calls:
            unused[name] = None
            continue
        for option in command.options:
            names = option.split(", ")
            if "--help" not in names and used.isdisjoint(names) and (name, names[-1]) not in NOT_CALLED:
                unused[f"{name} {names[-1]}"] = None
    return list(unused)


def print_differences(differences: Iterable[Difference], *, show_all: bool) -> None:
    """Print the differences: those of several calls that are the same once."""
    calls_by_change: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for difference in differences:
        location = re.sub(r"\[\d+\]", "[]", difference.place)
        calls_by_change[location, difference.before, difference.after].append(difference.call)
    printed: Counter[tuple[str, str]] = Counter()
    for (location, before, after), calls in calls_by_change.items():
        output = re.split(r"[\[.]", location)[0]
        printed[calls[0], output] += 1
        if printed[calls[0], output] > MOST_DIFFERENCES and not show_all:
            continue
        names = calls if show_all else calls[:MOST_CALLS]
        print("\n".join(names))
        if len(names) < len(calls):
            print(f"... and {len(calls) - len(names)} more")
        print(f"  {location}")
        start = _start_of_excerpt(before, after)
        for sign, text in (("-", before), ("+", after)):
            print(f"    {sign} {_cut(text, start)}")
    for (call, output), count in printed.items():
        if count > MOST_DIFFERENCES and not show_all:
            print(f"{call}\n  {output}: {count - MOST_DIFFERENCES:,} more differences; --all shows them")


def _start_of_excerpt(before: str, after: str) -> int:
    """Return an offset shortly before the first character in which two texts differ."""
    same = 0
    for old, new in zip(before, after, strict=False):
        if old != new:
            break
        same += 1
    return max(0, same - 60)


def _cut(text: str, start: int) -> str:
    """Return the part of a text that is worth a line: from `start` on."""
    part = text[start : start + LONGEST_TEXT].replace("\n", "\\n")
    return ("..." if start else "") + part + ("..." if len(text) > start + LONGEST_TEXT else "")


def print_occurrences(occurrences: Mapping[str, int], *, with_missing: bool) -> None:
    """Print how often each expected difference occurred, and those that did not occur."""
    for reason in dict.fromkeys(expectation.reason for expectation in (*EXPECTED, *REWORDINGS)):
        if reason in occurrences:
            print(f"expected, {occurrences[reason]:,} times: {reason}")
        elif with_missing:
            print(f"expected, but does not occur: {reason}")


if __name__ == "__main__":
    sys.exit(main())
