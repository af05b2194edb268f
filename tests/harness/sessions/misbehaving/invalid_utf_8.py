"""Writes a text that is no UTF-8."""

from honest import converse, out

converse(lambda message: out(b'{"id":%d,"status":"ok","url":"\xff"}\n' % message["id"]))
