"""Findings: their order, which adapters they tell apart, and how they grow."""

from __future__ import annotations

import pytest

from urlharness.fuzz.findings import CampaignFinding, Effect, TextOrigin, cut_to, rank, with_effect


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
    assert with_effect(finding("//a"), effect("path", "/", ("a",), ("b", "c"))).separates("a", "b")


def grown():
    found = finding("?", "query")
    for more in (effect("path", "/"), effect("host", "//"), effect("port", "")):
        found = with_effect(found, more)
    return found


def test_effects_are_added_at_the_end():
    assert [one.text for one in grown().effects] == ["/", "//", ""]


def test_the_worst_effect_is_the_severity():
    assert (grown().severity, grown().worst.text) == ("host", "//")


def test_a_text_is_an_effect_only_once():
    assert with_effect(grown(), effect("host", "/")) == grown()


@pytest.mark.parametrize(("count", "severity"), [(0, "query"), (1, "path"), (3, "host")])
def test_a_finding_is_cut_to_its_first_effects(count, severity):
    found = cut_to(grown(), count)
    assert (len(found.effects), found.severity) == (count, severity)


def test_findings_of_one_cause_have_one_key():
    """Findings of versions have one key whatever their class."""
    versions = finding("//a", class_="backslash", fold=False)
    assert versions.cause_key == finding("//b", class_="several-ats", fold=False).cause_key
    one = finding("?%aa", "query", manner="decoded")
    assert one.cause_key == finding("%2a", "path", manner="decoded").cause_key
    assert one.cause_key != finding("//%2a", "host", manner="decoded").cause_key
