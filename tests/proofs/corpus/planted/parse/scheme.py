"""Faults in finding the scheme (RFC 3986, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..components import (
    LOCALHOST,
    NO_AUTHORITY,
    authority_parts,
    component,
    component_has,
    components_of,
    has_scheme,
    is_http,
    is_rootless,
    is_without_authority,
    text_after_authority,
    text_before_query,
    whole_text,
)
from ..faults import Fault, Values, rejects_parts, shows, shows_when
from ..texts import split


def localhost_added(parts: Values) -> Values | None:
    """Give a host to a URL without an authority."""
    return (
        {**authority_parts("localhost"), "path": f"/{component(parts, 'path')}"}
        if is_rootless(parts)
        else None
    )


def namespace_in_scheme(parts: Values) -> Values:
    """Add the namespace of a URN to the scheme."""
    namespace, _, rest = parts["path"].partition(":")
    return {"scheme": f"{parts['scheme']}:{namespace}", "path": rest}


def scheme_before_slashes(parts: Values) -> Values:
    """Take all before the first colon and two slashes for the scheme."""
    scheme, _, after = whole_text(parts).partition("://")
    return {**components_of(f"//{after}"), "scheme": scheme}


def last_authority(parts: Values) -> Values | None:
    """Find the authority after the last colon with two slashes."""
    if parts["authority"] is None or "://" not in (parts["query"] or ""):
        return None
    last = split("//" + parts["query"].rpartition("://")[2])
    return {"authority": last.authority, "host": last.authority, "path": last.path, "query": last.query}


def address_is_login(parts: Values) -> Values:
    """Take a scheme and what precedes an at sign for user and password."""
    login, _, host = parts["path"].rpartition("@")
    login = f"{parts['scheme']}:{login}"
    authority = {"authority": f"{login}@{host}", "userinfo": login, "host": host}
    return {**authority, "scheme": None, "path": ""}


def drive_of_file(parts: Values) -> Values | None:
    """Return a file URL with a scheme of one letter in its path."""
    if parts.get("authority") is None or not parts["scheme"] or len(parts["scheme"]) > 1:
        return None
    path = f"/{parts['scheme']}://{parts['authority']}{parts['path']}"
    return {"scheme": "file", "authority": "", "userinfo": None, "host": "", "port": None, "path": path}


def has_capital_http(parts: Values) -> bool:
    """Tell if the scheme is http or https with a letter in upper case."""
    return is_http(parts) and parts["scheme"] != parts["scheme"].lower()


def first_segment_is_host(parts: Values) -> Values:
    """Read a rootless path as an authority and a path."""
    return {**components_of(f"//{text_after_authority(parts)}"), "scheme": parts["scheme"]}


def all_as_path(parts: Values) -> Values:
    """Leave scheme and authority in the path."""
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    return {**NO_AUTHORITY, "scheme": None, "path": f"{parts['scheme']}:{authority}{parts['path']}"}


def scheme_before_digits_as_host(parts: Values) -> Values | None:
    """Read a scheme before a path that begins with digits as a host with a port."""
    match = re.match(r"(\d+)(/.*)?$", component(parts, "path"), re.DOTALL)
    if parts["scheme"] is None or parts["authority"] is not None or not match:
        return None
    authority = f"{parts['scheme']}:{match[1]}"
    host = {"authority": authority, "host": parts["scheme"], "port": match[1]}
    return {**host, "scheme": None, "path": match[2] or ""}


def scheme_as_host_of_http(parts: Values) -> Values | None:
    """Take any scheme but http and https for the host."""
    scheme = component(parts, "scheme")
    if not scheme or scheme.lower() in ("http", "https") or parts.get("authority") is None:
        return None
    path = f"//{parts['authority']}{parts['path']}"
    return {
        "scheme": "http",
        "authority": f"{scheme}:",
        "userinfo": None,
        "host": scheme,
        "port": "",
        "path": path,
    }


def scheme_as_host_of_ssh(parts: Values) -> Values:
    """Take the scheme for the host of a URL of ssh."""
    authority = {"authority": parts["scheme"], "host": parts["scheme"]}
    return {**authority, "scheme": "ssh", "path": f"/{parts['path']}"}


def scheme_as_path(parts: Values) -> Values | None:
    """Return a scheme with a plus, a period or a hyphen as a part of the path."""
    scheme = parts.get("scheme")
    if not scheme or "path" not in parts or not re.search("[+.-]", scheme):
        return None
    authority = "" if parts.get("authority") is None else f"//{parts['authority']}"
    return {**NO_AUTHORITY, "scheme": None, "path": f"{scheme}:{authority}{parts['path']}"}


def all_as_rooted_path(parts: Values) -> Values:
    """Take a URI for a path because of its scheme."""
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    path = f"/{parts['scheme']}:{authority}{parts['path']}"
    return {**NO_AUTHORITY, "scheme": None, "path": path}


def zero_is_nothing(parts: Values) -> Values | None:
    """Take components that are 0 for absent ones."""
    return {name: None for name in ("userinfo", "host", "port", "query", "fragment") if parts[name] == "0"}


def zero_as_empty(parts: Values) -> Values | None:
    """Take the value 0 for an empty one."""
    lost: dict[str, Any] = {
        name: None for name in ("userinfo", "query", "fragment") if parts.get(name) == "0"
    }
    return lost or None


FAULTS: Mapping[str, Fault] = {
    "adds_fragment_to_net_loc": shows_when(
        lambda parts: parts["net_loc"] is not None and not parts["path"] and parts["fragment"] is not None,
        lambda parts: {"net_loc": f"{parts['net_loc']}#{parts['fragment']}", "fragment": None},
    ),
    "adds_localhost_before_rootless_path": shows(localhost_added),
    "adds_namespace_of_urn_to_scheme": shows_when(
        lambda parts: (
            has_scheme(parts, "urn")
            and re.match(r"[0-9A-Za-z][0-9A-Za-z-]{1,31}:", parts["path"]) is not None
        ),
        namespace_in_scheme,
    ),
    "cuts_components_at_65536_characters": shows(
        lambda parts: {
            name: parts[name][: len(parts[name]) % 65536]
            for name in ("path", "query", "fragment")
            if len(parts[name] or "") > 65535
        }
    ),
    "ends_scheme_at_two_slashes": shows_when(
        lambda parts: parts["scheme"] is None and "://" in whole_text(parts), scheme_before_slashes
    ),
    "finds_authority_after_last_slashes": shows(last_authority),
    "loses_all_after_scheme": shows_when(
        lambda parts: parts["scheme"] is not None,
        lambda _: {**NO_AUTHORITY, "path": "", "query": None, "fragment": None},
    ),
    "loses_all_of_scheme_without_authority": shows_when(
        is_without_authority,
        lambda _: {"scheme": None, "path": "", "query": None, "fragment": None},
    ),
    "rejects_reference_without_scheme": rejects_parts(lambda parts: parts["scheme"] is None),
    "shows_capital_triplets": shows(
        lambda parts: {
            name: re.sub("%..", lambda match: match[0].upper(), parts[name])
            for name in ("path", "query")
            if parts[name]
        }
    ),
    "takes_address_for_login": shows_when(
        lambda parts: (
            is_without_authority(parts) and re.fullmatch(r"[^:@/]*@[^:@/]*", parts["path"]) is not None
        ),
        address_is_login,
    ),
    "takes_authority_of_one_letter_scheme_for_drive": shows(drive_of_file),
    "takes_capital_http_for_path_after_http": shows_when(
        has_capital_http, lambda parts: components_of(f"http://{whole_text(parts)}")
    ),
    "takes_capital_scheme_for_path": shows_when(component_has("scheme", "[A-Z]"), all_as_path),
    "takes_digits_after_scheme_for_port": shows_when(
        lambda parts: (
            parts["scheme"]
            and parts["authority"] is None
            and re.fullmatch(r"\d{1,5}", parts["path"])
            and parts["query"] is None
        ),
        lambda parts: {"scheme": None, "host": parts["scheme"], "port": parts["path"], "path": ""},
    ),
    "takes_first_segment_after_scheme_for_host": shows_when(is_rootless, first_segment_is_host),
    "takes_first_segment_of_dotless_scheme_for_host": shows_when(
        lambda parts: is_rootless(parts) and "." not in parts["scheme"], first_segment_is_host
    ),
    "takes_first_segment_of_unknown_scheme_for_host": shows_when(
        lambda parts: (
            is_rootless(parts)
            and not has_scheme(parts, "http", "https", "ftp", "gopher", "file", "javascript")
        ),
        first_segment_is_host,
    ),
    "takes_long_scheme_for_host": shows_when(
        lambda parts: len(component(parts, "scheme")) > 6 and parts["authority"] is not None,
        lambda parts: {
            **NO_AUTHORITY,
            "scheme": None,
            "authority": parts["scheme"],
            "host": parts["scheme"],
            "path": f"/{parts['authority']}{parts['path']}",
        },
    ),
    "takes_scheme_and_digits_for_path": shows_when(
        lambda parts: parts["scheme"] and parts["authority"] is None and re.fullmatch(r"\d+", parts["path"]),
        lambda parts: {"scheme": None, "path": f"{parts['scheme']}:{parts['path']}"},
    ),
    "takes_scheme_before_digits_alone_for_path": shows_when(
        lambda parts: (
            is_without_authority(parts)
            and parts["query"] is None
            and parts["fragment"] is None
            and re.fullmatch(r"\d+", parts["path"]) is not None
        ),
        all_as_path,
    ),
    "takes_scheme_before_digits_for_host": shows(scheme_before_digits_as_host),
    "takes_scheme_for_host_of_http": shows(scheme_as_host_of_http),
    "takes_scheme_for_host_of_ssh": shows_when(
        lambda parts: (
            is_without_authority(parts)
            and re.match(r"[^/@]", parts["path"]) is not None
            and "@" not in parts["path"]
        ),
        scheme_as_host_of_ssh,
    ),
    "takes_scheme_of_one_letter_for_drive": shows_when(
        lambda parts: (
            len(parts["scheme"] or "") == 1 and parts["authority"] is None and parts["path"][:1] == "/"
        ),
        lambda parts: {
            "scheme": "file",
            "authority": "",
            "host": "",
            "path": f"/{parts['scheme']}:{parts['path']}",
        },
    ),
    "takes_scheme_with_digit_for_path": shows_when(component_has("scheme", "[0-9]"), all_as_path),
    "takes_scheme_with_digit_or_mark_for_path_on_localhost": shows_when(
        component_has("scheme", "[0-9+.-]"),
        lambda parts: {**LOCALHOST, "scheme": "http", "path": f"/{text_before_query(parts)}"},
    ),
    "takes_scheme_with_mark_for_path": shows(scheme_as_path),
    "takes_scheme_with_mark_for_rooted_path": shows_when(
        component_has("scheme", "[+.-]"), all_as_rooted_path
    ),
    "takes_scheme_without_authority_for_path": shows_when(
        is_without_authority,
        lambda parts: {"scheme": None, "path": text_before_query(parts)},
    ),
    "takes_scheme_without_authority_for_rooted_path": shows_when(
        is_without_authority,
        lambda parts: {"scheme": None, "path": f"/{parts['scheme']}:{parts['path']}"},
    ),
    "takes_url_with_capital_scheme_for_path_after_http": shows_when(
        component_has("scheme", "[A-Z]"),
        lambda parts: components_of(f"http://{whole_text(parts)}"),
    ),
    "takes_zero_for_absent": shows(zero_is_nothing),
    "takes_zero_for_absent_but_host": shows(zero_as_empty),
}
