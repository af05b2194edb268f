"""Made-up results and the HTML report of them; `query_samples` can be imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import report_samples
from html_text import Page

from urlharness.corpus.model import Corpus
from urlharness.report.html.page import render
from urlharness.results.model import Results

sys.path += [str(Path(__file__).parents[2] / name) for name in ("compare", "panel")]


@pytest.fixture(scope="session")
def results(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run of four implementations over all of RFC 1808 and RFC 2732 and some of the other RFCs."""
    vectors = [
        vector
        for number, vector in enumerate(report_samples.asked_of(corpus))
        if vector.case.spec in ("rfc1808", "rfc2732") or number % 12 == 0
    ]
    return report_samples.write(tmp_path_factory.mktemp("html") / "r.jsonl", vectors)


@pytest.fixture(scope="session")
def page_source(results: Results, computed_once: Callable[[str, Callable[[], str]], str]) -> str:
    """The source of the HTML report of `results`, which all processes of xdist share."""
    return computed_once("page-of-html-tests", lambda: render(results))


@pytest.fixture(scope="session")
def page(page_source: str) -> Page:
    """The HTML report of `results`."""
    return Page(page_source)


@pytest.fixture(scope="session")
def generated_page(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The page of three vectors, and of generated cases of which urllib fails more than are shown."""
    path = tmp_path_factory.mktemp("generated") / "r.jsonl"
    vectors = report_samples.asked_of(corpus, 3)
    return Page(render(report_samples.generated_results(path, vectors)))


@pytest.fixture(scope="session")
def hostile_results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run in which every text is hostile."""
    return report_samples.write(
        tmp_path_factory.mktemp("html") / "h.jsonl",
        report_samples.hostile_cases(),
        report_samples.hostile_participants(),
        report_samples.hostile_answer,
    )


@pytest.fixture(scope="session")
def hostile_source(hostile_results: Results) -> str:
    """The source of the HTML report of `hostile_results`."""
    return render(hostile_results)
