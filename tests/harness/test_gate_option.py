"""`run --gate`: a run that was to gate and has no adapter is no survey, and says what it lacks."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit

pytestmark = pytest.mark.once

ONE = ("--spec", "1808", "--section", "5.1")
NAMED = '[tool.urlconform]\nadapters = ["reference"]\n'
TABLE = '[tool.urlconform]\nspec = ["1808"]\n'
OTHER = '[project]\nname = "x"\n'


@pytest.fixture
def write(tmp_path):
    """Writes each pyproject.toml by its folder, the current one or those below it."""

    def write(files):
        for folder, text in files.items():
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / "pyproject.toml").write_text(text, "utf-8")

    return write


#: The files, further words, and what the line says of where an adapter was looked for.
LACKING = [
    pytest.param({}, (), "no pyproject.toml in {here} or above it", id="no-file"),
    pytest.param({".": OTHER}, (), "no [tool.urlconform] in {here}/pyproject.toml;", id="no-table"),
    pytest.param({".": TABLE}, (), "{here}/pyproject.toml: [tool.urlconform] has no adapters", id="no-key"),
    pytest.param(
        {".": "[tool.urlconform]\nadapters = []\n"},
        (),
        "{here}/pyproject.toml: [tool.urlconform] has no adapters",
        id="empty-list",
    ),
    pytest.param({".": NAMED}, ["--no-config"], "--no-config leaves [tool.urlconform] alone", id="alone"),
    pytest.param({}, ("--baseline", "x.json"), "no pyproject.toml in {here}", id="baseline"),
    pytest.param({}, ("--list",), "no pyproject.toml in {here}", id="list"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "words", "where"), LACKING)
def test_without_an_adapter_it_is_wrong_use(urlconform, write, tmp_path, files, words, where):
    write(files)
    done = urlconform("run", "--gate", *ONE, *words)
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("urlconform: --gate needs an ADAPTER, and none is named: ")
    assert where.format(here=tmp_path) in line
    assert line.endswith(
        "; name one here, or in adapters of [tool.urlconform] in pyproject.toml (see urlconform run --help)"
    )


def test_every_file_that_was_read_is_named(urlconform, write, program, tmp_path):
    """From a folder below: the search goes upwards, past files that are about other things."""
    write({".": OTHER, "below": OTHER})
    done = urlconform("run", "--gate", program=("env", "-C", "below", program))
    assert done.returncode == Exit.USAGE
    assert f"in {tmp_path}/below/pyproject.toml, {tmp_path}/pyproject.toml;" in done.stderr


#: The file, what names an adapter, and the code.
NAMING = [
    pytest.param("", ("reference",), Exit.PASSED, id="named"),
    pytest.param("", ("urllib",), Exit.FAILED, id="named-and-wrong"),
    pytest.param(NAMED, (), Exit.PASSED, id="configured"),
    pytest.param(NAMED, ("--list",), Exit.PASSED, id="configured-list"),
    pytest.param(NAMED, ("--no-config", "reference"), Exit.PASSED, id="left-alone-and-named"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "code"), NAMING)
def test_with_an_adapter_it_changes_nothing(urlconform, write, text, words, code):
    write({".": text} if text else {})
    assert urlconform("run", "--gate", *ONE, *words).returncode == code
