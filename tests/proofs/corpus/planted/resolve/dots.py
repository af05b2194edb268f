"""Faults in removing dot-segments while a reference is resolved (RFC 3986, section 5.2.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..faults import Fault
from ..references import (
    below,
    changes_target,
    dots_by_prefix,
    fails,
    is_bare,
    is_local,
    is_network_path,
    is_path,
    is_relative,
    is_rooted,
    keeps_base,
    keeps_dots,
    merge,
    merges,
    removes_dots,
    resolves,
    resolves_if,
    resolves_to,
    resolves_when,
    target,
)
from ..texts import Parts, collapse, inside, join, remove_dots, split, sub


def slash_after_final_dot(path: str) -> str:
    """Write a slash after a path that ends in a dot."""
    removed = remove_dots(path)
    return f"{removed}/" if removed.endswith(".") else removed


def join_base_segments(base: Parts, path: str) -> str:
    """Merge, and collapse the slashes of the directory of the base."""
    merged = merge(base, path)
    length = len(merged) - len(path)
    return collapse(merged[:length]) + path


def no_final_slash(_base: Parts, _reference: Parts, right: Parts) -> Parts:
    """Lose the slash at the end of a path."""
    return right._replace(path=right.path[:-1]) if len(right.path) > 1 and right.path.endswith("/") else right


def ends_in_dots(path: str) -> bool:
    """Tell if the last segment of a path is a dot-segment."""
    return path.rpartition("/")[2] in (".", "..")


def no_root_slash(path: str) -> str:
    """Remove dot-segments, and the root if the last one leads there."""
    removed = remove_dots(path)
    return "" if ends_in_dots(path) and removed == "/" else removed


def root_lost(path: str) -> str:
    """Remove dot-segments, and the root if two dots leave nothing else."""
    removed = remove_dots(path)
    return "" if removed == "/" and ".." in path else removed


def dots_without_final_slash(path: str) -> str:
    """Remove dot-segments, and the slash that a final one leaves."""
    removed = remove_dots(path)
    return removed.rstrip("/") or "/" if re.search(r"(?:^|/)\.{1,2}$", path) else removed


def one_folder_too_many(base: Parts, reference: Parts) -> Parts:
    """Return the target of a reference whose second segment also goes up from the base."""
    match = re.fullmatch(r"\./[^/]+/\.\./(.*)", reference.path)
    return target(base, reference._replace(path=f"../{match[1]}") if match else reference)


def two_levels(path: str) -> str:
    """Go up two levels at most."""
    for _ in range(2):
        path = re.sub(r"/(?!\.\./)[^/]+/\.\.(?=/|$)", "", path, count=1)
    return re.sub(r"/\.\.?(?=/|$)", "", path) or "/"


def last_slash_lost(path: str) -> str:
    """Make two slashes at the end one."""
    removed = remove_dots(path)
    return removed[:-1] if path.endswith("//") and removed.endswith("//") else removed


def dots_above_root_kept(path: str) -> str:
    """Return the path without dot-segments, but with the double dots that lead above its root."""
    output: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == ".." and output and output[-1] != "..":
            output.pop()
        elif segment != ".":
            output.append(segment)
    ended = segments[-1] == "." or (segments[-1] == ".." and (not output or output[-1] != ".."))
    return "/" + "/".join(output) + ("/" if ended and output else "")


def perl_dots(base: Parts, reference: Parts) -> Parts:
    """Return a target with the double dots of a relative path that lead above the root."""
    merged = merge(base, reference.path)
    if not is_local(reference) or reference.path[:1] in ("", "/") or not merged.startswith("/"):
        return target(base, reference)
    return target(base, reference, dots=dots_above_root_kept)


def dots_beyond_root(path: str) -> str:
    """Remove dot-segments, but not the two dots that lead above the first segment."""
    output: list[str] = []
    *segments, last = path.split("/")
    for segment in segments:
        if segment == ".." and output and output[-1] not in ("", ".."):
            output.pop()
        elif segment != ".":
            output.append(segment)
    if last == ".." and len(output) > 1:
        output.pop()
    if last in (".", ".."):
        last = ""
    return "/".join([*output, last])


def dots_kept_of_absolute(base: Parts, reference: Parts) -> Parts:
    """Keep the dot-segments of a reference with a scheme or an authority."""
    absolute = reference.scheme is not None or reference.authority is not None
    return target(base, reference, dots=str) if absolute else target(base, reference)


def excess(path: str) -> int:
    """Count the `..` of a rooted path that have nothing to remove."""
    depth = 0
    count = 0
    for segment in path.split("/")[1:]:
        if segment == ".." and depth:
            depth -= 1
        elif segment == "..":
            count += 1
        elif segment != ".":
            depth += 1
    return count


def excess_kept(path: str) -> str:
    """Leave excess `..` at the beginning of a path that begins and ends with a slash."""
    rooted = path.startswith("/") and path.endswith("/")
    return "/.." * excess(path) + remove_dots(path) if rooted else remove_dots(path)


def first_segment_kept(base: Parts, reference: Parts) -> Parts:
    """Return a target in which no dot-segment removes the first segment of the base."""
    head, _, rest = base.path.partition("/")
    path = remove_dots(f"/{rest[: rest.rfind('/') + 1]}{reference.path}")
    return Parts(base.scheme, base.authority, head + path, reference.query, reference.fragment)


def rootless_kept(path: str) -> str:
    """Keep the first segment of a path without a slash before it."""
    return path if path.startswith("/") else re.sub(r"^([^/]+)/\.\.(?=/|$)", r"\1", path)


def single_dots_kept(path: str) -> str:
    """Remove dot-segments, but not single dots inside the path."""
    return remove_dots(path.replace("/./", "/%2E/")).replace("/%2E/", "/./")


def segments_before_dots(path: str) -> str:
    """Remove dot-segments, but let `..` stand after an empty segment."""
    if not path.startswith("/"):
        return remove_dots(path)
    output: list[str] = []
    for segment in path[1:].split("/"):
        if segment == ".." and output[-1:] != [""]:
            del output[-1:]
        elif segment != ".":
            output.append(segment)
    if path.endswith(("/.", "/..")) and output[-1:] != [".."]:
        output.append("")
    return "/" + "/".join(output)


def from_root_with_dots(base: Parts, reference: Parts) -> Parts:
    """Return the path of the reference below the root, with its dot-segments."""
    return Parts(base.scheme, base.authority, f"/{reference.path}", reference.query, reference.fragment)


def base_dots_as_segments(base: Parts, reference: Parts) -> Parts:
    """Let two dots remove a dot of the base as if it were another segment."""
    if not is_relative(reference) or "." not in base.path.split("/")[:-1]:
        return target(base, reference)
    output = base.path.split("/")[:-1]
    segments = reference.path.split("/")
    for segment in segments[:-1]:
        if segment == "..":
            output = output[:-1] if len(output) > 1 else output
        elif segment != ".":
            output.append(segment)
    last = segments[-1]
    if last == "..":
        output = output[:-1] if len(output) > 1 else output
    elif last == ".":
        output.append("")
    else:
        output.append(last)
    return target(base, reference)._replace(path="/".join(output))


def dots_of_the_rest(_base: Parts, _reference: Parts, right: Parts) -> Parts | str:
    """Remove dot-segments from query and fragment, as if they were part of the path."""
    rest = join(Parts(None, None, right.path, right.query, right.fragment))
    return join(Parts(right.scheme, right.authority, "", None, None)) + remove_dots(rest)


def colon_in_first_segment(reference: Parts) -> bool:
    """Tell if the first segment after a scheme has a colon."""
    first = reference.path.partition("/")[0]
    return reference.scheme is not None and reference.authority is None and ":" in first


def dots_beyond_authority(base: Parts, reference: Parts) -> Parts | str:
    """Remove dot-segments from authority and path together, so that two dots can remove the host."""
    resolved = target(base, reference, dots=str)
    if resolved.authority is None or reference.authority is not None:
        return target(base, reference)
    path = remove_dots(f"/{resolved.authority}{resolved.path}")
    return f"{resolved.scheme}:/{join(Parts(None, None, path, resolved.query, resolved.fragment))}"


FAULTS: Mapping[str, Fault] = {
    "adds_slash_after_name_that_ends_in_dot": removes_dots(slash_after_final_dot),
    "appends_rooted_path_to_base_path_without_removing_dots": resolves_to(
        lambda base, reference, right: (
            join(split(right)._replace(path=base.path.rstrip("/") + reference.path))
            if is_rooted(reference)
            else right
        )
    ),
    "collapses_slashes": removes_dots(lambda path: collapse(remove_dots(path))),
    "collapses_slashes_after_dot": removes_dots(lambda path: remove_dots(re.sub(r"/\.//+", "/./", path))),
    "collapses_slashes_at_root": removes_dots(lambda path: re.sub("^/{2,}", "/", remove_dots(path))),
    "collapses_slashes_of_base_directory": merges(join_base_segments),
    "drops_all_first_dots": resolves_if(
        is_relative,
        lambda base, reference: below(base, reference, re.sub(r"^(?:\.\.?/)+", "", reference.path)),
    ),
    "drops_dot_at_end_of_segment": removes_dots(lambda path: remove_dots(re.sub(r"(?<=[^/.])\./", "", path))),
    "drops_dot_of_hidden_name": removes_dots(lambda path: remove_dots(re.sub(r"/\.(?=[^./])", "/", path))),
    "drops_dots_of_name_at_beginning": removes_dots(
        lambda path: remove_dots(path.lstrip(".") if re.match(r"\.{1,2}[^./]", path) else path)
    ),
    "drops_empty_last_segment": removes_dots(lambda path: re.sub("//$", "/", remove_dots(path))),
    "drops_final_slash": changes_target(no_final_slash),
    "drops_final_slash_of_local_path": resolves_if(
        is_path,
        lambda base, reference: target(base, reference)._replace(
            path=re.sub("(?<=[^/])/$", "", target(base, reference).path)
        ),
    ),
    "drops_first_two_dots": resolves_if(
        is_relative,
        lambda base, reference: target(
            base, reference._replace(path=re.sub(r"^(?:\.\./)+(?=.)", "", reference.path))
        ),
    ),
    "drops_first_two_dots_of_file": resolves_when(
        lambda base, reference: base.scheme == "file" and is_relative(reference),
        lambda base, reference: target(
            base, reference._replace(path=re.sub(r"^(?:\.\./)+", "", reference.path))
        ),
    ),
    "drops_root_after_final_dots": removes_dots(no_root_slash),
    "drops_root_left_by_two_dots": removes_dots(root_lost),
    "drops_root_of_rootless_base": changes_target(
        lambda base, reference, right: (
            right._replace(path=right.path.lstrip("/"))
            if right.authority is None
            and is_path(reference)
            and not f"{base.path}{reference.path}".startswith("/")
            and not reference.path.startswith("/")
            else right
        )
    ),
    "drops_root_with_excess_dots": changes_target(
        lambda base, reference, right: (
            right._replace(path=right.path.lstrip("/"))
            if base.authority
            and is_path(reference)
            and "/../.." in f"{merge(base, '')}{reference.path}"
            and right.path.count("/") < 3
            else right
        )
    ),
    "drops_slash_after_final_dots": removes_dots(dots_without_final_slash),
    "drops_slash_after_final_two_dots": removes_dots(
        lambda path: re.sub("(?<=.)/$", "", remove_dots(path)) if path.endswith("/..") else remove_dots(path)
    ),
    "drops_slash_with_excess_dots_of_bare_base": resolves_to(
        lambda base, reference, right: (
            join(Parts(base.scheme, base.authority, reference.path[3:], reference.query, reference.fragment))
            if base.path in ("", "/") and reference.path.startswith("../")
            else right
        )
    ),
    "drops_two_dots_of_rooted_path": resolves_if(
        is_rooted, lambda base, reference: target(base, reference, dots=sub(r"/\.\.(?=/|$)", ""))
    ),
    "encodes_fragment_after_final_dots_into_path": changes_target(
        lambda _base, reference, right: (
            right._replace(path=f"{right.path}%23{right.fragment}", fragment=None)
            if right.fragment and re.search(r"(?:^|/)\.\.?$", reference.path)
            else right
        )
    ),
    "fails_at_final_dot": resolves_if(
        lambda reference: re.search(r"(?:^|/)\.$", reference.path) is not None, fails
    ),
    "fails_at_two_dots_after_bare_host": resolves_when(
        lambda base, reference: not base.path and is_path(reference) and reference.path.startswith("../"),
        fails,
    ),
    "goes_up_once_too_often": resolves_if(is_relative, one_folder_too_many),
    "goes_up_two_levels_at_most": removes_dots(
        lambda path: two_levels(path) if path.count("..") > 2 else remove_dots(path)
    ),
    "joins_two_final_slashes": removes_dots(last_slash_lost),
    "keeps_dot_before_query_or_fragment": resolves_if(
        lambda reference: reference.path == "." and (reference.query, reference.fragment) != (None, None),
        keeps_dots,
    ),
    "keeps_dots": removes_dots(str),
    "keeps_dots_above_root": resolves(perl_dots),
    "keeps_dots_after_empty_base_path": resolves_when(
        lambda base, reference: not (base.path or reference.scheme or reference.authority is not None),
        keeps_dots,
    ),
    "keeps_dots_beyond_root": resolves_when(
        lambda base, reference: base.path.count("/") <= 1 and reference.path.startswith("../"), keeps_dots
    ),
    "keeps_dots_beyond_root_by_segments": removes_dots(dots_beyond_root),
    "keeps_dots_of_absolute_reference_and_network_path": resolves(dots_kept_of_absolute),
    "keeps_dots_of_network_path": resolves_if(is_network_path, keeps_dots),
    "keeps_dots_of_path_that_is_not_merged": resolves_if(
        lambda reference: not is_relative(reference), keeps_dots
    ),
    "keeps_dots_of_relative_path": resolves_if(is_relative, keeps_dots),
    "keeps_dots_of_rooted_path": resolves_if(is_rooted, keeps_dots),
    "keeps_excess_dots_before_final_slash": resolves_if(
        is_relative, lambda base, reference: target(base, reference, dots=excess_kept)
    ),
    "keeps_final_dots_of_rooted_path": resolves_if(
        lambda reference: is_local(reference) and re.search(r"^/.*/\.{1,2}$", reference.path) is not None,
        lambda base, reference: reference._replace(scheme=base.scheme, authority=base.authority),
    ),
    "keeps_first_segment_of_package": resolves_when(
        lambda base, reference: (
            is_relative(reference) and base.scheme == "package" and not base.path.startswith("/")
        ),
        first_segment_kept,
    ),
    "keeps_first_segment_of_rootless_path": removes_dots(lambda path: remove_dots(rootless_kept(path))),
    "keeps_inner_dots": removes_dots(single_dots_kept),
    "keeps_two_dots_after_empty_segment": removes_dots(segments_before_dots),
    "keeps_two_dots_alone": resolves_if(
        lambda reference: is_path(reference) and reference.path == "..", keeps_dots
    ),
    "merges_params_without_removing_dots": resolves_to(
        lambda base, reference, right: (
            join(split(right)._replace(path=merge(base, reference.path)))
            if is_path(reference) and reference.path.startswith(";")
            else right
        )
    ),
    "merges_without_slash_and_keeps_dots": resolves_when(
        lambda base, reference: is_bare(base) and is_relative(reference),
        lambda base, reference: base._replace(
            path=reference.path, query=reference.query, fragment=reference.fragment
        ),
    ),
    "puts_relative_path_at_root_with_dots": resolves_if(is_relative, from_root_with_dots),
    "removes_dots_of_authority_and_path": resolves(dots_beyond_authority),
    "removes_dots_of_base_as_segments": resolves(base_dots_as_segments),
    "removes_dots_of_path_without_scheme": resolves_to(
        lambda _, reference, right: (
            inside("path", remove_dots)(right)
            if reference.scheme is None and reference.path.startswith("/")
            else right
        )
    ),
    "removes_dots_of_query_and_fragment": changes_target(dots_of_the_rest),
    "removes_dots_of_reference_first": resolves_if(
        is_relative,
        lambda base, reference: target(base, reference._replace(path=remove_dots(reference.path))),
    ),
    "removes_dots_of_reference_with_segment": resolves_if(
        is_relative,
        lambda base, reference: target(
            base, reference._replace(path=re.sub(r"[^/]+/\.\./", "", reference.path))
        ),
    ),
    "removes_dots_of_rooted_path": resolves_to(
        lambda _base, reference, right: inside("path", remove_dots)(right) if is_rooted(reference) else right
    ),
    "removes_dots_with_params": removes_dots(
        lambda path: remove_dots(re.sub(r"(?<=/)(\.\.?);[^/]*(?=/)", r"\1", path))
    ),
    "removes_empty_segment_and_two_dots": removes_dots(
        lambda path: remove_dots(re.sub(r"//\.\.(?:/|$)", "", path))
    ),
    "removes_encoded_dots": removes_dots(
        lambda path: remove_dots(
            re.sub(r"(?<=/)(?:\.|%2[Ee]){1,2}(?=/|$)", lambda match: re.sub("%2[Ee]", ".", match[0]), path)
        )
    ),
    "removes_excess_dots": resolves_to(
        lambda _, reference, right: (
            inside("path", remove_dots)(right)
            if is_relative(reference) and re.match(r"/\.\.(?:/|$)", split(right).path)
            else right
        )
    ),
    "resolves_dot_to_base": resolves_if(
        lambda reference: reference == Parts(None, None, "./", None, None), keeps_base
    ),
    "resolves_dots_alone_after_bare_host_to_nothing": resolves_when(
        lambda base, reference: is_bare(base) and reference.path in (".", "..", "./", "../"),
        lambda base, reference: target(base, reference)._replace(path=""),
    ),
    "takes_name_that_begins_with_two_dots_for_dots": removes_dots(dots_by_prefix),
    "takes_name_that_ends_in_two_dots_for_dots": removes_dots(
        lambda path: remove_dots(re.sub(r"(?<=/)[^/.][^/]*\.\.(?=/|$)", "..", path))
    ),
    "takes_network_path_for_path_without_dots": resolves_if(
        is_network_path,
        lambda base, reference: below(base, reference, f"//{reference.authority}{reference.path}"),
    ),
    "writes_dot_before_colon": resolves_if(
        colon_in_first_segment,
        lambda base, reference: target(base, reference)._replace(path=f"./{target(base, reference).path}"),
    ),
    "writes_plus_after_dots_of_base": resolves_when(
        lambda base, reference: base.path.endswith(("/.", "/..")) and is_relative(reference),
        lambda base, reference: target(base, reference._replace(path=f"+/{reference.path}")),
    ),
    "writes_two_dots_after_base": resolves_if(
        is_relative, lambda base, reference: f"{join(base)}/../{join(reference)}"
    ),
}
