"""The vectors of all rows: questions with answers, in a file for each section, with permanent ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlauthor.cover.arrays import Row, cover
from urlauthor.cover.models import models
from urlauthor.cover.parts import Model
from urlauthor.cover.schemes import scheme_models
from urlauthor.lint.vectors import PAIR, PAIRS
from urlharness.corpus.export import canonical
from urlharness.corpus.lock import question_key
from urlharness.corpus.model import Corpus
from urlharness.corpus.specifications import Spec, facts

_TITLE = "Whole URLs that combine every two features of components"
_FIRST, _SECOND, _BASE = "Parts: ", "; base: ", "base-"
#: The maximum length of a comment by the schema.
_LONGEST_COMMENT = 200


class Combined(NamedTuple):
    """The files of all rows by name, and the number of vectors by RFC and model."""

    files: Mapping[str, str]
    counts: Mapping[tuple[Spec, str], int]


def comment(row: Row) -> str:
    """Return the comment of a row: its levels, except levels that stand for an absent component.

    The level that a refused part or a difference replaces is left out, too.
    """
    replaced = _replaced(row)
    named = {
        name: f"{name.removeprefix(_BASE)} {level}"
        for name, level in row.items()
        if level != "none" and name != replaced
    }
    own = ", ".join(text for name, text in named.items() if not name.startswith(_BASE))
    base = ", ".join(text for name, text in named.items() if name.startswith(_BASE))
    return f"{_FIRST}{own or 'none'}{_SECOND if base else ''}{base}."


def _replaced(row: Row) -> str:
    """Return the component whose part is refused or differs, or an empty string."""
    return (row.get("refused") or row.get("difference", "")).partition(" ")[0]


def row_of(text: str, model: Model) -> Row | None:
    """Return the row that has this comment, or None if the model has no such row."""
    if not text.startswith(_FIRST):
        return None
    own, _, base = text.removeprefix(_FIRST).removesuffix(".").partition(_SECOND)
    named: dict[str, str] = {}
    for prefix, listed in (("", own), (_BASE, base)):
        named |= {
            prefix + name: level for name, _, level in (one.partition(" ") for one in listed.split(", "))
        }
    replaced = _replaced(named)
    row = {
        name: named.get(name, levels[0] if name == replaced else "none")
        for name, levels in model.factors.items()
    }
    strange = {name for name, level in named.items() if level} - row.keys()
    known = not strange and all(level in model.factors[name] for name, level in row.items())
    return row if known and model.allowed(row) else None


def derive(corpus: Corpus, taken: Collection[str]) -> Combined:
    """Return the vectors of the rows in the corpus, and of new rows for the levels and pairs that these lack.

    `taken` contains the ids of all vectors that exist or existed.  A row that now cites another section gets
    a new id.  A row is left out if the RFC leaves its answer open, or if another vector asks its question.
    """
    files: defaultdict[tuple[Spec, str], list[dict[str, Any]]] = defaultdict(list)
    counts: defaultdict[tuple[Spec, str], int] = defaultdict(int)
    asked: set[str] = set()
    mine: defaultdict[tuple[Spec, str], list[Mapping[str, Any]]] = defaultdict(list)
    for case in corpus.cases:
        vector = msgspec.to_builtins(case.vector)
        if case.file.endswith(PAIRS):
            mine[case.spec, case.vector.op].append(vector)
        else:
            asked.add(question_key(case.spec, vector))
    ids = _Ids(taken)
    for spec in sorted({case.spec for case in corpus.cases}):
        for model in _models_of(spec):
            for vector in _vectors(model, mine[spec, _operation(model)], asked):
                requirement = corpus.requirements[vector["requirement"]]
                name = vector.pop("id", "")
                if not name.startswith(f"{spec}-{requirement.section}-{PAIR}"):
                    name = ids.new(spec, requirement.section)
                files[spec, requirement.section].append({"id": name, **vector, "level": requirement.level})
                counts[spec, model.name] += 1
    return Combined(
        {
            f"{spec}/{section}{PAIRS}": _document(spec, section, found)
            for (spec, section), found in files.items()
        },
        counts,
    )


def _models_of(spec: str) -> Iterator[Model]:
    """Return the models of an RFC: none if its components are unlike those of RFC 1738, 1808 and 3986."""
    known = facts(spec)
    if known.by_scheme:
        return iter(scheme_models())
    return models(spec) if known.generic or known.params else iter(())


class _Ids:
    """Makes new ids.  In each section, their numbers continue after the highest one that was ever used."""

    def __init__(self, taken: Collection[str]) -> None:
        self._last: defaultdict[str, int] = defaultdict(int)
        for name in taken:
            prefix, found, number = name.rpartition(PAIR)
            if found and number.isdecimal():
                self._last[prefix] = max(self._last[prefix], int(number))

    def new(self, spec: str, section: str) -> str:
        prefix = f"{spec}-{section}-"
        self._last[prefix] += 1
        return f"{prefix}{PAIR}{self._last[prefix]:03}"


def _vectors(
    model: Model, existing: Sequence[Mapping[str, Any]], asked: set[str]
) -> Iterator[dict[str, Any]]:
    """Yield the vectors of a model: first the existing ones, with their ids, and then new ones.

    Add their questions to `asked`.
    """
    known = []
    for vector in existing:
        row = row_of(vector.get("comment", ""), model)
        made = row and _vector(model, row)
        if row and made and question_key(model.spec, made) == question_key(model.spec, vector):
            known.append(row)
            if question_key(model.spec, made) not in asked:  # otherwise an earlier model has asked it
                asked.add(question_key(model.spec, made))
                yield {"id": vector["id"], **made}

    def allowed(row: Row) -> bool:
        if len(comment(row)) > _LONGEST_COMMENT or not model.allowed(row):
            return False
        if len(row) < len(model.factors):
            return True
        made = _vector(model, row)
        return made is not None and question_key(model.spec, made) not in asked

    for row in cover(model.factors, model.common, allowed, known):
        made = _vector(model, row)
        assert made is not None
        asked.add(question_key(model.spec, made))
        yield made


def _operation(model: Model) -> str:
    kind = model.name.partition("-")[0]
    return "validate" if kind == "refuse" else kind


def _vector(model: Model, row: Row) -> dict[str, Any] | None:
    question = model.ask(row)
    if question is None:
        return None
    return {
        "requirement": f"{model.spec}-{question.cites}",
        "op": _operation(model),
        **question.fields,
        "binding": question.fields.get("binding", "required"),
        **({"class": question.difference} if question.difference else {}),
        **({"ruling": question.ruling} if question.ruling else {}),
        "comment": comment(row),
    }


def _document(spec: Spec, section: str, vectors: list[dict[str, Any]]) -> str:
    head = {"schema": "urlvectors-1", "spec": spec, "section": section, "title": _TITLE}
    return canonical({**head, "vectors": vectors})
