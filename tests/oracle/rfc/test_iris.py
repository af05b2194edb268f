"""RFC 3987 by its public functions: verdicts, components, mappings, normal forms and comparisons."""

from __future__ import annotations

import pytest

from urloracle import (
    InvalidURL,
    Unsupported,
    base_url,
    equivalent,
    extract,
    normal_forms,
    normalize,
    parse,
    recompose,
    resolve,
    to_iri,
    to_uri,
    validate,
)
from urloracle.operations import iri_forms, resolutions, uri_forms
from urloracle.readings import condition_in_words, other_verdicts
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification

RFC3987 = specification("rfc3987")

VALID = {
    "": "empty",
    "http://en.wiktionary.org/wiki/\u1fec\u03cc\u03b4\u03bf\u03c2": "letters",
    "/\U000e1000": "after-the-tags",
    "/\u0378": "unassigned",
    "/\u3000\u2028\ufeff\u200d\ufe0f": "invisible",
    "?\ue000\uf8ff\U000f0000\U0010fffd": "private-in-a-query",
    "a:?\ue000": "private-in-a-query-after-a-scheme",
    "//\uff11.1.1.1": "digits-that-make-a-name",
    "//1.1.1.1\u00e9": "name-that-begins-like-an-address",
    "/\uff0f\uff1a\uff1f\uff03\u2024": "look-alikes",
    "/\u05d0a": "both-directions",
    "/\u061c\u2066": "later-formatting-characters",
    "//\u00e9@\u00e9:1/\u00e9?\u00e9#\u00e9": "every-component",
}
INVALID = {
    "/\u0080": 1,
    "/\u009f": 1,
    "/\ufdd0": 1,
    "/\ufffd": 1,
    "/\U0001fffe": 1,
    "/\U000e0001": 1,
    "/\U000e0100": 1,
    "/\ue000": 1,
    "#\ue000": 1,
    "//\ue000@h": 2,
    "//\ue000": 2,
    "\u00e9:x": 1,
    "x\u00e9:": 2,
    "//a:\u0661/": 5,
    "//[v1.\u00e9]": 6,
    "//[::\u00e9]": 5,
    "http://[fe80::1%25en0]/": 15,
    "/\u00e9\n": 2,
    "/\U0001f600 ": 2,
}


def offset_of_error(text):
    """Return the offset at which `validate` refuses a text as an IRI, or None if it accepts the text."""
    try:
        validate(text, "rfc3987")
    except InvalidURL as error:
        return error.position
    return None


@pytest.mark.parametrize("text", VALID, ids=VALID.values())
def test_an_iri_is_valid(text):
    assert offset_of_error(text) is None


@pytest.mark.parametrize("text", INVALID, ids=ascii)
def test_what_is_no_iri_is_refused_with_its_offset_in_code_points(text):
    assert offset_of_error(text) == INVALID[text]


@pytest.mark.parametrize("half", [0xD800, 0xDFFF])
def test_half_of_a_surrogate_pair_is_refused(half):
    with pytest.raises(InvalidURL, match="offset 1"):
        validate(f"/{chr(half)}", "rfc3987")


def test_the_error_names_the_rules_of_characters_beyond_ascii():
    with pytest.raises(
        InvalidURL, match=r"U\+0080 at offset 1; expected .* ucschar iprivate \(section 2.2\)"
    ):
        validate("?\u0080", "rfc3987")


@pytest.mark.parametrize("char", "\u200e\u200f\u202a\u202b\u202c\u202d\u202e", ids=ascii)
class TestFormattingCharacters:
    """They are in the grammar, and section 4.1 forbids them (R-3987-06)."""

    def test_the_grammar_admits_them(self, char):
        assert offset_of_error(f"/{char}") is None

    def test_profile_prose_refuses_them(self, char):
        with pytest.raises(InvalidURL) as caught:
            validate(f"/a{char}", "rfc3987", profile="prose")
        assert caught.value.position == len("/a")
        assert caught.value.section == "4.1"

    def test_the_condition_is_told_of_a_valid_text(self, char):
        words = f"section 4.1 forbids U+{ord(char):04X} at offset 1, beside the grammar (profile prose)"
        assert condition_in_words(f"/{char}", RFC3987) == words

    def test_a_refusal_is_admitted(self, char):
        (verdict,) = other_verdicts(f"/{char}", RFC3987)
        assert not verdict.valid
        assert verdict.reading.ruling == "R-3987-06"

    def test_profile_prose_admits_no_other_verdict(self, char):
        assert other_verdicts(f"/{char}", RFC3987, profile="prose") == ()


def test_components_have_the_names_of_rfc_3986():
    """RFC 3987, section 2.2: the rules are those of RFC 3986 with an `i` before their names."""
    parts = parse("http://\u00fc@\u00e9:1/\u6f22?\ue123#\U0001f600", "rfc3987")
    assert parts._asdict() == {
        "scheme": "http",
        "authority": "\u00fc@\u00e9:1",
        "userinfo": "\u00fc",
        "host": "\u00e9",
        "port": "1",
        "path": "/\u6f22",
        "query": "\ue123",
        "fragment": "\U0001f600",
    }


def test_components_are_recomposed():
    """RFC 3986, section 5.3."""
    assert recompose({"scheme": "x", "host": "\u00e9", "path": "/\u6f22"}, "rfc3987") == "x://\u00e9/\u6f22"


def test_a_reference_is_resolved_as_by_rfc_3986():
    """RFC 3987, section 6.5: the algorithms of RFC 3986 apply directly."""
    assert resolve("http://\u00e9/b/c", "../\u6f22?\ue123", "rfc3987").text == "http://\u00e9/\u6f22?\ue123"


def test_the_base_may_be_normalized_first():
    """R-3986-11."""
    also = resolutions("http://a/%C3%A9/", "g", "rfc3987").also
    assert [form.text for form in also] == ["http://a/\u00e9/g"]


def test_the_base_of_the_innermost_layer_applies():
    """RFC 3986, section 5.1, which RFC 3987, section 6.5, takes over."""
    assert base_url("rfc3987", embedded="\u00fc", retrieval="http://\u00e9/").url == "http://\u00e9/\u00fc"


@pytest.mark.parametrize("embedded", ["\u00e9", "/\u0080"], ids=["relative", "invalid"])
def test_the_error_of_a_refused_base_names_rfc_3987(embedded):
    with pytest.raises(InvalidURL, match="RFC 3987"):
        base_url("rfc3987", embedded=embedded)


#: A text, its normal form, and the other forms that are admitted.
NORMAL_FORMS = {
    "letters": ("http://a/%C3%A9%7E", "http://a/\u00e9~", ["http://a/%C3%A9~"]),
    "override": ("http://a/%e2%80%ae", "http://a/%E2%80%AE", []),
    "raw-override": ("http://a/\u202e", "http://a/\u202e", []),
    "private": ("/%ee%80%80", "/%EE%80%80", []),
    "private-in-a-query": ("?%ee%80%80", "?\ue000", ["?%EE%80%80"]),
    "no-utf-8": ("a:%f9%a8%8e%80", "a:%F9%A8%8E%80", []),
    "not-composed": ("/e\u0301", "/e\u0301", []),
    "dots": ("HTTP://a/\u00e9/../%2e/b", "http://a/b", []),
    "host-of-ascii": ("x://%99B/", "x://%99b/", []),
    "host-beyond-ascii": ("x://\u00c9X/", "x://\u00c9X/", ["x://\u00c9x/"]),
    "encoded-host": ("x://%C3%89X/", "x://\u00c9x/", ["x://\u00c9X/", "x://%C3%89x/"]),
    "userinfo": ("x://%C3%A9@h/", "x://\u00e9@h/", ["x://%C3%A9@h/"]),
    "kelvin": ("x://\u212a/", "x://\u212a/", []),
    "encoded-dots-of-a-reference": ("%2E%2E/\u00e9", "../\u00e9", ["%2E%2E/\u00e9"]),
}


@pytest.mark.parametrize("name", NORMAL_FORMS)
def test_a_text_has_its_normal_form(name):
    text, form, _ = NORMAL_FORMS[name]
    assert normalize(text, "rfc3987") == form


@pytest.mark.parametrize("name", NORMAL_FORMS)
def test_a_text_has_the_normal_forms_that_rulings_admit(name):
    text, _, other_forms = NORMAL_FORMS[name]
    assert [admitted_form.text for admitted_form in normal_forms(text, "rfc3987").also] == other_forms


@pytest.mark.parametrize("name", NORMAL_FORMS)
def test_the_recommended_one_of_all_normal_forms_is_the_normal_form(name):
    text, form, _ = NORMAL_FORMS[name]
    assert normal_forms(text, "rfc3987").text == form


#: The same in mode `scheme`.
NORMAL_FORMS_OF_SCHEMES = {
    "domain": ("http://\u00c9X.org", "http://\u00e9x.org/"),
    "encoded-domain": ("http://%C3%89X.org/", "http://\u00e9x.org/"),
    "other-scheme": ("x://\u00c9X.org/", "x://\u00c9X.org/"),
    "ace": ("http://XN--9CA.org:80", "http://xn--9ca.org/"),
    "no-domain": ("http://\u00c9_X/", "http://\u00c9_X/"),
    "full-stop": ("http://\u00e9\u3002org/", "http://\u00e9.org/"),
    "solidus": ("http://\u00e9\uff0fx/", "http://\u00e9\uff0fx/"),
}


@pytest.mark.parametrize("name", NORMAL_FORMS_OF_SCHEMES)
def test_a_text_has_its_normal_form_by_its_scheme(name):
    text, form = NORMAL_FORMS_OF_SCHEMES[name]
    assert normalize(text, "rfc3987", "scheme") == form


#: Two texts, and by mode the verdict and the other verdict if one is admitted.
PAIRS = {
    "section-5.3.2": (
        "example://a/b/c/%7Bfoo%7D/ros\u00e9",
        "eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9",
        {"simple": [False], "syntax": [True], "scheme": [True]},
    ),
    "section-5.3.2.2": (
        "http://www.example.org/r\u00e9sum\u00e9.html",
        "http://www.example.org/re\u0301sume\u0301.html",
        {"simple": [False], "syntax": [False], "scheme": [False]},
    ),
    "section-5.3.3": (
        "http://r\u00e9sum\u00e9.example.org",
        "http://xn--rsum-bpad.example.org",
        {"simple": [False], "syntax": [False], "scheme": [False, True]},
    ),
    "identical": ("x:\u00e9", "x:\u00e9", {"simple": [True], "syntax": [True], "scheme": [True]}),
    "octets": ("x:\u00e9", "x:%c3%a9", {"simple": [False], "syntax": [True], "scheme": [True]}),
    "formatting": ("x:\u202e", "x:%E2%80%AE", {"simple": [False], "syntax": [True], "scheme": [True]}),
    "private": ("x:?\ue000", "x:?%EE%80%80", {"simple": [False], "syntax": [True], "scheme": [True]}),
    "case-of-ascii": ("http://\u00c9X", "http://\u00c9x", {"syntax": [False, True], "scheme": [True, False]}),
    "case-of-a-letter": ("http://\u00c9X", "http://\u00e9X", {"syntax": [False], "scheme": [True, False]}),
    "case-of-octets": ("http://\u00c9X", "http://%C3%89X", {"syntax": [True], "scheme": [True]}),
    "case-of-octets-in-both": ("x://%C3%89X", "x://%C3%89x", {"syntax": [True], "scheme": [True]}),
    "case-for-another-scheme": ("x://\u00c9X", "x://\u00e9X", {"syntax": [False], "scheme": [False]}),
    "case-of-a-path": ("x:/\u00c9", "x:/\u00e9", {"syntax": [False], "scheme": [False]}),
    "port": ("http://\u00e9:80", "http://\u00e9/", {"syntax": [False, True], "scheme": [True]}),
}
QUESTIONS = [(name, mode) for name, (_, _, verdicts) in PAIRS.items() for mode in verdicts]


@pytest.mark.parametrize(("name", "mode"), QUESTIONS)
def test_two_iris_have_the_verdict_of_the_table_in_either_order(name, mode):
    first, second, verdicts = PAIRS[name]
    recommended, *_ = verdicts[mode]
    assert equivalent(first, second, "rfc3987", mode).equal is recommended
    assert equivalent(second, first, "rfc3987", mode).equal is recommended


def admitted_verdicts(first, second, mode):
    """Return the verdicts on two IRIs that are admitted besides the recommended one."""
    return {alternative.equal for alternative in equivalent(first, second, "rfc3987", mode).also}


@pytest.mark.parametrize(("name", "mode"), QUESTIONS)
def test_two_iris_have_the_other_verdict_that_the_table_admits_in_either_order(name, mode):
    first, second, verdicts = PAIRS[name]
    _, *admitted = verdicts[mode]
    assert admitted_verdicts(first, second, mode) == set(admitted)
    assert admitted_verdicts(second, first, mode) == set(admitted)


@pytest.mark.parametrize("mode", ["simple", "syntax", "scheme"])
def test_a_relative_reference_is_not_compared(mode):
    """RFC 3987, section 5.1: relative references are not compared directly."""
    with pytest.raises(InvalidURL, match="must be absolute"):
        equivalent("\u00e9", "\u00e9", "rfc3987", mode)


#: The RFCs on URLs.
OTHER_RFCS = sorted(SPECIFICATIONS.keys() - {"rfc3987"})


@pytest.mark.parametrize("spec", [spec for spec in OTHER_RFCS if spec != "rfc1808"])
def test_an_rfc_on_urls_has_no_mode_simple(spec):
    """RFC 1808 defines no equivalence in any mode."""
    with pytest.raises(ValueError, match="no mode 'simple'"):
        equivalent("x:y", "x:y", spec, "simple")


def test_rfc_1808_has_no_equivalence_in_mode_simple():
    with pytest.raises(Unsupported, match="RFC 1808"):
        equivalent("x:y", "x:y", "rfc1808", "simple")


@pytest.mark.parametrize("spec", OTHER_RFCS)
@pytest.mark.parametrize(
    "mapping", [to_uri, uri_forms, to_iri, iri_forms], ids=lambda mapping: mapping.__name__
)
def test_an_rfc_on_urls_maps_nothing(spec, mapping):
    with pytest.raises(Unsupported, match=r"does not define the (mapping of IRIs|conversion of URIs)"):
        mapping("x:y", spec)


def test_no_iri_is_extracted():
    with pytest.raises(Unsupported, match="RFC 3987 does not define URLs in text"):
        extract("<http://\u00e9/>", "rfc3987")


class TestMapping:
    """The mappings convert valid texts and refuse others, by the rule that the caller names."""

    @pytest.mark.parametrize("iri", ["http://a/[\u00e9]", "http://a/%", "/ \u00e9", "/\ue000"], ids=ascii)
    def test_what_is_no_iri_has_no_uri(self, iri):
        with pytest.raises(InvalidURL, match="not a valid IRI-reference of RFC 3987"):
            to_uri(iri)

    @pytest.mark.parametrize(
        ("iri", "uris"),
        [("/ \u00e9", ["/%20%C3%A9"]), ("/\ue000", ["/%EE%80%80"]), ("/[\u00e9]", []), ("/\u00e9%", [])],
        ids=ascii,
    )
    def test_what_is_no_iri_may_become_a_uri_by_encoding_blanks_and_private_characters(self, iri, uris):
        assert [form.text for form in uri_forms(iri).also] == uris

    def test_what_is_no_iri_has_no_recommended_uri(self):
        assert uri_forms("/ \u00e9").text is None

    @pytest.mark.parametrize(
        ("rule", "iri", "uri"),
        [("isegment", "\u00e9:@", "%C3%A9:@"), ("iquery", "\ue000", "%EE%80%80"), ("ifragment", "?", "?")],
    )
    def test_a_component_is_mapped_by_its_rule(self, rule, iri, uri):
        assert to_uri(iri, rule=rule) == uri

    def test_a_component_is_refused_by_its_rule(self):
        with pytest.raises(InvalidURL, match="not a valid isegment of RFC 3987"):
            to_uri("/", rule="isegment")

    @pytest.mark.parametrize(
        ("rule", "uri", "iri"),
        [
            ("iquery", "%EE%80%80", "\ue000"),
            ("ifragment", "?%EE%80%80", "?%EE%80%80"),
            ("ihost", "%C3%A9", "\u00e9"),
        ],
    )
    def test_a_component_is_converted_by_its_rule(self, rule, uri, iri):
        assert to_iri(uri, rule=rule) == iri

    def test_an_iri_is_no_uri(self):
        with pytest.raises(InvalidURL) as caught:
            to_iri("http://a/\u00e9")
        assert caught.value.problem == "U+00E9 at offset 9: a URI has only characters of ASCII (section 3.2)"
        assert caught.value.position == 9

    def test_characters_beyond_ascii_may_stay_where_triplets_are_decoded(self):
        assert [form.text for form in iri_forms("/%C3%A9\u00e9").also] == ["/\u00e9\u00e9"]

    def test_an_invalid_text_has_no_iri(self):
        with pytest.raises(InvalidURL, match="blank at offset 1"):
            to_iri("/ \u00e9")

    def test_no_other_iri_of_an_invalid_text_is_admitted(self):
        assert iri_forms("/ ").also == ()

    @pytest.mark.parametrize("mapping", [to_uri, to_iri])
    def test_only_a_str_is_mapped(self, mapping):
        with pytest.raises(TypeError, match="the text must be a str, not bytes"):
            mapping(b"/")


def test_the_rfc_is_found_by_its_name():
    assert specification("rfc3987").title == "RFC 3987"


def test_an_unknown_rfc_is_refused_with_the_names_of_the_others():
    with pytest.raises(UnknownSpecification, match=r"choose from rfc1738, .*, rfc3986, rfc3987$"):
        specification("rfc3988")
