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
    answers_by_component,
    has_row,
    report_order,
    scores_by_section,
    scores_by_spec,
    statements,
    youden_in_words,
)
from urlharness.results.verdict import Outcome, judge

RAN = Participant("a", "ran")


def results_of(record, cases, reply):
    """Return the results of an adapter that gives the same reply to every question."""
    results = [Result(case.vector.id, "a", *judge(case, reply, ())) for case in cases]
    return record(cases, RAN, *results)


@pytest.fixture
def constant_results(corpus, record):
    """Return a function that makes the results of an adapter that always gives the same reply.

    It is asked every eighth required text to validate.
    """

    def make(status):
        texts = [case for case in corpus.cases if case.vector.op == "validate"]
        cases = [case for case in texts if case.vector.binding == "required"]
        return results_of(record, cases[::8], Reply(0, status))

    return make


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("status", "accepted", "rejected"),
    [pytest.param("ok", 1, 0, id="accepts-all"), pytest.param("reject", 0, 1, id="rejects-all")],
)
def test_constant_answers_are_right_on_one_side_only(constant_results, status, accepted, rejected):
    scores = [row["a"] for row in scores_by_spec(constant_results(status)).values()]
    assert {score.accepted.value for score in scores} == {accepted}
    assert {score.rejected.value for score in scores} == {rejected}


@pytest.mark.parametrize("status", ["ok", "reject"], ids=["accepts-all", "rejects-all"])
@pytest.mark.parametrize("rows_of", [scores_by_spec, scores_by_section], ids=["by-rfc", "by-section"])
@pytest.mark.sampled(2)
def test_constant_answers_have_a_j_of_0(constant_results, status, rows_of):
    """It is None if there are only valid or only invalid texts."""
    scores = {row["a"].j for row in rows_of(constant_results(status)).values()}
    assert scores - {None} == {0.0}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("status", ["ok", "reject"], ids=["accepts-all", "rejects-all"])
def test_constant_answers_comply_with_no_rfc(constant_results, status):
    complying = [spec for spec, row in scores_by_spec(constant_results(status)).items() if row["a"].complies]
    assert complying == []


def test_a_perfect_adapter_has_j_and_coverage_of_1_and_complies(corpus, record):
    required = [case for case in corpus.cases if case.vector.binding == "required"]
    cases = required[::8]
    results = record(cases, RAN, *(Result(case.vector.id, "a", Outcome.PASS) for case in cases))
    scores = [row["a"] for row in scores_by_spec(results).values()]
    assert {score.j for score in scores} == {1.0}
    assert {score.coverage.value for score in scores} == {1.0}
    assert {score.failing for score in scores} == {0}
    assert {score.complies for score in scores} == {True}


VALID = {"expect": {"valid": True}}
INVALID = {"expect": {"valid": False, "at": 0}}
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
    """Return the score of (kind, outcome) pairs that are vectors of one statement."""
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


def test_only_required_vectors_count_as_failing(make_case):
    score = score_of(
        (case_kind(make_case("rfc3986-3.3-x")), "garbage"),
        (case_kind(make_case("rfc3986-3.3-y", **RESOLVE, binding="permitted-set")), "fail"),
        (case_kind(make_case("rfc3986-3.3-z", **PARSE)), "partial"),
    )
    assert score.failing == 1
    assert score.required == Answers(right=0, wrong=1, partial=1, unsupported=0)


ANSWERING_OUTCOMES = ("pass", "variant", "partial", "fail")


@pytest.mark.parametrize("outcome", ANSWERING_OUTCOMES)
def test_an_answer_counts_for_the_coverage(make_case, outcome):
    score = score_of((case_kind(make_case("rfc3986-3.3-x")), outcome))
    assert score.coverage == Rate(1, 1)


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome not in ANSWERING_OUTCOMES])
def test_an_outcome_without_an_answer_does_not_count_for_the_coverage(make_case, outcome):
    score = score_of((case_kind(make_case("rfc3986-3.3-x")), outcome))
    assert score.coverage == Rate(0, 1)


#: The outcomes of a statement by binding, and its state; without a state it is not scored.
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
]


@pytest.fixture
def score_of_statement(make_case):
    """Return a function that makes the score of a statement from the outcomes of its vectors by binding."""

    def make(outcomes):
        vectors = []
        for binding, outcomes_of_binding in outcomes.items():
            kind = case_kind(make_case("rfc3986-3.3-x", binding=binding, ruling="G-01"))
            vectors.extend((kind, outcome) for outcome in outcomes_of_binding)
        return score_of(*vectors)

    return make


@pytest.mark.parametrize(("outcomes", "state"), STATES)
def test_the_state_of_a_statement_depends_on_its_required_vectors(score_of_statement, outcomes, state):
    score = score_of_statement(outcomes)
    assert score.states == {state: 1}
    assert score.unscored == 0


def test_a_statement_without_a_required_vector_has_no_state(score_of_statement):
    score = score_of_statement({"impl-defined": ["pass"], "unspecified": ["fail"]})
    assert score.states == {}
    assert score.unscored == 1


@pytest.fixture
def uneven_score(make_case):
    """The score of 400 wrong witnesses of one production, and of one right vector of another."""
    witness = case_kind(make_case("rfc3986-3.3-x", origin="mutant"))
    score = Score()
    failed_statement = Statement("", "rfc3986", "3.3")
    for _ in range(400):
        failed_statement.count(witness, Outcome.FAIL)
    held_statement = Statement("", "rfc3986", "3.3")
    held_statement.count(witness, Outcome.PASS)
    score.add(failed_statement)
    score.add(held_statement)
    return score


def test_a_mean_weighs_each_statement_alike(uneven_score):
    assert uneven_score.accepted.value == 0.5
    assert uneven_score.held == Rate(1, 2)


def test_answers_are_counted_by_vector(uneven_score):
    assert uneven_score.required.wrong == 400
    assert uneven_score.witnesses.total == 401


@pytest.fixture
def all_passed(corpus, record):
    """Right answers to vectors of the corpus: one of each binding for each requirement."""
    by_requirement = {(case.vector.requirement, case.vector.binding): case for case in corpus.cases}
    cases = list(by_requirement.values())
    return record(cases, RAN, *(Result(case.vector.id, "a", Outcome.PASS) for case in cases))


@pytest.fixture
def required_requirements(corpus):
    """The requirements with a required vector."""
    return {case.vector.requirement for case in corpus.cases if case.vector.binding == "required"}


def test_each_requirement_with_vectors_is_a_statement(corpus, all_passed):
    names = {statement.requirement for statement in statements(all_passed, "a")}
    assert names == {case.vector.requirement for case in corpus.cases}


def test_only_a_statement_with_a_required_vector_has_a_state(all_passed, required_requirements):
    scored = {statement.requirement for statement in statements(all_passed, "a") if statement.state}
    assert scored == required_requirements


def test_statements_without_a_required_vector_are_counted_as_unscored(all_passed, required_requirements):
    scores = [row["a"] for row in scores_by_spec(all_passed).values()]
    unscored = len(statements(all_passed, "a")) - len(required_requirements)
    assert unscored > 0
    assert sum(score.unscored for score in scores) == unscored


def test_statements_with_a_required_vector_are_counted(all_passed, required_requirements):
    scores = [row["a"] for row in scores_by_spec(all_passed).values()]
    assert sum(score.statements for score in scores) == len(required_requirements)


def test_a_perfect_adapter_holds_every_statement(all_passed):
    scores = {spec: row["a"] for spec, row in scores_by_spec(all_passed).items()}
    states = {spec: score.states for spec, score in scores.items()}
    assert states != {}
    assert states == {spec: Counter({State.HELD: score.statements}) for spec, score in scores.items()}


@pytest.mark.parametrize(
    "title", ["References", "Informative References", "Authors' Addresses", "Editors' Addresses"]
)
def test_references_and_addresses_have_no_row(title):
    assert not has_row(title)


@pytest.mark.parametrize("title", ["URI References", "Security Considerations", "IPv6 Address Format"])
def test_a_section_about_references_or_addresses_has_a_row(title):
    assert has_row(title)


@pytest.fixture
def component_rows(make_case, record):
    """The scores by component of wrong, rejected, missing, permitted and open answers."""
    expect = {"components": {"scheme": "a", "host": "b", "query": None}}
    alternatives = {"any": [{"components": {"host": "x"}}, {"components": {"host": "y"}, "variant": "v"}]}
    cases = [
        make_case("rfc3986-3.3-wrong", op="parse", expect=expect),
        make_case("rfc3986-3.3-rejected", op="parse", expect=expect),
        make_case("rfc3986-3.3-missing", op="parse", expect=expect),
        make_case("rfc3986-3.3-either", op="parse", expect=alternatives),
        make_case("rfc3986-3.3-open", op="parse", expect=expect, binding="impl-defined", ruling="G-01"),
    ]
    wrong = {"components": {"scheme": "a", "host": "c"}}
    answers = [
        Result("rfc3986-3.3-wrong", "a", Outcome.FAIL, got=wrong),
        Result("rfc3986-3.3-rejected", "a", Outcome.FAIL, got={"status": "reject"}),
        Result("rfc3986-3.3-missing", "a", Outcome.UNSUPPORTED),
        Result("rfc3986-3.3-either", "a", Outcome.VARIANT, got={"components": {"host": "y"}}),
        Result("rfc3986-3.3-open", "a", Outcome.VARIANT, got=wrong),
    ]
    return answers_by_component(record(cases, RAN, *answers))["rfc3986"]


@pytest.mark.parametrize(
    ("component", "counts"),
    [
        pytest.param("scheme", Answers(right=1), id="right"),
        pytest.param("host", Answers(right=1, wrong=1), id="wrong-once-and-a-permitted-variant-once"),
        pytest.param("query", Answers(partial=1), id="not-exposed"),
    ],
)
def test_a_component_is_counted_by_itself(component_rows, component, counts):
    assert component_rows[component]["a"] == counts


def test_answers_without_components_are_counted_in_a_last_row(component_rows):
    assert list(component_rows) == ["scheme", "host", "query", NO_COMPONENTS]
    assert component_rows[NO_COMPONENTS]["a"] == Answers(wrong=1, unsupported=1)


#: Every rate of up to 200 answers.
RATES = [Rate(passed, total) for total in range(1, 201) for passed in range(total + 1)]


@pytest.mark.parametrize("parts", [100, 1000])
def test_a_rate_is_cut_as_its_fraction_is(parts):
    """Binary fractions make 57 percent of 29 in 50."""
    fractions = [Fraction(rate.passed, rate.total) for rate in RATES]
    assert [rate.floor(parts) for rate in RATES] == [floor(fraction * parts) for fraction in fractions]


@pytest.mark.parametrize("parts", [100, 1000])
def test_the_mean_of_one_rate_is_cut_as_the_rate_is(parts):
    for rate in RATES:
        mean = Mean()
        mean.add(rate)
        assert mean.floor(parts) == rate.floor(parts), rate


def test_a_rate_of_nothing_has_no_value():
    assert Rate().value is None
    assert Rate().floor(100) is None


def test_a_score_of_nothing_has_no_j():
    assert Score().j is None


def test_a_score_of_nothing_does_not_comply():
    assert Score().complies is False


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "partial"])
def test_a_sum_of_scores_complies_only_if_each_of_them_is_whole(whole):
    total = Score(compliance=Rate(1, 1))
    total.include(Score(compliance=Rate(1, 1), whole=whole))
    assert total.complies is whole


def test_a_score_without_invalid_texts_has_no_j(make_case):
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
        ((499, 1000), (1, 2), f"{MINUS}0.01"),
        ((29, 50), (1, 2), "0.08"),
    ],
    ids=[
        "all-right",
        "one-of-1000-wrong",
        "all-accepted",
        "all-wrong",
        "third-and-none",
        "third-and-third",
        "a-little-below-0",
        "0.08",
    ],
)
def test_j_is_rounded_down(accepted, rejected, text):
    score = Score()
    score.accepted.add(Rate(*accepted))
    score.rejected.add(Rate(*rejected))
    assert youden_in_words(score) == text


def test_there_is_no_j_without_a_valid_text():
    score = Score()
    score.accepted.add(Rate(0, 0))
    score.rejected.add(Rate(9, 9))
    assert youden_in_words(score) == NOTHING


@pytest.fixture
def shuffled_sections(make_case, record):
    """Results of sections in no order, with the cases."""
    sections = ["D.2", "10", "3.10", "A", "3.2.1", "3", "front", "3.2"]
    cases = [make_case(f"rfc3986-{section}-x") for section in sections]
    cases.append(make_case("rfc1738-9-x"))
    return record(cases, RAN, *(Result(case.vector.id, "a", Outcome.PASS) for case in cases)), cases


def test_sections_come_in_their_natural_order(shuffled_sections):
    results, _ = shuffled_sections
    order = [section for spec, section in scores_by_section(results) if spec == "rfc3986"]
    assert order == ["3", "3.2", "3.2.1", "3.10", "10", "A", "D.2", "front"]


def test_the_newest_rfc_comes_first(shuffled_sections):
    results, cases = shuffled_sections
    *newer_cases, oldest_case = cases
    assert list(scores_by_spec(results)) == ["rfc3986", "rfc1738"]
    assert newer_cases != []
    assert max(map(report_order, newer_cases)) < report_order(oldest_case)


def test_a_case_without_a_result_is_in_no_score(make_case, record):
    """After --maxfail an adapter has results of some cases only."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.4-x")]
    results = record(cases, RAN, Participant("b", "ran"), Result("rfc3986-3.3-x", "a", Outcome.PASS))
    assert list(scores_by_section(results)["rfc3986", "3.3"]) == ["a"]
    assert scores_by_section(results)["rfc3986", "3.4"] == {}
