"""The table of checks: order, names and rules."""

from __future__ import annotations

from urlharness.doctor import model
from urlharness.doctor.checks import CHECKS
from urlharness.doctor.model import Rule

RULES = [rule for rule in vars(model).values() if isinstance(rule, Rule)]


def test_every_check_cites_a_rule():
    assert [check.name for check in CHECKS if check.rule not in RULES] == []


def test_no_two_checks_have_the_same_name():
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_checks_that_others_need_come_first():
    """Without a hello, or if no operation is answered, no later check says anything."""
    assert [check.name for check in CHECKS if check.essential] == ["hello", "operations"]
    assert [check.name for check in CHECKS[:2]] == ["hello", "operations"]


def test_checks_of_lines_and_of_the_end_are_for_programs_only():
    """A served function reads no lines, and is no process."""
    assert [check.name for check in CHECKS if check.scope == "program"] == [
        "split lines",
        "several at once",
        "CRLF",
        "empty lines",
        "raw UTF-8",
        "ids",
        "bye",
        "end of input",
    ]


def test_checks_of_the_hello_and_the_order_are_for_functions_and_lasting_programs():
    """A program that runs once per case has no hello, and no order of questions."""
    assert [check.name for check in CHECKS if check.scope == "protocol"] == ["hello", "any order"]


def test_input_that_the_harness_never_writes_is_optional():
    assert [check.name for check in CHECKS if check.optional] == [
        "missing input",
        "CRLF",
        "empty lines",
        "raw UTF-8",
    ]
