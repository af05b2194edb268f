"""Fewer collections during a run: what was set before is so again, and cycles still go."""

from __future__ import annotations

import gc
import io
import weakref

import pytest

from urlharness.adapters.registry import find
from urlharness.limits import Limits
from urlharness.runner import _relaxed_gc, open_results, run


@pytest.fixture(autouse=True)
def settings():
    """The collector as it was, whatever a test does to it."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.enable()


def state():
    return gc.get_threshold(), gc.isenabled()


def test_all_is_as_before():
    before = state()
    with _relaxed_gc():
        assert gc.get_threshold()[0] > before[0][0]
    assert state() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, ValueError])
def test_after_an_error_too(error):
    before = state()
    with pytest.raises(error), _relaxed_gc():
        raise error
    assert state() == before


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(gc.disable, id="disabled"),
        pytest.param(lambda: gc.set_threshold(0), id="no-threshold"),
    ],
)
def test_what_somebody_has_set_stays(setting):
    setting()
    before = state()
    with _relaxed_gc():
        assert state() == before
    assert state() == before


def test_a_larger_threshold_stays():
    gc.set_threshold(1_000_000, 7, 7)
    with _relaxed_gc():
        assert gc.get_threshold()[0] == 1_000_000
    assert gc.get_threshold()[0] == 1_000_000


def test_cycles_are_collected():
    """Those of a library that is asked in this process."""

    class Node:
        def __init__(self):
            self.own = self

    with _relaxed_gc():
        first = weakref.ref(Node())
        kept = [[] for _ in range(200_000)]
        assert first() is None
    assert len(kept) == 200_000


def test_a_run_is_such_a_body(corpus):
    seen = []
    writer = open_results(io.BytesIO(), corpus, corpus.cases[:3])
    run(find("urllib"), corpus.cases[:3], writer, Limits(), progress=lambda *_: seen.append(state()))
    writer.close()
    assert all(threshold[0] > gc.get_threshold()[0] for threshold, _ in seen)
    assert len(seen) == 3
