"""An adapter whose answers cannot fail has not been judged, whoever asks: the gate, a list, or pytest."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit
from urlharness.gate.gate import judgements
from urlharness.gate.policy import Policy
from urlharness.results.model import Participant, Result, Tally

pytestmark = pytest.mark.once

LIB = Participant("lib", "ran", ops=("validate",), specs=("rfc3986",))
BOUND, OPEN = "rfc3986-3.3-bound", "rfc3986-3.3-open"
EITHER = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}
ANSWERED_NONE = "lib: nothing was judged: it answered no vector of rfc3986"
NOTHING_BINDS = "lib: nothing was judged: no vector that was selected has one right answer"


@pytest.fixture
def asked(make_case, record):
    """A run of one required vector and an open one, with these outcomes; None is not asked."""

    def ask(bound, unbound, *tallies, level="grammar"):
        cases, found = [], []
        if bound:
            cases.append(make_case(BOUND))
            found.append(Result(BOUND, "lib", bound))
        if unbound:
            cases.append(make_case(OPEN, binding="unspecified", level=level, expect=EITHER))
            found.append(Result(OPEN, "lib", unbound, variant="other"))
        return record(cases, LIB, *found, *tallies)

    return ask


#: Outcomes of the required vector and of the open one; the policy; the code and the reason.
TABLE = [
    pytest.param("pass", "variant", Policy(), Exit.PASSED, "", id="both"),
    pytest.param("unsupported", "variant", Policy(), Exit.NOTHING_RAN,
                 f"{ANSWERED_NONE} that can fail", id="the-open-one"),
    pytest.param("unsupported", "crash", Policy(), Exit.NOTHING_RAN, f"{ANSWERED_NONE} that can fail",
                 id="the-open-one-badly"),
    pytest.param("unsupported", "unsupported", Policy(), Exit.NOTHING_RAN,
                 f"{ANSWERED_NONE} that was selected", id="neither"),
    pytest.param(None, "variant", Policy(), Exit.NOTHING_RAN, NOTHING_BINDS, id="nothing-binds"),
    pytest.param(None, "unsupported", Policy(), Exit.NOTHING_RAN,
                 f"{ANSWERED_NONE} that was selected", id="nothing-binds-and-nothing-answered"),
    pytest.param("partial", "variant", Policy(), Exit.PASSED, "", id="a-part-is-an-answer"),
    pytest.param("unsupported", "variant", Policy(actions={"unspecified": "listed"}), Exit.FAILED,
                 "1 variant", id="a-policy-judges-it"),
    pytest.param("unsupported", "pass", Policy(actions={"unspecified": "listed"}), Exit.PASSED, "",
                 id="a-policy-is-met"),
    pytest.param("unsupported", "variant", Policy(actions={"permitted-set": "listed"}), Exit.NOTHING_RAN,
                 f"{ANSWERED_NONE} that can fail", id="a-policy-of-others"),
    pytest.param("unsupported", "pass", Policy(pins={OPEN: "x"}), Exit.FAILED, "1 pass", id="a-pin"),
    pytest.param("unsupported", "pass", Policy(pins={OPEN: "y"}), Exit.NOTHING_RAN,
                 f"{ANSWERED_NONE} that can fail", id="a-pin-that-it-does-not-list"),
    pytest.param("unsupported", "pass", Policy(pins={"R-3986-99": "x"}), Exit.NOTHING_RAN,
                 f"{ANSWERED_NONE} that can fail", id="a-pin-of-others"),
]  # fmt: skip


@pytest.mark.parametrize(("bound", "unbound", "policy", "code", "reason"), TABLE)
def test_the_gate(asked, bound, unbound, policy, code, reason):
    (judgement,) = judgements(asked(bound, unbound), ["lib"], policy=policy)
    assert judgement.code == code
    assert reason in judgement.reason


@pytest.mark.parametrize(
    ("levels", "code"), [({"grammar"}, Exit.NOTHING_RAN), ({"may", "grammar"}, Exit.PASSED)]
)
def test_what_has_no_level_that_counts_is_no_answer(asked, make_case, record, levels, code):
    """The required vector that is answered is of a level that nothing of fails."""
    cases = [make_case(BOUND), make_case(OPEN, level="may")]
    results = record(cases, LIB, Result(BOUND, "lib", "unsupported"), Result(OPEN, "lib", "pass"))
    (judgement,) = judgements(results, ["lib"], policy=Policy(levels=frozenset(levels)))
    assert judgement.code == code


def test_an_rfc_that_was_named_is_not_silent_where_nothing_of_it_can_fail(asked, make_case, record):
    cases = [make_case(BOUND), make_case("rfc1808-2-open", binding="unspecified", expect=EITHER)]
    results = record(cases, LIB, Result(BOUND, "lib", "pass"), Result("rfc1808-2-open", "lib", "unsupported"))
    (judgement,) = judgements(results, ["lib"], ["rfc1808", "rfc3986"])
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize(("required", "code"), [({"pass": 1}, Exit.PASSED), ({}, Exit.NOTHING_RAN)])
def test_generated_cases_are_no_exception(asked, required, code):
    tally = Tally("lib", "complete-rfc3986-URI", "complete", "rfc3986", {"pass": 2}, required, {})
    (judgement,) = judgements(asked("unsupported", None, tally), ["lib"])
    assert judgement.code == code


def test_a_survey_judges_nothing(asked):
    """It fails only where the reference does."""
    results = asked(None, "variant")
    assert judgements(results, []) == []


#: An adapter that recognizes every text and shows no component of any.
BLIND = """
def answer(question):
    return {"status": "ok"} | ({"components": {}} if question["op"] == "parse" else {})
answer.hello = {"ops": ["parse"], "specs": ["rfc3986"]}
"""


def test_who_shows_no_component_has_not_passed(urlconform, tmp_path):
    """Two vectors of the corpus have no right answer, so that showing nothing is an answer in full."""
    (tmp_path / "blind.py").write_text(BLIND, "utf-8")
    for command in (
        ("run", "python:blind:answer"),
        ("baseline", "create", "python:blind:answer", "-o", "b.json"),
    ):
        done = urlconform(*command)
        assert done.returncode == 5, done.stderr
        assert "nothing was judged: it answered no vector of rfc3986 that can fail" in done.stderr
    assert not (tmp_path / "b.json").exists()
