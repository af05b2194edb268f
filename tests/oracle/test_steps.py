"""The steps of a resolution: labels as the RFCs print them, and a target that is that of the algorithm."""

from __future__ import annotations

from itertools import product

import pytest

from urloracle.errors import InvalidURL
from urloracle.explanation import resolution_steps
from urloracle.operations import resolve

BASES = (
    "http://a/b/c/d;p?q#f",
    "http://a",
    "http://a/b/../c",
    "f:/a",
    "f:a/b/c",
    "file:///a//b/",
    "http://a?b/c",
    "mailto:u@h",
)
REFERENCES = (
    *("", "#s", "?y", ";x", ";x?y#s", "g", "./g", "../g", "../../../g", "g/.", "g/..", "./..", ".//g"),
    *("/g", "/./g", "//g", "///g", "g:h", "http:g", "g;x=1/../y", "../../../../..", ".", "..", "?", "#"),
)


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732", "rfc3986"])
def test_the_last_step_holds_the_target(spec):
    compared = 0
    for base, reference in product(BASES, REFERENCES):
        try:
            target = resolve(base, reference, spec).text
        except InvalidURL:
            with pytest.raises(InvalidURL):
                resolution_steps(base, reference, spec)
            continue
        assert resolution_steps(base, reference, spec)[-1].value == target, (base, reference)
        compared += 1
    assert compared > 100


@pytest.mark.parametrize(
    ("spec", "reference", "labels"),
    [
        pytest.param("rfc1808", "", ["2a"], id="1808-empty"),
        pytest.param("rfc1808", "g:h", ["2b"], id="1808-absolute"),
        pytest.param("rfc1808", "//h", ["2c", "3", "7"], id="1808-location"),
        pytest.param("rfc1808", "/g", ["2c", "3", "4", "7"], id="1808-rooted"),
        pytest.param("rfc1808", "?y", ["2c", "3", "5", "5a", "5b", "7"], id="1808-query"),
        pytest.param("rfc1808", ";x", ["2c", "3", "5", "5a", "7"], id="1808-params"),
        pytest.param("rfc1808", "./../g/.", ["2c", "3", "6", "6a", "6b", "6c", "7"], id="1808-relative"),
        pytest.param("rfc1808", "g/..", ["2c", "3", "6", "6d", "7"], id="1808-final-pair"),
        pytest.param("rfc2396", "#s", ["1", "2"], id="2396-same-document"),
        pytest.param("rfc2396", "g:h", ["1", "3"], id="2396-absolute"),
        pytest.param("rfc2396", "//h", ["1", "3", "4", "7"], id="2396-network-path"),
        pytest.param("rfc2396", "/g", ["1", "3", "4", "5", "7"], id="2396-absolute-path"),
        pytest.param(
            "rfc2396", "../../../g", ["1", "3", "4", "6a", "6b", "6e", "6e", "6g", "7"], id="2396-excess"
        ),
        pytest.param("rfc3986", "g:h", ["5.2.2", "5.2.2", "5.3"], id="3986-absolute"),
        pytest.param("rfc3986", "?y", ["5.2.2", "5.2.2", "5.2.2", "5.3"], id="3986-query"),
        pytest.param("rfc3986", "", ["5.2.2"] * 4 + ["5.3"], id="3986-empty"),
        pytest.param("rfc3986", "g", ["5.2.2", "5.2.2", "5.2.3", "5.3"], id="3986-merged"),
    ],
)
def test_labels(spec, reference, labels):
    steps = resolution_steps("http://a/b/c/d;p?q", reference, spec)
    assert [step.label for step in steps] == labels


def test_the_trace_of_the_rfc():
    """RFC 3986, section 5.2.4: the two buffers after each step for /a/b/c/./../../g."""
    steps = resolution_steps("http://h/a/b/c/x", "./../../g", "rfc3986")
    trace = [(step.label.strip(), step.what) for step in steps if step.label.startswith("  ")]
    assert trace == [
        ("2E", "output /a, input /b/c/./../../g"),
        ("2E", "output /a/b, input /c/./../../g"),
        ("2E", "output /a/b/c, input /./../../g"),
        ("2B", "output /a/b/c, input /../../g"),
        ("2C", "output /a/b, input /../g"),
        ("2C", "output /a, input /g"),
        ("2E", "output /a/g, input (empty)"),
    ]


def test_an_unknown_base():
    """RFC 1808, section 4, step 1."""
    assert [step.value for step in resolution_steps("", "../g", "rfc1808")] == ["../g"]
