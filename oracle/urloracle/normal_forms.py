"""The normal forms beside the recommended one that an RFC admits, each with the ruling that says so.

What a normalizer may do is left open in places: each such freedom is a change to the recommended form, and
those that touch different components go together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from urloracle.components import URI
from urloracle.dots import remove_dot_segments
from urloracle.normalization import DEFAULT_PORTS, Mode, decode_triplets
from urloracle.recomposition import recompose_uri
from urloracle.resolution import Alternative


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
