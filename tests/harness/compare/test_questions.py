"""Questions beyond the corpus: the named differences, and texts of a user."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlharness.adapters import reference
from urlharness.compare.questions import difference_cases, text_corpus, urls_with_authority, with_differences
from urlharness.corpus.differences import load_differences
from urlharness.corpus.model import is_difference
from urlharness.corpus.specifications import SPECS
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question as question_of

ASKED = ("op", "rule", "mode", "url", "other", "base", "reference")


def question(vector):
    return tuple(getattr(vector, name) for name in ASKED)


@pytest.mark.parametrize("spec", SPECS)
def test_differences_that_the_core_asks_are_left_out(corpus, spec):
    """All others are asked once, if the RFC defines an answer."""
    core = [case for case in corpus.cases if case.spec == spec]
    core_questions = {question(case.vector) for case in core}
    alone, beside = difference_cases(spec, []), difference_cases(spec, core)
    assert {question(case.vector) for case in beside} == {
        question(case.vector) for case in alone
    } - core_questions
    defined = [
        side for difference in load_differences().values() for side in difference if spec in side.answers
    ]
    assert len(alone) == sum(spec_side.answers[spec].expect is not None for spec_side in defined)
    assert beside
    assert len(beside) < len(alone)


def test_the_core_of_another_rfc_asks_something_else(corpus):
    """The same text is another question there."""
    others = [case for case in corpus.cases if case.spec == "rfc1738"]
    assert len(difference_cases("rfc3986", others)) == len(difference_cases("rfc3986", []))


def test_added_differences_have_the_level_of_a_note(corpus):
    """They have no level of an RFC, and say which class they belong to."""
    core = [case for case in corpus.cases if case.spec == "rfc3986"]
    whole, cases = with_differences(corpus, core, "rfc3986")
    assert cases[: len(core)] == core
    added = cases[len(core) :]
    assert {case.vector.level for case in added} == {"note"}
    assert [case for case in added if not is_difference(case)] == []
    added = [case for case in added if case.file != "differences/parse.json"]
    assert {case.vector.class_ for case in added} <= load_differences().keys()
    assert [case for case in added if case.file != f"differences/{case.vector.class_}.json"] == []
    assert {case.vector.id for case in added} <= whole.requirements.keys()
    assert len({case.vector.id for case in cases}) == len(cases)


def test_invalid_urls_are_parsed_too(corpus):
    """RFC 3986 section 7.6: which host a library sees in what it accepts."""
    core = [case for case in corpus.cases if case.spec == "rfc3986"]
    _, cases = with_differences(corpus, core, "rfc3986")
    parsed = {case.vector.url: case.vector for case in cases if case.file == "differences/parse.json"}
    assert len(parsed) > 200
    assert [vector for vector in parsed.values() if vector.expect.valid is not False] == []
    assert any("\\" in url for url in parsed)
    assert any(url.count("@") > 1 for url in parsed)


@pytest.mark.parametrize("spec", SPECS)
def test_the_reference_answers_each_question_right(corpus, spec):
    """RFC 3986, section 3.5: `http://h/#` is a URI, although it is no absolute-URI (section 4.3)."""
    core = [case for case in corpus.cases if case.spec == spec]
    _, cases = with_differences(corpus, core, spec)
    features = frozenset(reference.hello()["features"])
    added = cases[len(core) :]
    assert added
    outcomes = {}
    for case in added:
        reply = msgspec.convert({"id": 1, **reference.answer(msgspec.to_builtins(question_of(case)))}, Reply)
        outcomes[case.vector.id] = judge(case, reply, features).outcome
    assert [name for name, outcome in outcomes.items() if outcome.failing] == []


TEXTS = [
    pytest.param("http://h/p", {"host": "h", "path": "/p", "scheme": "http"}, id="url"),
    pytest.param("../g?", {"path": "../g", "query": "", "host": None}, id="reference"),  # RFC 3986, 4.2
    pytest.param("", {"path": "", "scheme": None}, id="empty"),
]


@pytest.mark.parametrize(("text", "components"), TEXTS)
def test_the_expected_answer_to_a_text_is_that_of_the_grammar(text, components):
    (case,) = text_corpus([text], "rfc3986").cases
    assert components.items() <= case.vector.expect.components.items()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("http://a\\@b/", id="backslash"),  # RFC 3986, section 2
        pytest.param("http://[::1", id="bracket"),  # section 3.2.2
    ],
)
def test_a_text_that_the_grammar_refuses_is_expected_to_be_invalid(text):
    (case,) = text_corpus([text], "rfc3986").cases
    assert case.vector.expect.valid is False


def test_a_text_is_a_question_of_the_level_of_a_note():
    (case,) = text_corpus(["http://h/p"], "rfc3986").cases
    assert case.vector.op == "parse"
    assert case.vector.url == "http://h/p"
    assert case.vector.level == "note"


def test_rfc_1738_expects_a_relative_reference_to_be_refused():
    """RFC 1738, section 5: every rule begins with a scheme."""
    (case,) = text_corpus(["a/b"], "rfc1738").cases
    assert case.vector.expect.valid is False


@settings(max_examples=25)
@given(st.lists(st.text(max_size=3), max_size=6))
def test_each_text_is_asked_once(texts):
    """In its order."""
    text_cases = text_corpus(texts, "rfc3986")
    assert [case.vector.url for case in text_cases.cases] == list(dict.fromkeys(texts))
    assert text_cases.requirements.keys() == {case.vector.id for case in text_cases.cases}
    assert text_cases.sizes == {"rfc3986": len(text_cases.cases)}


def test_the_digest_is_that_of_the_texts():
    digest = text_corpus(["a:b"], "rfc3986").digest
    assert text_corpus(["a:b", "a:b"], "rfc3986").digest == digest
    assert text_corpus(["a:c"], "rfc3986").digest != digest


def test_texts_with_an_authority_are_collected_once(make_case):
    """Each once; a part of a URL is no URL."""
    cases = [
        make_case("rfc3986-3-a", url="http://h/"),
        make_case("rfc3986-3-b", url="http://h/", op="parse", rule=None, expect={"components": {}}),
        make_case("rfc3986-3-c", url="a:b"),
        make_case("rfc3986-3-d", url="//g"),
        make_case("rfc3986-3-e", op="resolve", base="http://b/", reference="g", expect={"result": "x:y"}),
    ]
    assert urls_with_authority(cases) == ["http://h/", "//g"]
