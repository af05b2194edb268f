"""Findings: their order, which adapters they tell apart, and how they grow."""

from __future__ import annotations

import pytest

from urlharness.fuzz.findings import CampaignFinding, Effect, TextOrigin, cut_to, rank, with_effect


def finding(text, component="host", **fields):
    url = {"url": text}
    defaults = {"adapters": ("a", "b", "c"), "groups": (("a", "b"), ("c",)), "fold": True}
    return CampaignFinding(
        id=text,
        operation="parse",
        spec="rfc3986",
        component=component,
        input=url,
        answers={},
        origin=TextOrigin(url),
        severity=component,
        **{**defaults, **fields},
    )


def effect(component, text, *groups):
    return Effect(component, None, {"url": text}, {}, groups)


def test_the_most_harmful_and_shortest_come_first():
    of_hosts = [finding("//bb"), finding("//b"), finding("//a")]
    findings = [finding("?b", "query"), *of_hosts, finding("/", "path")]
    assert [ranked.text for ranked in sorted(findings, key=rank)] == ["//a", "//b", "//bb", "/", "?b"]


#: The groups of a finding, and two adapters with different answers.
SEPARATED = [
    pytest.param((("a", "b"), ("c",)), ("a", "c"), id="two-groups"),
    pytest.param((("a",), ("b",)), ("a", "c"), id="only-one-has-answered"),
]
#: The groups of a finding, and two adapters that it does not separate.
NOT_SEPARATED = [
    pytest.param((("a", "b"), ("c",)), ("a", "b"), id="one-group"),
    pytest.param((("a", "b"), ("c",)), ("a", "d"), id="another-adapter"),
]


@pytest.mark.parametrize(("groups", "adapters"), SEPARATED)
def test_a_finding_separates_adapters_with_different_answers(groups, adapters):
    first, second = adapters
    assert finding("//a", groups=groups).separates(first, second)
    assert finding("//a", groups=groups).separates(second, first)


@pytest.mark.parametrize(("groups", "adapters"), NOT_SEPARATED)
def test_a_finding_does_not_separate_other_adapters(groups, adapters):
    first, second = adapters
    assert not finding("//a", groups=groups).separates(first, second)
    assert not finding("//a", groups=groups).separates(second, first)


def test_an_effect_tells_more_adapters_apart():
    assert with_effect(finding("//a"), effect("path", "/", ("a",), ("b", "c"))).separates("a", "b")


def grown_finding():
    """Return a finding to which three effects were added."""
    growing = finding("?", "query")
    for added in (effect("path", "/"), effect("host", "//"), effect("port", "")):
        growing = with_effect(growing, added)
    return growing


def test_effects_are_added_at_the_end():
    assert [added.text for added in grown_finding().effects] == ["/", "//", ""]


def test_the_worst_effect_is_the_severity():
    assert grown_finding().severity == "host"
    assert grown_finding().worst_effect.text == "//"


def test_a_text_is_an_effect_only_once():
    assert with_effect(grown_finding(), effect("host", "/")) == grown_finding()


@pytest.mark.parametrize(
    ("count", "severity"), [(0, "query"), (1, "path"), (3, "host")], ids=["none", "first", "all"]
)
def test_a_finding_is_cut_to_its_first_effects(count, severity):
    shortened = cut_to(grown_finding(), count)
    assert len(shortened.effects) == count
    assert shortened.severity == severity


def test_findings_of_versions_have_one_key_whatever_their_class():
    of_backslash = finding("//a", class_="backslash", fold=False)
    assert of_backslash.cause_key == finding("//b", class_="several-ats", fold=False).cause_key


def test_findings_of_decoding_have_one_key_in_path_and_query():
    in_query = finding("?%aa", "query", manner="decoded")
    assert in_query.cause_key == finding("%2a", "path", manner="decoded").cause_key


def test_findings_of_decoding_have_another_key_in_the_host():
    in_query = finding("?%aa", "query", manner="decoded")
    assert in_query.cause_key != finding("//%2a", "host", manner="decoded").cause_key
