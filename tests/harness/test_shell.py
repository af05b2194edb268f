"""Command lines to paste: bash reads the same words and bytes."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from urlharness.shell import (
    baseline_create_command,
    baseline_update_command,
    option_words,
    quote,
    repro_command,
    wire_input_command,
)


def bash(line: str) -> bytes:
    return subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout


WORDS = ["", "a", "a b", "it's", '"$(x)`y`', "\\", "*", "é", "\u202e", "\x1b[31m\n\t'\\", "\udcff"]


@pytest.mark.parametrize("word", WORDS)
def test_bash_reads_a_quoted_word_as_it_was(word):
    assert bash(f"printf %s {quote(word)}") == word.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("word", WORDS)
def test_a_quoted_word_is_printable_ascii(word):
    assert quote(word).isprintable()
    assert quote(word).isascii()


def test_a_repro_without_options_names_the_vector_and_the_adapter():
    assert repro_command("rfc3986-3-x", "lib") == "urlconform repro rfc3986-3-x -a lib"


def test_a_repro_has_the_unusual_options():
    line = repro_command("a b", "exec:x 'y'", vectors="some urls.json", timeout=7.5, start_timeout=60.0)
    options = ["--vectors", "some urls.json", "--timeout", "7.5", "--start-timeout", "60"]
    assert shlex.split(line) == ["urlconform", "repro", "a b", "-a", "exec:x 'y'", *options]


def test_the_command_that_creates_a_baseline_has_the_options_of_the_run():
    line = baseline_create_command("lib", ["--spec", "rfc3986"], "b.json")
    assert line == "urlconform baseline create lib --spec rfc3986 -o b.json"


def test_the_command_that_shrinks_a_baseline_has_the_options_of_the_run():
    line = baseline_update_command("b.json", "lib", ["--spec", "rfc3986"], only_shrink=True)
    assert line == "urlconform baseline update b.json lib --spec rfc3986 --only-shrink"


def test_the_command_that_updates_a_baseline_names_file_and_adapter():
    assert baseline_update_command("b.json", "lib", []) == "urlconform baseline update b.json lib"


def test_options_become_words_of_a_command():
    words = option_words(
        spec=["a", "b"], k=("x",), fail_on=(), strict=True, quiet=False, timeout=0.25, jobs=None
    )
    assert words == ["--spec", "a", "--spec", "b", "-k", "x", "--strict", "--timeout", "0.25"]


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b'{"a":1}\n', id="a-line"),
        pytest.param(b'{"a":1}\n{"b":"it\'s %s \\n"}\n', id="lines"),
        pytest.param(b"half", id="no-line-end"),
        pytest.param(b"a\n\n\xff\x1b\nhalf", id="anything"),
    ],
)
def test_a_command_to_paste_writes_the_same_bytes(written):
    assert bash(wire_input_command(written, ["cat"])) == written


def test_a_command_to_paste_is_quoted():
    assert bash(wire_input_command(b"x\n", ["printf", "%s", "it's"])) == b"it's"


@pytest.mark.parametrize("written", [b"", b"x\n"], ids=["nothing", "a-line"])
def test_a_command_to_paste_runs_in_its_folder(tmp_path, written):
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    assert bash(wire_input_command(written, ["pwd"], folder)) == f"{folder}\n".encode()


@pytest.mark.parametrize("written", [b"x" * 3000, b"a\0b\n"], ids=["too-long", "nul"])
def test_bytes_that_bash_cannot_print_have_no_command_to_paste(written):
    assert wire_input_command(written, ["cat"]) == ""
