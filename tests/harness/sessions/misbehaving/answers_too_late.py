"""Answers when its time is over, from a child that nobody can end."""

import os
import time

from honest import converse, hang, line, out, right


def target(message):
    if os.fork() == 0:
        os.setsid()
        time.sleep(0.3)
        out(line(right(message) | {"url": "late"}))
        os._exit(0)
    hang()


converse(target)
