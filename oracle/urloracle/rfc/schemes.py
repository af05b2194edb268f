"""Components of RFC 1738: a type for each of the ten schemes, and a generic type for all other schemes.

Delimiters are not part of a component, and neither is the slash before a path (section 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from urloracle.language import Languages
from urloracle.rfc.captures import RARE, split_pattern


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
    """`news:` and exactly one of: a group, an article, or `*` as grouppart (section 3.6)."""

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
    """`prospero://host:port/ppath;name=value…` (section 3.11); without fields, fieldspecs is None."""

    scheme: str
    host: str | None
    port: str | None
    ppath: str | None
    fieldspecs: tuple[tuple[str, str], ...] | None


class GenericURL(NamedTuple):
    """`scheme:schemepart`, for every scheme that RFC 1738 does not define.

    The other fields are the parts of the schemepart if ip-schemepart derives it (R-1738-02), otherwise None.
    """

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

#: The rules whose split tables give all fields.  Prospero is left out: its field specifiers are pairs.
SPLIT_KINDS = {rule: kind for rule, kind in _KINDS.items() if kind is not ProsperoURL}


def component_names(rule: str) -> frozenset[str]:
    """Return the component names of a scheme's rule, or the names of `GenericURL` for any other rule.

    The scheme itself is left out.
    """
    _scheme, *names = _KINDS.get(rule.lower(), GenericURL)._fields
    return frozenset("gopher+_string" if name == "gopher_plus_string" else name for name in names)


def split_scheme_url(text: str, rule: str, languages: Languages) -> SchemeURL | None:
    """Return the components of a valid text, or None if the rule has no components.

    The scheme keeps its case (G-11).
    """
    folded = rule.lower()
    whole = folded
    if folded == "otherurl":
        whole = "genericurl"
    elif _KINDS.get(folded) is WaisURL:  # one of its three forms
        whole = "waisurl"
    if whole not in _KINDS:
        return None
    _, split, _, kind = _way(whole, languages)
    parts = split(text)
    return None if parts is None else tuple.__new__(kind, parts)


def reader_rfc1738(languages: Languages, schemes: Mapping[str, str]) -> Callable[[str], SchemeURL | None]:
    """Return a function that splits a URL by the rule of its scheme, or returns None if it is invalid."""
    generic = _way("genericurl", languages)
    by_scheme: dict[str, _Way] = {}  # by the scheme as it is written
    by_beginning: dict[str, _Way] = {}  # by the first characters of a text, if a colon is among them

    def choose(scheme: str) -> _Way:
        """Return how the URLs of a scheme are split, and remember it while there are few unknown schemes."""
        rule = schemes.get(scheme.lower())
        way = generic if rule is None else _way(rule, languages)
        if rule is not None or (len(by_scheme) < _CACHE_SIZE and len(scheme) < _LONG_SCHEME):
            by_scheme[scheme] = way
        return way

    new = tuple.__new__

    def read(text: str) -> Any:
        # what `Pattern.splitter` does, without a second call for each text
        way = by_beginning.get(text[:_BEGINNING])
        if way is None:
            scheme, colon, _ = str.partition(text, ":")
            way = by_scheme.get(scheme)
            if way is None:
                if not colon:  # every URL has a colon after its scheme
                    return None
                way = choose(scheme)
            if len(scheme) < _BEGINNING and len(by_beginning) < _CACHE_SIZE:
                by_beginning[text[:_BEGINNING]] = way
        match_first, every, others, kind = way
        if match := match_first(text):
            return new(kind, match.groups())
        parts = every(text) if RARE in text else others(text)
        return None if parts is None else new(kind, parts)

    return read


# the maximum number of unknown schemes in a cache
_CACHE_SIZE = 500
# the length from which a scheme is not cached
_LONG_SCHEME = 40
# the number of first characters by which a scheme is found quickly ("https:" has 6)
_BEGINNING = 6

_Splitter = Callable[[str], tuple[Any, ...] | None]

#: How the URLs of a scheme are split, as a plain tuple, which is unpacked four times as fast as a named one:
#: `match_first`, `every`, `others` and `kind`.  `every` splits all URLs.  For a URL without the character
#: `RARE` it is faster to try `match_first`, whose groups are the components, and then `others`.  `kind` is
#: the class of the resulting tuple.
_Way = tuple[Callable[[str], re.Match[str] | None], _Splitter, _Splitter, type[SchemeURL]]


def _way(rule: str, languages: Languages) -> _Way:
    """Return how the URLs of a rule are split.  The first branch of its pattern is compiled at once."""
    kind = _KINDS[rule]
    pattern = split_pattern("rfc1738", rule, languages)
    every, usual = pattern.trials
    if kind is ProsperoURL:
        split = _dividing_fields(pattern.split, languages)
        return _NO_MATCH, split, split, kind
    assert usual.first.absent == ()  # the groups of a match are the components
    return usual.first.compile(), every.split, usual.split_by_others, kind


_NO_MATCH = re.compile("(?!)").match


def _dividing_fields(split: _Splitter, languages: Languages) -> _Splitter:
    """Return a function like `split` that also divides the field specifiers into (name, value) pairs."""
    occurrences = languages.pattern("fieldspec", ("fieldname", "fieldvalue")).occurrences

    def split_with_fields(text: str) -> tuple[Any, ...] | None:
        parts = split(text)
        if parts is None:
            return None
        *others, fields = parts
        pairs = tuple((name or "", content or "") for name, content in occurrences(fields or ""))
        return (*others, pairs or None)

    return split_with_fields


def asdict(url: SchemeURL) -> dict[str, str | list[list[str]] | None]:
    """Return the components by the names of RFC 1738; fieldspecs is a list of name and value pairs."""
    parts: dict[str, Any] = url._asdict()
    if isinstance(url, GopherURL):
        parts["gopher+_string"] = parts.pop("gopher_plus_string")
    if isinstance(url, ProsperoURL) and url.fieldspecs is not None:
        parts["fieldspecs"] = [list(pair) for pair in url.fieldspecs]
    return parts
