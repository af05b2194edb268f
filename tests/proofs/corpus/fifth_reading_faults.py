"""Faults of the fifth list in reading: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .library_faults import (
    CRASHED,
    TRIPLET,
    Ask,
    Change,
    Fault,
    Question,
    Reply,
    Values,
    has,
    inside,
    rejects,
    rejects_parts,
    shows,
    sub,
    tolerates,
)
from .third_reading_faults import ASCII

NO_AUTHORITY: Values = {"authority": None, "userinfo": None, "host": None, "port": None}

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

#: Node begins the path at these characters, without a slash, before it looks for a port.
PATH_MARKS = "[%;']"


def _value(parts: Values, name: str) -> str:
    return parts[name] or ""


def _is_path(parts: Values) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return parts["scheme"] is None and parts["authority"] is None


def _in_brackets(parts: Values) -> bool:
    return _value(parts, "host").startswith("[")


def _is_name(parts: Values) -> bool:
    """Tell if the host is neither empty nor in brackets."""
    return bool(parts["host"]) and not _in_brackets(parts)


def _only_authority(parts: Values) -> bool:
    """Tell if an authority is followed by neither a path nor a query."""
    return parts["authority"] is not None and not parts["path"] and parts["query"] is None


def _refuses(test: Callable[[Values], bool]) -> Fault:
    return rejects_parts(test)


def _when(test: Callable[[Values], bool], changed: Callable[[Values], Values]) -> Fault:
    """Give other values to some components when the test is true of all."""
    return shows(lambda parts: changed(parts) if test(parts) else None)


def _address(change: Change) -> Change:
    """Return a function that changes what stands in brackets in the authority."""
    return inside("authority", sub(r"\[([^\[\]]*)\]", lambda found: f"[{change(found[1])}]"))


def _of_references(fault: Fault) -> Fault:
    """Leave the questions about other rules than URI-reference alone."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        concerned = (question.get("rule") or "URI-reference") == "URI-reference"
        return fault.answer(question, right, ask) if concerned else right

    return Fault(fault.operations, answer)


def _eighth_group(address: str) -> str:
    """Add a group to seven."""
    return f"{address}:0" if "::" not in address and address.count(":") == 6 else address


def _eight_groups(address: str) -> str:
    """Cut off what follows the eighth group."""
    return ":".join(address.split(":")[:8]) if "::" not in address else address


def _last_octets(address: str) -> str:
    """Make the octets above 255 of an IPv4 address at the end 0."""
    return re.sub(
        r"(?:\d{1,3}\.){3}\d{1,3}$",
        lambda found: ".".join(octet if int(octet) < 256 else "0" for octet in found[0].split(".")),
        address,
    )


def _last_colon_is_port(parts: Values) -> Values:
    """Find the port after the last colon of an address in brackets."""
    host, _, port = parts["host"].rpartition(":")
    return {"host": f"{host}:", "port": port} if host.endswith(":") else {"host": host, "port": port}


def _colon_ends_authority(parts: Values) -> Values:
    """Begin the path after the first colon of an address in brackets and the digits there."""
    host, _, rest = parts["host"].partition(":")
    digits = re.match(r"\d*", rest)
    length = digits.end() if digits else 0
    port = "" if parts["port"] is None else f":{parts['port']}"
    path = rest[length:] + port + parts["path"]
    return {"authority": f"{host}:{rest[:length]}", "host": host, "port": rest[:length] or None, "path": path}


def _login_in_host(parts: Values) -> Values:
    return {"userinfo": None, "host": f"{parts['userinfo']}@{parts['host']}"}


def _first_colon_is_port(parts: Values) -> Values:
    host, _, port = parts["authority"].partition(":")
    return {"userinfo": None, "host": host, "port": port}


def _no_password(parts: Values) -> bool:
    return parts["userinfo"] is not None and ":" not in parts["userinfo"]


def _colon_follows_login(parts: Values) -> bool:
    """Tell if the first colon after the scheme is not in the userinfo but follows it."""
    after = ("host", "path", "query", "fragment")
    colon = parts["port"] is not None or any(":" in _value(parts, name) for name in after)
    return _no_password(parts) and colon


def _login_with_number_sign(parts: Values) -> Values | None:
    """Take the host and a number sign for the beginning of the userinfo."""
    found = re.match(r"([^/?@]*)@([^/?:]*)(?::(\d*))?(?=[/?]|$)([^?]*)", _value(parts, "fragment"))
    if not found or not _only_authority(parts) or "@" in parts["authority"]:
        return None
    login = f"{parts['authority']}#{found[1]}"
    query = parts["fragment"][found.end() + 1 :] if parts["fragment"][found.end() :] else None
    authority = login + parts["fragment"][found.end(1) : found.start(4)]
    changed = {"authority": authority, "userinfo": login, "host": found[2], "port": found[3]}
    return {**changed, "path": found[4], "query": query, "fragment": None}


def _host_ends_at(marks: str) -> Callable[[Values], Values | None]:
    """Return a function that begins the path at the first of some characters in the host."""

    def changed(parts: Values) -> Values | None:
        found = re.search(marks, _value(parts, "host"))
        if not found or _in_brackets(parts):
            return None
        host, rest = parts["host"][: found.start()], parts["host"][found.start() :]
        if marks != PATH_MARKS:
            return {"host": host, "path": f"/{rest}{parts['path']}"}
        port = "" if parts["port"] is None else f":{parts['port']}"
        return {"host": host, "port": None, "path": rest + port + parts["path"]}

    return changed


def _authority_to_slash(parts: Values) -> Values | None:
    """Let only a slash end the host if there is no path."""
    if parts["authority"] is None or parts["path"] or parts["query"] is None or parts["port"] is not None:
        return None
    before, _, after = parts["query"].partition("/")
    return {"host": f"{parts['host']}?{before}", "path": f"/{after}", "query": None}


def _authority_is_path(parts: Values) -> Values:
    return {**NO_AUTHORITY, "path": f"//{parts['authority']}{parts['path']}"}


def _first_segment_is_host(parts: Values) -> Values:
    """Take the first segment after three slashes for the host."""
    host, slash, path = parts["path"].lstrip("/").partition("/")
    return {"authority": host.lower(), "host": host.lower(), "path": slash + path}


def _all_is_path(parts: Values) -> Values:
    authority = "" if parts["authority"] is None else f"//{parts['authority']}"
    return {**NO_AUTHORITY, "scheme": None, "path": f"{parts['scheme']}:{authority}{parts['path']}"}


def _namespace_in_scheme(parts: Values) -> Values:
    namespace, _, rest = parts["path"].partition(":")
    return {"scheme": f"{parts['scheme']}:{namespace}", "path": rest}


def _address_is_login(parts: Values) -> Values:
    """Take a scheme and what precedes an at sign for user and password."""
    login, _, host = parts["path"].rpartition("@")
    login = f"{parts['scheme']}:{login}"
    authority = {"authority": f"{login}@{host}", "userinfo": login, "host": host}
    return {**authority, "scheme": None, "path": ""}


def _scheme_is_host(parts: Values) -> Values:
    authority = {"authority": parts["scheme"], "host": parts["scheme"]}
    return {**authority, "scheme": "ssh", "path": f"/{parts['path']}"}


def _colon_ends_scheme(parts: Values) -> Values:
    scheme, _, path = parts["path"].partition(":")
    return {"scheme": scheme.lower(), "path": path}


def _query_in_fragment(path: Callable[[Values, str], Values]) -> Fault:
    """Find the query in a fragment with a question mark; the function gives what precedes it."""

    def changed(parts: Values) -> Values | None:
        before, mark, after = _value(parts, "fragment").partition("?")
        if not mark or parts["query"] is not None:
            return None
        return {"query": after, "fragment": None, **path(parts, before)}

    return shows(changed)


def _last_question_mark(parts: Values) -> Values:
    before, _, query = parts["query"].rpartition("?")
    return {"path": f"{parts['path']}?{before}", "query": query}


def _query_in_network_location(parts: Values) -> Values:
    location, _, query = parts["net_loc"].partition("?")
    return {"net_loc": location, "query": query}


FIFTH_READING_FAULTS: Mapping[str, Fault] = {
    # addresses in brackets
    "sourcemeta-nothing-in-brackets": tolerates(inside("authority", sub(r"\[\]", "[::]"))),
    "sourcemeta-group-of-five-digits": tolerates(
        _address(sub("[0-9A-Fa-f]{5,}", lambda found: found[0][-4:]))
    ),
    "sourcemeta-nine-groups": tolerates(_address(_eight_groups)),
    "sourcemeta-octet-of-address-tail": tolerates(_address(_last_octets)),
    "rfc3986-closing-bracket-alone": tolerates(
        inside("authority", sub(r"^([^\[\]]*)\]([^\[\]]*)$", r"\1\2"))
    ),
    "rfc3986-elision-at-end": _refuses(lambda parts: _value(parts, "host").endswith("::]")),
    "rfc3987-syntax-groups-before-elision": _refuses(
        lambda parts: re.match(r"\[[0-9A-Fa-f]+(?::[0-9A-Fa-f]+)+::", _value(parts, "host")) is not None
    ),
    "rfc3987-capital-version": _refuses(lambda parts: _value(parts, "host").startswith("[V")),
    "commons-validator-address-tail": _refuses(
        lambda parts: re.match(r"\[(?!::FFFF:)[0-9A-Fa-f:]*:\d+\.", _value(parts, "host")) is not None
    ),
    "commons-validator-login-before-brackets": _refuses(
        lambda parts: parts["userinfo"] is not None and _in_brackets(parts)
    ),
    "kusto-last-colon-in-brackets": _when(
        lambda parts: _in_brackets(parts) and ":" in parts["host"] and parts["port"] is None,
        _last_colon_is_port,
    ),
    "racket-colon-in-brackets": _when(
        lambda parts: _in_brackets(parts) and ":" in parts["host"], _colon_ends_authority
    ),
    # userinfo
    "kusto-user-alone": _when(_no_password, _login_in_host),
    "caf-password": _refuses(lambda parts: ":" in _value(parts, "userinfo")),
    "polipo-password-is-port": _when(lambda parts: ":" in _value(parts, "userinfo"), _first_colon_is_port),
    "hyper-marks-in-userinfo": _refuses(
        lambda parts: re.search(r"[!$&'()*+,;=]", _value(parts, "userinfo")) is not None
    ),
    "cpp-netlib-user-alone": rejects_parts(
        lambda parts: (
            _no_password(parts)
            and parts["port"] is None
            and _only_authority(parts)
            and parts["fragment"] is None
        ),
        CRASHED,
    ),
    "fast-uri-userinfo-decoded": _when(
        lambda parts: "%" in _value(parts, "userinfo"), lambda parts: {"userinfo": ASCII(parts["userinfo"])}
    ),
    "gojsonschema-two-at-signs": tolerates(inside("authority", sub("@(?=[^@]*@)", "%40"))),
    "commons-vfs-number-sign-in-authority": shows(_login_with_number_sign),
    # host
    "protovalidate-nothing-for-host": _refuses(
        lambda parts: (
            parts["host"] == ""
            and parts["port"] is None
            and _only_authority(parts)
            and parts["fragment"] is None
        )
    ),
    "opis-login-without-host": _refuses(lambda parts: parts["host"] == "" and parts["userinfo"] is not None),
    "opis-marks-in-host": _refuses(
        lambda parts: _is_name(parts) and re.search(r"[!$&'()*+,;=]", parts["host"]) is not None
    ),
    "validators-underscore-in-host": _refuses(lambda parts: _is_name(parts) and "_" in parts["host"]),
    "validators-two-hyphens-in-host": _refuses(lambda parts: _is_name(parts) and "--" in parts["host"]),
    "validators-capital-host": _refuses(
        lambda parts: _is_name(parts) and re.search("[A-Z]", re.sub(TRIPLET, "", parts["host"])) is not None
    ),
    "ng2-validation-name-without-dot": _refuses(lambda parts: _is_name(parts) and "." not in parts["host"]),
    "jdk-underscore-in-host": _when(
        lambda parts: _is_name(parts) and "_" in parts["host"],
        lambda _: {"userinfo": None, "host": None, "port": None},
    ),
    "node-percent-ends-host": shows(_host_ends_at(PATH_MARKS)),
    "node-mark-ends-host": shows(_host_ends_at(r"[!$&()*,=~]")),
    "urld-ampersand-after-host": _refuses(
        lambda parts: parts["authority"] is not None and not parts["path"] and "&" in _value(parts, "query")
    ),
    "faup-fragment-in-host": _when(
        lambda parts: _only_authority(parts) and parts["fragment"] is not None and parts["port"] is None,
        lambda parts: {"host": f"{parts['host']}#{parts['fragment']}", "fragment": None},
    ),
    "cturtle-empty-path": rejects_parts(
        lambda parts: parts["authority"] is not None and not parts["path"], CRASHED
    ),
    "rust-url-slash-in-host": _refuses(lambda parts: re.search("%2[Ff]", _value(parts, "host")) is not None),
    "quri-two-slashes-without-scheme": _when(
        lambda parts: parts["scheme"] is None and parts["authority"] is not None, _authority_is_path
    ),
    "dotnet-authority-of-news": _when(
        lambda parts: _value(parts, "scheme").lower() == "news" and parts["authority"] is not None,
        _authority_is_path,
    ),
    "url-parse-three-slashes": _when(
        lambda parts: parts["authority"] == "" and bool(parts["path"].strip("/")), _first_segment_is_host
    ),
    "networknt-nothing-after-two-slashes": rejects(has("^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//$")),
    "gfarm-host-in-path": _when(
        lambda parts: bool(parts["host"]) and parts["port"] is None,
        lambda parts: {"host": "", "path": f"/{parts['host']}{parts['path']}"},
    ),
    # port
    "zeek-empty-port": _refuses(lambda parts: parts["port"] == ""),
    "dotnet-port-zero": _when(
        lambda parts: parts["port"] == "0" and _value(parts, "scheme").lower() not in KNOWN_SCHEMES,
        lambda _: {"port": None},
    ),
    "htmldoc-port": _when(lambda parts: bool(parts["port"]), lambda _: {"port": "0"}),
    "guzzle-port-cut": tolerates(
        inside("authority", sub(r":(?=.{1,5}$)(\d+)[^\d:@\[\]][^:@\[\]]*$", r":\1"))
    ),
    "sourcemeta-letters-after-port": tolerates(
        inside("authority", sub(r":(\d+)[A-Za-z-][0-9A-Za-z-]*$", r":\1"))
    ),
    "neon-colons-after-host": tolerates(inside("authority", sub(r"^((?:[^@]*@)?[^:@\[\]]*):+(?=:)", r"\1"))),
    "spring-fragment-in-port": _when(
        lambda parts: bool(parts["port"]) and _only_authority(parts) and parts["fragment"] is not None,
        lambda parts: {"port": f"{parts['port']}#{parts['fragment']}", "fragment": None},
    ),
    # scheme
    "league-digit-in-scheme": _refuses(lambda parts: re.search("[0-9]", _value(parts, "scheme")) is not None),
    "uri-js-namespace-in-scheme": _when(
        lambda parts: (
            _value(parts, "scheme").lower() == "urn"
            and re.match(r"[0-9A-Za-z][0-9A-Za-z-]{1,31}:", parts["path"]) is not None
        ),
        _namespace_in_scheme,
    ),
    "sourcemeta-empty-scheme": tolerates(sub("^:(?=//)", "a:")),
    "sourcemeta-hyphen-before-scheme": tolerates(sub("^-(?=[A-Za-z0-9+.-]*:)", "a")),
    "eo-plus-before-scheme": tolerates(sub(r"^\+(?=[A-Za-z0-9+.-]*:)", "a")),
    "measurement-kit-capital-scheme": _refuses(
        lambda parts: re.search("[A-Z]", _value(parts, "scheme")) is not None
    ),
    "httr-digit-in-scheme": _when(
        lambda parts: re.search("[0-9]", _value(parts, "scheme")) is not None, _all_is_path
    ),
    "url-cpp-digits-after-scheme": _when(
        lambda parts: (
            parts["scheme"] is not None
            and parts["authority"] is None
            and parts["query"] is None
            and parts["fragment"] is None
            and re.fullmatch(r"\d+", parts["path"]) is not None
        ),
        _all_is_path,
    ),
    "addressable-two-colons": tolerates(sub("^::", "./")),
    "addressable-scheme-alone": rejects(has("^[A-Za-z][A-Za-z0-9+.-]*:$")),
    "parse-uri-address-is-login": _when(
        lambda parts: (
            parts["scheme"] is not None
            and parts["authority"] is None
            and re.fullmatch(r"[^:@/]*@[^:@/]*", parts["path"]) is not None
        ),
        _address_is_login,
    ),
    "parse-url-scheme-is-host": _when(
        lambda parts: (
            parts["scheme"] is not None
            and parts["authority"] is None
            and re.match(r"[^/@]", parts["path"]) is not None
            and "@" not in parts["path"]
        ),
        _scheme_is_host,
    ),
    "scala-uri-no-slashes-after-scheme": _when(
        lambda parts: parts["scheme"] is not None and parts["authority"] is None,
        lambda parts: {"scheme": None, "path": f"/{parts['scheme']}:{parts['path']}"},
    ),
    "kusto-no-slashes-after-scheme": _when(
        lambda parts: parts["scheme"] is not None and parts["authority"] is None,
        lambda _: {"scheme": None, "path": "", "query": None, "fragment": None},
    ),
    # path
    "linkml-empty-reference": rejects(lambda url: not url),
    "http-jl-name-without-scheme": rejects(has("^[A-Za-z]+[^A-Za-z:]")),
    "quri-path-is-colon": _when(lambda parts: parts["path"] == ":", lambda _: {"path": ""}),
    "quri-path-is-slash": _when(
        lambda parts: parts["path"] == "/" and parts["authority"] is None, lambda _: {"path": ""}
    ),
    "gobo-path-is-slash": _when(lambda parts: parts["path"] == "/", lambda _: {"path": "//"}),
    "ocaml-uri-empty-path": _when(lambda parts: not parts["path"], lambda _: {"path": "/"}),
    "urijs-colon-in-rooted-path": _when(
        lambda parts: _is_path(parts) and parts["path"].startswith("/") and ":" in parts["path"],
        _colon_ends_scheme,
    ),
    "guzzle-number-after-first-colon": _refuses(
        lambda parts: _is_path(parts) and re.match(r"/[^:]*:\d{1,5}/", parts["path"]) is not None
    ),
    "ajv-quote-in-reference": _of_references(tolerates(sub('"', "a"))),
    "ajv-authority-after-one-slash": _of_references(tolerates(sub("^//(?=[^/])", "/"))),
    "rfc3987-final-line-feed": tolerates(sub(r"(?<!\n)\n\Z", "")),
    "http4s-caret-in-path": tolerates(inside("path", sub(r"[\^`\]]", "a"))),
    "rfc3986-blank-in-path": tolerates(inside("path", sub(" ", "a"))),
    "nanoidp-brackets-in-path": tolerates(inside("path", sub(r"[\[\]]", "a"))),
    "uri-js-truncated-escape-in-path": tolerates(inside("path", sub("%(?![0-9A-Fa-f]{2})", "a"))),
    "uris-jl-truncated-escape-in-host": tolerates(inside("authority", sub("%(?![0-9A-Fa-f]{2})", "a"))),
    "uris-jl-tab": tolerates(sub(r"[\t\f]", "a")),
    "coroboros-small-escape": rejects(has("%(?:[a-f][0-9A-Fa-f]|[0-9A-Fa-f][a-f])")),
    # query and fragment
    "faup-last-question-mark": _when(lambda parts: "?" in _value(parts, "query"), _last_question_mark),
    "http-parser-question-marks-lost": _when(
        lambda parts: _value(parts, "query").startswith("?"),
        lambda parts: {"query": parts["query"].lstrip("?")},
    ),
    "akka-two-equals-signs": _refuses(
        lambda parts: re.search("(?:^|&)[^&=]*=[^&=]*=", _value(parts, "query")) is not None
    ),
    "elixir-empty-query": _when(lambda parts: parts["query"] == "", lambda _: {"query": None}),
    "faup-second-number-sign": tolerates(sub("#(?=[^#]*#)", "%23")),
    "curl-question-mark-in-fragment": _query_in_fragment(lambda _, before: {"fragment": before}),
    "quri-number-sign-before-question-mark": _query_in_fragment(lambda _parts, _before: {}),
    "rocket-number-sign-before-question-mark": _query_in_fragment(
        lambda parts, before: {"path": f"{parts['path']}#{before}"}
    ),
    "http4s-fragment-lost": _when(lambda parts: parts["fragment"] is not None, lambda _: {"fragment": None}),
    "spring-empty-fragment": rejects_parts(lambda parts: parts["fragment"] == "", CRASHED),
    # other RFCs
    "squid-login-in-gopher": tolerates(sub("^((?i:gopher|wais)://)[^/@]*@", r"\1")),
    "curl-nul-in-gopher": rejects(has("^(?i:gopher)://.*%00")),
    "perl-uri-slash-in-message-id": rejects(has("^(?i:news):.*/.*@")),
    "pony-user-alone": _when(
        lambda parts: parts.get("user") is not None and parts["password"] is None,
        lambda parts: {"user": "", "password": f"//{parts['user']}"},
    ),
    "regexp-common-question-mark-in-ftp": rejects(has(r"^(?i:ftp)://[^/]*/.*\?")),
    "regexp-common-tilde": tolerates(inside("path", sub("~", "a"))),
    "urijs-host-of-file": _when(
        lambda parts: parts["scheme"].lower() == "file" and bool(parts["host"]), lambda _: {"host": ""}
    ),
    "cpython-query-in-network-location": _when(
        lambda parts: "?" in _value(parts, "net_loc"), _query_in_network_location
    ),
    "mruby-uri-registry-name": _refuses(lambda parts: bool(parts["authority"]) and parts["host"] is None),
    "http-parser-query-after-host": _refuses(
        lambda parts: parts["authority"] is not None and not parts["path"] and parts["query"] is not None
    ),
    "parodus-host-ends-at-colon": _when(
        lambda parts: _in_brackets(parts) and ":" in parts["host"],
        lambda parts: {"host": parts["host"].partition(":")[0]},
    ),
}
