"""Checks of what is unknown, odd or large: whatever is asked, an answer comes, each time the same."""

from __future__ import annotations

import msgspec

from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.questions import PLAIN, TRYING, asked, spec_for
from urlharness.doctor.replies import Subject, answered, same, shown, telling_question
from urlharness.doctor.shapes import SHAPES
from urlharness.doctor.subjects import Question
from urlharness.doctor.talk import Fault
from urlharness.protocol import LINE_LIMIT, Reply

# what UTF-8 becomes when it is read as Latin-1, or lost
_GARBLED = ("\u00c3\u00a9", "\ufffd", "%C3%83", "%EF%BF%BD", "??")


def unknown_rule(subject: Subject) -> Found:
    """A rule that it has no notion of is unsupported."""
    if "validate" not in subject.hello.ops:
        return skipped("it does not offer validate")
    (reply,) = subject.ask({**asked("validate", subject.hello.specs), "rule": "no-such-rule"})
    if reply.status == "unsupported":
        return answered(reply)
    return warning(f"validate by a rule that does not exist is {reply.status}: does it read `rule`?")


def unknown_operation(subject: Subject) -> Found:
    """An operation that it does not know is unsupported."""
    (reply,) = subject.ask({"op": "no-such-op", "spec": spec_for("parse", subject.hello.specs), "url": PLAIN})
    if reply.status == "unsupported":
        return answered(reply)
    if reply.status == "ok":
        return broken("it answers ok to an operation that does not exist: it does not read `op`")
    return warning(f"an operation that does not exist is answered with {reply.status}, not unsupported")


def unknown_fields(subject: Subject) -> Found:
    """Fields that it does not know change nothing."""
    question = telling_question(subject)
    more = {"url": "http://wrong/", "id": -1, "type": "bye", "list": [{}, [None, 1e9, True]]}
    known, other = subject.ask(question, {**question, "unknown": more, "x": '}{"\\', "y": 1.5, "z": None})
    if same(known, other):
        return ok("they change nothing")
    return broken(f"with fields that it does not know the answer is another: {shown(other)}")


def non_ascii(subject: Subject) -> Found:
    """Text beyond ASCII arrives and comes back as it is."""
    (reply,) = subject.ask(telling_question(subject, "http://example.com/caf\u00e9/\U0001f600"))
    text = _texts(reply)
    if any(sign in text for sign in _GARBLED):
        return broken(f"\u00e9 and U+1F600 come back garbled: {text!r}")
    return answered(reply)


def nul(subject: Subject) -> Found:
    """A NUL is a character like any other."""
    (reply,) = subject.ask(telling_question(subject, "http://example.com/before\0after"))
    text = _texts(reply)
    if reply.status == "ok" and "before" in text and "after" not in text:
        return warning("the text was cut at NUL: answer unsupported where a library cannot take one")
    return answered(reply)


def octets(subject: Subject) -> Found:
    """Text that is not Unicode is an object with hex digits."""
    (reply,) = subject.ask({**telling_question(subject), **_hex(telling_question(subject))})
    if reply.status == "error":
        return warning(f"octets are an error ({reply.message}): unsupported would say that it takes none")
    return answered(reply)


def long_line(subject: Subject) -> Found:
    """A line of a megabyte is a line."""
    length = LINE_LIMIT - 4096  # with what stands around it, in the answer as well
    reply, after = subject.ask(
        telling_question(subject, "http://h/" + "a" * length), telling_question(subject)
    )
    if after.status == "error":
        return broken(f"after a line of {length} octets: {after.message}")
    return ok(f"{length:,} octets are answered with {reply.status}")


def trying_texts(subject: Subject) -> Found:
    """An exception of the library is an answer, and ends nothing."""
    errors = []
    before, *_ = subject.ask(telling_question(subject))
    for text in TRYING:
        (reply,) = subject.ask(telling_question(subject, text))
        if reply.status == "error":
            errors.append(text)
    (after,) = subject.ask(telling_question(subject))
    if not same(before, after):
        return broken(f"after odd texts the answer to {PLAIN} is another: {shown(after)}")
    if errors:
        return warning(
            f"{len(errors)} of {len(TRYING)} odd texts are errors, such as {errors[0]!r}: "
            "a rejection is answered with reject"
        )
    return ok(f"{len(TRYING)} odd texts are answered")


def missing_input(subject: Subject) -> Found:
    """A question that lacks its input is answered, too."""
    question = telling_question(subject)
    try:
        (reply,) = subject.ask({"op": question["op"], "spec": question["spec"]})
    except Fault as fault:
        return warning(
            f"a question without its input is not survived: {fault}; catch errors for each question"
        )
    return answered(reply)


def same_twice(subject: Subject) -> Found:
    """The same question has the same answer, in this process and in the next."""
    offered = [op for op in subject.hello.ops if op == "validate" or op in SHAPES]
    questions = [asked(op, subject.hello.specs) for op in offered]
    questions += [dict(telling_question(subject, text)) for text in TRYING]
    first = subject.ask(*questions, *questions)
    subject.end()
    again = subject.ask(*questions)
    half = len(questions)
    for question, one, two, three in zip(questions, first, first[half:], again, strict=False):
        for other, when in ((two, "again"), (three, "by a fresh process")):
            if not same(one, other):
                return broken(f"{question['op']} asked {when} is {shown(other)}, and was {shown(one)}")
    return ok(f"{half} questions, three times each")


def stderr_noise(subject: Subject) -> Found:
    """What it writes on stderr is free."""
    count = subject.stderr_octets
    if count > 1 << 16:
        return warning(f"{count:,} octets on stderr, of which the last 4 kB are kept: {subject.stderr}")
    return ok(f"{count:,} octets, the last line: {subject.stderr}" if subject.stderr else "nothing")


def _hex(question: Question) -> dict[str, dict[str, str]]:
    return {
        name: {"hex": "687474703a2f2f682fff"} for name in ("url", "reference", "text") if name in question
    }


def _texts(reply: Reply) -> str:
    """Every text of an answer, in one."""
    found = [reply.url if isinstance(reply.url, str) else ""]
    if reply.components is not msgspec.UNSET:
        found += [value for value in reply.components.values() if isinstance(value, str)]
    if reply.urls is not msgspec.UNSET:
        found += [text for readings in reply.urls for text in readings]
    return " ".join(found)


UNKNOWN = (
    Check("unknown rule", "what a library does not offer is unsupported", unknown_rule),
    Check(
        "unknown operation", "an operation that `ops` does not name counts as unsupported", unknown_operation
    ),
    Check("unknown fields", "unknown fields are ignored", unknown_fields),
)
TEXTS = (
    Check("non-ASCII", "one JSON object a line, UTF-8", non_ascii),
    Check("NUL", "one JSON object a line, UTF-8", nul),
    Check("octets", 'text that is not Unicode travels as {"hex": …}', octets),
    Check("long line", "lines of at most 1 MiB", long_line),
    Check("odd texts", "an exception is a reply of status error", trying_texts),
    Check("missing input", "an exception is a reply of status error", missing_input),
)
TWICE = Check("same twice", "the answer to a question depends on the question alone", same_twice)
STDERR = Check("stderr", "stderr is free, its end is shown with abnormal outcomes", stderr_noise)
