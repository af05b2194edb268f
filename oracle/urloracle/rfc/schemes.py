"""Components of RFC 1738: a type for each of the ten schemes, and a generic type for all other schemes.

Delimiters are not part of a component, and neither is the slash before a path (section 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

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
    """`file://host/fpath` (section 3.10); the host can be the empty string."""

    scheme: str
    host: str | None
    fpath: str | None


class GopherURL(NamedTuple):
    """`gopher://host:port/`, then type, selector, `%09`, search, `%09`, Gopher+ string (section 3.4)."""

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
    """`prospero://host:port/ppath;name=value…` (section 3.11); fieldspecs is None without fields."""

    scheme: str
    host: str | None
    port: str | None
    ppath: str | None
    fieldspecs: tuple[tuple[str, str], ...] | None


class GenericURL(NamedTuple):
    """`scheme:schemepart`, and its login parts if ip-schemepart derives the schemepart (R-1738-02)."""

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
    **{kind.__name__.lower(): kind for kind in get_args(SchemeURL)},
    **dict.fromkeys(("waisdatabase", "waisindex", "waisdoc"), WaisURL),
}


def component_names(rule: str) -> frozenset[str]:
    """Return the component names of a scheme's rule, or the generic names for any other rule."""
    names = _KINDS.get(rule.lower(), GenericURL)._fields[1:]
    return frozenset("gopher+_string" if name == "gopher_plus_string" else name for name in names)


def split_scheme_url(text: str, rule: str, languages: Languages) -> SchemeURL | None:
    """Return the components, or None if the text is invalid; the scheme keeps its case (G-11)."""
    return _splitter(rule, languages)(text, text.partition(":")[0])


def reader_rfc1738(languages: Languages, schemes: Mapping[str, str]) -> Callable[[str], SchemeURL | None]:
    """Return a function that splits a URL by the rule of its scheme and returns None for an invalid text."""
    own: dict[str, _Splitter] = {}
    generic = _splitter("genericurl", languages)

    def read(text: str) -> SchemeURL | None:
        scheme = text[: text.find(":")]
        split = own.get(scheme)
        if split is None:
            rule = schemes.get(scheme.lower())
            if rule is None:
                return generic(text, scheme)
            split = own[scheme] = _splitter(rule, languages)
        return split(text, scheme)

    return read


_Splitter = Callable[[str, str], SchemeURL | None]


def _splitter(rule: str, languages: Languages) -> _Splitter:
    """Return a function that splits a text with a given scheme and returns None for an invalid text."""
    kind = _KINDS.get(rule.lower(), GenericURL)
    columns, prepare = _SPECIAL.get(kind, (kind._fields[1:], None))
    split, new = languages.pattern(rule, columns).split, tuple.__new__

    def split_in_order(text: str, scheme: str) -> SchemeURL | None:
        found = split(text)
        return None if found is None else new(kind, (scheme, *found))

    if prepare is None:
        return split_in_order
    finish = prepare(languages)

    def split_and_finish(text: str, scheme: str) -> SchemeURL | None:
        found = split(text)
        return None if found is None else finish(scheme, found, text)

    return split_and_finish


def asdict(url: SchemeURL) -> dict[str, str | list[list[str]] | None]:
    """Return the components by the names of RFC 1738; fieldspecs is a list of name and value pairs."""
    parts: dict[str, Any] = url._asdict()
    if isinstance(url, GopherURL):
        parts["gopher+_string"] = parts.pop("gopher_plus_string")
    if isinstance(url, ProsperoURL) and url.fieldspecs is not None:
        parts["fieldspecs"] = [list(pair) for pair in url.fieldspecs]
    return parts


_Found = tuple[str | None, ...]
_Finish = Callable[[str, _Found, str], SchemeURL | None]


def _file(scheme: str, found: _Found, _text: str) -> SchemeURL:
    # section 3.10, paragraph 5: the host can be the empty string, which is not absent
    return FileURL(scheme, found[0] or "", found[1])


def _gopher(scheme: str, found: _Found, _text: str) -> SchemeURL:
    host, port, gtype, rest = found
    # the grammar is ambiguous; the prose of section 3.4 splits at the encoded tabs (R-1738-19)
    fields = [] if gtype is None else (rest or "").split("%09", 2)
    selector, search, string = (*fields, None, None, None)[:3]
    return GopherURL(scheme, host, port, gtype, selector, search, string)


def _news(scheme: str, found: _Found, text: str) -> SchemeURL:
    group, article = found
    every = group is None and article is None
    return NewsURL(scheme, group, article, text.partition(":")[2] if every else None)


def _prospero(languages: Languages) -> _Finish:
    occurrences = languages.pattern("fieldspec", ("fieldname", "fieldvalue")).occurrences

    def finish(scheme: str, found: _Found, text: str) -> SchemeURL:
        host, port, ppath = found
        pairs = tuple((name or "", value or "") for name, value in occurrences(text))
        return ProsperoURL(scheme, host, port, ppath, pairs or None)

    return finish


def _generic(languages: Languages) -> _Finish:
    split, no_login = languages.pattern("ip-schemepart", _LOGIN).split, (None,) * len(_LOGIN)

    def finish(scheme: str, found: _Found, _text: str) -> SchemeURL | None:
        before, schemepart = found
        if before is None or schemepart is None:
            return None
        return tuple.__new__(GenericURL, (scheme, schemepart, *(split(schemepart) or no_login)))

    return finish


_LOGIN = ("user", "password", "host", "port", "urlpath")

#: The components that the pattern captures, and the function that makes the fields from them.
_SPECIAL: Mapping[type[SchemeURL], tuple[tuple[str, ...], Callable[[Languages], _Finish]]] = {
    FileURL: (("host", "fpath"), lambda _: _file),
    GopherURL: (("host", "port", "gtype", "selector"), lambda _: _gopher),
    NewsURL: (("group", "article"), lambda _: _news),
    ProsperoURL: (("host", "port", "ppath"), _prospero),
    GenericURL: (("scheme", "schemepart"), _generic),
}
