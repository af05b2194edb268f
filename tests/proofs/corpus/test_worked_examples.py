"""The tables of worked examples are complete, and say what the RFC texts say."""

from __future__ import annotations

import re

import pytest

from urlharness.corpus.model import Corpus, Expected
from urlharness.corpus.rfctext import read_texts
from urlharness.corpus.specifications import SPECS

BASE_1808 = "http://a/b/c/d;p?q#f"
BASE = "http://a/b/c/d;p?q"

#: Specification, section, base of the examples, and how many there are.
TABLES = [
    pytest.param("rfc1808", "5.1", BASE_1808, 24, id="rfc1808-5.1"),
    pytest.param("rfc1808", "5.2", BASE_1808, 15, id="rfc1808-5.2"),
    pytest.param("rfc2396", "C.1", BASE, 22, id="rfc2396-C.1"),
    pytest.param("rfc2396", "C.2", BASE, 20, id="rfc2396-C.2"),
    pytest.param("rfc3986", "5.4.1", BASE, 23, id="rfc3986-5.4.1"),
    pytest.param("rfc3986", "5.4.2", BASE, 19, id="rfc3986-5.4.2"),
]

_SIDES = r'(?:<URL:(?P<{0}url>[^>]*)>|"(?P<{0}quoted>[^"]*)"|(?P<{0}plain>\S+(?: document\)\S*)?))'
_LINE = re.compile(rf"\s*(?P<left>\S+)\s*=\s+{_SIDES.format('first_')}(?:\s*;.*)?$")
_OTHER = re.compile(rf"\s*[|/]\s*{_SIDES.format('other_')}\s*;.*$")

#: What RFC 2396 leaves to parsers besides its tables: appendix C.2, paragraph 6, and section 5.2, step 6.
EXCESS = ["http://a/g", "refused"]


def _one(match: re.Match[str], side: str) -> str:
    return next(match[f"{side}_{kind}"] for kind in ("url", "quoted", "plain") if match[f"{side}_{kind}"])


def table(citations, section: str) -> dict[str, list[str]]:
    """Reference -> results, as the section prints them."""
    found: dict[str, list[str]] = {}
    for paragraph in citations:
        if paragraph.section != section:
            continue
        for line in paragraph.text.splitlines():
            if match := _LINE.match(line):
                reference = match["left"].strip('"').removeprefix("<").removesuffix(">")
                assert reference not in found
                found[reference] = [_one(match, "first")]
            elif match := _OTHER.match(line):
                found[reference].append(_one(match, "other"))
    return found


def answers(expected: Expected) -> list[str]:
    """The admitted answers of a vector as the tables write them."""
    shown = []
    for answer in expected.alternatives:
        if answer.same_document:
            shown.append("(current document)")
        elif answer.valid is False:
            shown.append("refused")
        else:
            shown.append(answer.result)
    return shown


def vectors(corpus: Corpus, spec: str, section: str, base: str) -> dict[str, Expected]:
    return {
        case.vector.reference: case.vector.expect
        for case in corpus.cases
        if (case.spec, case.section, case.vector.base) == (spec, section, base)
    }


@pytest.mark.parametrize(("spec", "section", "base", "count"), TABLES)
def test_table_is_complete(corpus, spec, section, base, count):
    assert len(vectors(corpus, spec, section, base)) >= count


@pytest.mark.parametrize(("spec", "section", "base", "count"), TABLES)
def test_the_table_equals_the_text(corpus, rfc_dir, spec, section, base, count):
    printed = table(read_texts(rfc_dir, SPECS)[spec], section)
    assert len(printed) == count
    held = vectors(corpus, spec, section, base)
    for reference, results in printed.items():
        got = answers(held[reference])
        if "(current document)" in results[0]:  # "#s" and "": the base stands for it as well (R-2396-06)
            fragment = results[0].removeprefix("(current document)")
            assert got == [f"{base}{fragment}", "(current document)"], reference
        elif got[1:] == EXCESS:  # appendix C.2, paragraph 6; section 5.2, step 6
            assert spec == "rfc2396"
            assert reference.startswith("../../../")
            assert got[0] == results[0]
        else:
            assert got == results, reference


def test_a_table_in_the_text_is_read(rfc_dir):
    """The reader of tables reads: references with `=` and `;`, two results, an empty reference."""
    texts = read_texts(rfc_dir, SPECS)
    assert table(texts["rfc2396"], "C.2")["g;x=1/./y"] == ["http://a/b/c/g;x=1/y"]
    assert table(texts["rfc3986"], "5.4.2")["http:g"] == ["http:g", "http://a/b/c/g"]
    assert table(texts["rfc1808"], "5.2")[""] == [BASE_1808]
