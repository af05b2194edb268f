"""The public names: few, documented, each with an example that runs, and found where the docs say."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
from typing import NamedTuple

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


#: More names than these, all on one page of docs/api.md, would be a reason to think again.
MOST_NAMES = 20


def test_the_public_names_are_few():
    assert len(urloracle.__all__) <= MOST_NAMES


def test_every_public_name_but_exceptions_and_the_table_is_a_function():
    """The tests of the examples below therefore miss no function."""
    assert set(urloracle.__all__) - set(FUNCTIONS) == {"InvalidURL", "SPECIFICATIONS", "Unsupported"}


@pytest.mark.parametrize("name", sorted({*urloracle.__all__} - {"SPECIFICATIONS"}))
def test_a_public_name_is_documented(name):
    assert has_written_docstring(getattr(urloracle, name))


def has_written_docstring(documented):
    """Return True if somebody has written a docstring: a tuple and a dataclass have one with their fields."""
    docstring = documented.__doc__ or ""
    return docstring != "" and not docstring.startswith(f"{documented.__name__}(")


def test_the_fields_of_a_tuple_are_no_written_docstring():
    class Undocumented(NamedTuple):
        text: str

    assert not has_written_docstring(Undocumented)


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
    assert has_written_docstring(getattr(types, name))


@pytest.mark.parametrize("name", types.__all__)
def test_types_of_answers_have_their_former_home(name):
    """`urloracle.answers` is an alias for one release."""
    assert getattr(answers, name) is getattr(types, name)


def test_an_import_loads_no_library():
    """The oracle itself is the standard library alone."""
    program = "import sys; before = set(sys.modules); import urloracle; print(*sys.modules.keys() - before)"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    roots = {name.partition(".")[0] for name in process.stdout.split()}
    assert roots - sys.stdlib_module_names == {"urloracle"}
