"""Faults in merging the path of a reference with that of the base (RFC 3986, section 5.2.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from ..faults import REJECTED, Fault
from ..references import (
    appends_to_directory,
    below,
    changes_target,
    directory,
    fails,
    is_bare,
    is_fragment,
    is_network_path,
    is_path,
    is_query,
    is_relative,
    is_rooted,
    keeps_reference,
    merge,
    merges,
    merges_at_root,
    replaces_last_segment,
    resolves,
    resolves_if,
    resolves_when,
    target,
)
from ..texts import Parts, join, remove_dots


def slash_before_path(base: Parts, reference: Parts) -> Parts:
    """Return the target with a slash before its path."""
    resolved = target(base, reference)
    return resolved._replace(path="/" + resolved.path.lstrip("/"))


def appended(base: Parts, reference: Parts) -> Parts:
    """Return the path of the reference after the whole path of the base."""
    path = base.path.rstrip("/") + reference.path
    return Parts(base.scheme, base.authority, path, reference.query, reference.fragment)


def slash_in_base_query(base: Parts, reference: Parts) -> Parts | str:
    """Cut the base at a slash in its query."""
    if not is_relative(reference) or "/" not in (base.query or ""):
        return target(base, reference)
    whole = join(base._replace(fragment=None))
    return whole[: whole.rfind("/") + 1] + join(reference)


def no_slash_at_end(_base: Parts, reference: Parts, right: Parts) -> Parts:
    """Lose the slash at the end of a rootless path after a scheme."""
    rootless = (
        reference.scheme is not None and reference.authority is None and not reference.path.startswith("/")
    )
    return right._replace(path=right.path.removesuffix("/")) if rootless else right


def merge_keeping_first(base: Parts, path: str) -> str:
    """Keep the first character of a base path without a slash."""
    if base.authority is None and base.path and "/" not in base.path:
        return base.path[0] + path
    return merge(base, path)


def query_in_folder(base: Parts, reference: Parts) -> Parts:
    """Return a query in the directory of the base."""
    if not is_query(reference):
        return target(base, reference)
    return Parts(base.scheme, base.authority, directory(base), reference.query, reference.fragment)


def of_base_with_query(base: Parts, reference: Parts) -> Parts:
    """Take slashes in the query of the base for slashes of its path."""
    if reference.path and "/" in (base.query or ""):
        base = base._replace(path=f"{base.path}?{base.query}", query=None)
    return target(base, reference)


def below_base(base: Parts, reference: Parts) -> Parts:
    """Return a target below the whole path of the base."""
    return target(base, reference, merge=lambda base, path: f"{base.path.rstrip('/')}/{path}")


def glued(base: Parts, path: str) -> str:
    """Merge without a slash after an authority."""
    return directory(base) + path


def directory_with_fragment(base: Parts, reference: Parts) -> Parts:
    """Return the fragment in the directory of the base."""
    path = remove_dots(merge(base, ""))
    return base._replace(path=path, query=None, fragment=reference.fragment)


def base_as_directory(base: Parts, reference: Parts) -> Parts:
    """Put a slash after the path of the base."""
    return target(base if base.path.endswith("/") else base._replace(path=f"{base.path}/"), reference)


def merge_empty_marker(base: Parts, path: str) -> str:
    """Write a plus after an empty base path."""
    return f"/+/{path}" if is_bare(base) else merge(base, path)


def in_same_directory_again(base: Parts, reference: Parts) -> Parts:
    """Merge the path once more with the last directory of the base."""
    name = directory(base).rstrip("/").rpartition("/")[2]
    return (
        target(base, reference._replace(path=f"{name}/{reference.path}")) if name else target(base, reference)
    )


FAULTS: Mapping[str, Fault] = {
    "adds_slash_to_rootless_target": resolves_when(
        lambda base, reference: (
            is_relative(reference) and base.authority is None and not base.path.startswith("/")
        ),
        slash_before_path,
    ),
    "appends_mailto_to_directory": resolves_if(
        lambda reference: (reference.scheme or "").lower() == "mailto", appends_to_directory
    ),
    "appends_network_path_to_directory": resolves_if(is_network_path, appends_to_directory),
    "appends_rooted_path_to_base_path": resolves_if(is_rooted, appended),
    "appends_rooted_path_to_directory": resolves_if(is_rooted, appends_to_directory),
    "appends_scheme_with_mark_to_directory": resolves_if(
        lambda reference: re.search("[+.-]", reference.scheme or "") is not None, appends_to_directory
    ),
    "appends_to_base_path_without_slash": merges(
        lambda base, path: merge(base, path) if "/" in base.path else base.path + path
    ),
    "crashes_at_relative_path": resolves_if(is_relative, fails),
    "cuts_base_at_slash_in_query": resolves(slash_in_base_query),
    "cuts_base_path_at_semicolon": merges(
        lambda base, path: merge(base._replace(path=base.path.partition(";")[0]), path)
    ),
    "cuts_target_at_encoded_delimiter": resolves_when(
        lambda base, reference: re.search("%3[Ff]|%23", base.path) is not None and is_path(reference),
        lambda base, reference: target(base, reference)._replace(
            path=re.split("%3[Ff]|%23", target(base, reference).path)[0]
        ),
    ),
    "decodes_base_path": resolves_when(
        lambda base, reference: is_relative(reference) and not base.path.endswith("/"),
        lambda base, reference: target(base._replace(path=unquote(base.path)), reference),
    ),
    "decodes_path_of_reference": resolves(
        lambda base, reference: target(base, reference._replace(path=unquote(reference.path)))
    ),
    "doubles_slash_after_directory": changes_target(
        lambda base, reference, right: (
            right._replace(path=f"/{right.path}")
            if right and reference.path[:1] == "/" == base.path[-1:] and is_path(reference)
            else right
        )
    ),
    "doubles_slash_of_root": resolves_when(
        lambda base, reference: is_path(reference) and reference.path[0] not in "/." and base.path == "/",
        lambda base, reference: target(base, reference)._replace(path=f"//{reference.path}"),
    ),
    "doubles_slash_of_rooted_path_after_bare_host": resolves_when(
        lambda base, reference: is_bare(base) and is_rooted(reference),
        lambda base, reference: target(base, reference)._replace(path=f"/{reference.path}"),
    ),
    "doubles_slash_when_merging": resolves_when(
        lambda base, reference: is_relative(reference) and base.path.count("/") > 1,
        lambda base, reference: target(base, reference)._replace(path=f"{merge(base, '')}/{reference.path}"),
    ),
    "drops_encoded_slash_of_ftp_base": resolves_when(
        lambda base, reference: base.scheme == "ftp" and is_relative(reference),
        lambda base, reference: target(base._replace(path=re.sub("^/%2[Ff]/?", "/", base.path)), reference),
    ),
    "drops_final_slash_of_rootless_path": changes_target(no_slash_at_end),
    "drops_root_of_base_directory": resolves_when(
        lambda base, reference: (
            base.authority is not None and base.path.rfind("/") == 0 and is_relative(reference)
        ),
        lambda base, reference: target(base, reference, merge=lambda _, path: path),
    ),
    "fails_after_empty_base_path": resolves_when(
        lambda base, reference: (
            not base.path and reference.path and not reference.path.startswith("/") and not reference.scheme
        ),
        fails,
    ),
    "fails_at_path_after_bare_host": resolves_when(
        lambda base, reference: is_bare(base) and reference.scheme is None and bool(reference.path),
        fails,
    ),
    "fails_at_relative_path_after_bare_host": resolves_when(
        lambda base, reference: is_bare(base) and is_relative(reference),
        fails,
    ),
    "fails_at_relative_path_of_http": resolves_when(
        lambda base, reference: base.scheme in ("http", "https") and is_relative(reference),
        fails,
    ),
    "gives_directory_to_network_path": resolves_if(
        lambda reference: is_network_path(reference) and not reference.path, replaces_last_segment
    ),
    "keeps_first_character_of_base_path": merges(merge_keeping_first),
    "keeps_last_segment_of_base": resolves_when(
        lambda base, reference: is_relative(reference) and not base.path.endswith("/"),
        lambda base, reference: target(base, reference._replace(path=f"{base.path}/{reference.path}")),
    ),
    "keeps_only_segment_of_base": resolves_when(
        lambda base, reference: bool(base.path) and "/" not in base.path and is_relative(reference),
        lambda base, reference: target(base, reference, merge=lambda base, path: f"{base.path}/{path}"),
    ),
    "keeps_reference_to_rootless_base": resolves_when(
        lambda base, _: base.authority is None and not base.path.startswith("/"), keeps_reference
    ),
    "loses_all_but_directory_before_query": resolves(query_in_folder),
    "loses_opaque_path_of_base": resolves_when(
        lambda base, reference: base.authority is None and base.path[:1] != "/" and not reference.path,
        lambda base, reference: target(base, reference)._replace(path=""),
    ),
    "merges_after_slash_in_query": resolves(of_base_with_query),
    "merges_after_slash_in_query_of_file": resolves_when(
        lambda base, reference: (
            base.scheme == "file" and "/" in (base.query or "") and is_relative(reference)
        ),
        lambda base, reference: target(base._replace(path=f"{base.path}?{base.query}"), reference),
    ),
    "merges_after_slash_in_query_or_fragment": resolves_when(
        lambda base, reference: is_relative(reference) and "/" in (base.query or "") + (base.fragment or ""),
        lambda base, reference: join(base)[: join(base).rfind("/") + 1] + join(reference),
    ),
    "merges_after_two_slashes": resolves_when(
        lambda base, reference: base.path in ("", "/") and is_relative(reference),
        lambda base, reference: target(base, reference, merge=lambda _, path: f"//{path}"),
    ),
    "merges_at_root_after_empty_base_path": merges(
        lambda base, path: merge(base, path) if base.path else f"/{path}"
    ),
    "merges_below_last_segment": resolves(below_base),
    "merges_relative_path_at_root": resolves(merges_at_root),
    "merges_without_slash": merges(glued),
    "puts_path_of_one_character_at_root": resolves_if(
        lambda reference: is_relative(reference) and len(join(reference)) == 1,
        lambda base, reference: target(base, reference._replace(path=f"/{reference.path}")),
    ),
    "rejects_opaque_base": resolves_when(
        lambda base, reference: (
            base.authority is None
            and not base.path.startswith("/")
            and reference.scheme is None
            and (reference.authority is not None or reference.path or reference.query is not None)
        ),
        fails,
        REJECTED,
    ),
    "repeats_last_directory": resolves_if(is_relative, in_same_directory_again),
    "resolves_fragment_in_directory_without_query": resolves_if(is_fragment, directory_with_fragment),
    "resolves_network_path_of_file_from_directory": resolves_when(
        lambda base, reference: base.scheme == "file" and is_network_path(reference),
        lambda base, reference: below(base, reference, f"{reference.authority}{reference.path}"),
    ),
    "resolves_rooted_path_from_directory": resolves_if(
        is_rooted, lambda base, reference: target(base, reference._replace(path=f".{reference.path}"))
    ),
    "roots_rootless_base": resolves_when(
        lambda base, reference: (
            base.authority is None
            and bool(base.path)
            and not base.path.startswith("/")
            and is_relative(reference)
        ),
        lambda base, reference: target(base._replace(path=f"/{base.path}"), reference),
    ),
    "takes_base_for_directory": resolves(base_as_directory),
    "takes_base_for_directory_before_two_dots": resolves_if(
        lambda reference: is_relative(reference) and re.match(r"\.\.(?:/|$)", reference.path) is not None,
        base_as_directory,
    ),
    "takes_base_name_for_directory": resolves_when(
        lambda base, reference: not base.path.endswith("/") and is_relative(reference),
        lambda base, reference: target(base._replace(path=f"{base.path}/"), reference),
    ),
    "takes_base_with_path_for_directory": resolves_when(lambda base, _: base.path != "", base_as_directory),
    "writes_plus_after_empty_base_path": merges(merge_empty_marker),
}
