"""Gives an offset of four thousand digits."""

from honest import converse, out

converse(lambda message: out(b'{"id":%d,"status":"reject","at":%s}\n' % (message["id"], b"9" * 4000)))
