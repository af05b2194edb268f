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
from urlharness.generate.tiers.beyond_ascii import with_letters_beyond_ascii
from urlharness.generate.tiers.labels import Label, label
from urloracle.errors import InvalidURL
from urloracle.operations import recompositions
from urloracle.specification import Specification

_Spellings = Sequence[str | list[tuple[str, str]] | None]

_SCHEMES: _Spellings = (None, "http", "x+1")
_QUERIES: _Spellings = (None, "", "q", "?/")
_FRAGMENTS: _Spellings = (None, "", "f")
_PATHS = (
    "",
    "/",
    "/p",
    "/p/..",
    "//",
    "//p/",
    "a",
    "a/b",
    "a:b",
    "./a:b",
    "/.//g",
    "..",
    "/%2f;x=1",
    "*",
)

#: The parts of an authority. If the host is None, the authority is absent.
_USERINFO: _Spellings = (None, "", "u:p")
_HOSTS: _Spellings = (None, "", "h.", "1.2.3.4", "[::a]", "a_b")
_PORTS: _Spellings = (None, "", "080")

#: The products of authorities with paths, queries and fragments. The first of `_HOSTS` is the absent one.
_EVERY_AUTHORITY: Mapping[str, _Spellings] = {"userinfo": _USERINFO, "host": _HOSTS[1:], "port": _PORTS}
_FEW_AUTHORITIES: Mapping[str, _Spellings] = {"userinfo": (None,), "host": _HOSTS[:3], "port": (None,)}
_EVERY_PATH: Mapping[str, _Spellings] = {"path": _PATHS, "query": _QUERIES, "fragment": _FRAGMENTS}
_FEW_PATHS: Mapping[str, _Spellings] = {
    "path": ("", "/p", "a"),
    "query": (None, "", "q"),
    "fragment": (None, "", "f"),
}

#: The components of an RFC with parameters (RFC 1808).
_WITH_PARAMS: Mapping[str, _Spellings] = {
    "scheme": (None, "http", "1+x"),
    "net_loc": (None, "", "h", "u:p@h:80", "h?q;x"),
    "path": ("", "/", "/p", "/p/..", "//p", "a", "a/b", "a:b", "*"),
    "params": (None, "", "x", "x=1;y/z"),
    "query": (None, "", "q", "q?/;"),
    "fragment": (None, "", "f"),
}

_LOGIN: Mapping[str, _Spellings] = {"user": (None, "", "u", "u%3A;?"), "password": (None, "", "p", "%40+")}
_SITE: Mapping[str, _Spellings] = {"host": ("h", "h.dom", "1.2.3.4"), "port": (None, "80", "0080")}
_SEARCH: _Spellings = (None, "", "s", "b=2&a=1:@")

#: The components of each scheme that has a rule of its own (RFC 1738). The scheme `item` is an example of all
#: other schemes.
_OF_SCHEMES: Mapping[str, Mapping[str, _Spellings]] = {
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


def component_sets(spec: str) -> Iterator[Components]:
    """Yield each set of components for an RFC once, in a fixed order.

    Yield nothing for an RFC whose components are unlike those of RFC 1738, 1808 and 3986.
    """
    spec_facts = facts(spec)
    if spec_facts.by_scheme:
        for scheme, components in _OF_SCHEMES.items():
            yield from _product({"scheme": (scheme,), **components})
    elif spec_facts.components.keys() == _WITH_PARAMS.keys():
        yield from _product(_WITH_PARAMS)
    elif spec_facts.generic:
        for generic in map(_with_authority, _generic()):
            yield _with_letters_beyond_ascii(generic) if spec_facts.iris else generic


def _product(spellings: Mapping[str, _Spellings]) -> Iterator[Components]:
    """Yield all combinations of the spellings of the components."""
    for combination in product(*spellings.values()):
        yield dict(zip(spellings, combination, strict=True))


def _generic() -> Iterator[Components]:
    """Yield components of RFC 2396 and later: all authorities with few paths, few hosts with all paths."""
    yield from _product({"scheme": _SCHEMES, **_EVERY_AUTHORITY, **_FEW_PATHS})
    for components in _product({"scheme": _SCHEMES, **_FEW_AUTHORITIES, **_EVERY_PATH}):
        has_few = components["path"] in _FEW_PATHS["path"] and components["query"] in _FEW_PATHS["query"]
        # the first product has the others
        if components["host"] is None or not has_few:
            yield components


def _with_authority(components: Components) -> Components:
    """Return the components with the authority that userinfo, host and port form."""
    userinfo = components["userinfo"]
    host = components["host"]
    port = components["port"]
    authority = None
    if host is not None:
        login = "" if userinfo is None else f"{userinfo}@"
        port_suffix = "" if port is None else f":{port}"
        authority = f"{login}{host}{port_suffix}"
    # scheme and authority come first, as in all other sets of components
    return {"scheme": components["scheme"], "authority": authority, **components}


def _with_letters_beyond_ascii(components: Components) -> Components:
    """Return the components of an IRI, whose letters are not all of ASCII. Its scheme stays."""
    written: Components = {}
    for name, text in components.items():
        if isinstance(text, str) and name != "scheme":
            written[name] = with_letters_beyond_ascii(text)
        else:
            written[name] = text
    return written


def label_forms(spec: Specification) -> Iterator[tuple[Components, Label]]:
    """Yield each set of components that can be recomposed, and the label of the result."""
    for components in component_sets(spec.id):
        try:
            yield components, label_form(spec, components)
        except ValueError:  # no text of the scheme has these components
            continue


def label_form(spec: Specification, components: Components) -> Label:
    """Return the label of a recomposition: the recommended text, and other texts that rulings admit.

    Raise ValueError if the oracle cannot recompose the components.
    """
    text, *further_texts = recompositions(components, spec)
    expect = Expected(result=text)
    if not _is_parsed(spec, text, components):
        return Label(expect, "unspecified", "G-12")
    return label(expect, [_alternative(spec, components, further) for further in further_texts])


def _is_parsed(spec: Specification, text: str, components: Components) -> bool:
    """Return True if the text parses into these components.

    Absent and empty components count as equal if the RFC may drop empty ones (R-1808-09).
    """
    try:
        parsed = spec.asdict(spec.parse(text))
    except InvalidURL:
        return False
    if facts(spec.id).empty_is_absent:
        return all((parsed[name] or "") == (component or "") for name, component in components.items())
    expected = components
    if parsed.get("authority") is not None and parsed["host"] is None:  # a registry name (R-2396-11)
        expected = {**components, "userinfo": None, "host": None, "port": None}
    if parsed.get("fieldspecs"):
        parsed["fieldspecs"] = [*map(tuple, parsed["fieldspecs"])]
    return parsed == expected


def _alternative(spec: Specification, components: Components, text: str) -> Label:
    """Return the label of another text to which a ruling lets the components be recomposed.

    Only RFC 1738 and 1808 have such texts.
    """
    if facts(spec.id).by_scheme:
        ruling = "R-1738-29" if components["scheme"] == "telnet" else "R-1738-35"
        return Label(Expected(result=text, variant="slash-omitted"), "permitted-set", ruling)
    if components["net_loc"] == "" and "//" not in text:
        return Label(Expected(result=text, variant="slashes-dropped"), "permitted-set", "R-1808-22")
    return Label(Expected(result=text, variant="delimiter-kept"), "permitted-set", "R-1808-09")
