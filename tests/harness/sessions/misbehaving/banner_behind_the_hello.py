"""Writes a line of its own behind the hello."""

from honest import HELLO, converse, line, out

converse(hello=lambda: out(line(HELLO) + b"welcome\n"))
