"""Checks of labels by other automata: a wrong label raises WrongLabel, and no right one does."""

from __future__ import annotations

import numpy as np
import pytest

from urlharness.batch.tables import ColumnTexts
from urlharness.generate.checks import VALID, LabelChecks
from urlharness.generate.kinds import WrongLabel
from urlharness.generate.recognition import join_automata
from urloracle.rfcs import specification

#: Texts of a rule, each with the offset of its error.
TEXTS = [
    pytest.param("rfc3986", "URI", "http://a/", VALID, id="valid"),
    pytest.param("rfc3986", "URI", "http://a b", 8, id="forbidden-character"),
    pytest.param("rfc3986", "URI", "http", 4, id="too-early"),
    pytest.param("rfc1738", "url", "ftp://h/;type=x", 14, id="rule-of-a-scheme"),
]


def column(*texts):
    octets = np.frombuffer("".join(texts).encode("ascii"), np.uint8).copy()
    return ColumnTexts(octets, np.cumsum([0, *map(len, texts)]), None)


def places(*offsets):
    return np.array(offsets, np.int32)


@pytest.mark.parametrize(("spec", "rule", "text", "offset"), TEXTS)
@pytest.mark.sampled(6)
def test_a_right_offset_passes(spec, rule, text, offset):
    checks = LabelChecks(specification(spec), rule)
    checks.check(column(text), places(offset))  # raises WrongLabel if another automaton finds another offset


@pytest.mark.parametrize(("spec", "rule", "text", "offset"), TEXTS)
@pytest.mark.sampled(6)
def test_a_wrong_offset_is_refused(spec, rule, text, offset):
    checks = LabelChecks(specification(spec), rule)
    with pytest.raises(WrongLabel, match="by another automaton it is "):
        checks.check(column(text), places(offset + 1))


def test_a_text_of_another_length_is_not_checked():
    checks = LabelChecks(specification("rfc3986"), "URI")
    wrong_offset = places(1)
    is_checked = np.array([False])
    checks.check(column("http://a b"), wrong_offset, is_checked)  # raises WrongLabel if it is checked


@pytest.mark.sampled(2)
@pytest.mark.parametrize("offset", [VALID, 3], ids=["valid", "invalid"])
def test_a_wrong_automaton_is_noticed(monkeypatch, offset):
    """The automaton is that of another rule."""
    checks = LabelChecks(specification("rfc3986"), "URI")
    other_automata = join_automata(specification("rfc3986").grammar, ["relative-ref"])
    (start,) = other_automata.starts.values()
    automata = other_automata._replace(starts={"URI": start})
    monkeypatch.setitem(vars(checks), "_recognizing_automata", automata)  # a cached property
    text = "a:b" if offset == VALID else "a:b^"
    with pytest.raises(WrongLabel, match="by another automaton it is "):
        checks.check(column(text), places(offset))


def test_a_broken_rule_has_the_name_of_the_innermost_rule():
    checks = LabelChecks(specification("rfc3986"), "URI")
    texts = column("http://[::1", "http://a b")
    rules = checks.broken_rules(texts, places(11, 8), np.ones(2, np.bool_))
    assert [checks.rule_names[rule] for rule in rules] == ["IP-literal", "URI"]


def test_an_offset_at_which_the_messages_see_no_error_is_refused():
    checks = LabelChecks(specification("rfc3986"), "URI")
    with pytest.raises(WrongLabel, match="wrong label"):
        checks.broken_rules(column("http://a b"), places(3), np.ones(1, np.bool_))
