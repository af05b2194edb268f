"""Whole questions: those whose texts a results file abbreviates, found again in the installed corpus.

A results file keeps of a long text the beginning, the length and the SHA-256. An RFC or a browser can only be
asked about the whole text. If the installed corpus has the same vector, its texts are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from urlharness.corpus.loader import load
from urlharness.corpus.lock import abbreviated_case, vector_digest
from urlharness.corpus.longtext import abbreviation, is_abbreviation
from urlharness.corpus.model import Case, Vector
from urlharness.panel.answer import Answer


def whole_vector(case: Case) -> Vector | None:
    """Return the vector of a case with whole texts, or None if they are not known."""
    vector = case.vector
    texts = (vector.url, vector.other, vector.base, vector.reference)
    if not any(map(is_abbreviation, texts)):
        return vector
    long_case = _long_cases().get(vector.id)
    if long_case is None or vector_digest(long_case) != case.digest:
        return None
    return long_case.vector


def abbreviated_answer(answer: Answer) -> Answer:
    """Return an answer with its long texts abbreviated, as results have them."""
    components = {
        name: text if text is None else abbreviation(text) for name, text in answer.components.items()
    }
    return msgspec.structs.replace(answer, components=components, text=abbreviation(answer.text))


@lru_cache(maxsize=1)
def _long_cases() -> Mapping[str, Case]:
    """Map ids to the cases of the installed corpus that results abbreviate."""
    return {case.vector.id: case for case in load().cases if abbreviated_case(case) is not case}
