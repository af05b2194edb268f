"""When a run started: results have a moment of the calendar, and reports say which hour is meant."""

from __future__ import annotations

import calendar
import json
import re

import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.model import corpus_dir
from urlharness.jsonio import TIMESTAMP_PATTERN as PATTERN, in_utc, now
from urlharness.results.model import Header, ResultsError, read_results

pytestmark = pytest.mark.once

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
MOMENTS = [
    pytest.param("2026-11-22T15:35:46+00:00", "2026-11-22T15:35:46", id="utc"),
    pytest.param("2026-01-01T01:30:00+02:00", "2025-12-31T23:30:00", id="east"),
    pytest.param("2024-02-28T23:00:00-01:30", "2024-02-29T00:30:00", id="west"),
]
OTHERS = [
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


def read(tmp_path, started: str) -> Header:
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps({**HEADER, "started": started}) + "\n", "ascii")
    return read_results(path).header


def published() -> Draft202012Validator:
    schema = json.loads((corpus_dir() / "schemas" / "results.schema.json").read_bytes())
    return Draft202012Validator(schema["$defs"]["header"]["properties"]["started"])


@pytest.mark.parametrize(("started", "utc"), MOMENTS)
def test_a_moment_is_read(tmp_path, started, utc):
    assert read(tmp_path, started).started == started
    assert published().is_valid(started)
    assert in_utc(started) == utc


@pytest.mark.parametrize("started", OTHERS)
def test_anything_else_is_refused(tmp_path, started):
    with pytest.raises(ResultsError) as raised:
        read(tmp_path, started)
    said = "Expected a moment with its offset from UTC, as 2026-11-22T15:35:46+00:00 - at `$.started`"
    assert f"results.jsonl: line 1: {said}" in str(raised.value)
    assert not published().is_valid(started)


def test_the_published_schema_has_the_pattern_of_the_types():
    assert published().schema["pattern"] == PATTERN


def test_a_run_writes_one(tmp_path):
    assert read(tmp_path, now()).started.endswith("+00:00")


def test_days_are_those_of_the_calendar():
    """Every day of every month that anybody could write, through years of each kind."""
    pattern = re.compile(PATTERN)
    for year in (1900, 1999, 2000, *range(2020, 2041), 2096, 2100, 2200, 2399, 2400):
        for month in range(14):
            for day in range(33):
                real = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
                text = f"{year}-{month:02}-{day:02}T00:00:00+00:00"
                assert bool(pattern.search(text)) == real, text


def test_what_is_no_moment_stays_as_it_is():
    assert in_utc("\x01") == "\x01"
