"""The command `check`: counts, reasons, exit codes and the file that it writes."""

from __future__ import annotations

import json
import os

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.exitcodes import Exit

TEXT = "http://a/b\n\nhttp://a b\nhttp://c d\nhttp://c/%\nhttp://\x1b[31m\n"


@pytest.fixture
def run(urlconform, tmp_path):
    """Runs the command in a folder with files of every format."""
    (tmp_path / "t.txt").write_text(TEXT, "utf-8", newline="")
    (tmp_path / "good.txt").write_text("http://a\nhttp://b\n", "utf-8")
    (tmp_path / "empty.txt").write_text("", "utf-8")
    table = pa.table({"n": [1, 2, 3], "url": ["http://a", None, "http://[x"]})
    parquet.write_table(table, tmp_path / "t.parquet")
    parquet.write_table(pa.table({"url": pa.array([None], pa.string())}), tmp_path / "null.parquet")
    parquet.write_table(table.append_column("valid", [[1, 2, 3]]), tmp_path / "judged.parquet")
    (tmp_path / "t.csv").write_text("id,link\n1,http://a\n2,b c\n", "utf-8")
    (tmp_path / "bad.csv").write_text("url\nhttp://a\nhttp://b,1\n", "utf-8")
    return lambda *arguments: urlconform("check", *arguments)


@pytest.fixture
def summary_lines(run):
    """The lines of the summary of a text file with invalid texts."""
    done = run("t.txt", "--spec", "rfc3986")
    assert done.stderr == ""
    assert done.returncode == Exit.FAILED
    return done.stdout.splitlines()


def test_the_summary_begins_with_file_and_rule(summary_lines):
    assert summary_lines[0] == "t.txt: URI of RFC 3986"


def test_the_summary_counts_verdicts_below_its_heading(summary_lines):
    counts = [" ".join(line.split()) for line in summary_lines[2:5]]
    assert counts == ["valid 1 16.7 %", "invalid 5 83.3 %", "null 0"]


def test_the_summary_has_the_commonest_reason_after_its_counts(summary_lines):
    (total,) = (at for at, line in enumerate(summary_lines) if line.split()[:2] == ["in", "all"])
    assert summary_lines[total + 2] == "        2  blank  in URI (section 3)  t.txt:3"


def test_the_summary_counts_all_texts(summary_lines):
    (total,) = (line for line in summary_lines if line.split()[:2] == ["in", "all"])
    assert total.split()[2] == "6"


@pytest.mark.parametrize(
    "reason",
    [
        pytest.param(
            [
                "        2  blank  in URI (section 3)  t.txt:3",
                "           http://a b",
                "                   ^",
                "",
            ],
            id="within-the-text",
        ),
        pytest.param(
            [
                "        1  it ends too early  in HEXDIG (section 1.3)  t.txt:5",
                "           http://c/%",
                "                     ^",
            ],
            id="at-its-end",
        ),
    ],
)
def test_the_summary_points_at_the_fault_of_the_first_example_of_a_reason(summary_lines, reason):
    start = summary_lines.index(reason[0])
    assert summary_lines[start : start + len(reason)] == reason


def test_the_summary_spells_control_characters_out(summary_lines):
    assert r"           http://\u{1b}[31m" in summary_lines
    assert [line for line in summary_lines if "\x1b" in line] == []


def test_an_empty_example_has_no_caret(summary_lines):
    example = summary_lines.index("           (empty)")
    assert summary_lines[example + 1] == ""


def test_a_line_without_a_scheme_has_one_reason(run, tmp_path):
    """The unexpected character does not matter, except a leading blank, which a scheme may follow."""
    (tmp_path / "x.txt").write_text("foo\nfoo bar\n\n/x\nfoo/bar\n?q\n http://x\n1foo\nhttp://a b\n", "utf-8")
    reasons = json.loads(run("x.txt", "--spec", "3986", "--json").stdout)["reasons"]
    assert [(reason["count"], reason["what"], reason["rule"]) for reason in reasons] == [
        (6, "no scheme", "URI"), (2, "blank", "URI"), (1, "'1'", "URI"),
    ]  # fmt: skip
    assert "no scheme" not in run("x.txt", "--spec", "3986", "--rule", "URI-reference").stdout


#: Texts, and the rule of each RFC that decides on them if none is named; the last two are not URLs.
TEXTS = ("http://a/b?c", "http://a/#b", "foo", "")


@pytest.mark.parametrize(
    ("spec", "rule", "valid"),
    [
        ("1738", "url", (1, 0, 0, 0)),
        ("1808", "absoluteURL", (1, 0, 0, 0)),  # R-1808-03: the word URL means absoluteURL
        ("2396", "absoluteURI", (1, 0, 0, 0)),  # R-2396-01: the word URI means absoluteURI
        ("2732", "absoluteURI", (1, 0, 0, 0)),
        ("3986", "URI", (1, 1, 0, 0)),
    ],
)
def test_the_default_rule_is_a_url_with_a_scheme(run, tmp_path, spec, rule, valid):
    (tmp_path / "x.txt").write_text("".join(f"{text}\n" for text in TEXTS), "utf-8")
    done = run("x.txt", "--spec", spec, "-o", "o.parquet", "--components", "--json")
    assert json.loads(done.stdout)["rule"] == rule
    table = parquet.read_table(tmp_path / "o.parquet")
    assert tuple(table["valid"].to_pylist()) == tuple(map(bool, valid))


def test_a_rule_with_relative_references_may_be_asked_for(run, tmp_path):
    (tmp_path / "x.txt").write_text("foo\n\n", "utf-8")
    assert run("x.txt", "--spec", "3986", "--rule", "URI-reference").returncode == Exit.PASSED


def test_json_has_all_reasons_with_the_commonest_first(run):
    """All reasons, the commonest first."""
    summary = json.loads(run("t.txt", "--spec", "3986", "--json").stdout)
    assert [summary[key] for key in ("spec", "rule", "valid", "invalid", "null")] == [
        "RFC 3986", "URI", 1, 5, 0,
    ]  # fmt: skip
    assert [reason["count"] for reason in summary["reasons"]] == [2, 1, 1, 1]
    example = summary["reasons"][0]["example"]
    assert example["file"] == "t.txt"
    assert example["row"] == 3
    assert example["text"] == "http://a b"
    assert example["at"] == 8
    assert example["message"].startswith("blank at offset 8; expected")


EXITS = {
    "valid": (("good.txt",), 0, ""),
    "invalid": (("t.txt",), 1, ""),
    "several": (("good.txt", "t.txt"), 1, ""),
    "empty": (("empty.txt",), 5, ""),
    "nulls-alone": (("null.parquet",), 5, ""),
    "no-file": (("absent.txt",), 6, "absent.txt: no such file"),
    "ragged": (("bad.csv",), 6, "bad.csv: CSV parse error: Row #3"),
    "no-parquet": (("t.txt", "--format", "parquet"), 6, "t.txt: "),
    "rule": (("t.txt", "--rule", "url"), 2, "--rule"),
    "spec": (("t.txt", "--spec", "rfc1"), 2, "rfc1"),
    "column": (("t.csv", "--column", "x"), 2, "choose from id, link"),
    "no-column": (("t.csv",), 2, "--column"),
    "components-to-nowhere": (("t.txt", "--components"), 2, "-o"),
    "no-components": (("t.txt", "-o", "o.parquet", "--components", "--rule", "port"), 2, "no components"),
    "parquet-named-csv": (("t.txt", "-o", "o.csv"), 2, "the output is Parquet; name it *.parquet"),
    "over-an-input": (("t.parquet", "-o", "t.parquet"), 2, "overwrite the input"),
    "column-twice": (("judged.parquet", "-o", "o.parquet"), 2, "'valid'"),
    "other-columns": (("t.parquet", "t.txt", "-o", "o.parquet"), 6, "columns"),
    "stdin-twice": (("-", "-"), 2, "stdin"),
    "unwritable": (("t.txt", "-o", "no/folder/o.parquet"), 2, "no/folder/o.parquet"),
}


@pytest.mark.parametrize("name", EXITS)
def test_each_end_has_its_exit_code_and_one_line(run, name):
    """Verdict, wrong use, nothing to judge, broken files: each has its code, and says one line."""
    arguments, code, message = EXITS[name]
    spec = () if "--spec" in arguments else ("--spec", "rfc3986")
    done = run(*arguments, *spec)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == bool(message)


@pytest.fixture
def judged_table(run, tmp_path):
    """The output for a valid URL, a null and an invalid text."""
    assert run("t.parquet", "--spec", "rfc3986", "-o", "o.parquet", "--components").returncode == Exit.FAILED
    return parquet.read_table(tmp_path / "o.parquet")


def test_the_output_has_columns_of_fixed_types(judged_table):
    assert judged_table.column_names == ["n", "url", "valid", "offset", "reason", "components"]
    assert judged_table.schema.field("valid").type == pa.bool_()
    assert judged_table.schema.field("offset").type == pa.int32()
    assert pa.types.is_dictionary(judged_table.schema.field("reason").type)


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("n", [1, 2, 3]),
        ("valid", [True, None, False]),
        ("offset", [None, None, 8]),
        ("reason", [None, None, "section 3.2.2, IP-literal: 'x'"]),
    ],
    ids=["input", "valid", "offset", "reason"],
)
def test_the_output_has_the_rows_of_the_input_with_their_verdicts(judged_table, column, cells):
    assert judged_table[column].to_pylist() == cells


def test_only_a_valid_row_has_components(judged_table):
    of_valid, of_null, of_invalid = judged_table["components"].to_pylist()
    assert of_valid["host"] == "a"
    assert of_null is None
    assert of_invalid is None


def test_the_output_of_a_text_file_has_its_lines(run, tmp_path):
    """A line that is no UTF-8 is kept as far as it is, and judged as it was."""
    (tmp_path / "t.txt").write_bytes(b"http://a\n\n\xff\n")
    run("t.txt", "--spec", "rfc3986", "-o", "o.parquet")
    assert parquet.read_table(tmp_path / "o.parquet").select(["url", "offset"]).to_pylist() == [
        {"url": "http://a", "offset": None},
        {"url": "", "offset": 0},
        {"url": "\ufffd", "offset": 0},
    ]


def test_rows_before_a_fault_are_kept(run, tmp_path):
    """The output is a whole file of what was read until then."""
    done = run("good.txt", "absent.txt", "--spec", "rfc3986", "-o", "o.parquet")
    assert "(o.parquet has the 2 rows before the error)" in done.stderr
    assert done.returncode == Exit.INVALID_FILE
    assert parquet.read_table(tmp_path / "o.parquet").num_rows == 2


@pytest.mark.parametrize("content", [None, b"", b"PAR1 and no more"])
def test_work_that_comes_to_nothing_leaves_the_output(run, tmp_path, content):
    """If the input is missing, empty or broken, the file of an earlier run is kept."""
    (tmp_path / "o.parquet").write_bytes(b"earlier")
    if content is not None:
        (tmp_path / "x.parquet").write_bytes(content)
    assert run("x.parquet", "--spec", "3986", "-o", "o.parquet").returncode in (
        Exit.NOTHING_RAN,
        Exit.INVALID_FILE,
    )
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"
    assert not list(tmp_path.glob(".*"))


def test_an_output_that_is_a_link_stays_one(run, tmp_path):
    (tmp_path / "real").write_bytes(b"earlier")
    (tmp_path / "o.parquet").symlink_to("real")
    assert run("good.txt", "--spec", "3986", "-o", "o.parquet").returncode == Exit.PASSED
    assert (tmp_path / "o.parquet").is_symlink()
    assert parquet.read_table(tmp_path / "real").num_rows == 2
    assert not list(tmp_path.glob(".*"))


def test_an_output_may_be_a_pipe(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("good.txt", "--spec", "3986", "-o", "pipe").returncode == Exit.PASSED
        assert parquet.read_table(pa.BufferReader(os.read(reading, 1 << 16))).num_rows == 2
    finally:
        os.close(reading)
    assert (tmp_path / "pipe").is_fifo()


def test_a_full_device_is_named_and_kept(run, tmp_path):
    """The test names it by a link, which is all that a program that replaces files can destroy."""
    (tmp_path / "full").symlink_to("/dev/full")
    done = run("good.txt", "--spec", "3986", "-o", "full")
    assert done.stderr == "urlconform: full: no space left on device\n"
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "full").is_symlink()


@pytest.mark.parametrize("method", ["write_table", "close"])
def test_a_full_disk_leaves_the_earlier_file(run, tmp_path, monkeypatch, method):
    (tmp_path / "o.parquet").write_bytes(b"earlier")

    def full(*_):
        raise OSError(28, "Error writing bytes to file")

    monkeypatch.setattr(parquet.ParquetWriter, method, full)
    done = run("good.txt", "--spec", "3986", "-o", "o.parquet")
    monkeypatch.undo()
    assert done.stderr == "urlconform: o.parquet: no space left on device\n"
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("json", [(), ("--json",)], ids=["text", "json"])
def test_no_url_or_name_is_a_command_to_a_build_server(run, tmp_path, json):
    text = "::error::one\n##[error]two\n ::error::three\n/ ##[error]four\n"
    for name in ("::warning::x", "##[group]x.csv"):
        (tmp_path / name).write_text(f"url\n{text}" if name.endswith("csv") else text, "utf-8")
    for arguments in (("::warning::x",), ("::warning::x", "##[group]x.csv"), ("##[group]x.csv", "absent")):
        done = run(*arguments, "--spec", "3986", *json)
        for line in (done.stdout + done.stderr).splitlines():
            assert not line.lstrip().startswith("::")
            assert "##[" not in line


def test_the_caret_is_below_what_is_wrong_if_the_text_has_an_escape(run, tmp_path):
    (tmp_path / "x.txt").write_text("##[x]\n::x\n", "utf-8")
    lines = run("x.txt", "--spec", "3986", "--rule", "URI-reference").stdout.splitlines()
    for escape in ("\\u{23}", "\\u{3a}"):
        at, text = next((at, line) for at, line in enumerate(lines) if escape in line)
        assert text[lines[at + 1].index("^")] == "}"
        assert text[: lines[at + 1].index("^") + 1].endswith(escape)
