"""Writes half a reply and ends."""

import os

from honest import converse, line, out, right


def target(message):
    out(line(right(message))[:6])
    os._exit(0)


converse(target)
