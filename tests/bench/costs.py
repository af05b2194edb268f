"""Costs that occur once: the import, the automaton and pattern of a grammar, the start of a command."""

from __future__ import annotations

import atexit
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

from urlharness.corpus.loader import load as load_corpus
from urloracle.grammar.grammar import load
from urloracle.language import Languages
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification

#: A command, and a Python program that imports the oracle and does the same.
VALIDATE = ("validate", "http://a/b", "--spec", "rfc3986")
PEER = "from urloracle import validate; validate('http://a/b', 'rfc3986')"

#: What a user runs first, a run of one case, and a comparison of the one text in stdin.
FIRST_SCREEN = ("run",)
ONE_CASE = ("run", "urllib", "-k", "rfc1808-5.1-segment-query")
COMPARE = ("compare", "--texts", "-", "urllib", "reference")
TEXT = "http://a/b\n"

COMMANDS = (
    ("--help",),
    ("--version",),
    ("run", "--help"),
    ("explain", "--help"),
    VALIDATE,
    ("explain", "http://a/b"),
    ("run", "reference"),
    ONE_CASE,
    COMPARE,
)


def shortest(work: Callable[[], object], rounds: int) -> float:
    """Return the shortest of several runs, in milliseconds of this thread."""
    times = []
    for _ in range(rounds):
        start = thread_time()
        work()
        times.append(thread_time() - start)
    return min(times) * 1000


@cache
def _environment() -> dict[str, str]:
    """Ours, with a folder for byte code: what is installed has its own, a working tree may have none."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder.name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and return it finished; end the bench if its exit code is not 0."""
    done = subprocess.run(
        arguments, capture_output=True, check=False, text=True, env=_environment(), input=TEXT
    )
    if done.returncode:
        raise SystemExit(f"{shlex.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    return done


def spent(arguments: Sequence[str]) -> float:
    """Return the milliseconds of the processor that a command takes, with what it starts and waits for."""
    before = getrusage(RUSAGE_CHILDREN)
    run(arguments)
    after = getrusage(RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def imports(rounds: int) -> dict[str, float]:
    """Return the milliseconds to load the package, over a Python that does nothing: by turns, best of each.

    What -X importtime says of the package's own modules leaves out what it needs of the standard library.
    """
    empty, loaded, parsed, within = [], [], [], []
    for _ in range(rounds):
        empty.append(spent([sys.executable, "-c", "pass"]))
        loaded.append(spent([sys.executable, "-c", "import urloracle"]))
        parsed.append(spent([sys.executable, "-c", _FIRST]))
        line = [sys.executable, "-X", "importtime", "-c", "import urloracle"]
        rows = [row.removeprefix("import time:").split("|") for row in run(line).stderr.splitlines()[1:]]
        within.append(
            sum(int(microseconds) for microseconds, _, name in rows if name.strip().startswith("urloracle"))
            / 1000
        )
    return {
        "python -c pass": min(empty),
        "import urloracle": min(loaded) - min(empty),
        "of it the modules of urloracle": min(within),
        "import urloracle and the first parse under RFC 3986": min(parsed) - min(empty),
    }


_FIRST = "from urloracle import parse; parse('http://example.com/a?b#c', 'rfc3986')"


def grammars(rounds: int) -> list[dict[str, Any]]:
    """Return for each RFC the states of its automaton, and the milliseconds to make it and the pattern."""

    def automaton(spec: Specification) -> object:
        return Languages(load(*spec.files))[spec.default_rule].automaton

    def pattern(spec: Specification) -> object:
        return Languages(load(*spec.files))[spec.default_rule].pattern

    return [
        {
            "rfc": spec.id,
            "rule": spec.default_rule,
            "states": len(spec.languages[spec.default_rule].automaton.table),
            "read": shortest(partial(load, *spec.files), rounds),
            "automaton": shortest(partial(automaton, spec), rounds),
            "pattern": shortest(partial(pattern, spec), rounds),
        }
        for spec in SPECIFICATIONS.values()
    ]


def _program() -> list[str]:
    program = Path(sys.executable).with_name("urlconform")
    return [str(program)] if program.exists() else [sys.executable, "-m", "urlharness.cli"]


def commands(rounds: int) -> dict[str, float]:
    """Return the milliseconds of each command, and of the peer of `validate`: by turns, best of each."""
    line = _program()
    lines = {" ".join(("urlconform", *command)): [*line, *command] for command in COMMANDS}
    lines[PEER] = [sys.executable, "-c", PEER]
    runs = [{name: spent(command) for name, command in lines.items()} for _ in range(rounds)]
    return {name: min(milliseconds[name] for milliseconds in runs) for name in lines}


def first_screen(rounds: int) -> float:
    """Return the seconds of the clock until the first screen is there, the best of some rounds."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        run([*_program(), *FIRST_SCREEN])
        times.append(perf_counter() - start)
    return min(times)


def vectors() -> int:
    """Return the number of vectors that a run of the corpus asks."""
    return len(load_corpus().cases)
