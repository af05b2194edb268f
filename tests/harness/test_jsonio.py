"""JSON in and out."""

from __future__ import annotations

import calendar
import errno
import hashlib
import json
import re
import stat
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from urlharness.corpus.loader import load
from urlharness.corpus.model import CorpusError, corpus_dir
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import BaselineError, parse_baseline
from urlharness.jsonio import TIMESTAMP_PATTERN as PATTERN
from urlharness.jsonio import (
    WholeFile,
    ascii_json,
    descriptor_of,
    errors_named,
    escaped_commands,
    in_utc,
    now_utc,
    write_atomically,
)
from urlharness.results.model import Header, Participant, Result, ResultsError, read_results

texts = st.text() | st.text('#[\\"\x7f\x80\x9b\u2028\u202e\U0001f600a\n')


def escaped_lines(values):
    """Return texts as lines of JSON, in ASCII and without commands."""
    octets = b"".join(json.dumps(text, ensure_ascii=False).encode() + b"\n" for text in values)
    return escaped_commands(ascii_json(octets))


@given(st.lists(texts))
def test_escaped_json_has_the_same_values(values):
    assert [json.loads(line) for line in escaped_lines(values).splitlines()] == values


@given(st.lists(texts))
def test_escaped_json_is_printable_ascii_without_commands(values):
    written = escaped_lines(values)
    assert written.isascii()
    assert written.decode().replace("\n", "").isprintable()
    assert b"##" not in written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a", "a"),
        ("\x7f", "\\u007f"),
        ("\x9b31m", "\\u009b31m"),
        ("\u00e9\u2028\u2029", "\\u00e9\\u2028\\u2029"),
        ("\u202egnp", "\\u202egnp"),
        ("\U0001f600", "\\ud83d\\ude00"),
    ],
    ids=["ascii", "delete", "control", "line-separators", "direction", "surrogates"],
)
def test_json_is_written_in_ascii_with_escapes(text, written):
    assert ascii_json(text.encode()) == written.encode()


@pytest.mark.parametrize(
    ("text", "written"),
    [("##[x]", "#\\u0023[x]"), ("###vso[", "#\\u0023#vso["), ("####", "#\\u0023#\\u0023"), ("#", "#")],
    ids=["two-hashes", "three-hashes", "four-hashes", "one-hash"],
)
def test_a_command_to_a_build_server_is_escaped(text, written):
    assert escaped_commands(text.encode()) == written.encode()


HOSTILE = "\x7f\x85\x9b1m\u2028\u202e##[error]\u00e9\U0001f600"


@pytest.fixture
def hostile_results(make_case, record, tmp_path):
    """Results with unprintable characters and commands, written to a file; and the content of the file."""
    path = tmp_path / "r.jsonl"
    participant = Participant("lib", "ran", message=HOSTILE)
    answer = Result("rfc3986-3.3-x", "lib", "fail", stderr=HOSTILE)
    results = record([make_case("rfc3986-3.3-x", url=HOSTILE)], participant, answer, path=path)
    return results, path.read_bytes()


def test_a_results_file_is_printable_ascii_without_commands(hostile_results):
    _, octets = hostile_results
    assert octets.isascii()
    assert octets.decode().replace("\n", "").isprintable()
    assert b"##" not in octets


def test_escaped_results_are_read_as_they_were(hostile_results):
    results, _ = hostile_results
    assert results.of("lib")["rfc3986-3.3-x"].stderr == HOSTILE
    assert results.complete


def test_the_digest_of_results_is_that_of_the_written_lines(hostile_results):
    _, octets = hostile_results
    *lines, footer = octets.splitlines(keepends=True)
    assert json.loads(footer)["digest"] == hashlib.sha256(b"".join(lines)).hexdigest()[:12]


# ---- timestamps

HEADER = {
    "type": "header",
    "schema": "urlresults-1",
    "urlconform": "1",
    "corpus": "0123456789ab",
    "argv": [],
    "platform": "Linux",
    "python": "3.11.0",
}


#: What may stand in a file, and the same in UTC.
TIMESTAMPS = {
    "utc": ("2026-11-22T15:35:46+00:00", "2026-11-22T15:35:46"),
    "east": ("2026-01-01T01:30:00+02:00", "2025-12-31T23:30:00"),
    "west": ("2024-02-28T23:00:00-01:30", "2024-02-29T00:30:00"),
}


TIMESTAMPS_ALONE = {name: started for name, (started, _utc) in TIMESTAMPS.items()}
EACH_TIMESTAMP = pytest.mark.parametrize("started", TIMESTAMPS_ALONE.values(), ids=TIMESTAMPS_ALONE)


NO_TIMESTAMPS = [
    pytest.param("", id="empty"),
    pytest.param("yesterday", id="word"),
    pytest.param("2026-11-22T15:35:46", id="without-offset"),
    pytest.param("2026-11-22 15:35:46+00:00", id="blank"),
    pytest.param("2026-11-22T15:35:46+00:00\n", id="line-end"),
    pytest.param("2026-11-22T15:35:46\x01+00:00", id="control"),
    pytest.param("\x1b[31m2026-11-22T15:35:46+00:00", id="before"),
    pytest.param("2026-11-22T15:35:46.5+00:00", id="fraction"),
    pytest.param("2026-11-22T24:00:00+00:00", id="hour-24"),
    pytest.param("2026-11-22T15:60:46+00:00", id="minute-60"),
    pytest.param("2026-13-22T15:35:46+00:00", id="month-13"),
    pytest.param("2026-11-31T15:35:46+00:00", id="31-november"),
    pytest.param("2026-02-29T15:35:46+00:00", id="no-leap-year"),
    pytest.param("٢026-11-22T15:35:46+00:00", id="other-digits"),
]


def header_with_start(tmp_path, started: str) -> Header:
    """Return the header that is read from results with this timestamp."""
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps({**HEADER, "started": started}) + "\n", "ascii")
    return read_results(path).header


def published_schema() -> Draft202012Validator:
    """Return the published schema of a timestamp."""
    schema = json.loads((corpus_dir() / "schemas" / "results.schema.json").read_bytes())
    return Draft202012Validator(schema["$defs"]["header"]["properties"]["started"])


@pytest.mark.parametrize(("started", "utc"), TIMESTAMPS.values(), ids=TIMESTAMPS)
def test_a_timestamp_is_shown_in_utc(started, utc):
    assert in_utc(started) == utc


@EACH_TIMESTAMP
def test_a_timestamp_is_read(tmp_path, started):
    assert header_with_start(tmp_path, started).started == started


@EACH_TIMESTAMP
def test_the_published_schema_accepts_a_timestamp(started):
    assert published_schema().is_valid(started)


@pytest.mark.parametrize("started", NO_TIMESTAMPS)
def test_a_text_of_another_form_is_not_read_as_a_timestamp(tmp_path, started):
    with pytest.raises(ResultsError) as raised:
        header_with_start(tmp_path, started)
    assert "results.jsonl: line 1: not a results file: Expected `str` matching regex" in str(raised.value)
    assert "at `$.started`" in str(raised.value)


@pytest.mark.parametrize("started", NO_TIMESTAMPS)
def test_the_published_schema_refuses_a_text_of_another_form(started):
    assert not published_schema().is_valid(started)


def test_the_published_schema_has_the_pattern_of_the_types():
    assert published_schema().schema["pattern"] == PATTERN


def test_the_current_time_is_a_timestamp(tmp_path):
    assert header_with_start(tmp_path, now_utc()).started.endswith("+00:00")


def is_a_day(year, month, day) -> bool:
    """Return True if the calendar has a day."""
    if not 1 <= month <= 12:
        return False
    _, last_day = calendar.monthrange(year, month)
    return 1 <= day <= last_day


def test_days_are_those_of_the_calendar():
    """Every day of every month, in leap years and others."""
    pattern = re.compile(PATTERN)
    years = (1900, 1999, 2000, *range(2020, 2041), 2096, 2100, 2200, 2399, 2400)
    for year, month, day in product(years, range(14), range(33)):
        text = f"{year}-{month:02}-{day:02}T00:00:00+00:00"
        assert bool(pattern.search(text)) == is_a_day(year, month, day), text


def test_a_text_that_is_not_a_timestamp_is_unchanged():
    assert in_utc("\x01") == "\x01"


# ---- decode errors

VERSIONS_HEADER = {
    "type": "header",
    "urlconform": "9",
    "corpus": "0" * 12,
    "argv": [],
    "started": "2024-01-01T00:00:00+00:00",
    "platform": "",
    "python": "",
}


def read_results_with(schema, folder):
    """Read results with this schema."""
    file = folder / "r.jsonl"
    file.write_text(f"{json.dumps({**VERSIONS_HEADER, 'schema': schema, 'later': 1})}\n", "ascii")
    read_results(file)


def read_baseline_with(schema, _folder):
    """Read a baseline with this schema."""
    content = {"schema": schema, "corpus": "0" * 12, "implementation": "x", "spec": [], "entries": []}
    parse_baseline(json.dumps(content).encode(), "b.json")


def read_vectors_with(schema, folder):
    """Read a folder of vectors with this schema."""
    (folder / "rfc3986").mkdir()
    (folder / "rfc3986" / "3.json").write_text(json.dumps({"schema": schema}), "ascii")
    load(folder)


READERS = {
    "urlresults": (read_results_with, ResultsError, "r.jsonl: line 1: not a results file: "),
    "urlbaseline": (read_baseline_with, BaselineError, "b.json: "),
    "urlvectors": (read_vectors_with, CorpusError, "rfc3986/3.json: "),
}
#: The versions of each schema that this program reads.
VERSIONS = {
    "urlresults": "urlresults-1",
    "urlbaseline": "urlbaseline-1 and urlbaseline-2",
    "urlvectors": "urlvectors-1 and urlvectors-2",
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("schema", ["{}-3", "{}-11", "{}-", "other-1"])
def test_an_unknown_schema_is_named_with_the_known_versions(tmp_path, name, schema):
    read_document, error, location = READERS[name]
    with pytest.raises(error) as raised:
        read_document(schema.format(name), tmp_path)
    words = f"its schema is {schema.format(name)!r}; this program reads {VERSIONS[name]}"
    assert str(raised.value).endswith(f"{location}{words}")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(("schema", "kind"), [(1, "int"), (None, "null")], ids=["number", "null"])
def test_a_schema_that_is_not_a_text_is_a_decode_error(tmp_path, name, schema, kind):
    read_document, error, location = READERS[name]
    with pytest.raises(error) as raised:
        read_document(schema, tmp_path)
    assert str(raised.value).endswith(f"{location}Expected `str`, got `{kind}` - at `$.schema`")


def test_a_results_file_in_place_of_a_baseline_is_recognised_by_its_first_line():
    lines = b'{"schema": "urlresults-1"}\n{"type": "case"}\n'
    with pytest.raises(BaselineError, match="its schema is 'urlresults-1'; this program reads urlbaseline-1"):
        parse_baseline(lines, "r.jsonl")


def test_the_report_of_another_version_has_the_code_of_an_invalid_file(urlconform, tmp_path):
    content = json.dumps({**VERSIONS_HEADER, "schema": "urlresults-2"})
    (tmp_path / "r.jsonl").write_text(f"{content}\n", "ascii")
    done = urlconform("report", "r.jsonl")
    assert done.stdout == ""
    assert "this program reads urlresults-1" in done.stderr
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.parametrize(
    ("error", "filename"),
    [
        pytest.param(OSError(errno.ENOSPC, "full"), "a.json", id="without-a-name"),
        pytest.param(OSError(errno.ENOENT, "gone", "b"), "b", id="with-a-name"),
    ],
)
def test_an_error_names_its_file(error, filename):
    with pytest.raises(OSError, match=error.strerror) as raised, errors_named("a.json"):
        raise error
    assert raised.value.errno == error.errno
    assert raised.value.filename == filename


@pytest.fixture
def link_to_itself(tmp_path):
    """A symbolic link whose target is the link."""
    (tmp_path / "link").symlink_to("link")
    return tmp_path / "link"


ASKED = ("--spec", "rfc1808", "-k", "rfc1808-5.1-")
#: Commands that write a file, without its name.
WRITERS = [
    pytest.param(("baseline", "create", "urllib", *ASKED, "-o"), id="baseline"),
    pytest.param(("check", "--spec", "rfc3986", "texts", "-o"), id="check"),
    pytest.param(("vectors", "export", "--spec", "rfc1808"), id="export"),
    pytest.param(("run", "reference", *ASKED, "--report"), id="report"),
]


@pytest.mark.parametrize("command", WRITERS)
def test_a_link_to_itself_is_no_output(link_to_itself, tmp_path, urlconform, command):
    (tmp_path / "texts").write_text("http://a/\n")
    output = "junit=link" if command[-1] == "--report" else "link"
    done = urlconform(*command, output)
    assert done.stderr.count("\n") == 1
    assert "link: too many levels of symbolic links" in done.stderr
    assert done.returncode == Exit.USAGE
    assert link_to_itself.is_symlink()


def test_the_type_of_an_error_with_a_name_is_kept():
    with pytest.raises(FileNotFoundError, match=r"No such file: 'b\.json'"), errors_named("a.json"):
        raise FileNotFoundError(2, "No such file", "b.json")


# ---- files that are written whole or not at all


def fail_with(error: BaseException, path: Path) -> None:
    """Begin to write a file, and raise an error."""
    with WholeFile(path) as stream:
        stream.write(b"part")
        raise error


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), ValueError(), OSError(errno.ENOSPC, "full")],
    ids=["interrupt", "fault", "full"],
)
def test_a_file_is_kept_if_writing_another_in_its_place_fails(tmp_path, error):
    path = tmp_path / "a"
    path.write_text("old", "ascii")
    with pytest.raises(type(error)):
        fail_with(error, path)
    assert path.read_text("ascii") == "old"
    assert list(tmp_path.iterdir()) == [path], "no part is left"


def test_a_full_disk_is_named_by_the_file(tmp_path):
    with pytest.raises(OSError, match=rf"^\[Errno {errno.ENOSPC}\] full: ") as caught:
        fail_with(OSError(errno.ENOSPC, "full"), tmp_path / "a")
    assert caught.value.filename == str(tmp_path / "a")


def test_a_file_that_is_never_entered_leaves_no_part(tmp_path):
    file = WholeFile(tmp_path / "a")
    file.stream.close()
    del file
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_written_again_keeps_its_mode(tmp_path):
    (tmp_path / "a").touch(0o600)
    write_atomically(tmp_path / "a", "new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_a_link_to_a_written_file_is_kept(tmp_path):
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to("target")
    write_atomically(tmp_path / "link", "\u00e9", "utf-8")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text("utf-8") == "\u00e9"


def test_a_link_to_itself_cannot_be_written(link_to_itself):
    with pytest.raises(OSError, match=rf"^\[Errno {errno.ELOOP}\] ") as caught:
        write_atomically(link_to_itself, "a")
    assert caught.value.filename == str(link_to_itself)


def test_a_link_that_waits_in_place_of_the_part_is_not_followed(tmp_path):
    """Every write of a process to a path has the same part file."""
    file = WholeFile(tmp_path / "a")
    (part,) = tmp_path.iterdir()
    file.discard()
    (tmp_path / "victim").write_text("mine", "ascii")
    part.symlink_to("victim")
    write_atomically(tmp_path / "a", "new")
    assert (tmp_path / "victim").read_text("ascii") == "mine"
    assert not part.is_symlink()


@pytest.mark.parametrize(
    ("path", "descriptor"),
    [("/dev/stdout", 1), ("/dev/fd/7", 7), ("/proc/self/fd/2", 2), ("/dev/null", None), ("a", None)],
    ids=["stdout", "fd", "proc", "device", "file"],
)
def test_the_path_of_an_open_descriptor_is_recognised(path, descriptor):
    assert descriptor_of(Path(path)) == descriptor
