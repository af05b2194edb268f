"""Faults of the eleventh list in reading, extracting and decoding."""

from __future__ import annotations

import re
from collections.abc import Callable

from .library_faults import (
    CRASHED,
    Ask,
    Fault,
    Question,
    Reply,
    Values,
    bases_without,
    crashes,
    decodes,
    encoded,
    finds,
    has,
    inside,
    rejects,
    rejects_parts,
    shows,
    split,
    sub,
    tolerates,
    with_bracket,
    with_quote,
)

# Tests of components.


def bracketed(values: Values) -> bool:
    """Tell if the host is an IP literal."""
    return (values.get("host") or "").startswith("[")


def mixed_ipv6(values: Values) -> bool:
    """Tell if the host is an IPv6 address that ends in an IPv4 address."""
    host = values.get("host") or ""
    return host.startswith("[") and not host.lower().startswith("[v") and "." in host


def component(name: str, pattern: str) -> Callable[[Values], bool]:
    """Return a function that tells if a pattern matches in a component that is present."""
    test = has(pattern)
    return lambda values: values.get(name) is not None and test(values[name])


def colon_in_path(values: Values) -> bool:
    """Tell if the path of a URL with an authority has a colon."""
    return values.get("authority") is not None and ":" in values["path"]


# Changes of components.


def cut_at_colon(values: Values) -> Values | None:
    """Return a host that ends at the first colon of an IP literal, and the rest as the port."""
    if not bracketed(values):
        return None
    host, _, rest = values["host"].partition(":")
    port = "" if values["port"] is None else f":{values['port']}"
    return {"host": host, "port": rest + port}


def no_digit_after_colon(values: Values) -> bool:
    """Tell if no digit follows the first colon of an IP literal."""
    return bracketed(values) and not re.match(r"[^:]*:\d", values["host"])


def number_after_colon(values: Values) -> Values | None:
    """Return the number after the first colon of an IP literal as the port."""
    found = re.match(r"(\[[^:]*):(\d+)", values.get("host") or "")
    return {"host": found[1], "port": found[2]} if found else None


def drive_of_file(values: Values) -> Values | None:
    """Return a file URL with a scheme of one letter in its path."""
    if values.get("authority") is None or not values["scheme"] or len(values["scheme"]) > 1:
        return None
    path = f"/{values['scheme']}://{values['authority']}{values['path']}"
    return {"scheme": "file", "authority": "", "userinfo": None, "host": "", "port": None, "path": path}


NO_AUTHORITY: Values = {"authority": None, "userinfo": None, "host": None, "port": None}


def network_path(values: Values) -> Values | None:
    """Return the authority of a reference without a scheme as a part of the path."""
    if values.get("authority") is None or values["scheme"] is not None:
        return None
    return {**NO_AUTHORITY, "path": f"//{values['authority']}{values['path']}"}


def authority_as_path(values: Values) -> Values | None:
    """Return the authority again as the path, if a URL ends in its authority."""
    if not values.get("authority") or values["path"]:
        return None
    ended = values["query"] is None and values["fragment"] is None
    return {"path": f"//{values['authority']}"} if ended else None


def port_of_path(values: Values) -> Values | None:
    """Return digits after a colon in the path of a network-path reference as the port."""
    if values.get("authority") is None or values["scheme"] is not None or values["port"] is not None:
        return None
    found = re.search(r":(\d{1,5})(?:/|$)", values["path"])
    return {"port": found[1]} if found else None


def scheme_as_path(values: Values) -> Values | None:
    """Return a scheme with a plus, a period or a hyphen as a part of the path."""
    scheme = values.get("scheme")
    if not scheme or "path" not in values or not re.search("[+.-]", scheme):
        return None
    authority = "" if values.get("authority") is None else f"//{values['authority']}"
    return {**NO_AUTHORITY, "scheme": None, "path": f"{scheme}:{authority}{values['path']}"}


def no_empty_query(values: Values) -> Values | None:
    """Return no query for an empty one."""
    return {"query": None} if values.get("query") == "" else None


def no_final_slash(values: Values) -> Values | None:
    """Return the path without the slash at its end."""
    path = values.get("path") or ""
    return {"path": path[:-1]} if len(path) > 1 and path.endswith("/") else None


def no_root(values: Values) -> Values | None:
    """Return the empty path for a slash after the authority."""
    return {"path": ""} if values.get("authority") is not None and values["path"] == "/" else None


def at_in_userinfo(values: Values) -> Values | None:
    """Return the userinfo with its delimiter, and the host without its first character."""
    if values.get("userinfo") is None:
        return None
    return {"userinfo": f"{values['userinfo']}@", "host": values["host"][1:]}


def cut_at_number_sign(values: Values) -> Values | None:
    """Return the path up to a percent-encoded number sign."""
    path = values.get("path") or ""
    return {"path": path.partition("%23")[0]} if "%23" in path else None


def no_port(values: Values) -> Values | None:
    """Return an authority without the port."""
    if not values.get("port") or "authority" not in values:
        return None
    return {"authority": values["authority"].rpartition(":")[0], "port": None}


def user_as_host(values: Values) -> Values | None:
    """Return the user as the host, if there is a password."""
    if values.get("scheme") != "ssh" or ":" not in (values.get("userinfo") or ""):
        return None
    return {"userinfo": None, "host": values["userinfo"].partition(":")[0]}


def first_of(*faults: Fault) -> Fault:
    """Return a fault that answers with the first of these that gives another answer than the right one."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        found = (fault.answer(question, right, ask) for fault in faults if question["op"] in fault.operations)
        return next((reply for reply in found if reply != right), right)

    return Fault(tuple(dict.fromkeys(one for fault in faults for one in fault.operations)), answer)


ELEVENTH_READING_FAULTS: dict[str, Fault] = {
    "llama-cpp-ipv6-literal-port-exception": first_of(
        rejects_parts(no_digit_after_colon, CRASHED), shows(number_after_colon)
    ),
    "urltools-ipv6-literal-cut-at-first-colon": shows(cut_at_colon),
    "guzzle-psr7-ipv6-with-ipv4-tail-rejected": rejects_parts(mixed_ipv6),
    "logstash-patterns-bracketed-ipv6-rejected": rejects_parts(bracketed),
    "http-client-empty-port-rejected": rejects_parts(component("port", "^$")),
    "http-parser-strict-underscore-in-host-rejected": rejects_parts(component("host", "_")),
    "c3-empty-userinfo-rejected": rejects_parts(component("userinfo", "^$")),
    "uriparser-percent-encoded-userinfo-rejected": rejects_parts(component("userinfo", "%")),
    "uriparser-double-colon-in-userinfo-rejected": rejects_parts(component("userinfo", "::")),
    "uriparser-numeric-password-rejected": rejects_parts(component("userinfo", r"^[^:]*:\d+$")),
    "tarantool-uri-empty-password-rejected": rejects_parts(component("userinfo", ":$")),
    "qore-parse-url-colon-in-path-rejected": rejects_parts(colon_in_path),
    "uri-bytestring-empty-fragment-rejected": rejects_parts(component("fragment", "^$")),
    "uri-bytestring-final-ampersand-rejected": rejects_parts(component("query", "&$")),
    "git-link-plus-in-scheme-rejected": rejects(has("^[A-Za-z0-9]+[+.-][A-Za-z0-9+.-]*://")),
    "quri-file-url-with-one-slash-rejected": rejects(has("^(?i:file):/(?!/)")),
    "mono-uri-incomplete-path-exception": crashes(has("^[A-Za-z][A-Za-z0-9+.-]*:/$")),
    "dotnet-uri-one-letter-scheme-is-file": shows(drive_of_file),
    "quri-network-path-read-as-path": shows(network_path),
    "uri-library-authority-repeated-as-path": shows(authority_as_path),
    "php-parse-url-port-from-network-path": shows(port_of_path),
    "perl-uri-scheme-with-plus-unknown": shows(scheme_as_path),
    "ocaml-uri-empty-query-lost": shows(no_empty_query),
    "modern-uri-final-slash-lost": shows(no_final_slash),
    "uriparser-root-path-lost": shows(no_root),
    "chibi-uri-userinfo-shifts-host": shows(at_in_userinfo),
    "cpprestsdk-path-cut-at-encoded-number-sign": shows(cut_at_number_sign),
    "envoy-absolute-url-port-lost": shows(no_port),
    "kitty-putty-user-read-as-host": shows(user_as_host),
    "hhvm-filter-bad-characters-in-path-accepted": tolerates(
        inside("path", encoded(r'[\x00-\x20"<>\\^`{|}\x7F-\xFF]'))
    ),
    "validates-url-spaces-accepted": tolerates(sub(" ", "%20")),
    "seaside-percent-without-hex-accepted": tolerates(sub("%(?=[0-9A-Za-z]{2})(?![0-9A-Fa-f]{2})", "%25")),
    "cpp-httplib-text-after-ipv6-literal-accepted": tolerates(
        inside("authority", sub(r"^(\[[^\[\]]*\])(?=[^:])", r"\1/"))
    ),
    "perl-uri-double-quote-accepted": tolerates(sub('"', "%22")),
    "addressable-double-quote-in-host-accepted": tolerates(inside("authority", sub('"', "%22"))),
}

# Extraction.


def to_space(given: str, one: str) -> str:
    """Return everything from the start of a URL to the next whitespace."""
    start = given.find(one)
    return one if start < 0 else given[start:].split(maxsplit=1)[0]


def cut_at(pattern: str) -> Callable[[str, str], str]:
    """Return a function that ends a URL at some character."""
    return lambda _, one: re.split(pattern, one, maxsplit=1)[0]


def host_after_underscore(_given: str, one: str) -> str:
    """Return only the end of a host with an underscore."""
    host = split(one).authority or ""
    return host.rpartition("_")[2] if "_" in host else one


ELEVENTH_FINDING_FAULTS: dict[str, Fault] = {
    "direct-mail-link-takes-angle-bracket": finds(with_bracket),
    "gitx-link-goes-to-whitespace": finds(to_space),
    "goldmark-linkify-takes-closing-quote": finds(with_quote),
    "hexchat-link-starts-after-underscore": finds(host_after_underscore),
    "nanonote-link-ends-at-tilde": finds(cut_at("~")),
    "keybase-link-ends-at-semicolon": finds(cut_at("[;!]")),
    "notepad-plus-plus-link-ends-at-sub-delims": finds(cut_at("[!;$*]")),
}

# Decoding.


def raw_login(_view: Values, url: str) -> Values:
    """Return user and password as they are in the URL."""
    login, at, _ = (split(url).authority or "").rpartition("@")
    user, colon, password = login.partition(":")
    return {"user": user if at else None, "password": password if colon else None}


def raw_segments(_view: Values, url: str) -> Values:
    """Return the segments of an http URL as they are in it."""
    path = split(url).path
    return {"segments": path[1:].split("/")} if "%" in path else {}


def raw_file(_view: Values, url: str) -> Values:
    """Return the segments of a file URL as they are in it."""
    path = split(url).path
    *directories, name = path[1:].split("/")
    return {"directories": directories, "name": name} if "%" in path else {}


def local_file(view: Values, _url: str) -> Values:
    """Return every file as one of this host."""
    return {} if view["local"] else {"host": "", "local": True}


def plus_as_space(view: Values, _url: str) -> Values:
    """Return spaces for the plus signs of a path."""
    return {"segments": [one.replace("+", " ") if isinstance(one, str) else one for one in segments(view)]}


def segments(view: Values) -> list[str]:
    """Return the segments of a decoded URL."""
    return list(view.get("segments") or ())


def split_after_decoding(view: Values, _url: str) -> Values:
    """Return the segments of a path that is decoded before it is split."""
    found = segments(view)
    return {"segments": "/".join(found).split("/")} if all(isinstance(one, str) for one in found) else {}


def type_in_selector(view: Values, _url: str) -> Values:
    """Return the whole path of a gopher URL as the selector."""
    selector, request = view["selector"], view["request"]
    if not view["gtype"] or not isinstance(selector, str) or not isinstance(request, str):
        return {}
    return {"selector": f"/{view['gtype']}{selector}", "request": f"/{view['gtype']}{request}"}


def question_mark_as_tab(view: Values, _url: str) -> Values:
    """Return what follows a question mark in a selector as the search string."""
    selector, request = view["selector"], view["request"]
    if not isinstance(selector, str) or not isinstance(request, str) or "?" not in selector:
        return {}
    before, _, after = selector.partition("?")
    return {"selector": before, "search": after, "request": request.replace("?", "\t", 1)}


def no_slash_in_article(view: Values, _url: str) -> Values | None:
    """Return nothing for a message-id with a slash."""
    article = view["article"]
    return None if isinstance(article, str) and "/" in article else {}


def no_typecode(view: Values, _url: str) -> Values:
    """Return no typecode."""
    return {"typecode": None} if view["typecode"] else {}


def no_telnet_port(view: Values, _url: str) -> Values:
    """Return no port."""
    return {"port": None} if view["port"] else {}


ELEVENTH_DECODING_FAULTS: dict[str, Fault] = {
    "speed-test-lib-ftp-password-not-decoded": decodes("ftp", raw_login),
    "tcllib-uri-ftp-typecode-lost": decodes("ftp", no_typecode),
    "cohttp-resolve-file-path-not-decoded": decodes("http", raw_segments),
    "phile-plus-in-path-decoded-as-space": decodes("http", plus_as_space),
    "tarantool-http-path-decoded-before-split": decodes("http", split_after_decoding),
    "moe-file-url-path-not-decoded": decodes("file", raw_file),
    "freebsd-pkg-file-url-host-ignored": decodes("file", local_file),
    "waffle-gopher-type-sent-in-selector": decodes("gopher", type_in_selector),
    "curl-gopher-question-mark-sent-as-tab": decodes("gopher", question_mark_as_tab),
    "perl-uri-news-slash-in-message-id": decodes("news", no_slash_in_article),
    "superputty-telnet-port-ignored": decodes("telnet", no_telnet_port),
    "liferea-xml-base-ignored": bases_without("embedded"),
}
