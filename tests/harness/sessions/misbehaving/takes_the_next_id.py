"""Answers six questions under the id of the next one."""

from honest import converse, right, send


def answer(message):
    six = " " in message.get("url", "") or message.get("reference") in ("ref1", "ref3", "TARGET")
    send(right(message) | {"id": message["id"] + six})


converse(answer, answer)
