"""Shared options: bounds, defaults from [tool.urlconform], and what a proposed command repeats."""

from __future__ import annotations

import re

import pytest

from urlharness.exitcodes import Exit

SECTION_5_1 = ("--spec", "1808", "--section", "5.1")
NAMED = 'adapters = ["reference"]'
PAIR = 'adapters = ["reference", "node-url"]'
URLLIB = 'adapters = ["urllib"]\nspec = ["1808"]\nsection = ["5.2"]\nbaseline = "b.json"\n'
#: Required vectors of that section that urllib answers wrongly, as most of its versions do.
FAILURES_OF_URLLIB = 7


@pytest.mark.parametrize("seconds", ["0", "-1", "inf", "1000001"])
def test_seconds_have_bounds(urlconform, seconds):
    done = urlconform("run", "--timeout", seconds)
    assert done.stderr.count("\n") == 1
    assert "is not in the range 0.001<=x<=1000000" in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("nan", "'nan' is not a number of seconds", id="not-a-number"),
        pytest.param("x", "'x' is not a valid float range", id="no-digits"),
    ],
)
def test_seconds_are_a_number(urlconform, text, message):
    done = urlconform("run", "--timeout", text)
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert done.returncode == Exit.USAGE


#: The table, the typed options, and the options of the proposed command.
OPTIONS = [
    pytest.param("strict = true", "", "--strict", id="configured"),
    pytest.param("strict = true", "--no-strict", "--no-strict", id="not-as-configured"),
    pytest.param("", "", "", id="defaults"),
    pytest.param("timeout = 20\njobs = 2", "", "--timeout 20 --jobs 2", id="limits"),
    pytest.param("timeout = 20", "--timeout 5", "--timeout 5", id="limit-not-as-configured"),
    pytest.param(
        "", "--total-timeout 600 --start-timeout 9.5", "--start-timeout 9.5 --total-timeout 600",
        id="limits-typed",
    ),
    pytest.param('tier = ["complete"]', "--tier core", "--tier core", id="tier-not-as-configured"),
    pytest.param('origin = ["human"]', "", "--origin human", id="origin"),
    pytest.param('fail-on = ["may"]', "--fail-on example", "--fail-on example", id="level"),
    pytest.param("strict = true", "--no-config --spec 1808 --section 5.1", "--no-config", id="no-config"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "typed", "options"), OPTIONS)
def test_a_proposed_command_repeats_the_options(urlconform, configure, table, typed, options):
    """A default that was typed is repeated, because the configuration may set another value."""
    configure(f'spec = ["1808"]\nsection = ["5.1"]\n{table}')
    ran = urlconform("run", "urllib", *typed.split())
    (line,) = re.findall(r"^  accept: (.*), then --baseline baseline\.json$", ran.stderr, re.MULTILINE)
    words = ["urlconform baseline create urllib --spec rfc1808 --section 5.1", *options.split()]
    assert line == " ".join([*words, "-o baseline.json"])


@pytest.mark.parametrize(
    ("table", "option", "note"),
    [
        pytest.param(NAMED, "--no-config", "", id="ignored"),
        pytest.param('spec = ["1808"]', "--list", "; {path} does not set it", id="no-adapters"),
    ],
)
def test_a_gate_without_an_adapter_is_wrong_use(urlconform, configure, table, option, note):
    path = configure(table)
    done = urlconform("run", "--gate", *SECTION_5_1, option)
    assert done.stdout == ""
    assert done.returncode == Exit.USAGE
    why = (
        "--gate needs an ADAPTER: give one here, or set `adapters` in [tool.urlconform] of pyproject.toml, "
        "or urlconform.toml"
    )
    assert done.stderr == f"urlconform: {why}{note.format(path=path)} (see urlconform run --help)\n"


#: The file, the arguments, and the exit code.
NAMING = [
    pytest.param("", ("reference",), Exit.PASSED, id="named"),
    pytest.param("", ("urllib",), Exit.FAILED, id="named-and-wrong"),
    pytest.param(NAMED, (), Exit.PASSED, id="configured"),
    pytest.param(NAMED, ("--list",), Exit.PASSED, id="configured-list"),
    pytest.param(NAMED, ("--no-config", "reference"), Exit.PASSED, id="ignored-and-named"),
]


@pytest.mark.parametrize(("text", "words", "code"), NAMING)
def test_a_gate_with_an_adapter_is_a_run(urlconform, configure, text, words, code):
    configure(text)
    assert urlconform("run", "--gate", *SECTION_5_1, *words).returncode == code


#: The file, and the arguments of a gate that needs node-url, which is not installed.
MISSING = [
    pytest.param("", ("--gate", "reference", "node-url"), id="named"),
    pytest.param("", ("--gate", "node-url"), id="named-alone"),
    pytest.param("", ("--gate", "urllib", "node-url"), id="named-beside-a-failure"),
    pytest.param(PAIR, ("--gate",), id="configured"),
]


@pytest.mark.parametrize(("text", "words"), MISSING)
def test_an_adapter_that_is_not_installed_fails_a_gate_that_names_it(urlconform, configure, text, words):
    configure(text)
    done = urlconform("run", *SECTION_5_1, *words, env={"PATH": "/nowhere"})
    assert "\n  accept: --allow-missing\n" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


#: The file, the arguments, and the exit code, which is that of the other adapters.
NOT_NEEDED = [
    pytest.param(PAIR, ("--gate", "reference"), Exit.PASSED, id="configured-but-another-is-named"),
    pytest.param("", ("--gate", "--allow-missing", "reference", "node-url"), Exit.PASSED, id="allowed"),
    pytest.param(PAIR, ("--gate", "--allow-missing"), Exit.PASSED, id="configured-and-allowed"),
    pytest.param("", ("--gate", "--allow-missing", "urllib", "node-url"), Exit.FAILED, id="allowed-failure"),
    pytest.param("", ("--gate", "--allow-missing", "node-url"), Exit.NOTHING_RAN, id="allowed-alone"),
    pytest.param("", ("reference", "node-url"), Exit.PASSED, id="no-gate"),
    pytest.param("", ("node-url",), Exit.NOTHING_RAN, id="no-gate-alone"),
    pytest.param("", (), Exit.PASSED, id="survey"),
]


@pytest.mark.parametrize(("text", "words", "code"), NOT_NEEDED)
def test_an_adapter_that_is_not_installed_fails_no_other_run(urlconform, configure, text, words, code):
    """It may be missing, is not named, or there is no gate."""
    configure(text)
    done = urlconform("run", *SECTION_5_1, *words, env={"PATH": "/nowhere"})
    assert "accept: --allow-missing" not in done.stderr
    assert done.returncode == code


def test_a_configured_baseline_that_is_missing_is_an_error(configure, urlconform):
    configure(URLLIB)
    done = urlconform("run")
    assert done.stderr.count("\n") == 1
    assert "b.json: no such file or directory; create it with urlconform baseline create" in done.stderr
    assert done.returncode == Exit.INVALID_FILE


@pytest.fixture
def with_baseline(configure, urlconform):
    """A configured adapter with its baseline b.json."""
    configure(URLLIB)
    process = urlconform("baseline", "create", "urllib", "-o", "b.json")
    assert "(rfc1808)" in process.stdout
    assert process.returncode == Exit.PASSED


@pytest.mark.usefixtures("with_baseline")
def test_a_configured_adapter_is_judged_by_its_configured_baseline(urlconform):
    done = urlconform("run")
    assert (
        f"urlconform: urllib: passed; {FAILURES_OF_URLLIB} known failures, all in the baseline" in done.stderr
    )
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("with_baseline")
def test_an_adapter_that_is_not_configured_is_not_judged_by_the_configured_baseline(urlconform):
    done = urlconform("run", "reference")
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("with_baseline")
def test_a_configured_baseline_is_found_from_folders_below(urlconform, tmp_path):
    (tmp_path / "below").mkdir()
    done = urlconform("run", cwd=tmp_path / "below")
    assert "(../b.json)" in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize(
    ("names", "code"),
    [
        pytest.param((), Exit.FAILED, id="configured"),
        pytest.param(("exec:sh f.sh",), Exit.NOTHING_RAN, id="named"),
    ],
)
def test_a_configured_adapter_runs_beside_its_file_and_a_named_one_here(
    configure, urlconform, tmp_path, names, code
):
    """The program beside the file refuses every text; that of the current folder answers nothing."""
    configure('adapters = ["exec:sh f.sh"]')
    (tmp_path / "f.sh").write_text("exit 1\n", "ascii")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "f.sh").write_text("exit 3\n", "ascii")
    done = urlconform("run", *names, "--spec", "1808", "-k", "5.1-segment", cwd=tmp_path / "below")
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize("adapters", ["[]", '["urllib", "reference"]'], ids=["none", "two"])
def test_a_baseline_needs_one_adapter(configure, urlconform, adapters):
    configure(f"adapters = {adapters}")
    done = urlconform("baseline", "create", "-o", "b.json")
    assert done.stderr.count("\n") == 1
    assert "no adapter and no results file is given, and no configuration names exactly one" in done.stderr
    assert done.returncode == Exit.USAGE


#: A configured report that `run` refuses, and a part of its message.
REPORTS = {
    "folder": ('report = { html = "no/such/x" }', "no/such: no such directory"),
    "format": ('report = { pdf = "x" }', "'pdf=x' is not FORMAT=FILE"),
    "folder-in-place-of-a-file": ('report = { html = "." }', "is a directory"),
    "same-file-twice": ('report = { html = "x", junit = "x" }', "another report is written to this file"),
}


@pytest.mark.parametrize(("report", "words"), REPORTS.values(), ids=REPORTS)
def test_a_run_refuses_a_configured_report_that_cannot_be_written(configure, urlconform, report, words):
    path = configure(URLLIB + report)
    done = urlconform("run")
    assert done.stderr.startswith(f"urlconform: {path}: [tool.urlconform] report: ")
    assert words in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize("report", [report for report, _ in REPORTS.values()], ids=REPORTS)
def test_a_baseline_ignores_configured_reports(configure, urlconform, tmp_path, report):
    configure(URLLIB + report)
    done = urlconform("baseline", "create", "-o", "b.json")
    assert done.stderr == ""
    assert done.returncode == Exit.PASSED
    assert {path.name for path in tmp_path.iterdir()} == {"pyproject.toml", "b.json"}


# A project that someone else has made.

#: Reports that a configuration must not write.
OUTSIDE = [
    pytest.param('junit = "../victim"', id="above"),
    pytest.param('html = "../new.html"', id="above-new"),
    pytest.param('json = "below/../../victim"', id="through"),
    pytest.param('markdown = "{victim}"', id="absolute"),
    pytest.param('markdown = "link"', id="link"),
    pytest.param('badge = "folder/x.json"', id="linked-folder"),
    pytest.param('badge = "folder"', id="linked-folder-of-badges"),
]


@pytest.fixture
def victim(tmp_path):
    """A file beside the project, which no report may overwrite."""
    path = tmp_path / "victim"
    path.write_text("theirs")
    return path


@pytest.fixture
def project_with_report(tmp_path, victim, report):
    """A project whose configuration has a report, and links that lead out of the project."""
    project = tmp_path / "project"
    (project / "below").mkdir(parents=True)
    (project / "link").symlink_to(victim)
    (project / "folder").symlink_to(tmp_path)
    table = f"[tool.urlconform]\nadapters = ['reference']\nreport = {{ {report.format(victim=victim)} }}\n"
    (project / "pyproject.toml").write_text(table)
    return project


@pytest.mark.parametrize("report", OUTSIDE)
def test_a_configured_report_beyond_the_folder_of_the_file_is_a_usage_error(urlconform, project_with_report):
    done = urlconform("run", *SECTION_5_1, cwd=project_with_report)
    (line,) = done.stderr.splitlines()
    assert f"{project_with_report}/pyproject.toml: [tool.urlconform] report: " in line
    assert "is written below" in line
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize("report", OUTSIDE)
def test_a_configured_report_beyond_the_folder_of_the_file_is_not_written(
    urlconform, project_with_report, victim, tmp_path
):
    before = sorted(tmp_path.iterdir())
    assert urlconform("run", *SECTION_5_1, cwd=project_with_report).returncode == Exit.USAGE
    assert victim.read_text() == "theirs"
    assert sorted(tmp_path.iterdir()) == before


#: Reports that a configuration may write, and the file that is written.
BELOW = [
    pytest.param('junit = "a.xml"', "a.xml", id="beside"),
    pytest.param('junit = "below/a.xml"', "below/a.xml", id="below"),
    pytest.param('junit = "below/../a.xml"', "a.xml", id="through"),
    pytest.param('junit = "{project}/a.xml"', "a.xml", id="absolute"),
    pytest.param('badge = "."', "reference/rfc1808.json", id="folder-of-badges"),
]


@pytest.mark.parametrize(("report", "written"), BELOW)
def test_a_configured_report_below_the_folder_of_the_file_is_written(urlconform, tmp_path, report, written):
    (tmp_path / "below").mkdir()
    table = f"[tool.urlconform]\nadapters = ['reference']\nreport = {{ {report.format(project=tmp_path)} }}\n"
    (tmp_path / "pyproject.toml").write_text(table)
    assert urlconform("run", *SECTION_5_1, cwd=tmp_path / "below").returncode == Exit.PASSED
    assert (tmp_path / written).is_file()


@pytest.fixture
def run_below(configure, urlconform, tmp_path):
    """A function that runs a command in a folder below that of the configuration, and returns stderr."""
    configure("adapters = ['reference']")
    (tmp_path / "below").mkdir()
    return lambda *command: urlconform(*command, cwd=tmp_path / "below", env={"PATH": "/nowhere"}).stderr


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("run", *SECTION_5_1), id="run"),
        pytest.param(("run", "--list", *SECTION_5_1), id="list"),
        pytest.param(("baseline", "create", "-o", "b.json", *SECTION_5_1), id="baseline"),
    ],
)
def test_adapters_of_a_file_above_are_announced(run_below, tmp_path, command):
    path = tmp_path / "pyproject.toml"
    assert f"urlconform: the adapters are those of [tool.urlconform] in {path}" in run_below(*command)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("run", "reference", *SECTION_5_1), id="named"),
        pytest.param(("run", "--no-config", *SECTION_5_1), id="ignored"),
    ],
)
def test_a_file_above_is_not_announced_where_its_adapters_are_not_taken(run_below, command):
    assert "the adapters are those of" not in run_below(*command)


def test_adapters_of_a_file_in_the_current_folder_are_not_announced(configure, urlconform):
    configure("adapters = ['reference']")
    assert urlconform("run", *SECTION_5_1).stderr == ""
