"""Each step of a resolution and what it did: RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2.

The steps are told by following the text of the algorithm once more, slowly; the target that they end with is
that of `resolution`, which a test holds together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

from urloracle.rfc.components import Parts, RelativeURL
from urloracle.rfc.recomposition import recompose_parts, recompose_rfc1808
from urloracle.rfc.resolution import merge


class Step(NamedTuple):
    """One step: its label in the RFC, what it says here, and the value that it leaves behind."""

    label: str
    what: str
    value: str = ""


def steps_rfc1808(
    base: RelativeURL, reference: RelativeURL, base_text: str, reference_text: str
) -> Iterator[Step]:
    """RFC 1808, section 4, from step 2 on."""
    if not reference_text:
        yield Step(
            "2a", "the reference is entirely empty: it is the whole base, its fragment included", base_text
        )
        return
    if reference.scheme is not None:
        yield Step("2b", "the reference starts with a scheme name: it is absolute", reference_text)
        return
    target = reference._replace(scheme=base.scheme)
    yield Step("2c", "the scheme is inherited", f"{base.scheme}:")
    if reference.net_loc:
        yield Step("3", "the network location is not empty: on to step 7", reference.net_loc)
    else:
        target = target._replace(net_loc=base.net_loc)
        yield Step("3", "the network location is inherited", _named(base.net_loc))
        if reference.path.startswith("/"):
            yield Step("4", "the path is preceded by a slash: on to step 7", reference.path)
        elif not reference.path:
            rooted = "/" if base.net_loc is not None and not base.path else base.path
            inherits = not reference.params and not reference.query
            target = target._replace(path=base.path if inherits else rooted)
            yield Step("5", "the path is empty: that of the base is inherited", _named(target.path))
            if reference.params:
                yield Step("5a", "params are not empty: on to step 7", reference.params)
            else:
                target = target._replace(params=base.params)
                yield Step("5a", "params are inherited", _named(base.params))
                if reference.query:
                    yield Step("5b", "the query is not empty: on to step 7", reference.query)
                else:
                    target = target._replace(query=base.query)
                    yield Step("5b", "the query is inherited", _named(base.query))
        else:
            rooted = "/" if base.net_loc is not None and not base.path else base.path
            path = rooted[: rooted.rfind("/") + 1] + reference.path
            yield Step("6", "the last segment of the base is replaced by the path", path)
            yield from (labelled := _Dots(path)).steps(("6a", "6b", "6c", "6d"))
            target = target._replace(path=labelled.path)
    shape = target._replace(
        params=target.params or None, query=target.query or None, fragment=target.fragment or None
    )
    yield Step("7", "the components are recombined", recompose_rfc1808(shape))


def steps_rfc2396(base: Parts, reference: Parts, reference_text: str) -> Iterator[Step]:
    """RFC 2396, section 5.2, for a base that fits the reference."""
    scheme, authority, path, query, fragment = reference
    yield Step("1", "the reference is parsed", _parts(reference))
    if not path and scheme is None and authority is None and query is None:
        document = recompose_parts((*base[:4], fragment))
        yield Step("2", "nothing but a fragment, or nothing at all: the current document", document)
        return
    if scheme is not None:
        yield Step("3", "the scheme is defined: the reference is absolute", reference_text)
        return
    yield Step("3", "the scheme is inherited", f"{base[0]}:")
    if authority is not None:
        yield Step("4", "the authority is defined: on to step 7", authority)
        yield Step("7", "the components are recombined", recompose_parts((base[0], *reference[1:])))
        return
    yield Step("4", "the authority is inherited", _named(base[1]))
    if path.startswith("/"):
        yield Step("5", "the path begins with a slash: on to step 7", path)
    else:
        buffer = "/" if base[1] is not None and not base[2] else base[2][: base[2].rfind("/") + 1]
        yield Step("6a", "all but the last segment of the path of the base", _named(buffer))
        path = buffer + path
        yield Step("6b", "the path of the reference is appended", _named(path))
        yield from (labelled := _Dots(path)).steps(("6c", "6d", "6e", "6f"))
        path = labelled.path
        if path.removeprefix("/").split("/")[0] == "..":
            yield Step(
                "6g", "it still begins with `..`: kept, which is one of three choices (R-2396-18)", path
            )
    yield Step("7", "the components are recombined", recompose_parts((*base[:2], path, query, fragment)))


def steps_rfc3986(base: Parts, reference: Parts) -> Iterator[Step]:
    """RFC 3986, section 5.2, strict."""
    scheme, authority, path, query, fragment = reference
    yield Step("5.2.2", "the reference is parsed", _parts(reference))
    if scheme is not None:
        yield Step("5.2.2", "the scheme is defined: nothing is inherited", f"{scheme}:")
        path = yield from _removed(path)
    elif authority is not None:
        yield Step("5.2.2", "the authority is defined: only the scheme is inherited", f"{base[0]}:")
        scheme, path = base[0], (yield from _removed(path))
    else:
        scheme, authority = base[0], base[1]
        yield Step(
            "5.2.2",
            "scheme and authority are inherited",
            recompose_parts((scheme, authority, "", None, None)),
        )
        if not path:
            path = base[2]
            yield Step("5.2.2", "the path is empty: that of the base is inherited as it stands", _named(path))
            if query is None:
                query = base[3]
                yield Step("5.2.2", "the query is undefined: that of the base is inherited", _named(query))
        else:
            if not path.startswith("/"):
                path = merge(authority, base[2], path)
                yield Step("5.2.3", "the path is merged with that of the base", path)
            path = yield from _removed(path)
    yield Step(
        "5.3", "the components are recomposed", recompose_parts((scheme, authority, path, query, fragment))
    )


def _removed(path: str) -> Generator[Step, None, str]:
    """Section 5.2.4, the state of the two buffers after each step; returns the path that is left."""
    output: list[str] = []
    rest = path
    if "/." not in path and not path.startswith("."):
        return path
    yield Step("5.2.4", "dot segments are removed", path)
    while rest:
        label, rest = _buffers(output, rest)
        yield Step(f"  {label}", f"output {_named(''.join(output))}, input {_named(rest)}")
    return "".join(output)


def _buffers(output: list[str], rest: str) -> tuple[str, str]:
    """One turn of the loop: the label of the step that applies, and the input that it leaves."""
    if rest.startswith(("../", "./")):
        return "2A", rest.partition("/")[2]
    if rest.startswith("/./") or rest == "/.":
        return "2B", "/" + rest[3:]
    if rest.startswith("/../") or rest == "/..":
        del output[-1:]
        return "2C", "/" + rest[4:]
    if rest in (".", ".."):
        return "2D", ""
    end = rest.find("/", 1)
    end = len(rest) if end < 0 else end
    output.append(rest[:end])
    return "2E", rest[end:]


class _Dots:
    """The removals that RFC 1808 and RFC 2396 share, one label for each."""

    def __init__(self, path: str) -> None:
        self.path = path

    def steps(self, labels: tuple[str, str, str, str]) -> Iterator[Step]:
        """The steps that change the path."""
        inside, at_end, pair, pair_at_end = labels
        yield from self._apply(inside, "every `.` segment inside is removed", _without_dots)
        yield from self._apply(at_end, "a final `.` is removed", _without_final_dot)
        while _without_pair(self.path) != self.path:
            yield from self._apply(pair, "a segment is removed with the `..` behind it", _without_pair)
        yield from self._apply(pair_at_end, "a final `..` is removed with its segment", _without_final_pair)

    def _apply(self, label: str, what: str, change: Callable[[str], str]) -> Iterator[Step]:
        changed = change(self.path)
        if changed != self.path:
            self.path = changed
            yield Step(label, what, _named(changed))


def _split(path: str) -> tuple[str, list[str]]:
    """The slash before a path, which no segment precedes, and its segments."""
    slash = "/" if path.startswith("/") else ""
    return slash, path[len(slash) :].split("/")


def _without_dots(path: str) -> str:
    slash, (*inner, last) = _split(path)
    return slash + "/".join([*(segment for segment in inner if segment != "."), last])


def _without_final_dot(path: str) -> str:
    slash, (*inner, last) = _split(path)
    return slash + "/".join([*inner, "" if last == "." else last])


def _without_pair(path: str) -> str:
    slash, segments = _split(path)
    for number in range(len(segments) - 2):
        if segments[number] != ".." and segments[number + 1] == "..":
            return slash + "/".join(segments[:number] + segments[number + 2 :])
    return path


def _without_final_pair(path: str) -> str:
    slash, segments = _split(path)
    if len(segments) > 1 and segments[-1] == ".." and segments[-2] != "..":
        return slash + "/".join([*segments[:-2], ""])
    return path


def _named(value: str | None) -> str:
    """A value in words: absent and empty are told apart."""
    return "(absent)" if value is None else value or "(empty)"


def _parts(parts: Parts) -> str:
    names = ("scheme", "authority", "path", "query", "fragment")
    return ", ".join(f"{name} {_named(value)}" for name, value in zip(names, parts, strict=True))
