"""Reports of a hostile adapter: none of what it says breaks a report, or becomes more than text in it.

It says the worst of everything, and is asked through the command.
"""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.once

CHECKS = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("report_checks.py"))))

#: Answers each question with the next of the texts, in every place that an answer has, and dies of some.
ADAPTER = """
import json, os, sys

TEXTS = json.load(open(sys.argv[1], encoding="utf-8"))
LOUD = "".join(TEXTS)

def send(message):
    os.write(1, json.dumps(message).encode() + b"\\n")

for count, line in enumerate(sys.stdin.buffer):
    question = json.loads(line)
    if question["type"] == "hello":
        send({"type": "hello", "protocol": 1, "ops": ["validate", "parse", "resolve"], "specs": [],
              "implementation": {"name": LOUD, "version": LOUD, "language": LOUD, "runtime": LOUD}})
        continue
    if question["type"] == "bye":
        break
    # what is asked decides, so that a fresh process answers as the first one did
    key = sum(json.dumps({k: v for k, v in question.items() if k != "id"}).encode())
    text = TEXTS[key % len(TEXTS)]
    os.write(2, LOUD.encode("utf-8", "surrogatepass"))
    number = question["id"]
    kind = key % 11
    if kind == 0:
        send({"id": number, "status": "error", "message": text})
    elif kind == 1:
        send({"id": number, "status": "unsupported", "message": text})
    elif kind == 2:
        os.abort()
    elif kind == 3:
        os.write(1, text.replace("\\n", " ").encode("utf-8", "surrogatepass") + b"\\n")
    elif kind == 4:
        os.write(1, b'{"id": %d, "status": "ok", "also": ' % number + b"[" * 5000 + b"]" * 5000 + b"}\\n")
    elif kind == 5:
        send({"id": number, "status": "reject", "at": 10 ** 40, "message": text})
    elif kind == 6:
        send({"id": number, "status": "reject", "at": 2 ** 63, "message": text, text: 1e300})
    elif question["op"] == "parse":
        send({"id": number, "status": "ok", "components": {"scheme": text, "path": text, text: text}})
    elif question["op"] == "resolve":
        send({"id": number, "status": "ok", "url": text})
    else:
        send({"id": number, "status": "reject", "message": text})
"""

REPORTS = {
    "json": "r.jsonl",
    "junit": "j.xml",
    "markdown": "m.md",
    "github": "g.txt",
    "badge": "badges",
    "html": "h.html",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory, environment, program):
    """The reports of one run of the hostile adapter, and what the command printed."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    (folder / "texts.json").write_text(json.dumps(CHECKS.TEXTS), encoding="utf-8")
    # the name of an adapter is what was written on the command line: words it does not read are hostile too
    more = "'<b>|`@x`\x1b[1m\u202e\n::error::x'"
    adapter = f"jsonl:{sys.executable} -I -S adapter.py texts.json {more}"
    line = [program, "run", adapter, "--spec", "3986", "--section", "5.4.2", "--section", "4.2"]
    line += [word for form, file in REPORTS.items() for word in ("--report", f"{form}={file}")]
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
    again = subprocess.run(
        [program, "report", "r.jsonl"],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return SimpleNamespace(
        folder=folder,
        code=done.returncode,
        printed=(done.stdout, done.stderr, again.stdout, again.stderr),
        text=lambda form: (folder / REPORTS[form]).read_bytes().decode("utf-8"),
    )


def test_the_adapter_is_hostile_indeed(written):
    """It ran to its end, with answers of many kinds, and its texts are in the results."""
    lines = [json.loads(line) for line in written.text("json").split("\n")[:-1]]
    outcomes = {line["outcome"] for line in lines if line["type"] == "case"}
    assert outcomes >= {"fail", "error", "unsupported", "crash", "garbage"}
    assert lines[-1]["type"] == "footer"
    assert written.code in (1, 3)
    (about,) = (line["implementation"] for line in lines if line["type"] == "implementation")
    assert about["name"] == about["version"] == about["runtime"] == "".join(CHECKS.TEXTS)
    given = {line.get("detail", "") + json.dumps(line.get("got")) for line in lines if line["type"] == "case"}
    assert any("evil.example" in text for text in given)


def test_the_terminal_gets_no_command(written):
    for octets in written.printed:
        shown = octets.decode("utf-8")
        assert shown.replace("\n", "").isprintable()
        CHECKS.check_log(shown)


def test_results_are_a_line_each(written):
    """For readers who cut lines at no more than an end of line; and cat of the file does nothing."""
    text = written.text("json")
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    CHECKS.check_log(text)
    known = {"header", "vector", "implementation", "case", "footer"}
    assert {json.loads(line)["type"] for line in text.split("\n")[:-1]} == known


def test_junit(written):
    root = CHECKS.check_junit(written.text("junit"))
    answered = [json.loads(line) for line in written.text("json").split("\n")[:-1]]
    cases = [line["id"] for line in answered if line["type"] == "case"]
    assert sorted(test.attrib["name"] for test in root.iter("testcase")) == sorted(cases)


def test_markdown(written):
    CHECKS.check_markdown(written.text("markdown"))


def test_github(written):
    CHECKS.check_github(written.text("github"))


def test_badges(written):
    files = [path for path in written.folder.rglob("badges/**/*") if path.is_file()]
    assert files
    for path in files:
        relative = path.relative_to(written.folder / "badges")
        assert len(relative.parts) == 2
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*/rfc3986[0-9.-]*\.json", relative.as_posix())
        CHECKS.check_badge(json.loads(path.read_text("ascii")))


def test_nothing_else_was_written(written):
    """No file but those that were asked for: neither `../x` nor `$(touch owned)` were ever more than text."""
    names = {path.name for path in written.folder.iterdir()}
    assert names == {"adapter.py", "texts.json", *REPORTS.values()}
