"""Generated texts as Parquet: one row for each text or pair, with its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec
import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from urlharness.generate.compiled import Columns
from urlharness.generate.kinds import Pair, Sample
from urlharness.generate.requests import Texts
from urloracle.rfcs import SPECIFICATIONS

_NAMES = pa.dictionary(pa.int32(), pa.string())
_EDIT = pa.struct(
    {"kind": pa.string(), "at": pa.int32(), "removed": pa.binary(), "inserted": pa.binary()}.items()
)
_ANSWER = {
    "valid": pa.bool_(), "offset": pa.int32(), "components": pa.string(), "result": pa.string(),
}  # fmt: skip

#: The columns of texts. If a text is not UTF-8, `bytes` contains it, and `text` is null.
_TEXTS = {
    "kind": _NAMES, "text": pa.string(), "bytes": pa.binary(), "valid": pa.bool_(), "offset": pa.int32(),
    "broken": _NAMES, "class": _NAMES, "edit": _EDIT, "difference": _NAMES,
}  # fmt: skip
_PAIRS = {
    "kind": _NAMES, "base": pa.string(), "reference": pa.string(), "results": pa.list_(pa.string()),
    "binding": _NAMES, "ruling": _NAMES, "difference": _NAMES,
}  # fmt: skip


def write_parquet(texts: Texts, stream: BinaryIO) -> None:
    """Write texts or pairs as Parquet. If answers were requested, those of each RFC are a column."""
    kinds = texts.request.kinds
    types = _PAIRS if texts.request.resolution else _TEXTS
    specs = list(SPECIFICATIONS) if texts.request.all_specs else []
    schema = pa.schema([*types.items(), *((name, pa.struct(_ANSWER.items())) for name in specs)])
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for kind in kinds:
            for chunk in texts.chunks(kind):
                writer.write_table(pa.table(_columns(kind, chunk, schema), schema=schema))


def _columns(kind: str, chunk: Sequence[Sample | Pair], schema: Any) -> list[Any]:
    if isinstance(chunk, Columns):
        return _arrays(kind, chunk)
    rows = [_pair(one) if isinstance(one, Pair) else _sample(one) for one in chunk]
    for row, one in zip(rows, chunk, strict=True):
        row |= {"kind": kind, "difference": one.difference}
        row |= {name: _answer(answer) for name, answer in (one.answers or {}).items()}
    return [pa.array([row.get(field.name) for row in rows], field.type) for field in schema]


def _sample(sample: Sample) -> dict[str, Any]:
    edit = None
    if sample.edit is not None:
        edit = sample.edit._asdict()
        edit |= {name: _raw(edit[name]) for name in ("removed", "inserted")}
    raw, text = _raw(sample.text), sample.text
    is_text = text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)
    return {
        "text": text if is_text else None, "bytes": None if is_text else raw, "valid": sample.valid,
        "offset": sample.offset, "broken": sample.broken, "class": sample.class_, "edit": edit,
    }  # fmt: skip


def _pair(pair: Pair) -> dict[str, Any]:
    found = pair.label.expect.alternatives
    results = [one.result if isinstance(one.result, str) else None for one in found]
    binding, ruling = pair.label.binding, pair.label.ruling
    pairs = {"base": pair.base, "reference": pair.reference, "results": results}
    return pairs | {"binding": binding, "ruling": ruling}


def _answer(answer: Any) -> dict[str, Any]:
    """Return the answer of an RFC as a row. Components are JSON, because they differ from RFC to RFC."""
    components = answer.components and msgspec.json.encode(answer.components).decode()
    return {
        "valid": answer.valid, "offset": answer.offset, "components": components, "result": answer.result,
    }  # fmt: skip


def _arrays(kind: str, columns: Columns) -> list[Any]:
    count, texts = len(columns), columns.texts()
    valid = pa.array(np.full(count, columns.places is None))
    kinds = pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), [kind])
    if columns.places is None:
        nothing = [pa.nulls(count, one) for one in (pa.int32(), _NAMES, _NAMES, _EDIT, _NAMES)]
        return [kinds, texts.cast(pa.string()), pa.nulls(count, pa.binary()), valid, *nothing]
    rules, classes, _ = columns.names
    lone = np.array([any("\udc80" <= char <= "\udcff" for char in one) for one in columns.names[2]])
    whole = ~(lone[columns.members] & columns.inserts())
    every, none = texts.cast(pa.binary()), pa.scalar(None, pa.binary())
    text, raw = (compute.if_else(pa.array(mask), every, none) for mask in (whole, ~whole))
    broken = pa.DictionaryArray.from_arrays(columns.rules, list(rules))
    named = pa.DictionaryArray.from_arrays(
        pa.array(columns.classes, mask=columns.classes < 0, type=pa.int32()), list(classes)
    )
    edits = columns.edit_arrays()
    return [kinds, text.cast(pa.string()), raw, valid, pa.array(columns.places, pa.int32()), broken, named,
            pa.StructArray.from_arrays(edits, fields=list(_EDIT)), pa.nulls(count, _NAMES)]  # fmt: skip


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
