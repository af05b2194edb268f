"""Whatever an adapter program does to one question, every other question keeps its own answer."""

from __future__ import annotations

import os

import pytest

from urlharness.protocol import Question, Reply
from urlharness.session import Abnormal, AdapterDead, Limits, Session

NAMES = ["a", "b", "c", "TARGET", "d", "e", "f"]
PATIENT = Limits(start=20, case=20)
#: For adapters that never answer: waiting for them is the test.
IMPATIENT = Limits(start=20, case=0.6)


def questions(names=NAMES):
    return [Question(id=0, op="normalize", spec="rfc3986", url=f"http://h/{name}") for name in names]


def outcomes(command, limits=PATIENT, names=NAMES):
    """What became of each question, by name: "own" where the answer is the one to it."""
    session = Session(command, limits, "tests")
    asked = questions(names)
    found = {}
    for index, got in session.ask(asked):
        assert names[index] not in found, "a question settled twice"
        if isinstance(got, Abnormal):
            found[names[index]] = got
        else:
            assert got.url == asked[index].url, "the answer to another question"
            found[names[index]] = got.status
    session.close()
    assert found.keys() == set(names)
    return found


#: What the adapter does with one of the questions; the outcome of that question, and words of the detail.
FAULTS = [
    pytest.param("os._exit(3)", "crash", "exit code 3", id="exit-code"),
    pytest.param("os.kill(os.getpid(), signal.SIGSEGV)", "crash", "SIGSEGV", id="segmentation-fault"),
    pytest.param("os.kill(os.getpid(), signal.SIGKILL)", "crash", "SIGKILL", id="killed"),
    pytest.param("raise IndexError('off by one')", "crash", "exit code 1", id="exception"),
    pytest.param("os._exit(0)", "no-answer", "it ended without an answer", id="exits-with-0"),
    pytest.param("out('{\"id\":'); os._exit(0)", "no-answer", "after '{\"id\":'", id="half-a-line-then-exit"),
    pytest.param("out('what?\\n')", "garbage", "not a reply", id="garbage-line"),
    pytest.param("out('[]\\n')", "garbage", "not a reply", id="no-object"),
    pytest.param("out('{}\\n')", "garbage", "not a reply", id="empty-object"),
    pytest.param("send({'id': message['id'], 'status': 'maybe'})", "garbage", "maybe", id="unknown-status"),
    pytest.param("send({'id': message['id'], 'status': 'ok', 'url': 7})", "garbage", "url", id="wrong-type"),
    pytest.param("send({'id': str(message['id']), 'status': 'ok'})", "garbage", "id", id="id-as-text"),
    pytest.param("send(right(message) | {'id': 10**6})", "garbage", "1000000", id="unknown-id"),
    pytest.param("send(right(message) | {'id': 0})", "garbage", "not asked", id="id-from-before"),
    pytest.param("out('DEBUG\\n'); send(right(message))", "garbage", "DEBUG", id="banner-before-the-answer"),
    pytest.param('out(b\'{"id":1,"status":"ok","url":"\\xff"}\\n\')', "garbage", "", id="not-utf-8"),
    pytest.param("out('\"\\\\ud800\"\\n')", "garbage", "not a reply", id="lone-surrogate"),
    pytest.param("out('x' * 2**21 + '\\n')", "garbage", "more than 1048576", id="line-of-2-mib"),
    pytest.param("out('x' * 2**21); time.sleep(60)", "garbage", "more than", id="2-mib-without-end"),
]
HANGS = [
    pytest.param("time.sleep(60)", id="hangs"),
    pytest.param("out('{\"id\":'); time.sleep(60)", id="half-a-line-then-stall"),
    pytest.param("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", id="ignores-sigterm"),
    pytest.param("while True: os.write(2, b'e' * 65536)", id="endless-stderr"),
    pytest.param("while True: out('\\n')", id="endless-blank-lines"),
    pytest.param("pass", id="skips-the-question"),
]
#: Odd, but every question is answered; what goes wrong afterwards is nobody else's fault.
HARMLESS = [
    pytest.param("send(right(message), '\\r\\n')", id="crlf"),
    pytest.param("out('\\n\\n'); send(right(message)); out('\\n')", id="blank-lines"),
    pytest.param("send(right(message) | {'extra': [1], 'type': 'reply'})", id="unknown-fields"),
    pytest.param("os.write(2, b'e' * 2**20); send(right(message))", id="much-stderr"),
    pytest.param("for byte in json.dumps(right(message)): out(byte)\n    out('\\n')", id="byte-by-byte"),
    pytest.param("send(right(message)); send(right(message))", id="answers-twice"),
    pytest.param("send(right(message)); time.sleep(0.1); send(right(message))", id="answers-twice-later"),
    pytest.param("send(right(message)); out('bye for now\\n')", id="noise-after-the-answer"),
    pytest.param("send(right(message)); time.sleep(0.1); out('noise\\n')", id="noise-later"),
    pytest.param("send(right(message)); os._exit(1)", id="crash-after-the-answer"),
    pytest.param(
        "send(right(message)); os.close(0); time.sleep(0.1); os._exit(0)", id="end-after-the-answer"
    ),
]
WINDOWS = [pytest.param(1, id="window-1"), pytest.param(4, id="window-4")]


def fault(code: str) -> str:
    return f"def fault(message):\n    {code}\n"


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(("code", "outcome", "words"), FAULTS)
def test_fault_is_that_of_one_question(adapter, code, outcome, words, window):
    found = outcomes(adapter(fault(code), window))
    guilty = found.pop("TARGET")
    assert guilty.outcome == outcome
    assert words in guilty.detail
    assert set(found.values()) == {"ok"}


@pytest.mark.parametrize("code", HANGS)
def test_hanging_is_that_of_one_question(adapter, code):
    found = outcomes(adapter(fault(code), 64), IMPATIENT)
    guilty = found.pop("TARGET")
    assert guilty[:2] == ("timeout", "no answer within 0.6 s")
    assert set(found.values()) == {"ok"}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("code", HARMLESS)
def test_oddity_costs_nobody_an_answer(adapter, code, window):
    assert set(outcomes(adapter(fault(code), window)).values()) == {"ok"}


def test_closing_stdout_is_no_answer(adapter):
    found = outcomes(adapter(fault("os.close(1); time.sleep(60)")))
    assert found.pop("TARGET")[:2] == ("no-answer", "it closed its output and went on")
    assert set(found.values()) == {"ok"}


@pytest.mark.parametrize("apart", [False, True], ids=["same-group", "group-of-its-own"])
def test_a_child_that_holds_stdout_hides_no_crash(adapter, tmp_path, alive, apart):
    code = f"""
    child = os.fork()
    if child == 0:
        {"os.setsid()" if apart else ""}
        time.sleep(20)
    with open({str(tmp_path / "pids")!r}, "a") as file:
        print(child, file=file)
    os._exit(7)
    """
    found = outcomes(adapter(fault(code)))
    children = [int(pid) for pid in (tmp_path / "pids").read_text("ascii").split()]
    assert children
    for pid in children:
        assert alive(pid) is apart  # out of reach of the harness, and not waited for
        if apart:
            os.kill(pid, 9)
    assert found.pop("TARGET")[:2] == ("crash", "exit code 7")
    assert set(found.values()) == {"ok"}


def test_replies_in_any_order_are_matched_by_id(adapter):
    special = """
    waiting = []
    def right(message):
        waiting.insert(0, {"id": message["id"], "status": "ok", "url": message["url"]})
        if select.select([0], [], [], 0.05)[0] and len(waiting) < 4:
            return {}
        for reply in waiting:
            real(reply)
        waiting.clear()
        return {}
    real = send
    def send(message, end="\\n"):
        if message:
            real(message, end)
    """
    assert set(outcomes(adapter(special, 4)).values()) == {"ok"}


def test_stderr_goes_with_an_abnormal_outcome(adapter):
    code = "os.write(2, b'x' * 9999 + b' the end'); os._exit(2)"
    guilty = outcomes(adapter(fault(code)))["TARGET"]
    assert guilty.stderr.endswith("x the end")
    assert len(guilty.stderr) == 4096


def test_a_program_that_always_crashes_is_given_up(adapter):
    everything = "def right(message):\n    os._exit(9)\n"
    found = outcomes(adapter(everything), PATIENT._replace(restarts=2), list("abcdef"))
    assert [found[name].outcome for name in "abcdef"] == ["crash"] * 3 + ["aborted"] * 3
    assert found["f"].detail == "it had to be started again more than 2 times"


def test_a_program_that_starts_only_once_is_given_up(adapter, tmp_path):
    special = f"""
    if os.path.exists({str(tmp_path / "been here")!r}):
        sys.exit("no second time")
    open({str(tmp_path / "been here")!r}, "w").close()
    def fault(message):
        os._exit(1)
    """
    found = outcomes(adapter(special))
    assert [found[name] for name in "abc"] == ["ok"] * 3
    assert {found[name].outcome for name in ("TARGET", *"def")} == {"aborted"}
    assert "no second time" in found["d"].detail


@pytest.mark.parametrize("together", [True, False], ids=["with-the-hello", "after-the-hello"])
def test_a_banner_behind_the_hello_is_never_taken_for_an_answer(adapter, together):
    late = "" if together else "time.sleep(0.05); "
    special = f"def hello():\n    {late}out(json.dumps(HELLO) + '\\nwelcome\\n')\n"
    if not together:
        special = "def hello():\n    send(HELLO)\n    time.sleep(0.05)\n    out('welcome\\n')\n"
    found = outcomes(adapter(special), names=list("ab"))
    assert {got.outcome for got in found.values()} == {"garbage"}
    assert "welcome" in found["a"].detail


DEAD = [
    pytest.param("def hello(): time.sleep(60)", "no hello: no answer within 0.3 s", id="never-says-hello"),
    pytest.param("def hello(): os._exit(4)", "no hello: exit code 4", id="dies-at-hello"),
    pytest.param("def hello(): os._exit(0)", "no hello: it ended", id="ends-at-hello"),
    pytest.param("os.kill(os.getpid(), signal.SIGABRT)", "no hello: killed by SIGABRT", id="aborts-at-start"),
    pytest.param("sys.exit('no licence')", "it wrote: no licence", id="says-why"),
    pytest.param("HELLO['protocol'] = 99", "it speaks protocol 99, not 1", id="protocol-99"),
    pytest.param("HELLO['protocol'] = [1]", "it speaks protocol [1], not 1", id="protocols-in-a-list"),
    pytest.param("del HELLO['type']", "no hello of protocol 1", id="no-type"),
    pytest.param("del HELLO['ops']", "`ops`", id="no-operations"),
    pytest.param("del HELLO['implementation']['version']", "`version`", id="no-version"),
    pytest.param("HELLO['window'] = 0", "`$.window`", id="no-window"),
    pytest.param("out('Starting...\\n')", "Starting...", id="banner-before-the-hello"),
    pytest.param("out('x' * 2**21)", "a line of more than", id="line-without-end"),
]


@pytest.mark.parametrize(("special", "words"), DEAD)
def test_a_program_without_a_hello_is_dead(adapter, special, words):
    start = 0.3 if "never" in words or "0.3" in words else 20
    with pytest.raises(AdapterDead) as dead:
        Session(adapter(special), Limits(start=start), "tests")
    assert words in str(dead.value)


@pytest.mark.parametrize("program", ["no-such-program", "/", "./no/such"], ids=["name", "folder", "path"])
def test_a_program_that_is_not_there_is_dead(program):
    with pytest.raises(AdapterDead, match=program):
        Session([program], PATIENT, "tests")


def test_the_hello_is_kept(adapter):
    session = Session(adapter(window=9), PATIENT, "tests")
    session.close()
    assert (session.hello.implementation.name, session.hello.window) == ("made up", 9)


def test_nothing_of_the_corpus_is_sent(adapter, tmp_path):
    """Only the fields of the question go over the wire: no vector id, no expectation."""
    special = f"""
    def right(message):
        with open({str(tmp_path / "seen")!r}, "a") as file:
            file.write(" ".join(sorted(message)) + "\\n")
        return {{"id": message["id"], "status": "ok", "url": message["url"]}}
    """
    outcomes(adapter(special), names=["a"])
    assert (tmp_path / "seen").read_text("ascii") == "id op spec type url\n"


def test_ids_are_never_used_twice(adapter, tmp_path):
    special = f"""
    def fault(message):
        os._exit(1)
    def right(message):
        with open({str(tmp_path / "ids")!r}, "a") as file:
            print(message["id"], file=file)
        return {{"id": message["id"], "status": "ok", "url": message["url"]}}
    """
    outcomes(adapter(special, 4))
    ids = (tmp_path / "ids").read_text("ascii").split()
    assert len(ids) == len(set(ids)) >= len(NAMES) - 1


def test_replies_are_records(adapter):
    session = Session(adapter(), PATIENT, "tests")
    assert all(isinstance(got, Reply) for _, got in session.ask(questions(["a"])))
    session.close()
