"""Catches an exception that is no rejection, and tells of it in colours."""

from honest import converse, send

converse(
    lambda message: send({"id": message["id"], "status": "error", "message": "\x1b[31mIndexError\x1b[2J"})
)
