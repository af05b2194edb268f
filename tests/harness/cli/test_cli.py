"""The program: help, versions, and the modules that each command loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from urlharness import cli as program
from urlharness.exitcodes import Exit

from . import hostile

#: Options that select few cases.
FEW = ("--spec", "1808", "-k", "rfc1808-5.1-")
COMMANDS = (
    "run",
    "report",
    "repro",
    "explain",
    "validate",
    "parse",
    "resolve",
    "normalize",
    "diff",
    "serve",
    "adapters",
    "vectors",
    "adapters list",
    "vectors lint",
    "vectors fmt",
    "baseline create",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_prints_its_help(urlconform, command, option):
    done = urlconform(*command.split(), option)
    assert done.stderr == ""
    assert done.stdout.startswith(f"Usage: urlconform {command} ")
    assert done.returncode == Exit.PASSED


GROUPS = (
    "Judge a library",
    "Compare libraries",
    "Understand the RFCs",
    "Columns of URLs",
    "Generate",
    "Write adapters and vectors",
)
#: The commands that have commands of their own.
NESTED = ["baseline", "export", "fuzz", "adapters", "vectors"]


@pytest.fixture
def program_help(urlconform):
    """The help of the program."""
    return urlconform("--help").stdout


def test_help_has_the_commands_in_groups(program_help):
    headings = re.findall(r"^(\S.*):$", program_help, re.MULTILINE)
    assert headings == ["Options", *GROUPS]


def test_help_names_every_command_once(program_help):
    _, _, groups = program_help.partition(f"{GROUPS[0]}:")
    names = re.findall(r"^  ([a-z-]+)  ", groups, re.MULTILINE)
    assert sorted(names) == sorted(program._COMMANDS)


def test_help_fits_80_columns(program_help):
    assert max(map(len, program_help.splitlines())) <= 80


@pytest.mark.parametrize("name", program._COMMANDS)
def test_the_line_of_a_command_is_the_beginning_of_its_own_help(name):
    """The help of the program imports no command, so each line is written twice."""
    _, line = program._COMMANDS[name]
    own_help = program.cli.get_command(None, name).get_short_help_str(limit=200)
    assert own_help.startswith(line.removesuffix("."))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("vaildate", "a"),
            "No such command 'vaildate'. Did you mean 'validate'?",
            id="two-letters-swapped",
        ),
        pytest.param(("equivalence",), "Did you mean 'equivalent'?", id="another-ending"),
        pytest.param(("baselines",), "Did you mean 'baseline'?", id="plural"),
        pytest.param(("adapters", "docter"), "Did you mean 'doctor'?", id="command-of-a-group"),
        pytest.param(("validate", "a", "--spce", "3986"), "Did you mean '--spec'?", id="option"),
    ],
)
def test_a_similar_name_is_suggested(urlconform, arguments, message):
    done = urlconform(*arguments)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert done.returncode == Exit.USAGE


def test_no_name_is_suggested_if_none_is_similar(urlconform):
    done = urlconform("zzz")
    assert done.stderr == "urlconform: No such command 'zzz'. (see urlconform --help)\n"
    assert done.returncode == Exit.USAGE


def test_the_groups_are_the_commands_that_have_commands():
    commands = {name: program.cli.get_command(None, name) for name in program._COMMANDS}
    assert [name for name, command in commands.items() if isinstance(command, click.Group)] == NESTED


@pytest.mark.parametrize("group", NESTED)
def test_a_group_without_a_command_prints_its_help(urlconform, group):
    """On stderr, because something is missing."""
    done = urlconform(group)
    assert done.stdout == ""
    assert done.stderr == urlconform(group, "--help").stdout
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize("group", NESTED)
def test_help_of_a_group_cuts_no_sentence(urlconform, group):
    _, _, commands = urlconform(group, "--help").stdout.partition("Commands:\n")
    assert commands != ""
    assert [line for line in commands.splitlines() if not line.endswith(".") or line.endswith("...")] == []


def loaded_by(*arguments: str) -> list[str]:
    """Return the modules that are loaded when the command ends."""
    code = f"""
import sys
from urlharness.cli import execute
code = execute({arguments!r})
print("LOADED", *sys.modules)
sys.exit(code)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.rpartition("LOADED ")[2].split()


HEAVY = ("rich", "msgspec", "urloracle", "jsonschema", "jinja2", "urlharness.corpus.model")


def test_help_loads_nothing_heavy():
    assert set(loaded_by("--help")).isdisjoint(HEAVY)


def test_version_loads_no_report():
    """It loads the oracle, whose engine it names."""
    assert set(loaded_by("--version")).isdisjoint(("rich", "jinja2", "urlharness.report"))


#: What reports, asks libraries or reads as browsers do. A question to one RFC needs none of it.
BESIDE_THE_ORACLE = (
    "rich",
    "jinja2",
    "jsonschema",
    "ada_url",
    "urlharness.adapters",
    "urlharness.compare",
    "urlharness.panel",
    "urlharness.report",
    "urlharness.results",
    "urlharness.runner",
    "urlharness.sessions",
)


@pytest.mark.parametrize(
    "question",
    [("validate", "http://h/"), ("parse", "http://h/"), ("resolve", "http://h/", "g")],
    ids=" ".join,
)
def test_a_question_to_one_rfc_loads_no_report_library_or_browser(question):
    assert set(loaded_by(*question, "--spec", "rfc3986")).isdisjoint(BESIDE_THE_ORACLE)


def test_a_run_without_failures_does_not_load_the_oracle():
    modules = loaded_by("run", "urllib", "-k", "rfc3986-1.1-uri")
    assert [name for name in modules if name.startswith("urloracle")] == []


def test_the_version_names_corpus_protocol_and_engine(urlconform, corpus):
    text = urlconform("--version").stdout
    name_and_version, corpus_version, protocol, engine = text.rstrip("\n").split(", ")
    assert name_and_version.startswith("urlconform ")
    assert corpus_version == f"corpus {corpus.version} {corpus.digest} ({len(corpus.cases)} vectors)"
    assert protocol == "protocol 1"
    assert engine in ("oracle pure", "oracle native")


def test_version_says_why_the_engine_is_not_used(urlconform, monkeypatch):
    monkeypatch.setattr("urlharness.adapters.reference.unused_reason", lambda: "no tables")
    text = urlconform("--version").stdout
    assert text.endswith(" (the C engine is not used: no tables; install again)\n")


#: The most modules that the run may enter. Eight of them find out whether a failure can be an example: one
#: that is right under another RFC cannot. Two check the RFCs that the files name: the table of
#: specifications, and the classes of difference. One asks the adapters side by side, and one reads the
#: compiled corpus of an installation. One tells in what answers differ from known ones, one locks the results
#: file, and one prints the judgements, as `report` does, too. Two know the whole of a text of which results
#: keep the beginning.
MOST_MODULES = 50


@pytest.mark.long
def test_a_run_enters_few_modules():
    """A reader who follows `run urllib --section 5.2` opens as many modules as functions of it run in."""
    script = Path(__file__).parents[2] / "bench" / "walks.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    *names, count = done.stdout.splitlines()
    assert {"runner", "results.verdict", "gate.gate"} <= set(names)
    assert int(count.split()[0]) <= MOST_MODULES, names


def test_options_without_a_command_are_options_of_run(urlconform):
    arguments = ("--list", "--spec", "rfc3986", "--section", "5.4.1")
    listed = urlconform("run", *arguments).stdout
    assert listed.startswith("rfc3986-5.4.1-")
    assert urlconform(*arguments).stdout == listed


def test_an_unknown_option_without_a_command_refers_to_the_help_of_run(urlconform):
    assert "urlconform run --help" in urlconform("--lists").stderr


# ---- completion

SHELLS = ("bash", "zsh", "fish")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("instruction", ["source", "complete"])
@pytest.mark.parametrize("command", program._COMMANDS)
def test_an_inherited_completion_variable_changes_no_command(urlconform, command, instruction, shell):
    words = {"COMP_WORDS": "urlconform ", "COMP_CWORD": "1"} if instruction == "complete" else {}
    inherited = {"_URLCONFORM_COMPLETE": f"{shell}_{instruction}", **words}
    done = urlconform(command, "--help", env=inherited)
    assert done.stdout.startswith(f"Usage: urlconform {command} ")


@pytest.mark.parametrize("words", [("run", "--gate"), ("--gate",)], ids=["run", "no-command"])
def test_an_inherited_completion_variable_does_not_pass_a_gate(urlconform, words):
    done = urlconform(*words, "--no-config", env={"_URLCONFORM_COMPLETE": "bash_source"})
    assert "--gate needs an ADAPTER" in done.stderr
    assert done.returncode == Exit.USAGE


# A clone that someone else has made.

#: Commands in a clone whose configuration and findings name code to run.
RUNNING = [
    pytest.param(("run", *FEW), id="run"),
    pytest.param(("run", "--gate", *FEW), id="gate"),
    pytest.param(("baseline", "create", "-o", "b.json", *FEW), id="baseline-create"),
    pytest.param(("baseline", "update", "baseline.json", *FEW), id="baseline-update"),
    pytest.param(("fuzz", "replay", "fuzz-findings", "--trust"), id="replay-trusted"),
]
INERT = [
    pytest.param(("run", "--list", *FEW), id="list"),
    pytest.param(("run", "--no-config", "reference", *FEW), id="no-config"),
    pytest.param(("run", "urllib", *FEW), id="named"),
    pytest.param(("baseline", "create", "urllib", "-o", "b.json", *FEW), id="baseline-of-a-named-adapter"),
    pytest.param(("baseline", "check", "baseline.json"), id="baseline-check"),
    pytest.param(("repro", "rfc3986-5.4.1-ex-01", "-a", "urllib"), id="repro"),
    pytest.param(("ask", "-a", "urllib", "http://a/"), id="ask"),
    pytest.param(("explain", "http://a/"), id="explain"),
    pytest.param(("generate", "--count", "1"), id="generate"),
    pytest.param(("fuzz", "show", "fuzz-findings"), id="show"),
    pytest.param(("fuzz", "replay", "fuzz-findings"), id="replay"),
    pytest.param(("fuzz", "promote", "fuzz-findings/parse-host-x-1"), id="promote"),
    pytest.param(("fuzz", "run", "urllib", "--cases", "1"), id="fuzz"),
    pytest.param(("adapters", "new", "python"), id="new"),
    pytest.param(("adapters", "doctor", "urllib", "--check", "hello"), id="doctor"),
    pytest.param(("vectors", "fmt", "--check", "--vectors", "corpus"), id="vectors"),
]


@pytest.fixture
def clone(tmp_path, urlconform):
    """A folder that leaves a trace if its adapter is run, or one of its modules imported."""
    urlconform("baseline", "create", "urllib", *FEW, "-o", "baseline.json")
    (tmp_path / "corpus").mkdir()
    trace = "open('PWNED', 'w')\n"
    for name in ("conftest.py", "json.py", "rich.py", "sitecustomize.py", "urllib.py", "planted.py"):
        (tmp_path / name).write_text(trace)
    (tmp_path / "pyproject.toml").write_text("[tool.urlconform]\nadapters = ['exec:touch PWNED']\n")
    finding = tmp_path / "fuzz-findings" / "parse-host-x-1"
    finding.mkdir(parents=True)
    answers = {"exec:touch PWNED": {"kind": "valid"}, "python:planted:answer": {"kind": "rejected"}}
    record = {
        "id": "parse-host-x-1",
        "operation": "parse",
        "spec": "rfc3986",
        "adapters": [*answers],
        "component": "host",
        "input": {"url": "//\\"},
        "answers": answers,
        "origin": {"input": {"url": "//\\"}},
    }
    (finding / "finding.json").write_text(json.dumps(record))
    return tmp_path


@pytest.mark.parametrize("command", RUNNING)
def test_a_command_that_runs_adapters_runs_the_code_of_a_clone(clone, urlconform, command):
    urlconform(*command)
    assert (clone / "PWNED").exists()


@pytest.mark.parametrize("command", INERT)
def test_any_other_command_runs_no_code_of_a_clone(clone, urlconform, command):
    done = urlconform(*command)
    assert "Usage:" not in done.stderr  # the command is not refused
    assert "No such" not in done.stderr
    assert not (clone / "PWNED").exists()


# ---- a hostile current folder

#: Cells that take longer, or need a process of their own. tests/e2e runs all cells as processes.
_NOT_QUICK = {
    *("adapters doctor", "adapters list", "check", "compare", "fuzz run", "generate", "run", "serve"),
    *("vectors adequacy", "vectors export", "vectors lint", "vectors twins"),
}
_QUICK = [name for name, cell in hostile.CELLS.items() if name not in _NOT_QUICK and not cell.before]


def test_every_command_has_a_cell_for_a_hostile_folder():
    assert set(hostile.commands()) == hostile.CELLS.keys()


@pytest.mark.parametrize("name", _QUICK)
def test_commands_run_nothing_of_a_hostile_folder(urlconform, tmp_path, part_of_the_corpus, name):
    cell = hostile.CELLS[name]
    hostile.prepare(tmp_path, part_of_the_corpus)
    hostile.plant(tmp_path)
    done = urlconform(*name.split(), *hostile.words(cell, tmp_path), stdin=cell.stdin)
    assert hostile.ran(tmp_path) == []
    assert done.returncode == cell.code, done.stderr
