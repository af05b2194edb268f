"""The changelog of the corpus: what two locks differ in, in words, and the version that follows."""

from __future__ import annotations

from typing import Any

from urlharness.authoring.comparing import Change, compare, next_version, step
from urlharness.authoring.lock import Lock
from urlharness.corpus import Corpus
from urlharness.locked import entry
from urlharness.report.texts import plain as spelled_out
from urlharness.words import asked, expectation

_HEADINGS = {"added": "Added", "changed": "Changed", "removed": "Removed"}


def plain(old: Lock, new: Lock) -> dict[str, Any]:
    """The changes for JSON: versions, the step, and each change with the step that it alone asks for."""
    following = step(old, new)
    return {
        "from": old.version,
        "to": new.version,
        "step": following.name.lower(),
        "next": next_version(old.version, following),
        "changes": [
            {**change._asdict(), "step": change.step.name.lower()} for change in compare(old.entries, new)
        ],
    }


def words(old: Lock, new: Lock, corpus: Corpus) -> str:
    """The changes as Markdown; of vectors that `corpus` has as they are locked, also question and answer."""
    known = {
        case.vector.id: _told(case.vector)
        for case in corpus.cases
        if case.vector.id in new.entries and entry(case) == new.entries[case.vector.id]
    }
    changes = compare(old.entries, new)
    following = step(old, new)
    lines = [f"# Corpus {old.version} ({old.digest}) to {new.version} ({new.digest})", ""]
    for kind, heading in _HEADINGS.items():
        some = [change for change in changes if change.kind == kind]
        if some:
            lines += [f"## {heading} ({len(some)})", ""]
            lines += [_line(change, known.get(change.id, "")) for change in some]
            lines.append("")
    if not changes:
        lines += ["No question and no answer changed.", ""]
    needed = next_version(old.version, following)
    name = following.name.lower()
    lines.append(f"Step: {name}" + (f"; the next version is {needed}." if needed != old.version else "."))
    return "\n".join(lines)


def _line(change: Change, told: str) -> str:
    parts = [f"`{change.id}`", change.clause if change.kind != "added" else "", told]
    return "- " + "; ".join(part for part in parts if part)


def _told(vector: Any) -> str:
    """Question and expectation on one line, every odd character spelled out."""
    given = ", ".join(f"{name} {value}" for name, value in asked(vector))
    text = f"{vector.op} {given}: {expectation(vector.expect)}"
    return spelled_out(text)
