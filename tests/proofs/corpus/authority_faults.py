"""Faults of libraries in reading an authority: its bounds, userinfo, host and port."""

from __future__ import annotations

import re
from urllib.parse import unquote

from .library_faults import Values, crashes, has, rejects, rejects_parts, shows, sub, tolerates

#: The beginning of a text up to the host.
HOST = r"^([^/?#]*//(?:[^/?#@]*@)?)"
#: What follows an authority.
END = r"(?=[/?#]|$)"


def _host(parts: Values) -> str:
    return parts["host"] or ""


def _without_path(parts: Values) -> bool:
    return parts["host"] is not None and not parts["path"]


def _fragment_in_host(parts: Values) -> Values | None:
    if _without_path(parts) and parts["query"] is None and parts["fragment"] is not None:
        return {"host": f"{parts['host']}#{parts['fragment']}", "fragment": None}
    return None


def _query_in_host(parts: Values) -> Values | None:
    if _without_path(parts) and parts["query"] is not None:
        return {"host": f"{parts['host']}?{parts['query']}", "query": None}
    return None


def _userinfo_from(component: str, delimiter: str):
    """Take an at sign in a later component for the end of the userinfo."""

    def change(parts: Values) -> Values | None:
        if parts["host"] is None or "@" not in (parts[component] or ""):
            return None
        before, _, host = parts[component].partition("@")
        return {"userinfo": f"{parts['host']}{delimiter}{before}", "host": host, component: ""}

    return change


def _cut_host(allowed: str):
    """End the host at the first other character; the rest becomes a segment of the path."""

    def change(parts: Values) -> Values | None:
        kept = re.match(allowed, _host(parts))
        assert kept is not None
        if parts["host"] is None or parts["host"].startswith("[") or kept[0] == parts["host"]:
            return None
        return {"host": kept[0], "path": f"/{parts['host'][kept.end() :]}{parts['path']}"}

    return change


def _zero_is_nothing(parts: Values) -> Values | None:
    return {name: None for name in ("userinfo", "host", "port", "query", "fragment") if parts[name] == "0"}


def _first_host(parts: Values) -> Values | None:
    """Find the host in the path when the authority is empty."""
    if parts["authority"] != "" or parts["scheme"] in (None, "file"):
        return None
    host, slash, rest = parts["path"].lstrip("/").partition("/")
    return {"authority": host, "host": host, "path": slash + rest}


AUTHORITY_FAULTS = {
    "cpython-name-in-brackets": tolerates(sub(HOST + r"\[[^\]\[/?#@]*\]", r"\1[::1]")),
    "cpython-text-around-brackets": tolerates(sub(HOST + r"[^\]:/?#@[]*(\[[^\]]*\])[^:/?#@[]*", r"\1\2")),
    "go-text-before-bracket": tolerates(sub(HOST + r"[^\]:/?#@[]+\[", r"\1[")),
    "go-ipv4-in-brackets": tolerates(sub(r"\[\d+\.\d+\.\d+\.\d+\]", "[::1]")),
    "go-escapes-after-bracket": tolerates(sub(r"\](?:%[0-9A-Fa-f]{2})+", "]")),
    "fast-uri-open-bracket": tolerates(sub(HOST + r"\[([^\]/?#]*)" + END, r"\1a")),
    "okhttp-five-digits": tolerates(sub(r"([\[:])0+([0-9A-Fa-f]{4})(?=[:\]])", r"\1\2")),
    "swift-escapes-in-brackets": tolerates(sub(r"\[[^\]]*\]", lambda found: unquote(found[0]))),
    "go-zone-in-brackets": tolerates(sub(r"(\[[0-9A-Fa-f:]+)%[^\]/?#]+\]", r"\1]")),
    "uriparser-nine-groups": crashes(has(r"\[(?:[0-9A-Fa-f]{1,4}:){8,}[0-9A-Fa-f:]")),
    "uriparser-ipv4-unclosed": crashes(has(r"\[[0-9A-Fa-f:]+:\d+\.[\d.]*$")),
    "guzzle-ipv4-in-ipv6": rejects(has(r"\[[^\]]*\.\d+\]")),
    "guzzle-ipv6-upper-case": rejects(has(r"\[[0-9a-f:.]*[A-F]")),
    "guzzle-ipv6": rejects(has(HOST + r"\[[^v]")),
    "curl-unspecified-address": rejects(has(r"\[::\]")),
    "curl-ipv6-without-port": rejects(has(HOST + r"\[[^\]]*\]" + END)),
    "network-uri-ipv6": rejects(has(r"\[[0-9A-Fa-f:]+::[0-9A-Fa-f]")),
    "go-ipv6-empty-port": rejects(has(r"\]:" + END)),
    "go-hostname-without-brackets": shows(
        lambda parts: {"host": _host(parts).strip("[]")} if "[" in _host(parts) else None
    ),
    "contiki-ipv6-port": shows(
        lambda parts: {"port": None} if _host(parts).startswith("[") and parts["port"] else None
    ),
    "urijs-ipv6-at-first-colon": shows(
        lambda parts: (
            {
                "host": _host(parts).partition(":")[0],
                "port": _host(parts).partition(":")[2],
            }
            if ":" in _host(parts)
            else None
        )
    ),
    "w3lib-brackets-anywhere": rejects(has(r"\?[^#]*[\[\]]")),
    "go-letters-in-port": tolerates(
        sub(HOST + r"(\[[^\]]*\]|[^:/?#@[]*):[A-Za-z][^:/?#@]*" + END, r"\1\2:1")
    ),
    "cpython-signs-in-port": tolerates(
        sub(r":([+-]?\d[\d_]*)" + END, lambda found: ":" + re.sub(r"\D", "", found[1]))
    ),
    "rfc3986-other-digits": tolerates(sub(r":([^\W\D]+)" + END, ":1")),
    "http-several-ports": tolerates(sub(r":\d+(?=:\d+(?:[/?#]|$))", "")),
    "go-colon-in-host": tolerates(sub(HOST + r"([^:/?#@[\]]*):[^/?#@[\]]*:(\d*)" + END, r"\1\2:\3")),
    "go-ipv6-without-brackets": tolerates(
        sub(HOST + r"([0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f]*)" + END, r"\1[::1]")
    ),
    "http-parser-empty-port": rejects_parts(lambda parts: parts["port"] == ""),
    "elixir-empty-port": rejects_parts(lambda parts: parts["port"] == "", {"status": "error"}),
    "uritools-empty-port": shows(
        lambda parts: {"host": f"{parts['host']}:", "port": None} if parts["port"] == "" else None
    ),
    "php-port-above-65535": rejects_parts(lambda parts: int(parts["port"] or 0) > 65535),
    "guzzle-port-zero": rejects_parts(lambda parts: parts["port"] == "0"),
    "nurl-port-wraps": shows(
        lambda parts: {"port": str(int(parts["port"]) % 65536)} if int(parts["port"] or 0) > 65535 else None
    ),
    "php-leading-zeros-of-port": shows(
        lambda parts: {"port": str(int(parts["port"]))} if (parts["port"] or "").startswith("0") else None
    ),
    "elixir-default-port": shows(
        lambda parts: (
            {"port": {"http": "80", "https": "443", "ftp": "21"}[parts["scheme"]]}
            if parts["port"] is None and parts["authority"] and parts["scheme"] in ("http", "https", "ftp")
            else None
        )
    ),
    "php-port-in-path": shows(
        lambda parts: (
            {"port": found[1]}
            if parts["scheme"] is None
            and parts["authority"]
            and (found := re.search(r":(\d+)", parts["path"]))
            else None
        )
    ),
    "urijs-port-and-colons-in-path": shows(
        lambda parts: (
            {"host": f"{parts['host']}:{parts['port']}", "port": None}
            if parts["port"] and "::" in parts["path"]
            else None
        )
    ),
    "hyper-fragment-in-host": shows(_fragment_in_host),
    "llama-query-in-host": shows(_query_in_host),
    "urijs-at-in-path": shows(_userinfo_from("path", "")),
    "llama-at-in-query": shows(_userinfo_from("query", "?")),
    "curl-at-in-fragment": shows(_userinfo_from("fragment", "#")),
    "php-query-after-port": shows(
        lambda parts: (
            {"host": parts["query"].partition("@")[2], "query": None}
            if parts["port"] and not parts["path"] and "@" in (parts["query"] or "")
            else None
        )
    ),
    "urllib-fragment-in-net-loc": shows(
        lambda parts: (
            {"net_loc": f"{parts['net_loc']}#{parts['fragment']}", "fragment": None}
            if parts["net_loc"] is not None and not parts["path"] and parts["fragment"] is not None
            else None
        )
    ),
    "url-parse-two-at-signs": tolerates(sub(r"//[^/?#]*@(?=[^/?#@]*@)", "//")),
    "spring-bracket-in-userinfo": tolerates(sub(r"//([^/?#@[]*)\[([^/?#@]*@)", r"//\1\2")),
    "rfc3986-userinfo-marks": rejects_parts(
        lambda parts: re.search("[!=]", parts["userinfo"] or "") is not None
    ),
    "uriparser-password-like-port": rejects_parts(
        lambda parts: re.search(r":\d+$", parts["userinfo"] or "") is not None
    ),
    "uriparser-two-colons-in-userinfo": rejects_parts(lambda parts: (parts["userinfo"] or "").count(":") > 1),
    "uriparser-escapes-in-userinfo": rejects_parts(lambda parts: "%" in (parts["userinfo"] or "")),
    "uriparser-userinfo-without-host": shows(
        lambda parts: {"host": None} if parts["host"] == "" and parts["userinfo"] else None
    ),
    "php-empty-login": shows(
        lambda parts: {name: None for name in ("user", "password") if parts.get(name) == ""}
    ),
    "guzzle-zero": shows(_zero_is_nothing),
    "yarl-port-without-host": rejects_parts(lambda parts: parts["host"] == "" and parts["port"] is not None),
    "ruby-empty-host": rejects_parts(lambda parts: parts["host"] == "" and parts["scheme"] != "file"),
    "uriparser-empty-host": shows(
        lambda parts: {"authority": None, "host": None} if parts["authority"] == "" else None
    ),
    "quri-authority-without-slashes": shows(
        lambda parts: (
            {"authority": "", "host": ""}
            if parts["scheme"] and parts["authority"] is None and parts["path"].startswith("/")
            else None
        )
    ),
    "quri-network-path": shows(
        lambda parts: (
            {
                "authority": None,
                "userinfo": None,
                "host": None,
                "port": None,
                "path": f"//{parts['authority']}{parts['path']}",
            }
            if parts["scheme"] is None and parts["authority"] is not None
            else None
        )
    ),
    "urijs-host-after-three-slashes": shows(_first_host),
    "urijs-file-host": shows(
        lambda parts: {"authority": "", "host": ""} if parts["scheme"] == "file" and parts["host"] else None
    ),
    "node-host-ends-at-plus": shows(_cut_host(r"[A-Za-z0-9._~%-]*")),
    "spring-underscore": shows(lambda parts: {"host": None, "port": None} if "_" in _host(parts) else None),
    "urijs-underscore": rejects_parts(lambda parts: "_" in _host(parts)),
    "rfc3986-sub-delims-in-host": rejects_parts(
        lambda parts: re.search(r"[!$&'()*+,;=]", _host(parts)) is not None
    ),
    "glynos-escapes-in-host": rejects_parts(lambda parts: "%" in _host(parts)),
    "addressable-two-dots": rejects_parts(lambda parts: ".." in _host(parts)),
    "addressable-quote-in-host": tolerates(
        sub(r'//[^/?#]*"[^/?#]*', lambda found: found[0].replace('"', ""))
    ),
    "cxxurl-v-in-host": rejects_parts(lambda parts: re.search(r"^[^[]*[a-z]v", _host(parts)) is not None),
    "scala-js-octet-256": shows(
        lambda parts: (
            {"host": None, "port": None}
            if re.fullmatch(r"(?:\d+\.){3}\d+", _host(parts)) and max(map(int, _host(parts).split("."))) > 255
            else None
        )
    ),
    "fast-uri-decoded-host": shows(
        lambda parts: {"host": unquote(_host(parts))} if "%" in _host(parts) else None
    ),
    "curl-slash-in-host": shows(
        lambda parts: (
            {"host": re.split("%2f", _host(parts), flags=re.IGNORECASE)[0]}
            if "%2f" in _host(parts).lower()
            else None
        )
    ),
}
