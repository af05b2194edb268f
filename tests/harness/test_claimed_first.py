"""An adapter that dies of what it never claimed is judged by what it claims, and is shown to die of it."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit
from urlharness.gate.gate import judgements
from urlharness.results.model import Participant, Result, read_results

pytestmark = pytest.mark.once

#: Right in one RFC, and ended by every question of others.
ADAPTER = """
import json, os, sys
BASES = {"rfc3986": 1}
print(json.dumps({"type": "hello", "protocol": 1, "ops": ["resolve"], "specs": CLAIMED, "window": 16,
                  "implementation": {"name": "mine", "version": "1", "language": "python"}}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "bye":
        break
    if question["type"] == "hello":
        continue
    BASES[question["spec"]]
    print(json.dumps({"id": question["id"], "status": "ok", "url": "http://a/b/c/g"}), flush=True)
"""


@pytest.fixture
def judged(urlconform, tmp_path):
    """The run of such an adapter, which claims these RFCs, by the named ones."""

    def run(claimed, *options):
        (tmp_path / "mine.py").write_text(ADAPTER.replace("CLAIMED", repr(claimed)), "utf-8")
        return urlconform("run", "jsonl:python3 mine.py", *options)

    return run


def test_what_it_claims_is_asked_first(judged, tmp_path):
    """So that it is not given up before, for ends that nobody judges."""
    judged(["rfc3986"], "--section", "5.4.2", "--section", "5.2", "-k", "excess", "--report", "json=r")
    asked = [name.partition("-")[0] for name in read_results(tmp_path / "r").of("jsonl:python3 mine.py")]
    assert len(set(asked)) > 1
    assert asked == sorted(asked, key=lambda spec: spec != "rfc3986")


def test_the_case_that_is_shown_is_one_that_ended_it(make_case, record):
    """Of a case that nobody asked there is nothing to see."""
    why = "it had to be started again more than 2 times; the last time: exit code 1"
    ends = ("crash", "timeout", "fail", "aborted", "aborted")
    outcomes = {f"rfc3986-3-{number}": end for number, end in enumerate(ends)}
    cases = [make_case(name) for name in outcomes]
    results = [Result(name, "lib", outcome, detail=why) for name, outcome in outcomes.items()]
    (found,) = judgements(record(cases, Participant("lib", "ran"), *results), ["lib"])
    assert (found.code, found.shown) == (Exit.ADAPTER_DEAD, "rfc3986-3-1")
    assert found.reason.endswith(f"2 aborted, 1 crash, 1 fail, 1 timeout: {why}")
