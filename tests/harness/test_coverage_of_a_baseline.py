"""How many vectors are answered: a baseline knows it, and an adapter that answers fewer does not pass."""

from __future__ import annotations

import pytest
from msgspec import structs

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, canonical
from urlharness.gate.findings import findings
from urlharness.gate.gate import judge, judgements
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import create, update
from urlharness.protocol.messages import Implementation
from urlharness.results.coverage import answered, asked_in_part
from urlharness.results.model import Participant, Result, Tally

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
    assert answered(results, "lib", ["rfc3986"], KNOWN) == {"rfc3986": {"validate": count}}
    assert answered(results, "lib", ["rfc1808"], KNOWN) == {}
    assert answered(results, "lib") == {}, "nobody knows how many there are"


@pytest.mark.parametrize(("outcomes", "count"), [row for row in ANSWERED if "fail" not in row[0]])
def test_fewer_than_listed_is_a_finding(asked, outcomes, count):
    results = asked(*outcomes)
    listed = baseline(rfc3986={"validate": 4})
    found = findings(listed, results, "lib", ["rfc3986"], PLAIN, known=KNOWN)
    assert [(one.kind, one.id) for one in found] == [("coverage", "rfc3986 validate")] * (count < 4)
    (judgement,) = judgements(results, ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert judgement.code == (Exit.FAILED if found else Exit.PASSED)
    said = f"(rfc3986 validate: 4 vectors were answered, and now {count})"
    assert (said in judgement.reason) is bool(found)
    assert judgement.shown == "", "there is no vector to look at"


def test_more_than_listed_is_none(asked):
    assert findings(baseline(rfc3986={"validate": 2}), asked(*["pass"] * 4), "lib", known=KNOWN) == []


#: What the list says of each operation; the ones of which less is answered by an adapter that has stopped to
#: resolve, and has learnt to validate.
OPERATIONS = [
    pytest.param({"resolve": 2}, ["resolve"], id="lost"),
    pytest.param({"validate": 1, "resolve": 2}, ["resolve"], id="gained-and-lost"),
    pytest.param({"validate": 3}, ["validate"], id="less-than-it-was"),
    pytest.param({"validate": 2}, [], id="as-it-was"),
    pytest.param({"normalize": 1}, ["normalize"], id="an-operation-that-is-gone"),
]


@pytest.mark.parametrize(("listed", "lost"), OPERATIONS)
def test_one_operation_does_not_stand_in_for_another(make_case, record, listed, lost):
    resolve = {"op": "resolve", "base": "a:b", "reference": "c"}
    cases = [make_case(name) for name in IDS[:2]]
    cases += [make_case(name, **resolve, expect={"result": "a:c"}) for name in IDS[2:]]
    outcomes = ("pass", "fail", "unsupported", "unsupported")
    found = [Result(name, "lib", outcome) for name, outcome in zip(IDS, outcomes, strict=True)]
    results = record(cases, LIB, *found)
    assert answered(results, "lib", (), KNOWN) == {"rfc3986": {"validate": 2}}
    losses = findings(baseline(rfc3986=listed), results, "lib", known=KNOWN)
    losses = [one for one in losses if one.kind == "coverage"]
    assert [one.id for one in losses] == [f"rfc3986 {op}" for op in lost]
    now = {"validate": 2}
    for one in losses:
        op = one.id.partition(" ")[2]
        assert one.found.detail == f"{listed[op]} vectors were answered, and now {now.get(op, 0)}"


def test_of_many_losses_the_first_are_told(asked):
    ops = ("base", "decode", "equivalent", "extract", "normalize")
    listed = baseline(rfc3986=dict.fromkeys(ops, 1))
    (judgement,) = judgements(asked(*["pass"] * 4), ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert "5 losses of coverage (rfc3986 base: " in judgement.reason
    assert "; and 2 more)" in judgement.reason
    assert (judgement.reason.count("were answered"), judgement.groups[0].count) == (3, 5)


def test_a_selection_finds_nothing(asked):
    """And says so, where nothing else is found."""
    listed, some = baseline(rfc3986={"validate": 4}), asked("pass", "unsupported")
    assert findings(listed, some, "lib", known=KNOWN) == []
    said = "lib: as the baseline says, 0 known outcomes"
    (judgement,) = judgements(some, ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert judgement.code == Exit.PASSED
    assert judgement.reason == f"{said}; coverage of rfc3986 is not gated: not all of it was asked"
    (judgement,) = judgements(asked(*["pass"] * 4), ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert judgement.reason == said


def test_the_results_know_how_many_there_are(asked):
    """Ids of other corpora do not begin with their RFC."""
    results = asked("pass", "unsupported")
    sized = structs.replace(results, header=structs.replace(results.header, sizes={"rfc3986": 2}))
    assert answered(sized, "lib", (), ["x", "y"]) == {"rfc3986": {"validate": 1}}
    assert asked_in_part(sized, "lib", (), ["x", "y"]) == []
    assert asked_in_part(results, "lib", (), KNOWN) == ["rfc3986"]
    assert asked_in_part(results, "lib", ["rfc1808"], KNOWN) == []


def test_an_older_list_says_nothing(asked):
    results = asked("pass", "unsupported", "unsupported", "unsupported")
    assert findings(baseline(), results, "lib", known=KNOWN) == []
    assert "answered" not in canonical(baseline())


#: The numbers of a list, and whether there are any.
NUMBERS = [
    ({"rfc3986": {"validate": 4}}, True),
    ({}, False),
    ({"rfc3986": {}}, False),
    ({"rfc3986": {"validate": 0}}, False),
]


@pytest.mark.parametrize(("answered", "numbers"), NUMBERS)
def test_a_gate_without_numbers_says_so(asked, answered, numbers):
    """Such as one by a list that was made with `--section`, over the whole RFC."""
    listed = baseline(**answered)
    code, (reason,) = judge(asked(*["pass"] * 4), ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert code == Exit.PASSED
    assert ("coverage of rfc3986 is not gated: the list has no numbers of it" in reason) is not numbers


@pytest.mark.parametrize(("count", "corpus"), [(4, "0123456789ab"), (1, "f" * 12)])
def test_numbers_of_another_corpus_stay_its_own(asked, count, corpus):
    """An update over a part counts nothing anew, and so the list is still of the corpus that it was."""
    listed = structs.replace(baseline(rfc3986={"validate": 4}), corpus="f" * 12)
    made = update(listed, asked(*["pass"] * count), LIB, known=KNOWN).baseline
    assert (made.corpus, made.answered) == (corpus, {"rfc3986": {"validate": 4}})


def test_create_and_update(asked):
    """It rises and falls with an update; with `--only-shrink` it rises alone."""
    good, bad = asked(*["pass"] * 4), ("pass", "unsupported", "pass", "unsupported")
    made = create(good, LIB, ["rfc3986"], known=KNOWN)
    assert made.answered == {"rfc3986": {"validate": 4}}
    shown = '\n "spec": ["rfc3986"],\n "answered": {\n  "rfc3986": {"validate": 4}\n },\n "entries": '
    assert shown in canonical(made)
    assert create(good, LIB, ["rfc3986"]).answered == {}
    assert create(asked("pass"), LIB, ["rfc3986"], known=KNOWN).answered == {}
    kept = update(made, asked(*bad), LIB, known=KNOWN, only_shrink=True)
    assert (kept.baseline, [one.kind for one in kept.left]) == (made, ["coverage"])
    lower = update(made, asked(*bad), LIB, known=KNOWN)
    assert (lower.baseline.answered, lower.left) == ({"rfc3986": {"validate": 2}}, [])
    assert findings(lower.baseline, asked(*bad), "lib", known=KNOWN) == []
    some = update(lower.baseline, asked("pass"), LIB, known=KNOWN)
    assert some.baseline.answered == {"rfc3986": {"validate": 2}}
    higher = update(lower.baseline, asked(*["pass"] * 4), LIB, known=KNOWN, only_shrink=True)
    assert higher.baseline.answered == {"rfc3986": {"validate": 4}}
    both = update(baseline(rfc3986={"resolve": 1}), good, LIB, known=KNOWN, only_shrink=True)
    assert both.baseline.answered == {"rfc3986": {"resolve": 1, "validate": 4}}
    assert update(both.baseline, good, LIB, known=KNOWN).baseline.answered == {"rfc3986": {"validate": 4}}
    assert update(baseline(), good, LIB, known=KNOWN, only_shrink=True).baseline.answered == {}
    none = update(made, asked(*["unsupported"] * 4), LIB, known=KNOWN)
    assert (none.baseline.answered, none.left) == ({}, [])


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
