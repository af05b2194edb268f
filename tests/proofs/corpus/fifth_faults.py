"""Faults of the fifth list in resolving, normalizing, recomposing, comparing, extracting, decoding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .library_faults import (
    CRASHED,
    TRIPLET,
    Ask,
    Change,
    Fault,
    Parts,
    Question,
    Reply,
    Values,
    collapse,
    compares,
    decoded,
    decodes,
    encoded,
    finds,
    inside,
    join,
    normalizes_to,
    recomposed,
    recomposed_as,
    recomposes,
    remove_dots,
    resolves,
    resolves_to,
    split,
    sub,
    target,
    writes,
)
from .third_reading_faults import ASCII, UNRESERVED

WITHOUT_ZERO = decoded("4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|3[1-9]|2[de]")

_capital_triplets = sub(TRIPLET, lambda found: found[0].upper())


def _dots(dots: Change) -> Fault:
    return resolves(lambda base, reference: target(base, reference, dots=dots))


def _if(test: Callable[[Parts, Parts], bool], wrong: Callable[[Parts, Parts], Parts | str | None]) -> Fault:
    """Resolve in another way when the test is true of base and reference; None is an exception."""
    return resolves(
        lambda base, reference: wrong(base, reference) if test(base, reference) else target(base, reference)
    )


def _is_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is None and bool(reference.path)


def _is_rooted(reference: Parts) -> bool:
    return _is_path(reference) and reference.path.startswith("/")


def _is_relative(reference: Parts) -> bool:
    return _is_path(reference) and not reference.path.startswith("/")


def _is_network_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is not None


def _segments_before_dots(path: str) -> str:
    """Remove dot-segments, but let `..` stand after an empty segment."""
    if not path.startswith("/"):
        return remove_dots(path)
    kept: list[str] = []
    for segment in path[1:].split("/"):
        if segment == ".." and kept[-1:] != [""]:
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")) and kept[-1:] != [".."]:
        kept.append("")
    return "/" + "/".join(kept)


def _excess(path: str) -> int:
    """Count the `..` of a rooted path that have nothing to remove."""
    depth = excess = 0
    for segment in path.split("/")[1:]:
        if segment == "..":
            depth, excess = (depth - 1, excess) if depth else (0, excess + 1)
        elif segment != ".":
            depth += 1
    return excess


def _excess_kept(path: str) -> str:
    """Leave excess `..` at the beginning of a path that begins and ends with a slash."""
    rooted = path.startswith("/") and path.endswith("/")
    return "/.." * _excess(path) + remove_dots(path) if rooted else remove_dots(path)


def _last_slash_lost(path: str) -> str:
    """Make two slashes at the end one."""
    found = remove_dots(path)
    return found[:-1] if path.endswith("//") and found.endswith("//") else found


def _colon_in_first_segment(reference: Parts) -> bool:
    first = reference.path.partition("/")[0]
    return reference.scheme is not None and reference.authority is None and ":" in first


FIFTH_RESOLUTION_FAULTS: Mapping[str, Fault] = {
    "urijs-slash-after-host": _if(
        lambda base, reference: (
            target(base, reference).authority is not None and not target(base, reference).path
        ),
        lambda base, reference: target(base, reference)._replace(path="/"),
    ),
    "urijs-network-path-unresolved": _if(
        lambda _, reference: _is_network_path(reference), lambda _, reference: join(reference)
    ),
    "httpx-dots-of-reference-first": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(base, reference._replace(path=remove_dots(reference.path))),
    ),
    "micropython-network-path-after-host": _if(
        lambda _, reference: _is_network_path(reference),
        lambda base, reference: reference._replace(
            scheme=base.scheme, authority=base.authority, path=f"//{reference.authority}{reference.path}"
        ),
    ),
    "micropython-relative-path-unresolved": _if(
        lambda _, reference: _is_relative(reference), lambda _, reference: join(reference)
    ),
    "buran-dots-kept": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(base, reference, dots=lambda path: path),
    ),
    "fast-uri-two-slashes-at-end": _dots(_last_slash_lost),
    "addressable-dots-after-empty-segment": _dots(_segments_before_dots),
    "nim-slashes-after-dot": _dots(lambda path: remove_dots(re.sub(r"/\.//+", "/./", path))),
    "boost-excess-dots-kept": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(base, reference, dots=_excess_kept),
    ),
    "capnproto-dots-of-rooted-path": _if(
        lambda _, reference: _is_rooted(reference),
        lambda base, reference: target(base, reference, dots=sub(r"/\.\.(?=/|$)", "")),
    ),
    "requests-dots-of-absolute-reference": _if(
        lambda _, reference: reference.scheme is not None, lambda _, reference: reference
    ),
    "hackney-two-slashes-at-root": _if(
        lambda base, reference: base.path in ("", "/") and _is_relative(reference),
        lambda base, reference: target(base, reference, merge=lambda _, path: f"//{path}"),
    ),
    "iref-dot-before-colon": _if(
        lambda _, reference: _colon_in_first_segment(reference),
        lambda base, reference: target(base, reference)._replace(path=f"./{target(base, reference).path}"),
    ),
    "jsonrainbow-parent-of-bare-host": _if(
        lambda base, reference: not base.path and _is_path(reference) and reference.path.startswith("../"),
        lambda *_: None,
    ),
    "jsonrainbow-query-of-reference": _if(
        lambda _, reference: _is_path(reference) and bool(reference.query),
        lambda base, reference: target(base, reference)._replace(query=base.query),
    ),
    "quri-root-ignored": _if(
        lambda _, reference: _is_path(reference) and reference.path == "/",
        lambda base, reference: target(base, reference._replace(path="")),
    ),
    "guzzle-slashes-of-base": _if(
        lambda _, reference: reference[:3] == (None, None, ""),
        lambda base, reference: target(base._replace(path=re.sub("^//+", "/", base.path)), reference),
    ),
    "jdk-no-slash-after-host": _if(
        lambda base, reference: base.authority is not None and not base.path and _is_relative(reference),
        lambda base, reference: base._replace(
            path=reference.path, query=reference.query, fragment=reference.fragment
        ),
    ),
    "dart-slash-after-scheme": _if(
        lambda base, reference: base.authority is None and not base.path and _is_relative(reference),
        lambda base, reference: target(base._replace(path="/"), reference),
    ),
    "dart-rootless-base": _if(
        lambda base, reference: (
            base.authority is None
            and bool(base.path)
            and not base.path.startswith("/")
            and _is_relative(reference)
        ),
        lambda base, reference: target(base._replace(path=f"/{base.path}"), reference),
    ),
    "sabre-number-sign-alone": _if(
        lambda _, reference: reference == Parts(None, None, "", None, ""),
        lambda base, _: base._replace(path="/", query=None, fragment=""),
    ),
    "http-jl-relative-path": _if(
        lambda base, reference: base.scheme in ("http", "https") and _is_relative(reference),
        lambda *_: None,
    ),
    "node-slash-of-file-lost": _if(
        lambda _, reference: (
            (reference.scheme or "").lower() == "file"
            and reference.authority == ""
            and not reference.path.startswith("//")
        ),
        lambda base, reference: re.sub("^([^:]*:)///", r"\1//", join(target(base, reference))),
    ),
    # other RFCs
    "cpython-excess-dots-dropped": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference)) if _is_relative(reference) and _excess(split(right).path) else right
        )
    ),
    "cpython-dots-of-rooted-path-removed": resolves_to(
        lambda _base, reference, right: inside("path", remove_dots)(right) if _is_rooted(reference) else right
    ),
    "cpython-parameters-replace-segment": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference)) if _is_path(reference) and reference.path[0] == ";" else right
        )
    ),
}


def _encoded_as_given(given: str, right: str) -> str:
    """Only make the triplets of path, query and fragment capital."""
    kept, found = split(_capital_triplets(given)), split(right)
    return join(found._replace(path=remove_dots(kept.path), query=kept.query, fragment=kept.fragment))


def _decoded_for_http(given: str, right: str) -> str:
    """Decode letters, digits and marks only in http and https URIs."""
    return right if right.startswith(("http:", "https:")) else _encoded_as_given(given, right)


def _zero_kept(given: str, right: str) -> str:
    """Decode letters, digits and marks in the path, but not the digit 0."""
    path = remove_dots(_capital_triplets(WITHOUT_ZERO(split(given).path)))
    return join(split(right)._replace(path=path)) if "%30" in split(given).path else right


def _query_as_given(given: str, right: str) -> str:
    return join(split(right)._replace(query=split(given).query))


def _dots_as_given(given: str, right: str) -> str:
    if split(given).scheme is None:
        return right
    return join(split(right)._replace(path=UNRESERVED(_capital_triplets(split(given).path))))


def _root_lost(given: str, right: str) -> str:
    """Leave no slash if a path has more `..` than other segments and ends with a slash."""
    path = split(given).path
    lost = split(right).path == "/" and path.endswith("/") and _excess(path[:-1])
    return join(split(right)._replace(path="")) if lost else right


def _is_opaque(url: str) -> bool:
    parts = split(url)
    return parts.scheme is not None and parts.authority is None and not parts.path.startswith("/")


FIFTH_NORMALIZATION_FAULTS: Mapping[str, Fault] = {
    "addressable-colon-and-slash-decoded": writes(inside("path", decoded("3a|2f"))),
    "cpp-netlib-all-decoded": writes(inside("path", ASCII)),
    "fast-uri-fragment-decoded": writes(inside("fragment", decoded("2[134-9abcf]|3[abdf]|40"))),
    "fast-uri-query-as-given": normalizes_to(_query_as_given),
    "fast-uri-scheme-as-given": normalizes_to(
        lambda given, right: join(split(right)._replace(scheme=split(given).scheme))
    ),
    "w3lib-percent-decoded": writes(inside("path", sub("%25", "%"))),
    "w3lib-comma-decoded": writes(inside("path", decoded("2c"))),
    "normalize-url-percent-decoded": writes(inside("query", sub("%25(?=[0-9A-Fa-f]{2})", "%"))),
    "hamr-marks-encoded-twice": writes(inside("path", sub("%(?=2[3456BCF]|3[ABDF]|40)", "%25"))),
    "stormcrawler-encoded-twice": writes(inside("path", sub("%", "%25"))),
    "url-py-delimiters-encoded": writes(inside("query", encoded("[:/]"))),
    "mediacloud-blank-becomes-plus": writes(inside("query", sub("%20", "+"))),
    "mediacloud-apostrophe-decoded": writes(inside("path", decoded("27"))),
    "mediacloud-https-becomes-http": writes(sub("^https:", "http:")),
    "dotnet-bar-decoded": writes(inside("path", decoded("7c"))),
    "rfc3986-letters-not-decoded": normalizes_to(_encoded_as_given),
    "rfc3986-digit-encoded": writes(inside("path", sub(f"({TRIPLET})|6", lambda found: found[1] or "%36"))),
    "perl-uri-zero-not-decoded": normalizes_to(_zero_kept),
    "perl-uri-decoding-of-http": normalizes_to(_decoded_for_http),
    "urijs-two-dots-before-name": writes(inside("path", sub(r"(?<=/)[^/]*/\.\.(?=[^/])", ""))),
    "guzzle-slashes-at-beginning": writes(inside("path", sub("^//+", "/"))),
    "arelle-slashes": writes(inside("path", collapse)),
    "json-schema-core-opaque": writes(lambda right: None if _is_opaque(right) else right),
    "httrack-port-80": writes(
        lambda right: right if right.startswith("http:") else inside("authority", sub(":80$", ""))(right)
    ),
}


def _crashes_at(test: Callable[[str], bool]) -> Fault:
    """End in an error instead of recomposing the URLs that the test is true of."""

    def answer(_question: Question, right: Reply, _ask: Ask) -> Reply:
        return CRASHED if right["status"] == "ok" and test(right["url"]) else right

    return Fault(("recompose",), answer)


def _question_mark_added(components: Values, right: str) -> str:
    """Write the question mark of an absent query."""
    if components.get("query") is not None:
        return right
    before, mark, fragment = right.partition("#")
    return f"{before}?{mark}{fragment}"


FIFTH_RECOMPOSITION_FAULTS: Mapping[str, Fault] = {
    "urijs-colon-after-brackets": recomposed(
        sub(r"^((?:[^:/?#]+:)?//(?:[^/?#@]*@)?\[[^\]]*\])(?=/)", r"\1:/")
    ),
    "adguard-brackets-lost": recomposed(inside("authority", sub(r"[\[\]]", ""))),
    "ipfs-brackets-twice": recomposed(inside("authority", sub(r"\[([^\]]*)\]", r"[[\1]]"))),
    "micronaut-address-encoded": recomposed(
        inside("authority", sub(r"\[[^\]]*\]", lambda found: encoded(r"[\[\]:]")(found[0])))
    ),
    "caf-empty-authority-lost": recomposed(sub(r"^([^:/?#]+:)//(?=/(?!/))", r"\1")),
    "nushell-question-mark-added": recomposed_as(_question_mark_added),
    "go-slashes-before-query": recomposed(sub(r"^([A-Za-z][^:/?#]*:)(?=\?)", r"\1//")),
    "postman-at-sign-lost": recomposed(inside("authority", sub("^@", ""))),
    "postman-colon-of-port-lost": recomposed(inside("authority", sub(":$", ""))),
    "query-string-number-sign-lost": recomposes(
        lambda components: (
            {"fragment": components["fragment"][3:]}
            if (components.get("fragment") or "").startswith("%23")
            else None
        )
    ),
    "mql-fragment-lost": recomposed(sub("#.*", "")),
    "elixir-two-slashes-lost": recomposed(sub("^//", "")),
    "ruby-underscore-in-host": _crashes_at(
        lambda url: "_" in (split(url).authority or "").rpartition("@")[2]
    ),
}


def _case_of_standard_scheme_counts(one: str, other: str, right: bool) -> bool:
    schemes = [split(url).scheme or "" for url in (one, other)]
    standard = schemes[0].lower() in ("http", "https")
    return right and (schemes[0] == schemes[1] or not standard)


def _case_of_host_counts(one: str, other: str, right: bool) -> bool:
    hosts = [(split(url).authority or "").rpartition("@")[2] for url in (one, other)]
    return right and (hosts[0] == hosts[1] or hosts[0].lower() != hosts[1].lower())


def _equal_but_for(change: Change) -> Fault:
    """Find two URLs equal that differ only in what the change removes."""
    return compares(lambda one, other, right: right or change(one) == change(other))


FIFTH_EQUIVALENCE_FAULTS: Mapping[str, Fault] = {
    "hyperium-capital-scheme": compares(_case_of_standard_scheme_counts),
    "scala-js-capital-host": compares(_case_of_host_counts),
    "ippsample-case-of-path": _equal_but_for(str.lower),
    "guzzle-slashes-equal": _equal_but_for(inside("path", sub("^//+", "/"))),
    "dart-path-final-slashes": _equal_but_for(inside("path", sub("(?<=[^/])/+$", ""))),
}


def _cut_at(pattern: str) -> Fault:
    """Cut the URL before the first match of a pattern."""
    return finds(lambda _, one: re.split(pattern, one, maxsplit=1)[0])


def _without(pattern: str) -> Fault:
    """Leave out what a pattern matches at the end of the URL."""
    return finds(lambda _, one: re.sub(f"{pattern}$", "", one))


def _missed(pattern: str) -> Fault:
    """Miss the URLs that a pattern matches."""
    return finds(lambda _, one: None if re.search(pattern, one) else one)


def _bare_bracket_before(given: str, one: str) -> str | None:
    """Miss a URL in brackets if another bracket precedes them."""
    return None if re.search(rf"<\w[^<>]*<{re.escape(one)}>", given) else one


def _cut_in_text(blanks: str) -> Callable[[str, str], str]:
    """Return a function that cuts the URL where the text has some white space in it."""

    def cut(given: str, one: str) -> str:
        for end in range(1, len(one)):  # a hyphen at the end of a line may have been dropped
            found = re.search(f"{re.escape(one[:end])}(-?){blanks}{re.escape(one[end])}", given)
            if found:
                return one[:end] + found[1]
        return one

    return cut


FIFTH_EXTRACTION_FAULTS: Mapping[str, Fault] = {
    "deadlink-parentheses": _cut_at("[();]"),
    "angular-linkify-exclamation-mark": _cut_at("!"),
    "linkify-it-two-exclamation-marks": _cut_at("!!"),
    "turbohtml-final-asterisk": _without(r"\*+"),
    "linkifyjs-final-mark": _without("[!']+"),
    "bleach-final-slash": _without("/"),
    "rails-autolink-final-hyphen": _without("-+"),
    "markdown-clj-apostrophe": _missed("'"),
    "zeek-length-of-scheme": _missed("^(?![A-Za-z-]{3,5}:)"),
    "marked-bracket-before": finds(_bare_bracket_before),
    "cerb-broken-line": finds(_cut_in_text(r"\r?\n\s*")),
    # RFC 2396
    "mailpit-blank": finds(_cut_in_text(" +")),
}


def _after_host(url: str) -> str:
    """Return what follows the slash after the host."""
    return url.partition("//")[2].partition("/")[2]


def _type_in_selector(view: Values, _url: str) -> Values:
    if not all(isinstance(view[name], str) for name in ("gtype", "selector")):
        return {}
    selector = f"/{view['gtype']}{view['selector']}"
    search = "" if view["search"] is None else f"\t{view['search']}"
    return {"gtype": "1", "selector": selector, "request": selector + search}


def _selector_to_question_mark(view: Values, url: str) -> Values:
    """Lose a question mark in the selector and what follows it."""
    if "?" not in _after_host(url) or not isinstance(view["selector"], str):
        return {}
    selector = view["selector"].partition("?")[0]
    return {"selector": selector, "search": None, "gopher+_string": None, "request": selector}


def _split_after_decoding(view: Values, _url: str) -> Values:
    """Split the decoded path of ftp at its slashes."""
    names: list[Any] = []
    for name in [*view["cwd"], view["name"]]:
        names += name.split("/") if isinstance(name, str) else [name]
    return {} if names == [*view["cwd"], view["name"]] else {"cwd": names[:-1], "name": names[-1]}


def _path_as_given(view: Values, url: str) -> Values:
    """Decode nothing in the path of ftp."""
    path = re.sub("(?i);type=[aid]$", "", _after_host(url))
    *directories, name = path.split("/")
    return {"cwd": directories, "name": name} if view["name"] is not None and "%" in path else {}


def _host_is_directory(view: Values, _url: str) -> Values:
    """Take the host of a file for its first directory."""
    if not view["host"]:
        return {}
    return {"host": "", "local": True, "directories": [view["host"], *view["directories"]]}


FIFTH_DECODING_FAULTS: Mapping[str, Fault] = {
    "gophie-type-in-selector": decodes("gopher", _type_in_selector),
    "curl-question-mark-in-selector": decodes("gopher", _selector_to_question_mark),
    "curl-ftp-path-decoded-first": decodes("ftp", _split_after_decoding),
    "get-uri-ftp-path-as-given": decodes("ftp", _path_as_given),
    "far2l-colon-in-password": decodes(
        "ftp",
        lambda view, _: {"password": f":{view['password']}"} if isinstance(view["password"], str) else {},
    ),
    "vibe-host-of-file": decodes("file", _host_is_directory),
}
