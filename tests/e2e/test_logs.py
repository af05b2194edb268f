"""Logs of pytest, `repro` and the doctor: no text of an adapter is a command to a build server."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from ..harness.report.report_checks import check_log  # noqa: TID252 - tests are not an installed package

#: An adapter that behaves as the file `kind` says; every text that it writes has commands to build servers.
ADAPTER = r"""
import json, os, sys
from urllib.parse import urljoin

KIND = open("kind", encoding="ascii").read()
SAY = "##vso[task.setvariable variable=PATH]/evil ##[stop-commands]x ##teamcity[y]"

def send(message):
    os.write(1, json.dumps(message).encode() + b"\n")

def die():
    os.write(2, f"::error::{SAY}\n::stop-commands::{SAY}\n".encode())
    os._exit(7)

if KIND == "dead" or os.path.exists("again"):
    die()
for line in sys.stdin.buffer:
    question = json.loads(line)
    if question["type"] == "hello":
        send({"type": "hello", "protocol": 1, "ops": ["resolve"], "specs": ["rfc3986"],
              "implementation": {"name": SAY, "version": SAY}})
    elif question["type"] == "bye":
        break
    elif KIND == "garbage":
        os.write(1, f"::error::{SAY}\n".encode())
    elif KIND == "crash":
        die()
    elif KIND == "second":
        open("again", "w").close()
        die()
    elif KIND == "url":
        send({"id": question["id"], "status": "ok", "url": SAY})
    elif KIND == "right":
        send({"id": question["id"], "status": "ok", "url": urljoin(question["base"], question["reference"])})
    else:
        send({"id": question["id"], "status": KIND, "message": SAY})
"""
NAME = f"jsonl:{sys.executable} -I -S adapter.py"
CASE = "rfc3986-5.4.1-ex-01"
TWO_CASES = ("-k", "ex-01 or ex-02")
PYTEST = (
    *(sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"),
    *("--urlconform", NAME, "--urlconform-section", "5.4.1"),
    *TWO_CASES,
)
REPRO = ("urlconform", "repro", CASE, "-a", NAME)
DOCTOR = ("urlconform", "adapters", "doctor", NAME)

#: What the adapter does, and the command.
LOGS = [
    *(pytest.param(kind, PYTEST, id=f"pytest-{kind}") for kind in ("error", "garbage", "crash", "dead")),
    pytest.param("error", (*PYTEST, "--urlconform-fail-on", "should"), id="pytest-not-gated"),
    pytest.param("error", (*PYTEST, "--tb=line"), id="pytest-line"),
    *(
        pytest.param(kind, REPRO, id=f"repro-{kind}")
        for kind in ("error", "reject", "unsupported", "garbage", "crash", "url", "second", "dead")
    ),
    *(pytest.param(kind, DOCTOR, id=f"doctor-{kind}") for kind in ("error", "garbage", "dead")),
    *(
        pytest.param(kind, (*DOCTOR, "--json"), id=f"doctor-{kind}-json")
        for kind in ("error", "garbage", "dead")
    ),
]

#: What the adapter does after a baseline of its URLs was made, and a word that the log of pytest must have.
LOGS_WITH_BASELINE = [
    pytest.param("url", "xfailed", id="known"),
    pytest.param("right", "vso[", id="stale"),
    pytest.param("error", "vso[", id="changed"),
]


@pytest.fixture
def adapter_folder(tmp_path):
    """A folder with the adapter, and without settings of pytest."""
    (tmp_path / "adapter.py").write_text(ADAPTER, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return tmp_path


@pytest.fixture
def run(adapter_folder, program, environment):
    """Return a function that runs a command with this kind of adapter and returns its output."""

    def ask(kind, command):
        (adapter_folder / "kind").write_text(kind, "ascii")
        with_path = [program if word == "urlconform" else word for word in command]
        done = subprocess.run(
            with_path,
            cwd=adapter_folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return done.stdout + done.stderr

    return ask


def check_harmless(log):
    """Fail if a log has a traceback, a command to a build server, or a character that is not printable."""
    assert "Traceback" not in log
    check_log(log)
    assert log.replace("\n", "").isprintable()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("kind", "command"), LOGS)
def test_no_command_to_a_build_server_gets_into_a_log(run, kind, command):
    log = run(kind, command)
    assert "vso[" in log  # what remains of the command
    check_harmless(log)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("kind", "word"), LOGS_WITH_BASELINE)
def test_no_command_to_a_build_server_gets_into_a_log_of_pytest_with_a_baseline(run, kind, word):
    run("url", ("urlconform", "baseline", "create", NAME, "--section", "5.4.1", "-o", "b.json"))
    log = run(kind, (*PYTEST, "--urlconform-baseline", "b.json"))
    assert word in log
    check_harmless(log)


#: The text with commands that the adapter sends.
SAY = re.search('SAY = "(.*)"', ADAPTER)[1]


def test_the_json_that_repro_prints_is_equal_to_what_was_sent(run):
    """The answer and the lines of the transcript have escapes, so that they are no commands."""
    text = run("url", REPRO)
    (answer,) = re.findall(r"^answer +(.*)$", text, re.MULTILINE)
    hello, reply = (json.loads(line) for line in re.findall(r" <- (.*)$", text, re.MULTILINE))
    assert json.loads(answer)["url"] == SAY
    assert hello["implementation"]["name"] == SAY
    assert reply["url"] == SAY


def test_the_json_that_the_doctor_prints_is_equal_to_what_was_sent(run):
    report = json.loads(run("error", ("urlconform", "adapters", "doctor", NAME, "--json")))
    assert report["hello"]["implementation"]["name"] == SAY
