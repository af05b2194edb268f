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
        for message_id, following in zip(waiting, [*waiting[1:], {"id": message["id"] + 3}], strict=True):
            send(right(message_id) | {"id": following["id"]})
    waiting.clear()


converse(answer, answer)
