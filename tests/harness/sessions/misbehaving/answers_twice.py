"""Answers one question twice."""

from honest import converse, right, send


def target(message):
    send(right(message))
    send(right(message) | {"url": "another"})


converse(target)
