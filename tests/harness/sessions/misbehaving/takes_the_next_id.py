"""Answers six questions under the id of the next one."""

from honest import converse, right, send


def answer(message):
    reply = right(message)
    if " " in message.get("url", "") or message.get("reference") in ("ref1", "ref3", "TARGET"):
        reply["id"] += 1
    send(reply)


converse(answer, answer)
