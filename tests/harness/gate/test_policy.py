"""A policy: which answers fail the gate."""

from __future__ import annotations

from itertools import product

import pytest

from urlharness.corpus.model import COMPLIANCE_LEVELS, LEVELS, Case
from urlharness.gate.policy import ACTIONS, OPEN, PLAIN, Policy, PolicyError, make_policy
from urlharness.results.model import Result, Tally
from urlharness.results.verdict import Outcome

TWO_ANSWERS = {"any": [{"valid": True}, {"valid": False, "variant": "literal"}]}


def outcomes_of(counts):
    """Return counts by outcome for counts by the names of outcomes."""
    return {Outcome(name): count for name, count in counts.items()}


def result(outcome, variant="") -> Result:
    """Return a result of the case of these tests."""
    return Result("rfc3986-3.3-x", "lib", Outcome(outcome), variant)


@pytest.fixture
def case(make_case):
    """Return a function that makes a case of a binding, with two admissible answers if it allows them."""

    def make(binding, **fields) -> Case:
        expect = {"valid": True} if binding in ("required", "unspecified") else TWO_ANSWERS
        vector_fields = {"class": "dots", "ruling": "R-1"} | fields
        return make_case("rfc3986-3.3-x", binding=binding, expect=expect, **vector_fields)

    return make


#: The actions that refuse an abnormal outcome.
ABNORMAL = ["answered", "listed", "recommended"]

#: The answer, and the actions that refuse it.
ANSWERS = [
    pytest.param("pass", "", [], id="pass"),
    pytest.param("variant", "literal", ["recommended"], id="listed-variant"),
    pytest.param("variant", "other", ["listed", "recommended"], id="other-variant"),
    pytest.param("fail", "", ["listed", "recommended"], id="fail"),
    pytest.param("unsupported", "", [], id="unsupported"),
    pytest.param("partial", "", [], id="partial"),
    *(pytest.param(outcome, "", ABNORMAL, id=outcome) for outcome in Outcome if outcome.abnormal),
]


@pytest.mark.parametrize("binding", OPEN)
@pytest.mark.parametrize(("outcome", "variant", "refusing"), ANSWERS)
def test_an_answer_to_an_open_vector_fails_by_each_action_that_refuses_it(
    case, binding, outcome, variant, refusing
):
    actions = [
        action
        for action in ACTIONS
        if Policy(actions={binding: action}).fails(case(binding), result(outcome, variant))
    ]
    assert actions == refusing


@pytest.mark.parametrize("binding", OPEN)
@pytest.mark.parametrize(("outcome", "variant", "_refusing"), ANSWERS)
def test_no_answer_to_an_open_vector_fails_a_plain_policy(case, binding, outcome, variant, _refusing):
    assert not PLAIN.fails(case(binding), result(outcome, variant))


@pytest.mark.parametrize("binding", OPEN)
def test_the_action_of_a_binding_does_not_judge_other_bindings(case, binding):
    actions = {name: "recommended" for name in OPEN if name != binding}
    assert not Policy(actions=actions).fails(case(binding), result("crash"))


OPEN_VECTORS_JUDGED = pytest.mark.parametrize(
    "terms",
    [{"actions": {"permitted-set": "listed"}}, {"pins": {"dots": "literal"}}],
    ids=["by-an-action", "by-a-pin"],
)


@OPEN_VECTORS_JUDGED
def test_a_partial_answer_to_an_open_vector_passes_a_policy_that_is_not_strict(case, terms):
    assert not Policy(**terms).fails(case("permitted-set"), result("partial"))


@OPEN_VECTORS_JUDGED
def test_a_partial_answer_to_an_open_vector_that_is_judged_fails_strictly(case, terms):
    assert Policy(**terms, strict=True).fails(case("permitted-set"), result("partial"))


def test_a_partial_answer_to_an_open_vector_that_is_not_judged_passes_strictly(case):
    assert not Policy(strict=True).fails(case("permitted-set"), result("partial"))


@pytest.mark.parametrize("key", ["rfc3986-3.3-x", "R-1", "dots"], ids=["by-id", "by-ruling", "by-class"])
@pytest.mark.parametrize(
    ("pinned", "outcome", "variant", "fails"),
    [
        pytest.param("literal", "variant", "literal", False, id="pinned-variant"),
        pytest.param("literal", "pass", "", True, id="recommended-instead-of-the-variant"),
        pytest.param("literal", "variant", "other", True, id="other-variant"),
        pytest.param("literal", "fail", "", True, id="wrong"),
        pytest.param("literal", "crash", "", True, id="crash"),
        pytest.param("literal", "unsupported", "", False, id="not-offered"),
        pytest.param("recommended", "pass", "", False, id="recommended"),
        pytest.param("recommended", "variant", "literal", True, id="variant-instead-of-the-recommended"),
        pytest.param("not-listed", "fail", "", False, id="pin-that-lists-nothing"),
    ],
)
def test_an_offered_answer_other_than_the_pinned_one_fails(case, key, pinned, outcome, variant, fails):
    policy = Policy(pins={key: pinned})
    assert policy.fails(case("impl-defined"), result(outcome, variant)) is fails


@pytest.mark.parametrize("key", ["rfc3986-3.3-x", "R-1", "dots"], ids=["by-id", "by-ruling", "by-class"])
def test_a_pin_does_not_judge_vectors_of_other_ids_rulings_and_classes(case, key):
    other_case = case("impl-defined", **{"ruling": "R-2", "class": "x", "id": "rfc3986-3.3-y"})
    assert not Policy(pins={key: "literal"}).fails(other_case, result("fail"))


def test_the_pin_of_a_ruling_goes_before_that_of_the_class(case):
    policy = Policy(pins={"dots": "literal", "R-1": "recommended"})
    assert policy.fails(case("impl-defined"), result("variant", "literal"))


def test_the_pin_of_an_id_goes_before_that_of_the_ruling(case):
    policy = Policy(pins={"R-1": "recommended", "rfc3986-3.3-x": "literal"})
    assert not policy.fails(case("impl-defined"), result("variant", "literal"))


def test_a_pin_goes_before_the_action_of_the_binding(case):
    policy = Policy(actions={"impl-defined": "ignore"}, pins={"R-1": "recommended"})
    assert policy.fails(case("impl-defined"), result("fail"))


EVERY_OPEN_ANSWER = {"permitted-set": "recommended"}
LEVELS_AND_BINDINGS = [(level, binding) for level in LEVELS for binding in ("required", "permitted-set")]


@pytest.mark.parametrize(("level", "binding"), LEVELS_AND_BINDINGS)
def test_a_policy_without_levels_judges_each_level(case, level, binding):
    policy = Policy(actions=EVERY_OPEN_ANSWER)
    assert policy.fails(case(binding, level=level), result("fail"))


@pytest.mark.parametrize(("level", "binding"), LEVELS_AND_BINDINGS)
def test_a_policy_judges_its_level(case, level, binding):
    policy = Policy(frozenset([level]), EVERY_OPEN_ANSWER)
    assert policy.fails(case(binding, level=level), result("fail"))


@pytest.mark.parametrize(("level", "binding"), LEVELS_AND_BINDINGS)
def test_a_policy_of_other_levels_does_not_judge_a_level(case, level, binding):
    policy = Policy(frozenset(LEVELS) - {level}, EVERY_OPEN_ANSWER)
    assert not policy.fails(case(binding, level=level), result("fail"))


@pytest.mark.parametrize(
    ("tier", "policy", "failing"),
    [
        ("complete", PLAIN, {"crash": 1, "fail": 2}),
        ("complete", Policy(strict=True), {"crash": 1, "fail": 2, "partial": 4}),
        ("complete", Policy(frozenset(["grammar"])), {"crash": 1, "fail": 2}),
        ("complete", Policy(frozenset(["algorithm"])), {}),
        ("resolution", Policy(frozenset(["algorithm"])), {"crash": 1, "fail": 2}),
        ("resolution", Policy(frozenset(["grammar"])), {}),
    ],
    ids=["plain", "strict", "its-level", "another-level", "its-level-resolution", "another-level-resolution"],
)
def test_a_policy_judges_generated_cases_of_its_levels(tier, policy, failing):
    counts = outcomes_of({"pass": 9, "fail": 2, "crash": 1, "partial": 4, "garbage": 0})
    tally = Tally("lib", f"{tier}-rfc3986", tier, "rfc3986", counts, counts, {})
    assert policy.failing_outcomes(tally) == failing


REFUSED_SETTINGS = [
    pytest.param(
        "required",
        "listed",
        "such vectors have only one answer (to choose levels, use --fail-on)",
        id="required-vectors",
    ),
    pytest.param(
        "permitted-set",
        "fail",
        "no such action; choose from ignore, answered, listed, recommended",
        id="unknown-action",
    ),
    pytest.param("permited-set", "listed", "Did you mean 'permitted-set'?", id="misspelled-binding"),
    pytest.param(
        "R-2396-81",
        "error",
        "is not a binding, nor a class, ruling or vector id with several answers. Did you mean 'R-2396-",
        id="unknown-ruling",
    ),
    pytest.param(
        "R-2396-18",
        "nope",
        "no such answer; choose from error, excess-dropped, recommended",
        id="unknown-answer-of-a-ruling",
    ),
    pytest.param(
        "excess-dotdot",
        "nope",
        "choose from error, excess-dropped, recommended, slashes-dropped",
        id="unknown-answer-of-a-class",
    ),
    pytest.param(
        "zzz", "x", "bindings are permitted-set, impl-defined, literal-only, unspecified", id="unknown-key"
    ),
]


@pytest.mark.parametrize(("key", "answer", "words"), REFUSED_SETTINGS)
def test_a_setting_with_an_unknown_key_or_answer_is_refused(corpus, key, answer, words):
    with pytest.raises(PolicyError) as caught:
        make_policy([(key, answer)], corpus.cases)
    assert words in str(caught.value)


SETTINGS = [("permitted-set", "listed"), ("R-2396-18", "error")]


def test_a_setting_may_be_repeated(corpus):
    assert make_policy([*SETTINGS, *SETTINGS], corpus.cases) == make_policy(SETTINGS, corpus.cases)


@pytest.mark.parametrize(
    ("key", "first_answer", "second_answer"),
    [("permitted-set", "listed", "answered"), ("R-2396-18", "error", "excess-dropped")],
    ids=["action", "pin"],
)
def test_a_policy_with_two_answers_for_one_key_is_refused(corpus, key, first_answer, second_answer):
    """Without the check, the last one would silently apply."""
    with pytest.raises(PolicyError, match=f"{key}={second_answer}: {key}={first_answer} is already set"):
        make_policy([(key, first_answer), (key, second_answer)], corpus.cases)


def test_an_unknown_level_is_refused(corpus):
    with pytest.raises(PolicyError, match="no level named 'shall'; choose from grammar"):
        make_policy([], corpus.cases, ["shall"])


def test_a_policy_has_the_levels_actions_and_pins_of_its_options(corpus):
    policy = make_policy(SETTINGS, corpus.cases, ["compliance", "may"], strict=True)
    assert policy == Policy(
        levels=frozenset({*COMPLIANCE_LEVELS, "may"}),
        actions={"permitted-set": "listed"},
        pins={"R-2396-18": "error"},
        strict=True,
    )


def test_a_policy_without_options_is_the_plain_one(corpus):
    assert make_policy([], corpus.cases) == PLAIN


#: One of this many pins is set: all of them would take minutes.
SAMPLED_PIN = 40


def keys_of(case) -> list[str]:
    """Return the id, the ruling and the class of a case, as far as it has them."""
    return [key for key in (case.vector.id, case.vector.ruling, case.vector.class_) if key]


def test_the_id_ruling_and_class_of_an_open_vector_can_be_pinned_to_its_answers(corpus):
    pins = set()
    for case in corpus.cases:
        if case.vector.binding != "required":
            variants = [answer.variant or "recommended" for answer in case.vector.expect.alternatives]
            pins.update(product(keys_of(case), variants))
    sample = sorted(pins)[::SAMPLED_PIN]
    assert len(sample) > 10
    pinned = [make_policy([pin], corpus.cases).pins for pin in sample]
    assert pinned == [{key: variant} for key, variant in sample]
