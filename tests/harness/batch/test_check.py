"""Judging files: counts, reasons and the file that is written, over many batches."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.batch import Engine
from urlharness.batch.check import RejectedRow, VerdictCounts, Writer, check
from urlharness.batch.sources import Source

#: A hundred texts, of which each eleventh has a blank at its end.
HUNDRED = [f"http://a/{number} " if number % 11 == 0 else f"http://a/{number}" for number in range(1, 101)]
INVALID = [text for text in HUNDRED if text.endswith(" ")]
BATCH = 7


class CheckInBatches:
    """The check of a hundred texts in batches of seven: counts, progress, and the file that is written."""

    def __init__(self, folder):
        self.counts = VerdictCounts()
        self.progress = []
        source = folder / "t.parquet"
        parquet.write_table(pa.table({"url": HUNDRED}), source)
        engine = Engine("rfc3986")
        with Writer(folder / "o.parquet", engine, components=False) as writer:
            sources = [Source(str(source), None, None, whole=True)]
            check(engine, sources, self.counts, writer, self.progress.append)
        self.written = parquet.read_table(folder / "o.parquet")


@pytest.fixture
def check_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("urlharness.batch.sources._ROWS", BATCH)
    return CheckInBatches(tmp_path)


def test_verdicts_are_counted_over_all_batches(check_in_batches):
    counts = check_in_batches.counts
    assert counts.rows == len(HUNDRED)
    assert counts.invalid == len(INVALID)
    assert counts.valid == len(HUNDRED) - len(INVALID)
    assert counts.null == 0


def test_reasons_are_counted_over_all_batches_with_the_first_example(check_in_batches):
    ((reason, count),) = check_in_batches.counts.ranked_reasons()
    assert count == len(INVALID)
    assert check_in_batches.counts.examples[reason].row == HUNDRED.index(INVALID[0]) + 1


def test_progress_is_reported_for_each_batch_up_to_the_end_of_the_file(check_in_batches):
    *earlier, last = check_in_batches.progress  # the last batch has the texts that are left over
    assert len(earlier) == len(HUNDRED) // BATCH
    assert last.position == last.size


def test_every_batch_is_written_with_its_verdicts(check_in_batches):
    assert check_in_batches.written["url"].to_pylist() == HUNDRED
    assert check_in_batches.written["valid"].to_pylist() == [" " not in text for text in HUNDRED]


def test_reasons_with_equal_counts_are_in_the_order_of_their_examples():
    tally = VerdictCounts()
    for row, reason, count in ((5, "late", 1), (2, "early", 1), (9, "common", 3)):
        tally.reasons[reason] = count
        tally.examples[reason] = RejectedRow("t", row, text="", start=0, length=0, at=0, message="", caret="")
    assert [reason for reason, _ in tally.ranked_reasons()] == ["common", "early", "late"]


def checked(path, output=None):
    """Check a file and return the counts."""
    engine = Engine("rfc3986", "URI")
    counts = VerdictCounts()
    source = Source(str(path), None, None, whole=output is not None)
    if output is None:
        check(engine, [source], counts, None, lambda _: None)
    else:
        with Writer(output, engine, components=False) as writer:
            check(engine, [source], counts, writer, lambda _: None)
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
def test_an_example_of_a_long_text_begins_500_characters_before_the_error(
    tmp_path, before, after, start, length
):
    text = f"{before} {after}"
    (tmp_path / "t.txt").write_text(f"http://h/\n{text}\n", "utf-8")
    (example,) = checked(tmp_path / "t.txt").examples.values()
    assert example.row == 2
    assert example.at == len(before)
    assert example.start == start
    assert example.length == length
    assert example.text == text[start : start + 1_000]


@pytest.mark.parametrize(
    ("kind", "same_layout"),
    [(pa.string(), pa.binary()), (pa.large_string(), pa.large_binary())],
    ids=["string", "large-string"],
)
def test_a_string_that_is_not_utf_8_is_judged_and_written(tmp_path, kind, same_layout):
    octets = pa.array([b"http://h/", b"http://h/\xff"], same_layout)
    column = pa.Array.from_buffers(kind, len(octets), octets.buffers())
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


@pytest.fixture
def link_for_part_file(tmp_path):
    """A link to a file `victim`, with the name of the part file of every writer in this process."""
    with Writer(tmp_path / "o.parquet", Engine("rfc3986"), components=False):
        (part_file,) = tmp_path.iterdir()
    (tmp_path / "victim").write_text("theirs")
    part_file.symlink_to("victim")
    return part_file


def test_a_link_in_place_of_the_temporary_file_is_not_followed(tmp_path, link_for_part_file):
    with Writer(tmp_path / "o.parquet", Engine("rfc3986"), components=False):
        assert not link_for_part_file.is_symlink()
    assert (tmp_path / "victim").read_text() == "theirs"
