"""The host tier: short texts in which delimiters surround two host names in every order.

The texts have no expected answers. They show whether two parsers see the same host.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

#: Two hosts, delimiters of an authority, and characters that parsers skip, decode or mistake for delimiters.
TOKENS = ("a", "b", "@", ":", "/", "\\", "?", "#", "[", "]", ";", "80", " ", "\t", "%40", "%2f", ".")

#: What comes before the authority: two slashes, or another number that some parsers correct to two.
BEGINNINGS = ("http://", "http:/", "http:", "http:///", "//", "http:\\\\", "HTTP://", "foo://")
_USUAL = ("http://", "//", "foo://")


def host_texts() -> Iterator[str]:
    """Yield each text once. For each beginning, the shortest texts come first.

    Up to three tokens follow a beginning, or up to four if it is a usual one. Each text ends with a slash.
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
