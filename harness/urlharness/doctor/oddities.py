"""Checks of what is unknown or odd: whatever is asked, an answer comes."""

from __future__ import annotations

from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.questions import ODD_PAIRS, PLAIN, TRYING, asked, spec_for, text_of
from urlharness.doctor.replies import Subject, answered, goes_on, same, shown, telling_question
from urlharness.doctor.shapes import lacking
from urlharness.doctor.subjects import Question
from urlharness.doctor.talk import Fault, Rule

_ANSWERS = Rule("answers: parse `components`; resolve, recompose and normalize `url`")


def unknown_rule(subject: Subject) -> Found:
    """A rule that it has no notion of is unsupported."""
    if "validate" not in subject.hello.ops:
        return skipped("it does not offer validate")
    (reply,) = subject.ask({**asked("validate", subject.hello.specs), "rule": "no-such-rule"})
    goes_on(subject, f"validate by a rule that does not exist is answered with {reply.status}")
    if reply.status == "unsupported":
        return answered(reply)
    return warning(f"validate by a rule that does not exist is {reply.status}: does it read `rule`?")


def unknown_operation(subject: Subject) -> Found:
    """An operation that it does not know is unsupported."""
    (reply,) = subject.ask({"op": "no-such-op", "spec": spec_for("parse", subject.hello.specs), "url": PLAIN})
    goes_on(subject, f"an operation that does not exist is answered with {reply.status}")
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


def trying_texts(subject: Subject) -> Found:
    """An exception of the library is an answer, and ends nothing."""
    errors = []
    before, *_ = subject.ask(telling_question(subject))
    questions = [telling_question(subject, text) for text in TRYING]
    if "resolve" in subject.hello.ops:
        spec = spec_for("resolve", subject.hello.specs)
        questions += (
            {"op": "resolve", "spec": spec, "base": base, "reference": text} for base, text in ODD_PAIRS
        )
    for question in questions:
        (reply,) = subject.ask(question)
        if without := lacking(question["op"], reply):
            return broken(f"{question['op']} of {_sent(question)} {without}: a refusal is reject", _ANSWERS)
        if reply.status == "error":
            errors.append(_sent(question))
    (after,) = subject.ask(telling_question(subject))
    if not same(before, after):
        return broken(f"after odd texts the answer to {PLAIN} is another: {shown(after)}")
    if errors:
        return warning(
            f"{len(errors)} of {len(questions)} odd texts are errors, such as {errors[0]}: "
            "a rejection is answered with reject"
        )
    return ok(f"{len(questions)} odd texts are answered")


def _sent(question: Question) -> str:
    """What was asked: a text, or a reference and its base."""
    against = f" against {question['base']!r}" if "base" in question else ""
    return f"{text_of(question)!r}{against}"


def missing_input(subject: Subject) -> Found:
    """A question that lacks its input is answered, too."""
    question = telling_question(subject)
    try:
        (reply,) = subject.ask({"op": question["op"], "spec": question["spec"]})
        goes_on(subject, "it is answered")
    except Fault as fault:
        return warning(
            f"a question without its input is not survived: {fault}; catch errors for each question"
        )
    return answered(reply)


def stderr_noise(subject: Subject) -> Found:
    """What it writes on stderr is free."""
    count = subject.stderr_octets
    if count > 1 << 16:
        return warning(f"{count:,} octets on stderr, of which the last 64 KiB are kept: {subject.stderr}")
    return ok(f"{count:,} octets, the last line: {subject.stderr}" if subject.stderr else "nothing")


UNKNOWN = (
    Check("unknown rule", "what a library does not offer is unsupported", unknown_rule),
    Check(
        "unknown operation", "an operation that `ops` does not name counts as unsupported", unknown_operation
    ),
    Check("unknown fields", "unknown fields are ignored", unknown_fields),
)
SURVIVED = (
    Check("odd texts", "an exception is a reply of status error", trying_texts),
    Check("missing input", "an exception is a reply of status error", missing_input),
)
STDERR = Check("stderr", "stderr is free, its end is shown with abnormal outcomes", stderr_noise)
