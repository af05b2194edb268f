"""The terminal: tables at any width, compliance, states, and the first failures."""

from __future__ import annotations

import io
import re

import msgspec
import pytest
from rich.console import Console

from urlharness.corpus.model import Hex
from urlharness.protocol.messages import Implementation
from urlharness.report import terminal
from urlharness.results.model import Participant, Result, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import logged

NAMES = ("reference", "urllib", "node-url", "java-net-uri", "a-library-of-a-very-long-name-indeed")

#: The names at the heads of columns on a terminal: a long one has its two ends.
HEADS = (*NAMES[:-1], "a-library-of-a-…ong-name-indeed")

RAN = Participant("a", "ran")

HOSTILE = [
    pytest.param("\x1b[31mred\x1b]0;title\x07", id="escape-sequence"),
    pytest.param("a\rb\nc\x00\x7f\x9b31m", id="control"),
    pytest.param("[bold]x[/bold][link=http://x/]y[/link]", id="markup"),
    pytest.param(":smile: \u202egnp.exe\u2066", id="direction"),
    pytest.param("\ud7ff\ue000\U0001f600\u4e2d\u6587", id="wide"),
    pytest.param("##[error]x ##vso[task.complete]", id="command-of-a-build-server"),
]


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


def test_a_pipe_gets_one_table_for_each_rfc(results, on_terminal):
    text = on_terminal(results)
    assert "\x1b" not in text
    assert len(re.findall(r"^RFC (?:1738|3986) +", text, re.MULTILINE)) == 4  # the tables and the summary
    assert re.search(r"^3\.3 Some section +100 +100 +1\.00 +· +· +100 +0 +0 +-1\.00", text, re.MULTILINE)
    assert all(text.count(name) >= 3 for name in NAMES)  # in full: in both tables, and below
    assert "a section counts its own vectors, without subsections" in text
    assert "cov: answered, right or wrong" in text


@pytest.mark.parametrize(
    ("passed", "total", "shown"), [(29, 50, 58), (299, 300, 99)], ids=["binary-fraction", "nearly-all"]
)
def test_percentages_are_exact_and_rounded_down(make_case, record, on_terminal, passed, total, shown):
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(total)]
    found = [Result(one.vector.id, "a", "pass" if n < passed else "fail") for n, one in enumerate(cases)]
    text = on_terminal(record(cases, RAN, *found))
    assert re.search(rf"^3\.3 Some section +{shown} +· +· +· +· +100", text, re.MULTILINE)
    assert f"no   {passed} of {total}" in text


def test_an_adapter_that_never_answers_covers_nothing(make_case, record, on_terminal):
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(4)]
    ends = ("crash", "timeout", "aborted", "unsupported")
    found = [Result(one.vector.id, "a", end) for one, end in zip(cases, ends, strict=True)]
    text = on_terminal(record(cases, RAN, *found))
    assert re.search(r"^3\.3 Some section +0 +· +· +· +· +0", text, re.MULTILINE)


@pytest.mark.parametrize("width", [40, 60, 66, 80, 100, 120, 200, 1000])
def test_no_figure_is_lost_at_any_width(results, on_terminal, width):
    """Implementations that do not fit side by side are below each other."""
    text = on_terminal(results, width=width, tty=True)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("acc  rej     J  cmp  res  cov") == 2 * len(NAMES)
    assert len(re.findall("(?:yes|no )  [013] of [13]", text)) == 2 * len(NAMES)
    # the last table has little room for a long name
    assert all(text.count(name) >= (3 if width > 47 else 2) for name in HEADS)


@pytest.mark.parametrize("width", [1, 20, 36])
def test_a_very_narrow_terminal_is_no_error(results, on_terminal, width):
    assert "reference"[:width] in on_terminal(results, "urllib", width=width, tty=True)


def test_many_implementations_in_a_pipe_are_below_each_other(make_case, record, on_terminal):
    case = make_case("rfc3986-3.3-x")
    names = [f"library-{number}" for number in range(40)]
    found = [Result(case.vector.id, name, "pass") for name in names]
    text = on_terminal(record([case], *(Participant(name, "ran") for name in names), *found))
    assert text.count("acc  rej     J  cmp  res  cov") == text.count("yes  1 of 1") == 40


@pytest.mark.parametrize("width", [40, 80, 200])
def test_ascii_shifts_no_column(make_case, record, width):
    """The signs for nothing, for a rule and for a cut are one character each."""
    case = make_case("rfc3986-6.2-x", op="parse", expect={"components": {"path": "b"}})
    name = "exec:/a/rather/long/command --with --lib=alpha"
    answers = Participant(name, "ran"), Result(case.vector.id, name, "pass")
    results = record([case], *answers, title="A heading longer than its column")
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, "ascii", errors="backslashreplace")
    terminal.print_tables(Console(file=stream, width=width, force_terminal=True, color_system=None), results)
    stream.flush()
    text = written.getvalue().decode("ascii")
    assert "\\" not in text
    assert max(map(len, text.splitlines())) <= width
    assert re.search(r"^6\.2 .* \. +\. +\. +100 +\. +100", text, re.MULTILINE)


@pytest.mark.parametrize(("color", "escapes"), [("truecolor", True), (None, False)])
def test_the_console_decides_on_colour(results, on_terminal, color, escapes):
    assert ("\x1b[" in on_terminal(results, width=100, tty=True, color=color)) is escapes


def test_the_last_table_says_who_complies(results, on_terminal):
    (line,) = re.findall(r"^RFC 3986 +yes.*$", on_terminal(results), re.MULTILINE)
    assert re.sub(" +", " ", line.strip()).startswith("RFC 3986 yes 3 of 3 no 0 of 3 no 0 of 3")


def test_states_and_identities_are_shown(results, on_terminal):
    text = on_terminal(results)
    assert "reference: reference 1 (here)" in text
    assert "ada: not installed: no module" in text
    assert "x: could not start: no hello" in text


def test_restarts_are_shown(results, on_terminal):
    text = on_terminal(msgspec.structs.replace(results, restarts={"urllib": 2}))
    assert text.count("had to be started again 2 times") == 1


def test_an_identity_that_adds_nothing_is_not_shown(make_case, record, on_terminal):
    """A program per case, or a function, may have neither a name of its own nor a version."""
    said = {
        "exec:bash one.sh": Implementation("exec:bash one.sh", "unknown"),
        "python:mine:answer": Implementation("mine:answer", "unknown"),
        "python:mine:other": Implementation("library", "unknown", runtime="here"),
        "mine": Implementation("mine", "1"),
    }
    run = (Participant(name, "ran", about) for name, about in said.items())
    text = on_terminal(record([make_case("rfc3986-3.3-x")], *run))
    shown = [line.rstrip() for line in text.splitlines() if line.startswith(tuple(said))]
    assert shown[-4:] == [
        "exec:bash one.sh",
        "python:mine:answer",
        "python:mine:other: library (here)",
        "mine: mine 1",
    ]


@pytest.mark.parametrize("end", [True, False], ids=["whole", "cut"])
def test_a_run_that_was_cut_complies_with_nothing(make_case, record, on_terminal, end):
    answers = RAN, Result("rfc3986-3.3-x", "a", "pass")
    text = on_terminal(record([make_case("rfc3986-3.3-x")], *answers, end=end))
    assert ("The run was cut short" in text) is not end
    assert ("yes  1 of 1" in text) is end
    assert ("so far  1 of 1" in text) is not end


def test_a_run_of_some_vectors_says_so(corpus, record, on_terminal):
    cases = [case for case in corpus.cases if case.spec == "rfc2732"]
    for some in (cases, cases[1:]):
        results = record(some, RAN)
        header = msgspec.structs.replace(results.header, sizes=dict(corpus.sizes))
        text = on_terminal(msgspec.structs.replace(results, header=header))
        said = f"{len(some)} of the {len(cases)} vectors of RFC 2732"
        assert (said in text) is (some is not cases)
        assert "RFC 3986" not in text


@pytest.mark.parametrize("digest", ["0" * 12, ""], ids=["whole", "part"])
def test_generated_cases_that_were_not_all_asked_are_named(make_case, record, on_terminal, digest):
    results = record([make_case("rfc3986-3.3-x")], RAN)
    counts = {Outcome.PASS: 5}
    rates = {"coverage": (5, 5), "accepted": (5, 5)}
    tally = Tally("a", "rfc3986-complete-URI", "complete", "rfc3986", counts, counts, rates, "URI", digest)
    text = on_terminal(msgspec.structs.replace(results, tallies=(tally,)))
    assert re.search(r"^RFC 3986, tier complete +acc", text, re.MULTILINE)
    assert re.search(r"^URI 5 cases +100 ", text, re.MULTILINE)
    assert ("rfc3986-complete-URI" in text) is not digest


def test_titles_are_whole_in_a_pipe_and_cut_on_a_terminal(make_case, record, on_terminal):
    title = "A section of a title that is longer than any terminal has room for beside its figures"
    results = record([make_case("rfc3986-3.3-x")], RAN, title=title)
    assert f"3.3 {title}" in on_terminal(results)
    narrow = on_terminal(results, width=66, tty=True)
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
def test_labels_of_sections(make_case, record, on_terminal, label, title, shown, tty):
    results = record([make_case(f"rfc3986-{label}-x")], RAN, title=title)
    assert re.search(f"^{shown}  ", on_terminal(results, tty=tty), re.MULTILINE)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_printable(make_case, record, on_terminal, text):
    case = make_case(f"rfc3986-3.3-{text}", url=text, requirement="rfc3986-3.3-y")
    ran = Participant(text, "ran", Implementation(text, text, runtime=text))
    dead = Participant(f"{text}2", "dead", message=text)
    wrong = Result(case.vector.id, text, "fail", detail=text, stderr=text)
    results = record([case], ran, dead, wrong, title=text)
    shown = on_terminal(results, text, width=200, tty=True).replace("\n", "")
    assert shown.isprintable()
    assert "##" not in shown
    assert logged(text)[:9] in shown


@pytest.fixture
def run_of(make_case, record):
    """Return a function that makes a run with a number of failing cases in each RFC."""

    def make(counts, claimed=()):
        cases = [make_case(f"{spec}-3.3-x{n}") for spec, count in counts.items() for n in range(count)]
        found = [Result(case.vector.id, "lib", "fail") for case in cases]
        return record(cases, Participant("lib", "ran", specs=claimed), *found)

    return make


def failures(results, name="lib", limit=10) -> str:
    """Return the first failures as printed."""
    stream = io.StringIO()
    Console(file=stream, width=200).print(terminal.first_failures(results, name, limit), soft_wrap=True)
    return stream.getvalue()


def specs(text: str) -> list[str]:
    return re.findall(r"^(rfc\d+)-", text, re.MULTILINE)


def test_failures_of_claimed_rfcs_come_first(run_of):
    text = failures(run_of({"rfc1738": 12, "rfc2396": 4}, ("rfc2396",)))
    assert specs(text) == ["rfc2396"] * 4 + ["rfc1738"] * 6
    assert text.count("RFC 1738 section 3.3 (not claimed): ") == 6
    assert text.count("RFC 2396 section 3.3: ") == 4
    assert "... and 6 more (6 of RFC 1738, which it does not claim); " in text


@pytest.mark.parametrize(
    ("others", "claimed", "said"),
    [
        pytest.param(0, 13, "... and 3 more; --report html=FILE", id="all-claimed"),
        pytest.param(7, 13, "... and 10 more (7 of RFC 1738, which it does not claim); ", id="both"),
        pytest.param(7, 10, "... and 7 more (7 of RFC 1738, which it does not claim); ", id="the-others"),
        pytest.param(13, 0, "... and 3 more (3 of RFC 1738, which it does not claim); ", id="none-claimed"),
        pytest.param(5, 5, "", id="all-shown"),
    ],
)
def test_failures_that_are_not_shown_are_counted(run_of, others, claimed, said):
    text = failures(run_of({"rfc1738": others, "rfc2396": claimed}, ("rfc2396",)))
    assert (said in text) if said else ("more" not in text)


def test_an_adapter_that_claims_nothing_is_taken_to_claim_all(run_of):
    text = failures(run_of({"rfc1738": 12, "rfc2396": 4}))
    assert specs(text) == ["rfc1738"] * 10
    assert "claim" not in text


def test_a_failure_has_its_input_requirement_and_command(make_case, record):
    cases = [
        make_case(f"rfc3986-3.3-x{number}", url=Hex("ff") if number == 1 else "a b") for number in range(4)
    ]
    found = [
        Result(case.vector.id, "a", outcome, detail="why")
        for case, outcome in zip(cases, ("fail", "crash", "pass", "timeout"), strict=True)
    ]
    text = failures(record(cases, RAN, *found), "a", 2)
    for part in (
        "validate  rule <URI>  url <a b>",
        "url hex ff",
        "RFC 3986 section 3.3: It is so.",
        "expected valid",
        "crash: why",
        "urlconform repro rfc3986-3.3-x0 -a a",
        "... and 1 more",
    ):
        assert part in text
    assert "rfc3986-3.3-x2" not in text


def test_failing_generated_cases_are_counted(run_of):
    counts = {Outcome.FAIL: 7}
    tally = Tally("lib", "p", "complete", "rfc3986", counts, counts, {}, "URI")
    text = failures(msgspec.structs.replace(run_of({"rfc3986": 1}), tallies=(tally,)))
    assert "... 7 generated cases fail; --report html=FILE" in text


def test_flags_are_explained_once(make_case, record):
    cases = [make_case(f"rfc3986-3.3-{name}") for name in "ab"]
    flagged = [type(one)(one.spec, one.section, one.vector, one.file, ("security",)) for one in cases]
    text = failures(record(flagged, RAN, *(Result(one.vector.id, "a", "fail") for one in flagged)), "a")
    assert text.count("  flags security") == 2
    assert len(re.findall("^security: ", text, re.MULTILINE)) == 1


def test_nothing_is_printed_if_nothing_fails(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "a", "pass"))
    assert failures(results, "a") == ""
