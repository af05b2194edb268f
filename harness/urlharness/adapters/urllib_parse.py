"""The adapter for `urllib.parse`. It calls urlsplit, urljoin and urlunsplit.

For RFC 1808, it calls urlparse and urlunparse instead of urlsplit and urlunsplit.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, urljoin, urlparse, urlsplit, urlunparse, urlunsplit

from urlharness.corpus.specifications import SPECS
from urlharness.protocol.messages import QuestionDict, ReplyDict

_COMPONENTS = ("scheme", "net_loc", "userinfo", "host", "port", "path", "params", "query", "fragment")
#: The components of urlparse and urlunparse, and those of urlsplit and urlunsplit.
_RFC1808_COMPONENTS = ("scheme", "net_loc", "path", "params", "query", "fragment")
_LATER_COMPONENTS = ("scheme", "authority", "path", "query", "fragment")

# the rules for a whole URL or reference; the library cannot parse texts of other rules
_REFERENCES = {"URL", "URI-reference"}
_ABSOLUTE = {"url", "genericurl", "otherurl", "absoluteURL", "absoluteURI", "URI", "absolute-URI"}
_RELATIVE = {"relativeURL", "relativeURI", "relative-ref"}
_WITH_FRAGMENT = {"URL", "URI-reference", "URI", "relative-ref"}
_SCHEMES = {
    f"{scheme}url": scheme
    for scheme in ("http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero")
}
_DEFAULT_RULES = {"rfc1738": "url", "rfc1808": "URL"}


def hello() -> ReplyDict:
    """Return the hello. It claims the RFCs that the documentation of `urllib.parse` names."""
    version = platform.python_version()
    implementation = {
        "name": "urllib.parse",
        "version": version,
        "language": "python",
        "runtime": f"{platform.python_implementation()} {version}",
    }
    return {
        "type": "hello",
        "protocol": 1,
        "implementation": implementation,
        "ops": ["validate", "parse", "resolve", "recompose"],
        "specs": ["rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"],
        "components": list(_COMPONENTS),
        # it does not claim absent-vs-empty, because an absent and an empty component are both ""
        "features": ["validate-by-parse"],
        "window": 64,
    }


def answer(question: QuestionDict) -> ReplyDict:
    """Return the reply to a question, without its id."""
    operation = _OPERATIONS.get(question["op"])
    if operation is None:
        return {"status": "unsupported", "message": f"urllib.parse has no {question['op']}"}
    if question["spec"] not in SPECS:
        return {"status": "unsupported", "message": f"unknown specification {question['spec']}"}
    if any(isinstance(question.get(name), Mapping) for name in ("url", "base", "reference")):
        return {"status": "unsupported", "message": "the functions take text, not bytes"}
    try:
        return operation(question)
    except ValueError as error:
        return {"status": "reject", "message": str(error)}


def _validate(question: QuestionDict) -> ReplyDict:
    """Accept a text if urlsplit accepts it, and if it is the kind of reference that the rule requires."""
    rule = question.get("rule") or _DEFAULT_RULES.get(question["spec"], "URI-reference")
    if rule not in _REFERENCES | _ABSOLUTE | _RELATIVE | _SCHEMES.keys():
        return {"status": "unsupported", "message": f"it does not parse the rule {rule}"}
    parts = urlsplit(question["url"])
    _ = parts.port  # raises ValueError if the port is invalid
    if rule in _ABSOLUTE and not parts.scheme:
        return {"status": "reject", "message": "no scheme"}
    if rule in _RELATIVE and parts.scheme:
        return {"status": "reject", "message": "it has a scheme"}
    if rule not in _WITH_FRAGMENT and "#" in question["url"]:
        return {"status": "reject", "message": "it has a fragment"}
    if rule in _SCHEMES and parts.scheme != _SCHEMES[rule]:
        return {"status": "reject", "message": f"the scheme is {parts.scheme!r}"}
    return {"status": "ok"}


def _parse(question: QuestionDict) -> ReplyDict:
    """Return the components under the names of the RFC."""
    components_of = {"rfc1738": _rfc1738_components, "rfc1808": _rfc1808_components}
    split = components_of.get(question["spec"], _later_components)
    return {"status": "ok", "components": split(question["url"])}


def _later_components(text: str) -> dict[str, str | None]:
    """Return the components of RFC 2396 and RFC 3986."""
    parts = urlsplit(text)
    userinfo, at, _ = parts.netloc.rpartition("@")
    return {
        "scheme": parts.scheme,
        "authority": parts.netloc,
        "userinfo": userinfo if at else None,
        "host": _host(parts),
        "port": _port(parts.port),
        "path": parts.path,
        "query": parts.query,
        "fragment": parts.fragment,
    }


def _rfc1808_components(text: str) -> dict[str, str | None]:
    return dict(zip(_RFC1808_COMPONENTS, urlparse(text), strict=True))


def _rfc1738_components(text: str) -> dict[str, str | None]:
    """Return the RFC 1738 components that urllib exposes.

    These are the scheme, user, password, host and port of every URL, the path of http, ftp and file URLs, and
    the search part of http URLs.
    """
    parts = urlsplit(text)
    components: dict[str, str | None] = {
        "scheme": parts.scheme,
        "user": parts.username,
        "password": parts.password,
        "host": _host(parts),
        "port": _port(parts.port),
    }
    path = parts.path.removeprefix("/") if parts.path else None
    if parts.scheme == "http":
        components["hpath"] = path
        components["search"] = parts.query
    elif parts.scheme in ("ftp", "file"):
        components["fpath"] = path
    return components


def _host(parts: SplitResult) -> str | None:
    """Return the host with the brackets that it has in the netloc. The attribute `hostname` omits them."""
    host_and_port = parts.netloc.rpartition("@")[2]
    if parts.hostname and host_and_port.startswith("["):
        return f"[{parts.hostname}]"
    return parts.hostname


def _port(port: int | None) -> str | None:
    return None if port is None else str(port)


def _resolve(question: QuestionDict) -> ReplyDict:
    return {"status": "ok", "url": urljoin(question["base"], question["reference"])}


def _recompose(question: QuestionDict) -> ReplyDict:
    """Return the text of components by the function of the RFC, if there is one."""
    # the functions that join take "" for an absent component
    texts = {name: text or "" for name, text in question["components"].items()}
    if question["spec"] == "rfc1738":
        return {"status": "unsupported", "message": "it cannot recompose RFC 1738 components"}
    if question["spec"] == "rfc1808":
        url = urlunparse([texts.get(name, "") for name in _RFC1808_COMPONENTS])
    else:
        url = urlunsplit([texts.get(name, "") for name in _LATER_COMPONENTS])
    return {"status": "ok", "url": url}


_OPERATIONS: Mapping[str, Callable[[QuestionDict], ReplyDict]] = {
    "validate": _validate,
    "parse": _parse,
    "resolve": _resolve,
    "recompose": _recompose,
}
