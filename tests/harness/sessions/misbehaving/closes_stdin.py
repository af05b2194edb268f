"""Closes its input and hangs."""

import os

from honest import converse, hang


def target(message):
    os.close(0)
    hang()


converse(target)
