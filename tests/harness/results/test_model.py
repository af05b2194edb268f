"""results.jsonl: writer, reader and lock."""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import io
import json
import lzma
import re
import signal
import sys
from collections import Counter

import msgspec
import pytest

from urlharness import run
from urlharness.corpus.model import case_kind
from urlharness.protocol.messages import Implementation
from urlharness.report import junit, markdown
from urlharness.results import model
from urlharness.results.coverage import missing
from urlharness.results.model import (
    Header,
    Line,
    Participant,
    Result,
    ResultsError,
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
CHANGED = "the file was changed after the run"


@pytest.fixture
def written(make_case, record, tmp_path):
    """A results file of two cases, and what was written into it."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.3-z", url={"hex": "ff00"})]
    second = Result("rfc3986-3.3-z", "a", Outcome.VARIANT, "other")
    results = record(cases, RAN, MISSING, RESULT, second, path=tmp_path / "r.jsonl")
    return tmp_path / "r.jsonl", cases, second, results


# ---- reading what was written


def test_results_are_read_as_they_were_written(written):
    _, cases, second, results = written
    assert [vector.case for vector in results.vectors.values()] == cases
    assert results.participants == (RAN, MISSING)
    assert results.of("a") == {RESULT.id: RESULT, second.id: second}
    assert results.of("b") == {}
    assert results.complete
    assert not results.interrupted
    assert results.header.schema == "urlresults-1"
    assert results.vectors["rfc3986-3.3-x"].requirement.statement == "It is so."


def test_the_footer_counts_outcomes(written):
    path, *_ = written
    *_, footer = path.read_bytes().splitlines()
    assert json.loads(footer)["counts"] == {"a": {"fail": 1, "variant": 1}}


def test_every_line_is_one_json_object(written):
    path, *_ = written
    for line in path.read_text("utf-8").split("\n")[:-1]:
        assert isinstance(json.loads(line), dict)


def test_the_footer_of_an_interrupted_run_says_so(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, RESULT, interrupted=True)
    assert not results.complete
    assert results.interrupted


def test_counts_are_those_of_the_results(make_case, record):
    cases = [make_case(f"rfc3986-{3 + n % 3}-{n}", expect={"valid": n % 2 == 0}) for n in range(90)]
    outcomes = [Outcome.FAIL if n % 10 == 0 else Outcome.PASS for n in range(90)]
    answers = [Result(case.vector.id, "a", end) for case, end in zip(cases, outcomes, strict=True)]
    results = record(cases, RAN, *answers)
    assert results.counted["a"] == Counter(
        (case_kind(case), end) for case, end in zip(cases, outcomes, strict=True)
    )
    assert results.asked == Counter(map(case_kind, cases))
    assert results.titles == {("rfc3986", section): "Some section" for section in "345"}


def test_the_answer_is_what_the_verdict_depends_on():
    got = {"status": "reject", "message": "no", "at": 3, "rules": ["URI"]}
    assert Result("x", "lib", Outcome.PASS, got=got).answer == {"status": "reject"}
    of_reference = Result("x", "reference", Outcome.PASS, got=got).answer
    assert of_reference == {"status": "reject", "at": 3, "rules": ["URI"]}


def test_unknown_fields_of_a_later_version_are_ignored(written):
    path, *_ = written
    lines = path.read_bytes().splitlines(keepends=True)[:-1]
    path.write_bytes(b"".join(line.replace(b"{", b'{"later":1,', 1) for line in lines))
    assert len(read_results(path).of("a")) == 2


def test_results_are_copied_to_a_device(written, tmp_path):
    path, *_ = written
    copy_results(path, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()
    with pytest.raises(OSError, match="No space left") as error:
        copy_results(path, type(path)("/dev/full"))
    assert error.value.filename == "/dev/full"


# ---- cut and changed files


def test_a_cut_file_has_what_was_written(written):
    path, *_ = written
    octets = path.read_bytes()
    ends = [number for number, octet in enumerate(octets, 1) if octet == 0x0A]
    for end in sorted({*ends[:-1], *(end + 7 for end in ends[:-1]), len(octets) - 2}):
        path.write_bytes(octets[:end])
        results = read_results(path)
        assert not results.complete
        assert len(results.of("a")) == sum(e <= end for e in ends[5:7])


def test_a_file_without_its_last_line_end_is_complete(written):
    path, *_, whole = written
    path.write_bytes(path.read_bytes()[:-1])
    results = read_results(path)
    assert results.complete
    assert results.cut_line == 0
    assert missing(results) == []
    assert results == whole
    assert junit.render(results) == junit.render(whole)
    assert markdown.render(results) == markdown.render(whole)


@pytest.mark.parametrize(
    ("cut", "complete"),
    [
        pytest.param(lambda octets: octets[:-2], False, id="footer"),
        pytest.param(lambda octets: octets.rpartition(b'{"type":"footer"')[0][:-1], False, id="case"),
        pytest.param(lambda octets: octets + b'{"type":"footer"', True, id="after-the-footer"),
    ],
)
def test_any_other_line_without_an_end_is_cut(written, cut, complete):
    path, *_ = written
    path.write_bytes(cut(path.read_bytes()))
    results = read_results(path)
    assert results.complete is complete
    if not complete:
        number = len(path.read_bytes().splitlines())
        assert missing(results)[0] == f"The file ends in the middle of line {number}."


def edit(octets: bytes, change) -> bytes:
    lines = octets.splitlines(keepends=True)
    change(lines)
    return b"".join(lines)


def put(lines: list[bytes], index: int, line: bytes) -> None:
    lines[index] = line


FOOTER = "the footer does not match the lines above it; the file was changed after the run"
TAMPERED = [
    pytest.param(lambda lines: lines.pop(5), f"line 7: {FOOTER}", id="line-removed"),
    pytest.param(lambda lines: lines.insert(5, lines[5]), f"line 9: {FOOTER}", id="line-twice"),
    pytest.param(lambda lines: lines.insert(2, lines[2]), f"line 9: {FOOTER}", id="vector-twice"),
    pytest.param(lambda lines: put(lines, 5, lines[5].replace(b"fail", b"pass")), FOOTER, id="outcome"),
    pytest.param(lambda lines: put(lines, 6, b'{"mine":1,' + lines[6][1:]), FOOTER, id="extra-field"),
    pytest.param(lambda lines: put(lines, 0, lines[0].replace(b"\n", b"\r\n")), FOOTER, id="crlf"),
    pytest.param(lambda lines: lines.reverse(), "not a results file: it has no header", id="other-order"),
    pytest.param(lambda lines: lines.append(lines[5]), "line 9: a line after", id="after-the-footer"),
    pytest.param(lambda lines: lines.extend(lines[:]), "line 9: a line after the footer", id="two-runs"),
    pytest.param(
        lambda lines: lines.pop(1), "line 5: a result of 'rfc3986-3.3-x', which is not", id="no-vector"
    ),
    pytest.param(lambda lines: lines.insert(2, b"what?\n"), "line 3: JSON is malformed", id="no-json"),
    pytest.param(lambda lines: lines.insert(2, b"\n"), "line 3: ", id="blank-line"),
    pytest.param(lambda lines: lines.insert(2, b'{"type":"\xff"}\n'), "line 3: ", id="not-utf-8"),
    pytest.param(lambda lines: lines.insert(2, b'{"type":"case"}\n'), "line 3: ", id="not-a-case"),
    pytest.param(lambda lines: lines.insert(2, b"[]\n"), "line 3: ", id="list"),
    pytest.param(lambda lines: lines.pop(0), "not a results file: it has no header", id="no-header"),
    pytest.param(lambda lines: lines.clear(), "not a results file: it has no header", id="empty"),
    pytest.param(lambda lines: lines.insert(0, b"\x1f\x8b\x08\n"), "line 1: not a results file: ", id="gzip"),
]


@pytest.mark.parametrize(("change", "words"), TAMPERED)
def test_a_changed_file_is_refused(written, change, words):
    path, *_ = written
    path.write_bytes(edit(path.read_bytes(), change))
    with pytest.raises(ResultsError) as error:
        read_results(path)
    assert str(error.value).startswith(f"{path}: {'' if words == FOOTER else words}")
    assert words in str(error.value)


def test_every_changed_byte_is_found(written):
    path, *_ = written
    octets = path.read_bytes()
    for number in range(0, len(octets) - 1, 11):
        path.write_bytes(octets[:number] + bytes([octets[number] ^ 1]) + octets[number + 1 :])
        with pytest.raises(ResultsError):
            read_results(path)


@pytest.mark.parametrize("name", ["nothing.jsonl", "."], ids=["no-file", "folder"])
def test_a_folder_or_missing_file_is_refused(tmp_path, name):
    with pytest.raises(ResultsError, match=r"no such file|is a directory"):
        read_results(tmp_path / name)


# ---- writing


def test_lines_are_written_soon(monkeypatch):
    """A line that comes later than the interval after the last flush is written at once."""
    stream = io.BytesIO()
    writer = ResultsWriter(stream, HEADER)
    assert stream.getvalue().count(b"\n") == 1
    writer.write(RESULT)
    monkeypatch.setattr(model.time, "monotonic", lambda: writer._flush_at)
    writer.write(RESULT)
    assert stream.getvalue().count(b"\n") == 3
    writer.close()


def test_few_lines_wait_in_memory(monkeypatch):
    stream = io.BytesIO()
    monkeypatch.setattr(model, "_FLUSH_INTERVAL", 60.0)
    writer = ResultsWriter(stream, HEADER)
    for _ in range(10_000):
        writer.write(RESULT)
        assert len(writer._written.waiting) < 512
    writer.close()


class Full(io.BytesIO):
    """A file on a disk that is full for one write, and has room again afterwards."""

    name = "r.jsonl"
    left = 2

    def write(self, octets) -> int:
        self.left -= 1
        if self.left == 0:
            super().write(bytes(octets)[:100])
            raise OSError(28, "No space left on device")
        return super().write(octets)

    def close(self) -> None:
        self.kept = self.getvalue()
        super().close()


def test_a_failed_write_leaves_no_gap(monkeypatch, make_case, tmp_path):
    """Lines that were not written are written by the next flush, at the right place."""
    monkeypatch.setattr(model, "_BATCH", 1)
    stream = Full()
    writer = ResultsWriter(stream, HEADER)
    with pytest.raises(OSError, match="No space left") as error:
        writer.write(RAN)
    assert error.value.filename == "r.jsonl"
    writer.close()
    assert stream.closed
    (tmp_path / "r.jsonl").write_bytes(stream.kept)
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
def ending(request):
    """A signal that ends a run as Ctrl-C does."""
    number = getattr(signal, request.param)
    before = signal.signal(number, signal.default_int_handler)
    yield number
    signal.signal(number, before)


def unreadable(vector: bytes, path, number: int) -> int:
    """Count the steps of the writer at which a signal leaves a file that cannot be read."""
    refused, step = 0, 1
    while interrupted_at(step, vector, path, number):
        step += 1
        try:
            assert read_results(path).interrupted
        except ResultsError:
            refused += 1
    assert step > 20
    return refused


@pytest.fixture
def vector(written):
    return written[0].read_bytes().splitlines(keepends=True)[1]


def test_an_interrupt_at_any_step_leaves_a_readable_file(vector, tmp_path, monkeypatch, ending):
    monkeypatch.setattr(model, "_BATCH", 1)
    assert unreadable(vector, tmp_path / "i.jsonl", ending) == 0


def test_a_writer_that_changes_its_state_in_two_steps_is_seen(vector, tmp_path, monkeypatch):
    """The test above can fail: here the hash changes before the rest of the state."""
    monkeypatch.setattr(model, "_BATCH", 1)
    real_sha256 = model.hashlib.sha256
    real_state = model._Written

    class Shared:
        def __init__(self) -> None:
            self._sha256 = real_sha256()

        def copy(self):
            return self

        def update(self, octets: bytes) -> None:
            self._sha256.update(octets)

        def hexdigest(self) -> str:
            return self._sha256.hexdigest()

    def written_state(size, sha256, counts, waiting):
        return real_state(
            size, Shared() if size == 0 and not isinstance(sha256, Shared) else sha256, counts, waiting
        )

    monkeypatch.setattr(model, "_Written", written_state)
    assert unreadable(vector, tmp_path / "i.jsonl", signal.SIGINT) > 0


# ---- the lock

ONE = {"spec": "rfc1808", "words": "rfc1808-5.1-opaque"}
RIGHT = {"status": "ok", "url": "g:h"}


def test_a_second_run_is_refused_while_the_first_writes(tmp_path):
    """It leaves the file alone; after the first run the file is free."""
    path = tmp_path / "r.jsonl"
    seen = []

    def answer(_: dict) -> dict:
        with pytest.raises(ResultsError, match=re.escape(f"{path}: another run is writing it")):
            run(lambda _: RIGHT, **ONE, results=path)
        seen.append(path.read_bytes())
        return RIGHT

    report = run(answer, **ONE, results=path)
    assert seen[0]
    assert report.outcomes[ONE["words"]].outcome is Outcome.PASS
    assert read_results(path) == report.results
    assert run(lambda _: RIGHT, **ONE, results=str(path)).results.complete


def test_the_command_is_refused_as_well(urlconform, tmp_path):
    with (tmp_path / "r.jsonl").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write(b"mine")
        stream.flush()
        done = urlconform("run", "urllib", "-k", ONE["words"], "--report", "json=r.jsonl")
        assert done.stderr == "urlconform: r.jsonl: another run is writing it\n"
        assert done.returncode == 6
        assert (tmp_path / "r.jsonl").read_bytes() == b"mine"
    urlconform("run", "urllib", "-k", ONE["words"], "--report", "json=r.jsonl")
    assert read_results(tmp_path / "r.jsonl").complete


def test_a_run_that_does_not_start_frees_its_file(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(Exception, match=re.escape("no hello")):
        run("jsonl:true", **ONE, results=path)
    assert run(lambda _: RIGHT, **ONE, results=path).results.complete


@pytest.mark.parametrize("opener", [gzip.open, lzma.open], ids=["gz", "xz"])
def test_a_compressed_file_is_read(make_case, record, opener, tmp_path):
    path = tmp_path / "results.jsonl"
    results = record([make_case("rfc3986-3.3-x")], RAN, RESULT, path=path)
    packed = tmp_path / f"results.jsonl.{'gz' if opener is gzip.open else 'xz'}"
    with opener(packed, "wb") as stream:
        stream.write(path.read_bytes())
    assert model.read_results(packed) == results
