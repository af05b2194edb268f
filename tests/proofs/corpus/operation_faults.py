"""Faults of libraries in recomposing, comparing, extracting and decoding URLs, and in finding the base."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from .library_faults import (
    TRIPLET,
    Values,
    bases_without,
    collapse,
    compares,
    decoded,
    decodes,
    finds,
    inside,
    join,
    recomposed,
    recomposed_as,
    recomposes,
    split,
    sub,
)


def _absent(*names: str):
    """Take empty components for absent ones."""
    return recomposes(lambda parts: {name: None for name in names if parts.get(name) == ""})


RECOMPOSITION_FAULTS = {
    "cpython-empty-query": _absent("query"),
    "cpython-empty-fragment": _absent("fragment"),
    "cpython-empty-authority": recomposed(lambda right: right.replace("////", "//", 1)),
    "jdk-empty-authority-of-file": recomposed(
        lambda right: right.replace("///", "/", 1) if "////" not in right else right
    ),
    "elixir-authority-without-scheme": recomposed(lambda right: right.removeprefix("//")),
    "elixir-ipv6-brackets": recomposed(lambda right: re.sub(r"\[([^\]]*)\]", r"\1", right)),
    "guzzle-zero-not-written": recomposes(
        lambda parts: {name: None for name in ("query", "fragment") if parts.get(name) == "0"}
    ),
    "url-parse-empty-userinfo": recomposed(lambda right: right.replace("//@", "//", 1)),
    "url-parse-empty-port": recomposed(
        lambda right: re.sub(r"^([^/?#]*//[^/?#]*):(?=[/?#]|$)", r"\1", right)
    ),
    "urltools-root": recomposes(
        lambda parts: {"path": ""} if parts.get("path") == "/" and parts.get("authority") else None
    ),
    "guzzle-file": recomposed_as(
        lambda parts, right: (
            re.sub("^file:(?!//)", "file://", right) if parts.get("path", "").startswith("/") else right
        )
    ),
    "node-slashes-of-http": recomposed(lambda right: re.sub("^(https?|ftp):(?!//)", r"\1://", right)),
    "uriparser-dot-before-slashes": recomposed(lambda right: right.replace(":/.//", "://", 1)),
    "hyperlink-slash-written": recomposed_as(
        lambda parts, right: (
            right.replace("?", "/?", 1)
            if parts.get("authority") and not parts.get("path") and parts.get("query") is not None
            else right
        )
    ),
    "httpclient-slashes": recomposed(inside("path", collapse)),
    "ocaml-lsp-fragment": recomposed(inside("fragment", sub("%", "%25"))),
    "swift-bridged-query": recomposed(inside("query", decoded("3a|2f"))),
    "hyperlink-userinfo": recomposed(lambda right: re.sub(r"(//[^/?#@:]*):([^/?#@]*@)", r"\1%3A\2", right)),
}


_upper_case = sub(TRIPLET, lambda found: found[0].upper())


def _without_query(url: str) -> str:
    return join(split(url)._replace(query=None, fragment=None))


EQUIVALENCE_FAULTS = {
    "fast-uri-case": compares(lambda one, other, right: right or one.lower() == other.lower()),
    "scala-js-case": compares(
        lambda one, other, right: (
            right
            and (split(one).scheme, split(one).authority) == (split(other).scheme, split(other).authority)
        )
    ),
    "rust-url-triplets": compares(
        lambda one, other, right: right and not (one != other and _upper_case(one) == _upper_case(other))
    ),
    "neon-not-decoded": compares(
        lambda one, other, right: right and len(re.findall(TRIPLET, one)) == len(re.findall(TRIPLET, other))
    ),
    "uriparser-absent-is-empty": compares(
        lambda one, other, right: right or one.rstrip("?#") == other.rstrip("?#")
    ),
    "uriparser-prefix": compares(
        lambda one, other, right: right or one.startswith(other) or other.startswith(one)
    ),
    "scala-js-path-only": compares(
        lambda one, other, right: right or _without_query(one) == _without_query(other)
    ),
    "urijs-order-of-query": compares(
        lambda one, other, right: (
            right
            or (
                split(one)._replace(query=None) == split(other)._replace(query=None)
                and sorted((split(one).query or "").split("&"))
                == sorted((split(other).query or "").split("&"))
            )
        )
    ),
    "ippsample-case": compares(lambda one, other, right: right or one.lower() == other.lower()),
    "url-py-reserved-decoded": compares(lambda one, other, right: right or unquote(one) == unquote(other)),
    "perl-reserved-decoded": compares(lambda one, other, right: right or unquote(one) == unquote(other)),
    "lambdaisland-default-port": compares(
        lambda one, other, right: (
            right and (split(one).authority or "").count(":") == (split(other).authority or "").count(":")
        ),
        mode="scheme",
    ),
}


def _to_white_space(given: str, one: str) -> str:
    """Cut a URL where white space stands in the text."""
    return next((one[:end] for end in range(len(one), 3, -1) if one[:end] in given), one)


def _with_prefix(given: str, one: str) -> str:
    return f"URL:{one}" if f"URL:{one}" in given else one


EXTRACTION_FAULTS = {
    "another-notes-angle-bracket": finds(lambda given, one: f"{one}>" if f"{one}>" in given else one),
    "rinku-quotation-mark": finds(lambda given, one: f'{one}"' if f'{one}"' in given else one),
    "shellinabox-lines": finds(_to_white_space),
    "mailpit-white-space": finds(_to_white_space),
    "uri-find-prefix": finds(_with_prefix),
    "uri-find-prefix-1738": finds(_with_prefix),
    "uri-find-fragment": finds(lambda _, one: one.partition("#")[0]),
    "uri-find-semicolon": finds(lambda _, one: one.rstrip(";")),
    "uri-find-parentheses": finds(lambda _, one: one.rstrip(")")),
    "autolink-java-quote": finds(lambda _, one: one.partition("'")[0]),
    "uri-find-canonical": finds(
        lambda _, one: re.sub("^[A-Za-z]+://[^/?#]*", lambda found: found[0].lower(), one)
    ),
    "uri-find-brackets": finds(lambda given, one: None if f"<{one}" in given else one),
}


def _again(value: Any) -> Any:
    """Decode a second time."""
    if isinstance(value, list):
        return [_again(one) for one in value]
    return decoded("..")(value) if isinstance(value, str) else value


def _twice(scheme: str, *names: str):
    return decodes(scheme, lambda view, _: {name: _again(view[name]) for name in names})


def _cut(name: str, mark: str):
    """End a part at a mark."""

    def change(view: Values, _url: str) -> Values:
        return {name: view[name].partition(mark)[0]} if isinstance(view[name], str) else {}

    return change


def _raw_name(_view: Values, url: str) -> Values:
    return {"name": url.partition("//")[2].rpartition("/")[2].partition(";type=")[0] or None}


def _split_decoded(view: Values, _url: str) -> Values:
    """Split the path of ftp after decoding it."""
    names = [*view["cwd"], view["name"]]
    if not all(isinstance(name, str) for name in names):
        return {}
    *cwd, name = "/".join(names).split("/")
    return {"cwd": cwd, "name": name}


def _search_of_decoded(view: Values, _url: str) -> Values:
    *others, last = view["segments"] or [None]
    if not isinstance(last, str) or "?" not in last:
        return {}
    name, _, search = last.partition("?")
    return {"segments": [*others, name], "search": search}


def _raw_login(view: Values, url: str) -> Values:
    user, _, password = url.partition("//")[2].partition("@")[0].partition(":")
    raw = {"user": user, "password": password}
    return {name: value for name, value in raw.items() if view.get(name) is not None}


DECODING_FAULTS = {
    "curl-name-not-decoded": decodes("ftp", _raw_name),
    "curl-decoded-before-split": decodes("ftp", _split_decoded),
    "linkchecker-decoded-twice": _twice("ftp", "cwd", "name"),
    "furl-decoded-twice": _twice("http", "segments"),
    "opa-question-mark": decodes("http", _search_of_decoded),
    "curl-gopher-type-dropped": decodes(
        "gopher",
        lambda view, url: (
            {"selector": f"{view['gtype']}{view['selector']}"} if re.search("//[^/]*/.", url) else {}
        ),
    ),
    "curl-gopher-nul": decodes("gopher", _cut("selector", "\0")),
    "curl-gopher-nul-refused": decodes("gopher", lambda _, url: None if "%00" in url else {}),
    "curl-gopher-query": decodes("gopher", _cut("selector", "?")),
    "perl-mailto-plus": decodes(
        "mailto", lambda view, _: {"address": sub(r"\+", " ")(view["address"])} if view["address"] else {}
    ),
    "urllib-file-localhost": decodes("file", lambda view, _: {"local": view["host"] == ""}),
    "php-login": decodes(
        "ftp", lambda view, _: {name: None for name in ("user", "password") if view[name] == ""}
    ),
    "urllib3-login-not-decoded": decodes("ftp", _raw_login),
    "dotnet-urld-lower-case": decodes(
        "", lambda _, url: None if re.search("%(?:[a-f].|.[a-f])", url) else {}
    ),
    "emacs-file-host": decodes("file", lambda *_: {"host": "", "local": True}),
    "curl-file-slashes": decodes(
        "file",
        lambda view, _: {"directories": view["directories"][1:]} if view["directories"][:1] == [""] else {},
    ),
}

BASE_FAULTS = {
    "stormcrawler-embedded": bases_without("embedded"),
    "nutch-embedded": bases_without("embedded"),
    "js-crawler-embedded": bases_without("embedded"),
}
