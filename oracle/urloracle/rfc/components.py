"""Components of RFC 1808, 2396, 2732 and 3986, and the other readings that rulings admit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from urloracle.automata.dfa import ASCII
from urloracle.language import Languages
from urloracle.regex.pattern import character_set
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
    """The components of RFC 2396, section 3, and RFC 3986, section 3, with the parts of the authority."""

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
T = TypeVar("T", bound=tuple[Any, ...])
_AUTHORITY = ("authority", "authority/userinfo", "authority/host", "authority/port")
_PATH_2396 = "path=abs_path|rel_path|opaque_part"
_PATH_3986 = "path=path-abempty|path-absolute|path-noscheme|path-rootless|path-empty"


def _of_ascii(source: str) -> re.Pattern[str]:
    """Compile a pattern with each set `[^…]` replaced by the remaining ASCII characters (faster in `re`)."""

    def rest(negated: re.Match[str]) -> str:
        return character_set(frozenset(ASCII) - set(negated[1].replace("\\", "")))

    return re.compile(re.sub(r"\[\^([^\]]*)\]", rest, source), re.VERBOSE | re.DOTALL)


# the result of the steps of RFC 1808, section 2.4; each part has the number of its step; net_loc ends at the
# next slash and can contain question marks (R-1808-02, -05, -08)
_SECTION_2_4 = _of_ascii(
    r"""(?:([A-Za-z0-9+.\-]++):)?  # 2.4.2
        (?://([^/\#]*+))?          # 2.4.3
        ([^?;\#]*+)                # 2.4.6
        (?:;([^?\#]*+))?           # 2.4.5
        (?:\?([^\#]*+))?           # 2.4.4
        (?:\#(.*+))?               # 2.4.1
    """
)

# makes a named tuple three times as fast as the class itself
_new = tuple.__new__


def reader_rfc1808(languages: Languages) -> Callable[[str], RelativeURL | None]:
    """Return a function that splits a URL by the steps of section 2.4, and returns None for invalid texts."""
    matches, steps = languages["URL"].pattern.regex.fullmatch, _SECTION_2_4.fullmatch

    def read(text: str) -> RelativeURL | None:
        if matches(text) is None or (match := steps(text)) is None:
            return None
        return _new(RelativeURL, match.groups())

    return read


def reader_rfc2396(languages: Languages) -> Callable[[str], URI | None]:
    """Return a function like that of `reader_rfc3986`; a `reg_name` is not divided (R-2396-11)."""
    columns = ("scheme", *_AUTHORITY, _PATH_2396, "query", "fragment")
    return _with_path(_splitter(languages, columns, URI), URI, columns.index(_PATH_2396))


def parts_rfc2396(languages: Languages) -> Callable[[str], Parts | None]:
    """Return a function that splits a reference into five parts and returns None for an invalid text."""
    columns = ("scheme", "authority", _PATH_2396, "query", "fragment")
    return _with_path(_splitter(languages, columns, tuple), tuple, columns.index(_PATH_2396))


def _with_path(split: Callable[[str], T | None], kind: type[T], index: int) -> Callable[[str], T | None]:
    """Return a function like `split` that divides an opaque part at its question mark into path and query.

    `index` is the position of the path among the parts.
    """

    def read(text: str) -> T | None:
        parts = split(text)
        if parts is None:
            return None
        whole: str | None = parts[index]
        if whole is not None and "?" not in whole:
            return parts
        path, query = _path_and_query(whole, parts[index + 1])
        return _new(kind, (*parts[:index], path, query, parts[index + 2]))

    return read


def _path_and_query(path: str | None, query: str | None) -> tuple[str, str | None]:
    """Divide an opaque part at its question mark (R-2396-04); the path is never absent (section 5.2)."""
    before, mark, after = (path or "").partition("?")
    return before, after if mark else query


def reader_rfc3986(languages: Languages) -> Callable[[str], URI | None]:
    """Return a function that splits a reference and returns None for an invalid text."""
    return _splitter(languages, ("scheme", *_AUTHORITY, _PATH_3986, "query", "fragment"), URI)


def parts_rfc3986(languages: Languages) -> Callable[[str], Parts | None]:
    """Return a function that splits a reference into five parts and returns None for an invalid text."""
    return _splitter(languages, ("scheme", "authority", _PATH_3986, "query", "fragment"), tuple)


def _splitter(languages: Languages, columns: tuple[str, ...], kind: type[T]) -> Callable[[str], T | None]:
    return languages.pattern("URI-reference", columns).splitter(kind)


class Reading(NamedTuple):
    """Another admissible split of a text, and the ruling that admits it."""

    components: dict[str, Any]
    ruling: str


def readings_rfc1738(url: SchemeURL) -> tuple[Reading, ...]:
    """Return the other readings: an ftp or file path has a query (R-1738-12), or no part (R-1738-02)."""
    match url:
        case FtpURL(fpath=str(path)) | FileURL(fpath=str(path)) if "?" in path:
            before, _, query = path.partition("?")
            return (Reading({**asdict(url), "fpath": before, "query": query}, "R-1738-12"),)
        case GenericURL(host=str()):
            opaque = dict.fromkeys(("user", "password", "host", "port", "urlpath"))
            return (Reading({**asdict(url), **opaque}, "R-1738-02"),)
        case _:
            return ()


def readings_rfc2396(uri: URI) -> tuple[Reading, ...]:
    """Return the other readings: if appendix B finds a query in an opaque part, that of the grammar.

    In the grammar, the question mark and what follows it belong to the opaque part (R-2396-04).
    """
    opaque = uri.scheme is not None and uri.authority is None and not uri.path.startswith("/")
    if not opaque or uri.query is None:
        return ()
    whole = uri._replace(path=f"{uri.path}?{uri.query}", query=None)
    return (Reading(whole.asdict(), "R-2396-04"),)
