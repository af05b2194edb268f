"""Rejects whatever it is asked."""

from honest import converse, send

converse(answer=lambda message: send({"id": message["id"], "status": "reject"}))
