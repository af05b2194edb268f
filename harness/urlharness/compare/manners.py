"""The manner in which two values of a component differ.

A class of difference must say what differs in two answers, not what the text has besides. So a class is only
considered if it belongs to the manner in which the values differ: one is the other with triplets decoded, or
without dot segments, or is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from urlharness.corpus.longtext import abbreviated_beginning, is_abbreviation
from urlharness.corpus.model import AUTHORITY, RESERVED, TRIPLET
from urlharness.explain.classify import CHARACTERS
from urlharness.panel.answer import Answer, differing_components, parts_of
from urlharness.panel.hosts import host_target
from urlharness.panel.spelling import split, without_dots
from urlharness.protocol.messages import ComponentTexts
from urlharness.text import ascii_lower


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

    first: str | None
    second: str | None
    manner: Manner
    rest: str = ""
    changed: frozenset[str] = frozenset()
    components: frozenset[str] = frozenset()


#: A character of a text, or a triplet that stands for one.
_CHARACTER = re.compile(f"{TRIPLET.pattern}|.", re.DOTALL)

_DOT = re.compile("%2e", re.IGNORECASE)
_DOTS_IN_SEGMENT = re.compile("(^|/)([.]|%2e){1,2}(/|$)", re.IGNORECASE)
_PARAMETERS = re.compile(";[^/]*")
_SLASHES = re.compile("/+")
_LEADING_DOTS = re.compile(r"/?(\.\.(/|$))+")


def compare_values(component: str, first: Answer, second: Answer, *, host: str | None) -> ValuePair:
    """Return how a component differs in two answers. `host` is the host of the text, or of its base.

    A difference in the authority is one in the host.
    """
    differing = differing_components(first, second)
    parts = parts_of(first)
    other_parts = parts_of(second)
    if component not in ("host", "authority"):
        values = compare_texts(component, parts.get(component), other_parts.get(component))
        if component in AUTHORITY and _only_one_divides(parts, other_parts):
            values = values._replace(manner=Manner.UNDIVIDED)
        return values._replace(components=differing)
    if component == "authority":
        parts = _with_divided_authority(parts)
        other_parts = _with_divided_authority(other_parts)
    values = compare_texts("host", parts.get("host"), other_parts.get("host"))
    manner = _manner_of_authorities(parts, other_parts, host)
    if manner is None and values.manner is not Manner.CASE and _contains_login(parts, other_parts):
        manner = Manner.LOGIN
    return values._replace(manner=manner or values.manner, components=differing)


def _with_divided_authority(components: ComponentTexts) -> ComponentTexts:
    """Return components with those that their authority has, if they do not have them themselves."""
    return {**split(f"//{components.get('authority') or ''}"), **components}


def compare_texts(component: str, first: str | None, second: str | None) -> ValuePair:
    """Return how a component of two texts differs. The case of ASCII letters in a host does not matter."""
    if component == "host" and first is not None and second is not None:
        lower_first = ascii_lower(first)
        lower_second = ascii_lower(second)
        if lower_first != lower_second:  # else the case is the difference
            return _value_pair(component, lower_first, lower_second)
    return _value_pair(component, first, second)


def _value_pair(component: str, first: str | None, second: str | None) -> ValuePair:
    """Return two values with the manner in which they differ. Of an abbreviation, its beginning counts."""
    texts = (first or "", second or "")
    if any(map(is_abbreviation, texts)):
        beginnings = _beginnings_of_one_length(*texts)
        if beginnings[0] != beginnings[1]:
            first, second = texts = beginnings
    manner = _manner(component, *texts)
    return ValuePair(first, second, manner, rest=_continuation(*texts), changed=_differently_encoded(*texts))


def _beginnings_of_one_length(first: str, second: str) -> tuple[str, str]:
    """Return the beginnings of two texts with the same number of characters, of which triplets count as one.

    An abbreviation of a text shows its beginning, perhaps with a triplet that is cut.
    """
    beginnings = [
        re.sub("%.?$", "", abbreviated_beginning(text)) if is_abbreviation(text) else text
        for text in (first, second)
    ]
    characters, other_characters = map(_CHARACTER.findall, beginnings)
    length = min(len(characters), len(other_characters))
    return "".join(characters[:length]), "".join(other_characters[:length])


def _manner_of_authorities(
    parts: ComponentTexts, other_parts: ComponentTexts, host: str | None
) -> Manner | None:
    """Return the manner if only one of two answers divides or has an authority, else None."""
    if _only_one_divides(parts, other_parts):
        return Manner.UNDIVIDED
    has_host = bool(parts.get("host"))
    if has_host is bool(other_parts.get("host")):
        return None
    with_host, without = (parts, other_parts) if has_host else (other_parts, parts)
    if host is None:
        return Manner.NEW_AUTHORITY
    # the path of a library that did not know the scheme may begin with the scheme
    path = without.get("path") or ""
    in_path = re.match("([^/?#]*:)?//", path) is not None or _is_path_with_authority(path, with_host)
    return Manner.NO_AUTHORITY if host and in_path else None


def _is_path_with_authority(path: str, divided: ComponentTexts) -> bool:
    """Return True if the path of a file URL begins with the userinfo and the host of another answer."""
    if (divided.get("scheme") or "").lower() != "file":
        return False
    userinfo = divided.get("userinfo")
    before = "" if userinfo is None else f"{userinfo}@"
    return path.lstrip("/").startswith(f"{before}{divided.get('host')}")


def _only_one_divides(parts: ComponentTexts, other_parts: ComponentTexts) -> bool:
    """Return True if one answer has an authority without parts, and the other one has such parts."""
    for undivided, divided in ((parts, other_parts), (other_parts, parts)):
        has_parts = any(undivided.get(name) for name in AUTHORITY)
        if undivided.get("authority") and not has_parts:
            return any(divided.get(name) for name in AUTHORITY)
    return False


def _contains_login(parts: ComponentTexts, other_parts: ComponentTexts) -> bool:
    """Return True if one answer has the userinfo of the other one in its host, or the end of it.

    The other one need not show its userinfo, and the delimiter may be a triplet in the host.
    """
    for whole, divided in ((parts, other_parts), (other_parts, parts)):
        host = divided.get("host") or ""
        has_userinfo = divided.get("userinfo") is not None
        may_have_userinfo = host != "" and "userinfo" not in divided
        end = b"@" + _fully_decoded(host)
        if (has_userinfo or may_have_userinfo) and _fully_decoded(whole.get("host") or "").endswith(end):
            return True
    return False


def _manner(component: str, first: str, second: str) -> Manner:
    """Return the manner in which two values differ, of which an absent one is empty here."""
    if not first and not second:
        return Manner.EMPTY
    if first.isascii() and second.isascii() and first.casefold() == second.casefold():
        return Manner.CASE
    if component == "host":
        return _manner_of_hosts(first, second)
    if component == "port" and first and second and _without_zeros(first) == _without_zeros(second):
        return Manner.NUMBER
    if component == "path" and {first, second} == {"", "/"}:
        return Manner.EMPTY_PATH
    return _manner_of_other_components(component, first, second)


def _manner_of_hosts(first: str, second: str) -> Manner:
    """Return the manner in which two hosts differ, of which at most one is empty."""
    if not first or not second:
        return Manner.LOST
    if first.rstrip(".") == second.rstrip("."):
        return Manner.TRAILING_DOT
    if _fully_decoded(first) == _fully_decoded(second):
        return Manner.TRIPLETS
    if _continuation(first, second):
        return Manner.LONGER
    if _ends_at_decoded_delimiter(first, second):
        return Manner.TRIPLETS
    if _plain_groups(first) == _plain_groups(second):
        return Manner.ZEROS
    return Manner.SAME_TARGET if host_target(first) == host_target(second) else Manner.OTHER


#: The delimiters after a host, and that before it.
_DELIMITERS_OF_HOST = (b":", b"/", b"?", b"#", b"@")


def _ends_at_decoded_delimiter(first: str, second: str) -> bool:
    """Return True if one of two hosts is the other one, decoded, up to a delimiter that was encoded there."""
    short, long = sorted(map(_fully_decoded, (first, second)), key=len)
    return long.startswith(short) and long[len(short) :].startswith(_DELIMITERS_OF_HOST)


def _plain_groups(host: str) -> str:
    """Return a host without zeros before its decimal groups, as some libraries read an IPv4 address."""
    if re.fullmatch("[0-9.]+", host) is None:
        return host
    return ".".join(map(_without_zeros, host.split(".")))


def _manner_of_other_components(component: str, first: str, second: str) -> Manner:
    """Return the manner in which two values of a component other than the host differ.

    At most one of them is empty.
    """
    if _fully_decoded(first) == _fully_decoded(second):
        return Manner.TRIPLETS
    if component == "query" and _fully_decoded(first.replace("+", " ")) == _fully_decoded(
        second.replace("+", " ")
    ):
        return Manner.TRIPLETS
    if not first or not second:
        return _manner_of_lost_path(first or second) if component == "path" else Manner.LOST
    manner = _manner_of_paths(_with_decoded_dots(first), _with_decoded_dots(second))
    return manner or _manner_of_ends(first, second)


def _manner_of_paths(first: str, second: str) -> Manner | None:
    """Return the manner in which two decoded values with slashes differ, or None if it is none of paths."""
    if first.lstrip("/") == second.lstrip("/"):
        return Manner.SLASH
    if _LEADING_DOTS.sub("/", first) == _LEADING_DOTS.sub("/", second):
        return Manner.EXCESS
    if _without_any_dots(first) == _without_any_dots(second):
        return Manner.DOTS
    if _SLASHES.sub("/", first) == _SLASHES.sub("/", second):
        return Manner.SEGMENTS
    if _PARAMETERS.sub("", first) == _PARAMETERS.sub("", second):
        return Manner.PARAMETERS
    return None


def _manner_of_ends(first: str, second: str) -> Manner:
    """Return the manner in which the end of one value differs from that of the other one."""
    rest = _continuation(first, second)
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
    has_only_dots = _without_any_dots(_with_decoded_dots(path)) == "/"
    return Manner.DOTS if has_only_dots else Manner.LOST


def _without_any_dots(path: str) -> str:
    """Return a path without dot segments, also without those that lead above the root."""
    return re.sub(r"^/?(\.\.?(/|$))*", "/", without_dots(path))


def _without_zeros(text: str) -> str:
    return text.lstrip("0") or "0"


def _fully_decoded(text: str) -> bytes:
    """Decode the triplets of a text until there are none, since some libraries decode twice."""
    octets = text.encode("utf-8", "surrogatepass")
    while True:
        decoded = unquote_to_bytes(octets)
        if decoded == octets:
            return octets
        octets = decoded


def _with_decoded_dots(text: str) -> str:
    """Return a text without triplets, also without one that stands for a dot within another triplet."""
    return _DOT.sub(".", _fully_decoded(text).decode("latin-1"))


def _continuation(first: str, second: str) -> str:
    """Return how one value goes on after the other one, or an empty string if it does not begin with it."""
    short, long = sorted((first, second), key=len)
    return long[len(short) :] if short and long.startswith(short) else ""


def _differently_encoded(first: str, second: str) -> frozenset[str]:
    """Return the characters that are encoded in one value more often than in the other one."""
    triplets = _count_triplets(first)
    other_triplets = _count_triplets(second)
    differing = (triplets - other_triplets) + (other_triplets - triplets)
    codes = (int(triplet[1:], 16) for triplet in differing)
    return frozenset(chr(min(code, 0x80)) for code in codes)


def _count_triplets(text: str) -> Counter[str]:
    """Count the triplets of a text, each in upper case."""
    return Counter(triplet.upper() for triplet in TRIPLET.findall(text))


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
#: The characters whose triplets are kept: the reserved ones, and the percent sign (section 2.4).
_KEPT_IN_TRIPLETS = RESERVED | {"%"}

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
    "scheme-characters",
    "unknown-scheme",
    "scheme-rule",
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

#: The manners in which paths may differ if only one of them has a slash encoded.
_MANNERS_OF_DECODED_SLASHES = frozenset((Manner.EXCESS, Manner.DOTS, Manner.SLASH, Manner.SEGMENTS))

_DOT_CLASSES = ("encoded-dots", "dots-in-base", "dots-in-absolute-path", "dots-elsewhere")

#: The classes that can name a difference, by component and manner. Those that are tested first come first.
_CLASSES: Mapping[str, Mapping[Manner, tuple[str, ...]]] = {
    "host": {
        Manner.EMPTY: ("empty-host", "file-host"),
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
        Manner.LOGIN: ("several-ats", "login-delimiter", "escape-in-host"),
        Manner.OTHER: (
            "several-ats",
            "backslash",
            "white-space",
            "control-character",
            "unsafe-character",
            "ipv6-literal",
            "non-ascii",
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
        Manner.EMPTY_PATH: (
            *("pathless-base", "empty-scheme-part", "empty-path", "rootless"),
            *("excess-dotdot", "dots-in-absolute-path"),
        ),
        Manner.SLASH: _PATH_SLASH_CLASSES,
        Manner.EXCESS: ("dots-in-absolute-path", "excess-dotdot", "empty-segment", "dots-in-base"),
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
        if _encodes_more(pair, source):
            return _classes_of_raw_characters(component, pair.changed, source)
        return _classes_of_characters(component, pair.changed, source)
    if pair.manner is Manner.CASE and _differ_in_triplets_only(pair):
        return ("escape-in-host",) if component == "host" else _classes_of_triplets(_changed_triplets(pair))
    special: tuple[str, ...] | None = None
    if component == "host":
        special = _classes_of_host(pair, source)
    elif component == "path":
        special = _classes_of_path(pair, source)
    elif component == "userinfo" and pair.manner is Manner.LOST and ":" in (pair.first, pair.second):
        special = ("several-ats", "empty-component")  # an empty user with an empty password
    elif component == "query" and pair.manner is Manner.LOST and "path" not in pair.components:
        special = ("query-only", "empty-reference", "pathless-base")
    return _CLASSES.get(component, {}).get(pair.manner, ()) if special is None else special


def _classes_of_host(pair: ValuePair, source: str) -> tuple[str, ...] | None:
    """Return the classes of a difference of two hosts, or None if they depend on the manner alone."""
    if pair.manner is Manner.TRIPLETS:
        return _classes_of_encoded_host(pair.changed, source)
    return _classes_of_longer_host(pair) if pair.manner is Manner.LONGER else None


def _classes_of_path(pair: ValuePair, source: str) -> tuple[str, ...] | None:
    """Return the classes of a difference of two paths, or None if they depend on the manner alone."""
    if "/" in pair.changed and pair.manner in _MANNERS_OF_DECODED_SLASHES:
        # a slash that only one of the values encodes makes segments, which may be dot segments, in the other
        return ("encoded-delimiter", *_CLASSES["path"][pair.manner])
    if pair.manner is Manner.SLASH:
        return tuple(_classes_of_slashes(pair))
    if pair.manner is Manner.OTHER and _both_begin_with_slash(pair):
        # what the merge with a base without a path adds is there
        return tuple(entry for entry in _CLASSES["path"][Manner.OTHER] if entry != "pathless-base")
    if pair.manner is Manner.LONGER and not pair.rest.startswith(";"):
        # `..` removes an empty segment, or one too many if the library does not count it
        return (*_BASE_CLASSES, "empty-segment") if _DOTS_IN_SEGMENT.search(source) else _BASE_CLASSES
    return None


def _classes_of_slashes(pair: ValuePair) -> Iterator[str]:
    """Yield the classes of the slashes at the beginning of two paths.

    If one path has none and the other one has one, no empty segment is what differs.
    """
    is_about_one_slash = all(not (text or "").startswith("//") for text in (pair.first, pair.second))
    for entry in _PATH_SLASH_CLASSES:
        if entry == "empty-host" and not _is_slash_of_authority(pair):
            continue
        if entry in ("double-slash", "empty-segment") and is_about_one_slash:
            continue
        yield entry


def _differ_in_triplets_only(pair: ValuePair) -> bool:
    """Return True if two values differ only in the case of the digits of triplets."""
    first, second = (
        TRIPLET.sub(lambda triplet: triplet[0].upper(), text or "") for text in (pair.first, pair.second)
    )
    return first == second


def _changed_triplets(pair: ValuePair) -> frozenset[str]:
    """Return the characters whose triplets two values write differently; see `ValuePair.changed`."""
    triplets = zip(TRIPLET.findall(pair.first or ""), TRIPLET.findall(pair.second or ""), strict=True)
    return frozenset(chr(min(int(first[1:], 16), 0x80)) for first, second in triplets if first != second)


def _is_slash_of_authority(pair: ValuePair) -> bool:
    """Return True if one path has the delimiter of an empty authority before the other one."""
    first = pair.first or ""
    second = pair.second or ""
    return f"//{first}" == second or f"//{second}" == first


def _both_begin_with_slash(pair: ValuePair) -> bool:
    return all((text or "").startswith("/") for text in (pair.first, pair.second))


def _classes_of_encoded_host(changed: frozenset[str], source: str) -> tuple[str, ...]:
    """Return the classes of what only one of two hosts encodes: a raw character, or else a triplet."""
    encoded = _differently_encoded(source, "")  # beside an empty text: all that the source encodes
    is_raw = not changed <= encoded
    characters = _classes_of_characters("host", changed, source) if is_raw else ()
    return (*characters, "non-ascii", "escape-in-host")


def _classes_of_longer_host(pair: ValuePair) -> tuple[str, ...]:
    """Return the classes of what follows the shorter of two hosts in the longer one, or none.

    There is none for a port that is shown together with the host, because that is no difference in the host.
    """
    shorter = min(pair.first or "", pair.second or "", key=len)
    if shorter.startswith("[") and not shorter.endswith("]"):
        return ("ipv6-literal",)
    delimiter = re.match("(?::[0-9]*)?([?;#@\\\\])", pair.rest)
    if delimiter is not None:
        return _AFTER_HOST[delimiter[1]]
    if pair.rest == ":":
        return ("empty-port",)
    if pair.rest.strip(" ") == "":
        return ("white-space",)
    if shorter.endswith("]") and not pair.rest.startswith(":"):  # what follows the bracket belongs to one
        return ("ipv6-literal",)
    # a library that shows host and port together says nothing of the port, unless it is none
    is_port = re.fullmatch(":[0-9]+", pair.rest) is not None
    return ("port-digits",) if pair.rest.startswith(":") and not is_port else ()


def _classes_of_characters(component: str, changed: frozenset[str], source: str) -> tuple[str, ...]:
    """Return the classes of characters that only one of two values encodes, or nothing."""
    if not changed:
        return ()
    encoded = _differently_encoded(source, "")  # beside an empty text: all that the source encodes
    if changed <= encoded:
        if component == "path" and changed == {"."} and _DOTS_IN_SEGMENT.search(source):
            return ("encoded-dots",)
        return _classes_of_triplets(changed)
    return _classes_of_raw_characters(component, changed - encoded, source)


def _encodes_more(pair: ValuePair, source: str) -> bool:
    """Return True if a value has each changed character in more triplets than the text has."""
    in_source, first, second = (
        Counter(chr(min(int(triplet[1:], 16), 0x80)) for triplet in TRIPLET.findall(text or ""))
        for text in (source, pair.first, pair.second)
    )
    changed = pair.changed
    return bool(changed) and all(max(first[key], second[key]) > in_source[key] for key in changed)


def _classes_of_raw_characters(component: str, raw: frozenset[str], source: str) -> tuple[str, ...]:
    """Return the classes of characters that stand in the text as they are, and in a value as triplets."""
    fitting = [
        name
        for name, characters in _RAW.items()
        if raw <= frozenset(characters) and (name not in CHARACTERS or CHARACTERS[name](source))
    ]
    if component == "userinfo" and raw <= frozenset(":;?&="):  # RFC 1738, section 5: user and password
        fitting.append("login-delimiter")
    if component == "query" and raw <= frozenset("/?"):
        fitting.append("search-slash")
    return tuple(fitting)


def _classes_of_triplets(characters: frozenset[str]) -> tuple[str, ...]:
    """Return the class of the triplets of these characters, or nothing."""
    if characters <= _UNRESERVED:
        return ("escaped-unreserved",)
    return ("encoded-delimiter",) if characters & _KEPT_IN_TRIPLETS else ()
