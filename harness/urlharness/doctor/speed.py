"""The check of speed: questions a second, and how long a run takes where they are few."""

from __future__ import annotations

import time

import msgspec

from urlharness.corpus import load
from urlharness.doctor.findings import Check, Found, ok, skipped, warning
from urlharness.doctor.replies import NOTHING_TO_ASK, plain_question
from urlharness.doctor.subjects import PerCase, Question, Speaking, ascii_json

_SHOWN = 2  # questions that are enough to see that it is slow


def speed(subject: Speaking | PerCase) -> Found:
    """Questions a second, one after the other and as many at a time as its window allows."""
    question = plain_question(subject)
    if question is None:
        return skipped(NOTHING_TO_ASK)
    if isinstance(subject, PerCase):
        best = _rate_of_starts(subject, question)
        says = f"{_figure(best)} questions a second, a process for each"
    else:
        subject.greet()
        single = best = _rate(subject, question, 1)
        window = min(subject.hello.window, 1024)
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
    return warning(f"{says}: a run of the core, {cases:,} cases, takes about {_duration(cases / best)}")


def _rate_of_starts(subject: PerCase, question: Question) -> float:
    done, begun = 0, time.monotonic()
    while (spent := time.monotonic() - begun) < subject.patience.measuring or not done:
        subject.ask(question)
        done += 1
    return done / spent


def _rate(subject: Speaking, question: Question, window: int) -> float:
    talk = subject.greet()
    waiting: set[int] = set()
    done, begun = 0, time.monotonic()
    while (spent := time.monotonic() - begun) < subject.patience.measuring:
        messages = [subject.message(question) for _ in range(window - len(waiting))]
        waiting.update(message["id"] for message in messages)
        talk.write(b"".join(map(ascii_json, messages)))
        waiting.discard(subject.reply(talk, waiting).id)
        done += 1
        while (line := talk.more(0.0)) is not None:
            waiting.discard(msgspec.json.decode(line).get("id"))
            done += 1
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
    "`--jobs N` divides the cases of an adapter among N processes",
    speed,
    section="What the engine promises",
)
