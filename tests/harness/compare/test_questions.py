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
from urlharness.corpus.specifications import SPECS, url_specs
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urlharness.runner import question


def questions(cases):
    """Return the questions of cases, as JSON."""
    return {msgspec.json.encode(question(case)) for case in cases}


def core_of(corpus, spec):
    """Return the cases of an RFC."""
    return [case for case in corpus.cases if case.spec == spec]


@pytest.mark.parametrize("spec", SPECS)
def test_each_side_of_a_difference_that_an_rfc_answers_is_asked(spec):
    sides = []
    for difference in load_differences().values():
        sides += difference
    answers = [side.answers[spec] for side in sides if spec in side.answers]
    expected = [answer.expect for answer in answers if answer.expect is not None]
    assert [case.vector.expect for case in difference_cases(spec, [])] == expected


@pytest.mark.parametrize("spec", url_specs())
def test_differences_that_the_core_asks_are_left_out(corpus, spec):
    core = core_of(corpus, spec)
    all_questions = questions(difference_cases(spec, []))
    new_questions = questions(difference_cases(spec, core))
    assert new_questions == all_questions - questions(core)
    assert new_questions  # neither all differences are left out
    assert new_questions != all_questions  # nor none


def test_no_difference_is_left_out_because_of_the_core_of_another_rfc(corpus):
    """The same text is another question there."""
    core_of_rfc1738 = core_of(corpus, "rfc1738")
    beside_core = questions(difference_cases("rfc3986", core_of_rfc1738))
    assert beside_core == questions(difference_cases("rfc3986", []))


@pytest.fixture(scope="module")
def core(corpus):
    """The cases of RFC 3986."""
    return core_of(corpus, "rfc3986")


@pytest.fixture(scope="module")
def corpus_with_differences(corpus, core):
    """The corpus of RFC 3986 with its differences, and the cases of both."""
    return with_differences(corpus, core, "rfc3986")


@pytest.fixture(scope="module")
def added_cases(core, corpus_with_differences):
    """The cases that the differences add."""
    _, cases = corpus_with_differences
    return cases[len(core) :]


@pytest.fixture(scope="module")
def cases_of_added_classes(added_cases):
    """Those that belong to a class."""
    cases_of_classes = [case for case in added_cases if case.file != "differences/parse.json"]
    assert cases_of_classes != []
    return cases_of_classes


def test_differences_are_added_after_the_core(core, corpus_with_differences, added_cases):
    _, cases = corpus_with_differences
    assert cases[: len(core)] == core
    assert added_cases != []


def test_all_added_cases_are_differences(added_cases):
    assert [case for case in added_cases if not is_difference(case)] == []


def test_added_differences_have_the_level_of_a_note(added_cases):
    assert {case.vector.level for case in added_cases} == {"note"}


def test_added_differences_have_ids_of_their_own(corpus_with_differences):
    _, cases = corpus_with_differences
    ids = [case.vector.id for case in cases]
    assert len(set(ids)) == len(ids)


def test_an_added_difference_is_in_the_file_of_its_class(cases_of_added_classes):
    assert {case.vector.class_ for case in cases_of_added_classes} <= load_differences().keys()
    assert [
        case for case in cases_of_added_classes if case.file != f"differences/{case.vector.class_}.json"
    ] == []


def test_an_added_difference_of_a_class_has_a_requirement_of_its_id(
    corpus_with_differences, cases_of_added_classes
):
    whole, _ = corpus_with_differences
    assert [case for case in cases_of_added_classes if case.vector.id not in whole.requirements] == []


@pytest.fixture(scope="module")
def parsed_vectors(added_cases):
    """The added vectors that ask which host a library sees in what it accepts (RFC 3986, section 7.6)."""
    return [case.vector for case in added_cases if case.file == "differences/parse.json"]


def test_the_added_questions_of_parse_are_about_invalid_urls(parsed_vectors):
    assert [vector for vector in parsed_vectors if vector.expect.valid is not False] == []


@pytest.mark.parametrize("url", ["http://a\\@b/", "http://a@b@c/"], ids=["backslash", "second-at"])
def test_an_invalid_url_in_which_parsers_see_different_hosts_is_parsed_too(parsed_vectors, url):
    assert url in [vector.url for vector in parsed_vectors]


def reference_reply(case):
    """Return what the reference replies to the question of a case."""
    fields = reference.answer(msgspec.to_builtins(question(case)))
    return msgspec.convert({"id": 1, **fields}, Reply)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_the_reference_answers_each_question_right(corpus, spec):
    core = core_of(corpus, spec)
    _, cases = with_differences(corpus, core, spec)
    features = frozenset(reference.hello()["features"])
    added_cases = cases[len(core) :]
    assert added_cases != []
    for case in added_cases:
        outcome = judge(case, reference_reply(case), features).outcome
        assert outcome.passing, case.vector.id


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


def test_a_text_is_parsed():
    (case,) = text_corpus(["http://h/p"], "rfc3986").cases
    assert case.vector.op == "parse"
    assert case.vector.url == "http://h/p"


def test_the_question_of_a_text_has_the_level_of_a_note():
    (case,) = text_corpus(["http://h/p"], "rfc3986").cases
    assert case.vector.level == "note"


def test_rfc_1738_expects_a_relative_reference_to_be_refused():
    """RFC 1738, section 5: every rule begins with a scheme."""
    (case,) = text_corpus(["a/b"], "rfc1738").cases
    assert case.vector.expect.valid is False


@settings(max_examples=25)
@given(st.lists(st.text(max_size=3), max_size=6))
def test_each_text_is_asked_once_in_its_order(texts):
    cases = text_corpus(texts, "rfc3986").cases
    assert [case.vector.url for case in cases] == list(dict.fromkeys(texts))


def test_a_corpus_of_texts_has_a_requirement_for_each():
    text_cases = text_corpus(["a:b", "a:c"], "rfc3986")
    assert text_cases.requirements.keys() == {case.vector.id for case in text_cases.cases}


def test_the_size_of_a_corpus_of_texts_is_their_number():
    assert text_corpus(["a:b", "a:c"], "rfc3986").sizes == {"rfc3986": 2}


def test_a_repeated_text_does_not_change_the_digest():
    assert text_corpus(["a:b", "a:b"], "rfc3986").digest == text_corpus(["a:b"], "rfc3986").digest


def test_corpora_of_different_texts_have_different_digests():
    assert text_corpus(["a:c"], "rfc3986").digest != text_corpus(["a:b"], "rfc3986").digest


def test_texts_with_an_authority_are_collected_once(make_case):
    """A part of a URL is no URL."""
    cases = [
        make_case("rfc3986-3-a", url="http://h/"),
        make_case("rfc3986-3-b", url="http://h/", op="parse", rule=None, expect={"components": {}}),
        make_case("rfc3986-3-c", url="a:b"),
        make_case("rfc3986-3-d", url="//g"),
        make_case("rfc3986-3-e", op="resolve", base="http://b/", reference="g", expect={"result": "x:y"}),
    ]
    assert urls_with_authority(cases) == ["http://h/", "//g"]
