"""Gives a wrong answer when it is first asked, and the right one ever after."""

from honest import SIGNS, converse, right, send


def target(message):
    mark = SIGNS.with_name("known")
    send(right(message) if mark.exists() else right(message) | {"url": "wrong"})
    mark.touch()


converse(target)
