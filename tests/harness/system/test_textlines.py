"""Lines of text files: their ends, what is refused, and the meaning of suffixes."""

from __future__ import annotations

import io

import pytest

from urlharness.system import textlines
from urlharness.system.textlines import NotText, is_plain_text, suffixes, text_lines

LINES = [
    pytest.param(b"", [], id="empty"),
    pytest.param(b"a\nb", [b"a", b"b"], id="no-end"),
    pytest.param(b"a\r\n\n", [b"a", b""], id="crlf"),
    pytest.param(b"a\rb\x0b\xe2\x80\xa8c\r", [b"a\rb\x0b\xe2\x80\xa8c\r"], id="other-breaks"),
    pytest.param(b"\xef\xbb\xbfa\n\xef\xbb\xbfb", [b"a", b"\xef\xbb\xbfb"], id="mark"),
    pytest.param(b"\xff\x00", [b"\xff\x00"], id="any-bytes"),
]


@pytest.mark.parametrize(("content", "lines"), LINES)
def test_a_line_ends_at_lf_or_crlf_only(content, lines):
    assert list(text_lines(io.BytesIO(content))) == lines


REFUSED = [
    pytest.param(b"\xff\xfea\0", "line 1: the file is UTF-16; convert it to UTF-8", id="utf-16"),
    pytest.param(b"a\n" + b"b" * 21, "line 2 has 21 bytes; at most 20 are read", id="too-long"),
    pytest.param(b"b" * 30 + b"\nc", "line 1 has 30 bytes; at most 20 are read", id="the-end-is-counted"),
    pytest.param(b"b" * 99, "line 1 has more than 40 bytes; at most 20 are read", id="not-counted"),
]


@pytest.mark.parametrize(("content", "message"), REFUSED)
def test_utf_16_and_long_lines_are_refused(content, message, monkeypatch):
    monkeypatch.setattr(textlines, "LONGEST_LINE", 20)
    monkeypatch.setattr(textlines, "MOST_COUNTED", 40)
    with pytest.raises(NotText) as refused:
        list(text_lines(io.BytesIO(content)))
    assert str(refused.value) == message


def test_a_line_may_be_as_long_as_the_limit(monkeypatch):
    monkeypatch.setattr(textlines, "LONGEST_LINE", 20)
    assert list(text_lines(io.BytesIO(b"b" * 20 + b"\n"))) == [b"b" * 20]


SUFFIXES = {
    "-": ("", ""),
    "a.txt": (".txt", ""),
    "A.CSV.GZ": (".csv", ".gz"),
    "a.parquet": (".parquet", ""),
    "a.txt.zst": (".txt", ".zst"),
}


@pytest.mark.parametrize("name", SUFFIXES)
def test_a_name_has_suffixes_of_format_and_compression(name):
    assert suffixes(name) == SUFFIXES[name]


@pytest.mark.parametrize("name", ["-", "a.txt"])
def test_a_name_without_known_suffixes_is_that_of_a_plain_text(name):
    assert is_plain_text(name)


@pytest.mark.parametrize("name", ["A.CSV.GZ", "a.parquet", "a.txt.zst"])
def test_a_table_or_a_compressed_file_is_no_plain_text(name):
    assert not is_plain_text(name)
