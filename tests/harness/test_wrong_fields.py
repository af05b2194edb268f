"""What is wrong with a reply is said by the name of its field, and with the sentence of the protocol."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine
from urlharness.protocol.errors import LEFT_OUT, not_given, wrong_field

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)
OK = {"id": 1, "status": "ok"}

#: JSON in place of a reply, and what is said of it.
REPLIES = [
    pytest.param([1], "it is a list, not an object", id="list"),
    pytest.param({"id": 1}, "it has no status, which is one of ok, reject, unsupported, error", id="none"),
    pytest.param({"id": 1, "status": "OK"}, 'status is "OK": one of ok, reject, unsupported, error', id="OK"),
    pytest.param({"id": 1, "status": None}, "status is null: one of ok, reject, unsupported, error", id="no"),
    pytest.param(
        {**OK, "components": {"port": 80}},
        'components.port is 80, a number: components are texts, {"hex": …} or null', id="port",
    ),
    pytest.param(
        {**OK, "components": {"query": {"a": ["b"]}}},
        'components.query is {"a": ["b"]}, an object: components are texts, {"hex": …} or null', id="query",
    ),
    pytest.param(
        {**OK, "components": ["http", "h"]},
        'components is ["http", "h"], a list: it is an object of names and texts', id="components",
    ),
    pytest.param({**OK, "url": 3.5}, 'url is 3.5, a number: it is a text or {"hex": …}', id="url"),
    pytest.param({**OK, "url": None}, f"url is null: {LEFT_OUT}", id="url-null"),
    pytest.param({**OK, "message": None, "at": None}, f"message is null: {LEFT_OUT}", id="message-null"),
    pytest.param(
        {**OK, "url": None, "components": None, "message": None, "rulings": None, "x": None},
        f"message, url, components, rulings are null: {LEFT_OUT}", id="nulls",
    ),
    pytest.param({**OK, "at": None, "base": None, "components": {"host": None}, "x": None}, None, id="null"),
    pytest.param({**OK, "equal": "true"}, 'equal is "true", a text: it is true or false', id="equal"),
    pytest.param({**OK, "at": -1}, "at is -1, a number: it is an integer from 0, or left out", id="at"),
    pytest.param({**OK, "message": True}, "message is true, a truth value: it is a text", id="message"),
    pytest.param({"status": "ok"}, "it has no id, which is that of its question", id="no-id"),
    pytest.param({**OK, "id": "7"}, "id is a text: it is the integer of its question", id="id-text"),
    pytest.param(
        {**OK, "id": 7.5}, "id is a number with a decimal point: it is the integer of its question", id="7.5"
    ),
    pytest.param(
        {**OK, "url": ["x" * 99]},
        'url is ["' + "x" * 38 + '…, a list: it is a text or {"hex": …}', id="long",
    ),
    pytest.param({**OK, "layer": 1}, None, id="not-known"),
    pytest.param(OK, None, id="right"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "says"), REPLIES)
def test_a_wrong_field(reply, says):
    found = wrong_field(reply)
    assert (found and found.says) == says


class _Evil(dict):
    """A mapping whose code is not run."""

    def keys(self):
        raise OSError


async def _later():
    return {}


#: What a function gave, and what is said of it.
GIVEN = [
    pytest.param(None, "the function gave None, not a mapping: is a return missing?", id="none"),
    pytest.param(True, "the function gave True, not a mapping", id="bool"),
    pytest.param("ok", "the function gave a str, not a mapping", id="text"),
    pytest.param({"status": "okay"}, 'status is "okay": one of ok, reject, unsupported, error', id="okay"),
    pytest.param({"a": 1}, "it has no status, which is one of ok, reject, unsupported, error", id="status"),
    pytest.param({"status": "ok", "message": None}, f"message is null: {LEFT_OUT}", id="null"),
    pytest.param({"status": {1}}, "", id="no-json"),
    pytest.param(_Evil(), "", id="evil"),
    pytest.param(object(), "", id="object"),
]


@pytest.mark.parametrize(("given", "says"), GIVEN)
def test_what_a_function_gave(given, says):
    assert not_given(given) == says


@pytest.mark.filterwarnings("error")
def test_a_coroutine():
    """It is closed: whoever reads stderr is not told that it was never awaited."""
    said = "the function gave a coroutine, not a mapping: write def, not async def"
    assert not_given(_later()) == said


FUNCTIONS = """
def none(q): pass
def okay(q): return {"status": "okay"}
async def later(q): return {"status": "ok"}
def null(q): return {"status": "reject", "components": None, "message": None}
"""
#: A function, what is said of it, and the sentence of the protocol.
ADAPTERS = [
    pytest.param("none", "the function gave None, not a mapping: is a return missing?", "is a function that",
                 id="none"),
    pytest.param("okay", 'status is "okay": one of ok, reject, unsupported, error', "a reply has a `status`",
                 id="okay"),
    pytest.param("later", "the function gave a coroutine, not a mapping: write def, not async def",
                 "is a function that", id="async"),
    pytest.param("null", f"message, components are null: {LEFT_OUT}", LEFT_OUT, id="null"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "says", "protocol"), ADAPTERS)
def test_every_command_says_so(urlconform, tmp_path, name, says, protocol):
    (tmp_path / "mine.py").write_text(FUNCTIONS, "utf-8")
    done = urlconform("adapters", "doctor", f"python:mine:{name}", "--check", "operations", "--json")
    found = json.loads(done.stdout)["checks"][1]
    assert found["message"] == f"not a reply: {says}"
    assert protocol in found["protocol"]
    done = urlconform("repro", "rfc1808-5.1-segment", "-a", f"python:mine:{name}")
    assert f"garbage not a reply: {says}" in done.stdout


#: A fault, and of it: the check that meets it, words of what is found, and of what the protocol says.
FAULTS = [
    pytest.param("def reply(q): write({**guarded(q), 'id': str(q['id'])})", "operations",
                 "id is a text: it is", "written without a decimal point", id="id"),
    pytest.param("old = components\ndef components(url): return {**old(url), 'query': {'a': ['b']}}",
                 "operations", 'components.query is {"a": ["b"]}', "a component is a text", id="query"),
    pytest.param("def guarded(q): return {**answer(q), 'message': None}", "operations",
                 f"message is null: {LEFT_OUT}: '{{", LEFT_OUT, id="null"),
    pytest.param("HELLO['implementation']['language'] = HELLO['window'] = None", "hello",
                 f"window, implementation.language are null: {LEFT_OUT}: '{{", LEFT_OUT, id="null-in-hello"),
    pytest.param("def guarded(q): return {'status': 'invalid'}", "operations",
                 'status is "invalid": one of', "a reply has a `status`", id="status"),
    pytest.param("def reply(q): print({'status': 'ok'}, flush=True)", "operations",
                 "no JSON, which wants double quotes", "one JSON object a line", id="printed-reply"),
    pytest.param("def hello(): print(HELLO, flush=True)", "hello",
                 "no JSON, which wants double quotes", "one JSON object a line", id="printed-hello"),
    pytest.param("HELLO['implementation']['name'] = 'n' * 500000", "hello",
                 "characters more)", "", id="long-name"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "check", "words", "protocol"), FAULTS)
def test_the_doctor(good_adapter, special, check, words, protocol):
    report = examine(good_adapter(special), USUAL, only=[check])
    found = {finding.name: finding for finding in report.checks}[check]
    assert words in found.message
    assert len(found.message) < 2100
    assert protocol in found.protocol


#: A fault, and what a run says of it.
SAID = [
    pytest.param("old = components\ndef components(url): return {**old(url), 'port': 80}",
                 'components.port is 80, a number: components are texts, {"hex": …} or null', id="port"),
    pytest.param("def guarded(q): return {**answer(q), 'message': None}",
                 f"garbage not a reply: message is null: {LEFT_OUT}: '", id="null"),
    pytest.param("HELLO['features'] = None", f"no hello of protocol 1: features is null: {LEFT_OUT}: '",
                 id="null-in-hello"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "says"), SAID)
def test_a_run_says_so(good_adapter, urlconform, special, says):
    done = urlconform("repro", "rfc3986-1.1-ex-1", "-a", good_adapter(special).name)
    assert says in done.stdout


def test_the_page_of_the_protocol_says_so():
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
    assert f"\n- {LEFT_OUT.capitalize()}, " in page


@pytest.mark.parametrize("command", [("doctor", "NAME", "--json", "--check", "hello"), ("list", "--json")])
def test_json_is_ascii(good_adapter, urlconform, command):
    r"""Neither C1 controls nor what turns the direction of writing reach a terminal."""
    nasty = r"HELLO['implementation']['version'] = '\x9b31m\u202e\x7f'"
    name = good_adapter(nasty).name
    done = urlconform("adapters", *(name if word == "NAME" else word for word in command))
    assert done.stdout.isascii()
    assert "\x7f" not in done.stdout
    report = json.loads(done.stdout)
    assert command[0] == "list" or report["hello"]["implementation"]["version"] == "\x9b31m\u202e\x7f"
