"""The gate: from outcomes to the exit code and the reasons."""

from __future__ import annotations

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
        found = [
            Result(cases[kind].vector.id, name, Outcome(outcome))
            for name, of in outcomes.items()
            for kind, outcome in of.items()
        ]
        results = record(list(cases.values()), *participants, *found)
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
def test_required_vector(judged, outcome, plain, strict):
    """Beside another that is answered: otherwise nothing would be judged."""
    outcomes = {"lib": {"required": outcome, "also": "pass"}}
    assert judged([LIB], outcomes, ["lib"])[0] == plain
    assert judged([LIB], outcomes, ["lib"], policy=Policy(strict=True))[0] == strict


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.failing])
def test_what_is_not_required_never_fails(judged, outcome):
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
def test_gate(judged, participants, outcomes, named, specs, code, words):
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
def test_where_nothing_can_fail_nothing_is_judged(judged, levels, code, words):
    got, reasons = judged([LIB], {"lib": {"required": "fail"}}, ["lib"], policy=Policy(frozenset(levels)))
    assert (got, words in reasons) == (code, True)


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
def test_what_is_judged(specs, claimed, listed, judged):
    assert judged_specs(specs, claimed, None if listed is None else listing(*listed)) == judged


@pytest.mark.parametrize(("outcome", "what"), [("fail", "regression"), ("unsupported", "coverage")])
def test_an_adapter_cannot_leave_its_baseline(make_case, record, outcome, what):
    """One that claimed an RFC when its list was made is judged by that, whatever it claims today."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc1808-2-x")]
    found = [Result("rfc3986-3.3-x", "lib", Outcome.PASS), Result("rfc1808-2-x", "lib", Outcome(outcome))]
    known = [case.vector.id for case in cases]
    for claimed in ((), ("rfc3986",), ("rfc1808", "rfc3986")):
        results = record(cases, Participant("lib", "ran", specs=claimed), *found)
        listed = {"lib": listing("rfc1808", "rfc3986", rfc1808={"validate": 1})}
        (judgement,) = decide(results, ["lib"], baselines=listed, known=known).judgements
        assert (judgement.code, [group.what for group in judgement.groups]) == (Exit.FAILED, [what])
        counts = failure_test(["lib"], (), Policy(), listed)
        assert counts(results.participants[0], cases[1], found[1], "") is (outcome == "fail")


def test_a_stale_entry_does_not_hide_that_an_rfc_was_not_answered(make_case, record):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc1808-2-x")]
    found = [Result("rfc3986-3.3-x", "lib", Outcome.PASS), Result("rfc1808-2-x", "lib", Outcome.UNSUPPORTED)]
    entry = Entry("rfc3986-3.3-x", "fail", {}, "0" * 12)
    listed = msgspec.structs.replace(listing("rfc1808", "rfc3986"), entries=(entry,))
    results = record(cases, LIB, *found)
    for specs, code in (((), Exit.STALE), (("rfc1808", "rfc3986"), Exit.NOTHING_RAN)):
        (judgement,) = decide(results, ["lib"], specs, baselines={"lib": listed}).judgements
        assert judgement.code == code
        assert "the baseline has 1 stale entry" in judgement.reason


def test_the_worst_adapter_gives_the_code():
    """Of every two codes the one that stands first in PRECEDENCE, in whichever order the adapters ran."""
    assert set(PRECEDENCE) == set(Exit) - {Exit.USAGE, Exit.INTERRUPTED}
    for one, worse in enumerate(PRECEDENCE):
        for less in PRECEDENCE[one:]:
            pair = [Judgement("a", worse), Judgement("b", less)]
            assert exit_code(pair) == exit_code(reversed(pair)) == worse


def test_what_is_not_installed_counts_only_alone():
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
    """Or nothing is said of who answered them; as `generate --check` has it."""
    results = record([make_case("rfc3986-3.3-x")], LIB, Result("rfc3986-3.3-x", "lib", Outcome.PASS))
    counts, rates = {"pass": 5}, {"coverage": (5, 5)}
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


@pytest.mark.parametrize(("strict", "code"), [(False, Exit.PASSED), (True, Exit.FAILED)])
def test_who_answers_in_part_was_judged(judged, strict, code):
    """What it shows can be wrong; that it passes is said with numbers, and strictly it fails."""
    got, reasons = judged([LIB], {"lib": {"required": "partial"}}, ["lib"], policy=Policy(strict=strict))
    assert got == code
    said = "lib: passed; 0 of 1 vectors of rfc3986 answered, 1 more in part"
    assert strict or reasons == said


def test_who_is_strict_judges_no_silence(judged):
    got, _ = judged([LIB], {"lib": {"required": "unsupported"}}, ["lib"], policy=Policy(strict=True))
    assert got == Exit.NOTHING_RAN


# ---- nothing that can fail

VALIDATING = Participant("lib", "ran", ops=("validate",), specs=("rfc3986",))


BOUND, OPEN = "rfc3986-3.3-bound", "rfc3986-3.3-open"


EITHER = {"any": [{"valid": True}, {"valid": False, "variant": "x"}]}


ANSWERED_NONE = "lib: nothing was judged: it answered no vector of rfc3986"


NOTHING_BINDS = "lib: nothing was judged: every selected vector leaves the answer open"


@pytest.fixture
def asked(make_case, record):
    """A run of one required vector and an open one, with these outcomes; None is not asked."""

    def ask(bound, unbound, *tallies, level="grammar"):
        cases, found = [], []
        if bound:
            cases.append(make_case(BOUND))
            found.append(Result(BOUND, "lib", Outcome(bound)))
        if unbound:
            cases.append(make_case(OPEN, binding="unspecified", level=level, expect=EITHER))
            found.append(Result(OPEN, "lib", Outcome(unbound), variant="other"))
        return record(cases, VALIDATING, *found, *tallies)

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


@pytest.mark.parametrize(("bound", "unbound", "policy", "code", "reason"), OPEN_ANSWERS)
def test_the_gate(asked, bound, unbound, policy, code, reason):
    (judgement,) = decide(asked(bound, unbound), ["lib"], policy=policy).judgements
    assert judgement.code == code
    assert reason in judgement.reason


@pytest.mark.parametrize(
    ("levels", "code"), [({"grammar"}, Exit.NOTHING_RAN), ({"may", "grammar"}, Exit.PASSED)]
)
def test_what_has_no_level_that_counts_is_no_answer(asked, make_case, record, levels, code):
    """The required vector that is answered is of a level that nothing of fails."""
    cases = [make_case(BOUND), make_case(OPEN, level="may")]
    results = record(
        cases, VALIDATING, Result(BOUND, "lib", Outcome.UNSUPPORTED), Result(OPEN, "lib", Outcome.PASS)
    )
    (judgement,) = decide(results, ["lib"], policy=Policy(levels=frozenset(levels))).judgements
    assert judgement.code == code


def test_an_rfc_that_was_named_is_not_silent_where_nothing_of_it_can_fail(asked, make_case, record):
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
def test_generated_cases_are_no_exception(asked, required, code):
    tally = Tally(
        "lib",
        "complete-rfc3986-URI",
        "complete",
        "rfc3986",
        outcomes_of({"pass": 2}),
        outcomes_of(required),
        {},
    )
    (judgement,) = decide(asked("unsupported", None, tally), ["lib"]).judgements
    assert judgement.code == code


def test_a_survey_judges_nothing(asked):
    """It fails only where the reference does."""
    results = asked(None, "variant")
    assert decide(results, []).judgements == []


def test_an_adapter_that_shows_no_component_has_not_passed():
    """Two vectors of the corpus have no right answer, so that showing nothing is a complete answer."""

    def blind(question):
        return {"status": "ok"} | ({"components": {}} if question["op"] == "parse" else {})

    blind.hello = {"ops": ["parse"], "specs": ["rfc3986"]}
    gate = run(blind, spec="rfc3986").gate()
    assert gate.code is Exit.NOTHING_RAN
    assert "nothing was judged: it answered no vector of rfc3986 that can fail" in gate.reasons[0]
