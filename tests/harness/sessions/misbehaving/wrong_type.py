"""Gives a number for a text."""

from honest import converse, right, send

converse(lambda message: send(right(message) | {"url": 7}))
