"""Checks of the wire protocol: hello, lines, ids, pipelining, bye, end of input and speed.

They test what the harness relies on but a library does not care about: that a line is read as soon as it is
complete, however it was written; that each reply has the id of its question; that the process ends when it is
told to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

import msgspec

from urlharness.corpus.model import MODES, OPERATIONS, WITH_MODE, offers
from urlharness.corpus.specifications import SPECS
from urlharness.doctor import model
from urlharness.doctor.client import GREETING, Client, ExecClient, ProtocolBreach, ProtocolClient
from urlharness.doctor.model import Diagnosis, Probe, broken, ok, skipped, warning
from urlharness.doctor.questions import distinct_probes, plain_probe, reply_json, same_answer, text_of
from urlharness.jsonio import ascii_line
from urlharness.protocol.errors import DECODE_ERRORS, hello_error
from urlharness.protocol.messages import CONNECT, LARGEST_ID, TELLS_EMPTY, Hello, Reply, decode_hello
from urlharness.text import excerpt

_ASKED_OPERATIONS = (*OPERATIONS, CONNECT)
_FEATURES = (TELLS_EMPTY, "validate-by-parse")
_BATCH = 64  # the maximum number of questions at once, enough to notice answers with wrong ids
_LARGEST_WINDOW = 1024  # the maximum number of questions in flight; a larger window is not faster
_PAUSE = 0.05  # seconds between the pieces of a line


def check_hello(client: ProtocolClient) -> Diagnosis:
    """Check that the first line is a hello, and that the names in it exist. The client takes over this hello.

    The names are those of operations, specifications, features and modes.

    Raise ProtocolBreach if none of the operations or none of the specifications exists.
    """
    client.start()
    client.write(GREETING)
    line = client.read_line(client.patience.start, "hello")
    try:
        hello = decode_hello(line)
    except DECODE_ERRORS as error:
        if line.startswith(b"\xef\xbb\xbf"):
            raise ProtocolBreach("its first line begins with a byte order mark", rule=model.BLANKS) from None
        rule = None if line.lstrip().startswith(b"{") else model.JSON_LINES
        raise ProtocolBreach(hello_error(line, error), rule=rule) from None
    client.hello = hello
    notes = _unknown_names(hello)
    if hello.specs and set(SPECS).isdisjoint(hello.specs):
        notes.append("a run judges only claimed specifications, so it would judge nothing")
        raise ProtocolBreach("; ".join(notes), rule=model.CLAIMS)
    if not any(offers(hello, op, mode) for op in _ASKED_OPERATIONS for mode in MODES):
        notes.append("it offers no known operation, so no question is asked")
        raise ProtocolBreach("; ".join(notes), rule=model.OFFERS)
    if notes:
        return warning("; ".join(notes))
    return ok(f"{hello.implementation.name} {hello.implementation.version}, window {hello.window}")


def _unknown_names(hello: Hello) -> list[str]:
    """Return a note for each name that does not exist, and for each operation without a known mode."""
    names: dict[str, tuple[Collection[str], Collection[str]]] = {
        "operation": (hello.ops, _ASKED_OPERATIONS),
        "specification": (hello.specs, SPECS),
        "feature": (hello.features, _FEATURES),
        "mode": (hello.modes, MODES),
    }
    notes = []
    for kind, (claimed, existing) in names.items():
        expected = f"expected one of {', '.join(existing)}"
        notes += [f"unknown {kind} {name!r}; {expected}" for name in claimed if name not in existing]
    for op in hello.ops:
        if op in WITH_MODE and not any(offers(hello, op, mode) for mode in MODES):
            notes.append(f"it offers {op}, but in no known mode, so it is never asked")
    return notes


def check_of_form(
    pieces_of: Callable[[Probe], list[bytes]], description: str
) -> Callable[[ProtocolClient], Diagnosis]:
    """Return a check that a plain question in an unusual form gets the same answer as in the usual form.

    `pieces_of` returns the pieces of the line in the unusual form. `description` is this form in messages.
    """

    def check(client: ProtocolClient) -> Diagnosis:
        question = plain_probe(client.hello, "http://example.com/caf\u00e9")
        (usual,) = client.ask(question)
        client.greet()
        message = client.next_message(question)
        for piece in pieces_of(message):
            client.write(piece)
            if not piece.endswith(b"\n"):  # then a pause, so that it is read without the next piece
                client.wait_for_exit(_PAUSE)
        reply = client.receive({message["id"]})
        if not same_answer(reply, usual):
            answers = f"{reply_json(reply)}, the usual form with {reply_json(usual)}"
            return warning(f"{description} is answered with {answers}")
        return ok(f"{description} is answered")

    return check


def _in_pieces(message: Probe) -> list[bytes]:
    """Return a line in three pieces, of which the last is only the line end."""
    line = ascii_line(message)
    third = len(line) // 3
    return [line[:third], line[third:-1], line[-1:]]


def _with_crlf(message: Probe) -> list[bytes]:
    """Return a line that ends with CRLF, as the only piece."""
    return [ascii_line(message).removesuffix(b"\n") + b"\r\n"]


def _after_empty_lines(message: Probe) -> list[bytes]:
    """Return a line after two empty ones, as the only piece."""
    return [b"\n\n" + ascii_line(message)]


def _in_utf8(message: Probe) -> list[bytes]:
    """Return a line in UTF-8 without escapes, as the only piece."""
    return [msgspec.json.encode(message) + b"\n"]


check_split_lines = check_of_form(_in_pieces, "a line in three pieces")
check_crlf = check_of_form(_with_crlf, "a line that ends with CRLF")
check_empty_lines = check_of_form(_after_empty_lines, "a question after empty lines")
check_raw_utf8 = check_of_form(_in_utf8, "text in UTF-8 without escapes")


def check_ids(client: ProtocolClient) -> Diagnosis:
    """Check that each reply has the id of its question, even if the id is large."""
    question = plain_probe(client.hello)
    questions = [{**question, "id": number} for number in (7, LARGEST_ID, 0)]
    client.ask(*questions)
    return ok(f"ids come back, up to {LARGEST_ID}")


def check_at_once(client: ProtocolClient) -> Diagnosis:
    """Check that several questions in one write get the same replies as if each is asked alone."""
    questions = distinct_probes(client.hello, min(client.hello.window, _BATCH))
    count = len(questions)
    if count < 2:
        return skipped("its window is 1")
    alone = client.ask(*questions)
    client.greet()
    waiting = client.send(*questions)
    ids = sorted(waiting)
    together: dict[int, Reply] = {}
    while waiting:
        try:
            reply = client.receive(waiting)
        except ProtocolBreach as breach:
            note = f"{len(together)} of {count} questions in one write are answered; then {breach}"
            raise ProtocolBreach(note, silent=breach.silent, rule=breach.rule) from None
        together[reply.id] = reply
    client.ask(questions[0])  # this fails if there is a surplus line
    for number, question, reply_alone in zip(ids, questions, alone, strict=True):
        if not same_answer(together[number], reply_alone):
            note = f"of {count} questions at once, id {number} ({question['op']} of {text_of(question)})"
            answers = f"{reply_json(together[number])}, but alone with {reply_json(reply_alone)}"
            return broken(f"{note} is answered with {answers}", rule=model.INDEPENDENT)
    note = f"{count} questions at once are answered"
    if list(together) != ids:
        note += ", out of order"
    return ok(note)


def check_bye(client: ProtocolClient) -> Diagnosis:
    """Check that the adapter ends after `bye`, even though its stdin stays open."""
    client.ask(plain_probe(client.hello))
    client.write(ascii_line({"type": "bye"}))
    status = client.wait_for_exit(client.patience.ending)
    if status is None:
        client.write(b"", last=True)
        # longer than usual, so that no slow program is accused
        if client.wait_for_exit(3 * client.patience.ending) is None:
            return broken("neither bye nor the end of stdin ends it: every run has to kill it")
        return warning("bye does not end it, but the end of stdin does")
    if client.unread:
        return warning(f"it writes after bye: {excerpt(client.read_line(seconds=0))}")
    return _diagnosis_of_end(status, "after bye")


def check_end_of_input(client: ProtocolClient) -> Diagnosis:
    """Check that the adapter ends when its stdin ends."""
    client.greet()
    client.write(b"", last=True)
    status = client.wait_for_exit(client.patience.ending)
    if status is None:
        return warning("the end of stdin does not end it: if the harness is killed, it keeps running")
    return _diagnosis_of_end(status, "when stdin ends")


def _diagnosis_of_end(status: int, when: str) -> Diagnosis:
    """Return the diagnosis of an exit status, which is negative if a signal ended the process."""
    if status == 0:
        return ok("it ends")
    how = f"exit code {status}" if status > 0 else f"signal {-status}"
    return warning(f"it ends with {how} {when}")


def check_speed(client: Client) -> Diagnosis:
    """Measure the questions per second: one at a time, and pipelined if the window allows it."""
    question = plain_probe(client.hello)
    window = min(client.hello.window, _LARGEST_WINDOW)
    rate = _measure_rate(client, question)
    note = f"{rate:,.0f} questions per second"
    if isinstance(client, ExecClient):
        note += ", each in its own process"
    elif window > 1:
        rate = _measure_rate(client, question, window)
        note += f" one by one, {rate:,.0f} pipelined"
    if rate >= client.patience.slow:
        return ok(note)
    return warning(f"{note}: 1,000 cases take about {1000 / rate:.0f} s")


def _measure_rate(client: Client, question: Probe, at_once: int = 1) -> float:
    """Ask one question repeatedly, `at_once` times in flight, and return the questions per second.

    Raise ProtocolBreach if an answer differs from the first one.
    """
    (first,) = client.ask(question)
    count = 0
    begun = time.monotonic()
    while (seconds := time.monotonic() - begun) < client.patience.measuring or not count:
        if isinstance(client, ExecClient):
            replies = client.ask(question)
        else:
            waiting = client.send(*[question] * at_once)
            replies = [client.receive(waiting) for _ in range(at_once)]
        for number, reply in enumerate(replies, count + 2):  # the first answer was number 1
            if not same_answer(reply, first):
                answers = f"{reply_json(reply)}, not {reply_json(first)}"
                note = f"answer {number:,} to the same question is {answers}"
                raise ProtocolBreach(note, rule=model.INDEPENDENT)
        count += len(replies)
    return count / seconds
