"""Tier `recomposition`: components to recompose, each absent, empty or present, in all combinations.

The algorithm of an RFC can recompose some components to an invalid text. Such cases are included, and the RFC
leaves their answers open (G-12). RFC 1738 has no algorithm, so only components of valid texts are used for
it. Schemes and hosts are in lower case, because a library may fold their case (G-11).

The answers are the oracle's; tests compare them with a second implementation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from urlharness.corpus.model import Components, Expected
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.labels import Label, label
from urloracle.errors import InvalidURL
from urloracle.operations import recompositions
from urloracle.specification import Specification

_Value = str | list[tuple[str, str]] | None
_Values = Sequence[_Value]

_SCHEMES: _Values = (None, "http", "x+1")
_QUERIES: _Values = (None, "", "q", "?/")
_FRAGMENTS: _Values = (None, "", "f")
_PATHS = (
    "", "/", "/p", "/p/..", "//", "//p/", "a", "a/b", "a:b", "./a:b", "/.//g", "..", "/%2f;x=1", "*",
)  # fmt: skip

#: The parts of an authority. If the host is None, the authority is absent.
_USERINFO: _Values = (None, "", "u:p")
_HOSTS: _Values = (None, "", "h.", "1.2.3.4", "[::a]", "a_b")
_PORTS: _Values = (None, "", "080")

#: The components of an RFC with parameters (RFC 1808).
_WITH_PARAMS: Mapping[str, _Values] = {
    "scheme": (None, "http", "1+x"),
    "net_loc": (None, "", "h", "u:p@h:80", "h?q;x"),
    "path": ("", "/", "/p", "/p/..", "//p", "a", "a/b", "a:b", "*"),
    "params": (None, "", "x", "x=1;y/z"),
    "query": (None, "", "q", "q?/;"),
    "fragment": (None, "", "f"),
}

_LOGIN: Mapping[str, _Values] = {"user": (None, "", "u", "u%3A;?"), "password": (None, "", "p", "%40+")}
_SITE: Mapping[str, _Values] = {"host": ("h", "h.dom", "1.2.3.4"), "port": (None, "80", "0080")}
_SEARCH: _Values = (None, "", "s", "b=2&a=1:@")

#: The components of each scheme that has a rule of its own (RFC 1738). The scheme `item` is an example of all
#: other schemes.
_OF_SCHEMES: Mapping[str, Mapping[str, _Values]] = {
    "ftp": {
        **_LOGIN,
        **_SITE,
        "fpath": (None, "", "a", "/a//b", "%2Fa/?%3B"),
        "ftptype": (None, "a", "I", "d"),
    },
    "http": {**_SITE, "hpath": (None, "", "p", "/p//q;x", "%7Eu/"), "search": _SEARCH},
    "gopher": {
        **_SITE,
        "gtype": (None, "1", "/", "%31"),
        "selector": (None, "", "s", "a?b/%2F"),
        "search": (None, "", "w", "a/b?c"),
        "gopher+_string": (None, "", "+", "+%091%0D%0A"),
    },
    "mailto": {"encoded822addr": ("a@h", "", "a+b%25c@h?subject=x", "/")},
    "news": {
        "group": (None, "", "comp.x", "A-1"),
        "article": (None, "", "1%25@h", "*@h"),
        "grouppart": (None, "*", "x"),
    },
    "nntp": {**_SITE, "group": ("g", "", "comp.x", None), "digits": (None, "", "1", "042")},
    "telnet": {**_LOGIN, **_SITE},
    "wais": {
        **_SITE,
        "database": (None, "", "d", "A%20b"),
        "search": _SEARCH,
        "wtype": (None, "", "T"),
        "wpath": (None, "", "p%2Fq"),
    },
    "file": {"host": (None, "", "h", "localhost"), "fpath": (None, "", "a", "/a//b", "%2Fa?")},
    "prospero": {
        **_SITE,
        "ppath": (None, "", "n", "/n//m", "a=%3B"),
        "fieldspecs": (None, [("a", "b")], [("", "")], [("b", "2"), ("a", "1"), ("b", "")]),
    },
    "item": {
        "schemepart": (None, "", "a:b/c?d", "/x", "//"),
        **dict.fromkeys(("user", "password", "host", "port", "urlpath"), (None,)),
    },
}


def forms(spec: str) -> Iterator[Components]:
    """Yield each set of components for an RFC once, in a fixed order.

    Yield nothing for an RFC whose components are unlike those of RFC 1738, 1808 and 3986.
    """
    known = facts(spec)
    if known.by_scheme:
        for scheme, values in _OF_SCHEMES.items():
            yield from _product({"scheme": (scheme,), **values})
    elif known.components.keys() == _WITH_PARAMS.keys():
        yield from _product(_WITH_PARAMS)
    elif known.generic:
        yield from map(_with_authority, _generic())


def _product(values: Mapping[str, _Values]) -> Iterator[Components]:
    return (dict(zip(values, some, strict=True)) for some in product(*values.values()))


def _generic() -> Iterator[Components]:
    few = {"path": ("", "/p", "a"), "query": (None, "", "q"), "fragment": (None, "", "f")}
    sites = {"userinfo": _USERINFO, "host": _HOSTS[1:], "port": _PORTS}
    yield from _product({"scheme": _SCHEMES, **sites, **few})
    absent: Mapping[str, _Values] = {"userinfo": (None,), "host": _HOSTS[:3], "port": (None,)}
    rest = {"path": _PATHS, "query": _QUERIES, "fragment": _FRAGMENTS}
    for parts in _product({"scheme": _SCHEMES, **absent, **rest}):
        if parts["host"] is None or parts["path"] not in few["path"] or parts["query"] == "?/":
            yield parts


def _with_authority(parts: Components) -> Components:
    """Return the components with the authority that userinfo, host and port form."""
    userinfo, host, port = parts["userinfo"], parts["host"], parts["port"]
    login = "" if userinfo is None else f"{userinfo}@"
    authority = None if host is None else f"{login}{host}" + ("" if port is None else f":{port}")
    return {"scheme": parts["scheme"], "authority": authority, **parts}


def label_forms(spec: Specification) -> Iterator[tuple[Components, Label]]:
    """Yield each set of components that can be recomposed, and the label of the result."""
    for components in forms(spec.id):
        try:
            yield components, label_form(spec, components)
        except ValueError:  # no text of the scheme has these components
            continue


def label_form(spec: Specification, components: Components) -> Label:
    """Return the label of a recomposition: the recommended text, and other texts that rulings admit.

    Raise ValueError if the oracle cannot recompose the components.
    """
    text, *others = recompositions(components, spec)
    expect = Expected(result=text)
    if not _is_parsed(spec, text, components):
        return Label(expect, "unspecified", "G-12")
    return label(expect, [_also(spec, components, other) for other in others])


def _is_parsed(spec: Specification, text: str, components: Components) -> bool:
    """Return True if the text parses into these components.

    Absent and empty components count as equal if the RFC may drop empty ones (R-1808-09).
    """
    try:
        found = spec.asdict(spec.parse(text))
    except InvalidURL:
        return False
    if facts(spec.id).empty_is_absent:
        return all((found[name] or "") == (value or "") for name, value in components.items())
    if found.get("authority") is not None and found["host"] is None:  # a registry name (R-2396-11)
        components = {**components, "userinfo": None, "host": None, "port": None}
    if found.get("fieldspecs"):
        found["fieldspecs"] = [*map(tuple, found["fieldspecs"])]
    return found == components


def _also(spec: Specification, components: Components, text: str) -> Label:
    if facts(spec.id).by_scheme:
        ruling = "R-1738-29" if components["scheme"] == "telnet" else "R-1738-35"
        return Label(Expected(result=text, variant="slash-omitted"), "permitted-set", ruling)
    dropped = components["net_loc"] == "" and "//" not in text
    variant, ruling = ("slashes-dropped", "R-1808-22") if dropped else ("delimiter-kept", "R-1808-09")
    return Label(Expected(result=text, variant=variant), "permitted-set", ruling)
