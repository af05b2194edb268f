"""Says hello in place of an answer."""

from honest import HELLO, converse, send

converse(lambda _: send(HELLO))
