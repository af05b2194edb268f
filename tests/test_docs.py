"""The documentation is current: pages are as they would be made, links lead somewhere, examples run."""

from __future__ import annotations

import contextlib
import doctest
import functools
import importlib
import io
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
sys.path.insert(0, str(DOCS))
make = importlib.import_module("make")
api = importlib.import_module("generator.api")
drawing = importlib.import_module("generator.drawing")
figures = importlib.import_module("generator.figures")
packages = importlib.import_module("generator.packages")
markdown = importlib.import_module("generator.markdown")
productions = importlib.import_module("generator.productions")
sizes = importlib.import_module("generator.sizes")
sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def made():
    """The generated pages as they would be made now."""
    return make.pages()


def test_generated_pages_are_current(made):
    assert make.stale(made, DOCS) == {}, "run: python docs/make.py"


def test_the_check_says_what_is_stale(made, tmp_path, monkeypatch, capsys):
    """A page that has been changed by hand, one that is missing, and one that is as it would be made."""
    tmp_path = tmp_path / "docs"
    (tmp_path / "rules").mkdir(parents=True)
    for name, text in made.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(make, "DOCS", tmp_path)
    monkeypatch.setattr(make, "pages", lambda: made)
    assert make.stale(made, tmp_path) == {}
    (tmp_path / "api.md").write_text(made["api.md"].replace("validate", "judge"), encoding="utf-8")
    (tmp_path / "rules/rfc1808.md").unlink()
    assert set(make.stale(made, tmp_path)) == {"api.md", "rules/rfc1808.md"}
    assert make.main(["--check"]) == 1
    assert "judge" in capsys.readouterr().out
    assert not (tmp_path / "rules/rfc1808.md").exists()
    assert make.main([]) == 0
    assert make.main(["--check"]) == 0
    assert make.stale(made, tmp_path) == {}


def links(page: Path, text: str) -> list[str]:
    """The internal links of a page that lead nowhere."""
    found = []
    for target in markdown.targets(text):
        file, mark, anchor = target.partition("#")
        if ":" in file:
            continue
        there = (page.parent / file).resolve()
        known = anchors(there) if file and mark and there.exists() else markdown.anchors(text)
        if not (there.exists() or not file) or (mark and anchor not in known):
            found.append(target)
    return found


@functools.cache
def anchors(page: Path) -> list[str]:
    """The anchors of a page."""
    return markdown.anchors(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert links(page, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("[a](api.md)", []),
        ("[a](api.md#validate)", []),
        ("# A b\n[a](#a-b)", []),
        ("![a](pipeline.svg)", []),
        ("[a](gone.md)", ["gone.md"]),
        ("[a](api.md#gone)", ["api.md#gone"]),
        ("# A b\n[a](#a)", ["#a"]),
        ("| [a](../oracle/gone.py) |", ["../oracle/gone.py"]),
        ("`[a](gone.md)`", []),
        ("```text\n[a](gone.md)\n# A\n```\n[a](#a)", ["#a"]),
    ],
)
def test_dead_links_are_seen(text, dead):
    assert links(DOCS / "page.md", text) == dead


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ('G-04 `<">` and `"\\"`', "g-04--and-"),
        ("R-1738-12 `?` in ftp and file segments", "r-1738-12--in-ftp-and-file-segments"),
        ("gopher+_string", "gopher_string"),
        ("3.1 Common [Internet](x.md) Scheme", "31-common-internet-scheme"),
    ],
)
def test_anchors_are_those_of_github(heading, slug):
    assert markdown.slug(heading) == slug


def test_an_anchor_that_comes_again_has_a_number():
    assert markdown.anchors("# a\n## A\n```\n# a\n```\n# b\n# a") == ["a", "a-1", "b", "a-2"]


EXAMPLES = [
    pytest.param(page, "\n".join(markdown.blocks(text, "pycon")), id=str(page.relative_to(ROOT)))
    for page in PAGES
    if "```pycon" in (text := page.read_text(encoding="utf-8"))
]
SCRIPTS = [
    pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(markdown.blocks(page.read_text(encoding="utf-8"), "python"))
]


def failures(name: str, text: str, known: dict) -> str:
    """What doctest says of the examples that do not do what they show."""
    test = doctest.DocTestParser().get_doctest(text, known, name, name, 0)
    assert test.examples
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    return "".join(said)


@pytest.mark.parametrize(("page", "text"), EXAMPLES)
def test_examples_do_what_they_show(page, text):
    known = vars(importlib.import_module("urloracle")).copy() if page.name == "api.md" else {}
    assert failures(page.name, text, known) == ""


def test_a_wrong_example_is_seen():
    assert "Expected" in failures("page", ">>> 1 + 1\n3\n", {})


@pytest.mark.parametrize("block", SCRIPTS)
def test_scripts_run(block):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(block, "page", "exec"), {})


def test_every_public_name_has_an_entry(made):
    headings = re.findall(r"^### (\w+)$", made["api.md"], re.MULTILINE)
    for module in ("urloracle", "urloracle.answers"):
        assert set(headings) >= set(importlib.import_module(module).__all__)
    assert len(headings) == len(set(headings))


def test_every_rule_has_an_entry(made):
    """On its page, or for rules of RFC 2396 under RFC 2732 in a list there."""
    for name, spec in importlib.import_module("urloracle").SPECIFICATIONS.items():
        page = made[f"rules/{name}.md"]
        for rule in spec.grammar:
            assert f"\n### {rule}\n" in page or f"[`{rule}`](rfc2396.md#{markdown.slug(rule)})" in page


@pytest.mark.parametrize("file", ["rfc1738.bnf", "rfc1738-prose.bnf", "rfc2732.bnf", "rfc3986.abnf"])
def test_productions_are_the_text_of_the_file(file):
    """Each stands in the file as it stands on the page, and none is left out."""
    grammar = importlib.import_module("urloracle.grammar.grammar")
    found, text = productions.productions(file), grammar.source(file)
    assert all(production.text in text for production in found)
    read = [(production.name, production.section) for production in grammar._read(file).productions]
    assert [(production.name, production.section) for production in found] == read
    published = set(re.findall(r"^;!published (\S+)", text, re.MULTILINE))
    assert {production.ruling for production in found} - {""} == published


def test_sizes():
    """RFC 3986, `dec-octet`: 0 to 255 are 256 words; the sink and what leads there do not count."""
    spec = importlib.import_module("urloracle").SPECIFICATIONS["rfc3986"]
    octet = spec.automaton("dec-octet")
    assert sizes.words(octet) == "256 words in all"
    assert sizes.size(octet) == (6, 6, 29)
    assert sizes.words(spec.automaton("port")) == "words by length: 1 of 0, 10 of 1, 100 of 2"


def test_the_drawing_is_one():
    """It is well-formed, has a title, and says what the oracle says."""
    image = ET.fromstring(drawing.drawing())
    shown = " ".join(part for part in image.itertext())
    known = drawing.facts()
    for figure in (
        f"{known.size.states}",
        f"offset {known.problem.position}",
        f"{len(known.positions)} positions",
    ):
        assert figure in shown


def test_figures_are_filled_in():
    """A figure that is stale is written anew; one that nothing computes is an error."""
    text = "a <!--=corpus.vectors-->1<!--/--> b"
    assert figures.filled(text) == f"a <!--=corpus.vectors-->{figures.value('corpus.vectors')}<!--/--> b"
    with pytest.raises(figures.UnknownFigure, match=r"no figure is called 'corpus\.vector'"):
        figures.filled("<!--=corpus.vector-->1<!--/-->")


def test_the_drawing_of_the_packages_has_every_package():
    shown = set(ET.fromstring(packages.drawing()).itertext())
    graph = packages.packages()
    assert {name.removeprefix("urlharness.") for name in graph} <= shown
    assert {"urlharness.gate", "urloracle", "urlauthor"} <= graph.keys()


def test_an_import_that_others_imply_is_left_out():
    graph = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()}
    assert packages.reduced(graph) == {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset()}
    assert packages.layers(graph) == [["a"], ["b"], ["c"]]
