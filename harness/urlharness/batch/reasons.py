"""Reasons why texts of a column are invalid. The oracle is asked once for all texts with the same error.

A reason depends on the rules that are open at the error, but a minimal DFA merges states that differ only in
their open rules. Therefore a larger DFA reads the rejected texts again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from urlharness.batch.kernels import END, NO_UTF8, write_rejections
from urlharness.batch.tables import ColumnTexts, byte_table
from urloracle.automata.dfa import SINK, Automaton, determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import ALPHABET, FORMATTING, PRIVATE, RANGES
from urloracle.grammar.expression import Reference
from urloracle.specification import Profile, Specification

#: What ends a scheme without a colon. If one of these is the error, the text has no scheme.
_NO_SCHEME = (END, *b" /?#")
#: The characters that a quotation does not show well.
_NAMES = {" ": "blank", '"': "double quote"}
#: The oracle gets only this number of bytes after the error, because later bytes change no answer.
_AFTER = 4
#: The number of the class of a character that an automaton does not know.
_NO_CLASS = -1
#: A number that stands for the letter of a character that is in no text of the RFC.
_OUTSIDE = NO_UTF8 + 1
#: The number of bits of a letter, END, NO_UTF8 or _OUTSIDE.
_LETTER_BITS = 21
_LETTER_MASK = (1 << _LETTER_BITS) - 1
#: The number of characters of ASCII.
_ASCII_COUNT = 128
#: The first and the last code points of the ranges beyond ASCII.
_FIRST_CODES = np.array([span.first for span in RANGES])
_LAST_CODES = np.array([span.last for span in RANGES])


class Reason(NamedTuple):
    """The reason why a text is invalid: section, rule, and the unexpected character in words (`what`).

    `rule` is the rule whose section a refusal cites (see `urloracle.language.Continuation`).
    """

    section: str
    rule: str
    what: str

    def __str__(self) -> str:
        rule = f"section {self.section}, {self.rule}" if self.section else self.rule
        return f"{rule}: {self.what}"


class Reasons:
    """The reasons in the order in which they were found."""

    def __init__(self, spec: Specification, rule: str, profile: Profile | None) -> None:
        self._spec = spec
        self._rule = rule
        self._profile = profile
        self._reads_beyond_ascii = spec.automaton(rule, profile).reads_beyond_ascii
        self._numbers: dict[Reason, int] = {}
        self._number_by_rejection: dict[int, int] = {}
        #: By state, or by rejection if the error is a character beyond ASCII.
        self._section_and_rule: dict[int, tuple[str, str]] = {}

    def __iter__(self) -> Iterator[Reason]:
        return iter(self._numbers)

    def find(self, column: ColumnTexts, rejected: Any, places: Any) -> Any:
        """Find the reason of each text whose index is in `rejected`. Return null for all other texts.

        `places` contains the place of the error of each text in bytes. The result is a dictionary array.
        """
        following, start = self._table_and_start
        states = np.empty(len(rejected), np.int64)
        errors = np.empty(len(rejected), np.int64)
        write_rejections(
            column.octets, column.offsets, rejected, places[rejected], following, start, states, errors
        )
        rejections = states << _LETTER_BITS | self._letters(errors)
        kinds, first_rejections, inverse = np.unique(rejections, return_index=True, return_inverse=True)
        first_texts = rejected[first_rejections]
        numbers_of_kinds = []
        for kind, text in zip(kinds.tolist(), first_texts.tolist(), strict=True):
            if kind not in self._number_by_rejection:
                begin = column.offsets[text]
                end = column.offsets[text + 1]
                reason = self._reason(kind, column.octets[begin:end], int(places[text]))
                self._number_by_rejection[kind] = self._numbers.setdefault(reason, len(self._numbers))
            numbers_of_kinds.append(self._number_by_rejection[kind])
        numbers = np.array(numbers_of_kinds, np.int32)
        indices = np.zeros(len(column), np.int32)
        indices[rejected] = numbers[inverse]
        is_valid = np.ones(len(column), np.bool_)
        is_valid[rejected] = False
        names = pa.array([str(reason) for reason in self], pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(indices, mask=is_valid), names)

    def _letters(self, errors: NDArray[np.int64]) -> Any:
        """Return the code points of the letters of errors. END stays, and so does NO_UTF8 under IRIs.

        Characters that the RFC does not have become _OUTSIDE.
        """
        is_character = (errors >= _ASCII_COUNT) & (errors < END)
        if not self._reads_beyond_ascii:
            return np.where(is_character | (errors == NO_UTF8), _OUTSIDE, errors)
        indices = np.searchsorted(_FIRST_CODES, errors, "right") - 1
        is_in_range = (indices >= 0) & (errors <= _LAST_CODES[indices])
        letters = np.where(is_in_range, _FIRST_CODES[indices], _OUTSIDE)
        return np.where(is_character, letters, errors)

    def _reason(self, rejection: int, content: NDArray[np.uint8], error_at: int) -> Reason:
        """Return the reason of a text with an error. `error_at` is its place in bytes.

        `rejection` combines the state before the error with the letter there.
        """
        state = rejection >> _LETTER_BITS
        letter = rejection & _LETTER_MASK
        prefix = content[: error_at + _AFTER].tobytes()
        # a section can speak of some characters beyond ASCII (RFC 3987, section 4.1)
        key = state if letter < _ASCII_COUNT or letter == END else rejection
        if key not in self._section_and_rule:
            self._section_and_rule[key] = self._ask_oracle(prefix, error_at)
        if self._rule == self._spec.absolute and b":" not in prefix[:error_at]:
            section = self._spec.grammar.section(self._rule)
            # a scheme may follow a leading blank
            if letter in _NO_SCHEME and (error_at or letter != ord(" ")):
                return Reason(section, self._rule, "no scheme")
            if not error_at:
                return Reason(section, self._rule, self._in_words(letter))
        return Reason(*self._section_and_rule[key], self._in_words(letter))

    def _in_words(self, letter: int) -> str:
        """Return the unexpected character in words."""
        if letter == END:
            return "it ends too early"
        if letter == NO_UTF8:
            return "bytes that are no UTF-8"
        if letter == _OUTSIDE:
            return "a character that no IRI has" if self._reads_beyond_ascii else "a character outside ASCII"
        char = chr(letter)
        if char in PRIVATE:
            return "a private character"
        if char in FORMATTING:
            return "a character that controls the direction of text"
        if not char.isascii():
            return "a character beyond ASCII"
        if not char.isprintable():
            return f"U+{letter:04X}"
        return _NAMES.get(char, repr(char))

    def _ask_oracle(self, prefix: bytes, error_at: int) -> tuple[str, str]:
        """Return (section, rule) of the oracle's error."""
        before_error = prefix[:error_at].decode()
        problem = self._spec.problem(prefix.decode("utf-8", "replace"), self._rule, self._profile)
        assert problem is not None  # the engine and the oracle agree on verdicts
        assert problem.position == len(before_error)  # and on offsets
        judge = self._spec.judging_rule(problem.text, self._rule, self._profile)
        _, continuation = self._spec.language(judge, self._profile).viable_prefix(before_error)
        return problem.section, continuation.cited

    @cached_property
    def _table_and_start(self) -> tuple[Any, int]:
        """(table, start state) of the product of the minimal DFA and the DFAs of all rules that judge texts.

        The DFAs of these rules are not minimized, so that they distinguish open rules.
        """
        schemes = ("", *(f"{scheme}:" for scheme in self._spec.schemes))
        judges = dict.fromkeys(self._spec.judging_rule(text, self._rule, self._profile) for text in schemes)
        automata = [self._spec.automaton(self._rule, self._profile)]
        for judge in judges:
            grammar = self._spec.language(judge, self._profile).grammar
            fold = judge.lower() in grammar.fold_scheme
            positions = position_automaton(grammar, Reference(judge))
            automaton, _ = determinize(positions, fold_scheme=fold)
            automata.append(automaton)
        return _product(automata)


def _product(automata: list[Automaton]) -> tuple[Any, int]:
    """Return (table, start state) of a product of DFAs. The product is in the sink if the first DFA is.

    Letters that the first DFA does not know lead to the sink.
    """
    first_automaton = automata[0]
    numbers_of_kinds: dict[tuple[int, ...], int] = {}
    classes = {}
    for char in ALPHABET:
        if char in first_automaton.classes:
            kinds = tuple(automaton.classes.get(char, _NO_CLASS) for automaton in automata)
            classes[char] = numbers_of_kinds.setdefault(kinds, len(numbers_of_kinds))
    start = tuple(automaton.start for automaton in automata)
    numbers = {start: 1}  # 0 is the sink
    queue = [start]
    rows = [[SINK] * len(numbers_of_kinds)]
    for states in queue:  # which grows in the loop, in the order of the numbers
        row = []
        for kinds in numbers_of_kinds:
            targets = _targets(automata, states, kinds)
            if targets[0] == SINK:
                row.append(SINK)
                continue
            if targets not in numbers:
                numbers[targets] = len(numbers) + 1
                queue.append(targets)
            row.append(numbers[targets])
        rows.append(row)
    return byte_table(classes, rows), numbers[start]


def _targets(automata: Sequence[Automaton], states: Sequence[int], kinds: Sequence[int]) -> tuple[int, ...]:
    """Return the next state of each automaton: the sink if the character has no class in it."""
    targets = []
    for automaton, state, kind in zip(automata, states, kinds, strict=True):
        targets.append(SINK if kind == _NO_CLASS else automaton.table[state][kind])
    return tuple(targets)
