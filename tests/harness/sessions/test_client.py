"""Clients of every kind of adapter: functions in this process and in children, and several processes."""

from __future__ import annotations

import contextlib
import itertools
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from urlharness.adapters.registry import InProcess, find
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.runner import question
from urlharness.sessions.client import ClientPool, ServedFunction, open_client
from urlharness.sessions.process import Poller, Recording

LIMITS = Limits(start=1000, case=1000)
QUESTION = Question(id=0, op="validate", spec="rfc3986", rule="URI", url="a:b")


def ask(adapter, limits=LIMITS, question=QUESTION):
    """Return the reply to one question, or the failure."""
    client = open_client(adapter, limits, "tests")
    ((_, reply),) = client.ask([question])
    client.close()
    return reply


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that writes a module in the current folder, and returns the adapter of a function."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    modules_before = {*sys.modules}
    name = f"adapter_of_{tmp_path.name}".replace("-", "_")

    def write(text: str, function: str = "answer") -> InProcess:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), "utf-8")
        program = find(f"python:{name}:{function}")
        assert isinstance(program, InProcess)
        return program

    yield write
    for loaded in {*sys.modules} - modules_before:
        if loaded.startswith("adapter_of_"):
            del sys.modules[loaded]


# -- functions ----------------------------------------------------------------------------------------------

FUNCTION = """
import sys

__version__ = "7"

class Panic(BaseException):
    pass

class Silent(Exception):
    def __str__(self): return self.args[5]
    __repr__ = __str__

class ExitText(Exception):
    def __str__(self): raise SystemExit(0)

class ExitKeys(dict):
    def __iter__(self): raise SystemExit(0)
    keys = __iter__

class Evil(dict):
    def __iter__(self): raise OSError("no keys")
    keys = __iter__

def answer(question):
    {body}
"""


#: The body of a function, and the result of a question.
BODIES = {
    "ok": ("return {'status': 'ok'}", Reply(0, "ok")),
    "own-id": ("return {'status': 'ok', 'id': 9, 'more': 1}", Reply(0, "ok")),
    "url": ("return {'status': 'ok', 'url': question['url']}", Reply(0, "ok", url="a:b")),
    "no-id": ("return {'status': 'ok', 'message': str('id' in question)}", Reply(0, "ok", "False")),
    "exception": ("return 1 / 0", Reply(0, "error", "ZeroDivisionError: division by zero")),
    "recursion": ("return answer(question)", Reply(0, "error", "RecursionError: maximum recursion")),
    "surrogate-in-error": ("raise ValueError('\\ud800')", Reply(0, "error", "ValueError: \\ud800")),
    "none": ("return None", Abnormal("garbage", "not a reply: ")),
    "bare-verdict": ("return True", Abnormal("garbage", "not a reply: ")),
    "empty": ("return {}", Abnormal("garbage", "not a reply: ")),
    "unknown-status": ("return {'status': 'maybe'}", Abnormal("garbage", "not a reply: ")),
    "bytes": ("return {'status': 'ok', 'url': b'a:b'}", Abnormal("garbage", "not a reply: ")),
    "surrogate": ("return {'status': 'ok', 'url': '\\ud800'}", Abnormal("garbage", "not a reply: ")),
    "object": ("return {'status': 'ok', 'also': [object()]}", Abnormal("garbage", "not a reply: ")),
    "exit": ("raise SystemExit(3)", Abnormal("crash", "it called exit(3)")),
    "exit-0": ("raise SystemExit(0)", Abnormal("crash", "it called exit(0)")),
    "exit-without-a-text": ("raise SystemExit(Silent())", Abnormal("crash", "it called exit")),
    "beyond-exception": ("raise Panic('overflow')", Reply(0, "error", "Panic: overflow")),
    "generator-exit": ("raise GeneratorExit", Reply(0, "error", "GeneratorExit: ")),
    "no-text": ("raise Silent", Reply(0, "error", "Silent (its text cannot be read: IndexError)")),
    "exit-text": ("raise ExitText", Reply(0, "error", "ExitText (its text cannot be read: SystemExit)")),
    "exit-keys": ("return ExitKeys(status='ok')", Abnormal("crash", "it called exit(0)")),
    "evil": ("return Evil(status='ok')", Abnormal("garbage", "not a reply: OSError: no keys")),
    "clears-the-question": ("question.clear()\n    return {'status': 'ok'}", Reply(0, "ok")),
    "crash-by-layer": ("return {'status': 'error', 'layer': 'crash'}", Reply(0, "error", "")),
    "stdout": ("sys.stdout = sys.stderr = None\n    return {'status': 'ok'}", Reply(0, "ok")),
}


#: How a function hangs; its exceptions and mappings run code of it, too.
HANGS = [
    pytest.param("time.sleep(60)", id="sleeps"),
    pytest.param(
        "while True:\n        try:\n            time.sleep(60)\n        except Exception:\n            pass",
        id="takes-every-exception",
    ),
    pytest.param("raise SlowText", id="the-text-of-an-exception"),
    pytest.param("return SlowKeys(status='ok')", id="the-keys-of-a-mapping"),
]
#: How it hangs so that only killing its process helps.
STUBBORN = [
    pytest.param("signal.alarm(0)\n    time.sleep(60)", id="takes-the-alarm"),
    pytest.param("signal.signal(signal.SIGALRM, signal.SIG_IGN)\n    time.sleep(60)", id="ignores-the-alarm"),
    pytest.param(
        "while True:\n        try: time.sleep(60)\n        except BaseException: pass",
        id="takes-everything",
    ),
    pytest.param("sum(range(10**11))", id="one-call-in-c"),
]
HANGING = f"""
import signal, time

class SlowText(Exception):
    def __str__(self): time.sleep(60)

class SlowKeys(dict):
    def __iter__(self): time.sleep(60)
    keys = __iter__

{FUNCTION}
"""


#: What a function may do to its process, and the outcome.
ENDS = [
    pytest.param("os.kill(os.getpid(), 2); time.sleep(60)", "crash", "exit code 130", id="SIGINT"),
    pytest.param(
        "os.closerange(0, 99); time.sleep(60)", "no-answer", "it closed its output", id="closes-all"
    ),
]


DEAD_MODULES = [
    pytest.param("1 / 0", "answer", "ZeroDivisionError: division by zero", id="fails-to-load"),
    pytest.param("import no_such_module", "answer", "No module named 'no_such_module'", id="lacks-a-module"),
    pytest.param("def answer(", "answer", "SyntaxError", id="no-python"),
    pytest.param("raise SystemExit(4)", "answer", "SystemExit: 4", id="exits"),
    pytest.param("print('x', flush=True); 1 / 0", "answer", "ZeroDivisionError: division", id="prints"),
    pytest.param("x = 1", "answer", "no attribute 'answer'", id="no-such-function"),
    pytest.param("answer = 1", "answer", "not a function", id="a-number"),
    pytest.param(
        "def answer(q): ...\nanswer.hello = 5",
        "answer",
        "a hello that is not a mapping",
        id="hello-is-a-number",
    ),
    pytest.param(
        "def answer(q): ...\nanswer.hello = {'ops': 5}", "answer", "its hello is invalid", id="no-hello"
    ),
    pytest.param(
        "def answer(q): ...\n__version__ = '\\ud800'", "answer", "its hello is invalid", id="surrogate"
    ),
]


def check(reply, expected):
    """Check a reply or a failure, whose words only begin as expected."""
    if isinstance(expected, Abnormal):
        assert reply.outcome == expected.outcome
        assert reply.detail.startswith(expected.detail)
    else:
        assert reply.message.startswith(expected.message)
        assert reply.status == expected.status
        assert reply.url == expected.url


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_a_function_in_this_process_has_its_outcome(module, body, expected, monkeypatch):
    for stream in ("stdout", "stderr"):  # restored after the test, because a body can replace them
        monkeypatch.setattr(sys, stream, getattr(sys, stream))
    check(ask(replace(module(FUNCTION.format(body=body)), in_child=False)), expected)


#: Hands a question to the function with the number that is its URL.
SELECT = """
def answer(question):
    number = question["url"]
    question["url"] = "a:b"
    return globals()[f"answer_{number}"](question)
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_served_function_gives_the_same_results(module, jobs):
    """All bodies in one module; recursion through the selection of a function does not count."""
    rows = [row for name, row in BODIES.items() if name != "recursion"]
    preamble, _, _ = FUNCTION.partition("def answer(")
    functions = [f"def answer_{number}(question):\n    {body}\n" for number, (body, _) in enumerate(rows)]
    adapter = module("\n".join((preamble, *functions, SELECT)))
    client = open_client(adapter, LIMITS._replace(jobs=jobs), "tests")
    assert isinstance(client, ServedFunction)
    questions = [msgspec.structs.replace(QUESTION, url=str(number)) for number in range(len(rows))]
    results = [reply for _, reply in client.ask(questions)]
    client.close()
    assert client.restarts == 0
    for reply, (_body, expected) in zip(results, rows, strict=True):
        check(reply, expected)


@pytest.mark.parametrize("body", HANGS)
def test_a_function_in_this_process_is_interrupted(module, body):
    adapter = replace(module(HANGING.format(body=body)), in_child=False)
    assert ask(adapter, Limits(case=0.05)) == Abnormal("timeout", "no answer within 0.05 s")


@pytest.mark.parametrize("body", STUBBORN)
def test_a_served_function_is_killed(module, body):
    adapter = module(HANGING.format(body=body))
    assert ask(adapter, Limits(case=0.1)) == Abnormal("timeout", "no answer within 0.1 s")


#: A function that does something to its process if it is asked for `end`, and else answers.
ENDING = """
import os, time

def answer(question):
    if question["url"] == "end":
        {body}
    return {{"status": "ok"}}
"""


@pytest.mark.parametrize(("body", "outcome", "detail"), ENDS)
def test_a_function_that_ends_its_process_ends_no_other_question(module, monkeypatch, body, outcome, detail):
    monkeypatch.setattr("urlharness.sessions.process._CLOSED_GRACE", 0.1)
    client = open_client(module(ENDING.format(body=body)), LIMITS._replace(case=1), "tests")
    questions = [msgspec.structs.replace(QUESTION, url=url) for url in ("before", "end", "after")]
    before, end, after = (reply for _, reply in client.ask(questions))
    client.close()
    assert before.status == "ok"
    assert end.outcome == outcome
    assert end.detail.startswith(detail)
    assert after.status == "ok"


def test_a_keyboard_interrupt_of_a_served_function_is_an_error(module):
    client = open_client(module(FUNCTION.format(body="raise KeyboardInterrupt('mine')")), LIMITS, "tests")
    first, second = (reply for _, reply in client.ask([QUESTION, QUESTION]))
    client.close()
    assert first == Reply(first.id, "error", "KeyboardInterrupt: mine")
    assert second == Reply(second.id, "error", "KeyboardInterrupt: mine")
    assert client.restarts == 0


#: A function that prints one thing about its process.
PRINTING = """
import os, sys

def answer(question):
    print({expression}, flush=True)
    os._exit(7)
"""


@pytest.mark.parametrize("expression", ["sys.stdin.read()", "os.read(0, 9).decode()"], ids=["stream", "file"])
def test_the_stdin_of_a_served_function_is_empty(module, expression):
    assert ask(module(PRINTING.format(expression=expression))).stderr == "\n"


def test_a_served_function_has_a_clean_environment(module, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    assert ask(module(PRINTING.format(expression="'SECRET_TOKEN' in os.environ"))).stderr == "False\n"


def test_a_served_function_has_the_current_folder_of_this_process(module, tmp_path):
    assert ask(module(PRINTING.format(expression="os.getcwd()"))).stderr == f"{tmp_path}\n"


def test_what_a_served_function_prints_before_a_crash_is_recorded(module):
    reply = ask(module("import os\ndef answer(question):\n    print('last', flush=True)\n    os._exit(7)"))
    assert reply.outcome == "crash"
    assert reply.stderr == "last\n"


def test_a_served_function_imports_from_the_module_path_of_this_process(module, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lying_elsewhere.py").touch()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "elsewhere")])
    adapter = module("import lying_elsewhere\ndef answer(question):\n    return {'status': 'ok'}")
    assert ask(adapter).status == "ok"


def test_slow_answers_are_written_one_by_one(module, tmp_path, monkeypatch):
    """Together they take longer than one may take: by the clock of the test each takes 600 seconds."""
    log = tmp_path / "log"
    log.touch()
    monkeypatch.setattr(Poller, "now", lambda _: 600.0 * log.stat().st_size)
    body = f"open({str(log)!r}, 'a').write('.')\n    return {{'status': 'ok'}}"
    adapter = module(FUNCTION.format(body=body))
    client = open_client(adapter, LIMITS._replace(case=2000), "tests")
    results = [reply for _, reply in client.ask([QUESTION] * 12)]
    client.close()
    assert [type(reply) for reply in results] == [Reply] * 12
    assert client.restarts == 0


def test_an_exit_does_not_end_the_process_of_a_served_function(module):
    client = open_client(module(FUNCTION.format(body="raise SystemExit")), LIMITS, "tests")
    results = [reply for _, reply in client.ask([QUESTION] * 300)]
    client.close()
    assert results == [Abnormal("crash", "it called exit(None)")] * 300
    assert client.restarts == 0


def test_a_function_answers_off_the_main_thread(module):
    replies = []
    adapter = replace(module(FUNCTION.format(body="return {'status': 'ok'}")), in_child=False)
    thread = threading.Thread(target=lambda: replies.append(ask(adapter)))
    thread.start()
    thread.join()
    assert [reply.status for reply in replies] == ["ok"]


@pytest.mark.parametrize(("jobs", "is_pool"), [(1, False), (2, True)], ids=["one", "two"])
def test_only_several_processes_are_asked_by_a_pool(jobs, is_pool):
    with contextlib.closing(open_client(find("urllib"), LIMITS._replace(jobs=jobs), "tests")) as client:
        assert isinstance(client, ClientPool) is is_pool


def test_a_bundled_adapter_in_several_processes_answers_the_same(corpus):
    every_80th = corpus.cases[::80]  # of all RFCs and operations
    questions = [question(case) for case in every_80th]

    def replies(jobs):
        with contextlib.closing(open_client(find("urllib"), LIMITS._replace(jobs=jobs), "tests")) as client:
            return [msgspec.structs.replace(reply, id=0) for _, reply in client.ask(questions)]

    replies_of_one_process = replies(jobs=1)
    assert len(replies_of_one_process) == len(questions)
    assert replies(jobs=2) == replies_of_one_process


def test_a_function_object_is_asked_in_this_process():
    hello = {"protocol": 1, "implementation": {"name": "x", "version": "1"}, "ops": ["validate"], "specs": []}
    questions = []

    def answer(question):
        questions.append(question)
        return {"status": "ok"}

    adapter = InProcess("reference", lambda: (hello, answer))
    client = open_client(adapter, LIMITS._replace(jobs=4), "tests")
    results = list(client.ask([QUESTION] * 3))
    assert len(results) == 3
    assert len(questions) == 3


@pytest.mark.parametrize("in_child", [True, False], ids=["served", "here"])
@pytest.mark.parametrize(("text", "name", "words"), DEAD_MODULES)
@pytest.mark.sampled(6)
def test_a_module_that_cannot_be_used_is_dead(module, text, name, words, in_child):
    """The message is the same wherever it is loaded."""
    with pytest.raises(AdapterDead) as dead:
        open_client(replace(module(text, name), in_child=in_child), LIMITS, "tests")
    assert words in str(dead.value)
    assert "no hello" not in str(dead.value)


def test_a_module_that_ends_its_process_is_dead(module):
    with pytest.raises(AdapterDead, match=r"^no hello: exit code 9; it wrote: the end$"):
        open_client(module("import os\nos.write(2, b'the end')\nos._exit(9)"), LIMITS, "tests")


def test_the_total_timeout_aborts_a_function(module):
    slow = replace(module("import time\ndef answer(question):\n    time.sleep(60)\n"), in_child=False)
    client = open_client(slow, LIMITS._replace(total=0.1), "tests")
    results = [reply for _, reply in client.ask([QUESTION, QUESTION])]
    assert results == [Abnormal("aborted", "the time limit of 0.1 s for all cases was reached")] * 2


# -- several processes --------------------------------------------------------------------------------------

CRASHING = """
def right(message):
    if int(message["url"].rpartition("/")[2]) % 3 == 1:
        os._exit(9)
    return {"id": message["id"], "status": "ok", "url": message["url"]}
"""


def numbered(numbers):
    """Return a question for each number, which its URL ends with."""
    return [Question(id=0, op="normalize", spec="rfc3986", url=f"http://h/{number}") for number in numbers]


class CrashingOutcomes(NamedTuple):
    """The outcomes of 40 questions, and the outcome of one that is asked after them."""

    all: list[str]
    later: str


def outcomes_of_crashing(adapter, window, jobs):
    """Put 40 questions to an adapter that crashes at each third one, and then one more."""
    program = find(f"jsonl:{' '.join(adapter(CRASHING, window))}")
    client = open_client(program, LIMITS._replace(jobs=jobs, restarts=4), "tests")
    outcomes = [
        reply.outcome if isinstance(reply, Abnormal) else reply.status
        for _, reply in client.ask(numbered(range(40)))
    ]
    ((_, later_result),) = client.ask(numbered([7]))
    client.close()
    return CrashingOutcomes(outcomes, later_result.outcome)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("window", [1, 5])
def test_one_process_is_given_up_after_the_fifth_crash(adapter, window):
    outcomes = outcomes_of_crashing(adapter, window, jobs=1).all
    up_to_the_fifth_crash = ["ok", "crash", "ok"] * 4 + ["ok", "crash"]
    assert outcomes == up_to_the_fifth_crash + ["aborted"] * (40 - len(up_to_the_fifth_crash))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("window", [1, 5])
def test_several_processes_are_given_up_after_the_fifth_crash_at_the_latest(adapter, window):
    outcomes = outcomes_of_crashing(adapter, window, jobs=3).all
    assert outcomes.count("crash") <= 5
    assert "aborted" in outcomes


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jobs", [1, 3])
def test_an_adapter_that_was_given_up_answers_no_later_question(adapter, jobs):
    assert outcomes_of_crashing(adapter, 1, jobs).later == "aborted"


#: Makes a file with its number, and answers when two other processes have done so.
WAITS_FOR_TWO_OTHERS = """
def right(message):
    open(os.path.join(FOLDER, str(os.getpid())), "w").close()
    while len([name for name in os.listdir(FOLDER) if name.isdigit()]) < 3:
        time.sleep(0.01)
    return {"id": message["id"], "status": "ok", "url": message["url"]}
"""


def test_several_processes_share_the_questions(adapter, tmp_path):
    program = adapter(f"FOLDER = {str(tmp_path)!r}\n{WAITS_FOR_TWO_OTHERS}", 64)
    client = open_client(find(f"jsonl:{' '.join(program)}"), LIMITS._replace(jobs=3), "tests")
    assert [reply.status for _, reply in client.ask(numbered(range(30)))] == ["ok"] * 30
    client.close()
    assert client.restarts == 0


def test_a_process_starts_when_there_is_something_to_ask(adapter, tmp_path):
    counting = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    client = open_client(find(f"jsonl:{' '.join(adapter(counting))}"), LIMITS._replace(jobs=200), "tests")
    replies = list(client.ask(numbered("ab")))
    assert len(replies) == 2
    client.close()
    most_starts = 3  # one for the hello, and one for each question
    assert len((tmp_path / "starts").read_text("ascii")) <= most_starts


def test_no_process_starts_if_there_is_nothing_to_ask(adapter, tmp_path):
    counting = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    client = open_client(find(f"jsonl:{' '.join(adapter(counting))}"), LIMITS._replace(jobs=200), "tests")
    replies = list(client.ask([]))
    assert replies == []
    client.close()
    assert (tmp_path / "starts").read_text("ascii") == "x"  # the one for the hello


def test_questions_may_be_an_iterator(adapter):
    client = open_client(find(f"jsonl:{' '.join(adapter())}"), LIMITS, "tests")
    assert [index for index, _ in client.ask(itertools.islice(numbered("abc"), 2))] == [0, 1]
    client.close()


@pytest.mark.parametrize(
    "name", ["reference", "exec:true", "jsonl:{adapter}"], ids=["bundled", "exec", "jsonl"]
)
def test_every_kind_of_adapter_can_be_recorded(adapter, name):
    program = find(name.format(adapter=" ".join(adapter())))
    recording = Recording()
    client = open_client(program, LIMITS, "tests", recording)
    list(client.ask([QUESTION]))
    client.close()
    sent = b"\n".join(line.data for line in recording.lines() if line.direction == "->")
    assert b'"url":"a:b"' in sent
    assert recording.status == 0
