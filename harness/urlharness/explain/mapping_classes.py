"""Classes of what libraries get wrong between IRIs and URIs (RFC 3987, sections 3.1 and 3.2).

The class of a question follows from its text: from the kind of character in it that libraries treat in
different ways.  If a text has several, the rarest is the class, unless two answers show which one they treat
unlike.  Characters that have a class in URLs, such as blanks and delimiters, keep this class.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from urlharness.explain.classify import CHARACTERS
from urloracle.grammar.alphabet import FORMATTING, PRIVATE, UCS, stand_ins
from urloracle.operations import examined_triplets
from urloracle.rfc.admission import ruling_on_triplets
from urloracle.rfc.mapping import EncodedCharacter, Reason, domain_of
from urloracle.rfcs import RFC3987

#: The classes that only mappings have.
MAPPING_CLASSES = frozenset(
    (
        "beyond-bmp",
        "bidi-formatting",
        "character-normalization",
        "excluded-character",
        "illegal-utf-8",
        "inappropriate-character",
        "ireg-name",
        "mapping-of-uri",
        "not-in-uris",
        "private-character",
        "ucs-triplet",
    )
)

#: The class of triplets that stay, by the reason.
_KEPT: Mapping[Reason, str] = {
    "formatting": "bidi-formatting",
    "private": "private-character",
    "not-in-iris": "excluded-character",
    "no-utf-8": "illegal-utf-8",
    "not-in-uris": "not-in-uris",
    "reserved": "encoded-delimiter",
}

#: What shows that an answer is wrong in a class, whatever else the text has.
_SIGNS: Mapping[str, Callable[[str], object]] = {
    "beyond-bmp": re.compile("%[Ee][Dd]%[AaBb]").search,  # surrogates
    "bidi-formatting": lambda answer: FORMATTING & set(stand_ins(answer)),
    "private-character": lambda answer: PRIVATE & set(stand_ins(answer)),
    "excluded-character": lambda answer: any(map(_is_excluded, answer)),
    "not-in-uris": re.compile('[\x00-\x20"<>\\\\^`{|}\x7f]').search,
}

_ACE_LABEL = re.compile("(?i)(?:^|[.])xn--")


def class_of_mapping(operation: str, text: str, answers: Sequence[str] = ()) -> str | None:
    """Return the id of the class of a question of `to_uri` or `to_iri`, or None if the text has none.

    `answers` are the texts with which libraries answered.
    """
    class_ids = _classes_of_iri(text) if operation == "to_uri" else _classes_of_uri(text)
    classes = list(dict.fromkeys(class_ids))  # the rarest first, each once
    for name in classes:
        shows = _SIGNS.get(name)
        if shows is not None and any(shows(answer) for answer in answers):
            return name
    is_normalized = any(_is_equal_after_normalization(text, answer) for answer in answers)
    if "character-normalization" in classes and is_normalized:
        return "character-normalization"
    return classes[0] if classes else None


def _is_excluded(char: str) -> bool:
    """Return True if no IRI has a character beyond ASCII (section 2.2)."""
    return not char.isascii() and stand_ins(char) not in UCS | PRIVATE


def _is_equal_after_normalization(text: str, answer: str) -> bool:
    """Return True if an answer has the characters of a text only after normalization by NFC or NFKC."""
    characters = unquote(text)
    characters_of_answer = unquote(answer)
    if characters == characters_of_answer:
        return False
    normalize = unicodedata.normalize
    is_equal_in_nfc = normalize("NFC", characters) == normalize("NFC", characters_of_answer)
    return is_equal_in_nfc or normalize("NFKC", characters) == normalize("NFKC", characters_of_answer)


def _is_normal(text: str) -> bool:
    """Return True if a text is in normal form C of Unicode."""
    return unicodedata.is_normalized("NFC", text)


# ---- section 3.1


def _classes_of_iri(text: str) -> Iterator[str]:
    """Yield the classes of a text that is to be mapped to a URI, the rarest first."""
    if RFC3987.problem(text) is not None:
        yield from _classes_of_invalid(text)
        return
    letters = set(stand_ins(text))
    if letters & PRIVATE:
        yield "private-character"
    if letters & FORMATTING:
        yield "bidi-formatting"
    if any(char > "\uffff" for char in text):
        yield "beyond-bmp"
    host = domain_of(text)
    if host is not None and not host.text.isascii():
        yield "ireg-name"
    if not _is_normal(text):
        yield "character-normalization"
    yield "mapping-of-uri" if text.isascii() else "non-ascii"


def _classes_of_invalid(text: str) -> Iterator[str]:
    """Yield the classes of the characters that make a text invalid."""
    if any(map(_is_excluded, text)):
        yield "excluded-character"
    if PRIVATE & set(stand_ins(text)):
        yield "private-character"
    for name, occurs in CHARACTERS.items():
        if name != "non-ascii" and occurs(text):
            yield name
    if re.search(r"[\[\]]", text):
        yield "bracket"


# ---- section 3.2


def _classes_of_uri(text: str) -> Iterator[str]:
    """Yield the classes of a text that is to be converted to an IRI, the rarest first."""
    if RFC3987.problem(text) is not None:
        yield from _classes_of_invalid(text)
        return
    if not text.isascii():
        yield "non-ascii"
        return
    triplets = examined_triplets(text)
    yield from _classes_of_triplets(triplets)
    host = domain_of(text)
    if host is not None and _ACE_LABEL.search(host.text):
        yield "ireg-name"
    if triplets:
        yield from _classes_of_decoded(triplets)
    else:
        yield "mapping-of-uri"


def _classes_of_triplets(triplets: Iterable[EncodedCharacter]) -> Iterator[str]:
    """Yield the classes of triplets that stay or may stay, or stand for a rare character."""
    names = set()
    for encoded in triplets:
        if encoded.reason != "decoded":
            names.add(_KEPT[encoded.reason])
        elif ruling_on_triplets(encoded) is not None:
            names.add("inappropriate-character")
        elif stand_ins(encoded.character) in PRIVATE:
            names.add("private-character")
        elif encoded.character > "\uffff":
            names.add("beyond-bmp")
    in_order = (*_KEPT.values(), "inappropriate-character", "beyond-bmp")
    for name in in_order:
        if name in names:
            yield name


def _classes_of_decoded(triplets: Sequence[EncodedCharacter]) -> Iterator[str]:
    """Yield the classes of triplets that are decoded."""
    decoded = [encoded.character for encoded in triplets if encoded.reason == "decoded"]
    if not _is_normal("".join(decoded)):
        yield "character-normalization"
    if any(not char.isascii() for char in decoded):
        yield "ucs-triplet"
    if any(char.isascii() for char in decoded):
        yield "escaped-unreserved"
