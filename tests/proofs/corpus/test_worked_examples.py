"""The vectors of the RFCs' worked examples are complete, and have the answers that the texts print."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from urlharness.corpus.model import Corpus, Expected
from urlharness.corpus.rfctext import read_texts
from urlharness.corpus.specifications import SPECS

BASE_1808 = "http://a/b/c/d;p?q#f"
BASE = "http://a/b/c/d;p?q"


class ExampleTable(NamedTuple):
    """A table of examples in an RFC, their base, and their number."""

    spec: str
    section: str
    base: str
    count: int


TABLES = [
    pytest.param(ExampleTable("rfc1808", "5.1", BASE_1808, count=24), id="rfc1808-5.1"),
    pytest.param(ExampleTable("rfc1808", "5.2", BASE_1808, count=15), id="rfc1808-5.2"),
    pytest.param(ExampleTable("rfc2396", "C.1", BASE, count=22), id="rfc2396-C.1"),
    pytest.param(ExampleTable("rfc2396", "C.2", BASE, count=20), id="rfc2396-C.2"),
    pytest.param(ExampleTable("rfc3986", "5.4.1", BASE, count=23), id="rfc3986-5.4.1"),
    pytest.param(ExampleTable("rfc3986", "5.4.2", BASE, count=19), id="rfc3986-5.4.2"),
]

_SIDES = r'(?:<URL:(?P<{0}url>[^>]*)>|"(?P<{0}quoted>[^"]*)"|(?P<{0}plain>\S+(?: document\)\S*)?))'
_LINE = re.compile(rf"\s*(?P<left>\S+)\s*=\s+{_SIDES.format('first_')}(?:\s*;.*)?$")
_CONTINUATION = re.compile(rf"\s*[|/]\s*{_SIDES.format('other_')}\s*;.*$")

#: How the tables write the answer that is no text, and a refusal, which no table has.
CURRENT_DOCUMENT = "(current document)"
REFUSED = "refused"


def result_in(match: re.Match[str], side: str) -> str:
    """Return the result that a line prints, without its delimiters."""
    return next(match[f"{side}_{kind}"] for kind in ("url", "quoted", "plain") if match[f"{side}_{kind}"])


def table(citations, section: str) -> dict[str, list[str]]:
    """Return the results that a section prints, by their reference."""
    results: dict[str, list[str]] = {}
    for paragraph in citations:
        if paragraph.section != section:
            continue
        for line in paragraph.text.splitlines():
            if match := _LINE.match(line):
                reference = match["left"].strip('"').removeprefix("<").removesuffix(">")
                assert reference not in results
                results[reference] = [result_in(match, "first")]
            elif match := _CONTINUATION.match(line):
                results[reference].append(result_in(match, "other"))
    return results


def answers(expected: Expected) -> list[str]:
    """Return the admitted answers of a vector as the tables write them."""
    written = []
    for answer in expected.alternatives:
        if answer.same_document:
            written.append(CURRENT_DOCUMENT)
        elif answer.valid is False:
            written.append(REFUSED)
        else:
            written.append(answer.result)
    return written


def admitted(spec: str, base: str, reference: str, printed: list[str]) -> list[str]:
    """Return the answers that an RFC admits for a reference whose results its table prints."""
    if printed[0].startswith(CURRENT_DOCUMENT):  # "#s" and "": the base stands for it as well (R-2396-06)
        return [base + printed[0].removeprefix(CURRENT_DOCUMENT), CURRENT_DOCUMENT]
    # RFC 2396, appendix C.2, paragraph 6; section 5.2, step 6
    if spec == "rfc2396" and reference.startswith("../../../"):
        return [*printed, "http://a/g", REFUSED]
    return printed


def vectors(corpus: Corpus, spec: str, section: str, base: str) -> dict[str, Expected]:
    """Return the expectations of the vectors of a section with a base, by their reference."""
    return {
        case.vector.reference: case.vector.expect
        for case in corpus.cases
        if (case.spec, case.section, case.vector.base) == (spec, section, base)
    }


@pytest.mark.parametrize("row", TABLES)
def test_every_example_of_a_table_has_a_vector(corpus, rfc_dir, row):
    printed = table(read_texts(rfc_dir, SPECS)[row.spec], row.section)
    assert printed.keys() - vectors(corpus, row.spec, row.section, row.base).keys() == set()


@pytest.mark.parametrize("row", TABLES)
def test_every_example_of_a_table_is_read_from_the_text(rfc_dir, row):
    assert len(table(read_texts(rfc_dir, SPECS)[row.spec], row.section)) == row.count


@pytest.mark.parametrize("row", TABLES)
def test_the_vectors_of_a_table_have_the_answers_that_the_text_prints(corpus, rfc_dir, row):
    printed = table(read_texts(rfc_dir, SPECS)[row.spec], row.section)
    expectations = vectors(corpus, row.spec, row.section, row.base)
    expected = {
        reference: admitted(row.spec, row.base, reference, results) for reference, results in printed.items()
    }
    assert {reference: answers(expectations[reference]) for reference in printed} == expected


@pytest.mark.parametrize(
    ("spec", "section", "reference", "results"),
    [
        pytest.param("rfc2396", "C.2", "g;x=1/./y", ["http://a/b/c/g;x=1/y"], id="delimiters-of-the-table"),
        pytest.param("rfc3986", "5.4.2", "http:g", ["http:g", "http://a/b/c/g"], id="two-results"),
        pytest.param("rfc1808", "5.2", "", [BASE_1808], id="empty-reference"),
    ],
)
def test_the_results_of_a_reference_are_read_from_a_printed_table(rfc_dir, spec, section, reference, results):
    assert table(read_texts(rfc_dir, SPECS)[spec], section)[reference] == results
