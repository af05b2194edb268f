"""Writes a line of its own before the hello."""

from honest import HELLO, converse, line, out

converse(hello=lambda: out(b"Starting...\n" + line(HELLO)))
