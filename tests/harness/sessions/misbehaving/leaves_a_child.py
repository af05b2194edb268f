"""Crashes, and leaves a child that holds its output open."""

import os

from honest import converse, leave_a_child


def target(message):
    leave_a_child(apart=False)
    os._exit(7)


converse(target)
