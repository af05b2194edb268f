"""Writes a reply octet by octet."""

import time

from honest import converse, line, out, right


def target(message):
    for octet in line(right(message)):
        out(bytes([octet]))
        time.sleep(0.001)


converse(target)
