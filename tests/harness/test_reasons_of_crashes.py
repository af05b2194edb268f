"""Why an adapter ended, in the reports that do not show its stderr: the line of it that tells."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from urlharness.engine.diagnosis import kept

from urlharness.report import github, junit, markdown, terminal
from urlharness.results.model import Participant, Result

pytestmark = pytest.mark.once

STACK = "    at frame (a.js:1)\n" * 300
ERROR = "TypeError: cannot frobnicate the URL"
#: An outcome, its detail, what is on stderr, and what is said of it.
ENDS = [
    pytest.param("crash", "exit code 1", f"{ERROR}\n{STACK}", ERROR, id="above-a-stack"),
    pytest.param("timeout", "no answer within 5 s", "waiting\n", "waiting", id="timeout"),
    pytest.param(
        "garbage", "not a reply", "a\n\x1b[1m##[error]x\n", "\\u{1b}[1m#\\u{23}[error]x", id="hostile"
    ),
    pytest.param(
        "crash", "exit code 1", "x" * 300, "x" * 200 + "\u2026 (and 100 characters more)", id="long"
    ),
    pytest.param("crash", "exit code 1", "", None, id="silent"),
    pytest.param("crash", "exit code 1", " \n", None, id="blank"),
    pytest.param("crash", f"exit code 1; it wrote: {ERROR}", ERROR, None, id="told-already"),
    pytest.param("fail", "got 'b:'", ERROR, None, id="an-answer"),
]


@pytest.fixture
def reports(make_case, record):
    """The three reports of a run in which one case ended so, and another without a word on stderr."""

    def make(outcome, detail, stderr):
        cases = [make_case(f"rfc3986-3.3-{name}") for name in "xy"]
        ends = (
            Result(case.vector.id, "lib", outcome, detail=detail, stderr=kept(text))
            for case, text in zip(cases, (stderr, ""), strict=True)
        )
        results = record(cases, Participant("lib", "ran"), *ends)
        stream = io.StringIO()
        Console(file=stream, width=400).print(terminal.first_failures(results, "lib"), soft_wrap=True)
        return results, stream.getvalue(), markdown.render(results), github.render(results)

    return make


@pytest.mark.parametrize(("outcome", "detail", "stderr", "said"), ENDS)
def test_the_line_that_tells_is_said(reports, outcome, detail, stderr, said):
    """Once, beside the outcome, where it ended abnormally and the outcome does not say it by itself."""
    _, shown, page, commands = reports(outcome, detail, stderr)
    if said is None:
        already = detail.count("it wrote")
        # two cases in the terminal and on the page, one for the group in the annotations
        assert shown.count("it wrote") == page.count("it wrote") == 2 * already
        assert commands.count("it wrote") == already
        return
    assert f"  {outcome}: {detail}; it wrote: {said}\n" in shown
    assert f"{outcome} `{detail}`, it wrote `{said}`" in page
    assert f"%0A{outcome}: {detail}; it wrote: {said}%0A" in commands
    assert shown.count("it wrote") == page.count("it wrote") == commands.count("it wrote") == 1


def test_groups_stay_whole(reports):
    """What was written differs from case to case, and the failures still belong together."""
    results, _, page, commands = reports("crash", "exit code 1", ERROR)
    assert "2 cases in 1 group" in page
    assert commands.count("::error") == 1
    assert "it wrote" not in junit.render(results).replace("system-err", "")  # it has all of stderr
