"""Faults of the eighth list in reading: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .library_faults import (
    Fault,
    Values,
    crashes,
    decoded,
    encoded,
    has,
    inside,
    rejects,
    rejects_parts,
    shows,
    sub,
    tolerates,
)

Changed = dict[str, Any] | None
Test = Callable[[Values], bool]

OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = re.compile(rf"{OCTET}(?:\.{OCTET}){{3}}")

#: The schemes that urlsplit of Python 2.6 gave an authority.
PYTHON_2_6 = {
    *("ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews"),
    *("prospero", "rtsp", "rtspu", "rsync", "svn", "svn+ssh", "sftp"),
}


def authority(given: str | None) -> dict[str, Any]:
    """Return an authority with its parts."""
    if given is None:
        return {"authority": None, "userinfo": None, "host": None, "port": None}
    found = re.fullmatch(r"(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(.*))?", given, re.DOTALL)
    parts: tuple[Any, ...] = found.groups() if found else (None, given, None)
    return {"authority": given, "userinfo": parts[0], "host": parts[1], "port": parts[2]}


def host_of(values: Values) -> str:
    """Return the host, empty if there is none."""
    return str(values.get("host") or "")


def path_of(values: Values) -> str:
    """Return the path, empty if there is none."""
    return str(values.get("path") or "")


def is_generic(values: Values) -> bool:
    """Tell if the components are those of RFC 3986."""
    return "authority" in values and "path" in values


def is_relative_path(values: Values) -> bool:
    """Tell if there is neither a scheme nor an authority."""
    return is_generic(values) and values.get("scheme") is None and values.get("authority") is None


def is_rootless(values: Values) -> bool:
    """Tell if a scheme is followed by a path without a slash in front."""
    path = path_of(values)
    return (
        is_generic(values)
        and values.get("scheme") is not None
        and values.get("authority") is None
        and path != ""
        and not path.startswith("/")
    )


def is_ipv6(values: Values) -> bool:
    """Tell if the host is an IPv6 address."""
    return bool(re.match(r"\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]", host_of(values)))


def has_ipv4_prefix(values: Values) -> bool:
    """Tell if the host begins like an IPv4 address but is a name."""
    host = host_of(values)
    return IPV4.match(host) is not None and IPV4.fullmatch(host) is None


def is_ipv4(values: Values) -> bool:
    """Tell if the host is an IPv4 address."""
    return IPV4.fullmatch(host_of(values)) is not None


def is_dotless(values: Values) -> bool:
    """Tell if the host is a name without a dot."""
    host = host_of(values)
    return host != "" and "." not in host and not host.startswith("[")


def is_user_only(values: Values) -> bool:
    """Tell if there is a user without a password."""
    user = values.get("userinfo")
    return bool(user) and ":" not in str(user)


def has_long_number(text: str) -> bool:
    """Tell if the host begins with a number of more than 31 bits."""
    found = re.search(r"//(?:[^/?#@]*@)?([0-9]+)", text)
    return found is not None and (len(found[1]) > 30 or int(found[1]) >= 2**31)


def has_at_in_query(values: Values) -> bool:
    """Tell if an at sign is in the query, but not in the authority."""
    return (
        values.get("userinfo") is None
        and values.get("authority") is not None
        and "@" in (values.get("query") or "")
    )


def is_without_authority(values: Values) -> bool:
    """Tell if a scheme is not followed by an authority."""
    return is_generic(values) and values.get("scheme") is not None and values.get("authority") is None


def has_percent_in_userinfo(values: Values) -> bool:
    """Tell if the userinfo has a percent-encoded octet."""
    return "%" in (values.get("userinfo") or "")


def unknown_scheme(values: Values) -> Changed:
    """Leave the authority of an unknown scheme in the path; RFC 1808 calls it net_loc."""
    given = values.get("authority", values.get("net_loc"))
    if given is None or values.get("scheme") is None or str(values["scheme"]).lower() in PYTHON_2_6:
        return None
    none = authority(None) if "authority" in values else {"net_loc": None}
    return {**none, "path": f"//{given}{path_of(values)}"}


def opaque_as_host(values: Values) -> Changed:
    """Take what follows the scheme for the host."""
    if not is_rootless(values):
        return None
    head, slash, rest = path_of(values).partition("/")
    return {**authority(head), "path": slash + rest}


def user_in_host(values: Values) -> Changed:
    """Leave a user without a password in the host if there is a port."""
    if not is_user_only(values) or values.get("port") is None:
        return None
    return {"userinfo": None, "host": f"{values['userinfo']}@{values['host']}"}


def host_to_colon(values: Values) -> Changed:
    """End a host without a port at the first colon of the rest of the URL."""
    if not is_generic(values) or not values["host"] or values["port"] is not None or is_ipv6(values):
        return None
    query = "" if values["query"] is None else f"?{values['query']}"
    fragment = "" if values["fragment"] is None else f"#{values['fragment']}"
    before, colon, _ = f"{values['path']}{query}{fragment}".partition(":")
    return {"host": f"{values['host']}{before}"} if colon else None


def path_with(when: Test, change: Callable[[str], str | None]) -> Callable[[Values], Changed]:
    """Return a function that changes the path of some URLs."""
    return lambda values: {"path": change(path_of(values))} if when(values) else None


def fragment_in_host(values: Values) -> Changed:
    """Leave a fragment that directly follows the authority with the host."""
    if not is_generic(values) or values["authority"] is None or values["path"] or values["query"] is not None:
        return None
    if values["fragment"] is None:
        return None
    end = f"#{values['fragment']}"
    last = "host" if values["port"] is None else "port"
    return {"authority": values["authority"] + end, last: f"{values[last] or ''}{end}", "fragment": None}


def end_in_host(values: Values) -> Changed:
    """Show the query and fragment that directly follow an authority in it, too."""
    if not is_generic(values) or values["authority"] is None or values["path"]:
        return None
    query = "" if values["query"] is None else f"?{values['query']}"
    fragment = "" if values["fragment"] is None else f"#{values['fragment']}"
    if not query + fragment:
        return None
    last = "host" if values["port"] is None else "port"
    return {
        "authority": values["authority"] + query + fragment,
        last: f"{values[last] or ''}{query}{fragment}",
    }


def cut_after_octet(values: Values) -> Changed:
    """End the URL in the last octet of an IPv4 address if the octet is 200 or more."""
    host = host_of(values)
    if not is_ipv4(values) or int(host.rpartition(".")[2]) < 200 or not is_generic(values):
        return None
    user = f"{values['userinfo']}@" if values["userinfo"] is not None else ""
    return {**authority(user + host[:-1]), "path": "", "query": None, "fragment": None}


def network_path_as_path(values: Values) -> Changed:
    """Take a network-path reference for a path."""
    if values.get("authority") is None or values.get("scheme") is not None:
        return None
    return {**authority(None), "path": f"//{values['authority']}{path_of(values)}"}


def localhost_added(values: Values) -> Changed:
    """Give a host to a URL without an authority."""
    return {**authority("localhost"), "path": f"/{path_of(values)}"} if is_rootless(values) else None


def segment_as_authority(values: Values) -> Changed:
    """Take the first segment of a relative-path reference for the authority."""
    path = path_of(values)
    if not is_relative_path(values) or path == "" or path.startswith("/"):
        return None
    head, _, rest = path.partition("/")
    return {**authority(head), "path": f"/{rest}"}


def ssh_port_as_path(values: Values) -> Changed:
    """Leave the authority of an ssh URL with a port in the path."""
    if not is_generic(values) or values["port"] is None or values["scheme"] != "ssh":
        return None
    return {**authority(""), "path": f"//{values['authority']}{values['path']}"}


def userinfo_past_slash(values: Values) -> Changed:
    """Let the userinfo extend over slashes to an at sign in the path."""
    if (
        not is_generic(values)
        or values["port"] is None
        or values["userinfo"] is not None
        or "@" not in values["path"]
    ):
        return None
    user, _, rest = f"{values['authority']}{values['path']}".partition("@")
    head, slash, tail = rest.partition("/")
    return {**authority(f"{user}@{head}"), "userinfo": user, "path": slash + tail}


def plain_scheme(text: str) -> str:
    """Return a text whose scheme is not percent-encoded."""
    scheme, colon, rest = text.partition(":")
    return decoded("[0-9a-f]{2}")(scheme) + colon + rest if "%" in scheme and "/" not in scheme else text


RELATIVE_NONEMPTY: Test = lambda values: is_relative_path(values) and path_of(values) != ""  # noqa: E731
UNROOTED: Test = lambda values: RELATIVE_NONEMPTY(values) and not path_of(values).startswith("/")  # noqa: E731

EIGHTH_READING_FAULTS: dict[str, Fault] = {
    # Texts that are accepted.
    "cpython-scheme-with-digit": tolerates(sub(r"\A(?=[0-9][0-9A-Za-z+.\-]*:)", "x")),
    "go-space-in-host": tolerates(inside("authority", sub(r" (?=[^@]*\Z)", "%20"))),
    "go-ipv4-port-of-letters": tolerates(
        sub(r"(//(?:[^/?#@]*@)?(?:[0-9]{1,3}\.){3}[0-9]{1,3}):[^/?#:@]*[^/?#:@0-9][^/?#:@]*", r"\1")
    ),
    "spring-port-of-letters-in-path": tolerates(
        sub(r"\A([^:/?#]+://[A-Za-z][^/?#@:]*):([A-Za-z])", r"\1/\2")
    ),
    "yarl-control-in-host": tolerates(inside("authority", encoded(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"))),
    "scala-uri-space-in-user": tolerates(inside("authority", sub(r" (?=[^@]*@)", "%20"))),
    "vscode-json-backslash": tolerates(encoded(r"\\")),
    "ajv-vertical-bar": tolerates(encoded(r"\|")),
    "fast-uri-percent-in-scheme": tolerates(plain_scheme),
    # Texts at which a library fails.
    "yarl-brackets-before-at": crashes(has(r"//[^/?#]*\][^/?#]*@(?=[/?#]|\Z)")),
    "yarl-closing-before-opening": crashes(has(r"//[^/?#\[]*\][^/?#]*\[")),
    "scala-uri-long-number-host": crashes(has_long_number),
    "akka-http-ipv4-host": crashes(has(r"://(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?=[:/?#]|\Z)")),
    # Texts that are refused.
    "iref-ipv4-prefix": rejects_parts(has_ipv4_prefix),
    "iref-ipv6-ends-in-colons": rejects(has(r"\[[^\]]*[0-9A-Fa-f]::\]")),
    "scala-uri-at-in-query": rejects_parts(has_at_in_query),
    "validator-js-ipv6": rejects(has(r"//(?:[^/?#@]*@)?\[")),
    "validator-js-user-only": rejects_parts(is_user_only),
    "validator-js-dotless-host": rejects_parts(is_dotless),
    "validatorjs-ipv4": rejects_parts(is_ipv4),
    "ajv-urn": rejects_parts(is_without_authority),
    "http-crate-percent-in-userinfo": rejects_parts(has_percent_in_userinfo),
    # Wrong components.
    "python-2-6-unknown-scheme": shows(unknown_scheme),
    "node-url-opaque-as-host": shows(opaque_as_host),
    "scala-uri-fragment-in-host": shows(fragment_in_host),
    "scala-uri-userinfo-past-slash": shows(userinfo_past_slash),
    "eo-query-in-host": shows(end_in_host),
    "http4s-ipv4-octet": shows(cut_after_octet),
    "http4s-segment-as-authority": shows(segment_as_authority),
    "swift-url-rootless-path": shows(path_with(is_rootless, lambda _: "")),
    "url-parse-network-path": shows(network_path_as_path),
    "ktor-relative-path-slash": shows(path_with(UNROOTED, lambda path: f"/{path}")),
    "ktor-mailto-localhost": shows(localhost_added),
    "bun-user-in-host": shows(user_in_host),
    "starrocks-host-to-colon": shows(host_to_colon),
    "git-url-parse-ssh-port": shows(ssh_port_as_path),
    "cyberduck-encoded-slash": shows(
        path_with(
            lambda values: is_generic(values) and re.search("%2[fF]", path_of(values)) is not None,
            decoded("2f"),
        )
    ),
}
