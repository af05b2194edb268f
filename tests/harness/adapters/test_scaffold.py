"""The templates of `adapters new`: complete, and changed for another library."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from urlharness.adapters.scaffold import LANGUAGES, ScaffoldError, create_adapter

#: What a window of a code review shows without scrolling.
WIDEST = 120
TEMPLATES = Path(str(resources.files("urlharness.adapters"))) / "templates"


def files_of_template(name):
    """Return the files in the folder of a template."""
    return [path for path in (TEMPLATES / name).rglob("*") if path.is_file() and path.suffix != ".pyc"]


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_template_has_the_files_of_its_language_and_no_others(name):
    names = {path.relative_to(TEMPLATES / name).as_posix() for path in files_of_template(name)}
    assert names == set(LANGUAGES[name].files)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_template_says_where_the_library_goes(name):
    program, *_ = LANGUAGES[name].files
    assert (TEMPLATES / name / program).read_text("utf-8").count("Your library goes here") == 1


@pytest.mark.parametrize("word", ["rfc3987", "to_uri", "to_iri"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_template_says_how_a_library_of_iris_is_added(name, word):
    program, *_ = LANGUAGES[name].files
    assert word in (TEMPLATES / name / program).read_text("utf-8")


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_template_answers_under_rfc_3987_once_its_specs_have_it(name):
    """It names the RFC in its comment, and where it looks at the RFC of a question."""
    program, *_ = LANGUAGES[name].files
    assert (TEMPLATES / name / program).read_text("utf-8").count("3987") == 2


#: The fields of a question about an IRI, and the status of the answer of the template in Python.
IRI_QUESTIONS = {
    "parse": ({"op": "parse", "url": "http://a/\u00e9"}, "ok"),
    "absolute": ({"op": "validate", "rule": "IRI", "url": "x:\u00e9"}, "ok"),
    "relative-is-not-absolute": ({"op": "validate", "rule": "IRI", "url": "\u00e9"}, "reject"),
    "relative": ({"op": "validate", "rule": "IRI-reference", "url": "\u00e9"}, "ok"),
    "component": ({"op": "validate", "rule": "isegment", "url": "\u00e9"}, "unsupported"),
}


@pytest.mark.parametrize("name", IRI_QUESTIONS)
def test_the_template_in_python_answers_about_iris(name):
    fields, status = IRI_QUESTIONS[name]
    question = json.dumps({"type": "run", "id": 1, "spec": "rfc3987", **fields})
    program = TEMPLATES / "python" / "adapter.py"
    done = subprocess.run(
        [sys.executable, program], input=question, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["status"] == status


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_template_has_no_long_lines(name):
    lines = []
    for path in files_of_template(name):
        lines += path.read_text("utf-8").splitlines()
    assert lines != []
    assert [line for line in lines if len(line) > WIDEST] == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_adapter_for_another_library_says_that_it_is_not_called_yet(tmp_path, name):
    first, *_ = create_adapter(LANGUAGES[name], tmp_path, "my url").files
    text = first.read_text("utf-8")
    assert "my url (not called yet)" in text
    assert text.count("my url is not called yet") == 1
    assert "fill in" in text


#: The lines of a template with the name of the library and of what it offers.
MOST_CHANGED_LINES = 6


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_adapter_for_another_library_is_the_template_but_for_a_few_lines(tmp_path, name):
    program, *_ = create_adapter(LANGUAGES[name], tmp_path, "my url").files
    lines = program.read_text("utf-8").splitlines()
    template = (TEMPLATES / name / program.relative_to(tmp_path)).read_text("utf-8").splitlines()
    removed_lines = [line for line in template if line not in lines]
    added_lines = [line for line in lines if line not in template]
    assert 1 <= len(removed_lines) <= MOST_CHANGED_LINES
    assert 1 <= len(added_lines) <= MOST_CHANGED_LINES


def test_every_template_has_its_language():
    assert {path.name for path in TEMPLATES.iterdir()} == set(LANGUAGES)


def test_the_commands_of_a_new_adapter_name_its_folder(tmp_path):
    adapter_files = create_adapter(LANGUAGES["go"], tmp_path / "two words")
    assert adapter_files.build == (
        "go",
        "build",
        "-o",
        f"{tmp_path}/two words/adapter",
        f"{tmp_path}/two words/adapter.go",
    )
    assert adapter_files.adapter == f"jsonl:'{tmp_path}/two words/adapter'"


def test_the_files_of_a_new_adapter_begin_with_its_program(tmp_path):
    program, *_ = create_adapter(LANGUAGES["go"], tmp_path / "two words").files
    assert program == tmp_path / "two words" / "adapter.go"


def test_in_a_go_module_the_folder_is_built(tmp_path, monkeypatch):
    """This is the line of docs/gating.md."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "go.mod").write_text("module example\n", "utf-8")
    build = create_adapter(LANGUAGES["go"], Path("conformance")).build
    assert " ".join(build) == "go build -o conformance/adapter ./conformance"


@pytest.mark.parametrize("name", [name for name, language in LANGUAGES.items() if language.build])
def test_git_ignores_what_a_build_makes(tmp_path, name):
    language = LANGUAGES[name]
    create_adapter(language, tmp_path / "mine")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    built = [f"mine/{path}" for path in language.built]
    for path in built:
        (tmp_path / path).touch()
    done = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    sources = {f"?? mine/{path}" for path in (*language.files, ".gitignore")}
    assert set(done.stdout.splitlines()) == sources


def test_a_gitignore_of_the_user_is_left_alone(tmp_path):
    (tmp_path / ".gitignore").write_text("mine\n", "utf-8")
    create_adapter(LANGUAGES["go"], tmp_path)
    assert (tmp_path / ".gitignore").read_text("utf-8") == "mine\n"


@pytest.mark.parametrize("name", LANGUAGES)
def test_only_a_language_with_a_build_has_something_to_ignore(name):
    language = LANGUAGES[name]
    assert bool(language.built) == bool(language.build)


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "Cargo.toml").write_text("mine", "utf-8")
    with pytest.raises(ScaffoldError, match="exists already"):
        create_adapter(LANGUAGES["rust"], tmp_path)
    assert [*tmp_path.iterdir()] == [tmp_path / "Cargo.toml"]
    assert (tmp_path / "Cargo.toml").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    "library", ['"', "a\nb", "x" * 81, "-x"], ids=["quote", "line-end", "long", "looks-like-an-option"]
)
def test_a_library_name_that_is_unsafe_in_a_program_is_refused(tmp_path, library):
    with pytest.raises(ScaffoldError, match="is not a library name: use letters"):
        create_adapter(LANGUAGES["go"], tmp_path, library)
    assert [*tmp_path.iterdir()] == []
