"""Comparison of two results files: which answers changed, and whether library or corpus is the reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from urlharness.corpus.model import Case
from urlharness.results.model import Result, Results

#: How the answer to a question changed. `new` is a wrong answer to a question that the old file does not ask.
ChangeKind = Literal["broken", "fixed", "changed", "new"]
#: The reason for a change: the library gives another answer, the corpus asks another question or expects
#: another answer, or both.
Reason = Literal["library", "corpus", "both"]


class Change(NamedTuple):
    """A question whose outcome or answer changed. `old` is None if the old file has no answer to it."""

    name: str
    id: str
    kind: ChangeKind
    reason: Reason
    case: Case
    old: Result | None
    new: Result | None


class History(NamedTuple):
    """The changes between two results files.

    `versions` maps each adapter that ran in both files to the old and the new version of its library. `added`
    counts the vectors that only the new file contains, and `removed` those that only the old file contains.
    `corpora` are the digests of both corpora.
    """

    changes: tuple[Change, ...]
    versions: dict[str, tuple[str, str]]
    added: int
    removed: int
    corpora: tuple[str, str]


def make_history(old: Results, new: Results) -> History:
    """Compare the answers of the adapters that ran in both results files."""
    old_versions = _versions(old)
    versions: dict[str, tuple[str, str]] = {}
    changes: list[Change] = []
    for name, new_version in _versions(new).items():
        if name in old_versions:
            versions[name] = (old_versions[name], new_version)
            changes += _changes(name, old, new)
    return History(
        tuple(changes),
        versions,
        added=len(new.vectors.keys() - old.vectors.keys()),
        removed=len(old.vectors.keys() - new.vectors.keys()),
        corpora=(old.header.corpus, new.header.corpus),
    )


def _versions(results: Results) -> dict[str, str]:
    """Return the version of the library of each adapter that ran, or an empty string if it is not known."""
    versions = {}
    for participant in results.ran:
        about = participant.implementation
        versions[participant.name] = about.version if about is not None else ""
    return versions


def _changes(name: str, old: Results, new: Results) -> Iterator[Change]:
    """Yield the changes of one adapter, in the order of the vectors of the new file.

    A question without an answer in the new file is none. One without an answer in the old file is a change
    only if the answer is wrong.
    """
    for identifier, question in new.vectors.items():
        case = question.case
        old_result = old.of(name).get(identifier)
        new_result = new.of(name).get(identifier)
        if new_result is None:
            continue
        if old_result is None or identifier not in old.vectors:
            if new_result.outcome.failing:
                yield Change(name, identifier, "new", "corpus", case, old=None, new=new_result)
            continue
        same_answer = _are_equal_answers(old_result, new_result)
        if old_result.outcome == new_result.outcome and same_answer:
            continue
        kind = _change_kind(old_result, new_result)
        reason: Reason = "library"
        if old.vectors[identifier].case.vector != case.vector:
            reason = "corpus" if same_answer else "both"
        yield Change(name, identifier, kind, reason, case, old_result, new_result)


def _are_equal_answers(old_result: Result, new_result: Result) -> bool:
    """Return True if a library answers alike. Of two runs without an answer, the reasons do not matter."""
    if old_result.outcome.abnormal is not new_result.outcome.abnormal:
        return False
    return old_result.answer == new_result.answer


def _change_kind(old_result: Result, new_result: Result) -> ChangeKind:
    """Return how the answer to a question of both files changed.

    It is `changed` if both answers are right, or both wrong.
    """
    if old_result.outcome.failing is new_result.outcome.failing:
        return "changed"
    return "broken" if new_result.outcome.failing else "fixed"
