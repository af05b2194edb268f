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


def split_scheme_url(text: str, rule: str, languages: Languages) -> SchemeURL | None:
    """The components of a URL that the rule derives, None for other texts; the scheme keeps its case (G-11).

    What a lesser rule derives, such as a host, is no URL.
    """
    kind = _KINDS.get(rule.lower(), GenericURL)
    columns = _COLUMNS.get(kind, kind._fields[1:])
    found = languages.pattern(rule, columns).split(text)
    if found is None:
        return None
    scheme = text.partition(":")[0]
    finish = _FINISH.get(kind)
    if finish is not None:
        return finish(scheme, found, text, languages)
    made: SchemeURL = tuple.__new__(kind, (scheme, *found))
    return made


def reader_rfc1738(languages: Languages, schemes: Mapping[str, str]) -> Callable[[str], SchemeURL | None]:
    """A function that gives the components of a URL by the rule of its scheme, None for any other text."""

    def read(text: str) -> SchemeURL | None:
        rule = schemes.get(text.partition(":")[0].lower(), "genericurl")
        return split_scheme_url(text, rule, languages)

    return read


def asdict(url: SchemeURL) -> dict[str, str | list[list[str]] | None]:
    """The components by the names of RFC 1738; fieldspecs as a list of name and value pairs."""
    parts: _Parts = url._asdict()
    if isinstance(url, GopherURL):
        parts["gopher+_string"] = parts.pop("gopher_plus_string")
    if isinstance(url, ProsperoURL) and url.fieldspecs is not None:
        parts["fieldspecs"] = [list(pair) for pair in url.fieldspecs]
    return parts


_Found = tuple[str | None, ...]


def _file(scheme: str, found: _Found, _text: str, _languages: Languages) -> SchemeURL:
    host, fpath = found
    # section 3.10, paragraph 5: the host may be the empty string, and then it is not absent
    return FileURL(scheme, host or "", fpath)


def _gopher(scheme: str, found: _Found, _text: str, _languages: Languages) -> SchemeURL:
    host, port, gtype, rest = found
    # the grammar has several derivations; the prose of section 3.4 cuts at the encoded tabs (R-1738-19)
    fields = [] if gtype is None else (rest or "").split("%09", 2)
    selector, search, string = (*fields, None, None, None)[:3]
    return GopherURL(scheme, host, port, gtype, selector, search, string)


def _news(scheme: str, found: _Found, text: str, _languages: Languages) -> SchemeURL:
    group, article = found
    every = group is None and article is None
    return NewsURL(scheme, group, article, text.partition(":")[2] if every else None)


def _prospero(scheme: str, found: _Found, text: str, languages: Languages) -> SchemeURL:
    host, port, ppath = found
    fields = languages.pattern("fieldspec", ("fieldname", "fieldvalue")).occurrences(text)
    pairs = tuple((name or "", value or "") for name, value in fields)
    return ProsperoURL(scheme, host, port, ppath, pairs or None)


def _generic(scheme: str, found: _Found, _text: str, languages: Languages) -> SchemeURL | None:
    before, schemepart = found
    if before is None or schemepart is None:
        return None
    login = languages.pattern("ip-schemepart", _LOGIN).split(schemepart)
    return GenericURL(scheme, schemepart, *(login or (None,) * len(_LOGIN)))


_LOGIN = ("user", "password", "host", "port", "urlpath")

#: What the pattern captures, where it is not the fields themselves.
_COLUMNS: Mapping[type[SchemeURL], tuple[str, ...]] = {
    GopherURL: ("host", "port", "gtype", "selector"),
    NewsURL: ("group", "article"),
    ProsperoURL: ("host", "port", "ppath"),
    GenericURL: ("scheme", "schemepart"),
}

#: How the captured parts become components, where they are not the components themselves.
_FINISH: Mapping[type[SchemeURL], Callable[[str, _Found, str, Languages], SchemeURL | None]] = {
    FileURL: _file,
    GopherURL: _gopher,
    NewsURL: _news,
    ProsperoURL: _prospero,
    GenericURL: _generic,
}
