"""Tasks run once: their results are in the cache until their inputs change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from urlharness.adequacy import cache
from urlharness.adequacy.tasks import CHUNK, Tasks, open_pool

SUBJECT = ("rfc1738", "newsurl", False)


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache._delete_unused.cache_clear()


@pytest.fixture
def counting():
    """A task, and the list of the arguments with which it has run."""
    calls = []

    def count(*arguments):
        calls.append(arguments)
        return len(calls)

    return count, calls


def run(function, texts="", arguments=(1,), folders=()):
    with ThreadPoolExecutor() as pool:
        return Tasks(pool, lambda *_: None, folders).submit(function, texts, *arguments).result()


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        pytest.param({}, 1, id="nothing"),
        pytest.param({"texts": "other"}, 2, id="texts"),
        pytest.param({"arguments": (2,)}, 2, id="arguments"),
        pytest.param({"folders": (("urlauthor", "adequacy"),)}, 2, id="source-code"),
    ],
)
def test_a_task_runs_again_only_if_something_changed(counting, changed, runs):
    count, calls = counting
    run(count)
    run(count, **changed)
    assert len(calls) == runs


def test_mutants_are_divided_into_chunks(counting):
    count, calls = counting
    with ThreadPoolExecutor(1) as pool:
        tasks = Tasks(pool, lambda *_: None)
        futures = tasks.submit_chunks(count, "", SUBJECT, range(CHUNK + 1))
        assert len([*tasks.as_completed(futures)]) == 2
    assert calls == [(SUBJECT, range(CHUNK)), (SUBJECT, range(CHUNK, CHUNK + 1))]


def test_each_finished_task_is_reported(counting):
    count, _ = counting
    reports = []
    with ThreadPoolExecutor(1) as pool:
        tasks = Tasks(pool, lambda *report: reports.append(report))
        futures = tasks.submit_chunks(count, "", SUBJECT, range(CHUNK + 1))
        for _ in tasks.as_completed(futures):
            pass
    assert reports == [(1, 2), (2, 2)]


def interrupt_a_pool(pools):
    with open_pool(1) as pool:
        pools.append(pool)
        pool.submit(int).result()
        raise KeyboardInterrupt


def test_an_interrupt_ends_the_processes():
    pools = []
    with pytest.raises(KeyboardInterrupt):
        interrupt_a_pool(pools)
    assert pools[0]._processes is None
