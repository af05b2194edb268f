"""A run in which libraries give these answers, which are judged as those of an adapter are."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from run_samples import make_question, make_run


@pytest.fixture
def question(make_case):
    """Makes a case of RFC 3986 from a text, or from a base and a reference, and the right answers."""
    return partial(make_question, make_case)


@pytest.fixture
def run(record):
    """Makes results from (case, {library: reply}); those in `blurring` cannot tell absent from empty."""
    return partial(make_run, record)
