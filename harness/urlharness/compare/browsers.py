"""The reading of the browsers: what the WHATWG's URL standard makes of a question.

The standard is a parser, so its reading is the answer of a parser: Ada, which Node.js contains, too. It is
computed here and does not depend on the libraries that are asked. Other implementations of the standard can
show that browsers disagree: one of them if an answer is Ada's, most of them if it is not. A binding or an
older version of Ada cannot.

A browser resolves every reference against the address of a page. So a relative reference has a reading only
together with a base.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import ada_url

from urlharness.adapters.catalogue import FROM_CACHE, catalogue
from urlharness.compare.whole_questions import abbreviated_answer, whole_vector
from urlharness.corpus.model import Case, Vector
from urlharness.panel.answer import Answer, differing_components, without_spelling
from urlharness.panel.spelling import split

#: The bundled adapter that follows the standard. The catalogue marks the other libraries.
_BUNDLED = frozenset({"node-url"})

#: The parser by which the reading of the browsers is computed, as reports name it.
ADA = "Ada"

#: The libraries whose parser is Ada. If they disagree with the Ada of this environment, its version differs.
_ADA = frozenset({"ada-url", "can_ada", "node-url"})

#: The libraries with the parser of another one, which is the crate `url`, and the name of that one.
_SAME_PARSER = {"deno": "rust-url", "pydantic": "rust-url"}

#: The message of an adapter whose library reads a relative reference only with a base, and was given one.
ONLY_WITH_BASE = "only with a base"

#: The address of a page, against which a relative reference is read.
_PAGE = "http://page.example/"

#: Rules of whole URLs, which a browser judges by parsing the text. It has no counterpart of the others.
_PARSED_RULES = frozenset(("url", "URL", "URI-reference", "URI"))

#: Rules by which a text may be a relative reference, which a browser judges by parsing it on a page.
_RULES_OF_REFERENCES = frozenset((None, "URI-reference", "relative-ref"))

#: A scheme at the beginning of a text. A browser ignores blanks before it, and tabs and line ends inside.
_SCHEME = re.compile(r"[\x00-\x20]*[A-Za-z][A-Za-z0-9+.\t\n\r-]*:")


class BrowserReading(NamedTuple):
    """A reading of the browsers, and the libraries that were asked and have it, up to spelling."""

    answer: Answer
    names: tuple[str, ...]


def is_browser(name: str) -> bool:
    """Return True if the library of this adapter follows the WHATWG's URL standard."""
    library = catalogue().get(name.removesuffix(FROM_CACHE))
    return name in _BUNDLED or (library is not None and library.whatwg)


def most_parsers_agree(alike: Sequence[BrowserReading], browsers: Sequence[BrowserReading]) -> bool:
    """Return True if most parsers of the browsers' standard have one of the readings `alike`.

    `browsers` are all readings of a question, that of Ada first, which counts as one parser. Libraries with
    the same parser count as one, and not as alike if one of them has another reading.
    """
    unlike = [reading for reading in browsers if reading not in alike]
    dissenting = {_parser_of(name) for reading in unlike for name in reading.names}
    agreeing = {_parser_of(name) for reading in alike for name in reading.names} - dissenting
    if browsers[0] in alike:
        agreeing.add(ADA)
    else:
        dissenting.add(ADA)
    return len(agreeing) > len(dissenting)


def _parser_of(name: str) -> str:
    """Return the name of the library whose parser a library of browsers has, which may be its own."""
    library = name.removesuffix(FROM_CACHE)
    return _SAME_PARSER.get(library, library)


@cache
def ada_version() -> str:
    """Return the version of Ada by which the reading of the browsers is computed."""
    return importlib.metadata.version("ada-url")


def read_as_browser(text: str, base: str | None = None) -> Answer | None:
    """Return how browsers read a text: its components, or if there is a base, its target as a reference.

    Return an answer of kind `rejected` if the standard refuses the text or the base, and None if there is no
    base and the text has no scheme. Raise UnicodeEncodeError if a text has a lone surrogate.
    """
    if base is not None:
        target = _parse(text, base)
        return _refusal() if target is None else Answer("url", text=target.href)
    if not _has_scheme(text):
        return None
    parsed = _parse(text)
    return _refusal() if parsed is None else Answer("parsed", split(parsed.href))


def target_on_page(reference: str) -> Answer | None:
    """Return the target of a reference on a page, or its refusal; None if it has a lone surrogate."""
    try:
        return read_as_browser(reference, _PAGE)
    except UnicodeEncodeError:
        return None


def browser_reading(case: Case) -> Answer | None:
    """Return the reading of the browsers, with its long texts abbreviated.

    Return None if their standard does not define one for the question, or if its whole text is not known.
    """
    reading = whole_browser_reading(case)
    return None if reading is None else abbreviated_answer(reading)


def whole_browser_reading(case: Case) -> Answer | None:
    """Return the reading of the browsers with whole texts, or None; see `browser_reading`."""
    vector = whole_vector(case)
    if vector is None:
        return None
    try:
        return _reading_of_vector(vector)
    except UnicodeEncodeError:  # a lone surrogate
        return None


def accepts_on_page(case: Case) -> bool:
    """Return True if the question is whether a text is a reference, and browsers accept it with a base."""
    vector = whole_vector(case)
    if vector is None or vector.op != "validate" or not isinstance(vector.url, str):
        return False
    if vector.rule not in _RULES_OF_REFERENCES:
        return False  # of a relative reference, the other rules require a refusal whatever its base is
    target = target_on_page(vector.url)
    return target is not None and target.kind != "rejected"


def refuses_on_page(case: Case) -> bool:
    """Return True if the question is a relative reference that browsers refuse on the page of a server: `//`.

    Without a base they have no reading of one, but none of theirs accepts it.
    """
    vector = whole_vector(case)
    if vector is None or vector.op not in ("parse", "validate") or not isinstance(vector.url, str):
        return False
    if vector.rule not in _RULES_OF_REFERENCES or _has_scheme(vector.url):
        return False
    target = target_on_page(vector.url)
    return target is not None and target.kind == "rejected"


def browser_readings(case: Case, answers: Mapping[str, Answer]) -> Sequence[BrowserReading]:
    """Return the readings of the browsers that are not the same up to spelling: that of Ada comes first.

    Those of other libraries follow. `answers` contains the answers of libraries by name. Return an empty
    sequence if the standard does not define a reading.
    """
    ada = browser_reading(case)
    if ada is None:
        return []
    readings = [_OpenReading(ada, without_spelling(ada), [])]
    # libraries share equal answers, and most browsers give the same one
    reading_by_answer: dict[int, _OpenReading] = {}
    for name, answer in answers.items():
        if not answer.answered or not is_browser(name) or name.removesuffix(FROM_CACHE) in _ADA:
            continue
        reading = reading_by_answer.get(id(answer))
        if reading is None:
            normal = without_spelling(answer)
            reading = _equal_reading(normal, readings)
            if reading is None:
                reading = _OpenReading(answer, normal, [])
                readings.append(reading)
            reading_by_answer[id(answer)] = reading
        reading.names.append(name)
    return [BrowserReading(reading.answer, tuple(reading.names)) for reading in readings]


class _OpenReading(NamedTuple):
    """A reading that other libraries may still turn out to have. `names` grows."""

    answer: Answer
    normal: Answer
    names: list[str]


def _equal_reading(normal: Answer, readings: Sequence[_OpenReading]) -> _OpenReading | None:
    """Return the first reading that an answer in normal form equals, or None."""
    for reading in readings:
        if not differing_components(reading.normal, normal):
            return reading
    return None


def _reading_of_vector(vector: Vector) -> Answer | None:
    """Return the reading of a vector, or None if the standard does not define one.

    Raise UnicodeEncodeError if a text has a lone surrogate.
    """
    url = vector.url
    second_url = vector.other
    base = vector.base
    reference = vector.reference
    match vector.op:
        case "resolve" if isinstance(base, str) and isinstance(reference, str):
            return read_as_browser(reference, base)
        case "validate" if isinstance(url, str) and vector.rule in {None, *_PARSED_RULES}:
            return _reading_of_validity(url) if _has_scheme(url) else None
        case "parse" if isinstance(url, str):
            return read_as_browser(url)
        case "normalize" if isinstance(url, str) and _has_scheme(url):
            parsed = _parse(url)
            return _refusal() if parsed is None else Answer("url", text=parsed.href)
        case "equivalent" if isinstance(url, str) and isinstance(second_url, str):
            return _reading_of_equivalence(url, second_url)
        case _:
            return None


def _has_scheme(text: str) -> bool:
    """Return True if browsers see a scheme at the beginning of a text; see `_SCHEME`."""
    return _SCHEME.match(text) is not None


def _parse(text: str, base: str | None = None) -> ada_url.URL | None:
    """Return the parsed text, or None if the standard refuses the text or the base.

    Raise UnicodeEncodeError, which is a ValueError too, if Ada cannot take the text.
    """
    try:
        return ada_url.URL(text, base)
    except UnicodeEncodeError:
        raise
    except ValueError:
        return None


def _refusal() -> Answer:
    return Answer("rejected")


def _reading_of_validity(url: str) -> Answer:
    """Return whether browsers accept a text, as a reply of the operation `validate`."""
    return _refusal() if _parse(url) is None else Answer("valid")


def _reading_of_equivalence(url: str, second_url: str) -> Answer | None:
    """Return the answer of browsers to the operation `equivalent`: whether two URLs are equal after parsing.

    Return a refusal if the standard refuses one of them, and None if one of them has no scheme.
    """
    if not _has_scheme(url) or not _has_scheme(second_url):
        return None
    parsed = _parse(url)
    second_parsed = _parse(second_url)
    if parsed is None or second_parsed is None:
        return _refusal()
    return Answer("other", text=json.dumps(parsed.href == second_parsed.href))
