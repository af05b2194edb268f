"""The answers in the data of the page: their verdicts by part, what they show, and which are equal."""

import json
from types import SimpleNamespace

import msgspec
import pytest

from urlharness.corpus import model
from urlharness.panel.answer import Answer, AnswerGroup
from urlharness.report.html.answers import AnswerRow, AnswerTable, Briefs, Marks, ShownComponents, reply_marks
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome

TELLS_EMPTY = ("absent-vs-empty",)


def parse_case(*expected, spec="rfc3986"):
    """Return a case to parse with these components as its admissible answers."""
    answers = tuple(model.Expected(components=alternative) for alternative in expected)
    vector = model.Vector(
        id="p",
        requirement="r",
        level="must",
        op="parse",
        url="a",
        binding="required",
        expect=answers[0] if len(answers) == 1 else model.Expected(any=answers),
    )
    return model.Case(spec, "3", vector, "f.json")


#: The components of a reply; those that are wrong, and those that are not exposed.
MARKED = [
    pytest.param({"scheme": "a", "host": None}, [], [], id="right"),
    pytest.param({"scheme": "a", "host": ""}, ["host"], [], id="empty-for-absent"),
    pytest.param({"scheme": "a"}, [], ["host"], id="not-exposed"),
    pytest.param({"scheme": "b"}, ["scheme"], ["host"], id="wrong-and-not-exposed"),
    pytest.param({"scheme": "b", "host": "h"}, ["scheme", "host"], [], id="all-wrong"),
    pytest.param({"scheme": {"hex": "ff"}, "host": None}, ["scheme"], [], id="bytes"),
]


@pytest.mark.parametrize(("got", "wrong", "unclear"), MARKED)
def test_components_are_marked_as_the_verdict_judges_them(got, wrong, unclear):
    answer = Result("p", "lib", Outcome.FAIL, got={"components": got})
    marks = reply_marks(parse_case({"scheme": "a", "host": None}), answer, TELLS_EMPTY)
    assert marks == Marks(nearest=0, wrong=wrong, unclear=unclear)


@pytest.mark.parametrize(
    "got",
    [
        pytest.param({"scheme": {"deep": [1]}, "host": None}, id="component-of-another-type"),
        pytest.param("text", id="text"),
        pytest.param(None, id="none"),
    ],
)
def test_a_reply_without_readable_components_has_no_marks(got):
    answer = Result("p", "lib", Outcome.FAIL, got={"components": got})
    assert reply_marks(parse_case({"scheme": "a", "host": None}), answer, ()) is None


def test_parts_that_the_adapter_cannot_tell_are_marked():
    """An empty host and a missing port, by an adapter that cannot tell absent from empty."""
    case = parse_case({"scheme": "a", "host": "", "port": "", "query": None})
    answer = Result(
        "p", "lib", Outcome.PARTIAL, got={"components": {"scheme": "a", "host": None, "query": ""}}
    )
    assert reply_marks(case, answer, ()) == Marks(nearest=0, wrong=[], unclear=["host", "port"])


def test_components_are_marked_against_the_nearest_alternative():
    case = parse_case({"scheme": "a", "host": "b"}, {"scheme": "x", "host": "y"})
    answer = Result("p", "lib", Outcome.FAIL, got={"components": {"scheme": "x", "host": "z"}})
    assert reply_marks(case, answer, TELLS_EMPTY) == Marks(nearest=1, wrong=["host"], unclear=[])


@pytest.fixture
def raw_of(make_case):
    """Return a function that returns the text that is kept of a reply."""

    def raw(got):
        case = make_case("rfc3986-3-x")
        answers = AnswerTable()
        number = answers.add(case, Result(case.vector.id, "lib", Outcome.FAIL, got={"id": 5, **got}), ())
        return answers.rows[number].raw

    return raw


@pytest.mark.parametrize(
    ("got", "raw"),
    [
        ({"status": "ok", "extra": 9007199254740993}, '{"status":"ok","extra":9007199254740993}'),
        ({"extra": 10**399}, '{"extra":1' + 399 * "0" + "}"),
        ({"extra": 1e300}, '{"extra":1e300}'),
    ],
    ids=["above-2-to-53", "400-digits", "large-float"],
)
def test_numbers_that_javascript_cannot_hold_are_kept_as_text(raw_of, got, raw):
    assert raw_of(got) == raw
    assert json.loads(raw) == got


@pytest.mark.parametrize(
    "got", [{"status": "ok", "at": 7}, {"extra": [[1.5]]}], ids=["small-integer", "float-in-lists"]
)
def test_numbers_that_javascript_holds_are_not_kept_as_text(raw_of, got):
    assert raw_of(got) == ""


def test_replies_that_differ_in_their_id_are_one_answer(make_case):
    case = make_case("rfc3986-3-x")
    answers = AnswerTable()
    replies = [Result(case.vector.id, "lib", Outcome.FAIL, got={"id": number}) for number in (5, 6)]
    rows = [answers.add(case, reply, ()) for reply in replies]
    assert rows == [0, 0]


def shown_by(got, features=TELLS_EMPTY, outcome=Outcome.FAIL):
    """Return what the page shows of a reply."""
    answers = AnswerTable()
    row = answers.add(parse_case({"scheme": "a"}), Result("p", "lib", outcome, got=got), features)
    number = answers.rows[row].shown
    return None if number is None else answers.shown.values[number]


def parsed(**components):
    """Return the reply with these components."""
    return {"status": "ok", "components": components}


ONLY_A_HOST = {"userinfo": None, "host": "h", "port": None}


@pytest.mark.parametrize(
    ("components", "features", "order", "absent"),
    [
        pytest.param(
            {"path": "/", "scheme": "a", "host": "h"},
            TELLS_EMPTY,
            ("host", "scheme", "path"),
            "",
            id="by-harm",
        ),
        pytest.param({"scheme": "a", "path": ""}, (), ("scheme", "path"), "", id="empty-path"),
        pytest.param({"scheme": "a", "query": ""}, (), ("scheme",), "", id="cannot-tell-empty"),
        pytest.param({"scheme": "a", "query": ""}, TELLS_EMPTY, ("scheme", "query"), "", id="tells-empty"),
        pytest.param({"scheme": "a", "host": None}, (), ("scheme",), "no host", id="no-host"),
        pytest.param({"scheme": "a", "net_loc": None}, (), ("scheme",), "no authority", id="no-net-loc"),
        pytest.param({**ONLY_A_HOST, "authority": "h"}, (), ("host",), "", id="repeated-authority"),
        pytest.param({**ONLY_A_HOST, "authority": "H"}, (), ("host",), "", id="authority-in-another-case"),
        pytest.param(
            {**ONLY_A_HOST, "authority": "g"}, (), ("host", "authority"), "", id="contradicting-authority"
        ),
    ],
)
def test_a_parsed_answer_shows_its_components_in_the_order_of_harm(components, features, order, absent):
    assert shown_by(parsed(**components), features) == ShownComponents(order, absent)


@pytest.mark.parametrize(
    ("got", "outcome"),
    [
        pytest.param({"status": "reject"}, Outcome.FAIL, id="refusal"),
        pytest.param({"status": "ok", "url": "http://h/"}, Outcome.FAIL, id="url"),
        pytest.param({"status": "ok", "equal": True}, Outcome.FAIL, id="verdict"),
        pytest.param(parsed(scheme="a"), Outcome.TIMEOUT, id="abnormal-end"),
    ],
)
def test_an_answer_that_was_not_parsed_shows_no_components(got, outcome):
    assert shown_by(got, outcome=outcome) is None


def test_equal_replies_of_libraries_that_tell_empty_or_not_are_two_answers():
    answers = AnswerTable()
    case = parse_case({"scheme": "b"})
    answer = Result("p", "lib", Outcome.PASS, got=parsed(scheme="a", query=""))
    rows = [answers.add(case, answer, features) for features in ((), TELLS_EMPTY, ())]
    assert rows == [0, 1, 0]
    assert answers.answers == [
        Answer("parsed", {"scheme": "a", "query": None}),
        Answer("parsed", {"scheme": "a", "query": ""}),
    ]


def test_a_row_is_a_json_array():
    answers = AnswerTable()
    answers.add(parse_case({"scheme": "a"}), Result("p", "lib", Outcome.FAIL, got=parsed(scheme="b")), ())
    (row,) = msgspec.json.decode(msgspec.json.encode(answers.rows))
    assert AnswerRow(*row) == AnswerRow(
        outcome=Outcome.FAIL,
        variant="",
        detail="",
        got=parsed(scheme="b"),
        stderr="",
        marks=[0, ["scheme"], []],  # the nearest answer, the wrong parts, the unclear parts
        raw="",
        shown=0,
    )


def test_answers_that_differ_elsewhere_have_different_words_in_a_row():
    first = Answer("parsed", {"host": None, "path": ";", "query": None})
    second = Answer("parsed", {"host": None, "path": "", "query": None})
    groups = [AnswerGroup(first, ("one", "two")), AnswerGroup(second, ("three",))]
    briefs = Briefs()
    briefs.add(parse_case({"host": None}), {}, SimpleNamespace(component="host", groups=groups))
    *_, first_words, _second_names, second_words = briefs.contents()["texts"]
    assert first_words == "no host  path ;"
    assert second_words == "no host  path (empty)"
