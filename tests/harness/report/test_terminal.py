"""The report on a terminal: whole at any width, plain on a pipe, safe with any name."""

from __future__ import annotations

import io
import re
import sysconfig
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from urlharness.corpus.model import Hex
from urlharness.protocol.messages import Implementation
from urlharness.report import terminal
from urlharness.results.model import Participant, Result, Tally
from urlharness.text import clipped, logged, plain

pytestmark = pytest.mark.once

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "urlconform")

NAMES = ("reference", "urllib", "node-url", "java-net-uri", "a-library-of-a-very-long-name-indeed")
#: The names as they stand at the head of a column on a terminal: of a long one the two ends.
HEADS = (*NAMES[:-1], "a-library-of-a-…ong-name-indeed")
HOSTILE = [
    pytest.param("\x1b[31mred\x1b]0;title\x07", id="escape-sequence"),
    pytest.param("a\rb\nc\x00\x7f\x9b31m", id="control"),
    pytest.param("[bold]x[/bold][link=http://x/]y[/link]", id="markup"),
    pytest.param(":smile: \u202egnp.exe\u2066", id="direction"),
    pytest.param("\ud7ff\ue000\U0001f600\u4e2d\u6587", id="wide"),
    pytest.param("##[error]x ##vso[task.complete]", id="command-of-a-build-server"),
]


def render(results, *, width: int = 400, tty: bool = False, color: str | None = None) -> str:
    stream = io.StringIO()
    terminal.print_tables(
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
    assert all(text.count(name) >= 3 for name in NAMES)  # whole: in both tables, and below


def test_percentages_lose_nothing_to_binary_fractions(make_case, record):
    """29 of 50 are 58 percent; 28.999… of them are what a float makes of it."""
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(50)]
    found = [Result(one.vector.id, "a", "pass" if n < 29 else "fail") for n, one in enumerate(cases)]
    text = render(record(cases, Participant("a", "ran"), *found))
    assert re.search(r"^3\.3 Some section +58 +· +· +· +· +100", text, re.MULTILINE)


def test_an_adapter_that_never_answers_covers_nothing(make_case, record):
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(4)]
    ends = ("crash", "timeout", "aborted", "unsupported")
    found = [Result(one.vector.id, "a", end) for one, end in zip(cases, ends, strict=True)]
    text = render(record(cases, Participant("a", "ran"), *found))
    assert re.search(r"^3\.3 Some section +0 +· +· +· +· +0", text, re.MULTILINE)
    assert "cov: answered, right or wrong" in text


@pytest.mark.parametrize("width", [40, 45, 60, 66, 80, 100, 120, 200, 1000])
def test_no_figure_is_lost_at_any_width(results, width):
    """On a terminal the implementations are put below each other where they do not fit side by side."""
    text = render(results, width=width, tty=True)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("acc  rej     J  cmp  res  cov") == 2 * len(NAMES)
    assert len(re.findall("(?:yes|no )  [013] of [13]", text)) == 2 * len(NAMES)
    # the last table has little room for a long name
    assert all(text.count(name) >= (3 if width > 47 else 2) for name in HEADS)


@pytest.mark.parametrize("width", [1, 5, 20, 39])
def test_a_terminal_of_hardly_any_width_is_no_trouble(results, width):
    assert max(map(len, render(results, width=width, tty=True).splitlines())) <= width


@pytest.mark.parametrize(("color", "escapes"), [("truecolor", True), (None, False)])
def test_colour_is_the_consoles_choice(results, color, escapes):
    assert ("\x1b[" in render(results, width=100, tty=True, color=color)) is escapes


def test_the_summary_says_who_complies(results):
    text = render(results)
    (line,) = re.findall(r"^RFC 3986 +yes.*$", text, re.MULTILINE)
    assert re.sub(" +", " ", line.strip()).startswith("RFC 3986 yes 3 of 3 no 0 of 3 no 0 of 3")


def test_a_name_is_said_once_where_there_is_no_more_to_say(make_case, record):
    """Of a program for each case, or a function, that says neither a name of its own nor a version."""
    said = {
        "exec:bash one.sh": Implementation("exec:bash one.sh", "unknown"),
        "python:mine:answer": Implementation("mine:answer", "unknown"),
        "python:mine:other": Implementation("library", "unknown", runtime="here"),
        "mine": Implementation("mine", "1"),
    }
    run = (Participant(name, "ran", about) for name, about in said.items())
    text = render(record([make_case("rfc3986-3.3-x")], *run))
    shown = [line.rstrip() for line in text.splitlines() if line.startswith(tuple(said))]
    assert shown[-4:] == [
        "exec:bash one.sh",
        "python:mine:answer",
        "python:mine:other: library (here)",
        "mine: mine 1",
    ]


def test_states_are_told(results):
    text = render(results)
    assert "reference: reference 1 (here)" in text
    assert "ada: not installed: no module" in text
    assert "x: dead: no hello" in text


@pytest.mark.parametrize("end", [True, False], ids=["whole", "cut"])
def test_a_run_that_was_cut_says_so(make_case, record, end):
    """And nobody complies with anything by half a run."""
    answers = Participant("a", "ran"), Result("rfc3986-3.3-x", "a", "pass")
    text = render(record([make_case("rfc3986-3.3-x")], *answers, end=end))
    assert ("The run was cut short" in text) is not end
    assert ("yes  1 of 1" in text) is end
    assert ("so far  1 of 1" in text) is not end


def test_a_run_of_some_vectors_says_so(corpus, record):
    cases = [case for case in corpus.cases if case.spec == "rfc2732"]
    for some in (cases, cases[1:]):
        results = record(some, Participant("a", "ran"))
        header = msgspec.structs.replace(results.header, sizes=dict(corpus.sizes))
        text = render(msgspec.structs.replace(results, header=header))
        said = f"Only {len(some)} of the {len(cases)} vectors of RFC 2732 were asked."
        assert (said in text) is (some is not cases)
        assert "RFC 3986" not in text


@pytest.mark.parametrize("digest", ["0" * 12, ""], ids=["whole", "part"])
def test_generated_cases_that_were_not_all_asked_are_told(make_case, record, digest):
    results = record([make_case("rfc3986-3.3-x")], Participant("a", "ran"))
    counts = {"pass": 5}
    rates = {"coverage": (5, 5), "accepted": (5, 5)}
    tally = Tally("a", "rfc3986-complete-URI", "complete", "rfc3986", counts, counts, rates, "URI", digest)
    text = render(msgspec.structs.replace(results, tallies=(tally,)))
    assert re.search(r"^RFC 3986, tier complete +acc", text, re.MULTILINE)
    assert re.search(r"^URI 5 cases +100 ", text, re.MULTILINE)
    assert ("Not all generated cases were asked of rfc3986-complete-URI." in text) is not digest


def test_a_pipe_gets_whole_titles(make_case, record):
    title = "A section of a title that is longer than any terminal has room for beside its figures"
    text = render(record([make_case("rfc3986-3.3-x")], Participant("a", "ran"), title=title))
    assert f"3.3 {title}" in text
    narrow = render(
        record([make_case("rfc3986-3.3-x")], Participant("a", "ran"), title=title), width=66, tty=True
    )
    assert re.search("^3\\.3 A section of a title that[^.]*…  ", narrow, re.MULTILINE)


@pytest.mark.parametrize("tty", [True, False], ids=["terminal", "pipe"])
@pytest.mark.parametrize(
    ("label", "title", "shown"),
    [
        ("3.3", "Path and more", "3.3 Path and more"),
        ("A", "Collected ABNF", "A Collected ABNF"),
        ("addresses", "Authors' Addresses", "Authors' Addresses"),
    ],
)
def test_a_part_without_a_number_is_called_by_its_heading(make_case, record, label, title, shown, tty):
    results = record([make_case(f"rfc3986-{label}-x")], Participant("a", "ran"), title=title)
    assert re.search(f"^{shown}  ", render(results, tty=tty), re.MULTILINE)


def test_many_implementations_in_a_pipe(make_case, record):
    """As many as fit into its width, and the others below: no figure is lost."""
    case = make_case("rfc3986-3.3-x")
    names = [f"library-{number}" for number in range(40)]
    found = [Result(case.vector.id, name, "pass") for name in names]
    text = render(record([case], *(Participant(name, "ran") for name in names), *found))
    assert text.count("acc  rej     J  cmp  res  cov") == text.count("yes  1 of 1") == 40


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
    terminal.print_tables(console, results)
    console.print(terminal.first_failures(results, text), soft_wrap=True)
    shown = stream.getvalue().replace("\n", "")
    assert shown.isprintable()
    assert "##" not in shown
    assert logged(text)[:9] in shown


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
        terminal.first_failures(record(cases, Participant("a", "ran"), *found), "a", 2)
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
    Console(file=stream).print(terminal.first_failures(results, "a"))
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
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a ##b", "a ##b"),
        ("a ##[error]b", "a #\\u{23}[error]b"),
        ("##vso[x]", "#\\u{23}vso[x]"),
        ("::error::x", "\\u{3a}:error::x"),
        ("  ::error::x", "  \\u{3a}:error::x"),
        ("http://[::1]/", "http://[::1]/"),
        ("\x1b", "\\u{1b}"),
    ],
)
def test_logged(text, shown):
    """A build server reads commands out of a log; none of ours comes from an adapter."""
    assert logged(text) == shown


def test_clipped():
    assert clipped("abc", 3) == "abc"
    assert clipped("a" * 2003, 3) == "aaa… (and 2,000 characters more)"


def test_no_colour_is_no_escape_at_all(urlconform, tmp_path):
    """On a terminal, with NO_COLOR: nothing bold or dim either.  Without it there are escapes to be seen."""
    urlconform("run", "reference", "--spec", "2732", "--report", "json=r.jsonl")
    for setting, escapes in (({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)):
        done = urlconform("-qec", f"{PROGRAM} report r.jsonl", "/dev/null", env=setting, program=("script",))
        assert "Complies with" in done.stdout
        assert ("\x1b" in done.stdout) is escapes
