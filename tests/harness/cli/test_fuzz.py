"""`urlconform fuzz`: exit codes, what is printed, and what the folder has."""

from __future__ import annotations

import json
import shlex

import pytest

BROKEN = """
from urlharness.adapters.urllib_parse import answer as right, hello

def original(question):
    return right(question)

def patched(question):
    return right({**question, "url": question["url"].replace("\\\\", "/")})

original.hello = patched.hello = hello()
"""
PAIR = ("python:broken:original", "python:broken:patched")


@pytest.fixture
def pair(tmp_path):
    """The names of an adapter and of one with a bug."""
    (tmp_path / "broken.py").write_text(BROKEN, "utf-8")
    return PAIR


@pytest.fixture
def done(pair, urlconform, tmp_path):
    """The folder of the only finding, and what the campaign printed."""
    run = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "250")
    (folder,) = (path for path in (tmp_path / "fuzz-findings").iterdir() if path.is_dir())
    return folder, run


def test_all_commands(done, pair, urlconform, tmp_path):
    folder, run = done
    assert run.returncode == 1
    assert "1 finding in fuzz-findings, 1 of them new; 250 cases in all" in run.stdout
    assert run.stderr == ""

    again = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "250")
    assert again.returncode == 1  # what an earlier run found still fails
    assert "1 finding in fuzz-findings, 0 of them new" in again.stdout
    known = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "250", "--known", "fuzz-findings")
    assert (known.returncode, known.stdout[:61]) == (
        0,
        "0 findings in fuzz-findings that --known does not have; 250 c",
    )

    shown = urlconform("fuzz", "show", "fuzz-findings")
    assert folder.name in shown.stdout.replace("\n", "")
    assert max(map(len, shown.stdout.splitlines())) <= 100
    one = urlconform("fuzz", "show", "fuzz-findings", folder.name)
    assert "class backslash" in one.stdout
    assert "urlconform ask -a python:broken:original -a python:broken:patched -- '\\'" in one.stdout

    replayed = urlconform("fuzz", "replay", "fuzz-findings")
    assert (replayed.returncode, replayed.stdout.split()[:2]) == (1, ["still", "there"])

    promoted = urlconform("fuzz", "promote", str(folder))
    assert promoted.returncode == 0
    assert json.loads((folder / "vector.json").read_bytes())["proposed"] == {"valid": False}
    words = shlex.split(promoted.stdout.splitlines()[-1].replace("ANSWER", "'{\"valid\": false}'"))
    assert urlconform(*words[1:]).stderr == ""


def test_replay_of_a_mended_bug(done, urlconform, tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN.replace('"/"', '"\\\\"'), "utf-8")
    replayed = urlconform("fuzz", "replay", "fuzz-findings")
    assert (replayed.returncode, replayed.stdout.splitlines()[-1]) == (0, "1 gone")


def test_minimise(pair, urlconform, tmp_path):
    (tmp_path / "input").write_text("http://a\\@b.example/c\n")
    found = urlconform("fuzz", "minimise", "input", *pair)
    assert found.returncode == 1
    assert "parse //a\\" in found.stdout  # // differs too, but in another way: one host is absent
    (tmp_path / "input").write_text("http://a/")
    found = urlconform("fuzz", "minimise", "input", *pair)
    assert (found.returncode, found.stdout) == (0, "the answers do not differ\n")


def test_groups_of_adapters(pair, urlconform, tmp_path):
    """With more than two adapters, those that agree are named together."""
    run = urlconform("fuzz", "run", *pair, pair[1], "--no-oracle", "--fold", "--cases", "250")
    assert run.returncode == 1
    shown = urlconform("fuzz", "show", "fuzz-findings").stdout
    assert "python:broken:patched, python:broken:patched (2): " in " ".join(shown.split())
    replayed = urlconform("fuzz", "replay", "fuzz-findings").stdout.splitlines()[-1]
    assert replayed.endswith(" still there")
    assert "," not in replayed


def test_minimise_keeps_the_class(urlconform, tmp_path):
    """The shorter text // differs in the host, too, but has no backslash."""
    (tmp_path / "broken.py").write_text(BROKEN.replace('"/")', '"/").replace("//", "//x")'), "utf-8")
    (tmp_path / "input").write_text("http://a.example\\@b.example/\n")
    found = urlconform("fuzz", "minimise", "input", *PAIR)
    assert "class backslash" in found.stdout


# arguments behind `fuzz`, the exit code, and what stderr says
REFUSED = {
    "one adapter": (("run", "urllib", "--no-oracle"), 2, "at least two adapters"),
    "no operation": (("run", "urllib", "--op", "normalize"), 2, "urllib cannot normalize"),
    "dead": (("run", "jsonl:false"), 3, "jsonl:false: "),
    "unknown": (("run", "nosuch"), 2, "no adapter named 'nosuch'"),
    "no RFC": (("run", "urllib", "--spec", "rfc9"), 2, "no specification named 'rfc9'"),
    "no RFC to minimise": (("minimise", "-", "urllib", "urllib", "--spec", "nope"), 2, "named 'rfcnope'"),
    "no folder": (("show", "nosuch"), 2, "nosuch: no such file"),
    "no campaign": (("show", "."), 2, "not the folder of a campaign"),
    "no base": (("minimise", "-", "urllib", "urllib", "--op", "resolve"), 2, "--base must be used together"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, urlconform):
    arguments, code, message = REFUSED[name]
    done = urlconform("fuzz", *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1)
    assert message in done.stderr
