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
from urlharness.engine.client import open_client
from urlharness.limits import Limits
from urlharness.protocol.messages import Question

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
def started(good_adapter, patient):
    """Return a client of a good adapter with something special, and end it after the test."""
    clients = []

    def start(special: str = "", **patience: float) -> ProtocolClient:
        client = client_of(good_adapter(special), patient._replace(**patience))
        clients.append(client)
        return client

    yield start
    for client in clients:
        client.end()


ASKED = [("validate", "rfc3986"), ("resolve", "rfc1808"), ("recompose", "rfc1738"), ("base", "rfc2396")]


@pytest.mark.parametrize(("op", "spec"), ASKED)
def test_an_exec_program_reads_the_same_bytes_as_in_a_run(tmp_path, patient, op, spec):
    (tmp_path / "log.py").write_text(_LOG, "utf-8")
    log = tmp_path / "log"
    command = [sys.executable, "-I", "-S", str(tmp_path / "log.py"), str(log)]
    question = probe(op, [spec], "http://h/\x7f\u00e9\u202e")
    ExecClient(command, patient).ask(question)
    of_the_doctor = log.read_bytes()
    log.unlink()
    client = open_client(find(f"exec:{shlex.join(command)}"), Limits(start=1000, case=1000), "tests")
    list(client.ask([msgspec.convert({**question, "type": "run", "id": 7}, Question)]))
    client.close()
    assert of_the_doctor == log.read_bytes()
    assert of_the_doctor.startswith(b'{"type":"run","op":')


#: What a program for each case does with the type of its question, and whether it is healthy.
TYPED = [
    pytest.param("if q.get('type') != 'run' or 'id' in q: sys.exit(9)", True, id="wants-type-without-id"),
    pytest.param("if 'type' in q: sys.stderr.write('a type?'); sys.exit(9)", False, id="chokes-on-type"),
]


@pytest.mark.parametrize(("special", "healthy"), TYPED)
def test_an_exec_program_is_healthy_if_it_works_in_a_run(tmp_path, patient, special, healthy):
    program = tmp_path / "program.py"
    program.write_text(_VALIDATE.format(special=special), "utf-8")
    report = examine(
        find(f"exec:{shlex.join([sys.executable, '-I', '-S', str(program)])}"),
        patient,
        only=["operations", "refusals", "octets"],
    )
    assert report.healthy == healthy, report.checks
    if not healthy:
        assert report.checks[0].message == "exit code 9; stderr: a type?"
        assert '{"type":"run","op":"validate"' in report.checks[0].reproduce


def test_an_exec_program_that_hangs_is_an_error(tmp_path, patient):
    (tmp_path / "program.py").write_text("import time\ntime.sleep(60)\n", "utf-8")
    client = ExecClient(
        [sys.executable, "-I", "-S", str(tmp_path / "program.py")], patient._replace(answer=0.1)
    )
    with pytest.raises(ProtocolBreach, match=r"no answer within 0\.1 s") as fault:
        client.ask(probe("parse", []))
    assert fault.value.silent


def test_a_client_records_the_last_lines_of_an_exchange(started):
    client = started("sys.stderr.write('one\\ntwo\\n')")
    client.ask(*[probe("parse", [], f"http://h/{at}") for at in range(9)])
    client.end()
    *wire, first, two = client.exchange
    assert first == "| one"
    assert two == "| two"
    assert [line[:2] for line in wire] == ["<-", *["->", "<-"] * 3]
    assert '"url":"http://h/8"' in wire[-2]
    assert all(len(line) < 220 for line in wire)


#: What was asked, and whether the line to paste has the probes or all that was written.
PASTED = [
    pytest.param((), ["http://h/1", "http://h/2"], id="all"),
    pytest.param((2,), ["http://h/2"], id="one"),
]


@pytest.mark.parametrize(("numbers", "urls"), PASTED)
def test_the_line_to_paste_does_the_same_again(started, numbers, urls):
    client = started("def answer(q): return {'status': 'ok', 'url': q['url']}")
    probes = {at: probe("parse", [], f"http://h/{at}") for at in (1, 2)}
    replies = client.ask(*probes.values())
    client.end()
    line = client.reproduce([Exchange(probes[at], replies[at - 1]) for at in numbers])
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=True)
    hello, *answers = map(json.loads, done.stdout.splitlines())
    assert hello["type"] == "hello"
    assert [answer["url"] for answer in answers] == urls


def test_there_is_no_line_to_paste_for_much_input(started):
    client = started()
    client.ask(*[probe("parse", [], PLAIN)] * 50)
    assert client.reproduce() == ""


def test_a_function_is_pasted_as_the_command_that_serves_it(patient):
    client = client_of(find("urllib"), patient)
    client.ask(probe("parse", []))
    client.end()
    assert client.reproduce().endswith(" | urlconform serve urllib")


#: Adapters whose hello comes when stdin is closed.
KEPT_BACK = [
    pytest.param("def write(m): print(json.dumps(m))", id="buffered"),
    pytest.param("def lines(): return sys.stdin.buffer.readlines()", id="reads-all-first"),
]


@pytest.mark.parametrize("special", KEPT_BACK)
def test_a_line_that_comes_when_stdin_is_closed_is_read(started, special):
    with pytest.raises(
        ProtocolBreach, match=r"it came when stdin was closed: flush each answer, and read stdin line by line"
    ) as fault:
        started(special, start=0.1).greet()
    assert fault.value.silent


def test_an_adapter_runs_in_its_folder(good_adapter, patient, tmp_path):
    program = good_adapter("def answer(q): return {'status': 'ok', 'url': os.getcwd()}")
    (tmp_path / "there").mkdir()
    client = client_of(Program(program.name, program.command, tmp_path / "there"), patient)
    (reply,) = client.ask(probe("parse", []))
    client.end()
    assert reply.url == str(tmp_path / "there")


def test_a_flood_of_lines_is_not_kept(started):
    client = started("def end():\n    while True: out(b'x' * 65536 + b'\\n')")
    client.greet()
    client.write(b"", last=True)
    while not client.unread:
        assert client.wait(0.1) is None
    assert len(client.unread) == 1
