"""Reference resolution, dot segments."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

from urloracle.rfc.components import Parts, RelativeURL
from urloracle.rfc.recomposition import recompose_parts, recompose_rfc1808

# -------------------- dots: Dot segments: RFC 1808 section 4 step 6, RFC 2396 section 5.2 step 6, RFC 3986 section 5.2.4.


def without_excess(path: str) -> str:
    """The path without the `..` segments that follow its initial slash."""
    if not path.startswith("/"):
        return path
    start = 0
    while path.startswith("/../", start):
        start += 3
    return "/" if path[start:] == "/.." else path[start:]


def remove_dots(path: str) -> str:
    """RFC 1808, section 4, step 6, a to d, and RFC 2396, section 5.2, step 6, c to f.

    Dot segments are removed; a `..` with no segment to remove is kept (R-1808-14).  The slash before the path
    is not preceded by a segment, and an empty segment is one like any other (R-1808-16, R-2396-20).
    """
    if "/." not in path and not path.startswith("."):
        return path  # no segment begins with a dot
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


def remove_dot_segments(path: str) -> str:
    """RFC 3986, section 5.2.4, to the letter: a rootless first segment leaves its slash (R-3986-08)."""
    end = path.find("/.")
    if not path.startswith("/"):
        return path if end < 0 and not path.startswith(".") else _rootless(path)
    if end < 0:
        return path  # no segment begins with a dot
    # where every segment has its slash, the output buffer is a stack of segments; those in front of the first
    # dot stay together as a part of the path, the end of which moves back when one of them is removed
    output: list[str] = []
    segment = ""
    for segment in path[end + 1 :].split("/"):
        if segment == "..":
            if output:
                output.pop()
            else:
                end = path.rfind("/", 0, end) if end else 0
        elif segment != ".":
            output.append(segment)
    if segment in (".", ".."):
        output.append("")
    return f"{path[:end]}/{'/'.join(output)}"


def _rootless(path: str) -> str:
    """The two buffers of the text, step by step."""
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
        elif end - start <= 2 and path[start:] in (".", ".."):  # 2D
            break
        else:  # 2E
            following = path.find("/", start + 1)
            following = end if following < 0 else following
            output.append(path[start:following])
            start = following
    return "".join(output)


# -------------------- resolution: Reference resolution: RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2.


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


# makes a named tuple of a tuple that has its length, in a third of the time of the class's own way
_new = tuple.__new__


def _only(text: str) -> Resolution:
    """A target beside which there is no other."""
    return _new(Resolution, (text, (), False))


class UnsuitableBase(ValueError):
    """A base against which this kind of reference cannot be resolved (R-2396-21)."""


# RFC 1808, section 4


def resolve_rfc1808(
    base: RelativeURL, reference: RelativeURL, base_text: str, reference_text: str
) -> Resolution:
    """RFC 1808, section 4, steps 2 to 7; step 1, the unknown base, is the caller's."""
    if not reference_text:  # step 2a: the whole base, its fragment included (R-1808-12)
        return _only(base_text)
    if reference[0] is not None:  # step 2b: verbatim (R-1808-09)
        return _only(reference_text)
    rooted = _rooted(base)
    target = _transform_rfc1808(base, reference, rooted)
    if rooted is base[2] and reference[1] != "" and "" not in target:  # nothing to choose between
        return _only(recompose_rfc1808(target))
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
    scheme, base_net_loc, whole_path, base_params, base_query, _ = base  # step 2c
    _, net_loc, path, params, query, fragment = reference
    if net_loc:  # step 3: non-empty
        return _new(RelativeURL, (scheme, net_loc, path, params, query, fragment))
    net_loc = base_net_loc  # empty inherits as absent does (R-1808-06)
    if path:
        if path[0] != "/":  # step 6; step 4 otherwise
            path = remove_dots(_directory(base_path) + path)
    elif params:  # step 5a: only what is not empty stands in the way (R-1808-10)
        path = base_path
    elif query:  # step 5b
        path, params = base_path, base_params
    else:
        path, params, query = whole_path, base_params, base_query
    return _new(RelativeURL, (scheme, net_loc, path, params, query, fragment))


def _rooted(base: RelativeURL) -> str:
    """The path that relative paths are appended to: the slash that ends a network location is put in front of
    an empty path, where the letter of the text would name another host (R-1808-13).
    """
    return "/" if base.net_loc is not None and not base.path else base.path


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
        if shape.net_loc == "" and not shape.path.startswith("//"):  # it would be one again (R-1808-23)
            merged = recompose_rfc1808(shape._replace(net_loc=None))
            shapes.append(Alternative(merged, "net-loc-dropped", "R-1808-22"))
    return shapes


# RFC 2396, section 5.2


# the schemes of RFC 1738 that are written with a double slash, and https
_ALWAYS_HIERARCHICAL = frozenset(
    ("http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "file", "prospero")
)


def resolve_rfc2396(base: Parts, reference: Parts, reference_text: str) -> Resolution:
    """RFC 2396, section 5.2; raises UnsuitableBase for an opaque base that the reference would need."""
    scheme, authority, path, query, fragment = reference
    opaque = base[1] is None and not base[2].startswith("/")
    if not path and scheme is None and authority is None and query is None:  # step 2
        document = (*base[:4], fragment)
        return Resolution(recompose_parts(document), same_document=True)
    if scheme is None:
        if opaque and authority is None:
            raise UnsuitableBase("no path in an opaque base to be relative to")
        return _transform_rfc2396(base, reference)
    also: list[Alternative] = []  # step 3, and its loophole
    if not opaque and _same_scheme(base, reference) and scheme.lower() in _ALWAYS_HIERARCHICAL:
        loophole = _transform_rfc2396(base, (None, *reference[1:]))
        also = [Alternative(loophole.text, "loophole", "R-2396-07"), *loophole.also]
    return Resolution(reference_text, _distinct(reference_text, also))


def _transform_rfc2396(base: Parts, reference: Parts) -> Resolution:
    scheme, base_authority, base_path, _, _ = base
    _, authority, path, query, fragment = reference
    if authority is not None:  # step 4
        return _only(recompose_parts((scheme, authority, path, query, fragment)))
    if path.startswith("/"):  # step 5: its dots are kept (R-2396-19)
        return _only(recompose_parts((scheme, base_authority, path, query, fragment)))
    rooted = "/" if base_authority is not None and not base_path else base_path
    merged = remove_dots(_directory(rooted) + path)  # step 6, a to f
    text = recompose_parts((scheme, base_authority, merged, query, fragment))
    also: list[Alternative] = []
    if merged.startswith(("/..", "..")):  # step 6g
        within = recompose_parts((scheme, base_authority, without_excess(merged), query, fragment))
        if within != text:
            also.append(Alternative(within, "excess-dropped", "R-2396-18"))
            also.append(Alternative(None, "error", "R-2396-18"))
    if rooted is not base_path:  # the letter of the text appends to nothing, and so names another host
        literal = (scheme, base_authority, remove_dots(path), query, fragment)
        also.append(Alternative(recompose_parts(literal), "literal", "R-2396-17"))
    return Resolution(text, _distinct(text, also)) if also else _only(text)


# RFC 3986, section 5.2


def resolve_rfc3986(base: Parts, reference: Parts) -> Resolution:
    """RFC 3986, section 5.2, strict; what a non-strict parser or a normalized base gives stands in `also`."""
    target = _transform_rfc3986(base, reference)
    text = recompose_parts(target)
    scheme, authority, path, _, _ = reference
    if scheme is None and path and target[1] is not None:  # most references: nothing to choose between
        return _only(text)
    also: list[Alternative] = []
    if scheme is not None:
        if _same_scheme(base, reference):
            loose = resolve_rfc3986(base, (None, *reference[1:]))
            also += [Alternative(loose.text, "non-strict", "R-3986-06"), *loose.also]
    elif authority is None and not path and "/." in base[2]:
        normalized = (*target[:2], remove_dot_segments(base[2]), *target[3:])
        also.append(Alternative(recompose_parts(normalized), "normalized-base", "R-3986-11"))
    if target[1] is None and target[2].startswith("//"):
        guarded = (*target[:2], f"/.{target[2]}", *target[3:])
        also.append(Alternative(recompose_parts(guarded), "guarded", "R-3986-09"))
        also.append(Alternative(None, "error", "R-3986-09"))
    return Resolution(text, _distinct(text, also)) if also else _only(text)


def _transform_rfc3986(base: Parts, reference: Parts) -> Parts:
    """Section 5.2.2: the parts of the target."""
    scheme, authority, path, query, fragment = reference
    if scheme is not None:
        return scheme, authority, remove_dot_segments(path), query, fragment
    scheme, base_authority, base_path, base_query, _ = base
    if authority is not None:
        return scheme, authority, remove_dot_segments(path), query, fragment
    if not path:
        query = base_query if query is None else query
        return scheme, base_authority, base_path, query, fragment
    if not path.startswith("/"):
        path = merge(base_authority, base_path, path)
    return scheme, base_authority, remove_dot_segments(path), query, fragment


def merge(base_authority: str | None, base_path: str, path: str) -> str:
    """Section 5.2.3: a relative path in the place of the last segment of the base (R-3986-07, R-3986-15)."""
    if base_authority is not None and not base_path:
        return f"/{path}"
    return base_path[: base_path.rfind("/") + 1] + path


# what the three have in common


def _directory(path: str) -> str:
    """The path up to and including its last slash; nothing where it has none."""
    return path[: path.rfind("/") + 1]


def _same_scheme(base: Parts, reference: Parts) -> bool:
    return (base[0] or "").lower() == (reference[0] or "").lower()


def _distinct(text: str, alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives that differ from the recommended text and from one another, in order."""
    seen: set[str | None] = {text}
    found = []
    for alternative in alternatives:
        if alternative.text not in seen:
            seen.add(alternative.text)
            found.append(alternative)
    return tuple(found)
