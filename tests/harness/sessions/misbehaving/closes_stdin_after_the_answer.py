"""Answers, closes its input and ends."""

import os

from honest import converse, right, send


def target(message):
    send(right(message))
    os.close(0)
    os._exit(0)


converse(target)
