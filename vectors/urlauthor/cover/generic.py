"""Whole references of RFC 1808 to RFC 3986, and the answers to them, made from the same parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import Spec, facts

#: The text of each component, or None if the component is absent.
Texts = Mapping[str, str | None]

#: The delimiters before the components that follow the path.
_MARKS = {"params": ";", "query": "?", "fragment": "#"}


def authority(texts: Texts) -> str | None:
    """Return user information, host and port with their delimiters, or None if there is no host."""
    if texts["host"] is None:
        return None
    userinfo = "" if texts["userinfo"] is None else f"{texts['userinfo']}@"
    port = "" if texts["port"] is None else f":{texts['port']}"
    return f"{userinfo}{texts['host']}{port}"


def whole_text(texts: Texts) -> str:
    """Return the reference that the texts of these components make."""
    return text_before_path(texts) + text_from_path(texts)


def text_before_path(texts: Texts) -> str:
    """Return scheme and authority with their delimiters."""
    network = authority(texts)
    scheme = "" if texts["scheme"] is None else f"{texts['scheme']}:"
    return scheme if network is None else f"{scheme}//{network}"


def text_from_path(texts: Texts) -> str:
    """Return the text of path, parameters, query and fragment, without those that are absent."""
    text = texts["path"] or ""
    for name, mark in _MARKS.items():
        component = texts.get(name)
        if component is not None:
            text += mark + component
    return text


def fits(texts: Texts, spec: Spec) -> bool:
    """Return False if these components cannot stand together in a reference.

    A component that is not yet chosen is missing in `texts`, and does no harm.

    The conditions come from RFC 3986, sections 3.3 and 4.2, from RFC 2396, sections 3 and 5, and from RFC
    1808, section 2.2.  References that R-2396-02 and R-2396-04 leave open do not fit, either.
    """
    if not {"host", "path"} <= texts.keys():
        return _has_host_if_needed(texts)
    path = texts["path"] or ""
    if texts["host"] is not None:
        return _fits_after_host(path, texts, spec)
    if path.startswith("//") or not _has_host_if_needed(texts):
        return False
    if "scheme" not in texts:
        return True
    if texts["scheme"] is None and ":" in path.partition("/")[0]:
        return False
    if facts(spec).opaque_parts and not path.startswith("/"):
        has_query = texts.get("query") is not None
        if texts["scheme"] is None:
            return bool(path) or not has_query
        return bool(path) and not has_query  # in an opaque part, a question mark begins no query
    return True


def _has_host_if_needed(texts: Texts) -> bool:
    """Return False if user information or a port has no host, which may not be chosen yet."""
    if "host" not in texts or texts["host"] is not None:
        return True
    return texts.get("userinfo") is None and texts.get("port") is None


def _fits_after_host(path: str, texts: Texts, spec: Spec) -> bool:
    """Return False if path, parameters and query cannot follow an authority."""
    if path:
        return path.startswith("/")
    # in RFC 1808, a network location without a path contains the semicolon or question mark after it
    ends_at_slash = facts(spec).params
    return not ends_at_slash or (texts.get("params") is None and texts.get("query") is None)


def components(texts: Texts, spec: Spec, *, registry: bool) -> dict[str, Any]:
    """Return the components with the names of the RFC.

    `registry` is true if the host is not a server.  If the RFC has registry names, an authority with such a
    host, or with an empty one, has neither user information nor host nor port (R-2396-11).
    """
    path = texts["path"] or ""
    if facts(spec).params:
        names = ("params", "query", "fragment")
        rest = {name: texts[name] for name in names}
        return {"net_loc": authority(texts), "scheme": texts["scheme"], "path": path, **rest}
    network: dict[str, str | None] = {name: texts[name] for name in AUTHORITY}
    if facts(spec).registry_names and (registry or not texts["host"]):
        network = dict.fromkeys(AUTHORITY)
    return {
        "scheme": texts["scheme"],
        "path": path,
        "query": texts["query"],
        "fragment": texts["fragment"],
        "authority": authority(texts),
        **network,
    }


# ---- resolution: RFC 3986 section 5.2, RFC 2396 section 5.2, RFC 1808 section 4


def target(base: Texts, reference: Texts, spec: Spec) -> dict[str, str | None] | None:
    """Return the components of the target, or None if the RFC admits several targets."""
    if facts(spec).params:
        return _target_1808(base, reference)
    if facts(spec).removes_dots:
        return _target_3986(base, reference)
    return _target_2396(base, reference)


def _inherited(base: Texts, *names: str) -> dict[str, str | None]:
    """Return the components with these names that a target takes from the base, or None for absent ones."""
    return {name: base.get(name) for name in names}


def _target_3986(base: Texts, reference: Texts) -> dict[str, str | None] | None:
    """Return the target by section 5.2.2, or None if its path would be read as an authority."""
    path = reference["path"] or ""
    resolved = dict(reference)
    if reference["scheme"] is None:
        resolved |= _inherited(base, "scheme")
    inherits_network = reference["scheme"] is None and reference["host"] is None
    if inherits_network:
        resolved |= _inherited(base, *AUTHORITY)
    if not inherits_network or path.startswith("/"):
        resolved["path"] = without_dots(path)
    elif path:
        is_bare = base["host"] is not None and not base["path"]
        merged = f"/{path}" if is_bare else _merged(base, path)
        resolved["path"] = without_dots(merged)
    else:
        resolved["path"] = base["path"]
        if reference["query"] is None:
            resolved["query"] = base["query"]
    if resolved["host"] is None and (resolved["path"] or "").startswith("//"):
        return None  # R-3986-09
    return resolved


def _target_2396(base: Texts, reference: Texts) -> dict[str, str | None] | None:
    """Return the target by section 5.2, or None where rulings admit several."""
    path = reference["path"] or ""
    if reference["scheme"] is not None:
        return dict(reference)
    if reference["host"] is not None:
        return {**reference, **_inherited(base, "scheme")}
    resolved = {**reference, **_inherited(base, "scheme", *AUTHORITY)}
    if path.startswith("/"):
        return resolved
    if not base["path"] or (not path and reference["query"] is None):
        return None  # R-2396-17, R-2396-06
    merged = without_dots_1808(_merged(base, path))
    if merged == "/.." or merged.startswith(("/../", "//")):
        return None  # R-2396-18, R-2396-32
    return {**resolved, "path": merged}


def _target_1808(base: Texts, reference: Texts) -> dict[str, str | None] | None:
    """Return the target by section 4, or None where rulings admit several."""
    path = reference["path"] or ""
    if reference["scheme"] is not None:
        return dict(reference)
    if reference["host"] is not None:
        if not authority(reference):
            return None  # R-1808-06
        return {**reference, **_inherited(base, "scheme")}
    resolved = {**reference, **_inherited(base, "scheme", *AUTHORITY)}
    if path.startswith("/"):
        return resolved
    if not base["path"]:
        return None  # R-1808-13
    if path:
        merged = without_dots_1808(_merged(base, path))
        return None if merged.startswith("//") else {**resolved, "path": merged}
    resolved["path"] = base["path"]
    if reference["params"] is None:
        resolved["params"] = base["params"]
        if reference["query"] is None:
            resolved["query"] = base["query"]
    return resolved


def _merged(base: Texts, path: str) -> str:
    """Return the path of the base with the path of the reference in place of its last segment."""
    directory = (base["path"] or "").split("/")[:-1]
    return "/".join([*directory, path])


def has_dots(path: str) -> bool:
    """Return True if a path has dot segments."""
    return not {".", ".."}.isdisjoint(path.split("/"))


def without_dots(path: str) -> str:
    """Return a path without dot segments, by RFC 3986, section 5.2.4, on a list of segments.

    The first segment of a rootless path is kept without a slash.  If a `..` removes this segment, the slash
    after it remains.
    """
    segments = path.split("/")
    while segments[0] in (".", ".."):
        del segments[0]
        if segments in ([], [""]):
            return ""
        if segments[0] == "":
            return without_dots("/".join(segments))
    first, *later = segments
    output = [first] if first else []
    for number, segment in enumerate(later, 1):
        if segment == "..":
            del output[-1:]
        if segment not in (".", ".."):
            output.append(f"/{segment}")
        elif number == len(later):
            output.append("/")
    return "".join(output)


def without_dots_1808(path: str) -> str:
    """Return a path after step 6 of RFC 1808, section 4, and of RFC 2396, section 5.2, on a list of segments.

    A `..` without a segment before it is kept.
    """
    root = "/" if path.startswith("/") else ""
    *inner, last = path.removeprefix("/").split("/")
    output: list[str] = []
    for segment in inner:
        if segment == ".." and output and output[-1] != "..":
            output.pop()
        elif segment != ".":
            output.append(segment)
    if last == ".." and output and output[-1] != "..":
        output.pop()
        last = ""
    if last == ".":
        last = ""
    return root + "/".join([*output, last])
