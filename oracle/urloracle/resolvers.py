"""Resolution of texts: base and reference are read once, refused where invalid, then resolved or traced.

The algorithms take valid input for granted, so an invalid text has no result at all (G-12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from urloracle.components import parts_rfc2396, parts_rfc3986, reader_rfc1808
from urloracle.errors import InvalidURL, without_scheme
from urloracle.resolution import (
    Resolution,
    UnsuitableBase,
    resolve_rfc1808,
    resolve_rfc2396,
    resolve_rfc3986,
)
from urloracle.specification import Specification
from urloracle.steps import Step, steps_rfc1808, steps_rfc2396, steps_rfc3986

Resolver = Callable[[str, str], Resolution]


def resolver_rfc1808(spec: Specification) -> Resolver:
    """RFC 1808, section 4."""
    read = reader_rfc1808(spec.languages)

    def resolve(base: str, reference: str) -> Resolution:
        parts = read(reference)
        if parts is None:
            raise spec.refusal(reference)
        if not base:  # step 1: the base is unknown (R-1808-17)
            return Resolution(reference)
        absolute = read(base)
        if absolute is None:
            raise spec.refusal(base)
        if absolute.scheme is None:
            raise without_scheme(base, spec.id, "URL", "a base")
        return resolve_rfc1808(absolute, parts, base, reference)

    return resolve


def resolver_rfc2396(spec: Specification) -> Resolver:
    """RFC 2396, section 5.2; a base is refused that is opaque where a hierarchy is needed (R-2396-21)."""
    read = parts_rfc2396(spec.languages)

    def resolve(base: str, reference: str) -> Resolution:
        parts = read(reference)
        if parts is None:
            raise spec.refusal(reference)
        absolute = read(base)
        if absolute is None:
            raise spec.refusal(base)
        if absolute[0] is None:
            raise without_scheme(base, spec.id, "absoluteURI", "a base")
        try:
            return resolve_rfc2396(absolute, parts, reference)
        except UnsuitableBase as unsuitable:
            reason = f"{unsuitable} (section 5, R-2396-21)"
            rules = ("absoluteURI", "hier_part")
            position = base.index(":") + 1
            raise InvalidURL(
                base, spec.id, "hier_part", position, frozenset("/"), rules, "5", reason
            ) from None

    return resolve


def resolver_rfc3986(spec: Specification) -> Resolver:
    """RFC 3986, section 5.2; the fragment of a base is stripped (section 5.1, R-3986-12)."""
    read = parts_rfc3986(spec.languages)

    def resolve(base: str, reference: str) -> Resolution:
        parts = read(reference)
        if parts is None:
            raise spec.refusal(reference)
        absolute = read(base)
        if absolute is None or absolute[0] is None:
            raise spec.refusal(base, "URI")
        return resolve_rfc3986(absolute, parts)

    return resolve


def tracer_rfc1808(spec: Specification, base: str, reference: str) -> Iterator[Step]:
    """The steps of RFC 1808 for texts that resolve."""
    if not base:
        return iter((Step("1", "the base is unknown: the reference stays as it is", reference),))
    return steps_rfc1808(spec.read(base), spec.read(reference), base, reference)


def tracer_rfc2396(spec: Specification, base: str, reference: str) -> Iterator[Step]:
    """The steps of RFC 2396 for texts that resolve."""
    read = parts_rfc2396(spec.languages)
    absolute, parts = read(base), read(reference)
    assert absolute is not None  # they resolve
    assert parts is not None
    return steps_rfc2396(absolute, parts, reference)


def tracer_rfc3986(spec: Specification, base: str, reference: str) -> Iterator[Step]:
    """The steps of RFC 3986 for texts that resolve."""
    read = parts_rfc3986(spec.languages)
    absolute, parts = read(base), read(reference)
    assert absolute is not None  # they resolve
    assert parts is not None
    return steps_rfc3986(absolute, parts)
