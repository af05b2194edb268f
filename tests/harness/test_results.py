"""A results file survives the way to disk and back, and says so where it did not."""

from __future__ import annotations

import gc
import io
import json
import threading
import time
from collections import Counter

import msgspec
import pytest

from urlharness.corpus.model import CaseKind, case_kind
from urlharness.protocol.messages import Implementation
from urlharness.results import model
from urlharness.results.model import Header, Participant, Result, ResultsError, ResultsWriter, read_results

pytestmark = pytest.mark.once

RAN = Participant("a", "ran", Implementation("lib", "1"), ("validate",), ("rfc3986",), ("absent-vs-empty",))
MISSING = Participant("b", "not installed", message="no runtime")
RESULT = Result("rfc3986-3.3-x", "a", "fail", detail="got \u00e9\u2028\x00", got={"status": "ok"}, stderr="e")


@pytest.fixture
def written(make_case, record, tmp_path):
    """A results file of two cases, and what was written into it."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.3-z", url={"hex": "ff00"})]
    second = Result("rfc3986-3.3-z", "a", "variant", "other")
    results = record(cases, RAN, MISSING, RESULT, second, path=tmp_path / "r.jsonl")
    return tmp_path / "r.jsonl", cases, second, results


def test_round_trip(written):
    _, cases, second, results = written
    assert [asked.case for asked in results.vectors.values()] == cases
    assert results.participants == (RAN, MISSING)
    assert results.of("a") == {RESULT.id: RESULT, second.id: second}
    assert results.of("b") == {}
    assert (results.complete, results.interrupted) == (True, False)
    assert results.header.schema == "urlresults-1"
    assert results.vectors["rfc3986-3.3-x"].requirement.statement == "It is so."


def test_the_footer_counts(written):
    path, *_ = written
    *_, footer = path.read_bytes().splitlines()
    assert json.loads(footer)["counts"] == {"a": {"fail": 1, "variant": 1}}


def test_every_line_is_one_json_object(written):
    path, *_ = written
    for line in path.read_text("utf-8").split("\n")[:-1]:
        assert isinstance(json.loads(line), dict)


def test_a_cut_file_holds_what_was_settled(written):
    """At whatever octet behind the header it was cut, it can be read and says that it was cut."""
    path, *_ = written
    octets = path.read_bytes()
    ends = [number for number, octet in enumerate(octets, 1) if octet == 0x0A]
    for end in sorted({*ends[:-1], *(end + 7 for end in ends[:-1]), len(octets) - 2}):
        path.write_bytes(octets[:end])
        results = read_results(path)
        assert not results.complete
        assert len(results.of("a")) == sum(e <= end for e in ends[5:7])


def test_an_interrupted_run_says_so(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, RESULT, interrupted=True)
    assert (results.complete, results.interrupted) == (False, True)


def refused(path) -> bool:
    try:
        read_results(path)
    except ResultsError:
        return True
    return False


def test_every_changed_octet_is_found(written):
    path, *_ = written
    octets = path.read_bytes()
    for number in range(0, len(octets) - 1, 11):
        path.write_bytes(octets[:number] + bytes([octets[number] ^ 1]) + octets[number + 1 :])
        assert refused(path), f"octet {number}"


def edit(octets: bytes, change) -> bytes:
    lines = octets.splitlines(keepends=True)
    change(lines)
    return b"".join(lines)


TAMPERED = [
    pytest.param(lambda lines: lines.pop(5), "it does not fit", id="line-taken-away"),
    pytest.param(lambda lines: lines.insert(5, lines[5]), "it does not fit", id="line-twice"),
    pytest.param(lambda lines: lines.reverse(), "line 1: it does not fit", id="other-order"),
    pytest.param(lambda lines: lines.append(lines[5]), "behind the footer", id="line-behind-the-footer"),
    pytest.param(lambda lines: lines.extend(lines[:]), "behind the footer", id="two-runs-in-one-file"),
    pytest.param(lambda lines: lines.pop(1), "does not fit|no vector", id="vector-taken-away"),
    pytest.param(lambda lines: lines.insert(2, b"what?\n"), "line 3: JSON is malformed", id="no-json"),
    pytest.param(lambda lines: lines.insert(2, b'{"type":"\xff"}\n'), "line 3: ", id="not-utf-8"),
    pytest.param(lambda lines: lines.insert(2, b'{"type":"case"}\n'), "line 3: ", id="not-a-case"),
    pytest.param(lambda lines: lines.insert(2, b"[]\n"), "line 3: ", id="list"),
    pytest.param(lambda lines: lines.pop(0), "not a results file: it has no header", id="no-header"),
    pytest.param(lambda lines: lines.clear(), "not a results file: it has no header", id="empty"),
]


@pytest.mark.parametrize(("change", "words"), TAMPERED)
def test_a_tampered_file_is_refused(written, change, words):
    path, *_ = written
    path.write_bytes(edit(path.read_bytes(), change))
    with pytest.raises(ResultsError) as error:
        read_results(path)
    assert str(error.value).startswith(f"{path}: ")
    assert any(word in str(error.value) for word in words.split("|"))


def test_a_result_without_its_vector_is_refused(make_case, record):
    with pytest.raises(ResultsError, match=r"'rfc3986-3\.3-x', but no vector of that id"):
        record([make_case("rfc3986-3.3-z")], RAN, RESULT)


@pytest.mark.parametrize("name", ["nothing.jsonl", "."], ids=["no-file", "folder"])
def test_what_is_no_file_is_refused(tmp_path, name):
    with pytest.raises(ResultsError, match=r"No such file|Is a directory"):
        read_results(tmp_path / name)


def test_unknown_fields_of_a_later_version_are_ignored(written):
    path, *_ = written
    lines = path.read_bytes().splitlines(keepends=True)[:-1]
    path.write_bytes(b"".join(line.replace(b"{", b'{"later":1,', 1) for line in lines))
    assert len(read_results(path).of("a")) == 2


HEADER = Header("urlresults-1", "1", "0", (), "2026-01-01T00:00:00+00:00", "here", "3")


def test_no_line_waits_for_long():
    """Whatever the run waits for: a reader of a growing file soon sees every settled case."""
    stream = io.BytesIO()
    writer = ResultsWriter(stream, HEADER)
    writer.write(RESULT)
    deadline = time.monotonic() + 20
    while stream.getvalue().count(b"\n") < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    first, second = stream.getvalue().splitlines()
    assert msgspec.json.decode(first)["type"] == "header"
    assert msgspec.json.decode(second)["outcome"] == "fail"
    writer.close()


def test_a_forgotten_writer_leaves_no_thread():
    before = threading.active_count()
    ResultsWriter(io.BytesIO(), HEADER)
    deadline = time.monotonic() + 20
    while threading.active_count() > before:
        gc.collect()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(params=[model.HELD, 0], ids=["held", "on-disk"])
def long_one(request, make_case, record, tmp_path):
    """A file of 9,000 vectors of three sections and their results, read with all in memory or none."""
    cases = [
        make_case(f"rfc3986-{3 + n % 3}-{n}", expect={"valid": n % 2 == 0}, comment="é" * (n % 70))
        for n in range(9000)
    ]
    found = [Result(case.vector.id, "a", "fail" if n % 10 == 0 else "pass") for n, case in enumerate(cases)]
    other = [Result(case.vector.id, "b", "pass") for case in reversed(cases[:100])]
    record(cases, RAN, *found, Participant("b", "ran"), *other, path=tmp_path / "long.jsonl")
    return read_results(tmp_path / "long.jsonl", held=request.param), cases, found, other


def test_a_long_file_reads_the_same(long_one, tmp_path):
    """Whether lines are held or read again when they are asked for, in any order, the file gone or not."""
    read, cases, found, other = long_one
    (tmp_path / "long.jsonl").unlink()
    assert [asked.case for asked in read.vectors.values()] == cases
    assert list(read.vectors) == [case.vector.id for case in cases]
    assert list(read.of("a").values()) == found
    assert dict(read.of("a").items()) == {one.id: one for one in found}
    assert list(read.of("b").values()) == other
    assert (len(read.vectors), len(read.of("b")), read.of("c")) == (9000, 100, {})
    for number in (8999, 0, 4500, 4501, 17, 8998):
        identifier = cases[number].vector.id
        assert read.vectors[identifier].case == cases[number]
        assert read.of("a")[identifier] == found[number]
        assert (identifier in read.of("b")) == (number < 100)
    assert read.of("b").get("no such id") is None
    assert "no such id" not in read.vectors


def test_counts_are_those_of_the_results(long_one):
    """What is counted while a file is read is what counting its results one by one gives."""
    read, cases, found, _ = long_one
    counted: Counter[tuple[CaseKind, str]] = Counter()
    for case, result in zip(cases, found, strict=True):
        counted[case_kind(case), result.outcome] += 1
    assert read.counted["a"] == counted
    assert sum(read.counted["b"].values()) == 100
    assert read.asked == Counter(map(case_kind, cases))
    assert read.titles == {("rfc3986", section): "Some section" for section in "345"}
