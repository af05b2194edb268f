"""Crashes, and leaves a child in a group of its own that holds its output open."""

import os

from honest import converse, leave_a_child


def target(message):
    leave_a_child(apart=True)
    os._exit(7)


converse(target)
