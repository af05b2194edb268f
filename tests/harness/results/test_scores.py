"""Scores from results."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import floor

import pytest

from urlharness.corpus.model import case_kind
from urlharness.protocol.messages import Reply
from urlharness.results.model import Participant, Result
from urlharness.results.scores import (
    MINUS,
    NO_COMPONENTS,
    NOTHING,
    Answers,
    Mean,
    Rate,
    Score,
    State,
    Statement,
    by_component,
    by_section,
    by_spec,
    has_row,
    report_order,
    statements,
    youden,
)
from urlharness.results.verdict import Outcome, judge

RAN = Participant("a", "ran")


def results_of(record, cases, reply):
    """The results of an adapter that gives the same reply to every question."""
    results = [Result(case.vector.id, "a", *judge(case, reply, ())) for case in cases]
    return record(cases, RAN, *results)


@pytest.mark.parametrize(
    ("status", "accepted", "rejected"),
    [pytest.param("ok", 1, 0, id="accepts-all"), pytest.param("reject", 0, 1, id="rejects-all")],
)
def test_constant_answers_score_0(corpus, record, status, accepted, rejected):
    """In every RFC, and in every section that has both sides."""
    cases = [
        case for case in corpus.cases if case.vector.op == "validate" and case.vector.binding == "required"
    ]
    results = results_of(record, cases, Reply(0, status))
    for spec, row in by_spec(results).items():
        assert row["a"].accepted.value == accepted, spec
        assert row["a"].rejected.value == rejected, spec
    scores = [row["a"].j for rows in (by_spec(results), by_section(results)) for row in rows.values()]
    assert set(scores) <= {0.0, None}
    assert scores.count(0.0) > 50
    assert not any(row["a"].complies for row in by_spec(results).values())


def test_a_perfect_adapter_scores_1(corpus, record):
    cases = [case for case in corpus.cases if case.vector.binding == "required"]
    results = record(cases, RAN, *(Result(case.vector.id, "a", Outcome.PASS) for case in cases))
    for row in by_spec(results).values():
        assert row["a"].j == 1.0
        assert row["a"].complies
        assert row["a"].failing == 0
        assert row["a"].coverage.value == 1.0


VALID, INVALID = {"expect": {"valid": True}}, {"expect": {"valid": False, "at": 0}}


PARSE = {"op": "parse", "expect": {"components": {"path": "b"}}}


RESOLVE = {"op": "resolve", "base": "a:b", "reference": "c", "expect": {"result": "d"}}


SET = {"any": [{"result": "d"}, {"result": "e", "variant": "x"}]}


#: A vector and its outcome; then the rates it counts in, each as passed of total.
TABLE = [
    pytest.param(
        VALID, "pass", {"accepted": (1, 1), "coverage": (1, 1), "compliance": (1, 1)}, id="valid-pass"
    ),
    pytest.param(
        VALID, "fail", {"accepted": (0, 1), "coverage": (1, 1), "compliance": (0, 1)}, id="valid-fail"
    ),
    pytest.param(
        VALID, "crash", {"accepted": (0, 1), "coverage": (0, 1), "compliance": (0, 1)}, id="valid-crash"
    ),
    pytest.param(VALID, "unsupported", {"coverage": (0, 1), "compliance": (0, 1)}, id="valid-unsupported"),
    pytest.param(
        INVALID, "pass", {"rejected": (1, 1), "coverage": (1, 1), "compliance": (1, 1)}, id="invalid-pass"
    ),
    pytest.param(
        INVALID, "timeout", {"rejected": (0, 1), "coverage": (0, 1), "compliance": (0, 1)}, id="timeout"
    ),
    pytest.param(
        PARSE, "pass", {"components": (1, 1), "coverage": (1, 1), "compliance": (1, 1)}, id="parse-pass"
    ),
    pytest.param(
        PARSE, "partial", {"components": (0, 1), "coverage": (1, 1), "compliance": (0, 1)}, id="partial"
    ),
    pytest.param(
        RESOLVE, "pass", {"results": (1, 1), "coverage": (1, 1), "compliance": (1, 1)}, id="resolve-pass"
    ),
    pytest.param(
        RESOLVE | {"binding": "permitted-set", "expect": SET, "ruling": "G-01"},
        "variant",
        {"results": (1, 1), "coverage": (1, 1)},
        id="permitted-variant",
    ),
    pytest.param(
        RESOLVE | {"binding": "impl-defined", "expect": SET, "ruling": "G-01"},
        "variant",
        {"coverage": (1, 1)},
        id="impl-defined-is-in-no-rate",
    ),
    pytest.param(
        RESOLVE | {"level": "should"},
        "fail",
        {"results": (0, 1), "coverage": (1, 1)},
        id="should-does-not-oblige",
    ),
    pytest.param(
        RESOLVE | {"binding": "literal-only", "ruling": "G-01"},
        "fail",
        {"coverage": (1, 1)},
        id="literal-only-is-in-no-rate",
    ),
    pytest.param(RESOLVE | {"level": "may"}, "pass", {"results": (1, 1), "coverage": (1, 1)}, id="may"),
    pytest.param(RESOLVE | {"level": "note"}, "pass", {"results": (1, 1), "coverage": (1, 1)}, id="note"),
    pytest.param(
        RESOLVE | {"level": "example"},
        "pass",
        {"results": (1, 1), "coverage": (1, 1), "compliance": (1, 1)},
        id="example-obliges",
    ),
]


def score_of(*counted):
    """The score of (kind, outcome) pairs that are vectors of one statement."""
    score = Score()
    statement = Statement("rfc3986-3.3-p1", "rfc3986", "3.3")
    for kind, outcome in counted:
        score.count(kind, Outcome(outcome))
        statement.count(kind, Outcome(outcome))
    score.add(statement)
    return score


@pytest.mark.parametrize(("fields", "outcome", "expected"), TABLE)
def test_an_outcome_counts_in_its_rates(make_case, fields, outcome, expected):
    score = Score()
    statement = Statement("rfc3986-3.3-p1", "rfc3986", "3.3")
    kind = case_kind(make_case("rfc3986-3.3-x", **fields))
    score.count(kind, Outcome(outcome))
    statement.count(kind, Outcome(outcome))
    rates = {**statement.rates, "coverage": score.coverage, "compliance": score.compliance}
    assert {name: (rate.passed, rate.total) for name, rate in rates.items() if rate.total} == expected


def test_failing_counts_required_vectors_only(make_case):
    score = score_of(
        (case_kind(make_case("rfc3986-3.3-x")), "garbage"),
        (case_kind(make_case("rfc3986-3.3-y", **RESOLVE, binding="permitted-set")), "fail"),
        (case_kind(make_case("rfc3986-3.3-z", **PARSE)), "partial"),
    )
    assert score.failing == 1
    assert score.required == Answers(right=0, wrong=1, partial=1, unsupported=0)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_outcomes_that_count_as_answers(make_case, outcome):
    """A crash, a timeout, garbage and an aborted case are no answers."""
    score = score_of((case_kind(make_case("rfc3986-3.3-x")), outcome))
    assert score.coverage == Rate(outcome in ("pass", "variant", "partial", "fail"), 1)


STATES = [
    pytest.param({"required": ["pass", "variant"]}, State.HELD, id="all-pass"),
    pytest.param({"required": ["pass", "fail", "unsupported"]}, State.FAILED, id="one-fails"),
    pytest.param({"required": ["unsupported", "crash"]}, State.FAILED, id="one-crashes"),
    pytest.param({"required": ["unsupported", "unsupported"]}, State.OPEN, id="none-answered"),
    pytest.param({"required": ["pass", "unsupported"]}, State.PARTLY, id="one-of-two"),
    pytest.param({"required": ["pass", "partial"]}, State.PARTLY, id="partial"),
    pytest.param({"required": ["partial"]}, State.PARTLY, id="only-partial"),
    pytest.param({"required": ["pass"], "unspecified": ["fail"]}, State.HELD, id="unspecified-never-fails"),
    pytest.param({"required": ["pass"], "impl-defined": ["fail"]}, State.HELD, id="impl-defined-never-fails"),
    pytest.param({"required": ["pass"], "literal-only": ["fail"]}, State.HELD, id="literal-only-never-fails"),
    pytest.param({"required": ["pass"], "permitted-set": ["fail"]}, State.HELD, id="permitted-set"),
    pytest.param({"impl-defined": ["pass"], "unspecified": ["fail"]}, None, id="not-scored"),
]


@pytest.mark.parametrize(("outcomes", "state"), STATES)
def test_the_state_of_a_statement_depends_on_its_required_vectors(make_case, outcomes, state):
    score = score_of(
        *(
            (case_kind(make_case("rfc3986-3.3-x", binding=binding, ruling="G-01")), outcome)
            for binding, binding_outcome in outcomes.items()
            for outcome in binding_outcome
        )
    )
    assert score.states == ({state: 1} if state else {})
    assert score.unscored == (state is None)


def test_a_mean_weighs_each_statement_alike(make_case):
    """400 witnesses of one production and one vector of another: half of the mean each."""
    many = [case_kind(make_case("rfc3986-3.3-x", origin="mutant"))] * 400
    score = Score()
    for kinds, outcome in ((many, "fail"), (many[:1], "pass")):
        statement = Statement("", "rfc3986", "3.3")
        for kind in kinds:
            statement.count(kind, Outcome(outcome))
        score.add(statement)
    assert score.accepted.value == 0.5
    assert score.required.wrong == 400
    assert score.witnesses.total == 401
    assert score.held == Rate(1, 2)


def test_each_requirement_with_vectors_is_a_statement(corpus, record):
    """Each requirement with vectors is one statement; 37 of them have no required vector."""
    results = record(corpus.cases, RAN, *(Result(case.vector.id, "a", Outcome.PASS) for case in corpus.cases))
    states_found = statements(results, "a")
    assert {state.requirement for state in states_found} == {case.vector.requirement for case in corpus.cases}
    required = {case.vector.requirement for case in corpus.cases if case.vector.binding == "required"}
    assert {state.requirement for state in states_found if state.state} == required
    scores = [row["a"] for row in by_spec(results).values()]
    assert sum(score.unscored for score in scores) == len(states_found) - len(required) > 30
    assert sum(score.statements for score in scores) == len(required)
    assert scores[0].states == Counter({State.HELD: scores[0].statements})


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("References", False),
        ("Informative References", False),
        ("Authors' Addresses", False),
        ("Editors' Addresses", False),
        ("URI References", True),
        ("Security Considerations", True),
        ("IPv6 Address Format", True),
    ],
)
def test_references_and_addresses_have_no_row(title, expected):
    assert has_row(title) is expected


def test_components_are_counted_apart(make_case, record):
    """Right, wrong and not exposed for each component; a rejected URL has no components."""
    expect = {"components": {"scheme": "a", "host": "b", "query": None}}
    alternatives = {"any": [{"components": {"host": "x"}}, {"components": {"host": "y"}, "variant": "v"}]}
    cases = [
        make_case("rfc3986-3.3-x", op="parse", expect=expect),
        make_case("rfc3986-3.3-y", op="parse", expect=expect),
        make_case("rfc3986-3.3-z", op="parse", expect=expect),
        make_case("rfc3986-3.3-either", op="parse", expect=alternatives),
        make_case("rfc3986-3.3-free", op="parse", expect=expect, binding="impl-defined", ruling="G-01"),
    ]
    wrong = {"components": {"scheme": "a", "host": "c"}}
    results = record(
        cases,
        RAN,
        Result("rfc3986-3.3-x", "a", Outcome.FAIL, got=wrong),
        Result("rfc3986-3.3-y", "a", Outcome.FAIL, got={"status": "reject"}),
        Result("rfc3986-3.3-z", "a", Outcome.UNSUPPORTED),
        Result("rfc3986-3.3-either", "a", Outcome.VARIANT, got={"components": {"host": "y"}}),
        Result("rfc3986-3.3-free", "a", Outcome.VARIANT, got=wrong),
    )
    rows = by_component(results)["rfc3986"]
    assert list(rows) == ["scheme", "host", "query", NO_COMPONENTS]
    assert rows["scheme"]["a"] == Answers(right=1)
    assert rows["host"]["a"] == Answers(right=1, wrong=1)
    assert rows["query"]["a"] == Answers(partial=1)
    assert rows[NO_COMPONENTS]["a"] == Answers(wrong=1, unsupported=1)


@pytest.mark.parametrize("parts", [100, 1000])
def test_rates_are_cut_by_integers(parts):
    """Binary fractions make 57 percent of 29 in 50."""
    for total in range(1, 201):
        for passed in range(total + 1):
            rate = Rate(passed, total)
            mean = Mean()
            mean.add(rate)
            assert rate.floor(parts) == mean.floor(parts) == floor(Fraction(passed, total) * parts)
    assert Rate(29, 50).floor(100) == 58


def test_nothing_to_rate_has_no_rate():
    assert Rate().value is None
    assert Rate().floor(100) is None
    assert Score().j is None
    assert not Score().complies


def test_a_single_side_has_no_j(make_case):
    score = score_of((case_kind(make_case("rfc3986-3.3-x")), "pass"))
    assert score.accepted.value == 1.0
    assert score.rejected.value is None
    assert score.j is None


@pytest.mark.parametrize(
    ("accepted", "rejected", "text"),
    [
        ((9, 9), (9, 9), "1.00"),
        ((999, 1000), (9, 9), "0.99"),
        ((9, 9), (0, 9), "0.00"),
        ((0, 9), (0, 9), f"{MINUS}1.00"),
        ((1, 3), (0, 1), f"{MINUS}0.67"),
        ((1, 3), (1, 3), f"{MINUS}0.34"),
        ((0, 0), (9, 9), NOTHING),
        ((499, 1000), (1, 2), f"{MINUS}0.01"),
        ((29, 50), (1, 2), "0.08"),
    ],
)
def test_j_is_rounded_down(accepted, rejected, text):
    score = Score()
    score.accepted.add(Rate(*accepted))
    score.rejected.add(Rate(*rejected))
    assert youden(score) == text


def test_sections_come_in_their_natural_order(make_case, record):
    sections = ["D.2", "10", "3.10", "A", "3.2.1", "3", "front", "3.2"]
    cases = [make_case(f"rfc3986-{section}-x") for section in sections] + [make_case("rfc1738-9-x")]
    results = record(cases, RAN, *(Result(case.vector.id, "a", Outcome.PASS) for case in cases))
    order = [section for _, section in by_section(results)]
    assert order == ["3", "3.2", "3.2.1", "3.10", "10", "A", "D.2", "front", "9"]
    assert list(by_spec(results)) == ["rfc3986", "rfc1738"]
    assert report_order(cases[-1]) > report_order(cases[0])


def test_a_case_without_a_result_is_in_no_score(make_case, record):
    """After --maxfail an adapter has results of some cases only."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.4-x")]
    results = record(cases, RAN, Participant("b", "ran"), Result("rfc3986-3.3-x", "a", Outcome.PASS))
    assert list(by_section(results)["rfc3986", "3.3"]) == ["a"]
    assert by_section(results)["rfc3986", "3.4"] == {}
