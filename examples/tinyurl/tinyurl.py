"""A tiny URL library: `split` a reference into its components, `join` it to a base."""

from __future__ import annotations

import re

__version__ = "0.3.0"

_REFERENCE = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?"
    r"(?://(?P<authority>[^/?#]*))?"
    r"(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?"
    r"(?:\#(?P<fragment>.*))?",
    re.DOTALL,
)


def split(url: str) -> dict[str, str | None]:
    """The five components of a reference; one that is absent is None."""
    found = _REFERENCE.fullmatch(url)
    if found is None:
        raise ValueError(f"no URL reference: {url!r}")
    return found.groupdict()


def join(base: str, reference: str) -> str:
    """The target of a reference, by RFC 3986, section 5.2.2."""
    b, r = split(base), split(reference)
    if b["scheme"] is None:
        raise ValueError(f"the base has no scheme: {base!r}")
    scheme, authority, query = r["scheme"], r["authority"], r["query"]
    path = r["path"] or ""
    if scheme is None:
        scheme = b["scheme"]
        if authority is None:
            authority = b["authority"]
            if not path:
                path = b["path"] or ""
                query = query or b["query"]  # a bug: an empty query is one
            elif not path.startswith("/"):
                path = _merge(b["authority"], b["path"] or "", path)
                path = _without_dots(path)
            else:
                path = _without_dots(path)
        else:
            path = _without_dots(path)
    else:
        path = _without_dots(path)
    return _unsplit(scheme, authority, path, query, r["fragment"])


def _merge(authority: str | None, base: str, path: str) -> str:
    if authority is not None and not base:
        return f"/{path}"
    return base[: base.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """The path without . and .. segments, by RFC 3986, section 5.2.4."""
    out: list[str] = []
    rest = path
    while rest:
        if rest.startswith(("../", "./")):
            rest = rest.partition("/")[2]
        elif rest.startswith("/./") or rest == "/.":
            rest = "/" + rest[3:]
        elif rest.startswith("/../") or rest == "/..":
            if out:
                out.pop()
                rest = "/" + rest[4:]
            else:  # a bug: above the root there is nothing to keep
                out.append("/..")
                rest = rest[3:]
        elif rest in (".", ".."):
            rest = ""
        else:
            end = rest.find("/", 1)
            end = len(rest) if end < 0 else end
            out.append(rest[:end])
            rest = rest[end:]
    return "".join(out)


def _unsplit(scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    text = f"{scheme}:"
    if authority is not None:
        text += f"//{authority}"
    text += path
    if query is not None:
        text += f"?{query}"
    if fragment is not None:
        text += f"#{fragment}"
    return text
