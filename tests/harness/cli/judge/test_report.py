"""`urlconform report`: it reads a results file, and does not write it."""

from __future__ import annotations

import json
import re

import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import merge_results, read_results

ONE_VECTOR = ("--spec", "1808", "-k", "5.1-segment")
SECTION_5_2 = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT_ANSWER = {"status": "ok", "url": "http://a/b/c/g."}


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


def numbers_of(page):
    """Return the part of a page of Markdown with the numbers of its run."""
    (numbers,) = re.findall(r"\nAsked: (.*?)\n### ", page.read_text("utf-8"), re.DOTALL)
    return numbers


def test_the_results_of_several_jobs_are_reported_as_one_run(urlconform, jobs):
    done = urlconform("report", "a.jsonl", "b.jsonl", "--report", "markdown=merged.md")
    urlconform("report", "all.jsonl", "--report", "markdown=all.md")
    assert done.returncode == Exit.PASSED
    assert numbers_of(jobs / "merged.md") == numbers_of(jobs / "all.md")


def changed_file(path, old, new):
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
    name = changed_file(jobs / file, old, new)
    done = urlconform("report", "a.jsonl", name)
    assert done.returncode == Exit.INVALID_FILE
    assert done.stderr.startswith(f"urlconform: {name} cannot be merged with a.jsonl: ")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_third_file_that_cannot_be_merged_is_compared_with_both_others(urlconform, jobs):
    name = changed_file(jobs / "b.jsonl", '"corpus":"', '"corpus":"x')
    done = urlconform("report", "a.jsonl", "b.jsonl", name)
    assert done.stderr.startswith(f"urlconform: {name} cannot be merged with a.jsonl, b.jsonl: ")


@pytest.mark.parametrize(
    "files", [("cut.jsonl", "b.jsonl"), ("b.jsonl", "cut.jsonl")], ids=["first", "second"]
)
def test_a_file_that_was_cut_short_before_any_adapter_is_named(urlconform, jobs, files):
    # the first 3,000 bytes are the header and some of the vectors, which come before any adapter
    (jobs / "cut.jsonl").write_bytes((jobs / "a.jsonl").read_bytes()[:3000])
    lines = (jobs / "cut.jsonl").read_bytes().count(b"\n")
    done = urlconform("report", *files)
    why = f"the file ends in the middle of line {lines + 1}, before any adapter was asked"
    assert done.stderr == f"urlconform: cut.jsonl cannot be merged: {why}\n"
    assert done.returncode == Exit.INVALID_FILE


def test_a_case_of_two_jobs_may_have_taken_different_times(jobs):
    name = changed_file(jobs / "a.jsonl", '"outcome":"pass"', '"outcome":"pass","seconds":2')
    slower = read_results(jobs / name)
    merged = merge_results({"a": read_results(jobs / "a.jsonl"), "b": slower})
    assert merged.of("urllib") == slower.of("urllib")


@pytest.mark.usefixtures("jobs")
def test_a_quiet_report_prints_nothing(urlconform):
    done = urlconform("report", "a.jsonl", "--quiet")
    assert done.stdout == ""
    assert done.returncode == Exit.PASSED


def drop_first_entry(baseline):
    """Take the first entry from a baseline, so that its failure is a regression."""
    del baseline["entries"][0]


def name_another_library(baseline):
    """Let a baseline be that of another library."""
    baseline["implementation"] = "lib"


def name_another_rfc(baseline):
    """Let a baseline be one of RFC 3986."""
    baseline["spec"] = ["rfc3986"]


def leave(_baseline):
    """Leave a baseline as it is."""


#: A change of the baseline, changed answers of the adapter, options of the gate, and the exit code.
JUDGED = [
    pytest.param(leave, {}, (), Exit.PASSED, id="as-listed"),
    pytest.param(drop_first_entry, {}, (), Exit.FAILED, id="regression"),
    pytest.param(leave, {"g.": RIGHT_ANSWER}, (), Exit.STALE, id="stale"),
    pytest.param(leave, {"g.": {"status": "unsupported"}}, (), Exit.FAILED, id="lost"),
    pytest.param(leave, {"g.": RIGHT_ANSWER}, ("--fail-on", "grammar"), Exit.NOTHING_RAN, id="level"),
    pytest.param(name_another_library, {}, (), Exit.INVALID_FILE, id="of-another-library"),
    pytest.param(name_another_rfc, {}, ("--spec", "1808"), Exit.INVALID_FILE, id="of-another-rfc"),
]


@pytest.fixture
def judge_both(urlconform, baseline_file, answers, change_baseline):
    """Return a function that judges the same answers by `run` and by `report`: both results of a command."""

    def judge(change, changed_answers, options):
        change_baseline(change)
        answers(**changed_answers)
        gate = ("--baseline", baseline_file.name, *options)
        ran = urlconform("run", LIB, *SECTION_5_2, *gate, "--report", "json=r.jsonl")
        return ran, urlconform("report", "r.jsonl", *gate)

    return judge


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("change", "changed_answers", "options", "code"), JUDGED)
def test_a_report_with_a_baseline_ends_with_the_exit_code_of_its_run(
    judge_both, change, changed_answers, options, code
):
    ran, reported = judge_both(change, changed_answers, options)
    assert ran.returncode == code, ran.stderr
    assert reported.returncode == code, reported.stderr


def reason_of(done):
    """Return the line of stderr with the reason."""
    (reason,) = re.findall(r"^urlconform: .*$", done.stderr, re.MULTILINE)
    return reason


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("change", "changed_answers", "options", "code"), JUDGED)
def test_a_report_with_a_baseline_gives_the_reason_of_its_run(
    judge_both, change, changed_answers, options, code
):
    ran, reported = judge_both(change, changed_answers, options)
    assert ran.returncode == code, "the reason is that of the expected outcome"
    assert reason_of(reported) == reason_of(ran)


def test_a_report_with_a_baseline_begins_with_what_is_new(judge_both):
    ran, reported = judge_both(drop_first_entry, {}, ())
    assert re.search(r"^\S+  regression$", reported.stdout, re.MULTILINE)
    assert reported.stdout.split("Most failed")[0] == ran.stdout.split("Most failed")[0]


def test_after_the_command_to_accept_the_report_passes(judge_both, urlconform):
    _, reported = judge_both(drop_first_entry, {}, ())
    (command,) = re.findall(r"^  accept: urlconform (.*)$", reported.stderr, re.MULTILINE)
    assert command == "baseline update b.json r.jsonl"
    urlconform(*command.split())
    assert urlconform("report", "r.jsonl", "--baseline", "b.json").returncode == Exit.PASSED


def test_reports_of_results_show_the_decision_by_a_baseline(judge_both, urlconform, tmp_path):
    judge_both(drop_first_entry, {}, ())
    urlconform("report", "r.jsonl", "--baseline", "b.json", "--report", "junit=j.xml")
    assert 'type="known"' in (tmp_path / "j.xml").read_text("utf-8")


def test_a_report_takes_the_policy_of_the_configuration(judge_both, urlconform, configure):
    judge_both(leave, {}, ())
    configure('fail-on = ["grammar"]')
    done = urlconform("report", "r.jsonl", "--baseline", "b.json")
    assert "no vector of level grammar was selected" in done.stderr


def test_a_report_without_a_baseline_has_no_gate(judge_both, urlconform, configure):
    judge_both(drop_first_entry, {}, ())
    configure(f'adapters = ["{LIB}"]\nbaseline = "b.json"')
    assert urlconform("report", "r.jsonl").returncode == Exit.PASSED


@pytest.mark.parametrize(
    ("option", "arguments"),
    [
        pytest.param("--strict", (), id="strict"),
        pytest.param("--policy", ("a=b",), id="policy"),
        pytest.param("--spec", ("1808",), id="spec"),
    ],
)
def test_an_option_of_the_gate_needs_a_baseline(urlconform, option, arguments):
    done = urlconform("report", "r.jsonl", option, *arguments)
    assert f"{option} needs --baseline" in done.stderr
    assert done.returncode == Exit.USAGE


def test_a_report_does_not_overwrite_its_baseline(judge_both, urlconform, tmp_path):
    judge_both(leave, {}, ())
    before = (tmp_path / "b.json").read_bytes()
    done = urlconform("report", "r.jsonl", "--baseline", "b.json", "--report", "html=b.json")
    assert "would overwrite the baseline b.json" in done.stderr
    assert (tmp_path / "b.json").read_bytes() == before


def test_results_of_another_corpus_cannot_be_judged(judge_both, urlconform, tmp_path):
    judge_both(leave, {}, ())
    name = changed_file(tmp_path / "r.jsonl", '"corpus":"', '"corpus":"x')
    done = urlconform("report", name, "--baseline", "b.json")
    assert "the run asked corpus x" in done.stderr
    assert done.returncode == Exit.INVALID_FILE


def test_an_interrupted_run_cannot_be_judged(judge_both, urlconform, tmp_path):
    judge_both(leave, {}, ())
    *lines, _footer = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "r.jsonl").write_bytes(b"".join(lines))
    done = urlconform("report", "r.jsonl", "--baseline", "b.json")
    assert "nothing can be decided" in done.stderr
    assert done.returncode == Exit.INVALID_FILE
