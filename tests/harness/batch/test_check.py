"""Judging files: counts, reasons and the file that is written, over many batches."""

from __future__ import annotations

import os

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.batch import Engine
from urlharness.batch.check import RejectedRow, VerdictCounts, Writer, check
from urlharness.batch.sources import Source


def test_many_batches(tmp_path, monkeypatch):
    """Rows are numbered through a file, reasons counted over all of them, and the output is as long."""
    monkeypatch.setattr("urlharness.batch.sources._ROWS", 7)
    texts = [f"http://a/{'x' * (n % 5)}{' ' * (n % 11 == 10)}" for n in range(100)]
    parquet.write_table(pa.table({"url": texts}), tmp_path / "t.parquet")
    engine, tally, seen = Engine("rfc3986"), VerdictCounts(), []
    with Writer(tmp_path / "o.parquet", engine, components=False) as out:
        check(engine, [Source(str(tmp_path / "t.parquet"), None, None, whole=True)], tally, out, seen.append)
    assert (tally.valid, tally.invalid, tally.null, tally.rows) == (91, 9, 0, 100)
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
        tally.examples[reason] = RejectedRow("t", row, None)
    assert [reason for reason, _ in tally.commonest()] == ["common", "early", "late"]


def test_an_error_before_the_first_row_leaves_the_earlier_file(tmp_path):
    (tmp_path / "o.parquet").write_bytes(b"earlier")
    with (
        pytest.raises(ZeroDivisionError),
        Writer(tmp_path / "o.parquet", Engine("rfc3986"), components=False),
    ):
        raise ZeroDivisionError
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"


def test_a_temporary_file_is_no_way_out(tmp_path):
    """A link with its name is removed, and what it leads to stays."""
    (tmp_path / "victim").write_text("theirs")
    (tmp_path / f".o.parquet.{os.getpid()}.part").symlink_to("victim")
    with Writer(tmp_path / "o.parquet", Engine("rfc3986"), components=False):
        pass
    assert (tmp_path / "victim").read_text() == "theirs"
