"""Checks of the wire: the handshake, how lines arrive, ids, the end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from urlharness.corpus import SPECS
from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.replies import NOTHING_TO_ASK, plain_question
from urlharness.doctor.subjects import GREETING, Speaking, ascii_json
from urlharness.doctor.talk import Fault
from urlharness.operations import OPERATIONS
from urlharness.process import excerpt
from urlharness.protocol import PROTOCOL, decode_hello

_FEATURES = ("absent-vs-empty", "validate-by-parse")
_AT_ONCE = 16
_ENDING = 2.0  # seconds to end in
_LARGE_ID = 2**53 - 1  # the largest that every language holds exactly (RFC 8259, section 6)


def handshake(subject: Speaking) -> Found:
    """It says hello, in the words of the protocol."""
    talk = subject.start()
    talk.write(ascii_json({**msgspec.json.decode(GREETING), "unknown": {"type": "bye"}}))
    line = talk.line(subject.patience.start, "hello")
    if line.startswith(b"\xef\xbb\xbf"):
        return broken("its first line begins with a byte order mark")
    try:
        said = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return broken(f"its first line is no JSON, but {excerpt(line)}: is it a banner?")
    try:
        subject.hello = decode_hello(line)
    except msgspec.MsgspecError as error:
        spoken = said.get("protocol") if isinstance(said, dict) else None
        if isinstance(spoken, int) and spoken != PROTOCOL:
            return broken(f"it speaks protocol {spoken}, not {PROTOCOL}")
        return broken(f"its first line is no hello: {error}: {excerpt(line)}")
    return _promises(subject)


def _promises(subject: Speaking) -> Found:
    hello = subject.hello
    unknown = [
        *_unknown("operation", hello.ops, OPERATIONS),
        *_unknown("specification", hello.specs, SPECS),
        *_unknown("feature", hello.features, _FEATURES),
    ]
    if not hello.ops:
        unknown.append("it offers no operation, so nothing is asked")
    if unknown:
        return warning("; ".join(unknown))
    about = hello.implementation
    return ok(f"{about.name} {about.version}, window {hello.window}")


def _unknown(what: str, names: Collection[str], known: Collection[str]) -> list[str]:
    return [f"no {what} is named {name!r}" for name in names if name not in known]


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


def at_once(subject: Speaking) -> Found:
    """Several questions in one write are all answered, each once, in any order."""
    window = min(subject.hello.window, _AT_ONCE)
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    if window == 1:
        return skipped("its window is 1: one question at a time")
    talk = subject.greet()
    talk.alone()
    messages = [subject.message(question) for _ in range(window)]
    talk.write(b"".join(map(ascii_json, messages)))
    order = [message["id"] for message in messages]
    waiting, got = set(order), list[int]()
    while waiting:
        try:
            reply = subject.reply(talk, waiting)
        except Fault as fault:
            what = f"{len(got)} of {window} questions in one write are answered; then {fault}"
            raise Fault(what, silent=fault.silent) from None
        waiting.discard(reply.id)
        got.append(reply.id)
    stray = talk.more(0.1)
    if stray is not None:
        return broken(f"a line more than questions: {excerpt(stray)}")
    return ok(f"{window} at once are answered" + ("" if got == order else ", out of order, as it may"))


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
    Check(
        "several at once",
        "up to `window` questions may be in flight; replies come in any order",
        at_once,
        wire=True,
    ),
    Check("CRLF", _LINE, crlf, wire=True),
    Check("empty lines", _LINE, empty_lines, wire=True),
    Check("ids", "a reply has the id of its question", ids, wire=True),
)
ENDING = (
    Check("bye", "bye is the last message of the harness", bye, wire=True),
    Check("end of input", "an adapter ends with its input", end_of_input, wire=True),
)
