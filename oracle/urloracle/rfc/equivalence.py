"""Equivalence as ladders of steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from urloracle.rfc.components import URI
from urloracle.rfc.normalization import DEFAULT_PORTS, Mode, decode_triplets, normalize_triplets
from urloracle.rfc.resolution import remove_dot_segments
from urloracle.rfc.schemes import GenericURL, GopherURL, SchemeURL, TelnetURL, asdict

# -------------------- equivalence: Equivalence: two URLs are compared by their components, in steps that make alike what may differ.


Force = Literal["must", "should", "may"]


Components = dict[str, Any]


class OtherVerdict(NamedTuple):
    """Another admissible verdict, and the ruling or section that leaves it open."""

    equal: bool
    ruling: str


class Equivalence(NamedTuple):
    """The recommended verdict, the other admissible ones, and the components that differ.

    `differs` names the components that are not alike after the steps that must be taken: of texts that are
    equal beyond doubt there are none.
    """

    equal: bool
    also: tuple[OtherVerdict, ...]
    differs: tuple[str, ...]


class Characters(NamedTuple):
    """The character classes of the grammar on which escapes depend."""

    unreserved: frozenset[str]
    reserved: frozenset[str]


class Step(NamedTuple):
    """One way to differ and yet be equivalent: what removes it, who says so, and its force in each mode."""

    apply: Callable[[Components, Characters], Components]
    ruling: str
    syntax: Force
    scheme: Force


def compare(
    one: Components, other: Components, steps: Sequence[Step], mode: Mode, characters: Characters
) -> Equivalence:
    """The verdict after the steps that must be taken, then after those that should, then those that may."""
    ranked: dict[Force, list[Step]] = {"must": [], "should": [], "may": []}
    for step in steps:
        ranked[step.syntax if mode == "syntax" else step.scheme].append(step)
    one, other, _ = _take(one, other, ranked["must"], characters)
    if same(one, other):
        return Equivalence(True, (), ())
    differs = tuple(_difference(one, other))
    one, other, left_open = _take(one, other, ranked["should"], characters)
    if same(one, other):
        return Equivalence(True, _verdicts(False, left_open), differs)
    one, other, more = _take(one, other, ranked["may"], characters)
    also = _verdicts(True, left_open + more) if same(one, other) else ()
    return Equivalence(False, also, differs)


def same(one: Components, other: Components) -> bool:
    """True where nothing is left that differs."""
    return one == other


def _take(
    one: Components, other: Components, steps: Sequence[Step], characters: Characters
) -> tuple[Components, Components, list[str]]:
    """Both texts after the steps, and the rulings of those that changed what differs."""
    rulings = []
    for step in steps:
        before = _difference(one, other)
        one, other = step.apply(one, characters), step.apply(other, characters)
        if _difference(one, other) != before:
            rulings.append(step.ruling)
    return one, other, rulings


def _difference(one: Components, other: Components) -> dict[str, tuple[Any, Any]]:
    """What stands in the places that both have and that differ."""
    pairs = {name: (value, other[name]) for name, value in one.items() if name in other}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _verdicts(equal: bool, rulings: list[str]) -> tuple[OtherVerdict, ...]:
    return tuple(OtherVerdict(equal, ruling) for ruling in dict.fromkeys(rulings))


# -------------------- equivalences: The steps by which URLs are equivalent: RFC 3986 sections 6.2.2 and 6.2.3, RFC 2396 section 6, RFC 1738.


def equivalent_rfc3986(one: URI, other: URI, mode: Mode, characters: Characters) -> Equivalence:
    """RFC 3986, section 6.2, of the components of two normal forms of section 6.2.2."""
    return compare(*_uris(one, other), STEPS_3986, mode, characters)


def equivalent_rfc2396(one: URI, other: URI, mode: Mode, characters: Characters) -> Equivalence:
    """RFC 2396, section 6, of components whose scheme and host are in lower case."""
    return compare(*_uris(one, other), STEPS_2396, mode, characters)


def equivalent_rfc1738(
    one: tuple[str, SchemeURL], other: tuple[str, SchemeURL], mode: Mode, characters: Characters
) -> Equivalence:
    """RFC 1738, sections 2.1 and 2.2, of two texts with their components: case of scheme and host, and of the
    digits of escapes (R-1738-39); escapes of unreserved characters in the parts behind a host (R-1738-36).
    """
    left, right = _parts_rfc1738(*one, characters), _parts_rfc1738(*other, characters)
    return compare(left, right, STEPS_1738, mode, characters)


# RFC 2396 and RFC 3986


def _uris(one: URI, other: URI) -> tuple[Components, Components]:
    """The components of both; an authority counts by its parts unless one of the two has none (R-2396-11)."""
    whole = any(uri.authority is not None and uri.host is None for uri in (one, other))
    unused = ("userinfo", "host", "port") if whole else ("authority",)
    left, right = (
        {name: value for name, value in uri.asdict().items() if name not in unused} for uri in (one, other)
    )
    return left, right


def _drop_port(parts: Components, port: str | None) -> Components:
    return {**parts, "port": None} if port is not None and parts.get("port") == port else parts


def _drop_default_port(parts: Components, _: Characters) -> Components:
    return _drop_port(parts, DEFAULT_PORTS.get(parts["scheme"]))


def _drop_http_port(parts: Components, characters: Characters) -> Components:
    return _drop_default_port(parts, characters) if parts["scheme"] == "http" else parts


def _drop_empty_port(parts: Components, _: Characters) -> Components:
    return _drop_port(parts, "")


def _root(parts: Components, _: Characters) -> Components:
    """A path that is a slash, in the place of an empty one behind an authority."""
    authority = parts.get("host") is not None or parts.get("authority") is not None
    return {**parts, "path": "/"} if authority and not parts["path"] else parts


def _root_known(parts: Components, characters: Characters) -> Components:
    return _root(parts, characters) if parts["scheme"] in DEFAULT_PORTS else parts


def _local_file(parts: Components, _: Characters) -> Components:
    local = parts["scheme"] == "file" and parts.get("host") == "localhost"
    return {**parts, "host": ""} if local else parts


_MAIL_DOMAIN = re.compile("@[^,@]*")


def _mail_domain(parts: Components, _: Characters) -> Components:
    """The domains of mail addresses in lower case."""
    name = "encoded822addr" if "encoded822addr" in parts else "path"
    if parts["scheme"] != "mailto" or parts.get(name) is None:
        return parts
    return {**parts, name: _MAIL_DOMAIN.sub(lambda match: match[0].lower(), parts[name])}


#: The ladder of section 6.2.3 above that of 6.2.2: http is required, other schemes go by what they say.
STEPS_3986: tuple[Step, ...] = (
    Step(_drop_empty_port, "R-3986-20", "may", "must"),
    Step(_drop_http_port, "R-3986-20", "may", "must"),
    Step(_drop_default_port, "R-3986-32", "may", "should"),
    Step(_root_known, "R-3986-21", "may", "must"),
    Step(_root, "R-3986-21", "may", "should"),
    Step(_local_file, "R-3986-30", "may", "should"),
    Step(_mail_domain, "R-3986-30", "may", "should"),
)


_DATA_2396 = ("authority", "userinfo", "path", "query", "fragment")


def _http_path(parts: Components, characters: Characters) -> Components:
    return _decoded(parts, ("path",), characters.unreserved) if parts["scheme"] == "http" else parts


def _elsewhere(parts: Components, characters: Characters) -> Components:
    """Unreserved characters decoded where they are not in the path of an http URL."""
    path = () if parts["scheme"] != "http" else ("path",)
    names = tuple(name for name in _DATA_2396 if name not in path)
    return _decoded(parts, names, characters.unreserved)


def _hex_digits(parts: Components, _: Characters) -> Components:
    return _with_capital_digits(parts, _DATA_2396)


def _no_dots(parts: Components, _: Characters) -> Components:
    rooted = parts["path"].startswith("/")
    return {**parts, "path": remove_dot_segments(parts["path"])} if rooted else parts


def _registered_name(parts: Components, _: Characters) -> Components:
    """A registered name as if it were a server (R-2396-11)."""
    if parts.get("authority") is None:
        return parts
    userinfo, at, server = parts["authority"].rpartition("@")
    host, colon, port = server.rpartition(":")
    if colon and port in ("", DEFAULT_PORTS.get(parts["scheme"])):
        server = host
    return {**parts, "authority": f"{userinfo}{at}{fold_case(server)}"}


def _no_fragment(parts: Components, _: Characters) -> Components:
    return {**parts, "fragment": None}


#: Case of scheme and host, and the default port, are required (R-2396-27); nothing else is.
STEPS_2396: tuple[Step, ...] = (
    Step(_drop_default_port, "R-2396-27", "may", "must"),
    Step(_http_path, "R-2396-26", "should", "must"),
    Step(_elsewhere, "R-2396-26", "should", "should"),
    Step(_hex_digits, "R-2396-27", "should", "should"),
    Step(_drop_empty_port, "R-2396-27", "may", "may"),
    Step(_root, "R-2396-27", "may", "may"),
    Step(_no_dots, "R-2396-27", "may", "may"),
    Step(_registered_name, "R-2396-11", "may", "may"),
    Step(_no_fragment, "R-2396-01", "may", "may"),
)


# RFC 1738


# what each scheme reserves, as far as its section says: 3.2.2, 3.3, 3.4.1, 3.5, 3.6, 3.10, 3.11
_RESERVED: Mapping[str, str] = {
    "ftp": "/;",
    "http": "/;?",
    "gopher": "",
    "mailto": "",
    "news": "@",
    "file": "/",
    "prospero": ";=",
}


_LOGIN = ("scheme", "user", "password", "host", "port")


def _parts_rfc1738(text: str, url: SchemeURL, characters: Characters) -> Components:
    """The components with the case of scheme and host folded, escapes alike as far as they have to be."""
    parts: Components = {**asdict(url), "scheme": fold_case(url.scheme)}
    host = parts.get("host")
    if host is not None:
        parts["host"] = fold_case(host)
    if isinstance(url, GenericURL) and host is not None:
        del parts["schemepart"]
    if isinstance(url, TelnetURL | GopherURL):  # their first slash is no component's delimiter
        parts["path"] = "" if "/" in text.partition("//")[2] else None
    behind = tuple(name for name in parts if name not in _LOGIN) if parts["scheme"] in DEFAULT_PORTS else ()
    return _decoded(_with_capital_digits(parts, tuple(parts)), behind, characters.unreserved)


def _escapes(parts: Components, characters: Characters) -> Components:
    names = tuple(name for name in parts if name not in ("scheme", "host", "port"))
    return _decoded(parts, names, characters.unreserved)


def _not_reserved(parts: Components, characters: Characters) -> Components:
    """Escapes decoded of characters that other schemes reserve and this one does not."""
    reserved = _RESERVED.get(parts["scheme"])
    if reserved is None:
        return parts
    names = tuple(name for name in parts if name not in _LOGIN)
    return _decoded(parts, names, characters.reserved - frozenset(reserved))


def _typecode(parts: Components, _: Characters) -> Components:
    code = parts.get("ftptype")
    return parts if code is None else {**parts, "ftptype": fold_case(code)}


def _default_type(parts: Components, _: Characters) -> Components:
    bare = parts["scheme"] == "gopher" and parts["gtype"] is None
    return {**parts, "gtype": "1", "selector": ""} if bare else parts


def _empty_path(parts: Components, _: Characters) -> Components:
    """The slash behind the host, where nothing follows it, left out."""
    names = [name for name in ("fpath", "hpath", "path", "urlpath") if parts.get(name) == ""]
    alone = parts.get("search") is None and parts.get("ftptype") is None
    return {**parts, **dict.fromkeys(names)} if alone else parts


def _article_host(parts: Components, _: Characters) -> Components:
    article = parts.get("article")
    if article is None:
        return parts
    unique, at, host = article.rpartition("@")
    return {**parts, "article": f"{unique}{at}{fold_case(host)}"}


#: RFC 1738 states no equivalence but those of sections 2.1 and 2.2: what else is alike follows from meaning.
STEPS_1738: tuple[Step, ...] = (
    Step(_escapes, "R-1738-36", "should", "should"),
    Step(_typecode, "R-1738-21", "should", "should"),
    Step(_local_file, "R-1738-23", "should", "should"),
    Step(_drop_default_port, "section 3.1", "may", "should"),
    Step(_default_type, "section 3.4.1", "may", "should"),
    Step(_empty_path, "R-1738-35", "may", "may"),
    Step(_not_reserved, "R-1738-36", "may", "may"),
    Step(_mail_domain, "R-1738-26", "may", "may"),
    Step(_article_host, "R-1738-27", "may", "may"),
)


# what the three have in common


def _decoded(parts: Components, names: tuple[str, ...], characters: frozenset[str]) -> Components:
    """The components with the escapes of the characters undone."""
    return _changed(parts, names, lambda text: decode_triplets(text, characters))


def _with_capital_digits(parts: Components, names: tuple[str, ...]) -> Components:
    """The components with the digits of their escapes in upper case."""
    return _changed(parts, names, lambda text: normalize_triplets(text, frozenset()))


def _changed(parts: Components, names: tuple[str, ...], change: Callable[[str], str]) -> Components:
    found: Components = {}
    for name in names:
        value = parts.get(name)
        if isinstance(value, str):
            found[name] = change(value)
        elif value is not None:  # fieldspecs
            found[name] = [[change(text) for text in pair] for pair in value]
    return {**parts, **found}


def fold_case(text: str) -> str:
    """The text in lower case."""
    return text.lower()
