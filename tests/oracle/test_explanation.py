"""The parts of an explanation."""

from __future__ import annotations

import pytest

from urloracle.errors import InvalidURL
from urloracle.explanation import explain
from urloracle.specification import Unsupported


@pytest.fixture
def valid():
    """The explanation of a valid text."""
    return explain("http://a/b", "rfc3986")


def test_a_text_is_explained_by_the_default_rule(valid):
    assert valid.rule == "URI-reference"


def test_a_valid_text_is_explained_by_its_components(valid):
    assert valid.valid
    assert valid.components["host"] == "a"


def test_a_valid_text_is_explained_by_its_derivation(valid):
    assert valid.derivation.text == "http://a/b"


def test_a_valid_text_has_no_problem_and_no_repair(valid):
    assert valid.problem is None
    assert valid.nearest is None


def test_a_text_without_a_base_has_no_steps(valid):
    assert valid.steps == ()


def test_a_rule_without_components_is_explained_by_its_derivation():
    explanation = explain("a.b", "rfc3986", "reg-name")
    assert explanation.valid
    assert explanation.components is None
    assert explanation.derivation.rule == "reg-name"


@pytest.fixture
def invalid():
    """The explanation of a text with a blank in its host."""
    return explain("http://a b/", "rfc3986")


def test_an_invalid_text_is_explained_by_its_problem(invalid):
    assert not invalid.valid
    assert invalid.problem.position == len("http://a")


def test_an_invalid_text_is_explained_by_its_repair(invalid):
    assert invalid.nearest.text == "http://a%20b/"


def test_an_invalid_text_has_neither_components_nor_derivation(invalid):
    assert invalid.components is None
    assert invalid.derivation is None


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
