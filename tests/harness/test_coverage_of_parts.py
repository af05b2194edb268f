"""How many cases of a generated part are answered: a baseline knows it as well, and what is lost is found."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, canonical
from urlharness.gate.findings import findings
from urlharness.gate.gate import judgements
from urlharness.gate.update import NothingJudged, create, update
from urlharness.protocol.messages import Implementation
from urlharness.results.coverage import answered_parts, asked_in_part
from urlharness.results.model import Participant, Tally

pytestmark = pytest.mark.once

LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=("validate",), specs=("rfc3986",))
PART, DIGEST = "complete-rfc3986-URI", "ab" * 32
KNOWN = frozenset(("rfc3986-3.3-0", PART))
LISTED = Entry(PART, "fail", {"required": {"fail": 2}}, DIGEST[:12])


@pytest.fixture
def asked(record):
    """A run of one generated part with these outcomes of `validate`, asked whole or not."""

    def ask(*, whole: bool = True, which: str = "", **outcomes: int):
        full = sum(count for outcome, count in outcomes.items() if outcome not in ("partial", "unsupported"))
        tally = Tally(
            "lib", PART, "complete", "rfc3986", outcomes, outcomes, {}, "URI", DIGEST if whole else "",
            {"validate": full} if full else {}, which,
        )  # fmt: skip
        return record([], LIB, tally)

    return ask


def listing(*entries: Entry, **generated: int) -> Baseline:
    numbers = {PART if name == "part" else name: {"validate": count} for name, count in generated.items()}
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), entries, {}, numbers)


def test_answered(asked):
    assert answered_parts(
        asked(**{"pass": 3}, fail=2, partial=1, unsupported=4, timeout=1), "lib", (), KNOWN
    ) == {PART: {"validate": 6}}
    assert answered_parts(asked(unsupported=4), "lib", (), KNOWN) == {PART: {}}
    assert answered_parts(asked(**{"pass": 3}), "lib", ["rfc1808"], KNOWN) == {}
    assert answered_parts(asked(**{"pass": 3}), "lib") == {}, "as for vectors"
    some = asked(**{"pass": 3}, whole=False)
    assert answered_parts(some, "lib", (), KNOWN) == {}
    assert asked_in_part(some, "lib", (), KNOWN) == [PART]
    assert asked_in_part(some, "lib", ["rfc1808"], KNOWN) == []


#: What a list has of a part, entry and number; what is answered now; the findings.
TABLE = [
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


@pytest.mark.parametrize(("entries", "numbers", "outcomes", "kinds"), TABLE)
def test_findings(asked, entries, numbers, outcomes, kinds):
    results, listed = asked(**outcomes), listing(*entries, **numbers)
    found = findings(listed, results, "lib", known=KNOWN)
    assert [one.kind for one in found] == kinds
    (judgement,) = judgements(results, ["lib"], baselines={"lib": listed}, known=KNOWN)
    if "pass" in outcomes:
        codes = {(): Exit.PASSED, ("stale",): Exit.STALE}
        assert judgement.code == codes.get(tuple(kinds), Exit.FAILED)
    else:
        assert judgement.code == Exit.NOTHING_RAN
    assert judgement.shown == "", "a part cannot be put to an adapter"
    for only_shrink in (True, False):
        made = update(listed, results, LIB, known=KNOWN, only_shrink=only_shrink)
        left = findings(made.baseline, results, "lib", known=KNOWN)
        kept = [kind for kind in kinds if kind != "stale"] if only_shrink else []
        assert [one.kind for one in left] == [one.kind for one in made.left] == kept


def test_the_numbers_are_told(asked):
    listed = listing(LISTED, part=5_000)
    (judgement,) = judgements(
        asked(**{"pass": 3}, partial=2), ["lib"], baselines={"lib": listed}, known=KNOWN
    )
    assert (
        f"1 loss of coverage, 1 changed ({PART} validate: 5,000 cases were answered, and now 3)"
        in judgement.reason
    )
    listed = listing(gone=5)
    (judgement,) = judgements(asked(**{"pass": 3}), ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert "(gone validate: 5 cases were answered, and the corpus has no such part)" in judgement.reason


#: What of a part that was not asked whole goes wrong, and whether it could be some of two that fail.
SLICES = [
    pytest.param({"pass": 1}, True, id="nothing"),
    pytest.param({"fail": 2}, True, id="as-many"),
    pytest.param({"fail": 1, "unsupported": 9}, True, id="fewer"),
    pytest.param({"fail": 3}, False, id="more"),
    pytest.param({"error": 1}, False, id="otherwise"),
]


@pytest.mark.parametrize(("outcomes", "some"), SLICES)
def test_a_slice_of_a_part_may_be_wrong_as_far_as_the_part_is_listed(asked, outcomes, some):
    results, listed = asked(**outcomes, whole=False), listing(LISTED, part=5)
    kinds = [one.kind for one in findings(listed, results, "lib", known=KNOWN)]
    assert kinds == ([] if some else ["changed"])
    (judgement,) = judgements(results, ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert (judgement.code, judgement.listable) == ((Exit.PASSED, True) if some else (Exit.FAILED, False))
    made = update(listed, results, LIB, known=KNOWN)
    assert (made.baseline, [one.kind for one in made.left]) == (listed, kinds), "a list has a part whole"


def test_no_list_is_made_of_a_slice(asked):
    """Its digest could be no digest of the part, and such a list could not be read."""
    results = asked(fail=2, whole=False)
    with pytest.raises(NothingJudged, match=f"not all of {PART} was asked, and a list has a part"):
        create(results, LIB, known=KNOWN)
    (judgement,) = judgements(results, ["lib"])
    assert (judgement.code, judgement.listable) == (Exit.FAILED, False)
    assert create(asked(**{"pass": 2}, whole=False), LIB, known=KNOWN).entries == ()


@pytest.mark.parametrize(("which", "kinds"), [("ab" * 32, []), ("cd" * 32, ["changed"])])
def test_as_many_others_that_fail_are_found(asked, which, kinds):
    made = create(asked(fail=2, **{"pass": 3}, which="ab" * 32), LIB, known=KNOWN)
    assert made.entries[0].got == {"required": {"fail": 2}, "failing": "ab" * 6}
    found = findings(made, asked(fail=2, **{"pass": 3}, which=which), "lib", known=KNOWN)
    assert [one.kind for one in found] == kinds


def test_one_operation_does_not_stand_in_for_another(asked):
    listed = listing(part=2)
    results = structs.replace(asked(**{"pass": 3}), tallies=tuple(
        structs.replace(tally, answered={"parse": 3}) for tally in asked(**{"pass": 3}).tallies
    ))  # fmt: skip
    assert [one.id for one in findings(listed, results, "lib", known=KNOWN)] == [f"{PART} validate"]


def test_a_part_that_was_not_asked_is_left_alone(asked):
    some, listed = asked(**{"pass": 1}, whole=False), listing(LISTED, part=5)
    assert findings(listed, some, "lib", known=KNOWN) == []
    made = update(listed, some, LIB, known=KNOWN)
    assert (made.baseline, made.left) == (listed, [])


#: The list and whether the part is asked whole; what is said of a gate that is passed.
NOTES = [
    (listing(part=3), True, ""),
    (listing(), True, f"coverage of {PART} is not gated: the list has no numbers of it"),
    (listing(part=3), False, f"coverage of {PART} is not gated: not all of it was asked"),
]


@pytest.mark.parametrize(("listed", "whole", "said"), NOTES)
def test_a_gate_that_sees_no_loss_says_so(asked, listed, whole, said):
    results = asked(**{"pass": 3}, whole=whole)
    (judgement,) = judgements(results, ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert judgement.code == Exit.PASSED
    assert judgement.reason == "; ".join(filter(None, ("lib: as the baseline says, 0 known outcomes", said)))


def test_create_and_update(asked):
    """It rises and falls with an update; with `--only-shrink` it rises alone, and comes to no other list."""
    good, bad = asked(**{"pass": 5}), asked(**{"pass": 3}, unsupported=2)
    made = create(good, LIB, known=KNOWN)
    assert (made.entries, made.answered, made.generated) == ((), {}, {PART: {"validate": 5}})
    assert f'\n "generated": {{\n  "{PART}": {{"validate": 5}}\n }},\n "entries": []' in canonical(made)
    assert create(good, LIB).generated == {}
    assert update(made, bad, LIB, known=KNOWN, only_shrink=True).baseline == made
    lower = update(made, bad, LIB, known=KNOWN).baseline
    assert lower.generated == {PART: {"validate": 3}}
    assert update(lower, good, LIB, known=KNOWN, only_shrink=True).baseline.generated == {
        PART: {"validate": 5}
    }
    assert update(listing(), good, LIB, known=KNOWN, only_shrink=True).baseline.generated == {}
    assert update(listing(gone=7), good, LIB, known=KNOWN).baseline.generated == {PART: {"validate": 5}}


#: An adapter that has lost every answer but those of one length.
LOST = """
def answer(question):
    known = LOST not in (None, len(question["url"]) % 2)
    return {"status": "ok" if known else "unsupported"}
answer.hello = {"ops": ["validate"], "specs": ["rfc2396"]}
"""
SMALL = ("--tier", "complete", "--spec", "2396", "--rule", "relativeURI")


def test_the_life_of_a_list_of_a_tier(urlconform, tmp_path):
    """What is answered no more neither passes nor shrinks the list."""
    adapter = "python:lost:answer"
    (tmp_path / "lost.py").write_text(f"LOST = 2\n{LOST}", "utf-8")
    assert urlconform("baseline", "create", adapter, *SMALL, "-o", "b.json").returncode == 0
    ((part, numbers),) = json.loads((tmp_path / "b.json").read_text("utf-8"))["generated"].items()
    number = f"{numbers['validate']:,}"
    assert urlconform("run", adapter, *SMALL, "--baseline", "b.json").returncode == 0
    done = urlconform("baseline", "check", "b.json")
    assert (done.returncode, "coverage of rfc2396 is not gated: the list has no numbers" in done.stdout) == (
        0,
        True,
    )
    (tmp_path / "lost.py").write_text(f"LOST = 1\n{LOST}", "utf-8")
    done = urlconform("run", adapter, *SMALL, "--baseline", "b.json")
    assert done.returncode == 1
    assert f"({part} validate: {number} cases were answered, and now " in done.stderr
    done = urlconform("baseline", "update", "b.json", adapter, *SMALL, "--only-shrink")
    assert done.returncode == 1
    assert "0 removed, 1 entry" in done.stdout or "unchanged, 1 entry" in done.stdout
    done = urlconform("baseline", "update", "b.json", adapter, *SMALL)
    assert (done.returncode, f"{part} validate: {number} cases answered, now " in done.stdout) == (0, True)
    high = (tmp_path / "b.json").read_text("utf-8")
    (tmp_path / "b.json").write_text(
        high.replace('"complete-rfc2396-relativeURI": {', '"k9-rfc2396-URI": {'), "utf-8"
    )
    done = urlconform("baseline", "check", "b.json")
    assert done.returncode == 1
    assert "generated: k9-rfc2396-URI: " in done.stdout
    assert "but the corpus has no such part" in done.stdout


def test_cases_of_which_none_is_kept_are_counted(urlconform, tmp_path):
    """Strictly what is unsupported fails, and there is no case of it to show."""
    (tmp_path / "lost.py").write_text(f"LOST = 1\n{LOST}", "utf-8")
    done = urlconform("run", "python:lost:answer", *SMALL, "--strict")
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("  unsupported: "))
    assert line.endswith(" generated cases")
    assert int(line.split()[1].replace(",", "")) > 0


#: An adapter that is right but for these texts.
RIGHT = """
from urlharness.adapters import reference
def answer(question):
    if question["op"] == "validate" and question["url"] in WRONG:
        return {"status": "ok"}
    return reference.answer(question)
answer.hello = {"ops": ["validate"], "specs": ["rfc2396"]}
"""


def test_a_failure_does_not_stand_in_for_another(urlconform, tmp_path):
    """As many cases fail as before, and other ones."""
    for name, wrong in (("old", ('"', '"a')), ("new", ("a%", '"a'))):
        (tmp_path / f"{name}.py").write_text(f"WRONG = {wrong!r}\n{RIGHT}", "utf-8")
    assert urlconform("baseline", "create", "python:old:answer", *SMALL, "-o", "b.json").returncode == 0
    listed = (tmp_path / "b.json").read_text("utf-8")
    assert json.loads(listed)["entries"][0]["got"]["required"] == {"fail": 2}
    assert urlconform("run", "python:old:answer", *SMALL, "--baseline", "b.json").returncode == 0
    (tmp_path / "b.json").write_text(listed.replace("old:answer", "new:answer"), "utf-8")
    done = urlconform("run", "python:new:answer", *SMALL, "--baseline", "b.json")
    assert (done.returncode, "by the baseline: 1 changed" in done.stderr) == (1, True)


def test_a_slice_has_no_list_to_be_accepted_by(urlconform, tmp_path):
    (tmp_path / "old.py").write_text(f"WRONG = ('a%',)\n{RIGHT}", "utf-8")
    done = urlconform("run", "python:old:answer", *SMALL, "-k", "-0000")
    assert (done.returncode, "accept:" in done.stderr) == (1, False), done.stderr
    done = urlconform("baseline", "create", "python:old:answer", *SMALL, "-k", "-0000", "-o", "b.json")
    assert (done.returncode, (tmp_path / "b.json").exists()) == (5, False)
    assert "not all of complete-rfc2396-relativeURI was asked" in done.stderr
