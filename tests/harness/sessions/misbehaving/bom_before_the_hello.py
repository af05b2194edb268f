"""Begins its hello with a byte order mark."""

from honest import HELLO, converse, line, out

converse(hello=lambda: out(b"\xef\xbb\xbf" + line(HELLO)))
