"""Gives the id as a text."""

from honest import converse, right, send

converse(lambda message: send(right(message) | {"id": str(message["id"])}))
