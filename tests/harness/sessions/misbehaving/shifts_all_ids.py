"""Answers every question under the id of the third one after it."""

from honest import converse, right, send


def answer(message):
    send(right(message) | {"id": message["id"] + 3})


converse(answer, answer)
