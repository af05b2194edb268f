"""The specifications, and the functions that connect them with the algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from urloracle.algorithms import Algorithms, Rules
from urloracle.errors import InvalidURL, missing_scheme
from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar
from urloracle.language import Languages
from urloracle.native import engine
from urloracle.rfc import extraction
from urloracle.rfc.admission import Admission, admission_of_iri, admission_of_uri, rulings_on_further_uris
from urloracle.rfc.base import Base, Layers, base_rfc1808, base_rfc2396, base_rfc3986
from urloracle.rfc.components import (
    URI,
    Parts,
    RelativeURL,
    parts_reader_rfc1808,
    parts_reader_uri,
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
    compare_rfc1738,
    compare_uris,
)
from urloracle.rfc.iris import (
    aligned_rfc3987,
    compare_iris,
    identical_iris,
    normal_forms_rfc3987,
    normalize_rfc3987,
)
from urloracle.rfc.mapping import Forms, encoded_for_uri, iri_forms, query_in, to_iri, uri_forms
from urloracle.rfc.mapping import characters as mapped_characters
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
from urloracle.rfc.schemes import asdict, component_names, reader_rfc1738, split_scheme_url
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
    registered = SPECIFICATIONS.get(name) if isinstance(name, str) else name
    if registered is None:
        raise UnknownSpecification(str(name))
    return registered


def _reader_uri(rules: Rules) -> Callable[[str], URI | None]:
    """Return a function that splits a reference, or returns None if the text is invalid."""
    return reader_uri(rules.spec, rules.default_rule, rules.languages)


def _splitter_into_parts(rules: Rules) -> Callable[[str], Parts | None]:
    """Return a function that splits a reference into five parts, or returns None if the text is invalid."""
    if engine() == "pure":
        return parts_reader_uri(rules.spec, rules.default_rule, rules.languages)

    def parts(text: str) -> Parts | None:
        uri: URI | None = rules.read(text)
        return None if uri is None else (uri.scheme, uri.authority, uri.path, uri.query, uri.fragment)

    return parts


def _resolver_rfc1808(rules: Rules) -> Resolver:
    """Return the resolver of RFC 1808.

    The resolver accepts the base "" for an unknown base (R-1808-17).
    """
    split = parts_reader_rfc1808(rules.languages) if engine() == "pure" else rules.read

    def resolve(base: str, reference: str, note: Note | None = None, /) -> Resolution:
        parts = split(reference)
        if parts is None:
            raise rules.refusal(reference)
        if base == "":  # step 1: the base is unknown
            if note:
                note(Step("1", "the base is unknown, so the reference does not change", reference))
            return Resolution(reference)
        absolute = split(base)
        if absolute is None:
            raise rules.refusal(base)
        if absolute[0] is None:
            raise missing_scheme(base, rules.spec, "URL", "a base")
        return resolve_rfc1808(absolute, parts, base, reference, note)

    return resolve


def _resolver_rfc2396(rules: Rules) -> Resolver:
    """Return the resolver of RFC 2396.

    The resolver raises InvalidURL if the reference needs the path of an opaque base (R-2396-21).
    """
    split = _splitter_into_parts(rules)

    def resolve(base: str, reference: str, note: Note | None = None, /) -> Resolution:
        parts = split(reference)
        if parts is None:
            raise rules.refusal(reference)
        absolute = split(base)
        if absolute is None:
            raise rules.refusal(base)
        if absolute[0] is None:
            raise missing_scheme(base, rules.spec, "absoluteURI", "a base")
        try:
            return resolve_rfc2396(absolute, parts, reference, note)
        except UnsuitableBase as unsuitable:
            raise InvalidURL(
                base,
                rules.spec,
                "hier_part",
                position=base.index(":") + 1,
                expected=frozenset("/"),
                rules=("absoluteURI", "hier_part"),
                section="5",
                reason=f"{unsuitable} (section 5, R-2396-21)",
            ) from None

    return resolve


def _resolver_rfc3986(rules: Rules) -> Resolver:
    """Return the resolver of RFC 3986, which is also that of RFC 3987 (section 6.5, R-3987-39).

    The resolver ignores the fragment of the base (section 5.1, R-3986-12).
    """
    split = _splitter_into_parts(rules)

    def resolve(base: str, reference: str, note: Note | None = None, /) -> Resolution:
        parts = split(reference)
        if parts is None:
            raise rules.refusal(reference)
        base_parts = split(base)
        if base_parts is None:
            raise rules.refusal(base, rules.absolute)
        scheme = base_parts[0]
        if scheme is None:
            raise missing_scheme(base, rules.spec, rules.absolute, "a base")
        return resolve_rfc3986(base_parts, parts, note)

    return resolve


Normalize = Callable[[URI, Mode, Grammar], str]


def _other_bases(base: str, reference: str, rules: Rules, normalize: Normalize) -> Iterator[Alternative]:
    """Yield the other admissible results that depend on the treatment of the base.

    A base with a fragment may be refused (R-3986-12), and every base may be normalized before the resolution
    (section 5.2.1, R-3986-11).
    """
    if "#" in base:
        yield Alternative(None, "error", "R-3986-12")
    for normalized in _other_forms(base, rules, normalize):
        resolution = rules.resolve(normalized, reference)
        yield Alternative(resolution.text, "base-normalized", "R-3986-11")
        yield from resolution.also


def _other_forms(base: str, rules: Rules, normalize: Normalize) -> list[str]:
    """Return the normal forms of a base that differ from it, that of mode `syntax` first."""
    parts: URI = rules.parse(base)
    forms = dict.fromkeys(normalize(parts, mode, rules.grammar) for mode in MODES)
    return [form for form in forms if form != base]


def _base_rfc3986(layers: Layers, rules: Rules, normalize: Normalize) -> Base:
    """Return the base that applies; `also` contains its normal forms (R-3986-11)."""
    base = base_rfc3986(layers, rules.spec, rules.absolute, rules.parse, rules.resolve)
    if base.url is None:
        return base
    forms = _other_forms(base.url, rules, normalize)
    return base._replace(also=tuple(Alternative(form, "normalized", "R-3986-11") for form in forms))


def _recompose_1738(components: Mapping[str, Any], languages: Languages) -> list[str]:
    """Return the texts that the production of the scheme derives: one, or two that differ by a slash.

    A telnet URL, or a gopher URL without a type, may end with a slash that no component contains.  The text
    with this slash comes first, because it is recommended (sections 3.8 and 3.4.1).
    """
    present = {name: component for name, component in components.items() if component is not None}
    scheme: str = present.pop("scheme", "")
    rule = RFC1738.schemes.get(scheme.lower(), "genericurl")
    names = component_names(rule)
    if "schemepart" in present:
        return [f"{scheme}:{present['schemepart']}"]
    if rule == "genericurl":
        schemepart = derive(languages.grammar, "ip-schemepart", present, names)
        return [f"{scheme}:{schemepart}"]
    if fields := present.pop("fieldspecs", None):
        present["fieldspec"] = "".join(f";{name}={text}" for name, text in fields)
    derived = derive(languages.grammar, rule, present, names - {"grouppart"})
    text = scheme + derived[len(scheme) :]  # the scheme keeps its case (G-11)
    has_optional_slash = rule == "telneturl" or (rule == "gopherurl" and present.get("gtype") is None)
    return [f"{text}/", text] if has_optional_slash else [text]


def _recompose_1808(components: Mapping[str, Any], _: Languages) -> list[str]:
    """Return the texts with the components in all shapes of step 7, the recommended one first."""
    parts = RelativeURL(**_with_all_fields(RelativeURL._fields, components))
    return [shape.text for shape in shapes_rfc1808(parts) if shape.text is not None]


def _recompose_uri(components: Mapping[str, Any], _: Languages) -> list[str]:
    """Return the only text with the components; a missing authority is made of its parts."""
    parts = _with_all_fields(URI._fields, components)
    if parts["authority"] is None and parts["host"] is not None:
        parts["authority"] = recompose_authority(parts["userinfo"], parts["host"], parts["port"])
    return [recompose_uri(URI(**parts))]


def _with_all_fields(fields: tuple[str, ...], components: Mapping[str, Any]) -> dict[str, Any]:
    """Return the component of each field: None if it is absent, and "" for an absent path.

    Raise MissingComponent if a component is not one of the fields, or is not a text.
    """
    unknown = ", ".join(sorted(components.keys() - set(fields)))
    if unknown:
        raise MissingComponent(f"no component {unknown}; choose from {', '.join(fields)}")
    for name, component in components.items():
        if component is not None and not isinstance(component, str):
            raise MissingComponent(f"component {name} must be a string or None, not {component!r}")
    return {name: components.get(name) for name in fields} | {"path": components.get("path") or ""}


def _extract_1738(text: str, rules: Rules) -> list[extraction.Extract]:
    """Return the URLs in a text, with a separate fragment if there is one (R-1738-32)."""

    def admits(url: str, fragment: str | None) -> bool:
        # no rule derives a fragment, so a fragment may contain the characters of a schemepart
        admitted = fragment is None or rules.languages["schemepart"].accepts(fragment)
        return admitted and rules.read(url) is not None

    return extraction.extract_urls(text, extraction.RFC1738, admits)


def _extract_uris(text: str, rules: Rules, context: extraction.Context) -> list[extraction.Extract]:
    """Return the URLs in a text; relative references are left out."""

    def admits(url: str, _: str | None) -> bool:
        parts = rules.read(url)
        return parts is not None and parts.scheme is not None

    return extraction.extract_urls(text, context, admits)


@lru_cache(maxsize=8)
def _characters(languages: Languages) -> Characters:
    """Return the character classes of a grammar that decide which escapes are decoded."""
    classes = [languages.grammar.character_class(Reference(rule)) for rule in Characters._fields]
    return Characters(*(members or frozenset() for members in classes))


def _compare_1738(first: str, second: str, mode: Mode, rules: Rules) -> Equivalence:
    """Compare by the ladder of RFC 1738."""
    left = (first, rules.parse(first))
    right = (second, rules.parse(second))
    return compare_rfc1738(left, right, mode, _characters(rules.languages))


def comparer(ladder: Sequence[Rung], normalize: Normalize) -> Callable[[str, str, Mode, Rules], Equivalence]:
    """Return a function that compares the normal forms of two URLs by the steps of a ladder.

    The function raises InvalidURL if one of the texts is invalid or a relative reference.
    """

    def normal(text: str, rules: Rules) -> URI:
        """Return the components of the normal form in mode `syntax`, whatever the mode of the comparison."""
        parts = _parse_compared(text, rules)
        normalized: URI = rules.parse(normalize(parts, "syntax", rules.grammar))
        return normalized

    def compare(first: str, second: str, mode: Mode, rules: Rules) -> Equivalence:
        characters = _characters(rules.languages)
        return compare_uris(normal(first, rules), normal(second, rules), ladder, mode, characters)

    return compare


Compare = Callable[[str, str, Mode, Rules], Equivalence]


def _compare_3986(first: str, second: str, mode: Mode, rules: Rules) -> Equivalence:
    """Compare by the ladder of RFC 3986."""
    return _compare_with_exceptions(first, second, mode, rules, comparer(LADDER_3986, normalize_rfc3986))


def _compare_3987(first: str, second: str, mode: Mode, rules: Rules) -> Equivalence:
    """Compare the URIs of two IRIs by the ladder of RFC 3987."""
    return _compare_with_exceptions(first, second, mode, rules, _compare_aligned)


def _compare_aligned(first: str, second: str, mode: Mode, rules: Rules) -> Equivalence:
    """Compare the normalized URIs of two IRIs (RFC 3987, sections 5.3.2 and 5.3.3)."""
    originals = [_parse_compared(text, rules) for text in (first, second)]
    left, right = (rules.parse(aligned_rfc3987(parts, rules.grammar)) for parts in originals)
    hosts_are_ascii = all((parts.host or "").isascii() for parts in originals)
    characters = _characters(rules.languages)
    return compare_iris(left, right, mode, characters, hosts_are_ascii=hosts_are_ascii)


def _compare_simply_3987(first: str, second: str, rules: Rules) -> Equivalence:
    """Compare two IRIs character by character (RFC 3987, section 5.3.1)."""
    parts = (_parse_compared(first, rules), _parse_compared(second, rules))
    return identical_iris(first, second, parts)


def _parse_compared(text: str, rules: Rules) -> URI:
    """Return the components of a compared text.  Raise InvalidURL if it is invalid or has no scheme."""
    parts: URI = rules.parse(text)
    if parts.scheme is None:
        raise missing_scheme(text, rules.spec, rules.absolute, "a compared URL")
    return parts


def _compare_with_exceptions(
    first: str, second: str, mode: Mode, rules: Rules, compare: Compare
) -> Equivalence:
    """Compare, and add the verdicts of R-3986-19 and R-3986-09, which no step of a ladder can give."""
    verdict = compare(first, second, mode, rules)
    also = list(verdict.also)
    left: URI = rules.parse(first)
    right: URI = rules.parse(second)
    if mode == "scheme" and (_is_http_without_host(left) or _is_http_without_host(right)):
        also.append(OtherVerdict(None, "R-3986-19"))
    bare_left = _without_guard(first, left)
    bare_right = _without_guard(second, right)
    guarded = (bare_left, bare_right) != (first, second)
    if guarded and not verdict.equal and compare(bare_left, bare_right, mode, rules).equal:
        also.append(OtherVerdict(True, "R-3986-09"))
    return verdict._replace(also=tuple(also))


def _is_http_without_host(uri: URI) -> bool:
    return uri.scheme is not None and uri.scheme.lower() == "http" and uri.host == ""


def _without_guard(text: str, uri: URI) -> str:
    """Return the text of a URL without the `/.` before a path that begins with two slashes (R-3986-09)."""
    guarded = uri.authority is None and uri.path.startswith("/.//")
    return text.replace("/.//", "//", 1) if guarded else text


def _to_uri_3987(text: str, rule: str, rules: Rules) -> Forms:
    """Return the URIs of an IRI, or those that a program may make of an invalid one (section 3.1)."""
    accepts = rules.languages[rule].accepts
    if accepts(text):
        return uri_forms(text, is_whole=_is_whole(rule))
    return Forms(None, tuple(form for form in encoded_for_uri(text) if form.text and accepts(form.text)))


def _to_iri_3987(text: str, rule: str, rules: Rules) -> Forms:
    """Return the IRIs of a URI (section 3.2).

    The texts of ASCII that a rule derives are URIs (R-3987-36).  An IRI that is no URI is refused, or its
    characters beyond ASCII stay (R-3987-16).
    """
    if not rules.languages[rule].accepts(text):
        return Forms(None)
    is_whole = _is_whole(rule)
    query = query_in(text, rule, is_whole=is_whole)
    letters = mapped_characters(rules.grammar)
    if text.isascii():
        return iri_forms(text, letters, query, is_whole=is_whole)
    return Forms(None, (Alternative(to_iri(text, letters, query), "iri-kept", "R-3987-16"),))


def _admission_of_uri_3987(text: str, answer: str | None, rule: str, rules: Rules) -> Admission:
    """Return whether section 3.1 admits an answer to an IRI."""
    accepts = rules.languages[rule].accepts
    return admission_of_uri(text, answer, accepts=accepts, is_whole=_is_whole(rule))


def _further_uris_3987(text: str, rule: str, rules: Rules) -> tuple[str, ...]:
    """Return the rulings by which section 3.1 admits more URIs than the forms of an IRI."""
    accepts = rules.languages[rule].accepts
    forms = _to_uri_3987(text, rule, rules)
    return rulings_on_further_uris(text, forms, accepts=accepts, is_whole=_is_whole(rule))


def _admission_of_iri_3987(text: str, answer: str | None, rule: str, rules: Rules) -> Admission:
    """Return whether section 3.2 admits an answer to a URI."""
    is_whole = _is_whole(rule)
    return admission_of_iri(
        text,
        answer,
        mapped_characters(rules.grammar),
        query_in(text, rule, is_whole=is_whole),
        accepts=rules.languages[rule].accepts,
        is_whole=is_whole,
    )


def _is_whole(rule: str) -> bool:
    """Return True if a rule derives whole IRIs or references, not components (R-3987-42)."""
    return rule.lower() in RFC3987.whole


RFC1738 = Specification(
    id="rfc1738",
    title="RFC 1738",
    default_rule="url",
    files=("rfc1738.bnf",),
    prose_files=("rfc1738-prose.bnf",),
    by_scheme="url",
    unknown_scheme="genericurl",
    sections={"equivalent": "2.2", "extract": "appendix", "decode": "3", "recompose": "5"},
    algorithms=Algorithms(
        reader=lambda rules: reader_rfc1738(rules.languages, rules.schemes),
        split=split_scheme_url,
        asdict=asdict,
        readings=lambda url, _: readings_rfc1738(url),
        recompose=_recompose_1738,
        compare=_compare_1738,
        extract=_extract_1738,
    ),
)

RFC1808 = Specification(
    id="rfc1808",
    title="RFC 1808",
    default_rule="URL",
    files=("rfc1808.bnf",),
    whole=frozenset(("url", "absoluteurl", "generic-rl", "relativeurl", "net_path", "abs_path", "rel_path")),
    absolute="absoluteURL",
    updates=("rfc1738",),
    sections={"resolve": "4", "base": "3", "recompose": "4"},
    instead={"extract": "only in the Base header; use base_header"},
    algorithms=Algorithms(
        reader=lambda rules: reader_rfc1808(rules.languages),
        asdict=RelativeURL.asdict,
        recompose=_recompose_1808,
        resolver=_resolver_rfc1808,
        base=lambda layers, rules: base_rfc1808(layers, rules.parse),
    ),
)

RFC2396 = Specification(
    id="rfc2396",
    title="RFC 2396",
    default_rule="URI-reference",
    files=("rfc2396.bnf",),
    prose_files=("rfc2396-prose.bnf",),
    whole=frozenset(("uri-reference", "absoluteuri", "relativeuri", "net_path", "abs_path", "rel_path")),
    absolute="absoluteURI",
    updates=("rfc1808", "rfc1738"),
    sections={
        "resolve": "5.2",
        "base": "5.1",
        "normalize": "6",
        "equivalent": "6",
        "extract": "E",
        "recompose": "5.2",
    },
    algorithms=Algorithms(
        reader=_reader_uri,
        asdict=URI.asdict,
        readings=lambda uri, _: readings_rfc2396(uri),
        recompose=_recompose_uri,
        resolver=_resolver_rfc2396,
        base=lambda layers, rules: base_rfc2396(layers, rules.spec, rules.parse),
        normalize=normalize_rfc2396,
        variants=variants_rfc2396,
        compare=comparer(LADDER_2396, normalize_rfc2396),
        extract=lambda text, rules: _extract_uris(text, rules, extraction.RFC2396),
    ),
)

# RFC 2732 changes RFC 2396 in its section 3
RFC2732 = replace(
    RFC2396,
    id="rfc2732",
    title="RFC 2732",
    files=("rfc2396.bnf", "rfc2732.bnf"),
    prose_files=("rfc2732-prose.bnf",),
    updates=("rfc2396",),
    sections=dict.fromkeys(RFC2396.sections, "3"),
)

RFC3986 = Specification(
    id="rfc3986",
    title="RFC 3986",
    default_rule="URI-reference",
    files=("rfc3986.abnf",),
    whole=frozenset(("uri", "uri-reference", "absolute-uri", "relative-ref")),
    absolute="URI",
    obsoletes=("rfc2732", "rfc2396", "rfc1808"),
    updates=("rfc1738",),
    sections={
        "resolve": "5.2",
        "base": "5.1",
        "normalize": "6.2",
        "equivalent": "6.2",
        "extract": "C",
        "recompose": "5.3",
    },
    algorithms=Algorithms(
        reader=_reader_uri,
        asdict=URI.asdict,
        readings=lambda uri, rules: readings_rfc3986(uri, rules.read),
        recompose=_recompose_uri,
        resolver=_resolver_rfc3986,
        other_bases=partial(_other_bases, normalize=normalize_rfc3986),
        base=partial(_base_rfc3986, normalize=normalize_rfc3986),
        normalize=normalize_rfc3986,
        variants=variants_rfc3986,
        compare=_compare_3986,
        extract=lambda text, rules: _extract_uris(text, rules, extraction.RFC3986),
    ),
)

# RFC 3987 has no profile for schemes (R-3987-45), and does not define IRIs in running text (R-3987-48)
RFC3987 = Specification(
    id="rfc3987",
    title="RFC 3987",
    default_rule="IRI-reference",
    files=("rfc3987.abnf",),
    prose_files=("rfc3987-prose.abnf",),
    whole=frozenset(("iri", "iri-reference", "absolute-iri", "irelative-ref")),
    absolute="IRI",
    sections={
        "resolve": "6.5",
        "base": "6.5",
        "recompose": "2.1",
        "normalize": "5.3",
        "equivalent": "5.3",
        "to_uri": "3.1",
        "to_iri": "3.2",
    },
    algorithms=Algorithms(
        reader=_reader_uri,
        asdict=URI.asdict,
        recompose=_recompose_uri,
        resolver=_resolver_rfc3986,
        other_bases=partial(_other_bases, normalize=normalize_rfc3987),
        base=partial(_base_rfc3986, normalize=normalize_rfc3987),
        normalize=normalize_rfc3987,
        normal_forms=lambda parts, mode, rules: normal_forms_rfc3987(parts, mode, rules.grammar, rules.parse),
        compare=_compare_3987,
        compare_simply=_compare_simply_3987,
        to_uri=_to_uri_3987,
        to_iri=_to_iri_3987,
        admission_of_uri=_admission_of_uri_3987,
        further_uris=_further_uris_3987,
        admission_of_iri=_admission_of_iri_3987,
    ),
)

#: The RFCs of the corpus, by identifier.
SPECIFICATIONS: Mapping[str, Specification] = {
    spec.id: spec for spec in (RFC1738, RFC1808, RFC2396, RFC2732, RFC3986, RFC3987)
}
