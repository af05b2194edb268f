"""The summary: every figure is counted again from the lines of the results file; examples; the headline."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import NamedTuple

import msgspec
import pytest
from report_samples import PARTICIPANTS, Outcomes, asked_of, write
from rich.console import Console

from urlharness.corpus.specifications import DEFAULT_SPECS
from urlharness.report import badge, markdown, summary
from urlharness.report.failures import stored_failures
from urlharness.report.html import page
from urlharness.report.summary import Headline, unknown_names_in_words
from urlharness.report.terminal import print_first_failures
from urlharness.results.coverage import asked_sizes
from urlharness.results.model import Participant, Result
from urlharness.results.scores import (
    MINUS,
    NOTHING,
    Answers,
    Rate,
    State,
    answers_by_component,
    has_row,
    scores_by_section,
    scores_by_spec,
)
from urlharness.results.verdict import Outcome
from urlharness.wording import rfc

GONE = Participant("gone", "not installed", message="no runtime")
DEAD = Participant("dead", "dead", message="no hello")
ELSE = Participant("else", "ran", specs=("rfc1738",))
RAN = Participant("a", "ran", specs=("rfc3986",))
LIB = Participant("lib", "ran", specs=("rfc3986",))
TWO = Participant("two", "ran", specs=("rfc3986",))


@pytest.mark.parametrize(
    ("passed", "total", "text"),
    [
        (0, 9, "0 %"),
        (9, 9, "100 %"),
        (9999, 10000, "99.9 %"),
        (1, 3, "33.3 %"),
        (1, 1000, "0.1 %"),
    ],
)
def test_rates_are_rounded_down(passed, total, text):
    assert summary.percent(Rate(passed, total)) == text


def test_a_rate_of_nothing_has_no_percentage():
    assert summary.percent(Rate(0, 0)) == NOTHING


@pytest.mark.parametrize(("passed", "total"), [(1, 9999), (1, 1001)])
def test_a_rate_that_is_not_0_is_not_shown_as_0(passed, total):
    assert summary.percent(Rate(passed, total)) == "<0.1 %"


@pytest.fixture
def negative_score(make_case, record):
    """Results with one of three valid texts accepted, and the only invalid one too: J is -0.67."""
    cases = [make_case(f"rfc3986-3.3-{name}") for name in "abc"]
    cases.append(make_case("rfc3986-3.3-d", expect={"valid": False, "at": 0}))
    outcomes = ("pass", "fail", "fail", "fail")
    answers = [Result(case.vector.id, "lib", outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    return record(cases, LIB, *answers)


def test_the_terminal_has_a_negative_j(negative_score, on_terminal):
    assert re.search(r"^  J +-0\.67$", on_terminal(negative_score, sections=True), re.MULTILINE)


def test_the_page_has_a_negative_j(negative_score):
    assert f"{MINUS}0.67" in page.render(negative_score)


def test_markdown_has_a_negative_j(negative_score):
    assert f"| {MINUS}0.67 |" in markdown.render(negative_score)


def test_every_badge_of_a_negative_j_is_red(negative_score, monkeypatch):
    monkeypatch.setattr(badge, "corpus_sizes", asked_sizes)
    colours = {library_badge.color for library_badge in badge.badges(negative_score)["lib"].values()}
    assert colours == {"red"}


# ---- figures against an independent count of the lines of the results file


class Line(NamedTuple):
    """The answer of an implementation to a required vector, as a line of the results file has it."""

    name: str
    spec: str
    section: str
    requirement: str
    witness: bool
    kind: str


@pytest.fixture(scope="module")
def counted_run(corpus, tmp_path_factory):
    """Return the results of an invented run over a part of the corpus, and the lines of its file."""
    path = tmp_path_factory.mktemp("counted") / "results.jsonl"
    every_sixteenth = asked_of(corpus)[1::16]
    results = write(path, every_sixteenth, PARTICIPANTS[:4], Outcomes(11).answer)
    return results, [json.loads(line) for line in path.read_text("ascii").splitlines()]


#: The kinds of answers by outcome; all other outcomes are wrong.
KINDS = {
    "pass": "right",
    "variant": "right",
    "partial": "partial",
    "unsupported": "unsupported",
    "aborted": "unasked",
}


@pytest.fixture(scope="module")
def required_lines(counted_run):
    """Return the results, and the answers to required vectors as the lines of the file have them."""
    results, lines = counted_run
    cases = {line["case"]["vector"]["id"]: line["case"] for line in lines if line["type"] == "vector"}
    answers = []
    for line in lines:
        if line["type"] != "case" or cases[line["id"]]["vector"]["binding"] != "required":
            continue
        case = cases[line["id"]]
        vector = case["vector"]
        answers.append(
            Line(
                line["implementation"],
                case["spec"],
                case["section"],
                vector["requirement"],
                witness=vector.get("origin") == "mutant",
                kind=KINDS.get(line["outcome"], "wrong"),
            )
        )
    return results, answers


class CountedAnswers(NamedTuple):
    """The answers by kind, and the statements by state."""

    kinds: Counter
    states: Counter


def answers_of(lines, name, spec, section=None, witnesses=None):
    """Count the answers to required vectors by kind, and the states of their statements."""
    counts = Counter()
    statements = {}
    for line in lines:
        if line.name != name or line.spec != spec or (section is not None and line.section != section):
            continue
        if witnesses is None or line.witness is witnesses:
            counts[line.kind] += 1
            statements.setdefault(line.requirement, []).append(line.kind)
    states = Counter()
    for kinds in statements.values():
        if "wrong" in kinds:
            states["failed"] += 1
        elif set(kinds) == {"right"}:
            states["held"] += 1
        else:
            states["open" if set(kinds) <= {"unsupported", "unasked"} else "partly"] += 1
    return CountedAnswers(counts, states)


def split_states_of(lines, name, spec, section):
    """Count the states of statements as a table of sections does: what was never asked is not open."""
    _, states = answers_of(lines, name, spec, section)
    answered = [line for line in lines if line.kind != UNASKED]
    without_unasked = answers_of(answered, name, spec, section).states
    never_asked = states.total() - without_unasked.total()
    return states - Counter(open=never_asked) + Counter(unasked=never_asked)


def counts_by(names, counts):
    """Return the counts in the order of the names."""
    return [counts[name] for name in names]


ANSWERS = ("right", "wrong", "partial", "unsupported")
UNASKED = "unasked"
STATES = ("held", "failed", "partly", "open")
NAMES = [participant.name for participant in PARTICIPANTS[:4]]
CLAIMED = {participant.name: participant.specs or DEFAULT_SPECS for participant in PARTICIPANTS[:4]}


def numbers(text):
    """Return the numbers of a row on the terminal, where a dot stands for 0."""
    return [0 if word in "·." else int(word.replace(",", "")) for word in text.split()]


EACH_NAME = pytest.mark.parametrize("name", NAMES)
EACH_RFC = pytest.mark.parametrize("spec", DEFAULT_SPECS)


@pytest.mark.sampled(4)
@EACH_NAME
@EACH_RFC
def test_the_score_has_the_states_of_the_statements_of_the_file(required_lines, spec, name):
    results, lines = required_lines
    score = scores_by_spec(results)[spec][name]
    _, states = answers_of(lines, name, spec)
    assert [score.states[state] for state in State] == counts_by(STATES, states)


@pytest.mark.sampled(4)
@EACH_NAME
@EACH_RFC
def test_the_score_has_the_required_answers_of_the_file(required_lines, spec, name):
    results, lines = required_lines
    counts, _ = answers_of(lines, name, spec)
    required_answers = scores_by_spec(results)[spec][name].required
    kinds = (*ANSWERS, UNASKED)
    assert [getattr(required_answers, kind) for kind in kinds] == counts_by(kinds, counts)


@pytest.mark.sampled(4)
@EACH_NAME
@EACH_RFC
def test_the_score_has_the_witnesses_of_the_file(required_lines, spec, name):
    results, lines = required_lines
    witnesses, _ = answers_of(lines, name, spec, witnesses=True)
    assert scores_by_spec(results)[spec][name].witnesses.total == witnesses.total()


@EACH_NAME
@EACH_RFC
def test_the_summary_has_the_number_of_statements_of_the_file(required_lines, spec, name):
    results, lines = required_lines
    _, states = answers_of(lines, name, spec)
    assert summary.statement_sizes(results)[spec, ""] == states.total()


#: The order of RFCs in every report.
REPORTED_SPECS = ["rfc3986", "rfc2396", "rfc2732", "rfc1808", "rfc1738"]


class SummaryRow(NamedTuple):
    """The figures of an implementation in the summary on the terminal."""

    held: list[int]
    has_star: list[bool]
    answers: list[int]


@pytest.fixture
def summary_text(required_lines, on_terminal):
    """The summary of the run on a terminal of 200 columns."""
    results, _ = required_lines
    return on_terminal(results, width=200, tty=True)


@pytest.fixture
def summary_row(summary_text, name):
    """The two lines of an implementation: a bar and a count for each RFC, and the answers."""
    bars, answers = re.findall(rf"^{name} +([█▒░·\d].*)$", summary_text, re.MULTILINE)
    counts_of_rfcs = bars.split()[1::2]  # each follows its bar
    return SummaryRow(
        held=[int(count.rstrip("*")) for count in counts_of_rfcs],
        has_star=[count.endswith("*") for count in counts_of_rfcs],
        answers=numbers(" ".join(answers.split()[:6])),  # words on a shortfall can follow the six numbers
    )


EACH_LIBRARY = pytest.mark.parametrize("name", NAMES[1:])


def test_reports_list_the_newest_rfc_first(required_lines):
    results, _ = required_lines
    assert list(scores_by_spec(results)) == REPORTED_SPECS


def test_the_terminal_has_the_numbers_of_statements_of_the_file(required_lines, summary_text):
    _, lines = required_lines
    sizes = [answers_of(lines, "urllib", spec).states.total() for spec in REPORTED_SPECS]
    assert re.search(" +".join(f"of {size}" for size in sizes), summary_text)


@pytest.mark.sampled(keep="urllib")
@EACH_LIBRARY
def test_the_terminal_has_the_held_statements_of_the_file(required_lines, summary_row, name):
    _, lines = required_lines
    assert summary_row.held == [answers_of(lines, name, spec).states["held"] for spec in REPORTED_SPECS]


@pytest.mark.sampled(keep="urllib")
@EACH_LIBRARY
def test_the_terminal_has_a_star_at_each_rfc_that_is_not_claimed(summary_row, name):
    assert summary_row.has_star == [spec not in CLAIMED[name] for spec in REPORTED_SPECS]


@pytest.mark.sampled(keep="urllib")
@EACH_LIBRARY
def test_the_terminal_has_the_answers_of_the_file(required_lines, summary_row, name):
    _, lines = required_lines
    counts = Counter()
    witnesses = Counter()
    for spec in CLAIMED[name]:
        counts += answers_of(lines, name, spec).kinds
        witnesses += answers_of(lines, name, spec, witnesses=True).kinds
    answers = [counts["right"], counts["wrong"], witnesses["wrong"], counts["partial"], counts["unsupported"]]
    assert summary_row.answers == [*answers, counts[UNASKED]]


def label_of(section, title):
    """Return how the terminal calls a section; a part without a number is called by its heading."""
    has_number = len(section) == 1 or "." in section or section.isdigit()
    return f"{section} {title}" if has_number else title


class SectionRow(NamedTuple):
    """The counts of a section on the terminal: the total, and five counts of each library."""

    statements: list[int]
    vectors: list[int]


@pytest.fixture
def section_rows(required_lines, on_terminal):
    """The rows of the tables of sections by RFC and label."""
    results, _ = required_lines
    text = on_terminal(results, width=200, tty=True, sections=True).partition("The row of a section")[2]
    rows = {}
    spec = ""
    section_label = ""
    for line in text.splitlines():
        heading = re.match(r"RFC \d+", line)
        if heading:
            (spec,) = (candidate for candidate in DEFAULT_SPECS if rfc(candidate) == heading[0])
        row = re.fullmatch(r"( *\S.*?) +((?:[\d,]+|·)(?: +(?:[\d,]+|·)){15})", line)
        if row is None:
            continue
        label, counts = row.groups()
        if label == "  vectors":
            rows[spec, section_label].vectors.extend(numbers(counts))
        elif not label.startswith("  "):
            section_label = label
            rows[spec, section_label] = SectionRow(numbers(counts), [])
    return rows


@pytest.fixture
def sections_with_row(required_lines):
    """The sections that have a row, by RFC and label."""
    results, _ = required_lines
    sections = {
        (spec, label_of(section, title)): section
        for (spec, section), title in results.titles.items()
        if has_row(title)
    }
    assert {spec for spec, _ in sections} == {*DEFAULT_SPECS}
    return sections


def counts_of_libraries(counts_by_library, names):
    """Return the total and, for each library, the counts of these names."""
    row = [counts_by_library[0].total()]
    for counts in counts_by_library:
        row.extend(counts[name] for name in names)
    return row


def test_the_terminal_has_a_row_for_each_section(section_rows, sections_with_row):
    sums = ("other sections", "all sections")
    rows_of_sections = {(spec, label) for spec, label in section_rows if label not in sums}
    assert rows_of_sections == set(sections_with_row)


def test_the_table_of_sections_has_the_statements_of_the_file(
    required_lines, section_rows, sections_with_row
):
    _, lines = required_lines
    assert sections_with_row
    for (spec, label), section in sections_with_row.items():
        states = [split_states_of(lines, name, spec, section) for name in NAMES[1:]]
        expected = counts_of_libraries(states, (*STATES, UNASKED))
        assert section_rows[spec, label].statements == expected, (spec, label)


def test_the_table_of_sections_has_the_vectors_of_the_file(required_lines, section_rows, sections_with_row):
    """Witnesses, which are made by a program, have a row of their own."""
    _, lines = required_lines
    assert sections_with_row
    for (spec, label), section in sections_with_row.items():
        counts = [answers_of(lines, name, spec, section, witnesses=False).kinds for name in NAMES[1:]]
        was_asked = any(count.total() for count in counts)
        expected = counts_of_libraries(counts, (*ANSWERS, UNASKED)) if was_asked else []
        assert section_rows[spec, label].vectors == expected, (spec, label)


def weight(section, failed):
    """Appendices, which collect the rules of other sections, count three quarters."""
    return failed * (1 if section[0].isdigit() else 0.75)


@pytest.fixture
def worst_sections(required_lines, name):
    """The nine sections that an implementation fails most."""
    results, _ = required_lines
    (participant,) = [participant for participant in results.participants if participant.name == name]
    return summary.worst_sections(results, participant, 9)


@EACH_LIBRARY
def test_as_many_worst_sections_are_listed_as_asked_for(worst_sections):
    assert len(worst_sections) == 9


@EACH_LIBRARY
def test_the_worst_sections_are_of_every_claimed_rfc(worst_sections, name):
    assert {section.spec for section in worst_sections} == {*CLAIMED[name]}


@EACH_LIBRARY
def test_the_worst_sections_have_the_counts_of_the_file(required_lines, worst_sections, name):
    _, lines = required_lines
    for section in worst_sections:
        _, states = answers_of(lines, name, section.spec, section.section)
        assert section.failed == states["failed"], (section.spec, section.section)
        assert section.statements == states.total(), (section.spec, section.section)


@EACH_LIBRARY
def test_each_of_the_worst_sections_has_failed_statements(worst_sections):
    assert [section for section in worst_sections if section.failed == 0] == []


@EACH_LIBRARY
def test_examples_of_the_worst_sections_are_required(worst_sections):
    examples = [section.example for section in worst_sections if section.example is not None]
    assert {example.asked.case.vector.binding for example in examples} == {"required"}


@EACH_LIBRARY
def test_grave_sections_of_an_rfc_come_first_and_then_those_with_most_failures(worst_sections, name):
    for spec in CLAIMED[name]:
        sections = [section for section in worst_sections if section.spec == spec]
        order = [(section.is_grave, weight(section.section, section.failed)) for section in sections]
        assert order == sorted(order, reverse=True), spec


@EACH_LIBRARY
def test_no_section_that_is_left_out_has_more_failures(required_lines, worst_sections, name):
    """A grave section, which is about the host, comes first even with few failures, and is passed over."""
    results, lines = required_lines
    for spec in CLAIMED[name]:
        worst, *_ = (section for section in worst_sections if section.spec == spec)
        if worst.is_grave:
            continue
        sections_of_rfc = [section for spec_of_title, section in results.titles if spec_of_title == spec]
        weights = [
            weight(section, answers_of(lines, name, spec, section).states["failed"])
            for section in sections_of_rfc
        ]
        assert weight(worst.section, worst.failed) == max(weights), spec


@pytest.fixture(scope="module")
def component_counts(counted_run):
    """The answers to required vectors of the file, by implementation, RFC, component and kind."""
    _, lines = counted_run
    cases = {line["case"]["vector"]["id"]: line["case"] for line in lines if line["type"] == "vector"}
    counts = Counter()
    for line in lines:
        if line["type"] != "case" or cases[line["id"]]["vector"]["binding"] != "required":
            continue
        case = cases[line["id"]]
        expected = case["vector"]["expect"].get("components")
        got = line.get("got", {}).get("components")
        if expected is None or got is None:
            continue
        for component, right in expected.items():
            kind = "right" if got.get(component) == right else "wrong"
            if component not in got:
                kind = "partial"
            counts[line["implementation"], case["spec"], component, kind] += 1
    return counts


@pytest.mark.parametrize("name", ["reference", "java-net-uri"])
@pytest.mark.parametrize("spec", ["rfc3986", "rfc2396"])
def test_components_have_the_counts_of_the_file(counted_run, component_counts, spec, name):
    """Both implementations tell absent from empty, so a component is right if it is equal."""
    results, _ = counted_run
    components = set()
    for name_of_count, spec_of_count, component, _kind in component_counts:
        if (name_of_count, spec_of_count) == (name, spec):
            components.add(component)
    assert components >= {"scheme", "host", "path", "query"}
    components.discard("authority")  # which is judged by its parts
    rows = answers_by_component(results)[spec]
    for component in components:
        answers = rows[component][name]
        assert answers.right == component_counts[name, spec, component, "right"], component
        assert answers.wrong == component_counts[name, spec, component, "wrong"], component
        assert answers.partial == component_counts[name, spec, component, "partial"], component


def markdown_cell(states, *, claimed: bool) -> str:
    """Return the cell of an RFC with these states of statements."""
    words = [f"{states['held']} held"]
    if states["failed"]:
        words.append(f"**{states['failed']} failed**")
    return " · ".join(words) + ("" if claimed else " (not claimed)")


@pytest.mark.sampled(keep="urllib")
@pytest.mark.parametrize("name", NAMES[1:])
def test_markdown_has_the_states_of_the_file(required_lines, name):
    results, lines = required_lines
    (row,) = re.findall(rf"^\| \*\*{name}\*\* \| (\d+ held.*) \|$", markdown.render(results), re.MULTILINE)
    cells = []
    for spec in scores_by_spec(results):
        _, states = answers_of(lines, name, spec)
        cells.append(markdown_cell(states, claimed=spec in CLAIMED[name]))
    assert row.split(" | ") == cells


@pytest.mark.sampled(keep="urllib")
@pytest.mark.parametrize("name", NAMES[1:])
def test_markdown_has_the_answers_of_the_file(required_lines, name):
    results, lines = required_lines
    total = Counter()
    for spec in CLAIMED[name]:
        counts, _ = answers_of(lines, name, spec)
        total += counts
    assert f"| **{name}** | {total['right']:,} | {total['wrong']:,} | " in markdown.render(results)


@pytest.fixture
def run_without_a_claim(make_case, record):
    """A run of RFC 3986 by an implementation that claims RFC 1738, and is wrong in section 3.3."""
    case = make_case("rfc3986-3.3-x")
    return record([case], ELSE, Result(case.vector.id, "else", "fail"))


def test_an_implementation_that_claims_none_of_the_asked_rfcs_is_counted_by_all(run_without_a_claim):
    assert summary.counted_specs(run_without_a_claim, ELSE) == {"rfc3986"}


def test_an_implementation_that_claims_none_of_the_asked_rfcs_has_worst_sections(run_without_a_claim):
    sections = summary.worst_sections(run_without_a_claim, ELSE, 9)
    assert [section.section for section in sections] == ["3.3"]


@pytest.mark.parametrize(
    ("title", "sections"),
    [("References", []), ("Reference Resolution", ["references"])],
    ids=["references", "about-references"],
)
def test_references_are_no_section_that_fails(make_case, record, title, sections):
    case = make_case("rfc3986-references-x")
    results = record([case], LIB, Result(case.vector.id, "lib", "fail"), title=title)
    assert [section.section for section in summary.worst_sections(results, LIB, 9)] == sections


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        (Answers(right=956, wrong=190, unsupported=910), "190 wrong of 1,146 answered; 910 not offered"),
        (
            Answers(right=1, wrong=2, partial=3, unsupported=4),
            "2 wrong of 3 answered; 3 not exposed, 4 not offered",
        ),
        (Answers(right=1), "0 wrong of 1 answered"),
        (Answers(right=1, wrong=2, unasked=3), "2 wrong of 3 answered; 3 never asked"),
    ],
    ids=["none-in-part", "all-kinds", "right-alone", "never-asked"],
)
def test_right_wrong_partial_and_missing_answers_are_counted_separately(answers, text):
    assert summary.answers_text(answers) == text


#: Failures in a few words: fields of the vector, the reply, the outcome.
EXAMPLES = [
    pytest.param({"url": "http://a@b@c/", "expect": {"valid": False, "at": 10}}, {"status": "ok"}, "fail",
                 "accepts http://a@b@c/", id="accepted"),
    pytest.param({"url": "http://a b/", "expect": {"valid": False, "at": 8}}, {"status": "ok"}, "fail",
                 "accepts 'http://a b/'", id="blank"),
    pytest.param({"url": "\n", "rule": "host", "expect": {"valid": False, "at": 0}}, {"status": "ok"}, "fail",
                 "accepts \\u{a} as host", id="rule"),
    pytest.param({"url": {"hex": "ff"}}, {"status": "reject"}, "fail",
                 "rejects bytes '\\xff' as URI", id="bytes"),
    pytest.param({"op": "parse", "url": "a:b", "expect": {"components": {"path": "b"}}},
                 {"status": "ok", "components": {"path": ""}}, "fail", "a:b: path is empty", id="parsed"),
    pytest.param({"op": "recompose", "components": {"path": "a"}, "expect": {"result": "a"}},
                 {"status": "ok", "url": "a?"}, "fail", "recomposes to a?, not a", id="recomposed"),
    pytest.param({}, {}, "crash", "crashes on a:b", id="crash"),
    pytest.param({}, {}, "timeout", "times out on a:b", id="timeout"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "got", "outcome", "text"), EXAMPLES)
def test_an_example_is_described_in_a_few_words(make_case, record, fields, got, outcome, text):
    case = make_case("rfc3986-3.3-x", **fields)
    answer = Result(case.vector.id, "lib", outcome, detail="path is empty", got=got)
    results = record([case], LIB, answer)
    (failure,) = stored_failures(results, LIB)
    assert summary.example_text(failure) == text


def test_an_example_of_a_resolution_is_described_by_reference_and_targets(make_case, record):
    expect = {"result": "http://a/c"}
    case = make_case("rfc3986-5.2-x", op="resolve", base="http://a/b", reference="../c", expect=expect)
    without_url = msgspec.structs.replace(case.vector, url=msgspec.UNSET)
    answer = Result(case.vector.id, "lib", "fail", got={"status": "ok", "url": "http://a/../c"})
    results = record([msgspec.structs.replace(case, vector=without_url)], LIB, answer)
    (failure,) = stored_failures(results, LIB)
    assert summary.example_text(failure) == "resolves ../c to http://a/../c, not http://a/c"


def invalid_url_cases(make_case, urls, **fields):
    """Return cases of these URLs, which are invalid from their blank on."""
    cases = []
    for name, url in urls.items():
        expect = {"valid": False, "at": url.index(" ")}
        cases.append(make_case(f"rfc3986-3.3-{name}", url=url, expect=expect, **fields))
    return cases


def example_of(record, cases) -> str:
    """Return the id of the telling example of a library that fails these cases."""
    results = record(cases, LIB, *(Result(case.vector.id, "lib", "fail") for case in cases))
    return summary.telling_example(stored_failures(results, LIB), LIB).result.id


def test_the_telling_example_is_the_shortest_of_equally_serious_failures(make_case, record):
    urls = {"long": "http://a b/c/d", "short": "http://a b/"}
    assert example_of(record, invalid_url_cases(make_case, urls)) == "rfc3986-3.3-short"


def test_the_telling_example_is_a_failure_in_the_host_before_a_shorter_one_in_the_path(make_case, record):
    urls = {"path": "a:b c", "host": "http://a b/"}
    assert example_of(record, invalid_url_cases(make_case, urls)) == "rfc3986-3.3-host"


def test_the_telling_example_is_written_by_a_person_before_a_shorter_witness(make_case, record):
    cases = [
        *invalid_url_cases(make_case, {"witness": "a b"}, origin="mutant"),
        *invalid_url_cases(make_case, {"human": "http://a b/"}),
    ]
    assert example_of(record, cases) == "rfc3986-3.3-human"


@pytest.mark.parametrize(
    ("specs", "example"),
    [
        pytest.param(("rfc3986",), "rfc3986-3.2-ats", id="one-claim"),
        pytest.param(("rfc3986", "rfc1808"), "rfc3986-3.2-long-host", id="both-claims"),
    ],
)
def test_an_answer_that_is_right_under_a_claimed_rfc_is_no_example(make_case, record, specs, example):
    """RFC 1808, section 2.2: a net_loc has any number of @."""
    cases = [
        make_case("rfc3986-3.2-ats", rule="URI-reference", url="//a@b@c", expect={"valid": False, "at": 5}),
        make_case(
            "rfc3986-3.2-long-host", rule="URI-reference", url="//a|bcdefgh", expect={"valid": False, "at": 3}
        ),
    ]
    participant = Participant("lib", "ran", specs=specs)
    answers = [Result(case.vector.id, "lib", "fail", got={"status": "ok"}) for case in cases]
    results = record(cases, participant, *answers)
    failures = stored_failures(results, participant)
    assert summary.telling_example(failures, participant).result.id == example


@pytest.fixture
def sections_with_examples(monkeypatch):
    """The sections for which an example has been looked for."""
    sections = []
    look_for_example = summary.telling_example

    def remember(failures, participant):
        sections.append(failures[0].asked.case.section)
        return look_for_example(failures, participant)

    monkeypatch.setattr(summary, "telling_example", remember)
    return sections


#: Two sections about the host, the second with more failures, and one about the path.
FAILED_URLS = {
    "3.1": ["http://a b/"],
    "3.2": ["http://a b/", "http://c d/"],
    "3.3": ["a:b c", "a:c d", "a:d e"],
}


@pytest.fixture
def failed_sections(make_case, record):
    """The sections of `FAILED_URLS`."""
    cases = []
    for section, urls in FAILED_URLS.items():
        for number, url in enumerate(urls):
            expect = {"valid": False, "at": url.index(" ")}
            identifier = f"rfc3986-{section}-{number}"
            cases.append(make_case(identifier, url=url, expect=expect, requirement=f"{section}.{number}"))
    results = record(cases, LIB, *(Result(case.vector.id, "lib", "fail") for case in cases))
    return summary.failed_sections(results, LIB)


@pytest.mark.parametrize(
    ("limit", "sections"),
    [
        pytest.param(1, ["3.2"], id="the-worst"),
        pytest.param(2, ["3.2", "3.1"], id="grave-ones"),
        pytest.param(3, ["3.2", "3.1", "3.3"], id="all"),
    ],
)
def test_the_worst_sections_are_the_first_ones_of_all(failed_sections, limit, sections):
    assert [section.section for section in summary.worst_of_failed(failed_sections, limit)] == sections


def test_no_example_is_looked_for_in_sections_that_cannot_be_grave(failed_sections, sections_with_examples):
    """The RFCs, whose languages are compiled first, may have to be asked for an example."""
    summary.worst_of_failed(failed_sections, 3)
    assert sorted(sections_with_examples) == ["3.1", "3.2"]


def test_no_example_is_looked_for_in_sections_that_are_not_among_the_worst(
    failed_sections, sections_with_examples
):
    summary.worst_of_failed(failed_sections, 1)
    assert sections_with_examples == ["3.2"]


def test_a_section_without_an_example_says_why(make_case, record):
    case = make_case("rfc3986-3.2-ats", rule="URI-reference", url="//a@b@c", expect={"valid": False, "at": 5})
    participant = Participant("lib", "ran", specs=("rfc3986", "rfc1808"))
    results = record([case], participant, Result(case.vector.id, "lib", "fail", got={"status": "ok"}))
    (section,) = summary.worst_sections(results, participant, 1)
    assert section.text == "no example: all are right under another RFC"


@pytest.fixture
def two_sections(make_case, record):
    """Results of one right and one wrong section."""
    answers = [Result("rfc3986-3.1-x", "lib", "pass"), Result("rfc3986-3.2-x", "lib", "fail")]
    return record([make_case(answer.id) for answer in answers], LIB, *answers)


def test_the_scores_of_sections_add_up_to_that_of_the_rfc(two_sections):
    total = summary.total_score(row["lib"] for row in scores_by_section(two_sections).values())
    assert total == scores_by_spec(two_sections)["rfc3986"]["lib"]


def test_a_total_score_counts_statements_and_failures(two_sections):
    total = summary.total_score(row["lib"] for row in scores_by_section(two_sections).values())
    assert total.statements == 2
    assert total.failing == 1


def test_each_outcome_has_a_kind():
    assert summary.KIND_OF.keys() == set(Outcome)


def decided(*, passed: bool, name: str = "", text: str) -> Headline:
    """Return the headline of a run that is a success or a failure."""
    return Headline(passed, name, text)


def undecided(name: str, text: str) -> Headline:
    """Return the headline of a run that is neither a success nor a failure."""
    return Headline(False, name, text, neutral=True)


#: The outcomes of as many cases, the participants, and the headline.
HEADLINES = [
    pytest.param(
        ("pass", "variant"), (LIB,), decided(passed=True, name="lib", text="0 wrong of 2 answered"), id="pass"
    ),
    pytest.param(
        ("pass", "fail"), (LIB,), decided(passed=False, name="lib", text="1 wrong of 2 answered"), id="fail"
    ),
    pytest.param(
        ("crash", "fail"), (LIB,), decided(passed=False, name="lib", text="2 wrong of 2 answered"), id="crash"
    ),
    pytest.param(
        ("pass", "unsupported"),
        (LIB,),
        decided(passed=True, name="lib", text="0 wrong of 1 answered; 1 not offered"),
        id="some-not-offered",
    ),
    pytest.param(
        ("unsupported",), (LIB,), undecided("lib", "0 wrong of 0 answered; 1 not offered"), id="unsupported"
    ),
    pytest.param(
        ("partial",), (LIB,), undecided("lib", "0 wrong of 0 answered; 1 not exposed"), id="partial"
    ),
    pytest.param(
        ("unsupported",),
        (LIB, TWO),
        undecided("", "2 of 2 implementations gave no complete answer: 0 wrong of 0 answered; 2 not offered"),
        id="two-without-a-complete-answer",
    ),
    pytest.param(
        ("fail", "pass", "unsupported"),
        (LIB, TWO),
        undecided("", "2 of 2 implementations gave wrong answers: 2 wrong of 4 answered; 2 not offered"),
        id="two-with-wrong-answers",
    ),
    pytest.param(("pass",), (LIB, TWO), decided(passed=True, text="0 wrong of 2 answered"), id="two-right"),
    pytest.param(
        ("fail",),
        (ELSE,),
        decided(passed=False, name="else", text="1 wrong of 1 answered"),
        id="no-rfc-that-it-claims",
    ),
    pytest.param(
        ("pass",),
        (LIB, GONE),
        decided(passed=True, name="lib", text="0 wrong of 1 answered"),
        id="not-installed",
    ),
    pytest.param((), (GONE,), decided(passed=False, text="nothing ran"), id="none-installed"),
    pytest.param((), (DEAD,), decided(passed=False, name="dead", text="it did not start"), id="dead"),
    pytest.param(
        ("pass",),
        (LIB, DEAD),
        decided(passed=False, text="1 of 2 implementations did not start: 0 wrong of 1 answered"),
        id="one-dead",
    ),
    pytest.param(
        ("fail",),
        (LIB, DEAD),
        decided(
            passed=False,
            text="1 of 2 implementations gave wrong answers, 1 did not start: 1 wrong of 1 answered",
        ),
        id="one-wrong-and-one-dead",
    ),
]


@pytest.mark.parametrize(("outcomes", "participants", "headline"), HEADLINES)
def test_the_headline_without_a_gate_counts_what_was_right(
    make_case, record, outcomes, participants, headline
):
    cases = [make_case(f"rfc3986-3.{number}-x") for number in range(max(1, len(outcomes)))]
    answers = []
    for participant in participants:
        if participant.state == "ran":
            for case, outcome in zip(cases, outcomes, strict=True):
                answers.append(Result(case.vector.id, participant.name, outcome))
    assert summary.headline(record(cases, *participants, *answers)) == headline


@pytest.mark.parametrize(
    ("headline", "state"),
    [
        (decided(passed=True, text="x"), "passed"),
        (decided(passed=False, text="x"), "failed"),
        (undecided("lib", "x"), "neutral"),
    ],
    ids=["success", "failure", "neither"],
)
def test_a_headline_has_a_state(headline, state):
    assert headline.state == state


@pytest.fixture
def unknown_names(make_case, record):
    """Results with two unknown names, one of them twice, and the name of another RFC."""
    cases = [make_case(f"rfc3986-3.2.2-{number}", op="parse") for number in range(2)]
    replies = [{"scheme": "a", "hostname": "h", "net_loc": "h"}, {"hostname": "h", "x": None}]
    answers = [
        Result(case.vector.id, "a", "partial", got={"status": "ok", "components": components})
        for case, components in zip(cases, replies, strict=True)
    ]
    return record(cases, RAN, *answers)


_UNKNOWN_NAMES = [
    "a: unknown component 'hostname' in 2 answers, ignored; a component is called host.",
    "a: unknown component 'x' in 1 answer, ignored.",
]


def test_each_unknown_component_is_named_once(unknown_names):
    assert unknown_names_in_words(unknown_names) == _UNKNOWN_NAMES


@pytest.mark.parametrize("sentence", _UNKNOWN_NAMES)
def test_the_terminal_names_an_unknown_component(unknown_names, on_terminal, sentence):
    assert sentence in on_terminal(unknown_names).replace("\n", " ")


def test_markdown_names_an_unknown_component(unknown_names):
    assert "unknown component 'hostname' in 2 answers" in markdown.render(unknown_names)


def test_the_page_names_an_unknown_component(unknown_names):
    assert page.render(unknown_names).count("unknown component &#39;hostname&#39;") == 1


def test_an_example_shows_letters_that_resemble_others_as_escapes(make_case, record):
    case = make_case(
        "rfc3986-3.2.2-wide", url="http://\uff48/", expect={"valid": False, "at": 7, "rules": ["host"]}
    )
    results = record([case], LIB, Result(case.vector.id, "lib", "fail", got={"status": "ok"}))
    (section,) = summary.worst_sections(results, results.participant("lib"), 5)
    assert section.text == "accepts http://\\u{ff48}/"


def test_cases_that_were_never_asked_are_no_wrong_answers(make_case, record):
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(4)]
    outcomes = ["pass", "fail", "aborted", "aborted"]
    answers = [Result(case.vector.id, "lib", outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    results = record(cases, LIB, *answers)
    assert summary.headline(results).text == "1 wrong of 2 answered; 2 never asked"


@pytest.fixture
def given_up(make_case, record):
    """A run with a wrong answer in section 3.3, and an adapter that is given up before section 5.2."""
    cases = [make_case("rfc3986-3.3-a"), make_case("rfc3986-3.3-b"), make_case("rfc3986-5.2-c")]
    ends = ["pass", "fail", "aborted"]
    ended_cases = zip(cases, ends, strict=True)
    answers = [Result(case.vector.id, "lib", end, detail="its time is up") for case, end in ended_cases]
    return record(cases, LIB, *answers)


@pytest.fixture
def all_asked(make_case, record):
    """A run with a wrong answer in section 3.3."""
    case = make_case("rfc3986-3.3-a")
    return record([case], LIB, Result(case.vector.id, "lib", "fail"))


def test_a_section_that_was_never_asked_is_not_among_the_most_failed(given_up):
    sections = summary.worst_sections(given_up, given_up.participant("lib"), 5)
    assert [section.section for section in sections] == ["3.3"]


def with_single_blanks(text):
    """Return the lines of a text without the blanks that align columns."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_the_terminal_counts_what_was_never_asked_in_a_column(given_up, on_terminal):
    """The columns are right, wrong, not exposed, not offered and never asked."""
    lines = with_single_blanks(on_terminal(given_up))
    assert [line for line in lines if line.startswith("lib 1 1 0 0 1")] != []


#: How the rows of section 5.2 and its vectors begin and end: there is one, none is held, failed, partly
#: answered or open, and one was never asked.
NEVER_ASKED_ROWS = [
    pytest.param("5.2", " 1 · · · · 1", id="statements"),
    pytest.param("vectors", " 1 · · · · 1", id="vectors"),
]


@pytest.mark.parametrize(("beginning", "end"), NEVER_ASKED_ROWS)
def test_the_table_of_sections_counts_what_was_never_asked_in_a_column(given_up, on_terminal, beginning, end):
    lines = with_single_blanks(on_terminal(given_up, sections=True))
    assert [line for line in lines if line.startswith(beginning) and line.endswith(end)] != []


def test_no_table_on_the_terminal_has_a_column_for_what_was_never_asked_if_all_was(all_asked, on_terminal):
    assert "never asked" not in on_terminal(all_asked, sections=True, components=True)


def test_the_table_of_components_says_which_number_is_never_asked(given_up, on_terminal):
    text = on_terminal(given_up, components=True).replace("\n", " ")
    assert "not exposed, not offered, never asked." in text


def test_a_section_of_markdown_counts_what_was_never_asked_in_a_column(given_up):
    report = markdown.render(given_up)
    assert "| not exposed | not offered | never asked | J |" in report
    (row,) = (line for line in report.splitlines() if line.startswith("| 5.2"))
    *_, not_exposed, not_offered, never_asked, _j, _end = (cell.strip() for cell in row.split("|"))
    assert not_exposed == ""
    assert not_offered == ""
    assert never_asked == "1"


def test_markdown_has_no_column_for_what_was_never_asked_if_all_was(all_asked):
    assert "never asked" not in markdown.render(all_asked)


def test_markdown_counts_statements_that_were_never_asked_beside_two_libraries(make_case, record):
    case = make_case("rfc3986-5.2-c")
    answers = [Result(case.vector.id, "lib", "aborted"), Result(case.vector.id, "lib2", "pass")]
    report = markdown.render(record([case], LIB, Participant("lib2", "ran"), *answers))
    assert "| 0 of 1 · 1 never asked | 1 of 1 |" in report


def test_markdown_counts_what_was_never_asked_in_a_column(given_up):
    assert "| not offered | never asked | complies with |" in markdown.render(given_up)
    assert "| **lib** | 1 | 1 | 0 | 0 | 0 | 1 |" in markdown.render(given_up)


def test_markdown_lists_no_failure_of_a_question_that_was_never_asked(given_up):
    assert "rfc3986-5.2-c" not in markdown.render(given_up)


def page_text(results):
    """Return the text of the page, with single blanks and without markup."""
    without_markup = re.sub(r"<[^>]*>", "", page.render(results))
    return re.sub(r"\s+", " ", without_markup)


def test_the_page_counts_what_was_never_asked(given_up):
    assert "1 right, 1 wrong, 1 never asked" in page_text(given_up)


def test_a_library_that_was_given_up_without_a_wrong_answer_does_not_pass(make_case, record):
    case = make_case("rfc3986-3.3-a")
    results = record([case], LIB, Result(case.vector.id, "lib", "aborted"))
    assert summary.headline(results).state == "failed"


def test_the_first_failures_count_what_was_never_asked_and_do_not_list_it(given_up, capsys):
    print_first_failures(Console(width=100), given_up, "lib")
    printed = capsys.readouterr().out
    assert "rfc3986-5.2-c" not in printed
    assert "... 1 required case was never asked: its time is up" in printed
