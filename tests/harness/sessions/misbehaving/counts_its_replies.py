"""Numbers its replies itself, from the first id on, and writes one too many a moment after the answer."""

import itertools
import time

from honest import converse, right, send

first = []
numbers = itertools.count()


def following(message):
    first.append(message["id"])
    return first[0] + next(numbers)


def answer(message):
    send(right(message) | {"id": following(message)})


def target(message):
    answer(message)
    time.sleep(0.01)
    send({"id": following(message), "status": "error", "message": "second thoughts"})


converse(target, answer)
