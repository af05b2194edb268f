"""Files of `generate` and `compare`: written whole or not at all, also on a full disk or after signals."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.exitcodes import Exit

from .stopping import wait_until

#: The largest file on the full disk. The commands below write more bytes than these to the file `old`.
SIZE = 1000
TIER = "generate --tier complete --spec 2396 --rule relativeuri --limit 40"
WRITING = {
    **{
        form: f"generate --rule URI --valid --count 300 --format {form} -o old"
        for form in ("jsonl", "lines", "vectors", "pytest", "parquet")
    },
    "dict": "generate --format dict -o old",
    "tier": f"{TIER} -o old",
    "tier-vectors": f"{TIER} --format vectors -o old",
    **{
        f"compare-{form}": f"compare urllib reference --results r.jsonl --report {form}=old"
        for form in ("html", "markdown", "csv")
    },
}


@pytest.fixture(scope="module")
def results(program, environment, tmp_path_factory) -> Path:
    """The results file of two libraries that differ."""
    folder = tmp_path_factory.mktemp("results")
    selection = ("--spec", "3986", "--section", "3.2.2")
    line = [program, "run", "urllib", "reference", *selection, "--report", "json=r.jsonl"]
    subprocess.run(line, cwd=folder, env=environment, capture_output=True, check=False)
    return folder / "r.jsonl"


@pytest.fixture
def folder(results, tmp_path) -> Path:
    """The current folder, with an old output, the results, and texts to compare."""
    (tmp_path / "r.jsonl").symlink_to(results)
    (tmp_path / "t.txt").write_text("".join(f"http://a{n}@b\\@c{n}/\n" for n in range(50)), "ascii")
    (tmp_path / "old").write_text("old", "ascii")
    return tmp_path


@pytest.fixture
def start(program, environment, folder):
    """Return a function that starts a command in a process group of its own, and returns its process."""
    started = []

    def begin(arguments: str, **options) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [program, *arguments.split()],
            cwd=folder,
            env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            **options,
        )
        started.append(child)
        return child

    yield begin
    for child in started:
        child.kill()
        child.communicate()


def unfinished_files(folder: Path) -> list[str]:
    """Return the names of the hidden files in which outputs are written until they are whole."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_keeps_the_old_file_and_is_reported_with_its_name(start, folder, name):
    child = start(WRITING[name], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE, SIZE)))
    _, stderr = child.communicate(timeout=600)
    assert stderr == b"urlconform: old: file too large\n"
    assert child.returncode == Exit.USAGE
    assert (folder / "old").read_text("ascii") == "old"
    assert unfinished_files(folder) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WRITING)
def test_an_output_replaces_the_old_file(start, folder, name):
    child = start(WRITING[name])
    _, stderr = child.communicate(timeout=600)
    assert child.returncode == Exit.PASSED, stderr
    assert (folder / "old").stat().st_size > SIZE
    assert unfinished_files(folder) == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("output", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize(
    "name", ["jsonl", "tier-vectors", pytest.param("compare-csv", marks=pytest.mark.long)]
)
def test_stdout_can_be_named(start, folder, name, output):
    """The command prints its other lines before the output."""
    (folder / "link").symlink_to("/dev/stdout")
    start(WRITING[name]).communicate(timeout=600)
    child = start(WRITING[name].replace("old", output))
    stdout, _ = child.communicate(timeout=600)
    assert stdout.endswith((folder / "old").read_bytes())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["jsonl", "parquet", "tier-vectors", "compare-csv"])
def test_a_pipe_can_be_named(start, folder, name):
    start(WRITING[name]).communicate(timeout=600)
    os.mkfifo(folder / "pipe")
    child = start(WRITING[name].replace("old", "pipe"))
    content = (folder / "pipe").read_bytes()
    child.communicate(timeout=600)
    assert content == (folder / "old").read_bytes()
    assert (folder / "pipe").is_fifo()


#: Much to generate, so that it is still going on when the signals come.
LONG = "generate --rule URI --valid --invalid --count 3000000 -o old"
#: Signals that end a command, all sent at once to each process of the group.
BURST = (signal.SIGINT, signal.SIGTERM, signal.SIGINT)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("arguments", [LONG, f"{LONG} --jobs 2"], ids=["one-process", "jobs"])
@pytest.mark.parametrize("signals", [BURST[:1], BURST], ids=["one-signal", "burst"])
def test_an_interrupted_generation_keeps_the_old_file(start, folder, arguments, signals):
    child = start(arguments)
    wait_until(lambda: unfinished_files(folder))
    for sent_signal in signals:
        os.killpg(child.pid, sent_signal)
    _, stderr = child.communicate(timeout=600)
    assert stderr == b"urlconform: interrupted\n"
    assert child.returncode == Exit.INTERRUPTED
    assert (folder / "old").read_text("ascii") == "old"
    assert unfinished_files(folder) == []


#: A function that leaves a file when it is asked, and takes a minute.
SLOW = """
import time
from pathlib import Path
def answer(question):
    Path("reached").touch()
    time.sleep(60)
answer.hello = {"ops": ["parse", "validate"]}
"""


def test_an_interrupted_comparison_keeps_the_old_file(start, folder):
    (folder / "slow.py").write_text(SLOW, "ascii")
    child = start("compare urllib python:slow:answer --texts t.txt --report json=old --report html=new")
    wait_until((folder / "reached").exists)
    for sent_signal in BURST:
        os.killpg(child.pid, sent_signal)
    _, stderr = child.communicate(timeout=600)
    assert stderr == b"urlconform: interrupted\n"
    assert child.returncode == Exit.INTERRUPTED
    assert (folder / "old").read_text("ascii") == "old"
    assert not (folder / "new").exists()
    assert unfinished_files(folder) == []


def workers_of(pid: int) -> list[int]:
    """Return the worker processes of a command."""
    workers = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == pid and b"urlharness.system.processes" in command:
                workers.append(int(folder.name))
    return workers


def test_no_worker_outlives_a_killed_command(start, folder, alive):
    child = start(f"{LONG} --jobs 2")
    wait_until(lambda: len(workers_of(child.pid)) == 2)
    wait_until(lambda: unfinished_files(folder))
    workers = workers_of(child.pid)
    child.kill()
    child.wait(600)
    assert [pid for pid in workers if alive(pid)] == []


#: Modules that a hostile folder contains; the import of one of them leaves a file.
PLANTED = (
    sys.stdlib_module_names
    | {"click", "msgspec", "numpy", "numba", "pyarrow", "rich", "urlharness", "urloracle"}
) | {"sitecustomize", "usercustomize"}
#: Commands that start Python processes.
CHILDREN = [
    pytest.param("generate --rule URI --valid --count 3000 --jobs 2 -o out", id="generate-jobs"),
    pytest.param("run urllib --spec 1808 --section 5.2 --jobs 2", id="run-jobs"),
    pytest.param("run python:mine.own:answer --spec 1808 --section 5.2", id="function"),
    pytest.param("fuzz run urllib reference --cases 50 --jobs 2", id="fuzz-jobs"),
    pytest.param("check t.txt --spec 3986", id="check"),
]


#: A function that is itself in the current folder and imports modules of the standard library.
FUNCTION = """
import json, multiprocessing
def answer(question): return {'status': 'ok', 'url': json.loads('"x"')}
"""


@pytest.fixture
def hostile_folder(folder) -> Path:
    """The current folder, with planted modules and a function to ask."""
    for name in PLANTED:
        content = f"open({str(folder / f'PWNED-{name}')!r}, 'w').close()\nraise SystemExit('planted')\n"
        (folder / f"{name}.py").write_text(content, "ascii")
    (folder / "mine").mkdir()
    (folder / "mine" / "own.py").write_text(FUNCTION, "ascii")
    return folder


@pytest.mark.sampled(2)
@pytest.mark.parametrize("arguments", CHILDREN)
def test_no_module_of_the_current_folder_is_imported(start, hostile_folder, arguments):
    child = start(arguments)
    _, stderr = child.communicate(timeout=600)
    assert [path.name for path in hostile_folder.glob("PWNED-*")] == []
    assert child.returncode in (Exit.PASSED, Exit.FAILED), stderr


def test_numba_reads_no_settings_of_the_current_folder(start, folder):
    """They could name a folder of compiled functions, which Numba would run."""
    pytest.importorskip("yaml")
    (folder / ".numba_config.yaml").write_text(f"cache_dir: {folder / 'planted'}\n", "ascii")
    child = start("check t.txt --spec 3986")
    child.communicate(timeout=600)
    assert child.returncode == Exit.FAILED
    assert not (folder / "planted").exists()
