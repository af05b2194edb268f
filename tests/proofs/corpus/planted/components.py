"""Tests and texts of components as `parse` gives them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .faults import Ask, Fault, Question, Reply, Values, shows, shows_when
from .texts import IPV4, Change, has, split

Test = Callable[[Values], bool]

NO_AUTHORITY: Values = {"authority": None, "userinfo": None, "host": None, "port": None}
EMPTY_AUTHORITY: Values = {"authority": "", "userinfo": None, "host": "", "port": None}

LOCALHOST: Values = {"authority": "localhost", "userinfo": None, "host": "localhost", "port": None}

DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

#: What follows an authority.
AFTER_AUTHORITY = r"(?=[/?#]|$)"


def component(parts: Values, name: str) -> str:
    """Return the text of a component, empty if it is absent."""
    text = parts.get(name)
    return text if isinstance(text, str) else ""


def host_of(parts: Values) -> str:
    """Return the host, empty if it is absent."""
    return component(parts, "host")


def component_has(name: str, pattern: str) -> Test:
    """Return a function that tells if a pattern matches somewhere in a component that is present."""
    test = has(pattern)
    return lambda parts: parts.get(name) is not None and test(parts[name])


def changes_component(name: str, change: Change) -> Fault:
    """Change a component if it is present."""
    return shows(lambda parts: None if parts[name] is None else {name: change(parts[name])})


def changes_host(change: Change) -> Fault:
    """Change the host if it is not empty."""
    return shows(lambda parts: {"host": change(parts["host"])} if parts["host"] else None)


# Kinds of URLs.


def is_generic(parts: Values) -> bool:
    """Tell if the components are those of RFC 3986."""
    return "authority" in parts and "path" in parts


def is_local(parts: Values) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return is_generic(parts) and parts["scheme"] is None and parts["authority"] is None


def is_network_path(parts: Values) -> bool:
    """Tell if a reference begins with an authority."""
    return is_generic(parts) and parts["scheme"] is None and parts["authority"] is not None


def is_without_authority(parts: Values) -> bool:
    """Tell if a scheme is not followed by an authority."""
    return is_generic(parts) and parts["scheme"] is not None and parts["authority"] is None


def is_rootless(parts: Values) -> bool:
    """Tell if a scheme is followed by a path that does not begin with a slash."""
    return is_without_authority(parts) and parts["path"][:1] not in ("", "/")


def has_scheme(parts: Values, *schemes: str) -> bool:
    """Tell if the scheme is one of these, given in lower case."""
    return component(parts, "scheme").lower() in schemes


def is_http(parts: Values) -> bool:
    """Tell if the scheme is http or https."""
    return has_scheme(parts, "http", "https")


def is_web_socket(parts: Values) -> bool:
    """Tell if the scheme is ws or wss."""
    return has_scheme(parts, "ws", "wss")


def has_no_path(parts: Values) -> bool:
    """Tell if an authority is followed by an empty path."""
    return parts.get("authority") is not None and not parts["path"]


def has_query_after_host(parts: Values) -> bool:
    """Tell if an authority is followed by a query."""
    return has_no_path(parts) and parts["query"] is not None


def has_fragment_after_host(parts: Values) -> bool:
    """Tell if an authority is followed by a fragment."""
    return has_no_path(parts) and parts["query"] is None and parts["fragment"] is not None


def is_bracketed(parts: Values) -> bool:
    """Tell if the host is an address in brackets."""
    return host_of(parts).startswith("[")


def is_named(parts: Values) -> bool:
    """Tell if the host is neither empty nor in brackets."""
    return host_of(parts) != "" and not is_bracketed(parts)


# Texts.


def text_before_query(parts: Values) -> str:
    """Return scheme, authority and path."""
    scheme = "" if parts["scheme"] is None else f"{parts['scheme']}:"
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    return scheme + authority + str(parts["path"])


def text_after_authority(parts: Values) -> str:
    """Return path, query and fragment."""
    query = "" if parts["query"] is None else f"?{parts['query']}"
    fragment = "" if parts["fragment"] is None else f"#{parts['fragment']}"
    return f"{parts['path']}{query}{fragment}"


def whole_text(parts: Values) -> str:
    """Return the text that has these components."""
    return text_before_query(parts) + text_after_authority({**parts, "path": ""})


def authority_parts(authority: str | None) -> dict[str, Any]:
    """Return an authority with its parts."""
    if authority is None:
        return {**NO_AUTHORITY}
    match = re.fullmatch(r"(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(.*))?", authority, re.DOTALL)
    userinfo, host, port = match.groups() if match else (None, authority, None)
    return {"authority": authority, "userinfo": userinfo, "host": host, "port": port}


def components_of(url: str) -> Values:
    """Split a text as appendix B does, and its authority as well."""
    parts = split(url)
    return {**parts._asdict(), **authority_parts(parts.authority)}


# Faults and tests of some tables.


def has_user_without_password(parts: Values) -> bool:
    """Tell if there is a user without a password."""
    user = parts.get("userinfo")
    return bool(user) and ":" not in str(user)


def has_underscore_in_http(parts: Values) -> bool:
    """Tell if the authority of http or https has an underscore after its userinfo."""
    return is_http(parts) and "_" in component(parts, "authority").rpartition("@")[2]


def has_userinfo_without_colon(parts: Values) -> bool:
    """Tell if there is userinfo, perhaps empty, without a colon."""
    return parts["userinfo"] is not None and ":" not in parts["userinfo"]


def ends_in_authority_or_fragment(parts: Values) -> bool:
    """Tell if an authority is followed by neither a path nor a query."""
    return has_no_path(parts) and parts["query"] is None


def labels_of_host(parts: Values) -> list[str]:
    """Return the labels of a host that is a name, without the empty one after a final dot."""
    host = host_of(parts)
    return [] if host.startswith("[") or IPV4.fullmatch(host) else host.removesuffix(".").split(".")


def is_ipv4(parts: Values) -> bool:
    """Tell if the host is an IPv4 address."""
    return IPV4.fullmatch(host_of(parts)) is not None


def in_references(fault: Fault) -> Fault:
    """Leave the questions about other rules than URI-reference alone."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        concerned = (question.get("rule") or "URI-reference") == "URI-reference"
        return fault.answer(question, right, ask) if concerned else right

    return Fault(fault.operations, answer)


def shows_generic(change: Callable[[Values], Values | None]) -> Fault:
    """Give other values to components of the syntax that has an authority."""
    return shows_when(lambda parts: "authority" in parts, change)


def userinfo_to_at_sign_in(component: str, delimiter: str) -> Callable[[Values], Values | None]:
    """Take an at sign in a later component for the end of the userinfo."""

    def change(parts: Values) -> Values | None:
        if parts["host"] is None or "@" not in (parts[component] or ""):
            return None
        before, _, host = parts[component].partition("@")
        return {"userinfo": f"{parts['host']}{delimiter}{before}", "host": host, component: ""}

    return change
