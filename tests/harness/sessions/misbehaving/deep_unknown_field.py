"""Nests a field that nobody reads a hundred thousand times."""

from honest import converse, out

converse(
    lambda message: out(
        b'{"id":%d,"status":"ok","trace":%s}\n' % (message["id"], b"[" * 100_000 + b"]" * 100_000)
    )
)
