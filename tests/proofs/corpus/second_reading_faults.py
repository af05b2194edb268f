"""Faults of the second list in reading: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import re

from .authority_faults import HOST
from .library_faults import (
    CRASHED,
    Change,
    Values,
    crashes,
    encoded,
    has,
    rejects,
    rejects_parts,
    shows,
    sub,
    tolerates,
)

#: An IPv6 address in brackets, with nothing but groups and colons.
GROUPS = re.compile(r"\[([0-9A-Fa-f:]+)\]")


def _host(parts: Values) -> str:
    return parts["host"] or ""


def _login(parts: Values) -> str:
    return parts["userinfo"] or ""


def _is_name(parts: Values) -> bool:
    return bool(re.search("[^0-9.]", _host(parts))) and not _host(parts).startswith("[")


def _groups(address: str) -> int:
    return len([group for group in address.split(":") if group])


def _elided_groups(wanted: set[int]):
    """Tell if an address has two colons in a row beside so many groups."""

    def test(url: str) -> bool:
        return any("::" in one and _groups(one) in wanted for one in GROUPS.findall(url))

    return test


def _address(test, change: Change) -> Change:
    """Return a function that changes the addresses that the test is true of."""
    return lambda url: GROUPS.sub(lambda found: f"[{change(found[1])}]" if test(found[1]) else found[0], url)


def _small_octets(url: str) -> str:
    """Replace the numbers above 255 of an IPv4 address in brackets."""
    return re.sub(
        r"\[[0-9A-Fa-f:]*:(?:\d{1,3}\.){3}\d{1,3}\]",
        lambda found: re.sub(r"(?<=[:.])(?:25[6-9]|2[6-9]\d|[3-9]\d\d)(?=[.\]])", "1", found[0]),
        url,
    )


def _path_is_host(parts: Values) -> Values | None:
    """Take the first segment after a single slash for the host."""
    if parts["scheme"] not in ("http", "https", "ftp") or parts["authority"] is not None:
        return None
    if not parts["path"].startswith("/"):
        return None
    host, slash, rest = parts["path"][1:].partition("/")
    return {"authority": host, "host": host, "path": slash + rest}


def _host_in_query(parts: Values) -> Values | None:
    """Take two slashes in the query for the beginning of an authority."""
    if parts["authority"] is not None or "//" not in (parts["query"] or ""):
        return None
    host, slash, rest = parts["query"].partition("//")[2].partition("/")
    return {"authority": host, "host": host, "path": slash + rest, "query": None}


def _login_at_semicolon(parts: Values) -> Values | None:
    host, semicolon, rest = _login(parts).partition(";")
    if not semicolon:
        return None
    return {"userinfo": None, "host": host, "path": f";{rest}@{_host(parts)}{parts['path']}"}


def _opaque(parts: Values) -> Values | None:
    """Leave the query in a path that does not begin with a slash."""
    if not parts["scheme"] or parts["authority"] is not None or parts["query"] is None:
        return None
    if parts["path"].startswith("/"):
        return None
    return {"path": f"{parts['path']}?{parts['query']}", "query": None}


def _bracket_in_path(parts: Values) -> Values | None:
    if not _host(parts).startswith("["):
        return None
    port = "" if parts["port"] is None else f":{parts['port']}"
    path = encoded(r"[\[\]]")(_host(parts)) + port + parts["path"]
    return {"authority": "", "userinfo": None, "host": "", "port": None, "path": path}


SECOND_READING_FAULTS = {
    # addresses in brackets
    "scala-uri-seven-groups": rejects(_elided_groups({6, 7})),
    "uriparser-eight-groups-and-colons": tolerates(
        _address(lambda one: "::" in one and _groups(one) == 8, lambda one: one.replace("::", ":"))
    ),
    "uriparser-single-colon-at-edge": tolerates(sub(r"(?<=\[):(?=[^:])|(?<=[^:]):(?=\])", "")),
    "uriparser-capital-v": rejects(has(r"\[V")),
    "uriparser-three-digits-in-address": rejects(has(r"\[[^\]]*\.\d{3}\]")),
    "commons-ip-math-six-groups": tolerates(
        sub(r"\[((?:[0-9A-Fa-f]{1,4}:){5}[0-9A-Fa-f]{1,4})::(\d+\.\d+\.\d+\.\d+)\]", r"[\1:\2]")
    ),
    "iri-string-address-cut": shows(
        lambda parts: (
            {"host": _host(parts).rpartition(":")[0]}
            if _host(parts).startswith("[") and ":" in _host(parts) and parts["port"] is None
            else None
        )
    ),
    "iri-string-empty-future": tolerates(sub(r"\[[vV][0-9A-Fa-f]*\.\]", "[v1.a]")),
    "sourcemeta-empty-brackets": tolerates(sub(r"\[\]", "[::1]")),
    "sourcemeta-two-elisions": tolerates(
        _address(lambda one: one.count("::") > 1, lambda one: one.replace("::", ":").strip(":") + "::")
    ),
    "sourcemeta-seven-groups": tolerates(
        _address(lambda one: "::" not in one and _groups(one) == 7, lambda one: f"{one}:0")
    ),
    "sourcemeta-octet-256": tolerates(_small_octets),
    "network-uri-future-version": rejects(has(r"\[[vV][0-9A-Fa-f]{2}")),
    "network-colon-in-future": rejects(has(r"\[[vV][0-9A-Fa-f]+\.[^\]]*:")),
    "ocaml-uri-address-in-path": shows(_bracket_in_path),
    "perl-brackets-in-path-2732": tolerates(
        sub(r"^([^?#]*//[^/?#]*/)([^?#]*)", lambda found: found[1] + encoded(r"[\[\]]")(found[2]))
    ),
    # userinfo
    "cpp-netlib-odd-port": rejects_parts(
        lambda parts: parts["userinfo"] is not None and len(parts["port"] or "") % 2 == 1
    ),
    "cpp-netlib-login-without-port": rejects_parts(
        lambda parts: parts["userinfo"] is not None and parts["port"] is None, CRASHED
    ),
    "bun-user-and-port": shows(
        lambda parts: (
            {"userinfo": None, "host": f"{_login(parts)}@{_host(parts)}"}
            if parts["userinfo"] is not None and ":" not in _login(parts) and parts["port"]
            else None
        )
    ),
    "ragel-password-is-port": shows(
        lambda parts: (
            {"port": parts["password"]}
            if parts.get("password") is not None and parts.get("port") is None
            else None
        )
    ),
    "php-password-without-scheme": rejects_parts(
        lambda parts: parts["scheme"] is None and ":" in _login(parts)
    ),
    "soletta-password-without-user": rejects_parts(lambda parts: _login(parts).startswith(":")),
    "purl-escapes-in-login": shows(
        lambda parts: {"userinfo": _login(parts).replace("%", "%25")} if "%" in _login(parts) else None
    ),
    "far2l-colon-before-password": shows(
        lambda parts: {"password": f":{parts['password']}"} if parts.get("password") is not None else None
    ),
    "jetty-userinfo": rejects_parts(lambda parts: parts["userinfo"] is not None),
    "wget-semicolon-in-login": shows(_login_at_semicolon),
    "php-login-before-address": tolerates(sub(r"//[^/?#@]*@(?=\[)", "//")),
    "libcurl-colon-in-password": tolerates(
        sub(
            r"^(ftp://[^:/@]*:[^/@]*):([^/@]*@)", lambda found: found[0].replace(":", "").replace("//", "://")
        )
    ),
    "eo-two-at-signs-1738": tolerates(sub(r"^(ftp://)[^/@]*@(?=[^/@]*@)", r"\1")),
    # host and port
    "jetty-query-after-authority": rejects_parts(
        lambda parts: parts["authority"] is not None and not parts["path"] and parts["query"] is not None
    ),
    "rdf4j-host-begins-with-digit": rejects_parts(
        lambda parts: bool(re.match(r"\d", _host(parts))) and _is_name(parts)
    ),
    "validators-host-without-dot": rejects_parts(
        lambda parts: _is_name(parts) and "." not in _host(parts) and _host(parts) != "localhost"
    ),
    "commons-validator-top-level": rejects_parts(
        lambda parts: (
            _is_name(parts) and not re.search(r"\.(?:com|net|org|edu|gov|info|[a-z]{2})\.?$", _host(parts))
        )
    ),
    "ruby-registry-part": rejects_parts(lambda parts: bool(parts["authority"]) and parts["host"] is None),
    "php-hyphen-at-edge-of-label": rejects_parts(
        lambda parts: _is_name(parts) and bool(re.search(r"(?:^|\.)-|-(?:\.|$)", _host(parts)))
    ),
    "php-label-of-64": rejects_parts(lambda parts: bool(re.search(r"[^.\[]{64}", _host(parts)))),
    "go-ascii-escapes-in-host": rejects_parts(lambda parts: bool(re.search("%(?!25)[0-7]", _host(parts)))),
    "go-angle-brackets-in-host": tolerates(
        sub(HOST + "([^/?#]*)", lambda found: re.sub("[<>]", "a", found[0]))
    ),
    "jdk-expected-authority": rejects(has(r"^[^/?#]*//(?:$|[?#])")),
    "url-parse-single-slash": shows(_path_is_host),
    "cpython-net-loc-ends-at-question-mark": shows(
        lambda parts: (
            {
                "net_loc": parts["net_loc"].partition("?")[0],
                "path": "",
                "params": None,
                "query": parts["net_loc"].partition("?")[2] + (parts["path"] or ""),
            }
            if "?" in (parts["net_loc"] or "")
            else None
        )
    ),
    "dotnet-unc": shows(
        lambda parts: {"scheme": "file"} if parts["scheme"] is None and parts["authority"] else None
    ),
    "iris-file-without-host": rejects(has("^[Ff][Ii][Ll][Ee]:///")),
    # scheme and path
    "dotnet-rooted-path-is-file": shows(
        lambda parts: (
            {"scheme": "file", "authority": "", "host": ""}
            if parts["scheme"] is None and parts["authority"] is None and parts["path"].startswith("/")
            else None
        )
    ),
    "dotnet-drive": shows(
        lambda parts: (
            {"scheme": "file", "authority": "", "host": "", "path": f"/{parts['scheme']}:{parts['path']}"}
            if len(parts["scheme"] or "") == 1 and parts["authority"] is None and parts["path"][:1] == "/"
            else None
        )
    ),
    "dotnet-escape-after-scheme": rejects_parts(
        lambda parts: (
            parts["scheme"] in ("http", "https", "ftp")
            and parts["authority"] is None
            and bool(re.match("[^/]*%", parts["path"]))
        ),
        CRASHED,
    ),
    "basex-scheme-alone": rejects(has("^[^:/?#]+:(?:$|#)")),
    "akka-second-equals-sign": rejects(has(r"\?[^#]*=[^&#]*=")),
    "networknt-empty-fragment": rejects_parts(lambda parts: "" in (parts["query"], parts["fragment"])),
    "networknt-encoded-brackets": rejects(has("%5[BbDd]")),
    "idutils-semicolon": rejects(has("^http:[^?]*;")),
    "scala-uri-colon-in-path": rejects_parts(lambda parts: ":" in parts["path"]),
    "url-parse-first-slash": shows(
        lambda parts: (
            {"path": parts["path"][1:]}
            if parts["scheme"] is None and parts["authority"] is None and parts["path"][:1] == "/"
            else None
        )
    ),
    "vlang-digit-before-path": rejects_parts(
        lambda parts: parts["scheme"] is None and bool(re.match(r"\d", parts["path"]))
    ),
    "lagrange-slashes-in-query": shows(_host_in_query),
    "jdk-opaque": shows(_opaque),
    "simplepie-two-slashes-after-host": rejects_parts(
        lambda parts: bool(parts["authority"]) and parts["path"].startswith("//")
    ),
    "git-line-break-decoded": shows(
        lambda parts: {name: re.sub("%0[Aa]", "\n", parts[name]) for name in ("path", "query") if parts[name]}
    ),
    # characters
    "furl-emoji": tolerates(sub("[\U00010000-\U0010ffff]", "%F0%9F%8C%8D")),
    "php-controls": tolerates(sub(r"[\x00-\x1f\x7f]", "_")),
    "http-delete": tolerates(sub(r"[\x7f]", "%7F")),
    "dotnet-percent-u": tolerates(sub("%[uU][0-9A-Fa-f]{4}", "%41")),
    "cpython-second-hash": tolerates(
        sub("#([^#]*)#(.*)", lambda found: f"#{found[1]}%23{found[2].replace('#', '%23')}")
    ),
    "ajv-angle-brackets": tolerates(sub("[<>]", "_")),
    # length
    "pydantic-2083": rejects(lambda url: len(url) > 2083),
    "akka-many-parameters": crashes(lambda url: url.partition("?")[2].count("&") > 999),
    "ruby-two-hashes": crashes(lambda url: len(url) > 1000 and url.count("#") > 1),
    "urllib3-many-at-signs": crashes(lambda url: url.count("@") > 50),
}
