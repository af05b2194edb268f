"""Why a text is valid or not: its derivation, the nearest valid text, the steps of a resolution."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from urloracle.automata.dfa import SINK, Automaton
from urloracle.derivation import Derivation, derivation
from urloracle.errors import InvalidURL
from urloracle.rfc.resolution import Step
from urloracle.rfcs import specification
from urloracle.specification import Profile, Specification, Unsupported

LONGEST = 2048  # derivations and steps grow faster than the text
_LONGEST_REPAIR = 4096  # the search for a repair takes time proportional to states times characters


class Repair(NamedTuple):
    """A valid text, and the edit that leads to it: its kind, its offset and the character."""

    text: str
    edit: Literal["insert", "replace", "delete"]
    offset: int
    character: str


@dataclass(frozen=True)
class Explanation:
    """What an RFC says about a text under one rule.

    A valid text has `derivation`, the tree of rules, and, if the rule is for whole URLs, `components` under
    the RFC's names.  An invalid text has `problem`, and `nearest`, a valid text one edit away, or None.
    If a base was given, `steps` lists the steps of the resolution, and `problem` can be an error of the base.
    Texts of more than 2048 characters have neither derivation nor steps.
    """

    text: str
    spec: str
    rule: str
    problem: InvalidURL | None = None
    nearest: Repair | None = None
    components: dict[str, Any] | None = None
    derivation: Derivation | None = None
    steps: tuple[Step, ...] = ()

    @property
    def valid(self) -> bool:
        """True if the rule derives the text and it resolves against the base."""
        return self.problem is None


def explain(
    text: str,
    spec: str | Specification,
    rule: str | None = None,
    profile: Profile | None = None,
    *,
    base: str | None = None,
) -> Explanation:
    """Explain a text: return the tree of rules that derives it, or the reason why it is invalid.

    If a base is given, the text is a reference, and the answer lists the steps of its resolution.  The error
    of an invalid text or base is not raised but returned as `problem`.  Raises UnknownSpecification and
    UnknownRule, and Unsupported for a base under RFC 1738.

    >>> found = explain("http://user@a/", "rfc1738")
    >>> found.problem.position, found.problem.section, found.nearest.text
    (11, '3.3', 'http://usera/')
    >>> [child.rule for child in explain("//a/b", "rfc3986").derivation.children]
    ['relative-ref']
    >>> explain("../g", "rfc3986", base="http://a/b/c").steps[-1].value
    'http://a/g'
    """
    chosen = specification(spec)
    asked = chosen.grammar.canonical_name(rule or chosen.default_rule)
    problem = chosen.problem(text, rule, profile)
    if problem is not None:
        return Explanation(text, chosen.id, asked, problem, _repair(chosen, problem, profile))
    try:
        components = chosen.asdict(chosen.parse(text, rule, profile))
    except Unsupported:
        components = None
    tree = derive(text, chosen, rule, profile) if len(text) <= LONGEST else None
    found = Explanation(text, chosen.id, asked, None, None, components, tree)
    if base is None:
        return found
    try:
        if len(base) + len(text) > LONGEST:
            chosen.resolve(base, text)  # raises if the base is invalid
            return found
        return replace(found, steps=tuple(resolution_steps(base, text, chosen)))
    except InvalidURL as invalid_base:
        return replace(found, problem=invalid_base)


def derive(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Derivation:
    """Return the derivation of a valid text; raise InvalidURL."""
    chosen = specification(spec)
    problem = chosen.problem(text, rule, profile)
    if problem is not None:
        raise problem
    language = chosen.language(chosen.judging_rule(text, rule, profile), profile)
    tree = derivation(language.grammar, language.rule, text)
    assert tree is not None  # the rule accepts the text
    return tree


def resolution_steps(base: str, reference: str, spec: str | Specification) -> list[Step]:
    """Return the steps of a resolution; the last value is the target.  Raises the same as `resolve`."""
    steps: list[Step] = []
    specification(spec).resolve(base, reference, lambda *step: steps.append(Step(*step)))
    return steps


def nearest_valid(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Repair | None:
    """Return a valid text with one edit as near to the error as possible; None for a valid text."""
    chosen = specification(spec)
    problem = chosen.problem(text, rule, profile)
    return None if problem is None else _repair(chosen, problem, profile)


def _repair(spec: Specification, problem: InvalidURL, profile: Profile | None) -> Repair | None:
    # an edit after the error cannot help, so try the offsets from the error backwards; at each offset delete
    # a character, then replace it, then insert one (the first in ASCII order that makes the text valid)
    text, automaton = problem.text, spec.automaton(problem.rule, profile)
    if len(text) > _LONGEST_REPAIR:
        return None
    accepted = _accepting_suffixes(automaton, text)
    states = [automaton.start]
    for char in text[: problem.position]:
        states.append(automaton.table[states[-1]][automaton.classes[char]])
    for offset, state in reversed(list(enumerate(states))):
        before, after = text[:offset], text[offset + 1 :]
        if offset < len(text):
            if state in accepted[offset + 1]:
                return Repair(before + after, "delete", offset, text[offset])
            found = _joining(automaton, state, accepted[offset + 1])
            if found is not None:
                return Repair(before + found + after, "replace", offset, found)
        found = _joining(automaton, state, accepted[offset])
        if found is not None:
            return Repair(before + found + text[offset:], "insert", offset, found)
    return None


def _joining(automaton: Automaton, state: int, wanted: frozenset[int]) -> str | None:
    row = automaton.table[state]
    fitting = (char for char, kind in automaton.classes.items() if row[kind] in wanted)
    return min(fitting, default=None)


def _accepting_suffixes(automaton: Automaton, text: str) -> list[frozenset[int]]:
    """For each offset, return the states from which the rest of the text is accepted."""
    found = [frozenset(automaton.accepting)]
    for char in reversed(text):
        kind, wanted = automaton.classes.get(char, -1), found[-1] - {SINK}
        rows = enumerate(automaton.table if kind >= 0 and wanted else ())
        found.append(frozenset(state for state, row in rows if row[kind] in wanted))
    return found[::-1]
