"""Ends its lines as Windows does."""

from honest import HELLO, converse, line, out, right


def answer(message):
    out(line(right(message))[:-1] + b"\r\n")


converse(answer, answer, hello=lambda: out(line(HELLO)[:-1] + b"\r\n"))
