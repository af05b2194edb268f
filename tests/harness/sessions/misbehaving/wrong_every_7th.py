"""Gives a wrong answer to every seventh question."""

import itertools

from honest import converse, right, send

numbers = itertools.count(1)


def answer(message):
    if next(numbers) % 7:
        send(right(message))
    else:
        send({"id": message["id"], "status": "ok", "url": "wrong"})


converse(answer, answer)
