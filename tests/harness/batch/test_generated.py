"""Generated texts as Parquet: rows say what JSON Lines say."""

from __future__ import annotations

import io

import pytest
from pyarrow import parquet

from urlharness.batch.generated import write_parquet
from urlharness.batch.sampling import Drawing
from urlharness.generate.kinds import Pair
from urlharness.generate.requests import Request, Texts


def rows(request, engine):
    stream = io.BytesIO()
    write_parquet(Texts(request, engine=engine), stream)
    return parquet.read_table(stream).to_pylist()


@pytest.mark.parametrize("engine", [None, Drawing], ids=["plain", "engine"])
def test_rows_are_the_texts(engine):
    request = Request(
        spec="rfc3986", rule="URI", valid=True, invalid=True, near_miss=True, difference="backslash",
        texts_only=True, number=600, seed=2,
    )  # fmt: skip
    columns = rows(request, engine)
    expected = list(Texts(request))
    assert len(columns) == len(expected) == 2400
    for row, (kind, _, sample) in zip(columns, expected, strict=True):
        raw = sample.text.encode("utf-8", "surrogateescape")
        assert row["bytes"] == (None if row["text"] is not None else raw)
        assert (row["text"] or "").encode() == (b"" if row["text"] is None else raw)
        assert row["kind"] == kind
        assert row["difference"] == sample.difference
        assert row["valid"] == sample.valid
        assert row["offset"] == sample.offset
        assert row["broken"] == sample.broken
        assert row["class"] == sample.class_
        if sample.edit is None:
            assert row["edit"] is None
        else:
            texts = (operand.encode("utf-8", "surrogateescape") for operand in sample.edit[2:])
            assert tuple(row["edit"].values()) == (*sample.edit[:2], *texts)
    assert any(row["text"] is None for row in columns)


def test_rows_of_pairs_have_the_answers_of_all_rfcs():
    request = Request(spec="rfc3986", resolution=True, number=20, all_specs=True)
    for row, case in zip(rows(request, None), Texts(request), strict=True):
        assert isinstance(case.content, Pair)
        assert row["base"] == case.content.base
        assert row["reference"] == case.content.reference
        assert row["results"][0] == row["rfc3986"]["result"]
        assert row["rfc1738"] is None
