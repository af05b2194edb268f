"""A policy: which answers fail the gate."""

from __future__ import annotations

import pytest

from urlharness.corpus.model import COMPLIANCE_LEVELS, LEVELS, Case
from urlharness.gate.policy import ACTIONS, OPEN, PLAIN, Policy, PolicyError, make_policy
from urlharness.results.model import Result, Tally
from urlharness.results.verdict import Outcome

SEVERAL = {"any": [{"valid": True}, {"valid": False, "variant": "literal"}]}


def outcomes_of(counts):
    return {Outcome(name): count for name, count in counts.items()}


def result(outcome, variant="") -> Result:
    return Result("rfc3986-3.3-x", "lib", Outcome(outcome), variant)


@pytest.fixture
def case(make_case):
    """A case of a binding, with two admissible answers where it leaves them open."""

    def make(binding, **fields) -> Case:
        expect = {"valid": True} if binding in ("required", "unspecified") else SEVERAL
        fields = {"class_": "dots", "ruling": "R-1"} | fields
        fields = {name.rstrip("_"): value for name, value in fields.items()}
        return make_case("rfc3986-3.3-x", binding=binding, expect=expect, **fields)

    return make


#: The answer, and from which action on it fails: none of them, or the first that is strict enough.
ANSWERS = [
    ("pass", "", None),
    ("variant", "literal", "recommended"),
    ("variant", "other", "listed"),
    ("fail", "", "listed"),
    ("unsupported", "", None),
    ("partial", "", None),
    *((outcome, "", "answered") for outcome in Outcome if outcome.abnormal),
]


@pytest.mark.parametrize(("outcome", "variant", "first"), ANSWERS, ids=lambda value: value or "plain")
@pytest.mark.parametrize("binding", OPEN)
def test_actions_for_open_bindings(case, binding, outcome, variant, first):
    """Each action refuses all that the action before it refuses, and more."""
    failing = [
        Policy(actions={binding: action}).fails(case(binding), result(outcome, variant)) for action in ACTIONS
    ]
    start = len(ACTIONS) if first is None else ACTIONS.index(first)
    assert failing == [False] * start + [True] * (len(ACTIONS) - start)
    assert PLAIN.fails(case(binding), result(outcome, variant)) is False


@pytest.mark.parametrize("binding", OPEN)
def test_a_binding_is_set_for_itself(case, binding):
    others = {name: "recommended" for name in OPEN if name != binding}
    assert not Policy(actions=others).fails(case(binding), result("crash"))


def test_partial_answers_fail_where_it_is_strict(case):
    for terms in ({"actions": {"permitted-set": "listed"}}, {"pins": {"dots": "literal"}}):
        assert not Policy(**terms).fails(case("permitted-set"), result("partial"))
        assert Policy(**terms, strict=True).fails(case("permitted-set"), result("partial"))
    assert not Policy(strict=True).fails(case("permitted-set"), result("partial"))


@pytest.mark.parametrize("key", ["rfc3986-3.3-x", "R-1", "dots"])
@pytest.mark.parametrize(
    ("pinned", "outcome", "variant", "fails"),
    [
        ("literal", "variant", "literal", False),
        ("literal", "pass", "", True),
        ("literal", "variant", "other", True),
        ("literal", "fail", "", True),
        ("literal", "crash", "", True),
        ("literal", "unsupported", "", False),
        ("recommended", "pass", "", False),
        ("recommended", "variant", "literal", True),
        ("not-listed", "fail", "", False),
    ],
)
def test_a_pinned_variant_is_the_only_right_one(case, key, pinned, outcome, variant, fails):
    pins = Policy(pins={key: pinned})
    assert pins.fails(case("impl-defined"), result(outcome, variant)) is fails
    assert not pins.fails(case("impl-defined", ruling="R-2", class_="x", id="rfc3986-3.3-y"), result("fail"))


def test_the_id_goes_before_the_ruling_before_the_class(case):
    ruled_case = case("impl-defined")
    pins = {"dots": "literal", "R-1": "recommended"}
    assert Policy(pins=pins).fails(ruled_case, result("variant", "literal"))
    assert not Policy(pins={**pins, "rfc3986-3.3-x": "literal"}).fails(
        ruled_case, result("variant", "literal")
    )
    assert Policy(actions={"impl-defined": "ignore"}, pins=pins).fails(ruled_case, result("fail"))


@pytest.mark.parametrize("level", LEVELS)
def test_a_policy_judges_only_its_levels(case, level):
    for binding in ("required", "permitted-set"):
        level_case = case(binding, level=level)
        terms = {"actions": {"permitted-set": "recommended"}}
        assert Policy(**terms).fails(level_case, result("fail"))
        assert Policy(frozenset([level]), **terms).fails(level_case, result("fail"))
        assert not Policy(frozenset(LEVELS) - {level}, **terms).fails(level_case, result("fail"))


@pytest.mark.parametrize(
    ("tier", "chosen_level", "counts"),
    [
        ("complete", PLAIN, {"crash": 1, "fail": 2}),
        ("complete", Policy(strict=True), {"crash": 1, "fail": 2, "partial": 4}),
        ("complete", Policy(frozenset(["grammar"])), {"crash": 1, "fail": 2}),
        ("complete", Policy(frozenset(["algorithm"])), {}),
        ("resolution", Policy(frozenset(["algorithm"])), {"crash": 1, "fail": 2}),
        ("resolution", Policy(frozenset(["grammar"])), {}),
    ],
)
def test_a_policy_judges_generated_cases_of_its_levels(tier, chosen_level, counts):
    outcomes = {"pass": 9, "fail": 2, "crash": 1, "partial": 4, "garbage": 0}
    tally = Tally("lib", f"{tier}-rfc3986", tier, "rfc3986", outcomes_of(outcomes), outcomes_of(outcomes), {})
    assert chosen_level.failing_outcomes(tally) == counts


REFUSED = [
    ("required=listed", "such vectors have only one answer (to choose levels, use --fail-on)"),
    ("permitted-set=fail", "no such action; choose from ignore, answered, listed, recommended"),
    ("permited-set=listed", "Did you mean 'permitted-set'?"),
    (
        "R-2396-81=error",
        "is not a binding, nor a class, ruling or vector id with several answers. Did you mean 'R-2396-",
    ),
    ("R-2396-18=nope", "no such answer; choose from error, excess-dropped, recommended"),
    ("excess-dotdot=nope", "choose from error, excess-dropped, recommended, slashes-dropped"),
    ("zzz=x", "bindings are permitted-set, impl-defined, literal-only, unspecified"),
]


@pytest.mark.parametrize(("item", "words"), REFUSED, ids=[item for item, _ in REFUSED])
def test_an_empty_policy_is_refused(corpus, item, words):
    key, _, value = item.partition("=")
    with pytest.raises(PolicyError) as caught:
        make_policy([(key, value)], corpus.cases)
    assert words in str(caught.value)


def test_a_policy_with_two_answers_for_one_key_is_refused(corpus):
    """Otherwise the last one would silently apply."""
    twice = [("permitted-set", "listed"), ("R-2396-18", "error")]
    assert make_policy([*twice, *twice], corpus.cases) == make_policy(twice, corpus.cases)
    for key, value in (("permitted-set", "answered"), ("R-2396-18", "excess-dropped")):
        with pytest.raises(PolicyError, match=f"{key}={value}: {key}={dict(twice)[key]} is already set"):
            make_policy([*twice, (key, value)], corpus.cases)


def test_an_unknown_level_is_refused(corpus):
    with pytest.raises(PolicyError, match="no level named 'shall'; choose from grammar"):
        make_policy([], corpus.cases, ["shall"])


def test_a_policy_is_made_of_options(corpus):
    policy = make_policy(
        [("permitted-set", "listed"), ("R-2396-18", "error")],
        corpus.cases,
        ["compliance", "may"],
        strict=True,
    )
    levels = frozenset({*COMPLIANCE_LEVELS, "may"})
    assert policy == Policy(levels, {"permitted-set": "listed"}, {"R-2396-18": "error"}, True)
    assert make_policy([], corpus.cases) == PLAIN


def test_every_pin_of_the_corpus_can_be_set(corpus):
    """Of each open vector the id, ruling and class, with each variant it lists."""
    pins = {
        (key, answer.variant or "recommended")
        for case in corpus.cases
        if case.vector.binding != "required"
        for key in (case.vector.id, case.vector.ruling, case.vector.class_)
        if key
        for answer in case.vector.expect.alternatives
    }
    some = sorted(pins)[::40]
    assert len(some) > 10
    for pin in some:
        assert make_policy([pin], corpus.cases).pins == dict([pin])
