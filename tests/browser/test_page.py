"""The page opened from a file and from a server: state, navigation, case view."""

import functools
import http.server
import re
import threading
from collections import Counter
from pathlib import Path

import pytest
import report_samples

from urlharness.corpus import loader
from urlharness.corpus.differences import load_ruling_texts
from urlharness.report.failures import Failure
from urlharness.report.html.page import render
from urlharness.results.model import Result

ROOT = Path(__file__).parents[2]

LIMIT = 120_000  # milliseconds for any one wait


def shown_count(page):
    return int(re.match(r"[\d,]+", page.inner_text("#count"))[0].replace(",", ""))


def pick(page, field, value):
    page.select_option(f"#f-{field}", value)
    return shown_count(page)


def test_failing_cases_come_first_and_all_can_be_shown(visit):
    page = visit("corpus")
    total = len(loader.load().cases)
    assert page.input_value("#f-q") == "outcome:failing"
    assert 0 < shown_count(page) < total
    assert pick(page, "outcome", "") == total
    assert f"of {total:,} cases." in page.inner_text("#count")
    page.click("#reset")
    assert shown_count(page) < total
    assert page.evaluate("document.activeElement.id") == "f-q"


def test_only_visible_rows_are_elements(visit):
    page = visit("large", "#q=")
    assert page.locator(".row").count() < 60
    page.eval_on_selector("#list", "list => { list.scrollTop = list.scrollHeight }")
    page.wait_for_selector("[aria-posinset='12500']")
    assert page.locator(".row").count() < 60


def test_menus_filter_and_change_query_and_address(visit):
    page = visit("corpus")
    every = shown_count(page)
    filtered_rows = pick(page, "spec", "rfc1808")
    two = pick(page, "section", "5.2")
    three = pick(page, "impl", "urllib")
    assert every > filtered_rows > two >= three
    assert page.input_value("#f-q") == "outcome:failing spec:rfc1808 section:5.2 impl:urllib"
    linked_page = visit("corpus", "#" + page.url.partition("#")[2])
    assert shown_count(linked_page) == three
    assert linked_page.input_value("#f-section") == "5.2"
    assert pick(linked_page, "spec", "rfc3986") > 0
    assert linked_page.input_value("#f-q") == "outcome:failing impl:urllib spec:rfc3986"


def test_a_link_of_the_section_table_filters_the_cases(visit, until):
    page = visit("corpus")
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 .sections th a[href$='section:5']")
    until(page, "document.getElementById('f-section').value === '5'")
    expected = [c for c in loader.load().cases if c.spec == "rfc1808" and c.section.split(".")[0] == "5"]
    assert shown_count(page) == len(expected)


def test_search_reads_inputs_statements_and_messages(visit):
    page = visit("corpus", "#q=")
    page.fill("#f-q", "RFC1808-5.2-EXCESS-DOTDOT")
    assert shown_count(page) >= 1
    page.fill("#f-q", "signal 11")
    assert shown_count(page) > 0
    page.fill("#f-q", "no-such-text-anywhere")
    assert shown_count(page) == 0
    assert page.is_visible("#empty")


def test_a_deep_link_opens_a_case_with_all_details(visit):
    page = visit("corpus", "#case=rfc1808-5.2-excess-dotdot")
    text = page.inner_text("#detail")
    for part in (
        "rfc1808-5.2-excess-dotdot",
        "../../../g",
        "http://a/b/c/d;p?q#f",
        "http://a/../g",
        "RFC 1808, section 5.2, paragraph",
        "example",
        "required",
        "R-1808-14",
        "excess-dotdot",
        "urlconform repro rfc1808-5.2-excess-dotdot -a reference",
    ):
        assert part in text
    assert page.locator(".row[aria-selected=true]").count() <= 1


def test_the_link_of_the_documentation_opens_a_case_among_others(visit):
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    links = re.findall(r"report\.html(#q=\S+&case=[\w.-]+)", text)
    assert links
    for link in links:
        page = visit("corpus", link)
        assert page.inner_text("#case-head") == link.rpartition("=")[2]
        assert page.is_hidden("#unlisted")
        assert page.is_enabled("button[title='Previous case']")
        assert page.is_enabled("button[title='Next case']")
        assert page.locator(".row[aria-selected=true]").count() == 1


def test_navigation_continues_from_a_hidden_case(visit):
    page = visit("corpus", "#q=spec:rfc3986+origin:human&case=rfc1808-5.2-excess-dotdot")
    assert page.is_visible("#unlisted")
    assert page.is_disabled("button[title='Next case']")  # RFC 3986 comes first
    page.click("button[title='Previous case']")
    assert page.get_attribute(".row[aria-selected=true]", "aria-posinset") == page.get_attribute(
        ".row[aria-selected=true]", "aria-setsize"
    )
    page = visit("corpus", "#q=spec:rfc1738&case=rfc1808-5.2-excess-dotdot")
    assert page.is_disabled("button[title='Previous case']")
    page.click("button[title='Next case']")
    assert page.get_attribute(".row[aria-selected=true]", "aria-posinset") == "1"


def test_a_case_that_the_query_hides_can_be_shown_among_all(visit):
    page = visit("corpus", "#q=spec:rfc3986&case=rfc1808-5.2-excess-dotdot")
    page.click("#unlisted button")
    assert page.input_value("#f-q") == ""
    assert page.inner_text("#case-head") == "rfc1808-5.2-excess-dotdot"
    assert page.is_hidden("#unlisted")
    assert page.locator(".row[aria-selected=true]").count() == 1
    page = visit("generated", "#case=complete-rfc3986-URI-000003&q=spec:rfc1738")
    page.click("#unlisted button")
    assert page.input_value("#f-q") == "tier:complete"
    assert page.is_hidden("#unlisted")


def test_cases_of_a_file_are_asked_again_of_that_file(visit, site):
    header = {"folder": "../it's", "vectors": "my $vectors.json", "timeout": 7.0}
    results = report_samples.write(site / "file.jsonl", report_samples.asked_of(loader.load(), 2), **header)
    (site / "file.html").write_text(render(results), encoding="utf-8")
    identity = next(iter(results.vectors))
    page = visit("file", f"#case={identity}")
    lines = page.evaluate("[...document.querySelectorAll('.repro code')].map(each => each.textContent)")
    names = [participant.name for participant in results.participants if participant.state == "ran"]
    cases = (Failure(results.vectors[identity], results.of(name)[identity], results) for name in names)
    assert sorted(lines) == sorted(case.command for case in cases)
    assert all(line.startswith("urlconform repro ") for line in lines)
    assert all(line.endswith(" --vectors 'my $vectors.json' --timeout 7") for line in lines)


def test_a_failing_split_shows_what_differs_in_words(visit):
    page = visit("corpus", "#q=outcome:fail+%22host+is+empty%22")
    wrong = page.locator(".compare td.wrong")
    for row in page.locator(
        ".row"
    ).all():  # a made-up answer may be right for an adapter that knows no absence
        row.click()
        if wrong.count():
            break
    assert wrong.count() > 0
    assert "≠" in wrong.first.inner_text()
    assert re.search(r"\((absent|empty string)\)", page.inner_text(".compare"))


def test_the_first_bad_character_is_marked(visit):
    case = next(
        c
        for c in loader.load().cases
        if isinstance(c.vector.url, str)
        and c.vector.url.isascii()
        and c.vector.expect.valid is False
        and isinstance(c.vector.expect.at, int)
        and c.vector.expect.at < len(c.vector.url)
        and c.vector.url[c.vector.expect.at].isalnum()
    )
    page = visit("corpus", f"#case={case.vector.id}")
    assert page.inner_text("#detail .big mark") == case.vector.url[case.vector.expect.at]


def test_an_abnormal_outcome_shows_standard_error(visit):
    page = visit("corpus", "#q=outcome:crash")
    page.locator(".row").first.click()
    text = page.inner_text("#detail .o-crash pre")
    assert "IndexError" in text
    assert "U+001B" in text


def test_everything_works_with_the_keyboard(visit):
    page = visit("corpus", "#q=outcome:failing+spec:rfc1808")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "f-q"
    page.focus("#f-spec")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "f-q"
    page.keyboard.type("/a/")  # in the query it is a character
    assert page.input_value("#f-q") == "/a/"
    page.fill("#f-q", "outcome:failing spec:rfc1808")
    page.focus("#list")
    page.keyboard.press("ArrowDown")
    first = page.inner_text("#detail h3")
    page.keyboard.press("ArrowDown")
    second = page.inner_text("#detail h3")
    assert first != second
    assert page.get_attribute("#list", "aria-activedescendant") == "row-1"
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert page.inner_text("#detail h3") == first
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "detail"
    page.keyboard.press("Escape")
    assert page.is_hidden("#detail")
    assert page.evaluate("document.activeElement.id") == "list"


def test_tables_are_shown_without_scripts(visit):
    page = visit("corpus", java_script_enabled=False)
    assert page.is_visible("#summary-table")
    assert page.is_visible("noscript p")
    assert page.is_hidden("#app")


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_page_itself_never_scrolls_sideways(visit, width):
    page = visit("corpus", "#case=rfc1808-5.2-excess-dotdot")
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_can_be_served_with_one_request(browser, site):
    seen = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            seen.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/corpus.html")
    page.wait_for_selector("html[data-ready]", timeout=LIMIT)
    page.close()
    server.shutdown()
    server.server_close()
    assert seen == ["/corpus.html"]


def names_in(page, table):
    """Return the heads of the rows of a table."""
    return [text.split("\n")[0] for text in page.locator(f"{table} tbody th").all_inner_texts()]


def test_a_table_is_sorted_by_each_column_and_back(visit):
    page = visit("corpus")
    before = names_in(page, "#summary-table")
    button = page.locator("#summary-table thead th").nth(1).locator("button")
    shares = page.locator("#summary-table tbody td:nth-child(2)")

    def sorting():
        return [float(cell.get_attribute("data-sort")) for cell in shares.all()]

    button.click()
    assert sorting() == sorted(sorting())
    assert page.locator("#summary-table [aria-sort=ascending]").count() == 1
    button.focus()
    page.keyboard.press("Enter")
    assert sorting() == sorted(sorting(), reverse=True)
    button.click()
    assert names_in(page, "#summary-table") == before
    assert page.locator("#summary-table [aria-sort]").count() == 0


def test_every_statement_of_a_section_opens_in_place(visit):
    """The states that the script counts are those of the row."""
    page = visit("corpus")
    page.click("#sections-rfc1808 > summary")
    opened = 0
    for row in page.locator("#sections-rfc1808 tr[data-section]").all():
        section = row.get_attribute("data-section")
        if section in ("2", "3", "5", "2.4"):  # they include the sections below
            continue
        states = [text.split(" of ")[0] for text in row.locator(".states").all_inner_texts()]
        row.locator("button.more").click()
        items = page.locator("tr.opened li").all_inner_texts()
        cells = [page.locator("tr.opened .by").nth(number).inner_text() for number in range(len(items))]
        for number, name in enumerate(("reference", "urllib", "node-url", "java-net-uri")):
            counts = Counter(state_of(cell, name) for cell in cells)
            del counts[""]
            words = [
                f"{counts[state]} {state}"
                for state in ("held", "failed", "partly answered", "open")
                if counts[state]
            ]
            assert states[number] == (", ".join(words) or "none"), section
        assert "required" in items[0]
        opened += len(items)
        row.locator("button.more").click()
        assert page.locator("tr.opened").count() == 0
    assert opened > 50


def state_of(text, name):
    """Return the state of an implementation in a line such as `failed urllib, node-url held reference`."""
    before = re.split(rf"(?<![\w-]){name}(?![\w-])", text)
    states = re.findall("partly answered|held|failed|open", before[0]) if len(before) > 1 else []
    return states[-1] if states else ""


def test_a_statement_leads_to_its_cases(visit, until):
    page = visit("corpus")
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 tr[data-section='5.2'] button.more")
    page.locator("tr.opened li a").first.click()
    until(page, "document.getElementById('f-q').value.startsWith('statement:rfc1808-5.2')")
    assert shown_count(page) > 0


def test_the_paragraph_of_the_rfc_stands_beside_its_statement(visit, site, monkeypatch, rfc_dir):
    monkeypatch.setenv("URLCONFORM_RFC_DIR", str(rfc_dir))
    corpus = loader.load()
    section_vectors = [
        asked_vector for asked_vector in report_samples.asked_of(corpus) if asked_vector.case.section == "5.2"
    ]
    (site / "quoted.html").write_text(
        render(report_samples.write(site / "quoted.jsonl", section_vectors)), encoding="utf-8"
    )
    page = visit("quoted", "#case=rfc1808-5.2-excess-dotdot")
    assert "../../../g" in page.inner_text("#detail .rfc")
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 tr[data-section='5.2'] button.more")
    assert page.locator("tr.opened .rfc").count() > 0


def test_a_library_that_rejects_has_a_column_among_the_components(visit, site):
    every = report_samples.asked_of(loader.load())
    rejecting = next(
        asked_vector
        for asked_vector in every
        if (asked_vector.case.spec, asked_vector.case.vector.op) == ("rfc3986", "parse")
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


def test_wrong_answers_of_the_tables_lead_to_as_many_cases(visit, until):
    """Sections, components and the heat map."""
    page = visit("corpus")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    links = page.evaluate(
        """[...document.querySelectorAll('#summary-table a, a.fails')]
          .filter(each => /wrong/.test(each.textContent))
          .map(each => [each.textContent, each.getAttribute('href')])"""
    )
    assert sum("component" in link for _, link in links) > 10
    for text, link in [*links[:15], *links[15::7]]:
        page.evaluate("hash => { location.hash = hash }", link)
        until(page, "hash => location.hash === hash", link)
        assert shown_count(page) == int(text.split()[0].replace(",", "")), link


def test_the_meaning_of_a_word_is_shown_when_it_has_the_focus(visit):
    page = visit("corpus")
    page.locator("#summary-table abbr").first.focus()
    page.keyboard.press("Shift")
    shown_text = page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    assert "required vectors" in shown_text


def test_a_tile_of_the_heat_map_leads_to_the_wrong_answers(visit, until):
    page = visit("corpus")
    tiles = page.locator(".blocks a.heat")
    assert page.locator("a.heat:not([href])").count() == 0
    for number in (0, 7, tiles.count() - 1):
        tile = tiles.nth(number)
        wrong = tile.get_attribute("href")
        tile.click()
        until(page, "hash => location.hash === hash", wrong)
        until(page, "document.querySelector('#f-q').value.startsWith('spec:')")
        query = page.input_value("#f-q")
        assert re.fullmatch(r"spec:rfc\d+ impl:[\w-]+ section:\w+ outcome:wrong binding:required", query)
        assert shown_count(page) > 0
        until(page, "document.activeElement.id === 'list'")  # its keys work at once
        page.keyboard.press("ArrowDown" if number else "Enter")
        assert page.is_visible("#detail")
        page.keyboard.press("Escape")


@pytest.mark.parametrize("size", [1400, 400])
def test_a_ruling_opens_in_place(visit, until, size):
    """The query and the open case stay."""
    page = visit("corpus")
    page.set_viewport_size({"width": size, "height": 900})
    ruled = next(
        case.vector for case in loader.load().cases if case.vector.ruling and case.vector.origin is None
    )
    page.evaluate("hash => { location.hash = hash }", f"#q=&case={ruled.id}")
    until(page, f"document.querySelector('#case-head')?.textContent === '{ruled.id}'")
    before = page.url
    page.locator("#detail .ruling summary").first.click()
    text = page.locator("#detail .ruling[open]").first.inner_text()
    ruling = load_ruling_texts()[ruled.ruling]
    for part in (ruling.title, ruling.text):
        assert re.sub(r"[\s*`]", "", part) in re.sub(r"\s", "", text)
    assert page.url == before
    assert page.is_visible("#detail")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_parts_of_a_head_are_apart_in_the_name_of_its_button(visit):
    page = visit("corpus")
    names = [
        button.get_attribute("aria-label") for button in page.locator("#summary-table thead button").all()
    ]
    assert all(re.fullmatch(r"Sort by RFC \d+, [\d,]+ vectors", name) for name in names[1:])
