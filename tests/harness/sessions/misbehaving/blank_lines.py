"""Writes blank lines between its replies."""

from honest import converse, line, out, right


def answer(message):
    out(b"\n \r\n" + line(right(message)) + b"\n")


converse(answer, answer)
