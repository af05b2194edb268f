"""Which element of JUnit stands for a case that did not pass: by its outcome, or as the gate judged it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from urlharness.baseline import Entry
from urlharness.findings import Finding, finding, part_finding
from urlharness.judgement import Measure
from urlharness.report.failing import Failure
from urlharness.tally import Tally
from urlharness.verdict import FAILING

_ABNORMAL = FAILING - {"fail"}
_UNANSWERED = ("unsupported", "partial")


class Shown(NamedTuple):
    """An element of a test case, its type and its message."""

    element: Literal["skipped", "failure", "error"]
    type: str
    message: str


def of_case(one: Failure, measure: Measure | None = None) -> Shown | None:
    """The element for one vector; None where it passes.  Without a measure there was no gate."""
    if measure is None:
        return _plain_case(one)
    case, result, judged = one.asked.case, one.result, measure.judges(one.asked.case.spec)
    entry = measure.entries.get(case.vector.id) if judged else None
    found = finding(entry, case, result, measure.policy) if judged else None
    if found is not None:
        return _found(found, one.got)
    if entry is not None:
        return _known(result.outcome, one.got)
    if result.outcome in _UNANSWERED:
        return _plain_case(one)
    return _not_gated(result.outcome, one.got) if result.outcome in FAILING else None


def of_tally(tally: Tally, measure: Measure | None = None) -> Shown | None:
    """The element for all generated cases of a rule; None where they pass."""
    plain = _plain_tally(tally)
    if measure is None:
        return plain
    judged, failing = measure.judges(tally.spec), measure.policy.failing(tally)
    entry = measure.entries.get(tally.part) if judged else None
    before = measure.baseline.generated.get(tally.part) if measure.baseline is not None else None
    found = part_finding(entry, tally, measure.policy, before) if judged else None
    if found is not None:
        return _found(found, _counts(tally, failing))
    if entry is not None and failing:
        return _known(entry.outcome, _counts(tally, failing))
    if plain is None or plain.element == "skipped":
        return plain
    return _not_gated(plain.type, plain.message)


def of_finding(found: Finding) -> Shown | None:
    """The element for what a list is found to be wrong in without a case; None for findings of a case."""
    if found.kind == "unknown id":
        return Shown("failure", found.kind, "the baseline lists it, and the corpus does not have it")
    if found.kind == "coverage" and found.found is not None:
        return Shown("failure", found.kind, found.found.detail)
    return None


def _plain_case(one: Failure) -> Shown | None:
    outcome = one.result.outcome
    if outcome in _UNANSWERED:
        return Shown("skipped", outcome, f"{outcome}: {one.got}")
    if outcome == "fail" and one.asked.case.vector.binding == "required":
        return Shown("failure", "fail", one.got)
    return Shown("error", outcome, one.got) if outcome in _ABNORMAL else None


def _plain_tally(tally: Tally) -> Shown | None:
    if tally.failing:
        fails = bool(tally.required.get("fail"))
        counts: dict[str, int] = {name: number for name, number in tally.required.items() if name in FAILING}
        return Shown("failure" if fails else "error", "fail" if fails else "error", _counts(tally, counts))
    total = sum(tally.outcomes.values())
    if total == tally.outcomes.get("unsupported", 0):
        return Shown("skipped", "unsupported", f"unsupported: {total} cases")
    return None


def _counts(tally: Tally, failing: Mapping[str, int]) -> str:
    """How many generated cases fail, of how many."""
    total = sum(tally.outcomes.values())
    counts = ", ".join(f"{number} {name}" for name, number in failing.items())
    return f"{sum(failing.values())} of {total} cases: {counts}" if failing else f"none of {total} cases"


def _found(found: Finding, got: str) -> Shown:
    """The element for what the gate fails on, beside what the list says of it."""
    assert found.found is not None
    outcome = found.found.outcome
    if found.listed is None:
        return Shown("error" if outcome in _ABNORMAL else "failure", outcome, got)
    if found.kind == "stale":
        why = f"it passes, {_listed(found.listed)}: baseline update --only-shrink"
        return Shown("failure", found.kind, why)
    element: Literal["error", "failure"] = "error" if outcome in _ABNORMAL else "failure"
    return Shown(element, found.kind, f"{found.kind}, {_listed(found.listed)}; now {outcome}: {got}")


def _listed(entry: Entry) -> str:
    issue = f" ({entry.issue})" if entry.issue else ""
    return f"and the baseline lists it as {entry.outcome}{issue}"


def _known(outcome: str, got: str) -> Shown:
    return Shown("skipped", "known", f"{outcome}, as the baseline lists it: {got}")


def _not_gated(outcome: str, got: str) -> Shown:
    return Shown("skipped", outcome, f"{outcome}, not gated: {got}")
