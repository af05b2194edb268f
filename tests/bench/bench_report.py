"""Measure the HTML report of a large run: 50,000 cases of 40 implementations in Chromium.

Prints a row of Markdown for each size, the best of three openings: seconds to render, megabytes of the file,
milliseconds until the list is painted and until the details are read, for a query of atoms, for the first and
the next search of a word, for a frame while the list is scrolled (median and 95th percentile), and megabytes
that the page holds.

    python tests/bench/bench_report.py [CASESxIMPLEMENTATIONS …]
"""

from __future__ import annotations

import runpy
import statistics
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

from playwright.sync_api import Browser, Playwright, sync_playwright

from urlharness.corpus import loader
from urlharness.report.html.page import render

TESTS = Path(__file__).parents[1]
SETUP = SimpleNamespace(**runpy.run_path(str(TESTS / "browser" / "conftest.py")))  # finds report_samples
SAMPLES = import_module("report_samples")
SIZES = ("5000x4", "12500x4", "50000x4", "50000x40")
ATOMS = ("", "spec:rfc3986", "outcome:failing flag:security", "odd:any", "passes:2 -level:must")
WORDS = ("percent", "signal")
RUNS = 3

_ASK = """text => new Promise(resolve => {
  const box = document.getElementById('f-q'), start = performance.now();
  box.value = text; box.dispatchEvent(new Event('input')); document.body.offsetHeight;
  resolve(performance.now() - start);
})"""
_SCROLL = """() => new Promise(resolve => {
  const list = document.getElementById('list'), frames = [];
  let before = performance.now(), count = 0;
  requestAnimationFrame(function step(now) {
    frames.push(now - before); before = now; list.scrollTop += 700;
    if (++count < 180) requestAnimationFrame(step); else resolve(frames.slice(2));
  });
})"""


HEAD = (
    "cases, implementations",
    "render s",
    "file MB",
    "painted ms",
    "details ms",
    "atoms ms",
    "word ms",
    "next word ms",
    "frame ms",
    "p95 ms",
    "memory MB",
)


def main() -> None:
    """Measure the sizes of the command line, or all."""
    everything = loader.load()
    say(*HEAD)
    say("---", *["---:"] * (len(HEAD) - 1))
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        for size in sys.argv[1:] or SIZES:
            cases, implementations = map(int, size.split("x"))
            results = SAMPLES.many_results(everything, cases, implementations)
            start = time.perf_counter()
            text = render(results)
            took = time.perf_counter() - start
            del results
            file = Path(scratch) / f"{size}.html"
            file.write_text(text, encoding="utf-8")
            openings = zip(*(measured(playwright, file) for _ in range(RUNS)), strict=True)
            painted, details, atoms, first, second, *frames, memory = (min(column) for column in openings)
            say(
                f"{cases:,}, {implementations}",
                f"{took:.1f}",
                f"{file.stat().st_size / 1e6:.2f}",
                *(f"{milliseconds:.0f}" for milliseconds in (painted, details, atoms, first, second)),
                *(f"{milliseconds:.1f}" for milliseconds in frames),
                f"{memory:.0f}",
            )


def say(*cells: str) -> None:
    """Print a row of a table."""
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


def measured(playwright: Playwright, file: Path) -> tuple[float, ...]:
    """Open a page in a new browser, and return the figures of this opening."""
    browser = playwright.chromium.launch(executable_path=str(SETUP.CHROMIUM), args=SETUP.ARGUMENTS)
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(120_000)
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    marks = [f"performance.getEntriesByName('{mark}')[0].startTime" for mark in ("painted", "ready")]
    opened = [page.evaluate(mark) for mark in marks]
    atoms = statistics.median(page.evaluate(_ASK, text) for text in ATOMS)
    words = [page.evaluate(_ASK, text) for text in WORDS]
    page.evaluate(_ASK, "")
    frames = sorted(page.evaluate(_SCROLL))
    memory = held(browser)
    browser.close()
    return *opened, atoms, *words, statistics.median(frames), frames[len(frames) * 95 // 100], memory


def held(browser: Browser) -> float:
    """Return the megabytes that the processes of pages hold."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    pages = [process["id"] for process in processes if process["type"] == "renderer"]
    lines = [line for page in pages for line in Path(f"/proc/{page}/smaps_rollup").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


if __name__ == "__main__":
    main()
