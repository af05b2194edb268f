"""Implementations with long, similar names: no two of them look alike on a page."""

import pytest
import report_samples
from msgspec.structs import replace

from urlharness.corpus import loader
from urlharness.report.html.page import render

PAGES = {
    "two": ["jsonl:python3 a.py", "jsonl:python3 b.py"],
    "three": [f"jsonl:python3 adapters/{character}.py --strict" for character in "abc"],
    "wide": [f"jsonl:WWWWWWWWWWWWWWWWWWWW{character}WWWWWWWW" for character in "abc"],
    "forty": [f"jsonl:python3 adapters/url-{number:02}.py --verbose" for number in range(40)],
}
#: Elements whose text may be more than they show.
CUT = """selector => [...document.querySelectorAll(selector)]
    .flatMap(element => [element, ...element.querySelectorAll('*')])
    .filter(element => !element.matches('.sr') && element.clientWidth)
    .filter(element => element.scrollWidth > element.clientWidth + 1
      || element.scrollHeight > element.clientHeight + 1)
    .map(element => element.textContent)"""
#: The first line of each element that a selector selects.
FIRST_LINES = """selector => [...document.querySelectorAll(selector)]
    .map(element => element.innerText.split('\\n')[0])"""
#: Whether the matrix shows counts, or cells, as it should. It changes some time after the width.
IS_CROWDED = "crowded => document.getElementById('pane').classList.contains('crowded') === crowded"


def named(names):
    """Return made-up results of implementations with these names."""
    results = report_samples.many_results(loader.load(), 300, len(names))
    new_name = dict(zip((participant.name for participant in results.participants), names, strict=True))
    participants = [
        replace(participant, name=new_name[participant.name]) for participant in results.participants
    ]
    renamed_results = {}
    for name, results_of_library in results.results.items():
        renamed_results[new_name[name]] = {
            vector_id: replace(answer, implementation=new_name[name])
            for vector_id, answer in results_of_library.items()
        }
    counted = {new_name[name]: counts for name, counts in results.counted.items()}
    return replace(results, participants=tuple(participants), results=renamed_results, counted=counted)


#: The three places that have every name: the heads of the matrix, the list of likeness, and the heads of the
#: table of sections.
MATRIX, LIKENESS, SECTIONS = PLACES = (
    "#columns button",
    ".alike li",
    ".chapter[open] .sections thead th:not(:first-child)",
)
#: A page, the width of the window, whether the matrix shows counts, and the places that are shown.
#: Counts have no heads, and neither has a narrow table of a few implementations, whose cells have the names.
SCREENS = [
    pytest.param("two", 1440, False, PLACES, id="two-wide"),
    pytest.param("three", 1440, False, PLACES, id="three-wide"),
    pytest.param("wide", 1440, False, PLACES, id="wide-letters-wide"),
    pytest.param("forty", 1440, False, PLACES, id="forty-wide"),
    pytest.param("two", 400, False, (MATRIX, LIKENESS), id="two-narrow"),
    pytest.param("three", 400, False, (MATRIX, LIKENESS), id="three-narrow"),
    pytest.param("wide", 400, False, (MATRIX, LIKENESS), id="wide-letters-narrow"),
    pytest.param("forty", 400, True, (LIKENESS, SECTIONS), id="forty-narrow"),
]


@pytest.fixture
def open_chapter(view, rendered):
    """Return a function that returns a page with an open chapter, to be read."""

    def open_page(name, width=1440):
        rendered(name, lambda _: render(named(PAGES[name])))
        return view(name, width=width, prepare=open_first_chapter)

    return open_page


def open_first_chapter(page):
    """Open the first chapter of a page."""
    page.evaluate("document.querySelector('.chapter').open = true")


@pytest.fixture
def screen(open_chapter, until):
    """Return a function that opens a page and a chapter, and waits until the matrix fits the width."""

    def open_page(page, width, crowded):
        opened = open_chapter(page, width)
        until(opened, IS_CROWDED, crowded)
        return opened

    return open_page


@pytest.mark.parametrize(("page", "width", "crowded", "places"), SCREENS)
@pytest.mark.sampled(2)
def test_long_similar_names_are_shown_differently(screen, page, width, crowded, places):
    opened = screen(page, width, crowded)
    for selector in places:
        labels = opened.evaluate(FIRST_LINES, selector)
        assert len(labels) == len(PAGES[page]), selector
        assert len(set(labels)) == len(labels), selector


@pytest.mark.parametrize(("page", "width", "crowded", "places"), SCREENS)
def test_long_similar_names_are_not_cut(screen, page, width, crowded, places):
    opened = screen(page, width, crowded)
    cut_texts = {selector: opened.evaluate(CUT, selector) for selector in places}
    assert cut_texts == {selector: [] for selector in places}


#: Any one of the implementations of the page `forty`.
COLUMN = 7


@pytest.fixture
def page_of_forty(open_chapter):
    """The page with 40 names, and a chapter open."""
    return open_chapter("forty")


def test_a_shortened_head_has_the_whole_name_as_label_and_title(page_of_forty):
    name = PAGES["forty"][COLUMN]
    head = page_of_forty.locator(f"#columns [data-column='{COLUMN}']")
    assert name not in head.inner_text()
    assert head.get_attribute("aria-label") == name
    assert name in head.get_attribute("title")


def check_label(label, name):
    """Fail if a shortened name is not read out whole, or its title is not the whole name."""
    assert label.locator(".sr").text_content() == name
    assert label.locator("[aria-hidden]").get_attribute("title") == name


def test_the_list_of_likeness_has_the_whole_name_beside_a_shortened_one(page_of_forty):
    name = PAGES["forty"][COLUMN]
    check_label(page_of_forty.locator(".alike li", has_text=name), name)


def test_a_table_of_sections_has_the_whole_name_beside_a_shortened_one(page_of_forty):
    head = page_of_forty.locator(f".chapter[open] th[data-column='{COLUMN}']").first
    check_label(head, PAGES["forty"][COLUMN])
