"""A baseline is written over nothing that it is made from: `baseline create -o FILE`, forced or not."""

from __future__ import annotations

import subprocess

import pytest

from urlharness.gate.baseline import read_baseline

pytestmark = pytest.mark.once

ONE = ("--spec", "1808", "--section", "5.2")
READ = b"what is read\n"

#: The source, what is read besides, the file that `-o` names, and what it is.
READS = [
    pytest.param("python:f:answer", (), "f.py", "a file of python:f:answer", id="module"),
    pytest.param("python:sub.f:answer", (), "sub/__init__.py", "a file of python:sub.f", id="package"),
    pytest.param("jsonl:python3 f.py", (), "f.py", "a file of jsonl:python3 f.py", id="jsonl"),
    pytest.param("exec:./f.py", (), "f.py", "a file of exec:./f.py", id="exec"),
    pytest.param("r.jsonl", (), "r.jsonl", "the results that it is made of", id="results"),
    pytest.param("urllib", ("--vectors", "v.json"), "v.json", "the file of --vectors", id="vectors"),
    pytest.param("urllib", (), "pyproject.toml", "the configuration of the project", id="configuration"),
]


def test_it_is_written_to_a_file(urlconform):
    done = urlconform("baseline", "create", "urllib", *ONE, "-o", "")
    assert (done.returncode, done.stdout) == (2, "")
    assert "-o: it names no file" in done.stderr


#: How `-o` may spell the path of a file, and the option that is given with it.
SPELLINGS = {
    "as it is": lambda file, _: str(file),
    "roundabout": lambda file, top: f"../{top.name}/{file}",
    "absolute": lambda file, top: str(top / file),
    "symlink": lambda file, top: linked(top / file, top / "soft", "symlink_to"),
    "hard link": lambda file, top: linked(top / file, top / "hard", "hardlink_to"),
    "folder by a symlink": lambda file, top: f"{linked(top, top / 'way', 'symlink_to')}/{file}",
}


def linked(target, link, how):
    getattr(link, how)(target)
    return link.name


@pytest.fixture
def files(tmp_path):
    """What may be read, none of which can be run."""
    for path in ("f.py", "sub/__init__.py", "sub/f.py", "r.jsonl", "v.json", "pyproject.toml"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(READ)
    (tmp_path / "f.py").chmod(0o755)


def refused(done, output, what):
    """The command was a wrong use, and said why in one line."""
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert f"-o: '{output}' would be written over {what}" in done.stderr


#: Each file as it is, and the first of them in every spelling.
SPELLED = [
    pytest.param(*row.values, spelled, id=f"{row.id}-{spelled}")
    for row in READS
    for spelled in (SPELLINGS if row is READS[0] else ("as it is",))
]


@pytest.mark.parametrize(("source", "options", "file", "what", "spelled"), SPELLED)
def test_it_is_not_written_over_what_is_read(
    urlconform, files, tmp_path, source, options, file, what, spelled
):
    before = sorted(tmp_path.rglob("*"))
    output = SPELLINGS[spelled](file, tmp_path)
    made = {tmp_path / name for name in ("soft", "hard", "way")}
    given = ("--no-config", "-k", "segment", *options, "-o", output)
    refused(urlconform("baseline", "create", source, *given, "--force"), output, what)
    assert (tmp_path / file).read_bytes() == READ
    assert [path for path in sorted(tmp_path.rglob("*")) if path not in made] == before


def test_nor_is_it_told_to_force_it(urlconform, files):
    """The advice for a list that exists would be a wrong one."""
    done = urlconform("baseline", "create", "r.jsonl", "--no-config", "-o", "r.jsonl")
    refused(done, "r.jsonl", "the results")


def test_a_configured_adapter_lives_beside_its_configuration(program, environment, tmp_path):
    """A file of that name in the current folder may be written."""
    below = tmp_path / "below"
    below.mkdir()
    for folder in (tmp_path, below):
        (folder / "f.sh").write_text("exit 1\n", "ascii")
    table = "[tool.urlconform]\nadapters = ['exec:sh f.sh']\n"
    (tmp_path / "pyproject.toml").write_text(table, "ascii")

    def create(output):
        line = [program, "baseline", "create", *ONE, "-o", output, "--force"]
        return subprocess.run(line, cwd=below, env=environment, capture_output=True, text=True, check=False)

    refused(create("../f.sh"), "../f.sh", "a file of exec:sh f.sh")
    refused(create("../pyproject.toml"), "../pyproject.toml", "the configuration")
    assert (tmp_path / "f.sh").read_text("ascii") == "exit 1\n"
    assert (tmp_path / "pyproject.toml").read_text("ascii") == table
    done = create("f.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert read_baseline(below / "f.sh").implementation == "exec:sh f.sh"


def test_a_bundled_adapter_goes_before_a_file_of_its_name(urlconform, tmp_path):
    (tmp_path / "urllib").write_bytes(READ)
    done = urlconform("baseline", "create", "urllib", *ONE, "-o", "urllib", "--force")
    assert done.returncode == 0, done.stderr
    again = urlconform("baseline", "create", "urllib", *ONE, "-o", "/dev/stdout")
    assert (again.returncode, "exists" in again.stderr) == (2, True)
    assert urlconform("baseline", "create", "urllib", *ONE, "-o", "/dev/null", "--force").returncode == 0
