"""Components of RFC 1738: each of the ten schemes has its own, an unknown scheme the generic ones.

Scheme and delimiters are never part of a component; the slash before a path is none either (section 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from urloracle.language import Languages


class HttpURL(NamedTuple):
    """`http://host:port/hpath?search` (section 3.3)."""

    scheme: str
    host: str | None
    port: str | None
    hpath: str | None
    search: str | None


class FtpURL(NamedTuple):
    """`ftp://user:password@host:port/fpath;type=ftptype` (section 3.2)."""

    scheme: str
    user: str | None
    password: str | None
    host: str | None
    port: str | None
    fpath: str | None
    ftptype: str | None


class FileURL(NamedTuple):
    """`file://host/fpath` (section 3.10); the host may be the empty string."""

    scheme: str
    host: str | None
    fpath: str | None


class GopherURL(NamedTuple):
    """`gopher://host:port/` type, selector, `%09` search, `%09` Gopher+ string (section 3.4)."""

    scheme: str
    host: str | None
    port: str | None
    gtype: str | None
    selector: str | None
    search: str | None
    gopher_plus_string: str | None


class MailtoURL(NamedTuple):
    """`mailto:encoded822addr` (section 3.5)."""

    scheme: str
    encoded822addr: str | None


class NewsURL(NamedTuple):
    """`news:` a group, an article, or `*` as grouppart (section 3.6): exactly one of them."""

    scheme: str
    group: str | None
    article: str | None
    grouppart: str | None


class NntpURL(NamedTuple):
    """`nntp://host:port/group/digits` (section 3.7)."""

    scheme: str
    host: str | None
    port: str | None
    group: str | None
    digits: str | None


class TelnetURL(NamedTuple):
    """`telnet://user:password@host:port/` (section 3.8)."""

    scheme: str
    user: str | None
    password: str | None
    host: str | None
    port: str | None


class WaisURL(NamedTuple):
    """`wais://host:port/database`, with `?search` or with `/wtype/wpath` (section 3.9)."""

    scheme: str
    host: str | None
    port: str | None
    database: str | None
    search: str | None
    wtype: str | None
    wpath: str | None


class ProsperoURL(NamedTuple):
    """`prospero://host:port/ppath;name=value…` (section 3.11); fieldspecs None where there are none."""

    scheme: str
    host: str | None
    port: str | None
    ppath: str | None
    fieldspecs: tuple[tuple[str, str], ...] | None


class GenericURL(NamedTuple):
    """`scheme:schemepart`, and the login parts where it derives from ip-schemepart (R-1738-02)."""

    scheme: str
    schemepart: str
    user: str | None
    password: str | None
    host: str | None
    port: str | None
    urlpath: str | None


SchemeURL = (
    HttpURL
    | FtpURL
    | FileURL
    | GopherURL
    | MailtoURL
    | NewsURL
    | NntpURL
    | TelnetURL
    | WaisURL
    | ProsperoURL
    | GenericURL
)

_KINDS: Mapping[str, type[SchemeURL]] = {
    "httpurl": HttpURL,
    "ftpurl": FtpURL,
    "fileurl": FileURL,
    "gopherurl": GopherURL,
    "mailtourl": MailtoURL,
    "newsurl": NewsURL,
    "nntpurl": NntpURL,
    "telneturl": TelnetURL,
    "waisurl": WaisURL,
    "waisdatabase": WaisURL,
    "waisindex": WaisURL,
    "waisdoc": WaisURL,
    "prosperourl": ProsperoURL,
}


def component_names(rule: str) -> frozenset[str]:
    """The rules that are components of a scheme's rule (of the generic one for any other name)."""
    names = _KINDS.get(rule.lower(), GenericURL)._fields[1:]
    return frozenset("gopher+_string" if name == "gopher_plus_string" else name for name in names)


_Parts = dict[str, Any]


def split_scheme_url(text: str, rule: str, languages: Languages) -> SchemeURL:
    """The components of a text that the rule derives; the scheme keeps its case (G-11)."""
    scheme, _, rest = text.partition(":")
    kind = _KINDS.get(rule.lower(), GenericURL)
    splitter = _SPLITTERS.get(kind, _by_pattern)
    return kind(scheme, **splitter(f"{scheme.lower()}:{rest}", rule, kind._fields[1:], languages))


def asdict(url: SchemeURL) -> dict[str, str | list[list[str]] | None]:
    """The components by the names of RFC 1738; fieldspecs as a list of name and value pairs."""
    parts: _Parts = url._asdict()
    if isinstance(url, GopherURL):
        parts["gopher+_string"] = parts.pop("gopher_plus_string")
    if isinstance(url, ProsperoURL) and url.fieldspecs is not None:
        parts["fieldspecs"] = [list(pair) for pair in url.fieldspecs]
    return parts


def _by_pattern(text: str, rule: str, names: tuple[str, ...], languages: Languages) -> _Parts:
    parts = languages.pattern(rule, names).split(text)
    assert parts is not None  # the rule derives the text
    return parts


def _file(text: str, rule: str, names: tuple[str, ...], languages: Languages) -> _Parts:
    parts = _by_pattern(text, rule, names, languages)
    # section 3.10, paragraph 5: the host may be the empty string, and then it is not absent
    return {**parts, "host": parts["host"] or ""}


def _gopher(text: str, rule: str, _: tuple[str, ...], languages: Languages) -> _Parts:
    parts = _by_pattern(text, rule, ("host", "port", "gtype", "selector"), languages)
    # the grammar has several derivations; the prose of section 3.4 cuts at the encoded tabs (R-1738-19)
    fields: list[str | None] = [None, None, None]
    if parts["gtype"] is not None:
        found = (parts["selector"] or "").split("%09", 2)
        fields[: len(found)] = found
    return {**parts, **dict(zip(("selector", "search", "gopher_plus_string"), fields, strict=True))}


def _news(text: str, rule: str, _: tuple[str, ...], languages: Languages) -> _Parts:
    parts = _by_pattern(text, rule, ("group", "article"), languages)
    return {**parts, "grouppart": None if any(parts.values()) else text.partition(":")[2]}


def _prospero(text: str, rule: str, _: tuple[str, ...], languages: Languages) -> _Parts:
    parts = _by_pattern(text, rule, ("host", "port", "ppath"), languages)
    fields = languages.pattern("fieldspec", ("fieldname", "fieldvalue")).finditer(text)
    pairs = tuple((field["fieldname"], field["fieldvalue"]) for field in fields)
    return {**parts, "fieldspecs": pairs or None}


def _generic(text: str, _: str, names: tuple[str, ...], languages: Languages) -> _Parts:
    schemepart = text.partition(":")[2]
    login = languages.pattern("ip-schemepart", names[1:]).split(schemepart)
    return {"schemepart": schemepart, **(login or dict.fromkeys(names[1:]))}


_SPLITTERS: Mapping[type[SchemeURL], Callable[..., _Parts]] = {
    FileURL: _file,
    GopherURL: _gopher,
    NewsURL: _news,
    ProsperoURL: _prospero,
    GenericURL: _generic,
}
