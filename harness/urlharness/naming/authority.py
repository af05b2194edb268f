"""What is odd in an authority: why one RFC refuses it, or finds no host in it, where another finds one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

# hostname of RFC 1738, section 5, and RFC 2396, section 3.2.2
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOSTNAME = re.compile(rf"(?:{_LABEL}\.)*(?![0-9]){_LABEL}")
_NUMERIC = re.compile(r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)(?:\.(?:0[xX][0-9A-Fa-f]*|[0-9]+))*")
_OCTET = re.compile("[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+){3}")
_BARE_IPV6 = re.compile(r"[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f.:]*")

_TRIPLET = re.compile("%[0-9A-Fa-f]{0,2}")


class Login(NamedTuple):
    """An authority cut as every RFC cuts a good one: at its last @ and at the first colon behind that."""

    userinfo: str | None
    host: str
    port: str | None


def cut(authority: str) -> Login:
    """The parts of an authority."""
    userinfo, at, hostport = authority.rpartition("@")
    host, colon, port = hostport.partition(":")
    return Login(userinfo if at else None, host, port if colon else None)


def login(components: Mapping[str, Any]) -> dict[str, str | None]:
    """Authority, userinfo, host and port from the login of an RFC 1738 URL (section 3.1)."""
    host, port, userinfo = components["host"], components.get("port"), components.get("user")
    if components.get("password") is not None:
        userinfo = f"{userinfo}:{components['password']}"
    authority = "" if userinfo is None else f"{userinfo}@"
    authority += host if port is None else f"{host}:{port}"
    return {"authority": authority, "userinfo": userinfo, "host": host, "port": port}


def bare_ipv6(authority: str) -> bool:
    """True for an IPv6 address without its brackets."""
    return _BARE_IPV6.fullmatch(authority) is not None


def host_faults(host: str) -> frozenset[str]:
    """The classes of what keeps a host from being a host name or an address of RFC 1738, section 5."""
    if not host:
        return frozenset({"empty-host"})
    if _DECIMAL.fullmatch(host):
        return _octet_faults(host)
    if _HOSTNAME.fullmatch(host):
        return frozenset()
    if _NUMERIC.fullmatch(host):
        return frozenset({"ipv4-forms"})
    if host.endswith(".") and (_HOSTNAME.fullmatch(host[:-1]) or _NUMERIC.fullmatch(host[:-1])):
        return frozenset({"trailing-dot"})
    before, semicolon, _ = host.partition(";")
    if semicolon:  # RFC 1738 ends a host there, and the rest is no part of one
        return host_faults(before) | {"netloc-end"}
    if "%" in host:
        return host_faults(_TRIPLET.sub("a", host)) | {"escape-in-host"}
    return frozenset({"host-label"})


def _octet_faults(host: str) -> frozenset[str]:
    """Four decimal groups: RFC 2732, section 3, has three digits at the most, RFC 3986, 3.2.2, octets."""
    groups = host.split(".")
    if all(_OCTET.fullmatch(group) for group in groups):
        return frozenset()
    octal = any(len(group) > 3 and group[0] == "0" for group in groups)
    return frozenset({"ipv4-range", "ipv4-forms"} if octal else {"ipv4-range"})


def faults(authority: str) -> frozenset[str]:
    """The classes of everything in an authority for which some RFC finds no login in it."""
    if "?" in authority:  # RFC 1808, section 2.4.3: the network location runs on to the next slash
        return frozenset({"login-delimiter" if "@" in authority.partition("?")[2] else "netloc-end"})
    if bare_ipv6(authority):
        return frozenset({"ipv6-literal"})
    userinfo, host, port = cut(authority)
    found = set(host_faults(host))
    if userinfo is not None and "@" in userinfo:
        found.add("several-ats")
    if userinfo is not None and userinfo.count(":") > 1:
        found.add("login-delimiter")
    if port == "":
        found.add("empty-port")
    elif port is not None and not (port.isascii() and port.isdigit()):
        found.add("port-digits")
    return frozenset(found)
