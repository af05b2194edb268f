"""Findings: what a run says against a baseline, and how a baseline is made and brought up to date."""

from __future__ import annotations

import pytest
from msgspec import structs

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, digest
from urlharness.gate.findings import KINDS, Finding, finding, findings, misfit
from urlharness.gate.gate import judgements
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import create, update
from urlharness.protocol.messages import Implementation
from urlharness.results.model import Participant, Result, Tally

pytestmark = pytest.mark.once

ID = "rfc3986-3.3-x"
OK = {"status": "ok", "url": "x:y"}
LIB = Participant("lib", "ran", Implementation("net/lib", "1"), specs=("rfc3986",))


@pytest.fixture
def case(make_case):
    return make_case(ID)


def result(outcome, got=None, *, variant="", identifier=ID, name="lib") -> Result:
    return Result(identifier, name, outcome, variant, got=got or {})


@pytest.fixture
def entry(case):
    """An entry of the case; `None` where there is none."""

    def make(outcome, got=None, **fields):
        return outcome and Entry(ID, outcome, got or {}, fields.pop("digest", digest(case)), **fields)

    return make


#: What is listed, with which answer; what is found, with which; and the finding.
TABLE = [
    (None, {}, "pass", {}, None),
    (None, {}, "unsupported", {}, None),
    (None, {}, "partial", {}, None),
    (None, {}, "fail", OK, "regression"),
    (None, {}, "timeout", {}, "regression"),
    (None, {}, "aborted", {}, "regression"),
    ("fail", OK, "fail", OK, None),
    ("fail", OK, "fail", OK | {"message": "of today"}, None),
    ("fail", OK, "fail", OK | {"at": 3}, None),
    ("fail", OK, "fail", OK | {"url": "x:z"}, "changed"),
    ("fail", OK, "fail", {"status": "reject"}, "changed"),
    ("fail", OK, "error", {"status": "error"}, "changed"),
    ("fail", OK, "crash", {}, "changed"),
    ("fail", OK, "unsupported", {}, "changed"),
    ("fail", OK, "partial", {}, "changed"),
    ("fail", OK, "aborted", {}, "changed"),
    ("fail", OK, "pass", {}, "stale"),
    ("fail", OK, "variant", {}, "stale"),
    ("timeout", {}, "timeout", {}, None),
    ("timeout", {}, "crash", {}, "changed"),
    ("timeout", {}, "pass", {}, "stale"),
    ("crash", {}, "crash", {}, None),
    ("garbage", {}, "garbage", {}, None),
    ("no-answer", {}, "no-answer", {}, None),
    ("partial", {}, "partial", {}, None),
    ("variant", {}, "variant", {}, "stale"),
    ("pass", {}, "pass", {}, "stale"),
]


@pytest.mark.parametrize(("outcome", "got", "found", "answer", "kind"), TABLE)
def test_finding(case, entry, outcome, got, found, answer, kind):
    listed = entry(outcome, got)
    one = finding(listed, case, result(found, answer))
    assert one == (kind and Finding(kind, ID, listed, result(found, answer)))


@pytest.mark.parametrize("outcome", [row[2] for row in TABLE if row[0] == "fail"])
def test_a_vector_that_has_changed(case, entry, outcome):
    """It has moved, whatever is answered to it now, but where the answer is right."""
    one = finding(entry("fail", OK, digest="0" * 12), case, result(outcome, OK))
    assert one.kind == ("stale" if outcome in ("pass", "variant") else "moved")


def test_what_was_not_asked_is_no_finding(case, entry):
    assert finding(None, case, None) is None
    assert finding(entry("fail", OK), case, None) is None
    assert finding(entry("fail", OK, digest="0" * 12), case, None) is None


def test_the_offset_is_an_answer_of_the_reference(case, entry):
    got = {"status": "reject", "at": 3, "rules": ["URI"]}
    other = result("fail", got | {"at": 4}, name="reference")
    assert finding(entry("fail", got), case, other).kind == "changed"
    assert finding(entry("fail", got), case, result("fail", got, name="reference")) is None


def test_what_a_policy_refuses_can_be_listed(make_case):
    expect = {"any": [{"valid": True}, {"valid": False, "variant": "literal"}]}
    case = make_case(ID, binding="impl-defined", expect=expect)
    strict = Policy(actions={"impl-defined": "recommended"})
    listed = Entry(ID, "variant", {}, digest(case))
    assert finding(None, case, result("variant", variant="literal"), strict).kind == "regression"
    assert finding(listed, case, result("variant", variant="literal"), strict) is None
    assert finding(listed, case, result("variant", variant="literal"), PLAIN).kind == "stale"
    pinned = Policy(pins={ID: "literal"})
    assert finding(None, case, result("pass"), pinned).kind == "regression"
    assert finding(structs.replace(listed, outcome="pass"), case, result("pass"), pinned) is None


def tally(name="lib", digest="ab" * 32, **required) -> Tally:
    part = ("resolution-rfc3986", "resolution", "rfc3986")
    return Tally(name, *part, {"pass": 1, **required}, required, {}, digest=digest)


PART = Entry("resolution-rfc3986", "fail", {"required": {"crash": 1, "fail": 7}}, "ab" * 6)

PARTS = [
    pytest.param(PART, tally(fail=7, crash=1), None, id="as-many"),
    pytest.param(PART, tally(fail=8, crash=1), "changed", id="one-more"),
    pytest.param(PART, tally(fail=6, crash=1), "changed", id="one-less"),
    pytest.param(PART, tally(), "stale", id="none"),
    pytest.param(PART, tally(fail=7, crash=1, digest="cd" * 32), "moved", id="other-cases"),
    pytest.param(PART, tally(fail=1, digest=""), None, id="not-asked-whole"),
    pytest.param(None, tally(fail=1), "regression", id="not-listed"),
    pytest.param(None, tally(), None, id="not-listed-and-right"),
    pytest.param(None, tally("other", fail=1), None, id="of-another-adapter"),
]


@pytest.fixture
def baseline():
    def make(*entries, **fields):
        head = {"corpus": "0" * 12, "implementation": "net/lib", "spec": ("rfc3986",)} | fields
        return Baseline(schema="urlbaseline-1", entries=entries, **head)

    return make


@pytest.mark.parametrize(("entry", "tallied", "kind"), PARTS)
def test_a_generated_part_has_one_entry(baseline, record, case, entry, tallied, kind):
    results = record([case], LIB, tallied)
    found = findings(baseline(*([entry] if entry else [])), results, "lib")
    assert [one.kind for one in found] == ([kind] if kind else [])


@pytest.fixture
def several(make_case, record):
    """Results over one vector of each kind of finding, one that was not asked, and the baseline for them."""
    names = ("regression", "stale", "changed", "moved", "same", "right")
    cases = {name: make_case(f"rfc3986-3.3-{name}") for name in (*names, "unasked")}
    other = make_case("rfc1738-3.1-other", rule="url")
    outcomes = [
        result("pass" if name in ("stale", "right") else "fail", OK, identifier=cases[name].vector.id)
        for name in names
    ]
    asked = [cases[name] for name in names]
    results = record([*asked, other], LIB, *outcomes, result("fail", identifier=other.vector.id))
    kept = {"issue": "#1", "note": "why"}
    digests = {name: digest(case) for name, case in cases.items()} | {"moved": "0" * 12}
    listed = [
        Entry(f"rfc3986-3.3-{name}", "fail", OK if name != "changed" else {"status": "reject"}, of, **kept)
        for name, of in digests.items()
        if name not in ("regression", "right")
    ]
    listed.append(Entry("rfc3986-3.3-gone", "fail", {}, "0" * 12))
    return results, listed, frozenset(f"rfc3986-3.3-{name}" for name in cases)


def test_every_kind_of_finding(several, baseline):
    results, listed, known = several
    found = findings(baseline(*listed), results, "lib", ["rfc3986"], known=known)
    assert [*(one.kind for one in found), "coverage"] == list(KINDS), "that of a whole RFC has its own tests"
    assert [one.id.rpartition("-")[2] for one in found] == [*KINDS[:4], "gone"]
    assert [one.kind for one in findings(baseline(*listed), results, "lib", ["rfc3986"])] == list(KINDS[:4])
    assert len(findings(baseline(*listed), results, "lib")) == 5, "and the regression of another RFC"


CODES = {"regression": 1, "stale": 4, "changed": 1, "moved": 1, "unknown id": 1}


@pytest.mark.parametrize("kind", CODES)
def test_the_code_of_each_kind(several, baseline, kind):
    """Alone, and beside stale entries, which every other kind outweighs."""
    results, listed, known = several
    by_name = {one.id.rpartition("-")[2]: one for one in listed}
    for beside in ((), ("stale",)):
        kinds = {kind, *beside}
        cases = {name for name in ("regression", "stale", "changed", "moved") if name in kinds} | {"same"}
        kept = {name: asked for name, asked in results.vectors.items() if name.rpartition("-")[2] in cases}
        entries = [by_name[name] for name in by_name if name != "gone" or "unknown id" in kinds]
        one = structs.replace(results, vectors=kept)
        (judged,) = judgements(one, ["lib"], baselines={"lib": baseline(*entries)}, known=known)
        assert {group.what for group in judged.groups} == kinds
        assert judged.code == (CODES[kind] if not beside or kind == "stale" else Exit.FAILED)


def test_update_settles_every_finding(several, baseline):
    results, listed, known = several
    made = update(baseline(*listed), results, LIB, ["rfc3986"], known=known)
    assert findings(made.baseline, results, "lib", ["rfc3986"], known=known) == []
    assert [one.id for one in made.added] == ["rfc3986-3.3-regression"]
    assert [new.id for _, new in made.changed] == ["rfc3986-3.3-changed", "rfc3986-3.3-moved"]
    assert [one.id for one, _ in made.removed] == ["rfc3986-3.3-stale", "rfc3986-3.3-gone"]
    assert {(one.issue, one.note) for _, one in made.changed} == {("#1", "why")}
    assert "rfc3986-3.3-unasked" in made.baseline.by_id()
    assert (made.left, made.baseline.corpus) == ([], "0" * 12), "it was not asked, and may be of another"
    assert [one.id for one in made.baseline.entries] == sorted(made.baseline.by_id())


def test_only_shrink_removes_and_does_nothing_else(several, baseline):
    results, listed, known = several
    before = baseline(*sorted(listed, key=lambda one: one.id))
    made = update(before, results, LIB, ["rfc3986"], known=known, only_shrink=True)
    gone = {"rfc3986-3.3-stale", "rfc3986-3.3-gone"}
    rest = tuple(one for one in before.entries if one.id not in gone)
    assert made.baseline == structs.replace(before, entries=rest)
    assert [one.kind for one in made.left] == ["regression", "changed", "moved"]


def test_create_lists_what_fails_and_nothing_else(several):
    results, _, known = several
    made = create(results, LIB, ["rfc3986"])
    assert (made.implementation, made.spec) == ("net/lib", ("rfc3986",))
    assert findings(made, results, "lib", ["rfc3986"], known=known) == []
    names = [one.id.rpartition("-")[2] for one in made.entries]
    assert names == ["changed", "moved", "regression", "same"]
    assert create(results, LIB).spec == ("rfc1738", "rfc3986")


def test_an_answer_that_no_longer_fails_is_dropped_by_an_update(case, record, baseline, entry):
    results = record([case], LIB, result("unsupported"))
    made = update(baseline(entry("fail", OK)), results, LIB)
    assert made.baseline.entries == ()
    assert [why for _, why in made.removed] == ["it does not fail any more"]


FITS = [
    ("net/lib", ("rfc3986",), ["rfc3986"], ""),
    ("lib", ("rfc3986",), ["rfc3986"], ""),
    ("net/lib", ("rfc1808", "rfc3986"), ["rfc3986"], ""),
    ("other", ("rfc3986",), ["rfc3986"], "it lists answers of 'other', not of 'net/lib'"),
    ("lib", ("rfc1808",), ["rfc1808", "rfc3986"], "it lists answers under rfc1808, not under rfc3986"),
    ("lib", (), ["rfc3986"], "it lists answers under no RFC, not under rfc3986"),
    ("lib", (), [], ""),
]


@pytest.mark.parametrize(("implementation", "spec", "judged", "why"), FITS)
def test_a_baseline_of_another_is_told(baseline, case, record, implementation, spec, judged, why):
    listed = baseline(implementation=implementation, spec=spec)
    assert misfit(listed, LIB, judged) == why
    if judged == ["rfc3986"]:
        results = record([case], LIB, result("pass"))
        (judgement,) = judgements(results, ["lib"], baselines={"lib": listed})
        assert judgement.code == (Exit.INVALID_FILE if why else Exit.PASSED)
        assert why in judgement.reason


def test_an_adapter_that_died_is_dead_by_a_baseline_too(baseline, case, record, entry):
    results = record([case], LIB, result("aborted"))
    (judgement,) = judgements(results, ["lib"], baselines={"lib": baseline(entry("fail", OK))})
    assert judgement.code == Exit.ADAPTER_DEAD
