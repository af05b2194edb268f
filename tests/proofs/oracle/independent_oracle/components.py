"""Components cut out of valid texts at their delimiters, in the order in which the RFCs read them.

Each function gives the components as a dictionary with the names of the RFC, or None for a rule without
components; what is absent is None.  The grammar decides only where a ruling says that it does.
"""

from __future__ import annotations

from ...generate.independent_resolution import cut, split  # noqa: TID252 - tests are not an installed package
from .recogniser import SCHEMES, grammar

Components = dict[str, object]

#: The rules whose texts are a whole URL or reference, by RFC.
WHOLE = {
    "rfc1738": {"url", "otherurl", "genericurl", *SCHEMES.values(), "waisdatabase", "waisindex", "waisdoc"},
    "rfc1808": {"url", "absoluteurl", "generic-rl", "relativeurl", "net_path", "abs_path", "rel_path"},
    "rfc2396": {"uri-reference", "absoluteuri", "relativeuri", "net_path", "abs_path", "rel_path"},
    "rfc2732": {"uri-reference", "absoluteuri", "relativeuri", "net_path", "abs_path", "rel_path"},
    "rfc3986": {"uri-reference", "uri", "absolute-uri", "relative-ref"},
}


def components(text: str, spec: str, rule: str) -> Components | None:
    """Return the components of a text that the rule derives."""
    if rule.lower() not in WHOLE[spec]:
        return None
    if spec == "rfc1738":
        return _scheme_url(text, rule.lower())
    parts = split(text, net_loc=spec == "rfc1808")._asdict()
    if spec == "rfc1808":
        return {"net_loc" if name == "authority" else name: part for name, part in parts.items()}
    del parts["params"]
    return parts | _authority(parts["authority"], spec)


def _authority(authority: str | None, spec: str) -> Components:
    """Return user information, host and port (RFC 2396, section 3.2.2; RFC 3986, section 3.2)."""
    if authority is None or (spec != "rfc3986" and not _is_server(authority, spec)):  # R-2396-11
        return {"userinfo": None, "host": None, "port": None}
    user, host = _login(authority)
    host, port = _host(host)
    return {"userinfo": user, "host": host, "port": port}


def _is_server(authority: str, spec: str) -> bool:
    user, hostport = _login(authority)
    return grammar(spec).matches(user or "", "userinfo") and grammar(spec).matches(hostport, "hostport")


def _login(text: str) -> tuple[str | None, str]:
    user, at, rest = text.partition("@")
    return (user, rest) if at else (None, text)


def _host(text: str) -> tuple[str, str | None]:
    """Return host and port; colons within brackets belong to the host."""
    inside, bracket, after = text.rpartition("]")
    host, port = cut(after, ":")
    return inside + bracket + host, port


# ---- RFC 1738, sections 3 and 5


def _scheme_url(text: str, rule: str) -> Components | None:
    scheme, _, rest = text.partition(":")
    form = SCHEMES.get(scheme.lower())
    if rule == "url":
        rule = form if form and grammar("rfc1738").matches(text, form) else "genericurl"  # R-1738-01
    rule = {"otherurl": "genericurl"}.get(rule, "waisurl" if rule.startswith("wais") else rule)
    if rule in ("mailtourl", "newsurl", "genericurl"):
        return {"scheme": scheme} | _OPAQUE[rule](rest)
    server, path = cut(rest.removeprefix("//"), "/")
    return {"scheme": scheme} | _BY_SCHEME[rule](server, path)


def _common(server: str) -> Components:
    """Return user, password, host and port of a login (section 3.1)."""
    user, hostport = _login(server)
    user, password = (None, None) if user is None else cut(user, ":")
    return {"user": user, "password": password} | _server(hostport)


def _server(server: str) -> Components:
    host, port = cut(server, ":")
    return {"host": host, "port": port}


def _generic(rest: str) -> Components:
    """Return the parts of the common syntax, if the text keeps to it (R-1738-02)."""
    if not grammar("rfc1738").matches(rest, "ip-schemepart"):
        names = ("user", "password", "host", "port", "urlpath")
        return {"schemepart": rest} | dict.fromkeys(names)
    authority, path = cut(rest.removeprefix("//"), "/")
    return {"schemepart": rest} | _common(authority) | {"urlpath": path}


def _news(rest: str) -> Components:
    kind = "article" if "@" in rest else "grouppart" if rest == "*" else "group"  # R-1738-27
    return {"group": None, "article": None, "grouppart": None, kind: rest}


def _ftp(server: str, path: str | None) -> Components:
    path, kind = cut(path, ";type=") if path is not None else (None, None)
    return _common(server) | {"fpath": path, "ftptype": kind}


def _http(server: str, path: str | None) -> Components:
    path, search = cut(path, "?") if path is not None else (None, None)
    return _server(server) | {"hpath": path, "search": search}


def _gopher(server: str, path: str | None) -> Components:
    """Return the type, and what tabs separate: selector, search, Gopher+ string (R-1738-19, R-1738-20)."""
    names = ("gtype", "selector", "search", "gopher+_string")
    if not path:
        return _server(server) | dict.fromkeys(names)
    size = 3 if path[0] == "%" else 1
    parts = [path[:size], *path[size:].split("%09", 2), None, None]
    return _server(server) | dict(zip(names, parts, strict=False))


def _nntp(server: str, path: str | None) -> Components:
    group, digits = cut(path or "", "/")
    return _server(server) | {"group": group, "digits": digits}


def _wais(server: str, path: str | None) -> Components:
    """Return one part, one with a search, or three parts (R-1738-25)."""
    database, search = cut(path or "", "?")
    parts = [*database.split("/"), None, None]
    return (
        _server(server) | dict(zip(("database", "wtype", "wpath"), parts, strict=False)) | {"search": search}
    )


def _prospero(server: str, path: str | None) -> Components:
    path, *fields = (path or "").split(";")
    return _server(server) | {"ppath": path, "fieldspecs": [field.split("=") for field in fields] or None}


_OPAQUE = {
    "mailtourl": lambda rest: {"encoded822addr": rest},
    "newsurl": _news,
    "genericurl": _generic,
}

_BY_SCHEME = {
    "ftpurl": _ftp,
    "httpurl": _http,
    "gopherurl": _gopher,
    "nntpurl": _nntp,
    "telneturl": lambda server, _: _common(server),
    "waisurl": _wais,
    "fileurl": lambda server, path: {"host": server, "fpath": path},
    "prosperourl": _prospero,
}
