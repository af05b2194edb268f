"""Writes octets that no text has."""

from honest import converse, out

converse(lambda _: out(b"\0\0\0\n"))
