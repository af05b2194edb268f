"""Small screens, a common laptop, and paper."""

import pytest
from report_samples import PARTICIPANTS

#: A part of the page stands within the window from left to right.
IN_SIGHT = """(each) => {
  const box = each.getBoundingClientRect();
  return box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1;
}"""
#: Text stands in the block of a link, and not in the link itself.
TEXT_BESIDE = """(each) => {
  let block = each.parentElement;
  while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
  return block.innerText.trim() !== each.innerText.trim();
}"""
#: The tables, and how many cells of a row have the name of their column beside them.
TABLES = {"sections": 4, "plain": 4}
#: The widths in pixels of a phone, of a common laptop, and of A4 without its margins.
PHONE = 390
LAPTOP = 1280
PAPER = 718
#: The smallest type in pixels that is easy to read on paper.
SMALLEST_TYPE = 11.5


def unfold(page):
    """Open everything that is folded."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")


@pytest.fixture
def unfolded(view):
    """Return a function that returns a page of this width, to be read, with everything on it unfolded."""
    return lambda name, width: view(name, width=width, prepare=unfold)


@pytest.mark.parametrize("table", TABLES)
def test_a_small_screen_shows_every_cell_with_the_name_of_its_column(unfolded, table):
    page = unfolded("corpus", PHONE)
    row = page.locator(f"table.{table} tbody tr").first
    cells = row.locator("td").all()
    assert [cell for cell in cells if not cell.evaluate(IN_SIGHT)] == []
    names = [
        cell.evaluate("element => getComputedStyle(element, '::before').content").strip('"') for cell in cells
    ]
    assert len(names) == TABLES[table]
    heads = page.locator(f"table.{table}").first.locator("thead th").all_text_contents()[1:]
    assert [(head, name) for head, name in zip(heads, names, strict=True) if not head.startswith(name)] == []


def test_a_small_screen_shows_every_implementation_of_a_section(unfolded):
    page = unfolded("corpus", PHONE)
    cells = page.locator("#sections-rfc3986 .sections tbody tr").first.locator("td")
    assert cells.count() == len([participant for participant in PARTICIPANTS if participant.state == "ran"])
    assert [cell for cell in cells.all() if not cell.evaluate(IN_SIGHT)] == []


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.sampled(2)
def test_a_link_in_a_table_is_more_than_a_colour(unfolded, width):
    """WCAG 2, 1.4.1, demands it where there is text on the same line, such as the number of vectors."""
    page = unfolded("corpus", width)
    links = page.locator("#summary-table tbody a, #sections-rfc2732 td a").all()
    beside = [link for link in links if link.evaluate(TEXT_BESIDE)]
    assert beside
    lines = {link.evaluate("each => getComputedStyle(each).textDecorationLine") for link in beside}
    assert lines == {"underline"}


@pytest.mark.parametrize("width", [800, PHONE])
def test_a_small_screen_says_that_a_number_is_that_of_an_rfc(unfolded, width):
    page = unfolded("corpus", width)
    heads = page.locator(
        "#summary-table thead a, .blocks table:not(.transposed) thead th:first-child a"
    ).all()
    titles = [" ".join(head.inner_text().split()) for head in heads if head.inner_text().strip()]
    assert "RFC 3986" in titles
    assert [title for title in titles if not title.startswith("RFC ")] == []


#: A table with more columns than a window is wide.
WIDE_TABLE = "#sections-rfc1738 .scroll:has(.sections)"


@pytest.mark.parametrize("width", [PHONE, 900])
def test_a_shadow_marks_hidden_columns(unfolded, width):
    scroll = unfolded("many", width).locator(WIDE_TABLE)
    assert scroll.evaluate("element => element.scrollWidth > element.clientWidth")
    assert "linear-gradient" in scroll.evaluate("element => getComputedStyle(element).backgroundImage")


@pytest.mark.parametrize("width", [PHONE, 900])
@pytest.mark.parametrize("head", ["thead th", "tbody th"], ids=["corner", "row"])
def test_the_first_column_stays_on_top_when_a_table_is_scrolled_sideways(unfolded, width, head):
    page = unfolded("many", width)
    scroll = page.locator(WIDE_TABLE)
    scroll.evaluate("element => { element.scrollIntoView(); element.scrollLeft = 150 }")
    first_head = scroll.locator(head).first
    box = first_head.bounding_box()
    assert box["x"] == pytest.approx(scroll.bounding_box()["x"], abs=1)
    on_top = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('th')?.textContent.trim()",
        [box["x"] + 5, box["y"] + box["height"] / 2],
    )
    assert on_top == first_head.text_content().strip()


def test_a_laptop_shows_the_tables_of_four_implementations_in_full(unfolded):
    page = unfolded("corpus", LAPTOP)
    cut = page.evaluate(
        """[...document.querySelectorAll('main .scroll')].filter(each => each.scrollWidth > each.clientWidth)
          .map(each => `${each.getAttribute('aria-label')}: ${each.scrollWidth} in ${each.clientWidth}`)"""
    )
    assert cut == []


def test_options_of_the_command_are_not_split_if_there_is_room(unfolded):
    page = unfolded("corpus", 200)
    words = page.locator(".command span").all()
    assert [word.text_content() for word in words] == ["urlconform", "run", "--report", "html=report.html"]
    assert {word.evaluate("each => each.getClientRects().length") for word in words} == {1}
    heights = [word.bounding_box()["height"] for word in words]
    assert max(heights) < 1.5 * min(heights)


#: Return the beginnings of the texts that are printed in smaller type than this.
TINY_TEXTS = """smallest => {
  const tiny = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const owner = node.parentElement;
    const size = parseFloat(getComputedStyle(owner).fontSize);
    if (!node.data.trim() || !owner.checkVisibility() || owner.closest('script, .sr, svg')) continue;
    if (size < smallest) tiny.add(`${node.data.trim().slice(0, 20)}: ${size}`);
  }
  return [...tiny].slice(0, 20);
}"""


def print_page(page):
    """Lay a page out as it is printed on A4."""
    page.set_viewport_size({"width": PAPER, "height": 1000})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def test_the_tables_are_printed_without_tiny_type_on_the_width_of_the_paper(visit):
    page = visit("corpus")
    print_page(page)
    assert page.evaluate(TINY_TEXTS, SMALLEST_TYPE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER


@pytest.mark.parametrize("query", ["op:validate+rule:URI", "op:parse"], ids=["verdict", "components"])
def test_a_case_is_printed_without_tiny_type_on_the_width_of_the_paper(visit, query):
    page = visit("corpus", f"#q={query}")
    page.locator(".row").first.click()
    print_page(page)
    assert page.evaluate(TINY_TEXTS, SMALLEST_TYPE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER


#: The height of the window in the tests of the first screen: that of common phones.
HEIGHT = 915


@pytest.fixture
def first_screen(view):
    """Return a function that opens the page in a window of a width, and does not scroll."""

    def open_page(width):
        page = view("corpus", width=width)
        page.set_viewport_size({"width": width, "height": HEIGHT})
        return page

    return open_page


@pytest.mark.parametrize("width", [1400, 800, 400])
def test_the_verdicts_and_the_heat_map_are_on_the_first_screen(first_screen, width):
    page = first_screen(width)
    summary = page.locator("#summary-table").bounding_box()
    heat_map = page.locator(".blocks").first.bounding_box()
    assert summary["y"] + summary["height"] <= HEIGHT
    assert heat_map["y"] + heat_map["height"] <= HEIGHT
    assert heat_map["y"] < HEIGHT * 0.7


def test_what_fails_most_begins_in_the_upper_half_of_a_wide_first_screen(first_screen):
    assert first_screen(1400).locator(".worst").first.bounding_box()["y"] < HEIGHT / 2


@pytest.mark.parametrize("width", [1400, 800, 400])
def test_the_cells_of_the_first_screen_are_within_the_window(first_screen, width):
    page = first_screen(width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells = page.locator("#summary-table tbody td").all()
    assert cells
    cells += page.locator(".blocks td").all()[::7]  # all of them take too long
    assert [cell for cell in cells if not cell.evaluate(IN_SIGHT)] == []
