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
from urlharness.cli.author.adapters import ListedAdapter
from urlharness.doctor.checks import CHECKS
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


@pytest.fixture
def forked_servers():
    """Start adapters as the command does: that is what these tests are about."""


@pytest.fixture
def listed_as_json(urlconform):
    """The adapters of `adapters list --json`, by name; no program of a language is installed."""
    done = urlconform("adapters", "list", "--json", env={"PATH": "/nowhere"})
    return {adapter["name"]: adapter for adapter in json.loads(done.stdout)}


def test_the_json_list_has_every_adapter(listed_as_json):
    assert listed_as_json.keys() == {*BUNDLED, *catalogue(), *clients()}


def test_the_json_list_has_the_hello_of_an_adapter_that_runs(listed_as_json):
    reference = listed_as_json["reference"]
    assert reference["state"] == "ready"
    assert reference["hello"]["implementation"]["name"] == "urloracle"


def test_every_adapter_of_the_json_list_has_its_language(listed_as_json):
    assert [name for name, adapter in listed_as_json.items() if not adapter["language"]] == []


@pytest.mark.parametrize("name", ["reference", "urllib"])
def test_an_adapter_that_runs_has_the_language_and_version_of_its_hello(listed_as_json, name):
    about = listed_as_json[name]["hello"]["implementation"]
    assert listed_as_json[name]["language"] == about["language"]
    assert listed_as_json[name]["version"] == about["version"]


def test_the_json_list_says_why_an_adapter_does_not_run(listed_as_json):
    node_url = listed_as_json["node-url"]
    assert node_url["state"] == "not installed"
    assert node_url["hello"] is None
    assert node_url["message"] == "Node.js (node) is not on the PATH"


def test_the_list_shows_state_and_library(urlconform):
    text = urlconform("adapters", "list", env={"PATH": "/nowhere"}).stdout
    assert re.search(r"^ ?reference +ready +urloracle ", text, re.MULTILINE)
    assert re.search(r"^ ?java-net-uri +not installed +a Java runtime", text, re.MULTILINE)
    assert "jsonl:COMMAND" in text


@pytest.fixture
def list_library(monkeypatch):
    """Return a function that lists a library in this state; the C library of uriparser is installed."""

    def listed_in_state(name, status):
        monkeypatch.setattr(adapters, "status", lambda _: status)
        return adapters._listed_library(catalogue()[name], {"liburiparser-dev": "0.9.7-2"})

    return listed_in_state


def test_a_library_that_is_missing_is_listed_with_its_command_and_the_version_to_install(list_library):
    listed = list_library("iri-string", Status("missing", "iri-string is not installed"))
    assert listed.state == "missing"
    assert listed.version == ""
    assert listed.wanted == catalogue()["iri-string"].version
    assert listed.install == "urlconform adapters install iri-string"


def test_a_library_of_debian_is_listed_with_the_version_of_its_package(list_library):
    assert list_library("uriparser", Status("not built", "c is not built")).version == "0.9.7-2"


def test_a_library_that_is_installed_needs_no_command(list_library):
    assert list_library("glib", Status("installed")).install == ""


def test_a_wrong_version_in_the_python_environment_is_listed_and_needs_no_command(list_library):
    """It runs."""
    listed = list_library("uritools", Status("installed", "uritools==2 is expected, but 1 is installed", "1"))
    assert listed.state == "wrong version"
    assert listed.version == "1"
    assert listed.install == ""


@pytest.fixture
def printed_libraries(monkeypatch):
    """Return a function that returns the list of libraries in 80 columns, without blanks at line ends."""

    def print_libraries(*libraries):
        stream = io.StringIO()
        monkeypatch.setattr(output, "console", lambda: Console(width=80, file=stream))
        adapters._print_libraries(libraries)
        lines = stream.getvalue().strip().splitlines()
        return "".join(f"{line.rstrip()}\n" for line in lines)

    return print_libraries


#: A library in each state, in which only glib and uritools need no installation.
LISTED_LIBRARIES = [
    ListedAdapter("go-net-url", "no program", "go is not on the PATH", install="x"),
    ListedAdapter("iri-string", "missing", "iri-string is not installed", version="0.7", install="x"),
    ListedAdapter("uriparser", "not built", "c is not built", version="0.9.7-2", install="x"),
    ListedAdapter("libcurl", "not built", "c is not built", version="8", install="x"),
    ListedAdapter(
        "yarl", "wrong version", "yarl==1 is expected, but 2 is installed", version="2", install="x"
    ),
    ListedAdapter("glib", "installed", version="2.84"),
    ListedAdapter("uritools", "wrong version", "uritools==2 is expected, but 1 is installed", version="1"),
    ListedAdapter("fluent-uri", "no program", "cargo is not on the PATH", version="0.4", install="x"),
]

#: What is printed of them; the first command is that of a transaction of the test.
LISTED_TEXT = """\
library      language   state           version
 ──────────────────────────────────────────────────────────────────────────────
 go-net-url   go         no program      part of go
 iri-string   rust       missing         0.7
 uriparser    c          not built       0.9.7-2
 libcurl      c          not built       8
 yarl         python     wrong version   yarl==1 is expected, but 2 is
                                         installed
 glib         c          installed       2.84
 uritools     python     wrong version   uritools==2 is expected, but 1 is
                                         installed
 fluent-uri   rust       no program      0.4

Not on the PATH: go, cargo
To install the default set: urlconform adapters install --set default
To install all that is missing:
  apt-get install golang  (as root)
  urlconform adapters install uriparser libcurl
  urlconform adapters install go-net-url
  urlconform adapters install yarl
  urlconform adapters install fluent-uri iri-string
"""


def test_libraries_are_listed_above_the_commands_that_install_them(monkeypatch, printed_libraries):
    golang = Transaction("apt", (("apt-get", "install", "golang"),), ("go-net-url",), root=True)
    monkeypatch.setattr(transaction, "transactions", lambda _: [golang])
    assert printed_libraries(*LISTED_LIBRARIES) == LISTED_TEXT


NOTHING_MISSING_TEXT = """\
library   language   state       version
 ────────────────────────────────────────
 glib      c          installed   2.84

All libraries are installed.
"""


def test_nothing_is_proposed_if_nothing_is_missing(printed_libraries):
    assert printed_libraries(ListedAdapter("glib", "installed", version="2.84")) == NOTHING_MISSING_TEXT


@pytest.mark.parametrize("width", [40, 120])
def test_names_are_whole_in_a_list(monkeypatch, width):
    stream = io.StringIO()
    monkeypatch.setattr(output, "console", lambda: Console(width=width, file=stream))
    adapters._print_bundled([ListedAdapter(name, "not installed", "x") for name in BUNDLED])
    listing = stream.getvalue()
    assert [name for name in BUNDLED if f" {name} " not in listing] == []


def test_new_overwrites_nothing(urlconform, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "Cargo.toml").write_text("mine", "utf-8")
    done = urlconform("adapters", "new", "rust", "-o", "there")
    assert "there/Cargo.toml exists already and is not overwritten" in done.stderr
    assert done.returncode == Exit.USAGE
    assert [path.name for path in (tmp_path / "there").rglob("*")] == ["Cargo.toml"]
    assert (tmp_path / "there" / "Cargo.toml").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("language", "suggestions"),
    [("pyhton", ["python"]), ("cobol", [])],
    ids=["misspelled", "like-no-other"],
)
def test_new_names_a_similar_language(urlconform, language, suggestions):
    done = urlconform("adapters", "new", language)
    assert re.findall(r"Did you mean '(.*)'\?", done.stderr) == suggestions


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("javascript", "adapter.mjs"),
        ("typescript", "adapter.mjs"),
        ("Go", "adapter.go"),
        ("bash", "adapter.sh"),
    ],
)
def test_new_knows_a_language_by_another_name(urlconform, tmp_path, name, file):
    assert urlconform("adapters", "new", name, "-o", "there").returncode == Exit.PASSED
    assert (tmp_path / "there" / file).is_file()


#: The arguments of `new`, and a part of the message.
MISTAKES = [
    pytest.param(["cobol"], "'cobol' is not one of python, node", id="unknown-language"),
    pytest.param(["pyhton"], "'pyhton' is not one of python, node", id="misspelled-language"),
    pytest.param(["python", "--library", 'a"b'], "is not a library name", id="library-with-a-quote"),
    pytest.param([], "Missing argument 'LANGUAGE'", id="no-language"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_new_refuses_a_mistake_in_one_line_and_writes_nothing(urlconform, tmp_path, arguments, message):
    done = urlconform("adapters", "new", *arguments)
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert done.returncode == Exit.USAGE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", [".", "a b", "it's"])
def test_the_commands_of_new_fit_the_folder(urlconform, tmp_path, folder):
    """The last command quotes the adapter as one word."""
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
        id="healthy",
    ),
    pytest.param("exec:sh -c 'exit 7'", Exit.ADAPTER_DEAD, "broken in ", id="broken-program"),
    pytest.param("jsonl:./nope", Exit.ADAPTER_DEAD, "./nope: no such file", id="no-program"),
    pytest.param("python:mine:wrong", Exit.ADAPTER_DEAD, "not a reply: ", id="broken-function"),
]


@pytest.mark.parametrize(("name", "code", "words"), EXAMINED)
def test_the_doctor_ends_with_the_code_of_its_diagnosis(urlconform, tmp_path, name, code, words):
    (tmp_path / "one.py").write_text(EXEC, "utf-8")
    (tmp_path / "mine.py").write_text("def wrong(q):\n    pass\n", "utf-8")
    done = urlconform("adapters", "doctor", name, "--check", "operations", "--check", "ids")
    assert done.stderr == "", done.stdout
    assert done.returncode == code, done.stdout
    assert words in done.stdout


def test_the_doctor_may_do_one_check(urlconform):
    """The hello is always examined."""
    done = urlconform("adapters", "doctor", "urllib", "--check", "NUL", "--json")
    assert [check["name"] for check in json.loads(done.stdout)["checks"]] == ["hello", "NUL"]


def test_the_doctor_refuses_an_unknown_check_and_lists_all(urlconform):
    done = urlconform("adapters", "doctor", "urllib", "--check", "nothing")
    assert f"choose from {', '.join(check.name for check in CHECKS)} (" in done.stderr
    assert done.returncode == Exit.USAGE


def test_the_doctor_prints_its_diagnosis_as_json(urlconform):
    done = urlconform("adapters", "doctor", "exec:echo fine", "--json")
    report = json.loads(done.stdout)
    assert report["adapter"] == "exec:echo fine"
    assert report["healthy"] is False
    states = {check["name"]: check["state"] for check in report["checks"]}
    assert states["operations"] == "broken"
    assert done.returncode == Exit.ADAPTER_DEAD


def test_the_doctor_says_that_a_runtime_is_not_installed(urlconform):
    done = urlconform("adapters", "doctor", "node-url", env={"PATH": "/nowhere"})
    assert done.stderr == "urlconform: not installed: Node.js (node) is not on the PATH\n"
    assert done.returncode == Exit.NOTHING_RAN


def test_a_file_of_the_current_folder_hides_no_module_of_python(urlconform, tmp_path):
    (tmp_path / "array.py").write_text("raise SystemExit('shadowed')\n", "utf-8")
    (tmp_path / "mine.py").write_text("def answer(q):\n    return {'status': 'unsupported'}\n", "utf-8")
    done = urlconform("adapters", "doctor", "python:mine:answer", "--check", "NUL", "--start-timeout", "30")
    assert "shadowed" not in done.stdout
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize(
    "command",
    [
        ("adapters", "doctor", "python:mine:answer", "--check", "NUL"),
        ("run", "python:mine:answer", "--spec", "1808", "-k", "5.1-segment"),
    ],
    ids=["doctor", "run"],
)
def test_a_function_gets_no_variable_of_the_environment_that_it_does_not_need(urlconform, tmp_path, command):
    body = "import os\nos.environ['MY_KEY']\ndef answer(q): return {'status': 'unsupported'}\n"
    (tmp_path / "mine.py").write_text(body, "utf-8")
    done = urlconform(*command, env={"MY_KEY": "x"})
    assert "KeyError: 'MY_KEY'" in done.stdout + done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD
