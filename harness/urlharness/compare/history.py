"""Comparison of two results files: which answers changed, and whether library or corpus is the reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from urlharness.corpus.model import Case
from urlharness.results.model import Participant, Result, Results

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


def history(old: Results, new: Results) -> History:
    """Compare the answers of the adapters that ran in both results files."""
    before = {one.name: one for one in old.participants if one.state == "ran"}
    after = {one.name: one for one in new.participants if one.state == "ran"}
    names = [name for name in after if name in before]
    versions = {name: (_version(before[name]), _version(after[name])) for name in names}
    changes = tuple(change for name in names for change in _changes(name, old, new))
    added, removed = new.vectors.keys() - old.vectors.keys(), old.vectors.keys() - new.vectors.keys()
    return History(changes, versions, len(added), len(removed), (old.header.corpus, new.header.corpus))


def _version(one: Participant) -> str:
    return one.implementation.version if one.implementation is not None else ""


def _changes(name: str, old: Results, new: Results) -> Iterator[Change]:
    earlier, later = old.of(name), new.of(name)
    for identifier, asked in new.vectors.items():
        first, second = earlier.get(identifier), later.get(identifier)
        if second is None:
            continue
        if first is None or identifier not in old.vectors:
            if second.outcome.failing:
                yield Change(name, identifier, "new", "corpus", asked.case, None, second)
            continue
        same_case = old.vectors[identifier].case.vector == asked.case.vector
        same_answer = (first.outcome.abnormal, first.answer) == (second.outcome.abnormal, second.answer)
        if first.outcome == second.outcome and same_answer:
            continue
        reason: Reason = "library" if same_case else "corpus" if same_answer else "both"
        kind: ChangeKind = "changed"
        if first.outcome.failing is not second.outcome.failing:
            kind = "broken" if second.outcome.failing else "fixed"
        yield Change(name, identifier, kind, reason, asked.case, first, second)
