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
from urlharness.gate.baseline import Baseline, Entry, canonical_text, parse_baseline, write_baseline
from urlharness.gate.findings import Finding, findings, misfit_reason, shown_parts, vector_finding
from urlharness.gate.gate import FINDINGS, Group, Judgement, decide, old_format_note
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import NothingJudged, create, update
from urlharness.generate.tiers.digests import stream_digests, tier_streams
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Implementation
from urlharness.results.coverage import answered_by_part, answered_by_spec, partly_asked_names
from urlharness.results.model import Participant, Result, Results, Tally, read_results
from urlharness.results.verdict import Outcome
from urlharness.runner import open_results, run

ID = "rfc3986-3.3-x"


OK = {"status": "ok", "url": "x:y"}


LIB = Participant("lib", "ran", Implementation("net/lib", "1"), specs=("rfc3986",))


def outcomes_of(counts):
    """Return counts by outcome for counts by the names of outcomes."""
    return {Outcome(name): count for name, count in counts.items()}


@pytest.fixture
def case(make_case):
    return make_case(ID)


def result(outcome, got=None, *, variant="", identifier=ID, name="lib") -> Result:
    """Return a result of the case of these tests, or of another one."""
    return Result(identifier, name, Outcome(outcome), variant, got=got or {})


@pytest.fixture
def entry(case):
    """Return a function that makes an entry of the case."""

    def make(outcome, got=None, digest=None):
        return Entry(ID, outcome, got or {}, digest or locked_vector(case).digest)

    return make


class Compared(NamedTuple):
    """What the baseline lists of a case, None for no entry, and what the run got."""

    listed: tuple[str, dict[str, Any]] | None
    outcome: str
    answer: Mapping[str, Any] = {}


NO_FINDINGS = {
    "not-listed-and-right": Compared(None, "pass"),
    "not-listed-and-not-offered": Compared(None, "unsupported"),
    "not-listed-and-in-part": Compared(None, "partial"),
    "listed": Compared(("fail", OK), "fail", OK),
    "listed-with-another-message": Compared(("fail", OK), "fail", OK | {"message": "of today"}),
    "listed-with-another-offset": Compared(("fail", OK), "fail", OK | {"at": 3}),
    "listed-timeout": Compared(("timeout", {}), "timeout"),
    "listed-crash": Compared(("crash", {}), "crash"),
    "listed-garbage": Compared(("garbage", {}), "garbage"),
    "listed-no-answer": Compared(("no-answer", {}), "no-answer"),
    "listed-partial": Compared(("partial", {}), "partial"),
}

KINDS = [
    pytest.param(Compared(None, "fail", OK), "regression", id="not-listed-and-wrong"),
    pytest.param(Compared(None, "timeout"), "regression", id="not-listed-and-late"),
    pytest.param(Compared(None, "aborted"), "regression", id="not-listed-and-aborted"),
    pytest.param(Compared(("fail", OK), "fail", OK | {"url": "x:z"}), "changed", id="another-url"),
    pytest.param(Compared(("fail", OK), "fail", {"status": "reject"}), "changed", id="a-refusal"),
    pytest.param(Compared(("fail", OK), "error", {"status": "error"}), "changed", id="an-error"),
    pytest.param(Compared(("fail", OK), "crash"), "changed", id="a-crash"),
    pytest.param(Compared(("crash", {}), "unsupported"), "changed", id="crash-and-no-more-offered"),
    pytest.param(Compared(("partial", OK), "unsupported"), "changed", id="partial-and-no-more-offered"),
    pytest.param(Compared(("fail", OK), "aborted"), "changed", id="wrong-and-now-aborted"),
    pytest.param(Compared(("timeout", {}), "crash"), "changed", id="a-crash-for-a-timeout"),
    pytest.param(Compared(("fail", OK), "pass"), "stale", id="wrong-and-now-right"),
    pytest.param(Compared(("fail", OK), "variant"), "stale", id="wrong-and-now-a-variant"),
    pytest.param(Compared(("timeout", {}), "pass"), "stale", id="timeout-and-now-right"),
    pytest.param(Compared(("variant", {}), "variant"), "stale", id="variant-that-the-policy-admits"),
    pytest.param(Compared(("pass", {}), "pass"), "stale", id="listed-although-right"),
]

LOST_ANSWERS = [
    pytest.param(
        Compared(("fail", OK), "unsupported"),
        "answered wrong, now not offered",
        id="wrong-and-no-more-offered",
    ),
    pytest.param(Compared(("fail", OK), "partial"), "answered wrong, now in part", id="wrong-and-in-part"),
    pytest.param(Compared(("variant", OK), "partial"), "answered, now in part", id="variant-and-in-part"),
]


class Comparison(NamedTuple):
    """The entry of a row or None, the answer of the run, and the finding or None."""

    entry: Entry | None
    answer: Result
    finding: Finding | None


@pytest.fixture
def compare(case, entry):
    """Return a function that compares the entry of a row with its answer."""

    def run(row):
        listed = None if row.listed is None else entry(*row.listed)
        answer = result(row.outcome, row.answer)
        return Comparison(listed, answer, vector_finding(listed, case, answer))

    return run


@pytest.mark.parametrize("row", NO_FINDINGS.values(), ids=NO_FINDINGS)
def test_a_listed_failure_and_an_unlisted_answer_that_is_not_wrong_are_no_finding(compare, row):
    assert compare(row).finding is None


@pytest.mark.parametrize(("row", "kind"), KINDS)
def test_another_outcome_or_answer_than_listed_is_a_finding(compare, row, kind):
    listed, answer, finding = compare(row)
    assert finding == Finding(kind, ID, listed, answer, "")


@pytest.mark.parametrize(("row", "detail"), LOST_ANSWERS)
def test_a_listed_answer_that_is_not_given_any_more_is_lost(compare, row, detail):
    listed, answer, finding = compare(row)
    assert finding == Finding("lost", ID, listed, answer, detail)


#: The digest of another version of the vector.
OTHER_DIGEST = "0" * 12


@pytest.mark.parametrize("outcome", ["aborted", "crash", "error", "fail", "partial", "unsupported"])
def test_an_entry_of_a_changed_vector_has_moved_if_the_answer_is_not_right(case, entry, outcome):
    finding = vector_finding(entry("fail", OK, digest=OTHER_DIGEST), case, result(outcome, OK))
    assert finding.kind == "moved"


@pytest.mark.parametrize("outcome", ["pass", "variant"])
def test_an_entry_of_a_changed_vector_is_stale_if_the_answer_is_right(case, entry, outcome):
    finding = vector_finding(entry("fail", OK, digest=OTHER_DIGEST), case, result(outcome, OK))
    assert finding.kind == "stale"


def test_an_unlisted_case_that_was_not_asked_is_no_finding(case):
    assert vector_finding(None, case, None) is None


def test_a_listed_case_that_was_not_asked_is_no_finding(case, entry):
    assert vector_finding(entry("fail", OK), case, None) is None


def test_a_changed_case_that_was_not_asked_is_no_finding(case, entry):
    assert vector_finding(entry("fail", OK, digest=OTHER_DIGEST), case, None) is None


REJECTED_AT_3 = {"status": "reject", "at": 3, "rules": ["URI"]}


def test_another_offset_of_the_reference_is_a_finding(case, entry):
    reference_result = result("fail", REJECTED_AT_3 | {"at": 4}, name="reference")
    assert vector_finding(entry("fail", REJECTED_AT_3), case, reference_result).kind == "changed"


def test_the_listed_offset_of_the_reference_is_no_finding(case, entry):
    reference_result = result("fail", REJECTED_AT_3, name="reference")
    assert vector_finding(entry("fail", REJECTED_AT_3), case, reference_result) is None


@pytest.fixture
def open_case(make_case):
    """A case whose answer the RFC leaves open."""
    expect = {"any": [{"valid": True}, {"valid": False, "variant": "literal"}]}
    return make_case(ID, binding="impl-defined", expect=expect)


@pytest.fixture
def variant_entry(open_case):
    """An entry that lists a variant as the answer to the open case."""
    return Entry(ID, "variant", {}, locked_vector(open_case).digest)


RECOMMENDED_ONLY = Policy(actions={"impl-defined": "recommended"})
PINNED_TO_LITERAL = Policy(pins={ID: "literal"})


def test_an_unlisted_variant_that_the_policy_refuses_is_a_regression(open_case):
    answer = result("variant", variant="literal")
    assert vector_finding(None, open_case, answer, RECOMMENDED_ONLY).kind == "regression"


def test_a_listed_variant_that_the_policy_refuses_is_no_finding(open_case, variant_entry):
    answer = result("variant", variant="literal")
    assert vector_finding(variant_entry, open_case, answer, RECOMMENDED_ONLY) is None


def test_the_entry_of_a_variant_that_the_policy_admits_is_stale(open_case, variant_entry):
    answer = result("variant", variant="literal")
    assert vector_finding(variant_entry, open_case, answer, PLAIN).kind == "stale"


def test_an_unlisted_answer_other_than_the_pinned_one_is_a_regression(open_case):
    assert vector_finding(None, open_case, result("pass"), PINNED_TO_LITERAL).kind == "regression"


def test_a_listed_answer_other_than_the_pinned_one_is_no_finding(open_case, variant_entry):
    listed = structs.replace(variant_entry, outcome="pass")
    assert vector_finding(listed, open_case, result("pass"), PINNED_TO_LITERAL) is None


def tally(name="lib", digest="ab" * 32, **required) -> Tally:
    """Return the tally of a part, one case of which passes; required cases have the other outcomes."""
    part = ("resolution-rfc3986", "resolution", "rfc3986")
    return Tally(name, *part, outcomes_of({"pass": 1, **required}), outcomes_of(required), {}, digest=digest)


PART = Entry("resolution-rfc3986", "fail", {"required": {"crash": 1, "fail": 7}}, "ab" * 6)


#: The entries of the list, the tally of the part, and the kinds of findings.
PARTS = [
    pytest.param([PART], tally(fail=7, crash=1), [], id="as-many"),
    pytest.param([PART], tally(fail=8, crash=1), ["changed"], id="one-more"),
    pytest.param([PART], tally(fail=6, crash=1), ["changed"], id="one-less"),
    pytest.param([PART], tally(), ["stale"], id="none"),
    pytest.param([PART], tally(fail=7, crash=1, digest="cd" * 32), ["moved"], id="other-cases"),
    pytest.param([PART], tally(fail=1, digest=""), [], id="not-asked-whole"),
    pytest.param([], tally(fail=1), ["regression"], id="not-listed"),
    pytest.param([], tally(), [], id="not-listed-and-right"),
    pytest.param([], tally("other", fail=1), [], id="of-another-adapter"),
]


@pytest.fixture
def baseline():
    """Return a function that makes a baseline with these entries, of RFC 3986 by default."""

    def make(*entries, **fields):
        head = {"corpus": "0" * 12, "implementation": "net/lib", "spec": ("rfc3986",)} | fields
        return Baseline(schema="urlbaseline-1", entries=entries, **head)

    return make


@pytest.mark.parametrize(("entries", "part_tally", "kinds"), PARTS)
def test_a_generated_part_is_compared_with_its_entry(baseline, record, case, entries, part_tally, kinds):
    results = record([case], LIB, Participant("other", "ran"), part_tally)
    part_findings = findings(baseline(*entries), results, "lib")
    assert [finding.kind for finding in part_findings] == kinds


class MixedRun(NamedTuple):
    """The results of a run, the entries of its baseline, and the ids of the vectors of the corpus."""

    results: Results
    entries: list[Entry]
    corpus_ids: frozenset[str]


@pytest.fixture
def mixed_run(make_case, record):
    """Results over one vector of each kind of finding, one that was not asked, and the baseline for them."""
    asked_names = ("regression", "stale", "changed", "moved", "same", "right")
    cases = {name: make_case(f"rfc3986-3.3-{name}") for name in (*asked_names, "unasked")}
    other_case = make_case("rfc1738-3.1-other", rule="url")
    answers = []
    for name in asked_names:
        outcome = "pass" if name in ("stale", "right") else "fail"
        answers.append(result(outcome, OK, identifier=cases[name].vector.id))
    answers.append(result("fail", identifier=other_case.vector.id))
    results = record([*(cases[name] for name in asked_names), other_case], LIB, *answers)

    listed = []
    for name in ("stale", "changed", "moved", "same", "unasked"):
        digest = "0" * 12 if name == "moved" else locked_vector(cases[name]).digest
        answer = {"status": "reject"} if name == "changed" else OK
        listed.append(Entry(cases[name].vector.id, "fail", answer, digest, issue="#1", note="why"))
    listed.append(Entry("rfc3986-3.3-gone", "fail", {}, "0" * 12))
    return MixedRun(results, listed, frozenset(case.vector.id for case in cases.values()))


def names_of(entries_or_findings) -> list[str]:
    """Return the last words of the ids, which name the kinds of finding."""
    return [listed.id.rpartition("-")[2] for listed in entries_or_findings]


def kinds_of(vector_findings) -> list[str]:
    """Return the kinds of findings, in their order."""
    return [finding.kind for finding in vector_findings]


#: The kinds of findings of `mixed_run` that need no known ids.
VECTOR_KINDS = ["regression", "stale", "changed", "moved"]


def test_each_kind_of_finding_names_its_vector(mixed_run, baseline):
    results, listed, corpus_ids = mixed_run
    vector_findings = findings(baseline(*listed), results, "lib", ["rfc3986"], corpus_ids=corpus_ids)
    assert kinds_of(vector_findings) == [*VECTOR_KINDS, "unknown id"]
    assert names_of(vector_findings) == [*VECTOR_KINDS, "gone"]


def test_each_kind_of_finding_without_its_own_tests_is_in_the_mixed_run(mixed_run, baseline):
    results, listed, corpus_ids = mixed_run
    vector_findings = findings(baseline(*listed), results, "lib", ["rfc3986"], corpus_ids=corpus_ids)
    with_their_own_tests = {"lost", "coverage"}
    assert set(kinds_of(vector_findings)) == set(FINDINGS) - with_their_own_tests


def test_without_known_ids_no_id_is_unknown(mixed_run, baseline):
    listed = baseline(*mixed_run.entries)
    assert kinds_of(findings(listed, mixed_run.results, "lib", ["rfc3986"])) == VECTOR_KINDS


def test_without_a_selection_the_other_rfcs_have_findings(mixed_run, baseline):
    listed = baseline(*mixed_run.entries)
    ids = [finding.id for finding in findings(listed, mixed_run.results, "lib")]
    assert ids == [*(f"rfc3986-3.3-{kind}" for kind in VECTOR_KINDS), "rfc1738-3.1-other"]


def ids_after_removal(corpus_ids, *names):
    """Return the ids of a corpus that has removed some vectors."""
    ids = CorpusIds(corpus_ids)
    ids.removed = frozenset(f"rfc3986-3.3-{name}" for name in names)
    return ids


#: The kinds of findings of `mixed_run`, and the exit code of each alone.
CODES = {
    "regression": Exit.FAILED,
    "stale": Exit.STALE,
    "changed": Exit.FAILED,
    "moved": Exit.FAILED,
    "unknown id": Exit.FAILED,
}


def judgement_of_kinds(mixed_run, baseline, kinds):
    """Judge the vectors of these kinds of findings only, beside one that is as it was."""
    results, listed, corpus_ids = mixed_run
    names = {*kinds, "same"}
    remaining = {
        identifier: vector
        for identifier, vector in results.vectors.items()
        if identifier.rpartition("-")[2] in names
    }
    entries = [entry for entry in listed if not entry.id.endswith("-gone") or "unknown id" in kinds]
    part_of_results = structs.replace(results, vectors=remaining)
    decision = decide(part_of_results, ["lib"], baselines={"lib": baseline(*entries)}, corpus_ids=corpus_ids)
    return decision.judgements[0]


@pytest.mark.parametrize("kind", CODES)
def test_a_kind_of_finding_alone_has_its_exit_code(mixed_run, baseline, kind):
    judgement = judgement_of_kinds(mixed_run, baseline, {kind})
    assert [group.label for group in judgement.groups] == [kind]
    assert judgement.code == CODES[kind]


@pytest.mark.parametrize("kind", [kind for kind in CODES if kind != "stale"])
def test_another_kind_of_finding_outweighs_a_stale_entry(mixed_run, baseline, kind):
    judgement = judgement_of_kinds(mixed_run, baseline, {kind, "stale"})
    assert sorted(group.label for group in judgement.groups) == sorted([kind, "stale"])
    assert judgement.code == Exit.FAILED


@pytest.fixture
def mixed_update(mixed_run, baseline):
    """The update of the baseline of `mixed_run` by its results."""
    results, listed, corpus_ids = mixed_run
    return update(baseline(*listed), results, LIB, ["rfc3986"], corpus_ids=corpus_ids)


def test_an_update_leaves_no_finding(mixed_run, mixed_update):
    updated = mixed_update.baseline
    corpus_ids = mixed_run.corpus_ids
    assert findings(updated, mixed_run.results, "lib", ["rfc3986"], corpus_ids=corpus_ids) == []
    assert mixed_update.unapplied == []


def test_an_update_says_which_entries_it_added_changed_and_removed(mixed_update):
    assert names_of(mixed_update.added) == ["regression"]
    assert names_of(entry for _, entry in mixed_update.changed) == ["changed", "moved"]
    assert names_of(entry for entry, _ in mixed_update.removed) == ["stale", "gone"]


def test_an_update_keeps_the_issue_and_the_note_of_a_changed_entry(mixed_update):
    remarks = [(entry.issue, entry.note) for _, entry in mixed_update.changed]
    assert remarks == [("#1", "why"), ("#1", "why")]


def test_an_update_keeps_the_entry_of_a_vector_that_was_not_asked(mixed_run, mixed_update):
    (unasked,) = [entry for entry in mixed_run.entries if entry.id == "rfc3986-3.3-unasked"]
    assert mixed_update.baseline.by_id()[unasked.id] == unasked


def test_an_update_keeps_the_corpus_if_it_keeps_an_entry_that_was_not_asked(mixed_update):
    """The entry may be of a vector that only the corpus of the baseline has."""
    assert mixed_update.baseline.corpus == "0" * 12


def test_an_update_sorts_the_entries_by_id(mixed_update):
    entries = mixed_update.baseline.entries
    assert names_of(entries) == ["changed", "moved", "regression", "same", "unasked"]


def test_only_shrink_removes_entries_and_leaves_the_other_findings(mixed_run, baseline):
    results, listed, corpus_ids = mixed_run
    before = baseline(*sorted(listed, key=lambda entry: entry.id))
    updated = update(before, results, LIB, ["rfc3986"], corpus_ids=corpus_ids, only_shrink=True)
    removed = {"rfc3986-3.3-stale", "rfc3986-3.3-gone"}
    remaining = tuple(entry for entry in before.entries if entry.id not in removed)
    assert updated.baseline == structs.replace(before, entries=remaining)
    assert kinds_of(updated.unapplied) == ["regression", "changed", "moved"]


def test_a_new_baseline_lists_exactly_the_failures(mixed_run):
    created = create(mixed_run.results, LIB, ["rfc3986"])
    assert names_of(created.entries) == ["changed", "moved", "regression", "same"]


def test_a_run_has_no_findings_by_a_new_baseline_of_itself(mixed_run):
    created = create(mixed_run.results, LIB, ["rfc3986"])
    corpus_ids = mixed_run.corpus_ids
    assert findings(created, mixed_run.results, "lib", ["rfc3986"], corpus_ids=corpus_ids) == []


def test_a_new_baseline_names_its_implementation(mixed_run):
    assert create(mixed_run.results, LIB, ["rfc3986"]).implementation == "net/lib"


@pytest.mark.parametrize(
    ("selected", "listed_specs"),
    [(["rfc3986"], ("rfc3986",)), ([], ("rfc1738", "rfc3986"))],
    ids=["selected", "all-of-the-run"],
)
def test_a_new_baseline_names_its_rfcs(mixed_run, selected, listed_specs):
    assert create(mixed_run.results, LIB, selected).spec == listed_specs


def test_an_update_drops_an_entry_that_is_not_answered_any_more(case, record, baseline, entry):
    results = record([case], LIB, result("unsupported"))
    updated = update(baseline(entry("fail", OK)), results, LIB)
    assert updated.baseline.entries == ()
    assert [why for _, why in updated.removed] == ["it is not answered any more"]


OTHER_LIBRARY = "it was made for implementation 'other', but this one is 'net/lib'"
NO_RFC = "it was made for no RFC, but this run also judges rfc3986"

#: The library and the RFCs of a baseline, and the RFCs that are judged.
FITS = [
    pytest.param("net/lib", ("rfc3986",), ["rfc3986"], id="the-same"),
    pytest.param("lib", ("rfc3986",), ["rfc3986"], id="by-the-name-of-the-adapter"),
    pytest.param("net/lib", ("rfc1808", "rfc3986"), ["rfc3986"], id="one-rfc-more"),
    pytest.param("lib", (), [], id="no-rfc-as-is-judged"),
]

#: The library and the RFCs of a baseline that does not fit, the RFCs that are judged, and why it is refused.
MISFITS = [
    pytest.param("other", ("rfc3986",), ["rfc3986"], OTHER_LIBRARY, id="another-library"),
    pytest.param(
        "lib",
        ("rfc1808",),
        ["rfc1808", "rfc3986"],
        "it was made for rfc1808, but this run also judges rfc3986",
        id="one-rfc-less",
    ),
    pytest.param("lib", (), ["rfc3986"], NO_RFC, id="no-rfc"),
]


@pytest.mark.parametrize(("implementation", "spec", "judged"), FITS)
def test_a_baseline_of_the_library_and_of_all_judged_rfcs_fits(baseline, implementation, spec, judged):
    assert misfit_reason(baseline(implementation=implementation, spec=spec), LIB, judged) == ""


@pytest.mark.parametrize(("implementation", "spec", "judged", "why"), MISFITS)
def test_a_misfit_names_the_library_or_the_rfcs_that_the_baseline_does_not_have(
    baseline, implementation, spec, judged, why
):
    assert misfit_reason(baseline(implementation=implementation, spec=spec), LIB, judged) == why


@pytest.fixture
def judgement_with(baseline, case, record):
    """Return a function that judges a run of RFC 3986 by a baseline of a library and of RFCs."""

    def judge(implementation, spec):
        listed = baseline(implementation=implementation, spec=spec)
        results = record([case], LIB, result("pass"))
        (judgement,) = decide(results, ["lib"], baselines={"lib": listed}).judgements
        return judgement

    return judge


def test_the_gate_passes_with_a_baseline_that_fits(judgement_with):
    assert judgement_with("net/lib", ("rfc3986",)).code == Exit.PASSED


@pytest.mark.parametrize(
    ("implementation", "spec", "why"),
    [("other", ("rfc3986",), OTHER_LIBRARY), ("lib", (), NO_RFC)],
    ids=["another-library", "no-rfc"],
)
def test_a_baseline_that_does_not_fit_is_an_invalid_file(judgement_with, implementation, spec, why):
    judgement = judgement_with(implementation, spec)
    assert why in judgement.reason
    assert judgement.code == Exit.INVALID_FILE


def test_a_baseline_does_not_hide_a_dead_adapter(baseline, case, record, entry):
    results = record([case], LIB, result("aborted"))
    (judgement,) = decide(results, ["lib"], baselines={"lib": baseline(entry("fail", OK))}).judgements
    assert judgement.code == Exit.ADAPTER_DEAD


# ---- coverage of RFCs

VALIDATING_LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=("validate",), specs=("rfc3986",))


IDS = tuple(f"rfc3986-3.3-{number}" for number in range(4))


KNOWN_IDS = frozenset((*IDS, "rfc1808-2-x", "complete-rfc3986-URI"))


@pytest.fixture
def run_of(make_case, record):
    """Return a function that runs the first vectors of an RFC of four, with these outcomes."""

    def ask(*outcomes, participant=VALIDATING_LIB):
        cases = [make_case(name) for name in IDS[: len(outcomes)]]
        results = [
            Result(name, "lib", Outcome(outcome)) for name, outcome in zip(IDS, outcomes, strict=False)
        ]
        return record(cases, participant, *results)

    return ask


@pytest.fixture
def four_right(run_of):
    """A run that answers the four vectors of an RFC rightly."""
    return run_of(*["pass"] * 4)


def listing_of(**answered) -> Baseline:
    """Return a baseline without entries that counts answers by RFC and operation."""
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), (), answered)


PASSED_REASON = "passed; 0 known failures, all in the baseline"

#: The outcomes of four vectors that are all answered, and their number.
ALL_ANSWERED = [
    pytest.param(("pass",) * 4, 4, id="all-right"),
    pytest.param(("pass", "variant", "fail", "timeout"), 4, id="right-or-wrong"),
]
#: The same with fewer complete answers than the four of the list.
FEWER_ANSWERS = [
    pytest.param(("pass", "unsupported", "unsupported", "unsupported"), 1, id="three-not-offered"),
    pytest.param(("pass", "pass", "pass", "partial"), 3, id="one-in-part"),
]


@pytest.mark.parametrize(("outcomes", "count"), [*ALL_ANSWERED, *FEWER_ANSWERS])
def test_answered_vectors_are_counted_by_rfc_and_operation(run_of, outcomes, count):
    assert answered_by_spec(run_of(*outcomes), "lib", ["rfc3986"], KNOWN_IDS) == {
        "rfc3986": {"validate": count}
    }


def test_answers_to_rfcs_that_are_not_selected_are_not_counted(four_right):
    assert answered_by_spec(four_right, "lib", ["rfc1808"], KNOWN_IDS) == {}


def test_answers_are_not_counted_if_the_number_of_vectors_is_unknown(four_right):
    assert answered_by_spec(four_right, "lib") == {}


@pytest.mark.parametrize(("outcomes", "_count"), FEWER_ANSWERS)
def test_fewer_answers_than_listed_are_a_loss_of_coverage(run_of, outcomes, _count):
    listed = listing_of(rfc3986={"validate": 4})
    losses = findings(listed, run_of(*outcomes), "lib", ["rfc3986"], PLAIN, corpus_ids=KNOWN_IDS)
    assert [(loss.kind, loss.id) for loss in losses] == [("coverage", "rfc3986 validate")]


@pytest.mark.parametrize(("outcomes", "count"), FEWER_ANSWERS)
def test_a_loss_of_coverage_fails_the_gate_with_both_numbers(run_of, outcomes, count):
    listed = listing_of(rfc3986={"validate": 4})
    (judgement,) = decide(
        run_of(*outcomes), ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS
    ).judgements
    assert judgement.code == Exit.FAILED
    assert f"(rfc3986 validate: 4 vectors were answered, now {count})" in judgement.reason


def test_a_loss_of_coverage_has_no_vector_as_an_example(run_of):
    listed = listing_of(rfc3986={"validate": 4})
    results = run_of("pass", "pass", "pass", "partial")
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS).judgements
    assert judgement.code == Exit.FAILED
    assert judgement.example_id == ""


def test_as_many_answers_as_listed_pass_the_gate(four_right):
    listed = listing_of(rfc3986={"validate": 4})
    (judgement,) = decide(four_right, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS).judgements
    assert judgement.reason == PASSED_REASON
    assert judgement.code == Exit.PASSED


GONE = "rfc3986-3.3-gone"


@pytest.fixture
def removed_entry(make_case):
    """A list whose only entry is of a vector that the corpus has removed."""
    digest = locked_vector(make_case(GONE)).digest
    return structs.replace(listing_of(), entries=(Entry(GONE, "fail", {}, digest),))


def test_an_entry_of_a_removed_vector_is_noted_and_passes(four_right, removed_entry):
    decision = decide(
        four_right, ["lib"], baselines={"lib": removed_entry}, corpus_ids=ids_after_removal(KNOWN_IDS, "gone")
    )
    (judgement,) = decision.judgements
    assert judgement.groups == ()
    assert judgement.code == Exit.PASSED
    assert judgement.notes[0] == f"1 entry of a removed vector, ignored: {GONE}"


def test_an_entry_of_a_vector_that_was_never_in_the_corpus_is_a_finding(four_right, removed_entry):
    (finding,) = findings(removed_entry, four_right, "lib", corpus_ids=ids_after_removal(KNOWN_IDS, "other"))
    assert finding.kind == "unknown id"
    assert finding.id == GONE


def test_only_shrink_takes_out_the_entry_of_a_removed_vector(four_right, removed_entry):
    ids = ids_after_removal(KNOWN_IDS, "gone")
    updated = update(removed_entry, four_right, VALIDATING_LIB, corpus_ids=ids, only_shrink=True)
    assert [(entry.id, why) for entry, why in updated.removed] == [(GONE, "the corpus has removed it")]
    assert updated.baseline.entries == ()


OTHER_CORPUS = "1" * 12


def test_one_answer_less_is_no_loss_if_the_corpus_has_removed_one_vector(four_right):
    before = structs.replace(listing_of(rfc3986={"validate": 5}), corpus=OTHER_CORPUS)
    losses = findings(before, four_right, "lib", ["rfc3986"], corpus_ids=ids_after_removal(KNOWN_IDS, "gone"))
    assert losses == []


def test_one_answer_less_is_a_loss_if_the_corpus_is_the_same(four_right):
    before = structs.replace(listing_of(rfc3986={"validate": 5}), corpus=four_right.header.corpus)
    losses = findings(before, four_right, "lib", ["rfc3986"], corpus_ids=ids_after_removal(KNOWN_IDS, "gone"))
    assert [finding.kind for finding in losses] == ["coverage"]


def test_two_answers_less_are_a_loss_if_the_corpus_has_removed_one_vector(four_right):
    before = structs.replace(listing_of(rfc3986={"validate": 6}), corpus=OTHER_CORPUS)
    losses = findings(before, four_right, "lib", ["rfc3986"], corpus_ids=ids_after_removal(KNOWN_IDS, "gone"))
    assert [finding.kind for finding in losses] == ["coverage"]


def test_more_answers_than_listed_are_no_finding(four_right):
    listed = listing_of(rfc3986={"validate": 2})
    assert findings(listed, four_right, "lib", corpus_ids=KNOWN_IDS) == []


#: What the list says of each operation; the ones of which less is answered by an adapter that has stopped to
#: resolve, and has learnt to validate.
OPERATION_COUNTS = [
    pytest.param({"resolve": 2}, {"resolve": "2 vectors were answered, now 0"}, id="lost"),
    pytest.param(
        {"validate": 1, "resolve": 2}, {"resolve": "2 vectors were answered, now 0"}, id="gained-and-lost"
    ),
    pytest.param({"validate": 3}, {"validate": "3 vectors were answered, now 2"}, id="less-than-it-was"),
    pytest.param({"validate": 2}, {}, id="as-it-was"),
    pytest.param(
        {"normalize": 1}, {"normalize": "1 vectors were answered, now 0"}, id="an-operation-that-is-gone"
    ),
]


@pytest.fixture
def validating_run(make_case, record):
    """A run of two vectors to validate, which are answered, and of two to resolve, which are not."""
    resolve = {"op": "resolve", "base": "a:b", "reference": "c", "expect": {"result": "a:c"}}
    cases = [
        make_case(IDS[0]),
        make_case(IDS[1]),
        make_case(IDS[2], **resolve),
        make_case(IDS[3], **resolve),
    ]
    outcomes = ("pass", "fail", "unsupported", "unsupported")
    answers = [Result(name, "lib", Outcome(outcome)) for name, outcome in zip(IDS, outcomes, strict=True)]
    return record(cases, VALIDATING_LIB, *answers)


def test_answers_are_counted_for_the_answered_operation_alone(validating_run):
    assert answered_by_spec(validating_run, "lib", (), KNOWN_IDS) == {"rfc3986": {"validate": 2}}


@pytest.mark.parametrize(("listed", "details"), OPERATION_COUNTS)
def test_answers_to_one_operation_do_not_make_up_for_another(validating_run, listed, details):
    all_findings = findings(listing_of(rfc3986=listed), validating_run, "lib", corpus_ids=KNOWN_IDS)
    losses = {finding.id: finding.result.detail for finding in all_findings if finding.kind == "coverage"}
    assert losses == {f"rfc3986 {op}": detail for op, detail in details.items()}


def test_only_the_first_losses_are_listed(four_right):
    ops = ("base", "decode", "equivalent", "extract", "normalize")
    listed = listing_of(rfc3986=dict.fromkeys(ops, 1))
    (judgement,) = decide(four_right, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS).judgements
    assert "5 losses of coverage (rfc3986 base: " in judgement.reason
    assert "; and 2 more)" in judgement.reason
    assert judgement.reason.count("were answered") == 3
    assert judgement.groups[0].count == 5


def test_a_selection_passes_and_says_that_coverage_was_not_checked(run_of):
    listed = listing_of(rfc3986={"validate": 4})
    selected = run_of("pass", "unsupported")
    (judgement,) = decide(selected, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS).judgements
    assert findings(listed, selected, "lib", corpus_ids=KNOWN_IDS) == []
    assert judgement.code == Exit.PASSED
    partly = "Coverage of RFC 3986 was not checked: only part of it was run"
    assert judgement.reason == f"{PASSED_REASON}. {partly}"


def test_a_full_run_does_not_say_that_coverage_was_not_checked(four_right):
    listed = listing_of(rfc3986={"validate": 4})
    (judgement,) = decide(four_right, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS).judgements
    assert judgement.reason == PASSED_REASON


def test_answers_are_counted_by_the_sizes_in_the_results_of_another_corpus(run_of):
    """Ids of other corpora do not begin with their RFC."""
    results = run_of("pass", "unsupported")
    sized = structs.replace(results, header=structs.replace(results.header, sizes={"rfc3986": 2}))
    assert answered_by_spec(sized, "lib", corpus_ids=["x", "y"]) == {"rfc3986": {"validate": 1}}
    assert partly_asked_names(sized, "lib", corpus_ids=["x", "y"]) == []


@pytest.mark.parametrize(
    ("selected", "specs"), [((), ["rfc3986"]), (["rfc1808"], [])], ids=["all-rfcs", "another-rfc"]
)
def test_a_selected_rfc_with_vectors_that_were_not_asked_is_partly_run(run_of, selected, specs):
    assert partly_asked_names(run_of("pass", "unsupported"), "lib", selected, KNOWN_IDS) == specs


def test_no_loss_of_coverage_is_reported_for_a_baseline_without_answer_counts(run_of):
    results = run_of("pass", "unsupported", "unsupported", "unsupported")
    assert findings(listing_of(), results, "lib", corpus_ids=KNOWN_IDS) == []


def test_a_baseline_without_answer_counts_is_written_without_the_field():
    assert "answered" not in canonical_text(listing_of())


#: The answer counts of a list without one for the RFC that was run.
NO_COUNTS = [
    pytest.param({}, id="no-rfc"),
    pytest.param({"rfc3986": {}}, id="no-operation"),
    pytest.param({"rfc3986": {"validate": 0}}, id="nothing-answered"),
]

NO_COUNTS_NOTE = "Coverage of RFC 3986 was not checked: the baseline has no answer counts for it"


@pytest.mark.parametrize("answer_counts", NO_COUNTS)
def test_missing_answer_counts_are_noted(four_right, answer_counts):
    """A list that was made with `--section`, over the whole RFC, has none."""
    listed = listing_of(**answer_counts)
    (judgement,) = decide(four_right, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_IDS).judgements
    assert judgement.reason == f"{PASSED_REASON}. {NO_COUNTS_NOTE}"
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize(
    ("asked", "digest"), [(4, "0123456789ab"), (1, "f" * 12)], ids=["the-whole-rfc", "a-part"]
)
def test_only_an_update_over_the_whole_rfc_takes_the_corpus_of_the_run(run_of, asked, digest):
    listed = structs.replace(listing_of(rfc3986={"validate": 4}), corpus="f" * 12)
    updated = update(listed, run_of(*["pass"] * asked), VALIDATING_LIB, corpus_ids=KNOWN_IDS).baseline
    assert updated.corpus == digest
    assert updated.answered == {"rfc3986": {"validate": 4}}


def test_a_new_baseline_has_the_number_of_answers(four_right):
    created = create(four_right, VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    assert created.answered == {"rfc3986": {"validate": 4}}


def test_a_new_baseline_lists_the_complete_answers(four_right):
    created = create(four_right, VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    assert created.complete == {"rfc3986": {"validate": IDS}}


def test_the_number_of_answers_is_written_between_the_rfcs_and_the_complete_answers(four_right):
    created = create(four_right, VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    head = '\n "spec": ["rfc3986"],\n "answered": {\n  "rfc3986": {"validate": 4}\n },\n "complete": '
    assert head in canonical_text(created)


def test_a_new_baseline_has_no_number_if_the_number_of_vectors_is_unknown(four_right):
    assert create(four_right, VALIDATING_LIB, ["rfc3986"]).answered == {}


def test_a_new_baseline_of_a_part_has_no_number(run_of):
    assert create(run_of("pass"), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS).answered == {}


#: Two of the four vectors are answered.
HALF = ("pass", "unsupported", "pass", "unsupported")


def test_only_shrink_leaves_lost_answers_and_their_number(run_of):
    created = create(run_of(*["pass"] * 4), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    shrunk = update(created, run_of(*HALF), VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True)
    assert shrunk.baseline == created
    assert [finding.kind for finding in shrunk.unapplied] == ["lost", "lost"]


def test_an_update_lowers_the_number_of_answers(run_of):
    created = create(run_of(*["pass"] * 4), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    lower = update(created, run_of(*HALF), VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert lower.baseline.answered == {"rfc3986": {"validate": 2}}


def test_an_update_that_lowers_the_number_of_answers_leaves_no_finding(run_of):
    created = create(run_of(*["pass"] * 4), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    lower = update(created, run_of(*HALF), VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert lower.unapplied == []
    assert findings(lower.baseline, run_of(*HALF), "lib", corpus_ids=KNOWN_IDS) == []


def test_an_update_by_a_part_keeps_the_number_of_answers(run_of):
    created = create(run_of(*HALF), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    updated = update(created, run_of("pass"), VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert updated.baseline.answered == {"rfc3986": {"validate": 2}}


def test_only_shrink_raises_the_number_of_answers(run_of):
    created = create(run_of(*HALF), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    higher = update(created, run_of(*["pass"] * 4), VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True)
    assert higher.baseline.answered == {"rfc3986": {"validate": 4}}


def test_only_shrink_keeps_the_number_of_an_operation_that_was_not_asked(four_right):
    listed = listing_of(rfc3986={"resolve": 1})
    shrunk = update(listed, four_right, VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True)
    assert shrunk.baseline.answered == {"rfc3986": {"resolve": 1, "validate": 4}}


def test_an_update_drops_the_number_of_an_operation_that_was_not_asked(four_right):
    listed = listing_of(rfc3986={"resolve": 1, "validate": 4})
    updated = update(listed, four_right, VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert updated.baseline.answered == {"rfc3986": {"validate": 4}}


def test_only_shrink_adds_no_number_to_a_baseline_without_numbers(four_right):
    updated = update(listing_of(), four_right, VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True)
    assert updated.baseline.answered == {}


def test_an_update_by_a_library_without_answers_locks_no_answer(run_of):
    created = create(run_of(*["pass"] * 4), VALIDATING_LIB, ["rfc3986"], corpus_ids=KNOWN_IDS)
    updated = update(created, run_of(*["unsupported"] * 4), VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert updated.baseline.answered == {"rfc3986": {}}
    assert updated.baseline.unanswered == {"rfc3986": {"validate": "all"}}
    assert updated.unapplied == []


@pytest.fixture
def unanswered_run(make_case, record):
    """Return a function that runs a vector of a binding without an answer, and a required one that passes.

    The library claims `ops`.
    """

    def ask(binding, ops):
        fields = {"binding": binding}
        if binding != "required":
            fields["expect"] = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}
        cases = [make_case(IDS[0], **fields), make_case(IDS[1])]
        results = [Result(IDS[0], "lib", Outcome.UNSUPPORTED), Result(IDS[1], "lib", Outcome.PASS)]
        return record(cases, structs.replace(VALIDATING_LIB, ops=ops), *results)

    return ask


#: The binding of the vector without an answer, and the operations that the library claims; the vector is
#: one to validate.
FAILS_STRICTLY = ("required", ("validate",))
NEVER_FAILS = [
    pytest.param("required", ("resolve",), id="required-another-claimed"),
    pytest.param("required", (), id="required-none-claimed"),
    pytest.param("impl-defined", ("validate",), id="impl-defined-claimed"),
    pytest.param("impl-defined", ("resolve",), id="impl-defined-another-claimed"),
    pytest.param("impl-defined", (), id="impl-defined-none-claimed"),
]
BINDINGS_AND_CLAIMS = [pytest.param(*FAILS_STRICTLY, id="required-claimed"), *NEVER_FAILS]


@pytest.mark.parametrize(("binding", "ops"), BINDINGS_AND_CLAIMS)
def test_a_plain_policy_needs_no_answer(unanswered_run, binding, ops):
    (judgement,) = decide(unanswered_run(binding, ops), ["lib"], policy=PLAIN).judgements
    assert judgement.code == Exit.PASSED


def test_a_strict_policy_needs_an_answer_to_a_required_vector_of_a_claimed_operation(unanswered_run):
    (judgement,) = decide(unanswered_run(*FAILS_STRICTLY), ["lib"], policy=Policy(strict=True)).judgements
    assert judgement.code == Exit.FAILED


@pytest.mark.parametrize(("binding", "ops"), NEVER_FAILS)
def test_a_strict_policy_needs_no_answer_that_is_open_or_unclaimed(unanswered_run, binding, ops):
    (judgement,) = decide(unanswered_run(binding, ops), ["lib"], policy=Policy(strict=True)).judgements
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize(("binding", "ops"), BINDINGS_AND_CLAIMS)
def test_a_run_passes_with_the_baseline_made_of_it(unanswered_run, binding, ops, strict):
    policy = Policy(strict=strict)
    results = unanswered_run(binding, ops)
    created = create(results, results.participants[0], policy=policy)
    (judgement,) = decide(results, ["lib"], policy=policy, baselines={"lib": created}).judgements
    assert judgement.code == Exit.PASSED


def test_a_new_baseline_lists_an_answer_that_a_strict_policy_needs(unanswered_run):
    results = unanswered_run(*FAILS_STRICTLY)
    created = create(results, results.participants[0], policy=Policy(strict=True))
    assert [entry.outcome for entry in created.entries] == ["unsupported"]


@pytest.mark.parametrize(("binding", "ops"), BINDINGS_AND_CLAIMS)
def test_a_new_baseline_lists_no_missing_answer_under_a_plain_policy(unanswered_run, binding, ops):
    results = unanswered_run(binding, ops)
    assert create(results, results.participants[0], policy=PLAIN).entries == ()


def claims(*ops, modes=("syntax", "scheme")):
    """Return a library that claims these operations and modes."""
    return Participant("lib", "ran", ops=ops, modes=modes)


@pytest.mark.parametrize(
    ("tier", "op"), [("complete", "validate"), ("resolution", "resolve")], ids=["complete", "resolution"]
)
@pytest.mark.parametrize(
    ("strict", "claims_the_operation", "failing"),
    [(True, True, {"unsupported": 3}), (True, False, {}), (False, True, {})],
    ids=["strict-and-claimed", "strict-and-not-claimed", "plain"],
)
def test_unsupported_generated_cases_fail_only_strictly_and_for_a_claimed_operation(
    tier, op, strict, claims_the_operation, failing
):
    counts = outcomes_of({"pass": 1, "unsupported": 3})
    part_tally = Tally("lib", f"{tier}-rfc3986", tier, "rfc3986", counts, counts, {})
    claimed = claims(op) if claims_the_operation else claims("parse")
    assert Policy(strict=strict).claiming(claimed).failing_outcomes(part_tally) == failing


@pytest.mark.parametrize(
    ("modes", "failing"),
    [(("syntax", "scheme"), {"unsupported": 3}), (("syntax",), {}), ((), {})],
    ids=["both-modes", "another-mode", "no-mode"],
)
def test_unsupported_generated_cases_fail_only_if_their_modes_are_claimed(modes, failing):
    counts = outcomes_of({"pass": 1, "unsupported": 3})
    tally = Tally("lib", "normalization-rfc3986", "normalization", "rfc3986", counts, counts, {})
    policy = Policy(strict=True).claiming(claims("normalize", modes=modes))
    assert policy.failing_outcomes(tally) == failing


@pytest.mark.parametrize(
    ("mode", "fails"),
    [(None, False), ("syntax", False), ("scheme", True)],
    ids=["no-mode", "another-mode", "claimed-mode"],
)
def test_an_unsupported_case_fails_strictly_only_in_a_claimed_mode(make_case, mode, fails):
    case = make_case(ID, op="normalize", mode=mode, expect={"result": "a:"})
    policy = Policy(strict=True).claiming(claims("normalize", modes=("scheme",)))
    assert policy.fails(case, result("unsupported")) is fails


# ---- coverage of generated parts

TIER_PART = "complete-rfc3986-URI"
DIGEST = "ab" * 32


KNOWN_PARTS = frozenset(("rfc3986-3.3-0", TIER_PART))


LISTED = Entry(TIER_PART, "fail", {"required": {"fail": 2}}, DIGEST[:12])


@pytest.fixture
def asked_parts(record):
    """Return a function that runs the generated part with these outcomes, or a slice of it."""

    def ask(*, whole: bool = True, failing_digest: str = "", **outcomes: int):
        complete_answers = 0
        for outcome, count in outcomes.items():
            if outcome not in ("partial", "unsupported"):
                complete_answers += count
        counts = outcomes_of(outcomes)
        tally = Tally(
            "lib",
            TIER_PART,
            "complete",
            "rfc3986",
            outcomes=counts,
            required=counts,
            rates={},
            rule="URI",
            digest=DIGEST if whole else "",
            answered={"validate": complete_answers} if complete_answers else {},
            failing_digest=failing_digest,
        )
        return record([], VALIDATING_LIB, tally)

    return ask


def listing(*entries: Entry, **generated: int) -> Baseline:
    """Return a baseline that counts answers to parts by their names; `part` stands for `TIER_PART`."""
    numbers = {}
    for name, count in generated.items():
        numbers[TIER_PART if name == "part" else name] = {"validate": count}
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), entries, generated=numbers)


@pytest.mark.parametrize(
    ("outcomes", "counts"),
    [
        ({"pass": 3, "fail": 2, "partial": 1, "unsupported": 4, "timeout": 1}, {"validate": 6}),
        ({"unsupported": 4}, {}),
    ],
    ids=["some-answered", "none-answered"],
)
def test_answered_cases_of_a_part_are_counted(asked_parts, outcomes, counts):
    assert answered_by_part(asked_parts(**outcomes), "lib", (), KNOWN_PARTS) == {TIER_PART: counts}


def test_answers_to_a_part_of_an_rfc_that_is_not_selected_are_not_counted(asked_parts):
    assert answered_by_part(asked_parts(**{"pass": 3}), "lib", ["rfc1808"], KNOWN_PARTS) == {}


def test_answers_to_a_part_are_not_counted_if_the_parts_are_unknown(asked_parts):
    assert answered_by_part(asked_parts(**{"pass": 3}), "lib") == {}


def test_answers_to_a_slice_of_a_part_are_not_counted(asked_parts):
    slice_run = asked_parts(**{"pass": 3}, whole=False)
    assert answered_by_part(slice_run, "lib", (), KNOWN_PARTS) == {}


@pytest.mark.parametrize(
    ("selected", "parts"), [((), [TIER_PART]), (["rfc1808"], [])], ids=["all-rfcs", "another-rfc"]
)
def test_a_slice_of_a_part_of_a_selected_rfc_is_partly_run(asked_parts, selected, parts):
    slice_run = asked_parts(**{"pass": 3}, whole=False)
    assert partly_asked_names(slice_run, "lib", selected, KNOWN_PARTS) == parts


class ComparedPart(NamedTuple):
    """What a list has of a part, what is answered now, the kinds of the findings, and the exit code."""

    entries: Sequence[Entry]
    numbers: Mapping[str, int]
    outcomes: Mapping[str, int]
    kinds: Sequence[str]
    code: Exit


COMPARED_PARTS = {
    "as-it-was": ComparedPart([LISTED], {"part": 5}, {"pass": 3, "fail": 2}, [], Exit.PASSED),
    "mended": ComparedPart([LISTED], {"part": 5}, {"pass": 5}, ["stale"], Exit.STALE),
    "unsupported": ComparedPart(
        [LISTED], {"part": 5}, {"unsupported": 5}, ["changed", "coverage"], Exit.NOTHING_RAN
    ),
    "partial": ComparedPart(
        [LISTED], {"part": 5}, {"pass": 3, "partial": 2}, ["changed", "coverage"], Exit.FAILED
    ),
    "partial-rest": ComparedPart(
        [LISTED], {"part": 5}, {"pass": 1, "fail": 2, "partial": 2}, ["coverage"], Exit.FAILED
    ),
    "mended-as-ever-in-part": ComparedPart(
        [LISTED], {"part": 3}, {"pass": 3, "unsupported": 2}, ["stale"], Exit.STALE
    ),
    "without-a-number-mended": ComparedPart([LISTED], {}, {"pass": 5}, ["stale"], Exit.STALE),
    "without-a-number-unsupported": ComparedPart(
        [LISTED], {}, {"unsupported": 5}, ["changed"], Exit.NOTHING_RAN
    ),
    "without-a-number-in-part": ComparedPart(
        [LISTED], {}, {"pass": 3, "unsupported": 2}, ["changed"], Exit.FAILED
    ),
    "nothing-listed": ComparedPart([], {"part": 5}, {"pass": 5}, [], Exit.PASSED),
    "nothing-listed-less": ComparedPart(
        [], {"part": 5}, {"pass": 4, "unsupported": 1}, ["coverage"], Exit.FAILED
    ),
    "more": ComparedPart([], {"part": 4}, {"pass": 5}, [], Exit.PASSED),
    "a-part-that-there-is-not": ComparedPart([], {"gone": 4}, {"pass": 5}, ["coverage"], Exit.FAILED),
}

each_compared_part = pytest.mark.parametrize("row", COMPARED_PARTS.values(), ids=COMPARED_PARTS)


@each_compared_part
def test_a_part_has_a_finding_only_if_its_answers_are_fewer_or_others_than_listed(asked_parts, row):
    listed = listing(*row.entries, **row.numbers)
    part_findings = findings(listed, asked_parts(**row.outcomes), "lib", corpus_ids=KNOWN_PARTS)
    assert kinds_of(part_findings) == row.kinds


@each_compared_part
def test_the_findings_of_a_part_decide_the_exit_code(asked_parts, row):
    """A part of which nothing is answered any more is not judged."""
    listed = listing(*row.entries, **row.numbers)
    results = asked_parts(**row.outcomes)
    decision = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS)
    assert decision.code == row.code


@each_compared_part
def test_no_finding_of_a_part_has_an_example(asked_parts, row):
    """A part cannot be put to an adapter."""
    listed = listing(*row.entries, **row.numbers)
    results = asked_parts(**row.outcomes)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert judgement.example_id == ""


@each_compared_part
def test_an_update_settles_every_finding_of_a_part(asked_parts, row):
    results = asked_parts(**row.outcomes)
    updated = update(listing(*row.entries, **row.numbers), results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    assert findings(updated.baseline, results, "lib", corpus_ids=KNOWN_PARTS) == []
    assert updated.unapplied == []


@each_compared_part
def test_only_shrink_settles_only_the_stale_entry_of_a_part(asked_parts, row):
    results = asked_parts(**row.outcomes)
    listed = listing(*row.entries, **row.numbers)
    updated = update(listed, results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS, only_shrink=True)
    not_stale = [kind for kind in row.kinds if kind != "stale"]
    assert kinds_of(updated.unapplied) == not_stale
    assert kinds_of(findings(updated.baseline, results, "lib", corpus_ids=KNOWN_PARTS)) == not_stale


def test_a_loss_in_a_part_is_described_with_both_counts(asked_parts):
    listed = listing(LISTED, part=5_000)
    results = asked_parts(**{"pass": 3}, partial=2)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert (
        f"1 loss of coverage, 1 changed ({TIER_PART} validate: 5,000 cases were answered, now 3)"
        in judgement.reason
    )


def test_the_loss_of_a_part_says_that_the_corpus_does_not_have_it(asked_parts):
    listed = listing(gone=5)
    results = asked_parts(**{"pass": 3})
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert "(gone validate: 5 cases were answered, but the corpus has no such part)" in judgement.reason


#: The outcomes of a slice of a part of which two cases are listed as failing.
LISTED_SLICES = [
    pytest.param({"pass": 1}, id="nothing"),
    pytest.param({"fail": 2}, id="as-many"),
    pytest.param({"fail": 1, "unsupported": 9}, id="fewer"),
]

UNLISTED_SLICES = [
    pytest.param({"fail": 3}, id="more"),
    pytest.param({"error": 1}, id="otherwise"),
]


@pytest.mark.parametrize("outcomes", LISTED_SLICES)
def test_a_slice_with_no_more_failures_than_its_part_passes(asked_parts, outcomes):
    results = asked_parts(**outcomes, whole=False)
    listed = listing(LISTED, part=5)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert findings(listed, results, "lib", corpus_ids=KNOWN_PARTS) == []
    assert judgement.listable
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize("outcomes", UNLISTED_SLICES)
def test_a_slice_with_failures_that_its_part_does_not_list_fails(asked_parts, outcomes):
    results = asked_parts(**outcomes, whole=False)
    listed = listing(LISTED, part=5)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert kinds_of(findings(listed, results, "lib", corpus_ids=KNOWN_PARTS)) == ["changed"]
    assert not judgement.listable
    assert judgement.code == Exit.FAILED


@pytest.mark.parametrize("outcomes", [*LISTED_SLICES, *UNLISTED_SLICES])
def test_an_update_by_a_slice_leaves_the_list(asked_parts, outcomes):
    """A baseline lists a part only as a whole."""
    results = asked_parts(**outcomes, whole=False)
    listed = listing(LISTED, part=5)
    assert update(listed, results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS).baseline == listed


@pytest.mark.parametrize("outcomes", LISTED_SLICES)
def test_an_update_by_a_slice_with_listed_failures_leaves_no_finding(asked_parts, outcomes):
    results = asked_parts(**outcomes, whole=False)
    assert update(listing(LISTED, part=5), results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS).unapplied == []


@pytest.mark.parametrize("outcomes", UNLISTED_SLICES)
def test_an_update_by_a_slice_with_unlisted_failures_leaves_a_finding(asked_parts, outcomes):
    results = asked_parts(**outcomes, whole=False)
    updated = update(listing(LISTED, part=5), results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    assert kinds_of(updated.unapplied) == ["changed"]


def test_no_baseline_is_made_of_a_slice_with_failures(asked_parts):
    """Its digest could be no digest of the part, and such a list could not be read."""
    results = asked_parts(fail=2, whole=False)
    with pytest.raises(NothingJudged, match=f"{TIER_PART} failed, but not all its cases were asked"):
        create(results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)


def test_a_slice_with_failures_fails_and_cannot_be_listed(asked_parts):
    (judgement,) = decide(asked_parts(fail=2, whole=False), ["lib"]).judgements
    assert not judgement.listable
    assert judgement.code == Exit.FAILED


def test_a_baseline_of_a_slice_without_failures_lists_nothing(asked_parts):
    assert (
        create(asked_parts(**{"pass": 2}, whole=False), VALIDATING_LIB, corpus_ids=KNOWN_PARTS).entries == ()
    )


FAILING_DIGEST = "ab" * 32


@pytest.fixture
def baseline_of_two_failures(asked_parts):
    """A baseline with the number and the digest of two failing cases."""
    results = asked_parts(fail=2, **{"pass": 3}, failing_digest=FAILING_DIGEST)
    return create(results, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)


def test_a_new_baseline_has_the_number_and_the_digest_of_the_failing_cases(baseline_of_two_failures):
    (entry,) = baseline_of_two_failures.entries
    assert entry.got == {"required": {"fail": 2}, "failing": "ab" * 6}


@pytest.mark.parametrize(
    ("failing_digest", "kinds"),
    [(FAILING_DIGEST, []), ("cd" * 32, ["changed"])],
    ids=["the-same-cases", "other-cases"],
)
def test_as_many_failures_are_a_finding_only_if_they_are_of_other_cases(
    asked_parts, baseline_of_two_failures, failing_digest, kinds
):
    results = asked_parts(fail=2, **{"pass": 3}, failing_digest=failing_digest)
    assert kinds_of(findings(baseline_of_two_failures, results, "lib", corpus_ids=KNOWN_PARTS)) == kinds


def test_answers_to_one_operation_of_a_part_do_not_make_up_for_another(asked_parts):
    results = asked_parts(**{"pass": 3})
    parsing_tallies = tuple(structs.replace(tally, answered={"parse": 3}) for tally in results.tallies)
    results = structs.replace(results, tallies=parsing_tallies)
    losses = findings(listing(part=2), results, "lib", corpus_ids=KNOWN_PARTS)
    assert [finding.id for finding in losses] == [f"{TIER_PART} validate"]


#: The list and whether the part is asked whole; what is said of a gate that is passed.
NOTES = [
    pytest.param(listing(part=3), True, "", id="checked"),
    pytest.param(
        listing(),
        True,
        f". Coverage of {TIER_PART} was not checked: the baseline has no answer counts for it",
        id="no-counts",
    ),
    pytest.param(
        listing(part=3),
        False,
        f". Coverage of {TIER_PART} was not checked: only part of it was run",
        id="only-a-part",
    ),
]


@pytest.mark.parametrize(("listed", "whole", "note"), NOTES)
def test_a_passed_gate_says_if_coverage_of_a_part_was_not_checked(asked_parts, listed, whole, note):
    results = asked_parts(**{"pass": 3}, whole=whole)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert judgement.code == Exit.PASSED
    assert judgement.reason == f"passed; 0 known failures, all in the baseline{note}"


@pytest.mark.parametrize(("listed", "whole", "_note"), NOTES)
def test_a_passed_gate_notes_that_its_baseline_is_of_the_old_format(asked_parts, listed, whole, _note):
    results = asked_parts(**{"pass": 3}, whole=whole)
    (judgement,) = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=KNOWN_PARTS).judgements
    assert judgement.notes == (old_format_note(listed),)


@pytest.fixture
def all_answered(asked_parts):
    """A run that answers all five cases of the part."""
    return asked_parts(**{"pass": 5})


@pytest.fixture
def three_answered(asked_parts):
    """A run that answers three of the five cases of the part."""
    return asked_parts(**{"pass": 3}, unsupported=2)


def test_a_new_baseline_has_the_number_of_answers_of_a_part(all_answered):
    created = create(all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    assert created.generated == {TIER_PART: {"validate": 5}}


def test_a_new_baseline_of_a_part_without_failures_lists_nothing_else(all_answered):
    created = create(all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    assert created.entries == ()
    assert created.answered == {}


def test_the_number_of_answers_of_a_part_is_written_before_the_entries(all_answered):
    created = create(all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    text = f'\n "generated": {{\n  "{TIER_PART}": {{"validate": 5}}\n }},\n "entries": []'
    assert text in canonical_text(created)


def test_a_new_baseline_has_no_number_of_a_part_if_the_ids_of_the_corpus_are_unknown(all_answered):
    assert create(all_answered, VALIDATING_LIB, corpus_ids=None).generated == {}


def test_only_shrink_keeps_the_number_of_answers_of_a_part(all_answered, three_answered):
    created = create(all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    updated = update(created, three_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS, only_shrink=True)
    assert updated.baseline == created


def test_an_update_lowers_the_number_of_answers_of_a_part(all_answered, three_answered):
    created = create(all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    lower = update(created, three_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    assert lower.baseline.generated == {TIER_PART: {"validate": 3}}


def test_only_shrink_raises_the_number_of_answers_of_a_part(all_answered, three_answered):
    created = create(three_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    higher = update(created, all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS, only_shrink=True)
    assert higher.baseline.generated == {TIER_PART: {"validate": 5}}


def test_only_shrink_adds_no_number_of_a_part(all_answered):
    updated = update(listing(), all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS, only_shrink=True)
    assert updated.baseline.generated == {}


def test_an_update_drops_the_number_of_a_part_that_is_gone(all_answered):
    updated = update(listing(gone=7), all_answered, VALIDATING_LIB, corpus_ids=KNOWN_PARTS)
    assert updated.baseline.generated == {TIER_PART: {"validate": 5}}


# ---- a real tier


@pytest.fixture
def tier_run(corpus, tmp_path):
    """Return a function that asks the complete tier of a small rule, or its cases with these words."""

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
    """Return the reference, except that it accepts these texts."""

    def answer(question):
        if question["op"] == "validate" and question["url"] in texts:
            return {"status": "ok"}
        return reference.answer(question)

    return answer


def test_as_many_failures_of_other_texts_are_a_change(tier_run):
    before = tier_run(wrong_about('"', '"a'))
    now = tier_run(wrong_about("a%", '"a'))
    listed = create(before, before.participants[0])
    assert listed.entries[0].got["required"] == {"fail": 2}
    assert kinds_of(findings(listed, before, "lib")) == []
    assert kinds_of(findings(listed, now, "lib")) == ["changed"]


@pytest.fixture
def failing_selection(tier_run):
    """The results of the cases of a tier with `-0000` in their ids, of which that of `a%` fails."""
    return tier_run(wrong_about("a%"), "-0000")


def test_a_selection_of_a_tier_with_failures_fails_and_is_not_listable(failing_selection):
    (judgement,) = decide(failing_selection, ["lib"]).judgements
    assert not judgement.listable
    assert judgement.code == Exit.FAILED


def test_a_selection_of_a_tier_with_failures_cannot_be_listed(failing_selection):
    with pytest.raises(
        NothingJudged, match="complete-rfc2396-relativeURI failed, but not all its cases were asked"
    ):
        create(failing_selection, failing_selection.participants[0])


def test_failures_without_examples_are_counted(tier_run):
    """With a strict policy unsupported cases fail, of which no example is kept.

    The library offers only to validate, but the tier also has texts to parse.
    """
    results = tier_run(reference.answer)
    (part_tally,) = results.tallies
    count = part_tally.required[Outcome.UNSUPPORTED]
    assert count > 0
    (judgement,) = decide(results, ["lib"], policy=Policy(strict=True)).judgements
    assert judgement.groups == (Group(Outcome.UNSUPPORTED, (), count),)


@pytest.fixture
def tier_baseline(tier_run):
    """The baseline of the reference over a part of a tier."""
    results = tier_run(reference.answer)
    return create(results, results.participants[0], corpus_ids=["complete-rfc2396-relativeURI"])


def test_baseline_check_accepts_the_counts_of_a_part_of_a_tier(tier_baseline, urlconform, tmp_path):
    write_baseline(tier_baseline, tmp_path / "b.json")
    done = urlconform("baseline", "check", "b.json")
    assert "Coverage of RFC 2396 was not checked: the baseline has no answer counts for it" in done.stdout
    assert done.returncode == Exit.PASSED


def test_baseline_check_refuses_more_outcomes_than_the_tier_has(tier_baseline, urlconform, tmp_path):
    impossible = structs.replace(tier_baseline, generated={"k9-rfc2396-URI": {"validate": 1}})
    write_baseline(impossible, tmp_path / "b.json")
    done = urlconform("baseline", "check", "b.json")
    assert "k9-rfc2396-URI: the baseline counts 1 outcome, but the tier has only" in done.stdout
    assert done.returncode == Exit.FAILED


# ---- locked answers

PARSE = {
    "op": "parse",
    "rule": None,
    "expect": {"components": {"scheme": "a", "host": "H", "query": ""}},
}


def parsed(**components):
    return {"status": "ok", "components": components}


#: What is locked, the outcome with the components, and what was lost.
LOSSES = [
    pytest.param({}, "unsupported", {}, "answered in full, now not offered", id="not-offered"),
    pytest.param(
        {}, "partial", {"scheme": "a"}, "answered in full, now not exposed: host, query", id="partial"
    ),
    pytest.param({}, "aborted", {}, "answered in full, now aborted", id="aborted"),
    pytest.param({"host": "H"}, "unsupported", {}, "had host, now not offered", id="partial-not-offered"),
    pytest.param({"host": "H"}, "crash", {}, "had host, now crash", id="partial-crash"),
    pytest.param(
        {"host": "H", "query": None}, "partial", {"scheme": "a"}, "host, query no longer exposed", id="hidden"
    ),
    pytest.param({"host": "H"}, "partial", {"host": "h"}, "host was 'H', now 'h'", id="other-value"),
    pytest.param({"query": None}, "partial", {"query": ""}, "query was absent, now empty", id="empty"),
    pytest.param(
        {"host": "H", "query": ""},
        "variant",
        {"host": "a"},
        "query no longer exposed; host was 'H', now 'a'",
        id="both",
    ),
    pytest.param(
        {"host": {"hex": "ff"}},
        "partial",
        {"host": [["a", "b"]]},
        "host was bytes '\\xff', now ['a'='b']",
        id="no-text",
    ),
]

#: What is locked, and an outcome with components that loses nothing of it.
NOTHING_LOST = [
    pytest.param({}, "pass", {}, id="as-it-was"),
    pytest.param({}, "variant", {"scheme": "b"}, id="another-open-answer"),
    pytest.param({"host": "H"}, "partial", {"host": "H"}, id="partial-as-it-was"),
    pytest.param({"host": "H"}, "partial", {"host": "H", "scheme": "a"}, id="one-more"),
    pytest.param({"host": "H"}, "pass", {"host": "h"}, id="complete"),
]


@pytest.fixture
def parsed_result():
    """Return a function that makes the result of parsing with these components."""

    def make(outcome, visible):
        detail = "not exposed: host, query" if outcome == "partial" else ""
        return Result(ID, "lib", Outcome(outcome), detail=detail, got=parsed(**visible) if visible else {})

    return make


@pytest.fixture
def open_parse_case(make_case):
    """A case to parse whose answer is open, so that no outcome is a regression."""
    return make_case(ID, binding="impl-defined", **PARSE)


@pytest.mark.parametrize(("locked", "outcome", "visible", "lost"), LOSSES)
def test_a_locked_answer_is_lost_if_a_component_is_missing_or_another(
    open_parse_case, parsed_result, locked, outcome, visible, lost
):
    answer = parsed_result(outcome, visible)
    finding = vector_finding(None, open_parse_case, answer, PLAIN, locked)
    assert finding == Finding("lost", ID, None, answer, lost)


@pytest.mark.parametrize(("locked", "outcome", "visible"), NOTHING_LOST)
def test_a_locked_answer_is_not_lost_if_it_has_its_components(
    open_parse_case, parsed_result, locked, outcome, visible
):
    assert vector_finding(None, open_parse_case, parsed_result(outcome, visible), PLAIN, locked) is None


@pytest.mark.parametrize(
    ("outcome", "visible"),
    [
        pytest.param("pass", {}, id="pass"),
        pytest.param("partial", {"scheme": "a"}, id="partial"),
        pytest.param("unsupported", {}, id="unsupported"),
        pytest.param("aborted", {}, id="aborted"),
        pytest.param("crash", {}, id="crash"),
        pytest.param("variant", {"scheme": "b"}, id="variant"),
    ],
)
def test_an_answer_that_is_not_locked_is_not_lost(open_parse_case, parsed_result, outcome, visible):
    assert vector_finding(None, open_parse_case, parsed_result(outcome, visible)) is None


@pytest.mark.parametrize(
    ("outcome", "policy"),
    [
        pytest.param("fail", PLAIN, id="wrong"),
        pytest.param("unsupported", Policy(strict=True).claiming(claims("validate")), id="strictly-missing"),
    ],
)
def test_a_failure_of_a_locked_answer_is_a_regression_and_no_loss(make_case, outcome, policy):
    finding = vector_finding(None, make_case(ID), result(outcome), policy, {})
    assert finding.kind == "regression"


def test_an_expected_authority_shows_userinfo_host_and_port(make_case):
    case = make_case(ID, **{**PARSE, "expect": {"components": {"authority": "u@h:1"}}})
    parts = {"host": "h", "port": "1", "userinfo": "u"}
    answer = result("pass", parsed(path="/", **parts))  # the path is not expected, and not shown
    assert shown_parts(case, answer) == parts


def test_an_answer_without_components_shows_no_parts(make_case):
    assert shown_parts(make_case(ID), result("pass", {"status": "ok"})) == {}


def locking(exceptions=(), *, corpus="0123456789ab", **answered) -> Baseline:
    """Return a baseline that locks all answers but those to `exceptions`, and counts answers by RFC."""
    unanswered = {"rfc3986": {"validate": tuple(exceptions)}} if exceptions else {}
    return Baseline(
        "urlbaseline-2", corpus, "lib", ("rfc3986",), entries=(), answered=answered, unanswered=unanswered
    )


class Locked(NamedTuple):
    """The outcomes of the first vectors of four, and what the baseline has: unanswered vectors and a count.

    The baseline is of the corpus of the run or of another one.
    """

    outcomes: tuple[str, ...]
    unanswered: tuple[str, ...]
    answered: int
    other_corpus: bool = False


NO_LOSSES = {
    "as-it-was": Locked(("pass",) * 4, unanswered=(), answered=4),
    "exception": Locked(("pass", "pass", "pass", "unsupported"), unanswered=(IDS[3],), answered=3),
    "more": Locked(("pass",) * 4, unanswered=(IDS[3],), answered=3),
    "perhaps-new": Locked(
        ("unsupported", "pass", "pass", "pass"), unanswered=(), answered=3, other_corpus=True
    ),
    "a-part-with-another-corpus": Locked(
        ("unsupported", "pass"), unanswered=(), answered=4, other_corpus=True
    ),
}

#: The id and the kind of the finding of most rows.
FIRST_LOST = (IDS[0], "lost")


class LockedLosses(NamedTuple):
    """A baseline and a run with losses, and the id and the kind of each finding."""

    locked: Locked
    losses: list[tuple[str, str]]


ANSWER_LOSSES = {
    "one-instead-of-another": LockedLosses(
        Locked(("unsupported", "pass", "pass", "pass"), unanswered=(IDS[3],), answered=3), [FIRST_LOST]
    ),
    "two-lost": LockedLosses(
        Locked(("unsupported", "unsupported", "pass", "pass"), unanswered=(), answered=4),
        [FIRST_LOST, (IDS[1], "lost")],
    ),
    "a-part-of-the-rfc": LockedLosses(
        Locked(("unsupported", "pass"), unanswered=(), answered=4), [FIRST_LOST]
    ),
    "and-wrong": LockedLosses(
        Locked(("unsupported", "fail", "pass", "pass"), unanswered=(), answered=4),
        [FIRST_LOST, (IDS[1], "regression")],
    ),
    "edited-by-hand": LockedLosses(
        Locked(("unsupported", "pass", "pass", "pass"), unanswered=(IDS[0],), answered=4),
        [("rfc3986 validate", "coverage")],
    ),
    "fewer-with-another-corpus": LockedLosses(
        Locked(("unsupported", "pass", "pass", "pass"), unanswered=(), answered=4, other_corpus=True),
        [FIRST_LOST],
    ),
    "exception-with-another-corpus": LockedLosses(
        Locked(
            ("unsupported", "unsupported", "pass", "pass"),
            unanswered=(IDS[1],),
            answered=3,
            other_corpus=True,
        ),
        [FIRST_LOST],
    ),
}


class LockedRun(NamedTuple):
    """A baseline that locks answers, and a run."""

    baseline: Baseline
    results: Results

    @property
    def judgement(self) -> Judgement:
        """The judgement of the gate."""
        baselines = {"lib": self.baseline}
        (judgement,) = decide(self.results, ["lib"], baselines=baselines, corpus_ids=KNOWN_IDS).judgements
        return judgement


@pytest.fixture
def locked_run(run_of):
    """Return a function that makes the baseline and the run of a row."""

    def make(row: Locked) -> LockedRun:
        results = run_of(*row.outcomes)
        corpus = "f" * 12 if row.other_corpus else results.header.corpus
        baseline = locking(row.unanswered, corpus=corpus, rfc3986={"validate": row.answered})
        return LockedRun(baseline, results)

    return make


def ids_and_kinds(all_findings) -> list[tuple[str, str]]:
    """Return the ids of findings with their kinds, in their order."""
    return [(finding.id, finding.kind) for finding in all_findings]


@pytest.mark.parametrize("row", NO_LOSSES.values(), ids=NO_LOSSES)
def test_a_run_with_each_locked_answer_has_no_finding(locked_run, row):
    baseline, results = locked_run(row)
    assert findings(baseline, results, "lib", corpus_ids=KNOWN_IDS) == []


@pytest.mark.parametrize(("row", "losses"), ANSWER_LOSSES.values(), ids=ANSWER_LOSSES)
def test_a_locked_answer_that_is_missing_is_a_finding(locked_run, row, losses):
    baseline, results = locked_run(row)
    assert ids_and_kinds(findings(baseline, results, "lib", corpus_ids=KNOWN_IDS)) == losses


@pytest.mark.parametrize("row", NO_LOSSES.values(), ids=NO_LOSSES)
def test_a_run_with_each_locked_answer_passes_the_gate(locked_run, row):
    assert locked_run(row).judgement.code == Exit.PASSED


@pytest.mark.parametrize("row", ANSWER_LOSSES.values(), ids=ANSWER_LOSSES)
def test_the_loss_of_a_locked_answer_fails_the_gate(locked_run, row):
    assert locked_run(row.locked).judgement.code == Exit.FAILED


NOT_CHECKED = "Coverage of RFC 3986 was not checked: only part of it was run"


def test_a_part_with_another_corpus_is_noted_as_not_checked(locked_run):
    locked = locked_run(NO_LOSSES["a-part-with-another-corpus"])
    assert locked.judgement.reason == f"{PASSED_REASON}. {NOT_CHECKED}"


@pytest.mark.parametrize(
    "row",
    [Locked(("unsupported", "pass"), unanswered=(), answered=4), NO_LOSSES["perhaps-new"]],
    ids=["a-part-with-the-same-corpus", "all-with-another-corpus"],
)
def test_locked_answers_that_can_be_checked_are_not_noted(locked_run, row):
    assert "was not checked" not in locked_run(row).judgement.reason


@pytest.mark.parametrize("row", NO_LOSSES.values(), ids=NO_LOSSES)
def test_an_update_names_no_lost_answer_if_none_is_lost(locked_run, row):
    baseline, results = locked_run(row)
    assert update(baseline, results, VALIDATING_LIB, corpus_ids=KNOWN_IDS).lost == []


@pytest.mark.parametrize(("row", "losses"), ANSWER_LOSSES.values(), ids=ANSWER_LOSSES)
def test_an_update_names_the_lost_answers(locked_run, row, losses):
    baseline, results = locked_run(row)
    updated = update(baseline, results, VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert [entry.id for entry in updated.lost] == [name for name, kind in losses if kind == "lost"]


ALL_LOCKED = NO_LOSSES | {name: row.locked for name, row in ANSWER_LOSSES.items()}
WITH_THE_SAME_CORPUS = {name: row for name, row in ALL_LOCKED.items() if not row.other_corpus}


@pytest.mark.parametrize("row", WITH_THE_SAME_CORPUS.values(), ids=WITH_THE_SAME_CORPUS)
def test_an_update_with_the_same_corpus_leaves_no_finding(locked_run, row):
    baseline, results = locked_run(row)
    updated = update(baseline, results, VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert findings(updated.baseline, results, "lib", corpus_ids=KNOWN_IDS) == []


@pytest.mark.parametrize("row", NO_LOSSES.values(), ids=NO_LOSSES)
def test_only_shrink_leaves_no_finding_if_no_answer_is_lost(locked_run, row):
    baseline, results = locked_run(row)
    shrunk = update(baseline, results, VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True)
    assert shrunk.unapplied == []
    assert findings(shrunk.baseline, results, "lib", corpus_ids=KNOWN_IDS) == []


@pytest.mark.parametrize(("row", "losses"), ANSWER_LOSSES.values(), ids=ANSWER_LOSSES)
def test_only_shrink_leaves_each_lost_answer(locked_run, row, losses):
    baseline, results = locked_run(row)
    shrunk = update(baseline, results, VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True)
    assert ids_and_kinds(shrunk.unapplied) == losses
    assert ids_and_kinds(findings(shrunk.baseline, results, "lib", corpus_ids=KNOWN_IDS)) == losses


def test_an_update_over_a_part_accepts_only_the_losses_of_that_part(run_of):
    baseline = locking([IDS[3]], rfc3986={"validate": 3})
    updated = update(baseline, run_of("unsupported", "pass"), VALIDATING_LIB, corpus_ids=KNOWN_IDS).baseline
    assert updated.unanswered == {"rfc3986": {"validate": (IDS[0], IDS[3])}}
    assert updated.answered == {"rfc3986": {"validate": 2}}
    full_run = run_of("unsupported", "pass", "pass", "unsupported")
    assert findings(updated, full_run, "lib", corpus_ids=KNOWN_IDS) == []


def test_only_shrink_over_a_part_locks_the_new_answers_of_that_part(run_of):
    baseline = locking([IDS[0], IDS[3]], rfc3986={"validate": 2})
    results = run_of("pass", "pass")
    shrunk = update(baseline, results, VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True).baseline
    assert shrunk.unanswered == {"rfc3986": {"validate": (IDS[3],)}}
    full_run = run_of("unsupported", "pass", "pass", "unsupported")
    assert [finding.id for finding in findings(shrunk, full_run, "lib", corpus_ids=KNOWN_IDS)] == [IDS[0]]


def test_an_operation_that_is_not_offered_locks_nothing(run_of):
    baseline = create(run_of(*["unsupported"] * 4), VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    assert baseline.unanswered == {"rfc3986": {"validate": "all"}}
    one_answered = run_of("pass", *["unsupported"] * 3)
    assert findings(baseline, one_answered, "lib", corpus_ids=KNOWN_IDS) == []


def test_only_shrink_locks_the_first_answer_to_an_operation(run_of):
    none_answered = run_of(*["unsupported"] * 4)
    one_answered = run_of("pass", *["unsupported"] * 3)
    baseline = create(none_answered, VALIDATING_LIB, corpus_ids=KNOWN_IDS)
    shrunk = update(baseline, one_answered, VALIDATING_LIB, corpus_ids=KNOWN_IDS, only_shrink=True).baseline
    first, *others = IDS
    assert shrunk.unanswered == {"rfc3986": {"validate": tuple(others)}}
    assert shrunk.answered == {"rfc3986": {"validate": 1}}
    assert [finding.id for finding in findings(shrunk, none_answered, "lib", corpus_ids=KNOWN_IDS)] == [first]


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
    "to_uri": {"url": "a:b", "expect": {"result": "a:b"}},
    "to_iri": {"url": "a:b", "expect": {"result": "a:b"}},
}

#: How many of the answers to an operation the library loses.
LOST_COUNTS: Mapping[str, int] = {"one answer": 1, "the first third": SIZE // 3, "all": SIZE}

MakeCase = Callable[..., Case]


def product_id(op: str, name: object) -> str:
    """Return the id of a vector of an operation: a number, or a name for one that is new or retired."""
    return f"{SPEC}-3.3-{op}-{name}"


def is_last(case: Case, op: str) -> bool:
    """Return True for the vector of an operation that some upgrades change."""
    return case.vector.id == product_id(op, SIZE - 1)


def unchanged(old: Sequence[Case], _op: str, _make_case: MakeCase) -> list[Case]:
    """Return the same cases."""
    return list(old)


def with_a_new_one(old: Sequence[Case], op: str, make_case: MakeCase) -> list[Case]:
    """Add a case of an operation."""
    return [*old, make_case(product_id(op, "new"), op=op, **QUESTIONS[op])]


def without_the_last(old: Sequence[Case], op: str, _make_case: MakeCase) -> list[Case]:
    """Retire the last case of an operation."""
    return [case for case in old if not is_last(case, op)]


def with_another_requirement(old: Sequence[Case], op: str, make_case: MakeCase) -> list[Case]:
    """Move the last case of an operation to another requirement."""
    moved = make_case(product_id(op, SIZE - 1), op=op, **QUESTIONS[op], requirement=f"{SPEC}-4-z")
    return [moved if is_last(case, op) else case for case in old]


def with_another_section(old: Sequence[Case], op: str, make_case: MakeCase) -> list[Case]:
    """Move the last case of an operation to a requirement in another section."""
    cases = with_another_requirement(old, op, make_case)
    return [structs.replace(case, section="4") if is_last(case, op) else case for case in cases]


class Upgrade(NamedTuple):
    """The difference between two corpora: at most one vector of the operation that the library loses.

    `next_cases` makes the new cases from the old ones. With `answered`, the library answers a vector that is
    new. With `retired_before`, the corpus of the baseline has the tombstone of one more vector.
    """

    next_cases: Callable[[Sequence[Case], str, MakeCase], list[Case]]
    answered: bool = False
    retired_before: bool = False


ADDED_AND_ANSWERED = Upgrade(with_a_new_one, answered=True)
ADDED = Upgrade(with_a_new_one)

UPGRADES: Mapping[str, Upgrade] = {
    "added and answered": ADDED_AND_ANSWERED,
    "added and not answered": ADDED,
    "retired": Upgrade(without_the_last),
    "retired before the baseline": Upgrade(unchanged, retired_before=True),
    "moved to another section": Upgrade(with_another_section),
    "moved to another requirement": Upgrade(with_another_requirement),
}


class Product(NamedTuple):
    """A planted library, its baseline, and its results with the next corpus."""

    baseline: Baseline
    results: Results
    known: CorpusIds

    def in_form(self, *, listed: bool) -> Product:
        """Return the product with a baseline that lists its complete answers, or only counts them."""
        counting = structs.replace(self.baseline, complete={})
        return self if listed else self._replace(baseline=counting)

    @property
    def code(self) -> Exit:
        """The exit code of the gate."""
        return decide(self.results, ["lib"], baselines={"lib": self.baseline}, corpus_ids=self.known).code


def corpus_ids(cases: Sequence[Case], removed: Collection[str] = ()) -> CorpusIds:
    """Return the ids of a corpus with some tombstones."""
    ids = CorpusIds(case.vector.id for case in cases)
    ids.removed = frozenset(removed)
    return ids


def answers_except(cases: Sequence[Case], silent: Collection[str]) -> list[Result]:
    """Return a right answer to each case, except to those in `silent`, which are not answered."""
    answers = []
    for case in cases:
        outcome = Outcome.UNSUPPORTED if case.vector.id in silent else Outcome.PASS
        answers.append(Result(case.vector.id, "lib", outcome))
    return answers


@pytest.fixture
def product(make_case, record) -> Callable[[str, int, Upgrade], Product]:
    """Return a function that makes a product of an operation, a number of lost answers, and an upgrade."""

    def make(op: str, lost: int, upgrade: Upgrade) -> Product:
        old = [
            make_case(product_id(name, number), op=name, **fields)
            for name, fields in QUESTIONS.items()
            for number in range(SIZE)
        ]
        removed_before = {product_id(op, "before")} if upgrade.retired_before else set()
        old_ids = corpus_ids(old, removed_before)
        old_results = record(old, PRODUCT_LIB, *answers_except(old, ()))
        baseline = create(old_results, PRODUCT_LIB, [SPEC], corpus_ids=old_ids)

        new = upgrade.next_cases(old, op, make_case)
        removed = removed_before | (set(old_ids) - {case.vector.id for case in new})
        silent = {product_id(op, number) for number in range(lost)}
        if not upgrade.answered:
            silent.add(product_id(op, "new"))
        results = record(new, PRODUCT_LIB, *answers_except(new, silent))
        header = structs.replace(results.header, corpus="f" * 12)
        return Product(baseline, structs.replace(results, header=header), corpus_ids(new, removed))

    return make


def test_each_operation_has_a_question_in_the_product():
    assert QUESTIONS.keys() == OPERATIONS.keys()


EACH_UPGRADE = pytest.mark.parametrize("upgrade", UPGRADES.values(), ids=UPGRADES)
LISTED_OR_COUNTED = pytest.mark.parametrize("listed", [True, False], ids=["listed", "counted"])


@pytest.mark.sampled(4)
@LISTED_OR_COUNTED
@pytest.mark.parametrize("op", OPERATIONS)
@EACH_UPGRADE
def test_a_next_corpus_without_a_loss_passes(product, listed, op, upgrade):
    assert product(op, 0, upgrade).in_form(listed=listed).code == Exit.PASSED


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", OPERATIONS)
@EACH_UPGRADE
@pytest.mark.parametrize("lost", LOST_COUNTS.values(), ids=LOST_COUNTS)
def test_a_loss_fails_with_the_next_corpus(product, op, lost, upgrade):
    assert product(op, lost, upgrade).code == Exit.FAILED


#: All but a new answer and one loss, which a baseline that counts cannot distinguish.
COUNTED_LOSSES = [
    pytest.param(lost, upgrade, id=f"{upgrade_name}-{loss}")
    for upgrade_name, upgrade in UPGRADES.items()
    for loss, lost in LOST_COUNTS.items()
    if (upgrade, lost) != (ADDED_AND_ANSWERED, 1)
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize(("lost", "upgrade"), COUNTED_LOSSES)
def test_a_loss_fails_with_the_next_corpus_if_the_baseline_only_counts(product, op, lost, upgrade):
    assert product(op, lost, upgrade).in_form(listed=False).code == Exit.FAILED


@pytest.mark.parametrize("op", OPERATIONS)
def test_a_new_answer_hides_one_loss_from_a_baseline_that_only_counts(product, op):
    assert product(op, 1, ADDED_AND_ANSWERED).in_form(listed=False).code == Exit.PASSED


@EACH_UPGRADE
@pytest.mark.parametrize("lost", [0, *LOST_COUNTS.values()], ids=["none", *LOST_COUNTS])
def test_each_lost_answer_is_named(product, lost, upgrade):
    """A vector that the corpus has removed cannot be asked, so its answer is not lost."""
    release = product("parse", lost, upgrade)
    lost_ids = [product_id("parse", number) for number in range(lost)]
    expected = [("lost", name) for name in lost_ids if name in release.results.vectors]
    losses = findings(release.baseline, release.results, "lib", corpus_ids=release.known)
    assert [(finding.kind, finding.id) for finding in losses] == expected


@pytest.mark.parametrize("form", ["urlbaseline-1", "urlbaseline-2"])
def test_tombstones_from_before_the_baseline_excuse_nothing(product, form):
    """However many there are: the corpus still has a vector for each answer that the baseline counts."""
    release = product("base", SIZE, ADDED)
    release.known.removed = frozenset(f"{SPEC}-3.3-gone-{number}" for number in range(1000))
    old = structs.replace(release.baseline, schema=form, complete={})
    assert release._replace(baseline=old).code == Exit.FAILED


def test_the_results_of_a_part_of_an_rfc_show_lost_answers(product):
    """A baseline that lists its answers needs no counts, which hold for the whole RFC."""
    release = product("parse", 1, ADDED_AND_ANSWERED)
    vectors = {name: vector for name, vector in release.results.vectors.items() if "-parse-" in name}
    answers = {name: answer for name, answer in release.results.of("lib").items() if name in vectors}
    part = structs.replace(release.results, vectors=vectors, results={"lib": answers})
    losses = findings(release.baseline, part, "lib", corpus_ids=release.known)
    assert [(finding.kind, finding.id) for finding in losses] == [("lost", f"{SPEC}-3.3-parse-0")]


@pytest.fixture
def update_without_loss(product):
    """Return a function that gives the release of an upgrade that loses nothing, and its updated baseline."""

    def make(upgrade, *, listed, only_shrink):
        release = product("resolve", 0, upgrade)
        updated = update(
            release.in_form(listed=listed).baseline,
            release.results,
            PRODUCT_LIB,
            corpus_ids=release.known,
            only_shrink=only_shrink,
        ).baseline
        return release, updated

    return make


@pytest.mark.parametrize("only_shrink", [False, True], ids=["update", "only-shrink"])
@LISTED_OR_COUNTED
@EACH_UPGRADE
def test_an_update_without_a_loss_passes_with_the_next_corpus(
    update_without_loss, upgrade, listed, only_shrink
):
    release, updated = update_without_loss(upgrade, listed=listed, only_shrink=only_shrink)
    assert release._replace(baseline=updated).code == Exit.PASSED


@pytest.mark.parametrize("only_shrink", [False, True], ids=["update", "only-shrink"])
@LISTED_OR_COUNTED
@EACH_UPGRADE
def test_an_update_without_a_loss_has_the_next_corpus(update_without_loss, upgrade, listed, only_shrink):
    release, updated = update_without_loss(upgrade, listed=listed, only_shrink=only_shrink)
    assert updated.corpus == release.results.header.corpus


@pytest.mark.parametrize("only_shrink", [False, True], ids=["update", "only-shrink"])
@LISTED_OR_COUNTED
@EACH_UPGRADE
def test_an_update_lists_and_counts_each_complete_answer(update_without_loss, upgrade, listed, only_shrink):
    release, updated = update_without_loss(upgrade, listed=listed, only_shrink=only_shrink)
    answers = release.results.of("lib")
    right_ids = [name for name, answer in answers.items() if answer.outcome is Outcome.PASS]
    listed_ids = []
    counts = {}
    for op, ids in updated.complete[SPEC].items():
        listed_ids += ids
        counts[op] = len(ids)
    assert sorted(listed_ids) == sorted(right_ids)
    assert updated.answered == {SPEC: counts}


@EACH_UPGRADE
def test_only_shrink_does_not_accept_a_loss(product, upgrade):
    release = product("decode", 3, upgrade)
    shrunk = update(
        release.baseline, release.results, PRODUCT_LIB, corpus_ids=release.known, only_shrink=True
    )
    assert len(shrunk.unapplied) == 3
    assert release._replace(baseline=shrunk.baseline).code == Exit.FAILED


def test_only_shrink_locks_no_answer_that_may_be_new(product):
    """The baseline only counts: of two vectors without an answer, it does not know which one is new."""
    release = product("decode", 1, ADDED)
    old = structs.replace(release.baseline, complete={})
    shrunk = update(old, release.results, PRODUCT_LIB, corpus_ids=release.known, only_shrink=True)
    assert len(shrunk.unapplied) == 2
    assert shrunk.baseline.complete == {}
    assert shrunk.baseline.corpus == old.corpus


@EACH_UPGRADE
def test_an_update_accepts_a_loss(product, upgrade):
    release = product("decode", 3, upgrade)
    updated = update(release.baseline, release.results, PRODUCT_LIB, corpus_ids=release.known).baseline
    assert release._replace(baseline=updated).code == Exit.PASSED


@EACH_UPGRADE
def test_a_baseline_with_an_accepted_loss_can_be_read_again(product, upgrade):
    release = product("decode", 3, upgrade)
    updated = update(release.baseline, release.results, PRODUCT_LIB, corpus_ids=release.known).baseline
    assert parse_baseline(canonical_text(updated).encode(), "b.json") == updated
