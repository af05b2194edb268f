"""How many cases of a generated part are answered: a baseline knows it as well, and what is lost is found."""

from __future__ import annotations

import json

import pytest

from urlharness.answered import answered_parts, asked_in_part
from urlharness.baseline import Baseline, Entry, canonical
from urlharness.exitcodes import Exit
from urlharness.findings import findings
from urlharness.gate import judgements
from urlharness.listing import create, update
from urlharness.protocol import Implementation
from urlharness.results import Participant, Tally

pytestmark = pytest.mark.once

LIB = Participant("lib", "ran", Implementation("lib", "1"), ops=("validate",), specs=("rfc3986",))
PART, DIGEST = "complete-rfc3986-URI", "ab" * 32
KNOWN = frozenset(("rfc3986-3.3-0", PART))
LISTED = Entry(PART, "fail", {"required": {"fail": 2}}, DIGEST[:12])


@pytest.fixture
def asked(record):
    """A run of one generated part with these outcomes, asked whole or not."""

    def ask(*, whole: bool = True, **outcomes: int):
        counts = {name.replace("_", "-"): count for name, count in outcomes.items()}
        tally = Tally("lib", PART, "complete", "rfc3986", counts, counts, {}, "URI", DIGEST if whole else "")
        return record([], LIB, tally)

    return ask


def listing(*entries: Entry, **generated: int) -> Baseline:
    numbers = {PART if name == "part" else name: count for name, count in generated.items()}
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc3986",), entries, {}, numbers)


def test_answered(asked):
    assert answered_parts(
        asked(**{"pass": 3}, fail=2, partial=1, unsupported=4, timeout=1), "lib", (), KNOWN
    ) == {PART: 6}
    assert answered_parts(asked(unsupported=4), "lib", (), KNOWN) == {PART: 0}
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
    assert f"1 loss of coverage, 1 changed ({PART}: 5,000 cases were answered, and now 3)" in judgement.reason
    listed = listing(gone=5)
    (judgement,) = judgements(asked(**{"pass": 3}), ["lib"], baselines={"lib": listed}, known=KNOWN)
    assert "(gone: 5 cases were answered, and the corpus has no such part)" in judgement.reason


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
    assert (made.entries, made.answered, made.generated) == ((), {}, {PART: 5})
    assert f'\n "generated": {{\n  "{PART}": 5\n }},\n "entries": []' in canonical(made)
    assert create(good, LIB).generated == {}
    assert update(made, bad, LIB, known=KNOWN, only_shrink=True).baseline == made
    lower = update(made, bad, LIB, known=KNOWN).baseline
    assert lower.generated == {PART: 3}
    assert update(lower, good, LIB, known=KNOWN, only_shrink=True).baseline.generated == {PART: 5}
    assert update(listing(), good, LIB, known=KNOWN, only_shrink=True).baseline.generated == {}
    assert update(listing(gone=7), good, LIB, known=KNOWN).baseline.generated == {PART: 5}


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
    (numbers,) = json.loads((tmp_path / "b.json").read_text("utf-8"))["generated"].items()
    assert urlconform("run", adapter, *SMALL, "--baseline", "b.json").returncode == 0
    assert urlconform("baseline", "check", "b.json").returncode == 0
    (tmp_path / "lost.py").write_text(f"LOST = 1\n{LOST}", "utf-8")
    done = urlconform("run", adapter, *SMALL, "--baseline", "b.json")
    assert done.returncode == 1
    assert f"({numbers[0]}: {numbers[1]:,} cases were answered, and now " in done.stderr
    done = urlconform("baseline", "update", "b.json", adapter, *SMALL, "--only-shrink")
    assert done.returncode == 1
    assert "0 removed, 1 entry" in done.stdout or "unchanged, 1 entry" in done.stdout
    done = urlconform("baseline", "update", "b.json", adapter, *SMALL)
    assert (done.returncode, f"{numbers[0]}: {numbers[1]:,} cases answered, now " in done.stdout) == (0, True)
    high = (tmp_path / "b.json").read_text("utf-8")
    (tmp_path / "b.json").write_text(
        high.replace('"complete-rfc2396-relativeURI": ', '"k9-rfc2396-URI": 1'), "utf-8"
    )
    done = urlconform("baseline", "check", "b.json")
    assert done.returncode == 1
    assert "generated: k9-rfc2396-URI: 1" in done.stdout
    assert "but the corpus has no such part" in done.stdout


def test_cases_of_which_none_is_kept_are_counted(urlconform, tmp_path):
    """Strictly what is unsupported fails, and there is no case of it to show."""
    (tmp_path / "lost.py").write_text(f"LOST = 1\n{LOST}", "utf-8")
    done = urlconform("run", "python:lost:answer", *SMALL, "--strict")
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("  unsupported: "))
    assert line.endswith(" generated cases")
    assert int(line.split()[1].replace(",", "")) > 0
