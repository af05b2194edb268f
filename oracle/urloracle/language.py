"""The language of a rule, and the relation of two languages.

A language gives verdicts, error offsets and expected characters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix
from types import SimpleNamespace
from typing import Literal, NamedTuple

from urloracle import native
from urloracle.automata.dfa import SINK, Automaton, LazyAutomaton, determinize, difference, minimize, product
from urloracle.automata.positions import Position, PositionAutomaton, members, position_automaton
from urloracle.grammar.alphabet import character_set, span_of
from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar
from urloracle.regex.pattern import Pattern, pattern

# a pattern is faster than the automaton but takes longer to compile: it pays off after this many characters
_MANY_CHARACTERS = 1_000_000

Verdict = Literal["equal", "included", "includes", "overlapping", "disjoint"]


class Continuation(NamedTuple):
    """The characters that can follow a prefix of a text.

    `allowed` contains the possible next characters.  `rules` lists the rules that can contain at least one
    of them, outermost first.  `innermost` is the innermost rule that contains all of them at the same place.
    `cited` is the rule whose section a refusal cites: the innermost rule, core rules not counted, that
    contains each of them at some place.  A path in each of two alternatives, for instance, is at two places.
    """

    allowed: frozenset[str]
    rules: tuple[str, ...]
    innermost: str
    cited: str


class Language:
    """The language of one rule, compiled on first use."""

    def __init__(self, grammar: Grammar, rule: str) -> None:
        self.grammar = grammar
        self.rule = rule
        self._seen: float = 0
        self._continuations: dict[int, Continuation] = {}

    @cached_property
    def automaton(self) -> Automaton:
        """The minimal automaton of the rule."""
        subset_automaton, _ = determinize(self._positions, fold_scheme=self._fold_scheme)
        return minimize(subset_automaton)

    @cached_property
    def accepts(self) -> Callable[[str], bool]:
        """A function that returns True if the rule derives the text."""
        pure = SimpleNamespace(accepts=self._accepts, offset=lambda text: self.viable_prefix(text)[0])
        reader = native.reader(self.grammar, self.rule, pure)
        return self._accepts if reader is None else reader.accepts

    def _accepts(self, text: str) -> bool:
        """Decide with the automaton and, after `_MANY_CHARACTERS`, with the pattern."""
        if self._seen < _MANY_CHARACTERS:
            self._seen += len(text)
            return self._states.accepts(text)
        return self.pattern.regex.fullmatch(text) is not None

    @cached_property
    def pattern(self) -> Pattern:
        """The `re` pattern of the rule.  Tests prove that pattern and automaton accept the same texts."""
        return pattern(self.grammar, self.rule)

    def viable_prefix(self, text: str) -> tuple[int, Continuation]:
        """Return (length, continuation) of the longest prefix of the text that is a prefix of a member."""
        length, state = self._states.longest_viable_prefix(text)
        if state not in self._continuations:
            self._continuations[state] = self._continuation(state)
        return length, self._continuations[state]

    def compile(self) -> None:
        """Compile what verdicts and error offsets need, which otherwise the first text does.

        Verdicts remain those of the automaton, so that no later text needs the pattern.
        """
        self._seen = -math.inf
        self.accepts("")
        self.viable_prefix("")
        self._states.compute()

    def _continuation(self, state: int) -> Continuation:
        """Return what can follow the texts that lead to a state of the subset automaton."""
        numbers = members(self._states.candidates(state))
        positions = [self._positions.positions[number] for number in numbers]
        common = commonprefix([position.stack for position in positions])  # noqa: RUF071 - of tuples
        innermost = common[-1] if common else self.rule
        cited = _innermost_shared_rule(positions, self.grammar.core) or self.rule
        allowed = character_set(self._states.allowed(state))
        return Continuation(allowed, _open_rules(positions), innermost, cited)

    @cached_property
    def _positions(self) -> PositionAutomaton:
        return position_automaton(self.grammar, Reference(self.rule))

    @cached_property
    def _states(self) -> LazyAutomaton:
        """The subset automaton, which decides texts and finds offsets."""
        return LazyAutomaton(self._positions, fold_scheme=self._fold_scheme)

    @property
    def _fold_scheme(self) -> bool:
        """True if letters before the first colon are case-insensitive."""
        return self.rule.lower() in self.grammar.fold_scheme


def _open_rules(positions: list[Position]) -> tuple[str, ...]:
    """Return the rules around the positions, outermost first: each at the least depth at which it stands."""
    depth: dict[str, int] = {}
    for position in positions:
        for level, name in enumerate(position.stack + position.folded):
            depth[name] = min(level, depth.get(name, level))
    return tuple(sorted(depth, key=lambda name: depth[name]))


def _innermost_shared_rule(positions: list[Position], core: frozenset[str]) -> str | None:
    """Return the innermost rule around every position that is no core rule, or None if there is none."""
    if not positions:
        return None
    shared = set(positions[0].stack).intersection(*(position.stack for position in positions[1:]))
    # a grammar without recursion nests two rules in one order only, so each stack has the same innermost one
    for name in reversed(positions[0].stack):
        if name in shared and name.lower() not in core:
            return name
    return None


class Languages:
    """The languages and the `re` patterns of the rules of a grammar.  Each is compiled once."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._languages: dict[str, Language] = {}
        self.patterns: dict[tuple[str, tuple[str, ...]], Pattern] = {}
        #: The patterns that `rfc.captures.split_pattern` has made, by its arguments (rule, whole).
        self.splits: dict[tuple[str, bool], Pattern] = {}

    def __getitem__(self, rule: str) -> Language:
        """Return the language of a rule.  Raise UnknownRule if there is no such rule."""
        language = self._languages.get(rule)
        if language is None:
            name = self.grammar.canonical_name(rule)
            language = self._languages.setdefault(name, Language(self.grammar, name))
            self._languages[rule] = language
        return language

    def pattern(self, rule: str, components: Iterable[str]) -> Pattern:
        """Return the pattern of a rule with a group for each component."""
        key = (rule, tuple(components))
        if key not in self.patterns:
            self.patterns[key] = pattern(self.grammar, *key)
        return self.patterns[key]


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of words of one length: in each of two languages, and in only one of the two."""

    length: int
    left: int
    right: int
    only_left: int
    only_right: int


@dataclass(frozen=True, slots=True)
class Relation:
    """The relation of two languages.

    `only_left`, `only_right` and `both` are shortest words that only the left, only the right, or both of the
    languages contain.  Each is None if there is no such word.
    """

    verdict: Verdict
    only_left: str | None
    only_right: str | None
    both: str | None
    counts: tuple[Counts, ...]


def relate(left: Automaton, right: Automaton, lengths: Sequence[int] = range(9)) -> Relation:
    """Return the exact relation of two languages, with the numbers of their words of each given length."""
    without_right = difference(left, right)
    without_left = difference(right, left)
    common = product(left, right, lambda in_left, in_right: in_left and in_right)
    only_left = without_right.shortest_member()
    only_right = without_left.shortest_member()
    both = common.shortest_member()
    columns = [count_words(automaton, lengths) for automaton in (left, right, without_right, without_left)]
    counts = tuple(map(Counts, lengths, *columns))
    return Relation(_verdict(only_left, only_right, both), only_left, only_right, both, counts)


def count_words(automaton: Automaton, lengths: Sequence[int]) -> list[int]:
    """Return, for each given length, how many words of this length the automaton accepts."""
    sizes = Counter[int]()
    for letter, kind in automaton.classes.items():
        sizes[kind] += span_of(letter).size
    steps = [_counted_targets(row, sizes) for row in automaton.table]
    # ways[state]: how many words of the current length lead from the state to acceptance
    ways = [int(state in automaton.accepting) for state in range(len(steps))]
    counts = []
    for _ in range(max(lengths, default=-1) + 1):
        counts.append(ways[automaton.start])
        ways = [sum(ways[target] * size for target, size in steps_of_state) for steps_of_state in steps]
    return [counts[length] for length in lengths]


def _counted_targets(row: Sequence[int], sizes: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return pairs (next state other than the sink, number of characters that lead to it).

    `row` is that of a state in the table of an automaton, and `sizes` maps its classes to their sizes.
    """
    return [(target, sizes[kind]) for kind, target in enumerate(row) if target != SINK]


def _verdict(only_left: str | None, only_right: str | None, both: str | None) -> Verdict:
    """Return the relation of two languages; the parameters are the fields of `Relation`."""
    if only_left is None:
        return "equal" if only_right is None else "included"
    if only_right is None:
        return "includes"
    return "disjoint" if both is None else "overlapping"
