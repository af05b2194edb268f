"""Two results files: fixed, broken and changed answers, and whether library or corpus changed."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, CRASH, REJECT, parts

from urlharness.compare.history import make_history

H, G, I = (parts("http", host, "/") for host in "hgi")  # noqa: E741
UNSUPPORTED = {"status": "unsupported"}


@pytest.fixture
def compare(question, run, tmp_path):
    """Returns the history of one library; each row is the right answer and the library's, old and new."""

    def make(old, new, *, before="lib", after="lib"):
        def results(name, library, rows):
            pairs = [
                (question("http://h/", right, number=number), {library: answer})
                for number, (right, answer) in rows.items()
            ]
            return run(*pairs, path=tmp_path / name)

        return make_history(results("old.jsonl", before, old), results("new.jsonl", after, new))

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
def test_a_changed_answer_is_broken_or_fixed(compare, old, new, change):
    comparison = compare({1: old}, {1: new})
    assert [(change.kind, change.reason) for change in comparison.changes] == (
        [] if change is None else [change]
    )
    assert comparison.versions == {"lib": ("1", "1")}


def test_the_message_of_a_library_is_no_answer(compare):
    comparison = compare({1: (H, {**REJECT, "message": "a"})}, {1: (H, {**REJECT, "message": "b"})})
    assert comparison.changes == ()


def test_added_and_removed_vectors_are_counted(compare):
    """A wrong answer to an added one breaks nothing."""
    comparison = compare({1: (H, H), 2: (H, G)}, {1: (H, H), 3: (H, H), 4: (H, G)})
    assert comparison.added == 2
    assert comparison.removed == 1
    (change,) = comparison.changes
    assert change.id == "rfc3986-3-x-4"
    assert change.kind == "new"
    assert change.reason == "corpus"
    assert change.old is None
    assert change.new is not None


def test_only_libraries_of_both_files_are_compared(compare):
    comparison = compare({1: (H, H)}, {1: (H, G)}, after="other")
    assert comparison.versions == {}
    assert comparison.changes == ()


def test_both_corpora_are_named(compare):
    assert compare({1: (H, H)}, {1: (H, H)}).corpora == ("0123456789ab", "0123456789ab")
