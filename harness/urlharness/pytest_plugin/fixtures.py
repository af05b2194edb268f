"""The value of the fixture `oracle`: the functions of `urloracle`, bound to one RFC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from urlharness.corpus.selection import spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC
from urloracle import operations
from urloracle.explanation import Explanation, explain
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import PROFILES
from urloracle.types import Base, Equivalence, Extract, Mode, NormalForms, Profile, Resolution


@dataclass(frozen=True, slots=True)
class Oracle:
    """The functions of `urloracle`, bound to one RFC. Answers and errors are the same."""

    spec: str

    def validate(self, text: str, rule: str | None = None, profile: Profile | None = None) -> None:
        """Raise InvalidURL if the rule of the RFC does not derive the text."""
        operations.validate(text, self.spec, rule, profile)

    def parse(self, text: str, rule: str | None = None, profile: Profile | None = None) -> Any:
        """Return the components of a valid text as a named tuple."""
        return operations.parse(text, self.spec, rule, profile)

    def resolve(self, base: str, reference: str) -> Resolution:
        """Resolve a reference."""
        return operations.resolve(base, reference, self.spec)

    def recompose(self, components: Mapping[str, Any]) -> str:
        """Return the text with the given components."""
        return operations.recompose(components, self.spec)

    def normalize(self, text: str, mode: Mode = "syntax") -> str:
        """Return the normal form of a text."""
        return operations.normalize(text, self.spec, mode)

    def normal_forms(self, text: str, mode: Mode = "syntax") -> NormalForms:
        """Return the normal form of a text, and every other normal form that the RFC admits."""
        return operations.normal_forms(text, self.spec, mode)

    def equivalent(self, one: str, other: str, mode: Mode = "syntax") -> Equivalence:
        """Compare two URLs."""
        return operations.equivalent(one, other, self.spec, mode)

    def to_uri(self, iri: str, rule: str | None = None) -> str:
        """Return the URI to which an IRI maps (RFC 3987)."""
        return operations.to_uri(iri, self.spec, rule)

    def to_iri(self, uri: str, rule: str | None = None) -> str:
        """Return the IRI to which a URI is converted (RFC 3987)."""
        return operations.to_iri(uri, self.spec, rule)

    def extract(self, text: str) -> list[Extract]:
        """Return the URLs in running text."""
        return operations.extract(text, self.spec)

    def base_url(self, **layers: str | None) -> Base:
        """Return the base URL that applies. The arguments are those of `urloracle.base_url`."""
        return operations.base_url(self.spec, **layers)

    def explain(self, text: str) -> Explanation:
        """Explain the verdict on a text."""
        return explain(text, self.spec)


def bound_oracle(config: pytest.Config) -> Oracle:
    """Return the oracle of the selected RFC (default: rfc3986), with everything compiled for property tests.

    Raise pytest.UsageError if several RFCs are selected, or if the RFC is unknown.
    """
    names = config.getoption("urlconform_spec") or config.getini("urlconform_spec") or [DEFAULT_SPEC]
    if len(names) > 1:
        raise pytest.UsageError(f"urlconform: the fixture `oracle` needs one RFC, not {', '.join(names)}")
    try:
        spec = specification(spec_name(names[0]))
    except UnknownSpecification as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    operations.prepare(spec)
    for rule in spec.grammar:
        for profile in PROFILES:
            spec.language(rule, profile).compile()
    return Oracle(spec.id)
