"""The check of mappings against a second method, on random texts, and answers that are right or nearly so."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from urloracle.operations import admission_of_iri, admission_of_uri

from .second_admission import DRAWN_LOOK_ALIKES, DRAWN_MARKS, is_admitted_iri, is_admitted_uri
from .test_iris import converted, encoded, problem_of

_COUNT = 400
_COUNTS = [_COUNT, pytest.param(200_000, marks=pytest.mark.long)]

_DOUBTFUL = "\u3000\u00a0\u2028\u200b\u00ad\u200d\u061c\u2066\uff21\uff0f\ufb01\u00b2\u212a\ufe0f\u180b\u2ff0"
_ORDINARY = "\u00e9\u0301\u0378\u4e2d\u0416\u0436\u0394\u05d0\u20ac\U0001f600\U000e1000\u00fc"
_EXCLUDED = "\u202e\u200e\u0085\ufdd0\ufffd\U000e0001\ue000\U0010fffd"
_CHARACTERS = [*DRAWN_LOOK_ALIKES, *DRAWN_MARKS, *_DOUBTFUL, *_ORDINARY, *_EXCLUDED]
_BEGINNINGS = ["http://a/", "x:", "/", "//b/", "http://a/?", "/?", "/#", "", "/%2e%2E/", "/a/%2E/"]
_ASCII = ["%41", "%2f", "%2F", "%25", "%20", "%3c", "%FC", "%c0", "a", "/", ".", "%2e", "?", "#", "-"]


def uris(draw: Random) -> str:
    """Return a random URI of triplets."""
    pieces = [draw.choice(_BEGINNINGS)]
    for _ in range(draw.randrange(1, 6)):
        if draw.random() < 0.6:
            triplets = encoded(draw.choice(_CHARACTERS))
            pieces.append(triplets.lower() if draw.random() < 0.4 else triplets)
        else:
            pieces.append(draw.choice(_ASCII))
    return "".join(pieces)


def answers_to_uri(uri: str, draw: Random) -> Iterator[str]:
    """Yield the IRI of a URI with some changes."""
    iri = converted(uri)
    yield iri
    yield uri
    for _ in range(4):
        yield "".join(changed(char, draw) for char in iri)
    yield re.sub("%..", lambda triplet: triplet[0].lower() if draw.random() < 0.5 else triplet[0], iri)
    yield re.sub("%..", lambda triplet: triplet[0].upper(), iri)
    yield with_case_of(uri, iri)


def changed(char: str, draw: Random) -> str:
    """Return a character, or its triplets."""
    if char.isascii() or draw.random() < 0.5:
        return char
    return encoded(char).lower() if draw.random() < 0.3 else encoded(char)


def with_case_of(uri: str, iri: str) -> str:
    """Return an IRI whose triplets have the case that they have in the URI, as far as they are in it."""
    triplets = {triplet.upper(): triplet for triplet in re.findall("%..", uri)}
    return re.sub("%..", lambda triplet: triplets.get(triplet[0].upper(), triplet[0]), iri)


def seed_of(count: int) -> int:
    return 1 if count == _COUNT else int(os.environ["URLCONFORM_SEED"])


@pytest.mark.parametrize("count", _COUNTS)
def test_an_iri_is_admitted_where_the_second_method_admits_it(count):
    draw = Random(seed_of(count))
    verdicts: Counter[bool] = Counter()
    for _ in range(count):
        uri = uris(draw)
        if problem_of(uri, "rfc3986") is not None:
            continue
        for answer in answers_to_uri(uri, draw):
            admitted = is_admitted_iri(uri, answer)
            assert admission_of_iri(uri, answer).admitted == admitted, ascii((uri, answer))
            verdicts[admitted] += 1
    assert min(verdicts[True], verdicts[False]) > count


_HOSTS = [
    "a",
    "\u00e9",
    "fa\u00df",
    "\u03b2\u03c2",
    "A\u00c9",
    "\u4f8b\u3002jp",
    "\u00e9.",
    "B.\u00fc",
    "a\u00adb\u00e9",
]
_NAMES = [
    "a",
    "xn--9ca",
    "fass",
    "xn--fa-hia",
    "xn--nxa",
    "a.xn--9ca",
    "xn--fsq.jp",
    "xn--9ca.",
    "B.xn--tda",
    "b.xn--tda",
]


def iris(draw: Random) -> str:
    """Return a random text, mostly an IRI."""
    scheme = draw.choice(["http://", "x://", "//", "https://u@", "/"])
    rest = "".join(
        draw.choice(["\u00e9", "\u4e2d", "\u3000", "%c3", "a", " ", "<", "[", "\u0085", "%"])
        for _ in range(3)
    )
    return f"{scheme}{draw.choice(_HOSTS)}/{rest if draw.random() < 0.7 else draw.choice(_ORDINARY)}"


def answers_to_iri(iri: str, draw: Random) -> Iterator[str]:
    """Yield the URI of an IRI with some changes."""
    for text in (iri, iri.replace(" ", "%20").replace("<", "%3C")):
        yield text
        yield encoded(text)
        yield lower_of(encoded(text), iri)
        for host in _HOSTS:
            if f"//{host}/" in text or f"@{host}/" in text:
                with_name = text.replace(f"{host}/", f"{draw.choice(_NAMES)}/", 1)
                yield encoded(with_name)
                yield lower_of(encoded(with_name), iri)


def lower_of(uri: str, iri: str) -> str:
    """Return a URI in which triplets that the IRI does not have are in lower case."""
    return re.sub(
        "%[0-9A-F]{2}", lambda triplet: triplet[0] if triplet[0] in iri else triplet[0].lower(), uri
    )


@pytest.mark.parametrize("count", _COUNTS)
def test_a_uri_is_admitted_where_the_second_method_admits_it(count):
    draw = Random(seed_of(count))
    verdicts: Counter[bool] = Counter()
    for _ in range(count):
        iri = iris(draw)
        for answer in answers_to_iri(iri, draw):
            admitted = is_admitted_uri(iri, answer)
            if problem_of(iri, "rfc3987") is None and iri.isascii():
                admitted = answer == iri
            assert admission_of_uri(iri, answer).admitted == admitted, ascii((iri, answer))
            verdicts[admitted] += 1
    assert min(verdicts[True], verdicts[False]) > count // 2
