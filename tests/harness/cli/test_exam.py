"""The exam of a command: every adapter is asked the selected cases in order, for one results file."""

from __future__ import annotations

import pytest

from urlharness.cli.exam import load_exam
from urlharness.cli.options import CaseOptions
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

NORMAL = ("--spec", "1808", "--section", "5.1")
ONE = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"


def test_maxfail_stops_one_adapter(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("def answer(question): return {'status': 'error'}", "utf-8")
    urlconform("run", LIB, "reference", *NORMAL, "--maxfail", "2", "--report", "json=r")
    results = read_results(tmp_path / "r")
    assert len(results.of(LIB)) == 2
    assert len(results.of("reference")) == 24


def test_results_are_in_the_order_of_the_corpus(urlconform, tmp_path):
    urlconform("run", "reference", "urllib", "--spec", "2732", "--report", "json=r")
    results = read_results(tmp_path / "r")
    for name in ("reference", "urllib"):
        assert list(results.of(name)) == list(results.vectors)


def test_an_adapter_that_dies_midway_leaves_its_partial_results(urlconform, dying, tmp_path):
    """If an adapter is killed by a question and cannot be started again, the other adapters still run."""
    name = dying("./g")
    done = urlconform("run", name, "reference", *NORMAL, "--report", "json=r.jsonl")
    assert done.returncode == Exit.ADAPTER_DEAD
    results = read_results(tmp_path / "r.jsonl")
    assert results.complete
    assert [answer.outcome for answer in results.of(name).values()] == ["fail"] * 2 + ["aborted"] * 22
    assert {answer.outcome for answer in results.of("reference").values()} == {"pass"}


def test_a_second_run_does_not_write_the_same_file(urlconform, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "r.jsonl").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write(b"mine")
        stream.flush()
        done = urlconform("run", "urllib", *ONE, "--report", "json=r.jsonl")
        assert done.stderr == "urlconform: r.jsonl: another run is writing it\n"
        assert done.returncode == Exit.INVALID_FILE
        assert (tmp_path / "r.jsonl").read_bytes() == b"mine"


@pytest.mark.parametrize("word", ["", "rfc2732-3-", "no-such-case"])
def test_an_exam_has_the_selected_cases(word):
    examination = load_exam(CaseOptions(Selection(specs=("rfc2732",), words=(word,)), ("core",), None))
    assert [case.vector.id for case in examination.cases] == [
        case.vector.id
        for case in examination.corpus.cases
        if case.spec == "rfc2732" and word in case.vector.id
    ]
    assert examination.streams == []
    assert examination.digests == {}
    assert examination.empty is (word == "no-such-case")


def test_an_exam_has_generated_cases_without_the_stored_ones():
    selection = Selection(specs=("rfc2396",), rules=("relativeURI",))
    examination = load_exam(CaseOptions(selection, ("complete",), None))
    (stream,) = examination.streams
    assert list(examination.cases) == []
    assert stream.rule == "relativeURI"
    assert not examination.empty
    assert examination.digests.keys() == {stream.part}
