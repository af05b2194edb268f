"""The language of one rule: verdicts, offsets, and what could have stood at an offset."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from urloracle.automaton import Automaton, determinize, minimize
from urloracle.expression import Reference
from urloracle.grammar import Grammar
from urloracle.pattern import Pattern, pattern
from urloracle.positions import Position, PositionAutomaton, members, position_automaton

# a pattern is quicker than the automaton to ask and slower to make: it pays from about so many texts on
_MANY = 100


class Continuation(NamedTuple):
    """How members go on behind a prefix that some of them begin with.

    `allowed` are the characters that may come next, `rules` those inside which it may go on, outermost first,
    and `innermost` the innermost rule in which every continuation lies.
    """

    allowed: frozenset[str]
    rules: tuple[str, ...]
    innermost: str


class Language:
    """One rule of a grammar, compiled when it is first asked."""

    def __init__(self, grammar: Grammar, rule: str) -> None:
        self.grammar = grammar
        self.rule = rule
        self._asked = 0
        self._continuations: dict[int, Continuation] = {}

    @cached_property
    def automaton(self) -> Automaton:
        """The minimal automaton of the rule."""
        return minimize(self._subsets[0])

    def accepts(self, text: str) -> bool:
        """True where the rule derives the text."""
        if self._asked < _MANY:
            self._asked += 1
            return self.automaton.accepts(text)
        return self.pattern.regex.fullmatch(text) is not None

    @cached_property
    def pattern(self) -> Pattern:
        """The pattern of the rule; the build proves that it accepts what the automaton accepts."""
        return pattern(self.grammar, self.rule)

    def viable(self, text: str) -> tuple[int, Continuation]:
        """The length of the longest prefix that some member begins with, and what continues it."""
        length, state = self._subsets[0].longest_viable_prefix(text)
        known = self._continuations.get(state)
        if known is None:
            known = self._continuations[state] = self._continuation(state)
        return length, known

    def _continuation(self, state: int) -> Continuation:
        automaton, candidates = self._subsets
        positions = [self._positions.positions[number] for number in members(candidates[state])]
        return Continuation(automaton.allowed(state), _open_rules(positions), self._innermost_rule(positions))

    def _innermost_rule(self, positions: list[Position]) -> str:
        common = self.rule
        for level in zip(*(position.stack for position in positions), strict=False):
            if len(set(level)) > 1:
                break
            common = level[0]
        return common

    @cached_property
    def _positions(self) -> PositionAutomaton:
        return position_automaton(self.grammar, Reference(self.rule))

    @cached_property
    def _subsets(self) -> tuple[Automaton, tuple[int, ...]]:
        fold = self.rule.lower() in self.grammar.fold_scheme
        return determinize(self._positions, fold_scheme=fold)


def _open_rules(positions: list[Position]) -> tuple[str, ...]:
    depth: dict[str, int] = {}
    for position in positions:
        for level, name in enumerate(position.stack + position.folded):
            depth[name] = min(level, depth.get(name, level))
    return tuple(sorted(depth, key=lambda name: depth[name]))


class Languages:
    """The languages and patterns of a grammar, each made once."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._languages: dict[str, Language] = {}
        self._patterns: dict[tuple[str, tuple[str, ...]], Pattern] = {}

    def __getitem__(self, rule: str) -> Language:
        """The language of a rule; raises UnknownRule."""
        known = self._languages.get(rule)
        if known is None:
            name = self.grammar.canonical_name(rule)
            known = self._languages.setdefault(name, Language(self.grammar, name))
            self._languages[rule] = known
        return known

    def pattern(self, rule: str, components: Iterable[str]) -> Pattern:
        """The splitting pattern of a rule, with a group for each component."""
        key = (rule, tuple(components))
        if key not in self._patterns:
            self._patterns[key] = pattern(self.grammar, *key)
        return self._patterns[key]

    def patterns(self) -> list[tuple[str, Pattern]]:
        """The splitting patterns made so far, each with its rule."""
        return [(rule, made) for (rule, _), made in self._patterns.items()]
