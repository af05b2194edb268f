"""The next lock, its tombstones and version; the changelog between two locks and the next version."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from urlauthor.lint.lock import lint_lock
from urlauthor.lock import (
    VersionStep,
    changelog_json,
    changelog_markdown,
    compare_locks,
    lock_faults,
    next_version,
    relock,
    version_step,
)
from urlharness.bundle.folder import write_bundle
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load
from urlharness.corpus.lock import (
    Lock,
    LockedVector,
    LockError,
    Tombstone,
    locked_vectors,
    read_lock,
    render_lock,
)
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit

NORMAL = "rfc1808/5.1-normal.json"
FTP = "rfc1738/3.2.2-url-path.json"
ENTRY = LockedVector("must", "required", "0" * 12, "1" * 12)


def relocked(root: Path, **how: str) -> Lock:
    """Write the next lock of a corpus, and return it."""
    lock = relock(load(root), read_lock(root / "vectors.lock"), **how)
    (root / "vectors.lock").write_text(render_lock(lock), "ascii")
    return lock


def drop(path: Path) -> str:
    """Take the first vector out of a file, and return its id."""
    document = json.loads(path.read_bytes())
    first, *rest = document["vectors"]
    path.write_text(canonical_text(document | {"vectors": rest}), "ascii")
    return first["id"]


def problems(root: Path) -> set[tuple[str, str]]:
    """Return the case and the message of each error that lint finds in a lock."""
    return {(error.case, error.message) for error in lint_lock(root)}


def test_an_explicit_default_does_not_change_the_question(part, change):
    """RFC 1738: the rule ftpurl has no profile but the generic one (G-06)."""
    before = locked_vectors(load(part))
    name = change(
        part / FTP, lambda entry: entry["op"] == "validate" and entry["rule"] != "url", profile="generic"
    )
    (changed,) = [case for case in load(part).cases if case.vector.id == name]
    assert changed.vector.profile == "generic"
    assert locked_vectors(load(part))[name] == before[name]


def test_lint_reports_a_removed_vector_without_a_tombstone(part):
    name = drop(part / NORMAL)
    assert (name, "locked, but there is no such vector (vectors lock --reason TEXT)") in problems(part)


def test_a_removed_vector_is_not_locked_without_a_reason(part):
    name = drop(part / NORMAL)
    with pytest.raises(LockError, match=f"removed without a reason .*: {name}"):
        relocked(part)


def test_the_tombstone_of_a_removed_vector_has_its_version_and_its_reason(part):
    """The reason is on one line."""
    name = drop(part / NORMAL)
    lock = relocked(part, reason=" it asked\n nothing ")
    assert lock.tombstones == {name: Tombstone("1.0.0", "it asked nothing")}


def test_lint_reports_nothing_of_a_removed_vector_with_a_tombstone(part):
    drop(part / NORMAL)
    relocked(part, reason="it asked nothing")
    assert lint_lock(part) == []


def test_a_later_lock_keeps_the_tombstones_of_earlier_ones(part):
    first_name = drop(part / NORMAL)
    relocked(part, reason="it asked nothing")
    second_name = drop(part / NORMAL)
    assert relocked(part, reason="it asked too much", version="2.0.0").tombstones == {
        first_name: Tombstone("1.0.0", "it asked nothing"),
        second_name: Tombstone("2.0.0", "it asked too much"),
    }


@pytest.fixture
def used_again(part):
    """The id of a vector that was removed, and stands in its file again."""
    text = (part / NORMAL).read_text("ascii")
    name = drop(part / NORMAL)
    relocked(part, reason="gone")
    (part / NORMAL).write_text(text, "ascii")
    return name


def test_lint_reports_an_id_that_was_removed_and_is_used_again(part, used_again):
    message = "the id was removed in version 1.0.0 and must not be used again"
    assert (used_again, message) in problems(part)


def test_an_id_that_was_removed_and_is_used_again_is_not_locked(part, used_again):
    with pytest.raises(LockError, match=f"never used again: {used_again}"):
        relocked(part, reason="back")


@pytest.mark.parametrize("version", ["1.0", "1.0.0-rc1", "v1.0.0", "01.0.0"])
def test_a_malformed_version_is_refused(part, version):
    with pytest.raises(LockError, match=f"^'{version}' is not a version such as"):
        relocked(part, version=version)


@pytest.mark.parametrize("version", ["1.0.0", "0.9.9"])
def test_a_version_that_does_not_rise_is_refused(part, version):
    with pytest.raises(LockError, match=rf"^version {version} is not later than 1\.0\.0$"):
        relocked(part, version=version)


def test_a_release_sets_the_version(part):
    assert relocked(part, version="1.0.1").version == "1.0.1"
    assert load(part).version == "1.0.1"


def test_lock_check_passes_where_nothing_changed(part, authoring):
    checked = authoring("lock", "--check", "--vectors", part)
    assert checked.err.startswith("vectors.lock unchanged: ")
    assert checked.code == Exit.PASSED


def test_lock_check_fails_with_what_changed(part, authoring, change):
    name = change(part / NORMAL, expect={"result": "g:i"})
    checked = authoring("lock", "--check", "--vectors", part)
    assert checked.out == f"{name}: changed: the expected answer changed\n"
    assert checked.code == Exit.FAILED


def test_lint_fails_where_a_change_is_not_locked(part, authoring, change):
    name = change(part / NORMAL, expect={"result": "g:i"})
    ended = authoring("lint", "--vectors", part)
    assert f"{name}: differs from vectors.lock: the expected answer changed" in ended.out
    assert ended.code == Exit.INVALID_FILE


def with_another_bundle(root: Path) -> Lock:
    """Write a lock whose bundle is not the one of the corpus, and return it."""
    lock = read_lock(root / "vectors.lock")._replace(bundle="0" * 64)
    (root / "vectors.lock").write_text(render_lock(lock), "ascii")
    return lock


def test_the_lock_of_the_project_has_the_digest_of_its_bundle():
    assert read_lock(corpus_dir() / "vectors.lock").bundle != ""


def test_lock_writes_the_digest_of_the_bundle(part, tmp_path):
    lock = relocked(part)
    bundle = write_bundle(part, load(part), tmp_path / "bundle", Selection(), force=False)
    assert lock.bundle == bundle.digest


def test_lint_fails_where_the_bundle_is_not_locked(part):
    with_another_bundle(part)
    assert ("", "the lock has another digest of the bundle (urlconform vectors lock)") in problems(part)


def test_lint_reports_nothing_of_a_lock_without_a_bundle(part):
    lock = read_lock(part / "vectors.lock")._replace(bundle="")
    (part / "vectors.lock").write_text(render_lock(lock), "ascii")
    assert lint_lock(part) == []


def test_a_whole_bundle_that_is_not_locked_is_not_written(part, tmp_path):
    with_another_bundle(part)
    with pytest.raises(LockError, match=r"^the bundle has digest [0-9a-f]{64}, but the lock says 0{64}; "):
        write_bundle(part, load(part), tmp_path / "bundle", Selection(), force=False)
    assert not (tmp_path / "bundle").exists()


def test_a_part_of_a_bundle_is_written_whatever_the_lock_says_of_the_whole(part, tmp_path):
    with_another_bundle(part)
    selection = Selection(specs=("rfc1808",))
    bundle = write_bundle(part, load(part), tmp_path / "bundle", selection, force=False)
    assert bundle.cases > 0


def test_lock_check_passes_after_a_change_was_locked(part, authoring, change):
    change(part / NORMAL, expect={"result": "g:i"})
    assert authoring("lock", "--vectors", part).code == Exit.PASSED
    assert authoring("lock", "--check", "--vectors", part).code == Exit.PASSED


@pytest.fixture
def unlocked_part(part):
    """A part of the corpus without a lock."""
    (part / "vectors.lock").unlink()
    return part


def test_a_corpus_without_a_lock_has_the_version_unlocked(unlocked_part):
    assert load(unlocked_part).version == "unlocked"


def test_lock_check_fails_without_a_lock(unlocked_part, authoring):
    checked = authoring("lock", "--check", "--vectors", unlocked_part)
    assert checked.err.startswith("vectors.lock is stale: ")
    assert checked.code == Exit.FAILED


def test_a_release_makes_the_first_lock_with_its_version(unlocked_part, authoring):
    ended = authoring("lock", "--release", "2.0.0", "--vectors", unlocked_part)
    assert ended.out == ""
    assert ended.code == Exit.PASSED
    assert load(unlocked_part).version == "2.0.0"


REFUSED_REASONS = [
    pytest.param((), "vectors were removed without a reason (--reason): ", id="no-reason"),
    pytest.param(("--reason", "é"), "the reason must be ASCII text", id="not-ascii"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED_REASONS)
def test_lock_leaves_the_lock_where_it_refuses_to_write_one(part, authoring, options, message):
    """The lock is an ASCII file, so a reason must be ASCII, too."""
    drop(part / NORMAL)
    before = (part / "vectors.lock").read_text("ascii")
    ended = authoring("lock", *options, "--vectors", part)
    assert isinstance(ended.error, LockError)
    assert str(ended.error).startswith(message)
    assert (part / "vectors.lock").read_text("ascii") == before


NAME = "rfc1808-5.1-x"


def sample_lock(
    entry: LockedVector | None = ENTRY, /, *, version="1.0.0", digest="0" * 12, gone=(), bundle=""
) -> Lock:
    """Return a lock of one vector or of none, with the tombstones of vectors that are gone."""
    entries = {} if entry is None else {NAME: entry}
    return Lock(version, digest, entries, {name: Tombstone("1.0.0", "why not") for name in gone}, bundle)


#: What a vector was, what it is, and the step that follows; what loosens is minor.
STEPS = [
    pytest.param({}, {}, VersionStep.NONE, id="nothing"),
    pytest.param({"answer": "2" * 12}, {}, VersionStep.MAJOR, id="answer"),
    pytest.param({"question": "2" * 12}, {}, VersionStep.MAJOR, id="question"),
    pytest.param({"binding": "unspecified"}, {}, VersionStep.MAJOR, id="binding-to-required"),
    pytest.param({}, {"binding": "permitted-set"}, VersionStep.MINOR, id="binding-from-required"),
    pytest.param(
        {"binding": "impl-defined"}, {"binding": "literal-only"}, VersionStep.MAJOR, id="binding-can-fail"
    ),
    pytest.param(
        {"binding": "permitted-set"}, {"binding": "impl-defined"}, VersionStep.MINOR, id="binding-cannot-fail"
    ),
    pytest.param(
        {"binding": "impl-defined"}, {"binding": "unspecified"}, VersionStep.MINOR, id="binding-as-loose"
    ),
    pytest.param({"level": "should"}, {}, VersionStep.MAJOR, id="level-decides-now"),
    pytest.param({}, {"level": "note"}, VersionStep.MINOR, id="level-decides-no-more"),
    pytest.param({}, {"level": "grammar"}, VersionStep.MINOR, id="level-decides-all-the-same"),
    pytest.param({"level": "note"}, {"level": "may"}, VersionStep.MINOR, id="level-decides-neither-way"),
    pytest.param({}, {"level": "note", "answer": "2" * 12}, VersionStep.MAJOR, id="the-greatest-counts"),
]


@pytest.mark.parametrize(("before", "after", "expected"), STEPS)
def test_a_changed_entry_has_its_version_step(before, after, expected):
    assert (
        version_step(sample_lock(ENTRY._replace(**before)), sample_lock(ENTRY._replace(**after))) is expected
    )


@pytest.mark.parametrize(
    ("before", "after", "step"),
    [
        pytest.param(sample_lock(None), sample_lock(), VersionStep.MINOR, id="new-vector"),
        pytest.param(sample_lock(), sample_lock(None, gone=[NAME]), VersionStep.MAJOR, id="removed-vector"),
        pytest.param(sample_lock(), sample_lock(digest="1" * 12), VersionStep.PATCH, id="words-alone"),
        pytest.param(
            sample_lock(bundle="0" * 64),
            sample_lock(bundle="1" * 64),
            VersionStep.PATCH,
            id="form-of-the-bundle",
        ),
        pytest.param(
            sample_lock(), sample_lock(bundle="1" * 64), VersionStep.NONE, id="first-lock-of-a-bundle"
        ),
        pytest.param(
            sample_lock(bundle="0" * 64),
            sample_lock(version="1.0.1", bundle="1" * 64),
            VersionStep.NONE,
            id="version-in-the-bundle",
        ),
    ],
)
def test_a_changed_list_of_vectors_has_its_version_step(before, after, step):
    assert version_step(before, after) is step


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        (VersionStep.NONE, "1.2.3"),
        (VersionStep.PATCH, "1.2.4"),
        (VersionStep.MINOR, "1.3.0"),
        (VersionStep.MAJOR, "2.0.0"),
    ],
)
def test_each_step_has_its_next_version(following, expected):
    assert next_version("1.2.3", following) == expected


LOCK_FAULTS = [
    pytest.param(
        sample_lock(),
        sample_lock(None, version="2.0.0"),
        "there is no tombstone with a reason",
        id="vanished",
    ),
    pytest.param(sample_lock(None, gone=[NAME]), sample_lock(version="2.0.0"), "used again", id="came-back"),
    pytest.param(
        sample_lock(None, gone=[NAME]), sample_lock(None), "its tombstone is missing", id="tombstone-vanished"
    ),
    pytest.param(sample_lock(None), sample_lock(), "require 1.1.0 or later", id="version-stays"),
    pytest.param(
        sample_lock(), sample_lock(None, gone=[NAME], version="1.9.9"), "require 2.0.0", id="version-too-low"
    ),
    pytest.param(sample_lock(), sample_lock(digest="1" * 12), "require 1.0.1", id="words-are-a-patch"),
    pytest.param(sample_lock(version="1.0.1"), sample_lock(), "require 1.0.1", id="version-goes-back"),
]


@pytest.mark.parametrize(("before", "after", "message"), LOCK_FAULTS)
def test_a_fault_between_locks_is_named(before, after, message):
    (fault,) = lock_faults(before, after)
    assert message in fault


@pytest.mark.parametrize("version", ["2.0.0", "2.0.1", "3.0.0"])
def test_a_version_may_move_further(version):
    assert lock_faults(sample_lock(), sample_lock(None, gone=[NAME], version=version)) == []


def test_each_kind_of_change_is_listed_once():
    old = Lock("1.0.0", "0" * 12, {"a": ENTRY, "b": ENTRY}, {})
    new = Lock(
        "1.0.0", "1" * 12, {"b": ENTRY._replace(level="may"), "c": ENTRY}, {"a": Tombstone("1.0.0", "old")}
    )
    assert [(change.id, change.kind, change.clause) for change in compare_locks(old.entries, new)] == [
        ("a", "removed", "old"),
        ("b", "changed", "level must became may"),
        ("c", "added", "new"),
    ]


class ChangedPart(NamedTuple):
    """A part of the corpus with one vector changed, its lock from before, and the id of the vector."""

    root: Path
    old_lock: Path
    changed_id: str


@pytest.fixture
def changed_part(part, change, tmp_path):
    """The part with one question and its answer changed."""
    old = shutil.copy(part / "vectors.lock", tmp_path / "old.lock")
    name = change(part / "rfc1808/5.1-normal.json", expect={"result": "g:i"}, reference="g:\x07")
    return ChangedPart(part, old, name)


def test_the_changelog_of_equal_locks_says_that_nothing_changed(changed_part):
    part, old, _ = changed_part
    text = changelog_markdown(read_lock(old), read_lock(old), load(part))
    assert text.endswith("No question and no answer changed.\n\nStep: none.")


def test_the_changelog_shows_no_question_of_another_corpus_than_that_of_the_lock(changed_part):
    part, old, name = changed_part
    before = read_lock(old)
    after = before._replace(entries={**before.entries, name: ENTRY})
    changelog = changelog_markdown(before, after, load(part))
    assert f"`{name}`" in changelog
    assert "g:" not in changelog


def test_the_changelog_names_vectors_that_vanished_without_a_tombstone(changed_part):
    part, old, _ = changed_part
    text = changelog_markdown(read_lock(old), read_lock(old)._replace(entries={}), load(part))
    assert "there is no tombstone with a reason" in text


def test_changelog_describes_question_and_answer_of_the_corpus_as_it_stands(changed_part, authoring):
    part, old, name = changed_part
    ended = authoring("changelog", old, "--vectors", part)
    assert "## Changed (1)\n" in ended.out
    assert f"- `{name}`; the question changed, the expected answer changed; resolve base" in ended.out
    assert "reference <g:\\u{7}>: 'g:i'\n" in ended.out
    assert ended.code == Exit.PASSED


def test_changelog_names_the_step_and_the_next_version(changed_part, authoring):
    part, old, _ = changed_part
    text = authoring("changelog", old, "--vectors", part).out
    assert "Step: major; the next version is 2.0.0." in text


def test_changelog_check_fails_where_the_version_did_not_move(changed_part, authoring):
    part, old, _ = changed_part
    checked = authoring("changelog", old, "--check", "--vectors", part)
    assert checked.err == "urlconform: version 1.0.0, but the changes require 2.0.0 or later\n"
    assert checked.code == Exit.FAILED


def test_changelog_check_passes_for_equal_locks(changed_part, authoring):
    part, old, _ = changed_part
    checked = authoring("changelog", old, old, "--check", "--vectors", part)
    assert checked.err == ""
    assert checked.code == Exit.PASSED


def test_changelog_prints_the_changes_as_json(changed_part, authoring):
    part, old, name = changed_part
    changelog = json.loads(authoring("changelog", old, "--json", "--vectors", part).out)
    (only_change,) = changelog["changes"]
    assert only_change["id"] == name
    assert only_change["kind"] == "changed"
    assert only_change["step"] == "major"


def test_changelog_prints_versions_and_step_as_json(changed_part, authoring):
    part, old, _ = changed_part
    changelog = json.loads(authoring("changelog", old, "--json", "--vectors", part).out)
    fields = {field: changelog[field] for field in ("from", "to", "step", "next")}
    assert fields == {"from": "1.0.0", "to": "1.0.0", "step": "major", "next": "2.0.0"}


def test_the_json_of_equal_locks_has_no_changes(changed_part):
    _, old, _ = changed_part
    assert changelog_json(read_lock(old), read_lock(old))["changes"] == []


#: What the changelog says of the bundles of two locks.
BUNDLES = [
    pytest.param("", "", "Bundle: its digest is not locked.", id="none"),
    pytest.param("", "1" * 64, f"Bundle: `not locked` became `{'1' * 64}`.", id="first"),
    pytest.param("1" * 64, "1" * 64, f"Bundle: unchanged, `{'1' * 64}`.", id="same"),
    pytest.param("0" * 64, "1" * 64, f"Bundle: `{'0' * 64}` became `{'1' * 64}`.", id="different"),
]


@pytest.mark.parametrize(("before", "after", "line"), BUNDLES)
def test_the_changelog_has_the_digest_of_the_bundle(part, before, after, line):
    text = changelog_markdown(sample_lock(bundle=before), sample_lock(bundle=after), load(part))
    assert line in text.splitlines()


def test_the_changelog_of_the_corpus_as_it_stands_has_the_digest_of_its_bundle(changed_part, authoring):
    part, old, _ = changed_part
    changelog = json.loads(authoring("changelog", old, "--json", "--vectors", part).out)
    assert changelog["bundle"] == {"from": read_lock(old).bundle, "to": relocked(part).bundle}


@pytest.fixture
def tagged_part(changed_part, authoring):
    """The changed part with its new lock, and the old lock as revision `v1` of git, the new one as `v2`."""
    part, _, _ = changed_part

    def git(*arguments):
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.com")
        subprocess.run(["git", "-C", part, *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "the old lock")
    git("tag", "v1")
    assert authoring("lock", "--vectors", part).code == Exit.PASSED
    git("commit", "-qam", "the new lock")
    git("tag", "v2")
    return part


def test_changelog_compares_the_lock_with_a_revision_of_git(changed_part, tagged_part, authoring):
    _, _, name = changed_part
    done = authoring("changelog", "v1", "--vectors", tagged_part)
    assert f"`{name}`" in done.out
    assert done.code == Exit.PASSED


@pytest.mark.parametrize(
    ("revisions", "step"),
    [
        pytest.param(("v1", "v2"), "major", id="old-and-new"),
        pytest.param(("v1", "v1"), "none", id="old-twice"),
        pytest.param(("v2", "v2"), "none", id="new-twice"),
    ],
)
def test_changelog_compares_two_revisions_of_git(tagged_part, authoring, revisions, step):
    ended = authoring("changelog", *revisions, "--json", "--vectors", tagged_part)
    assert json.loads(ended.out)["step"] == step


def test_changelog_refuses_a_name_that_is_neither_a_file_nor_a_revision(part, authoring):
    error = authoring("changelog", "--vectors", part, "no-such-place").error
    assert isinstance(error, LockError)
    assert str(error).startswith("no-such-place: no such file, and git says: ")


def test_changelog_gives_git_no_option_as_a_revision(part, authoring):
    error = authoring("changelog", "--vectors", part, "--", "--output=x").error
    assert isinstance(error, click.BadParameter)
    assert error.message == "no such file or revision: '--output=x'"


def test_a_file_that_is_no_lock_is_refused(part, authoring):
    error = authoring("changelog", part / "flags.json", "--vectors", part).error
    assert isinstance(error, LockError)
    assert str(error).startswith("flags.json: the file must begin with urllock-1, ")
