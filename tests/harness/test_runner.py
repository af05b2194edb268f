"""Put cases to one adapter and record every result."""

from __future__ import annotations

import gc
import importlib
import io
import re
import sys
import weakref

import pytest
from msgspec import structs
from rich.console import Console

from urlharness import functions
from urlharness import run as run_report
from urlharness.adapters.registry import InProcess, find
from urlharness.corpus.lock import abbreviated_case, locked_vector
from urlharness.corpus.longtext import abbreviation
from urlharness.corpus.model import INPUTS, OPERATIONS
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import findings, vector_finding
from urlharness.gate.gate import decide, failure_test
from urlharness.gate.policy import PLAIN
from urlharness.gate.update import create
from urlharness.limits import Limits
from urlharness.report import RENDERERS, badge, github, junit, markdown, render, terminal
from urlharness.report.html.cases import data_blocks
from urlharness.results.coverage import missing
from urlharness.results.model import Header, Participant, Result, ResultsWriter, read_results
from urlharness.results.verdict import Outcome
from urlharness.runner import _relaxed_gc, open_results, question, run

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
            run(adapter, cases, writer, Limits(start=1000, case=1000), **options)
        writer.close()
        return read_results(path)

    return call


def function(answer, **hello) -> InProcess:
    return InProcess("mine", lambda: ({**HELLO, **hello}, answer))


def test_the_question_is_the_vector_without_its_answer(corpus):
    secret = {"expect", "binding", "requirement", "level", "class_", "ruling", "comment"}
    for case in corpus.cases:
        asked_question = question(case)
        assert asked_question.id == 0
        assert not secret & set(asked_question.__struct_fields__)
        for name in ("op", *INPUTS):
            assert getattr(asked_question, name) == getattr(case.vector, name)


def test_operations_that_are_not_offered_are_unsupported(recorded, cases):
    questions = []
    results = recorded(cases, function(questions.append, ops=["parse"]))
    assert questions == []
    assert {(r.outcome, r.detail) for r in results.of("mine").values()} == {("unsupported", "no resolve")}


@pytest.mark.parametrize("modes", [["syntax"], ["scheme"], ["syntax", "scheme"], []], ids=str)
def test_modes_that_are_not_offered_are_unsupported(corpus, recorded, modes):
    """Neither normalize nor equivalent is asked in such a mode."""
    cases = [case for case in corpus.cases if case.vector.op in ("normalize", "equivalent")]
    assert {case.vector.mode or "syntax" for case in cases} == {"syntax", "scheme"}
    questions = []
    results = recorded(
        cases, function(lambda question: questions.append(question) or {"status": "reject"}, modes=modes)
    )
    assert {question.get("mode") or "syntax" for question in questions} == set(modes)
    details = {
        case.vector.mode or "syntax": results.of("mine")[case.vector.id].detail
        for case in cases
        if results.of("mine")[case.vector.id].outcome == "unsupported" and case.vector.op == "normalize"
    }
    others = {"syntax", "scheme"} - set(modes)
    assert details == {mode: f"no normalize in mode {mode}" for mode in others}


def test_the_participant_has_the_modes_of_the_hello(recorded, cases):
    results = recorded(cases[:1], function({"status": "reject"}.__or__, modes=["syntax"]))
    assert results.participants[0].modes == ("syntax",)


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


def test_progress_is_reported_for_each_case(recorded, cases):
    reports = []
    recorded(cases, find("urllib"), progress=lambda *news: reports.append(news))
    assert reports == [("urllib", count, 24) for count in range(1, 25)]


@pytest.mark.parametrize("limit", [1, 3])
def test_maxfail_counts_failures_of_required_vectors(recorded, cases, limit):
    results = recorded(cases, function(lambda _: {"status": "error"}), find("reference"), maxfail=limit)
    assert len(results.of("mine")) == limit
    assert len(results.of("reference")) == 24


def test_no_adapter_truncates_the_record_of_another(recorded, adapter, cases):
    """One adapter crashes, one is missing, one has a false hello: the results of the others are complete."""
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


def test_results_are_written_before_the_end(corpus, cases):
    stream = io.BytesIO()
    header = Header("urlresults-1", "1", "0", (), "2026-01-01T00:00:00+00:00", "here", "3")
    writer = ResultsWriter(stream, header)
    run(find("urllib"), cases, writer, Limits())
    assert stream.getvalue().count(b"\n") == 1 + 1 + 24  # header, implementation, cases


@pytest.mark.parametrize("status", ["error", "reject", "ok"])
def test_long_messages_are_cut(recorded, cases, status):
    """A message of a million characters is cut, a long text of the answer is abbreviated."""
    url = "http://h/" + "u" * 20_000
    reply = {"status": status, "message": "m" * 10**6} | ({"url": url} if status == "ok" else {})
    results = recorded(cases, function(lambda _: reply)).of("mine").values()
    assert results
    for result in results:
        assert result.got["message"] == "m" * 10_000 + "… (and 990,000 characters more)"
        assert len(result.detail) < 11_000
        assert result.got.get("url") == (abbreviation(url) if status == "ok" else None)


@pytest.fixture
def long_case(make_case):
    text = "b" * 70_000
    return make_case("rfc3986-3-x", op="normalize", url=f"A:{text}", expect={"result": f"a:{text}"})


#: Answers to that case, and their outcomes; they have the same first 80 characters.
LONG_ANSWERS = [
    pytest.param("b" * 70_000, "pass", id="right"),
    pytest.param("b" * 69_999 + "c", "fail", id="last-character"),
    pytest.param("b" * 65_535, "fail", id="cut"),
]


@pytest.mark.parametrize(("rest", "outcome"), LONG_ANSWERS)
def test_whole_texts_are_compared_and_short_ones_recorded(recorded, long_case, tmp_path, rest, outcome):
    answer = {"status": "ok", "url": "a:" + rest}
    results = recorded([long_case], function(lambda _: answer))
    (result,) = results.of("mine").values()
    assert result.outcome == outcome
    assert result.got["url"] == abbreviation("a:" + rest)
    assert results.vectors[long_case.vector.id].case == abbreviated_case(long_case)
    assert max(map(len, (tmp_path / "r.jsonl").read_bytes().splitlines())) < 2000


def test_a_baseline_tells_long_answers_apart(recorded, long_case):
    """A results file that is read back, and a baseline: both have abbreviated texts."""
    runs = [
        recorded([long_case], function(lambda _, end=end: {"status": "ok", "url": "a:" + "b" * 69_999 + end}))
        for end in "ccd"
    ]
    baseline = create(runs[0], runs[0].participants[0])
    (entry,) = baseline.entries
    assert entry.got["url"] == abbreviation("a:" + "b" * 69_999 + "c")
    assert entry.digest == locked_vector(long_case).digest
    assert [finding.kind for finding in findings(baseline, runs[1], "mine")] == []
    assert [finding.kind for finding in findings(baseline, runs[2], "mine")] == ["changed"]
    case = long_case
    result = runs[1].of("mine")[long_case.vector.id]
    assert vector_finding(entry, case, result) is None, "pytest judges the case of the corpus"


def test_every_report_abbreviates_long_texts(recorded, long_case):
    results = recorded([long_case], function(lambda _: {"status": "ok", "url": "a:" + "c" * 70_000}))
    console = Console(file=io.StringIO(), width=200)
    terminal.print_first_failures(console, results, "mine")
    texts = {form: render(form, results) for form in RENDERERS} | {"terminal": console.file.getvalue()}
    listed, details, _ = data_blocks(results, {})  # the page has them compressed
    texts |= {"cases of the page": listed.decode(), "details of the page": details.decode()}
    for form, text in texts.items():
        assert "b" * 100 not in text, form
        assert "c" * 100 not in text, form
    for form in ("junit", "markdown", "terminal", "cases of the page", "details of the page"):
        assert "70,002 characters" in texts[form], form


# ---- garbage collection


@pytest.fixture(autouse=True)
def settings():
    """The collector as it was, whatever a test does to it."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.enable()


def state():
    return gc.get_threshold(), gc.isenabled()


def test_the_threshold_is_restored():
    before = state()
    with _relaxed_gc():
        assert gc.get_threshold()[0] > before[0][0]
    assert state() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, ValueError])
def test_the_threshold_is_restored_after_an_error(error):
    before = state()
    with pytest.raises(error), _relaxed_gc():
        raise error
    assert state() == before


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(gc.disable, id="disabled"),
        pytest.param(lambda: gc.set_threshold(0), id="no-threshold"),
    ],
)
def test_a_collector_that_is_off_stays_off(setting):
    setting()
    before = state()
    with _relaxed_gc():
        assert state() == before
    assert state() == before


def test_a_larger_threshold_stays():
    gc.set_threshold(1_000_000, 7, 7)
    with _relaxed_gc():
        assert gc.get_threshold()[0] == 1_000_000
    assert gc.get_threshold()[0] == 1_000_000


def test_cycles_are_collected():
    """Cycles of a library that runs in this process are collected."""

    class Node:
        def __init__(self):
            self.own = self

    with _relaxed_gc():
        first = weakref.ref(Node())
        cycles = [[] for _ in range(200_000)]
        assert first() is None
    assert len(cycles) == 200_000


def test_a_run_collects_less_often(corpus):
    seen = []
    writer = open_results(io.BytesIO(), corpus, corpus.cases[:3])
    run(find("urllib"), corpus.cases[:3], writer, Limits(), progress=lambda *_: seen.append(state()))
    writer.close()
    assert all(threshold[0] > gc.get_threshold()[0] for threshold, _ in seen)
    assert len(seen) == 3


# ---- claimed RFCs first

#: Right in one RFC, and ended by every question of others.
ADAPTER = """
import json, os, sys
BASES = {"rfc3986": 1}
print(json.dumps({"type": "hello", "protocol": 1, "ops": ["resolve"], "specs": CLAIMED, "window": 16,
                  "implementation": {"name": "mine", "version": "1", "language": "python"}}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "bye":
        break
    if question["type"] == "hello":
        continue
    BASES[question["spec"]]
    print(json.dumps({"id": question["id"], "status": "ok", "url": "http://a/b/c/g"}), flush=True)
"""


@pytest.fixture
def judged(urlconform, tmp_path):
    """The run of such an adapter, which claims these RFCs, by the named ones."""

    def run(claimed, *options):
        (tmp_path / "mine.py").write_text(ADAPTER.replace("CLAIMED", repr(claimed)), "utf-8")
        return urlconform("run", "jsonl:python3 mine.py", *options)

    return run


def test_claimed_rfcs_are_asked_first(judged, tmp_path):
    """Otherwise the adapter could be given up for crashes in RFCs that are not judged."""
    judged(["rfc3986"], "--section", "5.4.2", "--section", "5.2", "-k", "excess", "--report", "json=r")
    specs_asked = [
        name.partition("-")[0] for name in read_results(tmp_path / "r").of("jsonl:python3 mine.py")
    ]
    assert len(set(specs_asked)) > 1
    assert specs_asked == sorted(specs_asked, key=lambda spec: spec != "rfc3986")


def test_an_adapter_that_was_given_up_shows_its_last_fatal_case(make_case, record):
    """Cases that were not asked show nothing."""
    why = "it had to be started again more than 2 times; the last time: exit code 1"
    ends = ("crash", "timeout", "fail", "aborted", "aborted")
    outcomes = {f"rfc3986-3-{number}": end for number, end in enumerate(ends)}
    cases = [make_case(name) for name in outcomes]
    results = [Result(name, "lib", Outcome(outcome), detail=why) for name, outcome in outcomes.items()]
    (judgement,) = decide(record(cases, Participant("lib", "ran"), *results), ["lib"]).judgements
    assert judgement.shown == "rfc3986-3-1"
    assert judgement.code == Exit.ADAPTER_DEAD
    assert judgement.reason.endswith(f"2 aborted, 1 crash, 1 fail, 1 timeout: {why}")


# ---- --maxfail

SECTION = {"spec": "rfc3986", "section": "5.4.1"}


LIB_HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "lib", "version": "1"},
    "ops": ["resolve"],
    "specs": ["rfc3986"],
}


LIB = InProcess("lib", lambda: (LIB_HELLO, lambda _: {"status": "ok", "url": "x"}))


@pytest.fixture(scope="module")
def section_cases(corpus):
    return [case for case in corpus.cases if (case.spec, case.section) == ("rfc3986", "5.4.1")]


@pytest.fixture
def stopped(corpus, section_cases, tmp_path):
    """A run of an adapter that is wrong throughout, stopped at so many failures by this list."""

    def ask(maxfail, listed=()):
        entries = [
            Entry(case.vector.id, "fail", {"status": "ok", "url": "x"}, locked_vector(case).digest)
            for case in listed
        ]
        baseline = Baseline("urlbaseline-2", corpus.digest, "lib", ("rfc3986",), tuple(entries))
        writer = open_results((tmp_path / "r").open("wb"), corpus, section_cases)
        counts = failure_test(["lib"], (), PLAIN, {"lib": baseline})
        run(LIB, section_cases, writer, Limits(), maxfail=maxfail, counts=counts)
        writer.close()
        return read_results(tmp_path / "r"), baseline

    return ask


def judgement_of(results, baseline):
    (judgement,) = decide(results, ["lib"], baselines={"lib": baseline}).judgements
    return judgement


def test_listed_failures_do_not_count(stopped, section_cases):
    results, baseline = stopped(2, section_cases)
    assert results.complete
    assert results.stopped == {}
    assert len(results.of("lib")) == len(section_cases)
    assert judgement_of(results, baseline).code is Exit.PASSED
    results, baseline = stopped(2, section_cases[3:-2])
    assert len(results.of("lib")) == 2
    assert results.stopped == {"lib": 2}
    results, baseline = stopped(4, section_cases[3:-2])
    assert len(results.of("lib")) == len(section_cases) - 1
    assert results.stopped == {"lib": 4}
    assert judgement_of(results, baseline).code is Exit.FAILED


@pytest.mark.parametrize("maxfail", [0, -1])
def test_maxfail_below_1_is_refused(corpus, section_cases, maxfail):
    """Such a limit would stop every run, or none."""
    writer = open_results(io.BytesIO(), corpus, section_cases)
    with pytest.raises(ValueError, match=f"maxfail is {maxfail}; it must be at least 1"):
        run(LIB, section_cases, writer, Limits(), maxfail=maxfail)
    writer.close()


def test_a_listed_failure_that_changed_counts(stopped, section_cases):
    results, baseline = stopped(None, section_cases)
    other_entry = structs.replace(baseline.entries[0], got={"status": "ok", "url": "y"})
    counts = failure_test(["lib"], (), PLAIN, {"lib": structs.replace(baseline, entries=(other_entry,))})
    (participant,) = results.participants
    assert counts(participant, section_cases[0], results.of("lib")[other_entry.id], "")
    assert not failure_test(["lib"], (), PLAIN, {"lib": baseline})(
        participant, section_cases[0], results.of("lib")[other_entry.id], ""
    )


def test_only_judged_cases_count(make_case, stopped, section_cases):
    results, _ = stopped(None)
    participant = results.participants[0]
    result = next(iter(results.of("lib").values()))
    other_case = make_case("rfc1808-5.2-x")
    assert failure_test(["lib"], (), PLAIN, {})(participant, section_cases[0], result, "")
    assert not failure_test(["lib"], (), PLAIN, {})(participant, other_case, result, "")
    assert failure_test([], (), PLAIN, {})(participant, other_case, result, ""), "in a survey everything does"


def test_a_run_that_fails_at_the_last_case_is_complete(stopped, section_cases):
    results, _ = stopped(len(section_cases))
    assert results.complete
    assert results.stopped == {}


@pytest.mark.parametrize("code", [Exit.PASSED, Exit.STALE, Exit.FAILED])
def test_a_stopped_run_has_not_passed(stopped, section_cases, code):
    """The run fails with known failures, with a stale entry and with a regression."""
    results, _ = stopped(3)
    cases_asked = [results.vectors[name].case for name in results.of("lib")]
    _, whole = stopped(None, cases_asked if code is not Exit.FAILED else ())
    if code is Exit.STALE:
        results = structs.replace(
            results,
            results={
                "lib": {
                    name: structs.replace(of, outcome=Outcome.PASS) for name, of in results.of("lib").items()
                }
            },
        )
    judgement = judgement_of(results, whole)
    assert judgement.code is Exit.FAILED
    assert "stopped at 3 failures, after 3 cases" in judgement.reason
    done = judgement_of(structs.replace(results, stopped={}), whole)
    assert done.code is code, "without the cut"
    if code is Exit.PASSED:
        assert done.reason == "lib: passed; 3 known failures, all in the baseline"


def test_asked_entries_are_counted(stopped, section_cases):
    """A run that asked three of 23 entries counts three."""
    results, _ = stopped(3)
    _, whole = stopped(None, section_cases)
    done = judgement_of(structs.replace(results, stopped={}), whole)
    assert done.reason == f"lib: passed; 3 of {len(section_cases)} known failures, all in the baseline"


def test_every_report_says_that_the_run_was_stopped(stopped, section_cases):
    results, baseline = stopped(2, section_cases[3:])
    judgements = [judgement_of(results, baseline)]
    assert missing(results) == [
        "lib: stopped at 2 failures, after 2 cases.",
        f"lib: 2 of {len(section_cases)} vectors have an outcome.",
    ]
    page = markdown.render(results, judgements)
    assert page.startswith("## ❌ ")
    assert "stopped at 2 failures" in page
    assert "✅" not in page
    assert "::error title=incomplete run::" in github.render(results, judgements)
    assert "The run was cut short" in junit.render(results)
    assert "run cut short" in badge.render(results)


def test_a_stopped_report_does_not_pass_its_gate():
    library = functions("library", "1", specs=["rfc3986"], resolve="{0}{1}x".format)
    report = run_report(library, **SECTION)
    baseline = create(report.results, report.results.participants[0], ["rfc3986"])
    assert report.gate(baseline).passed
    cut = run_report(library, **SECTION, maxfail=3)
    gate = cut.gate(baseline)
    assert not gate.passed
    assert len(cut.outcomes) == 3
    assert gate.code == Exit.FAILED
    assert re.search("stopped at 3 failures, after 3 cases; .* the rest was not judged", gate.reasons[0])


def test_no_baseline_is_made_of_a_stopped_run(tmp_path, monkeypatch, capsys):
    from urlharness.cli import cli
    from urlharness.cli.output import exit_code_of

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    text = "def answer(question): return {'status': 'error'}\nanswer.hello = {'ops': ['resolve']}\n"
    (tmp_path / "mine_stopped.py").write_text(text, "utf-8")
    importlib.invalidate_caches()
    selection = ("--spec", "1808", "--section", "5.1")
    ask = ("run", "python:mine_stopped:answer", *selection, "--maxfail", "2", "--report", "json=r.jsonl")
    assert cli.main(ask, "urlconform", standalone_mode=False) == Exit.FAILED
    assert "stopped at 2 failures" in capsys.readouterr().err
    with pytest.raises(Exception, match="a baseline needs a complete run") as error:
        cli.main(("baseline", "create", "r.jsonl", "-o", "b"), "urlconform", standalone_mode=False)
    assert exit_code_of(error.value) == Exit.INVALID_FILE
    assert not (tmp_path / "b").exists()
