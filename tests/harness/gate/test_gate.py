"""The gate: from outcomes to the exit code and the reasons."""

from __future__ import annotations

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
)
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import update
from urlharness.results.model import Participant, Result, Tally
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
    return {Outcome(name): count for name, count in counts.items()}


def code_and_reasons(decision):
    return decision.code, decision.reasons


@pytest.fixture
def judged(make_case, record):
    """The gate over cases of each kind: required ones, one of another RFC, and a permitted one."""

    def run(participants, outcomes, named, specs=(), policy=PLAIN):
        cases = {
            "required": make_case("rfc3986-3.3-x"),
            "also": make_case("rfc3986-3.3-y"),
            "other": make_case("rfc1738-3.1-x", rule="url"),
            "permitted": make_case("rfc3986-3.4-x", **PERMITTED),
        }
        answers = [
            Result(cases[kind].vector.id, name, Outcome(outcome))
            for name, of in outcomes.items()
            for kind, outcome in of.items()
        ]
        results = record(list(cases.values()), *participants, *answers)
        code, reasons = code_and_reasons(decide(results, named, specs, policy=policy))
        assert reasons or code == Exit.PASSED
        return code, " | ".join(reasons)

    return run


#: The outcome of a required vector, and what the gate makes of it, plainly and strictly.
OUTCOMES = [
    ("pass", Exit.PASSED, Exit.PASSED),
    ("variant", Exit.PASSED, Exit.PASSED),
    ("unsupported", Exit.PASSED, Exit.PASSED),
    ("partial", Exit.PASSED, Exit.FAILED),
    ("fail", Exit.FAILED, Exit.FAILED),
    ("error", Exit.FAILED, Exit.FAILED),
    ("timeout", Exit.FAILED, Exit.FAILED),
    ("crash", Exit.FAILED, Exit.FAILED),
    ("garbage", Exit.FAILED, Exit.FAILED),
    ("no-answer", Exit.FAILED, Exit.FAILED),
    ("aborted", Exit.ADAPTER_DEAD, Exit.ADAPTER_DEAD),
]


@pytest.mark.parametrize(("outcome", "plain", "strict"), OUTCOMES)
def test_an_outcome_of_a_required_vector_has_its_exit_code(judged, outcome, plain, strict):
    """Beside another that is answered: otherwise nothing would be judged."""
    outcomes = {"lib": {"required": outcome, "also": "pass"}}
    assert judged([LIB], outcomes, ["lib"])[0] == plain
    assert judged([LIB], outcomes, ["lib"], policy=Policy(strict=True))[0] == strict


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.failing])
def test_only_required_vectors_fail_the_gate(judged, outcome):
    assert judged([LIB], {"lib": {"permitted": outcome, "required": "pass"}}, ["lib"]) == (Exit.PASSED, "")


#: Participants, outcomes, named adapters, selected RFCs; then code and words of the reasons.
TABLE = [
    pytest.param(
        [LIB],
        {"lib": {"other": "fail", "required": "pass"}},
        ["lib"],
        (),
        Exit.PASSED,
        "",
        id="an-rfc-it-does-not-claim",
    ),
    pytest.param(
        [LIB],
        {"lib": {"other": "pass", "required": "pass", "permitted": "unsupported"}},
        ["lib"],
        (),
        Exit.PASSED,
        "lib: passed; 1 of 2 vectors of rfc3986 answered",
        id="not-every-vector",
    ),
    pytest.param(
        [Participant("lib", "ran")],
        {"lib": {"other": "partial", "required": "fail", "permitted": "pass"}},
        ["lib"],
        ("rfc3986",),
        Exit.FAILED,
        "lib: gate failed on required vectors of rfc3986: 1 fail",
        id="a-failure-says-enough",
    ),
    pytest.param(
        [Participant("lib", "ran")],
        {"lib": {"other": "partial", "required": "pass", "permitted": "pass"}},
        ["lib"],
        (),
        Exit.PASSED,
        "lib: passed; 2 of 3 vectors answered",
        id="not-in-full",
    ),
    pytest.param(
        [LIB],
        {"lib": {"other": "unsupported", "required": "pass", "permitted": "pass"}},
        ["lib"],
        ("rfc1738", "rfc3986"),
        Exit.NOTHING_RAN,
        "lib: it answered no vector of rfc1738 that was selected",
        id="nothing-of-one-that-was-named",
    ),
    pytest.param(
        [Participant("lib", "ran", specs=("rfc1738", "rfc3986"))],
        {"lib": {"other": "unsupported", "required": "pass", "permitted": "pass"}},
        ["lib"],
        (),
        Exit.PASSED,
        "lib: passed; 2 of 3 vectors of rfc1738, rfc3986 answered",
        id="nothing-of-one-that-is-claimed",
    ),
    pytest.param(
        [LIB],
        {"lib": {"other": "unsupported", "required": "fail", "permitted": "pass"}},
        ["lib"],
        ("rfc1738", "rfc3986"),
        Exit.FAILED,
        "lib: gate failed on",
        id="nothing-of-one-and-a-failure-of-another",
    ),
    pytest.param(
        [LIB],
        {"lib": {"other": "pass", "required": "pass", "permitted": "pass"}},
        ["lib"],
        ("rfc1738", "rfc1808", "rfc3986"),
        Exit.PASSED,
        "",
        id="one-that-was-not-asked",
    ),
    pytest.param(
        [LIB],
        {"lib": {"other": "fail"}},
        ["lib"],
        (),
        Exit.NOTHING_RAN,
        "lib: nothing was judged: it answered no vector of rfc3986 that was selected",
        id="nothing-else",
    ),
    pytest.param(
        [Participant("lib", "ran", specs=("RFC 3986",))],
        {"lib": {"required": "pass"}},
        ["lib"],
        (),
        Exit.NOTHING_RAN,
        "lib: nothing was judged: its hello claims 'RFC 3986'; it can claim rfc1738, ",
        id="claims-what-nobody-knows",
    ),
    pytest.param(
        [Participant("lib", "ran", specs=("RFC 1738", "rfc3986"))],
        {"lib": {"required": "pass"}},
        ["lib"],
        (),
        Exit.PASSED,
        "",
        id="claims-one-that-is-known",
    ),
    pytest.param(
        [LIB],
        {"lib": {"required": "unsupported", "permitted": "unsupported"}},
        ["lib"],
        (),
        Exit.NOTHING_RAN,
        "nothing was judged",
        id="unsupported-throughout",
    ),
    pytest.param(
        [Participant("lib", "ran")],
        {"lib": {"required": "unsupported"}},
        ["lib"],
        (),
        Exit.NOTHING_RAN,
        "it answered no vector that was selected",
        id="unsupported-and-claims-none",
    ),
    pytest.param(
        [REFERENCE, LIB],
        {"reference": {"required": "pass"}, "lib": {"required": "unsupported"}},
        ["reference", "lib"],
        (),
        Exit.NOTHING_RAN,
        "lib: nothing was judged",
        id="unsupported-beside-one-that-passes",
    ),
    pytest.param(
        [REFERENCE, LIB],
        {"reference": {"required": "unsupported"}, "lib": {"required": "unsupported"}},
        [],
        (),
        Exit.PASSED,
        "",
        id="survey-of-what-nobody-offers",
    ),
    pytest.param(
        [LIB],
        {"lib": {"other": "fail"}},
        ["lib"],
        ("rfc1738",),
        Exit.FAILED,
        "of rfc1738: 1 fail",
        id="but-asked-for",
    ),
    pytest.param(
        [Participant("lib", "ran")],
        {"lib": {"other": "fail"}},
        ["lib"],
        (),
        Exit.FAILED,
        "lib: gate failed on required vectors: 1 fail",
        id="claims-none-is-judged-by-all",
    ),
    pytest.param(
        [LIB],
        {"lib": {"required": "crash"}},
        ["lib"],
        (),
        Exit.FAILED,
        "lib: gate failed on required vectors of rfc3986: 1 crash",
        id="reason",
    ),
    pytest.param([REFERENCE, LIB], {"lib": {"required": "fail"}}, [], (), Exit.PASSED, "", id="survey"),
    pytest.param(
        [REFERENCE, LIB],
        {"reference": {"required": "fail"}},
        [],
        (),
        Exit.FAILED,
        "reference: ",
        id="its-reference",
    ),
    pytest.param([REFERENCE, DEAD, MISSING], {}, [], (), Exit.PASSED, "", id="survey-with-a-dead-one"),
    pytest.param([DEAD], {}, ["dead"], (), Exit.ADAPTER_DEAD, "dead: could not start: no hello", id="dead"),
    pytest.param(
        [MISSING], {}, ["gone"], (), Exit.NOTHING_RAN, "gone: not installed: no runtime", id="missing"
    ),
    pytest.param(
        [MISSING, LIB],
        {"lib": {"required": "pass"}},
        ["gone", "lib"],
        (),
        Exit.PASSED,
        "gone: not",
        id="one-missing",
    ),
    pytest.param(
        [MISSING, LIB],
        {"lib": {"required": "fail"}},
        ["gone", "lib"],
        (),
        Exit.FAILED,
        "lib: gate",
        id="and-one-wrong",
    ),
    pytest.param(
        [DEAD, LIB],
        {"lib": {"required": "fail"}},
        ["dead", "lib"],
        (),
        Exit.ADAPTER_DEAD,
        "lib: gate",
        id="dead-first",
    ),
]


@pytest.mark.parametrize(("participants", "outcomes", "named", "specs", "code", "words"), TABLE)
def test_the_worst_of_participants_and_outcomes_decides(
    judged, participants, outcomes, named, specs, code, words
):
    got, reasons = judged(participants, outcomes, named, specs)
    assert got == code
    assert words in reasons
    assert words or not reasons


#: The levels that can fail; the code, and words of the reason.
LEVELS = [
    pytest.param({"must"}, Exit.FAILED, "1 fail", id="theirs"),
    pytest.param(
        {"note"}, Exit.NOTHING_RAN, "lib: nothing was judged: no vector of level note", id="another"
    ),
    pytest.param(
        {"note", "may"}, Exit.NOTHING_RAN, "no vector of level may or note was selected", id="others"
    ),
    pytest.param({"note", "must"}, Exit.FAILED, "1 fail", id="theirs-and-another"),
]


@pytest.mark.parametrize(("levels", "code", "words"), LEVELS)
def test_nothing_is_judged_if_nothing_can_fail(judged, levels, code, words):
    got, reasons = judged([LIB], {"lib": {"required": "fail"}}, ["lib"], policy=Policy(frozenset(levels)))
    assert got == code
    assert words in reasons


@pytest.mark.parametrize(("level", "code"), [("grammar", Exit.FAILED), ("algorithm", Exit.NOTHING_RAN)])
def test_generated_cases_have_a_level(make_case, record, level, code):
    counts = {"pass": 1, "fail": 1}
    tally = Tally(
        "lib", "k1-rfc3986-URI", "k1", "rfc3986", outcomes_of(counts), outcomes_of(counts), {}, "URI"
    )
    results = msgspec.structs.replace(record([make_case("rfc3986-3.3-x")], LIB), tallies=(tally,))
    assert decide(results, ["lib"], policy=Policy(frozenset([level]))).code == code


def test_generated_cases_are_counted(make_case, record):
    counts = {"pass": 1, "unsupported": 2000}
    tally = Tally("lib", "k1-rfc3986-URI", "k1", "rfc3986", outcomes_of(counts), {}, {}, "URI")
    results = record([make_case("rfc3986-3.3-x")], LIB, Result("rfc3986-3.3-x", "lib", Outcome.PASS), tally)
    assert code_and_reasons(decide(results, ["lib"])) == (
        Exit.PASSED,
        ["lib: passed; 2 of 2,002 cases of rfc3986 answered"],
    )


#: RFCs that are named, that the hello claims, and that the baseline lists; those that are judged.
JUDGED = [
    pytest.param((), (), None, set(), id="nobody-says"),
    pytest.param((), ("rfc3986",), None, {"rfc3986"}, id="claimed"),
    pytest.param((), ("rfc3986",), ("rfc1808", "rfc3986"), {"rfc1808", "rfc3986"}, id="claimed-less"),
    pytest.param((), ("rfc1808", "rfc3986"), ("rfc3986",), {"rfc1808", "rfc3986"}, id="claimed-more"),
    pytest.param((), (), ("rfc3986",), set(), id="claims-none"),
    pytest.param(("rfc2396",), ("rfc3986",), ("rfc1808",), {"rfc2396"}, id="named"),
]


def listing(*specs, **answered) -> Baseline:
    return Baseline("urlbaseline-1", "0123456789ab", "lib", specs, (), answered)


@pytest.mark.parametrize(("specs", "claimed", "listed", "judged"), JUDGED)
def test_the_rfcs_asked_for_or_claimed_are_judged(specs, claimed, listed, judged):
    assert judged_specs(specs, claimed, None if listed is None else listing(*listed)) == judged


@pytest.mark.parametrize(("outcome", "reason"), [("fail", "regression"), ("unsupported", "coverage")])
def test_an_adapter_is_judged_by_the_rfcs_of_its_baseline(make_case, record, outcome, reason):
    """An RFC that it claimed when the baseline was made is judged even if it is no longer claimed."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc1808-2-x")]
    answers = [Result("rfc3986-3.3-x", "lib", Outcome.PASS), Result("rfc1808-2-x", "lib", Outcome(outcome))]
    ids = [case.vector.id for case in cases]
    for claimed in ((), ("rfc3986",), ("rfc1808", "rfc3986")):
        results = record(cases, Participant("lib", "ran", specs=claimed), *answers)
        listed = {"lib": listing("rfc1808", "rfc3986", rfc1808={"validate": 1})}
        (judgement,) = decide(results, ["lib"], baselines=listed, known=ids).judgements
        assert [group.what for group in judgement.groups] == [reason]
        assert judgement.code == Exit.FAILED
        counts = failure_test(["lib"], (), Policy(), listed)
        assert counts(results.participants[0], cases[1], answers[1], "") is (outcome == "fail")


def test_a_stale_entry_does_not_hide_that_an_rfc_was_not_answered(make_case, record):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc1808-2-x")]
    answers = [
        Result("rfc3986-3.3-x", "lib", Outcome.PASS),
        Result("rfc1808-2-x", "lib", Outcome.UNSUPPORTED),
    ]
    entry = Entry("rfc3986-3.3-x", "fail", {}, "0" * 12)
    listed = msgspec.structs.replace(listing("rfc1808", "rfc3986"), entries=(entry,))
    results = record(cases, LIB, *answers)
    for specs, code in (((), Exit.STALE), (("rfc1808", "rfc3986"), Exit.NOTHING_RAN)):
        (judgement,) = decide(results, ["lib"], specs, baselines={"lib": listed}).judgements
        assert judgement.code == code
        assert "the baseline has 1 stale entry" in judgement.reason


def test_the_worst_adapter_gives_the_code():
    """Of two codes the one that is first in PRECEDENCE applies, in any order of adapters."""
    assert set(PRECEDENCE) == set(Exit) - {Exit.USAGE, Exit.INTERRUPTED}
    for code, worse in enumerate(PRECEDENCE):
        for less in PRECEDENCE[code:]:
            pair = [Judgement("a", worse), Judgement("b", less)]
            assert exit_code(pair) == exit_code(reversed(pair)) == worse


@pytest.mark.parametrize("code", PRECEDENCE)
def test_a_missing_adapter_that_is_required_counts_as_dead(code):
    missing = Judgement("gone", Exit.ADAPTER_DEAD, installed=False)
    assert exit_code([missing, Judgement("lib", code)]) == Exit.ADAPTER_DEAD


def test_a_missing_adapter_counts_only_if_no_other_ran():
    missing = Judgement("gone", Exit.NOTHING_RAN, installed=False)
    for code in PRECEDENCE:
        assert exit_code([missing, Judgement("lib", code)]) == code
    assert exit_code([missing, missing]) == Exit.NOTHING_RAN
    assert exit_code([]) == Exit.PASSED


#: The digest that is pinned, that of the cases that were asked, and the code.
PINS = [
    pytest.param("0" * 64, "0" * 64, Exit.PASSED, id="the-pinned-cases"),
    pytest.param("0" * 64, "1" * 64, Exit.INVALID_FILE, id="others"),
    pytest.param("0" * 64, "", Exit.PASSED, id="some-of-them"),
    pytest.param("", "1" * 64, Exit.PASSED, id="nothing-pinned"),
]


@pytest.mark.parametrize(("pinned", "asked", "code"), PINS)
def test_generated_cases_are_the_pinned_ones(make_case, record, pinned, asked, code):
    """Otherwise nothing is judged, as with `generate --check`."""
    results = record([make_case("rfc3986-3.3-x")], LIB, Result("rfc3986-3.3-x", "lib", Outcome.PASS))
    counts = {"pass": 5}
    rates = {"coverage": (5, 5)}
    tally = Tally(
        "lib",
        "k1-rfc3986-URI",
        "k1",
        "rfc3986",
        outcomes_of(counts),
        outcomes_of(counts),
        rates,
        "URI",
        asked,
    )
    header = msgspec.structs.replace(results.header, tiers={"k1-rfc3986-URI": pinned})
    got, reasons = code_and_reasons(
        decide(msgspec.structs.replace(results, header=header, tallies=(tally,)), ["lib"])
    )
    assert got == code
    assert any(
        "generated cases of k1-rfc3986-URI are not the pinned ones" in reason for reason in reasons
    ) is (code != Exit.PASSED)


@pytest.mark.parametrize(("strict", "code"), [(False, Exit.NOTHING_RAN), (True, Exit.FAILED)])
def test_a_run_without_one_complete_answer_does_not_pass(judged, strict, code):
    got, reasons = judged([LIB], {"lib": {"required": "partial"}}, ["lib"], policy=Policy(strict=strict))
    assert got == code
    assert strict or reasons == "lib: nothing passed: no answer is complete"


@pytest.mark.parametrize(("strict", "code"), [(False, Exit.PASSED), (True, Exit.FAILED)])
def test_an_adapter_that_answers_some_in_part_is_judged(judged, strict, code):
    """Its answers can fail the gate; a pass has the numbers, and under a strict policy it fails."""
    outcomes = {"lib": {"required": "partial", "also": "pass"}}
    got, reasons = judged([LIB], outcomes, ["lib"], policy=Policy(strict=strict))
    assert got == code
    reason = "lib: passed; 1 of 2 vectors of rfc3986 answered, 1 more in part"
    assert strict or reasons == reason


def test_strict_policies_fail_missing_answers(judged):
    got, _ = judged([LIB], {"lib": {"required": "unsupported"}}, ["lib"], policy=Policy(strict=True))
    assert got == Exit.NOTHING_RAN


# ---- nothing that can fail

VALIDATING = Participant("lib", "ran", ops=("validate",), specs=("rfc3986",))


BOUND, OPEN = "rfc3986-3.3-bound", "rfc3986-3.3-open"


EITHER = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}


ANSWERED_NONE = "lib: nothing was judged: it answered no vector of rfc3986"


NOTHING_BINDS = "lib: nothing was judged: the RFC leaves the answer to every selected vector open"


@pytest.fixture
def run_of(make_case, record):
    """A run of one required vector and an open one, with these outcomes; None is not asked."""

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
    pytest.param("partial", "variant", Policy(), Exit.NOTHING_RAN, "no answer is complete", id="a-part"),
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


@pytest.mark.parametrize(("bound", "unbound", "policy", "code", "reason"), OPEN_ANSWERS)
def test_the_gate_needs_an_answer_that_can_fail(run_of, bound, unbound, policy, code, reason):
    (judgement,) = decide(run_of(bound, unbound), ["lib"], policy=policy).judgements
    assert judgement.code == code
    assert reason in judgement.reason


@pytest.mark.parametrize(
    ("levels", "code"), [({"grammar"}, Exit.NOTHING_RAN), ({"may", "grammar"}, Exit.PASSED)]
)
def test_answers_of_other_levels_do_not_count(run_of, make_case, record, levels, code):
    """The required vector that is answered is of a level that nothing of fails."""
    cases = [make_case(BOUND), make_case(OPEN, level="may")]
    results = record(
        cases, VALIDATING, Result(BOUND, "lib", Outcome.UNSUPPORTED), Result(OPEN, "lib", Outcome.PASS)
    )
    (judgement,) = decide(results, ["lib"], policy=Policy(levels=frozenset(levels))).judgements
    assert judgement.code == code


def test_a_named_rfc_without_required_vectors_needs_no_answer(run_of, make_case, record):
    cases = [make_case(BOUND), make_case("rfc1808-2-open", binding="unspecified", expect=EITHER)]
    results = record(
        cases,
        VALIDATING,
        Result(BOUND, "lib", Outcome.PASS),
        Result("rfc1808-2-open", "lib", Outcome.UNSUPPORTED),
    )
    (judgement,) = decide(results, ["lib"], ["rfc1808", "rfc3986"]).judgements
    assert judgement.code == Exit.PASSED


@pytest.mark.parametrize(("required", "code"), [({"pass": 1}, Exit.PASSED), ({}, Exit.NOTHING_RAN)])
def test_generated_cases_follow_the_same_rule(run_of, required, code):
    tally = Tally(
        "lib",
        "complete-rfc3986-URI",
        "complete",
        "rfc3986",
        outcomes_of({"pass": 2}),
        outcomes_of(required),
        {},
    )
    (judgement,) = decide(run_of("unsupported", None, tally), ["lib"]).judgements
    assert judgement.code == code


def test_a_survey_judges_nothing(run_of):
    """It fails only where the reference does."""
    results = run_of(None, "variant")
    assert decide(results, []).judgements == []


def test_an_adapter_that_shows_no_component_has_not_passed():
    """For two vectors of the corpus, an answer without components is complete."""

    def blind(question):
        return {"status": "ok"} | ({"components": {}} if question["op"] == "parse" else {})

    blind.hello = {"ops": ["parse"], "specs": ["rfc3986"]}
    gate = run(blind, spec="rfc3986").gate()
    assert gate.code is Exit.NOTHING_RAN
    assert "nothing was judged: it answered no vector of rfc3986 that can fail" in gate.reasons[0]


# ---- planted faults


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """Return a function that runs the library of a row without a fault, and makes its baseline."""
    baselines = {}

    def run_it(row):
        if row[1:4] not in baselines:
            results = faulty_libraries.results_of(tmp_path_factory.mktemp("before"), row, fault=False)
            baselines[row[1:4]] = results, faulty_libraries.listing_of(results, row)
        return baselines[row[1:4]]

    return run_it


@pytest.mark.parametrize(
    "row", faulty_libraries.ROWS, ids=lambda row: "-".join(filter(None, row)).replace("*", "-flat")
)
def test_the_gate_finds_the_fault(before, tmp_path, row):
    """Without the fault it passes; update accepts the loss, and with --only-shrink it does not."""
    old, baseline = before(row)
    assert faulty_libraries.gate(old, baseline, row).code == Exit.PASSED
    new = faulty_libraries.results_of(tmp_path, row, fault=True)
    judgement = faulty_libraries.gate(new, baseline, row)
    assert judgement.code == Exit.FAILED
    assert {finding.kind for finding in judgement.findings} == {"lost"}
    answered = old.of("lib")
    assert all(answered[finding.id].got != new.of("lib")[finding.id].got for finding in judgement.findings)
    lib = new.participants[0]
    ids = faulty_libraries.known_of(row)
    shrunk = update(baseline, new, lib, known=ids, only_shrink=True)
    assert {finding.id for finding in shrunk.left} == {finding.id for finding in judgement.findings}
    assert faulty_libraries.gate(new, shrunk.baseline, row).code == Exit.FAILED
    if row[1] != "half":  # it has answers that were not there before, and are locked now
        assert faulty_libraries.gate(old, shrunk.baseline, row).code == Exit.PASSED
    accepted = update(baseline, new, lib, known=ids)
    assert accepted.left == []
    assert len(accepted.lost) == len(judgement.findings)
    assert faulty_libraries.gate(new, accepted.baseline, row).code == Exit.PASSED


LIBRARIES = sorted({row[1:4] for row in faulty_libraries.ROWS})


@pytest.mark.parametrize(("library", "spec", "op"), LIBRARIES)
def test_more_answers_and_components_pass(before, tmp_path, library, spec, op):
    """An update records them, so that they cannot be lost later."""
    row = ("", library, spec, op, "", "")
    results, baseline = before(row)
    whole = "whole*" if library.endswith("*") else "whole"
    richer = faulty_libraries.results_of(tmp_path, ("", whole, spec, op, "", ""), fault=False)
    assert faulty_libraries.gate(richer, baseline, row).code == Exit.PASSED
    for only_shrink in (True, False):
        updated = update(
            baseline,
            richer,
            richer.participants[0],
            known=faulty_libraries.known_of(row),
            only_shrink=only_shrink,
        )
        assert updated.left == []
        assert faulty_libraries.gate(richer, updated.baseline, row).code == Exit.PASSED
        code = Exit.PASSED if library.startswith("whole") else Exit.FAILED
        assert faulty_libraries.gate(results, updated.baseline, row).code == code
