"""The check of speed: questions a second, what becomes of answers then, and how long a run takes."""

from __future__ import annotations

import time

from urlharness.corpus.loader import load
from urlharness.doctor.checks import Check, CheckResult, broken, ok, skipped, warning
from urlharness.doctor.client import Garbage, PerCase, Question, Rule, Speaking, ascii_json
from urlharness.doctor.questions import ALONE, NOTHING_TO_ASK, plain_question, same, shown
from urlharness.protocol.messages import Reply

_SHOWN = 2  # questions that are enough to see that it is slow


_WINDOW = 1024  # more are not faster


_JOBS = Rule("`--jobs N` divides the cases of an adapter among N processes", "What the engine promises")


_GARBAGE = Rule(
    "a reply that is no JSON, not of the schema, or to a question that is not open is garbage",
    "What the engine promises",
)


class _Changed(Exception):
    """The same question has another answer; the message says which."""


def speed(subject: Speaking | PerCase) -> CheckResult:
    """Questions a second, one after the other and as many at a time as its window allows."""
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    try:
        return _measured(subject, question)
    except _Changed as change:
        return broken(str(change), ALONE)
    except Garbage as fault:
        raise Garbage(str(fault), rule=_GARBAGE) from None


def _measured(subject: Speaking | PerCase, question: Question) -> CheckResult:
    if isinstance(subject, PerCase):
        best = _rate_of_starts(subject, question)
        says = f"{_figure(best)} questions a second, a process for each"
    else:
        subject.greet()
        single = best = _rate(subject, question, 1)
        window = min(subject.hello.window, _WINDOW)
        says = f"{_figure(single)} questions a second"
        if window == 1:
            says += "; a window above 1 would save the waiting"
        else:
            best = _rate(subject, question, window)
            says += f" one by one, {_figure(best)} pipelined"
    if best >= subject.patience.slow:
        return ok(says)
    subject.end()
    subject.ask(*[question] * _SHOWN)
    cases = _core(subject)
    return warning(
        f"{says}: a run of the core, {cases:,} cases, takes about {_duration(cases / best)}", _JOBS
    )


def _rate_of_starts(subject: PerCase, question: Question) -> float:
    done, begun = 0, time.monotonic()
    while (spent := time.monotonic() - begun) < subject.patience.measuring or not done:
        subject.ask(question)
        done += 1
    return done / spent


def _rate(subject: Speaking, question: Question, window: int) -> float:
    talk = subject.greet()
    waiting: set[int] = set()
    first: Reply | None = None
    done, begun = 0, time.monotonic()
    while (spent := time.monotonic() - begun) < subject.patience.measuring:
        messages = [subject.message(question) for _ in range(window - len(waiting))]
        waiting.update(message["id"] for message in messages)
        talk.write(b"".join(map(ascii_json, messages)))
        while True:
            reply = subject.reply(talk, waiting)
            waiting.discard(reply.id)
            done += 1
            first = first or reply
            if not same(reply, first):
                raise _Changed(
                    f"answer {done:,} to the same question is {shown(reply)}, and was {shown(first)}"
                )
            if not talk.arrived():
                break
    return done / spent


def _core(subject: Speaking | PerCase) -> int:
    """How many cases of the core it would be asked."""
    return sum(case.vector.op in subject.hello.ops for case in load().cases)


def _figure(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def _duration(seconds: float) -> str:
    for size, name in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} seconds"


SPEED = Check(
    "speed",
    "up to `window` questions may be in flight; replies come in any order",
    speed,
)
