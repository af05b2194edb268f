"""The gate: from outcomes to the exit code and the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import faulty_libraries
import msgspec
import pytest

from urlharness import run
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.gate import (
    PRECEDENCE,
    Judgement,
    decide,
    exit_code,
    failure_test,
    judged_specs,
    unclaimed_note,
)
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import Update, update
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome

PERMITTED = {
    "binding": "permitted-set",
    "expect": {"any": [{"valid": True}, {"valid": False, "variant": "x"}]},
}


LIB = Participant("lib", "ran", specs=("rfc3986",))


REFERENCE = Participant("reference", "ran")


MISSING = Participant("gone", "not installed", message="no runtime")


DEAD = Participant("dead", "dead", message="no hello")


def outcomes_of(counts):
    """Return counts by outcome for counts by the names of outcomes."""
    return {Outcome(name): count for name, count in counts.items()}


@pytest.fixture
def judge_run(make_case, record):
    """Return a function that judges a run, and returns the code of the gate and its reasons.

    The run has two required cases, one of another RFC, and a permitted one.
    """

    def judge(participants, outcomes, named, specs=(), policy=PLAIN):
        cases = {
            "required": make_case("rfc3986-3.3-x"),
            "also": make_case("rfc3986-3.3-y"),
            "other": make_case("rfc1738-3.1-x", rule="url"),
            "permitted": make_case("rfc3986-3.4-x", **PERMITTED),
        }
        answers = []
        for adapter, outcome_by_kind in outcomes.items():
            for kind, outcome in outcome_by_kind.items():
                answers.append(Result(cases[kind].vector.id, adapter, Outcome(outcome)))
        results = record(list(cases.values()), *participants, *answers)
        decision = decide(results, named, specs, policy=policy)
        assert decision.reasons or decision.code == Exit.PASSED
        return decision.code, " | ".join(decision.reasons)

    return judge


#: The outcome of a required vector, and what the gate makes of it.
PLAIN_CODES = {
    "pass": Exit.PASSED,
    "variant": Exit.PASSED,
    "unsupported": Exit.PASSED,
    "partial": Exit.PASSED,
    "fail": Exit.FAILED,
    "error": Exit.FAILED,
    "timeout": Exit.FAILED,
    "crash": Exit.FAILED,
    "garbage": Exit.FAILED,
    "no-answer": Exit.FAILED,
    "aborted": Exit.ADAPTER_DEAD,
}
#: The same with a strict policy.
STRICT_CODES = PLAIN_CODES | {"partial": Exit.FAILED}


def test_each_outcome_has_an_exit_code():
    assert PLAIN_CODES.keys() == set(Outcome)


@pytest.mark.parametrize("outcome", PLAIN_CODES)
def test_an_outcome_of_a_required_vector_has_its_exit_code(judge_run, outcome):
    """It is judged beside another vector that is answered: otherwise nothing would be judged."""
    code, _ = judge_run([LIB], {"lib": {"required": outcome, "also": "pass"}}, ["lib"])
    assert code == PLAIN_CODES[outcome]


@pytest.mark.parametrize("outcome", STRICT_CODES)
def test_an_outcome_of_a_required_vector_has_its_strict_exit_code(judge_run, outcome):
    outcomes = {"lib": {"required": outcome, "also": "pass"}}
    code, _ = judge_run([LIB], outcomes, ["lib"], policy=Policy(strict=True))
    assert code == STRICT_CODES[outcome]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.failing])
def test_a_failure_on_a_permitted_vector_passes_the_gate(judge_run, outcome):
    code, reasons = judge_run([LIB], {"lib": {"permitted": outcome, "required": "pass"}}, ["lib"])
    assert reasons == ""
    assert code == Exit.PASSED


class JudgedRun(NamedTuple):
    """The adapters of a run, their outcomes by kind of case, and the adapters and RFCs that are named."""

    participants: Sequence[Participant]
    outcomes: Mapping[str, Mapping[str, str]]
    named: Sequence[str]
    specs: Sequence[str] = ()


#: A run, the code of the gate, and words of its reasons.
WITH_REASONS = [
    pytest.param(
        JudgedRun(
            participants=[LIB],
            outcomes={"lib": {"other": "pass", "required": "pass", "permitted": "unsupported"}},
            named=["lib"],
        ),
        Exit.PASSED,
        "lib: passed; 1 of 2 vectors of rfc3986 answered",
        id="not-every-vector",
    ),
    pytest.param(
        JudgedRun(
            participants=[Participant("lib", "ran")],
            outcomes={"lib": {"other": "partial", "required": "fail", "permitted": "pass"}},
            named=["lib"],
            specs=("rfc3986",),
        ),
        Exit.FAILED,
        "lib: gate failed on required vectors of rfc3986: 1 fail",
        id="a-failure-says-enough",
    ),
    pytest.param(
        JudgedRun(
            participants=[Participant("lib", "ran")],
            outcomes={"lib": {"other": "partial", "required": "pass", "permitted": "pass"}},
            named=["lib"],
        ),
        Exit.PASSED,
        "lib: passed; 2 of 3 vectors answered",
        id="not-in-full",
    ),
    pytest.param(
        JudgedRun(
            participants=[LIB],
            outcomes={"lib": {"other": "unsupported", "required": "pass", "permitted": "pass"}},
            named=["lib"],
            specs=("rfc1738", "rfc3986"),
        ),
        Exit.NOTHING_RAN,
        "lib: it answered no vector of rfc1738 that was selected",
        id="nothing-of-one-that-was-named",
    ),
    pytest.param(
        JudgedRun(
            participants=[Participant("lib", "ran", specs=("rfc1738", "rfc3986"))],
            outcomes={"lib": {"other": "unsupported", "required": "pass", "permitted": "pass"}},
            named=["lib"],
        ),
        Exit.PASSED,
        "lib: passed; 2 of 3 vectors of rfc1738, rfc3986 answered",
        id="nothing-of-one-that-is-claimed",
    ),
    pytest.param(
        JudgedRun(
            participants=[LIB],
            outcomes={"lib": {"other": "unsupported", "required": "fail", "permitted": "pass"}},
            named=["lib"],
            specs=("rfc1738", "rfc3986"),
        ),
        Exit.FAILED,
        "lib: gate failed on",
        id="nothing-of-one-and-a-failure-of-another",
    ),
    pytest.param(
        JudgedRun(participants=[LIB], outcomes={"lib": {"other": "fail"}}, named=["lib"]),
        Exit.NOTHING_RAN,
        "lib: nothing was judged: it answered no vector of rfc3986 that was selected",
        id="only-an-rfc-that-is-not-claimed",
    ),
    pytest.param(
        JudgedRun(
            participants=[Participant("lib", "ran", specs=("RFC 3986",))],
            outcomes={"lib": {"required": "pass"}},
            named=["lib"],
        ),
        Exit.NOTHING_RAN,
        "lib: nothing was judged: its hello claims 'RFC 3986'; it can claim rfc1738, ",
        id="claims-what-nobody-knows",
    ),
    pytest.param(
        JudgedRun(
            participants=[LIB],
            outcomes={"lib": {"required": "unsupported", "permitted": "unsupported"}},
            named=["lib"],
        ),
        Exit.NOTHING_RAN,
        "nothing was judged",
        id="unsupported-throughout",
    ),
    pytest.param(
        JudgedRun(
            participants=[Participant("lib", "ran")],
            outcomes={"lib": {"required": "unsupported"}},
            named=["lib"],
        ),
        Exit.NOTHING_RAN,
        "it answered no vector that was selected",
        id="unsupported-and-claims-none",
    ),
    pytest.param(
        JudgedRun(
            participants=[REFERENCE, LIB],
            outcomes={"reference": {"required": "pass"}, "lib": {"required": "unsupported"}},
            named=["reference", "lib"],
        ),
        Exit.NOTHING_RAN,
        "lib: nothing was judged",
        id="unsupported-beside-one-that-passes",
    ),
    pytest.param(
        JudgedRun(participants=[LIB], outcomes={"lib": {"other": "fail"}}, named=["lib"], specs=("rfc1738",)),
        Exit.FAILED,
        "of rfc1738: 1 fail",
        id="an-rfc-that-is-not-claimed-but-named",
    ),
    pytest.param(
        JudgedRun(
            participants=[Participant("lib", "ran")], outcomes={"lib": {"other": "fail"}}, named=["lib"]
        ),
        Exit.FAILED,
        "lib: gate failed on required vectors: 1 fail",
        id="claims-none-is-judged-by-all",
    ),
    pytest.param(
        JudgedRun(participants=[LIB], outcomes={"lib": {"required": "crash"}}, named=["lib"]),
        Exit.FAILED,
        "lib: gate failed on required vectors of rfc3986: 1 crash",
        id="a-crash",
    ),
    pytest.param(
        JudgedRun(participants=[REFERENCE, LIB], outcomes={"reference": {"required": "fail"}}, named=[]),
        Exit.FAILED,
        "reference: ",
        id="survey-with-a-wrong-reference",
    ),
    pytest.param(
        JudgedRun(participants=[DEAD], outcomes={}, named=["dead"]),
        Exit.ADAPTER_DEAD,
        "dead: could not start: no hello",
        id="dead",
    ),
    pytest.param(
        JudgedRun(participants=[MISSING], outcomes={}, named=["gone"]),
        Exit.NOTHING_RAN,
        "gone: not installed: no runtime",
        id="missing",
    ),
    pytest.param(
        JudgedRun(participants=[MISSING, LIB], outcomes={"lib": {"required": "pass"}}, named=["gone", "lib"]),
        Exit.PASSED,
        "gone: not",
        id="a-missing-one-beside-one-that-passes",
    ),
    pytest.param(
        JudgedRun(participants=[MISSING, LIB], outcomes={"lib": {"required": "fail"}}, named=["gone", "lib"]),
        Exit.FAILED,
        "lib: gate",
        id="a-missing-one-beside-one-that-fails",
    ),
    pytest.param(
        JudgedRun(participants=[DEAD, LIB], outcomes={"lib": {"required": "fail"}}, named=["dead", "lib"]),
        Exit.ADAPTER_DEAD,
        "lib: gate",
        id="a-dead-one-beside-one-that-fails",
    ),
]

#: A run that passes the gate, of which there is nothing to say.
WITHOUT_REASONS = {
    "an-rfc-it-does-not-claim": JudgedRun(
        participants=[LIB], outcomes={"lib": {"other": "fail", "required": "pass"}}, named=["lib"]
    ),
    "names-an-rfc-that-was-not-asked": JudgedRun(
        participants=[LIB],
        outcomes={"lib": {"other": "pass", "required": "pass", "permitted": "pass"}},
        named=["lib"],
        specs=("rfc1738", "rfc1808", "rfc3986"),
    ),
    "claims-one-rfc-that-is-known": JudgedRun(
        participants=[Participant("lib", "ran", specs=("RFC 1738", "rfc3986"))],
        outcomes={"lib": {"required": "pass"}},
        named=["lib"],
    ),
    "survey-of-what-nobody-offers": JudgedRun(
        participants=[REFERENCE, LIB],
        outcomes={"reference": {"required": "unsupported"}, "lib": {"required": "unsupported"}},
        named=[],
    ),
    "survey": JudgedRun(participants=[REFERENCE, LIB], outcomes={"lib": {"required": "fail"}}, named=[]),
    "survey-with-a-dead-one": JudgedRun(participants=[REFERENCE, DEAD, MISSING], outcomes={}, named=[]),
}


@pytest.mark.parametrize(("row", "code", "words"), WITH_REASONS)
def test_the_gate_has_the_code_of_its_worst_participant_and_says_why(judge_run, row, code, words):
    actual_code, reasons = judge_run(*row)
    assert words in reasons
    assert actual_code == code


@pytest.mark.parametrize("row", WITHOUT_REASONS.values(), ids=WITHOUT_REASONS)
def test_the_gate_passes_without_a_word_if_there_is_nothing_to_say(judge_run, row):
    code, reasons = judge_run(*row)
    assert reasons == ""
    assert code == Exit.PASSED


#: The levels that can fail; the code, and words of the reason.
LEVELS = [
    pytest.param({"must"}, Exit.FAILED, "1 fail", id="level-of-the-vector"),
    pytest.param(
        {"note"}, Exit.NOTHING_RAN, "lib: nothing was judged: no vector of level note", id="another-level"
    ),
    pytest.param(
        {"note", "may"},
        Exit.NOTHING_RAN,
        "no vector of level may or note was selected",
        id="two-other-levels",
    ),
    pytest.param({"note", "must"}, Exit.FAILED, "1 fail", id="level-of-the-vector-and-another"),
]


@pytest.mark.parametrize(("levels", "code", "words"), LEVELS)
def test_only_vectors_of_a_level_that_can_fail_are_judged(judge_run, levels, code, words):
    policy = Policy(frozenset(levels))
    actual_code, reasons = judge_run([LIB], {"lib": {"required": "fail"}}, ["lib"], policy=policy)
    assert words in reasons
    assert actual_code == code


@pytest.mark.parametrize(
    ("level", "code"),
    [("grammar", Exit.FAILED), ("algorithm", Exit.NOTHING_RAN)],
    ids=["their-level", "another-level"],
)
def test_generated_cases_fail_only_a_policy_of_their_level(make_case, record, level, code):
    counts = outcomes_of({"pass": 1, "fail": 1})
    tally = Tally("lib", "k1-rfc3986-URI", "k1", "rfc3986", counts, counts, {}, "URI")
    results = msgspec.structs.replace(record([make_case("rfc3986-3.3-x")], LIB), tallies=(tally,))
    assert decide(results, ["lib"], policy=Policy(frozenset([level]))).code == code


def test_the_reason_of_a_pass_counts_generated_cases_with_the_vectors(make_case, record):
    counts = outcomes_of({"pass": 1, "unsupported": 2000})
    tally = Tally("lib", "k1-rfc3986-URI", "k1", "rfc3986", counts, {}, {}, "URI")
    results = record([make_case("rfc3986-3.3-x")], LIB, Result("rfc3986-3.3-x", "lib", Outcome.PASS), tally)
    decision = decide(results, ["lib"])
    assert decision.code == Exit.PASSED
    assert decision.reasons == ["lib: passed; 2 of 2,002 cases of rfc3986 answered"]


def listing(*specs, **answered) -> Baseline:
    """Return a baseline of these RFCs without entries, with numbers of answers by RFC and operation."""
    return Baseline("urlbaseline-1", "0123456789ab", "lib", specs, (), answered)


#: The RFCs that are named and those that the hello claims; the baseline; the RFCs that are judged.
JUDGED = [
    pytest.param((), (), None, set(), id="nobody-says"),
    pytest.param((), ("rfc3986",), None, {"rfc3986"}, id="claimed"),
    pytest.param((), ("rfc3986",), listing("rfc1808", "rfc3986"), {"rfc1808", "rfc3986"}, id="claimed-less"),
    pytest.param((), ("rfc1808", "rfc3986"), listing("rfc3986"), {"rfc1808", "rfc3986"}, id="claimed-more"),
    pytest.param((), (), listing("rfc3986"), set(), id="claims-none"),
    pytest.param(("rfc2396",), ("rfc3986",), listing("rfc1808"), {"rfc2396"}, id="named"),
]


@pytest.mark.parametrize(("specs", "claimed", "baseline", "judged"), JUDGED)
def test_the_rfcs_asked_for_or_claimed_are_judged(specs, claimed, baseline, judged):
    assert judged_specs(specs, claimed, baseline) == judged


#: The baseline of two RFCs, of one of which it counts an answer.
OF_TWO_RFCS = {"lib": listing("rfc1808", "rfc3986", rfc1808={"validate": 1})}

#: The RFCs that the adapter claims today.
CLAIMS = pytest.mark.parametrize(
    "claimed",
    [(), ("rfc3986",), ("rfc1808", "rfc3986")],
    ids=["claims-nothing", "claims-one-less", "claims-the-same"],
)


#: The RFCs that the user names, those that an adapter claims, and what is said if it is asked about none.
UNCLAIMED = {
    "asked-without-a-claim": (["rfc1738"], [], ""),
    "claimed": (["rfc9999"], ["rfc9999"], ""),
    "one-of-two": (["rfc1738", "rfc9999"], [], ""),
    "no-name": ([], [], ""),
    "not-claimed": (
        ["rfc9999"],
        ["rfc3986"],
        "it does not claim RFC 9999, and only adapters that do are asked",
    ),
}


@pytest.mark.parametrize(("specs", "claimed", "note"), UNCLAIMED.values(), ids=UNCLAIMED)
def test_only_an_adapter_that_is_not_asked_because_of_its_claims_is_told_so(specs, claimed, note):
    assert unclaimed_note(specs, claimed) == note


@CLAIMS
@pytest.mark.parametrize(
    ("outcome", "kind"),
    [("fail", "regression"), ("unsupported", "coverage")],
    ids=["wrong", "not-answered"],
)
def test_an_adapter_is_judged_by_the_rfcs_of_its_baseline(make_case, record, claimed, outcome, kind):
    """An RFC that it claimed when the baseline was made is judged even if it is no longer claimed."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc1808-2-x")]
    answers = [Result("rfc3986-3.3-x", "lib", Outcome.PASS), Result("rfc1808-2-x", "lib", Outcome(outcome))]
    results = record(cases, Participant("lib", "ran", specs=claimed), *answers)
    ids = [case.vector.id for case in cases]
    (judgement,) = decide(results, ["lib"], baselines=OF_TWO_RFCS, corpus_ids=ids).judgements
    assert [group.label for group in judgement.groups] == [kind]
    assert judgement.code == Exit.FAILED


#: The part of a case that is not generated.
NO_PART = ""


@CLAIMS
@pytest.mark.parametrize(
    ("outcome", "is_failure"), [("fail", True), ("unsupported", False)], ids=["wrong", "not-answered"]
)
def test_a_wrong_answer_to_an_rfc_of_the_baseline_counts_as_a_failure(
    make_case, claimed, outcome, is_failure
):
    """The option --maxfail counts it."""
    counts_as_failure = failure_test(["lib"], (), Policy(), OF_TWO_RFCS)
    participant = Participant("lib", "ran", specs=claimed)
    case = make_case("rfc1808-2-x")
    answer = Result(case.vector.id, "lib", Outcome(outcome))
    assert counts_as_failure(participant, case, answer, NO_PART) is is_failure


@pytest.mark.parametrize(
    ("specs", "code"),
    [((), Exit.STALE), (("rfc1808", "rfc3986"), Exit.NOTHING_RAN)],
    ids=["not-named", "named"],
)
def test_a_stale_entry_does_not_hide_that_a_named_rfc_was_not_answered(make_case, record, specs, code):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc1808-2-x")]
    answers = [
        Result("rfc3986-3.3-x", "lib", Outcome.PASS),
        Result("rfc1808-2-x", "lib", Outcome.UNSUPPORTED),
    ]
    entry = Entry("rfc3986-3.3-x", "fail", {}, "0" * 12)
    listed = msgspec.structs.replace(listing("rfc1808", "rfc3986"), entries=(entry,))
    results = record(cases, LIB, *answers)
    (judgement,) = decide(results, ["lib"], specs, baselines={"lib": listed}).judgements
    assert judgement.code == code
    assert "the baseline has 1 stale entry" in judgement.reason


def test_each_code_of_the_gate_has_a_precedence():
    assert sorted(PRECEDENCE) == sorted({*Exit} - {Exit.USAGE, Exit.INTERRUPTED})


#: Pairs of codes of which the first has precedence.
CODE_PAIRS = list(combinations_with_replacement(PRECEDENCE, 2))


@pytest.mark.parametrize(("worse", "better"), CODE_PAIRS)
def test_of_two_adapters_the_code_with_precedence_applies(worse, better):
    assert exit_code([Judgement("a", worse), Judgement("b", better)]) == worse


@pytest.mark.parametrize(("worse", "better"), CODE_PAIRS)
def test_the_order_of_two_adapters_does_not_change_the_code(worse, better):
    assert exit_code([Judgement("a", better), Judgement("b", worse)]) == worse


@pytest.mark.parametrize("code", PRECEDENCE)
def test_a_missing_adapter_that_is_required_counts_as_dead(code):
    missing = Judgement("gone", Exit.ADAPTER_DEAD, installed=False)
    assert exit_code([missing, Judgement("lib", code)]) == Exit.ADAPTER_DEAD


NOT_INSTALLED = Judgement("gone", Exit.NOTHING_RAN, installed=False)


@pytest.mark.parametrize("code", PRECEDENCE)
def test_an_adapter_that_ran_gives_the_code_beside_a_missing_one(code):
    assert exit_code([NOT_INSTALLED, Judgement("lib", code)]) == code


def test_if_all_adapters_are_missing_nothing_ran():
    assert exit_code([NOT_INSTALLED, NOT_INSTALLED]) == Exit.NOTHING_RAN


def test_the_gate_passes_if_no_adapter_is_judged():
    assert exit_code([]) == Exit.PASSED


@pytest.fixture
def decision_on_part(make_case, record):
    """Return a function that judges a generated part by the digest of its cases and the pinned one."""

    def decide_on(pinned_digest, digest):
        results = record([make_case("rfc3986-3.3-x")], LIB, Result("rfc3986-3.3-x", "lib", Outcome.PASS))
        counts = outcomes_of({"pass": 5})
        rates = {"coverage": (5, 5)}
        tally = Tally("lib", "k1-rfc3986-URI", "k1", "rfc3986", counts, counts, rates, "URI", digest)
        header = msgspec.structs.replace(results.header, tiers={"k1-rfc3986-URI": pinned_digest})
        return decide(msgspec.structs.replace(results, header=header, tallies=(tally,)), ["lib"])

    return decide_on


def test_generated_cases_other_than_the_pinned_ones_are_invalid(decision_on_part):
    """Nothing is judged, as with `generate --check`."""
    decision = decision_on_part("0" * 64, "1" * 64)
    assert "k1-rfc3986-URI are not the pinned ones" in " ".join(decision.reasons)
    assert decision.code == Exit.INVALID_FILE


@pytest.mark.parametrize(
    ("pinned_digest", "digest"),
    [
        pytest.param("0" * 64, "0" * 64, id="the-pinned-cases"),
        pytest.param("0" * 64, "", id="some-of-them"),
        pytest.param("", "1" * 64, id="nothing-pinned"),
    ],
)
def test_generated_cases_are_judged_if_the_pinned_ones_do_not_differ(decision_on_part, pinned_digest, digest):
    decision = decision_on_part(pinned_digest, digest)
    assert "pinned" not in " ".join(decision.reasons)
    assert decision.code == Exit.PASSED


def test_a_run_without_a_complete_answer_is_not_judged(judge_run):
    code, reasons = judge_run([LIB], {"lib": {"required": "partial"}}, ["lib"])
    assert code == Exit.NOTHING_RAN
    assert reasons == "lib: nothing passed: no answer is complete"


def test_a_run_without_a_complete_answer_fails_strictly(judge_run):
    code, _ = judge_run([LIB], {"lib": {"required": "partial"}}, ["lib"], policy=Policy(strict=True))
    assert code == Exit.FAILED


def test_the_reason_of_a_pass_counts_partial_answers(judge_run):
    code, reasons = judge_run([LIB], {"lib": {"required": "partial", "also": "pass"}}, ["lib"])
    assert code == Exit.PASSED
    assert reasons == "lib: passed; 1 of 2 vectors of rfc3986 answered, 1 more in part"


def test_a_partial_answer_beside_a_complete_one_fails_strictly(judge_run):
    outcomes = {"lib": {"required": "partial", "also": "pass"}}
    code, _ = judge_run([LIB], outcomes, ["lib"], policy=Policy(strict=True))
    assert code == Exit.FAILED


def test_a_run_without_any_answer_is_not_judged_by_a_strict_policy(judge_run):
    code, _ = judge_run([LIB], {"lib": {"required": "unsupported"}}, ["lib"], policy=Policy(strict=True))
    assert code == Exit.NOTHING_RAN


# ---- nothing that can fail

VALIDATING = Participant("lib", "ran", ops=("validate",), specs=("rfc3986",))


BOUND = "rfc3986-3.3-bound"
OPEN = "rfc3986-3.3-open"


EITHER = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}


ANSWERED_NONE = "lib: nothing was judged: it answered no vector of rfc3986"


NOTHING_BINDS = "lib: nothing was judged: the RFC leaves the answer to every selected vector open"


@pytest.fixture
def run_of(make_case, record):
    """Return a function that runs a required vector and an open one; with None, a vector is not asked."""

    def ask(bound, unbound, *tallies, level="grammar"):
        cases = []
        results = []
        if bound:
            cases.append(make_case(BOUND))
            results.append(Result(BOUND, "lib", Outcome(bound)))
        if unbound:
            cases.append(make_case(OPEN, binding="unspecified", level=level, expect=EITHER))
            results.append(Result(OPEN, "lib", Outcome(unbound), variant="other"))
        return record(cases, VALIDATING, *results, *tallies)

    return ask


#: Outcomes of the required vector and of the open one; the policy; the code and the reason.
OPEN_ANSWERS = [
    pytest.param(
        "unsupported",
        "variant",
        Policy(),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that can fail",
        id="only-the-open-one-answered",
    ),
    pytest.param(
        "unsupported",
        "crash",
        Policy(),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that can fail",
        id="only-the-open-one-asked-and-crashed",
    ),
    pytest.param(
        "unsupported",
        "unsupported",
        Policy(),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that was selected",
        id="neither-answered",
    ),
    pytest.param(None, "variant", Policy(), Exit.NOTHING_RAN, NOTHING_BINDS, id="nothing-binds"),
    pytest.param(
        None,
        "unsupported",
        Policy(),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that was selected",
        id="nothing-binds-and-nothing-answered",
    ),
    pytest.param(
        "partial", "variant", Policy(), Exit.NOTHING_RAN, "no answer is complete", id="answered-in-part"
    ),
    pytest.param(
        "unsupported",
        "variant",
        Policy(actions={"unspecified": "listed"}),
        Exit.FAILED,
        "1 variant",
        id="a-policy-judges-the-open-one",
    ),
    pytest.param(
        "unsupported",
        "variant",
        Policy(actions={"permitted-set": "listed"}),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that can fail",
        id="a-policy-judges-another-binding",
    ),
    pytest.param(
        "unsupported", "pass", Policy(pins={OPEN: "x"}), Exit.FAILED, "1 pass", id="pinned-to-another-answer"
    ),
    pytest.param(
        "unsupported",
        "pass",
        Policy(pins={OPEN: "y"}),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that can fail",
        id="pinned-to-an-answer-that-is-not-listed",
    ),
    pytest.param(
        "unsupported",
        "pass",
        Policy(pins={"R-3986-99": "x"}),
        Exit.NOTHING_RAN,
        f"{ANSWERED_NONE} that can fail",
        id="a-pin-of-another-ruling",
    ),
]


@pytest.mark.parametrize(("bound", "unbound", "policy", "code", "reason"), OPEN_ANSWERS)
def test_the_gate_needs_an_answer_that_can_fail(run_of, bound, unbound, policy, code, reason):
    (judgement,) = decide(run_of(bound, unbound), ["lib"], policy=policy).judgements
    assert reason in judgement.sentence
    assert judgement.code == code


@pytest.mark.parametrize(
    ("bound", "unbound", "policy"),
    [
        pytest.param("pass", "variant", Policy(), id="the-required-one-passes"),
        pytest.param("unsupported", "pass", Policy(actions={"unspecified": "listed"}), id="a-policy-is-met"),
    ],
)
def test_the_gate_passes_with_one_answer_that_can_fail(run_of, bound, unbound, policy):
    (judgement,) = decide(run_of(bound, unbound), ["lib"], policy=policy).judgements
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize(
    ("levels", "code"),
    [({"grammar"}, Exit.NOTHING_RAN), ({"may", "grammar"}, Exit.PASSED)],
    ids=["of-another-level", "of-its-level"],
)
def test_an_answer_counts_only_for_a_policy_of_its_level(make_case, record, levels, code):
    """The only vector that is answered is of the level `may`."""
    cases = [make_case(BOUND), make_case(OPEN, level="may")]
    results = record(
        cases, VALIDATING, Result(BOUND, "lib", Outcome.UNSUPPORTED), Result(OPEN, "lib", Outcome.PASS)
    )
    (judgement,) = decide(results, ["lib"], policy=Policy(levels=frozenset(levels))).judgements
    assert judgement.code == code


def test_a_named_rfc_without_required_vectors_needs_no_answer(make_case, record):
    cases = [make_case(BOUND), make_case("rfc1808-2-open", binding="unspecified", expect=EITHER)]
    answers = [
        Result(BOUND, "lib", Outcome.PASS),
        Result("rfc1808-2-open", "lib", Outcome.UNSUPPORTED),
    ]
    results = record(cases, VALIDATING, *answers)
    (judgement,) = decide(results, ["lib"], ["rfc1808", "rfc3986"]).judgements
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize(
    ("required", "code"),
    [({"pass": 1}, Exit.PASSED), ({}, Exit.NOTHING_RAN)],
    ids=["required-cases", "open-cases-only"],
)
def test_the_gate_needs_an_answer_to_a_generated_case_that_can_fail(run_of, required, code):
    counts = outcomes_of({"pass": 2})
    part = "complete-rfc3986-URI"
    tally = Tally("lib", part, "complete", "rfc3986", counts, outcomes_of(required), {})
    (judgement,) = decide(run_of("unsupported", None, tally), ["lib"]).judgements
    assert judgement.code == code


def test_a_survey_without_the_reference_judges_no_adapter(run_of):
    assert decide(run_of(None, "variant"), []).judgements == []


def test_an_adapter_that_shows_no_component_has_not_passed():
    """For two vectors of the corpus, an answer without components is complete."""

    def answer_without_components(question):
        if question["op"] == "parse":
            return {"status": "ok", "components": {}}
        return {"status": "ok"}

    answer_without_components.hello = {"ops": ["parse"], "specs": ["rfc3986"]}
    gate = run(answer_without_components, spec="rfc3986").gate()
    assert gate.code is Exit.NOTHING_RAN
    assert "nothing was judged: it answered no vector of rfc3986 that can fail" in gate.reasons[0]


# ---- planted faults

#: The rows are many; the others are for `tox -e long`.
an_eighth_of_the_rows = pytest.mark.sampled(8)


@pytest.fixture(scope="module")
def run_without_fault(tmp_path_factory):
    """Return a function that runs the library of a row without a fault, and makes its baseline."""
    runs = {}

    def run(row):
        library = (row.library, row.spec, row.op)
        if library not in runs:
            results = faulty_libraries.results_of(tmp_path_factory.mktemp("before"), row, fault=False)
            runs[library] = (results, faulty_libraries.listing_of(results, row))
        return runs[library]

    return run


class PlantedFault(NamedTuple):
    """The results of a library without and with a fault, and its baseline from before the fault."""

    row: faulty_libraries.Row
    before: Results
    baseline: Baseline
    now: Results

    def gate(self) -> Judgement:
        """Judge the library with the fault by the baseline from before."""
        return faulty_libraries.gate(self.now, self.baseline, self.row)

    def update(self, *, only_shrink: bool = False) -> Update:
        """Update the baseline by the library with the fault."""
        corpus_ids = faulty_libraries.known_of(self.row)
        return update(
            self.baseline, self.now, self.now.participants[0], corpus_ids=corpus_ids, only_shrink=only_shrink
        )


def id_of_row(row: faulty_libraries.Row) -> str:
    """Return the fields as one word; libraries without the feature absent-vs-empty end with `-flat`."""
    return "-".join(filter(None, row)).replace("*", "-flat")


@pytest.fixture(scope="module", params=faulty_libraries.ROWS, ids=id_of_row)
def faulty_library(run_without_fault, tmp_path_factory, request) -> PlantedFault:
    """Plant the fault of a row."""
    row = request.param
    results, baseline = run_without_fault(row)
    now = faulty_libraries.results_of(tmp_path_factory.mktemp("now"), row, fault=True)
    return PlantedFault(row, results, baseline, now)


@an_eighth_of_the_rows
def test_a_library_without_the_fault_passes(faulty_library):
    judgement = faulty_libraries.gate(faulty_library.before, faulty_library.baseline, faulty_library.row)
    assert judgement.code == Exit.PASSED


@an_eighth_of_the_rows
def test_the_gate_fails_a_library_with_the_fault(faulty_library):
    judgement = faulty_library.gate()
    assert judgement.code == Exit.FAILED
    assert {finding.kind for finding in judgement.findings} == {"lost"}


@an_eighth_of_the_rows
def test_the_gate_names_only_answers_that_the_fault_changes(faulty_library):
    before = faulty_library.before.of("lib")
    now = faulty_library.now.of("lib")
    unchanged = [
        finding.id
        for finding in faulty_library.gate().findings
        if before[finding.id].got == now[finding.id].got
    ]
    assert unchanged == []


@an_eighth_of_the_rows
def test_only_shrink_does_not_accept_the_fault(faulty_library):
    shrunk = faulty_library.update(only_shrink=True)
    lost_ids = [finding.id for finding in faulty_library.gate().findings]
    assert [finding.id for finding in shrunk.unapplied] == lost_ids
    assert faulty_libraries.gate(faulty_library.now, shrunk.baseline, faulty_library.row).code == Exit.FAILED


@an_eighth_of_the_rows
def test_the_library_without_the_fault_still_passes_after_only_shrink(faulty_library):
    """The library `half` has answers that were not there before: they are locked now, so it fails."""
    shrunk = faulty_library.update(only_shrink=True)
    code = Exit.FAILED if faulty_library.row.library == "half" else Exit.PASSED
    assert faulty_libraries.gate(faulty_library.before, shrunk.baseline, faulty_library.row).code == code


@an_eighth_of_the_rows
def test_an_update_accepts_the_fault(faulty_library):
    accepted = faulty_library.update()
    assert accepted.unapplied == []
    assert len(accepted.lost) == len(faulty_library.gate().findings)
    judgement = faulty_libraries.gate(faulty_library.now, accepted.baseline, faulty_library.row)
    assert judgement.code == Exit.PASSED


#: Each library, RFC and operation of the rows, without a fault.
LIBRARIES = sorted({(row.library, row.spec, row.op) for row in faulty_libraries.ROWS})

LESS_ABLE_LIBRARIES = [
    (library, spec, op) for library, spec, op in LIBRARIES if not library.startswith("whole")
]


class Enriched(NamedTuple):
    """The results of a library, its baseline, and the results of one that answers and shows all."""

    row: faulty_libraries.Row
    results: Results
    baseline: Baseline
    richer: Results

    def update(self, *, only_shrink: bool) -> Update:
        """Update the baseline by the richer library."""
        corpus_ids = faulty_libraries.known_of(self.row)
        lib = self.richer.participants[0]
        return update(self.baseline, self.richer, lib, corpus_ids=corpus_ids, only_shrink=only_shrink)


@pytest.fixture
def enriched_release(run_without_fault, tmp_path):
    """Return a function that runs a library and the whole library that has its features."""

    def make(library, spec, op) -> Enriched:
        row = faulty_libraries.Row("", library, spec, op)
        whole = "whole*" if library.endswith("*") else "whole"
        richer = faulty_libraries.results_of(tmp_path, row._replace(library=whole), fault=False)
        return Enriched(row, *run_without_fault(row), richer)

    return make


@an_eighth_of_the_rows
@pytest.mark.parametrize(("library", "spec", "op"), LIBRARIES)
def test_more_answers_and_components_pass(enriched_release, library, spec, op):
    release = enriched_release(library, spec, op)
    assert faulty_libraries.gate(release.richer, release.baseline, release.row).code == Exit.PASSED


@an_eighth_of_the_rows
@pytest.mark.parametrize("only_shrink", [True, False], ids=["only-shrink", "update"])
@pytest.mark.parametrize(("library", "spec", "op"), LIBRARIES)
def test_more_answers_and_components_pass_after_an_update(enriched_release, library, spec, op, only_shrink):
    release = enriched_release(library, spec, op)
    updated = release.update(only_shrink=only_shrink)
    assert updated.unapplied == []
    assert faulty_libraries.gate(release.richer, updated.baseline, release.row).code == Exit.PASSED


@an_eighth_of_the_rows
@pytest.mark.parametrize("only_shrink", [True, False], ids=["only-shrink", "update"])
@pytest.mark.parametrize(("library", "spec", "op"), LESS_ABLE_LIBRARIES)
def test_new_answers_and_components_cannot_be_lost_after_an_update(
    enriched_release, library, spec, op, only_shrink
):
    release = enriched_release(library, spec, op)
    updated = release.update(only_shrink=only_shrink)
    assert faulty_libraries.gate(release.results, updated.baseline, release.row).code == Exit.FAILED
