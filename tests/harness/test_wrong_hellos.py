"""What is wrong with a hello is said by the names of its fields, wherever it is met; the decoder judges."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from urlharness.adapters.registry import find
from urlharness.doctor.client import Fault, Patience, Speaking
from urlharness.doctor.examination import examine
from urlharness.limits import AdapterDead
from urlharness.protocol.errors import LEFT_OUT, NO_REPLY, instead_of_hello, no_hello, not_said, wrong_hello
from urlharness.protocol.messages import decode_hello
from urlharness.protocol.server import hello_of

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)
ABOUT = {"name": "x", "version": "1"}
HELLO = {"type": "hello", "protocol": 1, "implementation": ABOUT, "ops": ["parse"], "specs": ["rfc3986"]}
NEEDED = "a hello needs type, protocol, implementation.name and .version, ops and specs"
WINDOW = "it is a whole number from 1 to 65536"


def without(*names: str) -> dict[str, object]:
    return {name: value for name, value in HELLO.items() if name not in names}


def about(**fields: object) -> dict[str, object]:
    return {**HELLO, "implementation": {**ABOUT, **fields}}


#: JSON in place of a hello, and what is said of it.
HELLOS = [
    pytest.param([HELLO], "it is a list, not an object", id="list"),
    pytest.param("hello", "it is a text, not an object", id="text"),
    pytest.param(None, "it is null, not an object", id="null"),
    pytest.param({}, f"it has no type, protocol, implementation, ops, specs: {NEEDED}", id="empty"),
    pytest.param(without("type"), f"it has no type: {NEEDED}", id="no-type"),
    pytest.param({**HELLO, "type": "hi"}, 'type is "hi": it is "hello"', id="hi"),
    pytest.param({"type": "bye"}, 'type is "bye": it is "hello"', id="bye"),
    pytest.param({**HELLO, "type": 3}, 'type is 3, a number: it is "hello"', id="type-number"),
    pytest.param({**HELLO, "type": None}, 'type is null: it is "hello"', id="type-null"),
    pytest.param(without("protocol"), f"it has no protocol: {NEEDED}", id="no-protocol"),
    pytest.param(
        {**HELLO, "protocol": "1"}, 'protocol is "1", a text: it is the integer 1', id="protocol-text"
    ),
    pytest.param(
        {**HELLO, "protocol": 1.0},
        "protocol is 1.0, a number with a decimal point: it is the integer 1", id="protocol-point",
    ),
    pytest.param(
        {**HELLO, "protocol": True}, "protocol is true, a truth value: it is the integer 1", id="truth"
    ),
    pytest.param({**HELLO, "protocol": None}, "protocol is null: it is the integer 1", id="protocol-null"),
    pytest.param({**HELLO, "protocol": 2}, "it speaks protocol 2, not 1", id="protocol-2"),
    pytest.param({"type": "hello", "protocol": [1]}, "it speaks protocol [1], not 1", id="echo"),
    pytest.param(
        {**HELLO, "implementation": "x"},
        'implementation is "x", a text: it is an object with name and version', id="implementation",
    ),
    pytest.param(
        {**HELLO, "implementation": None},
        "implementation is null: it is an object with name and version", id="implementation-null",
    ),
    pytest.param(
        {**HELLO, "implementation": {"name": "x"}}, f"it has no implementation.version: {NEEDED}",
        id="no-version",
    ),
    pytest.param(
        {**HELLO, "implementation": {}}, f"it has no implementation.name, implementation.version: {NEEDED}",
        id="no-name",
    ),
    pytest.param(
        about(version=3), "implementation.version is 3, a number: it is a text", id="version",
    ),
    pytest.param(about(version=None), "implementation.version is null: it is a text", id="version-null"),
    pytest.param(about(name=""), 'implementation.name is "": it is a text that is not empty', id="name"),
    pytest.param(
        about(language=["go"]), 'implementation.language is ["go"], a list: it is a text', id="language"
    ),
    pytest.param(
        {**HELLO, "ops": "parse"},
        'ops is "parse", a text: it is a list of names, such as ["parse", "resolve"]', id="ops",
    ),
    pytest.param(
        {**HELLO, "ops": None}, 'ops is null: it is a list of names, such as ["parse", "resolve"]',
        id="ops-null",
    ),
    pytest.param({**HELLO, "ops": ["parse", 3]}, "ops[1] is 3, a number: a name is a text", id="op"),
    pytest.param(
        {**HELLO, "specs": {"rfc3986": True}},
        'specs is {"rfc3986": true}, an object: it is a list of names, such as ["rfc3986"]', id="specs",
    ),
    pytest.param({**HELLO, "specs": [3986]}, "specs[0] is 3986, a number: a name is a text", id="spec"),
    pytest.param({**HELLO, "features": "x"}, 'features is "x", a text: it is a list of names', id="features"),
    pytest.param(
        {**HELLO, "components": 1}, "components is 1, a number: it is a list of names", id="components"
    ),
    pytest.param({**HELLO, "components": [None]}, "components[0] is null: a name is a text", id="component"),
    pytest.param({**HELLO, "window": 0}, f"window is 0: {WINDOW}", id="window-0"),
    pytest.param({**HELLO, "window": 65537}, f"window is 65537: {WINDOW}", id="window-65537"),
    pytest.param({**HELLO, "window": "64"}, f'window is "64", a text: {WINDOW}', id="window-text"),
    pytest.param(
        {**HELLO, "window": 64.0}, f"window is 64.0, a number with a decimal point: {WINDOW}",
        id="window-point",
    ),
    pytest.param({**HELLO, "window": True}, f"window is true, a truth value: {WINDOW}", id="window-true"),
    pytest.param({**HELLO, "window": None}, f"window is null: {LEFT_OUT}", id="window-null"),
    pytest.param(
        {**about(runtime=None, version=3), "features": None, "window": "a"},
        f"features, implementation.runtime are null: {LEFT_OUT}; "
        f'window is "a", a text: {WINDOW}; implementation.version is 3, a number: it is a text',
        id="several",
    ),
    pytest.param(
        {**HELLO, "window": ["x" * 99]}, f'window is ["{"x" * 38}…, a list: {WINDOW}', id="long",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("hello", "says"), HELLOS)
def test_a_wrong_hello(hello, says):
    line = json.dumps(hello).encode()
    with pytest.raises(NO_REPLY) as raised:
        decode_hello(line)
    assert instead_of_hello(line, raised.value) == says
    assert says in (said := no_hello(line, raised.value))
    assert "Expected `" not in said


#: What the protocol allows, and what words say of no such thing.
RIGHT = [
    pytest.param(HELLO, id="plain"),
    pytest.param({**HELLO, "ops": [], "specs": []}, id="nothing"),
    pytest.param({**HELLO, "ops": ["guess"], "specs": ["rfc9999"], "features": ["odd"]}, id="unknown-names"),
    pytest.param({**about(url=None), "more": None}, id="unknown-fields"),
    pytest.param({**HELLO, "window": 1, "components": []}, id="window-1"),
    pytest.param({**HELLO, "window": 65536}, id="window-65536"),
    pytest.param(about(version=""), id="no-version-known"),
]


@pytest.mark.parametrize("hello", RIGHT)
def test_what_the_decoder_takes_is_not_called_wrong(hello):
    decode_hello(json.dumps(hello).encode())
    assert wrong_hello(hello) == []


#: A line that the decoder refuses, and for which there are no words of ours.
TWICE = json.dumps(HELLO)[:-1].encode() + b', "window": 0, "window": 1}'


@pytest.mark.parametrize(
    ("line", "said"),
    [pytest.param(TWICE, "Expected `int` >= 1", id="twice"), pytest.param(b"Hi!", "malformed", id="no-json")],
)
def test_else_it_is_called_by_the_error(line, said):
    with pytest.raises(NO_REPLY) as raised:
        decode_hello(line)
    assert said in instead_of_hello(line, raised.value)


def test_however_deep():
    for depth in (50, 500, 990, 5000):
        line = b'{"type": "hello", "window": ' + b"[" * depth + b"]" * depth + b"}"
        with pytest.raises(NO_REPLY) as raised:
            decode_hello(line)
        assert "no hello" in no_hello(line, raised.value)


#: A fault, and what is said of it.
FAULTS = [
    pytest.param(
        "HELLO['implementation']['version'] = 3", "implementation.version is 3, a number: it is a text",
        id="version",
    ),
    pytest.param("HELLO['window'] = 70000", f"window is 70000: {WINDOW}", id="window"),
    pytest.param("HELLO['ops'] = HELLO.pop('specs')[0]", f"it has no specs: {NEEDED}; ops is ", id="ops"),
    pytest.param("HELLO = [1]", "it is a list, not an object", id="list"),
    pytest.param("HELLO['protocol'] = [1]", "it speaks protocol [1], not 1", id="protocol"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "says"), FAULTS)
def test_a_run_and_the_doctor_say_so(good_adapter, urlconform, special, says):
    adapter = good_adapter(special)
    found = examine(adapter, USUAL, only=["hello"]).checks[0]
    assert (found.state, says in found.message) == ("broken", True), found.message
    done = urlconform("run", adapter.name, "--spec", "rfc3986", "--section", "5.4")
    assert (done.returncode, says in done.stderr) == (3, True), done.stderr
    assert "Expected" not in found.message + done.stderr


def test_the_doctor_says_so_when_it_comes_later(good_adapter):
    """A program that says another hello the next time."""
    subject = Speaking(good_adapter("HELLO['window'] = 0").command(), USUAL)
    with pytest.raises(Fault, match="this time no hello: window is 0: it is a whole number"):
        subject.greet()
    subject.end()


#: What a function carries as its hello, and what is said of it.
GIVEN = [
    pytest.param({"ops": "parse"}, 'ops is "parse", a text: it is a list of names', id="ops"),
    pytest.param({"window": 70000}, f"window is 70000: {WINDOW}", id="window"),
    pytest.param({"protocol": 2}, "protocol is 2: it is the integer 1", id="protocol"),
    pytest.param({"features": None}, f"features is null: {LEFT_OUT}", id="null"),
]


@pytest.mark.parametrize(("hello", "says"), GIVEN)
def test_a_function_hears_so(urlconform, tmp_path, hello, says):
    text = f"def answer(q): return {{'status': 'unsupported'}}\n\nanswer.hello = {hello!r}\n"
    (tmp_path / "mine.py").write_text(text, "utf-8")
    done = urlconform("run", "python:mine:answer", "--spec", "rfc3986", "--section", "5.4")
    assert (done.returncode, f"its hello is not one: {says}" in done.stderr) == (3, True), done.stderr
    with pytest.raises(AdapterDead) as dead:
        hello_of({**HELLO, **hello})
    assert str(dead.value).startswith(f"its hello is not one: {says}")


@pytest.mark.parametrize("value", [{1}, object(), [object()]], ids=["set", "object", "list"])
def test_what_is_no_json_is_left_to_the_decoder(value):
    assert not_said({**HELLO, "ops": value}) == ""
    with pytest.raises(AdapterDead, match="its hello is not one: Expected"):
        hello_of({**HELLO, "ops": value})


def test_a_line_that_says_more_than_one_thing_is_wrong_in_all(tmp_path):
    """A log line in place of a hello: what it lacks is told at once."""
    (tmp_path / "a.py").write_text('print(\'{"level": "info"}\', flush=True)\ninput()\ninput()\n', "utf-8")
    adapter = find(f"jsonl:{shlex.join([sys.executable, '-I', '-S', str(tmp_path / 'a.py')])}")
    (found,) = examine(adapter, USUAL, only=["hello"]).checks[:1]
    assert f"it has no type, protocol, implementation, ops, specs: {NEEDED}: '" in found.message
