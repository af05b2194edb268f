"""Claims operations that nobody knows."""

from honest import HELLO, converse, send

converse(
    hello=lambda: send(HELLO | {"ops": [*HELLO["ops"], "teleport", "\x1b[2J"], "features": ["sentience"]})
)
