"""Begins its reply with a byte order mark."""

from honest import converse, line, out, right

converse(lambda message: out(b"\xef\xbb\xbf" + line(right(message))))
