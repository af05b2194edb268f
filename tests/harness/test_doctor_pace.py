"""Slow adapters: what the doctor waits for, how long it takes, and what it leaves out."""

from __future__ import annotations

import pytest

from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine

pytestmark = pytest.mark.once

REPEATING = ("same twice", "any order", "several at once")
QUICK = Patience(30, 30, 0.02, slow=0)

#: What is slow, how much the doctor takes, whether checks are left out, and words of why.
SLOW = [
    pytest.param("time.sleep(0.5)", QUICK._replace(lengthy=3), "a start takes 0.", id="start"),
    pytest.param("old = answer\ndef answer(q): time.sleep(0.05); return old(q)", QUICK._replace(lengthy=5),
                 "an answer takes 0.", id="answer"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "patience", "words"), SLOW)
def test_what_repeats_is_left_out(good_adapter, special, patience, words):
    """It is said before it is done how long it takes; what is asked for by its name is done."""
    report = examine(good_adapter(special), patience)
    assert report.healthy
    names = [finding.name for finding in report.checks]
    assert not set(REPEATING) & set(names)
    assert names.index("repetitions") <= 2
    (said,) = (finding.message for finding in report.checks if finding.name == "repetitions")
    assert said.startswith(words)
    assert f"left out are {', '.join(REPEATING)}, which would take about" in said
    named = examine(good_adapter(special), patience, only=["same twice"])
    assert [finding.name for finding in named.checks] == ["hello", "same twice"]


def test_a_start_beyond_the_time_of_a_run(good_adapter):
    """It is waited for, and the option is named that a run needs."""
    report = examine(good_adapter("time.sleep(2)"), QUICK._replace(start=0.4), only=["hello"])
    (found,) = report.checks
    assert found.state == "warning"
    assert found.message.startswith("slow: hello after 2.")


#: Faults that are silence, and both reasons for it.
KEPT_BACK = [
    pytest.param("def write(m): print(json.dumps(m))", id="buffered"),
    pytest.param("def lines(): return sys.stdin.buffer.readlines()", id="all-read-first"),
]


@pytest.mark.parametrize("special", KEPT_BACK)
def test_what_comes_when_the_input_is_closed_has_two_reasons(good_adapter, special):
    report = examine(good_adapter(special), QUICK._replace(start=0.5), only=["hello"])
    found = report.checks[0]
    assert found.state == "broken"
    assert found.message.startswith("no hello within 1.5 s; it came when the input was closed: ")
    assert "it is not flushed, or all of stdin is read before the first answer (readlines()" in found.message
