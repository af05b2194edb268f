"""The page opened from a file and from a server: state, navigation, case view."""

import functools
import http.server
import re
import threading
from pathlib import Path

import pytest
import report_samples

from urlharness.corpus import loader
from urlharness.report.failures import Failure
from urlharness.report.html.page import render

ROOT = Path(__file__).parents[2]

LIMIT = 20_000  # milliseconds for any one wait


def shown(page):
    return int(re.match(r"[\d,]+", page.inner_text("#count"))[0].replace(",", ""))


def pick(page, field, value):
    page.select_option(f"#f-{field}", value)
    return shown(page)


def test_the_failing_cases_are_shown_first_and_all_are_in_reach(visit):
    page = visit("corpus")
    total = len(loader.load().cases)
    assert page.input_value("#f-q") == "outcome:failing"
    assert 0 < shown(page) < total
    assert pick(page, "outcome", "") == total
    assert f"of {total:,} cases." in page.inner_text("#count")
    page.click("#reset")
    assert shown(page) < total
    assert page.evaluate("document.activeElement.id") == "f-q"


def test_only_rows_in_sight_are_elements(visit):
    page = visit("large", "#q=")
    assert page.locator(".row").count() < 60
    page.eval_on_selector("#list", "list => { list.scrollTop = list.scrollHeight }")
    page.wait_for_selector("[aria-posinset='12500']")
    assert page.locator(".row").count() < 60


def test_menus_narrow_and_stand_in_the_query_and_the_address(visit):
    page = visit("corpus")
    every = shown(page)
    one = pick(page, "spec", "rfc1808")
    two = pick(page, "section", "5.2")
    three = pick(page, "impl", "urllib")
    assert every > one > two >= three
    assert page.input_value("#f-q") == "outcome:failing spec:rfc1808 section:5.2 impl:urllib"
    other = visit("corpus", "#" + page.url.partition("#")[2])
    assert shown(other) == three
    assert other.input_value("#f-section") == "5.2"
    assert pick(other, "spec", "rfc3986") > 0
    assert other.input_value("#f-q") == "outcome:failing impl:urllib spec:rfc3986"


def test_a_link_of_the_section_table_filters(visit, until):
    page = visit("corpus")
    page.click("#sections-rfc1808 > summary")
    page.click("#sections-rfc1808 th a[href$='section:5']")
    until(page, "document.getElementById('f-section').value === '5'")
    expected = [c for c in loader.load().cases if c.spec == "rfc1808" and c.section.split(".")[0] == "5"]
    assert shown(page) == len(expected)


def test_search_reads_inputs_statements_and_messages(visit):
    page = visit("corpus", "#q=")
    page.fill("#f-q", "RFC1808-5.2-EXCESS-DOTDOT")
    assert shown(page) >= 1
    page.fill("#f-q", "signal 11")
    assert shown(page) > 0
    page.fill("#f-q", "no-such-text-anywhere")
    assert shown(page) == 0
    assert page.is_visible("#empty")


def test_a_deep_link_opens_a_case_with_all_there_is_to_say(visit):
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


def test_one_can_go_on_from_a_case_that_the_query_hides(visit):
    page = visit("corpus", "#q=spec:rfc1738&case=rfc1808-5.2-excess-dotdot")
    assert page.is_visible("#unlisted")
    assert page.is_disabled("button[title='Next case']")  # the RFCs stand in their order
    page.click("button[title='Previous case']")
    assert page.get_attribute(".row[aria-selected=true]", "aria-posinset") == page.get_attribute(
        ".row[aria-selected=true]", "aria-setsize"
    )
    page = visit("corpus", "#q=spec:rfc2396,rfc3986&case=rfc1808-5.2-excess-dotdot")
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
    names = [one.name for one in results.participants if one.state == "ran"]
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


def test_the_keyboard_is_enough(visit):
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


def test_without_scripts_the_tables_stand(visit):
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
