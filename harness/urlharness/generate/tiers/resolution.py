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
from urlharness.generate.tiers.labels import Label, label
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
    "R-1808-09": "permitted-set", "R-1808-11": "impl-defined", "R-1808-13": "literal-only",
    "R-1808-22": "permitted-set", "R-2396-06": "permitted-set", "R-2396-07": "permitted-set",
    "R-2396-17": "literal-only", "R-2396-18": "permitted-set", "R-3986-06": "permitted-set",
    "R-3986-09": "impl-defined", "R-3986-11": "permitted-set", "R-3986-12": "permitted-set",
}  # fmt: skip


def pairs() -> Iterator[tuple[str, str]]:
    """Yield all pairs of base and reference once, in a fixed order, including pairs that no RFC derives."""
    seen = set()
    for bases, references in _products():
        for pair in product(bases, references):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _products() -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    authorities, queries = ("", "//", "//a"), ("", "?", "?q")
    yield _join(("http:",), authorities, BASE_PATHS), REFERENCE_PATHS
    paths = ("", "/", "/b/c", "/b/c;p", "b/c")
    targets: tuple[str, ...] = ("", "g", "/g", "../g", "/g/../h", ";", ";x", "g;")
    yield (
        _join(("http:",), authorities, paths, queries, ("", "#f")),
        _join(("",), ("", "//", "//h"), targets, ("", "?", "?y"), ("", "#", "#s")),
    )
    targets = ("", "g", "/g", "../g", "/../g", "g/../h")
    yield (
        _join(("http:", "x:"), authorities, paths, ("", "?q")),
        _join(("http:", "x:"), ("", "//h"), targets, ("", "?y"), ("", "#s")),
    )


def _join(
    schemes: Sequence[str],
    authorities: Sequence[str],
    paths: Sequence[str],
    queries: Sequence[str] = ("",),
    fragments: Sequence[str] = ("",),
) -> list[str]:
    """Join all combinations of the components; leave out texts that a parser splits differently."""
    return [
        "".join(parts)
        for parts in product(schemes, authorities, paths, queries, fragments)
        if _is_unambiguous(authority=parts[1], path=parts[2])
    ]


def _is_unambiguous(authority: str, path: str) -> bool:
    """Return True if a parser splits the joined text into the same authority and path."""
    return path.startswith(("/", ";")) or not path if authority else not path.startswith("//")


def label_pairs(spec: Specification) -> Iterator[tuple[str, str, Label]]:
    """Yield base, reference and label of each pair that the RFC derives."""
    derives = cache(spec.automaton(spec.default_rule).accepts)
    for base, reference in pairs():
        if derives(base) and derives(reference):
            yield base, reference, label_pair(spec, base, reference)


def label_pair(spec: Specification, base: str, reference: str) -> Label:
    """Return the label of a pair: the recommended result, and other results that rulings admit."""
    try:
        found = spec.resolve_all(base, reference)
    except InvalidURL:  # RFC 2396, section 5: the base is opaque
        return Label(Expected(valid=False), "unspecified", "R-2396-21")
    others = [
        Label(_result(also.text, also.variant), _BINDINGS[also.ruling], also.ruling) for also in found.also
    ]
    if found.same_document:
        expect = Expected(same_document=True, variant="same-document")
        others.append(Label(expect, "permitted-set", "R-2396-06"))
    known = facts(spec.id)
    if known.opaque_parts and reference.startswith("//") and _is_opaque(base):
        # RFC 2396, section 5
        return Label(Expected(result=found.text), "unspecified", "R-2396-21")
    # R-1808-23, R-2396-32
    if known.gained_authority and gains_an_authority(base, reference, found.text):
        expect = label(Expected(result=found.text), others).expect
        return Label(expect, "unspecified", known.gained_authority)
    return label(Expected(result=found.text), _distinct(found.text, others))


def _distinct(text: str, others: Iterable[Label]) -> list[Label]:
    """Return the alternatives that differ from the recommended result and from each other."""
    seen: dict[tuple[str, object], Label | None] = {("result", text): None}
    for other in others:
        seen.setdefault((other.expect.kind, other.expect.result), other)
    return [other for other in seen.values() if other]


def _result(text: str | None, variant: str) -> Expected:
    return Expected(valid=False, variant=variant) if text is None else Expected(result=text, variant=variant)


def _is_opaque(base: str) -> bool:
    return not base.partition(":")[2].startswith("/")


def gains_an_authority(base: str, reference: str, text: str) -> bool:
    """Return True if the result seems to have an authority, but neither base nor reference has one."""
    without = not base.partition(":")[2].startswith("//") and not reference.startswith("//")
    return without and text != reference and text.partition(":")[2].startswith("//")
