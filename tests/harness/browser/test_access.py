"""The HTML report for those who do not see it or use no mouse: roles, names, focus, live regions, paper."""

from itertools import pairwise

import pytest

#: Colours of a text and of its ground.
PAIRS = [
    *(f"{kind} tint-{kind}" for kind in ("passed", "partial", "failed", "abnormal", "unsupported")),
    *(f"soft {ground}" for ground in ("paper", "raised", "sunken", "select")),
    "link paper",
    "link raised",
    "ink select",
]
FOCUSABLE = "a[href], button, input, select, summary, [tabindex]"


@pytest.mark.parametrize("name", ["corpus", "many", "generated"])
def test_everything_that_takes_the_focus_has_a_name(visit, name):
    page = visit(name, "#q=")
    page.locator(".row").first.click()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    nameless = page.evaluate(
        """selector => [...document.querySelectorAll(selector)].filter(each => {
          const ids = (each.getAttribute('aria-labelledby') || '').split(' ');
          const by = ids.map(id => document.getElementById(id));
          const labels = [...(each.labels || []), ...by].map(one => one && one.textContent).join('');
          const name = each.getAttribute('aria-label') || labels || each.textContent || each.title || '';
          return each.checkVisibility() && !name.trim();
        }).map(each => each.outerHTML.slice(0, 120))""",
        FOCUSABLE,
    )
    assert nameless == []


def test_landmarks_and_headings_are_there(visit):
    page = visit("generated")
    for role, name in (
        ("main", None),
        ("search", "Filter the cases"),
        ("listbox", "Cases"),
        ("toolbar", "Only the cases that an implementation fails"),
        ("navigation", "Parts of the report"),
    ):
        assert (
            page.get_by_role(role, name=name, exact=True).count() == 1
            if name
            else page.get_by_role(role).count() == 1
        )
    levels = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5')].map(each => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_live_region_says_how_many_cases_are_shown(visit, ask):
    page = visit("corpus")
    assert page.get_attribute("#count", "role") == "status"
    before = page.inner_text("#count")
    ask(page, "spec:rfc1808")
    assert page.inner_text("#count") != before


def test_a_row_has_its_place_and_is_the_active_one(visit):
    page = visit("corpus", "#q=spec:rfc1808")
    page.focus("#list")
    page.keyboard.press("End")
    active = page.get_attribute("#list", "aria-activedescendant")
    row = page.locator(f"#{active}")
    assert row.get_attribute("role") == "option"
    assert row.get_attribute("aria-selected") == "true"
    assert row.get_attribute("aria-posinset") == row.get_attribute("aria-setsize")


def test_the_heads_are_one_stop_and_arrows_move_among_them(visit):
    page = visit("many")
    assert page.locator("#columns [tabindex='0']").count() == 1
    page.focus("#columns [tabindex='0']")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "rfc-fast"
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen(visit, scheme):
    page = visit("corpus", color_scheme=scheme)
    for selector in ("#f-q", "#compact", "#list", "#columns button", ".chapter summary"):
        page.locator(selector).first.focus()
        page.keyboard.press("Shift")  # the keyboard is in use
        width = page.locator(selector).first.evaluate("each => getComputedStyle(each).outlineWidth")
        assert width == "2px", selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(visit, scheme):
    """WCAG 2, 1.4.3: a contrast of 4.5 for words and signs of outcomes and for asides."""
    page = visit("corpus", "#q=", color_scheme=scheme)
    worst = page.evaluate(
        """pairs => {
          const probe = document.body.appendChild(document.createElement('i'));
          const light = name => {
            probe.style.setProperty('color', `var(--${name})`);
            const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).map(part => Number(part) / 255)
              .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
          };
          const ratio = pair => {
            const [dark, bright] = pair.split(' ').map(light).sort((one, other) => one - other);
            return (bright + 0.05) / (dark + 0.05);
          };
          return Math.min(...pairs.map(ratio));
        }""",
        PAIRS,
    )
    assert worst >= 4.5


def test_paper_has_the_tables_or_the_open_case(visit):
    page = visit("corpus")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.is_visible("#summary-table")
    assert page.is_visible("#sections-rfc3986 table")
    assert page.is_hidden("#explorer")
    page = visit("corpus", "#case=rfc1808-5.2-excess-dotdot")
    page.emulate_media(media="print")
    assert page.is_hidden("#summary-table")
    assert page.is_hidden("#list")
    assert page.is_visible("#detail .statement")
