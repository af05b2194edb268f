"""Says more than was asked."""

from honest import converse, right, send


def answer(message):
    send({"type": "reply", "trace": [{"deep": [1e300, None]}], "\x1b[2J": 1} | right(message))


converse(answer, answer)
