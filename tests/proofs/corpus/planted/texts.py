"""Changes of texts, from which faults are built, and the splitting of a URL into its five components."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote, unquote

Change = Callable[[str], str]

TRIPLET = "%[0-9A-Fa-f]{2}"

#: A percent-encoded octet that is no character of US-ASCII, and a character that is none.
HIGH_TRIPLET = "%[89A-Fa-f][0-9A-Fa-f]"
BEYOND_ASCII = "[^\x00-\x7f]"

#: The characters beyond the Basic Multilingual Plane that are `ucschar`, and the private ones.
SUPPLEMENTARY = "[\U00010000-\U000effff]"
SUPPLEMENTARY_PRIVATE = "[\U000f0000-\U0010ffff]"
PRIVATE = "[\ue000-\uf8ff\U000f0000-\U0010ffff]"

#: The seven characters that format the direction of text (RFC 3987, section 4.1).
DIRECTION_FORMAT = "[\u200e\u200f\u202a-\u202e]"


def sub(pattern: str, replacement: str | Callable[[re.Match[str]], str], count: int = 0) -> Change:
    """Return a function that replaces what a pattern matches."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda text: compiled.sub(replacement, text, count)


def has(pattern: str) -> Callable[[str], bool]:
    """Return a function that tells if a pattern matches somewhere."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda text: compiled.search(text) is not None


def decoded(octets: str) -> Change:
    """Return a function that decodes these octets, given as a pattern of two hexadecimal digits."""
    return sub(f"%(?i:{octets})", lambda match: unquote(match[0]))


def encoded(characters: str) -> Change:
    """Return a function that percent-encodes these characters, given as a pattern."""
    return sub(characters, lambda match: f"%{ord(match[0]):02X}")


#: Repeated slashes become one.
collapse = sub("/{2,}", "/")

#: Percent-encodings are written in upper or in lower case.
upper_triplets = sub(TRIPLET, lambda match: match[0].upper())
lower_triplets = sub(TRIPLET, lambda match: match[0].lower())

#: The percent-encodings of unreserved characters (RFC 3986, section 2.3), or of all of ASCII, are decoded.
decode_unreserved = decoded("2[de]|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]")
decode_ascii = decoded("[2-7][0-9a-f]")

#: Every percent sign is encoded, also that of a triplet.
encode_percent = sub("%", "%25")

#: Every character beyond US-ASCII is percent-encoded.
encode_beyond_ascii = sub(BEYOND_ASCII, lambda match: quote(match[0]))


class Parts(NamedTuple):
    """The five components of RFC 3986; None is absent."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


_SPLIT = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def split(url: str) -> Parts:
    """Split a text as appendix B does."""
    match = _SPLIT.fullmatch(url)
    assert match is not None
    return Parts(*match.groups())


def join(parts: Parts) -> str:
    """Put components together (section 5.3)."""
    scheme = "" if parts.scheme is None else f"{parts.scheme}:"
    authority = "" if parts.authority is None else f"//{parts.authority}"
    query = "" if parts.query is None else f"?{parts.query}"
    fragment = "" if parts.fragment is None else f"#{parts.fragment}"
    return scheme + authority + parts.path + query + fragment


def inside(component: str, change: Change) -> Change:
    """Return a function on URLs that changes one component."""

    def changed(url: str) -> str:
        parts = split(url)
        text = getattr(parts, component)
        return url if text is None else join(parts._replace(**{component: change(text)}))

    return changed


#: What stands before the host of an authority, the host, and what stands after it.
AUTHORITY = re.compile(r"((?:.*@)?)(\[[^\]]*\]|[^:]*)(.*)", re.DOTALL)


def in_host(change: Change) -> Change:
    """Return a function on URLs that changes the host."""
    return inside(
        "authority",
        lambda authority: AUTHORITY.sub(lambda match: match[1] + change(match[2]) + match[3], authority, 1),
    )


def host_of_url(url: str) -> str:
    """Return the host of a URL, empty if it is absent."""
    match = AUTHORITY.match(split(url).authority or "")
    return match[2] if match else ""


def in_brackets(change: Change) -> Change:
    """Return a function on URLs that changes what stands in brackets in the authority."""
    return inside("authority", sub(r"\[([^\[\]]*)\]", lambda match: f"[{change(match[1])}]"))


def host_and_port(authority: str) -> str:
    """Return an authority without its userinfo."""
    return authority.rpartition("@")[2]


def remove_dots(path: str) -> str:
    """Remove the dot-segments of a path (section 5.2.4)."""
    rest = path
    output = ""
    while rest:
        if rest.startswith(("../", "./")):
            rest = rest.partition("/")[2]
        elif rest.startswith("/./") or rest == "/.":
            rest = "/" + rest[3:]
        elif rest.startswith("/../") or rest == "/..":
            rest = "/" + rest[4:]
            output = output[: max(output.rfind("/"), 0)]
        elif rest in (".", ".."):
            rest = ""
        else:
            end = rest.find("/", 1)
            end = len(rest) if end < 0 else end
            output += rest[:end]
            rest = rest[end:]
    return output


_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"

#: An IPv4 address (RFC 3986, section 3.2.2).
IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")


def number_as_address(host: str) -> str:
    """Write a host of one to three numbers as the IPv4 address that C libraries take it for."""
    if not re.fullmatch(r"(?:0[xX][0-9A-Fa-f]+|[1-9]\d*|0)(?:\.(?:0[xX][0-9A-Fa-f]+|[1-9]\d*|0)){0,2}", host):
        return host
    *first, last = [int(number, 0) for number in host.split(".")]
    if any(number > 255 for number in first) or last >= 256 ** (4 - len(first)):
        return host
    return ".".join(map(str, [*first, *last.to_bytes(4 - len(first), "big")]))


def in_query_and_fragment(change: Change) -> Change:
    """Return a function on URLs that changes query and fragment."""
    return lambda url: inside("fragment", change)(inside("query", change)(url))


def without_query_and_fragment(url: str) -> str:
    """Return a URL up to the end of its path."""
    return join(split(url)._replace(query=None, fragment=None))


#: The userinfo is left out.
without_userinfo = sub("^([^/?#]*//)[^/?#@]*@", r"\1")

#: A plus sign becomes an encoded space.
plus_to_space = sub(r"\+", "%20")

#: A percent sign that begins no triplet becomes a letter.
lone_percent_to_letter = sub("%(?![0-9A-Fa-f]{2})", "a")
