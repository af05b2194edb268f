"""Writes each reply in two parts."""

import time

from honest import converse, line, out, right


def answer(message):
    octets = line(right(message))
    out(octets[:9])
    time.sleep(0.005)
    out(octets[9:])


converse(answer, answer)
