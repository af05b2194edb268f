"""Crashes at the fifth question of its life, whichever it is."""

import itertools
import os

from honest import converse, right, send

numbers = itertools.count(1)


def answer(message):
    if next(numbers) == 5:
        os._exit(1)
    send(right(message))


converse(answer, answer)
