"""Normalization once more, with a list of choices: from the RFCs' text and the rulings, not from the code.

A normal form depends on choices that the RFC leaves to a library.  `forms` makes every choice each way, and
returns the form of the recommended choices and the set of all others; None stands for an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from .independent_resolution import cut, remove_dot_segments

#: The ports that RFC 1738 gives to schemes; RFC 3986 and 2396 name only http or none.
PORTS = {
    "ftp": 21, "http": 80, "gopher": 70, "nntp": 119, "telnet": 23, "wais": 210, "prospero": 1525,
}  # fmt: skip
ALPHANUMERIC = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
UNRESERVED_3986 = ALPHANUMERIC | set("-._~")
#: Default ports that none of the five RFCs names: RFC 2818, section 2.3, and RFC 6455, section 3.
OTHER_DEFAULTS = (("https", "443"), ("ws", "80"), ("wss", "443"))
UNRESERVED_2396 = ALPHANUMERIC | set("-_.!~*'()")


class Answers(NamedTuple):
    recommended: str | None
    others: frozenset[str | None]


class Parts(NamedTuple):
    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None


def split(text: str) -> Parts:
    """RFC 3986, appendix B, for a valid text; a host in brackets has colons."""
    rest, fragment = cut(text, "#")
    rest, query = cut(rest, "?")
    scheme = userinfo = host = port = None
    head, colon, tail = rest.partition(":")
    if colon and "/" not in head:
        scheme, rest = head, tail
    if rest.startswith("//"):
        authority, slash, tail = rest[2:].partition("/")
        rest = slash + tail
        login, at, site = authority.rpartition("@")
        userinfo = login if at else None
        end = site.rfind("]") + 1
        name, port = cut(site[end:], ":")
        host = site[:end] + name
    return Parts(scheme, userinfo, host, port, rest, query, fragment)


def join(parts: Parts) -> str:
    marks = ("{}:", "{}@", "{}", ":{}", "{}", "?{}", "#{}")
    written = ["" if part is None else mark.format(part) for mark, part in zip(marks, parts, strict=True)]
    if parts.host is not None:
        written.insert(1, "//")
    return "".join(written)


def units(text: str) -> list[str]:
    """Return the characters and triplets of a text."""
    pieces = []
    at = 0
    while at < len(text):
        size = 3 if text[at] == "%" else 1
        pieces.append(text[at : at + size])
        at += size
    return pieces


def octet(unit: str) -> str:
    """Return the character that a triplet encodes."""
    return chr(int(unit[1:], 16))


def decoded(text: str, characters: Collection[str], *, upper: bool = True) -> str:
    """Triplets of these characters are decoded, other triplets get upper case digits (6.2.2.1, 6.2.2.2)."""
    pieces = []
    for unit in units(text):
        if len(unit) > 1 and octet(unit) in characters:
            pieces.append(octet(unit))
        else:
            pieces.append(unit.upper() if upper and len(unit) > 1 else unit)
    return "".join(pieces)


def lower(text: str) -> str:
    """Return a text in which the letters that are no digits of triplets are in lower case."""
    return "".join(unit.lower() if len(unit) == 1 else unit for unit in units(text))


#: A choice: the forms that a step may give to the parts, the recommended one first.
Choice = Callable[[Parts], list[Parts | None]]


def forms(text: str, spec: str, mode: str) -> Answers:
    """The normal forms of a URL by RFC 2396 (and 2732) or 3986."""
    steps = steps_rfc3986(mode) if spec == "rfc3986" else steps_rfc2396(mode, split(text), spec)
    admitted: list[Parts | None] = [split(text)]
    for step in steps:
        admitted = [form for parts in admitted for form in ([None] if parts is None else step(parts))]
    recommended, *others = [None if parts is None else join(parts) for parts in admitted]
    return Answers(recommended, frozenset(others) - {recommended})


# ---- RFC 3986, section 6.2


def steps_rfc3986(mode: str) -> list[Choice]:
    by_scheme = mode == "scheme"
    return [
        characters_rfc3986,
        lambda parts: ports_rfc3986(parts, by_scheme=by_scheme),
        lambda parts: dots_rfc3986(parts, by_scheme=by_scheme),
        lambda parts: paths_rfc3986(parts, by_scheme=by_scheme),
        lambda parts: addresses(parts, by_scheme=by_scheme),
        lambda parts: [parts, None] if by_scheme and parts.scheme == "http" and parts.host == "" else [parts],
    ]


def characters_rfc3986(parts: Parts) -> list[Parts | None]:
    """Sections 6.2.2.1 and 6.2.2.2; a host is lower case when its escapes are decoded (R-3986-17)."""

    def clean(text: str | None) -> str | None:
        return None if text is None else decoded(text, UNRESERVED_3986)

    plain = parts._replace(
        scheme=parts.scheme and parts.scheme.lower(),
        userinfo=clean(parts.userinfo),
        host=parts.host and lower(decoded(parts.host, UNRESERVED_3986)),
        path=decoded(parts.path, UNRESERVED_3986),
        query=clean(parts.query),
        fragment=clean(parts.fragment),
    )
    if parts.scheme is not None:
        return [plain]
    path_with_dots = "/".join(map(encoded_dots_kept, parts.path.split("/")))  # R-3986-40
    return [plain, plain._replace(path=path_with_dots)]


def encoded_dots_kept(segment: str) -> str:
    plain = decoded(segment, UNRESERVED_3986)
    return decoded(segment, UNRESERVED_3986 - {"."}) if plain in (".", "..") else plain


def ports_rfc3986(parts: Parts, *, by_scheme: bool) -> list[Parts | None]:
    """R-3986-20, -32, -39: an empty port and the default of http go, if the scheme decides; others may."""
    if parts.scheme is None:  # R-3986-37
        return [parts]
    bare = parts._replace(port=None)
    match parts.port, port_of(parts):
        case None, _:
            return [parts]
        case ("", _) | ("80", 80):
            return [bare] if by_scheme else [parts, bare]
        case port, default if default and int(port) == default:  # R-3986-45: the value is compared
            return [bare, parts] if by_scheme else [parts, bare]
        case port, _ if (parts.scheme, str(int(port))) in OTHER_DEFAULTS:
            return [parts, bare]
    return [parts]


def port_of(parts: Parts) -> int | None:
    return PORTS.get(parts.scheme or "")


def dots_rfc3986(parts: Parts, *, by_scheme: bool) -> list[Parts | None]:
    """Section 6.2.2.3, for URIs alone (R-3986-37); what would be an authority is guarded (R-3986-09).

    R-3986-30, -42: file has a default host, which is written as an empty authority.
    """
    if parts.scheme is None:
        return [parts]
    plain = parts._replace(path=remove_dot_segments(parts.path))
    literal_forms: list[Parts | None] = [plain]
    if parts.host is None and plain.path.startswith("//"):
        literal_forms = [plain._replace(path=f"/.{plain.path}"), plain, None]
    if parts.scheme != "file" or not has_default_host(plain):
        return literal_forms
    empty = plain._replace(host="")
    return [empty, literal_forms[0]] if by_scheme else [*literal_forms, empty]


def has_default_host(parts: Parts) -> bool:
    if parts.host is None:
        return parts.path.startswith("/")
    return parts.host == "localhost" and parts.userinfo is None and parts.port is None


def paths_rfc3986(parts: Parts, *, by_scheme: bool) -> list[Parts | None]:
    """R-3986-21: an empty path after an authority becomes a slash; in schemes that are not known it may."""
    if parts.host is None or parts.path or parts.scheme is None:
        return [parts]
    slash = parts._replace(path="/")
    if not by_scheme:
        return [parts, slash]
    return [slash, parts] if port_of(parts) is None else [slash]


def addresses(parts: Parts, *, by_scheme: bool) -> list[Parts | None]:
    """R-3986-30: the domain of a mail address is lower case."""
    local, at, domain = parts.path.rpartition("@")
    if parts.scheme != "mailto" or not at:
        return [parts]
    folded = parts._replace(path=f"{local}@{lower(domain)}")
    return [folded, parts] if by_scheme else [parts, folded]


# ---- RFC 2396, section 6


def steps_rfc2396(mode: str, given: Parts, spec: str) -> list[Choice]:
    by_scheme = mode == "scheme"
    return [
        lambda parts: case_rfc2396(parts, spec),
        lambda parts: escapes_rfc2396(parts, by_scheme=by_scheme),
        lambda parts: ports_rfc2396(parts, spec, by_scheme=by_scheme),
        dots_rfc2396,
        lambda parts: paths_rfc2396(parts, by_scheme=by_scheme),
    ]


_LABEL = "(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)"
_HOST = re.compile(rf"(?i:(?:{_LABEL}\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?\.?|[0-9]+(?:\.[0-9]+){{3}})")


def is_server(parts: Parts, spec: str) -> bool:
    """R-2396-11: the authority names a host, with a port of digits; otherwise it is a registry name."""
    if parts.host is None:
        return False
    if parts.host == "" and parts.userinfo is None and parts.port is None:
        return True
    if spec == "rfc2732" and parts.host.startswith("["):
        return True
    if parts.userinfo is not None and not set(parts.userinfo) <= ALPHANUMERIC | set("-_.!~*'()%;:&=+$,"):
        return False
    if spec == "rfc2732" and re.fullmatch("[0-9.]+", parts.host):
        return all(len(number) <= 3 for number in parts.host.split(".")) and parts.host.count(".") == 3
    return bool(_HOST.fullmatch(parts.host)) and (parts.port or "").isdigit() | (not parts.port)


def case_rfc2396(parts: Parts, spec: str) -> list[Parts | None]:
    """Scheme and host are case insensitive; a registry name is no host."""
    plain = parts._replace(scheme=parts.scheme and parts.scheme.lower())
    if parts.host and is_server(parts, spec):
        plain = plain._replace(host=lower(parts.host))
    return [plain]


def escapes_rfc2396(parts: Parts, *, by_scheme: bool) -> list[Parts | None]:
    """R-2396-26: the path of a URL of http is decoded (section 2.4.2), that of others may be."""
    plain = parts._replace(path=decoded(parts.path, UNRESERVED_2396, upper=False))
    return [plain, parts] if by_scheme and parts.scheme == "http" else [parts, plain]


def ports_rfc2396(parts: Parts, spec: str, *, by_scheme: bool) -> list[Parts | None]:
    """R-2396-27, -34: the default port goes if the scheme decides; that of wais and prospero may."""
    if parts.port is None or not is_server(parts, spec):
        return [parts]
    bare, default = parts._replace(port=None), port_of(parts)
    if default and parts.port == str(default) and by_scheme:
        return [bare, parts] if parts.scheme in ("wais", "prospero") else [bare]
    is_other_default = (parts.scheme, parts.port) in OTHER_DEFAULTS
    return [parts, bare] if parts.port in ("", str(default)) or is_other_default else [parts]


def dots_rfc2396(parts: Parts) -> list[Parts | None]:
    """R-2396-27: nothing is said of dot segments."""
    if not parts.path.startswith("/"):
        return [parts]
    path = remove_dot_segments(parts.path)
    return [parts] if parts.host is None and path.startswith("//") else [parts, parts._replace(path=path)]


def paths_rfc2396(parts: Parts, *, by_scheme: bool) -> list[Parts | None]:
    """R-2396-27: nothing is said of an empty path, which a scheme may equate to a slash."""
    if parts.host is None or parts.path or not by_scheme:
        return [parts]
    return [parts, parts._replace(path="/")]
