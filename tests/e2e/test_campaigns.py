"""Campaigns that are ended from outside: the next run loses no finding, and reports none twice."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from urlharness.exitcodes import Exit

from .stopping import wait_until

#: An adapter, and the same one with three bugs, which waits a moment before each answer.
LIBRARY = """
import time
from urlharness.adapters.urllib_parse import answer as original, hello

def patched(question):
    time.sleep(0.0002)
    url = question["url"].replace("\\\\\\\\", "/").replace("^", "a")
    reply = original({**question, "url": url})
    parts = reply.get("components")
    if parts and parts.get("host"):
        parts["host"] = parts["host"].replace("_", "-")
    return reply

original.hello = patched.hello = hello()
"""
#: How many bugs the patched adapter has.
BUGS = 3
LINE = (
    *("fuzz", "run", "python:library:original", "python:library:patched", "--no-oracle"),
    *("--cases", "2500", "--seed", "3"),
)


@pytest.fixture
def campaign(program, environment, tmp_path):
    """Return a function that starts a campaign in a folder and returns its process."""
    (tmp_path / "library.py").write_text(LIBRARY, encoding="utf-8")
    started = []

    def begin(folder, *options):
        child = subprocess.Popen(
            [program, *LINE, "-o", folder, *options],
            env=environment,
            cwd=tmp_path,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(child)
        return child

    yield begin
    for child in started:
        child.kill()
        child.communicate()


def findings_in(folder):
    """Return the id and the URL of each finding in the folder of a campaign."""
    findings = [json.loads(path.read_bytes()) for path in folder.glob("[!.]*/finding.json")]
    return sorted((finding["id"], finding["input"]["url"]) for finding in findings)


def listed_count(folder):
    """Return how many findings the list of a campaign has."""
    return len((folder / "findings.jsonl").read_text("ascii").splitlines())


@pytest.mark.long  # tests/harness/fuzz/test_campaign.py ends campaigns of this process
@pytest.mark.parametrize(
    ("sent_signal", "jobs", "code"),
    [
        pytest.param(signal.SIGKILL, "2", -signal.SIGKILL, id="killed"),
        pytest.param(signal.SIGINT, "1", Exit.INTERRUPTED, id="interrupted"),
    ],
)
def test_a_campaign_that_is_ended_twice_has_the_findings_of_an_uninterrupted_one(
    campaign, tmp_path, sent_signal, jobs, code
):
    """It is ended when the first finding is written, and once more when the first round is in the journal."""
    uninterrupted = tmp_path / "uninterrupted"
    cut = tmp_path / "cut"
    assert campaign("uninterrupted").wait(600) == Exit.FAILED
    journal = cut / "journal.jsonl"

    def has_finding():
        return any(cut.glob("[!.]*/finding.json"))

    def has_round():
        return journal.read_bytes().count(b"\n") == 2  # the header and the first round

    for moment in (has_finding, has_round):
        child = campaign("cut", "--jobs", jobs)
        wait_until(moment)
        child.send_signal(sent_signal)
        _, stderr = child.communicate(timeout=600)
        assert child.returncode == code
        assert "Traceback" not in stderr
    assert campaign("cut", "--jobs", jobs).wait(600) == Exit.FAILED
    findings = findings_in(cut)
    assert len(findings) >= BUGS
    assert findings == findings_in(uninterrupted)
    assert listed_count(uninterrupted) == len(findings)
    assert listed_count(cut) == len(findings)
    assert journal.read_bytes() == (uninterrupted / "journal.jsonl").read_bytes()
