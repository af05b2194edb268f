"""Gives a reason of 900 KiB with each reply, whoever reads it."""

from honest import converse, right, send


def answer(message):
    send(right(message) | {"message": "x" * 900 * 1024})


converse(answer, answer)
