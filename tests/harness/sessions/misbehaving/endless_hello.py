"""Writes a hello without an end."""

from honest import converse, out


def hello():
    while True:
        out(b"x" * 65536)


converse(hello=hello)
