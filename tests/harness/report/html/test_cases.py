"""The data of the page script: every text, outcome and answer can be read back."""

import functools
import json

import msgspec
import pytest
import report_samples
from html_text import Page

from urlharness.compare.matrix import make_matrix
from urlharness.corpus import loader, model
from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.rfctext import paragraph_digest
from urlharness.corpus.specifications import report_place
from urlharness.report.html import cases
from urlharness.report.html.answers import AnswerRow
from urlharness.report.html.page import render
from urlharness.report.html.tables import participants_with_column
from urlharness.results.model import AskedVector, Participant, Result
from urlharness.results.scores import State, scores_by_spec


def answer_of(details, number, column):
    """Return the answer that the script finds for a case and an implementation."""
    partition, *classes = details["cases"][number][5:]
    letter = details["partitions"][partition][column]
    return None if letter == cases.NONE else details["answers"][classes[ord(letter) - ord("0")]]


def outcome_of(listed, number, column):
    letter = listed["patterns"][listed["cases"][number][-1]][column]
    return None if letter == cases.NONE else listed["outcomes"][ord(letter) - ord("a")]


def test_the_data_give_back_every_question(page, results):
    listed = page.data()
    vectors_asked = {line.case.vector.id: line for line in results.vectors.values()}
    for _section, identity, op, level, binding, class_, flags, tier, inputs, witness, _pattern in listed[
        "cases"
    ]:
        case = vectors_asked.pop(identity).case
        vector = case.vector
        assert op == vector.op
        assert level == vector.level
        assert binding == vector.binding
        assert class_ == (vector.class_ or "")
        assert tier == cases.CORE
        assert witness == (vector.origin == "mutant")
        assert listed["flagsets"][flags] == list(case.flags)
        assert inputs == json.loads(msgspec.json.encode(vector.inputs))
    assert vectors_asked == {}


def test_the_data_give_back_every_text(hostile):
    listed = Page(render(hostile)).data()
    assert [case[1] for case in listed["cases"]] == [
        line.case.vector.id for line in report_samples.hostile_cases()
    ]
    urls = {case[8].get("url") for case in listed["cases"][:-1]} - {None}
    assert urls == set(report_samples.HOSTILE)
    assert listed["cases"][-1][8]["url"] == {"hex": "ff00"}


def test_the_data_give_back_every_outcome_and_answer(page, results):
    listed, details = page.data(), page.data("details")
    assert listed["implementations"] == ["reference", "urllib", "node-url", "java-net-uri"]
    assert len(listed["cases"]) == len(details["cases"]) == len(results.vectors)
    for number, case in enumerate(listed["cases"]):
        for column, name in enumerate(listed["implementations"]):
            answer = results.of(name)[case[1]]
            row = AnswerRow(*answer_of(details, number, column))
            assert row.outcome == outcome_of(listed, number, column) == answer.outcome
            assert row.variant == answer.variant
            assert row.detail == answer.detail
            assert row.stderr == answer.stderr
            assert row.raw == ""
            assert row.got == json.loads(
                msgspec.json.encode({field: part for field, part in answer.got.items() if field != "id"})
            )


@pytest.mark.parametrize("block", ["answers", "partitions", "requirements", "shown"])
def test_equal_values_are_stored_once(page, block):
    entries = [json.dumps(entry) for entry in page.data("details")[block]]
    assert entries != []
    assert len(entries) == len(set(entries))


def test_the_data_say_how_answers_differ(page, results):
    listed, details = page.data(), page.data("details")
    matrix = make_matrix(results)
    by_id = {disagreement.case.vector.id: disagreement for disagreement in matrix.disagreements}
    differences = details["differences"]
    unlike = {
        name: {id(disagreement) for disagreement in matrix.lone_disagreements(name)} for name in matrix.names
    }
    assert 10 < len(by_id) < len(listed["cases"])
    for case, difference in zip(listed["cases"], differences["cases"], strict=True):
        named_disagreement = by_id.get(case[1])
        if named_disagreement is None:
            assert difference == []
            continue
        parts, entry, cause, *alone = difference
        assert set(differences["parts"][parts]) == {
            name for contrast in named_disagreement.contrasts for name in contrast.alarms
        }
        assert differences["classes"][entry] == (named_disagreement.entry or "none")
        assert differences["causes"][cause] == named_disagreement.cause
        assert {listed["implementations"][column] for column in alone} == {
            name for name in matrix.names if id(named_disagreement) in unlike[name]
        }


def test_scores_are_of_the_rfcs_that_are_claimed(page, results):
    listed = page.data()
    scores = scores_by_spec(results)
    for participant, score in zip(participants_with_column(results), listed["scores"], strict=True):
        claimed_scores = [
            scores[spec][participant.name] for spec in participant.specs or scores if spec in scores
        ]
        held = sum(score.states[State.HELD] for score in claimed_scores)
        assert score == round(held / sum(score.statements for score in claimed_scores), 4)


def test_sections_come_in_the_order_of_the_rfc(page):
    places = [
        (report_place(spec), model.section_key(section)) for spec, section, _ in page.data()["sections"]
    ]
    assert places == sorted(places)


def test_witnesses_follow_the_cases_that_people_made(page):
    listed = page.data()
    witness = [case[9] for case in listed["cases"]]
    assert witness == sorted(witness)
    assert 0 < sum(witness) < len(witness)
    for part in (0, 1):
        sections = [case[0] for case in listed["cases"] if case[9] == part]
        assert sections == sorted(sections)


def test_rulings_have_their_readings(page):
    rulings = page.data("details")["rulings"]
    reading = load_ruling_texts()["R-1808-14"]
    assert rulings["R-1808-14"] == [load_rulings()["R-1808-14"], reading.title, reading.text]
    assert [name for name, ruling in rulings.items() if not all(ruling)] == []


TEXT = "2.  Syntax\n\n   One.\n\n   A paragraph\n   of two lines.\n"
DIGEST = paragraph_digest("A paragraph of two lines.")


@pytest.mark.parametrize(
    ("texts", "digest", "quoted"),
    [
        (
            {"rfc3986.txt": TEXT},
            paragraph_digest("A paragraph of two lines."),
            ["   A paragraph\n   of two lines."],
        ),
        ({"rfc3986.txt": TEXT}, "0" * 12, []),
        ({"rfc3986.txt": "2.  Syntax\n\n   One.\n"}, DIGEST, []),
        ({}, DIGEST, []),
    ],
    ids=["at-hand", "another-text", "shorter-text", "no-text"],
)
def test_a_paragraph_is_shown_if_its_text_is_at_hand(tmp_path, monkeypatch, make_case, texts, digest, quoted):
    monkeypatch.setenv("URLCONFORM_RFC_DIR", str(tmp_path))
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    requirement = model.Requirement("r", "2", 2, digest, "must", "States it.")
    vector = AskedVector(make_case("rfc3986-3-x"), requirement, "Syntax")
    results = report_samples.write(tmp_path / "r.jsonl", [vector], report_samples.PARTICIPANTS[:1])
    assert Page(render(results)).data("details")["paragraphs"] == [quoted]


def test_deep_answers_are_stored_and_shown(tmp_path):
    deep = functools.reduce(lambda inner, _: [inner], range(300), "core")
    line = report_samples.asked_of(loader.load(), 1)

    def answer(case, participant):
        return Result(case.vector.id, participant.name, "fail", got={"status": "ok", "also": deep})

    results = report_samples.write(tmp_path / "deep.jsonl", line, report_samples.PARTICIPANTS[:1], answer)
    assert Page(render(results)).data("details")["answers"][0][3]["also"] == deep


@pytest.fixture
def generated_page(tmp_path):
    """The page of three vectors and of the generated cases of which one library failed some."""
    vectors = report_samples.asked_of(loader.load(), 3)
    return Page(render(report_samples.generated_results(tmp_path / "r.jsonl", vectors)))


def test_generated_cases_follow_the_stored_cases(generated_page):
    tiers = [tier for *_, tier, _inputs, _witness, _pattern in generated_page.data()["cases"]]
    assert tiers == ["core"] * 3 + ["complete"] * report_samples.GENERATED


def test_of_generated_cases_only_failures_are_stored(generated_page):
    listed, details = generated_page.data(), generated_page.data("details")
    reference, urllib = (listed["implementations"].index(name) for name in ("reference", "urllib"))
    last_case = len(listed["cases"]) - 1
    assert outcome_of(listed, last_case, reference) is None
    assert answer_of(details, last_case, reference) is None
    assert outcome_of(listed, last_case, urllib) == "fail"
    assert answer_of(details, last_case, urllib) is not None


def groups_of(details, number):
    """Return the rows of each group of equal answers of a case."""
    number_of_signs, *_ = details["groups"]["cases"][number]
    signs = details["groups"]["signs"][number_of_signs]
    _partition, *rows = details["cases"][number][5:]
    return [
        [row for row, row_sign in zip(rows, signs, strict=True) if row_sign == sign]
        for sign in sorted({*signs})
    ]


def test_equal_answers_are_grouped_as_in_a_comparison(page, results):
    details = page.data("details")
    names = page.data()["implementations"]
    by_id = {disagreement.case.vector.id: disagreement for disagreement in make_matrix(results).disagreements}
    compared = 0
    for number, case in enumerate(page.data()["cases"]):
        disagreement = by_id.get(case[1])
        if disagreement is None:
            continue
        row_of = {name: answer_of(details, number, column) for column, name in enumerate(names)}
        groups = [[details["answers"][row] for row in rows] for rows in groups_of(details, number)]
        for group in disagreement.groups:
            assert [rows for rows in groups if row_of[group.names[0]] in rows] == [
                rows for rows in groups if all(row_of[name] in rows for name in group.names)
            ]
        compared += 1
    assert compared > 10


def group_case(make_case, record, *replies):
    """Return the details of a case to which libraries give these replies."""
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, expect={"components": {"host": "h"}})
    answers = [
        Result(case.vector.id, f"lib{number}", outcome, got=got)
        for number, (outcome, got) in enumerate(replies)
    ]
    participants = [Participant(answer.implementation, "ran") for answer in answers]
    return msgspec.json.decode(cases.data_blocks(record([case], *participants, *answers), {}).details)


NOT_OFFERED = {"status": "unsupported"}
HOST = {"status": "ok", "components": {"scheme": "http", "host": "h"}}
OTHER_HOST = {"status": "ok", "components": {"scheme": "http", "host": "g"}}
SCHEME = {"status": "ok", "components": {"scheme": "http"}}


@pytest.mark.parametrize(
    ("replies", "groups"),
    [
        pytest.param([("pass", HOST)] * 2, [[0]], id="equal"),
        pytest.param([("pass", HOST), *[("fail", OTHER_HOST)] * 2], [[1], [0]], id="largest-first"),
        pytest.param([("partial", SCHEME), ("pass", HOST)], [[1, 0]], id="fewer-components"),
        pytest.param([("fail", HOST), ("pass", HOST)], [[0, 1]], id="two-outcomes"),
        pytest.param(
            [*[("unsupported", NOT_OFFERED)] * 2, ("pass", HOST)],
            [[1], [0]],
            id="not-offered-last",
        ),
        pytest.param([("timeout", {}), ("pass", HOST), ("crash", {})], [[1], [0], [2]], id="abnormal-ends"),
    ],
)
def test_groups_have_the_richest_answer_first_and_the_largest_group(make_case, record, replies, groups):
    assert groups_of(group_case(make_case, record, *replies), 0) == groups


def test_an_admissible_answer_shows_its_components(make_case, record):
    details = group_case(make_case, record, ("pass", HOST))
    _signs, admissible = details["groups"]["cases"][0]
    assert details["shown"][admissible] == {"order": ["host"]}
