"""Writes 10 MiB on stderr, then answers."""

import os

from honest import converse, right, send


def target(message):
    os.write(2, b"e" * 10 * 2**20)
    send(right(message))


converse(target)
