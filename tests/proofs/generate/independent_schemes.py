"""RFC 1738 once more: the parts of a URL of each scheme, cut at their delimiters, and what they mean.

From the RFC's text and the rulings, not from the code.  All functions take valid URLs.
"""

from __future__ import annotations

from typing import Any

from .independent_normalization import cut

PORTS = {
    "ftp": "21", "http": "80", "gopher": "70", "nntp": "119", "telnet": "23", "wais": "210",
    "prospero": "1525",
}  # fmt: skip

#: The parts of each scheme in the order of the URL, as `recompose` and `parse` name them.
NAMES = {
    "ftp": ("user", "password", "host", "port", "fpath", "ftptype"),
    "http": ("host", "port", "hpath", "search"),
    "gopher": ("host", "port", "gtype", "selector", "search", "gopher+_string"),
    "mailto": ("encoded822addr",),
    "news": ("group", "article", "grouppart"),
    "nntp": ("host", "port", "group", "digits"),
    "telnet": ("user", "password", "host", "port"),
    "wais": ("host", "port", "database", "search", "wtype", "wpath"),
    "file": ("host", "fpath"),
    "prospero": ("host", "port", "ppath", "fieldspecs"),
}


def parts_of(url: str) -> dict[str, Any]:
    """The parts of a URL; `scheme` is in lower case, as its rule is chosen without regard to case."""
    scheme, _, rest = url.partition(":")
    scheme = scheme.lower()
    if scheme not in NAMES:
        return {"scheme": scheme, "schemepart": rest}
    parts: dict[str, Any] = {"scheme": scheme, **dict.fromkeys(NAMES[scheme])}
    path: str | None = rest
    if rest.startswith("//") and "host" in parts:
        site, path = cut(rest[2:], "/")
        login, at, site = site.rpartition("@")
        if at:
            parts["user"], parts["password"] = cut(login, ":")
        parts["host"], port = cut(site, ":")
        if "port" in parts:
            parts["port"] = port
    return parts | PATHS[scheme](path)


def _ftp(path: str | None) -> dict[str, Any]:
    """Section 3.2.2: the type code comes after the only semicolon (R-1738-21)."""
    if path is None:
        return {}
    name, code = cut(path, ";")
    return {"fpath": name, "ftptype": code and code[-1]}


def _http(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    return dict(zip(("hpath", "search"), cut(path, "?"), strict=True))


def _gopher(path: str | None) -> dict[str, Any]:
    """R-1738-19: the type, and what the first and the second encoded tab divide (R-1738-20)."""
    if not path:
        return {}
    size = 3 if path[0] == "%" else 1
    pieces = [*path[size:].split("%09", 2), None, None]
    return dict(
        zip(("gtype", "selector", "search", "gopher+_string"), (path[:size], *pieces[:3]), strict=True)
    )


def _news(rest: str | None) -> dict[str, Any]:
    """Section 3.6: all groups, a group, or an article, which has an at sign."""
    name = "grouppart" if rest == "*" else "article" if "@" in (rest or "") else "group"
    return {name: rest}


def _nntp(path: str | None) -> dict[str, Any]:
    return dict(zip(("group", "digits"), cut(path or "", "/"), strict=True))


def _wais(path: str | None) -> dict[str, Any]:
    """R-1738-25: a database, with a search or with type and path of a document."""
    first, document = cut(path or "", "/")
    database, search = cut(first, "?")
    kind, document_path = (None, None) if document is None else cut(document, "/")
    return {"database": database, "search": search, "wtype": kind, "wpath": document_path}


def _prospero(path: str | None) -> dict[str, Any]:
    """R-1738-30: fields of name and value come after semicolons."""
    name, *fields = (path or "").split(";")
    return {"ppath": name, "fieldspecs": [tuple(field.split("=")) for field in fields] or None}


PATHS = {
    "ftp": _ftp,
    "http": _http,
    "gopher": _gopher,
    "mailto": lambda rest: {"encoded822addr": rest},
    "news": _news,
    "nntp": _nntp,
    "telnet": lambda _: {},
    "wais": _wais,
    "file": lambda path: {"fpath": path},
    "prospero": _prospero,
}
