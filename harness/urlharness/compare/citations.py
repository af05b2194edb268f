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
from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import facts
from urlharness.panel.answer import parts_of
from urlharness.panel.spelling import COMPONENTS
from urlharness.protocol.messages import ComponentTexts
from urlharness.results.model import AskedVector
from urloracle.rfcs import SPECIFICATIONS

#: The manners of difference that the steps of a normalization are about (RFC 3986, 6.2.2), by section.
_MANNERS_OF_STEPS = {
    "6.2.2.1": frozenset((Manner.CASE, Manner.TRIPLETS)),
    "6.2.2.2": frozenset((Manner.CASE, Manner.TRIPLETS)),
    "6.2.2.3": frozenset((Manner.DOTS, Manner.EXCESS, Manner.SEGMENTS, Manner.SLASH, Manner.OTHER)),
}

#: The step of a normalization that is about a manner of difference, whatever the question is about.
_STEP_OF_MANNER = {
    Manner.CASE: "6.2.2.1",
    Manner.TRIPLETS: "6.2.2.2",
    Manner.DOTS: "6.2.2.3",
    Manner.EXCESS: "6.2.2.3",
}

#: The component of the steps that are about one component only.
_COMPONENT_OF_STEPS = {"6.2.2.3": "path"}

#: The steps of a resolution that are about the path only, and the section on the whole target (RFC 3986).
_PATH_STEPS_OF_RESOLUTION = frozenset(("5.2.3", "5.2.4"))
_SECTION_ON_TARGETS = "5.2.2"

#: The section on all components, and the section on rare forms of addresses (RFC 3986, 3 and 7.4).
_SECTION_ON_COMPONENTS = "3"
_SECTION_ON_RARE_ADDRESSES = "7.4"

#: The beginning of the sections on characters, and the manners of difference that they are about.
_CHARACTERS = "2."
_MANNERS_OF_CHARACTERS = frozenset((Manner.CASE, Manner.TRIPLETS))


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
    """Return the section on what differs, if the question is about something else, and None otherwise.

    It is the section on the component, or that on the step of a normalization or of a resolution. A question
    from the section on the component, or from one above or below it, is about what differs. So is one from a
    section on no component, unless the section is on steps or characters that do not touch what differs.
    """
    case = disagreement.case
    component = disagreement.component
    sections = SPECIFICATIONS[case.spec].grammar.sections
    section = sections.get(component)
    if section is None or _has_new_beginning(disagreement):
        return None
    if case.vector.op == "resolve" and case.section in _PATH_STEPS_OF_RESOLUTION:
        return _SECTION_ON_TARGETS if component != "path" else None
    if component == "host" and _has_lost_authority(disagreement):
        section_to_cite = sections.get("authority", section)
    else:
        section_to_cite = section
    if case.vector.op == "normalize" and case.section in _MANNERS_OF_STEPS:
        return _section_on_other_step(disagreement, section_to_cite)
    of_components = {sections[name] for name in ("authority", *COMPONENTS) if name in sections}
    if case.section in of_components:
        is_above_or_same = section.startswith(case.section)
        is_below = case.section.startswith(section) and component != "authority"
        return None if is_above_or_same or is_below else section_to_cite
    return section_to_cite if _is_about_something_else(disagreement) else None


def _has_lost_authority(disagreement: Disagreement) -> bool:
    """Return True if the wrong answer has no authority at all, although the right one has a host."""
    right, wrong = _parts_of_sides(disagreement)
    names = ("authority", *AUTHORITY)
    return right.get("host") is not None and all(wrong.get(name) is None for name in names)


def _has_new_beginning(disagreement: Disagreement) -> bool:
    """Return True if the beginning of a path has become a scheme or an authority, which the RFC has not.

    Then what is wrong is the path, although another component differs.
    """
    if disagreement.case.vector.op not in ("normalize", "resolve"):
        return False
    right, wrong = _parts_of_sides(disagreement)
    component = disagreement.component
    if component == "scheme":
        return right.get("scheme") is None and wrong.get("scheme") is not None
    return component == "host" and right.get("host") is None and wrong.get("host") is not None


def _section_on_other_step(disagreement: Disagreement, section: str) -> str | None:
    """Return the section on what differs after a normalization: that of a step, or that on the component.

    Return None if the question is about the step.
    """
    own_section = disagreement.case.section
    component = disagreement.component
    manner = _manner(disagreement)
    is_on_component = component == _COMPONENT_OF_STEPS.get(own_section, component)
    if is_on_component and manner in _MANNERS_OF_STEPS[own_section]:
        return None
    step = _STEP_OF_MANNER.get(manner, section)
    return section if component != _COMPONENT_OF_STEPS.get(step, component) else step


def _is_about_something_else(disagreement: Disagreement) -> bool:
    """Return True if a section on no single component is nevertheless not on what differs."""
    own_section = disagreement.case.section
    if disagreement.case.vector.op not in ("parse", "normalize"):
        return False
    if own_section == _SECTION_ON_COMPONENTS:
        return True
    if own_section == _SECTION_ON_RARE_ADDRESSES:
        return disagreement.component != "host"
    is_on_characters = own_section.startswith(_CHARACTERS) and facts(disagreement.case.spec).generic
    return is_on_characters and _manner(disagreement) not in _MANNERS_OF_CHARACTERS


def _manner(disagreement: Disagreement) -> Manner:
    """Return the manner in which the right and the wrong value of the component differ."""
    right, wrong = _parts_of_sides(disagreement)
    component = disagreement.component
    return compare_texts(component, right.get(component), wrong.get(component)).manner


def _parts_of_sides(disagreement: Disagreement) -> tuple[ComponentTexts, ComponentTexts]:
    """Return the components of the right answer and those of the wrong one."""
    (contrast, *_) = disagreement.contrasts
    right, wrong = (disagreement.sides[number].answer for number in (contrast.first, contrast.second))
    return parts_of(right), parts_of(wrong)
