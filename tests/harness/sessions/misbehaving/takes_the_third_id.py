"""Answers one question under the id of the third one after it."""

from honest import converse, right, send

converse(lambda message: send(right(message) | {"id": message["id"] + 3}))
