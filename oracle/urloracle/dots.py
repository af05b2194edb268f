"""Dot segments: RFC 1808 section 4 step 6, RFC 2396 section 5.2 step 6, RFC 3986 section 5.2.4."""

from __future__ import annotations


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
