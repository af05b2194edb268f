"""Rules that this project added to grammars, and the rules of the RFCs that stand for them."""

from __future__ import annotations

import pytest

from urlauthor.rules import RFC_RULES, rfc_rule
from urlharness.corpus.model import SPECS
from urloracle.grammar.notation import RFC822, read
from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import SPLITTINGS


@pytest.mark.parametrize("spec", SPECS)
def test_every_added_rule_belongs_to_a_rule_of_the_rfc(spec):
    """Its name is not one of the RFC's own."""
    added_rules = RFC_RULES.get(spec, {})
    grammar = SPECIFICATIONS[spec].grammar
    assert {production.name for production in read(SPLITTINGS[spec].overlay, RFC822).productions} - {
        *grammar
    } <= added_rules.keys()
    for added, rule in added_rules.items():
        assert rule in grammar
        assert rule not in added_rules, added
        assert grammar.canonical_name(rule) == rule


def test_a_rule_of_the_rfc_keeps_its_name():
    assert rfc_rule("rfc1738", "xchar") == "xchar"
    assert rfc_rule("rfc1738", "no-tab") == "selector"
    assert rfc_rule("rfc3986", "tail") == "tail", "that is a name of RFC 2732"
