"""Faults of the third list in resolving, normalizing, recomposing, comparing, extracting, decoding, base."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from .library_faults import (
    CRASHED,
    REJECTED,
    TRIPLET,
    Ask,
    Change,
    Fault,
    Parts,
    Question,
    Reply,
    Values,
    compares,
    decoded,
    decodes,
    encoded,
    finds,
    inside,
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
    writes,
)
from .third_reading_faults import UNRESERVED, number_as_address


def _dots(dots: Change) -> Fault:
    return resolves(lambda base, reference: target(base, reference, dots=dots))


def _is_path(reference: Parts) -> bool:
    return reference.scheme is None and reference.authority is None and bool(reference.path)


def _is_relative(reference: Parts) -> bool:
    return _is_path(reference) and not reference.path.startswith("/")


def _if(test: Callable[[Parts, Parts], bool], wrong: Callable[[Parts, Parts], Parts | str]) -> Fault:
    """Resolve in another way when the test is true of base and reference."""
    return resolves(
        lambda base, reference: wrong(base, reference) if test(base, reference) else target(base, reference)
    )


def _root_lost(path: str) -> str:
    found = remove_dots(path)
    return "" if found == "/" and ".." in path else found


def _first_segment_is_host(base: Parts, reference: Parts) -> Parts:
    host, slash, rest = reference.path.lstrip("/").partition("/")
    return target(base, reference._replace(authority=host, path=slash + rest))


THIRD_RESOLUTION_FAULTS: Mapping[str, Fault] = {
    "botocore-hidden-segment": _dots(lambda path: remove_dots(re.sub(r"/\.(?=[^./])", "/", path))),
    "purl-authority-gets-http": _if(
        lambda _, reference: reference.scheme is None and reference.authority is not None,
        lambda base, reference: target(base, reference)._replace(scheme="http"),
    ),
    "php-mf2-port-lost": _if(
        lambda _, reference: reference.authority is None and reference.scheme is None,
        lambda base, reference: target(base, reference)._replace(
            authority=None if base.authority is None else re.sub(r":\d+$", "", base.authority)
        ),
    ),
    "httpx-first-dots-dropped": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(
            base, reference._replace(path=re.sub(r"^(?:\.\./)+(?=.)", "", reference.path))
        ),
    ),
    "urijs-authority-of-base": _if(
        lambda _, reference: bool(reference.scheme) and reference.authority == "",
        lambda base, reference: target(base, reference._replace(scheme=None, authority=None)),
    ),
    "zig-final-slash": _if(
        lambda _, reference: _is_path(reference),
        lambda base, reference: target(base, reference)._replace(
            path=re.sub("(?<=[^/])/$", "", target(base, reference).path)
        ),
    ),
    "lightpanda-one-slash": resolves_to(
        lambda base, reference, right: (
            right.replace("://", ":/", 1) if reference.scheme is None and base.authority else right
        )
    ),
    "blobfile-final-semicolon": resolves_to(
        lambda _base, reference, right: (
            inside("path", lambda path: path.removesuffix(";"))(right) if reference.path else right
        )
    ),
    "rfc3986-root-lost": _dots(_root_lost),
    "quri-rooted-dots": _if(
        lambda _, reference: _is_path(reference) and reference.path.startswith("/"),
        lambda base, reference: target(base, reference, dots=lambda path: path),
    ),
    "cpython-dots-after-authority": _if(
        lambda _, reference: reference.scheme is None and reference.authority is not None,
        lambda base, reference: target(base, reference, dots=lambda path: path),
    ),
    "rust-url-opaque-base": resolves(
        lambda base, reference: (
            None
            if base.authority is None
            and not base.path.startswith("/")
            and reference.scheme is None
            and (reference.authority is not None or reference.path or reference.query is not None)
            else target(base, reference)
        ),
        REJECTED,
    ),
    "ada-three-slashes": _if(
        lambda base, reference: (
            reference.scheme is None
            and reference.authority == ""
            and bool(reference.path.strip("/"))
            and base.scheme in ("http", "https", "ftp")
        ),
        _first_segment_is_host,
    ),
    "rust-url-encoded-dots": _dots(
        lambda path: remove_dots(
            re.sub(r"(?<=/)(?:\.|%2[Ee]){1,2}(?=/|$)", lambda found: re.sub("%2[Ee]", ".", found[0]), path)
        )
    ),
    "node-apostrophe-encoded": resolves_to(lambda _base, _reference, right: right.replace("'", "%27")),
    "urllib3-url-in-query": _if(
        lambda _, reference: reference.scheme is None and "://" in (reference.query or ""),
        lambda _, reference: join(reference),
    ),
    "nim-name-ends-in-two-dots": _dots(
        lambda path: remove_dots(re.sub(r"(?<=/)[^/.][^/]*\.\.(?=/|$)", "..", path))
    ),
    "feediron-both-queries": _if(
        lambda base, reference: (
            reference[:3] == (None, None, "") and reference.query is not None and base.query is not None
        ),
        lambda base, reference: target(base, reference)._replace(query=f"{base.query}?{reference.query}"),
    ),
    "mdream-root": _if(
        lambda _, reference: _is_relative(reference),
        lambda base, reference: target(base, reference._replace(path=f"/{reference.path}")),
    ),
    "buran-two-dots-alone": _if(
        lambda _, reference: _is_path(reference) and reference.path == "..",
        lambda base, reference: target(base, reference, dots=lambda path: path),
    ),
    "rel-to-abs-rooted": resolves_to(
        lambda base, reference, right: (
            join(split(right)._replace(path=base.path.rstrip("/") + reference.path))
            if _is_path(reference) and reference.path.startswith("/")
            else right
        )
    ),
}


def _https_port_80(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Drop port 80 from https URIs."""
    if right["status"] != "ok" or question.get("mode") != "scheme" or not right["url"].startswith("https:"):
        return right
    changed = inside("authority", sub(":80$", ""))(right["url"])
    return right if changed == right["url"] else {"status": "ok", "url": changed}


def _capitals_of_triplets(given: str, right: str) -> str:
    """Make the letters of the host small before its octets are decoded."""
    if not re.search("%[45][0-9A-Fa-f]", split(given).authority or ""):
        return right
    _, at_sign, host = (split(given).authority or "").rpartition("@")
    apart = re.sub(
        f"{TRIPLET}|.", lambda found: found[0].upper() if len(found[0]) > 1 else found[0].lower(), host
    )
    kept = split(right).authority or ""
    return join(split(right)._replace(authority=kept.rpartition("@")[0] + at_sign + UNRESERVED(apart)))


def _capitals_beside_triplets(given: str, right: str) -> str:
    """Keep the capitals of a host that has octets beyond ASCII."""
    _, at_sign, host = (split(given).authority or "").rpartition("@")
    if not re.search("%[89A-Fa-f]", host):
        return right
    kept = split(right).authority or ""
    upper = re.sub(TRIPLET, lambda found: found[0].upper(), host)
    return join(split(right)._replace(authority=kept.rpartition("@")[0] + at_sign + UNRESERVED(upper)))


def _rootless_as_given(given: str, right: str) -> str:
    """Keep the dot-segments of a path that does not begin with a slash."""
    parts = split(given)
    if parts.scheme is None or parts.authority is not None or parts.path.startswith("/"):
        return right
    if remove_dots(parts.path) == parts.path:
        return right
    return join(split(right)._replace(path=parts.path))


def _host_changed(change: Change) -> Change:
    """Return a function that changes the host of a URL."""
    return inside(
        "authority",
        lambda found: re.sub(
            r"^((?:.*@)?)(\[.*\]|[^:]*)", lambda part: part[1] + change(part[2]), found, count=1
        ),
    )


THIRD_NORMALIZATION_FAULTS: Mapping[str, Fault] = {
    "cpp-netlib-backslash-decoded": writes(inside("query", sub("%5C", r"\\"))),
    "webignition-port-of-https": Fault(("normalize",), _https_port_80),
    "stormcrawler-small-triplets": normalizes_to(
        lambda given, right: (
            inside("path", sub("%", "%25"))(right)
            if re.search("%(?:[0-9a-f][a-f]|[a-f][0-9a-f])", split(given).path)
            else right
        )
    ),
    "url-normalize-empty-label": normalizes_to(
        lambda _, right: (
            None if re.search(r"^(?:[^@]*@)?(?:\.|[^:\[]*\.\.)", split(right).authority or "") else right
        )
    ),
    "w3lib-small-letters-of-login": writes(
        inside("authority", lambda found: re.sub("^.*@", lambda login: login[0].lower(), found))
    ),
    "jdk-rootless-dots-kept": normalizes_to(_rootless_as_given),
    "rfc3986-tilde-not-decoded": normalizes_to(
        lambda given, right: right.replace("~", "%7E") if "%7e" in given.lower() else right
    ),
    "purell-number-becomes-address": writes(_host_changed(number_as_address)),
    "sh1pt-final-slash-of-query": writes(
        lambda right: right.rstrip("/") if re.search("[?#]", right) else right
    ),
    "curl-capitals-of-triplets": normalizes_to(_capitals_of_triplets),
    "iri-string-capitals-beside-triplets": normalizes_to(_capitals_beside_triplets),
    "nutch-dots-in-query": writes(inside("query", sub(r"/[^/&=]+/\.\.(?=/|&|$)|/\.(?=/)", ""))),
}


def _equals_sign_added(query: str) -> str:
    return "&".join(one if "=" in one or not one else f"{one}=" for one in query.split("&"))


def _no_port(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End in an error if there is a host and no port."""
    parts = question["components"]
    return CRASHED if parts.get("host") is not None and parts.get("port") is None else right


def _login(change: Change) -> Change:
    return inside("authority", lambda found: re.sub("^.*@", lambda login: change(login[0][:-1]) + "@", found))


THIRD_RECOMPOSITION_FAULTS: Mapping[str, Fault] = {
    "netcdf-at-sign-in-login": recomposed(_login(decoded("40|3a|2f"))),
    "qrkit-at-sign-encoded": recomposed(inside("path", encoded("@"))),
    "modern-uri-colon-encoded": recomposed(inside("path", encoded(":"))),
    "okhttp-dots-removed-when-written": recomposed(inside("path", remove_dots)),
    "furl-equals-sign-added": recomposed(inside("query", _equals_sign_added)),
    "flurl-slash-after-default-port": recomposed(
        sub("^(http://[^/?#]*:80|https://[^/?#]*:443)/(?=.)", r"\1")
    ),
    "erlware-no-port": Fault(("recompose",), _no_port),
}


def _exploded(host: str) -> str:
    """Write an IPv6 address with all its digits."""
    try:
        return f"[{ipaddress.IPv6Address(host[1:-1]).exploded}]" if host.startswith("[") else host
    except ValueError:
        return host


def _same_when(change: Change) -> Callable[[str, str, bool], bool]:
    """Compare texts that are changed before."""
    return lambda one, other, right: right or change(one) == change(other)


_without_login = sub("^([^/?#]*//)[^/?#@]*@", r"\1")

THIRD_EQUIVALENCE_FAULTS: Mapping[str, Fault] = {
    "urijs-plus-is-space": compares(_same_when(inside("query", sub(r"\+", "%20")))),
    "jdk-hosts-are-resolved": compares(
        _same_when(_host_changed(lambda host: "127.0.0.1" if host.lower() == "localhost" else host))
    ),
    "jdk-login-does-not-count": compares(_same_when(_without_login)),
    "rust-url-addresses-compared": compares(_same_when(_host_changed(_exploded))),
}

THIRD_EXTRACTION_FAULTS: Mapping[str, Fault] = {
    "cloudbot-tilde": finds(lambda _, one: one.partition("~")[0]),
    "bbcode-parser-comma": finds(lambda _, one: one.partition(",")[0]),
    "urlscan-parenthesis": finds(lambda _, one: one.partition("(")[0]),
    "linkify-address-in-brackets": finds(lambda _, one: None if "[" in (split(one).authority or "") else one),
    "ruby-capital-scheme": finds(lambda _, one: None if re.match("[^:/?#]*[A-Z][^:/?#]*:", one) else one),
    "linkify-it-known-schemes": finds(
        lambda _, one: one if re.match("(?i:https?|ftp|mailto):", one) else None
    ),
}


def _again(value: Any) -> Any:
    return unquote(value) if isinstance(value, str) else value


def _userinfo(url: str) -> str | None:
    return url.partition("//")[2].partition("/")[0].rpartition("@")[0] or None


def _decoded_before_colon(_view: Values, url: str) -> Values:
    """Decode user and password before they are separated."""
    user, colon, password = unquote(_userinfo(url) or "").partition(":")
    return {"user": user, "password": password if colon else None} if _userinfo(url) else {}


def _directories_as_given(view: Values, url: str) -> Values:
    directories = url.partition("//")[2].partition("/")[2].split("/")[:-1]
    return {"cwd": directories} if view["cwd"] else {}


def _controls(_view: Values, url: str) -> Values | None:
    return None if re.search("%(?:0[1-9b-ceBCE]|1[0-9A-Fa-f])", url) else {}


THIRD_DECODING_FAULTS: Mapping[str, Fault] = {
    "clj-ftp-login-decoded-twice": decodes(
        "ftp", lambda view, _: {"user": _again(view["user"]), "password": _again(view["password"])}
    ),
    "urly-decoded-before-colon": decodes("ftp", _decoded_before_colon),
    "curl-directories-not-decoded": decodes("ftp", _directories_as_given),
    "curl-controls-in-ftp": decodes("ftp", _controls),
    "perl-anonymous-password": decodes(
        "ftp", lambda view, _: {"password": "anonymous@"} if view["user"] is None else {}
    ),
    "cpython-slashes-of-file": decodes(
        "file", lambda view, _: {"directories": ["", "", *view["directories"]]} if view["host"] == "" else {}
    ),
    "cpython-capital-localhost": decodes(
        "file",
        lambda view, _: {"local": False} if view["host"] not in ("", "localhost") and view["local"] else {},
    ),
}


def _directory(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End the base after the last slash of its path."""
    if right["status"] != "ok" or not right["base"] or question.get("embedded") or question.get("header"):
        return right
    parts = split(right["base"])
    return {"status": "ok", "base": join(parts._replace(path=merge(parts, ""), query=None))}


THIRD_BASE_FAULTS: Mapping[str, Fault] = {
    "requests-html-directory": Fault(("base",), _directory),
}
