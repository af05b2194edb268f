"""Comparison of URLs once more: from the RFCs' text and the rulings, not from the code.

Two URLs are equivalent for a library if their forms are equal; the form depends on the rules that the library
applies.  `verdicts` applies the rules that the mode requires, and then each set of others; None is a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from .independent_normalization import (
    ALPHANUMERIC,
    OTHER_DEFAULTS,
    UNRESERVED_2396,
    UNRESERVED_3986,
    Parts,
    decoded,
    has_default_host,
    is_server,
    join,
    lower,
    port_of,
    remove_dot_segments,
    split,
)
from .independent_schemes import PORTS, parts_of


class Answers(NamedTuple):
    recommended: bool
    others: frozenset[bool | None]


#: A rule: the parts as a library that applies it compares them.
Rule = Callable[[Any], Any]


class Ladder(NamedTuple):
    """The rules in the order of their use, those that a mode requires, and those that are left open."""

    rules: Mapping[str, Rule]
    required: Collection[str]
    open: Collection[str]


def verdicts(left: str, right: str, spec: str, mode: str) -> Answers:
    """Return the recommended verdict on two valid URLs, and every other admitted one."""
    ladder = LADDERS[spec, mode]
    pair = tuple(READERS[spec](text) for text in (left, right))
    if any(isinstance(parts, Parts) and parts.userinfo == REGISTRY for parts in pair):
        pair = tuple(map(as_registry, pair))
    recommended = equal(pair, ladder, ladder.required)
    others: set[bool | None] = set()
    switches = [name for name in ladder.open if matters(pair, ladder, name)]
    for size in range(len(switches) + 1):
        for switched in combinations(switches, size):
            others.add(equal(pair, ladder, set(ladder.required) ^ set(switched)))
    if is_refused((left, right), spec, mode):
        others.add(None)
    return Answers(recommended, frozenset(others) - {recommended})


def form(parts: Any, ladder: Ladder, applied: Collection[str]) -> Any:
    """Return the parts of a URL as a library compares them that applies these rules."""
    compared = parts
    for name, rule in ladder.rules.items():
        if name in applied:
            compared = rule(compared)
    return compared


def equal(pair: tuple[Any, ...], ladder: Ladder, applied: Collection[str]) -> bool:
    left, right = (form(parts, ladder, applied) for parts in pair)
    return left == right


def matters(pair: tuple[Any, ...], ladder: Ladder, name: str) -> bool:
    """Return True if a rule changes a URL, alone or after all others."""
    others = set(ladder.rules) - {name}
    return any(
        form(parts, ladder, applied | {name}) != form(parts, ladder, applied)
        for parts in pair
        for applied in (others, frozenset[str]())
    )


def is_refused(texts: tuple[str, str], spec: str, mode: str) -> bool:
    """R-3986-19: http demands a host.  R-1738-03: schemes may be refused in upper case."""
    schemes = [text.partition(":")[0] for text in texts]
    if spec == "rfc1738":
        return any(scheme != scheme.lower() for scheme in schemes)
    return (spec, mode) == ("rfc3986", "scheme") and any(
        scheme.lower() == "http" and split(text).host == ""
        for scheme, text in zip(schemes, texts, strict=True)
    )


# ---- RFC 3986, section 6.2


def read_rfc3986(text: str) -> Parts:
    """Section 6.2.2, which every mode applies."""
    parts = split(text)
    scheme, path = (parts.scheme or "").lower(), decoded(parts.path, UNRESERVED_3986)
    cleaned = {
        name: None if part is None else decoded(part, UNRESERVED_3986)
        for name, part in parts._asdict().items()
        if name in ("userinfo", "query", "fragment")
    }
    host = parts.host and lower(decoded(parts.host, UNRESERVED_3986))
    return parts._replace(scheme=scheme, host=host, path=remove_dot_segments(path), **cleaned)


def without_port(is_default: Callable[[Parts], bool]) -> Rule:
    return lambda parts: parts._replace(port=None) if parts.port is not None and is_default(parts) else parts


def with_slash(concerns: Callable[[Parts], bool]) -> Rule:
    def rule(parts: Parts) -> Parts:
        empty = parts.host is not None and not parts.path and concerns(parts)
        return parts._replace(path="/") if empty else parts

    return rule


def empty_host(parts: Parts) -> Parts:
    return parts._replace(host="") if parts.scheme == "file" and has_default_host(parts) else parts


def mail_domain(parts: Parts) -> Parts:
    local, at, domain = parts.path.rpartition("@")
    return parts._replace(path=f"{local}@{lower(domain)}") if parts.scheme == "mailto" and at else parts


def unguarded(parts: Parts) -> Parts | tuple[str, Parts]:
    """R-3986-09: the literal form of a path that begins with two slashes has a host instead."""
    if parts.host is None and parts.path.startswith("//"):
        host, slash, path = parts.path[2:].partition("/")
        return parts._replace(host=lower(host), path=slash + path)
    return parts


def address(parts: Parts) -> Parts:
    """R-3986-46: the eight groups of an IPv6 address as numbers."""
    if not (parts.host or "").startswith("[") or (parts.host or "")[1] in "vV":
        return parts
    text = re.sub(r"(\d+)\.(\d+)\.(\d+)\.(\d+)", _two_groups, (parts.host or "")[1:-1])
    before, elision, after = text.partition("::")
    left, right = ([int(group, 16) for group in side.split(":") if group] for side in (before, after))
    groups = left + [0] * (8 - len(left) - len(right)) + right if elision else left
    return parts._replace(host=f"[{groups}]")


def _two_groups(octets: re.Match[str]) -> str:
    first, second, third, fourth = map(int, octets.groups())
    return f"{first * 256 + second:x}:{third * 256 + fourth:x}"


def has_port(*values: int) -> Callable[[Parts], bool]:
    """The default port of the scheme, as it is usually written."""
    return lambda parts: parts.port == str(port_of(parts)) and port_of(parts) in values


def default_value(parts: Parts) -> bool:
    """R-3986-45, R-2396-36: leading zeros do not change the value of a port."""
    return bool(parts.port) and int(parts.port or 0) == port_of(parts)


_OTHERS = (21, 70, 119, 23, 210, 1525)

RULES_3986: Mapping[str, Rule] = {
    "port-empty": without_port(lambda parts: parts.port == ""),
    "port-http": without_port(has_port(80)),
    "port-others": without_port(has_port(*_OTHERS)),
    "port-https": without_port(lambda parts: (parts.scheme, parts.port) in OTHER_DEFAULTS),
    "port-zeros": without_port(default_value),
    "slash-known": with_slash(lambda parts: port_of(parts) is not None),
    "slash": with_slash(lambda _: True),
    "file": empty_host,
    "mail": mail_domain,
    "literal": unguarded,
    "address": address,
}

# ---- RFC 2396, section 6


def read_rfc2396(spec: str) -> Callable[[str], Parts]:
    """The case of scheme and host, and escapes of unreserved characters (R-2396-26)."""

    def read(text: str) -> Parts:
        parts = split(text)
        plain = parts._replace(scheme=(parts.scheme or "").lower())
        if is_server(parts, spec):
            plain = plain._replace(host=lower(parts.host or ""))
        elif parts.host is not None:
            plain = as_registry(plain)
        return Parts(*(part and decoded(part, UNRESERVED_2396) for part in plain))

    return read


#: Marks an authority that is a registry name.
REGISTRY = "(registry)"


def as_registry(parts: Parts) -> Parts:
    """R-2396-11: a registry name has no parts, and is compared with a whole authority."""
    if parts.host is None or parts.userinfo == REGISTRY:
        return parts
    whole = join(Parts(None, parts.userinfo, parts.host, parts.port, "", None, None))
    return parts._replace(userinfo=REGISTRY, host=whole.removeprefix("//"), port=None)


def as_server(parts: Parts) -> Parts:
    """R-2396-11: a library may divide a registry name like a server."""
    if parts.userinfo != REGISTRY:
        return parts
    server = split(f"//{parts.host}")
    port = None if server.port == "" or default_value(parts._replace(port=server.port)) else server.port
    return parts._replace(userinfo=server.userinfo, host=lower(server.host or ""), port=port)


RULES_2396: Mapping[str, Rule] = {
    "registry": as_server,
    "port": without_port(has_port(80, 21, 70, 119, 23)),
    "port-others": without_port(has_port(210, 1525)),
    "port-https": without_port(lambda parts: (parts.scheme, parts.port) in OTHER_DEFAULTS),
    "port-zeros": without_port(default_value),
    "port-empty": without_port(lambda parts: parts.port == ""),
    "dots": lambda parts: parts._replace(
        path=remove_dot_segments(parts.path) if parts.path.startswith("/") else parts.path
    ),
    "slash": with_slash(lambda _: True),
    "query": lambda parts: parts._replace(query=parts.query or None),
    "fragment": lambda parts: parts._replace(fragment=None),
}

# ---- RFC 1738, sections 2.2 and 3

#: The characters that need no encoding.
SAFE = ALPHANUMERIC | set("$-_.+!*'(),")
RESERVED = frozenset(";/?:@=&")

_LOGIN = ("user", "password")
_SITE = (*_LOGIN, "host", "port", "scheme")


#: What each scheme reserves in its parts, by its section; R-1738-42.
RESERVED_BY = {
    "ftp": "/;",
    "http": "/;?",
    "mailto": "",
    "file": "/",
    "prospero": ";=",
    "news": "@",
    "gopher": "",
}

_IP = re.compile(
    r"//(?:(?P<user>[^:@/]*)(?::(?P<password>[^:@/]*))?@)?"
    r"(?P<host>(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?|\d+(?:\.\d+){3})"
    r"(?::(?P<port>\d+))?(?:/(?P<urlpath>.*))?"
)


def read_rfc1738(text: str) -> dict[str, Any]:
    """Section 2.2: hex digits have either case; safe characters in the path of a known scheme may be encoded.

    Other schemes have parts if they comply with section 3.1 (R-1738-02).
    """
    parts = parts_of(text)
    if "schemepart" in parts:
        generic = _IP.fullmatch(parts["schemepart"])
        parts = {"scheme": parts["scheme"], **generic.groupdict()} if generic else parts
        return change(parts, lambda part: decoded(part, ()), besides=())
    if parts["scheme"] in ("gopher", "telnet"):  # no part shows the slash
        parts["slash"] = "" if "/" in text.partition("//")[2] else None
    parts = change(parts, lambda part: decoded(part, ()), besides=())
    return change(parts, lambda part: decoded(part, SAFE), besides=_SITE)


def change(parts: dict[str, Any], how: Callable[[str], str], *, besides: Collection[str]) -> dict[str, Any]:
    def changed(part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return [changed(entry) for entry in part]
        return part and how(part)

    return {name: part if name in besides else changed(part) for name, part in parts.items()}


def escapes_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    """R-1738-36: in a login, and in the parts of other schemes, encoding need not be looked through."""
    return change(parts, lambda part: decoded(part, SAFE), besides=("scheme", "host", "port"))


def host_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    return parts | {"host": parts["host"].lower()} if parts.get("host") else parts


def news_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    """R-1738-27: the host of an article."""
    if not parts.get("article"):
        return parts
    local, at, host = parts["article"].rpartition("@")
    return parts | {"article": local + at + host.lower()}


def port_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    return (
        parts | {"port": None} if parts.get("port") and parts["port"] == PORTS.get(parts["scheme"]) else parts
    )


def port_value_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    """R-1738-45: leading zeros do not change the value of a port."""
    digits = (parts.get("port") or "").lstrip("0")
    return parts | {"port": None} if digits and digits == PORTS.get(parts["scheme"]) else parts


def slash_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    """R-1738-35, section 3.4.1: a slash with nothing after it, and the type of an empty gopher path."""
    if parts.get("search") or parts.get("ftptype") or any(parts.get(name) for name in _PATHS):
        return parts
    gopher = (
        {"gtype": None, "selector": None} if (parts.get("gtype"), parts.get("selector")) == ("1", "") else {}
    )
    return parts | gopher | {name: None for name in _PATHS if name in parts}


_PATHS = ("fpath", "hpath", "urlpath", "slash")


def search_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    return slash_rfc1738(parts | {"search": None}) if parts.get("search") == "" else parts


def local_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    local = parts["scheme"] == "file" and (parts.get("host") or "").lower() == "localhost"
    return parts | {"host": ""} if local else parts


def unreserved_rfc1738(parts: dict[str, Any]) -> dict[str, Any]:
    reserved = RESERVED_BY.get(parts["scheme"])
    if reserved is None:
        return parts
    characters = SAFE | (RESERVED - set(reserved))
    return change(parts, lambda part: decoded(part, characters), besides=_SITE)


RULES_1738: Mapping[str, Rule] = {
    "escapes": escapes_rfc1738,
    "host": host_rfc1738,
    "news": news_rfc1738,
    "port": port_rfc1738,
    "slash": slash_rfc1738,
    "search": search_rfc1738,
    "local": local_rfc1738,
    "unreserved": unreserved_rfc1738,
    "port-zeros": port_value_rfc1738,
}

LADDERS: Mapping[tuple[str, str], Ladder] = {
    ("rfc1738", "syntax"): Ladder(RULES_1738, ("escapes", "host", "local"), tuple(RULES_1738)),
    ("rfc1738", "scheme"): Ladder(
        RULES_1738,
        ("escapes", "host", "local", "port", "slash"),
        ("escapes", "host", "news", "port", "slash", "search", "unreserved", "port-zeros"),
    ),
    **{
        (spec, mode): Ladder(
            RULES_2396,
            () if mode == "syntax" else ("port", "port-others"),
            tuple(name for name in RULES_2396 if (mode, name) != ("scheme", "port")),
        )
        for spec in ("rfc2396", "rfc2732")
        for mode in ("syntax", "scheme")
    },
    ("rfc3986", "syntax"): Ladder(RULES_3986, (), tuple(RULES_3986)),
    ("rfc3986", "scheme"): Ladder(
        RULES_3986,
        ("port-empty", "port-http", "port-others", "port-zeros", "slash-known", "slash", "file", "mail"),
        ("port-others", "port-https", "port-zeros", "slash", "file", "mail", "literal", "address"),
    ),
}

READERS: Mapping[str, Callable[[str], Any]] = {
    "rfc1738": read_rfc1738,
    "rfc2396": read_rfc2396("rfc2396"),
    "rfc2732": read_rfc2396("rfc2732"),
    "rfc3986": read_rfc3986,
}
