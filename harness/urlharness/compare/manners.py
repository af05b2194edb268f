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
from urlharness.panel.spelling import joined_authority, split, without_cut_triplet, without_dots
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


#: What stands for all characters outside ASCII, and the first code of theirs.
_NOT_ASCII = "\x80"
_END_OF_ASCII = 0x80

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
    if component == "host":
        return _compare_hosts(parts, other_parts, host)._replace(components=differing)
    if component == "authority":
        divided = _with_divided_authority(parts)
        other_divided = _with_divided_authority(other_parts)
        return _compare_hosts(divided, other_divided, host)._replace(components=differing)
    values = compare_texts(component, parts.get(component), other_parts.get(component))
    if component in AUTHORITY and _only_one_divides(parts, other_parts):
        return values._replace(manner=Manner.UNDIVIDED, components=differing)
    return values._replace(components=differing)


def _compare_hosts(parts: ComponentTexts, other_parts: ComponentTexts, host: str | None) -> ValuePair:
    """Return how the hosts of two answers differ. `host` is the host of the text, or of its base."""
    values = compare_texts("host", parts.get("host"), other_parts.get("host"))
    manner = _manner_of_authorities(parts, other_parts, host)
    if manner is not None:
        return values._replace(manner=manner)
    if values.manner is not Manner.CASE and _contains_login(parts, other_parts):
        return values._replace(manner=Manner.LOGIN)
    return values


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
    if is_abbreviation(first) or is_abbreviation(second):
        beginning, other_beginning = _beginnings_of_one_length(first or "", second or "")
        if beginning != other_beginning:
            return _pair_of_whole_values(component, beginning, other_beginning)
    return _pair_of_whole_values(component, first, second)


def _pair_of_whole_values(component: str, first: str | None, second: str | None) -> ValuePair:
    """Return two values with the manner in which they differ, as if none of them was an abbreviation."""
    first_text = first or ""
    second_text = second or ""
    return ValuePair(
        first,
        second,
        manner=_manner(component, first_text, second_text),
        rest=_continuation(first_text, second_text),
        changed=_differently_encoded(first_text, second_text),
    )


def _beginnings_of_one_length(first: str, second: str) -> tuple[str, str]:
    """Return the beginnings of two texts with the same number of characters. A triplet counts as one."""
    characters = _CHARACTER.findall(_known_beginning(first))
    other_characters = _CHARACTER.findall(_known_beginning(second))
    length = min(len(characters), len(other_characters))
    return "".join(characters[:length]), "".join(other_characters[:length])


def _known_beginning(text: str) -> str:
    """Return a text, or of an abbreviation what it keeps of one, without a triplet that is cut."""
    return without_cut_triplet(abbreviated_beginning(text)) if is_abbreviation(text) else text


def _manner_of_authorities(
    parts: ComponentTexts, other_parts: ComponentTexts, host: str | None
) -> Manner | None:
    """Return the manner if only one of two answers divides or has an authority, else None."""
    if _only_one_divides(parts, other_parts):
        return Manner.UNDIVIDED
    has_host = bool(parts.get("host"))
    other_has_host = bool(other_parts.get("host"))
    if has_host == other_has_host:
        return None
    if host is None:
        return Manner.NEW_AUTHORITY
    if host == "":
        return None
    with_host, without_host = (parts, other_parts) if has_host else (other_parts, parts)
    path = without_host.get("path") or ""
    # the path of a library that did not know the scheme may begin with the scheme
    begins_with_slashes = re.match("([^/?#]*:)?//", path) is not None
    if begins_with_slashes or _is_path_with_authority(path, with_host):
        return Manner.NO_AUTHORITY
    return None


def _is_path_with_authority(path: str, divided: ComponentTexts) -> bool:
    """Return True if the path of a file URL begins with the userinfo and the host of another answer."""
    if (divided.get("scheme") or "").lower() != "file":
        return False
    authority = joined_authority(divided.get("userinfo"), divided.get("host"), port=None)
    return path.lstrip("/").startswith(authority)


def _only_one_divides(parts: ComponentTexts, other_parts: ComponentTexts) -> bool:
    """Return True if one answer has an authority without parts, and the other one has such parts."""
    for undivided, divided in ((parts, other_parts), (other_parts, parts)):
        has_parts = any(undivided.get(name) for name in AUTHORITY)
        if undivided.get("authority") and not has_parts:
            return any(divided.get(name) for name in AUTHORITY)
    return False


def _contains_login(parts: ComponentTexts, other_parts: ComponentTexts) -> bool:
    """Return True if one answer has the userinfo of the other one in its host, or the end of it."""
    return _is_host_with_login(parts.get("host"), other_parts) or _is_host_with_login(
        other_parts.get("host"), parts
    )


def _is_host_with_login(host: str | None, divided: ComponentTexts) -> bool:
    """Return True if a host ends with an `@` and the host of an answer that divides them.

    That answer need not show its userinfo, and the delimiter may be a triplet in the host.
    """
    divided_host = divided.get("host") or ""
    has_userinfo = divided.get("userinfo") is not None
    may_have_userinfo = divided_host != "" and "userinfo" not in divided
    if not has_userinfo and not may_have_userinfo:
        return False
    return _fully_decoded(host or "").endswith(b"@" + _fully_decoded(divided_host))


def _manner(component: str, first: str, second: str) -> Manner:
    """Return the manner in which two values of a component differ. An absent one is empty here."""
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
    if _fully_decoded(first) == _fully_decoded(second) or _is_decoded_as_latin_1(first, second):
        return Manner.TRIPLETS
    if _continuation(first, second):
        return Manner.LONGER
    if _ends_at_decoded_delimiter(first, second):
        return Manner.TRIPLETS
    if _plain_groups(first) == _plain_groups(second):
        return Manner.ZEROS
    return Manner.SAME_TARGET if host_target(first) == host_target(second) else Manner.OTHER


def _is_decoded_as_latin_1(first: str, second: str) -> bool:
    """Return True if one of two hosts has, for each byte beyond ASCII of the other one, its character."""
    decoded_first = _fully_decoded(first).decode("latin-1")
    decoded_second = _fully_decoded(second).decode("latin-1")
    return decoded_first == second or decoded_second == first


#: The delimiters after a host, and that before it.
_DELIMITERS_OF_HOST = (b":", b"/", b"?", b"#", b"@")


def _ends_at_decoded_delimiter(first: str, second: str) -> bool:
    """Return True if one of two hosts is the other one, decoded, up to a delimiter that was encoded there."""
    shorter, longer = sorted((_fully_decoded(first), _fully_decoded(second)), key=len)
    return longer.startswith(shorter) and longer.removeprefix(shorter).startswith(_DELIMITERS_OF_HOST)


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
    if component == "query" and _decoded_as_form(first) == _decoded_as_form(second):
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
    encoded = text.encode("utf-8", "surrogatepass")
    decoded = unquote_to_bytes(encoded)
    while decoded != encoded:
        encoded = decoded
        decoded = unquote_to_bytes(encoded)
    return decoded


def _decoded_as_form(query: str) -> bytes:
    """Decode the triplets of a query, in which a plus sign stands for a space, as in those of HTML forms."""
    return _fully_decoded(query.replace("+", " "))


def _with_decoded_dots(text: str) -> str:
    """Return a text without triplets, also without one that stands for a dot within another triplet."""
    return _DOT.sub(".", _fully_decoded(text).decode("latin-1"))


def _continuation(first: str, second: str) -> str:
    """Return how one value goes on after the other one, or an empty string if it does not begin with it.

    Return an empty string, too, if one of them is empty.
    """
    shorter, longer = sorted((first, second), key=len)
    if not shorter or not longer.startswith(shorter):
        return ""
    return longer.removeprefix(shorter)


def _differently_encoded(first: str, second: str) -> frozenset[str]:
    """Return the characters that are encoded in one value more often than in the other one."""
    triplets = _count_triplets(first)
    other_triplets = _count_triplets(second)
    differing = (triplets - other_triplets) + (other_triplets - triplets)
    return frozenset(map(_character_of, differing))


def _count_triplets(text: str) -> Counter[str]:
    """Count the triplets of a text, each in upper case."""
    return Counter(triplet.upper() for triplet in TRIPLET.findall(text))


def _character_of(triplet: str) -> str:
    r"""Return the character for which a triplet stands, and `\x80` for all outside ASCII."""
    code = int(triplet.removeprefix("%"), 16)
    return chr(code) if code < _END_OF_ASCII else _NOT_ASCII


# ---- classes

#: The classes of characters that a library encodes although they stand in the text as they are.
_RAW: Mapping[str, str] = {
    "tilde": "~",
    "bracket": "[]",
    "unsafe-character": '<>"{}|^`',
    "backslash": "\\",
    "white-space": " ",
    "control-character": "".join(map(chr, (*range(0x20), 0x7F))),
    "non-ascii": _NOT_ASCII,
    "second-hash": "#",
    "bad-escape": "%",
}

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
#: The marks of RFC 2396, section 2.3, that RFC 3986 reserves (appendix D.2).
_FORMER_MARKS = frozenset("!*'()")
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
    if pair.manner is Manner.CASE and _differ_in_case_of_triplets(pair):
        return ("escape-in-host",) if component == "host" else _classes_of_triplets(_changed_triplets(pair))
    if component == "host":
        return _classes_of_host(pair, source)
    if component == "path":
        return _classes_of_path(pair, source)
    if component == "userinfo" and pair.manner is Manner.LOST and ":" in (pair.first, pair.second):
        return ("several-ats", "empty-component")  # an empty user with an empty password
    if component == "query" and pair.manner is Manner.LOST and "path" not in pair.components:
        return ("query-only", "empty-reference", "pathless-base")
    return _classes_of_manner(component, pair.manner)


def _classes_of_manner(component: str, manner: Manner) -> tuple[str, ...]:
    """Return the classes of a difference that depend on its component and manner alone, or nothing."""
    return _CLASSES.get(component, {}).get(manner, ())


def _classes_of_host(pair: ValuePair, source: str) -> tuple[str, ...]:
    """Return the classes of a difference of two hosts, or nothing."""
    if pair.manner is Manner.TRIPLETS:
        return _classes_of_encoded_host(pair.changed, source)
    if pair.manner is Manner.LONGER:
        return _classes_of_longer_host(pair)
    return _classes_of_manner("host", pair.manner)


def _classes_of_path(pair: ValuePair, source: str) -> tuple[str, ...]:
    """Return the classes of a difference of two paths, or nothing."""
    if "/" in pair.changed and pair.manner in _MANNERS_OF_DECODED_SLASHES:
        # a slash that only one of the values encodes makes segments, which may be dot segments, in the other
        return ("encoded-delimiter", *_classes_of_manner("path", pair.manner))
    if pair.manner is Manner.SLASH:
        return tuple(_classes_of_slashes(pair))
    if pair.manner is Manner.OTHER and _both_begin_with_slash(pair):
        # what the merge with a base without a path adds is there
        return tuple(entry for entry in _classes_of_manner("path", pair.manner) if entry != "pathless-base")
    if pair.manner is Manner.LONGER and not pair.rest.startswith(";"):
        # `..` removes an empty segment, or one too many if the library does not count it
        return (*_BASE_CLASSES, "empty-segment") if _DOTS_IN_SEGMENT.search(source) else _BASE_CLASSES
    return _classes_of_manner("path", pair.manner)


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


def _differ_in_case_of_triplets(pair: ValuePair) -> bool:
    """Return True if two values differ only in the case of the digits of triplets."""
    return _with_upper_triplets(pair.first or "") == _with_upper_triplets(pair.second or "")


def _with_upper_triplets(text: str) -> str:
    return TRIPLET.sub(lambda triplet: triplet[0].upper(), text)


def _changed_triplets(pair: ValuePair) -> frozenset[str]:
    """Return the characters whose triplets two values write in another case; see `ValuePair.changed`.

    The values must differ only in the case of triplets.
    """
    triplets = TRIPLET.findall(pair.first or "")
    other_triplets = TRIPLET.findall(pair.second or "")
    return frozenset(
        _character_of(triplet)
        for triplet, other_triplet in zip(triplets, other_triplets, strict=True)
        if triplet != other_triplet
    )


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
    if not pair.changed:
        return False
    in_source = _count_encoded_characters(source)
    first = _count_encoded_characters(pair.first or "")
    second = _count_encoded_characters(pair.second or "")
    most = first | second
    return all(most[character] > in_source[character] for character in pair.changed)


def _count_encoded_characters(text: str) -> Counter[str]:
    """Count the characters for which the triplets of a text stand; see `_character_of`."""
    return Counter(map(_character_of, TRIPLET.findall(text)))


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
    """Return the class of the triplets of these characters, or nothing.

    The marks that RFC 3986 reserves were unreserved in RFC 2396.
    """
    if characters <= _UNRESERVED | _FORMER_MARKS:
        return ("escaped-unreserved",)
    return ("encoded-delimiter",) if characters & _KEPT_IN_TRIPLETS else ()
