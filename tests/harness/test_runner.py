"""Put cases to one adapter and record every result."""

from __future__ import annotations

import errno
import gc
import importlib
import io
import re
import sys
import time
import weakref
from dataclasses import replace

import pytest
from msgspec import structs
from rich.console import Console

from urlharness import functions
from urlharness import run as run_report
from urlharness.adapters.registry import InProcess, find
from urlharness.cli import cli
from urlharness.cli.output import report_error
from urlharness.corpus.lock import abbreviated_case, locked_vector
from urlharness.corpus.longtext import abbreviation
from urlharness.corpus.model import INPUTS, OPERATIONS, Vector
from urlharness.corpus.specifications import DEFAULT_SPECS, SPECS
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import findings, vector_finding
from urlharness.gate.gate import decide, failure_test
from urlharness.gate.policy import PLAIN
from urlharness.gate.update import create
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question
from urlharness.report import RENDERERS, badge, github, junit, markdown, render, terminal
from urlharness.report.html.cases import data_blocks
from urlharness.results.coverage import missing_in_words
from urlharness.results.model import Header, Participant, Result, ResultsError, ResultsWriter, read_results
from urlharness.results.verdict import Outcome
from urlharness.runner import _relaxed_gc, open_results, question, run

HELLO = {"implementation": {"name": "x", "version": "1"}, "protocol": 1, "ops": list(OPERATIONS), "specs": []}


@pytest.fixture
def cases(cases_of_section):
    return cases_of_section("rfc1808", "5.1")


@pytest.fixture
def second_case(cases):
    _first, case, *_ = cases
    return case


@pytest.fixture
def record_run(corpus, tmp_path):
    """Return a function that runs adapters over cases, and returns the results."""

    def call(cases, *adapters, **options):
        path = tmp_path / "r.jsonl"
        writer = open_results(path.open("wb"), corpus, cases)
        for adapter in adapters:
            run(adapter, cases, writer, Limits(start=1000, case=1000), **options)
        writer.close()
        return read_results(path)

    return call


def function(answer, **hello) -> InProcess:
    """Return an adapter of a function, with these fields in its hello."""
    return InProcess("mine", lambda: ({**HELLO, **hello}, answer))


def test_a_question_has_no_field_that_tells_the_answer():
    secret = {"expect", "binding", "requirement", "level", "class_", "ruling", "comment"}
    assert secret <= set(Vector.__struct_fields__)
    assert secret.isdisjoint(set(Question.__struct_fields__))


@pytest.mark.parametrize("name", ["op", *INPUTS])
def test_a_field_of_a_question_is_that_of_its_vector(corpus, name):
    fields_asked = {case.vector.id: getattr(question(case), name) for case in corpus.cases}
    assert fields_asked == {case.vector.id: getattr(case.vector, name) for case in corpus.cases}


def test_operations_that_are_not_offered_are_unsupported(record_run, cases):
    questions = []
    results = record_run(cases, function(questions.append, ops=["parse"])).of("mine").values()
    assert questions == []
    assert {answer.outcome for answer in results} == {"unsupported"}
    assert {answer.detail for answer in results} == {"no resolve"}


#: The limit for one case, and a sleep that takes longer than it, but not than that of the second try.
SHORT, LONGER = 0.3, 0.5


@pytest.fixture
def run_late(corpus, cases, tmp_path):
    """Return a function that runs cases with a function that may answer too late, and a short limit."""

    def call(answer, count=1, **limits):
        path = tmp_path / "r.jsonl"
        writer = open_results(path.open("wb"), corpus, cases[:count])
        run(function(answer), cases[:count], writer, Limits(start=1000, case=SHORT, **limits))
        writer.close()
        return list(read_results(path).of("mine").values())

    return call


def late_answers(*seconds):
    """Return a function that accepts each question after the next of these times, and at once after them."""
    remaining = list(seconds)

    def answer(_question):
        if remaining:
            time.sleep(remaining.pop(0))
        return {"status": "ok", "url": "x:y"}

    return answer


def test_a_question_that_timed_out_is_asked_again(run_late):
    (answer,) = run_late(late_answers(LONGER))
    assert answer.outcome == "fail"
    assert answer.got["url"] == "x:y"
    assert answer.stderr == "asked again after: no answer within 0.3 s"


def test_the_second_try_has_more_time(run_late):
    (answer,) = run_late(late_answers(LONGER, LONGER))
    assert answer.outcome == "fail"


def test_what_times_out_twice_is_a_timeout(run_late):
    (answer,) = run_late(lambda _question: time.sleep(1000))
    assert answer.outcome == "timeout"
    assert answer.detail == "no answer within 0.3 s"


def test_questions_are_asked_once_after_three_that_timed_out_twice(run_late):
    questions = []

    def answer(fields):
        questions.append(fields["reference"])
        time.sleep(1000)

    outcomes = [answer.outcome for answer in run_late(answer, count=5)]
    assert outcomes == ["timeout"] * 5
    assert len(questions) == 5 + 3


def test_a_limited_total_time_leaves_none_for_a_second_try(run_late):
    (answer,) = run_late(late_answers(LONGER), total=1000)
    assert answer.outcome == "timeout"


@pytest.fixture
def cases_of_six(corpus, monkeypatch):
    """A case of each of the five RFCs, and of an RFC 9999 that is new in the table of specifications."""
    monkeypatch.setitem(SPECS, "rfc9999", replace(SPECS["rfc3986"], id="rfc9999"))
    first_cases = {case.spec: case for case in reversed(corpus.cases) if case.spec in DEFAULT_SPECS}
    last = first_cases["rfc3986"]
    vector = structs.replace(last.vector, id="rfc9999-1-new")
    return [*reversed(first_cases.values()), structs.replace(last, spec="rfc9999", vector=vector)]


def accept(_):
    return {"status": "ok"}


#: An adapter, and the names of the RFCs that it is asked about.
CLAIMS = {
    "none": ([], DEFAULT_SPECS),
    "one-of-the-five": (["rfc1808"], DEFAULT_SPECS),
    "the-new-one": (["rfc9999"], (*DEFAULT_SPECS, "rfc9999")),
}


@pytest.mark.parametrize(("claims", "asked"), CLAIMS.values(), ids=CLAIMS)
def test_a_new_rfc_is_asked_only_if_it_is_claimed(cases_of_six, record_run, claims, asked):
    results = record_run(cases_of_six, function(accept, specs=claims))
    assert {results.vectors[identifier].case.spec for identifier in results.of("mine")} == {*asked}


@pytest.mark.parametrize(("claims", "asked"), CLAIMS.values(), ids=CLAIMS)
def test_the_results_have_no_vectors_of_an_rfc_that_no_adapter_is_asked_about(
    cases_of_six, record_run, claims, asked
):
    results = record_run(cases_of_six, function(accept, specs=claims))
    assert {kind.spec for kind in results.asked} == {*asked}
    assert {vector.case.spec for vector in results.vectors.values()} == {*asked}


@pytest.fixture
def results_of_a_claim(cases_of_six, record_run):
    """The results of two adapters, of which only `claiming` claims RFC 9999."""
    claiming = InProcess("claiming", lambda: ({**HELLO, "specs": ["rfc9999"]}, accept))
    return record_run(cases_of_six, function(accept), claiming)


def test_only_the_adapter_that_claims_an_rfc_is_asked_about_it(results_of_a_claim, cases_of_six):
    assert len(results_of_a_claim.of("mine")) == len(DEFAULT_SPECS)
    assert len(results_of_a_claim.of("claiming")) == len(cases_of_six)


def test_the_vectors_of_an_rfc_that_one_adapter_claims_count_as_asked(results_of_a_claim, cases_of_six):
    assert sum(results_of_a_claim.asked.values()) == len(cases_of_six)


def test_the_results_of_an_adapter_alone_count_the_vectors_that_it_was_asked(results_of_a_claim):
    assert sum(results_of_a_claim.only(["mine"]).asked.values()) == len(DEFAULT_SPECS)


def test_progress_counts_only_cases_that_are_asked(cases_of_six, record_run):
    seen = []
    record_run(cases_of_six, function(accept), progress=lambda _, done, total: seen.append((done, total)))
    assert seen[-1] == (len(DEFAULT_SPECS), len(DEFAULT_SPECS))


@pytest.fixture
def mode_cases(corpus):
    """The cases of both modes of normalization."""
    cases = [
        case
        for case in corpus.cases
        if case.vector.op in ("normalize", "equivalent") and case.spec in DEFAULT_SPECS
    ]
    assert {mode_of(case.vector) for case in cases} == {"syntax", "scheme"}
    return cases


def mode_of(vector):
    return vector.mode or "syntax"


@pytest.mark.parametrize("modes", [["syntax"], ["scheme"], ["syntax", "scheme"], []], ids=str)
def test_only_offered_modes_are_asked(mode_cases, record_run, modes):
    modes_asked = set()

    def reject(asked_question):
        modes_asked.add(asked_question.get("mode", "syntax"))
        return {"status": "reject"}

    record_run(mode_cases, function(reject, modes=modes))
    assert modes_asked == set(modes)


@pytest.mark.parametrize(("offered", "missing"), [("syntax", "scheme"), ("scheme", "syntax")])
def test_normalization_in_a_mode_that_is_not_offered_is_unsupported(mode_cases, record_run, offered, missing):
    answers = record_run(mode_cases, function(lambda _: {"status": "reject"}, modes=[offered])).of("mine")
    not_offered = [
        answers[case.vector.id]
        for case in mode_cases
        if case.vector.op == "normalize" and mode_of(case.vector) == missing
    ]
    assert {answer.outcome for answer in not_offered} == {"unsupported"}
    assert {answer.detail for answer in not_offered} == {f"no normalize in mode {missing}"}


def test_the_participant_has_the_modes_of_the_hello(record_run, cases):
    results = record_run(cases[:1], function(lambda _: {"status": "reject"}, modes=["syntax"]))
    (participant,) = results.participants
    assert participant.modes == ("syntax",)


#: Answers in the reverse order, eight at once or as many as have been asked.
REVERSING = """
waiting = []

def right(message):
    waiting.insert(0, {"id": message["id"], "status": "ok", "url": message["reference"]})
    more_questions = select.select([0], [], [], 0.05)[0]
    if not more_questions or len(waiting) == 8:
        while waiting:
            send_answer(waiting.pop(0))

send_answer = send

def send(message, end="\\n"):
    if message:
        send_answer(message, end)
"""


def test_results_come_in_the_order_of_the_cases(record_run, adapter, cases):
    """In whatever order the answers come."""
    results = record_run(cases, find(f"jsonl:{' '.join(adapter(REVERSING, 8))}"))
    (name,) = results.results
    assert list(results.of(name)) == [case.vector.id for case in cases]
    answers = [answer.got["url"] for answer in results.of(name).values()]
    assert answers == [case.vector.reference for case in cases]


@pytest.fixture
def recovered_run(record_run, cases, second_case, tmp_path):
    """The results of an adapter that crashed once at the second case and answered the repeat."""
    sign = tmp_path / "crashed"
    path = tmp_path / "once.py"
    path.write_text(
        f"""import json, os, sys
hello = {HELLO!r}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{**hello, "type": "hello"}}), flush=True)
    elif message["type"] == "run":
        if message["reference"] == {second_case.vector.reference!r} and not os.path.exists({str(sign)!r}):
            open({str(sign)!r}, "w").close()
            raise RuntimeError("boom")
        print(json.dumps({{"id": message["id"], "status": "reject"}}), flush=True)
""",
        "utf-8",
    )
    return record_run(cases[:4], find(f"jsonl:{sys.executable} {path}"))


def test_a_crash_that_does_not_happen_again_is_recorded_with_its_question(recovered_run, second_case):
    (answers,) = recovered_run.results.values()
    asked_again = answers.pop(second_case.vector.id)
    assert asked_again.outcome == "fail"
    assert asked_again.stderr.startswith("asked again after: exit code 1\nTraceback ")
    assert "RuntimeError: boom" in asked_again.stderr
    assert [answer.stderr for answer in answers.values()] == [""] * 3


def test_the_terminal_names_the_question_of_a_crash_that_does_not_happen_again(recovered_run, second_case):
    stream = io.StringIO()
    terminal.print_summary(Console(file=stream, width=400), recovered_run)
    end = f"first at the question {second_case.vector.id}: exit code 1; it wrote: RuntimeError: boom"
    assert end in " ".join(stream.getvalue().split())


def test_the_time_of_a_slow_answer_is_recorded(record_run, cases, second_case):
    def slow(question):
        if question["reference"] == second_case.vector.reference:
            time.sleep(0.05)
        return {"status": "unsupported"}

    (answers,) = record_run(cases[:2], function(slow)).results.values()
    assert answers[second_case.vector.id].seconds >= 0.05


def test_the_time_of_a_fast_answer_is_not_recorded(record_run, cases, monkeypatch):
    monkeypatch.setattr("urlharness.runner.LEAST_TIME", 10**6)
    (answers,) = record_run(cases, function(lambda _: {"status": "unsupported"})).results.values()
    assert {answer.seconds for answer in answers.values()} == {0}


def test_progress_is_reported_for_each_case(record_run, cases):
    reports = []
    record_run(cases, find("urllib"), progress=lambda *news: reports.append(news))
    assert reports == [("urllib", count, len(cases)) for count in range(1, len(cases) + 1)]


@pytest.mark.parametrize("limit", [1, 3])
def test_maxfail_counts_failures_of_required_vectors(record_run, cases, limit):
    results = record_run(cases, function(lambda _: {"status": "error"}), find("reference"), maxfail=limit)
    assert len(results.of("mine")) == limit
    assert len(results.of("reference")) == len(cases)


def test_adapters_that_do_not_start_truncate_no_record(record_run, cases):
    """One has a false hello, the others are missing."""
    lying = function(lambda _: {}, window="wide")
    results = record_run(
        cases, find("jsonl:/no/such"), lying, find("python:no_such_module:f"), find("urllib")
    )
    assert [participant.state for participant in results.participants] == ["dead", "dead", "dead", "ran"]
    assert len(results.of("urllib")) == len(cases)
    assert {answer.outcome for answer in results.of("urllib").values()} == {"pass", "fail"}


@pytest.fixture
def results_after_crashes(record_run, adapter, cases):
    """The results of an adapter that crashes at every question, and of urllib after it."""
    crashing = find(f"jsonl:{' '.join(adapter('def right(message): os._exit(1)'))}")
    return record_run(cases, crashing, find("urllib"))


def test_an_adapter_that_crashes_has_an_outcome_for_each_case(results_after_crashes, cases):
    crashing, _ = results_after_crashes.participants
    assert crashing.state == "ran"
    answers = results_after_crashes.of(crashing.name)
    assert [answer.outcome for answer in answers.values()] == ["crash"] * len(cases)


def test_an_adapter_that_crashes_truncates_no_record(results_after_crashes, cases):
    answers = results_after_crashes.of("urllib")
    assert len(answers) == len(cases)
    assert {answer.outcome for answer in answers.values()} == {"pass", "fail"}


#: An offset beyond every text.
WRONG_OFFSET = 10**6


@pytest.mark.parametrize(("name", "outcome"), [("mine", "pass"), ("reference", "fail")])
def test_only_the_reference_must_know_the_offset_of_a_fault(record_run, corpus, name, outcome):
    """It is recognised by its name."""
    invalid = [case for case in corpus.cases if case.vector.expect.valid is False]
    rejecting = InProcess(name, lambda: (HELLO, lambda _: {"status": "reject", "at": WRONG_OFFSET}))
    results = record_run(invalid[:5], rejecting).of(name)
    assert {answer.outcome for answer in results.values()} == {outcome}


def test_results_are_written_before_the_end(cases):
    stream = io.BytesIO()
    header = Header("urlresults-1", "1", "0", (), "2026-01-01T00:00:00+00:00", "here", "3")
    writer = ResultsWriter(stream, header)
    run(find("urllib"), cases, writer, Limits())
    assert stream.getvalue().count(b"\n") == 1 + 1 + len(cases)  # header, implementation, cases


#: A URL and a message that are too long for a record.
LONG_URL = "http://h/" + "u" * 20_000
LONG_MESSAGE = "m" * 10**6
LONG_REPLIES = [
    pytest.param({"status": "error", "message": LONG_MESSAGE}, id="error"),
    pytest.param({"status": "reject", "message": LONG_MESSAGE}, id="reject"),
    pytest.param({"status": "ok", "message": LONG_MESSAGE, "url": LONG_URL}, id="ok"),
]


@pytest.mark.parametrize("reply", LONG_REPLIES)
def test_a_long_message_of_an_answer_is_cut(record_run, cases, reply):
    (answer,) = record_run(cases[:1], function(lambda _: reply)).of("mine").values()
    assert answer.got["message"] == "m" * 10_000 + "… (and 990,000 characters more)"


def test_a_long_message_is_cut_in_the_detail_of_an_outcome(record_run, cases):
    reply = {"status": "reject", "message": LONG_MESSAGE}
    (answer,) = record_run(cases[:1], function(lambda _: reply)).of("mine").values()
    beginning = "rejected: " + "m" * 10_000
    assert answer.detail == beginning[:10_000] + "… (and 990,010 characters more)"


def test_a_long_url_of_an_answer_is_abbreviated(record_run, cases):
    results = record_run(cases, function(lambda _: {"status": "ok", "url": LONG_URL})).of("mine").values()
    assert {answer.got["url"] for answer in results} == {abbreviation(LONG_URL)}


@pytest.fixture
def long_case(make_case):
    """A case whose URL and whose answer are too long for a record."""
    text = "b" * 70_000
    return make_case("rfc3986-3-x", op="normalize", url=f"A:{text}", expect={"result": f"a:{text}"})


#: Answers to that case, and their outcomes; they have the same first 80 characters.
LONG_ANSWERS = [
    pytest.param("b" * 70_000, "pass", id="right"),
    pytest.param("b" * 69_999 + "c", "fail", id="last-character"),
    pytest.param("b" * 65_535, "fail", id="cut"),
]


@pytest.mark.parametrize(("rest", "outcome"), LONG_ANSWERS)
def test_a_long_answer_is_judged_as_a_whole(record_run, long_case, rest, outcome):
    results = record_run([long_case], function(lambda _: {"status": "ok", "url": "a:" + rest}))
    (recorded_answer,) = results.of("mine").values()
    assert recorded_answer.outcome == outcome


def test_a_long_answer_is_recorded_in_short(record_run, long_case):
    url = "a:" + "b" * 70_000
    results = record_run([long_case], function(lambda _: {"status": "ok", "url": url}))
    (recorded_answer,) = results.of("mine").values()
    assert recorded_answer.got["url"] == abbreviation(url)


def test_a_long_case_is_recorded_in_short(record_run, long_case):
    results = record_run([long_case], function(lambda _: {"status": "reject"}))
    assert results.vectors[long_case.vector.id].case == abbreviated_case(long_case)


def test_a_results_file_has_neither_a_long_case_nor_a_long_answer(record_run, long_case, tmp_path):
    record_run([long_case], function(lambda _: {"status": "ok", "url": "a:" + "b" * 65_535}))
    assert b"b" * 100 not in (tmp_path / "r.jsonl").read_bytes()


@pytest.fixture
def run_with_answer(record_run, long_case):
    """Return a function that asks the long case of an adapter whose wrong answer ends in a character."""

    def answer(last_character):
        url = "a:" + "b" * 69_999 + last_character
        return record_run([long_case], function(lambda _: {"status": "ok", "url": url}))

    return answer


@pytest.fixture
def long_baseline(run_with_answer):
    """A baseline with the answer that ends in c."""
    results = run_with_answer("c")
    (participant,) = results.participants
    return create(results, participant)


def test_an_entry_of_a_baseline_has_the_abbreviated_answer(long_baseline, long_case):
    (entry,) = long_baseline.entries
    assert entry.got["url"] == abbreviation("a:" + "b" * 69_999 + "c")
    assert entry.digest == locked_vector(long_case).digest


@pytest.mark.parametrize(("last_character", "kinds"), [("c", []), ("d", ["changed"])], ids=["same", "other"])
def test_a_baseline_distinguishes_long_answers(run_with_answer, long_baseline, last_character, kinds):
    results = run_with_answer(last_character)
    assert [finding.kind for finding in findings(long_baseline, results, "mine")] == kinds


def test_a_long_answer_of_the_baseline_is_no_finding_in_pytest(run_with_answer, long_baseline, long_case):
    """Pytest judges the case of the corpus, which is not abbreviated."""
    (entry,) = long_baseline.entries
    answer = run_with_answer("c").of("mine")[long_case.vector.id]
    assert vector_finding(entry, long_case, answer) is None


@pytest.fixture
def reports(record_run, long_case):
    """Every report on a wrong answer to the long case, by format; and the parts of the page as they are."""
    results = record_run([long_case], function(lambda _: {"status": "ok", "url": "a:" + "c" * 70_000}))
    console = Console(file=io.StringIO(), width=200)
    terminal.print_first_failures(console, results, "mine")
    texts = {form: render(form, results) for form in RENDERERS}
    texts["terminal"] = console.file.getvalue()
    listed, details, _ = data_blocks(results, {})  # the page has them compressed
    texts["cases of the page"] = listed.decode()
    texts["details of the page"] = details.decode()
    return texts


def test_no_report_has_a_long_text(reports):
    assert [form for form, text in reports.items() if "b" * 100 in text] == []
    assert [form for form, text in reports.items() if "c" * 100 in text] == []


@pytest.mark.parametrize(
    "form", ["junit", "markdown", "terminal", "cases of the page", "details of the page"]
)
def test_a_report_says_how_long_an_abbreviated_text_is(reports, form):
    assert "70,002 characters" in reports[form]


# ---- garbage collection


@pytest.fixture(autouse=True)
def _restored_collector():
    """Begin with the default threshold of Python, and restore the settings whatever a test does to them."""
    before = gc.get_threshold()
    gc.set_threshold(700)
    yield
    gc.set_threshold(*before)
    gc.enable()


def collector_settings():
    return gc.get_threshold(), gc.isenabled()


def test_the_threshold_of_the_collector_is_higher_during_a_run():
    threshold_before, *_ = gc.get_threshold()
    with _relaxed_gc():
        threshold, *_ = gc.get_threshold()
    assert threshold > threshold_before


def test_the_threshold_is_restored_after_a_run():
    before = collector_settings()
    with _relaxed_gc():
        pass
    assert collector_settings() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, ValueError])
def test_the_threshold_is_restored_after_an_error(error):
    before = collector_settings()
    with pytest.raises(error), _relaxed_gc():
        raise error
    assert collector_settings() == before


@pytest.mark.parametrize(
    "turn_off",
    [
        pytest.param(gc.disable, id="disabled"),
        pytest.param(lambda: gc.set_threshold(0), id="no-threshold"),
    ],
)
def test_a_collector_that_is_off_stays_off(turn_off):
    turn_off()
    before = collector_settings()
    with _relaxed_gc():
        assert collector_settings() == before
    assert collector_settings() == before


def test_a_larger_threshold_stays():
    gc.set_threshold(1_000_000, 7, 7)
    with _relaxed_gc():
        assert gc.get_threshold()[0] == 1_000_000
    assert gc.get_threshold()[0] == 1_000_000


class FailingStream(io.BytesIO):
    """Stops with an error when the first line is written."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, _):
        raise self.error


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "disk full"), KeyboardInterrupt()], ids=["disk-full", "interrupt"]
)
def test_a_file_is_free_if_its_header_cannot_be_written(corpus, cases, error):
    stream = FailingStream(error)
    with pytest.raises(type(error)):
        open_results(stream, corpus, cases)
    assert stream.closed


def test_cycles_are_collected():
    """Cycles of a library that runs in this process are collected."""

    class Node:
        def __init__(self):
            self.itself = self

    with _relaxed_gc():
        node = weakref.ref(Node())
        objects = [[] for _ in range(200_000)]  # so many that the collector runs
        assert node() is None
    assert len(objects) == 200_000


def test_a_run_collects_less_often(corpus):
    thresholds = []
    writer = open_results(io.BytesIO(), corpus, corpus.cases[:3])

    def note_threshold(*_):
        threshold, *_ = gc.get_threshold()
        thresholds.append(threshold)

    run(find("urllib"), corpus.cases[:3], writer, Limits(), progress=note_threshold)
    writer.close()
    threshold_after, *_ = gc.get_threshold()
    assert len(thresholds) == 3
    assert min(thresholds) > threshold_after


# ---- claimed RFCs first

#: Right in RFC 3986, and ended by every question of another RFC.
ADAPTER = """
import json, sys

HELLO = {
    "type": "hello", "protocol": 1, "ops": ["resolve"], "specs": CLAIMED, "window": 16,
    "implementation": {"name": "mine", "version": "1", "language": "python"},
}
print(json.dumps(HELLO), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "bye":
        break
    if question["type"] == "hello":
        continue
    if question["spec"] != "rfc3986":
        sys.exit(1)
    print(json.dumps({"id": question["id"], "status": "ok", "url": "http://a/b/c/g"}), flush=True)
"""


@pytest.fixture
def run_of_crashing(urlconform, tmp_path):
    """Return a function that runs such an adapter, which claims these RFCs, with options."""

    def run(claimed, *options):
        (tmp_path / "mine.py").write_text(ADAPTER.replace("CLAIMED", repr(claimed)), "utf-8")
        return urlconform("run", "jsonl:python3 mine.py", *options)

    return run


def test_claimed_rfcs_are_asked_first(run_of_crashing, tmp_path):
    """So an adapter is not given up for crashes in RFCs that are not judged before it has answered these."""
    run_of_crashing(
        ["rfc3986"], "--section", "5.4.2", "--section", "5.2", "-k", "excess", "--report", "json=r"
    )
    specs_asked = [
        name.partition("-")[0] for name in read_results(tmp_path / "r").of("jsonl:python3 mine.py")
    ]
    assert len(set(specs_asked)) > 1
    claimed = specs_asked.count("rfc3986")
    assert claimed > 0
    assert specs_asked[:claimed] == ["rfc3986"] * claimed


#: Why the adapter below was given up.
GIVEN_UP = "it had to be started again more than 2 times; the last time: exit code 1"


@pytest.fixture
def judgement_of_given_up(make_case, record):
    """The judgement on an adapter that was given up after three cases; the second was the last fatal one."""
    outcomes = {
        "rfc3986-3-crash": "crash",
        "rfc3986-3-timeout": "timeout",
        "rfc3986-3-fail": "fail",
        "rfc3986-3-not-asked": "aborted",
        "rfc3986-3-not-asked-either": "aborted",
    }
    cases = [make_case(name) for name in outcomes]
    results = [Result(name, "lib", Outcome(outcome), detail=GIVEN_UP) for name, outcome in outcomes.items()]
    (judgement,) = decide(record(cases, Participant("lib", "ran"), *results), ["lib"]).judgements
    return judgement


def test_an_adapter_that_was_given_up_shows_its_last_fatal_case(judgement_of_given_up):
    """Cases that were not asked show nothing."""
    assert judgement_of_given_up.example_id == "rfc3986-3-timeout"


def test_an_adapter_that_was_given_up_counts_as_dead(judgement_of_given_up):
    assert judgement_of_given_up.code == Exit.ADAPTER_DEAD


def test_the_judgement_counts_the_outcomes_of_an_adapter_that_was_given_up(judgement_of_given_up):
    assert judgement_of_given_up.reason.endswith(f"2 aborted, 1 crash, 1 fail, 1 timeout: {GIVEN_UP}")


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
def section_cases(cases_of_section):
    return cases_of_section("rfc3986", "5.4.1")


@pytest.fixture
def run_stopped(corpus, section_cases, tmp_path):
    """Return a function that runs an adapter that is wrong throughout, until `maxfail` failures.

    The baseline, which it returns too, has the failures of the `listed` cases, which do not count.
    """

    def ask(maxfail, listed=()):
        entries = [
            Entry(case.vector.id, "fail", {"status": "ok", "url": "x"}, locked_vector(case).digest)
            for case in listed
        ]
        baseline = Baseline("urlbaseline-2", corpus.digest, "lib", ("rfc3986",), tuple(entries))
        writer = open_results((tmp_path / "r").open("wb"), corpus, section_cases)
        counts = failure_test(named=["lib"], specs=(), policy=PLAIN, baselines={"lib": baseline})
        run(LIB, section_cases, writer, Limits(), maxfail=maxfail, is_failure=counts)
        writer.close()
        return read_results(tmp_path / "r"), baseline

    return ask


def judgement_of(results, baseline):
    (judgement,) = decide(results, ["lib"], baselines={"lib": baseline}).judgements
    return judgement


def test_a_run_whose_failures_are_all_listed_is_not_stopped(run_stopped, section_cases):
    results, baseline = run_stopped(2, section_cases)
    assert results.complete
    assert results.stopped == {}
    assert len(results.of("lib")) == len(section_cases)
    assert judgement_of(results, baseline).code is Exit.PASSED


#: Of the cases of the section, all but the first three and the last two are listed.
LISTED = slice(3, -2)


def test_a_run_is_stopped_by_its_first_failures_that_are_not_listed(run_stopped, section_cases):
    results, _ = run_stopped(2, section_cases[LISTED])
    assert len(results.of("lib")) == 2
    assert results.stopped == {"lib": 2}


def test_listed_failures_do_not_count(run_stopped, section_cases):
    """The fourth failure that counts is the last case but one."""
    results, baseline = run_stopped(4, section_cases[LISTED])
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


@pytest.fixture
def first_case(section_cases):
    """The first case of the section, which the adapter fails as all others."""
    case, *_ = section_cases
    return case


@pytest.fixture
def failure_counts(run_stopped, first_case):
    """Return a function that tells whether a failure of an adapter counts towards `--maxfail`.

    The adapter claims RFC 3986. It has failed the first case, and its answer to that stands for its answer to
    each other case. Without `named`, the run is a survey.
    """
    results, _ = run_stopped(None)
    (participant,) = results.participants
    answer = results.of("lib")[first_case.vector.id]

    def counts(case, *, named=("lib",), baseline=None):
        baselines = {} if baseline is None else {"lib": baseline}
        is_counted = failure_test(named=named, specs=(), policy=PLAIN, baselines=baselines)
        return is_counted(participant, case, answer, "")  # a vector is in no part of a generated tier

    return counts


def test_a_listed_failure_does_not_count(run_stopped, failure_counts, first_case):
    _, baseline = run_stopped(None, [first_case])
    assert not failure_counts(first_case, baseline=baseline)


def test_a_listed_failure_that_changed_counts(run_stopped, failure_counts, first_case):
    _, baseline = run_stopped(None, [first_case])
    (entry,) = baseline.entries
    other_entry = structs.replace(entry, got={"status": "ok", "url": "y"})
    assert failure_counts(first_case, baseline=structs.replace(baseline, entries=(other_entry,)))


def test_a_failure_in_an_rfc_that_the_adapter_claims_counts(failure_counts, first_case):
    assert failure_counts(first_case)


def test_a_failure_in_an_rfc_that_the_adapter_does_not_claim_does_not_count(failure_counts, make_case):
    assert not failure_counts(make_case("rfc1808-5.2-x"))


def test_in_a_survey_a_failure_in_every_rfc_counts(failure_counts, make_case):
    assert failure_counts(make_case("rfc1808-5.2-x"), named=())


def test_a_run_that_fails_at_the_last_case_is_complete(run_stopped, section_cases):
    results, _ = run_stopped(len(section_cases))
    assert results.complete
    assert results.stopped == {}


@pytest.fixture
def stopped_at_three(run_stopped):
    """The results of a run that was stopped at the third failure, and a baseline with these three."""
    results, _ = run_stopped(3)
    cases_asked = [results.vectors[name].case for name in results.of("lib")]
    _, baseline = run_stopped(None, cases_asked)
    return results, baseline


def all_passing(results):
    passing = {}
    for name, answer in results.of("lib").items():
        passing[name] = structs.replace(answer, outcome=Outcome.PASS)
    return structs.replace(results, results={"lib": passing})


def assert_fails_only_because_it_was_stopped(results, baseline, code):
    """The run fails, and would have another exit code if it had not been stopped."""
    judgement = judgement_of(results, baseline)
    assert judgement.code is Exit.FAILED
    assert "stopped at 3 failures, after 3 cases" in judgement.reason
    assert judgement_of(structs.replace(results, stopped={}), baseline).code is code


def test_a_stopped_run_with_known_failures_has_not_passed(stopped_at_three):
    results, baseline = stopped_at_three
    assert_fails_only_because_it_was_stopped(results, baseline, Exit.PASSED)


def test_a_stopped_run_with_stale_entries_has_failed(stopped_at_three):
    results, baseline = stopped_at_three
    assert_fails_only_because_it_was_stopped(all_passing(results), baseline, Exit.STALE)


def test_a_stopped_run_with_a_regression_says_that_it_was_stopped(run_stopped, stopped_at_three):
    results, _ = stopped_at_three
    _, empty_baseline = run_stopped(None)
    assert_fails_only_because_it_was_stopped(results, empty_baseline, Exit.FAILED)


def test_a_run_counts_the_known_failures_of_its_baseline(stopped_at_three):
    results, baseline = stopped_at_three
    judgement = judgement_of(structs.replace(results, stopped={}), baseline)
    assert judgement.sentence == "lib: passed; 3 known failures, all in the baseline"


def test_of_a_baseline_only_the_asked_entries_are_counted(run_stopped, section_cases):
    """A run that asked three vectors counts three."""
    results, _ = run_stopped(3)
    _, baseline = run_stopped(None, section_cases)
    judgement = judgement_of(structs.replace(results, stopped={}), baseline)
    assert judgement.sentence == f"lib: passed; 3 of {len(section_cases)} known failures, all in the baseline"


@pytest.fixture
def stopped_results(run_stopped, section_cases):
    """The results of a stopped run, and its judgement."""
    results, baseline = run_stopped(2, section_cases[3:])
    return results, judgement_of(results, baseline)


def test_the_cases_that_a_stopped_run_has_not_asked_are_counted(stopped_results, section_cases):
    results, _ = stopped_results
    assert missing_in_words(results) == [
        "lib: stopped at 2 failures, after 2 cases.",
        f"lib: 2 of {len(section_cases)} vectors have an outcome.",
    ]


def test_markdown_says_that_the_run_was_stopped(stopped_results):
    results, judgement = stopped_results
    page = markdown.render(results, [judgement])
    assert page.startswith("## ❌ ")
    assert "stopped at 2 failures" in page
    assert "✅" not in page


def test_the_annotations_say_that_the_run_is_incomplete(stopped_results):
    results, judgement = stopped_results
    assert "::error title=incomplete run::" in github.render(results, [judgement])


def test_junit_says_that_the_run_was_stopped(stopped_results):
    results, _ = stopped_results
    assert "The run was cut short" in junit.render(results)


def test_the_badge_says_that_the_run_was_stopped(stopped_results):
    results, _ = stopped_results
    assert "run cut short" in badge.render(results)


WRONG_LIBRARY = functions("library", "1", specs=["rfc3986"], resolve="{0}{1}x".format)


@pytest.fixture
def baseline_of_report():
    """The baseline of a library that resolves wrongly: the report on all its answers passes the gate."""
    report = run_report(WRONG_LIBRARY, **SECTION)
    (participant,) = report.results.participants
    baseline = create(report.results, participant, ["rfc3986"])
    assert report.gate(baseline).passed
    return baseline


def test_a_stopped_report_has_the_answers_before_its_end():
    assert len(run_report(WRONG_LIBRARY, **SECTION, maxfail=3).outcomes) == 3


def test_a_stopped_report_does_not_pass_its_gate(baseline_of_report):
    gate = run_report(WRONG_LIBRARY, **SECTION, maxfail=3).gate(baseline_of_report)
    assert not gate.passed
    assert gate.code == Exit.FAILED
    (reason,) = gate.reasons
    assert re.search("stopped at 3 failures, after 3 cases; .* the rest was not judged", reason)


@pytest.fixture
def stopped_command(tmp_path, monkeypatch):
    """The arguments of a run in the current folder that stops at the second failure."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    text = "def answer(question): return {'status': 'error'}\nanswer.hello = {'ops': ['resolve']}\n"
    (tmp_path / "mine_stopped.py").write_text(text, "utf-8")
    importlib.invalidate_caches()
    selection = ("--spec", "1808", "--section", "5.1")
    return ("run", "python:mine_stopped:answer", *selection, "--maxfail", "2", "--report", "json=r.jsonl")


def test_a_stopped_command_says_so(stopped_command, capsys):
    code = cli.main(stopped_command, "urlconform", standalone_mode=False)
    assert "stopped at 2 failures" in capsys.readouterr().err
    assert code == Exit.FAILED


def test_no_baseline_is_made_of_a_stopped_run(stopped_command, tmp_path):
    cli.main(stopped_command, "urlconform", standalone_mode=False)
    with pytest.raises(ResultsError, match="a baseline needs a complete run") as raised:
        cli.main(("baseline", "create", "r.jsonl", "-o", "b"), "urlconform", standalone_mode=False)
    assert report_error(raised.value) == Exit.INVALID_FILE
    assert not (tmp_path / "b").exists()
