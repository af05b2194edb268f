"""Answers and crashes a moment later."""

import os

from honest import converse, right, send


def target(message):
    send(right(message))
    os._exit(1)


converse(target)
