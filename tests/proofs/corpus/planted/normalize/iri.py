"""Faults in normalizing the characters of an IRI beyond US-ASCII (RFC 3987, section 5.3.2)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from ..faults import Fault, normalizes_to, writes
from ..texts import TRIPLET, in_host, join, split, sub
from .leaving import MARKED, as_latin_1, keeps, marks


def without_authority_beyond_ascii(iri: str, right: str) -> str:
    """Drop an authority that has a character beyond US-ASCII."""
    is_ascii = (split(iri).authority or "").isascii()
    return right if is_ascii else join(split(right)._replace(authority=None))


def nfkc_of_path_and_query(right: str) -> str:
    """Apply the normalization form KC to path and query."""
    parts = split(right)
    query = None if parts.query is None else unicodedata.normalize("NFKC", parts.query)
    return join(parts._replace(path=unicodedata.normalize("NFKC", parts.path), query=query))


FAULTS: Mapping[str, Fault] = {
    "drops_authority_beyond_ascii": normalizes_to(without_authority_beyond_ascii),
    "lowers_letters_beyond_ascii_in_host": writes(
        in_host(sub(f"{TRIPLET}|(.)", lambda match: match[1].lower() if match[1] else match[0]))
    ),
    "reads_octets_as_latin_1": keeps(marks("[89A-Fa-f][0-9A-Fa-f]"), sub(MARKED, as_latin_1)),
    "replaces_compatibility_characters_of_path_and_query": writes(nfkc_of_path_and_query),
}
