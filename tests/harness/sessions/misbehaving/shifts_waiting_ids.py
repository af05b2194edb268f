"""Answers each question under the id of the next one that waits, and the last under one that it makes up."""

from honest import another, converse, right, send

waiting = []


def answer(message):
    waiting.append(message)
    if another():
        return
    if len(waiting) == 1:
        send(right(message))
    else:
        ids = [question["id"] for question in waiting[1:]]
        for question, wrong_id in zip(waiting, [*ids, message["id"] + 3], strict=True):
            send(right(question) | {"id": wrong_id})
    waiting.clear()


converse(answer, answer)
