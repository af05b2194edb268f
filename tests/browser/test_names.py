"""Implementations with long, similar names: no two look alike."""

import msgspec
import pytest
import report_samples

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
    .flatMap(one => [one, ...one.querySelectorAll('*')]).filter(one => !one.matches('.sr'))
    .filter(one => one.clientWidth)
    .filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
    .map(one => one.textContent)"""
SHOWN = "selector => [...document.querySelectorAll(selector)].map(one => one.innerText.split('\\n')[0])"
#: Tell if the matrix shows counts, or cells, as wanted. It does so some time after a change of the width.
IS_CROWDED = "wanted => document.getElementById('pane').classList.contains('crowded') === wanted"


@pytest.fixture(scope="module")
def pages(site):
    for page, names in PAGES.items():
        (site / f"{page}.html").write_text(render(named(names)), encoding="utf-8")


def named(names):
    """Return made-up results of implementations with these names."""
    results = report_samples.many_results(loader.load(), 300, len(names))
    of = dict(zip((participant.name for participant in results.participants), names, strict=True))
    replace = msgspec.structs.replace
    return replace(
        results,
        participants=tuple(
            replace(participant, name=of[participant.name]) for participant in results.participants
        ),
        results={
            of[name]: {
                key: replace(answer, implementation=of[name]) for key, answer in library_results.items()
            }
            for name, library_results in results.results.items()
        },
        counted={of[name]: counts for name, counts in results.counted.items()},
    )


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
def screen(visit, until, pages):
    """Return a function that opens a page and a chapter, and waits until the matrix fits the width."""

    def open_page(page, width, crowded):
        opened = visit(page)
        opened.set_viewport_size({"width": width, "height": 1000})
        opened.evaluate("document.querySelector('.chapter').open = true")
        until(opened, IS_CROWDED, crowded)
        return opened

    return open_page


@pytest.mark.parametrize(("page", "width", "crowded", "places"), SCREENS)
def test_long_similar_names_are_shown_differently(screen, page, width, crowded, places):
    opened = screen(page, width, crowded)
    labels = {place: opened.evaluate(SHOWN, place) for place in places}
    assert {place: len(labels[place]) for place in places} == dict.fromkeys(places, len(PAGES[page]))
    assert {place: len(set(labels[place])) for place in places} == dict.fromkeys(places, len(PAGES[page]))


@pytest.mark.parametrize(("page", "width", "crowded", "places"), SCREENS)
def test_long_similar_names_are_not_cut(screen, page, width, crowded, places):
    opened = screen(page, width, crowded)
    assert [opened.evaluate(CUT, place) for place in places] == [[] for _ in places]


@pytest.mark.usefixtures("pages")
def test_shortened_names_have_the_whole_name_as_title(visit):
    page = visit("forty")
    page.evaluate("document.querySelector('.chapter').open = true")
    name = PAGES["forty"][7]
    head = page.locator("#columns [data-column='7']")
    assert name not in head.inner_text()
    assert head.get_attribute("aria-label") == name
    assert name in head.get_attribute("title")
    for label in (
        page.locator(".alike li", has_text=name),
        page.locator(".chapter[open] th[data-column='7']").first,
    ):
        assert label.locator(".sr").text_content() == name
        assert label.locator("[aria-hidden]").get_attribute("title") == name
