"""Weights of the characters that a state allows: by class, by rule, by the character itself."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from pathlib import Path
from typing import Any, NamedTuple

from urlharness.words.sampling import Weigh
from urloracle.automata.dfa import SINK, Automaton, determinize, product
from urloracle.automata.positions import PositionAutomaton, position_automaton
from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar


class WeightsError(ValueError):
    """A file of weights is not TOML, or has an invalid key or value; the message says which."""


class Weights(NamedTuple):
    """Factors of the default weights, by rule and by character."""

    rules: Mapping[str, Fraction]
    characters: Mapping[str, Fraction]


def read_weights(path: Path) -> Weights:
    """Read a TOML file with the tables `rules` and `characters`. Raise WeightsError if it is invalid.

    A key of `characters` is a range such as `a-z`, or the characters themselves.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WeightsError(f"{path}: {error}") from None
    for name, table in tables.items():
        if name not in Weights._fields or not isinstance(table, dict):
            raise WeightsError(f"{path}: {name} is not a table of weights; use [rules] and [characters]")
    characters = {
        char: _weight(path, key, value)
        for key, value in tables.get("characters", {}).items()
        for char in _characters(key)
    }
    rules = {key: _weight(path, key, value) for key, value in tables.get("rules", {}).items()}
    return Weights(rules, characters)


def _weight(path: Path, key: str, value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
        raise WeightsError(f"{path}: the weight of {key} is {value!r}, not a number from 0 to 1e9")
    return Fraction(str(value))


def _characters(key: str) -> str:
    if len(key) == 3 and key[1] == "-":
        return "".join(map(chr, range(ord(key[0]), ord(key[2]) + 1)))
    return key


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
    weight of a rule applies to characters inside the rule, and to characters after which the rule can begin.
    Raise UnknownRule if a rule is unknown.
    """
    positions = position_automaton(grammar, Reference(rule))
    fold = rule.lower() in grammar.fold_scheme
    automaton, candidates = determinize(positions, fold_scheme=fold)
    if within is not None:
        both = product(automaton, within, lambda one, other: one and other)
        candidates = _carried(candidates, automaton, both)
        automaton = both
    default = by_class(automaton, weights.characters)
    factors = [
        (_positions_of(positions, grammar.canonical_name(name)), factor)
        for name, factor in weights.rules.items()
    ]
    whole = prod(factor.denominator for _, factor in factors)
    readers = dict.fromkeys(automaton.classes, 0)
    for number, position in enumerate(positions.positions):
        for char in readers:
            if char in position.members or (fold and char.lower() in position.members):
                readers[char] |= 1 << number

    def weigh(state: int) -> Mapping[str, int]:
        found = {}
        for char, weight in default(state).items():
            read = candidates[state] & readers[char]
            after = candidates[automaton.table[state][automaton.classes[char]]]
            share = prod((factor for inside, factor in factors if inside & (read | after)), start=Fraction(1))
            found[char] = int(weight * whole * share)
        return found

    return automaton, weigh


def _positions_of(positions: PositionAutomaton, rule: str) -> int:
    """Return the bit set of the positions in a rule."""
    return sum(
        1 << number
        for number, position in enumerate(positions.positions)
        if rule in position.stack or rule in position.folded
    )


def _carried(candidates: Sequence[int], automaton: Automaton, both: Automaton) -> tuple[int, ...]:
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
