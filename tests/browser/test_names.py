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


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("width", [1440, 400])
@pytest.mark.usefixtures("pages")
def test_long_similar_names_are_shown_differently(visit, page, width):
    names = PAGES[page]
    opened = visit(page)
    opened.set_viewport_size({"width": width, "height": 1000})
    opened.evaluate("document.querySelector('.chapter').open = true")
    crowded = opened.evaluate("document.getElementById('pane').classList.contains('crowded')")
    for selector in ("#columns button", ".alike li", ".chapter[open] .sections thead th:not(:first-child)"):
        if (selector == "#columns button" and crowded) or (
            width == 400 and "thead" in selector and len(names) < 5
        ):
            continue  # not shown
        labels = opened.evaluate(SHOWN, selector)
        assert len(set(labels)) == len(labels) == len(names), labels
        assert opened.evaluate(CUT, selector) == [], selector


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
