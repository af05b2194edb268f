"""Checks of the wire protocol: hello, lines, ids, pipelining, bye, end of input and speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

import msgspec

from urlharness.corpus.model import MODES, OPERATIONS, WITH_MODE, offers
from urlharness.corpus.specifications import SPECS
from urlharness.doctor import model
from urlharness.doctor.client import GREETING, Client, ExecClient, ProtocolBreach, ProtocolClient
from urlharness.doctor.model import Diagnosis, Probe, broken, ok, skipped, warning
from urlharness.doctor.questions import distinct_probes, plain_probe, same_answer, shown, text_of
from urlharness.jsonio import ascii_line
from urlharness.protocol.errors import DECODE_ERRORS, hello_error
from urlharness.protocol.messages import CONNECT, Reply, decode_hello
from urlharness.text import excerpt

_FEATURES = ("absent-vs-empty", "validate-by-parse")
_LARGEST_ID = 2**53 - 1
_BATCH = 64  # the maximum number of questions at once, enough to notice answers with wrong ids
_LARGEST_WINDOW = 1024  # the maximum number of questions in flight; a larger window is not faster
_PAUSE = 0.05  # seconds between the pieces of a line


def check_hello(client: ProtocolClient) -> Diagnosis:
    """Check that the first line is a hello, and that the names in it exist.

    These are the names of operations, specifications, features and modes.

    Raise Fault if none of the operations or none of the specifications exists.
    """
    client.start()
    client.write(GREETING)
    line = client.read_line(client.patience.start, "hello")
    try:
        client.hello = hello = decode_hello(line)
    except DECODE_ERRORS as error:
        if line.startswith(b"\xef\xbb\xbf"):
            raise ProtocolBreach("its first line begins with a byte order mark", rule=model.BLANKS) from None
        rule = None if line.lstrip().startswith(b"{") else model.JSON_LINES
        raise ProtocolBreach(hello_error(line, error), rule=rule) from None
    without_mode = [
        f"it offers {op}, but in no known mode, so it is never asked"
        for op in hello.ops
        if op in WITH_MODE and not any(offers(hello, op, mode) for mode in MODES)
    ]
    unknown = [
        *_unknown("operation", hello.ops, (*OPERATIONS, CONNECT)),
        *_unknown("specification", hello.specs, SPECS),
        *_unknown("feature", hello.features, _FEATURES),
        *_unknown("mode", hello.modes, MODES),
        *without_mode,
    ]
    if hello.specs and not set(SPECS) & set(hello.specs):
        raise ProtocolBreach(
            "; ".join((*unknown, "a run judges only claimed specifications, so it would judge nothing")),
            rule=model.CLAIMS,
        )
    asked = (*OPERATIONS, CONNECT)
    if not any(offers(hello, op, mode) for op in asked for mode in MODES):
        raise ProtocolBreach(
            "; ".join((*unknown, "it offers no known operation, so no question is asked")), rule=model.OFFERS
        )
    if unknown:
        return warning("; ".join(unknown))
    return ok(f"{hello.implementation.name} {hello.implementation.version}, window {hello.window}")


def _unknown(what: str, names: Collection[str], allowed: Collection[str]) -> list[str]:
    known = ", ".join(allowed)
    return [f"unknown {what} {name!r}; expected one of {known}" for name in names if name not in allowed]


def writing(change: Callable[[Probe], list[bytes]], what: str) -> Callable[[ProtocolClient], Diagnosis]:
    """Return a check that a plain question in an unusual form gets the same answer as in the usual form.

    `change` returns the pieces of the line in the unusual form, and `what` describes this form in messages.
    """

    def check(client: ProtocolClient) -> Diagnosis:
        question = plain_probe(client.hello, "http://example.com/caf\u00e9")
        (usual,) = client.ask(question)
        client.greet()
        message = client.message(question)
        for piece in change(message):
            client.write(piece)
            client.wait(_PAUSE if piece[-1:] != b"\n" else 0.0)
        reply = client.receive({message["id"]})
        if not same_answer(reply, usual):
            return warning(f"{what} is answered with {shown(reply)}, the usual form with {shown(usual)}")
        return ok(f"{what} is answered")

    return check


def _in_pieces(message: Probe) -> list[bytes]:
    line = ascii_line(message)
    third = len(line) // 3
    return [line[:third], line[third:-1], line[-1:]]


check_split_lines = writing(_in_pieces, "a line in three pieces")
check_crlf = writing(lambda message: [ascii_line(message)[:-1] + b"\r\n"], "a line that ends with CRLF")
check_empty_lines = writing(lambda message: [b"\n\n" + ascii_line(message)], "a question after empty lines")
check_raw_utf8 = writing(
    lambda message: [msgspec.json.encode(message) + b"\n"], "text in UTF-8 without escapes"
)


def check_ids(client: ProtocolClient) -> Diagnosis:
    """Check that each reply has the id of its question, even if the id is large."""
    question = plain_probe(client.hello)
    client.ask(*({**question, "id": number} for number in (7, _LARGEST_ID, 0)))
    return ok(f"ids come back, up to {_LARGEST_ID}")


def check_at_once(client: ProtocolClient) -> Diagnosis:
    """Check that several questions in one write get the same replies as if each is asked alone."""
    questions = distinct_probes(client.hello, min(client.hello.window, _BATCH))
    count = len(questions)
    if count < 2:
        return skipped("its window is 1")
    alone = client.ask(*questions)
    client.greet()
    waiting = client.send(*questions)
    order, replies = sorted(waiting), dict[int, Reply]()
    while waiting:
        try:
            reply = client.receive(waiting)
        except ProtocolBreach as fault:
            note = f"{len(replies)} of {count} questions in one write are answered; then {fault}"
            raise ProtocolBreach(note, silent=fault.silent, rule=fault.rule) from None
        replies[reply.id] = reply
    client.ask(questions[0])  # this fails if there is a surplus line
    for number, question, single in zip(order, questions, alone, strict=True):
        if not same_answer(replies[number], single):
            note = f"of {count} questions at once, id {number} ({question['op']} of {text_of(question)})"
            answers = f"{shown(replies[number])}, but alone with {shown(single)}"
            return broken(f"{note} is answered with {answers}", rule=model.INDEPENDENT)
    return ok(
        f"{count} questions at once are answered" + ("" if list(replies) == order else ", out of order")
    )


def check_bye(client: ProtocolClient) -> Diagnosis:
    """Check that the adapter ends after `bye`, even though its stdin stays open."""
    client.ask(plain_probe(client.hello))
    client.write(ascii_line({"type": "bye"}))
    status = client.wait(client.patience.ending)
    if status is None:
        client.write(b"", last=True)
        if client.wait(3 * client.patience.ending) is None:
            return broken("neither bye nor the end of stdin ends it: every run has to kill it")
        return warning("bye does not end it, but the end of stdin does")
    if client.unread:
        return warning(f"it writes after bye: {excerpt(client.read_line(0))}")
    return _ended(status, "after bye")


def check_end_of_input(client: ProtocolClient) -> Diagnosis:
    """Check that the adapter ends when its stdin ends."""
    client.greet()
    client.write(b"", last=True)
    status = client.wait(client.patience.ending)
    if status is None:
        return warning("the end of stdin does not end it: if the harness is killed, it keeps running")
    return _ended(status, "when stdin ends")


def _ended(status: int, when: str) -> Diagnosis:
    if status == 0:
        return ok("it ends")
    how = f"exit code {status}" if status > 0 else f"signal {-status}"
    return warning(f"it ends with {how} {when}")


def check_speed(client: Client) -> Diagnosis:
    """Measure the questions per second: one at a time, and pipelined if the window allows it."""
    question = plain_probe(client.hello)
    window = min(client.hello.window, _LARGEST_WINDOW)
    best = _rate(client, question)
    note = f"{best:,.0f} questions per second"
    if isinstance(client, ExecClient):
        note += ", each in its own process"
    elif window > 1:
        best = _rate(client, question, window)
        note += f" one by one, {best:,.0f} pipelined"
    if best >= client.patience.slow:
        return ok(note)
    return warning(f"{note}: 1,000 cases take about {1000 / best:.0f} s")


def _rate(client: Client, question: Probe, at_once: int = 1) -> float:
    """Ask one question repeatedly, `at_once` times in flight, and return the questions per second.

    Raise Fault if an answer differs from the first one.
    """
    (first,) = client.ask(question)
    done, begun = 0, time.monotonic()
    while (spent := time.monotonic() - begun) < client.patience.measuring or not done:
        if isinstance(client, ExecClient):
            replies = client.ask(question)
        else:
            waiting = client.send(*[question] * at_once)
            replies = [client.receive(waiting) for _ in range(at_once)]
        for number, reply in enumerate(replies, done + 2):
            if not same_answer(reply, first):
                note = f"answer {number:,} to the same question is {shown(reply)}, not {shown(first)}"
                raise ProtocolBreach(note, rule=model.INDEPENDENT)
        done += len(replies)
    return done / spent
