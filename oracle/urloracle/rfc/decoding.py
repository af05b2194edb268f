"""Decoded views of RFC 1738: what the parts of a URL mean to a client, by scheme.

A URL is split first, then each part is decoded exactly once (section 3.2.2, G-13).  Decoded parts are bytes;
numbers remain text because they are unbounded (R-1738-10).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

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
_ENCODED_BYTE = re.compile(b"%([0-9A-Fa-f]{2})")
_LINE_END = frozenset(b"\r\n")


def octets(text: str) -> bytes:
    """Return the bytes that a part represents (section 2.2)."""
    return _ENCODED_BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), text.encode("ascii"))


class Decoding(NamedTuple):
    """The recommended view of a URL, and what else RFC 1738 admits.

    `also` contains the other admissible views.  `may_reject` is true if a client may refuse the URL.
    `rulings` lists the rulings on both.
    """

    view: View
    also: tuple[View, ...]
    may_reject: bool
    rulings: tuple[str, ...]


def decode(url: SchemeURL) -> View | None:
    """Return the decoded view of the components, or None for a scheme that RFC 1738 does not define."""
    decoding = full_decoding(url)
    return None if decoding is None else decoding.view


def full_decoding(url: SchemeURL) -> Decoding | None:
    """Return every admissible view of the components, or None for a scheme that RFC 1738 does not define."""
    view = _view(url)
    if view is None:
        return None
    also: list[View] = []
    rulings: list[str] = []
    match url:
        case FtpURL(ftptype=str(letter)) if letter.isupper():
            also.append({**view, "typecode": letter})
            rulings.append("R-1738-21")
        case GopherURL():
            for request, ruling in _other_requests(view):
                also.append({**view, "request": request})
                rulings.append(ruling)
    if isinstance(url, FtpURL | FileURL) and "?" in (url.fpath or ""):
        path_parts = _parts_of_path_without_query(url)
        also += [{**admitted, **path_parts} for admitted in (view, *also)]
        rulings.append("R-1738-12")
    refusals = list(_refusals(url, view))
    distinct_rulings = tuple(dict.fromkeys([*rulings, *refusals]))
    return Decoding(view, tuple(also), may_reject=bool(refusals), rulings=distinct_rulings)


def _parts_of_path_without_query(url: FtpURL | FileURL) -> View:
    """Return the decoded parts of a path if a question mark in it begins a query (R-1738-12)."""
    path = (url.fpath or "").partition("?")[0]
    view = _view(url._replace(fpath=path))
    assert view is not None  # RFC 1738 defines both schemes
    names = ("cwd", "name", "directories")
    return {name: view[name] for name in names if name in view}


def _refusals(url: SchemeURL, view: View) -> Iterator[str]:
    """Yield the rulings by which a client may refuse a valid URL."""
    match url:
        case FtpURL() if any(_LINE_END & {*part} for part in _command_arguments(view)):
            yield "R-1738-43"
        case GopherURL():
            if len(view["gtype"]) != 1 or len(url.gtype or "") > 1:
                yield "R-1738-20"
            if view["request"] is None:
                yield "R-1738-19"
        case NntpURL(digits=None):
            yield "R-1738-28"


def _command_arguments(view: View) -> Iterator[bytes]:
    """Yield the parts of an ftp URL that a client sends as arguments of commands (section 3.2.2)."""
    parts = (view["user"], view["password"], *view["cwd"], view["name"])
    return (part for part in parts if part is not None)


def _other_requests(view: View) -> Iterator[tuple[bytes, str]]:
    """Yield (request without final line break, ruling) for each other admissible request of a gopher URL."""
    fields = [view[name] for name in ("selector", "search", "gopher+_string")]
    selector, search, string = fields
    if view["request"] is None:  # a client may send the fields, although CR and LF in them end the request
        yield b"\t".join(part for part in fields if part is not None), "R-1738-19"
    elif search == b"" and string is not None and string.startswith(b"+\t1\r\n"):
        # section 3.4.9 leaves out the empty search string, and the last line break ends the request
        yield b"\t".join((selector, string.removesuffix(b"\r\n"))), "R-1738-44"


def _view(url: SchemeURL) -> View | None:
    """Return the recommended view, or None for a scheme that RFC 1738 does not define."""
    if type(url) not in _DECODERS:
        return None
    scheme = url.scheme.lower()
    view: View = {"scheme": scheme}
    if scheme in DEFAULT_PORTS:
        parts = url._asdict()
        view |= {"host": parts["host"], "port": parts["port"], "default_port": DEFAULT_PORTS[scheme]}
    return view | _DECODERS[type(url)](url)


def _octets_if_present(text: str | None) -> bytes | None:
    return None if text is None else octets(text)


def _segments(path: str | None) -> list[bytes] | None:
    return None if path is None else list(map(octets, path.split("/")))


def _decode_login(url: FtpURL | TelnetURL) -> View:
    return {"user": _octets_if_present(url.user), "password": _octets_if_present(url.password)}


def _decode_ftp(url: FtpURL) -> View:
    """Decode an ftp URL (section 3.2.2): the last segment is the name, the others are for CWD (R-1738-22).

    The name is None without a path, and the typecode is in lower case.
    """
    cwd = _segments(url.fpath) or []
    name = cwd.pop() if cwd else None
    typecode = None if url.ftptype is None else url.ftptype.lower()
    return _decode_login(url) | {"cwd": cwd, "name": name, "typecode": typecode}


def _decode_gopher(url: GopherURL) -> View:
    """Decode a gopher URL (section 3.4): the fields, and the request without its final line break.

    The request is None if none can be sent, because selector or search contain CR or LF.
    """
    selector = octets(url.selector or "")
    search = _octets_if_present(url.search)
    string = _octets_if_present(url.gopher_plus_string)
    request: bytes | None = b"\t".join(part for part in (selector, search, string) if part is not None)
    if _LINE_END & {*selector, *(search or b"")}:
        # section 3.4.1 forbids CR and LF, which would end the request (section 6)
        request = None
    return {
        "gtype": octets(url.gtype or "1"),  # section 3.4.1, paragraph 2
        "selector": selector,
        "search": search,
        "gopher+_string": string,
        "request": request,
    }


def _decode_wais(url: WaisURL) -> View:
    names = ("database", "search", "wtype", "wpath")
    return {name: _octets_if_present(getattr(url, name)) for name in names}


def _decode_file(url: FileURL) -> View:
    """Decode a file URL (section 3.10); `local` is true if the host is empty or localhost (R-1738-23)."""
    path = url.fpath or ""
    *directories, name = map(octets, path.split("/"))
    host = url.host or ""
    is_local = host.lower() in ("", "localhost")
    return {"host": url.host, "local": is_local, "directories": directories, "name": name}


def _decode_prospero(url: ProsperoURL) -> View:
    fields = [(octets(name), octets(text)) for name, text in url.fieldspecs or ()]
    return {"hsoname": _octets_if_present(url.ppath), "fields": fields or None}


#: For each scheme, a function that returns the parts that only this scheme has.
_DECODERS: Mapping[type[SchemeURL], Callable[[Any], View]] = {
    FtpURL: _decode_ftp,
    HttpURL: lambda url: {"segments": _segments(url.hpath), "search": _octets_if_present(url.search)},
    GopherURL: _decode_gopher,
    MailtoURL: lambda url: {"address": _octets_if_present(url.encoded822addr)},
    NewsURL: lambda url: {
        "group": url.group,
        "article": _octets_if_present(url.article),
        "grouppart": url.grouppart,
    },
    NntpURL: lambda url: {"group": url.group, "digits": url.digits},
    TelnetURL: _decode_login,
    WaisURL: _decode_wais,
    FileURL: _decode_file,
    ProsperoURL: _decode_prospero,
}
