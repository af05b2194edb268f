"""Results are kept by the digest of their inputs, and computed again if anything changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from urlharness.adequacy import cache
from urlharness.adequacy.cache import CHUNK, Tasks, open_pool

SUBJECT = ("rfc1738", "newsurl", False)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of the cache, which is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache._delete_unused.cache_clear()
    return tmp_path / "urlconform" / "adequacy"


def test_a_result_is_not_computed_again_for_the_same_inputs():
    assert cache.cached(lambda: "first", "task", 1) == "first"
    assert cache.cached(lambda: "second", "task", 1) == "first"


def test_a_result_is_computed_for_other_inputs():
    assert cache.cached(lambda: "first", "task", 1) == "first"
    assert cache.cached(lambda: "second", "task", 2) == "second"


def test_a_result_stays_when_one_for_other_inputs_is_kept():
    cache.cached(lambda: "first", "task", 1)
    cache.cached(lambda: "second", "task", 2)
    assert cache.cached(lambda: "third", "task", 1) == "first"


def test_the_key_of_a_result_changes_with_the_source_code(monkeypatch):
    before = cache.key_of("task")
    monkeypatch.setattr(cache, "source_digest", lambda _folders: "other")
    assert cache.key_of("task") != before


EQUAL = [
    pytest.param(frozenset("abc"), frozenset("cba"), id="sets"),
    pytest.param({"a": 1, "b": {2}}, {"b": {2}, "a": 1}, id="mappings"),
]
DIFFERENT = [
    pytest.param(("ab", "c"), ("a", "bc"), id="division"),
    pytest.param(1, "1", id="type"),
    pytest.param(["a"], {"a"}, id="order"),
    pytest.param("\udc80", "\udc81", id="bytes"),
]


@pytest.mark.parametrize(("first", "second"), EQUAL)
def test_equal_inputs_have_one_digest(first, second):
    assert cache.digest(first) == cache.digest(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different_inputs_have_different_digests(first, second):
    assert cache.digest(first) != cache.digest(second)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_digest_is_the_same_in_every_process(seed):
    code = "from urlharness.adequacy import cache; print(cache.digest(frozenset('abcdef')))"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert done.stdout.decode().strip() == cache.digest(frozenset("abcdef"))


def test_a_result_whose_file_is_broken_is_computed_again(folder):
    assert cache.cached(lambda: 1, "x") == 1
    (file,) = folder.iterdir()
    file.write_bytes(b"broken")
    assert cache.cached(lambda: 2, "x") == 2


def test_a_file_that_was_not_used_for_a_month_is_deleted(folder):
    cache.save("old", 1)
    seconds_of_a_day = 86_400
    month_ago = time.time() - 31 * seconds_of_a_day
    os.utime(folder / "old", (month_ago, month_ago))
    cache._delete_unused.cache_clear()
    cache.save("new", 2)
    assert [path.name for path in folder.iterdir()] == ["new"]


def test_a_folder_that_cannot_be_written_is_no_error(folder):
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("a file")
    assert cache.cached(lambda: 1, "x") == 1


# ---- tasks


@pytest.fixture
def counted_task():
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
def test_a_task_runs_again_only_if_something_changed(counted_task, changed, runs):
    count, calls = counted_task
    run(count)
    run(count, **changed)
    assert len(calls) == runs


def test_mutants_are_divided_into_chunks(counted_task):
    count, calls = counted_task
    with ThreadPoolExecutor(1) as pool:
        tasks = Tasks(pool, lambda *_: None)
        futures = tasks.submit_chunks(count, "", SUBJECT, range(CHUNK + 1))
        assert len([*tasks.as_completed(futures)]) == 2
    assert calls == [(SUBJECT, range(CHUNK)), (SUBJECT, range(CHUNK, CHUNK + 1))]


def test_each_finished_task_is_reported(counted_task):
    count, _ = counted_task
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
    assert pools[0]._processes is None  # only `shutdown` sets it to None
