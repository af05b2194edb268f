"""JUnit XML, with a suite per implementation and section, and a test case per vector.

In each suite, the cases that did not pass come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from urlharness.corpus.specifications import Spec
from urlharness.exitcodes import Exit
from urlharness.gate.findings import Finding, part_finding, vector_finding
from urlharness.gate.gate import Criteria, Judgement
from urlharness.jsonio import in_utc
from urlharness.report.failures import Failure, claims, describe_finding, generated_failures
from urlharness.results.coverage import caveats
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, logged, plain
from urlharness.wording import rfc

_TEXT_LIMIT = 4000  # characters of an attribute, or of a line of a description


class Mark(NamedTuple):
    """The element in a test that says why the test did not pass.

    `tag` is `failure`, `error` or `skipped`. `type` and `message` are attributes of the element.
    """

    tag: str
    type: str
    message: str


def render(results: Results, judgements: Sequence[Judgement] = (), *_baselines: object) -> str:
    """Return the report: wrong answers are failures, abnormal ends are errors, unanswered cases are skipped.

    With a gate, only the cases that it rejects are failures or errors, and suites with such cases come first.
    Other wrong answers are skipped.
    """
    root = ET.Element("testsuites", name="urlconform")
    suites = list(_suites(results, {judgement.name: judgement for judgement in judgements}))
    if judgements:
        suites.sort(key=lambda suite: {suite.attrib["failures"], suite.attrib["errors"]} == {"0"})
    root.extend(suites)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.attrib[name]) for suite in root)))
    root.text = root.tail = "\n"
    for element in (*root, *root.iterfind("testsuite/*")):
        element.tail = "\n"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, "unicode")}'


def _suites(results: Results, judgements: Mapping[str, Judgement]) -> Iterator[ET.Element]:
    fields = ("urlconform", "corpus", "python", "platform", "started")
    about = {name: getattr(results.header, name) for name in fields}
    if not results.complete:
        test = _test("complete", "urlconform.run", Mark("error", "cut", caveats(results)[0]))
        yield _suite("urlconform.run", about, [test])
    kept = generated_failures(results)
    for participant in results.participants:
        name = participant.name
        own = {**about, "implementation": name, **_identity(participant)}
        if participant.state != "ran":
            tag = "skipped" if participant.state == "not installed" else "error"
            mark = Mark(tag, participant.state, f"{participant.status}: {participant.message}")
            yield _suite(name, own, [_test("start", name, mark)])
        judgement = judgements.get(name)
        criteria = judgement.criteria if judgement is not None else None
        found = {one.id: one for one in judgement.findings} if judgement is not None else {}
        sections: dict[tuple[Spec, str], list[ET.Element]] = {}
        for result in results.of(name).values():
            one = Failure(results.vectors[result.id], result, results)
            case = one.asked.case
            sections.setdefault((case.spec, case.section), []).append(_case_test(one, criteria, found))
        for (spec, section), tests in sections.items():
            title = results.titles.get((spec, section), "")
            claimed = "yes" if claims(participant, spec) else "no"
            where = {"specification": rfc(spec), "section": section, "title": title, "claimed": claimed}
            yield _suite(f"{name}.{spec}.{section}", {**own, **where}, tests)
        tiers: dict[tuple[Spec, str], list[ET.Element]] = {}
        for tally in results.tallies:
            if tally.implementation == name:
                body = "\n\n".join(map(_description, kept.get((name, tally.part), ())))
                classname = f"{name}.{tally.spec}.{tally.tier}"
                test = _test(tally.part, classname, mark_tally(tally, criteria), body)
                tiers.setdefault((tally.spec, tally.tier), []).append(test)
        for (spec, tier), tests in tiers.items():
            yield _suite(f"{name}.{spec}.{tier}", {**own, "specification": rfc(spec), "tier": tier}, tests)
        if judgement is not None and participant.state == "ran":
            yield from _gate_suites(judgement, own)


def _gate_suites(judgement: Judgement, about: Mapping[str, str]) -> Iterator[ET.Element]:
    """Yield suites for findings without a case, and for a gate that had nothing to judge."""
    listed = f"{judgement.name}.baseline"
    tests = [_test(one.id, listed, mark) for one in judgement.findings if (mark := mark_finding(one))]
    if tests:
        yield _suite(listed, about, tests)
    if judgement.code in (Exit.NOTHING_RAN, Exit.INVALID_FILE):
        mark = Mark("error", judgement.code.name.lower().replace("_", "-"), judgement.reason)
        yield _suite(f"{judgement.name}.gate", about, [_test("gate", judgement.name, mark)])


def _identity(participant: Participant) -> dict[str, str]:
    """Return what the implementation says about itself, as properties."""
    about = participant.implementation
    if about is None:
        return {"state": participant.state}
    fields = {"library": "name", "version": "version", "language": "language", "runtime": "runtime"}
    return {name: value for name, field in fields.items() if (value := getattr(about, field))}


def _suite(name: str, about: Mapping[str, str], tests: Sequence[ET.Element]) -> ET.Element:
    """Return a suite with its properties and counts. It has no times, because results files contain none."""
    suite = ET.Element("testsuite", name=_attribute(name), tests=str(len(tests)))
    for count, tag in (("errors", "error"), ("failures", "failure"), ("skipped", "skipped")):
        suite.set(count, str(sum(test.find(tag) is not None for test in tests)))
    suite.set("timestamp", _attribute(in_utc(about["started"])))  # the schema of Ant refuses an offset
    properties = ET.SubElement(suite, "properties")
    for key, value in about.items():
        ET.SubElement(properties, "property", name=key, value=_attribute(value))
    suite.extend(sorted(tests, key=lambda test: test.find("error") is None and test.find("failure") is None))
    return suite


def _test(name: str, classname: str, mark: Mark | None, body: str = "") -> ET.Element:
    test = ET.Element("testcase", name=_attribute(name), classname=_attribute(classname))
    if mark is not None:
        child = ET.SubElement(test, mark.tag, message=_attribute(mark.message), type=mark.type)
        child.text = _body(body) or None
    return test


def _case_test(one: Failure, criteria: Criteria | None, findings: Mapping[str, Finding]) -> ET.Element:
    case, result = one.asked.case, one.result
    classname = f"{result.implementation}.{case.spec}.{case.section}"
    mark, found = mark_case(one, criteria, findings), findings.get(result.id)
    before = describe_finding(found) if found is not None else ""
    test = _test(result.id, classname, mark, _description(one, before) if mark is not None else "")
    if result.stderr:
        ET.SubElement(test, "system-err").text = _body(result.stderr)
    return test


def _description(one: Failure, before: str = "") -> str:
    """Return the description of a case: a line for each fact, with its name."""
    lines = (f"{label}: {text}" for label, text in one.in_full(before))
    return "\n".join(clipped(line, _TEXT_LIMIT) for line in map(plain, lines))


def mark_case(one: Failure, criteria: Criteria | None, findings: Mapping[str, Finding]) -> Mark | None:
    """Return the mark of a vector, or None if it passes.

    `criteria` is None without a gate. `findings` are the findings of a gate with a baseline, by id.
    """
    case, result = one.asked.case, one.result
    if criteria is not None and criteria.judges(case.spec):
        found = findings.get(case.vector.id)
        if criteria.baseline is None:
            found = vector_finding(None, case, result, criteria.policy)
        if found is not None and found.result is not None:
            return _mark_found(found, one.got)
        if case.vector.id in criteria.entries:
            return _mark_known(result.outcome, one.got)
    if not result.outcome.complete:
        return Mark("skipped", result.outcome, f"{result.outcome}: {one.got}")
    if not result.outcome.failing:
        return None
    if criteria is not None:
        return _mark_not_gated(result.outcome, one.got)
    if result.outcome.abnormal:
        return Mark("error", result.outcome, one.got)
    return Mark("failure", "fail", one.got) if case.vector.binding == "required" else None


def mark_tally(tally: Tally, criteria: Criteria | None = None) -> Mark | None:
    """Return the mark of all generated cases of a rule, or None if they pass."""
    if criteria is not None and criteria.judges(tally.spec):
        entry = criteria.entries.get(tally.part)
        before = criteria.baseline.generated.get(tally.part) if criteria.baseline is not None else None
        found = part_finding(entry, tally, criteria.policy, before)
        failing = _counts(tally, criteria.policy.failing_outcomes(tally))
        if found is not None:
            return _mark_found(found, failing)
        if entry is not None and criteria.policy.failing_outcomes(tally):
            return _mark_known(entry.outcome, failing)
    if tally.failing:
        tag, type_ = ("failure", "fail") if tally.required.get(Outcome.FAIL) else ("error", "error")
        counts = _counts(tally, {name: n for name, n in tally.required.items() if name.failing})
        return Mark(tag, type_, counts) if criteria is None else _mark_not_gated(type_, counts)
    total = sum(tally.outcomes.values())
    if total == tally.outcomes.get(Outcome.UNSUPPORTED, 0):
        return Mark("skipped", "unsupported", f"unsupported: {total} cases")
    return None


def mark_finding(found: Finding) -> Mark | None:
    """Return the mark of a finding without a case, or None if the finding concerns a case."""
    if found.kind in ("unknown id", "coverage"):
        return Mark("failure", found.kind, describe_finding(found))
    return None


def _mark_found(found: Finding, got: str) -> Mark:
    """Return the mark of a case that the gate rejects."""
    assert found.result is not None
    outcome = found.result.outcome
    tag = "error" if outcome.abnormal else "failure"
    issue = f" ({found.entry.issue})" if found.entry is not None and found.entry.issue else ""
    if found.kind == "lost":
        lost = f"{found.detail}{issue}"
        return Mark(tag, found.kind, lost if got in found.detail else f"{lost}: {got}")
    if found.entry is None:
        return Mark(tag, outcome, got)
    listed = f"and the baseline lists it as {found.entry.outcome}{issue}"
    if found.kind == "stale":
        todo = "remove it with baseline update --only-shrink"
        return Mark("failure", found.kind, f"it passes, {listed}: {todo}")
    return Mark(tag, found.kind, f"{found.kind}, {listed}; now {outcome}: {got}")


def _mark_known(outcome: str, got: str) -> Mark:
    return Mark("skipped", "known", f"{outcome}, as the baseline lists it: {got}")


def _mark_not_gated(outcome: str, got: str) -> Mark:
    return Mark("skipped", outcome, f"{outcome}, not gated: {got}")


def _counts(tally: Tally, failing: Mapping[Outcome, int]) -> str:
    total = sum(tally.outcomes.values())
    counts = ", ".join(f"{number} {name}" for name, number in failing.items())
    return f"{sum(failing.values())} of {total} cases: {counts}" if failing else f"none of {total} cases"


def _attribute(text: str) -> str:
    """Return a text for an attribute: printable, cut if it is long, and never a command to a build log."""
    return clipped(logged(text), _TEXT_LIMIT)


def _body(text: str) -> str:
    """Return a text of several lines for a body: escaped like an attribute, but not cut."""
    return "\n".join(logged(line) for line in text.expandtabs().split("\n"))
