"""Failures: what is said about one, and groups of them in their order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import pytest

from urlharness.corpus.lock import locked_vector
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import FORMAT, Baseline, Entry
from urlharness.gate.differences import Before, difference
from urlharness.gate.gate import Judgement, decide
from urlharness.report.failures import (
    KEPT,
    Failure,
    NewFinding,
    failure_groups,
    generated_failures,
    groups_of_new_findings,
    known_failures_in_words,
    new_findings,
    severity,
    stored_failures,
    wrong_component,
)
from urlharness.results.model import Example, Participant, Result, Tally
from urlharness.results.verdict import Outcome

LIB = Participant("lib", "ran", specs=("rfc3986",))


def failed(make_case, record, *, vector=MappingProxyType({}), **fields):
    """Return a run of one failing case, and the failure; `vector` has fields of the case."""
    name = "rfc3986-3.3-x"
    answer = Result(name, "lib", **{"outcome": "fail", **fields})
    results = record([make_case(name, **vector)], LIB, answer)
    (failure,) = stored_failures(results, results.participants[0])
    return results, failure


def test_a_failure_has_its_question_both_answers_and_a_command(make_case, record):
    fields = {"url": "x:y", "rule": "URI-reference", "expect": {"valid": False, "at": 2}}
    _, failure = failed(make_case, record, detail="accepted", vector=fields)
    assert failure.question == "validate: rule <URI-reference>, url <x:y>"
    assert failure.expected == "invalid at 2"
    assert failure.got == "accepted"
    assert failure.command == "urlconform repro rfc3986-3.3-x -a lib"


@pytest.fixture
def own_corpus_failure(make_case, record):
    """A failure of a run with vectors and a timeout of the user."""
    results, failure = failed(make_case, record)
    header = msgspec.structs.replace(results.header, vectors="my file.json", timeout=2.5)
    return failure._replace(run=msgspec.structs.replace(results, header=header))


def test_the_command_of_a_failure_has_the_corpus_and_the_timeout_of_the_run(own_corpus_failure):
    command = "urlconform repro rfc3986-3.3-x -a lib --vectors 'my file.json' --timeout 2.5"
    assert own_corpus_failure.command == command


def test_the_command_of_a_generated_failure_has_no_corpus(own_corpus_failure):
    answer = msgspec.structs.replace(own_corpus_failure.result, id="complete-rfc3986-URI-1")
    assert "--vectors" not in own_corpus_failure._replace(result=answer).command


def test_the_last_line_of_stderr_explains_a_crash(make_case, record):
    _, crash = failed(make_case, record, outcome="crash", detail="exit code 1", stderr="a\nKeyError: 'x'\n")
    assert crash.got_with_stderr == "exit code 1; it wrote: KeyError: 'x'"


def test_stderr_does_not_explain_a_wrong_answer(make_case, record):
    _, wrong = failed(make_case, record, detail="odd", stderr="KeyError: 'x'\n")
    assert wrong.got_with_stderr == "odd"


def test_stderr_is_not_repeated(make_case, record):
    _, crash = failed(make_case, record, outcome="crash", detail="KeyError: 'x'", stderr="KeyError: 'x'\n")
    assert crash.got_with_stderr == "KeyError: 'x'"


def invalid(url, at, **fields):
    """Return the fields of a vector about security: a URL that is invalid from this offset on."""
    return {"flags": ("security",), "url": url, "expect": {"valid": False, "at": at}, **fields}


class SeriousFailure(NamedTuple):
    """Fields of a vector, fields of the result, and the component that is wrong."""

    vector: Mapping[str, Any] = {}
    answer: Mapping[str, Any] = {}
    component: str = ""


SECURITY = {"flags": ("security",)}
PARSED = SECURITY | {
    "op": "parse",
    "url": "http://h/p",
    "expect": {"components": {"host": "h", "path": "/p"}},
}
RESOLVED = SECURITY | {
    "op": "resolve",
    "base": "http://a/b",
    "reference": "?q",
    "expect": {"result": "http://a/b?q"},
}

#: The most serious first.
SEVERITIES = {
    "crash": SeriousFailure(SECURITY, {"outcome": "crash"}),
    "empty-host": SeriousFailure(invalid("http://:80/x", 7), component="host"),
    "host": SeriousFailure(invalid("http://u@a_b/", 10), component="host"),
    "parsed-host": SeriousFailure(
        PARSED, {"got": {"status": "ok", "components": {"host": "", "path": ""}}}, component="host"
    ),
    "userinfo": SeriousFailure(invalid("http://a@b@c/", 10), component="userinfo"),
    "port": SeriousFailure(invalid("http://h:8x/", 10), component="port"),
    "rejected-port": SeriousFailure(SECURITY | {"rule": "port"}, component="port"),
    "path": SeriousFailure(invalid("http://h/a b?c", 10), component="path"),
    "resolved": SeriousFailure(RESOLVED, {"got": {"status": "ok", "url": "http://a/b"}}, component="query"),
    "plain-host": SeriousFailure(invalid("http://a_b/", 8, flags=()), component="host"),
    "other-a": SeriousFailure(),
    "other-b": SeriousFailure(),
    "witness": SeriousFailure(SECURITY | {"origin": "mutant"}, {"outcome": "crash"}),
}


@pytest.fixture
def serious_failures(make_case, record):
    """The failures of the table by name, in reverse order."""
    cases = []
    answers = []
    for name, failure in reversed(SEVERITIES.items()):
        case = make_case(f"rfc3986-3.3-{name}", **failure.vector)
        cases.append(msgspec.structs.replace(case, flags=case.vector.flags))
        answers.append(Result(case.vector.id, "lib", **{"outcome": "fail", **failure.answer}))
    lib = msgspec.structs.replace(LIB, features=("absent-vs-empty",))
    results = record(cases, lib, *answers)
    return {failure.result.id.rpartition("3.3-")[2]: failure for failure in stored_failures(results, lib)}


def test_the_most_serious_failure_comes_first(serious_failures):
    assert sorted(serious_failures, key=lambda name: severity(serious_failures[name])) == list(SEVERITIES)


@pytest.mark.parametrize("name", SEVERITIES)
def test_the_wrong_component_of_a_failure_is_known(serious_failures, name):
    assert wrong_component(serious_failures[name]) == SEVERITIES[name].component


def test_a_group_of_witnesses_comes_last(make_case, record):
    human = make_case("rfc3986-3.3-x")
    ids = ("rfc3986-4.1-a", "rfc3986-4.1-b", "rfc3986-4.2-c", "rfc3986-4.2-d")
    witnesses = [make_case(name, origin="mutant", **{"class": "a"}) for name in ids]
    cases = [*witnesses, human]
    results = record(cases, LIB, *(Result(case.vector.id, "lib", "fail") for case in cases))
    assert [group.place for group in failure_groups(results)] == ["section 3.3", "section 4.1", "section 4.2"]


def test_a_group_begins_with_its_most_serious_failure(make_case, record):
    cases = [make_case("rfc3986-3.3-a", origin="mutant"), make_case("rfc3986-3.3-b")]
    results = record(cases, LIB, *(Result(case.vector.id, "lib", "fail") for case in cases))
    (group,) = failure_groups(results)
    assert [failure.result.id for failure in group.failures] == ["rfc3986-3.3-b", "rfc3986-3.3-a"]


@pytest.fixture
def groups_of_failures(record):
    """Return a function that groups the failures of cases; `outcomes` has other outcomes than `fail`."""

    def group(cases, outcomes=MappingProxyType({})):
        answers = []
        for case in cases:
            outcome = outcomes.get(case.vector.id, "fail")
            answers.append(Result(case.vector.id, "lib", outcome))
        return failure_groups(record(cases, LIB, *answers))

    return group


def test_failures_are_grouped_by_section_and_class(make_case, groups_of_failures):
    cases = [
        make_case("rfc3986-3.3-a", **{"class": "a"}),
        make_case("rfc3986-3.3-b", **{"class": "a"}),
        make_case("rfc3986-3.3-c"),
        make_case("rfc3986-4-d"),
    ]
    ids_of_groups = [[failure.result.id for failure in group.failures] for group in groups_of_failures(cases)]
    assert ids_of_groups == [["rfc3986-3.3-a", "rfc3986-3.3-b"], ["rfc3986-3.3-c"], ["rfc3986-4-d"]]


def test_a_group_keeps_only_its_first_failures(make_case, groups_of_failures):
    cases = [make_case(f"rfc3986-3.3-{number:02}") for number in range(KEPT + 1)]
    (group,) = groups_of_failures(cases)
    assert group.size == KEPT + 1
    assert [failure.result.id for failure in group.failures] == [case.vector.id for case in cases[:KEPT]]


def test_groups_come_by_claim_then_abnormal_end_then_security_then_size(make_case, groups_of_failures):
    """`LIB` claims RFC 3986 only."""
    outcomes = {
        "rfc3986-1-one-failure": "fail",
        "rfc3986-2-security": "fail",
        "rfc3986-3-crash": "crash",
        "rfc3986-4-first-of-two": "fail",
        "rfc3986-4-second-of-two": "fail",
        "rfc2396-5-not-claimed": "crash",
    }
    cases = [make_case(name) for name in outcomes]
    number = [*outcomes].index("rfc3986-2-security")
    cases[number] = msgspec.structs.replace(cases[number], flags=("security",))
    assert [group.failures[0].result.id for group in groups_of_failures(cases, outcomes)] == [
        "rfc3986-3-crash",
        "rfc3986-2-security",
        "rfc3986-4-first-of-two",
        "rfc3986-1-one-failure",
        "rfc2396-5-not-claimed",
    ]


def test_a_part_without_a_number_is_called_by_its_heading(make_case, record):
    name = "rfc3986-addresses-x"
    results = record([make_case(name)], LIB, Result(name, "lib", "fail"), title="Authors' Addresses")
    (group,) = failure_groups(results)
    assert group.place == "Authors' Addresses"
    assert group.title == ""


@pytest.fixture
def generated_run(make_case, record):
    """A run of one failing vector, and of a rule with two failing generated cases, of which one is kept."""
    results, failure = failed(make_case, record)
    asked_vector = msgspec.structs.replace(failure.asked, title="complete-rfc3986-URI")
    counts = {Outcome.PASS: 5, Outcome.FAIL: 2}
    tally = Tally("lib", asked_vector.title, "complete", "rfc3986", counts, counts, {}, "URI")
    examples = (Example(asked_vector, failure.result),)
    return msgspec.structs.replace(results, tallies=(tally,), examples=examples)


def test_the_kept_failures_of_generated_cases_are_those_of_their_part(generated_run):
    (example,) = generated_run.examples
    assert generated_failures(generated_run) == {
        ("lib", "complete-rfc3986-URI"): [Failure(example.asked, example.result, generated_run)]
    }


def test_the_failures_of_a_generated_rule_are_a_group(generated_run):
    groups = failure_groups(generated_run)
    assert [(group.place, group.size, len(group.failures)) for group in groups] == [
        ("URI, tier complete", 2, 1),
        ("section 3.3", 1, 1),
    ]


def test_a_failure_is_shown_in_full(make_case, record):
    _, failure = failed(make_case, record, detail="got 'x:'")
    assert failure.labelled_facts() == [
        ("input", "validate: rule <URI>, url <a:b>"),
        ("expected", "valid"),
        ("got", "'x:'"),
        ("statement", "It is so. (rfc3986-3.3-y)"),
        ("section", "RFC 3986, section 3.3, paragraph 1"),
        ("repeat", "urlconform repro rfc3986-3.3-x -a lib"),
    ]


def test_a_failure_is_shown_with_the_answer_before(make_case, record):
    _, failure = failed(make_case, record, detail="got 'x:'")
    assert ("before", "answered") in failure.labelled_facts("answered")


@pytest.mark.parametrize(
    ("outcome", "detail", "text"),
    [("crash", "exit code 1", "crash: exit code 1"), ("no-answer", "", "no-answer")],
)
def test_a_failure_without_an_answer_is_shown_by_its_outcome(make_case, record, outcome, detail, text):
    _, failure = failed(make_case, record, outcome=outcome, detail=detail)
    assert dict(failure.labelled_facts())["got"] == text


@pytest.fixture
def judged_run(make_case, record):
    """Return a function that makes a run with a finding of each kind, judged with or without a baseline.

    It returns the results and the judgement.
    """

    def judge(*, baseline: bool):
        names = ("known", "changed", "stale", "new", "lost", "moved")
        cases = {name: make_case(f"rfc3986-3.3-{name}") for name in names}
        cases["other"] = make_case("rfc1808-2-other")
        cases["witness"] = make_case("rfc3986-3.3-witness", origin="mutant")
        outcomes = dict.fromkeys(cases, "fail") | {"stale": "pass", "lost": "unsupported"}
        answers = [
            Result(case.vector.id, "lib", Outcome(outcomes[name]), got={"status": "reject"})
            for name, case in cases.items()
        ]
        run = record(list(cases.values()), LIB, *answers)
        rejected = {"status": "reject"}
        digests = {name: locked_vector(case).digest for name, case in cases.items()}
        entries = (
            Entry(cases["known"].vector.id, "fail", rejected, digests["known"]),
            Entry(cases["changed"].vector.id, "fail", {"status": "ok"}, digests["changed"], "#7"),
            Entry(cases["stale"].vector.id, "fail", rejected, digests["stale"]),
            Entry(cases["moved"].vector.id, "fail", rejected, "0" * 12),
            Entry("rfc3986-3.3-gone", "fail", rejected, "0" * 12),
        )
        answered = {"rfc3986": {"validate": 7, "base": 2}}
        listed = Baseline(FORMAT, run.header.corpus, "lib", ("rfc3986",), entries, answered)
        baselines = {"lib": listed} if baseline else {}
        corpus_ids = [case.vector.id for case in cases.values()]
        (judgement,) = decide(run, ["lib"], baselines=baselines, corpus_ids=corpus_ids).judgements
        return run, judgement

    return judge


#: The kind of each new finding, the last word of its id, and its text, in their order.
NEW_FINDINGS = [
    ("changed", "changed", "listed as fail (#7): accepted"),
    ("lost", "lost", "answered right, now not offered"),
    ("moved", "moved", "listed as fail: rejected; the vector has changed since"),
    ("regression", "new", ""),
    ("unknown id", "gone", "the baseline lists it, and the corpus does not have it"),
    ("coverage", "rfc3986 base", "2 vectors were answered, now 0"),
    ("regression", "witness", ""),
]


def test_new_findings_are_sorted_and_leave_out_what_is_known(judged_run):
    """Witnesses are last; a vector that passes or fails as listed is not new."""
    shown_findings = new_findings(*judged_run(baseline=True))
    order = [(finding.kind, finding.id.rpartition("-")[2], finding.text) for finding in shown_findings]
    assert order == NEW_FINDINGS


def test_only_a_new_finding_about_a_vector_of_the_corpus_has_a_failure(judged_run):
    shown_findings = new_findings(*judged_run(baseline=True))
    without_failure = [finding.kind for finding in shown_findings if finding.failure is None]
    assert without_failure == ["unknown id", "coverage"]


def test_known_failures_are_counted(judged_run):
    assert known_failures_in_words(*judged_run(baseline=True)) == "lib: 1 known failure, all in the baseline"


def test_without_a_baseline_every_failure_under_a_judged_rfc_is_new(judged_run):
    results, judgement = judged_run(baseline=False)
    shown_findings = new_findings(results, judgement)
    names = [finding.id.rpartition("-")[2] for finding in shown_findings]
    assert names == ["changed", "known", "moved", "new", "witness"]
    assert {finding.kind for finding in shown_findings} == {"failure"}


def test_without_a_baseline_no_failure_is_known(judged_run):
    assert known_failures_in_words(*judged_run(baseline=False)) == ""


#: The groups of the findings of `judged_run` with a baseline: heading, and the last word of each id.
GROUPS = [
    ("valid URI rejected in 4 answers", ["new", "witness", "changed", "moved"]),
    ("validate not offered any more for 1 question", ["lost"]),
    ("coverage lost for 1 operation", ["rfc3986 base"]),
    ("no such vector for 1 id", ["gone"]),
]


def test_findings_are_grouped_by_what_differs_with_regressions_before_lost_and_changed(judged_run):
    groups = groups_of_new_findings(*judged_run(baseline=True))
    shown_groups = [
        (group.heading, [finding.id.rpartition("-")[2] for finding in group.findings]) for group in groups
    ]
    assert shown_groups == GROUPS


def test_a_group_counts_its_findings_by_kind(judged_run):
    first, *_ = groups_of_new_findings(*judged_run(baseline=True))
    assert first.kinds == "2 regressions, 1 changed, 1 moved"
    assert first.rest == "3 more of the same: 1 regression, 1 changed, 1 moved"


def test_a_group_without_a_baseline_counts_no_kinds(judged_run):
    (group,) = groups_of_new_findings(*judged_run(baseline=False))
    assert group.kinds == ""
    assert group.rest == "4 more of the same"


FRAGMENT = {"op": "parse", "expect": {"components": {"path": "", "fragment": "f"}}}
LOSES_FRAGMENT = {"status": "ok", "components": {"path": "", "fragment": None}}


@pytest.fixture
def groups_of(make_case, record):
    """Return a function that groups vectors, by id, that a library without fragments gets wrong.

    `statements` maps ids to the statement that their requirement has instead of one about no component.
    """

    def group(vectors, statements=MappingProxyType({})):
        cases = [make_case(name, **{**FRAGMENT, **fields}) for name, fields in vectors.items()]
        lib = msgspec.structs.replace(LIB, features=("absent-vs-empty",))
        answers = [Result(name, "lib", Outcome.FAIL, got=LOSES_FRAGMENT) for name in vectors]
        results = record(cases, lib, *answers)
        asked_vectors = {}
        for name, asked_vector in results.vectors.items():
            statement = statements.get(name, "It is so.")
            requirement = msgspec.structs.replace(asked_vector.requirement, statement=statement)
            asked_vectors[name] = msgspec.structs.replace(asked_vector, requirement=requirement)
        results = msgspec.structs.replace(results, vectors=asked_vectors)
        (judgement,) = decide(results, ["lib"]).judgements
        return groups_of_new_findings(results, judgement)

    return group


VECTOR_A = "rfc3986-3.3-a"
VECTOR_B = "rfc3986-3.3-b"
LONG = {"url": "http://h/#f"}
SHORT = {"url": "#f"}
EMPTY_FRAGMENT = {"url": "#", "expect": {"components": {"path": "", "fragment": ""}}}
ABOUT_FRAGMENTS = "The fragment is last."


class ExampleRow(NamedTuple):
    """Two vectors of a group, the id of its example, and the statements that are not those of all vectors."""

    vectors: Mapping[str, Any]
    example: str
    statements: Mapping[str, str] = MappingProxyType({})


#: Without the criterion of a row, vector A would be the example: its question is shorter, or its id is first.
EXAMPLES = {
    "the-shortest": ExampleRow({VECTOR_A: LONG, VECTOR_B: SHORT}, example=VECTOR_B),
    "a-human-made-one": ExampleRow(
        {VECTOR_A: {**SHORT, "origin": "mutant"}, VECTOR_B: LONG}, example=VECTOR_B
    ),
    "one-whose-statement-is-about-it": ExampleRow(
        {VECTOR_A: SHORT, VECTOR_B: LONG}, example=VECTOR_B, statements={VECTOR_B: ABOUT_FRAGMENTS}
    ),
    "one-that-is-no-special-case": ExampleRow(
        {VECTOR_A: EMPTY_FRAGMENT, VECTOR_B: LONG}, example=VECTOR_B, statements={VECTOR_A: ABOUT_FRAGMENTS}
    ),
    "one-whose-answer-has-the-component": ExampleRow(
        {VECTOR_A: EMPTY_FRAGMENT, VECTOR_B: {**LONG, "origin": "mutant"}},
        example=VECTOR_B,
        statements={VECTOR_A: ABOUT_FRAGMENTS},
    ),
}


@pytest.mark.parametrize("row", EXAMPLES.values(), ids=EXAMPLES)
def test_the_example_of_a_group_is_its_clearest_failure(groups_of, row):
    (group,) = groups_of(row.vectors, row.statements)
    assert group.example.id == row.example


def test_the_example_of_a_component_that_is_not_exposed_has_that_component(make_case, record):
    ports = {"rfc3986-3.3-a": None, "rfc3986-3.3-b": "80"}
    cases = [
        make_case(name, op="parse", url="//h:80", expect={"components": {"host": "h", "port": port}})
        for name, port in ports.items()
    ]
    got = {"status": "ok", "components": {"host": "h"}}
    results = record(cases, LIB, *(Result(name, "lib", Outcome.PARTIAL, got=got) for name in ports))
    findings = []
    for name, port in ports.items():
        asked_vector = results.vectors[name]
        answer = results.of("lib")[name]
        locked = Before({}, {"port": port})
        failure = Failure(asked_vector, answer, results)
        findings.append(NewFinding("lost", name, failure, difference(asked_vector.case, answer, (), locked)))
    assert min(findings, key=lambda finding: finding.clarity_key).id == "rfc3986-3.3-b"


def test_a_group_of_special_cases_is_named_for_them(groups_of):
    (group,) = groups_of({VECTOR_A: EMPTY_FRAGMENT, VECTOR_B: EMPTY_FRAGMENT})
    assert group.heading == "empty fragment missing in 2 answers"


def test_a_group_with_an_ordinary_case_is_not_named_for_the_special_ones(groups_of):
    (group,) = groups_of({VECTOR_A: EMPTY_FRAGMENT, VECTOR_B: LONG})
    assert group.heading == "fragment missing in 2 answers"


def test_a_dead_adapter_has_no_known_failures(make_case, record):
    dead = Participant("lib", "dead", message="no hello")
    results = record([make_case("rfc3986-3.3-x")], dead)
    listed = Baseline(FORMAT, results.header.corpus, "lib", ("rfc3986",), (), {})
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}).judgements
    assert known_failures_in_words(results, judgement) == ""


def test_a_failure_that_the_gate_passes_is_not_new(make_case, record):
    either = {"any": [{"valid": True}, {"valid": False}]}
    cases = [
        make_case("rfc3986-3.3-x", binding="permitted-set", expect=either),
        make_case("rfc3986-3.3-y"),
    ]
    answers = [
        Result("rfc3986-3.3-x", "lib", Outcome.FAIL),
        Result("rfc3986-3.3-y", "lib", Outcome.PASS),
    ]
    results = record(cases, LIB, *answers)
    (judgement,) = decide(results, ["lib"]).judgements
    assert new_findings(results, judgement) == []


@pytest.mark.parametrize(
    ("failing", "headings"),
    [
        pytest.param(
            9, ["error on 1 of the 3 shown", "valid URI rejected in 1 answer", "crash on 1 of the 3 shown"],
            id="some-left-out",
        ),
        pytest.param(
            2, ["error on 1 question", "valid URI rejected in 1 answer", "crash on 1 question"], id="all",
        ),
    ],
)  # fmt: skip
def test_a_group_of_generated_failures_says_of_how_many(make_case, record, failing, headings):
    """The results contain only the first failures of a generated part; the core is grouped as a whole."""
    stored = make_case("rfc3986-3.3-x")
    results = record([stored], LIB, Result(stored.vector.id, "lib", Outcome.FAIL, got={"status": "reject"}))
    examples = []
    for number, outcome in enumerate((Outcome.CRASH, Outcome.ERROR)):
        case = make_case(f"rfc3986-9.9-{number}")
        asked_vector = msgspec.structs.replace(results.vectors[stored.vector.id], case=case)
        examples.append(Example(asked_vector, Result(case.vector.id, "lib", outcome)))
    counts = {Outcome.CRASH: failing - 1, Outcome.ERROR: 1}
    tally = Tally("lib", "complete-rfc3986-URI", "complete", "rfc3986", counts, counts, {}, "URI")
    results = msgspec.structs.replace(results, tallies=(tally,), examples=tuple(examples))
    groups = groups_of_new_findings(results, Judgement("lib", Exit.FAILED, "gate failed"))
    assert sorted(group.heading for group in groups) == sorted(headings)
