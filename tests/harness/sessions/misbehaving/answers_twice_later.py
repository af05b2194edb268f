"""Answers one question again, after a while."""

import time

from honest import converse, right, send


def target(message):
    send(right(message))
    time.sleep(0.05)
    send(right(message))


converse(target)
