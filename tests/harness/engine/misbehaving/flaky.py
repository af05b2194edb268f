"""Gives a wrong answer when it is first asked, and the right one ever after."""

from honest import SIGNS, converse, right, send


def target(message):
    known = SIGNS.with_name("known")
    send(right(message) if known.exists() else right(message) | {"url": "wrong"})
    known.touch()


converse(target)
