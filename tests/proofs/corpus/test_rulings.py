"""Every ruling is in force: code, a grammar or a vector cites it, and the index shows where."""

from __future__ import annotations

import importlib
import re
import sys
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import pytest

DOCS = Path(__file__).parents[3] / "docs"
CITATION = re.compile(r"\b(?:G|R-\d{4})-\d{2}\b")
sys.path.insert(0, str(DOCS))
citations = importlib.import_module("generator.citations")
rulings = importlib.import_module("generator.rulings")
sys.path.remove(str(DOCS))

#: Rulings that change no answer, as they say themselves.
WITHOUT_CONSEQUENCE = {"R-3986-36", "R-3987-34", "R-3987-41", "R-3987-49"}


def citing_texts():
    """Yield the texts of the files that may cite rulings: code, grammars, and the corpus."""
    for package in ("urloracle", "urlharness", "urlvectors"):
        yield from citing_texts_below(resources.files(package))


def citing_texts_below(folder):
    """Yield the texts of the files below a folder that may cite rulings."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from citing_texts_below(entry)
        elif entry.name.endswith((".py", ".bnf", ".abnf", ".json")) and entry.name not in (
            "rulings.json",
            "ruling_texts.json",
        ):
            yield entry.read_text(encoding="utf-8")


@cache
def cited_rulings():
    """Return the ids of the rulings that are cited somewhere."""
    return {ruling for text in citing_texts() for ruling in CITATION.findall(text)}


#: The page with the rulings and their index, and the ids of its headings.
WRITTEN = rulings.PAGE.read_text(encoding="utf-8")
RULED = re.findall(r"^### ((?:G|R-\d{4})-\d{2})\b", WRITTEN, re.MULTILINE)


def test_no_ruling_has_two_headings():
    assert len(set(RULED)) == len(RULED)


#: Who adds a ruling changes this number.
NUMBER_OF_RULINGS = 242


def test_no_ruling_was_lost_or_added_by_accident():
    assert len(RULED) == NUMBER_OF_RULINGS


@pytest.mark.parametrize("ruling", [ruling for ruling in RULED if ruling not in WITHOUT_CONSEQUENCE])
def test_a_ruling_with_consequences_is_cited(ruling):
    assert ruling in cited_rulings()


@pytest.mark.parametrize("ruling", sorted(WITHOUT_CONSEQUENCE))
def test_a_ruling_without_consequence_is_cited_nowhere(ruling):
    assert ruling not in cited_rulings()


def test_every_cited_ruling_exists():
    assert set(RULED) >= cited_rulings()


@pytest.fixture(scope="module")
def rulings_of_page():
    """The rulings as the page has them."""
    return rulings.rulings(WRITTEN.partition(rulings.HEAD)[0])


@pytest.fixture(scope="module")
def places_of_rulings():
    """The places that put each ruling in force, by ruling."""
    return rulings.forces()


class IndexRow(NamedTuple):
    """The cells of a row of the index."""

    link: str
    reading: str
    bindings: str
    places: str
    vectors: str

    @property
    def ruling(self) -> str:
        """The id of the ruling, as the link shows it."""
        return re.match(r"\[(.*?)\]", self.link)[1].replace("\N{NON-BREAKING HYPHEN}", "-")


@pytest.fixture(scope="module")
def rows():
    """The rows of the index, by ruling."""
    lines = re.findall(r"^(\| \[(?:G|R).*)$", WRITTEN.partition(rulings.HEAD)[2], re.MULTILINE)
    index = [IndexRow(*re.split(r" (?<!\\)\| ", line.strip("| "))) for line in lines]
    return {row.ruling: row for row in index}


def test_the_index_has_no_errors(rulings_of_page, places_of_rulings):
    assert rulings.faults(rulings_of_page, places_of_rulings, rulings.readings()) == []


def test_the_index_lists_every_ruling_once(rows):
    assert list(rows) == RULED


#: What a cell of the index has if there is nothing to list.
EMPTY_CELL = "·"


@pytest.mark.parametrize("ruling", RULED)
def test_the_reading_of_a_ruling_is_one_short_sentence(ruling, rows):
    reading = rows[ruling].reading
    assert 10 < len(reading) <= 140
    assert reading.endswith(".")


@pytest.mark.parametrize("ruling", sorted(WITHOUT_CONSEQUENCE))
def test_the_row_of_a_ruling_without_consequence_says_so_and_lists_nothing(ruling, rows):
    row = rows[ruling]
    assert row.bindings == "no consequence"
    assert row.places == EMPTY_CELL
    assert row.vectors == EMPTY_CELL


@pytest.mark.parametrize("ruling", [ruling for ruling in RULED if ruling not in WITHOUT_CONSEQUENCE])
def test_the_row_of_a_ruling_names_its_places(ruling, rows):
    assert rows[ruling].places != EMPTY_CELL


@pytest.mark.parametrize("ruling", [ruling for ruling in RULED if ruling not in WITHOUT_CONSEQUENCE])
def test_the_row_of_a_ruling_counts_its_vectors(ruling, rows, places_of_rulings):
    vectors = rows[ruling].vectors
    count = 0 if vectors == EMPTY_CELL else int(vectors.partition(":")[0])
    assert count == len(places_of_rulings[ruling].vectors)


#: Rulings that leave a choice, as their texts say, and the binding that the index shows for them.
BINDINGS = {
    "R-1738-12": "permitted-set",
    "R-1738-26": "impl-defined",
    "R-1808-11": "impl-defined",
    "R-1808-13": "literal-only",
    "R-1808-22": "permitted-set",
    "R-1808-23": "unspecified",
    "R-2396-02": "literal-only",
    "R-2396-06": "permitted-set",
    "R-2396-18": "permitted-set",
    "R-2732-03": "impl-defined",
    "R-3986-09": "impl-defined",
    "R-3986-20": "permitted-set",
}


@pytest.mark.parametrize(("ruling", "binding"), BINDINGS.items())
def test_the_row_of_a_ruling_that_leaves_a_choice_shows_its_binding(ruling, binding, rows):
    assert binding in rows[ruling].bindings.split(", ")


#: A file, its text, the ruling that it cites last, and the definition in which the citation stands.
PLACES = {
    "docstring-of-a-module": ("a.py", '"""See G-01."""\n', "G-01", ""),
    "function": ("a.py", 'def f():\n    """See G-01."""\n', "G-01", "f"),
    "decorated": ("a.py", "@cache\ndef f():\n    return 1  # G-01\n", "G-01", "f"),
    "method": ("a.py", "class A:\n    def f(self):\n        pass  # G-01\n", "G-01", "A.f"),
    "class": ("a.py", 'class A:\n    """See G-01."""\n\n    x = 1\n', "G-01", "A"),
    "constant": ("a.py", 'A = [\n    "G-01",\n]\n', "G-01", "A"),
    "comment-above": ("a.py", "import b\n\n# see G-01\n# and more\nA = 1\n", "G-01", "A"),
    "comment-alone": ("a.py", "A = 1\n\n# see G-01\n\nB = 1\n", "G-01", ""),
    "enumeration": ("a.py", "A = 1  # R-1808-02, -05, -08\n", "R-1808-08", "A"),
    "grammar": ("a.bnf", "; G-01\n\na = b\n", "G-01", ""),
    "rule": ("a.bnf", 'a = b\n\n; G-01\n;!section 3\nb = "c"\n', "G-01", "b"),
    "published": ("a.abnf", ';!published G-01\n;! a = c\na = "b"\n', "G-01", "a"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_citation_has_the_function_class_constant_or_rule_around_it_as_its_place(name):
    file, text, ruling, definition = PLACES[name]
    last_citation = citations.cited_in(file, text)[-1]
    assert last_citation == citations.Citation(ruling, file, definition)


@pytest.mark.parametrize("text", ["G-1", "XG-01", "R-1808", "RG-01x", "G-011"])
def test_a_text_that_resembles_the_id_of_a_ruling_is_no_citation(text):
    assert list(citations.rulings_of(text)) == []


def test_a_ruling_without_citation_is_reported(rulings_of_page, places_of_rulings):
    without = {name: places for name, places in places_of_rulings.items() if name != "G-01"}
    assert rulings.faults(rulings_of_page, without, rulings.readings()) == ["G-01 is cited nowhere"]


def test_a_ruling_that_lost_its_vectors_is_reported(rulings_of_page, places_of_rulings):
    """The ruling is one that only vectors cite."""
    ruling = next(
        name for name, places in places_of_rulings.items() if not places.places and not places.catalogues
    )
    other_vectors = [vector for vector in rulings.vectors() if vector.fields.get("ruling") != ruling]
    faults = rulings.faults(rulings_of_page, rulings.forces(cited_by=other_vectors), rulings.readings())
    assert faults == [f"{ruling} is cited nowhere"]


@pytest.mark.parametrize(
    ("ruling", "fault"),
    [
        pytest.param("R-1738-99", "R-1738-99 is not a ruling", id="no-ruling"),
        pytest.param(
            "R-3986-36", "R-3986-36 is cited although it has no consequence", id="without-consequence"
        ),
    ],
)
def test_a_wrong_citation_is_reported(rulings_of_page, ruling, fault):
    with_citation = [*citations.citations(), *citations.cited_in("a.py", f"A = 1  # {ruling}\n")]
    assert rulings.faults(rulings_of_page, rulings.forces(places=with_citation), rulings.readings()) == [
        fault
    ]


def test_a_missing_reading_is_reported(rulings_of_page, places_of_rulings):
    without = {name: reading for name, reading in rulings.readings().items() if name != "G-01"}
    assert rulings.faults(rulings_of_page, places_of_rulings, without) == ["G-01 has no reading"]


def test_a_ruling_with_two_headings_is_reported(rulings_of_page, places_of_rulings):
    assert rulings.faults([*rulings_of_page, rulings_of_page[0]], places_of_rulings, rulings.readings()) == [
        "G-01 has two headings"
    ]


def test_a_changed_index_is_replaced():
    changed = WRITTEN.replace("| required |", "| optional |", 1)
    assert changed != WRITTEN
    assert rulings.page(changed) == rulings.page(WRITTEN)


def test_a_missing_index_is_generated_below_the_rulings():
    assert rulings.page(WRITTEN.partition(rulings.HEAD)[0]) == rulings.page(WRITTEN)
