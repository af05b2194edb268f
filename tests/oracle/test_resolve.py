"""Resolution against a second implementation that follows the words of each RFC, on strings."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from urloracle.errors import InvalidURL
from urloracle.operations import parse, resolve
from urloracle.rfc.resolution import remove_dot_segments, remove_dots

# The algorithms once more, as string patterns


def _step_6(path):
    """RFC 1808, section 4, step 6, a to d; RFC 2396, section 5.2, step 6, c to f; without the first slash."""
    path = re.sub(r"(^|(?<=/))\./", "", path)  # every "./" where "." is a complete segment
    path = re.sub(r"(^|(?<=/))\.$", "", path)  # a "." that ends the path
    while True:  # "<segment>/../", leftmost first, until none is left
        path, count = re.subn(r"(^|(?<=/))(?!\.\./)[^/]*/\.\./", "", path, count=1)
        if not count:
            break
    return re.sub(r"(^|(?<=/))(?!\.\./)[^/]*/\.\.$", "", path)  # and at the end of the path


def _dots_on_strings(path):
    return f"/{_step_6(path[1:])}" if path.startswith("/") else _step_6(path)


def _section_5_2_4(path):
    """RFC 3986, section 5.2.4, with the two buffers that it speaks of."""
    buffer, output = path, ""
    while buffer:
        if buffer.startswith("../"):  # A
            buffer = buffer[3:]
        elif buffer.startswith("./"):
            buffer = buffer[2:]
        elif buffer.startswith("/./"):  # B
            buffer = "/" + buffer[3:]
        elif buffer == "/.":
            buffer = "/"
        elif buffer.startswith("/../") or buffer == "/..":  # C
            buffer = "/" + buffer[4:]
            output = output[: output.rfind("/")] if "/" in output else ""
        elif buffer in (".", ".."):  # D
            buffer = ""
        else:  # E
            segment = re.match(r"/?[^/]*", buffer)[0]
            output, buffer = output + segment, buffer[len(segment) :]
    return output


def _paths(count, seed):
    random = Random(seed)
    segments = ("..", ".", "", "a", "b", "...", "..a", ".b", "..;x", "%2E", "c")
    for _ in range(count):
        chosen = random.choices(segments, weights=(6, 4, 2, 4, 4, 1, 1, 1, 1, 1, 2), k=random.randrange(1, 9))
        yield random.choice(("/", "")) + "/".join(chosen)


# every path of up to five segments from a few, and thousands of longer ones
SHORT = [
    slash + "/".join(segments)
    for slash in ("", "/")
    for length in range(1, 6)
    for segments in product(("..", ".", "", "a"), repeat=length)
]
PATHS = [*SHORT, *_paths(6000, 1)]


def test_step_6_of_1808_and_2396():
    """R-1808-16, R-2396-20: lists of segments and string patterns remove the same dots."""
    assert [path for path in PATHS if remove_dots(path) != _dots_on_strings(path)] == []


def test_remove_dot_segments_of_3986():
    """R-3986-08: the two buffers of section 5.2.4, to the letter."""
    assert [path for path in PATHS if remove_dot_segments(path) != _section_5_2_4(path)] == []


@pytest.mark.parametrize(
    ("path", "kept", "removed"),
    [
        ("/a/b/c/./../../g", "/a/g", "/a/g"),
        ("mid/content=5/../6", "mid/6", "mid/6"),
        ("/../g", "/../g", "/g"),
        ("a/../b", "b", "/b"),
        ("../a", "../a", "a"),
        ("/a//../b", "/a/b", "/a/b"),
        ("/a/..", "/", "/"),
        ("..", "..", ""),
        (".", "", ""),
        ("/...", "/...", "/..."),
    ],
)
def test_dots(path, kept, removed):
    """What the two algorithms make of one path: RFC 3986 5.2.4 has the first two as examples."""
    assert (remove_dots(path), remove_dot_segments(path)) == (kept, removed)


_APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$", re.DOTALL)


def _section_5_2_2(base, reference):
    """RFC 3986, section 5.2.2 and 5.3, from appendix B's components to the text."""
    scheme, authority, path, query, fragment = _APPENDIX_B.match(reference).group(2, 4, 5, 7, 9)
    b_scheme, b_authority, b_path, b_query = _APPENDIX_B.match(base).group(2, 4, 5, 7)
    if scheme is not None or authority is not None:
        path = _section_5_2_4(path)
    else:
        if path == "":
            path, query = b_path, b_query if query is None else query
        elif path.startswith("/"):
            path = _section_5_2_4(path)
        elif b_authority is not None and b_path == "":
            path = _section_5_2_4(f"/{path}")
        else:
            path = _section_5_2_4(b_path[: b_path.rfind("/") + 1] + path)
        authority = b_authority
    scheme = b_scheme if scheme is None else scheme
    text = f"{scheme}:" + ("" if authority is None else f"//{authority}") + path
    return text + ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")


def _section_5_2_of_2396(base, reference):
    """RFC 2396, section 5.2, steps 3 to 7; R-2396-17 for a base without a path."""
    scheme, authority, path, query, fragment = _APPENDIX_B.match(reference).group(2, 4, 5, 7, 9)
    b_scheme, b_authority, b_path = _APPENDIX_B.match(base).group(2, 4, 5)
    if scheme is not None:
        return reference
    if authority is None:
        authority = b_authority
        if not path.startswith("/"):
            buffer = b_path if b_path or b_authority is None else "/"
            path = _dots_on_strings(buffer[: buffer.rfind("/") + 1] + path)
    text = f"{b_scheme}:" + ("" if authority is None else f"//{authority}") + path
    return text + ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")


def _pairs(count, seed, bases):
    random = Random(seed)
    paths = _paths(count, seed)
    for path in paths:
        query, fragment = random.choice(("", "", "?", "?y/../x")), random.choice(("", "", "#", "#s/./x"))
        location = random.choice(("", "", "", "//", "//h", "s:", "S://h")) if path.startswith("/") else ""
        yield random.choice(bases), location + path + query + fragment


BASES_3986 = ("s://a/b/c/d;p?q", "s://a", "s://a?q", "s:/b/c", "s:b/c/d", "s:", "s:/a/../b/..", "s:///x/y#f")
BASES_2396 = ("s://a/b/c/d;p?q", "s://a", "s://a?q", "s:/b/c", "s:/a/../b/..", "s:///x/y#f")


def test_transformation_of_3986():
    """RFC 3986, section 5.2.2: thousands of bases and references."""
    for base, reference in _pairs(4000, 2, BASES_3986):
        assert resolve(base, reference, "rfc3986").text == _section_5_2_2(base, reference), (base, reference)


def test_transformation_of_2396():
    """RFC 2396, section 5.2: the same, but for references to the same document (R-2396-06)."""
    for base, reference in _pairs(4000, 3, BASES_2396):
        found = resolve(base, reference, "rfc2396")
        if not found.same_document:
            assert found.text == _section_5_2_of_2396(base, reference), (base, reference)


def test_paths_of_1808():
    """RFC 1808, section 4, step 6: a relative path that is not empty, appended to that of the base."""
    for base, reference in _pairs(3000, 4, ("s://a/b/c/d;p?q", "s://a/b/../c/d", "s://a/b//c")):
        parts = parse(reference, "rfc1808") if _is_url_1808(reference) else None
        if parts is None or parts.path.startswith("/") or not parts.path or parts.scheme or parts.net_loc:
            continue
        path = parse(base, "rfc1808").path
        expected = _dots_on_strings(path[: path.rfind("/") + 1] + parts.path)
        found = parse(resolve(base, reference, "rfc1808").text, "rfc1808")
        assert found.path == expected, (base, reference)
        assert (found.params, found.query, found.fragment) == (
            parts.params or None,
            parts.query or None,
            parts.fragment or None,
        )


def _is_url_1808(text):
    try:
        parse(text, "rfc1808")
    except InvalidURL:
        return False
    return True


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732"])
def test_absolute_reference_is_verbatim(spec, walks):
    """RFC 1808 section 4 step 2b, RFC 2396 section 5.2 step 3: nothing of the base, no dot removed."""
    rule = "absoluteURL" if spec == "rfc1808" else "absoluteURI"
    for reference in walks(spec, rule).members(200, seed=5):
        if parse(reference, spec).scheme is not None:
            assert resolve("zz://h/a/b", reference, spec).text == reference


def test_absolute_reference_of_3986(walks):
    """RFC 3986 section 5.2.2: its own components, without dot segments; resolving twice changes nothing."""
    for reference in walks("rfc3986", "URI").members(400, seed=6):
        found = resolve("zz://h/a/b", reference, "rfc3986").text
        parts, before = parse(found, "rfc3986"), parse(reference, "rfc3986")
        if before.authority is None and _section_5_2_4(before.path).startswith("//"):
            continue  # R-3986-09: the result reads as an authority
        assert parts == before._replace(path=_section_5_2_4(before.path))
        assert resolve("zz://h/a/b", found, "rfc3986").text == found
