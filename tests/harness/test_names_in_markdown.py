"""Names of implementations in Markdown: short, told apart, and what is said of one is said once."""

from __future__ import annotations

import re

import pytest

from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement
from urlharness.protocol.messages import Implementation
from urlharness.report.markdown import render
from urlharness.results.model import Participant, Result
from urlharness.text import names

pytestmark = pytest.mark.once

LONG = "exec:python3 /home/somebody/projects/of/some/length/adapter.py --lib="
BETWEEN = "exec:/opt/{}/a/path/that/goes/on/and/on/and/on/adapter --with --many --options"

APART = {
    "ends": (LONG + "alpha", LONG + "beta"),
    "middle": (BETWEEN.format("x" * 40 + "alpha"), BETWEEN.format("x" * 40 + "beta")),
    "spelled": ("\x1b", "\\u{1b}"),
}


@pytest.mark.parametrize("limit", [31, 40, 60])
@pytest.mark.parametrize("some", APART)
def test_no_two_names_are_alike(some, limit):
    shown = names(APART[some], limit)
    assert len(set(shown.values())) == len(APART[some])
    assert max(map(len, shown.values())) <= limit
    alone = names(APART[some][:1], limit)
    assert some != "ends" or alone == {APART[some][0]: shown[APART[some][0]]}


def test_a_long_name_has_both_its_ends():
    assert names([LONG + "alpha"], 31) == {LONG + "alpha": "exec:python3 /h….py --lib=alpha"}
    assert names(["short"], 31) == {"short": "short"}


@pytest.mark.parametrize("some", ["ends", "middle"])
def test_every_table_and_group_tells_them_apart(make_case, record, some):
    cases = [make_case("rfc3986-3.3-x")]
    ran = [Participant(name, "ran", Implementation(name, "1")) for name in APART[some]]
    text = render(record(cases, *ran, *(Result("rfc3986-3.3-x", one.name, "fail") for one in ran)))
    verdicts = re.findall(r"^\| \*\*(.+?)\*\* \|", text, re.MULTILINE)
    groups = re.findall(r"^\*\*(.+?)\*\* · RFC", text, re.MULTILINE)
    (heads,) = re.findall(r"^\| Section \| (.+) \| (.+) \|$", text, re.MULTILINE)
    for found in (verdicts, groups, heads):
        assert len(set(found)) == len(found) == 2


WHY = "it ended with code 1 and said: no module named whatever, in a place that is not known"
DEAD = [Participant(f"dead{number}", "dead", message=f"{WHY} {number}") for number in range(3)]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("judged", [True, False], ids=["run", "report"])
def test_why_one_is_dead_is_said_once(make_case, record, count, judged):
    results = record([make_case("rfc3986-3.3-x")], *DEAD[:count])
    judgements = [
        Judgement(one.name, Exit.ADAPTER_DEAD, f"{one.name}: dead: {one.message}") for one in DEAD[:count]
    ]
    text = render(results, judgements if judged else ())
    for one in DEAD[:count]:
        assert text.count(one.message) == 1
        assert text.count(f"{one.name}: ") == 1 + (count == 1 and not judged)  # the headline has the name


def test_the_legend_says_what_a_row_counts(make_case, record):
    text = render(record([make_case("rfc3986-3.3-x")], Participant("a", "ran")))
    assert "has all vectors of its own, and not those of the sections below it." in text
