"""The deadline that Hypothesis sets for each example."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlharness.corpus.specifications import SPECS
from urlharness.deadline import without_deadline

CHECK = Path(__file__).parent / "deadline_check.py"


#: All strategies prepare an RFC in the same way, and all RFCs are prepared in the same way.
CASES = [
    *product(("any_text", "oracle", "urls", "invalid_urls", "near_misses"), ["rfc3986"]),
    *[
        pytest.param(kind, spec, marks=pytest.mark.long)
        for kind, spec in product(("any_text", "oracle", "urls"), SPECS)
        if spec != "rfc3986"
    ],
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("kind", "spec"), CASES)
def test_nothing_is_compiled_while_hypothesis_measures(kind, spec):
    """In a fresh process, the first examples do not exceed the default deadline."""
    check = subprocess.run(
        [sys.executable, str(CHECK), kind, spec], capture_output=True, text=True, timeout=120, check=False
    )
    assert check.returncode == 0, check.stderr


@given(st.text())
def test_a_function_without_deadline_gives_its_answer_in_a_property_test(text):
    assert without_deadline(str.upper, text) == text.upper()


def test_a_function_without_deadline_gives_its_answer_outside_property_tests():
    assert without_deadline(str.upper, "a") == "A"


@given(st.just("a"))
def test_a_function_without_deadline_raises_its_error_in_a_property_test(text):
    with pytest.raises(ValueError, match="invalid literal"):
        without_deadline(int, text)
