"""vectors.lock: no answer changes unseen, no id vanishes without a tombstone, none comes back."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from urlauthor.lint.lock import lint_lock
from urlauthor.lock import relock
from urlharness.corpus import lock
from urlharness.corpus.export import canonical
from urlharness.corpus.loader import load
from urlharness.corpus.lock import (
    Lock,
    LockedVector,
    LockError,
    Tombstone,
    locked_vectors,
    parse_lock,
    read_lock,
    render_lock,
)
from urlharness.corpus.model import corpus_dir
from urlharness.exitcodes import Exit


NORMAL = "rfc1808/5.1-normal.json"
FTP = "rfc1738/3.2.2-url-path.json"
#: What is made from the corpus, and may name its digest.
MEASURED = {"adequacy.json", "tiers.json"}
ENTRY = LockedVector("must", "required", "0" * 12, "1" * 12)


def relocked(root: Path, **how: str) -> Lock:
    lock = relock(load(root), read_lock(root / "vectors.lock"), **how)
    (root / "vectors.lock").write_text(render_lock(lock), "ascii")
    return lock


def drop(path: Path) -> str:
    """Takes the first vector out of a file."""
    document = json.loads(path.read_bytes())
    first, *rest = document["vectors"]
    path.write_text(canonical(document | {"vectors": rest}), "ascii")
    return first["id"]


def found(root: Path) -> set[tuple[str, str]]:
    return {(finding.case, finding.message) for finding in lint_lock(root)}


def test_the_corpus_is_locked():
    assert [str(finding) for finding in lint_lock(corpus_dir())] == []
    assert load().version == read_lock(corpus_dir() / "vectors.lock").version


def test_the_part_is_locked(part):
    assert lint_lock(part) == []


#: What a user relies on: each change of it is found, and lint says which.
LOCKED = [
    pytest.param({"expect": {"result": "g:i"}}, "it expects something else", id="answer"),
    pytest.param({"reference": "g:hh"}, "it asks something else", id="question"),
    pytest.param({"level": "may"}, "level example became may", id="level"),
    pytest.param(
        {"binding": "unspecified", "ruling": "G-01"}, "binding required became unspecified", id="binding"
    ),
]


@pytest.mark.parametrize(("fields", "clause"), LOCKED)
def test_a_change_that_is_not_locked_is_found(part, change, fields, clause):
    name = change(part / NORMAL, **fields)
    assert (name, f"not what was locked: {clause} (urlconform vectors lock)") in found(part)
    relocked(part)
    assert lint_lock(part) == []


#: What explains a vector and may become better: the digest of the corpus moves, the line of the vector stays.
FREE = [
    pytest.param({"comment": "Why not."}, id="comment"),
    pytest.param({"class_": "query-only"}, id="class"),
    pytest.param({"ruling": "G-01"}, id="ruling"),
    pytest.param({"flags": ["edge"]}, id="flags"),
]


@pytest.mark.parametrize("fields", FREE)
def test_words_are_not_locked(part, change, fields):
    before = read_lock(part / "vectors.lock")
    change(part / NORMAL, **fields)
    assert [case for case, _ in found(part)] == [""]  # the digest in the head alone
    after = relocked(part)
    assert after.entries == before.entries
    assert after.digest != before.digest
    assert lint_lock(part) == []


def test_a_default_that_is_spelled_out_asks_the_same(part, change):
    """RFC 1738: the rule ftpurl has no profile but the generic one (G-06)."""
    before = locked_vectors(load(part))
    name = change(
        part / FTP, lambda entry: entry["op"] == "validate" and entry["rule"] != "url", profile="generic"
    )
    assert load(part).cases[0].vector.profile in (None, "generic")
    assert locked_vectors(load(part))[name] == before[name]


def test_a_removed_vector_needs_a_tombstone(part):
    name = drop(part / NORMAL)
    assert (name, "locked, but there is no such vector (vectors lock --reason TEXT)") in found(part)
    with pytest.raises(LockError, match=f"removed without a reason .*: {name}"):
        relocked(part)
    lock = relocked(part, reason=" it asked\n nothing ")
    assert lock.tombstones == {name: Tombstone("1.0.0", "it asked nothing")}
    assert lint_lock(part) == []


def test_tombstones_stay(part):
    first = drop(part / NORMAL)
    relocked(part, reason="one")
    second = drop(part / NORMAL)
    assert relocked(part, reason="two", version="2.0.0").tombstones == {
        first: Tombstone("1.0.0", "one"),
        second: Tombstone("2.0.0", "two"),
    }
    assert set(relocked(part).tombstones) == {first, second}


def test_a_tombstone_is_never_used_again(part):
    text = (part / NORMAL).read_text("ascii")
    name = drop(part / NORMAL)
    relocked(part, reason="gone")
    (part / NORMAL).write_text(text, "ascii")
    assert (name, "the id was removed in version 1.0.0 and is never used again") in found(part)
    with pytest.raises(LockError, match=f"never used again: {name}"):
        relocked(part, reason="again")


def test_a_vector_that_is_not_locked_is_found(part, change):
    old = change(part / NORMAL, id="rfc1808-5.1-renamed")
    assert old == "rfc1808-5.1-renamed"
    assert (old, "not in vectors.lock (urlconform vectors lock)") in found(part)
    assert len([message for _, message in found(part) if "no such vector" in message]) == 1


def _edit(old: str, new: str):
    def plant(path: Path) -> None:
        text = path.read_text("ascii")
        assert old in text
        path.write_text(text.replace(old, new, 1), "ascii")

    return plant


def _swap(path: Path) -> None:
    head, _, rest = path.read_text("ascii").partition("\n\n")
    first, second, *others = rest.split("\n")
    path.write_text("\n".join((head, "", second, first, *others)), "ascii")


def _twice(path: Path) -> None:
    path.write_text(path.read_text("ascii") + path.read_text("ascii").splitlines()[4] + "\n", "ascii")


BROKEN = [
    pytest.param(Path.unlink, "No such file", id="missing"),
    pytest.param(lambda path: path.write_bytes(b"\xff"), "not ASCII", id="octets"),
    pytest.param(lambda path: path.write_text(""), "does not begin with urllock-1", id="empty"),
    pytest.param(_edit("urllock-1", "urllock-2"), "does not begin with urllock-1", id="other-schema"),
    pytest.param(_edit("version 1.0.0", "version 1.0"), "does not begin with", id="half-a-version"),
    pytest.param(_edit("version 1.0.0", "version 01.0.0"), "does not begin with", id="padded-version"),
    pytest.param(_edit(" required ", " "), "line 5: neither", id="field-missing"),
    pytest.param(_edit(" required ", "  required "), "line 5: neither", id="blank-more"),
    pytest.param(_swap, "not in canonical form", id="order"),
    pytest.param(_twice, "stands there twice", id="repeated-line"),
    pytest.param(
        lambda path: path.write_text(path.read_text() + "\n"), "not in canonical form", id="blank-line"
    ),
    pytest.param(
        lambda path: path.write_text(path.read_text().replace("digest ", "digest 0", 1)[:9999], "ascii"),
        "does not begin with",
        id="long-digest",
    ),
]


@pytest.mark.parametrize(("fault", "words"), BROKEN)
def test_a_broken_lock_is_named(part, fault, words):
    fault(part / "vectors.lock")
    findings = lint_lock(part)
    assert {finding.file for finding in findings} == {"vectors.lock"}
    assert any(words in finding.message for finding in findings), findings


def test_a_digest_in_the_head_that_is_not_the_corpus_is_found(part):
    text = (part / "vectors.lock").read_text("ascii")
    digest = load(part).digest
    (part / "vectors.lock").write_text(text.replace(digest, "0" * 12), "ascii")
    assert [str(finding) for finding in lint_lock(part)] == [
        f"vectors.lock: it has digest {'0' * 12}, the corpus has {digest} (urlconform vectors lock)"
    ]
    assert load(part).version == "1.0.0+changed"


def test_a_corpus_that_cannot_be_loaded_is_not_called_locked(part):
    (part / NORMAL).write_text("[]", "ascii")
    assert any("not checked" in message for _, message in found(part))


def test_what_is_rendered_is_read_again():
    lock = Lock(
        "1.2.3",
        "0" * 12,
        {"rfc1808-5.1-b": ENTRY, "rfc1808-5.1-a": ENTRY},
        {"rfc1808-5.1-c": Tombstone("1.1.0", "no")},
    )
    assert parse_lock(render_lock(lock)) == lock
    assert render_lock(lock).split("\n")[4].startswith("rfc1808-5.1-a ")


@pytest.mark.parametrize("version", ["1.0", "1.0.0-rc1", "v1.0.0", "01.0.0", "1.0.0", "0.9.9"])
def test_a_version_is_one_and_moves_on(part, version):
    with pytest.raises(LockError):
        relocked(part, version=version)


def test_a_release_sets_the_version(part):
    assert relocked(part, version="1.0.1").version == "1.0.1"
    assert load(part).version == "1.0.1"


@pytest.mark.parametrize(
    "name", ["classes.json", "flags.json", "paragraphs.json", NORMAL, "requirements/rfc2732.json"]
)
def test_the_digest_covers_every_file(part, name):
    before = load(part).digest
    (part / name).write_bytes((part / name).read_bytes() + b"\n")
    assert load(part).digest != before


def test_the_digest_covers_differences_and_names_of_files():
    covered = {path.relative_to(corpus_dir()).as_posix() for path in lock.covered_files(corpus_dir())}
    listed = {path.relative_to(corpus_dir()).as_posix() for path in corpus_dir().rglob("*.json")}
    assert {name for name in listed - covered if not name.startswith("schemas/")} <= MEASURED
    assert "differences/query-only.json" in covered


def test_the_digest_is_that_of_sha256sum(part):
    names = [path.relative_to(part).as_posix() for path in lock.covered_files(part)]
    assert names == sorted(names)
    lines = subprocess.run(["sha256sum", *names], cwd=part, capture_output=True, check=True).stdout
    assert hashlib.sha256(lines).hexdigest()[:12] == load(part).digest


def test_the_command_writes_and_checks(part, authoring, change):
    assert authoring("lock", "--check", "--vectors", part).code == Exit.PASSED
    name = change(part / NORMAL, expect={"result": "g:i"})
    checked = authoring("lock", "--check", "--vectors", part)
    assert (checked.code, checked.out) == (Exit.FAILED, f"{name}: changed: it expects something else\n")
    assert authoring("lint", "--vectors", part).code == Exit.INVALID_FILE
    assert authoring("lock", "--vectors", part).code == Exit.PASSED
    assert authoring("lock", "--check", "--vectors", part).code == Exit.PASSED


def test_the_command_makes_the_first_lock(part, authoring):
    (part / "vectors.lock").unlink()
    assert load(part).version == "unlocked"
    assert authoring("lock", "--check", "--vectors", part).code == Exit.FAILED
    done = authoring("lock", "--release", "2.0.0", "--vectors", part)
    assert (done.code, done.out) == (Exit.PASSED, "")
    assert load(part).version == "2.0.0"


def test_the_command_refuses_what_must_not_be(part, authoring):
    drop(part / NORMAL)
    text = (part / "vectors.lock").read_text("ascii")
    assert isinstance(authoring("lock", "--vectors", part).error, LockError)
    assert isinstance(authoring("lock", "--reason", "é", "--vectors", part).error, LockError)
    assert (part / "vectors.lock").read_text("ascii") == text
