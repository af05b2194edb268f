"""Random words of a regular language: by weights, or exactly uniform.

The words of a length that a DFA accepts can be counted. From a state, the number of words of n characters is
the sum of the numbers of words of n - 1 characters from its next states, over all characters; of no
characters there is one word if the state accepts, and none otherwise. These counts rank the words of a length
in the order of their characters: to find word number r, take the first character whose words, with those of
the characters before it, are more than r. The words of the characters before it are subtracted from r, and
the rest of the word is found in the same way from the next state. A random r makes all words of the length
equally likely.

Instead of one large r, the sampler spends a number of 64 bits on each character. Thresholds divide the range
of these numbers in proportion to the counts, so one search finds the character. A threshold is rounded down;
a number that equals it does not decide, and more bits are drawn until they do. So the words are exactly
uniform, although no large number is needed for a draw.

With weights, the thresholds are in proportion to the weights of those characters after which a word of the
length still exists. All lengths in a range are equally likely, if there are words of the length.
`draw_exploring` draws words that together take every transition.

The only random function is `getrandbits`, so a seed gives the same words on every platform and Python. The
random numbers for many words are drawn at once, so that other code can make the same words from them.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections import Counter
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

#: After this number of repeated words in a row, `Sampler.draw_distinct` lists the words not drawn yet.
_REPEATS = 1000

_T = TypeVar("_T")
_BITS = 64
_RANGE = 1 << _BITS
#: The place of the most significant byte in a number of 64 bits.
_FIRST_BYTE = 7 if sys.byteorder == "little" else 0


def draw_below(random: Random, bound: int) -> int:
    """Draw an integer from 0 to `bound` - 1, all equally likely. Raise ValueError if there is none."""
    if bound < 1:
        raise ValueError("nothing to draw from")
    bits = (bound - 1).bit_length()
    while True:
        number = random.getrandbits(bits) if bits else 0
        if number < bound:
            return number


def draw_sample(items: Iterable[_T], count: int, seed: int) -> Iterator[_T]:
    """Draw `count` of the items, all equally likely, and return them in their order.

    This is reservoir sampling: item number n replaces one of the drawn items with probability `count` / n.
    """
    random = Random(seed)  # noqa: S311 - no secret
    reservoir: list[tuple[int, _T]] = []
    for number, candidate in enumerate(items):
        if number < count:
            reservoir.append((number, candidate))
            continue
        index = draw_below(random, number + 1)
        if index < count:
            reservoir[index] = (number, candidate)
    return (candidate for _, candidate in sorted(reservoir, key=itemgetter(0)))


def draw_numbers(random: Random, count: int) -> array[int]:
    """Draw `count` numbers of 64 bits."""
    numbers = array("Q", random.getrandbits(_BITS * count).to_bytes(8 * count, "little"))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


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
    """Maps each state to the choice there if so many characters remain. A choice is made on first access."""

    def __init__(self, make: Callable[[int, int], _T], remaining: int) -> None:
        self._make = make
        self._remaining = remaining

    def __missing__(self, state: int) -> _T:
        choice = self[state] = self._make(state, self._remaining)
        return choice


class Sampler:
    """Draws words whose length is in `lengths`, an ascending range.

    `weigh` gives the weights of characters. Without it, all words of a length are equally likely.
    """

    def __init__(self, automaton: Automaton, lengths: range, weigh: Weigh | None = None) -> None:
        self.start = automaton.start
        self._accepting = automaton.accepting
        self._uniform = weigh is None
        self._weights = [_allowed_weights(automaton, state, weigh) for state in range(len(automaton.table))]
        #: By state: the next state by character.
        self.targets = [
            {char: row[automaton.classes[char]] for char in weights}
            for row, weights in zip(automaton.table, self._weights, strict=True)
        ]
        #: By number of characters that remain: the states from which this number can lead to acceptance.
        self.viable = self._viable_states(max(lengths, default=0))
        self.lengths = [length for length in lengths if self.start in self.viable[length]]
        self._weighted_choices: dict[tuple[int, frozenset[int]], Choice] = {}
        make = self._make_uniform_choice if self._uniform else self._make_weighted_choice
        #: By number of characters that remain, and by state: the choice of the next character.
        self.layers = [Layer(make, remaining) for remaining in range(len(self.viable))]
        self._rows = [Layer(self._make_row, remaining) for remaining in range(len(self.viable))]
        self._row_of_choice: dict[int, Row] = {}  # by identity of a choice
        #: By state and character: the step, which rows share.
        self._steps = [{char: (char, target) for char, target in targets.items()} for targets in self.targets]

    def _viable_states(self, longest: int) -> list[frozenset[int]]:
        """Return, by number of characters, the states from which so many can lead to acceptance."""
        next_states = [frozenset(targets.values()) for targets in self.targets]
        layers = [frozenset(self._accepting)]
        for _ in range(longest):
            goals = layers[-1]
            layers.append(frozenset(state for state, targets in enumerate(next_states) if targets & goals))
        return layers

    @cached_property
    def _word_counts(self) -> list[list[int]]:
        """By number of characters and by state: the number of words from the state to acceptance."""
        # characters with the same target are counted at once, because there are many of them
        transitions = [list(Counter(targets.values()).items()) for targets in self.targets]
        layers = [[int(state in self._accepting) for state in range(len(transitions))]]
        for _ in self.viable[1:]:
            shorter = layers[-1]
            layers.append(
                [sum(shorter[target] * characters for target, characters in row) for row in transitions]
            )
        return layers

    @property
    def total(self) -> int:
        """The number of words."""
        return sum(self._word_counts[length][self.start] for length in self.lengths)

    def draw(self, random: Random) -> str:
        """Draw a word. Raise ValueError if there is none."""
        (word,) = self.draw_words(random, 1)
        return word

    def draw_words(self, random: Random, count: int) -> Iterator[str]:
        """Draw `count` words. Raise ValueError if there is no word."""
        lengths = self.draw_lengths(random, count)
        return self.make_words(random, lengths, draw_numbers(random, sum(lengths)))

    def draw_lengths(self, random: Random, count: int) -> list[int]:
        """Draw the lengths of `count` words. Raise ValueError if there is no word."""
        if not self.lengths:
            raise ValueError("nothing to draw from")
        *thresholds, _ = self.length_thresholds
        numbers = draw_numbers(random, count)
        indexes = [bisect_right(thresholds, number) for number in numbers]
        if not self.length_ties.isdisjoint(numbers):
            equal_weights = [1] * len(self.lengths)
            for draw, number in enumerate(numbers):
                if number in self.length_ties:
                    indexes[draw] = _choose_exactly(random, equal_weights, number)
        return [self.lengths[index] for index in indexes]

    @cached_property
    def length_thresholds(self) -> Sequence[int]:
        """The upper thresholds of the lengths, 64 bits each."""
        return _thresholds([1] * len(self.lengths))

    @cached_property
    def length_ties(self) -> frozenset[int]:
        """The random numbers that equal a threshold, and so do not decide between two lengths."""
        return frozenset(self.length_thresholds)

    def make_words(self, random: Random, lengths: Iterable[int], numbers: array[int]) -> Iterator[str]:
        """Yield words of these lengths. Numbers of 64 bits choose their characters, one after the other.

        If a number equals a threshold, more bits are drawn from `random`.
        """
        first_bytes = bytes(memoryview(numbers).cast("B")[_FIRST_BYTE::8])
        start = 0
        remaining_lengths = iter(lengths)
        # a generator that yields 64 words at once is faster than one that stops after each word
        while some_lengths := list(islice(remaining_lengths, 64)):
            words = []
            for length in some_lengths:
                bytes_of_word = first_bytes[start : start + length]
                words.append(self._make_word(random, numbers, start, bytes_of_word))
                start += length
            yield from words

    def make_word(self, random: Random, numbers: Iterable[int]) -> str:
        """Return the word that numbers of 64 bits choose, one number for each character."""
        all_numbers = array("Q", numbers)
        return next(self.make_words(random, (len(all_numbers),), all_numbers))

    def _make_word(self, random: Random, numbers: array[int], start: int, first_bytes: bytes) -> str:
        """Return the word that the numbers from `start` choose. `first_bytes` are their first bytes."""
        state = self.start
        length = len(first_bytes)
        word: list[str] = []
        for rows, byte in zip(self._rows[length:0:-1], first_bytes, strict=True):
            by_byte, thresholds, steps = rows[state]
            step = by_byte[byte]
            if step is None:
                number = numbers[start + len(word)]
                index = bisect_right(thresholds, number)
                # if the index is 0, the last threshold is compared, which no number equals
                if thresholds[index - 1] == number:
                    index = self._decide_tie(random, state, length - len(word), number)
                step = steps[index]
            char, state = step
            word.append(char)
        return "".join(word)

    def draw_distinct(self, random: Random) -> Iterator[str]:
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
        yield from (word for word in self.all_words() if word not in seen)

    def all_words(self) -> Iterator[str]:
        """Yield all words, the shortest first. Words of equal length are in the order of their characters."""
        for length in self.lengths:
            stack = [("", self.start)]
            while stack:
                word, state = stack.pop()
                if len(word) == length:
                    yield word
                    continue
                viable = self.viable[length - len(word) - 1]
                for char, target in reversed(self.targets[state].items()):
                    if target in viable:
                        stack.append((word + char, target))

    def _make_uniform_choice(self, state: int, remaining: int) -> Choice:
        """Return the choice by the number of words that begin with each character."""
        counts = self._word_counts[remaining - 1]
        return _make_choice(self.targets[state], lambda char: counts[self.targets[state][char]])

    def _make_weighted_choice(self, state: int, remaining: int) -> Choice:
        """Return the choice by weights. States with the same choice share one object."""
        viable = self.viable[remaining - 1].intersection(self.targets[state].values())
        key = (state, viable)
        if key not in self._weighted_choices:
            self._weighted_choices[key] = _make_choice(
                {char: target for char, target in self.targets[state].items() if target in viable},
                self._weights[state].__getitem__,
            )
        return self._weighted_choices[key]

    def _make_row(self, state: int, remaining: int) -> Row:
        """Return the choice in a state as a row. Choices that are one object share their row."""
        choice = self.layers[remaining][state]
        if id(choice) not in self._row_of_choice:
            steps = tuple(self._steps[state][char] for char in choice.characters)
            # there are many uniform choices, and few numbers choose by each
            by_byte = _UNDECIDED if self._uniform else _steps_by_first_byte(choice.thresholds, steps)
            self._row_of_choice[id(choice)] = (by_byte, choice.thresholds, steps)
        return self._row_of_choice[id(choice)]

    def _decide_tie(self, random: Random, state: int, remaining: int, number: int) -> int:
        """Return the index of the character that a number chooses although it equals a threshold."""
        characters = self.layers[remaining][state].characters
        if self._uniform:
            counts = self._word_counts[remaining - 1]
            weights = [counts[self.targets[state][char]] for char in characters]
        else:
            weights = [self._weights[state][char] for char in characters]
        return _choose_exactly(random, weights, number)


def _choose_exactly(random: Random, weights: Sequence[int], number: int) -> int:
    """Return the index that a number of 64 bits chooses by weights.

    Draw more bits as long as the number equals a threshold that was rounded down.
    """
    *sums, total = accumulate(weights)
    digits = number
    bits = _BITS
    while True:
        index = bisect_right([(weight << bits) // total for weight in sums], digits)
        threshold, remainder = divmod(sums[index - 1] << bits, total)  # of no use if the index is 0
        if index == 0 or digits != threshold or not remainder:
            return index
        digits = (digits << _BITS) | random.getrandbits(_BITS)
        bits += _BITS


def _thresholds(weights: Iterable[int]) -> Sequence[int]:
    """Return the upper threshold of each weight: a share of the range of 64 bits, rounded down."""
    sums = list(accumulate(weights))
    return [weight * _RANGE // sums[-1] for weight in sums]  # the last one is above every draw


def _allowed_weights(automaton: Automaton, state: int, weigh: Weigh | None) -> Mapping[str, int]:
    """Return the weights of the characters that a state allows, in the order of the characters."""
    if state == SINK:
        return {}
    allowed = automaton.allowed(state)
    weights = dict.fromkeys(allowed, 1) if weigh is None else weigh(state)
    return {char: weights[char] for char in sorted(allowed) if weights[char]}


def _make_choice(targets: Mapping[str, int], weight: Callable[[str], int]) -> Choice:
    """Return the choice between characters. Those of weight 0 are left out."""
    weights = {char: weight(char) for char in targets}
    characters = tuple(char for char in targets if weights[char])
    thresholds = _thresholds(weights[char] for char in characters)
    return Choice(thresholds, characters, tuple(targets[char] for char in characters))


def _steps_by_first_byte(thresholds: Sequence[int], steps: Sequence[Step]) -> list[Step | None]:
    """Return the step that each first byte of a number chooses, or None if later bytes decide."""
    by_byte: list[Step | None] = []
    for threshold, step in zip(thresholds, steps, strict=True):
        byte = threshold >> (_BITS - 8)
        by_byte += [step] * (byte - len(by_byte))
        if len(by_byte) == byte:
            by_byte.append(None)
    return by_byte


def draw_exploring(automaton: Automaton, sampler: Sampler, random: Random) -> Iterator[str]:
    """Draw words of the sampler, until they have taken every transition that its words can take.

    Each word takes at least one transition that no word before took.
    """
    explorer = _Explorer(automaton, sampler)
    while explorer.untaken:
        yield explorer.draw_word(random)


class _Explorer:
    """Draws words. `untaken` maps each transition that no word has taken yet to the state that it leads to.

    A transition is a state and a class of characters. Sets of lengths are the bits of an integer: bit n is
    set if length n is in the set.
    """

    def __init__(self, automaton: Automaton, sampler: Sampler) -> None:
        self._viable = sampler.viable
        self._start = automaton.start
        #: By state and class: the characters that the sampler draws, and the next state.
        self._steps: list[dict[int, tuple[list[str], int]]] = []
        for targets in sampler.targets:
            row: dict[int, tuple[list[str], int]] = {}
            for char, target in targets.items():
                characters, _ = row.setdefault(automaton.classes[char], ([], target))
                characters.append(char)
            self._steps.append(row)
        self._reached = self._states_by_length()
        #: By state: the lengths of texts from the start to the state, and from the state to acceptance.
        self._lengths_before = _lengths_by_state(self._reached, len(self._steps))
        self._lengths_after = _lengths_by_state(self._viable, len(self._steps))
        self._lengths = sum(1 << length for length in frozenset(sampler.lengths))
        self.untaken: dict[tuple[int, int], int] = {}
        for state, row in enumerate(self._steps):
            for kind, (_, target) in row.items():
                if self._lengths_around(state, target) is not None:
                    self.untaken[state, kind] = target

    def draw_word(self, random: Random) -> str:
        """Draw a word that takes at least one of the transitions that were not taken.

        From now on, all transitions of the word count as taken.
        """
        untaken = list(self.untaken)
        source, kind = untaken[draw_below(random, len(untaken))]
        lengths = self._lengths_around(source, self.untaken[source, kind])
        assert lengths is not None  # otherwise the transition would not be listed
        length_before, lengths_after = lengths
        # the last layer towards the source has no other state, so the walk ends there
        beginning, _source = self._walk(random, self._start, self._layers_towards(source, length_before))
        characters, target = self._steps[source][kind]
        self.untaken.pop((source, kind), None)  # the walk may have taken it already
        possible_lengths = _lengths_in(lengths_after)
        length_after = possible_lengths[draw_below(random, len(possible_lengths))]
        # each step leads to a state from which one character less reaches acceptance
        layers_to_acceptance = self._viable[:length_after][::-1]
        end, _ = self._walk(random, target, layers_to_acceptance)
        return beginning + characters[draw_below(random, len(characters))] + end

    def _walk(self, random: Random, start: int, layers: Sequence[AbstractSet[int]]) -> tuple[str, int]:
        """Take a step into each layer of states in turn, by a new transition if one leads there.

        Return (text, last state).
        """
        text = ""
        state = start
        for layer in layers:
            kinds = [kind for kind, (_, target) in self._steps[state].items() if target in layer]
            new_kinds = [kind for kind in kinds if (state, kind) in self.untaken]
            candidates = new_kinds or kinds
            kind = candidates[draw_below(random, len(candidates))]
            self.untaken.pop((state, kind), None)
            characters, state = self._steps[state][kind]
            text += characters[draw_below(random, len(characters))]
        return text, state

    def _lengths_around(self, source: int, target: int) -> tuple[int, int] | None:
        """Return the minimum length before a transition, and the set of lengths that can follow it.

        Return None if no word takes the transition.
        """
        for before in _lengths_in(self._lengths_before[source]):
            # a word has the characters before the transition, its own character, and those after it
            after = self._lengths_after[target] & (self._lengths >> (before + 1))
            if after:
                return before, after
        return None

    def _states_by_length(self) -> list[frozenset[int]]:
        """Return, by number of characters, the states to which texts of this length lead."""
        layers = [frozenset((self._start,))]
        for _ in self._viable[1:]:
            targets = (target for state in layers[-1] for _, target in self._steps[state].values())
            layers.append(frozenset(targets))
        return layers

    def _layers_towards(self, state: int, length: int) -> Sequence[AbstractSet[int]]:
        """Return, for each of the `length` steps from the start, the states after which `state` is reachable.

        Reachable means with exactly the steps that remain.
        """
        layers: list[AbstractSet[int]] = [{state}]
        for sources in self._reached[length - 1 : 0 : -1]:
            goals = layers[-1]
            layers.append({source for source in sources if self._leads_to(source, goals)})
        return layers[:length][::-1]

    def _leads_to(self, source: int, goals: AbstractSet[int]) -> bool:
        """Return True if a step leads from a state to one of the goals."""
        return any(target in goals for _, target in self._steps[source].values())


def _lengths_in(bits: int) -> list[int]:
    """Return the lengths in a set of lengths, the smallest first."""
    return [length for length in range(bits.bit_length()) if (bits >> length) & 1]


def _lengths_by_state(layers: Sequence[AbstractSet[int]], states: int) -> list[int]:
    """Return, for each state, the set of the numbers of the layers that contain it, as bits."""
    lengths = [0] * states
    for length, layer in enumerate(layers):
        for state in layer:
            lengths[state] |= 1 << length
    return lengths
