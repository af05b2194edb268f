"""The reason of a text is what the oracle says of it, on the corpus and a tenth of all transitions."""

from __future__ import annotations

import pyarrow as pa
import pytest

from urlharness.batch import Engine
from urloracle.rfcs import SPECIFICATIONS

from ...harness.batch.test_reasons import reason_of  # noqa: TID252 - tests are not an installed package
from .conftest import transition_cover

ASKED = [
    (spec, rule, profile)
    for spec, rule in (
        *((spec, None) for spec in SPECIFICATIONS),
        ("rfc1738", "otherurl"),
        ("rfc1738", "ftpurl"),
        ("rfc3986", "IPv6address"),
    )
    for profile in (None, "generic", "scheme-specific", "prose")
    if rule is None or profile in (None, "scheme-specific")
]


@pytest.mark.parametrize(("spec", "rule", "profile"), ASKED)
def test_reasons_are_those_of_the_oracle(spec, rule, profile, questions):
    """Section and cited rule of every text of the corpus and of a word for every tenth transition."""
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(rule or specification.default_rule, profile)
    texts = sorted({text for some in questions.values() for text in some})[::3]
    texts += sorted(set(transition_cover(automaton)))[::10]
    engine = Engine(spec, rule, profile)
    judged = engine.judge(pa.array(texts))
    reasons = list(engine.reasons)
    for text, number in zip(texts, judged.reason.indices.to_pylist(), strict=True):
        section_and_rule = None if number is None else (reasons[number].section, reasons[number].rule)
        assert section_and_rule == reason_of(specification, engine.rule, profile, text), text
