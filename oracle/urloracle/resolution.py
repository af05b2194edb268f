"""Reference resolution: RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2.

Each algorithm takes the split base and reference and gives the recommended target first, then every other
result that the RFC or a ruling admits, each with the ruling that says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

from urloracle.components import URI, RelativeURL
from urloracle.recomposition import recompose_rfc1808, recompose_uri


class Alternative(NamedTuple):
    """Another admissible result: its text (None: to refuse the reference), its name, and the ruling."""

    text: str | None
    variant: str
    ruling: str


class Resolution(NamedTuple):
    """The recommended target, the other admissible ones, and whether it is the same document (R-2396-06)."""

    text: str
    also: tuple[Alternative, ...] = ()
    same_document: bool = False


class UnsuitableBase(ValueError):
    """A base against which this kind of reference cannot be resolved (R-2396-21)."""


# RFC 1808, section 4


def resolve_rfc1808(
    base: RelativeURL, reference: RelativeURL, base_text: str, reference_text: str
) -> Resolution:
    """RFC 1808, section 4, steps 2 to 7; step 1, the unknown base, is the caller's."""
    if not reference_text:  # step 2a: the whole base, its fragment included (R-1808-12)
        return Resolution(base_text)
    if reference.scheme is not None:  # step 2b: verbatim (R-1808-09)
        return Resolution(reference_text)
    target = _transform_rfc1808(base, reference, _rooted(base))
    text, *also = _shapes_rfc1808(target)
    if reference.net_loc == "" and base.net_loc is None:  # nothing to inherit: stays as empty as it was
        also += _shapes_rfc1808(target._replace(net_loc=""))
    if reference_text == "#":  # a reference that is empty but for its delimiter
        also.append(Alternative(base_text.partition("#")[0] + "#", "delimiter-kept", "R-1808-11"))
        also.append(Alternative(base_text, "whole-base", "R-1808-11"))
    literal = _transform_rfc1808(base, reference, base.path)
    for shape in _shapes_rfc1808(literal)[:1]:
        also.append(Alternative(shape.text, "literal", "R-1808-13"))
    assert text.text is not None  # the recommended shape is a text
    return Resolution(text.text, _distinct(text.text, also))


def _transform_rfc1808(base: RelativeURL, reference: RelativeURL, base_path: str) -> RelativeURL:
    """Steps 2c to 6; `base_path` is what a relative path is appended to."""
    target = reference._replace(scheme=base.scheme)  # step 2c
    if reference.net_loc:  # step 3: non-empty
        return target
    target = target._replace(net_loc=base.net_loc)  # empty inherits as absent does (R-1808-06)
    if reference.path.startswith("/"):  # step 4
        return target
    if reference.path:  # step 6
        return target._replace(path=remove_dots(_directory(base_path) + reference.path))
    if reference.params:  # step 5a: only what is not empty stands in the way (R-1808-10)
        return target._replace(path=base_path)
    if reference.query:  # step 5b
        return target._replace(path=base_path, params=base.params)
    return target._replace(path=base.path, params=base.params, query=base.query)


def _rooted(base: RelativeURL | URI) -> str:
    """The path that relative paths are appended to: the slash that ends a network location or authority is
    put in front of an empty path, where the letter of the text would name another host (R-1808-13,
    R-2396-17, RFC 3986 section 5.2.3).
    """
    location = base.net_loc if isinstance(base, RelativeURL) else base.authority
    return "/" if location is not None and not base.path else base.path


def _shapes_rfc1808(target: RelativeURL) -> list[Alternative]:
    """The target recombined (step 7) without the delimiters of empty components, then with some of them.

    An empty network location keeps its slashes in the first shape (R-1808-22), the others lose theirs
    (R-1808-09); section 2.4 calls empty and absent the same, so every choice is admissible.
    """
    empty = [name for name in ("params", "query", "fragment") if getattr(target, name) == ""]
    shapes = []
    for kept in product((False, True), repeat=len(empty)):
        dropped: dict[str, Any] = {name: None for name, keep in zip(empty, kept, strict=True) if not keep}
        shape = target._replace(**dropped)
        shapes.append(Alternative(recompose_rfc1808(shape), "delimiter-kept", "R-1808-09"))
        if shape.net_loc == "" and not shape.path.startswith("//"):
            merged = recompose_rfc1808(shape._replace(net_loc=None))
            shapes.append(Alternative(merged, "net-loc-dropped", "R-1808-22"))
    return shapes


# RFC 2396, section 5.2


# the schemes of RFC 1738 that are written with a double slash, and https
_ALWAYS_HIERARCHICAL = frozenset(
    ("http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "file", "prospero")
)


def resolve_rfc2396(base: URI, reference: URI, reference_text: str) -> Resolution:
    """RFC 2396, section 5.2; raises UnsuitableBase for an opaque base that the reference would need."""
    opaque = base.authority is None and not base.path.startswith("/")
    if _is_same_document(reference):  # step 2
        document = base._replace(fragment=reference.fragment)
        return Resolution(recompose_uri(document), same_document=True)
    if reference.scheme is None:
        if opaque and reference.authority is None:
            raise UnsuitableBase("no path in an opaque base to be relative to")
        return _transform_rfc2396(base, reference)
    also: list[Alternative] = []  # step 3, and its loophole
    known = (base.scheme or "").lower() in _ALWAYS_HIERARCHICAL
    if known and not opaque and _same_scheme(base, reference):
        loophole = _transform_rfc2396(base, reference._replace(scheme=None))
        also = [Alternative(loophole.text, "loophole", "R-2396-07"), *loophole.also]
    return Resolution(reference_text, _distinct(reference_text, also))


def _is_same_document(reference: URI) -> bool:
    return not reference.path and (reference[0], reference.authority, reference.query) == (None,) * 3


def _transform_rfc2396(base: URI, reference: URI) -> Resolution:
    target = reference._replace(scheme=base.scheme)
    if reference.authority is not None:  # step 4
        return Resolution(recompose_uri(target))
    target = target._replace(authority=base.authority)
    if reference.path.startswith("/"):  # step 5: its dots are kept (R-2396-19)
        return Resolution(recompose_uri(target))
    path = remove_dots(_directory(_rooted(base)) + reference.path)  # step 6, a to f
    text = recompose_uri(target._replace(path=path))
    also: list[Alternative] = []
    within = _without_excess(path)  # step 6g
    if within != path:
        dropped = recompose_uri(target._replace(path=within))
        also.append(Alternative(dropped, "excess-dropped", "R-2396-18"))
        also.append(Alternative(None, "error", "R-2396-18"))
    literal = remove_dots(_directory(base.path) + reference.path)
    also.append(Alternative(recompose_uri(target._replace(path=literal)), "literal", "R-2396-17"))
    return Resolution(text, _distinct(text, also))


def _without_excess(path: str) -> str:
    """The path without the `..` segments that follow its initial slash."""
    segments = path.removeprefix("/").split("/")
    while segments and segments[0] == "..":
        del segments[0]
    return "/" + "/".join(segments) if path.startswith("/") else path


def remove_dots(path: str) -> str:
    """RFC 1808, section 4, step 6, a to d, and RFC 2396, section 5.2, step 6, c to f.

    Dot segments are removed; a `..` with no segment to remove is kept (R-1808-14).  The slash before the path
    is not preceded by a segment, and an empty segment is one like any other (R-1808-16, R-2396-20).
    """
    slash = "/" if path.startswith("/") else ""
    *inner, last = path[len(slash) :].split("/")
    kept: list[str] = []
    for segment in inner:
        if segment == "..":
            _remove_or_keep(kept)
        elif segment != ".":
            kept.append(segment)
    if last == "..":
        last = "" if _remove_or_keep(kept) else kept.pop()
    elif last == ".":
        last = ""
    return slash + "/".join([*kept, last])


def _remove_or_keep(kept: list[str]) -> bool:
    """Apply one `..`: take away the segment before it and say so, or keep it among the segments."""
    if kept and kept[-1] != "..":
        kept.pop()
        return True
    kept.append("..")
    return False


# RFC 3986, section 5.2


def resolve_rfc3986(base: URI, reference: URI) -> Resolution:
    """RFC 3986, section 5.2, strict; what a non-strict parser or a normalized base gives stands in `also`."""
    target = _transform_rfc3986(base, reference)
    text = recompose_uri(target)
    also: list[Alternative] = []
    if reference.scheme is not None and _same_scheme(base, reference):
        loose = resolve_rfc3986(base, reference._replace(scheme=None))
        also += [Alternative(loose.text, "non-strict", "R-3986-06"), *loose.also]
    if reference.scheme is None and reference.authority is None and not reference.path:
        normalized = target._replace(path=remove_dot_segments(base.path))
        also.append(Alternative(recompose_uri(normalized), "normalized-base", "R-3986-11"))
    if target.authority is None and target.path.startswith("//"):
        guarded = target._replace(path=f"/.{target.path}")
        also.append(Alternative(recompose_uri(guarded), "guarded", "R-3986-09"))
        also.append(Alternative(None, "error", "R-3986-09"))
    return Resolution(text, _distinct(text, also))


def _transform_rfc3986(base: URI, reference: URI) -> URI:
    """Section 5.2.2: the components of the target."""
    if reference.scheme is not None:
        return reference._replace(path=remove_dot_segments(reference.path))
    target = reference._replace(scheme=base.scheme)
    if reference.authority is not None:
        return target._replace(path=remove_dot_segments(reference.path))
    target = target._replace(authority=base.authority)
    if not reference.path:
        query = base.query if reference.query is None else reference.query
        return target._replace(path=base.path, query=query)
    if reference.path.startswith("/"):
        return target._replace(path=remove_dot_segments(reference.path))
    return target._replace(path=remove_dot_segments(merge(base, reference.path)))


def merge(base: URI, path: str) -> str:
    """Section 5.2.3: a relative path in the place of the last segment of the base (R-3986-07, R-3986-15)."""
    return _directory(_rooted(base)) + path


def remove_dot_segments(path: str) -> str:
    """Section 5.2.4, to the letter: the first segment of a rootless path leaves its slash (R-3986-08)."""
    output: list[str] = []
    start, end = 0, len(path)
    while start < end:
        if path.startswith("../", start):  # 2A
            start += 3
        elif path.startswith("./", start) or path.startswith("/./", start):
            start += 2
        elif path.startswith("/../", start):  # 2C
            start += 3
            del output[-1:]
        elif end - start == 2 and path.endswith("/."):
            return "".join([*output, "/"])
        elif end - start == 3 and path.endswith("/.."):
            return "".join([*output[:-1], "/"])
        elif path[start:] in (".", ".."):  # 2D
            break
        else:  # 2E
            following = path.find("/", start + 1)
            following = end if following < 0 else following
            output.append(path[start:following])
            start = following
    return "".join(output)


# what the three have in common


def _directory(path: str) -> str:
    """The path up to and including its last slash; nothing where it has none."""
    return path[: path.rfind("/") + 1]


def _same_scheme(base: URI, reference: URI) -> bool:
    return (base.scheme or "").lower() == (reference.scheme or "").lower()


def _distinct(text: str, alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives that differ from the recommended text and from one another, in order."""
    seen: set[str | None] = {text}
    found = []
    for alternative in alternatives:
        if alternative.text not in seen:
            seen.add(alternative.text)
            found.append(alternative)
    return tuple(found)
