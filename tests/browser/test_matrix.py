"""The matrix of 40 implementations: cells, groups, heads that filter."""

from itertools import pairwise

import pytest


def test_forty_columns_fit_beside_the_question(visit):
    page = visit("many")
    assert page.locator(".row:visible").first.locator(".cell").count() == 40
    box = page.locator("#list").bounding_box()
    last = page.locator(".row:visible").first.locator(".cell").last.bounding_box()
    what = page.locator(".row:visible").first.locator(".what").bounding_box()
    assert last["x"] + last["width"] <= box["x"] + box["width"]
    assert what["width"] > 300
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


def test_a_head_filters_for_what_its_implementation_fails(visit):
    page = visit("many", "#q=")
    page.click("#columns button[title*='rfc-fast']")
    assert page.input_value("#f-q") == "rfc-fast:failing"
    assert page.get_attribute("#columns button[title*='rfc-fast']", "aria-pressed") == "true"
    page.click("#columns button[title*='split-old']")
    assert page.input_value("#f-q") == "rfc-fast:failing split-old:failing"
    page.click("#columns button[title*='rfc-fast']")
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
    assert sum(one != other for one, other in pairwise(families)) == 5


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
    order, seen = "✓vp✗\N{EN DASH}ETCGNA·", set()
    for text in page.locator(".row:visible .sums").all_inner_texts():
        signs = text.split()[1::2]
        assert signs == sorted(signs, key=order.index)
        seen.add("".join(signs))
    assert len(seen) > 2


def test_rows_can_be_compact_or_not(visit):
    page = visit("many")
    assert page.get_attribute("#compact", "aria-pressed") == "true"
    assert page.locator(".row:visible").first.bounding_box()["height"] == 26
    page.click("#compact")
    assert page.locator(".row:visible").first.bounding_box()["height"] == 48
    page = visit("corpus")
    assert page.get_attribute("#compact", "aria-pressed") == "false"


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
