"""Findings: their order, which adapters they tell apart, and how two are joined."""

from __future__ import annotations

import pytest

from urlharness.fuzz.findings import CampaignFinding, Effect, TextOrigin, joined, rank, with_effects


def finding(text, component="host", **fields):
    url = {"url": text}
    given = {"adapters": ("a", "b", "c"), "groups": (("a", "b"), ("c",)), "fold": True, **fields}
    return CampaignFinding(
        id=text, operation="parse", spec="rfc3986", component=component, input=url, answers={},
        origin=TextOrigin(url), severity=component, **given,
    )  # fmt: skip


def effect(component, text, *groups):
    return Effect(component, None, {"url": text}, {}, groups)


def test_the_most_harmful_and_shortest_come_first():
    found = [finding("?b", "query"), finding("//bb"), finding("//b"), finding("//a"), finding("/", "path")]
    assert [one.text for one in sorted(found, key=rank)] == ["//a", "//b", "//bb", "/", "?b"]


@pytest.mark.parametrize(
    ("groups", "pair", "told"),
    [
        ((("a", "b"), ("c",)), ("a", "c"), True),
        ((("a", "b"), ("c",)), ("a", "b"), False),
        ((("a", "b"), ("c",)), ("a", "d"), False),
        ((("a",), ("b",)), ("a", "c"), True),
    ],
    ids=["two-groups", "one-group", "another-adapter", "only-one-has-answered"],
)
def test_separates(groups, pair, told):
    assert finding("//a", groups=groups).separates(*pair) is told
    assert finding("//a", groups=groups).separates(*pair[::-1]) is told


def test_an_effect_tells_more_adapters_apart():
    assert with_effects(finding("//a"), [effect("path", "/", ("a",), ("b", "c"))]).separates("a", "b")


def test_the_worst_effect_is_the_severity():
    found = with_effects(
        finding("?", "query"), [effect("path", "/"), effect("host", "//"), effect("port", "")]
    )
    assert (found.severity, found.worst.text) == ("host", "//")
    assert [one.text for one in found.effects] == ["/", "//", ""]


def test_joined_findings_have_all_patterns_and_texts():
    one, other = finding("//a", patterns=("a", "b")), finding("//b", patterns=("b", "c"))
    both = joined(one, other)
    assert (both.text, both.patterns) == ("//a", ("a", "b", "c"))
    assert [effect.text for effect in both.effects] == ["//b"]
