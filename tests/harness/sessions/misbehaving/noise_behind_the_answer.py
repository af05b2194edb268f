"""Writes a line of its own after the answer."""

from honest import converse, out, right, send


def target(message):
    send(right(message))
    out(b"bye for now\n")


converse(target)
