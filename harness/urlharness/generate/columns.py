"""Samples as columns: arrays of bytes and numbers instead of one Python object for each text.

The texts of a column are stored one after the other: text i is `octets[offsets[i]:offsets[i + 1]]`. What is
said of a text, such as the offset of its error, is item i of an array. Names that repeat, such as those of
rules, are stored once; the arrays have their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from urlharness.batch.kernels import copy_spans
from urlharness.batch.tables import offsets_of
from urlharness.generate.kinds import Sample, text_bytes
from urlharness.words.mutation import Edit, EditKind

#: The kinds of edits that break a word, and their numbers in arrays. Those before DELETE insert a character.
EDIT_KINDS: tuple[EditKind, ...] = ("insert", "replace", "append", "delete", "cut")
INSERT, REPLACE, APPEND, DELETE, CUT = range(5)

#: The number of the class of a text that ends too early, where no character is the error.
NO_CLASS = -1


class LabelNames(NamedTuple):
    """The broken rules, the classes of characters, and the characters that edits insert, in lists."""

    rules: Sequence[str]
    classes: Sequence[str]
    members: Sequence[str]


@dataclass(frozen=True)
class InvalidLabels:
    """The labels of invalid texts, and the edits that made them from words.

    `places` contains the offsets of the errors, which are also those of the edits. `rules`, `classes` and
    `members` are indexes in the lists of `names`, and `kinds` are indexes in `EDIT_KINDS`. A text without an
    inserted character has any number in `members`. `words` contains the bytes of the words before the edits,
    and `word_spans` the begin and end of the word of each text.
    """

    places: NDArray[Any]
    rules: NDArray[Any]
    classes: NDArray[Any]
    kinds: NDArray[Any]
    members: NDArray[Any]
    word_spans: NDArray[Any]
    words: NDArray[Any]
    names: LabelNames

    def selected(self, key: slice | NDArray[np.bool_]) -> InvalidLabels:
        """Return the labels of the texts that a slice or a mask selects."""
        return replace(
            self,
            places=self.places[key],
            rules=self.rules[key],
            classes=self.classes[key],
            kinds=self.kinds[key],
            members=self.members[key],
            word_spans=self.word_spans[key],
        )

    def inserts(self) -> Any:
        """Return a mask of the edits that insert a character."""
        return self.kinds < DELETE  # the order of `EDIT_KINDS`

    def edits(self) -> Iterator[Edit]:
        """Yield the edit of each text."""
        words = self.words.tobytes().decode("ascii")
        columns = (self.kinds, self.places, self.members, *self.word_spans.T)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for kind, at, member, begin, end in rows:
            removed = ""
            if kind in (REPLACE, DELETE):
                removed = words[begin + at]
            elif kind == CUT:
                removed = words[begin + at : end]
            inserted = self.names.members[member] if kind < DELETE else ""
            yield Edit(EDIT_KINDS[kind], at, removed, inserted)

    def edit_arrays(self) -> list[Any]:
        """Return kind, offset, removed bytes and inserted bytes of each edit as Arrow arrays."""
        kind_names = pa.array(EDIT_KINDS, pa.string())
        kinds = kind_names.take(pa.array(self.kinds))
        places = pa.array(self.places, pa.int32())
        members = [*map(text_bytes, self.names.members), b""]
        no_member = len(members) - 1
        indexes = np.where(self.inserts(), self.members, no_member)
        inserted = pa.array(members, pa.binary()).take(pa.array(indexes))
        return [kinds, places, self._removed(), inserted]

    def _removed(self) -> Any:
        """Return the bytes that each edit removes from its word, as an Arrow array."""
        word_begins, word_ends = self.word_spans.T
        sizes = np.zeros_like(word_begins)
        removes_one = (self.kinds == REPLACE) | (self.kinds == DELETE)
        sizes[removes_one] = 1
        is_cut = self.kinds == CUT
        sizes[is_cut] = (word_ends - word_begins - self.places)[is_cut]
        offsets = offsets_of(sizes, np.int32)
        removed = np.empty(offsets[-1], np.uint8)
        copy_spans(self.words, word_begins, self.places, offsets, removed)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(removed)]
        return pa.Array.from_buffers(pa.binary(), len(sizes), buffers)


@dataclass(frozen=True)
class SampleColumns(Sequence[Sample]):
    """Samples as arrays. They are all valid if there are no `labels`, and otherwise all invalid."""

    octets: NDArray[Any]
    offsets: NDArray[Any]
    labels: InvalidLabels | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            index = range(len(self))[key]  # which counts a negative key from the end
            return next(iter(self[index : index + 1]))
        start, stop, _ = key.indices(len(self))  # columns are only cut, so there is no step
        offsets = self.offsets[start : stop + 1]
        labels = self.labels and self.labels.selected(slice(start, stop))
        return SampleColumns(self.octets, offsets, labels)

    def selected(self, mask: NDArray[np.bool_]) -> SampleColumns:
        """Return the samples that a mask selects."""
        sizes = np.diff(self.offsets)
        is_selected = np.repeat(mask, sizes)
        all_octets = self.octets[self.offsets[0] : self.offsets[-1]]
        labels = self.labels and self.labels.selected(mask)
        return SampleColumns(all_octets[is_selected], offsets_of(sizes[mask]), labels)

    def __iter__(self) -> Iterator[Sample]:
        octets = self.octets.tobytes()
        spans = pairwise(self.offsets.tolist())
        if self.labels is None:
            text = octets.decode("ascii")
            return (Sample(text[begin:end], True) for begin, end in spans)
        texts = (octets[begin:end].decode("utf-8", "surrogateescape") for begin, end in spans)
        return _invalid_samples(texts, self.labels)

    def texts(self) -> Any:
        """Return the texts as an Arrow array of bytes."""
        bounds = pa.py_buffer(np.ascontiguousarray(self.offsets))
        content = pa.py_buffer(np.ascontiguousarray(self.octets))
        return pa.Array.from_buffers(pa.large_binary(), len(self), [None, bounds, content])


def _invalid_samples(texts: Iterator[str], labels: InvalidLabels) -> Iterator[Sample]:
    """Yield the sample of each invalid text."""
    columns = (labels.places.tolist(), labels.rules.tolist(), labels.classes.tolist())
    names = labels.names
    rows = zip(texts, labels.edits(), *columns, strict=True)
    for text, edit, offset, rule, class_number in rows:
        error_class = None if class_number == NO_CLASS else names.classes[class_number]
        yield Sample(text, False, offset, names.rules[rule], error_class, edit)
