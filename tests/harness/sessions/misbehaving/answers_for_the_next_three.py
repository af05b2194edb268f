"""Answers one question under the ids of the next three, and then under its own."""

from honest import converse, line, out, right


def target(message):
    reply = right(message)
    out(b"".join(line(reply | {"id": message["id"] + ahead}) for ahead in (1, 2, 3, 0)))


converse(target)
