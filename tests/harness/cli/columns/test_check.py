"""The command `check`: counts, reasons, exit codes and the file that it writes."""

from __future__ import annotations

import errno
import json
import os

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.exitcodes import Exit

from ...report.report_checks import check_log  # noqa: TID252 - tests are not an installed package

TEXT = "http://a/b\n\nhttp://a b\nhttp://c d\nhttp://c/%\nhttp://\x1b[31m\n"


@pytest.fixture
def run(urlconform, tmp_path):
    """Return a function that runs the command in a folder with files of every format.

    t.txt           six lines, of which the first is valid
    good.txt        two valid lines
    empty.txt       no line
    t.parquet       three rows of `n` and `url`: a valid one, a null and an invalid one
    judged.parquet  the same with a third column, `valid`
    null.parquet    a null
    t.csv           two columns, neither of which is named as a column of URLs
    bad.csv         a second row with one cell more than the first
    """
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


def place_of_total(lines):
    """Return the place of the line that counts all texts: `in all  6   0.1 s`."""
    (number,) = [number for number, line in enumerate(lines) if line.split()[:2] == ["in", "all"]]
    return number


def test_the_summary_begins_with_file_and_rule(summary_lines):
    assert summary_lines[0] == "t.txt: URI of RFC 3986"


def test_the_summary_counts_verdicts_below_its_heading(summary_lines):
    _file, _blank, *lines = summary_lines
    counts = [" ".join(line.split()) for line in lines[:3]]
    assert counts == ["valid 1 16.7 %", "invalid 5 83.3 %", "null 0"]


def test_the_summary_has_the_commonest_reason_after_its_counts(summary_lines):
    _blank, reason, *_ = summary_lines[place_of_total(summary_lines) + 1 :]
    assert reason == "        2  blank  in URI (section 3)  t.txt:3"


def test_the_summary_counts_all_texts(summary_lines):
    _in, _all, count, *_time = summary_lines[place_of_total(summary_lines)].split()
    assert count == "6"


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
                "        1  it ends too early  in pct-encoded (section 2.1)  t.txt:5",
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


@pytest.fixture
def reasons_of(run, tmp_path):
    """Return a function that checks lines as URIs of RFC 3986, and returns the reasons of the summary."""

    def check(*lines):
        (tmp_path / "x.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return json.loads(run("x.txt", "--spec", "3986", "--json").stdout)["reasons"]

    return check


@pytest.mark.parametrize(
    ("line", "what"),
    [
        pytest.param("foo", "no scheme", id="word"),
        pytest.param("foo bar", "no scheme", id="blank-after-a-word"),
        pytest.param("", "no scheme", id="empty"),
        pytest.param("/x", "no scheme", id="path"),
        pytest.param("foo/bar", "no scheme", id="slash-after-a-word"),
        pytest.param("?q", "no scheme", id="query"),
        pytest.param(" http://x", "blank", id="blank-before-a-scheme"),
        pytest.param("1foo", "'1'", id="digit-first"),
        pytest.param("http://a b", "blank", id="blank-after-a-scheme"),
    ],
)
def test_the_reason_of_a_line_is_its_missing_scheme_or_what_is_unexpected(reasons_of, line, what):
    assert [reason["what"] for reason in reasons_of(line)] == [what]


def test_lines_without_a_scheme_have_one_reason_whatever_is_unexpected_in_them(reasons_of):
    reasons = reasons_of("foo bar", "?q")
    assert [(reason["what"], reason["count"]) for reason in reasons] == [("no scheme", 2)]


@pytest.mark.parametrize("line", ["foo", "1foo", "http://a b"])
def test_the_rule_of_a_reason_is_the_one_that_was_asked(reasons_of, line):
    assert [reason["rule"] for reason in reasons_of(line)] == ["URI"]


def test_a_rule_with_relative_references_needs_no_scheme(run, tmp_path):
    (tmp_path / "x.txt").write_text("foo\nfoo bar\n", "utf-8")
    summary = json.loads(run("x.txt", "--spec", "3986", "--rule", "URI-reference", "--json").stdout)
    assert summary["valid"] == 1
    assert [reason["what"] for reason in summary["reasons"]] == ["blank"]


PLAIN = "http://a/b?c"
WITH_FRAGMENT = "http://a/#b"


@pytest.mark.parametrize(
    ("spec", "rule", "valid_texts"),
    [
        pytest.param("1738", "url", [PLAIN], id="rfc1738"),
        # R-1808-03: the word URL means absoluteURL
        pytest.param("1808", "absoluteURL", [PLAIN], id="rfc1808"),
        # R-2396-01: the word URI means absoluteURI
        pytest.param("2396", "absoluteURI", [PLAIN], id="rfc2396"),
        pytest.param("2732", "absoluteURI", [PLAIN], id="rfc2732"),
        pytest.param("3986", "URI", [PLAIN, WITH_FRAGMENT], id="rfc3986"),
    ],
)
def test_the_default_rule_is_a_url_with_a_scheme(run, tmp_path, spec, rule, valid_texts):
    """The rule derives neither a relative reference nor the empty text."""
    (tmp_path / "x.txt").write_text(f"{PLAIN}\n{WITH_FRAGMENT}\nfoo\n\n", "utf-8")
    done = run("x.txt", "--spec", spec, "-o", "o.parquet", "--json")
    assert json.loads(done.stdout)["rule"] == rule
    rows = parquet.read_table(tmp_path / "o.parquet").to_pylist()
    assert len(rows) == 4
    assert [row["url"] for row in rows if row["valid"]] == valid_texts


def test_a_rule_with_relative_references_may_be_asked_for(run, tmp_path):
    (tmp_path / "x.txt").write_text("foo\n\n", "utf-8")
    assert run("x.txt", "--spec", "3986", "--rule", "URI-reference").returncode == Exit.PASSED


@pytest.fixture
def json_summary(run):
    """The summary of t.txt as JSON."""
    return json.loads(run("t.txt", "--spec", "3986", "--json").stdout)


def test_json_counts_verdicts(json_summary):
    assert json_summary["valid"] == 1
    assert json_summary["invalid"] == 5
    assert json_summary["null"] == 0


def test_json_names_rfc_and_rule(json_summary):
    assert json_summary["spec"] == "RFC 3986"
    assert json_summary["rule"] == "URI"


def test_json_has_all_reasons_with_the_commonest_first(json_summary):
    assert [(reason["count"], reason["what"]) for reason in json_summary["reasons"]] == [
        (2, "blank"),
        (1, "no scheme"),
        (1, "it ends too early"),
        (1, "U+001B"),
    ]


def test_json_has_an_example_of_each_reason(json_summary):
    examples = [reason["example"] for reason in json_summary["reasons"]]
    assert [(example["file"], example["row"], example["text"], example["at"]) for example in examples] == [
        ("t.txt", 3, "http://a b", 8),
        ("t.txt", 2, "", 0),
        ("t.txt", 5, "http://c/%", 10),
        ("t.txt", 6, "http://\x1b[31m", 7),
    ]


def test_json_has_the_message_of_each_example(json_summary):
    messages = [reason["example"]["message"] for reason in json_summary["reasons"]]
    assert [message.split(";")[0] for message in messages] == [
        "blank at offset 8",
        "it ends too early",
        "it ends too early",
        "U+001B at offset 7",
    ]


#: Files, and the exit code of their verdict.
VERDICTS = {
    "valid": (("good.txt",), Exit.PASSED),
    "invalid": (("t.txt",), Exit.FAILED),
    "several": (("good.txt", "t.txt"), Exit.FAILED),
    "empty": (("empty.txt",), Exit.NOTHING_RAN),
    "nulls-alone": (("null.parquet",), Exit.NOTHING_RAN),
}


@pytest.mark.parametrize(("files", "code"), VERDICTS.values(), ids=VERDICTS)
def test_each_verdict_has_its_exit_code(run, files, code):
    done = run(*files, "--spec", "rfc3986")
    assert done.stderr == ""
    assert done.returncode == code


#: Arguments without a verdict, the exit code, and a part of the message.
MISTAKES = {
    "no-file": (("absent.txt",), Exit.INVALID_FILE, "absent.txt: no such file"),
    "ragged": (("bad.csv",), Exit.INVALID_FILE, "bad.csv: CSV parse error: Row #3"),
    "no-parquet": (
        ("t.txt", "--format", "parquet"),
        Exit.INVALID_FILE,
        "t.txt: Parquet magic bytes not found in footer.",
    ),
    "rule": (("t.txt", "--rule", "url"), Exit.USAGE, "RFC 3986 has no rule named 'url'"),
    "spec": (("t.txt", "--spec", "rfc1"), Exit.USAGE, "no specification named 'rfc1'"),
    "column": (("t.csv", "--column", "x"), Exit.USAGE, "t.csv has no column 'x'; choose from id, link"),
    "no-column": (("t.csv",), Exit.USAGE, "cannot tell which column holds URLs; choose one with --column"),
    "components-to-nowhere": (("t.txt", "--components"), Exit.USAGE, "--components needs -o"),
    "no-components": (
        ("t.txt", "-o", "o.parquet", "--components", "--rule", "port"),
        Exit.USAGE,
        "RFC 3986 has no components for port",
    ),
    "parquet-named-csv": (
        ("t.txt", "-o", "o.csv"),
        Exit.USAGE,
        "the output is Parquet; name it *.parquet",
    ),
    "over-an-input": (("t.parquet", "-o", "t.parquet"), Exit.USAGE, "overwrite the input"),
    "column-twice": (("judged.parquet", "-o", "o.parquet"), Exit.USAGE, "already has a column 'valid'"),
    "other-columns": (
        ("t.parquet", "t.txt", "-o", "o.parquet"),
        Exit.INVALID_FILE,
        "the columns of t.txt differ from the columns of the first file",
    ),
    "stdin-twice": (("-", "-"), Exit.USAGE, "`-` is given twice, but stdin can be read only once"),
    "unwritable": (
        ("t.txt", "-o", "no/folder/o.parquet"),
        Exit.USAGE,
        "no/folder/o.parquet: no such file or directory",
    ),
}


@pytest.mark.parametrize(("arguments", "code", "message"), MISTAKES.values(), ids=MISTAKES)
def test_each_mistake_has_its_exit_code_and_one_line(run, arguments, code, message):
    done = run("--spec", "rfc3986", *arguments)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == code


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


@pytest.mark.sampled(2)
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


@pytest.mark.parametrize(
    ("name", "message", "code"),
    [
        pytest.param("absent.txt", "absent.txt: no such file", Exit.INVALID_FILE, id="missing"),
        pytest.param("empty.txt", "nothing to judge", Exit.NOTHING_RAN, id="empty"),
        pytest.param("zero.parquet", "file size is 0 bytes", Exit.INVALID_FILE, id="no-bytes"),
        pytest.param("cut.parquet", "Parquet magic bytes not found", Exit.INVALID_FILE, id="cut"),
    ],
)
def test_an_input_without_rows_leaves_the_output_of_an_earlier_run(run, tmp_path, name, message, code):
    (tmp_path / "o.parquet").write_bytes(b"earlier")
    (tmp_path / "zero.parquet").write_bytes(b"")
    (tmp_path / "cut.parquet").write_bytes(b"PAR1 and no more")
    done = run(name, "--spec", "3986", "-o", "o.parquet")
    assert message in done.stdout + done.stderr
    assert done.returncode == code
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"
    assert list(tmp_path.glob(".*")) == []


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
        raise OSError(errno.ENOSPC, "Error writing bytes to file")

    monkeypatch.setattr(parquet.ParquetWriter, method, full)
    done = run("good.txt", "--spec", "3986", "-o", "o.parquet")
    monkeypatch.undo()
    assert done.stderr == "urlconform: o.parquet: no space left on device\n"
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "o.parquet").read_bytes() == b"earlier"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize(
    "names",
    [("::warning::x",), ("::warning::x", "##[group]x.csv"), ("##[group]x.csv", "absent")],
    ids=["one-file", "two-files", "missing-file"],
)
def test_no_url_or_name_is_a_command_to_a_build_server(run, tmp_path, names, form):
    text = "::error::one\n##[error]two\n ::error::three\n/ ##[error]four\n"
    (tmp_path / "::warning::x").write_text(text, "utf-8")
    (tmp_path / "##[group]x.csv").write_text(f"url\n{text}", "utf-8")
    done = run(*names, "--spec", "3986", *form)
    printed = done.stdout + done.stderr
    assert printed.splitlines() != []
    check_log(printed)


@pytest.mark.parametrize(
    ("text", "escape"), [("##[x]", "\\u{23}"), ("::x", "\\u{3a}")], ids=["number-sign", "colon"]
)
def test_the_caret_is_below_the_end_of_an_escape(run, tmp_path, text, escape):
    (tmp_path / "x.txt").write_text(f"{text}\n", "utf-8")
    lines = run("x.txt", "--spec", "3986", "--rule", "URI-reference").stdout.splitlines()
    (example,) = [line for line in lines if escape in line]
    caret_line = lines[lines.index(example) + 1]
    assert example[: caret_line.index("^") + 1].endswith(escape)
