"""Keeps replies back, and writes them in one go."""

import select

from honest import converse, line, out, right

waiting_lines = []


def answer(message):
    waiting_lines.append(line(right(message)))
    if len(waiting_lines) == 2 or not select.select([0], [], [], 0.05)[0]:
        out(b"".join(waiting_lines))
        waiting_lines.clear()


converse(answer, answer)
