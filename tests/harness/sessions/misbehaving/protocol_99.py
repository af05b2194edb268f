"""Speaks a protocol of the future."""

from honest import HELLO, converse, send

converse(hello=lambda: send(HELLO | {"protocol": 99}))
