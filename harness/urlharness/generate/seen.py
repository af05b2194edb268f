"""A compiled set of texts, which says of many texts at a time which of them are new.

The bytes of all texts stand one after the other in an arena. A hash table with open addressing finds a text:
the hash of its bytes (FNV-1a) gives a slot, and if another text is there, the next slots are tried. Slots
contain numbers of texts. The table is doubled before it is half full, so that a search ends after few slots.

A Python set of the same texts takes twice as long, because each text becomes an object first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from urlharness.batch.kernels import kernel
from urlharness.generate.kinds import text_bytes
from urlharness.words.shards import REPEATS

_FREE = -1  # the number in a slot without a text

#: The number of texts, and of their bytes, for which a new set has room.
_TEXTS = 1 << 13
_TEXT_BYTES = 1 << 18


class _Table(NamedTuple):
    """Arrays of the set. The bytes of text i are `arena[bounds[i]:bounds[i + 1]]`, the hash `hashes[i]`."""

    slots: NDArray[np.int32]
    hashes: NDArray[np.uint64]
    arena: NDArray[np.uint8]
    bounds: NDArray[np.int64]


class SeenTexts:
    """The texts seen so far."""

    def __init__(self) -> None:
        self._table = _Table(
            slots=np.full(2 * _TEXTS, _FREE, np.int32),
            hashes=np.empty(_TEXTS, np.uint64),
            arena=np.empty(_TEXT_BYTES, np.uint8),
            bounds=np.zeros(_TEXTS + 1, np.int64),
        )
        self._count = 0
        self._repeats = 0

    def add(
        self,
        octets: NDArray[np.uint8],
        offsets: NDArray[Any],
        fits: NDArray[np.bool_],
        most: int = REPEATS,
    ) -> tuple[NDArray[np.bool_], bool]:
        """Add texts. Return (mask of the new texts, whether `most` texts in a row were known).

        A text that the mask `fits` does not mark counts as known.
        """
        count = len(offsets) - 1
        self._make_room(count, len(octets))
        is_new = np.zeros(count, np.bool_)
        self._count, self._repeats, has_ended = _add_texts(
            octets, offsets, fits, self._table, self._count, self._repeats, most, is_new
        )
        return is_new, has_ended

    def add_text(self, text: str) -> bool:
        """Add one text. Return True if it is new."""
        content = text_bytes(text)
        octets = np.frombuffer(content or b"\0", np.uint8)  # numpy refuses a buffer without bytes
        offsets = np.array([0, len(content)])
        fits = np.ones(1, np.bool_)
        is_new, _ = self.add(octets, offsets, fits, most=0)  # the count of known texts is never 0
        return bool(is_new[0])

    def _make_room(self, texts: int, size: int) -> None:
        """Make room for so many more texts, and so many more bytes."""
        slots, hashes, arena, bounds = self._table
        if self._count + texts >= len(hashes):
            hashes = doubled(hashes)
            bounds = doubled(bounds)
            slots = np.full(2 * len(hashes), _FREE, np.int32)
            _fill_slots(slots, hashes, self._count)
        while bounds[self._count] + size > len(arena):
            arena = doubled(arena)
        self._table = _Table(slots, hashes, arena, bounds)


def doubled(array: Any) -> Any:
    """Return a copy with room for twice as many rows. The contents of the second half are arbitrary."""
    copy = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    copy[: len(array)] = array
    return copy


@kernel
def _hash(octets: NDArray[np.uint8], begin: int, end: int) -> Any:
    """Return the FNV-1a hash of some bytes, with its high bits mixed into the low ones."""
    digest = np.uint64(14695981039346656037)
    for position in range(begin, end):
        digest = (digest ^ np.uint64(octets[position])) * np.uint64(1099511628211)
    return digest ^ (digest >> np.uint64(29))


@kernel
def _fill_slots(slots: NDArray[np.int32], hashes: NDArray[np.uint64], count: int) -> None:
    """Put the numbers of the first `count` texts into the slots, which are all free."""
    mask = np.uint64(len(slots) - 1)
    for number in range(count):
        slot = hashes[number] & mask
        while slots[slot] != _FREE:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number


@kernel
def _has_equal_bytes(
    arena: NDArray[np.uint8], first: int, end: int, octets: NDArray[np.uint8], begin: int
) -> bool:
    """Return True if the bytes of the arena from `first` to `end` are those of `octets` from `begin` on.

    The caller knows that `octets` has so many.
    """
    for position in range(end - first):  # noqa: SIM110 - numba compiles no generator
        if arena[first + position] != octets[begin + position]:
            return False
    return True


@kernel
def _find_slot(table: _Table, digest: Any, octets: NDArray[np.uint8], begin: int, end: int) -> Any:
    """Return the slot of the text with this hash and these bytes, or the free slot for it if it is new."""
    slots, hashes, arena, bounds = table
    mask = np.uint64(len(slots) - 1)
    slot = digest & mask
    while slots[slot] != _FREE:
        number = slots[slot]
        first = bounds[number]
        last = bounds[number + 1]
        has_equal_hash = hashes[number] == digest and last - first == end - begin
        if has_equal_hash and _has_equal_bytes(arena, first, last, octets, begin):
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel
def _store_text(table: _Table, number: int, octets: NDArray[np.uint8], begin: int, end: int) -> None:
    """Put the bytes of a text after those of the texts with smaller numbers."""
    first = table.bounds[number]
    for position in range(end - begin):
        table.arena[first + position] = octets[begin + position]
    table.bounds[number + 1] = first + end - begin


@kernel
def _add_texts(
    octets: NDArray[np.uint8],
    offsets: NDArray[Any],
    fits: NDArray[np.bool_],
    table: _Table,
    count: int,
    repeats: int,
    most: int,
    is_new: NDArray[np.bool_],
) -> tuple[int, int, bool]:
    """Add texts, and mark the new ones in `is_new`. Stop after `most` known texts in a row.

    Return (number of texts, number of known texts after the last new one, whether the loop stopped). A text
    that `fits` does not mark is not added and counts as known.
    """
    for index in range(len(offsets) - 1):
        begin = offsets[index]
        end = offsets[index + 1]
        if fits[index]:
            digest = _hash(octets, begin, end)
            slot = _find_slot(table, digest, octets, begin, end)
            if table.slots[slot] == _FREE:
                table.slots[slot] = count
                table.hashes[count] = digest
                _store_text(table, count, octets, begin, end)
                count += 1
                is_new[index] = True
        repeats = 0 if is_new[index] else repeats + 1
        if not is_new[index] and repeats == most:
            return count, repeats, True
    return count, repeats, False
