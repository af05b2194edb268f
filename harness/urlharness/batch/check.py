"""Checks of URL files, batch by batch: counts, an example for each reason, and rows with verdicts."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.text import Text

from urlharness.batch.engine import Engine, Judgement
from urlharness.batch.reasons import Reason
from urlharness.batch.sources import Batch, ColumnError, FileError, Source
from urlharness.jsonio import WholeFile
from urlharness.text import logged

#: The columns of the output, in addition to those of the input.
VALID, OFFSET, REASON, COMPONENTS = "valid", "offset", "reason", "components"
_ADDED = {VALID: pa.bool_(), OFFSET: pa.int32(), REASON: pa.dictionary(pa.int32(), pa.string())}

#: The maximum number of characters of an example.
EXAMPLE = 1_000
#: The maximum number of bytes of a character.
_BYTES = 4
#: The maximum number of reasons on a terminal, and of names of files.
_MOST_REASONS = 10
_MOST_FILES = 3
#: A rate is shown from this number of rows.
_ROWS_FOR_A_RATE = 10_000


class RejectedRow(NamedTuple):
    """The first text rejected for a reason: its file, its row (from 1), and the oracle's error.

    Of a long text, `text` is only the part around the error, which begins at offset `start`. `length` is the
    number of bytes of the whole text, `at` the offset of the error in it, and `message` describes the error.
    `caret` shows the place of the error in two lines. Offsets are in code points.
    """

    file: str
    row: int
    text: str
    start: int
    length: int
    at: int
    message: str
    caret: str


@dataclass
class VerdictCounts:
    """Counts of rows by verdict, and of rejections by reason."""

    valid: int = 0
    invalid: int = 0
    null: int = 0
    reasons: dict[Reason, int] = field(default_factory=dict)
    examples: dict[Reason, RejectedRow] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of all rows."""
        return self.valid + self.invalid + self.null

    def ranked_reasons(self) -> list[tuple[Reason, int]]:
        """Return all reasons with their counts, the most common first.

        Equally common reasons are in the order of the rows of their examples.
        """

        def rank(counted: tuple[Reason, int]) -> tuple[int, int]:
            reason, count = counted
            return -count, self.examples[reason].row

        return sorted(self.reasons.items(), key=rank)


class _Positioned(io.RawIOBase):
    """A stream that counts its position, which the Parquet writer asks for. A pipe does not know it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._position = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        written = self._stream.write(data)
        self._position += written
        return written

    def tell(self) -> int:
        return self._position


class Writer:
    """A Parquet file of the judged rows. Leaving its context finishes the file, even after an error.

    If no row is written, or if writing fails, an existing file at the path stays unchanged: see `WholeFile`.
    Raise OSError if the file cannot be written.
    """

    def __init__(self, path: Path, engine: Engine, *, components: bool) -> None:
        self._name = str(path)
        self._engine = engine
        self._components = components
        self._writer: Any = None
        self._types: dict[str, Any] = {}
        self._schema: Any = None
        self._complete = True  # every row could be written
        self.rows = 0
        with self._named_errors():
            self._file = WholeFile(path)  # fail now, not after hours of work

    def write(self, source: Source, batch: Batch, judgement: Judgement) -> None:
        """Write rows. Raise FileError if their columns differ from those of the first file.

        Raise ColumnError if the first file has a column with the name of an added one.
        """
        added_columns = [judgement.valid, judgement.offset.cast(pa.int32()), judgement.reason]
        added_types = dict(_ADDED)
        if self._components:
            components = self._engine.split(batch.urls)
            added_columns.append(components)
            added_types[COMPONENTS] = components.type
        if self._writer is None:
            self._open(source, added_types)
        elif source.types != self._types:
            raise FileError(f"the columns of {source.name} differ from the columns of the first file")
        columns = {**batch.columns, source.column: batch.urls}
        input_columns = [_of_type(column, source.types[name]) for name, column in columns.items()]
        with self._named_errors():
            self._writer.write_table(pa.table([*input_columns, *added_columns], schema=self._schema))
        self.rows += len(judgement.valid)

    def _open(self, source: Source, added_types: Mapping[str, Any]) -> None:
        """Begin the file with the columns of the first source. Raise ColumnError if one has an added name."""
        for name in source.types:
            if name in added_types:
                raise ColumnError(
                    f"{source.name} already has a column {name!r}, and "
                    "the output adds a column of this name: rename it"
                )
        self._types = source.types
        self._schema = pa.schema({**source.types, **added_types})
        with self._named_errors():
            self._writer = parquet.ParquetWriter(
                _Positioned(self._file.stream), self._schema, compression="zstd"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Finish the file and put it at its path. If no row was written, or a write failed, discard it."""
        try:
            with self._named_errors():
                if self._writer is not None:
                    self._writer.close()
                    if self._complete:
                        self._file.keep()
        finally:
            self._file.discard()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Add the name of the file to each OSError, including the error of a closed pipe.

        After an error, the file is not kept.
        """
        try:
            yield
        except OSError as error:
            self._complete = False
            if self._writer is not None:
                self._writer.is_open = False  # otherwise it would write again when it is closed or deleted
            why = os.strerror(error.errno) if error.errno else str(error)
            # 0, because with the number of a closed pipe, the error would be a BrokenPipeError
            raise OSError(0, why, self._name) from None


def _of_type(column: Any, output_type: Any) -> Any:
    """Cast a column to the type of the output. Bytes that are not UTF-8 become U+FFFD."""
    if column.type == output_type:
        return column
    if pa.types.is_dictionary(output_type):
        dictionary = _of_type(column.dictionary, output_type.value_type)
        return pa.DictionaryArray.from_arrays(column.indices, dictionary, ordered=output_type.ordered)
    try:
        return column.cast(output_type)
    except pa.ArrowInvalid:
        texts = [None if text is None else text.decode("utf-8", "replace") for text in column.to_pylist()]
        return pa.array(texts, output_type)


def check(
    engine: Engine,
    sources: Iterable[Source],
    counts: VerdictCounts,
    output: Writer | None,
    progress: Callable[[Source], None],
) -> None:
    """Judge every row of the sources, and close each source after its last row.

    Add the rows to `counts`, write them to `output` if there is one, and call `progress` after each batch.
    """
    for source in sources:
        with source:
            rows_before = 0
            for batch in source.batches():
                judgement = engine.judge(batch.urls)
                _count_rows(counts, engine, source, rows_before, batch, judgement)
                if output is not None:
                    output.write(source, batch, judgement)
                rows_before += len(batch.urls)
                progress(source)


def _count_rows(
    counts: VerdictCounts,
    engine: Engine,
    source: Source,
    rows_before: int,
    batch: Batch,
    judgement: Judgement,
) -> None:
    """Count the rows of a batch, and keep the first example of each reason.

    `rows_before` is the number of rows of the source before the batch.
    """
    rejected = np.flatnonzero(judgement.reason.is_valid().to_numpy(zero_copy_only=False))
    nulls = batch.urls.null_count
    counts.null += nulls
    counts.invalid += len(rejected)
    counts.valid += len(batch.urls) - nulls - len(rejected)
    if not len(rejected):
        return
    reasons = list(engine.reasons)
    indices = judgement.reason.indices.drop_null().to_numpy()
    numbers, first_rejections, sizes = np.unique(indices, return_index=True, return_counts=True)
    first_texts = rejected[first_rejections]  # by reason, the position of its first text in the batch
    for number, text, count in zip(numbers.tolist(), first_texts.tolist(), sizes.tolist(), strict=True):
        reason = reasons[number]
        counts.reasons[reason] = counts.reasons.get(reason, 0) + count
        if reason not in counts.examples:
            counts.examples[reason] = _example(
                engine,
                source.name,
                rows_before + text + 1,
                batch.urls[text].as_py(),
                judgement.offset[text].as_py(),
            )


def _example(engine: Engine, file: str, row: int, text: bytes, offset: int) -> RejectedRow:
    """Return the example of a text with an error at an offset. Much later bytes do not change it."""
    problem = engine.problem(text[: _BYTES * (offset + EXAMPLE)])
    assert problem is not None  # the engine and the oracle agree on verdicts
    start = 0 if offset < EXAMPLE else offset - EXAMPLE // 2
    return RejectedRow(
        file=file,
        row=row,
        text=problem.text[start : start + EXAMPLE],
        start=start,
        length=len(text),
        at=problem.position,
        message=problem.problem,
        caret=problem.caret(),
    )


class Run(NamedTuple):
    """A finished check. `title` is the name of the RFC."""

    title: str
    rule: str
    files: tuple[str, ...]
    counts: VerdictCounts
    seconds: float


def print_run(console: Console, run: Run) -> None:
    """Print the counts and the most common reasons, each with its first example."""
    counts = run.counts
    console.print(Text(logged(_title(run)), style="bold"), soft_wrap=True)
    console.print()
    if not counts.rows:
        console.print(Text("  nothing to judge", style="yellow"))
        return
    width = max(len(f"{counts.rows:,}"), 9)
    _print_count(console, "valid", counts.valid, counts.rows, width, "green")
    _print_count(console, "invalid", counts.invalid, counts.rows, width, "red")
    _print_count(console, "null", counts.null, counts.rows, width, "yellow")
    total = Text(f"  {'in all':8}{counts.rows:>{width},}")
    console.print(total.append(f"   {_duration(run)}", style="dim"))
    reasons = counts.ranked_reasons()
    for reason, count in reasons[:_MOST_REASONS]:
        console.print()
        _print_reason(console, reason, count, counts.examples[reason])
    if len(reasons) > _MOST_REASONS:
        omitted = reasons[_MOST_REASONS:]
        rows = sum(count for _, count in omitted)
        console.print()
        note = f"  {rows:,} more for {len(omitted)} other reasons; --json lists them all"
        console.print(Text(note, style="dim"))


def _title(run: Run) -> str:
    """Return the names of the first files, and what they were checked against."""
    names = ["stdin" if name == "-" else name for name in run.files[:_MOST_FILES]]
    files = ", ".join(names)
    omitted = len(run.files) - len(names)
    if omitted:
        files += f" and {omitted} more"
    return f"{files}: {run.rule} of {run.title}"


def _print_count(console: Console, name: str, count: int, rows: int, width: int, style: str) -> None:
    """Print a line with a count, `width` digits wide, and its share of all rows."""
    style_of_line = style if count else "dim"
    line = Text(f"  {name:8}{count:>{width},}", style=style_of_line)
    if count:
        line.append(f"  {_percent(count, rows)}", style="not bold dim")
    console.print(line)


def _duration(run: Run) -> str:
    """Return the seconds and, of many rows, how many rows were judged in a second, to three digits."""
    duration = f"{run.seconds:.3g} s"
    if run.counts.rows < _ROWS_FOR_A_RATE:
        return duration
    rate = run.counts.rows / max(run.seconds, 1e-9)
    rounded_rate = float(f"{rate:.3g}")
    return f"{duration}, {rounded_rate:,.0f} a second"


def as_dict(run: Run) -> dict[str, Any]:
    """Return the check as JSON data with all reasons. `at` is an offset from 0, and `row` a number from 1."""
    counts = run.counts
    reasons = []
    for reason, count in counts.ranked_reasons():
        example = counts.examples[reason]._asdict()
        del example["caret"]  # which is for terminals
        reasons.append({"count": count, **reason._asdict(), "example": example})
    return {
        "spec": run.title,
        "rule": run.rule,
        "files": list(run.files),
        "valid": counts.valid,
        "invalid": counts.invalid,
        "null": counts.null,
        "seconds": round(run.seconds, 3),
        "reasons": reasons,
    }


def _print_reason(console: Console, reason: Reason, count: int, example: RejectedRow) -> None:
    """Print a reason with its count and the place of its first example, then this example with a caret."""
    section = f" (section {reason.section})" if reason.section else ""
    title = Text(f"{count:>9,}  ", style="bold red")
    title.append(logged(reason.what), style="bold default")
    title.append(f"  in {reason.rule}{section}", style="not bold default")
    title.append(f"  {logged(example.file)}:{example.row}", style="not bold dim")
    console.print(title, soft_wrap=True)
    if not example.text:
        console.print(Text(f"{'':11}(empty)", style="dim"))
        return
    text, caret = example.caret.splitlines()  # both are indented by two blanks
    escaped = logged(text)
    # an escape before the error moves the caret
    text_from_error = text[len(caret) - 1 :]
    column = len(escaped) - len(text_from_error)
    indent = " " * 9
    console.print(Text(f"{indent}{escaped}"), soft_wrap=True)
    marker = Text(f"{indent}{' ' * column}^", style="red")
    console.print(marker, soft_wrap=True)


def _percent(count: int, total: int) -> str:
    """Format a share in percent. Show 100 % or 0 % only if the share is exactly that. `total` is not 0."""
    share = 100 * count / total
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:5.1f} %"
