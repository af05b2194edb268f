"""Faults in finding an address in brackets, and what follows it (RFC 3986, section 3.2.2; RFC 2732)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping

from ..components import (
    authority_parts,
    changes_host,
    component,
    host_of,
    is_bracketed,
    is_generic,
    is_ipv4,
    shows_generic,
)
from ..faults import Fault, Values, shows, shows_when
from ..texts import IPV4, encoded, number_as_address


def ipv6_cut_at_colon(parts: Values) -> Values | None:
    """Take the first colon in an address for that before the port."""
    if not is_bracketed(parts):
        return None
    rest = component(parts, "authority").rpartition("@")[2] + component(parts, "path")
    host, _, after = rest.partition(":")
    match = re.match(r"\d*", after)
    port = match[0] if match else ""
    return {"host": host, "port": port, "path": after[len(port) :]}


def cut_after_octet(parts: Values) -> Values | None:
    """End the URL in the last octet of an IPv4 address if the octet is 200 or more."""
    host = host_of(parts)
    if not is_ipv4(parts) or int(host.rpartition(".")[2]) < 200 or not is_generic(parts):
        return None
    user = f"{parts['userinfo']}@" if parts["userinfo"] is not None else ""
    return {**authority_parts(user + host[:-1]), "path": "", "query": None, "fragment": None}


def colon_ends_authority(parts: Values) -> Values:
    """Begin the path after the first colon of an address in brackets and the digits there."""
    host, _, rest = parts["host"].partition(":")
    digits = re.match(r"\d*", rest)
    length = digits.end() if digits else 0
    port = "" if parts["port"] is None else f":{parts['port']}"
    path = rest[length:] + port + parts["path"]
    return {"authority": f"{host}:{rest[:length]}", "host": host, "port": rest[:length] or None, "path": path}


def bracket_in_path(parts: Values) -> Values | None:
    """Move an address in brackets with its port to the path."""
    if not is_bracketed(parts):
        return None
    port = "" if parts["port"] is None else f":{parts['port']}"
    path = encoded(r"[\[\]]")(host_of(parts)) + port + parts["path"]
    return {"authority": "", "userinfo": None, "host": "", "port": None, "path": path}


def octal(host: str) -> str:
    """Read numbers with leading zeros of a host of four numbers as octal."""
    numbers = host.split(".")
    if len(numbers) != 4 or not all(re.fullmatch("0[0-7]+|0|[1-9][0-9]*", number) for number in numbers):
        return host
    return ".".join(str(int(number, 8 if number.startswith("0") else 10)) for number in numbers)


def first_group(parts: Values) -> Values | None:
    """Return the first group of an IPv6 address as the host."""
    return {"host": host_of(parts)[1:].partition(":")[0]} if is_bracketed(parts) else None


def shortest(host: str) -> str:
    """Write an IPv6 address in its shortest form."""
    try:
        return f"[{ipaddress.IPv6Address(host[1:-1]).compressed}]" if host.startswith("[") else host
    except ValueError:
        return host


def decimal_groups(host: str) -> str:
    """Write the groups of an IPv6 address as decimal numbers, without brackets."""
    try:
        address = ipaddress.IPv6Address(host[1:-1]) if host.startswith("[") else None
    except ValueError:
        return host
    if address is None:
        return host
    return ":".join(str(int(group, 16)) for group in address.exploded.split(":"))


def split_in_brackets(parts: Values) -> Values | None:
    """Return host and port around the first colon of an address in brackets."""
    if not is_bracketed(parts):
        return None
    host, _, port = component(parts, "authority").rpartition("@")[2].partition(":")
    return {"host": host, "port": port}


def cut_at_colon(parts: Values) -> Values | None:
    """Return a host that ends at the first colon of an IP literal, and the rest as the port."""
    if not is_bracketed(parts):
        return None
    host, _, rest = parts["host"].partition(":")
    port = "" if parts["port"] is None else f":{parts['port']}"
    return {"host": host, "port": rest + port}


def first_colon_ends_host(parts: Values) -> Values:
    """Split the authority after the userinfo at its first colon."""
    host, _, port = (parts["authority"] or "").rpartition("@")[2].partition(":")
    return {"host": host, "port": port}


def last_colon_is_port(parts: Values) -> Values:
    """Find the port after the last colon of an address in brackets."""
    host, _, port = parts["host"].rpartition(":")
    return {"host": f"{host}:", "port": port} if host.endswith(":") else {"host": host, "port": port}


FAULTS: Mapping[str, Fault] = {
    "begins_path_after_digits_at_first_colon_of_address": shows(ipv6_cut_at_colon),
    "cuts_address_at_first_colon": shows_when(
        lambda parts: is_bracketed(parts) and ":" in parts["host"],
        lambda parts: {"host": parts["host"].partition(":")[0]},
    ),
    "cuts_address_at_last_colon": shows_when(
        lambda parts: is_bracketed(parts) and ":" in host_of(parts) and parts["port"] is None,
        lambda parts: {"host": host_of(parts).rpartition(":")[0]},
    ),
    "cuts_ipv6_at_first_dot": shows_when(
        lambda parts: is_bracketed(parts) and "." in parts["host"] and parts["host"][1] not in "vV",
        lambda parts: {"host": f"{parts['host'].partition('.')[0]}]"},
    ),
    "cuts_url_in_octet_of_200": shows(cut_after_octet),
    "drops_brackets_of_address": shows_when(is_bracketed, lambda parts: {"host": parts["host"][1:-1]}),
    "drops_dot_after_ipv4": changes_host(
        lambda host: host[:-1] if host.endswith(".") and IPV4.fullmatch(host[:-1]) else host
    ),
    "ends_authority_after_first_colon_of_address": shows_when(
        lambda parts: is_bracketed(parts) and ":" in parts["host"], colon_ends_authority
    ),
    "loses_host_of_octet_above_255": shows_when(
        lambda parts: (
            re.fullmatch(r"(?:\d+\.){3}\d+", host_of(parts))
            and max(map(int, host_of(parts).split("."))) > 255
        ),
        lambda _: {"host": None, "port": None},
    ),
    "moves_address_in_brackets_to_path": shows(bracket_in_path),
    "reads_octal_octets": changes_host(octal),
    "shows_first_group_as_host": shows_generic(first_group),
    "shows_groups_as_decimal_numbers": changes_host(decimal_groups),
    "shows_shortest_ipv6": changes_host(shortest),
    "splits_authority_at_first_colon_of_address": shows_generic(split_in_brackets),
    "takes_rest_of_address_for_port": shows(cut_at_colon),
    "takes_text_after_first_colon_of_address_for_port": shows_when(
        lambda parts: is_bracketed(parts) and ":" in parts["host"], first_colon_ends_host
    ),
    "takes_text_after_last_colon_of_address_for_port": shows_when(
        lambda parts: is_bracketed(parts) and ":" in parts["host"] and parts["port"] is None,
        last_colon_is_port,
    ),
    "writes_number_as_ipv4": changes_host(number_as_address),
}
