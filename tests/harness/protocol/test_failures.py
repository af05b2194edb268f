"""The budget of an adapter: after how many failures it is given up."""

from __future__ import annotations

import pytest

from urlharness.protocol.failures import HELLO_AGAIN, Abnormal, AdapterDead, Budget
from urlharness.protocol.limits import Limits


def test_an_adapter_is_given_up_after_its_last_restart():
    budget = Budget(Limits(restarts=2), 0.0)
    for index in range(2):
        budget.count_abnormal(index, Abnormal("crash", "exit code 1"))
        budget.check(1.0)
    budget.count_abnormal(2, Abnormal("crash", "exit code 3"))
    with pytest.raises(AdapterDead, match="more than 2 times; the last time: exit code 3"):
        budget.check(1.0)


def test_an_adapter_that_only_says_hello_is_given_up_after_three_questions():
    budget = Budget(Limits(), 0.0)
    for index in range(3):
        budget.check(1.0)
        budget.count_abnormal(index, Abnormal("garbage", HELLO_AGAIN))
    with pytest.raises(AdapterDead, match=HELLO_AGAIN):
        budget.check(1.0)


def test_ends_without_a_question_to_blame_are_limited():
    """After one restart, and two ends that may still turn out to be those of a question."""
    budget = Budget(Limits(restarts=1), 0.0)
    for _ in range(1 + 2 + 1):
        budget.check(1.0)
        budget.count_end("exit code 1", blamed=False)
    with pytest.raises(AdapterDead, match="no question is to blame; the last time: exit code 1"):
        budget.check(1.0)


def test_an_adapter_is_given_up_when_the_time_for_all_cases_is_over():
    budget = Budget(Limits(total=5.0), 10.0)
    budget.check(14.9)
    with pytest.raises(AdapterDead, match="the time limit of 5 s for all cases was reached"):
        budget.check(15.0)
