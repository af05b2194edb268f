"""Ambiguous splits: whether a text of a rule has two divisions into components, and a shortest such text.

The texts of a rule with brackets around their components are a regular language as well.  A split is
ambiguous where two of its words are one text once the brackets are taken away: two walks through its
automaton read one text and pass different brackets.  What the grammars leave open is decided by rulings:

    RFC 1738  R-1738-02 (schemepart or ip-schemepart), R-1738-19 (gopher), R-1738-23 (localhost)
    RFC 1808  R-1808-01, R-1808-02 and section 2.4 (absolute or relative, hierarchy or opaque)
    RFC 2396  R-2396-11 (server or reg_name), R-2396-12 and section 4.3 (authority or path); RFC 2732 likewise
    RFC 3986  none for the components; R-3986-04 and section 3.2.2 for the kinds of a host
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

from urloracle.automata.dfa import SINK, Automaton, determinize, difference, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import ALPHABET, ASCII
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar
from urloracle.regex.pattern import read_components
from urloracle.regex.rewriting import expand, fold_scheme

#: Control characters, which no URL has (G-07), encode the brackets of up to 16 components: `2 * k` opens
#: the component `k`, `2 * k + 1` closes it.
BRACKETS = ASCII[:32]
TEXT = frozenset(ALPHABET) - frozenset(BRACKETS)
_NO_RULES = Grammar({}, {}, {})

#: A component's text by name, None where it is absent.
Split = Mapping[str, str | None]


class Ambiguity(NamedTuple):
    """A text with two splits."""

    text: str
    first: Split
    second: Split


class Arrow(NamedTuple):
    """Brackets passed, and the state that the character after them leads to."""

    brackets: str
    target: int


@dataclass(frozen=True)
class BracketedLanguage:
    """The texts of a rule in every division into components, as the automaton of bracketed words."""

    components: tuple[str, ...]
    automaton: Automaton

    def ambiguity(self) -> Ambiguity | None:
        """Return a shortest text with two splits, None where every text has one split."""
        start = (self.automaton.start, self.automaton.start, False)
        words = {start: ("", "")}
        queue = [start]
        for left_state, right_state, differs in queue:
            left_word, right_word = words[left_state, right_state, differs]
            for left_end, right_end in product(self.ends[left_state], self.ends[right_state]):
                if differs or left_end != right_end:
                    first = self._split(left_word + left_end)
                    second = self._split(right_word + right_end)
                    return Ambiguity(_text(left_word), first, second)
            for kind, char in self.letters.items():
                for left, right in product(self.arrows[left_state][kind], self.arrows[right_state][kind]):
                    pair = (left.target, right.target, differs or left.brackets != right.brackets)
                    if pair not in words:
                        words[pair] = (left_word + left.brackets + char, right_word + right.brackets + char)
                        queue.append(pair)
        return None

    def splits(self, text: str) -> list[Split]:
        """Return every split of a text; none where no word of the language is this text with brackets."""
        words = {(self.automaton.start, "")}
        for char in text:
            kind = self.automaton.classes.get(char, -1)
            arrows = [(word, arrow) for state, word in words for arrow in self.arrows[state].get(kind, ())]
            words = {(arrow.target, word + arrow.brackets + char) for word, arrow in arrows}
        return [self._split(word + last) for state, word in sorted(words) for last in self.ends[state]]

    def texts(self) -> Automaton:
        """Return the minimal automaton of the texts without their brackets."""
        numbers: dict[frozenset[int], int] = {frozenset(): SINK, frozenset((self.automaton.start,)): 1}
        queue = list(numbers)
        table = []
        for states in queue:
            row = [SINK] * len(self.automaton.table[SINK])
            for kind in self.letters:
                reached = frozenset(a.target for state in states for a in self.arrows[state][kind])
                if reached not in numbers:
                    numbers[reached] = len(queue)
                    queue.append(reached)
                row[kind] = numbers[reached]
            table.append(tuple(row))
        accepting = frozenset(numbers[states] for states in queue if any(self.ends[s] for s in states))
        classes = {char: kind for char, kind in self.automaton.classes.items() if char in TEXT}
        return minimize(Automaton(classes, tuple(table), 1, accepting))

    def without(self, dropped: Expression) -> BracketedLanguage:
        """Return the language without the bracketed words of an expression, whose captures are components.

        A set of characters that is to match brackets as well contains `BRACKETS`.
        """
        remaining = difference(self.automaton, bracketed_words(dropped, self.components).automaton)
        return replace(self, automaton=minimize(remaining))

    def _split(self, word: str) -> Split:
        parts: dict[str, str | None] = dict.fromkeys(self.components)
        for number, name in enumerate(self.components):
            _, opening, rest = word.partition(BRACKETS[2 * number])
            if opening:
                parts[name] = _text(rest.partition(BRACKETS[2 * number + 1])[0])
        return parts

    @cached_property
    def letters(self) -> dict[int, str]:
        """For each class of characters of texts its first one, lower-case letters before others."""
        letters: dict[int, str] = {}
        for char in sorted(TEXT.intersection(self.automaton.classes), key=lambda c: (not c.islower(), c)):
            letters.setdefault(self.automaton.classes[char], char)
        return letters

    @cached_property
    def _passing(self) -> list[list[tuple[str, int]]]:
        """For each state the brackets that may come next, or no bracket, and the state after them."""
        table = self.automaton.table
        classes = self.automaton.classes
        brackets = [(char, classes[char]) for char in BRACKETS if char in classes]
        paths = [[("", state)] for state in range(len(table))]
        for reached in paths:
            for passed, state in reached:
                after = [(char, table[state][kind]) for char, kind in brackets if char not in passed]
                reached += [(passed + char, target) for char, target in after if target != SINK]
        return paths

    @cached_property
    def arrows(self) -> list[dict[int, list[Arrow]]]:
        """For each state the ways on with a character of each class of `letters`."""
        table = self.automaton.table
        return [
            {
                kind: [Arrow(passed, table[s][kind]) for passed, s in reached if table[s][kind] != SINK]
                for kind in self.letters
            }
            for reached in self._passing
        ]

    @cached_property
    def ends(self) -> list[list[str]]:
        """For each state the brackets that may be passed where a text ends; nothing where it may not."""
        ending = self.automaton.accepting
        return [[passed for passed, state in reached if state in ending] for reached in self._passing]


def bracketed_language(grammar: Grammar, rule: str, components: Iterable[str]) -> BracketedLanguage:
    """Return the bracketed words of a rule; components are as for `urloracle.regex.pattern.pattern`."""
    columns, wanted_columns = read_components(components)
    expression = expand(grammar, Reference(rule), wanted_columns)
    if rule.lower() in grammar.fold_scheme:
        expression = fold_scheme(expression)
    return bracketed_words(expression, columns)


def bracketed_words(expression: Expression, components: tuple[str, ...]) -> BracketedLanguage:
    """Return the words of an expression without references whose captures have the names of components."""
    automaton, _ = determinize(position_automaton(_NO_RULES, _bracketed(expression, components)))
    return BracketedLanguage(components, minimize(automaton))


def _bracketed(expression: Expression, components: tuple[str, ...]) -> Expression:
    """Return the expression with each captured part in the brackets of its component."""
    match expression:
        case Capture(name, element):
            number = 2 * components.index(name)
            opening, closing = (Characters(frozenset(char)) for char in BRACKETS[number : number + 2])
            return Sequence((opening, _bracketed(element, components), closing))
        case Sequence(elements) | Alternation(elements):
            return type(expression)(tuple(_bracketed(element, components) for element in elements))
        case Repetition(element, minimum, maximum):
            return Repetition(_bracketed(element, components), minimum, maximum)
        case Characters() | Reference():
            return expression


def _text(word: str) -> str:
    return "".join(char for char in word if char in TEXT)
