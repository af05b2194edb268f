"""How the parts of a URL are written in it, before they are decoded."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..texts import decoded, split


class Login(NamedTuple):
    """User and password as they are written; None is absent."""

    user: str | None
    password: str | None


def login(url: str) -> Login:
    """Return user and password; a question mark, which RFC 1738 allows in both, hides them."""
    return _login(split(url).authority or "")


def login_before_slash(url: str) -> Login:
    """Return user and password, up to the slash after the host."""
    return _login(url.partition("//")[2].partition("/")[0])


def _login(authority: str) -> Login:
    """Return user and password of an authority."""
    userinfo, at_sign, _ = authority.rpartition("@")
    user, colon, password = userinfo.partition(":")
    return Login(user if at_sign else None, password if colon else None)


def after_host(url: str) -> str:
    """Return what follows the slash after the host."""
    return url.partition("//")[2].partition("/")[2]


def names(url: str) -> list[str]:
    """Return the names of the path, without a typecode; there are none without a slash after the host."""
    return re.sub(r";type=.\Z", "", split(url).path).split("/")[1:]


def segments(url: str) -> list[str]:
    """Return the segments of the path."""
    match = re.match(r"[^:]*://[^/]*/?([^?#]*)", url)
    return match[1].split("/") if match else []


def decoded_again(names: list[Any]) -> list[Any]:
    """Return decoded names that are decoded once more, octet by octet; those that are no text stay."""
    decode = decoded("..")
    return [decode(name) if isinstance(name, str) else name for name in names]


def as_latin_1(part: Any) -> Any:
    """Decode a part as ISO 8859-1."""
    if isinstance(part, dict):
        return bytes.fromhex(part["hex"]).decode("latin-1")
    return part.encode().decode("latin-1") if isinstance(part, str) else part
