"""Weights of the characters that a state allows: by class, rule, alternative, and by the character itself."""

from __future__ import annotations

import tomllib
from collections import Counter, abc
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from operator import and_
from pathlib import Path
from typing import Any, NamedTuple

from urlharness.words.sampling import Weigh
from urloracle.automata.dfa import SINK, Automaton, determinize, product
from urloracle.automata.positions import PositionAutomaton, position_automaton
from urloracle.grammar.expression import (
    NOTHING,
    Alternation,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar


class WeightsError(ValueError):
    """A file of weights is not TOML, or has an invalid key or value; the message says which."""


class Weights(NamedTuple):
    """Factors of the default weights by rule and by character, and weights of the alternatives of a rule."""

    rules: Mapping[str, Fraction] = {}
    characters: Mapping[str, Fraction] = {}
    alternatives: Mapping[str, abc.Sequence[Fraction]] = {}


def read_weights(path: Path) -> Weights:
    """Read a TOML file with the tables of `Weights`. Raise WeightsError if it is invalid.

    A key of `characters` is a range such as `a-z`, or the characters themselves.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except RecursionError:
        raise WeightsError(f"{path}: nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WeightsError(f"{path}: {error}") from None
    for name, table in tables.items():
        if name not in Weights._fields or not isinstance(table, dict):
            tables_of_weights = ", ".join(f"[{field}]" for field in Weights._fields)
            raise WeightsError(
                f"{path}: {name} is not a table of weights; the tables are {tables_of_weights}"
            )
    factors: dict[str, Fraction] = {}
    for key, number in tables.get("characters", {}).items():
        characters = _characters(path, key)
        factors |= dict.fromkeys(characters, _weight(path, key, number))
    rules = {rule: _weight(path, rule, number) for rule, number in tables.get("rules", {}).items()}
    alternatives = {}
    for rule, numbers in tables.get("alternatives", {}).items():
        alternatives[rule] = _weights_of_alternatives(path, rule, numbers)
    return Weights(rules, factors, alternatives)


def _weights_of_alternatives(path: Path, rule: str, numbers: Any) -> list[Fraction]:
    """Return the weights of the alternatives of a rule. Raise WeightsError if they are no list of weights."""
    if not isinstance(numbers, list):
        raise WeightsError(f"{path}: the weights of the alternatives of {rule} are not a list: {numbers!r}")
    weights = []
    for index, number in enumerate(numbers, 1):
        weights.append(_weight(path, f"alternative {index} of {rule}", number))
    return weights


def _weight(path: Path, name: str, number: Any) -> Fraction:
    """Return a number of the file as a weight. Raise WeightsError if it is not a number from 0 to 1e9."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1e9:
        raise WeightsError(f"{path}: the weight of {name} is {number!r}, not a number from 0 to 1e9")
    return Fraction(str(number))


def _characters(path: Path, key: str) -> str:
    """Return the characters that a key stands for. Raise WeightsError if it is not ASCII, or no range."""
    characters = key
    if len(key) == 3 and key[1] == "-":  # a range such as a-z
        codes = range(ord(key[0]), ord(key[2]) + 1)
        characters = "".join(map(chr, codes))
    if not characters or not characters.isascii():
        raise WeightsError(f"{path}: {key!r} in [characters] is no range and no list of ASCII characters")
    return characters


def weigh_by_class(automaton: Automaton, characters: Mapping[str, Fraction] | None = None) -> Weigh:
    """Return weights that make every class of characters likely, and its characters equally likely.

    A class has a higher weight if more states can follow it. Otherwise, delimiters would be rare where they
    matter. `characters` maps characters to factors of their weights.
    """
    factors = characters or {}
    class_sizes = Counter(automaton.classes.values())
    shares = {
        char: factors.get(char, Fraction(1)) / class_sizes[kind] for char, kind in automaton.classes.items()
    }
    scaled = _as_integers(shares)
    reachable_counts = [len(states) for states in _reachable(automaton)]

    def weigh(state: int) -> Mapping[str, int]:
        row = automaton.table[state]
        weights = {}
        for char in automaton.allowed(state):
            target = row[automaton.classes[char]]
            weights[char] = scaled[char] * reachable_counts[target]
        return weights

    return weigh


def weigh_by_rule(
    grammar: Grammar, rule: str, weights: Weights, within: Automaton | None = None
) -> tuple[Automaton, Weigh]:
    """Return (automaton of the rule, weights of the characters in its states).

    If there is a `within`, the automaton accepts only the words of the rule that `within` also accepts. The
    weight of a rule applies to characters inside the rule, and to characters that make it possible. The
    weight of an alternative applies to its characters wherever another alternative is still possible. With a
    weight of 0, the automaton is that of the grammar without the rule or alternative.

    Raise UnknownRule if a rule is unknown, and WeightsError if a rule has other alternatives than weights.
    """
    divided_grammar, groups = _with_rules_for_alternatives(grammar, weights)
    positions = position_automaton(divided_grammar, Reference(rule))
    fold = rule.lower() in grammar.fold_scheme
    automaton, candidates = determinize(positions, fold_scheme=fold)
    if within is not None:
        both = product(automaton, within, and_)
        candidates = _candidates_of_product(candidates, automaton, both)
        automaton = both
    default = weigh_by_class(automaton, weights.characters)
    readers = _readers(positions, automaton.classes, fold_scheme=fold)
    # the grammar has no rule of weight 0
    positive = {name: factor for name, factor in weights.rules.items() if factor}
    rules = _weighed_parts(divided_grammar, positions, positive)
    choices = [_weighed_parts(divided_grammar, positions, group) for group in groups]

    def weigh(state: int) -> Mapping[str, int]:
        current = candidates[state]
        open_choices = [choice for choice in choices if _is_open(choice, current)]
        weighed = {}
        for char, weight in default(state).items():
            target = automaton.table[state][automaton.classes[char]]
            reading = current & readers[char]
            product_of_factors = Fraction(weight)
            for part, factor in rules:
                if part.reads(char, reading) or part.begins_between(current, candidates[target]):
                    product_of_factors *= factor
            for choice in open_choices:
                product_of_factors *= _mean_factor(choice, char, reading)
            weighed[char] = product_of_factors
        return _as_integers(weighed)

    return automaton, weigh


def _weighed_parts(
    grammar: Grammar, positions: PositionAutomaton, factors: Mapping[str, Fraction]
) -> list[_WeighedPart]:
    """Return the positions of the rules that have factors. Raise UnknownRule if there is no such rule."""
    return [_WeighedPart(_part_of_rule(grammar, positions, name), factor) for name, factor in factors.items()]


def _as_integers(weights: Mapping[str, Fraction]) -> dict[str, int]:
    """Multiply the weights by their common denominator."""
    common = lcm(*(weight.denominator for weight in weights.values()))
    return {char: int(weight * common) for char, weight in weights.items()}


def _readers(
    positions: PositionAutomaton, characters: Iterable[str], *, fold_scheme: bool
) -> Mapping[str, int]:
    """Return, for each character, the positions that can read it, as bits."""
    readers = dict.fromkeys(characters, 0)
    for number, position in enumerate(positions.positions):
        for char in readers:
            if char in position.members or (fold_scheme and char.lower() in position.members):
                readers[char] |= 1 << number
    return readers


class _Part(NamedTuple):
    """The positions of a rule as bits: all of them, those that read only characters of the rule, and others.

    The others read any character of a larger class, of which the rule has the `members`.
    """

    all: int
    inner: int
    outer: int
    members: frozenset[str]

    def reads(self, char: str, reading: int) -> bool:
        """Return True if one of the reading positions reads a character as one of the rule."""
        reads_member = char in self.members and (reading & self.outer) != 0
        return (reading & self.inner) != 0 or reads_member

    def begins_between(self, current: int, following: int) -> bool:
        """Return True if the rule is possible at one of the following positions, but at no current one."""
        return (self.all & following) != 0 and (self.all & current) == 0


class _WeighedPart(NamedTuple):
    """The positions of a rule, and the factor of the weights of its characters."""

    part: _Part
    factor: Fraction


def _is_open(choice: abc.Sequence[_WeighedPart], current: int) -> bool:
    """Return True if more than one alternative of a choice is possible at the current positions."""
    possible = [part for part, _ in choice if part.all & current]
    return len(possible) > 1


def _mean_factor(choice: abc.Sequence[_WeighedPart], char: str, reading: int) -> Fraction:
    """Return the mean of the factors of the alternatives that read a character, or 1 if none reads it."""
    factors = [factor for part, factor in choice if part.reads(char, reading)]
    return sum(factors, Fraction()) / len(factors) if factors else Fraction(1)


def _part_of_rule(grammar: Grammar, positions: PositionAutomaton, rule: str) -> _Part:
    """Return the positions of a rule. Raise UnknownRule if there is no such rule."""
    name = grammar.canonical_name(rule)
    inner = 0
    outer = 0
    for number, position in enumerate(positions.positions):
        inner |= (name in position.stack) << number
        outer |= (name in position.folded) << number
    return _Part(inner | outer, inner, outer, grammar.character_class(Reference(name)) or NOTHING)


def _with_rules_for_alternatives(
    grammar: Grammar, weights: Weights
) -> tuple[Grammar, list[dict[str, Fraction]]]:
    """Return (grammar in which each weighed alternative is a rule, weights of these rules in groups).

    A new rule has the name of the weighed one and a number, such as `host 2`. The weights of a group have the
    mean 1. The grammar does not derive what has the weight 0.

    Raise WeightsError if the weights of a rule do not fit its alternatives, or are all 0.
    """
    rules = dict(grammar.rules)
    names = dict(grammar.names)
    groups = []
    for name, factors in weights.alternatives.items():
        rule = grammar.canonical_name(name)
        production = grammar[name]
        alternation = _alternation(production)
        if alternation is None:
            raise WeightsError(f"{rule} has no alternatives, or more than one list of them")
        alternatives = alternation.elements
        if len(factors) != len(alternatives):
            raise WeightsError(f"{rule} has {len(alternatives)} alternatives, not {len(factors)}")
        positive = [factor for factor in factors if factor]
        if not positive:
            raise WeightsError(f"one alternative of {rule} must have a weight above 0")
        mean = Fraction(sum(positive), len(positive))
        group = {}
        for number, (alternative, factor) in enumerate(zip(alternatives, factors, strict=True), 1):
            if factor:
                # no rule of an RFC has a blank in its name
                new_rule = f"{rule} {number}"
                rules[new_rule.lower()] = alternative
                names[new_rule.lower()] = new_rule
                group[new_rule] = factor / mean
        rules[name.lower()] = _replaced(production, alternation, Alternation(tuple(map(Reference, group))))
        groups.append(group)
    for name, factor in weights.rules.items():
        if not factor:
            rules[grammar.canonical_name(name).lower()] = Characters(NOTHING)
    return replace(grammar, rules=rules, names=names), groups


def _alternation(production: Expression) -> Alternation | None:
    """Return the alternation that contains all others in a production, or None if there is none."""
    match production:
        case Alternation():
            return production
        case Sequence(parts):
            alternations = [_alternation(part) for part in parts]
            present = [alternation for alternation in alternations if alternation is not None]
            return present[0] if len(present) == 1 else None
        case Repetition(repeated):
            return _alternation(repeated)
    return None


def _replaced(production: Expression, old: Expression, new: Expression) -> Expression:
    """Return a production with another expression in place of one of its parts."""
    match production:
        case _ if production is old:
            return new
        case Sequence(parts):
            return Sequence(tuple(_replaced(part, old, new) for part in parts))
        case Repetition(repeated, minimum, maximum):
            return Repetition(_replaced(repeated, old, new), minimum, maximum)
    return production


def _candidates_of_product(
    candidates: abc.Sequence[int], automaton: Automaton, both: Automaton
) -> tuple[int, ...]:
    """Return the candidates of each state of `both`, the product of `automaton` and another automaton.

    They are those of the state that `automaton` reaches by the same text.
    """
    state_of = {SINK: SINK, both.start: automaton.start}
    queue = [both.start]
    for state in queue:  # which grows in the loop
        for char, kind in both.classes.items():
            target = both.table[state][kind]
            if target not in state_of:
                row = automaton.table[state_of[state]]
                state_of[target] = row[automaton.classes[char]] if char in automaton.classes else SINK
                queue.append(target)
    return tuple(candidates[state_of[state]] if state in state_of else 0 for state in range(len(both.table)))


def _reachable(automaton: Automaton) -> list[set[int]]:
    """Return, for each state, the state itself and all states that it can reach, except the sink."""
    targets = [set(row) - {SINK} for row in automaton.table]
    reachable = []
    for start in range(len(targets)):
        states = {start}
        queue = [start]
        for state in queue:  # which grows in the loop
            queue += targets[state] - states
            states |= targets[state]
        reachable.append(states)
    return reachable
