"""Faults of the sixth list in resolving, normalizing, recomposing, comparing, extracting."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from .library_faults import (
    TRIPLET,
    Ask,
    Change,
    Fault,
    Parts,
    Question,
    Reply,
    bases_without,
    compares,
    decoded,
    finds,
    inside,
    is_local,
    join,
    merge,
    normalizes_to,
    recomposed,
    remove_dots,
    resolves,
    resolves_to,
    split,
    sub,
    target,
    text,
    writes,
)
from .third_reading_faults import ASCII


def _dots(dots: Change) -> Fault:
    return resolves(lambda base, reference: target(base, reference, dots=dots))


def _if(test: Callable[[Parts, Parts], bool], wrong: Callable[[Parts, Parts], Parts | str | None]) -> Fault:
    """Resolve in another way when the test is true of base and reference; None is an exception."""
    return resolves(
        lambda base, reference: wrong(base, reference) if test(base, reference) else target(base, reference)
    )


def _is_path(reference: Parts) -> bool:
    return is_local(reference) and bool(reference.path)


def _is_relative(reference: Parts) -> bool:
    return _is_path(reference) and not reference.path.startswith("/")


def _is_network_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is not None


def _beside(base: Parts, reference: Parts) -> str:
    """Write a whole reference after the last slash of the base."""
    return join(base._replace(path=merge(base, ""), query=None, fragment=None)) + join(reference)


SIXTH_RESOLUTION_FAULTS: Mapping[str, Fault] = {
    "webr3-root-lost": _if(
        lambda base, reference: (
            base.authority is not None and base.path.rfind("/") == 0 and _is_relative(reference)
        ),
        lambda base, reference: target(base, reference, merge=lambda _, path: path),
    ),
    "rdflib-reference-appended": _if(
        lambda _, reference: reference.scheme is None,
        lambda base, reference: join(base) + join(reference),
    ),
    "fluree-fragment-lost": _if(
        lambda _, reference: reference.scheme is None,
        lambda base, reference: target(base, reference)._replace(fragment=None),
    ),
    "swift-fragment-alone-lost": _if(
        lambda base, reference: (
            is_local(reference) and not reference.path and reference.query is None and base.query is None
        ),
        lambda base, _: base,
    ),
    "rdf4j-empty-path-is-opaque": _if(
        lambda base, reference: base.authority is not None and not base.path and _is_relative(reference),
        lambda *_: None,
    ),
    "jsoup-query-replaces-segment": _if(
        lambda _, reference: is_local(reference) and not reference.path and reference.query is not None,
        lambda base, reference: target(base, reference)._replace(path=merge(base, "")),
    ),
    "arc2-network-path-is-http": _if(
        lambda _, reference: _is_network_path(reference), lambda _, reference: f"http:{join(reference)}"
    ),
    "arc2-dot-is-base": _if(
        lambda _, reference: reference == Parts(None, None, "./", None, None), lambda base, _: base
    ),
    "arc2-dots-of-rooted-path-kept": _if(
        lambda _, reference: _is_path(reference) and reference.path.startswith("/"),
        lambda base, reference: target(base, reference, dots=lambda path: path),
    ),
    "arc2-plus-in-scheme": _if(
        lambda _, reference: re.search("[+.-]", reference.scheme or "") is not None, _beside
    ),
    "arc2-ampersand-begins-query": _if(
        lambda base, reference: _is_path(reference) and reference.path[0] == "&" and base.query is None,
        lambda base, reference: f"{join(base)}?{join(reference)[1:]}",
    ),
    "nim-dot-before-slash": _dots(lambda path: remove_dots(re.sub(r"(?<=[^/.])\./", "", path))),
    "quri-query-of-base-lost": _if(
        lambda _, reference: is_local(reference) and not reference.path and reference.query is None,
        lambda base, reference: base._replace(query=None, fragment=reference.fragment),
    ),
    "readability4j-port-lost": _if(
        lambda _, reference: is_local(reference),
        lambda base, reference: target(
            base._replace(authority=base.authority and re.sub(r":\d+$", "", base.authority)), reference
        ),
    ),
    "http4k-reference-unresolved": _if(
        lambda _, reference: reference.scheme is None, lambda _, reference: join(reference)
    ),
    "rhymu-uri-only-segment-kept": _if(
        lambda base, reference: bool(base.path) and "/" not in base.path and _is_relative(reference),
        lambda base, reference: target(base, reference, merge=lambda base, path: f"{base.path}/{path}"),
    ),
    "dashjs-rooted-path-in-directory": _if(
        lambda _, reference: _is_path(reference) and reference.path.startswith("/"), _beside
    ),
    "link-checker-rooted-path-is-relative": _if(
        lambda _, reference: _is_path(reference) and reference.path.startswith("/"),
        lambda base, reference: target(base, reference._replace(path=f".{reference.path}")),
    ),
    "python-sitemap-directory-lost": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(base, reference._replace(path=f"/{reference.path}")),
    ),
    "urlobj-directory-after-other-host": _if(
        lambda _, reference: _is_network_path(reference) and not reference.path,
        lambda base, reference: target(base, reference)._replace(path=merge(base, "")),
    ),
    "hlsdl-parent-of-base": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: f"{join(base)}/../{join(reference)}",
    ),
    "ion-no-slash-after-host": _if(
        lambda base, reference: base.authority is not None and not base.path and _is_relative(reference),
        lambda base, reference: target(base, reference, merge=lambda _, path: path),
    ),
    "php-redirect-one-character": _if(
        lambda _, reference: _is_relative(reference) and len(join(reference)) == 1,
        lambda base, reference: target(base, reference._replace(path=f"/{reference.path}")),
    ),
    "linkchecker-parent-of-parent": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(
            base, reference._replace(path=re.sub(r"[^/]+/\.\./", "", reference.path))
        ),
    ),
    "swift-corelibs-parents-of-file-lost": _if(
        lambda base, reference: base.scheme == "file" and _is_relative(reference),
        lambda base, reference: target(
            base, reference._replace(path=re.sub(r"^(?:\.\./)+", "", reference.path))
        ),
    ),
    "arachni-mailto-is-path": _if(lambda _, reference: (reference.scheme or "").lower() == "mailto", _beside),
    # other RFCs
    "url-toolkit-no-slash-after-host": _if(
        lambda base, reference: (
            base.authority is not None and not base.path and reference.scheme is None and bool(reference.path)
        ),
        lambda *_: None,
    ),
    "phpuri-params-are-segment": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference)) if _is_path(reference) and reference.path.startswith(";") else right
        )
    ),
}


def _slash_after_query(given: str, right: str) -> str:
    """Write the slash of an empty path of http at the end of the query."""
    parts, found = split(given), split(right)
    slashes = "/" in (parts.query or "") + (parts.fragment or "")
    if found.scheme not in ("http", "https") or parts.path or parts.query is None or slashes:
        return right
    return f"{join(found._replace(path=''))}/"


def _none_is_host(given: str, right: str) -> str:
    return f"http://None{right}" if re.match("/(?!/)", given) else right


def _host_as_given(given: str, right: str) -> str:
    """Make the host small, but leave its triplets encoded."""
    login, at_sign, _ = (split(right).authority or "").rpartition("@")
    host = (split(given).authority or "").rpartition("@")[2].lower()
    return join(split(right)._replace(authority=login + at_sign + host)) if "%" in host else right


def _case_as_given(given: str, right: str) -> str:
    """Leave the case of scheme and authority alone."""
    parts = split(given)
    return join(split(right)._replace(scheme=parts.scheme, authority=parts.authority))


SIXTH_NORMALIZATION_FAULTS: Mapping[str, Fault] = {
    "w3lib-userinfo-encoded-twice": writes(inside("authority", sub("%(?=[^@]*@)", "%25"))),
    "w3lib-ampersand-decoded": writes(inside("path", decoded("26"))),
    "haproxy-slash-after-query": normalizes_to(_slash_after_query),
    "url-py-none-is-host": normalizes_to(_none_is_host),
    "ukwa-backslash-decoded": writes(inside("path", decoded("5c"))),
    "urllib3-host-not-decoded": normalizes_to(_host_as_given),
    "squirrel-case-of-host": normalizes_to(_case_as_given),
    "uriparser-question-mark-alone": writes(lambda right: None if split(right).query == "" else right),
    "normalize-url-backslash-becomes-slash": writes(inside("path", sub("%5C", "/"))),
    "urltools-final-dot-of-host": writes(inside("authority", sub(r"\.$", ""))),
}


def _no_slash_after_port(url: str) -> str:
    """Write the default port, and no slash after a port."""
    found = re.fullmatch(r"(https?)(://[^/?#:@]+)(:\d+)?/(.*)", url, re.DOTALL)
    if found is None:
        return url
    return found[1] + found[2] + (found[3] or {"http": ":80", "https": ":443"}[found[1]]) + found[4]


def _no_empty_query(url: str) -> str:
    return join(split(url)._replace(query=split(url).query or None))


SIXTH_RECOMPOSITION_FAULTS: Mapping[str, Fault] = {
    "git-url-parse-colon-after-host": recomposed(sub(r"^((?:git\+)?ssh://[^/?#:]+)/", r"\1:")),
    "uri-kmp-number-sign-lost": recomposed(sub("#$", "")),
    "domurl-no-slash-after-port": recomposed(_no_slash_after_port),
    "jersey-port-minus-one": recomposed(sub("^([A-Za-z][^:/?#]*://[^/?#:]+)(?=[/?#]|$)", r"\1:-1")),
    "postman-question-mark-lost": recomposed(_no_empty_query),
    "xandikos-colons-encoded": recomposed(quote),
    "urlbuilder-path-encoded-twice": recomposed(inside("path", sub("%", "%25"))),
    "urlbuilder-plus-encoded": recomposed(inside("path", sub(r"\+", "%2B"))),
}


def _paths(one: str, other: str, change: Change) -> tuple[str, str]:
    return change(split(one).path), change(split(other).path)


def _case_counts(one: str, other: str, right: bool) -> bool:
    return right and split(one)[:2] == split(other)[:2]


def _empty_path_counts(one: str, other: str, right: bool) -> bool:
    return right and set(_paths(one, other, str)) != {"", "/"}


def _paths_decoded(one: str, other: str, right: bool) -> bool:
    """Find two URLs equal whose paths are equal when all is decoded."""
    first, second = split(one), split(other)
    return right or inside("path", ASCII)(join(first)) == inside("path", ASCII)(join(second))


def _triplets_count(one: str, other: str, right: bool) -> bool:
    first, second = _paths(one, other, sub(TRIPLET, lambda found: found[0].upper()))
    return right and (first != second or len(set(_paths(one, other, str))) == 1)


SIXTH_EQUIVALENCE_FAULTS: Mapping[str, Fault] = {
    "readium-path-decoded": compares(_paths_decoded),
    "bridge-never-equal": compares(lambda *_: False),
    "loopover-case-of-triplets-counts": compares(_triplets_count),
    "rascal-case-counts": compares(_case_counts),
    "ocaml-uri-empty-path-counts": compares(_empty_path_counts, "scheme"),
}


def _cut_at(pattern: str) -> Fault:
    """Cut the URL before the first match of a pattern."""
    return finds(lambda _, one: re.split(pattern, one, maxsplit=1)[0])


def _missed(pattern: str) -> Fault:
    """Miss the URLs that a pattern matches."""
    return finds(lambda _, one: None if re.search(pattern, one) else one)


def _colon_ends_path(_given: str, one: str) -> str:
    parts = split(one)
    path, colon, _ = parts.path.partition(":")
    found = colon and parts.authority is not None
    return join(parts._replace(path=path, query=None, fragment=None)) if found else one


def _mark_ends_http(_given: str, one: str) -> str:
    found = re.match(r"https?://[^\s:\"'<>)]+", one)
    return found[0] if found else one


def _underscore_ends_host(_given: str, one: str) -> str:
    found = re.match("[^:/?#]*://[^/?#_]*(?=_)", one)
    return found[0] if found else one


def _cut_after_slashes(pattern: str) -> Fault:
    """Cut the URL before the first match of a pattern after the slashes."""

    def cut(_given: str, one: str) -> str:
        scheme, slashes, after = one.partition("://")
        return scheme + slashes + re.split(pattern, after, maxsplit=1)[0]

    return finds(cut)


SIXTH_EXTRACTION_FAULTS: Mapping[str, Fault] = {
    "cmark-digit-in-scheme": _missed("^[^:]*[0-9][^:]*:"),
    "mistune-no-slash": _missed("^[^/]*$"),
    "autolinker-letter-is-scheme": finds(lambda _, one: re.sub("^[A-Za-z]:(?=//)", "", one)),
    "hacki-marks": _cut_at(r"[)\],*]"),
    "linkify-urls-comma": _cut_at(","),
    "linkify-it-hyphen-after-apostrophe": _cut_at("(?<=')-"),
    "xterm-colon-in-path": finds(_colon_ends_path),
    "vim-hyphen-in-scheme": _missed("^[^:]*-[^:]*:"),
    "python-markdown-known-schemes": _missed("^(?!(?i:https?|ftps?)://)"),
    "termite-underscore-in-host": finds(_underscore_ends_host),
    "mintty-colon-or-semicolon": _cut_after_slashes("[:;]"),
    "tilda-exclamation-mark": _cut_at("!"),
    "tilda-at-sign": _cut_at("@"),
    "lilyterm-host-without-dot": _missed("^[^:]*://[^/?#.]*(?:[/?#]|$)"),
    # other RFCs
    "hey-semicolon": _cut_at(";"),
    "jquery-terminal-marks": finds(_mark_ends_http),
}


def _fragment_kept(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Leave the fragment in the base that a document has in it."""
    _, mark, fragment = text(question.get("embedded") or "").partition("#")
    kept = mark and right["status"] == "ok" and right["layer"] == "embedded"
    return {**right, "base": f"{right['base']}#{fragment}"} if kept else right


SIXTH_BASE_FAULTS: Mapping[str, Fault] = {
    "jsoup-base-element-ignored": bases_without("embedded"),
    "rdflib-fragment-of-base-kept": Fault(("base",), _fragment_kept),
}
