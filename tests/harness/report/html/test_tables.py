"""The tables of the HTML report: their figures, links and verdicts."""

from collections import Counter

import pytest
import report_samples
from html_text import Page

from urlharness.corpus import loader
from urlharness.corpus.model import Case, Expected, Requirement, Vector
from urlharness.report import summary
from urlharness.report.html.page import link, render
from urlharness.results.model import AskedVector, Participant, Result
from urlharness.results.scores import by_section, by_spec
from urlharness.text import rfc


def small(path, outcomes, *, state="ran", bindings=(), **options):
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

    return report_samples.write(path, cases, (Participant("one", state),), answer, **options)


def test_the_summary_has_the_figures_of_the_scores(page, results):
    head, *rows = page.table("summary")
    assert head == [
        "Specification",
        "referenceurlconform oracle 0.1.0",
        "urlliburllib.parse 3.13.1",
        "node-urlWHATWG URL 18.19.0",
        "java-net-urijava.net.URI 17.0.13",
    ]
    for (spec, scores), row in zip(by_spec(results).items(), rows, strict=True):
        assert row[0].startswith(rfc(spec))
        for score, cell in zip(scores.values(), row[1:], strict=True):
            assert cell.startswith("complies" if score.complies else "does not comply")
            assert f"{score.compliance.passed:,} / {score.compliance.total:,}" in cell
            for name in ("accepted", "rejected", "components", "results", "coverage"):
                assert f"{name}{summary.percent(getattr(score, name))}" in cell


def test_every_section_has_a_row_with_a_link_to_its_cases(page, results):
    rows = [row for number in range(len(by_spec(results))) for row in page.table("sections", number)[1:]]
    places = list(by_section(results))
    assert [row[0].split()[0] for row in rows] == [section for _, section in places]
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert {link(spec=spec, section=section) for spec, section in places} <= links


@pytest.mark.parametrize(
    ("outcomes", "options", "verdict"),
    [
        (("pass", "pass"), {}, "complies"),
        (("pass", "variant"), {}, "complies"),
        (("pass", "fail"), {}, "does not comply"),
        (("pass", "partial"), {}, "does not comply"),
        (("pass", "unsupported"), {}, "does not comply"),
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
    cell = page.table("summary")[1][1]
    assert cell.startswith(f"{verdict} ")
    assert ("1 of 2 vectors settled" in cell) == (None in outcomes)
    cut = not options.get("complete", True) or options.get("interrupted", False)
    how = "interrupted" if options.get("interrupted") else "cut short"
    assert (f"The run was {how}" in page.text) == cut
    assert ("No RFC is reported as complied with; " in " ".join(page.text.split())) == cut


@pytest.mark.parametrize(
    ("bindings", "cases", "section"),
    [
        (("required", "required", "required"), "2 cases fail", "2 failing"),
        (
            ("required", "permitted-set", "required"),
            "2 cases fail, 1 of them required",
            "2 failing, 1 required",
        ),
        (
            ("permitted-set", "permitted-set", "required"),
            "2 cases fail, none of them required",
            "2 failing, none required",
        ),
    ],
    ids=["all", "some", "none"],
)
def test_failing_cases_say_how_many_are_required(tmp_path, bindings, cases, section):
    """The gate, JUnit and Markdown count only required cases; the query that is linked finds all."""
    made = small(tmp_path / "r.jsonl", ("fail", "crash", "pass"), bindings=bindings)
    page = Page(render(made))
    assert f" {cases} " in f"{page.table('summary')[1][1]} "
    assert f" {section} " in f"{page.table('sections')[1][1]} "
    assert ("required" in page.table("sections")[1][1]) == (len(set(bindings)) > 1)
    assert "Of them required" in " ".join(page.text.split())


def test_a_run_of_some_vectors_does_not_comply(tmp_path):
    """RFC 3986, section 5.4.1, is not the whole RFC."""
    whole = loader.load()
    total = sum(case.spec == "rfc3986" for case in whole.cases)
    places = {("rfc3986", "5.4.1"), *(("rfc2732", case.section) for case in whole.cases)}
    some = [one for one in report_samples.asked_of(whole) if (one.case.spec, one.case.section) in places]
    asked = sum(one.case.spec == "rfc3986" for one in some)
    made = report_samples.write(
        tmp_path / "r.jsonl", some, report_samples.PARTICIPANTS[:1], sizes=dict(whole.sizes)
    )
    page = Page(render(made))
    _, complete, part = page.table("summary")
    assert complete[1].startswith("complies ")
    assert part[0] == f"RFC 3986{asked} of {total:,} vectors asked"
    assert part[1].startswith("passes what was asked ")
    assert "complies" not in part[1]
    text = " ".join(page.text.split())
    assert f"Only {asked} of the {total:,} vectors of RFC 3986 were selected." in text
    assert f"{len(some):,} of {len(whole.cases):,} vectors asked" in text


@pytest.mark.parametrize(
    ("spec", "urllib", "node", "java"),
    [("rfc1808", "", "claims no RFC", "not claimed"), ("rfc2396", "not claimed", "claims no RFC", "")],
)
def test_a_verdict_marks_rfcs_that_are_not_claimed(page, spec, urllib, node, java):
    (row,) = (row for row in page.table("summary") if row[0].startswith(rfc(spec)))
    for cell, claim in zip(row[1:], ("", urllib, node, java), strict=True):
        said = [words for words in ("claims no RFC", "not claimed") if words in cell]
        assert said == ([claim] if claim else [])


def test_vectors_that_decide_are_called_required(page):
    assert "required vectors pass" in page.table("summary")[1][1]
    assert "obliging" not in page.text.lower()


def test_an_implementation_without_results_has_no_column(tmp_path):
    page = Page(render(small(tmp_path / "r.jsonl", ("pass",), state="not installed")))
    assert page.data()["implementations"] == []
    assert "Without results: one (not installed)." in " ".join(page.text.split())


def test_a_section_includes_the_sections_below_it(page, results):
    """RFC 1808, section 5 with 5.1 to 5.3."""
    sizes = Counter(asked.case.section for asked in results.vectors.values() if asked.case.spec == "rfc1808")
    rows = {row[0].split()[0]: row for row in page.table("sections", 1)[1:]}
    assert sizes["5"]
    below = sum(count for section, count in sizes.items() if section.split(".")[0] == "5")
    assert f"/{below}" in rows["5"][2]
    assert f"/{sizes['5.2']}" in rows["5.2"][2]


def test_many_implementations_have_a_row_each_and_narrow_columns():
    made = report_samples.many_results(loader.load(), 60, 40)
    page = Page(render(made))
    head, *rows = page.table("overview")
    scores = by_spec(made)
    assert len(head) == 1 + len(scores)
    assert len(rows) == 40
    for participant, row in zip(made.participants, rows, strict=True):
        assert row[0].startswith(participant.name)
        for spec, cell in zip(scores, row[1:], strict=True):
            score = scores[spec][participant.name]
            assert cell.startswith("complies" if score.complies else "does not comply")
            assert f"{score.compliance.passed:,} / {score.compliance.total:,}" in cell
    head, *rows = page.table("sections dense")
    assert head == ["Section", *(participant.name for participant in made.participants)]
    assert {row[1] for row in rows} == {"100"}  # the reference
    assert all(cell.isdigit() for row in rows for cell in row[1:])


def test_generated_tiers_show_their_first_failing_cases(tmp_path):
    made = report_samples.generated_results(tmp_path / "r.jsonl", report_samples.asked_of(loader.load(), 3))
    page = Page(render(made))
    (row,) = (row for row in page.table("sections", 1) if row[0].startswith("RFC 3986 URI"))
    assert row[0].endswith("complete, 900 cases")
    assert "700/900 200 failing" in row[2]
    found = page.table("", 1)
    assert found[0] == ["Implementation", "Question", "Expected", "Got", "Case"]
    assert len(found) == 1 + 5
    assert found[1][0] == "urllib"
    assert "<script>" in found[1][1]
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert "#case=complete-rfc3986-URI-000000" in links
    assert link(spec="rfc3986", tier="complete", rule="URI", impl="urllib", outcome="failing") in links
