"""What the checks of answers share: the question to ask, and two replies beside each other."""

from __future__ import annotations

import msgspec

from urlharness.doctor.findings import Found, ok
from urlharness.doctor.questions import PLAIN, asked, telling
from urlharness.doctor.subjects import PerCase, Question, Speaking
from urlharness.doctor.talk import Fault, Rule
from urlharness.protocol import Reply

Subject = Speaking | PerCase

#: Why a check is skipped that asks about a text.
NOTHING_TO_ASK = "it offers no operation that takes a text"


#: What the engine promises where answers are those of their questions.
ALONE = Rule("answers depend on nothing but the question", "What the engine promises")


def answered(reply: Reply) -> Found:
    """Any answer is good; it is said which."""
    return ok(f"answered with {reply.status}")


def telling_question(subject: Subject, text: str = PLAIN) -> Question:
    """A question about a text, of the offered operation whose answers tell most."""
    op = telling(subject.hello.ops) or "parse"
    return asked(op, subject.hello.specs, text)


def plain_question(subject: Subject) -> Question | None:
    """The plainest question of the operation that tells most; None where none takes a text."""
    op = telling(subject.hello.ops)
    return None if op is None else asked(op, subject.hello.specs)


def goes_on(subject: Subject, what: str) -> None:
    """Ask the plainest question after something odd; raises Fault where no answer comes.

    A program that is run for each question has ended anyway.
    """
    if isinstance(subject, PerCase):
        return
    try:
        subject.ask(telling_question(subject))
    except Fault as fault:
        raise Fault(
            f"{what}, and the next question is not: {fault}", silent=fault.silent, rule=fault.rule
        ) from None


def same(one: Reply, other: Reply) -> bool:
    """True where two replies say the same, whatever their ids and messages."""
    return _essence(one) == _essence(other)


def _essence(reply: Reply) -> Reply:
    return msgspec.structs.replace(reply, id=0, message="")


def shown(reply: Reply) -> str:
    """A reply as JSON, cut after a line."""
    fields = msgspec.to_builtins(reply)
    fields.pop("id")
    text = msgspec.json.encode(fields).decode()
    return text if len(text) <= 100 else f"{text[:100]}..."
