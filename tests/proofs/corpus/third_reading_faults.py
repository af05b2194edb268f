"""Faults of the third list in reading: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping

from .library_faults import (
    CRASHED,
    TRIPLET,
    Change,
    Fault,
    Values,
    collapse,
    crashes,
    decoded,
    has,
    inside,
    rejects,
    rejects_parts,
    remove_dots,
    shows,
    split,
    sub,
    tolerates,
)

IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}")
DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}


def _host(parts: Values) -> str:
    return parts["host"] or ""


def _path(parts: Values) -> str:
    return parts["path"] or ""


def _labels(parts: Values) -> list[str]:
    """Return the labels of a host that is a name, without the empty one after a final dot."""
    host = _host(parts)
    return [] if host.startswith("[") or IPV4.fullmatch(host) else host.removesuffix(".").split(".")


def _ends_in_number(parts: Values) -> bool:
    """Tell if a host ends in a number but is no address, not even one of fewer numbers."""
    labels = _labels(parts)
    if not labels or not labels[-1].isdecimal():
        return False
    if len(labels) > 4 or not all(label.isdecimal() for label in labels):
        return True
    return any(int(label) > 255 for label in labels[:-1]) or int(labels[-1]) >= 256 ** (5 - len(labels))


def _component(name: str, change: Change) -> Callable[[Values], Values | None]:
    """Return a function that changes one component if it is present."""
    return lambda parts: None if parts[name] is None else {name: change(parts[name])}


def _when_host(change: Callable[[str], str]) -> Fault:
    return shows(lambda parts: {"host": change(_host(parts))} if _host(parts) else None)


def _shortest(host: str) -> str:
    """Write an IPv6 address in its shortest form."""
    try:
        return f"[{ipaddress.IPv6Address(host[1:-1]).compressed}]" if host.startswith("[") else host
    except ValueError:
        return host


def number_as_address(host: str) -> str:
    """Write a host of one to three numbers as the IPv4 address that C libraries take it for."""
    if not re.fullmatch(r"(?:0[xX][0-9A-Fa-f]+|[1-9]\d*|0)(?:\.(?:0[xX][0-9A-Fa-f]+|[1-9]\d*|0)){0,2}", host):
        return host
    *first, last = [int(number, 0) for number in host.split(".")]
    if any(number > 255 for number in first) or last >= 256 ** (4 - len(first)):
        return host
    return ".".join(map(str, [*first, *last.to_bytes(4 - len(first), "big")]))


def _octal(host: str) -> str:
    """Read numbers with leading zeros of a host of four numbers as octal."""
    numbers = host.split(".")
    if len(numbers) != 4 or not all(re.fullmatch("0[0-7]+|0|[1-9][0-9]*", number) for number in numbers):
        return host
    return ".".join(str(int(number, 8 if number.startswith("0") else 10)) for number in numbers)


def _letter_is_drive(parts: Values) -> Values | None:
    """Take a host of one letter before a port for the drive of a path."""
    if not re.fullmatch("[A-Za-z]", _host(parts)) or not parts["port"]:
        return None
    path = f"{parts['host']}:{parts['port']}{parts['path']}"
    return {"authority": None, "userinfo": None, "host": None, "port": None, "path": path}


def _last_authority(parts: Values) -> Values | None:
    """Find the authority after the last colon with two slashes."""
    if parts["authority"] is None or "://" not in (parts["query"] or ""):
        return None
    found = split("//" + parts["query"].rpartition("://")[2])
    return {"authority": found.authority, "host": found.authority, "path": found.path, "query": found.query}


def _path_is_login(parts: Values) -> Values | None:
    """Take a path with an at sign for an authority."""
    login, at_sign, host = _path(parts).rpartition("@")
    if not parts["scheme"] or parts["authority"] is not None or not at_sign or "/" in _path(parts):
        return None
    return {"authority": parts["path"], "userinfo": login, "host": host, "path": ""}


def _without_authority(parts: Values) -> Values | None:
    """Leave what follows the scheme javascript in the path."""
    if (parts["scheme"] or "").lower() != "javascript" or parts["authority"] is None:
        return None
    path = f"//{parts['authority']}{parts['path']}"
    return {"authority": None, "userinfo": None, "host": None, "port": None, "path": path}


def _ftp(change: Change) -> Fault:
    """Change the path of ftp URIs."""
    return shows(
        lambda parts: {"path": change(parts["path"])} if (parts["scheme"] or "").lower() == "ftp" else None
    )


ASCII = decoded("[2-7][0-9a-f]")
UNRESERVED = decoded("4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|3[0-9]|2[de]")

THIRD_READING_FAULTS: Mapping[str, Fault] = {
    # addresses in brackets
    "ajv-brackets-after-slash": tolerates(sub(r"^((?:[A-Za-z][^:/?#]*:)?/)\[[0-9A-Fa-f:.]+\]", r"\1a")),
    "trace-spec-leading-zero": tolerates(
        sub(r"\[[0-9A-Fa-f:]*:[\d.]+\]", lambda found: re.sub(r"(?<=[:.])0+(?=\d{1,3}[.\]])", "", found[0]))
    ),
    "sourcemeta-letters-in-group": tolerates(
        sub(r"\[(?![vV])[0-9A-Za-z:]+\]", lambda found: re.sub("[G-Zg-z]", "a", found[0]))
    ),
    "gojsonschema-future-without-version": tolerates(sub(r"\[[vV]\.(?=[^\]])", "[v1.")),
    "gojsonschema-letters-in-version": tolerates(sub(r"\[[vV][0-9A-Za-z]+\.(?=[^\]])", "[v1.")),
    "stroika-port-after-address": rejects_parts(
        lambda parts: _host(parts).startswith("[") and bool(parts["port"])
    ),
    "commons-validator-login-before-address": rejects_parts(
        lambda parts: _host(parts).startswith("[") and parts["userinfo"] is not None
    ),
    "rust-url-shortest-address": _when_host(_shortest),
    "zig-brackets-around-at-sign": crashes(has(r"^[^/?#]*//[^/?#@\[]*\][^/?#@]*@\[")),
    # userinfo
    "riot-at-sign-alone": crashes(has("^[^/?#]*//@$")),
    "validator-js-empty-userinfo": rejects_parts(lambda parts: parts["userinfo"] == ""),
    "yarl-empty-userinfo": shows(lambda parts: {"userinfo": None} if parts["userinfo"] == "" else None),
    "node-colon-of-empty-password": shows(_component("userinfo", lambda login: login.removesuffix(":"))),
    "netcdf-login-decoded": shows(_component("userinfo", ASCII)),
    # host
    "opis-final-dot": rejects_parts(lambda parts: _host(parts).endswith(".")),
    "requests-first-character": rejects_parts(lambda parts: _host(parts).startswith((".", "*"))),
    "whatwg-url-ends-in-number": rejects_parts(_ends_in_number),
    "jdk-last-label-begins-with-digit": shows(
        lambda parts: (
            {"userinfo": None, "host": None, "port": None}
            if _labels(parts) and _labels(parts)[-1][:1].isdecimal()
            else None
        )
    ),
    "league-label-begins-with-digit": rejects_parts(
        lambda parts: any(label[:1].isdecimal() for label in _labels(parts))
    ),
    "validators-two-hyphens": rejects_parts(lambda parts: "--" in _host(parts)),
    "curl-numbers-become-address": _when_host(number_as_address),
    "dotnet-octal-octets": _when_host(_octal),
    "curl-dot-after-address": _when_host(
        lambda host: host[:-1] if host.endswith(".") and IPV4.fullmatch(host[:-1]) else host
    ),
    # port
    "validators-port-of-one-digit": rejects_parts(lambda parts: len(parts["port"] or "") == 1),
    "urltools-port-without-path": shows(
        lambda parts: (
            {"host": f"{parts['host']}:{parts['port']}", "port": None}
            if parts["port"] and not parts["path"]
            else None
        )
    ),
    "miden-slash-in-host": shows(
        lambda parts: (
            {"host": f"{parts['host']}/", "path": parts["path"][1:]}
            if parts["host"] and parts["port"] is None and parts["path"]
            else None
        )
    ),
    "qore-host-of-one-letter": shows(_letter_is_drive),
    "ada-default-port": shows(
        lambda parts: (
            {"port": None} if parts["port"] == DEFAULT_PORTS.get((parts["scheme"] or "").lower()) else None
        )
    ),
    "jdk-empty-port": shows(lambda parts: {"port": None} if parts["port"] == "" else None),
    # scheme
    "http-client-capital-scheme": rejects(has("^[^:/?#]*[A-Z][^:/?#]*:")),
    "sourcemeta-underscore-in-scheme": tolerates(
        sub("^[A-Za-z][A-Za-z0-9+._-]*:", lambda found: found[0].replace("_", "-"))
    ),
    "odin-last-scheme": shows(_last_authority),
    "parse-url-scp": tolerates(sub(r"^([\w.-]+@[\w.-]+):(?=[^/\d])", r"ssh://\1/")),
    "node-javascript-has-no-host": shows(_without_authority),
    "url-parse-mailto-is-authority": shows(_path_is_login),
    # path
    "curl-file-without-path": shows(
        lambda parts: (
            {"authority": "", "host": "", "path": "(nil)"}
            if (parts["scheme"] or "").lower() == "file" and parts["authority"] is None and not parts["path"]
            else None
        )
    ),
    "mongoose-tilde": rejects_parts(lambda parts: "~" in _path(parts)),
    "tarantool-dots-first": rejects(has(r"^\.\.?/")),
    "jsonrainbow-delimiters-alone": rejects(has(r"^(?:\?#?|#)$")),
    "commons-validator-two-slashes": rejects_parts(lambda parts: "//" in _path(parts)),
    "commons-validator-above-root": rejects_parts(
        lambda parts: re.match(r"/\.\.(?:/|$)", _path(parts)) is not None
    ),
    "modern-uri-empty-segments": shows(_component("path", collapse)),
    "ruby-slash-of-ftp-path": _ftp(lambda path: path.removeprefix("/")),
    "ruby-typecode-of-ftp-path": _ftp(sub(";type=[aid]$", "")),
    "dart-dots-removed-when-read": shows(
        lambda parts: {"path": remove_dots(parts["path"])} if parts["scheme"] else None
    ),
    "dart-decoded-when-read": shows(_component("path", UNRESERVED)),
    "dart-space-in-path": tolerates(inside("path", sub(" ", "%20"))),
    # characters
    "perl-wrapper": tolerates(sub("^<(?:URL:)?(.*)>$", r"\1")),
    "node-trailing-blanks": tolerates(sub(" +$", "")),
    "uri-js-truncated-escape": tolerates(sub("%[0-9A-Fa-f]$", "")),
    "scala-uri-truncated-escape": crashes(has("%[0-9A-Fa-f]?(?:[/?&=#]|$)")),
    "caf-escape-at-end": rejects(has(f"{TRIPLET}$"), CRASHED),
    # query and fragment
    "modern-uri-empty-part": rejects(has(r"\?(?:[^#]*&)?&")),
    "ruby-any-query": tolerates(
        inside("query", sub(r"%(?![0-9A-Fa-f]{2})|[ \"<>\[\]\\^`{|}]", "_")),
    ),
    "go-empty-fragment": shows(lambda parts: {"fragment": None} if parts["fragment"] == "" else None),
    "poco-query-given-decoded": shows(_component("query", ASCII)),
    "poco-fragment-given-decoded": shows(_component("fragment", ASCII)),
    # other RFCs
    "xapi-schema-percent-in-mailto": tolerates(sub("^(mailto:.*?)%(?![0-9A-Fa-f]{2})", r"\1%25")),
    "vibe-d-capital-scheme": shows(
        lambda parts: {"host": ""} if parts.get("host") and not parts["scheme"].islower() else None
    ),
}
