"""Reports of results with any text in any field: ids, titles, statements, and all that an adapter says."""

from __future__ import annotations

import itertools
import runpy
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from urlharness.corpus.model import Requirement
from urlharness.protocol.messages import Implementation
from urlharness.report import github, junit, markdown
from urlharness.results.model import AskedVector, Example, Participant, Result, Results, Tally

pytestmark = pytest.mark.once

CHECKS = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("report_checks.py"))))
TEXTS = CHECKS.TEXTS

texts = (
    st.sampled_from(TEXTS) | st.text(max_size=30) | st.lists(st.sampled_from(TEXTS), max_size=4).map("".join)
)


@pytest.mark.once
@settings(
    max_examples=60,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a failure is read as it is
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    given_texts=st.lists(texts, min_size=1, max_size=8),
    outcomes=st.lists(st.sampled_from(["fail", "crash", "partial", "pass"]), min_size=3, max_size=3),
    claimed=st.sampled_from([(), ("rfc3986",), ("x",)]),
    state=st.sampled_from(["dead", "not installed"]),
    end=st.booleans(),
)
def test_any_text_in_any_field(make_case, record, given_texts, outcomes, claimed, state, end):
    """Ids, titles, statements, classes and all that an adapter says, with texts of any kind."""
    CHECKS.check_all(filled(make_case, record, given_texts, outcomes, claimed, state, end=end))


def filled(make_case, record, given_texts, outcomes, claimed=(), state="dead", *, end=True) -> Results:
    """Results with these texts in every field, one after the other."""
    endless = itertools.cycle(given_texts)

    def text() -> str:
        return next(endless).encode("utf-8", "replace").decode("utf-8")

    cases = [
        make_case(
            f"rfc3986-3.{number}-{text()}", url=text(), rule=text(), requirement=text(), **{"class": text()}
        )
        for number in range(3)
    ]
    name, other = text() or "x", text()
    answers = [
        Result(case.vector.id, name, outcome, text(), text(), {"status": text()}, text())
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    # what a library does not name, an adapter cannot either: a hello needs a name
    about = Implementation(text() or "x", text(), text(), text(), text())
    ran = Participant(name, "ran", about, specs=claimed)
    dead = Participant(f"{other} other", state, message=text())
    results = record(cases, ran, dead, *answers, title=text(), end=end)
    counts = {"pass": 1, "fail": 10**18}
    tally = Tally(name, f"part {text()}", text(), "rfc3986", counts, counts, {"coverage": (1, 2)}, text())
    requirement = Requirement("r", "3.1", 1, "0" * 12, "must", text())
    example = Example(AskedVector(cases[0], requirement, tally.part), answers[0])
    return msgspec.structs.replace(results, tallies=(tally,), examples=(example,))


#: Functions that keep texts from becoming more: without any of them a report is broken, and it is seen.
GUARDS = [
    (markdown, "logged"),
    (markdown, "cell"),
    (markdown, "_span"),
    (github, "logged"),
    (github, "_property"),
    (junit, "_clean"),
    (junit, "_body"),
]


@pytest.mark.parametrize(("module", "name"), GUARDS)
def test_a_report_without_its_guard_is_seen(make_case, record, monkeypatch, module, name):
    """With the guard the texts do no harm in any field, without it some of them do in one."""
    monkeypatch.setattr(module, name, lambda text: text)
    turns = ((*TEXTS[start:], *TEXTS[:start]) for start in range(len(TEXTS)))
    assert any(broken(filled(make_case, record, turn, ["fail", "crash", "fail"])) for turn in turns)


def test_no_text_does_harm_in_any_field(make_case, record):
    turns = ((*TEXTS[start:], *TEXTS[:start]) for start in range(len(TEXTS)))
    assert not any(broken(filled(make_case, record, turn, ["fail", "crash", "fail"])) for turn in turns)


def broken(results: Results) -> bool:
    """Does a check of some report fail?"""
    try:
        CHECKS.check_all(results)
    except (AssertionError, ValueError, ET.ParseError):
        return True
    return False


PLANTED = {
    "html": "<b>x</b>",
    "mention": "see @octocat",
    "link": "[a](http://b/)",
    "image": "![a](http://b/)",
    "heading-inside": "a\n\n<div>",
    "autolink": "see https://a.example/",
    "table-cut": "| a | b |\n| --- | --- |\n| c |",
    "escape": "\x1b[1m",
    "too-long": "x" * 60_001,
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_markdown_is_seen(name):
    with pytest.raises(AssertionError):
        CHECKS.check_markdown(PLANTED[name])


@pytest.mark.parametrize(
    "line",
    ["x", "::error title=a,b::c", "::error title=a:b::c", "::debug title=a::b", "::error title=a::\x1b"],
)
def test_planted_commands_are_seen(line):
    with pytest.raises(AssertionError):
        CHECKS.check_github(f"{line}\n::notice title=x::y\n")
