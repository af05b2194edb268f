"""Hello, lines, ids, pipelining, bye."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from urlharness.corpus.model import OPERATIONS, SPECS
from urlharness.doctor.checks import Check, CheckResult, broken, ok, skipped, warning
from urlharness.doctor.client import GREETING, NULL, RULES, Fault, Question, Rule, Speaking, ascii_json
from urlharness.doctor.questions import (
    ALONE,
    NOTHING_TO_ASK,
    plain_question,
    same,
    several,
    shown,
    telling_question,
    text_of,
)
from urlharness.protocol.errors import LEFT_OUT, no_json, other_protocol, wrong_hello
from urlharness.protocol.messages import Reply, decode_hello
from urlharness.text import excerpt

# -------------------- doctor.together: The check of questions that are in flight together: each is answered once, as it is alone.


_FIRST = 16  # questions: few, so that what shows with them is a short line


_MANY = 64


_ROUNDS = 3  # of many: answers of threads change places now and then


def at_once(subject: Speaking) -> CheckResult:
    """Several questions in one write are all answered, each once, in any order, and as they are alone."""
    window = subject.hello.window
    questions = several(subject.hello.ops, subject.hello.specs, min(window, _MANY))
    if not questions:
        return skipped(NOTHING_TO_ASK)
    if window == 1:
        return skipped("its window is 1: one question at a time")
    alone = subject.ask(*questions)
    in_order = True
    for count in [min(window, _FIRST), *[len(questions)] * (_ROUNDS if window > _FIRST else 0)]:
        order, replies, stray = _together(subject, questions[:count])
        in_order = in_order and order == sorted(order)
        if mixed := _mixed_up(subject, questions[:count], alone, replies):
            return mixed
        if stray is not None:
            return broken(f"a line more than questions: {excerpt(stray)}")
    return ok(f"{len(questions)} at once are answered" + ("" if in_order else ", out of order, as it may"))


def _together(
    subject: Speaking, questions: Sequence[Question]
) -> tuple[list[int], list[Reply], bytes | None]:
    """A fresh process is asked all in one write: ids as they came, answers, and a line more than those."""
    talk = subject.greet()
    talk.alone()
    messages = [subject.message(question) for question in questions]
    talk.write(b"".join(map(ascii_json, messages)))
    asked = [message["id"] for message in messages]
    waiting, replies = set(asked), dict[int, Reply]()
    while waiting:
        try:
            reply = subject.reply(talk, waiting)
        except Fault as fault:
            what = f"{len(replies)} of {len(asked)} questions in one write are answered; then {fault}"
            raise Fault(what, silent=fault.silent, rule=fault.rule) from None
        waiting.discard(reply.id)
        replies[reply.id] = reply
    return list(replies), [replies[number] for number in asked], talk.more(0.1)


def _mixed_up(
    subject: Speaking, questions: Sequence[Question], alone: Sequence[Reply], replies: Sequence[Reply]
) -> CheckResult | None:
    """What is wrong with answers that came together; None where each is as it is alone."""
    wrong = [at for at, reply in enumerate(replies) if not same(reply, alone[at])]
    if not wrong:
        return None
    if unstable := _unstable(subject, questions, alone, wrong):
        return unstable
    together = f"of {len(questions)} questions at once"
    for at in wrong:
        for other in wrong:
            if same(replies[at], alone[other]):
                back = ", and the other way round" if same(replies[other], alone[at]) else ""
                return broken(
                    f"{together}, {_named(questions, at)} has the answer to "
                    f"{_named(questions, other)}{back}: answers are given under each other's ids"
                )
    at = wrong[0]
    return broken(
        f"{together}, {_named(questions, at)} is answered with {shown(replies[at])}, "
        f"and alone with {shown(alone[at])}",
        ALONE,
    )


def _unstable(
    subject: Speaking, questions: Sequence[Question], alone: Sequence[Reply], wrong: Sequence[int]
) -> CheckResult | None:
    """Answers that are others each time, one question at a time as well; together they tell nothing."""
    steps = subject.steps
    subject.end()
    again = subject.ask(*(questions[at] for at in wrong))
    for at, reply in zip(wrong, again, strict=True):
        if not same(reply, alone[at]):
            return broken(
                f"{_named(questions, at)} is answered with {shown(reply)}, and was with {shown(alone[at])}",
                ALONE,
            )
    subject.steps = steps
    return None


def _named(questions: Sequence[Question], at: int) -> str:
    """A question of those of one write, whose ids begin at 1."""
    question = questions[at]
    return f"id {at + 1} ({question['op']} of {text_of(question)})"


AT_ONCE = Check(
    "several at once",
    "up to `window` questions may be in flight; replies come in any order",
    at_once,
    wire=True,
    repeats=True,
)


# -------------------- doctor.wire: Checks of the wire: the handshake, how lines arrive, ids, the end.


_FEATURES = ("absent-vs-empty", "validate-by-parse")


_ENDING = 2.0  # seconds to end in


_LATE = 3  # times as long


_SECTION = "The protocol, version 1"


_CLAIMED = Rule(f"`specs` is what the library claims, of {', '.join(SPECS)}; the gate judges those", _SECTION)


_OPS = Rule("an operation that `ops` does not name is not asked and counts as `unsupported`", _SECTION)


_LARGE_ID = 2**53 - 1  # the largest that every language holds exactly (RFC 8259, section 6)


def handshake(subject: Speaking) -> CheckResult:
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


def _promises(subject: Speaking) -> CheckResult:
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


def split_lines(subject: Speaking) -> CheckResult:
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


def crlf(subject: Speaking) -> CheckResult:
    """A carriage return before the end of a line is white space of JSON."""
    return _tolerated(subject, lambda line: line[:-1] + b"\r\n", "a line that ends with CRLF")


def empty_lines(subject: Speaking) -> CheckResult:
    """Empty lines mean nothing."""
    return _tolerated(subject, lambda line: b"\n\n" + line, "an empty line")


def _tolerated(subject: Speaking, change: Any, what: str) -> CheckResult:
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


def raw_utf8(subject: Speaking) -> CheckResult:
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


def ids(subject: Speaking) -> CheckResult:
    """An id comes back as it was sent."""
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    subject.greet()
    for number in (7, _LARGE_ID, 0):
        subject.ask({**question, "id": number})
    return ok(f"ids come back, up to {_LARGE_ID}")


def bye(subject: Speaking) -> CheckResult:
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


def end_of_input(subject: Speaking) -> CheckResult:
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
