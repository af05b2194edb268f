"""`ask`: what each RFC says, groups of equal answers, hosts that differ, and adapters that do not run."""

from __future__ import annotations

import io
import json
import time

import pytest
from rich.console import Console

from urlharness.adapters.registry import find
from urlharness.cli.compare import ask as command
from urlharness.exitcodes import Exit
from urlharness.panel.answer import Answer
from urlharness.panel.panel import AdapterAnswers, TextQuestions

#: An adapter that sees the host behind the last slash.
LIB = """
import os
def answer(question):
    if question["op"] == "resolve":
        return {"status": "ok", "url": "x:y"}
    if "reject" in question["url"]:
        return {"status": "reject", "message": "no"}
    if "raise" in question["url"]:
        raise IndexError("out")
    if "crash" in question["url"]:
        os.write(2, b"panic at uri.rs:702\\n")
        os._exit(101)
    host = question["url"].rpartition("/")[2]
    return {"status": "ok", "components": {"scheme": "http", "host": host, "port": ""}}
answer.hello = {"ops": ["parse", "resolve"], "specs": []}
"""


@pytest.fixture
def ask(urlconform, tmp_path):
    (tmp_path / "lib.py").write_text(LIB, "utf-8")
    names = ("-a", "python:lib:answer", "-a", "urllib")
    return lambda *texts, **options: urlconform("ask", *names, *texts, **options)


def test_each_rfc_and_each_group_is_shown(ask):
    """RFC 3986 section 3.2: the authority ends with the next slash."""
    done = ask("http://a/b")
    assert done.returncode == Exit.FAILED
    lines = done.stdout.splitlines()
    assert lines[0] == "http://a/b"
    assert any("3986" in line and "valid: host a" in line for line in lines)
    assert "1  host b  scheme http\n" in done.stdout
    assert "The libraries that accept it see 2 hosts: a, b" in done.stdout


def test_json_has_rfcs_and_groups(ask):
    document = json.loads(ask("--json", "http://a/a").stdout)
    assert document["rfcs"]["rfc3986"].startswith("valid: host a")
    assert [group["names"] for group in document["groups"]] == [["urllib", "python:lib:answer"]]
    assert "base" not in document


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("reject", "1  reject\n     python:lib:answer\n"),
        ("raise", "python:lib:answer: error: IndexError: out"),
        ("crash", "python:lib:answer: crash: exit code 101; it wrote: panic at uri.rs:702"),
    ],
)
def test_every_outcome_is_shown(ask, text, says):
    assert says in ask(text).stdout


def test_a_base_resolves_the_text(ask):
    """RFC 3986 section 5.4.1."""
    text = ask("../g", "--base", "http://a/b/c/d").stdout
    assert text.startswith("../g  against http://a/b/c/d\n")
    assert "http://a/b/g" in text
    assert "1  x:y\n" in text


#: What two libraries see in one text, and the exit code.
TWO_HOSTS = """
def see(host):
    def answer(question):
        return {"status": "ok", "components": {"scheme": "http", "host": host, "path": ""}}
    answer.hello = {"ops": ["parse"], "specs": []}
    return answer

null, empty, exact, upper, dot, encoded = map(see, (None, "", "h", "H", "h.", "%68"))
short, full = see("[::1]"), see("0:0::1")

def hidden(question):
    return {"status": "ok", "components": {"scheme": "http", "authority": "h", "path": ""}}

hidden.hello = {"ops": ["parse"], "specs": []}
empty.hello = {**empty.hello, "features": ["absent-vs-empty"]}
"""


@pytest.fixture
def ask_two(urlconform, tmp_path):
    (tmp_path / "two.py").write_text(TWO_HOSTS, "utf-8")

    def run(*names, options=()):
        words = [word for name in names for word in ("-a", f"python:two:{name}")]
        return urlconform("ask", *words, *options, "x://y")

    return run


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        pytest.param("null", "empty", Exit.PASSED, id="null-and-empty"),
        pytest.param("exact", "upper", Exit.PASSED, id="case"),
        pytest.param("exact", "dot", Exit.PASSED, id="trailing-dot"),
        pytest.param("short", "full", Exit.PASSED, id="ipv6"),
        pytest.param("exact", "encoded", Exit.FAILED, id="triplet"),
        pytest.param("exact", "null", Exit.FAILED, id="no-host"),
        pytest.param("exact", "hidden", Exit.PASSED, id="not-shown"),
    ],
)
def test_hosts_that_differ_fail(ask_two, first, second, code):
    assert ask_two(first, second).returncode == code


def test_a_library_that_shows_no_host_is_in_no_group_with_one(ask_two):
    document = json.loads(ask_two("exact", "hidden", options=["--json"]).stdout)
    groups = {tuple(group["names"]): "host" in group["components"] for group in document["groups"]}
    assert groups == {("python:two:exact",): True, ("python:two:hidden",): False}


BYTES = [
    pytest.param(("http://h/\udcff",), "http://h/\\xff\n", id="argument"),
    pytest.param(("--base", "http://h/\udcff", "x"), "x  against http://h/\\xff\n", id="base"),
]


@pytest.mark.parametrize(("arguments", "says"), BYTES)
def test_texts_that_are_not_utf_8_are_asked(urlconform, arguments, says):
    done = urlconform("ask", "-a", "urllib", "-a", "reference", *arguments)
    assert done.stdout.startswith(says)
    assert "not offered\n     urllib\n" in done.stdout
    assert done.returncode == Exit.PASSED


def test_json_shows_bytes_that_are_not_utf_8(ask):
    document = json.loads(ask("--json", "--base", "http://h/", "a\udcff").stdout)
    assert {key: document[key] for key in ("text", "text_hex", "base")} == {
        "text": "a\\xff",
        "text_hex": "61ff",
        "base": "http://h/",
    }


def test_the_fault_of_a_text_names_its_byte(urlconform):
    done = urlconform("ask", "-a", "reference", "http://\udcff/")
    assert "invalid: the byte \\xff at offset 7\n" in done.stdout


@pytest.mark.parametrize(
    ("host", "words"),
    [
        pytest.param({"host": None}, "no host  path a", id="denies-the-host"),
        pytest.param({"authority": None}, "no authority  path a", id="shows-no-hosts"),
    ],
)
def test_only_a_library_that_shows_hosts_denies_one(urlconform, tmp_path, host, words):
    reply = {"status": "ok", "components": {**host, "path": "a"}}
    (tmp_path / "two.py").write_text(f"def answer(question):\n    return {reply!r}\n", "utf-8")
    assert f"\n1  {words}\n" in urlconform("ask", "-a", "python:two:answer", "a").stdout


def test_an_rfc_without_an_authority_denies_the_host(urlconform):
    done = urlconform("ask", "-a", "reference", "http:a")
    assert "RFC 1808, 2396, 2732, 3986  valid: no host  scheme http  path a\n" in done.stdout


def test_lines_that_are_not_utf_8_are_asked(urlconform):
    done = urlconform("ask", "-a", "reference", "-", stdin="http://h/\udcff\nhttp://a/\n")
    assert done.stdout.startswith("http://h/\\xff\n")
    assert "\nhttp://a/\n" in done.stdout


def test_a_host_of_bytes_is_readable(urlconform, tmp_path):
    lines = (
        "def answer(question):",
        "    return {'status': 'ok', 'components': {'host': {'hex': 'ff'}}}",
        "answer.hello = {'ops': ['parse'], 'specs': []}",
    )
    (tmp_path / "raw.py").write_text("\n".join(lines), "utf-8")
    assert "1  host \\xff\n" in urlconform("ask", "-a", "python:raw:answer", "x:y").stdout
    (group,) = json.loads(urlconform("ask", "--json", "-a", "python:raw:answer", "x:y").stdout)["groups"]
    assert group["components"] == {"host": "\\xff"}


def test_each_line_of_stdin_is_asked(ask):
    done = ask("--json", "-", stdin="http://a/a\nhttp://b/b\n")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == ["http://a/a", "http://b/b"]
    assert done.returncode == Exit.PASSED


def test_an_adapter_that_does_not_run_hides_no_other(urlconform):
    done = urlconform("ask", "-a", "jsonl:/no/such/program", "-a", "urllib", "http://a/")
    assert "urllib" in done.stdout
    assert "jsonl:/no/such/program: did not start" in done.stdout
    assert done.stderr.startswith("urlconform: jsonl:/no/such/program: ")
    assert done.returncode == Exit.ADAPTER_DEAD


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("file", "colours", "printed"),
    [(_Terminal, "standard", True), (_Terminal, None, False), (io.StringIO, "standard", False)],
    ids=["terminal", "NO_COLOR", "pipe"],
)
def test_a_terminal_shows_answers_while_others_are_awaited(monkeypatch, file, colours, printed):
    """The view ends with how many have answered; it has as many lines as the terminal, and none is broken."""
    out = Console(file=file(), width=60, height=8, force_terminal=True, color_system=colours)
    answers = [AdapterAnswers(name, [Answer("parsed", {"host": name * 80})]) for name in "ab"]
    seen = []

    def ask(panel, questions, report=None):
        if report is not None:
            report(answers[1])
            until = time.monotonic() + 600
            while "1 of 2 libraries answered" not in out.file.getvalue() and time.monotonic() < until:
                time.sleep(0.01)
            seen.append(out.file.getvalue())
        return answers

    monkeypatch.setattr(command.Panel, "ask", ask)
    assert command._ask(out, [find("urllib"), find("reference")], TextQuestions(["x:y"])) == answers
    assert bool(seen) == printed
    if printed:
        last = seen[0].rpartition("x:y")[2]
        assert "  host bbbb" in last
        assert "\n" not in last[last.index("host b") : last.index("…")]
    else:
        assert out.file.getvalue() == ""
