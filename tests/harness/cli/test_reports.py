"""The files that the reports of `--report` may be written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from urlharness.cli.reports import ReportTarget, is_stdout, replaced_files, results_file
from urlharness.exitcodes import Exit
from urlharness.report import junit


@pytest.fixture
def folder_with_own_files(tmp_path):
    """The folder of the command, with files that no report may overwrite."""
    for name in ("b.json", "v.json"):
        (tmp_path / name).write_text("mine", "ascii")
    for name in ("pyproject.toml", "urlconform.toml"):
        (tmp_path / name).write_text("", "ascii")
    (tmp_path / "link").symlink_to("b.json")
    return tmp_path


def run_with_reports(urlconform, reports):
    """Run the command with a baseline, with vectors of its own, and with these reports."""
    options = ["--baseline", "b.json", "--vectors", "v.json"]
    for report in reports:
        options += ["--report", report]
    return urlconform("run", "urllib", *options)


#: Reports that are refused together, and a part of the message.
BAD_REPORTS = [
    pytest.param(["pdf=x"], "'pdf=x' is not FORMAT=FILE", id="format"),
    pytest.param(["json=x", "html=./x"], "another report is written to this file", id="one-file"),
    pytest.param(["json=x", "json=y"], "another report of this format is already given", id="one-format"),
    pytest.param(["html=no/x"], "no: no such directory", id="folder"),
    pytest.param(["html=-"], "use /dev/stdout", id="dash"),
    pytest.param(["html=pyproject.toml"], "would overwrite the configuration", id="configuration"),
    pytest.param(["html=urlconform.toml"], "would overwrite the configuration", id="own-configuration"),
    pytest.param(["junit=b.json"], "would overwrite the baseline of urllib", id="baseline"),
    pytest.param(["junit=link"], "would overwrite the baseline of urllib", id="link-to-baseline"),
    pytest.param(["junit=v.json"], "would overwrite the file of --vectors", id="vectors"),
]


@pytest.mark.parametrize(("reports", "words"), BAD_REPORTS)
@pytest.mark.usefixtures("folder_with_own_files")
def test_a_bad_report_is_a_usage_error_of_one_line(urlconform, reports, words):
    done = run_with_reports(urlconform, reports)
    (line,) = done.stderr.splitlines()
    assert words in line
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(("reports", "words"), BAD_REPORTS)
def test_a_bad_report_changes_no_file(urlconform, folder_with_own_files, reports, words):
    before = {path.name: path.read_bytes() for path in folder_with_own_files.iterdir()}
    done = run_with_reports(urlconform, reports)
    assert words in done.stderr
    assert {path.name: path.read_bytes() for path in folder_with_own_files.iterdir()} == before


def test_stdout_is_recognised_by_its_path():
    assert is_stdout(Path("/dev/stdout"))


def test_a_file_is_not_stdout(tmp_path):
    assert not is_stdout(tmp_path / "r.jsonl")


def test_the_badges_in_a_folder_are_replaced(tmp_path):
    badge = tmp_path / "urllib" / "rfc3986.json"
    badge.parent.mkdir()
    badge.touch()
    assert replaced_files({"badge": ReportTarget(tmp_path)}) == [badge]


def test_the_json_report_is_the_results_file(tmp_path):
    report = tmp_path / "r.jsonl"
    assert results_file({"json": ReportTarget(report)}, tmp_path / "scratch") == report


@pytest.mark.parametrize(
    "targets", [{}, {"json": ReportTarget(Path("/dev/null"))}], ids=["no-report", "device"]
)
def test_results_that_cannot_be_read_back_go_to_a_scratch_file(tmp_path, targets):
    assert results_file(targets, tmp_path) == tmp_path / "results.jsonl"


@pytest.fixture
def large_reports(monkeypatch):
    """GitLab takes only 2,000 bytes, and a part has at most 1,500."""
    monkeypatch.setattr(junit, "GITLAB_LIMIT", 2000)
    monkeypatch.setattr(junit, "PART_SIZE", 1500)


RUN = ("run", "urllib", "--spec", "1808", "-k", "5.1-")


@pytest.mark.usefixtures("large_reports")
def test_a_report_that_gitlab_does_not_take_has_a_line(urlconform):
    done = urlconform(*RUN, "--report", "junit=j.xml")
    line = "urlconform: j.xml: 0 MB, and GitLab takes 0 MB; --report junit=FOLDER/ writes parts\n"
    assert line in done.stderr


def test_a_report_that_gitlab_takes_has_no_line(urlconform):
    assert "GitLab" not in urlconform(*RUN, "--report", "junit=j.xml").stderr


@pytest.mark.usefixtures("large_reports")
def test_a_report_to_a_folder_is_written_in_parts(urlconform, tmp_path):
    done = urlconform(*RUN, "--report", "junit=parts/")
    names = sorted(path.name for path in (tmp_path / "parts").iterdir())
    assert names == sorted(f"junit-{number}.xml" for number in range(1, len(names) + 1))
    assert len(names) > 1
    assert "GitLab" not in done.stderr


def test_parts_of_an_earlier_report_are_removed(urlconform, tmp_path):
    (tmp_path / "parts").mkdir()
    for name in ("junit-2.xml", "mine.xml"):
        (tmp_path / "parts" / name).write_text("<x/>", "ascii")
    urlconform(*RUN, "--report", "junit=parts")
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == ["junit-1.xml", "mine.xml"]


@pytest.mark.usefixtures("large_reports")
def test_a_report_in_one_file_leaves_other_files_alone_whatever_its_name(urlconform, tmp_path):
    (tmp_path / "junit-2.xml").write_text("<x/>", "ascii")
    urlconform(*RUN, "--report", "junit=junit-1.xml")
    assert (tmp_path / "junit-2.xml").read_text("ascii") == "<x/>"


def test_a_configured_report_can_be_a_folder(urlconform, tmp_path):
    table = "[tool.urlconform]\nreport = { junit = 'parts/' }\n"
    (tmp_path / "pyproject.toml").write_text(table, "ascii")
    urlconform(*RUN)
    assert (tmp_path / "parts" / "junit-1.xml").is_file()


def test_the_folder_of_the_parts_must_be_in_a_folder(urlconform):
    done = urlconform(*RUN, "--report", "junit=no/parts/")
    assert "no: no such directory" in done.stderr
    assert done.returncode == Exit.USAGE
