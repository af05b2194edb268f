"""The public names: few, documented, each with an example that runs, and found where the docs say."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys

import pytest

import urloracle
from urloracle import answers, operations
from urloracle.errors import InvalidURL
from urloracle.explanation import explain
from urloracle.specification import Unsupported

FUNCTIONS = sorted(name for name in urloracle.__all__ if inspect.isfunction(getattr(urloracle, name)))


def examples(function):
    return doctest.DocTestFinder(recurse=False).find(function, globs={**vars(operations), "explain": explain})


def failures(function):
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    return sum(runner.run(test, out=lambda _: None).failed for test in examples(function))


def test_the_public_names_are_few():
    assert len(urloracle.__all__) <= 16
    assert len(FUNCTIONS) == 13


@pytest.mark.parametrize("name", sorted(urloracle.__all__))
def test_a_public_name_is_documented(name):
    found = getattr(urloracle, name)
    assert name == "SPECIFICATIONS" or inspect.getdoc(found)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "specification"])
def test_examples(name):
    """Every question has an example in its docstring, and the example is true."""
    function = getattr(urloracle, name)
    assert any(test.examples for test in examples(function))
    assert failures(function) == 0


def test_a_wrong_example_is_seen():
    def wrong():
        """
        >>> 1 + 1
        3
        """

    assert failures(wrong) == 1


@pytest.mark.parametrize("name", answers.__all__)
def test_the_types_of_the_answers_are_there(name):
    assert getattr(answers, name).__doc__ or name in {"Mode", "Profile", "SchemeURL"}


def test_an_import_loads_no_library():
    """The oracle itself is the standard library alone."""
    line = "import sys, urloracle; print(*sorted(sys.modules))"
    found = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True).stdout
    roots = {name.partition(".")[0] for name in found.split()} - {"urloracle"}
    assert not {"click", "rich", "msgspec", "jsonschema", "numpy", "urlharness"} & roots


def test_explain_a_valid_text():
    found = explain("http://a/b", "rfc3986")
    assert found.valid
    assert found.rule == "URI-reference"
    assert found.components["host"] == "a"
    assert found.derivation.text == "http://a/b"
    assert (found.problem, found.nearest, found.steps) == (None, None, ())


def test_explain_a_rule_without_components():
    found = explain("a.b", "rfc3986", "reg-name")
    assert found.valid
    assert found.components is None
    assert found.derivation.rule == "reg-name"


def test_explain_an_invalid_text():
    found = explain("http://a b/", "rfc3986")
    assert not found.valid
    assert (found.problem.position, found.nearest.text) == (8, "http://ab/")
    assert (found.components, found.derivation) == (None, None)


def test_explain_a_resolution():
    """RFC 3986, section 5.2: the last step holds the target."""
    found = explain("../g", "rfc3986", base="http://a/b/c")
    assert found.valid
    assert found.steps[-1].value == "http://a/g"


def test_explain_a_base_that_is_none():
    """RFC 3986, section 5.1: a base is absolute; the problem is that of the base."""
    found = explain("../g", "rfc3986", base="b/c")
    assert isinstance(found.problem, InvalidURL)
    assert found.problem.text == "b/c"
    assert found.derivation is not None


@pytest.mark.parametrize("text", ["a" * 3000, "../" * 1000, "x:" + "%41" * 1000])
def test_explain_a_text_that_is_too_long_for_a_reader(text):
    """It is judged, split and resolved, and has neither derivation nor steps."""
    found = explain(text, "rfc3986", base="http://a/")
    assert found.valid
    assert found.components["path"]
    assert (found.derivation, found.steps) == (None, ())
    assert explain(text, "rfc3986", base="a").problem is not None


def test_explain_a_resolution_where_there_is_none():
    with pytest.raises(Unsupported):
        explain("http://a/", "rfc1738", base="http://a/")
