"""The corpus of an installed package is never written to, unless --vectors names it."""

from __future__ import annotations

import shutil

import click
import pytest

from urlharness.corpus import model
from urlharness.exitcodes import Exit


@pytest.fixture(params=["site-packages", "dist-packages"])
def installed(part, tmp_path, monkeypatch, request):
    """The default corpus, installed where pip puts it."""
    root = shutil.copytree(part, tmp_path / "lib" / request.param / "urlvectors")
    shutil.copytree(model.corpus_dir() / "schemas", root / "schemas")
    monkeypatch.setattr(model, "corpus_dir", lambda: root)
    return root


ADDED = (
    *("add", "--requirement", "rfc1808-5.1-opaque", "--slug", "new"),
    *("--op", "resolve", "--base", "http://a/b", "--reference", "new"),
    *("--expect", '{"result": "http://a/new"}'),
)
WRITING = [
    pytest.param((*ADDED, "--write"), id="add"),
    pytest.param(("fmt",), id="fmt"),
    pytest.param(("lock",), id="lock"),
    pytest.param(("lock", "--release", "9.0.0"), id="release"),
    pytest.param(("adopt", "FILE", "--write"), id="adopt"),
    pytest.param(("twins", "--write"), id="twins"),
    pytest.param(("derive", "--write"), id="derive"),
]
READING = [
    pytest.param(ADDED, id="add"),
    pytest.param(("fmt", "--check"), id="fmt"),
    pytest.param(("lock", "--check"), id="lock"),
    pytest.param(("adopt", "FILE"), id="adopt"),
]


def with_file_of_candidates(arguments, folder):
    """Return the arguments, with a file without candidates for FILE."""
    (folder / "none.json").write_text("{}")
    return [folder / "none.json" if argument == "FILE" else argument for argument in arguments]


@pytest.mark.parametrize("arguments", WRITING)
def test_a_command_that_would_write_to_the_installed_corpus_says_what_to_do(
    installed, authoring, tmp_path, arguments
):
    error = authoring(*with_file_of_candidates(arguments, tmp_path)).error
    assert isinstance(error, click.UsageError)
    assert str(installed) in error.message
    assert "--vectors DIR" in error.message
    assert "pip install -e" in error.message


def contents(folder):
    """Return the content of each file in a folder and below it."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("arguments", WRITING)
def test_the_installed_corpus_is_not_written_to(installed, authoring, tmp_path, arguments):
    before = contents(installed)
    done = authoring(*with_file_of_candidates(arguments, tmp_path))
    assert done.error is not None
    assert contents(installed) == before


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("arguments", READING)
def test_the_installed_corpus_may_be_read(authoring, tmp_path, arguments):
    done = authoring(*with_file_of_candidates(arguments, tmp_path))
    assert done.code == Exit.PASSED


@pytest.mark.parametrize("arguments", WRITING)
@pytest.mark.sampled(4)
def test_a_corpus_named_with_an_option_may_be_written_to(installed, authoring, tmp_path, arguments):
    done = authoring(*with_file_of_candidates(arguments, tmp_path), "--vectors", installed)
    assert done.code == Exit.PASSED
