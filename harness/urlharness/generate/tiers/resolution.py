"""Tier `resolution`: pairs of base and reference of every shape, with expected answers for each RFC.

The pairs come from three products, without duplicates:

    paths       base paths and reference paths with dots, empty segments and parameters in every position
    components  each component of base and reference absent, empty and present
    schemes     references with the scheme of the base or with another scheme

For each RFC, the tier leaves out pairs with a base or reference that the RFC does not derive (G-12). The
answers are the oracle's; tests compare them with a second implementation that works on lists of segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from urlharness.corpus.model import Binding, Expected
from urlharness.corpus.specifications import facts
from urlharness.explain.by_rfc import ruling_on_unsuitable_base
from urlharness.generate.tiers.beyond_ascii import with_letters_beyond_ascii
from urlharness.generate.tiers.labels import Label, expected_text, label
from urloracle.errors import InvalidURL
from urloracle.specification import Specification

BASE_PATHS = (
    "", "/", "/b", "/b/", "/b/c", "/b/c/", "/b/c/d", "//", "//b", "/b//", "/b//c", "/b//c/",
    "/.", "/..", "/./b", "/../b", "/b/.", "/b/..", "/b/./", "/b/../", "/b/./c", "/b/../c", "/b/.../c",
    "/b/%2E%2E/c", "/b/..c", "/b;p", "/b;p/c", "/b/c;p/d", "/b;", "/b/..;p",
    "b", "b/", "b/c", "b/c/d", "b//c", "b/..", "b/../c", "./b", "../b", ".", "..",
)  # fmt: skip

REFERENCE_PATHS = (
    "", "g", "g/", "g/h", "g//", "g//h", "/", "/g", "/g/", "/g//h",
    ".", "./", "./g", "././g", "./g/", ".//", ".//g", "./g:h", "g/.", "g/./", "g/./h", "g/.//h", "/.", "/./",
    "/./g", "/.//g", "/g/.", "/g/./h",
    "..", "../", "../g", "../..", "../../", "../../g", "../../..", "../../../", "../../../g", "../../../../g",
    "..//", "..//g", "../.", "../..//g", "g/..", "g/../", "g/../h", "g/../..", "g/../../h", "g/../../../h",
    "g//..", "g//../h", "g/..//h", "./..", "./../g", ".././g", "g/./..", "g/.././h",
    "/..", "/../", "/../g", "/../../g", "/..//g", "/g/..", "/g/../h", "/g/../../h", "/g//../h",
    "...", ".../g", "g/...", "..g", "g..", ".g", "g.", "../..g", "./.g", "g/..h/i",
    "%2E", "%2e/g", "%2E%2e/g", ".%2E/g", "..%2Fg", "g/%2E%2E/h", "/%2e%2E/g",
    ";x", ";", "g;x", "g;", "g;x/h", "g;x=1/./y", "g;x=1/../y", "..;x", ".;x", "../;x", "./;x", "../..;x",
    "/;x",
)  # fmt: skip


#: By ruling: the binding of a result that the ruling admits.
_BINDINGS: dict[str, Binding] = {
    "R-1808-09": "permitted-set",
    "R-1808-11": "impl-defined",
    "R-1808-13": "literal-only",
    "R-1808-22": "permitted-set",
    "R-2396-06": "permitted-set",
    "R-2396-07": "permitted-set",
    "R-2396-17": "literal-only",
    "R-2396-18": "permitted-set",
    "R-3986-06": "permitted-set",
    "R-3986-09": "impl-defined",
    "R-3986-11": "permitted-set",
    "R-3986-12": "permitted-set",
}


def pairs() -> Iterator[tuple[str, str]]:
    """Yield all pairs of base and reference once, in a fixed order, including pairs that no RFC derives."""
    seen = set()
    for bases, references in _products():
        for pair in product(bases, references):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _products() -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield bases and references of each product, in the order of the module's docstring."""
    authorities = ("", "//", "//a")
    bases = _join(("http:",), authorities, BASE_PATHS)
    yield bases, REFERENCE_PATHS

    paths = ("", "/", "/b/c", "/b/c;p", "b/c")
    reference_paths = ("", "g", "/g", "../g", "/g/../h", ";", ";x", "g;")
    bases = _join(("http:",), authorities, paths, ("", "?", "?q"), ("", "#f"))
    references = _join(("",), ("", "//", "//h"), reference_paths, ("", "?", "?y"), ("", "#", "#s"))
    yield bases, references

    schemes = ("http:", "x:")
    paths_after_scheme = ("", "g", "/g", "../g", "/../g", "g/../h")
    bases = _join(schemes, authorities, paths, ("", "?q"))
    references = _join(schemes, ("", "//h"), paths_after_scheme, ("", "?y"), ("", "#s"))
    yield bases, references


def _join(
    schemes: Sequence[str],
    authorities: Sequence[str],
    paths: Sequence[str],
    queries: Sequence[str] = ("",),
    fragments: Sequence[str] = ("",),
) -> list[str]:
    """Join all combinations of the components; leave out texts that a parser splits differently."""
    texts = []
    for scheme, authority, path, query, fragment in product(schemes, authorities, paths, queries, fragments):
        if _is_unambiguous(authority, path):
            texts.append(f"{scheme}{authority}{path}{query}{fragment}")
    return texts


def _is_unambiguous(authority: str, path: str) -> bool:
    """Return True if a parser splits the joined text into the same authority and path."""
    if authority:
        return not path or path.startswith(("/", ";"))
    return not path.startswith("//")


def label_pairs(spec: Specification) -> Iterator[tuple[str, str, Label]]:
    """Yield base, reference and label of each pair that the RFC derives."""
    derives = cache(spec.automaton(spec.default_rule).accepts)
    write = cache(with_letters_beyond_ascii) if facts(spec.id).iris else str
    for base_url, reference_url in pairs():
        base = write(base_url)
        reference = write(reference_url)
        if derives(base) and derives(reference):
            yield base, reference, label_pair(spec, base, reference)


def label_pair(spec: Specification, base: str, reference: str) -> Label:
    """Return the label of a pair: the recommended result, and other results that rulings admit."""
    unsuitable = ruling_on_unsuitable_base(spec.id, base, reference)
    try:
        resolution = spec.resolve_all(base, reference)
    except InvalidURL:  # RFC 2396, section 5: the base is opaque
        return Label(Expected(valid=False), "unspecified", unsuitable)
    expect = Expected(result=resolution.text)
    if unsuitable is not None:
        return Label(expect, "unspecified", unsuitable)
    spec_facts = facts(spec.id)
    alternatives = []
    for target in resolution.also:
        expected = expected_text(target.text, target.variant)
        alternatives.append(Label(expected, _BINDINGS[target.ruling], target.ruling))
    if resolution.same_document:
        same_document = Expected(same_document=True, variant="same-document")
        alternatives.append(Label(same_document, "permitted-set", "R-2396-06"))
    # R-1808-23, R-2396-32
    if spec_facts.gained_authority and gains_an_authority(base, reference, resolution.text):
        return label(expect, alternatives)._replace(binding="unspecified", ruling=spec_facts.gained_authority)
    return label(expect, _distinct(resolution.text, alternatives))


def _distinct(text: str, alternatives: Iterable[Label]) -> list[Label]:
    """Return the alternatives that differ from the recommended result and from each other.

    Only kind and result are compared. Of equal alternatives, return the first.
    """
    seen: set[tuple[str, object]] = {("result", text)}
    distinct = []
    for alternative in alternatives:
        key = (alternative.expect.kind, alternative.expect.result)
        if key not in seen:
            seen.add(key)
            distinct.append(alternative)
    return distinct


def gains_an_authority(base: str, reference: str, target: str) -> bool:
    """Return True if the result seems to have an authority, but neither base nor reference has one."""
    if reference.startswith("//") or target == reference:
        return False
    _, _, base_rest = base.partition(":")
    _, _, target_rest = target.partition(":")
    return target_rest.startswith("//") and not base_rest.startswith("//")
