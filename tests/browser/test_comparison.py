"""Pages that compare: the comparison first, both answers in every row, and room for it at every width."""

import re
from urllib.parse import unquote

import pytest
from msgspec.structs import replace
from report_samples import many_participants, many_results, sample_bypass

from urlharness.compare.bypass import BypassClass, BypassRow, Witness
from urlharness.compare.matrix import Trait, disagreements_in, make_matrix
from urlharness.corpus import loader
from urlharness.report.html.comparison import PageSelection, compare_several
from urlharness.report.html.page import render, render_bypasses

#: The widths in pixels of a phone, a small window and a large one.
WIDTHS = [400, 800, 1400]
#: So many that their names do not fit beside each other.
LIBRARIES = 62
#: The widest gap in pixels that looks like the space between two columns.
WIDEST_GAP = 60
#: The number of lines of the text of an element.
LINES = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getClientRects().length;
}"""

#: The elements that reach beyond the right edge of the window, without those that scroll by themselves.
BEYOND = """() => [...document.querySelectorAll('main *, header *')]
  .filter(each => each.checkVisibility() && !each.closest('.scroll > *, #list, #columns, .sr, .alike'))
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.outerHTML.slice(0, 100))"""
#: The texts that are not shown whole, of the elements that a selector selects.
CUT = """selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility())
  .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2)
  .map(each => each.textContent)"""
#: The texts of elements that scroll because their content is larger than they are.
TOO_LARGE = """elements => elements
  .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map(each => each.textContent)"""

#: For each row in sight: its words, and whether all of them are inside it.
ROWS = """() => [...document.querySelectorAll('.row')].filter(row => row.checkVisibility()).map(row => {
  const { top, bottom } = row.getBoundingClientRect();
  const shown = [...row.querySelectorAll('.input, .brief, .severity, .place')];
  const parts = shown.filter(each => each.checkVisibility());
  const words = (selector) => [...row.querySelectorAll(selector)].map(each => each.textContent.trim());
  return {
    labels: words('.brief .by'),
    severity: words('.severity').join(),
    why: words('.why').join(),
    inside: parts.every(part => {
      const box = part.getBoundingClientRect();
      return box.height > 8 && box.top >= top && box.bottom <= bottom;
    }),
  };
})"""


def compared(results, options="", words="", *components, traits=()):
    """Return the page of a comparison of all libraries in `results`."""
    matrix = make_matrix(results)
    selected = disagreements_in(matrix.disagreements, components) if components else matrix.disagreements
    chapter = compare_several(matrix, selected, loader.load_classes(), traits, PageSelection(options, words))
    return render(results, matrix=matrix, start=words or "is:different", comparison=chapter)


def many_names():
    """Return the names of many libraries, without the reference."""
    return [participant.name for participant in many_participants(LIBRARIES + 1)[1:]]


def made_trait():
    """Return a habit of some of many libraries, with a count of several words."""
    names = many_names()
    return Trait("folds the case of the scheme", tuple(names[:30]), tuple(names[30:]))


def made_bypasses():
    """Return made-up bypasses, some of each kind."""
    hidden = [Witness(f"http://{'a' * number}\\@{'b' * 90}.example/", "b", "a") for number in range(1, 60)]
    groups = [
        BypassClass(row, "backslash", tuple(hidden), Witness("http://evil\\@good/", "good", "evil"))
        for row in BypassRow
    ]
    return sample_bypass(*groups, check="jsonl:conformance/adapter-that-checks", remaining=range(5))


def pair(corpus):
    """Return the results of two libraries."""
    return many_results(corpus, 1_200, 3).only(["rfc-fast", "browser-fast"])


def many(corpus):
    """Return the results of many libraries."""
    return many_results(corpus, 900, LIBRARIES + 1).only(many_names())


def many_of_one_rfc(corpus):
    """Return the results of many libraries on some cases of RFC 3986."""
    cases = tuple(case for case in corpus.cases if case.spec == "rfc3986")
    return many_results(replace(corpus, cases=cases), 60, LIBRARIES + 1).only(many_names())


def alone(corpus, spec=None):
    """Return the results of one library on a twelfth of the cases, those of one RFC or of all."""
    cases = tuple(case for case in corpus.cases[::12] if spec in (None, case.spec))
    return many_results(replace(corpus, cases=cases), len(cases), 4).only(["legacy-fast"])


#: The pages: a pair, a pair with a selection, many libraries, one library, and a bypass.
PAGES = {
    "pair": lambda corpus: compared(pair(corpus)),
    "selected": lambda corpus: compared(pair(corpus), "--only host", "differs:host", "host"),
    "crowd": lambda corpus: compared(many(corpus), traits=[made_trait()]),
    "survey": lambda corpus: render(many(corpus)),
    "survey-3986": lambda corpus: render(many_of_one_rfc(corpus)),
    "alone": lambda corpus: render(alone(corpus)),
    "alone-3986": lambda corpus: render(alone(corpus, "rfc3986")),
    "bypass": lambda _: render_bypasses(made_bypasses(), loader.load_classes()),
}


@pytest.fixture(scope="module")
def written(rendered, corpus):
    """Return a function that writes a page of `PAGES`."""
    return lambda name: rendered(name, lambda _: PAGES[name](corpus))


@pytest.fixture
def look(written, view):
    """Return a function that returns a page, to be read, at a width."""

    def opened(name, width=1400):
        written(name)
        return view(name, width=width)

    return opened


@pytest.fixture
def use(written, visit):
    """Return a function that opens a page for one test, at a width."""

    def opened(name, width=1400, **options):
        written(name)
        page = visit(name, **options)
        page.set_viewport_size({"width": width, "height": 900})
        return page

    return opened


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["pair", "crowd", "survey", "alone", "alone-3986"])
@pytest.mark.sampled(5, keep="400")
def test_nothing_reaches_beyond_the_window(look, name, width):
    page = look(name, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(BEYOND) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tables_of_a_comparison_of_many_libraries_are_not_cut(look, width):
    tables = look("crowd", width).locator(".comparison .scroll")
    assert tables.count() > 0
    assert tables.evaluate_all(TOO_LARGE) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_counts_of_libraries_are_not_broken_over_lines(look, width):
    counts = look("crowd", width).locator(".grid td[data-name=libraries]")
    assert counts.all_inner_texts() == ["30 of 62"]
    assert counts.first.evaluate(LINES) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_of_a_bypass_stays_within_the_window(use, width):
    page = use("bypass", width, java_script_enabled=False)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.is_visible("#how-to-close-it")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["pair", "survey", "alone", "alone-3986"])
def test_no_section_is_cut(look, name, width):
    page = look(name, width)
    assert (
        page.evaluate(CUT, ".worst a, .worst .example, .blocks:not(.stacks-3) th a span, .titles span") == []
    )


#: The width in pixels of the narrowest window in which what fails most stands beside the sections.
LEAST_WIDTH_OF_TWO_COLUMNS = 1101


@pytest.mark.parametrize("width", [1400, LEAST_WIDTH_OF_TWO_COLUMNS])
def test_sections_of_one_rfc_leave_no_gap_before_what_fails_most(look, width):
    page = look("alone-3986", width)
    sections = page.locator(".blocks table").first.bounding_box()
    worst = page.locator(".worst").bounding_box()
    gap = worst["x"] - (sections["x"] + sections["width"])
    assert 0 <= gap < WIDEST_GAP


def test_what_fails_most_stands_below_the_sections_in_a_narrower_window(look):
    page = look("alone-3986", LEAST_WIDTH_OF_TWO_COLUMNS - 1)
    sections = page.locator(".blocks table").first.bounding_box()
    assert page.locator(".worst").bounding_box()["y"] >= sections["y"] + sections["height"]


@pytest.mark.parametrize("width", [1400, 1100])
def test_what_fails_most_reaches_to_the_right_edge(look, width):
    worst = look("alone-3986", width).locator(".worst").bounding_box()
    assert worst["x"] + worst["width"] > 0.9 * width


def test_a_phone_shows_three_of_the_worst_sections_of_one_library(look):
    assert look("alone", 400).locator(".worst li:visible").count() == 3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["survey", "crowd"])
@pytest.mark.sampled(2)
def test_the_heat_map_of_many_libraries_is_inside_the_page(look, name, width):
    maps = look(name, width).locator(".blocks .scroll")
    assert maps.count() > 0
    assert maps.evaluate_all(TOO_LARGE) == []


def test_the_heat_map_of_many_libraries_and_one_rfc_fills_the_room_beside_the_verdicts(look):
    page = look("survey-3986", 1400)
    verdicts = page.locator("#summary-table").bounding_box()
    heat_map = page.locator(".transposed").bounding_box()
    assert abs(heat_map["y"] - verdicts["y"]) < WIDEST_GAP
    assert 0 <= heat_map["x"] - (verdicts["x"] + verdicts["width"]) < WIDEST_GAP


@pytest.mark.parametrize("name", ["survey", "crowd"])
def test_the_heat_map_has_a_row_for_each_of_many_libraries(look, name):
    rows = look(name).locator(".blocks table").first.locator("tbody tr:visible")
    assert rows.count() == LIBRARIES


def test_every_library_of_many_is_in_sight_without_scrolling_within_the_table(look):
    overview = look("survey").locator(".first .scroll")
    assert overview.evaluate("each => each.scrollHeight <= each.clientHeight + 1")


def test_the_bars_of_many_libraries_are_in_one_line(look):
    bars = look("survey").locator("#summary-table tr td:nth-child(2) .bar").all()
    lefts = [bar.bounding_box()["x"] for bar in bars]
    assert max(lefts) - min(lefts) < 1


def test_columns_of_many_libraries_are_ordered_by_quality(look):
    page = look("survey")
    rows = page.locator("#summary-table tbody tr:visible th b").all_inner_texts()
    assert page.locator("#columns button").all_inner_texts() == rows
    assert page.get_attribute("#orders [data-order=quality]", "aria-pressed") == "true"


def test_a_tile_leads_to_the_wrong_answers_of_the_library_in_its_row(look):
    tile = look("survey").locator(".transposed td a.heat").nth(3)  # any one of them
    name = tile.locator("xpath=ancestor::tr").locator("th span").get_attribute("title")
    words_of_link = unquote(tile.get_attribute("href"))
    assert f"impl:{name}" in words_of_link
    assert "section:" in words_of_link
    assert "outcome:wrong" in words_of_link


def test_a_shadow_marks_columns_of_answers_beyond_the_edge(look, until):
    page = look("crowd")
    until(page, "document.querySelector('#pane.beyond') !== null")
    page.evaluate("document.getElementById('list').scrollLeft = 99999")
    until(page, "document.querySelector('#pane.beyond') === null")


# ---- the rows

#: Every window has room for more rows than these.
FEW_ROWS = 3
#: The number of characters of an answer that a third of a row has room for.
SHORT_ANSWER = 30


def test_no_answer_in_a_row_of_many_libraries_is_cut_at_once(use):
    """Long answers may be cut, but not short ones, for which there is room in two lines."""
    page = use("crowd", 1400)
    cut = page.evaluate(CUT, ".brief")
    assert [words for words in cut if len(words) < SHORT_ANSWER] == []


def test_the_rows_show_what_the_command_selected(use, until):
    page = use("selected")
    assert page.input_value("#f-q") == "differs:host"
    assert "Selected by --only host" in page.inner_text(".selection")
    page.click(".selection a")
    until(page, "document.getElementById('f-q').value === 'is:different'")


@pytest.fixture(params=WIDTHS)
def rows_of_pair(request, look):
    """The rows in sight on the page of two libraries, at each width."""
    rows = look("pair", request.param).evaluate(ROWS)
    assert len(rows) > FEW_ROWS
    return rows


def test_every_row_of_a_pair_has_the_answers_of_the_rfc_and_of_both_libraries(rows_of_pair):
    assert [row for row in rows_of_pair if not row["labels"][0].startswith("RFC ")] == []
    assert [row for row in rows_of_pair if names_in(row) != ["browser-fast", "rfc-fast"]] == []


def test_every_row_of_a_pair_says_how_severe_the_difference_is(rows_of_pair):
    assert [row for row in rows_of_pair if not row["severity"]] == []


def test_every_row_of_a_pair_says_why_the_answers_differ(rows_of_pair):
    assert [row for row in rows_of_pair if " · " not in row["why"]] == []


def names_in(row):
    """Return the names of the libraries whose answers a row shows, sorted."""
    return sorted(", ".join(row["labels"][1:]).split(", "))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["pair", "crowd"])
def test_a_row_has_room_for_its_answers(look, name, width):
    rows = look(name, width).evaluate(ROWS)
    assert len(rows) > FEW_ROWS
    assert [row for row in rows if not row["inside"]] == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["pair", "crowd"])
@pytest.mark.sampled(2)
def test_a_row_has_room_for_its_answers_after_a_change_of_its_height(use, name, width):
    """The button makes compact rows high, and high ones compact."""
    page = use(name, width)
    page.click("#compact")
    rows = page.evaluate(ROWS)
    assert len(rows) > FEW_ROWS
    assert [row for row in rows if not row["inside"]] == []


def test_a_row_that_is_scrolled_into_sight_shows_its_answers_and_can_be_selected(use, until):
    page = use("pair")
    page.evaluate("document.getElementById('list').scrollTop = 5000")
    until(page, "document.querySelector('.row:not([hidden])').getAttribute('aria-posinset') > 20")
    row = page.locator(".row:visible").first
    number = row.get_attribute("aria-posinset")
    row.click()
    selected_row = page.locator(".row[aria-selected=true]")
    assert selected_row.get_attribute("aria-posinset") == number
    assert selected_row.locator(".brief").first.inner_text().startswith("RFC ")


def test_a_class_leads_to_as_many_questions_as_it_counts(use, until):
    page = use("pair")
    links = page.locator(".difference h3 a").all()
    assert links != []
    for link in links[:4]:  # all of them take long
        count = int(re.search(r"([\d,]+) questions?$", link.inner_text())[1].replace(",", ""))
        link.click()
        until(
            page, "words => document.getElementById('count').textContent.startsWith(words)", f"{count:,} of "
        )


def test_a_class_is_opened_by_the_keyboard(use, until):
    page = use("pair")
    page.locator(".difference h3 a").first.focus()
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id === 'list'")
    page.keyboard.press("ArrowDown")
    until(page, "document.getElementById('detail').checkVisibility()")


def test_paper_shows_the_comparison_with_every_class(use):
    page = use("pair", 800)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    cards = page.locator(".difference").all()
    assert len(cards) > 6
    assert [card for card in cards if not card.is_visible()] == []


def test_without_a_script_the_differences_and_their_causes_are_shown(use):
    page = use("pair", java_script_enabled=False)
    assert page.is_visible("#causes")
    assert page.is_visible(".difference .cause")
