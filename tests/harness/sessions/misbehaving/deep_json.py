"""Nests its reply a hundred thousand times."""

from honest import converse, out

converse(
    lambda message: out(
        b'{"id":%d,"status":"ok","also":%s}\n' % (message["id"], b"[" * 100_000 + b"]" * 100_000)
    )
)
