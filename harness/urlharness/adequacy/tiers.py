"""The generated tiers as suites of one subject, with their true verdicts."""

from __future__ import annotations

from functools import lru_cache

from urlharness.adequacy.subjects import Subject
from urlharness.adequacy.suites import Suite
from urlharness.generate.readings import readings
from urlharness.generate.tiers import Part, Tier, parts, words
from urloracle.specifications import specification


def generated(subject: Subject, tier: Tier, *, with_open: bool = False) -> Suite:
    """The texts of a tier of one subject, and whether each is valid; none where the tier has no part for it.

    Texts with a verdict that a ruling leaves open are left out, since a library may give either, but not
    `with_open`: what a suite claims of an automaton it claims as a whole.  Those with characters beyond ASCII
    tell no two automata over ASCII apart, and are always left out.
    """
    part = next((part for part in parts(tier) if (part.spec, part.rule) == subject.key[:2]), None)
    if part is None:
        return Suite({})
    return _suite(part, with_open=with_open or not any(readings(subject.spec, subject.rule)))


@lru_cache(maxsize=4)
def _suite(part: Part, *, with_open: bool) -> Suite:
    spec = specification(part.spec)
    assert part.rule is not None  # resolution has no subject
    accepts = spec.automaton(part.rule).accepts
    others = [] if with_open else [automaton.accepts for _, automaton in readings(spec, part.rule)]
    verdicts = {}
    for word in words(part):
        if word.isascii():
            valid = accepts(word)
            if all(other(word) == valid for other in others):
                verdicts[word] = valid
    return Suite(verdicts)
