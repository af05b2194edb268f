"""Two results files: fixed, broken and changed answers, and whether library or corpus changed."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, CRASH, REJECT, parts
from msgspec import structs

from urlharness.compare.history import make_history

H, G, I = (parts("http", host, "/") for host in "hgi")  # noqa: E741
UNSUPPORTED = {"status": "unsupported"}


@pytest.fixture
def compare(question, run, tmp_path):
    """Return a function that compares two results files of one library.

    Both have rows of the right answer and that of the library, by the number of the question.
    """

    def make(old, new, *, before="lib", after="lib"):
        def results(name, library, rows):
            pairs = [
                (question("http://h/", right, number=number), {library: answer})
                for number, (right, answer) in rows.items()
            ]
            return run(*pairs, path=tmp_path / name)

        return make_history(results("old.jsonl", before, old), results("new.jsonl", after, new))

    return make


#: What is right and what the library answers, before and now, and the kind of the change with its reason.
CHANGES = [
    pytest.param((H, G), (H, H), ("fixed", "library"), id="fixed"),
    pytest.param((H, H), (H, G), ("broken", "library"), id="broken"),
    pytest.param((H, G), (H, I), ("changed", "library"), id="wrong-in-another-way"),
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


@pytest.mark.parametrize(("old", "new", "kind_and_reason"), CHANGES)
def test_a_change_has_its_kind_and_its_reason(compare, old, new, kind_and_reason):
    kind, reason = kind_and_reason
    (change,) = compare({1: old}, {1: new}).changes
    assert change.kind == kind
    assert change.reason == reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param((H, H), (H, H), id="still-right"),
        pytest.param((H, G), (H, G), id="still-wrong"),
        pytest.param((H, {**REJECT, "message": "a"}), (H, {**REJECT, "message": "b"}), id="another-message"),
    ],
)
def test_an_equal_answer_is_no_change(compare, old, new):
    comparison = compare({1: old}, {1: new})
    assert comparison.versions == {"lib": ("1", "1")}
    assert comparison.changes == ()


def test_added_and_removed_vectors_are_counted(compare):
    comparison = compare({1: (H, H), 2: (H, G)}, {1: (H, H), 3: (H, H), 4: (H, H)})
    assert comparison.added == 2
    assert comparison.removed == 1
    assert comparison.changes == ()


def test_a_wrong_answer_to_an_added_vector_is_new_and_breaks_nothing(compare):
    (change,) = compare({1: (H, H)}, {1: (H, H), 2: (H, G)}).changes
    assert change.id == "rfc3986-3-x-2"
    assert change.kind == "new"
    assert change.reason == "corpus"
    assert change.old is None
    assert change.new is not None


def test_only_libraries_of_both_files_are_compared(compare):
    comparison = compare({1: (H, H)}, {1: (H, G)}, after="other")
    assert comparison.versions == {}
    assert comparison.changes == ()


def test_the_corpus_of_each_file_is_named(question, run, tmp_path):
    old = run((question("http://h/", H), {"lib": H}), path=tmp_path / "r.jsonl")
    new = structs.replace(old, header=structs.replace(old.header, corpus="f" * 12))
    assert make_history(old, new).corpora == (old.header.corpus, "f" * 12)
