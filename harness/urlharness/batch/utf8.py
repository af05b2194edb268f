"""Automata over the bytes of UTF-8, made from automata over characters.

A column is bytes, but a DFA reads characters. For ASCII there is no difference. A range of characters beyond
ASCII becomes a few sequences of ranges of bytes: U+00A0 to U+07FF, for example, is C2 and then A0 to BF, or
one of C3 to DF and then 80 to BF. So the DFA gets states inside a character: such a state stands for the rest
of the sequences that have begun with the bytes read so far, each with the state to which it leads.

Bytes that are no UTF-8 (RFC 3629, section 3: overlong forms, surrogates, code points above U+10FFFF, a cut
character) are in no sequence and lead to the sink.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from urloracle.automata.dfa import SINK
from urloracle.grammar.alphabet import Range, spans

_BYTES = 256
#: The last code points that UTF-8 writes with one, two and three bytes.
_LAST_OF_LENGTH = (0x7F, 0x7FF, 0xFFFF)
#: The number of bits of a code point in a continuation byte.
_BITS = 6

#: For each byte of a sequence the first and the last value that it may have.
ByteRanges = tuple[tuple[int, int], ...]


class ByteTransitions(NamedTuple):
    """The transitions of a DFA over bytes, as arrays with a row for each state and a column for each byte.

    `following` is uint32 and contains the next states, and `stores` what each transition stores. The rows
    from `characters` on are those of the states inside a character.
    """

    following: Any
    stores: Any
    characters: int


def byte_transitions(
    classes: Mapping[str, int],
    table: Sequence[Sequence[int]],
    stores: Sequence[Sequence[int]] | None = None,
) -> ByteTransitions:
    """Return the transitions over bytes of a DFA over characters, which reads letters (see `alphabet`).

    `classes` maps letters to classes, and `table[state][class]` is the next state. `stores[state][class]` is
    what the transition stores: with a character of several bytes, the first byte stores it, and the others
    store 0. Raise ValueError if characters with the same first byte store different things.
    """
    targets = np.array(table, np.uint32)
    stored_by_class = np.zeros_like(targets) if stores is None else np.array(stores, np.uint32)
    following = np.full((len(table), _BYTES), SINK, np.uint32)
    stored = np.zeros_like(following)
    classes_beyond_ascii = {}
    for letter, kind in classes.items():
        if letter.isascii():
            following[:, ord(letter)] = targets[:, kind]
            stored[:, ord(letter)] = stored_by_class[:, kind]
        else:
            classes_beyond_ascii[letter] = kind
    inside = _StatesInside(first=len(table))
    for state in range(len(table)):
        letters: dict[_Outcome, list[str]] = {}
        for letter, kind in classes_beyond_ascii.items():
            outcome = _Outcome(int(targets[state, kind]), int(stored_by_class[state, kind]))
            if outcome.target != SINK:
                letters.setdefault(outcome, []).append(letter)
        for lead, outcome in inside.enter(letters).items():
            following[state, lead] = outcome.target
            stored[state, lead] = outcome.store
    rows_inside = inside.rows()
    return ByteTransitions(
        np.concatenate([following, rows_inside]),
        np.concatenate([stored, np.zeros_like(rows_inside)]),
        len(table),
    )


def utf8_sequences(span: Range) -> Iterator[ByteRanges]:
    """Yield sequences of byte ranges that together are the characters of a range in UTF-8.

    The range has no surrogates.
    """
    for last in _LAST_OF_LENGTH:
        if span.first <= last < span.last:
            yield from utf8_sequences(Range(span.first, last))
            yield from utf8_sequences(Range(last + 1, span.last))
            return
    # a sequence takes all values of the last bytes, or the bytes before them are the same
    for number in (1, 2, 3):
        tail = (1 << (_BITS * number)) - 1
        if span.first & ~tail == span.last & ~tail:
            break
        if span.first & tail:
            yield from utf8_sequences(Range(span.first, span.first | tail))
            yield from utf8_sequences(Range((span.first | tail) + 1, span.last))
            return
        if span.last & tail != tail:
            yield from utf8_sequences(Range(span.first, (span.last & ~tail) - 1))
            yield from utf8_sequences(Range(span.last & ~tail, span.last))
            return
    yield tuple(zip(chr(span.first).encode(), chr(span.last).encode(), strict=True))


class _Rest(NamedTuple):
    """The bytes of a character that are still to come, and the state after it."""

    ranges: ByteRanges
    target: int


class _Outcome(NamedTuple):
    """The state to which a character or a byte leads, and what it stores."""

    target: int
    store: int


def _sequences_by_outcome(
    letters: Mapping[_Outcome, Sequence[str]],
) -> Iterator[tuple[_Outcome, ByteRanges]]:
    """Yield (outcome, sequence of byte ranges) for all characters of the letters with this outcome."""
    for outcome, letters_of_outcome in letters.items():
        for span in spans(letters_of_outcome):
            for sequence in utf8_sequences(span):
                yield outcome, sequence


class _StatesInside:
    """The states inside a character. They are equal if the same bytes lead from them to the same states."""

    def __init__(self, first: int) -> None:
        """`first` is the number of the first of these states."""
        self._first = first
        self._numbers: dict[frozenset[_Rest], int] = {}
        self._entered: dict[frozenset[tuple[_Outcome, str]], dict[int, _Outcome]] = {}

    def enter(self, letters: Mapping[_Outcome, Sequence[str]]) -> Mapping[int, _Outcome]:
        """Return the outcome of each first byte of the characters that leave a state between characters.

        `letters` maps their outcomes to the letters of their ranges. Many states have the same ones.
        """
        key = frozenset((outcome, "".join(ranges)) for outcome, ranges in letters.items())
        if key not in self._entered:
            self._entered[key] = self._enter(letters)
        return self._entered[key]

    def _enter(self, letters: Mapping[_Outcome, Sequence[str]]) -> dict[int, _Outcome]:
        """Return what `enter` returns, and add the states inside a character that are needed.

        Raise ValueError if characters with the same first byte store different things.
        """
        rests: dict[int, set[_Rest]] = {}  # by first byte
        stores: dict[int, int] = {}  # by first byte
        for outcome, sequence in _sequences_by_outcome(letters):
            (first, last), *following = sequence
            rest = _Rest(tuple(following), outcome.target)
            for lead in range(first, last + 1):
                rests.setdefault(lead, set()).add(rest)
                if stores.setdefault(lead, outcome.store) != outcome.store:
                    raise ValueError(f"characters that begin with {lead:#x} store different things")
        return {lead: _Outcome(self._number(frozenset(rests[lead])), stores[lead]) for lead in rests}

    def _number(self, rests: frozenset[_Rest]) -> int:
        """Return the number of the state with these rests, which is a new one the first time."""
        return self._numbers.setdefault(rests, self._first + len(self._numbers))

    def rows(self) -> Any:
        """Return the next states of all these states by byte."""
        rows = []
        queue = list(self._numbers)
        for rests in queue:  # which grows in the loop
            row = [SINK] * _BYTES
            longer: dict[int, set[_Rest]] = {}
            for ranges, target in rests:
                (first, last), *following = ranges
                for byte in range(first, last + 1):
                    if following:
                        longer.setdefault(byte, set()).add(_Rest(tuple(following), target))
                    else:
                        row[byte] = target
            for byte, rests_of_byte in longer.items():
                state = frozenset(rests_of_byte)
                if state not in self._numbers:
                    queue.append(state)
                row[byte] = self._number(state)
            rows.append(row)
        return np.array(rows, np.uint32).reshape(-1, _BYTES)
