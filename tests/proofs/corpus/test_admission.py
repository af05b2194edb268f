"""The check of mappings agrees with the corpus: it admits the answers of each vector, and refuses others."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from urllib.parse import unquote

import pytest

from urlharness.corpus.loader import load
from urlharness.corpus.model import Expected, Vector
from urloracle.operations import admission_of_iri, admission_of_uri, iri_forms, uri_forms
from urloracle.rfc.admission import Admission

ADMISSIONS = {"to_uri": admission_of_uri, "to_iri": admission_of_iri}
FORMS = {"to_uri": uri_forms, "to_iri": iri_forms}


@cache
def mappings() -> list[Vector]:
    """Return the vectors of mappings whose text is Unicode."""
    vectors = [
        case.vector for case in load().cases if case.spec == "rfc3987" and case.vector.op in ADMISSIONS
    ]
    return [vector for vector in vectors if isinstance(vector.url, str)]


def answer_of(expected: Expected) -> str | None:
    return expected.result if isinstance(expected.result, str) else None


def answers_of(vector: Vector) -> set[str | None]:
    """Return the answers that a vector lists; None stands for a refusal."""
    return {answer_of(expected) for expected in vector.expect.alternatives}


def admission(vector: Vector, answer: str | None) -> Admission:
    return ADMISSIONS[vector.op](vector.url, answer, "rfc3987", vector.rule or None)


#: The number below which the selection of the vectors must be wrong.
LEAST_MAPPINGS = 500


def test_many_vectors_map_texts_of_unicode():
    assert len(mappings()) > LEAST_MAPPINGS


def test_every_answer_of_a_vector_is_admitted():
    wrong = [
        (vector.id, ascii(answer))
        for vector in mappings()
        for answer in answers_of(vector)
        if not admission(vector, answer).admitted
    ]
    assert wrong == []


def test_every_listed_form_is_admitted():
    wrong = []
    for vector in mappings():
        forms = FORMS[vector.op](vector.url, "rfc3987", vector.rule or None)
        texts = [forms.text, *(form.text for form in forms.also)]
        wrong += [(vector.id, ascii(text)) for text in texts if not admission(vector, text).admitted]
    assert wrong == []


def test_the_recommended_answer_needs_no_ruling():
    first_answers = [(vector, answer_of(vector.expect.alternatives[0])) for vector in mappings()]
    assert [vector.id for vector, answer in first_answers if admission(vector, answer).rulings] == []


def decoded_wholly(text: str) -> str:
    """Return a text with each triplet decoded."""
    return unquote(text, errors="replace")


#: What libraries make of a text, by name; each makes another mistake.
WRONG_WAYS: dict[str, Callable[[str], str | None]] = {
    "refused": lambda _text: None,
    "unchanged": lambda text: text,
    "decoded": decoded_wholly,
    "lower-case": str.lower,
    "upper-case": str.upper,
    "slash-added": lambda text: f"{text}/",
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "compatible": lambda text: unicodedata.normalize("NFKC", text),
}


@pytest.mark.parametrize("way", WRONG_WAYS)
def test_an_answer_that_no_vector_lists_is_not_admitted(way):
    """The lists of the corpus are complete, but of the vectors that leave the answer open."""
    lax = []
    for vector in mappings():
        answers = answers_of(vector)
        answer = WRONG_WAYS[way](vector.url)
        if vector.binding != "unspecified" and answer not in answers and admission(vector, answer).admitted:
            lax.append((vector.id, ascii(answer)))
    assert lax == []
