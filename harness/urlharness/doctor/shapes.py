"""Checks of what an answer holds: the field of its operation, and a refusal where a text is invalid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from urlharness.doctor import parts
from urlharness.doctor.findings import Check, Found, broken, ok, skipped, warning
from urlharness.doctor.questions import INVALID, PLAIN, asked
from urlharness.doctor.replies import Subject
from urlharness.doctor.subjects import PerCase, Speaking
from urlharness.doctor.talk import Fault, Rule
from urlharness.protocol import Reply

#: The field of an ok answer, by operation.
SHAPES = {
    "parse": "components",
    "resolve": "url",
    "recompose": "url",
    "normalize": "url",
    "extract": "urls",
    "equivalent": "equal",
    "decode": "decoded",
    "base": "base",
}
_ERROR = Rule("an `error` is an exception that the adapter caught, and that is no rejection", "Outcomes")
_JUDGES = ("validate", "parse", "resolve", "normalize", "equivalent")


def operations(subject: Subject) -> Found:
    """Each operation that it offers is answered, in its shape, for the plainest question."""
    offered = [op for op in subject.hello.ops if op == "validate" or op in SHAPES]
    refused = []
    for op in offered:
        (reply,) = subject.ask(asked(op, subject.hello.specs))
        if reply.status == "unsupported":
            refused.append(op)
        elif reply.status == "error":
            return _error(subject, op, reply, offered)
        elif reply.status == "reject" and op in _JUDGES:
            return broken(f"{op} rejects {PLAIN}{_message(reply)}")
        elif without := lacking(op, reply):
            return broken(f"{op} {without}")
    answered = [op for op in offered if op not in refused]
    if isinstance(subject, PerCase) and answered:  # it promised nothing
        subject.hello = msgspec.structs.replace(subject.hello, ops=answered)
        return ok(" ".join(answered))
    if refused and not answered:
        return warning("it answers every operation with unsupported: in a run there is nothing to judge")
    if refused:
        return warning(f"it offers {', '.join(refused)}, and answers the plainest question with unsupported")
    return ok(" ".join(answered))


def lacking(op: str, reply: Reply) -> str:
    """What is wrong with an ok that lacks the field of its operation; empty where nothing is."""
    there = reply.status != "ok" or op not in SHAPES or getattr(reply, SHAPES[op]) is not msgspec.UNSET
    return "" if there else f"answers ok without {SHAPES[op]!r}"


def _error(subject: Subject, op: str, reply: Reply, offered: Sequence[str]) -> Found:
    """An operation that is an error for the plainest question; raises Fault where all of them are."""
    said = f"{op} of {PLAIN} is an error{_message(reply)}"
    steps = subject.steps if isinstance(subject, Speaking) else []
    before = list(steps)
    others = [other for other in offered if other != op]
    answers = [subject.ask(asked(other, subject.hello.specs))[0] for other in others]
    if isinstance(subject, Speaking):
        steps[:] = before  # one question shows it
    if all(answer.status == "error" for answer in answers):
        raise Fault(f"{said}; so is every other question" if others else said, rule=_ERROR)
    return broken(said, _ERROR)


def _message(reply: Reply) -> str:
    """What it says beside its status."""
    return f": {reply.message}" if reply.message else ", and says no more"


def refusals(subject: Subject) -> Found:
    """A library that refuses nothing offers no validate."""
    if "validate" not in subject.hello.ops:
        return skipped("it does not offer validate")
    replies = subject.ask(*(asked("validate", subject.hello.specs, text) for text in INVALID))
    said = Counter(reply.status for reply in replies)
    if said["ok"] == len(INVALID):
        return warning(f"it accepts {' '.join(INVALID)}: a library that refuses nothing offers no validate")
    if not said["reject"]:
        counts = ", ".join(f"{count} {status}" for status, count in said.items())
        return warning(f"it refuses none of {len(INVALID)} invalid texts: {counts}; a refusal is reject")
    return ok(f"it refuses {said['reject']} of {len(INVALID)} invalid texts")


OPERATIONS = Check(
    "operations", "an operation of `ops` is asked, and an ok has the field of its operation", operations
)
CHECKS = (
    OPERATIONS,
    *parts.CHECKS,
    Check("refusals", "a library whose parser can refuse answers validate", refusals),
)
