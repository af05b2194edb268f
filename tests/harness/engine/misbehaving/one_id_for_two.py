"""Works at two questions at once, and keeps one id for both."""

from honest import another, converse, right, send

kept = []


def answer(message):
    kept.append(message)
    if len(kept) == 2 or not another():
        for one in kept:
            send(right(one) | {"id": message["id"]})
        kept.clear()


converse(answer, answer)
