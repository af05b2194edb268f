"""A corpus file: schema check, canonical form (jsonschema used directly)."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from urlharness.corpus.export import _schema, canonical

# -------------------- shapes: Documents against a schema, each shape of entry once: thousands of vectors have a few hundred shapes.


_LENGTHS = {"minLength", "maxLength"}


_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}


_COUNTS = {"minItems", "maxItems"}


_INSIDE = {"else", "if", "items", "not", "then"}


_INSIDE_LISTS = {"allOf", "anyOf", "oneOf", "prefixItems"}


#: Keywords that say nothing of values, or only of what a shape keeps: types, names, how many there are.
_KEPT = {
    "$defs", "$id", "$ref", "$schema", "additionalProperties", "dependentRequired", "description",
    "maxProperties", "minProperties", "properties", "required", "title", "type", "uniqueItems",
    *_INSIDE, *_INSIDE_LISTS,
}  # fmt: skip


class Shapes:
    """A schema whose documents have a list of entries under the name `kind`, and the shapes found good.

    Raises ValueError for a schema with a keyword that a shape does not keep.
    """

    def __init__(self, schema: Mapping[str, Any], kind: str) -> None:
        self._kind = kind
        self._validator = Draft202012Validator(schema)
        self._good: set[Hashable] = set()
        self._entry = _Place([schema["properties"][kind]], schema.get("$defs", {}))

    def problems(self, document: Any) -> list[ValidationError]:
        """What the schema finds wrong with the document, as jsonschema says it of the whole."""
        entries = document.get(self._kind) if isinstance(document, dict) else None
        if not isinstance(entries, list) or not entries:
            return list(self._validator.iter_errors(document))
        fresh: dict[Hashable, Any] = {}
        for entry in entries:
            shape = self.shape(entry)
            if shape not in self._good:
                fresh.setdefault(shape, entry)
        shown = list(fresh.values()) or entries[:1]
        if not self._validator.is_valid({**document, self._kind: shown}):
            return list(self._validator.iter_errors(document))
        self._good |= fresh.keys()
        return []

    def shape(self, entry: Any) -> Hashable:
        """What the schema can tell of an entry: equal for entries that it takes alike."""
        return self._entry.shape(entry)


class _Place:
    """What a schema asks of the values at one place of an entry, and of the items of lists there."""

    def __init__(self, schemas: Sequence[Any], definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._schemas: list[Mapping[str, Any]] = []
        self._patterns: list[re.Pattern[str]] = []
        self._lengths: list[int] = []
        self._bounds: list[float] = []
        self._words: set[str] = set()
        self._counts = 0  # from here on one number of items is as good as another
        self._texts: dict[str, Hashable] = {}
        self._places: dict[str, _Place] = {}
        queue = list(schemas)
        for schema in queue:
            if isinstance(schema, Mapping) and schema not in self._schemas:
                self._schemas.append(schema)
                for keyword, value in schema.items():
                    self._note(keyword, value)
                    queue += self._inner(keyword, value)
        self._ordered = any("prefixItems" in schema for schema in self._schemas)

    def shape(self, value: Any) -> Hashable:
        """What can be told of a value here."""
        if isinstance(value, str):
            if value not in self._texts:
                self._texts[value] = self._text(value)
            return self._texts[value]
        if isinstance(value, dict):
            return "{", tuple([(name, self._place(name).shape(value[name])) for name in value])
        if isinstance(value, list):
            texts = [one for one in value if isinstance(one, str)]  # only they are ever to be unique
            shapes = [self.shape(one) for one in value]
            kept = tuple(shapes) if self._ordered else (min(len(value), self._counts), frozenset(shapes))
            return "[", len(set(texts)) == len(texts), kept
        if value is None or isinstance(value, bool):
            return str(value)
        whole = isinstance(value, int) or value.is_integer()  # 1.0 is an integer for a schema
        return "number", whole, tuple([(value > bound) - (value < bound) for bound in self._bounds])

    def _text(self, value: str) -> Hashable:
        if value in self._words:
            return "word", value
        matched = tuple([bool(pattern.search(value)) for pattern in self._patterns])
        return "text", matched, tuple([(len(value) > at) - (len(value) < at) for at in self._lengths])

    def _place(self, name: str) -> _Place:
        if name not in self._places:
            asked = []
            for schema in self._schemas:
                named = schema.get("properties", {})
                asked.append(named[name] if name in named else schema.get("additionalProperties", True))
            self._places[name] = _Place(asked, self._definitions)
        return self._places[name]

    def _inner(self, keyword: str, value: Any) -> list[Any]:
        """The schemas that a keyword applies to the same place, or to the items of lists there."""
        if keyword == "$ref":
            return [self._definitions[value.removeprefix("#/$defs/")]]
        if keyword in _INSIDE_LISTS:
            return list(value)
        return [value] if keyword in _INSIDE else []

    def _note(self, keyword: str, value: Any) -> None:
        if keyword == "pattern":
            self._patterns.append(re.compile(value))
        elif keyword in _LENGTHS:
            self._lengths.append(value)
        elif keyword in _BOUNDS:
            self._bounds.append(value)
        elif keyword in _COUNTS:
            self._counts = max(self._counts, value + 1)
        elif keyword in ("const", "enum"):
            words = value if keyword == "enum" else [value]
            self._words.update(word for word in words if isinstance(word, str))
            if not all(word is None or isinstance(word, str | bool) for word in words):
                raise ValueError(f"a shape does not keep {keyword} {value!r}")
        elif keyword not in _KEPT:
            raise ValueError(f"a shape does not keep {keyword}")


# -------------------- documents: One corpus file as JSON: read against its published schema, and written in canonical form.


class LintError(NamedTuple):
    """One thing wrong with the corpus."""

    file: str
    case: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.case}" if self.case else self.file
        return f"{where}: {self.message}"


def read_document(path: Path, root: Path, kind: str, findings: list[LintError]) -> dict[str, Any] | None:
    """The document of a file that is JSON of its schema; otherwise None, and findings that say why."""
    name = path.relative_to(root).as_posix()
    try:
        text = path.read_text(encoding="utf-8")
        document: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        findings.append(LintError(name, "", f"not JSON: {error}"))
        return None
    problems = _shapes(kind).problems(document)
    for problem in problems:
        at = list(problem.absolute_path)
        case = ""
        if len(at) > 1 and isinstance(at[1], int):
            entry = document[kind][at[1]]
            case = str(entry.get("id", "")) if isinstance(entry, dict) else ""
            case = case or f"{kind}[{at[1]}]"
        findings.append(LintError(name, case, f"{problem.json_path}: {problem.message[:160]}"))
    if problems:
        return None
    if not _well_formed(document):
        broken = [entry["id"] for entry in document[kind] if not _well_formed(entry)] or [""]
        findings += [LintError(name, case, "a lone surrogate: such text is given as hex") for case in broken]
        return None
    if text != canonical(document):
        findings.append(LintError(name, "", "not in canonical form (urlconform vectors fmt)"))
    return document


@cache
def _shapes(kind: str) -> Shapes:
    return Shapes(_schema(kind), kind)


def _well_formed(value: Any) -> bool:
    """True where every text in the value is Unicode, without lone surrogates."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
