"""The matrix of 40 implementations: cells, groups, heads that filter, columns to choose and order."""

from itertools import pairwise

import pytest
from html_text import Page

from urlharness.report.html.page import render
from urlharness.results.model import Participant, Result


def test_forty_columns_fit_beside_the_question(visit):
    page = visit("many")
    assert page.locator(".row:visible").first.locator(".cell").count() == 40
    box = page.locator("#list").bounding_box()
    last = page.locator(".row:visible").first.locator(".cell").last.bounding_box()
    question_box = page.locator(".row:visible").first.locator(".what").bounding_box()
    assert last["x"] + last["width"] <= box["x"] + box["width"]
    assert question_box["width"] > 300
    assert last["width"] == 15
    head = page.locator("#columns button").last.bounding_box()
    assert abs(head["x"] + head["width"] / 2 - last["x"] - last["width"] / 2) < 2


def test_a_cell_says_its_outcome_as_text(visit):
    page = visit("many", "#q=outcome:crash")
    row = page.locator(".row:visible").first
    signs = row.locator(".cell").all_inner_texts()
    assert "C" in signs
    assert set(signs) <= set("✓vp✗\N{EN DASH}ETCGNA·")
    heard = row.locator(".sr").inner_text()
    assert "passed by" in heard
    assert "of 40" in heard
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
    families = [name.partition("-")[0] for name in moved]
    assert sum(first != second for first, second in pairwise(families)) == 5


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
    order = "✓vp✗\N{EN DASH}ETCGNA·"
    seen = set()
    for text in page.locator(".row:visible .sums").all_inner_texts():
        signs = text.split()[1::2]
        assert signs == sorted(signs, key=order.index)
        seen.add("".join(signs))
    assert len(seen) > 2


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
    blocks = page.locator("#detail .answer")
    assert 2 <= blocks.count() < 15
    heads = [block.inner_text() for block in page.locator("#detail .answer h5").all()]
    assert any("," in head for head in heads)
    commands = page.evaluate(
        "[...document.querySelectorAll('#detail .repro code')].map(each => each.textContent)"
    )
    assert len(commands) == len(set(commands)) == 40
    assert page.locator("#detail .answer").first.get_attribute("class") in ("answer o-fail", "answer o-crash")


#: The orders of columns, by the button that chooses each.
ORDERS = {
    "run": lambda _: list(range(40)),
    "name": lambda listed: sorted(range(40), key=lambda participant: listed["implementations"][participant]),
    "score": lambda listed: sorted(range(40), key=lambda participant: -listed["scores"][participant]),
    "alike": lambda listed: listed["order"],
}


@pytest.fixture(scope="session")
def many_data(site):
    return Page((site / "many.html").read_text(encoding="utf-8")).data()


def heads(page):
    return page.locator("#columns button").all_inner_texts()


@pytest.mark.parametrize("order", ORDERS)
def test_columns_have_an_order_that_the_address_keeps(visit, many_data, order):
    page = visit("many", "#q=")
    before = page.locator("[aria-posinset='1'] .cell").all_inner_texts()
    page.click("#orders [data-order=name]")
    page.click(f"#orders [data-order={order}]")
    expected_order = ORDERS[order](many_data)
    assert heads(page) == [many_data["implementations"][column] for column in expected_order]
    assert page.locator("[aria-posinset='1'] .cell").all_inner_texts() == [
        before[column] for column in expected_order
    ]
    assert page.locator("#orders [aria-pressed=true]").get_attribute("data-order") == order
    assert ("order=" in page.url) == (order != "run")
    again = visit("many", "#" + page.url.partition("#")[2])
    assert heads(again) == heads(page)
    page.go_back()
    last = "run" if order == "name" else "name"
    assert page.locator("#orders [aria-pressed=true]").get_attribute("data-order") == last


def test_the_tables_have_the_columns_of_the_list(visit):
    page = visit("many", "#order=name")
    page.fill("#find", "browser-")
    page.click("#only-found")
    page.click("#sections-rfc1738 > summary")
    visible_heads = heads(page)
    assert len(visible_heads) == 8
    for table in (".blocks table", "#sections-rfc1738 .sections"):
        names = page.locator(f"{table} >> nth=0 >> thead th[data-column]:visible")
        assert [
            name.locator("[title]").or_(name).first.inner_text().strip() for name in names.all()
        ] == visible_heads
    rows = page.locator("#summary-table tbody tr:visible th").all()
    assert [row.evaluate("each => each.firstChild.data.trim()") for row in rows] == visible_heads
    tile = page.locator(".blocks td:visible a.heat").nth(3)
    name = tile.get_attribute("title").partition(":")[0]
    assert f"impl%3A{name}" in tile.get_attribute("href")


def test_a_column_is_found_by_typing_and_the_address_keeps_the_choice(visit, until):
    page = visit("many", "#q=")
    page.set_viewport_size({"width": 800, "height": 900})
    until(page, "document.getElementById('list').scrollWidth > document.getElementById('list').clientWidth")
    page.fill("#find", "SPLIT-PL")
    (match,) = page.locator("#columns .found").all()
    assert match.inner_text() == "split-plain"
    pane = page.locator("#pane").bounding_box()
    box = match.bounding_box()
    assert pane["x"] < box["x"] < pane["x"] + pane["width"] - box["width"]
    page.press("#find", "Enter")
    assert heads(page) == ["split-plain"]
    assert page.locator(".row:visible >> nth=0 >> .cell:visible").count() == 1
    assert "columns=split-plain" in page.url
    page.click("#summary-table tbody tr:visible a")  # a link keeps the choice
    until(page, "location.hash.includes('section') || location.hash.includes('impl')")
    assert heads(page) == ["split-plain"]
    page.click("#all-columns")
    assert len(heads(page)) == 40
    page.fill("#find", "nobody")
    assert page.inner_text("#shown-columns") == "No name contains this."


def test_columns_are_chosen_in_a_list(visit):
    page = visit("many", "#q=&columns=rfc-fast,split-old")
    assert heads(page) == ["rfc-fast", "split-old"]
    page.click("#libraries summary")
    page.get_by_role("checkbox", name="legacy-tiny").check()
    page.get_by_role("checkbox", name="rfc-fast").uncheck()
    assert heads(page) == ["legacy-tiny", "split-old"]
    page.get_by_role("checkbox", name="legacy-tiny").uncheck()
    page.get_by_role("checkbox", name="split-old").click()  # no column at all would be no matrix
    assert len(heads(page)) == 40
    page.click("#uncheck")
    page.get_by_role("checkbox", name="regex-safe").check()
    assert heads(page) == ["regex-safe"]


def test_heads_and_questions_stay_when_the_matrix_is_scrolled(visit, until):
    page = visit("many", "#q=")
    page.set_viewport_size({"width": 800, "height": 900})
    until(page, "document.getElementById('list').scrollWidth > document.getElementById('list').clientWidth")
    page.locator("#list").evaluate("each => { each.scrollLeft = 100; each.scrollTop = 3000 }")
    until(page, "document.getElementById('columns').scrollLeft === 100")
    page.wait_for_timeout(100)
    row = page.locator(".row:visible").nth(12)
    left = page.locator("#list").bounding_box()["x"]
    assert abs(row.locator(".what").bounding_box()["x"] - left) < 1
    for at in (20, 30):
        head = page.locator("#columns button").nth(at).bounding_box()
        cell = row.locator(".cell").nth(at).bounding_box()
        assert abs(head["x"] + head["width"] / 2 - cell["x"] - cell["width"] / 2) < 1


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
    assert sum(counts) == 40
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
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="http://[v1.a:b]/",
                     expect={"components": {"host": "[v1.a:b]"}})  # fmt: skip
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
