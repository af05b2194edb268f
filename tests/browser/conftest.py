"""Chromium, and pages of made-up and hostile results; an error or a request of a page fails its test."""

import re
import shutil
import sys
import time
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parents[1] / "harness" / name) for name in ("compare", "panel", "report")]

from report_samples import (
    asked_of,
    generated_results,
    hostile_answer,
    hostile_cases,
    hostile_participants,
    many_results,
    write,
)

from urlharness.report.html.page import render

#: Debian's Chromium without windows loads a page in a third of the time; the engine is the same.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")

ARGUMENTS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LIMIT = 120_000  # milliseconds for any one wait


@pytest.fixture(scope="session")
def browser():
    """Chromium; without Playwright or Chromium the test is skipped."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright: not installed")
    if CHROMIUM is None:
        pytest.skip("chromium: not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=60_000)
        yield started
        started.close()


@pytest.fixture
def ask():
    """Return a function that enters a query and returns the number of cases shown."""

    def enter_query(page, query):
        page.fill("#f-q", query)
        return shown_count(page)

    return enter_query


def shown_count(page):
    """Return the number of cases shown, as the live region says."""
    return int(re.match(r"[\d,]+", page.inner_text("#count"))[0].replace(",", ""))


@pytest.fixture
def until():
    """Return a function that waits until a condition in JavaScript is true.

    Playwright's own function for this evaluates the condition in the page, whose policy forbids it.
    """

    def wait(page, condition, *argument):
        deadline = time.monotonic() + LIMIT / 1000
        while not page.evaluate(condition, *argument):
            assert time.monotonic() < deadline, condition
            page.wait_for_timeout(20)

    return wait


#: Of the cases that no test names, the page `corpus` has one in so many.
STEP = 16


@pytest.fixture(scope="session")
def cases_of_page(corpus):
    """The lines of the cases on the page `corpus`: all of RFC 1808, some of each other section and ruling.

    A page of all cases takes a second to load, and most tests open this one.
    """
    lines = []
    seen = set()
    for number, line in enumerate(asked_of(corpus)):
        case = line.case
        kind = (case.spec, case.section, case.vector.op, case.vector.ruling)
        if number % STEP == 0 or kind not in seen or case.spec == "rfc1808":
            lines.append(line)
        seen.add(kind)
    return lines


@pytest.fixture(scope="session")
def site(browser, tmp_path_factory):
    """The folder of the pages that this process opens."""
    assert browser.is_connected()  # asked first, because without a browser no page is needed
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def rendered(site, computed_once):
    """Return a function that writes the page of a name and the file of its results, and returns its path.

    `make` makes the results, which may be in that file. All processes of xdist share what is made, when one
    of them needs it first.
    """

    def written(name, make):
        path = site / f"{name}.html"
        results_path = site / f"{name}.jsonl"

        def contents():
            text = make(results_path)
            return text, results_path.read_bytes() if results_path.exists() else b""

        if not path.exists():
            text, octets = computed_once(f"page-{name}", contents)
            path.write_text(text, encoding="utf-8")
            results_path.write_bytes(octets)
        return path

    return written


@pytest.fixture(scope="session")
def sample(rendered, corpus, cases_of_page):
    """Return a function that writes a page that several modules open, and returns its path.

    `corpus` has many cases, `whole` has all, `large` has more than a window shows at once, `hostile` has
    hostile results, `many` has 40 implementations, and `generated` has a generated tier.
    """
    results_of = {
        "corpus": lambda path: write(path, cases_of_page),
        "whole": lambda path: write(path, asked_of(corpus)),
        "large": lambda path: write(path, asked_of(corpus, 2_000)),
        "hostile": lambda path: write(path, hostile_cases(), hostile_participants(), hostile_answer),
        "many": lambda _: many_results(corpus, 600, 40),
        "generated": lambda path: generated_results(path, asked_of(corpus, 30)),
    }

    def written(name):
        return rendered(name, lambda path: render(results_of[name](path)))

    return written


class Opener:
    """Opens pages in contexts of their own, and notes what a page must not do."""

    def __init__(self, browser):
        self.browser = browser
        self.contexts = []
        self.requests = []
        self.problems = []

    def open(self, address, **options):
        """Return a page when it is ready."""
        context = self.browser.new_context(viewport={"width": 1440, "height": 1000}, **options)
        self.contexts.append(context)
        context.set_default_timeout(LIMIT)
        page = context.new_page()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text))
        page.on("dialog", lambda dialog: (self.problems.append("dialog"), dialog.dismiss()))
        page.goto(address)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready]", timeout=LIMIT)
        return page

    def close(self):
        """Close all pages."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()

    def check(self):
        """Fail if there was an error, a message of the console, a dialog or a request since the last call."""
        problems = self.problems.copy()
        requests = [url for url in self.requests if not url.startswith(("file:", "data:"))]
        self.problems.clear()
        self.requests.clear()
        assert problems == []
        assert requests == []


@pytest.fixture
def visit(browser, site, sample):
    """Return a function that opens a page with the state in its address, and returns it when it is ready.

    It is a page of `sample`, unless the test has written one of that name. At the end of the test there must
    be no error, no message of the console, no dialog and no request.
    """
    opener = Opener(browser)

    def go(name, state="", **options):
        path = site / f"{name}.html"
        return opener.open((path if path.exists() else sample(name)).as_uri() + state, **options)

    yield go
    opener.close()
    opener.check()


@pytest.fixture(scope="module")
def kept_pages(browser):
    """The pages that are kept open for the tests of a module, by what they were opened with."""
    opener = Opener(browser)
    yield opener, {}
    opener.close()


@pytest.fixture
def view(kept_pages, site, sample):
    """Return a function that opens a page for tests that only read it: it is loaded once for a module.

    `prepare` is called with the page when it is loaded. The width is that of the window.
    """
    opener, pages = kept_pages

    def look(name, state="", width=1440, prepare=None):
        key = (name, state, prepare)
        if key not in pages:
            path = site / f"{name}.html"
            pages[key] = opener.open((path if path.exists() else sample(name)).as_uri() + state)
            if prepare is not None:
                prepare(pages[key])
        page = pages[key]
        page.set_viewport_size({"width": width, "height": 1000})
        return page

    yield look
    opener.check()
