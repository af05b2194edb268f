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
TABLES = {"sections": 4, "plain": 5}  # cells of a row that have a name beside them


def opened(visit, name, width):
    page = visit(name)
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    return page


@pytest.mark.parametrize("table", TABLES)
def test_a_small_screen_shows_every_cell_with_the_name_of_its_column(visit, table):
    page = opened(visit, "corpus", 390)
    row = page.locator(f"table.{table} tbody tr").first
    names = []
    for cell in row.locator("td").all():
        assert cell.evaluate(IN_SIGHT)
        names.append(cell.evaluate("each => getComputedStyle(each, '::before').content").strip('"'))
    assert len(names) == TABLES[table]
    heads = page.locator(f"table.{table}").first.locator("thead th").all_text_contents()[1:]
    assert [(head, name) for head, name in zip(heads, names, strict=True) if not head.startswith(name)] == []


def test_a_small_screen_shows_every_implementation_of_a_section(visit):
    page = opened(visit, "corpus", 390)
    cells = page.locator("#sections-rfc3986 .sections tbody tr").first.locator("td")
    assert cells.count() == len([participant for participant in PARTICIPANTS if participant.state == "ran"])
    assert [cell for cell in cells.all() if not cell.evaluate(IN_SIGHT)] == []


@pytest.mark.parametrize("width", [1400, 400])
def test_a_link_in_a_table_is_more_than_a_colour(visit, width):
    """WCAG 2, 1.4.1: if there is text on the same line, such as the number of vectors."""
    page = opened(visit, "corpus", width)
    links = page.locator("#summary-table tbody a, #sections-rfc2732 td a").all()
    beside = [link for link in links if link.evaluate(TEXT_BESIDE)]
    assert beside
    lines = {link.evaluate("each => getComputedStyle(each).textDecorationLine") for link in beside}
    assert lines == {"underline"}


@pytest.mark.parametrize("width", [390, 900])
def test_a_shadow_marks_hidden_columns_and_the_corner_stays(visit, width):
    page = opened(visit, "many", width)
    scroll = page.locator("#sections-rfc1738 .scroll:has(.sections)")
    assert scroll.evaluate("each => each.scrollWidth > each.clientWidth")
    assert "linear-gradient" in scroll.evaluate("each => getComputedStyle(each).backgroundImage")
    scroll.evaluate("each => { each.scrollIntoView(); each.scrollLeft = 150 }")
    left_edge = scroll.bounding_box()["x"]
    for first in ("thead th", "tbody th"):
        box = scroll.locator(first).first.bounding_box()
        assert abs(box["x"] - left_edge) < 1
        on_top = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.closest('th')?.textContent.trim()",
            [box["x"] + 5, box["y"] + box["height"] / 2],
        )
        assert on_top == scroll.locator(first).first.text_content().strip()


def test_a_laptop_shows_the_tables_of_four_implementations_in_full(visit):
    page = opened(visit, "corpus", 1280)
    cut = page.evaluate(
        """[...document.querySelectorAll('main .scroll')].filter(each => each.scrollWidth > each.clientWidth)
          .map(each => `${each.getAttribute('aria-label')}: ${each.scrollWidth} in ${each.clientWidth}`)"""
    )
    assert cut == []


def test_options_of_the_command_are_not_split_if_there_is_room(visit):
    page = opened(visit, "corpus", 200)
    words = page.locator(".command span").all()
    assert [word.text_content() for word in words] == ["urlconform", "run", "--report", "html=report.html"]
    assert {word.evaluate("each => each.getClientRects().length") for word in words} == {1}
    heights = [word.bounding_box()["height"] for word in words]
    assert max(heights) < 1.5 * min(heights)


@pytest.mark.parametrize("state", ["", "#q=op:validate+rule:URI", "#q=op:parse"])
def test_print_has_no_tiny_type(visit, state):
    page = visit("corpus", state)
    if state:
        page.locator(".row").first.click()
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    tiny = page.evaluate(
        """() => {
          const found = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const owner = node.parentElement;
            const size = parseFloat(getComputedStyle(owner).fontSize);
            if (!node.data.trim() || !owner.checkVisibility() || owner.closest('script, .sr, svg')) continue;
            if (size < 11.5) found.add(`${node.data.trim().slice(0, 20)}: ${size}`);
          }
          return [...found].slice(0, 20);
        }"""
    )
    assert tiny == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 718


@pytest.mark.parametrize("width", [1400, 800, 400])
def test_the_first_screen_tells_the_story(visit, width):
    """Verdicts, the heat map, and on a wide window the beginning of what fails most, with whole texts."""
    height = 900
    page = visit("corpus")
    page.set_viewport_size({"width": width, "height": height})
    ends = page.evaluate(
        """() => ['#summary-table', '.blocks']
          .map(each => document.querySelector(each).getBoundingClientRect().bottom)"""
    )
    assert [end for end in ends if end > height] == []
    begin = page.evaluate("document.querySelector('.blocks').getBoundingClientRect().top")
    assert begin < height * 0.7
    if width == 1400:
        begin_of_worst = page.evaluate("document.querySelector('.worst').getBoundingClientRect().top")
        assert begin_of_worst < height / 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells = page.locator("#summary-table tbody td").all()
    assert cells
    assert [cell for cell in cells if not cell.evaluate(IN_SIGHT)] == []
    assert [cell for cell in page.locator(".blocks td").all()[::7] if not cell.evaluate(IN_SIGHT)] == []
