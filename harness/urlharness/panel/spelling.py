"""The components of a URL: how a text splits into them, and which values of them differ only in spelling.

Two values of a component differ only in spelling if they have one normal form. The normal form is that of RFC
3986, section 6.2, without a scheme that the library has to know: letters, triplets, dot segments, the default
ports of a few schemes. A host also loses its brackets, an IPv6 address is compressed, and a name becomes
ASCII. Hosts that differ by IDNA or by triplets are therefore equal here, but other texts for whoever compares
texts: see `hosts`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address

from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, abbreviated_beginning, is_abbreviation
from urlharness.corpus.model import AUTHORITY, TRIPLET
from urlharness.explain.generic_parts import split_generic
from urlharness.protocol.messages import ComponentTexts

#: The components of a URL in order.
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

# RFC 3986, section 3.2
_AUTHORITY = re.compile(r"(?:(.*)@)?((?:\[[^\]]*\])?[^:]*)(?::(.*))?", re.DOTALL)
_DELIMITER = re.compile("[/?#]")
#: A host in one pair of brackets. Other brackets are no spelling: `[` and `[[a]]` are hosts of their own.
_BRACKETED = re.compile(r"\[([^\[\]]+)\]", re.DOTALL)
#: A triplet at the end of a text from which one digit, or both, have been cut.
_CUT_TRIPLET = re.compile("%.?$")

#: The default port of each scheme that has one and that libraries know.
DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

#: The number of hosts whose normal forms are remembered.
_REMEMBERED = 4096


def split(text: str) -> dict[str, str | None]:
    """Split any text into components by the regular expression of RFC 3986, appendix B."""
    scheme, authority, path, query, fragment = split_generic(text)
    userinfo = None
    host = authority
    port = None
    divided = None if authority is None else _AUTHORITY.fullmatch(authority)
    if divided is not None:
        userinfo, host, port = divided.groups()
    return {
        "scheme": scheme,
        "userinfo": userinfo,
        "host": host,
        "port": port,
        "path": path,
        "query": query,
        "fragment": fragment,
    }


def unabbreviated_components(abbreviation: str) -> dict[str, str | None]:
    """Return the components of a URL that its abbreviation shows whole, or {} if it shows none.

    The last component that it shows may go on after the cut, and so may the text before an `@`.
    """
    parts = split(abbreviated_beginning(abbreviation))
    begins_with_path = parts["scheme"] is None and parts["host"] is None
    if begins_with_path and _DELIMITER.search(parts["path"] or "") is None:
        return {}  # a colon may follow
    present = [name for name in COMPONENTS if parts[name]]
    if not present:
        return {}
    first_uncertain = present[-1]
    if first_uncertain in AUTHORITY:  # an `@` may follow, which makes a userinfo of all before it
        first_uncertain = "userinfo"
    certain = COMPONENTS[: COMPONENTS.index(first_uncertain)]
    return {name: parts[name] for name in certain}


def joined_authority(userinfo: str | None, host: str | None, port: str | None) -> str:
    """Return the authority with these parts (RFC 3986, section 3.2). An absent part has no delimiter."""
    before_host = "" if userinfo is None else f"{userinfo}@"
    after_host = "" if port is None else f":{port}"
    return f"{before_host}{host or ''}{after_host}"


def without_repeated_authority(components: ComponentTexts) -> ComponentTexts:
    """Return components without an authority that only repeats userinfo, host and port.

    An authority that they contradict stays: RFC 2396, section 3.2.1, has authorities without a host.
    """
    if components.keys().isdisjoint(AUTHORITY) or contradicts_authority(components):
        return components
    return {name: text for name, text in components.items() if name != "authority"}


def contradicts_authority(components: ComponentTexts) -> bool:
    """Return True if userinfo, host or port, as far as exposed, disagree with the authority.

    Differences in spelling do not count. An abbreviated userinfo or host is taken to agree. An abbreviated
    authority disagrees with parts that are all exposed and short.
    """
    exposed_names = [name for name in AUTHORITY if name in components]
    authority = components.get("authority")
    if not authority or not exposed_names:
        return False
    userinfo = components.get("userinfo")
    host = components.get("host")
    # the delimiter of an empty part is spelling
    joined = joined_authority(userinfo or None, host, components.get("port") or None)
    if authority == joined or is_abbreviation(userinfo) or is_abbreviation(host):
        return False
    if is_abbreviation(authority):
        # parts that are all known and short make no authority that is abbreviated
        return len(exposed_names) == len(AUTHORITY) and len(joined) <= MAX_WHOLE_LENGTH
    divided = split(f"//{authority}")
    scheme = {"scheme": components.get("scheme")}  # the default port depends on it
    exposed_parts = {name: components[name] for name in exposed_names}
    parts_of_authority = {name: divided[name] for name in exposed_names}
    return normal_form(scheme | exposed_parts) != normal_form(scheme | parts_of_authority)


def have_similar_beginnings(text: str, other: str, *, keep_dots: bool = False) -> bool:
    """Return True if two texts, of which at least one is abbreviated, may differ in spelling only.

    Their beginnings are compared. Dot segments are no spelling if `keep_dots`, as in `normal_form`.
    Otherwise, they may be all that differs, except for a slash at the beginning.
    """
    first = abbreviated_beginning(text) if is_abbreviation(text) else text
    second = abbreviated_beginning(other) if is_abbreviation(other) else other
    if not keep_dots and ("/." in first or "/." in second):
        return first.startswith("/") is second.startswith("/")
    normal_first = _normal_beginning(first)
    normal_second = _normal_beginning(second)
    return normal_first.startswith(normal_second) or normal_second.startswith(normal_first)


def without_cut_triplet(beginning: str) -> str:
    """Return the beginning of a text without a triplet at its end that an abbreviation has cut."""
    return _CUT_TRIPLET.sub("", beginning)


def _normal_beginning(beginning: str) -> str:
    """Return the beginning of a text in a form that its spellings share. Case is ignored everywhere."""
    return decode_unreserved(without_cut_triplet(beginning)).lower()


def normal_form(
    components: ComponentTexts, *, keep_empty: bool = False, keep_dots: bool = False
) -> dict[str, str | None]:
    """Return the components in the form that all their spellings have in common.

    Empty components become absent; if `keep_empty`, only an empty port does. A path never becomes absent: one
    that is empty or absent becomes a slash after a host, and else the empty path. If `keep_dots`, the path
    keeps its dot segments, because it is that of a result from which the library has to remove them.
    Abbreviations stay as they are.
    """
    normal: dict[str, str | None] = {}
    for name, text in components.items():
        if text:
            normal[name] = decode_unreserved(text) if "%" in text else text
        else:
            normal[name] = text if keep_empty else None
    scheme = normal.get("scheme")
    if scheme:
        normal["scheme"] = scheme.lower()
    for name in ("host", "net_loc"):
        host = normal.get(name)
        if host:
            normal[name] = _normal_host(host)
    if "port" in normal:
        normal["port"] = _normal_port(normal["port"], normal.get("scheme"))
    if "path" in normal:
        empty_path = "/" if normal.get("host") else ""
        path = normal["path"] or empty_path
        normal["path"] = path if keep_dots else without_dots(path, is_whole=bool(scheme))
    abbreviated = {name: text for name, text in components.items() if text and is_abbreviation(text)}
    return normal | abbreviated


def without_dots(path: str, *, is_whole: bool = False) -> str:
    """Return a path without dot segments.

    In a relative path, `..` never removes the first segment. In a URL, of which the path `is_whole`, it does,
    and what follows begins with a slash (RFC 3986, section 5.2.4): `a/../b` becomes `/b`, and `../b` becomes
    `b`.
    """
    segments = path.split("/")
    is_relative = not is_whole and not path.startswith("/")
    remaining: list[str] = []
    for segment in segments:
        if segment == "..":
            if len(remaining) > 1 and remaining[-1] != "..":
                remaining.pop()
            elif is_relative:
                remaining.append(segment)
            elif remaining:
                remaining = [""]
        elif segment != ".":
            remaining.append(segment)
    if segments[-1] in (".", ".."):
        remaining.append("")
    return "/".join(remaining)


def may_differ_by_dots(path: str, other_path: str) -> bool:
    """Return False if the removal of dot segments from one of two paths does not lead to the other one.

    They have equal normal forms, and other spelling has been removed from them. The removal may have stopped
    early, so that both still have dot segments; but what it removes are dot segments, and for each `..` a
    segment before it (RFC 3986, section 5.2.4). `/..` comes from no `//..`: it has lost a slash.
    """
    if path == other_path:
        return True
    segments = _segments_for_removal(path)
    other_segments = _segments_for_removal(other_path)
    if ".." not in segments or ".." not in other_segments:
        return True  # the removal has not stopped early
    if max(len(segments), len(other_segments)) > _MOST_SEGMENTS:
        return True
    return _can_become(segments, other_segments) or _can_become(other_segments, segments)


#: The removal of dot segments from longer paths is not followed step by step, which takes quadratic time.
_MOST_SEGMENTS = 200


def _segments_for_removal(path: str) -> list[str]:
    """Return the segments of a path without those of one dot, which stand for nothing.

    If a dot segment is the last one, an empty one follows it.
    """
    segments = path.split("/")
    if segments[-1] in (".", ".."):
        segments.append("")
    return [segment for segment in segments if segment != "."]


def _can_become(segments: list[str], shorter: list[str]) -> bool:
    """Return True if the removal of some `..` from a list of segments leads to the list `shorter`.

    The segments are read once, from the first to the last. Each is kept, or begins a run that is removed.
    """
    ends = _ends_of_removable_runs(segments)
    # lengths_before[n]: how many of the first segments of `shorter` the first n segments can become
    lengths_before: list[set[int]] = [set() for _ in range(len(segments) + 1)]
    lengths_before[0].add(0)
    for number, segment in enumerate(segments):
        for length in lengths_before[number]:
            if length < len(shorter) and shorter[length] == segment:
                lengths_before[number + 1].add(length + 1)
            if number in ends:
                lengths_before[ends[number]].add(length)
    return len(shorter) in lengths_before[len(segments)]


def _ends_of_removable_runs(segments: list[str]) -> dict[int, int]:
    """Map the start of each run of segments that the removal of `..` can remove to the end of the run.

    The end is the index after the last segment. A run is a `..` with nothing before it to remove, or a
    segment up to the `..` that removes it.
    """
    ends: dict[int, int] = {}
    open_starts: list[int] = []
    is_absolute = segments[0] == ""
    for number, segment in enumerate(segments):
        if segment == "..":
            start = open_starts.pop() if open_starts else number
            ends[start] = number + 1
        elif number > 0 or not is_absolute:
            open_starts.append(number)
    return ends


@lru_cache(maxsize=_REMEMBERED)
def _normal_host(host: str) -> str:
    """Return a host without brackets, as a compressed IPv6 address or in ASCII if it can be converted."""
    bracketed = _BRACKETED.fullmatch(host)
    plain_host = (bracketed[1] if bracketed else host).lower()
    if ":" in plain_host:
        with suppress(ValueError):  # some encode the % before a zone
            return IPv6Address(plain_host.replace("%25", "%")).compressed
    if not plain_host.isascii():
        with suppress(UnicodeError):
            return plain_host.encode("idna").decode()
    return plain_host


def _normal_port(port: str | None, scheme: str | None) -> str | None:
    """Return a port without leading zeros, or None for an empty one and for the default of the scheme."""
    if not port:
        return None
    number = port.lstrip("0") or "0"
    return None if number == DEFAULT_PORTS.get(scheme or "") else number


def decode_unreserved(text: str) -> str:
    """Return a text in which the triplets of unreserved characters are decoded, and others in upper case."""
    return TRIPLET.sub(_normal_triplet, text)


def _normal_triplet(triplet: re.Match[str]) -> str:
    """Return the unreserved character of a triplet, or another triplet in upper case (RFC 3986, 6.2.2)."""
    character = chr(int(triplet[0][1:], 16))
    if character.isascii() and (character.isalnum() or character in "-._~"):
        return character
    return triplet[0].upper()
