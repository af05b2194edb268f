"""The parsers that the oracle is measured against, each where it is installed."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable
from functools import partial
from importlib import import_module, metadata
from typing import Any, NamedTuple

Call = Callable[..., object]


class Peer(NamedTuple):
    """A call of a library: what it is called in the tables, and how it is made of the loaded module.

    `silent` says that it answers None to what it accepts.
    """

    library: str
    name: str
    make: Callable[[Any], Call]
    silent: bool = False


def uncached_urlsplit() -> tuple[Call, str]:
    """`urlsplit` without its cache, and how that is gone around on this Python."""
    inner = getattr(urllib.parse.urlsplit, "__wrapped__", None)
    if inner is None:
        return urllib.parse.urlsplit, "urlsplit has no __wrapped__ here: called as it is, on distinct texts"
    return inner, "urlsplit.__wrapped__, the function inside functools.lru_cache"


URLSPLIT, HOW_UNCACHED = uncached_urlsplit()
URLJOIN = urllib.parse.urljoin
#: The least that a call of one argument costs: a function in C that does next to nothing.
FLOOR: Call = len


_COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def _validated(module: Any) -> Call:
    validator = module.validators.Validator().check_validity_of(*_COMPONENTS)
    reference = module.uri_reference
    return lambda text: validator.validate(reference(text))


def _resolved_by_rfc3986(module: Any) -> Call:
    reference = module.uri_reference
    return lambda base, text: reference(text).resolve_with(base).unsplit()


def _joined_by_yarl(module: Any) -> Call:
    url = module.URL
    return lambda base, text: url(base).join(url(text))


SPLITTING = (
    Peer("uritools", "uritools.urisplit", lambda m: m.urisplit),
    Peer("rfc3986", "rfc3986.uri_reference", lambda m: m.uri_reference),
    Peer("rfc3986", "rfc3986.uri_reference + Validator", _validated, silent=True),
    Peer("yarl", "yarl.URL", lambda m: m.URL),
    Peer("yarl", "yarl.URL(encoded=True)", lambda m: partial(m.URL, encoded=True)),
    Peer("hyperlink", "hyperlink.parse", lambda m: m.parse),
    Peer("ada-url", "ada_url.check_url", lambda m: m.check_url),
    Peer("ada-url", "ada_url.URL", lambda m: m.URL),
    Peer("ada-url", "ada_url.parse_url", lambda m: m.parse_url),
    Peer("can_ada", "can_ada.can_parse", lambda m: m.can_parse),
    Peer("can_ada", "can_ada.parse", lambda m: m.parse),
)

NORMALIZING = (
    Peer("rfc3986", "rfc3986.normalize_uri", lambda m: m.normalize_uri),
    Peer(
        "hyperlink", "hyperlink.parse, normalize", lambda m: lambda text: m.parse(text).normalize().to_text()
    ),
    Peer("ada-url", "ada_url.normalize_url", lambda m: m.normalize_url),
)

JOINING = (
    Peer("uritools", "uritools.urijoin", lambda m: m.urijoin),
    Peer("rfc3986", "rfc3986 resolve_with", _resolved_by_rfc3986),
    Peer("yarl", "yarl.URL join", _joined_by_yarl),
    Peer(
        "hyperlink",
        "hyperlink.parse, click",
        lambda m: lambda base, text: m.parse(base).click(text).to_text(),
    ),
    Peer("ada-url", "ada_url.join_url", lambda m: m.join_url),
)

_MODULES = {"ada-url": "ada_url"}
LIBRARIES = tuple(dict.fromkeys(peer.library for peer in SPLITTING))


def call(peer: Peer) -> Call | None:
    """Return the function to measure, or None if the library is not installed."""
    try:
        module = import_module(_MODULES.get(peer.library, peer.library))
        if peer.library == "rfc3986":
            import_module("rfc3986.validators")
    except ImportError:
        return None
    return peer.make(module)


def versions() -> dict[str, str | None]:
    """Return the version of each library, None where it is not installed."""
    installed: dict[str, str | None] = {}
    for library in LIBRARIES:
        try:
            installed[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            installed[library] = None
    return installed
