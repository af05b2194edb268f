"""Faults of the eleventh list in normalizing, recomposing, resolving and comparing."""

from __future__ import annotations

import re

from .library_faults import (
    CRASHED,
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
    dots_kept,
    encoded,
    inside,
    is_local,
    join,
    merge,
    merged_at_root,
    recomposed,
    resolves,
    split,
    sub,
    target,
    text,
    writes,
)

# Normalization.

MARK, MARKED = "qzxq", "qzxq([0-9a-f]{2})"

#: The octets of the unreserved characters.
UNRESERVED = "(?i:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"


def keeps(mark: Change, unmark: Change) -> Fault:
    """Normalize a text with marks in it, and replace the marks afterwards."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        given = text(question["url"])
        changed = mark(given)
        if right["status"] != "ok" or changed == given:
            return right
        found = ask({**question, "url": changed})
        return {"status": "ok", "url": unmark(found["url"])} if found["status"] == "ok" else right

    return Fault(("normalize",), answer)


def marks(octets: str) -> Change:
    """Return a function that marks these octets, given as a pattern of two hexadecimal digits."""
    return sub(f"%({octets})", lambda found: MARK + found[1].lower())


def as_given(url: str) -> str:
    """Return the marked octets percent-encoded in upper case."""
    return re.sub(MARKED, lambda found: f"%{found[1].upper()}", url)


def in_lower_case(url: str) -> str:
    """Return the marked octets percent-encoded in lower case."""
    return re.sub(MARKED, lambda found: f"%{found[1]}", url)


def as_characters(url: str) -> str:
    """Return the marked octets as characters."""
    return re.sub(MARKED, lambda found: chr(int(found[1], 16)), url)


def only_http(change: Change) -> Change:
    """Return a function that changes URLs of http and https."""
    return lambda url: change(url) if split(url).scheme in ("http", "https") else url


def not_http(change: Change) -> Change:
    """Return a function that changes URLs of other schemes than http and https."""
    return lambda url: url if (split(url).scheme or "").lower() in ("http", "https") else change(url)


def final_dots(url: str) -> str:
    """Return the URL with a mark for two dots at the end of its path."""
    return inside("path", sub(r"/\.\.$", f"/{MARK}2e{MARK}2e"))(url)


NORMALIZING: dict[str, Fault] = {
    "mojo-url-encoded-slash-and-colon-decoded": writes(inside("path", decoded("2F|3A"))),
    "nginx-encoded-slash-decoded": writes(inside("path", decoded("2F"))),
    "cpp-netlib-uri-adjacent-slashes-collapsed": writes(inside("path", collapse)),
    "ocaml-uri-control-octet-in-one-digit": writes(sub("%0([0-9A-Fa-f])", r"%\1")),
    "ocaml-uri-colon-in-path-encoded": writes(inside("path", encoded(":"))),
    "newsbeuter-colon-in-path-encoded": writes(inside("path", encoded(":"))),
    "koreader-path-slashes-encoded": writes(only_http(inside("path", encoded("/")))),
    "keynote-nf-percent-encoded-again": writes(encoded("%")),
    "hexchat-sub-delims-encoded": writes(encoded("[!$&'()*+,;=]")),
    "cmark-tilde-encoded": writes(encoded("~")),
    "postrank-uri-plus-in-path-as-space": writes(inside("path", sub(r"\+", "%20"))),
    "perl-uri-brackets-of-ipv6-encoded": writes(inside("authority", encoded(r"[\[\]]"))),
    "perl-uri-unreserved-kept-outside-http": keeps(not_http(marks(UNRESERVED)), as_given),
    "perl-uri-encoded-zero-kept": keeps(marks("30"), as_given),
    "uriparser-host-triplets-not-normalized": keeps(
        inside("authority", marks("[0-9A-Fa-f]{2}")), in_lower_case
    ),
    "uriparser-dots-removed-before-decoding": keeps(inside("path", marks("2[Ee]")), as_characters),
    "tcllib-uri-final-double-dot-kept": keeps(final_dots, as_characters),
}

# Recomposition.


def only_path(url: str) -> str:
    """Return the URL without query and fragment."""
    return join(split(url)._replace(query=None, fragment=None))


def escaped_fragment(url: str) -> str:
    """Return the URL with an encoded number sign, and the query after the fragment."""
    parts = split(url)
    if parts.fragment is None:
        return url
    query = "" if parts.query is None else f"?{parts.query}"
    return f"{join(parts._replace(query=None, fragment=None))}%23{parts.fragment}{query}"


def no_relative_port(url: str) -> str:
    """Return a relative reference without its port."""
    return url if split(url).scheme is not None else inside("authority", sub(r":\d+$", ""))(url)


def no_fragment(url: str) -> str:
    """Return the URL without its fragment."""
    return join(split(url)._replace(fragment=None))


def no_http_fragment(url: str) -> str:
    """Return a URL of http or https without its fragment."""
    return no_fragment(url) if (split(url).scheme or "").lower() in ("http", "https") else url


def doubled_brackets(url: str) -> str:
    """Return a URL of https with two pairs of brackets and a port, if it has an IP literal and no port."""
    if split(url).scheme != "https":
        return url
    return inside("authority", sub(r"(\[[^\]]*\])$", r"[\1]:443"))(url)


def ip_literal_crashes() -> Fault:
    """End in an error at the components of a URL with an IP literal."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        components: Values = question["components"]
        wrong = right["status"] == "ok" and "[" in (components.get("authority") or "")
        return CRASHED if wrong else right

    return Fault(("recompose",), answer)


RECOMPOSING: dict[str, Fault] = {
    "http-to-socks5-proxy-query-lost": recomposed(only_path),
    "catalyst-uri-for-fragment-escaped": recomposed(escaped_fragment),
    "uri-bytestring-port-of-relative-ref-lost": recomposed(no_relative_port),
    "uri-bytestring-at-sign-lost": recomposed(inside("authority", sub("@", "", 1))),
    "flurl-encoded-slash-decoded": recomposed(inside("path", decoded("2F"))),
    "flurl-fragment-lost": recomposed(no_fragment),
    "tcllib-uri-join-fragment-lost": recomposed(no_http_fragment),
    "gleam-uri-ipv6-without-brackets": recomposed(inside("authority", sub(r"[\[\]]", ""))),
    "routedns-ipv6-brackets-doubled": recomposed(doubled_brackets),
    "ueberauth-ipv6-host-exception": ip_literal_crashes(),
}

# Resolution.


def only_query(reference: Parts) -> bool:
    """Tell if a reference starts with a query."""
    return is_local(reference) and not reference.path and reference.query is not None


def folder(base: Parts) -> str:
    """Return the path of the base up to its last slash."""
    return base.path[: base.path.rfind("/") + 1]


def dots_above_root_kept(path: str) -> str:
    """Return the path without dot-segments, but with the double dots that lead above its root."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif segment != ".":
            kept.append(segment)
    ended = segments[-1] == "." or (segments[-1] == ".." and (not kept or kept[-1] != ".."))
    return "/" + "/".join(kept) + ("/" if ended and kept else "")


def perl_dots(base: Parts, reference: Parts) -> Parts:
    """Return a target with the double dots of a relative path that lead above the root."""
    merged = merge(base, reference.path)
    if not is_local(reference) or reference.path[:1] in ("", "/") or not merged.startswith("/"):
        return target(base, reference)
    return target(base, reference, dots=dots_above_root_kept)


def fragment_as_path(base: Parts, reference: Parts) -> Parts:
    """Return the folder of the base for a reference that is only a fragment."""
    if not is_local(reference) or reference.path or reference.query is not None or reference.fragment is None:
        return target(base, reference)
    return Parts(base.scheme, base.authority, folder(base), None, reference.fragment)


def no_userinfo(base: Parts, reference: Parts) -> Parts:
    """Return a target without the userinfo of the base."""
    if not is_local(reference) or base.authority is None:
        return target(base, reference)
    return target(base, reference)._replace(authority=base.authority.rpartition("@")[2])


def query_in_folder(base: Parts, reference: Parts) -> Parts:
    """Return a query in the folder of the base."""
    return (
        Parts(base.scheme, base.authority, folder(base), reference.query, reference.fragment)
        if only_query(reference)
        else target(base, reference)
    )


def old_query(base: Parts, reference: Parts) -> Parts:
    """Return the query of the base instead of that of the reference."""
    found = target(base, reference)
    both = is_local(reference) and reference.query is not None and base.query is not None
    return found._replace(query=base.query) if both else found


def concatenated(base: Parts, reference: Parts) -> Parts | str:
    """Return the base and a relative reference after it."""
    return target(base, reference) if reference.scheme is not None else join(base) + join(reference)


def below_base(base: Parts, reference: Parts) -> Parts:
    """Return a target below the whole path of the base."""
    return target(base, reference, merge=lambda base, path: f"{base.path.rstrip('/')}/{path}")


def network_path_appended(base: Parts, reference: Parts) -> Parts | str:
    """Return a network-path reference after the authority of the base."""
    if reference.scheme is not None or reference.authority is None:
        return target(base, reference)
    return join(Parts(base.scheme, base.authority, "", None, None)) + join(reference)


def only_absolute(base: Parts, reference: Parts) -> Parts | None:
    """Return nothing for a relative reference."""
    return None if reference.scheme is None else target(base, reference)


def bare_path(base: Parts, reference: Parts) -> Parts | str:
    """Return only the path of a relative reference with a query."""
    with_query = is_local(reference) and reference.path and reference.query is not None
    return reference.path if with_query else target(base, reference)


def query_at_root(base: Parts, reference: Parts) -> Parts:
    """Return a query directly after the authority."""
    found = target(base, reference)
    return found._replace(path="") if only_query(reference) else found


def query_without_root(base: Parts, reference: Parts) -> Parts:
    """Return a query without the slash of the base before it."""
    found = target(base, reference)
    return found._replace(path="") if only_query(reference) and base.path == "/" else found


RESOLVING: dict[str, Fault] = {
    "perl-uri-double-dots-above-root-kept": resolves(perl_dots),
    "r-curl-fragment-drops-last-segment": resolves(fragment_as_path),
    "ocaml-uri-userinfo-of-base-lost": resolves(no_userinfo),
    "perl-uri-query-drops-last-segment": resolves(query_in_folder),
    "tcllib-uri-query-of-base-kept": resolves(old_query),
    "valijson-relative-reference-concatenated": resolves(concatenated),
    "ruby-rdf-join-below-last-segment": resolves(below_base),
    "centipede-crawler-network-path-appended": resolves(network_path_appended),
    "http-streams-relative-redirect-exception": resolves(only_absolute),
    "sitemap-generator-query-of-reference-lost": resolves(bare_path),
    "nadar-crawler-query-at-root": resolves(query_at_root),
    "arachnid-dot-segments-kept": resolves(dots_kept),
    "spatie-crawler-relative-path-at-root": resolves(merged_at_root),
    "mono-uri-query-without-root-slash": resolves(query_without_root),
}

# Comparison.


def without_empty(url: str) -> str:
    """Return the URL without empty query and fragment."""
    parts = split(url)
    return join(parts._replace(query=parts.query or None, fragment=parts.fragment or None))


def without_query(url: str) -> str:
    """Return the URL without its query."""
    return join(split(url)._replace(query=None))


def lower_path(url: str) -> str:
    """Return the URL with its path in lower case."""
    return inside("path", str.lower)(url)


COMPARING: dict[str, Fault] = {
    "uriparser-empty-equals-absent": compares(
        lambda one, other, equal: equal or without_empty(one) == without_empty(other)
    ),
    "simplecrawler-path-compared-without-case": compares(
        lambda one, other, equal: equal or lower_path(one) == lower_path(other)
    ),
    "vscode-is-equal-ignores-query": compares(
        lambda one, other, equal: equal or without_query(one) == without_query(other)
    ),
}

ELEVENTH_WRITING_FAULTS: dict[str, Fault] = {**NORMALIZING, **RECOMPOSING, **RESOLVING, **COMPARING}
