"""Generated texts as Parquet: rows say what JSON Lines say."""

from __future__ import annotations

import io

import pytest
from pyarrow import parquet

from urlharness.generate.compiled import CompiledSampler
from urlharness.generate.kinds import Pair
from urlharness.generate.parquet import write_parquet
from urlharness.generate.requests import Request, Texts


def rows(request, fast_sampler=None):
    stream = io.BytesIO()
    write_parquet(Texts(request, fast_sampler=fast_sampler), stream)
    return parquet.read_table(stream).to_pylist()


@pytest.mark.parametrize("fast_sampler", [None, CompiledSampler], ids=["generator", "compiled"])
def test_a_row_has_the_labels_of_its_text(fast_sampler):
    request = Request(
        spec="rfc3986",
        rule="URI",
        valid=True,
        invalid=True,
        near_miss=True,
        difference="backslash",
        texts_only=True,
        number=600,
        seed=2,
    )
    table = rows(request, fast_sampler)
    generated = list(Texts(request))
    assert len(generated) == 2400
    for row, (kind, _, sample) in zip(table, generated, strict=True):
        assert row["kind"] == kind
        assert row["difference"] == sample.difference
        assert row["valid"] == sample.valid
        assert row["offset"] == sample.offset
        assert row["broken"] == sample.broken
        assert row["class"] == sample.class_


@pytest.fixture(scope="module")
def invalid_rows():
    """Invalid texts, each with its row."""
    request = Request(spec="rfc3986", rule="URI", invalid=True, number=600, seed=2)
    return list(zip(Texts(request), rows(request), strict=True))


def as_octets(text):
    return text.encode("utf-8", "surrogateescape")


def test_a_text_is_a_string_if_it_is_utf_8_and_else_bytes(invalid_rows):
    not_utf_8 = 0
    for case, row in invalid_rows:
        if row["text"] is None:
            not_utf_8 += 1
            assert row["bytes"] == as_octets(case.content.text)
        else:
            assert row["bytes"] is None
            assert row["text"].encode() == as_octets(case.content.text)
    assert not_utf_8 > 0


def test_a_row_has_the_edit_of_its_text(invalid_rows):
    for case, row in invalid_rows:
        kind, at, *operands = case.content.edit
        assert tuple(row["edit"].values()) == (kind, at, *map(as_octets, operands))


def test_a_valid_text_has_no_edit():
    request = Request(spec="rfc3986", rule="URI", valid=True, number=20)
    assert {row["edit"] for row in rows(request)} == {None}


def test_rows_of_pairs_have_the_answers_of_all_rfcs():
    request = Request(spec="rfc3986", resolution=True, number=20, all_specs=True)
    for row, case in zip(rows(request), Texts(request), strict=True):
        assert isinstance(case.content, Pair)
        assert row["base"] == case.content.base
        assert row["reference"] == case.content.reference
        assert row["results"][0] == row["rfc3986"]["result"]
        assert row["rfc1738"] is None
