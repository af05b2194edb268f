"""Differences between a baseline and a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from urlharness.adapters import reference
from urlharness.adapters.registry import InProcess
from urlharness.corpus.lock import CorpusIds, locked_vector
from urlharness.corpus.model import OPERATIONS, Case
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, canonical, parse_baseline, write_baseline
from urlharness.gate.findings import Finding, findings, misfit, shown_parts, vector_finding
from urlharness.gate.gate import FINDINGS, decide, old_format
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import NothingJudged, create, update
from urlharness.generate.digests import stream_digests, tier_streams
from urlharness.limits import Limits
from urlharness.protocol.messages import Implementation
from urlharness.results.coverage import answered, answered_parts, partly_run
from urlharness.results.model import Participant, Result, Results, Tally, read_results
from urlharness.results.verdict import Outcome
from urlharness.runner import open_results, run

ID = "rfc3986-3.3-x"


OK = {"status": "ok", "url": "x:y"}


LIB = Participant("lib", "ran", Implementation("net/lib", "1"), specs=("rfc3986",))


def outcomes_of(counts):
    return {Outcome(name): count for name, count in counts.items()}


@pytest.fixture
def case(make_case):
    return make_case(ID)


def result(outcome, got=None, *, variant="", identifier=ID, name="lib") -> Result:
    return Result(identifier, name, Outcome(outcome), variant, got=got or {})


@pytest.fixture
def entry(case):
    """An entry of the case; `None` where there is none."""

    def make(outcome, got=None, **fields):
        return outcome and Entry(
            ID, outcome, got or {}, fields.pop("digest", locked_vector(case).digest), **fields
        )

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
    ("fail", OK, "unsupported", {}, "answered wrong, now not offered"),
    ("fail", OK, "partial", {}, "answered wrong, now in part"),
    ("variant", OK, "partial", {}, "answered, now in part"),
    ("crash", {}, "unsupported", {}, "changed"),
    ("partial", OK, "unsupported", {}, "changed"),
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


@pytest.mark.parametrize(("outcome", "got", "current", "answer", "kind"), TABLE)
def test_an_answer_is_a_finding_if_the_baseline_does_not_list_it(
    case, entry, outcome, got, current, answer, kind
):
    listed = entry(outcome, got)
    finding = vector_finding(listed, case, result(current, answer))
    lost = kind if kind and kind.startswith("answered") else ""
    assert finding == (kind and Finding("lost" if lost else kind, ID, listed, result(current, answer), lost))


@pytest.mark.parametrize("outcome", [row[2] for row in TABLE if row[0] == "fail"])
def test_an_entry_of_a_changed_vector_has_moved(case, entry, outcome):
    """It has moved, whatever is answered to it now, but where the answer is right."""
    finding = vector_finding(entry("fail", OK, digest="0" * 12), case, result(outcome, OK))
    assert finding.kind == ("stale" if outcome in ("pass", "variant") else "moved")


def test_cases_that_were_not_asked_are_no_findings(case, entry):
    assert vector_finding(None, case, None) is None
    assert vector_finding(entry("fail", OK), case, None) is None
    assert vector_finding(entry("fail", OK, digest="0" * 12), case, None) is None


def test_the_offset_is_an_answer_of_the_reference(case, entry):
    got = {"status": "reject", "at": 3, "rules": ["URI"]}
    other_result = result("fail", got | {"at": 4}, name="reference")
    assert vector_finding(entry("fail", got), case, other_result).kind == "changed"
    assert vector_finding(entry("fail", got), case, result("fail", got, name="reference")) is None


def test_answers_that_the_policy_refuses_can_be_listed(make_case):
    expect = {"any": [{"valid": True}, {"valid": False, "variant": "literal"}]}
    case = make_case(ID, binding="impl-defined", expect=expect)
    strict = Policy(actions={"impl-defined": "recommended"})
    listed = Entry(ID, "variant", {}, locked_vector(case).digest)
    assert vector_finding(None, case, result("variant", variant="literal"), strict).kind == "regression"
    assert vector_finding(listed, case, result("variant", variant="literal"), strict) is None
    assert vector_finding(listed, case, result("variant", variant="literal"), PLAIN).kind == "stale"
    pinned = Policy(pins={ID: "literal"})
    assert vector_finding(None, case, result("pass"), pinned).kind == "regression"
    assert vector_finding(structs.replace(listed, outcome="pass"), case, result("pass"), pinned) is None


def tally(name="lib", digest="ab" * 32, **required) -> Tally:
    part = ("resolution-rfc3986", "resolution", "rfc3986")
    return Tally(name, *part, outcomes_of({"pass": 1, **required}), outcomes_of(required), {}, digest=digest)


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
    results = record([case], LIB, Participant("other", "ran"), tallied)
    found_findings = findings(baseline(*([entry] if entry else [])), results, "lib")
    assert [finding.kind for finding in found_findings] == ([kind] if kind else [])


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
    cases_asked = [cases[name] for name in names]
    results = record([*cases_asked, other], LIB, *outcomes, result("fail", identifier=other.vector.id))
    remarks = {"issue": "#1", "note": "why"}
    digests = {name: locked_vector(case).digest for name, case in cases.items()} | {"moved": "0" * 12}
    listed = [
        Entry(f"rfc3986-3.3-{name}", "fail", OK if name != "changed" else {"status": "reject"}, of, **remarks)
        for name, of in digests.items()
        if name not in ("regression", "right")
    ]
    listed.append(Entry("rfc3986-3.3-gone", "fail", {}, "0" * 12))
    return results, listed, frozenset(f"rfc3986-3.3-{name}" for name in cases)


def test_every_kind_of_finding_is_found(several, baseline):
    results, listed, corpus_ids = several
    new_findings = findings(baseline(*listed), results, "lib", ["rfc3986"], known=corpus_ids)
    kinds = ["regression", "stale", "changed", "moved"]
    assert [finding.kind for finding in new_findings] == [*kinds, "unknown id"]
    assert {*FINDINGS} - {finding.kind for finding in new_findings} == {"lost", "coverage"}, (
        "these have their own tests"
    )
    assert [finding.id.rpartition("-")[2] for finding in new_findings] == [*kinds, "gone"]
    assert [finding.kind for finding in findings(baseline(*listed), results, "lib", ["rfc3986"])] == kinds
    assert len(findings(baseline(*listed), results, "lib")) == 5, "and the regression of another RFC"


def _removing(known, *names):
    """The ids of a corpus that has removed some vectors."""
    ids = CorpusIds(known)
    ids.removed = frozenset(f"rfc3986-3.3-{name}" for name in names)
    return ids


CODES = {"regression": 1, "stale": 4, "changed": 1, "moved": 1, "unknown id": 1}


@pytest.mark.parametrize("kind", CODES)
def test_each_kind_of_finding_has_its_exit_code(several, baseline, kind):
    """Alone, and beside stale entries, which every other kind outweighs."""
    results, listed, corpus_ids = several
    by_name = {entry.id.rpartition("-")[2]: entry for entry in listed}
    for beside in ((), ("stale",)):
        kinds = {kind, *beside}
        cases = {name for name in ("regression", "stale", "changed", "moved") if name in kinds} | {"same"}
        remaining = {
            name: vector for name, vector in results.vectors.items() if name.rpartition("-")[2] in cases
        }
        entries = [by_name[name] for name in by_name if name != "gone" or "unknown id" in kinds]
        part_of_results = structs.replace(results, vectors=remaining)
        (judged,) = decide(
            part_of_results, ["lib"], baselines={"lib": baseline(*entries)}, known=corpus_ids
        ).judgements
        assert {group.what for group in judged.groups} == kinds
        assert judged.code == (CODES[kind] if not beside or kind == "stale" else Exit.FAILED)


def test_update_settles_every_finding(several, baseline):
    results, listed, corpus_ids = several
    updated = update(baseline(*listed), results, LIB, ["rfc3986"], known=corpus_ids)
    assert findings(updated.baseline, results, "lib", ["rfc3986"], known=corpus_ids) == []
    assert [entry.id for entry in updated.added] == ["rfc3986-3.3-regression"]
    assert [new.id for _, new in updated.changed] == ["rfc3986-3.3-changed", "rfc3986-3.3-moved"]
    assert [entry.id for entry, _ in updated.removed] == ["rfc3986-3.3-stale", "rfc3986-3.3-gone"]
    assert {(entry.issue, entry.note) for _, entry in updated.changed} == {("#1", "why")}
    assert "rfc3986-3.3-unasked" in updated.baseline.by_id()
    assert updated.left == [], "it was not asked, and may be of another"
    assert updated.baseline.corpus == "0" * 12, "it was not asked, and may be of another"
    assert [entry.id for entry in updated.baseline.entries] == sorted(updated.baseline.by_id())


def test_only_shrink_removes_and_does_nothing_else(several, baseline):
    results, listed, corpus_ids = several
    before = baseline(*sorted(listed, key=lambda entry: entry.id))
    updated = update(before, results, LIB, ["rfc3986"], known=corpus_ids, only_shrink=True)
    gone = {"rfc3986-3.3-stale", "rfc3986-3.3-gone"}
    rest = tuple(entry for entry in before.entries if entry.id not in gone)
    assert updated.baseline == structs.replace(before, entries=rest)
    assert [finding.kind for finding in updated.left] == ["regression", "changed", "moved"]


def test_create_lists_what_fails_and_nothing_else(several):
    results, _, corpus_ids = several
    created = create(results, LIB, ["rfc3986"])
    assert created.implementation == "net/lib"
    assert created.spec == ("rfc3986",)
    assert findings(created, results, "lib", ["rfc3986"], known=corpus_ids) == []
    names = [entry.id.rpartition("-")[2] for entry in created.entries]
    assert names == ["changed", "moved", "regression", "same"]
    assert create(results, LIB).spec == ("rfc1738", "rfc3986")


def test_an_answer_that_no_longer_fails_is_dropped_by_an_update(case, record, baseline, entry):
    results = record([case], LIB, result("unsupported"))
    updated = update(baseline(entry("fail", OK)), results, LIB)
    assert updated.baseline.entries == ()
    assert [why for _, why in updated.removed] == ["it is not answered any more"]


FITS = [
    ("net/lib", ("rfc3986",), ["rfc3986"], ""),
    ("lib", ("rfc3986",), ["rfc3986"], ""),
    ("net/lib", ("rfc1808", "rfc3986"), ["rfc3986"], ""),
    ("other", ("rfc3986",), ["rfc3986"], "it was made for implementation 'other', but this one is 'net/lib'"),
    (
        "lib",
        ("rfc1808",),
        ["rfc1808", "rfc3986"],
        "it was made for rfc1808, but this run also judges rfc3986",
    ),
    ("lib", (), ["rfc3986"], "it was made for no RFC, but this run also judges rfc3986"),
    ("lib", (), [], ""),
]


@pytest.mark.parametrize(("implementation", "spec", "judged", "why"), FITS)
def test_a_baseline_of_another_library_is_noted(baseline, case, record, implementation, spec, judged, why):
    listed = baseline(implementation=implementation, spec=spec)
    assert misfit(listed, LIB, judged) == why
    if judged == ["rfc3986"]:
        results = record([case], LIB, result("pass"))
        (judgement,) = decide(results, ["lib"], baselines={"lib": listed}).judgements
        assert judgement.code == (Exit.INVALID_FILE if why else Exit.PASSED)
        assert why in judgement.reason


def test_a_baseline_does_not_hide_a_dead_adapter(baseline, case, record, entry):
    results = record([case], LIB, result("aborted"))
    (judgement,) = decide(results, ["lib"], baselines={"lib": baseline(entry("fail", OK))}).judgements
    assert judgement.code == Exit.ADAPTER_DEAD


# ---- coverage of RFCs

COVERAGE_LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=("validate",), specs=("rfc3986",))


IDS = tuple(f"rfc3986-3.3-{number}" for number in range(4))


KNOWN = frozenset((*IDS, "rfc1808-2-x", "complete-rfc3986-URI"))


@pytest.fixture
def run_of(make_case, record):
    """A run of the first vectors of an RFC of four, with these outcomes."""

    def ask(*outcomes, participant=COVERAGE_LIB):
        cases = [make_case(name) for name in IDS[: len(outcomes)]]
        results = [
            Result(name, "lib", Outcome(outcome)) for name, outcome in zip(IDS, outcomes, strict=False)
        ]
        return record(cases, participant, *results)

    return ask


def listing_of(**answered) -> Baseline:
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), (), answered)


#: The outcomes of the four vectors; how many of them are answered.
ANSWERED = [
    (("pass",) * 4, 4),
    (("pass", "variant", "fail", "timeout"), 4),
    (("pass", "unsupported", "unsupported", "unsupported"), 1),
    (("pass", "pass", "pass", "partial"), 3),
]


@pytest.mark.parametrize(("outcomes", "count"), ANSWERED)
def test_answered_vectors_are_counted_by_rfc_and_operation(run_of, outcomes, count):
    results = run_of(*outcomes)
    assert answered(results, "lib", ["rfc3986"], KNOWN) == {"rfc3986": {"validate": count}}
    assert answered(results, "lib", ["rfc1808"], KNOWN) == {}
    assert answered(results, "lib") == {}, "nobody knows how many there are"


@pytest.mark.parametrize(("outcomes", "count"), [row for row in ANSWERED if "fail" not in row[0]])
def test_fewer_than_listed_is_a_finding(run_of, outcomes, count):
    results = run_of(*outcomes)
    listed = listing_of(rfc3986={"validate": 4})
    losses = findings(listed, results, "lib", ["rfc3986"], PLAIN, known=KNOWN)
    assert [(finding.kind, finding.id) for finding in losses] == [("coverage", "rfc3986 validate")] * (
        count < 4
    )
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, known=KNOWN).judgements
    assert judgement.code == (Exit.FAILED if losses else Exit.PASSED)
    numbers = f"(rfc3986 validate: 4 vectors were answered, now {count})"
    assert (numbers in judgement.reason) is bool(losses)
    assert judgement.shown == "", "there is no vector to look at"


GONE = "rfc3986-3.3-gone"


def test_entries_of_removed_vectors_fail_nothing(run_of, make_case):
    """They are named in one line, and an update takes them out; other unknown ids still fail."""
    results = run_of(*["pass"] * 4)
    corpus_ids = _removing(KNOWN, "gone")
    digest = locked_vector(make_case(GONE)).digest
    listed = structs.replace(listing_of(), entries=(Entry(GONE, "fail", {}, digest),))
    (judged,) = decide(results, ["lib"], baselines={"lib": listed}, known=corpus_ids).judgements
    assert judged.groups == ()
    assert judged.code == Exit.PASSED
    assert judged.notes[0] == f"1 entry of a removed vector, ignored: {GONE}"
    (finding,) = findings(listed, results, "lib", known=_removing(KNOWN, "other"))
    assert finding.kind == "unknown id"
    assert finding.id == GONE
    updated = update(listed, results, COVERAGE_LIB, known=corpus_ids, only_shrink=True)
    assert [(entry.id, why) for entry, why in updated.removed] == [(GONE, "the corpus has removed it")]
    assert updated.baseline.entries == ()


@pytest.mark.parametrize(("corpus_then", "lost"), [("1" * 12, 0), ("", 1)], ids=["other", "same"])
def test_answers_to_removed_vectors_are_not_missed(run_of, corpus_then, lost):
    """The baseline counts one answer more than the run, and the corpus has removed one vector since."""
    results = run_of(*["pass"] * 4)
    before = listing_of(rfc3986={"validate": 5})
    before = structs.replace(before, corpus=corpus_then or results.header.corpus)
    losses = findings(before, results, "lib", ["rfc3986"], known=_removing(KNOWN, "gone"))
    assert [finding.kind for finding in losses] == ["coverage"] * lost
    two_less = structs.replace(before, answered={"rfc3986": {"validate": 6}})
    assert findings(two_less, results, "lib", ["rfc3986"], known=_removing(KNOWN, "gone"))


def test_more_answers_than_listed_are_no_finding(run_of):
    assert findings(listing_of(rfc3986={"validate": 2}), run_of(*["pass"] * 4), "lib", known=KNOWN) == []


#: What the list says of each operation; the ones of which less is answered by an adapter that has stopped to
#: resolve, and has learnt to validate.
OPERATION_COUNTS = [
    pytest.param({"resolve": 2}, ["resolve"], id="lost"),
    pytest.param({"validate": 1, "resolve": 2}, ["resolve"], id="gained-and-lost"),
    pytest.param({"validate": 3}, ["validate"], id="less-than-it-was"),
    pytest.param({"validate": 2}, [], id="as-it-was"),
    pytest.param({"normalize": 1}, ["normalize"], id="an-operation-that-is-gone"),
]


@pytest.mark.parametrize(("listed", "lost"), OPERATION_COUNTS)
def test_one_operation_does_not_stand_in_for_another(make_case, record, listed, lost):
    resolve = {"op": "resolve", "base": "a:b", "reference": "c"}
    cases = [make_case(name) for name in IDS[:2]]
    cases += [make_case(name, **resolve, expect={"result": "a:c"}) for name in IDS[2:]]
    outcomes = ("pass", "fail", "unsupported", "unsupported")
    answers = [Result(name, "lib", Outcome(outcome)) for name, outcome in zip(IDS, outcomes, strict=True)]
    results = record(cases, COVERAGE_LIB, *answers)
    assert answered(results, "lib", (), KNOWN) == {"rfc3986": {"validate": 2}}
    losses = findings(listing_of(rfc3986=listed), results, "lib", known=KNOWN)
    losses = [loss for loss in losses if loss.kind == "coverage"]
    assert [loss.id for loss in losses] == [f"rfc3986 {op}" for op in lost]
    now = {"validate": 2}
    for loss_finding in losses:
        op = loss_finding.id.partition(" ")[2]
        assert loss_finding.found.detail == f"{listed[op]} vectors were answered, now {now.get(op, 0)}"


def test_only_the_first_losses_are_listed(run_of):
    ops = ("base", "decode", "equivalent", "extract", "normalize")
    listed = listing_of(rfc3986=dict.fromkeys(ops, 1))
    (judgement,) = decide(run_of(*["pass"] * 4), ["lib"], baselines={"lib": listed}, known=KNOWN).judgements
    assert "5 losses of coverage (rfc3986 base: " in judgement.reason
    assert "; and 2 more)" in judgement.reason
    assert judgement.reason.count("were answered") == 3
    assert judgement.groups[0].count == 5


def test_a_selection_does_not_check_coverage(run_of):
    """And says so, where nothing else is found."""
    listed = listing_of(rfc3986={"validate": 4})
    some = run_of("pass", "unsupported")
    assert findings(listed, some, "lib", known=KNOWN) == []
    reason = "lib: passed; 0 known failures, all in the baseline"
    (judgement,) = decide(some, ["lib"], baselines={"lib": listed}, known=KNOWN).judgements
    assert judgement.code == Exit.PASSED
    partly = "Coverage of RFC 3986 was not checked: only part of it was run"
    assert judgement.reason == f"{reason}. {partly}"
    (judgement,) = decide(run_of(*["pass"] * 4), ["lib"], baselines={"lib": listed}, known=KNOWN).judgements
    assert judgement.reason == reason


def test_the_results_know_how_many_there_are(run_of):
    """Ids of other corpora do not begin with their RFC."""
    results = run_of("pass", "unsupported")
    sized = structs.replace(results, header=structs.replace(results.header, sizes={"rfc3986": 2}))
    assert answered(sized, "lib", (), ["x", "y"]) == {"rfc3986": {"validate": 1}}
    assert partly_run(sized, "lib", (), ["x", "y"]) == []
    assert partly_run(results, "lib", (), KNOWN) == ["rfc3986"]
    assert partly_run(results, "lib", ["rfc1808"], KNOWN) == []


def test_a_baseline_without_numbers_has_no_coverage(run_of):
    results = run_of("pass", "unsupported", "unsupported", "unsupported")
    assert findings(listing_of(), results, "lib", known=KNOWN) == []
    assert "answered" not in canonical(listing_of())


#: The numbers of a list, and whether there are any.
NUMBERS = [
    ({"rfc3986": {"validate": 4}}, True),
    ({}, False),
    ({"rfc3986": {}}, False),
    ({"rfc3986": {"validate": 0}}, False),
]


@pytest.mark.parametrize(("answered", "numbers"), NUMBERS)
def test_missing_coverage_numbers_are_noted(run_of, answered, numbers):
    """Such as one by a list that was made with `--section`, over the whole RFC."""
    listed = listing_of(**answered)
    decision = decide(run_of(*["pass"] * 4), ["lib"], baselines={"lib": listed}, known=KNOWN)
    reason, note = decision.reasons
    assert note == f"lib: {old_format(listed)}"
    assert decision.code == Exit.PASSED
    assert (
        "Coverage of RFC 3986 was not checked: the baseline has no answer counts for it" in reason
    ) is not numbers


@pytest.mark.parametrize(("count", "digest"), [(4, "0123456789ab"), (1, "f" * 12)])
def test_numbers_of_another_corpus_are_kept(run_of, count, digest):
    """An update over a part counts nothing anew, and so the list is still of the corpus that it was."""
    listed = structs.replace(listing_of(rfc3986={"validate": 4}), corpus="f" * 12)
    updated = update(listed, run_of(*["pass"] * count), COVERAGE_LIB, known=KNOWN).baseline
    assert updated.corpus == digest
    assert updated.answered == {"rfc3986": {"validate": 4}}


def test_a_new_baseline_has_the_number_of_answers(run_of):
    created = create(run_of(*["pass"] * 4), COVERAGE_LIB, ["rfc3986"], known=KNOWN)
    assert created.answered == {"rfc3986": {"validate": 4}}
    assert created.complete == {"rfc3986": {"validate": IDS}}
    head = '\n "spec": ["rfc3986"],\n "answered": {\n  "rfc3986": {"validate": 4}\n },\n "complete": '
    assert head in canonical(created)


def test_a_new_baseline_has_no_number_if_the_number_of_vectors_is_unknown(run_of):
    assert create(run_of(*["pass"] * 4), COVERAGE_LIB, ["rfc3986"]).answered == {}


def test_a_new_baseline_of_a_part_has_no_number(run_of):
    assert create(run_of("pass"), COVERAGE_LIB, ["rfc3986"], known=KNOWN).answered == {}


#: Two of the four vectors are answered.
HALF = ("pass", "unsupported", "pass", "unsupported")


def test_only_shrink_leaves_lost_answers_and_their_number(run_of):
    created = create(run_of(*["pass"] * 4), COVERAGE_LIB, ["rfc3986"], known=KNOWN)
    shrunk = update(created, run_of(*HALF), COVERAGE_LIB, known=KNOWN, only_shrink=True)
    assert shrunk.baseline == created
    assert [finding.kind for finding in shrunk.left] == ["lost", "lost"]


def test_an_update_lowers_the_number_of_answers(run_of):
    created = create(run_of(*["pass"] * 4), COVERAGE_LIB, ["rfc3986"], known=KNOWN)
    lower = update(created, run_of(*HALF), COVERAGE_LIB, known=KNOWN)
    assert lower.baseline.answered == {"rfc3986": {"validate": 2}}
    assert lower.left == []
    assert findings(lower.baseline, run_of(*HALF), "lib", known=KNOWN) == []


def test_an_update_by_a_part_keeps_the_number_of_answers(run_of):
    created = create(run_of(*HALF), COVERAGE_LIB, ["rfc3986"], known=KNOWN)
    updated = update(created, run_of("pass"), COVERAGE_LIB, known=KNOWN)
    assert updated.baseline.answered == {"rfc3986": {"validate": 2}}


def test_only_shrink_raises_the_number_of_answers(run_of):
    created = create(run_of(*HALF), COVERAGE_LIB, ["rfc3986"], known=KNOWN)
    higher = update(created, run_of(*["pass"] * 4), COVERAGE_LIB, known=KNOWN, only_shrink=True)
    assert higher.baseline.answered == {"rfc3986": {"validate": 4}}


def test_only_shrink_keeps_the_number_of_another_operation(run_of):
    """A later update without the option drops it."""
    good = run_of(*["pass"] * 4)
    both = update(listing_of(rfc3986={"resolve": 1}), good, COVERAGE_LIB, known=KNOWN, only_shrink=True)
    assert both.baseline.answered == {"rfc3986": {"resolve": 1, "validate": 4}}
    updated = update(both.baseline, good, COVERAGE_LIB, known=KNOWN)
    assert updated.baseline.answered == {"rfc3986": {"validate": 4}}


def test_only_shrink_adds_no_number_to_a_baseline_without_numbers(run_of):
    updated = update(listing_of(), run_of(*["pass"] * 4), COVERAGE_LIB, known=KNOWN, only_shrink=True)
    assert updated.baseline.answered == {}


def test_an_update_by_a_library_without_answers_locks_none(run_of):
    created = create(run_of(*["pass"] * 4), COVERAGE_LIB, ["rfc3986"], known=KNOWN)
    updated = update(created, run_of(*["unsupported"] * 4), COVERAGE_LIB, known=KNOWN)
    assert updated.baseline.answered == {"rfc3986": {}}
    assert updated.left == []
    assert updated.baseline.unanswered == {"rfc3986": {"validate": "all"}}


@pytest.mark.parametrize("binding", ["required", "impl-defined"])
@pytest.mark.parametrize(("ops", "claimed"), [(("validate",), True), (("resolve",), False), ((), False)])
def test_a_strict_policy_needs_answers_to_claimed_operations(make_case, record, binding, ops, claimed):
    expect = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}
    case = make_case(IDS[0], binding=binding, **({} if binding == "required" else {"expect": expect}))
    about = structs.replace(COVERAGE_LIB, ops=ops)
    results = record(
        [case, make_case(IDS[1])],
        about,
        Result(IDS[0], "lib", Outcome.UNSUPPORTED),
        Result(IDS[1], "lib", Outcome.PASS),
    )
    fails = claimed and binding == "required"
    for strict in (False, True):
        policy = Policy(strict=strict)
        (judgement,) = decide(results, ["lib"], policy=policy).judgements
        assert judgement.code == (Exit.FAILED if fails and strict else Exit.PASSED)
        created = create(results, about, policy=policy)
        assert [entry.outcome for entry in created.entries] == ["unsupported"] * (fails and strict)
        (judgement,) = decide(results, ["lib"], policy=policy, baselines={"lib": created}).judgements
        assert judgement.code == Exit.PASSED


def claims(*ops, modes=("syntax", "scheme")):
    return Participant("lib", "ran", ops=ops, modes=modes)


@pytest.mark.parametrize(("tier", "op"), [("complete", "validate"), ("resolution", "resolve")])
def test_generated_cases_follow_the_same_rule(tier, op):
    counts = {"pass": 1, "unsupported": 3}
    tally = Tally("lib", f"{tier}-rfc3986", tier, "rfc3986", outcomes_of(counts), outcomes_of(counts), {})
    assert Policy(strict=True).claiming(claims(op)).failing_outcomes(tally) == {"unsupported": 3}
    assert Policy(strict=True).claiming(claims("parse")).failing_outcomes(tally) == {}
    assert Policy().claiming(claims(op)).failing_outcomes(tally) == {}


@pytest.mark.parametrize(
    ("modes", "failing"), [(("syntax", "scheme"), {"unsupported": 3}), (("syntax",), {}), ((), {})]
)
def test_generated_cases_of_an_unclaimed_mode_do_not_fail(modes, failing):
    counts = outcomes_of({"pass": 1, "unsupported": 3})
    tally = Tally("lib", "normalization-rfc3986", "normalization", "rfc3986", counts, counts, {})
    policy = Policy(strict=True).claiming(claims("normalize", modes=modes))
    assert policy.failing_outcomes(tally) == failing


@pytest.mark.parametrize(("mode", "fails"), [(None, False), ("syntax", False), ("scheme", True)])
def test_a_case_in_an_unclaimed_mode_does_not_fail(make_case, mode, fails):
    case = make_case(ID, op="normalize", mode=mode, expect={"result": "a:"})
    policy = Policy(strict=True).claiming(claims("normalize", modes=("scheme",)))
    assert policy.fails(case, result("unsupported")) is fails


# ---- coverage of generated parts

TIER_LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=("validate",), specs=("rfc3986",))


TIER_PART, DIGEST = "complete-rfc3986-URI", "ab" * 32


TIER_KNOWN = frozenset(("rfc3986-3.3-0", TIER_PART))


LISTED = Entry(TIER_PART, "fail", {"required": {"fail": 2}}, DIGEST[:12])


@pytest.fixture
def asked_parts(record):
    """A run of one generated part with these outcomes of `validate`, asked_parts whole or not."""

    def ask(*, whole: bool = True, which: str = "", **outcomes: int):
        full = sum(count for outcome, count in outcomes.items() if outcome not in ("partial", "unsupported"))
        tally = Tally(
            "lib",
            TIER_PART,
            "complete",
            "rfc3986",
            outcomes_of(outcomes),
            outcomes_of(outcomes),
            {},
            "URI",
            DIGEST if whole else "",
            {"validate": full} if full else {},
            which,
        )
        return record([], TIER_LIB, tally)

    return ask


def listing(*entries: Entry, **generated: int) -> Baseline:
    numbers = {
        TIER_PART if name == "part" else name: {"validate": count} for name, count in generated.items()
    }
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), entries, {}, numbers)


def test_answered_cases_of_a_part_are_counted(asked_parts):
    assert answered_parts(
        asked_parts(**{"pass": 3}, fail=2, partial=1, unsupported=4, timeout=1), "lib", (), TIER_KNOWN
    ) == {TIER_PART: {"validate": 6}}
    assert answered_parts(asked_parts(unsupported=4), "lib", (), TIER_KNOWN) == {TIER_PART: {}}
    assert answered_parts(asked_parts(**{"pass": 3}), "lib", ["rfc1808"], TIER_KNOWN) == {}
    assert answered_parts(asked_parts(**{"pass": 3}), "lib") == {}, "as for vectors"
    some = asked_parts(**{"pass": 3}, whole=False)
    assert answered_parts(some, "lib", (), TIER_KNOWN) == {}
    assert partly_run(some, "lib", (), TIER_KNOWN) == [TIER_PART]
    assert partly_run(some, "lib", ["rfc1808"], TIER_KNOWN) == []


#: What a list has of a part, entry and number; what is answered now; the findings.
TIER_TABLE = [
    pytest.param([LISTED], {"part": 5}, {"pass": 3, "fail": 2}, [], id="as-it-was"),
    pytest.param([LISTED], {"part": 5}, {"pass": 5}, ["stale"], id="mended"),
    pytest.param([LISTED], {"part": 5}, {"unsupported": 5}, ["changed", "coverage"], id="unsupported"),
    pytest.param([LISTED], {"part": 5}, {"pass": 3, "partial": 2}, ["changed", "coverage"], id="partial"),
    pytest.param(
        [LISTED], {"part": 5}, {"pass": 1, "fail": 2, "partial": 2}, ["coverage"], id="partial-rest"
    ),
    pytest.param(
        [LISTED], {"part": 3}, {"pass": 3, "unsupported": 2}, ["stale"], id="mended-as-ever-in-part"
    ),
    pytest.param([LISTED], {}, {"pass": 5}, ["stale"], id="without-a-number-mended"),
    pytest.param([LISTED], {}, {"unsupported": 5}, ["changed"], id="without-a-number-unsupported"),
    pytest.param([LISTED], {}, {"pass": 3, "unsupported": 2}, ["changed"], id="without-a-number-in-part"),
    pytest.param([], {"part": 5}, {"pass": 5}, [], id="nothing-listed"),
    pytest.param([], {"part": 5}, {"pass": 4, "unsupported": 1}, ["coverage"], id="nothing-listed-less"),
    pytest.param([], {"part": 4}, {"pass": 5}, [], id="more"),
    pytest.param([], {"gone": 4}, {"pass": 5}, ["coverage"], id="a-part-that-there-is-not"),
]


@pytest.mark.parametrize(("entries", "numbers", "outcomes", "kinds"), TIER_TABLE)
def test_a_part_of_a_tier_has_findings_settled_by_an_update(asked_parts, entries, numbers, outcomes, kinds):
    results = asked_parts(**outcomes)
    listed = listing(*entries, **numbers)
    part_findings = findings(listed, results, "lib", known=TIER_KNOWN)
    assert [finding.kind for finding in part_findings] == kinds
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, known=TIER_KNOWN).judgements
    if "pass" in outcomes:
        codes = {(): Exit.PASSED, ("stale",): Exit.STALE}
        assert judgement.code == codes.get(tuple(kinds), Exit.FAILED)
    else:
        assert judgement.code == Exit.NOTHING_RAN
    assert judgement.shown == "", "a part cannot be put to an adapter"
    for only_shrink in (True, False):
        updated = update(listed, results, TIER_LIB, known=TIER_KNOWN, only_shrink=only_shrink)
        remaining = findings(updated.baseline, results, "lib", known=TIER_KNOWN)
        remaining_kinds = [kind for kind in kinds if kind != "stale"] if only_shrink else []
        assert (
            [finding.kind for finding in remaining]
            == [finding.kind for finding in updated.left]
            == remaining_kinds
        )


def test_the_message_has_the_numbers(asked_parts):
    listed = listing(LISTED, part=5_000)
    (judgement,) = decide(
        asked_parts(**{"pass": 3}, partial=2), ["lib"], baselines={"lib": listed}, known=TIER_KNOWN
    ).judgements
    assert (
        f"1 loss of coverage, 1 changed ({TIER_PART} validate: 5,000 cases were answered, now 3)"
        in judgement.reason
    )
    listed = listing(gone=5)
    (judgement,) = decide(
        asked_parts(**{"pass": 3}), ["lib"], baselines={"lib": listed}, known=TIER_KNOWN
    ).judgements
    assert "(gone validate: 5 cases were answered, but the corpus has no such part)" in judgement.reason


#: What of a part that was not asked_parts whole goes wrong, and whether it could be some of two that fail.
SLICES = [
    pytest.param({"pass": 1}, True, id="nothing"),
    pytest.param({"fail": 2}, True, id="as-many"),
    pytest.param({"fail": 1, "unsupported": 9}, True, id="fewer"),
    pytest.param({"fail": 3}, False, id="more"),
    pytest.param({"error": 1}, False, id="otherwise"),
]


@pytest.mark.parametrize(("outcomes", "some"), SLICES)
def test_a_slice_of_a_part_may_be_wrong_as_far_as_the_part_is_listed(asked_parts, outcomes, some):
    results = asked_parts(**outcomes, whole=False)
    listed = listing(LISTED, part=5)
    kinds = [finding.kind for finding in findings(listed, results, "lib", known=TIER_KNOWN)]
    assert kinds == ([] if some else ["changed"])
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, known=TIER_KNOWN).judgements
    assert judgement.listable is some
    assert judgement.code == (Exit.PASSED if some else Exit.FAILED)
    updated = update(listed, results, TIER_LIB, known=TIER_KNOWN)
    assert updated.baseline == listed, "a list has a part whole"
    assert [finding.kind for finding in updated.left] == kinds, "a list has a part whole"


def test_no_baseline_is_made_of_a_slice(asked_parts):
    """Its digest could be no digest of the part, and such a list could not be read."""
    results = asked_parts(fail=2, whole=False)
    with pytest.raises(NothingJudged, match=f"{TIER_PART} failed, but not all its cases were asked"):
        create(results, TIER_LIB, known=TIER_KNOWN)
    (judgement,) = decide(results, ["lib"]).judgements
    assert not judgement.listable
    assert judgement.code == Exit.FAILED
    assert create(asked_parts(**{"pass": 2}, whole=False), TIER_LIB, known=TIER_KNOWN).entries == ()


@pytest.mark.parametrize(("which", "kinds"), [("ab" * 32, []), ("cd" * 32, ["changed"])])
def test_other_failures_of_the_same_number_are_found(asked_parts, which, kinds):
    created = create(asked_parts(fail=2, **{"pass": 3}, which="ab" * 32), TIER_LIB, known=TIER_KNOWN)
    assert created.entries[0].got == {"required": {"fail": 2}, "failing": "ab" * 6}
    part_findings = findings(
        created, asked_parts(fail=2, **{"pass": 3}, which=which), "lib", known=TIER_KNOWN
    )
    assert [finding.kind for finding in part_findings] == kinds


def test_one_operation_of_a_part_does_not_stand_in_for_another(asked_parts):
    listed = listing(part=2)
    results = structs.replace(asked_parts(**{"pass": 3}), tallies=tuple(
        structs.replace(tally, answered={"parse": 3}) for tally in asked_parts(**{"pass": 3}).tallies
    ))  # fmt: skip
    assert [finding.id for finding in findings(listed, results, "lib", known=TIER_KNOWN)] == [
        f"{TIER_PART} validate"
    ]


def test_a_part_that_was_not_asked_is_left_alone(asked_parts):
    some = asked_parts(**{"pass": 1}, whole=False)
    listed = listing(LISTED, part=5)
    assert findings(listed, some, "lib", known=TIER_KNOWN) == []
    updated = update(listed, some, TIER_LIB, known=TIER_KNOWN)
    assert updated.baseline == listed
    assert updated.left == []


#: The list and whether the part is asked_parts whole; what is said of a gate that is passed.
NOTES = [
    (listing(part=3), True, ""),
    (listing(), True, f"Coverage of {TIER_PART} was not checked: the baseline has no answer counts for it"),
    (listing(part=3), False, f"Coverage of {TIER_PART} was not checked: only part of it was run"),
]


@pytest.mark.parametrize(("listed", "whole", "note"), NOTES)
def test_an_unchecked_loss_is_noted(asked_parts, listed, whole, note):
    results = asked_parts(**{"pass": 3}, whole=whole)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, known=TIER_KNOWN).judgements
    assert judgement.code == Exit.PASSED
    passed = ". ".join(filter(None, ("lib: passed; 0 known failures, all in the baseline", note)))
    assert judgement.reason == passed
    assert judgement.notes == (old_format(listed),)


@pytest.fixture
def all_answered(asked_parts):
    """A run that answers all five cases of the part."""
    return asked_parts(**{"pass": 5})


@pytest.fixture
def three_answered(asked_parts):
    """A run that answers three of the five cases of the part."""
    return asked_parts(**{"pass": 3}, unsupported=2)


def test_a_new_baseline_has_the_number_of_answers_of_a_part(all_answered):
    created = create(all_answered, TIER_LIB, known=TIER_KNOWN)
    assert created.entries == ()
    assert created.answered == {}
    assert created.generated == {TIER_PART: {"validate": 5}}
    text = f'\n "generated": {{\n  "{TIER_PART}": {{"validate": 5}}\n }},\n "entries": []'
    assert text in canonical(created)


def test_a_new_baseline_has_no_number_of_an_unknown_part(all_answered):
    assert create(all_answered, TIER_LIB).generated == {}


def test_only_shrink_keeps_the_number_of_answers_of_a_part(all_answered, three_answered):
    created = create(all_answered, TIER_LIB, known=TIER_KNOWN)
    updated = update(created, three_answered, TIER_LIB, known=TIER_KNOWN, only_shrink=True)
    assert updated.baseline == created


def test_an_update_lowers_the_number_of_answers_of_a_part(all_answered, three_answered):
    created = create(all_answered, TIER_LIB, known=TIER_KNOWN)
    lower = update(created, three_answered, TIER_LIB, known=TIER_KNOWN)
    assert lower.baseline.generated == {TIER_PART: {"validate": 3}}


def test_only_shrink_raises_the_number_of_answers_of_a_part(all_answered, three_answered):
    created = create(three_answered, TIER_LIB, known=TIER_KNOWN)
    higher = update(created, all_answered, TIER_LIB, known=TIER_KNOWN, only_shrink=True)
    assert higher.baseline.generated == {TIER_PART: {"validate": 5}}


def test_only_shrink_adds_no_number_of_a_part(all_answered):
    updated = update(listing(), all_answered, TIER_LIB, known=TIER_KNOWN, only_shrink=True)
    assert updated.baseline.generated == {}


def test_an_update_drops_the_number_of_a_part_that_is_gone(all_answered):
    updated = update(listing(gone=7), all_answered, TIER_LIB, known=TIER_KNOWN)
    assert updated.baseline.generated == {TIER_PART: {"validate": 5}}


# ---- a real tier


@pytest.fixture
def tier_run(corpus, tmp_path):
    """Run a function over the complete tier of a small rule, or over the cases with these words."""

    def ask(answer, *words: str):
        selection = Selection(specs=("rfc2396",), rules=("relativeURI",), words=words)
        streams = tier_streams(["complete"], selection)
        hello = {"protocol": 1, "implementation": {"name": "lib", "version": "1"}, "ops": ["validate"]}
        adapter = InProcess("lib", lambda: ({**hello, "specs": ["rfc2396"]}, answer))
        writer = open_results((tmp_path / "r").open("wb"), corpus, [], stream_digests(streams))
        run(adapter, [], writer, Limits(), streams=streams)
        writer.close()
        return read_results(tmp_path / "r")

    return ask


def wrong_about(*texts: str):
    def answer(question):
        if question["op"] == "validate" and question["url"] in texts:
            return {"status": "ok"}
        return reference.answer(question)

    return answer


def test_as_many_other_failures_are_a_change(tier_run):
    """The same number of cases fail, but other ones."""
    old, new = tier_run(wrong_about('"', '"a')), tier_run(wrong_about("a%", '"a'))
    listed = create(old, old.participants[0])
    assert listed.entries[0].got["required"] == {"fail": 2}
    assert findings(listed, old, "lib") == []
    assert [finding.kind for finding in findings(listed, new, "lib")] == ["changed"]


def test_a_selection_of_a_tier_cannot_be_listed(tier_run):
    part = tier_run(wrong_about("a%"), "-0000")
    (judgement,) = decide(part, ["lib"]).judgements
    assert not judgement.listable
    assert judgement.code == Exit.FAILED
    with pytest.raises(
        NothingJudged, match="complete-rfc2396-relativeURI failed, but not all its cases were asked"
    ):
        create(part, part.participants[0])


def test_failures_without_examples_are_counted(tier_run):
    """With a strict policy unsupported cases fail, of which none is kept."""
    results = tier_run(lambda question: {"status": "ok" if len(question["url"]) % 2 else "unsupported"})
    (judgement,) = decide(results, ["lib"], policy=Policy(strict=True)).judgements
    groups = {group.what: group for group in judgement.groups}
    assert groups["unsupported"].ids == ()
    assert groups["unsupported"].count > 0


def test_check_knows_the_parts_of_the_tiers(tier_run, urlconform, tmp_path):
    results = tier_run(reference.answer)
    listed = create(results, results.participants[0], known=["complete-rfc2396-relativeURI"])
    write_baseline(listed, tmp_path / "b.json")
    done = urlconform("baseline", "check", "b.json")
    assert "Coverage of RFC 2396 was not checked: the baseline has no answer counts for it" in done.stdout
    assert done.returncode == 0
    other_baseline = structs.replace(listed, generated={"k9-rfc2396-URI": {"validate": 1}})
    write_baseline(other_baseline, tmp_path / "b.json")
    done = urlconform("baseline", "check", "b.json")
    assert "k9-rfc2396-URI: the baseline counts 1 outcome, but the tier has only" in done.stdout
    assert done.returncode == 1


# ---- locked answers

PARSE = {
    "op": "parse",
    "rule": None,
    "expect": {"components": {"scheme": "a", "host": "H", "query": ""}},
}


def parsed(**components):
    return {"status": "ok", "components": components}


#: What is locked, the outcome with the components or the detail, and what was lost.
LOSSES = [
    pytest.param({}, "pass", {}, "", id="as-it-was"),
    pytest.param({}, "unsupported", {}, "answered in full, now not offered", id="not-offered"),
    pytest.param({}, "partial", {"scheme": "a"}, "answered in full, now not exposed: host, query",
                 id="partial"),
    pytest.param({}, "aborted", {}, "answered in full, now aborted", id="aborted"),
    pytest.param({}, "variant", {"scheme": "b"}, "", id="another-open-answer"),
    pytest.param({"host": "H"}, "partial", {"host": "H"}, "", id="partial-as-it-was"),
    pytest.param({"host": "H"}, "partial", {"host": "H", "scheme": "a"}, "", id="one-more"),
    pytest.param({"host": "H"}, "pass", {"host": "h"}, "", id="complete"),
    pytest.param({"host": "H"}, "unsupported", {}, "had host, now not offered", id="partial-not-offered"),
    pytest.param({"host": "H"}, "crash", {}, "had host, now crash", id="partial-crash"),
    pytest.param({"host": "H", "query": None}, "partial", {"scheme": "a"}, "host, query no longer exposed",
                 id="hidden"),
    pytest.param({"host": "H"}, "partial", {"host": "h"}, "host was 'H', now 'h'", id="other-value"),
    pytest.param({"query": None}, "partial", {"query": ""}, "query was absent, now empty", id="empty"),
    pytest.param({"host": "H", "query": ""}, "variant", {"host": "a"},
                 "query no longer exposed; host was 'H', now 'a'", id="both"),
    pytest.param({"host": {"hex": "ff"}}, "partial", {"host": [["a", "b"]]},
                 "host was hex ff, now ['a'='b']", id="no-text"),
]  # fmt: skip


@pytest.mark.parametrize(("locked", "outcome", "visible", "lost"), LOSSES)
def test_a_locked_answer_is_lost_if_it_lacks_a_component(make_case, locked, outcome, visible, lost):
    """The answer is open, so that no outcome is a regression."""
    case = make_case(ID, binding="impl-defined", **PARSE)
    detail = "not exposed: host, query" if outcome == "partial" else ""
    case_result = Result(ID, "lib", Outcome(outcome), detail=detail, got=parsed(**visible) if visible else {})
    finding = vector_finding(None, case, case_result, PLAIN, locked)
    assert finding == (Finding("lost", ID, None, case_result, lost) if lost else None)
    assert vector_finding(None, case, case_result) is None, "nothing is locked"


def test_a_regression_is_no_loss(make_case):
    case = make_case(ID)
    assert vector_finding(None, case, result("fail"), PLAIN, {}).kind == "regression"
    assert vector_finding(
        None, case, result("unsupported"), Policy(strict=True).claiming(claims("validate")), {}
    ).kind == ("regression")


AUTHORITY = {**PARSE, "expect": {"components": {"authority": "u@h:1"}}}


def test_the_parts_of_an_authority_are_shown_for_it(make_case):
    case = make_case(ID, **AUTHORITY)
    parts = {"host": "h", "port": "1", "userinfo": "u"}
    assert shown_parts(case, result("pass", parsed(path="/", **parts))) == parts
    assert shown_parts(make_case(ID), result("pass", {"status": "ok"})) == {}


def locking(exceptions=(), *, corpus="0123456789ab", **answered) -> Baseline:
    silent = {"rfc3986": {"validate": tuple(exceptions)}} if exceptions else {}
    return Baseline("urlbaseline-2", corpus, "lib", ("rfc3986",), (), answered, {}, {}, silent)


#: The outcomes of four vectors, those listed as unanswered, the corpus and the count of the baseline; the
#: kinds of finding.
LOCKS = [
    pytest.param("pass pass pass pass", "", "same", 4, {}, id="as-it-was"),
    pytest.param("pass pass pass none", "3", "same", 3, {}, id="exception"),
    pytest.param("pass pass pass pass", "3", "same", 3, {}, id="more"),
    pytest.param("none pass pass pass", "3", "same", 3, {"0": "lost"}, id="one-instead-of-another"),
    pytest.param("none none pass pass", "", "same", 4, {"0": "lost", "1": "lost"}, id="two-lost"),
    pytest.param("none pass", "", "same", 4, {"0": "lost"}, id="a-part-of-the-rfc"),
    pytest.param("none fail pass pass", "", "same", 4, {"0": "lost", "1": "regression"}, id="and-wrong"),
    pytest.param("none pass pass pass", "0", "same", 4, {"coverage": "coverage"}, id="edited-by-hand"),
    pytest.param("none pass pass pass", "", "other", 3, {}, id="perhaps-new"),
    pytest.param("none pass pass pass", "", "other", 4, {"0": "lost"}, id="fewer-with-another-corpus"),
    pytest.param("none none pass pass", "1", "other", 3, {"0": "lost"}, id="exception-with-another-corpus"),
    pytest.param("none pass", "", "other", 4, {}, id="a-part-with-another-corpus"),
]


@pytest.mark.parametrize(("outcomes", "listed", "of", "count", "kinds"), LOCKS)
def test_vectors_without_exception_are_locked(run_of, outcomes, listed, of, count, kinds):
    results = run_of(*("unsupported" if outcome == "none" else outcome for outcome in outcomes.split()))
    digest = results.header.corpus if of == "same" else "f" * 12
    exceptions = [f"rfc3986-3.3-{number}" for number in listed]
    baseline = locking(exceptions, corpus=digest, rfc3986={"validate": count})
    losses = findings(baseline, results, "lib", known=KNOWN)
    assert {
        finding.id.rpartition("-")[2] if finding.kind != "coverage" else "coverage": finding.kind
        for finding in losses
    } == kinds
    (judgement,) = decide(results, ["lib"], baselines={"lib": baseline}, known=KNOWN).judgements
    assert judgement.code == (Exit.FAILED if kinds else Exit.PASSED)
    assert ("was not checked" in judgement.reason) is (len(outcomes) < 10 and of == "other")
    updated = update(baseline, results, COVERAGE_LIB, known=KNOWN)
    assert [entry.id for entry in updated.lost] == [
        finding.id for finding in losses if finding.kind == "lost"
    ]
    assert [
        finding for finding in findings(updated.baseline, results, "lib", known=KNOWN) if of == "same"
    ] == []
    shrunk = update(baseline, results, COVERAGE_LIB, known=KNOWN, only_shrink=True)
    assert {finding.id for finding in shrunk.left} == {finding.id for finding in losses}
    assert {finding.id for finding in findings(shrunk.baseline, results, "lib", known=KNOWN)} == {
        finding.id for finding in losses
    }


def test_an_update_over_a_part_changes_only_what_was_asked(run_of):
    """The update accepts the lost answers of that part, and the whole RFC then passes."""
    baseline = locking([IDS[3]], rfc3986={"validate": 3})
    part = update(baseline, run_of("unsupported", "pass"), COVERAGE_LIB, known=KNOWN).baseline
    assert part.unanswered == {"rfc3986": {"validate": (IDS[0], IDS[3])}}
    assert part.answered == {"rfc3986": {"validate": 2}}
    whole = run_of("unsupported", "pass", "pass", "unsupported")
    assert findings(part, whole, "lib", known=KNOWN) == []
    part = update(part, run_of("pass", "pass"), COVERAGE_LIB, known=KNOWN, only_shrink=True).baseline
    assert part.unanswered == {"rfc3986": {"validate": (IDS[3],)}}
    assert [finding.id for finding in findings(part, whole, "lib", known=KNOWN)] == [IDS[0]]


def test_an_operation_that_is_not_offered_locks_nothing(run_of):
    baseline = create(run_of(*["unsupported"] * 4), COVERAGE_LIB, known=KNOWN)
    assert baseline.unanswered == {"rfc3986": {"validate": "all"}}
    some = run_of("pass", *["unsupported"] * 3)
    assert findings(baseline, some, "lib", known=KNOWN) == []
    baseline = update(baseline, some, COVERAGE_LIB, known=KNOWN, only_shrink=True).baseline
    assert baseline.unanswered == {"rfc3986": {"validate": IDS[1:]}}
    assert baseline.answered == {"rfc3986": {"validate": 1}}
    none = run_of(*["unsupported"] * 4)
    assert [finding.id for finding in findings(baseline, none, "lib", known=KNOWN)] == [IDS[0]]


# ---- the next corpus: a library loses answers while one vector changes

SPEC = "rfc3986"
PRODUCT_LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=tuple(OPERATIONS), specs=(SPEC,))

#: The number of vectors of each operation in the corpus of the baseline.
SIZE = 9

#: The fields of a vector of each operation.
QUESTIONS: Mapping[str, Mapping[str, Any]] = {
    "validate": {},
    "parse": {"expect": {"components": {"scheme": "a"}}},
    "resolve": {"base": "a:b", "reference": "c", "expect": {"result": "a:c"}},
    "recompose": {"components": {"path": "b"}, "expect": {"result": "b"}},
    "normalize": {"expect": {"result": "a:b"}},
    "extract": {"text": "a:b", "expect": {"urls": []}},
    "equivalent": {"other": "a:b", "expect": {"equal": True}},
    "decode": {"expect": {"decoded": {"scheme": "a"}}},
    "base": {"retrieval": "a:b", "expect": {"base": "a:b"}},
}

#: How many of the answers to an operation the library loses.
SHARES: Mapping[str, int] = {"none": 0, "one answer": 1, "the first third": SIZE // 3, "all": SIZE}


class Upgrade(NamedTuple):
    """The difference between two corpora: one vector of the operation that the library loses.

    With `answered`, the library answers a vector that is new.
    """

    kind: str
    answered: bool = False


UPGRADES: Mapping[str, Upgrade] = {
    "added and answered": Upgrade("added", answered=True),
    "added and not answered": Upgrade("added"),
    "retired": Upgrade("retired"),
    "retired before the baseline": Upgrade("retired before"),
    "moved to another section": Upgrade("section"),
    "moved to another requirement": Upgrade("requirement"),
}

#: The exit code for each upgrade (row) and share of lost answers (column): the baseline lists its complete
#: answers.
CODES_BY_LIST: Mapping[str, tuple[int, int, int, int]] = {
    "added and answered": (0, 1, 1, 1),
    "added and not answered": (0, 1, 1, 1),
    "retired": (0, 1, 1, 1),
    "retired before the baseline": (0, 1, 1, 1),
    "moved to another section": (0, 1, 1, 1),
    "moved to another requirement": (0, 1, 1, 1),
}

#: The same for a baseline that only counts its answers. A new answer hides one that is lost.
CODES_BY_COUNT: Mapping[str, tuple[int, int, int, int]] = CODES_BY_LIST | {"added and answered": (0, 0, 1, 1)}

CELLS = [
    pytest.param(listed, op, lost, upgrade, code, id=f"{form}-{op}-{upgrade}-{lost}".replace(" ", "-"))
    for form, listed, table in (("listed", True, CODES_BY_LIST), ("counted", False, CODES_BY_COUNT))
    for op in OPERATIONS
    for upgrade, codes in table.items()
    for lost, code in zip(SHARES, codes, strict=True)
]


class Product(NamedTuple):
    """A planted library, its baseline, and its results with the next corpus."""

    baseline: Baseline
    results: Results
    known: CorpusIds

    @property
    def code(self) -> Exit:
        """The exit code of the gate."""
        return decide(self.results, ["lib"], baselines={"lib": self.baseline}, known=self.known).code


def corpus_ids(cases: Sequence[Case], removed: Collection[str] = ()) -> CorpusIds:
    """Return the ids of a corpus with some tombstones."""
    ids = CorpusIds(case.vector.id for case in cases)
    ids.removed = frozenset(removed)
    return ids


def answers_except(cases: Sequence[Case], silent: Collection[str]) -> list[Result]:
    """Return a right answer to each case, except to those in `silent`, which are not answered."""
    outcome = {True: Outcome.UNSUPPORTED, False: Outcome.PASS}
    return [Result(case.vector.id, "lib", outcome[case.vector.id in silent]) for case in cases]


@pytest.fixture
def product(make_case, record) -> Callable[[str, int, Upgrade], Product]:
    """Make the product of an operation, a number of lost answers to it, and an upgrade of the corpus."""

    def make(op: str, lost: int, upgrade: Upgrade) -> Product:
        old = [
            make_case(f"{SPEC}-3.3-{name}-{number}", op=name, **fields)
            for name, fields in QUESTIONS.items()
            for number in range(SIZE)
        ]
        removed = [f"{SPEC}-3.3-{op}-before"] if upgrade.kind == "retired before" else []
        ids = corpus_ids(old, removed)
        baseline = create(record(old, PRODUCT_LIB, *answers_except(old, ())), PRODUCT_LIB, [SPEC], known=ids)

        last = f"{SPEC}-3.3-{op}-{SIZE - 1}"
        added = f"{SPEC}-3.3-{op}-added"
        lost_ids = [f"{SPEC}-3.3-{op}-{number}" for number in range(lost)]
        new = list(old)
        if upgrade.kind == "added":
            new.append(make_case(added, op=op, **QUESTIONS[op]))
        elif upgrade.kind == "retired":
            new = [case for case in old if case.vector.id != last]
            removed.append(last)
        elif upgrade.kind in ("section", "requirement"):
            new = [case for case in old if case.vector.id != last]
            moved = make_case(last, op=op, **QUESTIONS[op], requirement=f"{SPEC}-4-z")
            section = "4" if upgrade.kind == "section" else moved.section
            new.append(structs.replace(moved, section=section))
        silent = [*lost_ids] if upgrade.answered else [*lost_ids, added]
        results = record(new, PRODUCT_LIB, *answers_except(new, silent))
        header = structs.replace(results.header, corpus="f" * 12)
        return Product(baseline, structs.replace(results, header=header), corpus_ids(new, removed))

    return make


def test_no_operation_is_missing():
    assert QUESTIONS.keys() == OPERATIONS.keys()
    assert CODES_BY_LIST.keys() == CODES_BY_COUNT.keys() == UPGRADES.keys()


@pytest.mark.parametrize(("listed", "op", "lost", "upgrade", "code"), CELLS)
def test_lost_answers_fail_with_the_next_corpus(product, listed, op, lost, upgrade, code):
    release = product(op, SHARES[lost], UPGRADES[upgrade])
    if not listed:
        release = release._replace(baseline=structs.replace(release.baseline, complete={}))
    assert release.code == code


@pytest.mark.parametrize("upgrade", UPGRADES)
@pytest.mark.parametrize("lost", SHARES)
def test_each_lost_answer_is_named(product, lost, upgrade):
    """A vector that the corpus has removed cannot be asked, so its answer is not lost."""
    release = product("parse", SHARES[lost], UPGRADES[upgrade])
    losses = findings(release.baseline, release.results, "lib", known=release.known)
    answered_before = SIZE - (upgrade == "retired")
    assert {finding.kind for finding in losses} <= {"lost"}
    lost_ids = [f"{SPEC}-3.3-parse-{number}" for number in range(min(SHARES[lost], answered_before))]
    assert [finding.id for finding in losses] == lost_ids


@pytest.mark.parametrize("form", ["urlbaseline-1", "urlbaseline-2"])
def test_tombstones_from_before_the_baseline_excuse_nothing(product, form):
    """However many there are: the corpus still has a vector for each answer that the baseline counts."""
    release = product("base", SIZE, Upgrade("added"))
    release.known.removed = frozenset(f"{SPEC}-3.3-gone-{number}" for number in range(1000))
    old = structs.replace(release.baseline, schema=form, complete={})
    assert release._replace(baseline=old).code == Exit.FAILED


def test_a_part_of_an_rfc_shows_lost_answers_too(product):
    """A baseline that lists its answers needs no counts, which hold for the whole RFC."""
    release = product("parse", 1, Upgrade("added", answered=True))
    vectors = {name: vector for name, vector in release.results.vectors.items() if "-parse-" in name}
    answers = {name: result for name, result in release.results.of("lib").items() if name in vectors}
    part = structs.replace(release.results, vectors=vectors, results={"lib": answers})
    losses = findings(release.baseline, part, "lib", known=release.known)
    assert [(finding.kind, finding.id) for finding in losses] == [("lost", f"{SPEC}-3.3-parse-0")]


@pytest.mark.parametrize("only_shrink", [False, True], ids=["update", "only-shrink"])
@pytest.mark.parametrize("listed", [True, False], ids=["listed", "counted"])
@pytest.mark.parametrize("upgrade", UPGRADES)
def test_an_update_fits_the_next_corpus(product, upgrade, listed, only_shrink):
    """Nothing is lost, so the update of the baseline passes and lists each complete answer."""
    release = product("resolve", 0, UPGRADES[upgrade])
    baseline = release.baseline if listed else structs.replace(release.baseline, complete={})
    updated = update(
        baseline, release.results, PRODUCT_LIB, known=release.known, only_shrink=only_shrink
    ).baseline
    assert findings(updated, release.results, "lib", known=release.known) == []
    assert updated.corpus == "f" * 12
    complete = {name for names in updated.complete[SPEC].values() for name in names}
    answers = release.results.of("lib").items()
    assert complete == {name for name, result in answers if result.outcome.complete}
    counts = {op: len(names) for op, names in updated.complete[SPEC].items()}
    assert updated.answered == {SPEC: counts}


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_only_shrink_does_not_accept_a_loss(product, upgrade):
    release = product("decode", 3, UPGRADES[upgrade])
    shrunk = update(release.baseline, release.results, PRODUCT_LIB, known=release.known, only_shrink=True)
    assert len(shrunk.left) == 3
    assert release._replace(baseline=shrunk.baseline).code == Exit.FAILED


def test_only_shrink_locks_no_answer_that_may_be_new(product):
    """The baseline only counts: of two vectors without an answer, it does not know which one is new."""
    release = product("decode", 1, Upgrade("added"))
    old = structs.replace(release.baseline, complete={})
    shrunk = update(old, release.results, PRODUCT_LIB, known=release.known, only_shrink=True)
    assert len(shrunk.left) == 2
    assert shrunk.baseline.complete == {}
    assert shrunk.baseline.corpus == old.corpus


@pytest.mark.parametrize("upgrade", UPGRADES)
def test_an_update_accepts_a_loss(product, upgrade):
    release = product("decode", 3, UPGRADES[upgrade])
    updated = update(release.baseline, release.results, PRODUCT_LIB, known=release.known).baseline
    assert release._replace(baseline=updated).code == Exit.PASSED
    assert parse_baseline(canonical(updated).encode(), "b.json") == updated
