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

from urlharness.corpus import loader
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


@pytest.fixture(scope="session")
def site(browser, tmp_path_factory):
    """The folder with the pages `corpus`, `large`, `hostile`, `many` and `generated`.

    They have the corpus, many cases, hostile results, 40 implementations, and a generated tier.
    """
    assert browser.is_connected()  # asked first, because without a browser the pages are not needed
    root = tmp_path_factory.mktemp("site")
    everything = loader.load()

    def page(name, results):
        (root / f"{name}.html").write_text(render(results), encoding="utf-8")

    def written(name, *arguments):
        page(name, write(root / f"{name}.jsonl", *arguments))

    written("corpus", asked_of(everything))
    written("large", asked_of(everything, 12_500))
    written("hostile", hostile_cases(), hostile_participants(), hostile_answer)
    page("many", many_results(everything, 1_500, 40))
    page("generated", generated_results(root / "generated.jsonl", asked_of(everything, 30)))
    return root


@pytest.fixture
def visit(browser, site):
    """Return a function that opens a page with the state in its address, and returns it when it is ready.

    At the end of the test there must be no error, no message of the console, no dialog and no request.
    """
    contexts = []
    requests = []
    problems = []

    def go(name, state="", **options):
        context = browser.new_context(viewport={"width": 1440, "height": 1000}, **options)
        contexts.append(context)
        context.set_default_timeout(LIMIT)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("dialog", lambda dialog: (problems.append("dialog"), dialog.dismiss()))
        page.goto((site / f"{name}.html").as_uri() + state)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready]", timeout=LIMIT)
        return page

    yield go
    for context in contexts:
        context.close()
    assert problems == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
