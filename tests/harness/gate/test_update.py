"""Create and update a baseline."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from urlharness.corpus.loader import load
from urlharness.corpus.lock import locked_vector
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import findings
from urlharness.gate.gate import decide, judged_specs, other_corpus
from urlharness.gate.policy import Policy
from urlharness.gate.update import create, update
from urlharness.results.model import Participant, Result, Tally, read_results
from urlharness.results.verdict import Outcome

OLD, NEW = "f" * 12, "0123456789ab"


LIB = Participant("lib", "ran", specs=("rfc3986",))


ASKED = ("known", "right", "changed", "moved", "new")


IDS = {name: f"rfc3986-3.3-{name}" for name in (*ASKED, "unasked", "gone")}


#: A part of a generated tier, which was asked whole or in part.
PART = Entry("resolution-rfc3986", "fail", {"required": {"fail": 7}}, "ab" * 6)


#: A corpus with a vector that was not asked, and one without.
KNOWN = frozenset((PART.id, *(identifier for name, identifier in IDS.items() if name != "gone")))


WHOLE = KNOWN - {IDS["unasked"]}


@pytest.fixture
def results(make_case, record):
    """A run that is right on one vector alone, and put one generated part to the adapter."""

    def write(*names: str, whole: bool = True):
        cases = [make_case(IDS[name]) for name in names]
        answers = [
            Result(IDS[name], "lib", Outcome.PASS if name == "right" else Outcome.FAIL) for name in names
        ]
        counts = {Outcome.PASS: 1, Outcome.FAIL: 7}
        tally = Tally("lib", PART.id, "resolution", "rfc3986", counts, {Outcome.FAIL: 7}, {},
                      digest="ab" * 32 if whole else "")  # fmt: skip
        written = record(cases, LIB, *answers, tally)
        assert written.header.corpus == NEW
        return written

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
                OLD if name == "moved" else locked_vector(make_case(IDS[name])).digest,
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
def test_the_baseline_takes_the_corpus_of_the_run_if_it_agrees(
    results, listing, names, numbers, asked, shrunk, full
):
    before = listing(*names.split(), **numbers)
    run = results(*(asked.split() or ASKED))
    corpus_ids = KNOWN if asked else WHOLE
    for only_shrink, renewed in ((True, shrunk), (False, full)):
        updated = update(before, run, LIB, known=corpus_ids, only_shrink=only_shrink)
        assert updated.baseline.corpus == (NEW if renewed else OLD)
        still = findings(updated.baseline, run, "lib", known=corpus_ids)
        assert bool(still) is bool(updated.left)
        if renewed:
            assert still == []
        else:
            assert "run baseline update without a selection" in other_corpus(updated.baseline, NEW)


@pytest.mark.parametrize("whole", [True, False])
def test_a_generated_part_is_asked_whole(results, listing, whole):
    updated = update(listing("known"), results("known", whole=whole), LIB, known=KNOWN, only_shrink=True)
    assert updated.baseline.corpus == (NEW if whole else OLD)
    assert updated.left == []


@pytest.mark.parametrize(("now", "renewed"), [(4, True), (5, True), (6, False)])
def test_risen_numbers_are_taken_from_the_run(results, listing, now, renewed):
    """Lower numbers are a loss, so the numbers of the baseline are kept."""
    run = results(*ASKED)
    numbers = {"rfc3986": {"validate": now}}
    settled = update(listing("known"), run, LIB, known=WHOLE).baseline
    listed = structs.replace(settled, corpus=OLD, answered=numbers)
    updated = update(listed, run, LIB, known=WHOLE, only_shrink=True)
    assert updated.baseline.corpus == (NEW if renewed else OLD)
    assert updated.baseline.answered == {"rfc3986": {"validate": max(now, 5)}}
    assert [finding.kind for finding in updated.left] == ["coverage"] * (not renewed)


SAYS = """
def answer(question):
    return {"status": "ok", "url": ANSWERS.get(question["reference"], "x")}
answer.hello = {"ops": ["resolve"]}
"""


ONE = ("python:mine:answer", "--spec", "1808", "--section", "5.2")


RIGHT = "http://a/b/c/g."


def test_a_baseline_moves_from_one_corpus_to_the_next(urlconform, tmp_path):
    """The note about the other corpus says what to do, until an update leaves no failure."""

    def says(**answers: str) -> None:
        (tmp_path / "mine.py").write_text(f"ANSWERS = {answers!r}\n{SAYS}", "utf-8")

    def corpus() -> str:
        return json.loads((tmp_path / "b.json").read_bytes())["corpus"]

    says()
    assert urlconform("baseline", "create", *ONE, "-o", "b.json").returncode == Exit.PASSED
    now = load().digest
    text = (tmp_path / "b.json").read_text("ascii").replace(now, OLD)
    (tmp_path / "b.json").write_text(text, "ascii")
    note = f"the baseline was made with corpus {OLD}, but the corpus is now {now}: "
    says(**{"g.": RIGHT, ".g": "y"})
    done = urlconform("run", *ONE, "--baseline", "b.json", "--report", "json=r.jsonl")
    assert f"{note}run baseline update without a selection" in done.stderr
    assert done.returncode == 1
    shrunk = urlconform("baseline", "update", "b.json", "r.jsonl", "--only-shrink")
    assert corpus() == OLD
    assert f"b.json: {note}fix the failures that are left, or omit --only-shrink\n" in shrunk.stdout
    assert shrunk.returncode == Exit.FAILED
    part = urlconform("baseline", "update", "b.json", "r.jsonl", "-k", "5.2-excess", "--only-shrink")
    assert corpus() == OLD
    assert f"b.json: {note}run baseline update without a selection\n" in part.stdout
    assert part.returncode == Exit.PASSED
    says(**{"g.": RIGHT})
    whole = urlconform("baseline", "update", "b.json", *ONE, "--only-shrink")
    assert corpus() == now
    assert f"  ~ made with corpus {OLD}, now {now}\n" in whole.stdout
    assert "this is" not in whole.stdout
    assert whole.returncode == Exit.PASSED


# ---- runs that no list can be made from

MINE = "python:mine:answer"


#: An adapter that is right, wrong, silent, blank, or right in part, each about an RFC of its own.
ADAPTER = """
from urlharness.adapters import reference

SILENT = {"status": "unsupported"}
WAYS = {
    "right": reference.answer,
    "wrong": lambda question: {"status": "error"},
    "silent": lambda question: SILENT,
    "blank": lambda question: {"status": "ok", "components": {}} if question["op"] == "parse" else SILENT,
    "parts": lambda question: path_of(reference.answer(question)) if question["op"] == "parse" else SILENT,
}

def path_of(reply):
    return {**reply, "components": {"path": reply["components"]["path"]}} if "components" in reply else reply

def answer(question):
    return WAYS[ABOUT.get(question["spec"], "right")](question)

answer.hello = {**reference.hello(), "implementation": {"name": "mine", "version": "1"}, "specs": CLAIMED}
"""


#: The sections 2.4 of both RFCs ask the adapter to parse and to validate.
BOTH = ("--spec", "1808", "--spec", "3986", "--section", "2.4")


@pytest.fixture
def says(tmp_path):
    """Writes an adapter that answers the questions of two RFCs in these ways, and claims others or none."""

    def write(old: str, new: str, claimed: tuple[str, ...] = ()) -> None:
        about = {"rfc1808": old, "rfc3986": new}
        (tmp_path / "mine.py").write_text(f"ABOUT = {about!r}\nCLAIMED = {claimed!r}\n{ADAPTER}", "utf-8")

    return write


@pytest.fixture
def empty(tmp_path):
    """A list of that adapter without entries, over both RFCs."""
    head = {"schema": "urlbaseline-1", "corpus": load().digest, "implementation": "mine"}
    text = json.dumps({**head, "spec": ["rfc1808", "rfc3986"], "entries": []})
    (tmp_path / "empty.json").write_text(text, "ascii")
    return text


NO_ANSWER = "it answered no vector that was selected"


NOTHING = "it answered no vector of rfc1808"


#: How the RFCs are answered and which are claimed; the options; the code of the gate, and what it says.
ENDS = [
    pytest.param("right right", "", BOTH, 0, "", id="all"),
    pytest.param("silent right", "", BOTH, 5, f"{NOTHING} that was selected", id="silent-on-one"),
    pytest.param("parts right", "", BOTH, 0, "", id="parts-of-one"),
    pytest.param("blank right", "", BOTH, 5, f"{NOTHING} that was selected", id="blank-of-one"),
    pytest.param("blank blank", "", (*BOTH, "--strict"), 5, "answered no vector", id="blank-strictly"),
    pytest.param("wrong wrong", "", BOTH, 0, "", id="wrong-is-answered"),
    pytest.param("silent wrong", "", BOTH, 5, NOTHING, id="silent-on-one-and-wrong-on-another"),
    pytest.param("silent right", "", ("-k", "rfc1808-2.4-"), 5, NO_ANSWER, id="none-is-named"),
    pytest.param("silent right", "1808 3986", ("--section", "2.4"), 0, "", id="claimed-and-not-named"),
    pytest.param("silent right", "3986", BOTH, 5, NOTHING, id="named-and-not-claimed"),
    pytest.param("right right", "1808", ("--spec", "1808", "--section", "2.4", "--fail-on", "may"), 5,
                 "no vector of level may was selected", id="no-such-level"),
]  # fmt: skip


@pytest.mark.parametrize(("ways", "claimed", "options", "code", "words"), ENDS)
def test_create_and_update_end_as_the_gate_does(
    urlconform, says, empty, tmp_path, ways, claimed, options, code, words
):
    """Nothing is written if the gate would end with 5 by any baseline."""
    says(*ways.split(), tuple(f"rfc{name}" for name in claimed.split()))
    plain = urlconform("run", MINE, *options, "--report", "json=r.jsonl")
    results = read_results(tmp_path / "r.jsonl")
    policy = Policy(strict="--strict" in options)
    if "--fail-on" in options:
        policy = Policy(levels=frozenset(["may"]))
    (participant,), specs = results.participants, ["rfc1808", "rfc3986"] if options[:4] == BOTH[:4] else []
    whole = create(results, participant, judged_specs(specs, participant.specs), policy.claiming(participant))
    gate = decide(results, [MINE], specs, policy=policy, baselines={MINE: whole}).code
    assert gate == code
    process = urlconform("baseline", "create", "r.jsonl", *options, "-o", "b.json")
    assert words in process.stderr, process.stderr
    assert process.returncode == code, process.stderr
    assert (tmp_path / "b.json").exists() is (code == Exit.PASSED)
    updated = urlconform("baseline", "update", "empty.json", "r.jsonl", *options)
    assert words in updated.stderr, updated.stderr
    assert updated.returncode == code, updated.stderr
    if code != Exit.PASSED:
        assert (tmp_path / "empty.json").read_text("ascii") == empty
        assert process.stderr.count("\n") == 1
        assert "nothing is written" in process.stderr
        assert "accept: " not in plain.stderr, "it would be refused"


def test_a_stopped_adapter_is_not_reported_as_silent(urlconform, says):
    """The questions that were not asked could have been answered."""
    says("silent", "wrong")
    done = urlconform("run", MINE, *BOTH, "--maxfail", "1")
    assert "stopped at 1 failure" in done.stderr
    assert NOTHING not in done.stderr
    assert done.returncode == Exit.FAILED
    assert NOTHING in urlconform("run", MINE, *BOTH).stderr
