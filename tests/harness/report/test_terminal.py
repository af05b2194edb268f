"""The terminal: the summary at any width, the tables of sections and components, and the first failures."""

from __future__ import annotations

import io
import re
from pathlib import Path

import msgspec
import pytest
from report_samples import PARTICIPANTS, asked_of, survey, write
from rich.cells import cell_len
from rich.console import Console

from urlharness.corpus.model import Hex
from urlharness.corpus.specifications import facts, is_asked
from urlharness.gate.gate import decide
from urlharness.protocol.messages import Implementation
from urlharness.report import terminal
from urlharness.report.failures import groups_of_new_findings
from urlharness.results.model import Example, Participant, Result, Tally, read_results
from urlharness.results.verdict import Outcome
from urlharness.text import logged

PINNED = Path(__file__).parent / "pinned"

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
def results(tmp_path):
    """Return a small run of four implementations; the reference is right everywhere."""
    return survey(tmp_path / "survey.jsonl")


def lines(text: str) -> list[str]:
    """Return the lines with single blanks between words."""
    return [re.sub(" +", " ", line.strip()) for line in text.splitlines()]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_summary_of_a_fixed_run_is_as_pinned(results, on_terminal, width):
    text = on_terminal(results, width=width, tty=True, command="urlconform run")
    assert text == (PINNED / f"summary-{width}.txt").read_text("utf-8")


@pytest.mark.parametrize("table", ["sections", "components"])
def test_the_tables_of_a_fixed_run_are_as_pinned(results, on_terminal, table):
    text = on_terminal(results, width=80, tty=True, **{table: True})
    summary = on_terminal(results, width=80, tty=True)
    assert text == summary + (PINNED / f"{table}-80.txt").read_text("utf-8")


ALL_SPECS = ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987")
CLAIMING = Participant("claiming", "ran", specs=("rfc3986", "rfc3987"))
NOT_CLAIMING = Participant("not-claiming", "ran", specs=("rfc3986",))


@pytest.fixture
def run_of_six(make_case, record):
    """Return a function that makes a run with a vector of each RFC, which the implementations are asked."""

    def run(*participants):
        cases = [make_case(f"{spec}-1-x", rule=facts(spec).default_rule) for spec in ALL_SPECS]
        answers = []
        for participant in participants:
            answers += [
                Result(case.vector.id, participant.name, Outcome.FAIL, got={"status": "reject"})
                for case in cases
                if is_asked(case.spec, participant.specs)
            ]
        return record(cases, *participants, *answers)

    return run


def heads_of_rfcs(text: str) -> list[str]:
    """Return the numbers of the RFCs at the heads of the table of statements."""
    line = next(line for line in text.splitlines() if line.lstrip().startswith(("RFC 3986", "3986")))
    return re.findall("[0-9]{4}", line)


#: The width of a terminal, the implementations, and the numbers of the RFCs that have a column.
SCREENS = [
    pytest.param(80, [CLAIMING], ["3986", "3987", "2396", "2732", "1808"], id="claimed-on-80"),
    pytest.param(120, [CLAIMING], ["3986", "3987", "2396", "2732", "1808", "1738"], id="claimed-on-120"),
    pytest.param(80, [NOT_CLAIMING], ["3986", "2396", "2732", "1808", "1738"], id="not-claimed"),
    pytest.param(
        80,
        [NOT_CLAIMING, CLAIMING],
        ["3986", "3987", "2396", "2732", "1808"],
        id="claimed-by-the-second",
    ),
]


@pytest.mark.parametrize(("width", "participants", "heads"), SCREENS)
def test_rfc_3987_has_a_column_if_an_implementation_claims_it(
    run_of_six, on_terminal, width, participants, heads
):
    text = on_terminal(run_of_six(*participants), width=width, tty=True)
    assert heads_of_rfcs(text) == heads


def test_the_screen_says_which_rfc_has_no_column(run_of_six, on_terminal):
    text = on_terminal(run_of_six(CLAIMING), width=80, tty=True)
    assert "The terminal is too narrow for RFC 1738." in lines(text)


def lines_in_ascii(results, width) -> list[str]:
    """Return the lines of the summary on a terminal of this width that has only ASCII."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, "ascii", errors="backslashreplace")
    console = Console(file=stream, width=width, force_terminal=True, color_system=None, highlight=False)
    terminal.print_report(console, results)
    stream.flush()
    return written.getvalue().decode("ascii").splitlines()


@pytest.mark.parametrize("width", [60, 80])
def test_no_line_is_wider_than_an_ascii_terminal(results, width):
    assert max(map(len, lines_in_ascii(results, width))) <= width


#: Each sign of a bar, and the one that stands for it in ASCII.
ASCII_SIGNS = str.maketrans("█▒░·", "#x-.")


def is_cut_in_ascii(line, pinned_line) -> bool:
    """Return True if both lines are cut, one of them with three dots, and equally long."""
    return "..." in line and "…" in pinned_line and len(line) == len(pinned_line)


@pytest.mark.parametrize("width", [60, 80])
def test_an_ascii_terminal_keeps_the_columns(results, width):
    """Every sign is one character, and a cut ends with three dots."""
    pinned_report = (PINNED / f"summary-{width}.txt").read_text("utf-8")
    pinned_summary, _, _ = pinned_report.partition("\nNext\n")
    pinned_lines = pinned_summary.splitlines()
    for line, pinned_line in zip(lines_in_ascii(results, width), pinned_lines, strict=True):
        assert line == pinned_line.translate(ASCII_SIGNS) or is_cut_in_ascii(line, pinned_line), pinned_line


def test_an_ascii_terminal_gets_escapes(make_case, record):
    case = make_case("rfc3986-3.2.2-x", url="http://\u4f8b\u3048/", expect={"valid": False, "at": 7})
    results = record([case], RAN, Result(case.vector.id, "a", "fail"))
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, "ascii")
    terminal.print_report(Console(file=stream, width=80, color_system=None, highlight=False), results)
    stream.flush()
    assert b"accepts http://\\u{4f8b}\\u{3048}/\n" in written.getvalue()


def test_a_pipe_gets_no_escape_sequences(results, on_terminal):
    assert "\x1b" not in on_terminal(results, sections=True, components=True)


def test_a_pipe_gets_what_a_terminal_of_80_columns_gets(results, on_terminal):
    text = on_terminal(results, sections=True, components=True)
    assert text == on_terminal(results, sections=True, components=True, width=80, tty=True)


@pytest.mark.parametrize("width", [40, 60, 66, 80, 100, 120, 200, 1000])
def test_no_line_is_wider_than_the_terminal(results, on_terminal, width):
    text = on_terminal(results, width=width, tty=True, sections=True, components=True)
    assert max(map(cell_len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [40, 60, 66, 80, 100, 120, 200, 1000])
@pytest.mark.parametrize("table", ["sections", "components"])
def test_a_table_has_each_library_once_at_any_width(results, on_terminal, width, table):
    """The reference, which is right everywhere, takes no column."""
    summary = on_terminal(results, width=width, tty=True)
    text = on_terminal(results, width=width, tty=True, **{table: True})
    assert text.startswith(summary)
    rows = lines(text[len(summary) :])
    heads = []
    for line in rows:
        if line.startswith("RFC 3986 "):
            heads += line.removeprefix("RFC 3986 ").split()
    assert len(heads) == 3
    assert len(set(heads)) == 3


@pytest.mark.parametrize("width", [1, 20, 36])
def test_a_terminal_that_is_too_narrow_for_the_table_still_shows_its_first_column(
    results, on_terminal, width
):
    text = on_terminal(results, width=width, tty=True, sections=True, components=True)
    rows = [line.split()[0] for line in text.splitlines() if re.match(r"\S+ .*\d\*?$", line)]
    assert rows.count("urllib") > 0
    assert rows.count("node-url") > 0


def test_a_console_with_colours_gets_escape_sequences(results, on_terminal):
    assert "\x1b[" in on_terminal(results, width=100, tty=True, color="truecolor", sections=True)


def test_a_console_without_colours_gets_no_escape_sequences(results, on_terminal):
    assert "\x1b[" not in on_terminal(results, width=100, tty=True, color=None, sections=True)


#: Escape sequences of ECMA-48, SGR, that begin a style.
BLACK_ON_GREEN = "\x1b[30;42m"
GREEN = "\x1b[32m"
BLACK_ON_YELLOW = "\x1b[30;43m"
WHITE_ON_RED = "\x1b[37;41m"
YELLOW = "\x1b[33m"
DIM = "\x1b[2m"

#: The outcomes of as many statements of a section, and the style of its cell.
HEAT = [
    pytest.param(["pass", "pass", "pass"], BLACK_ON_GREEN, id="all-held"),
    pytest.param(["pass", "unsupported"], GREEN, id="some-open"),
    pytest.param(["pass", "partial"], GREEN, id="some-in-part"),
    pytest.param(["pass", "fail"], BLACK_ON_YELLOW, id="half-failed"),
    pytest.param(["pass", "fail", "fail"], WHITE_ON_RED, id="most-failed"),
    pytest.param(["partial", "unsupported"], YELLOW, id="none-held-some-in-part"),
    pytest.param(["unsupported", "unsupported"], DIM, id="all-open"),
]


@pytest.mark.parametrize(("outcomes", "style"), HEAT)
def test_the_heat_of_a_section_grows_with_its_failures(make_case, record, on_terminal, outcomes, style):
    cases = [
        make_case(f"rfc3986-3.3-{number}", requirement=f"rfc3986-3.3-y{number}")
        for number in range(len(outcomes))
    ]
    answers = [Result(case.vector.id, "a", outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    results = record(cases, RAN, *answers)
    text = on_terminal(results, width=80, tty=True, color="standard", sections=True)
    (row,) = (line for line in text.splitlines() if line.startswith("3.3 Some section"))
    *_, style_of_cell, end_of_style = re.findall(r"\x1b\[[\d;]+m", row)
    assert style_of_cell == style
    assert end_of_style == "\x1b[0m"


def test_colour_is_never_the_only_sign(results, on_terminal):
    """Without the escape sequences a coloured report is the plain one."""
    coloured = on_terminal(results, width=80, tty=True, color="truecolor", sections=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    lines_shown = [line.rstrip() for line in plain.splitlines()]
    assert lines_shown == [line.rstrip() for line in on_terminal(results, sections=True).splitlines()]


#: A screen that nobody has to scroll.
SCREEN_COLUMNS = 80
SCREEN_LINES = 40

FOUR_LIBRARIES = (*PARTICIPANTS[1:4], Participant("fourth", "ran", Implementation("fourth", "1")))


@pytest.mark.parametrize(
    "ran", [PARTICIPANTS[:4], FOUR_LIBRARIES], ids=["with-the-reference", "four-libraries"]
)
def test_the_summary_of_four_implementations_and_all_rfcs_fits_one_screen(corpus, on_terminal, tmp_path, ran):
    every_sixth = asked_of(corpus)[::6]
    results = write(tmp_path / "r.jsonl", every_sixth, ran)
    text = on_terminal(results, width=SCREEN_COLUMNS, tty=True, command="urlconform run")
    assert len(text.splitlines()) <= SCREEN_LINES
    assert max(map(cell_len, text.splitlines())) <= SCREEN_COLUMNS
    heads = ["RFC 3986", "RFC 2396", "RFC 2732", "RFC 1808", "RFC 1738"]
    assert " ".join(heads) in lines(text)


@pytest.mark.parametrize("width", [60, 200])
def test_a_bar_has_a_sign_for_each_state_that_occurs(make_case, record, on_terminal, width):
    outcomes = ["pass"] * 97 + ["fail", "partial", "unsupported"]
    cases = [
        make_case(f"rfc3986-3.3-x{number}", requirement=f"rfc3986-3.3-y{number}") for number in range(100)
    ]
    results = [Result(case.vector.id, "a", outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    text = on_terminal(record(cases, RAN, *results), width=width, tty=True)
    (bar,) = re.findall(r"^a +(█+▒░·) +97$", text, re.MULTILINE)
    assert len(bar) == 30  # the widest bar, even on a wide terminal


TWELVE_LIBRARIES = tuple(f"library-{number}" for number in range(12))


FIRST_LIBRARIES = TWELVE_LIBRARIES[:8]
NAMED_LIBRARIES = ("library-9", "library-11")
EACH_CHOICE = pytest.mark.parametrize(
    ("named", "columns"),
    [
        pytest.param((), FIRST_LIBRARIES, id="none-named"),
        pytest.param(NAMED_LIBRARIES, NAMED_LIBRARIES, id="two-named"),
        pytest.param(TWELVE_LIBRARIES[3:], TWELVE_LIBRARIES[3:11], id="nine-named"),
    ],
)


@pytest.fixture
def twelve_on_terminal(tmp_path, on_terminal):
    """Return a function that prints a run of twelve libraries, of which the user names these.

    It returns the summary and the tables.
    """

    def show(named):
        results = survey(tmp_path / "r.jsonl", TWELVE_LIBRARIES)
        text = on_terminal(results, width=80, tty=True, implementations=named, sections=True)
        summary, _, tables = text.partition("The row of a section")
        return summary, tables

    return show


@EACH_CHOICE
def test_the_summary_has_the_first_eight_of_all_implementations_or_of_those_named(
    twelve_on_terminal, named, columns
):
    summary, _ = twelve_on_terminal(named)
    rows = [line.split()[0] for line in lines(summary) if re.match(r"library-\d+ [█▒]", line)]
    assert rows == [*columns]


@EACH_CHOICE
def test_implementations_that_are_not_shown_are_listed(twelve_on_terminal, named, columns):
    summary, _ = twelve_on_terminal(named)
    not_shown = [name for name in TWELVE_LIBRARIES if name not in columns]
    sentence = f"{len(not_shown)} more, not shown (-a NAME shows one): {', '.join(not_shown)}"
    assert sentence in " ".join(lines(summary))


@EACH_CHOICE
def test_the_tables_have_the_implementations_of_the_summary(twelve_on_terminal, named, columns):
    _, tables = twelve_on_terminal(named)
    assert set(re.findall(r"library-\d+\b", tables)) == {*columns}


#: The name and version that the hello of an adapter gives, and the line of the library.
LIBRARY_LINES = [
    ("exec:bash one.sh", Implementation("exec:bash one.sh", "unknown"), "exec:bash one.sh"),
    ("python:mine:answer", Implementation("mine:answer", "unknown"), "mine:answer"),
    ("python:mine:other", Implementation("good-library", "2.1", runtime="here"), "good-library  2.1 (here)"),
    ("mine", Implementation("mine", "1"), "mine  1"),
    ("jsonl:./a", Implementation("twin", "1"), "jsonl:./a  twin 1"),
    ("jsonl:./b", Implementation("twin", "2"), "jsonl:./b  twin 2"),
]


def test_a_library_is_called_by_its_name_and_not_by_its_file(make_case, record, on_terminal):
    """Two libraries of one name are called by their adapters."""
    participants = [Participant(name, "ran", about) for name, about, _ in LIBRARY_LINES]
    text = on_terminal(record([make_case("rfc3986-3.3-x")], *participants), sections=True)
    shown_lines = [line.strip() for line in text.splitlines() if line.endswith("no complete answer")]
    assert shown_lines == [f"{line}  no complete answer" for _, _, line in LIBRARY_LINES]
    assert "python:mine:other" not in text


def test_a_reference_that_fails_has_its_column(make_case, record, on_terminal):
    names = ("reference", "b")
    ran = [Participant(name, "ran") for name in names]
    results = [Result("rfc3986-3.3-x", name, "fail") for name in names]
    text = on_terminal(record([make_case("rfc3986-3.3-x")], *ran, *results))
    assert "\nreference  ▒" in text
    assert "reference: 0 wrong" not in text


def test_a_reference_alone_is_shown(make_case, record, on_terminal):
    right = Result("rfc3986-3.3-x", "reference", "pass")
    results = record([make_case("rfc3986-3.3-x")], Participant("reference", "ran"), right)
    text = on_terminal(results, command="urlconform report r.jsonl")
    assert "\nreference  █" in text
    assert "no wrong answer" in text


def test_a_run_without_a_wrong_answer_proposes_the_table_of_components(make_case, record, on_terminal):
    right = Result("rfc3986-3.3-x", "reference", "pass")
    results = record([make_case("rfc3986-3.3-x")], Participant("reference", "ran"), right)
    text = on_terminal(results, command="urlconform report r.jsonl")
    assert "urlconform report r.jsonl --components" in text
    assert "repro" not in text


def test_the_next_commands_begin_with_the_most_serious_failure(results, on_terminal):
    _, _, next_lines = on_terminal(results, command="urlconform run --no-config").partition("Next\n")
    commands = [line[line.index("urlconform") :] for line in next_lines.splitlines()]  # after words on it
    assert commands == [
        "urlconform repro rfc3986-3.2.2-invalid-1 -a urllib",
        "urlconform run --no-config --sections",
        "urlconform run --no-config --report html=report.html",
    ]


def test_a_report_without_a_command_proposes_no_next_one(results, on_terminal):
    assert "Next" not in on_terminal(results)


def test_the_columns_of_sections_have_words_on_a_wide_terminal(results, on_terminal):
    text = on_terminal(results, width=120, tty=True, sections=True)
    assert re.search(r"^ +statements( +held fail part open){3}$", text, re.MULTILINE)


def test_the_columns_of_sections_have_signs_on_a_narrow_terminal(results, on_terminal):
    text = on_terminal(results, width=80, tty=True, sections=True)
    assert re.search(r"^ +statements( +█ ▒ ░ ·){3}$", text, re.MULTILINE)


def test_a_long_name_is_not_cut_while_columns_are_free(make_case, record, on_terminal):
    name = "python:a.rather.long:module"
    text = on_terminal(record([make_case("rfc3986-3.3-x")], Participant(name, "ran")), width=80, tty=True)
    assert text.count(f"\n{name} ") == 3  # statements, vectors, sections


def test_titles_are_as_wide_as_the_examples_of_their_own_implementation_allow(make_case, record, on_terminal):
    """A long example of another implementation does not cut them."""
    title = "Collected ABNF for URI"
    long = make_case("rfc3986-A-x", url="http://" + "h" * 36)
    short = make_case("rfc3986-A-y", url="a:")
    ran = [Participant("a", "ran"), Participant("b", "ran")]
    results = [Result(short.vector.id, "a", "fail"), Result(long.vector.id, "b", "fail")]
    text = on_terminal(record([long, short], *ran, *results, title=title), width=80, tty=True)
    assert re.search(f"^  RFC 3986 A +{title} ", text, re.MULTILINE)
    assert re.search("^  RFC 3986 A +Collected…|^  RFC 3986 A +Collected …", text, re.MULTILINE)


def test_how_far_an_implementation_is_is_a_share_of_statements(make_case, record, on_terminal):
    """One of two statements holds, and nine of ten vectors are right."""
    failed_case = make_case("rfc3986-3.3-0", requirement="rfc3986-3.3-failed")
    right_cases = [
        make_case(f"rfc3986-3.3-{number}", requirement="rfc3986-3.3-held") for number in range(1, 10)
    ]
    cases = [failed_case, *right_cases]
    results = [
        Result(failed_case.vector.id, "a", "fail"),
        *(Result(case.vector.id, "a", "pass") for case in right_cases),
    ]
    text = on_terminal(record(cases, RAN, *results), width=80, tty=True, sections=True)
    assert "no; 50 % of RFC 3986" in text
    assert re.search(r"^  complies +no, 50 %$", text, re.MULTILINE)


NOT_ASKED = [
    pytest.param(1, "\n1 more library is here: library-0\n", id="one"),
    pytest.param(3, "\n3 more libraries are here: library-0, library-1, library-2\n", id="all"),
    pytest.param(
        30,
        """
30 more libraries are here: library-0, library-1, library-2, library-3,
library-4, library-5, library-6, and 23 more (urlconform adapters list)
""",
        id="two-lines",
    ),
]


@pytest.mark.parametrize(("count", "sentence"), NOT_ASKED)
def test_other_libraries_at_hand_are_named_in_two_lines(results, on_terminal, count, sentence):
    names = [f"library-{number}" for number in range(count)]
    text = on_terminal(results, command="urlconform run", not_asked=names)
    assert text.endswith(sentence)


def test_other_libraries_at_hand_are_proposed_for_a_comparison(results, on_terminal):
    text = on_terminal(results, command="urlconform run", not_asked=["library"])
    assert text.count("\n  comparison    urlconform compare\n") == 1


def test_without_other_libraries_no_comparison_is_proposed(results, on_terminal):
    assert "compare" not in on_terminal(results, command="urlconform run")


def test_the_next_failure_is_an_example_that_is_shown(make_case, record, on_terminal):
    """The most serious failure may be in a section that is not among the worst."""
    ids = [f"rfc3986-3.3-{number}" for number in range(4)]
    of_worst_section = [
        make_case(name, requirement=name, url=f"a:{number}") for number, name in enumerate(ids)
    ]
    more_serious = make_case("rfc3986-2.1-x", flags=("security",))
    cases = [more_serious, *of_worst_section]
    results = record(cases, RAN, *(Result(case.vector.id, "a", "fail") for case in cases))
    text = on_terminal(results, command="urlconform run")
    assert "repro rfc3986-3.3-0 -a a" in text


def test_an_adapter_that_did_not_run_is_shown_with_the_reason(make_case, record, on_terminal):
    gone = Participant("ada", "not installed", message="no module")
    dead = Participant("x", "dead", message="no hello")
    text = on_terminal(record([make_case("rfc3986-3.3-x")], RAN, gone, dead))
    assert "ada: not installed: no module" in text
    assert "x: could not start: no hello" in text


def test_the_restarts_of_an_adapter_are_counted(make_case, record, on_terminal):
    results = record([make_case("rfc3986-3.3-x")], RAN)
    text = on_terminal(msgspec.structs.replace(results, restarts={"a": 2}))
    assert text.count("a: started again 2 times") == 1


def test_without_an_implementation_there_is_no_table(make_case, record, on_terminal):
    dead = Participant("x", "dead", message="no hello")
    assert on_terminal(record([make_case("rfc3986-3.3-x")], dead)) == (
        "urlconform 1: 1 vector of 1 statement, RFC 3986, 1 implementation\n\nx: could not start: no hello\n"
    )


def complying_rfcs(text: str) -> list[str]:
    """Return the RFCs in the list of those that an implementation complies with."""
    _, _, after = text.partition("complies\n")
    return re.findall(r"RFC \d+", after.partition("The row")[0])


@pytest.mark.parametrize(
    ("end", "rfcs", "row"),
    [
        (True, ["RFC 3986"], "complies                           yes"),
        (False, [], "complies                        so far"),
    ],
    ids=["complete", "cut"],
)
def test_a_run_complies_only_if_it_was_not_cut(make_case, record, on_terminal, end, rfcs, row):
    right = Result("rfc3986-3.3-x", "a", "pass")
    text = on_terminal(record([make_case("rfc3986-3.3-x")], RAN, right, end=end), sections=True)
    assert complying_rfcs(text) == rfcs
    assert row in text


def test_a_run_that_was_cut_says_so(make_case, record, on_terminal):
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "a", "pass"), end=False)
    assert "The run was cut short" in on_terminal(results)


def test_a_complete_run_does_not_say_that_it_was_cut(make_case, record, on_terminal):
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "a", "pass"))
    assert "The run was cut short" not in on_terminal(results)


def test_a_mean_that_no_implementation_with_a_column_has_is_left_out(make_case, record, on_terminal):
    """Only the reference, which takes no column, answers both."""
    valid = make_case("rfc3986-3.3-x")
    invalid = make_case("rfc3986-5.2-y", expect={"valid": False})
    answers = [
        Result(valid.vector.id, "reference", "pass"),
        Result(invalid.vector.id, "reference", "pass"),
        Result(valid.vector.id, "a", "fail"),
        Result(invalid.vector.id, "a", "unsupported"),
    ]
    results = record([valid, invalid], Participant("reference", "ran"), RAN, *answers)
    text = on_terminal(results, sections=True)
    assert "  accepted  " in text
    assert "  rejected  " not in text


@pytest.fixture
def summary_of_cut_file(tmp_path, on_terminal):
    """The summary of a file whose last line is cut: an implementation has answers to some vectors only."""
    path = tmp_path / "r.jsonl"
    survey(path)
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b'"rfc3986-5.2.4-dots-0"')])
    return on_terminal(read_results(path), width=80, tty=True)


def test_the_summary_of_a_cut_file_says_so(summary_of_cut_file):
    assert "The run was cut short" in summary_of_cut_file


def test_the_summary_of_a_cut_file_counts_the_vectors_with_an_outcome(summary_of_cut_file):
    """The answers to the eleven vectors of section 3.2.2 are before the cut."""
    sentence = "java-net-uri: 11 of 18 vectors have an outcome."
    assert sentence in " ".join(lines(summary_of_cut_file))


def test_the_summary_of_a_cut_file_has_the_bars_of_what_was_answered(summary_of_cut_file):
    assert re.search(r"^java-net-uri .* 2\*? +▒*·+ 0 ", summary_of_cut_file, re.MULTILINE)


@pytest.fixture
def passing_run(corpus, record):
    """Return a function that makes a run in which these cases of the installed corpus pass."""

    def make(cases):
        results = record(cases, RAN, *(Result(case.vector.id, "a", "pass") for case in cases))
        header = msgspec.structs.replace(results.header, sizes=dict(corpus.sizes))
        return msgspec.structs.replace(results, header=header)

    return make


def test_a_run_without_one_vector_of_an_rfc_says_how_many_were_selected(corpus, passing_run, on_terminal):
    cases = [case for case in corpus.cases if case.spec == "rfc2732"]
    text = on_terminal(passing_run(cases[1:]))
    assert f"{len(cases) - 1:,} of the {len(cases):,} vectors of RFC 2732" in text
    assert "complies" not in text
    assert "RFC 3986" not in text


def test_a_run_of_all_vectors_of_an_rfc_says_that_it_complies(corpus, passing_run, on_terminal):
    text = on_terminal(passing_run([case for case in corpus.cases if case.spec == "rfc2732"]))
    assert "vectors of RFC 2732" not in text
    assert "complies" in text
    assert "RFC 3986" not in text


@pytest.fixture
def print_tier(make_case, record, on_terminal):
    """Return a function that prints a run of one vector and of a rule of a tier.

    The rule has a digest if all its cases were asked.
    """

    def show(digest: str) -> str:
        results = record([make_case("rfc3986-3.3-x")], RAN)
        counts = {Outcome.PASS: 5, Outcome.FAIL: 2}
        rates = {"coverage": (7, 7), "accepted": (5, 7)}
        tally = Tally(
            "a", "rfc3986-complete-URI", "complete", "rfc3986", counts, counts, rates, "URI", digest
        )
        case = make_case("rfc3986-3.3-z", url="a b", expect={"valid": False, "at": 1})
        vector = results.vectors["rfc3986-3.3-x"]
        asked_vector = msgspec.structs.replace(vector, case=case, title=tally.part)
        examples = (Example(asked_vector, Result("rfc3986-3.3-z", "a", Outcome.FAIL)),)
        generated = msgspec.structs.replace(results, tallies=(tally,), examples=examples)
        return on_terminal(generated, sections=True)

    return show


ALL_ASKED = "0" * 12

TIER_COUNTS = [
    pytest.param("URI 5 2 · ·", id="counts-of-the-rule"),
    pytest.param("all rules 5 2 · ·", id="counts-of-all-rules"),
    pytest.param("a 5 2 0 0 no RFC", id="summary"),
]


@pytest.mark.parametrize("digest", [ALL_ASKED, ""], ids=["all-asked", "some-asked"])
@pytest.mark.parametrize("line", TIER_COUNTS)
def test_generated_cases_are_counted_whether_or_not_all_were_asked(print_tier, digest, line):
    assert line in lines(print_tier(digest))


@pytest.mark.parametrize("digest", [ALL_ASKED, ""], ids=["all-asked", "some-asked"])
def test_the_table_of_generated_cases_names_rfc_and_tier(print_tier, digest):
    assert "RFC 3986 tier complete a" in lines(print_tier(digest))


def test_a_wrong_answer_to_a_generated_case_is_an_example(print_tier):
    line = "RFC 3986 URI tier complete 2/7 cases accepts 'a b' as URI"
    assert line in lines(print_tier(ALL_ASKED))


def test_a_rule_of_which_not_all_cases_were_asked_is_named(print_tier):
    sentence = "Not all generated cases of rfc3986-complete-URI were asked."
    assert sentence in lines(print_tier(""))


def test_a_rule_of_which_all_cases_were_asked_has_no_note(print_tier):
    assert "Not all generated cases" not in print_tier(ALL_ASKED)


@pytest.mark.parametrize("tty", [True, False], ids=["terminal", "pipe"])
@pytest.mark.parametrize(
    ("label", "title", "printed"),
    [
        ("3.3", "Path and more", "3.3 Path and more"),
        ("A", "Collected ABNF", "A Collected ABNF"),
        ("front", "Front page", "Front page"),
    ],
)
def test_a_section_is_labelled_by_number_or_heading(
    make_case, record, on_terminal, label, title, printed, tty
):
    results = record([make_case(f"rfc3986-{label}-x")], RAN, title=title)
    assert re.search(f"^{printed}  ", on_terminal(results, tty=tty, sections=True), re.MULTILINE)


@pytest.fixture
def rows_of_rfc_3986(results, on_terminal):
    """The rows of the sections of RFC 3986, with three statements on hosts, one on dots, and a reference."""
    _, _, tables = on_terminal(results, sections=True).partition("statements  ")
    table, _, _ = tables.partition("RFC 2396")
    return lines(table)


def test_references_have_no_row_of_their_own(rows_of_rfc_3986):
    assert [row for row in rows_of_rfc_3986 if row.startswith("3.2.2 Host 3 ")] != []
    assert [row for row in rows_of_rfc_3986 if "References" in row] == []


@pytest.mark.parametrize("beginning", ["other sections 1 ", "all sections 5 "], ids=["other", "all"])
def test_references_count_for_the_other_sections_and_for_the_rfc(rows_of_rfc_3986, beginning):
    assert [row for row in rows_of_rfc_3986 if row.startswith(beginning)] != []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_printable(make_case, record, on_terminal, text):
    case = make_case(f"rfc3986-3.3-{text}", url=text, requirement="rfc3986-3.3-y")
    ran = Participant(text, "ran", Implementation(text, text, runtime=text))
    dead = Participant(f"{text}2", "dead", message=text)
    wrong = Result(case.vector.id, text, "fail", detail=text, stderr=text)
    results = record([case], ran, dead, wrong, title=text)
    output = on_terminal(results, text, width=200, tty=True, sections=True, command="urlconform run")
    assert output.replace("\n", "").isprintable()
    assert "##" not in output
    beginning = logged(text)[:9]  # more would not fit into each column
    assert beginning in output


@pytest.fixture
def run_of(make_case, record):
    """Return a function that makes a run with a number of failing cases in each RFC."""

    def make(counts, claimed=()):
        cases = []
        for spec, count in counts.items():
            cases += [make_case(f"{spec}-3.3-x{number}") for number in range(count)]
        results = [Result(case.vector.id, "lib", "fail") for case in cases]
        return record(cases, Participant("lib", "ran", specs=claimed), *results)

    return make


def failures(results, name="lib", limit=10) -> str:
    """Return the first failures as printed."""
    stream = io.StringIO()
    terminal.print_first_failures(Console(file=stream, width=200), results, name, limit)
    return stream.getvalue()


def specs(text: str) -> list[str]:
    """Return the RFC of each failure that is printed."""
    return re.findall(r"^(rfc\d+)-", text, re.MULTILINE)


BROKEN_FAILURE = """\
rfc3986-3.2.2-invalid-1  failure
  input      validate: rule <URI>, url <http://a
             b/>
  expected   invalid at 8
  got        accepted, although it is not valid
  statement  It is so. (rfc3986-3.2.2-invalid)
  section    RFC 3986, section 3.2.2, paragraph 1
  repeat     urlconform repro rfc3986-3.2.2-invalid-1 -a urllib
"""

UNBROKEN_FAILURE = """\
rfc3986-3.2.2-invalid-1  failure
  input      validate: rule <URI>, url <http://a b/>
  expected   invalid at 8
  got        accepted, although it is not valid
  statement  It is so. (rfc3986-3.2.2-invalid)
  section    RFC 3986, section 3.2.2, paragraph 1
  repeat     urlconform repro rfc3986-3.2.2-invalid-1 -a urllib
"""


def test_a_terminal_breaks_the_lines_of_a_failure_but_not_its_command(results, on_terminal):
    """Each further line is indented as deep as the text above it."""
    assert BROKEN_FAILURE in on_terminal(results, "urllib", width=50, tty=True)


def test_a_pipe_gets_the_lines_of_a_failure_unbroken(results, on_terminal):
    assert UNBROKEN_FAILURE in on_terminal(results, "urllib", width=50)


@pytest.fixture
def failures_of_two_rfcs(run_of):
    """The ten failures that are printed of a library: four of the RFC that it claims, and six of another."""
    return failures(run_of({"rfc1738": 12, "rfc2396": 4}, claimed=("rfc2396",)))


def test_failures_of_claimed_rfcs_come_first(failures_of_two_rfcs):
    assert specs(failures_of_two_rfcs) == ["rfc2396"] * 4 + ["rfc1738"] * 6


def test_failures_of_an_rfc_that_is_not_claimed_are_marked(failures_of_two_rfcs):
    assert failures_of_two_rfcs.count("failure (not claimed)") == 6


def test_each_failure_has_its_section(failures_of_two_rfcs):
    assert failures_of_two_rfcs.count("RFC 2396, section 3.3") == 4


def test_the_failures_of_an_rfc_that_is_not_claimed_are_counted_after_the_list(failures_of_two_rfcs):
    assert "... and 6 more (6 of RFC 1738, which it does not claim); " in failures_of_two_rfcs


@pytest.mark.parametrize(
    ("not_claimed", "claimed", "note"),
    [
        pytest.param(0, 13, "... and 3 more; --report html=FILE", id="all-claimed"),
        pytest.param(7, 13, "... and 10 more (7 of RFC 1738, which it does not claim); ", id="both"),
        pytest.param(7, 10, "... and 7 more (7 of RFC 1738, which it does not claim); ", id="the-others"),
        pytest.param(13, 0, "... and 3 more (3 of RFC 1738, which it does not claim); ", id="none-claimed"),
    ],
)
def test_failures_that_are_not_shown_are_counted(run_of, not_claimed, claimed, note):
    results = run_of({"rfc1738": not_claimed, "rfc2396": claimed}, claimed=("rfc2396",))
    assert note in failures(results)


def test_if_all_failures_are_shown_no_others_are_counted(run_of):
    text = failures(run_of({"rfc1738": 5, "rfc2396": 5}, claimed=("rfc2396",)))
    assert specs(text) == ["rfc2396"] * 5 + ["rfc1738"] * 5
    assert "more" not in text


def test_witnesses_never_lead_a_list_of_failures(make_case, record):
    witnesses = [make_case(f"rfc3986-3.3-x{number}", origin="mutant") for number in range(4)]
    cases = [*witnesses, make_case("rfc3986-3.3-x4")]
    results = record(cases, RAN, *(Result(case.vector.id, "a", "fail") for case in cases))
    text = failures(results, "a", limit=2)
    assert re.findall(r"^rfc3986-3.3-x\d", text, re.MULTILINE) == ["rfc3986-3.3-x4", "rfc3986-3.3-x0"]


def test_an_adapter_that_claims_nothing_is_taken_to_claim_all(run_of):
    """The ten failures that are shown begin with those of the newest RFC."""
    text = failures(run_of({"rfc1738": 12, "rfc2396": 4}))
    assert specs(text) == ["rfc2396"] * 4 + ["rfc1738"] * 6
    assert "claim" not in text


#: Two of three failures; abnormal ends, which are more serious, come first.
FIRST_TWO_FAILURES = r"""rfc3986-3.3-x1  failure
  input      validate: rule <URI>, url bytes '\xff'
  expected   valid
  got        crash: why
  statement  It is so. (rfc3986-3.3-y)
  section    RFC 3986, section 3.3, paragraph 1
  repeat     urlconform repro rfc3986-3.3-x1 -a a

rfc3986-3.3-x3  failure
  input      validate: rule <URI>, url <a b>
  expected   valid
  got        timeout: why
  statement  It is so. (rfc3986-3.3-y)
  section    RFC 3986, section 3.3, paragraph 1
  repeat     urlconform repro rfc3986-3.3-x3 -a a

... and 1 more; --report html=FILE shows them all

"""


def test_a_failure_has_its_input_requirement_and_command(make_case, record):
    """The two that are shown are those that end the process, of a text of bytes and of an ordinary one."""
    outcomes = {
        make_case("rfc3986-3.3-x0", url="a b"): "fail",
        make_case("rfc3986-3.3-x1", url=Hex("ff")): "crash",
        make_case("rfc3986-3.3-x2", url="a b"): "pass",
        make_case("rfc3986-3.3-x3", url="a b"): "timeout",
    }
    answers = [Result(case.vector.id, "a", outcome, detail="why") for case, outcome in outcomes.items()]
    assert failures(record([*outcomes], RAN, *answers), name="a", limit=2) == FIRST_TWO_FAILURES


def test_failing_generated_cases_are_counted(run_of):
    counts = {Outcome.FAIL: 7}
    tally = Tally("lib", "p", "complete", "rfc3986", counts, counts, {}, "URI")
    text = failures(msgspec.structs.replace(run_of({"rfc3986": 1}), tallies=(tally,)))
    assert "... 7 generated cases fail; --report html=FILE" in text


def test_listed_generated_cases_are_none_of_the_failures_that_are_not_shown(run_of, make_case):
    """The three generated cases lead the list, because they accept invalid texts."""
    results = run_of({"rfc3986": 12})
    examples = []
    for number in range(3):
        case = make_case(f"rfc3986-3.3-z{number}", url="a b", expect={"valid": False, "at": 1})
        asked_vector = msgspec.structs.replace(results.vectors["rfc3986-3.3-x0"], case=case)
        examples.append(Example(asked_vector, Result(case.vector.id, "lib", Outcome.FAIL)))
    text = failures(msgspec.structs.replace(results, examples=tuple(examples)))
    assert "... and 5 more; --report html=FILE" in text  # of 12, seven are below the three


def test_the_flags_of_a_failure_are_explained(make_case, record):
    case = msgspec.structs.replace(make_case("rfc3986-3.3-a"), flags=("security",))
    text = failures(record([case], RAN, Result("rfc3986-3.3-a", "a", "fail")), "a")
    assert re.search("^  flags      security$", text, re.MULTILINE)
    assert re.search("^security: .", text, re.MULTILINE)


def test_nothing_is_printed_if_nothing_fails(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "a", "pass"))
    assert failures(results, "a") == ""


def slowest_line(make_case, record, on_terminal, name, *seconds):
    """Return the line about the slowest answer of a run with these times, or an empty string."""
    cases = [make_case(f"rfc3986-3.3-x{number}") for number in range(len(seconds))]
    answers = [
        Result(case.vector.id, name, "pass", seconds=time) for case, time in zip(cases, seconds, strict=True)
    ]
    text = on_terminal(record(cases, Participant(name, "ran"), *answers))
    return "".join(line for line in text.splitlines() if line.startswith("Slowest: "))


SLOWEST = [
    pytest.param([0.304, 0.1], "Slowest: 0.30 s for rfc3986-3.3-x0 (lib)", id="one"),
    pytest.param(
        [0.3, 1.5, 0.25],
        "Slowest: 1.50 s for rfc3986-3.3-x1 (lib); 3 cases took 0.25 s or more",
        id="several",
    ),
    pytest.param([0.2, 0.0], "", id="none"),
]


@pytest.mark.parametrize(("seconds", "line"), SLOWEST)
def test_the_slowest_answer_is_named_if_it_is_slow(make_case, record, on_terminal, seconds, line):
    assert slowest_line(make_case, record, on_terminal, "lib", *seconds) == line


def test_the_reference_is_never_the_slowest(make_case, record, on_terminal):
    assert slowest_line(make_case, record, on_terminal, "reference", 2.0) == ""


def test_a_group_is_printed_with_its_heading_and_the_number_of_others(make_case, record):
    cases = [make_case(f"rfc3986-3.3-x{number}") for number in range(3)]
    answers = [Result(case.vector.id, "a", "fail", got={"status": "reject"}) for case in cases]
    results = record(cases, RAN, *answers)
    (judgement,) = decide(results, ["a"]).judgements
    stream = io.StringIO()
    for group in groups_of_new_findings(results, judgement):
        terminal.print_group(Console(file=stream, width=100), group)
    heading, example, *lines_of_example = stream.getvalue().splitlines()
    assert heading == "valid URI rejected in 3 answers"
    assert example == "rfc3986-3.3-x0  failure"
    assert "  and        2 more of the same" in lines_of_example
