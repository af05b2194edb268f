"""The vectors and requirements of the corpus, each with its file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from urlharness.corpus.specifications import SPECS

#: The bindings in the order in which they are shown.
BINDINGS = ("required", "permitted-set", "impl-defined", "literal-only", "unspecified")


@dataclass(frozen=True)
class Vector:
    """A vector and its file, such as rfc1738/3.3-http.json."""

    spec: str
    file: str
    fields: dict[str, Any]

    @property
    def id(self) -> str:
        """The id of the vector."""
        return str(self.fields["id"])

    @property
    def refusals(self) -> list[dict[str, Any]]:
        """The admissible answers that refuse the text."""
        expected = self.fields["expect"]
        return [answer for answer in expected.get("any", [expected]) if answer.get("valid") is False]


@cache
def vectors() -> tuple[Vector, ...]:
    """Return all vectors, by RFC and section."""
    read_vectors = []
    for spec in SPECS:
        for path in sorted(_folder("urlvectors", spec).glob("*.json"), key=_in_order):
            content = json.loads(path.read_text(encoding="utf-8"))
            read_vectors += [Vector(spec, f"{spec}/{path.name}", fields) for fields in content["vectors"]]
    return tuple(read_vectors)


@cache
def requirements() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return all requirements, each with the name of its file, such as requirements/rfc1738.json."""
    read_requirements = []
    for spec in SPECS:
        path = _folder("urlvectors", "requirements") / f"{spec}.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        read_requirements += [(f"requirements/{spec}.json", fields) for fields in content["requirements"]]
    return tuple(read_requirements)


def _folder(package: str, name: str) -> Path:
    return Path(str(resources.files(package))) / name


def _in_order(path: Path) -> list[tuple[int, str]]:
    """Return the sort key of a file: by the section in its name, and then by its name."""
    section = path.stem.partition("-")[0]
    return [*natural(section), (-1, path.stem)]


def natural(section: str) -> list[tuple[int, str]]:
    """Return the sort key of a section: 3.2 comes before 3.10, and lettered parts after numbered ones."""
    return [(int(part), "") if part.isdigit() else (10**6, part) for part in section.split(".")]
