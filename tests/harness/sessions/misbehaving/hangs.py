"""Does nothing any more."""

from honest import converse, hang

converse(lambda _: hang())
