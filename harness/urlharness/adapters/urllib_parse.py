"""Adapter for Python's `urllib.parse`: urlsplit, urljoin, urlunsplit, and for RFC 1808 their six-part kin."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin, urlparse, urlsplit, urlunparse, urlunsplit

Question = Mapping[str, Any]


Answer = dict[str, Any]


# the rules that stand for a whole URL or reference; of any other rule the library has no notion
_REFERENCES = {"URL", "URI-reference"}


_ABSOLUTE = {"url", "genericurl", "otherurl", "absoluteURL", "absoluteURI", "URI", "absolute-URI"}


_RELATIVE = {"relativeURL", "relativeURI", "relative-ref"}


_WITH_FRAGMENT = {"URL", "URI-reference", "URI", "relative-ref"}


_SCHEMES = {
    f"{scheme}url": scheme
    for scheme in ("http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero")
}


_DEFAULT = {"rfc1738": "url", "rfc1808": "URL"}


def hello() -> Answer:
    """What the standard library says of its module: it follows RFC 3986, and the older ones before it."""
    return {
        "type": "hello",
        "protocol": 1,
        "implementation": {
            "name": "urllib.parse",
            "version": platform.python_version(),
            "language": "python",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}",
        },
        "ops": ["validate", "parse", "resolve", "recompose"],
        "specs": ["rfc1808", "rfc2396", "rfc2732", "rfc3986"],
        "components": [
            "scheme",
            "net_loc",
            "userinfo",
            "host",
            "port",
            "path",
            "params",
            "query",
            "fragment",
        ],
        # an absent component and an empty one both come out as ""
        "features": ["validate-by-parse"],
        "window": 64,
    }


def answer(question: Question) -> Answer:
    """The library's reply to one question, without its id."""
    operation = _OPERATIONS.get(question["op"])
    if operation is None:
        return {"status": "unsupported", "message": f"urllib.parse has no {question['op']}"}
    if any(isinstance(question.get(name), Mapping) for name in ("url", "base", "reference")):
        return {"status": "unsupported", "message": "the functions for text take no octets"}
    try:
        return operation(question)
    except ValueError as error:
        return {"status": "reject", "message": str(error)}


def _validate(question: Question) -> Answer:
    """Accepted where splitting raises nothing, with the kind of reference that the rule calls for."""
    rule = question.get("rule") or _DEFAULT.get(question["spec"], "URI-reference")
    if rule not in _REFERENCES | _ABSOLUTE | _RELATIVE | _SCHEMES.keys():
        return {"status": "unsupported", "message": f"it does not parse {rule} by itself"}
    parts = urlsplit(question["url"])
    _ = parts.port  # it is checked when it is read
    if rule in _ABSOLUTE and not parts.scheme:
        return {"status": "reject", "message": "no scheme"}
    if rule in _RELATIVE and parts.scheme:
        return {"status": "reject", "message": "it has a scheme"}
    if rule not in _WITH_FRAGMENT and "#" in question["url"]:
        return {"status": "reject", "message": "it has a fragment"}
    if rule in _SCHEMES and parts.scheme != _SCHEMES[rule]:
        return {"status": "reject", "message": f"the scheme is {parts.scheme!r}"}
    return {"status": "ok"}


def _parse(question: Question) -> Answer:
    if question["spec"] == "rfc1738":
        return {"status": "ok", "components": _components_1738(question["url"])}
    if question["spec"] == "rfc1808":
        six = urlparse(question["url"])
        names = ("scheme", "net_loc", "path", "params", "query", "fragment")
        return {"status": "ok", "components": dict(zip(names, six, strict=True))}
    parts = urlsplit(question["url"])
    userinfo, at, _ = parts.netloc.rpartition("@")
    components = {
        "scheme": parts.scheme,
        "authority": parts.netloc,
        "userinfo": userinfo if at else None,
        "host": _host(parts.hostname),
        "port": _port(parts.port),
        "path": parts.path,
        "query": parts.query,
        "fragment": parts.fragment,
    }
    return {"status": "ok", "components": components}


def _components_1738(text: str) -> dict[str, str | None]:
    """What of the components of RFC 1738 the library has: the login, and the path of http, ftp and file."""
    parts = urlsplit(text)
    found: dict[str, str | None] = {
        "scheme": parts.scheme,
        "user": parts.username,
        "password": parts.password,
        "host": _host(parts.hostname),
        "port": _port(parts.port),
    }
    path = parts.path.removeprefix("/") if parts.path else None
    if parts.scheme == "http":
        found |= {"hpath": path, "search": parts.query}
    elif parts.scheme in ("ftp", "file"):
        found["fpath"] = path
    return found


def _host(hostname: str | None) -> str | None:
    """The host; `hostname` leaves out the brackets of an IP literal."""
    return f"[{hostname}]" if hostname is not None and ":" in hostname else hostname


def _port(port: int | None) -> str | None:
    return None if port is None else str(port)


def _resolve(question: Question) -> Answer:
    return {"status": "ok", "url": urljoin(question["base"], question["reference"])}


def _recompose(question: Question) -> Answer:
    parts = {name: value or "" for name, value in question["components"].items()}
    if question["spec"] == "rfc1738":
        return {"status": "unsupported", "message": "it does not know the parts of the schemes"}
    if question["spec"] == "rfc1808":
        names = ("scheme", "net_loc", "path", "params", "query", "fragment")
        return {"status": "ok", "url": urlunparse([parts.get(name, "") for name in names])}
    five = ("scheme", "authority", "path", "query", "fragment")
    return {"status": "ok", "url": urlunsplit([parts.get(name, "") for name in five])}


_OPERATIONS: Mapping[str, Callable[[Question], Answer]] = {
    "validate": _validate,
    "parse": _parse,
    "resolve": _resolve,
    "recompose": _recompose,
}
