"""Lint finds vectors that differ from the lock, faults of flags, and one-sided requirements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from urlauthor.lint.lock import lint_lock
from urlharness.corpus.export import canonical_text
from urlharness.corpus.loader import load
from urlharness.corpus.lock import read_lock
from urlharness.corpus.model import corpus_dir

from ..test_lock import relocked  # noqa: TID252 - tests are not an installed package
from ..test_stats import two_sided_statement  # noqa: TID252

NORMAL = "rfc1808/5.1-normal.json"
REQUIREMENTS = "requirements/rfc1738.json"


def problems(root: Path) -> set[tuple[str, str]]:
    """Return the case and the message of each error of a lock."""
    return {(error.case, error.message) for error in lint_lock(root)}


def test_the_vectors_of_the_corpus_are_those_of_its_lock():
    assert [str(error) for error in lint_lock(corpus_dir())] == []


def test_the_version_of_the_corpus_is_that_of_its_lock():
    assert load().version == read_lock(corpus_dir() / "vectors.lock").version


def test_lint_reports_nothing_of_a_part_of_the_corpus_with_its_own_lock(part):
    """The errors in the tests below are therefore those of their faults."""
    assert lint_lock(part) == []


#: What a user relies on: each change of it is found, and lint says which.
LOCKED = {
    "answer": ({"expect": {"result": "g:i"}}, "the expected answer changed"),
    "question": ({"reference": "g:hh"}, "the question changed"),
    "level": ({"level": "may"}, "level example became may"),
    "binding": ({"binding": "unspecified", "ruling": "G-01"}, "binding required became unspecified"),
}


@pytest.mark.parametrize(("fields", "clause"), LOCKED.values(), ids=LOCKED)
def test_an_unlocked_change_is_reported_with_what_changed(part, change, fields, clause):
    name = change(part / NORMAL, **fields)
    assert (name, f"differs from vectors.lock: {clause} (urlconform vectors lock)") in problems(part)


@pytest.mark.parametrize("name", LOCKED)
def test_a_locked_change_is_not_reported(part, change, name):
    fields, _ = LOCKED[name]
    change(part / NORMAL, **fields)
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
def test_a_changed_explanation_is_reported_of_the_corpus_and_of_no_vector(part, change, fields):
    """Its digest in the head of the lock is another."""
    change(part / NORMAL, **fields)
    assert [case for case, _ in problems(part)] == [""]


@pytest.mark.parametrize("fields", FREE)
def test_a_changed_explanation_leaves_the_entries_of_the_lock(part, change, fields):
    before = read_lock(part / "vectors.lock")
    change(part / NORMAL, **fields)
    assert relocked(part).entries == before.entries


@pytest.mark.parametrize("fields", FREE)
def test_a_changed_explanation_changes_the_digest_of_the_lock(part, change, fields):
    before = read_lock(part / "vectors.lock")
    change(part / NORMAL, **fields)
    assert relocked(part).digest != before.digest


def test_a_renamed_vector_is_reported_as_not_locked(part, change):
    change(part / NORMAL, id="rfc1808-5.1-renamed")
    assert ("rfc1808-5.1-renamed", "not in vectors.lock (urlconform vectors lock)") in problems(part)


def test_the_old_id_of_a_renamed_vector_is_reported_as_gone(part, change):
    first, *_ = json.loads((part / NORMAL).read_bytes())["vectors"]
    change(part / NORMAL, id="rfc1808-5.1-renamed")
    assert [case for case, message in problems(part) if "no such vector" in message] == [first["id"]]


def _edit(old: str, new: str):
    """Return a function that replaces a text of a file once."""

    def edit_file(path: Path) -> None:
        text = path.read_text("ascii")
        assert old in text
        path.write_text(text.replace(old, new, 1), "ascii")

    return edit_file


def _swap(path: Path) -> None:
    head, _, rest = path.read_text("ascii").partition("\n\n")
    first, second, *others = rest.split("\n")
    path.write_text("\n".join((head, "", second, first, *others)), "ascii")


def _twice(path: Path) -> None:
    text = path.read_text("ascii")
    *_, last_line = text.splitlines()
    path.write_text(f"{text}{last_line}\n", "ascii")


BROKEN = [
    pytest.param(Path.unlink, "no such file", id="missing"),
    pytest.param(lambda path: path.write_bytes(b"\xff"), "codec can't decode", id="octets"),
    pytest.param(lambda path: path.write_text(""), "must begin with urllock-1", id="empty"),
    pytest.param(_edit("urllock-1", "urllock-2"), "must begin with urllock-1", id="other-schema"),
    pytest.param(_edit("version 1.0.0", "version 1.0"), "must begin with", id="half-a-version"),
    pytest.param(_edit("version 1.0.0", "version 01.0.0"), "must begin with", id="padded-version"),
    pytest.param(_edit(" required ", " "), "line 6: neither", id="field-missing"),
    pytest.param(_edit(" required ", "  required "), "line 6: neither", id="blank-more"),
    pytest.param(_swap, "not in canonical form", id="order"),
    pytest.param(_twice, "is listed twice", id="repeated-line"),
    pytest.param(
        lambda path: path.write_text(path.read_text() + "\n"), "not in canonical form", id="blank-line"
    ),
    pytest.param(_edit("digest ", "digest 0"), "must begin with", id="long-digest"),
]


@pytest.mark.parametrize(("fault", "words"), BROKEN)
def test_a_broken_lock_is_reported_with_its_fault(part, fault, words):
    fault(part / "vectors.lock")
    (error,) = lint_lock(part)
    assert error.file == "vectors.lock"
    assert words in error.message


OTHER_DIGEST = "0" * 12


@pytest.fixture
def digest_of_a_part_with_another_in_its_lock(part):
    """The digest of the part, whose lock has another one now."""
    digest = load(part).digest
    text = (part / "vectors.lock").read_text("ascii")
    (part / "vectors.lock").write_text(text.replace(digest, OTHER_DIGEST), "ascii")
    return digest


def test_a_lock_with_another_digest_is_reported_with_both(part, digest_of_a_part_with_another_in_its_lock):
    digest = digest_of_a_part_with_another_in_its_lock
    assert [str(error) for error in lint_lock(part)] == [
        f"vectors.lock: the lock has digest {OTHER_DIGEST}, the corpus {digest} (urlconform vectors lock)"
    ]


@pytest.mark.usefixtures("digest_of_a_part_with_another_in_its_lock")
def test_the_version_of_a_corpus_with_another_digest_than_its_lock_is_marked_as_changed(part):
    assert load(part).version == "1.0.0+changed"


def test_a_corpus_that_cannot_be_loaded_is_reported_as_not_checked(part):
    (part / NORMAL).write_text("[]", "ascii")
    (error,) = lint_lock(part)
    assert error.message.startswith("not checked, because the corpus cannot be loaded: ")
    assert NORMAL in error.message


def _table(edit):
    """Return a function that changes the entries in the table of flags of a corpus."""

    def edit_table(root: Path) -> None:
        document = json.loads((root / "flags.json").read_bytes())
        edit(document["flags"])
        (root / "flags.json").write_text(canonical_text(document), "ascii")

    return edit_table


FAULTS = [
    pytest.param(lambda root: (root / "flags.json").unlink(), "the table of flags is missing", id="no-table"),
    pytest.param(
        _table(lambda flags: flags.pop()), "the table has the flags security", id="flag-unexplained"
    ),
    pytest.param(
        _table(lambda flags: flags.append(flags[0])), "the table has the flags security", id="flag-twice"
    ),
    pytest.param(_table(lambda flags: flags.reverse()), "the table has the flags basic", id="order"),
    pytest.param(_table(lambda flags: flags[0].update(effect="")), ".effect", id="no-effect"),
    pytest.param(_table(lambda flags: flags[0].update(id="odd")), "'odd' is not one of", id="unknown-flag"),
    pytest.param(lambda root: (root / "flags.json").write_text("{}"), "required property", id="no-flags"),
    pytest.param(lambda root: (root / "flags.json").write_text("{"), "not JSON", id="cut"),
]


@pytest.mark.parametrize(("fault", "words"), FAULTS)
def test_a_fault_of_the_table_of_flags_is_reported(part, fault, words):
    fault(part)
    assert {error.file for error in lint_lock(part) if words in error.message} == {"flags.json"}


CONTRADICTIONS = [
    pytest.param(
        NORMAL,
        {"class_": "query-only", "flags": ["legacy"]},
        "flag legacy is implied by the class",
        id="said-twice",
    ),
    pytest.param(NORMAL, {"flags": ["edge", "basic"]}, "both basic and edge", id="daily-and-rare"),
    pytest.param(
        NORMAL, {"class_": "query-only", "flags": ["edge"]}, "both basic and edge", id="against-its-class"
    ),
    pytest.param("classes.json", {"flags": ["edge", "basic"]}, "both basic and edge", id="class"),
]


@pytest.mark.parametrize(("name", "fields", "words"), CONTRADICTIONS)
def test_contradicting_flags_are_reported_with_the_case_that_has_them(part, change, name, fields, words):
    case = change(part / name, **fields)
    errors = [error for error in lint_lock(part) if words in error.message]
    assert [(error.file, error.case) for error in errors] == [(name, case)]


@pytest.mark.parametrize("only", ["accepting", "rejecting"])
def test_an_unexpected_second_side_is_a_finding(part, change, only):
    """A statement is said to have one side, and has vectors on the other."""
    name = two_sided_statement(part)
    change(part / REQUIREMENTS, lambda entry: entry["id"] == name, side=only)
    assert [message for _, message in problems(part) if f"{name} allows only {only} vectors" in message] != []


def test_only_grammar_statements_have_sides(part, change):
    name = change(part / REQUIREMENTS, lambda entry: entry["level"] != "grammar", side="accepting")
    assert (name, "only a requirement of level `grammar` can have `side`") in problems(part)
