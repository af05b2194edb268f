"""The server: hello, replies, errors of functions, invalid lines; as a process in a pipe."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from typing import NamedTuple

import msgspec
import pytest

from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.messages import Reply, decode_hello, decode_reply
from urlharness.protocol.server import abnormal_outcome, exception_text, exit_in_words, hello_of, reply_of

HELLO = {"type": "hello", "protocol": [1], "harness": "tests"}
BYE = {"type": "bye"}
FIELDS = {"protocol": 1, "implementation": {"name": "x", "version": "1"}, "ops": ["validate"], "specs": []}

#: Serves a function that answers with the expression of its argument.
SERVE = f"""
import sys
import time

from urlharness.protocol.server import ProtocolError, serve


def answer(question):
    return eval(sys.argv[1])


try:
    serve(lambda: ({FIELDS}, answer), report_abnormal=len(sys.argv) > 2)
except ProtocolError as error:
    sys.exit(str(error))
"""
ECHO = "{'status': 'ok', 'url': question['url']}"


def question(number: int, **fields) -> dict:
    return {"type": "run", "id": number, "op": "validate", "spec": "rfc3986", "url": "a:b", **fields}


class Served(NamedTuple):
    """The end of a server, and the text that it has written."""

    code: int
    lines: list[bytes]
    stderr: str


def serve(*messages: dict | str, answer: str = ECHO, abnormal: bool = False, end: str = "\n") -> Served:
    """Send messages to a server that answers with the expression `answer`, and wait for its end."""
    lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
    text = "\n".join(lines) + end
    done = subprocess.run(
        [sys.executable, "-c", SERVE, answer, *(["abnormal"] if abnormal else [])],
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
        timeout=60,
    )
    return Served(done.returncode, done.stdout.splitlines(), done.stderr.decode())


def reply_to(*messages: dict | str, **options) -> bytes:
    """Send messages to a server, and return the only line that it writes."""
    (line,) = serve(*messages, **options).lines
    return line


@pytest.fixture
def server():
    """A server that is written to and read from line by line."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as child:
        yield child
        child.kill()


def test_hello_and_questions_are_answered_in_order():
    served = serve(HELLO, question(1), question(2), BYE)
    hello, *replies = served.lines
    assert decode_hello(hello).implementation.name == "x"
    assert [decode_reply(reply).id for reply in replies] == [1, 2]
    assert served.stderr == ""
    assert served.code == 0


def test_a_blank_line_is_skipped():
    served = serve(question(1), "", question(2), BYE)
    assert [decode_reply(reply).id for reply in served.lines] == [1, 2]
    assert served.stderr == ""
    assert served.code == 0


def test_an_unknown_field_of_a_question_is_ignored():
    assert decode_reply(reply_to(question(1, unknown=1), BYE)).status == "ok"


def test_nothing_is_read_after_bye():
    assert serve(BYE, "what?", question(1)) == Served(0, [], "")


def test_the_end_of_input_ends_the_server_even_within_a_line():
    served = serve(question(1), end="")
    assert [json.loads(line) for line in served.lines] == [{"id": 1, "status": "ok", "url": "a:b"}]
    assert served.stderr == ""
    assert served.code == 0


@pytest.mark.parametrize(
    ("message", "identifier"), [(HELLO, None), (question(5), 5)], ids=["hello", "question"]
)
def test_an_answer_does_not_wait_for_the_next_question(server, message, identifier):
    server.stdin.write(json.dumps(message).encode() + b"\n")
    ready, _, _ = select.select([server.stdout], [], [], 600)
    assert ready != [], "no answer"
    assert json.loads(server.stdout.readline()).get("id") == identifier


def test_a_line_may_come_in_parts(server):
    line = json.dumps(question(5)).encode() + b"\n"
    for part in (line[:9], line[9:-1]):
        server.stdin.write(part)
        ready, _, _ = select.select([server.stdout], [], [], 0.05)
        assert ready == [], part
    server.stdin.write(line[-1:])
    assert json.loads(server.stdout.readline())["id"] == 5


BAD_LINES = [
    pytest.param("what?", id="no-json"),
    pytest.param("[1]", id="list"),
    pytest.param('{"type":"shout"}', id="unknown-type"),
    pytest.param('{"type":"run","op":"validate"}', id="no-id"),
    pytest.param('{"type":"run","id":"1","op":"validate"}', id="id-as-text"),
    pytest.param('{"type":"run","id":9007199254740992}', id="large-id"),
    pytest.param('{"type":"hello","protocol":[2]}', id="other-protocol"),
    pytest.param('{"type":"run","id":1,"url":"\\ud800"}', id="lone-surrogate"),
    pytest.param('{"type":"\udcff"}', id="no-utf-8"),
    pytest.param('{"type":"run","id":1,"url":"' + "x" * 2**20 + '"}' + " " * 2**20, id="2-mib"),
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_an_invalid_line_ends_the_server_after_earlier_answers(line):
    served = serve(HELLO, "", question(1), line, question(2))
    assert served.code == 1
    assert served.stderr.startswith("line 4: ")
    assert [json.loads(text).get("id") for text in served.lines] == [None, 1]


def test_a_line_that_is_no_object_is_shown():
    assert serve("[1]").stderr.strip() == "line 1: expected a JSON object, not [1]"


def test_what_a_function_prints_goes_to_stderr():
    served = serve(question(1), answer="print('printed', flush=True) or {'status': 'ok'}")
    assert [json.loads(line) for line in served.lines] == [{"id": 1, "status": "ok"}]
    assert served.stderr == "printed\n"


def test_an_exception_is_an_error():
    line = reply_to(question(7), answer="{}['\\ud800']")
    assert decode_reply(line) == Reply(7, "error", "KeyError: '\\ud800'")


FUNCTIONS_WITHOUT_ANSWER = pytest.mark.parametrize(
    "answer",
    ["{}[question['url']]", "{'status': 'unsupported', 'message': 'None'}"],
    ids=["raises", "unsupported"],
)


@FUNCTIONS_WITHOUT_ANSWER
def test_an_invalid_question_is_an_error_that_names_its_fields(answer):
    line = reply_to({"type": "run", "id": 7, "op": "parse", "spec": None}, answer=answer)
    assert decode_reply(line) == Reply(7, "error", "not a valid question: spec is null, expected a string")


@FUNCTIONS_WITHOUT_ANSWER
def test_a_valid_question_that_a_function_does_not_answer_is_not_called_invalid(answer):
    line = reply_to(question(8), answer=answer)
    assert "not a valid question" not in decode_reply(line).message


@pytest.mark.parametrize(
    "answer",
    ["None", "{'status': 'ok', 'url': b'x'}", "{'status': 'ok', 'url': '\\ud800'}"],
    ids=["none", "bytes", "lone-surrogate"],
)
def test_an_invalid_answer_does_not_become_a_valid_reply(answer):
    line = reply_to(question(7), answer=answer)
    with pytest.raises(msgspec.ValidationError, match=r" - at `\$\.status`$"):
        decode_reply(line)
    assert json.loads(line)["message"].startswith("not a reply: ")


@pytest.mark.parametrize(
    ("answer", "outcome"), [("sys.exit(3)", "crash"), ("None", "garbage")], ids=["exit", "none"]
)
def test_an_abnormal_outcome_is_reported_without_ending_the_server(answer, outcome):
    served = serve(question(7), question(8), answer=answer, abnormal=True)
    outcomes = [abnormal_outcome(decode_reply(line)).outcome for line in served.lines]
    assert outcomes == [outcome, outcome]
    assert served.code == 0


def test_an_answer_of_a_function_reports_no_abnormal_outcome():
    answer = "{'status': 'error', 'layer': 'crash'}"
    line = reply_to(question(7), answer=answer, abnormal=True)
    assert abnormal_outcome(decode_reply(line)) is None


#: What a function returns, and why it is not a reply.
ANSWERS = [
    pytest.param(None, "the function returned NoneType, expected a dict", id="none"),
    pytest.param({}, "status is missing", id="empty"),
    pytest.param({"status": "ok", "url": 1}, "url is 1, expected a string", id="url"),
    pytest.param(
        {"status": "ok", "also": [object()]}, "also is a list, expected a list of answers", id="object"
    ),
    pytest.param({"status": "ok", "url": "\ud800"}, "UnicodeEncodeError: ", id="surrogate"),
]


@pytest.mark.parametrize(("answer", "message"), ANSWERS)
def test_an_answer_that_is_not_a_reply_is_an_error(answer, message):
    with pytest.raises(ValueError, match=r"^not a reply: ") as raised:
        reply_of(answer, 1)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param({"ops": "validate"}, 'ops is "validate", expected a list of strings', id="ops"),
        pytest.param({"features": None}, "features is null: leave out", id="null"),
        pytest.param({"ops": {1}}, "ops is a set, expected a list of strings", id="set"),
    ],
)
def test_an_invalid_hello_of_a_function_ends_the_server(fields, message):
    with pytest.raises(AdapterDead) as dead:
        hello_of({**FIELDS, **fields})
    assert str(dead.value).startswith(f"its hello is invalid: {message}")


class Unprintable(Exception):
    def __str__(self):
        raise IndexError

    __repr__ = __str__


@pytest.mark.parametrize(
    ("exception", "text"),
    [
        (ValueError("\ud800"), "ValueError: \\ud800"),
        (Unprintable(), "Unprintable (its text cannot be read: IndexError)"),
    ],
    ids=["lone-surrogate", "unprintable"],
)
def test_an_exception_is_shown_as_text(exception, text):
    assert exception_text(exception) == text


@pytest.mark.parametrize(
    ("exit_exception", "text"),
    [(SystemExit(3), "it called exit(3)"), (SystemExit(Unprintable()), "it called exit")],
    ids=["number", "unprintable"],
)
def test_an_exit_is_shown_as_text(exit_exception, text):
    assert exit_in_words(exit_exception) == text
