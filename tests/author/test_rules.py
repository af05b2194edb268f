"""Rules that this project added to grammars, and the rules of the RFCs that stand for them."""

from __future__ import annotations

import pytest

from urlauthor.rules import RFC_RULES, added_rules, rfc_rule
from urlharness.corpus.model import SPECS
from urloracle.rfcs import SPECIFICATIONS


@pytest.mark.parametrize("spec", SPECS)
def test_every_added_rule_belongs_to_a_rule_of_the_rfc(spec):
    """Its name is not one of the RFC's own."""
    own = RFC_RULES.get(spec, {})
    assert set(added_rules(spec)) <= own.keys()
    for added, rule in own.items():
        assert rule in SPECIFICATIONS[spec].grammar
        assert rule not in own, added
        assert SPECIFICATIONS[spec].grammar.canonical_name(rule) == rule


def test_a_rule_of_the_rfc_keeps_its_name():
    assert rfc_rule("rfc1738", "xchar") == "xchar"
    assert rfc_rule("rfc1738", "no-tab") == "selector"
    assert rfc_rule("rfc3986", "tail") == "tail", "that is a name of RFC 2732"
