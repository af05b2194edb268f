"""Resolution once more, by lists of segments: from the RFCs' text and the rulings, not from the code.

Each function takes a base and a reference and gives the recommended result and every other one that a ruling
admits; None stands for an error, and `SAME_DOCUMENT` for the answer of RFC 2396, section 4.2.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

SAME_DOCUMENT = ("same document",)

TargetText = str | tuple[str] | None

#: Schemes known to be hierarchical, of those that the tier has (RFC 2396, section 5.2, step 3).
HIERARCHICAL = {"http"}


class Answers(NamedTuple):
    recommended: TargetText
    others: frozenset[TargetText]


def answers(recommended: TargetText, others: Iterable[TargetText] = ()) -> Answers:
    return Answers(recommended, frozenset(others) - {recommended})


class Parts(NamedTuple):
    scheme: str | None
    authority: str | None
    path: str
    params: str | None
    query: str | None
    fragment: str | None


def cut(text: str, mark: str) -> tuple[str, str | None]:
    """Return what is before the first mark and what is after it, or None if there is no mark."""
    before, delimiter, after = text.partition(mark)
    return before, after if delimiter else None


def split(text: str, *, net_loc: bool) -> Parts:
    """The parts in the order of RFC 1808, section 2.4; with `net_loc` a location ends at a slash alone and
    parameters are parts.
    """
    rest, fragment = cut(text, "#")
    scheme = None
    head, colon, tail = rest.partition(":")
    if colon and head and set(head) <= set(string.ascii_letters + string.digits + "+-."):
        scheme, rest = head, tail
    authority = None
    params = None
    if rest.startswith("//"):
        ends = "/" if net_loc else "/?"
        end = min((rest.find(mark, 2) for mark in ends if mark in rest[2:]), default=len(rest))
        authority, rest = rest[2:end], rest[end:]
    rest, query = cut(rest, "?")
    if net_loc:
        rest, params = cut(rest, ";")
    return Parts(scheme, authority, rest, params, query, fragment)


def join(parts: Parts) -> str:
    """RFC 3986, section 5.3, with the parameters of RFC 1808: what is absent has no delimiter."""
    marks = ("", "//", "", ";", "?", "#")
    written = [mark + part for mark, part in zip(marks, parts, strict=True) if part is not None]
    if parts.scheme is not None:
        written[0] += ":"
    return "".join(written)


# ---- RFC 1808, section 4


def resolve_rfc1808(base: str, reference: str) -> Answers:
    if not base:  # step 1
        return answers(reference)
    if not reference:  # step 2a
        return answers(base)
    base_parts = split(base, net_loc=True)
    reference_parts = split(reference, net_loc=True)
    if reference_parts.scheme is not None:  # step 2b
        return answers(reference)
    target, literal = transform_rfc1808(base_parts, reference_parts)
    recommended, *others = written_rfc1808(target, base_parts.authority == "")
    if literal is not None:
        others += written_rfc1808(literal, True)[:1]
    if reference == "#":  # R-1808-11
        others += [base, join(base_parts._replace(fragment=""))]
    return answers(recommended, others)


def transform_rfc1808(base: Parts, reference: Parts) -> tuple[Parts, Parts | None]:
    """The target, and what is literally said of a base without a path (R-1808-13)."""
    target = reference._replace(scheme=base.scheme)
    if reference.authority:  # step 3
        return target, None
    target = target._replace(authority=base.authority if base.authority is not None else reference.authority)
    if reference.path.startswith("/"):  # step 4
        return target, None
    if not reference.path:  # step 5
        path = base.path
        params = reference.params
        query = reference.query
        if not params:
            params = base.params
            if not query:
                query = base.query
        target = target._replace(path=path, params=params, query=query)
        if path or base.authority is None or not (params or query):
            return target, None
        return target._replace(path="/"), target
    merged = merged_path(base.path, reference.path)  # step 6
    if base.path or base.authority is None:
        return target._replace(path=without_dots(merged)), None
    rooted = target._replace(path=without_dots(f"/{reference.path}"))
    return rooted, target._replace(path=without_dots(reference.path))


def written_rfc1808(target: Parts, empty_location: bool) -> list[str]:
    """Without delimiters of empty parts, then with any of them (R-1808-09); an empty location of the base
    keeps its slashes, or loses them (R-1808-22), unless the path would be read as a location then.
    """
    choices = [(part,) if part else (None, "") if part == "" else (None,) for part in target]
    choices[2] = (target.path,)
    if empty_location and target.authority == "":
        choices[1] = ("",) if target.path.startswith("//") else ("", None)
    return [join(Parts(*parts)) for parts in product(*choices)]


# ---- RFC 2396, section 5.2


def resolve_rfc2396(base: str, reference: str) -> Answers:
    base_parts = split(base, net_loc=False)
    reference_parts = split(reference, net_loc=False)
    if reference_parts[:3] == (None, None, "") and reference_parts.query is None:  # step 2
        return answers(join(base_parts._replace(fragment=reference_parts.fragment)), [SAME_DOCUMENT])
    if reference_parts.scheme is not None:  # step 3
        if (
            reference_parts.scheme.lower() != base_parts.scheme.lower()
            or base_parts.scheme not in HIERARCHICAL
        ):
            return answers(reference)
        if opaque(base_parts) or reference_parts.authority is not None:
            return answers(reference)
        recommended, others = resolve_rfc2396(base, join(reference_parts._replace(scheme=None)))
        return answers(reference, {recommended, *others})
    if reference_parts.authority is not None:  # step 4
        return answers(join(reference_parts._replace(scheme=base_parts.scheme)))
    if opaque(base_parts):  # R-2396-21
        return answers(None)
    target = reference_parts._replace(scheme=base_parts.scheme, authority=base_parts.authority)
    if reference_parts.path.startswith("/"):  # step 5
        return answers(join(target))
    merged = (
        merged_path(base_parts.path, reference_parts.path) if base_parts.path else f"/{reference_parts.path}"
    )  # step 6
    path = without_dots(merged)
    others: list[TargetText] = []
    if path == "/.." or path.startswith("/../"):  # step 6g, R-2396-18
        others += [join(target._replace(path=without_excess(path))), None]
    if not base_parts.path:  # R-2396-17
        others.append(join(target._replace(path=without_dots(reference_parts.path))))
    return answers(join(target._replace(path=path)), others)


def opaque(parts: Parts) -> bool:
    return parts.authority is None and not parts.path.startswith("/")


# ---- the path, RFC 1808 section 4 step 6 and RFC 2396 section 5.2 step 6


def merged_path(base: str, reference: str) -> str:
    return "/".join([*base.split("/")[:-1], reference])


def without_dots(path: str) -> str:
    """Steps 6a to 6d, or 6c to 6f: `.` goes, and `..` with the segment before it if there is one."""
    root, segments = ("/", path[1:].split("/")) if path.startswith("/") else ("", path.split("/"))
    output: list[str] = []
    *inner, last = segments
    for segment in inner:
        if segment == ".." and output and output[-1] != "..":
            output.pop()
        elif segment != ".":
            output.append(segment)
    if last == ".." and output and output[-1] != "..":
        output.pop()
        last = ""
    return root + "/".join([*output, "" if last == "." else last])


def without_excess(path: str) -> str:
    segments = path[1:].split("/")
    while segments and segments[0] == "..":
        segments.pop(0)
    return "/" + "/".join(segments)


# ---- RFC 3986, section 5.2


def resolve_rfc3986(base: str, reference: str) -> Answers:
    base_parts = split(base, net_loc=False)
    reference_parts = split(reference, net_loc=False)
    bases = [base_parts, *normalized_bases(base_parts)]  # R-3986-11
    references = [reference_parts]
    if (
        reference_parts.scheme is not None and reference_parts.scheme.lower() == base_parts.scheme.lower()
    ):  # R-3986-06
        references.append(reference_parts._replace(scheme=None))
    recommended, *further = (transform_rfc3986(*pair) for pair in product(bases, references))
    others: list[TargetText] = list(map(join, further))
    for target in (recommended, *further):
        if target.authority is None and target.path.startswith("//"):  # R-3986-09
            others += [join(target._replace(path=f"/.{target.path}")), None]
    if base_parts.fragment is not None:  # R-3986-12
        others.append(None)
    return answers(join(recommended), others)


def transform_rfc3986(base: Parts, reference: Parts) -> Parts:
    if reference.scheme is not None:
        return reference._replace(path=remove_dot_segments(reference.path))
    reference = reference._replace(scheme=base.scheme)
    if reference.authority is not None:
        return reference._replace(path=remove_dot_segments(reference.path))
    reference = reference._replace(authority=base.authority)
    if not reference.path:
        return reference._replace(
            path=base.path, query=base.query if reference.query is None else reference.query
        )
    if reference.path.startswith("/"):
        return reference._replace(path=remove_dot_segments(reference.path))
    rooted = base.authority is not None and not base.path
    merged = f"/{reference.path}" if rooted else merged_path(base.path, reference.path)
    return reference._replace(path=remove_dot_segments(merged))


def normalized_bases(base: Parts) -> list[Parts]:
    """Return the base without encoded dots (6.2.2.2) and dot segments, and with a slash for an empty path
    after an authority (6.2.3); nothing else that could be normalized is in the tier.
    """
    path = base.path.replace("%2E", ".").replace("%2e", ".")
    plain = base._replace(path=remove_dot_segments(path))
    return [plain, plain._replace(path="/")] if base.authority is not None and not base.path else [plain]


def remove_dot_segments(path: str) -> str:
    """Section 5.2.4 with a list in place of the buffers: an entry is a segment and the slash before it."""
    while path.startswith(("../", "./")):  # 2A
        path = path.partition("/")[2]
    if path in (".", ".."):  # 2D
        return ""
    first, *others = path.split("/")
    output = [first] if first else []  # 2E, of a path without a root
    for number, segment in enumerate(others, 1):
        if segment == "..":  # 2C
            del output[-1:]
        elif segment != ".":  # 2B
            output.append(f"/{segment}")
        if segment in (".", "..") and number == len(others):
            output.append("/")
    return "".join(output)


RESOLVERS = {
    "rfc1808": resolve_rfc1808,
    "rfc2396": resolve_rfc2396,
    "rfc2732": resolve_rfc2396,
    "rfc3986": resolve_rfc3986,
    "rfc3987": resolve_rfc3986,  # section 6.5
}
