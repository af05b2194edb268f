"""Campaigns that are ended from outside: the next run loses nothing, and finds nothing twice."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from urlharness.exitcodes import Exit

from .stopping import wait_until

#: An adapter, and the same one with three bugs, which takes its time.
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
    """Starts a campaign in a folder."""
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


def contents(folder):
    """The findings in the folder as (id, input), and the number of the lines of the list."""
    lines = (folder / "findings.jsonl").read_text("ascii").splitlines()
    findings = [json.loads(path.read_bytes()) for path in folder.glob("[!.]*/finding.json")]
    return sorted((finding["id"], finding["input"]["url"]) for finding in findings), len(lines)


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
    """It is ended when a finding is written, in the first round, and when the round is finished."""
    uninterrupted = tmp_path / "uninterrupted"
    cut = tmp_path / "cut"
    assert campaign("uninterrupted").wait(600) == Exit.FAILED
    journal = cut / "journal.jsonl"
    moments = (
        lambda: any(cut.glob("[!.]*/finding.json")),
        lambda: journal.read_bytes().count(b"\n") == 2,
    )
    for moment in moments:
        child = campaign("cut", "--jobs", jobs)
        wait_until(moment)
        child.send_signal(sent_signal)
        _, stderr = child.communicate(timeout=600)
        assert child.returncode == code
        assert "Traceback" not in stderr
    assert campaign("cut", "--jobs", jobs).wait(600) == Exit.FAILED
    findings, lines = contents(cut)
    assert len(findings) >= BUGS
    assert lines == len(findings)
    assert (findings, lines) == contents(uninterrupted)
    assert journal.read_bytes() == (uninterrupted / "journal.jsonl").read_bytes()
