"""Whole questions: those whose texts a results file abbreviates, found again in the installed corpus.

A results file keeps of a long text the beginning, the length and the SHA-256. An RFC or a browser can only be
asked about the whole text. If the installed corpus has the same vector, its texts are used. If the question
is to parse the text of a vector that asks to validate it, the texts are those of that vector.

A whole answer is known if it is a text that can be made: one of the question, of its right answers or of the
reading of the browsers, a component of one, or a spelling of these. The abbreviation proves that it is the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import msgspec
from msgspec import structs

from urlharness.corpus.loader import load
from urlharness.corpus.lock import abbreviated_case, vector_digest
from urlharness.corpus.longtext import abbreviation, is_abbreviation
from urlharness.corpus.model import TRIPLET, Case, Expected, Vector
from urlharness.panel.answer import Answer
from urlharness.panel.spelling import decode_unreserved, split, without_dots
from urlharness.results.model import Result

#: What precedes the id of the vector with the text in the id of a question that asks to parse it.
_PARSE_PREFIX = "difference-parse-"


def parse_case(case: Case) -> Case:
    """Return the case that asks to parse the URL of a case that asks to validate it, and is to be refused."""
    name = f"{_PARSE_PREFIX}{case.vector.id}"
    vector = structs.replace(
        case.vector,
        id=name,
        requirement=name,
        level="note",
        op="parse",
        rule=None,
        expect=Expected(valid=False),
        origin=None,
    )
    return structs.replace(case, vector=vector, file="differences/parse.json", digest="")


def whole_vector(case: Case) -> Vector | None:
    """Return the vector of a case with whole texts, or None if they are not known."""
    vector = case.vector
    texts = (vector.url, vector.other, vector.base, vector.reference)
    if not any(map(is_abbreviation, texts)):
        return vector
    long_case = whole_case(case)
    return None if long_case is None else long_case.vector


def whole_case(case: Case) -> Case | None:
    """Return the case of the installed corpus of which a case is the abbreviation, or None.

    Return None, too, if that case has been changed since, so that its digest is another one.
    """
    long_case = _long_case(case.vector.id)
    if long_case is None or vector_digest(long_case) != case.digest:
        return None
    return long_case


def whole_result(judgement: Result, texts: Iterable[str]) -> Result | None:
    """Return the result of a library with its abbreviated texts replaced by whole ones, or None.

    It is None if an abbreviation is none of the `texts`, of their components or of the spellings of these. A
    result in which nothing is abbreviated is returned as it is.
    """
    url = judgement.got.get("url")
    components = judgement.got.get("components") or {}
    abbreviations = {text for text in (url, *components.values()) if is_abbreviation(text)}
    if not abbreviations:
        return judgement
    whole_texts = {abbreviation(text): text for text in _spellings(texts)}
    if not abbreviations <= whole_texts.keys():
        return None
    fields = dict(judgement.got)
    if components:
        fields["components"] = {
            name: whole_texts[text] if is_abbreviation(text) else text for name, text in components.items()
        }
    if is_abbreviation(url):
        fields["url"] = whole_texts[fields["url"]]
    return structs.replace(judgement, got=fields)


def _spellings(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts and their components, as they are and in other spellings (RFC 3986, 6.2.2 and 6.2.3)."""
    for text in texts:
        for part in (text, *split(text).values()):
            if part:
                yield part
                yield f"{part}/"  # an empty path after an authority
                yield decode_unreserved(part)
                yield TRIPLET.sub(lambda triplet: triplet[0].upper(), part)
                yield without_dots(part)


def abbreviated_answer(answer: Answer) -> Answer:
    """Return an answer with its long texts abbreviated, as results have them."""
    components = {
        name: text if text is None else abbreviation(text) for name, text in answer.components.items()
    }
    return msgspec.structs.replace(answer, components=components, text=abbreviation(answer.text))


def _long_case(identifier: str) -> Case | None:
    """Return the case of this id with whole texts, or None if the installed corpus has no such long case."""
    long_cases = _long_cases()
    if identifier in long_cases or not identifier.startswith(_PARSE_PREFIX):
        return long_cases.get(identifier)
    validated = long_cases.get(identifier.removeprefix(_PARSE_PREFIX))
    return None if validated is None else parse_case(validated)


@lru_cache(maxsize=1)
def _long_cases() -> Mapping[str, Case]:
    """Map ids to the cases of the installed corpus that results abbreviate."""
    return {case.vector.id: case for case in load().cases if abbreviated_case(case) is not case}
