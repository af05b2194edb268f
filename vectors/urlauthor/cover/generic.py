"""Whole references of RFC 1808 to RFC 3986, and the answers to them, made from the same parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import Spec, facts

#: The text of each component, or None if the component is absent.
Texts = Mapping[str, str | None]


def authority(texts: Texts) -> str | None:
    """Return user information, host and port with their delimiters, or None if there is no host."""
    if texts["host"] is None:
        return None
    user, port = texts["userinfo"], texts["port"]
    return ("" if user is None else f"{user}@") + texts["host"] + ("" if port is None else f":{port}")


def written(texts: Texts) -> str:
    """Return the whole reference."""
    return head(texts) + tail(texts)


def head(texts: Texts) -> str:
    """Return the reference up to its path."""
    network = authority(texts)
    scheme = "" if texts["scheme"] is None else f"{texts['scheme']}:"
    return scheme + ("" if network is None else f"//{network}")


def tail(texts: Texts) -> str:
    """Return path, parameters, query and fragment."""
    marks = {"params": ";", "query": "?", "fragment": "#"}
    return (texts["path"] or "") + "".join(
        mark + text for name, mark in marks.items() if (text := texts.get(name)) is not None
    )


def fits(texts: Texts, spec: Spec) -> bool:
    """Return False if these components cannot stand together in a reference.

    A component that is not yet chosen is missing in `texts`, and does no harm.

    The conditions come from RFC 3986, sections 3.3 and 4.2, from RFC 2396, sections 3 and 5, and from RFC
    1808, section 2.2.  References that R-2396-02 and R-2396-04 leave open do not fit, either.
    """
    if not {"host", "path"} <= texts.keys():
        return _needs_host(texts)
    path, host = texts["path"] or "", texts["host"]
    if host is not None:
        swallowed = (
            facts(spec).params
            and not path
            and any(texts.get(name) is not None for name in ("params", "query"))
        )
        return (not path or path.startswith("/")) and not swallowed
    if path.startswith("//") or not _needs_host(texts):
        return False
    if "scheme" not in texts:
        return True
    if texts["scheme"] is None and ":" in path.partition("/")[0]:
        return False
    if facts(spec).opaque_parts and not path.startswith("/"):
        opaque = texts["scheme"] is not None
        return bool(path or not opaque) and (texts.get("query") is None or bool(path and not opaque))
    return True


def _needs_host(texts: Texts) -> bool:
    return (
        "host" not in texts
        or texts["host"] is not None
        or (texts.get("userinfo") is None and texts.get("port") is None)
    )


def components(texts: Texts, spec: Spec, *, registry: bool) -> dict[str, Any]:
    """Return the components with the names of the RFC.

    `registry` is true if the host is not a server.  If the RFC has registry names, an authority with such a
    host, or with an empty one, has neither user information nor host nor port (R-2396-11).
    """
    if facts(spec).params:
        names = ("scheme", "path", "params", "query", "fragment")
        return {"net_loc": authority(texts)} | {
            name: texts[name] or "" if name == "path" else texts[name] for name in names
        }
    found = {name: texts[name] for name in ("scheme", "path", "query", "fragment")}
    found |= {"authority": authority(texts), "path": texts["path"] or ""}
    unknown = facts(spec).registry_names and (registry or not texts["host"])
    return found | {name: None if unknown else texts[name] for name in AUTHORITY}


# ---- resolution: RFC 3986 section 5.2, RFC 2396 section 5.2, RFC 1808 section 4


def target(base: Texts, reference: Texts, spec: Spec) -> dict[str, str | None] | None:
    """Return the components of the target, or None if the RFC admits several targets."""
    if facts(spec).params:
        return _target_1808(base, reference)
    return _target_3986(base, reference) if facts(spec).removes_dots else _target_2396(base, reference)


def _from(one: Texts, *names: str) -> dict[str, str | None]:
    return {name: one.get(name) for name in names}


def _target_3986(base: Texts, own: Texts) -> dict[str, str | None] | None:
    path = own["path"] or ""
    if own["scheme"] is not None:
        found = {**own, "path": without_dots(path)}
    elif own["host"] is not None:
        found = {**own, "path": without_dots(path), **_from(base, "scheme")}
    else:
        kept = _from(base, "scheme", *AUTHORITY)
        if not path:
            query = base["query"] if own["query"] is None else own["query"]
            found = {**kept, "path": base["path"], "query": query}
        elif path.startswith("/"):
            found = {**kept, "path": without_dots(path), "query": own["query"]}
        else:
            merged = "/" + path if base["host"] is not None and not base["path"] else _merged(base, path)
            found = {**kept, "path": without_dots(merged), "query": own["query"]}
    found["fragment"] = own["fragment"]
    if found["host"] is None and (found["path"] or "").startswith("//"):
        return None  # R-3986-09
    return found


def _target_2396(base: Texts, own: Texts) -> dict[str, str | None] | None:
    path = own["path"] or ""
    if own["scheme"] is not None:
        return dict(own)
    if own["host"] is not None:
        return {**own, **_from(base, "scheme")}
    kept = {**own, **_from(base, "scheme", *AUTHORITY)}
    if path.startswith("/"):
        return kept
    if not base["path"] or (not path and own["query"] is None):
        return None  # R-2396-17, R-2396-06
    segments = without_dots_1808(_merged(base, path))
    if segments == "/.." or segments.startswith(("/../", "//")):
        return None  # R-2396-18, R-2396-32
    return {**kept, "path": segments}


def _target_1808(base: Texts, own: Texts) -> dict[str, str | None] | None:
    path = own["path"] or ""
    if own["scheme"] is not None:
        return dict(own)
    if own["host"] is not None:
        return {**own, **_from(base, "scheme")} if authority(own) else None  # R-1808-06
    kept = {**own, **_from(base, "scheme", *AUTHORITY)}
    if path.startswith("/"):
        return kept
    if not base["path"]:
        return None  # R-1808-13
    if path:
        found = without_dots_1808(_merged(base, path))
        return None if found.startswith("//") else {**kept, "path": found}
    kept["path"] = base["path"]
    if own["params"] is None:
        kept["params"] = base["params"]
        if own["query"] is None:
            kept["query"] = base["query"]
    return kept


def _merged(base: Texts, path: str) -> str:
    return "/".join([*(base["path"] or "").split("/")[:-1], path])


def without_dots(path: str) -> str:
    """Return a path without dot segments, by RFC 3986, section 5.2.4, on a list of segments.

    The first segment of a rootless path is kept without a slash.  If a `..` removes this segment, the slash
    after it remains.
    """
    rootless = path.split("/")
    while rootless[0] in (".", ".."):
        del rootless[0]
        if not rootless:
            return ""
        if rootless == [""]:
            return ""
        if rootless[0] == "":
            return without_dots("/".join(rootless))
    first, *rest = rootless
    kept = [first] if first else []
    for place, segment in enumerate(rest, 1):
        if segment == "..":
            del kept[-1:]
        if segment not in (".", ".."):
            kept.append(f"/{segment}")
        elif place == len(rest):
            kept.append("/")
    return "".join(kept)


def without_dots_1808(path: str) -> str:
    """Return a path after step 6 of RFC 1808, section 4, and of RFC 2396, section 5.2, on a list of segments.

    A `..` without a segment before it is kept.
    """
    root = "/" if path.startswith("/") else ""
    *inner, last = path.removeprefix("/").split("/")
    kept: list[str] = []
    for segment in inner:
        if segment == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif segment != ".":
            kept.append(segment)
    if last == ".." and kept and kept[-1] != "..":
        kept.pop()
        last = ""
    return root + "/".join([*kept, "" if last == "." else last])
