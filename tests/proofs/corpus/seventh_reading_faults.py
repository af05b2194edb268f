"""Faults of the seventh list in reading and decoding: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from .library_faults import (
    CRASHED,
    Change,
    Fault,
    Values,
    decodes,
    has,
    inside,
    rejects,
    rejects_parts,
    shows,
    split,
    sub,
    tolerates,
)
from .sixth_reading_faults import NO_AUTHORITY

EMPTY_AUTHORITY: Values = {"authority": "", "userinfo": None, "host": "", "port": None}

#: A percent sign that begins no triplet becomes a letter.
escapes: Change = sub("%(?![0-9A-Fa-f]{2})", "a")


def _value(parts: Values, name: str) -> str:
    return parts[name] or ""


def _has_scheme(parts: Values, *schemes: str) -> bool:
    return _value(parts, "scheme").lower() in schemes


def _is_http(parts: Values) -> bool:
    return _has_scheme(parts, "http", "https")


def _is_web_socket(parts: Values) -> bool:
    return _has_scheme(parts, "ws", "wss")


def _is_path(parts: Values) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return parts["scheme"] is None and parts["authority"] is None


def _is_rootless(parts: Values) -> bool:
    """Tell if a URI has no slash after its scheme."""
    return parts["scheme"] is not None and parts["authority"] is None and parts["path"][:1] not in ("", "/")


def _in_brackets(parts: Values) -> bool:
    return _value(parts, "host").startswith("[")


def _has_no_path(parts: Values) -> bool:
    return parts["authority"] is not None and not parts["path"]


def _has_query_after_host(parts: Values) -> bool:
    return _has_no_path(parts) and parts["query"] is not None


def _has_capital_scheme(parts: Values) -> bool:
    return _is_http(parts) and parts["scheme"] != parts["scheme"].lower()


def _has_underscore(parts: Values) -> bool:
    return _is_http(parts) and "_" in _value(parts, "authority").rpartition("@")[2]


def _crashes_at(test: Callable[[Values], bool]) -> Fault:
    return rejects_parts(test, CRASHED)


def _when(test: Callable[[Values], bool], changed: Callable[[Values], Values]) -> Fault:
    """Give other values to some components when the test is true of all."""
    return shows(lambda parts: changed(parts) if test(parts) else None)


def _text_after_authority(parts: Values) -> str:
    query = "" if parts["query"] is None else f"?{parts['query']}"
    fragment = "" if parts["fragment"] is None else f"#{parts['fragment']}"
    return f"{parts['path']}{query}{fragment}"


def _whole(parts: Values) -> str:
    """Return the text that has these components."""
    scheme = "" if parts["scheme"] is None else f"{parts['scheme']}:"
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    return scheme + authority + _text_after_authority(parts)


def _components(url: str) -> Values:
    """Split a text as appendix B does, and its authority at the first colon after the login."""
    found = split(url)
    login, at_sign, rest = (found.authority or "").rpartition("@")
    host, colon, port = rest.partition(":")
    parts = {"userinfo": login if at_sign else None, "host": host, "port": port if colon else None}
    return {**found._asdict(), **(NO_AUTHORITY if found.authority is None else parts)}


def _at_sign_ends_login(parts: Values, encode: Change = str) -> Values | None:
    """Find the host after the first at sign that follows the authority."""
    before, at_sign, after = _text_after_authority(parts).partition("@")
    if parts["authority"] is None or "@" in parts["authority"] or not at_sign:
        return None
    found, login = _components(f"//{after}"), encode(parts["authority"] + before)
    authority = f"{login}@{found['authority']}"
    return {**found, "scheme": parts["scheme"], "authority": authority, "userinfo": login}


def _first_segment_is_host(parts: Values) -> Values:
    """Read a rootless path as an authority and a path."""
    return {**_components(f"//{_text_after_authority(parts)}"), "scheme": parts["scheme"]}


def _text_to_colon_is_host(parts: Values) -> Values:
    """Take all before the first colon of the path for the host."""
    before, _, after = parts["path"].partition(":")
    return {"host": parts["host"] + before, "port": after, "path": ""}


def _query_in_authority(parts: Values) -> Values:
    end = "host" if parts["port"] is None else "port"
    query = f"?{parts['query']}"
    return {"authority": parts["authority"] + query, end: parts[end] + query, "query": None}


def _fragment_before(parts: Values) -> Values:
    """Leave the fragment at the end of what is before it."""
    name = "path" if parts["query"] is None else "query"
    return {name: f"{parts[name]}#{parts['fragment']}", "fragment": None}


def _scheme_before_slashes(parts: Values) -> Values:
    """Take all before the first colon and two slashes for the scheme."""
    scheme, _, after = _whole(parts).partition("://")
    return {**_components(f"//{after}"), "scheme": scheme}


def _query_in_fragment(parts: Values) -> Values:
    """Begin the query at the question mark of the fragment."""
    before, _, query = parts["fragment"].partition("?")
    return {"path": f"{parts['path']}#{before}", "query": query, "fragment": None}


SEVENTH_READING_FAULTS: Mapping[str, Fault] = {
    # host
    "shoes-brackets": rejects_parts(lambda parts: _has_scheme(parts, "http") and _in_brackets(parts)),
    "scala-uri-address-tail": rejects_parts(
        lambda parts: re.match(r"\[[^vV].*\.", _value(parts, "host")) is not None
    ),
    "falkordb-address-without-brackets": tolerates(
        inside("authority", sub(r"(?:^|(?<=@))[0-9A-Fa-f:]*:[0-9A-Fa-f]*:(?=\d+$)", "a:"))
    ),
    "python3-saml-underscore-in-host": rejects_parts(_has_underscore),
    "httpswitchboard-underscore-in-host": _when(_has_underscore, lambda _: NO_AUTHORITY),
    "davclient-underscore-in-host": _crashes_at(_has_underscore),
    "validatorjs-text-after-port": tolerates(sub(r"^([a-z]+://[^/?#:@]+:\d+)[^/?#\d][^/?#]*", r"\1")),
    "rfc3986-backslash-in-authority": tolerates(inside("authority", sub(r"\\", "a"))),
    "rust-url-host-before-drive": _when(
        lambda parts: (
            _has_scheme(parts, "file")
            and bool(parts["host"])
            and re.match("/[A-Za-z]:(?:/|$)", parts["path"]) is not None
        ),
        lambda _: EMPTY_AUTHORITY,
    ),
    "zend-uri-colon-in-host": _when(
        lambda parts: _is_http(parts) and parts["port"] == "",
        lambda parts: {"host": f"{parts['host']}:", "port": None},
    ),
    "node-first-segment-is-host": _when(
        lambda parts: (
            _is_rootless(parts)
            and not _has_scheme(parts, "http", "https", "ftp", "gopher", "file", "javascript")
        ),
        _first_segment_is_host,
    ),
    "oatpp-first-segment-is-host": _when(_is_rootless, _first_segment_is_host),
    "socketio-first-segment-is-host": _when(
        lambda parts: _is_rootless(parts) and "." not in parts["scheme"], _first_segment_is_host
    ),
    "restc-cpp-colon-in-path": _when(
        lambda parts: bool(parts["host"]) and parts["port"] is None and ":" in parts["path"],
        _text_to_colon_is_host,
    ),
    "curl-percent-sign-in-host": tolerates(inside("authority", escapes)),
    # userinfo
    "opentelemetry-at-sign-in-path": shows(_at_sign_ends_login),
    "spin-at-sign-in-path": shows(
        lambda parts: _at_sign_ends_login(parts, lambda login: quote(login, safe=""))
    ),
    "php-at-sign-in-query": shows(
        lambda parts: _at_sign_ends_login(parts) if _has_no_path(parts) else None,
    ),
    "http-mitm-proxy-user-is-host": _when(
        lambda parts: _is_http(parts) and ":" in _value(parts, "userinfo"),
        lambda parts: {"host": parts["userinfo"].partition(":")[0]},
    ),
    # port
    "cariddi-port": rejects_parts(lambda parts: _is_http(parts) and bool(parts["port"])),
    "dnn-iframe-port": rejects_parts(lambda parts: _is_http(parts) and parts["port"] is not None),
    "dove-port-of-amqp": _when(lambda parts: bool(parts["port"]), lambda _: {"port": "5672"}),
    "ureq-port-before-slash": _when(
        lambda parts: _is_http(parts) and bool(parts["port"]) and parts["path"] == "/",
        lambda _: {"port": "8080"},
    ),
    "libgit2-port-of-ssh-lost": _when(
        lambda parts: _has_scheme(parts, "ssh") and bool(parts["port"]), lambda _: {"port": None}
    ),
    "gitlinker-nvim-port-in-path": _when(
        lambda parts: _has_scheme(parts, "ssh") and bool(parts["port"]),
        lambda parts: {"port": None, "path": f"/{parts['port']}{parts['path']}"},
    ),
    "gleam-empty-port": _when(lambda parts: parts["port"] == "", lambda _: {"port": "undefined"}),
    "bitrise-ssh-without-port": rejects_parts(
        lambda parts: _has_scheme(parts, "ssh") and parts["port"] is None
    ),
    "urlbuilder-port-in-host": _when(
        lambda parts: bool(parts["host"]) and bool(parts["port"]),
        lambda parts: {"host": f"{parts['host']}:{parts['port']}", "port": None},
    ),
    "stroom-port-minus-one": _when(
        lambda parts: parts["authority"] is not None and parts["port"] is None, lambda _: {"port": "-1"}
    ),
    # scheme
    "http-parser-digit-in-scheme": rejects(has("^[A-Za-z]+[0-9+.-][A-Za-z0-9+.-]*:")),
    "http-parser-no-slashes": rejects_parts(
        lambda parts: parts["scheme"] is not None and parts["authority"] is None
    ),
    "http-parser-file-without-host": rejects_parts(
        lambda parts: parts["scheme"] is not None and parts["authority"] == ""
    ),
    "urltools-long-scheme": _when(
        lambda parts: len(_value(parts, "scheme")) > 6 and parts["authority"] is not None,
        lambda parts: {
            **NO_AUTHORITY,
            "scheme": None,
            "authority": parts["scheme"],
            "host": parts["scheme"],
            "path": f"/{parts['authority']}{parts['path']}",
        },
    ),
    "cowboy-capital-scheme": rejects_parts(_has_capital_scheme),
    "mpd-capital-scheme": rejects_parts(_has_capital_scheme),
    "validator-collection-capital-scheme": rejects_parts(_has_capital_scheme),
    "obsqr-capital-scheme": _when(_has_capital_scheme, lambda parts: _components(f"http://{_whole(parts)}")),
    "angular-other-schemes": rejects_parts(
        lambda parts: parts["scheme"] is not None and not _has_scheme(parts, "http", "https", "ftp")
    ),
    "tv4-formats-other-schemes": rejects_parts(lambda parts: not _has_scheme(parts, "http", "https", "ftp")),
    "libsip-sips": rejects(has("^(?i:sips):")),
    "codenameone-all-but-scheme-lost": _when(
        lambda parts: parts["scheme"] is not None,
        lambda _: {**NO_AUTHORITY, "path": "", "query": None, "fragment": None},
    ),
    "godot-underscore-in-scheme": tolerates(sub("^([A-Za-z][A-Za-z0-9+.-]*)_(?=[A-Za-z0-9+.-]*://)", r"\1a")),
    "godot-scheme-before-slashes": _when(
        lambda parts: parts["scheme"] is None and "://" in _whole(parts), _scheme_before_slashes
    ),
    "xdomain-no-scheme": rejects_parts(
        lambda parts: parts["scheme"] is None and parts["authority"] is not None
    ),
    "esp8266-no-scheme": _crashes_at(lambda parts: parts["scheme"] is None),
    # path
    "mongoose-no-path": _crashes_at(lambda parts: _is_web_socket(parts) and _has_no_path(parts)),
    "rascal-rootless-path-lost": _when(_is_rootless, lambda _: {**EMPTY_AUTHORITY, "path": "/"}),
    "dotnet-slash-after-host": _when(
        lambda parts: _is_http(parts) and _has_no_path(parts), lambda _: {"path": "/"}
    ),
    "jki-slash-in-path": rejects_parts(lambda parts: _is_path(parts) and "/" in parts["path"]),
    "pagedown-relative-path": rejects_parts(
        lambda parts: _is_path(parts) and parts["path"][:1] not in ("", "/")
    ),
    "trafficserver-semicolon-cuts-path": _when(
        lambda parts: _is_http(parts) and ";" in parts["path"],
        lambda parts: {"path": re.sub(";[^/]*$", "", parts["path"])},
    ),
    "solar-final-dot-of-path": _when(
        lambda parts: re.search(r"[^/.]\.$", parts["path"]) is not None,
        lambda parts: {"path": parts["path"][:-1]},
    ),
    "urbit-slash-before-dot": _when(
        lambda parts: re.search(r"[^/]/\.[^/.]+$", parts["path"]) is not None,
        lambda parts: {"path": re.sub(r"/(?=\.[^/]*$)", "", parts["path"])},
    ),
    "validatorjs-backslash": tolerates(inside("path", sub(r"\\", "a"))),
    "gookit-percent-sign": rejects(has("^(?i:https?)://.*%")),
    "flashman-percent-sign": rejects(has("^(?i:https?|ftp)://.*%")),
    "angular-marks": rejects(has(r"^(?i:https?|ftp)://[^/]*/.*[$'()*,;~]")),
    "python-validators-any-escape": tolerates(
        sub("^((?i:https?)://[^/?#]*)(.*)", lambda found: found[1] + escapes(found[2]))
    ),
    # query
    "req-query-in-host": _when(_has_query_after_host, _query_in_authority),
    "lhttpc-query-in-host": _when(
        lambda parts: _is_http(parts) and _has_query_after_host(parts), _query_in_authority
    ),
    "dali-query-in-authority": _when(
        lambda parts: parts["scheme"] is not None and _has_query_after_host(parts), _query_in_authority
    ),
    "ws-query-after-host": rejects_parts(
        lambda parts: _is_web_socket(parts) and _has_query_after_host(parts)
    ),
    "websocket-node-query-after-host": _crashes_at(
        lambda parts: _is_web_socket(parts) and _has_query_after_host(parts)
    ),
    "socketwrench-query-after-name": rejects_parts(
        lambda parts: (
            _is_web_socket(parts)
            and parts["query"] is not None
            and re.search("[^/]$", parts["path"]) is not None
        )
    ),
    "crystal-query-of-websocket": _when(
        lambda parts: _is_web_socket(parts) and parts["query"] is not None, lambda _: {"query": None}
    ),
    "ws4py-query-lost": _when(
        lambda parts: parts["authority"] is not None and bool(parts["query"]), lambda _: {"query": None}
    ),
    "websocket-scala-empty-value": _crashes_at(
        lambda parts: (
            parts["authority"] is not None and re.search("=(?:&|$)", _value(parts, "query")) is not None
        )
    ),
    "kulala-name-without-value": _crashes_at(
        lambda parts: re.search("&[^=&]*(?:&|$)", _value(parts, "query")) is not None
    ),
    "webby-question-mark-in-query": _when(
        lambda parts: "?" in _value(parts, "query"),
        lambda parts: {"query": parts["query"].partition("?")[0]},
    ),
    "python-validators-query-without-equals": rejects_parts(
        lambda parts: _is_http(parts) and bool(parts["query"]) and "=" not in parts["query"]
    ),
    "open-data-dashboard-braces": tolerates(inside("query", sub('[{}"]', "a"))),
    # fragment
    "erlang-fragment-kept": _when(
        lambda parts: _is_http(parts) and parts["fragment"] is not None, _fragment_before
    ),
    "godot-fragment-kept": _when(lambda parts: parts["fragment"] is not None, _fragment_before),
    "dali-fragment-without-query": _when(
        lambda parts: parts["query"] is None and parts["fragment"] is not None, _fragment_before
    ),
    "libhv-question-mark-in-fragment": _when(
        lambda parts: parts["query"] is None and "?" in _value(parts, "fragment"), _query_in_fragment
    ),
    "uri-bytestring-empty-fragment": rejects_parts(lambda parts: parts["fragment"] == ""),
    "iref-second-number-sign": tolerates(inside("fragment", sub("#", "a"))),
    "validatorjs-any-escape-in-fragment": tolerates(inside("fragment", escapes)),
    "python-validators-slash-in-fragment": rejects_parts(
        lambda parts: _is_http(parts) and "/" in _value(parts, "fragment")
    ),
    # other RFCs
    "wrk-underscore-in-host": rejects_parts(_has_underscore),
    "league-url-final-dot-of-host": rejects_parts(lambda parts: _value(parts, "host").endswith(".")),
    "jolt-blank-in-host": tolerates(inside("authority", sub(r"\s", "a"))),
    "racket-colons-in-reg-name": rejects(has("^[^:/?#]+://[^/?#@]*:(?![0-9]*(?:[/?#]|$))")),
    "motion-login-lost": _when(
        lambda parts: parts["userinfo"] is not None,
        lambda parts: {"authority": parts["authority"].rpartition("@")[2], "userinfo": None},
    ),
    "antisamy-percent-sign-in-path": rejects_parts(lambda parts: _is_path(parts) and "%" in _whole(parts)),
    "jquerytools-tilde": rejects(has("^(?i:https?)://.*~")),
    "streamripper-colon-in-query": rejects_parts(
        lambda parts: _has_scheme(parts, "http") and ":" in _value(parts, "query")
    ),
    "python-validators-empty-label": tolerates(sub(r"^((?i:https?)://[^/:]*[^/:.])\.{2,}(?=[^/:.])", r"\1.")),
    "almide-no-host-before-port": tolerates(sub("^([A-Za-z]+://)(?=:[0-9])", r"\1a")),
}


def _path_as_given(_view: Values, url: str) -> Values:
    """Leave the directories and the name as they are in the URL."""
    *directories, name = split(url).path[1:].partition(";")[0].split("/")
    return {"cwd": directories, "name": name} if "%" in "/".join([*directories, name]) else {}


def _selector_as_given(view: Values, url: str) -> Values:
    found = re.match("[^:]*://[^/]*/(?:%..|.)(.*?)(?:%09.*)?$", url)
    given = found[1] if found else ""
    if "%" not in given or not isinstance(view["selector"], str) or not isinstance(view["request"], str):
        return {}
    return {"selector": given, "request": given + view["request"][len(view["selector"]) :]}


def _typecode_in_name(view: Values, _url: str) -> Values:
    if view["typecode"] is None or not isinstance(view["name"], str):
        return {}
    return {"name": f"{view['name']};type={view['typecode']}", "typecode": None}


SEVENTH_DECODING_FAULTS: Mapping[str, Fault] = {
    "scrapy-ftp-path-as-given": decodes("ftp", _path_as_given),
    "telescope-selector-as-given": decodes("gopher", _selector_as_given),
    "squid-typecode-in-name": decodes("ftp", _typecode_in_name),
}
