"""The components of any text, by the regular expression of RFC 3986, appendix B.

No RFC is asked for them. So this module does not import the oracle, and neither do the commands that only
compare answers: to load it takes a sixth of the CPU time of `run` with one question.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# RFC 3986, appendix B
_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


class Parts(NamedTuple):
    """The components that the regular expression of RFC 3986, appendix B, finds in any text."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def absolute(self) -> bool:
        """True if a reference with these components does not take any part of its path from the base."""
        return self.scheme is not None or self.authority is not None or self.path.startswith("/")

    @property
    def rootless(self) -> bool:
        """True if there is no authority and the path has no leading slash."""
        return self.authority is None and not self.path.startswith("/")

    @property
    def segments(self) -> list[str]:
        """The segments of the path without its leading slash."""
        return self.path.removeprefix("/").split("/")

    @property
    def dotted(self) -> bool:
        """True if the path contains dot segments."""
        return any(segment in (".", "..") for segment in self.segments)


def split_generic(text: str) -> Parts:
    """Split any text by the regular expression of RFC 3986, appendix B."""
    match = _PARTS.fullmatch(text)
    assert match is not None  # the expression matches every text
    return Parts(*match.groups())
