"""Claims an operation and then does not have it."""

from honest import converse, send

converse(lambda message: send({"id": message["id"], "status": "unsupported", "message": "not today"}))
