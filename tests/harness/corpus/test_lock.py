"""vectors.lock is read as it is written."""

from __future__ import annotations

from urlharness.corpus.lock import Lock, LockedVector, Tombstone, parse_lock, render_lock

ENTRY = LockedVector("must", "required", "0" * 12, "1" * 12)


def test_what_is_rendered_is_read_again():
    lock = Lock(
        "1.2.3",
        "0" * 12,
        {"rfc1808-5.1-b": ENTRY, "rfc1808-5.1-a": ENTRY},
        {"rfc1808-5.1-c": Tombstone("1.1.0", "no")},
    )
    assert parse_lock(render_lock(lock)) == lock
    assert render_lock(lock).split("\n")[4].startswith("rfc1808-5.1-a ")
