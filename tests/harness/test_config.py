"""`[tool.urlconform]`: find, read, check."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from urlharness.adapters.registry import find
from urlharness.cli.judge.run import run
from urlharness.config import Configuration, ConfigurationError, ConfigurationFile, find_configuration
from urlharness.exitcodes import Exit

PLAIN = 'adapters = ["reference"]\nspec = ["1808"]\nsection = ["5.1"]\n'


@pytest.fixture
def write(tmp_path):
    """Return a function that writes the table of a pyproject.toml in a folder below the working one."""

    def write_table(text: str, folder: str = ".") -> Path:
        path = tmp_path / folder / "pyproject.toml"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(f"[tool.urlconform]\n{text}\n", "utf-8")
        return path

    return write_table


#: A table with every key, each different from its default.
EVERY_KEY = """
adapters = ["urllib", "jsonl:./x --y=1"]
spec = ["rfc1808", "3986"]
section = ["5"]
rule = ["URI"]
flag = ["security"]
origin = ["human"]
tier = ["core", "complete"]
vectors = "corpus"
baseline = { urllib = "a.json", "jsonl:./x --y=1" = "/b.json" }
policy = { permitted-set = "listed", R-2396-18 = "error" }
fail-on = ["compliance", "may"]
strict = true
maxfail = 3
timeout = 2
start-timeout = 2.5
total-timeout = 600
jobs = 2
report = { html = "x.html" }
"""

#: What is read from that table.
EVERY_FIELD = Configuration(
    adapters=("urllib", "jsonl:./x --y=1"),
    spec=("rfc1808", "3986"),
    section=("5",),
    rule=("URI",),
    flag=("security",),
    origin=("human",),
    tier=("core", "complete"),
    vectors="corpus",
    baseline={"urllib": "a.json", "jsonl:./x --y=1": "/b.json"},
    policy={"permitted-set": "listed", "R-2396-18": "error"},
    fail_on=("compliance", "may"),
    strict=True,
    maxfail=3,
    timeout=2.0,
    start_timeout=2.5,
    total_timeout=600.0,
    jobs=2,
    report={"html": "x.html"},
)


def test_every_key_of_the_table_is_read(write):
    path = write(EVERY_KEY)
    assert find_configuration(path.parent) == ConfigurationFile(path, EVERY_FIELD)


@pytest.mark.parametrize("key", Configuration.__struct_fields__)
def test_the_table_with_every_key_sets_it_to_another_value_than_its_default(key):
    """If a key had its default, the test above would not notice that it is not read."""
    assert getattr(EVERY_FIELD, key) != getattr(Configuration(), key)


def test_the_configuration_of_the_nearest_folder_above_applies(write, tmp_path):
    write(PLAIN)
    path = write('adapters = ["urllib"]', "a")
    (tmp_path / "a" / "b").mkdir()
    assert find_configuration(tmp_path / "a" / "b").path == path


def test_a_nearer_pyproject_without_the_table_is_skipped(write, tmp_path):
    path = write(PLAIN)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n", "utf-8")
    assert find_configuration(tmp_path / "a").path == path


@pytest.fixture
def write_own(tmp_path):
    """Return a function that writes a urlconform.toml in a folder below the working one."""

    def write_file(text: str, folder: str = ".") -> Path:
        path = tmp_path / folder / "urlconform.toml"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, "utf-8")
        return path

    return write_file


def test_an_own_file_has_the_keys_of_the_table_at_its_top_level(write, write_own):
    in_table = find_configuration(write(PLAIN, "a").parent)
    path = write_own(PLAIN, "b")
    assert find_configuration(path.parent) == ConfigurationFile(path, in_table.configuration)


@pytest.mark.parametrize("nearest_is_own", [True, False], ids=["own-file", "table"])
def test_the_nearest_of_an_own_file_and_a_table_counts(write, write_own, nearest_is_own):
    nearest, farther = (write_own, write) if nearest_is_own else (write, write_own)
    farther(PLAIN)
    path = nearest('adapters = ["urllib"]', "a")
    assert find_configuration(path.parent).path == path


def test_an_own_file_beside_a_pyproject_without_the_table_counts(write_own, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", "utf-8")
    path = write_own(PLAIN)
    assert find_configuration(tmp_path).path == path


def test_two_configurations_of_one_folder_are_an_error_that_names_both(write, write_own, tmp_path):
    path = write(PLAIN)
    write_own(PLAIN)
    with pytest.raises(ConfigurationError) as error:
        find_configuration(tmp_path)
    words = "[tool.urlconform] and urlconform.toml configure the same folder; keep one of them"
    assert str(error.value) == f"{path}: {words}"


def test_two_configurations_above_the_nearest_one_are_no_error(write, write_own):
    write(PLAIN)
    write_own(PLAIN)
    path = write_own(PLAIN, "a")
    assert find_configuration(path.parent).path == path


def test_the_table_of_a_pyproject_in_an_own_file_is_refused_with_the_place_of_the_keys(write_own):
    path = write_own("[tool.urlconform]\nspec = ['1808']")
    with pytest.raises(ConfigurationError, match=re.escape(f"{path}: the keys stand at top level")):
        find_configuration(path.parent)


def test_an_error_in_an_own_file_names_the_file_alone(write_own):
    path = write_own("colour = 1")
    with pytest.raises(ConfigurationError, match=re.escape(f"{path}: unknown key 'colour'; the keys are ")):
        find_configuration(path.parent)


def test_the_search_for_a_configuration_begins_in_the_current_folder(write, tmp_path, monkeypatch):
    path = write(PLAIN)
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert find_configuration().path == path


def test_a_folder_without_a_configuration_has_none(tmp_path):
    assert find_configuration(tmp_path) is None


def test_a_tool_entry_that_is_no_table_is_no_configuration(tmp_path):
    (tmp_path / "pyproject.toml").write_text("tool = 3\n", "utf-8")
    assert find_configuration(tmp_path) is None


def test_paths_are_relative_to_the_file(write, tmp_path, monkeypatch):
    configuration = find_configuration(write('adapters = ["urllib"]\nbaseline = "ci/b.json"').parent)
    below = tmp_path / "a"
    below.mkdir()
    monkeypatch.chdir(below)
    assert configuration.baseline_paths() == {"urllib": "../ci/b.json"}


def test_an_absolute_path_of_a_configuration_is_kept(write):
    configuration = find_configuration(write(PLAIN).parent)
    assert configuration.resolve("/x") == "/x"


#: The table, and words of the error after the name of the file.
REFUSED = [
    ("adaptors = []", "unknown key 'adaptors'; the keys are adapters, "),
    ("fail_on = []", "unknown key 'fail_on'; the keys are "),
    ('adapters = "urllib"', "Expected `array`, got `str` - at `$.adapters`"),
    ('spec = ["rfc9"]', "spec: unknown 'rfc9'; expected one of rfc1738, rfc1808, rfc2396, rfc2732, rfc3986"),
    ('flag = ["x"]', "flag: unknown 'x'; expected one of security, "),
    ('origin = ["x"]', "origin: unknown 'x'; expected one of human, mutant, twin, derived"),
    ('tier = ["x"]', "tier: unknown 'x'; expected one of core, complete, bytes, k1, resolution"),
    ('fail-on = ["x"]', "fail-on: unknown 'x'; expected one of grammar, "),
    ("strict = 1", "Expected `bool | null`, got `int` - at `$.strict`"),
    ("timeout = 0", "Expected `float` >= 0.001 - at `$.timeout`"),
    ("timeout = inf", "Expected `float` <= 1000000.0 - at `$.timeout`"),
    ("total-timeout = nan", "Expected `float` >= 0.001 - at `$.total-timeout`"),
    ('timeout = "5"', "got `str` - at `$.timeout`"),
    ("jobs = 0", "Expected `int` >= 1 - at `$.jobs`"),
    ("maxfail = 1.5", "got `float` - at `$.maxfail`"),
    ('policy = ["x"]', "Expected `object`, got `array` - at `$.policy`"),
    (
        'policy = { permitted-set = "x" }',
        "policy.permitted-set: unknown 'x'; expected one of ignore, answered, listed, ",
    ),
    (
        'baseline = "b.json"',
        "baseline: a single file is allowed only with one adapter; for several, use { NAME = FILE",
    ),
    ('adapters = ["urllib"]\nbaseline = { lib = "x" }', "baseline: unknown 'lib'; expected one of urllib"),
    ('baseline = { lib = "x" }', "baseline: unknown 'lib'; no adapter is configured"),
    ("report = 1", "Expected `object`, got `int` - at `$.report`"),
    ("x", "Expected '=' after a key"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[text.splitlines()[-1] for text, _ in REFUSED])
def test_an_error_names_file_and_key(write, text, words):
    path = write(text)
    with pytest.raises(ConfigurationError) as raised:
        find_configuration(path.parent)
    assert str(raised.value).startswith(str(path))
    assert words in str(raised.value)


BROKEN = [
    pytest.param(b"\xff", "'utf-8' codec can't decode byte 0xff in position 0", id="not-utf-8"),
    pytest.param(b"a = " + b"[" * 100_000, "nested too deeply", id="nested"),
]


@pytest.mark.parametrize(("octets", "words"), BROKEN)
def test_a_file_that_cannot_be_read_is_an_error(tmp_path, octets, words):
    (tmp_path / "pyproject.toml").write_bytes(octets)
    with pytest.raises(ConfigurationError) as caught:
        find_configuration(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'pyproject.toml'}: {words}")


def test_an_entry_of_urlconform_that_is_no_table_is_an_error(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool]\nurlconform = 3\n", "utf-8")
    with pytest.raises(ConfigurationError) as caught:
        find_configuration(tmp_path)
    assert str(caught.value) == f"{path}: [tool.urlconform] must be a table"


#: What only a command can check.
UNKNOWN = [
    ('adapters = ["nope"]', "adapters: no adapter named 'nope'; choose from reference, "),
    ('report = { pdf = "x" }', "report: 'pdf=x' is not FORMAT=FILE; the formats are json, "),
    ('report = { html = "no/such/x" }', "report: no/such: no such directory"),
    ('vectors = "none"', "vectors: none: no such file or directory"),
    ('policy = { nope = "x" }', "policy: nope is not a binding, nor a class, ruling or vector"),
    ('policy = { R-2396-18 = "x" }', "policy: R-2396-18=x: no such answer; choose from error, "),
    ("zzz = 1", "unknown key 'zzz'; the keys are "),
]


@pytest.mark.parametrize(("text", "words"), UNKNOWN, ids=[text for text, _ in UNKNOWN])
def test_a_value_that_the_command_does_not_know_is_an_error(write, monkeypatch, text, words):
    path = write(text)
    monkeypatch.chdir(path.parent)
    names = {"help_option_names": ["-h", "--help"]}
    with run.make_context("run", ["--list"], **names) as context, pytest.raises(ConfigurationError) as caught:
        run.invoke(context)
    assert str(caught.value).startswith(f"{path}: [tool.urlconform]")
    assert words in str(caught.value)


def test_a_wrong_configuration_ends_the_command(write, urlconform):
    path = write("zzz = 1")
    completed = urlconform("run", "--list")
    assert completed.stderr.count("\n") == 1
    assert (
        f"urlconform: {path}: [tool.urlconform]: unknown key 'zzz'; the keys are adapters, "
        in completed.stderr
    )
    assert completed.returncode == Exit.USAGE


def test_no_config_ignores_a_wrong_configuration(write, urlconform):
    write("zzz = 1")
    completed = urlconform("run", "--list", "--no-config")
    assert completed.stderr == ""
    assert completed.returncode == Exit.PASSED


def test_a_run_without_options_uses_the_configuration(write, urlconform, tmp_path):
    write(PLAIN + 'report = { json = "r.jsonl" }\ntimeout = 9\n')
    completed = urlconform("run")
    assert completed.stderr == ""
    assert completed.returncode == Exit.PASSED
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines()]
    assert {line["name"] for line in lines if line["type"] == "implementation"} == {"reference"}
    assert {line["case"]["section"] for line in lines if line["type"] == "vector"} == {"5.1"}


def test_the_command_without_arguments_is_a_run(write, urlconform):
    write(PLAIN)
    assert urlconform().stdout == urlconform("run").stdout


def test_the_configuration_selects_the_listed_cases(write, urlconform, cases_of_section):
    write(PLAIN)
    ids = [case.vector.id for case in cases_of_section("rfc1808", "5.1")]
    assert urlconform("run", "--list").stdout.splitlines() == ids


def test_the_command_line_overrides_the_configuration(write, urlconform):
    write(PLAIN)
    listed = urlconform("run", "--list", "--section", "5.2", "-k", "dot").stdout.splitlines()
    assert listed != []
    assert [name for name in listed if not name.startswith("rfc1808-5.2")] == []


def test_no_config_lists_the_whole_corpus(write, urlconform, corpus):
    write(PLAIN)
    assert len(urlconform("run", "--list", "--no-config").stdout.splitlines()) == len(corpus.cases)


#: An adapter that only its own folder has, as each kind of adapter names it.
ADAPTERS_BESIDE = {
    "python": "python:beside:answer",
    "jsonl": "jsonl:python3 program.py",
    "exec": "exec:./each.sh",
}


FILES_BESIDE = {
    "beside.py": """def answer(question):
    return {"status": "ok", "url": "x:"}
about = {"name": "beside", "version": "1"}
answer.hello = {"implementation": about, "ops": ["resolve"], "specs": ["rfc1808"]}
""",
    "program.py": """import beside, json, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "hello":
        reply = {"type": "hello", "protocol": 1, **beside.answer.hello}
    else:
        reply = {"id": question.get("id", 0), **beside.answer(question)}
    print(json.dumps(reply), flush=True)
""",
    "each.sh": "#!/bin/sh\ncat beside.json\n",
    "beside.json": '{"url": "x:"}\n',
}


#: The kind of the adapter, the command that runs it, and the exit code.
COMMANDS = [
    pytest.param("python", ("run", "--report", "json=r.jsonl"), Exit.FAILED, id="python"),
    pytest.param("jsonl", ("run", "--report", "json=r.jsonl"), Exit.FAILED, id="jsonl"),
    pytest.param("exec", ("run", "--report", "json=r.jsonl"), Exit.FAILED, id="exec"),
    pytest.param("python", ("run", "--jobs", "2", "--report", "json=r.jsonl"), Exit.FAILED, id="jobs"),
    pytest.param("jsonl", ("baseline", "create", "-o", "b.json"), Exit.PASSED, id="baseline"),
]


@pytest.fixture
def run_beside(write, tmp_path, urlconform):
    """Return a function that writes a configuration and an adapter, and runs a command in a folder below."""
    below = tmp_path / "below"
    below.mkdir()
    (below / "beside.py").write_text("raise ImportError('the wrong one')\n", "utf-8")

    def run(kind: str, *arguments: str):
        for name, text in FILES_BESIDE.items():
            (tmp_path / name).write_text(text, "utf-8")
        (tmp_path / "each.sh").chmod(0o755)
        write(f"adapters = ['{ADAPTERS_BESIDE[kind]}']\nspec = ['1808']\nsection = ['5.2']\nrule = []")
        return urlconform(*arguments, cwd=below)

    return run


@pytest.mark.parametrize(("kind", "command", "code"), COMMANDS)
def test_a_configured_adapter_is_found_beside_the_file(run_beside, tmp_path, kind, command, code):
    """From a folder below that has a module of the same name."""
    completed = run_beside(kind, *command)
    assert completed.returncode == code, completed.stderr
    (output,) = (tmp_path / "below").glob("*.json*")
    assert re.search('"url": ?"x:"', output.read_text("utf-8"))


def test_the_current_folder_gets_the_output_of_a_configured_adapter(run_beside, tmp_path):
    run_beside("python", "run", "--report", "json=r.jsonl")
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("r.jsonl")] == ["below/r.jsonl"]


def test_the_folder_of_a_configuration_goes_before_others(tmp_path, monkeypatch):
    """It is moved to the front of the module path if it is already there."""
    other_folder = tmp_path / "other"
    own_folder = tmp_path / "own"
    for folder in (other_folder, own_folder):
        folder.mkdir()
        text = f"def answer(question): return {{}}\nanswer.hello = {{'place': {folder.name!r}}}\n"
        (folder / "in_two_places.py").write_text(text, "utf-8")
    monkeypatch.setattr(sys, "path", [str(other_folder), str(own_folder), *sys.path])
    monkeypatch.delitem(sys.modules, "in_two_places", raising=False)
    hello, _ = find("python:in_two_places:answer", own_folder).load()
    assert hello["place"] == "own"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("python", "ImportError: the wrong one"),
        ("jsonl", "can't open file"),
        ("exec", "./each.sh: no such program"),
    ],
)
def test_an_adapter_of_the_command_line_stays_where_it_is_named(run_beside, kind, words):
    completed = run_beside(kind, "run", ADAPTERS_BESIDE[kind])
    assert words in completed.stderr
    assert completed.returncode == Exit.ADAPTER_DEAD
