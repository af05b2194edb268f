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
    split_texts,
    write_code_points,
    write_error_places,
    write_final_states,
)
from urlharness.batch.reasons import Reasons
from urlharness.batch.tables import (
    ColumnTexts,
    Table,
    as_arrow,
    column_texts,
    component_spans,
    component_strings,
    dfa_table,
    joined_splitter,
    splitting_rules,
    states_by_scheme,
)
from urloracle.errors import InvalidURL
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Profile, Specification, Unsupported

__all__ = ["Engine", "Judgement", "UnknownRule", "UnknownSpecification", "Unsupported"]

#: The minimum number of bytes for a thread. To judge them takes as long as to start the thread.
_WORTH_A_THREAD = 1 << 18

#: A function that runs work on ranges of texts, of which it gets the first and the end.
Share = Callable[[ColumnTexts, Callable[[int, int], None]], None]


class Divider:
    """Splits the texts of a rule into components. Raise Unsupported if the rule has no components.

    If `decides` is True, splitting also finds the invalid texts. Otherwise, `bounds` needs a mask of the
    valid texts.
    """

    def __init__(self, spec: Specification, rule: str, profile: Profile | None) -> None:
        rules = splitting_rules(spec, rule)
        self._spec = spec
        self._splitter = joined_splitter(spec, rules)
        self.components = self._splitter.components
        self._by_scheme = len(rules) > 1
        self._is_generic = self._by_scheme and (profile or spec.default_profile(rule)) == "generic"
        splits_the_rule = self._by_scheme or rule in rules
        # the split tables know neither the fallback of `generic` nor the conditions that `prose` adds
        self.decides = splits_the_rule and not self._is_generic and profile != "prose"

    def bounds(self, column: ColumnTexts, valid: Any, share: Share) -> Any:
        """Return an array with two rows per component: its begin and its end in each text.

        Both are INVALID for an invalid text. `valid` is a mask of the valid texts. It may be None if
        `decides` is True. `share` runs work on ranges of texts.
        """
        start_of_rule = self._splitter.starts
        if self._by_scheme:
            starts = states_by_scheme(column, self._spec, start_of_rule)
        else:
            starts = np.array(list(start_of_rule.values()), np.uint16)
        bounds = self._split(column, starts, share)
        if self._is_generic:  # split a text that the rule of its scheme rejects like one of an unknown scheme
            assert self._spec.unknown_scheme is not None  # RFC 1738, which has rules by scheme
            starts[bounds[0] == INVALID] = start_of_rule[self._spec.unknown_scheme]
            bounds = self._split(column, starts, share)
        if valid is not None:
            bounds[:, ~valid] = INVALID
        return bounds

    def _split(self, column: ColumnTexts, starts: Any, share: Share) -> Any:
        """Return the bounds as `bounds` does. `starts` has a start state for each text, or one for all."""
        components, following, finals, _, slot_count = self._splitter
        bounds = np.empty((2 * len(components), len(column)), column.offsets.dtype)

        def work(first: int, last: int) -> None:
            slots = np.full((LANES, slot_count), ABSENT)
            split_texts(column.octets, column.offsets, first, last, following, starts, finals, slots, bounds)

        share(column, work)
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
    the Arrow C interface. Bytes need not be UTF-8, but what is no UTF-8 is never part of a URL or an IRI.
    Answers have the shape of the column. The answer to null is null. `threads` is the maximum number of
    threads.

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
            texts = column_texts(array)
            return pa.array(self._is_accepted(texts), mask=texts.nulls)

        return self._map(column, answer)

    def offsets(self, column: Any) -> Any:
        """Return for each text the offset of the first character that cannot continue a valid text.

        If the text ends too early, the offset is the length of the text. If the text is valid, it is -1.
        Offsets are in code points, as those of `validate`. Under an RFC of ASCII alone, this is the same as
        in bytes. The type is int32, or int64 for a column with large offsets.
        """

        def answer(array: Any) -> Any:
            texts = column_texts(array)
            offsets = self._in_code_points(texts, self._error_places(texts))
            return pa.array(offsets, mask=texts.nulls)

        return self._map(column, answer)

    def spans(self, column: Any) -> Any:
        """Return the begin and end of each component of each text, in bytes, as a struct of structs.

        An invalid text gives null. Begin and end of an absent component are -1. The components are those of
        `parse`. For RFC 1738, one struct contains the components of all schemes, and the fields of a prospero
        URL are one component. Raise Unsupported if the rule has no components.
        """
        return self._map(column, lambda array: self._divided(array, component_spans))

    def split(self, column: Any) -> Any:
        """Return the components of each text as a struct of strings.

        Absent components and invalid texts give null. `spans` returns the same components without copying
        bytes. Raise Unsupported if the rule has no components.
        """
        return self._map(column, lambda array: self._divided(array, component_strings))

    def judge(self, array: Any) -> Judgement:
        """Return verdict, offset and reason for each text of an array, or of a Series in one piece.

        Raise TypeError for a chunked array.
        """
        texts = as_arrow(array)
        if isinstance(texts, pa.ChunkedArray) and texts.num_chunks == 1:
            texts = texts.chunk(0)
        if isinstance(texts, pa.ChunkedArray):
            raise TypeError("judge takes one array: give it the chunks one by one, or combine_chunks()")
        if types.is_dictionary(texts.type):
            texts = texts.dictionary_decode()
        column = column_texts(texts)
        places = self._error_places(column)
        valid = pa.array(places == VALID, mask=column.nulls)
        is_rejected = places != VALID
        if column.nulls is not None:
            is_rejected &= ~column.nulls
        reason = self.reasons.find(column, np.flatnonzero(is_rejected), places)
        offsets = self._in_code_points(column, places)
        return Judgement(valid, pa.array(offsets, mask=~is_rejected), reason)

    def problem(self, text: str | bytes) -> InvalidURL | None:
        """Return the error of one text, or None if it is valid. Bytes that are not UTF-8 become U+FFFD."""
        decoded = text if isinstance(text, str) else text.decode("utf-8", "replace")
        return self.spec.problem(decoded, self.rule, self.profile)

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
        return dfa_table(self.spec.automaton(self.rule, self.profile))

    @cached_property
    def _divider(self) -> Divider:
        return Divider(self.spec, self.rule, self.profile)

    def warm_up(self) -> None:
        """Compile the kernels of `judge`, or read them from the cache."""
        self.judge(pa.array([""]))

    def _map(self, column: Any, answer: Callable[[Any], Any]) -> Any:
        """Answer a column chunk by chunk. Answer a dictionary column once per value."""
        array = as_arrow(column)
        if isinstance(array, pa.ChunkedArray):
            chunks = [self._map(chunk, answer) for chunk in array.chunks]
            if not chunks:  # an empty chunk has the type of the answers
                chunks = [self._map(pa.array([], array.type), answer)]
            return pa.chunked_array(chunks)
        if types.is_dictionary(array.type):
            return self._map(array.dictionary, answer).take(array.indices)
        return answer(array)

    def _divided(self, array: Any, shape: Callable[..., Any]) -> Any:
        """Return the components of each text. `shape` is `component_spans` or `component_strings`."""
        column = column_texts(array)
        divider = self._divider
        valid = None if divider.decides else self._is_accepted(column)
        return shape(divider.components, column, divider.bounds(column, valid, self._share_work))

    def _is_accepted(self, column: ColumnTexts) -> Any:
        """Return a mask of the valid texts."""
        return self._final_states(column) >= self._table.accepting

    def _final_states(self, column: ColumnTexts) -> Any:
        """Return the state after each text."""
        following, start, _, _ = self._table
        states = np.empty(len(column), np.uint16)

        def work(first: int, last: int) -> None:
            write_final_states(column.octets, column.offsets, first, last, following, start, states)

        self._share_work(column, work)
        return states

    def _error_places(self, column: ColumnTexts) -> Any:
        """Return the place of the error of each text in bytes, or VALID."""
        table = self._table
        states = self._final_states(column)
        places = np.empty(len(column), column.offsets.dtype)

        def work(first: int, last: int) -> None:
            write_error_places(column.octets, column.offsets, first, last, *table, states, places)

        self._share_work(column, work)
        return places

    def _in_code_points(self, column: ColumnTexts, places: Any) -> Any:
        """Return places of errors as offsets in code points. All text before a place is valid UTF-8."""
        _, _, inside, accepting = self._table
        if inside == accepting:  # no character of several bytes is valid, so what comes before is ASCII
            return places
        offsets = places.copy()
        write_code_points(column.octets, column.offsets, offsets)
        return offsets

    def _share_work(self, column: ColumnTexts, work: Callable[[int, int], None]) -> None:
        """Run `work` on one range of texts per thread. The ranges have about the same number of bytes."""
        begin = int(column.offsets[0])
        size = int(column.offsets[-1]) - begin
        threads = min(self.threads, 1 + size // _WORTH_A_THREAD)
        if threads == 1:
            work(0, len(column))
            return
        targets = [begin + size * number // threads for number in range(1, threads)]
        inner_cuts = np.searchsorted(column.offsets, targets).tolist()
        cuts = [0, *inner_cuts, len(column)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, cuts[:-1], cuts[1:]))  # raises what a thread has raised
