"""Two results files: fixed, broken and changed answers, and whether library or corpus changed."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, CRASH, REJECT, parts

from urlharness.compare.history import history

H, G, I = (parts("http", host, "/") for host in "hgi")  # noqa: E741
UNSUPPORTED = {"status": "unsupported"}


@pytest.fixture
def compare(question, run, tmp_path):
    """Returns the history of one library; each row is the right answer and the library's, old and new."""

    def make(old, new, *, before="lib", after="lib"):
        def results(name, library, rows):
            made = [
                (question("http://h/", right, number=number), {library: answer})
                for number, (right, answer) in rows.items()
            ]
            return run(*made, path=tmp_path / name)

        return history(results("old.jsonl", before, old), results("new.jsonl", after, new))

    return make


#: what is right and what the library answers, before and now
CHANGES = [
    pytest.param((H, G), (H, H), ("fixed", "library"), id="fixed"),
    pytest.param((H, H), (H, G), ("broken", "library"), id="broken"),
    pytest.param((H, G), (H, I), ("changed", "library"), id="wrong-in-another-way"),
    pytest.param((H, H), (H, H), None, id="same"),
    pytest.param((H, G), (H, G), None, id="still-wrong"),
    pytest.param((H, G), (G, G), ("fixed", "corpus"), id="corpus-fixed"),
    pytest.param((H, H), (G, H), ("broken", "corpus"), id="corpus-broke"),
    pytest.param((H, H), (G, G), ("changed", "both"), id="both"),
    pytest.param((H, G), (I, H), ("changed", "both"), id="both-wrong"),
    pytest.param((H, H), (I, G), ("broken", "both"), id="both-broke"),
    pytest.param((H, H), (H, CRASH), ("broken", "library"), id="crash"),
    pytest.param((H, CRASH), (H, G), ("changed", "library"), id="no-crash-but-wrong"),
    pytest.param((H, UNSUPPORTED), (H, H), ("changed", "library"), id="offered-now"),
    pytest.param((ACCEPT, REJECT), (ACCEPT, ACCEPT), ("fixed", "library"), id="verdict"),
]


@pytest.mark.parametrize(("old", "new", "change"), CHANGES)
def test_what_became_of_an_answer(compare, old, new, change):
    found = compare({1: old}, {1: new})
    assert [(one.kind, one.reason) for one in found.changes] == ([] if change is None else [change])
    assert found.versions == {"lib": ("1", "1")}


def test_the_message_of_a_library_is_no_answer(compare):
    found = compare({1: (H, {**REJECT, "message": "a"})}, {1: (H, {**REJECT, "message": "b"})})
    assert found.changes == ()


def test_added_and_removed_vectors(compare):
    """A wrong answer to an added one breaks nothing."""
    found = compare({1: (H, H), 2: (H, G)}, {1: (H, H), 3: (H, H), 4: (H, G)})
    assert (found.added, found.removed) == (2, 1)
    (change,) = found.changes
    assert (change.id, change.kind, change.reason, change.old) == ("rfc3986-3-x-4", "new", "corpus", None)
    assert change.new is not None


def test_only_libraries_of_both_files_are_compared(compare):
    found = compare({1: (H, H)}, {1: (H, G)}, after="other")
    assert found.versions == {}
    assert found.changes == ()


def test_both_corpora_are_named(compare):
    assert compare({1: (H, H)}, {1: (H, H)}).corpora == ("0123456789ab", "0123456789ab")
