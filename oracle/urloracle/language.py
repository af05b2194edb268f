"""The language of one rule: verdicts, offsets, and what could have stood at an offset."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from urloracle.automaton import Automaton, Prefix, determinize, minimize
from urloracle.expression import Reference
from urloracle.grammar import Grammar
from urloracle.pattern import Pattern, pattern
from urloracle.positions import Position, PositionAutomaton, members, position_automaton

# a pattern is quicker than the automaton to ask and slower to make: it pays from about so many texts on
_MANY = 100


class Language:
    """One rule of a grammar, compiled when it is first asked."""

    def __init__(self, grammar: Grammar, rule: str) -> None:
        self.grammar = grammar
        self.rule = rule
        self._asked = 0

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

    def viable(self, text: str) -> Prefix:
        """The longest prefix of the text that some member begins with."""
        return self.automaton.longest_viable_prefix(text)

    def allowed(self, prefix: str) -> frozenset[str]:
        """The characters with which some member continues a viable prefix."""
        return self.automaton.allowed(self.automaton.longest_viable_prefix(prefix).state)

    def open_rules(self, prefix: str) -> tuple[str, ...]:
        """The rules inside which a viable prefix may continue, outermost first."""
        depth: dict[str, int] = {}
        for position in self._continuations(prefix):
            for level, name in enumerate(position.stack + position.folded):
                depth[name] = min(level, depth.get(name, level))
        return tuple(sorted(depth, key=lambda name: depth[name]))

    def innermost_rule(self, prefix: str) -> str:
        """The innermost rule in which every continuation of a viable prefix lies."""
        common = self.rule
        for level in zip(*(position.stack for position in self._continuations(prefix)), strict=False):
            if len(set(level)) > 1:
                break
            common = level[0]
        return common

    def _continuations(self, prefix: str) -> list[Position]:
        automaton, candidates = self._subsets
        state = automaton.longest_viable_prefix(prefix).state
        return [self._positions.positions[number] for number in members(candidates[state])]

    @cached_property
    def _positions(self) -> PositionAutomaton:
        return position_automaton(self.grammar, Reference(self.rule))

    @cached_property
    def _subsets(self) -> tuple[Automaton, tuple[int, ...]]:
        fold = self.rule.lower() in self.grammar.fold_scheme
        return determinize(self._positions, fold_scheme=fold)


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
