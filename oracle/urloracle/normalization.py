"""Normal forms: RFC 3986 section 6.2.2 (syntax) and 6.2.3 (scheme), the equivalences of RFC 2396 section 6.

Percent-encoding first, then case, then dot segments (R-3986-16); the result is its own normal form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from urloracle.components import URI
from urloracle.dots import remove_dot_segments
from urloracle.expression import Reference
from urloracle.grammar import Grammar
from urloracle.recomposition import recompose_uri

Mode = Literal["syntax", "scheme"]
MODES: tuple[Mode, ...] = ("syntax", "scheme")

# RFC 1738, sections 3.2 to 3.11; RFC 3986, section 3.2.3, for http
DEFAULT_PORTS: Mapping[str, str] = {
    "ftp": "21",
    "http": "80",
    "gopher": "70",
    "nntp": "119",
    "telnet": "23",
    "wais": "210",
    "prospero": "1525",
}

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def normalize_rfc3986(parts: URI, mode: Mode, grammar: Grammar) -> str:
    """The normal form of a reference; dots are removed from URIs only (R-3986-37)."""
    unreserved = grammar.character_class(Reference("unreserved")) or frozenset()

    def percent(text: str | None) -> str | None:
        return None if text is None else normalize_triplets(text, unreserved)

    scheme = None if parts.scheme is None else parts.scheme.lower()
    host = None if parts.host is None else _normalize_host(parts.host, unreserved)
    port, path = parts.port, normalize_triplets(parts.path, unreserved)
    if scheme is not None:
        path = remove_dot_segments(path)
        if host is None and path.startswith("//"):
            path = f"/.{path}"  # what follows must not become an authority (R-3986-09)
        if mode == "scheme":  # section 6.2.3, R-3986-20, R-3986-21
            port = None if port in ("", DEFAULT_PORTS.get(scheme)) else port
            path = "/" if host is not None and not path else path
    authority = _authority(percent(parts.userinfo), host, port)
    query, fragment = percent(parts.query), percent(parts.fragment)
    return recompose_uri(URI(scheme, authority, None, None, None, path, query, fragment))


def normalize_rfc2396(parts: URI, mode: Mode, grammar: Grammar) -> str:
    """Scheme and host in lower case; under a known scheme its default port left out (R-2396-27).

    An escape is undone only where the scheme says that the two are the same: in the path of an http URL
    (section 2.4.2, paragraph 2; R-2396-26).
    """
    scheme = None if parts.scheme is None else parts.scheme.lower()
    authority, path = parts.authority, parts.path
    if mode == "scheme" and scheme == "http":
        unreserved = grammar.character_class(Reference("unreserved")) or frozenset()
        path = decode_triplets(path, unreserved)
    if parts.host is not None:
        default = DEFAULT_PORTS.get(scheme or "") if mode == "scheme" else None
        port = None if parts.port == default else parts.port
        authority = _authority(parts.userinfo, parts.host.lower(), port)
    return recompose_uri(parts._replace(scheme=scheme, authority=authority, path=path))


def _authority(userinfo: str | None, host: str | None, port: str | None) -> str | None:
    if host is None:
        return None
    before = "" if userinfo is None else f"{userinfo}@"
    after = "" if port is None else f":{port}"
    return f"{before}{host}{after}"


def _normalize_host(host: str, unreserved: frozenset[str]) -> str:
    """Lower case, decoded letters included, but for the digits of the triplets that remain (R-3986-17)."""
    lowered = normalize_triplets(host, unreserved).lower()
    return _TRIPLET.sub(lambda match: match[0].upper(), lowered)


def normalize_triplets(text: str, unreserved: frozenset[str]) -> str:
    """Triplets of unreserved characters decoded, the others in upper case (sections 6.2.2.1 and 6.2.2.2)."""
    return _TRIPLET.sub(lambda match: _decode(match[0].upper(), unreserved), text)


def decode_triplets(text: str, characters: frozenset[str]) -> str:
    """Triplets of the characters decoded, the others as they are."""
    return _TRIPLET.sub(lambda match: _decode(match[0], characters), text)


def _decode(triplet: str, unreserved: frozenset[str]) -> str:
    """The character of a triplet if it is an unreserved one, else the triplet."""
    char = chr(int(triplet[1:], 16))
    return char if char in unreserved else triplet
