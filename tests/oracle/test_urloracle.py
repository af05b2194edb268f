"""The public names: few, documented, each with an example that runs, and found where the docs say."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys

import pytest

import urloracle
from urloracle import answers, operations, types
from urloracle.explanation import explain

FUNCTIONS = sorted(name for name in urloracle.__all__ if inspect.isroutine(getattr(urloracle, name)))


def examples(function):
    return doctest.DocTestFinder(recurse=False).find(function, globs={**vars(operations), "explain": explain})


def failures(function):
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    return sum(runner.run(test, out=lambda _: None).failed for test in examples(function))


def test_the_public_names_are_few():
    assert len(urloracle.__all__) <= 18
    assert len(FUNCTIONS) == 15


@pytest.mark.parametrize("name", sorted({*urloracle.__all__} - {"SPECIFICATIONS"}))
def test_a_public_name_is_documented(name):
    assert inspect.getdoc(getattr(urloracle, name))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "specification"])
def test_the_examples_of_the_docstrings_are_right(name):
    """Every question has an example in its docstring, and the example is true."""
    function = getattr(urloracle, name)
    assert any(test.examples for test in examples(function))
    assert failures(function) == 0


def test_a_wrong_example_fails():
    def wrong():
        """
        >>> 1 + 1
        3
        """

    assert failures(wrong) == 1


@pytest.mark.parametrize("name", sorted({*types.__all__} - {"Mode", "Profile", "SchemeURL"}))
def test_types_of_answers_are_documented(name):
    assert getattr(types, name).__doc__


@pytest.mark.parametrize("name", types.__all__)
def test_types_of_answers_have_their_former_home(name):
    """`urloracle.answers` is an alias for one release."""
    assert getattr(answers, name) is getattr(types, name)


def test_an_import_loads_no_library():
    """The oracle itself is the standard library alone."""
    line = "import sys, urloracle; print(*sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True).stdout
    roots = {name.partition(".")[0] for name in modules.split()} - {"urloracle"}
    assert not {"click", "rich", "msgspec", "jsonschema", "numpy", "urlharness"} & roots
