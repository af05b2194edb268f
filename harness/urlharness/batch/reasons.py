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

from urlharness.batch.kernels import END, write_rejections
from urlharness.batch.tables import ColumnTexts, byte_table
from urloracle.automata.dfa import SINK, Automaton, determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import ASCII
from urloracle.grammar.expression import Reference
from urloracle.specification import Profile, Specification

#: The bytes that end a scheme without a colon. If one of them is the error, the text has no scheme.
_NO_SCHEME = (END, *b" /?#")
#: The oracle gets only this number of bytes after the error, because later bytes change no answer.
_AFTER = 4
#: The number of the class of a character that an automaton does not know.
_NO_CLASS = -1


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
        self._numbers: dict[Reason, int] = {}
        self._number_by_rejection: dict[int, int] = {}
        self._section_and_rule: dict[int, tuple[str, str]] = {}  # by state

    def __iter__(self) -> Iterator[Reason]:
        return iter(self._numbers)

    def find(self, column: ColumnTexts, rejected: Any, places: Any) -> Any:
        """Find the reason of each text whose index is in `rejected`. Return null for all other texts.

        `places` contains the offset of the error of each text. The result is a dictionary array.
        """
        following, start = self._table_and_start
        rejections = np.empty(len(rejected), np.int64)
        write_rejections(
            column.octets, column.offsets, rejected, places[rejected], following, start, rejections
        )
        kinds, first, inverse = np.unique(rejections, return_index=True, return_inverse=True)
        numbers_of_kinds = []
        for kind, text in zip(kinds.tolist(), rejected[first].tolist(), strict=True):
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

    def _reason(self, rejection: int, content: Any, offset: int) -> Reason:
        """Return the reason of a text with the error at an offset.

        `rejection` is the number that `write_rejections` writes.
        """
        state = rejection >> 9
        byte = rejection & 511
        prefix = content[: offset + _AFTER].tobytes()
        if state not in self._section_and_rule:
            self._section_and_rule[state] = self._ask_oracle(prefix, offset)
        if self._rule == self._spec.absolute and b":" not in prefix[:offset]:
            section = self._spec.grammar.section(self._rule)
            if byte in _NO_SCHEME and (offset or byte != ord(" ")):  # a scheme may follow a leading blank
                return Reason(section, self._rule, "no scheme")
            if not offset:
                return Reason(section, self._rule, _in_words(byte))
        return Reason(*self._section_and_rule[state], _in_words(byte))

    def _ask_oracle(self, prefix: bytes, offset: int) -> tuple[str, str]:
        """Return (section, rule) of the oracle's error."""
        problem = self._spec.problem(prefix.decode("utf-8", "replace"), self._rule, self._profile)
        assert problem is not None  # the engine and the oracle agree on verdicts
        assert problem.position == offset  # and on offsets
        judge = self._spec.judging_rule(problem.text, self._rule, self._profile)
        _, continuation = self._spec.language(judge, self._profile).viable_prefix(problem.text[:offset])
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

    Characters that the first DFA does not know lead to the sink.
    """
    first_automaton = automata[0]
    numbers_of_kinds: dict[tuple[int, ...], int] = {}
    classes = {}
    for char in ASCII:
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


#: The characters that a quotation does not show well.
_NAMES = {" ": "blank", '"': "double quote"}


def _in_words(byte: int) -> str:
    """Return the unexpected character in words."""
    if byte == END:
        return "it ends too early"
    if byte > 127:
        return "a character outside ASCII"
    char = chr(byte)
    if not char.isprintable():
        return f"U+{byte:04X}"
    return _NAMES.get(char, repr(char))
