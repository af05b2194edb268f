"""An adapter that dies of what it never claimed is judged by what it claims, and is shown to die of it."""

from __future__ import annotations

import re

import pytest

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


def test_what_it_claims_is_asked_first(judged):
    """So that it is not given up before, for ends that nobody judges."""
    done = judged(["rfc3986"], "--section", "5.4", "--section", "5.1", "--section", "4")
    assert "aborted" not in done.stderr
    assert re.search(r"gate failed on required vectors of rfc3986: \d+ fail\n", done.stderr)


def test_the_case_that_is_shown_is_one_that_ended_it(judged, urlconform):
    """Of a case that nobody asked there is nothing to see."""
    done = judged([], "--spec", "rfc1808", "--spec", "rfc2396")
    assert done.returncode == 3
    assert "it had to be started again more than 300 times; the last time: exit code 1" in done.stderr
    (shown,) = re.findall(r"see one: urlconform repro (\S+)", done.stderr)
    again = urlconform("repro", shown, "-a", "jsonl:python3 mine.py")
    assert "KeyError" in again.stdout
