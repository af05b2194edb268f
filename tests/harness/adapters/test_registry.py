"""Adapters by name: bundled ones, and those of a function or a command."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from urlharness.adapters.catalogue import FROM_CACHE
from urlharness.adapters.registry import (
    BUNDLED,
    NotInstalled,
    UnknownAdapter,
    find,
    names_code,
    require_program,
)
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.sessions.client import open_client


@pytest.mark.parametrize("name", ["", "nope", "Reference", "python", "http://x/"])
def test_an_unknown_name_is_refused(name):
    with pytest.raises(UnknownAdapter, match=f"^no adapter named '{name}'; choose from "):
        find(name)


@pytest.mark.parametrize("name", ["python:module", "python::function", "python:module:"])
def test_a_function_without_a_name_or_a_module_is_refused(name):
    with pytest.raises(UnknownAdapter, match=f"^{name}: expected python:MODULE:FUNCTION$"):
        find(name)


@pytest.mark.parametrize("name", ["jsonl:'open", 'exec:"open', "jsonl:''x'"])
def test_a_command_with_an_open_quote_is_refused(name):
    with pytest.raises(UnknownAdapter, match=r"^cannot split the command .*: No closing quotation$"):
        find(name)


@pytest.mark.parametrize("name", ["jsonl:", "jsonl: ", "exec:", "python:"])
def test_an_incomplete_name_is_explained(name):
    kind = name.strip()
    with pytest.raises(UnknownAdapter, match=rf"^{kind} is not complete; expected {kind}[A-Z]"):
        find(name)


def test_a_similar_name_is_suggested():
    with pytest.raises(UnknownAdapter, match=r"^no adapter named 'urlib'; .*\. Did you mean 'urllib'\?$"):
        find("urlib")


def test_the_error_of_an_unknown_name_lists_the_kinds_of_names():
    with pytest.raises(UnknownAdapter, match=r"exec:COMMAND$"):
        find("nope")


@pytest.mark.parametrize("name", ["node-url", "java-net-uri", "lua-uri", "yarl@cache"])
def test_a_program_of_a_library_starts_in_an_empty_folder(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = find(name, tmp_path).working_folder()
    assert folder == tmp_path / "urlconform" / "empty"


@pytest.mark.parametrize("folder", [None, Path("/somewhere")], ids=["current", "configured"])
def test_a_program_of_the_user_starts_in_the_folder_of_the_user(folder):
    assert find("jsonl:./adapter", folder).working_folder() == folder


def test_without_an_empty_folder_the_program_of_a_library_does_not_start(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    for name in ("XDG_CACHE_HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    with pytest.raises(AdapterDead, match=r"^no folder to start node-url in: .*/file/.*: not a directory$"):
        find("node-url").working_folder()


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_adapter_is_found_by_its_name(name):
    assert find(name).name == name


@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param(r"x 'a b' c\ d", ["x", "a b", "c d"], id="blanks"),
        pytest.param(r"x a\$b 'a$b' 'a\$b'", ["x", "a$b", "a$b", r"a\$b"], id="dollar"),
        pytest.param(r'x "a\"b" "a\\b"', ["x", 'a"b', r"a\b"], id="escapes-in-double-quotes"),
        pytest.param(r'x "a\$b" "a\`b"', ["x", r"a\$b", r"a\`b"], id="no-escapes-in-double-quotes"),
        pytest.param(
            "x ~ * ${y} `z` && #", ["x", "~", "*", "${y}", "`z`", "&&", "#"], id="nothing-is-expanded"
        ),
    ],
)
def test_a_command_is_split_as_a_shell_splits_it(command, words):
    """docs/protocol.md: in double quotes a backslash escapes less than in a shell."""
    assert find(f"exec:{command}").command == words


def test_a_command_runs_without_a_shell(python, tmp_path):
    marker = tmp_path / "two words"
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    adapter = find(f"exec:{' '.join(python)} -c {code!r} '{marker}' '$HOME; false'")
    question = Question(id=0, op="validate", spec="rfc3986", rule="URI", url="a:b")
    ((_, reply),) = open_client(adapter, Limits(case=60), "tests").ask([question])
    assert reply == Reply(0, "ok")
    assert marker.read_text("ascii") == "$HOME; false"


@pytest.mark.parametrize(("name", "runtime"), [("node-url", "node"), ("java-net-uri", "java")])
def test_a_missing_runtime_is_named(name, runtime, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotInstalled, match=rf"^.+ \({runtime}\) is not on the PATH$"):
        find(name).command()


def test_a_program_that_is_required_and_missing_is_not_installed():
    with pytest.raises(NotInstalled, match=r"^it \(no-such-program\) is not on the PATH$"):
        require_program("no-such-program", "it")


@pytest.fixture
def compilations(monkeypatch, tmp_path):
    """The commands that compiled the Java adapter, of which a stub leaves the class in the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    commands = []

    def compile_class(words, **_):
        commands.append(words)
        _, _, folder, *_ = words
        Path(folder, "JavaNetUri.class").touch()

    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}")
    monkeypatch.setattr(subprocess, "run", compile_class)
    return commands


JAVA = BUNDLED["java-net-uri"]


def built_folder(cache):
    (folder,) = cache.glob("urlconform/programs/java_net_uri-*")
    return folder


@pytest.mark.usefixtures("compilations")
def test_the_java_adapter_is_run_from_its_class_in_the_cache(tmp_path):
    *_java_and_options, option, folder, class_name = JAVA.command()
    assert option == "-cp"
    assert folder == str(built_folder(tmp_path))
    assert class_name == "JavaNetUri"


def test_the_java_adapter_is_compiled_once(compilations):
    command = JAVA.command()
    assert JAVA.command() == command
    assert len(compilations) == 1


def test_the_java_adapter_is_compiled_again_if_the_cache_was_emptied(compilations, tmp_path):
    command = JAVA.command()
    shutil.rmtree(built_folder(tmp_path))
    assert JAVA.command() == command
    assert len(compilations) == 2


def test_the_source_of_the_java_adapter_is_run_if_the_compiler_fails(compilations, monkeypatch):
    def fail(words, **_):
        compilations.append(words)
        raise subprocess.CalledProcessError(1, words, "", "no space is left")

    monkeypatch.setattr(subprocess, "run", fail)
    assert JAVA.command()[-1].endswith("JavaNetUri.java")
    assert len(compilations) == 1


def test_the_source_of_the_java_adapter_is_run_without_a_compiler(compilations, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: "/bin/java" if program == "java" else None)
    assert JAVA.command()[-1].endswith("JavaNetUri.java")
    assert compilations == []


#: The name of an adapter, and whether it says what code to run.
NAMES = [
    pytest.param("urllib", False, id="bundled"),
    pytest.param("yarl", False, id="library"),
    pytest.param("requests", False, id="http-client"),
    pytest.param(f"yarl{FROM_CACHE}", False, id="library-in-the-cache"),
    pytest.param("python:a:b", True, id="python"),
    pytest.param("jsonl:./a", True, id="jsonl"),
    pytest.param("exec:./a", True, id="exec"),
    pytest.param("exec:yarl", True, id="command-with-the-name-of-a-library"),
    pytest.param("urllib exec:./a", True, id="unknown"),
]


@pytest.mark.parametrize(("name", "runs_code"), NAMES)
def test_names_that_run_code_are_recognised(name, runs_code):
    assert names_code(name) is runs_code
