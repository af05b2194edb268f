"""Every difference of the corpus, and of any text, has the classes that account for it and no others."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, combinations

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from urlauthor.lint.differences import differ
from urlharness.corpus.differences import load_differences
from urlharness.corpus.loader import load, load_classes
from urlharness.corpus.model import Expected
from urlharness.corpus.specifications import specs_for
from urlharness.explain.by_rfc import (
    compare_equivalence,
    compare_resolutions,
    compare_splits,
    compare_verdicts,
)
from urlharness.explain.classify import RECOGNIZERS, classify
from urloracle.rfcs import SPECIFICATIONS

CLASSES = load_classes()
BASE = "http://a/b/c/d;p?q"


def classes_of(classification):
    """Return the ids of the classes of a classification."""
    return {difference.entry.id for difference in classification.named}


#: The differences of the corpus by id, without those of normal forms, which are not explained.
DIFFERENCES = {
    difference.id: difference
    for difference in chain.from_iterable(load_differences().values())
    if difference.op != "normalize"
}
#: The class of the file of each difference.
CLASS_OF_FILE = {
    difference.id: class_name for class_name, file in load_differences().items() for difference in file
}


def question_of(difference):
    """Return the answers of all RFCs to the question of a difference."""
    match difference.op:
        case "validate":
            specs = specs_for(difference.url)
            return compare_verdicts(difference.url, specs, rule=difference.rule)
        case "parse":
            return compare_splits(difference.url)
        case "resolve":
            return compare_resolutions(difference.base, difference.reference)
        case "equivalent":
            return compare_equivalence(difference.url, difference.other)


def answers_of(difference):
    """Return the answers of the RFCs that give one."""
    sides = [side for side in difference.answers.values() if side.expect is not None]
    return [msgspec.convert(msgspec.to_builtins(side.expect), Expected) for side in sides]


def has_different_answers(difference):
    """Return True if two RFCs give different answers."""
    return any(differ(first, second) for first, second in combinations(answers_of(difference), 2))


def has_equal_answers(difference):
    """Return True if every RFC that could answer gives the same answer; RFC 1738 need not give one."""
    silent = [spec for spec, side in difference.answers.items() if side.undefined and spec != "rfc1738"]
    first, *others = answers_of(difference)
    return not silent and all(answer == first for answer in others)


@cache
def classification_of(name):
    """Return the classification of a difference of the corpus."""
    return classify(question_of(DIFFERENCES[name]), CLASSES)


@pytest.mark.parametrize(
    "name", [name for name, difference in DIFFERENCES.items() if has_different_answers(difference)]
)
def test_a_difference_of_the_corpus_has_the_class_of_its_file(name):
    assert CLASS_OF_FILE[name] in classes_of(classification_of(name))


@pytest.mark.parametrize(
    "name", [name for name, difference in DIFFERENCES.items() if has_equal_answers(difference)]
)
def test_equal_answers_of_the_corpus_have_no_class(name):
    assert classes_of(classification_of(name)) == set()


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_class_that_does_not_vary_is_not_that_of_a_difference(name):
    classes = classes_of(classification_of(name))
    assert [class_name for class_name in classes if not CLASSES[class_name].varies] == []


@pytest.mark.parametrize("name", DIFFERENCES)
def test_no_difference_of_the_corpus_is_without_a_class(name):
    assert classification_of(name).unnamed == ()


@pytest.fixture(scope="module")
def classifications():
    """The question and the classification of every text and every link of the corpus, under all RFCs."""
    texts = set()
    links = set()
    for case in load().cases:
        vector = case.vector
        if vector.op in ("validate", "parse") and isinstance(vector.url, str):
            texts.add(vector.url)
        if vector.op == "resolve" and isinstance(vector.base, str) and isinstance(vector.reference, str):
            links.add((vector.base, vector.reference))
    questions = [
        *(compare_splits(text, specs_for(text)) for text in sorted(texts)),
        *(compare_resolutions(*link, specs_for(*link)) for link in sorted(links)),
    ]
    return [(question, classify(question, CLASSES)) for question in questions]


def test_the_corpus_has_no_difference_without_a_name(classifications):
    """There are two exceptions: an unknown base, and a port after user information.

    RFC 1808, section 4, step 1, takes an unknown base, and the later RFCs leave it open. Of the two
    differences at user information and a port only the first is named.
    """
    unnamed = [question for question, classification in classifications if classification.unnamed]
    with_known_base = [question.text for question in unnamed if question.base != ""]
    assert with_known_base
    port = re.compile(r"(file|prospero|http)://[^/@]+@[^/]*:\d*[/?#]")
    assert [text for text in with_known_base if not port.match(text)] == []


def test_the_corpus_shows_every_class_that_is_recognized(classifications):
    """The class `escaped-unreserved` is left out, because only comparisons show it."""
    shown_classes = set()
    for _, classification in classifications:
        shown_classes |= classes_of(classification)
    assert shown_classes == RECOGNIZERS.keys() - {"escaped-unreserved"}


#: Texts of the characters that are special in some RFC, and a few others.
SPECIAL_TEXTS = st.text(st.sampled_from("ahtp:/?#[]@;=%~._-+0119 |^"), max_size=24)


#: Beginnings that lead to different rules.
PREFIXES = st.sampled_from(["", "http://", "ftp://", "file:", "news:", "wais://h/", "foo:", "//", "mailto:"])


@settings(max_examples=400, deadline=None)
@given(PREFIXES, SPECIAL_TEXTS)
def test_any_text_is_classified_completely(prefix, rest):
    """Every difference has a name, and the name is that of a class that varies.

    A port after user information is the exception, as in the corpus.
    """
    assume(not re.match("(file|prospero|http)://[^/?#]*@[^/?#]*:", prefix + rest))
    classification = classify(compare_splits(prefix + rest), CLASSES)
    assert classification.unnamed == ()
    for difference in classification.named:
        assert difference.entry.varies, difference


@settings(max_examples=400, deadline=None)
@given(PREFIXES, SPECIAL_TEXTS)
def test_a_difference_on_any_text_has_two_sides_and_no_rfc_on_both(prefix, rest):
    for difference in classify(compare_splits(prefix + rest), CLASSES).named:
        assert len(difference.sides) > 1, difference
        specs = list(chain.from_iterable(side.sections for side in difference.sides))
        assert len(specs) == len(set(specs)), difference


#: Beginnings that every RFC allows, up to a character that none allows.
ALLOWED_BEGINNINGS = st.builds(
    str.__add__,
    st.sampled_from(["http://h/", "http://h/a?", "ftp://h/", "file://h/", "news:", "wais://h/", "mailto:"]),
    st.text(st.sampled_from("ahtp019-"), max_size=8),
)
NEVER_ALLOWED = st.sampled_from(' "<>^')


@settings(max_examples=400, deadline=None)
@given(ALLOWED_BEGINNINGS, NEVER_ALLOWED, SPECIAL_TEXTS)
def test_a_text_that_every_rfc_refuses_at_the_same_character_has_no_class(beginning, refused, rest):
    question = compare_splits(beginning + refused + rest)
    assert {answer.problem.position for answer in question.answers.values()} == {len(beginning)}
    classification = classify(question, CLASSES)
    assert classification.named == ()
    assert classification.unnamed == ()


BASES = st.sampled_from([BASE, "http://a", "foo:b/c", "f:/a/../b", "http://h?x/y"])


@settings(max_examples=200, deadline=None)
@given(BASES, SPECIAL_TEXTS)
def test_any_reference_is_classified_completely(base, reference):
    assert classify(compare_resolutions(base, reference), CLASSES).unnamed == ()


@settings(max_examples=200, deadline=None)
@given(BASES, SPECIAL_TEXTS)
def test_a_difference_on_any_reference_has_no_rfc_on_two_sides_and_rfc1738_on_none(base, reference):
    """RFC 1738 defines no resolution."""
    for difference in classify(compare_resolutions(base, reference), CLASSES).named:
        specs = list(chain.from_iterable(side.sections for side in difference.sides))
        assert len(specs) == len(set(specs)), difference
        assert set(specs) <= SPECIFICATIONS.keys() - {"rfc1738"}, difference
