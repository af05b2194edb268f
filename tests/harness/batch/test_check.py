"""`urlconform check` as its users run it: counts, reasons, exit codes, and the file that it writes."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.batch import Engine
from urlharness.batch.check import Tally, Writer, check
from urlharness.batch.sources import Source

TEXT = "http://a/b\n\nhttp://a b\nhttp://c d\n%\nhttp://\x1b[31m\n"


@pytest.fixture
def run(urlconform, tmp_path):
    """Runs the command in a folder with files of every format."""
    (tmp_path / "t.txt").write_text(TEXT, "utf-8", newline="")
    (tmp_path / "good.txt").write_text("http://a\n//b\n", "utf-8")
    (tmp_path / "empty.txt").write_text("", "utf-8")
    table = pa.table({"n": [1, 2, 3], "url": ["http://a", None, "//[x"]})
    parquet.write_table(table, tmp_path / "t.parquet")
    parquet.write_table(pa.table({"url": pa.array([None], pa.string())}), tmp_path / "null.parquet")
    parquet.write_table(table.append_column("valid", [[1, 2, 3]]), tmp_path / "judged.parquet")
    (tmp_path / "t.csv").write_text("id,link\n1,http://a\n2,b c\n", "utf-8")
    (tmp_path / "bad.csv").write_text("url\nhttp://a\nhttp://b,1\n", "utf-8")
    return lambda *arguments: urlconform("check", *arguments)


def test_summary(run):
    """Counts, and for each reason the first example with a caret; controls are spelled out."""
    done = run("t.txt", "--spec", "rfc3986")
    assert (done.returncode, done.stderr) == (1, "")
    assert "\x1b" not in done.stdout
    first, _, valid, invalid, null, total, *rest = done.stdout.splitlines()
    assert first == "t.txt: URI-reference of RFC 3986"
    assert valid.split() == ["valid", "2", "33.3", "%"]
    assert invalid.split() == ["invalid", "4", "66.7", "%"]
    assert null.split() == ["null", "0"]
    assert total.split()[:3] == ["in", "all", "6"]
    assert rest[:8] == [
        "",
        "        2  blank  in URI (section 3)  t.txt:3",
        "           http://a b",
        "                   ^",
        "",
        "        1  it ends too early  in HEXDIG (section 1.3)  t.txt:5",
        "           %",
        "            ^",
    ]
    assert r"           http://\u{1b}[31m" in rest


def test_json(run):
    """All reasons, the commonest first."""
    found = json.loads(run("t.txt", "--spec", "3986", "--json").stdout)
    assert [found[key] for key in ("spec", "rule", "valid", "invalid", "null")] == [
        "RFC 3986", "URI-reference", 2, 4, 0,
    ]  # fmt: skip
    assert [reason["count"] for reason in found["reasons"]] == [2, 1, 1]
    example = found["reasons"][0]["example"]
    assert (example["file"], example["row"], example["text"], example["at"]) == ("t.txt", 3, "http://a b", 8)
    assert example["message"].startswith("blank at offset 8; expected")


EXITS = {
    "valid": (("good.txt",), 0, ""),
    "invalid": (("t.txt",), 1, ""),
    "several": (("good.txt", "t.txt"), 1, ""),
    "empty": (("empty.txt",), 5, ""),
    "nulls-alone": (("null.parquet",), 5, ""),
    "no-file": (("absent.txt",), 6, "absent.txt: No such file"),
    "ragged": (("bad.csv",), 6, "bad.csv: CSV parse error: Row #3"),
    "no-parquet": (("t.txt", "--format", "parquet"), 6, "t.txt: "),
    "rule": (("t.txt", "--rule", "url"), 2, "--rule"),
    "spec": (("t.txt", "--spec", "rfc1"), 2, "rfc1"),
    "column": (("t.csv", "--column", "x"), 2, "there are id, link"),
    "no-column": (("t.csv",), 2, "--column"),
    "components-to-nowhere": (("t.txt", "--components"), 2, "-o"),
    "no-components": (("t.txt", "-o", "o.parquet", "--components", "--rule", "port"), 2, "no components"),
    "over-an-input": (("t.parquet", "-o", "t.parquet"), 2, "overwrite the input"),
    "column-twice": (("judged.parquet", "-o", "o.parquet"), 2, "'valid'"),
    "other-columns": (("t.parquet", "t.txt", "-o", "o.parquet"), 6, "columns"),
    "stdin-twice": (("-", "-"), 2, "stdin"),
    "unwritable": (("t.txt", "-o", "no/folder/o.parquet"), 2, "no/folder/o.parquet"),
}


@pytest.mark.parametrize("name", EXITS)
def test_exit_code(run, name):
    """Verdict, wrong use, nothing to judge, broken files: each has its code, and says one line."""
    arguments, code, message = EXITS[name]
    spec = () if "--spec" in arguments else ("--spec", "rfc3986")
    done = run(*arguments, *spec)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == bool(message)


def test_output(run, tmp_path):
    """The rows of the input, with verdict, offset, reason and components."""
    assert run("t.parquet", "--spec", "rfc3986", "-o", "o.parquet", "--components").returncode == 1
    table = parquet.read_table(tmp_path / "o.parquet")
    assert table.column_names == ["n", "url", "valid", "offset", "reason", "components"]
    assert (table.schema.field("valid").type, table.schema.field("offset").type) == (pa.bool_(), pa.int32())
    assert pa.types.is_dictionary(table.schema.field("reason").type)
    rows = table.to_pylist()
    assert [row["n"] for row in rows] == [1, 2, 3]
    assert [row["valid"] for row in rows] == [True, None, False]
    assert [row["offset"] for row in rows] == [None, None, 3]
    assert [row["reason"] for row in rows] == [None, None, "section 3.2.2, IP-literal: 'x'"]
    assert rows[0]["components"]["host"] == "a"
    assert rows[1]["components"] is rows[2]["components"] is None


def test_output_of_text(run, tmp_path):
    """A line that is no UTF-8 is kept as far as it is, and judged as it was."""
    (tmp_path / "t.txt").write_bytes(b"http://a\n\n\xff\n")
    run("t.txt", "--spec", "rfc3986", "-o", "o.parquet")
    assert parquet.read_table(tmp_path / "o.parquet").select(["url", "offset"]).to_pylist() == [
        {"url": "http://a", "offset": None},
        {"url": "", "offset": None},
        {"url": "\ufffd", "offset": 0},
    ]


def test_rows_before_a_fault_are_kept(run, tmp_path):
    """The output is a whole file of what was read until then."""
    done = run("good.txt", "absent.txt", "--spec", "rfc3986", "-o", "o.parquet")
    assert done.returncode == 6
    assert "(o.parquet has the 2 rows before the error)" in done.stderr
    assert parquet.read_table(tmp_path / "o.parquet").num_rows == 2


@pytest.mark.parametrize("content", [None, b"", b"PAR1 and no more"])
def test_work_that_comes_to_nothing_leaves_the_output(run, tmp_path, content):
    """A file that is missing, empty or broken does not cost what an earlier run has written."""
    (tmp_path / "o.parquet").write_bytes(b"earlier")
    if content is not None:
        (tmp_path / "x.parquet").write_bytes(content)
    assert run("x.parquet", "--spec", "3986", "-o", "o.parquet").returncode in (5, 6)
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"
    assert not list(tmp_path.glob(".*"))


def test_many_batches(tmp_path, monkeypatch):
    """Rows are numbered through a file, reasons counted over all of them, and the output is as long."""
    monkeypatch.setattr("urlharness.batch.sources._ROWS", 7)
    texts = [f"http://a/{'x' * (n % 5)}{' ' * (n % 11 == 10)}" for n in range(100)]
    parquet.write_table(pa.table({"url": texts}), tmp_path / "t.parquet")
    engine, tally, seen = Engine("rfc3986"), Tally(), []
    with Writer(tmp_path / "o.parquet", engine, components=False) as out:
        check(engine, [Source(str(tmp_path / "t.parquet"), None, None, whole=True)], tally, out, seen.append)
    assert (tally.valid, tally.invalid, tally.null, tally.rows) == (91, 9, 0, 100)
    assert [(count, tally.examples[reason].row) for reason, count in tally.commonest()] == [(9, 11)]
    assert len(seen) == 15
    assert seen[-1].position == seen[-1].size
    written = parquet.read_table(tmp_path / "o.parquet")
    assert written["url"].to_pylist() == texts
    assert written["valid"].to_pylist() == [" " not in text for text in texts]
