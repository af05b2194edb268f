"""Writes a line that is no JSON."""

from honest import converse, out

converse(lambda _: out(b"what?\n"))
