"""Comparison of two hosts: as texts, and by the target that a resolver would contact.

Two texts of a host differ in spelling only if they are equal after four changes: ASCII letters in lower case,
no brackets around an IPv6 address, no leading zeros and no `::` in it, and no dot at the end. Everything else
is another text, even if a parser maps one to the other: a list of allowed or denied hosts that compares texts
does not know that `a%2eb`, `a。b` and `a.b` are one host.

The target is what the URL Standard of the browsers makes of a host, as the parser Ada implements it. It
decodes, maps by IDNA, and reads all forms of IPv4 addresses. It refuses many names that RFC 3986 allows, such
as `%FF`. Such a name is only decoded and mapped, because a triplet in a name is another way to write a byte
(RFC 3986, 2.1 and 3.2.2): `%FF` and the byte FF are one name. A host with a delimiter, such as a backslash,
is treated in the same way, because Ada would read only a part of it as the host.

What a client gives to a resolver is different: nobody decodes it again, so `h%25` there is another name than
`h%`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from urlharness.text import ascii_lower

#: Delimiters at which the host of a URL ends, and a port.
_DELIMITERS = re.compile(r"[/\\?#@]|:[0-9]+$")

#: A name or brackets with the colon of an empty port, which some libraries show as a part of the host. After
#: a bracket that is not closed, a colon belongs to the address.
_EMPTY_PORT = re.compile(r"(?:[^:\[][^:]*|\[[^\]]*\]):", re.DOTALL)

#: A host in one pair of brackets, which may be empty.
_BRACKETED = re.compile(r"\[([^\[\]]*)\]", re.DOTALL)

#: The number of 16-bit groups in an IPv6 address.
_GROUP_COUNT = 8

_CACHED = 1 << 16


class HostRelation(StrEnum):
    """The relation of two hosts, from equal texts to different targets."""

    SAME = "same"
    SPELLING = "spelling only"
    TRAILING_DOT = "trailing dot"
    SAME_TARGET = "same target by another text"
    OTHER_TARGET = "other target"


def host_relation(first: str, second: str, *, resolved: bool = False) -> HostRelation:
    """Return the relation of two hosts that are not empty.

    TRAILING_DOT means that the hosts differ in spelling, and that only one of them ends with a dot. If
    `resolved` is true, the second host is what a client gives to a resolver.
    """
    if first == second:
        return HostRelation.SAME
    if host_spelling(first) == host_spelling(second):
        only_one_ends_with_dot = first.endswith(".") is not second.endswith(".")
        return HostRelation.TRAILING_DOT if only_one_ends_with_dot else HostRelation.SPELLING
    if host_target(first) == host_target(second, resolved=resolved):
        return HostRelation.SAME_TARGET
    return HostRelation.OTHER_TARGET


def same_host(first: str | None, second: str | None) -> bool:
    """Return True if two hosts are equal or differ in spelling only.

    An absent host equals an empty one, because many libraries cannot tell them apart.
    """
    return host_spelling(first or "") == host_spelling(second or "")


@lru_cache(maxsize=_CACHED)
def host_spelling(host: str) -> str:
    """Return the form of a host that is equal for all its spellings (RFC 3986, 3.2.2; RFC 4291, 2.2)."""
    lower = ascii_lower(host)
    literal = _address_without_brackets(lower)
    if literal is None:
        return lower.removesuffix(".") or lower
    address, percent, zone = literal.partition("%")
    return f"{_expanded_address(address)}{percent}{zone}"


@lru_cache(maxsize=_CACHED)
def host_target(host: str, *, resolved: bool = False) -> str:
    """Return what a resolver would contact for a host: a name, an IPv4 address or an IPv6 address.

    An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) becomes the IPv4 address. A zone is kept as it is, and an
    empty port does not count. If the parser refuses the host, or the host has a delimiter, return it decoded
    and mapped. A refused host without a delimiter gets its labels in ASCII, too (RFC 3490, section 5).
    If `resolved` is true, the host is what a client gives to a resolver, and is not decoded.
    """
    without_port = host.removesuffix(":") if _EMPTY_PORT.fullmatch(host) else host
    literal = _address_without_brackets(without_port)
    if literal is not None:
        address = _address_target(literal, resolved=resolved)
        if address is not None:
            return address
    if resolved and "%" in without_port:
        return ascii_lower(without_port).removesuffix(".")
    target = _target_of_name(without_port)
    return target.removesuffix(".") or target


def _target_of_name(host: str) -> str:
    """Return the target of a host that is no IPv6 address, perhaps with a dot at its end.

    An IPv4 address in any of its forms counts as a name here.
    """
    # the import takes long, and `ask` compares only texts
    import ada_url  # noqa: PLC0415

    mapped = normalize("NFKC", _without_triplets(host)).lower()
    if _DELIMITERS.search(host) is not None:
        return mapped
    try:
        return ada_url.URL(f"http://{host}/").hostname
    except ValueError:  # the host is refused, or is a text that is not Unicode
        return ".".join(map(_ascii_label, mapped.split(".")))


def _ascii_label(label: str) -> str:
    """Return a label of letters in the ASCII form of IDNA, even if IDNA does not allow the label.

    A label with bytes that are no UTF-8 has no such form and is returned as it is.
    """
    has_bytes = re.search("[\ud800-\udfff]", label) is not None
    if label.isascii() or has_bytes:
        return label
    ascii_form = label.encode("punycode").decode("ascii")
    return f"xn--{ascii_form}"


def _without_triplets(host: str) -> str:
    """Return a host without triplets. Bytes that are no UTF-8 are decoded by `surrogateescape`."""
    try:
        return unquote_to_bytes(host.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        return host


def _address_without_brackets(host: str) -> str | None:
    """Return an IPv6 address, well-formed or not, without its brackets, or None for a host without a colon.

    Only an address contains a colon, so the content of brackets without a colon is no address. Neither is
    content with further brackets: they are no spelling of an address, and the host is returned as it is.
    """
    if ":" not in host:
        return None
    bracketed = _BRACKETED.fullmatch(host)
    return host if bracketed is None else bracketed[1]


def _expanded_address(address: str) -> str:
    """Return an IPv6 address with all its groups and without leading zeros, or other texts unchanged.

    A dotted IPv4 address at the end stays dotted.
    """
    if not is_ipv6_address(address):
        return address
    head, gap, tail = address.partition("::")
    first_groups = _groups_without_zeros(head)
    if not gap:
        return ":".join(first_groups)
    last_groups = _groups_without_zeros(tail)
    size = len(first_groups) + len(last_groups)
    if "." in tail:
        size += 1  # dotted numbers stand for two groups
    zeros = ["0"] * (_GROUP_COUNT - size)
    return ":".join([*first_groups, *zeros, *last_groups])


def _groups_without_zeros(text: str) -> list[str]:
    """Return the groups of a part of an IPv6 address without leading zeros. A dotted one stays as it is."""
    groups = [group for group in text.split(":") if group]
    return [_group_without_zeros(group) for group in groups]


def _group_without_zeros(group: str) -> str:
    """Return a group without leading zeros, or a dotted one as it is."""
    if "." in group:
        return group
    return group.lstrip("0") or "0"


def is_ipv6_address(text: str) -> bool:
    """Return True if a text, from which a zone has been cut, is an IPv6 address."""
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def _address_target(literal: str, *, resolved: bool) -> str | None:
    """Return the target of an IPv6 address with or without a zone, or None if it is not an address.

    In a URL, %25 is before the zone (RFC 6874, section 2), in other places such as a resolver only % (RFC
    4007, section 11.2). Libraries write URLs in both ways.
    """
    address, _, zone = literal.partition("%")
    if not is_ipv6_address(address):
        return None
    number = IPv6Address(address)
    if zone:
        zone_name = zone
        if not resolved and zone != "25":  # a zone that is only 25 is its own name
            zone_name = zone.removeprefix("25")
        return f"[{number.compressed}%{zone_name}]"
    return f"[{number.compressed}]" if number.ipv4_mapped is None else str(number.ipv4_mapped)
