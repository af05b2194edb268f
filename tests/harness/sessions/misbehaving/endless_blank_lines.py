"""Writes blank lines for ever."""

from honest import converse, out, time_passes


def target(message):
    time_passes()
    while True:
        out(b"\n")


converse(target)
