"""Faults of libraries in resolving references."""

from __future__ import annotations

import re

from .library_faults import Parts, collapse, join, merge, remove_dots, resolves, resolves_to, split, target


def _dots_without_final_slash(path: str) -> str:
    done = remove_dots(path)
    return done.rstrip("/") or "/" if re.search(r"(?:^|/)\.{1,2}$", path) else done


def _dots_beyond_root(path: str) -> str:
    kept: list[str] = []
    *segments, last = path.split("/")
    for segment in segments:
        if segment == ".." and kept and kept[-1] not in ("", ".."):
            kept.pop()
        elif segment != ".":
            kept.append(segment)
    if last in (".", ".."):
        kept, last = (kept[:-1] if last == ".." and len(kept) > 1 else kept), ""
    return "/".join([*kept, last])


def dots_by_prefix(path: str) -> str:
    """Take a segment that begins with two dots for two dots."""
    return remove_dots(re.sub(r"(?<=/)\.\.[^/]+", "..", path))


def _names_ending_in_dots(path: str) -> str:
    done = remove_dots(path)
    return f"{done}/" if done.endswith(".") else done


def _single_dots_kept(path: str) -> str:
    return remove_dots(path.replace("/./", "/%2E/")).replace("/%2E/", "/./")


def _join_base_segments(base: Parts, path: str) -> str:
    merged = merge(base, path)
    kept = len(merged) - len(path)
    return collapse(merged[:kept]) + path


def _glued(base: Parts, path: str) -> str:
    return base.path[: base.path.rfind("/") + 1] + path if base.path else path


def _with(**steps):
    return resolves(lambda base, reference: target(base, reference, **steps))


def _scheme_is_ignored(base: Parts, reference: Parts) -> Parts:
    if reference.scheme is None or reference.authority is not None:
        return target(base, reference)
    return target(base, reference._replace(scheme=None))._replace(scheme=reference.scheme)


def _without_userinfo(authority: str | None) -> str | None:
    return authority and authority.rpartition("@")[2]


def _base_login(base: Parts, reference: Parts) -> Parts:
    found = target(base, reference)
    if reference.scheme or reference.authority is None or "@" not in (base.authority or ""):
        return found
    if "@" in reference.authority:
        return found
    return found._replace(authority=f"{(base.authority or '').rpartition('@')[0]}@{reference.authority}")


def _network_path_is_path(base: Parts, reference: Parts) -> Parts:
    if reference.scheme or reference.authority is None:
        return target(base, reference)
    path = f"//{reference.authority}{reference.path}"
    return Parts(base.scheme, base.authority, path, reference.query, reference.fragment)


RESOLUTION_FAULTS = {
    "cpython-empty-query-inherits": resolves(
        lambda base, reference: target(base, reference._replace(query=reference.query or None))
    ),
    "cpython-empty-fragment-lost": resolves(
        lambda base, reference: target(base, reference._replace(fragment=reference.fragment or None))
    ),
    "cpython-empty-segments-of-base": _with(merge=_join_base_segments),
    "nim-empty-segments": _with(dots=lambda path: collapse(remove_dots(path))),
    "cpython-other-schemes": resolves(
        lambda base, reference: (
            target(base, reference) if base.scheme in ("http", "https", "ftp", "file") else join(reference)
        )
    ),
    "cpython-dots-on-empty-path": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path="")
            if base.authority is not None and not base.path and reference.path in (".", "..", "./", "../")
            else target(base, reference)
        )
    ),
    "urijs-scheme-of-reference": resolves(_scheme_is_ignored),
    "urijs-fragment-only": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path=merge(base, ""))
            if reference == Parts(None, None, "", None, reference.fragment) and reference.fragment is not None
            else target(base, reference)
        )
    ),
    "urijs-network-path": resolves(
        lambda base, reference: (
            join(reference)
            if reference.scheme is None and reference.authority is not None
            else target(base, reference)
        )
    ),
    "urijs-slash-after-authority": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path=reference.path or "/")
            if reference.authority is not None
            else target(base, reference)
        )
    ),
    "go-opaque-base": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path="")
            if base.authority is None and base.path[:1] != "/" and not reference.path
            else target(base, reference)
        )
    ),
    "go-slashes-at-root": _with(dots=lambda path: re.sub("^/{2,}", "/", remove_dots(path))),
    "go-join-empty-path": resolves(
        lambda base, reference: (
            target(base, reference)
            if base.path or reference.scheme or reference.authority is not None
            else target(base, reference, dots=lambda path: path)
        )
    ),
    "boost-dots-beyond-root": _with(dots=_dots_beyond_root),
    "dart-empty-base-path": _with(merge=lambda base, path: merge(base, path) if base.path else f"/{path}"),
    "dart-dot-before-query": resolves(
        lambda base, reference: (
            target(base, reference, dots=lambda path: path)
            if reference.path == "." and (reference.query, reference.fragment) != (None, None)
            else target(base, reference)
        )
    ),
    "elixir-final-dots": _with(dots=_dots_without_final_slash),
    "jdk-no-slash": _with(merge=_glued),
    "perl-query-only": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path=merge(base, ""))
            if reference.scheme is None
            and reference.authority is None
            and not reference.path
            and reference.query is not None
            else target(base, reference)
        )
    ),
    "jdk-empty-reference": resolves_to(
        lambda base, reference, right: (
            join(Parts(base.scheme, base.authority, merge(base, ""), None, None))
            if join(reference) == ""
            else right
        )
    ),
    "jdk-empty-authority": resolves(
        lambda base, reference: (
            found._replace(authority=None)
            if (found := target(base, reference)).authority == "" and not found.path.startswith("//")
            else found
        )
    ),
    "ocaml-uri-file": resolves(
        lambda base, reference: (
            found._replace(authority="")
            if (found := target(base, reference)).authority is None and found.scheme == "file"
            else found
        )
    ),
    "crystal-rootless-base": _with(
        merge=lambda base, path: merge(base, path) if "/" in base.path else base.path + path
    ),
    "guzzle-fragment-of-base": resolves(
        lambda base, reference: (
            target(base, reference)._replace(fragment=base.fragment)
            if reference.fragment is None and reference.scheme is None
            else target(base, reference)
        )
    ),
    "guzzle-userinfo": resolves(
        lambda base, reference: target(base._replace(authority=_without_userinfo(base.authority)), reference)
    ),
    "ruby-userinfo-of-base": resolves(_base_login),
    "addressable-slashes-only": resolves(
        lambda base, reference: (
            None if reference.authority == "" and reference.scheme is None else target(base, reference)
        ),
        {"status": "reject"},
    ),
    "uriparser-root": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path="")
            if reference.path == "/" and reference.authority is None
            else target(base, reference)
        )
    ),
    "uriparser-inner-dots": _with(dots=_single_dots_kept),
    "uriparser-slash-after-dots": _with(
        dots=lambda path: (
            re.sub("(?<=.)/$", "", remove_dots(path)) if path.endswith("/..") else remove_dots(path)
        )
    ),
    "rfc3986-base-without-path": resolves(
        lambda base, reference: (
            None
            if not base.path
            and reference.path
            and not reference.path.startswith("/")
            and not reference.scheme
            else target(base, reference)
        )
    ),
    "uris-jl-dots-at-end-of-name": _with(dots=_names_ending_in_dots),
    "urijs-dots-as-prefix": _with(dots=dots_by_prefix),
    "yo-network-path-as-path": resolves(_network_path_is_path),
    "yo-dots-verbatim": _with(dots=lambda path: path),
    "yarl-query-of-reference": resolves(
        lambda base, reference: (
            target(base, reference)._replace(query=None)
            if reference.path and reference.scheme is None
            else target(base, reference)
        )
    ),
    "swift-dots-beyond-root": resolves(
        lambda base, reference: (
            target(base, reference, dots=lambda path: path)
            if base.path.count("/") <= 1 and reference.path.startswith("../")
            else target(base, reference)
        )
    ),
    "url-toolkit-semicolon": _with(
        merge=lambda base, path: merge(base._replace(path=base.path.partition(";")[0]), path)
    ),
    "httrack-2048": resolves(
        lambda base, reference: None if len(join(target(base, reference))) > 2048 else target(base, reference)
    ),
    "cpython-query-only": resolves_to(
        lambda base, reference, right: (
            join(base._replace(path=merge(base, ""), query=reference.query))
            if join(reference).startswith("?") and reference.query
            else right
        )
    ),
    "luasocket-excess-eats-slash": resolves_to(
        lambda base, reference, right: (
            join(Parts(base.scheme, base.authority, reference.path[3:], reference.query, reference.fragment))
            if base.path in ("", "/") and reference.path.startswith("../")
            else right
        )
    ),
    "nmap-absolute-reference": resolves(
        lambda base, reference: reference if reference.scheme is not None else target(base, reference)
    ),
    "nmap-dots-at-end": resolves(
        lambda base, reference: (
            reference._replace(scheme=base.scheme, authority=base.authority)
            if reference.scheme is None
            and reference.authority is None
            and re.search(r"^/.*/\.{1,2}$", reference.path)
            else target(base, reference)
        )
    ),
    "jdk-empty-authority-2396": resolves_to(
        lambda _, reference, right: (
            join(split(right)._replace(authority=None))
            if split(right).authority == "" and reference.scheme is None
            else right
        )
    ),
}
