"""Faults of the second list in recomposing, comparing, extracting and decoding, and in finding the base."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from .library_faults import (
    REJECTED,
    TRIPLET,
    Ask,
    Fault,
    Question,
    Reply,
    Values,
    bases_without,
    collapse,
    compares,
    decoded,
    decodes,
    encoded,
    finds,
    inside,
    join,
    recomposed,
    recomposed_as,
    recomposes,
    split,
    sub,
    text,
)
from .operation_faults import EQUIVALENCE_FAULTS

_without_login = sub("^([^/?#]*//)[^/?#@]*@", r"\1")


def _refuses_scheme(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Refuse to recompose a scheme that does not end in a letter."""
    scheme = question["components"].get("scheme") or "a"
    return REJECTED if right["status"] == "ok" and not scheme[-1].isalpha() else right


SECOND_RECOMPOSITION_FAULTS = {
    "akka-digit-in-scheme": Fault(("recompose",), _refuses_scheme),
    "swift-semicolon-encoded": recomposed(inside("path", encoded(";"))),
    "uritools-triplets-of-host": recomposed(
        inside("authority", sub(TRIPLET, lambda found: found[0].lower()))
    ),
    "poco-fragment-decoded": recomposed(inside("fragment", decoded("2[1-9a-f]|3[a-f]|40"))),
    "simplepie-empty-query-and-fragment": recomposed_as(
        lambda parts, right: (
            f"{right}?#" if parts.get("query") is None and parts.get("fragment") is None else right
        )
    ),
    "tissue-fragment-before-query": recomposed(
        lambda right: (
            join(split(right)._replace(query=None, fragment=None))
            + f"#{split(right).fragment}?{split(right).query}"
            if split(right).fragment is not None and split(right).query is not None
            else right
        )
    ),
    "boost-root": recomposed_as(
        lambda parts, right: (
            right.replace("/", "/./", 1)
            if parts.get("path") == "/"
            and parts.get("authority") is None
            and not right.partition(":")[2].startswith("//")
            else right
        )
    ),
    "ufo-slashes-before-rootless-path": recomposed(sub("^([A-Za-z][A-Za-z0-9+.-]*:)(?!/)(?=.)", r"\1//")),
    "guzzle-rootless-file": recomposed(sub("^file:(?!/)", "file://")),
    "soletta-password-not-written": recomposed(sub("^([^/?#]*)//:[^/?#@]*@", r"\1//")),
    "url-parse-empty-password": recomposed(sub("^([^/?#]*)//[^/?#@:]*:@", r"\1//")),
    "league-default-port": recomposed(sub(r"^(http://[^/?#]*):80(?=[/?#]|$)", r"\1")),
    "node-port-zero": recomposed(sub(r"^([^/?#]*//[^/?#]*):0(?=[/?#]|$)", r"\1")),
    "node-marks-in-login": recomposed(
        sub("^[^/?#]*//[^/?#@]*@", lambda found: encoded("[$&+,;=]")(found[0]))
    ),
    "node-question-mark-of-query": recomposed_as(
        lambda parts, right: (
            right.replace("??", "?", 1) if (parts.get("query") or "").startswith("?") else right
        )
    ),
    "nmap-parameters-not-written": recomposes(
        lambda parts: {"params": None} if parts.get("params") is not None else None
    ),
    "cpython-slashes-of-known-schemes": recomposed(
        lambda right: re.sub(
            "^(http|https|ftp|file|gopher|nntp|telnet|wais|prospero):/?(?!/)", r"\1:///", right
        )
    ),
    "jdk-percent-quoted": recomposed(sub("%", "%25")),
}


def _same_without(pattern: str):
    """Compare without what the pattern matches."""

    def test(one: str, other: str) -> bool:
        return re.sub(pattern, "", one) == re.sub(pattern, "", other)

    return test


def _without_port_80(url: str) -> str:
    return re.sub(r"^((?!https:)[a-z][a-z0-9+.-]*://[^/?#]*):80(?=[/?#]|$)", r"\1", url)


_same_scheme_apart = _same_without("^[A-Za-z][A-Za-z0-9+.-]*:")
_same_without_www = _same_without(r"(?<=//)www\.")


def _collapsed(url: str) -> str:
    return inside("path", collapse)(url)


def _chopped(url: str) -> str:
    return inside("path", lambda path: path.rstrip("/"))(url)


SECOND_EQUIVALENCE_FAULTS = {
    "quri-scheme-does-not-count": compares(lambda one, other, right: right or _same_scheme_apart(one, other)),
    "guzzle-port-80-of-any-scheme": compares(
        lambda one, other, right: right or _without_port_80(one) == _without_port_80(other), mode="scheme"
    ),
    "uriparser-empty-path": compares(
        lambda one, other, right: right and bool(split(one).path) == bool(split(other).path), mode="scheme"
    ),
    "guzzle-repeated-slashes": compares(
        lambda one, other, right: right or _collapsed(one) == _collapsed(other)
    ),
    "guzzle-rootless-file-is-host": compares(
        lambda one, other, right: (
            right or re.sub("^file:(?!/)", "file://", one) == re.sub("^file:(?!/)", "file://", other)
        )
    ),
    "compare-urls-final-slash": compares(
        lambda one, other, right: (
            right or (bool(split(one).path.strip("/")) and _chopped(one) == _chopped(other))
        )
    ),
    "compare-urls-www": compares(lambda one, other, right: right or _same_without_www(one, other)),
    "jdk-same-file": compares(
        lambda one, other, right: right or one.partition("#")[0] == other.partition("#")[0]
    ),
    "curl-escapes-in-host": compares(
        lambda one, other, right: (
            right and ("%" in (split(one).authority or "")) == ("%" in (split(other).authority or ""))
        )
    ),
    "jdk-default-port": EQUIVALENCE_FAULTS["lambdaisland-default-port"],
}


SECOND_EXTRACTION_FAULTS = {
    "linkify-marks": finds(lambda _, one: one.rstrip("!'")),
    "linkify-final-dot": finds(lambda _, one: one.rstrip(".,")),
    "cryptpad-hyphen": finds(lambda _, one: one.rstrip("-")),
    "textlink-login": finds(lambda _, one: _without_login(one)),
    "cmark-short-scheme": finds(lambda _, one: None if re.match(".:", one) else one),
    "urlextract-top-level": finds(
        lambda _, one: (
            one
            if re.search(r"\.(?:com|net|org|edu|gov|[a-z]{2})(?=[:/?#]|$)", split(one).authority or "")
            else None
        )
    ),
    "pepyatka-bracket": finds(lambda _, one: one.partition("]")[0]),
    "zammad-decoded": finds(lambda _, one: unquote(one)),
}


def _each(value: Any, change) -> Any:
    """Change every text in a decoded value."""
    if isinstance(value, list):
        return [_each(one, change) for one in value]
    return change(value)


def _texts(view: Values, change) -> Values:
    kept = ("scheme", "host", "port", "default_port", "local")
    return {name: _each(value, change) for name, value in view.items() if name not in kept}


def _replaced(value: Any) -> Any:
    """Decode as UTF-8, with the replacement character for what is not UTF-8."""
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"]).decode("utf-8", "replace")
    return value


def _latin(value: Any) -> Any:
    """Decode as ISO 8859-1."""
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"]).decode("latin-1")
    return value.encode().decode("latin-1") if isinstance(value, str) else value


def _dots_gone(view: Values, _url: str) -> Values:
    kept: list[Any] = []
    for segment in view["segments"] or []:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    return {} if view["segments"] is None else {"segments": kept}


def _split_again(view: Values, _url: str) -> Values:
    segments = view["segments"] or []
    if not all(isinstance(one, str) for one in segments) or not segments:
        return {}
    return {"segments": "/".join(segments).split("/")}


def _raw_selector(_view: Values, url: str) -> Values:
    selector = url.partition("//")[2].partition("/")[2][1:]
    return {"selector": re.split("%09", selector)[0]}


SECOND_DECODING_FAULTS = {
    "wpull-login": decodes("ftp", lambda *_: {"user": None, "password": None}),
    "php-typecode-in-name": decodes(
        "ftp",
        lambda view, url: (
            {"name": f"{view['name']}{url[url.rfind(';type=') :]}", "typecode": None}
            if view["typecode"] and isinstance(view["name"], str)
            else {}
        ),
    ),
    "urllib-first-directory": decodes(
        "ftp", lambda view, _: {"cwd": view["cwd"][1:]} if view["cwd"][:1] == [""] else {}
    ),
    "perl-anonymous": decodes("ftp", lambda view, _: {"user": "anonymous"} if view["user"] is None else {}),
    "dooble-slash-of-selector": decodes(
        "gopher",
        lambda view, _: (
            {"selector": view["selector"][1:]} if str(view["selector"] or "").startswith("/") else {}
        ),
    ),
    "overbite-selector-not-decoded": decodes("gopher", _raw_selector),
    "chatmail-address-not-decoded": decodes("mailto", lambda _, url: {"address": url.partition(":")[2]}),
    "perl-mailto-question-mark": decodes(
        "mailto",
        lambda _, url: {"address": unquote(url.partition(":")[2].partition("?")[0])} if "?" in url else {},
    ),
    "perl-news-asterisk": decodes(
        "news", lambda view, _: {"group": "*", "grouppart": None} if view["grouppart"] == "*" else {}
    ),
    "ruby-default-port": decodes(
        "", lambda view, _: {"port": view["default_port"]} if "port" in view and view["port"] is None else {}
    ),
    "node-file-slash": decodes("file", lambda _, url: None if "%2f" in url.lower() else {}),
    "node-file-host": decodes("file", lambda view, _: None if not view["local"] else {}),
    "netty-plus-in-path": decodes(
        "http",
        lambda view, _: (
            {
                "segments": _each(
                    view["segments"] or [], lambda one: one.replace("+", " ") if isinstance(one, str) else one
                )
            }
            if view["segments"]
            else {}
        ),
    ),
    "parse-qs-plus-in-search": decodes(
        "http",
        lambda view, _: (
            {"search": view["search"].replace("+", " ")} if isinstance(view["search"], str) else {}
        ),
    ),
    "unquote-replacement": decodes("", lambda view, _: _texts(view, _replaced)),
    "url-decoder-latin": decodes("", lambda view, _: _texts(view, _latin)),
    "poco-decoded-before-split": decodes("http", _split_again),
    "plug-empty-segments": decodes(
        "http",
        lambda view, _: (
            {"segments": [one for one in view["segments"] or [] if one != ""]}
            if view["segments"] is not None
            else {}
        ),
    ),
    "okhttp-dots": decodes("http", _dots_gone),
}


def _relative(question: Question) -> bool:
    embedded = question.get("embedded")
    return embedded is not None and split(text(embedded)).scheme is None


def _without_relative(question: Question, right: Reply, ask: Ask) -> Reply:
    """Ignore a relative base in the content."""
    return ask({**question, "embedded": None}) if _relative(question) else right


def _appended(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Give a relative base in the content as it is written."""
    return {"status": "ok", "base": text(question["embedded"])} if _relative(question) else right


def _with_fragment(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Keep the fragment of the base."""
    for layer in ("embedded", "encapsulating", "retrieval", "default"):
        if question.get(layer) is not None:
            fragment = split(text(question[layer])).fragment
            if right["status"] == "ok" and fragment is not None and right["base"]:
                return {"status": "ok", "base": f"{right['base'].partition('#')[0]}#{fragment}"}
            return right
    return right


def _blank_in_header(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Refuse white space inside the brackets of the header."""
    brackets = re.search("<[^>]*>", text(question.get("header") or ""))
    return REJECTED if right["status"] == "ok" and brackets and re.search(r"\s", brackets[0]) else right


SECOND_BASE_FAULTS = {
    "donsetch-relative-base": Fault(("base",), _without_relative),
    "norconex-relative-base": Fault(("base",), _appended),
    "simplepie-encapsulating": bases_without("encapsulating"),
    "rdfsharp-fragment-of-base": Fault(("base",), _with_fragment),
    "lwp-blank-in-base-header": Fault(("base",), _blank_in_header),
}
