"""Why a text is valid or not: its derivation, what would mend it, and each step of a resolution."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from urloracle.derivation import Derivation, derivation
from urloracle.errors import InvalidURL
from urloracle.repair import Repair
from urloracle.repair import nearest as find_nearest
from urloracle.specification import Profile, Specification, Unsupported
from urloracle.specifications import specification
from urloracle.steps import Step

# derivations and steps are for readers, and grow faster than a text; longer ones are left out
LONGEST = 2048


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
        return Explanation(text, chosen.id, asked, problem, nearest(text, chosen, rule, profile))
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


def nearest(
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
    return find_nearest(chosen.automaton(problem.rule, profile), text, problem.position)


def resolution_steps(base: str, reference: str, spec: str | Specification) -> list[Step]:
    """Each step of the RFC's algorithm and what it did; the last one holds the target of `resolve`.

    Raises what `resolve` raises.
    """
    chosen = specification(spec)
    chosen.resolve(base, reference)
    assert chosen.tracer is not None  # it goes with the resolver
    return list(chosen.tracer(chosen, base, reference))
