"""The components of the tier of recomposition, and their labels."""

from __future__ import annotations

import pytest

from urlharness.generate.tiers.recomposition import forms, label_form, label_forms
from urloracle.rfcs import SPECIFICATIONS, specification

RFC1808 = ("scheme", "net_loc", "path", "params", "query", "fragment")
RFC3986 = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_components_are_asked_once(spec):
    forms_asked = [str(components) for components in forms(spec)]
    assert len(set(forms_asked)) == len(forms_asked)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_the_tier_has_so_few_forms_that_a_run_is_quick_and_so_many_that_components_meet(spec):
    """tiers.json has the exact number of cases."""
    assert 4_000 < len(list(forms(spec))) < 10_000


@pytest.mark.parametrize(
    ("spec", "name"),
    [*(("rfc1808", name) for name in RFC1808), *(("rfc3986", name) for name in RFC3986)],
)
def test_each_component_is_absent_empty_and_present(spec, name):
    """A scheme is never empty, and a path is never absent."""
    values = {components[name] for components in forms(spec)}
    impossible = {"scheme": {""}, "path": {None}}.get(name, set())
    assert {None, ""} - impossible - values == set()
    assert values - {None, ""} != set()


def _components(names, **present):
    return {name: present.get(name, "" if name == "path" else None) for name in names}


@pytest.mark.parametrize(
    ("spec", "components", "texts", "binding", "ruling"),
    [
        ("rfc3986", _components(RFC3986, path="/a", query=""), ["/a?"], "required", None),
        ("rfc3986", _components(RFC3986, path="//a"), ["//a"], "unspecified", "G-12"),
        ("rfc3986", _components(RFC3986, path="a:b"), ["a:b"], "unspecified", "G-12"),
        ("rfc2396", _components(RFC3986, path="", query="q"), ["?q"], "required", None),
        ("rfc1808", _components(RFC1808, path="/a", query=""), ["/a", "/a?"], "permitted-set", "R-1808-09"),
        (
            "rfc1808",
            _components(RFC1808, net_loc="", path="/a"),
            ["///a", "/a"],
            "permitted-set",
            "R-1808-22",
        ),
        (
            "rfc1738",
            _components(("scheme", "user", "password", "host", "port"), scheme="telnet", host="h"),
            ["telnet://h/", "telnet://h"],
            "permitted-set",
            "R-1738-29",
        ),
    ],
)
def test_components_are_labelled_with_binding_and_ruling(spec, components, texts, binding, ruling):
    label = label_form(specification(spec), components)
    assert [alternative.result for alternative in label.expect.alternatives] == texts
    assert label.binding == binding
    assert label.ruling == ruling


def test_a_registry_name_is_required():
    """R-2396-11: its parts are not components of the text."""
    rfc = specification("rfc2396")
    bindings = {
        label.binding for components, label in label_forms(rfc) if components["authority"] == "a_b:080"
    }
    assert "required" in bindings
