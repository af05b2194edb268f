"""The file with figures: which of them are of the present vectors."""

from __future__ import annotations

import json

import pytest

from urlauthor.adequacy.stored import (
    SCHEMA,
    Stored,
    digests_of_corpus,
    digests_of_lock,
    document,
    measured_specs,
    read_stored,
)
from urlharness.corpus.loader import LOCK, load
from urlharness.corpus.lock import read_lock
from urlharness.corpus.model import corpus_dir

STORED = Stored({"rfc1808": "old", "rfc3986": "figures"}, {"rfc1808": "0", "rfc3986": "1"})


def test_the_corpus_and_its_lock_have_the_same_digests():
    assert digests_of_corpus(load()) == digests_of_lock(read_lock(corpus_dir() / LOCK))


def test_the_figures_of_an_amending_rfc_depend_on_the_vectors_of_the_amended_one():
    assert measured_specs("rfc2732") == ("rfc2396", "rfc2732")


def test_figures_of_the_same_vectors_are_fresh():
    assert STORED.fresh({"rfc1808": "1", "rfc3986": "1", "rfc3987": "2"}) == {"rfc3986": "figures"}


def test_new_figures_replace_those_of_their_rfc_alone():
    replaced = STORED.replace({"rfc1808": "new"}, {"rfc1808": "1"})
    assert replaced.figures == {"rfc1808": "new", "rfc3986": "figures"}
    assert replaced.vectors == {"rfc1808": "1", "rfc3986": "1"}


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "figures.json"
    path.write_text(json.dumps(document(STORED, "0" * 12, None, 1)))
    assert read_stored(path, None, 1) == STORED


@pytest.mark.parametrize(("sample", "seed"), [(3, 1), (None, 2)], ids=["sample", "seed"])
def test_figures_of_another_run_are_not_read(tmp_path, sample, seed):
    path = tmp_path / "figures.json"
    path.write_text(json.dumps(document(STORED, "0" * 12, None, 1)))
    assert read_stored(path, sample, seed) == Stored({}, {})


@pytest.mark.parametrize("content", ["", "[]", '{"schema": "x"}', json.dumps({"schema": SCHEMA})])
def test_a_file_without_figures_has_none(tmp_path, content):
    path = tmp_path / "figures.json"
    path.write_text(content)
    assert read_stored(path, None, 1) == Stored({}, {})


def test_a_missing_file_has_no_figures(tmp_path):
    assert read_stored(tmp_path / "none.json", None, 1) == Stored({}, {})
