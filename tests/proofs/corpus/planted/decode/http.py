"""Faults in decoding the segments and the search of http URLs (RFC 1738, section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote, unquote_plus

from ..faults import Fault, Values, decodes
from ..texts import TRIPLET, split
from .written import decoded_again, segments


def changes_segments(change: Callable[[str], str | None]) -> Fault:
    """Give other values to some segments, which depend on what is written; None leaves a segment alone."""

    def changed(view: Values, url: str) -> Values:
        written = segments(url)
        right = view.get("segments")
        if not isinstance(right, list) or len(right) != len(written):
            return {}
        wrong = [change(segment) for segment in written]
        return {"segments": [old if new is None else new for old, new in zip(right, wrong, strict=True)]}

    return decodes("http", changed)


def decoded_as_form(segment: str) -> str | None:
    """Decode a segment, with its plus signs as spaces."""
    return unquote_plus(segment) if "+" in segment else None


def decoded_again_as_form(segment: str) -> str | None:
    """Decode a segment, and decode it again with plus signs as spaces."""
    once = unquote(segment)
    twice = unquote_plus(once)
    return twice if twice != once else None


def cut_at_encoded_semicolon(segment: str) -> str | None:
    """Decode a segment up to an encoded semicolon."""
    return unquote(re.split("%3[Bb]", segment)[0]) if re.search("%3[Bb]", segment) else None


def as_written(_view: Values, url: str) -> Values:
    """Leave the segments encoded."""
    path = split(url).path
    return {"segments": path[1:].split("/")} if "%" in path else {}


def segments_decoded_again(view: Values, _url: str) -> Values:
    """Decode the segments a second time, octet by octet."""
    return {"segments": None if view["segments"] is None else decoded_again(view["segments"])}


def decoded_again_or_rejected(view: Values, _url: str) -> Values | None:
    """Decode the segments a second time; a percent sign that is left and begins no triplet is refused."""
    right = view.get("segments")
    if not isinstance(right, list) or not all(isinstance(segment, str) for segment in right):
        return {}
    if any(re.search(f"%(?!{TRIPLET[1:]})", segment) for segment in right):
        return None
    return {"segments": [unquote(segment) for segment in right]} if "%" in "".join(right) else {}


def plus_replaced(view: Values) -> list[Any]:
    """Return the segments with spaces for plus signs."""
    right = view["segments"] or []
    return [segment.replace("+", " ") if isinstance(segment, str) else segment for segment in right]


def split_again(view: Values) -> list[str] | None:
    """Return the segments of the decoded path, or nothing if some of it are octets."""
    right = view["segments"] or []
    return "/".join(right).split("/") if all(isinstance(segment, str) for segment in right) else None


def split_after_decoding(view: Values, _url: str) -> Values:
    """Decode the path, then split it; an empty path has one segment."""
    wrong = split_again(view)
    return {} if wrong is None else {"segments": wrong}


def dots_removed(view: Values, _url: str) -> Values:
    """Remove the dot-segments."""
    if view["segments"] is None:
        return {}
    output: list[Any] = []
    for segment in view["segments"]:
        if segment == "..":
            output = output[:-1]
        elif segment != ".":
            output.append(segment)
    return {"segments": output}


def search_after_decoding(view: Values, _url: str) -> Values:
    """Begin the search at a question mark of the decoded path."""
    *others, last = view["segments"] or [None]
    if not isinstance(last, str) or "?" not in last:
        return {}
    segment, _, search = last.partition("?")
    return {"segments": [*others, segment], "search": search}


def not_empty(view: Values, _url: str) -> Values:
    """Drop the empty segments."""
    if view["segments"] is None:
        return {}
    return {"segments": [segment for segment in view["segments"] if segment != ""]}


FAULTS: Mapping[str, Fault] = {
    "cuts_segment_at_encoded_semicolon": changes_segments(cut_at_encoded_semicolon),
    "decodes_plus_in_segments_as_form": changes_segments(decoded_as_form),
    "decodes_segments_again_as_form": changes_segments(decoded_again_as_form),
    "decodes_segments_twice": decodes("http", segments_decoded_again),
    "drops_empty_segments": decodes("http", not_empty),
    "leaves_encoded_segments": decodes("http", as_written),
    "removes_dot_segments": decodes("http", dots_removed),
    "replaces_plus_by_space_in_present_segments": decodes(
        "http", lambda view, _: {"segments": plus_replaced(view)} if view["segments"] else {}
    ),
    "replaces_plus_by_space_in_search": decodes(
        "http",
        lambda view, _: (
            {"search": view["search"].replace("+", " ")} if isinstance(view["search"], str) else {}
        ),
    ),
    "replaces_plus_by_space_in_segments": decodes("http", lambda view, _: {"segments": plus_replaced(view)}),
    "splits_present_segments_after_decoding": decodes(
        "http", lambda view, url: split_after_decoding(view, url) if view["segments"] else {}
    ),
    "splits_search_after_decoding": decodes("http", search_after_decoding),
    "splits_segments_after_decoding": decodes("http", split_after_decoding),
}
