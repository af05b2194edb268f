"""Vectors of rows: comments that name the row, permanent ids, and files."""

from __future__ import annotations

import json

import msgspec
import pytest

from urlauthor.cover.models import models
from urlauthor.cover.pairs import _vectors, comment, derive, row_of
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.selection import Selection

MODEL = next(model for model in models("rfc2732") if model.name == "resolve-relative")


#: A row of the model, whose base has another path than its reference.
ROW = {name: levels[0] for name, levels in MODEL.factors.items()} | {"path": "rootless", "base-path": "slash"}


def test_a_comment_names_the_levels_of_the_base_after_its_own_heading():
    assert "; base: scheme http" in comment(ROW)


def test_a_row_is_read_back_from_its_comment():
    assert row_of(comment(ROW), MODEL) == ROW


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(comment(ROW | {"scheme": "nowhere"}), id="level-that-does-not-exist"),
        pytest.param("The local host by name.", id="of-a-person"),
    ],
)
def test_a_comment_of_a_person_or_of_an_unknown_level_names_no_row(text):
    assert row_of(text, MODEL) is None


COMBINED = "rfc2732/3-combined.json"


@pytest.fixture(scope="module")
def corpus_of_rfc2732(corpus):
    """The corpus with the cases of RFC 2732 alone."""
    return msgspec.structs.replace(corpus, cases=Selection(specs=("rfc2732",)).pick(corpus.cases))


def ids_in(text):
    """Return the ids of the vectors in the text of a file."""
    return {vector["id"] for vector in json.loads(text)["vectors"]}


def test_a_row_keeps_the_id_of_its_vector(corpus_of_rfc2732):
    ids = {case.vector.id for case in corpus_of_rfc2732.cases}
    text = derive(corpus_of_rfc2732, ids).files[COMBINED]
    assert text == (corpus_dir() / COMBINED).read_text("ascii")


def test_a_row_whose_vector_is_gone_gets_an_id_that_was_never_used(corpus_of_rfc2732):
    """The other rows keep theirs. Without this row, some pair of levels is in no row."""
    gone = "rfc2732-3-pair-001"
    ids = {case.vector.id for case in corpus_of_rfc2732.cases}
    remaining = [case for case in corpus_of_rfc2732.cases if case.vector.id != gone]
    text = derive(msgspec.structs.replace(corpus_of_rfc2732, cases=remaining), ids).files[COMBINED]
    ids_before = ids_in((corpus_dir() / COMBINED).read_text("ascii"))
    ids_after = ids_in(text)
    assert ids_before - ids_after == {gone}
    (new_id,) = ids_after - ids_before
    assert new_id not in ids


def test_a_row_that_cites_another_section_gets_the_next_free_id(corpus):
    """099 is the highest number of an id that was ever used."""
    (case,) = [case for case in corpus.cases if case.vector.id == "rfc2732-3-pair-002"]
    vector_of_another_section = msgspec.structs.replace(case.vector, id="rfc2732-2-pair-002")
    moved = msgspec.structs.replace(case, vector=vector_of_another_section)
    corpus_of_one = msgspec.structs.replace(corpus, cases=[moved])
    text = derive(corpus_of_one, {"rfc2732-2-pair-002", "rfc2732-3-pair-099"}).files[COMBINED]
    assert "rfc2732-2-pair-002" not in text
    assert "rfc2732-3-pair-100" in text


def test_a_row_without_an_answer_is_not_used():
    """The path of `foo:/.//a` in normal form would be read as an authority (R-3986-09)."""
    model = next(model for model in models("rfc3986") if model.name == "normalize-syntax")
    levels = {"scheme": ["unknown"], "host": ["none", "name"], "path": ["dot-before-double-slash"]}
    factors = {name: levels.get(name, ["none"]) for name in model.factors}
    vectors = list(_vectors(model._replace(factors=factors, common=()), [], set()))
    assert [vector["url"] for vector in vectors] == ["foo://h.example/.//a"]
