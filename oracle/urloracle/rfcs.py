"""The five specifications, and the functions that connect them with the algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from urloracle.errors import InvalidURL, without_scheme
from urloracle.grammar.expression import Reference
from urloracle.language import Languages
from urloracle.native import engine
from urloracle.rfc import extraction
from urloracle.rfc.base import Base, Layers, base_rfc1808, base_rfc2396, base_rfc3986
from urloracle.rfc.components import (
    URI,
    Parts,
    RelativeURL,
    parts_rfc1808,
    parts_uri,
    reader_rfc1808,
    reader_uri,
    readings_rfc1738,
    readings_rfc2396,
    readings_rfc3986,
)
from urloracle.rfc.equivalence import (
    LADDER_2396,
    LADDER_3986,
    Characters,
    Equivalence,
    OtherVerdict,
    Rung,
    equivalent_rfc1738,
    equivalent_uris,
)
from urloracle.rfc.normalization import (
    MODES,
    Mode,
    normalize_rfc2396,
    normalize_rfc3986,
    variants_rfc2396,
    variants_rfc3986,
)
from urloracle.rfc.recomposition import (
    MissingComponent,
    derive,
    recompose_authority,
    recompose_uri,
)
from urloracle.rfc.resolution import (
    Alternative,
    Note,
    Resolution,
    Resolver,
    Step,
    UnsuitableBase,
    resolve_rfc1808,
    resolve_rfc2396,
    resolve_rfc3986,
    shapes_rfc1808,
)
from urloracle.rfc.schemes import SPLIT_KINDS, asdict, component_names, reader_rfc1738, split_scheme_url
from urloracle.specification import Specification


class UnknownSpecification(KeyError):
    """No specification has this identifier."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"no specification named {self.name!r}; choose from {', '.join(SPECIFICATIONS)}"


def specification(name: str | Specification) -> Specification:
    """Return the specification with this identifier.  Raise UnknownSpecification if there is none."""
    found = SPECIFICATIONS.get(name) if isinstance(name, str) else name
    if found is None:
        raise UnknownSpecification(str(name))
    return found


def _parts(spec: Specification) -> Callable[[str], Parts | None]:
    """Return a function that splits a reference into five parts, or returns None if the text is invalid."""
    if engine() == "pure":
        return parts_uri(spec.id, spec.languages)
    read = spec.read

    def parts(text: str) -> Parts | None:
        uri: URI | None = read(text)
        return None if uri is None else (uri[0], uri[1], uri[5], uri[6], uri[7])

    return parts


def _resolver_rfc1808(spec: Specification) -> Resolver:
    read = parts_rfc1808(spec.languages) if engine() == "pure" else spec.read

    def resolve(base: str, reference: str, note: Note | None = None, /) -> Resolution:
        parts = read(reference)
        if parts is None:
            raise spec.refusal(reference)
        if base == "":  # step 1: the base is unknown (R-1808-17)
            if note:
                note(Step("1", "the base is unknown, so the reference does not change", reference))
            return Resolution(reference)
        absolute = read(base)
        if absolute is None:
            raise spec.refusal(base)
        if absolute[0] is None:
            raise without_scheme(base, spec.id, "URL", "a base")
        return resolve_rfc1808(absolute, parts, base, reference, note)

    return resolve


def _resolver_rfc2396(spec: Specification) -> Resolver:
    """Return the resolver of RFC 2396.

    The resolver raises InvalidURL if the reference needs the path of an opaque base (R-2396-21).
    """
    read = _parts(spec)

    def resolve(base: str, reference: str, note: Note | None = None, /) -> Resolution:
        parts = read(reference)
        if parts is None:
            raise spec.refusal(reference)
        absolute = read(base)
        if absolute is None:
            raise spec.refusal(base)
        if absolute[0] is None:
            raise without_scheme(base, spec.id, "absoluteURI", "a base")
        try:
            return resolve_rfc2396(absolute, parts, reference, note)
        except UnsuitableBase as unsuitable:
            reason, rules = f"{unsuitable} (section 5, R-2396-21)", ("absoluteURI", "hier_part")
            position, expected = base.index(":") + 1, frozenset("/")
            raise InvalidURL(base, spec.id, "hier_part", position, expected, rules, "5", reason) from None

    return resolve


def _resolver_rfc3986(spec: Specification) -> Resolver:
    """Return the resolver of RFC 3986.

    The resolver ignores the fragment of the base (section 5.1, R-3986-12).
    """
    read = _parts(spec)

    def resolve(base: str, reference: str, note: Note | None = None, /) -> Resolution:
        parts = read(reference)
        if parts is None:
            raise spec.refusal(reference)
        absolute = read(base)
        if absolute is None or absolute[0] is None:
            raise spec.refusal(base, "URI")
        return resolve_rfc3986(absolute, parts, note)

    return resolve


def _other_bases_rfc3986(spec: Specification, base: str, reference: str) -> Iterator[Alternative]:
    """Yield the other admissible results that depend on the treatment of the base.

    A base with a fragment may be refused (R-3986-12), and every base may be normalized before the resolution
    (section 5.2.1, R-3986-11).
    """
    if "#" in base:
        yield Alternative(None, "error", "R-3986-12")
    for normalized in dict.fromkeys(_normalized_rfc3986(spec, base)):
        if normalized != base:
            found = spec.resolve(normalized, reference)
            yield Alternative(found.text, "base-normalized", "R-3986-11")
            yield from found.also


def _normalized_rfc3986(spec: Specification, base: str) -> Iterator[str]:
    """Yield the normal form of a base in each mode, in mode `syntax` first."""
    given: URI = spec.parse(base)
    for mode in MODES:
        yield normalize_rfc3986(given, mode, spec.grammar)


def _base_rfc3986(spec: Specification, layers: Layers) -> Base:
    found = base_rfc3986(layers, spec.parse, spec.resolve)
    if found.url is None:
        return found
    forms = dict.fromkeys(_normalized_rfc3986(spec, found.url))
    return found._replace(
        also=tuple(Alternative(form, "normalized", "R-3986-11") for form in forms if form != found.url)
    )


def _recompose_1738(components: Mapping[str, Any], languages: Languages) -> list[str]:
    """Return the texts that the production of the scheme derives: one, or two that differ by a slash.

    A telnet URL, or a gopher URL without a type, may end with a slash that no component contains.  The text
    with this slash comes first, because it is recommended (sections 3.8 and 3.4.1).
    """
    given = {name: value for name, value in components.items() if value is not None}
    scheme: str = given.pop("scheme", "")
    rule = RFC1738.schemes.get(scheme.lower(), "genericurl")
    if "schemepart" in given:
        return [f"{scheme}:{given['schemepart']}"]
    if rule == "genericurl":
        return [f"{scheme}:{derive(languages.grammar, 'ip-schemepart', given, component_names(rule))}"]
    if fields := given.pop("fieldspecs", None):
        given["fieldspec"] = "".join(f";{name}={value}" for name, value in fields)
    text = derive(languages.grammar, rule, given, component_names(rule) - {"grouppart"})
    text = scheme + text[len(scheme) :]
    bare = rule == "telneturl" or (rule == "gopherurl" and given.get("gtype") is None)
    return [f"{text}/", text] if bare else [text]


def _recompose_1808(components: Mapping[str, Any], _: Languages) -> list[str]:
    parts = RelativeURL(**_by_field(RelativeURL._fields, components))
    return [shape.text for shape in shapes_rfc1808(parts) if shape.text is not None]


def _recompose_uri(components: Mapping[str, Any], _: Languages) -> list[str]:
    parts = _by_field(URI._fields, components)
    if parts["authority"] is None and parts["host"] is not None:
        parts["authority"] = recompose_authority(parts["userinfo"], parts["host"], parts["port"])
    return [recompose_uri(URI(**parts))]


def _by_field(fields: tuple[str, ...], components: Mapping[str, Any]) -> dict[str, Any]:
    unknown = ", ".join(sorted(components.keys() - set(fields)))
    if unknown:
        raise MissingComponent(f"no component {unknown}; choose from {', '.join(fields)}")
    for name, value in components.items():
        if value is not None and not isinstance(value, str):
            raise MissingComponent(f"component {name} must be a string or None, not {value!r}")
    return {name: components.get(name) for name in fields} | {"path": components.get("path") or ""}


def _extract_1738(spec: Specification, text: str) -> list[extraction.Extract]:
    def admits(url: str, fragment: str | None) -> bool:
        # no rule derives a fragment, so a fragment may contain the characters of a schemepart
        known = fragment is None or spec.languages["schemepart"].accepts(fragment)
        return known and spec.read(url) is not None

    return extraction.extract_urls(text, extraction.RFC1738, admits)


def _extract_uris(spec: Specification, text: str, context: extraction.Context) -> list[extraction.Extract]:
    def admits(url: str, _: str | None) -> bool:
        parts = spec.read(url)
        return parts is not None and parts.scheme is not None

    return extraction.extract_urls(text, context, admits)


@lru_cache(maxsize=8)
def _characters(spec: Specification) -> Characters:
    grammar = spec.grammar
    found = (grammar.character_class(Reference(rule)) for rule in Characters._fields)
    return Characters(*(characters or frozenset() for characters in found))


def _compare_1738(spec: Specification, one: str, other: str, mode: Mode) -> Equivalence:
    left, right = (one, spec.parse(one)), (other, spec.parse(other))
    return equivalent_rfc1738(left, right, mode, _characters(spec))


def comparer(ladder: Sequence[Rung]) -> Callable[[Specification, str, str, Mode], Equivalence]:
    """Return a function that compares the normal forms of two URLs by the steps of a ladder.

    The function raises InvalidURL if one of the texts is invalid or a relative reference.
    """

    def normal(spec: Specification, text: str) -> URI:
        parts: URI = spec.parse(text)
        if parts.scheme is None:
            raise without_scheme(text, spec.id, spec.absolute or spec.default_rule, "a compared URL")
        assert spec.normalize is not None  # set together with `compare`
        found: URI = spec.parse(spec.normalize(parts, "syntax", spec.grammar))
        return found

    def compare(spec: Specification, one: str, other: str, mode: Mode) -> Equivalence:
        return equivalent_uris(normal(spec, one), normal(spec, other), ladder, mode, _characters(spec))

    return compare


def _compare_3986(spec: Specification, one: str, other: str, mode: Mode) -> Equivalence:
    compare = comparer(LADDER_3986)
    found = compare(spec, one, other, mode)
    also = list(found.also)
    parts: tuple[URI, URI] = (spec.parse(one), spec.parse(other))
    if mode == "scheme" and any((uri.scheme or "").lower() == "http" and uri.host == "" for uri in parts):
        also.append(OtherVerdict(None, "R-3986-19"))
    left, right = (_without_guard(text, uri) for text, uri in zip((one, other), parts, strict=True))
    if (left, right) != (one, other) and not found.equal and compare(spec, left, right, mode).equal:
        also.append(OtherVerdict(True, "R-3986-09"))
    return found._replace(also=tuple(also))


def _without_guard(text: str, uri: URI) -> str:
    """Return the text of a URL without the `/.` before a path that begins with two slashes (R-3986-09)."""
    guarded = uri.authority is None and uri.path.startswith("/.//")
    return text.replace("/.//", "//", 1) if guarded else text


RFC1738 = Specification(
    id="rfc1738",
    title="RFC 1738",
    default_rule="url",
    files=("rfc1738.bnf",),
    prose_files=("rfc1738-prose.bnf",),
    by_scheme="url",
    unknown_scheme="genericurl",
    reader=lambda spec: reader_rfc1738(spec.languages, spec.schemes),
    kinds=SPLIT_KINDS,
    split=split_scheme_url,
    asdict=asdict,
    recompose=_recompose_1738,
    readings=readings_rfc1738,
    extract=_extract_1738,
    compare=_compare_1738,
)

RFC1808 = Specification(
    id="rfc1808",
    title="RFC 1808",
    default_rule="URL",
    files=("rfc1808.bnf",),
    whole=frozenset(("url", "absoluteurl", "generic-rl", "relativeurl", "net_path", "abs_path", "rel_path")),
    reader=lambda spec: reader_rfc1808(spec.languages),
    kinds={"URL": RelativeURL},
    steps="rfc1808",
    asdict=RelativeURL.asdict,
    recompose=_recompose_1808,
    resolver=_resolver_rfc1808,
    absolute="absoluteURL",
    base=lambda spec, layers: base_rfc1808(layers, spec.parse),
)

RFC2396 = Specification(
    id="rfc2396",
    title="RFC 2396",
    default_rule="URI-reference",
    files=("rfc2396.bnf",),
    whole=frozenset(("uri-reference", "absoluteuri", "relativeuri", "net_path", "abs_path", "rel_path")),
    prose_files=("rfc2396-prose.bnf",),
    reader=lambda spec: reader_uri(spec.id, spec.languages),
    kinds={"URI-reference": URI},
    steps="rfc2396",
    asdict=URI.asdict,
    recompose=_recompose_uri,
    resolver=_resolver_rfc2396,
    normalize=normalize_rfc2396,
    variants=variants_rfc2396,
    readings=readings_rfc2396,
    absolute="absoluteURI",
    extract=lambda spec, text: _extract_uris(spec, text, extraction.RFC2396),
    compare=comparer(LADDER_2396),
    base=lambda spec, layers: base_rfc2396(layers, spec.id, spec.parse),
)

RFC2732 = replace(
    RFC2396,
    id="rfc2732",
    title="RFC 2732",
    files=("rfc2396.bnf", "rfc2732.bnf"),
    prose_files=("rfc2732-prose.bnf",),
)

RFC3986 = Specification(
    id="rfc3986",
    title="RFC 3986",
    default_rule="URI-reference",
    files=("rfc3986.abnf",),
    whole=frozenset(("uri", "uri-reference", "absolute-uri", "relative-ref")),
    reader=lambda spec: reader_uri(spec.id, spec.languages),
    kinds={"URI-reference": URI},
    steps="rfc3986",
    asdict=URI.asdict,
    recompose=_recompose_uri,
    resolver=_resolver_rfc3986,
    other_bases=_other_bases_rfc3986,
    normalize=normalize_rfc3986,
    variants=variants_rfc3986,
    readings=lambda uri: readings_rfc3986(uri, specification("rfc3986").read),
    absolute="URI",
    extract=lambda spec, text: _extract_uris(spec, text, extraction.RFC3986),
    compare=_compare_3986,
    base=_base_rfc3986,
)

SPECIFICATIONS: Mapping[str, Specification] = {
    spec.id: spec for spec in (RFC1738, RFC1808, RFC2396, RFC2732, RFC3986)
}
