"""The check of questions that are in flight together: each is answered once, as it is alone."""

from __future__ import annotations

from collections.abc import Sequence

from urlharness.doctor.findings import Check, Found, broken, ok, skipped
from urlharness.doctor.questions import several, text_of
from urlharness.doctor.replies import ALONE, NOTHING_TO_ASK, same, shown
from urlharness.doctor.subjects import Question, Speaking, ascii_json
from urlharness.doctor.talk import Fault
from urlharness.process import excerpt
from urlharness.protocol import Reply

_FIRST = 16  # questions: few, so that what shows with them is a short line
_MANY = 64
_ROUNDS = 3  # of many: answers of threads change places now and then


def at_once(subject: Speaking) -> Found:
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
) -> Found | None:
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
) -> Found | None:
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
