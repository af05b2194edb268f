"""Equivalence: RFC 3986 sections 6.2.2 and 6.2.3, RFC 2396 section 6, RFC 1738 sections 2.1 and 2.2.

Both URLs go through the steps of a ladder, and then their components are compared.  Each step removes one
kind of difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from urloracle.rfc.components import URI
from urloracle.rfc.normalization import (
    DEFAULT_PORTS,
    OTHER_PORTS,
    Mode,
    decode_triplets,
    fold_mail_domains,
    is_default_port,
    normalize_triplets,
)
from urloracle.rfc.resolution import remove_dot_segments
from urloracle.rfc.schemes import GenericURL, GopherURL, SchemeURL, TelnetURL, asdict

Force = Literal["must", "should", "may"]
#: A mode of comparison: that of normal forms, or `simple`, which compares the characters of two texts.
ComparisonMode = Literal["simple", Mode]
ComparedComponents = dict[str, Any]


class OtherVerdict(NamedTuple):
    """Another admissible verdict, and the ruling or section that admits it.

    `equal` is None if a program may refuse one of the URLs.
    """

    equal: bool | None
    ruling: str


class Equivalence(NamedTuple):
    """The recommended verdict, and in `also` the other admissible verdicts.

    `differs` names the components that still differ after the required steps.
    """

    equal: bool
    also: tuple[OtherVerdict, ...]
    differs: tuple[str, ...]


class Characters(NamedTuple):
    """The character classes that decide which escapes are decoded."""

    unreserved: frozenset[str]
    reserved: frozenset[str]


class Rung(NamedTuple):
    """A step of the ladder: its function, the ruling, and its force (such as `may`) in each mode."""

    apply: Callable[[ComparedComponents, Characters], ComparedComponents]
    ruling: str
    syntax: Force
    scheme: Force


def compare(
    left: ComparedComponents,
    right: ComparedComponents,
    ladder: Sequence[Rung],
    mode: Mode,
    characters: Characters,
) -> Equivalence:
    """Return the verdict after the required and the recommended steps.

    `also` contains the opposite verdict if a program that leaves out recommended steps, or adds permitted
    steps, can come to it.  `differs` names the components that differ after the required steps alone.
    """
    ranked: dict[Force, list[Rung]] = {"must": [], "should": [], "may": []}
    for rung in ladder:
        force = rung.syntax if mode == "syntax" else rung.scheme
        ranked[force].append(rung)
    required = _apply(ranked["must"], left, right, characters)
    if required.left == required.right:
        return Equivalence(equal=True, also=(), differs=())
    differs = tuple(_difference(required.left, required.right))
    recommended = _apply(ranked["should"], required.left, required.right, characters)
    if recommended.left == recommended.right:
        opposite = _verdicts(recommended.rulings, equal=False)
        return Equivalence(equal=True, also=opposite, differs=differs)
    permitted = _apply(ranked["may"], recommended.left, recommended.right, characters)
    also: tuple[OtherVerdict, ...] = ()
    if permitted.left == permitted.right:
        also = _verdicts(recommended.rulings + permitted.rulings, equal=True)
    return Equivalence(equal=False, also=also, differs=differs)


class _Applied(NamedTuple):
    """Both URLs after some steps, and the rulings of those steps that changed their difference."""

    left: ComparedComponents
    right: ComparedComponents
    rulings: list[str]


def _apply(
    rungs: Sequence[Rung], left: ComparedComponents, right: ComparedComponents, characters: Characters
) -> _Applied:
    """Apply the steps to both URLs, and list the rulings of those that changed in what the URLs differ."""
    rulings = []
    changed_left = left
    changed_right = right
    difference = _difference(left, right)
    for rung in rungs:
        previous_left = changed_left
        previous_right = changed_right
        changed_left = rung.apply(previous_left, characters)
        changed_right = rung.apply(previous_right, characters)
        if changed_left is previous_left and changed_right is previous_right:  # as most steps leave them
            continue
        previous_difference = difference
        difference = _difference(changed_left, changed_right)
        if difference != previous_difference:
            rulings.append(rung.ruling)
    return _Applied(changed_left, changed_right, rulings)


def _difference(left: ComparedComponents, right: ComparedComponents) -> dict[str, tuple[Any, Any]]:
    """Map the name of each component that both URLs have, but with different values, to these values."""
    return {name: (left[name], right[name]) for name in left if name in right and left[name] != right[name]}


def _verdicts(rulings: list[str], *, equal: bool) -> tuple[OtherVerdict, ...]:
    """Return the verdict once for each ruling."""
    return tuple(OtherVerdict(equal, ruling) for ruling in dict.fromkeys(rulings))


def compare_uris(
    first: URI, second: URI, ladder: Sequence[Rung], mode: Mode, characters: Characters
) -> Equivalence:
    """Apply RFC 3986, section 6.2, or RFC 2396, section 6, to URLs normalized in mode `syntax`."""
    # authorities are compared by their parts if both have parts (R-2396-11)
    is_undivided = any(uri.authority is not None and uri.host is None for uri in (first, second))
    left = first.asdict()
    right = second.asdict()
    not_compared = ("userinfo", "host", "port") if is_undivided else ("authority",)
    for name in not_compared:
        del left[name]
        del right[name]
    return compare(left, right, ladder, mode, characters)


def compare_rfc1738(
    first: tuple[str, SchemeURL], second: tuple[str, SchemeURL], mode: Mode, characters: Characters
) -> Equivalence:
    """Apply RFC 1738, sections 2.1 and 2.2, to two texts with their components."""
    left = _parts_rfc1738(*first, characters)
    right = _parts_rfc1738(*second, characters)
    return compare(left, right, LADDER_1738, mode, characters)


# RFC 2396 and RFC 3986.  A step returns the same object if it changes nothing, which `_apply` sees at once.


def _drop_port(parts: ComparedComponents, port: str | None) -> ComparedComponents:
    """Drop the port of a URL if it is this one; None stands for no port."""
    return {**parts, "port": None} if port is not None and parts.get("port") == port else parts


def _drop_default_port(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    return _drop_port(parts, DEFAULT_PORTS.get(parts["scheme"]))


def _drop_http_port(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    return _drop_port(parts, "80") if parts["scheme"] == "http" else parts


def _drop_known_port(parts: ComparedComponents, characters: Characters) -> ComparedComponents:
    """Drop a default port, except for wais and prospero: programs need not know their ports (R-2396-27)."""
    return parts if parts["scheme"] in ("wais", "prospero") else _drop_default_port(parts, characters)


def _drop_other_port(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Drop a default port that none of the five RFCs names."""
    return _drop_port(parts, OTHER_PORTS.get(parts["scheme"]))


def _drop_padded_port(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Drop a default port with leading zeros."""
    return {**parts, "port": None} if is_default_port(parts.get("port"), parts["scheme"]) else parts


def _evaluate_address(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Replace an IPv6 address by its value. Other hosts, even addresses of future versions, stay."""
    host = parts.get("host") or ""
    if not host.startswith("[") or host[1] in "vV":
        return parts
    from ipaddress import IPv6Address  # noqa: PLC0415 - takes 3 ms, which few programs need

    return {**parts, "host": f"[{int(IPv6Address(host[1:-1])):x}]"}


def _fill_in_slash(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Replace an empty path after an authority by a slash."""
    has_authority = parts.get("host") is not None or parts.get("authority") is not None
    return {**parts, "path": "/"} if has_authority and not parts["path"] else parts


def _fill_in_known_slash(parts: ComparedComponents, characters: Characters) -> ComparedComponents:
    """Replace an empty path by a slash if RFC 1738 defines the scheme."""
    return _fill_in_slash(parts, characters) if parts["scheme"] in DEFAULT_PORTS else parts


def _drop_localhost(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Drop the host `localhost`, except next to user information or a port (RFC 3986, section 6.2.3)."""
    if parts["scheme"] != "file" or parts.get("userinfo") is not None or parts.get("port") is not None:
        return parts
    host = parts.get("host") or ""
    return {**parts, "host": ""} if host.lower() == "localhost" else parts


def _add_empty_host(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Give an absolute path of scheme file an empty host (RFC 3986, section 3.2.2)."""
    if parts["scheme"] != "file" or parts.get("host") is not None:
        return parts
    return {**parts, "host": ""} if parts["path"].startswith("/") else parts


def _fold_mail_domain(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Fold the case of the domains of a mailto URL, whose component has another name in RFC 1738."""
    name = "encoded822addr" if "encoded822addr" in parts else "path"
    if parts["scheme"] != "mailto" or parts.get(name) is None:
        return parts
    return {**parts, name: fold_mail_domains(parts[name])}


#: The steps of section 6.2.3, which come after section 6.2.2.  They are required for http and recommended
#: for other schemes.
LADDER_3986: tuple[Rung, ...] = (
    Rung(lambda parts, _: _drop_port(parts, ""), "R-3986-20", "may", "must"),
    Rung(_drop_http_port, "R-3986-20", "may", "must"),
    Rung(_drop_default_port, "R-3986-32", "may", "should"),
    Rung(_drop_other_port, "R-3986-39", "may", "may"),
    Rung(_drop_padded_port, "R-3986-45", "may", "should"),
    Rung(_fill_in_known_slash, "R-3986-21", "may", "must"),
    Rung(_fill_in_slash, "R-3986-21", "may", "should"),
    Rung(_drop_localhost, "R-3986-30", "may", "should"),
    Rung(_add_empty_host, "R-3986-30", "may", "should"),
    Rung(_fold_mail_domain, "R-3986-30", "may", "should"),
    Rung(_evaluate_address, "R-3986-46", "may", "may"),
)

#: The components in which a URL of RFC 2396 can have escapes.
_DATA_2396 = ("authority", "userinfo", "path", "query", "fragment")


def _dropping_if_empty(name: str) -> Callable[[ComparedComponents, Characters], ComparedComponents]:
    """Return a step that drops a component if it is empty."""
    return lambda parts, _: {**parts, name: None} if parts.get(name) == "" else parts


def _remove_dots(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Remove the dot segments of an absolute path; those of an opaque part are data."""
    rooted = parts["path"].startswith("/")
    return {**parts, "path": remove_dot_segments(parts["path"])} if rooted else parts


def _treat_as_server(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Fold the case of a registered name and drop its default port, as for a server (R-2396-11)."""
    if parts.get("authority") is None:
        return parts
    userinfo, at, server = parts["authority"].rpartition("@")
    host, colon, port = server.rpartition(":")
    if colon and (port == "" or is_default_port(port, parts["scheme"])):
        server = host
    return {**parts, "authority": f"{userinfo}{at}{server.lower()}"}


#: Only these steps are required: the case of scheme and host, the default port (section 6), escapes of
#: unreserved characters (section 2.3) and the case of the digits of escapes (section 2.4.1).
LADDER_2396: tuple[Rung, ...] = (
    Rung(_drop_known_port, "R-2396-27", "may", "must"),
    Rung(_drop_default_port, "R-2396-27", "may", "should"),
    Rung(lambda parts, chars: _decoded(parts, _DATA_2396, chars.unreserved), "R-2396-26", "must", "must"),
    Rung(lambda parts, _: _with_capital_digits(parts, _DATA_2396), "R-1738-39", "must", "must"),
    Rung(_drop_other_port, "R-2396-34", "may", "may"),
    Rung(_drop_padded_port, "R-2396-36", "may", "may"),
    Rung(lambda parts, _: _drop_port(parts, ""), "R-2396-27", "may", "may"),
    Rung(_fill_in_slash, "R-2396-27", "may", "may"),
    Rung(_remove_dots, "R-2396-27", "may", "may"),
    Rung(_dropping_if_empty("query"), "R-2396-27", "may", "may"),
    Rung(_treat_as_server, "R-2396-11", "may", "may"),
    Rung(lambda parts, _: {**parts, "fragment": None}, "R-2396-01", "may", "may"),
)

# RFC 1738

# the characters that each scheme reserves, by sections 3.2.2, 3.3, 3.5, 3.10, 3.11, 3.6 and 3.4.1
_RESERVED = {
    "ftp": "/;",
    "http": "/;?",
    "mailto": "",
    "file": "/",
    "prospero": ";=",
    "news": "@",
    "gopher": "",
}
_LOGIN = ("scheme", "user", "password", "host", "port")


def _parts_rfc1738(text: str, url: SchemeURL, characters: Characters) -> ComparedComponents:
    """Return the components after the required steps.

    These steps ignore the case of the scheme, the case of the digits of escapes (R-1738-39), and whether an
    unreserved character after the host is escaped (R-1738-36).
    """
    parts: ComparedComponents = {**asdict(url), "scheme": url.scheme.lower()}
    if parts.get("host") is not None:
        parts.pop("schemepart", None)
    if isinstance(url, TelnetURL | GopherURL):  # no component shows whether a slash follows the host
        _, _, after_slashes = text.partition("//")
        parts["path"] = "" if "/" in after_slashes else None
    names_after_host: tuple[str, ...] = ()
    if not isinstance(url, GenericURL):  # only the rule of a scheme says what is after the host
        names_after_host = tuple(name for name in parts if name not in _LOGIN)
    with_capital_digits = _with_capital_digits(parts, tuple(parts))
    return _decoded(with_capital_digits, names_after_host, characters.unreserved)


def _decode_unreserved(parts: ComparedComponents, characters: Characters) -> ComparedComponents:
    """Decode escapes of unreserved characters everywhere but in scheme, host and port."""
    names = tuple(name for name in parts if name not in ("scheme", "host", "port"))
    return _decoded(parts, names, characters.unreserved)


def _decode_not_reserved(parts: ComparedComponents, characters: Characters) -> ComparedComponents:
    """Decode escapes of characters that other schemes reserve and this scheme does not.

    Scheme, login, host and port stay as they are. So does every component of a scheme not in `_RESERVED`.
    """
    reserved = _RESERVED.get(parts["scheme"])
    if reserved is None:
        return parts
    names = tuple(name for name in parts if name not in _LOGIN)
    return _decoded(parts, names, characters.reserved - frozenset(reserved))


def _fold_typecode(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    return {**parts, "ftptype": parts["ftptype"].lower()} if parts.get("ftptype") else parts


def _fill_in_type(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Give a gopher URL without a type the default type 1 (section 3.4.1)."""
    has_no_type = parts["scheme"] == "gopher" and parts["gtype"] is None
    return {**parts, "gtype": "1", "selector": ""} if has_no_type else parts


def _drop_empty_path(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Drop an empty path, with its slash, unless a search part or a typecode follows it."""
    if parts.get("search") is not None or parts.get("ftptype") is not None:
        return parts
    names = [name for name in ("fpath", "hpath", "path", "urlpath") if parts.get(name) == ""]
    return {**parts, **dict.fromkeys(names)}


def _fold_host(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    return {**parts, "host": parts["host"].lower()} if parts.get("host") else parts


def _fold_article_host(parts: ComparedComponents, _: Characters) -> ComparedComponents:
    """Fold the case of the host in the identifier of an article."""
    if parts.get("article") is None:
        return parts
    unique, at, host = parts["article"].rpartition("@")
    return {**parts, "article": f"{unique}{at}{host.lower()}"}


#: These equivalences follow from the meaning of the parts.  RFC 1738 itself states only the equivalences of
#: sections 2.1 and 2.2.
LADDER_1738: tuple[Rung, ...] = (
    Rung(_fold_host, "G-11", "should", "should"),
    Rung(_decode_unreserved, "R-1738-36", "should", "should"),
    Rung(_fold_typecode, "R-1738-21", "should", "should"),
    Rung(_drop_localhost, "R-1738-23", "should", "must"),
    Rung(_drop_default_port, "section 3.1", "may", "should"),
    Rung(_fill_in_type, "section 3.4.1", "may", "should"),
    Rung(_drop_empty_path, "R-1738-35", "may", "should"),
    Rung(_dropping_if_empty("search"), "R-1738-35", "may", "may"),
    Rung(_drop_empty_path, "R-1738-35", "may", "may"),  # again: the last step can drop the search part
    Rung(_decode_not_reserved, "R-1738-42", "may", "may"),
    Rung(_fold_mail_domain, "R-1738-26", "may", "may"),
    Rung(_fold_article_host, "R-1738-27", "may", "may"),
    Rung(_drop_padded_port, "R-1738-45", "may", "may"),
)


def _decoded(
    parts: ComparedComponents, names: tuple[str, ...], characters: frozenset[str]
) -> ComparedComponents:
    return _change_texts(parts, names, lambda text: decode_triplets(text, characters))


def _with_capital_digits(parts: ComparedComponents, names: tuple[str, ...]) -> ComparedComponents:
    return _change_texts(parts, names, lambda text: normalize_triplets(text, frozenset()))


def _change_texts(
    parts: ComparedComponents, names: tuple[str, ...], change: Callable[[str], str]
) -> ComparedComponents:
    """Return the components with the texts changed of those that are named and present."""
    changed: ComparedComponents = {}
    for name in names:
        part = parts.get(name)
        if isinstance(part, str):
            changed[name] = change(part)
        elif part is not None:  # fieldspecs, a list of name and value pairs
            changed[name] = [[change(text) for text in pair] for pair in part]
    return {**parts, **changed}
