"""Writes an object without anything."""

from honest import converse, out

converse(lambda _: out(b"{}\n"))
