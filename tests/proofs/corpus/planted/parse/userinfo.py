"""Faults in finding userinfo and port of an authority (RFC 3986, sections 3.2.1 and 3.2.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..components import (
    DEFAULT_PORTS,
    changes_component,
    component,
    component_has,
    has_no_path,
    has_scheme,
    has_user_without_password,
    has_userinfo_without_colon,
    host_of,
    is_bracketed,
    is_http,
    shows_generic,
    text_before_query,
    userinfo_to_at_sign_in,
    whole_text,
)
from ..faults import Fault, Values, shows, shows_when
from ..texts import decode_ascii


def login_in_host(parts: Values) -> Values:
    """Add the userinfo to the host."""
    return {"userinfo": None, "host": f"{parts['userinfo']}@{parts['host']}"}


def user_in_host(parts: Values) -> Values | None:
    """Leave a user without a password in the host if there is a port."""
    if not has_user_without_password(parts) or parts.get("port") is None:
        return None
    return {"userinfo": None, "host": f"{parts['userinfo']}@{parts['host']}"}


def second_field_only(parts: Values) -> Values | None:
    """Return the userinfo without what follows its second colon."""
    fields = component(parts, "userinfo").split(":")
    return {"userinfo": ":".join(fields[:2])} if len(fields) > 2 else None


def plain_credentials_only(parts: Values) -> Values | None:
    """Return a host before the first colon unless the userinfo is a name or a name and a password."""
    userinfo = parts.get("userinfo")
    if userinfo is None or re.fullmatch("[^:]+(:[^:]+)?", userinfo):
        return None
    match = re.fullmatch(r"([^:]*)(?::([0-9]+))?(.*)", component(parts, "authority"))
    assert match is not None
    host, port, rest = match.groups()
    authority = host if port is None else f"{host}:{port}"
    path = rest + component(parts, "path")
    return {"authority": authority, "userinfo": None, "host": host, "port": port, "path": path}


def login_at_semicolon(parts: Values) -> Values | None:
    """End the host at a semicolon of the userinfo."""
    host, semicolon, rest = component(parts, "userinfo").partition(";")
    if not semicolon:
        return None
    return {"userinfo": None, "host": host, "path": f";{rest}@{host_of(parts)}{parts['path']}"}


def at_in_userinfo(parts: Values) -> Values | None:
    """Return the userinfo with its delimiter, and the host without its first character."""
    if parts.get("userinfo") is None:
        return None
    return {"userinfo": f"{parts['userinfo']}@", "host": parts["host"][1:]}


def port_after_first_colon_of_authority(parts: Values) -> Values:
    """Split the authority with its userinfo at its first colon."""
    host, _, port = parts["authority"].partition(":")
    return {"userinfo": None, "host": host, "port": port}


def user_as_host(parts: Values) -> Values | None:
    """Return the user as the host, if there is a password."""
    if parts.get("scheme") != "ssh" or ":" not in (parts.get("userinfo") or ""):
        return None
    return {"userinfo": None, "host": parts["userinfo"].partition(":")[0]}


def no_port(parts: Values) -> Values | None:
    """Return an authority without the port."""
    if not parts.get("port") or "authority" not in parts:
        return None
    return {"authority": parts["authority"].rpartition(":")[0], "port": None}


#: Schemes that .NET knows; only for others it takes the port 0 for none.
KNOWN_SCHEMES = {
    "file",
    "ftp",
    "gopher",
    "http",
    "https",
    "ldap",
    "mailto",
    "news",
    "nntp",
    "telnet",
    "ws",
    "wss",
}


def port_of_path(parts: Values) -> Values | None:
    """Return digits after a colon in the path of a network-path reference as the port."""
    if parts.get("authority") is None or parts["scheme"] is not None or parts["port"] is not None:
        return None
    match = re.search(r":(\d{1,5})(?:/|$)", parts["path"])
    return {"port": match[1]} if match else None


def wrapped(parts: Values) -> Values | None:
    """Give the last 32 bits of a port."""
    port = component(parts, "port")
    return {"port": str(int(port) % 2**32)} if int(port or "0") >= 2**32 else None


def without_default_port(parts: Values) -> Values:
    """Lose the default port of the scheme, also in the authority."""
    return {"authority": parts["authority"].removesuffix(f":{parts['port']}"), "port": None}


def has_default_port(parts: Values) -> bool:
    """Tell if the port is the default of the scheme."""
    return parts["port"] is not None and parts["port"] == DEFAULT_PORTS.get((parts["scheme"] or "").lower())


def port_of_wrong_length(parts: Values) -> Values:
    """Take the index at which the path begins for the length of the port."""
    before = len(text_before_query({**parts, "path": ""}))
    beginning = before - len(parts["port"])
    return {"port": whole_text(parts)[beginning : beginning + before]}


FAULTS: Mapping[str, Fault] = {
    # userinfo
    "adds_user_to_host_before_port": shows_when(
        lambda parts: (
            parts["userinfo"] is not None and ":" not in component(parts, "userinfo") and parts["port"]
        ),
        lambda parts: {"userinfo": None, "host": f"{component(parts, 'userinfo')}@{host_of(parts)}"},
    ),
    "adds_user_without_password_to_host": shows_when(has_userinfo_without_colon, login_in_host),
    "adds_user_without_password_to_host_before_port": shows(user_in_host),
    "cuts_userinfo_at_second_colon": shows_generic(second_field_only),
    "decodes_ascii_in_userinfo": changes_component("userinfo", decode_ascii),
    "drops_colon_of_empty_password": changes_component(
        "userinfo", lambda userinfo: userinfo.removesuffix(":")
    ),
    "encodes_percent_in_userinfo": shows_when(
        component_has("userinfo", "%"),
        lambda parts: {"userinfo": component(parts, "userinfo").replace("%", "%25")},
    ),
    "ends_host_at_first_colon_of_odd_credentials": shows_generic(plain_credentials_only),
    "ends_host_at_semicolon_in_userinfo": shows(login_at_semicolon),
    "ends_userinfo_at_at_sign_in_path": shows(userinfo_to_at_sign_in("path", "")),
    "ends_userinfo_at_at_sign_in_query": shows(userinfo_to_at_sign_in("query", "?")),
    "loses_userinfo_with_other_than_letters_and_digits": shows_when(
        component_has("userinfo", "[^A-Za-z0-9:]"), lambda _: {"userinfo": None}
    ),
    "shifts_host_by_at_sign": shows(at_in_userinfo),
    "takes_empty_userinfo_for_absent": shows_when(
        lambda parts: parts["userinfo"] == "", lambda _: {"userinfo": None}
    ),
    "takes_password_for_port": shows_when(
        component_has("userinfo", ":"), port_after_first_colon_of_authority
    ),
    "takes_user_of_http_for_host": shows_when(
        lambda parts: is_http(parts) and ":" in component(parts, "userinfo"),
        lambda parts: {"host": parts["userinfo"].partition(":")[0]},
    ),
    "takes_user_of_ssh_for_host": shows(user_as_host),
    # port
    "adds_colon_of_empty_port_to_host": shows_when(
        lambda parts: parts["port"] == "", lambda parts: {"host": f"{parts['host']}:", "port": None}
    ),
    "adds_default_port": shows_when(
        lambda parts: (
            parts["port"] is None and parts["authority"] and parts["scheme"] in ("http", "https", "ftp")
        ),
        lambda parts: {"port": {"http": "80", "https": "443", "ftp": "21"}[parts["scheme"]]},
    ),
    "adds_port_to_host_as_well": shows_when(
        lambda parts: bool(parts["port"]), lambda parts: {"host": f"{parts['host']}:{parts['port']}"}
    ),
    "drops_default_port": shows_when(
        lambda parts: parts["port"] == DEFAULT_PORTS.get((parts["scheme"] or "").lower()),
        lambda _: {"port": None},
    ),
    "drops_default_port_from_authority": shows_when(has_default_port, without_default_port),
    "drops_leading_zeros_of_port": shows_when(
        lambda parts: (parts["port"] or "").startswith("0"), lambda parts: {"port": str(int(parts["port"]))}
    ),
    "drops_port_of_ssh": shows_when(
        lambda parts: has_scheme(parts, "ssh") and bool(parts["port"]), lambda _: {"port": None}
    ),
    "drops_port_with_authority": shows(no_port),
    "drops_port_zero_of_unknown_scheme": shows_when(
        lambda parts: parts["port"] == "0" and component(parts, "scheme").lower() not in KNOWN_SCHEMES,
        lambda _: {"port": None},
    ),
    "finds_port_after_colon_in_path": shows(
        lambda parts: (
            {"port": match[1]}
            if parts["scheme"] is None
            and parts["authority"]
            and (match := re.search(r":(\d+)", parts["path"]))
            else None
        )
    ),
    "finds_port_in_path_of_network_path": shows(port_of_path),
    "keeps_16_bits_of_port": shows_when(
        lambda parts: int(parts["port"] or 0) > 65535,
        lambda parts: {"port": str(int(parts["port"]) % 65536)},
    ),
    "keeps_32_bits_of_port": shows(wrapped),
    "loses_port_after_brackets": shows_when(
        lambda parts: is_bracketed(parts) and parts["port"], lambda _: {"port": None}
    ),
    "loses_port_before_query_or_fragment": shows_when(
        lambda parts: (
            has_no_path(parts) and bool(parts["port"]) and (parts["query"], parts["fragment"]) != (None, None)
        ),
        lambda _: {"port": None},
    ),
    "moves_port_after_userinfo_to_path": shows_when(
        lambda parts: parts["userinfo"] is not None and bool(parts["port"]),
        lambda parts: {"port": None, "path": f"/{parts['port']}{parts['path']}"},
    ),
    "moves_port_of_ssh_to_path": shows_when(
        lambda parts: parts["scheme"] == "ssh" and bool(parts["port"]),
        lambda parts: {"port": None, "path": f"/{parts['port']}{parts['path']}"},
    ),
    "moves_port_to_host": shows_when(
        lambda parts: bool(parts["host"]) and bool(parts["port"]),
        lambda parts: {"host": f"{parts['host']}:{parts['port']}", "port": None},
    ),
    "moves_port_without_path_to_host": shows_when(
        lambda parts: parts["port"] and not parts["path"],
        lambda parts: {"host": f"{parts['host']}:{parts['port']}", "port": None},
    ),
    "shows_absent_port_as_minus_one": shows_when(
        lambda parts: parts["authority"] is not None and parts["port"] is None, lambda _: {"port": "-1"}
    ),
    "shows_empty_port_as_undefined": shows_when(
        lambda parts: parts["port"] == "", lambda _: {"port": "undefined"}
    ),
    "shows_port_8080_before_slash": shows_when(
        lambda parts: is_http(parts) and bool(parts["port"]) and parts["path"] == "/",
        lambda _: {"port": "8080"},
    ),
    "shows_port_above_65535_as_zero": shows_when(
        lambda parts: int(component(parts, "port") or "0") > 65535, lambda _: {"port": "0"}
    ),
    "shows_port_as_zero": shows_when(lambda parts: bool(parts["port"]), lambda _: {"port": "0"}),
    "shows_port_of_amqp": shows_when(lambda parts: bool(parts["port"]), lambda _: {"port": "5672"}),
    "takes_empty_port_for_absent": shows_when(lambda parts: parts["port"] == "", lambda _: {"port": None}),
    "takes_end_of_port_for_its_length": shows_when(
        lambda parts: bool(parts["port"]) and parts["path"] != "", port_of_wrong_length
    ),
    "takes_port_zero_for_absent": shows_when(lambda parts: parts["port"] == "0", lambda _: {"port": None}),
}
