"""Replies of libraries in short, and questions with the answers that the RFC gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ACCEPT: Mapping[str, Any] = {"status": "ok"}
REJECT: Mapping[str, Any] = {"status": "reject"}
CRASH: Mapping[str, Any] = {}

BASE = "http://a/b/c/d;p?q"


def shows(**components: str | None) -> Mapping[str, Any]:
    """Return a reply with these components and no others."""
    return {"status": "ok", "components": components}


def parts(
    scheme: str | None = None, host: str | None = None, path: str = "", **others: str
) -> Mapping[str, Any]:
    """Return a reply with all seven components of RFC 3986; those that are not given are absent."""
    absent = dict.fromkeys(("userinfo", "port", "query", "fragment"))
    return shows(**{"scheme": scheme, "host": host, "path": path, **absent, **others})


def url(text: str) -> Mapping[str, Any]:
    """Return a reply with a URL."""
    return {"status": "ok", "url": text}


def expected(*replies: Mapping[str, Any]) -> dict[str, Any]:
    """Return the expectation that these replies meet, the recommended one first."""
    recommended, *others = [_expected(reply) for reply in replies]
    if not others:
        return recommended
    return {"any": [recommended, *({**kind, "variant": "x"} for kind in others)]}


def _expected(reply: Mapping[str, Any]) -> dict[str, Any]:
    if "components" in reply:
        return {"components": reply["components"]}
    return {"result": reply["url"]} if "url" in reply else {"valid": reply["status"] == "ok"}
