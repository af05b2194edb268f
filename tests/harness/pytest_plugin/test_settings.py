"""Settings of a pytest run from the command line, the ini file and `[tool.urlconform]`."""

from __future__ import annotations

import shlex
import sys
import textwrap

import pytest

from urlharness.corpus.model import corpus_dir
from urlharness.gate.baseline import Baseline, Entry, write_baseline
from urlharness.pytest_plugin.settings import read_settings

#: The settings of a project select the normal examples that RFC 3986, section 5.4.1, prints.
EXAMPLES = 23


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--urlconform", "nobody"], "no adapter named 'nobody'", id="adapter"),
        pytest.param(["--urlconform-spec", "rfc9999"], "no specification named 'rfc9999'", id="spec"),
        pytest.param(["--urlconform-flag", "x"], "no flag named 'x'", id="flag"),
        pytest.param(["--urlconform-baseline", "gone.json"], "gone.json: no such file", id="baseline"),
        pytest.param(["--urlconform-timeout", "soon"], "timeout: 'soon' is not a number", id="seconds"),
        pytest.param(["--urlconform-policy", "x"], "policy 'x' is not KEY=ANSWER", id="policy"),
        pytest.param(["--urlconform", "project"], "needs a pyproject.toml with [[]tool.", id="project"),
    ],
)
def test_options_that_do_not_fit_are_a_usage_error(project, pytester, arguments, message):
    project()
    session = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    session.stderr.fnmatch_lines([f"ERROR: urlconform: *{message}*"])
    assert session.ret == pytest.ExitCode.USAGE_ERROR


def test_a_hook_that_gives_no_adapter_is_an_error(pytester):
    pytester.makeconftest("def pytest_urlconform_adapter(name): return 3")
    session = pytester.runpytest_inprocess("--urlconform", "x", "-p", "no:hypothesispytest")
    assert session.ret == pytest.ExitCode.USAGE_ERROR
    session.stderr.fnmatch_lines(["ERROR: urlconform: 3 is not a function*"])


@pytest.fixture
def ask_by_table(pytester, project, baseline):
    """Return a function that asks by the table of a project, which gives adapter, section and baseline."""
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
    return lambda *options: pytester.runpytest_inprocess("--urlconform", "project", *options)


def test_the_table_of_the_project_gives_adapter_section_and_baseline(ask_by_table, normal_examples):
    assert ask_by_table().parseoutcomes() == {"passed": len(normal_examples) - 1, "xfailed": 1}


def test_the_command_line_overrides_the_table_of_the_project(ask_by_table, ids_of_section):
    counts = ask_by_table("--urlconform-section", "5.4.2").parseoutcomes()
    assert counts == {"passed": len(ids_of_section("5.4.2"))}


TABLE = '[tool.urlconform]\nadapters = ["urllib"]\nsection = ["5.4.1"]\n'
INI_OPTIONS = '[tool.pytest.ini_options]\naddopts = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest"]\n'
ASK = ("--urlconform", "project", "-k", "rfc3986-5.4.1-ex-01")


@pytest.fixture
def ask_in_mono(pytester, monkeypatch):
    """Return a function that writes tables into folders, and asks from a folder with the root in mono."""

    def ask(tables, start):
        pytester.mkdir("mono").joinpath("sub").mkdir()
        for folder, text in tables.items():
            (pytester.path / folder / "pyproject.toml").write_text(text, "utf-8")
        monkeypatch.chdir(pytester.path / start)
        config = pytester.path / "mono" / "pyproject.toml"
        return pytester.runpytest_inprocess("-c", str(config), "--rootdir", str(config.parent), *ASK)

    return ask


@pytest.mark.parametrize(
    ("tables", "start"),
    [
        pytest.param({"mono": INI_OPTIONS, "mono/sub": TABLE}, "mono/sub", id="below-the-rootdir"),
        pytest.param({"mono": INI_OPTIONS + TABLE}, "mono/sub", id="in-the-rootdir"),
        pytest.param({"mono": INI_OPTIONS + TABLE}, ".", id="from-outside"),
    ],
)
def test_the_table_is_searched_above_the_current_folder_and_then_above_the_rootdir(
    ask_in_mono, tables, start
):
    assert ask_in_mono(tables, start).parseoutcomes() == {"passed": 1, "deselected": EXAMPLES - 1}


@pytest.mark.parametrize(
    ("tables", "start", "message"),
    [
        pytest.param(
            {"mono": INI_OPTIONS + TABLE, "mono/sub": "[tool.urlconform]\nspec = ['3986']\n"},
            "mono/sub",
            "*/mono/sub/pyproject.toml: [[]tool.urlconform] names 0 adapters*",
            id="nearest",
        ),
        pytest.param({"mono": INI_OPTIONS}, "mono/sub", "*/mono/sub or */mono or above", id="nowhere"),
    ],
)
def test_the_error_of_a_table_names_the_nearest_file_above(ask_in_mono, tables, start, message):
    session = ask_in_mono(tables, start)
    session.stderr.fnmatch_lines([f"ERROR: urlconform: {message}"])


@pytest.fixture
def header_names_file(pytester, monkeypatch):
    """Return a function that tells whether the header of a session in a folder names the file."""

    def start(folder: str) -> bool:
        path = pytester.makepyprojecttoml(INI_OPTIONS + TABLE)
        pytester.mkdir("sub")
        monkeypatch.chdir(pytester.path / folder)
        session = pytester.runpytest_inprocess("-c", str(path), "--rootdir", str(pytester.path), *ASK)
        return f"urlconform: the adapter is that of [tool.urlconform] in {path}" in session.outlines

    return start


def test_the_header_names_a_file_above_that_names_the_adapter(header_names_file):
    assert header_names_file("sub")


def test_the_header_does_not_name_a_file_of_the_current_folder(header_names_file):
    assert not header_names_file(".")


@pytest.mark.parametrize(
    ("tier", "ends"),
    [
        pytest.param(["complete", "core", "k1"], ", generated tiers (complete, k1) are not asked", id="some"),
        pytest.param(["core"], "", id="none"),
    ],
)
def test_the_header_names_tiers_that_are_left_out(project, pytester, tier, ends):
    """The plugin ignores generated tiers in the table, because only the command asks them."""
    project()
    (pytester.path / "pyproject.toml").write_text(f"[tool.urlconform]\ntier = {tier}\n", "utf-8")
    session = pytester.runpytest_inprocess("--urlconform", "lib", "-k", "ex-01")
    assert [line for line in session.outlines if line.startswith("urlconform:")] == [f"urlconform: lib{ends}"]


@pytest.fixture
def session_below(pytester, monkeypatch):
    """A session in a folder below a project whose adapter is beside its file, and gives one wrong answer.

    The baseline of the project lists another answer than that.
    """
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
    return pytester.runpytest_inprocess("--urlconform", "project", "-rA")


def test_the_adapter_of_a_project_is_found_beside_its_file_from_below(session_below):
    """One answer is wrong, and the entry of the baseline is stale."""
    assert session_below.parseoutcomes() == {"passed": EXAMPLES - 2, "failed": 2}


ADAPTER = "python:beside_the_file:adapter"
LIMITS = "--vectors ../corpus --timeout 7 --start-timeout 40"


def test_the_command_that_asks_again_repeats_the_options_of_the_table(session_below):
    (line,) = [line for line in session_below.outlines if line.startswith("again")]
    command = line.removeprefix("again").strip()
    assert command == f"urlconform repro rfc3986-5.4.1-ex-20 -a {ADAPTER} {LIMITS}"


def test_the_command_that_removes_an_entry_repeats_the_options_of_the_table(session_below):
    (line,) = [line for line in session_below.outlines if "remove it: " in line]
    _, _, command = line.partition("remove it: ")
    assert command == (
        f"urlconform baseline update ../baseline.json {ADAPTER} --section 5.4.1 {LIMITS} --only-shrink"
    )


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--spec rfc2396 --section 5.2 --policy R-2396-18=error",
        "--flag security --fail-on must --strict --timeout 0.5 --start-timeout 60",
    ],
    ids=["none", "selection-and-policy", "judgement-and-limits"],
)
@pytest.mark.sampled(3)
def test_a_proposed_command_repeats_the_options_of_the_session(pytester, options):
    """Without them the proposed command would remove entries that still fail."""
    named = shlex.split(options.replace("--", "--urlconform-"))
    config = pytester.parseconfigure("--urlconform", "urllib", *named)
    assert read_settings(config, "urllib").gate_options == shlex.split(options)
