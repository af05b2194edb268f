"""Normalization: RFC 3986 sections 6.2.2 (mode `syntax`) and 6.2.3 (mode `scheme`), RFC 2396 section 6."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, Literal, NamedTuple

from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar
from urloracle.rfc.components import URI
from urloracle.rfc.recomposition import recompose_authority, recompose_parts, recompose_uri
from urloracle.rfc.resolution import Alternative, remove_dot_segments

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

#: Default ports that none of the five RFCs names (R-3986-39, R-2396-34). https: RFC 2818, section
#: 2.3; ws and wss: RFC 6455, section 3.
OTHER_PORTS: Mapping[str, str] = {"https": "443", "ws": "80", "wss": "443"}

#: A percent-encoded byte (RFC 3986, section 2.1).
TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def normalize_rfc3986(
    parts: URI,
    mode: Mode,
    grammar: Grammar,
    normalize_host: Callable[[str, frozenset[str]], str] | None = None,
) -> str:
    """Return the normal form of a URL or reference.

    Dot segments are removed only if there is a scheme (R-3986-37).  `normalize_host` is called with the host
    and the unreserved characters, if the RFC normalizes hosts in another way.
    """
    unreserved = grammar.character_class(Reference("unreserved")) or frozenset()
    normal_host = normalize_host or _normalize_host
    scheme = None if parts.scheme is None else parts.scheme.lower()
    userinfo = _normalize_triplets_if_present(parts.userinfo, unreserved)
    host = None if parts.host is None else normal_host(parts.host, unreserved)
    port = parts.port
    path = normalize_triplets(parts.path, unreserved)
    if scheme is not None:
        path = remove_dot_segments(path)
        if mode == "scheme":  # section 6.2.3, R-3986-20, R-3986-21
            if port == "" or is_default_port(port, scheme):
                port = None
            if host is not None and not path:
                path = "/"
            if scheme == "file" and _is_default_host(host, parts.userinfo, port, path):
                host = ""  # section 3.2.2, R-3986-30
            if scheme == "mailto":
                path = fold_mail_domains(path)
        if host is None and path.startswith("//"):
            path = f"/.{path}"  # otherwise it would begin with an authority (R-3986-09)

    authority = None if host is None else recompose_authority(userinfo, host, port)
    query = _normalize_triplets_if_present(parts.query, unreserved)
    fragment = _normalize_triplets_if_present(parts.fragment, unreserved)
    return recompose_parts((scheme, authority, path, query, fragment))


def _normalize_triplets_if_present(text: str | None, unreserved: frozenset[str]) -> str | None:
    return None if text is None else normalize_triplets(text, unreserved)


def normalize_rfc2396(parts: URI, mode: Mode, grammar: Grammar) -> str:
    """Return the text with scheme and host in lower case.

    Mode `scheme` also drops the default port (R-2396-27) and, for http, decodes the escapes of unreserved
    characters in the path (R-2396-26).
    """
    scheme = None if parts.scheme is None else parts.scheme.lower()
    authority = parts.authority
    path = parts.path
    if mode == "scheme" and scheme == "http":  # section 2.4.2, paragraph 2; R-2396-26
        unreserved = grammar.character_class(Reference("unreserved")) or frozenset()
        path = decode_triplets(path, unreserved)
    if parts.host is not None:
        default = DEFAULT_PORTS.get(scheme or "") if mode == "scheme" else None
        port = None if parts.port == default else parts.port
        authority = recompose_authority(parts.userinfo, parts.host.lower(), port)
    return recompose_uri(parts._replace(scheme=scheme, authority=authority, path=path))


def is_default_port(
    port: str | None, scheme: str | None, defaults: Mapping[str, str] = DEFAULT_PORTS
) -> bool:
    """Return True if the port is the scheme's default number (RFC 3986, section 3.2.3; R-3986-45).

    Leading zeros do not count.  An absent or empty port is no default number.
    """
    default = defaults.get(scheme or "")
    return default is not None and (port or "").lstrip("0") == default


def _is_default_host(host: str | None, userinfo: str | None, port: str | None, path: str) -> bool:
    """Return True if the host of a file URL can be replaced by an empty one.

    The host `localhost` can be replaced unless user information or a port stands next to it (RFC 3986,
    section 6.2.3).  An absent host can be replaced if the path is absolute, because an empty host does not
    change such a path.
    """
    if host is None:
        return path.startswith("/")
    return host == "localhost" and userinfo is None and port is None


def fold_mail_domains(path: str) -> str:
    """Return the path of a mailto URL with each domain in lower case (RFC 3986, section 6.2.3)."""
    lowered = re.sub("@[^,@]*", lambda match: match[0].lower(), path)
    return TRIPLET.sub(lambda match: match[0].upper(), lowered)


def _normalize_host(host: str, unreserved: frozenset[str]) -> str:
    """Return the host in lower case, except for upper-case digits of triplets that remain (R-3986-17)."""
    lowered = normalize_triplets(host, unreserved).lower()
    return TRIPLET.sub(lambda match: match[0].upper(), lowered)


def normalize_triplets(text: str, unreserved: frozenset[str]) -> str:
    """Decode triplets of unreserved characters, and write other triplets in upper case (section 6.2.2)."""
    return TRIPLET.sub(lambda match: _decode(match[0].upper(), unreserved), text)


def decode_triplets(text: str, characters: frozenset[str]) -> str:
    """Decode the triplets of the given characters; do not change other triplets."""
    return TRIPLET.sub(lambda match: _decode(match[0], characters), text)


def _decode(triplet: str, characters: frozenset[str]) -> str:
    """Return the character of a triplet, or the triplet if the character is not among the given ones."""
    char = chr(int(triplet[1:], 16))
    return char if char in characters else triplet


class NormalForms(NamedTuple):
    """The recommended normal form, and every other admissible form."""

    text: str
    also: tuple[Alternative, ...] = ()


class Variant(NamedTuple):
    """A permitted change of the recommended form.

    `changes` maps names to new components.  If it is None, the variant is to refuse the text.
    """

    name: str
    ruling: str
    changes: dict[str, Any] | None


#: A function of the recommended form, the components of the given text, the mode and the unreserved
#: characters.
AdmittedVariants = Callable[[URI, URI, Mode, frozenset[str]], Iterator[Variant]]


def variants_rfc3986(form: URI, original: URI, mode: Mode, unreserved: frozenset[str]) -> Iterator[Variant]:
    """Yield the permitted variants of a normal form of RFC 3986.

    They come from section 6.2.3, from a path that begins with `/.//` (R-3986-09), and from escaped dot
    segments in a relative reference (R-3986-40).
    """
    if form.scheme is None:  # a relative reference keeps its dot segments (R-3986-37)
        segments = original.path.split("/")
        path = "/".join(_without_new_dots(segment, unreserved) for segment in segments)
        if path != form.path:
            yield Variant("kept", "R-3986-40", {"path": path})  # escaped dot segments stay escaped
        return
    if form.host is None and form.path.startswith("/.//"):
        yield Variant("literal", "R-3986-09", {"path": form.path.removeprefix("/.")})
        yield Variant("error", "R-3986-09", None)
    yield from _port_variants_rfc3986(form, original)
    if form.host is not None and original.host is not None and not original.path:
        if not form.path:
            yield Variant("slash-added", "R-3986-21", {"path": "/"})
        elif form.scheme not in DEFAULT_PORTS:
            yield Variant("path-kept", "R-3986-21", {"path": ""})
    if form.scheme == "file":
        yield from _file_variants_rfc3986(form, original)
    if mode == "scheme" and form.scheme == "http" and form.host == "":
        yield Variant("error", "R-3986-19", None)
    if form.scheme == "mailto":
        yield from _mail_variants_rfc3986(form, original, mode, unreserved)


def _without_new_dots(segment: str, unreserved: frozenset[str]) -> str:
    """Return a normalized segment; an escaped dot segment keeps its escapes."""
    normalized = normalize_triplets(segment, unreserved)
    if normalized in (".", ".."):
        return normalize_triplets(segment, unreserved - {"."})
    return normalized


def _port_variants_rfc3986(form: URI, original: URI) -> Iterator[Variant]:
    """Yield the variants of the port: a default port may stay or go, whatever the form has chosen."""
    ruling = "R-3986-20" if form.scheme == "http" else "R-3986-32"
    if (original.port or "").startswith("0"):
        ruling = "R-3986-45"
    if form.port is None:
        if original.port and ruling != "R-3986-20":  # a program need not know this default port
            yield Variant("port-kept", ruling, {"port": original.port})
    elif is_default_port(form.port, form.scheme, OTHER_PORTS):
        yield Variant("port-removed", "R-3986-39", {"port": None})
    elif form.port == "":
        yield Variant("port-removed", "R-3986-20", {"port": None})
    elif is_default_port(form.port, form.scheme):
        yield Variant("port-removed", ruling, {"port": None})


def _file_variants_rfc3986(form: URI, original: URI) -> Iterator[Variant]:
    """Yield the variants of a file URL: its host may stay, or may be replaced by an empty one (6.2.3)."""
    if form.host == "" and original.host != "":  # changed in mode `scheme`
        if original.host is None:
            guard = {"path": f"/.{form.path}"} if form.path.startswith("//") else {}
            yield Variant("authority-kept", "R-3986-30", {"host": None, **guard})
        else:
            yield Variant("host-kept", "R-3986-30", {"host": "localhost"})
    elif _is_default_host(form.host, form.userinfo, form.port or None, form.path):
        changes: dict[str, str | None] = {"host": ""}
        if form.host is None and form.path.startswith("/.//"):  # a path after a host needs no guard
            changes["path"] = form.path.removeprefix("/.")
        elif form.port == "":
            changes["port"] = None
        yield Variant("scheme-aware", "R-3986-30", changes)


def _mail_variants_rfc3986(
    form: URI, original: URI, mode: Mode, unreserved: frozenset[str]
) -> Iterator[Variant]:
    """Yield the variant of a mailto URL: the case of its domains may stay or be folded (section 6.2.3)."""
    if mode == "syntax":
        folded = fold_mail_domains(form.path)
        if folded != form.path:
            yield Variant("domain-folded", "R-3986-30", {"path": folded})
        return
    address = remove_dot_segments(normalize_triplets(original.path, unreserved))
    if address != fold_mail_domains(address):
        yield Variant("case-kept", "R-3986-30", {"path": address})


def variants_rfc2396(form: URI, original: URI, mode: Mode, unreserved: frozenset[str]) -> Iterator[Variant]:
    """Yield the variants of RFC 2396: each scheme decides what else is equivalent (R-2396-26, R-2396-27)."""
    scheme = form.scheme or ""
    path = form.path
    variant_path = original.path if original.path != path else decode_triplets(path, unreserved)
    if variant_path != path:
        name = "kept" if variant_path == original.path else "unescaped"
        yield Variant(name, "R-2396-26", {"path": variant_path})
    for dotted_path in dict.fromkeys((path, variant_path)):
        if not dotted_path.startswith("/"):
            continue
        changed_path = remove_dot_segments(dotted_path)
        begins_like_authority = form.authority is None and changed_path.startswith("//")
        if changed_path != dotted_path and not begins_like_authority:
            name = "dots-removed" if dotted_path == path else "unescaped+dots-removed"
            yield Variant(name, "R-2396-27", {"path": changed_path})
    if form.authority is not None and not path and mode == "scheme":  # the example of section 6 has no slash
        yield Variant("slash-added", "R-2396-27", {"path": "/"})
    if form.port is None:
        if original.port and scheme in ("wais", "prospero"):
            yield Variant("port-kept", "R-2396-27", {"port": original.port})
    elif form.port in ("", DEFAULT_PORTS.get(scheme)):
        yield Variant("port-removed", "R-2396-27", {"port": None})
    elif form.port == OTHER_PORTS.get(scheme):
        yield Variant("port-removed", "R-2396-34", {"port": None})


def normal_forms(form: URI, variants: Iterable[Variant]) -> NormalForms:
    """Return the recommended form and every combination of variants, fewer changes first.

    Of several combinations with the same text, the first counts.
    """
    text = recompose_uri(form)
    alternatives = dict[str | None, Alternative]()
    changing: list[tuple[Variant, dict[str, Any]]] = []
    for variant in variants:
        if variant.changes is None:
            alternatives[None] = Alternative(None, variant.name, variant.ruling)
        else:
            changing.append((variant, variant.changes))
    for count in range(1, len(changing) + 1):
        for combination in combinations(changing, count):
            changed = _united_changes([changes for _, changes in combination])
            if changed is None:
                continue
            names = "+".join(variant.name for variant, _ in combination)
            first, _ = combination[0]
            alternative = Alternative(_recomposed(form, changed), names, first.ruling)
            alternatives.setdefault(alternative.text, alternative)
    alternatives.pop(text, None)
    return NormalForms(text, tuple(alternatives.values()))


def _united_changes(changes_of_variants: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the changes of several variants, or None if two of them change the same component."""
    united: dict[str, Any] = {}
    for changes in changes_of_variants:
        if not united.keys().isdisjoint(changes):
            return None
        united |= changes
    return united


def _recomposed(form: URI, changed: Mapping[str, Any]) -> str:
    """Return the text of a normal form with changed components.

    If host or port changes, the authority is made of its parts, otherwise it is used as it is.
    """
    varied = form._replace(**changed)
    if "host" not in changed and "port" not in changed:
        return recompose_uri(varied)
    if varied.host is None:
        return recompose_uri(varied._replace(authority=None))
    authority = recompose_authority(varied.userinfo, varied.host, varied.port)
    return recompose_uri(varied._replace(authority=authority))
