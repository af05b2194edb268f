"""The failing cases below the tables: what the gate judges first, and how many others there are."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from urlharness.report import terminal
from urlharness.results.model import Participant, Result

pytestmark = pytest.mark.once


def shown(results, limit: int = 10) -> str:
    stream = io.StringIO()
    Console(file=stream, width=200).print(terminal.first_failures(results, "lib", limit), soft_wrap=True)
    return stream.getvalue()


@pytest.fixture
def of(make_case, record):
    """A run in which so many cases of each RFC fail, in their order, of a library with these claims."""

    def make(counts, claimed=()):
        cases = [make_case(f"{spec}-3.3-x{n}") for spec, count in counts.items() for n in range(count)]
        found = [Result(case.vector.id, "lib", "fail") for case in cases]
        return record(cases, Participant("lib", "ran", specs=claimed), *found)

    return make


def specs(text: str) -> list[str]:
    return re.findall(r"^(rfc\d+)-", text, re.MULTILINE)


def test_what_is_claimed_comes_first(of):
    text = shown(of({"rfc1738": 12, "rfc2396": 4}, ("rfc2396",)))
    assert specs(text) == ["rfc2396"] * 4 + ["rfc1738"] * 6
    assert text.count("RFC 1738 section 3.3 (not claimed): ") == 6
    assert text.count("RFC 2396 section 3.3: ") == 4
    assert "... and 6 more (6 of RFC 1738, which it does not claim); " in text


#: Failing cases of RFC 1738, which is not claimed, and of RFC 2396; what is said of those not shown.
REST = [
    pytest.param(0, 13, "... and 3 more; --report html=FILE", id="all-claimed"),
    pytest.param(7, 13, "... and 10 more (7 of RFC 1738, which it does not claim); ", id="both"),
    pytest.param(7, 10, "... and 7 more (7 of RFC 1738, which it does not claim); ", id="the-others"),
    pytest.param(13, 0, "... and 3 more (3 of RFC 1738, which it does not claim); ", id="none-claimed"),
    pytest.param(5, 5, "", id="all-shown"),
]


@pytest.mark.parametrize(("others", "claimed", "said"), REST)
def test_the_rest_is_counted(of, others, claimed, said):
    text = shown(of({"rfc1738": others, "rfc2396": claimed}, ("rfc2396",)))
    assert (said in text) if said else ("more" not in text)


def test_who_claims_nothing_answers_for_all(of):
    text = shown(of({"rfc1738": 12, "rfc2396": 4}))
    assert specs(text) == ["rfc1738"] * 10
    assert "claim" not in text


def test_a_part_without_a_number_is_called_by_its_heading(make_case, record):
    case = make_case("rfc3986-addresses-x")
    answers = Participant("lib", "ran"), Result(case.vector.id, "lib", "fail")
    text = shown(record([case], *answers, title="Authors' Addresses"))
    assert "  RFC 3986 Authors' Addresses: It is so." in text
