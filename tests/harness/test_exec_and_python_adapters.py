"""Adapters of one's own without the protocol: a function, and a program for each case."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from urlharness.adapters.registry import InProcess, find
from urlharness.engine.client import open_client
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Question, Reply

LIMITS = Limits(start=20, case=20)
QUESTION = Question(id=0, op="validate", spec="rfc3986", rule="URI", url="a:b")


def settle(adapter, limits=LIMITS, asked=QUESTION):
    asker = open_client(adapter, limits, "tests")
    (index, got), *more = asker.ask([asked])
    asker.close()
    assert (index, more) == (0, [])
    return got


# -- a function ---------------------------------------------------------------------------------------------

FUNCTION = """
import sys

__version__ = "7"

class Panic(BaseException):
    pass

class Silent(Exception):
    def __str__(self): return self.args[5]
    __repr__ = __str__

class Evil(dict):
    def __iter__(self): raise OSError("no keys")
    keys = __iter__

def answer(question):
    {body}
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes a module into the current directory and gives its adapter, which a child process serves."""
    monkeypatch.chdir(tmp_path)
    name = f"adapter_of_{tmp_path.name}".replace("-", "_")

    def write(text: str, function: str = "answer") -> InProcess:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), "utf-8")
        found = find(f"python:{name}:{function}")
        assert isinstance(found, InProcess)
        return found

    return write


@pytest.fixture(params=["apart", "here"])
def function(request, module, tmp_path, monkeypatch: pytest.MonkeyPatch):
    """The same adapter in a process of its own, and in this one; its module is forgotten afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = {*sys.modules}

    def write(text: str, name: str = "answer") -> InProcess:
        adapter = module(text, name)
        return adapter if request.param == "apart" else replace(adapter, apart=False)

    yield write
    for name in {*sys.modules} - known:
        if name.startswith("adapter_of_"):
            del sys.modules[name]


#: The body of a function, and what its answer is taken for.
BODIES = [
    pytest.param("return {'status': 'ok'}", Reply(0, "ok"), id="ok"),
    pytest.param("return {'status': 'ok', 'id': 9, 'more': 1}", Reply(0, "ok"), id="its-id-does-not-matter"),
    pytest.param("return {'status': 'ok', 'url': question['url']}", Reply(0, "ok", url="a:b"), id="url"),
    pytest.param(
        "return {'status': 'ok', 'message': str('id' in question)}", Reply(0, "ok", "False"), id="no-id"
    ),
    pytest.param("return 1 / 0", Reply(0, "error", "ZeroDivisionError: division by zero"), id="exception"),
    pytest.param(
        "return answer(question)", Reply(0, "error", "RecursionError: maximum recursion"), id="recursion"
    ),
    pytest.param(
        "raise ValueError('\\ud800')", Reply(0, "error", "ValueError: \\ud800"), id="surrogate-in-error"
    ),
    pytest.param("return None", Abnormal("garbage", "not a reply: "), id="none"),
    pytest.param("return True", Abnormal("garbage", "not a reply: "), id="bare-verdict"),
    pytest.param("return {}", Abnormal("garbage", "not a reply: "), id="empty"),
    pytest.param("return {'status': 'maybe'}", Abnormal("garbage", "not a reply: "), id="unknown-status"),
    pytest.param("return {'status': 'ok', 'url': b'a:b'}", Abnormal("garbage", "not a reply: "), id="octets"),
    pytest.param(
        "return {'status': 'ok', 'url': '\\ud800'}", Abnormal("garbage", "not a reply: "), id="surrogate"
    ),
    pytest.param(
        "return {'status': 'ok', 'also': [object()]}", Abnormal("garbage", "not a reply: "), id="object"
    ),
    pytest.param("raise SystemExit(3)", Abnormal("crash", "it called exit(3)"), id="exit"),
    pytest.param("raise SystemExit(0)", Abnormal("crash", "it called exit(0)"), id="exit-0"),
    pytest.param("raise SystemExit(Silent())", Abnormal("crash", "it called exit"), id="exit-without-a-text"),
    pytest.param("raise Panic('overflow')", Reply(0, "error", "Panic: overflow"), id="beyond-exception"),
    pytest.param("raise GeneratorExit", Reply(0, "error", "GeneratorExit: "), id="generator-exit"),
    pytest.param("raise Silent", Reply(0, "error", "Silent, whose text raises IndexError"), id="no-text"),
    pytest.param("return Evil(status='ok')", Abnormal("garbage", "not a reply: OSError: no keys"), id="evil"),
    pytest.param("question.clear()\n    return {'status': 'ok'}", Reply(0, "ok"), id="clears-the-question"),
    pytest.param("return {'status': 'error', 'layer': 'crash'}", Reply(0, "error", ""), id="crash-by-layer"),
    pytest.param("sys.stdout = sys.stderr = None\n    return {'status': 'ok'}", Reply(0, "ok"), id="stdout"),
]


@pytest.mark.parametrize(("body", "expected"), BODIES)
def test_function(function, body, expected, monkeypatch):
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, getattr(sys, stream))
    got = settle(function(FUNCTION.format(body=body)))
    if isinstance(expected, Abnormal):
        assert got.outcome == expected.outcome
        assert got.detail.startswith(expected.detail)
    else:
        assert got.message.startswith(expected.message)
        assert (got.status, got.url) == (expected.status, expected.url)


#: How a function hangs wherever it is asked: code of it runs in its exceptions and its mappings as well.
HANGS = [
    pytest.param("time.sleep(60)", id="sleeps"),
    pytest.param(
        "while True:\n        try:\n            time.sleep(60)\n        except Exception:\n            pass",
        id="takes-every-exception",
    ),
    pytest.param("raise SlowText", id="the-text-of-an-exception"),
    pytest.param("return SlowKeys(status='ok')", id="the-keys-of-a-mapping"),
]
#: And how it hangs where only the end of its process helps.
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


@pytest.mark.parametrize("body", HANGS)
def test_a_function_that_takes_too_long(function, body):
    adapter = function(HANGING.format(body=body))
    assert settle(adapter, Limits(case=0.2)) == Abnormal("timeout", "no answer within 0.2 s")


@pytest.mark.parametrize("body", STUBBORN)
def test_a_function_that_nothing_interrupts_is_ended(module, body):
    adapter = module(HANGING.format(body=body))
    assert settle(adapter, Limits(case=0.2)) == Abnormal("timeout", "no answer within 0.2 s")


#: What a function may do to its process, and what is told of it; never does it end a run.
ENDS = [
    pytest.param("os._exit(0)", "no-answer", "it ended without an answer", id="exit-0"),
    pytest.param("os._exit(7)", "crash", "exit code 7", id="exit-code"),
    pytest.param("os.kill(os.getpid(), 11)", "crash", "killed by SIGSEGV", id="signal"),
    pytest.param("os.kill(os.getpid(), 2); time.sleep(60)", "crash", "exit code 130", id="SIGINT"),
    pytest.param("os.kill(os.getpid(), 15); time.sleep(60)", "crash", "exit code 130", id="SIGTERM"),
    pytest.param(
        "os.closerange(0, 99); time.sleep(60)", "no-answer", "it closed its output", id="closes-all"
    ),
]


@pytest.mark.parametrize(("body", "outcome", "words"), ENDS)
def test_a_function_that_ends_its_process(module, body, outcome, words):
    """It is said how, and the questions around it have their answers."""
    text = "import os, time\n" + FUNCTION.format(
        body=f"if question['url'] == 'a:b':\n        {body}\n    return {{'status': 'ok'}}"
    )
    asker = open_client(module(text), LIMITS._replace(case=1), "tests")
    other = msgspec.structs.replace(QUESTION, url="a:c")
    found = [got for _, got in asker.ask([other, QUESTION, other, other])]
    asker.close()
    assert [getattr(got, "status", None) for got in found] == ["ok", None, "ok", "ok"]
    assert (found[1].outcome, found[1].detail.startswith(words)) == (outcome, True), found[1]


def test_an_interrupt_that_a_function_raises_is_its_answer(module):
    """Like whatever it raises: nobody has interrupted the run, and the process goes on."""
    asker = open_client(module(FUNCTION.format(body="raise KeyboardInterrupt('mine')")), LIMITS, "tests")
    found = [got for _, got in asker.ask([QUESTION, QUESTION])]
    asker.close()
    assert found == [Reply(got.id, "error", "KeyboardInterrupt: mine") for got in found]
    assert asker.restarts == 0


def test_what_a_crash_has_written_is_kept(module):
    got = settle(module("import os, sys\ndef answer(q): print('so long', flush=True); os._exit(7)"))
    assert (got.outcome, got.stderr) == ("crash", "so long\n")


def test_a_function_cannot_read_what_the_harness_says(module):
    body = "return {'status': 'ok', 'message': repr(sys.stdin.read() + os.read(0, 9).decode())}"
    assert settle(module("import os\n" + FUNCTION.format(body=body))).message == "''"


def test_slow_answers_are_none_too_late(module):
    """Together they take longer than one may: each is written when it is there."""
    adapter = module("import time\n" + FUNCTION.format(body="time.sleep(0.2)\n    return {'status': 'ok'}"))
    asker = open_client(adapter, LIMITS._replace(case=2), "tests")
    found = [got for _, got in asker.ask([QUESTION] * 16)]
    asker.close()
    assert ({type(got) for got in found}, asker.restarts) == ({Reply}, 0)


def test_answers_that_are_none_cost_no_process(module):
    asker = open_client(module(FUNCTION.format(body="raise SystemExit")), LIMITS, "tests")
    found = {got for _, got in asker.ask([QUESTION] * 300)}
    asker.close()
    assert (found, asker.restarts) == ({Abnormal("crash", "it called exit(None)")}, 0)


def test_a_function_sees_a_clean_environment_and_what_this_process_imports(module, tmp_path, monkeypatch):
    """As a program does; the paths of this process are its own, those of PYTHONPATH among them."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lying_elsewhere.py").touch()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "elsewhere")])
    monkeypatch.setenv("SECRET_TOKEN", "x")
    text = "import os, lying_elsewhere\n" + FUNCTION.format(
        body="return {'status': 'ok', 'message': str(('SECRET_TOKEN' in os.environ, os.getcwd()))}"
    )
    assert settle(module(text)).message == str((False, str(tmp_path)))


def test_a_function_off_the_main_thread(function):
    found = []
    adapter = function(FUNCTION.format(body="return {'status': 'ok'}"))
    thread = threading.Thread(target=lambda: found.append(settle(adapter)))
    thread.start()
    thread.join()
    assert [got.status for got in found] == ["ok"]


def test_a_function_introduces_itself(function):
    asker = open_client(function(FUNCTION.format(body="pass")), LIMITS, "tests")
    asker.close()
    about = asker.hello.implementation
    assert (about.version, about.language) == ("7", "python")
    assert asker.hello.specs == []


def test_a_function_may_bring_its_hello(function):
    text = FUNCTION.format(body="pass") + '\nanswer.hello = {"ops": ["parse"], "specs": ["rfc1808"]}\n'
    asker = open_client(function(text), LIMITS, "tests")
    asker.close()
    assert (asker.hello.ops, asker.hello.specs) == (["parse"], ["rfc1808"])


DEAD_MODULES = [
    pytest.param("1 / 0", "answer", "ZeroDivisionError: division by zero", id="fails-to-load"),
    pytest.param("import no_such_module", "answer", "No module named 'no_such_module'", id="lacks-a-module"),
    pytest.param("def answer(", "answer", "SyntaxError", id="no-python"),
    pytest.param("raise SystemExit(4)", "answer", "SystemExit: 4", id="exits"),
    pytest.param("print('x', flush=True); 1 / 0", "answer", "ZeroDivisionError: division", id="prints"),
    pytest.param("x = 1", "answer", "no attribute 'answer'", id="no-such-function"),
    pytest.param("answer = 1", "answer", "no function", id="a-number"),
    pytest.param(
        "def answer(q): ...\nanswer.hello = 5", "answer", "hello of type int", id="hello-is-a-number"
    ),
    pytest.param(
        "def answer(q): ...\nanswer.hello = {'ops': 5}", "answer", "its hello is not one", id="no-hello"
    ),
    pytest.param(
        "def answer(q): ...\n__version__ = '\\ud800'", "answer", "its hello is not one", id="surrogate"
    ),
]


@pytest.mark.parametrize(("text", "name", "words"), DEAD_MODULES)
def test_a_module_that_cannot_be_used_is_dead(function, text, name, words):
    """It is told alike, wherever it is loaded."""
    with pytest.raises(AdapterDead) as dead:
        open_client(function(text, name), LIMITS, "tests")
    assert words in str(dead.value)
    assert "no hello" not in str(dead.value)


def test_a_module_that_ends_its_process_is_dead(module):
    with pytest.raises(AdapterDead, match=r"^no hello: exit code 9; it wrote: the end$"):
        open_client(module("import os\nos.write(2, b'the end')\nos._exit(9)"), LIMITS, "tests")


# -- a program for each case --------------------------------------------------------------------------------

PROGRAMS = [
    pytest.param("pass", Reply(0, "ok"), id="exit-0"),
    pytest.param('print(\'{"url": "x:y"}\')', Reply(0, "ok", url="x:y"), id="with-an-answer"),
    pytest.param('print(\'{"status": "reject"}\')', Reply(0, "reject"), id="the-answer-says-no"),
    pytest.param(
        "print(json.dumps({'url': json.load(sys.stdin)['url']}))", Reply(0, "ok", url="a:b"), id="stdin"
    ),
    pytest.param("sys.exit('bad port')", Reply(0, "reject", "bad port"), id="exit-1-with-a-reason"),
    pytest.param("sys.exit(1)", Reply(0, "reject"), id="exit-1"),
    pytest.param("sys.exit(3)", Reply(0, "unsupported"), id="exit-3"),
    pytest.param("sys.exit(2)", Abnormal("crash", "exit code 2"), id="exit-2"),
    pytest.param("os.kill(os.getpid(), 11)", Abnormal("crash", "killed by SIGSEGV"), id="signal"),
    pytest.param("print('fine')", Abnormal("garbage", "not an answer"), id="no-json"),
    pytest.param("print('[1]')", Abnormal("garbage", "not an answer"), id="no-object"),
    pytest.param('print(\'{"status": "maybe"}\')', Abnormal("garbage", "not an answer"), id="unknown-status"),
    pytest.param('os.write(1, b\'{"url": "\\xff"}\')', Abnormal("garbage", "not an answer"), id="not-utf-8"),
]


@pytest.fixture
def program(tmp_path: Path, python):
    def write(code: str):
        path = tmp_path / "case.py"
        path.write_text(f"import json, os, sys, time\n{code}\n", "utf-8")
        return find(f"exec:{' '.join(python)} {path}")

    return write


@pytest.mark.parametrize(("code", "expected"), PROGRAMS)
def test_program(program, code, expected):
    got = settle(program(code))
    if isinstance(expected, Abnormal):
        assert got.outcome == expected.outcome
        assert got.detail.startswith(expected.detail)
    else:
        assert got == expected


@pytest.mark.parametrize(
    ("written", "said"),
    [
        pytest.param(b"fine", ("not an answer: JSON is malformed: ", ": 'fine'"), id="no-json"),
        pytest.param(b"[1]", ("not an answer: it is a list, not an object: '[1]'", ""), id="no-object"),
        pytest.param(
            b'{"status": "maybe"}', ('not an answer: status is "maybe": one of ', "}'"), id="status"
        ),
        pytest.param(
            b'{"url": "\xff"}', ("not an answer: it is no UTF-8: ", ': "\ufffd"}\''), id="not-utf-8"
        ),
        pytest.param(b'{"url": 1}', ("not an answer: url is ", ": '{\"url\": 1}'"), id="type"),
        pytest.param(b"x" * 999, ("not an answer: JSON is malformed: ", f": '{'x' * 80}'..."), id="long"),
    ],
)
def test_what_a_program_wrote_is_shown(program, written, said):
    """As a line of a program that speaks the protocol is."""
    detail = settle(program(f"os.write(1, {written!r} + b'\\n')")).detail
    assert (detail.startswith(said[0]), detail.endswith(said[1])) == (True, True), detail


#: A child that holds the output open, in the group of the program or in one of its own.
FORK = """
child = os.fork()
if child == 0:
    {leave}
    time.sleep(20)
    os._exit(0)
with open({path!r}, "w") as file:
    file.write(str(child))
{then}
"""


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"], ids=["same-group", "group-of-its-own"])
def test_a_program_that_takes_too_long(program, tmp_path, alive, leave):
    """Even where a child in a group of its own, out of reach of the harness, holds the output open."""
    path = tmp_path / "pid"
    adapter = program(FORK.format(leave=leave, path=str(path), then="time.sleep(60)"))
    for seconds in (0.5, 4, 30):  # a busy machine may take longer to start it
        assert settle(adapter, Limits(case=seconds)).outcome == "timeout"
        if path.exists() and path.read_text("ascii"):
            break
    pid = int(path.read_text("ascii"))
    if leave == "pass":
        assert not alive(pid)
    else:
        os.kill(pid, 9)


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"], ids=["same-group", "group-of-its-own"])
def test_a_program_has_answered_when_it_ends(program, tmp_path, leave):
    """Whatever else still holds its output open."""
    path = tmp_path / "pid"
    then = "print('{\"url\":', flush=True); print('\"x:y\"}', flush=True); os._exit(0)"
    assert settle(program(FORK.format(leave=leave, path=str(path), then=then))) == Reply(0, "ok", url="x:y")
    if leave != "pass":
        os.kill(int(path.read_text("ascii")), 9)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("while True: os.write(1, b'x' * 65536)", id="one-line"),
        pytest.param("while True: os.write(1, b'x\\n' * 32768)", id="many-lines"),
    ],
)
def test_a_program_that_floods_its_output_is_ended(program, code):
    got = settle(program(code))
    assert got.outcome == "garbage"
    assert "more than 1048576 octets" in got.detail


def test_programs_beside_each_other_come_to_the_same(program):
    adapter = program("sys.exit(int(json.load(sys.stdin)['url'][-1]))")
    asked = [msgspec.structs.replace(QUESTION, url=f"a:{n % 4}") for n in range(12)]
    found = []
    for jobs in (1, 5):
        asker = open_client(adapter, LIMITS._replace(jobs=jobs), "tests")
        found.append(list(asker.ask(asked)))
        asker.close()
    assert found[0] == found[1]
    assert [getattr(got, "status", None) for _, got in found[0][:4]] == ["ok", "reject", None, "unsupported"]


def test_the_time_for_all_cases(program, module, monkeypatch):
    """What is settled by then stays settled."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    slow = "import time\ndef answer(question):\n    time.sleep(60)\n"
    here = replace(module(slow), apart=False)
    for adapter, seconds in ((here, 0.3), (program("time.sleep(60)"), 0.3), (module(slow), 4)):
        asker = open_client(adapter, LIMITS._replace(total=seconds), "tests")
        found = dict(asker.ask([QUESTION, QUESTION]))
        asker.close()
        assert set(found.values()) == {Abnormal("aborted", f"the {seconds:g} s for all cases were over")}


def test_a_program_says_why_it_crashed(program):
    got = settle(program("os.write(2, b'x' * 9999 + b'the end'); sys.exit(9)"))
    assert got.stderr.endswith("xthe end")
    assert len(got.stderr.encode()) == 4096


def test_a_program_gets_the_question_and_a_clean_environment(program, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    seen = tmp_path / "seen"
    code = (
        f"open({str(seen)!r}, 'w').write(repr((sorted(json.load(sys.stdin)), 'SECRET_TOKEN' in os.environ)))"
    )
    assert settle(program(code)) == Reply(0, "ok")
    assert seen.read_text("ascii") == "(['op', 'rule', 'spec', 'type', 'url'], False)"


@pytest.mark.parametrize("command", ["no-such-program", "/", "./nothing here"])
def test_a_program_that_is_not_there_is_dead(command):
    with pytest.raises(AdapterDead):
        open_client(find(f"exec:{command}"), LIMITS, "tests")
