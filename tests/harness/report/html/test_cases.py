"""The data of the page script: every text, outcome and answer can be read back."""

import json
from typing import NamedTuple

import msgspec
import pytest
import report_samples
from html_text import Page

from urlharness.compare.matrix import make_matrix
from urlharness.corpus import model
from urlharness.corpus.differences import load_ruling_texts, load_rulings
from urlharness.corpus.rfctext import paragraph_digest
from urlharness.corpus.specifications import report_place
from urlharness.report.html import cases
from urlharness.report.html.answers import AnswerRow
from urlharness.report.html.page import render
from urlharness.report.html.tables import participants_with_column
from urlharness.results.model import AskedVector, Participant, Result
from urlharness.results.scores import State, scores_by_spec


class CaseDetails(NamedTuple):
    """The details of a case; `rows` are those of its answers."""

    requirement: int
    expect: object
    ruling: str
    comment: str
    source: str
    partition: int
    rows: list[int]


def listed_cases(listed):
    """Return the cases as the page lists them."""
    return [cases.ListedCase(*row) for row in listed["cases"]]


def details_of(details, number):
    """Return the details of a case."""
    row = details["cases"][number]
    return CaseDetails(*row[:6], rows=row[6:])


def answer_of(details, number, column):
    """Return the answer that the script finds for a case and an implementation."""
    case = details_of(details, number)
    letter = details["partitions"][case.partition][column]
    return None if letter == cases.NONE else details["answers"][case.rows[ord(letter) - ord("0")]]


def outcome_of(listed, number, column):
    """Return the outcome that the script finds for a case and an implementation."""
    case = cases.ListedCase(*listed["cases"][number])
    letter = listed["patterns"][case.pattern][column]
    return None if letter == cases.NONE else listed["outcomes"][ord(letter) - ord("a")]


@pytest.fixture(scope="module")
def listed(page):
    """The block of data that the page reads first."""
    return page.data()


@pytest.fixture(scope="module")
def details(page):
    """The block of data with the details of the cases."""
    return page.data("details")


def test_each_case_is_listed_once(listed, results):
    assert sorted(case.id for case in listed_cases(listed)) == sorted(results.vectors)


class QuestionFields(NamedTuple):
    """What the page has of a question."""

    op: str
    level: str
    binding: str
    class_: str
    tier: str
    witness: bool
    flags: list[str]
    inputs: object


def question_on_page(case, listed):
    """Return the question of a case as the page lists it."""
    return QuestionFields(
        op=case.op,
        level=case.level,
        binding=case.binding,
        class_=case.class_,
        tier=case.tier,
        witness=case.witness,
        flags=listed["flagsets"][case.flags],
        inputs=case.inputs,
    )


def question_of_corpus(case):
    """Return the question of a case of the corpus as the page has to list it."""
    vector = case.vector
    return QuestionFields(
        op=vector.op,
        level=vector.level,
        binding=vector.binding,
        class_=vector.class_ or "",
        tier=cases.CORE,
        witness=vector.origin == "mutant",
        flags=list(case.flags),
        inputs=json.loads(msgspec.json.encode(vector.inputs)),
    )


def test_the_data_give_back_every_question(listed, results):
    for case in listed_cases(listed):
        expected = question_of_corpus(results.vectors[case.id].case)
        assert question_on_page(case, listed) == expected, case.id


@pytest.fixture(scope="module")
def hostile_case_by_id(hostile_source):
    """The cases of a page in which every text is hostile, by id."""
    return {case.id: case for case in listed_cases(Page(hostile_source).data())}


def test_the_data_give_back_every_hostile_id(hostile_case_by_id):
    asked_vectors = report_samples.hostile_cases()
    assert [*hostile_case_by_id] == [asked_vector.case.vector.id for asked_vector in asked_vectors]


def test_the_data_give_back_every_hostile_url(hostile_case_by_id):
    urls = [case.inputs["url"] for case in hostile_case_by_id.values() if case.op == "parse"]
    assert urls == list(report_samples.HOSTILE)


def test_the_data_give_back_a_url_of_bytes(hostile_case_by_id):
    assert hostile_case_by_id["octets"].inputs["url"] == {"hex": "ff00"}


def test_every_implementation_that_ran_is_in_the_data(listed):
    assert listed["implementations"] == ["reference", "urllib", "node-url", "java-net-uri"]


def test_every_case_has_details(listed, details):
    assert len(details["cases"]) == len(listed["cases"])


class AnswerFields(NamedTuple):
    """What the page has of an answer; `raw` is a text only if JavaScript cannot hold its numbers."""

    outcome: str
    variant: str
    detail: str
    stderr: str
    got: object
    raw: str


def answer_on_page(row):
    """Return what a row of the page has of an answer."""
    return AnswerFields(
        outcome=row.outcome,
        variant=row.variant,
        detail=row.detail,
        stderr=row.stderr,
        got=row.got,
        raw=row.raw,
    )


def answer_of_run(answer):
    """Return what the page has to have of an answer of a run: all but the id of the reply."""
    got = {field: part for field, part in answer.got.items() if field != "id"}
    return AnswerFields(
        outcome=answer.outcome,
        variant=answer.variant,
        detail=answer.detail,
        stderr=answer.stderr,
        got=json.loads(msgspec.json.encode(got)),
        raw="",
    )


@pytest.mark.parametrize("name", ["reference", "urllib", "node-url", "java-net-uri"])
def test_the_data_give_back_every_answer(listed, details, results, name):
    column = listed["implementations"].index(name)
    answers = results.of(name)
    for number, case in enumerate(listed_cases(listed)):
        row = AnswerRow(*answer_of(details, number, column))
        assert answer_on_page(row) == answer_of_run(answers[case.id]), case.id


@pytest.mark.parametrize("name", ["reference", "urllib", "node-url", "java-net-uri"])
def test_the_data_give_back_every_outcome(listed, results, name):
    column = listed["implementations"].index(name)
    answers = results.of(name)
    for number, case in enumerate(listed_cases(listed)):
        assert outcome_of(listed, number, column) == answers[case.id].outcome, case.id


@pytest.mark.parametrize("block", ["answers", "partitions", "requirements", "shown"])
def test_equal_entries_of_a_table_are_stored_once(details, block):
    entries = [json.dumps(entry) for entry in details[block]]
    assert entries != []
    assert len(entries) == len(set(entries))


class Difference(NamedTuple):
    """The difference of the answers to a case, as numbers of the tables of differences."""

    parts: int
    class_: int
    cause: int
    alone: list[int]


@pytest.fixture(scope="module")
def matrix(results):
    """The comparison of the implementations."""
    return make_matrix(results)


@pytest.fixture(scope="module")
def compared_differences(listed, details, matrix):
    """Each disagreement with its difference in the data."""
    disagreements = {disagreement.case.vector.id: disagreement for disagreement in matrix.disagreements}
    rows = zip(listed_cases(listed), details["differences"]["cases"], strict=True)
    compared = [
        (disagreements[case.id], Difference(*row[:3], row[3:]))
        for case, row in rows
        if case.id in disagreements
    ]
    assert compared != []
    assert len(compared) == len(disagreements)
    return compared


def test_a_case_has_a_difference_if_its_answers_disagree(listed, details, matrix):
    rows = zip(listed_cases(listed), details["differences"]["cases"], strict=True)
    ids = {case.id for case, row in rows if row != []}
    assert ids != set()
    assert ids == {disagreement.case.vector.id for disagreement in matrix.disagreements}


def test_a_difference_names_the_components_that_differ_by_more_than_spelling(details, compared_differences):
    parts = details["differences"]["parts"]
    for disagreement, difference in compared_differences:
        alarms = [contrast.alarms for contrast in disagreement.contrasts]
        assert set(parts[difference.parts]) == set().union(*alarms), disagreement.case.vector.id


def test_a_difference_has_its_class(details, compared_differences):
    classes = details["differences"]["classes"]
    classes_on_page = [classes[difference.class_] for _, difference in compared_differences]
    assert classes_on_page == [disagreement.entry or "none" for disagreement, _ in compared_differences]


def test_a_difference_has_its_worst_cause(details, compared_differences):
    causes = details["differences"]["causes"]
    causes_on_page = [causes[difference.cause] for _, difference in compared_differences]
    assert causes_on_page == [disagreement.cause for disagreement, _ in compared_differences]


def test_a_difference_names_the_implementations_that_are_alone(listed, matrix, compared_differences):
    pairs = [
        (disagreement.case.vector.id, listed["implementations"][column])
        for disagreement, difference in compared_differences
        for column in difference.alone
    ]
    assert pairs != []
    assert sorted(pairs) == sorted(
        (disagreement.case.vector.id, name)
        for name in matrix.names
        for disagreement in matrix.lone_disagreements(name)
    )


def test_scores_are_of_the_rfcs_that_are_claimed(listed, results):
    scores = scores_by_spec(results)
    expected_scores = {}
    for participant in participants_with_column(results):
        claimed_scores = [
            scores[spec][participant.name] for spec in participant.specs or scores if spec in scores
        ]
        held = sum(score.states[State.HELD] for score in claimed_scores)
        statements = sum(score.statements for score in claimed_scores)
        expected_scores[participant.name] = round(held / statements, 4)
    assert dict(zip(listed["implementations"], listed["scores"], strict=True)) == expected_scores


def test_sections_come_in_the_order_of_the_rfc(listed):
    places = [(report_place(spec), model.section_key(section)) for spec, section, _ in listed["sections"]]
    assert places != []
    assert places == sorted(places)


def test_the_sections_of_an_rfc_come_in_the_order_of_numbers_and_not_of_texts(listed):
    sections = [section for spec, section, _ in listed["sections"] if spec == "rfc1808"]
    place_of_2_4_5, place_of_4, place_of_10 = map(sections.index, ("2.4.5", "4", "10"))
    assert place_of_2_4_5 < place_of_4
    assert place_of_4 < place_of_10


def test_witnesses_follow_the_cases_that_people_made(listed):
    witness_signs = [case.witness for case in listed_cases(listed)]
    assert set(witness_signs) == {0, 1}
    assert witness_signs == sorted(witness_signs)


@pytest.mark.parametrize("witness", [0, 1], ids=["made-by-people", "witnesses"])
def test_cases_come_in_the_order_of_their_sections(listed, witness):
    sections = [case.section for case in listed_cases(listed) if case.witness == witness]
    assert len(set(sections)) > 1
    assert sections == sorted(sections)


def test_a_ruling_has_its_reading_title_and_text(details):
    ruling = load_ruling_texts()["R-1808-14"]
    assert details["rulings"]["R-1808-14"] == [load_rulings()["R-1808-14"], ruling.title, ruling.text]


def test_every_ruling_has_all_its_texts(details):
    assert [name for name, texts in details["rulings"].items() if not all(texts)] == []


TEXT = "2.  Syntax\n\n   One.\n\n   A paragraph\n   of two lines.\n"
DIGEST = paragraph_digest("A paragraph of two lines.")


@pytest.mark.parametrize(
    ("texts", "digest", "quoted"),
    [
        pytest.param({"rfc3986.txt": TEXT}, DIGEST, ["   A paragraph\n   of two lines."], id="at-hand"),
        pytest.param({"rfc3986.txt": TEXT}, "0" * 12, [], id="another-text"),
        pytest.param({"rfc3986.txt": "2.  Syntax\n\n   One.\n"}, DIGEST, [], id="shorter-text"),
        pytest.param({}, DIGEST, [], id="no-text"),
    ],
)
def test_a_paragraph_is_shown_if_its_text_is_at_hand(tmp_path, monkeypatch, make_case, texts, digest, quoted):
    monkeypatch.setenv("URLCONFORM_RFC_DIR", str(tmp_path))
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    requirement = model.Requirement("r", "2", 2, digest, "must", "States it.")
    vector = AskedVector(make_case("rfc3986-3-x"), requirement, "Syntax")
    results = report_samples.write(tmp_path / "r.jsonl", [vector], report_samples.PARTICIPANTS[:1])
    assert Page(render(results)).data("details")["paragraphs"] == [quoted]


#: A reply may be nested as deep as a JSON parser takes it; few people would test more than a hundred levels.
DEPTH = 300


def nested(depth):
    """Return a text in as many lists."""
    content = "core"
    for _ in range(depth):
        content = [content]
    return content


def test_a_deep_answer_is_stored_whole(corpus, tmp_path):
    asked_vectors = report_samples.asked_of(corpus, 1)

    def answer(case, participant):
        return Result(case.vector.id, participant.name, "fail", got={"status": "ok", "also": nested(DEPTH)})

    participants = report_samples.PARTICIPANTS[:1]
    results = report_samples.write(tmp_path / "deep.jsonl", asked_vectors, participants, answer)
    (row,) = Page(render(results)).data("details")["answers"]
    assert AnswerRow(*row).got["also"] == nested(DEPTH)


def test_generated_cases_follow_the_stored_cases(generated_page):
    tiers = [case.tier for case in listed_cases(generated_page.data())]
    assert tiers == ["core"] * 3 + ["complete"] * report_samples.GENERATED


@pytest.fixture
def stored_answer(generated_page):
    """Return a function that returns the outcome and the answer of an implementation to a generated case."""
    listed = generated_page.data()
    details = generated_page.data("details")
    last_case = len(listed["cases"]) - 1

    def find(name):
        column = listed["implementations"].index(name)
        return outcome_of(listed, last_case, column), answer_of(details, last_case, column)

    return find


def test_a_right_answer_to_a_generated_case_is_not_stored(stored_answer):
    outcome, answer = stored_answer("reference")
    assert outcome is None
    assert answer is None


def test_a_wrong_answer_to_a_generated_case_is_stored(stored_answer):
    outcome, answer = stored_answer("urllib")
    assert outcome == "fail"
    assert answer is not None


def groups_of(details, number):
    """Return the rows of each group of equal answers of a case."""
    number_of_signs, *_ = details["groups"]["cases"][number]
    signs = details["groups"]["signs"][number_of_signs]
    rows = details_of(details, number).rows
    return [
        [row for row, row_sign in zip(rows, signs, strict=True) if row_sign == sign]
        for sign in sorted({*signs})
    ]


def groups_by_name(listed, details, number):
    """Return the number of the group that has the answer of each implementation to a case."""
    groups = [[details["answers"][row] for row in rows] for rows in groups_of(details, number)]
    group_of_name = {}
    for column, name in enumerate(listed["implementations"]):
        answer = answer_of(details, number, column)
        (group_of_name[name],) = [index for index, answers in enumerate(groups) if answer in answers]
    return group_of_name


def test_equal_answers_are_grouped_as_in_a_comparison(listed, details, matrix):
    """Names of one group of a comparison have one group on the page, and those of two groups have two."""
    assert matrix.disagreements
    numbers = {case.id: number for number, case in enumerate(listed_cases(listed))}
    for disagreement in matrix.disagreements:
        identifier = disagreement.case.vector.id
        group_on_page = groups_by_name(listed, details, numbers[identifier])
        seen_groups = []
        for group in disagreement.groups:
            (group_of_these_names,) = {group_on_page[name] for name in group.names}
            seen_groups.append(group_of_these_names)
        assert len(set(seen_groups)) == len(disagreement.groups), identifier


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
