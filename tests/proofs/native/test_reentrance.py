"""The engine may be called, and lose what it works with, while it works: AddressSanitizer finds no fault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import SOURCE, compiled
from .reentrant_calls import CASES
from .test_tables import packed

SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

#: A program that runs one of the cases, and prints `done` if it gets to its end.
_RUN_CASE = """
import sys
from pathlib import Path
library, table, folder, name = sys.argv[1:]
sys.path.insert(0, folder)
from entering import loaded
from reentrant_calls import CASES
CASES[name](loaded(library), Path(table).read_bytes())
print("done")
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The file of the engine, compiled with AddressSanitizer and UndefinedBehaviorSanitizer."""
    return compiled(tmp_path_factory.mktemp("engine"), SOURCE.read_text(encoding="utf-8"), *SANITIZERS)


@pytest.fixture(scope="module")
def table(tmp_path_factory, tables):
    """A file with a packed table that has components."""
    path = tmp_path_factory.mktemp("table") / "table"
    path.write_bytes(packed(tables, "rfc3986", "URI-reference"))
    return path


def run_case(library: Path, table: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Run a case in a process of its own, in which the sanitizers end the process at the first fault."""
    runtime = subprocess.run(
        ["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime,
        # Python itself is not compiled with the sanitizers, so it must stumble over what was freed
        "ASAN_OPTIONS": "detect_leaks=0:max_free_fill_size=65536",
        "PYTHONMALLOC": "malloc",  # or the sanitizers do not see what Python frees
    }
    command = [sys.executable, "-c", _RUN_CASE, str(library), str(table), str(Path(__file__).parent), name]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_the_engine_survives_reentrant_calls(library, table, name):
    done = run_case(library, table, name)
    assert done.stdout == "done\n", done.stderr[-3000:]
    assert done.returncode == 0, done.stderr[-3000:]


#: The words with which the sanitizer reports a fault.
_SANITIZER = "ERROR: AddressSanitizer"

#: References that are not taken, or taken too early: the case that notices a fault, the words by which it
#: does, either of the sanitizer or of an assertion, and the changes of `_native.c`.
FAULTS = {
    "references-before-the-lookup": (
        "a_key_calls_the_function_again",
        _SANITIZER,
        (
            "    if (specification == kept[RECENT] &&",
            "    PyObject *early[] = {kept[RECENT], kept[READER]}; if (specification == kept[RECENT] &&",
        ),
        ("*specification_before = kept[RECENT], *reader_before = kept[READER];",
         "*specification_before = early[0], *reader_before = early[1];"),
    ),
    "call-without-its-reader": (
        "a_finalizer_calls_another_method",
        "in a_finalizer_calls_another_method",
        ("method.call(method.reader, *given)", "self->call(method.reader, *given)"),
    ),
    "choice-not-owned": (
        "a_choice_is_shown",
        _SANITIZER,
        ("            Py_INCREF(value);\n", ""),
        ("            Py_DECREF(value);\n", ""),
    ),
    "class-believed": (
        "a_class_hides_the_dictionary_of_its_instances",
        "instances of the class are more than tuples",
        ("PyLong_AsLong(offset) != 0;", "!PyLong_Check(offset);"),
    ),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_noticed(tmp_path, table, name):
    case, words, *changes = FAULTS[name]
    source = SOURCE.read_text(encoding="utf-8")
    for before, after in changes:
        assert source.count(before) == 1, before
        source = source.replace(before, after)
    done = run_case(compiled(tmp_path, source, *SANITIZERS), table, case)
    assert words in done.stderr, done.stderr[-3000:]
