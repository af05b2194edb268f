"""Faults of libraries in normalizing URLs: a step is missing or wrong, or does what no rule says."""

from __future__ import annotations

import re

from .library_faults import (
    TRIPLET,
    collapse,
    decoded,
    encoded,
    inside,
    join,
    normalizes,
    normalizes_to,
    remove_dots,
    split,
    sub,
    writes,
)
from .resolution_faults import dots_by_prefix


def _path_of_dots(given: str, right: str) -> str:
    """Remove dot-segments before percent-encoded octets are decoded."""
    parts = split(given)
    path = remove_dots(parts.path) if parts.scheme is not None else parts.path
    path_decoded = re.sub("%2[Ee]", ".", path)
    return join(split(right)._replace(path=path_decoded)) if re.search("%2[Ee]", path) else right


def _leaving(component: str):
    """Leave a component as it is given."""

    def change(given: str, right: str) -> str:
        value = getattr(split(given), component)
        return join(split(right)._replace(**{component: value}))

    return change


def _host(authority: str) -> str:
    return authority.rpartition("@")[2]


def _in_host(change):
    def changed(authority: str) -> str:
        login, at, host = authority.rpartition("@")
        return login + at + change(host)

    return changed


def _given_host(given: str, right: str, change=lambda host: host) -> str:
    authority = split(given).authority
    if authority is None:
        return right
    found = split(right)
    login = (found.authority or "").rpartition("@")
    return join(found._replace(authority=login[0] + login[1] + change(_host(authority))))


def _given_userinfo(given: str, right: str) -> str:
    before, found = split(given).authority or "", split(right)
    if "@" not in before or found.authority is None:
        return right
    return join(found._replace(authority=f"{before.rpartition('@')[0]}@{_host(found.authority)}"))


def _short_ipv6(host: str) -> str:
    found = re.sub(r"(?<=[\[:])0+(?=[0-9a-f])", "", host) if host.startswith("[") else host
    return re.sub(r"(?<!:)(?::0){2,}(?=:[^:])", ":", found) if "::" not in found else found


NORMALIZATION_FAULTS = {
    "jdk-slashes-2396": writes(inside("path", collapse)),
    "uriparser-triplets-of-host": writes(
        inside("authority", _in_host(sub(TRIPLET, lambda found: found[0].lower())))
    ),
    "uriparser-host-not-decoded": normalizes_to(
        lambda given, right: (
            _given_host(given, right, sub("(%..)|[A-Z]", lambda found: found[1] or found[0].lower()))
            if "%" in _host(split(given).authority or "")
            else right
        )
    ),
    "uriparser-dots-first": normalizes_to(_path_of_dots),
    "boost-first-segment-becomes-scheme": writes(
        lambda right: (
            join(found._replace(path=remove_dots(found.path)))
            if (found := split(right)).scheme is None
            and found.authority is None
            and re.match(r"\.{1,2}/[^/]*:", found.path)
            else right
        )
    ),
    "addressable-relative-with-colon": normalizes_to(
        lambda given, right: None if re.match(r"\.\./[^/?#]*:", given) else right
    ),
    "addressable-relative-becomes-authority": writes(
        lambda right: inside("path", remove_dots)(right) if re.match(r"/\.{1,2}//", right) else right
    ),
    "boost-colon-decoded": writes(inside("path", decoded("3a"))),
    "addressable-comma-decoded": writes(inside("query", decoded("2c"))),
    "addressable-plus-decoded": writes(inside("query", decoded("2b"))),
    "addressable-ampersand-decoded": writes(inside("query", decoded("26"))),
    "addressable-semicolon-changed": writes(inside("query", lambda query: query.replace(";", "&"))),
    "addressable-empty-query": writes(lambda url: join(split(url)._replace(query=split(url).query or None))),
    "addressable-final-dot-of-host": writes(inside("authority", sub(r"\.(?=:\d*$|$)", ""))),
    "url-py-apostrophe-decoded": writes(inside("path", decoded("2[1246789abc]|3[bd]"))),
    "erlang-percent-decoded": writes(sub("%25", "%")),
    "w3lib-hash-decoded": writes(inside("path", decoded("23"))),
    "w3lib-semicolon-decoded": writes(inside("path", decoded("3b"))),
    "w3lib-percent-decoded-in-path": writes(inside("path", sub("%25$", "%"))),
    "w3lib-query-sorted": writes(inside("query", lambda query: "&".join(sorted(query.split("&"))))),
    "w3lib-fragment-dropped": writes(lambda url: join(split(url)._replace(fragment=None))),
    "w3lib-space-becomes-plus": writes(inside("query", sub("%20", "+"))),
    "normalize-url-slashes": writes(inside("path", collapse)),
    "normalize-url-final-slash": writes(inside("path", sub("(?<=.)/$", ""))),
    "normalize-url-www": writes(inside("authority", sub(r"^www\.", ""))),
    "normalize-url-index": writes(inside("path", sub(r"(?<=/)(?:index|default)\.[a-z]+$", ""))),
    "fast-uri-query-not-normalized": normalizes_to(_leaving("query")),
    "guzzle-fragment-not-normalized": normalizes_to(_leaving("fragment")),
    "guzzle-userinfo-not-normalized": normalizes_to(_given_userinfo),
    "guzzle-host-in-capitals": normalizes_to(
        lambda given, right: _given_host(given, right) if "%" not in given else right
    ),
    "fast-uri-slash-in-fragment": writes(inside("fragment", decoded("2[1-46-9abcf]|3[abdf]|40"))),
    "fast-uri-slash-in-path": normalizes(inside("path", decoded("2f"))),
    "fast-uri-dot-not-decoded": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path=re.sub("%2e", "%2E", split(given).path)))
            if re.search("%2[Ee]", split(given).path) and split(given).path.count("%") == 1
            else right
        )
    ),
    "league-slash-encoded": writes(inside("path", sub("^/(?=.)", "/%2F"))),
    "uriparser-zeros-of-port": writes(inside("authority", sub(r":0+(?=\d+$)", ":"))),
    "dotnet-marks-decoded": writes(
        lambda url: decoded("3a|2[1789a]")(url) if len(set(re.findall(TRIPLET, url))) > 1 else url
    ),
    "dotnet-space-decoded": writes(decoded("20|7c")),
    "scala-uri-percent-encoded": writes(sub("%(?=[0-9A-F]{2})", "%25")),
    "urijs-ipv6": writes(lambda right: None if "//[" in right or "@[" in right else right),
    "yarl-short-ipv6": writes(inside("authority", _in_host(_short_ipv6))),
    "okhttp-mapped-address": writes(inside("authority", sub(r"\[::ffff:(\d+\.\d+\.\d+\.\d+)\]", r"\1"))),
    "hutool-brackets-encoded": writes(inside("authority", encoded(r"[\[\]]"))),
    "perl-http-only": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path=sub(TRIPLET, lambda found: found[0].upper())(split(given).path)))
            if (split(right).scheme or "http") not in ("http", "https") and "/." not in given
            else right
        )
    ),
    "perl-zero-not-decoded": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path=split(given).path))
            if "%30" in split(given).path and split(given).path.count("%") == 1
            else right
        )
    ),
    "perl-marks-of-rfc-2396": writes(decoded("2[1789a]")),
    "urijs-asterisk-encoded": writes(inside("path", encoded(r"\*"))),
    "yarl-at-encoded": writes(inside("path", encoded("[@:]"))),
    "hyperlink-equals-encoded": writes(inside("query", sub("(?<==)([^&=]*)=", r"\1%3D"))),
    "lambdaisland-dots-kept": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path=split(given).path)) if "%" not in given else right
        )
    ),
    "exploding-fish-excess": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path=split(given).path[4:]))
            if split(given).authority and split(given).path.startswith("/../..")
            else right
        )
    ),
    "urijs-root-lost": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path=""))
            if split(right).path == "/" and split(given).path.endswith("/..")
            else right
        )
    ),
    "urijs-root-and-dot": normalizes_to(
        lambda given, right: (
            join(split(right)._replace(path="/."))
            if split(given).path == "/." and split(given).scheme
            else right
        )
    ),
    "urijs-name-with-dots": writes(
        lambda right: inside("path", dots_by_prefix)(right) if split(right).scheme else right
    ),
    "uris-jl-name-ends-in-dots": writes(inside("path", sub(r"(?<=[^/.])(\.+)$", r"\1/"))),
}
