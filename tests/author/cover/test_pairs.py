"""Vectors of rows: comments that name the row, permanent ids, and files."""

from __future__ import annotations

import msgspec

from urlauthor.cover.models import models
from urlauthor.cover.pairs import _vectors, comment, derive, row_of
from urlharness.corpus.loader import load
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.selection import Selection

MODEL = next(model for model in models("rfc2732") if model.name == "resolve-relative")


def test_a_comment_names_its_row():
    row = {name: levels[0] for name, levels in MODEL.factors.items()}
    row |= {"path": "rootless", "base-path": "slash"}
    text = comment(row)
    assert "; base: scheme http" in text
    assert row_of(text, MODEL) == row
    assert row_of(text.replace("scheme http", "scheme nowhere"), MODEL) is None
    assert row_of("The local host by name.", MODEL) is None


def test_ids_stay_and_go_on():
    corpus = load(corpus_dir())
    small = type(corpus)(**{
        field: getattr(corpus, field) for field in corpus.__struct_fields__ if field != "cases"
    }, cases=Selection(specs=("rfc2732",)).pick(corpus.cases))  # fmt: skip
    ids = {case.vector.id for case in small.cases}
    derived = derive(small, ids)
    text = derived.files["rfc2732/3-combined.json"]
    assert text == (corpus_dir() / "rfc2732/3-combined.json").read_text("ascii")
    without = [case for case in small.cases if case.vector.id != "rfc2732-3-pair-002"]
    again = derive(type(corpus)(**{
        field: getattr(corpus, field) for field in corpus.__struct_fields__ if field != "cases"
    }, cases=without), ids).files["rfc2732/3-combined.json"]  # fmt: skip
    assert '"rfc2732-3-pair-002"' not in again
    assert '"rfc2732-3-pair-003"' in again


def test_a_row_that_cites_another_section_gets_a_new_id():
    corpus = load(corpus_dir())
    case = next(case for case in corpus.cases if case.vector.id == "rfc2732-3-pair-002")
    moved = msgspec.structs.replace(
        case, vector=msgspec.structs.replace(case.vector, id="rfc2732-2-pair-002")
    )
    alone = type(corpus)(**{
        field: getattr(corpus, field) for field in corpus.__struct_fields__ if field != "cases"
    }, cases=[moved])  # fmt: skip
    text = derive(alone, {"rfc2732-2-pair-002", "rfc2732-3-pair-099"}).files["rfc2732/3-combined.json"]
    assert "rfc2732-2-pair-002" not in text
    assert "rfc2732-3-pair-100" in text


def test_a_row_without_an_answer_is_not_used():
    """The path of `foo:/.//a` in normal form would be read as an authority (R-3986-09)."""
    model = next(model for model in models("rfc3986") if model.name == "normalize-syntax")
    few = {"scheme": ["unknown"], "host": ["none", "name"], "path": ["dot-before-double-slash"]}
    factors = {name: few.get(name, ["none"]) for name in model.factors}
    vectors = list(_vectors(model._replace(factors=factors, common=()), [], set()))
    assert [vector["url"] for vector in vectors] == ["foo://h.example/.//a"]
