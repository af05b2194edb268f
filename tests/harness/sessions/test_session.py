"""A session keeps faults apart: whatever an adapter does to one question, the other verdicts stay right.

The table has one row for each script in `misbehaving/`: the outcome of the question that is to blame, or of
each that is. All other questions must get the verdict of the honest adapter. The proofs repeat it with other
windows and with several processes.
"""

from __future__ import annotations

import itertools
import json
import re
import tracemalloc
from pathlib import Path

import pytest

from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question
from urlharness.sessions.client import ClientPool
from urlharness.sessions.process import Poller
from urlharness.sessions.session import Session

SCRIPTS = Path(__file__).parent / "misbehaving"
#: The clock of these tests jumps if a script says that time passes.
PATIENT = Limits(start=10**9, case=10**9)


def ask(session, questions):
    """Put questions to one session, and return the results, which come one by one."""
    return ClientPool([session], session.budget, session.poller).ask(questions)


def close(session):
    """End a session."""
    ClientPool([session], session.budget, session.poller).close()


#: The script, the outcome of TARGET, and words of its detail.
ONE_BLAMED = [
    ("exit_code", "crash", "exit code 3"),
    ("exception", "crash", "exit code 1"),
    ("sigsegv", "crash", "killed by SIGSEGV"),
    ("sigkill", "crash", "killed by SIGKILL"),
    ("leaves_a_child", "crash", "exit code 7"),
    ("leaves_a_child_apart", "crash", "exit code 7"),
    ("exits_with_0", "no-answer", "it ended without an answer"),
    ("half_a_line_then_exit", "no-answer", "it ended without an answer after '{\"id\":'"),
    ("closes_stdout", "no-answer", "it closed its output, but kept running"),
    ("hangs", "timeout", "no answer within 1000 s"),
    ("answers_too_late", "timeout", "no answer within 1000 s"),
    ("half_a_line_then_stall", "timeout", "no answer within 1000 s"),
    ("drips_too_long", "timeout", "no answer within 1000 s"),
    ("ignores_sigterm", "timeout", "no answer within 1000 s"),
    ("stops_itself", "timeout", "no answer within 1000 s"),
    ("skips_the_question", "timeout", "no answer within 1000 s"),
    ("endless_stderr", "timeout", "no answer within 1000 s"),
    ("endless_blank_lines", "timeout", "no answer within 1000 s"),
    ("closes_stdin", "timeout", "no answer within 1000 s"),
    ("garbage_line", "garbage", "not a reply: JSON is malformed"),
    ("array", "garbage", "expected a JSON object, not []: '[]'"),
    ("empty_object", "garbage", "id is missing; status is missing"),
    ("nul_bytes", "garbage", "'\\x00\\x00\\x00'"),
    ("two_replies_in_a_line", "garbage", "trailing characters"),
    ("bom", "garbage", "'\\ufeff{"),
    ("invalid_utf_8", "garbage", "not a reply"),
    ("lone_surrogate", "garbage", "not a reply"),
    ("deep_json", "garbage", "at `$.also[0][0]`"),
    ("deep_unknown_field", "garbage", "maximum recursion depth exceeded"),
    ("huge_number", "garbage", "at is "),
    ("line_of_10_mib", "garbage", "a line of more than 1048576 bytes"),
    ("line_without_end", "garbage", "a line of more than 1048576 bytes"),
    ("unknown_status", "garbage", 'status is "maybe", expected one of ok, reject'),
    ("wrong_type", "garbage", "url is 7, expected a string or"),
    ("id_as_text", "garbage", "id is str, expected the integer"),
    ("unknown_id", "garbage", 'a reply to an id that was never sent: \'{"id": N,'),
    ("id_from_before", "garbage", 'a reply to a question already answered or given up: \'{"id": N,'),
    ("hello_for_an_answer", "garbage", "it says hello twice"),
    ("takes_the_third_id", "garbage", 'a reply to an id that was never sent: \'{"id": N,'),
    ("answers_for_the_next_three", "garbage", "a reply to an id that was never sent"),
    ("banner_before_the_answer", "garbage", "'DEBUG: thinking'"),
    ("flaky", "fail", "got 'wrong'"),
    ("wrong_every_7th", "fail", "got 'wrong'"),
    ("unsupported", "unsupported", "not today"),
    ("error", "error", "IndexError"),
]

#: Scripts that are odd, but answer every question.
NONE_BLAMED = [
    "honest",
    "answers_twice",
    "answers_twice_later",
    "noise_behind_the_answer",
    "noise_behind_every_answer",
    "crlf",
    "blank_lines",
    "two_replies_in_one_write",
    "one_reply_in_two_writes",
    "byte_by_byte",
    "out_of_order",
    "unknown_fields",
    "stderr_of_10_mib",
    "replies_of_900_kib",
    "writes_before_it_reads",
    "answers_then_crashes",
    "ends_after_every_answer",
    "crashes_at_the_5th",
    "hangs_at_the_5th",
    "closes_stdin_after_the_answer",
    "claims_unknown_operations",
    "answers_the_next_three_too",
    "one_id_for_two",
    "shifts_waiting_ids",
    "counts_its_replies",
    "answers_what_is_to_come",
    "answers_everything_with_one_text",
    "loses_an_answer_and_runs_ahead",
    "loses_an_answer_and_lags",
]

#: The script, and the outcomes of the questions by the beginning of their names.
MANY_BLAMED = [
    ("accepts_everything", {"no": "fail", "ref": "fail", "TARGET": "fail"}),
    ("rejects_everything", {"yes": "fail", "ref": "fail", "TARGET": "fail"}),
    ("echoes", dict.fromkeys(("yes", "no", "ref", "TARGET"), "garbage")),
    ("banner_behind_the_hello", dict.fromkeys(("yes", "no", "ref", "TARGET"), "garbage")),
    ("takes_the_next_id", dict.fromkeys(("no", "ref1", "ref3", "TARGET"), "garbage")),
    (
        "says_hello_twice",
        dict.fromkeys(("yes1", "no1", "ref1"), "garbage")
        | dict.fromkeys(("yes", "no", "ref", "TARGET"), "aborted"),
    ),
    ("shifts_all_ids", dict.fromkeys(("yes", "no", "ref", "TARGET"), "garbage")),
]

#: The script, and words of the reason why nothing is asked of it.
DEAD = [
    ("never_says_hello", "no hello: no answer within 1000 s"),
    ("dies_at_the_hello", "no hello: exit code 1; it wrote: no licence"),
    ("protocol_99", "protocol is 99, expected the integer 1"),
    (
        "banner_before_the_hello",
        "its first line is not a valid hello: JSON is malformed: invalid character",
    ),
    ("bom_before_the_hello", "'\\ufeff{"),
    ("endless_hello", "no hello: a line of more than 1048576 bytes"),
]


#: The window of an adapter whose scripts misbehave.
WINDOW = 4


def check_one_blamed(examine, script, outcome, words, window):
    """Check that TARGET has this outcome, with these words in its detail, and that all others pass."""
    outcomes_by_name = examine(script, window)
    blamed, detail = outcomes_by_name.pop("TARGET")
    assert blamed == outcome
    assert words in detail
    assert set(outcomes_by_name.values()) == {("pass", "")}


def check_many_blamed(examine, script, outcomes, window):
    """Check the outcomes of all questions; a name without its number stands for all with that beginning."""
    expected_outcomes = {}
    actual_outcomes = {}
    for name, (outcome, _) in examine(script, window).items():
        beginning = name.rstrip("1234")
        expected_outcomes[name] = outcomes.get(name, outcomes.get(beginning, "pass"))
        actual_outcomes[name] = outcome
    assert actual_outcomes == expected_outcomes


def check_total_timeout(examine, window):
    """Check that a script that hangs at TARGET passes what comes before it, and that all else is aborted."""
    outcomes_by_name = examine("hangs", window, limits=PATIENT._replace(total=5000))
    names = list(outcomes_by_name)
    before = names.index("TARGET")
    assert {outcomes_by_name[name] for name in names[:before]} == {("pass", "")}
    assert {outcomes_by_name[name] for name in names[before:]} == {
        ("aborted", "the time limit of 5000 s for all cases was reached")
    }


def test_every_script_has_a_row():
    rows = [*(script for script, *_ in ONE_BLAMED + MANY_BLAMED + DEAD), *NONE_BLAMED]
    assert sorted(rows) == sorted(path.stem for path in SCRIPTS.glob("*.py"))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("script", "outcome", "words"), ONE_BLAMED, ids=[script for script, *_ in ONE_BLAMED]
)
def test_a_fault_at_one_question_is_blamed_on_it(examine, script, outcome, words):
    check_one_blamed(examine, script, outcome, words, WINDOW)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("script", NONE_BLAMED)
def test_a_fault_between_questions_is_blamed_on_none(examine, script):
    assert set(examine(script, WINDOW).values()) == {("pass", "")}


@pytest.mark.parametrize(("script", "outcomes"), MANY_BLAMED, ids=[script for script, *_ in MANY_BLAMED])
def test_faults_at_many_questions_are_blamed_on_each(examine, script, outcomes):
    check_many_blamed(examine, script, outcomes, WINDOW)


@pytest.mark.parametrize(("script", "words"), DEAD, ids=[script for script, *_ in DEAD])
def test_an_adapter_without_a_valid_hello_is_dead(examine, script, words):
    with pytest.raises(AdapterDead) as dead:
        examine(script, 1)
    assert words in str(dead.value)


def test_results_before_the_total_timeout_stay(examine):
    """The adapter hangs at TARGET, and all later questions are aborted."""
    check_total_timeout(examine, WINDOW)


# -- limits, hello and messages -----------------------------------------------------------------------------

LIMITS = Limits(start=1000, case=1000)
NAMES = ["a", "b", "c", "TARGET", "d", "e", "f"]


def questions(names=NAMES):
    return [Question(id=0, op="normalize", spec="rfc3986", url=f"http://h/{name}") for name in names]


def outcomes(command, limits=LIMITS, names=NAMES):
    """Return the status or the failure of each question, by name."""
    session = Session(command, limits, "tests")
    questions_asked = questions(names)
    results = {}
    for index, reply in ask(session, questions_asked):
        assert names[index] not in results, "two results for one question"
        if isinstance(reply, Abnormal):
            results[names[index]] = reply
        else:
            assert reply.url == questions_asked[index].url, "the answer to another question"
            results[names[index]] = reply.status
    close(session)
    assert results.keys() == set(names)
    return results


def fault(code: str) -> str:
    return f"def fault(message):\n    {code}\n"


def test_a_failure_has_the_end_of_stderr(adapter):
    code = "os.write(2, b'x' * 9999 + b' the end'); os._exit(2)"
    blamed = outcomes(adapter(fault(code)))["TARGET"]
    assert blamed.stderr.endswith("x the end")
    assert len(blamed.stderr) == 4096  # the most bytes of it that a failure has


@pytest.mark.sampled(2)
@pytest.mark.parametrize("window", [1, 4, 64])
def test_a_program_that_always_crashes_is_given_up(adapter, window):
    """It is given up after the same question for any window."""
    always_crashing = "def right(message):\n    os._exit(9)\n"
    results = outcomes(adapter(always_crashing, window), LIMITS._replace(restarts=2), list("abcdef"))
    assert [results[name].outcome for name in "abcdef"] == ["crash"] * 3 + ["aborted"] * 3
    why = "it had to be started again more than 2 times; the last time: exit code 9"
    assert results["f"].detail == why


def with_marker(program: str, path: Path) -> str:
    """Return a program that knows this path as MARKER."""
    return f"MARKER = {str(path)!r}\n{program}"


#: Makes a file when it starts, ends at once if the file is there already, and ends at TARGET.
STARTS_ONCE = """
if os.path.exists(MARKER):
    sys.exit("no second time")
open(MARKER, "w").close()

def fault(message):
    os._exit(1)
"""


def test_a_program_that_starts_only_once_is_given_up(adapter, tmp_path):
    results = outcomes(adapter(with_marker(STARTS_ONCE, tmp_path / "started")))
    assert [results[name] for name in "abc"] == ["ok"] * 3
    assert {results[name].outcome for name in ("TARGET", *"def")} == {"aborted"}
    assert "no second time" in results["d"].detail


HELLOS = [
    pytest.param("def hello(): os._exit(0)", "no hello: it ended", id="ends-at-hello"),
    pytest.param("os.kill(os.getpid(), signal.SIGABRT)", "no hello: killed by SIGABRT", id="aborts-at-start"),
    pytest.param("HELLO['window'] = 0", "window is 0, expected an integer from 1", id="window-0"),
]


@pytest.mark.parametrize(("special", "words"), HELLOS)
def test_a_program_without_a_valid_hello_is_dead(adapter, special, words):
    with pytest.raises(AdapterDead, match=re.escape(words)):
        Session(adapter(special), LIMITS, "tests")


@pytest.mark.parametrize("program", ["no-such-program", "/", "./no/such"], ids=["name", "folder", "path"])
def test_a_missing_program_is_dead(program):
    with pytest.raises(AdapterDead, match=program):
        Session([program], LIMITS, "tests")


def test_a_session_has_the_hello_of_its_adapter(adapter):
    session = Session(adapter(window=9), LIMITS, "tests")
    close(session)
    assert session.hello.implementation.name == "made up"
    assert session.hello.window == 9


#: Writes each question into a file before it answers; it ends at TARGET.
RECORDS_QUESTIONS = """
def record(message):
    with open(MARKER, "a") as file:
        print(json.dumps(message), file=file)

def fault(message):
    record(message)
    os._exit(1)

def right(message):
    record(message)
    return {"id": message["id"], "status": "ok", "url": message["url"]}
"""


@pytest.fixture
def recorded_questions(adapter, tmp_path):
    """Return a function that asks questions with these names, and returns them as the adapter got them."""

    def ask_all(names, window=1):
        path = tmp_path / "questions"
        outcomes(adapter(with_marker(RECORDS_QUESTIONS, path), window), names=names)
        return [json.loads(line) for line in path.read_text("ascii").splitlines()]

    return ask_all


def test_only_the_question_is_sent(recorded_questions):
    """The id of the vector and the expected answer stay with the harness."""
    (sent,) = recorded_questions(["a"])
    assert sent.keys() == {"id", "op", "spec", "type", "url"}


def test_ids_are_never_used_twice(recorded_questions):
    """TARGET is asked again with another id, alone, after the process has ended at it."""
    ids = [sent["id"] for sent in recorded_questions(NAMES, window=4)]
    assert len(ids) > len(NAMES)
    assert len(ids) == len(set(ids))


#: The adapter hangs at TARGET, or goes on without an answer to it; then it makes a file.
UNANSWERED = {
    "hangs": "def fault(message):\n    open(MARKER, 'w').close(); time.sleep(60)",
    "goes-on": """
        def fault(message):
            pass
        def right(message):
            if message["url"].endswith("f"):
                open(MARKER, "w").close()
            return {"id": message["id"], "status": "ok", "url": message["url"]}
    """,
}


@pytest.fixture(params=UNANSWERED)
def session_out_of_time(request, adapter, tmp_path, monkeypatch):
    """A session whose total time ends once its adapter has gone past TARGET without an answer to it."""
    marker = tmp_path / "reached"
    program = UNANSWERED[request.param].replace("MARKER", repr(str(marker)))
    session = Session(adapter(program, 64), LIMITS._replace(total=1000), "tests")
    wait = Poller.wait

    def wait_until_it_is_past(poller, seconds):
        is_past = marker.exists()
        wait(poller, seconds)
        if is_past:
            session.budget.deadline = 0

    monkeypatch.setattr(Poller, "wait", wait_until_it_is_past)
    yield session
    close(session)


def test_after_the_total_time_only_replies_before_the_first_open_question_count(session_out_of_time):
    results = [reply for _, reply in ask(session_out_of_time, questions())]
    target = NAMES.index("TARGET")
    assert [reply.status for reply in results[:target]] == ["ok"] * 3
    assert [abnormal.outcome for abnormal in results[target:]] == ["aborted"] * 4


def test_unconfirmed_replies_do_not_leak_into_the_next_run(session_out_of_time):
    for _ in ask(session_out_of_time, questions()):
        pass
    next_results = [abnormal for _, abnormal in ask(session_out_of_time, questions())]
    assert [abnormal.outcome for abnormal in next_results] == ["aborted"] * 7


@pytest.fixture
def results_of_breaking(adapter):
    """The results of a program that ends after each answer, and may be restarted twice."""
    breaking = """
    def right(message):
        send({"id": message["id"], "status": "ok", "url": message["url"]})
        os._exit(1)
    """
    return outcomes(adapter(breaking), LIMITS._replace(restarts=2), list("abcdefgh"))


def test_the_answers_of_a_program_that_breaks_after_each_one_count(results_of_breaking):
    """Of ends that no question is to blame for, more are allowed."""
    assert [results_of_breaking[name] for name in "abcde"] == ["ok"] * 5


def test_a_program_that_breaks_after_each_answer_is_given_up(results_of_breaking):
    """No question is to blame, but it would be restarted forever."""
    last = results_of_breaking["h"]
    assert last.outcome == "aborted"
    assert last.detail.endswith(" 2 times, and no question is to blame; the last time: exit code 1")


def test_a_program_that_numbers_its_replies_is_given_up(adapter):
    numbering = """
    ids = []
    def right(message):
        ids.append(message["id"])
        return {"id": ids[0] + len(ids) - 1, "status": "ok", "url": message["url"]}
    """
    results = outcomes(adapter(numbering), LIMITS._replace(restarts=2), list("abcdefgh"))
    assert results["a"] == "ok"
    assert results["h"].outcome == "aborted"
    assert "the last time: a reply to a question already answered or given up" in results["h"].detail


def test_the_total_timeout_covers_the_hello(adapter):
    with pytest.raises(AdapterDead, match=r"the time limit of 0\.05 s for all cases was reached"):
        Session(adapter("def hello(): time.sleep(60)"), LIMITS._replace(total=0.05), "tests")


def test_replies_of_an_aborted_run_do_not_reach_the_next_one(adapter):
    session = Session(adapter(window=4), LIMITS, "tests")
    broken = ask(session, questions())
    index, _ = next(broken)
    assert index == 0
    broken.close()
    assert [(index, reply.url) for index, reply in ask(session, questions(["x"]))] == [(0, "http://h/x")]
    close(session)


class CountedQuestions:
    """An iterator of questions that counts how many were taken from it."""

    def __init__(self, questions_to_take):
        self._remaining = iter(questions_to_take)
        self.taken = 0

    def __iter__(self):
        return self

    def __next__(self):
        question = next(self._remaining)
        self.taken += 1
        return question


def test_few_questions_are_sent_to_an_adapter_that_does_not_read(adapter):
    (question,) = questions(["x"])
    counted = CountedQuestions(itertools.repeat(question, 10**6))
    sleeping = "def hello():\n    send(HELLO)\n    time.sleep(60)"
    window = 65_536  # far more than the pipe to the adapter holds
    session = Session(adapter(sleeping, window), LIMITS._replace(case=0.1, restarts=0), "tests")
    settled = ask(session, counted)
    _, reply = next(settled)
    assert reply.outcome == "timeout"
    assert counted.taken < window / 6
    settled.close()


def test_more_questions_than_the_lookahead_are_answered_after_a_crash_of_the_oldest(adapter, monkeypatch):
    """What may be asked ahead of the oldest question is bounded; test_scheduler.py has the bound."""
    monkeypatch.setattr("urlharness.sessions.scheduler.LOOKAHEAD", 100)
    names = ["TARGET", *map(str, range(1000))]
    results = outcomes(adapter(fault("os._exit(3)"), 8), names=names)
    assert results.pop("TARGET").detail == "exit code 3"
    assert len(results) == 1000
    assert [name for name, status in results.items() if status != "ok"] == []


#: Does not answer TARGET while others are in flight, and gives long answers to the others.
LONG = """
def fault(message):
    if os.path.exists(MARKER):
        return send(right(message))
    open(MARKER, "w").close()

def right(message):
    return {"id": message["id"], "status": "ok", "url": message["url"], "layer": "x" * 50_000}
"""


def test_the_memory_of_waiting_replies_is_bounded(adapter, tmp_path, monkeypatch):
    """All questions are in flight at once, and all but the first are answered."""
    monkeypatch.setattr("urlharness.sessions.scheduler.BUFFER_LIMIT", 10**6)
    command = adapter(with_marker(LONG, tmp_path / "asked"), 1024)
    tracemalloc.start()
    results = outcomes(command, names=["TARGET", *map(str, range(400))])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert set(results.values()) == {"ok"}
    assert peak < 10**7  # all 400 replies of 50,000 characters are twice as much


def test_long_replies_stop_further_questions(adapter, monkeypatch):
    monkeypatch.setattr("urlharness.sessions.scheduler.BUFFER_LIMIT", 10**6)
    counted = CountedQuestions(questions(["TARGET", *map(str, range(200))]))
    ends_later = f"{LONG}{fault('signal.setitimer(signal.ITIMER_REAL, 0.1)')}"
    session = Session(adapter(ends_later, 8), LIMITS, "tests")
    settled = ask(session, counted)
    _, oldest = next(settled)
    assert oldest.outcome == "crash"
    assert oldest.detail == "killed by SIGALRM"
    assert counted.taken < 40  # 20 replies of 50,000 characters fill the buffer
    assert [reply.status for _, reply in settled] == ["ok"] * 200
    close(session)


# -- the time of an answer ----------------------------------------------------------------------------------


#: An hour in seconds.
HOUR = 3600


def test_the_time_of_an_answer_is_that_of_waiting_for_it(adapter, tmp_path, monkeypatch):
    """Each wait takes an hour while the adapter is busy, which it is at TARGET until there was a wait."""
    busy = tmp_path / "busy"
    waited = tmp_path / "waited"
    waiting_at_target = f"""
    def fault(message):
        open({str(busy)!r}, "w").close()
        while not os.path.exists({str(waited)!r}):
            time.sleep(0.01)
        os.remove({str(busy)!r})
        send(right(message))
    """
    wait = Poller.wait

    def long_wait(poller, seconds):
        wait(poller, min(seconds, 0.02))
        if busy.exists():
            poller.waited += HOUR
            waited.touch()

    monkeypatch.setattr(Poller, "wait", long_wait)
    session = Session(adapter(waiting_at_target), LIMITS, "tests")
    pool = ClientPool([session], session.budget, session.poller)
    list(pool.ask(questions()))
    close(session)
    slow_questions = [NAMES[index] for index, seconds in pool.seconds.items() if seconds >= HOUR]
    assert slow_questions == ["TARGET"]
