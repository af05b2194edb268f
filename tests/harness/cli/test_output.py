"""Output of commands: progress on a terminal if the work takes long, messages and their exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest
from rich.text import Text

from urlharness.cli import output
from urlharness.cli.output import report_error
from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit

from ..report.report_checks import check_log  # noqa: TID252 - tests are not an installed package

NAMES = ["reference", "jsonl:/a/rather/long/command --with --many --options --indeed", "[bold]x\x1b[5m"]


class Terminal(io.StringIO):
    """A stream whose `isatty` returns True."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        """Return everything that was ever shown, without the escape sequences that move the cursor."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue()).splitlines()


@pytest.fixture
def terminal(monkeypatch):
    """Return a function that replaces stderr by a terminal of some width; bars are shown without delay."""
    for name in ("NO_COLOR", "FORCE_COLOR", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(output, "_DELAY", 0.0)

    def put(width: int = 80) -> Terminal:  # not in the fixture: pytest replaces stderr later
        monkeypatch.setenv("COLUMNS", str(width))
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return put


def wait_until(met):
    """Wait until a function returns True; fail if it does not in 10 minutes."""
    deadline = time.monotonic() + 600
    while not met():
        assert time.monotonic() < deadline, "it is not shown"
        time.sleep(0.01)


def report_each_case(report, name, total):
    """Report one case after the other of an adapter."""
    for done in range(1, total + 1):
        report(name, done, total)


def show_bars(screen):
    """Report 20,000 cases of two adapters, and return when they are shown."""
    with output.progress(NAMES[0], 20_000) as report:
        report_each_case(report, NAMES[0], 20_000)
        report_each_case(report, NAMES[2], 20_000)
        wait_until(lambda: any(re.match(r"\[b.* 20,000 of 20,000", line) for line in screen.lines()))


@pytest.mark.parametrize("width", [80, 200])
def test_bars_show_count_rate_and_time(terminal, width):
    screen = terminal(width)
    show_bars(screen)
    rows = [line for line in screen.lines() if line.startswith("ref")]
    # a bar is drawn several times, the last time when all cases are done
    bar = re.compile(r"ref.* +━* *20,000 of 20,000 +[0-9,]+/s +\d+:\d\d")
    assert any(bar.match(row) for row in rows)


@pytest.mark.parametrize("width", [50, 80, 200])
def test_bars_are_no_wider_than_the_terminal(terminal, width):
    screen = terminal(width)
    show_bars(screen)
    assert max(map(len, screen.lines())) <= width


def test_only_an_adapter_that_started_has_a_bar(terminal):
    """Two of the three did."""
    screen = terminal()
    show_bars(screen)
    # a narrow bar cuts the names; these are the beginnings of the first one and of the last one
    assert {line[:2] for line in screen.lines() if line.strip()} == {"re", "[b"}


def test_the_bar_of_an_adapter_shows_no_escape_sequence_of_its_name(terminal):
    screen = terminal()
    show_bars(screen)
    assert "\x1b[5m" not in screen.getvalue()


def test_a_run_that_hangs_shows_its_first_adapter(terminal):
    screen = terminal()
    with output.progress("one", 10):
        wait_until(lambda: any("0 of 10" in line for line in screen.lines()))


def test_the_last_report_is_shown(terminal):
    """If two cases are reported in quick succession before a hang, the second is shown too."""
    screen = terminal()
    with output.progress("a", 10) as report:
        report("a", 1, 10)
        report("a", 2, 10)
        wait_until(lambda: any("2 of 10" in line for line in screen.lines()))


def test_a_total_may_grow(terminal):
    screen = terminal()
    with output.progress("a") as report:
        report("a", 1, 10)
        report("a", 2, 20)
        wait_until(lambda: any("2 of 20" in line for line in screen.lines()))


def test_files_are_shown_by_their_size(terminal):
    screen = terminal()
    with output.progress(sizes=True) as report:
        report("urls.txt", 500_000, 2_000_000)
        wait_until(lambda: any("0.5/2.0 MB" in line for line in screen.lines()))


def test_quick_work_shows_no_progress(terminal, monkeypatch):
    screen = terminal()
    monkeypatch.setattr(output, "_DELAY", 60.0)
    with output.progress(NAMES[0], 10) as report, output.busy("reading"):
        report_each_case(report, NAMES[0], 10)
    assert screen.getvalue() == ""


def test_slow_work_is_named(terminal):
    screen = terminal()
    with output.busy("reading [x].jsonl"):
        wait_until(lambda: any("reading [x].jsonl" in line for line in screen.lines()))


#: The number of seconds in which a bar that is wrongly shown has appeared: it is drawn by a thread.
TIME_FOR_A_BAR = 0.05


def test_no_color_means_no_progress(terminal, monkeypatch):
    """With NO_COLOR no progress is shown, because it needs escape sequences."""
    screen = terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    with output.progress("a", 10) as report, output.busy("reading"):
        report("a", 1, 10)
        time.sleep(TIME_FOR_A_BAR)
    assert screen.getvalue() == ""


@pytest.fixture
def clock(monkeypatch):
    """The seconds that the module under test reads as the time: the first and only member of a list."""
    seconds = [1000.0]
    monkeypatch.setattr(output.time, "monotonic", lambda: seconds[0])
    return seconds


def test_lines_of_progress_are_ten_seconds_apart(capsys, clock):
    with output.progress("measuring", lines=True) as report:
        for done in range(1, 6):
            clock[0] += 4
            report("measuring", done, 2_000)
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["measuring: 3 of 2,000"]  # after 12 of the 20 seconds
    assert printed.out == ""


def test_a_line_of_progress_without_a_total_has_what_is_done(capsys, clock):
    with output.progress(lines=True) as report:
        clock[0] += 10
        report("uri", 1_000, None)
    assert capsys.readouterr().err == "uri: 1,000\n"


def test_a_pipe_shows_no_progress(capsys, monkeypatch):
    monkeypatch.setattr(output, "_DELAY", 0.0)
    with output.progress(NAMES[0], 10) as report, output.busy("reading"):
        report_each_case(report, NAMES[0], 10)
        time.sleep(TIME_FOR_A_BAR)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == ""


def test_output_of_an_adapter_in_this_process_goes_to_stderr(capfd):
    with output.printing_to_stderr():
        os.write(1, b"of the adapter")
    os.write(1, b"of the command")
    printed = capfd.readouterr()
    assert printed.out == "of the command"
    assert printed.err == "of the adapter"


def test_streams_that_an_adapter_in_this_process_changes_are_restored():
    stdout = sys.stdout
    stderr = sys.stderr
    with output.printing_to_stderr():
        sys.stdout = sys.stderr = None
    assert sys.stdout is stdout
    assert sys.stderr is stderr


def test_the_folder_that_an_adapter_in_this_process_leaves_is_restored(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with output.printing_to_stderr():
        os.chdir("/")
    assert Path.cwd() == tmp_path


SECTION_5_1 = ("--spec", "1808", "--section", "5.1")
WRONG_ADAPTER = """
def answer(question):
    return {"status": "error", "message": "not today"}
"""
DEAD_PROGRAM = "exit('no licence')"


@pytest.fixture
def run(urlconform, tmp_path):
    """Return a function that runs a command in a folder with a module `mine` and a program `dead.py`."""
    (tmp_path / "mine.py").write_text(WRONG_ADAPTER, "utf-8")
    (tmp_path / "dead.py").write_text(DEAD_PROGRAM, "utf-8")

    def call(*arguments: str, **options):
        done = urlconform(*arguments, **options)
        assert "\x1b" not in done.stdout + done.stderr
        return done

    return call


#: Arguments, exit code, and a part of stderr.
TABLE = {
    "0-reference": (("run", "reference", *SECTION_5_1), Exit.PASSED, ""),
    "2-adapter-without-run": (("reference", *SECTION_5_1), Exit.USAGE, "No such command"),
    "0-list": (("run", "--list", *SECTION_5_1), Exit.PASSED, ""),
    "0-version": (("--version",), Exit.PASSED, ""),
    "0-valid": (("validate", "a:b", "--spec", "3986"), Exit.PASSED, ""),
    "0-explain": (("explain", "::"), Exit.PASSED, ""),
    "0-fmt": (("vectors", "fmt", "--check"), Exit.PASSED, ""),
    "1-gate": (
        ("run", "python:mine:answer", *SECTION_5_1),
        Exit.FAILED,
        "python:mine:answer: gate failed on required vectors of rfc1808: ",
    ),
    "1-library": (("run", "urllib", *SECTION_5_1, "--timeout", "9"), Exit.FAILED, "urllib: gate failed"),
    "1-one-of-two": (
        ("run", "reference", "python:mine:answer", *SECTION_5_1),
        Exit.FAILED,
        "urlconform: python:mine:answer: gate failed on ",
    ),
    "1-invalid": (("validate", "a b", "--spec", "3986"), Exit.FAILED, ""),
    "1-parse-invalid": (("parse", "a b", "--spec", "3986"), Exit.FAILED, ""),
    "1-resolve-nowhere": (("resolve", "a b", "c"), Exit.FAILED, ""),
    "1-normalize-invalid": (("normalize", "a b"), Exit.FAILED, ""),
    "1-repro": (("repro", "rfc1808-5.1-segment", "-a", "python:mine:answer"), Exit.FAILED, ""),
    "2-command": (("nope",), Exit.USAGE, "No such command 'nope'"),
    "2-option": (("run", "--nope"), Exit.USAGE, "No such option"),
    "2-adapter": (("run", "nope"), Exit.USAGE, "no adapter named 'nope'; choose from reference,"),
    "2-adapter-without-command": (("run", "jsonl:"), Exit.USAGE, "expected jsonl:COMMAND"),
    "2-spec": (("run", "--spec", "9999"), Exit.USAGE, "no specification named 'rfc9999'"),
    "2-spec-of-validate": (("validate", "a:b", "--spec", "9"), Exit.USAGE, "no specification"),
    "2-no-spec": (("check", "a"), Exit.USAGE, "Missing option '--spec'"),
    "2-rule": (
        ("validate", "a:b", "--spec", "3986", "--rule", "nope"),
        Exit.USAGE,
        "no rule named 'nope'; choose from",
    ),
    "2-normalize-unsupported": (
        ("normalize", "a:b", "--spec", "1738"),
        Exit.USAGE,
        "RFC 1738 does not define normalization",
    ),
    "2-report-format": (("run", "--report", "pdf=x"), Exit.USAGE, "'pdf=x' is not FORMAT=FILE"),
    "2-report-without-file": (("run", "--report", "html"), Exit.USAGE, "is not FORMAT=FILE"),
    "2-report-folder": (("run", "--report", "html=no/such/x"), Exit.USAGE, "no such directory"),
    "2-report-is-a-folder": (("run", "--report", "json=/"), Exit.USAGE, "is a directory"),
    "2-vectors": (("run", "--vectors", "no/such"), Exit.USAGE, "no/such: no such file"),
    "2-timeout": (("run", "--timeout", "0"), Exit.USAGE, "0.0 is not in the range 0.001<=x"),
    "2-maxfail": (("run", "--maxfail", "0"), Exit.USAGE, "0 is not in the range x>=1"),
    "2-repro": (("repro", "nope", "-a", "reference"), Exit.USAGE, "no vector named 'nope'"),
    "3-module": (("run", "python:no_such:f", *SECTION_5_1), Exit.ADAPTER_DEAD, "No module named"),
    "3-program": (
        ("run", "jsonl:./no-such", *SECTION_5_1),
        Exit.ADAPTER_DEAD,
        "could not start: ./no-such: no such",
    ),
    "3-exec": (
        ("run", "exec:./no-such", *SECTION_5_1),
        Exit.ADAPTER_DEAD,
        "could not start: ./no-such: no such",
    ),
    "3-start": (("run", "jsonl:python3 dead.py", *SECTION_5_1), Exit.ADAPTER_DEAD, "it wrote: no licence"),
    "3-repro": (
        ("repro", "rfc1808-5.1-segment", "-a", "jsonl:./no-such"),
        Exit.ADAPTER_DEAD,
        "jsonl:./no-such: ./no-such: no such file",
    ),
    "5-words": (("run", "-k", "nothing-of-that-name"), Exit.NOTHING_RAN, "no vector meets"),
    "5-section": (("run", "--section", "99"), Exit.NOTHING_RAN, "section 99. The sections are 1, 2"),
    "5-rule": (("run", "--rule", "nope"), Exit.NOTHING_RAN, "no vector meets"),
    "6-no-results": (("report", "no.jsonl"), Exit.INVALID_FILE, "no.jsonl: no such file"),
    "6-no-results-file": (("report", "mine.py"), Exit.INVALID_FILE, "mine.py: line 1: "),
    "6-empty-corpus": (("run", "--vectors", "."), Exit.INVALID_FILE, "no vector files found"),
    "6-lint": (("vectors", "lint", "--vectors", "."), Exit.INVALID_FILE, "errors; "),
}


@pytest.mark.parametrize(("arguments", "code", "words"), TABLE.values(), ids=TABLE)
def test_every_end_of_a_command_has_its_exit_code(run, arguments, code, words):
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    assert words in done.stderr


def commands_that_end_with(*codes):
    """Return the commands of the table that end with one of these codes."""
    return [
        pytest.param(arguments, id=name) for name, (arguments, code, _words) in TABLE.items() if code in codes
    ]


@pytest.mark.parametrize("arguments", commands_that_end_with(Exit.PASSED))
def test_a_command_that_passes_has_at_most_one_line_on_stderr(run, arguments):
    assert run(*arguments).stderr.count("\n") <= 1


@pytest.mark.parametrize(
    "arguments", commands_that_end_with(Exit.NOTHING_RAN, Exit.INVALID_FILE, Exit.ADAPTER_DEAD)
)
def test_a_command_that_cannot_do_its_work_has_one_line_on_stderr(run, arguments):
    assert run(*arguments).stderr.count("\n") == 1


#: Commands that read a file, and the exit code if it is missing.
READERS = [
    (("report", "gone"), Exit.INVALID_FILE),
    (("check", "gone", "--spec", "3986"), Exit.INVALID_FILE),
    (("extract", "gone"), Exit.USAGE),
    (("run", "--vectors", "gone"), Exit.USAGE),
    (("run", "reference", "--baseline", "gone"), Exit.INVALID_FILE),
    (("repro", "x", "-a", "reference", "--vectors", "gone"), Exit.USAGE),
    (("baseline", "check", "gone"), Exit.INVALID_FILE),
    (("baseline", "check", "x", "--vectors", "gone"), Exit.USAGE),
    (("baseline", "update", "gone", "reference"), Exit.INVALID_FILE),
    (("vectors", "adopt", "gone"), Exit.USAGE),
    (("vectors", "export", "x", "--vectors", "gone"), Exit.USAGE),
    (("vectors", "lint", "--vectors", "gone"), Exit.USAGE),
    (("vectors", "lint", "--rfc-dir", "gone"), Exit.USAGE),
    (("section", "3986", "3", "--rfc-dir", "gone"), Exit.USAGE),
]


@pytest.mark.parametrize(("arguments", "code"), READERS, ids=[" ".join(words) for words, _ in READERS])
def test_a_missing_file_has_the_same_message_in_every_command(run, arguments, code):
    done = run(*arguments)
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("urlconform: gone: no such file or directory")
    assert done.returncode == code


def test_each_exit_code_is_in_the_table_or_tested_elsewhere():
    """Interrupts are tested in tests/e2e, stale entries with the baselines."""
    tried = {code for _arguments, code, _words in TABLE.values()}
    assert tried == set(Exit) - {Exit.INTERRUPTED, Exit.STALE}


@pytest.mark.parametrize("name", ["node-url", "java-net-uri"])
def test_a_run_without_a_runtime_says_that_it_is_not_installed(run, name):
    done = run("run", name, *SECTION_5_1, env={"PATH": "/nowhere"})
    assert done.stderr.count("\n") == 1
    assert f"urlconform: {name}: not installed: " in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


@pytest.mark.parametrize(
    ("name", "program"), [("node-url", "Node.js (node)"), ("java-net-uri", "a Java runtime (java)")]
)
def test_repro_without_a_runtime_says_which_program_is_not_on_the_path(run, name, program):
    done = run("repro", "rfc1808-5.1-segment", "-a", name, env={"PATH": "/nowhere"})
    assert done.stderr == f"urlconform: not installed: {program} is not on the PATH\n"
    assert done.returncode == Exit.NOTHING_RAN


@pytest.mark.parametrize("name", ["node-url", "java-net-uri"])
def test_an_adapter_without_a_runtime_does_not_fail_another(run, name):
    done = run("run", "reference", name, *SECTION_5_1, env={"PATH": "/nowhere"})
    assert done.stdout.startswith("reference: passed\n")
    assert f"urlconform: {name}: not installed: " in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.fixture
def corpus_copy(tmp_path):
    """A copy of the corpus with the vectors of RFC 1738 and RFC 1808 only, and with all requirements."""
    copy = tmp_path / "corpus"
    shutil.copytree(corpus_dir(), copy, ignore=shutil.ignore_patterns("*.py", "__pycache__", "rfc[23]*"))
    shutil.copytree(corpus_dir() / "requirements", copy / "requirements", dirs_exist_ok=True)
    return copy


NORMAL = "rfc1808/5.1-normal.json"
BROKEN = [
    pytest.param(lambda vector: vector.pop("op"), "rfc1808-5.1-opaque", id="no-operation"),
    pytest.param(lambda vector: vector.update(level="x"), "rfc1808-5.1-opaque", id="unknown-level"),
    pytest.param(lambda vector: vector.update(surplus=1), "rfc1808-5.1-opaque", id="unknown-field"),
    pytest.param(lambda vector: vector.pop("base"), "rfc1808-5.1-opaque", id="no-base"),
    pytest.param(lambda vector: vector.update(expect={}), "rfc1808-5.1-opaque", id="no-answer"),
    pytest.param(
        lambda vector: vector.update(requirement="x"), "rfc1808-5.1-opaque", id="unknown-requirement"
    ),
    pytest.param(
        lambda vector: vector.update(id="rfc1808-5.1-segment"), "rfc1808-5.1-segment", id="repeated-id"
    ),
    pytest.param(lambda vector: vector.pop("id"), "no id", id="no-id"),
]


@pytest.mark.parametrize(("change", "case"), BROKEN)
@pytest.mark.sampled(2)
def test_a_broken_vector_file_names_file_and_case(run, corpus_copy, change, case):
    path = corpus_copy / NORMAL
    document = json.loads(path.read_bytes())
    change(document["vectors"][0])
    path.write_text(json.dumps(document), "ascii")
    done = run("run", "reference", "--vectors", str(corpus_copy))
    assert NORMAL in done.stderr
    assert case in done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param(NORMAL, lambda octets: octets[:-30], id="cut"),
        pytest.param(NORMAL, lambda octets: octets.replace(b"Normal", b"\xff"), id="not-utf-8"),
        pytest.param(NORMAL, lambda octets: octets.replace(b'"example"', b'"x"')[:-9], id="broken-twice"),
        pytest.param("requirements/rfc1808.json", lambda octets: octets[:-30], id="catalogue"),
        pytest.param("paragraphs.json", lambda _: b"[]", id="index"),
    ],
)
def test_an_unreadable_file_is_named(run, corpus_copy, name, change):
    (corpus_copy / name).write_bytes(change((corpus_copy / name).read_bytes()))
    done = run("run", "reference", "--vectors", str(corpus_copy))
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.parametrize("form", ["json", "junit", "html"])
def test_a_report_that_cannot_be_written_is_reported_in_one_line(run, form):
    done = run("run", "reference", *SECTION_5_1, "--report", f"{form}=/dev/full")
    assert done.stderr.count("\n") == 1
    assert "no space left on device" in done.stderr
    assert done.returncode == Exit.USAGE


def test_an_interrupt_that_python_has_wrapped_is_an_interrupt():
    """Python 3.11 turns an interrupt in `__set_name__`, for example during an import, into a RuntimeError."""
    wrapped = RuntimeError("Error calling __set_name__")
    wrapped.__cause__ = KeyboardInterrupt()
    assert report_error(wrapped) == Exit.INTERRUPTED


def test_an_unexpected_error_is_raised_again():
    with pytest.raises(RuntimeError, match=r"^another$"):
        report_error(RuntimeError("another"))


@pytest.mark.parametrize("kind", ["jsonl:./{}", "exec:./{}", "python:{}:f"], ids=["jsonl", "exec", "python"])
def test_bytes_that_are_not_text_are_escaped_in_messages(run, kind):
    done = run("run", kind.format("a\udcff"), *SECTION_5_1)
    assert "a\\udcff" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


def test_a_full_device_is_one_line_and_exit_code_2(run):
    done = run("run", "urllib", *SECTION_5_1, "--report", "json=/dev/full")
    assert done.stderr == "urlconform: /dev/full: no space left on device\n"
    assert done.returncode == Exit.USAGE


#: What build servers read as a command, at the beginning of a line or anywhere in it.
COMMANDS = {"github": "::error::x", "azure": "##vso[task.complete]y", "log": "##[error]x"}

#: Commands that print a text of their arguments.
PRINTING = {
    "validate": ("validate", "TEXT"),
    "validate-one": ("validate", "TEXT", "--spec", "rfc3986"),
    "explain": ("explain", "TEXT"),
    "explain-json": ("explain", "TEXT", "--json"),
    "explain-base": ("explain", "TEXT", "--base", "http://a/b"),
    "parse": ("parse", "TEXT"),
    "decode": ("decode", "TEXT"),
    "decode-json": ("decode", "TEXT", "--json"),
    "resolve": ("resolve", "http://a/b", "TEXT"),
    "resolve-json": ("resolve", "TEXT", "TEXT", "--json"),
    "equivalent": ("equivalent", "TEXT", "TEXT"),
    "recompose": ("recompose", "scheme=a", "path=TEXT"),
    "base": ("base", "--embedded", "TEXT"),
    "ask-json": ("ask", "TEXT", "-a", "urllib", "--json"),
    "report": ("report", "TEXT"),
}


@pytest.mark.parametrize("text", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_no_line_is_a_command_to_a_build_server(urlconform, arguments, text):
    done = urlconform(*(word.replace("TEXT", text) for word in arguments))
    printed = done.stdout + done.stderr
    assert printed != ""
    check_log(printed)


def test_json_with_escaped_commands_has_the_text_itself(urlconform):
    done = urlconform("explain", COMMANDS["azure"], "--json")
    assert json.loads(done.stdout)["text"] == COMMANDS["azure"]


def test_no_broken_line_is_a_command_to_a_build_server(capsys):
    console = output.console()
    for line in Text("::error::x " * 40).wrap(console, 30):
        console.print(line, soft_wrap=True)
    check_log(capsys.readouterr().out)


def test_no_broken_line_of_a_run_is_a_command_to_a_build_server(urlconform, tmp_path):
    """The message of an adapter that does not start is broken."""
    (tmp_path / "dead.py").write_text(f"raise RuntimeError({COMMANDS['github'] + ' '!r} * 40)", "utf-8")
    done = urlconform("run", "python:dead:answer", "--section", "5.2")
    assert done.stdout.count(COMMANDS["github"]) > 1
    check_log(done.stdout + done.stderr)
