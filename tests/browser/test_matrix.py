"""The matrix of 40 implementations: cells, groups, heads that filter, columns to choose and order."""

from itertools import groupby

import pytest
from html_text import Page

from urlharness.report.html.page import render
from urlharness.results.model import Participant, Result

#: The implementations of the page, and the widths in pixels of a cell and of a question that can be read.
COUNT, CELL, LEGIBLE = 40, 15, 300


def middle(box):
    """Return the horizontal middle of a box."""
    return box["x"] + box["width"] / 2


def test_all_columns_fit_beside_the_question(visit):
    row = visit("many").locator(".row:visible").first
    assert row.locator(".cell").count() == COUNT
    assert row.locator(".cell").last.bounding_box()["width"] == CELL
    assert row.locator(".what").bounding_box()["width"] > LEGIBLE


def test_the_last_column_is_inside_the_list(visit):
    page = visit("many")
    box = page.locator("#list").bounding_box()
    last = page.locator(".row:visible").first.locator(".cell").last.bounding_box()
    assert last["x"] + last["width"] <= box["x"] + box["width"]


def test_the_head_of_the_last_column_is_above_it(visit):
    page = visit("many")
    last = page.locator(".row:visible").first.locator(".cell").last.bounding_box()
    assert middle(page.locator("#columns button").last.bounding_box()) == pytest.approx(middle(last), abs=2)


#: The signs of all outcomes, in the order of their counts.
SIGNS = "✓vp✗\N{EN DASH}ETCGNA·"


def test_a_cell_says_its_outcome_as_text(visit):
    page = visit("many", "#q=outcome:crash")
    row = page.locator(".row:visible").first
    signs = row.locator(".cell").all_inner_texts()
    assert "C" in signs
    assert set(signs) <= set(SIGNS)
    heard = row.locator(".sr").inner_text()
    assert "passed by" in heard
    assert f"of {COUNT}" in heard
    assert "crash: " in heard
    row.locator(".cell").first.hover()
    assert row.locator(".cell").first.get_attribute("title").startswith("reference: ")


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
    """Those of a family, which the made-up answers let agree."""
    page = visit("many")
    page.click("#alike-order")
    families = [name.partition("-")[0] for name in heads(page)]
    assert len([family for family, _ in groupby(families)]) == len(set(families))


@pytest.mark.parametrize(
    ("width", "open_case", "crowded"), [(1440, False, False), (1440, True, True), (360, False, True)]
)
def test_narrow_matrices_show_counts(visit, until, width, open_case, crowded):
    page = visit("many")
    page.set_viewport_size({"width": width, "height": 900})
    if open_case:
        page.locator(".row").first.click()
    until(page, "wanted => document.getElementById('pane').classList.contains('crowded') === wanted", crowded)
    row = page.locator(".row:visible").first
    assert row.locator(".sums").is_visible() == crowded
    assert row.locator(".cells").is_visible() != crowded


def test_counts_have_the_same_order_in_every_row(visit, until):
    page = visit("many", "#q=outcome:differing")
    page.set_viewport_size({"width": 360, "height": 900})
    until(page, "document.getElementById('pane').classList.contains('crowded')")
    signs = [text.split()[1::2] for text in page.locator(".row:visible .sums").all_inner_texts()]
    assert max(map(len, signs)) > 1
    assert signs == [sorted(signs_of_row, key=SIGNS.index) for signs_of_row in signs]


#: The heights of a row in pixels.
COMPACT, WIDE = 26, 48


@pytest.mark.parametrize(("name", "pressed"), [("many", "true"), ("corpus", "false")])
def test_rows_are_compact_at_first_where_there_are_many_implementations(visit, name, pressed):
    assert visit(name).get_attribute("#compact", "aria-pressed") == pressed


def test_compact_rows_have_one_line(visit):
    page = visit("many")
    assert page.locator(".row:visible").first.bounding_box()["height"] == COMPACT


def test_rows_that_are_not_compact_have_two_lines(visit):
    page = visit("many")
    page.click("#compact")
    assert page.locator(".row:visible").first.bounding_box()["height"] == WIDE


def test_equal_answers_are_shown_once(visit):
    page = visit("many", "#q=outcome:failing+op:parse")
    page.locator(".row").first.click()
    blocks = page.locator("#detail .answer h5").all_inner_texts()
    names = [name for names in blocks for name in names.split(", ")]
    assert 1 < len(blocks) < len(names)


def test_a_wrong_answer_is_shown_before_the_right_one(visit):
    page = visit("many", "#q=outcome:failing+op:parse")
    page.locator(".row").first.click()
    classes = page.locator("#detail .answer").evaluate_all(
        "answers => answers.map(answer => answer.className)"
    )
    assert classes[0] == "answer o-fail"
    assert set(classes[1:]) == {"answer o-pass"}


def test_every_library_has_a_command_of_its_own_that_repeats_the_case(visit):
    page = visit("many", "#q=outcome:failing+op:parse")
    page.locator(".row").first.click()
    commands = page.evaluate(
        "[...document.querySelectorAll('#detail .repro code')].map(each => each.textContent)"
    )
    assert len(set(commands)) == len(commands) == COUNT


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
def many_data(site):
    return Page((site / "many.html").read_text(encoding="utf-8")).data()


def heads(page):
    return page.locator("#columns button").all_inner_texts()


def order_of(page):
    return page.locator("#orders [aria-pressed=true]").get_attribute("data-order")


@pytest.mark.parametrize("order", ORDERS)
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


@pytest.mark.parametrize("order", ORDERS)
def test_the_address_keeps_an_order_that_is_not_that_at_first(visit, order):
    page = visit("many", "#q=")
    page.click("#orders [data-order=name]")
    page.click(f"#orders [data-order={order}]")
    assert ("order=" in page.url) == (order != "quality")
    assert heads(visit("many", "#" + page.url.partition("#")[2])) == heads(page)


def test_the_back_button_restores_the_order_before(visit):
    page = visit("many", "#q=")
    page.click("#orders [data-order=name]")
    page.click("#orders [data-order=score]")
    page.go_back()
    assert order_of(page) == "name"


def test_the_tables_have_the_columns_of_the_list(visit, many_data):
    page = visit("many", "#order=name")
    page.fill("#find", "browser-")
    page.click("#only-found")
    page.click("#sections-rfc1738 > summary")
    visible_heads = heads(page)
    assert visible_heads == sorted(name for name in many_data["implementations"] if "browser-" in name)
    names = page.locator("#sections-rfc1738 .sections >> nth=0 >> thead th[data-column]:visible")
    assert [
        name.locator("[title]").or_(name).first.inner_text().strip() for name in names.all()
    ] == visible_heads
    for name in (
        "#summary-table tbody tr:visible th b",
        ".blocks table >> nth=0 >> tbody tr:visible th span",
    ):
        assert page.locator(name).all_inner_texts() == visible_heads


def test_a_tile_of_the_heat_map_leads_to_the_library_of_its_column(visit):
    page = visit("many", "#order=name")
    tile = page.locator(".blocks td:visible a.heat").nth(3)
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
    row = page.locator(".row:visible").nth(12)
    list_box = page.locator("#list").bounding_box()
    assert row.locator(".what").bounding_box()["x"] == pytest.approx(list_box["x"], abs=1)
    for column in (20, 30):
        head = page.locator("#columns button").nth(column).bounding_box()
        cell = row.locator(".cell").nth(column).bounding_box()
        assert middle(head) == pytest.approx(middle(cell), abs=1)


def test_a_cell_leads_to_the_groups_of_equal_answers(visit):
    page = visit("many", "#q=op:parse+is:different")
    page.locator("[aria-posinset='1'] .cell").nth(7).click()
    rows = page.locator(".glance tbody tr:not(.wanted)")
    counts = [int(count) for count in rows.locator("th").all_inner_texts()]
    descriptions = rows.locator("td:nth-child(3)").all_inner_texts()
    silent = [text in ("(not offered)", "(not asked)") for text in descriptions]
    assert silent == sorted(silent)
    answered = [count for count, none in zip(counts, silent, strict=True) if not none]
    assert answered == sorted(answered, reverse=True)
    assert sum(counts) == COUNT
    assert len(set(descriptions)) == len(descriptions)
    names = [text.split(", ") for text in rows.locator("td:nth-child(4)").all_inner_texts()]
    assert [len(group) for group in names] == counts
    assert sorted(name for group in names for name in group) == sorted(heads_of(page))
    assert page.locator(".glance mark").inner_text() == heads_of(page)[7]
    assert page.locator(".glance .wanted").count() >= 1


def test_what_a_library_does_not_expose_is_not_said(visit, site, make_case, record):
    """An authority is shown if it contradicts its parts; a host that is not exposed is not absent.

    A library that shows no host is in the group of the libraries whose other components are equal.
    """
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
    page = visit("authority")
    assert page.input_value("#f-q") == "op:parse lib1=wrong"
    page.locator("[aria-posinset='1'] .cell").first.click()
    descriptions = page.locator(".glance tbody tr:not(.wanted) td:nth-child(3)").all_inner_texts()
    assert sorted(" ".join(description.split()) for description in descriptions) == [
        "(no host) scheme http path /",
        "host [v1.a:b] authority v1.a:b scheme http path /",
        "host [v1.a:b] scheme http path /",
    ]


def heads_of(page):
    return page.locator("#columns button").all_text_contents()
