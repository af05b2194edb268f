"""Faults of the tenth list in reading: what a library refuses, accepts or splits wrongly."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from .library_faults import (
    Fault,
    Values,
    decoded,
    encoded,
    has,
    rejects,
    rejects_parts,
    shows,
    sub,
    tolerates,
)

# Values of components.


def value(parts: Values, name: str) -> str:
    """Return the text of a component, which is empty if the component is absent."""
    found = parts.get(name)
    return found if isinstance(found, str) else ""


def holds(name: str, pattern: str) -> Callable[[Values], bool]:
    """Return a function that tells if a pattern matches somewhere in a component."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda parts: compiled.search(value(parts, name)) is not None


def literal(parts: Values) -> bool:
    """Tell if the host is an address in brackets."""
    return value(parts, "host").startswith("[")


def empty_port(parts: Values) -> bool:
    """Tell if there is a colon of a port without digits."""
    return parts.get("port") == ""


def private_or_local(parts: Values) -> bool:
    """Tell if the host is a name without a dot or an address that begins with 10, 127 or 192."""
    host = value(parts, "host")
    local = host != "" and "." not in host and not literal(parts)
    return local or re.match(r"(10|127|192)\.\d", host) is not None


# Other texts.


def colons_of_first_segment(given: str) -> str:
    """Return the text with the colons of the first segment encoded if no scheme comes first."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", given):
        return given
    first = re.match(r"[^/?#]*", given)
    head = first[0] if first else ""
    return head.replace(":", "%3A") + given[len(head) :]


#: Put brackets around an IPv6 address that has none.
bracketed = sub(
    r"^([A-Za-z][A-Za-z0-9+.\-]*://)([0-9A-Fa-f]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)(?=[/?#]|$)", r"\1[\2]"
)

#: Encode a number sign before the at-sign of a userinfo.
number_sign_in_userinfo = sub(r"^([A-Za-z][A-Za-z0-9+.\-]*://[^/?#@]*)#(?=[^/?#]*@)", r"\1%23")


def unsafe_before_at(given: str) -> str:
    """Return the text with the quotes and angle brackets before the last at-sign encoded."""
    head, at, tail = given.rpartition("@")
    return encoded('["<>]')(head) + at + tail


# Other components.


def generic(change: Callable[[Values], Values | None]) -> Fault:
    """Give other values to components of the syntax that has an authority."""
    return shows(lambda parts: change(parts) if "authority" in parts else None)


def underscore(parts: Values) -> Values | None:
    """Return no parts of an authority whose host has an underscore."""
    return {"userinfo": None, "host": None, "port": None} if "_" in value(parts, "host") else None


def colon_into_path(parts: Values) -> Values | None:
    """Return the colon of an empty port as the begin of the path."""
    if not empty_port(parts):
        return None
    path = f"/:{value(parts, 'path')}"
    return {"authority": value(parts, "authority")[:-1], "port": None, "path": path}


def split_in_brackets(parts: Values) -> Values | None:
    """Return host and port around the first colon of an address in brackets."""
    if not literal(parts):
        return None
    host, _, port = value(parts, "authority").rpartition("@")[2].partition(":")
    return {"host": host, "port": port}


def first_group(parts: Values) -> Values | None:
    """Return the first group of an IPv6 address as the host."""
    return {"host": value(parts, "host")[1:].partition(":")[0]} if literal(parts) else None


def cut_at_encoded_equals(parts: Values) -> Values | None:
    """Return the query before an encoded equals sign."""
    query = value(parts, "query")
    return {"query": re.split("%3[Dd]", query)[0]} if re.search("%3[Dd]", query) else None


def query_decoded(parts: Values) -> Values | None:
    """Return the query with the delimiters of its pairs decoded."""
    query = value(parts, "query")
    found = decoded("26|3d")(query)
    return {"query": found} if found != query else None


def userinfo_decoded(parts: Values) -> Values | None:
    """Return the userinfo with all its octets decoded."""
    userinfo = value(parts, "userinfo")
    return {"userinfo": unquote(userinfo)} if "%" in userinfo else None


def plain_credentials_only(parts: Values) -> Values | None:
    """Return a host before the first colon unless the userinfo is a name or a name and a password."""
    userinfo = parts.get("userinfo")
    if userinfo is None or re.fullmatch("[^:]+(:[^:]+)?", userinfo):
        return None
    found = re.fullmatch(r"([^:]*)(?::([0-9]+))?(.*)", value(parts, "authority"))
    assert found is not None
    host, port, rest = found[1], found[2], found[3]
    authority = host if port is None else f"{host}:{port}"
    path = rest + value(parts, "path")
    return {"authority": authority, "userinfo": None, "host": host, "port": port, "path": path}


def second_field_only(parts: Values) -> Values | None:
    """Return the userinfo without what follows its second colon."""
    fields = value(parts, "userinfo").split(":")
    return {"userinfo": ":".join(fields[:2])} if len(fields) > 2 else None


def no_empty_fragment(parts: Values) -> Values | None:
    """Return no fragment instead of an empty one."""
    return {"fragment": None} if parts.get("fragment") == "" else None


def no_fragment(parts: Values) -> Values | None:
    """Return no fragment."""
    return {"fragment": None} if parts.get("fragment") is not None else None


def fragment_in_path(parts: Values) -> Values | None:
    """Return the fragment of a reference without a scheme as the end of its query or path."""
    if parts.get("scheme") is not None or parts.get("fragment") is None:
        return None
    name = "path" if parts.get("query") is None else "query"
    return {name: f"{value(parts, name)}#{value(parts, 'fragment')}", "fragment": None}


def no_query(parts: Values) -> Values | None:
    """Return no query."""
    return {"query": None} if parts.get("query") is not None else None


def at_in_path(parts: Values) -> Values | None:
    """Return what comes before an at-sign of the path as userinfo and what follows as host."""
    path, authority = value(parts, "path"), value(parts, "authority")
    if "@" not in path or "@" in authority or not (path.startswith("/") or authority):
        return None
    userinfo, _, rest = (authority + path).partition("@")
    host = rest.partition("/")[0]
    found = {"authority": f"{userinfo}@{host}", "userinfo": userinfo, "host": host}
    return {**found, "port": None, "path": rest[len(host) :]}


def at_in_query(parts: Values) -> Values | None:
    """Return all that comes before an at-sign of the query as userinfo and what follows as host."""
    query, authority, path = value(parts, "query"), value(parts, "authority"), value(parts, "path")
    if "@" not in query or not authority or "@" in authority + path:
        return None
    before, _, rest = query.partition("@")
    userinfo = f"{authority}{path}?{before}"
    found = re.match("[^:/?]*", rest)
    host = found[0] if found else ""
    changed = {"authority": f"{userinfo}@{host}", "userinfo": userinfo, "host": host, "port": None}
    return {**changed, "path": rest[len(host) :], "query": None}


def slashes_decoded(parts: Values) -> Values | None:
    """Return the path with its encoded slashes decoded."""
    path = value(parts, "path")
    found = decoded("2f")(path)
    return {"path": found} if found != path else None


TENTH_READING_FAULTS: dict[str, Fault] = {
    "hurl-tilde-rejected": rejects(has("~")),
    "littleproxy-uppercase-http-rejected": rejects(has("^(?!http:)(?i:http):")),
    "qwen-code-uppercase-scheme-rejected": rejects(has("^(?!https?://)(?i:https?)://")),
    "request-uppercase-scheme-rejected": rejects(has("^[^:/?#]*[A-Z][^:/?#]*://")),
    "wpull-empty-port-rejected": rejects_parts(empty_port),
    "rocket-fragment-rejected": rejects(has("#")),
    "govalidator-percent-rejected": rejects(has("%")),
    "jquerytools-percent-rejected": rejects(has("%")),
    "rfc3986-py-percent-in-host-rejected": rejects_parts(holds("host", "%")),
    "rabbitmq-objc-two-encoded-slashes-rejected": rejects(has("^[^?#]*%2[Ff][^?#]*%2[Ff]")),
    "yup-localhost-rejected": rejects_parts(holds("host", "(?i)^localhost$")),
    "ngx-custom-validators-local-hosts-rejected": rejects_parts(private_or_local),
    "redux-form-validators-localhost-rejected": rejects_parts(
        holds("host", r"(?i)^(localhost|127\.0\.0\.1)$")
    ),
    "urllib3-dot-in-scheme-rejected": rejects_parts(holds("scheme", r"\.")),
    "django-plus-in-scheme-rejected": rejects_parts(holds("scheme", r"\+")),
    "scribejava-digit-in-scheme-rejected": rejects_parts(holds("scheme", "[0-9]")),
    "freecodecamp-ipv6-rejected": rejects_parts(literal),
    "b-validate-ipv6-rejected": rejects_parts(literal),
    "json-viewer-last-octet-below-ten-rejected": rejects_parts(holds("host", r"^([0-9]+\.){3}[0-9]$")),
    "helidon-colon-in-query-rejected": rejects_parts(holds("query", ":")),
    "uriparse-rs-colon-in-first-segment-accepted": tolerates(colons_of_first_segment),
    "rfc3986-py-colon-in-first-segment-accepted": tolerates(colons_of_first_segment),
    "marshmallow-ipv6-without-brackets-accepted": tolerates(bracketed),
    "govalidator-number-sign-in-userinfo-accepted": tolerates(number_sign_in_userinfo),
    "validators-unsafe-in-userinfo-accepted": tolerates(unsafe_before_at),
    "paho-java-underscore-host-lost": generic(underscore),
    "node-legacy-empty-port-into-path": generic(colon_into_path),
    "insomnia-ipv6-split-at-colon": generic(split_in_brackets),
    "uptime-kuma-ipv6-first-group-only": generic(first_group),
    "deltachat-encoded-equals-cuts-query": generic(cut_at_encoded_equals),
    "urlcheck-query-decoded-before-split": generic(query_decoded),
    "hosted-git-info-userinfo-decoded": generic(userinfo_decoded),
    "jquery-mobile-colons-in-credentials": generic(plain_credentials_only),
    "mysqljs-second-colon-cuts-userinfo": generic(second_field_only),
    "closure-library-empty-fragment-lost": shows(no_empty_fragment),
    "zio-http-fragment-lost": shows(no_fragment),
    "bun-router-fragment-in-path": generic(fragment_in_path),
    "rust-web3-query-lost": shows(no_query),
    "purl-js-at-sign-in-path": generic(at_in_path),
    "qooxdoo-at-sign-in-query": generic(at_in_query),
    "jlroutes-encoded-slash-decoded": generic(slashes_decoded),
}
