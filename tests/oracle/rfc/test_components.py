"""Components: absent against empty, what belongs to which RFC, and the readings that a ruling leaves open."""

from __future__ import annotations

import pytest

from urloracle.errors import InvalidURL
from urloracle.operations import parse
from urloracle.rfc.components import URI, RelativeURL
from urloracle.rfcs import SPECIFICATIONS

GENERIC = ("rfc2396", "rfc2732", "rfc3986")

#: Scheme, authority, userinfo, host, port, path, query, fragment.
GENERIC_PARTS = {
    "": URI(None, None, None, None, None, "", None, None),
    "?": URI(None, None, None, None, None, "", "", None),
    "#": URI(None, None, None, None, None, "", None, ""),
    "?#": URI(None, None, None, None, None, "", "", ""),
    "p?q#f": URI(None, None, None, None, None, "p", "q", "f"),
    "/": URI(None, None, None, None, None, "/", None, None),
    "p?q?r/s#t?u/v": URI(None, None, None, None, None, "p", "q?r/s", "t?u/v"),
    "./s:t": URI(None, None, None, None, None, "./s:t", None, None),
    "//h": URI(None, "h", None, "h", None, "", None, None),
    "//h:": URI(None, "h:", None, "h", "", "", None, None),
    "//h:8/": URI(None, "h:8", None, "h", "8", "/", None, None),
    "//@h": URI(None, "@h", "", "h", None, "", None, None),
    "//a:b:c@h": URI(None, "a:b:c@h", "a:b:c", "h", None, "", None, None),
    "//h?q": URI(None, "h", None, "h", None, "", "q", None),
    "//h#f": URI(None, "h", None, "h", None, "", None, "f"),
    "//h;x/p;y": URI(None, "h;x", None, "h;x", None, "/p;y", None, None),
    "S://H//p": URI("S", "H", None, "H", None, "//p", None, None),
    "s:/p": URI("s", None, None, None, None, "/p", None, None),
    "s:p": URI("s", None, None, None, None, "p", None, None),
    "s:p:q@r": URI("s", None, None, None, None, "p:q@r", None, None),
    "//1.2.3.4": URI(None, "1.2.3.4", None, "1.2.3.4", None, "", None, None),
}
# R-2396-11: an authority that is no server has no parts there; RFC 3986 has no registry-based names
NO_SERVER = {"//h;x/p;y"}


def generic_parts(text, spec):
    """Return the components of a text of the table under an RFC."""
    if spec != "rfc3986" and text in NO_SERVER:
        return GENERIC_PARTS[text]._replace(userinfo=None, host=None, port=None)
    return GENERIC_PARTS[text]


@pytest.mark.parametrize("spec", GENERIC)
@pytest.mark.parametrize("text", GENERIC_PARTS)
def test_generic_components_are_those_of_the_table(text, spec):
    """RFC 2396 sections 3, 4 and B, RFC 3986 sections 3, 4 and B; G-09."""
    assert parse(text, spec) == generic_parts(text, spec)


@pytest.mark.parametrize("spec", GENERIC)
@pytest.mark.parametrize("text", GENERIC_PARTS)
def test_generic_components_are_given_as_a_dictionary(text, spec):
    assert parse(text, spec).asdict() == generic_parts(text, spec)._asdict()


@pytest.mark.parametrize(
    ("spec", "text", "parts"),
    [
        pytest.param("rfc2396", "//", ("", None, None, None), id="empty-2396"),
        pytest.param("rfc3986", "//", ("", None, "", None), id="empty-3986"),
        pytest.param("rfc2396", "//@", ("@", None, None, None), id="at-alone-2396"),
        pytest.param("rfc3986", "//@", ("@", "", "", None), id="at-alone-3986"),
        pytest.param("rfc2396", "//:80", (":80", None, None, None), id="port-alone-2396"),
        pytest.param("rfc3986", "//:80", (":80", None, "", "80"), id="port-alone-3986"),
        pytest.param("rfc2396", "//a_b:80", ("a_b:80", None, None, None), id="underscore-2396"),
        pytest.param("rfc3986", "//a_b:80", ("a_b:80", None, "a_b", "80"), id="underscore-3986"),
        pytest.param("rfc2396", "//u@1.2.3", ("u@1.2.3", None, None, None), id="three-numbers-2396"),
        pytest.param("rfc3986", "//u@1.2.3", ("u@1.2.3", "u", "1.2.3", None), id="three-numbers-3986"),
        pytest.param("rfc2396", "//h.:1", ("h.:1", None, "h.", "1"), id="dot-at-the-end"),
        pytest.param("rfc2732", "//[::1]", ("[::1]", None, "[::1]", None), id="address"),
        pytest.param("rfc2732", "//u@[::]:", ("u@[::]:", "u", "[::]", ""), id="empty-port"),
        pytest.param(
            "rfc3986", "//u@[v7.x:y]:1", ("u@[v7.x:y]:1", "u", "[v7.x:y]", "1"), id="future-address"
        ),
    ],
)
def test_authority_is_split_into_its_parts(spec, text, parts):
    """R-2396-10, R-2396-11: server or registry; RFC 3986 section 3.2: the host is never absent."""
    authority, userinfo, host, port = parts
    components = parse(text, spec)
    assert components.authority == authority
    assert components.userinfo == userinfo
    assert components.host == host
    assert components.port == port


#: Scheme, net_loc, path, params, query, fragment.
RELATIVE = {
    "": RelativeURL(None, None, "", None, None, None),
    ";?#": RelativeURL(None, None, "", "", "", ""),
    "//": RelativeURL(None, "", "", None, None, None),
    "//h?q;p": RelativeURL(None, "h?q;p", "", None, None, None),
    "//h?q/p?r": RelativeURL(None, "h?q", "/p", None, "r", None),
    "///p": RelativeURL(None, "", "/p", None, None, None),
    "a;b/c;d/e": RelativeURL(None, None, "a", "b/c;d/e", None, None),
    "a?b;c": RelativeURL(None, None, "a", None, "b;c", None),
    "a;b?c#d": RelativeURL(None, None, "a", "b", "c", "d"),
    "a#b?c;d": RelativeURL(None, None, "a", None, None, "b?c;d"),
    "7:x": RelativeURL("7", None, "x", None, None, None),
    "+.-:": RelativeURL("+.-", None, "", None, None, None),
    "a_b:c": RelativeURL(None, None, "a_b:c", None, None, None),
    ":c": RelativeURL(None, None, ":c", None, None, None),
    "a/b:c": RelativeURL(None, None, "a/b:c", None, None, None),
    "s://h//p": RelativeURL("s", "h", "//p", None, None, None),
    "s:?": RelativeURL("s", None, "", None, "", None),
    "s:a:b": RelativeURL("s", None, "a:b", None, None, None),
}


@pytest.mark.parametrize("text", RELATIVE)
def test_components_of_rfc1808_are_those_of_the_table(text):
    """RFC 1808, section 2.4: fragment, scheme, network location, query, parameters, path, in that order."""
    assert parse(text, "rfc1808") == RELATIVE[text]


@pytest.mark.parametrize("text", RELATIVE)
def test_components_of_rfc1808_are_given_as_a_dictionary(text):
    assert parse(text, "rfc1808").asdict() == RELATIVE[text]._asdict()


@pytest.mark.parametrize(
    ("spec", "text", "rulings"),
    [
        pytest.param("rfc1738", "ftp://h/a?b?c", ["R-1738-12"], id="question-mark-of-ftp"),
        pytest.param("rfc1738", "file:///a?", ["R-1738-12"], id="question-mark-of-file"),
        pytest.param("rfc1738", "ftp://h/a", [], id="ftp"),
        pytest.param("rfc1738", "ftp://h/a;type=A", ["R-1738-21"], id="type"),
        pytest.param(
            "rfc1738",
            "ftp://h/a?b;type=A",
            ["R-1738-12", "R-1738-21", "R-1738-21"],
            id="question-mark-and-type",
        ),
        pytest.param("rfc1738", "x://h", ["R-1738-02"], id="unknown-scheme-with-host"),
        pytest.param("rfc1738", "x:y", [], id="unknown-scheme"),
        pytest.param("rfc2396", "x:y?z", ["R-2396-04"], id="opaque-with-question-mark-2396"),
        pytest.param("rfc2396", "x:/y?z", [], id="hierarchical-2396"),
        pytest.param("rfc2732", "x:?", ["R-2396-04"], id="opaque-with-question-mark-2732"),
        pytest.param("rfc3986", "x:y?z", [], id="rootless-3986"),
        pytest.param("rfc3986", "URL:http://h/?q#f", ["R-3986-35"], id="wrapper"),
        pytest.param("rfc3986", "url:x", [], id="scheme-url"),
        pytest.param("rfc3986", "URL://h/", [], id="scheme-url-with-host"),
        pytest.param("rfc1808", "x:y?z", [], id="rootless-1808"),
    ],
)
def test_a_second_reading_is_listed_with_its_ruling(spec, text, rulings):
    """A ruling may admit a second set of components."""
    specification = SPECIFICATIONS[spec]
    assert [reading.ruling for reading in specification.readings(parse(text, spec))] == rulings


def test_a_path_of_ftp_with_a_question_mark_has_a_reading_with_a_query():
    """R-1738-12."""
    (reading,) = SPECIFICATIONS["rfc1738"].readings(parse("ftp://h/a?b?c", "rfc1738"))
    assert reading.components["fpath"] == "a"
    assert reading.components["query"] == "b?c"


def test_an_opaque_part_has_a_reading_that_keeps_its_question_mark():
    """R-2396-04."""
    (reading,) = SPECIFICATIONS["rfc2396"].readings(parse("x:y?z#f", "rfc2396"))
    assert reading.components == URI("x", None, None, None, None, "y?z", None, "f")._asdict()


#: Userinfo, host and port of each other reading of a registered name (R-2396-11).
DIVIDED = {
    "a_b": [(None, "a_b", None)],
    "h:x": [(None, "h", "x")],
    ":80": [(None, "", "80")],
    "u@": [("u", "", None)],
    "a@b@c": [("a@b", "c", None), ("a", "b@c", None)],
    "a:b:c": [(None, "a:b", "c"), (None, "a", "b:c"), (None, "a:b:c", None)],
    "": [],
    "h:1": [],
}


def readings_of_an_authority(authority):
    """Return the other readings of a reference of RFC 2396 with an authority."""
    return SPECIFICATIONS["rfc2396"].readings(parse(f"x://{authority}/", "rfc2396"))


@pytest.mark.parametrize("authority", DIVIDED)
def test_a_registered_name_is_divided_as_in_the_table(authority):
    divisions = []
    for reading in readings_of_an_authority(authority):
        components = reading.components
        divisions.append((components["userinfo"], components["host"], components["port"]))
    assert divisions == DIVIDED[authority]


@pytest.mark.parametrize("authority", DIVIDED)
def test_a_division_of_a_registered_name_has_its_ruling(authority):
    rulings = [reading.ruling for reading in readings_of_an_authority(authority)]
    assert rulings == ["R-2396-11"] * len(DIVIDED[authority])


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_invalid_text_has_no_components(spec):
    """G-12: what the RFC does not derive is not split."""
    with pytest.raises(InvalidURL) as caught:
        parse("http://h/\\", spec)
    assert caught.value.position == 9


@pytest.mark.parametrize(("spec", "delimiters"), [("rfc1808", ";?#"), ("rfc2396", "?#"), ("rfc3986", "?#")])
def test_a_path_has_no_delimiter_that_ends_it(spec, delimiters, walks):
    """RFC 1808, section 2.4. RFC 3986, section 3.3: the first `?` or `#` ends the path."""
    rule = SPECIFICATIONS[spec].default_rule
    for text in walks(spec, rule).members(300, seed=2):
        path = parse(text, spec).path
        assert set(path).isdisjoint(delimiters), text


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
def test_a_fragment_has_no_number_sign(spec, walks):
    """RFC 3986, section 3.5: the rule of fragments has none."""
    texts = walks(spec, SPECIFICATIONS[spec].default_rule).members(300, seed=2)
    fragments = {parse(text, spec).fragment for text in texts} - {None}
    assert fragments
    assert [fragment for fragment in fragments if "#" in fragment] == []


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
def test_a_text_has_a_fragment_exactly_if_it_has_a_number_sign(spec, walks):
    """RFC 3986, section 3.5: the number sign indicates a fragment, which may be empty."""
    for text in walks(spec, SPECIFICATIONS[spec].default_rule).members(300, seed=2):
        has_fragment = parse(text, spec).fragment is not None
        assert has_fragment == ("#" in text), text
