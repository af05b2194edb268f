"""The gate: from outcomes to the exit code, and a reason wherever it is not 0."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit
from urlharness.gate import PRECEDENCE, Judgement, code_of, judge
from urlharness.policy import Policy
from urlharness.results import Participant, Result
from urlharness.verdict import FAILING

PERMITTED = {
    "binding": "permitted-set",
    "expect": {"any": [{"valid": True}, {"valid": False, "variant": "x"}]},
}
LIB = Participant("lib", "ran", specs=("rfc3986",))
REFERENCE = Participant("reference", "ran")
MISSING = Participant("gone", "not installed", message="no runtime")
DEAD = Participant("dead", "dead", message="no hello")


@pytest.fixture
def judged(make_case, record):
    """The gate over one case of each kind: required, of another RFC, and permitted."""

    def run(participants, outcomes, named, specs=(), *, strict=False):
        cases = {
            "required": make_case("rfc3986-3.3-x"),
            "other": make_case("rfc1738-3.1-x", rule="url"),
            "permitted": make_case("rfc3986-3.4-x", **PERMITTED),
        }
        found = [
            Result(cases[kind].vector.id, name, outcome)
            for name, of in outcomes.items()
            for kind, outcome in of.items()
        ]
        results = record(list(cases.values()), *participants, *found)
        code, reasons = judge(results, named, specs, policy=Policy(strict=strict))
        assert bool(reasons) == (code != Exit.PASSED) or MISSING in participants
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
    outcomes = {"lib": {"required": outcome, "permitted": "pass"}}
    assert judged([LIB], outcomes, ["lib"])[0] == plain
    assert judged([LIB], outcomes, ["lib"], strict=True)[0] == strict


@pytest.mark.parametrize("outcome", sorted(FAILING))
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
        {"lib": {"other": "fail"}},
        ["lib"],
        (),
        Exit.NOTHING_RAN,
        "lib: nothing was judged: it answered no vector of rfc3986 that was selected",
        id="nothing-else",
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
    pytest.param([DEAD], {}, ["dead"], (), Exit.ADAPTER_DEAD, "dead: dead: no hello", id="dead"),
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


def test_the_worst_adapter_gives_the_code():
    """Of every two codes the one that stands first in PRECEDENCE, in whichever order the adapters ran."""
    assert set(PRECEDENCE) == set(Exit) - {Exit.USAGE, Exit.INTERRUPTED}
    for one, worse in enumerate(PRECEDENCE):
        for less in PRECEDENCE[one:]:
            pair = [Judgement("a", worse), Judgement("b", less)]
            assert code_of(pair) == code_of(reversed(pair)) == worse


def test_what_is_not_installed_counts_only_alone():
    missing = Judgement("gone", Exit.NOTHING_RAN, installed=False)
    for code in PRECEDENCE:
        assert code_of([missing, Judgement("lib", code)]) == code
    assert code_of([missing, missing]) == Exit.NOTHING_RAN
    assert code_of([]) == Exit.PASSED
