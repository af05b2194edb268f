"""The pytest plugin around the items: its cost, its settings, dead and hostile adapters, pytest-xdist."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import textwrap

import pytest

from urlharness.corpus.model import corpus_dir
from urlharness.gate.baseline import Baseline, Entry, write_baseline

pytestmark = pytest.mark.once

UNUSED = """
import sys
import pytest

code = pytest.main(["-q", "-p", "no:cacheprovider", "test_own.py"])
assert code == 0, code
ours = ("urlharness", "urlvectors", "msgspec")
print(*sorted(name for name in sys.modules if name.partition(".")[0] in ours))
"""


def test_nothing_is_loaded_where_it_is_not_asked_for(tmp_path):
    """One module of ours is loaded at the start of pytest."""
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n", "utf-8")
    command = [sys.executable, "-c", UNUSED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "urlharness urlharness.pytest_plugin"


def test_the_module_of_the_options_needs_nothing_that_pytest_has_not_loaded():
    code = textwrap.dedent(
        """
        import importlib.metadata, sys, pytest
        known = set(sys.modules)
        import urlharness.pytest_plugin
        print(*sorted(set(sys.modules) - known))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["urlharness", "urlharness.pytest_plugin"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--urlconform", "nobody"], "no adapter named 'nobody'", id="adapter"),
        pytest.param(["--urlconform-spec", "rfc9999"], "no specification named 'rfc9999'", id="spec"),
        pytest.param(["--urlconform-flag", "x"], "no flag named 'x'", id="flag"),
        pytest.param(["--urlconform-baseline", "gone.json"], "gone.json: no such file", id="baseline"),
        pytest.param(["--urlconform-timeout", "soon"], "timeout is 'soon', and no number", id="seconds"),
        pytest.param(["--urlconform-policy", "x"], "policy 'x' is not KEY=ANSWER", id="policy"),
        pytest.param(["--urlconform", "project"], "no pyproject.toml with [[]tool.", id="project"),
    ],
)  # fmt: skip
def test_usage(project, pytester, arguments, message):
    project()
    result = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: urlconform: *{message}*"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--urlconform", "python:gone:f"], "No module named 'gone'", id="dead"),
        pytest.param(["--urlconform", "jsonl:./gone"], "./gone: No such file", id="no-program"),
        pytest.param(["--urlconform-section", "99"], "no vector meets the selection", id="nothing"),
        pytest.param(["--urlconform-policy", "may=listed"], "may: no binding", id="policy"),
        pytest.param(["--urlconform-fail-on", "x"], "no level 'x'", id="level"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_one_error(project, pytester, arguments, message):
    """Nothing that was asked for is left out in silence, and nothing is said a thousand times."""
    project()
    result = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert result.parseoutcomes() == {"errors": 1}
    result.stdout.fnmatch_lines(["*ERROR collecting urlconform*", f"*{message}*"])


def test_a_baseline_of_another_library_is_an_error(project, baseline, pytester):
    project()
    path = baseline({})
    path.write_text(path.read_text("utf-8").replace('"lib"', '"other"'), "utf-8")
    result = pytester.runpytest_inprocess("--urlconform", "lib", "--urlconform-baseline", "baseline.json")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*baseline.json: it lists answers of 'other', not of 'lib'*"])


def test_an_adapter_of_the_ini_file_is_for_whole_runs(project, pytester):
    """Who names a file means that file; who names an adapter on the command line means the vectors too."""
    project(ini="urlconform = lib\n")
    pytester.makepyfile(test_own="def test_own(): pass")
    assert pytester.runpytest_inprocess().parseoutcomes() == {"passed": 24}
    assert pytester.runpytest_inprocess("test_own.py").parseoutcomes() == {"passed": 1}
    assert pytester.runpytest_inprocess("urlconform/rfc3986").parseoutcomes() == {"passed": 23}
    both = pytester.runpytest_inprocess("test_own.py", "--urlconform", "lib")
    assert both.parseoutcomes() == {"passed": 24}


def test_the_project_has_a_say(pytester, project, baseline):
    """`[tool.urlconform]` gives adapter, section and baseline; the command line goes before it."""
    project({"../g": "http://a/g"})
    baseline({"rfc3986-5.4.1-ex-20": "http://a/g"})
    (pytester.path / "tox.ini").unlink()
    pytester.makepyprojecttoml(
        """
        [tool.pytest.ini_options]
        addopts = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
        [tool.urlconform]
        adapters = ["lib"]
        section = ["5.4.1"]
        baseline = "baseline.json"
        """
    )
    assert pytester.runpytest_inprocess("--urlconform", "project").parseoutcomes() == {
        "passed": 22,
        "xfailed": 1,
    }
    narrowed = pytester.runpytest_inprocess("--urlconform", "project", "--urlconform-section", "5.4.2")
    assert narrowed.parseoutcomes() == {"passed": 26}


TABLE = '[tool.urlconform]\nadapters = ["urllib"]\nsection = ["5.4.1"]\n'
INI_OPTIONS = '[tool.pytest.ini_options]\naddopts = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest"]\n'
ASK = ("--urlconform", "project", "-k", "rfc3986-5.4.1-ex-01")


@pytest.mark.parametrize(
    ("tables", "place", "ends"),
    [
        pytest.param({"mono": INI_OPTIONS, "mono/sub": TABLE}, "mono/sub", "passed", id="below-the-rootdir"),
        pytest.param({"mono": INI_OPTIONS + TABLE}, "mono/sub", "passed", id="in-the-rootdir"),
        pytest.param({"mono": INI_OPTIONS + TABLE}, ".", "passed", id="from-outside"),
        pytest.param(
            {"mono": INI_OPTIONS + TABLE, "mono/sub": "[tool.urlconform]\nspec = ['3986']\n"}, "mono/sub",
            "*/mono/sub/pyproject.toml: [[]tool.urlconform] names 0 adapters*", id="nearest",
        ),
        pytest.param({"mono": INI_OPTIONS}, "mono/sub", "*/mono/sub or */mono or above, *", id="nowhere"),
    ],
)  # fmt: skip
def test_the_table_is_found_as_the_command_finds_it(pytester, monkeypatch, tables, place, ends):
    """The nearest upwards from the current directory, then from the rootdir; an error names the file."""
    pytester.mkdir("mono").joinpath("sub").mkdir()
    for folder, text in tables.items():
        (pytester.path / folder / "pyproject.toml").write_text(text, "utf-8")
    monkeypatch.chdir(pytester.path / place)
    config = pytester.path / "mono" / "pyproject.toml"
    result = pytester.runpytest_inprocess("-c", str(config), "--rootdir", str(config.parent), *ASK)
    if ends == "passed":
        assert result.parseoutcomes()["passed"] == 1
    else:
        result.stderr.fnmatch_lines([f"ERROR: urlconform: {ends}"])


@pytest.mark.parametrize(
    ("tier", "ends"),
    [
        pytest.param(["complete", "core", "k1"], ", generated tiers (complete, k1) are not asked", id="some"),
        pytest.param(["core"], "", id="none"),
    ],
)
def test_the_header_says_what_is_left_out(project, pytester, tier, ends):
    """The table may name generated tiers, which are for the command alone."""
    project()
    (pytester.path / "pyproject.toml").write_text(f"[tool.urlconform]\ntier = {tier}\n", "utf-8")
    result = pytester.runpytest_inprocess("--urlconform", "lib", "-k", "ex-01")
    assert [line for line in result.outlines if line.startswith("urlconform:")] == [f"urlconform: lib{ends}"]


def test_the_adapter_of_a_project_lives_beside_its_file(pytester, monkeypatch):
    """From a folder below it is found, and the lines to paste work there: they are pasted."""
    table = """[tool.urlconform]
        adapters = ["python:beside_the_file:adapter"]
        section = ["5.4.1"]
        vectors = "corpus"
        baseline = "baseline.json"
        timeout = 7
        start-timeout = 40
    """
    pytester.makepyprojecttoml(INI_OPTIONS + textwrap.dedent(table))
    pytester.makepyfile(
        beside_the_file="""
        from urllib.parse import urljoin
        from urlharness import functions

        def join(base, reference):
            return "x:" if reference == "../g" else urljoin(base, reference)

        adapter = functions("beside", specs=["rfc3986"], resolve=join)
        """
    )
    (pytester.path / "corpus").symlink_to(corpus_dir())
    entry = Entry("rfc3986-5.4.1-ex-01", "fail", {"status": "ok", "url": "y:"}, "0" * 12)
    listed = Baseline("urlbaseline-1", "0" * 12, "beside", ("rfc3986",), (entry,))
    write_baseline(listed, pytester.path / "baseline.json")
    monkeypatch.chdir(pytester.mkdir("below"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    result = pytester.runpytest_inprocess("--urlconform", "project", "-rA")
    assert result.parseoutcomes() == {"passed": 21, "failed": 2}
    (again,) = (line.partition("again")[2].strip() for line in result.outlines if line.startswith("again"))
    (shrink,) = (line.partition("remove it: ")[2] for line in result.outlines if "remove it: " in line)
    named = "python:beside_the_file:adapter"
    more = f"{named} --vectors corpus --timeout 7 --start-timeout 40"
    assert again == f"(cd -P .. && urlconform repro rfc3986-5.4.1-ex-20 -a {more})"
    decided = "--section 5.4.1 --timeout 7 --start-timeout 40 --vectors corpus"
    assert shrink == (
        f"(cd -P .. && urlconform baseline update baseline.json {named} {decided} --only-shrink)"
    )
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    for line, said in {again: "got 'x:'", shrink: "0 added, 0 changed, 1 removed"}.items():
        pasted = {"env": {**os.environ, "PATH": path}, "capture_output": True, "text": True, "timeout": 60}
        done = subprocess.run(["bash", "-c", line], check=False, **pasted)
        assert (done.returncode, said in done.stdout) == (1, True), done.stderr


def test_a_folder_named_as_the_vectors_is_a_folder(project, pytester):
    project()
    folder = pytester.mkdir("urlconform")
    (folder / "test_own.py").write_text("def test_own(): pass\n", "utf-8")
    result = pytester.runpytest_inprocess("urlconform", "--urlconform", "lib", "-k", "own")
    assert result.parseoutcomes()["passed"] == 1


def test_an_id_may_come_from_below(project, pytester, monkeypatch):
    """pytest prints ids as seen from the current directory."""
    project()
    monkeypatch.chdir(pytester.mkdir("below"))
    arguments = ("--rootdir", "..", "-c", "../tox.ini", "--urlconform", "urllib", "-rA")
    result = pytester.runpytest_inprocess(*arguments, "-k", "ex-01")
    shown = "../urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-01"
    result.stdout.fnmatch_lines([f"PASSED {shown}"])
    assert pytester.runpytest_inprocess(*arguments, shown).parseoutcomes() == {"passed": 1}


def test_a_hook_that_gives_no_adapter(pytester):
    pytester.makeconftest("def pytest_urlconform_adapter(name): return 3")
    result = pytester.runpytest_inprocess("--urlconform", "x", "-p", "no:hypothesispytest")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: urlconform: 3 is no function, but of type int"])


PROGRAM = """
import json, os, sys
STARTS = open("starts", "a"); print(os.getpid(), file=STARTS, flush=True)
if DIES and len(open("starts").readlines()) > 1:
    sys.exit(7)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "implementation": {"name": "p", "version": "1"},
                  "ops": ["resolve"], "specs": ["rfc3986"], "window": 8}
    elif asked["type"] == "bye":
        break
    elif DIES and asked["reference"] == "g/":
        os._exit(9)
    else:
        answer = {"id": asked["id"], "status": "ok", "url": MESSAGE}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def program(project, pytester):
    """Writes an adapter program, and gives the option that names it."""

    def write(message: str = "x:", *, dies: bool = False) -> list[str]:
        project()
        text = PROGRAM.replace("DIES", repr(dies)).replace("MESSAGE", repr(message))
        (pytester.path / "program.py").write_text(text, "utf-8")
        return ["--urlconform", f"jsonl:{sys.executable} program.py"]

    return write


def test_one_session_for_all_vectors(program, pytester):
    result = pytester.runpytest_inprocess(*program())
    assert result.parseoutcomes() == {"failed": 23}
    assert len((pytester.path / "starts").read_text("utf-8").split()) == 1


def test_an_adapter_that_dies_ends_the_run(program, pytester):
    """The vector that killed it fails; the next finds it dead, and no more are asked."""
    result = pytester.runpytest_inprocess(*program(dies=True))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert 4 <= result.parseoutcomes()["failed"] <= 6
    result.stdout.fnmatch_lines(["*cannot be started again*"])


def test_hostile_answers_stay_text(program, pytester):
    """Neither escapes nor lines of an adapter reach the terminal as such, and a long answer is cut."""
    hostile = "x:\x1b[31m\r\n\x07::error::\u202e" + "A" * 100_000
    result = pytester.runpytest_inprocess(*program(hostile), "-k", "ex-01")
    shown = result.stdout.str()
    assert result.parseoutcomes()["failed"] == 1
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(shown)
    assert not [line for line in shown.splitlines() if line.startswith("::error")]
    assert len(shown) < 20_000


@pytest.mark.once
def test_workers_of_xdist_share_the_vectors(program, pytester):
    """The same items, each once, over one adapter for each worker; JUnit XML groups them by section."""
    arguments = [*program(), "-n", "2", "--junitxml", "junit.xml", "-q", "-rf"]
    result = pytester.runpytest_subprocess(*arguments, timeout=120)
    assert result.parseoutcomes() == {"failed": 23}
    failed = {line.split()[1] for line in result.outlines if line.startswith("FAILED")}
    assert failed == {f"urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-{number:02}" for number in range(1, 24)}
    assert len(set((pytester.path / "starts").read_text("utf-8").split())) == 2
    assert 'classname="urlconform.rfc3986.5.4.1"' in (pytester.path / "junit.xml").read_text("utf-8")


@pytest.mark.once
def test_a_dead_adapter_under_xdist_is_no_silence(project, pytester):
    project()
    result = pytester.runpytest_subprocess("--urlconform", "python:gone:f", "-n", "2", timeout=120)
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*No module named 'gone'*"])
