"""Writes half of a surrogate pair."""

from honest import converse, out

converse(lambda message: out(b'{"id":%d,"status":"ok","url":"\\ud800"}\n' % message["id"]))
