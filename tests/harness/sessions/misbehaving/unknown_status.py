"""Gives a status that the protocol does not have."""

from honest import converse, right, send

converse(lambda message: send(right(message) | {"status": "maybe"}))
