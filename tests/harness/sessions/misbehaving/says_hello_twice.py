"""Says hello once more, after its hello."""

from honest import HELLO, converse, line, out

converse(hello=lambda: out(2 * line(HELLO)))
