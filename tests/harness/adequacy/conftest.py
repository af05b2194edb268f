"""The catalogue of a small rule, computed in this process, with a cache of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from urlharness.adequacy import cache
from urlharness.adequacy.cache import Tasks
from urlharness.adequacy.mistakes import find_catalogue


@contextmanager
def thread_pool(_processes):
    """Open a pool that runs tasks in a thread of this process."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(scope="session")
def cache_of_catalogues(tmp_path_factory):
    return tmp_path_factory.mktemp("catalogues")


@pytest.fixture
def cached_catalogues(cache_of_catalogues, monkeypatch):
    """The cache folder in which the catalogues of small rules are kept for the session."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_catalogues))
    cache._delete_unused.cache_clear()


@pytest.fixture
def tasks(cached_catalogues):
    """Tasks in a thread of this process."""
    with thread_pool(1) as pool:
        yield Tasks(pool, lambda *_: None)


@pytest.fixture
def scheme_catalogue(tasks):
    """The catalogue of RFC 3986, rule `scheme` (section 3.1)."""
    return find_catalogue("rfc3986", "scheme", tasks)
