"""Writes a line of its own after the hello."""

from honest import HELLO, converse, line, out

converse(hello=lambda: out(line(HELLO) + b"welcome\n"))
