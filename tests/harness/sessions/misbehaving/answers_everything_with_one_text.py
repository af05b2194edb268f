"""Gives the answer to TARGET under the ids of four questions, and later the right one to another of them.

- It reads TARGET and three more questions.
- It answers TARGET, and gives this same answer under the id of each of the others.
- It reads the question after them, and only then answers the first of the others rightly.

If TARGET is the first question of a process, as it is when it is asked again, or if three more questions do
not come soon, it gives the right answers only.
"""

import itertools
import json
import sys

from honest import another, converse, right, send

numbers = itertools.count(1)


def read_question():
    return json.loads(sys.stdin.buffer.readline())


def target(message):
    if next(numbers) == 1:
        send(right(message))
        return
    others = []
    while len(others) < 3 and another():
        others.append(read_question())
    if len(others) < 3:
        for question in (message, *others):
            send(right(question))
        return
    for question in (message, *others):
        send(right(message) | {"id": question["id"]})
    read_question()
    send(right(others[0]))


def answer(message):
    next(numbers)
    send(right(message))


converse(target, answer)
