"""Closes its output and hangs."""

import os

from honest import converse, hang


def target(message):
    os.close(1)
    hang()


converse(target)
