"""Faults of the fourth list in reading: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping

from .library_faults import (
    Change,
    Fault,
    Values,
    crashes,
    decoded,
    has,
    inside,
    rejects,
    rejects_parts,
    shows,
    sub,
    tolerates,
)
from .third_reading_faults import IPV4

OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
BEGINS_WITH_IPV4 = re.compile(rf"{OCTET}(?:\.{OCTET}){{3}}")
NO_AUTHORITY: Values = {"authority": None, "userinfo": None, "host": None, "port": None}


def _value(parts: Values, name: str) -> str:
    return parts[name] or ""


def _is_path(parts: Values) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return parts["scheme"] is None and parts["authority"] is None


def _when(test: Callable[[Values], bool], changed: Callable[[Values], Values]) -> Fault:
    """Give other values to some components when the test is true of all."""
    return shows(lambda parts: changed(parts) if test(parts) else None)


def _bracketed(authority: str) -> str:
    """Put an IPv6 address without brackets into brackets."""
    try:
        return f"[{ipaddress.IPv6Address(authority)}]"
    except ValueError:
        return authority


def _in_query_and_fragment(change: Change) -> Change:
    return lambda url: inside("fragment", change)(inside("query", change)(url))


def _all_is_path(parts: Values) -> Values:
    """Take a URI for a path because of its scheme."""
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    path = f"/{parts['scheme']}:{authority}{parts['path']}"
    return {**NO_AUTHORITY, "scheme": None, "path": path}


def _login_in_path(parts: Values) -> Values | None:
    """Take what stands before an at sign in the path for the userinfo."""
    before, at_sign, after = _value(parts, "path").partition("@")
    login = f"{parts['host']}{before}"
    if parts["authority"] is None or "@" in parts["authority"] or not at_sign:
        return None
    if parts["port"] is not None or ":" in login or ":" in after:
        return None
    host, slash, path = after.partition("/")
    return {"authority": f"{login}@{host}", "userinfo": login, "host": host, "path": slash + path}


def _first_colon_is_port(parts: Values) -> Values:
    """Find the port after the first colon of an address in brackets."""
    host, _, port = parts["host"].partition(":")
    return {"host": host, "port": port if parts["port"] is None else f"{port}:{parts['port']}"}


def _host_ends_at_hyphen(parts: Values) -> Values:
    host, _, rest = parts["host"].partition("-")
    port = "" if parts["port"] is None else f":{parts['port']}"
    return {"host": host, "port": None, "path": f"-{rest}{port}{parts['path']}"}


def _parameters_of_last_segment(parts: Values) -> Values | None:
    """Find the parameters in the last segment instead of after the first semicolon (RFC 1808)."""
    if "/" not in (parts["params"] or ""):
        return None
    directory, slash, last = f"{parts['path']};{parts['params']}".rpartition("/")
    name, semicolon, parameters = last.partition(";")
    return {"path": directory + slash + name, "params": parameters if semicolon else None}


def _wrapped(parts: Values) -> Values | None:
    """Give the last 32 bits of a port."""
    port = _value(parts, "port")
    return {"port": str(int(port) % 2**32)} if int(port or "0") >= 2**32 else None


def _scheme_is_host(parts: Values) -> Values | None:
    """Read a scheme before a path that begins with digits as a host with a port."""
    found = re.match(r"(\d+)(/.*)?$", _value(parts, "path"), re.DOTALL)
    if parts["scheme"] is None or parts["authority"] is not None or not found:
        return None
    authority = f"{parts['scheme']}:{found[1]}"
    host = {"authority": authority, "host": parts["scheme"], "port": found[1]}
    return {**host, "scheme": None, "path": found[2] or ""}


FOURTH_READING_FAULTS: Mapping[str, Fault] = {
    # addresses in brackets
    "network-uri-version-of-two-digits": rejects_parts(
        lambda parts: re.match(r"\[[vV][0-9A-Fa-f]{2,}\.", _value(parts, "host")) is not None
    ),
    "cpython-characters-of-future-address": tolerates(sub(r"\[([vV][0-9A-Fa-f]+\.)[^\]/?#]+\]", r"[\1a]")),
    "ip-address-no-brackets": tolerates(inside("authority", _bracketed)),
    "iref-colon-of-address": _when(
        lambda parts: _value(parts, "host").startswith("[") and ":" in parts["host"], _first_colon_is_port
    ),
    "clickhouse-port-after-brackets": _when(
        lambda parts: _value(parts, "host").startswith("[") and bool(parts["port"]), lambda _: {"port": None}
    ),
    # userinfo
    "cxxurl-percent-in-userinfo": rejects_parts(lambda parts: "%" in _value(parts, "userinfo")),
    "jetty-number-sign-in-userinfo": tolerates(sub("^([^/?#]*//[^/?#@]*)#(?=@)", r"\1%23")),
    "hawk-at-sign-in-path": shows(_login_in_path),
    # host
    "modern-uri-empty-authority": rejects_parts(lambda parts: parts["authority"] == ""),
    "network-name-begins-with-address": rejects_parts(
        lambda parts: (
            BEGINS_WITH_IPV4.match(_value(parts, "host")) is not None
            and not IPV4.fullmatch(_value(parts, "host"))
        )
    ),
    "gojsonschema-percent-in-host": rejects_parts(lambda parts: "%" in _value(parts, "host")),
    "akka-port-without-host": rejects_parts(lambda parts: parts["host"] == "" and bool(parts["port"])),
    "vlang-backslash-in-authority": tolerates(inside("authority", sub(r"\\", "a"))),
    "swift-empty-host": _when(lambda parts: parts["host"] == "", lambda _: {"host": None}),
    "erl-query-in-host": _when(
        lambda parts: (
            parts["authority"] is not None
            and parts["port"] is None
            and not parts["path"]
            and parts["query"] is not None
        ),
        lambda parts: {"host": f"{parts['host']}?{parts['query']}", "query": None},
    ),
    "source-map-hyphen-in-host": _when(
        lambda parts: "-" in _value(parts, "host") and not parts["host"].startswith("["),
        _host_ends_at_hyphen,
    ),
    # port
    "hhvm-port-without-scheme": rejects_parts(lambda parts: parts["scheme"] is None and bool(parts["port"])),
    "qore-query-after-port": rejects_parts(
        lambda parts: bool(parts["port"]) and not parts["path"] and parts["query"] is not None
    ),
    "nats-port-is-no-number": tolerates(
        sub(
            r"^([^/?#]*//(?:[^/?#@]*@)?(?:\[[^\]/?#]*\]|[^/?#:@\[\]]*))"
            r":(?!\d*(?:[/?#]|$))[^/?#:@]*(?=[/?#]|$)",
            r"\1",
        )
    ),
    "libwww-two-ports": tolerates(sub(r"^([^/?#]*//[^/?#:@\[\]]*):\d+(?=:\d+(?:[/?#]|$))", r"\1")),
    "parse-path-port-in-host": _when(
        lambda parts: bool(parts["port"]), lambda parts: {"host": f"{parts['host']}:{parts['port']}"}
    ),
    "luasocket-query-in-port": _when(
        lambda parts: bool(parts["port"]) and not parts["path"] and parts["query"] is not None,
        lambda parts: {
            "authority": f"{parts['authority']}?{parts['query']}",
            "port": f"{parts['port']}?{parts['query']}",
            "query": None,
        },
    ),
    "brpc-port-wraps": shows(_wrapped),
    "rippled-port-out-of-range": _when(
        lambda parts: int(_value(parts, "port") or "0") > 65535, lambda _: {"port": "0"}
    ),
    "php-port-zero": _when(lambda parts: parts["port"] == "0", lambda _: {"port": None}),
    "urllib3-port-of-six-digits": rejects_parts(lambda parts: len(_value(parts, "port")) > 5),
    "ada-zero-before-port": rejects_parts(lambda parts: re.match(r"0\d", _value(parts, "port")) is not None),
    "gitlink-port-of-ssh-in-path": _when(
        lambda parts: parts["scheme"] == "ssh" and bool(parts["port"]),
        lambda parts: {"port": None, "path": f"/{parts['port']}{parts['path']}"},
    ),
    # scheme
    "uriparser-jl-digit-in-scheme": rejects_parts(
        lambda parts: re.search("[0-9]", _value(parts, "scheme")) is not None
    ),
    "commons-validator-capital-file": rejects_parts(
        lambda parts: (
            _value(parts, "scheme").lower() == "file"
            and parts["scheme"] != "file"
            and parts["authority"] == ""
        )
    ),
    "validator-js-name-and-port": rejects(has(r"^[A-Za-z][A-Za-z0-9+.-]*:\d+(?:[/?#]|$)")),
    "uri-library-digit-before-scheme": tolerates(sub("^[0-9](?=[A-Za-z0-9+.-]*:)", "a")),
    "uri-js-any-scheme": tolerates(
        sub("^[A-Za-z][^:/?#]*:", lambda found: re.sub("[^A-Za-z0-9+.:-]", "a", found[0]))
    ),
    "libtaxii-controls-in-scheme": tolerates(sub(r"^[^:/?#]*[\x00-\x20][^:/?#]*(?=:)", "a")),
    "scala-uri-scheme-with-marks": _when(
        lambda parts: re.search("[+.-]", _value(parts, "scheme")) is not None, _all_is_path
    ),
    "julia-scheme-is-host": shows(_scheme_is_host),
    "cpp-netlib-two-colons": crashes(has("^[^:/?#]+::")),
    # path
    "php-number-after-colon": rejects_parts(
        lambda parts: (
            _is_path(parts)
            and parts["query"] is None
            and parts["fragment"] is None
            and re.fullmatch(r"/[^:]*:\d{1,5}", _value(parts, "path")) is not None
        )
    ),
    "em-dot-in-path": rejects_parts(
        lambda parts: "." in _value(parts, "path") or "." in _value(parts, "query")
    ),
    "http-path-of-one-character": _when(
        lambda parts: (
            _is_path(parts)
            and parts["query"] is None
            and parts["fragment"] is None
            and re.fullmatch("[^/]", _value(parts, "path")) is not None
        ),
        lambda parts: {"path": f"{parts['path']}/"},
    ),
    "iref-colon-in-second-segment": _when(
        lambda parts: _is_path(parts) and ":" in _value(parts, "path"), lambda _: {"path": ""}
    ),
    "httpx-slash-decoded": _when(
        lambda parts: bool(parts["path"]), lambda parts: {"path": decoded("2f")(parts["path"])}
    ),
    # query and fragment
    "codeigniter-number-after-colon": rejects_parts(
        lambda parts: _is_path(parts) and re.search(r":\d{1,5}$", _value(parts, "query")) is not None
    ),
    "networknt-empty-query": rejects(has(r"\?(?=#|$)|#$")),
    "php-validator-truncated-escape": tolerates(_in_query_and_fragment(sub("%(?![0-9A-Fa-f]{2})", "%25"))),
    "gojsonschema-caret-in-query": tolerates(_in_query_and_fragment(sub(r"[^\x00-\x7F]|\^", "a"))),
    "spring-path-in-fragment": _when(
        lambda parts: (
            _is_path(parts)
            and bool(parts["path"])
            and "/" not in parts["path"]
            and parts["query"] is None
            and parts["fragment"] is not None
        ),
        lambda parts: {"fragment": f"{parts['path']}#{parts['fragment']}"},
    ),
    "spring-fragment-of-one-character": _when(
        lambda parts: len(_value(parts, "fragment")) == 1, lambda _: {"fragment": None}
    ),
    "cpprestsdk-colon-in-query": rejects_parts(
        lambda parts: _is_path(parts) and "/" not in _value(parts, "path") and ":" in _value(parts, "query")
    ),
    # characters and size
    "dotnet-escape-after-letter": rejects(has("%[89A-Fa-f][0-9A-Fa-f]%2[0-9A-Ca-cFf]")),
    "coroboros-2048-characters": rejects(lambda url: len(url) > 2048),
    # other RFCs
    "perl-triplet-in-local-file": crashes(has("(?i)^file:///.*%")),
    "ncgopher-blank-in-selector": rejects(has("(?i)^gopher://[^/]*/.*%20")),
    "cpython-parameters-of-last-segment": shows(_parameters_of_last_segment),
}
