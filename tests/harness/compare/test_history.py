"""Two results files: fixed, broken and changed answers, and whether library or corpus changed."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, CRASH, REJECT, parts
from msgspec import structs

from urlharness.compare.history import make_history

HOST_H = parts("http", "h", "/")
HOST_G = parts("http", "g", "/")
HOST_I = parts("http", "i", "/")
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
    pytest.param((HOST_H, HOST_G), (HOST_H, HOST_H), "fixed", "library", id="fixed"),
    pytest.param((HOST_H, HOST_H), (HOST_H, HOST_G), "broken", "library", id="broken"),
    pytest.param((HOST_H, HOST_G), (HOST_H, HOST_I), "changed", "library", id="wrong-in-another-way"),
    pytest.param((HOST_H, HOST_G), (HOST_G, HOST_G), "fixed", "corpus", id="corpus-fixed"),
    pytest.param((HOST_H, HOST_H), (HOST_G, HOST_H), "broken", "corpus", id="corpus-broke"),
    pytest.param((HOST_H, HOST_H), (HOST_G, HOST_G), "changed", "both", id="both"),
    pytest.param((HOST_H, HOST_G), (HOST_I, HOST_H), "changed", "both", id="both-wrong"),
    pytest.param((HOST_H, HOST_H), (HOST_I, HOST_G), "broken", "both", id="both-broke"),
    pytest.param((HOST_H, HOST_H), (HOST_H, CRASH), "broken", "library", id="crash"),
    pytest.param((HOST_H, CRASH), (HOST_H, HOST_G), "changed", "library", id="no-crash-but-wrong"),
    pytest.param((HOST_H, UNSUPPORTED), (HOST_H, HOST_H), "changed", "library", id="offered-now"),
    pytest.param((ACCEPT, REJECT), (ACCEPT, ACCEPT), "fixed", "library", id="verdict"),
]


@pytest.mark.parametrize(("old", "new", "kind", "reason"), CHANGES)
def test_a_change_has_its_kind_and_its_reason(compare, old, new, kind, reason):
    (change,) = compare({1: old}, {1: new}).changes
    assert change.kind == kind
    assert change.reason == reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param((HOST_H, HOST_H), (HOST_H, HOST_H), id="still-right"),
        pytest.param((HOST_H, HOST_G), (HOST_H, HOST_G), id="still-wrong"),
        pytest.param(
            (HOST_H, {**REJECT, "message": "a"}), (HOST_H, {**REJECT, "message": "b"}), id="another-message"
        ),
    ],
)
def test_an_equal_answer_is_no_change(compare, old, new):
    assert compare({1: old}, {1: new}).changes == ()


@pytest.fixture
def run_of_version(question, run, tmp_path):
    """Return a function that makes the results of a library of this version."""

    def make(version):
        row = (question("http://h/", HOST_H), {"lib": HOST_H})
        results = run(row, path=tmp_path / f"{version}.jsonl")
        (participant,) = results.participants
        library = structs.replace(participant.implementation, version=version)
        return structs.replace(results, participants=[structs.replace(participant, implementation=library)])

    return make


def test_a_comparison_has_the_versions_of_a_library_before_and_now(run_of_version):
    comparison = make_history(run_of_version("1.0"), run_of_version("2.0"))
    assert comparison.versions == {"lib": ("1.0", "2.0")}


def test_added_and_removed_vectors_are_counted(compare):
    comparison = compare(
        {1: (HOST_H, HOST_H), 2: (HOST_H, HOST_G)},
        {1: (HOST_H, HOST_H), 3: (HOST_H, HOST_H), 4: (HOST_H, HOST_H)},
    )
    assert comparison.added == 2
    assert comparison.removed == 1


def test_a_right_answer_to_an_added_vector_is_no_change(compare):
    assert compare({1: (HOST_H, HOST_H)}, {1: (HOST_H, HOST_H), 2: (HOST_H, HOST_H)}).changes == ()


def test_a_wrong_answer_to_a_removed_vector_is_no_change(compare):
    assert compare({1: (HOST_H, HOST_H), 2: (HOST_H, HOST_G)}, {1: (HOST_H, HOST_H)}).changes == ()


@pytest.fixture
def change_of_added_vector(compare):
    """The change that a wrong answer to an added vector is."""
    (change,) = compare({1: (HOST_H, HOST_H)}, {1: (HOST_H, HOST_H), 2: (HOST_H, HOST_G)}).changes
    assert change.id == "rfc3986-3-x-2"
    return change


def test_a_wrong_answer_to_an_added_vector_is_new_because_of_the_corpus(change_of_added_vector):
    assert change_of_added_vector.kind == "new"
    assert change_of_added_vector.reason == "corpus"


def test_an_added_vector_has_no_answer_before(change_of_added_vector):
    assert change_of_added_vector.old is None
    assert change_of_added_vector.new is not None


def test_only_libraries_of_both_files_are_compared(compare):
    comparison = compare({1: (HOST_H, HOST_H)}, {1: (HOST_H, HOST_G)}, after="other")
    assert comparison.versions == {}
    assert comparison.changes == ()


def test_the_corpus_of_each_file_is_named(question, run, tmp_path):
    old = run((question("http://h/", HOST_H), {"lib": HOST_H}), path=tmp_path / "r.jsonl")
    new = structs.replace(old, header=structs.replace(old.header, corpus="f" * 12))
    assert make_history(old, new).corpora == (old.header.corpus, "f" * 12)
