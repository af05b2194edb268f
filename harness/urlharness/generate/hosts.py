"""The host tier: short texts in which delimiters surround two host names in every order.

The texts have no expected answers. They are for comparing two parsers: which host does each see?
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

#: Two hosts, what separates parts of an authority, and what parsers skip, decode or take for a delimiter.
TOKENS = ("a", "b", "@", ":", "/", "\\", "?", "#", "[", "]", ";", "80", " ", "\t", "%40", "%2f", ".")

#: What stands before the authority: two slashes, or another number of them, which some parsers correct.
BEGINNINGS = ("http://", "http:/", "http:", "http:///", "//", "http:\\\\", "HTTP://", "foo://")
_USUAL = ("http://", "//", "foo://")


def host_texts() -> Iterator[str]:
    """Yield each text once, the shortest of each beginning first.

    Up to three tokens follow a beginning, or up to four if it is a usual one; each text ends with a slash.
    """
    seen = set()
    for beginning in BEGINNINGS:
        for length in range(1, 5 if beginning in _USUAL else 4):
            for tokens in product(TOKENS, repeat=length):
                if "a" in tokens or "b" in tokens:
                    text = f"{beginning}{''.join(tokens)}/"
                    if text not in seen:
                        seen.add(text)
                        yield text
