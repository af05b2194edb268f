"""The tables of the HTML report: their figures, links and verdicts, against counts of their own."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import msgspec
import pytest
import report_samples
from html_text import Page

from urlharness.corpus.model import Case, Expected, Requirement, Vector
from urlharness.corpus.specifications import DEFAULT_SPECS
from urlharness.exitcodes import Exit
from urlharness.gate.findings import Finding
from urlharness.gate.gate import Judgement, decide
from urlharness.gate.update import create
from urlharness.protocol.messages import Implementation
from urlharness.report import summary
from urlharness.report.failures import FindingGroup, groups_of_new_findings
from urlharness.report.html import tables
from urlharness.report.html.cases import first_query
from urlharness.report.html.page import link, render
from urlharness.report.summary import quality, total_score
from urlharness.results.model import AskedVector, Participant, Result
from urlharness.results.scores import scores_by_spec
from urlharness.results.verdict import Outcome
from urlharness.wording import rfc

#: The kinds of answers by outcome; all other outcomes are wrong.
ANSWER_KINDS = {
    "unsupported": "not offered",
    "partial": "not exposed",
    "pass": "right",
    "variant": "right",
    "aborted": "never asked",
}

STATES = ("held", "failed", "partly answered", "open")
ANSWERS = ("right", "wrong", "not exposed", "not offered", "never asked")


class RequiredAnswers:
    """The answers of a run to required vectors, counted without the code of the scores."""

    def __init__(self, results):
        self._answers = {}
        for name in (participant.name for participant in results.participants):
            for answer in results.of(name).values():
                case = results.vectors[answer.id].case
                if case.vector.binding == "required":
                    self._answers.setdefault((name, case.spec), []).append((case, answer.outcome))

    def _of_section(self, name, spec, section):
        """Return (case, outcome) of each answer in a section or below it, or in the whole RFC."""
        answers = self._answers.get((name, spec), [])
        if not section:
            return answers
        return [pair for pair in answers if f"{pair[0].section}.".startswith(f"{section}.")]

    def states(self, name, spec, section=""):
        """Count the statements of a section and those below it by state."""
        outcomes_by_statement = {}
        for case, outcome in self._of_section(name, spec, section):
            outcomes_by_statement.setdefault(case.vector.requirement, []).append(outcome)
        return Counter(state_of(outcomes) for outcomes in outcomes_by_statement.values())

    def kinds(self, name, spec, section=""):
        """Count the vectors of a section and those below it by the kind of their answer."""
        answers = self._of_section(name, spec, section)
        return Counter(ANSWER_KINDS.get(outcome, "wrong") for _, outcome in answers)

    def kinds_of_witnesses(self, name, spec, section=""):
        """Count the witnesses of a section and those below it by the kind of their answer."""
        answers = self._of_section(name, spec, section)
        witnesses = [outcome for case, outcome in answers if case.vector.origin == "mutant"]
        return Counter(ANSWER_KINDS.get(outcome, "wrong") for outcome in witnesses)


def state_of(outcomes):
    """Return the state of a statement whose vectors have these outcomes."""
    kinds = {ANSWER_KINDS.get(outcome, "wrong") for outcome in outcomes}
    if "wrong" in kinds:
        return "failed"
    if kinds == {"right"}:
        return "held"
    return "open" if kinds <= {"not offered", "never asked"} else "partly answered"


@pytest.fixture(scope="session")
def required_answers(results):
    """The answers of `results` to required vectors."""
    return RequiredAnswers(results)


def in_words(counts, names):
    """Return the counts that are not 0 in words."""
    return ", ".join(f"{counts[name]:,} {name}" for name in names if counts[name]) or "none"


def run_of_outcomes(
    path, outcomes, *, name="lib", state="ran", specs=("rfc3986",), bindings=(), origins=(), **options
):
    """Return a run with a vector to validate for each outcome or None; texts are valid and invalid in turn.

    `bindings` and `origins` are those of the vectors.
    """
    requirement = Requirement("r", "3.1", 1, "0" * 12, "must", "States it.")
    asked_vectors = []
    outcome_by_id = {}
    for number, outcome in enumerate(outcomes):
        vector = Vector(
            id=f"v{number}",
            requirement="r",
            level="must",
            op="validate",
            rule="URI",
            url="a",
            binding=bindings[number] if bindings else "required",
            origin=origins[number] if origins else None,
            expect=Expected(valid=number % 2 == 0),
        )
        asked_vectors.append(AskedVector(Case("rfc3986", "3.1", vector, "f.json"), requirement, "Scheme"))
        outcome_by_id[vector.id] = outcome

    def answer(case, participant):
        outcome = outcome_by_id[case.vector.id]
        if outcome is None or state == "not installed":
            return None
        return Result(case.vector.id, participant.name, outcome)

    participants = (Participant(name, state, specs=specs),)
    return report_samples.write(path, asked_vectors, participants, answer, **options)


def only_cell(page, table):
    """Return the only cell of a table with one RFC or section and one implementation."""
    _head, (_title, cell) = page.table(table)
    return cell


def test_the_first_table_has_a_column_for_each_rfc(page, results):
    _, *heads = page.table("overview sortable")[0]
    assert [head[: len("RFC 3986")] for head in heads] == [rfc(spec) for spec in scores_by_spec(results)]


def row_titles(page):
    """Return the titles of the rows of the first table."""
    return [title for title, *_ in page.table("overview sortable")[1:]]


def test_the_first_table_has_a_row_for_each_library_but_not_for_a_reference_that_is_right(page):
    titles = row_titles(page)
    reference, *names = page.data()["implementations"]
    assert reference == "reference"
    assert len(titles) == len(names)
    words_of_titles = [word for title in titles for word in title.split()]
    assert [name for name in names if name not in words_of_titles] == []


def test_the_first_table_has_the_best_library_first(page, results):
    """By the share of held statements among those that are held or failed, of the claimed RFCs."""
    scores = scores_by_spec(results)
    qualities = []
    for title in row_titles(page):
        (name,) = results.results.keys() & set(title.split())
        claimed = results.participant(name).specs or scores
        qualities.append(quality(total_score([scores[spec][name] for spec in scores if spec in claimed])))
    assert qualities == sorted(qualities, reverse=True)
    assert len(set(qualities)) > 1


@pytest.mark.parametrize("title", ["urllib.parse 3.13.1 urllib", "java.net.URI 17.0.13 java-net-uri"])
def test_a_row_has_the_name_of_the_library_then_that_of_the_adapter(page, title):
    assert title in row_titles(page)


def test_libraries_of_one_name_are_called_by_their_adapters_too(corpus):
    results = report_samples.many_results(corpus, 20, 3)
    library = Implementation("url", "1", "c")
    participants = tuple(
        msgspec.structs.replace(participant, implementation=library, specs=("rfc3986",))
        for participant in results.participants
    )
    page = Page(render(msgspec.structs.replace(results, participants=participants)))
    assert sorted(row_titles(page)) == ["browser-fast 1 url", "rfc-fast 1 url"]


def test_the_page_says_that_the_reference_is_right(page):
    assert "reference: everything asked is right" in page.text


@pytest.mark.parametrize("name", ["urllib", "node-url", "java-net-uri"])
def test_a_row_of_the_first_table_counts_statements_and_vectors_of_each_rfc(
    page, results, required_answers, name
):
    (row,) = (row for row in page.table("overview sortable") if name in row[0].split())
    for spec, cell in zip(scores_by_spec(results), row[1:], strict=True):
        states = required_answers.states(name, spec)
        kinds = required_answers.kinds(name, spec)
        answered = kinds["right"] + kinds["wrong"]
        assert cell.startswith(f"{100 * states['held'] // states.total()} % "), spec
        assert in_words(states, STATES) in cell, spec
        assert f"{kinds['wrong']:,} wrong of {answered:,} answered" in cell, spec


def test_the_reference_has_a_row_if_it_is_alone(tmp_path):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("pass",), name="reference")))
    _, row = page.table("overview sortable")
    assert "reference" in row[0].split()


def test_the_reference_has_a_row_if_it_is_wrong(corpus, tmp_path):
    asked_vectors = report_samples.asked_of(corpus, 2)

    def answer(case, participant):
        wrong = case is asked_vectors[0].case and participant.name == "reference"
        return Result(case.vector.id, participant.name, "fail" if wrong else "pass")

    results = report_samples.write(
        tmp_path / "w.jsonl", asked_vectors, report_samples.PARTICIPANTS[:2], answer
    )
    _, first_row, second_row = Page(render(results)).table("overview sortable")
    names = [row[0].split()[-1] for row in (first_row, second_row)]
    assert sorted(names) == ["reference", "urllib"]


@pytest.fixture(scope="module")
def figures(page, results):
    """The rows of the figures of each RFC and implementation, each with the names of its columns."""
    rows_by_place = {}
    for number, (spec, scores) in enumerate(scores_by_spec(results).items()):
        head, *rows = page.table("figures sortable", number)
        for name, row in zip(scores, rows, strict=True):
            rows_by_place[spec, name] = dict(zip(head, row, strict=True))
    assert {spec for spec, _ in rows_by_place} == {*DEFAULT_SPECS}
    return rows_by_place


def test_the_figures_of_an_rfc_have_a_row_for_each_implementation(figures):
    names = {spec_and_name: row["Implementation"] for spec_and_name, row in figures.items()}
    assert names == {(spec, name): name for spec, name in figures}


def verdict_in_words(score, *, claimed):
    """Return the beginning of the verdict of a complete run."""
    if score.complies:
        return "complies"
    if not claimed:
        return "not claimed"
    return "does not comply" if score.failing else "not all answered"


def test_the_figures_of_an_rfc_begin_with_its_verdict(figures, results):
    scores = scores_by_spec(results)
    claimed = {participant.name: participant.specs or DEFAULT_SPECS for participant in results.participants}
    wrong_cells = {}
    for (spec, name), row in figures.items():
        verdict = verdict_in_words(scores[spec][name], claimed=spec in claimed[name])
        if not row["Verdict"].startswith(verdict):
            wrong_cells[spec, name] = row["Verdict"]
    assert wrong_cells == {}


def test_the_figures_of_an_rfc_count_its_statements_by_state(figures, required_answers):
    wrong_cells = {}
    for (spec, name), row in figures.items():
        states = required_answers.states(name, spec)
        if f"{in_words(states, STATES)} of {states.total():,}" not in row["Statements"]:
            wrong_cells[spec, name] = row["Statements"]
    assert wrong_cells == {}


def test_the_figures_of_an_rfc_count_its_answers_by_kind(figures, required_answers):
    wrong_cells = {}
    for (spec, name), row in figures.items():
        counts = in_words(required_answers.kinds(name, spec), ANSWERS)
        if not row["Required vectors"].startswith(counts):
            wrong_cells[spec, name] = row["Required vectors"]
    assert wrong_cells == {}


def test_the_figures_of_an_rfc_count_the_answers_to_witnesses_by_kind(figures, required_answers):
    wrong_cells = {}
    for (spec, name), row in figures.items():
        counts = in_words(required_answers.kinds_of_witnesses(name, spec), ANSWERS)
        if not row["Witnesses among them"].startswith(counts):
            wrong_cells[spec, name] = row["Witnesses among them"]
    assert wrong_cells == {}


@pytest.mark.parametrize("mean", ["accepted", "rejected", "components", "results", "coverage"])
def test_the_figures_of_an_rfc_have_its_means(figures, results, mean):
    scores = scores_by_spec(results)
    means = {(spec, name): summary.percent(getattr(scores[spec][name], mean)) for spec, name in figures}
    assert {spec_and_name: row[mean] for spec_and_name, row in figures.items()} == means


@pytest.fixture(scope="module")
def section_rows(page, results):
    """The RFC, the section and the cells by implementation of each row about a section."""
    rows = list(rows_of_sections(page, results))
    assert {spec for spec, _, _ in rows} == {*DEFAULT_SPECS}
    return rows


def rows_of_sections(page, results):
    """Yield the RFC, the section and the cells by implementation of each row about a section."""
    for number, spec in enumerate(scores_by_spec(results)):
        (_, *names), *rows = page.table("sections sortable", number)
        for row in rows:
            title, *cells = row
            yield spec, title.split()[0], dict(zip(names, cells, strict=True))


def test_every_section_has_a_row_with_its_statements_and_vectors(section_rows, required_answers):
    for spec, section, cells in section_rows:
        for name, cell in cells.items():
            states = required_answers.states(name, spec, section)
            kinds = required_answers.kinds(name, spec, section)
            total = f" of {states.total()}" if states else ""
            assert f"{in_words(states, STATES)}{total}" in cell, (spec, section, name)
            counts_in_words = [f"{kinds[kind]:,} {kind}" for kind in ANSWERS if kinds[kind]]
            assert [words for words in counts_in_words if words not in cell] == [], (spec, section, name)


def test_the_row_of_a_section_mentions_witnesses_if_it_has_any(section_rows, required_answers):
    numbers_of_witnesses = set()
    for spec, section, cells in section_rows:
        for name, cell in cells.items():
            witnesses = required_answers.kinds_of_witnesses(name, spec, section).total()
            assert ("witnesses" in cell) == (witnesses > 0), (spec, section, name)
            numbers_of_witnesses.add(witnesses)
    assert len(numbers_of_witnesses - {0}) > 0
    assert 0 in numbers_of_witnesses


#: Sections with vectors whose titles are "References" and "Author's Address".
WITHOUT_ROW = {("rfc1738", "references"), ("rfc1808", "8")}


def test_references_and_addresses_have_no_row(section_rows, results):
    sections_asked = {(vector.case.spec, vector.case.section) for vector in results.vectors.values()}
    assert sections_asked >= WITHOUT_ROW
    sections_shown = {(spec, section) for spec, section, _ in section_rows}
    assert sections_shown != set()
    assert sections_shown.isdisjoint(WITHOUT_ROW)


@pytest.fixture(scope="module")
def links(page):
    """The targets of all links of the page."""
    return page.targets()


def test_each_section_links_to_its_cases(section_rows, links):
    targets = {link(spec=spec, section=section) for spec, section, _ in section_rows}
    assert targets != set()
    assert targets - links == set()


def test_a_section_links_to_its_wrong_answers_if_there_are_any(section_rows, required_answers, links):
    is_linked = {}
    has_wrong_answers = {}
    for spec, section, _ in section_rows:
        target = link(spec=spec, section=section, impl="urllib", outcome="wrong", binding="required")
        is_linked[spec, section] = target in links
        has_wrong_answers[spec, section] = required_answers.kinds("urllib", spec, section)["wrong"] > 0
    assert set(is_linked.values()) == {True, False}
    assert is_linked == has_wrong_answers


@pytest.fixture(scope="module")
def heat_maps(page, results):
    """The rows of the heat map of each RFC, by section, each with its cells by implementation."""
    specs_by_title = {rfc(spec): spec for spec in scores_by_spec(results)}
    maps = {}
    for number in range(len(specs_by_title)):  # their order is that of the columns of the screen
        (title, *names), *rows = page.table("dense sortable", number)
        spec = specs_by_title.pop(title)
        maps[spec] = {}
        for section_title, *cells in rows:
            section = "appendix" if section_title.startswith("App.") else section_title.split()[0]
            maps[spec][section] = dict(zip(names, cells, strict=True))
    assert maps.keys() == {*DEFAULT_SPECS}
    return maps


def test_the_heat_map_has_the_sections_of_the_first_level(heat_maps):
    assert [*heat_maps["rfc1808"]] == ["1", "2", "3", "4", "5", "10"]


def share_in_heat_map(states):
    """Return the percentage of statements that hold, or a dot if none is held or failed."""
    decided = states["held"] + states["failed"]
    return str(100 * states["held"] // states.total()) if decided else "\u00b7"


def test_the_heat_map_has_the_share_of_statements_that_hold(heat_maps, required_answers):
    for spec, sections in heat_maps.items():
        for section, cells in sections.items():
            states = {name: required_answers.states(name, spec, section) for name in cells}
            shares = {name: share_in_heat_map(states[name]) for name in cells}
            assert cells == shares, (spec, section)


@pytest.mark.parametrize(
    ("outcomes", "shade"),
    [
        (("pass", "pass"), "full"),
        (("pass", "unsupported"), "open"),
        (("unsupported", "unsupported"), "open"),
        (("partial", "pass"), "open"),
        (("pass", "fail"), "red-3"),
        (("unsupported", "crash"), "red-3"),
    ],
    ids=["right", "one-missing", "all-missing", "one-in-part", "half-wrong", "wrong-and-missing"],
)
def test_the_colour_of_a_failure_is_not_that_of_a_missing_answer(tmp_path, outcomes, shade):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", outcomes)))
    classes = [
        attributes["class"]
        for _, attributes in page.elements
        if attributes.get("class", "").startswith("heat h-") and "title" in attributes
    ]
    assert classes == [f"heat h-{shade}"]


#: The numbers of failed and held statements, and the shade; shades begin above 10, 33 and 66 % that failed.
SHADES = [
    pytest.param(1, 9, "red-0", id="a-tenth"),
    pytest.param(1, 3, "red-1", id="a-quarter"),
    pytest.param(3, 2, "red-2", id="three-fifths"),
    pytest.param(2, 1, "red-3", id="two-thirds"),
    pytest.param(1, 0, "red-3", id="all"),
]


@pytest.mark.parametrize(("failed", "held", "shade"), SHADES)
def test_a_section_is_the_redder_the_more_of_its_statements_fail(failed, held, shade):
    """Open statements do not count."""
    score = tables.Score()
    score.states.update({tables.State.FAILED: failed, tables.State.HELD: held, tables.State.OPEN: 5})
    assert tables.Cell("lib", score).shade == shade


@pytest.fixture(scope="module")
def components(page, results):
    """The rows of the components of RFC 1808, each with its cells by implementation."""
    number = list(scores_by_spec(results)).index("rfc1808")
    (_, *names), *rows = page.table("components sortable", number)
    return {component: dict(zip(names, cells, strict=True)) for component, *cells in rows}


#: The row of the URLs for which a library returned no components.
WITHOUT_COMPONENTS = "URL refused, or no component shown"


def test_components_are_in_the_order_of_the_rfc(components):
    assert [*components] == ["scheme", "net_loc", "path", "params", "query", "fragment", WITHOUT_COMPONENTS]


#: The components that an implementation shows of three URLs with host `h` and path `/p`, and what the page
#: says of its hosts and of its paths.
COMPONENTS_SHOWN = [
    pytest.param([{"host": "h", "path": "/p"}] * 3, "3 right", "3 right", id="all-right"),
    pytest.param(
        [{"host": "h", "path": "/p"}, {"host": "g", "path": "/p"}, {"path": "/p"}],
        "1 right, 1 wrong, 1 not exposed",
        "3 right",
        id="host-right-wrong-and-not-shown",
    ),
    pytest.param(
        [{"host": "h", "path": "/p"}, {"host": "h", "path": "/q"}, {"host": "h"}],
        "3 right",
        "1 right, 1 wrong, 1 not exposed",
        id="path-right-wrong-and-not-shown",
    ),
]


@pytest.mark.parametrize(("shown", "hosts", "paths"), COMPONENTS_SHOWN)
def test_the_answers_to_each_component_are_counted(make_case, record, shown, hosts, paths):
    """A cell has the counts as the title of its bar and as its words."""
    expect = {"components": {"host": "h", "path": "/p"}}
    cases = []
    answers = []
    for number, components_shown in enumerate(shown):
        case = make_case(f"rfc3986-3-x{number}", op="parse", rule=None, expect=expect)
        cases.append(case)
        reply = {"status": "ok", "components": components_shown}
        answers.append(Result(case.vector.id, "lib", "fail", got=reply))
    page = Page(render(record(cases, Participant("lib", "ran"), *answers)))
    _head, *rows = page.table("components sortable")
    assert rows == [["host", f"{hosts} {hosts}"], ["path", f"{paths} {paths}"]]


@pytest.mark.parametrize(
    ("outcome", "names"),
    [("fail", ["path", WITHOUT_COMPONENTS]), ("unsupported", ["path"])],
    ids=["wrong", "not-offered"],
)
def test_urls_without_components_have_a_row_if_that_is_wrong(make_case, record, outcome, names):
    case = make_case("rfc3986-3-x", op="parse", rule=None, expect={"components": {"path": "b"}})
    refusal = Result(case.vector.id, "lib", outcome, got={"status": "reject"})
    page = Page(render(record([case], Participant("lib", "ran"), refusal)))
    _head, *rows = page.table("components sortable")
    assert [row[0] for row in rows] == names


class JudgedRun(NamedTuple):
    """The outcomes of two vectors, None for no outcome, facts about the run, and the verdict."""

    outcomes: tuple[str | None, ...]
    verdict: str
    facts: Mapping[str, Any] = {}


VERDICTS = {
    "all-right": JudgedRun(("pass", "pass"), "complies"),
    "a-variant": JudgedRun(("pass", "variant"), "complies"),
    "one-wrong": JudgedRun(("pass", "fail"), "does not comply"),
    "one-in-part": JudgedRun(("pass", "partial"), "not all answered"),
    "one-not-offered": JudgedRun(("pass", "unsupported"), "not all answered"),
    "none-offered": JudgedRun(("unsupported", "unsupported"), "not all answered", {"specs": ()}),
    "claims-no-rfc": JudgedRun(("pass", "fail"), "does not comply", {"specs": ()}),
    "claims-another-rfc": JudgedRun(("pass", "fail"), "not claimed", {"specs": ("rfc2396",)}),
    "claims-another-rfc-and-right": JudgedRun(("pass", "pass"), "complies", {"specs": ("rfc2396",)}),
    "one-without-outcome": JudgedRun(("pass", None), "so far"),
    "one-wrong-and-one-without-outcome": JudgedRun(("fail", None), "does not comply"),
    "cut": JudgedRun(("pass", "pass"), "so far", {"complete": False}),
    "interrupted": JudgedRun(("pass", "pass"), "so far", {"interrupted": True}),
    "dead": JudgedRun(("pass", "pass"), "so far", {"state": "dead"}),
    "cut-and-one-wrong": JudgedRun(("pass", "fail"), "does not comply", {"complete": False}),
    "interrupted-and-one-wrong": JudgedRun(("fail", None), "does not comply", {"interrupted": True}),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", VERDICTS.values(), ids=VERDICTS)
def test_only_a_whole_run_complies_and_one_failure_decides_against(tmp_path, row):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", row.outcomes, **row.facts)))
    assert f" {row.verdict} " in only_cell(page, "overview sortable")


def classes_of(page):
    """Return the CSS classes of all elements of a page."""
    classes = set()
    for _, attributes in page.elements:
        classes.update((attributes.get("class") or "").split())
    return classes


#: The CSS class of the mark in red.
RED_MARK = "v-does-not-comply"
RED_VERDICTS = {name: row for name, row in VERDICTS.items() if row.verdict == "does not comply"}
OTHER_VERDICTS = {name: row for name, row in VERDICTS.items() if name not in RED_VERDICTS}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", RED_VERDICTS.values(), ids=RED_VERDICTS)
def test_a_run_that_does_not_comply_has_a_red_mark(tmp_path, row):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", row.outcomes, **row.facts)))
    assert RED_MARK in classes_of(page)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", OTHER_VERDICTS.values(), ids=OTHER_VERDICTS)
def test_a_run_with_another_verdict_has_no_red_mark(tmp_path, row):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", row.outcomes, **row.facts)))
    assert RED_MARK not in classes_of(page)


def test_the_verdict_says_how_many_vectors_have_an_outcome_if_not_all_have(tmp_path):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("pass", None))))
    assert "1 of 2 vectors with an outcome" in only_cell(page, "overview sortable")


def test_the_verdict_does_not_say_how_many_vectors_have_an_outcome_if_all_have(tmp_path):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("pass", "fail"))))
    assert "vectors with an outcome" not in only_cell(page, "overview sortable")


@pytest.mark.parametrize(
    ("cut", "participle"),
    [({"complete": False}, "cut short"), ({"interrupted": True}, "interrupted")],
    ids=["cut", "interrupted"],
)
def test_the_page_of_a_run_that_was_cut_says_so(tmp_path, cut, participle):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("pass", "pass"), **cut)))
    text = " ".join(page.text.split())
    assert f"The run was {participle}" in text
    assert "No RFC is reported as complied with, " in text


def test_the_page_of_a_complete_run_does_not_say_that_it_was_cut(tmp_path):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("pass", "pass"))))
    assert "The run was" not in page.text
    assert "No RFC is reported as complied with" not in " ".join(page.text.split())


def test_only_required_vectors_are_counted(tmp_path):
    """The gate and the other reports count in the same way."""
    bindings = ("permitted-set", "required", "required")
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("fail", "crash", "pass"), bindings=bindings)))
    assert "1 wrong of 2 answered" in only_cell(page, "overview sortable")
    assert "1 right, 1 wrong" in only_cell(page, "sections sortable")


@pytest.fixture
def page_with_witnesses(tmp_path):
    """The page of three vectors, of which two are witnesses, one right and one wrong."""
    origins = ("mutant", None, "mutant")
    return Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("fail", "pass", "pass"), origins=origins)))


def test_the_figures_count_witnesses_once_with_all_vectors_and_once_alone(page_with_witnesses):
    head, row = page_with_witnesses.table("figures sortable")
    cells = dict(zip(head, row, strict=True))
    assert cells["Required vectors"].startswith("2 right, 1 wrong")
    assert cells["Witnesses among them"].startswith("1 right, 1 wrong")


def test_the_row_of_a_section_counts_its_witnesses(page_with_witnesses):
    assert "2 of them witnesses" in only_cell(page_with_witnesses, "sections sortable")


@pytest.fixture(scope="module")
def partial_run(corpus, tmp_path_factory):
    """A run of the reference over RFC 3986, section 5.4.1, and all of RFC 2732."""
    vectors = [
        vector
        for vector in report_samples.asked_of(corpus)
        if vector.case.spec == "rfc2732" or (vector.case.spec, vector.case.section) == ("rfc3986", "5.4.1")
    ]
    path = tmp_path_factory.mktemp("partly") / "r.jsonl"
    return report_samples.write(path, vectors, report_samples.PARTICIPANTS[:1], sizes=dict(corpus.sizes))


@pytest.fixture(scope="module")
def partly_asked_page(partial_run):
    return Page(render(partial_run))


def test_a_run_of_some_vectors_of_an_rfc_passes_without_complying(partly_asked_page):
    _, (_, verdict_3986, verdict_2732) = partly_asked_page.table("overview sortable")
    assert " passes what was asked " in verdict_3986
    assert "complies" not in verdict_3986
    assert " complies " in verdict_2732


class SelectedVectors(NamedTuple):
    """The numbers of vectors of RFC 3986: those that the partial run asked, and all of the corpus."""

    count: int
    total: int


@pytest.fixture(scope="module")
def selected_vectors(partial_run, corpus) -> SelectedVectors:
    specs_asked = [vector.case.spec for vector in partial_run.vectors.values()]
    specs_of_corpus = [case.spec for case in corpus.cases]
    return SelectedVectors(specs_asked.count("rfc3986"), specs_of_corpus.count("rfc3986"))


def test_the_head_of_a_column_says_how_many_vectors_were_asked_if_not_all_were(
    partly_asked_page, selected_vectors
):
    (_, head_of_rfc3986, _), _ = partly_asked_page.table("overview sortable")
    count, total = selected_vectors
    assert head_of_rfc3986 == f"RFC 3986{count} of {total:,} vectors asked"


def test_the_page_says_how_many_vectors_of_an_rfc_were_selected(partly_asked_page, selected_vectors):
    count, total = selected_vectors
    sentence = f"Only {count} of the {total:,} vectors of RFC 3986 were selected."
    assert sentence in " ".join(partly_asked_page.text.split())


def test_the_page_says_how_many_vectors_of_the_corpus_were_asked(partly_asked_page, partial_run, corpus):
    words = f"{len(partial_run.vectors):,} of {len(corpus.cases):,} vectors asked"
    assert words in " ".join(partly_asked_page.text.split())


@pytest.mark.parametrize(
    ("spec", "name", "remarks"),
    [
        ("rfc1808", "reference", []),
        ("rfc1808", "urllib", []),
        ("rfc1808", "node-url", ["claims no RFC"]),
        ("rfc1808", "java-net-uri", ["not claimed"]),
        ("rfc2396", "urllib", ["not claimed"]),
        ("rfc2396", "java-net-uri", []),
    ],
)
def test_a_verdict_marks_rfcs_that_are_not_claimed(figures, spec, name, remarks):
    verdict = figures[spec, name]["Verdict"]
    assert [words for words in ("claims no RFC", "not claimed") if words in verdict] == remarks


def test_the_page_says_once_that_all_rfcs_count_for_a_library_that_claims_none(page):
    assert page.text.count("claims no RFC: all count") == 1


LONG = "python:conformance.of.my.library:adapter"


@pytest.fixture
def page_of_libraries(make_case, record):
    """Return a function that renders a run in which these adapters fail.

    The library of LONG is called my-library.
    """

    def make(*names):
        about = {LONG: Implementation("my-library", "1.0")}
        ran = [Participant(name, "ran", about.get(name)) for name in names]
        wrong = [Result("rfc3986-3.3-x", name, "fail") for name in names]
        return render(record([make_case("rfc3986-3.3-x")], *ran, *wrong))

    return make


@pytest.mark.parametrize("names", [(LONG,), (LONG, "urllib")], ids=["alone", "with-another"])
def test_the_head_of_a_column_has_the_name_of_the_library(page_of_libraries, names):
    """The name of its adapter is long, and only a tooltip."""
    assert f'title="{LONG}">my-library</span>' in page_of_libraries(*names)


def worst_failures(source):
    """Return the source of the list of the worst failures."""
    (section,) = re.findall(r'<section [^>]*class="worst">.*?</section>', source, re.DOTALL)
    return section


def test_the_worst_failures_name_each_library_of_several(page_of_libraries):
    failures = worst_failures(page_of_libraries(LONG, "urllib"))
    assert re.findall(r"<b title=[^>]*>([a-z-]+)</b>", failures) == ["my-library", "urllib"]


def test_the_worst_failures_of_the_best_library_come_first(make_case, record):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc3986-3.4-x")]
    participants = [Participant("worse", "ran"), Participant("better", "ran")]
    answers = [
        Result("rfc3986-3.3-x", "worse", "fail"),
        Result("rfc3986-3.4-x", "worse", "fail"),
        Result("rfc3986-3.3-x", "better", "fail"),
        Result("rfc3986-3.4-x", "better", "pass"),
    ]
    failures = worst_failures(render(record(cases, *participants, *answers)))
    names = re.findall(r"<b title=[^>]*>([a-z]+)</b>", failures)
    assert list(dict.fromkeys(names)) == ["better", "worse"]


def test_the_worst_failures_do_not_name_the_only_library(page_of_libraries):
    failures = worst_failures(page_of_libraries(LONG))
    assert 'href="#case=rfc3986-3.3-x"' in failures
    assert "my-library" not in failures


def test_a_share_without_a_word_has_no_separator(page_source):
    """A narrow screen shows no word."""
    assert '<small> %</small></span> <span class="word"><small>·</small> does not comply' in page_source
    assert "% ·" not in page_source


def test_an_implementation_without_results_has_no_column(tmp_path):
    page = Page(render(run_of_outcomes(tmp_path / "r.jsonl", ("pass",), state="not installed")))
    assert "No case was asked." in page.text
    assert "Without results: lib (not installed)." in " ".join(page.text.split())


@pytest.fixture(scope="module")
def many_results(corpus):
    """A run of the reference, which is right everywhere, and of 39 libraries."""
    return report_samples.many_results(corpus, 60, 40)


@pytest.fixture(scope="module")
def many_page(many_results):
    return Page(render(many_results))


def test_each_of_many_implementations_has_a_row_with_its_answers(many_results, many_page):
    required_answers = RequiredAnswers(many_results)
    _, *rows = many_page.table("overview sortable")
    cells_by_name = {title.split()[0]: cells for title, *cells in rows}
    for participant in many_results.participants[1:]:
        cells = cells_by_name[participant.name]
        for spec, cell in zip(scores_by_spec(many_results), cells, strict=True):
            kinds = required_answers.kinds(participant.name, spec)
            answered = kinds["right"] + kinds["wrong"]
            assert f"{kinds['wrong']:,} wrong of {answered:,} answered" in cell, (participant.name, spec)


def test_each_of_many_implementations_has_a_narrow_column(many_results, many_page):
    """A cell has a percentage or a dot; the reference is right everywhere."""
    head, *rows = many_page.table("sections sortable dense")
    assert head == ["Section", *(participant.name for participant in many_results.participants)]
    assert {reference_cell for _, reference_cell, *_ in rows} == {"100"}
    cells = [cell for _, *cells_of_row in rows for cell in cells_of_row]
    assert [cell for cell in cells if not (cell.isdigit() or cell == "\u00b7")] == []


def test_a_rule_of_a_tier_has_a_row_with_its_cases(generated_page):
    (head, *rows) = generated_page.table("sections tiers sortable")
    (row,) = (row for row in rows if row[0].startswith("RFC 3986 URI"))
    assert row[0].endswith("complete, 900 cases")
    assert "700 right, 200 wrong" in row[head.index("urllib")]


@pytest.fixture(scope="module")
def first_failing_cases(generated_page):
    """The head and the rows of the table of cases of a rule that fail first."""
    (head, *rows) = generated_page.table("", 1)  # table 0 has the steps of the dendrogram
    return head, rows


def test_a_rule_of_a_tier_shows_its_first_failing_cases(first_failing_cases):
    head, rows = first_failing_cases
    assert head == ["Implementation", "Question", "Expected", "Got", "Case"]
    assert len(rows) == tables.SHOWN


def test_a_failing_case_of_a_rule_has_its_implementation_and_question(first_failing_cases):
    head, (first_row, *_) = first_failing_cases
    first_failure = dict(zip(head, first_row, strict=True))
    assert first_failure["Implementation"] == "urllib"
    assert report_samples.HOSTILE[0] in first_failure["Question"]


@pytest.mark.parametrize(
    "target",
    [
        pytest.param("#case=complete-rfc3986-URI-000000", id="first-failure"),
        pytest.param(
            link(spec="rfc3986", tier="complete", rule="URI", impl="urllib", outcome="wrong"),
            id="all-failures",
        ),
    ],
)
def test_a_rule_of_a_tier_links_to_its_failing_cases(generated_page, target):
    assert target in generated_page.targets()


def test_the_sections_that_fail_most_have_an_example(page, results, links):
    (urllib,) = (participant for participant in results.participants if participant.name == "urllib")
    sections = summary.worst_sections(results, urllib, 2)
    targets = {f"#case={section.example.result.id}" for section in sections}
    assert targets != set()
    assert targets - links == set()
    assert "Where they fail most" in page.text


@pytest.fixture(scope="module")
def gate_run(corpus, tmp_path_factory):
    """A run of one implementation, and its baseline."""
    folder = tmp_path_factory.mktemp("gate")
    asked_vectors = [
        vector for number, vector in enumerate(report_samples.asked_of(corpus)) if number % 24 == 0
    ]
    results = report_samples.write(folder / "r.jsonl", asked_vectors, report_samples.PARTICIPANTS[1:2])
    return results, create(results, results.participants[0])


def judged_page(results, **baselines):
    """Return the page of a run of urllib that is judged by these baselines, and the judgements."""
    judgements = decide(results, ["urllib"], baselines=baselines).judgements
    return Page(render(results, judgements, {name: Path("base.json") for name in baselines})), judgements


class Regressions(NamedTuple):
    """The page of a run whose baseline does not list some failures: what is above its tables."""

    texts: list[str]
    head: str
    new_ids: set[str]
    known_ids: set[str]
    code: Exit
    groups: list[FindingGroup]


@pytest.fixture(scope="module")
def regressions(gate_run):
    """The page of a run whose baseline does not list every ninth of its failures."""
    results, baseline = gate_run
    # an aborted case would end the gate as that of a dead adapter
    failures = [entry for entry in baseline.entries if entry.outcome != Outcome.ABORTED]
    every_ninth = failures[::9]  # some failures of each section are new
    new_ids = {entry.id for entry in every_ninth}
    known_entries = tuple(entry for entry in baseline.entries if entry.id not in new_ids)
    shorter_baseline = msgspec.structs.replace(baseline, entries=known_entries)
    page, (judgement,) = judged_page(results, urllib=shorter_baseline)
    texts = page.texts[: page.texts.index("Verdict by RFC")]
    head = " ".join("".join(texts).split())
    known_ids = {entry.id for entry in known_entries}
    groups = groups_of_new_findings(results, judgement)
    return Regressions(texts, head, new_ids, known_ids, judgement.code, groups)


def test_a_gate_run_begins_with_every_finding(regressions):
    assert regressions.code == Exit.FAILED
    assert regressions.new_ids != set()
    assert {identity for identity in regressions.new_ids if identity not in regressions.head} == set()


def test_a_gate_run_has_the_name_of_the_library_in_bold_and_the_adapter_in_small_print(gate_run):
    results, baseline = gate_run
    judgements = decide(results, ["urllib"], baselines={"urllib": baseline}).judgements
    name = '<b>urllib.parse</b> <small class="adapter">3.13.1 urllib</small>: '
    assert render(results, judgements).count(name) == 1


NOTHING_WORSE = "The gate passes, as nothing is worse than in its baseline."


def test_a_passed_gate_says_why_it_passes_with_wrong_answers(tmp_path):
    results = report_samples.survey(tmp_path / "r.jsonl", ("urllib",)).only(["urllib"])
    baseline = create(results, results.participant("urllib"))
    assert baseline.entries
    page, (judgement,) = judged_page(results, urllib=baseline)
    assert judgement.code is Exit.PASSED
    assert NOTHING_WORSE in page.text


def test_a_failed_gate_does_not_say_why_it_passes(regressions):
    assert NOTHING_WORSE not in regressions.head


#: The kinds of the findings of a gate, of which there is one each, and the query at first.
FIRST_QUERIES = [
    pytest.param(["stale", "lost", "regression"], "finding:regression", id="regression"),
    pytest.param(["changed", "lost"], "finding:lost", id="no-regression"),
    pytest.param(["stale"], "outcome:failing", id="only-stale"),
    pytest.param([], "outcome:failing", id="none"),
]


@pytest.mark.parametrize(("kinds", "query"), FIRST_QUERIES)
def test_the_cases_of_a_gate_run_that_are_opened_first_are_what_is_worst(gate_run, kinds, query):
    results, _ = gate_run
    judgement = Judgement("urllib", Exit.FAILED, findings=findings_of_kinds(results, kinds))
    assert first_query(results, [judgement]) == query


def test_a_finding_without_a_case_is_not_opened_first(gate_run):
    results, _ = gate_run
    judgement = Judgement("urllib", Exit.FAILED, findings=[Finding("regression", "no-such-id")])
    assert first_query(results, [judgement]) == "outcome:failing"


def findings_of_kinds(results, kinds):
    """Return a finding of each kind, about cases of the results."""
    return [Finding(kind, identifier) for kind, identifier in zip(kinds, results.vectors, strict=False)]


def test_each_group_of_a_gate_run_has_an_example_in_full(regressions):
    assert regressions.groups
    for group in regressions.groups:
        requirement = group.example.failure.asked.requirement
        assert group.heading in regressions.head, group.heading
        assert f"{requirement.statement} ({requirement.id})" in regressions.head, group.heading
        assert f"urlconform repro {group.example.id} -a urllib" in regressions.head, group.heading


@pytest.mark.parametrize("label", ["input", "expected", "got", "statement", "section", "repeat"])
def test_each_example_has_the_lines_of_a_failure(regressions, label):
    assert regressions.texts.count(label) == len(regressions.groups)


def test_a_gate_run_counts_the_failures_of_the_baseline_without_listing_them(regressions):
    assert f"{len(regressions.known_ids)} known failures" in regressions.head
    assert "base.json" in regressions.head
    assert [identity for identity in regressions.known_ids if identity in regressions.head] == []


#: The number of groups of `page_of_many_findings` that have an example in full.
IN_FULL = tables.OPEN + 3


@pytest.fixture(scope="module")
def page_of_many_findings(gate_run):
    """The page of a run with more groups than have an example in full, and the ids of all findings."""
    results, baseline = gate_run
    with mock.patch.object(tables, "GROUPS", IN_FULL):
        page, _ = judged_page(results, urllib=msgspec.structs.replace(baseline, entries=()))
    return page, {entry.id for entry in baseline.entries}


def marks_of_groups(page):
    """Return `article` for each group with an example, and `details` for the part that is folded."""
    return [
        tag
        for tag, attributes in page.elements
        if (tag, attributes.get("class")) in (("article", "finding"), ("details", "further groups"))
    ]


def test_groups_in_full_beyond_the_first_are_folded(page_of_many_findings):
    page, _ = page_of_many_findings
    folded = ["article"] * (IN_FULL - tables.OPEN)
    assert marks_of_groups(page) == [*["article"] * tables.OPEN, "details", *folded]


def test_groups_without_an_example_in_full_are_listed(page_of_many_findings):
    page, ids = page_of_many_findings
    listed = {identity for identity in ids if f"#case={identity}" in page.targets()}
    assert len(listed) > IN_FULL


def test_without_a_baseline_two_groups_leave_room_for_the_rest(gate_run):
    results, _ = gate_run
    page, _ = judged_page(results)
    assert marks_of_groups(page)[: tables.FAILURES + 1] == [*["article"] * tables.FAILURES, "details"]


@pytest.fixture(scope="module")
def page_of_passing_gate(gate_run):
    """The page of a run whose failures are all in the baseline."""
    results, baseline = gate_run
    page, (judgement,) = judged_page(results, urllib=baseline)
    assert judgement.code == Exit.PASSED
    return page


def test_a_gate_that_passes_shows_no_finding(page_of_passing_gate):
    assert "finding" not in {attributes.get("class") for _, attributes in page_of_passing_gate.elements}


def test_a_gate_that_passes_counts_the_failures_of_the_baseline_once(page_of_passing_gate, gate_run):
    _, baseline = gate_run
    assert page_of_passing_gate.text.count(f"{len(baseline.entries)} known failures") == 1


def test_a_gate_that_passes_names_the_baseline(page_of_passing_gate):
    assert "base.json" in page_of_passing_gate.text


def test_a_survey_has_no_gate_and_its_headline_is_about_all(tmp_path):
    results = report_samples.survey(tmp_path / "r.jsonl")
    judgements = decide(results, []).judgements
    assert [judgement.name for judgement in judgements] == ["reference"]
    page = Page(render(results, judgements))
    assert "gate" not in {attributes.get("id") for _, attributes in page.elements}
    assert f"\u2022 {summary.headline(results).text}" in " ".join(page.text.split())


def test_findings_of_hostile_texts_are_only_text(hostile_results, page):
    name = hostile_results.participants[0].name
    report_page = Page(render(hostile_results, decide(hostile_results, [name]).judgements))
    assert "finding" in {attributes.get("class") for _, attributes in report_page.elements}
    usual_tags = {tag for tag, _ in page.elements} | {"article"}
    assert {tag for tag, _ in report_page.elements} - usual_tags == set()
    assert len(report_page.scripts) == 3  # the program and two blocks of data
