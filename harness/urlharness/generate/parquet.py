"""Generated texts as Parquet: one row for each text or pair, with its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec
import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from urlharness.generate.columns import NO_CLASS, InvalidLabels, SampleColumns
from urlharness.generate.kinds import Pair, Sample, text_bytes
from urlharness.generate.requests import SpecAnswer, Texts
from urlharness.text import is_well_formed
from urlharness.words.mutation import Edit

_NAME = pa.dictionary(pa.int32(), pa.string())
_EDIT = pa.struct(
    [
        ("kind", pa.string()),
        ("at", pa.int32()),
        ("removed", pa.binary()),
        ("inserted", pa.binary()),
    ]
)
_ANSWER = pa.struct(
    [
        ("valid", pa.bool_()),
        ("offset", pa.int32()),
        ("components", pa.string()),
        ("result", pa.string()),
    ]
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
    answers = dict.fromkeys(texts.answering, _ANSWER) if texts.request.all_specs else {}
    schema = pa.schema({**columns, **answers})
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for kind in texts.request.kinds:
            for chunk in texts.chunks(kind):
                writer.write_table(_table(kind, chunk, schema))


def _table(kind: str, chunk: Sequence[Sample | Pair], schema: pa.Schema) -> pa.Table:
    """Return the rows of a chunk: columns as they are, or a row for each text or pair."""
    if isinstance(chunk, SampleColumns):
        return pa.table(_sample_columns(kind, chunk), schema=schema)
    rows = [_row(kind, content) for content in chunk]
    columns = []
    for field in schema:
        cells = [row.get(field.name) for row in rows]
        columns.append(pa.array(cells, field.type))
    return pa.table(columns, schema=schema)


def _row(kind: str, content: Sample | Pair) -> dict[str, Any]:
    """Return a row of the table by column. A column that is missing is null."""
    row = _pair_row(content) if isinstance(content, Pair) else _sample_row(content)
    row["kind"] = kind
    row["difference"] = content.difference
    for spec, answer in (content.answers or {}).items():
        row[spec] = _answer_row(answer)
    return row


def _sample_row(sample: Sample) -> dict[str, Any]:
    """Return the cells of a text, which stands in `text` or, if it is not UTF-8, in `bytes`."""
    row: dict[str, Any] = {
        "valid": sample.valid,
        "offset": sample.offset,
        "broken": sample.broken,
        "class": sample.class_,
    }
    if is_well_formed(sample.text):
        row["text"] = sample.text
    else:
        row["bytes"] = text_bytes(sample.text)
    if sample.edit is not None:
        row["edit"] = _edit_row(sample.edit)
    return row


def _edit_row(edit: Edit) -> dict[str, Any]:
    """Return the fields of an edit; what it removes and inserts is bytes."""
    return {
        "kind": edit.kind,
        "at": edit.at,
        "removed": text_bytes(edit.removed),
        "inserted": text_bytes(edit.inserted),
    }


def _pair_row(pair: Pair) -> dict[str, Any]:
    """Return the cells of a pair to resolve, with the admissible results."""
    return {
        "base": pair.base,
        "reference": pair.reference,
        "results": pair.targets,
        "binding": pair.label.binding,
        "ruling": pair.label.ruling,
    }


def _answer_row(answer: SpecAnswer) -> dict[str, Any]:
    """Return the answer of an RFC as a row. Components are JSON, because they differ from RFC to RFC."""
    row = {"valid": answer.valid, "offset": answer.offset, "result": answer.result}
    if answer.components is not None:
        row["components"] = msgspec.json.encode(answer.components).decode()
    return row


def _sample_columns(kind: str, samples: SampleColumns) -> list[Any]:
    """Return the arrays of samples in the order of `_TEXT_COLUMNS`."""
    count = len(samples)
    is_valid = samples.labels is None
    columns = {name: pa.nulls(count, column_type) for name, column_type in _TEXT_COLUMNS.items()}
    columns["kind"] = _name_column(np.zeros(count, np.int32), [kind])
    columns["valid"] = pa.array(np.full(count, is_valid))
    content = samples.texts()
    if samples.labels is None:
        columns["text"] = content.cast(pa.string())
    else:
        columns |= _label_columns(content.cast(pa.binary()), samples.labels)
    return list(columns.values())


def _label_columns(content: Any, labels: InvalidLabels) -> dict[str, Any]:
    """Return the columns of invalid texts that valid ones do not have. `content` are the texts as bytes."""
    # words are ASCII, so a text is not UTF-8 only if its edit inserted a byte that is not
    is_byte = np.array([not is_well_formed(member) for member in labels.names.members])
    has_byte = is_byte[labels.members] & labels.inserts()
    no_bytes = pa.scalar(None, pa.binary())
    utf8_texts = compute.if_else(pa.array(~has_byte), content, no_bytes)
    other_texts = compute.if_else(pa.array(has_byte), content, no_bytes)
    has_no_class = labels.classes == NO_CLASS
    classes = pa.array(labels.classes, mask=has_no_class, type=pa.int32())
    edits = pa.StructArray.from_arrays(labels.edit_arrays(), fields=list(_EDIT))
    return {
        "text": utf8_texts.cast(pa.string()),
        "bytes": other_texts,
        "offset": pa.array(labels.places, pa.int32()),
        "broken": _name_column(labels.rules, labels.names.rules),
        "class": _name_column(classes, labels.names.classes),
        "edit": edits,
    }


def _name_column(numbers: Any, names: Sequence[str]) -> pa.DictionaryArray:
    """Return a column of names, each stored as its number in `names`."""
    return pa.DictionaryArray.from_arrays(numbers, list(names))
