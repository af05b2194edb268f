"""The engine, which applies one rule of an RFC to whole columns of texts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types

from urlharness.batch.kernels import (
    ABSENT,
    INVALID,
    LANES,
    VALID,
    final_states,
    rejecting_offsets,
    split_texts,
)
from urlharness.batch.reasons import Reasons
from urlharness.batch.tables import (
    ColumnTexts,
    Table,
    arrow,
    spans,
    splitter,
    splitting_rules,
    states_by_scheme,
    strings,
    table,
    texts,
)
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Profile, Specification, Unsupported

__all__ = ["Engine", "Judgement", "UnknownRule", "UnknownSpecification", "Unsupported"]

#: The minimum number of bytes for a thread. To judge them takes as long as to start the thread.
_WORTH_A_THREAD = 1 << 18

Share = Callable[[ColumnTexts, Callable[[int, int], None]], None]


class Divider:
    """Splits the texts of a rule into components. Raise Unsupported if the rule has no components.

    If `decides` is True, splitting also finds the invalid texts. Otherwise, `bounds` needs a mask of the
    valid texts.
    """

    def __init__(self, spec: Specification, rule: str, profile: Profile | None) -> None:
        rules = splitting_rules(spec, rule)
        self._spec, self._made = spec, splitter(spec, rules)
        self.components = self._made.components
        self._by_scheme = len(rules) > 1
        self._generic = self._by_scheme and (profile or spec.default_profile(rule)) == "generic"
        whole = self._by_scheme or rule in rules
        self.decides = whole and not self._generic and profile != "prose"

    def bounds(self, read: ColumnTexts, valid: Any, share: Share) -> Any:
        """Return an array with two rows per component: its begin and its end in each text.

        Both are INVALID for an invalid text. `valid` is a mask of the valid texts. It may be None if
        `decides` is True. `share` runs work on ranges of texts.
        """
        if self._by_scheme:
            starts = states_by_scheme(read, self._spec, self._made.starts)
        else:
            starts = np.array(list(self._made.starts.values()), np.uint16)
        found = self._split(read, starts, share)
        if self._generic:  # split a text that the rule of its scheme rejects like one of an unknown scheme
            assert self._spec.unknown_scheme is not None  # RFC 1738, which has rules by scheme
            starts[found[0] == INVALID] = self._made.starts[self._spec.unknown_scheme]
            found = self._split(read, starts, share)
        if valid is not None:
            found[:, ~valid] = INVALID
        return found

    def _split(self, read: ColumnTexts, starts: Any, share: Share) -> Any:
        made = self._made
        bounds = np.empty((2 * len(made.components), len(read)), read.offsets.dtype)

        def work(first: int, last: int) -> None:
            slots = np.full((LANES, made.slots), ABSENT)
            split_texts(
                read.data, read.offsets, first, last, made.following, starts, made.finals, slots, bounds
            )

        share(read, work)
        return bounds


class Judgement(NamedTuple):
    """The answers for an array of texts, as three Arrow arrays with an item for each text.

    `valid` is Boolean. `offset` is the offset of the error, and `reason` a dictionary array of strings. Both
    are null for a valid text. If a text is null, all three are null.
    """

    valid: Any
    offset: Any
    reason: Any


class Engine:
    """A rule of an RFC under a profile, compiled for columns. Verdicts and offsets are those of `validate`.

    A column is an Arrow array or chunked array of strings or bytes, a dictionary of them, or an object with
    the Arrow C interface. Bytes need not be UTF-8, but bytes above 127 are never part of a URL. Answers have
    the shape of the column. The answer to null is null. `threads` is the maximum number of threads.

    Raise UnknownSpecification or UnknownRule if there is no such rule, ValueError if `threads` is less than
    1, and TypeError if a column has another type.
    """

    def __init__(
        self,
        spec: str | Specification,
        rule: str | None = None,
        profile: Profile | None = None,
        *,
        threads: int = 1,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self.spec = specification(spec)
        self.rule = self.spec.grammar.canonical_name(rule or self.spec.default_rule)
        self.profile = profile
        self.threads = threads

    def accepts(self, column: Any) -> Any:
        """Return for each text whether the rule derives it."""

        def answer(array: Any) -> Any:
            read = texts(array)
            return pa.array(self._states(read) >= self._table.accepting, mask=read.nulls)

        return self._map(column, answer)

    def offsets(self, column: Any) -> Any:
        """Return for each text the offset of the first byte that cannot continue a valid text.

        If the text ends too early, the offset is the length of the text. If the text is valid, it is -1. All
        bytes before the offset are ASCII, so it is the same in bytes and in code points. The type is int32,
        or int64 for a column with large offsets.
        """

        def answer(array: Any) -> Any:
            read = texts(array)
            return pa.array(self._places(read, self._states(read)), mask=read.nulls)

        return self._map(column, answer)

    def spans(self, column: Any) -> Any:
        """Return the begin and end of each component of each text, as a struct of structs.

        An invalid text gives null. Begin and end of an absent component are -1. The components are those of
        `parse`. For RFC 1738, one struct contains the components of all schemes, and the fields of a prospero
        URL are one component. Raise Unsupported if the rule has no components.
        """
        return self._map(column, lambda array: self._divided(array, spans))

    def split(self, column: Any) -> Any:
        """Return the components of each text as a struct of strings.

        Absent components and invalid texts give null. `spans` returns the same components without copying
        bytes. Raise Unsupported if the rule has no components.
        """
        return self._map(column, lambda array: self._divided(array, strings))

    def judge(self, array: Any) -> Judgement:
        """Return verdict, offset and reason for each text of an array (not a chunked array)."""
        if types.is_dictionary(array.type):
            array = array.dictionary_decode()
        read = texts(array)
        places = self._places(read, self._states(read))
        valid = pa.array(places == VALID, mask=read.nulls)
        wrong = places != VALID
        if read.nulls is not None:
            wrong &= ~read.nulls
        reason = self.reasons.of(read, np.flatnonzero(wrong), places)
        return Judgement(valid, pa.array(places, mask=~wrong), reason)

    def problem(self, text: str | bytes) -> InvalidURL | None:
        """Return the error of one text, or None if it is valid. Bytes that are not UTF-8 become U+FFFD."""
        shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
        return self.spec.problem(shown, self.rule, self.profile)

    @property
    def components(self) -> tuple[str, ...]:
        """The components of `spans` and `split`. Raise Unsupported if the rule has no components."""
        return self._divider.components

    @cached_property
    def reasons(self) -> Reasons:
        """The reasons that `judge` has found so far."""
        return Reasons(self.spec, self.rule, self.profile)

    @cached_property
    def _table(self) -> Table:
        return table(self.spec.automaton(self.rule, self.profile))

    @cached_property
    def _divider(self) -> Divider:
        return Divider(self.spec, self.rule, self.profile)

    def warm_up(self) -> None:
        """Compile the kernels of `judge`, or read them from the cache."""
        self.judge(pa.array([""]))

    def _map(self, column: Any, answer: Callable[[Any], Any]) -> Any:
        """Answer a column chunk by chunk. Answer a dictionary column once per value."""
        column = arrow(column)
        if isinstance(column, pa.ChunkedArray):
            chunks = [self._map(chunk, answer) for chunk in column.chunks]
            return pa.chunked_array(chunks or [self._map(pa.array([], column.type), answer)])
        if types.is_dictionary(column.type):
            return self._map(column.dictionary, answer).take(column.indices)
        return answer(column)

    def _divided(self, array: Any, shape: Callable[..., Any]) -> Any:
        read = texts(array)
        divider = self._divider
        valid = None if divider.decides else self._states(read) >= self._table.accepting
        return shape(divider.components, read, divider.bounds(read, valid, self._share))

    def _states(self, read: ColumnTexts) -> Any:
        automaton, states = self._table, np.empty(len(read), np.uint16)

        def work(first: int, last: int) -> None:
            final_states(read.data, read.offsets, first, last, automaton.following, automaton.start, states)

        self._share(read, work)
        return states

    def _places(self, read: ColumnTexts, states: Any) -> Any:
        automaton, places = self._table, np.empty(len(read), read.offsets.dtype)

        def work(first: int, last: int) -> None:
            rejecting_offsets(read.data, read.offsets, first, last, *automaton, states, places)

        self._share(read, work)
        return places

    def _share(self, read: ColumnTexts, work: Callable[[int, int], None]) -> None:
        """Run `work` on one range of texts per thread. The ranges have about the same number of bytes."""
        begin, end = int(read.offsets[0]), int(read.offsets[-1])
        threads = min(self.threads, 1 + (end - begin) // _WORTH_A_THREAD)
        if threads == 1:
            work(0, len(read))
            return
        targets = [begin + (end - begin) * number // threads for number in range(1, threads)]
        cuts = [0, *np.searchsorted(read.offsets, targets).tolist(), len(read)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, cuts[:-1], cuts[1:]))
