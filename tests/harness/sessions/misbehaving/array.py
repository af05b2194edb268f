"""Writes an array."""

from honest import converse, out

converse(lambda _: out(b"[]\n"))
