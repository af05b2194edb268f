"""Writes 2 MiB without a line end and waits."""

from honest import converse, hang, out


def target(message):
    out(b"x" * 2 * 2**20)
    hang()


converse(target)
