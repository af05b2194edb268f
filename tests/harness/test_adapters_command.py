"""`urlconform adapters`: the list for readers and programs, a new adapter, and the doctor as a command."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys

import pytest
from rich.console import Console

from urlharness.adapters.registry import BUNDLED
from urlharness.adapters.scaffold import LANGUAGES, ScaffoldError, create_adapter
from urlharness.cli import adapters, output

pytestmark = pytest.mark.once


def test_list_as_json(urlconform):
    """Each adapter with its state; what it says of itself where it runs."""
    done = urlconform("adapters", "list", "--json", env={"PATH": "/nowhere"})
    listed = {one["name"]: one for one in json.loads(done.stdout)}
    assert listed.keys() == {"reference", "urllib", "node-url", "java-net-uri"}
    assert listed["reference"]["state"] == "ready"
    assert listed["reference"]["hello"]["implementation"]["name"] == "urloracle"
    assert listed["node-url"]["state"] == "not installed"
    assert listed["node-url"]["hello"] is None
    assert "not on the PATH" in listed["node-url"]["message"]


def test_list_for_readers(urlconform):
    text = urlconform("adapters", "list", env={"PATH": "/nowhere"}).stdout
    assert [
        line.split()[1] for line in text.splitlines() if line.split()[:1] in (["reference"], ["urllib"])
    ] == [
        "ready",
        "ready",
    ]
    assert "jsonl:COMMAND" in text


@pytest.mark.parametrize("width", [30, 40, 79, 120])
def test_names_are_whole_in_a_list(monkeypatch, width):
    """However narrow the terminal, since they are there to be typed."""
    stream = io.StringIO()
    monkeypatch.setattr(output, "console", lambda: Console(width=width, file=stream))
    adapters.show_list(as_json=False)
    shown = stream.getvalue()
    assert all(f" {name} " in shown for name in BUNDLED)
    assert "…" not in shown


def test_nothing_is_overwritten(urlconform, tmp_path):
    """Not one file is written where one is there already."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "Cargo.toml").write_text("mine", "utf-8")
    done = urlconform("adapters", "new", "rust", "-o", "there")
    assert done.returncode == 2
    assert "there/Cargo.toml is there already" in done.stderr
    assert [path.name for path in (tmp_path / "there").rglob("*")] == ["Cargo.toml"]


@pytest.mark.parametrize("arguments", [("new", "cobol"), ("new", "python", "--library", 'a"b'), ("new",)])
def test_wrong_use(urlconform, tmp_path, arguments):
    done = urlconform("adapters", *arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", [".", "a b", "it's"])
def test_the_commands_fit_the_folder(urlconform, tmp_path, folder):
    """Whatever the name of the folder, the last command has the adapter as one word."""
    done = urlconform("adapters", "new", "c", "-o", folder)
    words = shlex.split(done.stdout.splitlines()[-1])
    assert words[:2] == ["urlconform", "run"]
    (command,) = shlex.split(words[2].removeprefix("jsonl:"))
    assert (tmp_path / command).parent.resolve() == (tmp_path / folder).resolve()


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_library_has_its_place(tmp_path, name):
    """In each template the name of the library and the place of its call are found, each once."""
    begun = create_adapter(LANGUAGES[name], tmp_path / "x", "libmine")
    text = begun.files[0].read_text("utf-8")
    assert text.count("libmine (not called yet)") == text.count("libmine is not called yet") == 1
    whole = create_adapter(LANGUAGES[name], tmp_path / "y").files[0].read_text("utf-8")
    assert len(text.splitlines()) <= len(whole.splitlines()) + 1


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_library_that_is_not_called_claims_nothing(tmp_path, name):
    """No RFC in the hello, and a version that nobody takes for one."""
    text = create_adapter(LANGUAGES[name], tmp_path / "x", "libmine").files[0].read_text("utf-8")
    assert len(re.findall(r"""version\\?["']?(?:\s*=>|:|,)\s*\\?["']fill in""", text)) == 1
    claimed = re.search(r"""specs\\?["']?\s*(?:=>|:|,)\s*(.*?)(?:,? *$|\}|,\\?["' ])""", text, re.MULTILINE)
    assert claimed is not None
    assert "rfc" not in claimed[1]


@pytest.mark.parametrize("library", ['"', "'", "a\nb", "$x", "\\", "{}", "<b>", " x", "x" * 100])
def test_a_name_that_would_break_the_text(tmp_path, library):
    with pytest.raises(ScaffoldError, match="a library name has letters"):
        create_adapter(LANGUAGES["go"], tmp_path, library)


EXEC = """
import json, sys
question = json.load(sys.stdin)
if question["op"] != "validate" or question.get("rule") not in (None, "URI-reference"):
    sys.exit(3)
if isinstance(question["url"], dict):
    sys.exit(3)
sys.exit(1 if " " in question["url"] else 0)
"""

#: An adapter, and the exit code of the doctor with a word of what it says.
EXAMINED = [
    pytest.param(f"exec:{sys.executable} -I -S one.py", 0, "healthy", id="exec"),
    pytest.param("exec:sh -c 'exit 7'", 3, "exit code 7 is neither 0, 1 nor 3", id="exec-status"),
    pytest.param("exec:echo fine", 3, "no answer on stdout", id="exec-talk"),
    pytest.param("exec:sh -c 'kill -9 $$'", 3, "killed by SIGKILL", id="exec-signal"),
    pytest.param("exec:yes", 3, "it writes without end", id="exec-endless"),
    pytest.param("jsonl:yes", 3, "is it a banner?", id="jsonl-endless"),
    pytest.param("exec:./nope", 3, "./nope: No such file", id="exec-missing"),
    pytest.param("jsonl:./nope", 3, "./nope: No such file", id="jsonl-missing"),
    pytest.param("python:mine:answer", 0, "healthy", id="function"),
    pytest.param("python:mine:wrong", 3, "not a reply: ", id="function-none"),
    pytest.param("python:mine:nothing", 3, "no attribute", id="function-missing"),
]


@pytest.mark.parametrize(("name", "code", "words"), EXAMINED)
def test_doctor(urlconform, tmp_path, name, code, words):
    """Every kind of adapter, whole and broken; a broken one ends with 3 and says how to see it."""
    (tmp_path / "one.py").write_text(EXEC, "utf-8")
    mine = "def answer(q):\n    return {'status': 'unsupported'}\n\ndef wrong(q):\n    pass\n"
    (tmp_path / "mine.py").write_text(mine, "utf-8")
    done = urlconform("adapters", "doctor", name, "--timeout", "30")
    assert (done.returncode, done.stderr) == (code, ""), done.stdout
    assert words in done.stdout
    assert ("docs/protocol.md" in done.stdout) or code == 0


def test_the_current_folder_is_no_place_of_modules(urlconform, tmp_path):
    """A file there that is called like a module of Python hinders neither what is bundled nor a function."""
    (tmp_path / "array.py").write_text("raise SystemExit('shadowed')\n", "utf-8")
    (tmp_path / "mine.py").write_text("def answer(q):\n    return {'status': 'unsupported'}\n", "utf-8")
    for name in ("reference", "python:mine:answer"):
        done = urlconform("adapters", "doctor", name, "--check", "NUL", "--start-timeout", "30")
        assert (done.returncode, "shadowed" in done.stdout) == (0, False), name


def test_a_function_has_the_environment_of_a_run(urlconform, tmp_path):
    """Which is that of a program; what it imports is found from here, by PYTHONPATH as well."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lying_elsewhere.py").touch()
    body = "import lying_elsewhere, os\nos.environ[{!r}]\ndef answer(q): return {{'status': 'unsupported'}}\n"
    env = {"MY_KEY": "x", "PYTHONPATH": str(tmp_path / "elsewhere")}
    doctor = ("adapters", "doctor", "python:mine:answer", "--check", "NUL", "--start-timeout", "30")
    run = ("run", "python:mine:answer", "--spec", "1808", "--section", "5.1")
    for variable, codes in (("PATH", (0, 5)), ("MY_KEY", (3, 3))):
        (tmp_path / "mine.py").write_text(body.format(variable), "utf-8")
        ended = [urlconform(*arguments, env=env) for arguments in (doctor, run)]
        assert tuple(done.returncode for done in ended) == codes
        assert all(("KeyError: 'MY_KEY'" in done.stdout + done.stderr) == (3 in codes) for done in ended)


def test_doctor_of_what_is_not_installed(urlconform):
    done = urlconform("adapters", "doctor", "node-url", env={"PATH": "/nowhere"})
    assert (done.returncode, "not installed" in done.stderr) == (5, True)


def test_doctor_of_one_check(urlconform):
    """One check may be asked for again; of a name that none has, there is a list."""
    done = urlconform("adapters", "doctor", "urllib", "--check", "NUL")
    assert [line.split()[0] for line in done.stdout.splitlines()[:2]] == ["hello", "NUL"]
    unknown = urlconform("adapters", "doctor", "urllib", "--check", "nothing")
    assert (unknown.returncode, "long line" in unknown.stderr) == (2, True)


def test_doctor_as_json(urlconform):
    done = urlconform("adapters", "doctor", "exec:echo fine", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["healthy"], report["adapter"]) == (3, False, "exec:echo fine")
    (first, *_) = report["checks"]
    assert (first["name"], first["state"]) == ("operations", "broken")
    assert re.search(r'\| env -i PATH="\$PATH" .* echo fine; echo "exit code \$\?"$', first["reproduce"])
