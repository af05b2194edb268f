"""Citations of a page: the section of the RFC on what is wrong, and the rulings on which the answer rests.

A question is in the section of the statement that it tests, but an answer can be wrong in another respect:
the port, in a question on the case of the host. Then the page cites the section that defines the component,
and no ruling, because those of the question are on what it tests. Of a resolution, it cites the step that
gives another result.

Some differences rest on a ruling whatever the question is about: what is empty and what is absent, whether a
slash belongs to a path, and whether a component is shown in its escaped form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from urlharness.compare.causes import Excuse
from urlharness.compare.classes import component_of_class
from urlharness.compare.manners import Manner, compare_texts
from urlharness.compare.matrix import Disagreement
from urlharness.corpus.describe import ruling_of_answer
from urlharness.corpus.model import AUTHORITY, RESERVED, TRIPLET
from urlharness.corpus.specifications import facts
from urlharness.explain.generic_parts import Parts, split_generic
from urlharness.panel.answer import Answer, parts_of
from urlharness.panel.hosts import host_spelling
from urlharness.panel.severity import OTHER, VERDICT
from urlharness.panel.spelling import COMPONENTS
from urlharness.protocol.messages import ComponentTexts
from urlharness.results.model import AskedVector
from urlharness.wording import enumerated
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS

#: The manners of difference that the steps of a normalization are about (RFC 3986, 6.2.2), by section. The
#: comparison of texts as they are (6.2.1) is no step, so no difference between two normal forms is about it.
_MANNERS_OF_STEPS = {
    "6.2.1": frozenset[Manner](),
    "6.2.2.1": frozenset((Manner.CASE,)),
    "6.2.2.2": frozenset((Manner.CASE, Manner.TRIPLETS)),
    "6.2.2.3": frozenset(
        (
            *(Manner.DOTS, Manner.EXCESS, Manner.SEGMENTS, Manner.SLASH, Manner.OTHER),
            *(Manner.EMPTY_PATH, Manner.LOST, Manner.LONGER),
        )
    ),
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

#: The manners in which paths differ if dot segments, or segments beside these, are not removed alike.
_MANNERS_OF_DOTS = frozenset((Manner.DOTS, Manner.EXCESS, Manner.SEGMENTS))

#: The classes of such differences. They include dots that a library takes for a dot segment.
_CLASSES_OF_DOTS = frozenset(
    (
        "encoded-dots",
        "dots-in-base",
        "dots-in-absolute-path",
        "dots-elsewhere",
        "excess-dotdot",
        "empty-segment",
    )
)

#: The class of an empty segment, which resolution changes only beside dot segments.
_EMPTY_SEGMENT = "empty-segment"

#: The rulings on which a difference rests in every question: between an empty component and an absent one, on
#: the slash before a path, and between a component and its decoded form.
_RULING_ON_EMPTY = "G-09"
_RULING_ON_SLASH = "G-10"
_RULING_ON_DECODING = "G-13"

#: The rulings that white space in a URL is not skipped, and that white space around it is not stripped.
_RULING_ON_BLANKS = "G-05"
_RULING_ON_SURROUNDING_BLANKS = "G-08"

#: The open question of what dots that remove the first segment of a rootless path leave of it.
_ROOTLESS_DOTS = "rootless-dots"

#: The class of a delimiter that only one of two values encodes.
_ENCODED_DELIMITER = "encoded-delimiter"

#: The class of an empty host, and the open question that a ruling of each RFC decides.
_EMPTY_HOST = "empty-host"

#: The class of an empty component, and the open question whether it equals an absent one in a comparison.
_EMPTY_COMPONENT = "empty-component"
_EMPTY_IN_COMPARISON = "empty-in-comparison"

#: The open question whether two spellings of an address are one host.
_SPELLING_OF_ADDRESS = "spelling-of-address"

#: The section on all components, and the section on rare forms of addresses (RFC 3986, 3 and 7.4).
_SECTION_ON_COMPONENTS = "3"
_SECTION_ON_RARE_ADDRESSES = "7.4"

#: The sections on triplets that are decoded too early (RFC 3986, 7.2 and 7.3).
_SECTIONS_ON_DECODING = frozenset(("7.2", "7.3"))

#: The sections on all rules of the grammar (RFC 3986, 3 and appendix A), and those on characters.
_SECTIONS_ON_GRAMMAR = frozenset((_SECTION_ON_COMPONENTS, "A"))
_SECTION_ON_CHARACTERS = "2"
_SECTION_ON_TRIPLETS = "2.1"
_SECTION_ON_RESERVED_CHARACTERS = "2.2"

#: The sections on what the rulings on the grammar refuse: characters, a scheme, a host and a first segment.
_SECTIONS_OF_RULINGS = frozenset((_SECTION_ON_CHARACTERS, _SECTION_ON_TRIPLETS, "3.1", "3.2.2", "3.3"))

#: A character that no rule of RFC 3986 has.
_NOT_IN_URLS = re.compile(r"""[^!#$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]""")

#: The components of classes that a library refuses, if the question is on all rules.
_COMPONENT_OF_WHOLE_TEXTS = {"double-slash": "path"}

#: The beginning of the sections on characters, and the manners of difference that they are about.
_CHARACTERS = "2."
_MANNERS_OF_CHARACTERS = frozenset((Manner.CASE, Manner.TRIPLETS))


def cited_section(
    disagreement: Disagreement, asked_vector: AskedVector, excuses: Sequence[Excuse] = ()
) -> str:
    """Return the section, and the rulings on which the right answer rests: "6.2.2.3, by R-3986-37".

    `excuses` are the other RFCs under which the wrong answer is right. What they refuse is what is wrong if
    the answer is a refusal.
    """
    section = _other_section(disagreement, excuses) or disagreement.case.section
    rulings: list[str] = []
    if _is_about_question(disagreement, section) or _is_step_about_same_path(disagreement, section):
        ruling = ruling_of_answer(asked_vector.case.vector, asked_vector.requirement)
        if ruling and not _is_ruling_without_effect(disagreement, ruling):
            rulings.append(ruling)
    rulings += _rulings_on_difference(disagreement)
    words = f", by {enumerated(dict.fromkeys(rulings))}" if rulings else ""
    return f"{section}{words}"


def _is_about_question(disagreement: Disagreement, section: str) -> bool:
    """Return True if the cited section is on what the question tests, so that its ruling is on that, too."""
    if section in _SECTIONS_OF_RULINGS and _is_on_whole_grammar(disagreement):
        right, _ = _answers_of_sides(disagreement)
        return not right.accepts  # a ruling on the grammar is one on what to refuse
    own_section = disagreement.case.section
    if section == own_section:
        return True
    # the section on a step is a part of the section on the whole resolution
    is_on_whole = own_section in _sections_of_resolution(disagreement)
    return is_on_whole and section.startswith(f"{own_section}.")


def _is_step_about_same_path(disagreement: Disagreement, section: str) -> bool:
    """Return True if the cited step and the one of the question make the path that differs."""
    steps = _steps_of_resolution(disagreement).values()
    is_on_step = disagreement.case.section in steps or _is_on_preparation(disagreement)
    return disagreement.component == "path" and section in steps and is_on_step


def _is_ruling_without_effect(disagreement: Disagreement, ruling: str) -> bool:
    """Return True if a ruling is on the removal of a first segment by dots, but no such segment is removed.

    It is not removed from the path of the reference, or from the path that this is merged to.
    """
    vector = disagreement.case.vector
    if ruling != facts(disagreement.case.spec).rulings.get(_ROOTLESS_DOTS):
        return False
    if vector.op != "resolve" or not isinstance(vector.base, str) or not isinstance(vector.reference, str):
        return False
    path = split_generic(vector.reference).path
    if _is_merged(disagreement):
        path = _merged_path(vector.base, path)
    return not _removes_first_segment(path)


def _merged_path(base: str, path: str) -> str:
    """Return the path of a reference merged with that of the base (RFC 3986, section 5.2.3)."""
    base_parts = split_generic(base)
    if base_parts.authority is not None and base_parts.path == "":
        return f"/{path}"
    folder, slash, _ = base_parts.path.rpartition("/")
    return f"{folder}{slash}{path}"


def _removes_first_segment(path: str) -> bool:
    """Return True if dots remove the first segment of a rootless path, or stand there themselves."""
    level = 0
    for segment in path.split("/"):
        if segment == "..":
            if level <= 1:
                return not path.startswith("/")
            level -= 1
        elif segment != ".":
            level += 1
    return False


def _rulings_on_difference(disagreement: Disagreement) -> Iterator[str]:
    """Yield the rulings on which it rests that two values of a component are not the same."""
    component = disagreement.component
    operation = disagreement.case.vector.op
    rulings = facts(disagreement.case.spec).rulings
    for question in _open_questions(disagreement):
        if question in rulings:
            yield rulings[question]
    if component == VERDICT and _is_on_running_text(disagreement):
        yield from _rulings_on_blanks(disagreement)
    if operation not in ("parse", "resolve") or component not in COMPONENTS:
        return
    right, wrong = _parts_of_sides(disagreement)
    manner = _manner(disagreement)
    if manner is Manner.EMPTY:
        yield _RULING_ON_EMPTY
    if operation != "parse":
        return
    if manner is Manner.TRIPLETS:
        yield _RULING_ON_DECODING
    has_lost_slash = right.get(component) == f"/{wrong.get(component) or ''}"
    if component == "path" and has_lost_slash and right.get("host") is not None:
        yield _RULING_ON_SLASH


def _open_questions(disagreement: Disagreement) -> Iterator[str]:
    """Yield the open questions of an RFC, decided by rulings, on which a difference depends."""
    component = disagreement.component
    operation = disagreement.case.vector.op
    if component == VERDICT and disagreement.entry == _EMPTY_HOST:
        yield _EMPTY_HOST
    if operation == "normalize" and component == "host" and _is_respelled_address(disagreement):
        yield _SPELLING_OF_ADDRESS
    if operation == "equivalent" and disagreement.entry == _EMPTY_COMPONENT:
        yield _EMPTY_IN_COMPARISON


def _is_respelled_address(disagreement: Disagreement) -> bool:
    """Return True if two hosts are one IPv6 address in two spellings that differ in more than case."""
    right, wrong = _parts_of_sides(disagreement)
    hosts = [right.get("host") or "", wrong.get("host") or ""]
    is_case_only = _manner(disagreement) is Manner.CASE
    are_addresses = all(host.startswith("[") for host in hosts)
    return are_addresses and not is_case_only and host_spelling(hosts[0]) == host_spelling(hosts[1])


def _other_section(disagreement: Disagreement, excuses: Sequence[Excuse]) -> str | None:
    """Return the section on what differs, if the question is about something else, and None otherwise.

    It is the section on the component, or that on the step of a normalization or of a resolution. A question
    from the section on the component, or from one above or below it, is about what differs. So is one from a
    section on no component, unless the section is on steps or characters that do not touch what differs.
    """
    case = disagreement.case
    component = disagreement.component
    sections = SPECIFICATIONS[case.spec].grammar.sections
    if component == VERDICT:
        return _section_on_refusal(disagreement, excuses)
    is_on_resolution = case.section in _sections_of_resolution(disagreement)
    if is_on_resolution or _is_on_preparation(disagreement) or _is_by_step_from_base(disagreement):
        return _section_on_step_of_resolution(disagreement)
    if case.vector.op == "equivalent":
        return _section_on_comparison(disagreement)
    section = sections.get(component)
    if section is None or _has_new_beginning(disagreement):
        return None
    if component == "scheme" and case.vector.op == "parse" and _has_new_scheme(disagreement):
        return facts(case.spec).reference_section or section
    section_to_cite = section
    is_only_empty = case.vector.op == "parse" and _manner(disagreement) is Manner.EMPTY
    if component == "host" and _has_lost_authority(disagreement) and not is_only_empty:
        section_to_cite = sections.get("authority", section)
    if case.vector.op == "normalize" and case.section in _MANNERS_OF_STEPS:
        return _section_on_other_step(disagreement, section_to_cite)
    if case.section in _sections_of_components(disagreement):
        return _section_on_other_component(disagreement, section, section_to_cite)
    return section_to_cite if _is_about_something_else(disagreement) else None


def _sections_of_components(disagreement: Disagreement) -> frozenset[str]:
    """Return the sections of the RFC on the authority and on each component."""
    sections = SPECIFICATIONS[disagreement.case.spec].grammar.sections
    return frozenset(sections[name] for name in ("authority", *COMPONENTS) if name in sections)


def _section_on_other_component(disagreement: Disagreement, section: str, section_to_cite: str) -> str | None:
    """Return the section on what differs if the question is from the section on another component, or None.

    `section` is the one on the component, and `section_to_cite` may be the one on the authority instead. A
    section above that of the component is on where the component ends, but not on what it contains.
    """
    case = disagreement.case
    component = disagreement.component
    is_above = section.startswith(f"{case.section}.")
    if is_above and _manner(disagreement) in _MANNERS_OF_CHARACTERS:
        return section_to_cite
    is_below = case.section.startswith(section) and component != "authority"
    if is_above or section == case.section or is_below:
        return None
    is_resolution = bool(_steps_of_resolution(disagreement)) and component in COMPONENTS
    return _section_on_step_of_resolution(disagreement) if is_resolution else section_to_cite


def _section_on_refusal(disagreement: Disagreement, excuses: Sequence[Excuse]) -> str | None:
    """Return the section on what the RFC refuses, or on the component that a library refuses, if it is known.

    Return None if the question is from that section, or from one on no component and no resolution.
    """
    case = disagreement.case
    right, wrong = _answers_of_sides(disagreement)
    if not right.accepts:
        return _section_on_refused_character(disagreement)
    if wrong.kind != "rejected":
        return None
    sections = SPECIFICATIONS[case.spec].grammar.sections
    if _is_on_whole_grammar(disagreement):
        component = _COMPONENT_OF_WHOLE_TEXTS.get(disagreement.entry or "")
        return None if component is None else sections.get(component)
    is_on_resolution = case.section in _sections_of_resolution(disagreement)
    if not is_on_resolution and case.section not in _sections_of_components(disagreement):
        return None
    section = sections.get(_refused_component(disagreement, excuses) or "")
    if section is not None:
        return None if section.startswith(case.section) else section
    steps = _steps_of_resolution(disagreement)
    if is_on_resolution and case.section not in steps.values():
        return steps["target"]  # the question is from the section on the whole resolution
    return None


def _is_on_whole_grammar(disagreement: Disagreement) -> bool:
    """Return True if the question is from a section on all rules, which says nothing of what is wrong."""
    spec = facts(disagreement.case.spec)
    return spec.generic and not spec.iris and disagreement.case.section in _SECTIONS_ON_GRAMMAR


def _section_on_refused_character(disagreement: Disagreement) -> str | None:
    """Return the section on the first character that the RFC refuses, if the question is on all rules.

    So it is if the question is whether a text with what surrounds URLs is a URL itself. The section is that
    on the characters if no rule has this one, or else that on the component that it is in.
    """
    vector = disagreement.case.vector
    if not (_is_on_whole_grammar(disagreement) or _is_on_running_text(disagreement)):
        return None
    problem = _problem(disagreement)
    if problem is None:
        return None
    if re.search("%[0-9A-Fa-f]?$", problem.text[: problem.position]) is not None:
        return _SECTION_ON_TRIPLETS
    if _NOT_IN_URLS.match(problem.text, problem.position) is not None:
        return _SECTION_ON_CHARACTERS
    specification = SPECIFICATIONS[disagreement.case.spec]
    needs_scheme = vector.rule not in (None, facts(disagreement.case.spec).default_rule)
    component = _component_at(problem.text, problem.position, needs_scheme=needs_scheme)
    return specification.grammar.sections.get(component or "")


def _problem(disagreement: Disagreement) -> InvalidURL | None:
    """Return why the RFC refuses the text of a question, or None if it does not, or if there is no text."""
    vector = disagreement.case.vector
    if not isinstance(vector.url, str):
        return None
    return SPECIFICATIONS[disagreement.case.spec].problem(vector.url, vector.rule)


def _rulings_on_blanks(disagreement: Disagreement) -> Iterator[str]:
    """Yield the ruling, at most one, on the first character that the RFC refuses, if it is white space."""
    problem = _problem(disagreement)
    if problem is None or not problem.text[problem.position : problem.position + 1].isspace():
        return
    is_at_end = problem.position == 0 or problem.text[problem.position :].isspace()
    yield _RULING_ON_SURROUNDING_BLANKS if is_at_end else _RULING_ON_BLANKS


def _is_on_running_text(disagreement: Disagreement) -> bool:
    """Return True if a question on one text is from the section on URLs in running text (RFC 3986, C)."""
    case = disagreement.case
    spec = facts(case.spec)
    is_on_one_text = case.vector.op in ("validate", "parse")
    return spec.generic and not spec.iris and is_on_one_text and case.section == spec.sections.get("extract")


def _component_at(text: str, position: int, *, needs_scheme: bool) -> str | None:
    """Return the component to which a refused character of a text belongs, or None at the end of the text.

    What should be a scheme is one if the text `needs_scheme`, and otherwise the first segment of a path.
    """
    parts = split_generic(text)
    end_of_scheme = 0 if parts.scheme is None else len(f"{parts.scheme}:")
    if position < end_of_scheme or (needs_scheme and parts.scheme is None):
        return "scheme" if needs_scheme else "path"
    authority = parts.authority
    if authority:
        begin = _begin_of_authority(parts)
        end = begin + len(authority)
        if position == end:  # it ends too early
            is_in_brackets = authority.rfind("[") > authority.rfind("]")
            return "host" if is_in_brackets else "authority"
        if begin <= position < end:
            after_host = "host" if text[position] in "[]" else "port"
            return _component_of_authority_at(text, position) or after_host
    if position == len(text):
        return None
    before = text[:position]
    if "#" in before:
        return "fragment"
    return "query" if "?" in before else "path"


def _begin_of_authority(parts: Parts) -> int:
    """Return the index at which the authority of a text begins, after the scheme and two slashes."""
    before = "//" if parts.scheme is None else f"{parts.scheme}://"
    return len(before)


def _refused_component(disagreement: Disagreement, excuses: Sequence[Excuse]) -> str | None:
    """Return the userinfo, the host or the port if that is what a library refuses in a valid text, or None.

    It is the component of the class, or else the one in which all other RFCs refuse the text that do so.
    """
    component = component_of_class(disagreement.entry)
    if component in AUTHORITY:
        return component
    vector = disagreement.case.vector
    texts = [text for text in (vector.url, vector.reference, vector.base) if isinstance(text, str)]
    components: set[str | None] = set()
    for excuse in excuses:
        for text in texts:
            problem = SPECIFICATIONS[excuse.spec].problem(text)
            if problem is not None:
                components.add(_component_of_authority_at(problem.text, problem.position))
    return components.pop() if len(components) == 1 else None


def _component_of_authority_at(text: str, position: int) -> str | None:
    """Return the userinfo or the host if the character at a position of a text belongs to it, or None."""
    parts = split_generic(text)
    authority = parts.authority
    if authority is None:
        return None
    offset = position - _begin_of_authority(parts)
    if not 0 <= offset < len(authority):
        return None
    if "@" in authority[offset:]:
        return "userinfo"
    # of an abbreviated text, the host may not be known
    host = parts_of(Answer("url", text=f"//{authority}")).get("host") or ""
    begin_of_host = authority.rfind("@") + 1
    end_of_host = begin_of_host + len(host)
    return "host" if offset < end_of_host else None


def _steps_of_resolution(disagreement: Disagreement) -> Mapping[str, str]:
    """Return the sections on the steps of a resolution, if the question is one and its RFC has them."""
    case = disagreement.case
    return facts(case.spec).step_sections if case.vector.op == "resolve" else {}


def _sections_of_resolution(disagreement: Disagreement) -> frozenset[str]:
    """Return the sections on a resolution as a whole and on its steps, if the question is one."""
    steps = _steps_of_resolution(disagreement)
    if not steps:
        return frozenset()
    return frozenset((facts(disagreement.case.spec).sections["resolve"], *steps.values()))


def _is_on_preparation(disagreement: Disagreement) -> bool:
    """Return True if a resolution is from a section on what precedes its steps (RFC 3986, 5.2.1)."""
    if not _steps_of_resolution(disagreement):
        return False
    whole = facts(disagreement.case.spec).sections["resolve"]
    is_below = disagreement.case.section.startswith(f"{whole}.")
    return is_below and disagreement.case.section not in _sections_of_resolution(disagreement)


def _is_by_step_from_base(disagreement: Disagreement) -> bool:
    """Return True if a resolution is from the section on bases, and what differs is made by its steps.

    A base gives no fragment by its own section (RFC 3986, 5.1). The other components come from the steps.
    """
    is_on_base = disagreement.case.section == facts(disagreement.case.spec).sections.get("base")
    is_by_step = disagreement.component in COMPONENTS and disagreement.component != "fragment"
    return bool(_steps_of_resolution(disagreement)) and is_on_base and is_by_step


def _section_on_comparison(disagreement: Disagreement) -> str | None:
    """Return the section by which an empty component is no absent one, if that is what differs, or None."""
    if disagreement.entry != _EMPTY_COMPONENT:
        return None
    return facts(disagreement.case.spec).mode_sections.get("scheme")


def _section_on_step_of_resolution(disagreement: Disagreement) -> str | None:
    """Return the section on the step that gives another result, or None if the question is from that section.

    A host that comes from nowhere, or is lost, is an authority that the target does not have by its first
    step, unless the right path reads as an authority.
    """
    own_section = disagreement.case.section
    component = disagreement.component
    steps = _steps_of_resolution(disagreement)
    if component == OTHER and own_section == steps["dots"]:
        # the answers are abbreviated, and dots in a query are data
        return None if _has_dots_to_remove(disagreement) else steps["target"]
    if component not in COMPONENTS:
        return None
    if component != "path" and _reads_path_as_authority(disagreement):
        return None
    section = _section_on_step_of_path(disagreement) if component == "path" else steps["target"]
    return None if section == own_section else section


def _section_on_step_of_path(disagreement: Disagreement) -> str:
    """Return the section on the step by which the path of a target differs.

    If the answer does not show which, it is that of the question, if this is about one.
    """
    steps = _steps_of_resolution(disagreement)
    own_section = disagreement.case.section
    manner = _manner(disagreement)
    is_on_empty_segment = manner is Manner.SEGMENTS or disagreement.entry == _EMPTY_SEGMENT
    if is_on_empty_segment and not _has_dots_to_remove(disagreement):
        return steps["merge"] if _is_merged(disagreement) else steps["target"]
    if manner in _MANNERS_OF_DOTS or disagreement.entry in _CLASSES_OF_DOTS:
        return steps["dots"]
    if manner in _MANNERS_OF_CHARACTERS:
        return steps["target"]
    if _is_merged_otherwise(disagreement):
        return steps["merge"]
    if own_section in (steps["merge"], steps["dots"]):
        return own_section
    return steps["dots"] if _has_dots_to_remove(disagreement) else steps["target"]


def _is_merged(disagreement: Disagreement) -> bool:
    """Return True if the path of a target is merged from those of the base and the reference."""
    reference = disagreement.case.vector.reference
    if not isinstance(reference, str):
        return False
    parts = split_generic(reference)
    return parts.scheme is None and parts.authority is None and bool(parts.path) and not parts.absolute


def _has_dots_to_remove(disagreement: Disagreement) -> bool:
    """Return True if there are dot segments in the path that a resolution makes."""
    vector = disagreement.case.vector
    if not isinstance(vector.base, str) or not isinstance(vector.reference, str):
        return False
    reference = split_generic(vector.reference)
    is_merged = not reference.absolute and reference.path != ""
    return reference.dotted or (is_merged and split_generic(vector.base).dotted)


def _is_merged_otherwise(disagreement: Disagreement) -> bool:
    """Return True if a wrong path is what another merge of reference and base gives (RFC 3986, 5.2.3)."""
    vector = disagreement.case.vector
    if not isinstance(vector.base, str) or not isinstance(vector.reference, str):
        return False
    reference = split_generic(vector.reference)
    base = split_generic(vector.base)
    if reference.absolute or not reference.path or reference.dotted or base.dotted:
        return False
    _, wrong = _parts_of_sides(disagreement)
    other_merges = (
        reference.path,
        f"/{reference.path}",
        f"{base.path}{reference.path}",
        f"{base.path}/{reference.path}",
    )
    return wrong.get("path") in other_merges


def _reads_path_as_authority(disagreement: Disagreement) -> bool:
    """Return True if the right path begins with two slashes that a text without an authority cannot show."""
    right, _ = _parts_of_sides(disagreement)
    begins_with_slashes = re.match("(/[.])?//", right.get("path") or "") is not None
    return right.get("host") is None and begins_with_slashes


def _has_new_scheme(disagreement: Disagreement) -> bool:
    """Return True if the wrong answer has a scheme, and the text has none."""
    right, wrong = _parts_of_sides(disagreement)
    return right.get("scheme") is None and wrong.get("scheme") is not None


def _has_lost_authority(disagreement: Disagreement) -> bool:
    """Return True if the wrong answer has no authority at all, although the right one has a host."""
    right, wrong = _parts_of_sides(disagreement)
    names = ("authority", *AUTHORITY)
    return right.get("host") is not None and all(wrong.get(name) is None for name in names)


def _has_new_beginning(disagreement: Disagreement) -> bool:
    """Return True if the beginning of a path has become a scheme or a host, which the right answer has not.

    Then what is wrong is the path, although another component differs.
    """
    component = disagreement.component
    if disagreement.case.vector.op not in ("normalize", "resolve") or component not in ("scheme", "host"):
        return False
    right, wrong = _parts_of_sides(disagreement)
    return right.get(component) is None and wrong.get(component) is not None


def _section_on_other_step(disagreement: Disagreement, section: str) -> str | None:
    """Return the section on what differs after a normalization: that of a step, or that on the component.

    Return None if the question is about the step.
    """
    own_section = disagreement.case.section
    manner = _manner(disagreement)
    if manner is Manner.TRIPLETS and _encodes_reserved_character(disagreement):
        return _SECTION_ON_RESERVED_CHARACTERS  # the steps are on triplets that the text has
    is_about_delimiter = disagreement.entry == _ENCODED_DELIMITER
    is_of_step = _is_on_component(own_section, disagreement) and manner in _MANNERS_OF_STEPS[own_section]
    if is_of_step and not is_about_delimiter:
        return None
    step = _STEP_OF_MANNER.get(manner, section)
    if is_about_delimiter and manner is not Manner.CASE:
        step = _STEP_OF_MANNER[Manner.TRIPLETS]  # the decoded delimiter is what makes another path
    return step if _is_on_component(step, disagreement) else section


def _is_on_component(step: str, disagreement: Disagreement) -> bool:
    """Return True if the section on a step of a normalization is about the component that differs."""
    return _COMPONENT_OF_STEPS.get(step) in (None, disagreement.component)


def _encodes_reserved_character(disagreement: Disagreement) -> bool:
    """Return True if the wrong answer has triplets of reserved characters in place of the characters."""
    right, wrong = _parts_of_sides(disagreement)
    component = disagreement.component
    right_text = right.get(component) or ""
    wrong_text = wrong.get(component) or ""
    changed = compare_texts(component, right_text, wrong_text).changed
    has_more_triplets = len(TRIPLET.findall(wrong_text)) > len(TRIPLET.findall(right_text))
    return has_more_triplets and not changed.isdisjoint(RESERVED)


def _is_about_something_else(disagreement: Disagreement) -> bool:
    """Return True if a section on no single component is nevertheless not on what differs."""
    own_section = disagreement.case.section
    spec = facts(disagreement.case.spec)
    if disagreement.case.vector.op not in ("parse", "normalize"):
        return False
    if own_section == _SECTION_ON_COMPONENTS:
        return True
    if own_section == _SECTION_ON_RARE_ADDRESSES:
        return disagreement.component != "host"
    if own_section in _SECTIONS_ON_DECODING and not spec.iris:
        return _manner(disagreement) is not Manner.TRIPLETS
    is_on_characters = own_section.startswith(_CHARACTERS) and spec.generic
    return is_on_characters and _manner(disagreement) not in _MANNERS_OF_CHARACTERS


def _manner(disagreement: Disagreement) -> Manner:
    """Return the manner in which the right and the wrong value of the component differ."""
    right, wrong = _parts_of_sides(disagreement)
    component = disagreement.component
    return compare_texts(component, right.get(component), wrong.get(component)).manner


def _answers_of_sides(disagreement: Disagreement) -> tuple[Answer, Answer]:
    """Return the right answer and the wrong one."""
    (contrast, *_) = disagreement.contrasts
    return disagreement.sides[contrast.first].answer, disagreement.sides[contrast.second].answer


def _parts_of_sides(disagreement: Disagreement) -> tuple[ComponentTexts, ComponentTexts]:
    """Return the components of the right answer and those of the wrong one."""
    right, wrong = _answers_of_sides(disagreement)
    return parts_of(right), parts_of(wrong)
