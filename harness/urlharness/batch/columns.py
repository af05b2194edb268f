"""Columns of texts in Arrow layout as arrays that the kernels read, mostly without a copy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types


class Texts(NamedTuple):
    """The texts of one Arrow array: text i is `data[offsets[i]:offsets[i + 1]]`.

    `data` is uint8, `offsets` int32 or int64, `nulls` a Boolean array or None where nothing is null.
    """

    data: Any
    offsets: Any
    nulls: Any

    def __len__(self) -> int:
        return len(self.offsets) - 1


def arrow(column: Any) -> Any:
    """A column as an Arrow array or chunked array; raises TypeError for what is neither and gives neither."""
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column
    if hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    raise TypeError(f"a column is an Arrow array of texts, not {type(column).__name__}; see pyarrow.array")


def is_text(kind: Any) -> bool:
    """True for the types whose values are texts: strings and octets of every layout, dictionaries of them."""
    if types.is_dictionary(kind):
        return is_text(kind.value_type)
    tests = (
        types.is_string,
        types.is_large_string,
        types.is_string_view,
        types.is_binary,
        types.is_large_binary,
        types.is_binary_view,
        types.is_fixed_size_binary,
        types.is_null,
    )
    return any(test(kind) for test in tests)


def texts(array: Any) -> Texts:
    """The texts of an Arrow array that is no dictionary; raises TypeError where its type holds no texts."""
    array = _laid_out(array)
    large = types.is_large_string(array.type) or types.is_large_binary(array.type)
    if len(array) == 0:
        return Texts(np.empty(0, np.uint8), np.zeros(1, np.int64 if large else np.int32), None)
    _, offsets, data = array.buffers()
    count = array.offset + len(array) + 1
    bounds = np.frombuffer(offsets, np.int64 if large else np.int32, count)[array.offset :]
    octets = np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
    octets.flags.writeable = False  # of one type, whoever made the buffer, so that a kernel is compiled once
    bounds.flags.writeable = False
    nulls = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    return Texts(octets, bounds, nulls)


def _laid_out(array: Any) -> Any:
    """The array with one buffer of octets and one of offsets."""
    kind = array.type
    if types.is_string_view(kind):
        return array.cast(pa.large_string())
    if types.is_binary_view(kind) or types.is_fixed_size_binary(kind):
        return array.cast(pa.large_binary())
    if types.is_null(kind):
        return array.cast(pa.string())
    if not is_text(kind) or types.is_dictionary(kind):
        raise TypeError(f"a column of type {kind} holds no texts")
    return array
