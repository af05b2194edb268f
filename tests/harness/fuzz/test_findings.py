"""Findings: their order, which adapters they tell apart, and how two are joined."""

from __future__ import annotations

import pytest

from urlharness.fuzz.findings import CampaignFinding, Effect, TextOrigin, joined, rank, with_effects


def finding(text, component="host", **fields):
    url = {"url": text}
    fields_of_finding = {"adapters": ("a", "b", "c"), "groups": (("a", "b"), ("c",)), "fold": True, **fields}
    return CampaignFinding(
        id=text, operation="parse", spec="rfc3986", component=component, input=url, answers={},
        origin=TextOrigin(url), severity=component, **fields_of_finding,
    )  # fmt: skip


def effect(component, text, *groups):
    return Effect(component, None, {"url": text}, {}, groups)


def test_the_most_harmful_and_shortest_come_first():
    findings = [finding("?b", "query"), finding("//bb"), finding("//b"), finding("//a"), finding("/", "path")]
    assert [finding.text for finding in sorted(findings, key=rank)] == ["//a", "//b", "//bb", "/", "?b"]


@pytest.mark.parametrize(
    ("groups", "pair", "groups_told"),
    [
        ((("a", "b"), ("c",)), ("a", "c"), True),
        ((("a", "b"), ("c",)), ("a", "b"), False),
        ((("a", "b"), ("c",)), ("a", "d"), False),
        ((("a",), ("b",)), ("a", "c"), True),
    ],
    ids=["two-groups", "one-group", "another-adapter", "only-one-has-answered"],
)
def test_a_finding_separates_adapters_of_different_groups(groups, pair, groups_told):
    assert finding("//a", groups=groups).separates(*pair) is groups_told
    assert finding("//a", groups=groups).separates(*pair[::-1]) is groups_told


def test_an_effect_tells_more_adapters_apart():
    assert with_effects(finding("//a"), [effect("path", "/", ("a",), ("b", "c"))]).separates("a", "b")


def test_the_worst_effect_is_the_severity():
    joined = with_effects(
        finding("?", "query"), [effect("path", "/"), effect("host", "//"), effect("port", "")]
    )
    assert joined.severity == "host"
    assert joined.worst.text == "//"
    assert [effect.text for effect in joined.effects] == ["/", "//", ""]


def test_joined_findings_have_all_patterns_and_texts():
    first, second = finding("//a", patterns=("a", "b")), finding("//b", patterns=("b", "c"))
    both = joined(first, second)
    assert both.text == "//a"
    assert both.patterns == ("a", "b", "c")
    assert [effect.text for effect in both.effects] == ["//b"]
