"""The steps by which an IRI becomes a URI, and a URI an IRI, in words (RFC 3987, sections 3.1 and 3.2).

A text with characters beyond ASCII is mapped to a URI, and a URI with triplets is converted to an IRI. Every
other text is both already (R-3987-37).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from urloracle.operations import examined_triplets, iri_forms, uri_forms
from urloracle.rfc.mapping import KEEPING_STEP, EncodedCharacter, Forms, Reason, as_triplets
from urloracle.rfc.resolution import Step

#: Why triplets stay encoded, in words.
REASONS: Mapping[Reason, str] = {
    "reserved": "reserved, or %",
    "not-in-uris": "no URI has this character of ASCII",
    "no-utf-8": "no part of legal UTF-8",
    "not-in-iris": "no IRI has this character, section 2.2",
    "private": "private characters are in queries only, section 2.2",
    "formatting": "it formats the direction of text, section 4.1",
}


class ExplainedMapping(NamedTuple):
    """The URI to which an IRI maps, or the IRI to which a URI is converted, with the steps.

    - `operation`: `to_uri` or `to_iri`
    - `title`: the operation in words, with its section
    - `forms`: the result, and the other admissible ones
    - `steps`: the steps that lead to the result
    """

    operation: Literal["to_uri", "to_iri"]
    title: str
    forms: Forms
    steps: tuple[Step, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the mapping as JSON data."""
        also = [
            {"url": alternative.text, "variant": alternative.variant, "ruling": alternative.ruling}
            for alternative in self.forms.also
        ]
        steps = [{"label": step.label, "what": step.what, "value": step.result} for step in self.steps]
        return {"url": self.forms.text, "also": also, "steps": steps}


def explain_mapping(text: str, spec: str) -> ExplainedMapping | None:
    """Return what a text that is valid under an RFC on IRIs becomes, or None if it is a URI and an IRI."""
    if not text.isascii():
        forms = uri_forms(text, spec)
        steps = _steps_to_uri(text, forms.text)
        return ExplainedMapping("to_uri", "as a URI (section 3.1)", forms, tuple(steps))
    triplets = examined_triplets(text, spec)
    if not triplets:
        return None
    forms = iri_forms(text, spec)
    steps = _steps_to_iri(text, triplets, forms.text)
    return ExplainedMapping("to_iri", "as an IRI (section 3.2)", forms, tuple(steps))


def _steps_to_uri(iri: str, uri: str | None) -> Iterator[Step]:
    """Yield the steps of section 3.1: one for each character that is encoded."""
    yield Step("1c", "the characters are taken without normalization", iri)
    for offset, char in enumerate(iri):
        if not char.isascii():
            octets = char.encode().hex(" ").upper()
            action = f"U+{ord(char):04X} at offset {offset} has the bytes {octets} in UTF-8"
            yield Step("2.1", action, as_triplets(char))
    yield Step("2.3", "the triplets replace the characters", uri)


def _steps_to_iri(uri: str, triplets: list[EncodedCharacter], iri: str | None) -> Iterator[Step]:
    """Yield the steps of section 3.2: one for the triplets of each character."""
    yield Step("1", "the URI is read as bytes of ASCII", uri)
    for encoded in triplets:
        triplets_in_words = f"{encoded.written} at offset {encoded.offset}"
        if encoded.reason == "decoded":
            yield Step(
                "2", f"{triplets_in_words} is decoded: U+{ord(encoded.character):04X}", encoded.character
            )
        else:
            step = KEEPING_STEP[encoded.reason]
            written = encoded.written if step == "2" else encoded.written.upper()  # as `to_iri` recommends
            yield Step(step, f"{triplets_in_words} stays: {REASONS[encoded.reason]}", written)
    yield Step("5", "the bytes are read as UTF-8", iri)
