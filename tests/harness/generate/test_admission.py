"""Replies to mappings that the RFC admits although no list has them."""

from __future__ import annotations

import msgspec
import pytest

from urlharness.corpus.model import Expected
from urlharness.generate.admission import admission_of_reply, with_admitted_answers
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Reply

EXPECTATION = Expected(result="/\u3000")
KEPT = Reply(0, "ok", url="/%E3%80%80")


def answers(expectation):
    """Return the expected texts; None stands for a refusal."""
    return [
        None if alternative.result is msgspec.UNSET else alternative.result
        for alternative in expectation.alternatives
    ]


def test_a_reply_that_is_admitted_is_expected_after_the_recommended_one():
    expectation = with_admitted_answers(EXPECTATION, "to_iri", "rfc3987", "/%E3%80%80", [KEPT])
    assert answers(expectation) == ["/\u3000", "/%E3%80%80"]


def test_the_variant_of_an_admitted_reply_is_its_ruling():
    expectation = with_admitted_answers(EXPECTATION, "to_iri", "rfc3987", "/%E3%80%80", [KEPT])
    assert expectation.alternatives[1].variant == "R-3987-08"


#: Replies that leave an expectation as it is.
WITHOUT_ADMISSION = {
    "listed": Reply(0, "ok", url="/\u3000"),
    "wrong": Reply(0, "ok", url="/x"),
    "refusal": Reply(0, "reject"),
    "crash": Abnormal("crash", "signal 11"),
    "unsupported": Reply(0, "unsupported"),
    "no-text": Reply(0, "ok"),
}


@pytest.mark.parametrize("name", WITHOUT_ADMISSION)
def test_a_reply_that_is_listed_or_not_admitted_leaves_an_expectation_as_it_is(name):
    replies = [WITHOUT_ADMISSION[name]]
    assert with_admitted_answers(EXPECTATION, "to_iri", "rfc3987", "/%E3%80%80", replies) is EXPECTATION


def test_an_admitted_refusal_is_expected_after_the_recommended_reply():
    expectation = with_admitted_answers(
        Expected(result="/%E2%80%AE"), "to_uri", "rfc3987", "/\u202e", [Reply(0, "reject")]
    )
    assert answers(expectation) == ["/%E2%80%AE", None]


@pytest.mark.parametrize("operation", ["normalize", "parse", "validate"])
def test_only_mappings_have_an_admission(operation):
    assert admission_of_reply(operation, "rfc3987", "/%E3%80%80", KEPT) is None
