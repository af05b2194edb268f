"""Accessibility: roles, names, focus, keyboard, live regions, contrast, print."""

from itertools import pairwise

import pytest

#: The names of the colours of a text and of the ground that it stands on.
COLOUR_PAIRS = [
    *(f"{kind} tint-{kind}" for kind in ("passed", "partial", "failed", "abnormal", "unsupported")),
    *(f"soft {ground}" for ground in ("paper", "raised", "sunken", "select")),
    "link paper",
    "link raised",
    "ink select",
]
#: Elements that may have the focus.
FOCUSABLE = "a[href], button, input, select, summary, [tabindex]"


@pytest.mark.parametrize("name", ["corpus", "many", "generated"])
def test_everything_that_takes_the_focus_has_a_name(visit, name):
    page = visit(name, "#q=")
    page.locator(".row").first.click()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    nameless = page.evaluate(
        """selector => [...document.querySelectorAll(selector)].filter(element => {
          const ids = (element.getAttribute('aria-labelledby') || '').split(' ');
          const labelling = ids.map(id => document.getElementById(id));
          const labels = [...(element.labels || []), ...labelling].map(label => label && label.textContent);
          const name = element.getAttribute('aria-label') || labels.join('') || element.textContent
            || element.title || '';
          return element.checkVisibility() && !name.trim();
        }).map(element => element.outerHTML.slice(0, 120))""",
        FOCUSABLE,
    )
    assert nameless == []


@pytest.mark.parametrize(
    ("role", "name"),
    [
        pytest.param("search", "Filter the cases", id="search"),
        pytest.param("listbox", "Cases", id="listbox"),
        pytest.param("toolbar", "Only the cases that an implementation fails", id="toolbar"),
        pytest.param("navigation", "Parts of the report", id="navigation"),
    ],
)
def test_the_page_has_one_part_of_a_role_with_its_name(view, role, name):
    assert view("generated").get_by_role(role, name=name, exact=True).count() == 1


def test_the_page_has_one_main_landmark(view):
    assert view("generated").get_by_role("main").count() == 1


def test_headings_begin_at_the_first_level_and_skip_none(view):
    levels = view("generated").evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5')].map(each => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert [(before, after) for before, after in pairwise(levels) if after > before + 1] == []


def test_the_number_of_cases_is_a_live_region(view):
    assert view("corpus").get_attribute("#count", "role") == "status"


def test_the_live_region_changes_with_the_cases_that_are_shown(visit, ask):
    page = visit("corpus")
    before = page.inner_text("#count")
    ask(page, "spec:rfc1808")
    assert page.inner_text("#count") != before


def test_the_active_row_tells_its_position(visit):
    page = visit("corpus", "#q=spec:rfc1808")
    page.focus("#list")
    page.keyboard.press("End")
    active = page.get_attribute("#list", "aria-activedescendant")
    row = page.locator(f"#{active}")
    assert row.get_attribute("role") == "option"
    assert row.get_attribute("aria-selected") == "true"
    assert row.get_attribute("aria-posinset") == row.get_attribute("aria-setsize")


#: The only head of a column that the tab key reaches.
TAB_STOP = "#columns [tabindex='0']"


def test_the_heads_of_the_columns_are_one_tab_stop(view):
    assert view("many").locator(TAB_STOP).count() == 1


def test_an_arrow_moves_to_the_next_head(visit):
    page = visit("many", "#order=run")
    page.focus(TAB_STOP)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "rfc-fast"


def test_enter_presses_the_head_with_the_focus(visit):
    page = visit("many")
    page.focus(TAB_STOP)
    page.keyboard.press("End")  # to a head that no page presses at first
    pressed = "document.activeElement.getAttribute('aria-pressed')"
    assert page.evaluate(pressed) == "false"
    page.keyboard.press("Enter")
    assert page.evaluate(pressed) == "true"


FAILING = "#q=outcome:failing+spec:rfc1808"
FOCUSED = "document.activeElement.id || document.activeElement.tagName"


@pytest.mark.parametrize("selector", ["#f-q", "body"], ids=["query", "nothing-has-the-focus"])
def test_the_down_arrow_moves_into_the_list_and_opens_its_first_case(visit, selector):
    page = visit("corpus", FAILING)
    page.focus(selector)
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == "list"
    assert page.get_attribute("#list", "aria-activedescendant") == "row-0"
    assert page.is_visible("#detail")


@pytest.mark.parametrize("selector", ["#f-q", "body"], ids=["query", "nothing-has-the-focus"])
def test_the_down_arrow_moves_from_case_to_case_and_keeps_the_query(visit, selector):
    page = visit("corpus", FAILING)
    page.focus(selector)
    query = page.input_value("#f-q")
    page.keyboard.press("ArrowDown")
    first_case = page.inner_text("#detail h3")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#list", "aria-activedescendant") == "row-1"
    assert page.inner_text("#detail h3") != first_case
    assert page.input_value("#f-q") == query


def test_enter_in_the_query_moves_to_the_list_and_opens_no_case(visit):
    page = visit("corpus")
    page.fill("#f-q", "outcome:failing spec:rfc1808")
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "list"
    assert page.is_hidden("#detail")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#list", "aria-activedescendant") == "row-0"


#: The state of the page, the focus, a key that the list must not handle, and the focus after it.
KEYS_OF_OTHERS = [
    pytest.param(FAILING, "#f-spec", "ArrowDown", "f-spec", id="select"),
    pytest.param(FAILING, "#compact", "ArrowDown", "compact", id="button"),
    pytest.param(FAILING, "#cases", "ArrowDown", "cases", id="heading"),
    pytest.param(FAILING, "#f-q", "Shift+ArrowDown", "f-q", id="selecting"),
    pytest.param(FAILING, "#f-q", "Alt+ArrowDown", "f-q", id="alt"),
    pytest.param("#q=nosuchcase", "#f-q", "ArrowDown", "f-q", id="nothing-found"),
    pytest.param("#q=nosuchcase", "#f-q", "Enter", "f-q", id="nothing-found-enter"),
    pytest.param(FAILING, "body", "Enter", "BODY", id="enter-on-the-page"),
]


@pytest.mark.parametrize(("state", "selector", "key", "focused"), KEYS_OF_OTHERS)
@pytest.mark.sampled(3)
def test_a_key_that_is_not_for_the_list_opens_no_case(visit, state, selector, key, focused):
    page = visit("corpus", state)
    page.focus(selector)
    page.keyboard.press(key)
    assert page.evaluate(FOCUSED) == focused
    assert page.is_hidden("#detail")


def test_the_arrow_scrolls_where_the_list_is_out_of_sight(visit, until):
    """The page begins with tables, which are read with the same keys."""
    page = visit("corpus")
    page.keyboard.press("ArrowDown")
    until(page, "scrollY > 0")
    assert page.evaluate(FOCUSED) == "BODY"
    assert page.is_hidden("#detail")


def test_the_arrow_opens_a_case_where_the_list_is_in_sight(visit):
    page = visit("corpus")
    page.evaluate("document.getElementById('cases').scrollIntoView()")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == "list"
    assert page.is_visible("#detail")


def test_the_arrow_scrolls_where_nothing_is_listed(visit, until):
    page = visit("corpus", "#q=nosuchcase")
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("ArrowDown")
    until(page, "scrollY > 0")


#: An element of each kind that may have the focus.
KINDS_WITH_FOCUS = ("#f-q", "#compact", "#list", "#columns button", ".chapter summary")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_visible(visit, scheme):
    page = visit("corpus", color_scheme=scheme)
    outlines = {}
    for selector in KINDS_WITH_FOCUS:
        page.locator(selector).first.focus()
        page.keyboard.press("Shift")  # the outline is shown only if the keyboard is in use
        outlines[selector] = page.locator(selector).first.evaluate(
            "element => getComputedStyle(element).outlineWidth"
        )
    assert outlines == dict.fromkeys(KINDS_WITH_FOCUS, "2px")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_enough_contrast(visit, scheme):
    """WCAG 2, 1.4.3, demands a contrast of 4.5 for texts; the formula is that of its relative luminance."""
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
            const [dark, bright] = pair.split(' ').map(light).sort((first, second) => first - second);
            return (bright + 0.05) / (dark + 0.05);
          };
          return Math.min(...pairs.map(ratio));
        }""",
        COLOUR_PAIRS,
    )
    assert worst >= 4.5


def test_a_page_without_an_open_case_is_printed_with_its_tables(visit):
    page = visit("corpus")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.is_visible("#summary-table")
    assert page.is_visible("#sections-rfc3986 table.sections")
    assert page.is_hidden("#explorer")


def test_a_page_with_an_open_case_is_printed_with_the_case_alone(visit):
    page = visit("corpus", "#case=rfc1808-5.2-excess-dotdot")
    page.emulate_media(media="print")
    assert page.is_visible("#detail .statement")
    assert page.is_hidden("#summary-table")
    assert page.is_hidden("#list")
