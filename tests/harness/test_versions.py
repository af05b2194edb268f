"""Files of another version are told as such, with the version that this program reads."""

from __future__ import annotations

import json

import pytest

from urlharness.corpus.loader import load
from urlharness.corpus.model import CorpusError
from urlharness.gate.baseline import BaselineError, parse_baseline
from urlharness.results.model import ResultsError, read_results

pytestmark = pytest.mark.once

HEADER = {
    "type": "header",
    "urlconform": "9",
    "corpus": "0" * 12,
    "argv": [],
    "started": "2024-01-01T00:00:00+00:00",
    "platform": "",
    "python": "",
}


def results(schema, folder):
    file = folder / "r.jsonl"
    file.write_text(f"{json.dumps({**HEADER, 'schema': schema, 'later': 1})}\n", "ascii")
    read_results(file)


def baseline(schema, _folder):
    content = {"schema": schema, "corpus": "0" * 12, "implementation": "x", "spec": [], "entries": []}
    parse_baseline(json.dumps(content).encode(), "b.json")


def vectors(schema, folder):
    (folder / "rfc3986").mkdir()
    (folder / "rfc3986" / "3.json").write_text(json.dumps({"schema": schema}), "ascii")
    load(folder)


READERS = {
    "urlresults": (results, ResultsError, "r.jsonl: line 1: "),
    "urlbaseline": (baseline, BaselineError, "b.json: "),
    "urlvectors": (vectors, CorpusError, "rfc3986/3.json: "),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("version", ["2", "11"])
def test_another_version_is_told_as_such(tmp_path, name, version):
    read, error, place = READERS[name]
    with pytest.raises(error) as raised:
        read(f"{name}-{version}", tmp_path)
    said = f"it is of another version, {name}-{version}; this program reads {name}-1"
    assert str(raised.value).endswith(f"{place}{said}")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("schema", ["other-2", "", "1", 1, None, "{}-", "{}-two", "{}", "{}-²"])
def test_what_is_no_version_is_what_the_decoder_says(tmp_path, name, schema):
    read, error, place = READERS[name]
    with pytest.raises(error) as raised:
        read(schema.format(name) if isinstance(schema, str) else schema, tmp_path)
    assert place in str(raised.value)
    assert "another version" not in str(raised.value)
    assert "schema" in str(raised.value)


def test_the_report_of_another_version_ends_as_an_invalid_file(urlconform, tmp_path):
    with pytest.raises(ResultsError):
        results("urlresults-2", tmp_path)
    done = urlconform("report", "r.jsonl")
    assert (done.returncode, done.stdout) == (6, "")
    assert "this program reads urlresults-1" in done.stderr
