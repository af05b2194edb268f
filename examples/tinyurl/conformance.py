"""The adapter: what tinyurl offers, in the words of the RFC."""

from urlharness import functions

import tinyurl

adapter = functions(
    "tinyurl",
    tinyurl.__version__,
    specs=["rfc3986"],
    parse=tinyurl.split,
    resolve=tinyurl.join,
    absent_vs_empty=True,
)
