"""Writes a line of 10 MiB."""

from honest import converse, out

converse(lambda _: out(b"x" * 10 * 2**20 + b"\n"))
