"""`urlconform serve` as a process: bundled adapters, functions and programs in a pipe."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from urlharness.protocol.messages import decode_hello

HELLO = {"type": "hello", "protocol": [1], "harness": "tests"}
BYE = {"type": "bye"}


def question(number: int, **fields) -> dict:
    """Return a question whether `a:b` is a URL of RFC 3986, with other fields in the place of its own."""
    return {"type": "run", "id": number, "op": "validate", "spec": "rfc3986", "url": "a:b", **fields}


@pytest.fixture
def serve(urlconform_process):
    """Return a function that sends messages, or lines as they are, to a served adapter.

    It returns the exit code, the lines that are printed, and what is written to stderr.
    """

    def send(*messages: dict | str, name: str = "reference"):
        lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
        done = urlconform_process("serve", name, stdin="".join(f"{line}\n" for line in lines))
        return done.returncode, done.stdout.splitlines(), done.stderr

    return send


def test_a_bundled_adapter_is_served(serve):
    questions = (question(1), question(2, url="a b", rule="URI"))
    code, (hello, reply_to_valid, reply_to_invalid), stderr = serve(HELLO, *questions, BYE)
    assert decode_hello(hello.encode()).implementation.name == "urloracle"
    assert json.loads(reply_to_valid) == {"id": 1, "status": "ok"}
    assert json.loads(reply_to_invalid)["at"] == 1  # the blank
    assert stderr == ""
    assert code == 0


def test_an_exception_of_a_served_function_is_an_error_reply(serve, tmp_path):
    (tmp_path / "served.py").write_text("def f(q): return {'status': q['nothing']}", "utf-8")
    code, (line,), _ = serve(question(7), name="python:served:f")
    assert json.loads(line) == {"id": 7, "status": "error", "message": "KeyError: 'nothing'"}
    assert code == 0


def test_a_program_is_served(serve, adapter):
    code, lines, _ = serve(HELLO, question(3, url="x"), BYE, name=f"jsonl:{' '.join(adapter())}")
    assert code == 0
    assert decode_hello(lines[0].encode()).implementation.name == "made up"
    assert json.loads(lines[1]) == {"id": 3, "status": "ok", "url": "x"}


def test_an_invalid_line_ends_the_adapter_with_exit_code_2(serve):
    code, lines, stderr = serve(HELLO, "what?")
    assert len(lines) == 1
    assert code == 2
    assert stderr.startswith("urlconform: line 2: not a message: ")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("line", ["what?", '{"type":"what"}', "[" * 5000], ids=["text", "type", "deep"])
@pytest.mark.skipif(shutil.which("java") is None, reason="java: not installed")
def test_the_java_adapter_reports_an_invalid_line_in_one_line(serve, line):
    code, lines, stderr = serve(HELLO, line, name="java-net-uri")
    assert len(lines) == 1
    assert code == 2
    assert stderr.splitlines() == [stderr.strip()]
    assert stderr.startswith("java-net-uri: invalid line: ")


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        pytest.param("nope", 2, "no adapter named 'nope'", id="unknown"),
        pytest.param("exec:true", 2, "cannot be served", id="program-per-case"),
        pytest.param("python:no_such_module:f", 3, "No module named", id="missing-module"),
        pytest.param("jsonl:./no/such/program", 3, "./no/such/program: no such file", id="missing-program"),
    ],
)
def test_what_cannot_be_served_is_an_error(serve, name, code, words):
    served, _, stderr = serve(name=name)
    assert served == code
    assert words in stderr
    assert "Traceback" not in stderr


def test_a_closed_reader_is_not_an_error(program, environment):
    with subprocess.Popen(
        [program, "serve", "reference"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as child:
        child.stdout.close()
        child.stdin.write(json.dumps(HELLO).encode() + b"\n")
        child.stdin.close()
        assert child.wait(600) == 0
        assert child.stderr.read() == b""
