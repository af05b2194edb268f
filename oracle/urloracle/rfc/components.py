"""Components of RFC 1808, 2396, 2732, 3986 and 3987, and the other readings that rulings admit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from urloracle.language import Languages
from urloracle.rfc.captures import split_pattern
from urloracle.rfc.schemes import FileURL, FtpURL, GenericURL, SchemeURL, asdict


class RelativeURL(NamedTuple):
    """The six components of RFC 1808, section 2.1; `path` includes its leading slash."""

    scheme: str | None
    net_loc: str | None
    path: str
    params: str | None
    query: str | None
    fragment: str | None

    def asdict(self) -> dict[str, str | None]:
        """Return the components under the names of the RFC."""
        return self._asdict()


class URI(NamedTuple):
    """The components of RFC 2396, section 3, and RFC 3986, section 3, with the parts of the authority.

    Those of RFC 3987 have the same names (R-3987-43).
    """

    scheme: str | None
    authority: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    def asdict(self) -> dict[str, str | None]:
        """Return the components under the names of the RFC."""
        return self._asdict()


#: Scheme, authority, path, query and fragment, as resolution uses them.
Parts = tuple[str | None, str | None, str, str | None, str | None]
#: Scheme, net_loc, path, params, query and fragment, as resolution by RFC 1808 uses them.
PartsRFC1808 = tuple[str | None, str | None, str, str | None, str | None, str | None]


def reader_rfc1808(languages: Languages) -> Callable[[str], RelativeURL | None]:
    """Return a function that splits a URL, or returns None if the text is invalid."""
    return split_pattern("rfc1808", "URL", languages).splitter(RelativeURL)


def parts_reader_rfc1808(languages: Languages) -> Callable[[str], PartsRFC1808 | None]:
    """Return a function like that of `reader_rfc1808` that returns plain tuples."""
    split: Callable[[str], Any] = split_pattern("rfc1808", "URL", languages).split
    return split


def reader_uri(spec: str, rule: str, languages: Languages) -> Callable[[str], URI | None]:
    """Return a function that splits a reference, or returns None if the text is invalid.

    `rule` is the rule of the RFC for references.
    """
    return split_pattern(spec, rule, languages).splitter(URI)


def parts_reader_uri(spec: str, rule: str, languages: Languages) -> Callable[[str], Parts | None]:
    """Return a function that splits a reference into five parts, or returns None if the text is invalid.

    `rule` is the rule of the RFC for references.
    """
    split: Callable[[str], Any] = split_pattern(spec, rule, languages, whole=False).split
    return split


class Reading(NamedTuple):
    """Another admissible split of a text, and the ruling that admits it."""

    components: dict[str, Any]
    ruling: str


def readings_rfc1738(url: SchemeURL) -> tuple[Reading, ...]:
    """Return the other readings of ftp and file paths, of typecodes, and of URLs with unknown schemes.

    The path can contain a query (R-1738-12), the typecode can be in lower case (R-1738-21), and the scheme
    part need not be divided (R-1738-02).
    """
    readings: list[Reading] = []
    if isinstance(url, FtpURL | FileURL) and "?" in (url.fpath or ""):
        path, _, query = (url.fpath or "").partition("?")
        with_query = {**asdict(url), "fpath": path, "query": query}
        readings.append(Reading(with_query, "R-1738-12"))
    typecode = (url.ftptype or "") if isinstance(url, FtpURL) else ""
    if typecode.isupper():
        # in lower case in the recommended reading, and in the one with a query
        for components in (asdict(url), *(reading.components for reading in readings)):
            folded = {**components, "ftptype": typecode.lower()}
            readings.append(Reading(folded, "R-1738-21"))
    if isinstance(url, GenericURL) and url.host is not None:
        opaque = dict.fromkeys(("user", "password", "host", "port", "urlpath"))
        readings.append(Reading({**asdict(url), **opaque}, "R-1738-02"))
    return tuple(readings)


def readings_rfc2396(uri: URI) -> tuple[Reading, ...]:
    """Return the other readings of a registered name, and of a query that appendix B finds in an opaque part.

    A library may divide a registered name like a server (R-2396-11).  In the grammar, the question mark and
    what follows it belong to the opaque part (R-2396-04).
    """
    if uri.authority and uri.host is None:
        readings = []
        for userinfo, host, port in _divisions(uri.authority):
            divided = {**uri.asdict(), "userinfo": userinfo, "host": host, "port": port}
            readings.append(Reading(divided, "R-2396-11"))
        return tuple(readings)
    is_opaque = uri.scheme is not None and uri.authority is None and not uri.path.startswith("/")
    if not is_opaque or uri.query is None:
        return ()
    whole = uri._replace(path=f"{uri.path}?{uri.query}", query=None)
    return (Reading(whole.asdict(), "R-2396-04"),)


def _divisions(authority: str) -> Iterator[tuple[str | None, str, str | None]]:
    """Yield userinfo, host and port of a registered name, divided at the last or the first `@` and `:`.

    The whole of a name with several colons can also be the host, like an IPv6 address without brackets.
    """
    seen = set()
    for at_sign in (authority.rfind("@"), authority.find("@")):
        userinfo = None if at_sign < 0 else authority[:at_sign]
        server = authority[at_sign + 1 :]  # the whole authority if there is no `@`, which is found at -1
        for colon in (server.rfind(":"), server.find(":"), -1):
            if colon < 0 and server.count(":") == 1:
                continue
            host = server
            port = None
            if colon >= 0:
                host = server[:colon]
                port = server[colon + 1 :]
            if (userinfo, host, port) not in seen:
                seen.add((userinfo, host, port))
                yield userinfo, host, port


def readings_rfc3986(uri: URI, split: Callable[[str], URI | None]) -> tuple[Reading, ...]:
    """Return the reading of a text without its prefix `URL:`, if it has that prefix (R-3986-35)."""
    if (uri.scheme or "").upper() != "URL" or uri.authority is not None:
        return ()
    query = "" if uri.query is None else f"?{uri.query}"
    fragment = "" if uri.fragment is None else f"#{uri.fragment}"
    wrapped = split(f"{uri.path}{query}{fragment}")
    if wrapped is None or wrapped.scheme is None:
        return ()
    return (Reading(wrapped.asdict(), "R-3986-35"),)
