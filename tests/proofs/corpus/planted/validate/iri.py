"""Faults in telling which characters beyond US-ASCII an IRI may have (RFC 3987, sections 2.2 and 4.1)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from ..faults import READING, Ask, Fault, Question, Reply, rejects, tolerates
from ..texts import (
    BEYOND_ASCII,
    DIRECTION_FORMAT,
    PRIVATE,
    SUPPLEMENTARY,
    SUPPLEMENTARY_PRIVATE,
    encoded,
    has,
    inside,
    sub,
)


def forbidden_ascii_encoded(url: str) -> str:
    """Encode the characters of US-ASCII that no URL has if a character beyond US-ASCII is there, too."""
    return url if url.isascii() else encoded(r'[\x00-\x20"<>\\^`{|}\x7f]')(url)


def has_more_than_letters(url: str) -> bool:
    """Tell if a character beyond US-ASCII is no letter, mark or number."""
    return any(
        not character.isascii() and unicodedata.category(character)[0] not in "LMN" for character in url
    )


def is_no_nfkc(url: str) -> bool:
    """Tell if normalization form KC changes the text."""
    return unicodedata.normalize("NFKC", url) != url


def private_outside_query(url: str) -> str:
    """Replace the private characters that stand outside the query by letters."""
    for component in ("authority", "path", "fragment"):
        url = inside(component, sub(PRIVATE, "a"))(url)
    return url


def letters_of_scheme(url: str) -> str:
    """Replace the letters beyond US-ASCII of a scheme by others."""

    def in_ascii(match: re.Match[str]) -> str:
        return "".join("a" if character.isalpha() else character for character in match[0])

    return re.sub(r"^[^:/?#]+(?=:)", in_ascii, url)


def ascii_digits_of_triplets(url: str) -> str:
    """Write fullwidth hexadecimal digits after a percent sign in US-ASCII."""
    digit = "[0-9A-Fa-f\uff10-\uff19\uff21-\uff26\uff41-\uff46]"
    return re.sub(f"%{digit}{{2}}", lambda match: unicodedata.normalize("NFKC", match[0]), url)


def without_scheme(question: Question, right: Reply, ask: Ask) -> Reply:
    """Accept a relative reference where an IRI with a scheme is asked for."""
    if right["status"] != "reject" or question.get("rule") not in ("IRI", "absolute-IRI"):
        return right
    reply = ask({**question, "rule": "irelative-ref"})
    return reply if reply["status"] == "ok" else right


FAULTS: Mapping[str, Fault] = {
    "accepts_direction_formatting": tolerates(sub(DIRECTION_FORMAT, "a")),
    "accepts_first_noncharacters": tolerates(sub("[\ufdd0-\ufdef]", "a")),
    "accepts_forbidden_ascii_beside_other_characters": tolerates(forbidden_ascii_encoded),
    "accepts_fullwidth_digits_in_triplets": tolerates(ascii_digits_of_triplets),
    "accepts_letters_beyond_ascii_in_scheme": tolerates(letters_of_scheme),
    "accepts_private_characters_everywhere": tolerates(private_outside_query),
    "accepts_relative_reference_for_iri": Fault(READING, without_scheme),
    "accepts_specials": tolerates(sub("[\ufff0-\ufffd]", "a")),
    "accepts_tags_and_variation_selectors": tolerates(sub("[\U000e0000-\U000e0fff]", "a")),
    "rejects_all_but_nfkc": rejects(is_no_nfkc),
    "rejects_all_but_letters_beyond_ascii": rejects(has_more_than_letters),
    "rejects_characters_beyond_ascii": rejects(has(BEYOND_ASCII)),
    "rejects_supplementary_characters": rejects(has(SUPPLEMENTARY)),
    "rejects_supplementary_private_characters": rejects(has(SUPPLEMENTARY_PRIVATE)),
}
