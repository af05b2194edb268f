"""`ask`: what each RFC says, groups of equal answers, hosts that differ, and adapters that do not run."""

from __future__ import annotations

import io
import json
import re
import time

import pytest
from rich.console import Console

from urlharness.adapters.registry import find
from urlharness.cli.compare import ask as command
from urlharness.exitcodes import Exit
from urlharness.panel.answer import Answer
from urlharness.panel.panel import AdapterAnswers, TextQuestions

from ..browser_label import BROWSERS, with_installed_ada  # noqa: TID252 - tests are not an installed package

#: An adapter that sees the host after the last slash.
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
    """Return a function that asks this adapter and urllib."""
    (tmp_path / "lib.py").write_text(LIB, "utf-8")
    names = ("-a", "python:lib:answer", "-a", "urllib")
    return lambda *texts, **options: urlconform("ask", *names, *texts, **options)


#: RFC 3986, section 3.2: the authority ends with the next slash.
TWO_HOSTS_SEEN = """\
http://a/b
RFC 3986, 2396, 2732        valid: host a  scheme http  path /b
RFC 1808                    valid: authority a  scheme http  path /b
RFC 1738                    valid: host a  scheme http
browsers (WHATWG, ada 4.0)  accept: host a  scheme http  path /b
RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738.

1  host a  scheme http  path /b
     urllib
1  host b  scheme http
     python:lib:answer
The libraries that accept it see 2 hosts: a, b

"""


def test_each_rfc_and_each_group_is_shown(ask):
    done = ask("http://a/b")
    assert done.stdout == with_installed_ada(TWO_HOSTS_SEEN)
    assert done.returncode == Exit.FAILED


def test_json_has_rfcs_and_groups(ask):
    document = json.loads(ask("--json", "http://a/a").stdout)
    assert document["rfcs"]["rfc3986"].startswith("valid: host a")
    assert [group["names"] for group in document["groups"]] == [["urllib", "python:lib:answer"]]
    assert document["browsers"] == "accept: host a  scheme http  path /a"


def test_json_has_a_base_only_if_one_is_given(ask):
    assert "base" not in json.loads(ask("--json", "http://a/a").stdout)
    assert json.loads(ask("--json", "../g", "--base", "http://a/b").stdout)["base"] == "http://a/b"


def test_the_rfc_in_force_is_named_once(ask):
    assert ask("http://a/a", "http://b/b").stdout.count("RFC 3986 obsoletes") == 1


@pytest.mark.parametrize(
    "arguments",
    [("http://[fe80::1%25eth0]/",), ("--base", "http://[fe80::1%25eth0]/", "g")],
    ids=["text", "base"],
)
def test_the_refusal_of_a_zone_says_once_that_zones_are_not_covered(ask, arguments):
    words = "zones of IPv6 addresses are defined by RFC 6874, which is not covered here (R-3986-26)"
    assert ask(*arguments).stdout.count(words) == 1


def test_browsers_need_a_base_for_a_reference(ask):
    assert f"{BROWSERS}  need a base to read a reference\n" in ask("../g").stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("reject", "1  reject\n     python:lib:answer\n", id="reject"),
        pytest.param("raise", "python:lib:answer: error: IndexError: out", id="error"),
        pytest.param(
            "crash", "python:lib:answer: crash: exit code 101; it wrote: panic at uri.rs:702", id="crash"
        ),
    ],
)
def test_a_library_that_does_not_accept_the_text_is_shown_with_its_reason(ask, text, says):
    assert says in ask(text).stdout


#: RFC 3986, section 5.4.1.
RESOLVED = """\
../g  against http://a/b/c/d
RFC 3986, 2396, 2732, 1808  http://a/b/g
RFC 1738                    RFC 1738 does not define relative references
browsers (WHATWG, ada 4.0)  http://a/b/g
RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738.

1  x:y
     python:lib:answer
1  http://a/b/g
     urllib

"""


def test_a_base_resolves_the_text(ask):
    assert ask("../g", "--base", "http://a/b/c/d").stdout == with_installed_ada(RESOLVED)


#: Libraries, each of which sees one host in any text.
ONE_HOST_EACH = """
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
    """Return a function that asks two of these libraries."""
    (tmp_path / "two.py").write_text(ONE_HOST_EACH, "utf-8")

    def run(*names, options=()):
        words = []
        for name in names:
            words += ["-a", f"python:two:{name}"]
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
def test_only_hosts_that_differ_by_more_than_spelling_fail(ask_two, first, second, code):
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
    document = json.loads(ask("--json", "a\udcff").stdout)
    assert document["text"] == "a\\xff"
    assert document["text_hex"] == "61ff"


def test_json_shows_the_base_of_a_reference(ask):
    document = json.loads(ask("--json", "--base", "http://h/", "a").stdout)
    assert document["base"] == "http://h/"


#: Texts that build servers read as commands, at the beginning of a line or anywhere in it.
COMMANDS = [
    pytest.param("::error file=x::y", r"^ *::", id="github"),
    pytest.param("http://h/##vso[task.setvariable variable=x]y", r"##\w*\[", id="azure"),
    pytest.param("##[error]x", r"##\w*\[", id="azure-log"),
]


@pytest.mark.parametrize(("text", "command"), COMMANDS)
def test_no_line_is_a_command_of_a_build_server(urlconform, text, command):
    done = urlconform("ask", "-a", "urllib", "--base", f"http://h/{text}", text)
    assert "\n     urllib\n" in done.stdout
    assert re.search(command, done.stdout, re.MULTILINE) is None


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
    assert "RFC 3986, 2396, 2732, 1808  valid: no host  scheme http  path a\n" in done.stdout


def test_lines_that_are_not_utf_8_are_asked(urlconform):
    done = urlconform("ask", "-a", "reference", "-", stdin="http://h/\udcff\nhttp://a/\n")
    assert done.stdout.startswith("http://h/\\xff\n")
    assert "\nhttp://a/\n" in done.stdout


#: A library that sees a host of one byte that is no UTF-8.
BYTE_AS_HOST = """
def answer(question):
    return {"status": "ok", "components": {"host": {"hex": "ff"}}}
answer.hello = {"ops": ["parse"], "specs": []}
"""


@pytest.fixture
def ask_raw(urlconform, tmp_path):
    """Return a function that asks this library, and returns what is printed."""
    (tmp_path / "raw.py").write_text(BYTE_AS_HOST, "utf-8")
    return lambda *options: urlconform("ask", *options, "-a", "python:raw:answer", "x:y").stdout


def test_a_host_of_bytes_is_readable(ask_raw):
    assert "1  host \\xff\n" in ask_raw()


def test_a_host_of_bytes_is_readable_in_json(ask_raw):
    (group,) = json.loads(ask_raw("--json"))["groups"]
    assert group["components"] == {"host": "\\xff"}


def test_each_line_of_stdin_is_asked(ask):
    done = ask("--json", "-", stdin="http://a/a\nhttp://b/b\n")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == ["http://a/a", "http://b/b"]
    assert done.returncode == Exit.PASSED


def test_an_adapter_that_does_not_run_hides_no_other(urlconform):
    done = urlconform("ask", "-a", "jsonl:/no/such/program", "-a", "urllib", "http://a/")
    assert "\n     urllib\n" in done.stdout
    assert "jsonl:/no/such/program: did not start" in done.stdout
    assert done.stderr.startswith("urlconform: jsonl:/no/such/program: ")
    assert done.returncode == Exit.ADAPTER_DEAD


class _Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


#: The answers of two libraries; each host is longer than the terminal is wide.
LONG_ANSWERS = [AdapterAnswers(name, [Answer("parsed", {"host": name * 80})]) for name in "ab"]


@pytest.fixture
def ask_on(monkeypatch):
    """Return a function that asks two libraries and returns what its console shows before the last answer.

    The result is None if the console is not told of single answers.
    """

    def ask_with(console):
        views = []

        def ask_panel(panel, questions, report=None):
            if report is not None:
                report(LONG_ANSWERS[1])
                until = time.monotonic() + 600
                while "1 of 2 libraries answered" not in console.file.getvalue() and time.monotonic() < until:
                    time.sleep(0.01)
                views.append(console.file.getvalue())
            return LONG_ANSWERS

        monkeypatch.setattr(command.Panel, "ask", ask_panel)
        libraries = [find("urllib"), find("reference")]
        assert command._ask(console, libraries, TextQuestions(["x:y"])) == LONG_ANSWERS
        return views[0] if views else None

    return ask_with


def console_on(file, colours):
    return Console(file=file, width=60, height=8, force_terminal=True, color_system=colours)


def test_a_terminal_shows_answers_while_others_are_awaited(ask_on):
    _, _, view = ask_on(console_on(_Terminal(), "standard")).rpartition("x:y")  # below the text, at last
    assert "  host bbbb" in view
    assert "1 of 2 libraries answered" in view


def test_a_terminal_cuts_the_lines_that_it_shows_while_others_are_awaited(ask_on):
    _, _, view = ask_on(console_on(_Terminal(), "standard")).rpartition("x:y")
    (line,) = [line for line in view.splitlines() if "host b" in line]
    assert line.endswith("…")
    without_colours = re.sub(r"\x1b\[[0-9;]*m", "", line)
    assert len(without_colours) == 60  # the width of the terminal


@pytest.mark.parametrize(
    ("file", "colours"),
    [(_Terminal, None), (io.StringIO, "standard")],
    ids=["NO_COLOR", "pipe"],
)
def test_without_a_terminal_with_colours_no_answer_is_shown_while_others_are_awaited(ask_on, file, colours):
    console = console_on(file(), colours)
    assert ask_on(console) is None
    assert console.file.getvalue() == ""


def test_rfc_3987_answers_about_a_text_beyond_ascii(ask):
    _, first, second, *_ = ask("//\u00e9/").stdout.splitlines()
    assert first.startswith("RFC 3986, ")
    assert re.fullmatch(r"RFC 3987 +valid: host \\u\{e9\}  path /", second)


def test_json_has_rfc_3987_for_a_text_beyond_ascii_alone(ask):
    answers = map(json.loads, ask("//a", "//\u00e9", "--json").stdout.splitlines())
    assert ["rfc3987" in answer["rfcs"] for answer in answers] == [False, True]


#: A library that says by which RFC it was asked, as the host.
ECHO = """\
def answer(question):
    return {"status": "ok", "components": {"host": question["spec"], "path": ""}}

answer.hello = {"ops": ["parse"], "specs": ["rfc3987"]}
"""


@pytest.fixture
def ask_echo(urlconform, tmp_path):
    """Return a function that asks a library of IRIs, and urllib, which is none."""
    (tmp_path / "lib.py").write_text(ECHO, "utf-8")
    return lambda *arguments: urlconform("ask", "-a", "python:lib:answer", "-a", "urllib", *arguments)


@pytest.mark.parametrize(
    ("options", "host"),
    [((), "rfc3986"), (("--spec", "rfc3987"), "rfc3987"), (("--spec", "rfc2396"), "rfc2396")],
    ids=str,
)
def test_the_libraries_are_asked_by_an_rfc(ask_echo, options, host):
    document = json.loads(ask_echo("--json", "//\u00e9", *options).stdout)
    hosts = {group["components"].get("host"): group["names"] for group in document["groups"]}
    assert hosts[host] == ["python:lib:answer"]


def test_only_a_library_that_claims_rfc_3987_is_asked_by_it(ask_echo):
    document = json.loads(ask_echo("--json", "//\u00e9", "--spec", "rfc3987").stdout)
    kinds = {name: group["kind"] for group in document["groups"] for name in group["names"]}
    assert kinds["urllib"] == "not offered"


REMARK = "The libraries are asked by RFC 3986. --spec rfc3987 asks those that claim RFC 3987 by it."


@pytest.mark.parametrize(
    ("arguments", "is_said"),
    [(("//a",), False), (("//\u00e9",), True), (("//\u00e9", "--spec", "rfc3987"), False)],
    ids=ascii,
)
def test_it_is_said_that_a_text_beyond_ascii_is_asked_as_a_url(ask_echo, arguments, is_said):
    assert (REMARK in ask_echo(*arguments).stdout) == is_said
