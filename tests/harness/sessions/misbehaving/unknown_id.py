"""Answers what nobody has asked."""

from honest import converse, hang, right, send


def target(message):
    send(right(message) | {"id": 10**6})
    hang()


converse(target)
