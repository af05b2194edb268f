"""`report` and `--report`: the files that reports may be written to."""

from __future__ import annotations

import pytest

ONE = ("--spec", "1808", "-k", "5.1-segment")


@pytest.mark.parametrize(
    ("reports", "words"),
    [
        pytest.param(["pdf=x"], "'pdf=x' is not FORMAT=FILE", id="format"),
        pytest.param(["json=x", "html=./x"], "another report is written to this file", id="one-file"),
        pytest.param(["json=x", "json=y"], "another report of this format is already given", id="one-format"),
        pytest.param(["html=no/x"], "no: no such directory", id="folder"),
        pytest.param(["html=-"], "use /dev/stdout", id="dash"),
        pytest.param(["html=pyproject.toml"], "would overwrite the configuration", id="configuration"),
        pytest.param(["junit=b.json"], "would overwrite the baseline of urllib", id="baseline"),
        pytest.param(["junit=link"], "would overwrite the baseline of urllib", id="link-to-baseline"),
        pytest.param(["junit=v.json"], "would overwrite the file of --vectors", id="vectors"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused(urlconform, tmp_path, reports, words):
    """A bad report is refused before anything runs, and nothing is written."""
    for name in ("b.json", "v.json"):
        (tmp_path / name).write_text("mine", "ascii")
    (tmp_path / "pyproject.toml").write_text("", "ascii")
    (tmp_path / "link").symlink_to("b.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    words_of_reports = [word for report in reports for word in ("--report", report)]
    done = urlconform("run", "urllib", "--baseline", "b.json", "--vectors", "v.json", *words_of_reports)
    assert words in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.returncode == 2, done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_report_does_not_overwrite_its_results(urlconform, tmp_path):
    urlconform("run", "urllib", *ONE, "--report", "json=r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    done = urlconform("report", "r.jsonl", "--report", "html=r.jsonl")
    assert "would overwrite the results file" in done.stderr
    assert done.returncode == 2
    assert (tmp_path / "r.jsonl").read_bytes() == before


def test_json_is_written_by_run_alone(urlconform):
    done = urlconform("report", "r.jsonl", "--report", "json=x")
    assert "json is the results file, which `run` writes" in done.stderr
    assert done.returncode == 2
