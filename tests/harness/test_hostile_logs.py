"""What goes to the log of a job beside reports: no text of an adapter is a command to the build server."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from urlharness.text import escaped_json

CHECKS = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("report_checks.py"))))

pytestmark = pytest.mark.once

#: Does what the file `kind` says, and puts commands into every text that it writes.
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
    elif KIND == "echo":
        send({"id": question["id"], "status": "ok", "url": question["reference"]})
    elif KIND == "right":
        send({"id": question["id"], "status": "ok", "url": urljoin(question["base"], question["reference"])})
    else:
        send({"id": question["id"], "status": KIND, "message": SAY})
"""
NAME = f"jsonl:{sys.executable} -I -S adapter.py"
CASE = "rfc3986-5.4.1-ex-01"
SHORT = ("-k", "ex-01 or ex-02")
PYTEST = (sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "--urlconform", NAME)
SECTION = ("--urlconform-section", "5.4.1")
LISTED = (*PYTEST, *SECTION, "--urlconform-baseline", "b.json", *SHORT)

DOCTOR = ("urlconform", "adapters", "doctor", NAME)

#: What the adapter does, the command, and a word of the adapter that is to be seen.
LOGS = [
    *(
        pytest.param(kind, (*PYTEST, *SECTION, *SHORT), "vso[", id=f"pytest-{kind}")
        for kind in ("error", "reject", "unsupported", "garbage", "crash", "url", "second", "dead")
    ),
    pytest.param("error", (*PYTEST, *SECTION, *SHORT, "--urlconform-fail-on", "should"), "vso[",
                 id="pytest-not-gated"),
    pytest.param("error", (*PYTEST, *SECTION, *SHORT, "--tb=line"), "vso[", id="pytest-line"),
    pytest.param("url", LISTED, "xfailed", id="pytest-known"),
    pytest.param("right", LISTED, "vso[", id="pytest-stale"),
    pytest.param("error", LISTED, "vso[", id="pytest-changed"),
    *(
        pytest.param(kind, ("urlconform", "repro", CASE, "-a", NAME), "vso[", id=f"repro-{kind}")
        for kind in ("error", "reject", "unsupported", "garbage", "crash", "url", "second", "dead")
    ),
    *(
        pytest.param(kind, (*DOCTOR, *more), "vso[", id=f"doctor-{kind}{end}")
        for kind in ("error", "garbage", "dead")
        for more, end in (((), ""), (("--json",), "-json"))
    ),
]  # fmt: skip


@pytest.fixture
def place(tmp_path):
    """A folder with the adapter."""
    (tmp_path / "adapter.py").write_text(ADAPTER, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return tmp_path


@pytest.fixture
def run(place, program, environment):
    """What a command says of an adapter of this kind."""

    def ask(kind, command):
        (place / "kind").write_text(kind, "ascii")
        line = [program if command[0] == "urlconform" else command[0], *command[1:]]
        done = subprocess.run(
            line,
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return done.stdout + done.stderr

    return ask


@pytest.mark.parametrize(("kind", "command", "seen"), LOGS)
def test_no_command_in_a_log(run, kind, command, seen):
    if "b.json" in command:
        run("url", ("urlconform", "baseline", "create", NAME, "--section", "5.4.1", "-o", "b.json"))
    text = run(kind, command)
    assert seen in text
    assert "Traceback" not in text
    CHECKS.check_log(text)
    assert text.replace("\n", "").isprintable()


def test_lines_of_json_are_equal(run):
    """What `repro` and the doctor print as JSON has escapes of JSON there, and is what was sent."""
    say = re.search('SAY = "(.*)"', ADAPTER)[1]
    text = run("url", ("urlconform", "repro", CASE, "-a", NAME))
    (answer,) = re.findall(r"^answer +(.*)$", text, re.MULTILINE)
    assert json.loads(answer)["url"] == say
    came = [json.loads(line) for line in re.findall(r" <- (.*)$", text, re.MULTILINE)]
    assert came[0]["implementation"]["name"] == came[1]["url"] == say
    report = json.loads(run("error", ("urlconform", "adapters", "doctor", NAME, "--json")))
    assert report["hello"]["implementation"]["name"] == say


@pytest.mark.parametrize("reference", ["##vso[x]y", "##[x]\u00e9'"], ids=["ascii", "more"])
def test_a_question_with_a_command_is_asked_by_hand(run, place, environment, reference):
    """The line to paste has an escape of JSON, and asks the same."""
    entry = {"input": reference, "base": "http://a/", "href": "http://a/b"}
    (place / "mini.json").write_text(json.dumps([entry]), "utf-8")
    text = run("echo", ("urlconform", "repro", "mini-0-resolve", "-a", NAME, "--vectors", "mini.json"))
    CHECKS.check_log(text)
    (question,) = re.findall(r"^question +(.*)$", text, re.MULTILINE)
    assert json.loads(question)["reference"] == reference
    (line,) = re.findall(r"^by hand +(.*)$", text, re.MULTILINE)
    done = subprocess.run(
        ["bash", "-c", line], cwd=place, env=environment, capture_output=True, timeout=60, check=True
    )
    _, answer = done.stdout.splitlines()
    assert json.loads(answer)["url"] == reference


@pytest.mark.parametrize("text", ["##vso[x]y", "#\u00e9##[x", "a##b", "###[error]", "\\##[x"])
def test_escaped_json_is_equal(text):
    shown = escaped_json(json.dumps({text: text}, ensure_ascii=False))
    CHECKS.check_log(shown)
    assert json.loads(shown) == {text: text}
