"""Of which corpus a list is: one that says what a run says is of the corpus of the run, and no other."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from urlharness.corpus.loader import load
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, digest
from urlharness.gate.findings import findings
from urlharness.gate.gate import other_corpus
from urlharness.gate.update import update
from urlharness.results.model import Participant, Result, Tally

pytestmark = pytest.mark.once

OLD, NEW = "f" * 12, "0123456789ab"
LIB = Participant("lib", "ran", specs=("rfc3986",))
ASKED = ("known", "right", "changed", "moved", "new")
IDS = {name: f"rfc3986-3.3-{name}" for name in (*ASKED, "unasked", "gone")}
#: A part of a generated tier, which was asked whole or in part.
PART = Entry("resolution-rfc3986", "fail", {"required": {"fail": 7}}, "ab" * 6)
#: A corpus with a vector that was not asked, and one without.
KNOWN = frozenset((PART.id, *(one for name, one in IDS.items() if name != "gone")))
WHOLE = KNOWN - {IDS["unasked"]}


@pytest.fixture
def results(make_case, record):
    """A run that is right on one vector alone, and put one generated part to the adapter."""

    def write(*names: str, whole: bool = True):
        cases = [make_case(IDS[name]) for name in names]
        found = [Result(IDS[name], "lib", "pass" if name == "right" else "fail") for name in names]
        counts = {"pass": 1, "fail": 7}
        tally = Tally("lib", PART.id, "resolution", "rfc3986", counts, {"fail": 7}, {},
                      digest="ab" * 32 if whole else "")  # fmt: skip
        made = record(cases, LIB, *found, tally)
        assert made.header.corpus == NEW
        return made

    return write


@pytest.fixture
def listing(make_case):
    """A list of another corpus: these vectors, each as it was; and these numbers."""

    def make(*names: str, **answered: int):
        entries = [
            Entry(
                IDS[name],
                "crash" if name == "changed" else "fail",
                {},
                OLD if name == "moved" else digest(make_case(IDS[name])),
            )
            for name in names
        ]
        numbers = {"rfc3986": answered} if answered else {}
        return Baseline("urlbaseline-1", OLD, "lib", ("rfc3986",), (*entries, PART), numbers)

    return make


#: What the list has, and its numbers; what was asked, all if empty; whether `--only-shrink`, and an update
#: without, make it a list of the corpus of the run.
TABLE = [
    pytest.param("known", {}, "known", True, True, id="as-it-was"),
    pytest.param("known right", {}, "known right", True, True, id="stale"),
    pytest.param("known gone", {}, "known", True, True, id="unknown-id"),
    pytest.param("known right gone", {}, "known right", True, True, id="stale-and-unknown-id"),
    pytest.param("known", {}, "known new", False, True, id="new"),
    pytest.param("known right", {}, "known right new", False, True, id="stale-and-new"),
    pytest.param("known changed", {}, "known changed", False, True, id="changed"),
    pytest.param("known moved", {}, "known moved", False, True, id="moved"),
    pytest.param("known unasked", {}, "known", False, False, id="not-all-asked"),
    pytest.param("known", {"validate": 2}, "known right", False, False, id="numbers-not-counted"),
    pytest.param("known new changed moved", {"validate": 5}, "", False, True, id="counted-and-left"),
]


@pytest.mark.parametrize(("names", "numbers", "asked", "shrunk", "full"), TABLE)
def test_the_corpus_is_that_of_the_run_where_the_list_says_what_it_says(
    results, listing, names, numbers, asked, shrunk, full
):
    before = listing(*names.split(), **numbers)
    run, known = results(*(asked.split() or ASKED)), KNOWN if asked else WHOLE
    for only_shrink, renewed in ((True, shrunk), (False, full)):
        made = update(before, run, LIB, known=known, only_shrink=only_shrink)
        assert made.baseline.corpus == (NEW if renewed else OLD)
        still = findings(made.baseline, run, "lib", known=known)
        assert bool(still) is bool(made.left)
        if renewed:
            assert still == []
        else:
            assert "baseline update over all that it lists" in other_corpus(made.baseline, NEW)


@pytest.mark.parametrize("whole", [True, False])
def test_a_generated_part_is_asked_whole(results, listing, whole):
    made = update(listing("known"), results("known", whole=whole), LIB, known=KNOWN, only_shrink=True)
    assert (made.baseline.corpus, made.left) == (NEW if whole else OLD, [])


@pytest.mark.parametrize(("now", "renewed"), [(4, True), (5, True), (6, False)])
def test_numbers_that_have_risen_are_those_of_the_run(results, listing, now, renewed):
    """Fewer than the list says are a loss, which is left."""
    run, numbers = results(*ASKED), {"rfc3986": {"validate": now}}
    settled = update(listing("known"), run, LIB, known=WHOLE).baseline
    listed = structs.replace(settled, corpus=OLD, answered=numbers)
    made = update(listed, run, LIB, known=WHOLE, only_shrink=True)
    assert made.baseline.corpus == (NEW if renewed else OLD)
    assert made.baseline.answered == {"rfc3986": {"validate": max(now, 5)}}
    assert [one.kind for one in made.left] == ["coverage"] * (not renewed)


SAYS = """
def answer(question):
    return {"status": "ok", "url": ANSWERS.get(question["reference"], "x")}
answer.hello = {"ops": ["resolve"]}
"""
ONE = ("python:mine:answer", "--spec", "1808", "--section", "5.2")
RIGHT = "http://a/b/c/g."


def test_the_life_of_a_list_over_two_corpora(urlconform, tmp_path):
    """The note goes with the shrinking that leaves nothing; until then it says what to do."""

    def says(**answers: str) -> None:
        (tmp_path / "mine.py").write_text(f"ANSWERS = {answers!r}\n{SAYS}", "utf-8")

    def corpus() -> str:
        return json.loads((tmp_path / "b.json").read_bytes())["corpus"]

    says()
    assert urlconform("baseline", "create", *ONE, "-o", "b.json").returncode == Exit.PASSED
    now = load().digest
    text = (tmp_path / "b.json").read_text("ascii").replace(now, OLD)
    (tmp_path / "b.json").write_text(text, "ascii")
    note = f"made with corpus {OLD}, this is {now}: "
    says(**{"g.": RIGHT, ".g": "y"})
    done = urlconform("run", *ONE, "--baseline", "b.json")
    assert (done.returncode, f"{note}baseline update over all that it lists" in done.stderr) == (1, True)
    shrunk = urlconform("baseline", "update", "b.json", *ONE, "--only-shrink")
    assert (shrunk.returncode, corpus()) == (Exit.FAILED, OLD)
    assert f"b.json: {note}mend what is left, or baseline update without --only-shrink\n" in shrunk.stdout
    part = urlconform("baseline", "update", "b.json", *ONE, "-k", "5.2-excess", "--only-shrink")
    assert (part.returncode, corpus()) == (Exit.PASSED, OLD)
    assert f"b.json: {note}baseline update over all that it lists\n" in part.stdout
    says(**{"g.": RIGHT})
    whole = urlconform("baseline", "update", "b.json", *ONE, "--only-shrink")
    assert (whole.returncode, corpus()) == (Exit.PASSED, now)
    assert f"  ~ made with corpus {OLD}, now {now}\n" in whole.stdout
    assert "this is" not in whole.stdout + urlconform("run", *ONE, "--baseline", "b.json").stderr
