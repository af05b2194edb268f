"""Reasons why texts of a column are invalid. The oracle is asked once for all texts with the same error.

A reason depends on the rules that are open at the error, but a minimal DFA merges states that differ only in
their open rules. Therefore a larger DFA reads the rejected texts again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from urlharness.batch.kernels import END, rejections
from urlharness.batch.tables import ColumnTexts, byte_table
from urloracle.automata.dfa import ASCII, SINK, Automaton, determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Reference
from urloracle.specification import Profile, Specification

#: The bytes that end a scheme without a colon. If one of them is the error, the text has no scheme.
_NO_SCHEME = (END, *b" /?#")
#: The oracle gets only this number of bytes after the error, because later bytes change no answer.
_AFTER = 4


class Reason(NamedTuple):
    """The reason why a text is invalid: section, rule, and the unexpected character in words (`what`).

    `rule` is the innermost rule that contains all valid continuations.
    """

    section: str
    rule: str
    what: str

    def __str__(self) -> str:
        where = f"section {self.section}, {self.rule}" if self.section else self.rule
        return f"{where}: {self.what}"


class Reasons:
    """The reasons in the order in which they were found."""

    def __init__(self, spec: Specification, rule: str, profile: Profile | None) -> None:
        self._spec, self._rule, self._profile = spec, rule, profile
        self._numbers: dict[Reason, int] = {}
        self._by_rejection: dict[int, int] = {}
        self._places: dict[int, tuple[str, str]] = {}

    def __iter__(self) -> Iterator[Reason]:
        return iter(self._numbers)

    def of(self, read: ColumnTexts, wrong: Any, places: Any) -> Any:
        """Return the reason of each text whose index is in `wrong`, and null for all other texts.

        `places` contains the offset of the error of each text. The result is a dictionary array.
        """
        following, start = self._table
        found = np.empty(len(wrong), np.int64)
        rejections(read.data, read.offsets, wrong, places[wrong], following, start, found)
        kinds, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        for kind, text in zip(kinds.tolist(), wrong[first].tolist(), strict=True):
            if kind not in self._by_rejection:
                place, rest = int(places[text]), read.data[read.offsets[text] : read.offsets[text + 1]]
                reason = self._reason(kind >> 9, kind & 511, rest[: place + _AFTER].tobytes(), place)
                self._by_rejection[kind] = self._numbers.setdefault(reason, len(self._numbers))
        numbers = np.array([self._by_rejection[kind] for kind in kinds.tolist()], np.int32)
        indices, absent = np.zeros(len(read), np.int32), np.ones(len(read), np.bool_)
        indices[wrong], absent[wrong] = numbers[inverse], False
        names = pa.array([str(reason) for reason in self], pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(indices, mask=absent), names)

    def _reason(self, state: int, byte: int, text: bytes, place: int) -> Reason:
        """Return the reason of a text with the error at `place`. The text may be cut `_AFTER` bytes later."""
        if state not in self._places:
            problem = self._spec.problem(text.decode("utf-8", "replace"), self._rule, self._profile)
            assert problem is not None  # the engine and the oracle agree on verdicts
            assert problem.position == place  # and on offsets
            judge = self._spec.judging_rule(problem.text, self._rule, self._profile)
            _, found = self._spec.language(judge, self._profile).viable(problem.text[:place])
            self._places[state] = problem.section, found.innermost
        if self._rule == self._spec.absolute and b":" not in text[:place]:
            whole = self._spec.grammar.section(self._rule), self._rule
            if byte in _NO_SCHEME and (place or byte != ord(" ")):  # a scheme may follow a leading blank
                return Reason(*whole, "no scheme")
            if not place:
                return Reason(*whole, _what(byte))
        return Reason(*self._places[state], _what(byte))

    @cached_property
    def _table(self) -> tuple[Any, int]:
        """(table, start state) of the product of the minimal DFA and the DFAs of all rules that judge texts.

        The DFAs of these rules are not minimized, so that they distinguish open rules.
        """
        spec, rule, profile = self._spec, self._rule, self._profile
        schemes = ("", *(f"{scheme}:" for scheme in spec.schemes))
        judges = dict.fromkeys(spec.judging_rule(text, rule, profile) for text in schemes)
        parts = [spec.automaton(rule, profile)]
        for judge in judges:
            grammar = spec.language(judge, profile).grammar
            fold = judge.lower() in grammar.fold_scheme
            parts.append(determinize(position_automaton(grammar, Reference(judge)), fold_scheme=fold)[0])
        return _product(parts)


def _product(parts: list[Automaton]) -> tuple[Any, int]:
    """Return (table, start state) of a product of DFAs. The product is in the sink if the first DFA is."""
    kinds: dict[tuple[int, ...], int] = {}
    classes = {
        char: kinds.setdefault(tuple(part.classes.get(char, -1) for part in parts), len(kinds))
        for char in ASCII
        if char in parts[0].classes
    }
    start = tuple(part.start for part in parts)
    numbers = {start: 1}
    queue, rows = [start], [[SINK] * len(kinds)]
    for states in queue:
        row = []
        for kind in kinds:
            reached = tuple(
                part.table[state][number] if number >= 0 else SINK
                for part, state, number in zip(parts, states, kind, strict=True)
            )
            if reached[0] == SINK:
                row.append(SINK)
                continue
            if reached not in numbers:
                numbers[reached] = len(numbers) + 1
                queue.append(reached)
            row.append(numbers[reached])
        rows.append(row)
    return byte_table(classes, rows), 1


def _what(byte: int) -> str:
    """Return the unexpected character in words."""
    if byte == END:
        return "it ends too early"
    if byte > 127:
        return "a character outside ASCII"
    char = chr(byte)
    named = {" ": "blank", '"': "double quote"}
    return named.get(char, repr(char)) if char.isprintable() else f"U+{byte:04X}"
