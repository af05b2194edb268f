"""How many vectors are answered: a baseline knows it, and an adapter that answers fewer does not pass."""

from __future__ import annotations

import pytest
from msgspec import structs

from urlharness.baseline import Baseline, answered, canonical, findings
from urlharness.exitcodes import Exit
from urlharness.gate import judgements
from urlharness.listing import create, update
from urlharness.policy import PLAIN, Policy
from urlharness.protocol import Implementation
from urlharness.results import Participant, Result, Tally

pytestmark = pytest.mark.once

LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=("validate",), specs=("rfc3986",))
IDS = tuple(f"rfc3986-3.3-{number}" for number in range(4))
KNOWN = frozenset((*IDS, "rfc1808-2-x", "complete-rfc3986-URI"))


@pytest.fixture
def asked(make_case, record):
    """A run of the first vectors of an RFC of four, with these outcomes."""

    def ask(*outcomes, participant=LIB):
        cases = [make_case(name) for name in IDS[: len(outcomes)]]
        found = [Result(name, "lib", outcome) for name, outcome in zip(IDS, outcomes, strict=False)]
        return record(cases, participant, *found)

    return ask


def baseline(**answered) -> Baseline:
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), (), answered)


#: The outcomes of the four vectors; how many of them are answered.
ANSWERED = [
    (("pass",) * 4, 4),
    (("pass", "variant", "fail", "timeout"), 4),
    (("pass", "unsupported", "unsupported", "unsupported"), 1),
    (("pass", "pass", "pass", "partial"), 3),
]


@pytest.mark.parametrize(("outcomes", "count"), ANSWERED)
def test_answered(asked, outcomes, count):
    results = asked(*outcomes)
    assert answered(results, "lib", ["rfc3986"], KNOWN) == {"rfc3986": count}
    assert answered(results, "lib", ["rfc1808"], KNOWN) == {}
    assert answered(results, "lib") == {}, "nobody knows how many there are"


@pytest.mark.parametrize(("outcomes", "count"), [row for row in ANSWERED if "fail" not in row[0]])
def test_fewer_than_listed_is_a_finding(asked, outcomes, count):
    results = asked(*outcomes)
    found = findings(baseline(rfc3986=4), results, "lib", ["rfc3986"], PLAIN, known=KNOWN)
    assert [(one.kind, one.id) for one in found] == [("coverage", "rfc3986")] * (count < 4)
    (judgement,) = judgements(results, ["lib"], baselines={"lib": baseline(rfc3986=4)}, known=KNOWN)
    assert judgement.code == (Exit.FAILED if found else Exit.PASSED)
    assert (f"(rfc3986: 4 vectors were answered, and now {count})" in judgement.reason) is bool(found)
    assert judgement.shown == "", "there is no vector to look at"


def test_more_than_listed_is_none(asked):
    assert findings(baseline(rfc3986=2), asked(*["pass"] * 4), "lib", known=KNOWN) == []


def test_a_selection_finds_nothing(asked):
    assert findings(baseline(rfc3986=4), asked("pass", "unsupported"), "lib", known=KNOWN) == []


def test_an_older_list_says_nothing(asked):
    results = asked("pass", "unsupported", "unsupported", "unsupported")
    assert findings(baseline(), results, "lib", known=KNOWN) == []
    assert "answered" not in canonical(baseline())


def test_create_and_update(asked):
    """It rises and falls with an update; with `--only-shrink` it rises alone."""
    good, bad = asked(*["pass"] * 4), ("pass", "unsupported", "pass", "unsupported")
    made = create(good, LIB, ["rfc3986"], known=KNOWN)
    assert made.answered == {"rfc3986": 4}
    assert '\n "spec": ["rfc3986"],\n "answered": {"rfc3986": 4},\n' in canonical(made)
    assert create(good, LIB, ["rfc3986"]).answered == {}
    assert create(asked("pass"), LIB, ["rfc3986"], known=KNOWN).answered == {}
    kept = update(made, asked(*bad), LIB, known=KNOWN, only_shrink=True)
    assert (kept.baseline, [one.kind for one in kept.left]) == (made, ["coverage"])
    lower = update(made, asked(*bad), LIB, known=KNOWN)
    assert (lower.baseline.answered, lower.left) == ({"rfc3986": 2}, [])
    assert findings(lower.baseline, asked(*bad), "lib", known=KNOWN) == []
    assert update(lower.baseline, asked("pass"), LIB, known=KNOWN).baseline.answered == {"rfc3986": 2}
    higher = update(lower.baseline, asked(*["pass"] * 4), LIB, known=KNOWN, only_shrink=True)
    assert higher.baseline.answered == {"rfc3986": 4}
    assert update(baseline(), good, LIB, known=KNOWN, only_shrink=True).baseline.answered == {}


@pytest.mark.parametrize("binding", ["required", "impl-defined"])
@pytest.mark.parametrize(("ops", "claimed"), [(("validate",), True), (("resolve",), False), ((), False)])
def test_strictly_what_is_claimed_is_answered(make_case, record, binding, ops, claimed):
    expect = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}
    case = make_case(IDS[0], binding=binding, **({} if binding == "required" else {"expect": expect}))
    about = structs.replace(LIB, ops=ops)
    results = record(
        [case, make_case(IDS[1])], about, Result(IDS[0], "lib", "unsupported"), Result(IDS[1], "lib", "pass")
    )
    fails = claimed and binding == "required"
    for strict in (False, True):
        policy = Policy(strict=strict)
        (judgement,) = judgements(results, ["lib"], policy=policy)
        assert judgement.code == (Exit.FAILED if fails and strict else Exit.PASSED)
        made = create(results, about, policy=policy)
        assert [one.outcome for one in made.entries] == ["unsupported"] * (fails and strict)
        (judgement,) = judgements(results, ["lib"], policy=policy, baselines={"lib": made})
        assert judgement.code == Exit.PASSED


@pytest.mark.parametrize(("tier", "op"), [("complete", "validate"), ("resolution", "resolve")])
def test_generated_cases_are_no_exception(tier, op):
    counts = {"pass": 1, "unsupported": 3}
    tally = Tally("lib", f"{tier}-rfc3986", tier, "rfc3986", counts, counts, {})
    assert Policy(strict=True).claiming([op]).failing(tally) == {"unsupported": 3}
    assert Policy(strict=True).claiming(["parse"]).failing(tally) == {}
    assert Policy().claiming([op]).failing(tally) == {}
