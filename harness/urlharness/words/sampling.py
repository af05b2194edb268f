"""Random words of an automaton: by weights, or exactly uniform.

First a length is drawn: all lengths in a range are equally likely, if there are words of the length. Then a
word of this length is drawn. Uniform means that all words of the length are equally likely. For this, the
number of words is counted exactly. With weights, each character is drawn by its weight, from the characters
after which a word of the length still exists.

`explored` instead draws words that together take every transition.

The only random function is `getrandbits`, so a seed gives the same words on every platform and Python. The
random numbers for many words are drawn at once, so that other code can make the same words from them.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate, islice
from operator import itemgetter
from random import Random
from typing import NamedTuple, TypeVar

from urloracle.automata.dfa import SINK, Automaton

#: A function that maps the characters that a state allows to their weights. A character of weight 0 is never
#: drawn.
Weigh = Callable[[int], Mapping[str, int]]

#: The maximum length of words. It is lower for words that are drawn uniformly, because these are counted.
MOST_CHARACTERS = 4096
MOST_CHARACTERS_UNIFORM = 1000

#: After this number of repeated words in a row, `Sampler.distinct` lists the words that are left.
_REPEATS = 1000

_T = TypeVar("_T")
_BITS = 64
_ONE = 1 << _BITS
#: The place of the most significant byte in a number of 64 bits.
_FIRST_BYTE = 7 if sys.byteorder == "little" else 0


def below(random: Random, bound: int) -> int:
    """Draw an integer from 0 to `bound` - 1, all equally likely. Raise ValueError if there is none."""
    if bound < 1:
        raise ValueError("nothing to draw from")
    bits = (bound - 1).bit_length()
    while True:
        drawn = random.getrandbits(bits) if bits else 0
        if drawn < bound:
            return drawn


def sampled(items: Iterable[_T], count: int, seed: int) -> Iterator[_T]:
    """Draw `count` of the items, all equally likely, and return them in their order."""
    random = Random(seed)  # noqa: S311 - no secret
    kept: list[tuple[int, _T]] = []
    for number, item in enumerate(items):
        if number < count:
            kept.append((number, item))
        elif (place := below(random, number + 1)) < count:
            kept[place] = (number, item)
    return (item for _, item in sorted(kept, key=itemgetter(0)))


def numbers(random: Random, count: int) -> array[int]:
    """Draw `count` numbers of 64 bits."""
    found = array("Q", random.getrandbits(_BITS * count).to_bytes(8 * count, "little"))
    if sys.byteorder == "big":
        found.byteswap()
    return found


class Choice(NamedTuple):
    """The characters to draw from, the upper threshold of each character (64 bits), and its next state."""

    thresholds: Sequence[int]
    characters: Sequence[str]
    targets: Sequence[int]


#: A character, and the next state.
Step = tuple[str, int]
#: A choice, made for speed: by the first byte of a number the step, or None if later bytes decide; the
#: thresholds; the step of each threshold. It is no named tuple, which takes much longer to unpack.
Row = tuple[Sequence[Step | None], Sequence[int], Sequence[Step]]
_UNDECIDED: Sequence[Step | None] = (None,) * 256


class Layer(dict[int, _T]):
    """Maps each state to a value for the case that `left` characters are left.

    A value is computed on first access.
    """

    def __init__(self, make: Callable[[int, int], _T], left: int) -> None:
        self._make = make
        self._left = left

    def __missing__(self, state: int) -> _T:
        found = self[state] = self._make(state, self._left)
        return found


class Sampler:
    """Draws words whose length is in `lengths`, an ascending range.

    `weigh` gives the weights of characters. Without it, all words of a length are equally likely.
    """

    def __init__(self, automaton: Automaton, lengths: range, weigh: Weigh | None = None) -> None:
        self.start = automaton.start
        self._accepting = automaton.accepting
        self._uniform = weigh is None
        self._weights = [_allowed(automaton, state, weigh) for state in range(len(automaton.table))]
        #: By state: the next state by character.
        self.targets = [
            {char: row[automaton.classes[char]] for char in weights}
            for row, weights in zip(automaton.table, self._weights, strict=True)
        ]
        steps = [frozenset(targets.values()) for targets in self.targets]
        #: By number of characters left: the states from which this number can lead to acceptance.
        self.viable = [frozenset(automaton.accepting)]
        for _ in range(max(lengths, default=0)):
            after = self.viable[-1]
            self.viable.append(frozenset(state for state, reached in enumerate(steps) if reached & after))
        self.lengths = [length for length in lengths if self.start in self.viable[length]]
        self._choices: dict[tuple[int, frozenset[int]], Choice] = {}
        make = self._uniform_choice if self._uniform else self._weighted_choice
        #: By number of characters left, and by state: the choice of the next character.
        self.layers = [Layer(make, left) for left in range(len(self.viable))]
        self._rows = [Layer(self._row, left) for left in range(len(self.viable))]
        self._known_rows: dict[int, Row] = {}  # by identity of a choice
        self._steps = [{step[0]: step for step in targets.items()} for targets in self.targets]

    @cached_property
    def _ways(self) -> list[list[int]]:
        """By number of characters left and state: the number of words that lead to acceptance."""
        sizes = []
        for targets in self.targets:
            counts: dict[int, int] = {}
            for target in targets.values():
                counts[target] = counts.get(target, 0) + 1
            sizes.append(list(counts.items()))
        found = [[int(state in self._accepting) for state in range(len(sizes))]]
        for _ in self.viable[1:]:
            after = found[-1]
            found.append([sum(after[target] * size for target, size in row) for row in sizes])
        return found

    @property
    def total(self) -> int:
        """The number of words."""
        return sum(self._ways[length][self.start] for length in self.lengths)

    def draw(self, random: Random) -> str:
        """Draw a word. Raise ValueError if there is none."""
        (word,) = self.shard(random, 1)
        return word

    def shard(self, random: Random, count: int) -> Iterator[str]:
        """Draw `count` words. Raise ValueError if there is no word."""
        lengths = self.draw_lengths(random, count)
        return self.words_of(random, lengths, numbers(random, sum(lengths)))

    def draw_lengths(self, random: Random, count: int) -> list[int]:
        """Draw the lengths of `count` words. Raise ValueError if there is no word."""
        if not self.lengths:
            raise ValueError("nothing to draw from")
        *thresholds, _ = self.length_thresholds
        drawn = numbers(random, count)
        found = [bisect_right(thresholds, number) for number in drawn]
        if not self.length_ties.isdisjoint(drawn):
            equal = [1] * len(self.lengths)
            found = [
                _exact(random, equal, number) if number in self.length_ties else place
                for place, number in zip(found, drawn, strict=True)
            ]
        return [self.lengths[place] for place in found]

    @cached_property
    def length_thresholds(self) -> Sequence[int]:
        """The upper thresholds of the lengths, 64 bits each."""
        return _thresholds([1] * len(self.lengths))

    @cached_property
    def length_ties(self) -> frozenset[int]:
        """The random numbers that equal a threshold, and so do not decide between two lengths."""
        return frozenset(self.length_thresholds)

    def words_of(self, random: Random, lengths: Iterable[int], drawn: array[int]) -> Iterator[str]:
        """Yield words of these lengths. The numbers of 64 bits in `drawn` choose their characters.

        If a number equals a threshold, more bits are drawn from `random`.
        """
        first_bytes = bytes(memoryview(drawn).cast("B")[_FIRST_BYTE::8])
        start, rest = 0, iter(lengths)
        while some := list(islice(rest, 64)):
            words = []
            for length in some:
                words.append(self._word(random, drawn, start, first_bytes[start : start + length]))
                start += length
            yield from words

    def word(self, random: Random, drawn: Iterable[int]) -> str:
        """Return the word that numbers of 64 bits choose, one number for each character."""
        given = array("Q", drawn)
        return next(self.words_of(random, (len(given),), given))

    def _word(self, random: Random, drawn: array[int], start: int, first_bytes: bytes) -> str:
        state, left = self.start, len(first_bytes)
        word: list[str] = []
        for rows, byte in zip(self._rows[left:0:-1], first_bytes, strict=True):
            by_byte, thresholds, steps = rows[state]
            step = by_byte[byte]
            if step is None:
                number = drawn[start + len(word)]
                place = bisect_right(thresholds, number)
                if thresholds[place - 1] == number:
                    place = self._exact(random, state, left - len(word), number)
                step = steps[place]
            char, state = step
            word.append(char)
        return "".join(word)

    def distinct(self, random: Random) -> Iterator[str]:
        """Draw distinct words until there are no more."""
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
        """Yield all words, the shortest first. Words of equal length are in the order of their characters."""
        for length in self.lengths:
            stack = [("", self.start)]
            while stack:
                word, state = stack.pop()
                if len(word) == length:
                    yield word
                    continue
                after = self.viable[length - len(word) - 1]
                stack += [
                    (word + char, target)
                    for char, target in reversed(self.targets[state].items())
                    if target in after
                ]

    def _uniform_choice(self, state: int, left: int) -> Choice:
        after = self._ways[left - 1]
        return _choice(self.targets[state], lambda char: after[self.targets[state][char]])

    def _weighted_choice(self, state: int, left: int) -> Choice:
        reached = self.viable[left - 1].intersection(self.targets[state].values())
        key = (state, reached)
        if key not in self._choices:
            self._choices[key] = _choice(
                {char: target for char, target in self.targets[state].items() if target in reached},
                self._weights[state].__getitem__,
            )
        return self._choices[key]

    def _row(self, state: int, left: int) -> Row:
        choice = self.layers[left][state]
        if id(choice) not in self._known_rows:
            steps = tuple(self._steps[state][char] for char in choice.characters)
            # there are many uniform choices, and few numbers choose by each
            by_byte = _UNDECIDED if self._uniform else _by_first_byte(choice.thresholds, steps)
            self._known_rows[id(choice)] = (by_byte, choice.thresholds, steps)
        return self._known_rows[id(choice)]

    def _exact(self, random: Random, state: int, left: int, drawn: int) -> int:
        after = self._ways[left - 1] if self._uniform else ()
        weights = [
            after[self.targets[state][char]] if self._uniform else self._weights[state][char]
            for char in self.layers[left][state].characters
        ]
        return _exact(random, weights, drawn)


def _exact(random: Random, weights: Sequence[int], drawn: int) -> int:
    """Return the index that a drawn number chooses by weights. Draw more bits if it equals a threshold.

    More bits decide such a tie, because thresholds are rounded down.
    """
    *sums, whole = accumulate(weights)
    bits = _BITS
    while True:
        number = bisect_right([(part << bits) // whole for part in sums], drawn)
        threshold, rest = divmod(sums[number - 1] << bits, whole)
        if number == 0 or drawn != threshold or not rest:
            return number
        drawn = drawn << _BITS | random.getrandbits(_BITS)
        bits += _BITS


def _thresholds(weights: Iterable[int]) -> Sequence[int]:
    sums = list(accumulate(weights))
    return [part * _ONE // sums[-1] for part in sums]  # the last one is above every draw


def _allowed(automaton: Automaton, state: int, weigh: Weigh | None) -> Mapping[str, int]:
    """Return the weights of the characters that a state allows, in the order of the characters."""
    if state == SINK:
        return {}
    allowed = automaton.allowed(state)
    weights = dict.fromkeys(allowed, 1) if weigh is None else weigh(state)
    return {char: weights[char] for char in sorted(allowed) if weights[char]}


def _choice(targets: Mapping[str, int], weight: Callable[[str], int]) -> Choice:
    weights = {char: found for char in targets if (found := weight(char))}
    return Choice(_thresholds(weights.values()), tuple(weights), tuple(targets[char] for char in weights))


def _by_first_byte(thresholds: Sequence[int], steps: Sequence[Step]) -> list[Step | None]:
    """Return the step that each first byte of a number chooses, or None if later bytes decide."""
    found: list[Step | None] = []
    for threshold, step in zip(thresholds, steps, strict=True):
        byte = threshold >> _BITS - 8
        found += [step] * (byte - len(found))
        if len(found) == byte:
            found.append(None)
    return found


def explored(automaton: Automaton, sampler: Sampler, random: Random) -> Iterator[str]:
    """Draw words of the sampler, until they have taken every transition that its words can take.

    Each word takes at least one transition that no word before took.
    """
    explorer = _Explorer(automaton, sampler)
    while explorer.left:
        yield explorer.word(random)


class _Explorer:
    """Draws words. `left` maps each transition that no word has taken yet to the state that it leads to."""

    def __init__(self, automaton: Automaton, sampler: Sampler) -> None:
        self._viable = sampler.viable
        self._start = automaton.start
        #: By state and class: the characters that the sampler draws, and the next state.
        self._steps: list[dict[int, tuple[list[str], int]]] = []
        for targets in sampler.targets:
            row: dict[int, tuple[list[str], int]] = {}
            for char, target in targets.items():
                row.setdefault(automaton.classes[char], ([], target))[0].append(char)
            self._steps.append(row)
        self._reached = self._forward()
        lengths = frozenset(sampler.lengths)
        #: By state, numbers of characters as bits: how many can lead from the start to the state (`_before`),
        #: and how many can lead from the state to acceptance (`_after`).
        self._before = _bits(self._reached, len(self._steps))
        self._after = _bits(self._viable, len(self._steps))
        self._lengths = sum(1 << length for length in lengths)
        self.left = {
            (state, kind): target
            for state, row in enumerate(self._steps)
            for kind, (_, target) in row.items()
            if self._place(state, target) is not None
        }

    def word(self, random: Random) -> str:
        """Draw a word that takes at least one of the transitions that are left."""
        left = list(self.left)
        state, kind = left[below(random, len(left))]
        place = self._place(state, self.left[state, kind])
        assert place is not None  # otherwise the transition would not be left
        before, rests = place
        allowed = [*self._towards(state, before)]
        word, state = self._walk(random, self._start, allowed)
        chars, target = self._steps[state][kind]
        self.left.pop((state, kind), None)
        lengths = [length for length in range(rests.bit_length()) if rests >> length & 1]
        rest = lengths[below(random, len(lengths))]
        end, _ = self._walk(random, target, self._viable[:rest][::-1])
        return word + chars[below(random, len(chars))] + end

    def _walk(self, random: Random, state: int, allowed: Sequence[AbstractSet[int]]) -> tuple[str, int]:
        """Take a step into each set of states in turn, by a new transition if one leads there.

        Return (text, last state).
        """
        word = ""
        for states in allowed:
            kinds = [kind for kind, (_, target) in self._steps[state].items() if target in states]
            kinds = [kind for kind in kinds if (state, kind) in self.left] or kinds
            kind = kinds[below(random, len(kinds))]
            self.left.pop((state, kind), None)
            chars, state = self._steps[state][kind]
            word += chars[below(random, len(chars))]
        return word, state

    def _place(self, state: int, target: int) -> tuple[int, int] | None:
        """Return the minimum number of characters before a transition, and the numbers that can follow it.

        The numbers of characters after the transition are bits. Return None if no word takes the transition.
        """
        for before in range(self._before[state].bit_length()):
            rests = self._after[target] & self._lengths >> before + 1
            if rests and self._before[state] >> before & 1:
                return before, rests
        return None

    def _forward(self) -> list[frozenset[int]]:
        """Return, by number of characters, the states to which texts of this length lead."""
        found = [frozenset((self._start,))]
        for _ in self._viable[1:]:
            found.append(
                frozenset(target for state in found[-1] for _, target in self._steps[state].values())
            )
        return found

    def _towards(self, state: int, steps: int) -> Sequence[AbstractSet[int]]:
        """Return, for each of the `steps` steps from the start, the states after which `state` is reachable.

        Reachable means with exactly the steps that are left.
        """
        found: list[AbstractSet[int]] = [{state}]
        for reached in self._reached[steps - 1 : 0 : -1]:
            after = found[-1]
            steps_of = ((one, self._steps[one].values()) for one in reached)
            found.append({one for one, row in steps_of if any(target in after for _, target in row)})
        return found[:steps][::-1]


def _bits(layers: Sequence[AbstractSet[int]], states: int) -> list[int]:
    """Return, for each state, the numbers of the layers that contain it, as bits."""
    found = [0] * states
    for number, layer in enumerate(layers):
        for state in layer:
            found[state] |= 1 << number
    return found
