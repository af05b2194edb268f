"""The pattern of a rule in a flavour, with what its user has to know: its length, its cost, its groups."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from urlharness.patterns.ambiguity import divided_text, growth
from urlharness.patterns.flavours import FLAVOURS, CannotSay, Flavour, FlavourName
from urlharness.patterns.writing import PatternWriter, tidy
from urlharness.text import plain
from urloracle.automata.dfa import determinize, difference
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Expression
from urloracle.regex.pattern import pattern
from urloracle.regex.rewriting import simplify, without_subsumed
from urloracle.rfc.captures import SPLITTINGS, capture_components
from urloracle.specification import Specification

#: How long a matcher that backtracks can take, by the growth of the number of ways (see `ambiguity`).
_COSTS: Mapping[float, str] = {
    0: "backtracking, unambiguous, measured on ten hostile families to 1 MB",
    1: "may be quadratic",
    2: "may be cubic",
    math.inf: "may be exponential",
}


#: For so many rules the expressions are kept, since one rule is often asked for in several flavours.
_MOST_REMEMBERED = 16


class ExportedPattern(NamedTuple):
    """The pattern of a rule in a flavour.

    `complexity` says how its time grows with the length of the text. `groups` maps each component to the
    names of its groups, or to their numbers if the flavour has no names; of several groups at most one
    matches. `rule` is the name that the RFC prints, `section` defines it, and `use` says how to match.
    """

    pattern: str
    flavour: FlavourName
    length: int
    complexity: str
    groups: Mapping[str, list[str]]
    spec: str
    rule: str
    section: str
    use: str


def export_pattern(
    spec: Specification, rule: str, flavour_name: FlavourName, *, with_groups: bool = False
) -> ExportedPattern:
    """Return the shortest pattern of a rule that we can write, among those with the lowest cost.

    It matches the texts that the rule derives by the grammar alone (profile `generic`). Raise UnknownRule if
    there is no such rule, and CannotSay if the flavour cannot say it, or if the groups are not decided.
    """
    flavour = FLAVOURS[flavour_name]
    name = spec.grammar.canonical_name(rule)
    if with_groups and not flavour.has_groups:
        raise CannotSay(f"{flavour.title} has no use for groups")
    shapes = _captured_shapes(spec, name) if with_groups else _shapes(spec, name)
    exponent = min(shapes.values())
    cheap = [shape for shape, exponent_of_shape in shapes.items() if exponent_of_shape == exponent]
    written, writer = min((_write(shape, flavour) for shape in cheap), key=lambda pair: len(pair[0]))
    return ExportedPattern(
        pattern=written,
        flavour=flavour_name,
        length=len(written),
        complexity=_complexity(writer, exponent),
        groups=writer.groups,
        spec=spec.id,
        rule=name,
        section=spec.grammar.section(name),
        use=flavour.use,
    )


@lru_cache(maxsize=_MOST_REMEMBERED)
def _shapes(spec: Specification, rule: str) -> Mapping[Expression, float]:
    """Return two expressions of a rule, with the `growth` of each."""
    return _with_growth(pattern(spec.grammar, rule).expression)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _captured_shapes(spec: Specification, rule: str) -> Mapping[Expression, float]:
    """Return two expressions of a rule with its captures, with the `growth` of each. Raise CannotSay."""
    return _with_growth(_with_captures(spec, rule))


def _with_growth(expression: Expression) -> Mapping[Expression, float]:
    """Return an expression as the RFC writes it, and one with fewer choices, with the `growth` of each."""
    shapes = (tidy(expression), tidy(simplify(expression)))
    return {shape: growth(shape) for shape in dict.fromkeys(shapes)}


def _write(expression: Expression, flavour: Flavour) -> tuple[str, PatternWriter]:
    """Return an expression as a pattern, and its writer."""
    writer = PatternWriter(flavour)
    return writer.write(expression), writer


def _complexity(writer: PatternWriter, exponent: float) -> str:
    """Return how the time of a pattern grows if the number of ways grows with this exponent."""
    if not writer.flavour.backtracks:
        return "linear"
    if exponent == 0 and writer.fills_stack:
        return "backtracking, unambiguous, a frame of the stack for each repetition of a group"
    return _COSTS.get(exponent, f"may grow with the power {exponent + 1} of the length")


def _with_captures(spec: Specification, rule: str) -> Expression:
    """Return the expression of a rule with a capture of each component.

    Raise CannotSay if the rule has no components, if its components follow from the prose of the RFC, or if a
    text of the rule has different components by two derivations.
    """
    title = f"{spec.title}, {rule}"
    splitting = SPLITTINGS[spec.id].components
    like = rule if rule in splitting else spec.default_rule
    if like not in splitting or (like != rule and rule.lower() not in spec.whole):
        raise CannotSay(f"{title}: the rule has no components")
    _, expression = capture_components(spec.id, rule, spec.grammar, like=like)
    captured, _ = determinize(position_automaton(spec.grammar, expression))
    published = spec.languages[rule].automaton
    for text in (
        difference(captured, published).shortest_member(),
        difference(published, captured).shortest_member(),
    ):
        if text is not None:
            raise CannotSay(f"{title}: the RFC divides <{plain(text)}> by its prose, not by its grammar")
    text = divided_text(expression)
    if text is not None:
        raise CannotSay(f"{title}: the grammar divides <{plain(text)}> in two ways, so no group is right")
    return without_subsumed(spec.grammar, expression)
