"""Files as batches: lines, CSV and parquet, their columns, and what is said of broken ones."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import re
import tracemalloc
from random import Random
from types import SimpleNamespace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from urlharness.batch import sources
from urlharness.batch.sources import ColumnError, FileError, NotText, Source, line_arrays
from urlharness.system import textlines

LINES = {
    b"": [],
    b"a": [b"a"],
    b"a\n": [b"a"],
    b"\n": [b""],
    b"a\r\nb\n": [b"a", b"b"],
    b"a\rb\n": [b"a\rb"],
    b"a\r\r\n": [b"a\r"],
    b"a\r": [b"a\r"],
    b"\n\n": [b"", b""],
    b"\xef\xbb\xbfa\n\xef\xbb\xbf": [b"a", b"\xef\xbb\xbf"],
    b"\xef\xbb\xbf": [],
    b"\xff\n": [b"\xff"],
    b" a \n\x00": [b" a ", b"\x00"],
}


def lines_of(content, block):
    """Return the lines of a file that is read in blocks of so many bytes."""
    lines = []
    for array in line_arrays(io.BytesIO(content), block):
        lines += array.to_pylist()
    return lines


@pytest.mark.parametrize("content", LINES)
@pytest.mark.parametrize("block", [1, 2, 3, 100])
def test_lf_and_crlf_end_a_line(content, block):
    """A lone CR and blanks belong to the text."""
    assert lines_of(content, block) == LINES[content]


def test_lines_are_the_same_wherever_a_block_ends():
    random = Random(1)
    for _ in range(3000):
        content = bytes(random.choices(b"\n\n\r\rab", k=random.randrange(15)))
        *ended_lines, rest = content.split(b"\n")
        expected_lines = [line.removesuffix(b"\r") for line in ended_lines]
        if rest:
            expected_lines.append(rest)
        assert lines_of(content, random.randrange(1, 9)) == expected_lines, content


@pytest.mark.parametrize(
    "content",
    [codecs.BOM_UTF16_LE + "a\n".encode("utf-16-le"), codecs.BOM_UTF16_BE + "a\n".encode("utf-16-be")],
    ids=["little-endian", "big-endian"],
)
def test_utf_16_is_refused(content):
    with pytest.raises(NotText, match="line 1: the file is UTF-16"):
        list(line_arrays(io.BytesIO(content)))


def test_a_line_that_is_too_long_is_refused_with_its_number(monkeypatch):
    monkeypatch.setattr(textlines, "LONGEST_LINE", 20)
    with pytest.raises(NotText, match="line 3 has 50 bytes; at most 20 are read"):
        list(line_arrays(io.BytesIO(b"a\nb\n" + b"x" * 50), 4))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"x" * 21, "line 1 has 21 bytes", id="without-an-end"),
        pytest.param(b"x" * 21 + b"\ny\n", "line 1 has 21 bytes", id="with-an-end"),
        pytest.param(b"a\n" * 3 + b"x" * 30 + b"\nb", "line 4 has 30 bytes", id="later"),
        pytest.param(b"x" * 60, "line 1 has more than 40 bytes", id="endless"),
    ],
)
def test_a_line_above_the_limit_is_refused_with_its_size(monkeypatch, content, message):
    monkeypatch.setattr(textlines, "LONGEST_LINE", 20)
    monkeypatch.setattr(textlines, "MOST_COUNTED", 40)
    with pytest.raises(NotText, match=message):
        list(line_arrays(io.BytesIO(content), 4))


def test_a_line_of_the_limit_is_read(monkeypatch):
    monkeypatch.setattr(textlines, "LONGEST_LINE", 20)
    content = b"x" * 20 + b"\n" + b"y" * 20
    assert lines_of(content, 4) == [b"x" * 20, b"y" * 20]


def test_a_long_line_is_not_stored(monkeypatch):
    """A line of 3,000 blocks takes the memory of a few blocks of 16 KiB, at most a MiB."""
    monkeypatch.setattr(textlines, "LONGEST_LINE", 1 << 16)
    blocks = iter([bytes(1 << 14)] * 3_000)
    stream = SimpleNamespace(read=lambda _size: next(blocks, b""))
    tracemalloc.start()
    try:
        with pytest.raises(NotText, match="line 1 has 49,152,000 bytes"):
            list(line_arrays(stream, 1 << 14))
        _, peak = tracemalloc.get_traced_memory()
        assert peak < 1 << 20
    finally:
        tracemalloc.stop()


def _rows(path, form=None, column=None, *, whole=False):
    """Return the URLs of all rows of a file."""
    urls = []
    with Source(str(path), form, column, whole=whole) as source:
        for batch in source.batches():
            urls += batch.urls.to_pylist()
    return urls


TABLE = pa.table({"id": [1, 2, 3], "url": ["http://a", None, ""], "note": ["x", "y\nz", None]})


@pytest.fixture
def files(tmp_path):
    """The same rows in every format."""
    parquet.write_table(TABLE, tmp_path / "t.parquet", row_group_size=1)
    parquet.write_table(
        TABLE.set_column(1, "url", TABLE["url"].dictionary_encode()), tmp_path / "dictionary.pq"
    )
    text = 'id,url,note\n1,http://a,x\n2,,"y\nz"\n3,"",\n'
    (tmp_path / "t.csv").write_text(text, "utf-8")
    (tmp_path / "mark.csv").write_text("\ufeff" + text, "utf-8")
    (tmp_path / "t.tsv").write_text(text.replace(",", "\t"), "utf-8")
    (tmp_path / "t.CSV.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "t.csv.bz2").write_bytes(bz2.compress(text.encode()))
    return tmp_path


#: The same rows in a file of each format; a string of CSV is read as bytes.
FILES = pytest.mark.parametrize(
    "name", ["t.parquet", "dictionary.pq", "t.csv", "mark.csv", "t.tsv", "t.CSV.gz", "t.csv.bz2"]
)


def as_bytes(text):
    return text.encode() if isinstance(text, str) else text


@FILES
def test_every_format_has_the_same_rows(files, name):
    """An unquoted empty field of CSV is null, a quoted one the empty text."""
    assert [as_bytes(url) for url in _rows(files / name)] == [b"http://a", None, b""]


@FILES
def test_whole_rows_have_the_same_urls(files, name):
    assert _rows(files / name, whole=True) == _rows(files / name)


@FILES
def test_a_named_column_is_read_in_every_format(files, name):
    first_note, *_ = _rows(files / name, column="note")
    assert as_bytes(first_note) == b"x"


def test_a_column_stays_text_over_many_blocks(tmp_path, monkeypatch):
    """Columns that look like numbers at first, over many blocks."""
    monkeypatch.setattr(sources, "BLOCK", 64)
    rows = [f"{n if n < 50 else 'x'},http://a/{n}" for n in range(100)]
    (tmp_path / "t.csv").write_text("\n".join(["n,url", *rows]), "utf-8")
    assert _rows(tmp_path / "t.csv", whole=True) == [f"http://a/{n}".encode() for n in range(100)]


def test_a_fault_is_named_with_its_row_in_the_file(tmp_path, monkeypatch):
    """The number counts from the head of the file, which is row 1, whatever was read in one piece."""
    monkeypatch.setattr(sources, "BLOCK", 64)
    rows = [f"{n},http://a/{n}" for n in range(2, 50)]
    (tmp_path / "t.csv").write_text("\n".join(["n,url", *rows, "50"]), "utf-8")
    with pytest.raises(FileError, match="Row #50: Expected 2 columns, got 1: 50"):
        _rows(tmp_path / "t.csv")


def test_a_record_may_cross_one_end_of_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "BLOCK", 64)
    (tmp_path / "t.csv").write_text("url,n\n" + 'a,"b\nc"\n' * 50, "utf-8")
    assert _rows(tmp_path / "t.csv") == [b"a"] * 50


def test_a_record_that_does_not_end_in_the_next_block_is_an_error(tmp_path, monkeypatch):
    """Its closing quotation mark is missing."""
    monkeypatch.setattr(sources, "BLOCK", 64)
    (tmp_path / "t.csv").write_text('url,n\na,"b\n' + "c\n" * 500, "utf-8")
    with pytest.raises(FileError, match=r"t\.csv: straddling object straddles two block boundaries"):
        _rows(tmp_path / "t.csv")


#: Files that cannot be read, and the message; releases of Arrow word theirs differently.
BROKEN = {
    "missing.txt": (None, "no such file or directory"),
    "folder": ("folder", "is a directory"),
    "no.parquet": (b"http://a\n", "magic bytes|not a parquet|too small"),
    "short.parquet": (b"PAR1", "too small|magic|smaller"),
    "ragged.csv": (b"url,n\nhttp://a,1\nhttp://b\n", r"Row #3: Expected 2 columns, got 1"),
    "empty.csv": (b"", "line 1"),
    "long-name.csv": (b"a" * 200_000 + b",url\n1,2\n", r"line 1: .*field larger than field limit \(131072\)"),
    "bytes.csv": (b"url,n\nhttp://a,\xff\n", "column #1.*UTF8"),
    "wide.txt": ("http://a\n".encode("utf-16"), "line 1: the file is UTF-16"),
    "no.txt.gz": (b"http://a\n", "incorrect header|zlib"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_named_with_the_place(tmp_path, name):
    content, message = BROKEN[name]
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=f"(?s){re.escape(name)}: .*({message})") as caught:
        _rows(path, whole=True)
    assert "\n" not in str(caught.value)


COLUMNS = {
    "unknown": (("a", "b"), "c", "no column 'c'; choose from a, b"),
    "several": (("a", "b"), None, "cannot tell which column holds URLs; choose one with --column: a, b"),
    "twice": (("url", "URI"), None, "cannot tell which column holds URLs"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_is_unknown_or_ambiguous_is_refused(tmp_path, name):
    names, column, message = COLUMNS[name]
    (tmp_path / "t.csv").write_text(f"{','.join(names)}\n1,2\n", "utf-8")
    with pytest.raises(ColumnError, match=message):
        _rows(tmp_path / "t.csv", column=column)


#: Names of files that have neither lines nor columns, and what they are.
OTHER_CONTENTS = {
    "t.jsonl": "JSON Lines",
    "t.JSON": "JSON",
    "t.jsonl.gz": "JSON Lines",
    "t.txt.xz": "compressed with xz",
    "t.zip": "an archive",
    "t.orc": "ORC",
}


@pytest.mark.parametrize("name", OTHER_CONTENTS)
def test_a_file_that_is_neither_text_nor_a_table_is_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"http://a/\n")
    with pytest.raises(FileError, match=f"{name}: the file is {OTHER_CONTENTS[name]}, which is not read"):
        Source(str(tmp_path / name), None, None, whole=False)


#: The names and first bytes of files that are not what their names say, and what they are.
BINARY = [
    pytest.param("t.dat", lzma.compress(b"http://a/"), "compressed with xz", id="xz"),
    pytest.param("t.txt", gzip.compress(b"http://a/"), "compressed with gzip", id="gzip"),
    pytest.param("t.csv", b"PK\x03\x04url", "a zip archive or a spreadsheet", id="zip-as-csv"),
    pytest.param("t", b"\x7fELF\x02\x01", "a program", id="program"),
    pytest.param("t.txt", b"http://a/\nb\0\n", "binary, with a NUL at offset 11", id="nul"),
    pytest.param(
        "t.txt.gz", gzip.compress(b"http://a/\n\0"), "binary, with a NUL at offset 10", id="nul-inside"
    ),
    pytest.param("t.txt", b"x" * 65_535 + b"\0", "binary, with a NUL at offset 65,535", id="late-nul"),
]


@pytest.mark.parametrize(("name", "content", "kind"), BINARY)
def test_a_binary_file_of_another_name_is_refused(tmp_path, name, content, kind):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=f"{name}: the file is {kind}"):
        Source(str(tmp_path / name), None, None, whole=False)


def test_a_nul_far_inside_is_part_of_a_line(tmp_path):
    (tmp_path / "t.txt").write_bytes(b"x" * 65_536 + b"\0")
    assert _rows(tmp_path / "t.txt") == [b"x" * 65_536 + b"\0"]


def test_a_binary_file_is_read_as_text_if_that_is_its_named_format(tmp_path):
    (tmp_path / "t.dat").write_bytes(b"PK\x03\x04\0")
    assert _rows(tmp_path / "t.dat", "text") == [b"PK\x03\x04\0"]


def test_a_file_of_any_name_is_read_in_a_named_format(tmp_path):
    (tmp_path / "t.jsonl").write_bytes(b"http://a/\n")
    assert _rows(tmp_path / "t.jsonl", "text") == [b"http://a/"]


#: Headers of CSV files with another delimiter, and how a message calls it.
OTHER_DELIMITERS = {"t.csv": ("id;url", "';'"), "u.csv": ("id\turl", "a tab"), "t.tsv": ("id,url", "a comma")}


@pytest.mark.parametrize("name", OTHER_DELIMITERS)
def test_another_delimiter_of_a_csv_file_is_refused(tmp_path, name):
    header, delimiter = OTHER_DELIMITERS[name]
    (tmp_path / name).write_text(f"{header}\n1;http://a/\n")
    with pytest.raises(ColumnError, match=f"has one column, .* because {delimiter} is no delimiter"):
        Source(str(tmp_path / name), None, None, whole=False)


def test_a_column_with_a_semicolon_in_its_name_is_read_if_it_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("id;url\nhttp://a/\n")
    assert _rows(tmp_path / "t.csv", column="id;url") == [b"http://a/"]


def test_a_column_without_texts_is_refused(files):
    with pytest.raises(ColumnError, match="column 'id' holds no texts"):
        _rows(files / "t.parquet", column="id")


def test_a_column_of_a_text_file_is_refused(tmp_path):
    (tmp_path / "t.txt").write_text("a\n", "utf-8")
    with pytest.raises(ColumnError, match="no column 'url'"):
        _rows(tmp_path / "t.txt", column="url")


NOT_UTF_8 = [b"http://a/", b"http://a/\xff", None, b""]
#: Arrow types of texts that are not UTF-8.  A Parquet file has no view types, which Arrow reads as its own.
TYPES = {
    "string": pa.string(),
    "large-string": pa.large_string(),
    "string-view": pa.string_view(),
    "binary": pa.binary(),
    "large-binary": pa.large_binary(),
    "binary-view": pa.binary_view(),
}


def not_utf_8(kind):
    """Return an array of the type with a text that is not UTF-8, as some programs write them."""
    same_layout = {"string": pa.binary(), "large_string": pa.large_binary(), "string_view": pa.binary_view()}
    texts = pa.array(NOT_UTF_8, same_layout.get(str(kind), kind))
    return pa.Array.from_buffers(kind, len(texts), texts.buffers())


@pytest.mark.parametrize("name", TYPES)
def test_bytes_of_parquet_that_are_not_utf_8_are_read(tmp_path, name):
    parquet.write_table(pa.table({"url": not_utf_8(TYPES[name])}), tmp_path / "t.parquet")
    assert _rows(tmp_path / "t.parquet") == NOT_UTF_8


def test_a_dictionary_that_is_not_utf_8_is_read(tmp_path):
    urls = not_utf_8(pa.string()).dictionary_encode()
    parquet.write_table(pa.table({"url": urls}), tmp_path / "t.parquet")
    assert _rows(tmp_path / "t.parquet") == NOT_UTF_8


def test_a_column_of_nulls_is_read(tmp_path):
    parquet.write_table(pa.table({"url": pa.nulls(3)}), tmp_path / "t.parquet")
    assert _rows(tmp_path / "t.parquet") == [None] * 3


NO_TEXTS = {
    "number": pa.array([1]),
    "list": pa.array([["http://a"]]),
    "struct": pa.array([{"a": "http://a"}]),
    "number-dictionary": pa.array([1]).dictionary_encode(),
}


@pytest.mark.parametrize("name", NO_TEXTS)
def test_columns_that_hold_no_texts_are_refused(tmp_path, name):
    parquet.write_table(pa.table({"url": NO_TEXTS[name]}), tmp_path / "t.parquet")
    with pytest.raises(ColumnError, match=r"t\.parquet has no column of texts: url"):
        _rows(tmp_path / "t.parquet")


def test_two_columns_of_one_name_are_refused(tmp_path):
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["url", "url"])
    parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(ColumnError, match=r"t\.parquet has 2 columns 'url'"):
        _rows(tmp_path / "t.parquet", column="url")


def rows_and_peak(path):
    """Return the number of rows of a file, and the greatest memory that Arrow holds while they are read."""
    before = pa.total_allocated_bytes()
    rows = 0
    peak = 0
    with Source(str(path), None, None, whole=False) as source:
        for batch in source.batches():
            rows += len(batch.urls)
            peak = max(peak, pa.total_allocated_bytes() - before)
    return rows, peak


@pytest.mark.parametrize(("name", "heads"), [("t.txt", 1), ("t.csv", 0)])
def test_a_larger_file_takes_no_more_memory(tmp_path, monkeypatch, name, heads):
    """The head of a CSV file is no row; in a text it is a line as any other."""
    monkeypatch.setattr(sources, "BLOCK", 1 << 12)
    small = tmp_path / "small" / name
    large = tmp_path / "large" / name
    for path, count in ((small, 20_000), (large, 200_000)):
        path.parent.mkdir()
        path.write_bytes(b"url\n" + b"http://example.com/\n" * count)
    rows_of_small, peak_of_small = rows_and_peak(small)
    rows_of_large, peak_of_large = rows_and_peak(large)
    assert rows_of_small == 20_000 + heads
    assert rows_of_large == 200_000 + heads
    assert peak_of_large < 2 * max(peak_of_small, 1 << 17)
    assert peak_of_large < large.stat().st_size / 2


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\xef\xbb\xbf", b"\xff"]), max_size=12))
def test_lines_are_those_that_other_commands_read(pieces):
    """`check` and `compare --texts` read the same texts from a file."""
    content = b"".join(pieces)
    try:
        expected = lines_of(content, 4)
    except NotText as refused:
        with pytest.raises(NotText, match=re.escape(str(refused))):
            list(textlines.text_lines(io.BytesIO(content)))
    else:
        assert list(textlines.text_lines(io.BytesIO(content))) == expected
