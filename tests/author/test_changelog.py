"""The changelog between two locks: what changed, in words, and the step of the version that follows."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from urlauthor.lock import (
    VersionStep,
    changelog_json,
    changelog_markdown,
    compare_locks,
    lock_faults,
    next_version,
    version_step,
)
from urlharness.corpus.loader import load
from urlharness.corpus.lock import Lock, LockedVector, LockError, Tombstone, read_lock
from urlharness.exitcodes import Exit


NAME = "rfc1808-5.1-x"
ENTRY = LockedVector("must", "required", "0" * 12, "1" * 12)


def lock(entry: LockedVector | None = ENTRY, /, *, version="1.0.0", digest="0" * 12, gone=()) -> Lock:
    entries = {} if entry is None else {NAME: entry}
    return Lock(version, digest, entries, {name: Tombstone("1.0.0", "why not") for name in gone})


#: What a vector was, what it is, and the step that follows; what loosens is minor.
STEPS = [
    pytest.param({}, {}, VersionStep.NONE, id="nothing"),
    pytest.param({"answer": "2" * 12}, {}, VersionStep.MAJOR, id="answer"),
    pytest.param({"question": "2" * 12}, {}, VersionStep.MAJOR, id="question"),
    pytest.param({"binding": "unspecified"}, {}, VersionStep.MAJOR, id="binding-to-required"),
    pytest.param({}, {"binding": "permitted-set"}, VersionStep.MINOR, id="binding-from-required"),
    pytest.param({"binding": "impl-defined"}, {"binding": "literal-only"}, VersionStep.MAJOR, id="binding-can-fail"),
    pytest.param(
        {"binding": "permitted-set"}, {"binding": "impl-defined"}, VersionStep.MINOR, id="binding-cannot-fail"
    ),
    pytest.param({"binding": "impl-defined"}, {"binding": "unspecified"}, VersionStep.MINOR, id="binding-as-loose"),
    pytest.param({"level": "should"}, {}, VersionStep.MAJOR, id="level-decides-now"),
    pytest.param({}, {"level": "note"}, VersionStep.MINOR, id="level-decides-no-more"),
    pytest.param({}, {"level": "grammar"}, VersionStep.MINOR, id="level-decides-all-the-same"),
    pytest.param({"level": "note"}, {"level": "may"}, VersionStep.MINOR, id="level-decides-neither-way"),
    pytest.param({}, {"level": "note", "answer": "2" * 12}, VersionStep.MAJOR, id="the-greatest-counts"),
]


@pytest.mark.parametrize(("before", "after", "expected"), STEPS)
def test_step(before, after, expected):
    assert version_step(lock(ENTRY._replace(**before)), lock(ENTRY._replace(**after))) is expected


def test_steps_of_whole_vectors():
    assert version_step(lock(None), lock()) is VersionStep.MINOR
    assert version_step(lock(), lock(None, gone=[NAME])) is VersionStep.MAJOR
    assert version_step(lock(), lock(digest="1" * 12)) is VersionStep.PATCH


@pytest.mark.parametrize(
    ("following", "expected"),
    [(VersionStep.NONE, "1.2.3"), (VersionStep.PATCH, "1.2.4"), (VersionStep.MINOR, "1.3.0"), (VersionStep.MAJOR, "2.0.0")],
)
def test_next_version(following, expected):
    assert next_version("1.2.3", following) == expected


FAULTS = [
    pytest.param(lock(), lock(None, version="2.0.0"), "no tombstone says why", id="vanished"),
    pytest.param(lock(None, gone=[NAME]), lock(version="2.0.0"), "used again", id="came-back"),
    pytest.param(lock(None, gone=[NAME]), lock(None), "its tombstone is gone", id="tombstone-vanished"),
    pytest.param(lock(None), lock(), "ask for 1.1.0 or later", id="version-stays"),
    pytest.param(lock(), lock(None, gone=[NAME], version="1.9.9"), "ask for 2.0.0", id="version-too-low"),
    pytest.param(lock(), lock(digest="1" * 12), "ask for 1.0.1", id="words-are-a-patch"),
    pytest.param(lock(version="1.0.1"), lock(), "ask for 1.0.1", id="version-goes-back"),
]


@pytest.mark.parametrize(("before", "after", "message"), FAULTS)
def test_fault_is_named(before, after, message):
    found = lock_faults(before, after)
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.parametrize("version", ["2.0.0", "2.0.1", "3.0.0"])
def test_a_version_may_move_further(version):
    assert lock_faults(lock(), lock(None, gone=[NAME], version=version)) == []


def test_every_kind_is_told_once():
    old = Lock("1.0.0", "0" * 12, {"a": ENTRY, "b": ENTRY}, {})
    new = Lock(
        "1.0.0", "1" * 12, {"b": ENTRY._replace(level="may"), "c": ENTRY}, {"a": Tombstone("1.0.0", "old")}
    )
    assert [(change.id, change.kind, change.clause) for change in compare_locks(old.entries, new)] == [
        ("a", "removed", "old"),
        ("b", "changed", "level must became may"),
        ("c", "added", "new"),
    ]


@pytest.fixture
def changed(part, change, tmp_path):
    """The part with one answer changed, and its lock from before."""
    old = shutil.copy(part / "vectors.lock", tmp_path / "old.lock")
    name = change(part / "rfc1808/5.1-normal.json", expect={"result": "g:i"}, reference="g:\x07")
    return part, old, name


def test_words_tell_question_and_answer(changed):
    part, old, name = changed
    corpus = load(part)
    before = read_lock(old)
    after = before._replace(entries={**before.entries, name: ENTRY})
    assert changelog_markdown(before, before, corpus).endswith("No question and no answer changed.\n\nStep: none.")
    assert "g:" not in changelog_markdown(before, after, corpus)  # the corpus is not that of the lock
    text = changelog_markdown(read_lock(old), read_lock(old)._replace(entries={}), corpus)
    assert "no tombstone says why" in text


def test_the_command_compares_the_corpus_as_it_stands(changed, authoring):
    part, old, name = changed
    done = authoring("changelog", old, "--vectors", part)
    assert done.code == Exit.PASSED
    assert "## Changed (1)\n" in done.out
    assert f"- `{name}`; it asks something else, it expects something else; resolve base" in done.out
    assert "reference <g:\\u{7}>: 'g:i'\n" in done.out
    assert "Step: major; the next version is 2.0.0." in done.out
    assert authoring("changelog", old, "--check", "--vectors", part).code == Exit.FAILED
    assert authoring("changelog", old, old, "--check", "--vectors", part).code == Exit.PASSED


def test_the_command_as_json(changed, authoring):
    part, old, name = changed
    told = json.loads(authoring("changelog", old, "--json", "--vectors", part).out)
    assert (told["from"], told["to"], told["step"], told["next"]) == ("1.0.0", "1.0.0", "major", "2.0.0")
    assert [(one["id"], one["kind"], one["step"]) for one in told["changes"]] == [(name, "changed", "major")]
    assert changelog_json(read_lock(old), read_lock(old))["changes"] == []


def test_a_revision_of_git(changed, authoring):
    part, _, name = changed
    git = ["git", "-C", part, "-c", "user.name=x", "-c", "user.email=x@example.com"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["tag", "v1"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    assert authoring("lock", "--vectors", part).code == Exit.PASSED
    done = authoring("changelog", "v1", "--vectors", part)
    assert (done.code, f"`{name}`" in done.out) == (Exit.PASSED, True)
    assert "Step: none." in authoring("changelog", "v1", "v1", "--vectors", part).out


@pytest.mark.parametrize("place", ["no-such-place", "--output=x"])
def test_neither_a_file_nor_a_revision(part, authoring, place):
    assert authoring("changelog", "--vectors", part, "--", place).error is not None
    assert not isinstance(authoring("changelog", "--vectors", part, "--", place).error, AssertionError)


def test_a_file_that_is_no_lock(part, authoring):
    assert isinstance(authoring("changelog", part / "flags.json", "--vectors", part).error, LockError)
