"""Faults of the sixth list in reading and decoding: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

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
from .third_reading_faults import ASCII, DEFAULT_PORTS

LOCALHOST: Values = {"authority": "localhost", "userinfo": None, "host": "localhost", "port": None}
NO_AUTHORITY: Values = {"authority": None, "userinfo": None, "host": None, "port": None}


def _value(parts: Values, name: str) -> str:
    return parts[name] or ""


def _is_path(parts: Values) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return parts["scheme"] is None and parts["authority"] is None


def _is_http(parts: Values) -> bool:
    return _value(parts, "scheme").lower() in ("http", "https")


def _in_brackets(parts: Values) -> bool:
    return _value(parts, "host").startswith("[")


def _has_no_path(parts: Values) -> bool:
    return parts["authority"] is not None and not parts["path"]


def _crashes_at(test: Callable[[Values], bool]) -> Fault:
    return rejects_parts(test, CRASHED)


def _when(test: Callable[[Values], bool], changed: Callable[[Values], Values]) -> Fault:
    """Give other values to some components when the test is true of all."""
    return shows(lambda parts: changed(parts) if test(parts) else None)


def _address(change: Change) -> Change:
    """Return a function that changes what stands in brackets in the authority."""
    return inside("authority", sub(r"\[([^\[\]]*)\]", lambda found: f"[{change(found[1])}]"))


def _text_after_authority(parts: Values) -> str:
    query = "" if parts["query"] is None else f"?{parts['query']}"
    fragment = "" if parts["fragment"] is None else f"#{parts['fragment']}"
    return f"{parts['path']}{query}{fragment}"


def _first_colon_ends_host(parts: Values) -> Values:
    host, _, port = (parts["authority"] or "").rpartition("@")[2].partition(":")
    return {"host": host, "port": port}


def _user_is_host(parts: Values) -> Values:
    """Take the user for the host, or nothing if the user has no dot."""
    user = parts["userinfo"].partition(":")[0]
    return {"host": user if "." in user else ""}


def _at_sign_ends_login(parts: Values) -> Values | None:
    """Find the host after the first at sign that follows the authority."""
    before, at_sign, after = _text_after_authority(parts).partition("@")
    if parts["authority"] is None or "@" in parts["authority"] or not at_sign:
        return None
    found = split(f"//{after}")
    host, colon, port = (found.authority or "").partition(":")
    login = parts["authority"] + before
    authority = {"authority": f"{login}@{found.authority}", "userinfo": login, "host": host}
    path = {"path": found.path, "query": found.query, "fragment": found.fragment}
    return {**authority, **path, "port": port if colon else None}


def _text_to_colon_is_host(parts: Values) -> Values:
    return {"host": parts["host"] + _text_after_authority(parts).partition(":")[0]}


def _all_is_path(parts: Values) -> str:
    """Return scheme, authority and path."""
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    return f"{parts['scheme']}:{authority}{parts['path']}"


def _last_at_sign_ends_login(parts: Values) -> Values:
    """Find the host after the last at sign of the path."""
    login, _, after = f"{parts['authority']}{parts['path']}".rpartition("@")
    host, slash, path = after.partition("/")
    authority = {"authority": f"{login}@{host}", "userinfo": login, "host": host, "port": None}
    return {**authority, "path": slash + path}


def _text_before_at_sign_lost(parts: Values) -> Values | None:
    found = _at_sign_ends_login(parts)
    return found and {**found, "authority": found["host"], "userinfo": None}


def _whole(parts: Values) -> str:
    """Return the text that has these components."""
    scheme = "" if parts["scheme"] is None else f"{parts['scheme']}:"
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    return scheme + authority + _text_after_authority(parts)


def _components(url: str) -> Values:
    """Split a text as appendix B does, and its authority as well."""
    found = split(url)
    if found.authority is None:
        return {**found._asdict(), **NO_AUTHORITY}
    login, at_sign, rest = found.authority.rpartition("@")
    host, _, port = rest.partition(":") if "[" not in rest else (rest, "", "")
    after = port if ":" in rest and host != rest else None
    return {**found._asdict(), "userinfo": login if at_sign else None, "host": host, "port": after}


def _is_web_socket(parts: Values) -> bool:
    return _value(parts, "scheme").lower() in ("ws", "wss")


SIXTH_READING_FAULTS: Mapping[str, Fault] = {
    # addresses in brackets
    "aws-common-colon-in-brackets": rejects_parts(
        lambda parts: _in_brackets(parts) and ":" in parts["host"],
    ),
    "dart-league-brackets": rejects_parts(_in_brackets),
    "hyperium-brackets-lost": _when(_in_brackets, lambda parts: {"host": parts["host"][1:-1]}),
    "eo-first-colon-in-brackets": _when(
        lambda parts: _in_brackets(parts) and ":" in parts["host"], _first_colon_ends_host
    ),
    "iri-string-colon-at-end": tolerates(_address(sub("(?<=[^:]):$", ""))),
    "uriparser-address-after-six-groups": tolerates(
        _address(sub(r"^((?:[0-9A-Fa-f]{1,4}:){6}):(?=\d+(?:\.\d+){3}$)", r"\1"))
    ),
    "ip-address-junk-after-address": tolerates(_address(sub("(?<=[0-9A-Fa-f:])[^0-9A-Fa-f:.].*$", ""))),
    "ip-address-cut-at-dot": _when(
        lambda parts: _in_brackets(parts) and "." in parts["host"] and parts["host"][1] not in "vV",
        lambda parts: {"host": f"{parts['host'].partition('.')[0]}]"},
    ),
    "dart-version-address": rejects_parts(lambda parts: _value(parts, "host").startswith(("[v", "[V"))),
    "rfc3986-port-without-colon": tolerates(inside("authority", sub(r"\](?=\d+$)", "]:"))),
    # userinfo
    "tempesta-userinfo": rejects_parts(lambda parts: parts["userinfo"] is not None),
    "asynchttprequest-password": _crashes_at(lambda parts: ":" in _value(parts, "userinfo")),
    "openssl-at-sign-after-authority": shows(_at_sign_ends_login),
    "hackney-at-sign-in-query": shows(
        lambda parts: (
            _at_sign_ends_login(parts) if _has_no_path(parts) and "@" in _value(parts, "query") else None
        )
    ),
    "openhands-port-in-path": _when(
        lambda parts: parts["userinfo"] is not None and bool(parts["port"]),
        lambda parts: {"port": None, "path": f"/{parts['port']}{parts['path']}"},
    ),
    "gluten-host-without-dot": _when(
        lambda parts: parts["userinfo"] is not None and bool(parts["host"]) and "." not in parts["host"],
        lambda _: {"host": ""},
    ),
    # host
    "urllib3-marks-in-host": tolerates(inside("authority", sub(r'[\x00-\x20"<>\\^`{|}\x7f]', "a"))),
    "ktor-blank-in-host": tolerates(inside("authority", sub(r"\s", "a"))),
    "undertow-url-is-path": _when(
        lambda parts: parts["scheme"] is not None and _has_no_path(parts),
        lambda parts: {"path": _all_is_path(parts)},
    ),
    "grpc-no-slash-after-authority": _when(
        lambda parts: parts["scheme"] is not None and _has_no_path(parts),
        lambda parts: {**NO_AUTHORITY, "scheme": None, "path": _all_is_path(parts)},
    ),
    "erl-host-without-dot": _when(
        lambda parts: bool(parts["host"]) and "." not in parts["host"] and not _in_brackets(parts),
        lambda parts: {"host": "", "path": f"/{parts['authority']}{parts['path']}"},
    ),
    "arduino-audio-colon-ends-host": _when(
        lambda parts: (
            bool(parts["host"])
            and ":" not in parts["authority"]
            and ":" in parts["path"] + _value(parts, "query")
        ),
        _text_to_colon_is_host,
    ),
    # port
    "django-port-of-one-digit": rejects_parts(lambda parts: len(_value(parts, "port")) == 1),
    "racket-letters-after-colon": tolerates(inside("authority", sub(r":[A-Za-z][^:@\[\]]*$", ""))),
    "ktor-default-port-added": _when(
        lambda parts: (
            bool(parts["host"]) and parts["port"] is None and _value(parts, "scheme").lower() in DEFAULT_PORTS
        ),
        lambda parts: {"authority": f"{parts['authority']}:{DEFAULT_PORTS[parts['scheme'].lower()]}"},
    ),
    # scheme
    "rfc3986-digit-before-scheme": tolerates(sub("^[0-9](?=[A-Za-z0-9+.-]*:)", "a")),
    "typia-colon-in-first-segment": tolerates(sub("^[^/?#]+", lambda found: found[0].replace(":", "a"))),
    "cpprest-colon-in-query": rejects(has("^[^:/?#]*[?#][^/:]*:")),
    "uriparse-colon-after-slash": rejects(has("^/[^/?#:]*:")),
    "furl-no-slashes-after-scheme": _when(
        lambda parts: parts["scheme"] is not None and parts["authority"] is None,
        lambda parts: {"scheme": None, "path": _all_is_path(parts)},
    ),
    "ktor-two-slashes-before-port": _when(
        lambda parts: parts["scheme"] is None and bool(parts["host"]) and bool(parts["port"]),
        lambda parts: {
            **LOCALHOST,
            "scheme": f"//{parts['host']}",
            "path": f"{parts['port']}{parts['path']}",
        },
    ),
    "ktor-digit-in-scheme": _when(
        lambda parts: re.search("[0-9+.-]", _value(parts, "scheme")) is not None,
        lambda parts: {**LOCALHOST, "scheme": "http", "path": f"/{_all_is_path(parts)}"},
    ),
    # path
    "ktor-tilde": rejects(has("~")),
    "swish-plus-becomes-blank": _when(
        lambda parts: "+" in parts["path"], lambda parts: {"path": parts["path"].replace("+", " ")}
    ),
    "libgit2-path-decoded": _when(
        lambda parts: parts["authority"] is not None and ASCII(parts["path"]) != parts["path"],
        lambda parts: {"path": ASCII(parts["path"])},
    ),
    "nim-line-feed": tolerates(sub(r"[\t\r\n]", "a")),
    "glpi-plus-sign": rejects(has("^(?i:https?)://.*[!();',+]")),
    # query and fragment
    "taiga-parentheses-in-query": rejects_parts(
        lambda parts: _is_http(parts) and re.search("[()]", _value(parts, "query")) is not None
    ),
    "spheres-empty-value": _crashes_at(
        lambda parts: re.search("=(?:&|$)", _value(parts, "query")) is not None
    ),
    "neutomic-question-mark-alone": _crashes_at(lambda parts: "" in (parts["query"], parts["fragment"])),
    "raku-uri-query-without-fragment": _when(
        lambda parts: parts["query"] is not None and parts["fragment"] is None, lambda _: {"query": None}
    ),
    "govalidator-fragment-after-host": rejects_parts(
        lambda parts: _has_no_path(parts) and parts["query"] is None and parts["fragment"] is not None
    ),
    # reported with programs rather than libraries
    "flysystem-decoded-first": _when(
        lambda parts: ASCII(_whole(parts)) != _whole(parts), lambda parts: _components(ASCII(_whole(parts)))
    ),
    "duplicati-path-decoded-twice": _when(
        lambda parts: ASCII(ASCII(parts["path"])) != ASCII(parts["path"]),
        lambda parts: {"path": ASCII(ASCII(parts["path"]))},
    ),
    "mongoose-slash-of-path-lost": _when(
        lambda parts: _is_web_socket(parts) and parts["path"].startswith("/"),
        lambda parts: {"path": parts["path"][1:]},
    ),
    "cpp-httplib-query-lost": _when(
        lambda parts: _is_web_socket(parts) and parts["query"] is not None, lambda _: {"query": None}
    ),
    "cocos-path-in-host": _when(
        lambda parts: _is_web_socket(parts) and bool(parts["host"]) and parts["port"] is None,
        lambda parts: {"host": parts["host"] + parts["path"], "path": "/"} if parts["path"] else {},
    ),
    "vue-form-generator-number-is-no-name": rejects_parts(
        lambda parts: (
            _is_http(parts) and re.fullmatch(r"\d+(?:\.\d+){3}|[^.\[]+", _value(parts, "host")) is not None
        )
    ),
    "vuelidate-hyphen-in-last-label": rejects_parts(
        lambda parts: _is_http(parts) and "-" in _value(parts, "host").rpartition(".")[2]
    ),
    "httpx-truncated-escape-in-login": tolerates(
        inside("authority", sub("%(?![0-9A-Fa-f]{2})(?=[^@]*@)", "a"))
    ),
    "cizgile-any-scheme": tolerates(sub("^[^:/?#]+(?=:)", "a")),
    "eda-server-escapes": rejects(has("%")),
    "lua-resty-http-brackets": rejects_parts(lambda parts: _is_http(parts) and _in_brackets(parts)),
    "containers-image-brackets": rejects_parts(
        lambda parts: _value(parts, "scheme").lower() == "docker" and _in_brackets(parts)
    ),
    "esp-idf-underscore-in-host": rejects_parts(
        lambda parts: _is_http(parts) and "_" in _value(parts, "host")
    ),
    "logto-plus-or-hyphen-in-scheme": rejects_parts(
        lambda parts: re.search("[+-]", _value(parts, "scheme")) is not None
    ),
    "jssip-password": rejects(has("^(?i:sips?):[^@:/?#]*:[^@/?#]*@")),
    "antennapod-capital-scheme": _when(
        lambda parts: re.search("[A-Z]", _value(parts, "scheme")) is not None,
        lambda parts: _components(f"http://{_whole(parts)}"),
    ),
    "coap-simple-query-in-path": _when(
        lambda parts: parts["query"] is not None,
        lambda parts: {"path": f"{parts['path']}?{parts['query']}", "query": None},
    ),
    "bonsai-no-port-after-brackets": rejects(has(r"^(?i:ldaps?)://\[[^\[\]]*\](?!:[1-9])")),
    "bonsai-colon-or-slash-in-path": rejects(has("^(?i:ldaps?)://[^/?#]*/[^?#]*[/:]")),
    "python-validators-one-group-at-end": rejects_parts(
        lambda parts: re.fullmatch(r"\[(?:[0-9A-Fa-f]{1,4}:){7}:\]", _value(parts, "host")) is not None
    ),
    "python-validators-five-digits": tolerates(
        _address(sub("(?<![0-9A-Fa-f])0(?=[0-9A-Fa-f]{4}(?![0-9A-Fa-f]))", ""))
    ),
    "anglesharp-underscores-lost": _when(
        lambda parts: "_" in _value(parts, "host"), lambda parts: {"host": parts["host"].replace("_", "")}
    ),
    "urltools-fragment-in-host": _when(
        lambda parts: _has_no_path(parts) and parts["query"] is None and parts["fragment"] is not None,
        lambda parts: {"host": f"{parts['host']}#{parts['fragment']}", "fragment": None},
    ),
    "urltools-text-before-at-sign-lost": shows(_text_before_at_sign_lost),
    "gnustep-no-slash-after-host": rejects_parts(
        lambda parts: _has_no_path(parts) and (parts["query"], parts["fragment"]) != (None, None)
    ),
    "clickhouse-port-before-query": _when(
        lambda parts: (
            _has_no_path(parts)
            and bool(parts["port"])
            and (parts["query"], parts["fragment"]) != (None, None)
        ),
        lambda _: {"port": None},
    ),
    "kuma-query-after-port-lost": _when(
        lambda parts: _has_no_path(parts) and parts["query"] is not None, lambda _: {"query": None}
    ),
    "qore-at-sign-in-path": _when(
        lambda parts: parts["userinfo"] is not None and "@" in parts["path"], _last_at_sign_ends_login
    ),
    "rfc3987-zero-before-octet": tolerates(_address(sub("(?<![0-9A-Fa-f])0{1,2}(?=[0-9])(?=[0-9.]*$)", ""))),
    "http-parser-password": rejects_parts(lambda parts: ":" in _value(parts, "userinfo")),
    "http-parser-slash-in-host": _when(
        lambda parts: parts["scheme"] is not None and bool(parts["host"]),
        lambda parts: {"host": f"/{parts['host']}"},
    ),
    # other RFCs
    "yuarel-user-alone": rejects_parts(
        lambda parts: parts["userinfo"] is not None and ":" not in parts["userinfo"]
    ),
    "clickhouse-user-is-host": _when(lambda parts: ":" in _value(parts, "userinfo"), _user_is_host),
    "http-parser-truncated-escape-in-login": tolerates(
        inside("authority", sub("%(?![0-9A-Fa-f]{2})(?=[^@]*@)", "a"))
    ),
    "http-parser-name-alone": _crashes_at(
        lambda parts: _is_path(parts) and re.match("[^/]", parts["path"]) is not None
    ),
    "cmus-colon-in-path": rejects_parts(
        lambda parts: (
            _value(parts, "scheme").lower() == "http" and re.search("[:@]", parts["path"]) is not None
        )
    ),
    "cmus-nothing-after-colon": _crashes_at(
        lambda parts: _value(parts, "scheme").lower() == "http" and parts["port"] == ""
    ),
    "ktor-at-sign-in-path": rejects(has("^(?i:https?)://[^/?]*/[^?]*[:@]")),
    "play-exclamation-mark": rejects(has("^(?i:https?|ftp)://.*!")),
    "validatorjs-apostrophe-in-query": rejects(has(r"^(?i:https?)://[^?]*\?.*'")),
    "jquerytools-marks-in-query": rejects(has(r"^(?i:https?)://[^?]*\?.*[&+]")),
    "asynchttprequest-no-slash": rejects(has("^(?i:http)://[^/]*$"), CRASHED),
    "lurlparser-port-at-end": rejects(has(r"^[A-Za-z]+://[^/]*:\d+$")),
    "arduino-ota-port-lost": _when(
        lambda parts: parts["scheme"].lower() == "http" and parts["port"] is not None,
        lambda _: {"port": None},
    ),
    "nappgui-mark-in-fragment": rejects(has("#.*[?;]"), CRASHED),
}


def _login_as_given(name: str) -> Callable[[Values, str], Values]:
    """Return a function that leaves user or password as they are in the URL."""

    def changed(view: Values, url: str) -> Values:
        login, at_sign, _ = (split(url).authority or "").rpartition("@")
        user, _, password = login.partition(":")
        given = user if name == "user" else password
        return {name: given} if at_sign and "%" in given and isinstance(view[name], str) else {}

    return changed


SIXTH_DECODING_FAULTS: Mapping[str, Fault] = {
    "clj-ftp-user-as-given": decodes("ftp", _login_as_given("user")),
    "ffmpeg-password-as-given": decodes("ftp", _login_as_given("password")),
}
