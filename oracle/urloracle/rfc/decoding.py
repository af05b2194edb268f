"""Decoded views of RFC 1738: what the parts of a URL mean to a client, by scheme.

A URL is split first, then each part is decoded exactly once (section 3.2.2, G-13).  Decoded parts are bytes;
numbers remain text because they are unbounded (R-1738-10).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from urloracle.rfc.normalization import DEFAULT_PORTS
from urloracle.rfc.schemes import (
    FileURL,
    FtpURL,
    GopherURL,
    HttpURL,
    MailtoURL,
    NewsURL,
    NntpURL,
    ProsperoURL,
    SchemeURL,
    TelnetURL,
    WaisURL,
)

View = dict[str, Any]
_TRIPLET = re.compile(b"%([0-9A-Fa-f]{2})")


def octets(text: str) -> bytes:
    """Return the octets that a part represents (section 2.2)."""
    return _TRIPLET.sub(lambda match: bytes.fromhex(match[1].decode()), text.encode("ascii"))


def decode(url: SchemeURL) -> View | None:
    """Return the decoded view of the components, or None for a scheme that RFC 1738 does not define."""
    if type(url) not in _OWN:
        return None
    scheme = url.scheme.lower()
    view: View = {"scheme": scheme}
    if scheme in DEFAULT_PORTS:
        parts = url._asdict()
        view |= {"host": parts["host"], "port": parts["port"], "default_port": DEFAULT_PORTS[scheme]}
    return view | _OWN[type(url)](url)


def _octets(text: str | None) -> bytes | None:
    return None if text is None else octets(text)


def _segments(path: str | None) -> list[bytes] | None:
    return None if path is None else list(map(octets, path.split("/")))


def _login(url: FtpURL | TelnetURL) -> View:
    return {"user": _octets(url.user), "password": _octets(url.password)}


def _ftp(url: FtpURL) -> View:
    """Decode an ftp URL (section 3.2.2): the last segment is the name, the others are for CWD (R-1738-22)."""
    cwd = _segments(url.fpath) or []
    name = cwd.pop() if cwd else None
    typecode = None if url.ftptype is None else url.ftptype.lower()
    return _login(url) | {"cwd": cwd, "name": name, "typecode": typecode}


def _gopher(url: GopherURL) -> View:
    """Decode a gopher URL (section 3.4): the fields, and the request without its final line break."""
    selector = octets(url.selector or "")
    search, string = _octets(url.search), _octets(url.gopher_plus_string)
    request: bytes | None = b"\t".join(part for part in (selector, search, string) if part is not None)
    also: list[bytes] = []
    if {*b"\r\n"} & {*selector, *(search or b"")}:
        # section 3.4.1 forbids CR and LF, which would end the request (section 6)
        request = None
    elif search == b"" and string is not None and string.startswith(b"+\t1\r\n"):
        # for electronic forms section 3.4.9 leaves out the tab that section 3.4.3 puts before an empty search
        also.append(b"\t".join((selector, string)))
    return {
        "gtype": octets(url.gtype or "1"),  # section 3.4.1, paragraph 2
        "selector": selector,
        "search": search,
        "gopher+_string": string,
        "request": request,
        "also": also,
    }


def _file(url: FileURL) -> View:
    """Decode a file URL (section 3.10); `local` is true if the host is empty or localhost (R-1738-23)."""
    *directories, name = map(octets, (url.fpath or "").split("/"))
    local = (url.host or "").lower() in ("", "localhost")
    return {"host": url.host, "local": local, "directories": directories, "name": name}


def _prospero(url: ProsperoURL) -> View:
    fields = [(octets(name), octets(value)) for name, value in url.fieldspecs or ()]
    return {"hsoname": _octets(url.ppath), "fields": fields or None}


_OWN: Mapping[type[SchemeURL], Callable[[Any], View]] = {
    FtpURL: _ftp,
    HttpURL: lambda url: {"segments": _segments(url.hpath), "search": _octets(url.search)},
    GopherURL: _gopher,
    MailtoURL: lambda url: {"address": _octets(url.encoded822addr)},
    NewsURL: lambda url: {"group": url.group, "article": _octets(url.article), "grouppart": url.grouppart},
    NntpURL: lambda url: {"group": url.group, "digits": url.digits},
    TelnetURL: _login,
    WaisURL: lambda url: {name: _octets(part) for name, part in zip(url._fields[3:], url[3:], strict=True)},
    FileURL: _file,
    ProsperoURL: _prospero,
}
