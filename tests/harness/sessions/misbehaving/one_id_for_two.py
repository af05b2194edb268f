"""Works at two questions at once, and keeps one id for both."""

from honest import another, converse, right, send

kept = []


def answer(message):
    kept.append(message)
    if len(kept) == 2 or not another():
        for question_id in kept:
            send(right(question_id) | {"id": message["id"]})
        kept.clear()


converse(answer, answer)
