"""IRIs as URIs and URIs as IRIs: the RFC's examples, the reasons why triplets stay, and the choices."""

from __future__ import annotations

import pytest

from urloracle.grammar.alphabet import PRIVATE, UCS
from urloracle.rfc.mapping import (
    UNSAFE,
    Characters,
    as_triplets,
    domain_of,
    encoded_for_uri,
    examined,
    iri_forms,
    percent_encoded,
    prepared_name,
    query_of,
    to_ascii,
    to_iri,
    uri_forms,
)

ALPHA = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = Characters(frozenset(f"{ALPHA}0123456789-._~") | UCS, frozenset(":/?#[]@!$&'()*+,;="), PRIVATE)


def texts(forms):
    """Return the admissible texts."""
    return {forms.text, *(form.text for form in forms.also)}


def texts_admitted_by(forms, ruling):
    """Return the texts that a ruling admits."""
    return [form.text for form in forms.also if form.ruling == ruling]


def iri_forms_of(uri):
    """Return the IRIs of a whole URI."""
    return iri_forms(uri, LETTERS, query_of(uri), is_whole=True)


#: IRIs and their URIs; those with a section are the RFC's examples.
URIS = {
    "section-3.1-idn": ("http://r\u00e9sum\u00e9.example.org", "http://r%C3%A9sum%C3%A9.example.org"),
    "section-3.1-triplets": (
        "http://www.example.org/red%09ros\u00e9#red",
        "http://www.example.org/red%09ros%C3%A9#red",
    ),
    "section-3.1-beyond-the-bmp": (
        "http://example.com/\U00010300\U00010301\U00010302",
        "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82",
    ),
    "section-3.1-idn-in-a-query": (
        "http://validator.w3.org/check?uri=http%3A%2F%2Fr\u00e9sum\u00e9.example.org",
        "http://validator.w3.org/check?uri=http%3A%2F%2Fr%C3%A9sum%C3%A9.example.org",
    ),
    "not-composed": ("http://a/e\u0301", "http://a/e%CC%81"),
    "uri": ("HTTP://A/%c3?%41#[x]", "HTTP://A/%c3?%41#[x]"),
    "empty": ("", ""),
    "private": ("?\ue000\U0010fffd", "?%EE%80%80%F4%8F%BF%BD"),
    "two-bytes": ("\u00a0\u07ff", "%C2%A0%DF%BF"),
    "three-bytes": ("\u0800\uffef", "%E0%A0%80%EF%BF%AF"),
}


@pytest.mark.parametrize("name", URIS)
def test_characters_beyond_ascii_are_encoded(name):
    iri, uri = URIS[name]
    assert uri_forms(iri, is_whole=True).text == uri


@pytest.mark.parametrize("name", URIS)
def test_the_mapping_is_idempotent(name):
    _, uri = URIS[name]
    assert percent_encoded(uri) == uri


def test_a_uri_has_only_one_mapping():
    assert uri_forms("http://a/%c3%A9", is_whole=True).also == ()


def test_new_triplets_may_have_lower_case_digits():
    forms = uri_forms("http://a/%C3%BC\u00e9", is_whole=True)
    assert texts_admitted_by(forms, "R-3987-38") == ["http://a/%C3%BC%c3%a9"]


#: An IRI, and the URI with the IDNA form of its host.
IDN = {
    "http": ("http://r\u00e9sum\u00e9.example.org/", "http://xn--rsum-bpad.example.org/"),
    "upper-case-scheme": ("HTTP://\u00e9/", "HTTP://xn--9ca/"),
    "with-userinfo-and-port": ("ftp://\u00fc@\u00e9.org:21/\u00fc", "ftp://%C3%BC@xn--9ca.org:21/%C3%BC"),
    "sharp-s": ("http://fa\u00df.de", "http://fass.de"),
    "ideographic-full-stop": ("http://\u00e9\u3002org", "http://xn--9ca.org"),
    "root": ("http://\u00e9.org./", "http://xn--9ca.org./"),
}


@pytest.mark.parametrize("name", IDN)
def test_the_host_may_be_in_its_idna_form(name):
    iri, converted = IDN[name]
    assert converted in texts_admitted_by(uri_forms(iri, is_whole=True), "R-3987-19")


#: IRIs with no host that IDNA converts.
WITHOUT_IDN = {
    "no-scheme": "//\u00e9.org/",
    "other-scheme": "x://\u00e9.org/",
    "ascii-host": "http://a.org/\u00e9",
    "encoded-host": "http://r%C3%A9.org/\u00e9",
    "address": "http://[::1]/\u00e9",
    "no-host": "http:\u00e9",
    "not-in-the-path": "http:/\u00e9//\u00e9/",
}


@pytest.mark.parametrize("iri", WITHOUT_IDN.values(), ids=WITHOUT_IDN)
def test_an_iri_without_such_a_host_has_no_idna_form(iri):
    assert texts_admitted_by(uri_forms(iri, is_whole=True), "R-3987-19") == []


def test_a_component_has_no_idna_form():
    assert texts_admitted_by(uri_forms("http://\u00e9/", is_whole=False), "R-3987-19") == []


#: Hosts for which ToASCII fails: a label with an underscore, one that is too long, an empty one, a delimiter.
NO_DOMAINS = [
    "a_\u00e9",
    "\u00e9" * 60,
    "\u00e9..org",
    "\uff0f\u00e9",
    "-\u00e9",
    "\u00e9%41",
    "\u3002",
    "\u2024\u00e9",
]


@pytest.mark.parametrize("host", NO_DOMAINS, ids=ascii)
def test_an_iri_whose_host_is_no_domain_name_may_be_refused(host):
    forms = uri_forms(f"http://{host}/", is_whole=True)
    assert texts_admitted_by(forms, "R-3987-21") == [None]


@pytest.mark.parametrize("host", NO_DOMAINS, ids=ascii)
def test_an_iri_whose_host_is_no_domain_name_has_no_idna_form(host):
    forms = uri_forms(f"http://{host}/", is_whole=True)
    assert texts_admitted_by(forms, "R-3987-19") == []


@pytest.mark.parametrize("host", NO_DOMAINS, ids=ascii)
def test_nameprep_leaves_what_is_no_domain_name(host):
    """It could turn a character into a delimiter."""
    assert prepared_name(host) == host


@pytest.mark.parametrize(
    ("host", "prepared"),
    [("\u00c9X.org", "\u00e9x.org"), ("EX.org", "EX.org"), ("\u00c9\u3002A", "\u00e9.a")],
    ids=ascii,
)
def test_nameprep_folds_the_case_of_domain_names_beyond_ascii(host, prepared):
    assert prepared_name(host) == prepared


@pytest.mark.parametrize("host", ["a.b", "A-1.b.", "xn--9ca"])
def test_a_domain_name_of_ascii_is_its_own_idna_form(host):
    assert to_ascii(host) == host


@pytest.mark.parametrize("char", sorted(UNSAFE))
def test_the_printable_characters_that_no_uri_has_may_be_encoded(char):
    (form,) = encoded_for_uri(f"http://a/{char}\u00e9")
    assert form.text == f"http://a/{as_triplets(char)}%C3%A9"
    assert form.ruling == "R-3987-25"


@pytest.mark.parametrize("char", "\u0080\ufdd0\ufffd\U000e0001\ue000", ids=ascii)
def test_characters_that_no_iri_has_there_may_be_encoded(char):
    (form,) = encoded_for_uri(f"/{char}")
    assert form.text == f"/{as_triplets(char)}"
    assert form.ruling == "R-3987-46"


@pytest.mark.parametrize("text", ["/#%[]", "/\x00\n", "/\ud800", "/ \ud800"], ids=ascii)
def test_delimiters_controls_and_surrogates_may_not_be_encoded(text):
    assert list(encoded_for_uri(text)) == []


#: URIs and their IRIs; those with a section are the RFC's examples.
IRIS = {
    "section-3.2.1-utf-8": ("http://www.example.org/D%C3%BCrst", "http://www.example.org/D\u00fcrst"),
    "section-3.2.1-latin-1": ("http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"),
    "section-3.2.1-override": (
        "http://xn--99zt52a.example.org/%e2%80%ae",
        "http://xn--99zt52a.example.org/%E2%80%AE",
    ),
    "section-3.2-guess": ("http://www.example.org/r%E9sum%E9.html", "http://www.example.org/r%E9sum%E9.html"),
    "unreserved": ("http://a/%41%7E%2d", "http://a/A~-"),
    "legal-beside-illegal": ("/%C3%A9%FC", "/\u00e9%FC"),
    "illegal-beside-legal": ("/%C3%C3%A9", "/%C3\u00e9"),
    "beyond-the-bmp": ("/%F0%90%8C%80", "/\U00010300"),
    "host": ("//%C3%A9%41/", "//\u00e9A/"),
    "userinfo": ("//%C3%A9@h/", "//\u00e9@h/"),
    "fragment": ("#%C3%A9", "#\u00e9"),
    "becomes-an-address": ("//1%2E2.3.4", "//1.2.3.4"),
    "empty": ("", ""),
}


@pytest.mark.parametrize("name", IRIS)
def test_triplets_of_characters_that_an_iri_may_have_are_decoded(name):
    uri, iri = IRIS[name]
    assert to_iri(uri, LETTERS, query_of(uri)) == iri


@pytest.mark.parametrize("name", IRIS)
def test_the_recommended_iri_is_the_one_that_the_uri_is_converted_to(name):
    uri, iri = IRIS[name]
    assert iri_forms_of(uri).text == iri


#: Triplets, and why they stay.
KEPT = {
    "%2f": "reserved",
    "%3A": "reserved",
    "%25": "reserved",
    "%2B": "reserved",
    "%20": "not-in-uris",
    "%0A": "not-in-uris",
    "%7F": "not-in-uris",
    "%3C": "not-in-uris",
    "%FC": "no-utf-8",
    "%C0": "no-utf-8",
    "%80": "no-utf-8",
    "%C2%85": "not-in-iris",
    "%EF%B7%90": "not-in-iris",
    "%EF%BF%BD": "not-in-iris",
    "%F3%A0%80%81": "not-in-iris",
    "%F0%9F%BF%BE": "not-in-iris",
    "%EE%80%80": "private",
    "%F4%8F%BF%BD": "private",
    "%E2%80%8E": "formatting",
    "%E2%80%8F": "formatting",
    "%E2%80%AA": "formatting",
    "%E2%80%AE": "formatting",
}


@pytest.mark.parametrize("triplets", KEPT)
def test_a_triplet_stays_whose_character_an_iri_may_not_have(triplets):
    uri = f"/a{triplets}b"
    assert to_iri(uri, LETTERS, query_of(uri)) == uri


@pytest.mark.parametrize("triplets", KEPT)
def test_a_triplet_stays_for_a_reason(triplets):
    uri = f"/a{triplets}b"
    (encoded,) = examined(uri, LETTERS, query_of(uri))
    assert encoded.offset == len("/a")
    assert encoded.written == triplets
    assert encoded.reason == KEPT[triplets]


#: Bytes that are no UTF-8: overlong forms, surrogates, above U+10FFFF, cut sequences.
ILLEGAL = [
    "C0AF",
    "E080AF",
    "F08080AF",
    "EDA080",
    "EDB080EDA080",
    "F4908080",
    "F8888080",
    "E282",
    "F09080",
    "FE",
    "FF",
]


def path_of_triplets(digits):
    """Return a path whose only segment has a triplet for every two hex digits."""
    return "/" + "".join(f"%{digits[index : index + 2]}" for index in range(0, len(digits), 2))


@pytest.mark.parametrize("digits", ILLEGAL)
def test_triplets_of_bytes_that_are_no_utf_8_stay(digits):
    uri = path_of_triplets(digits)
    assert to_iri(uri, LETTERS, query_of(uri)) == uri


@pytest.mark.parametrize("digits", ILLEGAL)
def test_triplets_stay_for_the_reason_that_their_bytes_are_no_utf_8(digits):
    uri = path_of_triplets(digits)
    reasons = {encoded.reason for encoded in examined(uri, LETTERS, query_of(uri))}
    assert reasons == {"no-utf-8"}


@pytest.mark.parametrize("digits", ["%2f", "%7c", "%25%3a"])
def test_triplets_that_are_never_decoded_keep_their_case(digits):
    """RFC 3987, section 3.2, step 2: a reserved character, one that no URI has, and the percent sign."""
    uri = f"/{digits}"
    assert to_iri(uri, LETTERS, query_of(uri)) == uri


@pytest.mark.parametrize("digits", ["%fc", "%e2%80%ae", "%ee%80%80", "%c2%85"])
def test_triplets_that_are_encoded_again_have_upper_case_digits(digits):
    """RFC 3987, section 3.2, steps 3 and 4: no UTF-8; a formatting, a private and a control character."""
    uri = f"/{digits}"
    assert to_iri(uri, LETTERS, query_of(uri)) == uri.upper()


#: A URI, and its IRIs.
CHOICES = {
    "case": ("/%2f%fc", {"/%2f%FC", "/%2f%fc", "/%2F%FC"}),
    "private-in-a-query": ("?%EE%80%80", {"?\ue000", "?%EE%80%80"}),
    "private-elsewhere": ("/%EE%80%80#%EE%80%80", {"/%EE%80%80#%EE%80%80"}),
    "private-after-a-second-question-mark": ("??%EE%80%80", {"??\ue000", "??%EE%80%80"}),
    "private-in-a-fragment": ("#?%EE%80%80", {"#?%EE%80%80"}),
    "dot-segments": ("/%2e/a%2e/%2E.", {"/./a./..", "/%2e/a./%2E."}),
    "dots-in-a-query": ("?/%2E", {"?/."}),
    "ace": ("http://xn--9ca.org/%C3%A9", {"http://xn--9ca.org/\u00e9", "http://\u00e9.org/\u00e9"}),
    "ace-of-another-scheme": ("x://xn--9ca.org/", {"x://xn--9ca.org/"}),
    "ace-that-is-none": ("http://xn--a.org/", {"http://xn--a.org/"}),
    "ace-in-a-path": ("http://a/xn--9ca", {"http://a/xn--9ca"}),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_uri_has_every_iri_that_a_ruling_admits(name):
    uri, admitted = CHOICES[name]
    assert texts(iri_forms_of(uri)) == admitted


PRIVATE_CHARACTER = "%EE%80%80"


def test_a_component_that_is_a_query_may_have_private_characters():
    whole_component = range(len(PRIVATE_CHARACTER))
    assert to_iri(PRIVATE_CHARACTER, LETTERS, query=whole_component) == "\ue000"


def test_a_component_that_is_no_query_may_not_have_private_characters():
    assert to_iri(PRIVATE_CHARACTER, LETTERS, query=range(0)) == PRIVATE_CHARACTER


@pytest.mark.parametrize("name", [*URIS, *IDN])
def test_an_iri_maps_to_a_text_of_ascii(name):
    iri, _ = {**URIS, **IDN}[name]
    assert [text for text in texts(uri_forms(iri, is_whole=True)) if not text.isascii()] == []


@pytest.mark.parametrize(
    ("iri", "host"),
    [
        ("http://a.b/", "a.b"),
        ("HTTPS://u:p@\u00e9:1?@", "\u00e9"),
        ("ws://", ""),
    ],
    ids=ascii,
)
def test_the_host_of_a_scheme_with_domain_names_is_found(iri, host):
    assert domain_of(iri).text == host


@pytest.mark.parametrize("iri", ["x://a/", "//a"], ids=["another-scheme", "no-scheme"])
def test_a_host_without_a_scheme_that_has_domain_names_is_no_domain(iri):
    assert domain_of(iri) is None
