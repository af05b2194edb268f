"""The classes of what libraries get wrong between IRIs and URIs."""

from __future__ import annotations

import pytest

from urlharness.corpus.loader import load, load_classes
from urlharness.explain.mapping_classes import MAPPING_CLASSES, class_of_mapping

#: An IRI, and its class.
IRIS = {
    "beyond-the-bmp": ("/\U00010300", "beyond-bmp"),
    "override": ("/\u202e", "bidi-formatting"),
    "mark": ("/e\u0301", "character-normalization"),
    "angstrom": ("/\u212b", "character-normalization"),
    "host": ("http://\u00e9/", "ireg-name"),
    "host-of-another-scheme": ("x://\u00e9/", "non-ascii"),
    "private": ("?\ue000", "private-character"),
    "private-in-a-path": ("/\ue000", "private-character"),
    "control-beyond-ascii": ("/\u0085", "excluded-character"),
    "half-of-a-pair": ("/\ud800", "excluded-character"),
    "letter": ("/\u00e9", "non-ascii"),
    "uri": ("HTTP://a/%c3", "mapping-of-uri"),
    "blank": ("/ \u00e9", "white-space"),
    "less": ("/<\u00e9", "unsafe-character"),
    "bracket": ("/[\u00e9]", "bracket"),
    "percent-sign": ("/%", "bad-escape"),
}


@pytest.mark.parametrize("name", IRIS)
def test_an_iri_has_the_class_of_its_rarest_character(name):
    text, entry = IRIS[name]
    assert class_of_mapping("to_uri", text) == entry


#: A URI, and its class.
URIS = {
    "override": ("/%E2%80%AE", "bidi-formatting"),
    "override-beside-a-letter": ("/%C3%A9%E2%80%AE", "bidi-formatting"),
    "override-after-a-blank": ("/%20%E2%80%AE", "bidi-formatting"),
    "overlong-after-one-beyond-the-bmp": ("/%F0%90%8C%80%C0%AF", "illegal-utf-8"),
    "private": ("/%EE%80%80", "private-character"),
    "private-in-a-query": ("?%EE%80%80", "private-character"),
    "noncharacter": ("/%EF%B7%90", "excluded-character"),
    "overlong": ("/%C0%AF", "illegal-utf-8"),
    "blank": ("/%20", "not-in-uris"),
    "slash": ("/%2F", "encoded-delimiter"),
    "look-alike": ("/%EF%BC%8F", "inappropriate-character"),
    "beyond-the-bmp": ("/%F0%90%8C%80", "beyond-bmp"),
    "name": ("http://xn--9ca/%C3%A9", "ireg-name"),
    "mark": ("/e%CC%81", "ucs-triplet"),
    "letter-and-mark": ("/%65%CC%81", "character-normalization"),
    "letter": ("/%C3%A9", "ucs-triplet"),
    "unreserved": ("/%41", "escaped-unreserved"),
    "no-triplet": ("/a", "mapping-of-uri"),
    "iri": ("/\u00e9", "non-ascii"),
    "no-iri": ("/\u0085", "excluded-character"),
    "no-uri": ("/|", "unsafe-character"),
}


@pytest.mark.parametrize("name", URIS)
def test_a_uri_has_the_class_of_its_rarest_triplet(name):
    text, entry = URIS[name]
    assert class_of_mapping("to_iri", text) == entry


#: An operation, a text of several classes, a wrong answer, and the class that it shows.
SHOWN = {
    "blank": ("to_iri", "/%E2%80%AE%20", "/%E2%80%AE ", "not-in-uris"),
    "override": ("to_iri", "/%20%E2%80%AE", "/%20\u202e", "bidi-formatting"),
    "private": ("to_iri", "/%E2%80%AE%EE%80%80", "/%E2%80%AE\ue000", "private-character"),
    "noncharacter": ("to_iri", "/%E2%80%AE%EF%B7%90", "/%E2%80%AE\ufdd0", "excluded-character"),
    "composed": ("to_iri", "/%FC%65%CC%81", "/%FC\u00e9", "character-normalization"),
    "refused": ("to_iri", "/%FC%65%CC%81", "", "illegal-utf-8"),
    # U+202E is mapped as it should be, but U+10300 as two surrogates
    "surrogates": ("to_uri", "/\u202e\U00010300", "/%E2%80%AE%ED%A0%80%ED%BC%80", "beyond-bmp"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_answer_shows_which_class_of_a_text_is_wrong(name):
    operation, text, answer, entry = SHOWN[name]
    assert class_of_mapping(operation, text, [answer]) == entry


def test_the_classes_of_mappings_are_in_the_corpus():
    only_of_iris = {name for name, entry in load_classes().items() if set(entry.sections) == {"rfc3987"}}
    assert only_of_iris == MAPPING_CLASSES


def test_every_vector_of_a_mapping_has_a_class():
    vectors = [case.vector for case in load().cases if case.spec == "rfc3987"]
    mappings = [vector for vector in vectors if vector.op in ("to_uri", "to_iri")]
    assert len(mappings) > 500
    assert [vector.id for vector in mappings if vector.class_ is None] == []


def test_the_corpus_has_vectors_of_each_class_of_mappings():
    classes = {case.vector.class_ for case in load().cases if case.spec == "rfc3987"}
    assert classes >= MAPPING_CLASSES
