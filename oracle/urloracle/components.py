"""Components of RFC 1808, 2396, 2732 and 3986: what the parts of a valid text are.

Absent is None and present but empty is "", always kept apart (G-09).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from urloracle.language import Languages


class RelativeURL(NamedTuple):
    """The six components of RFC 1808, section 2.1; `path` carries its leading slash."""

    scheme: str | None
    net_loc: str | None
    path: str
    params: str | None
    query: str | None
    fragment: str | None

    def asdict(self) -> dict[str, str | None]:
        """The components by the names of the RFC."""
        return self._asdict()


class URI(NamedTuple):
    """The components of RFC 2396, section 3, and RFC 3986, section 3, with the parts of the authority."""

    scheme: str | None
    authority: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    def asdict(self) -> dict[str, str | None]:
        """The components by the names of the RFC."""
        return self._asdict()


class Authority(NamedTuple):
    """The parts of an authority; all None where it is empty or registry-based (RFC 2396)."""

    userinfo: str | None
    host: str | None
    port: str | None


_SERVER = ("userinfo", "host", "port")
_NO_SERVER = Authority(None, None, None)

# RFC 2396, appendix B, and RFC 3986, appendix B print this one regular expression; R-2396-24: dot-all.
_APPENDIX_B = re.compile(r"(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)

# RFC 1808, section 2.4.2: a colon behind at least one character, all of them scheme characters.
_SCHEME_1808 = re.compile(r"([A-Za-z0-9+.\-]+):")


def split_rfc1808(text: str) -> RelativeURL:
    """The components of a URL by the steps of RFC 1808, section 2.4, in their order."""
    rest, fragment = _cut(text, "#")  # 2.4.1
    scheme = None
    found = _SCHEME_1808.match(rest)  # 2.4.2, R-1808-02
    if found:
        scheme, rest = found[1], rest[found.end() :]
    net_loc = None
    if rest.startswith("//"):  # 2.4.3: up to the next slash, question marks included (R-1808-05)
        end = rest.find("/", 2)
        end = len(rest) if end < 0 else end
        net_loc, rest = rest[2:end], rest[end:]
    rest, query = _cut(rest, "?")  # 2.4.4
    path, params = _cut(rest, ";")  # 2.4.5, R-1808-08
    return RelativeURL(scheme, net_loc, path, params, query, fragment)


def split_appendix_b(text: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    """Scheme, authority, path, query and fragment of a reference, as appendix B divides it."""
    match = _APPENDIX_B.fullmatch(text)
    assert match is not None  # it matches every text
    scheme, authority, path, query, fragment = match.group(2, 4, 5, 7, 9)
    return scheme, authority, path, query, fragment


def split_rfc2396(text: str, languages: Languages) -> URI:
    """The components of an RFC 2396 reference; an authority that is no server has no parts (R-2396-11)."""
    scheme, authority, path, query, fragment = split_appendix_b(text)
    parts = _server(authority, "server", languages) if authority else _NO_SERVER
    return URI(scheme, authority, *parts, path, query, fragment)


def split_rfc3986(text: str, languages: Languages) -> URI:
    """The components of an RFC 3986 reference; the host of an authority is never absent, only empty."""
    scheme, authority, path, query, fragment = split_appendix_b(text)
    parts = _NO_SERVER if authority is None else _server(authority, "authority", languages)
    return URI(scheme, authority, *parts, path, query, fragment)


def _server(authority: str, rule: str, languages: Languages) -> Authority:
    parts = languages.pattern(rule, _SERVER).split(authority)
    return _NO_SERVER if parts is None else Authority(**parts)


def _cut(text: str, delimiter: str) -> tuple[str, str | None]:
    """The text before the first delimiter, and what follows it; None where there is none."""
    before, found, after = text.partition(delimiter)
    return before, after if found else None
