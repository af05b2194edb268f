"""The page opened from a file and from a server: its state, navigation, and the view of a case."""

import functools
import http.server
import re
import threading
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
import report_samples

from urlharness.corpus import loader
from urlharness.corpus.differences import load_ruling_texts
from urlharness.report.html.page import render
from urlharness.results.model import Result, read_results
from urlharness.results.verdict import Outcome

from .conftest import LIMIT, shown_count

ROOT = Path(__file__).parents[2]


def pick(page, field, choice):
    """Choose in the menu of a field, and return the number of cases shown then."""
    page.select_option(f"#f-{field}", choice)
    return shown_count(page)


#: The pages of the corpus: a part of it, and all of it.
of_the_corpus = pytest.mark.parametrize("name", ["corpus", pytest.param("whole", marks=pytest.mark.long)])


@pytest.fixture(scope="module")
def results_of(sample):
    """Return a function that returns the results on a page."""
    return lambda name: read_results(sample(name).with_suffix(".jsonl"))


@pytest.fixture(scope="module")
def answers(results_of):
    """Return a function that returns the results of all libraries on a page."""
    return lambda name: list(
        chain.from_iterable(by_id.values() for by_id in results_of(name).results.values())
    )


@of_the_corpus
def test_the_page_shows_the_failing_cases_first(visit, answers, name):
    page = visit(name)
    wrong = {outcome for outcome in Outcome if outcome.failing} - {Outcome.ABORTED}  # which was never asked
    failing_ids = {answer.id for answer in answers(name) if answer.outcome in wrong}
    assert page.input_value("#f-q") == "outcome:failing"
    assert shown_count(page) == len(failing_ids)


@of_the_corpus
def test_the_menu_of_outcomes_shows_all_cases_without_a_choice(visit, results_of, name):
    page = visit(name)
    count = len(results_of(name).vectors)
    assert pick(page, "outcome", "") == count
    assert f"of {count:,} cases." in page.inner_text("#count")


def test_a_reset_shows_the_failing_cases_again(visit):
    page = visit("corpus")
    before = shown_count(page)
    pick(page, "outcome", "")
    page.click("#reset")
    assert shown_count(page) == before


def test_a_reset_moves_the_focus_to_the_query(visit):
    page = visit("corpus")
    pick(page, "outcome", "")
    page.click("#reset")
    assert page.evaluate("document.activeElement.id") == "f-q"


#: More rows than a window of 1000 pixels has; a list of 2,000 cases may have no more elements.
FEW_ROWS = 60


def test_only_visible_rows_are_elements(view):
    page = view("large", "#q=")
    assert 0 < page.locator(".row").count() < FEW_ROWS


def test_only_visible_rows_are_elements_at_the_end_of_the_list(view):
    page = view("large", "#q=")
    page.eval_on_selector("#list", "list => { list.scrollTop = list.scrollHeight }")
    page.wait_for_selector("[aria-posinset='2000']")
    assert 0 < page.locator(".row").count() < FEW_ROWS


def test_each_choice_in_a_menu_filters_further(visit):
    page = visit("corpus")
    failing = shown_count(page)
    of_the_rfc = pick(page, "spec", "rfc1808")
    of_the_library = pick(page, "impl", "urllib")
    of_the_section = pick(page, "section", "5.2")
    assert failing > of_the_rfc
    assert of_the_rfc > of_the_library
    assert of_the_library > of_the_section


@pytest.fixture
def filtered_page(visit):
    """The page with a choice in three menus."""
    page = visit("corpus")
    pick(page, "spec", "rfc1808")
    pick(page, "section", "5.2")
    pick(page, "impl", "urllib")
    return page


def test_choices_in_menus_are_atoms_of_the_query(filtered_page):
    assert filtered_page.input_value("#f-q") == "outcome:failing spec:rfc1808 section:5.2 impl:urllib"


def test_the_address_keeps_the_choices_in_menus(visit, filtered_page):
    linked_page = visit("corpus", "#" + filtered_page.url.partition("#")[2])
    assert shown_count(linked_page) == shown_count(filtered_page)
    assert linked_page.input_value("#f-section") == "5.2"


def test_the_choice_of_another_rfc_takes_the_section_out_of_the_query(filtered_page):
    assert pick(filtered_page, "spec", "rfc3986") > 0
    assert filtered_page.input_value("#f-q") == "outcome:failing impl:urllib spec:rfc3986"


def test_a_link_of_the_section_table_shows_the_cases_of_its_section_and_those_below(visit, until):
    page = visit("corpus")
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 .sections th a[href$='section:5']")
    until(page, "document.getElementById('f-section').value === '5'")
    sections = [case.section for case in loader.load().cases if case.spec == "rfc1808"]
    within_section_5 = [section for section in sections if section.split(".")[0] == "5"]
    assert shown_count(page) == len(within_section_5)


@pytest.mark.parametrize(
    "text", ["RFC1808-5.2-EXCESS-DOTDOT", "rfc1808-5.2-excess-dotdot"], ids=["upper", "lower"]
)
def test_a_search_finds_ids_in_either_case(visit, corpus, text):
    page = visit("corpus", "#q=")
    page.fill("#f-q", text)
    ids = [case.vector.id for case in corpus.cases if text.lower() in case.vector.id]
    assert ids != []
    assert shown_count(page) == len(ids)


def test_a_search_finds_messages(visit, answers):
    page = visit("corpus", "#q=")
    page.fill("#f-q", '"signal 11"')
    ids = {answer.id for answer in answers("corpus") if "signal 11" in answer.detail}
    assert ids != set()
    assert shown_count(page) == len(ids)


def test_a_search_for_a_text_of_no_case_says_that_there_is_none(visit):
    page = visit("corpus", "#q=")
    page.fill("#f-q", "no-such-text-anywhere")
    assert shown_count(page) == 0
    assert page.is_visible("#empty")


#: What the view of the case `rfc1808-5.2-excess-dotdot` shows of it.
DETAILS = {
    "id": "rfc1808-5.2-excess-dotdot",
    "reference": "../../../g",
    "base": "http://a/b/c/d;p?q#f",
    "result": "http://a/../g",
    "place": "RFC 1808, section 5.2, paragraph",
    "level": "example",
    "binding": "required",
    "ruling": "R-1808-14",
    "class": "excess-dotdot",
    "command": "urlconform repro rfc1808-5.2-excess-dotdot -a reference",
}


def test_a_deep_link_opens_a_case_with_all_details(view):
    text = view("corpus", "#case=rfc1808-5.2-excess-dotdot").inner_text("#detail")
    assert {name: detail for name, detail in DETAILS.items() if detail not in text} == {}


SELECTED = ".row[aria-selected=true]"

#: The links in the documentation that lead to a case among those of a query.
LINKS = re.findall(
    r"report\.html(#q=\S+&case=[\w.-]+)", (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
)


def test_the_documentation_has_a_link_to_a_case():
    assert LINKS != []


@pytest.mark.parametrize("link", LINKS)
def test_a_link_of_the_documentation_opens_a_case_among_others(visit, link):
    page = visit("corpus", link)
    assert page.inner_text("#case-head") == link.rpartition("=")[2]
    assert page.is_hidden("#unlisted")
    assert page.is_enabled("button[title='Previous case']")
    assert page.is_enabled("button[title='Next case']")
    assert page.locator(SELECTED).count() == 1


def test_navigation_goes_back_from_a_hidden_case_to_the_last_case_before_it(visit):
    """The report begins with RFC 3986."""
    page = visit("corpus", "#q=spec:rfc3986+origin:human&case=rfc1808-5.2-excess-dotdot")
    assert page.is_visible("#unlisted")
    assert page.is_disabled("button[title='Next case']")
    page.click("button[title='Previous case']")
    last = page.get_attribute(SELECTED, "aria-setsize")
    assert page.get_attribute(SELECTED, "aria-posinset") == last


def test_navigation_goes_on_from_a_hidden_case_to_the_first_case_after_it(visit):
    """In the report, RFC 1738 comes after RFC 1808."""
    page = visit("corpus", "#q=spec:rfc1738&case=rfc1808-5.2-excess-dotdot")
    assert page.is_disabled("button[title='Previous case']")
    page.click("button[title='Next case']")
    assert page.get_attribute(SELECTED, "aria-posinset") == "1"


def test_a_case_that_the_query_hides_can_be_shown_among_all(visit):
    page = visit("corpus", "#q=spec:rfc3986&case=rfc1808-5.2-excess-dotdot")
    page.click("#unlisted button")
    assert page.input_value("#f-q") == ""
    assert page.inner_text("#case-head") == "rfc1808-5.2-excess-dotdot"
    assert page.is_hidden("#unlisted")
    assert page.locator(SELECTED).count() == 1


def test_a_generated_case_that_the_query_hides_can_be_shown_in_its_tier(visit):
    page = visit("generated", "#case=complete-rfc3986-URI-000003&q=spec:rfc1738")
    page.click("#unlisted button")
    assert page.input_value("#f-q") == "tier:complete"
    assert page.is_hidden("#unlisted")


def test_the_commands_that_repeat_a_case_have_the_corpus_and_the_limit_of_the_run(visit, site):
    """The name of the corpus is quoted for a shell."""
    header = {"vectors": "my $vectors.json", "timeout": 7.0}
    results = report_samples.write(site / "file.jsonl", report_samples.asked_of(loader.load(), 2), **header)
    (site / "file.html").write_text(render(results), encoding="utf-8")
    identity = next(iter(results.vectors))
    page = visit("file", f"#case={identity}")
    commands = page.locator(".repro code").all_text_contents()
    assert f"urlconform repro {identity} -a urllib --vectors 'my $vectors.json' --timeout 7" in commands


def open_first_case_with_a_wrong_component(page):
    """Open the first case with a wrong component.

    A made-up answer may be right for an adapter that does not tell absent from empty.
    """
    for row in page.locator(".row").all():
        row.click()
        if page.locator(".compare td.wrong").count():
            return
    raise AssertionError("no case has a wrong component")


def test_a_failing_split_shows_what_differs_in_words(visit):
    page = visit("corpus", "#q=outcome:fail+%22host+is+empty%22")
    open_first_case_with_a_wrong_component(page)
    assert "≠" in page.locator(".compare td.wrong").first.inner_text()
    assert re.search(r"\((absent|empty string)\)", page.inner_text(".compare"))


def test_the_first_bad_character_of_a_case_is_marked(visit, cases_of_page):
    vectors = [line.case.vector for line in cases_of_page]
    vector = next(vector for vector in vectors if has_a_bad_letter(vector))
    page = visit("corpus", f"#case={vector.id}")
    assert page.inner_text("#detail .big mark") == vector.url[vector.expect.at]


def has_a_bad_letter(vector):
    """Return True if a vector refuses an ASCII text at a letter or digit, which is shown as it is."""
    if vector.expect.valid is not False or not isinstance(vector.expect.at, int):
        return False
    text = vector.url
    if not isinstance(text, str) or not text.isascii():
        return False
    return text[vector.expect.at : vector.expect.at + 1].isalnum()


def test_an_abnormal_outcome_shows_standard_error(visit):
    page = visit("corpus", "#q=outcome:crash")
    page.locator(".row").first.click()
    text = page.inner_text("#detail .o-crash pre")
    assert "IndexError" in text
    assert "U+001B" in text


FOCUSED = "document.activeElement.id"
FAILING_OF_1808 = "#q=outcome:failing+spec:rfc1808"


@pytest.mark.parametrize("selector", ["body", "#f-spec"], ids=["nothing-has-the-focus", "menu"])
def test_a_slash_moves_the_focus_to_the_query(visit, selector):
    page = visit("corpus", FAILING_OF_1808)
    page.focus(selector)
    page.keyboard.press("/")
    assert page.evaluate(FOCUSED) == "f-q"


def test_a_slash_in_the_query_is_a_character(visit):
    page = visit("corpus", "#q=")
    page.focus("#f-q")
    page.keyboard.type("/a/")
    assert page.input_value("#f-q") == "/a/"


@pytest.fixture
def page_with_first_case(visit):
    """A page whose list has the focus, and whose first case is open."""
    page = visit("corpus", FAILING_OF_1808)
    page.focus("#list")
    page.keyboard.press("ArrowDown")
    return page


def test_the_down_arrow_opens_the_next_case(page_with_first_case):
    page = page_with_first_case
    first_case = page.inner_text("#detail h3")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#detail h3") != first_case
    assert page.get_attribute("#list", "aria-activedescendant") == "row-1"


def test_home_opens_the_first_case(page_with_first_case):
    page = page_with_first_case
    first_case = page.inner_text("#detail h3")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert page.inner_text("#detail h3") == first_case


def test_enter_moves_the_focus_into_the_open_case(page_with_first_case):
    page_with_first_case.keyboard.press("Enter")
    assert page_with_first_case.evaluate(FOCUSED) == "detail"


def test_escape_closes_the_case_and_moves_the_focus_to_the_list(page_with_first_case):
    page = page_with_first_case
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.is_hidden("#detail")
    assert page.evaluate(FOCUSED) == "list"


def test_tables_are_shown_without_scripts(visit):
    page = visit("corpus", java_script_enabled=False)
    assert page.is_visible("#summary-table")


def test_a_page_without_scripts_says_so_and_hides_the_list(visit):
    page = visit("corpus", java_script_enabled=False)
    assert page.is_visible("noscript p")
    assert page.is_hidden("#app")


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_page_itself_never_scrolls_sideways(view, width):
    page = view("corpus", "#case=rfc1808-5.2-excess-dotdot", width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_can_be_served_with_one_request(browser, sample):
    path = sample("corpus")
    requested_paths = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            requested_paths.append(self.path)

    handler = functools.partial(Handler, directory=path.parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/{path.name}")
    page.wait_for_selector("html[data-ready]", timeout=LIMIT)
    page.close()
    server.shutdown()
    server.server_close()
    assert requested_paths == ["/corpus.html"]


def names_in(page, table):
    """Return the heads of the rows of a table."""
    return [text.split("\n")[0] for text in page.locator(f"{table} tbody th").all_inner_texts()]


#: The button of the second column of the summary.
SORT_BUTTON = "#summary-table thead th:nth-child(2) button"


def shares_in(page):
    """Return the numbers by which the second column of the summary is sorted."""
    cells = page.locator("#summary-table tbody td:nth-child(2)").all()
    return [float(cell.get_attribute("data-sort")) for cell in cells]


def test_the_first_click_on_a_column_sorts_a_table_upwards(visit):
    page = visit("corpus")
    page.click(SORT_BUTTON)
    assert shares_in(page) == sorted(shares_in(page))
    assert page.locator("#summary-table [aria-sort=ascending]").count() == 1


def test_the_second_press_on_a_column_sorts_a_table_downwards(visit):
    """The second is a press of a key; the first is a click."""
    page = visit("corpus")
    page.click(SORT_BUTTON)
    page.focus(SORT_BUTTON)
    page.keyboard.press("Enter")
    assert shares_in(page) == sorted(shares_in(page), reverse=True)


def test_the_third_click_on_a_column_restores_the_order_of_a_table(visit):
    page = visit("corpus")
    before = names_in(page, "#summary-table")
    for _ in range(3):
        page.click(SORT_BUTTON)
    assert names_in(page, "#summary-table") == before
    assert page.locator("#summary-table [aria-sort]").count() == 0


#: The implementations of the page in the order of its columns.
COLUMNS = ("reference", "urllib", "node-url", "java-net-uri")
STATES = ("held", "failed", "partly answered", "open")


def unfold_rfc1808(page):
    """Open the table of the sections of RFC 1808."""
    page.click("#sections-rfc1808 > summary")


@pytest.fixture
def rows_of_sections(view):
    """The rows of RFC 1808 for sections without the sections below them, and the page."""
    page = view("corpus", prepare=unfold_rfc1808)
    rows = page.locator("#sections-rfc1808 tr[data-section]").all()
    with_sections_below = ("2", "3", "5", "2.4")
    rows_without = [row for row in rows if row.get_attribute("data-section") not in with_sections_below]
    assert rows_without != []
    return page, rows_without


def test_a_section_counts_the_states_of_its_statements_for_each_implementation(rows_of_sections):
    page, rows = rows_of_sections
    for row in rows:
        states = [text.split(" of ")[0] for text in row.locator(".states").all_inner_texts()]
        row.locator("button.more").click()
        statements = page.locator("tr.opened .by").all_inner_texts()
        expected = [counted_states(statements, name) for name in COLUMNS]
        assert states == expected, row.get_attribute("data-section")
        row.locator("button.more").click()


def test_the_statements_of_a_section_open_in_place(rows_of_sections, statements_of):
    page, rows = rows_of_sections
    for row in rows:
        row.locator("button.more").click()
        statements = page.locator("tr.opened li").all_inner_texts()
        section = row.get_attribute("data-section")
        assert len(statements) == len(statements_of(section)), section
        assert "required" in statements[0], section
        row.locator("button.more").click()


@pytest.fixture
def statements_of(cases_of_section):
    """Return a function that returns the ids of the statements of a section of RFC 1808 that have cases."""
    return lambda section: {case.vector.requirement for case in cases_of_section("rfc1808", section)}


def test_the_statements_of_a_section_close_again(rows_of_sections):
    page, rows = rows_of_sections
    rows[0].locator("button.more").click()
    rows[0].locator("button.more").click()
    assert page.locator("tr.opened").count() == 0


def counted_states(statements, name):
    """Return the states of an implementation as the row of a section says them: `3 held, 1 failed`."""
    counts = Counter(state_of(statement, name) for statement in statements)
    words = [f"{counts[state]} {state}" for state in STATES if counts[state]]
    return ", ".join(words) or "none"


def state_of(text, name):
    """Return the state of an implementation in a line such as `failed urllib, node-url held reference`.

    Return an empty string if the line does not name the implementation.
    """
    before, *after = re.split(rf"(?<![\w-]){name}(?![\w-])", text)
    states = re.findall("|".join(STATES), before)
    return states[-1] if after and states else ""


def test_a_statement_leads_to_its_cases(visit, until):
    page = visit("corpus")
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 tr[data-section='5.2'] button.more")
    page.locator("tr.opened li a").first.click()
    until(page, "document.getElementById('f-q').value.startsWith('statement:rfc1808-5.2')")
    statement = page.input_value("#f-q").removeprefix("statement:")
    cases = [case for case in loader.load().cases if case.vector.requirement == statement]
    assert cases != []
    assert shown_count(page) == len(cases)


@pytest.fixture
def page_with_quotes(rendered, monkeypatch, rfc_dir, cases_of_page) -> str:
    """The name of a page that quotes the RFC texts."""
    monkeypatch.setenv("URLCONFORM_RFC_DIR", str(rfc_dir))
    lines = [line for line in cases_of_page if line.case.section == "5.2"]
    rendered("quoted", lambda path: render(report_samples.write(path, lines)))
    return "quoted"


def unfold_section(page):
    """Open the statements of RFC 1808, section 5.2."""
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 tr[data-section='5.2'] button.more")


def test_the_paragraph_of_the_rfc_stands_beside_a_case(visit, page_with_quotes):
    page = visit(page_with_quotes, "#case=rfc1808-5.2-excess-dotdot")
    assert "../../../g" in page.inner_text("#detail .rfc")


#: Statements of RFC 1808, section 5.2, and words that no other paragraph of that section has.
PARAGRAPHS = [
    pytest.param("rfc1808-5.2-empty", "<URL:http://a/b/c/d;p?q#f>", id="first"),
    pytest.param("rfc1808-5.2-excess-dotdot", "../../../g", id="later"),
    pytest.param("rfc1808-5.2-loophole", "some older parsers", id="of-two-paragraphs"),
]


@pytest.mark.parametrize(("statement", "words"), PARAGRAPHS)
def test_the_paragraph_of_the_rfc_stands_below_its_statement(view, page_with_quotes, statement, words):
    page = view(page_with_quotes, prepare=unfold_section)
    paragraph = page.locator(f"tr.opened li:has(a[title='{statement}']) .rfc")
    assert words in paragraph.text_content()  # it is folded, so it has no inner text


def test_a_library_that_rejects_has_a_column_among_the_components(visit, site):
    rejecting = next(
        asked_vector
        for asked_vector in report_samples.asked_of(loader.load())
        if asked_vector.case.spec == "rfc3986" and asked_vector.case.vector.op == "parse"
    )

    def answer(case, participant):
        if participant.name == "reference":
            got = {"status": "ok", "components": dict(case.vector.expect.components)}
            return Result(case.vector.id, participant.name, "pass", got=got)
        return Result(case.vector.id, participant.name, "fail", detail="rejected", got={"status": "reject"})

    results = report_samples.write(
        site / "rejecting.jsonl", [rejecting], report_samples.PARTICIPANTS[:2], answer
    )
    (site / "rejecting.html").write_text(render(results), encoding="utf-8")
    page = visit("rejecting", f"#case={rejecting.case.vector.id}")
    assert "urllib" in page.locator(".compare thead th").all_inner_texts()
    assert "rejected" in page.inner_text(".compare td.wrong")
    names = page.locator(".compare tbody th").all_inner_texts()
    order = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
    assert names == [name for name in order if name in names]


def test_a_count_of_wrong_answers_leads_to_as_many_cases(visit, until):
    """The counts are in the tables of sections and components, and in the summary."""
    page = visit("corpus")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    links = page.evaluate(
        """[...document.querySelectorAll('#summary-table a, a.fails')]
          .filter(each => /wrong/.test(each.textContent))
          .map(each => [each.textContent, each.getAttribute('href')])"""
    )
    addresses = " ".join(link for _, link in links)
    assert "section" in addresses
    assert "component" in addresses
    for text, link in [*links[:5], *links[5::15]]:  # all of them take too long
        page.evaluate("hash => { location.hash = hash }", link)
        until(page, "hash => location.hash === hash", link)
        assert shown_count(page) == int(text.split()[0].replace(",", "")), link


def test_the_meaning_of_a_word_is_shown_when_it_has_the_focus(view):
    page = view("corpus")
    page.locator("#summary-table abbr").first.focus()
    page.keyboard.press("Shift")
    shown_text = page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    assert "required vectors" in shown_text


TILE = ".blocks a.heat"


def test_every_tile_of_the_heat_map_is_a_link(view):
    page = view("corpus")
    assert page.locator(TILE).count() > 0
    assert page.locator("a.heat:not([href])").count() == 0


by_tile = pytest.mark.parametrize("number", [0, -1], ids=["first", "last"])


@by_tile
def test_a_tile_of_the_heat_map_leads_to_the_wrong_answers(visit, until, number):
    page = visit("corpus")
    tile = page.locator(TILE).nth(number)
    link = tile.get_attribute("href")
    tile.click()
    until(page, "hash => location.hash === hash", link)
    until(page, "document.querySelector('#f-q').value.startsWith('spec:')")
    query = page.input_value("#f-q")
    assert re.fullmatch(r"spec:rfc\d+ impl:[\w-]+ section:\w+ outcome:wrong binding:required", query)
    assert shown_count(page) > 0


@pytest.mark.parametrize("key", ["Enter", "ArrowDown"])
@by_tile
@pytest.mark.sampled(2)
def test_a_key_opens_a_case_at_once_after_a_click_on_a_tile(visit, until, number, key):
    page = visit("corpus")
    page.locator(TILE).nth(number).click()
    until(page, "document.activeElement.id === 'list'")
    page.keyboard.press(key)
    assert page.is_visible("#detail")


@pytest.fixture(scope="module")
def vector_with_ruling(cases_of_page):
    """The first vector with a ruling that a person has made."""
    vectors = [line.case.vector for line in cases_of_page]
    return next(vector for vector in vectors if vector.ruling and vector.origin is None)


def unfold_ruling(page):
    """Open the ruling of the open case."""
    page.locator("#detail .ruling summary").first.click()


@pytest.fixture
def open_ruling(view, until, vector_with_ruling):
    """Return a function that returns a page with a case and its ruling, in a window of a width."""

    def open_page(width):
        page = view("corpus", f"#q=&case={vector_with_ruling.id}", width, prepare=unfold_ruling)
        until(page, f"document.querySelector('#case-head')?.textContent === '{vector_with_ruling.id}'")
        return page

    return open_page


def test_an_opened_ruling_has_its_title_and_text(open_ruling, vector_with_ruling):
    """White space, which is not kept, and the marks of Markdown are left out of the comparison."""
    text = re.sub(r"\s", "", open_ruling(1400).locator("#detail .ruling[open]").first.inner_text())
    ruling = load_ruling_texts()[vector_with_ruling.ruling]
    assert re.sub(r"[\s*`]", "", ruling.title) in text
    assert re.sub(r"[\s*`]", "", ruling.text) in text


@pytest.mark.parametrize("width", [1400, 400])
def test_a_ruling_opens_in_place(open_ruling, vector_with_ruling, width):
    """The query and the open case stay as they are, and no line is wider than the window."""
    page = open_ruling(width)
    assert page.url.endswith(f"#q=&case={vector_with_ruling.id}")
    assert page.is_visible("#detail")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_name_of_the_button_of_a_column_has_its_rfc_and_number_of_vectors_as_words(view):
    page = view("corpus")
    names = [
        button.get_attribute("aria-label") for button in page.locator("#summary-table thead button").all()
    ]
    columns_of_rfcs = names[1:]  # the first column has the names of the implementations
    assert columns_of_rfcs != []
    for name in columns_of_rfcs:
        assert re.fullmatch(r"Sort by RFC \d+, [\d,]+ vectors", name)
