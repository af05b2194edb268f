"""Reference resolution: RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2.

Each algorithm accepts an optional function `note` and calls it for each step.

The harness makes mutants of the statements of these functions, and publishes how many of them tests notice.
A function that is written in another way has other mutants, so its figures have to be made again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise, product
from typing import Any, NamedTuple, Protocol

from urloracle.rfc.components import Parts, PartsRFC1808, RelativeURL
from urloracle.rfc.recomposition import recompose_parts, recompose_rfc1808


class Alternative(NamedTuple):
    """Another admissible result, with the name of the variant and the ruling that admits it.

    `text` is None if the result is a refusal.
    """

    text: str | None
    variant: str
    ruling: str


class Resolution(NamedTuple):
    """The recommended target of a reference, and in `also` the other admissible results.

    `same_document` is true if the reference refers to the current document (R-2396-06).
    """

    text: str
    also: tuple[Alternative, ...] = ()
    same_document: bool = False


class Step(NamedTuple):
    """One step of a resolution.

    - `label`: the number of the step in the RFC; that of a step inside another one begins with two spaces
    - `action`: what the step does here
    - `result`: the path, the component or the target after the step; "" means empty, None means absent
    - `removed`: the path segments that the step removes, such as ("b", "..")
    - `components`: the components of the reference, if the step parses it

    The steps of the loop of RFC 3986, section 5.2.4, have no result.  They have `output` and `input`, the two
    buffers after the step, and `moved`, the text that the step moves from the input to the output.
    """

    label: str
    action: str
    result: str | None = None
    removed: tuple[str, ...] = ()
    components: Mapping[str, str | None] | None = None
    output: str | None = None
    input: str | None = None
    moved: str = ""

    @property
    def what(self) -> str:
        """The action in words.  For a step of the loop these are the contents of the two buffers."""
        if self.output is None:
            return self.action
        return f"output {_in_words(self.output)}, input {_in_words(self.input)}"

    @property
    def value(self) -> str:
        """The result in words: `(absent)`, `(empty)` or a text.

        For the step that parses the reference these are its components, such as "scheme http, path (empty)".
        A step of the loop has the value "".
        """
        if self.output is not None:
            return ""
        if self.components is not None:
            words = (f"{name} {_in_words(component)}" for name, component in self.components.items())
            return ", ".join(words)
        return _in_words(self.result)


def _in_words(text: str | None) -> str:
    if text is None:
        return "(absent)"
    return text or "(empty)"


#: A function that is called with each step.
Note = Callable[[Step], None]


class Resolver(Protocol):
    """A function that resolves a reference, or raises InvalidURL if that is impossible."""

    def __call__(self, base: str, reference: str, note: Note | None = None, /) -> Resolution:
        """Resolve a reference."""


# creates a named tuple three times as fast as a call of its class
_new = tuple.__new__


class UnsuitableBase(ValueError):
    """The reference cannot be resolved against this kind of base (R-2396-21)."""


def _sole_result(text: str) -> Resolution:
    """Return a resolution without alternatives."""
    return _new(Resolution, (text, (), False))


def _directory(path: str) -> str:
    """Return the path up to and including its last slash, or an empty string if it has none."""
    return path[: path.rfind("/") + 1]


def _same_scheme(base: Parts, reference: Parts) -> bool:
    base_scheme = base[0] or ""
    reference_scheme = reference[0] or ""
    return base_scheme.lower() == reference_scheme.lower()


def distinct(text: str, alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Return the alternatives that differ from the recommended text and from each other, in order."""
    by_text: dict[str | None, Alternative] = {}
    for alternative in alternatives:
        by_text.setdefault(alternative.text, alternative)
    by_text.pop(text, None)
    return tuple(by_text.values())


def with_alternatives(resolution: Resolution, others: Iterable[Alternative]) -> Resolution:
    """Return a resolution with the given alternatives added, except those that it already has."""
    return resolution._replace(also=distinct(resolution.text, (*resolution.also, *others)))


# RFC 1808, section 4


def resolve_rfc1808(
    base: PartsRFC1808, reference: PartsRFC1808, base_text: str, reference_text: str, note: Note | None = None
) -> Resolution:
    """Apply RFC 1808, section 4, steps 2 to 7.

    The caller handles step 1, an unknown base.
    """
    if not reference_text:  # step 2a: the whole base, its fragment included (R-1808-12)
        if note:
            note(
                Step(
                    "2a",
                    "the reference is entirely empty: the target is the base with its fragment",
                    base_text,
                )
            )
        return _sole_result(base_text)
    if reference[0] is not None:  # step 2b: verbatim (R-1808-09)
        if note:
            note(Step("2b", "the reference starts with a scheme name: it is absolute", reference_text))
        return _sole_result(reference_text)
    has_bare_host = not base[2] and base[1] is not None
    base_path = "/" if has_bare_host else base[2]  # so that the host stays (R-1808-13)
    target = _transform_rfc1808(base, reference, base_path, note)
    if note:
        note(Step("7", "the components are recombined", shapes_rfc1808(target)[0].text))
    if reference[1] != "" and target[1] != "" and "" not in target[3:]:  # there is only one shape
        only = recompose_rfc1808(target)
        if has_bare_host and not reference[1] and reference[2][:1] != "/":
            return _with_literal(target, only, reference)
        return _new(Resolution, (only, (), False))
    text, *also = shapes_rfc1808(target)
    if reference[1] == "" and base[1] is None:  # there is no network location to inherit
        also += shapes_rfc1808((target[0], "", *target[2:]))
    if reference_text == "#":  # only the delimiter of an empty fragment
        also.append(Alternative(base_text.partition("#")[0] + "#", "delimiter-kept", "R-1808-11"))
        also.append(Alternative(base_text, "whole-base", "R-1808-11"))
    literal = _transform_rfc1808(base, reference, base[2]) if has_bare_host else target
    also.append(Alternative(shapes_rfc1808(literal)[0].text, "literal", "R-1808-13"))
    assert text.text is not None  # only alternatives can be refusals
    return Resolution(text.text, distinct(text.text, also))


def _with_literal(target: PartsRFC1808, text: str, reference: PartsRFC1808) -> Resolution:
    """Return the resolution to a target; `also` contains the result for the literal, empty base path.

    The target has the path after `/` (R-1808-13); `text` is its text.
    """
    path = remove_dots(reference[2])
    if path == target[2]:
        return _sole_result(text)
    literal = recompose_rfc1808((*target[:2], path, *target[3:]))
    return _new(Resolution, (text, (_new(Alternative, (literal, "literal", "R-1808-13")),), False))


def _transform_rfc1808(  # noqa: C901, PLR0912 - a branch for each step
    base: PartsRFC1808, reference: PartsRFC1808, base_path: str, note: Note | None = None
) -> PartsRFC1808:
    """Apply steps 2c to 6, and return the components of the target.

    A relative path is appended to the directory of `base_path`.  Step 5 inherits `base_path` if params or
    query are not empty, and otherwise the path of `base`.
    """
    scheme, base_net_loc, whole_path, base_params, base_query, _ = base  # step 2c
    _, net_loc, path, params, query, fragment = reference
    if note:
        note(Step("2c", "the scheme is inherited", f"{scheme}:"))
    if net_loc:  # step 3: non-empty
        if note:
            note(Step("3", "the network location is not empty: on to step 7", net_loc))
        return scheme, net_loc, path, params, query, fragment
    net_loc = base_net_loc  # an empty net_loc inherits like an absent one (R-1808-06)
    if note:
        note(Step("3", "the network location is inherited", net_loc))
    if path:
        if note and path[0] == "/":
            note(Step("4", "the path is preceded by a slash: on to step 7", path))
        if path[0] != "/":  # step 6; step 4 otherwise
            path = _directory(base_path) + path
            if note:
                note(Step("6", "the last segment of the base is replaced by the path", path))
                _note_dots(path, "6a 6b 6c 6d", note)
            path = remove_dots(path)
    elif params:  # step 5a: only non-empty parameters are kept (R-1808-10)
        path = base_path
    elif query:  # step 5b
        path, params = base_path, base_params
    else:
        path, params, query = whole_path, base_params, base_query
    if note and not reference[2]:
        note(Step("5", "the path is empty: the path of the base is inherited", path))
        if reference[3]:
            note(Step("5a", "params are not empty: on to step 7", params))
        else:
            note(Step("5a", "params are inherited", params))
            action = "the query is not empty: on to step 7" if reference[4] else "the query is inherited"
            note(Step("5b", action, query))
    return scheme, net_loc, path, params, query, fragment


def shapes_rfc1808(parts: PartsRFC1808) -> list[Alternative]:
    """Recombine the target (step 7) in all admissible shapes, the recommended shape first.

    Section 2.4 does not distinguish empty from absent components, so each delimiter of an empty component can
    be kept or dropped.  The first shape keeps only the slashes of an empty net_loc.
    """
    target = RelativeURL(*parts)
    empty = [name for name in ("params", "query", "fragment") if getattr(target, name) == ""]
    shapes = []
    for choice in product((False, True), repeat=len(empty)):
        dropped: dict[str, Any] = {name: None for name, keep in zip(empty, choice, strict=True) if not keep}
        shape = target._replace(**dropped) if dropped else target
        shapes.append(Alternative(recompose_rfc1808(shape), "delimiter-kept", "R-1808-09"))
        # a path that begins with two slashes would itself be read as a net_loc (R-1808-23)
        if shape.net_loc == "" and not shape.path.startswith("//"):
            merged = recompose_rfc1808(shape._replace(net_loc=None))
            shapes.append(Alternative(merged, "net-loc-dropped", "R-1808-22"))
    return shapes


# RFC 2396, section 5.2

# the schemes of RFC 1738 that are written with a double slash, and https
_HIERARCHICAL = ("http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "file", "prospero")


def resolve_rfc2396(
    base: Parts, reference: Parts, reference_text: str, note: Note | None = None
) -> Resolution:
    """Apply RFC 2396, section 5.2.  Raise UnsuitableBase if the path of an opaque base is needed."""
    scheme, authority, path, query, fragment = reference
    opaque = base[1] is None and base[2][:1] != "/"
    if note:
        note(_parsing_step("1", reference))
    if not path and scheme is None and authority is None and query is None:  # step 2
        document = (*base[:4], fragment)
        if note:
            note(
                Step(
                    "2", "empty or only a fragment: refers to the current document", recompose_parts(document)
                )
            )
        return Resolution(recompose_parts(document), same_document=True)
    if scheme is None:
        if opaque and authority is None:
            raise UnsuitableBase("an opaque base has no path to resolve against")
        return _transform_rfc2396(base, reference, note)
    if note:
        note(Step("3", "the scheme is defined: the reference is absolute", reference_text))
    also: list[Alternative] = []  # the loophole of step 3
    if not opaque and _same_scheme(base, reference) and scheme.lower() in _HIERARCHICAL:
        loophole = _transform_rfc2396(base, (None, *reference[1:]))
        also = [Alternative(loophole.text, "loophole", "R-2396-07"), *loophole.also]
    return Resolution(reference_text, distinct(reference_text, also))


def _transform_rfc2396(  # noqa: C901 - a branch for each step
    base: Parts, reference: Parts, note: Note | None = None
) -> Resolution:
    """Apply steps 3 to 7 to a reference without a scheme."""
    scheme, base_authority, base_path, _, _ = base
    _, authority, path, query, fragment = reference
    if note:
        note(Step("3", "the scheme is inherited", f"{scheme}:"))
    if authority is not None:  # step 4
        target = recompose_parts((scheme, authority, path, query, fragment))
        if note:
            note(Step("4", "the authority is defined: on to step 7", authority))
            note(Step("7", "the components are recombined", target))
        return _sole_result(target)
    if note:
        note(Step("4", "the authority is inherited", base_authority))
    if path[:1] == "/":  # step 5: its dots are kept (R-2396-19)
        target = recompose_parts((scheme, base_authority, path, query, fragment))
        if note:
            note(Step("5", "the path begins with a slash: on to step 7", path))
            note(Step("7", "the components are recombined", target))
        return _sole_result(target)
    joined = merge(base_authority, base_path, path)  # step 6, a and b
    merged = remove_dots(joined)  # step 6, c to f
    text = recompose_parts((scheme, base_authority, merged, query, fragment))
    if note:
        directory = merge(base_authority, base_path, "")
        note(Step("6a", "the path of the base without its last segment", directory))
        note(Step("6b", "the path of the reference is appended", joined))
        _note_dots(joined, "6c 6d 6e 6f", note)
        if merged.removeprefix("/").split("/")[0] == "..":
            note(
                Step("6g", "the path still begins with `..`: kept, one of three choices (R-2396-18)", merged)
            )
        note(Step("7", "the components are recombined", text))
    also: list[Alternative] = []
    if merged[:3] == "/.." and (excess := _EXCESS.match(merged)):  # step 6g
        inside = merged[excess.end() :] or "/"
        also += excess_alternatives(recompose_parts((scheme, base_authority, inside, query, fragment)))
    if not base_path and base_authority is not None:  # taken literally, the RFC changes the host
        literal = (scheme, base_authority, remove_dots(path), query, fragment)
        also.append(Alternative(recompose_parts(literal), "literal", "R-2396-17"))
    return _new(Resolution, (text, distinct(text, also) if also else (), False))


_EXCESS = re.compile(r"(?:/\.\.)+(?=/|$)")
_REFUSED = Alternative(None, "error", "R-2396-18")


def excess_alternatives(within: str) -> tuple[Alternative, ...]:
    """Return the two other choices of RFC 2396, section 5.2, step 6g: to drop the leading `..`, or to refuse.

    `within` is the target whose path has no leading `..` segments.
    """
    return _new(Alternative, (within, "excess-dropped", "R-2396-18")), _REFUSED


def _parsing_step(label: str, reference: Parts) -> Step:
    """Return the step that parses the reference."""
    names = ("scheme", "authority", "path", "query", "fragment")
    return Step(label, "the reference is parsed", components=dict(zip(names, reference, strict=True)))


# RFC 3986, section 5.2


def resolve_rfc3986(base: Parts, reference: Parts, note: Note | None = None) -> Resolution:
    """Apply RFC 3986, section 5.2.

    `also` contains the results of a non-strict parser and of a normalized base, and the other ways to treat a
    target without authority whose path begins with two slashes.
    """
    target = _transform_rfc3986(base, reference, note)
    text = recompose_parts(target)
    if note:
        note(Step("5.3", "the components are recomposed", text))
    scheme, authority, path, _, _ = reference
    target_scheme, target_authority, target_path, target_query, target_fragment = target
    if scheme is None and path and target_authority is not None:  # most references have only one result
        return _new(Resolution, (text, (), False))

    also: list[Alternative] = []
    base_path = base[2]
    if scheme is not None:
        if _same_scheme(base, reference):
            without_scheme = (None, *reference[1:])
            loose = resolve_rfc3986(base, without_scheme)
            also += [Alternative(loose.text, "non-strict", "R-3986-06"), *loose.also]
    elif authority is None and not path and "/." in base_path:
        normalized_path = remove_dot_segments(base_path)
        normalized = (target_scheme, target_authority, normalized_path, target_query, target_fragment)
        also.append(Alternative(recompose_parts(normalized), "normalized-base", "R-3986-11"))
    if target_authority is None and target_path.startswith("//"):
        guarded = (target_scheme, None, f"/.{target_path}", target_query, target_fragment)
        also.append(Alternative(recompose_parts(guarded), "guarded", "R-3986-09"))
        also.append(Alternative(None, "error", "R-3986-09"))
    return Resolution(text, distinct(text, also)) if also else _sole_result(text)


def _transform_rfc3986(  # noqa: C901 - a branch for each step
    base: Parts, reference: Parts, note: Note | None = None
) -> Parts:
    """Apply section 5.2.2: return the components of the target."""
    scheme, authority, path, query, fragment = reference
    if note:
        note(_parsing_step("5.2.2", reference))
    if scheme is not None:
        if note:
            note(Step("5.2.2", "the scheme is defined: nothing is inherited", f"{scheme}:"))
            _note_buffers(path, note)
        return scheme, authority, remove_dot_segments(path), query, fragment
    scheme, base_authority, base_path, base_query, _ = base
    if authority is not None:
        if note:
            note(Step("5.2.2", "the authority is defined: only the scheme is inherited", f"{scheme}:"))
            _note_buffers(path, note)
        return scheme, authority, remove_dot_segments(path), query, fragment
    if note:
        inherited = recompose_parts((scheme, base_authority, "", None, None))
        note(Step("5.2.2", "scheme and authority are inherited", inherited))
    if not path:
        if note:
            note(Step("5.2.2", "the path is empty: the path of the base is inherited unchanged", base_path))
        if note and query is None:
            note(Step("5.2.2", "the query is undefined: the query of the base is inherited", base_query))
        query = base_query if query is None else query
        return scheme, base_authority, base_path, query, fragment
    if path[:1] != "/":
        path = merge(base_authority, base_path, path)
        if note:
            note(Step("5.2.3", "the path is merged with the path of the base", path))
    if note:
        _note_buffers(path, note)
    return scheme, base_authority, remove_dot_segments(path), query, fragment


def merge(base_authority: str | None, base_path: str, path: str) -> str:
    """Replace the last segment of the base by the path: RFC 3986, section 5.2.3 (R-3986-07, R-3986-15).

    For RFC 2396, section 5.2, step 6, a and b, an empty base path after an authority is a slash (R-2396-17).
    """
    if base_authority is not None and not base_path:
        return f"/{path}"
    return base_path[: base_path.rfind("/") + 1] + path


# dot segments: RFC 1808 section 4 step 6, RFC 2396 section 5.2 step 6, RFC 3986 section 5.2.4


def remove_dots(path: str) -> str:
    """Apply RFC 1808, section 4, step 6, a to d, and RFC 2396, section 5.2, step 6, c to f.

    A `..` with no segment to remove is kept (R-1808-14).  An empty segment counts as a segment (R-1808-16,
    R-2396-20).
    """
    if "/." not in path and path[:1] != ".":
        return path  # no segment begins with a dot
    slash = "/" if path[:1] == "/" else ""
    *inner, last = path[len(slash) :].split("/")
    output: list[str] = []
    for segment in inner:
        if segment == "..":
            _remove_or_keep(output)
        elif segment != ".":
            output.append(segment)
    if last == "..":
        last = "" if _remove_or_keep(output) else output.pop()
    elif last == ".":
        last = ""
    return slash + "/".join([*output, last])


def _remove_or_keep(output: list[str]) -> bool:
    """Apply one `..`: remove the last segment and return True, or append the `..` and return False."""
    if output and output[-1] != "..":
        output.pop()
        return True
    output.append("..")
    return False


def _note_dots(path: str, labels: str, note: Note) -> None:
    """Call `note` for each part of step 6 that changes the path, as `remove_dots` does.

    `labels` lists the numbers of the four parts in the RFC.
    """
    inside, at_end, pair, pair_at_end = labels.split()
    slash = "/" if path.startswith("/") else ""
    *segments, last = path[len(slash) :].split("/")
    remaining = [segment for segment in segments if segment != "."]

    def note_removal(label: str, action: str, *removed: str) -> None:
        note(Step(label, action, slash + "/".join([*remaining, last]), removed))

    dots = len(segments) - len(remaining)
    if dots > 0:
        note_removal(inside, "every `.` segment inside is removed", *("." for _ in range(dots)))
    if last == ".":
        last = ""
        note_removal(at_end, "a final `.` is removed", ".")
    while (index := _index_of_removable(remaining)) is not None:
        segment = remaining[index]
        del remaining[index : index + 2]
        note_removal(pair, "a segment is removed with the `..` after it", segment, "..")
    if last == ".." and remaining and remaining[-1] != "..":
        segment = remaining.pop()
        last = ""
        note_removal(pair_at_end, "a final `..` is removed with its segment", segment, "..")


def _index_of_removable(segments: list[str]) -> int | None:
    """Return the index of the first segment that a `..` after it removes, or None."""
    for index, (segment, after) in enumerate(pairwise(segments)):
        if segment != ".." and after == "..":
            return index
    return None


def remove_dot_segments(path: str) -> str:
    """Apply RFC 3986, section 5.2.4.

    If the first segment of a rootless path is removed, the slash after it remains (R-3986-08).
    """
    end = path.find("/.")
    if not path.startswith("/"):
        return path if end < 0 and not path.startswith(".") else _remove_dots_of_rootless(path)
    if end < 0:
        return path  # no segment begins with a dot
    # the output buffer is `path[:end]`, the segments before the first dot, and a stack of later segments;
    # removing a segment of `path[:end]` moves `end` back
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


def _remove_dots_of_rootless(path: str) -> str:
    """Run the loop of section 5.2.4.  The input buffer is the part of the path from offset `start` on."""
    output: list[str] = []
    start = 0
    end = len(path)
    while start < end:
        if path.startswith("../", start):  # 2A
            start += 3
        elif path.startswith("./", start) or path.startswith("/./", start):  # 2A, 2B
            start += 2
        elif path.startswith("/../", start):  # 2C
            start += 3
            del output[-1:]
        elif end - start == 2 and path.endswith("/."):  # 2B, and then 2E
            return "".join([*output, "/"])
        elif end - start == 3 and path.endswith("/.."):  # 2C, and then 2E
            return "".join([*output[:-1], "/"])
        elif end - start <= 2 and path[start:] in (".", ".."):  # 2D
            break
        else:  # 2E
            slash = path.find("/", start + 1)
            following = end if slash < 0 else slash
            output.append(path[start:following])
            start = following
    return "".join(output)


#: The label of the step that stands before those of the loop of section 5.2.4.
LOOP = "5.2.4"

#: What the steps of the loop of section 5.2.4 do.
_LOOP_ACTIONS = {
    "2A": "a dot segment at the start of the input is dropped",
    "2B": "`.` is dropped from the input",
    "2C": "`..` is dropped from the input, and the last segment from the output",
    "2D": "the dot segment, which is all that remains, is dropped",
    "2E": "the first segment of the input is moved to the output",
}


def _note_buffers(path: str, note: Note) -> None:
    """Call `note` for each step of the loop of section 5.2.4, if there are dot segments to remove."""
    if "/." not in path and not path.startswith("."):
        return
    note(Step(LOOP, "dot segments are removed", path))
    output: list[str] = []
    remaining = path  # the input buffer
    while remaining:
        moved = ""
        removed: tuple[str, ...] = ()
        if remaining.startswith(("../", "./")):
            label = "  2A"
            remaining = remaining.partition("/")[2]
        elif remaining.startswith("/./") or remaining == "/.":
            label = "  2B"
            remaining = f"/{remaining[3:]}"
        elif remaining.startswith("/../") or remaining == "/..":
            label = "  2C"
            lost = [segment.removeprefix("/") for segment in output[-1:]]
            removed = (*lost, "..")
            del output[-1:]
            remaining = f"/{remaining[4:]}"
        elif remaining in (".", ".."):
            label = "  2D"
            remaining = ""
        else:
            label = "  2E"
            moved = remaining[0] + remaining[1:].partition("/")[0]
            output.append(moved)
            remaining = remaining[len(moved) :]
        action = _LOOP_ACTIONS[label.strip()]
        note(Step(label, action, removed=removed, output="".join(output), input=remaining, moved=moved))
