"""Ends after each answer, as if it had been asked one question."""

import os

from honest import converse, right, send


def answer(message):
    send(right(message))
    os._exit(0)


converse(answer, answer)
