"""A results file where a baseline is wanted, and a baseline where results are: each is called what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlharness.gate.baseline import Baseline, Entry, canonical
from urlharness.results.model import baseline_instead

pytestmark = pytest.mark.once

ENTRY = Entry("rfc3986-3.3-0", "fail", {"status": "ok"}, "0" * 12)
LIST = canonical(Baseline("urlbaseline-1", "0" * 12, "lib", ("rfc3986",), (ENTRY,)))
AS_RESULTS = "it is a baseline, not the results of a run: name what --report json=FILE has written"
AS_LIST = "it is the results of a run, not a baseline: urlconform baseline create {} -o FILE makes a baseline"


@pytest.fixture
def files(make_case, record, tmp_path, monkeypatch):
    """A results file, its header alone, a baseline in several forms, and its name with a space."""
    monkeypatch.chdir(tmp_path)
    record([make_case("rfc3986-3.3-0")], path=tmp_path / "r.jsonl")
    octets = (tmp_path / "r.jsonl").read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(octets.partition(b"\n")[0])
    (tmp_path / "of a run").write_bytes(octets)
    (tmp_path / "b.json").write_text(LIST, "ascii")
    (tmp_path / "line.json").write_text(json.dumps(json.loads(LIST)), "ascii")
    (tmp_path / "last.json").write_text(json.dumps(dict(reversed(json.loads(LIST).items()))) + "\n", "ascii")
    (tmp_path / "other.json").write_text('{\n "schema": "urlvectors-1"\n}\n', "ascii")
    return tmp_path


#: A command, and what is said of its file.
COMMANDS = [
    pytest.param("baseline check r.jsonl", f"r.jsonl: {AS_LIST.format('r.jsonl')}", id="check"),
    pytest.param("baseline check b.json r.jsonl", f"r.jsonl: {AS_LIST.format('r.jsonl')}", id="check-two"),
    pytest.param("baseline check cut.jsonl", f"cut.jsonl: {AS_LIST.format('cut.jsonl')}", id="header-alone"),
    pytest.param("baseline check of+a+run", f"of a run: {AS_LIST.format(repr('of a run'))}", id="quoted"),
    pytest.param("baseline update r.jsonl urllib", f"r.jsonl: {AS_LIST.format('r.jsonl')}", id="update"),
    pytest.param("run urllib --baseline r.jsonl", f"r.jsonl: {AS_LIST.format('r.jsonl')}", id="run"),
    pytest.param("report b.json", f"b.json: line 1: {AS_RESULTS}", id="report"),
    pytest.param("report line.json", f"line.json: {AS_RESULTS}", id="report-of-a-line"),
    pytest.param("report last.json", f"last.json: line 1: {AS_RESULTS}", id="report-of-another-order"),
    pytest.param("baseline create b.json -o c.json", f"b.json: line 1: {AS_RESULTS}", id="create"),
    pytest.param("report other.json", "other.json: line 1: ", id="another-file"),
    pytest.param("baseline check other.json", "other.json: ", id="another-list"),
]


@pytest.mark.parametrize(("command", "said"), COMMANDS)
def test_it_is_called_what_it_is(files, urlconform, command, said):
    done = urlconform(*(word.replace("+", " ") for word in command.split()))
    assert (done.returncode, done.stderr.count("\n")) == (6, 1), done.stderr
    assert done.stderr.startswith(f"urlconform: {said}")
    assert ("it is" in done.stderr) == ("other" not in command)


def test_what_cannot_be_read_again_is_left_alone(tmp_path):
    assert baseline_instead(Path("/dev/null")) == ""
    assert baseline_instead(tmp_path) == ""
    assert baseline_instead(tmp_path / "gone") == ""
