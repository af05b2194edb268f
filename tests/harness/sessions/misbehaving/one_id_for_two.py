"""Works at two questions at once, and keeps one id for both."""

from honest import another, converse, right, send

waiting = []


def answer(message):
    waiting.append(message)
    if len(waiting) == 2 or not another():
        for question in waiting:
            send(right(question) | {"id": message["id"]})
        waiting.clear()


converse(answer, answer)
