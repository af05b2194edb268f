"""RFC 3987 against a second method, on characters inside the ranges and never on their first ones.

The second method reads the ranges from the text of the ABNF, writes each character of an IRI as `~` or as its
triplets, and asks RFC 3986.  Nothing of it knows the letters of the automata.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from urloracle import (
    InvalidURL,
    Unsupported,
    base_url,
    equivalent,
    explain,
    extract,
    normal_forms,
    normalize,
    parse,
    recompose,
    resolve,
    to_iri,
    to_uri,
    validate,
    view,
)
from urloracle.operations import iri_forms, uri_forms

from .second_iris import IPRIVATE, UCSCHAR, is_in, query_of, with_stand_ins_of_ascii

_FORMATTING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_COUNT = 4_000
#: The numbers of texts: in every run, and in the long one.
_COUNTS = [_COUNT, pytest.param(200_000, marks=pytest.mark.long)]


def planes_of(ranges):
    """Return the plane of Unicode that each range is in."""
    return [low >> 16 for low, _ in ranges]


def test_the_abnf_has_the_ranges_of_the_rfc():
    """RFC 3987, section 2.2: private characters are in a range of plane 0 and in planes 15 and 16."""
    assert planes_of(UCSCHAR) == [0, 0, 0, *range(1, 15)]
    assert planes_of(IPRIVATE) == [0, 15, 16]


# ---- texts

_PIECES = [
    "http", "x", ":", "//", "/", "?", "#", "@", "[", "]", "[::1]", "[v1.", "%41", "%c3%a9", "%E2%80%AE",
    "%FC", "%ee%80%80", "%2F", "%2", ".", "..", "a", "B", "80", ";", "=", "|", " ",
]  # fmt: skip
_BEGINNINGS = ["http://", "x://", "//", "/", "", "x:", "http://a/", "http://a/?", "http://a/#"]
_OUTSIDE_OF_IRIS = "\u0080\u009f\u00c0\u0800\ufdd0\ufffd\U0001fffe\U000e0001\U0010ffff\ud800\udfff\u202e"
_OUTSIDE = "\u0080\u009f\ufdd0\ufffd\U0001fffe\U000e0001\U0010ffff\ud800\udfff"


def character_inside(draw: Random) -> str:
    """Return a character of a range that is not its first, often its last or one of section 4.1."""
    low, high = draw.choice(UCSCHAR[:3] * 6 + UCSCHAR + IPRIVATE * 2)
    kind = draw.random()
    if kind < 0.1:
        return draw.choice(_FORMATTING[1] + _FORMATTING[3:])
    return chr(high if kind < 0.25 else draw.randint(low + 1, high))


def texts(count: int, seed: int = 1) -> list[str]:
    """Return random texts of pieces of IRIs and characters beyond ASCII."""
    draw = Random(seed)
    drawn_texts = []
    for _ in range(count):
        pieces = [draw.choice(_BEGINNINGS)]
        for _ in range(draw.randrange(1, 8)):
            kind = draw.random()
            if kind < 0.5:
                pieces.append(character_inside(draw))
            elif kind < 0.52:
                pieces.append(draw.choice(_OUTSIDE))
            else:
                pieces.append(draw.choice(_PIECES))
        drawn_texts.append("".join(pieces))
    return drawn_texts


# ---- the second method, of which the verdict is in `second_iris`


def encoded(text: str) -> str:
    """Return the URI of an IRI."""
    return "".join(
        char if char.isascii() else "".join(f"%{byte:02X}" for byte in char.encode()) for char in text
    )


def converted(uri: str) -> str:
    """Return the IRI of a URI, by trying each number of triplets."""
    query = query_of(uri)
    written = ""
    offset = 0
    while offset < len(uri):
        triplets = re.compile("(?:%[0-9A-Fa-f]{2}){1,4}").match(uri, offset)
        if triplets is None:
            written += uri[offset]
            offset += 1
            continue
        for size in range(3, len(triplets[0]) + 3, 3):
            encoded = bytes.fromhex(triplets[0][:size].replace("%", ""))
            try:
                char = encoded.decode("utf-8")
            except UnicodeDecodeError:
                continue
            break
        else:
            char, size = "", 3
        written += converted_character(char, uri[offset : offset + size], in_query=offset in query)
        offset += size
    return written


def converted_character(char: str, triplets: str, *, in_query: bool) -> str:
    """Return a character, or its triplets if an IRI does not have it at this place; it may be empty."""
    if char.isascii() and char:
        return char if char.isalnum() or char in "-._~" else triplets
    if char and char not in _FORMATTING and (is_in(char, UCSCHAR) or (in_query and is_in(char, IPRIVATE))):
        return char
    return triplets.upper()


def problem_of(text: str, spec: str) -> InvalidURL | None:
    """Return the error of an invalid text, or None if the text is valid."""
    try:
        validate(text, spec)
    except InvalidURL as problem:
        return problem
    return None


class Texts(NamedTuple):
    """Texts, those of them that are valid by the second method, and the valid ones with a scheme."""

    every: list[str]
    valid: list[str]
    absolute: list[str]


@pytest.fixture(scope="module", params=_COUNTS)
def iris(request) -> Texts:
    """As many random texts as the parameter says; those of the long run are others in each run."""
    seed = 1 if request.param == _COUNT else int(os.environ["URLCONFORM_SEED"])
    every = texts(request.param, seed)
    valid = [text for text in every if problem_of(with_stand_ins_of_ascii(text), "rfc3986") is None]
    absolute = [text for text in valid if parse(with_stand_ins_of_ascii(text), "rfc3986").scheme is not None]
    return Texts(every, valid, absolute)


def test_more_than_a_quarter_of_the_texts_is_valid(iris):
    assert len(iris.valid) > len(iris.every) / 4


def test_more_than_a_quarter_of_the_texts_is_invalid(iris):
    invalid_count = len(iris.every) - len(iris.valid)
    assert invalid_count > len(iris.every) / 4


def test_more_than_an_eighth_of_the_texts_is_valid_with_a_scheme(iris):
    assert len(iris.absolute) > len(iris.every) / 8


# ---- the public functions


def test_a_text_is_valid_where_the_second_method_says_so(iris):
    assert [text for text in iris.every if problem_of(text, "rfc3987") is None] == iris.valid


def test_an_invalid_text_has_the_offset_of_the_second_method(iris):
    for text in iris.every:
        problem = problem_of(text, "rfc3987")
        if problem is not None:
            assert problem.position == problem_of(with_stand_ins_of_ascii(text), "rfc3986").position, ascii(
                text
            )


class ExpectedCharacters(NamedTuple):
    """An invalid text, the offset of the error, and the characters that each RFC expects there."""

    text: str
    offset: int
    of_iris: frozenset[str]
    of_uris: frozenset[str]

    @property
    def is_in_brackets(self) -> bool:
        """True if the error is in an IP literal."""
        _, bracket, after_bracket = self.text[: self.offset].rpartition("[")
        return bracket != "" and "]" not in after_bracket


@pytest.fixture(scope="module")
def expected_characters(iris) -> list[ExpectedCharacters]:
    """The invalid texts with the characters that RFC 3987 expects, and RFC 3986 by the second method."""
    characters = []
    for text in iris.every:
        problem = problem_of(text, "rfc3987")
        if problem is not None:
            of_uris = problem_of(with_stand_ins_of_ascii(text), "rfc3986").expected
            characters.append(ExpectedCharacters(text, problem.position, problem.expected, of_uris))
    return characters


def test_the_expected_characters_of_ascii_are_those_of_the_second_method(expected_characters):
    for expected in expected_characters:
        in_ascii = {char for char in expected.of_iris if char.isascii()}
        assert in_ascii == expected.of_uris, ascii(expected.text)


def test_a_character_beyond_ascii_is_expected_where_a_tilde_stands_for_it(expected_characters):
    """In brackets RFC 3986 expects a tilde, which stands for no character beyond ASCII there."""
    for expected in expected_characters:
        tilde_stands_for_it = "~" in expected.of_uris and not expected.is_in_brackets
        assert ("\u00e9" in expected.of_iris) is tilde_stands_for_it, ascii(expected.text)


@pytest.mark.parametrize(
    "split", [parse, lambda text, spec: view(text, spec).astuple()], ids=["parse", "view"]
)
def test_the_components_have_the_places_of_the_second_method(iris, split):
    for text in iris.valid:
        parts = parse(with_stand_ins_of_ascii(text), "rfc3986")
        assert [part and with_one_length(part) for part in split(text, "rfc3987")] == list(parts), ascii(text)


def with_one_length(part: str) -> str:
    """Return a text with a tilde for each character beyond ASCII."""
    return "".join(char if char.isascii() else "~" for char in part)


def test_components_are_recomposed(iris):
    for text in iris.valid:
        assert recompose(parse(text, "rfc3987").asdict(), "rfc3987") == text


def test_resolution_and_mapping_commute(iris):
    draw = Random(2)
    for reference in iris.valid:
        base = draw.choice(iris.absolute)
        target = resolve(base, reference, "rfc3987").text
        assert encoded(target) == resolve(encoded(base), encoded(reference), "rfc3986").text, ascii(
            (base, reference)
        )


def test_the_base_and_its_mapping_are_the_same(iris):
    for text in iris.absolute:
        assert (
            encoded(base_url("rfc3987", embedded=text).url) == base_url("rfc3986", embedded=encoded(text)).url
        )


@pytest.fixture(scope="module")
def explanations(iris):
    """The explanations of valid texts, by text; of few, because a derivation takes long."""
    return {text: explain(text, "rfc3987") for text in iris.valid[:300]}


def test_an_explanation_has_the_components(explanations):
    components = {text: explanation.components for text, explanation in explanations.items()}
    assert components == {text: parse(text, "rfc3987").asdict() for text in explanations}


def test_an_explanation_derives_the_text(explanations):
    derived_texts = {text: explanation.derivation.text for text, explanation in explanations.items()}
    assert derived_texts == {text: text for text in explanations}


def test_the_nearest_text_is_valid(iris):
    repaired = 0
    for text in iris.every[:400]:  # to look for a repair takes long
        nearest = explain(text, "rfc3987").nearest
        if nearest is not None:
            assert problem_of(nearest.text, "rfc3987") is None, ascii(text)
            repaired += 1
    assert repaired > 0


def test_an_iri_maps_to_its_bytes(iris):
    for text in iris.valid:
        assert to_uri(text) == encoded(text)


def test_every_admitted_uri_is_one(iris):
    for text in iris.every:
        for form in uri_forms(text).also:
            assert form.text is None or problem_of(form.text, "rfc3986") is None, ascii(text)


def test_a_uri_is_converted_as_by_the_second_method(iris):
    for text in iris.valid:
        assert to_iri(encoded(text)) == converted(encoded(text)), ascii(text)


def test_an_iri_of_a_uri_is_valid(iris):
    """An IRI without formatting characters is valid by the prose, too."""
    for text in iris.valid:
        iri = to_iri(encoded(text))
        validate(iri, "rfc3987", profile="prose" if not set(_FORMATTING) & set(iri) else None)


def test_an_iri_of_a_uri_maps_back(iris):
    """The case of triplets, and escapes of unreserved characters, may differ (R-3987-13)."""
    for text in iris.valid:
        uri = encoded(text)
        assert with_normal_triplets(to_uri(to_iri(uri))) == with_normal_triplets(uri), ascii(text)


def uris(count: int, seed: int) -> Iterator[str]:
    """Yield random URIs, with triplets of characters, of their parts, and of any bytes."""
    draw = Random(seed)
    for _ in range(count):
        parts = [draw.choice(_BEGINNINGS[:4] + _BEGINNINGS[6:])]
        for _ in range(draw.randrange(1, 7)):
            kind = draw.random()
            if kind < 0.4:
                parts.append(encoded(character_inside(draw)))
            elif kind < 0.7:
                octets = draw.choice(_OUTSIDE_OF_IRIS).encode("utf-8", "surrogatepass")
                first = draw.randrange(len(octets))
                parts.append("".join(f"%{byte:02x}" for byte in octets[first:]))
            elif kind < 0.85:
                parts.append(f"%{draw.randrange(256):02X}")
            else:
                parts.append(draw.choice("az09-._~!$&'()*+,;="))
        yield "".join(parts)


@pytest.mark.parametrize("count", [2_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_an_iri_of_a_random_uri_maps_back(count):
    """The case of triplets, and escapes of unreserved characters, may differ (R-3987-13)."""
    for uri in uris(count, int(os.environ["URLCONFORM_SEED"])):
        assert with_normal_triplets(to_uri(to_iri(uri))) == with_normal_triplets(uri), uri


def with_normal_triplets(uri: str) -> str:
    """Return a URI with triplets in upper case, and unreserved characters in the place of theirs."""

    def normal(triplet: re.Match[str]) -> str:
        octet = int(triplet[0][1:], 16)
        if octet < 128:
            return converted_character(chr(octet), triplet[0].upper(), in_query=False)
        return triplet[0].upper()

    return re.sub("%[0-9A-Fa-f]{2}", normal, uri)


def test_every_admitted_iri_is_valid(iris):
    for text in iris.valid:
        for form in iri_forms(encoded(text)).also:
            assert problem_of(form.text, "rfc3987") is None, ascii(text)


@pytest.mark.parametrize("mode", ["syntax", "scheme"])
def test_a_normal_form_is_its_own_normal_form(iris, mode):
    for text in iris.valid:
        form = normalize(text, "rfc3987", mode)
        assert normalize(form, "rfc3987", mode) == form, ascii(text)


def test_a_normal_form_maps_to_that_of_rfc_3986(iris):
    """Letters of hosts that are not ASCII may differ in case (R-3987-31)."""
    for text in iris.valid:
        form = encoded(normalize(text, "rfc3987"))
        assert form.lower() == normalize(encoded(text), "rfc3986").lower(), ascii(text)


def test_every_normal_form_maps_to_an_equivalent_uri(iris):
    for text in iris.valid[:800]:  # all forms of a text take long
        if parse(text, "rfc3987").host in (None, ""):
            forms = [form.text for form in normal_forms(text, "rfc3987").also if form.text is not None]
            also = {form.text for form in normal_forms(encoded(text), "rfc3986").also}
            also.add(normalize(encoded(text), "rfc3986"))
            assert {with_normal_triplets(encoded(form)) for form in forms} <= also, ascii(text)


def test_iris_are_equivalent_where_their_uris_are(iris):
    """The texts have no host or one in lower case, so that R-3987-31 does not matter."""
    draw = Random(3)
    for text in iris.absolute:
        if (parse(text, "rfc3987").host or "") != (parse(text, "rfc3987").host or "").lower():
            continue
        second = draw.choice(
            [converted(encoded(text)), encoded(text), normalize(text, "rfc3987"), draw.choice(iris.absolute)]
        )
        expected = equivalent(encoded(text), encoded(second), "rfc3986").equal
        assert equivalent(text, second, "rfc3987").equal == expected, ascii((text, second))


def test_texts_are_compared_simply_as_they_are(iris):
    for text in iris.absolute:
        assert equivalent(text, text, "rfc3987", "simple").equal
        uri = encoded(text)
        assert equivalent(text, uri, "rfc3987", "simple").equal == (text == uri)


def test_running_text_has_no_iris():
    with pytest.raises(Unsupported, match="RFC 3987 does not define URLs in text"):
        extract("<http://a/>", "rfc3987")
