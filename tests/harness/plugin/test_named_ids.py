"""Node ids on the command line of pytest: what does not exist is told, and never dropped in silence."""

from __future__ import annotations

import pytest

from urlharness.gate.baseline import Entry

pytestmark = pytest.mark.once

NODE = "urlconform/rfc3986/5.4.1::rfc3986-5.4.1-ex-"


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param("urlconform/nonsense", id="no-rfc"),
        pytest.param("urlconform/rfc9999/1::typo", id="nothing-of-it"),
        pytest.param(f"{NODE}99", id="no-vector"),
        pytest.param("urlconform/rfc3986/5.4.2::rfc3986-5.4.1-ex-01", id="another-section"),
        pytest.param("urlconform/rfc3986/5.4.2::rfc3986-5.4.2-ex-01", id="not-selected"),
        pytest.param("urlconform/baseline::rfc3986-gone", id="no-entry"),
    ],
)
@pytest.mark.parametrize("others", [[], [f"{NODE}01"], ["test_own.py"]], ids=["alone", "an-id", "a-file"])
def test_an_id_that_does_not_exist_is_an_error_of_usage(project, pytester, gone, others):
    """Nothing is dropped in silence: the session says which it is, as pytest does of its own."""
    project()
    pytester.makepyfile(test_own="def test_own(): pass")
    result = pytester.runpytest_inprocess("--urlconform", "lib", gone, *others)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: urlconform: not found: {gone} (*"])
    assert result.parseoutcomes() == {}


def test_every_id_that_does_not_exist_is_told(project, pytester):
    project()
    result = pytester.runpytest_inprocess("--urlconform", "lib", "urlconform/a", f"{NODE}01", "urlconform/b")
    result.stderr.fnmatch_lines(["ERROR: urlconform: not found: urlconform/a, urlconform/b (*"])


def test_a_dead_adapter_is_told_before_its_ids(project, pytester):
    """Nobody knows which ids there are where nothing could be collected."""
    project()
    result = pytester.runpytest_inprocess("--urlconform", "python:gone:f", f"{NODE}99")
    assert (result.ret, result.parseoutcomes()) == (pytest.ExitCode.INTERRUPTED, {"errors": 1})


def test_an_id_of_the_baseline_can_be_named(project, baseline, pytester):
    project()
    baseline({}, [Entry("rfc3986-5.4.1-gone", "fail", {}, "0" * 12)])
    named = ("--urlconform-baseline", "baseline.json", "urlconform/baseline::rfc3986-5.4.1-gone")
    assert pytester.runpytest_inprocess("--urlconform", "lib", *named).parseoutcomes() == {"failed": 1}


def test_what_failed_last_may_be_gone(project, pytester):
    """The ids of the cache are nobody's words: `--lf` leaves out what is not asked any more."""
    project({"../g": "http://a/g", "g;x": "x:"})
    keep = ("--urlconform", "lib", "-o", "addopts=-p no:hypothesispytest")
    assert pytester.runpytest_inprocess(*keep).parseoutcomes() == {"passed": 21, "failed": 2}
    again = pytester.runpytest_inprocess(*keep, "--lf", "urlconform/rfc3986")
    assert again.parseoutcomes() == {"failed": 2, "deselected": 21}
    elsewhere = pytester.runpytest_inprocess(*keep, "--lf", "--urlconform-section", "5.4.2")
    assert (elsewhere.ret, elsewhere.parseoutcomes()) == (0, {"passed": 26})
    wrong = pytester.runpytest_inprocess(*keep, "--lf", f"{NODE}99")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.once
def test_workers_of_xdist_drop_no_id_either(project, pytester):
    project()
    arguments = ("--urlconform", "lib", "-n", "2", f"{NODE}01", "urlconform/rfc9999/1::typo")
    result = pytester.runpytest_subprocess(*arguments, timeout=120)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: urlconform: not found: urlconform/rfc9999/1::typo (*"])
    assert result.parseoutcomes() == {}
