"""Writes a line of its own after each answer."""

from honest import converse, line, out, right


def answer(message):
    out(line(right(message)) + b"done\n")


converse(answer, answer)
