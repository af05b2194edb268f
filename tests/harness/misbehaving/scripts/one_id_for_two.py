"""Works at two questions at once, and keeps one id for both."""

import os
import select
import sys

from honest import converse, right, send

kept = []


def answer(message):
    kept.append(message)
    if len(kept) == 2 or not another():
        for one in kept:
            send(right(one) | {"id": message["id"]})
        kept.clear()


def another():
    """Has one more question come, or does it come soon?"""
    select.select([0], [], [], 0.05)
    os.set_blocking(0, False)
    try:
        return bool(sys.stdin.buffer.peek(1))
    finally:
        os.set_blocking(0, True)


converse(answer, answer)
