"""Compiled sampling: the texts of a `Generator`, about ten times as fast.

A generator spends random numbers of 64 bits in a fixed order: one for the length of each word, one for each
character, and for an invalid text two for its edit. `Sampler` and `Mutator` say what a number chooses. Here,
numpy reads the same numbers from the same Mersenne Twister, and compiled loops look the choices up in arrays.
So the texts are the same, byte for byte. If a number equals a threshold, it does not decide; then the sampler
makes the word, because it knows how to draw more bits. The same holds for choices that are not in the arrays
yet.

The price is a second way to do what `words.sampling` and `words.mutation` do, in this module and in `columns`
and `seen`, and the libraries of the batch engine. A test compares every text with that of the generator. The
first process spends two seconds on the compilation of the loops; later ones read them from a cache. The gain,
measured by tests/bench/bench_generate.py: 680,000 to 830,000 valid texts a second instead of 107,000 to
131,000, and 550,000 to 660,000 invalid ones instead of 62,000 to 76,000. docs/performance.md has the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from urlharness.batch.kernels import copy_spans, kernel
from urlharness.batch.tables import ColumnTexts, offsets_of
from urlharness.generate.checks import VALID, LabelChecks
from urlharness.generate.columns import (
    CUT,
    DELETE,
    EDIT_KINDS,
    NO_CLASS,
    REPLACE,
    InvalidLabels,
    LabelNames,
    SampleColumns,
)
from urlharness.generate.kinds import Generator, Sample, text_bytes
from urlharness.generate.seen import SeenTexts, doubled
from urlharness.words.mutation import Mutator
from urlharness.words.sampling import Sampler
from urlharness.words.shards import SIZE
from urloracle.automata.dfa import SINK, Automaton

_BYTES = 256  # values of a byte
_HALF = (1 << 32) - 1  # the lower half of a number of 64 bits


class CompiledSampler:
    """Draws the shards of valid and invalid texts of a generator, as a `FastSampler` of a request."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._words = _CompiledWords(generator.sampler)
        self._checks = LabelChecks(generator.spec, generator.rule)

    def draw_shard(self, kind: str, random: Random) -> tuple[SampleColumns, NDArray[Any]]:
        """Return (texts of a shard, mask of the texts that have an allowed length).

        Raise WrongLabel if a label is wrong.
        """
        # in the order in which a generator draws them
        twister = _Twister(random)
        lengths = self._words.draw_lengths(random, twister)
        word_numbers = twister.draw(int(lengths.sum()))
        edit_numbers = twister.draw(2 * SIZE) if kind == "invalid" else None
        twister.give_back()
        words = self._words.make_words(random, lengths, word_numbers)
        if edit_numbers is not None:
            return self._break_words(words, edit_numbers)
        self._checks.check(words, np.full(len(words), VALID))
        return SampleColumns(words.octets, words.offsets), np.ones(len(words), np.bool_)

    def distinct(
        self,
        first: Iterable[Sample],
        shards: Iterable[tuple[SampleColumns, NDArray[Any]]],
        every: Iterable[Sample],
    ) -> Iterator[Sequence[Sample]]:
        """Yield each text once, many texts at a time; see `words.shards.distinct`."""
        seen = SeenTexts()
        for sample in first:
            if seen.add_text(sample.text):
                yield [sample]
        for columns, fits in shards:
            is_new, has_ended = seen.add(columns.octets, columns.offsets, fits)
            yield columns if is_new.all() else columns.selected(is_new)
            if has_ended:
                break
        for sample in every:
            if seen.add_text(sample.text):
                yield [sample]

    def _break_words(self, words: ColumnTexts, numbers: NDArray[Any]) -> tuple[SampleColumns, NDArray[Any]]:
        """Break each word by the edit that two numbers choose. Return what `draw_shard` returns."""
        edits = self._edits.choose_edits(words, numbers)
        texts = self._edits.apply_edits(words, edits)
        lengths = self._generator.lengths
        fits = edits.exists & (lengths[0] <= edits.lengths) & (edits.lengths <= lengths[-1])
        self._checks.check(texts, edits.places, fits)
        rules = self._checks.broken_rules(texts, edits.places, fits)
        word_begins = words.offsets[:-1]
        word_ends = words.offsets[1:]
        names = LabelNames(self._checks.rule_names, self._edits.class_names, self._edits.members)
        labels = InvalidLabels(
            places=edits.places,
            rules=rules,
            classes=edits.classes,
            kinds=edits.kinds,
            members=edits.members,
            word_spans=np.stack((word_begins, word_ends), axis=1),
            words=words.octets,
            names=names,
        )
        return SampleColumns(texts.octets, texts.offsets, labels), fits

    @cached_property
    def _edits(self) -> _CompiledEdits:
        return _CompiledEdits(self._generator.automaton, self._generator.mutator)


class _Twister:
    """The Mersenne Twister of a `Random`, from which numpy reads what `getrandbits` would return."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._generator = np.random.MT19937()
        self.take(random)

    def draw(self, count: int) -> Any:
        """Draw numbers of 64 bits, as `words.sampling.draw_numbers` does."""
        halves = self._generator.random_raw(2 * count).astype("<u4")  # the lower half of a number first
        return halves.view("<u8").astype(np.uint64, copy=False)

    def take(self, random: Random) -> None:
        """Continue from the state of `random`."""
        _, (*key, position), _ = random.getstate()
        state = {"key": np.array(key, np.uint32), "pos": position}
        self._generator.state = {"bit_generator": "MT19937", "state": state}

    def undo(self) -> None:
        """Go back to the state of `random`, as if nothing had been drawn since."""
        self.take(self._random)

    def give_back(self) -> None:
        """Let `random` continue after the numbers that were drawn."""
        state = self._generator.state["state"]
        key_and_position = (*state["key"].tolist(), int(state["pos"]))
        # 3 is the version of the format, and None says that `gauss` has no number in store
        self._random.setstate((3, key_and_position, None))


#: The number of choices and of steps for which the arrays have room at first.
_CHOICES = 64
_STEPS = 4096


class _Choices(NamedTuple):
    """The choices of a sampler as arrays. A choice is a row; its steps are those from `firsts` up to `ends`.

    A step has an upper threshold, a character, and the next state. `guide` has, for each first byte of a
    number, how many steps of the row are certainly below the number.
    """

    firsts: NDArray[Any]
    ends: NDArray[Any]
    guide: NDArray[Any]
    thresholds: NDArray[Any]
    characters: NDArray[Any]
    targets: NDArray[Any]


class _CompiledWords:
    """Draws the words of a sampler. The arrays grow when the sampler computes further choices."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._lengths = np.array(sampler.lengths)
        self._length_thresholds = np.array(sampler.length_thresholds[:-1], np.uint64)
        layer_count = len(sampler.layers)
        state_count = len(sampler.targets)
        #: By number of characters left and by state: the row of the choice, or -1 if it is not in the arrays.
        self._rows = np.full((layer_count, state_count), -1, np.int32)
        self._known = [0] * layer_count  # by number of characters left: how many choices are known
        self._row_of: dict[int, int] = {}  # by identity of a choice, which the sampler never drops
        self._row_count = 0
        self._step_count = 0
        self._choices = _Choices(
            firsts=np.empty(_CHOICES, np.int64),
            ends=np.empty(_CHOICES, np.int64),
            guide=np.empty((_CHOICES, _BYTES), np.uint8),
            thresholds=np.empty(_STEPS, np.uint64),
            characters=np.empty(_STEPS, np.uint8),
            targets=np.empty(_STEPS, np.int32),
        )

    def draw_lengths(self, random: Random, twister: _Twister) -> Any:
        """Draw the lengths of the words of a shard, as `Sampler.draw_lengths` does.

        Nothing may have been drawn from `twister` before, because lengths of which one is a tie are drawn
        anew from `random`. Then `twister` continues from the state of `random`.
        """
        numbers = twister.draw(SIZE)
        if self._sampler.length_ties.isdisjoint(numbers.tolist()):
            indexes = np.searchsorted(self._length_thresholds, numbers, "right")
            return self._lengths[indexes]
        twister.undo()  # a number equals a threshold, and the sampler knows how to draw more bits
        lengths = self._sampler.draw_lengths(random, SIZE)
        twister.take(random)
        return np.array(lengths)

    def make_words(self, random: Random, lengths: NDArray[Any], numbers: NDArray[Any]) -> ColumnTexts:
        """Return the words that numbers choose, one number for each character.

        Draw from `random` only if a number does not decide.
        """
        offsets = offsets_of(lengths)
        octets = np.empty(offsets[-1], np.uint8)
        is_undecided = np.zeros(len(lengths), np.bool_)
        _draw_words(self._choices, self._rows, self._sampler.start, numbers, offsets, octets, is_undecided)
        undecided = np.flatnonzero(is_undecided).tolist()
        for undecided_word in undecided:
            span = slice(int(offsets[undecided_word]), int(offsets[undecided_word + 1]))
            word = self._sampler.make_word(random, numbers[span].tolist())
            octets[span] = np.frombuffer(word.encode("ascii"), np.uint8)
        if undecided:
            self._add_choices()
        return ColumnTexts(octets, offsets, None)

    def _add_choices(self) -> None:
        """Add the choices that the sampler has computed since the last call."""
        for remaining, layer in enumerate(self._sampler.layers):
            new_states = list(layer)[self._known[remaining] :]
            for state in new_states:
                choice = layer[state]
                key = id(choice)  # states with equal choices share one object
                if key not in self._row_of:
                    self._row_of[key] = self._add_choice(*choice)
                self._rows[remaining, state] = self._row_of[key]
            self._known[remaining] = len(layer)

    def _add_choice(
        self, thresholds: Sequence[int], characters: Sequence[str], targets: Sequence[int]
    ) -> int:
        """Add a choice, and return its row."""
        row = self._row_count
        first = self._step_count
        end = first + len(thresholds)
        choices = self._make_room(end)
        # the last threshold is 1 << 64, above every number and too large for the array
        below_last = np.array(thresholds[:-1], np.uint64)
        choices.thresholds[first:end] = np.append(below_last, np.uint64((1 << 64) - 1))
        choices.characters[first:end] = np.frombuffer("".join(characters).encode("ascii"), np.uint8)
        choices.targets[first:end] = targets
        choices.firsts[row] = first
        choices.ends[row] = end
        lowest_numbers = np.arange(_BYTES, dtype=np.uint64) << np.uint64(56)  # by first byte
        choices.guide[row] = np.searchsorted(below_last, lowest_numbers, "right")
        self._row_count = row + 1
        self._step_count = end
        return row

    def _make_room(self, steps: int) -> _Choices:
        """Make room for one more row, and for so many steps. Return the arrays."""
        choices = self._choices
        if self._row_count == len(choices.firsts):
            choices = choices._replace(
                firsts=doubled(choices.firsts), ends=doubled(choices.ends), guide=doubled(choices.guide)
            )
        while steps > len(choices.thresholds):
            choices = choices._replace(
                thresholds=doubled(choices.thresholds),
                characters=doubled(choices.characters),
                targets=doubled(choices.targets),
            )
        self._choices = choices
        return choices


@kernel
def _draw_words(
    choices: _Choices,
    rows: NDArray[Any],
    start: int,
    numbers: NDArray[Any],
    offsets: NDArray[Any],
    octets: NDArray[Any],
    is_undecided: NDArray[Any],
) -> None:
    """Write the words that numbers choose to `octets`.

    Mark a word in `is_undecided` if a number equals a threshold, or if `rows` does not know a choice yet.
    """
    for word in range(len(offsets) - 1):
        state = start
        for position in range(offsets[word], offsets[word + 1]):
            row = rows[offsets[word + 1] - position, state]
            if row < 0:
                is_undecided[word] = True
                break
            number = numbers[position]
            first = choices.firsts[row]
            last = choices.ends[row] - 1
            step = first + choices.guide[row, number >> np.uint64(56)]
            while step < last and choices.thresholds[step] <= number:
                step += 1
            if step > first and choices.thresholds[step - 1] == number:
                is_undecided[word] = True
                break
            octets[position] = choices.characters[step]
            state = choices.targets[step]


#: Where a word can be edited, in the order of the fields of `BreakingKinds`.
_AT_END, _BEFORE_END, _WITH_DELETION = range(3)
_NO_EDIT = -1


class _Edits(NamedTuple):
    """An edit for each word. `rests` are the offsets in the words at which their unchanged ends begin.

    `kinds`, `classes` and `members` are numbers as in `InvalidLabels`, `lengths` the numbers of characters of
    the texts. `exists` is a mask of the words that an edit breaks.
    """

    exists: NDArray[Any]
    places: NDArray[Any]
    rests: NDArray[Any]
    kinds: NDArray[Any]
    classes: NDArray[Any]
    members: NDArray[Any]
    lengths: NDArray[Any]


class _EditTables(NamedTuple):
    """The tables that decide about edits, by state.

    `following` has the next state by byte, and `accepting` is a mask of states. `kinds` has the kinds of
    edits that break a word, by state and by where the word is edited; `kind_counts` has their numbers.
    """

    following: NDArray[Any]
    accepting: NDArray[Any]
    kinds: NDArray[Any]
    kind_counts: NDArray[Any]


class _CompiledEdits:
    """Breaks words as `Mutator.break_by` does."""

    def __init__(self, automaton: Automaton, mutator: Mutator) -> None:
        self._start = automaton.start
        self._tables = _edit_tables(automaton, mutator)
        self.class_names = tuple(kind.name for kind in mutator.classes)
        #: The characters of all classes, one class after the other.
        self.members = tuple(char for kind in mutator.classes for char in kind.members)
        self._first_member = offsets_of([len(kind.members) for kind in mutator.classes])  # by class
        class_numbers = {kind: number for number, kind in enumerate(mutator.classes)}
        self._class_of = np.full(_BYTES, NO_CLASS)
        for kind, number in class_numbers.items():
            for char in filter(str.isascii, kind.members):
                self._class_of[ord(char)] = number

        forbidden: list[int] = []
        forbidden_counts = []
        for state in range(len(automaton.table)):
            kinds = mutator.forbidden_classes(state)
            forbidden += [class_numbers[kind] for kind in kinds]
            forbidden_counts.append(len(kinds))
        self._forbidden = np.array(forbidden)
        self._first_forbidden = offsets_of(forbidden_counts)  # by state

        member_bytes = [text_bytes(char) for char in self.members]
        self._member_bytes = np.frombuffer(b"".join(member_bytes), np.uint8)
        self._member_sizes = np.array([len(content) for content in member_bytes])
        self._first_byte = offsets_of(self._member_sizes)  # by member

    def choose_edits(self, words: ColumnTexts, numbers: NDArray[Any]) -> _Edits:
        """Return the edit of each word that two numbers choose: see `Mutator.break_by`."""
        count = len(words)
        places = np.zeros(count, np.int32)
        kinds = np.full(count, _NO_EDIT, np.int32)
        states = np.zeros(count, np.int64)
        sizes = np.diff(words.offsets)
        states_of_word = np.empty(int(sizes.max(initial=0)) + 1, np.int64)
        edit_numbers = numbers[::2]
        character_numbers = numbers[1::2]
        _choose_edits(
            words.octets,
            words.offsets,
            self._start,
            self._tables,
            edit_numbers,
            states_of_word,
            places,
            kinds,
            states,
        )
        exists = kinds != _NO_EDIT
        inserts = exists & (kinds < DELETE)
        deletes = kinds == DELETE
        classes = np.full(count, NO_CLASS, np.int32)
        members = np.zeros(count, np.int32)
        inserted_classes, inserted_members = self._choose_characters(
            states[inserts], character_numbers[inserts]
        )
        classes[inserts] = inserted_classes
        members[inserts] = inserted_members
        # the character after a deleted one is the error, unless the deleted one was the last
        is_followed = deletes & (places + 1 < sizes)
        classes[is_followed] = self._classes_after(words, places, is_followed)
        removes_one = (kinds == REPLACE) | deletes
        removes_rest = (kinds == CUT) | ~exists
        rests = np.where(removes_rest, sizes, places + removes_one)
        lengths = places + inserts + sizes - rests
        return _Edits(exists, places, rests, kinds, classes, members, lengths)

    def _classes_after(
        self, words: ColumnTexts, places: NDArray[Any], selected: NDArray[Any]
    ) -> NDArray[Any]:
        """Return the classes of the characters after places, in the words that a mask selects."""
        word_begins = words.offsets[:-1]
        positions = (word_begins + places + 1)[selected]
        return self._class_of[words.octets[positions]]

    def apply_edits(self, words: ColumnTexts, edits: _Edits) -> ColumnTexts:
        """Return the words after their edits.

        Each text is made of three spans: the beginning of the word, the inserted character, the end of the
        word.
        """
        shape = (len(words), 3)
        word_begins = words.offsets[:-1]
        source = np.concatenate((words.octets, self._member_bytes))
        begins = np.empty(shape, np.int64)
        begins[:, 0] = word_begins
        begins[:, 1] = len(words.octets) + self._first_byte[edits.members]
        begins[:, 2] = word_begins + edits.rests
        sizes = np.zeros(shape, np.int64)
        sizes[:, 0] = edits.places
        inserts = edits.exists & (edits.kinds < DELETE)
        inserted = edits.members[inserts]
        sizes[inserts, 1] = self._member_sizes[inserted]
        sizes[:, 2] = np.diff(words.offsets) - edits.rests
        offsets = offsets_of(sizes.reshape(-1))
        octets = np.empty(offsets[-1], np.uint8)
        starts = np.zeros(begins.size, np.int64)  # `begins` count from the start of `source`
        copy_spans(source, starts, begins.reshape(-1), offsets, octets)
        return ColumnTexts(octets, offsets[::3].copy(), None)

    def _choose_characters(
        self, states: NDArray[Any], numbers: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return class and member of a character forbidden in each state. Halves of a number choose them."""
        first_forbidden = self._first_forbidden[states]
        class_counts = self._first_forbidden[states + 1] - first_forbidden
        low = numbers & np.uint64(_HALF)
        classes = self._forbidden[first_forbidden + _scaled(low, class_counts)]
        first_member = self._first_member[classes]
        member_counts = self._first_member[classes + 1] - first_member
        high = numbers >> np.uint64(32)
        return classes, first_member + _scaled(high, member_counts)


def _edit_tables(automaton: Automaton, mutator: Mutator) -> _EditTables:
    """Return the choices of a mutator as arrays. An entry of `kinds` after the last kind is never read."""
    state_count = len(automaton.table)
    following = np.full((state_count, _BYTES), SINK, np.int64)
    for char, kind in automaton.classes.items():
        following[:, ord(char)] = [row[kind] for row in automaton.table]
    kinds = np.zeros((state_count, 3, len(EDIT_KINDS)), np.int64)
    kind_counts = np.zeros((state_count, 3), np.int64)
    accepting = np.zeros(state_count, np.bool_)
    for state in range(state_count):
        accepting[state] = state in automaton.accepting
        for situation, names in enumerate(mutator.breaking_kinds(state)):
            kind_numbers = [EDIT_KINDS.index(name) for name in names]
            kinds[state, situation, : len(names)] = kind_numbers
            kind_counts[state, situation] = len(names)
    return _EditTables(following, accepting, kinds, kind_counts)


@kernel
def _choose_edits(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    start: int,
    tables: _EditTables,
    numbers: NDArray[Any],
    states_of_word: NDArray[Any],
    places: NDArray[Any],
    kinds: NDArray[Any],
    states: NDArray[Any],
) -> None:
    """Write offset and kind of the edit of each word, and the state there. If there is none, change nothing.

    The halves of a number choose offset and kind. If no edit breaks the word at the offset, the next offset
    is tried. `states_of_word` has room for the states along the longest word.
    """
    half = np.uint64(32)
    for word in range(len(offsets) - 1):
        begin = offsets[word]
        size = offsets[word + 1] - begin
        state = start
        for position in range(size):
            states_of_word[position] = state
            state = tables.following[state, octets[begin + position]]
        states_of_word[size] = state
        low = numbers[word] & np.uint64(_HALF)
        high = numbers[word] >> half
        at = np.int64((low * np.uint64(size + 1)) >> half)
        for _ in range(size + 1):
            state = states_of_word[at]
            situation = _situation(tables, octets, begin + at, offsets[word + 1], state)
            count = tables.kind_counts[state, situation]
            if count:
                choice = np.int64((high * np.uint64(count)) >> half)
                kinds[word] = tables.kinds[state, situation, choice]
                places[word] = at
                states[word] = state
                break
            at = at + 1 if at < size else 0


@kernel
def _situation(tables: _EditTables, octets: NDArray[Any], position: int, end: int, state: int) -> int:
    """Return where the word is edited: at its end, before it, or where a deletion also breaks it."""
    if position == end:
        return _AT_END
    if position + 1 < end:
        deletion_breaks = tables.following[state, octets[position + 1]] == SINK
    else:
        deletion_breaks = not tables.accepting[state]
    return _WITH_DELETION if deletion_breaks else _BEFORE_END


def _scaled(halves: NDArray[Any], counts: NDArray[Any]) -> Any:
    """Return numbers from 0 up to the counts: the shares of the counts that numbers of 32 bits choose."""
    products = halves * counts.astype(np.uint64)
    return (products >> np.uint64(32)).astype(np.int64)
