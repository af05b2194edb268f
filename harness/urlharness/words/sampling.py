"""Random words of an automaton: by weights, or exactly uniform.

A length is drawn uniformly among the lengths in a range that words have, then a word of this length.  Uniform
means that all words of the length are equally likely; their number is counted with integers of any size.  By
weights, each character is drawn by its weight among those after which a word of the length still exists.

Only `getrandbits` is drawn, so a seed gives the same words on every platform and Python.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from random import Random
from typing import NamedTuple, TypeVar

from urloracle.automata.dfa import SINK, Automaton

#: Map the characters that a state allows to their weights; characters of weight 0 are never drawn.
Weigh = Callable[[int], Mapping[str, int]]

#: The greatest length of words, and of words drawn uniformly, whose numbers are large.
MOST_CHARACTERS = 4096
MOST_CHARACTERS_UNIFORM = 1000

#: After so many known words in a row, `Sampler.distinct` lists the words that are left.
_REPEATS = 1000

_T = TypeVar("_T")
_BITS = 64
_ONE = 1 << _BITS


def below(random: Random, bound: int) -> int:
    """Draw an integer from 0 to `bound` - 1, all equally likely.  Raise ValueError if there is none."""
    if bound < 1:
        raise ValueError("nothing to draw from")
    bits = (bound - 1).bit_length()
    while True:
        drawn = random.getrandbits(bits) if bits else 0
        if drawn < bound:
            return drawn


def sampled(items: Iterable[_T], count: int, seed: int) -> Iterator[_T]:
    """Draw some of the items, all equally likely, and return them in their order."""
    random = Random(seed)  # noqa: S311 - no secret
    kept: list[tuple[int, _T]] = []
    for number, item in enumerate(items):
        if number < count:
            kept.append((number, item))
        elif (place := below(random, number + 1)) < count:
            kept[place] = (number, item)
    return (item for _, item in sorted(kept, key=itemgetter(0)))


class _Choice(NamedTuple):
    """The characters to draw from: the upper thresholds of all, 64 bits each, and the states they lead to."""

    thresholds: Sequence[int]
    characters: Sequence[str]
    targets: Sequence[int]


class _Layer(dict[int, _Choice]):
    """Map each state to its choice when `left` characters are left, computed when it is needed."""

    def __init__(self, make: Callable[[int, int], _Choice], left: int) -> None:
        self._make = make
        self._left = left

    def __missing__(self, state: int) -> _Choice:
        found = self[state] = self._make(state, self._left)
        return found


class Sampler:
    """Draws words whose length is in `lengths`, an ascending range; without `weigh`, exactly uniform."""

    def __init__(self, automaton: Automaton, lengths: range, weigh: Weigh | None = None) -> None:
        self._start = automaton.start
        self._accepting = automaton.accepting
        self._uniform = weigh is None
        self._weights = [_allowed(automaton, state, weigh) for state in range(len(automaton.table))]
        self._targets = [
            {char: row[automaton.classes[char]] for char in weights}
            for row, weights in zip(automaton.table, self._weights, strict=True)
        ]
        steps = [frozenset(targets.values()) for targets in self._targets]
        #: By number of characters left: the states from which they can lead to acceptance.
        self._viable = [frozenset(automaton.accepting)]
        for _ in range(max(lengths, default=0)):
            after = self._viable[-1]
            self._viable.append(frozenset(state for state, reached in enumerate(steps) if reached & after))
        self.lengths = [length for length in lengths if self._start in self._viable[length]]
        self._choices: dict[tuple[int, frozenset[int]], _Choice] = {}
        make = self._uniform_choice if self._uniform else self._weighted_choice
        self._layers = [_Layer(make, left) for left in range(len(self._viable))]

    @cached_property
    def _ways(self) -> list[list[int]]:
        """By number of characters left and state: the number of words that lead to acceptance."""
        sizes = []
        for targets in self._targets:
            counts: dict[int, int] = {}
            for target in targets.values():
                counts[target] = counts.get(target, 0) + 1
            sizes.append(list(counts.items()))
        found = [[int(state in self._accepting) for state in range(len(sizes))]]
        for _ in self._viable[1:]:
            after = found[-1]
            found.append([sum(after[target] * size for target, size in row) for row in sizes])
        return found

    @property
    def total(self) -> int:
        """The number of words."""
        return sum(self._ways[length][self._start] for length in self.lengths)

    def draw(self, random: Random) -> str:
        """Draw a word.  Raise ValueError if there is none."""
        length = self.lengths[below(random, len(self.lengths))]
        drawn_bytes = random.getrandbits(_BITS * length).to_bytes(8 * length, "little")
        draws = struct.unpack(f"<{length}Q", drawn_bytes)
        state = self._start
        word: list[str] = []
        for layer, drawn in zip(self._layers[length:0:-1], draws, strict=True):
            thresholds, characters, targets = layer[state]
            number = bisect_right(thresholds, drawn)
            if thresholds[number - 1] == drawn:
                number = self._exact(random, state, length - len(word), drawn)
            word.append(characters[number])
            state = targets[number]
        return "".join(word)

    def distinct(self, random: Random) -> Iterator[str]:
        """Draw words that differ; end when there are no more."""
        seen: set[str] = set()
        repeats = 0
        while self.lengths and repeats < _REPEATS:
            word = self.draw(random)
            if word in seen:
                repeats += 1
                continue
            repeats = 0
            seen.add(word)
            yield word
        yield from (word for word in self.words() if word not in seen)

    def words(self) -> Iterator[str]:
        """Yield all words, the shortest first, words of one length in the order of their characters."""
        for length in self.lengths:
            stack = [("", self._start)]
            while stack:
                word, state = stack.pop()
                if len(word) == length:
                    yield word
                    continue
                after = self._viable[length - len(word) - 1]
                stack += [
                    (word + char, target)
                    for char, target in reversed(self._targets[state].items())
                    if target in after
                ]

    def _uniform_choice(self, state: int, left: int) -> _Choice:
        after = self._ways[left - 1]
        return _choice(self._targets[state], lambda char: after[self._targets[state][char]])

    def _weighted_choice(self, state: int, left: int) -> _Choice:
        reached = self._viable[left - 1].intersection(self._targets[state].values())
        key = (state, reached)
        if key not in self._choices:
            self._choices[key] = _choice(
                {char: target for char, target in self._targets[state].items() if target in reached},
                self._weights[state].__getitem__,
            )
        return self._choices[key]

    def _exact(self, random: Random, state: int, left: int, drawn: int) -> int:
        """Decide a draw that equals a threshold, which is rounded down: draw more bits until it does not."""
        after = self._ways[left - 1] if self._uniform else ()
        weights = [
            after[self._targets[state][char]] if self._uniform else self._weights[state][char]
            for char in self._layers[left][state].characters
        ]
        *sums, whole = accumulate(weights)
        bits = _BITS
        while True:
            number = bisect_right([(part << bits) // whole for part in sums], drawn)
            threshold, rest = divmod(sums[number - 1] << bits, whole)
            if number == 0 or drawn != threshold or not rest:
                return number
            drawn = drawn << _BITS | random.getrandbits(_BITS)
            bits += _BITS


def _allowed(automaton: Automaton, state: int, weigh: Weigh | None) -> Mapping[str, int]:
    """Return the weights of the characters that a state allows, in the order of the characters."""
    if state == SINK:
        return {}
    allowed = automaton.allowed(state)
    weights = dict.fromkeys(allowed, 1) if weigh is None else weigh(state)
    return {char: weights[char] for char in sorted(allowed) if weights[char]}


def _choice(targets: Mapping[str, int], weight: Callable[[str], int]) -> _Choice:
    weights = {char: found for char in targets if (found := weight(char))}
    sums = list(accumulate(weights.values()))
    thresholds = [part * _ONE // sums[-1] for part in sums]  # the last one is above every draw
    return _Choice(thresholds, tuple(weights), tuple(targets[char] for char in weights))
