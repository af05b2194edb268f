"""The report on a terminal: whole at any width, plain on a pipe, safe with any name."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from urlharness.corpus import Hex
from urlharness.protocol import Implementation
from urlharness.report import terminal
from urlharness.results import Participant, Result

NAMES = ("reference", "urllib", "node-url", "java-net-uri", "a-library-of-a-very-long-name-indeed")
HOSTILE = [
    pytest.param("\x1b[31mred\x1b]0;title\x07", id="escape-sequence"),
    pytest.param("a\rb\nc\x00\x7f\x9b31m", id="control"),
    pytest.param("[bold]x[/bold][link=http://x/]y[/link]", id="markup"),
    pytest.param(":smile: \u202egnp.exe\u2066", id="direction"),
    pytest.param("\ud7ff\ue000\U0001f600\u4e2d\u6587", id="wide"),
]


def render(results, *, width: int = 400, tty: bool = False, color: str | None = None) -> str:
    stream = io.StringIO()
    terminal.render(
        Console(
            file=stream,
            width=width,
            force_terminal=tty,
            color_system=color,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        ),
        results,
    )
    return stream.getvalue()


@pytest.fixture
def results(make_case, record):
    """Five implementations over three sections; the first passes everything, the others nothing."""
    cases = [
        make_case("rfc3986-3.3-x"),
        make_case("rfc3986-3.3-y", expect={"valid": False, "at": 0}),
        make_case("rfc3986-4.1-x", op="parse", expect={"components": {"path": "b"}}),
        make_case("rfc1738-3.1-x", rule="url"),
    ]
    found = [
        Result(case.vector.id, name, "pass" if name == "reference" else "fail")
        for name in NAMES
        for case in cases
    ]
    ran = [Participant(name, "ran", Implementation(name, "1", runtime="here")) for name in NAMES]
    missing = Participant("ada", "not installed", message="no module")
    return record(cases, *ran, missing, Participant("x", "dead", message="no hello"), *found)


def test_a_pipe_gets_one_table_for_each_specification(results):
    text = render(results)
    assert "\x1b" not in text
    assert len(re.findall(r"^RFC (?:1738|3986) +", text, re.MULTILINE)) == 4  # the tables and the summary
    assert re.search(r"^3\.3 Some section +100 +100 +1\.00 +· +· +100 +0 +0 +-1\.00", text, re.MULTILINE)
    assert all(name[:31] in text for name in NAMES)


@pytest.mark.parametrize("width", [45, 60, 66, 80, 100, 120, 200, 1000])
def test_no_figure_is_lost_at_any_width(results, width):
    """On a terminal the implementations are put below each other where they do not fit side by side."""
    text = render(results, width=width, tty=True)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("acc  rej     J  cmp  res  cov") == 2 * len(NAMES)
    assert len(re.findall("(?:yes|no )  [013] of [13]", text)) == 2 * len(NAMES)
    assert all(text.count(name[:31]) >= 3 for name in NAMES)


@pytest.mark.parametrize("width", [1, 5, 20, 40])
def test_a_terminal_of_hardly_any_width_is_no_trouble(results, width):
    assert max(map(len, render(results, width=width, tty=True).splitlines())) <= width


@pytest.mark.parametrize(("color", "escapes"), [("truecolor", True), (None, False)])
def test_colour_is_the_consoles_choice(results, color, escapes):
    assert ("\x1b[" in render(results, width=100, tty=True, color=color)) is escapes


def test_the_summary_says_who_complies(results):
    text = render(results)
    (line,) = re.findall(r"^RFC 3986 +yes.*$", text, re.MULTILINE)
    assert re.sub(" +", " ", line.strip()).startswith("RFC 3986 yes 3 of 3 no 0 of 3 no 0 of 3")


def test_states_are_told(results):
    text = render(results)
    assert "reference: reference 1 (here)" in text
    assert "ada: not installed: no module" in text
    assert "x: dead: no hello" in text


@pytest.mark.parametrize("end", [True, False], ids=["whole", "cut"])
def test_a_run_that_was_cut_says_so(make_case, record, end):
    text = render(record([make_case("rfc3986-3.3-x")], Participant("a", "ran"), end=end))
    assert ("The run was cut short" in text) is not end


def test_percentages_are_rounded_down(make_case, record):
    """100 means all of them: 299 of 300 are 99."""
    cases = [make_case(f"rfc3986-3.3-x{number}") for number in range(300)]
    found = [Result(case.vector.id, "a", "fail" if not n else "pass") for n, case in enumerate(cases)]
    text = render(record(cases, Participant("a", "ran"), *found))
    assert re.search(r"^3\.3 Some section +99 +· +· +· +· +100", text, re.MULTILINE)
    assert "no   299 of 300" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(make_case, record, text):
    """Whatever an adapter or a results file says, the terminal gets printable characters only."""
    case = make_case(f"rfc3986-3.3-{text}", url=text, requirement="rfc3986-3.3-y")
    ran = Participant(text, "ran", Implementation(text, text, runtime=text))
    dead = Participant(f"{text}2", "dead", message=text)
    wrong = Result(case.vector.id, text, "fail", detail=text, stderr=text)
    results = record([case], ran, dead, wrong, title=text)
    stream = io.StringIO()
    console = Console(
        file=stream, width=200, force_terminal=True, color_system=None, markup=False, emoji=False
    )
    terminal.render(console, results)
    console.print(terminal.failures(results, text))
    shown = stream.getvalue().replace("\n", "")
    assert shown.isprintable()
    assert terminal.plain(text)[:9] in shown


def test_failures_say_how_to_repeat_them(make_case, record):
    cases = [
        make_case(f"rfc3986-3.3-x{number}", url=Hex("ff") if number == 1 else "a b") for number in range(4)
    ]
    found = [
        Result(case.vector.id, "a", outcome, detail="why")
        for case, outcome in zip(cases, ("fail", "crash", "pass", "timeout"), strict=True)
    ]
    stream = io.StringIO()
    Console(file=stream, width=200).print(
        terminal.failures(record(cases, Participant("a", "ran"), *found), "a", 2)
    )
    text = stream.getvalue()
    assert "validate  rule <URI>  url <a b>" in text
    assert "url hex ff" in text
    assert "RFC 3986 section 3.3: It is so." in text
    assert "crash: why" in text
    assert "urlconform repro rfc3986-3.3-x0 -a a" in text
    assert "rfc3986-3.3-x2" not in text
    assert "... and 1 more" in text


def test_nothing_fails(make_case, record):
    results = record(
        [make_case("rfc3986-3.3-x")], Participant("a", "ran"), Result("rfc3986-3.3-x", "a", "pass")
    )
    stream = io.StringIO()
    Console(file=stream).print(terminal.failures(results, "a"))
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a b"),
        ("\x1b", "\\u{1b}"),
        ("\u202e", "\\u{202e}"),
        ("\n\t", "\\u{a}\\u{9}"),
        ("\u00e9", "\u00e9"),
    ],
)
def test_plain(text, shown):
    assert terminal.plain(text) == shown
