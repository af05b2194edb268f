"""What tests notice: labels are checked first, and only right ones count."""

from __future__ import annotations

import pytest

from urlharness.adequacy import measuring
from urlharness.adequacy.measuring import OPERATOR_IN_WORDS, measure
from urlharness.adequacy.mistakes import Catalogue
from urlharness.adequacy.mutants import edits
from urlharness.adequacy.readers import ProjectTests, ResolutionTest, VerdictTest
from urlharness.adequacy.resolution import oracle_function
from urlharness.adequacy.subjects import subjects
from urlharness.corpus.specifications import facts

from .conftest import thread_pool


@pytest.fixture(autouse=True)
def _in_this_process(cached_catalogues, monkeypatch):
    monkeypatch.setattr(measuring, "open_pool", thread_pool)


def measured(*tests):
    verdicts = [test for test in tests if isinstance(test, VerdictTest)]
    resolutions = [test for test in tests if isinstance(test, ResolutionTest)]
    return measure(ProjectTests("csv", verdicts, resolutions, {}), 1, lambda *_: None)


def scheme(text, *, valid):
    return VerdictTest("line 2", "rfc3986", "scheme", text, valid)


def resolution(reference, target, base="http://a/b/c"):
    return ResolutionTest("line 2", "rfc3986", base, reference, target)


def test_right_tests_have_no_wrong_labels():
    assert measured(scheme("a+", valid=True), scheme("1", valid=False)).wrong_labels == []


@pytest.mark.parametrize(
    ("test", "answer", "reason"),
    [
        pytest.param(scheme("a+", valid=False), True, "RFC 3986: valid under rule scheme", id="valid"),
        pytest.param(
            scheme("a b", valid=True),
            False,
            "RFC 3986: invalid under rule scheme, at offset 1",
            id="invalid",
        ),
        pytest.param(resolution("../d", "http://a/b/d"), "http://a/d", "RFC 3986: http://a/d", id="target"),
    ],
)
def test_a_wrong_label_is_reported_with_the_answer_of_the_rfc(test, answer, reason):
    (label,) = measured(test).wrong_labels
    assert label.answer == answer
    assert label.reason == reason


def test_a_wrong_label_notices_nothing():
    measurement = measured(scheme("a+", valid=True), scheme("b", valid=False))
    assert [part.tests for part in measurement.parts] == [1]


def test_a_test_that_the_rfc_leaves_open_is_left_out():
    """G-03 leaves open whether `;TYPE=` is the suffix of an ftp URL (RFC 1738 section 3.2.2)."""
    test = VerdictTest("line 2", "rfc1738", "ftpurl", "ftp://h/;TYPE=a", True)
    measurement = measured(test)
    assert measurement.left_out == {"whose answer the RFC leaves open": 1}
    assert not measurement.parts


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        pytest.param(resolution("a b", None), "whose base or reference is invalid", id="invalid"),
        pytest.param(
            resolution("d", "http://a/b/d")._replace(spec="rfc1738"),
            "of resolution, which RFC 1738 does not define",
            id="no-algorithm",
        ),
    ],
)
def test_a_resolution_without_an_answer_is_left_out(test, reason):
    assert measured(test).left_out == {reason: 1}


def test_more_tests_notice_more():
    tests = [scheme("a", valid=True), scheme("", valid=False), scheme("a+.-9Z", valid=True)]
    assert measured(tests[0]).lowest_share < measured(*tests).lowest_share


def test_the_kinds_of_the_sections_are_all_kinds():
    (part,) = measured(scheme("a", valid=True)).parts
    counts = part.sections().values()
    assert sum(noticed for noticed, _ in counts) == part.noticed_kind_count
    assert sum(kinds for _, kinds in counts) == part.catalogue.kind_count


def test_every_kind_is_noticed_or_listed():
    (part,) = measured(scheme("a", valid=True)).parts
    unnoticed = list(part.unnoticed_kinds())
    assert len(unnoticed) == part.catalogue.kind_count - part.noticed_kind_count


def test_without_tests_the_lowest_share_is_100():
    assert measured().lowest_share == 100


def test_every_operator_on_rules_has_words():
    operators = set()
    for subject in subjects("rfc3986"):
        operators.update(mutant.operator for mutant in subject.mutants)
    assert operators != set()
    assert operators <= OPERATOR_IN_WORDS.keys()


def test_every_operator_on_functions_has_words():
    operators = set()
    for name in facts("rfc3986").resolution_functions:
        operators.update(edit.operator for edit in edits(oracle_function(name)))
    assert operators != set()
    assert operators <= OPERATOR_IN_WORDS.keys()


def test_resolutions_are_a_part_of_the_measurement(monkeypatch):
    catalogue = Catalogue("rfc3986", "", (), ())
    monkeypatch.setattr(measuring, "find_resolution_catalogue", lambda _spec, _tasks: catalogue)
    (part,) = measured(resolution("../d", "http://a/d")).parts
    assert part.tests == 1
