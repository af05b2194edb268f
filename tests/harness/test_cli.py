"""The command line: help without weight, pipes and terminals, selections, reports, one question at a time."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from urlharness.results.model import read_results

pytestmark = pytest.mark.once

ONE = ("--spec", "1808", "--section", "5.1")
COMMANDS = (
    *("run", "report", "repro", "explain", "validate", "parse", "resolve", "normalize"),
    *("diff", "serve", "adapters", "vectors", "adapters list", "vectors lint", "vectors fmt"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help(urlconform, command):
    done = urlconform(*command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: urlconform {command} ")


def test_help_names_every_command(urlconform):
    text = urlconform("--help").stdout
    listed = re.findall(r"^  ([a-z]+)  ", text.partition("Commands:")[2], re.MULTILINE)
    assert set(listed) >= {command for command in COMMANDS if " " not in command}
    assert all(urlconform(name, "--help").returncode == 0 for name in set(listed) - set(COMMANDS))


HEAVY = ("rich", "msgspec", "urloracle", "jsonschema", "junitparser", "jinja2", "urlharness.corpus.model")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_loads_nothing_heavy(option):
    """The command is quick to help because none of its commands is loaded."""
    code = f"""
import sys
from urlharness.cli import main
sys.argv = ["urlconform", {option!r}]
try:
    main()
finally:
    print("LOADED", *(name for name in {HEAVY!r} if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: urlconform")
    assert done.stderr.splitlines()[-1].split() == ["LOADED"]  # where all goes after the last of our output


def test_version(urlconform, corpus):
    text = urlconform("--version").stdout
    assert re.fullmatch(r"urlconform \d\S+, corpus \d\S+ [0-9a-f]{12} \(\d+ vectors\), protocol 1\n", text)
    assert f"corpus {corpus.version} {corpus.digest} ({len(corpus.cases)} vectors)" in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("run", "reference"), 0, id="report"),
        pytest.param(("run", "--list"), 0, id="list"),
        pytest.param(("run", "python:mine:answer", *ONE), 1, id="failing-gate"),
        *(
            pytest.param(("run", "urllib", *ONE, "--report", f"{form}=/dev/stdout"), 1, id=f"gate-and-{form}")
            for form in ("json", "junit", "github")
        ),
        pytest.param(("explain", "http://h/"), 0, id="explain"),
        pytest.param(("--help",), 0, id="help"),
        pytest.param(("vectors", "lint", "--vectors", "."), 0, id="findings-that-nobody-reads"),
    ],
)
def test_a_reader_that_went_away_is_no_failure(program, environment, tmp_path, arguments, code):
    (tmp_path / "mine.py").write_text("def answer(question): return {'status': 'error'}", "utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(
        [program, *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    ) as child:
        os.close(writing)
        _, stderr = child.communicate(timeout=60)
    assert "Traceback" not in stderr
    assert "Broken pipe" not in stderr
    assert child.returncode == code


def on_terminal(command, environment, **variables) -> str:
    """What a command writes on a terminal of 80 columns, stderr included."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment | {"COLUMNS": "80"} | variables
    ) as child:
        os.close(theirs)
        text = b""
        try:
            while octets := os.read(ours, 1 << 16):
                text += octets
        except OSError:  # the way a terminal ends
            pass
        finally:
            os.close(ours)
        assert child.wait(60) == 0
    return text.decode("utf-8")


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]")


def test_a_terminal_gets_colour(program, environment):
    text = on_terminal([program, "run", "reference", *ONE], environment)
    assert COLOUR.search(text)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
    assert max(len(line.rpartition("\r")[2]) for line in plain.split("\r\n")) <= 80


def test_no_color_is_respected(program, environment):
    text = on_terminal([program, "run", "reference", *ONE], environment, NO_COLOR="1")
    assert "RFC 1808" in text
    assert not COLOUR.search(text)


def test_a_pipe_gets_plain_text(urlconform):
    done = urlconform("run", "reference", *ONE)
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_list_prints_ids(urlconform):
    lines = urlconform("run", "--list", *ONE).stdout.splitlines()
    assert len(lines) == 24
    assert all(line.startswith("rfc1808-5.1-") for line in lines)


def test_bare_command_and_run_are_the_same_survey(urlconform):
    """Every library that is found is judged by the whole corpus; only the reference is gated."""
    done = urlconform(env={"PATH": "/nowhere"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == urlconform("run", env={"PATH": "/nowhere"}).stdout
    (line,) = re.findall("^RFC 1738  .*", done.stdout, re.MULTILINE)[-1:]
    assert re.search(r"yes +(\d+) of \1 +no +\d+ of \d+", line)
    assert "node-url: not installed: " in done.stdout


def test_reports_are_written_and_rendered_again(urlconform, tmp_path):
    wanted = [f"{form}={form}.1" for form in ("json", "junit", "html")]
    first = urlconform("run", "urllib", *ONE, *(word for target in wanted for word in ("--report", target)))
    assert first.returncode == 1
    results = read_results(tmp_path / "json.1")
    assert (results.complete, len(results.of("urllib"))) == (True, 24)
    assert results.header.argv[:2] == ("run", "urllib")
    assert len(list(ET.parse(tmp_path / "junit.1").iter("testcase"))) == 24
    assert "<!doctype html>" in (tmp_path / "html.1").read_text("utf-8").lower()
    again = urlconform("report", "json.1", "--report", "junit=junit.2", "--report", "html=html.2")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout in first.stdout
    for form in ("junit", "html"):
        assert (tmp_path / f"{form}.2").read_bytes() == (tmp_path / f"{form}.1").read_bytes()


def test_maxfail_stops_an_adapter_and_not_the_run(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("def answer(question): return {'status': 'error'}", "utf-8")
    urlconform("run", "python:mine:answer", "reference", *ONE, "--maxfail", "2", "--report", "json=r")
    results = read_results(tmp_path / "r")
    assert (len(results.of("python:mine:answer")), len(results.of("reference"))) == (2, 24)


@pytest.mark.parametrize(("option", "code"), [((), 0), (("--strict",), 1)], ids=["plain", "strict"])
def test_strict_minds_partial_answers(urlconform, tmp_path, option, code):
    text = """from urlharness.adapters import reference
def answer(question):
    reply = reference.answer(question)
    if "components" in reply and question["op"] == "parse":
        reply["components"] = {"path": reply["components"]["path"]}
    return reply
answer.hello = reference.hello()"""
    (tmp_path / "mine.py").write_text(text, "utf-8")
    done = urlconform("run", "python:mine:answer", "--spec", "1808", "--section", "2.4.2", *option)
    assert (done.returncode, "partial" in done.stderr) == (code, bool(option))


def test_a_timeout_of_ones_own(urlconform, tmp_path):
    (tmp_path / "mine.py").write_text("import time\ndef answer(question): time.sleep(60)", "utf-8")
    one = ("--spec", "1808", "-k", "5.1-segment-query")
    done = urlconform("run", "python:mine:answer", *one, "--timeout", "0.1")
    assert done.returncode == 1
    assert "timeout: no answer within 0.1 s" in done.stdout


def test_results_come_in_the_order_of_the_corpus(urlconform, tmp_path):
    urlconform("run", "reference", "urllib", "--spec", "2396", "--report", "json=r")
    results = read_results(tmp_path / "r")
    for name in ("reference", "urllib"):
        assert list(results.of(name)) == list(results.vectors)


def test_repro_shows_the_exchange(urlconform):
    done = urlconform("repro", "rfc1808-5.1-segment", "-a", "urllib")
    assert done.returncode == 0
    for words in (
        "question    {",
        '"reference":"g"',
        'expected    {"result":"http://a/b/c/g"}',
        "outcome     pass",
    ):
        assert words in done.stdout
    served = done.stdout.splitlines()[-1].removeprefix("by hand").strip()
    assert served.startswith("printf ")
    assert served.endswith("urlconform serve urllib")


def test_repro_by_hand_works(urlconform):
    line = urlconform("repro", "rfc1808-5.1-segment", "-a", "reference").stdout.splitlines()[-1]
    command = line.removeprefix("by hand").strip()
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[1]) == {"id": 1, "status": "ok", "url": "http://a/b/c/g"}


def test_adapters_list(urlconform):
    text = urlconform("adapters", "list", env={"PATH": "/nowhere"}).stdout
    assert re.search(r"^ ?reference +ready +urloracle ", text, re.MULTILINE)
    assert re.search(r"^ ?java-net-uri +not installed +a Java runtime", text, re.MULTILINE)


#: One question to the oracle, and what its JSON answer holds: facts of the RFCs.
QUESTIONS = [
    pytest.param(("validate", "--spec", "3986", "a b"), {"valid": False, "at": 1}, id="validate"),
    pytest.param(("validate", "--spec", "2396", "--rule", "scheme", "a+b"), {"valid": True}, id="rule"),
    pytest.param(("parse", "--spec", "1808", "//h?q"), {"net_loc": "h?q", "query": None}, id="parse"),
    pytest.param(
        ("resolve", "--spec", "3986", "http://a/b/c/d;p?q", "../../../g"),
        {"rfc3986": {"url": "http://a/g", "same_document": False, "also": []}},
        id="resolve",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), QUESTIONS)
def test_json_answers(urlconform, arguments, expected):
    answer = json.loads(urlconform(*arguments, "--json").stdout)
    assert {name: answer[name] for name in expected} == expected


def test_explain_speaks_for_every_rfc(urlconform):
    answers = json.loads(urlconform("explain", "http://h:/", "--json").stdout)["answers"]
    verdicts = {name: answer["valid"] for name, answer in answers.items()}
    # an empty port: R-1738-10, R-2396-13
    assert verdicts == {"rfc1738": False, "rfc1808": True, "rfc2396": True, "rfc2732": True, "rfc3986": True}


def test_octets_that_are_no_text_may_be_asked_for(urlconform):
    """Arguments in another encoding are spelled out: in questions, in names of adapters, in the record."""
    text = os.fsdecode(b"a\xff")
    done = urlconform("explain", "--json", text)
    assert {answer["at"] for answer in json.loads(done.stdout)["answers"].values()} == {1}
    for name in (f"jsonl:./{text}", f"exec:./{text}", f"python:{text}:f"):
        done = urlconform("run", name, *ONE, "--report", "json=r")
        assert done.returncode == 3
        assert "a\\udcff" in done.stderr
        assert "Traceback" not in done.stderr


def test_an_encoding_without_our_characters_is_no_trouble(urlconform):
    done = urlconform("run", "reference", *ONE, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


@pytest.mark.parametrize("text", ["\x1b[31m", "\u202e", "h\u00e4", ""])
@pytest.mark.parametrize("command", ["explain", "parse", "normalize"])
def test_any_text_may_be_asked_for(urlconform, command, text):
    spec = () if command == "explain" else ("--spec", "3986")
    done = urlconform(command, *spec, "--", text)
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    assert done.stdout.replace("\n", "").isprintable()


@pytest.mark.parametrize(("rule", "code"), [("unwise", 2), ("URI-reference", 1)])
def test_parse_of_what_is_no_url(urlconform, rule, code):
    """A rule whose texts have no components is a question wrongly asked; an invalid text is an answer."""
    done = urlconform("parse", "{", "--spec", "2396", "--rule", rule)
    assert done.returncode == code
    assert ("RFC 2396 has no components for unwise" in done.stderr) is (code == 2)
    assert "Traceback" not in done.stderr
