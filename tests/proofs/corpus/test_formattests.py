"""The tests for the JSON Schema Test Suite notice every kind of mistake, and few of them suffice."""

from __future__ import annotations

import os

import pytest

from urlharness.adequacy.cache import Tasks, open_pool
from urlharness.adequacy.noticing import NoticedKinds, choose_texts, find_noticed
from urlharness.corpus.foreign import FORMATS
from urlharness.corpus.formattests import FormatTest, format_tests
from urlharness.corpus.loader import load
from urloracle.rfcs import specification


@pytest.fixture(scope="module", params=FORMATS)
def name(request):
    """The name of a format."""
    return request.param


@pytest.fixture(scope="module")
def tests(name) -> tuple[FormatTest, ...]:
    """The tests of the format that the corpus decides."""
    return format_tests(load().cases).tests[name]


@pytest.fixture(scope="module")
def noticed_kinds(name, tests) -> NoticedKinds:
    """The kinds of mistakes that each text notices."""
    with open_pool(os.cpu_count() or 1) as pool:
        return find_noticed(*FORMATS[name], [test.text for test in tests], Tasks(pool, lambda *_: None))


def test_each_verdict_is_that_of_the_reference(name, tests):
    """The verdicts come from the corpus; the oracle is asked for no expected value."""
    spec, rule = FORMATS[name]
    accepts = specification(spec).language(rule).accepts
    assert [test.text for test in tests if accepts(test.text) is not test.valid] == []


@pytest.mark.long
def test_the_tests_notice_every_kind_of_mistake(tests, noticed_kinds):
    assert len(noticed_kinds.together([test.text for test in tests])) == noticed_kinds.kinds


@pytest.mark.long
def test_few_tests_notice_every_kind_of_mistake(tests, noticed_kinds):
    choice = choose_texts(noticed_kinds, [test.text for test in tests])
    assert len(noticed_kinds.together(choice)) == noticed_kinds.kinds
    assert len(choice) < len(tests) / 10
