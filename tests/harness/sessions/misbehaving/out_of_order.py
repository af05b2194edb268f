"""Answers the last question first."""

import select

from honest import WINDOW, converse, right, send

waiting = []


def answer(message):
    waiting.append(message)
    if len(waiting) == WINDOW or not select.select([0], [], [], 0.05)[0]:
        while waiting:
            send(right(waiting.pop()))


converse(answer, answer)
