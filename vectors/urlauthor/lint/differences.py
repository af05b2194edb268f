"""Checks of the classes of difference and their files: ids, citations, and whether the answers do differ.

Nothing here asks the oracle for an answer.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from urlauthor.documents import LintError, read_document
from urlauthor.lint.citations import made_up, read_rulings
from urlauthor.lint.vectors import has_rule
from urlauthor.lint.wording import lint_words
from urlharness.corpus.differences import difference_files
from urlharness.corpus.model import OPERATIONS, SPECS, vector_files

#: Names of one RFC for what the others call otherwise; `path` of RFC 1738 lacks its slash (G-10).
_RENAMED = {"net_loc": "authority", "search": "query"}


_WITHOUT_SLASH = ("hpath", "fpath")


_OPAQUE = ("encoded822addr", "schemepart")


class _Known(NamedTuple):
    """What may be cited: the sections of each RFC, and the rulings; None where there is no list of them."""

    sections: Mapping[str, Collection[str]] | None
    rulings: Collection[str] | None

    def doubts(self, spec: str, sections: Sequence[str]) -> Iterator[str]:
        if self.sections is not None:
            for section in sections:
                if section not in self.sections.get(spec, ()):
                    yield f"{spec} has no section {section}"


def lint_differences(root: Path) -> list[LintError]:
    """All findings in classes.json, in differences/ and in the classes that vectors name, below `root`.

    What they cite is looked up in paragraphs.json and rulings.json.
    """
    findings: list[LintError] = []
    if not (root / "classes.json").is_file():
        return [LintError("classes.json", "", "the table of classes is missing")]
    table = read_document(root / "classes.json", root, "classes", findings)
    if table is None:
        return findings
    known = _Known(_sections(root), read_rulings(root, findings))
    classes = {entry["id"]: entry for entry in table["classes"]}
    findings += [LintError("classes.json", case, message) for case, message in _lint_table(table, known)]
    findings += _lint_vectors(root, classes)
    ids: dict[str, str] = {}
    seen: set[str] = set()
    for path in difference_files(root):
        name = path.relative_to(root).as_posix()
        document = read_document(path, root, "differences", findings)
        seen.add(path.stem)
        if document is None:
            continue
        if document["class"] != path.stem:
            findings.append(LintError(name, "", f"the file name is not that of class {document['class']}"))
        entry = classes.get(document["class"])
        if entry is None:
            findings.append(LintError(name, "", f"unknown class {document['class']}"))
        else:
            findings += [LintError(name, "", message) for message in _lint_variation(document, entry)]
        for difference in document["differences"]:
            messages = list(_lint_difference(document["class"], difference, known))
            if difference["id"] in ids:
                messages.append(f"id already used in {ids[difference['id']]}")
            ids.setdefault(difference["id"], name)
            findings += [LintError(name, difference["id"], message) for message in messages]
    findings += [
        LintError("classes.json", name, f"there is no differences/{name}.json")
        for name in classes.keys() - seen
    ]
    return findings


def differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True where one of two expectations recommends an answer that the other does not admit.

    Components are compared as far as both RFCs have them; the offset of a rejection does not count.
    """
    first, second = (expected.get("any", [expected]) for expected in (one, other))
    return not (
        any(_agree(first[0], answer) for answer in second)
        and any(_agree(second[0], answer) for answer in first)
    )


def _agree(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    for kind in ("valid", "result", "same_document", "equal"):
        if kind in one or kind in other:
            return bool(one.get(kind, ...) == other.get(kind, ...))
    left, right = _common(one["components"]), _common(other["components"])
    return all(left[name] == right[name] for name in left.keys() & right.keys())


def _common(components: Mapping[str, Any]) -> dict[str, Any]:
    """Components under the names that most RFCs have for them."""
    common = {_RENAMED.get(name, name): value for name, value in components.items()}
    for name in _WITHOUT_SLASH:
        if name in components:
            common["path"] = "" if components[name] is None else f"/{components[name]}"
    for name in _OPAQUE:
        if name in components and components.get("host") is None:
            common["path"] = components[name]
    return common


def _lint_table(table: Mapping[str, Any], known: _Known) -> Iterator[tuple[str, str]]:
    for field in ("id", "number"):
        seen: set[str | int] = set()
        for entry in table["classes"]:
            if entry[field] in seen:
                yield entry["id"], f"{field} {entry[field]} used twice"
            seen.add(entry[field])
    for entry in table["classes"]:
        for spec, sections in entry["sections"].items():
            yield from ((entry["id"], message) for message in known.doubts(spec, sections))
        yield from ((entry["id"], message) for message in made_up(entry.get("rulings", ()), known.rulings))
        yield from ((entry["id"], message) for message in _lint_explanation(entry))


def _lint_explanation(entry: Mapping[str, Any]) -> Iterator[str]:
    for field in ("title", "statement", "effect"):
        yield from lint_words(field, entry[field], explains=field != "statement")


def _lint_vectors(root: Path, classes: Collection[str]) -> Iterator[LintError]:
    """Whether every class that a vector names is one of the table."""
    for path in vector_files(root):
        try:
            entries = json.loads(path.read_bytes())["vectors"]
            named = [(entry["id"], entry["class"]) for entry in entries if "class" in entry]
        except (ValueError, LookupError, TypeError):
            continue  # what is broken there is found where vectors are checked
        for case, name in named:
            if name not in classes:
                yield LintError(path.relative_to(root).as_posix(), case, f"unknown class {name}")


def _lint_variation(document: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[str]:
    """Whether the answers differ where the class says that the RFCs do, and only there."""
    differing = []
    for difference in document["differences"]:
        expected = [side["expect"] for side in difference["answers"].values() if "expect" in side]
        if any(differ(one, other) for one, other in combinations(expected, 2)):
            differing.append(difference["id"])
    if entry["varies"] and not differing:
        yield "the class varies, but no two answers differ"
    if not entry["varies"] and differing:
        yield f"the class does not vary, but the answers to {differing[0]} differ"


def _lint_difference(name: str, difference: Mapping[str, Any], known: _Known) -> Iterator[str]:
    if not difference["id"].startswith(f"{name}-"):
        yield f"the id does not begin with {name}-"
    operation = OPERATIONS[difference["op"]]
    for field in ("rule", "mode", "url", "other", "base", "reference"):
        if field in difference and field not in operation.takes:
            yield f"operation {difference['op']} takes no {field}"
    yield from lint_words("note", difference.get("note", ""), explains=True)
    for spec, side in difference["answers"].items():
        yield from known.doubts(spec, [side["section"]])
        yield from made_up([side.get("ruling")], known.rulings)
        yield from lint_words("reason", side.get("reason", ""), explains=True)
        if "expect" in side:
            if "rule" in difference and not has_rule(spec, difference["rule"]):
                yield f"{spec} has no rule {difference['rule']}"
            yield from (f"{spec}: {message}" for message in _lint_expectation(difference, side["expect"]))


def _lint_expectation(difference: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    op = difference["op"]
    alternatives = expected.get("any", [expected])
    if "variant" in alternatives[0]:
        yield "the first answer is the recommended one and carries no variant name"
    if not all("variant" in answer for answer in alternatives[1:]):
        yield "an answer that is not the recommended one needs the name of its variant"
    for answer in alternatives:
        if not OPERATIONS[op].answers & answer.keys():
            yield f"operation {op} cannot be answered by {sorted(answer)}"
        if op == "validate" and answer.get("valid") is False and "at" not in answer:
            yield "an invalid text needs the offset of its first bad character"
        if answer.get("at", 0) > len(difference.get("url", "")):
            yield f"offset {answer['at']} lies behind the text"
        if answer.get("valid") and "at" in answer:
            yield "a valid text has no bad character"


def _sections(root: Path) -> dict[str, Collection[str]] | None:
    """The sections of each RFC in the paragraph index; None without one, which `lint` reports."""
    try:
        index = json.loads((root / "paragraphs.json").read_bytes())
        return {spec: frozenset(index[spec]) for spec in SPECS}
    except (OSError, ValueError, LookupError, TypeError):
        return None
