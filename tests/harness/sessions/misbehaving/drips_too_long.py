"""Writes its reply octet by octet, and its time is over before the last."""

import time

from honest import converse, line, out, right, time_passes


def target(message):
    for index, octet in enumerate(line(right(message))):
        out(bytes([octet]))
        time.sleep(0.005)
        if index == 3:
            time_passes()


converse(target)
