"""Failures: what is said about one, and groups of them in their order."""

from __future__ import annotations

import msgspec

from urlharness.report.failures import (
    KEPT,
    Failure,
    failing_count,
    failure_groups,
    generated_failures,
    stored_failures,
)
from urlharness.results.model import Example, Participant, Result, Tally
from urlharness.results.verdict import Outcome

LIB = Participant("lib", "ran", specs=("rfc3986",))


def failed(make_case, record, name="rfc3986-3.3-x", *participants, **fields):
    """Return a run of one failing case, and the failure."""
    result = Result(name, "lib", **{"outcome": "fail", **fields})
    results = record([make_case(name)], *(participants or (LIB,)), result)
    (found,) = stored_failures(results, results.participants[0])
    return results, found


def test_a_failure_in_words(make_case, record):
    _, found = failed(make_case, record, detail="odd")
    assert found.question == "validate: rule <URI>, url <a:b>"
    assert (found.expected, found.got, found.why) == ("valid", "odd", "odd")
    assert found.command == "urlconform repro rfc3986-3.3-x -a lib"


def test_the_command_has_the_corpus_and_timeouts_of_the_run(make_case, record):
    results, found = failed(make_case, record)
    header = msgspec.structs.replace(results.header, vectors="my file.json", timeout=2.5)
    found = found._replace(run=msgspec.structs.replace(results, header=header))
    assert found.command == "urlconform repro rfc3986-3.3-x -a lib --vectors 'my file.json' --timeout 2.5"
    generated = found._replace(result=msgspec.structs.replace(found.result, id="complete-rfc3986-URI-1"))
    assert "--vectors" not in generated.command


def test_stderr_explains_an_abnormal_end_only(make_case, record):
    _, crash = failed(make_case, record, outcome="crash", detail="exit code 1", stderr="a\nKeyError: 'x'\n")
    assert crash.why == "exit code 1; it wrote: KeyError: 'x'"
    _, fail = failed(make_case, record, detail="odd", stderr="KeyError: 'x'\n")
    assert fail.why == "odd"


def test_stderr_is_not_repeated(make_case, record):
    _, crash = failed(make_case, record, outcome="crash", detail="KeyError: 'x'", stderr="KeyError: 'x'\n")
    assert crash.why == "KeyError: 'x'"


def test_only_required_cases_of_claimed_rfcs_are_counted(make_case, record):
    cases = [
        make_case("rfc3986-3.3-x"),
        make_case("rfc2396-3.3-x"),
        make_case("rfc3986-3.3-y", binding="permitted-set", ruling="G-01"),
    ]
    results = record(cases, LIB, *(Result(case.vector.id, "lib", "fail") for case in cases))
    tally = Tally("lib", "p", "complete", "rfc3986", {Outcome.FAIL: 4}, {Outcome.FAIL: 3}, {}, "URI")
    other = msgspec.structs.replace(tally, spec="rfc2396")
    assert failing_count(msgspec.structs.replace(results, tallies=(tally, other)), LIB) == 4


def test_groups_are_by_section_and_class_and_keep_the_first_failures(make_case, record):
    cases = [make_case(f"rfc3986-3.3-{n}", **{"class": "a" if n else None}) for n in range(KEPT + 5)]
    cases.append(make_case("rfc3986-4-x"))
    results = record(cases, LIB, *(Result(case.vector.id, "lib", "fail") for case in cases))
    groups = failure_groups(results)
    assert [(one.place, one.class_, one.size, len(one.failures)) for one in groups] == [
        ("section 3.3", "a", KEPT + 4, KEPT),
        ("section 3.3", "", 1, 1),
        ("section 4", "", 1, 1),
    ]
    assert groups[0].failures[0].result.id == "rfc3986-3.3-1"


def test_claimed_rfcs_then_abnormal_ends_then_security_then_large_groups(make_case, record):
    kinds = {
        "rfc3986-1": ("fail", ()),
        "rfc3986-2": ("fail", ("security",)),
        "rfc3986-3": ("crash", ()),
        "rfc3986-4": ("fail", ()),
        "rfc3986-4.1": ("fail", ()),
        "rfc2396-5": ("crash", ("security",)),
    }
    cases, found = [], []
    for section, (outcome, flags) in kinds.items():
        for name in "ab" if section.endswith("-4") else "a":
            case = make_case(f"{section}-{name}")
            cases.append(type(case)(case.spec, case.section, case.vector, case.file, flags))
            found.append(Result(case.vector.id, "lib", outcome))
    order = [(one.spec, one.place.split()[1]) for one in failure_groups(record(cases, LIB, *found))]
    assert order == [
        ("rfc3986", "3"),
        ("rfc3986", "2"),
        ("rfc3986", "4"),
        ("rfc3986", "1"),
        ("rfc3986", "4.1"),
        ("rfc2396", "5"),
    ]


def test_a_part_without_a_number_is_called_by_its_heading(make_case, record):
    name = "rfc3986-addresses-x"
    results = record([make_case(name)], LIB, Result(name, "lib", "fail"), title="Authors' Addresses")
    (group,) = failure_groups(results)
    assert (group.place, group.title) == ("Authors' Addresses", "")


def test_generated_failures_are_a_group_for_each_rule(make_case, record):
    results, found = failed(make_case, record)
    asked = msgspec.structs.replace(found.asked, title="complete-rfc3986-URI")
    counts = {Outcome.PASS: 5, Outcome.FAIL: 2}
    tally = Tally("lib", asked.title, "complete", "rfc3986", counts, counts, {}, "URI")
    examples = (Example(asked, found.result),)
    results = msgspec.structs.replace(results, tallies=(tally,), examples=examples)
    assert generated_failures(results) == {("lib", asked.title): [Failure(asked, found.result, results)]}
    generated, stored = failure_groups(results)
    assert (generated.place, generated.size, len(generated.failures)) == ("URI, tier complete", 2, 1)
    assert stored.place == "section 3.3"
