"""Explanations of verdicts: the derivation, the nearest valid text, the steps of a resolution."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from urloracle.derivation import Derivation, derivation
from urloracle.errors import InvalidURL
from urloracle.nearest import Repair, find_repair
from urloracle.rfc.resolution import Step
from urloracle.rfcs import specification
from urloracle.specification import Profile, Specification, Unsupported

MAX_EXPLAINED_LENGTH = 2048  # steps grow faster than the text, and a derivation has a node for each character


@dataclass(frozen=True)
class Explanation:
    """The verdict of an RFC on a text under one rule, with an explanation.

    If the text is valid, `derivation` is the tree of rules.  If the rule is also one for whole URLs,
    `components` maps the RFC's names to the components.  If the text is invalid, `problem` is the error, and
    `nearest` is the valid text that was probably meant, or None if none was found.

    If a base was given, `steps` lists the steps of the resolution, and `problem` can be an error of the base.
    A text of more than 2048 characters has no derivation.  There are no steps if base and text together have
    more than 2048 characters.
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
        """True if the rule derives the text and, if a base was given, the resolution succeeds."""
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
    of an invalid text or base is not raised but returned as `problem`.  Raise UnknownSpecification or
    UnknownRule if there is no such RFC or rule, and Unsupported if a base is given for RFC 1738.

    >>> explanation = explain("http://u@a/", "rfc1738")
    >>> explanation.problem.position, explanation.problem.section, explanation.nearest.text
    (8, '3.3', 'http://a/')
    >>> [child.rule for child in explain("//a/b", "rfc3986").derivation.children]
    ['relative-ref']
    >>> explain("../g", "rfc3986", base="http://a/b/c").steps[-1].value
    'http://a/g'
    """
    rfc = specification(spec)
    asked_rule = rfc.grammar.canonical_name(rule or rfc.default_rule)
    problem = rfc.problem(text, rule, profile)
    if problem is not None:
        nearest = find_repair(problem, rfc.automaton(problem.rule, profile))
        return Explanation(text, rfc.id, asked_rule, problem=problem, nearest=nearest)
    try:
        components = rfc.asdict(rfc.parse(text, rule, profile))
    except Unsupported:
        components = None
    tree = derive(text, rfc, rule, profile) if len(text) <= MAX_EXPLAINED_LENGTH else None
    explanation = Explanation(text, rfc.id, asked_rule, components=components, derivation=tree)
    return explanation if base is None else _with_resolution(explanation, base, rfc)


def _with_resolution(explanation: Explanation, base: str, rfc: Specification) -> Explanation:
    """Return the explanation of a reference with the steps of its resolution, or with the error of the base.

    There are no steps if base and reference together are too long.
    """
    reference = explanation.text
    try:
        if len(base) + len(reference) > MAX_EXPLAINED_LENGTH:
            rfc.resolve(base, reference)  # raises if the base is invalid
            return explanation
        return replace(explanation, steps=tuple(resolution_steps(base, reference, rfc)))
    except InvalidURL as invalid_base:
        return replace(explanation, problem=invalid_base)


def derive(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Derivation:
    """Return the derivation of a valid text.  Raise InvalidURL if the text is invalid."""
    rfc = specification(spec)
    problem = rfc.problem(text, rule, profile)
    if problem is not None:
        raise problem
    language = rfc.language(rfc.judging_rule(text, rule, profile), profile)
    tree = derivation(language.grammar, language.rule, text)
    assert tree is not None  # the rule accepts the text
    return tree


def resolution_steps(base: str, reference: str, spec: str | Specification) -> list[Step]:
    """Return the steps of a resolution.  The result of the last step is the target.

    Raise the same errors as `resolve`.
    """
    steps: list[Step] = []
    specification(spec).resolve(base, reference, steps.append)
    return steps


def nearest_valid(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Repair | None:
    """Return a valid text that was probably meant.

    It differs from the text only by escapes, by slashes in place of backslashes, by white space around it,
    and within three characters of the error, and browsers see the same host in both.  Return None if the text
    is valid or very long, or if no such text was found.

    >>> nearest_valid("http://h/a b", "rfc3986").text
    'http://h/a%20b'
    """
    rfc = specification(spec)
    problem = rfc.problem(text, rule, profile)
    return None if problem is None else find_repair(problem, rfc.automaton(problem.rule, profile))
