"""The matrix of 40 implementations: its cells, groups and heads, and how columns are chosen and ordered."""

from itertools import chain, groupby
from typing import NamedTuple

import pytest
from html_text import Page

from urlharness.report.html.page import render
from urlharness.results.model import Participant, Result

#: The number of implementations on the page.
COUNT = 40
#: The width of a cell in pixels, and the least width of a question that can be read.
CELL = 15
LEGIBLE = 300


def middle(box):
    """Return the horizontal middle of a box."""
    return box["x"] + box["width"] / 2


def test_all_columns_fit_beside_the_question(view):
    row = view("many").locator(".row:visible").first
    assert row.locator(".cell").count() == COUNT
    assert row.locator(".cell").last.bounding_box()["width"] == CELL
    assert row.locator(".what").bounding_box()["width"] > LEGIBLE


def test_the_last_column_is_inside_the_list(view):
    page = view("many")
    box = page.locator("#list").bounding_box()
    last = page.locator(".row:visible").first.locator(".cell").last.bounding_box()
    assert last["x"] + last["width"] <= box["x"] + box["width"]


def test_the_head_of_the_last_column_is_above_it(view):
    page = view("many")
    last = page.locator(".row:visible").first.locator(".cell").last.bounding_box()
    assert middle(page.locator("#columns button").last.bounding_box()) == pytest.approx(middle(last), abs=2)


#: The signs of all outcomes, in the order of their counts.
SIGNS = "✓vp✗\N{EN DASH}ETCGNA·"


def test_a_cell_says_its_outcome_as_text(view):
    page = view("many", "#q=outcome:crash")
    row = page.locator(".row:visible").first
    signs = row.locator(".cell").all_inner_texts()
    assert "C" in signs
    assert set(signs) <= set(SIGNS)


def test_a_cell_names_its_library_when_the_mouse_is_over_it(view):
    cell = view("many", "#q=outcome:crash").locator(".row:visible").first.locator(".cell").first
    cell.hover()
    assert cell.get_attribute("title").startswith("reference: ")


def test_the_outcomes_of_a_row_are_read_out_as_counts(view):
    text = view("many", "#q=outcome:crash").locator(".row:visible").first.locator(".sr").inner_text()
    assert "passed by" in text
    assert f"of {COUNT}" in text
    assert "crash: " in text


RFC_FAST = "#columns button[title*='rfc-fast']"
SPLIT_OLD = "#columns button[title*='split-old']"


def test_a_head_filters_for_what_its_implementation_fails(visit):
    page = visit("many", "#q=")
    page.click(RFC_FAST)
    assert page.input_value("#f-q") == "rfc-fast:failing"
    assert page.get_attribute(RFC_FAST, "aria-pressed") == "true"


def test_two_heads_filter_for_what_both_implementations_fail(visit):
    page = visit("many", "#q=")
    page.click(RFC_FAST)
    page.click(SPLIT_OLD)
    assert page.input_value("#f-q") == "rfc-fast:failing split-old:failing"


def test_a_pressed_head_takes_its_implementation_out_of_the_query(visit):
    page = visit("many", "#q=rfc-fast:failing+split-old:failing")
    page.click(RFC_FAST)
    assert page.input_value("#f-q") == "split-old:failing"


def test_columns_can_be_ordered_by_agreement(visit):
    page = visit("many")
    names = page.locator("#columns button").all_inner_texts()
    before = page.locator("[aria-posinset='1']").locator(".cell").all_inner_texts()
    page.click("#alike-order")
    moved = page.locator("#columns button").all_inner_texts()
    after = page.locator("[aria-posinset='1']").locator(".cell").all_inner_texts()
    assert moved == page.locator(".alike li").all_inner_texts()
    assert [after[moved.index(name)] for name in names] == before


def test_libraries_that_agree_stand_together(visit):
    """The made-up answers of a family of libraries, such as `rfc-fast` and `rfc-old`, agree."""
    page = visit("many")
    page.click("#alike-order")
    families = [name.partition("-")[0] for name in heads(page)]
    families_in_turn = [family for family, _ in groupby(families)]
    assert sorted(families_in_turn) == sorted(set(families))


def check_row(page, *, has_cells):
    """Fail if the first row does not have cells, one for each implementation, or counts in their place."""
    row = page.locator(".row:visible").first
    assert row.locator(".cells").is_visible() == has_cells
    assert row.locator(".sums").is_visible() != has_cells


#: The matrix has no room for its cells; it shows counts some time after a change of the width.
CROWDED = "document.getElementById('pane').classList.contains('crowded')"


def test_a_wide_matrix_shows_cells(view, until):
    page = view("many")
    until(page, f"!{CROWDED}")
    check_row(page, has_cells=True)


def test_a_matrix_beside_an_open_case_shows_counts(visit, until):
    page = visit("many")
    page.locator(".row").first.click()
    until(page, CROWDED)
    check_row(page, has_cells=False)


def test_a_matrix_on_a_small_screen_shows_counts(visit, until):
    page = visit("many")
    page.set_viewport_size({"width": 360, "height": 900})
    until(page, CROWDED)
    check_row(page, has_cells=False)


def signs_of_counts(text):
    """Return the signs of a text such as `12 ✓ 3 ✗`, which has a count and a sign in turn."""
    return text.split()[1::2]


def test_counts_have_the_same_order_in_every_row(visit, until):
    page = visit("many", "#q=outcome:differing")
    page.set_viewport_size({"width": 360, "height": 900})
    until(page, CROWDED)
    signs = [signs_of_counts(text) for text in page.locator(".row:visible .sums").all_inner_texts()]
    assert max(map(len, signs)) > 1  # rows of one sign are in any order
    assert signs == [sorted(signs_of_row, key=SIGNS.index) for signs_of_row in signs]


#: The heights in pixels of a row of one line, and of one of two lines.
COMPACT = 26
ROOMY = 48


@pytest.mark.parametrize(("name", "pressed"), [("many", "true"), ("corpus", "false")], ids=["many", "few"])
def test_rows_are_compact_at_first_where_there_are_many_implementations(view, name, pressed):
    assert view(name).get_attribute("#compact", "aria-pressed") == pressed


def test_compact_rows_have_one_line(view):
    page = view("many")
    assert page.locator(".row:visible").first.bounding_box()["height"] == COMPACT


def test_rows_that_are_not_compact_have_two_lines(visit):
    page = visit("many")
    page.click("#compact")
    assert page.locator(".row:visible").first.bounding_box()["height"] == ROOMY


def open_first_case(page):
    """Open the case in the first row."""
    page.locator(".row").first.click()


def test_equal_answers_are_shown_once(view):
    page = view("many", "#q=outcome:failing+op:parse", prepare=open_first_case)
    heads_of_answers = page.locator("#detail .answer h5").all_inner_texts()
    names = ", ".join(heads_of_answers).split(", ")
    assert 1 < len(heads_of_answers) < len(names)


def test_a_wrong_answer_is_shown_before_the_right_one(view):
    page = view("many", "#q=outcome:failing+op:parse", prepare=open_first_case)
    classes = page.locator("#detail .answer").evaluate_all(
        "answers => answers.map(answer => answer.className)"
    )
    assert classes[0] == "answer o-fail"
    assert set(classes[1:]) == {"answer o-pass"}


def test_every_library_has_a_command_of_its_own_that_repeats_the_case(view):
    page = view("many", "#q=outcome:failing+op:parse", prepare=open_first_case)
    commands = page.evaluate(
        "[...document.querySelectorAll('#detail .repro code')].map(each => each.textContent)"
    )
    assert len(commands) == COUNT
    assert len(set(commands)) == COUNT


#: The orders of columns, by the button that chooses each.
ORDERS = {
    "quality": lambda listed: listed["quality"],
    "run": lambda _: list(range(COUNT)),
    "name": lambda listed: sorted(
        range(COUNT), key=lambda participant: listed["implementations"][participant]
    ),
    "score": lambda listed: sorted(range(COUNT), key=lambda participant: -listed["scores"][participant]),
    "alike": lambda listed: listed["order"],
}


@pytest.fixture(scope="session")
def many_data(sample):
    """The data in the page `many`."""
    return Page(sample("many").read_text(encoding="utf-8")).data()


def heads(page):
    """Return the names of the columns in sight."""
    return page.locator("#columns button").all_inner_texts()


def order_of(page):
    """Return the order of the columns, by the button that is pressed."""
    return page.locator("#orders [aria-pressed=true]").get_attribute("data-order")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.sampled(3)
def test_columns_have_the_order_that_is_chosen(visit, many_data, order):
    page = visit("many", "#q=&order=run")
    cells = page.locator("[aria-posinset='1'] .cell")
    before = cells.all_inner_texts()
    page.click("#orders [data-order=name]")
    page.click(f"#orders [data-order={order}]")
    columns = ORDERS[order](many_data)
    assert order_of(page) == order
    assert heads(page) == [many_data["implementations"][column] for column in columns]
    assert cells.all_inner_texts() == [before[column] for column in columns]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("order", ORDERS)
def test_a_link_keeps_the_order_of_the_columns(visit, order):
    page = visit("many", "#q=")
    page.click("#orders [data-order=name]")
    page.click(f"#orders [data-order={order}]")
    assert heads(visit("many", "#" + page.url.partition("#")[2])) == heads(page)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("order", [order for order in ORDERS if order != "quality"])
def test_the_address_names_an_order_that_was_chosen(visit, order):
    page = visit("many", "#q=")
    page.click(f"#orders [data-order={order}]")
    assert f"order={order}" in page.url


def test_the_address_does_not_name_the_order_at_first(visit):
    page = visit("many", "#q=")
    page.click("#orders [data-order=name]")
    page.click("#orders [data-order=quality]")
    assert "order=" not in page.url


def test_the_back_button_restores_the_order_before(visit):
    page = visit("many", "#q=")
    page.click("#orders [data-order=name]")
    page.click("#orders [data-order=score]")
    page.go_back()
    assert order_of(page) == "name"


@pytest.fixture
def page_of_browsers(visit):
    """The page with only the columns of libraries whose names contain `browser-`."""
    page = visit("many", "#order=name")
    page.fill("#find", "browser-")
    page.click("#only-found")
    return page


def test_only_the_columns_found_by_typing_are_left(page_of_browsers, many_data):
    names = [name for name in many_data["implementations"] if "browser-" in name]
    assert heads(page_of_browsers) == sorted(names)


def test_a_table_of_sections_has_the_columns_of_the_list(page_of_browsers):
    page_of_browsers.click("#sections-rfc1738 > summary")
    cells = page_of_browsers.locator("#sections-rfc1738 .sections >> nth=0 >> thead th[data-column]:visible")
    names = [cell.locator("[title]").or_(cell).first.inner_text().strip() for cell in cells.all()]
    assert names == heads(page_of_browsers)


@pytest.mark.parametrize(
    "selector",
    ["#summary-table tbody tr:visible th b", ".blocks table >> nth=0 >> tbody tr:visible th span"],
    ids=["summary", "heat-map"],
)
def test_a_table_has_the_columns_of_the_list_as_its_rows(page_of_browsers, selector):
    assert page_of_browsers.locator(selector).all_inner_texts() == heads(page_of_browsers)


def test_a_tile_of_the_heat_map_leads_to_the_library_of_its_row(visit):
    page = visit("many", "#order=name")
    tile = page.locator(".blocks td:visible a.heat").nth(3)  # any one of them
    name = tile.locator("xpath=ancestor::tr").locator("th span").get_attribute("title")
    assert f"impl%3A{name}" in tile.get_attribute("href")


#: A window in which the columns do not fit beside the question.
NARROW = {"width": 800, "height": 900}
LIST_SCROLLS = "document.getElementById('list').scrollWidth > document.getElementById('list').clientWidth"


def test_a_column_is_found_by_typing_and_scrolled_into_sight(visit, until):
    page = visit("many", "#q=")
    page.set_viewport_size(NARROW)
    until(page, LIST_SCROLLS)
    page.fill("#find", "SPLIT-PL")
    (match,) = page.locator("#columns .found").all()
    assert match.inner_text() == "split-plain"
    pane = page.locator("#pane").bounding_box()
    box = match.bounding_box()
    assert pane["x"] < box["x"] < pane["x"] + pane["width"] - box["width"]


def test_typing_a_name_that_no_column_has_says_so(visit):
    page = visit("many", "#q=")
    page.fill("#find", "nobody")
    assert page.inner_text("#shown-columns") == "No name contains this."


@pytest.fixture
def page_of_one_column(visit):
    """The page after a column was found by typing and chosen."""
    page = visit("many", "#q=")
    page.fill("#find", "SPLIT-PL")
    page.press("#find", "Enter")
    return page


def test_enter_leaves_only_the_columns_found_by_typing(page_of_one_column):
    assert heads(page_of_one_column) == ["split-plain"]
    assert page_of_one_column.locator(".row:visible >> nth=0 >> .cell:visible").count() == 1


def test_the_address_keeps_the_choice_of_columns(page_of_one_column):
    assert "columns=split-plain" in page_of_one_column.url


def test_a_link_of_a_table_keeps_the_choice_of_columns(page_of_one_column, until):
    page_of_one_column.click("#summary-table tbody tr:visible a")
    until(page_of_one_column, "location.hash.includes('section') || location.hash.includes('impl')")
    assert heads(page_of_one_column) == ["split-plain"]


def test_all_columns_can_be_shown_again(page_of_one_column):
    page_of_one_column.click("#all-columns")
    assert len(heads(page_of_one_column)) == COUNT


@pytest.fixture
def page_with_checkboxes(visit):
    """The page with two columns, and the list in which columns are chosen."""
    page = visit("many", "#q=&columns=rfc-fast,split-old")
    page.click("#libraries summary")
    return page


def test_columns_of_the_address_are_shown(page_with_checkboxes):
    assert sorted(heads(page_with_checkboxes)) == ["rfc-fast", "split-old"]


def test_columns_are_chosen_in_a_list(page_with_checkboxes):
    page_with_checkboxes.get_by_role("checkbox", name="legacy-tiny").check()
    page_with_checkboxes.get_by_role("checkbox", name="rfc-fast").uncheck()
    assert sorted(heads(page_with_checkboxes)) == ["legacy-tiny", "split-old"]


def test_all_columns_are_shown_instead_of_none(page_with_checkboxes):
    page_with_checkboxes.get_by_role("checkbox", name="rfc-fast").uncheck()
    page_with_checkboxes.get_by_role("checkbox", name="split-old").click()
    assert len(heads(page_with_checkboxes)) == COUNT


def test_a_column_chosen_after_all_were_unchecked_is_the_only_one(page_with_checkboxes):
    page_with_checkboxes.click("#uncheck")
    page_with_checkboxes.get_by_role("checkbox", name="regex-safe").check()
    assert heads(page_with_checkboxes) == ["regex-safe"]


def test_heads_and_questions_stay_when_the_matrix_is_scrolled(visit, until):
    page = visit("many", "#q=")
    page.set_viewport_size(NARROW)
    until(page, LIST_SCROLLS)
    page.locator("#list").evaluate("each => { each.scrollLeft = 100; each.scrollTop = 3000 }")
    until(page, "document.getElementById('columns').scrollLeft === 100")
    page.wait_for_timeout(100)
    row = page.locator(".row:visible").nth(12)  # one in the middle of the window
    list_box = page.locator("#list").bounding_box()
    assert row.locator(".what").bounding_box()["x"] == pytest.approx(list_box["x"], abs=1)
    for column in (20, 30):  # two that are in sight
        head = page.locator("#columns button").nth(column).bounding_box()
        cell = row.locator(".cell").nth(column).bounding_box()
        assert middle(head) == pytest.approx(middle(cell), abs=1), column


class Group(NamedTuple):
    """A row of the table of equal answers: how many libraries give an answer, what it is, and their names."""

    count: int
    description: str
    names: list[str]

    @property
    def is_silent(self):
        """True if these libraries have not answered."""
        return self.description in ("(not offered)", "(not asked)")


#: Any one of the columns.
COLUMN = 7


def click_a_cell(page):
    """Click on a cell, which leads to the table of equal answers."""
    page.locator("[aria-posinset='1'] .cell").nth(COLUMN).click()


@pytest.fixture
def page_of_groups(view):
    """The page after a click on a cell, which leads to the table of equal answers."""
    return view("many", "#q=op:parse+is:different", prepare=click_a_cell)


@pytest.fixture
def groups(page_of_groups):
    """The rows of the table of equal answers, without the answers that are expected."""
    rows = page_of_groups.locator(".glance tbody tr:not(.wanted)")
    counts = map(int, rows.locator("th").all_inner_texts())
    descriptions = rows.locator("td:nth-child(3)").all_inner_texts()
    names = [text.split(", ") for text in rows.locator("td:nth-child(4)").all_inner_texts()]
    return [Group(*row) for row in zip(counts, descriptions, names, strict=True)]


def test_larger_groups_of_equal_answers_come_first(groups):
    counts = [group.count for group in groups if not group.is_silent]
    assert len(counts) > 1
    assert counts == sorted(counts, reverse=True)


def test_libraries_without_an_answer_come_last(groups):
    silent = [group.is_silent for group in groups]
    assert silent == sorted(silent)


def test_each_answer_is_listed_once(groups):
    descriptions = [group.description for group in groups]
    assert len(set(descriptions)) == len(descriptions)


def test_each_group_of_equal_answers_names_its_libraries(groups):
    assert [len(group.names) for group in groups] == [group.count for group in groups]


def test_each_library_is_in_one_group_of_equal_answers(page_of_groups, groups):
    names = list(chain.from_iterable(group.names for group in groups))
    assert len(names) == COUNT
    assert sorted(names) == sorted(all_heads(page_of_groups))


def test_the_library_of_the_cell_is_marked_among_the_groups(page_of_groups):
    assert page_of_groups.locator(".glance mark").inner_text() == all_heads(page_of_groups)[COLUMN]


def test_the_expected_answer_is_shown_beside_the_groups(page_of_groups):
    assert page_of_groups.locator(".glance .wanted").count() >= 1


def all_heads(page):
    """Return the names of all columns, also of those out of sight."""
    return page.locator("#columns button").all_text_contents()


@pytest.fixture
def page_of_authorities(visit, site, make_case, record):
    """A page of one question with four answers, each of two libraries; it begins with a query."""
    parts = {"scheme": "http", "userinfo": None, "host": "[v1.a:b]", "port": None, "path": "/"}
    authorities = [
        {**parts, "authority": "[v1.a:b]"},
        {**parts, "authority": "v1.a:b"},
        {"scheme": "http", "path": "/"},
        {**parts, "host": None},
    ] * 2  # a page of few implementations has no groups
    expect = {"components": {"host": "[v1.a:b]"}}
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="http://[v1.a:b]/", expect=expect)
    results = [
        Result(case.vector.id, f"lib{number}", "fail", got={"status": "ok", "components": authority})
        for number, authority in enumerate(authorities)
    ]
    results_with_authorities = record(
        [case], *(Participant(participant.implementation, "ran") for participant in results), *results
    )
    (site / "authority.html").write_text(
        render(results_with_authorities, start="op:parse lib1=wrong"), "utf-8"
    )
    return visit("authority")


def test_a_page_begins_with_the_query_that_it_was_made_with(page_of_authorities):
    assert page_of_authorities.input_value("#f-q") == "op:parse lib1=wrong"


def test_what_a_library_does_not_expose_is_not_said(page_of_authorities):
    """An authority is shown if it contradicts its parts; a host that is not exposed is not absent.

    A library that shows no host is in the group of the libraries whose other components are equal.
    """
    page_of_authorities.locator("[aria-posinset='1'] .cell").first.click()
    descriptions = page_of_authorities.locator(
        ".glance tbody tr:not(.wanted) td:nth-child(3)"
    ).all_inner_texts()
    assert sorted(" ".join(description.split()) for description in descriptions) == [
        "(no host) scheme http path /",
        "host [v1.a:b] authority v1.a:b scheme http path /",
        "host [v1.a:b] scheme http path /",
    ]
