"""Fixtures of all tests: the corpus, the command, adapters that a test writes, results."""

from __future__ import annotations

import gc
import hashlib
import importlib.util
import json
import os
import pickle
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import chdir, contextmanager
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import msgspec
import pytest
from click.testing import CliRunner

from urlharness.adapters.registry import Program, find
from urlharness.bundle.folder import bundle_digest
from urlharness.cli import execute
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load
from urlharness.corpus.lock import Lock, locked_vectors, render_lock
from urlharness.corpus.model import Case, Corpus, Requirement, Vector, corpus_dir
from urlharness.corpus.specifications import SPECS
from urlharness.protocol.limits import Limits
from urlharness.results.model import (
    AskedVector,
    Header,
    Participant,
    Result,
    Results,
    ResultsWriter,
    read_results,
)
from urlharness.sessions.client import _FunctionClient
from urlharness.sessions.exec_adapter import ExecWorker
from urlharness.sessions.process import Poller, Process
from urlharness.sessions.session import Session
from urlharness.system.locks import acquire_lock

pytest_plugins = ["pytester"]

#: The folder of all tests.
TESTS = Path(__file__).parent
#: The folders of tests that are no quick ones, each with the marker of its tests.
SLOW = {"proofs": "proof", "e2e": "e2e", "browser": "browser"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rfc-dir",
        type=Path,
        default=os.environ.get("URLCONFORM_RFC_DIR"),
        help="folder with rfc1738.txt, rfc1808.txt, rfc2396.txt, rfc2732.txt and rfc3986.txt",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let no test inherit ignored signals, as a script started with `nohup` or `&` passes them on.

    Choose the seed of random tests, too; the processes of xdist inherit it.
    """
    _keep_compiled_tests(config)
    _give_examples_time()
    os.environ.setdefault("URLCONFORM_SEED", str(secrets.randbelow(10**9)))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)  # a child process has the default again


def _keep_compiled_tests(config: pytest.Config) -> None:
    """Keep compiled modules in the cache of pytest, if PYTHONDONTWRITEBYTECODE forbids them elsewhere.

    To compile hundreds of modules and to rewrite their assertions takes longer than to collect all tests.
    """
    if sys.dont_write_bytecode and config.pluginmanager.has_plugin("cacheprovider"):
        sys.pycache_prefix = str(config.cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False


def _give_examples_time() -> None:
    """Let no example of Hypothesis be too slow: how long it takes depends on how busy the machine is."""
    if importlib.util.find_spec("hypothesis") is not None:  # the tests of the page do without it
        from hypothesis import HealthCheck, settings

        settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
        settings.load_profile("patient")


#: How many objects are made before garbage is collected. By default, a tenth of the time goes into looking at
#: the corpus and other objects that last.
OBJECTS_BETWEEN_COLLECTIONS = 50_000


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage: what is made meanwhile lasts until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        gc.enable()


def pytest_report_header() -> str:
    """Return the line with the seed of random tests."""
    return f"URLCONFORM_SEED={os.environ['URLCONFORM_SEED']}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the folders that the marker expression leaves out."""
    marker = SLOW.get(collection_path.name) if collection_path.parent == TESTS else None
    return True if marker and f"not {marker}" in config.option.markexpr else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of the slow folders."""
    folder = item.path.parts[len(TESTS.parts)]
    if folder in SLOW:
        item.add_marker(SLOW[folder])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `long` what a test with the marker `sampled` leaves out: all but each third row, say.

    Rows whose name contains the word `keep` of the marker are not left out. Without a step all others are.
    """
    rows_of_function: Counter[str] = Counter()
    for test in items:
        marker = test.get_closest_marker("sampled")
        if marker is None:
            continue
        function = test.nodeid.partition("[")[0]
        if not _is_sampled(test.name, rows_of_function[function], *marker.args, **marker.kwargs):
            test.add_marker("long")
        rows_of_function[function] += 1


def _is_sampled(name: str, row: int, step: int | None = None, *, keep: str | None = None) -> bool:
    is_kept = keep is not None and keep in name
    is_a_step = step is not None and row % step == 0
    return is_kept or is_a_step


#: Longer names of parameters are cut.
LONGEST_ID = 60


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a collection in a table by its content: pytest would number it."""
    if isinstance(val, dict):
        words = [f"{name}={content}" for name, content in val.items() if _is_plain(content)]
    elif isinstance(val, (set, frozenset)):
        words = sorted(str(content) for content in val if _is_plain(content))
    elif isinstance(val, (list, tuple)):
        words = [str(content) for content in val if _is_plain(content)]
    else:
        return None
    if len(words) < len(val):
        return None
    return ascii(",".join(words) or "empty")[1:-1][:LONGEST_ID]


def _is_plain(content: object) -> bool:
    return content is None or isinstance(content, (str, int, float))


@pytest.fixture(scope="session")
def rfc_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of the RFC texts; without one the tests that need it are skipped."""
    directory = request.config.getoption("--rfc-dir")
    if directory is None:
        pytest.skip("the RFC texts are not at hand: give --rfc-dir or URLCONFORM_RFC_DIR")
    missing = [spec for spec in SPECS if not (Path(directory) / f"{spec}.txt").is_file()]
    if missing:
        pytest.fail(f"{directory} has no text of {', '.join(missing)}")
    return Path(directory)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The installed corpus."""
    return load()


@pytest.fixture(scope="session")
def computed_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[], Any]], Any]:
    """Return a function that returns what another computes, once for all processes of xdist.

    What is computed has a name.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # which the processes share

    def compute(name: str, function: Callable[[], Any]) -> Any:
        path = folder / f"{name}.pickle"
        with (folder / f"{name}.lock").open("wb") as stream:
            acquire_lock(stream, wait=True)
            if not path.exists():
                path.write_bytes(pickle.dumps(function()))
        return pickle.loads(path.read_bytes())

    return compute


@pytest.fixture(scope="session")
def cases_of_section(corpus: Corpus) -> Callable[[str, str], list[Case]]:
    """Return a function that returns the cases of a section of an RFC, without those of sections below it."""
    return lambda spec, section: [
        case for case in corpus.cases if (case.spec, case.section) == (spec, section)
    ]


@pytest.fixture(scope="session")
def urlmix() -> ModuleType:
    """The module of the benchmarks that makes the list; the benchmarks are no package."""
    path = Path(__file__).parent / "bench" / "urlmix.py"
    module_spec = importlib.util.spec_from_file_location("urlmix", path)
    assert module_spec is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules["urlmix"] = module
    assert module_spec.loader is not None
    module_spec.loader.exec_module(module)
    return module


#: The command as it is installed.
PROGRAM = str(Path(sysconfig.get_path("scripts")) / "urlconform")

#: Modules that stay loaded when a command has ended; the others are those of adapters.
LASTING = (
    "urlharness",
    "urloracle",
    "urlauthor",
    "rich",
    "click",
    "msgspec",
    "jinja2",
    "numpy",
    "numba",
    "pyarrow",
    "llvmlite",
)

#: An adapter that answers each question with the text it was asked, and gives one question to `fault`.
#: Where it hangs, it leaves a byte in a file; see the fixture `signs`.
ADAPTER = """
import json, os, select, signal, sys, time

HELLO = {
    "type": "hello", "protocol": 1, "implementation": {"name": "made up", "version": "1"},
    "ops": ["validate", "parse", "resolve", "recompose", "normalize"], "specs": [], "window": WINDOW,
}

def send(message, end="\\n"):
    out(json.dumps(message) + end)

def out(text):
    octets = text if isinstance(text, bytes) else text.encode()
    while octets:
        octets = octets[os.write(1, octets):]

def hello():
    send(HELLO)

def hang():
    open(SIGNS, "a").write(".")
    time.sleep(60)

def end():
    pass

def right(message):
    return {"id": message["id"], "status": "ok", "url": message.get("url", "")}

def fault(message):
    send(right(message))

# -- what is special about this adapter --
SPECIAL
# ----------------------------------------

for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["type"] == "hello":
        hello()
    elif message["type"] == "bye":
        break
    elif message.get("url") == "http://h/TARGET":
        fault(message)
    else:
        send(right(message))
end()
"""


#: The limits of adapters whose tests set none.
PATIENT = Limits(start=1000, case=1000)
#: The seconds after which a hello or an answer is late, unless somebody sets other ones.
DEFAULT_STARTS = (30.0, 20.0)
DEFAULT_CASE = 5.0


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Be patient with adapters that are asked in this process: on a busy machine no answer is late.

    Limits that a test sets are kept.
    """
    with pytest.MonkeyPatch.context() as patch:
        for client in (Session, ExecWorker, _FunctionClient):
            patch.setattr(client, "__init__", _patient(client.__init__))
        yield


def _patient(initialize: Callable[..., None]) -> Callable[..., None]:
    @wraps(initialize)
    def initialize_patiently(client: object, *arguments: object, **options: object) -> None:
        replaced = [_without_defaults(argument) for argument in arguments]
        initialize(client, *replaced, **options)

    return initialize_patiently


def _without_defaults(argument: object) -> object:
    """Return limits in which no time is the default, and any other argument as it is."""
    if not isinstance(argument, Limits):
        return argument
    start = PATIENT.start if argument.start in DEFAULT_STARTS else argument.start
    case = PATIENT.case if argument.case == DEFAULT_CASE else argument.case
    return argument._replace(start=start, case=case)


#: The seconds that a wait for an adapter that hangs takes by the clock of `signs`.
LEAP = 10_000


@pytest.fixture
def signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in which an adapter leaves a byte if time has to pass: until it is killed, waits take hours.

    So a hang takes no time, and an adapter on a busy machine does not run into a timeout.
    """
    path = tmp_path / "signs"
    path.touch()
    passed = 0
    wait, kill = Poller.wait, Process.kill

    def long_wait(watch: Poller, seconds: float) -> None:
        nonlocal passed
        hangs = path.stat().st_size > 0  # asked first: what the adapter has written before is still read
        wait(watch, seconds)
        if hangs:
            passed += LEAP

    def kill_and_forget(process: Process) -> str:
        stderr = kill(process)
        path.write_bytes(b"")
        return stderr

    monkeypatch.setattr(Poller, "now", lambda _: time.monotonic() + passed)
    monkeypatch.setattr(Poller, "wait", long_wait)
    monkeypatch.setattr(Process, "kill", kill_and_forget)
    monkeypatch.setattr("urlharness.sessions.process._EXIT_CHECK", 0.02)
    return path


@pytest.fixture
def adapter(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that writes an adapter program, and returns the command that runs it.

    `special` redefines functions of the program.
    """

    def write(special: str = "", window: int = 1, name: str = "adapter.py") -> list[str]:
        text = ADAPTER.replace("WINDOW", str(window)).replace("SPECIAL", textwrap.dedent(special))
        text = text.replace("SIGNS", repr(str(tmp_path / "signs")))
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return [sys.executable, "-I", "-S", str(path)]

    return write


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of the test run, where the Java adapter is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def environment(cache: Path) -> dict[str, str]:
    """The environment of the command: no terminal settings of whoever runs the tests."""
    dropped = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM", "URLCONFORM_RFC_DIR", "PYTHONPATH")
    inherited = {name: setting for name, setting in os.environ.items() if name not in dropped}
    return {**inherited, "XDG_CACHE_HOME": str(cache), "TERM": "xterm-256color"}


@pytest.fixture
def urlconform(environment: dict[str, str], tmp_path: Path) -> Command:
    """Return a function that runs the command in this process, in an empty folder.

    It returns the exit code and the output.
    """

    def run(
        *arguments: str, stdin: str = "", env: dict[str, str] | None = None, cwd: Path = tmp_path
    ) -> subprocess.CompletedProcess[str]:
        with (
            _own_modules(),
            mock.patch.dict(os.environ, environment | (env or {}), clear=True),
            chdir(cwd),
            CliRunner().isolation(stdin.encode("utf-8", "surrogateescape")) as (stdout, stderr, _),
        ):
            status = execute(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        output = (stream.getvalue().decode().replace("\r\n", "\n") for stream in (stdout, stderr))
        return subprocess.CompletedProcess(["urlconform", *arguments], status, *output)

    return run


@pytest.fixture
def urlconform_once(
    urlconform: Command, computed_once: Callable[[str, Callable[[], Any]], Any], tmp_path: Path
) -> Command:
    """Runs a command like `urlconform`, but only once for all tests that have the same files in their folder.

    Every test gets the files that the command has written.
    """

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(tmp_path.iterdir()) if path.is_file()}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        def run_and_read() -> tuple[subprocess.CompletedProcess[str], dict[str, bytes]]:
            return urlconform(*arguments), files()

        digest = hashlib.sha256(repr((arguments, files())).encode()).hexdigest()
        done, files_after = computed_once(f"run-{digest}", run_and_read)
        for name, content in files_after.items():
            (tmp_path / name).write_bytes(content)
        return done

    return run


@contextmanager
def _own_modules() -> Iterator[None]:
    """Forget the modules and the paths of adapters that a command has imported."""
    modules = set(sys.modules)
    paths = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = paths
        for name in sys.modules.keys() - modules:
            if not name.startswith(LASTING):
                del sys.modules[name]


@pytest.fixture
def urlconform_process(environment: dict[str, str], tmp_path: Path) -> Command:
    """Return a function that runs the installed command as a process, for signals, pipes and exit codes.

    It returns the exit code and the output.
    """

    def run(
        *arguments: str,
        stdin: str = "",
        env: dict[str, str] | None = None,
        program: Sequence[str] = (PROGRAM,),
        cwd: Path = tmp_path,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*program, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment | (env or {}),
            cwd=cwd,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the installed command."""
    assert Path(PROGRAM).is_file(), f"{PROGRAM} is not installed"
    return PROGRAM


@pytest.fixture(scope="session")
def alive() -> Callable[..., bool]:
    """Return a function that tells whether a process still runs after so many seconds; a zombie does not.

    SIGKILL has been sent when `kill` returns, but the process may take a moment to end.
    """

    def runs(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] not in "ZX"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def check(pid: int, patience: float = 600.0) -> bool:
        deadline = time.monotonic() + patience
        while runs(pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        return runs(pid)

    return check


@pytest.fixture(scope="session")
def python() -> list[str]:
    """The interpreter, for scripts that need nothing but the standard library."""
    return [sys.executable, "-I", "-S"]


@pytest.fixture
def make_case() -> Callable[..., Case]:
    """Return a function that makes up a case from an id such as rfc3986-3.3-x and fields of its vector."""

    def make(identifier: str, **fields: object) -> Case:
        spec, section, _ = identifier.split("-", 2)
        vector = {
            "id": identifier,
            "requirement": f"{spec}-{section}-y",
            "level": "must",
            "op": "validate",
            "rule": "URI",
            "url": "a:b",
            "expect": {"valid": True},
            "binding": "required",
        }
        return Case(spec, section, msgspec.convert(vector | fields, Vector), f"{spec}/{section}-x.json")

    return make


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., Results]:
    """Return a function that writes a results file of made-up outcomes, and returns what is read from it.

    `answers` are results, or participants.
    """

    def write(
        cases: Sequence[Case],
        *answers: Participant | Result,
        path: Path = tmp_path / "results.jsonl",
        title: str = "Some section",
        end: bool = True,
        interrupted: bool = False,
    ) -> Results:
        with path.open("wb") as stream:
            header = Header(
                schema="urlresults-1",
                urlconform="1",
                corpus="0123456789ab",
                argv=("run",),
                started="2024-01-01T00:00:00+00:00",
                platform="Linux",
                python="3.11.0",
            )
            writer = ResultsWriter(stream, header)
            for case in cases:
                vector = case.vector
                requirement = Requirement(
                    vector.requirement, case.section, 1, "0" * 12, vector.level, "It is so."
                )
                writer.write(AskedVector(case, requirement, title))
            for answer in answers:
                writer.write(answer)
            if end:
                writer.close(interrupted=interrupted)
            else:
                writer.flush()
        return read_results(path)

    return write


@pytest.fixture
def good_adapter(tmp_path: Path) -> Callable[..., Program]:
    """Return a function that writes a conforming adapter with something special about it, and returns it."""
    text = (Path(__file__).parent / "harness" / "good_adapter.txt").read_text("utf-8")

    def write(special: str = "") -> Program:
        path = tmp_path / "good_adapter.py"
        signs = repr(str(tmp_path / "signs"))
        special = f"\n{textwrap.dedent(special)}\n"
        path.write_text(text.replace("\nSPECIAL\n", special).replace("SIGNS", signs), "utf-8")
        adapter_program = find(f"jsonl:{shlex.join([sys.executable, '-I', '-S', str(path)])}")
        assert isinstance(adapter_program, Program)
        return adapter_program

    return write


_PART_FILES = ("rfc1738/3.2.2-url-path.json", "rfc1808/5.1-normal.json", "rfc2396/C.2-abnormal.json")
_PART_TABLES = ("classes.json", "flags.json", "paragraphs.json", "rulings.json")


@pytest.fixture(scope="session")
def part_of_the_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three files with the requirements they cite, the tables, and a lock; not to be changed."""
    root = tmp_path_factory.mktemp("part")
    cited = set()
    for name in _PART_FILES:
        (root / name).parent.mkdir()
        shutil.copy(corpus_dir() / name, root / name)
        cited |= {vector["requirement"] for vector in json.loads((root / name).read_bytes())["vectors"]}
    for name in _PART_TABLES:
        shutil.copy(corpus_dir() / name, root / name)
    (root / "requirements").mkdir()
    for spec in SPECS:
        document = json.loads((corpus_dir() / "requirements" / f"{spec}.json").read_bytes())
        entries = document["requirements"]
        cited_entries = [entry for entry in entries if entry["id"] in cited] or entries[:1]
        (root / "requirements" / f"{spec}.json").write_text(
            canonical_text(document | {"requirements": cited_entries})
        )
    corpus = load(root)
    lock = Lock("1.0.0", corpus.digest, locked_vectors(corpus), {}, bundle_digest(corpus, "1.0.0"))
    (root / "vectors.lock").write_text(render_lock(lock), "ascii")
    return root


@pytest.fixture
def part(part_of_the_corpus: Path, tmp_path: Path) -> Path:
    """A copy of that part, to be changed."""
    return Path(shutil.copytree(part_of_the_corpus, tmp_path / "part"))


@pytest.fixture
def change() -> Callable[..., str]:
    """Return a function that changes the first entry of a corpus file that matches, and returns its id.

    Without a condition every entry matches. `...` removes a field; `class_` is the field `class`.
    """

    def edit(path: Path, matches: Callable[[Any], bool] = lambda _: True, /, **fields: Any) -> str:
        document = json.loads(path.read_bytes())
        kind = next(name for name in ("vectors", "requirements", "classes", "flags") if name in document)
        entry = next(entry for entry in document[kind] if matches(entry))
        entry |= {name.rstrip("_"): content for name, content in fields.items()}
        for name in [name for name, content in entry.items() if content is ...]:
            del entry[name]
        path.write_text(canonical_text(document), "ascii")
        return entry["id"]

    return edit
