"""The manner in which two values of a component differ.

A class of difference must say what differs in two answers, not what the text has besides. So a class is only
considered if it belongs to the manner in which the values differ: one is the other with triplets decoded, or
without dot segments, or is lost.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from urlharness.corpus.model import AUTHORITY, TRIPLET
from urlharness.explain.classify import CHARACTERS
from urlharness.panel.answer import Answer, differing_components, parts_of
from urlharness.panel.hosts import host_target
from urlharness.panel.spelling import split, without_dots


class Manner(StrEnum):
    """A manner in which two values differ. The first that fits is the manner of two values."""

    EMPTY = "one is absent, the other is empty"
    CASE = "upper and lower case"
    EMPTY_PATH = "one is empty, the other is a slash"
    UNDIVIDED = "one answer shows an authority, but no host"
    NO_AUTHORITY = "one answer has the authority in its path"
    NEW_AUTHORITY = "one answer has a host although the text has no authority"
    LOST = "one is absent or empty"
    SAME_TARGET = "one host, written in two ways"
    ZEROS = "zeros before the groups of an IPv4 address"
    TRAILING_DOT = "a dot at the end of the host"
    NUMBER = "zeros before a number"
    TRIPLETS = "characters are encoded or decoded"
    EXCESS = "`..` at the beginning of a path"
    DOTS = "dot segments"
    SLASH = "slashes at the beginning"
    SEGMENTS = "empty segments"
    PARAMETERS = "what follows a semicolon in a segment"
    QUESTION = "one continues after a question mark"
    LONGER = "one continues where the other ends"
    LOGIN = "one host contains the userinfo"
    OTHER = "none of these"


class ValuePair(NamedTuple):
    r"""The values of a component in two answers, and what else shows why they differ.

    `rest` is where the longer value goes on, if it begins with the other one. `changed` contains the
    characters that only one of the values encodes; `\x80` stands for all outside ASCII. `components` are all
    components in which the answers differ.
    """

    one: str | None
    other: str | None
    manner: Manner
    rest: str = ""
    changed: frozenset[str] = frozenset()
    components: frozenset[str] = frozenset()


_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_DOT = re.compile("%2e", re.IGNORECASE)
_DOTS_IN_SEGMENT = re.compile("(^|/)([.]|%2e){1,2}(/|$)", re.IGNORECASE)
_PARAMETERS = re.compile(";[^/]*")
_SLASHES = re.compile("/+")
_LEADING_DOTS = re.compile(r"/?(\.\.(/|$))+")


def compare_values(component: str, one: Answer, other: Answer, *, host: str | None) -> ValuePair:
    """Return how a component differs in two answers. `host` is the host of the text, or of its base."""
    parts, others = parts_of(one), parts_of(other)
    if component == "authority":
        component = "host"
        parts, others = ({**split(f"//{found.get('authority') or ''}"), **found} for found in (parts, others))
    values = compare_texts(component, parts.get(component), others.get(component))
    if component == "host":
        manner = _manner_of_authorities(parts, others, host)
        if manner is None and values.manner is not Manner.CASE and _contains_login(parts, others):
            manner = Manner.LOGIN
        values = values._replace(manner=manner or values.manner)
    return values._replace(components=differing_components(one, other))


def compare_texts(component: str, first: str | None, second: str | None) -> ValuePair:
    """Return how a component of two texts differs. The case of ASCII letters in a host does not matter."""
    if component == "host" and first is not None and second is not None:
        lower = first.translate(_LOWER)
        lower_second = second.translate(_LOWER)
        if lower != lower_second:  # else the case is the difference
            first = lower
            second = lower_second
    rest = _rest(first or "", second or "")
    changed = _changed(first or "", second or "")
    return ValuePair(first, second, _manner(component, first, second), rest, changed)


def _manner_of_authorities(
    parts: Mapping[str, str | None], others: Mapping[str, str | None], host: str | None
) -> Manner | None:
    """Return the manner if only one of two answers divides or has an authority, else None."""
    first, second = parts.get("host"), others.get("host")
    if bool(first) is bool(second):
        return None
    without = others if first else parts
    if without.get("authority") and not any(without.get(name) for name in AUTHORITY):
        return Manner.UNDIVIDED
    if host is None:
        return Manner.NEW_AUTHORITY
    # the path of a library that did not know the scheme may begin with the scheme
    in_path = re.match("([^/?#]*:)?//", without.get("path") or "") is not None
    return Manner.NO_AUTHORITY if host and in_path else None


def _contains_login(parts: Mapping[str, str | None], others: Mapping[str, str | None]) -> bool:
    """Return True if one answer has the userinfo of the other one in its host."""
    for whole, divided in ((parts, others), (others, parts)):
        userinfo, host = divided.get("userinfo"), divided.get("host") or ""
        if userinfo is not None and (whole.get("host") or "").endswith(f"@{host}"):
            return True
    return False


def _manner(component: str, first: str | None, second: str | None) -> Manner:
    if not first and not second:
        return Manner.EMPTY
    one, other = first or "", second or ""
    if one.isascii() and other.isascii() and one.casefold() == other.casefold():
        return Manner.CASE
    if component == "host":
        return _manner_of_hosts(one, other)
    if component == "port" and one and other and _number(one) == _number(other):
        return Manner.NUMBER
    if component == "path" and {one, other} == {"", "/"}:
        return Manner.EMPTY_PATH
    return _manner_of_texts(component, one, other)


def _manner_of_hosts(one: str, other: str) -> Manner:
    if not one or not other:
        return Manner.LOST
    if one.rstrip(".") == other.rstrip("."):
        return Manner.TRAILING_DOT
    if _decoded(one) == _decoded(other):
        return Manner.TRIPLETS
    if _rest(one, other):
        return Manner.LONGER
    if _plain_groups(one) == _plain_groups(other):
        return Manner.ZEROS
    return Manner.SAME_TARGET if host_target(one) == host_target(other) else Manner.OTHER


def _plain_groups(host: str) -> str:
    """Return a host without zeros before its decimal groups, as some libraries read an IPv4 address."""
    return ".".join(map(_number, host.split("."))) if re.fullmatch("[0-9.]+", host) else host


def _manner_of_texts(component: str, one: str, other: str) -> Manner:
    """Return the manner in which two values that do not identify a host or a port differ."""
    if _decoded(one) == _decoded(other):
        return Manner.TRIPLETS
    if component == "query" and _decoded(one.replace("+", " ")) == _decoded(other.replace("+", " ")):
        return Manner.TRIPLETS
    if {one, other} & {""}:
        return _manner_of_lost_path(one or other) if component == "path" else Manner.LOST
    plain, plain_other = (_DOT.sub(".", _decoded_text(value)) for value in (one, other))
    tests = {
        Manner.SLASH: plain.lstrip("/") == plain_other.lstrip("/"),
        Manner.EXCESS: _LEADING_DOTS.sub("/", plain) == _LEADING_DOTS.sub("/", plain_other),
        Manner.DOTS: _without_dots(plain) == _without_dots(plain_other),
        Manner.SEGMENTS: _SLASHES.sub("/", plain) == _SLASHES.sub("/", plain_other),
        Manner.PARAMETERS: _PARAMETERS.sub("", plain) == _PARAMETERS.sub("", plain_other),
    }
    found = next((manner for manner, holds in tests.items() if holds), None)
    if found is not None:
        return found
    rest = _rest(one, other)
    if rest.startswith("?"):
        return Manner.QUESTION
    return Manner.LONGER if rest else Manner.OTHER


def _manner_of_lost_path(path: str) -> Manner:
    """Return the manner in which a path differs from an empty one."""
    if _PARAMETERS.fullmatch(path):
        return Manner.PARAMETERS
    if path.startswith("?"):
        return Manner.QUESTION
    if _LEADING_DOTS.sub("", path) == "":
        return Manner.EXCESS
    has_only_dots = _without_dots(_DOT.sub(".", _decoded_text(path))) == "/"
    return Manner.DOTS if has_only_dots else Manner.LOST


def _without_dots(path: str) -> str:
    """Return a path without dot segments, also without those that lead above the root."""
    return re.sub(r"^/?(\.\.?(/|$))*", "/", without_dots(path))


def _number(text: str) -> str:
    return text.lstrip("0") or "0"


def _decoded(text: str) -> bytes:
    """Decode the triplets of a text until there are none, since some libraries decode twice."""
    before, after = b"", text.encode("utf-8", "surrogatepass")
    while before != after:
        before, after = after, unquote_to_bytes(after)
    return after


def _decoded_text(text: str) -> str:
    return _decoded(text).decode("latin-1")


def _rest(one: str, other: str) -> str:
    """Return how one value goes on after the other one, or an empty string if it does not begin with it."""
    short, long = sorted((one, other), key=len)
    return long[len(short) :] if short and long.startswith(short) else ""


def _changed(one: str, other: str) -> frozenset[str]:
    """Return the characters that are encoded in one value more often than in the other one."""
    triplets, others = (Counter(map(str.upper, TRIPLET.findall(value))) for value in (one, other))
    differing = (triplets - others) + (others - triplets)
    codes = (int(triplet[1:], 16) for triplet in differing)
    return frozenset(chr(min(code, 0x80)) for code in codes)


# ---- classes

#: The classes of characters that a library encodes although they stand in the text as they are.
_RAW: Mapping[str, str] = {
    "tilde": "~",
    "bracket": "[]",
    "unsafe-character": '<>"{}|^`',
    "backslash": "\\",
    "white-space": " ",
    "control-character": "".join(map(chr, (*range(0x20), 0x7F))),
    "non-ascii": "\x80",
    "second-hash": "#",
    "bad-escape": "%",
}

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_RESERVED = frozenset(":/?#[]@!$&'()*+,;=%")

#: The classes of what follows the shorter of two hosts in the longer one.
_AFTER_HOST: Mapping[str, tuple[str, ...]] = {
    "?": ("netloc-end",),
    ";": ("netloc-end",),
    "#": ("netloc-end",),
    "@": ("several-ats",),
    "\\": ("backslash",),
}

#: The classes by which an authority is found, or is not found, in a text.
_AUTHORITY_CLASSES = (
    "file-host",
    "scheme-first-char",
    "unknown-scheme",
    "network-path",
    "relative-reference",
    "slash-count",
)
_SLASH_CLASSES = ("same-scheme", "double-slash", *_AUTHORITY_CLASSES)

#: The classes of the slashes at the beginning of a path, if the answers agree on the host.
_PATH_SLASH_CLASSES = (
    "same-scheme",
    "double-slash",
    "file-host",
    "empty-host",
    "empty-segment",
    "file-drive",
    "rootless",
    "slash-count",
)

#: The classes of a reference that takes its path, or more, from the base.
_BASE_CLASSES = ("same-scheme", "query-only", "empty-reference", "pathless-base")

_DOT_CLASSES = ("encoded-dots", "dots-in-base", "dots-in-absolute-path", "dots-elsewhere")

#: The classes that can name a difference, by component and manner. Those that are tested first come first.
_CLASSES: Mapping[str, Mapping[Manner, tuple[str, ...]]] = {
    "host": {
        Manner.EMPTY: ("file-host", "empty-host"),
        Manner.NO_AUTHORITY: _AUTHORITY_CLASSES,
        Manner.NEW_AUTHORITY: _SLASH_CLASSES,
        Manner.SAME_TARGET: (
            "non-ascii",
            "escape-in-host",
            "ipv6-literal",
            "ipv4-range",
            "ipv4-forms",
            "trailing-dot",
        ),
        Manner.ZEROS: ("ipv4-range",),
        Manner.TRAILING_DOT: ("trailing-dot",),
        Manner.LOGIN: ("several-ats", "login-delimiter"),
        Manner.OTHER: (
            "several-ats",
            "ipv6-literal",
            "backslash",
            "white-space",
            "control-character",
            "non-ascii",
            "unsafe-character",
            "login-delimiter",
            "netloc-end",
            "network-path",
            *_BASE_CLASSES,
        ),
    },
    "userinfo": {
        Manner.EMPTY: ("empty-component",),
        Manner.LOST: ("several-ats", "userinfo-not-allowed", "network-path"),
        Manner.LONGER: ("several-ats", "empty-component", "login-delimiter"),
        Manner.OTHER: ("several-ats",),
    },
    "port": {
        Manner.EMPTY: ("empty-port",),
        Manner.NUMBER: ("port-digits",),
        Manner.LOST: ("empty-port", "default-port", "port-digits"),
        Manner.LONGER: ("netloc-end", "port-digits"),
        Manner.QUESTION: ("netloc-end",),
        Manner.OTHER: ("port-digits",),
    },
    "scheme": {
        Manner.CASE: ("scheme-case",),
        **dict.fromkeys((Manner.LOST, Manner.LONGER, Manner.OTHER, Manner.TRIPLETS), _SLASH_CLASSES),
    },
    "path": {
        Manner.EMPTY_PATH: ("pathless-base", "empty-scheme-part", "empty-path", "rootless"),
        Manner.SLASH: _PATH_SLASH_CLASSES,
        Manner.EXCESS: ("excess-dotdot",),
        Manner.DOTS: _DOT_CLASSES,
        Manner.SEGMENTS: ("double-slash", "empty-segment"),
        Manner.PARAMETERS: ("ftp-type", "prospero-fields", "params"),
        Manner.QUESTION: ("ftp-question", "opaque-query", "gopher-parts", "search-slash"),
        Manner.LOST: _BASE_CLASSES,
        Manner.LONGER: ("ftp-type", "prospero-fields", "params"),
        Manner.OTHER: (*_BASE_CLASSES, "rootless", "encoded-dots", "dots-in-base", "dots-elsewhere"),
    },
    "query": {
        Manner.EMPTY: ("empty-component",),
        Manner.LOST: ("ftp-question", "opaque-query", "query-only", "empty-reference", "pathless-base"),
        Manner.DOTS: ("dots-elsewhere",),
        Manner.QUESTION: ("search-slash",),
        Manner.LONGER: ("search-slash", *_BASE_CLASSES),
        Manner.OTHER: _BASE_CLASSES,
    },
    "fragment": {
        Manner.EMPTY: ("lone-hash", "empty-component"),
        Manner.LOST: ("empty-reference", "fragment"),
        Manner.DOTS: ("dots-elsewhere",),
        Manner.LONGER: ("second-hash",),
        Manner.OTHER: ("second-hash",),
    },
}


def classes_of(component: str, pair: ValuePair, source: str) -> tuple[str, ...]:
    """Return the classes that can name a difference of two values, the best one first.

    `source` is the part of the text from which the component comes. A class has to be tested against the
    text, too: these are the classes of the manner.
    """
    if pair.manner is Manner.TRIPLETS and component not in ("host", "scheme"):
        return _classes_of_characters(component, pair.changed, source)
    if component == "host" and pair.manner is Manner.TRIPLETS:
        return _classes_of_encoded_host(pair.changed, source)
    if component == "host" and pair.manner is Manner.LONGER:
        return _classes_of_longer_host(pair)
    if component == "path" and pair.manner is Manner.LONGER and not pair.rest.startswith(";"):
        return _BASE_CLASSES
    if component == "query" and pair.manner is Manner.LOST and "path" not in pair.components:
        return ("query-only", "empty-reference", "pathless-base")
    return _CLASSES.get(component, {}).get(pair.manner, ())


def _classes_of_encoded_host(changed: frozenset[str], source: str) -> tuple[str, ...]:
    """Return the classes of what only one of two hosts encodes: a raw character, or else a triplet."""
    is_raw = not changed <= _changed(source, "")
    characters = _classes_of_characters("host", changed, source) if is_raw else ()
    return (*characters, "non-ascii", "escape-in-host")


def _classes_of_longer_host(pair: ValuePair) -> tuple[str, ...]:
    """Return the classes of what follows the shorter of two hosts in the longer one."""
    shorter = min(pair.one or "", pair.other or "", key=len)
    if shorter.startswith("[") and not shorter.endswith("]"):
        return ("ipv6-literal",)
    delimiter = re.match("(?::[0-9]*)?([?;#@\\\\])", pair.rest)
    if delimiter is not None:
        return _AFTER_HOST[delimiter[1]]
    if pair.rest == ":":
        return ("empty-port",)
    if pair.rest.strip(" ") == "":
        return ("white-space",)
    # a library that shows host and port together says nothing of the port, unless it is none
    is_port = re.fullmatch(":[0-9]+", pair.rest) is not None
    return ("port-digits",) if pair.rest.startswith(":") and not is_port else ()


def _classes_of_characters(component: str, changed: frozenset[str], source: str) -> tuple[str, ...]:
    """Return the classes of characters that only one of two values encodes, or nothing."""
    if not changed:
        return ()
    encoded = _changed(source, "")
    if changed <= encoded:
        if component == "path" and changed == {"."} and _DOTS_IN_SEGMENT.search(source):
            return ("encoded-dots",)
        if changed <= _UNRESERVED:
            return ("escaped-unreserved",)
        return ("encoded-delimiter",) if changed & _RESERVED else ()
    raw = changed - encoded
    fitting = [
        name
        for name, characters in _RAW.items()
        if raw <= frozenset(characters) and (name not in CHARACTERS or CHARACTERS[name](source))
    ]
    if component == "userinfo" and raw <= frozenset(":;?"):
        fitting.append("login-delimiter")
    if component == "query" and raw <= frozenset("/?"):
        fitting.append("search-slash")
    return tuple(fitting)
