"""Answers each question, and a moment later three that it expects next."""

import time

from honest import converse, right, send


def answer(message):
    send(right(message))
    for ahead in (1, 2, 3):
        time.sleep(0.003)
        send({"id": message["id"] + ahead, "status": "error", "message": "foreseen"})


converse(answer, answer)
