"""Commands with defaults in [tool.urlconform]: what they take from it, and `run --gate` without any."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit

ONE = ("--spec", "1808", "--section", "5.1")
NAMED = '[tool.urlconform]\nadapters = ["reference"]\n'
TABLE = '[tool.urlconform]\nspec = ["1808"]\n'
OTHER = '[project]\nname = "x"\n'
URLLIB = 'adapters = ["urllib"]\nspec = ["1808"]\nsection = ["5.2"]\nbaseline = "b.json"\n'


@pytest.fixture
def write(tmp_path):
    """Writes each pyproject.toml by its folder, the current one or those below it."""

    def write(files):
        for folder, text in files.items():
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / "pyproject.toml").write_text(text, "utf-8")

    return write


#: The files, further words, and where an adapter was looked for.
LACKING = [
    pytest.param({}, (), "no pyproject.toml in {here} or above it", id="no-file"),
    pytest.param({".": OTHER}, (), "no [tool.urlconform] in {here}/pyproject.toml;", id="no-table"),
    pytest.param({".": TABLE}, (), "{here}/pyproject.toml: [tool.urlconform] has no adapters", id="no-key"),
    pytest.param({".": NAMED}, ("--no-config",), "--no-config ignores [tool.urlconform]", id="ignored"),
    pytest.param({}, ("--baseline", "x.json"), "no pyproject.toml in {here}", id="baseline"),
    pytest.param({}, ("--list",), "no pyproject.toml in {here}", id="list"),
]


@pytest.mark.parametrize(("files", "words", "where"), LACKING)
def test_a_gate_without_an_adapter_is_wrong_use(urlconform, write, tmp_path, files, words, where):
    write(files)
    done = urlconform("run", "--gate", *ONE, *words)
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("urlconform: --gate needs an ADAPTER: ")
    assert where.format(here=tmp_path) in line
    assert line.endswith(
        "; name one here, or in adapters of [tool.urlconform] in pyproject.toml (see urlconform run --help)"
    )


def test_every_file_that_was_read_is_named(urlconform, write, tmp_path):
    write({".": OTHER, "below": OTHER})
    done = urlconform("run", "--gate", cwd=tmp_path / "below")
    assert done.returncode == Exit.USAGE
    assert f"in {tmp_path}/below/pyproject.toml, {tmp_path}/pyproject.toml;" in done.stderr


#: The file, what names an adapter, and the code.
NAMING = [
    pytest.param("", ("reference",), Exit.PASSED, id="named"),
    pytest.param("", ("urllib",), Exit.FAILED, id="named-and-wrong"),
    pytest.param(NAMED, (), Exit.PASSED, id="configured"),
    pytest.param(NAMED, ("--list",), Exit.PASSED, id="configured-list"),
    pytest.param(NAMED, ("--no-config", "reference"), Exit.PASSED, id="ignored-and-named"),
]


@pytest.mark.parametrize(("text", "words", "code"), NAMING)
def test_a_gate_with_an_adapter_is_a_run(urlconform, write, text, words, code):
    write({".": text} if text else {})
    assert urlconform("run", "--gate", *ONE, *words).returncode == code


def test_a_baseline_is_that_of_its_adapter(configure, urlconform, tmp_path):
    """The configured baseline applies to the configured adapter, from every folder below, and to no other."""
    configure(URLLIB)
    missing = urlconform("run")
    assert (missing.returncode, missing.stderr.count("\n")) == (Exit.INVALID_FILE, 1)
    assert "b.json: no such file; urlconform baseline create makes one" in missing.stderr
    made = urlconform("baseline", "create", "urllib", "-o", "b.json")
    assert (made.returncode, "(rfc1808)" in made.stdout) == (0, True)
    assert urlconform("run").returncode == 0
    assert urlconform("run", "reference").stderr == ""
    (tmp_path / "below").mkdir()
    done = urlconform("run", cwd=tmp_path / "below")
    assert (done.returncode, "(../b.json)" in done.stderr) == (0, True)


def test_a_configured_adapter_runs_beside_its_file(configure, urlconform, tmp_path):
    """An adapter of the command line is looked up in the current folder instead."""
    configure('adapters = ["exec:sh f.sh"]')
    (tmp_path / "f.sh").write_text("exit 1\n", "ascii")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "f.sh").write_text("exit 3\n", "ascii")
    for words, code in ((), Exit.FAILED), (("exec:sh f.sh",), Exit.NOTHING_RAN):
        done = urlconform("run", *words, "--spec", "1808", "-k", "5.1-segment", cwd=tmp_path / "below")
        assert done.returncode == code, done.stderr


@pytest.mark.parametrize("adapters", ["[]", '["urllib", "reference"]'], ids=["none", "two"])
def test_a_baseline_needs_one_adapter(configure, urlconform, adapters):
    configure(f"adapters = {adapters}")
    done = urlconform("baseline", "create", "-o", "b.json")
    assert (done.returncode, done.stderr.count("\n")) == (Exit.USAGE, 1)
    assert "no adapter and no results file is given, and [tool.urlconform] does not have exactly one" in (
        done.stderr
    )


#: A configured report, and what `run` says about it.
REPORTS = {
    "folder": ('report = { html = "no/such/x" }', "no/such: no such directory"),
    "format": ('report = { pdf = "x" }', "'pdf=x' is not FORMAT=FILE"),
    "folder-in-place-of-a-file": ('report = { junit = "." }', "is a directory"),
    "same-file-twice": ('report = { html = "x", junit = "x" }', "another report is written to it"),
}


@pytest.mark.parametrize(("report", "words"), REPORTS.values(), ids=REPORTS)
def test_a_baseline_ignores_configured_reports(configure, urlconform, tmp_path, report, words):
    path = configure(URLLIB + report)
    made = urlconform("baseline", "create", "-o", "b.json")
    assert (made.returncode, made.stderr) == (Exit.PASSED, "")
    assert {one.name for one in tmp_path.iterdir()} == {"pyproject.toml", "b.json"}
    refused = urlconform("run")
    assert refused.returncode == Exit.USAGE
    assert refused.stderr.startswith(f"urlconform: {path}: [tool.urlconform] report: ")
    assert words in refused.stderr
