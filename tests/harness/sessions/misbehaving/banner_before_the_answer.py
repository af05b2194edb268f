"""Writes a line of its own before the answer."""

from honest import converse, out, right, send


def target(message):
    out(b"DEBUG: thinking\n")
    send(right(message))


converse(target)
