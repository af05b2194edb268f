"""JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from junitparser import Element, Error, JUnitXml, Properties, Property, Skipped, TestCase, TestSuite
from junitparser import Failure as Failed

from urlharness.corpus.model import Spec, explained
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Entry
from urlharness.gate.findings import Finding, finding, part_finding
from urlharness.gate.gate import Judgement, Measure
from urlharness.jsonio import in_utc
from urlharness.report.failures import Failure, claims, examples
from urlharness.results.coverage import caveats
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.verdict import FAILING
from urlharness.text import clipped, logged, plain, rfc

# -------------------- report.elements: Which element of JUnit stands for a case that did not pass: by its outcome, or as the gate judged it.


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


# -------------------- report.junit: The report as JUnit XML: a suite for each section of each implementation, a test case for each vector.


_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


_DECLARED = re.compile(r"\A<\?xml[^>]*>\s*")  # by the one library that may serve, and not by the other


#: What begins a line; no text has such a thing, its `<` is escaped.
_LINES = ("<testsuite ", "<testcase ", "</testsuite>", "</testsuites>")


#: What becomes of a case that did not pass.
_KINDS: Mapping[str, type[Skipped | Failed | Error]] = {"skipped": Skipped, "failure": Failed, "error": Error}


_LONGEST = 4000  # characters of an attribute, or of a line of a story


_TALLIED = {"errors": Error, "failures": Failed, "skipped": Skipped}


def render(
    results: Results,
    judgements: Sequence[Judgement] = (),
    _baselines: Mapping[str, Path] = MappingProxyType({}),
) -> str:
    """JUnit XML: wrong answers are failures, abnormal ends errors, what was not answered is skipped.

    With `judgements` of the gate, a failure is what the gate fails on, and any other wrong answer is skipped.
    Times are left out: a results file has none of single cases.  The timestamp of a suite is the start of the
    run in UTC, without an offset, which the schema of Ant refuses.
    """
    document = JUnitXml("urlconform")
    totals = dict.fromkeys(("tests", "failures", "errors"), 0)
    for suite in _suites(results, {judgement.name: judgement for judgement in judgements}):
        _append(document, suite)
        for name in totals:
            totals[name] += getattr(suite, name)
    for name, total in totals.items():
        setattr(document, name, total)
    octets = document.tostring()  # type: ignore[no-untyped-call]
    text = _DECLARED.sub("", octets.decode("utf-8"))
    for mark in _LINES:
        text = text.replace(mark, f"\n{mark}")
    return f"{_DECLARATION}\n{text}\n"


def _suites(results: Results, judgements: Mapping[str, Judgement]) -> Iterator[TestSuite]:
    about = {
        "urlconform": results.header.urlconform,
        "corpus": results.header.corpus,
        "python": results.header.python,
        "platform": results.header.platform,
        "started": results.header.started,
    }
    started = _clean(in_utc(results.header.started))
    if not results.complete:
        test = TestCase("complete", classname="urlconform.run")
        _append(test, Error(caveats(results)[0], "cut"))
        yield _suite("urlconform.run", started, about, [test])
    kept = examples(results)
    for participant in results.participants:
        own = {**about, "implementation": participant.name, **_said(participant)}
        if participant.state != "ran":
            test = TestCase("start", classname=_clean(participant.name))
            kind = Skipped if participant.state == "not installed" else Error
            _append(test, kind(_clean(f"{participant.state}: {participant.message}"), participant.state))
            yield _suite(participant.name, started, own, [test])
        judgement = judgements.get(participant.name)
        measure = judgement.by if judgement is not None else None
        sections: dict[tuple[Spec, str], list[TestCase]] = {}
        for result in results.of(participant.name).values():
            one = Failure(results.vectors[result.id], result, results)
            case = one.asked.case
            sections.setdefault((case.spec, case.section), []).append(_test_case(one, measure))
        for (spec, section), tests in sections.items():
            title = results.titles.get((spec, section), "")
            place = {"specification": rfc(spec), "section": section, "title": title}
            claimed = {"claimed": "yes" if claims(participant, spec) else "no"}
            name = f"{participant.name}.{spec}.{section}"
            yield _suite(name, started, {**own, **place, **claimed}, tests)
        tiers: dict[tuple[Spec, str], list[TestCase]] = {}
        for tally in results.tallies:
            if tally.implementation == participant.name:
                tiers.setdefault((tally.spec, tally.tier), []).append(
                    _tally_case(tally, kept.get((tally.implementation, tally.part), ()), measure)
                )
        for (spec, tier), tests in tiers.items():
            place = {"specification": rfc(spec), "tier": tier}
            yield _suite(f"{participant.name}.{spec}.{tier}", started, {**own, **place}, tests)
        if judgement is not None and participant.state == "ran":
            yield from _of_the_gate(judgement, started, own)


def _of_the_gate(judgement: Judgement, started: str, about: Mapping[str, str]) -> Iterator[TestSuite]:
    """What the gate says of no single case: what is wrong with a baseline, and that nothing was judged."""
    listed = f"{judgement.name}.baseline"
    tests = []
    for one in judgement.findings:
        shown = of_finding(one)
        if shown is not None:
            tests.append(TestCase(_clean(one.id), classname=_clean(listed)))
            _append(tests[-1], _made(shown))
    if tests:
        yield _suite(listed, started, about, tests)
    if judgement.code in (Exit.NOTHING_RAN, Exit.INVALID_FILE):
        test = TestCase("gate", classname=_clean(judgement.name))
        _append(test, Error(_clean(judgement.reason), judgement.code.name.lower().replace("_", "-")))
        yield _suite(f"{judgement.name}.gate", started, about, [test])


def _said(participant: Participant) -> dict[str, str]:
    """What the implementation said of itself, as properties."""
    about = participant.implementation
    if about is None:
        return {"state": participant.state}
    said = {
        "library": about.name,
        "version": about.version,
        "language": about.language,
        "runtime": about.runtime,
    }
    return {name: value for name, value in said.items() if value}


def _suite(name: str, started: str, about: Mapping[str, str], tests: Iterable[TestCase]) -> TestSuite:
    """A suite with its counts; the library would count anew for every case that is added."""
    suite = TestSuite(_clean(name))
    properties = Properties()  # type: ignore[no-untyped-call]
    for key, value in about.items():
        properties.add_property(Property(key, _clean(value)))
    _append(suite, properties)
    counts = dict.fromkeys(("tests", *_TALLIED), 0)
    for test in tests:
        _append(suite, test)
        counts["tests"] += 1
        for found in test.result:
            for count, kind in _TALLIED.items():
                counts[count] += isinstance(found, kind)
    for count, number in counts.items():
        setattr(suite, count, number)
    suite.timestamp = started
    return suite


def _test_case(one: Failure, measure: Measure | None) -> TestCase:
    case, result = one.asked.case, one.result
    place = f"{result.implementation}.{case.spec}.{case.section}"
    test = TestCase(_clean(result.id), classname=_clean(place))
    shown = of_case(one, measure)
    if shown is not None:
        found = _made(shown)
        found.text = _body(_story(one))
        _append(test, found)
    if result.stderr:
        test.system_err = _body(result.stderr)
    return test


def _tally_case(tally: Tally, kept: Iterable[Failure], measure: Measure | None) -> TestCase:
    """All generated cases of a rule as one test, with the first that failed."""
    test = TestCase(_clean(tally.part), classname=_clean(f"{tally.implementation}.{tally.spec}.{tally.tier}"))
    shown = of_tally(tally, measure)
    if shown is not None:
        found = _made(shown)
        if tally.failing:
            found.text = _body("\n\n".join(map(_story, kept)))
        _append(test, found)
    return test


def _made(shown: Shown) -> Skipped | Failed | Error:
    """The element itself."""
    return _KINDS[shown.element](_clean(shown.message), shown.type)


def _story(one: Failure) -> str:
    """What a reader of the report needs: input, requirement, expected, got, how to repeat."""
    requirement = one.asked.requirement
    lines = (
        one.question,
        f"requirement: {requirement.statement} ({requirement.id})",
        f"expected: {one.expected}",
        f"got: {one.got.removeprefix('got ')}",
        *explained(one.asked.case.flags),
        f"repeat: {one.command}",
    )
    return "\n".join(clipped(line, _LONGEST) for line in map(plain, lines))


def _append(parent: Element, child: Element) -> None:
    parent.append(child)  # type: ignore[no-untyped-call]


def _clean(text: str) -> str:
    """An attribute: what XML 1.0 cannot carry, and whatever else has no shape, is spelled out.

    It may be printed into a log, so that it is no command to a build server either.
    """
    return clipped(logged(text), _LONGEST)


def _body(text: str) -> str:
    """A text of several lines, each as safe as an attribute."""
    return "\n".join(logged(line) for line in text.expandtabs().split("\n"))
