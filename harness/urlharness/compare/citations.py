"""What a page cites: the section of the RFC on what is wrong, rulings on the answer, functions of a library.

A question is in the section of the statement that it tests, but an answer can be wrong in another respect:
the port, in a question on the case of the host. Then the page cites the section that defines the component,
and no ruling, because those of the question are on what it tests.
"""

from __future__ import annotations

from collections.abc import Mapping

from urlharness.adapters.catalogue import FROM_CACHE, catalogue
from urlharness.compare.manners import Manner, compare_texts
from urlharness.compare.matrix import Disagreement
from urlharness.corpus.describe import ruling_clause
from urlharness.panel.answer import parts_of
from urlharness.panel.spelling import COMPONENTS
from urlharness.results.model import AskedVector
from urloracle.rfcs import SPECIFICATIONS

#: The manners of difference that the steps of a normalization are about (RFC 3986, 6.2.2), by section.
_MANNERS_OF_STEPS = {
    "6.2.2.1": frozenset((Manner.CASE, Manner.TRIPLETS)),
    "6.2.2.2": frozenset((Manner.CASE, Manner.TRIPLETS)),
    "6.2.2.3": frozenset((Manner.DOTS, Manner.EXCESS, Manner.SEGMENTS, Manner.SLASH, Manner.OTHER)),
}

#: The component of the steps that are about one component only.
_COMPONENT_OF_STEPS = {"6.2.2.3": "path"}


def cited_section(disagreement: Disagreement, asked_vector: AskedVector) -> str:
    """Return the section, and the ruling on which the right answer rests: "6.2.2.3, by R-3986-37"."""
    section = _other_section(disagreement)
    if section is not None:
        return section
    clause = ruling_clause(asked_vector.case.vector, asked_vector.requirement)
    return f"{disagreement.case.section}{clause}"


def normalizing_functions(name: str) -> str:
    """Return which functions of a library normalize, or an empty string if the catalogue cites none."""
    library = catalogue().get(name.removesuffix(FROM_CACHE))
    return "" if library is None else library.normalize


def asked_functions(name: str) -> Mapping[str, str]:
    """Return the functions of a library by operation, as far as the catalogue names them."""
    library = catalogue().get(name.removesuffix(FROM_CACHE))
    return {} if library is None else library.functions


def _other_section(disagreement: Disagreement) -> str | None:
    """Return the section on the component that differs, if the question is about something else.

    Return None if the question is from the same section, from one above or below it, or from a section on no
    component, except a step of normalization that does not touch what differs.
    """
    case = disagreement.case
    sections = SPECIFICATIONS[case.spec].grammar.sections
    section = sections.get(disagreement.component)
    if section is None or section.startswith(case.section) or case.section.startswith(section):
        return None
    of_components = {sections[name] for name in ("authority", *COMPONENTS) if name in sections}
    if case.section in of_components or _is_untouched_by_step(disagreement):
        return section
    return None


def _is_untouched_by_step(disagreement: Disagreement) -> bool:
    """Return True if a question is about a step of normalization that is not about what differs."""
    case = disagreement.case
    manners = _MANNERS_OF_STEPS.get(case.section)
    if case.vector.op != "normalize" or manners is None:
        return False
    component = disagreement.component
    if component != _COMPONENT_OF_STEPS.get(case.section, component):
        return True
    (contrast, *_) = disagreement.contrasts
    parts, other_parts = (
        parts_of(disagreement.sides[number].answer) for number in (contrast.first, contrast.second)
    )
    values = compare_texts(component, parts.get(component), other_parts.get(component))
    return values.manner not in manners
