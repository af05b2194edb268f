"""The engine gives the reasons of the oracle: in the corpus, and on a tenth of all transitions."""

from __future__ import annotations

from itertools import chain, product

import pyarrow as pa
import pytest

from urlharness.batch import Engine
from urlharness.corpus.specifications import SPECS
from urloracle.rfcs import SPECIFICATIONS

from ...harness.batch.test_reasons import reason_of  # noqa: TID252 - tests are not an installed package
from .conftest import transition_cover

#: The rule and the profiles of each engine that is asked besides those of the default rules.
OTHER_RULES = [("rfc1738", "otherurl"), ("rfc1738", "ftpurl"), ("rfc3986", "IPv6address")]
#: The specification, the rule and the profile of each engine that is asked.
ENGINES = [
    *(
        pytest.param(spec, None, profile, id=f"{spec}-default-{profile or 'default'}")
        for spec, profile in product(SPECS, (None, "generic", "scheme-specific", "prose"))
    ),
    *(
        pytest.param(spec, rule, profile, id=f"{spec}-{rule}-{profile or 'default'}")
        for (spec, rule), profile in product(OTHER_RULES, (None, "scheme-specific"))
    ),
]


@pytest.mark.sampled(9, keep="rfc3986")
@pytest.mark.parametrize(("spec", "rule", "profile"), ENGINES)
def test_reasons_are_those_of_the_oracle(spec, rule, profile, questions):
    """Every third text of the corpus, and a word for every tenth transition, has its section and cited rule.

    The oracle would take long for all of them.
    """
    specification = SPECIFICATIONS[spec]
    automaton = specification.automaton(rule or specification.default_rule, profile)
    texts = sorted(set(chain.from_iterable(questions.values())))[::3]
    texts += sorted(set(transition_cover(automaton)))[::10]
    engine = Engine(spec, rule, profile)
    judged = engine.judge(pa.array(texts))
    reasons = list(engine.reasons)
    for text, number in zip(texts, judged.reason.indices.to_pylist(), strict=True):
        section_and_rule = None if number is None else (reasons[number].section, reasons[number].rule)
        assert section_and_rule == reason_of(specification, engine.rule, profile, text), text
