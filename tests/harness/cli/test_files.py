"""No output of any command replaces an input: each option that names one, with each that names the other."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from urlharness.adapters.registry import find
from urlharness.cli import cli
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.exitcodes import Exit

IN = "in"
OUT = "out"

#: The parameters that name files or folders. A corpus that a command changes in place is no output.
FILES = {
    ("run", "names"): IN,
    ("run", "vectors"): IN,
    ("run", "baseline"): IN,
    ("run", "report"): OUT,
    ("report", "files"): IN,
    ("report", "baselines"): IN,
    ("report", "vectors"): IN,
    ("report", "reports"): OUT,
    ("repro", "name"): IN,
    ("repro", "vectors"): IN,
    ("baseline create", "source"): IN,
    ("baseline create", "vectors"): IN,
    ("baseline create", "output"): OUT,
    ("baseline update", "source"): IN,
    ("baseline update", "vectors"): IN,
    ("baseline update", "file"): OUT,
    ("baseline check", "vectors"): IN,
    ("baseline check", "files"): OUT,
    ("compare", "names"): IN,
    ("compare", "texts"): IN,
    ("compare", "file"): IN,
    ("compare", "check"): IN,
    ("compare", "fetch"): IN,
    ("compare", "history"): IN,
    ("compare", "report"): OUT,
    ("ask", "names"): IN,
    ("extract", "file"): IN,
    ("section", "rfc_dir"): IN,
    ("check", "files"): IN,
    ("check", "output"): OUT,
    ("generate", "mutate"): IN,
    ("generate", "weights"): IN,
    ("generate", "output"): OUT,
    ("fuzz run", "names"): IN,
    ("fuzz run", "texts"): IN,
    ("fuzz run", "known"): IN,
    ("fuzz run", "out"): OUT,
    ("fuzz show", "folder"): IN,
    ("fuzz replay", "folder"): IN,
    ("fuzz minimise", "file"): IN,
    ("fuzz minimise", "names"): IN,
    ("fuzz promote", "folder"): OUT,
    ("adapters doctor", "name"): IN,
    ("adapters new", "folder"): OUT,
    ("serve", "name"): IN,
    ("vectors adequacy", "files"): IN,
    ("vectors adequacy", "tests"): IN,
    ("vectors adequacy", "output"): OUT,
    ("vectors adequacy", "survivors"): OUT,
    ("vectors export", "directory"): IN,
    ("vectors export", "beside"): IN,
    ("vectors export", "target"): OUT,
    ("vectors export", "output"): OUT,
    ("vectors lint", "directory"): IN,
    ("vectors lint", "rfc_dir"): IN,
    ("vectors stats", "directory"): IN,
    ("vectors sync", "source"): IN,
    ("vectors sync", "output"): OUT,
    ("vectors add", "directory"): IN,
    ("vectors adopt", "directory"): IN,
    ("vectors adopt", "file"): IN,
    ("vectors changelog", "directory"): IN,
    ("vectors changelog", "old"): IN,
    ("vectors changelog", "new"): IN,
    ("vectors cover", "directory"): IN,
    ("vectors derive", "directory"): IN,
    ("vectors fmt", "directory"): IN,
    ("vectors lock", "directory"): IN,
    ("vectors twins", "directory"): IN,
}

#: Parameters that are texts in every command which has them, except those above.
TEXTS = """
    _ base binding checks class_ column comment components default difference digest embedded encapsulating
    expect fields file first flag flags header hosts identifier implementations iri k language left length
    level library mode name names number op operation_lists other policy profile reason reference requirement
    retrieval right rule ruling sarif_location scheme second section sections slug spec specs test text
    texts title uri url version where
"""


def commands(
    command: click.Command = cli, names: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with its name."""
    if not isinstance(command, click.Group):
        yield " ".join(names), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, (*names, name))


def is_text(parameter: click.Parameter) -> bool:
    """Return False if the values of a parameter cannot be names: they are numbers, flags or fixed words."""
    kind = parameter.type
    numbers = (click.types.IntParamType, click.types.FloatParamType, click.types.BoolParamType, click.Choice)
    return not isinstance(kind, numbers)


def text_parameters() -> Iterator[tuple[str, str, bool]]:
    """Yield each parameter that may be a name, with its command, and whether it is always a path."""
    for name, command in commands():
        for parameter in command.params:
            if is_text(parameter):
                yield name, str(parameter.name), isinstance(parameter.type, click.Path | click.File)


PARAMETERS = list(text_parameters())


def test_each_option_that_takes_a_text_is_known():
    """A new option names an input, an output, or no file."""
    named = {(command, name) for command, name, is_path in PARAMETERS if is_path or name not in TEXTS.split()}
    assert named - FILES.keys() == set()


def test_each_option_in_the_table_exists():
    assert FILES.keys() <= {(command, name) for command, name, _ in PARAMETERS}


class Row(NamedTuple):
    """A command that would replace a file: `{file}` is its name, and `{way}` is another path to it."""

    file: str
    arguments: str


PROJECT = "pyproject.toml"
NO_SUCH_NAME = "the command gives its files names of its own"
NEVER_REPLACES = "the command creates files, and replaces none"

#: For each output and each input of a command, the commands to refuse, or why there is none.
CELLS: dict[tuple[str, str, str], str | list[Row]] = {
    ("run", "report", "names"): [
        Row("mine.py", "run python:mine:answer --report html={way}"),
        Row("mine/__init__.py", "run python:mine:answer --report html={way}"),
        Row("mine.py", "run 'jsonl:python3 {file}' --report html={way}"),
        Row("mine.py", "run exec:{file} --report html={way}"),
    ],
    ("run", "report", "vectors"): [
        Row("v.json", "run urllib --vectors {file} --report html={way}"),
        Row("v/rfc3986/3-a.json", "run urllib --vectors v --report html={way}"),
    ],
    ("run", "report", "baseline"): [
        Row("b.json", "run urllib --baseline {file} --report {form}={way}".replace("{form}", form))
        for form in ("json", "html", "junit", "markdown", "github")
    ]
    + [Row("b/urllib/rfc3986.json", "run urllib --baseline {way} --report badge=b")],
    ("run", "report", PROJECT): [Row(PROJECT, "run urllib --report html={way}")],
    ("report", "reports", "files"): [Row("r.jsonl", "report {file} --report html={way}")],
    ("report", "reports", "baselines"): [
        Row("b.json", "report r.jsonl --baseline {file} --report html={way}")
    ],
    ("report", "reports", "vectors"): [
        Row("v.json", "report r.jsonl --baseline b.json --vectors {file} --report html={way}")
    ],
    ("report", "reports", PROJECT): [Row(PROJECT, "report r.jsonl --report html={way}")],
    ("baseline create", "output", "source"): [
        Row("r.jsonl", "baseline create {file} -o {way} --force"),
        Row("mine.py", "baseline create python:mine:answer -o {way} --force"),
    ],
    ("baseline create", "output", "vectors"): [
        Row("v.json", "baseline create urllib --vectors {file} -o {way} --force")
    ],
    ("baseline create", "output", PROJECT): [
        Row(PROJECT, "baseline create urllib --no-config -o {way} --force")
    ],
    ("baseline update", "file", "source"): [
        Row("r.jsonl", "baseline update {way} {file}"),
        Row("mine.py", "baseline update {way} python:mine:answer"),
    ],
    ("baseline update", "file", "vectors"): [Row("v.json", "baseline update {way} urllib --vectors {file}")],
    ("baseline update", "file", PROJECT): [Row(PROJECT, "baseline update {way} urllib --no-config")],
    ("baseline check", "files", "vectors"): [Row("v.json", "baseline check {way} --vectors {file} --fix")],
    ("baseline check", "files", PROJECT): [Row(PROJECT, "baseline check {way} --fix")],
    ("compare", "report", "names"): [
        Row("mine.py", "compare python:mine:answer urllib --report html={way}"),
        Row("mine.py", "compare urllib exec:{file} --report csv={way}"),
    ],
    ("compare", "report", "texts"): [
        Row("t.txt", "compare urllib reference --texts {file} --report {form}={way}".replace("{form}", form))
        for form in ("json", "html", "markdown", "csv")
    ],
    ("compare", "report", "file"): [
        Row("r.jsonl", "compare --results {file} --report {form}={way}".replace("{form}", form))
        for form in ("json", "html", "markdown", "csv")
    ],
    ("compare", "report", "check"): [
        Row("mine.py", "compare --check python:mine:answer --fetch urllib --report sarif={way}")
    ],
    ("compare", "report", "fetch"): [
        Row("mine.py", "compare --check urllib --fetch exec:{file} --report markdown={way}")
    ],
    ("compare", "report", "history"): [
        Row("r.jsonl", "compare --history {file} /dev/null --report markdown={way}"),
        Row("r.jsonl", "compare --history /dev/null {file} --report markdown={way}"),
    ],
    ("compare", "report", PROJECT): [Row(PROJECT, "compare urllib reference --report html={way}")],
    ("check", "output", "files"): [
        Row("t.parquet", "check {file} --spec 3986 -o {way}"),
        Row("t.parquet", "check other.txt {file} --spec 3986 -o {way}"),
    ],
    ("check", "output", PROJECT): [Row(PROJECT, "check t.txt --spec 3986 -o {way}")],
    ("generate", "output", "mutate"): [
        Row("t.txt", "generate --rule URI --mutate {file} --format {form} -o {way}".replace("{form}", form))
        for form in ("lines", "jsonl", "vectors", "pytest", "parquet")
    ]
    + [Row(f"seeds/{'0a' * 20}", "generate --rule URI --mutate {way} --format corpus -o seeds")],
    ("generate", "output", "weights"): [Row("w.toml", "generate --valid --weights {file} -o {way}")],
    ("generate", "output", PROJECT): [
        Row(PROJECT, "generate --valid -o {way}"),
        Row(PROJECT, "generate --tier bytes --spec 1808 -o {way}"),
    ],
    ("fuzz run", "out", "names"): [Row("out/journal.jsonl", "fuzz run exec:{way} urllib -o out")],
    ("fuzz run", "out", "texts"): [Row("out/findings.sarif", "fuzz run urllib --texts {way} -o out")],
    ("fuzz run", "out", "known"): [Row("out/findings.jsonl", "fuzz run urllib --known {way} -o out")],
    ("fuzz run", "out", PROJECT): NO_SUCH_NAME,
    ("fuzz promote", "folder", PROJECT): NO_SUCH_NAME,
    ("adapters new", "folder", PROJECT): NEVER_REPLACES,
    ("vectors adequacy", "output", "files"): [
        Row("more.csv", "vectors adequacy --tests {file} {file} --add 1 -o {way}")
    ],
    ("vectors adequacy", "output", "tests"): [
        Row("uri.csv", "vectors adequacy --tests {file} --add 1 -o {way}")
    ],
    ("vectors adequacy", "output", PROJECT): [Row(PROJECT, "vectors adequacy -o {way}")],
    ("vectors adequacy", "survivors", "files"): "--survivors is refused with --tests",
    ("vectors adequacy", "survivors", "tests"): "--survivors is refused with --tests",
    ("vectors adequacy", "survivors", PROJECT): [Row(PROJECT, "vectors adequacy --survivors {way}")],
    ("vectors export", "target", "directory"): "an export into the corpus, or a folder in it, is refused",
    ("vectors export", "target", "beside"): "--force replaces only the files that SHA256SUMS lists",
    ("vectors export", "target", PROJECT): "--force replaces only the files that SHA256SUMS lists",
    ("vectors export", "output", "directory"): "an export into the corpus, or a folder in it, is refused",
    ("vectors export", "output", "beside"): "--force replaces only the files that SHA256SUMS lists",
    ("vectors export", "output", PROJECT): "--force replaces only the files that SHA256SUMS lists",
    ("vectors sync", "output", "source"): [Row("cases.json", "vectors sync {file} -o {way}")],
    ("vectors sync", "output", PROJECT): [Row(PROJECT, "vectors sync bundle -o {way}")],
}


def test_the_cells_are_each_output_with_each_input_of_its_command():
    """pyproject.toml is an input of every command."""
    cells = set()
    for (command, output), kind in FILES.items():
        if kind != OUT:
            continue
        cells.add((command, output, PROJECT))
        for (command_of_input, name), kind_of_input in FILES.items():
            if kind_of_input == IN and command_of_input == command:
                cells.add((command, output, name))
    assert CELLS.keys() == cells


def test_no_cell_is_empty():
    assert [key for key, cell in CELLS.items() if not cell] == []


#: Another path to a file, by what makes it: the name of the file gives the path.
WAYS = {
    "same-path": lambda path: path,
    "other-path": lambda path: Path(".", "folder", "..", path),
    "absolute": lambda path: Path.cwd() / path,
    "symbolic-link": lambda path: linked(path, Path.symlink_to),
    "hard-link-in-another-case": lambda path: linked(path, Path.hardlink_to),
}


def linked(path: Path, link) -> Path:
    """Make a link, as a file system that ignores case has one for each spelling of a name."""
    other_path = Path(path.name.upper())
    link(other_path, path.absolute())
    return other_path


ROWS = []
for (command, output, name), cell in CELLS.items():
    if not isinstance(cell, str):
        cell_id = f"{command.replace(' ', '-')}-{output}-{name}"
        ROWS += [pytest.param(row, id=f"{cell_id}-{number}") for number, row in enumerate(cell)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("row", ROWS)
def test_an_output_that_is_an_input_is_refused(urlconform, tmp_path, monkeypatch, row, way):
    monkeypatch.chdir(tmp_path)
    file = Path(row.file)
    file.parent.mkdir(parents=True, exist_ok=True)
    Path("folder").mkdir()
    file.write_bytes(b"# mine\n")
    arguments = row.arguments.format(file=file, way=WAYS[way](file))
    done = urlconform(*shlex.split(arguments))
    assert done.returncode == Exit.USAGE, done.stderr
    assert "would overwrite" in done.stderr
    assert done.stderr.count("\n") == 1
    assert file.read_bytes() == b"# mine\n"


def test_a_campaign_does_not_follow_a_link_to_the_configuration(urlconform, tmp_path):
    (tmp_path / PROJECT).write_text("", "ascii")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "findings.sarif").symlink_to(f"../{PROJECT}")
    done = urlconform("fuzz", "run", "urllib", "--cases", "1", "-o", "out")
    assert (tmp_path / PROJECT).read_text("ascii") == ""
    assert "would overwrite the configuration of the project" in done.stderr
    assert done.returncode == Exit.USAGE


def test_a_proposed_vector_does_not_replace_its_finding(urlconform, tmp_path):
    (tmp_path / "finding.json").write_text("mine", "ascii")
    (tmp_path / "vector.json").symlink_to("finding.json")
    done = urlconform("fuzz", "promote", ".")
    assert (tmp_path / "finding.json").read_text("ascii") == "mine"
    assert "vector.json: a symbolic link, which is not followed here" in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param("generate --valid --count 3 --rule URI -o new.txt", id="new-file"),
        pytest.param("generate --mutate t.txt --count 3 --rule URI -o t.txt2", id="other-file"),
        pytest.param("generate --valid --count 3 --rule URI -o folder/pyproject.toml", id="other-project"),
        pytest.param(
            "generate --mutate seeds/t --count 3 --rule URI --format corpus -o seeds", id="corpus-folder"
        ),
    ],
)
def test_a_file_that_the_command_does_not_read_may_be_its_output(urlconform, tmp_path, arguments):
    for name in ("seeds", "folder"):
        (tmp_path / name).mkdir()
    for name in ("t.txt", "seeds/t", PROJECT):
        (tmp_path / name).write_text("a:b\n", "ascii")
    (tmp_path / PROJECT).write_text("", "ascii")
    done = urlconform(*arguments.split())
    assert done.returncode == Exit.PASSED, done.stderr
    assert (tmp_path / "seeds" / "t").read_text("ascii") == "a:b\n"


def test_the_file_at_stdin_is_an_input(tmp_path):
    """`-` is stdin, which the shell may have opened from the output."""
    file = tmp_path / "t.txt"
    file.write_text("a:b\n", "ascii")
    before = os.dup(0)
    stdin = os.open(file, os.O_RDONLY)
    os.dup2(stdin, 0)
    try:
        with pytest.raises(click.BadParameter, match="would overwrite the texts"):
            refuse_overwriting("-o", [file], {"the texts": "-"})
    finally:
        os.dup2(before, 0)
        os.close(stdin)
        os.close(before)


def test_words_of_a_command_that_are_no_files_are_no_inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert program_files([find("jsonl:python3 -I absent.py"), find("urllib"), find("python:absent:f")]) == {}
