"""Generated texts as Parquet: rows say what JSON Lines say."""

from __future__ import annotations

import io
import re
from operator import itemgetter

import pytest
from pyarrow import parquet

from urlharness.generate.compiled import CompiledSampler
from urlharness.generate.parquet import write_parquet
from urlharness.generate.requests import Request, Texts


def rows(request, fast_sampler=None):
    stream = io.BytesIO()
    write_parquet(Texts(request, fast_sampler=fast_sampler), stream)
    return parquet.read_table(stream).to_pylist()


@pytest.mark.sampled(2)
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
    assert len(generated) == 4 * 600  # of four kinds
    names = ("kind", "difference", "valid", "offset", "broken", "class")
    labels = [
        (kind, sample.difference, sample.valid, sample.offset, sample.broken, sample.class_)
        for kind, _, sample in generated
    ]
    assert list(map(itemgetter(*names), table)) == labels


@pytest.fixture(scope="module")
def invalid_rows():
    """Invalid texts, each with its row."""
    request = Request(spec="rfc3986", rule="URI", invalid=True, number=600, seed=2)
    return list(zip(Texts(request), rows(request), strict=True))


def as_octets(text):
    return text.encode("utf-8", "surrogateescape")


def is_utf_8(text):
    return re.search("[\udc80-\udcff]", text) is None


def test_a_text_in_utf_8_is_a_string(invalid_rows):
    pairs = [(case.content.text, row) for case, row in invalid_rows if is_utf_8(case.content.text)]
    assert pairs != []
    assert [text for text, row in pairs if (row["text"], row["bytes"]) != (text, None)] == []


def test_a_text_that_is_not_in_utf_8_is_bytes(invalid_rows):
    pairs = [(case.content.text, row) for case, row in invalid_rows if not is_utf_8(case.content.text)]
    assert pairs != []
    assert [text for text, row in pairs if (row["text"], row["bytes"]) != (None, as_octets(text))] == []


def edit_as_octets(edit):
    kind, at, *operands = edit
    return (kind, at, *map(as_octets, operands))


def test_a_row_has_the_edit_of_its_text(invalid_rows):
    assert invalid_rows != []
    assert [tuple(row["edit"].values()) for _, row in invalid_rows] == [
        edit_as_octets(case.content.edit) for case, _ in invalid_rows
    ]


def test_a_valid_text_has_no_edit():
    request = Request(spec="rfc3986", rule="URI", valid=True, number=20)
    assert {row["edit"] for row in rows(request)} == {None}


PAIRS = Request(spec="rfc3986", resolution=True, number=20, all_specs=True)


def test_a_row_of_a_pair_has_base_and_reference():
    pairs = [(case.content.base, case.content.reference) for case in Texts(PAIRS)]
    assert len(pairs) == PAIRS.number
    assert [(row["base"], row["reference"]) for row in rows(PAIRS)] == pairs


def test_the_first_result_of_a_pair_is_that_of_its_rfc():
    pair_rows = rows(PAIRS)
    assert len(pair_rows) == PAIRS.number
    assert [row for row in pair_rows if row["results"][0] != row["rfc3986"]["result"]] == []


def test_a_pair_has_no_answer_of_rfc_1738():
    assert [row["rfc1738"] for row in rows(PAIRS)] == [None] * PAIRS.number


def test_a_row_of_an_iri_has_the_answer_of_the_rfc_on_iris():
    request = Request(spec="rfc3987", valid=True, number=5, all_specs=True)
    assert [row["rfc3987"]["valid"] for row in rows(request)] == [True] * 5
