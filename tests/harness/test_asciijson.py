"""JSON in ASCII: the same values, and no character that a terminal, a reader or a log obeys."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlharness.jsonio import ascii_json, no_command
from urlharness.results.model import Participant, Result

texts = st.text() | st.text('#[\\"\x7f\x80\x9b\u2028\u202e\U0001f600a\n')


@given(st.lists(texts))
def test_the_same_values(values):
    octets = b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)
    written = no_command(ascii_json(octets))
    assert [json.loads(line) for line in written.splitlines()] == values
    assert written.isascii()
    assert written.decode().replace("\n", "").isprintable()
    assert b"##" not in written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a", "a"),
        ("\x7f", "\\u007f"),
        ("\x9b31m", "\\u009b31m"),
        ("\u00e9\u2028\u2029", "\\u00e9\\u2028\\u2029"),
        ("\u202egnp", "\\u202egnp"),
        ("\U0001f600", "\\ud83d\\ude00"),
    ],
)
def test_escapes(text, written):
    assert ascii_json(text.encode()) == written.encode()


@pytest.mark.parametrize(
    ("text", "written"),
    [("##[x]", "#\\u0023[x]"), ("###vso[", "#\\u0023#vso["), ("####", "#\\u0023#\\u0023"), ("#", "#")],
)
def test_commands(text, written):
    assert no_command(text.encode()) == written.encode()


def test_results_are_ascii(make_case, record, tmp_path):
    """And the digest is that of the lines as they are written."""
    text = "\x7f\x85\x9b1m\u2028\u202e##[error]\u00e9\U0001f600"
    path = tmp_path / "r.jsonl"
    answers = Participant("lib", "ran", message=text), Result("rfc3986-3.3-x", "lib", "fail", stderr=text)
    results = record([make_case("rfc3986-3.3-x", url=text)], *answers, path=path)
    octets = path.read_bytes()
    assert octets.isascii()
    assert octets.decode().replace("\n", "").isprintable()
    assert b"##" not in octets
    assert results.of("lib")["rfc3986-3.3-x"].stderr == text
    assert results.complete
    *lines, footer = octets.splitlines(keepends=True)
    assert json.loads(footer)["digest"] == hashlib.sha256(b"".join(lines)).hexdigest()[:12]
