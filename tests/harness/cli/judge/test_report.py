"""`urlconform report`: it reads a results file, and does not write it."""

from __future__ import annotations

import json
import re

import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import merge_results, read_results

ONE_VECTOR = ("--spec", "1808", "-k", "5.1-segment")


def test_a_report_does_not_overwrite_its_results(urlconform, tmp_path):
    urlconform("run", "urllib", *ONE_VECTOR, "--report", "json=r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    done = urlconform("report", "r.jsonl", "--report", "html=r.jsonl")
    assert "would overwrite the results file" in done.stderr
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "r.jsonl").read_bytes() == before


def test_json_is_written_by_run_alone(urlconform):
    done = urlconform("report", "r.jsonl", "--report", "json=x")
    assert "json is the results file, which `run` writes" in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.fixture
def jobs(urlconform, tmp_path):
    """The results of two jobs that divide the cases, and of one that asked them all."""
    first = ("--section", "5.1")
    second = ("--section", "2.1")
    for file, selection in {"a.jsonl": first, "b.jsonl": second, "all.jsonl": (*first, *second)}.items():
        urlconform("run", "urllib", "--spec", "1808", *selection, "--quiet", "--report", f"json={file}")
    return tmp_path


def test_the_results_of_several_jobs_are_reported_as_one_run(urlconform, jobs):
    done = urlconform("report", "a.jsonl", "b.jsonl", "--report", "markdown=merged.md")
    urlconform("report", "all.jsonl", "--report", "markdown=all.md")
    assert done.returncode == Exit.PASSED
    assert numbers_of(jobs / "merged.md") == numbers_of(jobs / "all.md")


def numbers_of(page):
    """Return the part of a page of Markdown with the numbers of its run."""
    (numbers,) = re.findall(r"\nAsked: (.*?)\n### ", page.read_text("utf-8"), re.DOTALL)
    return numbers


def changed(path, old, new):
    """Write a copy of a results file without a footer, with a text replaced, and return its name."""
    lines = [line for line in path.read_text("ascii").splitlines() if json.loads(line)["type"] != "footer"]
    text = "".join(f"{line}\n" for line in lines)
    assert old in text
    copy = path.with_name("changed.jsonl")
    copy.write_text(text.replace(old, new), "ascii")
    return copy.name


NOT_TOGETHER = [
    pytest.param("b.jsonl", '"corpus":"', '"corpus":"x', "its corpus is x", id="corpus"),
    pytest.param("b.jsonl", '"urllib"', '"mine"', "its adapters are mine, not urllib", id="adapter"),
    pytest.param(
        "b.jsonl", '"name":"urllib.parse","version":"', '"name":"urllib.parse","version":"9',
        "urllib is urllib.parse 9", id="version",
    ),
    pytest.param(
        "a.jsonl", '"outcome":"pass"', '"outcome":"crash"', "has another result of urllib", id="result",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "why"), NOT_TOGETHER)
def test_results_that_cannot_be_merged_are_one_clear_line(urlconform, jobs, file, old, new, why):
    name = changed(jobs / file, old, new)
    done = urlconform("report", "a.jsonl", name)
    assert done.returncode == Exit.INVALID_FILE
    assert done.stderr.startswith(f"urlconform: {name} cannot be merged with a.jsonl: ")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_third_file_that_cannot_be_merged_is_compared_with_both_others(urlconform, jobs):
    name = changed(jobs / "b.jsonl", '"corpus":"', '"corpus":"x')
    done = urlconform("report", "a.jsonl", "b.jsonl", name)
    assert done.stderr.startswith(f"urlconform: {name} cannot be merged with a.jsonl, b.jsonl: ")


@pytest.mark.parametrize("files", [("cut.jsonl", "b.jsonl"), ("b.jsonl", "cut.jsonl")])
def test_a_file_that_was_cut_short_before_any_adapter_is_named(urlconform, jobs, files):
    (jobs / "cut.jsonl").write_bytes((jobs / "a.jsonl").read_bytes()[:3000])
    lines = (jobs / "cut.jsonl").read_bytes().count(b"\n")
    done = urlconform("report", *files)
    why = f"the file ends in the middle of line {lines + 1}, before any adapter was asked"
    assert done.stderr == f"urlconform: cut.jsonl cannot be merged: {why}\n"
    assert done.returncode == Exit.INVALID_FILE


def test_a_case_of_two_jobs_may_have_taken_different_times(jobs):
    results = read_results(
        jobs / changed(jobs / "a.jsonl", '"outcome":"pass"', '"outcome":"pass","seconds":2')
    )
    assert merge_results({"a": read_results(jobs / "a.jsonl"), "b": results}).of("urllib") == results.of(
        "urllib"
    )


@pytest.mark.usefixtures("jobs")
def test_a_quiet_report_prints_nothing(urlconform):
    done = urlconform("report", "a.jsonl", "--quiet")
    assert done.stdout == ""
    assert done.returncode == Exit.PASSED
