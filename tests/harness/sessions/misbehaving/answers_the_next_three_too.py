"""Answers one question, and the next three with the same."""

from honest import converse, line, out, right


def target(message):
    reply = right(message)
    out(b"".join(line(reply | {"id": message["id"] + ahead}) for ahead in range(4)))


converse(target)
