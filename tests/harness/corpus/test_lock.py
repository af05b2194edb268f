"""vectors.lock is read as it is written."""

from __future__ import annotations

from urlharness.corpus.lock import Lock, LockedVector, Tombstone, parse_lock, render_lock

ENTRY = LockedVector("must", "required", "0" * 12, "1" * 12)


LOCK = Lock(
    "1.2.3",
    "0" * 12,
    {"rfc1808-5.1-b": ENTRY, "rfc1808-5.1-a": ENTRY},
    {"rfc1808-5.1-c": Tombstone("1.1.0", "no")},
    "2" * 64,
)


def test_a_lock_is_read_as_it_was_written():
    assert parse_lock(render_lock(LOCK)) == LOCK


def test_a_lock_without_a_bundle_is_read_as_it_was_written():
    older = LOCK._replace(bundle="")
    assert parse_lock(render_lock(older)) == older


def test_the_bundle_is_in_the_fourth_line_of_a_lock():
    assert render_lock(LOCK).split("\n")[3] == f"bundle {'2' * 64}"


def test_the_entries_of_a_lock_are_sorted():
    lines = render_lock(LOCK).split("\n")
    identifiers = [line.split()[0] for line in lines if line.startswith(("rfc1808-5.1-a ", "rfc1808-5.1-b "))]
    assert identifiers == ["rfc1808-5.1-a", "rfc1808-5.1-b"]
