"""The tables of the HTML report: their figures, links and verdicts, against counts of their own."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest
import report_samples
from html_text import Page

from urlharness.corpus import loader
from urlharness.corpus.model import Case, Expected, Requirement, Vector
from urlharness.exitcodes import Exit
from urlharness.gate.gate import decide
from urlharness.gate.update import create
from urlharness.protocol.messages import Implementation
from urlharness.report import summary
from urlharness.report.html import tables
from urlharness.report.html.page import link, render
from urlharness.results.model import AskedVector, Participant, Result
from urlharness.results.scores import NO_COMPONENTS, scores_by_spec

PASSING, OPEN = ("pass", "variant"), ("unsupported", "partial")


def statement_states(results, name, spec, section=""):
    """Count the statements of a section and those below it by state."""
    states = {}
    for answer in results.of(name).values():
        case = results.vectors[answer.id].case
        inside = not section or f"{case.section}.".startswith(f"{section}.")
        if case.spec == spec and inside and case.vector.binding == "required":
            states.setdefault(case.vector.requirement, []).append(answer.outcome)
    counts = Counter()
    for outcomes in states.values():
        if not {*outcomes} <= {*PASSING, *OPEN}:
            counts["failed"] += 1
        elif {*outcomes} <= {*PASSING}:
            counts["held"] += 1
        else:
            counts["open" if {*outcomes} == {"unsupported"} else "partly answered"] += 1
    return counts


def answers(results, name, spec, section="", origins=(None, "mutant", "twin")):
    """Count the required vectors of a section and those below it by answer."""
    counts = Counter()
    for answer in results.of(name).values():
        case = results.vectors[answer.id].case
        inside = not section or f"{case.section}.".startswith(f"{section}.")
        if (
            (case.spec, case.vector.binding) == (spec, "required")
            and inside
            and case.vector.origin in origins
        ):
            kinds = {
                "unsupported": "not offered",
                "partial": "not exposed",
                "pass": "right",
                "variant": "right",
            }
            counts[kinds.get(answer.outcome, "wrong")] += 1
    return counts


def in_words(counts, names):
    return ", ".join(f"{counts[name]:,} {name}" for name in names if counts[name]) or "none"


STATES = ("held", "failed", "partly answered", "open")
ANSWERS = ("right", "wrong", "not exposed", "not offered")


def small(path, outcomes, *, state="ran", specs=("rfc3986",), bindings=(), origins=(), **options):
    """Return a run with a validate vector for each outcome, valid and invalid in turn."""
    requirement = Requirement("r", "3.1", 1, "0" * 12, "must", "States it.")
    cases = [
        AskedVector(
            Case(
                "rfc3986",
                "3.1",
                Vector(
                    id=f"v{n}",
                    requirement="r",
                    level="must",
                    op="validate",
                    rule="URI",
                    url="a",
                    binding=bindings[n] if bindings else "required",
                    origin=origins[n] if origins else None,
                    expect=Expected(valid=n % 2 == 0),
                ),
                "f.json",
            ),
            requirement,
            "Scheme",
        )
        for n in range(len(outcomes))
    ]
    answers = {f"v{n}": outcome for n, outcome in enumerate(outcomes)}

    def answer(case, participant):
        outcome = answers[case.vector.id]
        return (
            Result(case.vector.id, participant.name, outcome)
            if outcome and state != "not installed"
            else None
        )

    return report_samples.write(path, cases, (Participant("one", state, specs=specs),), answer, **options)


def test_the_first_table_has_a_row_for_each_implementation_with_its_statements(page, results):
    head, *rows = page.table("overview sortable")
    specs = list(scores_by_spec(results))
    assert [cell.split(" ")[1][:4] for cell in head[1:]] == [spec[3:] for spec in specs]
    names = [
        participant.name for participant in results.participants[1:4]
    ]  # the reference is right everywhere
    assert "reference: everything asked is right" in page.text
    for name, row in zip(names, rows, strict=True):
        assert row[0].startswith(name)
        for spec, cell in zip(specs, row[1:], strict=True):
            states = statement_states(results, name, spec)
            counts = answers(results, name, spec)
            answered = counts["right"] + counts["wrong"]
            assert cell.startswith(f"{100 * states['held'] // states.total()} % ")
            assert in_words(states, STATES) in cell
            assert f"{counts['wrong']:,} wrong of {answered:,} answered" in cell


def test_the_reference_has_a_row_if_it_is_alone_or_wrong(tmp_path):
    alone = Page(render(small(tmp_path / "r.jsonl", ("pass",))))
    assert alone.table("overview sortable")[1][0].startswith("one")
    asked_vectors = report_samples.asked_of(loader.load(), 2)

    def answer(case, participant):
        wrong = case is asked_vectors[0].case and participant.name == "reference"
        return Result(case.vector.id, participant.name, "fail" if wrong else "pass")

    results = report_samples.write(
        tmp_path / "w.jsonl", asked_vectors, report_samples.PARTICIPANTS[:2], answer
    )
    assert len(Page(render(results)).table("overview sortable")) == 1 + 2


def test_the_figures_of_an_rfc_are_those_of_its_results(page, results):
    for number, (spec, scores) in enumerate(scores_by_spec(results).items()):
        _, *rows = page.table("figures sortable", number)
        for (name, score), row in zip(scores.items(), rows, strict=True):
            states = statement_states(results, name, spec)
            counts = answers(results, name, spec)
            witnesses = answers(results, name, spec, origins=("mutant",))
            assert row[0] == name
            specs = next(
                participant.specs for participant in results.participants if participant.name == name
            )
            claimed = not specs or spec in specs
            fails = "does not comply" if score.failing else "not all answered"
            expected_verdict = "complies" if score.complies else fails if claimed else "not claimed"
            assert row[1].startswith(expected_verdict)
            assert f"{in_words(states, STATES)} of {states.total():,}" in " ".join(row[2].split())
            assert row[3].startswith(in_words(counts, ANSWERS))
            assert row[4].startswith(in_words(witnesses, ANSWERS))
            means = (score.accepted, score.rejected, None, score.components, score.results, score.coverage)
            assert [row[5], row[6], *row[8:]] == [summary.percent(mean) for mean in means if mean is not None]


def test_every_section_has_a_row_with_its_statements_and_vectors(page, results):
    names = [participant.name for participant in results.participants[:4]]
    seen = 0
    for number, spec in enumerate(scores_by_spec(results)):
        for row in page.table("sections sortable", number)[1:]:
            section = row[0].split()[0]
            for name, cell in zip(names, row[1:], strict=True):
                states = statement_states(results, name, spec, section)
                counts = answers(results, name, spec, section)
                total = f" of {states.total()}" if states else ""
                assert f"{in_words(states, STATES)}{total}" in cell
                counts_in_words = [f"{counts[kind]:,} {kind}" for kind in ANSWERS if counts[kind]]
                assert [words for words in counts_in_words if words not in cell] == []
                assert ("witnesses" in cell) == bool(answers(results, name, spec, section, ("mutant",)))
                seen += counts.total()
    assert seen > 4000


def test_references_and_addresses_have_no_row_and_count_for_the_rfc(page, results):
    sections_asked = {(vector.case.spec, vector.case.section) for vector in results.vectors.values()}
    assert {("rfc1738", "references"), ("rfc1808", "8")} - sections_asked == set()
    sections_shown = {(rfc_of, row[0].split()[0]) for rfc_of, row in rows_of(page, results)}
    assert {("rfc1738", "references"), ("rfc1808", "8")} & sections_shown == set()
    assert ("rfc1808", "5.2") in sections_shown


def rows_of(page, results):
    for number, spec in enumerate(scores_by_spec(results)):
        for row in page.table("sections sortable", number)[1:]:
            yield spec, row


def test_sections_and_their_wrong_answers_link_to_their_cases(page, results):
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    for spec, row in rows_of(page, results):
        section = row[0].split()[0]
        assert link(spec=spec, section=section) in links
        wrong = link(spec=spec, section=section, impl="urllib", outcome="wrong", binding="required")
        assert (wrong in links) == bool(answers(results, "urllib", spec, section)["wrong"])


def test_the_heat_map_has_the_first_level_and_the_share_of_statements_that_hold(page, results):
    maps = {}
    for number in range(len(scores_by_spec(results))):
        head, *rows = page.table("dense sortable", number)
        maps[f"rfc{head[0].removeprefix('RFC ')}"] = rows
    assert maps.keys() == set(scores_by_spec(results))
    assert {row[0].split()[0] for row in maps["rfc1808"]} == {"1", "2", "3", "4", "5", "10"}
    for spec, rows in maps.items():
        for row in rows:
            section = "appendix" if row[0].startswith("App.") else row[0].split()[0]
            for name, cell in zip(("urllib", "node-url", "java-net-uri"), row[1:], strict=True):
                states = statement_states(results, name, spec, section)
                decided = states["held"] + states["failed"]
                assert cell == (str(100 * states["held"] // states.total()) if decided else "\u00b7")


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
)
def test_the_colour_tells_failures_from_missing_answers(tmp_path, outcomes, shade):
    page = Page(render(small(tmp_path / "r.jsonl", outcomes)))
    classes = [
        a["class"] for tag, a in page.elements if a.get("class", "").startswith("heat h-") and "title" in a
    ]
    assert classes == [f"heat h-{shade}"]


@pytest.mark.parametrize(("failed", "held", "shade"), [(1, 9, 0), (1, 3, 1), (2, 1, 3), (3, 2, 2), (1, 0, 3)])
def test_a_section_is_the_redder_the_more_of_its_statements_fail(failed, held, shade):
    score = tables.Score()
    score.states.update({tables.State.FAILED: failed, tables.State.HELD: held, tables.State.OPEN: 5})
    assert tables.Cell("one", score).shade == f"red-{shade}"


def test_components_are_in_the_order_of_the_rfc_with_their_answers(page, results):
    rows = {
        row[0]: row
        for row in page.table("components sortable", list(scores_by_spec(results)).index("rfc1808"))[1:]
    }
    assert list(rows)[:6] == ["scheme", "net_loc", "path", "params", "query", "fragment"]
    right = sum(
        vector.case.vector.op == "parse"
        and vector.case.vector.binding == "required"
        and isinstance(vector.case.vector.expect.components, dict)
        and results.of("reference")[vector.case.vector.id].outcome == "pass"
        for vector in results.vectors.values()
        if vector.case.spec == "rfc1808"
    )
    assert rows["path"][1].startswith(f"{right} right")
    assert "wrong" in rows["path"][2] + rows["params"][2]
    assert NO_COMPONENTS not in rows


@pytest.mark.parametrize(
    ("outcomes", "options", "verdict"),
    [
        (("pass", "pass"), {}, "complies"),
        (("pass", "variant"), {}, "complies"),
        (("pass", "fail"), {}, "does not comply"),
        (("pass", "partial"), {}, "not all answered"),
        (("pass", "unsupported"), {}, "not all answered"),
        (("unsupported", "unsupported"), {"specs": ()}, "not all answered"),
        (("pass", "fail"), {"specs": ()}, "does not comply"),
        (("pass", "fail"), {"specs": ("rfc2396",)}, "not claimed"),
        (("pass", "pass"), {"specs": ("rfc2396",)}, "complies"),
        (("pass", None), {}, "so far"),
        (("fail", None), {}, "does not comply"),
        (("pass", "pass"), {"complete": False}, "so far"),
        (("pass", "pass"), {"interrupted": True}, "so far"),
        (("pass", "pass"), {"state": "dead"}, "so far"),
        (("pass", "fail"), {"complete": False}, "does not comply"),
        (("fail", None), {"interrupted": True}, "does not comply"),
    ],
)
def test_only_a_whole_run_complies_and_one_failure_decides_against(tmp_path, outcomes, options, verdict):
    page = Page(render(small(tmp_path / "r.jsonl", outcomes, **options)))
    cell = page.table("overview sortable")[1][1]
    assert f" {verdict} " in cell
    classes = " ".join(attributes.get("class") or "" for _, attributes in page.elements)
    assert ("v-does-not-comply" in classes) is (verdict == "does not comply")  # the only red sign
    assert ("1 of 2 vectors with an outcome" in cell) == (None in outcomes)
    cut = not options.get("complete", True) or options.get("interrupted", False)
    how = "interrupted" if options.get("interrupted") else "cut short"
    assert (f"The run was {how}" in page.text) == cut
    assert ("No RFC is reported as complied with, " in " ".join(page.text.split())) == cut


def test_only_required_vectors_are_counted(tmp_path):
    """As the gate and the other reports count."""
    bindings = ("permitted-set", "required", "required")
    page = Page(render(small(tmp_path / "r.jsonl", ("fail", "crash", "pass"), bindings=bindings)))
    assert "1 wrong of 2 answered" in page.table("overview sortable")[1][1]
    assert "1 right, 1 wrong" in page.table("sections sortable")[1][1]


def test_witnesses_are_counted_apart(tmp_path):
    origins = ("mutant", None, "mutant")
    page = Page(render(small(tmp_path / "r.jsonl", ("fail", "pass", "pass"), origins=origins)))
    row = page.table("figures sortable")[1]
    assert row[3].startswith("2 right, 1 wrong")
    assert row[4].startswith("1 right, 1 wrong")
    assert "2 of them witnesses" in page.table("sections sortable")[1][1]


def test_a_run_of_some_vectors_does_not_comply(tmp_path):
    """RFC 3986, section 5.4.1, is not the whole RFC."""
    whole = loader.load()
    total = sum(case.spec == "rfc3986" for case in whole.cases)
    places = {("rfc3986", "5.4.1"), *(("rfc2732", case.section) for case in whole.cases)}
    some = [
        vector
        for vector in report_samples.asked_of(whole)
        if (vector.case.spec, vector.case.section) in places
    ]
    vectors_asked = sum(vector.case.spec == "rfc3986" for vector in some)
    results = report_samples.write(
        tmp_path / "r.jsonl", some, report_samples.PARTICIPANTS[:1], sizes=dict(whole.sizes)
    )
    page = Page(render(results))
    head, row = page.table("overview sortable")
    assert " complies " in row[2]
    assert head[1] == f"RFC 3986{vectors_asked} of {total:,} vectors asked"
    assert " passes what was asked " in row[1]
    assert "complies" not in row[1]
    text = " ".join(page.text.split())
    assert f"Only {vectors_asked} of the {total:,} vectors of RFC 3986 were selected." in text
    assert f"{len(some):,} of {len(whole.cases):,} vectors asked" in text


@pytest.mark.parametrize(
    ("spec", "urllib", "node", "java"),
    [("rfc1808", "", "claims no RFC", "not claimed"), ("rfc2396", "not claimed", "claims no RFC", "")],
)
def test_a_verdict_marks_rfcs_that_are_not_claimed(page, results, spec, urllib, node, java):
    number = list(scores_by_spec(results)).index(spec)
    for row, claim in zip(page.table("figures sortable", number)[1:], ("", urllib, node, java), strict=True):
        remarks = [words for words in ("claims no RFC", "not claimed") if words in row[1]]
        assert remarks == ([claim] if claim else [])
    assert page.text.count("claims no RFC: all count") == 1


LONG = "python:conformance.of.my.library:adapter"


@pytest.mark.parametrize("count", [1, 2])
def test_a_library_is_called_by_its_name(make_case, record, count):
    """Heads have its name and not that of its adapter; a list about a single library has none."""
    about = Implementation("my-library", "1.0")
    ran = [Participant(LONG, "ran", about), Participant("urllib", "ran")][:count]
    results = [Result("rfc3986-3.3-x", participant.name, "fail") for participant in ran]
    page = render(record([make_case("rfc3986-3.3-x")], *ran, *results))
    assert f'title="{LONG}">my-library</span>' in page
    worst = page.partition('class="worst"')[2].partition("</section>")[0]
    assert worst.count(f'<b title="{LONG}">my-library</b>') == (count > 1)
    assert (">urllib</b>" in worst) is (count > 1)


def test_a_share_without_a_word_has_no_separator(results):
    """A narrow screen shows no word."""
    page = render(results)
    assert '<small> %</small></span> <span class="word"><small>·</small> does not comply' in page
    assert "% ·" not in page


def test_an_implementation_without_results_has_no_column(tmp_path):
    page = Page(render(small(tmp_path / "r.jsonl", ("pass",), state="not installed")))
    assert page.data()["implementations"] == []
    assert "Without results: one (not installed)." in " ".join(page.text.split())


def test_many_implementations_have_a_row_each_and_narrow_columns():
    results = report_samples.many_results(loader.load(), 60, 40)
    page = Page(render(results))
    _, *rows = page.table("overview sortable")
    scores = scores_by_spec(results)
    assert len(rows) == 39
    for participant, row in zip(results.participants[1:], rows, strict=True):
        assert row[0].startswith(participant.name)
        for spec, cell in zip(scores, row[1:], strict=True):
            counts = answers(results, participant.name, spec)
            assert f"{counts['wrong']:,} wrong of {counts['right'] + counts['wrong']:,} answered" in cell
    head, *rows = page.table("sections sortable dense")
    assert head == ["Section", *(participant.name for participant in results.participants)]
    assert {row[1] for row in rows} == {"100"}  # the reference
    assert [cell for row in rows for cell in row[1:] if not (cell.isdigit() or cell == "\u00b7")] == []


def test_generated_tiers_show_their_first_failing_cases(tmp_path):
    results = report_samples.generated_results(
        tmp_path / "r.jsonl", report_samples.asked_of(loader.load(), 3)
    )
    page = Page(render(results))
    (row,) = (row for row in page.table("sections tiers sortable") if row[0].startswith("RFC 3986 URI"))
    assert row[0].endswith("complete, 900 cases")
    assert "700 right, 200 wrong" in row[2]
    rows = page.table("", 1)
    assert rows[0] == ["Implementation", "Question", "Expected", "Got", "Case"]
    assert len(rows) == 1 + 5
    assert rows[1][0] == "urllib"
    assert "<script>" in rows[1][1]
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert "#case=complete-rfc3986-URI-000000" in links
    assert link(spec="rfc3986", tier="complete", rule="URI", impl="urllib", outcome="wrong") in links


def test_the_sections_that_fail_most_have_an_example(page, results):
    ids = {
        section.example.result.id for section in summary.worst_sections(results, results.participants[1], 2)
    }
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert ids != set()
    assert {f"#case={identity}" for identity in ids} - links == set()
    assert "Where they fail most" in page.text


@pytest.fixture(scope="module")
def gate_run(tmp_path_factory):
    """A run of one implementation, and its baseline."""
    folder = tmp_path_factory.mktemp("gate")
    asked_vectors = [
        vector for number, vector in enumerate(report_samples.asked_of(loader.load())) if number % 25 == 0
    ]
    results = report_samples.write(folder / "r.jsonl", asked_vectors, report_samples.PARTICIPANTS[1:2])
    return results, create(results, results.participants[0])


def judged_page(results, **baselines):
    judgements = decide(results, ["urllib"], baselines=baselines).judgements
    return Page(render(results, judgements, {name: Path("base.json") for name in baselines})), judgements


def test_a_gate_run_begins_with_its_findings_in_full(gate_run):
    results, baseline = gate_run
    missing = {entry.id for entry in baseline.entries[::9]}
    entries = tuple(entry for entry in baseline.entries if entry.id not in missing)
    page, (judgement,) = judged_page(results, urllib=msgspec.structs.replace(baseline, entries=entries))
    text = " ".join(page.text.split())
    head = text[: text.index("Verdict by RFC")]
    assert len(missing) > 3
    assert head.count("regression ") >= len(missing)
    for identity in missing:
        vector = results.vectors[identity]
        assert identity in head
        assert f"{vector.requirement.statement} ({vector.requirement.id})" in head
        assert f"urlconform repro {identity} -a urllib" in head
    for label in ("input", "expected", "got", "statement", "section", "repeat"):
        assert page.texts.count(label) >= len(missing)
    assert f"{len(entries)} known failures" in head
    assert "base.json" in head
    assert [entry.id for entry in entries if entry.id in head] == []
    assert judgement.code == Exit.FAILED


def test_more_findings_than_are_shown_in_full_are_listed(gate_run, monkeypatch):
    monkeypatch.setattr(tables, "FINDINGS", 8)
    results, baseline = gate_run
    page, (judgement,) = judged_page(results, urllib=msgspec.structs.replace(baseline, entries=()))
    marks = [
        tag
        for tag, a in page.elements
        if (tag, a.get("class")) in (("article", "finding"), ("details", "further"))
    ]
    assert marks == ["article"] * 5 + ["details"] + ["article"] * 3  # five are open, and three below them
    assert f"{len(judgement.findings) - 5} more" in page.text
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert {f"#case={entry.id}" for entry in baseline.entries} - links == set()


def test_without_a_baseline_the_worst_failures_leave_room_for_the_rest(gate_run):
    page, _ = judged_page(gate_run[0])
    articles = [a for tag, a in page.elements if tag == "article" and a.get("class") == "finding"]
    assert len(articles) == tables.FAILURES
    assert "failure " in " ".join(page.text.split())


def test_a_gate_that_passes_shows_no_finding(gate_run):
    results, baseline = gate_run
    page, (judgement,) = judged_page(results, urllib=baseline)
    assert judgement.code == Exit.PASSED
    assert [a for tag, a in page.elements if a.get("class") == "finding"] == []
    assert page.text.count(f"{len(baseline.entries)} known failures") == 1
    assert "base.json" in page.text


def test_a_survey_has_no_gate_and_its_headline_is_about_all(results):
    judgements = decide(results, []).judgements
    assert [judgement.name for judgement in judgements] == ["reference"]
    page = Page(render(results, judgements))
    assert "gate" not in {attributes.get("id") for _, attributes in page.elements}
    assert f"\u2717 {summary.headline(results).text}" in " ".join(page.text.split())


def test_findings_of_hostile_texts_are_only_text(hostile, page):
    name = hostile.participants[0].name
    report_page = Page(render(hostile, decide(hostile, [name]).judgements))
    assert [a for tag, a in report_page.elements if a.get("class") == "finding"]
    assert {tag for tag, _ in report_page.elements} <= {tag for tag, _ in page.elements} | {"article"}
    assert len(report_page.scripts) == 3
