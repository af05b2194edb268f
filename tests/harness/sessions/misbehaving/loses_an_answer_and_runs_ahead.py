"""Loses the answer to a question that is not its first, and gives each later id the answer before."""

import itertools

from honest import another, converse, right, send, time_passes

numbers = itertools.count(1)
reply_before = {}


def target(message):
    if next(numbers) == 1:
        send(right(message))
    else:
        reply_before.update(right(message))
        if not another():
            time_passes()


def answer(message):
    next(numbers)
    if reply_before:
        send(reply_before | {"id": message["id"]})
        reply_before.update(right(message))
        if not another():
            time_passes()
    else:
        send(right(message))


converse(target, answer)
