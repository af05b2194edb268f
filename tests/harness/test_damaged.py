"""A results file that was changed after its run: what is said of it, and what is no change."""

from __future__ import annotations

import gzip
import json

import pytest

from urlharness.protocol.messages import Implementation
from urlharness.report import junit, markdown
from urlharness.results.coverage import missing
from urlharness.results.model import AGAIN, Participant, Result, ResultsError, read_results

pytestmark = pytest.mark.once


@pytest.fixture
def file(make_case, record, tmp_path):
    """Four vectors, of which one fails; the footer is line 11."""
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(4)]
    outcomes = ("fail", "pass", "pass", "variant")
    found = [Result(case.vector.id, "a", end) for case, end in zip(cases, outcomes, strict=True)]
    record(cases, Participant("a", "ran", Implementation("lib", "1")), *found, path=tmp_path / "r.jsonl")
    return tmp_path / "r.jsonl"


def lines_of(change):
    def changed(octets: bytes) -> bytes:
        lines = octets.splitlines(keepends=True)
        change(lines)
        return b"".join(lines)

    return changed


def put(number: int, octets: bytes):
    return lines_of(lambda lines: lines.insert(number, octets))


#: How it was changed, and what is said of it; `line 11` is the footer.
CHANGED = {
    "outcome": (
        lambda octets: octets.replace(b'"outcome":"fail"', b'"outcome":"pass"'),
        (
            "line 11: it does not fit the lines above: it counts 1 fail of a where there are 0, "
            f"2 pass of a where there are 3; {AGAIN}"
        ),
    ),
    "line-dropped": (
        lines_of(lambda lines: lines.pop(-2)),
        "line 10: it does not fit the lines above: it counts 1 variant of a where there are 0; " + AGAIN,
    ),
    "line-doubled": (
        lines_of(lambda lines: lines.insert(8, lines[8])),
        "line 12: it does not fit the lines above: it counts 2 pass of a where there are 3; " + AGAIN,
    ),
    "extra-field": (
        lambda octets: octets.replace(b'"outcome":"fail"', b'"outcome":"fail","mine":1'),
        "line 11: it does not fit the lines above: its counts are theirs, its digest is not; " + AGAIN,
    ),
    "vector-doubled": (
        lines_of(lambda lines: lines.insert(2, lines[2])),
        "line 12: it does not fit the lines above: its counts are theirs, its digest is not; " + AGAIN,
    ),
    "many-counts": (
        lines_of(lambda lines: lines.__delitem__(slice(6, 10))),
        (
            "line 7: it does not fit the lines above: it counts 1 fail of a where there are 0, "
            f"2 pass of a where there are 0 and 1 more; {AGAIN}"
        ),
    ),
    "crlf": (
        lambda octets: octets.replace(b"\n", b"\r\n"),
        f"line 11: its lines end in CRLF, where a run writes LF; {AGAIN}",
    ),
    "blank-line": (put(5, b"\n"), f"line 6: it is empty; {AGAIN}"),
    "blanks": (put(5, b" \t\n"), f"line 6: it is empty; {AGAIN}"),
    "no-json": (put(5, b"what?\n"), f"line 6: JSON is malformed: invalid character (byte 0); {AGAIN}"),
    "vector-dropped": (
        lines_of(lambda lines: lines.pop(1)),
        f"line 6: a result of 'rfc3986-3.3-0', but no vector of that id; {AGAIN}",
    ),
    "behind-the-footer": (lambda octets: octets * 2, f"line 12: it stands behind the footer; {AGAIN}"),
    "gzip": (
        lambda octets: gzip.compress(octets * 50, mtime=0),
        "it is compressed with gzip; unpack it first",
    ),
    "gzip-of-lines": (
        lambda octets: b"\x1f\x8b\x08\n" + octets,
        "line 1: it is compressed with gzip; unpack it first",
    ),
    "zip": (lambda _: b"PK\x03\x04 and so on", "it is a zip archive; unpack it first"),
    "utf-16": (
        lambda octets: octets.decode().encode("utf-16"),
        "line 1: it is UTF-16, as a shell may write it; take the original, which is ASCII",
    ),
    "mark": (
        lambda octets: b"\xef\xbb\xbf" + octets,
        "line 1: it begins with a byte order mark; take the original, which is ASCII",
    ),
    "footer-without-its-end": (
        lambda octets: octets.replace(b'"outcome":"fail"', b'"outcome":"pass"')[:-1],
        (
            "line 11: it does not fit the lines above: it counts 1 fail of a where there are 0, "
            f"2 pass of a where there are 3; {AGAIN}"
        ),
    ),
}


@pytest.mark.parametrize("held", [0, 1 << 25], ids=["on-disk", "held"])
@pytest.mark.parametrize("name", CHANGED)
def test_what_was_changed_is_said(file, name, held):
    change, said = CHANGED[name]
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(ResultsError) as error:
        read_results(file, held=held)
    message = str(error.value).removeprefix(f"{file}: ")
    assert message == said or (name == "gzip" and message.removeprefix("line 1: ") == said)


@pytest.mark.parametrize("held", [0, 1 << 25], ids=["on-disk", "held"])
def test_a_file_that_lost_its_last_newline_is_whole(file, held):
    octets = file.read_bytes()
    whole = read_results(file, held=held)
    file.write_bytes(octets[:-1])
    found = read_results(file, held=held)
    assert (found.complete, found.torn, missing(found)) == (True, 0, [])
    assert dict(found.of("a")) == dict(whole.of("a"))
    assert junit.render(found) == junit.render(whole)
    assert markdown.render(found) == markdown.render(whole)


#: What ends without a newline and is no footer.
TORN = {
    "footer-in-its-middle": lambda octets: octets[:-2],
    "case": lambda octets: b"".join(octets.splitlines(keepends=True)[:-1])[:-1],
    "behind-the-footer": lambda octets: octets + b'{"type":"footer"',
}


@pytest.mark.parametrize("name", TORN)
def test_any_other_line_without_an_end_is_torn(file, name):
    file.write_bytes(TORN[name](file.read_bytes()))
    found = read_results(file)
    assert found.complete is (name == "behind-the-footer")
    if not found.complete:
        number = len(file.read_bytes().splitlines())
        assert missing(found)[0] == f"The file ends in the middle of line {number}."


def test_of_a_cut_file_nobody_knows_who_was_still_to_be_asked(file):
    """All were asked, or not: the file does not say how many there were."""
    lines = file.read_bytes().splitlines(keepends=True)
    assert "footer" in json.loads(lines[-1])["type"]
    file.write_bytes(b"".join(lines[:-1]))
    assert missing(read_results(file)) == [
        "The file has no footer: the run was killed, or is still going on.",
        "Adapters that were still to be asked may be missing.",
    ]
