"""JUnit XML, with a suite per implementation and section, and a test case per vector.

In each suite, the cases that did not pass come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar
from xml.etree import ElementTree as ET

from urlharness.corpus.specifications import Spec
from urlharness.exitcodes import Exit
from urlharness.gate.findings import Finding, part_finding, vector_finding
from urlharness.gate.gate import Criteria, Judgement
from urlharness.jsonio import in_utc
from urlharness.report.failures import (
    Failure,
    FindingGroup,
    claims,
    describe_finding,
    generated_failures,
    groups_of_new_findings,
)
from urlharness.results.coverage import caveats
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, logged, plain
from urlharness.wording import rfc

#: The maximum size of a report that GitLab takes, in bytes, and the size of a part of a report. A part is
#: smaller, because its head and foot are not measured.
GITLAB_LIMIT = 30_000_000
PART_SIZE = 29_000_000

#: The maximum number of characters of an attribute, and of a line of a description.
_TEXT_LIMIT = 4000


_T = TypeVar("_T")


class Mark(NamedTuple):
    """The element in a test that says why the test did not pass.

    `tag` is `failure`, `error` or `skipped`. `type` and `message` are attributes of the element.
    """

    tag: str
    type: str
    message: str


class _SerializedSuite(NamedTuple):
    """A suite as UTF-8, with the counts that the document adds up.

    The elements of a suite take ten times as much memory, so there are never those of all suites at once.
    """

    text: bytes
    tests: int
    failures: int
    errors: int


def render(results: Results, judgements: Sequence[Judgement] = (), *_baselines: object) -> str:
    """Return the report: wrong answers are failures, abnormal ends are errors, unanswered cases are skipped.

    With a gate, only the cases that it rejects are failures or errors, and suites with such cases come first.
    Other wrong answers are skipped. The first suite of an implementation that does not pass has a test for
    each group of new findings, by what differs, so that a reader need not look through all of them. The files
    of the baselines, which every format gets, are not mentioned.
    """
    return b"".join(render_pieces(results, judgements)).decode("utf-8")


def render_pieces(results: Results, judgements: Sequence[Judgement] = ()) -> Iterator[bytes]:
    """Yield the report of `render` piece by piece, as UTF-8. If it cannot be made, nothing is yielded."""
    serialized = ([_serialize_suite(suite)] for suite in suites(results, judgements))
    yield from _document(_failed_first(serialized, judgements))


def render_parts(results: Results, judgements: Sequence[Judgement], size: int) -> Iterator[str]:
    """Yield the report as several documents of at most about `size` bytes, in order.

    A suite that is larger is divided. A single test is not.
    """
    serialized = (
        [*map(_serialize_suite, _divide_suite(suite, size))] for suite in suites(results, judgements)
    )
    for batch in _batches(_failed_first(serialized, judgements), size, _serialized_size):
        yield b"".join(_document(batch)).decode("utf-8")


def _failed_first(
    suites: Iterable[Sequence[_SerializedSuite]], judgements: Sequence[Judgement]
) -> Iterable[_SerializedSuite]:
    """Return the parts of all suites. With a gate, those of suites with cases that it rejects come first."""
    if not judgements:
        return chain.from_iterable(suites)
    return chain.from_iterable(sorted(suites, key=_have_only_accepted_cases))


def _have_only_accepted_cases(parts: Iterable[_SerializedSuite]) -> bool:
    """Return True if no test of a suite, given as its parts, is a failure or an error."""
    return not any(part.failures or part.errors for part in parts)


def _document(suites: Iterable[_SerializedSuite]) -> Iterator[bytes]:
    """Yield a document with these suites: its beginning, each suite, and its end."""
    all_suites = list(suites)  # the beginning counts the tests of all
    tests = sum(suite.tests for suite in all_suites)
    failures = sum(suite.failures for suite in all_suites)
    errors = sum(suite.errors for suite in all_suites)
    counts = f'tests="{tests}" failures="{failures}" errors="{errors}"'
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="urlconform" {counts}>\n'.encode()
    for suite in all_suites:
        yield suite.text
    yield b"</testsuites>\n"


def _serialize_suite(suite: ET.Element) -> _SerializedSuite:
    """Return a suite as UTF-8. This adds line ends to it and its elements, so that each begins a line."""
    for element in (suite, *suite):
        element.tail = "\n"
    return _SerializedSuite(
        text=ET.tostring(suite, "unicode").encode(),
        tests=int(suite.attrib["tests"]),
        failures=int(suite.attrib["failures"]),
        errors=int(suite.attrib["errors"]),
    )


def _serialized_size(suite: _SerializedSuite) -> int:
    """Return the size of a suite in bytes."""
    return len(suite.text)


def _divide_suite(suite: ET.Element, size: int) -> Iterator[ET.Element]:
    """Yield a suite as suites of at most about `size` bytes, each with some of the tests."""
    if _element_size(suite) <= size:
        yield suite
        return
    properties, *tests = suite
    size_of_tests = size - _element_size(properties)
    for batch in _batches(tests, size_of_tests, _element_size):
        yield _suite_with_tests(suite, properties, batch)


def _batches(elements: Iterable[_T], size: int, size_of: Callable[[_T], int]) -> Iterator[list[_T]]:
    """Yield elements in lists of at most `size` bytes, in order. A larger element has a list of its own.

    `size_of` returns the size of an element in bytes. If there are no elements, yield an empty list.
    """
    batch: list[_T] = []
    free = size
    for element in elements:
        element_size = size_of(element)
        if batch and element_size > free:
            yield batch
            batch = []
            free = size
        batch.append(element)
        free -= element_size
    yield batch


def _suite_with_tests(suite: ET.Element, properties: ET.Element, tests: Sequence[ET.Element]) -> ET.Element:
    """Return a new suite with the name and the `properties` of another one, but with these tests."""
    part = ET.Element("testsuite", dict(suite.attrib))
    part.append(properties)
    part.extend(tests)
    _count_tests(part, tests)
    return part


def _element_size(element: ET.Element) -> int:
    """Return the size of an element in a document, in bytes."""
    return len(ET.tostring(element, "utf-8"))


def suites(results: Results, judgements: Sequence[Judgement]) -> Iterator[ET.Element]:
    """Yield a suite for an incomplete run, then those of each implementation.

    Each is an element `testsuite` with its properties and tests, as a document has it.
    """
    judgement_of = {judgement.name: judgement for judgement in judgements}
    header = results.header
    about_run = {
        "urlconform": header.urlconform,
        "corpus": header.corpus,
        "python": header.python,
        "platform": header.platform,
        "started": header.started,
    }
    if not results.complete:
        mark = Mark("error", "cut", caveats(results)[0])
        test = _test_element("complete", "urlconform.run", mark)
        yield _suite_element("urlconform.run", about_run, [test])
    for participant in results.participants:
        about = {**about_run, "implementation": participant.name, **_identity(participant)}
        yield from _suites_of(participant, results, judgement_of.get(participant.name), about)


def _suites_of(
    participant: Participant, results: Results, judgement: Judgement | None, about: Mapping[str, str]
) -> Iterator[ET.Element]:
    """Yield the suites of an implementation: its start if it failed, sections, tiers, and the gate.

    `about` are the properties of all these suites. `judgement` is None without a gate.
    """
    if participant.state != "ran":
        yield _start_suite(participant, about)
    if judgement is not None and not judgement.is_of_survey:
        group_tests = _group_tests(results, judgement)
        if group_tests:
            yield _suite_element(f"{participant.name}.new", about, group_tests)
    yield from _section_suites(participant, results, judgement, about)
    for (spec, tier), tests in _tier_tests(participant, results, judgement).items():
        about_tier = {**about, "specification": rfc(spec), "tier": tier}
        yield _suite_element(f"{participant.name}.{spec}.{tier}", about_tier, tests)
    if judgement is not None and participant.state == "ran":
        yield from _gate_suites(judgement, about)


def _start_suite(participant: Participant, about: Mapping[str, str]) -> ET.Element:
    """Return the suite of an implementation that did not run. Its only test says why."""
    tag = "skipped" if participant.state == "not installed" else "error"
    mark = Mark(tag, participant.state, f"{participant.status}: {participant.message}")
    test = _test_element("start", participant.name, mark)
    return _suite_element(participant.name, about, [test])


def _section_suites(
    participant: Participant, results: Results, judgement: Judgement | None, about: Mapping[str, str]
) -> Iterator[ET.Element]:
    """Yield a suite for each section. Its properties also say whether the implementation claims the RFC."""
    for (spec, section), tests in _section_tests(participant, results, judgement).items():
        about_section = {
            **about,
            "specification": rfc(spec),
            "section": section,
            "title": results.titles.get((spec, section), ""),
            "claimed": "yes" if claims(participant, spec) else "no",
        }
        yield _suite_element(f"{participant.name}.{spec}.{section}", about_section, tests)


def _group_tests(results: Results, judgement: Judgement) -> list[ET.Element]:
    """Return a failing test for each group of new findings. Its body is the example in full."""
    groups = groups_of_new_findings(results, judgement)
    return [_group_element(group, f"{judgement.name}.new") for group in groups]


def _group_element(group: FindingGroup, classname: str) -> ET.Element:
    """Return the test of a group of new findings."""
    example = group.example
    mark = Mark("failure", example.kind, f"{group.kinds or group.heading}, such as {example.id}")
    body = example.text if example.failure is None else _case_description(example.failure, example.text)
    if group.rest:
        body += f"\nand {group.rest}"
    return _test_element(group.heading, classname, mark, body)


def _section_tests(
    participant: Participant, results: Results, judgement: Judgement | None
) -> Mapping[tuple[Spec, str], Sequence[ET.Element]]:
    """Map each (RFC, section) to a test for each of its vectors."""
    criteria = judgement.criteria if judgement is not None else None
    findings = {finding.id: finding for finding in judgement.findings} if judgement is not None else {}
    tests: dict[tuple[Spec, str], list[ET.Element]] = {}
    for answer in results.of(participant.name).values():
        failure = Failure(results.vectors[answer.id], answer, results)
        case = failure.asked.case
        test = _case_element(failure, criteria, findings)
        tests.setdefault((case.spec, case.section), []).append(test)
    return tests


def _tier_tests(
    participant: Participant, results: Results, judgement: Judgement | None
) -> Mapping[tuple[Spec, str], Sequence[ET.Element]]:
    """Map each (RFC, tier) to a test for each of its generated parts."""
    criteria = judgement.criteria if judgement is not None else None
    failures = generated_failures(results)
    tests: dict[tuple[Spec, str], list[ET.Element]] = {}
    for tally in results.tallies_of(participant.name):
        examples = failures.get((participant.name, tally.part), ())
        body = "\n\n".join(map(_case_description, examples))
        classname = f"{participant.name}.{tally.spec}.{tally.tier}"
        test = _test_element(tally.part, classname, mark_tally(tally, criteria), body)
        tests.setdefault((tally.spec, tally.tier), []).append(test)
    return tests


def _gate_suites(judgement: Judgement, about: Mapping[str, str]) -> Iterator[ET.Element]:
    """Yield suites for findings without a case, and for a gate that had nothing to judge."""
    classname = f"{judgement.name}.baseline"
    tests = []
    for finding in judgement.findings:
        mark = mark_finding(finding)
        if mark is not None:
            tests.append(_test_element(finding.id, classname, mark))
    if tests:
        yield _suite_element(classname, about, tests)
    if judgement.code in (Exit.NOTHING_RAN, Exit.INVALID_FILE):
        type_ = judgement.code.name.lower().replace("_", "-")
        test = _test_element("gate", judgement.name, Mark("error", type_, judgement.sentence))
        yield _suite_element(f"{judgement.name}.gate", about, [test])


def _identity(participant: Participant) -> dict[str, str]:
    """Return what the implementation says about itself, as properties; empty texts are left out.

    If it said nothing, return only its state.
    """
    about = participant.implementation
    if about is None:
        return {"state": participant.state}
    texts = {
        "library": about.name,
        "version": about.version,
        "language": about.language,
        "runtime": about.runtime,
    }
    return {name: text for name, text in texts.items() if text}


def _suite_element(name: str, about: Mapping[str, str], tests: Sequence[ET.Element]) -> ET.Element:
    """Return a suite with its properties, its counts and its time. The tests that did not pass come first.

    `about` are the properties, of which `started` is also the time of the suite.
    """
    suite = ET.Element("testsuite", name=_attribute_text(name))
    _count_tests(suite, tests)
    started = in_utc(about["started"])  # the schema of Ant refuses an offset
    suite.set("timestamp", _attribute_text(started))
    properties = ET.SubElement(suite, "properties")
    for name_of_property, text in about.items():
        ET.SubElement(properties, "property", name=name_of_property, value=_attribute_text(text))
    suite.extend(sorted(tests, key=_is_accepted))
    return suite


def _count_tests(suite: ET.Element, tests: Sequence[ET.Element]) -> None:
    """Set the attributes of a suite that follow from its tests."""
    suite.set("tests", str(len(tests)))
    for attribute, tag in (("errors", "error"), ("failures", "failure"), ("skipped", "skipped")):
        count = sum(test.find(tag) is not None for test in tests)
        suite.set(attribute, str(count))
    seconds = sum(float(test.get("time", "0")) for test in tests)
    suite.set("time", _seconds_text(seconds))


def _seconds_text(seconds: float) -> str:
    """Return seconds as a decimal number. Times that results do not record are 0."""
    return f"{seconds:.3f}" if seconds else "0"


def _is_accepted(test: ET.Element) -> bool:
    """Return True if a test is no failure and no error. A skipped test is accepted."""
    return test.find("error") is None and test.find("failure") is None


def _test_element(
    name: str, classname: str, mark: Mark | None, body: str = "", seconds: float = 0.0
) -> ET.Element:
    """Return a test. `body` is the text within the mark, so it is dropped without a mark."""
    test = ET.Element("testcase", name=_attribute_text(name), classname=_attribute_text(classname))
    test.set("time", _seconds_text(seconds))
    if mark is not None:
        child = ET.SubElement(test, mark.tag, message=_attribute_text(mark.message), type=mark.type)
        child.text = _body_text(body) or None
    return test


def _case_element(failure: Failure, criteria: Criteria | None, findings: Mapping[str, Finding]) -> ET.Element:
    """Return the test of a vector. Only a test with a mark has a description of the case."""
    case = failure.asked.case
    answer = failure.result
    mark = mark_case(failure, criteria, findings)
    finding = findings.get(answer.id)
    before = describe_finding(finding) if finding is not None else ""
    body = _case_description(failure, before) if mark is not None else ""
    classname = f"{answer.implementation}.{case.spec}.{case.section}"
    test = _test_element(answer.id, classname, mark, body, answer.seconds)
    if answer.stderr:
        stderr = ET.SubElement(test, "system-err")
        stderr.text = _body_text(answer.stderr)
    return test


def _case_description(failure: Failure, before: str = "") -> str:
    """Return the description of a case: a line for each fact, with its name."""
    lines = [plain(f"{label}: {text}") for label, text in failure.labelled_facts(before)]
    return "\n".join(clipped(line, _TEXT_LIMIT) for line in lines)


def mark_case(failure: Failure, criteria: Criteria | None, findings: Mapping[str, Finding]) -> Mark | None:
    """Return the mark of a vector, or None if it passes, or fails but is not required.

    `criteria` is None without a gate. `findings` are the findings of a gate with a baseline, by id.
    """
    case = failure.asked.case
    outcome = failure.result.outcome
    got = failure.got
    if criteria is not None and criteria.judges(case.spec):
        mark = _mark_judged_case(failure, criteria, findings)
        if mark is not None:
            return mark
    if not outcome.complete:
        return Mark("skipped", outcome, f"{outcome}: {got}")
    if not outcome.failing:
        return None
    if criteria is not None:
        return _mark_not_gated(outcome, got)
    if outcome.abnormal:
        return Mark("error", outcome, got)
    return Mark("failure", "fail", got) if case.vector.binding == "required" else None


def _mark_judged_case(failure: Failure, criteria: Criteria, findings: Mapping[str, Finding]) -> Mark | None:
    """Return the mark of a vector that is a finding or fails as its entry says, or None."""
    case = failure.asked.case
    if criteria.baseline is None:
        finding = vector_finding(entry=None, case=case, result=failure.result, policy=criteria.policy)
    else:
        finding = findings.get(case.vector.id)
    if finding is not None and finding.result is not None:
        return _mark_finding_of_case(finding, failure.got)
    if case.vector.id in criteria.entries:
        return _mark_known(failure.result.outcome, failure.got)
    return None


def mark_tally(tally: Tally, criteria: Criteria | None = None) -> Mark | None:
    """Return the mark of all generated cases of a rule, or None if they pass.

    `criteria` is None without a gate.
    """
    if criteria is not None and criteria.judges(tally.spec):
        mark = _mark_judged_tally(tally, criteria)
        if mark is not None:
            return mark
    if tally.failing:
        return _mark_failing_tally(tally, is_gated=criteria is not None)
    total = sum(tally.outcomes.values())
    if total == tally.outcomes.get(Outcome.UNSUPPORTED, 0):
        return Mark("skipped", "unsupported", f"unsupported: {total} cases")
    return None


def _mark_failing_tally(tally: Tally, *, is_gated: bool) -> Mark:
    """Return the mark of a generated part with failing cases that no gate rejects."""
    # without a wrong answer, all failures are abnormal ends
    has_wrong_answer = Outcome.FAIL in tally.required
    type_ = "fail" if has_wrong_answer else "error"
    failing = {outcome: count for outcome, count in tally.required.items() if outcome.failing}
    counts = _counts_in_words(tally, failing)
    if is_gated:
        return _mark_not_gated(type_, counts)
    tag = "failure" if has_wrong_answer else "error"
    return Mark(tag, type_, counts)


def _mark_judged_tally(tally: Tally, criteria: Criteria) -> Mark | None:
    """Return the mark of a generated part that is a finding or fails as its entry says, or None."""
    entry = criteria.entries.get(tally.part)
    baseline = criteria.baseline
    before = baseline.generated.get(tally.part) if baseline is not None else None
    finding = part_finding(entry, tally, criteria.policy, before)
    failing_outcomes = criteria.policy.failing_outcomes(tally)
    counts = _counts_in_words(tally, failing_outcomes)
    if finding is not None:
        return _mark_finding_of_case(finding, counts)
    if entry is not None and failing_outcomes:
        return _mark_known(entry.outcome, counts)
    return None


def mark_finding(finding: Finding) -> Mark | None:
    """Return the mark of a finding without a case, or None if the finding concerns a case."""
    if finding.kind in ("unknown id", "coverage"):
        return Mark("failure", finding.kind, describe_finding(finding))
    return None


def _mark_finding_of_case(finding: Finding, got: str) -> Mark:
    """Return the mark of a case that the gate rejects, or of a stale entry. `got` is the answer in words.

    The finding must have the result of the case.
    """
    assert finding.result is not None
    outcome = finding.result.outcome
    entry = finding.entry
    tag = "error" if outcome.abnormal else "failure"
    issue = f" ({entry.issue})" if entry is not None and entry.issue else ""
    if finding.kind == "lost":
        loss = f"{finding.detail}{issue}"
        message = loss if got in finding.detail else f"{loss}: {got}"
        return Mark(tag, finding.kind, message)
    if entry is None:
        return Mark(tag, outcome, got)
    listed = f"and the baseline lists it as {entry.outcome}{issue}"
    if finding.kind == "stale":
        remedy = "remove it with baseline update --only-shrink"
        return Mark("failure", finding.kind, f"it passes, {listed}: {remedy}")
    return Mark(tag, finding.kind, f"{finding.kind}, {listed}; now {outcome}: {got}")


def _mark_known(outcome: str, got: str) -> Mark:
    """Return the mark of a case whose failure equals its entry in the baseline."""
    return Mark("skipped", "known", f"{outcome}, as the baseline lists it: {got}")


def _mark_not_gated(outcome: str, got: str) -> Mark:
    """Return the mark of a case that fails but that the gate does not judge."""
    return Mark("skipped", outcome, f"{outcome}, not gated: {got}")


def _counts_in_words(tally: Tally, failing: Mapping[Outcome, int]) -> str:
    """Say how many of the cases of a tally fail. `failing` counts those that fail, by outcome."""
    total = sum(tally.outcomes.values())
    if not failing:
        return f"none of {total} cases"
    counts = ", ".join(f"{number} {outcome}" for outcome, number in failing.items())
    failing_total = sum(failing.values())
    return f"{failing_total} of {total} cases: {counts}"


def _attribute_text(text: str) -> str:
    """Return a text for an attribute: printable, cut if it is long, and never a command to a build log."""
    return clipped(logged(text), _TEXT_LIMIT)


def _body_text(text: str) -> str:
    """Return a text of several lines for a body: escaped like an attribute, but not cut."""
    lines = text.expandtabs().split("\n")
    return "\n".join(map(logged, lines))
