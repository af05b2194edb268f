"""Answers once more what another of its processes has answered before."""

from honest import SIGNS, converse, right, send

FIRST = SIGNS.with_name("first")


def target(message):
    send(right(message) | {"id": int(FIRST.read_text())})


def answer(message):
    if not FIRST.exists():
        FIRST.write_text(str(message["id"]))
    send(right(message))


converse(target, answer)
