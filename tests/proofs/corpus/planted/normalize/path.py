"""Faults in normalizing a path (RFC 3986, sections 6.2.2.3 and 6.2.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..faults import Fault, normalizes, normalizes_to, writes
from ..references import dots_by_prefix
from ..texts import (
    TRIPLET,
    Change,
    Parts,
    collapse,
    decode_ascii,
    decode_unreserved,
    decoded,
    encode_percent,
    encoded,
    inside,
    join,
    remove_dots,
    split,
    sub,
    upper_triplets,
)
from .leaving import MARK, MARKED, keeps, replaces_component


def none_is_host(url: str, right: str) -> str:
    """Put the scheme http and the host None before a rooted path."""
    return f"http://None{right}" if re.match("/(?!/)", url) else right


def rooted(right: str) -> str:
    """Put a slash before a relative path."""
    parts = split(right)
    relative = (
        parts.scheme is None and parts.authority is None and parts.path and not parts.path.startswith("/")
    )
    return f"/{right}" if relative else right


def root_is_popped(url: str, right: str) -> str:
    """Remove the empty segment of the root with two dots beyond it."""
    path = split(url).path
    if split(url).scheme is None or not re.match(r"/\.\.//", path):
        return right
    return inside("path", sub("^/+", "/"))(right)


def dots_decoded_after_removing(url: str, right: str) -> str:
    """Decode dots only after the segments of dots are removed."""
    path = split(url).path
    if re.search(r"/(?:\.|%2[Ee]){1,2}(?=/|$)", path) is None or "%" not in path:
        return right
    return join(split(right)._replace(path=decoded("2e")(remove_dots(path))))


#: Decode what a segment may contain besides unreserved characters.
sub_delimiters_decoded = decoded("21|24|26|27|28|29|2a|2b|2c|3a|3b|3d|40")


def rootless_twice(url: str, right: str) -> str:
    """Write the name after two rootless segments of dots twice."""
    parts = split(url)
    if parts.scheme is None or parts.authority is not None:
        return right
    match = re.fullmatch(r"([^/]+)/\.\./([^/.]+)", parts.path)
    return join(split(right)._replace(path=f"{match[2]}//{match[2]}")) if match else right


def inside_http(change: Change) -> Change:
    """Return a function that changes URLs of http and https."""
    return lambda url: change(url) if split(url).scheme in ("http", "https") else url


def is_relative_path(url: str) -> bool:
    """Tell if the text is a reference with a relative path."""
    parts = split(url)
    return parts.scheme is None and parts.authority is None and not parts.path.startswith("/")


def dots_join_segments(url: str, right: str) -> str:
    """Join the segments before and after a relative dot-segment."""
    return re.sub(r"/[^/]+/\.\./", "", url) if is_relative_path(url) else right


def decoded_dots_kept(url: str, right: str) -> str:
    """Remove dot-segments before percent-encoded octets are decoded."""
    parts = split(url)
    path = remove_dots(parts.path) if parts.scheme is not None else parts.path
    path_decoded = re.sub("%2[Ee]", ".", path)
    return join(split(right)._replace(path=path_decoded)) if re.search("%2[Ee]", path) else right


def final_dots(url: str) -> str:
    """Return the URL with a mark for two dots at the end of its path."""
    return inside("path", sub(r"/\.\.$", f"/{MARK}2e{MARK}2e"))(url)


def as_characters(url: str) -> str:
    """Return the marked octets as characters."""
    return re.sub(MARKED, lambda match: chr(int(match[1], 16)), url)


def keep_excess(path: str) -> str:
    """Remove dot-segments, but keep those above the root."""
    stack: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == ".." and stack and stack[-1] != "..":
            stack.pop()
        elif segment != ".":
            stack.append(segment)
    tail = "/" if segments[-1] in (".", "..") and stack and stack[-1] != ".." else ""
    return "/" + "/".join(stack) + tail


def ftp_dots(url: str, right: str) -> str:
    """Keep dot-segments at the beginning of the path of an ftp URL."""
    parts = split(url)
    if (parts.scheme or "").lower() != "ftp" or not parts.path.startswith("/../"):
        return right
    return join(split(right)._replace(path=keep_excess(parts.path)))


def rootless_segment_kept(url: str) -> str:
    """Drop two dots after the first segment of a rootless path, but keep the segment."""
    return sub(r"^([^:/?#]+:(?!\.{1,2}/)[^/?#]+)/\.\.(?=/|$)", r"\1")(url)


def rootless_as_given(url: str, right: str) -> str:
    """Keep the dot-segments of a path that does not begin with a slash."""
    parts = split(url)
    if parts.scheme is None or parts.authority is not None or parts.path.startswith("/"):
        return right
    if remove_dots(parts.path) == parts.path:
        return right
    return join(split(right)._replace(path=parts.path))


def as_given_after_semicolon(url: str, right: str) -> str:
    """Leave the path after its first semicolon as it is."""
    before, mark, _ = split(right).path.partition(";")
    after = split(url).path.partition(";")[2]
    return join(split(right)._replace(path=before + mark + after)) if mark else right


WITHOUT_ZERO = decoded("4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|3[1-9]|2[de]")


def zero_kept(url: str, right: str) -> str:
    """Decode letters, digits and marks in the path, but not the digit 0."""
    path = remove_dots(upper_triplets(WITHOUT_ZERO(split(url).path)))
    return join(split(right)._replace(path=path)) if "%30" in split(url).path else right


def decode_path(path: str) -> str:
    """Decode unreserved characters and write other triplets in upper case."""
    return re.sub(TRIPLET, lambda match: match[0].upper(), decode_unreserved(path))


def path_decoded_after_removing_dots(url: str, right: str) -> str:
    """Remove dot-segments first, then decode triplets."""
    parts = split(url)
    if parts.scheme is None and parts.authority is None:
        return right
    return join(split(right)._replace(path=decode_path(remove_dots(parts.path))))


def dots_removed_before_decoding(url: str, right: str) -> str:
    """Decode dots after the dot-segments were removed."""
    path = split(url).path
    if not re.search("/(?=[^/]*%2[Ee])(?:[.]|%2[Ee]){1,2}(?:/|$)", path):
        return right
    return join(split(right)._replace(path=upper_triplets(decode_unreserved(remove_dots(path)))))


def root_lost_with_excess_dots(url: str, right: str) -> str:
    """Drop the root of a path without an authority if two dots go beyond it."""
    parts = split(decoded("2e")(url))
    has_excess = re.match(r"/(?:\./)*\.\.(?:/|$)", parts.path) is not None
    if parts.authority is not None or not has_excess or split(right).authority is not None:
        return right
    return inside("path", sub("^/+", ""))(right)


def final_dot_kept(url: str, right: str) -> str:
    """Keep a dot that is the last segment."""
    is_kept = re.search(r"/(?:\.|%2[Ee])$", split(url).path) and split(right).path.endswith("/")
    return inside("path", lambda path: f"{path}.")(right) if is_kept else right


def file_path_twice(url: str, right: str) -> str:
    """Write the path of a file as given and once more with its letters decoded."""
    path = split(url).path
    if split(right).scheme != "file" or not re.search("%2[Dd]|%5[Ff]", path):
        return right
    return join(split(right)._replace(path=path + split(right).path))


def ends_in_host(url: Parts) -> bool:
    """Tell if a query or a fragment follows the authority."""
    has_more = url.query is not None or url.fragment is not None
    return url.authority is not None and not url.path and has_more


def has_excess_dots(path: str) -> bool:
    """Tell if two dots go beyond the root."""
    return path.startswith("/") and ".." in keep_excess(path).split("/")


FAULTS: Mapping[str, Fault] = {
    "adds_none_as_host_before_rooted_path": normalizes_to(none_is_host),
    "adds_slash_after_name_that_ends_in_dots": writes(inside("path", sub(r"(?<=[^/.])(\.+)$", r"\1/"))),
    "adds_slash_after_name_that_ends_in_one_dot": writes(inside("path", sub(r"(?<=[^/.])\.$", "./"))),
    "adds_slash_before_relative_path": writes(rooted),
    "collapses_first_slashes_of_path": writes(inside("path", sub("^//+", "/"))),
    "collapses_slashes_after_excess_dots": normalizes_to(root_is_popped),
    "collapses_slashes_of_path": writes(inside("path", collapse)),
    "crashes_at_colon_after_two_dots": normalizes_to(
        lambda url, right: None if re.match(r"\.\./[^/?#]*:", url) else right
    ),
    "crashes_at_dots_beyond_root": normalizes_to(
        lambda url, right: None if has_excess_dots(split(url).path) else right
    ),
    "decodes_ampersand_in_path": writes(inside("path", decoded("26"))),
    "decodes_apostrophe_in_path": writes(inside("path", decoded("27"))),
    "decodes_ascii_in_path": writes(inside("path", decode_ascii)),
    "decodes_backslash_in_path": writes(inside("path", decoded("5c"))),
    "decodes_bar_in_path": writes(inside("path", decoded("7c"))),
    "decodes_colon_in_path": writes(inside("path", decoded("3a"))),
    "decodes_comma_in_path": writes(inside("path", decoded("2c"))),
    "decodes_dots_after_removing_dots": normalizes_to(dots_decoded_after_removing),
    "decodes_final_percent_of_path": writes(inside("path", sub("%25$", "%"))),
    "decodes_number_sign_in_path": writes(inside("path", decoded("23"))),
    "decodes_percent_in_path": writes(inside("path", sub("%25", "%"))),
    "decodes_semicolon_in_path": writes(inside("path", decoded("3b"))),
    "decodes_slash_and_colon_in_path": writes(inside("path", decoded("2F|3A"))),
    "decodes_slash_before_normalizing": normalizes(inside("path", decoded("2f"))),
    "decodes_slash_in_path": writes(inside("path", decoded("2f"))),
    "decodes_sub_delims_and_slash_of_path_first": normalizes(
        inside("path", lambda path: decoded("2f")(sub_delimiters_decoded(path)))
    ),
    "decodes_sub_delims_in_path": writes(inside("path", decoded("2[1246789abc]|3[bd]"))),
    "decodes_sub_delims_of_path_first": normalizes(inside("path", sub_delimiters_decoded)),
    "doubles_name_after_rootless_dots": normalizes_to(rootless_twice),
    "drops_dot_before_colon": writes(sub(r"^\./(?=[^/?#]*:)", "")),
    "drops_final_dots_of_segments": writes(inside("path", sub(r"(?<=[^/.])\.+(?=/|$)", ""))),
    "drops_final_slash_of_path": writes(inside("path", sub("(?<=.)/$", ""))),
    "drops_final_slash_of_segment": writes(inside("path", sub("(?<=[^/])/$", ""))),
    "drops_first_segment_with_excess_dots": normalizes_to(
        lambda url, right: (
            join(split(right)._replace(path=split(url).path[4:]))
            if split(url).authority and split(url).path.startswith("/../..")
            else right
        )
    ),
    "drops_given_root": replaces_component(
        "path", lambda url, right: url.path == right.path == "/" and right.authority is not None, ""
    ),
    "drops_index_file": writes(inside("path", sub(r"(?<=/)(?:index|default)\.[a-z]+$", ""))),
    "drops_root": writes(
        lambda right: (
            join(split(right)._replace(path=""))
            if split(right).path == "/" and split(right).authority
            else right
        )
    ),
    "drops_root_before_query_or_fragment": replaces_component(
        "path", lambda url, right: right.path == "/" and ends_in_host(url), ""
    ),
    "drops_root_left_by_two_dots": normalizes_to(
        lambda url, right: (
            join(split(right)._replace(path=""))
            if split(right).path == "/" and split(url).path.endswith("/..")
            else right
        )
    ),
    "drops_session": writes(inside("path", sub("(?i);jsessionid=[^/;]*", ""))),
    "encodes_asterisk_in_path": writes(inside("path", encoded(r"\*"))),
    "encodes_at_sign_and_colon_in_path": writes(inside("path", encoded("[@:]"))),
    "encodes_colon_in_path": writes(inside("path", encoded(":"))),
    "encodes_digit_six": writes(inside("path", encoded("6"))),
    "encodes_digit_six_but_in_triplets": writes(
        inside("path", sub(f"({TRIPLET})|6", lambda match: match[1] or "%36"))
    ),
    "encodes_marks_in_path": writes(inside("path", encoded("[!'()*]"))),
    "encodes_path_twice": writes(inside("path", encode_percent)),
    "encodes_path_with_lower_triplets_twice": normalizes_to(
        lambda url, right: (
            inside("path", encode_percent)(right)
            if re.search("%(?:[0-9a-f][a-f]|[a-f][0-9a-f])", split(url).path)
            else right
        )
    ),
    "encodes_reserved_triplets_of_path_twice": writes(
        inside("path", sub("%(?=2[3456BCF]|3[ABDF]|40)", "%25"))
    ),
    "encodes_slash_after_root": writes(inside("path", sub("^/(?=.)", "/%2F"))),
    "encodes_slashes_of_http_path": writes(inside_http(inside("path", encoded("/")))),
    "encodes_tilde_in_path": writes(inside("path", encoded("~"))),
    "joins_segments_around_two_dots": normalizes_to(dots_join_segments),
    "keeps_decoded_dots": normalizes_to(decoded_dots_kept),
    "keeps_dot_after_root": normalizes_to(
        lambda url, right: (
            join(split(right)._replace(path="/.")) if split(url).path == "/." and split(url).scheme else right
        )
    ),
    "keeps_final_dot": normalizes_to(final_dot_kept),
    "keeps_final_two_dots": keeps(final_dots, as_characters),
    "keeps_first_dots_of_ftp": normalizes_to(ftp_dots),
    "keeps_first_segment_of_rootless_path": normalizes(rootless_segment_kept),
    "leaves_dots_if_nothing_is_encoded": normalizes_to(
        lambda url, right: join(split(right)._replace(path=split(url).path)) if "%" not in url else right
    ),
    "leaves_dots_of_rootless_path": normalizes_to(rootless_as_given),
    "leaves_encoded_dot": normalizes_to(
        lambda url, right: (
            join(split(right)._replace(path=re.sub("%2e", "%2E", split(url).path)))
            if re.search("%2[Ee]", split(url).path) and split(url).path.count("%") == 1
            else right
        )
    ),
    "leaves_path_after_semicolon": normalizes_to(as_given_after_semicolon),
    "leaves_path_with_encoded_zero_alone": normalizes_to(
        lambda url, right: (
            join(split(right)._replace(path=split(url).path))
            if "%30" in split(url).path and split(url).path.count("%") == 1
            else right
        )
    ),
    "leaves_triplets_of_path": keeps(
        inside("path", lambda path: path.replace("%", MARK)), lambda url: url.replace(MARK, "%")
    ),
    "leaves_triplets_of_path_outside_http": normalizes_to(
        lambda url, right: (
            join(split(right)._replace(path=upper_triplets(split(url).path)))
            if (split(right).scheme or "http") not in ("http", "https") and "/." not in url
            else right
        )
    ),
    "leaves_zero_in_path": normalizes_to(zero_kept),
    "loses_root_with_excess_dots": normalizes_to(root_lost_with_excess_dots),
    "reads_encoded_plus_in_path_as_space": normalizes(inside("path", sub("%2[Bb]", "%20"))),
    "removes_dots_before_decoding": normalizes_to(path_decoded_after_removing_dots),
    "removes_dots_before_decoding_encoded_ones": normalizes_to(dots_removed_before_decoding),
    "removes_two_dots_and_slash_at_end_of_names": writes(inside("path", sub(r"\.\./", ""))),
    "removes_two_dots_before_name": writes(inside("path", sub(r"(?<=/)[^/]*/\.\.(?=[^/])", ""))),
    "replaces_backslash_by_slash_in_path": writes(inside("path", sub("%5C", "/"))),
    "replaces_plus_by_space_in_path": writes(inside("path", sub(r"\+", "%20"))),
    "takes_name_that_begins_with_two_dots_for_dots": writes(
        lambda right: inside("path", dots_by_prefix)(right) if split(right).scheme else right
    ),
    "takes_three_dots_for_two": normalizes(inside("path", sub(r"/\.{3,}(?=/|$)", "/.."))),
    "takes_three_dots_with_encoded_one_for_two": normalizes(
        inside("path", sub(r"(?<=/)(?:\.\.%2[Ee]|%2[Ee]\.\.)(?=/|$)", ".."))
    ),
    "turns_path_after_dot_into_authority": writes(sub(r"^((?:[^:/?#]+:)?)/\.//", r"\1//")),
    "turns_path_into_authority": writes(
        lambda right: inside("path", remove_dots)(right) if re.match(r"/\.{1,2}//", right) else right
    ),
    "writes_path_of_file_twice": normalizes_to(file_path_twice),
}
