"""Checks of the wire: the handshake, how lines arrive, ids, the end."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

import msgspec

from urlharness.corpus import SPECS
from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.replies import NOTHING_TO_ASK, plain_question, same, shown, telling_question
from urlharness.doctor.rubbish import NULL, RULES
from urlharness.doctor.subjects import GREETING, Speaking, ascii_json
from urlharness.doctor.talk import Fault, Rule
from urlharness.doctor.together import AT_ONCE
from urlharness.operations import OPERATIONS
from urlharness.process import excerpt
from urlharness.protocol import decode_hello
from urlharness.wrong_fields import LEFT_OUT
from urlharness.wrong_hellos import other_protocol, wrong_hello
from urlharness.wrong_lines import no_json

_FEATURES = ("absent-vs-empty", "validate-by-parse")
_ENDING = 2.0  # seconds to end in
_LATE = 3  # times as long
_SECTION = "The protocol, version 1"
_CLAIMED = Rule(f"`specs` is what the library claims, of {', '.join(SPECS)}; the gate judges those", _SECTION)
_OPS = Rule("an operation that `ops` does not name is not asked and counts as `unsupported`", _SECTION)
_LARGE_ID = 2**53 - 1  # the largest that every language holds exactly (RFC 8259, section 6)


def handshake(subject: Speaking) -> Found:
    """It says hello, in the words of the protocol."""
    talk = subject.start()
    talk.write(ascii_json({**msgspec.json.decode(GREETING), "unknown": {"type": "bye"}}))
    line = talk.line(subject.patience.start, "hello")
    if line.startswith(b"\xef\xbb\xbf"):
        return broken("its first line begins with a byte order mark", RULES[""])
    try:
        said = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        if what := no_json(line):
            return broken(f"its first line is {what}: {excerpt(line)}", RULES[""])
        return broken(f"its first line is no JSON, but {excerpt(line)}: is it a banner?", RULES[""])
    try:
        subject.hello = decode_hello(line)
    except msgspec.MsgspecError as error:
        if other := other_protocol(said):
            return broken(other)
        wrong = [field.says for field in wrong_hello(said)]
        why = "; ".join(wrong) or str(error)
        only_null = len(wrong) == 1 and why.endswith(LEFT_OUT)
        return broken(f"its first line is no hello: {why}: {excerpt(line)}", NULL if only_null else None)
    return _promises(subject)


def _promises(subject: Speaking) -> Found:
    hello = subject.hello
    unknown = [
        *_unknown("operation", hello.ops, OPERATIONS),
        *_unknown("specification", hello.specs, SPECS),
        *_unknown("feature", hello.features, _FEATURES),
    ]
    if hello.specs and {*SPECS}.isdisjoint(hello.specs):
        return broken("; ".join((*unknown, "a run judges by what it claims, so by nothing")), _CLAIMED)
    if {*OPERATIONS}.isdisjoint(hello.ops):
        return broken("; ".join((*unknown, "it offers none that there is, so nothing is asked")), _OPS)
    if unknown:
        return warning("; ".join(unknown))
    about = hello.implementation
    return ok(f"{about.name} {about.version}, window {hello.window}")


def _unknown(what: str, names: Collection[str], known: Collection[str]) -> list[str]:
    return [f"no {what} is named {name!r}{_meant(name, known)}" for name in names if name not in known]


def _meant(name: str, known: Collection[str]) -> str:
    """The name that was meant: the same but for case, spaces and signs, or nearly the same."""
    bare = {re.sub(r"[\W_]", "", right).casefold(): right for right in known}
    (near,) = get_close_matches(re.sub(r"[\W_]", "", name).casefold(), bare, n=1) or [""]
    return f"; is it {bare[near]!r}?" if near else ""


def split_lines(subject: Speaking) -> Found:
    """A line that arrives in pieces is one line."""
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    talk = subject.greet()
    talk.alone()
    message = subject.message(question)
    line = ascii_json(message)
    third = len(line) // 3
    talk.write(line[:third], pause=0.05)
    talk.write(line[third:-1], pause=0.05)
    talk.write(line[-1:])
    subject.reply(talk, {message["id"]})
    return ok("a line in three pieces is answered")


def crlf(subject: Speaking) -> Found:
    """A carriage return before the end of a line is white space of JSON."""
    return _tolerated(subject, lambda line: line[:-1] + b"\r\n", "a line that ends with CRLF")


def empty_lines(subject: Speaking) -> Found:
    """Empty lines mean nothing."""
    return _tolerated(subject, lambda line: b"\n\n" + line, "an empty line")


def _tolerated(subject: Speaking, change: Any, what: str) -> Found:
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    talk = subject.greet()
    message = subject.message(question)
    talk.write(change(ascii_json(message)))
    try:
        subject.reply(talk, {message["id"]})
    except Fault as fault:
        return warning(f"after {what}: {fault}; the harness writes none, whoever types by hand may")
    return ok(f"{what} is no harm")


def raw_utf8(subject: Speaking) -> Found:
    """Text beyond ASCII need not be escaped."""
    question = telling_question(subject, "http://example.com/caf\u00e9")
    (escaped,) = subject.ask(question)
    talk = subject.greet()
    message = subject.message(question)
    talk.write(msgspec.json.encode(message) + b"\n")
    what = "http://example.com/caf\u00e9 in UTF-8 and without escapes"
    note = "the harness escapes it, whoever types by hand may not"
    try:
        raw = subject.reply(talk, {message["id"]})
    except Fault as fault:
        return warning(f"after {what}: {fault}; {note}")
    if not same(raw, escaped):
        return warning(f"{what} is another text: {shown(raw)}; does it read its input as UTF-8? {note}")
    return ok("text beyond ASCII is no harm")


def ids(subject: Speaking) -> Found:
    """An id comes back as it was sent."""
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    subject.greet()
    for number in (7, _LARGE_ID, 0):
        subject.ask({**question, "id": number})
    return ok(f"ids come back, up to {_LARGE_ID}")


def bye(subject: Speaking) -> Found:
    """It ends after bye, while its input is open."""
    question = plain_question(subject)
    talk = subject.greet()
    if question is not None:
        subject.ask(question)
    talk.write(ascii_json({"type": "bye"}))
    patience = min(_ENDING, subject.patience.answer)
    status = talk.status(patience)
    if status is None:
        talk.end_input()
        if talk.status(patience) is None:
            if talk.status(_LATE * patience) is not None:  # the machine may be busy
                return warning(f"it takes more than {2 * patience:g} s to end: every run has to kill it")
            return broken("neither bye nor the end of its input ends it: every run has to kill it")._replace(
                waits=True
            )
        return warning("bye does not end it, the end of its input does")._replace(waits=True)
    stray = talk.more(0.1)
    if stray is not None:
        return warning(f"it writes after bye: {excerpt(stray)}")
    return ok("it ends") if status == 0 else warning(f"it ends with {_status(status)} after bye")


def end_of_input(subject: Speaking) -> Found:
    """It ends when its input does."""
    talk = subject.greet()
    talk.end_input()
    status = talk.status(min(_ENDING, subject.patience.answer))
    if status is None:
        return warning("the end of its input does not end it: a harness that died would leave it behind")
    return ok("it ends") if status == 0 else warning(f"it ends with {_status(status)} when its input does")


def _status(status: int) -> str:
    return f"exit code {status}" if status >= 0 else f"signal {-status}"


_LINE = "one JSON object a line, UTF-8"

HANDSHAKE = Check(
    "hello",
    "a hello needs `type`, `protocol`, `implementation.name` and `.version`, `ops` and `specs`",
    handshake,
    wire=True,
)
FRAMING = (
    Check("split lines", _LINE, split_lines, wire=True),
    AT_ONCE,
    Check("CRLF", _LINE, crlf, wire=True),
    Check("empty lines", _LINE, empty_lines, wire=True),
    Check("raw UTF-8", _LINE, raw_utf8, wire=True),
    Check("ids", "a reply has the id of its question", ids, wire=True),
)
ENDING = (
    Check("bye", "bye is the last message of the harness", bye, wire=True),
    Check("end of input", "an adapter ends with its input", end_of_input, wire=True),
)
