"""Writes half a reply and no more."""

from honest import converse, hang, line, out, right


def target(message):
    out(line(right(message))[:6])
    hang()


converse(target)
