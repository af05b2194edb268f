"""The clients of the doctor: what they write, what they record, and what they make of silence."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import msgspec
import pytest

from urlharness.adapters.registry import Program, find
from urlharness.doctor.client import ExecClient, ProtocolBreach, ProtocolClient, client_of
from urlharness.doctor.examination import examine
from urlharness.doctor.model import Exchange
from urlharness.doctor.questions import PLAIN, probe
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question
from urlharness.sessions.client import open_client

_LOG = "import sys\nopen(sys.argv[1], 'ab').write(sys.stdin.buffer.read())\nsys.exit(3)\n"

#: A program for each case that judges by RFC 3986, with something special.
_VALIDATE = """
import json, re, sys
q = json.loads(sys.stdin.read())
{special}
if q["op"] == "validate" and q.get("rule") in (None, "URI-reference") and isinstance(q.get("url"), str):
    sys.exit(1 if re.search(r'[^!-~]|[<>"{{}}|\\\\^`]|//\\[?[^/?#\\]]*$|:port', q["url"]) else 0)
sys.exit(3)
"""


@pytest.fixture
def start_client(good_adapter, patient):
    """Return a function that starts a client of a good adapter with something special; the test ends it."""
    clients = []

    def start(special: str = "", **patience: float) -> ProtocolClient:
        client = client_of(good_adapter(special), patient._replace(**patience))
        clients.append(client)
        return client

    yield start
    for client in clients:
        client.end()


QUESTIONS_OF_PROGRAMS = [
    ("validate", "rfc3986"),
    ("resolve", "rfc1808"),
    ("recompose", "rfc1738"),
    ("base", "rfc2396"),
]


@pytest.mark.parametrize(("op", "spec"), QUESTIONS_OF_PROGRAMS)
def test_an_exec_program_reads_the_same_bytes_as_in_a_run(tmp_path, patient, op, spec):
    (tmp_path / "log.py").write_text(_LOG, "utf-8")
    log = tmp_path / "log"
    command = [sys.executable, "-I", "-S", str(tmp_path / "log.py"), str(log)]
    question = probe(op, [spec], "http://h/\x7f\u00e9\u202e")
    ExecClient(command, patient).ask(question)
    written_by_the_doctor = log.read_bytes()
    log.unlink()
    client = open_client(find(f"exec:{shlex.join(command)}"), Limits(start=1000, case=1000), "tests")
    list(client.ask([msgspec.convert({**question, "type": "run", "id": 7}, Question)]))
    client.close()
    assert written_by_the_doctor == log.read_bytes()
    assert written_by_the_doctor.startswith(b'{"type":"run","op":')


@pytest.fixture
def examine_program(tmp_path, patient):
    """Return a function that examines a program for each case with something special."""

    def examine_special(special):
        program = tmp_path / "program.py"
        program.write_text(_VALIDATE.format(special=special), "utf-8")
        adapter = find(f"exec:{shlex.join([sys.executable, '-I', '-S', str(program)])}")
        return examine(adapter, patient, only=["operations", "refusals", "octets"])

    return examine_special


def test_an_exec_program_that_works_in_a_run_is_healthy(examine_program):
    """It needs the type of a question, which has no id."""
    report = examine_program("if q.get('type') != 'run' or 'id' in q: sys.exit(9)")
    assert report.healthy, report.checks


def test_an_exec_program_that_refuses_the_type_of_a_question_is_broken(examine_program):
    report = examine_program("if 'type' in q: sys.stderr.write('a type?'); sys.exit(9)")
    assert not report.healthy
    assert report.checks[0].message == "exit code 9; stderr: a type?"
    assert '{"type":"run","op":"validate"' in report.checks[0].reproduce


def test_an_exec_program_that_ends_with_a_stack_trace_is_broken(examine_program):
    report = examine_program("raise KeyError('%')")
    assert not report.healthy
    assert report.checks[0].message == "exit code 1 with a stack trace; stderr: KeyError: '%'"
    assert "1 rejects, 3 is unsupported, any other code is a crash" in report.checks[0].protocol


def test_an_exec_program_that_hangs_is_an_error(tmp_path, patient):
    (tmp_path / "program.py").write_text("import time\ntime.sleep(60)\n", "utf-8")
    client = ExecClient(
        [sys.executable, "-I", "-S", str(tmp_path / "program.py")], patient._replace(answer=0.1)
    )
    with pytest.raises(ProtocolBreach, match=r"no answer within 0\.1 s") as fault:
        client.ask(probe("parse", []))
    assert fault.value.silent


@pytest.fixture
def exchange(start_client):
    """The record of a client that has asked nine questions, with two lines on stderr from the program."""
    client = start_client("sys.stderr.write('one\\ntwo\\n')")
    client.ask(*[probe("parse", [], f"http://h/{number}") for number in range(9)])
    client.end()
    return client.exchange


def test_a_client_records_the_last_lines_of_an_exchange(exchange):
    wire_lines = [line for line in exchange if not line.startswith("| ")]
    assert [line.partition(" ")[0] for line in wire_lines] == ["<-", "->", "<-", "->", "<-", "->", "<-"]


def test_the_last_recorded_question_is_the_last_one(exchange):
    *_, last_question = [line for line in exchange if line.startswith("-> ")]
    assert '"url":"http://h/8"' in last_question


def test_a_client_records_stderr_after_the_exchange(exchange):
    *_, first_line, second_line = exchange
    assert first_line == "| one"
    assert second_line == "| two"


def test_a_recorded_line_is_cut_after_160_characters(start_client):
    client = start_client()
    client.ask(probe("parse", [], f"http://h/{'x' * 1000}"))
    *_, question_line, _reply_line = client.exchange
    beginning, _, rest = question_line.partition("\u2026")
    assert len(beginning) == len("-> ") + 160
    assert rest.endswith(" characters more)")


#: The numbers of the probes that a line to paste repeats, and their URLs. Without numbers, all are repeated.
LINES_TO_PASTE = [
    pytest.param((), ["http://h/1", "http://h/2"], id="all"),
    pytest.param((2,), ["http://h/2"], id="one"),
]


@pytest.mark.parametrize(("numbers", "urls"), LINES_TO_PASTE)
def test_the_line_to_paste_does_the_same_again(start_client, numbers, urls):
    client = start_client("def answer(q): return {'status': 'ok', 'url': q['url']}")
    probes = {at: probe("parse", [], f"http://h/{at}") for at in (1, 2)}
    replies = client.ask(*probes.values())
    client.end()
    line = client.reproducing_command([Exchange(probes[at], replies[at - 1]) for at in numbers])
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=True)
    hello, *answers = map(json.loads, done.stdout.splitlines())
    assert hello["type"] == "hello"
    assert [answer["url"] for answer in answers] == urls


@pytest.mark.parametrize(
    ("more", "length"), [pytest.param(0, 2000, id="longest"), pytest.param(1, 0, id="too-long")]
)
def test_a_line_to_paste_has_at_most_2000_characters(start_client, more, length):
    short = start_client()
    short.ask(probe("parse", [], PLAIN))
    room = 2000 - len(short.reproducing_command())
    client = start_client()
    client.ask(probe("parse", [], f"{PLAIN}{'x' * (room + more)}"))
    assert len(client.reproducing_command()) == length


def test_a_function_is_pasted_as_the_command_that_serves_it(patient):
    client = client_of(find("urllib"), patient)
    client.ask(probe("parse", []))
    client.end()
    assert client.reproducing_command().endswith(" | urlconform serve urllib")


#: Adapters whose hello comes when stdin is closed.
KEPT_BACK = [
    pytest.param("def write(m): print(json.dumps(m))", id="buffered"),
    pytest.param("def lines(): return sys.stdin.buffer.readlines()", id="reads-all-first"),
]


@pytest.mark.parametrize("special", KEPT_BACK)
def test_a_line_that_comes_when_stdin_is_closed_is_read(start_client, special):
    with pytest.raises(
        ProtocolBreach, match=r"it came when stdin was closed: flush each answer, and read stdin line by line"
    ) as fault:
        start_client(special, start=0.1).greet()
    assert fault.value.silent


def test_an_adapter_runs_in_its_folder(good_adapter, patient, tmp_path):
    program = good_adapter("def answer(q): return {'status': 'ok', 'url': os.getcwd()}")
    (tmp_path / "there").mkdir()
    client = client_of(Program(program.name, program.command, tmp_path / "there"), patient)
    (reply,) = client.ask(probe("parse", []))
    client.end()
    assert reply.url == str(tmp_path / "there")


def test_of_a_flood_of_lines_after_the_end_only_the_first_is_stored(start_client):
    client = start_client("def end():\n    while True: out(b'x' * 65536 + b'\\n')")
    client.greet()
    client.write(b"", last=True)
    while not client.unread:
        assert client.wait_for_exit(0.1) is None
    assert len(client.unread) == 1
