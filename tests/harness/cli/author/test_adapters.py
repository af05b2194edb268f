"""`adapters list|new|doctor`: the list as table and JSON, a new adapter, the output of the doctor."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys

import pytest
from rich.console import Console

from urlharness.adapters.builds import Status
from urlharness.adapters.catalogue import catalogue, clients
from urlharness.adapters.registry import BUNDLED
from urlharness.cli import output
from urlharness.cli.author import adapters
from urlharness.exitcodes import Exit
from urlharness.install import transaction
from urlharness.install.transaction import Transaction

EXEC = """
import json, sys
question = json.load(sys.stdin)
if question["op"] != "validate" or question.get("rule") not in (None, "URI-reference"):
    sys.exit(3)
if isinstance(question["url"], dict):
    sys.exit(3)
sys.exit(1 if " " in question["url"] else 0)
"""


def test_the_list_is_printed_as_json(urlconform):
    """Each adapter is listed with its state, and with its hello if it runs."""
    done = urlconform("adapters", "list", "--json", env={"PATH": "/nowhere"})
    listed = {adapter["name"]: adapter for adapter in json.loads(done.stdout)}
    assert listed.keys() == {*BUNDLED, *catalogue(), *clients()}
    assert listed["reference"]["state"] == "ready"
    assert listed["reference"]["hello"]["implementation"]["name"] == "urloracle"
    assert listed["node-url"]["state"] == "not installed"
    assert listed["node-url"]["hello"] is None
    assert "not on the PATH" in listed["node-url"]["message"]


def test_the_list_shows_state_and_library(urlconform):
    text = urlconform("adapters", "list", env={"PATH": "/nowhere"}).stdout
    assert re.search(r"^ ?reference +ready +urloracle ", text, re.MULTILINE)
    assert re.search(r"^ ?java-net-uri +not installed +a Java runtime", text, re.MULTILINE)
    assert "jsonl:COMMAND" in text


def test_what_is_missing_is_said_once_below_the_table(monkeypatch):
    """A row has the version; programs that are missing and the commands that install follow."""
    root = Transaction("apt", (("apt-get", "install", "golang"),), ("go-net-url",), root=True)
    monkeypatch.setattr(transaction, "transactions", lambda _: [root])
    stream = io.StringIO()
    monkeypatch.setattr(output, "console", lambda: Console(width=80, file=stream))
    states = {
        "go-net-url": Status("no program", "go is not on the PATH"),
        "iri-string": Status("missing", "iri-string is not installed"),
        "uriparser": Status("not built", "the adapter program of c is not built"),
        "libcurl": Status("not built", "the adapter program of c is not built"),
        "yarl": Status("wrong version", "yarl==1 is expected, but 2 is installed"),
        "glib": Status("installed"),
        "uritools": Status("installed", "uritools==2 is expected, but 1 is installed", "1"),
        "fluent-uri": Status("no program", "cargo is not on the PATH"),
    }
    monkeypatch.setattr(adapters, "status", lambda entry: states[entry.name])
    versions = {"liburiparser-dev": "0.9.7-2"}
    listed = [adapters._listed_library(catalogue()[name], versions) for name in states]
    assert [entry.install for entry in listed][1:3] == [
        "urlconform adapters install iri-string", "urlconform adapters install uriparser"
    ]  # fmt: skip
    adapters._print_libraries(listed)
    rows = [line.strip() for line in stream.getvalue().splitlines()]
    assert sum("on the PATH" in row or "not built" in row for row in rows) == 1 + 2
    assert listed[6].version == "1"
    assert listed[6].install == ""  # it runs
    assert re.search(
        r"^uritools +python +wrong version +uritools==2 is expected", "\n".join(rows), re.MULTILINE
    )
    assert re.search(r"^iri-string +rust +missing +[\d.]+$", "\n".join(rows), re.MULTILINE)
    assert re.search(r"^go-net-url +go +no program +part of go$", "\n".join(rows), re.MULTILINE)
    assert re.search(r"^uriparser +c +not built +0.9.7-2$", "\n".join(rows), re.MULTILINE)
    assert re.search(r"^yarl +python +wrong version +yarl==1 is expected", "\n".join(rows), re.MULTILINE)
    assert rows[-8:] == [
        "Not on the PATH: go, cargo",
        "To install the default set: urlconform adapters install --set default",
        "To install all that is missing:",
        "apt-get install golang  (as root)",
        "urlconform adapters install uriparser libcurl",
        "urlconform adapters install go-net-url",
        "urlconform adapters install yarl",
        "urlconform adapters install fluent-uri iri-string",
    ]


def test_nothing_is_proposed_if_nothing_is_missing(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(output, "console", lambda: Console(width=80, file=stream))
    adapters._print_libraries([adapters.ListedAdapter("glib", "installed")])
    assert stream.getvalue().rstrip().endswith("All libraries are installed.")


@pytest.mark.parametrize("width", [40, 120])
def test_names_are_whole_in_a_list(monkeypatch, width):
    """The printed commands can be run as they are."""
    stream = io.StringIO()
    monkeypatch.setattr(output, "console", lambda: Console(width=width, file=stream))
    adapters._print_table([adapters.ListedAdapter(name, "not installed", "x") for name in BUNDLED])
    listing = stream.getvalue()
    assert [name for name in BUNDLED if f" {name} " not in listing] == []


def test_new_overwrites_nothing(urlconform, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "Cargo.toml").write_text("mine", "utf-8")
    done = urlconform("adapters", "new", "rust", "-o", "there")
    assert "there/Cargo.toml" in done.stderr
    assert done.returncode == Exit.USAGE
    assert [path.name for path in (tmp_path / "there").rglob("*")] == ["Cargo.toml"]


def test_new_names_a_similar_language(urlconform, tmp_path):
    done = urlconform("adapters", "new", "pyhton", "-o", "there")
    assert not (tmp_path / "there").exists()
    assert "Did you mean 'python'?" in done.stderr
    assert done.returncode == Exit.USAGE
    assert "Did you mean" not in urlconform("adapters", "new", "cobol").stderr


@pytest.mark.parametrize("arguments", [("new", "cobol"), ("new", "python", "--library", 'a"b'), ("new",)])
def test_a_mistake_is_one_line_and_writes_nothing(urlconform, tmp_path, arguments):
    done = urlconform("adapters", *arguments)
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.USAGE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", [".", "a b", "it's"])
def test_the_commands_of_new_fit_the_folder(urlconform, tmp_path, folder):
    """The last command quotes the adapter as one word, even if the folder has a space in its name."""
    done = urlconform("adapters", "new", "c", "-o", folder)
    words = shlex.split(done.stdout.splitlines()[-1])
    assert words[:2] == ["urlconform", "run"]
    (command,) = shlex.split(words[2].removeprefix("jsonl:"))
    assert (tmp_path / command).parent.resolve() == (tmp_path / folder).resolve()


#: An adapter, the exit code of the doctor, and a part of its output.
EXAMINED = [
    pytest.param(
        f"exec:{sys.executable} -I -S one.py",
        Exit.PASSED,
        "OK: failures in a run are failures of the library",
    ),
    pytest.param("exec:sh -c 'exit 7'", Exit.ADAPTER_DEAD, "broken in "),
    pytest.param("jsonl:./nope", Exit.ADAPTER_DEAD, "./nope: no such file"),
    pytest.param("python:mine:wrong", Exit.ADAPTER_DEAD, "not a reply: "),
]


@pytest.mark.parametrize(("name", "code", "words"), EXAMINED, ids=["whole", "exec", "missing", "function"])
def test_the_doctor_ends_with_the_code_of_its_diagnosis(urlconform, tmp_path, name, code, words):
    (tmp_path / "one.py").write_text(EXEC, "utf-8")
    (tmp_path / "mine.py").write_text("def wrong(q):\n    pass\n", "utf-8")
    done = urlconform("adapters", "doctor", name, "--check", "operations", "--check", "ids")
    assert done.stderr == "", done.stdout
    assert done.returncode == code, done.stdout
    assert words in done.stdout


def test_the_doctor_may_do_one_check(urlconform):
    done = urlconform("adapters", "doctor", "urllib", "--check", "NUL")
    assert [line.split()[0] for line in done.stdout.splitlines()[:2]] == ["hello", "NUL"]
    unknown = urlconform("adapters", "doctor", "urllib", "--check", "nothing")
    assert "long line" in unknown.stderr
    assert unknown.returncode == Exit.USAGE


def test_the_doctor_prints_json(urlconform):
    done = urlconform("adapters", "doctor", "exec:echo fine", "--json")
    report = json.loads(done.stdout)
    assert report["healthy"] is False
    assert report["adapter"] == "exec:echo fine"
    assert done.returncode == Exit.ADAPTER_DEAD
    (first, *_) = report["checks"]
    assert first["name"] == "operations"
    assert first["state"] == "broken"


def test_the_doctor_says_that_a_runtime_is_not_installed(urlconform):
    done = urlconform("adapters", "doctor", "node-url", env={"PATH": "/nowhere"})
    assert "not installed" in done.stderr
    assert done.returncode == Exit.NOTHING_RAN


def test_a_file_of_the_current_folder_hides_no_module_of_python(urlconform, tmp_path):
    (tmp_path / "array.py").write_text("raise SystemExit('shadowed')\n", "utf-8")
    (tmp_path / "mine.py").write_text("def answer(q):\n    return {'status': 'unsupported'}\n", "utf-8")
    done = urlconform("adapters", "doctor", "python:mine:answer", "--check", "NUL", "--start-timeout", "30")
    assert "shadowed" not in done.stdout
    assert done.returncode == Exit.PASSED


def test_the_doctor_gives_a_function_the_environment_of_a_run(urlconform, tmp_path):
    body = "import os\nos.environ['MY_KEY']\ndef answer(q): return {'status': 'unsupported'}\n"
    (tmp_path / "mine.py").write_text(body, "utf-8")
    doctor = ("adapters", "doctor", "python:mine:answer", "--check", "NUL")
    run = ("run", "python:mine:answer", "--spec", "1808", "-k", "5.1-segment")
    for arguments in (doctor, run):
        done = urlconform(*arguments, env={"MY_KEY": "x"})
        assert "KeyError: 'MY_KEY'" in done.stdout + done.stderr
        assert done.returncode == Exit.ADAPTER_DEAD
