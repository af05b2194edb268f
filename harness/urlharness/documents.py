"""One corpus file as JSON: read against its published schema, and written in canonical form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from urlharness.corpus import SPECS, corpus_dir
from urlharness.shapes import Shapes

#: For each kind of file, which is the name of its schema and of its list, the name of an entry.
ENTRIES = {
    "vectors": "vector",
    "requirements": "requirement",
    "classes": "class",
    "differences": "difference",
    "flags": "flag",
}


class Finding(NamedTuple):
    """One thing wrong with the corpus."""

    file: str
    case: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.case}" if self.case else self.file
        return f"{where}: {self.message}"


def canonical(document: Mapping[str, Any]) -> str:
    """The canonical text of a corpus file: schema order of keys, one blank of indentation, ASCII.

    What is said for each specification stands in the order of the specifications.  A table without entries,
    such as that of the rulings, keeps its own order.
    """
    kind = next((kind for kind in ENTRIES if kind in document), None)
    if kind is None:
        return json.dumps(document, indent=1, ensure_ascii=True) + "\n"
    definitions = _schema(kind)["$defs"]
    entries = [_ordered(entry, definitions[ENTRIES[kind]]) for entry in document[kind]]
    for entry in entries:
        if "sections" in entry:
            entry["sections"] = _by_specification(entry["sections"])
        if "answers" in entry:
            answers = _by_specification(entry["answers"])
            entry["answers"] = {spec: _ordered(answers[spec], definitions["side"]) for spec in answers}
    return json.dumps({**document, kind: entries}, indent=1, ensure_ascii=True) + "\n"


def read_document(path: Path, root: Path, kind: str, findings: list[Finding]) -> dict[str, Any] | None:
    """The document of a file that is JSON of its schema; otherwise None, and findings that say why."""
    name = path.relative_to(root).as_posix()
    try:
        text = path.read_text(encoding="utf-8")
        document: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        findings.append(Finding(name, "", f"not JSON: {error}"))
        return None
    problems = _shapes(kind).problems(document)
    for problem in problems:
        at = list(problem.absolute_path)
        case = ""
        if len(at) > 1 and isinstance(at[1], int):
            entry = document[kind][at[1]]
            case = str(entry.get("id", "")) if isinstance(entry, dict) else ""
            case = case or f"{kind}[{at[1]}]"
        findings.append(Finding(name, case, f"{problem.json_path}: {problem.message[:160]}"))
    if problems:
        return None
    if not _well_formed(document):
        broken = [entry["id"] for entry in document[kind] if not _well_formed(entry)] or [""]
        findings += [Finding(name, case, "a lone surrogate: such text is given as hex") for case in broken]
        return None
    if text != canonical(document):
        findings.append(Finding(name, "", "not in canonical form (urlconform vectors fmt)"))
    return document


def _ordered(entry: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, Any]:
    order = list(definition["properties"])
    return {name: entry[name] for name in sorted(entry, key=order.index)}


def _by_specification(value: Mapping[str, Any]) -> dict[str, Any]:
    return {spec: value[spec] for spec in sorted(value, key=SPECS.index)}


@cache
def _shapes(kind: str) -> Shapes:
    return Shapes(_schema(kind), kind)


@cache
def _schema(kind: str) -> dict[str, Any]:
    path = corpus_dir() / "schemas" / f"{kind}.schema.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _well_formed(value: Any) -> bool:
    """True where every text in the value is Unicode, without lone surrogates."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
