"""Rules that this project added to grammars, and the rules of the RFCs that stand for them."""

from __future__ import annotations

import pytest

from urlauthor.rules import RFC_RULES, rfc_rule
from urlharness.corpus.model import SPECS
from urloracle.grammar.notation import RFC822, read
from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import SPLITTINGS


@pytest.mark.parametrize("spec", SPECS)
def test_every_rule_that_a_splitting_adds_is_listed(spec):
    productions = read(SPLITTINGS[spec].overlay, RFC822).productions
    added = {production.name for production in productions} - set(SPECIFICATIONS[spec].grammar)
    assert added - RFC_RULES.get(spec, {}).keys() == set()


@pytest.mark.parametrize("spec", SPECS)
def test_every_added_rule_stands_for_a_rule_of_the_rfc(spec):
    """Under the name that the RFC prints."""
    grammar = SPECIFICATIONS[spec].grammar
    added_rules = RFC_RULES.get(spec, {})
    for added, rule in added_rules.items():
        assert grammar.canonical_name(rule) == rule, added
        assert rule not in added_rules, added


@pytest.mark.parametrize(
    ("spec", "rule", "expected"),
    [
        pytest.param("rfc1738", "xchar", "xchar", id="rule-of-the-rfc"),
        pytest.param("rfc1738", "no-tab", "selector", id="added-rule"),
        pytest.param("rfc3986", "tail", "tail", id="rule-added-to-another-rfc"),
    ],
)
def test_only_an_added_rule_has_the_name_of_another_one(spec, rule, expected):
    assert rfc_rule(spec, rule) == expected
