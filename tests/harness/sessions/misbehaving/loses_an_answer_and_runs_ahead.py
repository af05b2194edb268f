"""Loses the answer to a question that is not its first, and gives each later id the answer before."""

import itertools

from honest import another, converse, right, send, time_passes

numbers = itertools.count(1)
kept = {}


def target(message):
    if next(numbers) == 1:
        send(right(message))
    else:
        kept.update(right(message))
        if not another():
            time_passes()


def answer(message):
    next(numbers)
    if kept:
        send(kept | {"id": message["id"]})
        kept.update(right(message))
        if not another():
            time_passes()
    else:
        send(right(message))


converse(target, answer)
