"""Loses the answer to a question that is not its first, and gives each later answer the id before."""

import itertools

from honest import another, converse, right, send, time_passes

numbers = itertools.count(1)
lost = {}


def target(message):
    if next(numbers) == 1:
        send(right(message))
    else:
        lost["id"] = message["id"]
        if not another():
            time_passes()


def answer(message):
    next(numbers)
    send(right(message) | lost)
    if lost:
        lost["id"] = message["id"]
        if not another():
            time_passes()


converse(target, answer)
