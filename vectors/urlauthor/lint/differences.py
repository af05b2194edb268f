"""Checks of the classes of difference and their files: ids, citations, and whether the answers differ.

No check uses answers of the oracle.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from urlauthor.documents import LintError, read_document
from urlauthor.lint.citations import read_index, read_rulings, unknown_rulings
from urlauthor.lint.vectors import lint_answer, lint_offsets, lint_recommended, lint_words
from urlharness.corpus.differences import (
    ClassFile,
    Difference,
    DifferenceClass,
    DifferenceFile,
    difference_files,
)
from urlharness.corpus.model import OPERATIONS, Expected, vector_files
from urlharness.corpus.specifications import DEFAULT_SPEC, DEFAULT_SPECS
from urloracle.rfcs import SPECIFICATIONS

#: Maps component names that only one RFC uses to the usual names.
_RENAMED = {"net_loc": "authority", "search": "query"}
#: Paths of RFC 1738, which have no leading slash (G-10), and components that follow the scheme directly.
_WITHOUT_SLASH = ("hpath", "fpath")
_OPAQUE = ("encoded822addr", "schemepart")


class _Citable(NamedTuple):
    """The existing sections of each RFC, and the existing rulings.

    A field is None if its table cannot be read.
    """

    sections: Mapping[str, Collection[str]] | None
    rulings: Collection[str] | None

    def lint_specs(self, named: Collection[str]) -> Iterator[str]:
        """Yield a message for each RFC of the corpus that a table has no entry for.

        An RFC that not every adapter is asked about may be left out.
        """
        for spec in self.sections or ():
            if spec in DEFAULT_SPECS and spec not in named:
                yield f"there is no entry for {spec}"

    def lint_sections(self, spec: str, sections: Iterable[str]) -> Iterator[str]:
        """Yield a message for each section that the RFC does not have, or nothing without a table."""
        if self.sections is not None:
            for section in sections:
                if section not in self.sections.get(spec, ()):
                    yield f"{spec} has no section {section}"


def lint_differences(root: Path) -> list[LintError]:
    """Check classes.json, differences/ and the classes that vectors name, in the corpus at `root`."""
    if not (root / "classes.json").is_file():
        return [LintError("classes.json", "", "the table of classes is missing")]
    errors: list[LintError] = []
    table = read_document(root / "classes.json", root, ClassFile, errors)
    if table is None:
        return errors
    # `lint_vectors` reports errors of the index
    citable = _Citable(read_index(root, []), read_rulings(root, errors))
    errors += _lint_classes(table.classes, citable)
    classes = {entry.id: entry for entry in table.classes}
    errors += _lint_named_classes(root, classes)
    errors += _lint_difference_files(root, classes, citable)
    for name in classes.keys() - {path.stem for path in difference_files(root)}:
        if not _is_of_mappings(classes[name]):
            errors.append(LintError("classes.json", name, f"there is no differences/{name}.json"))
    return errors


def _lint_difference_files(
    root: Path, classes: Mapping[str, DifferenceClass], citable: _Citable
) -> list[LintError]:
    """Check each file of differences, and that no two files use the same id."""
    errors: list[LintError] = []
    files_by_id: dict[str, str] = {}
    for path in difference_files(root):
        name = path.relative_to(root).as_posix()
        content = read_document(path, root, DifferenceFile, errors)
        if content is None:
            continue
        if content.class_ != path.stem:
            message = f"the file describes class {content.class_}, but its name is not {content.class_}.json"
            errors.append(LintError(name, "", message))
        entry = classes.get(content.class_)
        if entry is None:
            errors.append(LintError(name, "", f"unknown class {content.class_}"))
        else:
            errors += [LintError(name, "", message) for message in _lint_variation(content, entry)]
        for difference in content.differences:
            messages = list(_lint_difference(content.class_, difference, citable))
            if difference.id in files_by_id:
                messages.append(f"id already used in {files_by_id[difference.id]}")
            files_by_id.setdefault(difference.id, name)
            errors += [LintError(name, difference.id, message) for message in messages]
    return errors


def differ(first: Expected, second: Expected) -> bool:
    """Return True if one of two expectations recommends an answer that the other does not admit.

    Only components that both RFCs have are compared; offsets of rejections are ignored.
    """
    second_admits_first = _is_admitted(first.alternatives[0], second)
    first_admits_second = _is_admitted(second.alternatives[0], first)
    return not (first_admits_second and second_admits_first)


def _is_admitted(answer: Expected, expected: Expected) -> bool:
    """Return True if an answer is the same as one of the admissible answers."""
    return any(_agree(answer, alternative) for alternative in expected.alternatives)


def _agree(first: Expected, second: Expected) -> bool:
    """Return True if two answers are the same, as far as both RFCs have the components.

    Answers of different kinds are never the same.
    """
    if first.kind != second.kind:
        return False
    if not isinstance(first.components, dict) or not isinstance(second.components, dict):
        return bool(getattr(first, first.kind) == getattr(second, first.kind))
    components = _under_common_names(first.components)
    others = _under_common_names(second.components)
    return all(components[name] == others[name] for name in components.keys() & others.keys())


def _under_common_names(components: Mapping[str, Any]) -> dict[str, Any]:
    """Return the components under the names that most RFCs use; a path keeps its own name as well."""
    common = {_RENAMED.get(name, name): component for name, component in components.items()}
    for name in _WITHOUT_SLASH:
        if name in components:
            common["path"] = "" if components[name] is None else f"/{components[name]}"
    for name in _OPAQUE:
        if name in components and components.get("host") is None:
            common["path"] = components[name]
    return common


def _lint_classes(classes: Iterable[DifferenceClass], citable: _Citable) -> Iterator[LintError]:
    """Check ids, numbers, citations and words of the classes."""
    ids: set[str] = set()
    numbers: set[int] = set()
    for entry in classes:
        messages = []
        if entry.id in ids:
            messages.append(f"id {entry.id} used twice")
        if entry.number in numbers:
            messages.append(f"number {entry.number} used twice")
        ids.add(entry.id)
        numbers.add(entry.number)
        if not _is_of_mappings(entry):
            messages += citable.lint_specs(entry.sections)
        for spec, sections in entry.sections.items():
            messages += citable.lint_sections(spec, sections)
        messages += unknown_rulings(entry.rulings, citable.rulings)
        messages += lint_words("title", entry.title, explains=True)
        messages += lint_words("statement", entry.statement, explains=False)
        messages += lint_words("effect", entry.effect, explains=True)
        yield from (LintError("classes.json", entry.id, message) for message in messages)


def _is_of_mappings(entry: DifferenceClass) -> bool:
    """Return True if no RFC on URLs has the class: it is about mappings, which only RFC 3987 defines."""
    return entry.sections.keys().isdisjoint(DEFAULT_SPECS)


def _lint_named_classes(root: Path, classes: Collection[str]) -> Iterator[LintError]:
    """Check that every class that a vector names exists."""
    for path in vector_files(root):
        file = path.relative_to(root).as_posix()
        for identifier, name in _named_classes(path):
            if name not in classes:
                yield LintError(file, identifier, f"unknown class {name}")


def _named_classes(path: Path) -> list[tuple[str, str]]:
    """Return id and class of each vector with a class.  Ignore what `lint_vectors` reports as malformed."""
    try:
        entries = json.loads(path.read_bytes())["vectors"]
        named = [(entry["id"], entry["class"]) for entry in entries if "class" in entry]
    except (ValueError, LookupError, TypeError, RecursionError):
        return []
    return [pair for pair in named if all(isinstance(text, str) for text in pair)]


def _lint_variation(content: DifferenceFile, entry: DifferenceClass) -> Iterator[str]:
    """Check that answers differ if, and only if, the class says that the RFCs vary."""
    differing = []
    for difference in content.differences:
        expected = [side.expect for side in difference.answers.values() if side.expect is not None]
        if any(differ(first, second) for first, second in combinations(expected, 2)):
            differing.append(difference.id)
    if entry.varies and not differing:
        yield "`varies` is true, but the RFCs give the same answer to every difference"
    if not entry.varies and differing:
        yield f"`varies` is false, but the RFCs answer {differing[0]} differently"


def _lint_difference(name: str, difference: Difference, citable: _Citable) -> Iterator[str]:
    """Yield the errors in one difference of the class `name`."""
    if not difference.id.startswith(f"{name}-"):
        yield f"the id does not begin with {name}-"
    inputs = difference.question(DEFAULT_SPEC).keys() - {"op", "spec"}
    for field in sorted(inputs - set(OPERATIONS[difference.op].takes)):
        yield f"operation {difference.op} takes no {field}"
    yield from lint_words("note", difference.note or "", explains=True)
    yield from citable.lint_specs(difference.answers)
    for spec, side in difference.answers.items():
        yield from citable.lint_sections(spec, [side.section])
        yield from unknown_rulings([side.ruling], citable.rulings)
        yield from lint_words("reason", side.reason or "", explains=True)
        if side.expect is not None:
            if difference.rule is not None and difference.rule not in SPECIFICATIONS[spec].grammar:
                yield f"{spec} has no rule {difference.rule}"
            yield from (f"{spec}: {message}" for message in _lint_expectation(difference, side.expect))


def _lint_expectation(difference: Difference, expected: Expected) -> Iterator[str]:
    """Yield the errors in what one RFC expects.  Later answers need names, as the first is recommended."""
    yield from lint_recommended(expected.alternatives)
    if not all(answer.variant for answer in expected.alternatives[1:]):
        yield "each answer after the first needs the name of its variant"
    for answer in expected.alternatives:
        yield from lint_answer(difference.op, answer)
    yield from lint_offsets(difference.url or "", expected, required=difference.op == "validate")
