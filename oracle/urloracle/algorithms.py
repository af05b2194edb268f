"""The algorithms of an RFC: what it says about URLs apart from its grammar.

A grammar decides which texts are valid.  How a text is split, resolved, normalized or compared stands in the
prose of the RFC, and is a function here.  `Algorithms` is the record of the functions of one RFC, and `Rules`
is everything that they may know about its grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import Grammar
from urloracle.language import Languages
from urloracle.rfc.admission import Admission
from urloracle.rfc.base import Base, Layers
from urloracle.rfc.components import Reading
from urloracle.rfc.equivalence import Equivalence
from urloracle.rfc.extraction import Extract
from urloracle.rfc.mapping import Forms
from urloracle.rfc.normalization import AdmittedVariants, Mode, NormalForms
from urloracle.rfc.resolution import Alternative, Resolver


class Refuse(Protocol):
    """A function that returns the error of a text which the caller knows to be invalid."""

    def __call__(self, text: str, rule: str | None = None) -> InvalidURL:
        """Return the error under a rule, by default the rule for whole URLs."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules and titles of an RFC that its algorithms read.

    - `spec`: the identifier of the RFC, which errors name
    - `title`: its name for people
    - `default_rule`: the rule for whole URLs
    - `languages`: the languages of its rules
    - `schemes`: maps each scheme that has a rule of its own to this rule
    - `absolute`: the rule for URLs with a scheme
    - `read`: a function that returns the components of a whole URL, or None if the URL is invalid
    - `parse`: the same function, but it raises InvalidURL
    - `refusal`: a function that returns the error of an invalid text
    - `resolve`: the function that resolves a reference, with all checks
    """

    spec: str
    title: str
    default_rule: str
    languages: Languages
    schemes: Mapping[str, str]
    absolute: str
    read: Callable[[str], Any]
    parse: Callable[[str], Any]
    refusal: Refuse
    resolve: Resolver

    @property
    def grammar(self) -> Grammar:
        """The rules as they are written."""
        return self.languages.grammar


def _no_other_readings(_parts: Any, _rules: Rules) -> tuple[Reading, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithms:
    """The functions that implement the algorithms of an RFC; None if the RFC does not define one.

    - `reader`: returns a function that splits a whole URL, or returns None if the URL is invalid
    - `split`: splits a valid text by another rule for whole URLs, if the RFC has several of them
    - `asdict`: maps the RFC's names of the components to the components
    - `readings`: returns the other admissible splits of a text
    - `recompose`: returns every text with the given components, the recommended one first
    - `resolver`: returns the function that resolves references
    - `other_bases`: yields the results that depend on the treatment of the base
    - `base`: chooses the base URL from its sources
    - `normalize`: returns the normal form of components as a text
    - `variants`: returns the other admissible normal forms
    - `normal_forms`: returns the normal form with all others, if they are not `variants` of one form
    - `compare`: decides whether two URLs are equivalent
    - `compare_simply`: decides whether two texts are the same URL without normalization
    - `to_uri`: maps a text by a rule to a URI
    - `to_iri`: converts a text by a rule to an IRI
    - `admission_of_uri`, `admission_of_iri`: decides whether an answer of these two is admitted
    - `further_uris`: names the rulings by which more URIs are admitted than `to_uri` lists
    - `extract`: finds the URLs in running text
    """

    reader: Callable[[Rules], Callable[[str], Any]]
    asdict: Callable[[Any], dict[str, Any]]
    recompose: Callable[[Mapping[str, Any], Languages], list[str]]
    split: Callable[[str, str, Languages], Any] | None = None
    readings: Callable[[Any, Rules], tuple[Reading, ...]] = _no_other_readings
    resolver: Callable[[Rules], Resolver] | None = None
    other_bases: Callable[[str, str, Rules], Iterable[Alternative]] | None = None
    base: Callable[[Layers, Rules], Base] | None = None
    normalize: Callable[[Any, Mode, Grammar], str] | None = None
    variants: AdmittedVariants | None = None
    normal_forms: Callable[[Any, Mode, Rules], NormalForms] | None = None
    compare: Callable[[str, str, Mode, Rules], Equivalence] | None = None
    compare_simply: Callable[[str, str, Rules], Equivalence] | None = None
    to_uri: Callable[[str, str, Rules], Forms] | None = None
    to_iri: Callable[[str, str, Rules], Forms] | None = None
    admission_of_uri: Callable[[str, str | None, str, Rules], Admission] | None = None
    further_uris: Callable[[str, str, Rules], tuple[str, ...]] | None = None
    admission_of_iri: Callable[[str, str | None, str, Rules], Admission] | None = None
    extract: Callable[[str, Rules], list[Extract]] | None = None
