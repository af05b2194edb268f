"""Which answers of a mapping are admitted, by which rulings, and why others are not."""

from __future__ import annotations

import pytest

from urloracle import Unsupported
from urloracle.operations import (
    admission_of_iri,
    admission_of_uri,
    examined_triplets,
    rulings_on_further_uris,
)
from urloracle.rfc.admission import ruling_on_triplets

# ---- section 3.1

#: An IRI, an admitted URI (None: a refusal), and the rulings that admit it.
URIS = {
    "recommended": ("http://a/\u00e9", "http://a/%C3%A9", ()),
    "uri": ("HTTP://a/%c3", "HTTP://a/%c3", ()),
    "lower-case": ("/\u00e9%C3", "/%c3%a9%C3", ("R-3987-38",)),
    "idna-of-2003": ("http://fa\u00df.de/", "http://fass.de/", ("R-3987-19",)),
    "idna-of-2008": ("http://fa\u00df.de/", "http://xn--fa-hia.de/", ("R-3987-19", "R-3987-20")),
    "idna-of-2008-in-capitals": (
        "http://FA\u00df.\u00c9/",
        "http://xn--fa-hia.xn--9ca/",
        ("R-3987-19", "R-3987-20"),
    ),
    "idna-of-2008-with-a-joiner": (
        "http://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com/",
        "http://xn--mgba3gch31f060k.com/",
        ("R-3987-19", "R-3987-20"),
    ),
    "idna-of-2008-with-a-stop": (
        "http://\u00df\u3002de./",
        "http://xn--zca.de./",
        ("R-3987-19", "R-3987-20"),
    ),
    "idna-and-lower-case": ("http://\u00e9/\u00e9", "http://xn--9ca/%c3%a9", ("R-3987-19", "R-3987-38")),
    "blank": ("/ \u00e9", "/%20%C3%A9", ("R-3987-25",)),
    "less-in-lower-case": ("/<\u00e9", "/%3c%c3%a9", ("R-3987-25", "R-3987-38")),
    "control": ("/\u0085", "/%C2%85", ("R-3987-46",)),
    "private-in-lower-case": ("/\ue000", "/%ee%80%80", ("R-3987-46", "R-3987-38")),
    "blank-and-idna": ("http://\u00e9/ ", "http://xn--9ca/%20", ("R-3987-25", "R-3987-19")),
    "refusal-of-what-is-no-iri": ("/ ", None, ()),
    "refusal-of-half-a-pair": ("/\ud800", None, ()),
    "refusal-of-formatting": ("/\u202e", None, ("R-3987-06",)),
    "refusal-of-an-underscore": ("http://a_\u00e9/", None, ("R-3987-21",)),
    "refusal-of-a-symbol": ("http://\u2603.net/", None, ("R-3987-20",)),
    "refusal-of-a-joiner": ("http://a\u200db/", None, ("R-3987-20",)),
    "refusal-of-a-joiner-after-alef": ("http://\u0627\u200c\u0628/", None, ("R-3987-20",)),
    "refusal-of-hyphens": ("http://ab--\u00e9/", None, ("R-3987-20",)),
    "refusal-of-a-mark": ("http://\u0301a/", None, ("R-3987-20",)),
}


@pytest.mark.parametrize("name", URIS)
def test_an_answer_is_admitted_by_rulings(name):
    iri, answer, rulings = URIS[name]
    admission = admission_of_uri(iri, answer)
    assert admission.admitted
    assert admission.rulings == rulings


#: An IRI, an answer that is not admitted, and the reason.
WRONG_URIS = {
    "refusal": ("/\u00e9", None, "the text is an IRI, and has a URI"),
    "refusal-of-a-name": ("http://\u00e9.org/", None, "the text is an IRI, and has a URI"),
    "refusal-of-a-symbol-of-another-scheme": ("x://\u2603/", None, "the text is an IRI, and has a URI"),
    "refusal-of-a-joiner-between-letters": (
        "http://\u0628\u200c\u0628/",
        None,
        "the text is an IRI, and has a URI",
    ),
    "refusal-of-a-joiner-after-a-virama": (
        "http://\u0915\u094d\u200d\u0937/",
        None,
        "the text is an IRI, and has a URI",
    ),
    "unchanged": ("/\u00e9", "/\u00e9", "it is no URI"),
    "composed": ("/e\u0301", "/%C3%A9", "no admitted URI continues as this one does at offset 1"),
    "surrogates": (
        "/\U00010300",
        "/%ED%A0%80%ED%BC%80",
        "no admitted URI continues as this one does at offset 2",
    ),
    "scheme-in-lower-case": (
        "HTTP://a/\u00e9",
        "http://a/%C3%A9",
        "no admitted URI continues as this one does at offset 0",
    ),
    "mixed-case": (
        "/\u00e9\u00e9",
        "/%C3%A9%c3%a9",
        "no admitted URI continues as this one does at offset 8",
    ),
    "uri-changed": ("/%c3", "/%C3", "no admitted URI continues as this one does at offset 2"),
    "idna-of-another-scheme": (
        "x://\u00e9/",
        "x://xn--9ca/",
        "no admitted URI continues as this one does at offset 4",
    ),
    "idna-of-another-letter": (
        "http://fass.\u00e9/",
        "http://xn--fa-hia.xn--9ca/",
        "no admitted URI continues as this one does at offset 7",
    ),
    "bracket-encoded": (
        "/[\u00e9]",
        "/%5B%C3%A9%5D",
        "no admitted URI continues as this one does at offset 1",
    ),
    "percent-sign-encoded": ("/%", "/%25", "no admitted URI continues as this one does at offset 2"),
    "replacement-of-half-a-pair": (
        "/\ud800",
        "/%EF%BF%BD",
        "no admitted URI continues as this one does at offset 0",
    ),
}


@pytest.mark.parametrize("name", WRONG_URIS)
def test_an_answer_is_not_admitted_for_a_reason(name):
    iri, answer, reason = WRONG_URIS[name]
    admission = admission_of_uri(iri, answer)
    assert not admission.admitted
    assert admission.reason == reason


def test_a_component_has_no_name():
    assert not admission_of_uri("\u00e9", "xn--9ca", rule="ireg-name").admitted


#: An IRI, and the rulings by which answers are admitted that the forms do not list.
FURTHER = {
    "name": ("http://fa\u00df.de/", ("R-3987-20",)),
    "name-of-one-form": ("http://\u00e9.de/", ()),
    "formatting": ("/\u202e", ("R-3987-06",)),
    "no-iri": ("/<", ("R-3987-38",)),
    "no-iri-without-letters-in-digits": ("/ ", ()),
    "neither": ("/[", ()),
    "uri": ("/a", ()),
}


@pytest.mark.parametrize("name", FURTHER)
def test_the_rulings_on_further_uris_are_named(name):
    iri, rulings = FURTHER[name]
    assert rulings_on_further_uris(iri) == rulings


# ---- section 3.2

#: A URI, an admitted IRI (None: a refusal), and the rulings that admit it.
IRIS = {
    "recommended": ("/%C3%A9%41", "/\u00e9A", ()),
    "doubtful-decoded": ("/%E3%80%80", "/\u3000", ()),
    "doubtful-kept": ("/%e3%80%80", "/%E3%80%80", ("R-3987-08",)),
    "one-of-two-kept": ("/%E3%80%80%EF%BC%A1", "/%E3%80%80\uff21", ("R-3987-08",)),
    "later-formatting-kept": ("/%D8%9C", "/%D8%9C", ("R-3987-07",)),
    "case-kept": ("/%c3%a9%c2%85", "/\u00e9%c2%85", ("R-3987-10",)),
    "case-and-doubtful-kept": ("/%e3%80%80", "/%e3%80%80", ("R-3987-08",)),
    "all-in-upper-case": ("/%2f%C3%A9", "/%2F\u00e9", ("R-3987-10",)),
    "private-kept": ("?%EE%80%80", "?%EE%80%80", ("R-3987-09",)),
    "dots-kept": ("/%2e%2e/a", "/%2e%2e/a", ("R-3987-15",)),
    "unicode-host": ("http://xn--9ca/?%EE%80%80", "http://\u00e9/?\ue000", ("R-3987-23",)),
    "unicode-host-of-2008": ("http://xn--fa-hia/", "http://fa\u00df/", ("R-3987-23", "R-3987-20")),
    "unicode-host-of-triplets": ("http://xn--9%63a/", "http://\u00e9/", ("R-3987-23",)),
    "unicode-host-and-doubtful": (
        "http://xn--9ca/%E3%80%80",
        "http://\u00e9/%E3%80%80",
        ("R-3987-23", "R-3987-08"),
    ),
    "iri-refused": ("/\u00e9", None, ()),
    "iri-kept": ("/\u00e9%C3%A9", "/\u00e9\u00e9", ("R-3987-16",)),
    "neither-refused": ("/[", None, ()),
}


@pytest.mark.parametrize("name", IRIS)
def test_an_iri_is_admitted_by_rulings(name):
    uri, answer, rulings = IRIS[name]
    admission = admission_of_iri(uri, answer)
    assert admission.admitted
    assert admission.rulings == rulings


#: A URI, an answer that is not admitted, and the reason.
WRONG_IRIS = {
    "refusal": ("/%C3%A9", None, "the text is a URI, and has an IRI"),
    "neither-answered": ("/[", "/[", "the text is neither a URI nor an IRI"),
    "letter-kept": ("/%C3%A9", "/%C3%A9", "%C3%A9 at offset 1 must be decoded"),
    "letter-kept-after-a-doubtful-one": (
        "/%E3%80%80%C3%A9",
        "/%E3%80%80%C3%A9",
        "%C3%A9 at offset 10 must be decoded",
    ),
    "override-decoded": ("/%E2%80%AE", "/\u202e", "%E2%80%AE at offset 1 must stay"),
    "slash-decoded": ("/%2f", "//", "%2f at offset 1 must stay"),
    "blank-decoded": ("/%20", "/ ", "it is no IRI"),
    "private-decoded-in-the-path": ("/%EE%80%80", "/\ue000", "it is no IRI"),
    "part-of-a-character-kept": ("/%C3%A9", "/%C3\u00e9", "%C3%A9 at offset 1 must be decoded"),
    "scheme-changed": (
        "HTTP://a/%C3%A9",
        "http://a/\u00e9",
        "the text beside the triplets is changed at offset 0",
    ),
    "end-added": ("/%C3%A9", "/\u00e9/", "the text beside the triplets is changed at offset 2"),
    "cases-mixed": ("/%c2%85%c2%86", "/%C2%85%c2%86", "%c2%86 at offset 7 must stay"),
    "host-of-another-scheme": (
        "x://xn--9ca/",
        "x://\u00e9/",
        "the text beside the triplets is changed at offset 0",
    ),
    "host-that-is-no-name": (
        "http://xn--a/",
        "http://\u0080/",
        "it is no IRI",
    ),
}


@pytest.mark.parametrize("name", WRONG_IRIS)
def test_an_iri_is_not_admitted_for_a_reason(name):
    uri, answer, reason = WRONG_IRIS[name]
    admission = admission_of_iri(uri, answer)
    assert not admission.admitted
    assert admission.reason == reason


def test_triplets_that_may_stay_are_named():
    rulings = {
        encoded.written: ruling_on_triplets(encoded)
        for encoded in examined_triplets("/%C3%A9%E3%80%80%D8%9C%FC%20%E2%80%AE")
    }
    assert {written: ruling for written, ruling in rulings.items() if ruling is not None} == {
        "%E3%80%80": "R-3987-08",
        "%D8%9C": "R-3987-07",
    }


def test_a_query_may_have_private_characters():
    """RFC 3987, section 2.2: only queries have `iprivate`."""
    assert admission_of_iri("%EE%80%80", "\ue000", rule="iquery").admitted


@pytest.mark.parametrize("admission_of", [admission_of_uri, admission_of_iri])
def test_only_the_rfc_on_iris_admits_mappings(admission_of):
    with pytest.raises(Unsupported, match="RFC 3986 does not define"):
        admission_of("/", "/", "rfc3986")


@pytest.mark.parametrize("admission_of", [admission_of_uri, admission_of_iri])
def test_an_answer_must_be_text(admission_of):
    with pytest.raises(TypeError):
        admission_of("/", 1)


def test_many_doubtful_characters_are_judged_at_once():
    uri = "/" + "%E3%80%80" * 10_000
    assert admission_of_iri(uri, uri).admitted
