"""Fills its pipes before it reads a question."""

import os

from honest import HELLO, converse, line, out


def hello():
    os.write(2, b"e" * 300_000)
    out(line(HELLO | {"homepage": "x" * 300_000}))
    os.write(2, b"e" * 300_000)


converse(hello=hello)
