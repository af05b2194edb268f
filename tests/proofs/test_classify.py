"""Every difference of the corpus, and of any text, has the classes that account for it and no others."""

from __future__ import annotations

import re
from itertools import combinations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlauthor.lint.differences import differ
from urlharness.corpus.differences import load_differences
from urlharness.corpus.loader import load, load_classes
from urlharness.corpus.model import Expected
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


def named(question):
    return {difference.entry.id for difference in classify(question, CLASSES).named}


DIFFERENCES = [
    pytest.param(class_name, difference, id=difference.id)
    for class_name, file in load_differences().items()
    for difference in file
    if difference.op != "normalize"  # normal forms are not explained
]


def question_of(difference):
    match difference.op:
        case "validate":
            return compare_verdicts(difference.url, rule=difference.rule)
        case "parse":
            return compare_splits(difference.url)
        case "resolve":
            return compare_resolutions(difference.base, difference.reference)
        case "equivalent":
            return compare_equivalence(difference.url, difference.other)


@pytest.mark.parametrize(("class_name", "difference"), DIFFERENCES)
def test_a_difference_of_the_corpus_is_named(class_name, difference):
    """The class of the file is named if answers differ, and none if they are equal.

    A class that does not vary is never named.
    """
    sides = difference.answers.items()
    side_answers = [
        msgspec.convert(msgspec.to_builtins(side.expect), Expected)
        for _, side in sides
        if side.expect is not None
    ]
    silent = [spec for spec, side in sides if side.undefined and spec != "rfc1738"]
    classification = classify(question_of(difference), CLASSES)
    classes = {difference.entry.id for difference in classification.named}
    if any(differ(first, second) for first, second in combinations(side_answers, 2)):
        assert class_name in classes
    elif not silent and all(side == side_answers[0] for side in side_answers):
        assert classes == set()
    assert [class_ for class_ in classes if not CLASSES[class_].varies] == []
    assert classification.unnamed == ()


def questions():
    """Every text and every link of the corpus, under all RFCs."""
    texts, links = set(), set()
    for case in load().cases:
        vector = case.vector
        if vector.op in ("validate", "parse") and isinstance(vector.url, str):
            texts.add(vector.url)
        if vector.op == "resolve" and isinstance(vector.base, str) and isinstance(vector.reference, str):
            links.add((vector.base, vector.reference))
    return [*map(compare_splits, sorted(texts)), *(compare_resolutions(*link) for link in sorted(links))]


def test_the_corpus_has_no_difference_without_a_name():
    """But for an unknown base: RFC 1808, section 4, step 1, takes it, the later RFCs leave it open.

    And for a port behind user information: only the first of two differences is named.
    """
    asked_for = questions()
    unnamed = [question for question in asked_for if classify(question, CLASSES).unnamed]
    others = [question.text for question in unnamed if question.base != ""]
    assert others
    port = re.compile(r"(file|prospero|http)://[^/@]+@[^/]*:\d*[/?#]")
    assert [text for text in others if not port.match(text)] == []
    assert len(unnamed) > 1
    assert len(asked_for) > 2000
    seen = set().union(*map(named, asked_for))
    assert seen == RECOGNIZERS.keys() - {"escaped-unreserved"}  # which is one of comparisons


ALPHABET = st.text(st.sampled_from("ahtp:/?#[]@;=%~._-+0119 |^"), max_size=24)


PREFIXES = st.sampled_from(["", "http://", "ftp://", "file:", "news:", "wais://h/", "foo:", "//", "mailto:"])


@settings(max_examples=400, deadline=None)
@given(PREFIXES, ALPHABET)
def test_any_text_is_classified_completely(prefix, rest):
    """No RFC is on two sides, every class has two, every difference a name, and agreement none."""
    question = compare_splits(prefix + rest)
    classification = classify(question, CLASSES)
    assert classification.unnamed == ()
    for difference in classification.named:
        assert difference.entry.varies
        specs = [spec for side in difference.sides for spec in side.sections]
        assert len(specs) == len(set(specs))
        assert len(difference.sides) > 1
    positions = {answer.problem and answer.problem.position for answer in question.answers.values()}
    if len(positions) == 1 and None not in positions:
        assert classification.named == classification.unnamed == ()


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([BASE, "http://a", "foo:b/c", "f:/a/../b", "http://h?x/y"]), ALPHABET)
def test_any_reference_is_classified_completely(base, reference):
    classification = classify(compare_resolutions(base, reference), CLASSES)
    assert classification.unnamed == ()
    for difference in classification.named:
        specs = [spec for side in difference.sides for spec in side.sections]
        assert len(specs) == len(set(specs))
        assert set(specs) <= SPECIFICATIONS.keys() - {"rfc1738"}
