"""Judging files: counts, reasons and the file that is written, over many batches."""

from __future__ import annotations

import os

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.batch import Engine
from urlharness.batch.check import EXAMPLE, RejectedRow, VerdictCounts, Writer, check
from urlharness.batch.sources import Source


def test_rows_and_reasons_are_counted_over_all_batches(tmp_path, monkeypatch):
    """Rows are numbered through a file, reasons counted over all of them, and the output is as long."""
    monkeypatch.setattr("urlharness.batch.sources._ROWS", 7)
    texts = [f"http://a/{'x' * (n % 5)}{' ' * (n % 11 == 10)}" for n in range(100)]
    parquet.write_table(pa.table({"url": texts}), tmp_path / "t.parquet")
    engine = Engine("rfc3986")
    tally = VerdictCounts()
    seen = []
    with Writer(tmp_path / "o.parquet", engine, components=False) as out:
        check(engine, [Source(str(tmp_path / "t.parquet"), None, None, whole=True)], tally, out, seen.append)
    assert tally.valid == 91
    assert tally.invalid == 9
    assert tally.null == 0
    assert tally.rows == 100
    assert [(count, tally.examples[reason].row) for reason, count in tally.commonest()] == [(9, 11)]
    assert len(seen) == 15
    assert seen[-1].position == seen[-1].size
    written = parquet.read_table(tmp_path / "o.parquet")
    assert written["url"].to_pylist() == texts
    assert written["valid"].to_pylist() == [" " not in text for text in texts]


def test_reasons_with_equal_counts_are_in_the_order_of_their_examples():
    tally = VerdictCounts()
    for row, reason in ((5, "late"), (2, "early"), (9, "common")):
        tally.reasons[reason] = 3 if reason == "common" else 1
        tally.examples[reason] = RejectedRow("t", row, "", 0, 0, 0, "", "")
    assert [reason for reason, _ in tally.commonest()] == ["common", "early", "late"]


def checked(path, output=None):
    """Check a file and return the counts."""
    engine = Engine("rfc3986", "URI")
    counts = VerdictCounts()
    source = Source(str(path), None, None, whole=output is not None)
    if output is None:
        check(engine, [source], counts, None, lambda _: None)
    else:
        with Writer(output, engine, components=False) as out:
            check(engine, [source], counts, out, lambda _: None)
    return counts


@pytest.mark.parametrize(
    ("before", "after", "start", "length"),
    [
        pytest.param("http://h/", "a" * 50, 0, 60, id="short"),
        pytest.param("http://h/", "a" * 50_000, 0, 50_010, id="long"),
        pytest.param("http://h/" + "a" * 5_000, "a" * 50_000, 4_509, 55_010, id="error-far-away"),
        pytest.param("http://h/" + "a" * 5_000, "", 4_509, 5_010, id="error-at-the-end"),
    ],
)
def test_an_example_is_cut_around_the_error(tmp_path, before, after, start, length):
    text = f"{before} {after}"
    (tmp_path / "t.txt").write_text(f"http://h/\n{text}\n", "utf-8")
    (example,) = checked(tmp_path / "t.txt").examples.values()
    assert example.row == 2
    assert example.at == len(before)
    assert example.start == start
    assert example.length == length
    assert example.text == text[start : start + EXAMPLE]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_a_string_that_is_not_utf_8_is_judged_and_written(tmp_path, kind):
    values = pa.array([b"http://h/", b"http://h/\xff"], pa.binary())
    column = pa.Array.from_buffers(pa.string(), 2, values.buffers())
    if pa.types.is_large_string(kind):
        column = pa.Array.from_buffers(kind, 2, values.cast(pa.large_binary()).buffers())
    parquet.write_table(pa.table({"url": column}), tmp_path / "t.parquet")
    counts = checked(tmp_path / "t.parquet", tmp_path / "o.parquet")
    assert counts.valid == 1
    assert counts.invalid == 1
    written = parquet.read_table(tmp_path / "o.parquet")
    assert written["url"].to_pylist() == ["http://h/", "http://h/\ufffd"]


def test_an_error_before_the_first_row_leaves_the_earlier_file(tmp_path):
    (tmp_path / "o.parquet").write_bytes(b"earlier")
    with (
        pytest.raises(ZeroDivisionError),
        Writer(tmp_path / "o.parquet", Engine("rfc3986"), components=False),
    ):
        raise ZeroDivisionError
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"


def test_a_link_in_place_of_the_temporary_file_is_not_followed(tmp_path):
    """A link with its name is removed, and what it leads to stays."""
    (tmp_path / "victim").write_text("theirs")
    (tmp_path / f".o.parquet.{os.getpid()}.part").symlink_to("victim")
    with Writer(tmp_path / "o.parquet", Engine("rfc3986"), components=False):
        pass
    assert (tmp_path / "victim").read_text() == "theirs"
