"""Files judged batch by batch: counts, an example for each reason, and the rows with their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import getpid
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from urlharness.batch.engine import Engine, Judgement
from urlharness.batch.reasons import Reason
from urlharness.batch.sources import Batch, ColumnError, FileError, Source
from urloracle.errors import InvalidURL

#: The columns that an output has beside those of its input.
VALID, OFFSET, REASON, COMPONENTS = "valid", "offset", "reason", "components"

_ADDED = {VALID: pa.bool_(), OFFSET: pa.int32(), REASON: pa.dictionary(pa.int32(), pa.string())}


class Example(NamedTuple):
    """The first text that was rejected for a reason: its file, its row from 1, and what the oracle says."""

    file: str
    row: int
    problem: InvalidURL


@dataclass
class Tally:
    """What has been counted: rows by verdict, rejections by reason."""

    valid: int = 0
    invalid: int = 0
    null: int = 0
    reasons: dict[Reason, int] = field(default_factory=dict)
    examples: dict[Reason, Example] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """All of them."""
        return self.valid + self.invalid + self.null

    def commonest(self) -> list[tuple[Reason, int]]:
        """The reasons with their counts, the commonest first, of equals that with the earlier example."""
        return sorted(self.reasons.items(), key=lambda item: (-item[1], self.examples[item[0]].row))


class Writer:
    """A parquet file of the rows that were judged; it is closed properly however the work ends.

    It is written beside its place and moved there with its first row, so that work which comes to nothing
    leaves what stood there.
    """

    def __init__(self, path: Path, engine: Engine, *, components: bool) -> None:
        self._part = path.with_name(f".{path.name}.{getpid()}.part")
        try:
            self._part.open("wb").close()  # raises now what would be raised after hours
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        self._path, self._engine, self._components = path, engine, components
        self._writer: Any = None
        self._types: dict[str, Any] = {}
        self._schema: Any = None
        self.rows = 0

    def write(self, source: Source, batch: Batch, judgement: Judgement) -> None:
        """Write rows; raises FileError where their columns are not those of the files before."""
        split = self._engine.split(batch.urls) if self._components else None
        if self._writer is None:
            self._open(source, split)
        elif source.types != self._types:
            raise FileError(f"{source.name}: its columns are not those of the files before it")
        judged = {VALID: judgement.valid, OFFSET: judgement.offset.cast(pa.int32()), REASON: judgement.reason}
        if split is not None:
            judged[COMPONENTS] = split
        given = {name: _of_type(column, source.types[name]) for name, column in batch.columns.items()}
        columns = [*given.values(), *judged.values()]
        self._writer.write_table(pa.table(columns, schema=self._schema))
        self.rows += len(judgement.valid)

    def close(self) -> None:
        """Write what closes the file, and put it in its place; without a row there is none."""
        if self._writer is None:
            self._part.unlink(missing_ok=True)
            return
        self._writer.close()
        self._part.replace(self._path)

    def _open(self, source: Source, split: Any) -> None:
        added = {**_ADDED, **({} if split is None else {COMPONENTS: split.type})}
        taken = [name for name in source.types if name in added]
        if taken:
            raise ColumnError(f"{source.name} has a column {taken[0]!r}, which the output gets as well")
        self._types = source.types
        self._schema = pa.schema({**source.types, **added})
        self._writer = parquet.ParquetWriter(self._part, self._schema, compression="zstd")


@contextmanager
def writer(path: Path, engine: Engine, *, components: bool) -> Iterator[Writer]:
    """A writer to a file; raises OSError where it cannot be written."""
    made = Writer(path, engine, components=components)
    try:
        yield made
    finally:
        made.close()


def check(
    engine: Engine,
    sources: Iterable[Source],
    tally: Tally,
    output: Writer | None,
    progress: Callable[[Source], None],
) -> None:
    """Judge every row of the sources; each source is closed when it is done with."""
    for source in sources:
        with source:
            row = 0
            for batch in source.batches():
                judgement = engine.judge(batch.urls)
                _count(tally, engine, source, row, batch, judgement)
                if output is not None:
                    output.write(source, batch, judgement)
                row += len(batch.urls)
                progress(source)


def _count(
    tally: Tally, engine: Engine, source: Source, before: int, batch: Batch, judgement: Judgement
) -> None:
    wrong = np.flatnonzero(judgement.reason.is_valid().to_numpy(zero_copy_only=False))
    nulls = batch.urls.null_count
    tally.null += nulls
    tally.invalid += len(wrong)
    tally.valid += len(batch.urls) - nulls - len(wrong)
    if not len(wrong):
        return
    numbers = judgement.reason.indices.drop_null().to_numpy()
    found, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    known = list(engine.reasons)
    for number, text, count in zip(found.tolist(), wrong[first].tolist(), counts.tolist(), strict=True):
        reason = known[number]
        tally.reasons[reason] = tally.reasons.get(reason, 0) + count
        if reason not in tally.examples:
            problem = engine.problem(batch.urls[text].as_py())
            assert problem is not None  # the engine and the oracle agree on verdicts
            tally.examples[reason] = Example(source.name, before + text + 1, problem)


def _of_type(column: Any, kind: Any) -> Any:
    """A column as it is written: octets read from text as strings, with U+FFFD for what is no UTF-8."""
    if column.type == kind:
        return column
    try:
        return column.cast(kind)
    except pa.ArrowInvalid:
        texts = (text and text.decode("utf-8", "replace") for text in column.to_pylist())
        return pa.array(["" if text == b"" else text for text in texts], kind)
