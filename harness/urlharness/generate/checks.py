"""Checks of the labels of many texts at a time, by automata that did not make the labels.

Two automata check each label. The first comes from another construction (`recognition`), and checks verdict
and offset. The second is the one of the error messages: it is not minimal, so its state at the error also
says which rule the text breaks.

The texts are columns and the automata are flat arrays, as in `batch.kernels`: text i is
`octets[offsets[i]:offsets[i + 1]]`, and `following[state << 8 | byte]` is the next state. `starts` has the
start state of each text, or only one, which is that of all texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from urlharness.batch.kernels import kernel
from urlharness.batch.tables import ColumnTexts, byte_table, states_by_scheme
from urlharness.generate.kinds import WrongLabel
from urlharness.generate.recognition import JoinedAutomata, join_automata
from urlharness.text import plain
from urloracle.automata.dfa import SINK, Automaton, determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import ASCII
from urloracle.grammar.expression import Reference
from urloracle.specification import Specification

#: The offset of the error of a valid text.
VALID = -1


class LabelChecks:
    """Checks labels of texts for one rule."""

    def __init__(self, spec: Specification, rule: str) -> None:
        self._spec = spec
        self._rule = rule
        self._by_scheme = spec.default_profile(rule) == "scheme-specific"
        #: The number of each rule that a text broke, by name, and by the state before the error.
        self._rule_names: dict[str, int] = {}
        self._rule_by_state: dict[int, int] = {}

    def check(self, texts: ColumnTexts, expected: NDArray[Any], fits: NDArray[Any] | None = None) -> None:
        """Compare the expected offsets with those that the automata of `recognition` find.

        Raise WrongLabel if one differs. Only texts that the mask `fits` marks are compared, or all if it is
        None.
        """
        automata = self._recognizing_automata
        offsets = np.empty(len(texts), np.int64)
        starts = self._starts(texts, automata.starts)
        _write_error_offsets(
            texts.octets, texts.offsets, automata.following, automata.accepting, starts, offsets
        )
        is_wrong = offsets != expected
        if fits is not None:
            is_wrong &= fits
        if is_wrong.any():
            self._refuse(texts, is_wrong, offsets)

    def broken_rules(self, texts: ColumnTexts, places: NDArray[Any], fits: NDArray[Any]) -> NDArray[np.int32]:
        """Return the number of the rule that each text breaks at the offset in `places`.

        `rule_names` has the names, to which this method adds those that it meets first. A text that `fits`
        does not mark may get any number. Raise WrongLabel if the automata of the error messages do not stop
        at an offset.
        """
        following, starts = self._message_automata
        starts_of_texts = self._starts(texts, starts)
        states = np.empty(len(texts), np.int64)
        _write_states_before(texts.octets, texts.offsets, places, following, starts_of_texts, states)
        is_wrong = (states == SINK) & fits
        if is_wrong.any():  # these automata find no offset, so none is named
            self._refuse(texts, is_wrong, np.full(len(texts), VALID))
        states[~fits] = SINK
        distinct_states, first_texts, inverse = np.unique(states, return_index=True, return_inverse=True)
        rules = []
        for state, number in zip(distinct_states.tolist(), first_texts.tolist(), strict=True):
            if state != SINK and state not in self._rule_by_state:
                begin = texts.offsets[number]
                prefix = texts.octets[begin : begin + places[number]].tobytes()
                name = self._innermost_rule(prefix.decode("ascii"))
                self._rule_by_state[state] = self._rule_names.setdefault(name, len(self._rule_names))
            rules.append(self._rule_by_state.get(state, 0))
        return np.array(rules, np.int32)[inverse]

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The names of the rules that texts broke so far, by number."""
        return tuple(self._rule_names)

    def _innermost_rule(self, prefix: str) -> str:
        """Return the innermost rule that contains all characters that can continue a prefix."""
        judge = self._spec.judging_rule(prefix, self._rule)
        _, continuation = self._spec.language(judge).viable_prefix(prefix)
        return continuation.innermost

    def _refuse(self, texts: ColumnTexts, is_wrong: NDArray[np.bool_], offsets: NDArray[np.int64]) -> None:
        """Raise WrongLabel for the first text that a mask marks as wrong. At least one must be marked."""
        number = int(np.flatnonzero(is_wrong)[0])
        begin = texts.offsets[number]
        end = texts.offsets[number + 1]
        content = texts.octets[begin:end].tobytes()
        text = plain(content.decode("utf-8", "surrogateescape"))
        offset = offsets[number]
        verdict = "valid" if offset == VALID else f"wrong at offset {offset}"
        raise WrongLabel(
            f"{self._spec.id} {self._rule}: wrong label of {text!r}: by another automaton it is {verdict}"
        )

    def _starts(self, texts: ColumnTexts, starts: Mapping[str, int]) -> NDArray[Any]:
        """Return the start state of each text, or one for all texts if one rule judges them."""
        if not self._by_scheme:
            return np.array([starts[self._rule]], np.uint16)
        octets = texts.octets.view()
        offsets = texts.offsets.view()
        # as the arrays of Arrow, so that the kernel is compiled for one type only
        octets.flags.writeable = False
        offsets.flags.writeable = False
        return states_by_scheme(ColumnTexts(octets, offsets, None), self._spec, starts)

    @property
    def _judging_rules(self) -> list[str]:
        """The rules that decide about texts: one for each scheme, if the scheme decides."""
        if not self._by_scheme:
            return [self._rule]
        return [*self._spec.schemes.values(), self._spec.unknown_scheme]

    @cached_property
    def _recognizing_automata(self) -> JoinedAutomata:
        return join_automata(self._spec.grammar, self._judging_rules)

    @cached_property
    def _message_automata(self) -> tuple[NDArray[np.uint16], Mapping[str, int]]:
        """The automata of the error messages in one table, and the start state of each by rule."""
        grammar = self._spec.grammar
        rows: list[list[int]] = [[SINK] * len(ASCII)]
        starts: dict[str, int] = {}
        for rule in self._judging_rules:
            fold = rule.lower() in grammar.fold_scheme
            automaton, _ = determinize(position_automaton(grammar, Reference(rule)), fold_scheme=fold)
            shift = len(rows) - 1  # of the numbers of states; all automata share the sink
            starts[rule] = shift + automaton.start
            rows += [_targets_of_ascii(automaton, row, shift) for row in automaton.table[1:]]
        classes = {char: number for number, char in enumerate(ASCII)}
        return byte_table(classes, rows), starts


def _targets_of_ascii(automaton: Automaton, row: Sequence[int], shift: int) -> list[int]:
    """Return the next state of a row by ASCII character. All states but the sink are shifted."""
    targets = dict.fromkeys(ASCII, SINK)
    for char, kind in automaton.classes.items():
        if row[kind] != SINK:
            targets[char] = shift + row[kind]
    return list(targets.values())


@kernel
def _start_state(starts: NDArray[Any], number: int) -> Any:
    """Return the start state of the text with this number."""
    return np.int64(starts[number if len(starts) > 1 else 0])


@kernel
def _next_state(following: NDArray[Any], state: Any, octet: Any) -> Any:
    """Return the state after a byte. Both are widened, since a state is stored in 16 bits, a byte in 8."""
    return np.int64(following[(state << 8) | np.int64(octet)])


@kernel
def _write_error_offsets(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    following: NDArray[Any],
    accepting: NDArray[Any],
    starts: NDArray[Any],
    error_offsets: NDArray[Any],
) -> None:
    """Write the offset of the error of each text to `error_offsets`, or VALID.

    The error is at the first byte that cannot continue a valid text, or at the end of a text that ends too
    early.
    """
    for number in range(len(offsets) - 1):
        begin = offsets[number]
        end = offsets[number + 1]
        state = _start_state(starts, number)
        error_offsets[number] = end - begin
        for position in range(begin, end):
            state = _next_state(following, state, octets[position])
            if state == SINK:
                error_offsets[number] = position - begin
                break
        if state != SINK and accepting[state]:
            error_offsets[number] = VALID


@kernel
def _write_states_before(
    octets: NDArray[Any],
    offsets: NDArray[Any],
    places: NDArray[Any],
    following: NDArray[Any],
    starts: NDArray[Any],
    states: NDArray[Any],
) -> None:
    """Write the state of each text before its offset in `places` to `states`.

    If the text does not leave the language there, write SINK.
    """
    for number in range(len(offsets) - 1):
        error_position = offsets[number] + places[number]
        state = _start_state(starts, number)
        for position in range(offsets[number], error_position):
            state = _next_state(following, state, octets[position])
        if (
            error_position < offsets[number + 1]
            and _next_state(following, state, octets[error_position]) != SINK
        ):
            state = SINK
        states[number] = state
