"""Writes on stderr for ever."""

import os

from honest import converse, time_passes


def target(message):
    time_passes()
    while True:
        os.write(2, b"e" * 65536)


converse(target)
