"""Normal forms by lists of triplets and segments: RFC 3986, section 6.2, and RFC 2396, section 6."""

from __future__ import annotations

import string

from ...generate.independent_resolution import (  # noqa: TID252 - tests are not an installed package
    Parts,
    join,
    remove_dot_segments,
)
from .components import components

#: RFC 1738, sections 3.2 to 3.11: the other schemes have no port (R-3986-32, R-2396-27).
PORTS = {
    "ftp": "21",
    "http": "80",
    "gopher": "70",
    "nntp": "119",
    "telnet": "23",
    "wais": "210",
    "prospero": "1525",
}

UNRESERVED = {
    "rfc2396": string.ascii_letters + string.digits + "-_.!~*'()",  # section 2.3
    "rfc3986": string.ascii_letters + string.digits + "-._~",  # section 2.3
}
UNRESERVED["rfc2732"] = UNRESERVED["rfc2396"]


def normal_form(text: str, spec: str, mode: str) -> str:
    """Return the recommended normal form of a valid text, in mode `syntax` or `scheme`."""
    parts = components(text, spec, "URI-reference")
    if spec == "rfc3986":
        for name in ("userinfo", "host", "path", "query", "fragment"):
            parts[name] = _triplets(parts[name], spec)
    parts["scheme"], parts["host"] = _lower(parts["scheme"]), _lower(parts["host"])
    if spec == "rfc3986" and parts["scheme"] is not None:  # R-3986-37
        parts["path"] = remove_dot_segments(parts["path"])
    if mode == "scheme":
        _scheme_based(parts, spec)
    if spec == "rfc3986" and parts["authority"] is None and parts["path"].startswith("//"):  # R-3986-09
        parts["path"] = "/." + parts["path"]
    if parts["host"] is not None:
        user = "" if parts["userinfo"] is None else parts["userinfo"] + "@"
        parts["authority"] = user + parts["host"] + ("" if parts["port"] is None else ":" + parts["port"])
    return join(Parts(**{name: parts.get(name) for name in Parts._fields}))


def _scheme_based(parts: dict[str, object], spec: str) -> None:
    """Change what RFC 3986, section 6.2.3, or RFC 2396, sections 2.4.2 and 6, says of the scheme.

    RFC 2396 speaks of no other port than the default (R-2396-27).
    """
    scheme = parts["scheme"]
    port = parts["port"]
    if port and spec == "rfc3986":  # R-3986-45: the value counts
        port = port.lstrip("0") or "0"
    if port is not None and port == PORTS.get(scheme):
        parts["port"] = None
    if spec != "rfc3986" and scheme == "http":  # section 2.4.2, R-2396-26
        parts["path"] = _triplets(parts["path"], spec)
    if spec != "rfc3986" or scheme is None:
        return
    if port == "":  # R-3986-20
        parts["port"] = None
    if parts["authority"] is not None and not parts["path"]:  # R-3986-21
        parts["path"] = "/"
    server = (parts["userinfo"], parts["host"], parts["port"])
    if scheme == "file" and server == (None, "localhost", None):  # R-3986-30
        parts["host"] = ""
    if scheme == "file" and parts["authority"] is None and parts["path"].startswith("/"):  # section 3.2.2
        parts["authority"] = parts["host"] = ""
    if scheme == "mailto":
        first, *others = parts["path"].split("@")
        parts["path"] = "@".join([first, *map(_mail_domain, others)])


def _mail_domain(text: str) -> str:
    """Return the rest of a list of mail addresses after an `@`, with the domain in lower case."""
    domain, comma, rest = text.partition(",")
    return _lower(domain) + comma + rest


def _lower(text: str | None) -> str | None:
    """Return the text in lower case, without a change of its triplets (R-3986-17)."""
    if text is None:
        return None
    first, *others = text.split("%")
    return "%".join([first.lower(), *(escape[:2] + escape[2:].lower() for escape in others)])


def _triplets(text: str | None, spec: str) -> str | None:
    """Return the text after one pass over its triplets, which decodes unreserved characters (R-3986-16).

    RFC 3986 writes the others in capitals.
    """
    if text is None:
        return None
    first, *others = text.split("%")
    return first + "".join(_decoded(escape[:2], spec) + escape[2:] for escape in others)


def _decoded(digits: str, spec: str) -> str:
    char = chr(int(digits, 16))
    if char in UNRESERVED[spec]:
        return char
    return f"%{digits.upper() if spec == 'rfc3986' else digits}"
