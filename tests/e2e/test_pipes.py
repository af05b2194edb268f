"""Terminals, pipes without a reader, closed streams, and full disks."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import resource
import select
import subprocess

import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

from .stopping import PATIENCE

#: The options of a quick run. Its cases are those of one section, some of which urllib fails.
SECTION = ("--spec", "1808", "--section", "5.1")
#: An escape sequence that sets a colour, and one of any kind.
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]")
ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def on_terminal(command, environment, **variables) -> str:
    """Return the output of a command on a terminal of 80 columns, stderr included."""
    leader, follower = pty.openpty()
    env = environment | {"COLUMNS": "80"} | variables
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=env) as child:
        os.close(follower)
        text = b""
        try:
            while chunk := os.read(leader, 1 << 16):
                text += chunk
        except OSError:  # nobody has the terminal open for writing any more
            pass
        finally:
            os.close(leader)
        assert child.wait(600) == 0
    return text.decode("utf-8")


def test_a_terminal_gets_colour(program, environment):
    text = on_terminal([program, "run", "reference", *SECTION], environment)
    assert COLOUR.search(text)


def test_lines_on_a_terminal_are_not_longer_than_it_is_wide(program, environment):
    text = on_terminal([program, "run", "reference", *SECTION], environment)
    lines = ESCAPE_SEQUENCE.sub("", text).split("\r\n")
    shown_lines = [line.rpartition("\r")[2] for line in lines]  # a line may be written over itself
    assert max(map(len, shown_lines)) <= 80


def test_no_color_is_respected(program, environment):
    text = on_terminal([program, "run", "reference", *SECTION], environment, NO_COLOR="1")
    assert "RFC 1808" in text
    assert not COLOUR.search(text)


def test_a_pipe_gets_plain_text(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION)
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("run", "reference", *SECTION), Exit.PASSED, id="passing-gate"),
        pytest.param(("run", "--list"), Exit.PASSED, id="list"),
        pytest.param(("run", "urllib", *SECTION), Exit.FAILED, id="failing-gate"),
        *(
            pytest.param(
                ("run", "urllib", *SECTION, "--report", f"{form}=/dev/stdout"),
                Exit.FAILED,
                id=f"gate-and-{form}",
            )
            for form in ("json", "junit", "github")
        ),
        pytest.param(("explain", "http://h/"), Exit.PASSED, id="explain"),
        pytest.param(("--help",), Exit.PASSED, id="help"),
        pytest.param(("vectors", "lint", "--vectors", "."), Exit.PASSED, id="lint"),
    ],
)
def test_a_closed_reader_of_stdout_keeps_the_exit_code(program, environment, tmp_path, arguments, code):
    """There is no message about the closed pipe."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [program, *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    os.close(writing)
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr
    assert done.returncode == code


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("run", "urllib", *SECTION), Exit.FAILED, id="gate"),
        pytest.param(("run", "nope"), Exit.USAGE, id="usage"),
        pytest.param(("run", "python:gone:f", *SECTION), Exit.ADAPTER_DEAD, id="dead"),
    ],
)
def test_a_closed_reader_of_stderr_keeps_the_exit_code(program, environment, tmp_path, arguments, code):
    reading, writing = os.pipe()
    os.close(reading)
    command = [program, *arguments]
    done = subprocess.run(command, stdout=writing, stderr=writing, env=environment, cwd=tmp_path, check=False)
    os.close(writing)
    assert done.returncode == code


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", ["json", "junit", "markdown", "html"])
def test_a_closed_reader_of_a_report_keeps_the_verdict(program, environment, tmp_path, form):
    """The verdict is that of the run, and the other reports are written."""
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, 4096)  # smaller than any of the reports
    reports = ("--report", "badge=b.json", "--report", f"{form}=pipe")
    with subprocess.Popen(
        [program, "run", "urllib", "--spec", "3986", *reports],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    ) as child:
        try:
            begun, _, _ = select.select([reading], [], [], PATIENCE)
            assert begun == [reading]  # the report has begun
            os.close(reading)
            _, stderr = child.communicate(timeout=600)
        finally:
            child.kill()
    assert child.returncode == Exit.FAILED
    first, second, *_ = stderr.splitlines()
    assert first == "urlconform: pipe: the reader closed the output before the end of the report"
    assert second.startswith("urlconform: urllib: gate failed")
    assert (tmp_path / "b.json").stat().st_size


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("closed", "arguments", "code"),
    [
        pytest.param(">&-", "run reference --spec 1808 --section 5.2", Exit.PASSED, id="stdout-passing"),
        pytest.param(">&-", "run urllib --spec 1808 --section 5.2", Exit.FAILED, id="stdout-failing"),
        pytest.param("2>&-", "run reference --spec 1808 --section 5.2", Exit.PASSED, id="stderr-passing"),
        pytest.param(
            "2>&-", "run python:gone:f --spec 1808 --section 5.2", Exit.ADAPTER_DEAD, id="stderr-dead"
        ),
        pytest.param("2>&-", "adapters doctor reference --check hello", Exit.PASSED, id="stderr-doctor"),
        pytest.param("<&-", "check - --spec 3986", Exit.NOTHING_RAN, id="stdin-check"),
        pytest.param("<&-", "check urls.txt --spec 3986", Exit.PASSED, id="stdin-unused"),
        pytest.param("<&-", "serve reference", Exit.PASSED, id="stdin-serve"),
        pytest.param("<&- >&- 2>&-", "run reference --spec 1808 --section 5.2", Exit.PASSED, id="all"),
    ],
)
def test_a_closed_stream_keeps_the_exit_code(program, environment, tmp_path, closed, arguments, code):
    (tmp_path / "urls.txt").write_text("http://a/", "utf-8")
    done = subprocess.run(
        f"{program} {arguments} {closed}",
        shell=True,
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == code


@pytest.mark.parametrize("form", ["json", "junit", "html"])
def test_a_full_device_is_one_line_and_exit_code_2(urlconform_process, form):
    done = urlconform_process("run", "reference", *SECTION, "--report", f"{form}=/dev/full")
    assert done.stderr == "urlconform: /dev/full: no space left on device\n"
    assert done.returncode == Exit.USAGE


@pytest.fixture
def run_with_size_limit(program, environment, tmp_path):
    """Return a function that runs urllib with a limit of the size of each file; its results go to r.jsonl."""
    compiled = {"PYTHONDONTWRITEBYTECODE": "1"}  # a compiled module would be cut off as well, and stay so

    def run(size):
        return subprocess.run(
            [program, "run", "urllib", "--spec", "rfc2732", "--report", "json=r.jsonl"],
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
            cwd=tmp_path,
            env=environment | compiled,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )

    return run


#: Sizes of a results file that is cut off in its header, and among its vectors.
IN_HEADER = 300
AMONG_VECTORS = 20_000


@pytest.mark.parametrize("size", [IN_HEADER, AMONG_VECTORS], ids=["header", "vectors"])
def test_a_file_too_large_is_named_and_written_to_its_limit(run_with_size_limit, tmp_path, size):
    done = run_with_size_limit(size)
    assert done.stderr == "urlconform: r.jsonl: file too large\n"
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "r.jsonl").stat().st_size == size


def test_results_cut_off_among_the_vectors_have_no_case(run_with_size_limit, tmp_path):
    run_with_size_limit(AMONG_VECTORS)
    results = read_results(tmp_path / "r.jsonl")
    assert results.vectors
    assert len(results.of("urllib")) == 0
    assert not results.complete


def test_results_cut_off_among_the_cases_have_the_first_ones(run_with_size_limit, tmp_path):
    run_with_size_limit(resource.RLIM_INFINITY)
    whole = (tmp_path / "r.jsonl").read_bytes()
    first_case = whole.index(b'{"type":"case"')
    last_case = whole.rindex(b'{"type":"case"')
    run_with_size_limit((first_case + last_case) // 2)
    results = read_results(tmp_path / "r.jsonl")
    answered = list(results.of("urllib"))
    assert 0 < len(answered) < len(results.vectors)
    assert answered == list(results.vectors)[: len(answered)]
    assert not results.complete


def test_text_that_an_adapter_prints_at_exit_is_not_output(urlconform_process, tmp_path):
    (tmp_path / "printing.py").write_text(
        "import atexit\natexit.register(print, 'goodbye')\n"
        "def answer(question): return {'status': 'unsupported'}\n",
        "utf-8",
    )
    done = urlconform_process("run", "python:printing:answer", *SECTION)
    assert "goodbye" not in done.stdout
