"""What the doctor asks beside the usual: empty and relative references, octets; what it says of it once."""

from __future__ import annotations

import sys

import pytest

from urlharness.adapters.registry import find
from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)
_RESOLVED = (
    "old = answer\ndef answer(q):\n    if q['op'] == 'resolve' and {}: return 1 / 0\n    return old(q)"
)

#: What is planted, the check that finds it, its state, words of what it says, and of the protocol.
FAULTS = [
    pytest.param(_RESOLVED.format("q['reference'] == ''"), "odd texts", "warning",
                 "'' against 'http://a/b/c/d;p?q'", "an exception is", id="empty-reference"),
    pytest.param(_RESOLVED.format("q['base'] == 'a/b'"), "odd texts", "warning", "'g' against 'a/b'",
                 "an exception is", id="relative-base"),
    pytest.param(_RESOLVED.format("isinstance(q['base'], dict)"), "octets", "warning",
                 "octets in the base of resolve are an error", "travels as", id="octets-in-base"),
    pytest.param(_RESOLVED.format("isinstance(q['reference'], dict)"), "octets", "warning",
                 "octets in the reference of resolve are an error", "travels as", id="octets-in-reference"),
    pytest.param(
        "old = answer\ndef answer(q):\n    found = old(q) if q.get('url') != 'http://[::1' else None\n"
        "    return found or {'status': 'ok', 'valid': False}",
        "odd texts", "broken", "parse of 'http://[::1' answers ok without 'components': a refusal is reject",
        "answers: parse `components`", id="valid-false",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("special", "check", "state", "words", "protocol"), FAULTS)
def test_a_planted_fault(good_adapter, special, check, state, words, protocol):
    report = examine(good_adapter(special), USUAL, only=[check])
    found = {finding.name: finding for finding in report.checks}[check]
    assert (found.state, words in found.message) == (state, True), found.message
    assert protocol in found.protocol


def test_what_always_raises_is_told_once(good_adapter):
    """It comes first, and the other checks when it is right."""
    report = examine(good_adapter("def answer(q): return 1 / 0"), USUAL)
    assert [(found.name, found.state) for found in report.checks] == [
        ("hello", "ok"), ("operations", "broken"), ("all others", "skipped"),
    ]  # fmt: skip
    said = report.checks[1]
    assert said.message.endswith("ZeroDivisionError('division by zero'); so is every other question")
    assert said.reproduce.count('"type":"run"') == 1
    assert "an `error` is an exception" in said.protocol


def test_one_operation_that_raises_does_not_hide_the_others(good_adapter):
    special = "old = answer\ndef answer(q): return old(q) if q['op'] != 'resolve' else 1 / 0"
    report = examine(good_adapter(special), USUAL)
    assert report.checks[1].message.endswith("is an error: ZeroDivisionError('division by zero')")
    assert len(report.checks) > 3


def test_the_same_fault_is_not_told_again(good_adapter):
    """An exception that ends the program, found by several checks, is told by the first."""
    special = "def guarded(q): return answer(q)\nold = answer\ndef answer(q):\n"
    special += "    if '[::1' in str(q.get('url')): raise ValueError('no IPv6')\n    return old(q)"
    broken = [found for found in examine(good_adapter(special), USUAL).checks if found.state == "broken"]
    first, *others = broken
    assert "it wrote: ValueError: no IPv6" in first.message
    assert others
    assert {found.message for found in others} == {f"the same as in “{first.name}”"}
    assert all(found.reproduce for found in others)


#: A program per case that raises, the check that meets it first, and its state.
UNCAUGHT = [
    pytest.param("if '[' in q['url']: raise KeyError('bug')", "odd texts", "warning", id="some"),
    pytest.param("raise KeyError('bug')", "operations", "broken", id="all"),
]


@pytest.mark.parametrize(("special", "name", "state"), UNCAUGHT)
def test_an_uncaught_exception_of_a_program_per_case(tmp_path, special, name, state):
    """Its exit code of 1 is a rejection: the doctor doubts it, once."""
    text = f"import json, sys\nq = json.load(sys.stdin)\nif q['op'] != 'parse': sys.exit(3)\n{special}\n"
    path = tmp_path / "a.py"
    path.write_text(text + "print(json.dumps({'components': {'path': '/'}}))\n", "utf-8")
    report = examine(find(f"exec:{sys.executable} -I -S {path}"), USUAL)
    doubted = [found for found in report.checks if "uncaught exception (KeyError: 'bug')" in found.message]
    assert [(found.name, found.state) for found in doubted] == [(name, state)]
    assert state == "broken" or "1 rejects, 3 is unsupported" in doubted[0].protocol


def test_a_rejection_with_a_message_is_believed(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("import sys\nsys.stderr.write('no scheme\\n')\nsys.exit(1)\n", "utf-8")
    report = examine(find(f"exec:{sys.executable} -I -S {path}"), USUAL, only=["operations"])
    assert "uncaught" not in report.checks[-1].message
