"""Weights of the characters that a state allows: by class, rule, alternative, and by the character itself."""

from __future__ import annotations

import tomllib
from collections import Counter, abc
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
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
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WeightsError(f"{path}: {error}") from None
    for name, table in tables.items():
        if name not in Weights._fields or not isinstance(table, dict):
            known = ", ".join(f"[{known}]" for known in Weights._fields)
            raise WeightsError(f"{path}: {name} is not a table of weights; the tables are {known}")
    characters = {
        char: _weight(path, key, value)
        for key, value in tables.get("characters", {}).items()
        for char in _characters(path, key)
    }
    rules = {key: _weight(path, key, value) for key, value in tables.get("rules", {}).items()}
    alternatives = {}
    for key, values in tables.get("alternatives", {}).items():
        if not isinstance(values, list):
            raise WeightsError(f"{path}: the weights of the alternatives of {key} are not a list: {values!r}")
        alternatives[key] = [
            _weight(path, f"alternative {number} of {key}", value) for number, value in enumerate(values, 1)
        ]
    return Weights(rules, characters, alternatives)


def _weight(path: Path, key: str, value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
        raise WeightsError(f"{path}: the weight of {key} is {value!r}, not a number from 0 to 1e9")
    return Fraction(str(value))


def _characters(path: Path, key: str) -> str:
    is_range = len(key) == 3 and key[1] == "-"
    found = "".join(map(chr, range(ord(key[0]), ord(key[2]) + 1))) if is_range else key
    if not found or not found.isascii():
        raise WeightsError(f"{path}: {key!r} in [characters] is no range and no list of ASCII characters")
    return found


def by_class(automaton: Automaton, characters: Mapping[str, Fraction] | None = None) -> Weigh:
    """Return weights that make every class of characters likely, and its characters equally likely.

    A class has a higher weight if more states can follow it. Otherwise, delimiters would be rare where they
    matter. `characters` maps characters to factors of their weights.
    """
    factors, sizes = characters or {}, Counter(automaton.classes.values())
    shares = {char: factors.get(char, Fraction(1)) / sizes[kind] for char, kind in automaton.classes.items()}
    common = lcm(*(share.denominator for share in shares.values()))
    scaled = {char: int(share * common) for char, share in shares.items()}
    reached = [len(states) for states in _reachable(automaton)]

    def weigh(state: int) -> Mapping[str, int]:
        row = automaton.table[state]
        return {
            char: scaled[char] * reached[row[automaton.classes[char]]] for char in automaton.allowed(state)
        }

    return weigh


def by_rule(
    grammar: Grammar, rule: str, weights: Weights, within: Automaton | None = None
) -> tuple[Automaton, Weigh]:
    """Return (automaton of the rule, weights of the characters in its states).

    If there is a `within`, the automaton accepts only the words of the rule that `within` also accepts. The
    weight of a rule applies to characters inside the rule, and to characters that make it possible. The
    weight of an alternative applies to its characters wherever another alternative is still possible. With a
    weight of 0, the automaton is that of the grammar without the rule or alternative.

    Raise UnknownRule if a rule is unknown, and WeightsError if a rule has other alternatives than weights.
    """
    own, groups = _own_rules(grammar, weights)
    positions = position_automaton(own, Reference(rule))
    fold = rule.lower() in grammar.fold_scheme
    automaton, candidates = determinize(positions, fold_scheme=fold)
    if within is not None:
        both = product(automaton, within, lambda one, other: one and other)
        candidates = _carried(candidates, automaton, both)
        automaton = both
    default = by_class(automaton, weights.characters)
    readers = _readers(positions, automaton.classes, fold_scheme=fold)
    factors = [(_part(own, positions, name), factor) for name, factor in weights.rules.items() if factor]
    choices = [[(_part(own, positions, name), factor) for name, factor in one.items()] for one in groups]

    def weigh(state: int) -> Mapping[str, int]:
        now, found = candidates[state], {}
        open_choices = [choice for choice in choices if sum(bool(part.all & now) for part, _ in choice) > 1]
        for char, weight in default(state).items():
            read = now & readers[char]
            after = candidates[automaton.table[state][automaton.classes[char]]]
            found[char] = Fraction(weight)
            for part, factor in factors:
                if part.reads(char, read) or (part.all & after and not part.all & now):
                    found[char] *= factor
            for choice in open_choices:
                if taken := [factor for part, factor in choice if part.reads(char, read)]:
                    found[char] *= sum(taken, Fraction()) / len(taken)
        common = lcm(*(share.denominator for share in found.values()))
        return {char: int(share * common) for char, share in found.items()}

    return automaton, weigh


def _readers(
    positions: PositionAutomaton, characters: Iterable[str], *, fold_scheme: bool
) -> Mapping[str, int]:
    """Return, for each character, the positions that can read it, as bits."""
    found = dict.fromkeys(characters, 0)
    for number, position in enumerate(positions.positions):
        for char in found:
            if char in position.members or (fold_scheme and char.lower() in position.members):
                found[char] |= 1 << number
    return found


class _Part(NamedTuple):
    """The positions of a rule as bits: all of them, those that read only characters of the rule, and others.

    The others read any character of a larger class, of which the rule has the `members`.
    """

    all: int
    inner: int
    outer: int
    members: frozenset[str]

    def reads(self, char: str, read: int) -> bool:
        """Return True if one of the positions in `read` reads a character as one of the rule."""
        return bool(read & self.inner or (char in self.members and read & self.outer))


def _part(grammar: Grammar, positions: PositionAutomaton, rule: str) -> _Part:
    name, inner, outer = grammar.canonical_name(rule), 0, 0
    for number, position in enumerate(positions.positions):
        inner |= (name in position.stack) << number
        outer |= (name in position.folded) << number
    return _Part(inner | outer, inner, outer, grammar.character_class(Reference(name)) or NOTHING)


def _own_rules(grammar: Grammar, weights: Weights) -> tuple[Grammar, list[dict[str, Fraction]]]:
    """Return (grammar in which each weighed alternative is a rule, weights of these rules in groups).

    The weights of a group have the mean 1. The grammar lacks what has the weight 0.
    """
    rules, names, groups = dict(grammar.rules), dict(grammar.names), []
    for name, factors in weights.alternatives.items():
        printed, production = grammar.canonical_name(name), grammar[name]
        alternation = _alternation(production)
        if alternation is None:
            raise WeightsError(f"{printed} has no alternatives, or more than one list of them")
        if len(factors) != len(alternation.elements):
            raise WeightsError(f"{printed} has {len(alternation.elements)} alternatives, not {len(factors)}")
        mean = Fraction(sum(factors), sum(map(bool, factors)) or 1)
        if not mean:
            raise WeightsError(f"one alternative of {printed} must have a weight above 0")
        group = {}
        for number, (item, factor) in enumerate(zip(alternation.elements, factors, strict=True), 1):
            if factor:
                own = f"{printed} {number}"
                rules[own.lower()], names[own.lower()], group[own] = item, own, factor / mean
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
        case Sequence(items):
            found = [one for one in map(_alternation, items) if one is not None]
            return found[0] if len(found) == 1 else None
        case Repetition(item):
            return _alternation(item)
    return None


def _replaced(production: Expression, old: Expression, new: Expression) -> Expression:
    """Return a production with another expression in place of one of its parts."""
    match production:
        case _ if production is old:
            return new
        case Sequence(items):
            return Sequence(tuple(_replaced(item, old, new) for item in items))
        case Repetition(item, minimum, maximum):
            return Repetition(_replaced(item, old, new), minimum, maximum)
    return production


def _carried(candidates: abc.Sequence[int], automaton: Automaton, both: Automaton) -> tuple[int, ...]:
    """Return the candidates of each state of `both`, the product of `automaton` and another automaton.

    They are those of the state that `automaton` reaches by the same text.
    """
    found = {SINK: SINK, both.start: automaton.start}
    for state in (queue := [both.start]):
        for char, kind in both.classes.items():
            target = both.table[state][kind]
            if target not in found:
                known = automaton.classes.get(char)
                found[target] = SINK if known is None else automaton.table[found[state]][known]
                queue.append(target)
    return tuple(candidates[found[state]] if state in found else 0 for state in range(len(both.table)))


def _reachable(automaton: Automaton) -> list[set[int]]:
    """Return, for each state, the state itself and all states that it can reach, except the sink."""
    steps = [set(row) - {SINK} for row in automaton.table]
    found = []
    for state in range(len(steps)):
        seen, queue = {state}, [state]
        for one in queue:
            queue += steps[one] - seen
            seen |= steps[one]
        found.append(seen)
    return found
