"""The exam of a command: every adapter is asked the selected cases in order, for one results file."""

from __future__ import annotations

import pytest

from urlharness.cli.exam import load_exam
from urlharness.cli.options import CaseOptions
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

SECTION_5_1 = ("--spec", "1808", "--section", "5.1")
LIB = "python:mine:answer"


@pytest.fixture
def section_5_1(cases_of_section):
    """The cases of RFC 1808, section 5.1, in the order of the corpus."""
    return cases_of_section("rfc1808", "5.1")


def test_maxfail_stops_only_the_adapter_that_fails(urlconform, section_5_1, tmp_path):
    (tmp_path / "mine.py").write_text("def answer(question): return {'status': 'error'}", "utf-8")
    urlconform("run", LIB, "reference", *SECTION_5_1, "--maxfail", "2", "--report", "json=r")
    results = read_results(tmp_path / "r")
    assert len(results.of(LIB)) == 2
    assert len(results.of("reference")) == len(section_5_1)


def test_results_are_in_the_order_of_the_corpus(urlconform, corpus, tmp_path):
    urlconform("run", "reference", "urllib", "--spec", "2732", "--report", "json=r")
    ids = [case.vector.id for case in corpus.cases if case.spec == "rfc2732"]
    results = read_results(tmp_path / "r")
    assert list(results.of("reference")) == ids
    assert list(results.of("urllib")) == ids


@pytest.fixture
def run_with_dying_adapter(urlconform, make_dying_adapter, tmp_path):
    """An adapter that `./g` kills, which starts only once: its name, and its results beside the reference."""
    name = make_dying_adapter("./g")
    done = urlconform("run", name, "reference", *SECTION_5_1, "--report", "json=r.jsonl")
    assert done.returncode == Exit.ADAPTER_DEAD
    return name, read_results(tmp_path / "r.jsonl")


def test_an_adapter_that_dies_midway_leaves_its_partial_results(run_with_dying_adapter, section_5_1):
    name, results = run_with_dying_adapter
    references = [case.vector.reference for case in section_5_1]
    answered = references.index("./g")
    aborted = len(references) - answered
    outcomes = [answer.outcome for answer in results.of(name).values()]
    assert outcomes == ["fail"] * answered + ["aborted"] * aborted
    assert results.complete


def test_an_adapter_that_dies_midway_stops_no_other(run_with_dying_adapter, section_5_1):
    _, results = run_with_dying_adapter
    outcomes = [answer.outcome for answer in results.of("reference").values()]
    assert outcomes == ["pass"] * len(section_5_1)


def test_a_second_run_does_not_write_the_same_file(urlconform, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "r.jsonl").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write(b"mine")
        stream.flush()
        done = urlconform("run", "urllib", *SECTION_5_1, "--report", "json=r.jsonl")
        assert done.stderr == "urlconform: r.jsonl: another run is writing it\n"
        assert done.returncode == Exit.INVALID_FILE
        assert (tmp_path / "r.jsonl").read_bytes() == b"mine"


def core_exam(word):
    """Return the exam of the stored cases of RFC 2732 with a word in their ids."""
    return load_exam(CaseOptions(Selection(specs=("rfc2732",), words=(word,)), ("core",), None))


@pytest.mark.parametrize("word", ["", "rfc2732-3-"], ids=["all", "word"])
def test_an_exam_has_the_selected_cases(word):
    exam = core_exam(word)
    cases = [case for case in exam.corpus.cases if case.spec == "rfc2732" and word in case.vector.id]
    assert list(exam.cases) == cases
    assert not exam.is_empty


def test_an_exam_of_no_case_is_empty():
    exam = core_exam("no-such-case")
    assert list(exam.cases) == []
    assert exam.is_empty


def test_an_exam_of_stored_cases_has_no_generated_ones():
    exam = core_exam("")
    assert exam.streams == []
    assert exam.digests == {}


def test_an_exam_has_generated_cases_without_the_stored_ones():
    selection = Selection(specs=("rfc2396",), rules=("relativeURI",))
    examination = load_exam(CaseOptions(selection, ("complete",), None))
    (stream,) = examination.streams
    assert list(examination.cases) == []
    assert stream.rule == "relativeURI"
    assert not examination.is_empty
    assert examination.digests.keys() == {stream.part}
