"""The vectors of all rows: questions with answers, in a file for each section, with permanent ids."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from urlauthor.cover.arrays import Row, cover
from urlauthor.cover.models import models
from urlauthor.cover.parts import Model
from urlauthor.cover.schemes import scheme_models
from urlauthor.lint.vectors import PAIR, PAIRS
from urlharness.corpus.export import canonical_text
from urlharness.corpus.lock import question_key, question_of
from urlharness.corpus.model import Corpus, Requirement
from urlharness.corpus.specifications import Spec, facts

_TITLE = "Whole URLs that combine every two features of components"
#: The beginning of a comment, and what stands between the levels of a reference and those of its base.
_BEGINNING = "Parts: "
_BETWEEN = "; base: "
_BASE = "base-"
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
    replaced = _replaced_component(row)
    of_reference: list[str] = []
    of_base: list[str] = []
    for name, level in row.items():
        if level != "none" and name != replaced:
            levels = of_base if name.startswith(_BASE) else of_reference
            levels.append(f"{name.removeprefix(_BASE)} {level}")
    text = _BEGINNING + (", ".join(of_reference) or "none")
    if of_base:
        text += _BETWEEN + ", ".join(of_base)
    return f"{text}."


def _replaced_component(row: Row) -> str:
    """Return the component whose part is refused or differs, or an empty string."""
    return (row.get("refused") or row.get("difference", "")).partition(" ")[0]


def row_of(text: str, model: Model) -> Row | None:
    """Return the row that has this comment, or None if the model has no such row."""
    if not text.startswith(_BEGINNING):
        return None
    reference_words, _, base_words = text.removeprefix(_BEGINNING).removesuffix(".").partition(_BETWEEN)
    named = _named_levels("", reference_words) | _named_levels(_BASE, base_words)
    if not named.keys() <= model.factors.keys():
        return None
    replaced = _replaced_component(named)
    row = {}
    for name, levels in model.factors.items():
        unnamed_level = levels[0] if name == replaced else "none"
        level = named.get(name, unnamed_level)
        if level not in levels:
            return None
        row[name] = level
    return row if model.allowed(row) else None


def _named_levels(prefix: str, text: str) -> dict[str, str]:
    """Return the levels that a part of a comment names; `none` alone names no level."""
    levels = {}
    for pair in text.split(", "):
        name, _, level = pair.partition(" ")
        if level:
            levels[prefix + name] = level
    return levels


def derive(corpus: Corpus, taken_ids: Collection[str]) -> Combined:
    """Return the vectors of the rows in the corpus, and of new rows for missing levels and pairs.

    `taken_ids` are the ids of all vectors that exist or existed.  A row that now cites another section gets a
    new id.  A row is left out if the RFC leaves its answer open, or if another vector asks its question.
    """
    existing = _existing_vectors(corpus)
    questions = {question_of(case) for case in corpus.cases if not case.file.endswith(PAIRS)}
    files: defaultdict[tuple[Spec, str], list[dict[str, Any]]] = defaultdict(list)
    counts: Counter[tuple[Spec, str]] = Counter()
    ids = _Ids(taken_ids)
    for spec in sorted({case.spec for case in corpus.cases}):
        for model in _models_of(spec):
            old_vectors = existing.get((spec, _operation(model)), [])
            for vector in _vectors(model, old_vectors, questions):
                requirement = corpus.requirements[vector["requirement"]]
                files[spec, requirement.section].append(_with_id(vector, requirement, ids))
                counts[spec, model.name] += 1
    documents = {}
    for (spec, section), vectors in files.items():
        documents[f"{spec}/{section}{PAIRS}"] = _document_text(spec, section, vectors)
    return Combined(documents, counts)


def _existing_vectors(corpus: Corpus) -> dict[tuple[Spec, str], list[Mapping[str, Any]]]:
    """Return the combined vectors that a corpus has, by RFC and operation."""
    existing: defaultdict[tuple[Spec, str], list[Mapping[str, Any]]] = defaultdict(list)
    for case in corpus.cases:
        if case.file.endswith(PAIRS):
            existing[case.spec, case.vector.op].append(msgspec.to_builtins(case.vector))
    return dict(existing)


def _with_id(vector: Mapping[str, Any], requirement: Requirement, ids: _Ids) -> dict[str, Any]:
    """Return a vector with the level of its requirement, and with an id of the requirement's section.

    That is its own id or, if it has none or one of another section, a new one.
    """
    name = vector.get("id", "")
    if not name.startswith(f"{requirement.spec}-{requirement.section}-{PAIR}"):
        name = ids.new(requirement.spec, requirement.section)
    return {**vector, "id": name, "level": requirement.level}


def _models_of(spec: str) -> Iterator[Model]:
    """Yield the models of an RFC: none if its components are unlike those of RFC 1738, 1808 and 3986."""
    if facts(spec).by_scheme:
        yield from scheme_models()
    elif facts(spec).generic or facts(spec).params:
        yield from models(spec)


class _Ids:
    """Makes new ids.  In each section, their numbers continue after the highest one that was ever used."""

    def __init__(self, taken_ids: Collection[str]) -> None:
        """Remember the highest number of each section in the ids of all vectors that exist or existed."""
        self._last: defaultdict[str, int] = defaultdict(int)
        for name in taken_ids:
            prefix, pair, number = name.rpartition(PAIR)
            if pair and number.isdecimal():
                self._last[prefix] = max(self._last[prefix], int(number))

    def new(self, spec: str, section: str) -> str:
        """Return a new id for a vector of a section."""
        prefix = f"{spec}-{section}-"
        self._last[prefix] += 1
        return f"{prefix}{PAIR}{self._last[prefix]:03}"


def _vectors(
    model: Model, existing: Sequence[Mapping[str, Any]], questions: set[str]
) -> Iterator[dict[str, Any]]:
    """Yield the vectors of a model: first the existing ones, with their ids, and then new ones.

    Add their questions to `questions`, which are those that other vectors ask.
    """
    rows = []
    for old_vector in existing:
        row = row_of(old_vector.get("comment", ""), model)
        vector = _vector(model, row) if row else None
        question = question_key(model.spec, old_vector)
        if row is None or vector is None or question_key(model.spec, vector) != question:
            continue
        rows.append(row)
        if question not in questions:  # otherwise an earlier model has asked it
            questions.add(question)
            yield {"id": old_vector["id"], **vector}

    allowed = partial(_may_be_added, model, questions)
    for row in cover(model.factors, model.common, allowed, rows):
        vector = _vector(model, row)
        assert vector is not None  # because the row is allowed
        questions.add(question_key(model.spec, vector))
        yield vector


def _may_be_added(model: Model, questions: Collection[str], row: Row) -> bool:
    """Return True if a row may be added to those of a model.

    A row without gaps has to give a vector whose question is not among `questions`.
    """
    if len(comment(row)) > _LONGEST_COMMENT or not model.allowed(row):
        return False
    if len(row) < len(model.factors):
        return True
    vector = _vector(model, row)
    return vector is not None and question_key(model.spec, vector) not in questions


def _operation(model: Model) -> str:
    """Return the operation that a model asks, which its name begins with; refusals are validated."""
    operation = model.name.partition("-")[0]
    return "validate" if operation == "refuse" else operation


def _vector(model: Model, row: Row) -> dict[str, Any] | None:
    """Return the vector of a row, without an id, or None if its answer is open."""
    question = model.ask(row)
    if question is None:
        return None
    vector = {
        "requirement": f"{model.spec}-{question.cites}",
        "op": _operation(model),
        **question.fields,
        "binding": question.fields.get("binding", "required"),
    }
    if question.difference:
        vector["class"] = question.difference
    if question.ruling:
        vector["ruling"] = question.ruling
    return {**vector, "comment": comment(row)}


def _document_text(spec: Spec, section: str, vectors: list[dict[str, Any]]) -> str:
    """Return the text of the file with the combined vectors of a section."""
    head = {"schema": "urlvectors-1", "spec": spec, "section": section, "title": _TITLE}
    return canonical_text({**head, "vectors": vectors})
