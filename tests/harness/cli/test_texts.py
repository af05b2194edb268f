"""Texts of `--texts`: lines, tables, and files that cannot be read."""

from __future__ import annotations

import gzip
import io
import sys
from types import SimpleNamespace

import click
import pytest

from urlharness.cli.texts import read_texts


@pytest.fixture
def without_batch(monkeypatch):
    """The extra `batch` is not installed."""
    monkeypatch.setitem(sys.modules, "urlharness.batch", None)
    monkeypatch.delitem(sys.modules, "urlharness.batch.sources", raising=False)


@pytest.mark.usefixtures("without_batch")
def test_lines_need_no_library(tmp_path):
    """Loading the libraries of `check` takes longer than to ask a library about some lines."""
    (tmp_path / "texts.txt").write_bytes("a\u2028b\r\nc\n".encode() + b"\xff")
    assert read_texts(str(tmp_path / "texts.txt")) == ["a\u2028b", "c", "\ufffd"]


@pytest.mark.usefixtures("without_batch")
def test_a_file_of_json_is_no_text(tmp_path):
    (tmp_path / "texts.jsonl").write_text('{"url": "http://a/"}\n')
    with pytest.raises(click.ClickException, match="the file is JSON Lines, which is not read"):
        read_texts(str(tmp_path / "texts.jsonl"))


@pytest.mark.parametrize(
    ("content", "which"),
    [
        pytest.param(b"a\nb\xff\n", "line 2", id="one"),
        pytest.param(b"a\n\xff\n\xfe\n", "2 lines, first line 2", id="several"),
    ],
)
def test_lines_with_bytes_that_are_replaced_are_reported(tmp_path, capsys, content, which):
    path = tmp_path / "texts.txt"
    path.write_bytes(content)
    read_texts(str(path))
    assert capsys.readouterr().err == (
        f"urlconform: {path}: {which}: U+FFFD stands for bytes that are no UTF-8\n"
    )


@pytest.mark.usefixtures("without_batch")
def test_the_texts_of_stdin_are_its_lines(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a\nb")))
    assert read_texts("-") == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "compress"), [("t.csv", bytes), ("t.csv.gz", gzip.compress)], ids=["plain", "gzip"]
)
def test_the_texts_of_a_table_are_those_of_its_column_of_urls(name, compress, tmp_path):
    (tmp_path / name).write_bytes(compress(b"id,url\n1,http://a/\n2,\n"))
    assert read_texts(str(tmp_path / name)) == ["http://a/"]


UNREADABLE = [
    pytest.param("utf16.txt", "utf16.txt: line 1: the file is UTF-16; convert it to UTF-8", id="utf-16"),
    pytest.param("no.txt", "no.txt: no such file or directory", id="missing"),
    pytest.param(".", "is a directory", id="folder"),
    pytest.param("two.csv", "cannot tell which column holds URLs", id="ambiguous"),
]


@pytest.mark.parametrize(("name", "message"), UNREADABLE)
def test_what_cannot_be_read_is_named(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "utf16.txt").write_bytes(b"\xff\xfea\0")
    (tmp_path / "two.csv").write_text("a,b\nx,y\n", "utf-8")
    with pytest.raises(click.ClickException) as refused:
        read_texts(name)
    assert message in refused.value.message


@pytest.mark.usefixtures("without_batch")
def test_a_table_needs_the_libraries_of_check(tmp_path):
    (tmp_path / "t.csv").write_text("url\na\n", "utf-8")
    with pytest.raises(click.ClickException, match=r"urlharness\.batch"):
        read_texts(str(tmp_path / "t.csv"))
