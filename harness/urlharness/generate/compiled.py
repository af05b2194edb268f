"""Texts with labels, drawn many at a time. They are the same as those of a `Generator` without an engine.

The compiled loops use the same random numbers as the generator, and choose the same texts from them. If a
loop cannot decide, for example because a draw equals a threshold, the sampler itself makes the word. Automata
of another construction check each verdict and offset. The automata of the error messages check each offset,
too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from urlharness.batch.kernels import copy_spans, kernel
from urlharness.batch.tables import ColumnTexts, byte_table, states_by_scheme
from urlharness.generate.kinds import Generator, Sample, WrongLabel
from urlharness.generate.recognition import JoinedAutomata, recognizer
from urlharness.text import plain
from urlharness.words.mutation import Edit, EditKind, Mutator
from urlharness.words.sampling import Sampler
from urlharness.words.shards import REPEATS, SIZE
from urloracle.automata.dfa import ASCII, determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Reference

_VALID = -1
_EDITS: tuple[EditKind, ...] = ("insert", "replace", "append", "delete", "cut")
_INSERT, _REPLACE, _APPEND, _DELETE, _CUT = range(5)
_MOST_TOP = 256  # how many values the first byte of a number has


@kernel
def _draw_words(
    lengths: Any, offsets: Any, numbers: Any, start: int, rows: Any, firsts: Any, ends: Any, guide: Any,
    thresholds: Any, characters: Any, targets: Any, data: Any, left_open: Any,
) -> None:  # fmt: skip
    """Write the words that numbers choose to `data`.

    Mark a word in `left_open` if a number equals a threshold, or if the choice in a state is not known yet.
    """
    for word in range(len(lengths)):
        state = start
        for position in range(offsets[word], offsets[word + 1]):
            row = rows[offsets[word + 1] - position, state]
            if row < 0:
                left_open[word] = True
                break
            number = numbers[position]
            first, last = firsts[row], ends[row] - 1
            place = first + guide[row, number >> np.uint64(56)]
            while place < last and thresholds[place] <= number:
                place += 1
            if place > first and thresholds[place - 1] == number:
                left_open[word] = True
                break
            data[position] = characters[place]
            state = targets[place]


@kernel
def _break_words(  # noqa: PLR0912, PLR0915, C901 - one loop, which repeats `Mutator.broken`
    data: Any, offsets: Any, edits: Any, start: int, following: Any, accepting: Any, first_class: Any,
    classes: Any, first_member: Any, first_byte: Any, member_bytes: Any, class_of: Any, shortest: int,
    longest: int, broken: Any, ends: Any, places: Any, kinds: Any, of_class: Any, members: Any, fits: Any,
) -> None:  # fmt: skip
    """Break each word by the edit that two numbers choose.

    Write the texts to `broken` and `ends`, and the edits to `places`, `kinds`, `of_class` and `members`. Mark
    in `fits` the texts that have an allowed length.
    """
    half, states, kind_of = np.uint64(32), np.zeros(4200, np.int64), np.zeros(4, np.int64)
    out = 0
    for word in range(len(offsets) - 1):
        begin, size = offsets[word], offsets[word + 1] - offsets[word]
        state = start
        for position in range(size):
            states[position] = state
            state = following[state, data[begin + position]]
        states[size] = state
        one, other = edits[2 * word], edits[2 * word + 1]
        low, high = one & np.uint64(0xFFFFFFFF), one >> half
        place = np.int64(low * np.uint64(size + 1) >> half)
        count = 0
        for _ in range(size + 1):
            state = states[place]
            forbidden = first_class[state + 1] - first_class[state]
            if forbidden and place < size:
                kind_of[0], kind_of[1], count = _INSERT, _REPLACE, 2
            elif forbidden:
                kind_of[0], count = _APPEND, 1
            if place < size:
                if place + 1 < size:
                    shorter = following[state, data[begin + place + 1]] == 0
                else:
                    shorter = not accepting[state]
                if shorter:
                    kind_of[count] = _DELETE
                    count += 1
                if not accepting[state]:
                    kind_of[count] = _CUT
                    count += 1
            if count:
                break
            place = place + 1 if place < size else 0
        if count:
            kind = kind_of[np.int64(high * np.uint64(count) >> half)]
            length = size + (kind == _INSERT) + (kind == _APPEND) - (kind == _DELETE)
            if kind == _CUT:
                length = place
            fits[word] = shortest <= length <= longest
            places[word], kinds[word] = place, kind
            for position in range(place):
                broken[out + position] = data[begin + position]
            out += place
            rest = place
            of_class[word] = -1
            if kind < _DELETE:
                low, high = other & np.uint64(0xFFFFFFFF), other >> half
                chosen = classes[first_class[state] + np.int64(low * np.uint64(forbidden) >> half)]
                choice = first_member[chosen + 1] - first_member[chosen]
                member = first_member[chosen] + np.int64(high * np.uint64(choice) >> half)
                of_class[word], members[word] = chosen, member
                for position in range(first_byte[member], first_byte[member + 1]):
                    broken[out] = member_bytes[position]
                    out += 1
                rest = place + (kind == _REPLACE)
            elif kind == _DELETE:
                rest = place + 1
                if rest < size:
                    of_class[word] = class_of[data[begin + rest]]
            else:
                rest = size
            for position in range(rest, size):
                broken[out] = data[begin + position]
                out += 1
        ends[word + 1] = out


@kernel
def _offsets(data: Any, offsets: Any, following: Any, accepting: Any, starts: Any, found: Any) -> None:
    """Write the offset of the error of each text to `found`, or -1 for a valid text.

    The error is at the first byte that cannot continue a valid text, or at the end of a text that ends too
    early.
    """
    for text in range(len(offsets) - 1):
        state = np.int64(starts[text if len(starts) > 1 else 0])
        found[text] = offsets[text + 1] - offsets[text]
        for position in range(offsets[text], offsets[text + 1]):
            state = np.int64(following[state << 8 | np.int64(data[position])])
            if state == 0:
                found[text] = position - offsets[text]
                break
        if state and accepting[state]:
            found[text] = _VALID


@kernel
def _states_before(data: Any, offsets: Any, places: Any, following: Any, starts: Any, found: Any) -> None:
    """Write the state before the offset in `places`, or 0 if the text does not leave the language there."""
    for text in range(len(offsets) - 1):
        state = np.int64(starts[text if len(starts) > 1 else 0])
        end = offsets[text] + places[text]
        for position in range(offsets[text], end):
            state = np.int64(following[state << 8 | np.int64(data[position])])
        if end < offsets[text + 1] and following[state << 8 | np.int64(data[end])]:
            state = 0
        found[text] = state


@kernel
def _hash(data: Any, begin: int, end: int) -> Any:
    found = np.uint64(14695981039346656037)
    for position in range(begin, end):
        found = (found ^ np.uint64(data[position])) * np.uint64(1099511628211)
    return found ^ found >> np.uint64(29)


@kernel
def _take_unseen(  # noqa: C901 - one loop
    data: Any, offsets: Any, fits: Any, slots: Any, hashes: Any, arena: Any, bounds: Any, count: int,
    repeats: int, most: int, new: Any,
) -> Any:  # fmt: skip
    """Add texts to the seen ones, and mark the new ones in `new`. Stop after `most` known texts in a row.

    A text that `fits` does not mark counts as known. Return (number of seen texts, number of known texts
    after the last new one, whether the loop stopped).
    """
    mask = np.uint64(len(slots) - 1)
    for text in range(len(offsets) - 1):
        known = not fits[text]
        if not known:
            begin, end = offsets[text], offsets[text + 1]
            value = _hash(data, begin, end)
            slot = value & mask
            while slots[slot] >= 0:
                other = slots[slot]
                if hashes[other] == value and bounds[other + 1] - bounds[other] == end - begin:
                    same = True
                    for position in range(end - begin):
                        if arena[bounds[other] + position] != data[begin + position]:
                            same = False
                            break
                    if same:
                        known = True
                        break
                slot = slot + np.uint64(1) & mask
            if not known:
                slots[slot], hashes[count] = count, value
                for position in range(end - begin):
                    arena[bounds[count] + position] = data[begin + position]
                count += 1
                bounds[count] = bounds[count - 1] + end - begin
                new[text] = True
        repeats = repeats + 1 if known else 0
        if known and repeats == most:
            return count, repeats, True
    return count, repeats, False


@kernel
def _refill(slots: Any, hashes: Any, count: int) -> None:
    mask = np.uint64(len(slots) - 1)
    for text in range(count):
        slot = hashes[text] & mask
        while slots[slot] >= 0:
            slot = slot + np.uint64(1) & mask
        slots[slot] = text


class _Seen:
    """The texts seen so far: their bytes one after the other, and a hash table of the texts."""

    def __init__(self) -> None:
        self._slots = np.full(1 << 14, -1, np.int32)
        self._hashes = np.empty(1 << 13, np.uint64)
        self._arena, self._bounds = np.empty(1 << 18, np.uint8), np.zeros((1 << 13) + 1, np.int64)
        self._count, self._repeats = 0, 0

    def take(self, data: Any, offsets: Any, fits: Any, most: int = REPEATS) -> tuple[Any, bool]:
        """Add texts. Return (mask of the new texts, whether `most` texts in a row were known).

        A text that `fits` does not mark counts as known.
        """
        texts = len(offsets) - 1
        if self._count + texts >= len(self._hashes):
            self._hashes, self._bounds = _longer(self._hashes), _longer(self._bounds)
            self._slots = np.full(2 * len(self._hashes), -1, np.int32)
            _refill(self._slots, self._hashes, self._count)
        while self._bounds[self._count] + len(data) > len(self._arena):
            self._arena = _longer(self._arena)
        new = np.zeros(texts, np.bool_)
        self._count, self._repeats, ended = _take_unseen(
            data, offsets, fits, self._slots, self._hashes, self._arena, self._bounds, self._count,
            self._repeats, most, new,
        )  # fmt: skip
        return new, ended

    def is_new(self, text: str) -> bool:
        """Add one text. Return True if it is new."""
        data = np.frombuffer(_raw(text) or b"\0", np.uint8)
        new, _ = self.take(data, np.array([0, len(_raw(text))]), np.ones(1, np.bool_), 0)
        return bool(new[0])


def _longer(array: Any) -> Any:
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


#: The fields of `Columns` with an item for each text.
_BY_TEXT = ("places", "rules", "classes", "kinds", "members", "word_offsets")


@dataclass(frozen=True)
class Columns(Sequence[Sample]):
    """Samples as arrays: text i is `data[offsets[i]:offsets[i + 1]]`.

    If the texts are valid, all other arrays are None. Otherwise, `places` contains the offsets of the errors.
    `rules`, `classes` and `members` are indexes in the three lists of `names`: the broken rules, the classes
    of characters, and the characters that edits insert. `kinds` are indexes in `_EDITS`. `words` contains the
    bytes of the words before the edits, and `word_offsets` the begin and end of the word of each text.
    """

    data: Any
    offsets: Any
    places: Any = None
    rules: Any = None
    classes: Any = None
    kinds: Any = None
    members: Any = None
    words: Any = None
    word_offsets: Any = None
    names: tuple[Sequence[str], Sequence[str], Sequence[str]] = ((), (), ())

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return next(iter(self[key : key + 1]))
        start, stop, _ = key.indices(len(self))
        return replace(self, offsets=self.offsets[start : stop + 1], **self._some(slice(start, stop)))

    def chosen(self, new: Any) -> Columns:
        """Return the samples that a mask marks."""
        sizes = np.diff(self.offsets)
        inside = np.repeat(new, sizes)
        offsets = np.zeros(int(new.sum()) + 1, np.int64)
        np.cumsum(sizes[new], out=offsets[1:])
        data = self.data[self.offsets[0] : self.offsets[-1]][inside]
        return replace(self, data=data, offsets=offsets, **self._some(new))

    def _some(self, key: Any) -> dict[str, Any]:
        """Return the items that a slice or a mask selects, for each array with an item for each text."""
        arrays = {name: getattr(self, name) for name in _BY_TEXT}
        return {name: None if array is None else array[key] for name, array in arrays.items()}

    def __iter__(self) -> Iterator[Sample]:
        data, bounds = self.data.tobytes(), self.offsets.tolist()
        if self.places is None:
            text = data.decode("ascii")
            return (Sample(text[a:b], True) for a, b in pairwise(bounds))
        texts = (data[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(bounds))
        rules, classes, _ = self.names
        numbers = (self.places.tolist(), self.rules.tolist(), self.classes.tolist())
        return (
            Sample(text, False, place, rules[rule], None if kind < 0 else classes[kind], edit)
            for text, edit, place, rule, kind in zip(texts, self.edits(), *numbers, strict=True)
        )

    def edits(self) -> Iterator[Edit]:
        """Yield the edit of each text."""
        words, members = self.words.tobytes().decode("ascii"), self.names[2]
        columns = (self.kinds, self.places, self.members, *self.word_offsets.T)
        for kind, at, member, begin, end in zip(*(column.tolist() for column in columns), strict=True):
            removed = ""
            if kind in (_REPLACE, _DELETE):
                removed = words[begin + at]
            elif kind == _CUT:
                removed = words[begin + at : end]
            yield Edit(_EDITS[kind], at, removed, members[member] if kind < _DELETE else "")

    def inserts(self) -> Any:
        """Return a mask of the edits that insert a character."""
        return self.kinds < _DELETE

    def edit_arrays(self) -> list[Any]:
        """Return kind, offset, removed and inserted bytes of each edit as Arrow arrays."""
        kinds, begins = self.kinds, self.word_offsets[:, 0] + self.places
        ends = np.where(kinds == _CUT, self.word_offsets[:, 1], begins)
        ends = np.where((kinds == _REPLACE) | (kinds == _DELETE), begins + 1, ends)
        bounds = np.zeros(len(self) + 1, np.int32)
        np.cumsum(ends - begins, out=bounds[1:])
        copied = np.empty(int(bounds[-1]), np.uint8)
        copy_spans(self.words, begins, np.zeros(len(self), np.int64), bounds, copied)
        removed = pa.Array.from_buffers(
            pa.binary(), len(self), [None, pa.py_buffer(bounds), pa.py_buffer(copied)]
        )
        members = pa.array([*map(_raw, self.names[2]), b""], pa.binary())
        inserted = members.take(pa.array(np.where(self.inserts(), self.members, len(members) - 1)))
        names = pa.array(_EDITS, pa.string()).take(pa.array(kinds))
        return [names, pa.array(self.places, pa.int32()), removed, inserted]

    def texts(self) -> Any:
        """Return the texts as an Arrow array of bytes."""
        bounds = pa.py_buffer(np.ascontiguousarray(self.offsets))
        return pa.Array.from_buffers(
            pa.large_binary(), len(self), [None, bounds, pa.py_buffer(np.ascontiguousarray(self.data))]
        )


class Drawing:
    """Draws the shards of valid and invalid texts of a generator, as an `Engine` of `generate.requests`."""

    def __init__(self, generator: Generator) -> None:
        self._spec, self._rule = generator.spec, generator.rule
        self._lengths = generator.lengths
        self._words = _Words(generator.sampler)
        self._mutator = generator.mutator
        self._generator = generator
        self._rules: dict[str, int] = {}
        self._rule_of: dict[int, int] = {}

    def shard(self, kind: str, random: Random) -> tuple[Columns, Any]:
        """Return (texts of a shard, mask of the texts that have an allowed length).

        Raise WrongLabel if a label is wrong.
        """
        twister = _Twister(random)
        lengths = self._words.lengths(random, twister)
        drawn = twister.numbers(int(lengths.sum()))
        edits = twister.numbers(2 * SIZE) if kind == "invalid" else None
        twister.give_back()
        data, offsets = self._words.of(random, lengths, drawn)
        if edits is None:
            columns = Columns(data, offsets)
            self._check(columns, np.full(len(columns), _VALID))
            return columns, np.ones(len(columns), np.bool_)
        return self._broken(data, offsets, edits)

    def distinct(
        self, first: Iterable[Sample], shards: Iterable[tuple[Columns, Any]], every: Iterable[Sample]
    ) -> Iterator[Sequence[Sample]]:
        """Yield each text once, many texts at a time; see `words.shards.distinct`."""
        seen = _Seen()
        for sample in first:
            if seen.is_new(sample.text):
                yield [sample]
        for columns, fits in shards:
            new, ended = seen.take(columns.data, columns.offsets, fits)
            yield columns if new.all() else columns.chosen(new)
            if ended:
                break
        for sample in every:
            if seen.is_new(sample.text):
                yield [sample]

    def _broken(self, data: Any, offsets: Any, edits: Any) -> tuple[Columns, Any]:
        tables, count = self._edits, len(offsets) - 1
        broken = np.empty(len(data) + 4 * count, np.uint8)
        ends, fits = np.zeros(count + 1, np.int64), np.zeros(count, np.bool_)
        places, kinds, classes, members = (np.zeros(count, np.int32) for _ in range(4))
        given = (data, offsets, edits, *tables, self._lengths[0], self._lengths[-1])
        made = (broken, ends, places, kinds, classes, members, fits)
        _break_words(*(*given, *made))
        columns = Columns(broken[: ends[-1]], ends, places)
        self._check(columns, places, fits)
        rules = self._rules_of(columns, fits)
        names = tuple(self._rules), self._class_names, self._members
        words = np.stack((offsets[:-1], offsets[1:]), 1)
        return replace(
            columns, rules=rules, classes=classes, kinds=kinds, members=members, words=data,
            word_offsets=words, names=names,
        ), fits  # fmt: skip

    def _check(self, columns: Columns, expected: Any, fits: Any = None) -> None:
        """Compare offsets with those of the other automata. Raise WrongLabel if one differs."""
        found = np.empty(len(columns), np.int64)
        automata = self._recognizer
        starts = self._starts(columns, automata.starts)
        _offsets(columns.data, columns.offsets, automata.following, automata.accepting, starts, found)
        wrong = found != expected
        if fits is not None:
            wrong &= fits
        if wrong.any():
            self._disagree(columns, wrong, found)

    def _disagree(self, columns: Columns, wrong: Any, found: Any) -> None:
        number = int(np.flatnonzero(wrong)[0])
        text = columns.data[columns.offsets[number] : columns.offsets[number + 1]].tobytes()
        where = "valid" if found[number] < 0 else f"wrong at offset {found[number]}"
        shown = plain(text.decode("utf-8", "surrogateescape"))
        raise WrongLabel(
            f"{self._spec.id} {self._rule}: wrong label of {shown!r}: by another automaton it is {where}"
        )

    def _rules_of(self, columns: Columns, fits: Any) -> Any:
        """Return the number of the rule that each text breaks. Raise WrongLabel if an offset is wrong."""
        following, starts = self._messages
        found = np.empty(len(columns), np.int64)
        _states_before(
            columns.data, columns.offsets, columns.places, following, self._starts(columns, starts), found
        )
        if (wrong := (found == 0) & fits).any():
            self._disagree(columns, wrong, np.full(len(columns), _VALID))
        found[~fits] = 0
        states, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        for state, number in zip(states.tolist(), first.tolist(), strict=True):
            if state and state not in self._rule_of:
                begin = columns.offsets[number]
                prefix = columns.data[begin : begin + columns.places[number]].tobytes().decode("ascii")
                judge = self._spec.judging_rule(prefix, self._rule)
                _, continuation = self._spec.language(judge).viable(prefix)
                name = continuation.innermost
                self._rule_of[state] = self._rules.setdefault(name, len(self._rules))
        by_state = np.array([self._rule_of.get(state, 0) for state in states.tolist()], np.int32)
        return by_state[inverse]

    def _starts(self, columns: Columns, starts: Mapping[str, int]) -> Any:
        if not self._by_scheme:
            return np.array([starts[self._rule]], np.uint16)
        data, offsets = columns.data.view(), columns.offsets.view()
        data.flags.writeable = offsets.flags.writeable = False  # so that each kernel is compiled once
        return states_by_scheme(ColumnTexts(data, offsets, None), self._spec, starts)

    @cached_property
    def _by_scheme(self) -> bool:
        return self._spec.default_profile(self._rule) == "scheme-specific"

    @property
    def _judges(self) -> list[str]:
        if not self._by_scheme:
            return [self._rule]
        return [*self._spec.schemes.values(), self._spec.unknown_scheme]

    @cached_property
    def _recognizer(self) -> JoinedAutomata:
        return recognizer(self._spec.grammar, self._judges)

    @cached_property
    def _messages(self) -> tuple[Any, Mapping[str, int]]:
        """The automata of the error messages in one table, and the start state of each by rule."""
        rows: list[list[int]] = [[0] * len(ASCII)]
        starts = {}
        for rule in self._judges:
            grammar = self._spec.grammar
            fold = rule.lower() in grammar.fold_scheme
            automaton, _ = determinize(position_automaton(grammar, Reference(rule)), fold_scheme=fold)
            first = len(rows) - 1
            starts[rule] = first + automaton.start
            for row in automaton.table[1:]:
                targets = (row[automaton.classes[char]] if char in automaton.classes else 0 for char in ASCII)
                rows.append([first + target if target else 0 for target in targets])
        return byte_table({char: number for number, char in enumerate(ASCII)}, rows), starts

    @cached_property
    def _class_names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self._mutator.classes)

    @cached_property
    def _members(self) -> tuple[str, ...]:
        return tuple(char for one in self._mutator.classes for char in one.members)

    @cached_property
    def _edits(self) -> tuple[Any, ...]:
        return _edit_tables(self._generator, self._mutator, self._members)


class _Twister:
    """The Mersenne Twister of a `Random`, from which numpy reads what `getrandbits` would return."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._generator = np.random.MT19937()
        self.take(random)

    def numbers(self, count: int) -> Any:
        """Draw numbers of 64 bits, as `words.sampling.numbers` does."""
        return self._generator.random_raw(2 * count).astype("<u4").view("<u8").astype(np.uint64, copy=False)

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
        self._random.setstate((3, (*state["key"].tolist(), int(state["pos"])), None))


class _Words:
    """The choices of a sampler as arrays. The arrays grow when the sampler computes further choices."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self._lengths = np.array(sampler.lengths)
        self._ties = sampler.length_ties
        self._length_thresholds = np.array(sampler.length_thresholds[:-1], np.uint64)
        states = len(sampler.targets)
        self._rows = np.full((len(sampler.layers), states), -1, np.int32)
        self._known = [0] * len(sampler.layers)
        self._numbers: dict[int, int] = {}  # by identity of a choice: its row
        self._count, self._used = 0, 0
        self._firsts, self._ends = np.empty(64, np.int64), np.empty(64, np.int64)
        self._guide = np.empty((64, _MOST_TOP), np.uint8)
        self._thresholds, self._characters = np.empty(4096, np.uint64), np.empty(4096, np.uint8)
        self._targets = np.empty(4096, np.int32)

    def lengths(self, random: Random, twister: _Twister) -> Any:
        """Draw the lengths of the words of a shard, as `Sampler.draw_lengths` does."""
        drawn = twister.numbers(SIZE)
        if self._ties.isdisjoint(drawn.tolist()):
            return self._lengths[np.searchsorted(self._length_thresholds, drawn, "right")]
        twister.undo()
        found = self.sampler.draw_lengths(random, SIZE)
        twister.take(random)
        return np.array(found)

    def of(self, random: Random, lengths: Any, drawn: Any) -> tuple[Any, Any]:
        """Return (bytes of all words that the numbers in `drawn` choose, offsets of the words)."""
        offsets = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        data, left_open = np.empty(int(offsets[-1]), np.uint8), np.zeros(len(lengths), np.bool_)
        _draw_words(
            lengths, offsets, drawn, self.sampler.start, self._rows,
            self._firsts, self._ends, self._guide, self._thresholds, self._characters, self._targets, data,
            left_open,
        )  # fmt: skip
        open_words = np.flatnonzero(left_open).tolist()
        for number in open_words:
            begin, end = int(offsets[number]), int(offsets[number + 1])
            word = self.sampler.word(random, drawn[begin:end].tolist())
            data[begin:end] = np.frombuffer(word.encode("ascii"), np.uint8)
        if open_words:
            self._grow()
        return data, offsets

    def _grow(self) -> None:
        """Add the choices that the sampler has computed since the last call."""
        for left, layer in enumerate(self.sampler.layers):
            for state in list(layer)[self._known[left] :]:
                choice = layer[state]
                if id(choice) not in self._numbers:
                    self._numbers[id(choice)] = self._add(*choice)
                self._rows[left, state] = self._numbers[id(choice)]
            self._known[left] = len(layer)

    def _add(self, thresholds: Sequence[int], characters: Sequence[str], targets: Sequence[int]) -> int:
        size, row = len(thresholds), self._count
        if row == len(self._firsts):
            self._firsts, self._ends = _longer(self._firsts), _longer(self._ends)
            guide = np.empty((2 * row, _MOST_TOP), np.uint8)
            guide[:row] = self._guide
            self._guide = guide
        while self._used + size > len(self._thresholds):
            self._thresholds, self._characters = _longer(self._thresholds), _longer(self._characters)
            self._targets = _longer(self._targets)
        first, end = self._used, self._used + size
        own = np.array([*thresholds[:-1], 2**64 - 1], np.uint64)
        self._thresholds[first:end], self._targets[first:end] = own, targets
        self._characters[first:end] = np.frombuffer("".join(characters).encode("ascii"), np.uint8)
        self._firsts[row], self._ends[row] = first, end
        tops = np.arange(_MOST_TOP, dtype=np.uint64) << np.uint64(56)
        self._guide[row] = np.searchsorted(own[:-1], tops, "right")
        self._count, self._used = row + 1, end
        return row


def _edit_tables(generator: Generator, mutator: Mutator, members: Sequence[str]) -> tuple[Any, ...]:
    """Return the automaton of the edits and the forbidden classes as arrays, for `_break_words`."""
    automaton = generator.whole
    following = np.zeros((len(automaton.table), 256), np.int64)
    for char, kind in automaton.classes.items():
        following[:, ord(char)] = [row[kind] for row in automaton.table]
    accepting = np.array([state in automaton.accepting for state in range(len(automaton.table))])
    numbered = {one: number for number, one in enumerate(mutator.classes)}
    forbidden = [[numbered[one] for one in mutator.forbidden(state)] for state in range(len(accepting))]
    class_of = np.full(256, -1)
    for one, number in numbered.items():
        for char in one.members:
            if char.isascii():
                class_of[ord(char)] = number
    raw = [_raw(char) for char in members]
    return (
        automaton.start,
        following,
        accepting,
        _sums(map(len, forbidden)),
        np.array([number for row in forbidden for number in row]),
        _sums(len(one.members) for one in mutator.classes),
        _sums(map(len, raw)),
        np.frombuffer(b"".join(raw), np.uint8),
        class_of,
    )


def _sums(sizes: Iterable[int]) -> Any:
    return np.cumsum([0, *sizes])
