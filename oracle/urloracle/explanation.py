"""Derivation, nearest valid text, steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from urloracle.automata.dfa import SINK, Automaton
from urloracle.derivation import Derivation, derivation
from urloracle.errors import InvalidURL
from urloracle.rfc.steps import Step
from urloracle.rfcs import specification
from urloracle.specification import Profile, Specification, Unsupported

# -------------------- repair: The nearest valid text: one edit away from an invalid one, where there is such a text.


# the walk backwards costs states times characters; longer texts are not worth the wait
_LONGEST = 4096


class Repair(NamedTuple):
    """A valid text, and the edit that leads to it: what is done at which offset, with which character."""

    text: str
    edit: Literal["insert", "replace", "delete"]
    offset: int
    character: str


def nearest(automaton: Automaton, text: str, position: int) -> Repair | None:
    """A member one edit away from a text that goes wrong at the position; None if there is none.

    Nothing behind the position can help, so the offsets are tried from there to the beginning: at each a
    character deleted, then replaced, then inserted, the first in ASCII order.
    """
    if len(text) > _LONGEST:
        return None
    accepted = _accepting_suffixes(automaton, text)
    states = _states(automaton, text, position)
    for offset in range(position, -1, -1):
        state = states[offset]
        if offset < len(text):
            if state in accepted[offset + 1]:
                return Repair(text[:offset] + text[offset + 1 :], "delete", offset, text[offset])
            found = _joining(automaton, state, accepted[offset + 1])
            if found is not None:
                return Repair(text[:offset] + found + text[offset + 1 :], "replace", offset, found)
        found = _joining(automaton, state, accepted[offset])
        if found is not None:
            return Repair(text[:offset] + found + text[offset:], "insert", offset, found)
    return None


def _joining(automaton: Automaton, state: int, wanted: frozenset[int]) -> str | None:
    """The first character that leads from a state into a set of states."""
    row = automaton.table[state]
    fitting = (char for char, kind in automaton.classes.items() if row[kind] in wanted)
    return min(fitting, default=None)


def _states(automaton: Automaton, text: str, position: int) -> list[int]:
    """The state in front of each character up to the position."""
    states = [automaton.start]
    for char in text[:position]:
        states.append(automaton.table[states[-1]][automaton.classes[char]])
    return states


def _accepting_suffixes(automaton: Automaton, text: str) -> list[frozenset[int]]:
    """For each offset the states from which the rest of the text is accepted."""
    found = [frozenset(automaton.accepting)]
    for char in reversed(text):
        kind = automaton.classes.get(char)
        if kind is None or not found[-1]:
            found.append(frozenset())
            continue
        found.append(
            frozenset(
                state
                for state, row in enumerate(automaton.table)
                if row[kind] != SINK and row[kind] in found[-1]
            )
        )
    found.reverse()
    return found


# -------------------- explanation: Why a text is valid or not: its derivation, what would mend it, and each step of a resolution.


# derivations and steps are for readers, and grow faster than a text; longer ones are left out
LONGEST = 2048


def explanation_nearest(
    text: str,
    spec: str | Specification,
    rule: str | None = None,
    profile: Profile | None = None,
) -> Repair | None:
    """A valid text one edit away from an invalid one; None where there is none, or the text is valid.

    The edit is the one nearest to the offset at which the text goes wrong.
    """
    chosen = specification(spec)
    problem = chosen.problem(text, rule, profile)
    if problem is None:
        return None
    return nearest(chosen.automaton(problem.rule, profile), text, problem.position)


@dataclass(frozen=True)
class Explanation:
    """What an RFC says of a text, asked for as a rule.

    A valid text has `derivation`, the tree of rules, and `components` by the RFC's names where the rule is
    one of whole URLs.  An invalid one has `problem`, with offset, expected characters, open rules and
    section, and `nearest`, a valid text one edit away, where there is one.  `steps` are those of the
    resolution where a base was given; then `problem` may be one of the base.  Texts of more than 2048
    characters are judged and split, and have neither derivation nor steps.
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
        """True where the rule derives the text, and the base can take it."""
        return self.problem is None


def explain(
    text: str,
    spec: str | Specification,
    rule: str | None = None,
    profile: Profile | None = None,
    *,
    base: str | None = None,
) -> Explanation:
    """All that is known about a text: the tree of rules that derives it, or why none does.

    With a base, the text is a reference and the steps of its resolution come too.  An invalid text or base
    raises nothing: it is the `problem` of the answer.  Raises UnknownSpecification and UnknownRule, and
    Unsupported for a base under RFC 1738.

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
        return Explanation(text, chosen.id, asked, problem, explanation_nearest(text, chosen, rule, profile))
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
            chosen.resolve(base, text)  # for what it refuses
            return found
        return replace(found, steps=tuple(resolution_steps(base, text, chosen)))
    except InvalidURL as unfit:
        return replace(found, problem=unfit)


def derive(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Derivation:
    """The derivation tree of a valid text by the RFC's rule names; raises InvalidURL."""
    chosen = specification(spec)
    problem = chosen.problem(text, rule, profile)
    if problem is not None:
        raise problem
    language = chosen.language(chosen.judging_rule(text, rule, profile), profile)
    tree = derivation(language.grammar, language.rule, text)
    assert tree is not None  # the rule accepts the text
    return tree


def resolution_steps(base: str, reference: str, spec: str | Specification) -> list[Step]:
    """Each step of the RFC's algorithm and what it did; the last one holds the target of `resolve`.

    Raises what `resolve` raises.
    """
    chosen = specification(spec)
    chosen.resolve(base, reference)
    assert chosen.tracer is not None  # it goes with the resolver
    return list(chosen.tracer(chosen, base, reference))
