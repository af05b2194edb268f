"""The report as JUnit XML: a suite for each implementation and specification, a test case for each vector.

Generated cases are too many for that: those of a rule are one test case.
"""

from __future__ import annotations

import shlex

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from urlharness.flags import explained
from urlharness.results import AskedVector, Result, Results, Tally
from urlharness.verdict import FAILING
from urlharness.words import asked as asked_in_words
from urlharness.words import expectation


def render(results: Results) -> str:
    """JUnit XML: wrong answers are failures, abnormal ends errors, what was not answered is skipped."""
    document = JUnitXml("urlconform")
    for participant in results.participants:
        suites: dict[str, TestSuite] = {}
        for result in results.of(participant.name).values():
            case = results.vectors[result.id].case
            suite = suites.setdefault(case.spec, TestSuite(_clean(f"{participant.name}.{case.spec}")))
            suite.add_testcase(_test_case(result, results.vectors[result.id]))
        for tally in results.tallies:
            if tally.implementation == participant.name:
                name = f"{participant.name}.{tally.spec}.{tally.tier}"
                suites.setdefault(name, TestSuite(_clean(name))).add_testcase(_tally_case(tally, results))
        for suite in suites.values():
            document.add_testsuite(suite)
    document.update_statistics()  # type: ignore[no-untyped-call]
    text = document.tostring()  # type: ignore[no-untyped-call]
    return text.decode("utf-8") if isinstance(text, bytes) else str(text)


def _test_case(result: Result, asked: AskedVector) -> TestCase:
    place = f"{asked.case.spec}.{asked.case.section}"
    test = TestCase(_clean(result.id), classname=_clean(f"{result.implementation}.{place}"))
    outcome: Skipped | Failure | Error | None = None
    message = _clean(result.detail or result.variant or result.outcome)
    if result.outcome in ("unsupported", "partial"):
        outcome = Skipped(f"{result.outcome}: {message}")
    elif result.outcome == "fail" and asked.case.vector.binding == "required":
        outcome = Failure(message, "fail")
    elif result.outcome in FAILING - {"fail"}:
        outcome = Error(message, result.outcome)
    if outcome is not None:
        outcome.text = _clean(_story(result, asked))
        test.result = [outcome]
    if result.stderr:
        test.system_err = _clean(result.stderr)
    return test


def _tally_case(tally: Tally, results: Results) -> TestCase:
    """All generated cases of a rule as one test, with the first that failed."""
    test = TestCase(_clean(tally.part), classname=_clean(f"{tally.implementation}.{tally.spec}.{tally.tier}"))
    if tally.failing:
        failure = Failure(f"{tally.failing} of {sum(tally.outcomes.values())} cases", "fail")
        shown = [
            example
            for example in results.examples
            if (example.result.implementation, example.asked.title) == (tally.implementation, tally.part)
        ]
        failure.text = _clean("\n\n".join(_story(one.result, one.asked) for one in shown))
        test.result = [failure]
    return test


def _story(result: Result, asked: AskedVector) -> str:
    """What a reader of the report needs: input, requirement, expected, got, how to repeat."""
    vector = asked.case.vector
    given = ", ".join(f"{name} {value}" for name, value in asked_in_words(vector)).replace("\n", "\\u{a}")
    lines = (
        f"{vector.op}: {given}",
        f"requirement: {asked.requirement.statement} ({asked.requirement.id})",
        f"expected: {expectation(vector.expect)}",
        f"got: {result.detail or result.outcome}",
        *explained(asked.case.flags),
        f"repeat: urlconform repro {result.id} -a {shlex.quote(result.implementation)}",
    )
    return "\n".join(lines)


def _clean(text: str) -> str:
    """A text that XML 1.0 can carry: every other character is spelled out."""
    return "".join(char if _allowed(ord(char)) else f"\\u{{{ord(char):x}}}" for char in text)


def _allowed(code: int) -> bool:
    return code in (0x9, 0xA) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
