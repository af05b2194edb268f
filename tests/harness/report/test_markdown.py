"""Markdown: the result first, different names for different adapters, and never longer than the limit."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Entry
from urlharness.gate.findings import Finding
from urlharness.gate.gate import Judgement
from urlharness.protocol.messages import Implementation
from urlharness.report.markdown import LIMIT, render
from urlharness.results.model import Participant, Result
from urlharness.results.scores import NOTHING

from ..conftest import LONG_NAMES  # noqa: TID252 - tests are not an installed package

LIB = Participant("lib", "ran", Implementation("lib", "1"), specs=("rfc3986",))


def first_line(text: str) -> str:
    """Return the first line of a report, which has the result."""
    return text.partition("\n")[0]


@pytest.fixture
def run_of(make_case, record):
    """Return a function that makes a run with these outcomes, each in a section of its own."""

    def make(*outcomes, participants=(LIB,), **options):
        cases = [make_case(f"rfc3986-3.{number}-x") for number in range(max(1, len(outcomes)))]
        answers = []
        for participant in participants:
            if participant.state == "ran":
                for case, outcome in zip(cases, outcomes, strict=True):
                    answers.append(Result(case.vector.id, participant.name, outcome, detail="why"))
        return record(cases, *participants, *answers, **options)

    return make


GONE = Participant("gone", "not installed", message="no runtime")


@pytest.fixture
def summary_of(run_of):
    """Return a function that returns the summary of a run of an adapter whose library has this name."""

    def make(name, library):
        participant = Participant(name, "ran", Implementation(library, "0.3"), specs=("rfc3986",))
        _, heading, summary = render(run_of("pass", "fail", participants=(participant,))).partition("Asked: ")
        assert heading != ""
        return summary

    return make


def test_the_library_of_a_program_is_named(summary_of):
    assert "**`jsonl:x/adapter`** is **gourl 0.3**." in summary_of("jsonl:x/adapter", "gourl")


#: Adapters that say by their names what they test, and their libraries.
NAMED_FOR_THEIR_LIBRARY = [
    pytest.param("urllib", "urllib.parse", id="catalogue"),
    pytest.param("python:m:f", "python:m:f", id="without-a-name"),
]


@pytest.mark.parametrize(("name", "library"), NAMED_FOR_THEIR_LIBRARY)
def test_the_library_of_an_adapter_with_a_telling_name_is_not_named(summary_of, name, library):
    assert "** is **" not in summary_of(name, library)


HEADLINES = [
    pytest.param(("pass", "variant"), (LIB,), "✅ URL conformance: lib: 0 wrong of 2 answered", id="pass"),
    pytest.param(("pass", "fail"), (LIB,), "❌ URL conformance: lib: 1 wrong of 2 answered", id="fail"),
    pytest.param((), (GONE,), "❌ URL conformance: nothing ran", id="nothing"),
]


@pytest.mark.parametrize(("outcomes", "participants", "line"), HEADLINES)
def test_the_result_comes_first(run_of, outcomes, participants, line):
    assert first_line(render(run_of(*outcomes, participants=participants))) == f"## {line}"


def test_an_rfc_that_is_not_claimed_decides_nothing(make_case, record):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc2396-3.3-x")]
    participant = msgspec.structs.replace(LIB, specs=("rfc2396",))
    answers = [Result("rfc3986-3.3-x", "lib", "fail"), Result("rfc2396-3.3-x", "lib", "pass")]
    lines = render(record(cases, participant, *answers)).splitlines()
    assert lines[0] == "## ✅ URL conformance: lib: 0 wrong of 1 answered"
    assert [line for line in lines if line.startswith("| **lib** |")] == [
        "| **lib** | 0 held · **1 failed** (not claimed) | ✅ complies |",
        "| **lib** | 1 | 0 | 0 | 0 | 0 | RFC 2396 |",
    ]


@pytest.mark.parametrize(("outcome", "sign"), [("fail", "⚪"), ("pass", "✅")], ids=["wrong", "right"])
def test_the_sign_of_a_survey_is_neutral_if_an_answer_is_wrong(make_case, record, outcome, sign):
    """Only the reference is judged, and it passes."""
    case = make_case("rfc3986-3.3-x")
    answers = Result(case.vector.id, "reference", "pass"), Result(case.vector.id, "lib", outcome)
    results = record([case], Participant("reference", "ran"), LIB, *answers)
    text = first_line(render(results, [Judgement("reference", Exit.PASSED)]))
    assert text.startswith(f"## {sign} URL conformance: reference: passes; in the whole survey, ")


@pytest.mark.parametrize(
    ("outcomes", "judgement", "headline"),
    [
        pytest.param(
            ("pass", "fail"),
            Judgement("lib", Exit.PASSED),
            "✅ URL conformance: lib: the gate is passed",
            id="passed-with-a-failure",
        ),
        pytest.param(
            ("pass",),
            Judgement("lib", Exit.FAILED, "gate failed: 1 partial"),
            "❌ URL conformance: lib: gate failed: 1 partial",
            id="failed-without-one",
        ),
    ],
)
def test_the_headline_is_the_decision_of_the_gate(run_of, outcomes, judgement, headline):
    assert first_line(render(run_of(*outcomes), [judgement])) == f"## {headline}"


FAILED_BY_BASELINE = "gate failed by the baseline: 1 regression, 1 unknown id, 1 stale entry"


@pytest.fixture
def new_findings(run_of):
    """A report on a regression, a stale entry, an unknown id, and a failure that the baseline lists."""
    results = run_of("fail", "pass", "fail")
    entry = Entry("rfc3986-3.1-x", "fail", {}, "0" * 12, issue="bug 12")
    findings = (
        Finding("regression", "rfc3986-3.0-x", None, results.of("lib")["rfc3986-3.0-x"]),
        Finding("stale", "rfc3986-3.1-x", entry, results.of("lib")["rfc3986-3.1-x"]),
        Finding("unknown id", "rfc3986-9-gone", entry),
    )
    judgement = Judgement("lib", Exit.FAILED, FAILED_BY_BASELINE, findings=findings)
    return render(results, [judgement], {"lib": Path("b.json")})


def test_the_reason_of_the_gate_is_the_headline(new_findings):
    assert first_line(new_findings) == f"## ❌ URL conformance: lib: {FAILED_BY_BASELINE}"


def test_new_findings_come_before_the_summary(new_findings):
    heading = "\n### New against `b.json`: 1 regression, 1 unknown id\n"
    assert new_findings.index(heading) < new_findings.index("\nAsked: 3 vectors")


def test_a_new_finding_is_shown_in_full(new_findings):
    assert (
        """
**validate wrong in 1 answer**

regression `rfc3986-3.0-x`

- input: `validate: rule <URI>, url <a:b>`
- expected: `valid`
- got: `why`
- statement: `It is so. (rfc3986-3.0-y)`
- section: `RFC 3986, section 3.0, paragraph 1`

```sh
urlconform repro rfc3986-3.0-x -a lib
```
"""
        in new_findings
    )


def test_an_unknown_id_is_shown_with_what_the_baseline_says(new_findings):
    assert "\n**no such vector for 1 id**\n\nunknown id `rfc3986-9-gone`\n\n- before: " in new_findings


def test_stale_entries_are_listed_by_id(new_findings):
    assert "\nTo be removed from the baseline: `rfc3986-3.1-x`.\n" in new_findings


def test_failures_that_the_baseline_lists_are_not_shown(new_findings):
    assert "### Failures" not in new_findings
    assert "rfc3986-3.2-x" not in new_findings


def test_the_heading_of_new_findings_has_plurals(run_of, tmp_path):
    results = run_of("fail", "fail")
    findings = tuple(Finding("regression", name, None, answer) for name, answer in results.of("lib").items())
    judgement = Judgement("lib", Exit.FAILED, "gate failed", findings=findings)
    assert ": 2 regressions\n" in render(results, [judgement], {"lib": tmp_path / "b.json"})


def test_a_note_on_a_baseline_is_a_line_of_its_own(run_of):
    judgement = Judgement("lib", Exit.PASSED, "passed", notes=("made with corpus 1, now 2",))
    text = render(run_of("pass"), [judgement])
    assert first_line(text) == "## ✅ URL conformance: lib: passed"
    assert "\n- ⚠️ made with corpus 1, now 2\n" in text


def test_an_implementation_without_an_rfc_is_told_how_far_it_is(run_of):
    text = render(run_of("pass", "pass", "fail"))
    assert "| no RFC; 66 % of the statements of RFC 3986 hold |" in text


def test_an_implementation_with_an_rfc_is_not_told_how_far_it_is(run_of):
    text = render(run_of("pass"))
    assert "✅ complies" in text
    assert "no RFC" not in text


@pytest.fixture
def report_without_baseline(run_of):
    """A report on two failures that are judged without a baseline."""
    return render(run_of("fail", "fail"), [Judgement("lib", Exit.FAILED, "gate failed: 2 fail")])


def test_failures_that_are_judged_without_a_baseline_follow_the_summary(report_without_baseline):
    summary = report_without_baseline.index("Asked: 2 vectors")
    assert summary < report_without_baseline.index("\n### Failures\n")


def test_failures_that_are_judged_without_a_baseline_are_not_called_new(report_without_baseline):
    assert "### New" not in report_without_baseline


def test_failures_that_are_judged_without_a_baseline_are_grouped(report_without_baseline):
    assert "**validate wrong in 2 answers**\n\nfailure `rfc3986-3.0-x`\n" in report_without_baseline
    assert "\n- and 1 more of the same\n" in report_without_baseline


def test_failures_that_are_judged_without_a_baseline_are_listed_by_section(report_without_baseline):
    assert "### Failures by section: 2 cases in 2 groups" in report_without_baseline


@pytest.fixture
def many_differences(make_case, record):
    """A report on regressions in more ways than there is room for: each rejects a text of another rule."""
    cases = [make_case(f"rfc3986-3-{number:02}", rule=f"rule-{number:02}") for number in range(33)]
    answers = [Result(case.vector.id, "lib", "fail", got={"status": "reject"}) for case in cases]
    results = record(cases, LIB, *answers)
    findings = tuple(Finding("regression", name, None, answer) for name, answer in results.of("lib").items())
    judgement = Judgement("lib", Exit.FAILED, "gate failed", findings=findings)
    return render(results, [judgement])


def test_the_first_ten_groups_have_an_example_in_full(many_differences):
    ids = re.findall("^regression `(.*)`$", many_differences, re.MULTILINE)
    assert ids == [f"rfc3986-3-{number:02}" for number in range(10)]


def test_the_next_twenty_groups_are_listed_with_the_id_of_their_example(many_differences):
    lines = re.findall("^- valid rule-.*$", many_differences, re.MULTILINE)
    assert lines == [
        f"- valid rule-{number} rejected in 1 answer (1 regression), such as `rfc3986-3-{number}`"
        for number in range(10, 30)
    ]


def test_findings_of_groups_that_are_not_listed_are_counted(many_differences):
    assert "*… and 3 findings more.*" in many_differences


def test_the_most_failed_sections_have_an_example(make_case, record):
    case = make_case("rfc3986-3.2.2-x", url="http://a@b@c/", expect={"valid": False, "at": 10})
    text = render(record([case], LIB, Result(case.vector.id, "lib", "fail"), title="Host"))
    assert "| **lib** RFC 3986 3.2.2 Host | 1 of 1 | `accepts http://a@b@c/` |" in text
    assert "| Most failed sections | statements failed | an example |\n| --- | ---: | --- |\n" in text


@pytest.mark.parametrize(
    ("outcome", "head"),
    [("pass", "| Section, lib | held |"), ("fail", "| Section | reference | lib |")],
    ids=["right", "wrong"],
)
def test_the_reference_has_a_column_if_it_is_wrong(make_case, record, outcome, head):
    ran = (Participant("reference", "ran"), LIB)
    case = make_case("rfc3986-3.3-x")
    results = (Result(case.vector.id, participant.name, outcome) for participant in ran)
    assert head in render(record([case], *ran, *results))


@pytest.fixture
def classified_failures(make_case, record):
    """A report on two failures of one class and one of none, in the same section."""
    classes = {"x": "empty-host", "y": "empty-host", "z": None}
    cases = [make_case(f"rfc3986-3.3-{name}", **{"class": kind}) for name, kind in classes.items()]
    wrong = [Result(case.vector.id, "lib", "fail", detail="accepted") for case in cases]
    return render(record(cases, LIB, *wrong))


def test_failures_of_one_class_and_section_share_a_group(classified_failures):
    assert (
        """
**lib** · RFC 3986, section 3.3 Some section · class empty-host · 2 fail
- `rfc3986-3.3-x`: `validate: rule <URI>, url <a:b>`, expected `valid`, fail `accepted`
- `rfc3986-3.3-y`: `validate: rule <URI>, url <a:b>`, expected `valid`, fail `accepted`

```sh
urlconform repro rfc3986-3.3-x -a lib
urlconform repro rfc3986-3.3-y -a lib
```
"""
        in classified_failures
    )


def test_a_failure_without_a_class_is_listed_alone(classified_failures):
    assert (
        """
**lib** · RFC 3986, section 3.3 Some section · 1 fail
- `rfc3986-3.3-z`: `validate: rule <URI>, url <a:b>`, expected `valid`, fail `accepted`

```sh
urlconform repro rfc3986-3.3-z -a lib
```
"""
        in classified_failures
    )


def test_failures_and_their_groups_are_counted(classified_failures):
    assert "### Failures by section: 3 cases in 2 groups" in classified_failures


@pytest.fixture(params=[{"end": False}, {"interrupted": True}], ids=["cut", "interrupted"])
def cut_run(run_of, request):
    """A report on a run that was cut; what was asked is right."""
    return render(run_of("pass", **request.param))


def test_the_headline_of_a_run_that_was_cut_is_a_failure(cut_run):
    assert first_line(cut_run).startswith("## ❌ ")


def test_a_run_that_was_cut_says_so(cut_run):
    assert "\n- ⚠️ The run was" in cut_run


def test_a_run_that_was_cut_complies_with_nothing(cut_run):
    assert "✅" not in cut_run
    assert f"| **lib** | 1 | 0 | 0 | 0 | 0 | {NOTHING} |" in cut_run


@pytest.fixture
def rendered_pass(corpus, record):
    """Return a function that renders a run in which these cases of the installed corpus pass."""

    def make(cases) -> str:
        lib = msgspec.structs.replace(LIB, specs=())
        results = record(cases, lib, *(Result(case.vector.id, "lib", "pass") for case in cases))
        header = msgspec.structs.replace(results.header, sizes=dict(corpus.sizes))
        return render(msgspec.structs.replace(results, header=header))

    return make


def test_a_run_of_all_vectors_of_an_rfc_complies(corpus, rendered_pass):
    text = rendered_pass([case for case in corpus.cases if case.spec == "rfc2732"])
    assert "✅ complies" in text
    assert "| RFC 2732 |" in text


def test_a_run_without_one_vector_of_an_rfc_does_not_comply(corpus, rendered_pass):
    cases = [case for case in corpus.cases if case.spec == "rfc2732"]
    text = rendered_pass(cases[1:])
    assert "✅ complies" not in text
    assert "| RFC 2732 |" not in text


def has_whole_fences(text) -> bool:
    """Return True if each fence of a code block that begins ends, too."""
    return len(re.findall(r"^`{3,}", text, re.MULTILINE)) % 2 == 0


def tables_without_heads(text) -> list[str]:
    """Return the tables that have no rule below their first line; check that there are tables."""
    tables = [block for block in text.split("\n\n") if block.startswith("| ")]
    assert tables != []
    return [table for table in tables if not table.split("\n")[1].startswith("| ---")]


def counts_left_out(text) -> tuple[int, int]:
    """Return how many groups a report says that it leaves out, and how many cases they have."""
    counts = re.findall(r"^\*… and ([\d,]+) groups? more, with ([\d,]+) cases?\.\*$", text, re.MULTILINE)
    if not counts:
        return 0, 0
    ((groups, cases),) = counts
    return int(groups.replace(",", "")), int(cases.replace(",", ""))


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    count=st.integers(1, 150),
    implementations=st.integers(1, 12),
    long=st.sampled_from(["x", "\U0001f600" * 400, "\x1b" * 400, "`" * 400, "|" * 400]),
)
def test_a_report_within_the_limit_has_whole_tables_and_fences_and_counts_what_it_leaves_out(
    make_case, record, count, implementations, long
):
    """The limit is 60,000 bytes. The cases beyond the first 30 are not answered."""
    cases = [
        make_case(f"rfc3986-3.{number}-x", url=long, **{"class": f"c{number}"}) for number in range(count)
    ]
    answered = min(count, 30)
    ran = [Participant(f"{long}{number}", "ran") for number in range(implementations)]
    results = [
        Result(case.vector.id, participant.name, "fail", detail=long)
        for participant in ran
        for case in cases[:answered]
    ]
    text = render(record(cases, *ran, *results, title=long))
    assert len(text.encode("utf-8")) <= LIMIT
    assert has_whole_fences(text)
    assert tables_without_heads(text) == []
    total = answered * implementations
    assert f"{total:,} case" in text
    remaining = total - text.count(" · class ")  # each case has a class, and so a group, of its own
    assert counts_left_out(text) == (remaining, remaining)


def test_a_table_is_cut_between_rows(make_case, record):
    cases = [make_case(f"rfc3986-3.{number}-x") for number in range(1500)]
    answers = [Result(case.vector.id, "lib", "fail") for case in cases]
    text = render(record(cases, LIB, *answers))
    sections = re.findall(r"^\| 3\.(\d+) .* \|$", text, re.MULTILINE)
    assert sections != []
    assert sections == [str(number) for number in range(len(sections))]
    assert f"*… and {1500 - len(sections):,} sections more.*" in text


@pytest.mark.parametrize("names", LONG_NAMES)
def test_long_names_differ_in_tables_and_groups(make_case, record, names):
    cases = [make_case("rfc3986-3.3-x")]
    ran = [Participant(name, "ran", Implementation(name, "1")) for name in names]
    answers = [Result("rfc3986-3.3-x", participant.name, "fail") for participant in ran]
    text = render(record(cases, *ran, *answers))
    verdicts = re.findall(r"^\| \*\*(.+?)\*\* \| 0 held", text, re.MULTILINE)
    groups = re.findall(r"^\*\*(.+?)\*\* · RFC", text, re.MULTILINE)
    (heads,) = re.findall(r"^\| Section \| (.+) \| (.+) \|$", text, re.MULTILINE)
    for names_in_table in (verdicts, groups, heads):
        assert len(names_in_table) == len(names), names_in_table
        assert len(set(names_in_table)) == len(names), names_in_table


WHY = "it ended with code 1 and said: no module named whatever, in a place that is not known"
SILENT = [Participant(f"dead{number}", "dead", message=f"{WHY} {number}") for number in range(3)]


@pytest.fixture
def silent_run(make_case, record):
    """Return a function that renders a run of adapters that did not start, judged by the gate or not."""

    def make(count, *, judged):
        results = record([make_case("rfc3986-3.3-x")], *SILENT[:count])
        judgements = [
            Judgement(participant.name, Exit.ADAPTER_DEAD, f"dead: {participant.message}")
            for participant in SILENT[:count]
        ]
        return render(results, judgements if judged else ())

    return make


JUDGED = pytest.mark.parametrize("judged", [True, False], ids=["run", "report"])


@pytest.mark.parametrize("count", [1, 3])
@JUDGED
def test_the_reason_of_a_failed_start_is_shown_once(silent_run, count, judged):
    text = silent_run(count, judged=judged)
    assert [text.count(silent.message) for silent in SILENT[:count]] == [1] * count


@JUDGED
def test_each_adapter_that_did_not_start_is_named_once(silent_run, judged):
    text = silent_run(3, judged=judged)
    assert [text.count(f"{silent.name}: ") for silent in SILENT] == [1, 1, 1]


def test_the_headline_names_an_adapter_that_did_not_start_and_ran_alone(silent_run):
    assert first_line(silent_run(1, judged=False)) == "## ❌ URL conformance: dead0: it did not start"


def test_the_legend_says_that_a_section_is_counted_without_its_subsections(make_case, record):
    text = render(record([make_case("rfc3986-3.3-x")], Participant("a", "ran")))
    assert "counts its own statements and vectors, without subsections." in text
