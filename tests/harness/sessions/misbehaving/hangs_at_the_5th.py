"""Hangs at the fifth question of its life, whichever it is."""

import itertools

from honest import converse, hang, right, send

numbers = itertools.count(1)


def answer(message):
    if next(numbers) == 5:
        hang()
    send(right(message))


converse(answer, answer)
