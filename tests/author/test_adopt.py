"""Witnesses of mutants become vectors that lint takes, once, in a file of their own."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from urlauthor.add import AddError, adopt_witnesses
from urlauthor.adequacy.analysis import candidates
from urlauthor.adequacy.suites import is_witness
from urlauthor.lint.vectors import lint_vectors
from urlharness.cli import cli
from urlharness.corpus.loader import load
from urlharness.corpus.model import corpus_dir



# texts that no vector asks: RFC 3986, appendix A; RFC 2732, section 3 and what it leaves as it is
def _survivor(changed, text, *, components=False):
    return {
        "rule": "URI-reference",
        "changed": changed,
        "operator": "bound",
        "witness": text,
        "components": components,
    }


SURVIVORS = {
    "rfc3986": [
        _survivor("h16", "//[::0aBc9]"),
        _survivor("ls32", "//[::0aBc9]"),
        _survivor("port", "//qq:7890", components=True),
    ],
    "rfc2732": [_survivor("fragment", "qq#zz%")],
}


@pytest.fixture
def root(tmp_path):
    return shutil.copytree(corpus_dir(), tmp_path / "corpus")


def _made(root, spec):
    path, text, count = adopt_witnesses(root, load(root), spec, candidates(spec, SURVIVORS[spec]))
    path.write_text(text, encoding="ascii")
    return path, count, json.loads(text)["vectors"]


@pytest.mark.parametrize("spec", SURVIVORS)
def test_lint_takes_them(root, spec):
    before = {case.vector.id for case in load(root).cases}
    path, count, _ = _made(root, spec)
    assert lint_vectors(root, {}) == []
    new = [case for case in load(root).cases if case.vector.id not in before]
    assert len(new) == count > 0
    assert all(is_witness(case) and path.name in case.file for case in new)


def test_labels_and_statement(root):
    _, count, vectors = _made(root, "rfc3986")
    found = {one["url"]: one for one in vectors}
    refused, split = found["//[::0aBc9]"], found["//qq:7890"]
    assert count == 2
    assert refused["expect"] == {"valid": False, "at": 9, "rules": ["ls32"]}
    assert refused["requirement"] == "rfc3986-A-h16"
    assert refused["comment"] == "Shows a slip in h16 (bound), and 1 more."
    assert (split["op"], split["expect"]["components"]["port"]) == ("parse", "7890")


def test_productions_taken_over(root):
    """RFC 2732 lists what it changes; the rest is one statement."""
    made = {one["url"]: one["requirement"] for one in _made(root, "rfc2732")[2]}
    assert made["qq#zz%"] == "rfc2732-3-rest"


def test_nothing_is_asked_twice(root):
    _made(root, "rfc3986")
    assert _made(root, "rfc3986")[1] == 0


def test_no_statement(root):
    one = {
        **candidates("rfc3986", SURVIVORS["rfc3986"])[0],
        "mutants": [("unknown", "bound")],
        "rule": "none",
    }
    with pytest.raises(AddError, match="no statement on any of none, unknown"):
        adopt_witnesses(root, load(root), "rfc3986", [one])


@pytest.mark.parametrize("write", [False, True], ids=["dry", "written"])
def test_command(root, tmp_path, write):
    file = tmp_path / "survivors.json"
    file.write_text(json.dumps({spec: candidates(spec, rows) for spec, rows in SURVIVORS.items()}))
    before = len(load(root).cases)
    options = ["--write"] if write else []
    result = CliRunner().invoke(cli, ["vectors", "adopt", str(file), "--vectors", str(root), *options])
    assert "rfc3986/A-mutants.json: 2 new of 2 candidates" in result.output
    assert len(load(root).cases) - before == (3 if write else 0)


BAD = {
    "no-json": "{",
    "no-rfc": '{"rfc1": []}',
    "no-candidate": '{"rfc3986": [{"op": "parse"}]}',
    "list": "[1]",
}


@pytest.mark.parametrize("name", BAD)
def test_files_that_are_none(root, tmp_path, name):
    file = tmp_path / "survivors.json"
    file.write_text(BAD[name])
    result = CliRunner().invoke(cli, ["vectors", "adopt", str(file), "--vectors", str(root)])
    assert result.exit_code == 2
    assert "survivors.json" in result.output
