"""results.jsonl: writer, reader and lock."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gzip
import hashlib
import io
import json
import lzma
import re
import signal
import sys
from itertools import product
from pathlib import Path
from typing import NamedTuple
from unittest.mock import Mock

import msgspec
import pytest

from urlharness import run
from urlharness.corpus.model import Case
from urlharness.exitcodes import Exit
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.messages import Implementation
from urlharness.report import junit, markdown
from urlharness.results import model
from urlharness.results.coverage import missing_in_words
from urlharness.results.model import (
    Header,
    Line,
    Participant,
    Result,
    Results,
    ResultsError,
    ResultsFollower,
    ResultsWriter,
    copy_results,
    open_exclusively,
    read_results,
)
from urlharness.results.verdict import Outcome

HEADER = Header("urlresults-1", "1", "0", (), "2026-01-01T00:00:00+00:00", "here", "3")
RAN = Participant("a", "ran", Implementation("lib", "1"), ("validate",), ("rfc3986",), ("absent-vs-empty",))
MISSING = Participant("b", "not installed", message="no runtime")
RESULT = Result(
    "rfc3986-3.3-x", "a", Outcome.FAIL, detail="got \u00e9\u2028\x00", got={"status": "ok"}, stderr="e"
)


class Written(NamedTuple):
    """A results file, and what was written into it."""

    path: Path
    cases: list[Case]
    variant: Result
    results: Results


@pytest.fixture
def results_file(make_case, record, tmp_path) -> Written:
    """A results file of two cases."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.3-z", url={"hex": "ff00"})]
    variant = Result("rfc3986-3.3-z", "a", Outcome.VARIANT, "other")
    results = record(cases, RAN, MISSING, RESULT, variant, path=tmp_path / "r.jsonl")
    return Written(tmp_path / "r.jsonl", cases, variant, results)


# ---- reading what was written


def test_the_header_names_the_schema_of_the_file(results_file):
    assert results_file.results.header.schema == "urlresults-1"


def test_vectors_are_read_as_they_were_written(results_file):
    assert [vector.case for vector in results_file.results.vectors.values()] == results_file.cases
    assert results_file.results.vectors["rfc3986-3.3-x"].requirement.statement == "It is so."


def test_participants_are_read_as_they_were_written(results_file):
    assert results_file.results.participants == (RAN, MISSING)


def test_the_results_of_a_participant_are_read_as_they_were_written(results_file):
    assert results_file.results.of("a") == {RESULT.id: RESULT, results_file.variant.id: results_file.variant}


def test_equal_replies_are_kept_once(make_case, record):
    """A run of many libraries has ten times as many replies as different ones."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.3-z")]
    replies = [Result(case.vector.id, "a", Outcome.FAIL, got={"status": "ok"}) for case in cases]
    first, second = record(cases, RAN, *replies).of("a").values()
    assert first.got == {"status": "ok"}
    assert first.got is second.got


def test_a_participant_that_did_not_run_has_no_results(results_file):
    assert results_file.results.of("b") == {}


def test_a_file_with_its_footer_is_complete(results_file):
    assert results_file.results.complete
    assert not results_file.results.interrupted


def test_the_footer_counts_outcomes(results_file):
    path, *_ = results_file
    *_, footer = path.read_bytes().splitlines()
    assert json.loads(footer)["counts"] == {"a": {"fail": 1, "variant": 1}}


def test_every_line_is_one_json_object(results_file):
    lines = results_file.path.read_text("utf-8").removesuffix("\n").split("\n")
    assert {type(json.loads(line)) for line in lines} == {dict}


def test_the_footer_of_an_interrupted_run_says_so(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, RESULT, interrupted=True)
    assert not results.complete
    assert results.interrupted


@pytest.fixture
def three_sections(make_case, record):
    """A run over ninety cases of three sections; every tenth answer is wrong."""
    cases = []
    answers = []
    for number in range(90):
        case = make_case(f"rfc3986-{3 + number % 3}-{number}", expect={"valid": number % 2 == 0})
        outcome = Outcome.FAIL if number % 10 == 0 else Outcome.PASS
        cases.append(case)
        answers.append(Result(case.vector.id, "a", outcome))
    return record(cases, RAN, *answers)


def test_results_are_counted_by_kind_of_case_and_outcome(three_sections):
    """Half of the 30 texts of a section are valid, and among these are the three with a wrong answer."""
    counts = {}
    for (kind, outcome), count in three_sections.counted["a"].items():
        counts[kind.section, kind.valid, str(outcome)] = count
    expected_counts = {}
    for section in "345":
        expected_counts[section, True, "pass"] = 12
        expected_counts[section, True, "fail"] = 3
        expected_counts[section, False, "pass"] = 15
    assert counts == expected_counts


def test_the_asked_cases_are_counted_by_kind(three_sections):
    """The cases of the run differ in section and verdict only: ninety cases in three sections, half valid."""
    counts = {(kind.section, kind.valid): count for kind, count in three_sections.asked.items()}
    assert counts == dict.fromkeys(product("345", (True, False)), 90 // 3 // 2)


def test_the_results_have_the_titles_of_their_sections(three_sections):
    assert three_sections.titles == {("rfc3986", section): "Some section" for section in "345"}


@pytest.mark.parametrize(
    ("adapter", "answer"),
    [("lib", {"status": "reject"}), ("reference", {"status": "reject", "at": 3, "rules": ["URI"]})],
    ids=["library", "reference"],
)
def test_the_answer_has_the_offset_and_the_rules_only_of_the_reference(adapter, answer):
    got = {"status": "reject", "message": "no", "at": 3, "rules": ["URI"]}
    assert Result("x", adapter, Outcome.PASS, got=got).answer == answer


def test_unknown_fields_of_a_later_version_are_ignored(results_file):
    """The footer, whose digest the new fields would change, is left out: the file counts as cut."""
    *lines, _ = results_file.path.read_bytes().splitlines(keepends=True)
    later_lines = [b'{"later":1,' + line[1:] for line in lines]
    results_file.path.write_bytes(b"".join(later_lines))
    later_results = read_results(results_file.path)
    assert later_results.vectors == results_file.results.vectors
    assert later_results.participants == results_file.results.participants
    assert later_results.of("a") == results_file.results.of("a")


def test_a_copy_of_results_has_the_same_bytes(results_file, tmp_path):
    copy_results(results_file.path, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == results_file.path.read_bytes()


def test_an_error_of_a_copy_names_the_full_device(results_file):
    with pytest.raises(OSError, match="No space left") as error:
        copy_results(results_file.path, Path("/dev/full"))
    assert error.value.filename == "/dev/full"


# ---- cut and changed files


#: The first lines of a file are the header, two vectors and two participants; then come two results and the
#: footer.
LINES_BEFORE_RESULTS = 5
LINES_BEFORE_FOOTER = 7


@pytest.mark.parametrize("bytes_of_next_line", [0, 7], ids=["at-a-line-end", "in-a-line"])
@pytest.mark.parametrize("whole_lines", range(1, LINES_BEFORE_FOOTER + 1))
def test_a_cut_file_has_the_results_of_its_whole_lines(results_file, whole_lines, bytes_of_next_line):
    lines = results_file.path.read_bytes().splitlines(keepends=True)
    cut_line = lines[whole_lines][:bytes_of_next_line]
    results_file.path.write_bytes(b"".join(lines[:whole_lines]) + cut_line)
    results = read_results(results_file.path)
    assert not results.complete
    assert len(results.of("a")) == max(0, whole_lines - LINES_BEFORE_RESULTS)


@pytest.fixture
def without_line_end(results_file) -> Results:
    """The results of the file without the end of its last line."""
    octets = results_file.path.read_bytes()
    assert octets.endswith(b"\n")
    results_file.path.write_bytes(octets[:-1])
    return read_results(results_file.path)


def test_a_file_without_its_last_line_end_is_complete(results_file, without_line_end):
    assert without_line_end.complete
    assert without_line_end.cut_line == 0
    assert missing_in_words(without_line_end) == []
    assert without_line_end == results_file.results


@pytest.mark.parametrize("render", [junit.render, markdown.render], ids=["junit", "markdown"])
def test_a_report_does_not_depend_on_the_last_line_end(results_file, without_line_end, render):
    assert render(without_line_end) == render(results_file.results)


@pytest.mark.parametrize(
    "whole_lines", [LINES_BEFORE_FOOTER - 1, LINES_BEFORE_FOOTER], ids=["in-the-last-result", "in-the-footer"]
)
def test_a_file_that_is_cut_in_a_line_names_the_line(results_file, whole_lines):
    lines = results_file.path.read_bytes().splitlines(keepends=True)
    cut_line = lines[whole_lines][:-2]
    results_file.path.write_bytes(b"".join(lines[:whole_lines]) + cut_line)
    results = read_results(results_file.path)
    assert not results.complete
    assert missing_in_words(results)[0] == f"The file ends in the middle of line {whole_lines + 1}."


def test_a_line_without_an_end_after_the_footer_leaves_the_file_complete(results_file):
    results_file.path.write_bytes(results_file.path.read_bytes() + b'{"type":"footer"')
    assert read_results(results_file.path).complete


def edit(octets: bytes, change) -> bytes:
    """Return the bytes of a file whose lines a function has changed in place."""
    lines = octets.splitlines(keepends=True)
    change(lines)
    return b"".join(lines)


def put(lines: list[bytes], index: int, line: bytes) -> None:
    """Exchange a line, as an expression."""
    lines[index] = line


FOOTER = "the footer does not match the lines above it; the file was changed after the run"

#: The places of the header, of a vector and of both results among the lines; the footer is the eighth line.
HEADER_LINE = 0
VECTOR_LINE = 2
RESULT_LINE = 5
LAST_RESULT_LINE = 6

#: A change of the lines, and how the message goes on after the name of the file.
TAMPERED = [
    pytest.param(lambda lines: lines.pop(RESULT_LINE), f"line 7: {FOOTER}", id="line-removed"),
    pytest.param(
        lambda lines: lines.insert(RESULT_LINE, lines[RESULT_LINE]), f"line 9: {FOOTER}", id="line-twice"
    ),
    pytest.param(
        lambda lines: lines.insert(VECTOR_LINE, lines[VECTOR_LINE]), f"line 9: {FOOTER}", id="vector-twice"
    ),
    pytest.param(
        lambda lines: put(lines, RESULT_LINE, lines[RESULT_LINE].replace(b"fail", b"pass")),
        f"line 8: {FOOTER}",
        id="outcome",
    ),
    pytest.param(
        lambda lines: put(lines, LAST_RESULT_LINE, b'{"mine":1,' + lines[LAST_RESULT_LINE][1:]),
        f"line 8: {FOOTER}",
        id="extra-field",
    ),
    pytest.param(
        lambda lines: put(lines, HEADER_LINE, lines[HEADER_LINE].replace(b"\n", b"\r\n")),
        f"line 8: {FOOTER}",
        id="crlf",
    ),
    pytest.param(lambda lines: lines.reverse(), "not a results file: it has no header", id="other-order"),
    pytest.param(
        lambda lines: lines.append(lines[RESULT_LINE]),
        "line 9: a line after the footer",
        id="after-the-footer",
    ),
    pytest.param(lambda lines: lines.extend(lines[:]), "line 9: a line after the footer", id="two-runs"),
    pytest.param(
        lambda lines: lines.pop(1), "line 5: a result of 'rfc3986-3.3-x', which is not", id="no-vector"
    ),
    pytest.param(lambda lines: lines.insert(2, b"what?\n"), "line 3: JSON is malformed", id="no-json"),
    pytest.param(lambda lines: lines.insert(2, b"\n"), "line 3: ", id="blank-line"),
    pytest.param(lambda lines: lines.insert(2, b'{"type":"\xff"}\n'), "line 3: ", id="not-utf-8"),
    pytest.param(lambda lines: lines.insert(2, b'{"type":"case"}\n'), "line 3: ", id="not-a-case"),
    pytest.param(lambda lines: lines.insert(2, b"[]\n"), "line 3: ", id="list"),
    pytest.param(
        lambda lines: put(lines, RESULT_LINE, lines[RESULT_LINE].replace(b'"ok"', b"[ok]")),
        "line 6: JSON is malformed",
        id="reply-is-no-json",
    ),
    pytest.param(
        lambda lines: put(lines, RESULT_LINE, lines[RESULT_LINE].replace(b'{"status":"ok"}', b"[]")),
        "line 6: got: Expected `object`, got `array`",
        id="reply-is-a-list",
    ),
    pytest.param(
        lambda lines: put(lines, RESULT_LINE, lines[RESULT_LINE].replace(b'"ok"', b"1")),
        "line 6: got: Expected `str`, got `int` - at `$.status`",
        id="status-is-a-number",
    ),
    pytest.param(lambda lines: lines.pop(0), "not a results file: it has no header", id="no-header"),
    pytest.param(lambda lines: lines.clear(), "not a results file: it has no header", id="empty"),
    pytest.param(lambda lines: lines.insert(0, b"\x1f\x8b\x08\n"), "line 1: not a results file: ", id="gzip"),
]


@pytest.fixture(params=[1, 700, 1 << 16], ids="blocks-of-{}".format)
def size_of_blocks(request, monkeypatch):
    """The number of bytes that are read at once: less than a line, some lines, or the whole file."""
    monkeypatch.setattr(model, "_BLOCK", request.param)


@pytest.mark.usefixtures("size_of_blocks")
def test_results_do_not_depend_on_the_size_of_blocks(results_file):
    assert read_results(results_file.path) == results_file.results


@pytest.mark.usefixtures("size_of_blocks")
@pytest.mark.parametrize(("change", "words"), TAMPERED)
def test_a_changed_file_is_refused(results_file, change, words):
    path, *_ = results_file
    path.write_bytes(edit(path.read_bytes(), change))
    with pytest.raises(ResultsError) as error:
        read_results(path)
    assert str(error.value).startswith(f"{path}: {words}")


def test_a_changed_byte_is_refused(results_file):
    """Every eleventh byte up to the end of the footer, so that the test is quick and meets every field."""
    octets = results_file.path.read_bytes()
    accepted_positions = []
    for position in range(0, len(octets) - 1, 11):
        changed = bytearray(octets)
        changed[position] ^= 1
        results_file.path.write_bytes(changed)
        with contextlib.suppress(ResultsError):
            read_results(results_file.path)
            accepted_positions.append(position)
    assert accepted_positions == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nothing.jsonl", "no such file"), (".", "is a directory")],
    ids=["no-file", "folder"],
)
def test_a_folder_or_missing_file_is_refused(tmp_path, name, reason):
    with pytest.raises(ResultsError, match=reason):
        read_results(tmp_path / name)


# ---- reading while the file is written


@pytest.fixture
def growing_file(results_file):
    """The path of a file that has only the first line of the run, and its other lines."""
    first, *others = results_file.path.read_bytes().splitlines(keepends=True)
    results_file.path.write_bytes(first)
    return results_file.path, others


@pytest.fixture
def follower(growing_file):
    """A follower of the growing file."""
    path, _ = growing_file
    with contextlib.closing(ResultsFollower(path)) as followed:
        yield followed


def append(path, *lines):
    """Write lines at the end of a file."""
    with path.open("ab") as stream:
        stream.write(b"".join(lines))


def test_a_followed_file_has_the_results_of_the_whole_file(growing_file, follower, results_file):
    path, lines = growing_file
    for line in lines:
        follower.read_on()
        append(path, line)
    assert follower.results() == results_file.results


def test_lines_that_a_follower_has_read_are_not_read_again(growing_file, follower, results_file):
    """They are overwritten before the last line comes."""
    path, lines = growing_file
    *lines_of_run, footer = lines
    append(path, *lines_of_run)
    follower.read_on()
    with path.open("r+b") as stream:
        stream.write(b"?" * path.stat().st_size)
    append(path, footer)
    assert follower.results() == results_file.results


def test_a_follower_that_was_interrupted_has_the_results_of_the_whole_file(
    growing_file, follower, results_file, monkeypatch
):
    path, lines = growing_file
    append(path, *lines)
    with monkeypatch.context() as patched:
        patched.setattr(model._Reader, "_add", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            follower.read_on()
    assert follower.results() == results_file.results


def test_a_follower_says_at_the_end_what_is_wrong_with_the_file(growing_file, follower):
    path, lines = growing_file
    append(path, b"[]\n", *lines)
    follower.read_on()
    with pytest.raises(ResultsError, match="line 2"):
        follower.results()


# ---- writing


def test_a_line_is_written_at_once_if_the_flush_interval_is_over(monkeypatch):
    stream = io.BytesIO()
    monkeypatch.setattr(model.time, "monotonic", lambda: 0.0)
    writer = ResultsWriter(stream, HEADER)
    writer.write(RESULT)
    an_hour = 3600.0
    monkeypatch.setattr(model.time, "monotonic", lambda: an_hour)
    writer.write(RESULT)
    assert stream.getvalue().count(b"\n") == 3, "the header and both results"
    writer.close()


def test_the_header_is_written_at_once():
    stream = io.BytesIO()
    writer = ResultsWriter(stream, HEADER)
    assert stream.getvalue().count(b"\n") == 1
    writer.close()


def test_few_lines_wait_in_memory_before_the_flush_interval_is_over(monkeypatch):
    monkeypatch.setattr(model.time, "monotonic", lambda: 0.0)
    monkeypatch.setattr(model, "_BATCH", 10)
    stream = io.BytesIO()
    writer = ResultsWriter(stream, HEADER)
    most_waiting = 0
    for count in range(1, 20):
        writer.write(RESULT)
        lines_of_results = stream.getvalue().count(b"\n") - 1
        most_waiting = max(most_waiting, count - lines_of_results)
    writer.close()
    assert most_waiting == 9  # the last line of a batch writes all of them


class FullForOneWrite(io.BytesIO):
    """A file on a disk that is full at the second write, and has room again afterwards."""

    name = "r.jsonl"
    writes = 0
    content = b""

    def write(self, octets) -> int:
        self.writes += 1
        if self.writes == 2:
            super().write(bytes(octets)[:100])
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(octets)

    def close(self) -> None:
        self.content = self.getvalue()
        super().close()


def test_a_failed_write_leaves_no_gap(monkeypatch, tmp_path):
    """Lines that were not written are written by the next flush, at the right place."""
    monkeypatch.setattr(model, "_BATCH", 1)
    stream = FullForOneWrite()
    writer = ResultsWriter(stream, HEADER)
    with pytest.raises(OSError, match="No space left") as error:
        writer.write(RAN)
    assert error.value.filename == "r.jsonl"
    writer.close()
    assert stream.closed
    (tmp_path / "r.jsonl").write_bytes(stream.content)
    assert read_results(tmp_path / "r.jsonl").participants == (RAN,)


def interrupted_at(step: int, vector: bytes, path, number: int) -> bool:
    """Write results and raise a signal at one step of the writer; return False if there are fewer steps."""
    steps = 0

    def trace(frame, event, _):
        nonlocal steps
        if frame.f_code.co_filename != model.__file__:
            return None
        if event == "line":
            steps += 1
            if steps == step:
                signal.raise_signal(number)
        return trace

    writer = ResultsWriter(open_exclusively(path), HEADER)
    writer.write(msgspec.json.decode(vector, type=Line))
    sys.settrace(trace)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            for name in "abc":
                writer.write(Participant(name, "ran"))
                writer.write(Result("rfc3986-3.3-x", name, Outcome.PASS))
    finally:
        sys.settrace(None)
    writer.close(interrupted=True)
    return steps >= step


@pytest.fixture(params=["SIGINT", "SIGTERM", "SIGHUP"])
def ending_signal(request):
    """A signal that ends a run as Ctrl-C does."""
    number = getattr(signal, request.param)
    before = signal.signal(number, signal.default_int_handler)
    yield number
    signal.signal(number, before)


def unreadable(vector: bytes, path, number: int) -> int:
    """Count the steps of the writer at which a signal leaves a file that cannot be read."""
    refused = 0
    step = 1
    while interrupted_at(step, vector, path, number):
        step += 1
        try:
            assert read_results(path).interrupted
        except ResultsError:
            refused += 1
    assert step > 20  # the signals came at many steps, not at none
    return refused


@pytest.fixture
def vector(results_file):
    """The line of the first vector."""
    _, first_vector, *_ = results_file.path.read_bytes().splitlines(keepends=True)
    return first_vector


def test_an_interrupt_at_any_step_leaves_a_readable_file(vector, tmp_path, monkeypatch, ending_signal):
    monkeypatch.setattr(model, "_BATCH", 1)
    assert unreadable(vector, tmp_path / "i.jsonl", ending_signal) == 0


class SharedHash:
    """A hash that is changed in place, since its copy is itself."""

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()

    def copy(self):
        return self

    def update(self, octets: bytes) -> None:
        self._sha256.update(octets)

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


def test_an_interrupt_of_a_writer_that_changes_its_state_in_two_steps_leaves_an_unreadable_file(
    vector, tmp_path, monkeypatch
):
    """The tests of interrupts can fail: here the hash changes before the rest of the state."""
    monkeypatch.setattr(model, "_BATCH", 1)
    atomic_state = model._Written

    def state_with_shared_hash(size, sha256, counts, waiting):
        if size == 0 and not isinstance(sha256, SharedHash):
            sha256 = SharedHash()
        return atomic_state(size, sha256, counts, waiting)

    monkeypatch.setattr(model, "_Written", state_with_shared_hash)
    assert unreadable(vector, tmp_path / "i.jsonl", signal.SIGINT) > 0


# ---- the lock

#: A selection of one vector, and the right answer to it.
ONE_VECTOR = {"spec": "rfc1808", "words": "rfc1808-5.1-opaque"}
RIGHT_ANSWER = {"status": "ok", "url": "g:h"}


def answer_rightly(_: dict) -> dict:
    return RIGHT_ANSWER


@pytest.fixture
def disturbed_run(tmp_path):
    """A run during which a second one is refused, and what the file had then."""
    path = tmp_path / "r.jsonl"
    contents = []

    def answer_during_a_second_run(_: dict) -> dict:
        with pytest.raises(ResultsError, match=re.escape(f"{path}: another run is writing it")):
            run(answer_rightly, **ONE_VECTOR, results=path)
        contents.append(path.read_bytes())
        return RIGHT_ANSWER

    report = run(answer_during_a_second_run, **ONE_VECTOR, results=path)
    return path, report, contents


def test_a_second_run_is_refused_and_leaves_the_file_of_the_first(disturbed_run):
    path, report, contents = disturbed_run
    assert contents[0] != b""
    assert report.outcomes[ONE_VECTOR["words"]].outcome is Outcome.PASS
    assert read_results(path) == report.results


def test_the_file_is_free_after_the_first_run(disturbed_run):
    path, _, _ = disturbed_run
    assert run(answer_rightly, **ONE_VECTOR, results=str(path)).results.complete


RUN_INTO_FILE = ("run", "urllib", "-k", ONE_VECTOR["words"], "--report", "json=r.jsonl")


def test_a_command_is_refused_while_another_run_writes_its_file(urlconform, tmp_path):
    with (tmp_path / "r.jsonl").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write(b"mine")
        stream.flush()
        done = urlconform(*RUN_INTO_FILE)
        assert done.stderr == "urlconform: r.jsonl: another run is writing it\n"
        assert done.returncode == Exit.INVALID_FILE
        assert (tmp_path / "r.jsonl").read_bytes() == b"mine"


def test_a_command_replaces_a_file_that_nobody_writes(urlconform, tmp_path):
    (tmp_path / "r.jsonl").write_bytes(b"mine")
    urlconform(*RUN_INTO_FILE)
    assert read_results(tmp_path / "r.jsonl").complete


def test_a_run_that_does_not_start_frees_its_file(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(AdapterDead, match=re.escape("no hello")):
        run("jsonl:true", **ONE_VECTOR, results=path)
    assert run(answer_rightly, **ONE_VECTOR, results=path).results.complete


@pytest.mark.parametrize(("opener", "suffix"), [(gzip.open, "gz"), (lzma.open, "xz")], ids=["gz", "xz"])
def test_a_compressed_file_is_read(results_file, opener, suffix, tmp_path):
    packed = tmp_path / f"results.jsonl.{suffix}"
    with opener(packed, "wb") as stream:
        stream.write(results_file.path.read_bytes())
    assert read_results(packed) == results_file.results
