"""Generated texts as Parquet: one row for each text or pair, with its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec
import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from urlharness.generate.columns import NO_CLASS, InvalidLabels, SampleColumns
from urlharness.generate.kinds import Pair, Sample, is_utf8, text_bytes
from urlharness.generate.requests import SpecAnswer, Texts
from urloracle.rfcs import SPECIFICATIONS

_NAME = pa.dictionary(pa.int32(), pa.string())
_EDIT = pa.struct(
    {
        "kind": pa.string(),
        "at": pa.int32(),
        "removed": pa.binary(),
        "inserted": pa.binary(),
    }.items()
)
_ANSWER = pa.struct(
    {
        "valid": pa.bool_(),
        "offset": pa.int32(),
        "components": pa.string(),
        "result": pa.string(),
    }.items()
)

#: The columns of texts. If a text is not UTF-8, `bytes` contains it, and `text` is null.
_TEXT_COLUMNS = {
    "kind": _NAME,
    "text": pa.string(),
    "bytes": pa.binary(),
    "valid": pa.bool_(),
    "offset": pa.int32(),
    "broken": _NAME,
    "class": _NAME,
    "edit": _EDIT,
    "difference": _NAME,
}
_PAIR_COLUMNS = {
    "kind": _NAME,
    "base": pa.string(),
    "reference": pa.string(),
    "results": pa.list_(pa.string()),
    "binding": _NAME,
    "ruling": _NAME,
    "difference": _NAME,
}


def write_parquet(texts: Texts, stream: BinaryIO) -> None:
    """Write texts or pairs as Parquet. If answers were requested, those of each RFC are a column."""
    columns = _PAIR_COLUMNS if texts.request.resolution else _TEXT_COLUMNS
    answers = dict.fromkeys(SPECIFICATIONS, _ANSWER) if texts.request.all_specs else {}
    schema = pa.schema({**columns, **answers})
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for kind in texts.request.kinds:
            for chunk in texts.chunks(kind):
                writer.write_table(_table(kind, chunk, schema))


def _table(kind: str, chunk: Sequence[Sample | Pair], schema: pa.Schema) -> pa.Table:
    if isinstance(chunk, SampleColumns):
        return pa.table(_sample_columns(kind, chunk), schema=schema)
    rows = [_row(kind, content) for content in chunk]
    return pa.table(
        [pa.array([row.get(field.name) for row in rows], field.type) for field in schema], schema=schema
    )


def _row(kind: str, content: Sample | Pair) -> dict[str, Any]:
    row = _pair_row(content) if isinstance(content, Pair) else _sample_row(content)
    row["kind"] = kind
    row["difference"] = content.difference
    for spec, answer in (content.answers or {}).items():
        row[spec] = _answer_row(answer)
    return row


def _sample_row(sample: Sample) -> dict[str, Any]:
    edit = None
    if sample.edit is not None:
        edit = {
            "kind": sample.edit.kind,
            "at": sample.edit.at,
            "removed": text_bytes(sample.edit.removed),
            "inserted": text_bytes(sample.edit.inserted),
        }
    return {
        "text": sample.text if is_utf8(sample.text) else None,
        "bytes": None if is_utf8(sample.text) else text_bytes(sample.text),
        "valid": sample.valid,
        "offset": sample.offset,
        "broken": sample.broken,
        "class": sample.class_,
        "edit": edit,
    }


def _pair_row(pair: Pair) -> dict[str, Any]:
    return {
        "base": pair.base,
        "reference": pair.reference,
        "results": pair.targets,
        "binding": pair.label.binding,
        "ruling": pair.label.ruling,
    }


def _answer_row(answer: SpecAnswer) -> dict[str, Any]:
    """Return the answer of an RFC as a row. Components are JSON, because they differ from RFC to RFC."""
    components = answer.components and msgspec.json.encode(answer.components).decode()
    return {
        "valid": answer.valid,
        "offset": answer.offset,
        "components": components,
        "result": answer.result,
    }


def _sample_columns(kind: str, samples: SampleColumns) -> list[Any]:
    """Return the arrays of samples in the order of `_TEXT_COLUMNS`."""
    count = len(samples)
    columns = {name: pa.nulls(count, column_type) for name, column_type in _TEXT_COLUMNS.items()}
    columns["kind"] = pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), [kind])
    columns["valid"] = pa.array(np.full(count, samples.labels is None))
    content = samples.texts()
    if samples.labels is None:
        columns["text"] = content.cast(pa.string())
    else:
        columns |= _label_columns(content.cast(pa.binary()), samples.labels)
    return list(columns.values())


def _label_columns(content: Any, labels: InvalidLabels) -> dict[str, Any]:
    """Return the columns of invalid texts that valid ones do not have. `content` are the texts as bytes."""
    is_byte = np.array([not is_utf8(member) for member in labels.names.members])
    is_text = ~(is_byte[labels.members] & labels.inserts())
    no_bytes = pa.scalar(None, pa.binary())
    classes = pa.array(labels.classes, mask=labels.classes == NO_CLASS, type=pa.int32())
    return {
        "text": compute.if_else(pa.array(is_text), content, no_bytes).cast(pa.string()),
        "bytes": compute.if_else(pa.array(~is_text), content, no_bytes),
        "offset": pa.array(labels.places, pa.int32()),
        "broken": pa.DictionaryArray.from_arrays(labels.rules, list(labels.names.rules)),
        "class": pa.DictionaryArray.from_arrays(classes, list(labels.names.classes)),
        "edit": pa.StructArray.from_arrays(labels.edit_arrays(), fields=list(_EDIT)),
    }
