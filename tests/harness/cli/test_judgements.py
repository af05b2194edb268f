"""Commands print the judgements of the gate: groups of what is new, reasons, and what to do."""

from __future__ import annotations

import re

import pytest

from urlharness.exitcodes import Exit

SECTION_5_2 = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"


#: The number of failures of a run that its baseline lists.
KNOWN = 3


@pytest.fixture
def run_with_regressions(urlconform, answers, baseline_ids, change_baseline):
    """A run whose baseline lists only the first of its failures; the others are regressions."""
    change_baseline(lambda baseline: baseline.update(entries=baseline["entries"][:KNOWN]))
    return urlconform("run", LIB, *SECTION_5_2, "--baseline", "b.json")


def ids_in_full(stdout: str) -> list[str]:
    """Return the ids of the regressions that are printed in full."""
    return re.findall(r"^(\S+)  regression$", stdout, re.MULTILINE)


def test_a_failing_run_begins_with_its_decision(run_with_regressions, baseline_ids):
    decision, empty_line, *_ = run_with_regressions.stdout.splitlines()
    assert f"{len(baseline_ids) - KNOWN} regressions" in decision
    assert empty_line == ""
    assert run_with_regressions.stderr.startswith(f"urlconform: {decision} (b.json)\n")


#: The heading of a group: what differs, and in how many answers.
HEADING = re.compile(r"^(.+) in ([\d,]+) answers?$", re.MULTILINE)


def test_a_failing_run_groups_all_its_regressions_by_what_differs(run_with_regressions, baseline_ids):
    counts = [int(count) for _, count in HEADING.findall(run_with_regressions.stdout)]
    assert sum(counts) == len(baseline_ids) - KNOWN


def test_the_largest_group_of_a_failing_run_comes_first(run_with_regressions):
    counts = [int(count) for _, count in HEADING.findall(run_with_regressions.stdout)]
    assert len(counts) > 1
    assert counts == sorted(counts, reverse=True)


def test_each_group_of_a_failing_run_has_one_regression_in_full(run_with_regressions, baseline_ids):
    ids = ids_in_full(run_with_regressions.stdout)
    assert len(ids) == len(HEADING.findall(run_with_regressions.stdout))
    assert set(ids) - set(baseline_ids[KNOWN:]) == set()


def test_a_group_is_shown_with_everything_about_its_example(run_with_regressions):
    _decision, first_group, *_ = run_with_regressions.stdout.split("\n\n")
    heading, head, *lines = first_group.splitlines()
    assert HEADING.fullmatch(heading)
    assert head.endswith("  regression")
    labels = [line.split()[0] for line in lines]
    assert labels == ["input", "expected", "got", "statement", "section", "repeat", "and"]


def test_a_group_ends_with_the_number_of_its_other_regressions(run_with_regressions):
    _decision, first_group, *_ = run_with_regressions.stdout.split("\n\n")
    _, count = HEADING.findall(first_group)[0]
    rest = int(count) - 1
    assert first_group.endswith(f"\n  and        {rest} more of the same: {rest} regressions")


def test_a_failing_run_ends_its_regressions_with_the_known_failures(run_with_regressions):
    lines = run_with_regressions.stdout.splitlines()
    last_regression = lines.index(f"{ids_in_full(run_with_regressions.stdout)[-1]}  regression")
    assert last_regression < lines.index(f"{LIB}: {KNOWN} known failures, all in the baseline")


def test_a_failing_run_names_no_known_failure(run_with_regressions, baseline_ids):
    output = run_with_regressions.stdout + run_with_regressions.stderr
    assert [
        known_id for known_id in baseline_ids[:KNOWN] if re.search(rf"{re.escape(known_id)}(?!\S)", output)
    ] == []


def test_the_errors_of_a_failing_run_name_the_first_regressions(run_with_regressions, baseline_ids):
    (ids,) = re.findall(r"^  regression: (.*) and \d+ more$", run_with_regressions.stderr, re.MULTILINE)
    assert ids.split(", ") == baseline_ids[KNOWN : KNOWN + 5]


def test_the_errors_of_a_failing_run_propose_to_see_the_first_example(run_with_regressions):
    example, *_ = ids_in_full(run_with_regressions.stdout)
    assert re.findall(r"see one: urlconform repro (\S+)", run_with_regressions.stderr) == [example]


#: A line of stderr with five ids, the most that it names, is shorter; one with all 14 would be longer.
LONGEST_ERROR_LINE = 200


def test_the_errors_of_a_failing_run_have_short_lines(run_with_regressions):
    lines = [line for line in run_with_regressions.stderr.splitlines() if "urlconform baseline" not in line]
    assert [line for line in lines if len(line) >= LONGEST_ERROR_LINE] == []


#: How many adapters fail, and how many failures of each are in full: ten of all of them.
IN_FULL = [pytest.param(1, 10, id="one"), pytest.param(4, 10 // 4, id="four")]


@pytest.mark.parametrize(("count", "shown_of_each"), IN_FULL)
def test_the_more_adapters_fail_the_fewer_failures_of_each_are_in_full(
    urlconform, tmp_path, count, shown_of_each
):
    names = [f"python:mine:{name}" for name in "abcd"[:count]]
    text = "def a(question):\n    return {'status': 'ok', 'url': 'x:'}\n\n\nb = c = d = a\n"
    (tmp_path / "mine.py").write_text(text, "utf-8")
    # the reference passes
    done = urlconform("run", "reference", *names, "--spec", "1808", "--section", "4")
    heads = [line for line in done.stdout.splitlines() if line.endswith("  failure")]
    assert len(heads) == count * shown_of_each
    assert len(re.findall(r"^\.\.\. and [\d,]+ more; see", done.stdout, re.MULTILINE)) == count
    assert done.returncode == Exit.FAILED
