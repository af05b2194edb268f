"""Faults of the second list in resolving and normalizing."""

from __future__ import annotations

import ipaddress
import re

from .library_faults import (
    TRIPLET,
    Parts,
    decoded,
    encoded,
    inside,
    join,
    merge,
    normalizes_to,
    remove_dots,
    resolves,
    resolves_to,
    split,
    sub,
    target,
    writes,
)

_KNOWN = ("http", "https", "ftp", "file", "mailto", "news", "urn", "tel")


def _two_levels(path: str) -> str:
    """Go up two levels at most."""
    for _ in range(2):
        path = re.sub(r"/(?!\.\./)[^/]+/\.\.(?=/|$)", "", path, count=1)
    return re.sub(r"/\.\.?(?=/|$)", "", path) or "/"


def _rootless_kept(path: str) -> str:
    """Keep the first segment of a path without a slash before it."""
    return path if path.startswith("/") else re.sub(r"^([^/]+)/\.\.(?=/|$)", r"\1", path)


def _of_base_with_query(base: Parts, reference: Parts) -> Parts:
    """Take slashes in the query of the base for slashes of its path."""
    if reference.path and "/" in (base.query or ""):
        base = base._replace(path=f"{base.path}?{base.query}", query=None)
    return target(base, reference)


def _with(**steps):
    return resolves(lambda base, reference: target(base, reference, **steps))


def _is_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is None and bool(reference.path)


def _is_query(reference: Parts) -> bool:
    return reference[:3] == (None, None, "") and reference.query is not None


SECOND_RESOLUTION_FAULTS = {
    "sabre-excess-eats-slash": resolves(
        lambda base, reference: (
            found._replace(path=found.path.lstrip("/"))
            if base.authority
            and _is_path(reference)
            and "/../.." in f"{merge(base, '')}{reference.path}"
            and (found := target(base, reference)).path.count("/") < 3
            else target(base, reference)
        )
    ),
    "phpuri-two-levels": _with(
        dots=lambda path: _two_levels(path) if path.count("..") > 2 else remove_dots(path)
    ),
    "lexbor-fragment-after-dots": resolves(
        lambda base, reference: (
            found._replace(path=f"{found.path}%23{found.fragment}", fragment=None)
            if (found := target(base, reference)).fragment and re.search(r"(?:^|/)\.\.?$", reference.path)
            else found
        )
    ),
    "fast-uri-empty-last-segment": _with(dots=lambda path: re.sub("//$", "/", remove_dots(path))),
    "ocaml-uri-dots-after-empty-segment": _with(
        dots=lambda path: remove_dots(re.sub(r"//\.\.(?:/|$)", "", path))
    ),
    "mojo-query-after-slash": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path=base.path.rstrip("/"))
            if _is_query(reference)
            else target(base, reference)
        )
    ),
    "hackney-root": resolves(
        lambda base, reference: (
            target(base, reference)._replace(path=f"//{reference.path}")
            if _is_path(reference) and reference.path[0] not in "/." and base.path == "/"
            else target(base, reference)
        )
    ),
    "hackney-query-in-path": resolves(
        lambda base, reference: (
            found._replace(path=f"{found.path}%3F{found.query}", query=None)
            if _is_path(reference) and (found := target(base, reference)).query is not None
            else target(base, reference)
        )
    ),
    "xbmc-two-slashes": resolves(
        lambda base, reference: (
            found._replace(path=f"/{found.path}")
            if (found := target(base, reference))
            and reference.path[:1] == "/" == base.path[-1:]
            and _is_path(reference)
            else found
        )
    ),
    "globocom-slash-in-query-of-base": resolves(_of_base_with_query),
    "vertx-query-decoded": resolves_to(
        lambda _, reference, right: inside("query", decoded(".."))(right) if reference.query else right
    ),
    "vertx-path-decoded": resolves_to(
        lambda _base, _reference, right: inside("path", decoded("2f|20"))(right)
    ),
    "vertx-first-segment-kept": _with(dots=lambda path: remove_dots(_rootless_kept(path))),
    "simplepie-equals-sign-encoded": resolves_to(
        lambda _base, _reference, right: inside("query", encoded("="))(right)
    ),
    "dotnet-unknown-scheme": resolves(
        lambda base, reference: (
            target(base, reference._replace(scheme=None, path=f"{reference.scheme}:{reference.path}"))
            if reference.scheme
            and reference.authority is None
            and reference.scheme.lower() not in _KNOWN
            and base.authority is not None
            else target(base, reference)
        )
    ),
    "nim-final-dot": resolves(
        lambda base, reference: None if re.search(r"(?:^|/)\.$", reference.path) else target(base, reference)
    ),
    "node-file-reference": resolves(
        lambda base, reference: (
            Parts(found.scheme, None, f"/{found.path}", found.query, found.fragment)
            if (found := target(base, reference)).authority == ""
            and found.path[:1] == "/"
            and reference.authority is not None
            else found
        )
    ),
    "qt-rootless-base": resolves(
        lambda base, reference: (
            found._replace(path=found.path.lstrip("/"))
            if (found := target(base, reference)).authority is None
            and _is_path(reference)
            and not f"{base.path}{reference.path}".startswith("/")
            and not reference.path.startswith("/")
            else found
        )
    ),
    "tomcat-dots-with-parameters": _with(
        dots=lambda path: remove_dots(re.sub(r"(?<=/)(\.\.?);[^/]*(?=/)", r"\1", path))
    ),
    "uri-js-urn": resolves_to(
        lambda _base, _reference, right: "urn:undefined:undefined" if right.startswith("urn:") else right
    ),
    "ruby-rooted-dots-2396": resolves_to(
        lambda _, reference, right: (
            inside("path", remove_dots)(right)
            if reference.scheme is None and reference.path.startswith("/")
            else right
        )
    ),
    "uri-bytestring-brackets": resolves_to(
        lambda _base, _reference, right: inside("authority", sub(r"[\[\]]", ""))(right)
    ),
    "cpython-rooted-dots-1808": resolves_to(
        lambda _, reference, right: (
            inside("path", remove_dots)(right)
            if reference.scheme is None and reference.path.startswith("/")
            else right
        )
    ),
    "cpython-excess-1808": resolves_to(
        lambda _, reference, right: (
            inside("path", remove_dots)(right)
            if _is_path(reference)
            and not reference.path.startswith("/")
            and re.match(r"/\.\.(?:/|$)", split(right).path)
            else right
        )
    ),
    "cpython-scheme-of-base-1808": resolves_to(
        lambda base, reference, right: (
            join(target(base, reference._replace(scheme=None)))
            if reference.scheme is not None
            and reference.authority is None
            and reference.scheme == base.scheme
            and reference.path
            else right
        )
    ),
    "cpython-parameters-only-1808": resolves_to(
        lambda base, reference, right: (
            join(split(right)._replace(path=merge(base, reference.path)))
            if _is_path(reference) and reference.path.startswith(";")
            else right
        )
    ),
}


def _not_decoded(given: str, right: str) -> str:
    """Write the digits of percent-encoded octets in capitals, and decode none."""
    if not re.search("%(?:[46][1-9A-Fa-f]|[57][0-9AaFfEe]|3[0-9]|2[DdEe])", given):
        return right
    found = split(re.sub(TRIPLET, lambda triplet: triplet[0].upper(), given))
    done = split(right)
    path = remove_dots(found.path) if found.scheme is not None else found.path
    return join(done._replace(path=path, query=found.query, fragment=found.fragment))


def _first_segment_is_host(right: str) -> str:
    parts = split(right)
    if parts.authority is None or not parts.path.startswith("//"):
        return right
    host, slash, rest = parts.path[2:].partition("/")
    return join(parts._replace(authority=host, path=slash + rest))


def _ampersand_begins_query(right: str) -> str:
    parts = split(right)
    if parts.query is not None or "&" not in parts.path:
        return right
    path, _, query = parts.path.partition("&")
    return join(parts._replace(path=path, query=query))


def _root_is_popped(given: str, right: str) -> str:
    """Remove the empty segment of the root with two dots beyond it."""
    path = split(given).path
    if split(given).scheme is None or not re.match(r"/\.\.//", path):
        return right
    return inside("path", sub("^/+", "/"))(right)


def _rootless_twice(given: str, right: str) -> str:
    parts = split(given)
    if parts.scheme is None or parts.authority is not None:
        return right
    found = re.fullmatch(r"([^/]+)/\.\./([^/.]+)", parts.path)
    return join(split(right)._replace(path=f"{found[2]}//{found[2]}")) if found else right


def _exploded(host: str) -> str:
    """Write an IPv6 address with all its digits."""
    try:
        return f"[{ipaddress.IPv6Address(host.strip('[]')).exploded}]"
    except ValueError:
        return host


def _address(change):
    return lambda authority: re.sub(r"\[[^\]]*\]", lambda found: change(found[0]), authority)


def _query_parts(change):
    return inside("query", lambda query: "&".join(change(query.split("&"))))


def _given(component: str):
    """Leave a component as it is given, in capitals or not."""

    def change(given: str, right: str) -> str:
        return join(split(right)._replace(**{component: getattr(split(given), component)}))

    return change


SECOND_NORMALIZATION_FAULTS = {
    "rfc3986-digit-six": writes(inside("path", encoded("6"))),
    "rfc3986-unreserved-not-decoded": normalizes_to(_not_decoded),
    "cpython-tilde-encoded": writes(inside("path", encoded("~"))),
    "mojo-percent-in-fragment": writes(inside("fragment", sub("%25", "%"))),
    "httpx-slash-in-query": writes(inside("query", encoded("/"))),
    "neturl-two-slashes": writes(_first_segment_is_host),
    "url-normalizer-question-mark": writes(lambda right: right.replace("?", "", 1)),
    "stormcrawler-ampersand": writes(_ampersand_begins_query),
    "crawler-commons-query-after-decoding": normalizes_to(
        lambda given, right: (
            None
            if split(right).query is not None
            and len(split(right).path) < len(split(given).path)
            and "%" in split(given).path
            else right
        )
    ),
    "akka-rootless-dots": normalizes_to(_rootless_twice),
    "guzzle-root-popped": normalizes_to(_root_is_popped),
    "php-address-in-full": writes(inside("authority", _address(_exploded))),
    "fast-uri-second-elision": writes(
        inside("authority", _address(lambda host: re.sub(r"(?<=::)(.*?):0{1,4}(?=:)", r"\1:", host)))
    ),
    "okhttp-apostrophe-in-query": writes(inside("query", encoded("'"))),
    "dotnet-final-dots-of-segments": writes(inside("path", sub(r"(?<=[^/.])\.+(?=/|$)", ""))),
    "uri-js-urn-namespace": writes(sub("^urn:[^:?#]+", lambda found: found[0].lower())),
    "uri-js-fragment-of-web-socket": writes(
        lambda right: join(split(right)._replace(fragment=None)) if re.match("wss?:", right) else right
    ),
    "w3lib-blank-value": writes(
        _query_parts(lambda parts: [one if "=" in one or not one else f"{one}=" for one in parts])
    ),
    "normalize-url-utm": writes(
        _query_parts(lambda parts: [one for one in parts if not one.startswith("utm_")])
    ),
    "normalize-url-login": writes(inside("authority", sub("^.*@", ""))),
    "normalize-url-root": writes(
        lambda right: (
            join(split(right)._replace(path=""))
            if split(right).path == "/" and split(right).authority
            else right
        )
    ),
    "normalize-url-text-fragment": writes(inside("fragment", sub(":~:text=.*", ""))),
    "nutch-session": writes(inside("path", sub("(?i);jsessionid=[^/;]*", ""))),
    "network-uri-authority-case": normalizes_to(_given("authority")),
    "jdk-scheme-case": normalizes_to(_given("scheme")),
    "httpclient-escaped-twice": writes(sub("%(?=[0-9A-Fa-f]{2})", "%25")),
}
