"""A run: every case put to every adapter, and no adapter has a say in the record of another."""

from __future__ import annotations

import io

import pytest

from urlharness.adapters.registry import InProcess, find
from urlharness.corpus.model import INPUTS, OPERATIONS
from urlharness.limits import Limits
from urlharness.results.model import Header, ResultsWriter, read_results
from urlharness.runner import open_results, question, run

HELLO = {"implementation": {"name": "x", "version": "1"}, "protocol": 1, "ops": list(OPERATIONS), "specs": []}


@pytest.fixture
def cases(corpus):
    return [case for case in corpus.cases if (case.spec, case.section) == ("rfc1808", "5.1")]


@pytest.fixture
def recorded(corpus, tmp_path):
    """Runs adapters over cases and gives the results."""

    def call(cases, *adapters, **options):
        path = tmp_path / "r.jsonl"
        writer = open_results(path.open("wb"), corpus, cases)
        for adapter in adapters:
            run(adapter, cases, writer, Limits(start=20, case=20), **options)
        writer.close()
        return read_results(path)

    return call


def function(answer, **hello) -> InProcess:
    return InProcess("mine", lambda: ({**HELLO, **hello}, answer))


def test_the_question_is_the_vector_without_its_answer(corpus):
    secret = {"expect", "binding", "requirement", "level", "class_", "ruling", "comment"}
    for case in corpus.cases:
        asked = question(case)
        assert asked.id == 0
        assert not secret & set(asked.__struct_fields__)
        for name in ("op", *INPUTS):
            assert getattr(asked, name) == getattr(case.vector, name)


def test_operations_that_are_not_offered_are_unsupported(recorded, cases):
    asked = []
    results = recorded(cases, function(asked.append, ops=["parse"]))
    assert asked == []
    assert {(r.outcome, r.detail) for r in results.of("mine").values()} == {("unsupported", "no resolve")}


def test_results_come_in_the_order_of_the_cases(recorded, adapter, cases):
    """In whatever order the answers come."""
    special = """
    waiting = []
    def right(message):
        waiting.insert(0, {"id": message["id"], "status": "ok", "url": message["reference"]})
        if not select.select([0], [], [], 0.05)[0] or len(waiting) == 8:
            while waiting:
                real(waiting.pop(0))
    real = send
    def send(message, end="\\n"):
        if message:
            real(message, end)
    """
    results = recorded(cases, find(f"jsonl:{' '.join(adapter(special, 8))}"))
    (name,) = results.results
    assert list(results.of(name)) == [case.vector.id for case in cases]
    for case, result in zip(cases, results.of(name).values(), strict=True):
        assert result.got["url"] == case.vector.reference


def test_each_outcome_is_told_as_it_is_settled(recorded, cases):
    told = []
    recorded(cases, find("urllib"), progress=lambda *news: told.append(news))
    assert told == [("urllib", count, 24) for count in range(1, 25)]


@pytest.mark.parametrize("limit", [1, 3])
def test_maxfail_counts_failures_of_required_vectors(recorded, cases, limit):
    results = recorded(cases, function(lambda _: {"status": "error"}), find("reference"), maxfail=limit)
    assert len(results.of("mine")) == limit
    assert len(results.of("reference")) == 24


def test_no_adapter_truncates_the_record_of_another(recorded, adapter, cases):
    """One crashes at each question, one is not there, one lies about itself: the rest is whole."""
    crashing = find(f"jsonl:{' '.join(adapter('def right(message): os._exit(1)'))}")
    lying = function(lambda _: {}, window="wide")
    results = recorded(
        cases, crashing, find("jsonl:/no/such"), lying, find("python:no_such_module:f"), find("urllib")
    )
    assert [p.state for p in results.participants] == ["ran", "dead", "dead", "dead", "ran"]
    assert {r.outcome for r in results.of(crashing.name).values()} == {"crash"}
    assert len(results.of(crashing.name)) == len(results.of("urllib")) == 24
    assert {r.outcome for r in results.of("urllib").values()} <= {"pass", "fail"}


def test_only_the_reference_is_judged_strictly(recorded, corpus):
    """By name: offsets and open rules are what only the reference has to know."""
    cases = [case for case in corpus.cases if case.vector.expect.valid is False][:5]

    def reject(_):
        return {"status": "reject", "at": 10**6}

    lenient = recorded(cases, function(reject)).of("mine")
    assert {r.outcome for r in lenient.values()} == {"pass"}
    named = InProcess("reference", lambda: (HELLO, reject))
    strict = recorded(cases, named).of("reference")
    assert {r.outcome for r in strict.values()} == {"fail"}


def test_what_is_settled_is_written_before_the_end(corpus, cases):
    stream = io.BytesIO()
    header = Header("urlresults-1", "1", "0", (), "2026-01-01T00:00:00+00:00", "here", "3")
    writer = ResultsWriter(stream, header)
    run(find("urllib"), cases, writer, Limits())
    assert stream.getvalue().count(b"\n") == 1 + 1 + 24  # header, implementation, cases


@pytest.mark.parametrize("status", ["error", "reject", "ok"])
def test_what_an_adapter_says_of_an_answer_is_cut(recorded, cases, status):
    """Whatever it says in a million characters; the answer itself is whole."""
    url = "http://h/" + "u" * 20_000
    reply = {"status": status, "message": "m" * 10**6} | ({"url": url} if status == "ok" else {})
    results = recorded(cases, function(lambda _: reply)).of("mine").values()
    assert results
    for result in results:
        assert result.got["message"] == "m" * 10_000 + "… (and 990,000 characters more)"
        assert len(result.detail) < 11_000
        assert result.got.get("url", url) == url
