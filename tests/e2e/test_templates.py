"""The templates of `adapters new`: they build, run, answer correctly, and pass the formatters and linters."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

import msgspec
import pytest

from urlharness.adapters.registry import find
from urlharness.adapters.scaffold import LANGUAGES
from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine
from urlharness.exitcodes import Exit
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.sessions.client import open_client

#: Formatters and linters of each language; if a template needs a change, they fail or print it.
TOOLS = [
    ("python", ("ruff", "format", "--isolated", "--check", "--quiet")),
    ("python", ("ruff", "check", "--isolated", "--quiet")),  # the rules that ruff has by default
    ("python", ("ruff", "check", "--isolated", "--quiet", "--select=E,F,W,I,B,UP,SIM,RET")),
    ("node", ("node", "--check")),
    ("node", ("prettier", "--list-different")),
    ("go", ("gofmt", "-l")),
    ("go", ("go", "vet")),
    ("rust", ("rustfmt", "--check", "--edition=2021")),
    ("java", ("javac", "-Xlint:all", "-Werror", "-d", "classes")),
    ("ruby", ("ruby", "-w", "-c")),
    ("ruby", ("rubocop", "--force-default-config")),
    ("php", ("phpcs", "--standard=PSR12")),
    ("perl", ("perltidy", "--assert-tidy", "-o", os.devnull)),
    ("c", ("clang-format", "--dry-run", "-Werror")),
    ("c", ("cc", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")),
    ("shell", ("shfmt", "-l")),
    ("shell", ("shellcheck",)),
]
#: What these print if nothing is wrong; the others print nothing.
APPROVALS = {"ruby": "Syntax OK", "rubocop": "no offenses detected"}

#: What a template needs besides the programs of its language, and a command that succeeds if it is there.
LIBRARIES = {
    "perl": ("the module URI", ["perl", "-MURI", "-e1"]),
    "c": ("Jansson", ["cc", "-ljansson", "-shared", "-o", os.devnull]),
}
#: A URL with every component of RFC 3986, section 3, and these components.
URL = "http://u:p@example.com:81/a/b?c=d#e"
COMPONENTS = {
    "scheme": "http",
    "authority": "u:p@example.com:81",
    "userinfo": "u:p",
    "host": "example.com",
    "port": "81",
    "path": "/a/b",
    "query": "c=d",
    "fragment": "e",
}


def missing(name: str) -> str:
    """Return what of a language is not installed, or an empty string."""
    language = LANGUAGES[name]
    absent = [program for program in language.needs if shutil.which(program) is None]
    if not absent and name in LIBRARIES:
        requirement, command = LIBRARIES[name]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            absent.append(requirement)
    return ", ".join(absent)


@pytest.fixture
def new_adapter(urlconform_process, tmp_path):
    """Return a function that writes an adapter and runs the printed commands that build it.

    It returns the name of the adapter in the commands that are printed next, which are those of the doctor
    and of a run. It skips the test if the language is not installed.
    """

    def create(name: str, *options: str) -> str:
        if absent := missing(name):
            text = f"{name}: there is no {absent}"
            if os.environ.get("CI") or os.environ.get("URLCONFORM_LANGUAGES") == "all":
                pytest.fail(text)
            pytest.skip(text)
        done = urlconform_process("adapters", "new", name, *options)
        assert done.stderr == ""
        assert done.returncode == 0
        *build, doctor, run = done.stdout.split("next:\n")[1].splitlines()
        for line in build:
            built = subprocess.run(
                ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
            )
            assert built.returncode == 0, built.stderr
        assert shlex.split(doctor)[:3] == ["urlconform", "adapters", "doctor"]
        words = shlex.split(run)
        assert words[:2] == ["urlconform", "run"]
        assert shlex.split(doctor)[3:] == words[2:]
        return words[2]

    return create


def ask(adapter: str, *questions: dict) -> list[Reply]:
    """Return the replies of an adapter to questions of these fields; fail if one is no reply."""
    client = open_client(find(adapter), Limits(start=60, case=60), "tests")
    asked_questions = [
        msgspec.convert({"type": "run", "id": 0, "spec": "rfc3986", **fields}, Question)
        for fields in questions
    ]
    replies = [reply for _, reply in client.ask(asked_questions)]
    client.close()
    assert [reply for reply in replies if not isinstance(reply, Reply)] == [], replies
    return replies


def check_parse(adapter: str) -> None:
    """Fail if an adapter gives wrong components, or answers what the template does not support."""
    parsed, *unsupported = ask(
        adapter,
        {"op": "parse", "url": URL},
        {"op": "parse", "url": {"hex": "ff"}},
        {"op": "parse", "spec": "rfc1738", "url": "http://h/"},
        {"op": "decode", "spec": "rfc1738", "url": "http://h/"},
    )
    assert parsed.components == {part: COMPONENTS[part] for part in parsed.components}
    assert {"scheme", "path", "query", "fragment"} <= parsed.components.keys()
    assert [reply.status for reply in unsupported] == ["unsupported"] * 3


def check_resolve(adapter: str) -> None:
    """Fail if an adapter resolves an example of RFC 3986, section 5.4.1, to another URL."""
    (resolved,) = ask(adapter, {"op": "resolve", "base": "http://a/b/c/d;p?q", "reference": "../g"})
    assert resolved.url == "http://a/b/g"


def check_validate(adapter: str) -> None:
    """Fail if an adapter refuses a URI, or accepts a relative reference as one, or all invalid texts."""
    texts = ("http://h/", "a/b", "http://[::1", "http://h:port/")
    replies = ask(adapter, *({"op": "validate", "rule": "URI", "url": text} for text in texts))
    valid, relative, *invalid = (reply.status for reply in replies)
    assert valid == "ok"
    assert relative == "reject"
    assert "reject" in invalid  # some libraries refuse one of them only


CHECKS = {"parse": check_parse, "resolve": check_resolve, "validate": check_validate}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name == "rust" else []) for name in LANGUAGES],
)
def test_a_template_builds_passes_the_doctor_answers_rightly_and_can_be_judged(
    new_adapter, urlconform_process, monkeypatch, tmp_path, name
):
    """All of this is one test, because some templates take long to build."""
    adapter = new_adapter(name)
    monkeypatch.chdir(tmp_path)
    report = examine(find(adapter), Patience(start=60, answer=60, measuring=0.02, slow=0))
    assert [check for check in report.checks if check.state not in ("ok", "skipped")] == []
    assert report.hello is not None
    assert report.hello.implementation.language in (name, "javascript")
    assert "parse" in report.hello.ops
    for operation in CHECKS.keys() & set(report.hello.ops):
        CHECKS[operation](adapter)
    done = urlconform_process("run", adapter, "--spec", "rfc3986", "--section", "3.4")
    assert done.returncode in (Exit.PASSED, Exit.FAILED), done.stderr


@pytest.mark.sampled(3)  # one build of a language is enough
@pytest.mark.parametrize("name", [name for name in LANGUAGES if name != "rust"])
def test_a_template_names_the_library_that_it_does_not_call_yet(new_adapter, monkeypatch, tmp_path, name):
    """Until somebody writes the calls, it answers no question."""
    adapter = new_adapter(name, "--library", "my url/2", "-o", "mine")
    monkeypatch.chdir(tmp_path)
    client = open_client(find(adapter), Limits(start=60, case=60), "tests")
    assert client.hello.implementation.name == "my url/2 (not called yet)"
    client.close()
    (reply,) = ask(adapter, {"op": "parse", "url": "http://h/"})
    assert reply.status == "unsupported"
    assert reply.message in ("my url/2 is not called yet", "")  # the one in shell has a comment


@pytest.mark.parametrize("library", [(), ("--library", "my url")], ids=["template", "library"])
@pytest.mark.parametrize(
    ("name", "tool"), [pytest.param(*tool, id=f"{tool[0]}-{tool[1][0]}") for tool in TOOLS]
)
def test_a_template_passes_formatter_and_linter(urlconform, tmp_path, name, tool, library):
    if shutil.which(tool[0]) is None:
        pytest.skip(f"there is no {tool[0]}")
    assert urlconform("adapters", "new", name, "-o", ".", *library).returncode == 0
    files = [file for file in LANGUAGES[name].files if not file.endswith(".toml")]
    done = subprocess.run([*tool, *files], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert is_approval(tool[0], done.stdout)


def is_approval(program: str, printed: str) -> bool:
    """Return True if a formatter or linter prints what it prints if nothing is wrong."""
    return APPROVALS[program] in printed if program in APPROVALS else printed == ""
