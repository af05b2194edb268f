"""GitHub annotations: the most important first, escaped, at their lines of a baseline."""

from __future__ import annotations

import re

import pytest

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, write_baseline
from urlharness.gate.findings import Finding
from urlharness.gate.gate import Group, Judgement, decide
from urlharness.report.github import SHOWN, Annotation, render
from urlharness.results.model import Participant, Result

LIB = Participant("lib", "ran", specs=("rfc3986",))


def titles(text: str, level: str) -> list[str]:
    """Return the titles of the annotations of a level, in which colons are escaped."""
    return re.findall(rf"^::{level} .*?title=([^:]*)::", text, re.MULTILINE)


@pytest.fixture
def failing_run(make_case, record):
    """Return a function that makes a run with a failing case in each of so many sections of an RFC."""

    def make(count, *, spec="rfc3986", participants=(LIB,), outcome="fail", **fields):
        cases = [make_case(f"{spec}-3.{number}-x", **fields) for number in range(count)]
        results = [Result(case.vector.id, "lib", outcome, detail="100% wrong\nindeed") for case in cases]
        return record(cases, *participants, *results)

    return make


def test_a_failure_is_an_error(failing_run):
    error, _notice = render(failing_run(1)).splitlines()
    assert error == (
        "::error title=lib%3A RFC 3986 section 3.0%3A 1 case fails::input: validate: rule <URI>, url <a:b>"
        "%0Aexpected: valid%0Agot: 100%25 wrong\\u{a}indeed%0Astatement: It is so. (rfc3986-3.0-y)"
        "%0Asection: RFC 3986, section 3.0, paragraph 1%0Arepeat: urlconform repro rfc3986-3.0-x -a lib"
    )


def test_a_notice_counts_wrong_answers(failing_run):
    _error, notice = render(failing_run(1)).splitlines()
    assert notice == (
        "::notice title=URL conformance::lib: 1 wrong of 1 answered (1 vector, corpus 0123456789ab)"
    )


def test_an_rfc_that_is_not_claimed_is_a_warning(failing_run):
    text = render(failing_run(1, spec="rfc2396"))
    assert titles(text, "error") == []
    assert titles(text, "warning") == ["lib%3A RFC 2396 section 3.0%3A 1 case fails"]


def test_more_errors_than_are_shown_are_counted(failing_run):
    text = render(failing_run(SHOWN + 5))
    assert len(titles(text, "error")) == SHOWN
    assert f"%0A{SHOWN} of {SHOWN + 5} annotations are shown" in text.splitlines()[-1]


def test_adapters_that_did_not_run_are_annotated_by_their_state(make_case, record):
    gone = Participant("gone", "not installed", message="no runtime")
    dead = Participant("dead", "dead", message="no hello")
    text = render(record([make_case("rfc3986-3-x")], gone, dead))
    assert titles(text, "error") == ["dead%3A could not start"]
    assert titles(text, "warning") == ["gone%3A not installed"]


def test_the_first_error_of_a_run_that_was_cut_says_so(make_case, record):
    dead = Participant("dead", "dead", message="no hello")
    text = render(record([make_case("rfc3986-3-x")], dead, end=False))
    assert titles(text, "error") == ["incomplete run", "dead%3A could not start"]


def test_a_gate_that_is_passed_has_no_errors(failing_run):
    """The policy may tolerate failures: the exit code decides."""
    text = render(failing_run(3), [Judgement("lib", Exit.PASSED)])
    assert titles(text, "error") == []
    assert titles(text, "warning") == [
        f"lib%3A RFC 3986 section 3.{number}%3A 1 case fails" for number in range(3)
    ]


DEAD = Participant("mine", "dead", message="no hello")
DEAD_TOO = Participant("yours", "dead", message="no hello")
GONE = Participant("gone", "not installed", message="no runtime")


def not_passed(*names: str) -> list[Judgement]:
    """Return the judgements of adapters with these names that did not start."""
    return [Judgement(name, Exit.ADAPTER_DEAD, "dead: no hello") for name in names]


@pytest.mark.parametrize(
    ("participants", "judgements", "lines"),
    [
        pytest.param(
            [DEAD], not_passed("mine"), ["::error title=mine%3A gate not passed::dead: no hello"], id="gated"
        ),
        pytest.param([DEAD], [], ["::error title=mine%3A could not start::no hello"], id="report"),
        pytest.param([GONE], [], ["::warning title=gone%3A not installed::no runtime"], id="not-installed"),
        pytest.param(
            [DEAD, DEAD_TOO],
            not_passed("mine", "yours"),
            [
                "::error title=mine%3A gate not passed::dead: no hello",
                "::error title=yours%3A gate not passed::dead: no hello",
            ],
            id="two",
        ),
    ],
)
def test_adapters_that_did_not_start_have_one_annotation(make_case, record, participants, judgements, lines):
    text = render(record([make_case("rfc3986-3-x")], *participants), judgements)
    assert text.splitlines() == lines


def test_more_dead_adapters_than_are_shown_are_counted(make_case, record):
    names = [f"dead-{number}" for number in range(SHOWN + 1)]
    dead = [Participant(name, "dead", message="no hello") for name in names]
    text = render(record([make_case("rfc3986-3-x")], *dead), not_passed(*names))
    assert len(titles(text, "error")) == SHOWN
    assert f"%0A{SHOWN} of {SHOWN + 1} annotations are shown" in text.splitlines()[-1]


@pytest.fixture
def given_up(make_case, record):
    """A run of an adapter that crashed at the second case, and was not asked the other ones."""
    cases = [make_case(f"rfc3986-3.{number // 3}-{number}") for number in range(7)]
    outcomes = ["fail", "crash", *["aborted"] * 5]
    answers = [
        Result(case.vector.id, "lib", outcome, detail=f"{outcome}, alas")
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    return record(cases, LIB, *answers)


@pytest.fixture
def annotations_of_the_gate(given_up):
    """The annotations of this run, whose adapter the gate found dead."""
    judged = Judgement("lib", Exit.ADAPTER_DEAD, "gate failed: 5 aborted, 1 crash, 1 fail: alas")
    return render(given_up, [judged])


def test_the_errors_of_an_adapter_that_was_given_up_are_the_gate_and_its_failures(annotations_of_the_gate):
    assert titles(annotations_of_the_gate, "error") == [
        "lib%3A gate not passed",
        "lib%3A RFC 3986 section 3.0%3A 2 cases fail",
    ]


def test_aborted_cases_are_not_annotated(annotations_of_the_gate, given_up):
    answers = given_up.of("lib")
    aborted = {name for name, answer in answers.items() if answer.outcome == "aborted"}
    annotated = set(re.findall(r"rfc3986-3\.\d-\d", annotations_of_the_gate))
    assert annotated != set()
    assert annotated.isdisjoint(aborted)


def test_the_annotation_of_a_section_says_how_a_case_crashed(annotations_of_the_gate):
    assert "%0Agot: crash: crash, alas%0A" in annotations_of_the_gate


def test_an_adapter_that_was_given_up_is_an_error_without_a_gate(given_up):
    errors = titles(render(given_up), "error")
    assert errors == ["lib%3A given up", "lib%3A RFC 3986 section 3.0%3A 2 cases fail"]
    assert "::error title=lib%3A given up::aborted, alas\n" in render(given_up)


def test_aborted_cases_are_no_findings(given_up, tmp_path):
    """Against a baseline each aborted case is a regression; one annotation is enough. Crashes come first."""
    answers = given_up.of("lib")
    findings = tuple(Finding("regression", name, None, answers[name]) for name in answers)
    judged = Judgement("lib", Exit.ADAPTER_DEAD, "gate failed by the baseline: alas", findings=findings)
    text = render(given_up, [judged], {"lib": tmp_path / "x.json"})
    assert titles(text, "error") == [
        "lib%3A gate not passed",
        "lib%3A crash on 1 question (1 regression)",
        "lib%3A validate wrong in 1 answer (1 regression)",
    ]


def test_a_gate_that_failed_says_why_first(failing_run):
    judgement = Judgement("lib", Exit.FAILED, "gate failed: 1 partial", (Group("partial", ("a-b",), 1),))
    first = render(failing_run(3, outcome="partial"), [judgement]).splitlines()[0]
    assert first == "::error title=lib%3A gate not passed::gate failed: 1 partial%0Apartial: a-b"


NEW = "rfc3986-3.0-x"
STALE = "rfc3986-3.1-x"
LISTED = "rfc3986-3.2-x"
UNKNOWN = "rfc3986-3.3-x"


@pytest.fixture
def baseline_file(tmp_path):
    """A baseline that lists three failures."""
    entries = tuple(Entry(name, "fail", {}, "0" * 12, issue="bug 12") for name in (STALE, LISTED, UNKNOWN))
    file = tmp_path / "base,line.json"
    write_baseline(Baseline("urlbaseline-1", "0" * 12, "lib", ("rfc3986",), entries), file)
    return file


@pytest.fixture
def annotated_findings(failing_run, baseline_file):
    """The annotations of a new failure, an entry that can be removed, and one of an unknown id."""
    results = failing_run(2)
    answers = results.of("lib")
    findings = (
        Finding("stale", STALE, Entry(STALE, "fail", {}, "0" * 12), answers[STALE]),
        Finding("unknown id", UNKNOWN, Entry(UNKNOWN, "fail", {}, "0" * 12)),
        Finding("regression", NEW, None, answers[NEW]),
    )
    judgement = Judgement("lib", Exit.FAILED, "gate failed by the baseline", findings=findings)
    return render(results, [judgement], {"lib": baseline_file})


def test_the_annotation_of_a_gate_begins_with_the_kinds_of_difference(annotated_findings):
    first_line, *_ = annotated_findings.splitlines()
    _, _, message = first_line.rpartition("::")
    expected_lines = [
        "gate failed by the baseline",
        "validate wrong in 1 answer",
        "no such vector for 1 id",
    ]
    assert message.split("%0A") == expected_lines


def test_findings_replace_failures_as_errors(annotated_findings):
    assert titles(annotated_findings, "error") == [
        "lib%3A gate not passed",
        "lib%3A validate wrong in 1 answer (1 regression)",
        "lib%3A no such vector for 1 id (1 unknown id)",
    ]


def test_groups_of_several_adapters_are_annotated_in_turn(make_case, record):
    cases = [make_case(f"rfc3986-3-{number}", rule=f"rule-{number}") for number in range(2)]
    adapters = [Participant(name, "ran", specs=("rfc3986",)) for name in ("a", "b")]
    answers = [
        Result(case.vector.id, adapter.name, "fail", got={"status": "reject"})
        for adapter in adapters
        for case in cases
    ]
    results = record(cases, *adapters, *answers)
    judgements = decide(results, ["a", "b"]).judgements
    assert titles(render(results, judgements), "error") == [
        "a%3A gate not passed",
        "b%3A gate not passed",
        "a%3A valid rule-0 rejected in 1 answer",
        "b%3A valid rule-0 rejected in 1 answer",
        "a%3A valid rule-1 rejected in 1 answer",
        "b%3A valid rule-1 rejected in 1 answer",
    ]


def test_an_entry_that_can_be_removed_is_a_warning(annotated_findings):
    titles_of_warnings = titles(annotated_findings, "warning")
    assert titles_of_warnings == [f"lib%3A stale%3A {STALE} passes and is in the baseline"]


def test_findings_are_at_their_lines_of_the_baseline(annotated_findings, baseline_file):
    lines = baseline_file.read_text("ascii").split("\n")
    places = re.findall(r",line=(\d+),title=.*?(rfc3986-3\.\d-x)", annotated_findings)
    expected = []
    for name in (STALE, UNKNOWN):
        (line,) = [number for number, line in enumerate(lines, 1) if f'"{name}"' in line]
        expected.append((str(line), name))
    assert sorted(places) == sorted(expected)


def test_the_comma_in_the_name_of_a_baseline_is_escaped(annotated_findings, baseline_file):
    paths = re.findall(r" file=([^,]*),", annotated_findings)
    assert set(paths) == {f"{baseline_file.parent}/base%2Cline.json"}


def test_a_note_on_a_baseline_is_a_line_of_the_notice(failing_run):
    judgement = Judgement("lib", Exit.PASSED, "passed", notes=("made with corpus 1, now 2",))
    assert render(failing_run(0), [judgement]).count("%0Amade with corpus 1, now 2") == 1


@pytest.mark.parametrize(
    ("annotation", "printed"),
    [
        pytest.param(
            Annotation("error", "a: b, c", ["50%", "x:y,z"]),
            "::error title=a%3A b%2C c::50%25%0Ax:y,z",
            id="colon-and-comma-in-properties-alone",
        ),
        pytest.param(
            Annotation("error", "%0A", ["%0D"]), "::error title=%250A::%250D", id="what-looks-escaped"
        ),
        pytest.param(
            Annotation("warning", "a\r\nb", ["c\r\nd"]),
            "::warning title=a\\u{d}\\u{a}b::c\\u{d}\\u{a}d",
            id="line-ends",
        ),
        pytest.param(
            Annotation("notice", "\x1b[1m", []), "::notice title=\\u{1b}[1m::", id="escape-sequence"
        ),
        pytest.param(
            Annotation("error", "t", ["m"], "a:b", 3),
            "::error file=a%3Ab,line=3,title=t::m",
            id="colon-in-file",
        ),
    ],
)
def test_properties_and_message_of_an_annotation_are_escaped(annotation, printed):
    assert str(annotation) == printed
