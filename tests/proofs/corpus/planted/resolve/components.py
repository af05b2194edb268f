"""Faults in choosing the components of a target (RFC 3986, section 5.2.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..faults import REJECTED, Fault
from ..references import (
    appends,
    below,
    changes_target,
    directory,
    fails,
    has_no_scheme,
    is_empty,
    is_fragment,
    is_local,
    is_network_path,
    is_path,
    is_query,
    is_relative,
    is_rooted,
    keeps_base,
    keeps_reference,
    merge,
    replaces_last_segment,
    resolves,
    resolves_if,
    resolves_to,
    resolves_when,
    target,
)
from ..texts import (
    Parts,
    collapse,
    decoded,
    encode_beyond_ascii,
    encode_percent,
    encoded,
    inside,
    join,
    split,
    sub,
)


def crash_at_two_slashes(base: Parts, reference: Parts) -> Parts | None:
    """End in an error if the path of the target would be read as an authority."""
    resolved = target(base, reference)
    return None if resolved.authority is None and resolved.path.startswith("//") else resolved


def query_decoded(base: Parts, reference: Parts) -> Parts:
    """Return the target with the reserved characters of the query of the reference decoded."""
    resolved = target(base, reference)
    if reference.query is None:
        return resolved
    return resolved._replace(query=decoded("21|24|26|27|28|29|2a|2b|2c|2f|3a|3b|3d")(reference.query))


def both_paths_decoded(base: Parts, reference: Parts) -> Parts:
    """Resolve paths whose slashes are decoded."""
    change = decoded("2f")
    return target(base._replace(path=change(base.path)), reference._replace(path=change(reference.path)))


def future_brackets_lost(base: Parts, reference: Parts) -> Parts:
    """Lose the brackets of an address of a future version that comes from the base."""
    resolved = target(base, reference)
    if reference.scheme is not None or reference.authority is not None or not resolved.authority:
        return resolved
    return resolved._replace(authority=re.sub(r"\[([vV][^\]]*)\]", r"\1", resolved.authority))


def brackets_lost(base: Parts, reference: Parts) -> Parts:
    """Lose the brackets in the authority of the reference."""
    resolved = target(base, reference)
    if not reference.authority:
        return resolved
    return resolved._replace(authority=re.sub(r"\[([0-9A-Fa-f:.]*)\]", r"\1", reference.authority))


def fragment_of_directory(base: Parts, reference: Parts) -> Parts:
    """Return the folder of the base for a reference that is only a fragment."""
    if not is_fragment(reference):
        return target(base, reference)
    return Parts(base.scheme, base.authority, directory(base), None, reference.fragment)


def base_login(base: Parts, reference: Parts) -> Parts:
    """Give the userinfo of the base to a network-path reference."""
    resolved = target(base, reference)
    if reference.scheme or reference.authority is None or "@" not in (base.authority or ""):
        return resolved
    if "@" in reference.authority:
        return resolved
    return resolved._replace(authority=f"{(base.authority or '').rpartition('@')[0]}@{reference.authority}")


def keeps_query(base: Parts, reference: Parts) -> Parts:
    """Return the target with the query of the base."""
    return target(base, reference)._replace(query=base.query)


def without_userinfo(authority: str | None) -> str | None:
    """Return an authority without its userinfo."""
    return authority and authority.rpartition("@")[2]


def port_after_path(base: Parts, reference: Parts) -> Parts:
    """Write the port of the base after the path."""
    port = re.search(r"(?::\d+)?$", base.authority or "")
    assert port is not None
    resolved = target(base._replace(authority=port.string[: port.start()]), reference)
    return resolved._replace(path=resolved.path + port[0])


def no_second_question_mark(_base: Parts, reference: Parts, right: str) -> str:
    """Write an ampersand for each question mark but the first, if the fragment has one."""
    before, mark, after = right.partition("?")
    return before + mark + after.replace("?", "&") if "?" in (reference.fragment or "") else right


def scheme_is_ignored(base: Parts, reference: Parts) -> Parts:
    """Resolve a reference with a scheme and no authority as if it were a path."""
    if reference.scheme is None or reference.authority is not None:
        return target(base, reference)
    return target(base, reference._replace(scheme=None))._replace(scheme=reference.scheme)


def encoded_host_in_path(base: Parts, reference: Parts, right: Parts) -> Parts:
    """Take a host that begins with a percent-encoding for a path."""
    if not (reference.authority or "").startswith("%"):
        return right
    path = f"/{reference.authority}{reference.path}"
    return Parts(reference.scheme or base.scheme, base.authority, path, reference.query, reference.fragment)


def first_segment_is_host(base: Parts, reference: Parts) -> Parts:
    """Take the first segment of the reference for its host."""
    host, slash, rest = reference.path.lstrip("/").partition("/")
    return target(base, reference._replace(authority=host, path=slash + rest))


def slash_as_authority(base: Parts, reference: Parts, right: Parts) -> Parts | str:
    """Take the first segment for the host if the scheme changes."""
    if reference.scheme in (None, base.scheme) or reference.authority is not None:
        return right
    if reference.scheme not in ("http", "https", "ftp", "gopher", "file") or not reference.path.startswith(
        "/"
    ):
        return right
    return join(reference).replace(":/", "://", 1)


def question_mark_in_fragment(base: Parts, reference: Parts) -> Parts:
    """Take a fragment alone with a question mark for a path and a query."""
    resolved = target(base, reference)
    alone = reference == Parts(None, None, "", None, reference.fragment)
    return (
        resolved._replace(path=merge(base, ""), query=None)
        if alone and "?" in (reference.fragment or "")
        else resolved
    )


def root_as_empty(base: Parts, reference: Parts, right: Parts) -> Parts:
    """Take a slash for an empty reference."""
    return base._replace(fragment=None) if is_local(reference) and join(reference) == "/" else right


#: Schemes that .NET knows.
KNOWN = ("http", "https", "ftp", "file", "mailto", "news", "urn", "tel")


def slashes_of_query_decoded(base: Parts, reference: Parts) -> Parts:
    """Return the target with the slashes of the query of the reference decoded and then collapsed."""
    query = reference.query
    if query is None:
        return target(base, reference)
    return target(base, reference._replace(query=collapse(decoded("2f")(query))))


def reference_as_file_name(base: Parts, reference: Parts) -> Parts:
    """Take the whole reference for a path, in which its delimiters are encoded."""
    return target(base, Parts(None, None, encoded("[?#]")(join(reference)), None, None))


FAULTS: Mapping[str, Fault] = {
    "adds_empty_authority_to_file": changes_target(
        lambda _base, _reference, right: (
            right._replace(authority="") if right.authority is None and right.scheme == "file" else right
        )
    ),
    "adds_http_to_network_path": resolves_if(is_network_path, lambda _, reference: f"http:{join(reference)}"),
    "adds_slash_after_authority": resolves_when(
        lambda base, reference: (
            target(base, reference).authority is not None and not target(base, reference).path
        ),
        lambda base, reference: target(base, reference)._replace(path="/"),
    ),
    "adds_slash_after_authority_of_reference": resolves_if(
        lambda reference: reference.authority is not None,
        lambda base, reference: target(base, reference)._replace(path=reference.path or "/"),
    ),
    "adds_slash_after_second_group_of_address": resolves_to(
        lambda _base, reference, right: (
            inside("authority", sub(r"^(\[[^:]*:[^:]*):", r"\1/:"))(right) if is_local(reference) else right
        )
    ),
    "adds_slash_before_query_alone": resolves_if(
        is_query,
        lambda base, reference: target(base, reference)._replace(path=re.sub("/?$", "/", base.path, count=1)),
    ),
    "appends_network_path": resolves_if(is_network_path, appends),
    "appends_query_to_that_of_base": resolves_when(
        lambda base, reference: is_query(reference) and base.query is not None,
        lambda base, reference: target(base, reference)._replace(query=f"{base.query}?{reference.query}"),
    ),
    "appends_reference_without_scheme": resolves_if(has_no_scheme, appends),
    "appends_rooted_path": resolves_if(is_rooted, appends),
    "begins_query_at_ampersand": resolves_when(
        lambda base, reference: is_path(reference) and reference.path[0] == "&" and base.query is None,
        lambda base, reference: f"{join(base)}?{join(reference)[1:]}",
    ),
    "collapses_first_slashes_of_base": resolves_if(
        lambda reference: reference[:3] == (None, None, ""),
        lambda base, reference: target(base._replace(path=re.sub("^//+", "/", base.path)), reference),
    ),
    "collapses_slashes_of_absolute_reference": resolves_if(
        lambda reference: reference.scheme is not None,
        lambda base, reference: target(base, reference._replace(path=collapse(reference.path))),
    ),
    "crashes_at_path_that_begins_with_two_slashes": resolves(crash_at_two_slashes),
    "decodes_and_collapses_slashes_of_query": resolves(slashes_of_query_decoded),
    "decodes_query": resolves_to(
        lambda _, reference, right: inside("query", decoded(".."))(right) if reference.query else right
    ),
    "decodes_reserved_in_query": resolves(query_decoded),
    "decodes_slash_and_space_in_path": resolves_to(
        lambda _base, _reference, right: inside("path", decoded("2f|20"))(right)
    ),
    "decodes_slashes_of_both_paths": resolves(both_paths_decoded),
    "doubles_slash_after_host_that_ends_in_three": resolves_when(
        lambda base, reference: (
            (base.authority or "").endswith(("3", "A")) and not base.path and is_rooted(reference)
        ),
        lambda base, reference: base._replace(
            path=f"/{reference.path}", query=reference.query, fragment=reference.fragment
        ),
    ),
    "drops_brackets_of_future_address_of_base": resolves(future_brackets_lost),
    "drops_brackets_of_reference": resolves(brackets_lost),
    "drops_brackets_of_target": resolves_to(
        lambda _base, _reference, right: inside("authority", sub(r"[\[\]]", ""))(right)
    ),
    "drops_empty_authority": changes_target(
        lambda _base, _reference, right: (
            right._replace(authority=None)
            if right.authority == "" and not right.path.startswith("//")
            else right
        )
    ),
    "drops_empty_authority_of_any_target": resolves_to(
        lambda _, reference, right: (
            join(split(right)._replace(authority=None))
            if split(right).authority == "" and reference.scheme is None
            else right
        )
    ),
    "drops_final_semicolon": resolves_to(
        lambda _base, reference, right: (
            inside("path", lambda path: path.removesuffix(";"))(right) if reference.path else right
        )
    ),
    "drops_final_slash_before_query": resolves_if(
        is_query, lambda base, reference: target(base, reference)._replace(path=base.path.rstrip("/"))
    ),
    "drops_last_segment_and_query_before_fragment": resolves_if(
        is_fragment,
        lambda base, reference: target(base, reference)._replace(path=merge(base, ""), query=None),
    ),
    "drops_last_segment_before_fragment": resolves(fragment_of_directory),
    "drops_last_segment_before_fragment_but_keeps_query": resolves_if(
        is_fragment,
        replaces_last_segment,
    ),
    "drops_last_segment_before_query": resolves_if(is_query, replaces_last_segment),
    "drops_last_segment_before_query_and_loses_params": resolves_to(
        lambda base, reference, right: (
            join(base._replace(path=merge(base, ""), query=reference.query))
            if join(reference).startswith("?") and reference.query
            else right
        )
    ),
    "drops_last_segment_for_empty_reference": resolves_to(
        lambda base, reference, right: (
            join(Parts(base.scheme, base.authority, merge(base, ""), None, None))
            if join(reference) == ""
            else right
        )
    ),
    "drops_root_before_query": resolves_when(
        lambda base, reference: is_query(reference) and base.path == "/",
        lambda base, reference: target(base, reference)._replace(path=""),
    ),
    "drops_slash_after_scheme": resolves_to(
        lambda base, reference, right: (
            right.replace("://", ":/", 1) if reference.scheme is None and base.authority else right
        )
    ),
    "drops_slash_before_query": resolves_to(lambda _base, _reference, right: re.sub(r"/\?", "?", right)),
    "drops_slash_of_file": resolves_if(
        lambda reference: (
            (reference.scheme or "").lower() == "file"
            and reference.authority == ""
            and not reference.path.startswith("//")
        ),
        lambda base, reference: re.sub("^([^:]*:)///", r"\1//", join(target(base, reference))),
    ),
    "encodes_all_beyond_ascii": resolves_to(lambda _base, _reference, right: encode_beyond_ascii(right)),
    "encodes_apostrophe": resolves_to(lambda _base, _reference, right: right.replace("'", "%27")),
    "encodes_equals_sign_in_query": resolves_to(
        lambda _base, _reference, right: inside("query", encoded("="))(right)
    ),
    "encodes_number_sign": resolves_to(lambda _base, _reference, right: right.replace("#", "%23", 1)),
    "encodes_path_of_base_twice": resolves(
        lambda base, reference: target(base._replace(path=encode_percent(base.path)), reference)
    ),
    "encodes_percent_of_reference": resolves(
        lambda base, reference: target(base, reference._replace(path=encode_percent(reference.path)))
    ),
    "encodes_query_into_path": changes_target(
        lambda _base, reference, right: (
            right._replace(path=f"{right.path}%3F{right.query}", query=None)
            if is_path(reference) and right.query is not None
            else right
        )
    ),
    "fails_at_absolute_reference_without_path": resolves_if(
        lambda reference: reference.scheme is not None and not reference.path, fails
    ),
    "fails_at_base_without_authority": resolves_when(lambda base, _: base.authority is None, fails),
    "fails_at_network_path": resolves_if(is_network_path, fails),
    "fails_at_path_with_colon": resolves_if(
        lambda reference: is_path(reference) and ":" in reference.path, fails
    ),
    "fails_at_rooted_path": resolves_if(is_rooted, fails),
    "fails_at_target_of_more_than_2048_characters": resolves_when(
        lambda base, reference: len(join(target(base, reference))) > 2048, fails
    ),
    "fails_without_scheme": resolves_if(has_no_scheme, fails),
    "gives_http_to_network_path": resolves_if(
        is_network_path, lambda base, reference: target(base, reference)._replace(scheme="http")
    ),
    "gives_https_to_network_path": resolves_if(
        is_network_path, lambda base, reference: target(base, reference)._replace(scheme="https")
    ),
    "gives_userinfo_of_base_to_other_authority": resolves(base_login),
    "ignores_root": resolves_if(
        lambda reference: is_path(reference) and reference.path == "/",
        lambda base, reference: target(base, reference._replace(path="")),
    ),
    "ignores_scheme_before_empty_authority": resolves_if(
        lambda reference: bool(reference.scheme) and reference.authority == "",
        lambda base, reference: target(base, reference._replace(scheme=None, authority=None)),
    ),
    "ignores_scheme_of_base": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference._replace(scheme=None)))
            if reference.scheme is not None
            and reference.authority is None
            and reference.scheme == base.scheme
            and reference.path
            else right
        )
    ),
    "joins_path_and_query": resolves_if(
        lambda reference: is_path(reference) and reference.query is not None,
        lambda base, reference: target(base, reference)._replace(
            path=f"{target(base, reference).path}{reference.query}", query=None
        ),
    ),
    "joins_path_and_query_before_fragment": resolves_when(
        lambda base, reference: is_fragment(reference) and base.query is not None,
        lambda base, reference: target(base, reference)._replace(path=f"{base.path}{base.query}", query=None),
    ),
    "keeps_absolute_reference_unresolved": resolves_if(
        lambda reference: reference.scheme is not None, lambda _, reference: reference
    ),
    "keeps_fragment_of_base": resolves_if(
        lambda reference: reference.fragment is None and reference.scheme is None,
        lambda base, reference: target(base, reference)._replace(fragment=base.fragment),
    ),
    "keeps_fragment_of_base_for_empty_reference": resolves_if(
        lambda reference: join(reference) == "", keeps_base
    ),
    "keeps_fragment_of_base_for_query": resolves_if(
        lambda reference: is_query(reference) and reference.fragment is None,
        lambda base, reference: target(base, reference)._replace(fragment=base.fragment),
    ),
    "keeps_last_segment_before_query": resolves_to(
        lambda base, reference, right: join(target(base, reference)) if is_query(reference) else right
    ),
    "keeps_local_path_unresolved": resolves_if(is_path, keeps_reference),
    "keeps_network_path_unresolved": resolves_if(is_network_path, keeps_reference),
    "keeps_path_alone_of_reference_with_query": resolves_if(
        lambda reference: is_path(reference) and reference.query is not None,
        lambda _, reference: reference.path,
    ),
    "keeps_path_that_ends_in_colon_and_digits": resolves_if(
        lambda reference: (
            is_path(reference)
            and re.search(r":\d{1,5}$", reference.path) is not None
            and reference.query is None
        ),
        keeps_reference,
    ),
    "keeps_query_of_base": resolves_if(lambda reference: reference.query is None, keeps_query),
    "keeps_query_of_base_after_path": resolves_when(
        lambda base, reference: is_path(reference) and reference.query is None and base.query is not None,
        keeps_query,
    ),
    "keeps_query_of_base_before_other_query": resolves_when(
        lambda base, reference: (
            is_local(reference) and reference.query is not None and base.query is not None
        ),
        keeps_query,
    ),
    "keeps_query_of_base_instead_of_empty_one": resolves_if(
        lambda reference: is_query(reference) and reference.query == "",
        lambda base, reference: target(base, reference._replace(query=None)),
    ),
    "keeps_reference_to_base_of_other_scheme": resolves_when(
        lambda base, _: base.scheme not in ("http", "https", "ftp", "file"),
        keeps_reference,
    ),
    "keeps_reference_with_inner_scheme": resolves_if(
        lambda reference: reference.scheme is None and "://" in join(reference), keeps_reference
    ),
    "keeps_reference_with_late_colon": resolves_if(
        lambda reference: reference.scheme is None and re.search("[/?#].*:", join(reference)) is not None,
        keeps_reference,
    ),
    "keeps_reference_with_url_in_query": resolves_if(
        lambda reference: reference.scheme is None and "://" in (reference.query or ""), keeps_reference
    ),
    "keeps_reference_without_scheme": resolves_if(has_no_scheme, keeps_reference),
    "keeps_relative_path_unresolved": resolves_if(is_relative, keeps_reference),
    "loses_fragment": resolves_if(
        has_no_scheme, lambda base, reference: target(base, reference)._replace(fragment=None)
    ),
    "loses_fragment_alone": resolves_when(
        lambda base, reference: is_empty(reference) and base.query is None,
        keeps_base,
    ),
    "loses_host_before_rooted_path": resolves_if(
        is_rooted, lambda base, reference: target(base, reference)._replace(authority=None)
    ),
    "loses_port_of_base": resolves_if(
        is_local,
        lambda base, reference: target(
            base._replace(authority=base.authority and re.sub(r":\d+$", "", base.authority)), reference
        ),
    ),
    "loses_query_of_base": resolves_if(
        is_empty, lambda base, reference: base._replace(query=None, fragment=reference.fragment)
    ),
    "loses_query_of_reference": resolves_if(
        lambda reference: reference.path and reference.scheme is None,
        lambda base, reference: target(base, reference)._replace(query=None),
    ),
    "loses_scheme_of_network_path": resolves_if(
        is_network_path, lambda base, reference: target(base, reference)._replace(scheme=None)
    ),
    "loses_text_of_urn": resolves_to(
        lambda _base, _reference, right: "urn:undefined:undefined" if right.startswith("urn:") else right
    ),
    "loses_userinfo_of_base": resolves(
        lambda base, reference: target(base._replace(authority=without_userinfo(base.authority)), reference)
    ),
    "puts_base_path_before_absolute_reference": resolves_when(
        lambda base, reference: reference.scheme is not None and reference.scheme == base.scheme,
        lambda base, reference: target(
            base, reference._replace(path=directory(base) + reference.path.removeprefix("/"))
        ),
    ),
    "puts_network_path_after_host": resolves_if(
        is_network_path,
        lambda base, reference: reference._replace(
            scheme=base.scheme, authority=base.authority, path=f"//{reference.authority}{reference.path}"
        ),
    ),
    "puts_port_after_path": resolves_if(is_local, port_after_path),
    "puts_query_after_host": resolves_if(
        is_query, lambda base, reference: target(base, reference)._replace(path="")
    ),
    "rejects_empty_authority": resolves_if(
        lambda reference: reference.scheme is None and reference.authority == "",
        fails,
        REJECTED,
    ),
    "rejects_empty_reference": resolves_if(
        lambda reference: reference == Parts(None, None, "", None, None),
        fails,
        REJECTED,
    ),
    "replaces_last_segment_by_params": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference)) if is_path(reference) and reference.path[0] == ";" else right
        )
    ),
    "replaces_query_of_path_by_that_of_base": resolves_if(
        lambda reference: is_path(reference) and bool(reference.query),
        keeps_query,
    ),
    "replaces_query_of_relative_path_by_that_of_base": resolves_if(is_relative, keeps_query),
    "replaces_question_marks_by_ampersands": resolves_to(no_second_question_mark),
    "resolves_number_sign_alone_to_root": resolves_if(
        lambda reference: reference == Parts(None, None, "", None, ""),
        lambda base, _: base._replace(path="/", query=None, fragment=""),
    ),
    "resolves_root_to_nothing": resolves_if(
        lambda reference: reference.path == "/" and reference.authority is None,
        lambda base, reference: target(base, reference)._replace(path=""),
    ),
    "resolves_rooted_path_as_relative": resolves_if(
        is_rooted, lambda base, reference: below(base, reference, reference.path[1:])
    ),
    "resolves_scheme_without_authority_like_path": resolves(scheme_is_ignored),
    "takes_authority_of_file_for_path": changes_target(
        lambda _base, reference, right: (
            Parts(right.scheme, None, f"/{right.path}", right.query, right.fragment)
            if right.authority == "" and right.path[:1] == "/" and reference.authority is not None
            else right
        )
    ),
    "takes_empty_fragment_for_absent": resolves(
        lambda base, reference: target(base, reference._replace(fragment=reference.fragment or None))
    ),
    "takes_empty_query_for_absent": resolves(
        lambda base, reference: target(base, reference._replace(query=reference.query or None))
    ),
    "takes_encoded_host_for_path": changes_target(encoded_host_in_path),
    "takes_first_segment_after_three_slashes_for_host": resolves_when(
        lambda base, reference: (
            reference.scheme is None
            and reference.authority == ""
            and bool(reference.path.strip("/"))
            and base.scheme in ("http", "https", "ftp")
        ),
        first_segment_is_host,
    ),
    "takes_first_segment_of_other_scheme_for_host": changes_target(slash_as_authority),
    "takes_name_for_host": resolves_if(
        lambda reference: is_relative(reference) and re.match(r"[^/.][^/]*$", reference.path) is not None,
        lambda base, reference: target(base, reference._replace(authority=reference.path, path="")),
    ),
    "takes_network_path_for_rooted_path": resolves_if(
        is_network_path,
        lambda base, reference: below(base, reference, f"/{reference.authority}{reference.path}"),
    ),
    "takes_question_mark_in_fragment_for_query": resolves(question_mark_in_fragment),
    "takes_reference_to_file_for_name": resolves_when(
        lambda base, reference: base.scheme == "file" and is_path(reference), reference_as_file_name
    ),
    "takes_root_for_empty_reference": changes_target(root_as_empty),
    "takes_scheme_without_authority_for_segment": resolves_when(
        lambda base, reference: (
            base.authority is not None and bool(reference.scheme) and reference.authority is None
        ),
        lambda base, reference: f"http://{base.authority}{merge(base, '')}{join(reference)}",
    ),
    "takes_unknown_scheme_for_segment": resolves_when(
        lambda base, reference: (
            reference.scheme
            and reference.authority is None
            and reference.scheme.lower() not in KNOWN
            and base.authority is not None
        ),
        lambda base, reference: target(
            base, reference._replace(scheme=None, path=f"{reference.scheme}:{reference.path}")
        ),
    ),
}
