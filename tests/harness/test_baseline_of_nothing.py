"""`baseline create` and `update` judge what the gate judges: what it ends with 5 for makes no list."""

from __future__ import annotations

import json

import pytest

from urlharness.corpus.loader import load
from urlharness.exitcodes import Exit
from urlharness.gate.gate import judge, judged_specs
from urlharness.gate.policy import Policy
from urlharness.gate.update import create
from urlharness.results.model import read_results

pytestmark = pytest.mark.once

LIB = "python:mine:answer"
#: An adapter that is right, wrong, silent, blank, or right in part, each about an RFC of its own.
SAYS = """
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
        (tmp_path / "mine.py").write_text(f"ABOUT = {about!r}\nCLAIMED = {claimed!r}\n{SAYS}", "utf-8")

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
TABLE = [
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


@pytest.mark.parametrize(("ways", "claimed", "options", "code", "words"), TABLE)
def test_create_and_update_end_as_the_gate_does(
    urlconform, says, empty, tmp_path, ways, claimed, options, code, words
):
    """Whatever the list: nothing is written where the gate by every list would end with 5."""
    says(*ways.split(), tuple(f"rfc{name}" for name in claimed.split()))
    plain = urlconform("run", LIB, *options, "--report", "json=r.jsonl")
    results, policy = read_results(tmp_path / "r.jsonl"), Policy(strict="--strict" in options)
    if "--fail-on" in options:
        policy = Policy(levels=frozenset(["may"]))
    (one,), specs = results.participants, ["rfc1808", "rfc3986"] if options[:4] == BOTH[:4] else []
    whole = create(results, one, judged_specs(specs, one.specs), policy.claiming(one.ops))
    gate, _ = judge(results, [LIB], specs, policy=policy, baselines={LIB: whole})
    assert gate == code
    for source in (LIB, "r.jsonl"):
        made = urlconform("baseline", "create", source, *options, "-o", "b.json", "--force")
        assert (made.returncode, words in made.stderr) == (code, True), made.stderr
        assert (tmp_path / "b.json").exists() is (code == Exit.PASSED)
    updated = urlconform("baseline", "update", "empty.json", LIB, *options)
    assert (updated.returncode, words in updated.stderr) == (code, True), updated.stderr
    if code == Exit.PASSED:
        assert urlconform("run", LIB, *options, "--baseline", "b.json").returncode == code
    else:
        assert (tmp_path / "empty.json").read_text("ascii") == empty
        assert (made.stderr.count("\n"), "nothing is written" in made.stderr) == (1, True)
        assert "accept: " not in plain.stderr, "it would be refused"


def test_who_was_stopped_was_not_silent(urlconform, says):
    """Nobody knows what would have been answered of the rest."""
    says("silent", "wrong")
    done = urlconform("run", LIB, *BOTH, "--maxfail", "1")
    assert (done.returncode, "stopped at 1 failure" in done.stderr) == (Exit.FAILED, True)
    assert NOTHING not in done.stderr
    assert NOTHING in urlconform("run", LIB, *BOTH).stderr
