"""Writes a line of its own behind each answer."""

from honest import converse, line, out, right


def answer(message):
    out(line(right(message)) + b"done\n")


converse(answer, answer)
