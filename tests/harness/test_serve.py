"""`urlconform serve`: a bundled adapter that speaks the protocol on stdin and stdout."""

from __future__ import annotations

import json
import select
import subprocess

import msgspec
import pytest

from urlharness.corpus.model import OPERATIONS as OFFERED
from urlharness.protocol.messages import Reply, decode_hello, decode_reply

HELLO = {"type": "hello", "protocol": [1], "harness": "tests"}
BYE = {"type": "bye"}


def run(number: int, op: str = "validate", spec: str = "rfc3986", **fields) -> dict:
    return {"type": "run", "id": number, "op": op, "spec": spec, **fields}


@pytest.fixture
def serve(urlconform):
    """Sends messages to a served adapter and gives its exit code, its lines and its stderr."""

    def send(*messages: dict | str, name: str = "reference"):
        text = "".join((m if isinstance(m, str) else json.dumps(m)) + "\n" for m in messages)
        done = urlconform("serve", name, stdin=text)
        return done.returncode, done.stdout.splitlines(), done.stderr

    return send


@pytest.fixture
def talk(program, environment):
    """A served reference that is spoken to line by line."""
    with subprocess.Popen(
        [program, "serve", "reference"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        bufsize=0,
    ) as child:
        yield child
        child.kill()


def test_hello(serve):
    code, lines, stderr = serve(HELLO, BYE)
    assert (code, stderr, len(lines)) == (0, "", 1)
    hello = decode_hello(lines[0].encode())
    assert hello.implementation.name == "urloracle"
    assert set(hello.ops) == set(OFFERED)
    assert hello.specs == ["rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"]


#: Every operation, and what a reply to it holds: facts of the RFCs.
OPERATIONS = [
    pytest.param(run(1, url="a:b"), {"status": "ok"}, id="valid"),
    pytest.param(run(2, url="a b", rule="URI"), {"status": "reject", "at": 1}, id="invalid"),
    pytest.param(run(3, rule="nope", url="a"), {"status": "unsupported"}, id="unknown-rule"),
    pytest.param(run(4, "parse", url="//h?"), {"host": "h", "query": "", "fragment": None}, id="parse"),
    pytest.param(run(5, "parse", url=":"), {"status": "reject"}, id="parse-invalid"),
    pytest.param(
        run(6, "resolve", base="http://a/b/c/d;p?q", reference="../g"), {"url": "http://a/b/g"}, id="resolve"
    ),
    pytest.param(
        run(7, "resolve", "rfc2396", base="http://a/b", reference=""),
        {"url": "http://a/b", "same_document": True},
        id="same-document",
    ),
    pytest.param(
        run(8, "recompose", components={"scheme": "a", "path": "b", "query": ""}), {"url": "a:b?"}, id="join"
    ),
    pytest.param(run(9, "normalize", url="HTTP://h/%7e"), {"url": "http://h/~"}, id="normalize"),
    pytest.param(
        run(10, "normalize", url="http://h:80", mode="scheme"), {"url": "http://h/"}, id="by-scheme"
    ),
    pytest.param(run(11, url={"hex": "613aff"}), {"status": "reject", "at": 2}, id="octets"),
    pytest.param(run(12, url={"hex": "613a62"}), {"status": "ok"}, id="octets-that-are-text"),
    pytest.param(run(13, "guess", url="a"), {"status": "unsupported"}, id="unknown-operation"),
    pytest.param(run(23, url={"hex": "zz"}), {"status": "error"}, id="no-hex-digits"),
    pytest.param(run(24, url="a:b", profile="bogus"), {"status": "unsupported"}, id="unknown-profile"),
    pytest.param(run(25, "normalize", url="a:b", mode="x"), {"status": "unsupported"}, id="unknown-mode"),
    pytest.param(
        run(26, "recompose", "rfc1738", components={"scheme": "http", "hpath": "x"}),
        {"status": "reject"},
        id="components-without-a-place",
    ),
    pytest.param(run(14, spec="rfc9999", url="a"), {"status": "unsupported"}, id="unknown-spec"),
    pytest.param(
        run(15, "resolve", "rfc1738", base="http://a/", reference="b"), {"status": "unsupported"}, id="1738"
    ),
    pytest.param(run(16), {"status": "error"}, id="no-url"),
    pytest.param(run(17, url="\ud83d\ude00"), {"status": "reject", "at": 0}, id="beyond-ascii"),
    pytest.param(run(18, url="a:b", unknown=1), {"status": "ok"}, id="unknown-field"),
    pytest.param(
        run(19, "extract", text="see <URL:http://a/ b>"),
        {"urls": [["http://a/b", "URL:http://a/b"]]},
        id="extract",
    ),
    pytest.param(
        run(20, "equivalent", url="HTTP://h/%7e", other="http://h/~"), {"equal": True}, id="equivalent"
    ),
    pytest.param(
        run(21, "equivalent", url="http://h/?", other="http://h/"), {"equal": False}, id="different"
    ),
    pytest.param(run(22, "decode", url="ftp://h/a"), {"status": "unsupported"}, id="decode-3986"),
    pytest.param(
        run(27, "base", embedded="../x", retrieval="http://a/b/c/d", default=None),
        {"base": "http://a/b/x", "layer": "embedded", "section": "5.1.1"},
        id="base",
    ),
    pytest.param(
        run(28, "base", "rfc1808", header="base : <URL:http://a/\r\n b>"),
        {"base": "http://a/b", "layer": "embedded", "section": "3.1"},
        id="base-of-a-header",
    ),
    pytest.param(
        run(29, "base", "rfc1808", header="Base: http://a/"), {"status": "reject", "at": 6}, id="bad-header"
    ),
    pytest.param(run(30, "base", header="Base: <URL:a:b>"), {"status": "unsupported"}, id="header-3986"),
    pytest.param(
        run(31, "base", "rfc1808", header="Base: <URL:a:b>", embedded="a:b"),
        {"status": "unsupported"},
        id="header-and-layer",
    ),
    pytest.param(
        run(32, "extract", "rfc1738", text="<URL:http://a/#b>"),
        {"urls": [["http://a/#b"]]},
        id="fragment-apart",
    ),
]


@pytest.fixture(scope="module")
def answered(environment, program):
    """The replies to all the operations, pipelined."""
    lines = [json.dumps(m) for m in (HELLO, *(case.values[0] for case in OPERATIONS), BYE)]
    done = subprocess.run(
        [program, "serve", "reference"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=60,
    )
    _, *replies = done.stdout.splitlines()
    return {reply.id: reply for reply in (decode_reply(line.encode()) for line in replies)}


@pytest.mark.parametrize(("question", "expected"), OPERATIONS)
def test_operation(answered, question, expected):
    reply: Reply = answered[question["id"]]
    got = msgspec.to_builtins(reply)
    got |= got.get("components", {})
    assert {name: got.get(name) for name in expected} == expected


def test_the_pipelined_are_answered_in_order(answered):
    assert list(answered) == [case.values[0]["id"] for case in OPERATIONS]


def test_an_answer_never_waits_for_the_next_question(talk):
    for message, number in ((HELLO, None), (run(5, url="a:b"), 5), (run(6, url="%"), 6)):
        talk.stdin.write(json.dumps(message).encode() + b"\n")
        assert select.select([talk.stdout], [], [], 20)[0], "no answer"
        assert json.loads(talk.stdout.readline()).get("id") == number


def test_a_line_may_come_in_parts(talk):
    text = json.dumps(run(5, url="a:b")).encode() + b"\n"
    for part in (text[:9], text[9:-1]):
        talk.stdin.write(part)
        assert not select.select([talk.stdout], [], [], 0.05)[0]
    talk.stdin.write(text[-1:])
    assert json.loads(talk.stdout.readline()) == {"id": 5, "status": "ok"}


def test_bye_ends_it(talk):
    talk.stdin.write(json.dumps(BYE).encode() + b"\n")
    assert talk.stdout.read() == b""
    assert talk.wait(20) == 0


def test_the_end_of_input_ends_it(serve):
    code, lines, stderr = serve(HELLO, run(1, url="a:b"))
    assert (code, len(lines), stderr) == (0, 2, "")


def test_what_follows_bye_is_not_read(serve):
    code, lines, _ = serve(BYE, "what?")
    assert (code, lines) == (0, [])


def test_a_last_line_without_its_end(urlconform):
    done = urlconform("serve", "reference", stdin=json.dumps(run(1, url="a:b")))
    assert json.loads(done.stdout) == {"id": 1, "status": "ok"}


BAD_LINES = [
    pytest.param("what?", id="no-json"),
    pytest.param("[1]", id="list"),
    pytest.param("{}", id="no-type"),
    pytest.param('{"type":"shout"}', id="unknown-type"),
    pytest.param('{"type":"run","op":"validate"}', id="no-id"),
    pytest.param('{"type":"run","id":1,"url":"\\ud800"}', id="lone-surrogate"),
    pytest.param('{"type":"run","id":1,"url":"' + "x" * 2**20 + '"}' + " " * 2**20, id="2-mib"),
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_bad_line_ends_it_behind_the_answers_before(serve, line):
    code, lines, stderr = serve(HELLO, "", run(1, url="a:b"), line, run(2, url="a:b"))
    assert code == 2
    assert stderr.startswith("urlconform: line 4: ")
    assert stderr.count("\n") == 1
    assert [json.loads(text).get("id") for text in lines] == [None, 1]


def test_octets_that_are_no_utf_8_end_it(program, environment):
    done = subprocess.run(
        [program, "serve", "reference"],
        input=b'{"type":"\xff"}\n',
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"urlconform: line 1: not a message")


def test_a_reader_that_went_away_is_no_trouble(program, environment):
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
        assert child.wait(20) == 0
        assert child.stderr.read() == b""


def test_an_exception_is_an_answer(serve, tmp_path):
    (tmp_path / "served.py").write_text("def f(q): raise KeyError('\\ud800')", "utf-8")
    code, lines, _ = serve(run(7, url="a:b"), name="python:served:f")
    assert code == 0
    assert decode_reply(lines[0].encode()) == Reply(7, "error", "KeyError: '\\ud800'")


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("{'status': 'ok', 'url': '\\ud800'}", id="surrogate"),
        pytest.param("{'status': 'ok', 'url': b'octets'}", id="octets"),
        pytest.param("{'status': 'ok', 'also': [object()]}", id="object"),
        pytest.param("{}", id="empty"),
        pytest.param("None", id="none"),
    ],
)
def test_what_is_no_reply_in_this_process_is_none_on_the_wire(serve, tmp_path, answer):
    (tmp_path / "served.py").write_text(f"def f(q): return {answer}", "utf-8")
    code, (line,), _ = serve(run(7, url="a:b"), name="python:served:f")
    assert code == 0
    with pytest.raises(msgspec.ValidationError, match="status"):
        decode_reply(line.encode())
    assert "not a reply" in json.loads(line)["message"]


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        pytest.param("nope", 2, "no adapter named 'nope'", id="unknown"),
        pytest.param("exec:true", 2, "a program per case cannot be served", id="program-per-case"),
        pytest.param("python:no_such_module:f", 3, "No module named", id="module-that-is-not-there"),
        pytest.param(
            "jsonl:./no/such/program", 3, "no/such/program: No such file", id="program-that-is-not-there"
        ),
    ],
)
def test_what_cannot_be_served(serve, name, code, words):
    got, _, stderr = serve(name=name)
    assert got == code
    assert words in stderr
    assert "Traceback" not in stderr


def test_a_program_is_served_as_it_is(serve, adapter):
    code, lines, _ = serve(HELLO, run(3, url="x"), BYE, name=f"jsonl:{' '.join(adapter())}")
    assert code == 0
    assert decode_hello(lines[0].encode()).implementation.name == "made up"
    assert json.loads(lines[1]) == {"id": 3, "status": "ok", "url": "x"}
