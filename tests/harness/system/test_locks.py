"""Locks of files: that they keep others out, and that they are not needed."""

from __future__ import annotations

import pytest

from urlharness.system.locks import acquire_lock, release_lock


@pytest.fixture
def opened_twice(tmp_path):
    """Two streams of one file, which do not share a lock."""
    path = tmp_path / "file"
    with path.open("ab") as first, path.open("ab") as second:
        yield first, second


def test_a_locked_file_is_not_locked_again(opened_twice):
    first, second = opened_twice
    assert acquire_lock(first)
    assert not acquire_lock(second)


def test_a_file_can_be_locked_by_its_descriptor(opened_twice):
    first, second = opened_twice
    assert acquire_lock(first.fileno())
    assert not acquire_lock(second.fileno())


def test_a_lock_is_free_after_its_release(opened_twice):
    first, second = opened_twice
    acquire_lock(first)
    release_lock(first)
    assert acquire_lock(second, wait=True)


def test_a_lock_is_free_when_the_file_is_closed(opened_twice):
    first, second = opened_twice
    acquire_lock(first)
    first.close()
    assert acquire_lock(second)


@pytest.mark.usefixtures("without_locks")
@pytest.mark.parametrize("wait", [False, True], ids=["without-waiting", "waiting"])
def test_a_file_system_needs_no_locks(opened_twice, wait):
    first, _ = opened_twice
    assert acquire_lock(first, wait=wait)
    release_lock(first)
