"""The parts of an explanation."""

from __future__ import annotations

import pytest

from urloracle.errors import InvalidURL
from urloracle.explanation import explain
from urloracle.specification import Unsupported


@pytest.fixture
def explanation():
    """The explanation of the valid text `http://a/b`."""
    return explain("http://a/b", "rfc3986")


def test_a_text_is_explained_by_the_default_rule(explanation):
    assert explanation.rule == "URI-reference"


def test_the_explanation_of_a_valid_text_says_that_it_is_valid(explanation):
    assert explanation.valid


def test_a_valid_text_is_explained_by_its_components(explanation):
    assert explanation.components["host"] == "a"


def test_a_valid_text_is_explained_by_its_derivation(explanation):
    assert explanation.derivation.text == "http://a/b"


def test_a_valid_text_has_no_problem_and_no_repair(explanation):
    assert explanation.problem is None
    assert explanation.nearest is None


def test_a_text_without_a_base_has_no_steps(explanation):
    assert explanation.steps == ()


def test_a_text_of_a_rule_without_components_is_explained_by_its_derivation_alone():
    explanation_of_name = explain("a.b", "rfc3986", "reg-name")
    assert explanation_of_name.derivation.rule == "reg-name"
    assert explanation_of_name.components is None


@pytest.fixture
def explanation_of_blank():
    """The explanation of `http://a b/`, which has a blank in its host."""
    return explain("http://a b/", "rfc3986")


def test_the_explanation_of_an_invalid_text_says_that_it_is_invalid(explanation_of_blank):
    assert not explanation_of_blank.valid


def test_an_invalid_text_is_explained_by_its_problem(explanation_of_blank):
    assert explanation_of_blank.problem.position == len("http://a")


def test_an_invalid_text_is_explained_by_its_repair(explanation_of_blank):
    assert explanation_of_blank.nearest.text == "http://a%20b/"


def test_an_invalid_text_has_neither_components_nor_derivation(explanation_of_blank):
    assert explanation_of_blank.components is None
    assert explanation_of_blank.derivation is None


def test_the_last_step_of_a_resolution_has_the_target():
    """RFC 3986, section 5.2."""
    explanation_of_reference = explain("../g", "rfc3986", base="http://a/b/c")
    assert explanation_of_reference.steps[-1].value == "http://a/g"


@pytest.fixture
def explanation_with_relative_base():
    """The explanation of a valid reference with a base that is relative (RFC 3986, section 5.1)."""
    return explain("../g", "rfc3986", base="b/c")


def test_a_relative_base_is_explained_by_its_problem(explanation_with_relative_base):
    assert isinstance(explanation_with_relative_base.problem, InvalidURL)
    assert explanation_with_relative_base.problem.text == "b/c"


def test_a_reference_with_a_relative_base_is_explained_by_its_derivation(explanation_with_relative_base):
    assert explanation_with_relative_base.derivation.text == "../g"


by_long_text = pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("a" * 3000, "a" * 3000, id="segment"),
        pytest.param("../" * 1000, "../" * 1000, id="dots"),
        pytest.param("x:" + "%41" * 1000, "%41" * 1000, id="triplets"),
    ],
)


@by_long_text
def test_a_long_text_is_explained_by_verdict_and_components(text, path):
    explanation_of_long_text = explain(text, "rfc3986", base="http://a/")
    assert explanation_of_long_text.valid
    assert explanation_of_long_text.components["path"] == path


@by_long_text
def test_a_long_text_is_explained_without_derivation_and_steps(text, path):
    """They would be longer than anybody reads."""
    explanation_of_long_text = explain(text, "rfc3986", base="http://a/")
    assert explanation_of_long_text.derivation is None
    assert explanation_of_long_text.steps == ()


def test_a_long_text_with_a_relative_base_is_explained_by_the_problem_of_the_base():
    assert explain("a" * 3000, "rfc3986", base="b").problem.text == "b"


def test_a_resolution_that_is_not_defined_is_an_error():
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        explain("http://a/", "rfc1738", base="http://a/")
