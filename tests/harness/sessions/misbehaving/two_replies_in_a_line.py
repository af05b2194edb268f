"""Writes two replies and no line end between them."""

from honest import converse, line, out, right

converse(lambda message: out(line(right(message))[:-1] * 2 + b"\n"))
