"""Normal forms, and the others that are admitted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, Literal, NamedTuple

from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar
from urloracle.rfc.components import URI
from urloracle.rfc.recomposition import recompose_uri
from urloracle.rfc.resolution import Alternative, remove_dot_segments

# -------------------- normalization: Normal forms: RFC 3986 section 6.2.2 (syntax) and 6.2.3 (scheme), the equivalences of RFC 2396 section 6.


Mode = Literal["syntax", "scheme"]


MODES: tuple[Mode, ...] = ("syntax", "scheme")


# RFC 1738, sections 3.2 to 3.11; RFC 3986, section 3.2.3, for http
DEFAULT_PORTS: Mapping[str, str] = {
    "ftp": "21",
    "http": "80",
    "gopher": "70",
    "nntp": "119",
    "telnet": "23",
    "wais": "210",
    "prospero": "1525",
}


_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def normalize_rfc3986(parts: URI, mode: Mode, grammar: Grammar) -> str:
    """The normal form of a reference; dots are removed from URIs only (R-3986-37)."""
    unreserved = grammar.character_class(Reference("unreserved")) or frozenset()

    def percent(text: str | None) -> str | None:
        return None if text is None else normalize_triplets(text, unreserved)

    scheme = None if parts.scheme is None else parts.scheme.lower()
    host = None if parts.host is None else _normalize_host(parts.host, unreserved)
    port, path = parts.port, normalize_triplets(parts.path, unreserved)
    if scheme is not None:
        path = remove_dot_segments(path)
        if host is None and path.startswith("//"):
            path = f"/.{path}"  # what follows must not become an authority (R-3986-09)
        if mode == "scheme":  # section 6.2.3, R-3986-20, R-3986-21
            port = None if port in ("", DEFAULT_PORTS.get(scheme)) else port
            path = "/" if host is not None and not path else path
    authority = _authority(percent(parts.userinfo), host, port)
    query, fragment = percent(parts.query), percent(parts.fragment)
    return recompose_uri(URI(scheme, authority, None, None, None, path, query, fragment))


def normalize_rfc2396(parts: URI, mode: Mode, grammar: Grammar) -> str:
    """Scheme and host in lower case; under a known scheme its default port left out (R-2396-27).

    An escape is undone only where the scheme says that the two are the same: in the path of an http URL
    (section 2.4.2, paragraph 2; R-2396-26).
    """
    scheme = None if parts.scheme is None else parts.scheme.lower()
    authority, path = parts.authority, parts.path
    if mode == "scheme" and scheme == "http":
        unreserved = grammar.character_class(Reference("unreserved")) or frozenset()
        path = decode_triplets(path, unreserved)
    if parts.host is not None:
        default = DEFAULT_PORTS.get(scheme or "") if mode == "scheme" else None
        port = None if parts.port == default else parts.port
        authority = _authority(parts.userinfo, parts.host.lower(), port)
    return recompose_uri(parts._replace(scheme=scheme, authority=authority, path=path))


def _authority(userinfo: str | None, host: str | None, port: str | None) -> str | None:
    if host is None:
        return None
    before = "" if userinfo is None else f"{userinfo}@"
    after = "" if port is None else f":{port}"
    return f"{before}{host}{after}"


def _normalize_host(host: str, unreserved: frozenset[str]) -> str:
    """Lower case, decoded letters included, but for the digits of the triplets that remain (R-3986-17)."""
    lowered = normalize_triplets(host, unreserved).lower()
    return _TRIPLET.sub(lambda match: match[0].upper(), lowered)


def normalize_triplets(text: str, unreserved: frozenset[str]) -> str:
    """Triplets of unreserved characters decoded, the others in upper case (sections 6.2.2.1 and 6.2.2.2)."""
    return _TRIPLET.sub(lambda match: _decode(match[0].upper(), unreserved), text)


def decode_triplets(text: str, characters: frozenset[str]) -> str:
    """Triplets of the characters decoded, the others as they are."""
    return _TRIPLET.sub(lambda match: _decode(match[0], characters), text)


def _decode(triplet: str, unreserved: frozenset[str]) -> str:
    """The character of a triplet if it is an unreserved one, else the triplet."""
    char = chr(int(triplet[1:], 16))
    return char if char in unreserved else triplet


# -------------------- normal_forms: The normal forms beside the recommended one that an RFC admits, each with the ruling that says so.


class NormalForms(NamedTuple):
    """The recommended normal form, and in `also` every other one that is admitted."""

    text: str
    also: tuple[Alternative, ...] = ()


class Freedom(NamedTuple):
    """What a normalizer may do to the recommended form: its name, the ruling, and the components it changes.

    None instead of components is to refuse the text.
    """

    variant: str
    ruling: str
    changes: dict[str, Any] | None


#: The freedoms for a recommended form in a mode, and the components that it was made of.
Freedoms = Callable[[URI, URI, Mode, frozenset[str]], Iterator[Freedom]]


def freedoms_rfc3986(form: URI, given: URI, mode: Mode, _: frozenset[str]) -> Iterator[Freedom]:
    """RFC 3986, section 6.2.3, by any scheme's rules or by none; the shield of a path (R-3986-09)."""
    if form.host is None and form.path.startswith("/.//"):
        yield Freedom("literal", "R-3986-09", {"path": form.path[2:]})
    if form.scheme is None:
        return
    yield from _ports_rfc3986(form, given)
    if form.host and not given.path:
        if not form.path:
            yield Freedom("slash-added", "R-3986-21", {"path": "/"})
        elif form.scheme != "http":
            yield Freedom("path-kept", "R-3986-21", {"path": ""})
    yield from _schemes_rfc3986(form, mode)


def _ports_rfc3986(form: URI, given: URI) -> Iterator[Freedom]:
    default = DEFAULT_PORTS.get(form.scheme or "")
    if form.port is None:
        if given.port and form.scheme != "http":  # the default of another scheme, which one need not know
            yield Freedom("port-kept", "R-3986-32", {"port": given.port})
    elif form.port in ("", default):
        ruling = "R-3986-32" if form.port and form.scheme != "http" else "R-3986-20"
        yield Freedom("port-removed", ruling, {"port": None})
    elif default and form.port.lstrip("0") == default:
        yield Freedom("port-removed", "R-3986-20", {"port": None})


def _schemes_rfc3986(form: URI, mode: Mode) -> Iterator[Freedom]:
    if form.scheme == "file" and form.host == "localhost":
        yield Freedom("scheme-aware", "R-3986-30", {"host": ""})
    if mode == "scheme" and form.scheme == "http" and form.host == "":
        yield Freedom("error", "R-3986-19", None)
    local, at, domain = form.path.rpartition("@")
    if form.scheme == "mailto" and at and domain != domain.lower():
        yield Freedom("domain-folded", "R-3986-30", {"path": f"{local}@{domain.lower()}"})


def freedoms_rfc2396(form: URI, given: URI, _: Mode, unreserved: frozenset[str]) -> Iterator[Freedom]:
    """RFC 2396, section 6, which leaves it to schemes what else is the same (R-2396-26, R-2396-27)."""
    scheme, path = form.scheme, form.path
    if given.path != path:
        yield Freedom("kept", "R-2396-26", {"path": given.path})
    elif decode_triplets(path, unreserved) != path:
        yield Freedom("unescaped", "R-2396-26", {"path": decode_triplets(path, unreserved)})
    elif form.host is not None and path.startswith("/") and remove_dot_segments(path) != path:
        yield Freedom("dots-removed", "R-2396-27", {"path": remove_dot_segments(path)})
    elif form.host and not path:
        yield Freedom("slash-added", "R-2396-27", {"path": "/"})
    if form.port is not None and form.port in ("", DEFAULT_PORTS.get(scheme or "")):
        yield Freedom("port-removed", "R-2396-27", {"port": None})


def normal_forms(form: URI, freedoms: Iterable[Freedom]) -> NormalForms:
    """The recommended form and every other one, the smaller changes first."""
    text, found = recompose_uri(form), dict[str | None, Alternative]()
    changing = []
    for freedom in freedoms:
        if freedom.changes is None:
            found[None] = Alternative(None, freedom.variant, freedom.ruling)
        else:
            changing.append(freedom)
    for count in range(1, len(changing) + 1):
        for chosen in combinations(changing, count):
            changes = {name: value for freedom in chosen for name, value in (freedom.changes or {}).items()}
            if len(changes) == count:  # not two of the same component
                other = recompose_uri(_with(form, changes))
                variant = "+".join(freedom.variant for freedom in chosen)
                found.setdefault(other, Alternative(other, variant, chosen[0].ruling))
    found.pop(text, None)
    return NormalForms(text, tuple(found.values()))


def _with(form: URI, changes: dict[str, Any]) -> URI:
    changed = form._replace(**changes)
    if changed.host is None:
        return changed
    before = "" if changed.userinfo is None else f"{changed.userinfo}@"
    after = "" if changed.port is None else f":{changed.port}"
    return changed._replace(authority=f"{before}{changed.host}{after}")
