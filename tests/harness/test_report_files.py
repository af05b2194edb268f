"""Where reports are written: every format from a results file, to files, folders and the standard output."""

from __future__ import annotations

import json
import subprocess

import pytest

from urlharness.cli.judge.reports import FORMATS, RENDERED

pytestmark = pytest.mark.once

SELECTION = ("--spec", "1808", "--section", "5.2")

#: What the text of each format begins with.
BEGINNINGS = {
    "html": "<!doctype html>",
    "junit": '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ',
    "markdown": "## ❌ URL conformance: urllib: ",
    "badge": '{\n "urllib": {\n  "rfc1808"',
    "github": "::error title=urllib%3A ",
}


@pytest.fixture(scope="module")
def results(program, environment, tmp_path_factory):
    """The path of the results of a run in which cases fail."""
    path = tmp_path_factory.mktemp("results") / "r.jsonl"
    line = [program, "run", "urllib", *SELECTION, "--report", f"json={path}"]
    assert subprocess.run(line, env=environment, capture_output=True, timeout=60, check=False).returncode == 1
    return str(path)


def test_every_format_is_rendered_from_results_alone(urlconform, results, tmp_path):
    wanted = [word for form in RENDERED for word in ("--report", f"{form}={form}.json")]
    done = urlconform("report", results, *wanted)
    assert (done.returncode, done.stderr) == (0, "")
    assert BEGINNINGS.keys() == set(RENDERED) == set(FORMATS) - {"json"}
    for form, beginning in BEGINNINGS.items():
        text = (tmp_path / f"{form}.json").read_text("utf-8")
        assert text.lower().lstrip().startswith(beginning.lower()), form


@pytest.mark.parametrize("names", [("urllib",), ("urllib", "reference")], ids=["one", "two"])
def test_the_failures_of_one_adapter_are_printed_again(urlconform, names):
    """A file of one is printed as its run was; who was named among several is not in a file of them."""
    run = urlconform("run", *names, *SELECTION, "--report", "json=r.jsonl")
    done = urlconform("report", "r.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "urlconform repro rfc1808-5.2-" in run.stdout
    assert ("urlconform repro" in done.stdout) is (len(names) == 1)
    assert (done.stdout == run.stdout) is (len(names) == 1)
    assert run.stdout.startswith(done.stdout)


def test_badges_of_a_folder(urlconform, results, tmp_path):
    assert urlconform("report", results, "--report", "badge=badges").returncode == 0
    # again, into the folder that is there by now
    assert urlconform("report", results, "--report", "badge=badges").returncode == 0
    badge = json.loads((tmp_path / "badges" / "urllib" / "rfc1808-5.2.json").read_text("ascii"))
    assert badge["message"].endswith(" not passed")


@pytest.mark.parametrize("form", sorted({*RENDERED} - {"html", "junit"}))
def test_a_report_that_cannot_be_written(urlconform, results, form):
    done = urlconform("report", results, "--report", f"{form}=/dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in done.stderr


def test_the_standard_output_keeps_what_it_has(program, environment, results, tmp_path):
    """Redirected to a file, it is not opened anew: the tables, then the reports, whole."""
    log = tmp_path / "log"
    line = [program, "report", results]
    line += ["--report", "github=/dev/stdout", "--report", "markdown=/dev/stdout"]
    line += ["--report", "badge=/dev/stdout"]
    with log.open("wb") as stream:
        subprocess.run(line, stdout=stream, cwd=tmp_path, env=environment, check=True, timeout=60)
    text = log.read_text("utf-8")
    places = [
        text.find(part)
        for part in ("Complies with", "\n::error ", "\n::notice ", "\n## ❌ ", '\n "urllib": {\n  "rfc1808"')
    ]
    assert -1 not in places
    assert places == sorted(places)
    assert "\0" not in text


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (("markdown=a", "markdown=b"), "a report of that format is written already"),
        (("markdown=a", "github=a"), "already taken by another report"),
        (("markdown=.",), "is a directory"),
        (("badge=no/such/folder",), "no such directory"),
        (("svg=a",), "with a format of html, junit, markdown, badge, github (see"),
        (("json=a",), "of html, junit, markdown, badge, github; json is the results themselves"),
        (("badge=adapter.txt",), "adapter.txt: is a file; badges are written to a folder"),
        (("badge=folder.json",), "is a directory"),
    ],
)
def test_what_is_refused_before_anything_runs(urlconform, results, tmp_path, wanted, why):
    (tmp_path / "adapter.txt").write_text("mine", "utf-8")
    (tmp_path / "folder.json").mkdir()
    done = urlconform("report", results, *(word for one in wanted for word in ("--report", one)))
    assert done.returncode == 2
    assert why in done.stderr
    assert done.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["adapter.txt", "folder.json"]
    assert (tmp_path / "adapter.txt").read_text("utf-8") == "mine"


#: How the path of a file that is read may be spelled as that of a report.
SPELLINGS = {
    "as it is": lambda file: file.name,
    "roundabout": lambda file: f"../{file.parent.name}/{file.name}",
    "absolute": str,
    "symlink": lambda file: linked(file, file.with_name("soft"), "symlink_to"),
    "hard link": lambda file: linked(file, file.with_name("hard"), "hardlink_to"),
    "folder by a symlink": lambda file: (
        f"{linked(file.parent, file.parent / 'way', 'symlink_to')}/{file.name}"
    ),
}


def linked(target, link, how):
    getattr(link, how)(target)
    return link.name


def refused_over(done, file, words, report):
    """The command was a wrong use, said why in one line, and left the file as it was."""
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert f"'{report}' would be written over {words}" in done.stderr
    assert file.read_bytes() == b"what is read\n"


@pytest.mark.parametrize("folder", [".", "below"])
@pytest.mark.parametrize("configured", [True, False])
def test_no_report_is_written_over_the_configuration(urlconform, results, tmp_path, folder, configured):
    """Which a run has read, or is about to: of this folder and of those above."""
    file, below = tmp_path / "pyproject.toml", tmp_path / folder
    below.mkdir(exist_ok=True)
    report = "pyproject.toml" if folder == "." else "../pyproject.toml"
    table = f'[tool.urlconform]\nreport = {{ junit = "{file}" }}\n' if configured else "[project]\n"
    file.write_text(table, "utf-8")
    options = () if configured else ("--report", f"junit={report}")
    commands = [("run", "urllib", "--spec", "1808", *options)]
    commands += [] if configured else [("report", results, *options)]
    for command in commands:
        done = urlconform(*command, cwd=below)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert "would be written over the configuration of the project" in done.stderr
        assert file.read_text("utf-8") == table


#: Every format with the plain spelling, and two of them with each.
SPELLED = [
    (form, spelled)
    for form in RENDERED
    for spelled in (SPELLINGS if form in ("html", "badge") else ("as it is",))
]


@pytest.mark.parametrize(("form", "spelled"), SPELLED)
def test_no_report_is_written_over_the_results_it_is_made_of(urlconform, tmp_path, spelled, form):
    file = tmp_path / "f.json"
    file.write_text("what is read\n", "ascii")
    report = f"{form}={SPELLINGS[spelled](file)}"
    done = urlconform("report", "f.json", "--report", report)
    if (form, spelled) in {("badge", "symlink"), ("badge", "hard link")}:  # their names do not end in .json
        assert (done.returncode, "badges are written to a folder" in done.stderr) == (2, True)
    else:
        refused_over(done, file, "the results that it is made of", report)


@pytest.mark.parametrize("spelled", SPELLINGS)
@pytest.mark.parametrize(
    ("names", "option", "words"),
    [
        (["urllib"], "--baseline", "the baseline of urllib"),
        (["reference", "urllib"], "--baseline=urllib", "the baseline of urllib"),
        (["urllib"], "--vectors", "the file of --vectors"),
    ],
)
def test_no_report_is_written_over_what_a_run_reads(urlconform, tmp_path, names, option, words, spelled):
    file = tmp_path / "b.json"
    file.write_text("what is read\n", "ascii")
    report = f"markdown={SPELLINGS[spelled](file)}"
    given = [f"{option}=b.json"] if "=" in option else [option, "b.json"]
    refused_over(urlconform("run", *names, *given, "--report", report), file, words, report)


#: An adapter, and the file of it that a report names.
OWN = [
    pytest.param("jsonl:python3 f.py", "f.py", id="jsonl"),
    pytest.param("jsonl:./f.py --x", "f.py", id="program"),
    pytest.param("exec:sh -c './f.py | cat'", "f.py", id="within-a-word"),
    pytest.param("exec:./run --config=sub/f.py", "sub/f.py", id="option"),
    pytest.param("python:f:answer", "f.py", id="module"),
    pytest.param("python:sub.f:answer", "sub/f.py", id="module-of-a-package"),
    pytest.param("python:sub.f:answer", "sub/__init__.py", id="package"),
    pytest.param("python:names.f:answer", "names/f.py", id="namespace"),
]


@pytest.mark.parametrize("spelled", ["as it is", "symlink"])
@pytest.mark.parametrize("form", ["json", "markdown"])
@pytest.mark.parametrize(("name", "file"), OWN)
def test_no_report_is_written_over_an_adapter(urlconform, tmp_path, name, file, form, spelled):
    """Nor is anything of it run."""
    for path in ("f.py", "sub/__init__.py", "sub/f.py", "names/f.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("what is read\n", "ascii")
    own = tmp_path / file
    report = f"{form}={file if spelled == 'as it is' else linked(own, tmp_path / 'soft', 'symlink_to')}"
    done = urlconform("run", "urllib", name, "-k", "segment", "--report", "html=x.html", "--report", report)
    refused_over(done, own, f"a file of {name}", report)
    assert not (tmp_path / "x.html").exists()


def test_a_configured_adapter_is_not_written_over_either(program, environment, tmp_path):
    """Its words are those of its own folder; a file of that name in the current one may be written."""
    below = tmp_path / "below"
    below.mkdir()
    for path in (tmp_path, below):
        (path / "f.py").write_text("what is read\n", "ascii")
    (tmp_path / "pyproject.toml").write_text("[tool.urlconform]\nadapters = ['exec:cat f.py']\n", "ascii")

    def run(report):
        line = [program, "run", "-k", "segment", "--report", report]
        return subprocess.run(line, cwd=below, env=environment, capture_output=True, text=True, check=False)

    refused_over(run("markdown=../f.py"), tmp_path / "f.py", "a file of exec:cat f.py", "markdown=../f.py")
    assert run("markdown=f.py").returncode == 1
    assert "URL conformance" in (below / "f.py").read_text("utf-8")
    assert (tmp_path / "f.py").read_bytes() == b"what is read\n"


def test_results_are_not_written_over_a_baseline_either(urlconform, tmp_path):
    file = tmp_path / "b.json"
    file.write_text("what is read\n", "ascii")
    done = urlconform("run", "urllib", "--baseline", "b.json", "--report", "json=./b.json")
    refused_over(done, file, "the baseline of urllib", "json=b.json")


def test_two_reports_on_one_file_are_seen_through_their_spelling(urlconform, results, tmp_path):
    (tmp_path / "way").symlink_to(tmp_path)
    done = urlconform("report", results, "--report", "markdown=new", "--report", "github=way/new")
    assert (done.returncode, "way/new: already taken by another report" in done.stderr) == (2, True)
    assert not (tmp_path / "new").exists()


def test_devices_may_be_named_twice(urlconform, results):
    """What goes nowhere, or where the standard output goes, takes nothing from another report."""
    wanted = ("markdown=/dev/stdout", "github=/dev/fd/1", "html=/dev/null")
    done = urlconform("report", results, *(word for one in wanted for word in ("--report", one)))
    assert done.returncode == 0


def test_a_pipe_has_a_name(urlconform):
    """A dash is no file; it is said what to write instead, and that is read."""
    done = urlconform("report", "-")
    assert (done.returncode, "from /dev/stdin" in done.stderr) == (2, True)
    piped = urlconform("report", "/dev/stdin", stdin="{}\n")
    assert (piped.returncode, "/dev/stdin: line 1" in piped.stderr) == (6, True)


def test_run_has_json_too(urlconform):
    done = urlconform("run", "urllib", "--report", "svg=a")
    assert done.returncode == 2
    assert "with a format of json, html, junit, markdown, badge, github (see" in done.stderr


def test_the_gate_is_in_the_reports_of_its_run(urlconform, tmp_path):
    """The same results: of the run with what the gate found against a baseline, later without."""
    listing = urlconform("baseline", "create", "urllib", *SELECTION, "-o", "b.json")
    assert listing.returncode == 0, listing.stderr
    reports = [word for form in ("json", "markdown", "github") for word in ("--report", f"{form}={form}")]
    done = urlconform("run", "urllib", *SELECTION, "--baseline", "b.json", *reports)
    assert done.returncode == 0
    first = (tmp_path / "markdown").read_text("utf-8").splitlines()[0]
    assert first.startswith("## ✅ URL conformance: urllib: as the baseline says, ")
    assert "::error" not in (tmp_path / "github").read_text("utf-8")
    urlconform("report", "json", "--report", "markdown=later")
    later = (tmp_path / "later").read_text("utf-8").splitlines()[0]
    assert later.startswith("## ❌ URL conformance: urllib: ")
