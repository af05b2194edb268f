"""`run --baseline` as users run it: what differs from the list, and what else the gate goes by."""

from __future__ import annotations

import json

import pytest

from urlharness.exitcodes import Exit

pytestmark = pytest.mark.once

ONE = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
RIGHT = {"status": "ok", "url": "http://a/b/c/g."}
UPDATE = f"urlconform baseline update b.json {LIB} --spec rfc1808 --section 5.2"
#: What happens to the list or to the adapter; the code of the run, and words of its reasons.
FINDINGS = [
    pytest.param(None, {}, 0, ["as the baseline says, "], id="as-listed"),
    pytest.param(
        lambda b: b["entries"].pop(0), {}, 1,
        ["1 regression", "see one: urlconform repro rfc1808-5.2-", f"accept: {UPDATE}\n"],
        id="regression",
    ),
    pytest.param(None, {"g.": RIGHT}, 4, ["1 stale", f"remove them: {UPDATE} --only-shrink\n"], id="stale"),
    pytest.param(None, {"g.": RIGHT | {"url": "y"}}, 1, ["1 changed"], id="changed"),
    pytest.param(None, {"g.": {"status": "error", "message": "\x1b[2J"}}, 1, ["1 changed"], id="error"),
    pytest.param(lambda b: b["entries"][0].update(digest="0" * 12), {}, 1, ["1 moved"], id="moved"),
    pytest.param(
        lambda b: b["entries"].append(b["entries"][0] | {"id": "rfc1808-5.2-nope"}), {}, 1,
        ["1 unknown id", "unknown id: rfc1808-5.2-nope (the corpus never had it)"], id="unknown-id",
    ),
    pytest.param(
        lambda b: b["entries"].append(b["entries"].pop(0) | {"id": "rfc1808-5.2-nope"}), {"g.": RIGHT}, 1,
        ["1 regression, 1 unknown id, 1 stale entry"], id="several",
    ),
    pytest.param(lambda b: b.update(implementation="lib"), {}, 6, ["answers of 'lib'"], id="another's"),
    pytest.param(lambda b: b.update(spec=["rfc3986"]), {}, 6, ["not under rfc1808"], id="of-another-rfc"),
    pytest.param(lambda b: b.update(spec=["rfc9"]), {}, 6, ["b.json: Invalid enum value"], id="invalid"),
    pytest.param(lambda b: b["entries"].append(b["entries"][0]), {}, 6, ["listed twice"], id="twice"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "says", "code", "words"), FINDINGS)
def test_run_by_a_baseline(run, answers, listed, changed, change, says, code, words):
    answers(**says)
    if change is not None:
        changed(change)
    done = run("run", LIB, *ONE, "--baseline", "b.json")
    assert done.returncode == code, done.stderr
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize("selection", [("-k", "dot"), ("--section", "5.2", "--maxfail", "1")])
def test_a_selection_makes_nothing_stale(run, listed, selection):
    done = run("run", LIB, "--spec", "1808", *selection, "--baseline", "b.json")
    assert (done.returncode, done.stderr.count("\n")) == ((1, 4) if "dot" in selection else (0, 1))
    assert "stale" not in done.stderr


def test_several_adapters_with_a_baseline_each(run, answers, listed):
    """One has a stale entry, the other nothing new: 4.  With a regression beside it: 1."""
    assert run("baseline", "create", "urllib", *ONE, "-o", "u.json").returncode == 0
    answers(**{"g.": RIGHT})
    files = ("--baseline", f"{LIB}=b.json", "--baseline", "urllib=u.json")
    done = run("run", LIB, "urllib", *ONE, *files)
    assert (done.returncode, "urllib: as the baseline says" in done.stderr) == (Exit.STALE, True)
    assert run("run", LIB, "urllib", *ONE, *files[:2]).returncode == Exit.FAILED


@pytest.mark.parametrize(("answer", "code"), [("excess-dropped", 0), ("recommended", 1), ("error", 1)])
def test_a_policy_pins_an_answer(run, answer, code):
    """RFC 2396, section 5.2, step 6g leaves excess `..` to the implementation (R-2396-18)."""
    done = run("run", "urllib", "--spec", "2396", "-k", "5.2-6g-end", "--policy", f"R-2396-18={answer}")
    assert (done.returncode, "1 variant" in done.stderr) == (code, bool(code))


def test_an_adapter_that_is_asked_no_more_says_why(run, adapter, tmp_path):
    """Of a run that took too long: it was not dead, and nobody tried to start it again."""
    slow = """
    def right(message):
        time.sleep(60)
    """
    name = f"jsonl:{' '.join(adapter(slow))}"
    head = {"schema": "urlbaseline-1", "corpus": "0" * 12, "implementation": name}
    (tmp_path / "b.json").write_text(json.dumps(head | {"spec": ["rfc1808"], "entries": []}), "utf-8")
    limits = ("--total-timeout", "1")
    done = run("run", name, *ONE, "--baseline", "b.json", *limits)
    assert done.returncode == Exit.ADAPTER_DEAD
    assert f"{name}: dead: the 1 s for all cases were over;" in done.stderr
    done = run("baseline", "create", name, *ONE, "-o", "c.json", *limits)
    assert done.returncode == Exit.ADAPTER_DEAD
    assert "the 1 s for all cases were over; a baseline needs all of its answers" in done.stderr


def test_what_is_not_gated_is_said(run, listed):
    """Of a part of an RFC nobody can say how much of it is answered."""
    said = "; coverage of rfc1808 is not gated: not all of it was asked (b.json)"
    assert said in run("run", LIB, *ONE, "--baseline", "b.json").stderr
    made = run("baseline", "create", LIB, *ONE, "-o", "c.json")
    assert "\n  coverage of rfc1808 is not gated: not all of it was asked\n" in made.stdout
    whole = run("baseline", "create", LIB, "--spec", "1808", "-o", "d.json")
    assert "not gated" not in whole.stdout
    assert "not gated" not in run("run", LIB, "--spec", "1808", "--baseline", "d.json").stderr


#: Selection and levels; the code.
LEVELS = [
    pytest.param((*ONE, "--fail-on", "note"), Exit.NOTHING_RAN, id="no-such-vector"),
    pytest.param((*ONE, "--fail-on", "example"), Exit.FAILED, id="such-vectors"),
    pytest.param((*ONE, "--fail-on", "note", "--fail-on", "example"), Exit.FAILED, id="one-of-two"),
]


@pytest.mark.parametrize(("arguments", "code"), LEVELS)
def test_a_level_that_no_vector_has_judges_nothing(run, answers, arguments, code):
    done = run("run", LIB, *arguments)
    words = "nothing was judged: no vector of level note was selected"
    assert (done.returncode, words in done.stderr) == (code, code is Exit.NOTHING_RAN)


def test_the_list_is_known_to_junit(run, listed, tmp_path):
    """Of the run that was gated; a report of its results alone knows no list, and has failures."""
    reports = ("--report", "junit=j.xml", "--report", "json=r.jsonl")
    assert run("run", LIB, *ONE, "--baseline", "b.json", *reports).returncode == 0
    gated = (tmp_path / "j.xml").read_text("utf-8")
    assert (gated.count(' type="known"'), gated.count("<failure")) == (len(listed), 0)
    assert run("report", "r.jsonl", "--report", "junit=j.xml").returncode == 0
    plain = (tmp_path / "j.xml").read_text("utf-8")
    assert (plain.count(' type="known"'), plain.count("<failure")) == (0, len(listed))
