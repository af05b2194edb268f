"""Answers the last question first."""

import select

from honest import WINDOW, converse, right, send

kept = []


def answer(message):
    kept.append(message)
    if len(kept) == WINDOW or not select.select([0], [], [], 0.05)[0]:
        while kept:
            send(right(kept.pop()))


converse(answer, answer)
