"""The parts of an explanation."""

from __future__ import annotations

import pytest

from urloracle.errors import InvalidURL
from urloracle.explanation import explain
from urloracle.specification import Unsupported


def test_a_valid_text_is_explained_by_components_and_derivation():
    explanation = explain("http://a/b", "rfc3986")
    assert explanation.valid
    assert explanation.rule == "URI-reference"
    assert explanation.components["host"] == "a"
    assert explanation.derivation.text == "http://a/b"
    assert explanation.problem is None
    assert explanation.nearest is None
    assert explanation.steps == ()


def test_a_rule_without_components_is_explained_by_its_derivation():
    explanation = explain("a.b", "rfc3986", "reg-name")
    assert explanation.valid
    assert explanation.components is None
    assert explanation.derivation.rule == "reg-name"


def test_an_invalid_text_is_explained_by_problem_and_repair():
    explanation = explain("http://a b/", "rfc3986")
    assert not explanation.valid
    assert explanation.problem.position == 8
    assert explanation.nearest.text == "http://a%20b/"
    assert explanation.components is None
    assert explanation.derivation is None


def test_a_resolution_is_explained_by_its_steps():
    """RFC 3986, section 5.2: the last step holds the target."""
    explanation = explain("../g", "rfc3986", base="http://a/b/c")
    assert explanation.valid
    assert explanation.steps[-1].value == "http://a/g"


def test_a_relative_base_is_explained_by_its_problem():
    """RFC 3986, section 5.1: a base is absolute; the problem is that of the base."""
    explanation = explain("../g", "rfc3986", base="b/c")
    assert isinstance(explanation.problem, InvalidURL)
    assert explanation.problem.text == "b/c"
    assert explanation.derivation is not None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" * 3000, id="segment"),
        pytest.param("../" * 1000, id="dots"),
        pytest.param("x:" + "%41" * 1000, id="triplets"),
    ],
)
def test_a_long_text_is_explained_without_derivation(text):
    """It is judged, split and resolved, and has neither derivation nor steps."""
    explanation = explain(text, "rfc3986", base="http://a/")
    assert explanation.valid
    assert explanation.components["path"]
    assert explanation.derivation is None
    assert explanation.steps == ()


def test_a_long_text_with_a_relative_base_is_explained_by_the_problem_of_the_base():
    assert explain("a" * 3000, "rfc3986", base="b").problem.text == "b"


def test_a_resolution_that_is_not_defined_is_an_error():
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        explain("http://a/", "rfc1738", base="http://a/")
