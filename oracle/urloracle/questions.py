"""The questions: validate, parse, resolve, recompose and normalize a text under a specification.

A specification is given by its identifier (`"rfc3986"`) or as a value.  A text that is not valid raises
`InvalidURL`; a question that the RFC does not answer raises `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from urloracle.derivation import Derivation, derivation
from urloracle.normalization import Mode
from urloracle.resolution import Resolution
from urloracle.specification import Profile, Specification, Unsupported
from urloracle.specifications import specification
from urloracle.steps import Step

# what a specification has compiled, by all that it has been called: looked up where speed counts
_READERS: dict[str | Specification, Callable[[str], Any]] = {}
_RESOLVERS: dict[str | Specification, Callable[[str, str], Resolution]] = {}


def validate(
    text: str,
    spec: str | Specification,
    rule: str | None = None,
    profile: Profile | None = None,
) -> None:
    """Return where a rule of the RFC derives the text, else raise InvalidURL.

    Without a rule the text is judged as a whole URL: `url` (RFC 1738), `URL` (1808), `URI-reference`.
    Raises UnknownRule and UnknownSpecification for names that do not exist.
    """
    problem = specification(spec).problem(text, rule, profile)
    if problem is not None:
        raise problem


def parse(
    text: str,
    spec: str | Specification,
    rule: str | None = None,
    profile: Profile | None = None,
) -> Any:
    """The components of a valid text: a named tuple with None for absent and "" for empty ones (G-09).

    RFC 1738 gives one kind of tuple for each scheme, RFC 1808 a `RelativeURL`, the others a `URI`.
    """
    if rule is None and profile is None:
        read = _READERS.get(spec)
        parts = None if read is None else read(text)
        if parts is not None:
            return parts
    chosen = specification(spec)
    _READERS[spec] = chosen.read
    return chosen.parse(text, rule, profile)


def resolve(base: str, reference: str, spec: str | Specification) -> Resolution:
    """The target of a reference: the recommended text, and in `also` every other result that is admitted.

    RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2.  Raises InvalidURL for an invalid
    reference and for a base that is invalid, relative, or opaque where a hierarchy is needed.
    """
    resolver = _RESOLVERS.get(spec)
    if resolver is None:
        resolver = _RESOLVERS[spec] = specification(spec).resolve
    return resolver(base, reference)


def resolution_steps(base: str, reference: str, spec: str | Specification) -> list[Step]:
    """Each step of the RFC's algorithm and what it did; the last one holds the target of `resolve`.

    Raises what `resolve` raises.
    """
    chosen = specification(spec)
    chosen.resolve(base, reference)
    assert chosen.tracer is not None  # it goes with the resolver
    return list(chosen.tracer(chosen, base, reference))


def derive(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Derivation:
    """The derivation tree of a valid text by the RFC's rule names; raises what `validate` raises."""
    chosen = specification(spec)
    validate(text, chosen, rule, profile)
    language = chosen.language(chosen.judging_rule(text, rule, profile), profile)
    tree = derivation(language.grammar, language.rule, text)
    assert tree is not None  # the rule accepts the text
    return tree


def recompose(components: Mapping[str, Any], spec: str | Specification) -> str:
    """The text of components (by the RFC's names, None for absent); the reverse of `parse`.

    RFC 1808 section 4 step 7, RFC 2396 section 5.2 step 7, RFC 3986 section 5.3; for RFC 1738 the
    production of the scheme, raising ValueError for components that it has no place for.
    """
    chosen = specification(spec)
    return chosen.recompose(components, chosen.languages)


def normalize(text: str, spec: str | Specification, mode: Mode = "syntax") -> str:
    """The text in normal form, which an equivalent text shares.

    Mode `syntax`: RFC 3986 section 6.2.2, or the case of scheme and host that RFC 2396 section 6 speaks of.
    Mode `scheme` adds RFC 3986 section 6.2.3, or the default port of RFC 2396 section 6.
    """
    chosen = specification(spec)
    if chosen.normalize is None:
        raise Unsupported(f"{chosen.title} does not define normalization")
    return chosen.normalize(parse(text, chosen), mode, chosen.grammar)
